/* AMDGPU code objects: opens one from a file, a bundle or a host executable, and answers what it contains. */
#include "sim/loader/code_object.h"

#include "sim/loader/bundle.h"
#include "sim/loader/code_object_internal.h"
#include "sim/loader/link.h"
#include "sim/util/bits.h"
#include "sim/util/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- opening ---- */

int co_hold(struct code_object *co, uint64_t count, uint64_t bytes, const char *what, struct err *e)
{
    uint64_t all;

    if (__builtin_mul_overflow(count, bytes, &all) || !budget_take(co->budget, all))
        return err_set(e, ERR_NOMEM, "no memory for %s of %llu bytes", what, (unsigned long long)(count * bytes));
    co->bytes_held += all;
    return 0;
}

void co_release(struct code_object *co, uint64_t bytes)
{
    co->bytes_held -= bytes;
    budget_give(co->budget, bytes);
}

/* The bytes of a file that is opened: the object's own, or the caller's. */
struct source {
    uint8_t *own;
    const uint8_t *bytes;
    size_t size;
};

/* Makes [offset, offset + size) of the source co->elf, without a second copy when the bytes are our own. */
static int take_bytes(struct code_object *co, struct source *from, size_t offset, size_t size, struct err *e)
{
    if (from->own) {
        if (offset)
            memmove(from->own, from->own + offset, size);
        uint8_t *shorter = realloc(from->own, size + 1);
        co->elf = shorter ? shorter : from->own;
        from->own = NULL;
        co_release(co, from->size - size);
    } else {
        co->elf = co_hold(co, 1, size, "a copy", e) ? NULL : malloc(size + 1);
        if (!co->elf)
            return err_set(e, ERR_NOMEM, "no memory for %zu bytes", size);
        if (size)
            memcpy(co->elf, from->bytes + offset, size);
    }
    co->elf_size = size;
    return 0;
}

static int set_label(struct code_object *co, struct err *e)
{
    size_t cap = strlen(co->name) + sizeof co->bundle_id + 4;

    free(co->label);
    co->label = malloc(cap);
    if (!co->label)
        return err_set(e, ERR_NOMEM, "no memory for a file name");
    snprintf(co->label, cap, co->bundle_id[0] ? "%s [%s]" : "%s", co->name, co->bundle_id);
    return 0;
}

static int unwrap_bundle(struct code_object *co, struct source *from, size_t offset, size_t size, const char *want,
                         struct err *e)
{
    struct co_bundle_choice c;

    if (co_bundle_choose(&c, from->bytes + offset, size, want, co->budget, e))
        return -1;
    memcpy(co->bundle_id, c.id, sizeof co->bundle_id);
    if (!c.compressed)
        return take_bytes(co, from, offset + c.container + c.offset, c.size, e);
    if (co_bundle_inflate(&co->elf, &c, from->bytes + offset, size, co->budget, e))
        return -1;
    co->bytes_held += c.size;
    co->elf_size = c.size;
    return 0;
}

/* Makes the ELF file co->elf, out of the bundle or host executable that contains it. */
static int unwrap(struct code_object *co, struct source *from, const char *want, struct err *e)
{
    const uint8_t *bytes = from->bytes;
    size_t offset = 0, size = from->size, inner = size;

    if (co_elf_is_host(bytes, size)) {
        if (co_elf_find_section(bytes, size, ".hip_fatbin", &offset, &inner, e))
            return -1;
        if (!inner)
            return err_set(e, ERR_FORMAT, "offset 18: ELF machine %u, expected 224 (AMDGPU) or a .hip_fatbin section",
                           load_u16(bytes + 18));
    } else if (!co_is_bundle(bytes, size)) {
        return take_bytes(co, from, 0, size, e);
    }
    if (unwrap_bundle(co, from, offset, inner, want, e))
        return offset ? err_prefix(e, ".hip_fatbin at offset 0x%zx", offset) : -1;
    return set_label(co, e);
}

static int check_target(const struct code_object *co, const char *want, struct err *e)
{
    struct co_target_id target;
    char have[CO_TARGET_TEXT];
    const char *entry = strstr(co->bundle_id, "-gfx");

    co_target_format(&co->target, have);
    if (entry) { /* the entry was chosen by its id; the ELF header must agree with it */
        if (co_target_parse(&target, entry + 1, e))
            return -1;
        if (strcmp(target.name, co->target.name))
            return err_set(e, ERR_FORMAT, "the bundle says %s, the ELF header %s", target.name, have);
        return 0;
    }
    if (!want)
        return 0;
    if (strstr(want, "-amdgcn-"))
        return err_set(e, ERR_USAGE, "\"%.100s\" names a bundle's entry, this is a bare code object for %s", want,
                       have);
    if (co_target_parse(&target, want, e))
        return -1;
    if (!co_target_match(&co->target, &target))
        return err_set(e, ERR_USAGE, "code object is for %s, %.60s was asked for", have, want);
    return 0;
}

static int new_object(struct code_object **out, const char *name, struct budget *budget, struct err *e)
{
    struct code_object *co = calloc(1, sizeof *co);

    if (!co || !(co->lines = co_lines_slot_new()) || !(co->name = strdup(name)) || set_label(co, e)) {
        code_object_close(co);
        return err_set(e, ERR_NOMEM, "%s: no memory", name);
    }
    co->budget = budget;
    *out = co;
    return 0;
}

/* Takes over what of `from` is our own. Closes the object when it fails. */
static int open_source(struct code_object **out, struct code_object *co, struct source *from, const char *want,
                       struct err *e)
{
    int failed = unwrap(co, from, want, e);

    if (from->own) { /* it was a container */
        free(from->own);
        co_release(co, from->size);
    }
    failed = failed || (co_is_relocatable(co->elf, co->elf_size) && co_link(co, e));
    if (failed || co_elf_read(co, e) || check_target(co, want, e) || co_kernels_build(co, e)) {
        err_prefix(e, "%s", co->label);
        code_object_close(co);
        return -1;
    }
    *out = co;
    return 0;
}

int code_object_open(struct code_object **out, const void *bytes, size_t size, const char *name,
                     const char *want_target, struct budget *budget, struct err *e)
{
    struct source from = {.bytes = bytes, .size = size};
    struct code_object *co;

    *out = NULL;
    return new_object(&co, name, budget, e) ? -1 : open_source(out, co, &from, want_target, e);
}

/* Gives the buffer room for `room` bytes. */
static bool resize(struct code_object *co, struct source *s, size_t *room, size_t want, struct err *e)
{
    uint8_t *bigger = co_hold(co, 1, want - *room, "a file", e) ? NULL : realloc(s->own, want + 1);

    if (!bigger) {
        err_set(e, ERR_NOMEM, "no memory for a file of %zu bytes", want);
        return false;
    }
    s->own = bigger;
    *room = want;
    return true;
}

/* Reads a file of known length (`expect`), or a pipe to its end. */
static int read_file(struct code_object *co, FILE *fp, size_t expect, struct source *s, struct err *e)
{
    size_t room = 0;

    for (size_t want = expect ? expect : 65536; resize(co, s, &room, want, e); want = 2 * room) {
        s->size += fread(s->own + s->size, 1, room - s->size, fp);
        if (s->size < room || expect) {
            co_release(co, room - s->size);
            s->bytes = s->own;
            return ferror(fp) ? err_set(e, ERR_IO, "%s", strerror(errno)) : 0;
        }
        if (room >= CO_MAX_FILE_BYTES) {
            err_set(e, ERR_LIMIT, "larger than %llu bytes", (unsigned long long)CO_MAX_FILE_BYTES);
            break;
        }
    }
    co_release(co, room);
    return -1;
}

/* *size is 0 when the file does not say its length. */
static FILE *open_file(const char *path, size_t *size, struct err *e)
{
    FILE *fp = input_open(path, size, e);

    if (fp && *size > CO_MAX_FILE_BYTES) {
        err_set(e, ERR_LIMIT, "larger than %llu bytes", (unsigned long long)CO_MAX_FILE_BYTES);
        fclose(fp);
        fp = NULL;
    }
    return fp;
}

int code_object_open_file(struct code_object **out, const char *path, const char *want_target, struct budget *budget,
                          struct err *e)
{
    struct source from = {0};
    struct code_object *co;
    size_t size;

    *out = NULL;
    if (new_object(&co, path, budget, e))
        return -1;
    FILE *fp = open_file(path, &size, e);
    int failed = !fp || read_file(co, fp, size, &from, e);
    if (fp)
        fclose(fp);
    if (failed) {
        free(from.own);
        code_object_close(co);
        return err_prefix(e, "%s", path);
    }
    return open_source(out, co, &from, want_target, e);
}

void code_object_close(struct code_object *co)
{
    if (!co)
        return;
    for (unsigned i = 0; i < co->kernel_count; i++) {
        free((char *)co->kernels[i].name);
        free((char *)co->kernels[i].refused);
    }
    for (unsigned i = 0; i < co->note_count; i++)
        co_metadata_free(co->notes[i]);
    free(co->notes);
    free(co->kernels);
    free(co->relocs);
    free(co->relrs);
    free(co->symbols);
    free(co->texts);
    free(co->segments);
    co_lines_slot_free(co->lines); /* its names are in the ELF file */
    free(co->elf);
    free(co->label);
    free(co->name);
    budget_give(co->budget, co->bytes_held);
    free(co);
}

/* ---- reading ---- */

const char *code_object_name(const struct code_object *co)
{
    return co->name;
}

const uint8_t *code_object_file(const struct code_object *co, size_t *size)
{
    *size = co->elf_size;
    return co->elf;
}

const char *code_object_bundle_id(const struct code_object *co)
{
    return co->bundle_id;
}

unsigned code_object_version(const struct code_object *co)
{
    return co->version;
}

const struct co_target_id *code_object_target(const struct code_object *co)
{
    return &co->target;
}

unsigned code_object_kernel_count(const struct code_object *co)
{
    return co->kernel_count;
}

const struct co_kernel *code_object_kernel(const struct code_object *co, unsigned index)
{
    return index < co->kernel_count ? &co->kernels[index] : NULL;
}

unsigned code_object_symbol_count(const struct code_object *co)
{
    return co->symbol_count;
}

const struct co_symbol *code_object_symbol(const struct code_object *co, unsigned index)
{
    return index < co->symbol_count ? &co->symbols[index] : NULL;
}

const struct co_symbol *code_object_find_symbol(const struct code_object *co, const char *name)
{
    for (unsigned i = 0; i < co->symbol_count; i++)
        if (!strcmp(co->symbols[i].name, name))
            return &co->symbols[i];
    return NULL;
}

unsigned code_object_segment_count(const struct code_object *co)
{
    return co->segment_count;
}

const struct co_segment *code_object_segment(const struct code_object *co, unsigned index)
{
    return index < co->segment_count ? &co->segments[index] : NULL;
}

unsigned code_object_text_count(const struct code_object *co)
{
    return co->text_count;
}

const struct co_text *code_object_text(const struct code_object *co, unsigned index)
{
    return index < co->text_count ? &co->texts[index] : NULL;
}

unsigned code_object_metadata_count(const struct code_object *co)
{
    return co->note_count;
}

const struct co_metadata *code_object_metadata(const struct code_object *co, unsigned index)
{
    return index < co->note_count ? co->notes[index] : NULL;
}

const uint8_t *code_object_bytes(const struct code_object *co, uint64_t vaddr, uint64_t *available)
{
    const struct co_segment *s = co_segment_at(co, vaddr, 1);

    if (!s || vaddr - s->vaddr >= s->file_bytes)
        return NULL;
    *available = s->file_bytes - (vaddr - s->vaddr);
    return co->elf + s->file_offset + (vaddr - s->vaddr);
}

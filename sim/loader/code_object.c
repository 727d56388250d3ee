/* AMDGPU code objects: opens one from a file, a bundle or a host executable, and answers what it contains. */
#include "sim/loader/code_object.h"

#include "sim/loader/bundle.h"
#include "sim/loader/code_object_internal.h"
#include "sim/util/bits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- opening ---- */

static int copy_bytes(struct code_object *co, const void *bytes, size_t size, struct err *e)
{
    co->elf = malloc(size + 1);
    if (!co->elf)
        return err_set(e, ERR_NOMEM, "no memory for %zu bytes", size);
    if (size)
        memcpy(co->elf, bytes, size);
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

/* Copies the ELF file into co->elf, out of the bundle or host executable that contains it. */
static int unwrap(struct code_object *co, const uint8_t *bytes, size_t size, const char *want, struct err *e)
{
    size_t offset = 0, inner = size;

    if (co_elf_is_host(bytes, size)) {
        if (co_elf_find_section(bytes, size, ".hip_fatbin", &offset, &inner, e))
            return -1;
        if (!inner)
            return err_set(e, ERR_FORMAT, "offset 18: ELF machine %u, expected 224 (AMDGPU) or a .hip_fatbin section",
                           load_u16(bytes + 18));
    } else if (!co_is_bundle(bytes, size)) {
        return copy_bytes(co, bytes, size, e);
    }
    if (co_bundle_extract(&co->elf, &co->elf_size, co->bundle_id, bytes + offset, inner, want, e))
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

int code_object_open(struct code_object **out, const void *bytes, size_t size, const char *name,
                     const char *want_target, struct err *e)
{
    struct code_object *co = calloc(1, sizeof *co);

    *out = NULL;
    if (!co || !(co->lines = co_lines_slot_new()) || !(co->name = strdup(name)) || set_label(co, e)) {
        code_object_close(co);
        return err_set(e, ERR_NOMEM, "%s: no memory", name);
    }
    if (unwrap(co, bytes, size, want_target, e) || co_elf_read(co, e) || check_target(co, want_target, e) ||
        co_kernels_build(co, e)) {
        err_prefix(e, "%s", co->label);
        code_object_close(co);
        return -1;
    }
    *out = co;
    return 0;
}

/* Reads to the end of the file, so that pipes can be read as well. */
static int read_file(FILE *fp, const char *path, uint8_t **out, size_t *size, struct err *e)
{
    size_t cap = 65536, n = 0;
    uint8_t *buf = malloc(cap);

    while (buf) {
        n += fread(buf + n, 1, cap - n, fp);
        if (n < cap)
            break;
        if (cap >= CO_MAX_FILE_BYTES) {
            free(buf);
            return err_set(e, ERR_LIMIT, "%s: larger than %llu bytes", path, (unsigned long long)CO_MAX_FILE_BYTES);
        }
        uint8_t *bigger = realloc(buf, cap * 2);
        if (!bigger)
            free(buf);
        buf = bigger;
        cap *= 2;
    }
    if (!buf)
        return err_set(e, ERR_NOMEM, "%s: no memory for %zu bytes", path, cap);
    if (ferror(fp)) {
        err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
        free(buf);
        return -1;
    }
    *out = buf;
    *size = n;
    return 0;
}

int code_object_open_file(struct code_object **out, const char *path, const char *want_target, struct err *e)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    FILE *fp = fopen(path, "rb");

    *out = NULL;
    if (!fp)
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    /* a device may have no end */
    struct stat st;
    int r = fstat(fileno(fp), &st) == 0 && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
                ? err_set(e, ERR_IO, "%s: a device; expected a file", path)
                : read_file(fp, path, &bytes, &size, e);
    fclose(fp);
    if (r)
        return -1;
    r = code_object_open(out, bytes, size, path, want_target, e);
    free(bytes);
    return r;
}

void code_object_close(struct code_object *co)
{
    if (!co)
        return;
    for (unsigned i = 0; i < co->kernel_count; i++)
        free((char *)co->kernels[i].name);
    for (unsigned i = 0; i < co->note_count; i++)
        co_metadata_free(co->notes[i]);
    free(co->notes);
    free(co->kernels);
    free(co->relocs);
    free(co->symbols);
    free(co->texts);
    free(co->segments);
    co_lines_slot_free(co->lines); /* its names are in the ELF file */
    free(co->elf);
    free(co->label);
    free(co->name);
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

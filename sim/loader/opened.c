/* AMDGPU code objects: what an opened one contains (file.c opens it), and the memory that it holds. */
#include "sim/loader/code_object.h"

#include "sim/loader/code_object_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

int co_hold(struct code_object *co, uint64_t count, uint64_t bytes, const char *what, struct err *e)
{
    uint64_t all;

    if (__builtin_mul_overflow(count, bytes, &all) || !budget_take(co->budget, all))
        return err_set(e, ERR_NOMEM, "out of host memory for %s of %llu bytes", what,
                       (unsigned long long)(count * bytes));
    co->bytes_held += all;
    return 0;
}

void co_release(struct code_object *co, uint64_t bytes)
{
    co->bytes_held -= bytes;
    budget_give(co->budget, bytes);
}

int co_set_label(struct code_object *co, struct err *e)
{
    size_t cap = strlen(co->name) + strlen(co->where) + strlen(co->bundle_id) + 4;

    free(co->label);
    co->label = malloc(cap);
    if (!co->label)
        return err_set(e, ERR_NOMEM, "out of host memory for a file name");
    snprintf(co->label, cap, co->bundle_id[0] ? "%s%s [%s]" : "%s%s", co->name, co->where, co->bundle_id);
    return 0;
}

int co_new(struct code_object **out, const char *name, struct budget *budget, struct err *e)
{
    struct code_object *co = calloc(1, sizeof *co);

    if (!co || !(co->lines = co_lines_slot_new()) || !(co->name = strdup(name)) || co_set_label(co, e)) {
        code_object_close(co);
        return err_set(e, ERR_NOMEM, "%s: out of host memory", name);
    }
    co->budget = budget;
    *out = co;
    return 0;
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
    free(co->functions);
    co_registers_free(&co->registers);
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

const char *code_object_where(const struct code_object *co)
{
    return co->where;
}

const char *code_object_os(const struct code_object *co)
{
    return co_os_name(co->os);
}

bool code_object_register(const struct code_object *co, unsigned index, uint32_t *address, uint32_t *value)
{
    if (index >= co->registers.count)
        return false;
    *address = co->registers.list[index].address;
    *value = co->registers.list[index].value;
    return true;
}

unsigned code_object_index(const struct code_object *co)
{
    return co->index;
}

unsigned code_object_of(const struct code_object *co)
{
    return co->of;
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

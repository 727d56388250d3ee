/* Keeps texts for reports and snapshots, and says what is at a pc. */
#define _GNU_SOURCE
#include "sim/report/maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *report_keep_bytes(struct report_maker *m, const void *bytes, size_t size, size_t align)
{
    void *copy = arena_alloc(m->arena, size, 1, align);

    if (copy)
        memcpy(copy, bytes, size);
    else
        m->no_memory = true;
    return copy;
}

const char *report_keep(struct report_maker *m, const char *text)
{
    const char *copy = text ? report_keep_bytes(m, text, strlen(text) + 1, 1) : NULL;

    return copy || !text ? copy : "";
}

const char *report_keepf(struct report_maker *m, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;

    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0) {
        text = NULL;
        m->no_memory = true;
    }
    va_end(ap);
    const char *kept = text ? report_keep(m, text) : "";
    free(text);
    return kept;
}

void *report_keep_array(struct report_maker *m, size_t n, size_t size, size_t align)
{
    void *a = arena_alloc(m->arena, n + 1, size, align);

    m->no_memory = m->no_memory || !a;
    return a;
}

/* The instruction at pc; null: there is none. The memory limit may have refused the program room for one that exists:
 * it is decoded into *fresh then. *bytes: of that, else null. */
static const struct isa_inst *decoded(const struct report_maker *m, gaddr_t pc, struct isa_inst *fresh,
                                      const uint8_t **bytes)
{
    const struct isa_inst *inst = isa_program_at(m->l->program, pc);
    const struct mem_range *code = inst && !inst->row ? mem_space_find(m->l->space, pc) : NULL;

    *bytes = NULL;
    if (!code || !mem_range_holds(code, pc, 4))
        return inst;
    *bytes = code->host + (pc - code->lo);
    isa_decode_any(m->l->target, *bytes, code->hi - pc, fresh, NULL);
    return fresh;
}

const char *report_instruction(struct report_maker *m, gaddr_t pc)
{
    struct isa_inst fresh;
    const uint8_t *bytes;
    const struct isa_inst *inst = decoded(m, pc, &fresh, &bytes);
    char text[200] = "";

    if (inst && inst->row)
        isa_text(m->l->target, inst, text, sizeof text);
    else if (bytes)
        snprintf(text, sizeof text, ".long 0x%08x", load_u32(bytes));
    return report_keep(m, text);
}

struct inst_facts report_inst_facts(const struct report_maker *m, gaddr_t pc)
{
    struct isa_inst fresh;
    const uint8_t *bytes;

    return inst_facts_of(m->l->target, decoded(m, pc, &fresh, &bytes), pc, m->l->lanes);
}

/* No code object has 4 GiB. */
uint64_t report_offset(const struct report_maker *m, gaddr_t pc)
{
    gaddr_t base = m->run->load_base;

    return pc >= base && pc - base <= UINT32_MAX ? pc - base + m->run->base_vaddr : UINT64_MAX;
}

const char *report_source(struct report_maker *m, gaddr_t pc)
{
    const struct code_object *code = m->run->code;
    uint64_t offset = report_offset(m, pc);
    const struct co_line *at = code && offset != UINT64_MAX ? co_lines_at(code_object_lines(code), offset) : NULL;

    return at ? report_keepf(m, "%s:%u", at->file, at->line) : NULL;
}

void report_workgroup(const struct launch *l, uint64_t group, uint32_t out[3])
{
    struct launch_group g;

    launch_open_group(l, group, &g);
    memcpy(out, g.id, sizeof g.id);
}

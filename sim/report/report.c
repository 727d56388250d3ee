/* A struct report from a launch and what an engine returned: statistics, fault, findings, memory instructions, with all
 * strings in the report's arena. */
#define _GNU_SOURCE
#include "sim/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check/check.h"

static const char *const scope_key[MEM_SCOPES] = {
    [SCOPE_CU] = "cu", [SCOPE_SE] = "se", [SCOPE_DEV] = "dev", [SCOPE_SYS] = "sys"};
static const char *const hint_key[MEM_TEMPORALS] = {
    [TH_RT] = "rt",       [TH_NT] = "nt",       [TH_HT] = "ht",       [TH_LU] = "lu",
    [TH_NT_RT] = "nt_rt", [TH_RT_NT] = "rt_nt", [TH_NT_HT] = "nt_ht", [TH_WB] = "nt_wb",
};

/* State of report_make(). */
struct maker {
    struct report *r;
    const struct launch *l;
    const struct engine_result *er;
    bool no_memory;
};

/* A copy in the report's arena; null when there is no memory, which the maker notes. */
static void *keep_bytes(struct maker *m, const void *bytes, size_t size, size_t align)
{
    void *copy = arena_alloc(&m->r->arena, size, 1, align);

    if (copy)
        memcpy(copy, bytes, size);
    else
        m->no_memory = true;
    return copy;
}

static const char *keep(struct maker *m, const char *text)
{
    const char *copy = text ? keep_bytes(m, text, strlen(text) + 1, 1) : NULL;

    return copy || !text ? copy : "";
}

/* An array of at least one, zeroed. */
#define KEEP_ARRAY(M, N, T) ((T *)keep_array((M), (N), sizeof(T), _Alignof(T)))
static void *keep_array(struct maker *m, size_t n, size_t size, size_t align)
{
    void *a = arena_alloc(&m->r->arena, n + 1, size, align);

    m->no_memory = m->no_memory || !a;
    return a;
}

/* Text of the instruction at pc; "" when there is none. */
static const char *instruction_text(struct maker *m, gaddr_t pc)
{
    const struct isa_inst *inst = isa_program_at(m->l->program, pc);
    const struct mem_range *code;
    char text[200] = "";

    if (inst && inst->row)
        isa_text(m->l->target, inst, text, sizeof text);
    else if (inst && (code = mem_space_find(m->l->space, pc)) && mem_range_holds(code, pc, 4))
        snprintf(text, sizeof text, ".long 0x%08x", load_u32(code->host + (pc - code->lo)));
    return keep(m, text);
}

static uint64_t pc_offset(const struct maker *m, gaddr_t pc)
{
    return pc - m->r->run.load_base + m->r->run.base_vaddr;
}

/* UINT64_MAX for a pc outside the code object, which a jump through a wild address leads to; no code object has 4 GiB.
 */
static uint64_t checked_offset(const struct maker *m, gaddr_t pc)
{
    gaddr_t base = m->r->run.load_base;

    return pc >= base && pc - base <= UINT32_MAX ? pc_offset(m, pc) : UINT64_MAX;
}

/* "file:line" of an offset in the code object; null when it is not known. */
static const char *source_of(struct maker *m, uint64_t offset)
{
    const struct code_object *code = m->r->run.code;
    const struct co_line *at = code && offset != UINT64_MAX ? co_lines_at(code_object_lines(code), offset) : NULL;
    char *text = NULL;

    if (at && asprintf(&text, "%s:%u", at->file, at->line) < 0)
        text = NULL;
    const char *kept = keep(m, text);
    free(text);
    return kept;
}

static void workgroup_of(const struct launch *l, uint64_t group, uint32_t out[3])
{
    out[0] = (uint32_t)(group % l->workgroups[0]);
    out[1] = (uint32_t)(group / l->workgroups[0] % l->workgroups[1]);
    out[2] = (uint32_t)(group / l->workgroups[0] / l->workgroups[1]);
}

/* ---- faults ---- */

static const char *fault_kind(const struct engine_result *er)
{
    static const char *const kinds[] = {
        [FAULT_NONE] = "other",  [FAULT_ILLEGAL] = "illegal",   [FAULT_UNIMPLEMENTED] = "unimplemented",
        [FAULT_PC] = "pc",       [FAULT_MEMORY] = "memory",     [FAULT_ALIGN] = "align",
        [FAULT_LDS] = "lds",     [FAULT_REGISTER] = "register", [FAULT_TRAP] = "trap",
        [FAULT_OTHER] = "other",
    };

    if (er->fault_kind == ENGINE_FAULT_HALT)
        return "halt";
    if (er->fault_kind == ENGINE_FAULT_DEADLOCK)
        return "deadlock";
    return er->fault.kind < sizeof kinds / sizeof kinds[0] ? kinds[er->fault.kind] : "other";
}

/* One sentence with all that the fault says. */
static const char *fault_message(struct maker *m, const struct report_fault *t, const char *text)
{
    char where[80] = "", offset[600] = "", message[1800];
    const char *quote = *t->instruction ? "'" : "";

    if (t->lane >= 0)
        snprintf(where, sizeof where, ", lane %d", t->lane);
    if (t->pc_offset != UINT64_MAX)
        snprintf(offset, sizeof offset, " (offset 0x%" PRIx64 "%s%s)", t->pc_offset, t->source ? ", " : "",
                 t->source ? t->source : "");
    snprintf(message, sizeof message, "%s fault at pc 0x%" PRIx64 "%s%s%s%s%s: %s%s%s; workgroup %u,%u,%u, wave %u%s",
             t->kind, t->pc, offset, *quote ? " in " : "", quote, t->instruction, quote, text, *t->nearest ? ": " : "",
             t->nearest, t->workgroup[0], t->workgroup[1], t->workgroup[2], t->wave, where);
    return keep(m, message);
}

static void make_fault(struct maker *m)
{
    const struct isa_fault *f = &m->er->fault;
    struct report_fault *out = &m->r->fault;
    char near[300] = "";
    bool memory = m->er->fault_kind == ENGINE_FAULT_WAVE && (f->kind == FAULT_MEMORY || f->kind == FAULT_ALIGN);

    if (memory && !f->in_scratch) /* whose addresses are offsets */
        mem_space_describe(m->l->space, f->addr, f->bytes ? f->bytes : 1, near, sizeof near);
    m->r->has_fault = true;
    *out = (struct report_fault){.kind = fault_kind(m->er),
                                 .pc = f->pc,
                                 .pc_offset = checked_offset(m, f->pc),
                                 .instruction = instruction_text(m, f->pc),
                                 .source = source_of(m, checked_offset(m, f->pc)),
                                 .lane = f->lane,
                                 .address = f->addr,
                                 .bytes = f->bytes,
                                 .write = f->write,
                                 .wave = m->er->fault_wave,
                                 .nearest = keep(m, near)};
    workgroup_of(m->l, m->er->fault_group, out->workgroup);
    out->message = fault_message(m, out, f->text);
    m->r->message = out->message;
}

/* ---- findings, evictions, memory instructions ---- */

static void make_findings(struct maker *m, struct check *check)
{
    const struct check_finding *from = check_findings(check, &m->r->finding_count);
    struct report_finding *to = KEEP_ARRAY(m, m->r->finding_count, struct report_finding);

    m->r->has_check = true;
    m->r->findings = to;
    for (size_t k = 0; to && k < m->r->finding_count; k++) {
        const struct check_finding *f = &from[k];
        const struct isa_inst *i = isa_program_at(m->l->program, f->pc);

        to[k] = (struct report_finding){.rule = check_rule_key[f->rule],
                                        .pc = f->pc,
                                        .pc_offset = pc_offset(m, f->pc),
                                        .instruction = i && i->row ? instruction_text(m, f->pc) : "",
                                        .source = source_of(m, pc_offset(m, f->pc)),
                                        .lane = f->lane,
                                        .wave = f->wave,
                                        .count = f->count,
                                        .message = keep(m, f->message),
                                        .fix = keep(m, f->fix)};
        workgroup_of(m->l, f->group, to[k].workgroup);
    }
}

static void make_evictions(struct maker *m)
{
    const size_t most = (size_t)LEVEL_COUNT * MEM_SCOPES * MEM_TEMPORALS;
    struct report_eviction *e = KEEP_ARRAY(m, most, struct report_eviction);

    m->r->evictions = e;
    for (size_t k = 0; e && k < most; k++) {
        size_t hint = k % MEM_TEMPORALS, scope = k / MEM_TEMPORALS % MEM_SCOPES, level = k / MEM_TEMPORALS / MEM_SCOPES;
        uint64_t lines = m->er->evicted[level][scope][hint];

        m->r->has_caches |= m->er->present[stat_of_cache((enum cache_level)level, 0)];
        if (lines)
            e[m->r->eviction_count++] =
                (struct report_eviction){cache_level_key[level], scope_key[scope], hint_key[hint], lines};
    }
}

static void make_memory_insts(struct maker *m)
{
    const struct engine_result *er = m->er;
    struct report_memory_inst *out = KEEP_ARRAY(m, er->memory_inst_count, struct report_memory_inst);

    m->r->has_memory_insts = er->has_memory_insts;
    m->r->memory_inst = out;
    m->r->memory_inst_count = er->memory_inst_count;
    m->r->memory_insts_left_out = er->memory_insts_left_out;
    for (unsigned k = 0; out && k < er->memory_inst_count; k++) {
        const struct engine_memory_inst *i = &er->memory_inst[k];

        out[k] = (struct report_memory_inst){i->pc, pc_offset(m, i->pc), instruction_text(m, i->pc),
                                             keep_bytes(m, i->stat, sizeof i->stat, _Alignof(uint64_t))};
    }
}

/* ---- the whole ---- */

static void make_run(struct maker *m, const struct report_run *run)
{
    struct report_run *out = &m->r->run;
    const char **overrides = KEEP_ARRAY(m, run->override_count, const char *);

    *out = *run;
    out->kernel = keep(m, run->kernel);
    out->command_line = keep(m, run->command_line);
    out->overrides = overrides;
    for (size_t k = 0; overrides && k < run->override_count; k++)
        overrides[k] = keep(m, run->overrides[k]);
}

struct report *report_make(const struct launch *l, struct check *check, const struct engine_result *er,
                           const struct report_run *run)
{
    struct report *r = calloc(1, sizeof *r);
    struct maker m = {r, l, er, false};

    if (!r)
        return NULL;
    arena_init(&r->arena, 0);
    make_run(&m, run);
    r->outcome = er->outcome;
    r->message = keep(&m, er->outcome == ENGINE_DONE ? "" : er->message);
    r->target = keep(&m, l->target->name);
    r->profile = l->profile ? keep(&m, l->profile->name) : NULL;
    memcpy(r->workgroup, l->workgroup_size, sizeof r->workgroup);
    r->workgroups = l->workgroup_count;
    r->waves = l->wave_count;
    r->has_occupancy = l->profile != NULL;
    r->occupancy = l->occupancy;
    r->occupancy_cus = l->profile && l->wgp_mode ? l->profile->gpu.cus_per_wgp : 1;
    report_statistics(r, l, er);
    make_evictions(&m);
    make_memory_insts(&m);
    if (er->outcome == ENGINE_FAULT)
        make_fault(&m);
    if (check)
        make_findings(&m, check);
    r->run.code = NULL; /* the report outlives it */
    if (m.no_memory) {
        report_free(r);
        return NULL;
    }
    return r;
}

void report_free(struct report *r)
{
    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}

const char *report_outcome_key(const struct report *r)
{
    static const char *const keys[] = {[ENGINE_DONE] = "completed",
                                       [ENGINE_FAULT] = "fault",
                                       [ENGINE_LIMIT] = "limit",
                                       [ENGINE_INTERRUPTED] = "interrupted"};

    return keys[r->outcome];
}

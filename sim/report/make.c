/* A struct report from a launch and what an engine returned: statistics, fault, findings, memory instructions, with all
 * strings in the report's arena. */
#include "sim/report/code.h"
#include "sim/report/cycle_figures.h"
#include "sim/report/limiter.h"
#include "sim/report/maker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check/check.h"
#include "sim/engine/samples.h"
#include "sim/loader/demangle.h"

#define BLOCK_BYTES ((size_t)8 << 10) /* of the arena: of many launches the reports of all are kept */

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
    struct report_maker k; /* keeps texts */
};

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
    return report_keep(&m->k, message);
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
                                 .pc_offset = report_offset(&m->k, f->pc),
                                 .instruction = report_instruction(&m->k, f->pc),
                                 .source = report_source(&m->k, f->pc),
                                 .lane = f->lane,
                                 .address = f->addr,
                                 .bytes = f->bytes,
                                 .write = f->write,
                                 .wave = m->er->fault_wave,
                                 .nearest = report_keep(&m->k, near)};
    out->frames = report_frames(&m->k, f->pc, &out->frame);
    report_workgroup(m->l, m->er->fault_group, out->workgroup);
    out->message = fault_message(m, out, f->text);
    m->r->message = out->message;
}

/* ---- findings, evictions, memory instructions ---- */

/* What mends it, and from when on compilers do. */
static const char *fix_of(struct maker *m, const struct check_finding *f)
{
    const struct check_erratum *e = check_erratum_of(f->rule, m->l->target);
    char text[sizeof f->fix + 120];

    if (!e)
        return report_keep(&m->k, f->fix);
    if (e->llvm > CHECK_NEWEST_LLVM)
        snprintf(text, sizeof text, "%s; LLVM up to %d does not know all cases (%s)", f->fix, CHECK_NEWEST_LLVM,
                 e->source);
    else
        snprintf(text, sizeof text, "%s; LLVM %u and later know all cases (%s)", f->fix, e->llvm, e->source);
    return report_keep(&m->k, text);
}

static void make_findings(struct maker *m, struct check *check)
{
    const struct check_finding *from = check_findings(check, &m->r->finding_count);
    struct report_finding *to = REPORT_ARRAY(&m->k, m->r->finding_count, struct report_finding);

    m->r->has_check = true;
    const char *left_out = check_left_out(check);
    m->r->check_left_out = left_out ? report_keep(&m->k, left_out) : NULL;
    m->k.no_memory = m->k.no_memory || check_no_memory(check);
    m->r->findings = to;
    for (size_t k = 0; to && k < m->r->finding_count; k++) {
        const struct check_finding *f = &from[k];
        const struct isa_inst *i = isa_program_at(m->l->program, f->pc);

        to[k] = (struct report_finding){.rule = check_rule_key[f->rule],
                                        .pc = f->pc,
                                        .pc_offset = report_offset(&m->k, f->pc),
                                        .instruction = i && i->row ? report_instruction(&m->k, f->pc) : "",
                                        .source = report_source(&m->k, f->pc),
                                        .lane = f->lane,
                                        .wave = f->wave,
                                        .count = f->count,
                                        .message = report_keep(&m->k, f->message),
                                        .fix = fix_of(m, f)};
        to[k].frames = report_frames(&m->k, f->pc, &to[k].frame);
        report_workgroup(m->l, f->group, to[k].workgroup);
    }
}

/* A finding of the engine's, at a pc of a wave of a workgroup. */
static void make_unasked(struct maker *m, struct report_finding *to, uint64_t group)
{
    to->pc_offset = report_offset(&m->k, to->pc);
    to->instruction = report_instruction(&m->k, to->pc);
    to->source = report_source(&m->k, to->pc);
    to->frames = report_frames(&m->k, to->pc, &to->frame);
    report_workgroup(m->l, group, to->workgroup);
}

static void make_lds_race(struct maker *m, struct report_finding *to)
{
    const struct engine_lds_race *f = &m->er->lds_race;
    char text[200];

    snprintf(text, sizeof text,
             "%s LDS byte %u, which another wave %s since the last barrier; what it %s depends on chance",
             f->write ? "writes" : "reads", f->offset, f->write ? "has accessed" : "has written",
             f->write ? "leaves" : "gets");
    *to = (struct report_finding){.rule = check_rule_key[CHECK_RACE_LDS],
                                  .pc = f->pc,
                                  .lane = f->lane,
                                  .wave = f->wave,
                                  .count = 1,
                                  .message = report_keep(&m->k, text),
                                  .fix = "a barrier between the two accesses; --check names the other one"};
    make_unasked(m, to, f->group);
}

static void make_overrun(struct maker *m, struct report_finding *to)
{
    const struct engine_overrun *f = &m->er->overruns.first;
    char near[300], text[400];

    mem_space_describe(m->l->space, f->addr, f->bytes, near, sizeof near);
    snprintf(text, sizeof text, "%s %u byte%s that hardware lets pass, because they end in the last page: %s",
             f->write ? "writes" : "reads", f->bytes, f->bytes == 1 ? "" : "s", near);
    *to = (struct report_finding){.rule = check_rule_key[CHECK_BOUNDS_PAGE],
                                  .pc = f->pc,
                                  .lane = f->lane,
                                  .wave = f->wave,
                                  .count = m->er->overruns.count,
                                  .message = report_keep(&m->k, text),
                                  .fix = "an allocation that holds all of it, or no access behind its end"};
    make_unasked(m, to, f->group);
}

/* Without --check: what the engine has come upon, by pc. */
static void make_unasked_findings(struct maker *m)
{
    struct report_finding *to = REPORT_ARRAY(&m->k, 2, struct report_finding);
    size_t n = 0;

    if (!to)
        return;
    if (m->er->has_lds_race)
        make_lds_race(m, &to[n++]);
    if (m->er->overruns.count)
        make_overrun(m, &to[n++]);
    if (n == 2 && to[1].pc < to[0].pc) {
        struct report_finding first = to[1];

        to[1] = to[0];
        to[0] = first;
    }
    m->r->findings = to;
    m->r->finding_count = n;
}

static void make_evictions(struct maker *m)
{
    const size_t most = (size_t)LEVEL_COUNT * MEM_SCOPES * MEM_TEMPORALS;
    struct report_eviction *e = REPORT_ARRAY(&m->k, most, struct report_eviction);

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
    struct report_memory_inst *out = REPORT_ARRAY(&m->k, er->memory_inst_count, struct report_memory_inst);

    m->r->has_memory_insts = er->has_memory_insts;
    m->r->memory_inst = out;
    m->r->memory_inst_count = er->memory_inst_count;
    m->r->memory_insts_left_out = er->memory_insts_left_out;
    for (unsigned k = 0; out && k < er->memory_inst_count; k++) {
        const struct engine_memory_inst *i = &er->memory_inst[k];

        out[k] = (struct report_memory_inst){i->pc, report_offset(&m->k, i->pc), report_instruction(&m->k, i->pc),
                                             report_keep_bytes(&m->k, i->stat, sizeof i->stat, _Alignof(uint64_t))};
    }
}

static void make_insts(struct maker *m)
{
    const struct engine_result *er = m->er;
    struct report_inst *out = REPORT_ARRAY(&m->k, er->inst_count, struct report_inst);

    m->r->has_insts = true;
    m->r->inst = out;
    m->r->inst_count = er->inst_count;
    for (size_t k = 0; out && k < er->inst_count; k++) {
        const struct engine_inst *i = &er->inst[k];

        out[k] = (struct report_inst){i->pc,
                                      report_offset(&m->k, i->pc),
                                      report_instruction(&m->k, i->pc),
                                      report_keep_bytes(&m->k, i->stat, sizeof i->stat, _Alignof(uint64_t)),
                                      i->unit,
                                      report_inst_facts(&m->k, i->pc)};
    }
}

static void make_fidelity(struct maker *m)
{
    struct fidelity *f = &m->r->fidelity;

    *f = (struct fidelity){.target = m->l->target,
                           .profile = m->r->run.timing ? m->l->profile : NULL,
                           .profile_name = m->r->run.timing ? m->r->profile : NULL,
                           .lanes = m->l->lanes,
                           .of_run = true};
    for (size_t k = 0; k < m->er->tallies && !m->k.no_memory; k++) {
        const struct engine_tally *t = &m->er->tally[k];

        if (!t->inst)
            fidelity_add_class(f, t->approximate, t->count);
        else if (!fidelity_add(f, t->inst, t->count))
            m->k.no_memory = true;
    }
    if (!report_cycle_figures(m->r, m->l, m->er))
        m->k.no_memory = true;
    fidelity_sort(f);
    f->target = NULL; /* the report outlives them */
    f->profile = NULL;
}

/* ---- the whole ---- */

static void make_run(struct maker *m, const struct report_run *run)
{
    struct report_run *out = &m->r->run;
    const char **overrides = REPORT_ARRAY(&m->k, run->override_count, const char *);

    char *plain = demangle(run->kernel);

    *out = *run;
    out->kernel = report_keep(&m->k, run->kernel);
    out->plain = plain ? report_keep(&m->k, plain) : out->kernel;
    free(plain);
    out->command_line = report_keep(&m->k, run->command_line);
    out->overrides = overrides;
    for (size_t k = 0; overrides && k < run->override_count; k++)
        overrides[k] = report_keep(&m->k, run->overrides[k]);
}

/* What the code object is, and whether the profile is of another processor. */
static void make_object(struct maker *m, const struct code_object *code)
{
    const struct co_target_id *id = code ? code_object_target(code) : NULL;

    if (!code)
        return;
    m->r->object = report_keep(&m->k, code_object_name(code));
    if (m->l->profile && !id->generic_version && strcmp(id->name, m->l->profile->target) != 0)
        m->r->stands_for = report_keep(&m->k, id->name);
}

static void make_chip(struct report *r, const struct launch *l)
{
    const struct profile *p = l->profile;

    r->has_chip = p != NULL;
    if (!p)
        return;
    r->chip =
        (struct report_chip){.gpu = p->gpu,
                             .cu = p->cu,
                             .dram = p->dram,
                             .wave_size = l->lanes,
                             .vgprs_per_simd = l->lanes == 32 ? p->cu.vgprs_per_simd_w32 : p->cu.vgprs_per_simd_w64};
    memcpy(r->chip.name, p->chip, sizeof r->chip.name);
    memcpy(r->chip.cls, p->cls, sizeof r->chip.cls);
    memcpy(r->chip.cache, p->cache, sizeof r->chip.cache);
}

struct report *report_make(const struct launch *l, struct check *check, struct report_snapshot *snapshot,
                           struct engine_result *er, const struct report_run *run)
{
    struct report *r = calloc(1, sizeof *r);
    struct maker m = {.r = r, .l = l, .er = er};
    struct engine_samples *samples = er->samples;

    er->samples = NULL;
    if (!r) {
        report_snapshot_free(snapshot);
        engine_samples_free(samples);
        return NULL;
    }
    r->snapshot = snapshot;
    r->samples = samples;
    r->visit = er->visit;
    r->visits = er->visits;
    er->visit = NULL;
    arena_init(&r->arena, BLOCK_BYTES);
    m.k = (struct report_maker){.arena = &r->arena, .l = l, .run = run};
    make_run(&m, run);
    r->outcome = er->outcome;
    r->has_estimate = er->estimate != NULL;
    if (er->estimate)
        r->estimate = *er->estimate;
    r->message = report_keep(&m.k, er->outcome == ENGINE_DONE ? "" : er->message);
    r->target = report_keep(&m.k, l->target->name);
    r->profile = l->profile ? report_keep(&m.k, l->profile->name) : NULL;
    memcpy(r->workgroup, l->workgroup_size, sizeof r->workgroup);
    r->workgroups = l->workgroup_count;
    r->waves = l->wave_count;
    r->has_occupancy = l->profile != NULL;
    r->occupancy = l->occupancy;
    r->occupancy_cus = l->profile && l->wgp_mode ? l->profile->gpu.cus_per_wgp : 1;
    make_object(&m, run->code);
    make_chip(r, l);
    report_statistics(r, l, er);
    report_find_limiter(&m.k, r);
    report_find_hotspots(&m.k, r, er);
    make_evictions(&m);
    make_memory_insts(&m);
    if (er->has_insts)
        make_insts(&m);
    make_fidelity(&m);
    if (r->has_insts && !m.k.no_memory)
        r->code = report_code_make(&m.k, r);
    if (er->outcome == ENGINE_FAULT)
        make_fault(&m);
    if (check)
        make_findings(&m, check);
    else
        make_unasked_findings(&m);
    r->run.code = NULL; /* the report outlives it */
    if (m.k.no_memory) {
        report_free(r);
        return NULL;
    }
    return r;
}

void report_free(struct report *r)
{
    if (!r)
        return;
    report_snapshot_free(r->snapshot);
    engine_samples_free(r->samples);
    free(r->visit);
    fidelity_free(&r->fidelity);
    arena_free(&r->arena);
    free(r);
}

uint64_t report_bytes(const struct report *r)
{
    return sizeof *r + arena_held_bytes(&r->arena) + fidelity_bytes(&r->fidelity) +
           (r->samples ? r->samples->room * sizeof *r->samples->value : 0) + r->visits * sizeof *r->visit;
}

const char *report_outcome_key(const struct report *r)
{
    static const char *const keys[] = {[ENGINE_DONE] = "completed",
                                       [ENGINE_FAULT] = "fault",
                                       [ENGINE_LIMIT] = "limit",
                                       [ENGINE_INTERRUPTED] = "interrupted"};

    return keys[r->outcome];
}

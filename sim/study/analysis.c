/* Public API: analysis of a sequence: its runs, and the pressure on units. */
#include "sim/study/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "sim/report/report.h"
#include "traces/wave_view.h"

/* ---- the instructions ---- */

void analysis_register(const struct isa_target *t, const struct isa_regref *r, char out[24])
{
    static const char *const file[] = {[RF_SGPR] = "s", [RF_VGPR] = "v", [RF_AGPR] = "a"};
    static const struct {
        uint16_t code;
        const char *name;
    } named[] = {{106, "vcc"}, {107, "vcc_hi"}, {126, "exec"}, {127, "exec_hi"}};
    unsigned m0 = isa_has(t, FEAT_M0_125) ? 125 : 124;

    if (r->file == RF_SCC) {
        snprintf(out, 24, "scc");
        return;
    }
    for (size_t k = 0; r->file == RF_SGPR && k < sizeof named / sizeof *named; k++)
        if (r->first == named[k].code) {
            snprintf(out, 24, "%s", named[k].name);
            return;
        }
    if (r->file == RF_SGPR && r->first == m0)
        snprintf(out, 24, "m0");
    else if (r->file > RF_AGPR)
        snprintf(out, 24, "mode");
    else if (r->count <= 1)
        snprintf(out, 24, "%s%u", file[r->file], r->first);
    else
        snprintf(out, 24, "%s[%u:%u]", file[r->file], r->first, r->first + r->count - 1u);
}

/* The confidence, of two, that claims less. */
static const char *less_sure(const char *a, const char *b)
{
    for (unsigned k = 0; profile_confidence_key[k]; k++) {
        if (a && strcmp(a, profile_confidence_key[k]) == 0)
            return b ? b : a;
        if (b && strcmp(b, profile_confidence_key[k]) == 0)
            return a ? a : b;
    }
    return a;
}

/* How sure the figures of an instruction's class are: the least sure of its issue cycles and its latency. */
static const char *confidence_of(const struct profile *p, unsigned cls, unsigned lanes, bool latency)
{
    char path[96];
    const char *c;

    snprintf(path, sizeof path, "class.%s.issue_cycles_w%u", op_class_key[cls], lanes);
    c = profile_confidence_of(p, path);
    snprintf(path, sizeof path, "class.%s.latency_cycles", op_class_key[cls]);
    return latency ? less_sure(c, profile_confidence_of(p, path)) : c;
}

static int take_code(struct gcnsim_analysis *a, const struct compare_bench *b, struct err *e)
{
    const struct code_object *co = b->module->code->co;
    uint64_t vaddr = code_object_find_symbol(co, COMPARE_BEGIN)->vaddr, available = 0;
    const uint8_t *code = code_object_bytes(co, vaddr, &available);
    uint32_t n = 0;
    char text[256];

    a->inst = ARENA_NEW(&a->arena, (size_t)a->entry.instructions + 1, struct analysis_inst);
    if (!a->inst || !code)
        return err_set(e, ERR_NOMEM, "out of host memory for its instructions");
    for (uint32_t at = 0; at < a->entry.bytes && n < a->entry.instructions;) {
        struct analysis_inst *i = &a->inst[n];
        unsigned bytes = isa_decode_any(b->module->target, code + at, a->entry.bytes - at, &i->decoded, NULL);

        if (!bytes)
            return err_set(e, ERR_USAGE, "byte %u is no instruction", at);
        isa_text(b->module->target, &i->decoded, text, sizeof text);
        isa_inst_sched(b->module->target, &i->decoded, b->lanes, &i->sched);
        i->offset = at;
        i->text = arena_text(&a->arena, text);
        if (!i->text)
            return err_set(e, ERR_NOMEM, "out of host memory for its instructions");
        at += bytes;
        n++;
    }
    a->inst_count = n;
    return 0;
}

/* What the profile has for the instructions: those of the first copy in the second kernel. */
static void take_units(struct gcnsim_analysis *a, const struct compare_bench *b)
{
    const struct report *r = api_report(b->kept);

    for (uint32_t k = 0; k < a->inst_count; k++) {
        struct analysis_inst *i = &a->inst[k];

        for (size_t n = 0; n < r->inst_count; n++)
            if (r->inst[n].pc == a->code_base + i->offset)
                i->unit = r->inst[n].unit;
        i->confidence = i->unit.port == PORT_INTERNAL || i->unit.port == PORT_BARRIER
                            ? NULL
                            : confidence_of(b->sim->profile, i->unit.cls, b->lanes, i->unit.latency_cycles != 0);
    }
}

/* ---- the run of one wave ---- */

/* Kernel `which`, with its events; *pass: cycles of a pass of its loop, once caches are warm. */
static int record(struct gcnsim_analysis *a, struct compare_bench *b, unsigned which, double *pass, struct err *e)
{
    const struct code_object *co = b->module->code->co;
    uint64_t first = code_object_kernel(co, b->kernel[0])->entry_vaddr;
    uint64_t begin = code_object_find_symbol(co, COMPARE_BEGIN)->vaddr;
    struct event_consumer consumer;
    struct compare_sample ignored;
    uint32_t copies = (1 + which) * b->copies;

    a->code_base = b->module->load_base +
                   (code_object_kernel(co, b->kernel[which])->entry_vaddr + (begin - first) - b->module->base_vaddr);
    a->code_bytes = (uint64_t)copies * a->entry.bytes;
    wave_view_free(a->wave);
    a->wave = wave_view_new(0, 0);
    if (!a->wave)
        return err_set(e, ERR_NOMEM, "out of host memory for a wave's timeline");
    consumer = analysis_consumer(a);
    b->consumers = &consumer;
    b->keeps = true;
    int failed = compare_run(b, which, 1, b->many, 0, &ignored, e);
    b->consumers = NULL;
    b->keeps = false;
    if (failed)
        return -1;
    take_units(a, b);
    if (analysis_number(a, e))
        return -1;
    if (a->passes < b->many)
        return err_set(e, ERR_USAGE, "its loop does not come to its end");
    uint32_t last = b->many - 1, passes = last - b->few;
    *pass = (double)(a->pass_at[last] - a->pass_at[b->few]) / passes;
    b->pass_instructions[which] = (double)(a->pass_step[last] - a->pass_step[b->few]) / passes;
    return 0;
}

/* What the queues in front of units, where there are any, make of the time between issue and beginning. */
static void take_queues(struct gcnsim_analysis *a, const struct profile_queue *q)
{
    uint32_t read = q->vgpr_read_cycles + q->vgpr_first_read_cycles;

    if (q->valu_sgpr_read_cycles > read)
        read = q->valu_sgpr_read_cycles;
    if (q->sgpr_read_cycles > read)
        read = q->sgpr_read_cycles;
    a->queued = q->valu_entries != 0;
    a->entry_cycles = q->entry_cycles;
    a->reads_most = q->entry_cycles + read;
}

/* One wave alone; what stays are the events of the second kernel. */
static int measure_alone(struct gcnsim_analysis *a, struct compare_bench *b, struct err *e)
{
    double pass[2];

    take_queues(a, &b->sim->profile->queue);
    if (record(a, b, 0, &pass[0], e) || record(a, b, 1, &pass[1], e))
        return -1;
    a->latency = b->single ? pass[0] - b->loop.cycles : (pass[1] - pass[0]) / b->copies;
    b->branchless = true;
    for (uint32_t k = 0; k < a->inst_count; k++)
        b->branchless = b->branchless && op_class_category[a->inst[k].sched.cls] != OPCAT_BRANCH;
    return 0;
}

/* Cycles between the issue of each instruction and of the one before, the mean of the last pass. */
static void take_gaps(struct gcnsim_analysis *a, const struct compare_bench *b)
{
    const uint32_t copies = 2 * b->copies;

    for (size_t k = a->pass_from + 1; k < a->pass_to; k++) {
        struct analysis_inst *i = &a->inst[a->step[k].inst];

        i->gap += (double)(a->step[k].at - a->step[k - 1].at);
        i->executed++;
        i->empty += !a->step[k].lanes && i->sched.vector;
    }
    a->repeats = b->executed > 0;
    a->executed = a->repeats ? b->executed : a->inst_count;
    for (uint32_t k = 0; k < a->inst_count; k++) {
        struct analysis_inst *i = &a->inst[k];

        if (i->executed)
            i->gap /= i->executed;
        /* what the first step of the pass is has no gap */
        i->times = a->repeats ? (double)(i->executed + (k == a->step[a->pass_from].inst)) / copies : 1;
    }
}

/* ---- pressure ---- */

static const char *const unit_name[ANALYSIS_UNITS] = {
    [PORT_VALU] = "VALU",       [PORT_TRANS] = "TRANS",       [PORT_MATRIX] = "matrix",   [PORT_VMEM] = "VMEM",
    [PORT_SALU] = "SALU",       [PORT_SMEM] = "SMEM",         [PORT_LDS] = "LDS",         [PORT_BRANCH] = "branch",
    [PORT_BARRIER] = "barrier", [PORT_INTERNAL] = "internal", [ANALYSIS_ISSUE] = "issue",
};

/* Cycles for which instruction i takes a unit. Effects of addresses (bank conflicts, lines) are not in them. */
double analysis_pressure(const struct gcnsim_analysis *a, const struct analysis_inst *i, unsigned unit)
{
    const struct analysis_unit *u = &a->unit[unit];
    double cycles = i->unit.port_cycles, data;

    if (unit == ANALYSIS_ISSUE)
        return a->issue_interval;
    if (unit == PORT_VALU && i->unit.handover_cycles)
        return i->unit.handover_cycles;
    if (i->unit.port != unit || unit == PORT_INTERNAL || unit == PORT_BARRIER)
        return 0;
    data = u->bytes_per_cycle ? (double)i->sched.mem.bytes * a->wave_size / u->bytes_per_cycle : 0;
    return data > cycles ? data : cycles;
}

double analysis_iteration_pressure(const struct gcnsim_analysis *a, const struct analysis_inst *i, unsigned unit)
{
    return i->times * analysis_pressure(a, i, unit);
}

static void take_pressure(struct gcnsim_analysis *a, const struct compare_bench *b)
{
    const struct profile *p = b->sim->profile;

    a->issue_interval = p->issue.wave_issue_interval_cycles;
    a->unit[PORT_LDS].bytes_per_cycle = p->cu.lds_bytes_per_cycle;
    for (unsigned u = 0; u < ANALYSIS_UNITS; u++) {
        struct analysis_unit *unit = &a->unit[u];

        unit->name = unit_name[u];
        unit->simds = u == PORT_VMEM || u == PORT_SMEM ? p->cu.simds : u == PORT_LDS ? p->cu.simds_per_lds_port : 1;
        for (uint32_t k = 0; k < a->inst_count; k++)
            unit->cycles += analysis_iteration_pressure(a, &a->inst[k], u);
        unit->bound = unit->cycles * unit->simds;
        /* what one wave is held by, others are not */
        if (u != ANALYSIS_ISSUE && unit->bound > a->rthroughput) {
            a->rthroughput = unit->bound;
            a->bottleneck = u;
        }
    }
}

/* ---- the call ---- */

/* At full occupancy: shorter than for a comparison. */
static const struct compare_plan analysis_plan = {.window = {COMPARE_SHORT_WINDOWS}};

static int analyze(struct gcnsim_analysis *a, struct compare_bench *b, struct err *e)
{
    struct compare_sample full;

    if (!b->sequence)
        return err_set(e, ERR_USAGE, "a kernel; expected a sequence of instructions, or a region");
    b->runs = 6; /* at most */
    if (compare_look_at(b, &a->entry, e) || take_code(a, b, e) || measure_alone(a, b, e))
        return -1;
    a->simds = b->simds;
    a->cus = b->sim->profile->gpu.cus;
    a->wave_size = b->lanes;
    a->entry.waves_per_simd = compare_full_occupancy(b, &a->entry);
    take_gaps(a, b);
    if (analysis_path(a, b->o->abort_flag, e))
        return -1;
    /* passes of a sequence with branches of its own are told apart less well: it takes more of them */
    if (b->branchless)
        b->plan = analysis_plan;
    if (b->executed > 0)
        compare_choose_plan(b, a->entry.waves_per_simd, a->entry.waves_per_simd);
    b->sim->profile->cu.wave_slots_per_simd = a->entry.waves_per_simd;
    if (compare_measure_occupied(b, compare_groups(b, a->entry.waves_per_simd), &full, e))
        return -1;
    a->throughput = full.cycles;
    memcpy(a->stall_full, full.stall, sizeof a->stall_full);
    take_pressure(a, b);
    a->label = arena_text(&a->arena, b->item->label);
    a->profile = arena_text(&a->arena, b->sim->profile->name);
    a->target = arena_text(&a->arena, b->module->target->name);
    return a->label && a->profile && a->target ? 0 : err_set(e, ERR_NOMEM, "out of host memory for an analysis");
}

/* The registers on the path by name, while the target is open. */
static void name_registers(struct gcnsim_analysis *a, const struct isa_target *t)
{
    for (uint32_t k = 0; k < a->links; k++)
        if (a->link[k].reg.count)
            analysis_register(t, &a->link[k].reg, a->link[k].register_name);
}

int gcnsim_analyze(const struct gcnsim_compare_item *item, const struct gcnsim_compare_options *options,
                   struct gcnsim_analysis **out, struct gcnsim_error *error)
{
    struct gcnsim_compare_options own;
    struct gcnsim_compare_item own_item;
    struct gcnsim_analysis *a = NULL;
    struct err e = {0};

    *out = NULL;
    if (compare_take_options(&own, options, &e) || compare_take_items(&own_item, item, 1, &e))
        return api_fail(error, &e);
    a = calloc(1, sizeof *a);
    if (!a) {
        err_set(&e, ERR_NOMEM, "out of host memory for an analysis");
        return api_fail(error, &e);
    }
    arena_init(&a->arena, 0);
    struct compare_bench b = {.o = &own, .item = &own_item, .count = 1};
    bool failed = compare_bench_open(&b, &a->arena, &e) || analyze(a, &b, &e);
    if (!failed)
        name_registers(a, b.module->target);
    compare_bench_close(&b);
    if (!failed) {
        *out = a;
        return GCNSIM_OK;
    }
    gcnsim_analysis_free(a);
    if (!b.wrong_setting)
        err_prefix(&e, "%s", own_item.label);
    return api_fail(error, &e);
}

void gcnsim_analysis_free(struct gcnsim_analysis *a)
{
    if (!a)
        return;
    wave_view_free(a->wave);
    free(a->step);
    free(a->stall);
    free(a->link);
    arena_free(&a->arena);
    free(a);
}

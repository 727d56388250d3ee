/* Dispatches in flight: what a run makes of a launch, how it ends alone or among others, and its result. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa/gws.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/clock/sampling.h"
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/cu/tally.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/engine/timing/memory/from_profile.h"

#define DISPATCH_BLOCK_BYTES ((size_t)64 << 10) /* of host memory */

/* What instructions ask of the engine ------------------------------------------------------------------------------ */

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct cu_dispatch *d = ctx;

    return launch_find(d->launch, addr, out);
}

static uint8_t *slack(void *ctx, const struct isa_wave *w, int lane, gaddr_t addr, uint32_t bytes, bool write)
{
    struct cu_dispatch *d = ctx;

    return engine_overrun(&d->overruns, d->launch, w, lane, addr, bytes, write);
}

static uint64_t shader_clock(void *ctx)
{
    return ((const struct cu_dispatch *)ctx)->x->now;
}

static uint64_t realtime(void *ctx)
{
    const struct cu_context *x = ((const struct cu_dispatch *)ctx)->x;

    return (uint64_t)((double)x->now * x->profile->gpu.realtime_clock_mhz / x->profile->gpu.shader_clock_mhz);
}

/* A group's own thread keeps the message to the end of the epoch. */
static void keep_message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    const struct cu_dispatch *d = ctx;
    struct cu_context *x = d->x;
    struct run_group *g = (struct run_group *)((char *)x - offsetof(struct run_group, x));

    if (g->messages == g->room) {
        size_t room = g->room ? 2 * g->room : 16;
        struct run_message *more = realloc(g->message, room * sizeof *more);

        g->lost_message |= !more;
        if (!more)
            return;
        g->message = more;
        g->room = room;
    }
    g->message[g->messages++] = (struct run_message){x->now, d->of->options, number, m0, data};
}

/* Beginning ---------------------------------------------------------------------------------------------------------
 */

/* Workgroups that the chip has room for at once, as a runtime counts them: compute units (WGPs) times occupancy. */
static int check_cooperative(const struct launch *l, struct err *e)
{
    const struct profile *p = l->profile;
    uint64_t room = (uint64_t)l->occupancy.groups_per_cu * (p->gpu.cus / (l->wgp_mode ? p->gpu.cus_per_wgp : 1));

    if (l->scratch_slots != UINT32_MAX && l->scratch_slots / l->waves_per_group < room)
        room = l->scratch_slots / l->waves_per_group;
    if (room < l->workgroup_count)
        return err_set(e, ERR_UNSUPPORTED,
                       "cooperative launch of %" PRIu64 " workgroups; %" PRIu64
                       " can be resident at once on profile %s",
                       l->workgroup_count, room, p->name);
    return 0;
}

/* The last cycle that max_cycles allows. */
static cycle_t last_cycle(const struct engine_options *o, cycle_t start)
{
    return o->max_cycles && o->max_cycles < CYCLE_NEVER - start ? start + o->max_cycles : CYCLE_NEVER;
}

/* The dispatch has a part of each of the first groups from now on. False: out of host memory, and it has those it had.
 */
static bool make_parts(struct run *run, struct timing_dispatch *t, uint32_t groups)
{
    const struct launch *l = t->launch;
    const struct profile_class_cost *valu = &l->profile->cls[OPC_VALU];
    uint32_t words = (run->cus_per_group * run->x.parts + 63) / 64, from = t->parts;

    if (from >= groups)
        return true;
    uint64_t *touched = ARENA_NEW(&t->arena, (size_t)words * (groups - from), uint64_t);
    if (!t->part)
        t->part = arena_alloc_unset(&t->arena, run->most_groups, sizeof *t->part, _Alignof(struct cu_dispatch));
    if (!touched || !t->part)
        return false;
    for (uint32_t k = from; k < groups; k++) {
        struct cu_dispatch *d = &t->part[k];

        *d = (struct cu_dispatch){.launch = l,
                                  .table = &t->table,
                                  .x = &run->group[k].x,
                                  .of = t,
                                  .valu_issue_cycles = l->lanes == 32 ? valu->issue_cycles_w32 : valu->issue_cycles_w64,
                                  .narrow = l->lanes == 32,
                                  .lanes_of_wave = l->lanes,
                                  .all_lanes = lane_mask(l->lanes),
                                  .vgprs = l->occupancy.vgpr_alloc,
                                  .budget = t->budget,
                                  .inst_stalls = engine_inst_counts(t->options) != ENGINE_INST_NOTHING,
                                  .per_inst = engine_counts_insts(t->options),
                                  .event_tag = t->options->event_tag,
                                  .stores = t->options->stores,
                                  .touched = touched + (size_t)(k - from) * words};
        /* a wave of 64 lanes takes two of a SIMD for waves of 32 */
        if (l->lanes == 64 && l->profile->cu.vgprs_per_simd_w32)
            d->vgprs *= l->profile->cu.vgprs_per_simd_w32 / l->profile->cu.vgprs_per_simd_w64;
        d->env = (struct isa_env){.ctx = d, .find = find, .clock = shader_clock, .realtime = realtime};
        if (t->options->message)
            d->env.message = keep_message;
        if (l->slack)
            d->env.slack = slack;
        if (k)
            d->lds = t->part[0].lds;
        else
            timing_lds_init(&d->lds, l->profile, l->lanes);
    }
    t->parts = groups;
    return true;
}

/* Waves of global wave sync that waited when an earlier launch ended are gone. */
static void begin_gws(const struct run *run, const struct timing_dispatch *t)
{
    for (const struct timing_dispatch *u = run->dispatcher.oldest; u; u = u->next)
        if (u != t && u->launch->gws == t->launch->gws)
            return;
    if (t->launch->gws)
        isa_gws_begin(t->launch->gws, true);
}

static void set_alone(const struct run *run)
{
    struct timing_dispatch *t = run->dispatcher.oldest;
    bool alone = t && !t->next && !t->stopping;

    for (; t; t = t->next)
        for (uint32_t k = 0; k < t->parts; k++)
            t->part[k].alone = alone;
}

/* The device's memory is asked about what the youngest of its dispatches has. */
static void use_youngest(const struct run *run)
{
    const struct timing_dispatch *t = run->dispatcher.oldest;

    while (t && t->next)
        t = t->next;
    if (t && run->chip->use)
        run->chip->use(run->chip->device, t->launch, run->cus * run->x.parts);
}

static int prepare(struct run *run, struct timing_dispatch *t, struct err *e)
{
    const struct launch *l = t->launch;

    if (t->options->cooperative && check_cooperative(l, e))
        return -1;
    if (l->waves_per_group > 64)
        return err_set(e, ERR_UNSUPPORTED, "workgroups of %" PRIu32 " waves; the timing engine takes up to 64",
                       l->waves_per_group);
    if (!timing_table_init(&t->table, l, run->threads, engine_inst_counts(t->options), &t->arena) ||
        !make_parts(run, t, run->groups))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    return dispatcher_add(&run->dispatcher, t, e);
}

/* For all compute units so far, for whomever: entries of vector memory queues and full queues, summed over the cycles;
 * cycles with waves, summed over the units. */
static void count_cus(const struct run *run, cycle_t now, uint64_t out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (uint32_t k = 0; k < run->cus; k++) {
        const struct cu *c = &run->cu[k];

        for (uint32_t part = 0; c->group_count && part < run->x.parts; part++) {
            out[0] += cu_line_queue_entry_cycles(&c->vmem[part], now);
            out[1] += cu_line_queue_full_cycles(&c->vmem[part], now);
        }
        out[2] += (c->busy_cycles + (c->resident ? now : 0)) * run->x.parts;
    }
}

/* Another dispatch comes: those in flight go on beside it on the whole chip. */
static int use_whole_chip(struct run *run, struct err *e)
{
    if (run->cus == run->most_cus)
        return 0;
    /* before there are more groups: where one lacks memory the others go on as they were */
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
        if (!make_parts(run, t, run->most_groups))
            return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    if (run_use_cus(run, run->most_cus, e))
        return -1;
    dispatcher_extend(&run->dispatcher, run->cus);
    return 0;
}

struct timing_dispatch *run_add(struct run *run, const struct timing_order *o, struct err *e)
{
    struct timing_dispatch *t = calloc(1, sizeof *t);
    bool others = run->dispatcher.oldest != NULL;

    if (!t) {
        err_set(e, ERR_NOMEM, "timing engine: no host memory");
        return NULL;
    }
    *t = (struct timing_dispatch){.launch = o->launch,
                                  .options = o->options,
                                  .r = o->r,
                                  .from = o->from,
                                  .start = o->start,
                                  .last = last_cycle(o->options, o->start),
                                  .budget = o->options->max_instructions ? o->options->max_instructions : UINT64_MAX};
    run_begin_leaps(t);
    arena_init(&t->arena, DISPATCH_BLOCK_BYTES);
    t->arena.budget = o->launch->space->budget;
    memset(o->r, 0, sizeof *o->r);
    if ((others && use_whole_chip(run, e)) || prepare(run, t, e)) {
        run_free_dispatch(t);
        return NULL;
    }
    begin_gws(run, t);
    launch_begin_clusters(t->launch);
    run->tells |= o->options->message != NULL;
    run->in_flight++;
    set_alone(run);
    if (run->counted && run->chip->count)
        t->before = run->chip->count(run->chip->device, o->start);
    if (others && run->chip->join)
        run->chip->join(run->chip->device, t->launch, t->options, o->start);
    if (others)
        use_youngest(run);
    if (run->counted)
        count_cus(run, o->start, t->cus_before);
    if (!sampling_begin(run, t)) {
        err_set(e, ERR_NOMEM, "timing engine: no host memory for samples");
        run_remove(run, t);
        return NULL;
    }
    run->counted = true;
    run->dispatch_at = cu_earlier(run->dispatch_at, o->start);
    return t;
}

bool run_can_add(const struct run *run, const struct timing_order *o)
{
    const struct engine_options *a = &run->options, *b = o->options;
    const struct isa_target *t = run->x.target, *u = o->launch->target;

    return !a->consumers && !b->consumers && a->shared_consumers == b->shared_consumers && !a->perfect_memory &&
           !b->perfect_memory && !a->leaps && !b->leaps && a->tick_every_cycle == b->tick_every_cycle &&
           engine_inst_counts(a) == engine_inst_counts(b) && o->launch->profile == run->x.profile &&
           timing_mem_gen(t) == timing_mem_gen(u) && !memcmp(t->wait_bits, u->wait_bits, sizeof t->wait_bits) &&
           isa_has(t, FEAT_BLOCK_MEMORY) == isa_has(u, FEAT_BLOCK_MEMORY);
}

/* The result ------------------------------------------------------------------------------------------------------- */

static void report_units(const struct cu_dispatch *d, struct engine_result *r)
{
    static const struct {
        uint16_t stat;
        uint8_t port;
    } units[] = {{STAT_VALU_CYCLES, PORT_VALU}, {STAT_TRANS_CYCLES, PORT_TRANS}, {STAT_MATRIX_CYCLES, PORT_MATRIX},
                 {STAT_SALU_CYCLES, PORT_SALU}, {STAT_SMEM_CYCLES, PORT_SMEM},   {STAT_BRANCH_CYCLES, PORT_BRANCH}};

    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        engine_add(r, (enum stat)units[k].stat, d->port_cycles[units[k].port]);
    engine_add(r, STAT_ISSUE_CYCLES, d->issue_cycles);
    engine_add(r, STAT_VALU_LANES, d->lanes);
    engine_add(r, STAT_VALU_LANE_CYCLES, d->lane_cycles);
    engine_add(r, STAT_VALU_HANDOVER_CYCLES, d->valu_cycles - d->port_cycles[PORT_VALU]);
    engine_add(r, STAT_VMEM_ADDRESS_CYCLES, d->address_cycles);
    engine_add(r, STAT_LDS_PORT_CYCLES, d->lds_port_cycles);
    engine_add(r, STAT_LDS_ACTIVE_CYCLES, d->lds_active_cycles);
    engine_add(r, STAT_LDS_BYTES, d->lds_bytes);
    for (unsigned unit = 0; unit < 2; unit++)
        for (unsigned type = 0; type < OP_TYPE_COUNT; type++)
            if (stat_of_ops(unit, (enum op_type)type) != STATS)
                engine_add(r, stat_of_ops(unit, (enum op_type)type), d->ops[unit][type]);
}

static void report_part(const struct cu_dispatch *d, uint32_t words, struct engine_result *r)
{
    for (unsigned n = 0; n < OPK_COUNT; n++)
        engine_add(r, STAT_CATEGORY + op_kind_category(n), d->by_kind[n]);
    for (unsigned n = 0; n < OPK_OTHER; n++)
        engine_add(r, STAT_KIND + n, d->by_kind[n]);
    engine_add(r, STAT_LAUNCHED_ITEMS, d->items);
    for (unsigned n = 0; n < 5; n++)
        engine_add(r, STAT_LAUNCHED_1 - n, d->launched[n]);
    engine_add(r, STAT_INSTRUCTIONS, d->instructions);
    engine_add(r, STAT_RESIDENT_WAVE_CYCLES, d->resident_cycles);
    engine_add(r, STAT_WORKGROUPS_DONE, d->groups_done);
    engine_add(r, STAT_WAVES_DONE, d->waves_done);
    for (uint32_t n = 0; n < words; n++)
        engine_add(r, STAT_CUS_USED, (uint32_t)__builtin_popcountll(d->touched[n]));
    report_units(d, r);
    engine_add(r, STAT_LDS_ACCESSES, d->lds_accesses);
    engine_add(r, STAT_LDS_BANK_CONFLICT_CYCLES, d->lds_conflict_cycles);
    engine_add(r, STAT_LDS_ADDRESS_CONFLICT_CYCLES, d->lds_addr_conflict_cycles);
    engine_overruns_add(&r->overruns, &d->overruns);
}

/* Wave-cycles by reason; counters that the target does not have stay absent. */
static void report_stalls(const struct run *run, const struct timing_dispatch *t)
{
    struct engine_result *r = t->r;
    uint64_t sum = 0;

    for (unsigned n = 0; n < STALL_COUNT; n++) {
        bool has = n < STALL_WAIT || t->launch->target->wait_bits[n - STALL_WAIT];
        uint64_t cycles = 0;

        for (uint32_t k = 0; k < run->groups; k++)
            cycles += t->part[k].stall[n];
        assert(has || !cycles);
        if (has)
            engine_count(r, STAT_STALL + n, cycles);
        sum += cycles;
    }
    assert(sum == r->stat[STAT_RESIDENT_WAVE_CYCLES]);
    (void)sum;
}

/* Each stall cycle is some instruction's. */
static void check_insts(const struct engine_result *r)
{
    for (unsigned n = 0; n < STALL_COUNT && r->inst; n++) {
        uint64_t sum = 0;

        for (size_t k = 0; k < r->inst_count; k++)
            sum += r->inst[k].stat[STAT_INST_STALL + n];
        assert(sum == r->stat[STAT_STALL + n]);
        (void)sum;
    }
}

static void report_cus(const struct run *run, const struct timing_dispatch *t, cycle_t end)
{
    static const uint16_t stat[] = {STAT_VMEM_QUEUE_CYCLES, STAT_VMEM_QUEUE_FULL_CYCLES, STAT_CU_CYCLES};
    uint64_t now[3];

    count_cus(run, end, now);
    for (unsigned k = 0; k < 3; k++) {
        int64_t more = (int64_t)(now[k] - t->cus_before[k]);

        engine_count(t->r, (enum stat)stat[k], more > 0 ? (uint64_t)more : 0);
    }
}

void run_report(struct run *run, struct timing_dispatch *t, cycle_t end, struct err *e)
{
    uint32_t words = (run->cus_per_group * run->x.parts + 63) / 64;

    t->end = end;
    if (run->sample_at <= end)
        sampling_reach(run, end);
    engine_count(t->r, STAT_CYCLES, end > t->start ? end - t->start : 0);
    for (uint32_t k = 0; k < run->cus; k++)
        cu_settle(&run->cu[k], &t->part[run->cu[k].x->group], end);
    for (uint32_t k = 0; k < run->groups; k++)
        report_part(&t->part[k], words, t->r);
    bool tallied = !t->options->tally || timing_tally_report(&t->table, t->part, run->groups, t->r);
    report_stalls(run, t);
    report_cus(run, t, end);
    if (!timing_table_report(&t->table, t->options, t->r) || !tallied)
        err_set(e, ERR_NOMEM, "timing engine: no host memory for the report");
    check_insts(t->r);
    if (!sampling_end(run, t, end))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for samples");
    if (!run->chip->report)
        return;
    run->chip->report(run->chip->device, end, t->before, t->r);
    if (t->r->present[stat_of_cache(LEVEL_VL0, STAT_CACHE_TAG_REQUESTS)])
        for (uint32_t k = 0; k < run->groups; k++)
            engine_add(t->r, stat_of_cache(LEVEL_VL0, STAT_CACHE_TAG_REQUESTS), t->part[k].more_lookups);
}

/* Ending ----------------------------------------------------------------------------------------------------------- */

void run_free_dispatch(struct timing_dispatch *t)
{
    if (!t)
        return;
    timing_table_free(&t->table);
    sampling_free(t);
    arena_free(&t->arena);
    free(t->before);
    free(t);
}

void run_remove(struct run *run, struct timing_dispatch *t)
{
    dispatcher_remove(&run->dispatcher, t);
    run->in_flight--;
    set_alone(run);
    use_youngest(run);
    run_free_dispatch(t);
}

void run_stop(struct run *run, struct timing_dispatch *t, cycle_t end, struct err *e)
{
    bool deadlock = t->r->outcome == ENGINE_FAULT && t->r->fault_kind == ENGINE_FAULT_DEADLOCK;

    if (t->r->outcome != ENGINE_FAULT || deadlock)
        run_snapshot(run, t, end, true);
    t->stopping = true;
    set_alone(run);
    for (uint32_t k = 0; k < run->cus; k++)
        cu_end_waves(&run->cu[k], &t->part[run->cu[k].x->group], end);
    run_report(run, t, cu_earlier(end, t->last), e);
}

/* The fault or limit of a group that came first. */
static const struct cu_dispatch *first_stopped(const struct run *run, const struct timing_dispatch *t)
{
    const struct cu_dispatch *first = NULL;

    for (uint32_t k = 0; k < run->groups; k++)
        if (t->part[k].stopped && (!first || t->part[k].stopped_at < first->stopped_at))
            first = &t->part[k];
    return first;
}

static void stop_if_asked(struct run *run, struct timing_dispatch *t, struct err *e)
{
    const struct cu_dispatch *stopped = t->stopping ? NULL : first_stopped(run, t);

    if (stopped && stopped->spent)
        run_end_early(t->r, ENGINE_LIMIT, "limit of %" PRIu64 " instructions reached", t->options->max_instructions);
    else if (stopped)
        engine_set_fault(t->r, stopped->fault_status, stopped->fault_wave->isa, stopped->fault_wave->group->id);
    else if (!t->stopping && run->end > t->last)
        run_end_early(t->r, ENGINE_LIMIT, "limit of %" PRIu64 " cycles reached", t->options->max_cycles);
    if (t->r->outcome != ENGINE_DONE && !t->stopping)
        run_stop(run, t, run->end, e);
}

/* Its last wave has left: only its release may be to come. */
static void leave(struct run *run, struct timing_dispatch *t, struct err *e)
{
    if (!t->stopping)
        run_report(run, t, run_done_at(run, t), e);
    engine_feeding_left(run->feed, run, t);
    run_remove(run, t);
}

cycle_t run_done_at(const struct run *run, const struct timing_dispatch *t)
{
    cycle_t end = 0;

    for (uint32_t k = 0; k < run->groups; k++)
        end = cu_later(end, t->part[k].done_at);
    return end;
}

void run_settle(struct run *run, struct err *e)
{
    struct timing_dispatch *t = run->dispatcher.oldest, *next;

    if (run->in_flight < 2)
        return;
    for (; t; t = t->next)
        stop_if_asked(run, t, e);
    for (t = run->dispatcher.oldest; t && run->in_flight > 1; t = next) {
        next = t->next;
        if (run_is_done(t))
            leave(run, t, e);
    }
}

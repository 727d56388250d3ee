/* Set-up of a timing run from a launch and a profile, and its result. */
#include "sim/engine/timing/timing.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "isa/gws.h"

#include "sim/engine/timing/clock/memory_events.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/memory/from_profile.h"

#define TIMING_BLOCK_BYTES ((size_t)4 << 20) /* of host memory: CUs and waves lie close together */

/* Set-up ----------------------------------------------------------------------------------------------------------- */

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    const struct cu_context *x = ctx;

    return launch_find(x->launch, addr, out);
}

static uint64_t shader_clock(void *ctx)
{
    return ((const struct cu_context *)ctx)->now;
}

static uint64_t realtime(void *ctx)
{
    const struct cu_context *x = ctx;

    return (uint64_t)((double)x->now * x->profile->gpu.realtime_clock_mhz / x->profile->gpu.shader_clock_mhz);
}

/* A group's own thread keeps the message to the end of the epoch. */
static void keep_message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    struct cu_context *x = ctx;
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
    g->message[g->messages++] = (struct run_message){x->now, number, m0, data};
}

static uint32_t power_of_two_below(uint32_t v)
{
    while (v & (v - 1))
        v &= v - 1;
    return v;
}

static int set_shape(struct run *run, struct err *e)
{
    struct cu_context *x = &run->x;
    const struct profile *p = run->l->profile;
    uint32_t fetch = p->frontend.fetch_bytes_per_cycle, line = p->cache[LEVEL_I].line_bytes;

    x->parts = p->gpu.cus_per_wgp;
    x->simds_per_part = p->cu.simds;
    x->simds = x->parts * x->simds_per_part;
    x->slots = p->cu.wave_slots_per_simd;
    if (x->parts > CU_MAX_PARTS || x->simds > CU_MAX_SIMDS || x->slots > CU_MAX_SLOTS ||
        x->simds_per_part * x->slots > 64)
        return err_set(e, ERR_UNSUPPORTED,
                       "profile %s: the timing engine models up to %d CUs per WGP, %d SIMDs together, %d wave slots "
                       "each and 64 in a CU; the profile has %" PRIu32 ", %" PRIu32 ", %" PRIu32,
                       p->name, CU_MAX_PARTS, CU_MAX_SIMDS, CU_MAX_SLOTS, x->parts, x->simds, x->slots);
    if (run->l->waves_per_group > 64)
        return err_set(e, ERR_UNSUPPORTED, "workgroups of %" PRIu32 " waves; the timing engine takes up to 64",
                       run->l->waves_per_group);
    x->vector_line_bytes = p->cache[LEVEL_VL0].line_bytes;
    x->scalar_line_bytes = p->cache[LEVEL_K].line_bytes;
    x->inst_line_bytes = line;
    x->fetch_block_bytes = power_of_two_below(fetch < line ? fetch : line);
    if (x->fetch_block_bytes < 4)
        x->fetch_block_bytes = 4;
    timing_shapes_init(&x->shapes, p);
    x->front = front_of(p);
    x->round_robin = p->cu.issue_policy == ISSUE_ROUND_ROBIN;
    x->simds_mask = x->simds & (x->simds - 1) ? 0 : x->simds - 1;
    x->valu_issue_cycles = run->l->lanes == 32 ? p->cls[OPC_VALU].issue_cycles_w32 : p->cls[OPC_VALU].issue_cycles_w64;
    x->issue_slot_cycles = p->issue.wave_issue_interval_cycles;
    x->issue_slot_ends_in_time = x->issue_slot_cycles <= (x->round_robin ? x->simds : 1);
    port_issue_slots(x);
    for (unsigned k = 0; k < WAIT_COUNT; k++)
        x->counter_max[k] = (uint8_t)((1u << run->l->target->wait_bits[k]) - 1);
    timing_lds_init(&x->lds, p, run->l->lanes);
    return 0;
}

static int set_up_group(struct run *run, uint32_t index, struct err *e)
{
    struct run_group *g = &run->group[index];
    uint32_t waves = run->cus_per_group * run->x.simds * run->x.slots;

    g->run = run;
    g->index = index;
    g->x = run->x;
    g->x.env.ctx = &g->x;
    g->x.event_buffer = run->stream.kinds ? &run->stream.buffer[index] : NULL;
    g->next = g->x.next = CYCLE_NEVER;
    g->near = run->chip->near_clock(run->chip->ctx, index);
    g->first_cu = index * run->cus_per_group;
    g->cus = run->cus - g->first_cu < run->cus_per_group ? run->cus - g->first_cu : run->cus_per_group;
    /* aligned, because other threads write the neighbouring ones */
    g->wake = arena_alloc(&run->arena, g->cus, sizeof *g->wake, 64);
    /* a wave has two releases at most, and no slot is used twice in an epoch */
    if (!g->wake || !fifo_init_arena(&g->x.releases, &run->arena, sizeof(struct cu_release), waves * 2))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    for (uint32_t k = 0; k < g->cus; k++)
        if (!cu_init(&run->cu[g->first_cu + k], &g->x, g->first_cu + k, &g->wake[k], &run->arena))
            return err_set(e, ERR_NOMEM, "timing engine: no host memory for %" PRIu32 " compute units", run->cus);
    return 0;
}

static int set_up_groups(struct run *run, struct err *e)
{
    const struct launch *l = run->l;
    uint32_t threads = run->options->threads ? run->options->threads : 1;

    run->cus_per_group = run->chip->cus_per_group / run->x.parts;
    if (!run->cus_per_group || run->cus_per_group > run->cus)
        run->cus_per_group = run->cus;
    run->groups = (run->cus - 1) / run->cus_per_group + 1;
    /* a buffer for each group, and one for what they share */
    if (!event_stream_init(&run->stream, run->options->consumers, run->groups + 1) ||
        !memory_events_attach(run->chip->events, run, run->stream.kinds))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
    run->x.events = run->stream.kinds;
    threads = threads < run->groups ? threads : run->groups;
    run->group = arena_alloc(&run->arena, run->groups, sizeof *run->group, _Alignof(struct run_group));
    run->active = ARENA_NEW(&run->arena, run->groups, uint32_t);
    run->cu = arena_alloc(&run->arena, run->cus, sizeof *run->cu, 64);
    if (!run->group || !run->active || !run->cu || !timing_table_init(&run->table, l, threads, &run->arena))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    for (uint32_t k = 0; k < run->groups; k++)
        if (set_up_group(run, k, e))
            return -1;
    run->pool = timing_pool_new(threads, run->groups, run_group_epoch, run);
    return run->pool ? 0 : err_set(e, ERR_NOMEM, "timing engine: no host memory");
}

static void complete(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    struct run *run = ctx;

    if (memory_events_follow(run->chip->events))
        token = memory_events_answer(run->chip->events, cu, port, token, now);
    cu_complete(&run->cu[cu / run->x.parts], cu % run->x.parts, port, token, now);
}

static void credit(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    struct run *run = ctx;

    cu_credit_returned(&run->cu[cu / run->x.parts], cu % run->x.parts, port, now);
}

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

static int set_up(struct run *run, struct err *e)
{
    struct cu_context *x = &run->x;
    const struct launch *l = run->l;

    x->chip = x;
    x->launch = l;
    x->profile = l->profile;
    x->table = &run->table;
    x->memory = run->chip->plug;
    x->check = run->options->tick_every_cycle;
    x->start_cycles = run->chip->start_cycles;
    x->budget = run->options->max_instructions ? run->options->max_instructions : UINT64_MAX;
    x->env = (struct isa_env){.find = find, .clock = shader_clock, .realtime = realtime};
    if (run->options->message)
        x->env.message = keep_message;
    timing_forwarding(x);
    if (run->options->cooperative && check_cooperative(l, e))
        return -1;
    if (set_shape(run, e))
        return -1;
    run->cus = dispatcher_cus(l->profile, l->workgroup_count);
    run->epoch_cycles = run->chip->epoch_cycles;
    run->chip->attach(run->chip->ctx, &(struct hierarchy_sink){run, complete, credit});
    if (set_up_groups(run, e))
        return -1;
    return dispatcher_init(&run->dispatcher, x, run->cu, run->cus, &run->arena, e);
}

/* The report ------------------------------------------------------------------------------------------------------- */

static void report_cu(const struct cu *c, struct engine_result *r)
{
    for (unsigned n = 0; n < OPCAT_COUNT; n++)
        engine_add(r, STAT_CATEGORY + n, c->by_category[n]);
    engine_add(r, STAT_INSTRUCTIONS, c->instructions);
    engine_add(r, STAT_RESIDENT_WAVE_CYCLES, c->resident_cycles);
    engine_add(r, STAT_WORKGROUPS_DONE, c->groups_done);
    engine_add(r, STAT_WAVES_DONE, c->waves_done);
    engine_add(r, STAT_CUS_USED, (uint32_t)__builtin_popcount(c->touched));
    engine_add(r, STAT_LDS_ACCESSES, c->lds_accesses);
    engine_add(r, STAT_LDS_BANK_CONFLICT_CYCLES, c->lds_conflict_cycles);
    engine_add(r, STAT_LDS_ADDRESS_CONFLICT_CYCLES, c->lds_addr_conflict_cycles);
}

/* Wave-cycles by reason; counters that the target does not have stay absent. */
static void report_stalls(const struct run *run, struct engine_result *r)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < STALL_COUNT; n++) {
        bool has = n < STALL_WAIT || run->l->target->wait_bits[n - STALL_WAIT];
        uint64_t cycles = 0;

        for (uint32_t k = 0; k < run->cus; k++)
            cycles += run->cu[k].stall[n];
        assert(has || !cycles);
        if (has)
            engine_count(r, STAT_STALL + n, cycles);
        sum += cycles;
    }
    assert(sum == r->stat[STAT_RESIDENT_WAVE_CYCLES]);
    (void)sum;
}

static void report(struct run *run, cycle_t end, struct err *e)
{
    engine_count(run->r, STAT_CYCLES, end - run->start);
    for (uint32_t k = 0; k < run->cus; k++) {
        cu_settle(&run->cu[k], end);
        report_cu(&run->cu[k], run->r);
    }
    report_stalls(run, run->r);
    if (!timing_table_report(&run->table, run->r))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for the report");
}

/* The events of the last epoch, and the ends of the stalls of waves that are still resident. */
static void finish_events(struct run *run, struct err *e)
{
    for (uint32_t k = 0; k < run->cus && run->stream.kinds & EVENT_STALLS; k++)
        cu_emit_stalls_end(&run->cu[k]);
    if (!event_stream_deliver(&run->stream))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
}

/* The last cycle that max_cycles allows. */
static cycle_t last_cycle(const struct engine_options *o, cycle_t start)
{
    return o->max_cycles && o->max_cycles < CYCLE_NEVER - start ? start + o->max_cycles : CYCLE_NEVER;
}

int timing_run_on(const struct launch *l, const struct engine_options *options, const struct timing_chip *chip,
                  const struct timing_script *script, struct engine_result *r, struct timing_span *span, struct err *e)
{
    struct run run = {.l = l,
                      .options = options,
                      .chip = chip,
                      .r = r,
                      .start = span->start,
                      .last = last_cycle(options, span->start),
                      .dispatch_at = span->start};
    struct err problem = {0};
    cycle_t end = span->start;

    memset(r, 0, sizeof *r);
    if (l->gws)
        isa_gws_begin(l->gws, true);
    arena_init(&run.arena, TIMING_BLOCK_BYTES);
    run.arena.budget = l->space->budget;
    if (!script_player_init(&run.player, script, &run.arena))
        err_set(&problem, ERR_NOMEM, "timing engine: no host memory");
    else if (!set_up(&run, &problem)) {
        end = run_clock(&run, &problem);
        if (!problem.code && (r->outcome == ENGINE_LIMIT || r->outcome == ENGINE_INTERRUPTED ||
                              (r->outcome == ENGINE_FAULT && r->fault_kind == ENGINE_FAULT_DEADLOCK)))
            run_snapshot(&run, end, true);
        if (!problem.code) {
            report(&run, end, &problem);
            finish_events(&run, &problem);
        }
    }
    span->end = end;
    span->epoch_end = run.end;
    timing_pool_free(run.pool);
    memory_events_free(chip->events);
    event_stream_free(&run.stream);
    for (uint32_t k = 0; run.group && k < run.groups; k++)
        free(run.group[k].message);
    timing_table_free(&run.table);
    arena_free(&run.arena);
    return problem.code ? err_set(e, problem.code, "%s", problem.text) : 0;
}

uint32_t timing_cus(const struct launch *l)
{
    return dispatcher_cus(l->profile, l->workgroup_count) * l->profile->gpu.cus_per_wgp;
}

/* With any memory: one group, and every cycle is an epoch ------------------------------------------------------------
 */

struct plain_memory {
    const struct timing_memory *m;
    cycle_t next;
    struct hierarchy_sink sink;
};

static void plain_attach(void *ctx, const struct hierarchy_sink *sink)
{
    ((struct plain_memory *)ctx)->sink = *sink;
}

static cycle_t plain_tick(void *ctx, uint32_t group, cycle_t now)
{
    struct plain_memory *p = ctx;
    enum mem_port_kind port;
    uint64_t token;
    uint32_t cu;

    (void)group;
    p->m->tick(p->m->ctx, now);
    while (p->m->pop(p->m->ctx, &cu, &port, &token))
        p->sink.complete(p->sink.ctx, cu, port, token, now);
    return p->next = p->m->next(p->m->ctx);
}

static const cycle_t *plain_clock(void *ctx, uint32_t group)
{
    (void)group;
    return &((const struct plain_memory *)ctx)->next;
}

static bool plain_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    const struct cu_memory *m = &((const struct plain_memory *)ctx)->m->plug;

    return m->can_accept(m->ctx, cu, port, addr);
}

static void plain_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    struct plain_memory *p = ctx;

    p->m->plug.accept(p->m->plug.ctx, cu, port, req, now);
    p->next = p->m->next(p->m->ctx);
}

static bool plain_control(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                          uint64_t token, cycle_t now)
{
    struct plain_memory *p = ctx;
    bool taken = p->m->plug.control(p->m->plug.ctx, cu, port, invalidate, write_back, token, now);

    p->next = p->m->next(p->m->ctx);
    return taken;
}

static void nothing_far(void *ctx, cycle_t from, cycle_t end)
{
    (void)ctx, (void)from, (void)end;
}

static cycle_t never_far(void *ctx)
{
    (void)ctx;
    return CYCLE_NEVER;
}

int timing_run_script(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
                      const struct timing_script *script, struct engine_result *r, struct err *e)
{
    struct plain_memory p = {.m = m, .next = m->next(m->ctx)};
    struct memory_events events = {0};
    struct timing_chip chip = {
        .plug = {&p, plain_can_accept, plain_accept, m->plug.control ? plain_control : NULL, NULL},
        .ctx = &p,
        .events = &events,
        .epoch_cycles = 1,
        .attach = plain_attach,
        .near_tick = plain_tick,
        .near_clock = plain_clock,
        .far_run = nothing_far,
        .far_next = never_far};

    return timing_run_on(l, options, &chip, script, r, &(struct timing_span){0}, e);
}

int timing_run(const struct launch *l, const struct engine_options *options, const struct timing_memory *m,
               struct engine_result *r, struct err *e)
{
    return timing_run_script(l, options, m, NULL, r, e);
}

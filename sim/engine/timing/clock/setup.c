/* Set-up of a run from a profile: the groups of compute units, as many as its dispatches need. */
#include <inttypes.h>
#include <stddef.h>

#include "sim/engine/timing/clock/memory_events.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/util/processors.h"

static uint32_t power_of_two_below(uint32_t v)
{
    while (v & (v - 1))
        v &= v - 1;
    return v;
}

static int set_shape(struct run *run, const struct isa_target *t, struct err *e)
{
    struct cu_context *x = &run->x;
    const struct profile *p = run->x.profile;
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
    x->what_if = profile_asks_what_if(p);
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
    x->issue_slot_cycles = p->issue.wave_issue_interval_cycles;
    x->issue_slot_ends_in_time = x->issue_slot_cycles <= (x->round_robin ? x->simds : 1);
    port_issue_slots(x);
    for (unsigned k = 0; k < WAIT_COUNT; k++)
        x->counter_max[k] = (uint8_t)((1u << t->wait_bits[k]) - 1);
    return 0;
}

/* A group that has CUs up to number `end` from now on. */
static int set_up_group(struct run *run, uint32_t index, uint32_t end, struct err *e)
{
    struct run_group *g = &run->group[index];
    uint32_t waves = run->cus_per_group * run->x.simds * run->x.slots;

    if (!g->run) {
        g->run = run;
        g->index = index;
        g->x = run->x;
        g->x.group = index;
        arena_init(&g->copies, 0);
        g->copies.budget = run->arena.budget;
        g->x.copies = &g->copies;
        g->x.first_cu = g->first_cu = index * run->cus_per_group;
        g->x.event_buffer = run->stream.buffer ? &run->stream.buffer[index] : NULL;
        g->next = g->x.next = CYCLE_NEVER;
        g->near = run->chip->near_clock(run->chip->ctx, index);
        /* aligned, because other threads write the neighbouring ones */
        g->wake = arena_alloc(&run->arena, run->cus_per_group, sizeof *g->wake, 64);
        /* a wave has two releases at most, and no slot is used twice in an epoch */
        if (!g->wake || !fifo_init_arena(&g->x.releases, &run->arena, sizeof(struct cu_release), waves * 2))
            return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    }
    for (; g->first_cu + g->cus < end && g->cus < run->cus_per_group; g->cus++)
        cu_init(&run->cu[g->first_cu + g->cus], &g->x, g->first_cu + g->cus,
                event_stream_kinds(&run->stream, (g->first_cu + g->cus) * run->x.parts, run->x.parts),
                engine_inst_counts(&run->options), &g->wake[g->cus]);
    return 0;
}

int run_use_cus(struct run *run, uint32_t cus, struct err *e)
{
    uint32_t groups = (cus - 1) / run->cus_per_group + 1;

    for (uint32_t k = run->groups ? run->groups - 1 : 0; k < groups; k++)
        if (set_up_group(run, k, cus, e))
            return -1;
    run->groups = groups;
    run->cus = cus;
    return 0;
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

static void sent(void *ctx, uint32_t cu, cycle_t now)
{
    struct run *run = ctx;

    cu_lines_sent(&run->cu[cu / run->x.parts], cu % run->x.parts, now);
}

int run_set_up(struct run *run, const struct launch *l, struct err *e)
{
    struct cu_context *x = &run->x;
    uint32_t cus = dispatcher_cus(l->profile, l->workgroup_count);

    x->target = l->target;
    x->profile = l->profile;
    x->memory = run->chip->plug;
    if (run->options.tick_every_cycle) /* the memory is to be asked in every cycle, too */
        x->memory.fetch = NULL;
    x->check = run->options.tick_every_cycle;
    x->start_cycles = run->chip->start_cycles;
    timing_forwarding(x);
    if (set_shape(run, l->target, e))
        return -1;
    run->epoch_cycles = run->chip->epoch_cycles;
    run->chip->attach(run->chip->ctx, &(struct hierarchy_sink){run, complete, credit, sent});
    run->most_cus = run->feed && engine_feeding_goes_on(run->feed) ? dispatcher_cus(l->profile, UINT32_MAX) : cus;
    run->cus_per_group = run->chip->cus_per_group / x->parts;
    if (!run->cus_per_group || run->cus_per_group > run->most_cus)
        run->cus_per_group = run->most_cus;
    run->most_groups = (run->most_cus - 1) / run->cus_per_group + 1;
    run->cus = cus; /* which events count */
    /* a buffer for each group, and one for what they share */
    if (!event_stream_init(&run->stream, run->options.consumers, run->options.shared_consumers,
                           memory_events_wanted(&run->options), run->most_groups + 1) ||
        !memory_events_attach(run->chip->events, run))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
    run->threads = run->options.threads ? run->options.threads : 1;
    run->threads = run->threads < run->most_groups ? run->threads : run->most_groups;
    if (!run->options.threads_at_once && run->threads > host_processors())
        run->threads = host_processors();
    sharing_init(&run->sharing, run->options.threads_at_once);
    run->group = arena_alloc(&run->arena, run->most_groups, sizeof *run->group, _Alignof(struct run_group));
    run->active = ARENA_NEW(&run->arena, run->most_groups, uint32_t);
    run->sum_of = arena_alloc(&run->arena, run->threads, sizeof *run->sum_of, _Alignof(struct run_sum));
    run->cu = arena_alloc_unset(&run->arena, run->most_cus, sizeof *run->cu, 64);
    if (!run->group || !run->active || !run->sum_of || !run->cu)
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    if (run_use_cus(run, cus, e))
        return -1;
    run->pool = timing_pool_new(run->threads, run->most_groups,
                                &(struct timing_work){run, run_group_epoch, run_far_beside}, run->options.pool);
    if (!run->pool)
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    if (!dispatcher_init(&run->dispatcher, x, run->cu, run->cus, run->most_cus, &run->arena))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for the dispatcher");
    return 0;
}

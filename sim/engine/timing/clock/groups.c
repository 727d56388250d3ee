/* An epoch of the groups of CUs, on all host threads, and of the far side of memory beside them.
 *
 * The far side runs beside the groups where all of them are worth sharing between threads. An epoch then has two
 * halves, and between two epochs the far side is half an epoch behind (mem/hierarchy/hierarchy.h); clock.c has it do
 * the rest (run_far_reach()) before anything looks at it. The groups go through the epoch in the order of pool.h either
 * way, so that ordered instructions execute in the same order.
 */
#include "sim/engine/timing/clock/run.h"
#include "sim/util/host_time.h"

#define WORTH_SHARING 64 /* cycles simulated in an epoch by all groups together that pay for waking threads */

/* Between epochs: the far side does the cycles before `end` that it has left. */
void run_far_reach(struct run *run, cycle_t end)
{
    if (run->far_end >= end)
        return;
    run->chip->far_run(run->chip->ctx, run->far_end, end);
    engine_piece_done(run->options.pieces, ENGINE_PIECE_FAR);
    run->far_end = end;
}

/* Ticks the CUs with work in this cycle; returns the next cycle with some. */
static cycle_t tick_cus(struct run_group *g, cycle_t now)
{
    struct cu *cu = &g->run->cu[g->first_cu];
    cycle_t next = CYCLE_NEVER;

    for (uint32_t k = 0; k < g->cus; k++) {
        if (g->wake[k] <= now || (g->x.check && cu[k].resident)) {
            cu_tick(&cu[k], now);
            if (cu[k].stopped) {
                g->stopped = &cu[k];
                return now;
            }
        }
        next = cu_earlier(next, g->wake[k]);
    }
    return next;
}

cycle_t run_group_next(const struct run_group *g)
{
    return cu_earlier(cu_earlier(g->next, g->x.next), *g->near);
}

static bool has_waves(const struct run *run, const struct run_group *g)
{
    for (uint32_t k = 0; k < g->cus; k++)
        if (run->cu[g->first_cu + k].resident)
            return true;
    return false;
}

/* Gives a group the instructions left; without a limit it has more than it will ever use. */
static void give_budgets(const struct run *run, uint32_t group)
{
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
        if (t->budget != UINT64_MAX)
            t->part[group].budget = t->budget;
}

/* The group begins an epoch. */
static void begin_epoch(struct run_group *g)
{
    g->next = run_group_next(g);
    g->cycles = 0;
    give_budgets(g->run, g->index);
}

static void end_epoch(const struct run_group *g, struct run_sum *sum)
{
    sum->cycles += g->cycles;
    sum->stopped |= g->stopped != NULL;
    sum->released |= !fifo_is_idle(&g->x.releases);
}

static void clear_sums(struct run *run)
{
    for (uint32_t k = 0; k < run->threads; k++)
        run->sum_of[k] = (struct run_sum){0};
}

static void add_sums(struct run *run)
{
    run->sum = (struct run_sum){0};
    for (uint32_t k = 0; k < run->threads; k++) {
        run->sum.cycles += run->sum_of[k].cycles;
        run->sum.stopped |= run->sum_of[k].stopped;
        run->sum.released |= run->sum_of[k].released;
    }
}

/* Lines that memory takes by itself in the cycles before `end`: of the first CUs of the group. */
static void reach_lines(const struct run_group *g, uint32_t cus, cycle_t end)
{
    const struct timing_chip *chip = g->run->chip;
    uint32_t parts = g->run->x.parts;

    for (uint32_t k = g->first_cu; k < g->first_cu + cus; k++)
        for (uint32_t part = 0; part < parts; part++)
            if (g->run->cu[k].vmem[part].out.taken)
                chip->reach_lines(chip->ctx, k * parts + part, end);
}

static void run_cycles(struct run_group *g, cycle_t from, cycle_t end)
{
    const struct timing_chip *chip = g->run->chip;
    bool check = g->x.check;
    cycle_t next, now;

    /* from here on x.next is that of all CUs, which memory's completions lower */
    g->x.next = g->next;
    next = cu_earlier(g->x.next, *g->near);
    now = next > from && !check ? next : from;
    while (now < end) {
        g->cycles++;
        if (*g->near <= now)
            now = chip->near_run(chip->ctx, g->index, now, check ? now + 1 : end, &g->x.next, &g->cycles);
        g->at = g->x.now = now;
        if (g->x.next <= now || check)
            g->x.next = tick_cus(g, now);
        if (g->stopped) {
            /* those that would have come after it in this cycle do nothing any more */
            reach_lines(g, (uint32_t)(g->stopped - &g->run->cu[g->first_cu]), now + 1);
            break;
        }
        next = cu_earlier(g->x.next, *g->near);
        now = check || next <= now ? now + 1 : next;
    }
    if (!g->stopped)
        reach_lines(g, g->cus, end);
    g->next = g->x.next;
    g->x.next = CYCLE_NEVER;
}

void run_group_epoch(void *ctx, uint32_t group, uint32_t half, uint32_t thread)
{
    struct run *run = ctx;
    struct run_group *g = &run->group[group];

    g->x.thread = thread;
    if (!half)
        begin_epoch(g);
    if (!run->beside) {
        run_cycles(g, run->from, run->end);
        end_epoch(g, &run->sum_of[thread]);
        engine_piece_done(run->options.pieces, group);
        return;
    }
    run->chip->near_half(run->chip->ctx, group, half);
    if (!g->stopped)
        run_cycles(g, half ? run->middle : run->from, half ? run->end : run->middle);
    if (half)
        end_epoch(g, &run->sum_of[thread]);
    else
        g->live = has_waves(run, g);
}

static void await_turn(void *ctx)
{
    struct run_group *g = ctx;

    timing_pool_await_turn(g->run->pool, g->index, g->x.thread);
}

/* Whether the first half of the epoch may have been the last one of the run, which ends in the middle of it then. */
static bool may_be_over(const struct run *run)
{
    const struct timing_dispatch *t = run->dispatcher.oldest;

    if (t->started < t->groups)
        return false;
    for (uint32_t k = 0; k < run->groups; k++)
        if (run->group[k].live)
            return false;
    return true;
}

void run_far_beside(void *ctx, enum timing_far part)
{
    struct run *run = ctx;
    bool first = part == TIMING_FAR_FIRST;
    cycle_t end = first ? run->middle : run->from;

    if (run->far_end >= end || (first && may_be_over(run)))
        return;
    run->chip->far_half(run->chip->ctx, first ? 0 : 1, run->far_end, end);
    run->far_end = end;
}

/* Whether the far side runs beside the groups in this epoch, in whose middle each of them takes in what the other has
 * sent. Observers learn of cycles in order, and several dispatches look at statistics between epochs. */
static bool may_run_beside(const struct run *run)
{
    return run->chip->far_half && run->in_flight == 1 && !run->stream.buffer && !run->x.check &&
           run->middle > run->from && run->middle - run->far_end <= run->epoch_cycles;
}

/* Whether instructions of a dispatch are limited so closely that the limit may be reached in this epoch. */
static bool is_scarce(const struct run *run)
{
    /* an upper bound of what a group can issue in an epoch: every port of every SIMD in every cycle */
    uint64_t most = (uint64_t)run->cus_per_group * run->x.simds * PORT_COUNT * CU_MAX_SLOTS * (run->end - run->from);

    for (const struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
        if (t->budget != UINT64_MAX && t->budget / run->groups <= most)
            return true;
    return false;
}

/* Chooses the groups that have work in this epoch; beside the far side, where answers may come to any, all. */
static void choose_groups(struct run *run)
{
    run->active_count = 0;
    for (uint32_t k = 0; k < run->groups; k++)
        if (run->beside || run_group_next(&run->group[k]) < run->end ||
            (run->x.check && has_waves(run, &run->group[k])))
            run->active[run->active_count++] = k;
}

/* With few instructions left the groups run one after the other, each with what the one before it has left. */
static void run_scarce(struct run *run)
{
    for (uint32_t n = 0; n < run->active_count; n++) {
        timing_pool_run_alone(run->pool, &run->active[n], 1);
        for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
            t->budget = t->part[run->active[n]].budget;
    }
}

/* The groups have used some of the instructions left. */
static void take_budgets(struct run *run)
{
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next) {
        uint64_t used = 0;

        for (uint32_t n = 0; n < run->active_count && t->budget != UINT64_MAX; n++)
            used += t->budget - t->part[run->active[n]].budget;
        t->budget -= used;
    }
}

void run_groups(struct run *run)
{
    bool scarce = is_scarce(run);
    bool may_share = !scarce && run->threads > 1 && run->groups > 1 && run->worth_sharing;
    bool shared = may_share && sharing_begin(&run->sharing, host_seconds(), run->sharing_work);

    engine_piece_done(run->options.pieces, ENGINE_PIECE_REST);
    run->middle = run->from + (run->end - run->from) / 2;
    run->beside = shared && may_run_beside(run);
    run->sharing_work = 0;
    if (!run->beside)
        run_far_reach(run, run->from);
    choose_groups(run);
    clear_sums(run);
    if (scarce) {
        run_scarce(run);
        add_sums(run);
        return;
    }
    if (run->beside)
        timing_pool_run_beside(run->pool, run->active, run->active_count);
    else if (shared && run->active_count > 1)
        timing_pool_run(run->pool, run->active, run->active_count);
    else
        timing_pool_run_alone(run->pool, run->active, run->active_count);
    add_sums(run);
    run->worth_sharing = run->sum.cycles > WORTH_SHARING;
    if (may_share)
        run->sharing_work = run->sum.cycles;
    take_budgets(run);
}

/* The groups wait for their turn where several may run at once. */
void run_set_turns(struct run *run)
{
    for (uint32_t k = 0; k < run->groups; k++) {
        run->group[k].x.await_turn = run->groups > 1 && run->threads > 1 ? await_turn : NULL;
        run->group[k].x.turn_ctx = &run->group[k];
    }
}

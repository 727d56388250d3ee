/* The clock of a timed run: time advances in epochs, in which each group of CUs simulates its own cycles, on any host
 * thread, before the shared levels of memory and the dispatcher simulate the same cycles (run.h says why that is
 * exact).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/gws.h"
#include "sim/engine/timing/clock/run.h"
#include "sim/engine/timing/clock/sampling.h"
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/util/host_time.h"

#define POLL_EPOCHS      64 /* from one poll of the caller's wishes and the wall clock to the next */
#define PROGRESS_SECONDS 0.05

void run_end_early(struct engine_result *r, enum engine_outcome outcome, const char *why, uint64_t n)
{
    r->outcome = outcome;
    snprintf(r->message, sizeof r->message, why, n);
}

/* A wave of the dispatch; null: none is resident. */
static const struct isa_wave *any_wave(const struct run *run, const struct timing_dispatch *t)
{
    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++) {
            const struct cu_wave *w = &run->cu[k].wave[n];

            if (w->state != WAVE_FREE && w->d->of == t && !w->ended)
                return w->isa;
        }
    return NULL;
}

static struct engine_progress progress_of(const struct run *run, struct timing_dispatch *t, cycle_t now)
{
    struct engine_progress p = {.groups = t->launch->workgroup_count,
                                .groups_done = t->launch->workgroup_count - t->groups + t->groups_done,
                                .groups_running = t->started - t->groups_done,
                                .cycles = now > t->start ? now - t->start : 0};
    const struct isa_wave *w = any_wave(run, t);

    for (uint32_t k = 0; k < run->groups; k++)
        p.instructions += t->part[k].instructions;
    if (w)
        engine_loop_left(&t->loops, w, t->launch->entry, &p.loop_pc, &p.loop_left);
    return p;
}

/* Polls the caller's flags of a dispatch and reports its progress. */
static void poll_caller(struct run *run, struct timing_dispatch *t, cycle_t cycle)
{
    const struct engine_options *o = t->options;
    double now;

    if (o->snapshot && o->snapshot_flag && __atomic_load_n(o->snapshot_flag, __ATOMIC_RELAXED)) {
        __atomic_store_n(o->snapshot_flag, 0, __ATOMIC_RELAXED);
        run_far_reach(run, run->near_end);
        run_snapshot(run, t, cycle, false);
    }
    if (!o->progress)
        return;
    now = host_seconds();
    if (now < t->next_progress)
        return;
    t->next_progress = now + PROGRESS_SECONDS;
    const struct engine_progress p = progress_of(run, t, cycle);
    if (o->progress(o->progress_ctx, &p))
        run_end_early(t->r, ENGINE_INTERRUPTED, "stopped by the caller", 0);
}

/* The wishes of the callers; `all`: those that take time to look at, too. False: the run ends. */
static bool poll_callers(struct run *run, cycle_t cycle, bool all)
{
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next) {
        if (t->stopping)
            continue;
        if (t->options->abort_flag &&
            __atomic_load_n(t->options->abort_flag, __ATOMIC_RELAXED)) /* epochs of a large chip take long */
            run_end_early(t->r, ENGINE_INTERRUPTED, "interrupted", 0);
        else if (all)
            poll_caller(run, t, cycle);
        if (t->r->outcome != ENGINE_DONE && run->in_flight == 1)
            return false;
    }
    return true;
}

/* Epochs ----------------------------------------------------------------------------------------------------------- */

/* The earliest cycle with work anywhere; CYCLE_NEVER: there is none. Cycles up to run->end are as good as one another:
 * when there is work in one of them the next epoch follows this one, and no more groups are looked at. */
static cycle_t next_work(const struct run *run)
{
    cycle_t next = cu_earlier(run->dispatch_at, run->chip->far_next(run->chip->ctx));
    const struct cu_release *r = fifo_front(&run->x.releases);

    if (r && !dispatcher_is_idle(&run->dispatcher))
        next = cu_earlier(next, r->at);
    for (uint32_t k = 0; k < run->groups && next > run->end; k++)
        next = cu_earlier(next, run_group_next(&run->group[k]));
    return next;
}

/* Collects the resources that waves have released in this epoch, in the order of cycles and groups. */
static void collect_releases(struct run *run)
{
    cycle_t at = 0;

    /* each round takes the releases of one cycle and finds the next cycle that has some */
    while (at != CYCLE_NEVER) {
        cycle_t next = CYCLE_NEVER;

        for (uint32_t n = 0; n < run->active_count; n++) {
            struct fifo *from = &run->group[run->active[n]].x.releases;
            const struct cu_release *r;

            while ((r = fifo_front(from)) && r->at <= at) {
                fifo_accept(&run->x.releases, r);
                fifo_pop(from);
            }
            if (r)
                next = cu_earlier(next, r->at);
        }
        at = next;
    }
}

/* Informs the caller of the messages of an epoch, in the order of cycles and groups. */
static void deliver_messages(struct run *run)
{
    for (;;) {
        struct run_group *first = NULL;

        for (uint32_t n = 0; n < run->active_count; n++) {
            struct run_group *g = &run->group[run->active[n]];

            if (g->told < g->messages && (!first || g->message[g->told].at < first->message[first->told].at))
                first = g;
        }
        if (!first)
            break;
        const struct run_message *m = &first->message[first->told++];
        m->options->message(m->options->message_ctx, m->number, m->m0, m->data);
    }
    for (uint32_t n = 0; n < run->active_count; n++)
        run->group[run->active[n]].messages = run->group[run->active[n]].told = 0;
}

/* Waves that global wave sync, or the barrier of a cluster, has let go in this epoch: in a later one. */
static void release_gws(struct run *run, struct isa_gws *gws)
{
    struct isa_wave *next = gws ? isa_gws_released(gws) : NULL;

    while (next) {
        struct cu_wave *w = next->owner;
        struct run_group *g = &run->group[w->cu->index / run->cus_per_group];
        cycle_t at = next->gws_at + cu_gws_cycles(run->x.profile);

        next = next->gws_next;
        w->gws_release = at < run->end ? run->end : at;
        cu_wave_wake(w->cu, w, w->gws_release);
        if (w->gws_release < g->x.next)
            g->x.next = w->gws_release;
    }
}

static bool dispatch(struct run *run, struct err *e)
{
    for (;;) {
        const struct cu_release *r;
        cycle_t now;

        r = fifo_front(&run->x.releases);
        now = r ? cu_earlier(r->at, run->dispatch_at) : run->dispatch_at;
        if (now >= run->end)
            return true;
        if (r && r->at <= now)
            dispatcher_freed(&run->dispatcher);
        if (run->player.script) {
            cu_releases_take(&run->x, now);
            run->dispatch_at = script_player_tick(&run->player, &run->cu[0], &run->dispatcher.oldest->part[0],
                                                  &run->arena, now, &run->dispatcher.no_memory);
        } else {
            run->dispatch_at = dispatcher_tick(&run->dispatcher, now);
        }
        if (run->dispatcher.no_memory) {
            err_set(e, ERR_NOMEM, "timing engine: no host memory for registers and LDS of waves");
            return false;
        }
    }
}

/* The group that stopped first ends the run. */
static const struct run_group *first_stopped(const struct run *run)
{
    const struct run_group *first = NULL;

    for (uint32_t k = 0; k < run->groups; k++) {
        const struct run_group *g = &run->group[k];

        if (g->stopped && (!first || g->at < first->at))
            first = g;
    }
    return first;
}

static void report_stop(const struct run *run, const struct cu *c, struct err *e)
{
    const struct timing_dispatch *t = run->dispatcher.oldest;

    if (c->no_memory)
        err_set(e, ERR_NOMEM, "timing engine: no host memory for decoded instructions or requests in flight");
    else if (c->spent)
        run_end_early(t->r, ENGINE_LIMIT, "limit of %" PRIu64 " instructions reached", t->options->max_instructions);
    else
        engine_set_fault(t->r, c->fault_status, c->fault_wave->isa, c->fault_wave->group->id);
}

/* Nothing has work. Without a wave that waits there is a workgroup that no compute unit takes; beside other dispatches
 * it may be taken when these have ended (false). */
static bool deadlock(const struct run *run, const struct timing_dispatch *t, cycle_t now, struct err *e)
{
    struct snapshot_maker waves = {0};

    run_collect_waves(run, t, now, &waves);
    bool waits = !waves.count && !waves.no_memory;
    if (waits && run->in_flight == 1)
        err_set(e, ERR_UNSUPPORTED,
                "timing engine: no compute unit of profile %s takes a workgroup of %" PRIu32 " waves with %" PRIu32
                " scratch slots in all",
                t->launch->profile->name, t->launch->waves_per_group, t->launch->scratch_slots);
    else if (!waits)
        snapshot_deadlock(&waves, t->launch, t->r);
    snapshot_maker_free(&waves);
    return !waits;
}

/* Nothing has work, and no other dispatch comes. False: the run ends in cycle *end. */
static bool give_up(struct run *run, cycle_t *end, struct err *e)
{
    *end = 0;
    for (uint32_t k = 0; k < run->groups; k++)
        *end = cu_later(*end, run->group[k].at);
    bool any = false;
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
        any |= !t->stopping && deadlock(run, t, *end, e);
    if (run->in_flight == 1)
        return false;
    if (!any)
        err_set(e, ERR_UNSUPPORTED, "timing engine: no compute unit takes a workgroup of any dispatch in flight");
    run_settle(run, e);
    return !e->code;
}

static void count_groups(struct run *run)
{
    for (struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next) {
        t->groups_done = 0;
        for (uint32_t k = 0; k < run->groups; k++)
            t->groups_done += t->part[k].groups_done;
    }
}

/* Whether something between this epoch and the next one looks at the far side, or changes it. */
static bool may_be_served(const struct run *run)
{
    return (run->feed && engine_feeding_goes_on(run->feed)) || run->sample_at <= run->end;
}

/* How far the groups have got in this epoch. */
static void tell_near_done(struct run *run)
{
    const struct timing_chip *chip = run->chip;

    if (!chip->near_done)
        return;
    chip->near_done(chip->ctx, HIERARCHY_ALL, run->end);
    for (uint32_t k = 0; k < run->groups && run->sum.stopped; k++)
        if (run->group[k].stopped)
            chip->near_done(chip->ctx, k, run->group[k].at + 1);
}

/* One epoch; false ends the run in cycle *end. */
static bool run_epoch(struct run *run, cycle_t *end, struct err *e)
{
    struct timing_dispatch *t = run->dispatcher.oldest;
    const struct run_group *g;

    run_groups(run);
    run->near_end = run->end;
    tell_near_done(run);
    if (run->tells)
        deliver_messages(run);
    g = run->sum.stopped ? first_stopped(run) : NULL;
    if (g) {
        if (run->far_end > run->from)
            run->chip->far_forget(run->chip->ctx);
        report_stop(run, g->stopped, e);
        *end = g->at;
        return false;
    }
    if (run->sum.released)
        count_groups(run);
    if (run->in_flight == 1 && run_is_done(t)) {
        /* write-backs and prefetches still in flight do not count */
        *end = cu_later(run_done_at(run, t), run->from);
        run_far_reach(run, *end + 1);
        return false;
    }
    if (!run->beside || may_be_served(run))
        run_far_reach(run, run->end);
    if (run->sum.released)
        collect_releases(run);
    for (t = run->dispatcher.oldest; t; t = t->next)
        release_gws(run, t->launch->gws);
    run_settle(run, e);
    if (run->in_flight == 1 && run_is_done(run->dispatcher.oldest)) {
        *end = cu_later(run_done_at(run, run->dispatcher.oldest), run->from);
        return false;
    }
    return !e->code && dispatch(run, e);
}

/* Delivers the events of an epoch that is over. */
static bool deliver_events(struct run *run, struct err *e)
{
    for (uint32_t k = 0; k < run->cus && run->stream.kinds & EVENT_STALLS; k++)
        if (run->cu[k].resident && cu_emits_stalls(&run->cu[k]))
            cu_emit_stalls_until(&run->cu[k], run->end);
    if (!event_stream_deliver(&run->stream)) {
        err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
        return false;
    }
    return true;
}

static bool lost_message(const struct run *run)
{
    for (uint32_t k = 0; run->tells && k < run->groups; k++)
        if (run->group[k].lost_message)
            return true;
    return false;
}

/* The epoch that has cycle `now`. Epochs begin at multiples of their length, so that they are the same however time
 * gets there; one ends early at the limit of a dispatch. */
static void set_epoch(struct run *run, cycle_t now)
{
    run->from = run->start + (now - run->start) / run->epoch_cycles * run->epoch_cycles;
    run->end = run->from + run->epoch_cycles;
    for (const struct timing_dispatch *t = run->dispatcher.oldest; t; t = t->next)
        if (run->end - 1 > t->last && t->last >= now)
            run->end = t->last + 1;
    if (run->from < run->near_end)
        run->from = run->near_end;
    if (run->far_end == run->near_end)
        run->far_end = run->from; /* there is nothing to do in what has been jumped over */
}

/* The next cycle to simulate, after the epoch that is over; CYCLE_NEVER: the run ends in *end. */
static cycle_t next_cycle(struct run *run, cycle_t *end, struct err *e)
{
    struct timing_dispatch *t = run->dispatcher.oldest;
    cycle_t now = next_work(run);

    /* what the far side has left may give the groups work: before a jump, or an end, it is done */
    if (now >= run->end + run->epoch_cycles || cu_later(now, run->end) > t->last) {
        run_far_reach(run, run->end);
        now = next_work(run);
    }
    now = cu_earlier(now, run_look_at(run));
    if (run->feed) {
        if (now == CYCLE_NEVER && !engine_feeding_has_plans(run->feed))
            engine_feeding_serve(run->feed, run, run->end, true);
        now = cu_earlier(now, engine_feeding_due(run->feed));
    }
    if (now == CYCLE_NEVER) {
        if (!give_up(run, end, e))
            return CYCLE_NEVER;
        now = run->end;
    }
    if (now < run->end || run->x.check)
        now = run->end;
    if (run->in_flight == 1 && now > t->last && !t->stopping) {
        run_end_early(t->r, ENGINE_LIMIT, "limit of %" PRIu64 " cycles reached", t->options->max_cycles);
        *end = t->last;
        return CYCLE_NEVER;
    }
    return now;
}

/* False: the host has no memory for something. */
static bool is_sound(struct run *run, struct err *e)
{
    if (lost_message(run))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for the messages of an epoch");
    else if (run->chip->is_short && run->chip->is_short(run->chip->ctx))
        err_set(e, ERR_NOMEM, "timing engine: no host memory for the accesses in flight");
    return !e->code;
}

cycle_t run_clock(struct run *run, struct err *e)
{
    cycle_t end = run->start, now = run->start;
    uint32_t groups = 0;

    for (uint64_t n = 0;; n++) {
        if (!poll_callers(run, end, n % POLL_EPOCHS == 0)) {
            run_far_reach(run, run->near_end);
            return end;
        }
        set_epoch(run, now);
        if (run->sample_at <= run->from)
            sampling_reach(run, run->from);
        if (run->feed)
            engine_feeding_serve(run->feed, run, now, false);
        if (groups != run->groups)
            run_set_turns(run);
        groups = run->groups;
        if (!run_epoch(run, &end, e))
            return end;
        end = run->end;
        if (!is_sound(run, e))
            return end;
        if (!run_look(run))
            return end;
        now = next_cycle(run, &end, e);
        if (now == CYCLE_NEVER)
            return end;
        if (run->stream.buffer && !deliver_events(run, e))
            return end;
    }
}

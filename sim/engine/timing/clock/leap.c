/* Leaps of a dispatch over workgroups that its caller runs otherwise (sim/engine/sampling/part.h). They happen between
 * two epochs, so that they depend neither on host threads nor on anything else that happens in an epoch.
 */
#include "sim/engine/timing/clock/run.h"

static const struct engine_look never = {UINT64_MAX, UINT64_MAX, false};

void run_begin_leaps(struct timing_dispatch *t)
{
    const struct engine_leaps *leaps = t->options->leaps;

    t->groups = t->launch->workgroup_count;
    t->look = leaps ? leaps->look : never;
    if (leaps)
        leaps->begin(leaps->ctx);
}

cycle_t run_look_at(const struct run *run)
{
    const struct timing_dispatch *t = run->dispatcher.oldest;

    return t->look.cycles == UINT64_MAX ? CYCLE_NEVER : t->start + t->look.cycles;
}

/* The lowest workgroup below the last leap that is resident, or waits for its waves to be launched. */
static uint64_t lowest_resident(const struct run *run, const struct timing_dispatch *t)
{
    uint64_t lowest = UINT64_MAX;

    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++) {
            const struct cu_group *g = &run->cu[k].group[n];

            if (g->used && g->d->of == t && g->id < t->leap_from && g->id < lowest)
                lowest = g->id;
        }
    return lowest;
}

static bool communicates(const struct timing_dispatch *t)
{
    for (size_t k = 0; k < t->table.slot_count; k++) {
        const struct timing_info *i = t->table.slots[k];

        if (i && i->communicates)
            return true;
    }
    return false;
}

static struct engine_mark mark_of(struct run *run, const struct timing_dispatch *t)
{
    struct engine_mark m = {.cycles = run->end - t->start,
                            .started = t->started,
                            .groups_done = t->groups_done,
                            .may_leap = true,
                            .resident = run_resident(run)};

    for (uint32_t n = 0; n < run->dispatcher.die_count; n++) {
        uint64_t next = t->grid[n].next_group, dies = run->dispatcher.die_count;

        m.may_leap &= next >= t->leap_to;
        if (next >= dies && next - dies + 1 > m.next) /* after the last one that the die has started */
            m.next = next - dies + 1;
    }
    m.communicates = communicates(t);
    m.lowest = lowest_resident(run, t);
    for (uint32_t n = 0; n < run->dispatcher.die_count; n++)
        if (t->grid[n].next_group < t->leap_from && t->grid[n].next_group < m.lowest)
            m.lowest = t->grid[n].next_group;
    for (uint32_t k = 0; k < run->groups; k++) {
        m.instructions += t->part[k].instructions;
        m.iterations += t->part[k].iterations;
        m.iterated_at += t->part[k].iterated_at - t->part[k].iterations * t->start;
    }
    for (uint32_t k = 0; k < run->cus; k++)
        m.waves += run->cu[k].resident;
    return m;
}

bool run_look(struct run *run)
{
    struct timing_dispatch *t = run->dispatcher.oldest;

    if (t->stopping || (t->started < t->look.started && run->end <= run_look_at(run)))
        return true;
    run_far_reach(run, run->end); /* the caller may look at caches */
    const struct engine_leaps *leaps = t->options->leaps;
    const struct engine_mark m = mark_of(run, t);

    bool held = t->look.hold;

    t->look = never;
    uint64_t count = leaps->at(leaps->ctx, &m, &t->look);
    if (count == ENGINE_LEAP_STOP)
        run_end_early(t->r, ENGINE_INTERRUPTED, "stopped by the caller", 0);
    else if (count)
        dispatcher_leap(&run->dispatcher, t, m.next, count);
    if (held && !t->look.hold) {
        dispatcher_look_again(&run->dispatcher);
        run->dispatch_at = cu_earlier(run->dispatch_at, run->end);
    }
    return count != ENGINE_LEAP_STOP;
}

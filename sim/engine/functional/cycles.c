/* The limit on the cycles of a launch, in an engine without time.
 *
 * A wave issues one instruction per cycle at most. So a launch takes more than max_cycles when
 *   - a wave has executed that many instructions, and does not wait: an event of its workgroup (groups.c);
 *   - all waves have executed that many for each wave that can be resident at once (limit.c counts them). How often a
 *     wave polls while others work is up to the order in which they run here, so these instructions do not count;
 *   - all resident waves wait, no more can start, and nothing will change that up to the limit.
 *
 * The last is certain of waves that poll exactly. For a loop in which something else changes, a count of tries or the
 * time, a wave is run up to the limit first, alone, because it may leave the loop by itself; of every loop, when others
 * than the waves of this run write to memory. One stands for all waves that poll in the same loop: a launch with
 * thousands of them would take thousands of times as long to come to the same end.
 *
 * Such a run ends when the others have polled up to different counts, which depend on the order in which threads ran
 * them. Periods of a loop are alike, so each wave is then taken to where it has executed max_cycles instructions: one
 * period is executed, and the others are counted. The report does not depend on the number of threads, but
 * for loops whose periods differ. */
#include <string.h>

#include "sim/engine/functional/functional.h"

uint64_t cycles_most_instructions(const struct run *r)
{
    uint64_t max = r->options->max_cycles, waves = r->groups_limit * r->l->waves_per_group, most;

    return !max || __builtin_mul_overflow(max, waves, &most) ? UINT64_MAX : most;
}

/* A full table knows every loop: what is in none of its rows is not looked at as closely. */
static bool is_known(const struct run *r, gaddr_t pc)
{
    unsigned count = atomic_load(&r->loops_waited);

    for (unsigned k = 0; k < count; k++)
        if (r->loop_waited[k] == pc)
            return true;
    return count == LOOPS_WAITED;
}

static void note_loop(struct run *r, gaddr_t pc)
{
    pthread_mutex_lock(&r->lock);
    unsigned count = atomic_load(&r->loops_waited);
    if (!is_known(r, pc)) {
        r->loop_waited[count] = pc;
        atomic_store(&r->loops_waited, count + 1);
    }
    pthread_mutex_unlock(&r->lock);
}

static bool may_leave(const struct run *r, const struct poll *p)
{
    return (!p->exact || r->options->shared_memory) && !is_known(r, p->pc);
}

bool cycles_stands_for_others(struct worker *k, const struct group *g, unsigned i)
{
    const struct poll *p = &g->poll[i];
    struct run *r = k->run;

    if (!run_all_wait(r) || !may_leave(r, p))
        return false;
    if (g->done[i] >= r->options->max_cycles) {
        note_loop(r, p->pc);
        return false;
    }
    if (!k->stands_for_others || !k->stands_for_others->polls || !may_leave(r, k->stands_for_others))
        k->stands_for_others = p;
    return k->stands_for_others == p;
}

bool cycles_is_over(const struct worker *k, const struct group *g, unsigned i)
{
    uint64_t max = k->run->options->max_cycles;

    return max && g->done[i] >= max && !g->poll[i].exact && (k->looked || !run_all_wait(k->run));
}

bool cycles_wave_is_stuck(const struct run *r, const struct group *g, unsigned i)
{
    const struct poll *p = &g->poll[i];
    bool by_limit = run_all_wait(r) && !run_has_event(r);

    if (p->polls && r->options->max_cycles && is_known(r, p->pc))
        return true;
    return !(by_limit && r->options->shared_memory) && poll_waits(g, i, POLL_PROOF);
}

/* ---- the end of a run in which all waves wait ---- */

/* Executes up to `want` instructions, outside all limits. False: something else than that came first. */
static bool execute(struct worker *k, struct group *g, unsigned i, uint64_t want)
{
    const struct engine_stepper *s = k->run->options->stepper;
    struct isa_wave *w = &g->wave[i];
    enum isa_status status = ISA_LIMIT;
    uint64_t ran = 0, done = 1;

    for (; ran < want && done && (status == ISA_LIMIT || status == ISA_TURN); ran += done) {
        done = 0;
        status = s ? s->run(g->stepped, i, w, &k->env, want - ran, &done, g->tally)
                   : isa_run(w, k->run->l->program, &k->env, want - ran, &done, g->tally);
    }
    g->done[i] += ran;
    g->executed += ran;
    return ran == want;
}

static int64_t whole_periods(uint64_t from, uint64_t to, uint32_t period)
{
    int64_t way = (int64_t)(to - from);

    return (way - (way < 0 ? (int64_t)period - 1 : 0)) / (int64_t)period;
}

/* Takes a wave that polls to where it has executed max_cycles instructions, there or back. */
static void settle_wave(struct worker *k, struct group *g, unsigned i)
{
    uint32_t period = g->poll[i].period;
    uint64_t max = k->run->options->max_cycles, before[ISA_TALLIES];
    gaddr_t pc = g->wave[i].pc;

    memcpy(before, g->tally, sizeof before);
    if (!execute(k, g, i, period) || g->wave[i].pc != pc)
        return;
    uint64_t periods = (uint64_t)whole_periods(g->done[i], max, period); /* modulo 2^64, as the sums below */
    for (unsigned t = 0; t < ISA_TALLIES; t++)
        g->tally[t] += periods * (g->tally[t] - before[t]);
    g->done[i] += periods * period;
    g->executed += periods * period;
    execute(k, g, i, max - g->done[i]);
}

void cycles_settle(struct run *r)
{
    for (unsigned n = 0; n < r->workers; n++)
        for (struct group *g = atomic_load(&r->worker[n]->groups); g; g = g->next)
            for (unsigned i = 0; atomic_load(&g->claim) != CLAIM_NONE && i < g->waves; i++)
                if (g->state[i] == WAVE_READY && g->poll[i].polls)
                    settle_wave(r->worker[n], g, i);
}

/* The rule for vector loads that are waited for too soon: a wave has few of them in flight, and the what-if
 * `loads.ahead` says that more of them would help. */
#include <string.h>

#include "sim/study/remedies.h"

enum { AT_ONCE = 8 }; /* instructions */

/* The innermost loop that instruction `at` is in, by the branch that goes back over it. False: it is in none. */
static bool loop_of(const struct trial *t, size_t at, size_t *first, size_t *last)
{
    bool found = false;

    for (size_t k = at; k < t->instructions; k++) {
        uint64_t to = t->instruction[k].facts.target;
        size_t n = at;

        if (!to || to > t->instruction[at].pc)
            continue;
        while (n && t->instruction[n].pc > to)
            n--;
        if (found && n <= *first)
            continue;
        *first = n;
        *last = k;
        found = true;
    }
    return found;
}

/* The load that a wait ends with: what may stay in flight is counted back from the wait, around the loop that it is in.
 * False: it was not found, or it is a store, which the same counter counts on some targets. */
static bool load_of(const struct trial *t, size_t wait, size_t *load, size_t *distance)
{
    size_t first = 0, last = wait, at = wait;
    unsigned allowed = t->instruction[wait].facts.loads_left;
    bool loop = loop_of(t, wait, &first, &last), around = false;

    if (!t->instruction[wait].facts.waits_for_loads)
        return false;
    for (*distance = 0;; ++*distance) {
        if (at == first) {
            if (around || !loop)
                return false;
            around = true;
            at = last + 1;
        }
        at--;
        if (t->instruction[at].facts.counts_loads && !allowed--) {
            *load = at;
            return t->instruction[at].facts.vector_load;
        }
    }
}

/* Vector loads that a wave has in flight on average: cycles from issue to result, of all of them, over those of all
 * waves. */
static double in_flight(const struct trial *t)
{
    uint32_t latency = trial_column("latency_cycles");
    double all = trial_stat(t, "resident_wave_cycles"), sum = 0;

    for (size_t k = 0; k < t->instructions; k++)
        if (t->instruction[k].facts.vector_load)
            sum += (double)trial_value(t, k, latency);
    return all > 0 ? sum / all : 0;
}

void remedy_loads_in_flight(struct explaining *x, const struct remedy *of, const struct counted *c)
{
    struct rule_chosen with = {.count = 0};
    size_t load = 0, distance = 0, first, last, k = 0;
    struct rule *r;

    (void)c;
    /* where loads depend on one another, no more of them are in flight, and the loop around them alone is faster */
    if (in_flight(explain_cause(x, of->cause)) < 1.25 * in_flight(&x->base))
        return;
    rule_choose_by_stall(x, UINT64_C(1) << (STALL_WAIT + WAIT_LOAD) | UINT64_C(1) << (STALL_WAIT + WAIT_VM), &with);
    while (k < with.count && !load_of(&x->base, with.at[k], &load, &distance))
        k++;
    if (k == with.count || !(r = rule_add(x, of)))
        return;
    size_t wait = with.at[k];
    const char *from = rule_where(x, load), *at = rule_where(x, wait);
    r->text =
        explain_keep(x, "a wave has %.1f vector loads in flight on average: %s waits %s for %s%s", in_flight(&x->base),
                     at, distance < AT_ONCE ? "at once" : explain_keep(x, "%zu instructions later", distance + 1),
                     strcmp(from, at) == 0 ? "its load" : "the load of ", strcmp(from, at) == 0 ? "" : from);
    unsigned dwords = (x->base.instruction[load].facts.lane_bytes + 3) / 4;
    bool loop = loop_of(&x->base, wait, &first, &last) && load >= first && load <= last;
    r->remedy = loop ? explain_keep(x,
                                    "to have 7 more of them in flight (unroll the loop by 8, or load ahead, into %u "
                                    "more VGPRs)",
                                    7 * dwords)
                     : "to issue up to 7 more of them before the first wait";
    rule_assignments(x, r, "ideal.loads_ahead=7", NULL);
    rule_places(x, r, (const size_t[]){wait, load}, 2);
}

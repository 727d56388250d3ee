/* The rule for vector loads that are waited for too soon: a wave has few of them in flight, and the what-if
 * `loads.ahead` says that more of them would help. */
#include <stdlib.h>
#include <string.h>

#include "sim/study/explain.h"

enum { AT_ONCE = 8 }; /* instructions */

/* The vector loads that may be in flight behind a wait; false: it is no wait for them. */
static bool allowed_by(const char *text, unsigned *loads)
{
    const char *vm = strstr(text, "vmcnt(");

    if (vm) {
        *loads = (unsigned)strtoul(vm + 6, NULL, 0);
        return true;
    }
    if (sscanf(text, "s_wait_loadcnt_dscnt %x", loads) == 1) {
        *loads = *loads >> 8 & 63;
        return true;
    }
    return sscanf(text, "s_wait_loadcnt %x", loads) == 1;
}

static bool is_load(const char *text)
{
    return rule_is_vector_memory(text) && strstr(text, "load");
}

/* The innermost loop that instruction `at` is in, by the branch that goes back over it. False: it is in none. */
static bool loop_of(const struct trial *t, size_t at, size_t *first, size_t *last)
{
    bool found = false;

    for (size_t k = at; k < t->instructions; k++) {
        const char *text = t->instruction[k].text, *distance = strchr(text, ' ');
        size_t n = at;

        if ((strncmp(text, "s_cbranch", 9) != 0 && strncmp(text, "s_branch", 8) != 0) || !distance)
            continue;
        uint64_t to = t->instruction[k].pc + 4 + (uint64_t)((int64_t)(int16_t)strtol(distance, NULL, 0) * 4);
        if (to > t->instruction[at].pc)
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

/* The load that a wait ends with: those that may stay in flight are counted back from the wait, around the loop that
 * it is in. False: it was not found. */
static bool load_of(const struct trial *t, size_t wait, size_t *load, size_t *distance)
{
    size_t first = 0, last = wait, at = wait;
    unsigned allowed;
    bool loop = loop_of(t, wait, &first, &last), around = false;

    if (!allowed_by(t->instruction[wait].text, &allowed))
        return false;
    for (*distance = 0; *distance < t->instructions; ++*distance) {
        if (at == first) {
            if (around || !loop)
                return false;
            around = true;
            at = last + 1;
        }
        at--;
        if (is_load(t->instruction[at].text) && !allowed--) {
            *load = at;
            return true;
        }
    }
    return false;
}

/* Vector loads that a wave has in flight on average: cycles from issue to result, of all of them, over those of all
 * waves. */
static double in_flight(const struct trial *t)
{
    uint32_t latency = trial_column("latency_cycles");
    double all = trial_stat(t, "resident_wave_cycles"), sum = 0;

    for (size_t k = 0; k < t->instructions; k++)
        if (is_load(t->instruction[k].text))
            sum += (double)trial_value(t, k, latency);
    return all > 0 ? sum / all : 0;
}

void explain_loads(struct explaining *x)
{
    struct rule_chosen with = {.count = 0};
    size_t load = 0, distance = 0, first, last, k = 0;
    struct rule *r;

    /* where loads depend on one another, no more of them are in flight, and the loop around them alone is faster */
    if (rule_gain(x, "loads.ahead") < 0.03 || in_flight(explain_cause(x, "loads.ahead")) < 1.25 * in_flight(&x->base))
        return;
    rule_choose_by_stall(x, "wait_loadcnt", &with);
    rule_choose_by_stall(x, "wait_vmcnt", &with);
    while (k < with.count && !load_of(&x->base, with.at[k], &load, &distance))
        k++;
    if (k == with.count || !(r = rule_add(x, "loads-in-flight")))
        return;
    size_t wait = with.at[k];
    const char *from = rule_where(x, load), *at = rule_where(x, wait);
    r->text =
        explain_keep(x, "a wave has %.1f vector loads in flight on average: %s waits %s for %s%s", in_flight(&x->base),
                     at, distance < AT_ONCE ? "at once" : explain_keep(x, "%zu instructions later", distance + 1),
                     strcmp(from, at) == 0 ? "its load" : "the load of ", strcmp(from, at) == 0 ? "" : from);
    unsigned dwords = (rule_width_of(x->base.instruction[load].text) + 3) / 4;
    bool loop = loop_of(&x->base, wait, &first, &last) && load >= first && load <= last;
    r->remedy = loop ? explain_keep(x,
                                    "to have 7 more of them in flight (unroll the loop by 8, or load ahead, into %u "
                                    "more VGPRs)",
                                    7 * dwords)
                     : "to issue up to 7 more of them before the first wait";
    rule_assignments(x, r, "ideal.loads_ahead=7", NULL);
    rule_places(x, r, (const size_t[]){wait, load}, 2);
}

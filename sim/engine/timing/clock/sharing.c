/* The choice between host threads that share epochs and one thread that does them alone, by the clock on the wall. */
#include "sim/engine/timing/clock/sharing.h"

/* A comparison takes two windows, of this many epochs and seconds at least. The slower one of them is what it costs. */
#define WINDOW_EPOCHS  4
#define WINDOW_SECONDS 1e-3
/* Between two comparisons; up to LONGEST times as long. */
#define STAY_EPOCHS  64
#define STAY_SECONDS 16e-3
#define LONGEST      16
/* The run begins alone, and shares when it has simulated that many cycles of groups: some 0.2 to 2 ms, a trial that
 * takes threads in any case. */
#define FIRST_WORK 2000
/* Waking threads and warming their caches count in a trial of sharing, cold caches of the caller's thread in the other
 * one. */
#define MARGIN   1.05 /* faster than the present way, to go the other one */
#define HOPELESS 0.5  /* of the present way's rate: a trial ends at once, for an epoch may take a time slice */

void sharing_init(struct sharing *s, bool at_once)
{
    *s = (struct sharing){.shared = at_once, .phase = at_once ? SHARING_STAY : SHARING_MEASURE, .longer = 1};
}

/* Whether a trial has shown that its way is far slower. */
static bool is_hopeless(const struct sharing *s)
{
    return s->phase == SHARING_TRIAL && s->seconds >= WINDOW_SECONDS && s->work < HOPELESS * s->rate * s->seconds;
}

static bool is_over(const struct sharing *s)
{
    if (s->phase == SHARING_MEASURE && !s->rate) /* the first one */
        return s->work >= FIRST_WORK;
    if (s->phase == SHARING_STAY)
        return s->epochs >= STAY_EPOCHS * s->longer && s->seconds >= STAY_SECONDS * s->longer;
    return (s->epochs >= WINDOW_EPOCHS && s->seconds >= WINDOW_SECONDS) || is_hopeless(s);
}

static void next_phase(struct sharing *s)
{
    double rate = s->work / s->seconds;

    switch (s->phase) {
    case SHARING_STAY:
        s->phase = SHARING_MEASURE;
        break;
    case SHARING_MEASURE:
        s->rate = rate;
        s->phase = SHARING_TRIAL;
        break;
    case SHARING_TRIAL:
        if (rate > MARGIN * s->rate) {
            s->shared = !s->shared;
            s->longer = 1;
        } else if (s->longer < LONGEST) {
            s->longer *= 2;
        }
        s->phase = SHARING_STAY;
        break;
    }
    s->epochs = 0;
    s->seconds = s->work = 0;
}

bool sharing_begin(struct sharing *s, double now, uint64_t work)
{
    if (work) {
        s->epochs++;
        s->seconds += now - s->since;
        s->work += (double)work;
    }
    s->since = now;
    if (is_over(s))
        next_phase(s);
    return s->shared != (s->phase == SHARING_TRIAL);
}

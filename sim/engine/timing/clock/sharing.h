/* Whether host threads share the epochs of a run, or the caller's thread does them alone: what is faster on this host
 * at the moment. A host may give a process less than the processors that it shows (quotas, affinities, other work), and
 * threads that wait for one another are then slower than one. The choice affects speed alone.
 *
 * A run begins alone, since threads cost more than a short one takes. When it has turned out to be longer, most epochs
 * go the way that was faster last. From time to time a few are timed that way, and a few after them the other way; the
 * intervals grow as long as the answer is the same.
 */
#ifndef GCNSIM_ENGINE_TIMING_SHARING_H
#define GCNSIM_ENGINE_TIMING_SHARING_H

#include <stdbool.h>
#include <stdint.h>

enum sharing_phase { SHARING_STAY, SHARING_MEASURE, SHARING_TRIAL };

struct sharing {
    bool shared; /* the faster way, as far as known */
    enum sharing_phase phase;
    uint32_t longer; /* factor: of how long it stays */
    uint32_t epochs; /* of this phase */
    double since;    /* when the last epoch began */
    double seconds;  /* of the epochs of this phase, */
    double work;     /* and what they have simulated */
    double rate;     /* work in a second, as measured */
};

void sharing_init(struct sharing *s, bool at_once); /* at_once: it need not turn out that the run is long */
/* An epoch that is worth sharing begins, `now` in seconds. work: what the last one that began like this has simulated;
 * 0: its time does not count, because others came in between. Returns whether threads share the epoch. */
bool sharing_begin(struct sharing *s, double now, uint64_t work);

#endif

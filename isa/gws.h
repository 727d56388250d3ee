/* Global wave sync: 64 counters of a device at which waves of any workgroups meet (ds_gws_*, up to gfx11).
 *
 * Each is a barrier or a semaphore, whichever the last instruction made it. A barrier lets `counter` waves wait and all
 * go on with the one after them, which brings the counter of the next time. At a semaphore waves wait until the counter
 * is above 0, in the order in which they came. (GCN3, Vega and RDNA ISA, pseudocode of DS_GWS_INIT, DS_GWS_BARRIER,
 * DS_GWS_SEMA_*.) Which of them an instruction names: M0[21:16] plus its offset, modulo 64 (LLVM 19, AMDGPUUsage and
 * SIISelLowering; the base that the driver sets is 0 here).
 *
 * A wave that waits does so at the instruction itself: it returns ISA_GWS, and the engine looks at isa_gws_waits().
 * Hardware holds it at its next s_waitcnt, which compilers place right behind.
 *
 * The state is the device's and outlives launches, since a runtime initialises it by a kernel of its own. Waves that
 * wait do not: isa_gws_begin(). Calls may come from several threads.
 */
#ifndef GCNSIM_ISA_GWS_H
#define GCNSIM_ISA_GWS_H

#include <pthread.h>

#include "isa/wave.h"

enum { ISA_GWS_RESOURCES = 64 };

struct isa_gws_resource {
    int64_t counter;
    struct isa_wave *first, *last; /* that wait, in the order of their arrival; linked by gws_next */
    uint64_t latest;               /* clock of the last arrival of this phase */
};

struct isa_gws {
    pthread_mutex_t lock;
    struct isa_gws_resource r[ISA_GWS_RESOURCES];
    bool collects;             /* an engine takes the waves that were released: */
    struct isa_wave *released; /* linked by gws_next */
    uint64_t changes;          /* arrivals and releases so far */
};

void isa_gws_init(struct isa_gws *g);
void isa_gws_destroy(struct isa_gws *g);

/* Between launches of both: `to` has the counters of `from`. */
void isa_gws_copy(struct isa_gws *to, struct isa_gws *from);

/* A launch begins: nobody waits. collects: isa_gws_released() will be asked for. */
void isa_gws_begin(struct isa_gws *g, bool collects);

/* now: the engine's clock, which is put in w->gws_at of waves that go on; 0 where there is none. Those that return
 * ISA_GWS may find that the wave need not wait. */
void isa_gws_set(struct isa_gws *g, unsigned id, uint32_t value);
int isa_gws_barrier(struct isa_gws *g, unsigned id, struct isa_wave *w, uint32_t value, uint64_t now);
int isa_gws_take(struct isa_gws *g, unsigned id, struct isa_wave *w, uint64_t now);
void isa_gws_give(struct isa_gws *g, unsigned id, uint32_t count, uint64_t now);
void isa_gws_release_all(struct isa_gws *g, unsigned id, uint64_t now);

/* Whether w, which has returned ISA_GWS, has to wait still. */
static inline bool isa_gws_waits(const struct isa_wave *w)
{
    return __atomic_load_n(&w->gws_waits, __ATOMIC_ACQUIRE) != 0;
}

/* The waves that were let go since the last call, linked by gws_next. */
struct isa_wave *isa_gws_released(struct isa_gws *g);

/* w, which waits, is gone. */
void isa_gws_forget(struct isa_gws *g, const struct isa_wave *w);

uint64_t isa_gws_changes(const struct isa_gws *g);

#endif

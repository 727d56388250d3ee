/* Global wave sync: 64 counters of a device at which waves of any workgroups meet (ds_gws_*, up to gfx11).
 *
 * Each is a barrier or a semaphore, whichever the last instruction made it. A barrier lets `counter` waves wait and all
 * go on with the one after them, which brings the counter of the next time. At a semaphore waves wait until the counter
 * is above 0, in the order in which they came. (GCN3, Vega and RDNA ISA, pseudocode of DS_GWS_INIT, DS_GWS_BARRIER,
 * DS_GWS_SEMA_*.) Which of them an instruction names: M0[21:16] plus its offset, modulo 64 (LLVM 19, AMDGPUUsage and
 * SIISelLowering; the base that the driver sets is 0 here).
 *
 * A wave that waits does so at the instruction itself: it returns ISA_GWS, and the engine looks at isa_gws_waits().
 * Hardware holds it at its next s_waitcnt, which compilers place right after it.
 *
 * The state is the device's and outlives launches, since a runtime initialises it by a kernel of its own. Waves that
 * wait do not: isa_gws_begin(). Calls may come from several threads.
 *
 * The barrier of a cluster of workgroups (gfx1250) lets waves of several workgroups wait in the same way, and is the
 * launch's. Each workgroup of the cluster signals it once, and when all that have not ended have, every wave of the
 * cluster may pass one wait. (LLVM 22 lowers llvm.amdgcn.s.cluster.barrier so that one wave of a workgroup signals and
 * all wait. That a workgroup that ends is waited for no more: ROCm's hipBLASLt, rocm-libraries pull request 9690.)
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

/* The barrier of a cluster. */
struct isa_cluster {
    struct isa_gws_resource r; /* counter: signals of this phase */
    uint32_t members;          /* workgroups that have not ended */
    uint32_t phase;            /* times completed, */
    uint64_t completed;        /* the last time on the engine's clock */
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

/* The clock of an instruction that is executed with these. */
static inline uint64_t isa_gws_clock(const struct isa_env *env, const struct isa_effects *fx)
{
    return fx ? env->clock(env->ctx) : 0;
}

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

/* For a cluster of so many workgroups, of which none has begun. */
void isa_cluster_begin(struct isa_cluster *c, uint32_t members);

/* w->cluster and w->gws are not null; now: as above. Returns whether it is the first signal of the phase. */
bool isa_cluster_signal(struct isa_wave *w, uint64_t now);

/* ISA_OK when the phase that w has not passed yet is complete, w->gws_at then saying since when, else ISA_GWS. */
int isa_cluster_wait(struct isa_wave *w);

/* The last wave of w's workgroup ends. */
void isa_cluster_leave(struct isa_wave *w, uint64_t now);

/* As s_get_barrier_state has it. */
uint32_t isa_cluster_state(const struct isa_wave *w);

#endif

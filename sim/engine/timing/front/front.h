/* Front ends: what stands between the waves of a SIMD and its units.
 *
 * Two micro-architectures are modelled, each in a file of its own with its own part of the wave's state:
 *   interlocked (GCN, CDNA, RDNA1 and RDNA2): an instruction issues when its operands are ready and its unit is free;
 *   queued (RDNA3, RDNA4): an instruction issues into the queue of its unit and waits there, in order with those of the
 *   SIMD's other waves, for operands that the same unit has still to make (issue_queues.h).
 * A run has one front end, chosen from the profile when it is set up: a profile with queue.valu_entries has queues.
 *
 * A front end decides about operands and books results; the ports themselves are described in cu/ports.c, where each
 * front end has a column of needs.
 */
#ifndef GCNSIM_TIMING_FRONT_H
#define GCNSIM_TIMING_FRONT_H

#include "sim/engine/timing/cu/ports.h"
#include "sim/engine/timing/cu/verdict.h"

struct arena;
struct cu;
struct cu_simd;
struct cu_wave;
struct timing_info;

struct front_end {
    enum front_kind kind;
    bool pairs_delay_alu; /* s_delay_alu issues in the cycle of the instruction before it */
    /* Makes its part of a CU; false when out of host memory. */
    bool (*init)(struct cu *c, struct arena *arena);
    /* Resets its part of a wave that is launched. */
    void (*launch)(const struct cu *c, struct cu_wave *w);
    /* When the operands of w's next instruction allow it to issue, decided in cycle t. A verdict up to t: at once. */
    struct verdict (*operands)(const struct cu *c, struct cu_wave *w, cycle_t t);
    /* An instruction of a port that executes (port_desc) issues: takes its unit and books its results. */
    void (*execute)(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, cycle_t now);
    /* An LDS or VMEM instruction issues: returns the cycle at which its registers begin to leave the SIMD. */
    cycle_t (*send_operands)(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now);
    /* A VMEM instruction joins the operand read path; the vector memory unit is done with it at unit_done. */
    void (*enter_path)(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done, cycle_t now);
};

extern const struct front_end front_interlocked, front_queued;

static inline const struct front_end *front_of(const struct profile *p)
{
    return p->queue.valu_entries ? &front_queued : &front_interlocked;
}

#endif

/* Where wave-cycles go: one reason for every cycle of every resident wave.
 *
 * A wave is resident from its launch until its slot is free again. At each moment it has one reason, set where the
 * decision not to issue (or to issue) is made; the cycles until the next decision are charged to it. The sum over the
 * reasons is the number of resident wave-cycles, which timing.c asserts.
 *
 * "issued" is the time an instruction occupies its wave (issue.wave_issue_interval_cycles). "arbitration" is the
 * time of a wave that could issue while another one went first, or while the scheduler looks at another SIMD.
 */
#ifndef GCNSIM_ENGINE_TIMING_STALL_H
#define GCNSIM_ENGINE_TIMING_STALL_H

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

#define TIMING_STALLS(X)                                                                                               \
    X(ISSUED, "issued")                                                                                                \
    X(LAUNCH, "launch")                       /* wave set-up, up to the first issue */                                 \
    X(FETCH, "fetch")                         /* the next instruction is not in the wave's buffer */                   \
    X(BRANCH, "branch")                       /* cost of a branch beyond its own issue */                              \
    X(DEPENDENCY_VALU, "dependency_valu")     /* a result of the vector ALU is awaited */                              \
    X(DEPENDENCY_TRANS, "dependency_trans")   /* ... of the transcendental unit */                                     \
    X(DEPENDENCY_MATRIX, "dependency_matrix") /* ... of the matrix unit */                                             \
    X(DEPENDENCY_SALU, "dependency_salu")     /* ... of the scalar ALU */                                              \
    X(COUNTER_FULL, "counter_full")           /* no more operations can be outstanding */                              \
    X(BARRIER, "barrier")                                                                                              \
    X(SLEEP, "sleep")                                                                                                  \
    X(NOP, "nop")                                                                                                      \
    X(ARBITRATION, "arbitration")                                                                                      \
    X(UNIT_BUSY_VALU, "unit_busy_valu")                                                                                \
    X(UNIT_BUSY_TRANS, "unit_busy_trans")                                                                              \
    X(UNIT_BUSY_MATRIX, "unit_busy_matrix")                                                                            \
    X(UNIT_BUSY_SALU, "unit_busy_salu")                                                                                \
    X(UNIT_BUSY_SMEM, "unit_busy_smem")                                                                                \
    X(UNIT_BUSY_VMEM, "unit_busy_vmem")                                                                                \
    X(UNIT_BUSY_LDS, "unit_busy_lds")                                                                                  \
    X(UNIT_BUSY_BRANCH, "unit_busy_branch")                                                                            \
    X(MEMORY_QUEUE_FULL, "memory_queue_full") /* the memory path has no room for another instruction */                \
    X(DRAIN, "drain")                         /* ended, waiting for what is outstanding */

enum timing_stall {
#define X(E, KEY) STALL_##E,
    TIMING_STALLS(X)
#undef X
        STALL_WAIT, /* + enum wait_counter: s_waitcnt and relatives; keys "wait_vmcnt" ... */
    STALL_COUNT = STALL_WAIT + WAIT_COUNT
};

extern const char *const timing_stall_key[STALL_COUNT];

#endif

/* Stall reasons: the one reason for which each cycle of each resident wave is charged. One row for each; a new reason
 * is a row and the line that charges it. The statistics "stall_cycles.KEY" (sim/engine/stats.h) and the table in
 * docs/REPORT.md follow from the rows.
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

/* X(ENUM, "key", what the wave does, what helps). */
/* clang-format off */
#define TIMING_STALLS(X) \
    X(ISSUED, "issued", "issued an instruction, and has not reached its next issue slot", "fewer instructions") \
    X(LAUNCH, "launch", "is being set up: registers, ids, first fetch", "longer waves") \
    X(FETCH, "fetch", "has no next instruction in its buffer: instruction cache misses, or after a branch", \
      "smaller loops, code that waves share") \
    X(BRANCH, "branch", "pays for a branch beyond its own issue", "unrolling, selects") \
    X(DEPENDENCY_VALU, "dependency_valu", "awaits a result of the vector ALU", \
      "independent work in between, more waves") \
    X(DEPENDENCY_TRANS, "dependency_trans", "awaits a result of the transcendental unit", \
      "independent work in between, more waves") \
    X(DEPENDENCY_MATRIX, "dependency_matrix", "awaits a result of the matrix unit", \
      "independent work in between, more waves") \
    X(DEPENDENCY_SALU, "dependency_salu", "awaits a result of the scalar ALU", \
      "independent work in between, more waves") \
    X(DEPENDENCY_QUEUE, "dependency_queue", "waits until its earlier instructions have left their queues: they have " \
      "still to read registers that it would overwrite, or it must follow them", "other registers for results") \
    X(COUNTER_FULL, "counter_full", "has as many memory instructions outstanding as a wait counter can count", \
      "waiting earlier, wider accesses") \
    X(BARRIER, "barrier", "waits for the other waves of its workgroup", "less uneven waves, smaller workgroups") \
    X(SLEEP, "sleep", "sleeps (s_sleep)", "") \
    X(NOP, "nop", "sits out the wait states of an s_nop", "") \
    X(ARBITRATION, "arbitration", "could issue, but lost arbitration to another wave, or its SIMD had no issue " \
      "slot", "nothing is wrong: there are enough waves") \
    X(UNIT_BUSY_VALU, "unit_busy_valu", "has its operands, but the vector ALU is busy; on RDNA also with " \
      "instructions that wait in its queue for results", "cheaper instructions") \
    X(UNIT_BUSY_TRANS, "unit_busy_trans", "has its operands, but the transcendental unit is busy", \
      "cheaper instructions") \
    X(UNIT_BUSY_MATRIX, "unit_busy_matrix", "has its operands, but the matrix unit is busy", "cheaper instructions") \
    X(UNIT_BUSY_SALU, "unit_busy_salu", "has its operands, but the scalar ALU is busy", "cheaper instructions") \
    X(UNIT_BUSY_SMEM, "unit_busy_smem", "has its operands, but the scalar memory unit is busy", \
      "fewer, wider scalar loads") \
    X(UNIT_BUSY_VMEM, "unit_busy_vmem", "has its operands, but the vector memory unit is busy", \
      "fewer, wider accesses") \
    X(UNIT_BUSY_LDS, "unit_busy_lds", "has its operands, but LDS is busy", "fewer bank conflicts, wider accesses") \
    X(UNIT_BUSY_BRANCH, "unit_busy_branch", "could branch, but the branch unit is busy", "unrolling") \
    X(UNIT_BUSY_BARRIER, "unit_busy_barrier", "could signal a barrier, but too many signals of its SIMD are in flight", \
      "fewer barriers") \
    X(MEMORY_QUEUE_FULL, "memory_queue_full", \
      "has a memory instruction that the queues of the memory path cannot take", \
      "fewer, wider, better coalesced accesses") \
    X(DRAIN, "drain", "has ended; its slot is free when its last stores are done", "")

/* The same for waits on counters (s_waitcnt and its relatives); ENUM is that of WAIT_COUNTERS. */
#define TIMING_WAIT_STALLS(X) \
    X(VM, "wait_vmcnt", "waits for vector memory", "more waves, loads earlier, the caches below") \
    X(LGKM, "wait_lgkmcnt", "waits for LDS, scalar memory or messages", "more waves, loads earlier") \
    X(EXP, "wait_expcnt", "waits for exports or GDS", "") \
    X(VS, "wait_vscnt", "waits for vector memory stores", "more waves") \
    X(LOAD, "wait_loadcnt", "waits for vector memory loads", "more waves, loads earlier, the caches below") \
    X(SAMPLE, "wait_samplecnt", "waits for image samples", "") \
    X(BVH, "wait_bvhcnt", "waits for ray traversal", "") \
    X(STORE, "wait_storecnt", "waits for vector memory stores", "more waves") \
    X(DS, "wait_dscnt", "waits for LDS", "more waves, loads earlier") \
    X(KM, "wait_kmcnt", "waits for scalar memory or messages", "more waves, loads earlier") \
    X(ASYNC, "wait_asynccnt", "waits for copies between memory and LDS", "more waves, copies earlier") \
    X(TENSOR, "wait_tensorcnt", "waits for tensors copied between memory and LDS", "more waves, copies earlier")
/* clang-format on */

enum timing_stall {
#define X(E, KEY, MEANING, REMEDY) STALL_##E,
    TIMING_STALLS(X)
#undef X
        STALL_WAIT, /* + enum wait_counter */
    STALL_COUNT = STALL_WAIT + WAIT_COUNT
};

extern const char *const timing_stall_key[STALL_COUNT];
extern const char *const timing_stall_meaning[STALL_COUNT]; /* what the wave does */
extern const char *const timing_stall_remedy[STALL_COUNT];  /* "" when there is none */

#endif

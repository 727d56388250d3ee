/* Stall reasons: the one reason for which each cycle of each resident wave is charged. One row for each; a new reason
 * is a row and the line that charges it. The statistics "stall_cycles.KEY" (sim/engine/stats.h), the limiter, the
 * figures that cycles rest on, the categories of pages and the table in docs/REPORT.md follow from the rows.
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

/* What reasons have in common, in reports: X(ENUM, whether the wave waits for something, "name", about it). */
/* clang-format off */
#define TIMING_STALL_CATEGORIES(X) \
    X(ISSUED, false, "issued", "an instruction issued") \
    X(RESULT, true, "awaits ALU result", \
      "a result of the vector, scalar, transcendental or matrix unit is not there yet") \
    X(ALU, true, "ALU busy", "the unit is taken by other instructions") \
    X(MEMORY, true, "awaits memory", "loads, stores or atomics of vector memory are outstanding") \
    X(LDS, true, "awaits LDS or scalar memory", "LDS, scalar loads or messages are outstanding") \
    X(QUEUE, true, "memory queues full", "the memory path, LDS or a wait counter takes no more") \
    X(FRONT, true, "fetch and branch", "the next instruction is not there") \
    X(OTHERS, true, "barrier and sleep", "the wave waits for others, or sleeps") \
    X(ARBITRATION, false, "lost arbitration", "another wave went first: the SIMD was not idle") \
    X(OTHER, true, "launch, end, other", "set-up of the wave, its last stores, and what is in no other category")
/* clang-format on */

enum timing_stall_category {
#define X(E, WAITS, NAME, ABOUT) STALL_CATEGORY_##E,
    TIMING_STALL_CATEGORIES(X)
#undef X
        STALL_CATEGORIES
};

/* What bounds a kernel whose waves spend most of their time so (sim/report/limiter.c). */
enum timing_stall_cause {
    STALL_CAUSE_MEMORY,
    STALL_CAUSE_SCALAR,
    STALL_CAUSE_LDS,
    STALL_CAUSE_DEPENDENCY,
    STALL_CAUSE_BARRIER,
    STALL_CAUSE_FETCH,
    STALL_CAUSE_LAUNCH,
    STALL_CAUSE_SLEEP,
    STALL_CAUSE_ISSUE,
    STALL_CAUSE_VALU,
    STALL_CAUSE_TRANS,
    STALL_CAUSE_MATRIX,
    STALL_CAUSE_SALU,
    STALL_CAUSE_BRANCH,
    STALL_CAUSE_EXPORT,
    STALL_CAUSES,
    STALL_CAUSE_SHARED = STALL_CAUSES /* LDS or scalar memory, by their latencies */
};

/* What of its own wave's past an instruction followed that waited so before it issued: where the critical path goes on
 * (sim/study/analysis_path.c). */
enum timing_stall_after {
    STALL_AFTER_ORDER,   /* it did not wait: the one before, or a result that came in that very cycle */
    STALL_AFTER_NOTHING, /* the wait says nothing: what was before it does */
    STALL_AFTER_HOLD,    /* the one before, that held the wave, or that others did */
    STALL_AFTER_FETCH,   /* the one before, whose successor had to be fetched */
    STALL_AFTER_BRANCH,  /* the branch before */
    STALL_AFTER_RESULT,  /* a result */
    STALL_AFTER_UNIT,    /* what kept its unit busy */
    STALL_AFTER_QUEUE,   /* the one before, that was still in a queue */
    STALL_AFTER_MEMORY,  /* a memory instruction, that was done */
};

/* Which instruction's its cycles are (struct engine_inst). */
enum timing_stall_to {
    STALL_TO_NEXT, /* the one that has not issued */
    STALL_TO_LAST, /* the one that has, which makes the wave wait behind it */
};

/* Which figures of a profile decide how long it takes (sim/report/cycle_figures.c, docs/FIDELITY.md). */
enum timing_stall_figures {
    STALL_FIGURES_NOTHING, /* the other waves' time */
    STALL_FIGURES_ON,      /* `paths` */
    STALL_FIGURES_RESULTS, /* of the units of port `of` */
    STALL_FIGURES_BUSY,    /* the same units */
    STALL_FIGURES_LOADS,   /* through the cache `of` */
    STALL_FIGURES_STORES,
    STALL_FIGURES_LDS,
    STALL_FIGURES_LDS_OR_SCALAR,
};

/* X(ENUM, "key", category, cause, time, after, charged to, mark, figures, what the wave does, what helps). */
/* clang-format off */
#define TIMING_STALLS(X) \
    X(ISSUED, "issued", ISSUED, ISSUE, OWN, ORDER, LAST, NONE, F_ON("issue.wave_issue_interval_cycles"), \
      "issued an instruction, and has not reached its next issue slot", "fewer instructions") \
    X(LAUNCH, "launch", OTHER, LAUNCH, IDLE, HOLD, NEXT, LAUNCH, F_ON("frontend.launch_latency_cycles"), \
      "is being set up: registers, ids, first fetch", "longer waves") \
    X(FETCH, "fetch", FRONT, FETCH, IDLE, FETCH, NEXT, FETCH, F_LOADS(I), \
      "has no next instruction in its buffer: instruction cache misses, or after a branch", \
      "smaller loops, code that waves share") \
    X(BRANCH, "branch", FRONT, BRANCH, OWN, BRANCH, LAST, BRANCH, F_ON("frontend.branch_taken_cycles frontend.branch_not_taken_cycles"), \
      "pays for a branch beyond its own issue", "unrolling, selects") \
    X(DEPENDENCY_VALU, "dependency_valu", RESULT, DEPENDENCY, IDLE, RESULT, NEXT, DEPENDENCY, F_RESULTS(VALU), \
      "awaits a result of the vector ALU", \
      "independent work in between, more waves") \
    X(DEPENDENCY_TRANS, "dependency_trans", RESULT, DEPENDENCY, IDLE, RESULT, NEXT, DEPENDENCY, F_RESULTS(TRANS), \
      "awaits a result of the transcendental unit", \
      "independent work in between, more waves") \
    X(DEPENDENCY_MATRIX, "dependency_matrix", RESULT, DEPENDENCY, IDLE, RESULT, NEXT, DEPENDENCY, F_RESULTS(MATRIX), \
      "awaits a result of the matrix unit", \
      "independent work in between, more waves") \
    X(DEPENDENCY_SALU, "dependency_salu", RESULT, DEPENDENCY, IDLE, RESULT, NEXT, DEPENDENCY, F_RESULTS(SALU), \
      "awaits a result of the scalar ALU", \
      "independent work in between, more waves") \
    X(DEPENDENCY_QUEUE, "dependency_queue", RESULT, DEPENDENCY, IDLE, QUEUE, NEXT, DEPENDENCY, \
      F_ON("queue.entry_cycles queue.vgpr_read_cycles queue.salu_release_cycles queue.memory_release_cycles"), \
      "waits until its earlier instructions have left their queues: they have " \
      "still to read registers that it would overwrite, or it must follow them", "other registers for results") \
    X(COUNTER_FULL, "counter_full", QUEUE, MEMORY, STALLED, MEMORY, NEXT, QUEUE, F_LOADS(VL0), \
      "has as many memory instructions outstanding as a wait counter can count", \
      "waiting earlier, wider accesses") \
    X(BARRIER, "barrier", OTHERS, BARRIER, STALLED, HOLD, LAST, BARRIER, F_NOTHING, \
      "waits for the other waves of its workgroup", "less uneven waves, smaller workgroups") \
    X(SLEEP, "sleep", OTHERS, SLEEP, STALLED, HOLD, LAST, HELD, F_ON("frontend.sleep_unit_cycles"), \
      "sleeps (s_sleep)", "") \
    X(NOP, "nop", OTHERS, SLEEP, OWN, HOLD, LAST, HELD, F_ON("issue.wave_issue_interval_cycles"), \
      "sits out the wait states of an s_nop", "") \
    X(ARBITRATION, "arbitration", ARBITRATION, ISSUE, IDLE, NOTHING, NEXT, ARBITRATION, F_ON("cu.simds cu.issue_policy"), \
      "could issue, but lost arbitration to another wave, or its SIMD had no issue " \
      "slot", "nothing is wrong: there are enough waves") \
    X(UNIT_BUSY_VALU, "unit_busy_valu", ALU, VALU, STALLED, UNIT, NEXT, UNIT, F_BUSY(VALU), \
      "has its operands, but the vector ALU is busy; on RDNA also with " \
      "instructions that wait in its queue for results", "cheaper instructions") \
    X(UNIT_BUSY_TRANS, "unit_busy_trans", ALU, TRANS, STALLED, UNIT, NEXT, UNIT, F_BUSY(TRANS), \
      "has its operands, but the transcendental unit is busy", \
      "cheaper instructions") \
    X(UNIT_BUSY_MATRIX, "unit_busy_matrix", ALU, MATRIX, STALLED, UNIT, NEXT, UNIT, F_BUSY(MATRIX), \
      "has its operands, but the matrix unit is busy", "cheaper instructions") \
    X(UNIT_BUSY_SALU, "unit_busy_salu", ALU, SALU, STALLED, UNIT, NEXT, UNIT, F_BUSY(SALU), \
      "has its operands, but the scalar ALU is busy", "cheaper instructions") \
    X(UNIT_BUSY_SMEM, "unit_busy_smem", QUEUE, SCALAR, STALLED, UNIT, NEXT, UNIT, F_BUSY(SMEM), \
      "has its operands, but the scalar memory unit is busy", \
      "fewer, wider scalar loads") \
    X(UNIT_BUSY_VMEM, "unit_busy_vmem", QUEUE, MEMORY, STALLED, UNIT, NEXT, UNIT, F_ON("cu.vmem_send_cycles"), \
      "has its operands, but the vector memory unit is busy", \
      "fewer, wider accesses") \
    X(UNIT_BUSY_LDS, "unit_busy_lds", QUEUE, LDS, STALLED, UNIT, NEXT, UNIT, F_ON("cu.lds_bytes_per_cycle cu.lds_lanes_per_cycle"), \
      "has its operands, but LDS is busy", "fewer bank conflicts, wider accesses") \
    X(UNIT_BUSY_BRANCH, "unit_busy_branch", FRONT, BRANCH, STALLED, UNIT, NEXT, UNIT, F_BUSY(BRANCH), \
      "could branch, but the branch unit is busy", "unrolling") \
    X(UNIT_BUSY_BARRIER, "unit_busy_barrier", OTHERS, BARRIER, STALLED, HOLD, NEXT, UNIT, F_ON("frontend.barrier_messages frontend.barrier_message_cycles"), \
      "could signal a barrier, but too many signals of its SIMD are in flight", \
      "fewer barriers") \
    X(MEMORY_QUEUE_FULL, "memory_queue_full", QUEUE, MEMORY, STALLED, UNIT, NEXT, QUEUE, F_LOADS(VL0), \
      "has a memory instruction that the queues of the memory path cannot take", \
      "fewer, wider, better coalesced accesses") \
    X(DRAIN, "drain", OTHER, MEMORY, AFTER, HOLD, LAST, DRAIN, F_STORES, \
      "has ended; its slot is free when its last stores are done", "")

/* The same for waits on counters (s_waitcnt and its relatives); ENUM is that of WAIT_COUNTERS. */
#define TIMING_WAIT_STALLS(X) \
    X(VM, "wait_vmcnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for vector memory", "more waves, loads earlier, the caches below") \
    X(LGKM, "wait_lgkmcnt", LDS, SHARED, STALLED, MEMORY, NEXT, WAIT, F_LDS_OR_SCALAR, \
      "waits for LDS, scalar memory or messages", "more waves, loads earlier") \
    X(EXP, "wait_expcnt", OTHER, EXPORT, STALLED, MEMORY, NEXT, WAIT, F_ON("class.message.latency_cycles"), \
      "waits for exports or GDS", "") \
    X(VS, "wait_vscnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_STORES, \
      "waits for vector memory stores", "more waves") \
    X(LOAD, "wait_loadcnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for vector memory loads", "more waves, loads earlier, the caches below") \
    X(SAMPLE, "wait_samplecnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for image samples", "") \
    X(BVH, "wait_bvhcnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for ray traversal", "") \
    X(STORE, "wait_storecnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_STORES, \
      "waits for vector memory stores", "more waves") \
    X(DS, "wait_dscnt", LDS, LDS, STALLED, MEMORY, NEXT, WAIT, F_LDS, \
      "waits for LDS", "more waves, loads earlier") \
    X(KM, "wait_kmcnt", LDS, SCALAR, STALLED, MEMORY, NEXT, WAIT, F_LOADS(K), \
      "waits for scalar memory or messages", "more waves, loads earlier") \
    X(ASYNC, "wait_asynccnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for copies between memory and LDS", "more waves, copies earlier") \
    X(TENSOR, "wait_tensorcnt", MEMORY, MEMORY, STALLED, MEMORY, NEXT, WAIT, F_LOADS(VL0), \
      "waits for tensors copied between memory and LDS", "more waves, copies earlier")
/* clang-format on */

enum timing_stall {
#define X(E, KEY, CATEGORY, CAUSE, TIME, AFTER, TO, MARK, FIGURES, MEANING, REMEDY) STALL_##E,
    TIMING_STALLS(X)
#undef X
        STALL_WAIT, /* + enum wait_counter */
    STALL_COUNT = STALL_WAIT + WAIT_COUNT
};

struct timing_stall_row {
    uint8_t category, cause, time, after, to; /* of the enums above */
    uint8_t mark;                             /* enum stall_mark */
    struct {
        uint8_t kind, of;
        const char *paths; /* separated by blanks */
    } figures;
};

extern const char *const timing_stall_key[STALL_COUNT];
extern const char *const timing_stall_meaning[STALL_COUNT]; /* what the wave does */
extern const char *const timing_stall_remedy[STALL_COUNT];  /* "" when there is none */
extern const struct timing_stall_row timing_stall_row[STALL_COUNT];

extern const struct timing_stall_category_row {
    bool waits;
    const char *name, *about;
} timing_stall_category[STALL_CATEGORIES];

#endif

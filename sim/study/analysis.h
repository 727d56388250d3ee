/* What one wave does with a sequence, cycle by cycle (gcnsim_views.h, "analysis of a sequence").
 *
 *   analysis_record.c  the events of one wave, put together by instruction
 *   analysis_timeline.c  the same as text, over time
 *   analysis_path.c    the chain of dependences that sets an iteration's latency
 *   analysis.c         runs, resource pressure
 *   analysis_text.c    text; analysis_json.c JSON
 *
 * The wave runs the loop of compare.h twice over; what is looked at are the copies in the last pass of the second
 * kernel, where caches are warm and what went before is as what follows. Only the time is kept of the passes before it.
 */
#ifndef GCNSIM_SIM_ANALYSIS_H
#define GCNSIM_SIM_ANALYSIS_H

#include "isa/sched.h"
#include "sim/engine/timing/cu/ports.h"
#include "sim/study/compare_bench.h"
#include "sim/util/event.h"

/* An instruction of the sequence. */
struct analysis_inst {
    struct isa_inst decoded;
    struct isa_sched sched;
    struct engine_inst_unit unit;
    uint32_t offset; /* bytes from the sequence's beginning */
    const char *text;
    const char *confidence;   /* of its figures: the least sure one; null: none apply */
    double gap;               /* cycles from the issue before to its own, mean of the last pass */
    uint32_t executed, empty; /* in that pass; without a lane */
    double times;             /* that an iteration executes it; of a sequence that repeats nothing 1 */
};

/* A time for which the wave did not issue, before an instruction. */
struct analysis_stall {
    cycle_t from, to;
    uint8_t reason;
};

/* One execution of an instruction. */
struct analysis_step {
    cycle_t at;    /* issue */
    cycle_t begin; /* its unit begins it: at issue but where instructions wait in front of units */
    cycle_t done;  /* ALU: its result is ready for its own kind; memory: it has all it waited for; 0: neither */
    uint64_t lanes;
    uint32_t inst;          /* in the sequence; ANALYSIS_OUTSIDE: of the loop around it */
    uint32_t iteration;     /* the copy in its pass */
    uint32_t stall, stalls; /* those before its issue, in analysis.stall */
    uint8_t level;          /* memory: the farthest that answered */
    bool memory, requested;
};
#define ANALYSIS_OUTSIDE UINT32_MAX

/* Why one moment of the path is not earlier. */
enum analysis_edge {
    EDGE_RESULT,   /* awaits a result */
    EDGE_MEMORY,   /* awaits a memory instruction */
    EDGE_UNIT,     /* its unit is busy, or its queue is full: a structural hazard */
    EDGE_ISSUE,    /* issues in order, after the one before */
    EDGE_FETCH,    /* its code has to be fetched */
    EDGE_BRANCH,   /* after a branch */
    EDGE_HOLD,     /* s_nop, s_sleep, a barrier */
    EDGE_QUEUE,    /* passes through the queue in front of its unit */
    EDGE_OPERANDS, /* reads its operands: banks, SGPRs in flight */
    EDGE_COUNT
};

struct analysis_link {
    enum analysis_edge edge;
    uint32_t inst, to;     /* the cycles are those of `inst`, until `to` could go on */
    uint32_t iteration;    /* of inst, from the first on the path */
    bool carried;          /* into the next iteration */
    double cycles;         /* per iteration, of all its times */
    uint32_t times;        /* in that iteration: more than once in a loop of the sequence */
    uint16_t reason;       /* enum timing_stall of the wait; STALL_COUNT: none */
    uint8_t level;         /* EDGE_MEMORY: as in a step; LEVEL_COUNT + 1: no memory was asked */
    struct isa_regref reg; /* EDGE_RESULT: the register; count 0: not one */
    char register_name[24];
};

/* A unit and how long an iteration takes it. */
struct analysis_unit {
    const char *name;
    double cycles;          /* of the unit, per iteration of one wave */
    unsigned simds;         /* that share it */
    double bytes_per_cycle; /* 0: its time does not depend on how much it moves */
    double bound;           /* of the throughput: cycles of a SIMD for an iteration of one wave */
};
enum { ANALYSIS_UNITS = PORT_COUNT + 1, ANALYSIS_ISSUE = PORT_COUNT };

/* Steps, and stalls, that are kept at most: what two copies of the longest iteration have, and more. */
enum { ANALYSIS_MAX_STEPS = 4 * COMPARE_MAX_EXECUTED };

struct gcnsim_analysis {
    struct arena arena;
    const char *label, *profile, *target;
    uint32_t cus, simds, wave_size;
    struct gcnsim_compare_entry entry; /* bytes, registers, waves */
    struct analysis_inst *inst;
    uint32_t inst_count;
    gaddr_t code_base;     /* of the first copy in the kernel that runs, in the end the second */
    uint64_t code_bytes;   /* of all copies in it */
    bool queued;           /* instructions wait in front of units */
    uint32_t entry_cycles; /* of those queues: from issue to the earliest beginning, */
    uint32_t reads_most;   /* and with the reading of operands the latest */

    struct analysis_step *step; /* of the last pass, and the one before it */
    size_t steps, step_room;
    struct analysis_stall *stall;
    size_t stalls, stall_room;
    bool no_memory, too_many; /* while they were recorded: for want of memory, or more than any pass has */
    bool inside;              /* the last one is of a copy */
    uint64_t dropped;         /* steps of earlier passes */
    uint32_t passes;          /* begun; when, and how many steps before: */
    cycle_t pass_at[COMPARE_MANY_PASSES];
    uint64_t pass_step[COMPARE_MANY_PASSES];
    size_t pass_from, pass_to;  /* the steps [from, to) are copies of the sequence */
    struct event_consumer rows; /* of `wave`, which receives each event once it is taken here */
    struct wave_view *wave;     /* the same as rows of text: row k is step k */
    double executed;            /* instructions of an iteration */
    bool repeats;               /* some of them several times */

    double latency, throughput;     /* measured, cycles of an iteration: one wave; a SIMD at full occupancy */
    double stall_full[STALL_COUNT]; /* wave-cycles of an iteration */
    double issue_interval;          /* cycles between two issues of a wave */

    struct analysis_link *link;
    uint32_t links;
    uint32_t path_iterations; /* that the links are the mean of; 0: no path was found */
    double path_cycles;       /* their sum */

    struct analysis_unit unit[ANALYSIS_UNITS];
    unsigned bottleneck; /* the unit with the largest bound */
    double rthroughput;  /* that bound */
};

/* A consumer of the events of the launch's first wave. */
struct event_consumer analysis_consumer(struct gcnsim_analysis *a);
/* Gives each step its instruction, and finds those of the last pass. */
int analysis_number(struct gcnsim_analysis *a, struct err *e);
/* The instruction at an offset in the sequence; ANALYSIS_OUTSIDE: none begins there. */
uint32_t analysis_inst_at(const struct gcnsim_analysis *a, uint64_t offset);

/* abort_flag: as of the options; may be null. */
int analysis_path(struct gcnsim_analysis *a, const volatile int *abort_flag, struct err *e);
/* Cycles for which an instruction takes a unit (enum timing_port, ANALYSIS_ISSUE). */
double analysis_pressure(const struct gcnsim_analysis *a, const struct analysis_inst *i, unsigned unit);

/* The same of all times that an iteration executes it. */
double analysis_iteration_pressure(const struct gcnsim_analysis *a, const struct analysis_inst *i, unsigned unit);

extern const char *const analysis_edge_key[EDGE_COUNT];
/* "v3", "s[4:5]", "scc". */
void analysis_register(const struct isa_target *t, const struct isa_regref *r, char out[24]);

void analysis_write_timeline(FILE *f, const struct gcnsim_analysis *a, uint32_t iterations);

#endif

/* What one wave does with a sequence, cycle by cycle (gcnsim_views.h, "analysis of a sequence").
 *
 *   analysis_record.c  the events of one wave, put together by instruction
 *   analysis_timeline.c  the same as text, over time
 *   analysis_path.c    the chain of dependences that sets an iteration's latency
 *   analysis.c         runs, resource pressure
 *   analysis_text.c    text; analysis_json.c JSON
 *
 * The wave runs the loop of compare.h twice over; what is looked at are the copies in the last pass of the second
 * kernel, where caches are warm and what went before is as what follows.
 */
#ifndef GCNSIM_SIM_ANALYSIS_H
#define GCNSIM_SIM_ANALYSIS_H

#include "isa/sched.h"
#include "sim/api/compare_bench.h"
#include "sim/engine/timing/cu/ports.h"
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
    uint32_t inst; /* in the sequence; ANALYSIS_OUTSIDE: of the loop around it */
    uint32_t iteration;
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
    EDGE_ISSUE,    /* issues in order, behind the one before */
    EDGE_FETCH,    /* its code has to be fetched */
    EDGE_BRANCH,   /* behind a branch */
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
    double cycles;         /* per iteration */
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

struct gcnsim_analysis {
    struct arena arena;
    const char *label, *profile, *target;
    uint32_t cus, simds, wave_size;
    struct gcnsim_compare_entry entry; /* bytes, registers, waves */
    struct analysis_inst *inst;
    uint32_t inst_count;
    gaddr_t code_base;     /* of the first copy in the second kernel */
    bool queued;           /* instructions wait in front of units */
    uint32_t entry_cycles; /* of those queues: from issue to the earliest beginning, */
    uint32_t reads_most;   /* and with the reading of operands the latest */

    struct analysis_step *step;
    size_t steps, step_room;
    struct analysis_stall *stall;
    size_t stalls, stall_room;
    bool no_memory;         /* while they were recorded */
    struct wave_view *wave; /* the same as rows of text: row k is step k */

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
/* Gives each step its instruction: copies of `copies`, in the second kernel, from code address `from` on. */
int analysis_number(struct gcnsim_analysis *a, gaddr_t from, uint32_t copies, struct err *e);
/* The instruction at an offset in the sequence; ANALYSIS_OUTSIDE: none begins there. */
uint32_t analysis_inst_at(const struct gcnsim_analysis *a, uint64_t offset);
/* The steps [*from, *to) of the last pass that are copies of the sequence. */
void analysis_last_pass(const struct gcnsim_analysis *a, size_t *from, size_t *to);

int analysis_path(struct gcnsim_analysis *a, struct err *e);
/* Cycles for which an instruction takes a unit (enum timing_port, ANALYSIS_ISSUE). */
double analysis_pressure(const struct gcnsim_analysis *a, const struct analysis_inst *i, unsigned unit);

extern const char *const analysis_edge_key[EDGE_COUNT];
/* "v3", "s[4:5]", "scc". */
void analysis_register(const struct isa_target *t, const struct isa_regref *r, char out[24]);

void analysis_write_timeline(FILE *f, const struct gcnsim_analysis *a, uint32_t iterations);

#endif

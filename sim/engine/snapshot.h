/* Snapshots: what a run is doing at a moment. The resident waves are grouped by the instruction and the reason for
 * which they do not go on, so that the stuck ones among thousands show in a few lines.
 *
 * An engine collects a struct snapshot_wave for each resident wave at a point where its state is consistent, and gives
 * the struct snapshot made of them to engine_options.snapshot: when the run ends early (a limit, an interruption, a
 * deadlock), and whenever engine_options.snapshot_flag asks for one. The same waves describe a deadlock, so that both
 * engines say the same of one.
 *
 * The pc of a wave is that of the instruction it waits at: of a wave that has arrived at a barrier the barrier's, of
 * one that sleeps the s_sleep's, else the next one to issue.
 *
 * A snapshot and its rows belong to who made them, and hold during the call alone. Texts are static.
 */
#ifndef GCNSIM_ENGINE_SNAPSHOT_H
#define GCNSIM_ENGINE_SNAPSHOT_H

#include "sim/launch/launch.h"

struct engine_result;

enum snapshot_wait {
    SNAPSHOT_NOTHING, /* or nothing that has more to say than the reason */
    SNAPSHOT_UNTIL,   /* a cycle */
    SNAPSHOT_COUNTER, /* a wait counter */
    SNAPSHOT_BARRIER,
    SNAPSHOT_MEMORY, /* a value in memory that another wave has to write */
};

/* A wait counter that is above what the instruction demands. */
struct snapshot_counter {
    const char *key; /* "vmcnt" */
    uint32_t value, bound;
    bool has_oldest;       /* the oldest operation that the counter counts: */
    gaddr_t oldest_pc;     /* its instruction, */
    uint32_t accesses;     /* of it that have not come back, */
    uint32_t queued_lines; /* and lines that have not left the CU */
    const char *level;     /* where the first of the others is: a cache level's key, "dram"; null: unknown */
    uint32_t cu;           /* the operation, as the engine finds it again */
    uint32_t token;
};

/* A barrier of the workgroup. */
struct snapshot_barrier {
    uint32_t number;           /* 0: the workgroup's; else a named one */
    uint32_t signals, members; /* so far; needed */
    uint64_t missing;          /* waves that are running or wait elsewhere without having signalled it (named barriers:
                                  that have joined it and do not wait for it), a bit each */
    uint32_t ended;            /* waves of the workgroup */
};

struct snapshot_memory {
    gaddr_t address;
    uint64_t value; /* that is there */
    uint32_t bytes;
};

struct snapshot_wave {
    uint64_t group;
    uint32_t wave;
    gaddr_t pc;
    const char *reason; /* a stall reason's key; functional: "ready", "barrier", "sleep", "polling" */
    uint64_t since;     /* timing: cycle from which on it has not issued; functional: instructions it has executed */
    bool ended;         /* its slot is not free yet */
    uint32_t left;      /* waves of its workgroup that have ended and are not resident any more */
    enum snapshot_wait waits_for;
    uint64_t until; /* SNAPSHOT_UNTIL; CYCLE_NEVER: for ever */
    struct snapshot_counter counter;
    struct snapshot_barrier barrier;
    struct snapshot_memory memory;

    /* filled by snapshot_note_barriers() */
    bool signalled;  /* the workgroup's barrier, which has not been completed since */
    uint32_t joined; /* named barrier; 0: none */
};

/* Waves with one pc and reason. The example is the one that has waited longest. */
struct snapshot_row {
    struct snapshot_wave example;
    uint64_t waves, groups;
};

struct snapshot {
    bool timing; /* the engine */
    bool last;   /* the run has ended */
    uint64_t cycle, instructions;
    uint64_t groups, groups_done, groups_resident, groups_waiting; /* of the launch; waiting: not started */
    uint64_t waves_resident;
    struct snapshot_row *row; /* those with the most waves first */
    size_t rows;
};

/* Waves as they are collected. All zero: none. */
struct snapshot_maker {
    struct snapshot_wave *wave;
    size_t count, room;
    bool no_memory;
};

/* Says what the wave has to do with barriers; at_barrier: it waits for the one that w->barrier_wait names. */
void snapshot_note_barriers(struct snapshot_wave *out, const struct isa_wave *w, bool at_barrier);

void snapshot_add(struct snapshot_maker *m, const struct snapshot_wave *w);

/* Groups the waves; out->row is to be freed. False when out of host memory, here or before. Everything in *out but
 * rows, waves and resident workgroups is the caller's to fill, before or after. */
bool snapshot_make(struct snapshot_maker *m, const struct launch *l, struct snapshot *out);
void snapshot_maker_free(struct snapshot_maker *m);

/* Makes the result the deadlock that the waves are in: of the lowest workgroup among them, at the first of its waves
 * that waits for a barrier, else at its first one. */
void snapshot_deadlock(struct snapshot_maker *m, const struct launch *l, struct engine_result *r);

#endif

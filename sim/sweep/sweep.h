/* Runs a sweep: gives its points to processes on this machine, or on the ranks of an MPI job, and puts their results
 * into a file. docs/SWEEP.md is the manual. */
#ifndef GCNSIM_SWEEP_SWEEP_H
#define GCNSIM_SWEEP_SWEEP_H

#include <stdio.h>

#include "sim/sweep/store.h"

struct sweep_state {
    uint64_t points;       /* of the spec, or of the shard */
    uint64_t skipped;      /* that have a result already */
    uint64_t changed;      /* that have one of other options or files, */
    uint64_t other_gcnsim; /* or of another gcnsim, and are run again */
    uint64_t gone;         /* that the file had and the spec has no more; their results went with them */
    uint64_t done, failed; /* of those that were run: completed, and others */
    uint64_t again;        /* points of a rank that was lost, given to another */
    uint32_t lost;         /* ranks that are silent */
    uint32_t left;         /* ranks that run nothing, */
    char why[512];         /* and what the first one of them said */
};

struct sweep_options {
    const char *output; /* the file of the results */
    bool resume;        /* it may be there; what is in it and has not changed is not run again */
    bool retry;         /* beside that: what did not complete is run again */
    uint32_t jobs;      /* processes at a time; 0: jobs_default, or one on each rank */
    uint32_t jobs_default;
    uint32_t shard, shards;   /* points whose number has the remainder shard; shards 0: all */
    double lost_seconds;      /* MPI: a rank that says nothing for so long is lost */
    const char *gcnsim;       /* the program */
    const volatile int *stop; /* not 0: end soon */
    void (*progress)(void *ctx, const struct sweep_state *state); /* called now and then */
    void *ctx;
};

/* 0; or -1 with *e: nothing, or not all, could be run or kept. *state is set in either case. A sweep that was stopped
 * is no error. */
int sweep_run(const struct sweep_spec *spec, const struct sweep_options *o, struct sweep_state *state, struct err *e);

/* MPI is begun before anything is read, so that a rank for which something is missing does not keep the others waiting.
 * This process's rank; 0 where it is alone, -1 with *e. */
int sweep_rank_begin(struct err *e);
/* The part of a rank above 0 that has nothing to run, as *why says: rank 0 learns that and goes on without it. 0 at the
 * end of the sweep, or -1 with *e. */
int sweep_rank_idle(const struct err *why, double lost_seconds, struct err *e);
/* Rank 0, when its results are closed, or could not be opened: the others end. */
void sweep_rank_end(const struct sweep_state *state);

/* Writes what would be run, the first `most` commands, to f. 0, or -1 with *e. */
int sweep_show_plan(const struct sweep_spec *spec, const struct sweep_options *o, uint64_t most, FILE *f,
                    struct err *e);

#endif

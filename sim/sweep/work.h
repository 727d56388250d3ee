/* The work of a sweep: which points are to be run, and processes that run them. Shared by a machine and by ranks. */
#ifndef GCNSIM_SWEEP_WORK_H
#define GCNSIM_SWEEP_WORK_H

#include "sim/sweep/result.h"
#include "sim/sweep/sweep.h"

/* A point to be run, with its command: made once, when it is taken, and kept until its result is. */
struct sweep_job {
    uint64_t point;
    struct sweep_command command;
};

struct sweep_work {
    const struct sweep_spec *spec;
    const struct sweep_options *o;
    struct sweep_points *points;
    struct sweep_commands *commands;

    /* of the process that writes */
    struct sweep_store *store; /* else null */
    struct sweep_reading *reading;
    uint64_t *todo; /* points */
    uint64_t todos, next;
    uint8_t *kept; /* by point: its result has been kept, by this process */
    struct sweep_state *state;
};

/* Points and commands. */
int sweep_work_begin(struct sweep_work *w, const struct sweep_spec *spec, const struct sweep_options *o,
                     struct sweep_state *state, struct err *e);
/* The file, and what is to be done. */
int sweep_work_plan(struct sweep_work *w, struct err *e);
/* The job of a point. */
int sweep_job_make(struct sweep_work *w, uint64_t point, struct sweep_job *job, struct err *e);
void sweep_job_free(struct sweep_job *job);
/* Takes what is next to be run: 1, or 0 with an empty job: nothing; -1 with *e. */
int sweep_work_next(struct sweep_work *w, struct sweep_job *job, struct err *e);
/* Gives a point back, to be run next. */
void sweep_work_return(struct sweep_work *w, uint64_t point);
/* Keeps the result of a job, unless another one of its point was kept before. host, worker: who ran it; null host: this
 * one. */
int sweep_work_keep(struct sweep_work *w, const struct sweep_job *job, const struct sweep_raw *raw, const char *host,
                    const char *worker, struct err *e);
int sweep_work_end(struct sweep_work *w, struct err *e);

/* ---- processes at a time ---- */

struct sweep_slot {
    struct sweep_child child;
    struct sweep_job job;
};
struct sweep_crew {
    struct sweep_slot *slot;
    uint32_t slots, busy;
};

int sweep_crew_new(struct sweep_crew *c, uint32_t slots, struct err *e);
/* Kills what runs. */
void sweep_crew_free(struct sweep_crew *c);
/* Starts a job, which is the crew's from here on, in a free slot, of which there is one. */
int sweep_crew_start(struct sweep_crew *c, struct sweep_work *w, struct sweep_job *job, struct err *e);
/* Waits up to so many milliseconds until one may have ended. */
void sweep_crew_wait(const struct sweep_crew *c, int milliseconds);
/* A slot whose process has ended (its job and raw result are the caller's); null: none. */
struct sweep_slot *sweep_crew_ended(struct sweep_crew *c);
/* Keeps the results of those that have ended, of the process that writes, and starts others in their places. */
int sweep_crew_turn(struct sweep_crew *c, struct sweep_work *w, const char *worker, struct err *e);

/* The part of a rank of an MPI job: rank 0 plans and deals, others run. ready: whether the work could be begun, else *e
 * says why not. *done: this process is one of several. */
int sweep_rank_run(struct sweep_work *w, bool ready, bool *done, struct err *e);

#endif

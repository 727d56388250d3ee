/* A launch on an engine, from the options that the engine is given to the result that is made of its own. (launch.c) */
#ifndef GCNSIM_API_RUNNING_H
#define GCNSIM_API_RUNNING_H

#include "sim/api/api.h"
#include "sim/api/timeline.h"

struct check;           /* sim/check/check.h */
struct api_run_options; /* sim/api/run_options.h */

/* A launch between its beginning and its end. */
struct api_running {
    struct gcnsim *sim;
    const struct launch *l;
    struct report_run *run;
    struct engine_options o; /* that the engine is to be given, and its result */
    struct engine_result *r;
    struct api_snapshots snapshots;
    struct check *checks;
    struct arena arena;
    struct api_timed timed;
    double start;
};
/* Fills in the parts of `run` about overrides, profile and host; *a stays where it is. api_end() in any case; ran: the
 * engine has filled a->r. check: null: it is not checked; else the code objects that its code can reach besides the
 * simulator's modules and its own, `count` of them, and whether its stores to these are all that is looked at. */
struct api_check {
    const struct gcnsim_placed_code *placed;
    size_t count;
    bool stores_alone;
};
int api_begin(struct api_running *a, struct gcnsim *sim, const struct launch *l, const struct engine_options *options,
              struct report_run *run, const struct api_check *check, const struct api_run_options *asked,
              struct err *e);
int api_end(struct api_running *a, bool ran, struct gcnsim_result **out, struct err *e);

/* Runs a prepared launch on the engine that `run` says and makes the result. Fills the parts of `run` about overrides,
 * profile and host. asked: what `options` were made of; its timeline and its snapshots are served here. */
int api_run(struct gcnsim *sim, const struct launch *l, const struct engine_options *options, struct report_run *run,
            const struct api_check *check, const struct api_run_options *asked, struct gcnsim_result **out,
            struct err *e);

#endif

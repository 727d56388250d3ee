/* A raw launch that is ready to run, for the calls that run one (raw.c) and several at once (feed.c). */
#ifndef GCNSIM_API_RAW_H
#define GCNSIM_API_RAW_H

#include "sim/api/run_options.h"
#include "sim/api/running.h"
#include "sim/launch/dispatch.h"
#include "sim/launch/state.h"
#include "sim/loader/code_object.h"

/* Where its parts come from, and its resources. */
struct raw_run {
    struct launch_state s;
    struct launch l;
    struct engine_options options;
    struct api_engine_parts parts;
    struct report_run report;
    struct mem_space space;
    struct co_target_id id;
    gaddr_t code_base;
    uint64_t code_bytes;
    struct isa_program *program; /* its own; null: the caller's */
};

/* The caller's struct as one of this version. */
int api_take_raw(struct gcnsim_raw *own, const struct gcnsim_raw *from, struct err *e);

/* raw must last as long as the run. Null with *e. */
struct raw_run *raw_open(struct gcnsim *sim, const struct gcnsim_raw *raw, struct err *e);
void raw_close(struct raw_run *r); /* null is fine */

/* What of it is checked; null: nothing. */
static inline const struct api_check *raw_checks(const struct gcnsim_raw *raw, struct api_check *to)
{
    *to = (struct api_check){raw->placed, raw->placed_count, !raw->check};
    return raw->check || raw->check_stores ? to : NULL;
}

/* Opens the traces that raw asks for and puts them among the run's consumers; api_traces_close() in any case. */
int raw_traces_open(struct api_traces *t, struct raw_run *r, const struct gcnsim_raw *raw, struct err *e);

#endif

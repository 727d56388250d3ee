/* Reads what the process of a point has left: gcnsim's reports, and how it ended. */
#ifndef GCNSIM_SWEEP_RESULT_H
#define GCNSIM_SWEEP_RESULT_H

#include "sim/api/gcnsim.h"
#include "sim/sweep/child.h"
#include "sim/sweep/store.h"

struct sweep_reading;

/* Whether the sum of a statistic over launches is that of a run of all of them. */
bool sweep_stat_is_sum(const struct gcnsim_stat *stat);

/* Null: out of host memory. */
struct sweep_reading *sweep_reading_new(void);
void sweep_reading_free(struct sweep_reading *r); /* null is fine */

/* *out points into the reading and the raw result, until the next call. program: of gcnsim exec. */
void sweep_reading_take(struct sweep_reading *r, const struct sweep_raw *raw, bool program, struct sweep_result *out);

#endif

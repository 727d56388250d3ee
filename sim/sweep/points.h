/* The points of a sweep: which candidates are run, and what each one's values are. */
#ifndef GCNSIM_SWEEP_POINTS_H
#define GCNSIM_SWEEP_POINTS_H

#include "sim/sweep/spec.h"

struct sweep_points;

/* Finds them. Figures that axes set and filters name are looked up in the profiles. 0, or -1 with *e: an unknown figure
 * or name, an expression that is none, more points than limits.points. */
int sweep_points_make(struct sweep_points **out, const struct sweep_spec *s, struct err *e);
void sweep_points_free(struct sweep_points *p); /* null is fine */

uint64_t sweep_points_count(const struct sweep_points *p);
/* Candidates that the filters did not let through, and points of a Latin hypercube that were not found for that. */
uint64_t sweep_points_filtered(const struct sweep_points *p);
uint64_t sweep_points_missing(const struct sweep_points *p);

const struct sweep_launch *sweep_point_launch(const struct sweep_points *p, uint64_t point);
const char *sweep_point_profile(const struct sweep_points *p, uint64_t point); /* null: the launch's own */
const struct sweep_value *sweep_point_value(const struct sweep_points *p, uint64_t point, uint32_t column);
/* The value of {NAME}: a parameter, or a definition; null: there is no such name, or it has no value. Valid until the
 * next call. */
const char *sweep_point_word(struct sweep_points *p, uint64_t point, const char *name);

#endif

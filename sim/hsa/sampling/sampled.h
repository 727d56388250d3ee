/* One dispatch of a sampled program: what its sampler is asked when it begins, and informed when it has ended. */
#ifndef GCNSIM_HSA_SAMPLED_H
#define GCNSIM_HSA_SAMPLED_H

#include "sim/hsa/sampling/sample.h"

/* For reports. All 0: the program is not sampled. */
struct dispatch_sample {
    bool sampled, timed, warmed;
    uint32_t cluster; /* 0: none */
    double cycles;    /* not timed: the estimate; 0: there is none */
    bool in_part;     /* timed: some of its workgroups alone, and its cycles are an estimate */
};

/* All 0: its program is not sampled. */
struct sampled {
    struct sampler *sampler;
    struct sample_class *class; /* null: none */
    enum sample_mode mode;
};

/* The dispatch whose launch is `raw` begins. Returns how it is to be run, and has the launch count what sampled_timed()
 * and sampled_executed() want. alone: nothing is in flight. workgroups: as gcnsim_raw.sample_workgroups, for what is
 * timed and can do with some of its workgroups. */
enum sample_mode sampled_begin(struct sampled *s, struct sampler *sampler, struct gcnsim_raw *raw, bool alone,
                               uint64_t workgroups, struct dispatch_sample *out);
/* It was timed. result: null: it could not be. */
void sampled_timed(const struct sampled *s, const struct gcnsim_raw *raw, const struct gcnsim_result *result,
                   struct dispatch_sample *out);
/* It was executed without time. */
void sampled_executed(const struct sampled *s, const struct gcnsim_raw *raw, const struct gcnsim_result *result,
                      struct dispatch_sample *out);
/* It could not be executed. */
void sampled_lost(const struct sampled *s);

#endif

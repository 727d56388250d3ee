/* A launch on a timeline, for the files of sim/api. */
#ifndef GCNSIM_API_TIMELINE_H
#define GCNSIM_API_TIMELINE_H

#include "sim/report/maker.h"
#include "sim/util/event.h"

struct engine_options;
struct gcnsim;
struct gcnsim_on_timeline;
struct gcnsim_wave_view;
struct timeline_device;
struct wave_view;

/* All zero: it is on none. */
struct api_timed {
    struct timeline_device *on;
    uint16_t tag;
    uint32_t queue; /* of the device's */
    cycle_t begin;  /* by its clock, before the launch */
    bool own_samples, has_arena;
    struct arena arena; /* of texts */
    struct report_maker maker;
    const struct code_object *code; /* for source lines; null: none, */
    struct gcnsim_wave_view *view;  /* null: none is wanted */
    struct wave_view *wave;
    struct event_consumer wave_consumer;
    const char *kernel;
    gaddr_t base; /* where its address `vaddr` is */
    uint64_t vaddr;
};

/* Puts a launch on the timeline that `from` says (null: none): sets the options by which the engine reports it. x
 * stays where it is until api_timed_end(), which is called in any case. 0, or -1 with *e. */
int api_timed_begin(struct api_timed *x, const struct gcnsim_on_timeline *wanted, struct gcnsim *sim,
                    const struct launch *l, const struct report_run *run, struct engine_options *o, struct err *e);
/* r: its result; null: it has not been run. */
void api_timed_end(struct api_timed *x, struct engine_result *r);

#endif

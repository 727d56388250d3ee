/* A sample's launch file run by the timing engine through the public API. Include cmocka's headers first. */
#ifndef TESTS_SUPPORT_RUN_SAMPLE_H
#define TESTS_SUPPORT_RUN_SAMPLE_H

#include <string.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"

/* To its end, or max_cycles; anything else fails the test. profile: null for the launch file's. Only engine,
 * tick_every_cycle, threads and what asks for more of the result is taken from `with`. The caller frees the result. */
static inline struct gcnsim_result *run_sample_engine(const char *path, const char *profile,
                                                      const struct gcnsim_dispatch *with)
{
    struct gcnsim_error error = {0};
    struct gcnsim_launch_file *f;
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r = NULL;

    gcnsim_launch_file_open(&f, path, &error);
    assert_string_equal(error.text, "");
    gcnsim_open(&sim, profile ? profile : f->arch, &error);
    assert_string_equal(error.text, "");
    api_threads_at_once(sim);
    gcnsim_load_file(sim, &module, f->file, NULL, &error);
    assert_string_equal(error.text, "");
    gcnsim_dispatch_init(&d);
    gcnsim_code_find_kernel(gcnsim_module_code(module), f->kernel, &d.kernel, &error);
    assert_string_equal(error.text, "");
    gcnsim_args_parse(module, d.kernel, f->args, f->arg_count, f->directory, &args, &error);
    assert_string_equal(error.text, "");
    d.engine = with->engine;
    d.check = with->check;
    memcpy(d.grid_size, f->grid, sizeof d.grid_size);
    memcpy(d.workgroup_size, f->workgroup, sizeof d.workgroup_size);
    d.dynamic_group_segment_size = f->dynamic_lds_bytes;
    d.args = args;
    d.tick_every_cycle = with->tick_every_cycle;
    d.threads = with->threads;
    d.samples = with->samples;
    d.timeline = with->timeline;
    d.per_instruction = with->per_instruction;
    d.visits = with->visits;
    d.max_cycles = with->max_cycles;
    gcnsim_launch(module, &d, &r, &error);
    assert_string_equal(error.text, "");
    assert_non_null(r);
    if (r->outcome != GCNSIM_COMPLETED && !with->max_cycles)
        fail_msg("%s: %s", path, r->message);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    gcnsim_launch_file_close(f);
    return r;
}

/* The same on the timing engine, or, with `check`, the functional one. */
static inline struct gcnsim_result *run_sample_on(const char *path, const char *profile,
                                                  const struct gcnsim_dispatch *with)
{
    struct gcnsim_dispatch d = *with;

    d.engine = with->check ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
    return run_sample_engine(path, profile, &d);
}

static inline struct gcnsim_result *run_sample_with(const char *path, const struct gcnsim_dispatch *with)
{
    return run_sample_on(path, NULL, with);
}

static inline struct gcnsim_result *run_sample(const char *path, int every_cycle)
{
    return run_sample_with(path, &(struct gcnsim_dispatch){.tick_every_cycle = every_cycle});
}

#endif

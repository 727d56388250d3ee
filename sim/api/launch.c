/* Public API: launches. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/run_options.h"
#include "sim/api/running.h"
#include "sim/check/check.h"
#include "sim/launch/dispatch.h"
#include "sim/util/host_time.h"

#define SMALL_BLOCK_BYTES 4096 /* of memory for a few names */

static const struct gcnsim_dispatch initial = {.grid_size = {1, 1, 1},
                                               .workgroup_size = {1, 1, 1},
                                               .engine = GCNSIM_ENGINE_TIMING,
                                               .acquire = GCNSIM_FENCE_AGENT,
                                               .release = GCNSIM_FENCE_AGENT};

static const struct api_struct kind = {.what = "dispatch",
                                       .init = "gcnsim_dispatch_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_dispatch, hotspots)};

void gcnsim_dispatch_init_sized(struct gcnsim_dispatch *d, size_t struct_bytes)
{
    api_struct_init(&kind, d, struct_bytes);
}

int api_take_dispatch(struct gcnsim_dispatch *own, const struct gcnsim_dispatch *from, struct err *e)
{
    return api_struct_take(&kind, own, from, e);
}

static const struct gcnsim_placed_code placed_initial;
static const struct api_struct placed_kind = {.what = "placed code object",
                                              .init = "gcnsim_placed_code_init",
                                              .initial = &placed_initial,
                                              .bytes = sizeof placed_initial,
                                              .least = API_BYTES_THROUGH(struct gcnsim_placed_code, address)};

void gcnsim_placed_code_init_sized(struct gcnsim_placed_code *p, size_t struct_bytes)
{
    api_struct_init(&placed_kind, p, struct_bytes);
}

/* The checks with the code objects that the launch can reach. */
static int open_checks(struct api_running *a, const struct api_check *check, struct err *e)
{
    struct gcnsim_placed_code placed;
    struct check_object *list;
    size_t n = 0, most = check->count + 1;

    for (const struct gcnsim_module *m = a->sim->modules; m; m = m->next)
        most++;
    list = ARENA_NEW(&a->arena, most, struct check_object);
    if (!list)
        return err_set(e, ERR_NOMEM, "out of host memory for the checks");
    for (const struct gcnsim_module *m = a->sim->modules; m; m = m->next)
        list[n++] = (struct check_object){m->code->co, m->load_base};
    if (a->run->code)
        list[n++] = (struct check_object){a->run->code, a->run->load_base};
    for (size_t k = 0; k < check->count; k++) {
        if (api_array_take(&placed_kind, &placed, check->placed, k, e))
            return -1;
        list[n++] = (struct check_object){placed.object->co, placed.address};
    }
    a->checks = check_open(a->l, list, n, check->stores_alone, &a->o);
    return a->checks ? 0 : err_set(e, ERR_NOMEM, "out of host memory for the checks");
}

int api_begin(struct api_running *a, struct gcnsim *sim, const struct launch *l, const struct engine_options *options,
              struct report_run *run, const struct api_check *check, const struct api_run_options *asked, struct err *e)
{
    *a = (struct api_running){.sim = sim, .l = l, .run = run, .o = *options, .start = host_seconds()};
    arena_init(&a->arena, SMALL_BLOCK_BYTES);
    a->snapshots = (struct api_snapshots){.fn = asked->snapshot, .ctx = asked->snapshot_ctx, .l = l, .run = run};
    a->o.snapshot = api_take_snapshot;
    a->o.snapshot_ctx = &a->snapshots;
    a->o.pool = sim->pool;
    a->o.threads_at_once = sim->threads_at_once;
    a->o.pieces = sim->pieces;
    run->threads = a->o.threads ? a->o.threads : 1;
    a->r = calloc(1, sizeof *a->r);
    if (!a->r)
        return err_set(e, ERR_NOMEM, "out of host memory for a result");
    if (check && open_checks(a, check, e))
        return -1;
    return api_profile_sha256(sim, l->profile, run->profile_sha256, e) ||
                   api_overrides(sim, l, &a->o, check != NULL, &a->arena, run, e) ||
                   api_timed_begin(&a->timed, asked->timeline, sim, l, run, &a->o, e)
               ? -1
               : 0;
}

int api_end(struct api_running *a, bool ran, struct gcnsim_result **out, struct err *e)
{
    int failed = 0;

    a->run->seconds = host_seconds() - a->start;
    api_timed_end(&a->timed, ran ? a->r : NULL);
    if (!ran)
        report_snapshot_free(a->snapshots.last);
    else if (!(*out = api_result(report_make(a->l, a->checks, a->snapshots.last, a->r, a->run))))
        failed = err_set(e, ERR_NOMEM, "out of host memory for a result");
    if (ran &&
        !failed) /* a run that has a result did without what the memory limit refused, or ended in a fault for it */
        budget_forget(&a->sim->budget);
    check_close(a->checks);
    arena_free(&a->arena);
    if (a->r)
        engine_result_free(a->r);
    free(a->r);
    return failed;
}

int api_run(struct gcnsim *sim, const struct launch *l, const struct engine_options *options, struct report_run *run,
            const struct api_check *check, const struct api_run_options *asked, struct gcnsim_result **out,
            struct err *e)
{
    struct api_running a;
    int failed = api_begin(&a, sim, l, options, run, check, asked, e);

    if (!failed)
        failed = !run->timing   ? engine_run_functional(l, &a.o, a.r, e)
                 : a.o.sampling ? engine_run_sampled(l, &a.o, a.r, e)
                                : engine_run_timing(l, &a.o, a.r, e);
    return api_end(&a, !failed, out, e) || failed ? -1 : 0;
}

int api_check_engine(enum gcnsim_engine engine, const struct profile *p, const char *target, struct err *e)
{
    if (engine != GCNSIM_ENGINE_TIMING && engine != GCNSIM_ENGINE_FUNCTIONAL)
        return err_set(e, ERR_USAGE, "engine %d; expected GCNSIM_ENGINE_TIMING or GCNSIM_ENGINE_FUNCTIONAL",
                       (int)engine);
    if (engine == GCNSIM_ENGINE_TIMING && !p)
        return err_set(e, ERR_USAGE,
                       "the timing engine needs a profile, and none is the default for %s; expected the name of "
                       "another one, or the functional engine",
                       target);
    return 0;
}

/* Explicit kernarg bytes of the dispatch, from whichever of the two ways it gives them. */
static int explicit_args(const struct gcnsim_module *m, const struct gcnsim_dispatch *d, struct launch_request *q,
                         struct err *e)
{
    if (d->args && d->kernarg)
        return err_set(e, ERR_USAGE, "dispatch has both args and kernarg bytes; expected one");
    if (d->args) {
        if (d->args->module != m || d->args->kernel != d->kernel)
            return err_set(e, ERR_USAGE, "dispatch has arguments that were parsed for another kernel");
        q->kernarg = d->args->a->kernarg;
        q->kernarg_bytes = d->args->a->kernarg_bytes;
        if (q->dynamic_lds_bytes > UINT32_MAX - d->args->a->lds_bytes)
            return err_set(e, ERR_USAGE, "%u bytes of dynamic LDS", q->dynamic_lds_bytes);
        q->dynamic_lds_bytes += d->args->a->lds_bytes;
    } else if (d->kernarg) {
        q->kernarg = d->kernarg;
        q->kernarg_bytes = d->kernarg_size;
    }
    return 0;
}

static int check_dispatch(const struct gcnsim_module *m, const struct gcnsim_dispatch *d,
                          const struct api_run_options *asked, struct err *e)
{
    if (api_check_kernel(m->code->co, d->kernel, e))
        return -1;
    if (!m->program)
        return err_set(e, ERR_FORMAT, "%s: no executable segment", code_object_name(m->code->co));
    return api_check_run(asked, d->trace_count != 0, e) ||
                   api_check_engine(d->engine, m->sim->profile, m->target->name, e)
               ? -1
               : 0;
}

/* The host has written the packet, and what it points to, for this launch. */
static void tell_device(struct gcnsim *sim, const struct launch_dispatch *d)
{
    for (unsigned k = 0; k < d->owned_count; k++) {
        const struct mem_range *r = mem_space_find(&sim->space, d->owned[k]);

        if (r && (r->flags & MEM_KIND_MASK) != MEM_KIND_SCRATCH)
            api_device_written(sim, r->lo, r->hi - r->lo);
    }
}

static struct launch_request request_of(const struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                                        const struct co_kernel *k)
{
    struct launch_request q = {
        .space = &module->sim->space,
        .target = module->target,
        .program = module->program,
        .profile = module->sim->profile,
        .family = code_object_target(module->code->co)->family,
        .kernel = k,
        .descriptor = module->load_base + (k->descriptor_vaddr - module->base_vaddr),
        .entry = module->load_base + (k->entry_vaddr - module->base_vaddr),
        .dynamic_lds_bytes = dispatch->dynamic_group_segment_size,
        .private_bytes = dispatch->private_segment_size,
    };

    memcpy(q.grid, dispatch->grid_size, sizeof q.grid);
    memcpy(q.workgroup, dispatch->workgroup_size, sizeof q.workgroup);
    memcpy(q.cluster, dispatch->cluster_size, sizeof q.cluster);
    return q;
}

/* more: consumers of the run's events, beside those of the dispatch; null: none. */
static int launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch,
                  const struct api_run_options *asked, const struct event_consumer *more, struct gcnsim_result **out,
                  struct gcnsim_error *error)
{
    struct err e = {0};
    struct launch_dispatch d;
    const struct co_kernel *k = code_object_kernel(module->code->co, dispatch->kernel);
    struct launch_request q = request_of(module, dispatch, k);
    struct api_engine_parts parts;
    struct engine_options options = api_engine_options(asked, &parts);
    options.hotspots = dispatch->hotspots;
    options.consumers = more;
    struct report_run run = {.kernel = k->name,
                             .timing = dispatch->engine == GCNSIM_ENGINE_TIMING,
                             .load_base = module->load_base,
                             .base_vaddr = module->base_vaddr,
                             .code = module->code->co,
                             .command_line = dispatch->command_line};
    memcpy(run.grid, dispatch->grid_size, sizeof run.grid);
    memcpy(run.code_sha256, module->sha256, sizeof run.code_sha256);
    /* Allocations of a launch are freed after it, and the next one gets the same addresses, as a runtime has one place
     * for arguments, packets and scratch: its pages are known, and its lines are those that the host has written anew.
     */
    const gaddr_t next = module->sim->space.next;
    if (explicit_args(module, dispatch, &q, &e) ||
        api_use_device(module->sim, run.timing, dispatch->cold, &options, &e) || launch_prepare(&d, &q, &e))
        return api_fail_in(module->sim, error, &e);
    if (api_check_sampled(asked, &d.launch, &e)) {
        launch_release(&d);
        return api_fail_in(module->sim, error, &e);
    }
    d.launch.gws = &module->sim->gws;
    run.scratch_bytes = d.launch.state->scratch_bytes_per_lane;
    tell_device(module->sim, &d);
    struct api_traces traces;
    const struct api_trace_plan plan = {.traces = dispatch->traces,
                                        .trace_count = dispatch->trace_count,
                                        .att = dispatch->att,
                                        .timing = run.timing,
                                        .object = module->code,
                                        .object_address = module->load_base,
                                        .kernel = k->name};
    int failed = api_traces_open(&traces, &plan, &d.launch, &run, &options, &e);
    if (!failed)
        failed = api_run(module->sim, &d.launch, &options, &run, dispatch->check ? &(struct api_check){0} : NULL, asked,
                         out, &e);
    launch_release(&d);
    module->sim->space.next = next;
    /* a result is not lost with a trace: the caller gets both it and the error */
    if (api_traces_close(&traces, !failed, &e))
        failed = -1;
    return failed ? api_fail_in(module->sim, error, &e) : GCNSIM_OK;
}

int gcnsim_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch, struct gcnsim_result **out,
                  struct gcnsim_error *error)
{
    return api_launch(module, dispatch, NULL, out, error);
}

int api_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch, const struct event_consumer *more,
               struct gcnsim_result **out, struct gcnsim_error *error)
{
    struct err e = {0};
    struct gcnsim_dispatch own;

    *out = NULL;
    if (api_take_dispatch(&own, dispatch, &e))
        return api_fail(error, &e);
    const struct api_run_options asked = API_RUN_OPTIONS(&own);
    if (check_dispatch(module, &own, &asked, &e) || api_check_files(module, &own, NULL, 0, &e))
        return api_fail(error, &e);
    return launch(module, &own, &asked, more, out, error);
}

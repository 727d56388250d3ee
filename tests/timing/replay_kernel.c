/* Makes a launch of a recorded dispatch, and what those of its capture before it have left on the device. */
#include "tests/timing/replay_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/device.h"

enum { MAX_CYCLES = 20000000 };

/* Zero-filled buffers and a kernarg of pointers to them. */
static int make_kernarg(struct gcnsim *sim, const struct trace *t, uint8_t *kernarg, struct err *e)
{
    for (size_t n = 0; n < t->buffers; n++) {
        gaddr_t at;

        if (mem_space_alloc(&sim->space, t->buffer_elements[n] * 8 + 4096, 4096, MEM_READ | MEM_WRITE, "buffer", &at,
                            e))
            return -1;
        for (unsigned b = 0; b < 8; b++)
            kernarg[n * 8 + b] = (uint8_t)(at >> 8 * b);
    }
    return 0;
}

/* A runtime hands out kernel arguments from the beginning of a page: others before these are those of earlier
 * dispatches, which have used the page. */
static gaddr_t earlier_arguments(const struct gcnsim *sim, const struct replay_dispatch *d, const struct trace *t)
{
    for (unsigned n = 0; t->kernarg % 4096 && n < d->dispatch.owned_count; n++) {
        const struct mem_range *r = mem_space_find(&sim->space, d->dispatch.owned[n]);

        if (r && (r->flags & MEM_KIND_MASK) == MEM_KIND_KERNARG)
            return r->lo;
    }
    return 0;
}

static int prepare(struct gcnsim *sim, struct replay_dispatch *d, const struct trace *t, struct err *e)
{
    const struct gcnsim_module *m = d->module;
    const struct co_kernel *co;
    uint8_t kernarg[32 * 8];
    struct launch_request q = {
        .space = &sim->space,
        .target = m->target,
        .program = m->program,
        .profile = sim->profile,
        .family = code_object_target(m->code->co)->family,
    };

    if (!m->program || !sim->profile)
        return err_set(e, ERR_UNSUPPORTED, "no program or no profile");
    co = code_object_find_kernel(m->code->co, t->kernel, e);
    if (!co || make_kernarg(sim, t, kernarg, e))
        return -1;
    /* a kernel that asks for more LDS than there is got what there is */
    d->kernel = *co;
    if (d->kernel.descriptor.group_segment_fixed_size > sim->profile->cu.lds_max_per_workgroup_bytes)
        d->kernel.descriptor.group_segment_fixed_size = sim->profile->cu.lds_max_per_workgroup_bytes;
    q.kernel = &d->kernel;
    q.descriptor = m->load_base + (co->descriptor_vaddr - m->base_vaddr);
    q.entry = m->load_base + (co->entry_vaddr - m->base_vaddr);
    d->entry = q.entry;
    q.kernarg = kernarg;
    q.kernarg_bytes = t->buffers * 8;
    /* kernels that use only some of their buffers say so */
    if (co->descriptor.kernarg_size && co->descriptor.kernarg_size < q.kernarg_bytes)
        q.kernarg_bytes = co->descriptor.kernarg_size;
    for (unsigned n = 0; n < 3; n++) {
        q.workgroup[n] = t->workgroup_size[n];
        q.grid[n] = t->workgroups[n] * t->workgroup_size[n];
    }
    if (launch_prepare(&d->dispatch, &q, e))
        return -1;
    d->prepared = true;
    d->options = (struct engine_options){.max_cycles = MAX_CYCLES,
                                         .acquire = MEM_FENCE_AGENT,
                                         .release = MEM_FENCE_AGENT,
                                         .code_page_known = replay_beside_runtime(sim, t),
                                         .host_page_known = earlier_arguments(sim, d, t)};
    return 0;
}

/* Code that has lain elsewhere than that of the dispatch before is not in the reach of its translations. */
static int move_on(struct gcnsim *sim, const struct trace *t, const struct trace *before, struct err *e)
{
    gaddr_t reach = UINT64_C(16) << 20, at;

    if (replay_same_translations(before, t))
        return 0;
    return mem_space_alloc(&sim->space, 2 * reach, reach, MEM_READ, "elsewhere", &at, e);
}

static int load(struct gcnsim *sim, struct replay_dispatch *d, const struct trace *t, const char *folder, struct err *e)
{
    struct gcnsim_error problem = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, t->code);
    if (gcnsim_load_file(sim, &d->module, path, t->target, &problem))
        return err_set(e, (enum err_code)problem.code, "%s", problem.text);
    return 0;
}

/* Whether some built-in profile is for the target. */
static bool has_profile(const char *target)
{
    struct profile_entry *list;
    size_t count;
    bool found = false;

    if (profile_list(&list, &count, NULL))
        return false;
    for (size_t k = 0; k < count; k++)
        found |= !strcmp(list[k].target, target);
    free(list);
    return found;
}

/* All code first: what is prepared after it lies as it would without pieces in between. */
static int load_all(struct replay_kernel *k, const struct trace *t, const struct replay_before *before,
                    const char *folder, struct err *e)
{
    for (size_t n = 0; n < before->count; n++) {
        const struct trace *next = n + 1 < before->count ? before->trace[n + 1] : t;

        if (load(k->sim, &k->before[k->befores++], before->trace[n], folder, e) ||
            move_on(k->sim, next, before->trace[n], e))
            return -1;
    }
    if (load(k->sim, &k->own, t, folder, e))
        return -1;
    for (size_t n = 0; n < before->count; n++)
        if (prepare(k->sim, &k->before[n], before->trace[n], e))
            return -1;
    return prepare(k->sim, &k->own, t, e);
}

struct replay_kernel *replay_kernel_open(const struct trace *t, const struct replay_before *before, const char *folder,
                                         const char *const *sets, size_t set_count, struct err *e)
{
    struct replay_kernel *k = calloc(1, sizeof *k);
    struct gcnsim_error problem = {0};

    if (!k) {
        err_set(e, ERR_NOMEM, "out of host memory");
        return NULL;
    }
    k->maps = replay_maps(t);
    if (!has_profile(t->target))
        err_set(e, ERR_UNSUPPORTED, "no profile for %s", t->target);
    else if (gcnsim_open(&k->sim, t->target, &problem) || replay_runtime(k->sim, t, &problem) ||
             gcnsim_set_all(k->sim, sets, set_count, &problem) || replay_clock(k->sim, t, &problem))
        err_set(e, (enum err_code)problem.code, "%s", problem.text);
    else if (!load_all(k, t, before, folder, e))
        return k;
    replay_kernel_close(k);
    return NULL;
}

void replay_kernel_close(struct replay_kernel *k)
{
    if (!k)
        return;
    for (size_t n = 0; n < k->befores; n++)
        if (k->before[n].prepared)
            launch_release(&k->before[n].dispatch);
    if (k->own.prepared)
        launch_release(&k->own.dispatch);
    gcnsim_close(k->sim);
    free(k);
}

struct engine_device *replay_device(struct replay_kernel *k, struct err *e)
{
    struct engine_device *d = engine_device_new();
    struct engine_result *r = calloc(1, sizeof *r);
    bool failed = !d || !r;

    if (failed)
        err_set(e, ERR_NOMEM, "out of host memory");
    for (size_t n = 0; n < k->befores && !failed; n++) {
        struct engine_options options = k->before[n].options;

        options.device = d;
        failed = engine_run_timing(&k->before[n].dispatch.launch, &options, r, e);
        if (k->maps)
            engine_device_mapped(d);
    }
    free(r);
    if (!failed)
        return d;
    engine_device_free(d);
    return NULL;
}

/* Dispatch preparation, the work of the runtime and the command processor before the first wave: checks sizes,
 * allocates scratch, kernarg, AQL packet and queue, and sets up the register state. */
#include "sim/launch/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/launch/kernarg.h"

#define MAX_WORKGROUP_ITEMS 1024u
#define LDS_MAX_BYTES       65536u /* per workgroup, without a profile */

uint64_t launch_wave_slots(const struct launch *l)
{
    return (uint64_t)l->profile->gpu.cus * l->profile->cu.simds * l->profile->cu.wave_slots_per_simd;
}

int launch_scratch_slots(const struct launch *l, uint64_t wave_bytes, uint32_t *slots, struct err *e)
{
    uint64_t n = LAUNCH_DEFAULT_SLOTS, most = UINT32_MAX / wave_bytes;

    if (l->profile)
        n = launch_wave_slots(l);
    if (n < l->waves_per_group)
        n = l->waves_per_group;
    if (l->workgroup_count < n / l->waves_per_group)
        n = l->workgroup_count * l->waves_per_group;
    n = n < most ? n : most;
    n -= n % l->waves_per_group;
    if (!n)
        return err_set(e, ERR_USAGE, "scratch of %llu bytes per wave: a workgroup of %u waves passes 4 GiB",
                       (unsigned long long)wave_bytes, l->waves_per_group);
    *slots = (uint32_t)n;
    return 0;
}

static int check_sizes(const struct launch_request *q, struct err *e)
{
    const struct co_kernel_metadata *md = q->kernel->metadata;
    uint64_t items = (uint64_t)q->workgroup[0] * q->workgroup[1] * q->workgroup[2];

    if (!md)
        return 0;
    if (md->has_reqd_workgroup_size &&
        memcmp(md->reqd_workgroup_size, q->workgroup, sizeof md->reqd_workgroup_size) != 0)
        return err_set(e, ERR_USAGE, "kernel %s requires workgroups of %ux%ux%u work-items, not %ux%ux%u",
                       q->kernel->name, md->reqd_workgroup_size[0], md->reqd_workgroup_size[1],
                       md->reqd_workgroup_size[2], q->workgroup[0], q->workgroup[1], q->workgroup[2]);
    if (md->max_flat_workgroup_size && items > md->max_flat_workgroup_size)
        return err_set(e, ERR_USAGE, "workgroup of %llu work-items; kernel %s was compiled for at most %u",
                       (unsigned long long)items, q->kernel->name, md->max_flat_workgroup_size);
    return 0;
}

uint32_t launch_lds_granule(const struct isa_target *t, const struct profile *p)
{
    if (p)
        return p->cu.lds_granule_bytes ? p->cu.lds_granule_bytes : 1;
    return isa_has(t, FEAT_LDS_ALLOC_1K) ? 1024 : 512;
}

static int set_lds(struct launch_dispatch *d, const struct launch_request *q, struct err *e)
{
    uint64_t bytes = (uint64_t)q->kernel->descriptor.group_segment_fixed_size + q->dynamic_lds_bytes;
    uint32_t max = q->profile ? q->profile->cu.lds_max_per_workgroup_bytes : LDS_MAX_BYTES;

    if (bytes > max)
        return err_set(e, ERR_USAGE,
                       "kernel %s: %u bytes of LDS and %u dynamic ones; expected at most %u in all for %s",
                       q->kernel->name, q->kernel->descriptor.group_segment_fixed_size, q->dynamic_lds_bytes, max,
                       q->profile ? q->profile->name : q->target->name);
    d->launch.lds_bytes = (uint32_t)align_up(bytes, launch_lds_granule(q->target, q->profile));
    if (d->launch.lds_bytes > max)
        d->launch.lds_bytes = max;
    return 0;
}

static int own(struct launch_dispatch *d, uint64_t bytes, uint64_t align, uint32_t flags, const char *label,
               gaddr_t *at, struct err *e)
{
    if (mem_space_alloc(d->space, bytes, align, flags, label, at, e))
        return err_prefix(e, "%s", label);
    d->owned[d->owned_count++] = *at;
    return 0;
}

static int set_scratch(struct launch_dispatch *d, const struct launch_request *q, struct err *e)
{
    const struct kernel_descriptor *kd = &q->kernel->descriptor;
    uint32_t bytes = kd->private_segment_fixed_size;

    d->launch.scratch_slots = UINT32_MAX;
    if (kd->uses_dynamic_stack && bytes < LAUNCH_DYNAMIC_STACK_BYTES)
        bytes = LAUNCH_DYNAMIC_STACK_BYTES;
    if (q->private_bytes > bytes)
        bytes = q->private_bytes;
    if (!bytes || !launch_uses_scratch(kd, &d->state.rsrc))
        return 0;
    d->state.scratch_bytes_per_lane = bytes;
    d->state.scratch_wave_bytes = launch_scratch_wave_bytes(d->launch.lanes, bytes);
    if (d->state.scratch_wave_bytes > UINT32_MAX)
        return err_set(e, ERR_USAGE, "%u bytes of scratch per work-item; expected at most %u", bytes,
                       UINT32_MAX / d->launch.lanes);
    if (launch_scratch_slots(&d->launch, d->state.scratch_wave_bytes, &d->launch.scratch_slots, e))
        return -1;
    return own(d, d->state.scratch_wave_bytes * d->launch.scratch_slots, 65536, MEM_READ | MEM_WRITE | MEM_KIND_SCRATCH,
               "scratch", &d->state.scratch_base, e);
}

/* As a command processor has it, bytes past the segment are not seen and missing ones are zero. A launch that gives
 * none at all to a kernel that has arguments has forgotten them. */
static int check_kernarg(const struct launch_request *q, struct err *e)
{
    const struct co_kernel_metadata *md = q->kernel->metadata;

    if (q->kernarg_bytes || !md || !md->explicit_arg_count || !md->args[0].size)
        return 0;
    return err_set(e, ERR_USAGE, "kernel %s: no kernarg bytes given; expected %u arguments, the first one '%s'",
                   q->kernel->name, md->explicit_arg_count, md->args[0].name);
}

/* Allocates and fills the kernarg segment, the packet and the queue. */
static int set_memory(struct launch_dispatch *d, const struct launch_request *q, struct launch_pointers *p,
                      struct err *e)
{
    const struct kernel_descriptor *kd = &q->kernel->descriptor;
    const struct co_kernel_metadata *md = q->kernel->metadata;
    uint32_t segment = md ? md->kernarg_segment_size : kd->kernarg_size;
    struct launch_numbers n = {.dynamic_lds_bytes = q->dynamic_lds_bytes,
                               .lds_bytes = kd->group_segment_fixed_size + q->dynamic_lds_bytes,
                               .scratch_bytes_per_lane = d->state.scratch_bytes_per_lane,
                               .kernel_object = q->descriptor,
                               .shared_aperture = d->launch.shared_aperture,
                               .private_aperture = d->launch.private_aperture};
    uint8_t packet[LAUNCH_PACKET_BYTES], queue[LAUNCH_QUEUE_BYTES];

    if (!md && !segment) /* the code object does not state the size */
        segment = (uint32_t)(q->kernarg_bytes > 65536 ? 65536 : q->kernarg_bytes);
    if (launch_check_kernarg_size(q->kernel->name, segment, e) || check_kernarg(q, e))
        return -1;
    memcpy(n.grid, q->grid, sizeof n.grid);
    memcpy(n.workgroup, q->workgroup, sizeof n.workgroup);
    /* compilers widen scalar loads within an aligned block of 64 bytes, never beyond it */
    p->argument_bytes = segment;
    p->kernarg_bytes = (uint32_t)align_up(segment ? segment : 1, 64);
    if (own(d, p->kernarg_bytes, 256, MEM_READ | MEM_KIND_KERNARG, "kernarg", &p->kernarg, e) ||
        own(d, LAUNCH_PACKET_BYTES, 256, MEM_READ | MEM_KIND_SYSTEM, "dispatch packet", &p->dispatch_packet, e) ||
        own(d, LAUNCH_QUEUE_BYTES, 256, MEM_READ | MEM_KIND_SYSTEM, "queue", &p->queue, e))
        return -1;
    n.kernarg = p->kernarg;
    n.queue = p->queue;
    uint8_t *kernarg = mem_space_at(d->space, p->kernarg, p->kernarg_bytes, MEM_READ);
    if (q->kernarg_bytes)
        memcpy(kernarg, q->kernarg, q->kernarg_bytes < segment ? q->kernarg_bytes : segment);
    p->kernarg_host = kernarg;
    if (md && launch_hidden_args(kernarg, segment, md, &n, e))
        return -1;
    launch_packet(packet, &n);
    launch_queue(queue, &n);
    return mem_space_write(d->space, p->dispatch_packet, packet, sizeof packet, e) ||
           mem_space_write(d->space, p->queue, queue, sizeof queue, e);
}

/* What is asked for, else what the kernel was compiled for. */
static const uint32_t *cluster_of(const struct launch_request *q)
{
    const struct co_kernel_metadata *md = q->kernel->metadata;
    bool asked = q->cluster[0] || q->cluster[1] || q->cluster[2];

    return asked || !md ? q->cluster : md->cluster_dims;
}

static int prepare(struct launch_dispatch *d, const struct launch_request *q, struct err *e)
{
    const struct kernel_descriptor *kd = &q->kernel->descriptor;
    struct launch_pointers p = {0};
    uint32_t max_items = q->profile ? q->profile->cu.max_workgroup_items : MAX_WORKGROUP_ITEMS;

    if (check_sizes(q, e) || launch_shape(&d->launch, &d->state, q->grid, q->workgroup, max_items, e) ||
        launch_clusters(&d->launch, cluster_of(q), e) || launch_registers(&d->launch, &d->state.rsrc, q->family, e) ||
        set_lds(d, q, e))
        return -1;
    if (q->profile && launch_set_occupancy(&d->launch, e))
        return -1;
    launch_modes(&d->launch, &d->state);
    if (set_scratch(d, q, e) || set_memory(d, q, &p, e))
        return -1;
    d->state.entry = launch_entry(kd, q->family, q->entry);
    d->launch.entry = d->state.entry;
    return launch_user_sgprs(&d->launch, &d->state, kd, q->family, &p, e);
}

int launch_prepare(struct launch_dispatch *d, const struct launch_request *q, struct err *e)
{
    const struct kernel_descriptor *kd = &q->kernel->descriptor;
    bool wave32 = kd->enable_wavefront_size32;

    *d = (struct launch_dispatch){.space = q->space};
    d->launch = (struct launch){.target = q->target,
                                .program = q->program,
                                .profile = q->profile,
                                .space = q->space,
                                .state = &d->state,
                                .lanes = wave32 ? 32 : 64,
                                .shared_aperture = LAUNCH_SHARED_APERTURE,
                                .private_aperture = LAUNCH_PRIVATE_APERTURE};
    co_rsrc_decode(&d->state.rsrc, q->family, wave32, kd->compute_pgm_rsrc1, kd->compute_pgm_rsrc2,
                   kd->compute_pgm_rsrc3);
    if (prepare(d, q, e)) {
        launch_release(d);
        return -1;
    }
    return 0;
}

void launch_release(struct launch_dispatch *d)
{
    while (d->owned_count)
        mem_space_free(d->space, d->owned[--d->owned_count], NULL);
    free(d->launch.clusters);
    d->launch.clusters = NULL;
}

/* Kernel dispatch packets: what is checked before a kernel starts, and what is said when it has ended.
 *
 * The codes are those that ROCr's queues give to their callbacks; hardware finds these errors in the command processor.
 */
#define _GNU_SOURCE
#include "sim/hsa/queues/dispatch.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/plain.h"

#define MAX_GROUP_ITEMS     1024u
#define RESIDENT_DISPATCHES 8    /* of a process, whose resident waves are shown */
#define THREAD_INSTRUCTIONS 2000 /* wave-instructions that take several times as long as to start a thread */

static uint64_t dispatches; /* of the process; atomic */
static uint32_t running;    /* atomic */
static bool stopped;        /* atomic */
static const struct dispatch_sink *sink;

void dispatches_report_to(const struct dispatch_sink *to)
{
    sink = to;
}

static hsa_status_t wrong(hsa_status_t status, char *why, size_t n, const char *text, uint64_t a, uint64_t b)
{
    snprintf(why, n, text, a, b);
    return status;
}

/* Numbers of the packet alone. */
static hsa_status_t check_shape(const hsa_kernel_dispatch_packet_t *p, const struct device *d, char *why, size_t n)
{
    const uint16_t group[3] = {p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z};
    const uint32_t grid[3] = {p->grid_size_x, p->grid_size_y, p->grid_size_z};
    unsigned dims = p->setup;
    uint64_t items = 1;

    if (dims < 1 || dims > 3)
        return wrong(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, why, n, "%" PRIu64 " dimensions; expected 1 to 3", dims,
                     0);
    for (unsigned k = 0; k < 3; k++) {
        if (k >= dims && (group[k] > 1 || grid[k] > 1))
            return wrong(HSA_STATUS_ERROR_INVALID_ARGUMENT, why, n,
                         "a packet of %" PRIu64 " dimensions has a size in dimension %" PRIu64, dims, k + 1);
        if (k < dims && (!group[k] || !grid[k]))
            return wrong(HSA_STATUS_ERROR_INVALID_ARGUMENT, why, n,
                         "dimension %" PRIu64 " of %" PRIu64 " has a workgroup or grid of size 0", k + 1, dims);
        items *= k < dims ? group[k] : 1;
    }
    if (items > MAX_GROUP_ITEMS)
        return wrong(HSA_STATUS_ERROR_INVALID_ARGUMENT, why, n,
                     "a workgroup of %" PRIu64 " work-items; expected at most %" PRIu64, items, MAX_GROUP_ITEMS);
    if (p->group_segment_size > d->lds_bytes)
        return wrong(HSA_STATUS_ERROR_INVALID_ALLOCATION, why, n,
                     "%" PRIu64 " bytes of LDS for a workgroup; the device has %" PRIu64, p->group_segment_size,
                     d->lds_bytes);
    return HSA_STATUS_SUCCESS;
}

static enum gcnsim_fence fence(unsigned scope)
{
    return scope == HSA_FENCE_SCOPE_SYSTEM  ? GCNSIM_FENCE_SYSTEM
           : scope == HSA_FENCE_SCOPE_AGENT ? GCNSIM_FENCE_AGENT
                                            : GCNSIM_FENCE_NONE;
}

/* Memory that the program got while the kernel runs: device malloc asks the host for it. */
static int allocated_since(void *ctx, uint64_t address, struct gcnsim_window *window)
{
    struct range r;

    (void)ctx;
    if (!range_find(address, &r) || address - r.lo >= r.bytes)
        return 0;
    *window = (struct gcnsim_window){.address = r.lo, .host = r.host, .bytes = r.bytes, .writable = r.writable};
    return 1;
}

/* Memory as hardware checks it; with --check the library takes no notice. */
static int in_pages(void *ctx, uint64_t address, struct gcnsim_window *window)
{
    const struct dispatch *d = ctx;
    struct range r;

    if (range_set_pages(d->ranges, address, window))
        return 1;
    if (!range_find(address, &r) || r.hidden || r.kind == RANGE_SYSTEM)
        return 0;
    *window = (struct gcnsim_window){.address = r.lo, .host = r.host, .bytes = r.mapped, .writable = r.writable};
    return 1;
}

static void set_shape(struct gcnsim_raw *raw, const hsa_kernel_dispatch_packet_t *p)
{
    const uint32_t group[3] = {p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z};
    const uint32_t grid[3] = {p->grid_size_x, p->grid_size_y, p->grid_size_z};

    for (unsigned k = 0; k < 3; k++) {
        raw->workgroup_size[k] = k < p->setup ? group[k] : 1;
        raw->grid_size[k] = k < p->setup ? grid[k] : 1;
    }
}

/* Device code that has changed a signal sends an interrupt (signal.h). */
static void note_message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    enum { MSG_INTERRUPT = 1 };

    (void)m0, (void)data;
    if (number == MSG_INTERRUPT) {
        struct dispatch *d = ctx;

        orphan_signals_message(&d->ringer, d->number, d->kernel->info.name);
        signals_message();
    }
}

/* Everything of *out->raw that comes from the packet, its queue and its kernel. */
static hsa_status_t set_launch(struct dispatch *out, const hsa_kernel_dispatch_packet_t *p, char *why, size_t n)
{
    const struct launch_options *o = &rt_any()->options.common;
    struct queue *q = out->queue;
    struct gcnsim_code_info code;
    struct gcnsim_error e = {0};

    gcnsim_raw_kernel_init(&out->start);
    out->start.descriptor = (const void *)(uintptr_t)out->kernel->descriptor;
    out->start.descriptor_address = out->kernel->descriptor;
    gcnsim_code_get_info(out->kernel->in->code, &code);
    out->start.code_object_version = code.code_object_version;
    out->start.dispatch_ptr = (uint64_t)(uintptr_t)out->packet.slot;
    out->start.queue_ptr = (uint64_t)(uintptr_t)q->shown;
    out->start.kernarg_address = (uint64_t)(uintptr_t)p->kernarg_address;
    out->start.dispatch_id = out->packet.index;
    out->start.private_segment_bytes = p->private_segment_size;
    out->start.group_segment_bytes = p->group_segment_size;
    gcnsim_raw_init(&out->raw);
    out->raw.code = out->kernel->in->raw;
    out->raw.object = out->kernel->in->code;
    out->raw.object_address = out->kernel->in->base;
    out->raw.kernel_name = out->kernel->info.name;
    memcpy(out->raw.cluster_size, out->kernel->info.cluster_dims, sizeof out->raw.cluster_size);
    out->raw.range_set = out->ranges->ranges;
    out->raw.placed = out->placed.at;
    out->raw.placed_count = out->placed.count;
    out->raw.more = allocated_since;
    out->raw.max_cycles = o->max_cycles;
    out->raw.max_instructions = o->max_instructions;
    out->raw.ignore_lds_races = o->ignore_lds_races;
    out->raw.slack = rt_any()->options.slack == EXEC_SLACK_PAGE ? in_pages : NULL;
    out->raw.slack_ctx = out;
    set_shape(&out->raw, p);
    out->raw.shared_aperture = QUEUE_SHARED_APERTURE;
    out->raw.private_aperture = QUEUE_PRIVATE_APERTURE;
    out->raw.acquire = fence(p->header >> HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE & 3);
    out->raw.release = fence(p->header >> HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE & 3);
    out->raw.abort_flag = &q->abort;
    out->raw.message = note_message;
    out->raw.message_ctx = out;
    if (gcnsim_raw_set_kernel(&out->raw, &out->start, &e) == GCNSIM_OK)
        return HSA_STATUS_SUCCESS;
    snprintf(why, n, "%s", e.text);
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

hsa_status_t dispatch_prepare(struct queue *q, const struct packet *packet, struct dispatch *out, char *why, size_t n)
{
    const hsa_kernel_dispatch_packet_t *p = &packet->kernel;
    hsa_status_t status = check_shape(p, q->device, why, n);

    if (status != HSA_STATUS_SUCCESS)
        return status;
    *out = (struct dispatch){.queue = q, .packet = *packet};
    out->kernel = kernel_find(p->kernel_object);
    if (!out->kernel || !out->kernel->in->raw || out->kernel->in->agent != q->device->agent) {
        if (out->kernel)
            kernel_release(out->kernel);
        return wrong(HSA_STATUS_ERROR_INVALID_CODE_OBJECT, why, n,
                     "kernel object 0x%" PRIx64 " is no kernel that is loaded on this agent", p->kernel_object, 0);
    }
    out->ranges = range_set_hold();
    if (!out->ranges || (rt_any()->options.common.check && !placed_hold(&out->placed)))
        status =
            wrong(HSA_STATUS_ERROR_OUT_OF_RESOURCES, why, n, "out of host memory for the list of allocations", 0, 0);
    else
        status = set_launch(out, p, why, n);
    if (status != HSA_STATUS_SUCCESS)
        dispatch_drop(out);
    return status;
}

void dispatch_drop(struct dispatch *d)
{
    placed_release(&d->placed);
    range_set_release(d->ranges);
    kernel_release(d->kernel);
}

void dispatch_count(struct dispatch *d)
{
    d->number = __atomic_add_fetch(&dispatches, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&d->queue->dispatch[d->packet.index & d->queue->mask], d->number, __ATOMIC_RELAXED);
    __atomic_add_fetch(&running, 1, __ATOMIC_RELAXED);
}

hsa_status_t dispatch_make(struct queue *q, const struct packet *packet, struct dispatch *out, char *why, size_t n)
{
    hsa_status_t status = dispatch_prepare(q, packet, out, why, n);

    if (status == HSA_STATUS_SUCCESS)
        dispatch_count(out);
    return status;
}

void dispatch_begins(struct dispatch *d)
{
    if (sink)
        sink->begins(d);
}

static uint64_t workgroups(const struct gcnsim_raw *r)
{
    uint64_t n = 1;

    for (unsigned k = 0; k < 3; k++)
        n *= ((uint64_t)r->grid_size[k] + r->workgroup_size[k] - 1) / r->workgroup_size[k];
    return n;
}

/* Processors that the process may run on. */
static uint32_t host_threads(void)
{
    static uint32_t known; /* atomic; 0: not yet */
    uint32_t n = __atomic_load_n(&known, __ATOMIC_RELAXED);
    cpu_set_t set;

    if (!n) {
        n = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
        __atomic_store_n(&known, n, __ATOMIC_RELAXED);
    }
    return n;
}

uint32_t dispatch_threads(const struct dispatch *d)
{
    uint64_t each = __atomic_load_n(&d->kernel->group_instructions, __ATOMIC_RELAXED);
    uint32_t most = rt_any()->options.common.threads ? rt_any()->options.common.threads : host_threads();
    uint64_t worth = each ? (each - 1) * workgroups(&d->raw) / THREAD_INSTRUCTIONS + 1 : most;

    return worth < most ? (uint32_t)worth : most;
}

/* Keeps for the kernel's next dispatch what a workgroup of this one has taken. */
static void note_work(const struct dispatch *d, const struct gcnsim_result *result)
{
    uint64_t *each = (uint64_t *)(uintptr_t)&d->kernel->group_instructions, groups = workgroups(&d->raw);
    double all = 0;

    if (d->raw.engine == GCNSIM_ENGINE_FUNCTIONAL && result->outcome == GCNSIM_COMPLETED &&
        gcnsim_result_stat(result, "instructions.total", &all) == GCNSIM_OK)
        __atomic_store_n(each, (uint64_t)all / groups + 1, __ATOMIC_RELAXED);
}

/* The code for the queue's callback, by what the kernel has done. */
static hsa_status_t status_of(const struct gcnsim_fault *f)
{
    if (strcmp(f->kind, "memory") == 0 || strcmp(f->kind, "pc") == 0)
        return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT;
    if (strcmp(f->kind, "illegal") == 0 || strcmp(f->kind, "unimplemented") == 0)
        return (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
    if (strcmp(f->kind, "lds") == 0)
        return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION;
    return HSA_STATUS_ERROR_EXCEPTION;
}

static void record(const struct dispatch *d, const struct gcnsim_result *result, uint64_t start_ns, uint64_t end_ns,
                   double host_seconds)
{
    struct dispatch_record r = {.number = d->number,
                                .agent = d->queue->device->agent,
                                .queue = d->queue,
                                .kernel = d->kernel->info.name,
                                .info = &d->kernel->info,
                                .lds_bytes = d->raw.lds_bytes,
                                .scratch_bytes = d->raw.scratch_bytes_per_lane,
                                .kernarg_bytes = d->kernel->info.kernarg_size,
                                .start_ns = start_ns,
                                .end_ns = end_ns,
                                .timing = result && d->raw.engine == GCNSIM_ENGINE_TIMING,
                                .viewed = d->viewed,
                                .warm_caches = d->warm_caches,
                                .sample = d->sample,
                                .native = !result,
                                .host_seconds = host_seconds,
                                .result = result};

    r.has_gap = d->packet.gap_from_ns && d->packet.gap_from_ns < start_ns;
    r.gap_ns = r.has_gap ? start_ns - d->packet.gap_from_ns : 0;
    memcpy(r.grid, d->raw.grid_size, sizeof r.grid);
    memcpy(r.workgroup, d->raw.workgroup_size, sizeof r.workgroup);
    if (sink)
        sink->ended(d, &r);
}

/* An access past the end of an allocation that ends in its last page: hardware lets it pass. */
static bool is_in_last_page(const struct dispatch *d, const struct gcnsim_fault *f)
{
    struct gcnsim_window w;

    return strcmp(f->kind, "memory") == 0 && in_pages((void *)(uintptr_t)d, f->address, &w) &&
           f->bytes <= w.address + w.bytes - f->address && (w.writable || !f->write);
}

static void tell_finding(const struct dispatch *d, const struct gcnsim_finding *f)
{
    char times[40] = "";

    if (f->count > 1)
        snprintf(times, sizeof times, ", %" PRIu64 " times", f->count);
    rt_log("dispatch %" PRIu64 ", kernel %s: %s: %s%s; '%s' at offset 0x%" PRIx64 "%s%s; fix: %s", d->number,
           d->kernel->info.name, f->rule, f->message, times, f->instruction, f->pc_offset, f->source ? ", " : "",
           f->source ? f->source : "", f->fix);
}

/* Findings that nobody asked for may come with each dispatch, and are reported once for a kernel. */
static bool is_first(const struct dispatch *d, const struct gcnsim_finding *f)
{
    uint32_t rule = strcmp(f->rule, REPORT_OVERRUN) == 0 ? 1 : 2; /* the other one is race.lds */

    return !(__atomic_fetch_or((uint32_t *)(uintptr_t)&d->kernel->told, rule, __ATOMIC_RELAXED) & rule);
}

/* Who waited for what in a dispatch that did not end. The text is one write: other threads report theirs. */
static void tell_resident(const struct dispatch *d, const struct gcnsim_snapshot *snapshot)
{
    static unsigned all;
    char *resident = NULL, *text, name[256];

    if (!rt_any()->options.summary || __atomic_add_fetch(&all, 1, __ATOMIC_RELAXED) > RESIDENT_DISPATCHES ||
        gcnsim_snapshot_text(snapshot, &resident, NULL) != GCNSIM_OK)
        return;
    snprintf(name, sizeof name, "%s", d->kernel->info.name);
    if (asprintf(&text, "gcnsim: dispatch %" PRIu64 ", kernel %s, did not end:\n%s", d->number, plain_text(name, 0),
                 resident) >= 0) {
        rt_log_text(text);
        free(text);
    }
    gcnsim_free(resident);
}

hsa_status_t dispatch_end(struct dispatch *d, const struct gcnsim_result *result, uint64_t start_ns, uint64_t end_ns,
                          double host_seconds)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;

    record(d, result, start_ns, end_ns, host_seconds);
    if (result)
        note_work(d, result);
    if (result && result->outcome == GCNSIM_FAULTED) {
        status = status_of(result->fault);
        rt_log("dispatch %" PRIu64 ", kernel %s: %s", d->number, d->kernel->info.name, result->fault->message);
        if (is_in_last_page(d, result->fault))
            rt_log("it is in the allocation's last page, where hardware does not see it; it passes without --slack "
                   "none (GCNSIM_SLACK) and --check");
        if (status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT)
            system_memory_fault(d->queue->device->agent, result->fault->address);
    }
    if (result && result->outcome == GCNSIM_LIMIT) {
        status = HSA_STATUS_ERROR; /* what comes after it may not count on what it has left undone */
        rt_log("dispatch %" PRIu64 ", kernel %s: it has reached --max-cycles or --max-instructions", d->number,
               d->kernel->info.name);
    }
    if (result && result->snapshot && (status != HSA_STATUS_SUCCESS || __atomic_load_n(&stopped, __ATOMIC_ACQUIRE)))
        tell_resident(d, result->snapshot);
    for (size_t k = 0; result && k < result->finding_count; k++)
        if (result->has_check || is_first(d, &result->findings[k]))
            tell_finding(d, &result->findings[k]);
    dispatch_abandon(d);
    return status;
}

void dispatch_abandon(struct dispatch *d)
{
    orphan_signals_end(&d->ringer);
    dispatch_drop(d);
    __atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
}

uint32_t dispatches_running(void)
{
    return __atomic_load_n(&running, __ATOMIC_ACQUIRE);
}

void dispatches_stop(void)
{
    __atomic_store_n(&stopped, true, __ATOMIC_RELEASE);
}

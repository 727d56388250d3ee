/* A launch on a device with the memory hierarchy of its profile: what the device keeps, what happens to it between two
 * launches. memory/memory_counts.c has the statistics of its memory.
 */
#include "sim/engine/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/timing/clock/dispatcher_layout.h"
#include "sim/engine/timing/clock/memory_events.h"
#include "sim/engine/timing/clock/script.h"
#include "sim/engine/timing/feed_run.h"
#include "sim/engine/timing/memory/from_profile.h"
#include "sim/engine/timing/memory/memory_counts.h"
#include "sim/engine/timing/memory/perfect.h"
#include "sim/engine/timing/timing.h"

/* Code that has been loaded through the caches of the device. */
struct loaded {
    gaddr_t lo, hi;
};

struct engine_device {
    struct hierarchy *h; /* null: nothing has run since the device was cold */
    struct timing_mem_shape shape;
    const struct profile *profile; /* that h was built from */
    enum mem_gen gen;
    struct memory_events events; /* h's observer holds its address */
    cycle_t now;                 /* completion of the last launch */
    bool launched;               /* there was one */
    cycle_t simulated;           /* h has done the cycles before this one: an epoch may end after its launch */
    bool whole;                  /* h has every CU of the chip, not those of one launch alone */
    struct loaded *loaded;
    size_t loaded_count, loaded_capacity;
    struct arena memory; /* timing_chip.memory */
};

struct engine_device *timing_device_for_one(void)
{
    return calloc(1, sizeof(struct engine_device));
}

struct engine_device *engine_device_new(void)
{
    struct engine_device *d = calloc(1, sizeof *d);

    if (d)
        d->whole = true;
    return d;
}

void engine_device_reset(struct engine_device *d)
{
    hierarchy_free(d->h);
    d->h = NULL;
    d->loaded_count = 0;
    d->now = d->simulated = 0;
    d->launched = false;
}

void engine_device_free(struct engine_device *d)
{
    if (!d)
        return;
    engine_device_reset(d);
    arena_free(&d->memory);
    free(d->loaded);
    free(d);
}

uint64_t engine_device_clock(const struct engine_device *d)
{
    return d->now;
}

void engine_device_written(struct engine_device *d, gaddr_t from, uint64_t bytes)
{
    if (d->h && bytes)
        hierarchy_drop(d->h, from, bytes);
}

void engine_device_mapped(struct engine_device *d)
{
    if (d->h)
        hierarchy_forget_translations(d->h);
}

void engine_device_unloaded(struct engine_device *d, gaddr_t lo, gaddr_t hi)
{
    size_t kept = 0;

    for (size_t k = 0; k < d->loaded_count; k++)
        if (d->loaded[k].hi <= lo || d->loaded[k].lo >= hi)
            d->loaded[kept++] = d->loaded[k];
    d->loaded_count = kept;
}

/* The hierarchy as the memory of a run ----------------------------------------------------------------------------- */

static bool chip_can_accept(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr)
{
    return hierarchy_can_accept(ctx, cu, port, addr);
}

static void chip_accept(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now)
{
    hierarchy_accept(ctx, cu, port, req, now);
}

static bool chip_control(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                         uint64_t token, cycle_t now)
{
    struct hierarchy *h = ctx;

    if (token != MEM_TOKEN_NONE && !hierarchy_can_control(h, cu))
        return false;
    hierarchy_control(h, cu, port, invalidate, write_back, token, now);
    return true;
}

static void chip_await_credit(void *ctx, uint32_t cu, enum mem_port_kind port)
{
    hierarchy_await_retry(ctx, cu, port);
}

static void chip_take_lines(void *ctx, uint32_t cu, struct line_queue *q, cycle_t from)
{
    hierarchy_take_lines(ctx, cu, q, from);
}

static void chip_reach_lines(void *ctx, uint32_t cu, cycle_t end)
{
    hierarchy_reach_lines(ctx, cu, end);
}

static cycle_t chip_fetch(void *ctx, uint32_t cu, const struct mem_req *req, cycle_t now, bool *full)
{
    return hierarchy_fetch(ctx, cu, req, now, full);
}

static void chip_near_done(void *ctx, uint32_t group, cycle_t end)
{
    hierarchy_near_done(ctx, group, end);
}

static void chip_attach(void *ctx, const struct hierarchy_sink *sink)
{
    hierarchy_set_sink(ctx, sink);
}

static cycle_t chip_near_run(void *ctx, uint32_t group, cycle_t now, cycle_t end, const cycle_t *until,
                             uint32_t *cycles)
{
    return hierarchy_near_run(ctx, group, now, end, until, cycles);
}

static const cycle_t *chip_near_clock(void *ctx, uint32_t group)
{
    return hierarchy_near_clock(ctx, group);
}

static bool chip_locate(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, enum cache_level *level)
{
    return hierarchy_locate(ctx, cu, port, token, level);
}

static void chip_far_run(void *ctx, cycle_t from, cycle_t end)
{
    hierarchy_far_run(ctx, from, end);
}

static void chip_near_half(void *ctx, uint32_t group, uint32_t half)
{
    hierarchy_near_half(ctx, group, half);
}

static void chip_far_half(void *ctx, uint32_t half, cycle_t from, cycle_t end)
{
    hierarchy_far_half(ctx, half, from, end);
}

static void chip_far_forget(void *ctx)
{
    hierarchy_far_forget(ctx);
}

static cycle_t chip_far_next(void *ctx)
{
    return hierarchy_far_next(ctx);
}

/* Before a launch ---------------------------------------------------------------------------------------------------
 */

/* Whether the device has seen code before; it has from now on. */
static bool is_loaded(struct engine_device *d, gaddr_t lo, gaddr_t hi)
{
    for (size_t k = 0; k < d->loaded_count; k++)
        if (d->loaded[k].lo == lo && d->loaded[k].hi == hi)
            return true;
    if (d->loaded_count == d->loaded_capacity) {
        size_t capacity = d->loaded_capacity ? 2 * d->loaded_capacity : 8;
        struct loaded *more = realloc(d->loaded, capacity * sizeof *more);

        if (!more)
            return false; /* it is loaded once more, which is what a device without memory of it does */
        d->loaded = more;
        d->loaded_capacity = capacity;
    }
    d->loaded[d->loaded_count++] = (struct loaded){lo, hi};
    return false;
}

/* The code object was loaded through the cache beside memory, where there is one, and its lines are still there when
 * its first kernel starts: misses of the instruction cache take 340 cycles in thread traces of gfx1100, as far as the
 * MALL is (Chips and Cheese: 128 ns), while loads of data take two to four times that. Whatever the caches held at its
 * address before, the runtime has invalidated (ROCr's InvalidateCodeCaches). */
static void load_code(struct engine_device *d, const struct launch *l)
{
    struct isa_range code = {.lo = l->code_lo, .hi = l->code_hi};

    /* without a list of valid memory the range that holds the code is all there is */
    if (!code.hi && (l->space->unchecked || !launch_find(l, l->entry, &code)))
        return;
    if (is_loaded(d, code.lo, code.hi))
        return;
    hierarchy_drop(d->h, code.lo, code.hi - code.lo);
    if (l->profile->cache[LEVEL_MALL].present)
        hierarchy_preload(d->h, LEVEL_MALL, code.lo, code.hi - code.lo);
}

/* Gives the device its hierarchy when it has none. */
static int build(struct engine_device *d, const struct launch *l, struct err *e)
{
    static const struct hierarchy_watch nobody = {0};
    const struct profile *p = l->profile;
    uint32_t cus = d->whole ? dispatcher_cus(p, UINT32_MAX) * p->gpu.cus_per_wgp : timing_cus(l);

    if (d->h)
        return 0;
    d->h = timing_mem_new(p, l->target, l->space, cus, &nobody, &d->shape, e);
    d->profile = p;
    d->gen = timing_mem_gen(l->target);
    return d->h ? 0 : -1;
}

/* After a launch ----------------------------------------------------------------------------------------------------
 */

/* Nobody waits any more for what comes back. */
static void discard(void *ctx, uint32_t cu, enum mem_port_kind port, uint64_t token, cycle_t now)
{
    (void)ctx, (void)cu, (void)port, (void)token, (void)now;
}

static void ignore_retry(void *ctx, uint32_t cu, enum mem_port_kind port, cycle_t now)
{
    (void)ctx, (void)cu, (void)port, (void)now;
}

static cycle_t later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

/* Several launches in flight ----------------------------------------------------------------------------------------
 */

static struct timing_before *count_before(void *ctx, cycle_t now)
{
    return memory_counts_before(((struct engine_device *)ctx)->h, now);
}

static void report_since(void *ctx, cycle_t end, const struct timing_before *before, struct engine_result *r)
{
    memory_counts_report(((struct engine_device *)ctx)->h, end, before, r);
}

/* What the command processor does for a dispatch before its first wave, on a chip whose caches are as they are. */
static void acquire(struct engine_device *d, const struct launch *l, const struct engine_options *o, cycle_t now)
{
    hierarchy_invalidate_all(d->h, mem_policy_fences(o->acquire, o->release, l->profile->gpu.xcds > 1).invalidate, now);
    load_code(d, l);
    /* the command processor has read the kernel's descriptor, which lies with the code */
    hierarchy_prefill_tlb(d->h, l->entry, o->code_page_known ? TLB_KNOWN_PAGE : TLB_KNOWN_TABLES);
    if (o->host_page_known)
        hierarchy_prefill_tlb(d->h, o->host_page_known, TLB_KNOWN_HOST);
}

static void join(void *ctx, const struct launch *l, const struct engine_options *o, cycle_t now)
{
    acquire(ctx, l, o, now);
}

static uint64_t leave(void *ctx, const struct launch *l, const struct engine_options *o, cycle_t now)
{
    struct engine_device *d = ctx;

    return hierarchy_write_back_all(
        d->h, mem_policy_fences(o->acquire, o->release, l->profile->gpu.xcds > 1).write_back, now);
}

static bool releases(void *ctx)
{
    return hierarchy_is_writing_back(((struct engine_device *)ctx)->h);
}

/* The list of allocations in use is that of the youngest launch; a process has one address space, so that it holds what
 * older ones have, but for their scratch memory, whose pages then count as ordinary ones. */
static void use(void *ctx, const struct launch *l, uint32_t cus)
{
    struct engine_device *d = ctx;

    hierarchy_set_memory(d->h, (void *)l->space);
    hierarchy_use_cus(d->h, cus);
}

/* A launch begins alone. */
static int begin(struct engine_device *d, const struct launch *l, const struct engine_options *o,
                 const struct timing_script *script, struct err *e)
{
    struct engine_options with = *o;
    struct hierarchy_watch watch;

    with.code_page_known |= script && script->code_known;

    if (build(d, l, e))
        return -1;
    memset(&d->events, 0, sizeof d->events);
    watch = memory_events_watch(&d->events, o);
    if (!hierarchy_set_watch(d->h, &watch))
        return err_set(e, ERR_NOMEM, "timing engine: no host memory for events");
    hierarchy_set_memory(d->h, (void *)l->space);
    hierarchy_use_cus(d->h, timing_cus(l));
    hierarchy_clear_stats(d->h);
    acquire(d, l, &with, d->now);
    return 0;
}

/* Lets what the launch has left in flight come to its end, and does what its release asks for. */
static void come_to_rest(struct engine_device *d, const struct timing_order *o, const struct timing_span *span)
{
    static const struct hierarchy_watch nobody = {0};
    struct mem_reach fences = mem_policy_fences(o->options->acquire, o->options->release, d->profile->gpu.xcds > 1);
    bool done = o->r->outcome == ENGINE_DONE; /* else there is no release */
    cycle_t release = 0, begun, last;
    uint64_t lines;

    hierarchy_set_watch(d->h, &nobody);
    hierarchy_set_sink(d->h, &(struct hierarchy_sink){NULL, discard, ignore_retry, NULL});
    last = hierarchy_drain(d->h, span->far_end, span->epoch_end);
    release = last > span->end ? last - span->end : 0;
    begun = later(last + 1, span->epoch_end);
    lines = hierarchy_write_back_all(d->h, done ? fences.write_back : 0, begun);
    last = hierarchy_drain(d->h, begun, begun);
    release += lines ? last - begun : 0;
    d->simulated = later(last + 1, begun);
    if (!done)
        return;
    engine_count(o->r, STAT_DISPATCH_RELEASE, release);
    engine_count(o->r, STAT_DISPATCH_RELEASE_LINES, lines);
}

static cycle_t cycles_of(const struct profile *p, double ns)
{
    return (cycle_t)llround(ns * p->gpu.shader_clock_mhz / 1000);
}

static bool is_other_chip(const struct engine_device *d, const struct launch *l)
{
    return d->h && (d->profile != l->profile || d->gen != timing_mem_gen(l->target));
}

static cycle_t acquire_cycles(const struct profile *p, const struct engine_options *o)
{
    return o->acquire >= MEM_FENCE_AGENT ? cycles_of(p, p->launch.acquire_ns) : 0;
}

/* Looking through L2; what it then writes takes its own time. */
static cycle_t write_back_cycles(const struct profile *p, const struct engine_options *o)
{
    struct mem_reach fences = mem_policy_fences(o->acquire, o->release, p->gpu.xcds > 1);

    return fences.write_back ? cycles_of(p, p->launch.write_back_ns) : 0;
}

/* What comes before a launch is not in the way of the first one of all, with which the clock begins. */
cycle_t timing_device_ready(struct engine_device *d, const struct launch *l, const struct engine_options *o)
{
    const struct profile *p = l->profile;
    cycle_t before = cycles_of(p, p->launch.before_ns) + acquire_cycles(p, o);

    if (is_other_chip(d, l))
        engine_device_reset(d);
    return d->launched ? later(d->now + before, d->simulated) : 0;
}

cycle_t timing_device_rested(const struct engine_device *d)
{
    return d->simulated;
}

cycle_t timing_device_now(const struct engine_device *d)
{
    return d->now;
}

void timing_device_reach(struct engine_device *d, cycle_t now)
{
    d->now = later(d->now, now);
    d->launched |= now > 0;
}

cycle_t timing_device_complete(struct engine_device *d, const struct timing_order *o, cycle_t end)
{
    const struct profile *p = o->launch->profile;
    struct engine_result *r = o->r;
    bool releases = r->present[STAT_DISPATCH_RELEASE]; /* not where memory is perfect, or when it has been stopped */
    cycle_t release = releases ? r->stat[STAT_DISPATCH_RELEASE] + write_back_cycles(p, o->options) : 0;
    cycle_t after = cycles_of(p, p->launch.after_ns), completed = end + release + after;

    engine_count(r, STAT_DISPATCH_CLOCK, o->start);
    if (o->options->packet_cycle && o->options->packet_cycle < o->start)
        engine_count(r, STAT_DISPATCH_GAP, o->start - o->options->packet_cycle);
    engine_count(r, STAT_DISPATCH_BEFORE, cycles_of(p, p->launch.before_ns));
    engine_count(r, STAT_DISPATCH_ACQUIRE, acquire_cycles(p, o->options));
    if (releases)
        engine_count(r, STAT_DISPATCH_RELEASE, release);
    engine_count(r, STAT_DISPATCH_AFTER, after);
    d->now = later(d->now, completed);
    d->launched = true;
    return completed;
}

/* Runs ------------------------------------------------------------------------------------------------------------- */

#define MAX_UNDER_WAY (1u << 26) /* accesses at a port: more than all wait counters of a CU can have */

/* A recording decides when waves start. */
static void shorten_epochs(struct timing_chip *chip, const struct timing_script *script, uint32_t longest_epoch)
{
    if (script)
        chip->start_cycles = 0;
    if (script || (longest_epoch && longest_epoch < chip->epoch_cycles))
        chip->epoch_cycles = script ? 1 : longest_epoch;
}

static int run_perfect(const struct timing_order *first, const struct timing_script *script, uint32_t longest_epoch,
                       struct engine_feeding *feed, struct timing_span *span, struct err *e)
{
    struct memory_events events = {0};
    struct timing_chip chip;
    const struct launch *l = first->launch;
    struct perfect_memory *m = perfect_memory_new(l->profile, timing_cus(l), MAX_UNDER_WAY, &chip);
    int status;

    (void)feed; /* nothing is in flight beside such a launch */
    if (!m)
        return err_set(e, ERR_NOMEM, "timing engine: no host memory");
    chip.events = &events;
    shorten_epochs(&chip, script, longest_epoch);
    status = timing_run_on(first, &chip, script, NULL, span, e);
    perfect_memory_free(m);
    return status;
}

static int run_hierarchy(struct engine_device *d, const struct timing_order *first, const struct timing_script *script,
                         uint32_t longest_epoch, struct engine_feeding *feed, struct timing_span *span, struct err *e)
{
    struct timing_chip chip = {
        .plug = {d->h, chip_can_accept, chip_accept, chip_control, chip_await_credit, chip_take_lines, chip_fetch},
        .ctx = d->h,
        .device = d,
        .events = &d->events,
        .memory = &d->memory,
        .cus_per_group = d->shape.cus_per_group,
        .epoch_cycles = d->shape.epoch_cycles,
        .start_cycles = d->shape.start_cycles,
        .attach = chip_attach,
        .near_run = chip_near_run,
        .near_clock = chip_near_clock,
        .near_done = chip_near_done,
        .reach_lines = chip_reach_lines,
        .locate = chip_locate,
        .far_run = chip_far_run,
        .near_half = chip_near_half,
        .far_half = chip_far_half,
        .far_forget = chip_far_forget,
        .far_next = chip_far_next,
        .report = report_since,
        .sample = timing_mem_sample,
        .samples = timing_mem_samples,
        .count = count_before,
        .join = join,
        .leave = leave,
        .releases = releases,
        .use = use};

    shorten_epochs(&chip, script, longest_epoch);
    return timing_run_on(first, &chip, script, feed, span, e);
}

/* Cold, and its clock goes on. */
static void make_cold(struct engine_device *d, cycle_t now)
{
    engine_device_reset(d);
    d->now = now;
    d->launched = now > 0;
}

int timing_device_run(struct engine_device *d, const struct timing_order *first, const struct timing_script *script,
                      uint32_t longest_epoch, struct engine_feeding *feed, struct timing_period *out, struct err *e)
{
    const struct launch *l = first->launch;
    struct timing_span span = {.start = first->start};
    bool perfect = first->options->perfect_memory; /* it may end before the run does */
    int status;

    if (is_other_chip(d, l))
        make_cold(d, d->now);
    if (perfect)
        status = run_perfect(first, script, longest_epoch, feed, &span, e);
    else if (!(status = begin(d, l, first->options, script, e)))
        status = run_hierarchy(d, first, script, longest_epoch, feed, &span, e);
    out->last = span.last;
    out->end = out->rested = span.end;
    /* requests of a run that did not complete are still in flight; a driver resets the chip then, too */
    out->reset = status || (span.last.r->outcome != ENGINE_DONE && !span.last_drained);
    if (out->reset) {
        make_cold(d, later(d->now, span.end));
        return status;
    }
    if (perfect)
        d->simulated = later(d->simulated, span.epoch_end);
    else
        come_to_rest(d, &span.last, &span);
    out->rested = d->simulated;
    return 0;
}

bool engine_device_warm_begin(struct engine_device *d)
{
    return !d->h || hierarchy_warm_begin(d->h);
}

void engine_device_warm(struct engine_device *d, uint32_t die, const struct hierarchy_access *access)
{
    if (d->h)
        hierarchy_warm(d->h, die, access);
}

void engine_device_warm_release(struct engine_device *d, const struct launch *l, const struct engine_options *o)
{
    struct mem_reach fences = mem_policy_fences(o->acquire, o->release, l->profile->gpu.xcds > 1);

    if (d->h)
        hierarchy_warm_write_back(d->h, fences.write_back);
}

void engine_device_warm_end(struct engine_device *d, struct hierarchy_traffic *traffic)
{
    if (d->h)
        hierarchy_warm_end(d->h, traffic);
}

uint64_t engine_device_dirty_bytes(const struct engine_device *d)
{
    return d->h ? hierarchy_dirty_bytes(d->h) : 0;
}

struct engine_lines engine_device_lines(const struct engine_device *d, enum cache_level level)
{
    struct engine_lines n = {0};
    struct cache_stats stats;

    if (d->h)
        n.room = hierarchy_lines(d->h, level, &n.valid);
    if (d->h && hierarchy_cache_stats(d->h, level, &stats))
        n.evicted = stats.evictions;
    return n;
}

uint32_t engine_cus_per_set(const struct profile *p)
{
    return dispatcher_share(p) * p->gpu.cus_per_wgp;
}

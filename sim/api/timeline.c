/* Public API: timelines. What a launch says of itself, and its samples as counters. */
#include "sim/api/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/engine/device.h"
#include "sim/engine/engine.h"
#include "sim/engine/samples.h"
#include "sim/loader/demangle.h"
#include "sim/loader/lines.h"
#include "sim/util/number.h"
#include "sim/util/plain.h"
#include "traces/timeline.h"
#include "traces/wave_view.h"

#define TEXT_BLOCK_BYTES ((size_t)16 << 10)
#define FIRST_INTERVAL   64  /* cycles of a launch's first samples */
#define USUAL_ROWS       200 /* of a wave's timeline */

static const struct gcnsim_timeline_options initial = {0};
static const struct api_struct kind = {.what = "timeline options",
                                       .init = "gcnsim_timeline_options_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_timeline_options, nanoseconds)};

static const struct gcnsim_on_timeline initial_on = {0};
static const struct api_struct on_kind = {.what = "launch on a timeline",
                                          .init = "gcnsim_on_timeline_init",
                                          .initial = &initial_on,
                                          .bytes = sizeof initial_on,
                                          .least = API_BYTES_THROUGH(struct gcnsim_on_timeline, wave)};

enum { RATES = LEVEL_COUNT }; /* hit rates, after the series of the samples */

struct timeline_queue_counters {
    char *queue;
    uint64_t counter[SAMPLES + RATES]; /* tracks, 0: none yet */
    double last[SAMPLES + RATES];
};

/* What a simulator's device has on the timeline. */
struct timeline_device {
    struct timeline_device *next;
    const struct gcnsim *sim;
    struct gcnsim_timeline *of;
    struct timeline_chip *chip;
    struct event_consumer consumer;
    cycle_t offset, last_end; /* of the device's clock, which a reset sets back; on the timeline */
    uint32_t in_flight;
    struct timeline_queue_counters *queue;
    uint32_t queues;
};

struct gcnsim_timeline {
    struct timeline *t;
    struct timeline_device *devices;
    pthread_mutex_t lock; /* of the list */
};

/* ---- opening and closing ---- */

void gcnsim_timeline_options_init_sized(struct gcnsim_timeline_options *o, size_t struct_bytes)
{
    api_struct_init(&kind, o, struct_bytes);
}

void gcnsim_on_timeline_init_sized(struct gcnsim_on_timeline *t, size_t struct_bytes)
{
    api_struct_init(&on_kind, t, struct_bytes);
}

/* "0,4-7"; false: it is something else. */
static bool read_cus(const char *list, struct event_cus *cus)
{
    uint64_t first, last;

    do {
        if (!number_range(&list, 0, UINT16_MAX, &first, &last))
            return false;
        for (uint64_t k = first; k <= last; k++)
            event_want_cu(cus, (uint16_t)k);
    } while (*list);
    return true;
}

static int open_timeline(struct gcnsim_timeline *t, const char *path, const struct gcnsim_timeline_options *from,
                         struct err *e)
{
    struct event_cus cus = {0};
    struct timeline_options o = {.max_bytes = from->max_bytes,
                                 .first = from->first_cycle,
                                 .end = from->end_cycle,
                                 .real_ns = from->nanoseconds != 0};

    if (from->cus && !read_cus(from->cus, &cus))
        return err_set(e, ERR_USAGE, "compute units '%s'; expected numbers and ranges, \"0,4-7\"", from->cus);
    if (from->cus)
        o.cus = &cus;
    return timeline_open(&t->t, path, &o, e);
}

int gcnsim_timeline_open(struct gcnsim_timeline **out, const char *path, const struct gcnsim_timeline_options *options,
                         struct gcnsim_error *error)
{
    struct gcnsim_timeline_options own = initial;
    struct gcnsim_timeline *t = calloc(1, sizeof *t);
    struct err e = {0};

    *out = NULL;
    if (!t)
        err_set(&e, ERR_NOMEM, "out of host memory for a timeline");
    else if ((!options || !api_struct_take(&kind, &own, options, &e)) && !open_timeline(t, path, &own, &e)) {
        pthread_mutex_init(&t->lock, NULL);
        *out = t;
        return GCNSIM_OK;
    }
    free(t);
    return api_fail(error, &e);
}

void gcnsim_timeline_get_info_sized(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info,
                                    size_t info_bytes)
{
    struct gcnsim_timeline_info own;
    struct timeline_info i;

    timeline_get_info(t->t, &i);
    own = (struct gcnsim_timeline_info){.bytes = i.bytes,
                                        .waves = i.waves,
                                        .instructions = i.instructions,
                                        .stalls = i.stalls,
                                        .requests = i.requests,
                                        .full = i.full,
                                        .full_cycle = i.full_at};
    api_struct_give(info, info_bytes, &own, sizeof own);
}

int gcnsim_timeline_finish(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error)
{
    struct err e = {0};

    return timeline_finish(t->t, keep != 0, &e) ? api_fail(error, &e) : GCNSIM_OK;
}

int gcnsim_timeline_close(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error)
{
    struct err e = {0};
    int failed;

    if (!t)
        return GCNSIM_OK;
    failed = timeline_close(t->t, keep != 0, &e);
    while (t->devices) {
        struct timeline_device *d = t->devices;

        t->devices = d->next;
        for (uint32_t k = 0; k < d->queues; k++)
            free(d->queue[k].queue);
        free(d->queue);
        free(d);
    }
    pthread_mutex_destroy(&t->lock);
    free(t);
    return failed ? api_fail(error, &e) : GCNSIM_OK;
}

/* ---- devices ---- */

static struct timeline_device *add_device(struct gcnsim_timeline *t, const struct gcnsim *sim, const struct profile *p)
{
    struct timeline_device *d = calloc(1, sizeof *d);
    char name[200];
    struct timeline_shape shape = {.name = name,
                                   .clock_khz = (uint64_t)llround(p->gpu.shader_clock_mhz * 1e3),
                                   .cus_per_wgp = p->gpu.cus_per_wgp,
                                   .cus_per_set = engine_cus_per_set(p),
                                   .engines = p->gpu.shader_engines};

    snprintf(name, sizeof name, "%s, %s", p->name, p->chip);
    if (!d || !(d->chip = timeline_add_chip(t->t, &shape))) {
        free(d);
        return NULL;
    }
    d->sim = sim;
    d->of = t;
    d->consumer = timeline_consumer(d->chip);
    d->next = t->devices;
    t->devices = d;
    return d;
}

static struct timeline_device *device_of(struct gcnsim_timeline *t, const struct gcnsim *sim, const struct profile *p)
{
    struct timeline_device *d;

    pthread_mutex_lock(&t->lock);
    for (d = t->devices; d && d->sim != sim;)
        d = d->next;
    if (!d)
        d = add_device(t, sim, p);
    pthread_mutex_unlock(&t->lock);
    return d;
}

static bool find_queue(struct timeline_device *d, const char *name, uint32_t *index)
{
    struct timeline_queue_counters *more;

    for (*index = 0; *index < d->queues; ++*index)
        if (!strcmp(d->queue[*index].queue, name))
            return true;
    more = realloc(d->queue, (d->queues + 1) * sizeof *more);
    if (!more)
        return false;
    d->queue = more;
    memset(&more[d->queues], 0, sizeof *more);
    if (!(more[d->queues].queue = strdup(name)))
        return false;
    d->queues++;
    return true;
}

/* ---- launches ---- */

static void text(void *ctx, gaddr_t pc, char *out, size_t size)
{
    struct api_timed *x = ctx;
    const char *t = report_instruction(&x->maker, pc);

    snprintf(out, size, "%s", t ? t : "");
}

static const char *function_name(struct api_timed *x, const struct co_frame *f)
{
    char *plain = f->function ? demangle(f->function) : NULL;
    const char *kept = plain ? arena_text(&x->arena, plain) : f->function;

    free(plain);
    return kept;
}

/* The function at an address, and where it was inlined. */
static void name_calls(struct api_timed *x, uint64_t vaddr, struct timeline_place *to)
{
    struct co_frame frame[CO_MAX_FRAMES];
    size_t count = co_lines_frames(code_object_lines(x->code), vaddr, frame, CO_MAX_FRAMES), size = 0;
    char *text = NULL;
    FILE *f;

    if (!count)
        return;
    to->function = function_name(x, &frame[0]);
    if (count < 2 || !(f = open_memstream(&text, &size)))
        return;
    for (size_t k = 1; k < count; k++) {
        const char *file = frame[k].file ? frame[k].file : "?", *slash = strrchr(file, '/');
        const char *function = function_name(x, &frame[k]);

        fprintf(f, "%s%s:%" PRIu32 "%s%s", k > 1 ? " <- " : "", slash ? slash + 1 : file, frame[k].line,
                function ? " " : "", function ? function : "");
    }
    if (fclose(f) == 0)
        to->calls = arena_text(&x->arena, text);
    free(text);
}

static bool place(void *ctx, gaddr_t pc, struct timeline_place *to)
{
    struct api_timed *x = ctx;
    const struct co_line *at = x->code && pc >= x->base && pc - x->base <= UINT32_MAX
                                   ? co_lines_at(code_object_lines(x->code), pc - x->base + x->vaddr)
                                   : NULL;

    if (!at)
        return false;
    *to = (struct timeline_place){.file = at->file, .line = at->line};
    name_calls(x, pc - x->base + x->vaddr, to);
    return true;
}

static void find_code(struct api_timed *x, const struct gcnsim_on_timeline *from)
{
    struct gcnsim_code_image image;

    x->code = x->maker.run->code;
    x->base = x->maker.run->load_base;
    x->vaddr = x->maker.run->base_vaddr;
    if (!from->object)
        return;
    gcnsim_code_get_image(from->object, &image);
    x->code = from->object->co;
    x->base = from->object_address;
    x->vaddr = image.address;
}

static uint16_t begin(struct api_timed *x, const struct gcnsim_on_timeline *from)
{
    const struct launch *l = x->maker.l;
    const struct report_run *run = x->maker.run;
    const char *name = from->kernel ? from->kernel : run->kernel;
    char grid[80], workgroup[80], *plain = demangle(name);
    const struct timeline_dispatch d = {
        .kernel = plain ? plain : name,
        .queue = x->on->queue[x->queue].queue,
        .number = from->number,
        .grid = grid,
        .workgroup = workgroup,
        .waves = from->waves != 0,
        .code = {.id = run->code_sha256, .base = x->base, .vaddr = x->vaddr, .ctx = x, .text = text, .place = place},
    };

    snprintf(grid, sizeof grid, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, run->grid[0], run->grid[1], run->grid[2]);
    snprintf(workgroup, sizeof workgroup, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, l->workgroup_size[0],
             l->workgroup_size[1], l->workgroup_size[2]);
    uint16_t tag = timeline_begin_dispatch(x->on->chip, &d);
    free(plain);
    return tag;
}

static int join_timeline(struct api_timed *x, const struct gcnsim_on_timeline *from, const struct gcnsim *sim,
                         struct engine_options *o, struct err *e)
{
    struct timeline_device *d = device_of(from->timeline, sim, x->maker.l->profile);

    if (!d || !find_queue(d, from->queue ? from->queue : "launches", &x->queue))
        return err_set(e, ERR_NOMEM, "out of host memory for a timeline");
    x->on = d;
    x->begin = o->device ? engine_device_clock(o->device) : 0;
    /* a device that was reset, or a fresh one, goes on after what was before */
    if (!d->in_flight && d->offset + x->begin < d->last_end) {
        d->offset = d->last_end - x->begin;
        timeline_set_offset(d->chip, d->offset);
    }
    x->tag = begin(x, from);
    if (!x->tag) {
        x->on = NULL;
        return err_set(e, ERR_NOMEM, "out of host memory for a timeline");
    }
    d->in_flight++;
    o->shared_consumers = &d->consumer;
    o->event_tag = x->tag;
    x->own_samples = !o->samples;
    if (x->own_samples)
        o->samples = FIRST_INTERVAL;
    return 0;
}

static int watch_wave(struct api_timed *x, const struct gcnsim_on_timeline *from, struct engine_options *o,
                      struct err *e)
{
    x->view = from->wave;
    x->view->text = NULL;
    x->kernel = from->kernel ? from->kernel : x->maker.run->kernel;
    x->wave = from->wave->wave <= UINT16_MAX ? wave_view_new(from->wave->workgroup, (uint16_t)from->wave->wave) : NULL;
    if (!x->wave)
        return from->wave->wave > UINT16_MAX
                   ? err_set(e, ERR_USAGE, "wave %" PRIu32 " of a workgroup", from->wave->wave)
                   : err_set(e, ERR_NOMEM, "out of host memory for a wave's timeline");
    x->wave_consumer = wave_view_consumer(x->wave);
    x->wave_consumer.next = o->consumers;
    o->consumers = &x->wave_consumer;
    return 0;
}

int api_timed_begin(struct api_timed *x, const struct gcnsim_on_timeline *wanted, struct gcnsim *sim,
                    const struct launch *l, const struct report_run *run, struct engine_options *o, struct err *e)
{
    struct gcnsim_on_timeline own;
    const struct gcnsim_on_timeline *from = &own;

    *x = (struct api_timed){0};
    if (!wanted)
        return 0;
    if (api_struct_take(&on_kind, &own, wanted, e))
        return -1;
    if (!from->timeline && !from->wave)
        return 0;
    if (!run->timing)
        return err_set(e, ERR_USAGE, "a timeline is of the timing engine; the functional one has no cycles");
    arena_init(&x->arena, TEXT_BLOCK_BYTES);
    x->has_arena = true;
    x->maker = (struct report_maker){.arena = &x->arena, .l = l, .run = run};
    find_code(x, from);
    if (from->wave && watch_wave(x, from, o, e))
        return -1;
    return from->timeline ? join_timeline(x, from, sim, o, e) : 0;
}

/* ---- counters ---- */

/* Whether a series is on the timeline, and in which unit: counts are given for a cycle. */
static bool is_shown(unsigned k, char *unit, size_t size)
{
    const struct sample_row *row = &sample_row[k];
    bool level = k >= SAMPLE_CACHES && k < SAMPLE_CACHES + LEVEL_COUNT * SAMPLE_CACHE_ROWS;
    unsigned of = level ? (k - SAMPLE_CACHES) % SAMPLE_CACHE_ROWS : 0;

    if (level && of != SAMPLE_CACHE_MSHRS && of != SAMPLE_CACHE_LOAD_BYTES)
        return false;
    if (k >= SAMPLE_STALL && k < SAMPLE_STALL + STALL_COUNT)
        return false;
    if (k == SAMPLE_VMEM_QUEUES_FULL || k == SAMPLE_SMEM_QUEUES_FULL)
        return false;
    snprintf(unit, size, "%s%s", row->unit, row->kind == SAMPLE_KIND_SUM ? "/cycle" : "");
    return true;
}

static void count(struct timeline_device *d, struct timeline_queue_counters *q, unsigned k, const char *name,
                  const char *unit, cycle_t at, double value)
{
    if (!q->counter[k]) {
        char full[160];

        snprintf(full, sizeof full, d->queues > 1 ? "%s (%s)" : "%s", name, q->queue);
        q->counter[k] = timeline_counter(d->chip, full, unit);
        q->last[k] = NAN;
    }
    if (value == q->last[k])
        return;
    timeline_count(d->chip, q->counter[k], at, value);
    q->last[k] = value;
}

/* A series; null values: 0 at `end`. */
static void count_series(struct api_timed *x, const struct engine_samples *s, unsigned k, cycle_t from, cycle_t end)
{
    char unit[80];

    if (!s->present[k] || !is_shown(k, unit, sizeof unit))
        return;
    for (size_t n = 0; n < s->count; n++) {
        uint64_t cycles = engine_samples_cycles(s, n);

        count(x->on, &x->on->queue[x->queue], k, sample_row[k].name, unit, from,
              cycles ? (double)s->value[n][k] / (double)cycles : 0);
        from += cycles;
    }
    count(x->on, &x->on->queue[x->queue], k, sample_row[k].name, unit, end, 0);
}

/* The hit rate of each interval, as the statistic has it. */
static void count_hits(struct api_timed *x, const struct engine_samples *s, enum cache_level level, cycle_t from)
{
    unsigned requests = sample_of_cache(level, SAMPLE_CACHE_TAG_REQUESTS);
    unsigned misses = sample_of_cache(level, SAMPLE_CACHE_TAG_MISSES);
    char name[60];

    if (!s->present[requests])
        return;
    snprintf(name, sizeof name, "cache.%s.hit_rate", cache_level_key[level]);
    for (size_t n = 0; n < s->count; n++) {
        uint64_t all = s->value[n][requests], missed = s->value[n][misses];

        if (all) /* else it stays what it was */
            count(x->on, &x->on->queue[x->queue], SAMPLES + level, name, "%", from,
                  missed < all ? 100.0 * (double)(all - missed) / (double)all : 0);
        from += engine_samples_cycles(s, n);
    }
}

static void leave_timeline(struct api_timed *x, struct engine_result *r)
{
    static const char *const outcome[] = {
        [ENGINE_FAULT] = "fault", [ENGINE_LIMIT] = "limit", [ENGINE_INTERRUPTED] = "interrupted"};
    struct timeline_device *d = x->on;
    cycle_t from, end;

    from = r && r->present[STAT_DISPATCH_CLOCK] ? r->stat[STAT_DISPATCH_CLOCK] : x->begin;
    end = from + (r ? r->stat[STAT_CYCLES] : 0);
    timeline_end_dispatch(d->chip, x->tag, from, end, r ? outcome[r->outcome] : "not run");
    if (r && r->samples) {
        for (unsigned k = 0; k < SAMPLES; k++)
            count_series(x, r->samples, k, from, end);
        for (unsigned k = 0; k < LEVEL_COUNT; k++)
            count_hits(x, r->samples, (enum cache_level)k, from);
    }
    if (r && x->own_samples) { /* nobody else has asked for them */
        engine_samples_free(r->samples);
        r->samples = NULL;
    }
    d->in_flight--;
    if (d->offset + end > d->last_end)
        d->last_end = d->offset + end;
    x->on = NULL;
}

static void show_wave(struct api_timed *x)
{
    const struct timeline_code code = {.base = x->base, .vaddr = x->vaddr, .ctx = x, .text = text, .place = place};
    char *plain = demangle(x->kernel);

    x->view->text = wave_view_text(x->wave, plain ? plain : x->kernel, x->view->first_row,
                                   x->view->rows ? x->view->rows : USUAL_ROWS, &code);
    if (x->view->text)
        plain_text(x->view->text, PLAIN_LINES);
    free(plain);
}

void api_timed_end(struct api_timed *x, struct engine_result *r)
{
    if (x->on)
        leave_timeline(x, r);
    if (x->wave && r)
        show_wave(x);
    wave_view_free(x->wave);
    x->wave = NULL;
    if (x->has_arena)
        arena_free(&x->arena);
    x->has_arena = false;
}

/* The timeline of a program: its file, chips, queues and dispatches. */
#include "traces/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/timeline_state.h"

#define MAX_TAG UINT16_MAX

/* Tracks ----------------------------------------------------------------------------------------------------------- */

uint64_t timeline_lane(struct timeline_chip *c, struct timeline_lanes *l, uint64_t parent, const char *name,
                       uint32_t rank, cycle_t begin, cycle_t end)
{
    uint32_t k = 0;

    while (k < l->count && l->lane[k].end > begin)
        k++;
    if (k == l->room) {
        uint32_t room = l->room ? 2 * l->room : 4;
        struct timeline_lane *more = realloc(l->lane, room * sizeof *more);

        if (!more) {
            c->t->no_memory = true;
            return 0;
        }
        l->lane = more;
        l->room = room;
    }
    if (k == l->count)
        l->lane[l->count++].track = perfetto_track(&c->t->p, parent, name, rank, NULL);
    l->lane[k].end = end;
    return l->lane[k].track;
}

/* The tracks of a queue; null without memory. */
static struct timeline_queue *queue_of(struct timeline_chip *c, uint64_t index)
{
    return &c->queue[index];
}

static bool find_queue(struct timeline_chip *c, const char *name, uint64_t *index)
{
    struct timeline_queue *more;

    for (*index = 0; *index < c->queues; ++*index)
        if (!strcmp(c->queue[*index].name, name))
            return true;
    more = realloc(c->queue, (c->queues + 1) * sizeof *more);
    if (!more)
        return false;
    c->queue = more;
    more[c->queues] = (struct timeline_queue){.name = strdup(name)};
    if (!more[c->queues].name)
        return false;
    c->queues++;
    return true;
}

static void set_window(struct timeline_chip *c)
{
    const struct timeline *t = c->t;

    c->first = t->first > c->offset ? t->first - c->offset : 0;
    c->end = t->end == CYCLE_NEVER ? t->end : t->end > c->offset ? t->end - c->offset : 0;
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

int timeline_open(struct timeline **out, const char *path, const struct timeline_options *o, struct err *e)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (!t)
        return err_set(e, ERR_NOMEM, "%s: out of host memory for a trace", path);
    if (o->end && o->end <= o->first) {
        free(t);
        return err_set(e, ERR_USAGE, "%s: cycles %" PRIu64 " to %" PRIu64 " are none", path, o->first, o->end);
    }
    if (output_open(&t->output, path, e)) {
        free(t);
        return -1;
    }
    t->out = packed_open(t->output.f, packing_of(path), e);
    if (t->out && o->cus && !(t->cus = malloc(sizeof *t->cus))) {
        packed_close(t->out);
        t->out = NULL;
        err_set(e, ERR_NOMEM, "%s: out of host memory for a trace", path);
    }
    if (!t->out) {
        output_close(&t->output, false, NULL);
        free(t);
        return -1;
    }
    if (t->cus)
        *t->cus = *o->cus;
    pthread_mutex_init(&t->lock, NULL);
    t->max_bytes = o->max_bytes ? o->max_bytes : TIMELINE_DEFAULT_BYTES;
    t->first = o->first;
    t->end = o->end ? o->end : CYCLE_NEVER;
    t->real_ns = o->real_ns;
    perfetto_begin_file(&t->p, t->out);
    *out = t;
    return 0;
}

static void name_chip(struct timeline_chip *c)
{
    char text[200];
    uint64_t mhz = c->shape.clock_khz / 1000, rest = c->shape.clock_khz % 1000;
    int n = snprintf(text, sizeof text, "%s (%s, %" PRIu64, c->name,
                     c->t->real_ns ? "time in ns" : "1 ns is 1 cycle of the shader clock", mhz);

    if (n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, rest ? ".%03" PRIu64 " MHz)" : " MHz)", rest);
    c->track = perfetto_track(&c->t->p, 0, text, c->index, NULL);
    c->queues_track = perfetto_track(&c->t->p, c->track, "dispatches", 0, NULL);
}

struct timeline_chip *timeline_add_chip(struct timeline *t, const struct timeline_shape *shape)
{
    struct timeline_chip *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->shape = *shape;
    c->name = strdup(shape->name);
    c->engine = calloc(shape->engines, sizeof *c->engine);
    if (!c->name || !c->engine) {
        free(c->name);
        free(c->engine);
        free(c);
        return NULL;
    }
    c->t = t;
    set_window(c);
    pthread_mutex_lock(&t->lock);
    c->index = t->chips ? t->chips->index + 1 : 0;
    c->next = t->chips;
    t->chips = c;
    if (!t->finished)
        name_chip(c);
    pthread_mutex_unlock(&t->lock);
    return c;
}

void timeline_set_offset(struct timeline_chip *c, uint64_t offset_cycles)
{
    pthread_mutex_lock(&c->t->lock);
    c->offset = offset_cycles;
    set_window(c);
    pthread_mutex_unlock(&c->t->lock);
}

struct event_consumer timeline_consumer(struct timeline_chip *c)
{
    return (struct event_consumer){.kinds = EVENT_BIT(EVENT_WAVE_LAUNCH) | EVENT_BIT(EVENT_WAVE_END) |
                                            EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_STALL_BEGIN) |
                                            EVENT_BIT(EVENT_STALL_END) | EVENT_BIT(EVENT_COMPLETE) |
                                            EVENT_BIT(EVENT_LDS),
                                   .cus = c->t->cus,
                                   .ctx = c,
                                   .take = timeline_take};
}

/* Dispatches ------------------------------------------------------------------------------------------------------- */

static struct timeline_text *find_text(struct timeline *t, const struct timeline_code *code)
{
    struct timeline_text *x;

    for (x = t->texts; x; x = x->next)
        if (x->base == code->base && !strcmp(x->id, code->id))
            return x;
    x = calloc(1, sizeof *x);
    if (!x || !(x->id = strdup(code->id))) {
        free(x);
        return NULL;
    }
    x->base = code->base;
    x->next = t->texts;
    t->texts = x;
    return x;
}

/* An entry that is free; 0: out of host memory. */
static uint32_t free_tag(struct timeline_chip *c)
{
    struct timeline_flight *more;
    uint32_t k, n;

    for (k = 0; k < c->dispatches && c->dispatch[k].used;)
        k++;
    if (k < c->dispatches)
        return k + 1;
    n = c->dispatches ? 2 * c->dispatches : 8;
    n = n < MAX_TAG ? n : MAX_TAG;
    if (n == c->dispatches || !(more = realloc(c->dispatch, n * sizeof *more)))
        return 0;
    memset(more + c->dispatches, 0, (n - c->dispatches) * sizeof *more);
    c->dispatch = more;
    c->dispatches = n;
    return k + 1;
}

static uint16_t begin_dispatch(struct timeline_chip *c, const struct timeline_dispatch *d)
{
    struct timeline_flight f = {.used = true, .waves = d->waves, .number = d->number, .code = d->code};
    uint32_t tag = free_tag(c);

    if (!tag || !find_queue(c, d->queue, &f.queue) || !(f.text = find_text(c->t, &d->code)))
        return 0;
    f.grid = strdup(d->grid);
    f.workgroup = strdup(d->workgroup);
    if (!f.grid || !f.workgroup) {
        free(f.grid);
        free(f.workgroup);
        return 0;
    }
    f.name = c->t->finished ? 0 : perfetto_name(&c->t->p, d->kernel);
    c->dispatch[tag - 1] = f;
    return (uint16_t)tag;
}

uint16_t timeline_begin_dispatch(struct timeline_chip *c, const struct timeline_dispatch *d)
{
    pthread_mutex_lock(&c->t->lock);
    uint16_t tag = begin_dispatch(c, d);
    c->t->no_memory |= !tag && !c->t->finished;
    pthread_mutex_unlock(&c->t->lock);
    return tag;
}

static void write_dispatch(struct timeline_chip *c, const struct timeline_flight *f, cycle_t begin, cycle_t end,
                           const char *outcome)
{
    struct timeline_queue *q = queue_of(c, f->queue);
    struct perfetto_arg arg[5] = {{.note = PERFETTO_NOTE_DISPATCH_NUMBER, .value = f->number},
                                  {.note = PERFETTO_NOTE_CYCLES, .value = end - begin},
                                  {.note = PERFETTO_NOTE_GRID, .text = f->grid},
                                  {.note = PERFETTO_NOTE_WORKGROUP_SIZE, .text = f->workgroup},
                                  {.note = PERFETTO_NOTE_OUTCOME, .text = outcome}};
    struct perfetto_slice s = {.category = PERFETTO_DISPATCH, .name = f->name, .arg = arg, .args = outcome ? 5u : 4u};
    uint64_t track;

    if (!timeline_clip(c, &begin, &end) || perfetto_size(&c->t->p) >= c->t->max_bytes)
        return;
    track = timeline_lane(c, &q->lanes, c->queues_track, q->name, (uint32_t)f->queue, begin, end);
    if (!track)
        return;
    perfetto_begin(&c->t->p, track, timeline_ns(c, begin), &s);
    perfetto_end(&c->t->p, track, timeline_ns(c, end));
}

void timeline_end_dispatch(struct timeline_chip *c, uint16_t tag, cycle_t begin, cycle_t end, const char *outcome)
{
    struct timeline_flight *f = &c->dispatch[tag - 1];

    pthread_mutex_lock(&c->t->lock);
    if (!c->t->finished) {
        timeline_end_waves(c, tag, end);
        write_dispatch(c, f, begin, end, outcome);
    }
    free(f->grid);
    free(f->workgroup);
    *f = (struct timeline_flight){0};
    pthread_mutex_unlock(&c->t->lock);
}

/* Counters --------------------------------------------------------------------------------------------------------- */

uint64_t timeline_counter(struct timeline_chip *c, const char *name, const char *unit)
{
    uint64_t track = 1; /* nothing comes to it when the file has ended, or its size is reached */

    pthread_mutex_lock(&c->t->lock);
    if (!c->t->finished && perfetto_size(&c->t->p) < c->t->max_bytes) {
        if (!c->counters_track)
            c->counters_track = perfetto_track(&c->t->p, c->track, "counters", 1, NULL);
        track = perfetto_track(&c->t->p, c->counters_track, name, c->counters++, unit);
    }
    pthread_mutex_unlock(&c->t->lock);
    return track;
}

void timeline_count(struct timeline_chip *c, uint64_t counter, cycle_t at, double value)
{
    if (at < c->first || at >= c->end)
        return;
    pthread_mutex_lock(&c->t->lock);
    if (!c->t->finished && perfetto_size(&c->t->p) < c->t->max_bytes)
        perfetto_count(&c->t->p, counter, timeline_ns(c, at), value);
    pthread_mutex_unlock(&c->t->lock);
}

/* Closing ---------------------------------------------------------------------------------------------------------- */

void timeline_get_info(const struct timeline *t, struct timeline_info *info)
{
    *info = t->info;
    info->bytes = perfetto_size(&t->p);
}

static void free_cu(struct timeline_cu *cu)
{
    for (unsigned k = 0; cu && k < TIMELINE_SIMDS * TIMELINE_SLOTS; k++)
        free(cu->slot[k].stall);
    for (unsigned k = 0; cu && k < TIMELINE_UNITS; k++)
        free(cu->unit[k].lane);
    free(cu);
}

static void free_chip(struct timeline_chip *c)
{
    for (size_t k = 0; k < c->cus; k++)
        free_cu(c->cu[k]);
    for (uint32_t k = 0; k < c->queues; k++) {
        free(c->queue[k].name);
        free(c->queue[k].lanes.lane);
    }
    for (uint32_t k = 0; k < c->dispatches; k++) {
        free(c->dispatch[k].grid);
        free(c->dispatch[k].workgroup);
    }
    free(c->cu);
    free(c->wgp);
    free(c->queue);
    free(c->dispatch);
    free(c->engine);
    free(c->name);
    free(c);
}

static void free_timeline(struct timeline *t)
{
    while (t->chips) {
        struct timeline_chip *c = t->chips;
        t->chips = c->next;
        free_chip(c);
    }
    while (t->texts) {
        struct timeline_text *x = t->texts;
        t->texts = x->next;
        free(x->inst);
        free(x->id);
        free(x);
    }
    timeline_words_free(&t->words);
    pthread_mutex_destroy(&t->lock);
    free(t->cus);
    free(t);
}

/* Ends what goes on, so that a reader finds whole slices. */
static void end_chips(struct timeline *t)
{
    for (struct timeline_chip *c = t->chips; c; c = c->next)
        if (!c->over)
            timeline_stop(c, c->now);
}

int timeline_finish(struct timeline *t, bool keep, struct err *e)
{
    bool good = !t->no_memory;
    int failed;

    pthread_mutex_lock(&t->lock);
    if (t->finished) {
        pthread_mutex_unlock(&t->lock);
        return 0;
    }
    end_chips(t);
    t->finished = true;
    good = perfetto_end_file(&t->p) && good;
    good = packed_close(t->out) && good;
    failed = output_close(&t->output, keep, e);
    pthread_mutex_unlock(&t->lock);
    return good || failed ? failed : err_set(e, ERR_NOMEM, "out of host memory for all of a trace");
}

int timeline_close(struct timeline *t, bool keep, struct err *e)
{
    int failed;

    if (!t)
        return 0;
    failed = timeline_finish(t, keep, e);
    free_timeline(t);
    return failed;
}

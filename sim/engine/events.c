/* Merging and delivery of the event stream. */
#include "sim/engine/events.h"

#include <stdlib.h>

/* Makes room for `want` elements; false when out of host memory. */
static bool grow(void **array, size_t *room, size_t want, size_t bytes)
{
    size_t n = *room ? *room : 256;
    void *more;

    if (want <= *room)
        return true;
    while (n < want)
        n *= 2;
    more = realloc(*array, n * bytes);
    if (!more)
        return false;
    *array = more;
    *room = n;
    return true;
}

bool event_stream_init(struct event_stream *s, const struct event_consumer *consumers,
                       const struct event_consumer *shared, bool needed, uint32_t buffers)
{
    *s = (struct event_stream){
        .consumers = consumers, .shared = shared, .kinds = event_kinds(consumers) | event_kinds(shared)};
    if (!s->kinds && !needed)
        return true;
    s->buffer = aligned_alloc(_Alignof(struct event_buffer), buffers * sizeof *s->buffer);
    if (!s->buffer)
        return false;
    memset(s->buffer, 0, buffers * sizeof *s->buffer);
    s->buffers = buffers;
    /* so that there always is an event to write to */
    for (uint32_t k = 0; k < buffers; k++)
        if (!grow((void **)&s->buffer[k].event, &s->buffer[k].room, 1, sizeof(struct event)) ||
            !grow((void **)&s->buffer[k].stall, &s->buffer[k].stall_room, 1, sizeof(struct event)))
            return false;
    return true;
}

static uint32_t kinds_of(const struct event_consumer *c, uint32_t cu, uint32_t count)
{
    uint32_t kinds = 0;

    for (; c; c = c->next)
        for (uint32_t k = 0; k < count; k++)
            if (!c->cus || event_wants_cu(c->cus, (uint16_t)(cu + k)))
                kinds |= c->kinds & EVENT_ALL;
    return kinds;
}

uint32_t event_stream_kinds(const struct event_stream *s, uint32_t cu, uint32_t count)
{
    return kinds_of(s->consumers, cu, count) | kinds_of(s->shared, cu, count);
}

void event_stream_free(struct event_stream *s)
{
    for (uint32_t k = 0; k < s->buffers; k++) {
        free(s->buffer[k].event);
        free(s->buffer[k].stall);
        free(s->buffer[k].lane);
    }
    free(s->buffer);
    free(s->merged);
    free(s->first);
    free(s->key);
}

static struct event *add(struct event_buffer *b, struct event **list, size_t *count, size_t *room, enum event_kind kind,
                         cycle_t at)
{
    struct event *e;

    if (!grow((void **)list, room, *count + 1, sizeof **list)) {
        b->no_memory = true; /* the run ends at the next delivery; until then the last event is overwritten */
        *count = *room - 1;
    }
    e = &(*list)[(*count)++];
    memset(e, 0, sizeof *e); /* all of it, so that equal events have equal bytes */
    e->at = at;
    e->kind = (uint8_t)kind;
    return e;
}

struct event *event_add(struct event_buffer *b, enum event_kind kind, cycle_t at)
{
    return add(b, &b->event, &b->count, &b->room, kind, at);
}

struct event *event_add_stall(struct event_buffer *b, enum event_kind kind, cycle_t at)
{
    return add(b, &b->stall, &b->stalls, &b->stall_room, kind, at);
}

void event_add_lanes(struct event_buffer *b, struct event *e, const gaddr_t *addr, size_t count)
{
    if (!grow((void **)&b->lane, &b->lane_room, b->lanes + count, sizeof *b->lane)) {
        b->no_memory = true;
        e->access.lanes = 0;
        return;
    }
    memcpy(b->lane + b->lanes, addr, count * sizeof *addr);
    e->access.addr = (const gaddr_t *)(uintptr_t)b->lanes;
    b->lanes += count;
}

/* Cycles that events lie in, and how many events there are. */
struct span {
    cycle_t first, last;
    size_t events;
};

static void widen(struct span *span, const struct event *e, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        span->first = e[n].at < span->first ? e[n].at : span->first;
        span->last = e[n].at > span->last ? e[n].at : span->last;
    }
    span->events += count;
}

static struct span span_of(const struct event_stream *s)
{
    struct span span = {.first = CYCLE_NEVER};

    for (uint32_t k = 0; k < s->buffers; k++) {
        widen(&span, s->buffer[k].stall, s->buffer[k].stalls);
        widen(&span, s->buffer[k].event, s->buffer[k].count);
    }
    return span;
}

/* Changes of stall reasons by wave slot; of those of one cycle, a reason ends before the next one begins. The place in
 * the buffer makes a key unique, so that any way of sorting gives one order. */
enum { PLACE_BITS = 31, FEW_STALLS = 64 };

static uint64_t stall_key(const struct event *e, size_t place)
{
    uint64_t slot = (uint64_t)e->cu << 16 | (uint64_t)e->simd << 8 | e->slot;

    return (slot << 1 | (e->kind == EVENT_STALL_BEGIN)) << PLACE_BITS | place;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void sort_stalls(uint64_t *key, const struct event_buffer *b)
{
    for (size_t n = 0; n < b->stalls; n++)
        key[n] = stall_key(&b->stall[n], n);
    if (b->stalls > FEW_STALLS) {
        qsort(key, b->stalls, sizeof *key, by_key);
        return;
    }
    for (size_t n = 1; n < b->stalls; n++) { /* they come nearly in order */
        uint64_t k = key[n];
        size_t to = n;

        for (; to && key[to - 1] > k; to--)
            key[to] = key[to - 1];
        key[to] = k;
    }
}

static void count_cycles(struct event_stream *s, const struct span *span, const struct event *e, size_t count)
{
    for (size_t n = 0; n < count; n++)
        s->first[e[n].at - span->first]++;
}

static void place(struct event_stream *s, const struct span *span, const struct event *e, size_t count)
{
    for (size_t n = 0; n < count; n++)
        s->merged[s->first[e[n].at - span->first]++] = e[n];
}

/* A counting sort by cycle, which leaves the events of a cycle in the order in which they are taken. */
static void merge(struct event_stream *s, const struct span *span, size_t cycles)
{
    size_t next = 0;

    memset(s->first, 0, cycles * sizeof *s->first);
    for (uint32_t k = 0; k < s->buffers; k++) {
        count_cycles(s, span, s->buffer[k].stall, s->buffer[k].stalls);
        count_cycles(s, span, s->buffer[k].event, s->buffer[k].count);
    }
    for (size_t k = 0; k < cycles; k++) {
        size_t count = s->first[k];

        s->first[k] = next;
        next += count;
    }
    for (uint32_t k = 0; k < s->buffers; k++) {
        struct event_buffer *b = &s->buffer[k];

        sort_stalls(s->key, b);
        for (size_t n = 0; n < b->count && b->lanes; n++)
            if (b->event[n].kind == EVENT_ACCESS)
                b->event[n].access.addr = b->lane + (uintptr_t)b->event[n].access.addr;
        for (size_t n = 0; n < b->stalls; n++)
            place(s, span, &b->stall[s->key[n] & ((UINT64_C(1) << PLACE_BITS) - 1)], 1);
        place(s, span, b->event, b->count);
    }
}

/* Hands over runs of events that the consumer wants, as long as they are. */
static void give(const struct event_consumer *c, const struct event *e, size_t count)
{
    for (size_t from = 0, end; from < count; from = end) {
        for (end = from; end < count && c->kinds & EVENT_BIT(e[end].kind);)
            end++;
        if (end > from)
            c->take(c->ctx, e + from, end - from);
        while (end < count && !(c->kinds & EVENT_BIT(e[end].kind)))
            end++;
    }
}

bool event_stream_deliver(struct event_stream *s)
{
    struct span span = span_of(s);
    size_t cycles = span.events ? (size_t)(span.last - span.first) + 1 : 0;

    for (uint32_t k = 0; k < s->buffers; k++)
        if (s->buffer[k].no_memory)
            return false;
    if (!span.events)
        return true;
    if (!grow((void **)&s->merged, &s->room, span.events, sizeof *s->merged) ||
        !grow((void **)&s->first, &s->cycles, cycles, sizeof *s->first) ||
        !grow((void **)&s->key, &s->keys, span.events, sizeof *s->key))
        return false;
    merge(s, &span, cycles);
    for (const struct event_consumer *c = s->consumers; c; c = c->next)
        give(c, s->merged, span.events);
    for (const struct event_consumer *c = s->shared; c; c = c->next)
        give(c, s->merged, span.events);
    for (uint32_t k = 0; k < s->buffers; k++)
        s->buffer[k].count = s->buffer[k].stalls = s->buffer[k].lanes = 0;
    return true;
}

/* The event stream of a run: a buffer for each group of CUs and one for the levels of memory they share, merged at the
 * end of an epoch and handed to the consumers (sim/util/event.h).
 *
 * A buffer is written by whoever runs its group, so that no group waits for another. Events of an epoch may be added in
 * any order of cycles: they are sorted by cycle when they are delivered, those of one cycle stay in the order of the
 * buffers and, within one, in that of their coming. Changes of stall reasons are the exception: it depends on epochs
 * and on time jumps when the engine comes to know of them, so they are ordered by wave slot and go first in their
 * cycle. Without host memory a buffer drops what does not fit and the next delivery says so.
 */
#ifndef GCNSIM_ENGINE_EVENTS_H
#define GCNSIM_ENGINE_EVENTS_H

#include "sim/util/event.h"

struct event_buffer {
    _Alignas(64) struct event *event;
    size_t count, room;
    struct event *stall; /* changes of stall reasons */
    size_t stalls, stall_room;
    gaddr_t *lane; /* what access events point to; until they are delivered they have its index */
    size_t lanes, lane_room;
    bool no_memory;
};

struct event_stream {
    const struct event_consumer *consumers, *shared;
    uint32_t kinds; /* that any of them wants */
    struct event_buffer *buffer;
    uint32_t buffers;
    struct event *merged;
    size_t room;
    size_t *first; /* where the events of each cycle go */
    size_t cycles;
    uint64_t *key; /* the order of a buffer's stalls */
    size_t keys;
};

/* False when out of host memory. consumers, shared: lists, null for none; needed: there are to be buffers without any,
 * too, which then only say that host memory ran out. event_stream_free() in any case. */
bool event_stream_init(struct event_stream *s, const struct event_consumer *consumers,
                       const struct event_consumer *shared, bool needed, uint32_t buffers);
void event_stream_free(struct event_stream *s);

/* The kinds that any consumer wants of compute units [cu, cu + count). */
uint32_t event_stream_kinds(const struct event_stream *s, uint32_t cu, uint32_t count);

/* A new event of the kind, else zero, for the caller to fill in; never null (without memory it goes nowhere). */
struct event *event_add(struct event_buffer *b, enum event_kind kind, cycle_t at);

/* The same for the beginning or the end of a stall that is reported when it is known. */
struct event *event_add_stall(struct event_buffer *b, enum event_kind kind, cycle_t at);

/* Keeps a copy of lane addresses for an access event. */
void event_add_lanes(struct event_buffer *b, struct event *e, const gaddr_t *addr, size_t count);

/* Merges all buffers and gives each consumer what it wants. False: something was dropped for want of memory. */
bool event_stream_deliver(struct event_stream *s);

#endif

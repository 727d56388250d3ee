/* Perfetto's trace format: its messages, as far as they are used here. */
#include "traces/perfetto.h"

#include <string.h>

#define SEQUENCE    1
#define FLUSH_BYTES ((size_t)1 << 16)

/* Field numbers, by message. Those of later versions of Perfetto are ignored by older readers. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    PACKET_FIRST = 87,
};
enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum {
    INTERNED_CATEGORIES = 1,
    INTERNED_NAMES = 2,
    INTERNED_NOTES = 3,
    INTERNED_SOURCES = 4,
    INTERNED_TEXTS = 29,
};
enum { ENTRY_IID = 1, ENTRY_NAME = 2 }; /* of each kind of interned data */
enum { SOURCE_FILE = 2, SOURCE_FUNCTION = 3, SOURCE_LINE = 4 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDERING = 11,
    TRACK_RANK = 12,
};
enum { ORDERING_EXPLICIT = 3 };
enum { COUNTER_UNIT_NAME = 6 };
enum {
    EVENT_CATEGORY = 3,
    EVENT_NOTE = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_SOURCE = 34,
    EVENT_DOUBLE_VALUE = 44,
    EVENT_FLOW = 47,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { NOTE_NAME = 1, NOTE_UINT = 3, NOTE_TEXT = 6, NOTE_INTERNED = 17 };

static const char *const category_name[PERFETTO_CATEGORY_COUNT] = {
#define X(E, KEY) [PERFETTO_##E] = KEY,
    PERFETTO_CATEGORIES(X)
#undef X
};

static const char *const note_name[PERFETTO_NOTE_COUNT] = {
#define X(E, KEY) [PERFETTO_NOTE_##E] = KEY,
    PERFETTO_NOTES(X)
#undef X
};

/* Packets ---------------------------------------------------------------------------------------------------------- */

static size_t open_packet(struct perfetto *p)
{
    return wire_open(&p->packet, TRACE_PACKET);
}

static void flush(struct perfetto *p)
{
    p->failed |= p->packet.no_memory;
    if (!p->failed)
        p->failed = !packed_write(p->out, p->packet.bytes, p->packet.size);
    p->written += p->packet.size;
    p->packet.size = 0;
}

static void close_packet(struct perfetto *p, size_t packet)
{
    wire_close(&p->packet, packet);
    if (p->packet.size >= FLUSH_BYTES)
        flush(p);
}

static void sequence(struct perfetto *p, uint64_t flags)
{
    wire_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    wire_uint(&p->packet, PACKET_SEQUENCE_FLAGS, flags);
}

/* Interned data ---------------------------------------------------------------------------------------------------- */

static void entry(struct perfetto *p, unsigned kind, uint64_t iid, const char *name)
{
    size_t e = wire_open(&p->packet, kind);

    wire_uint(&p->packet, ENTRY_IID, iid);
    wire_text(&p->packet, ENTRY_NAME, name);
    wire_close(&p->packet, e);
}

void perfetto_begin_file(struct perfetto *p, struct packed *out)
{
    size_t packet, interned;

    *p = (struct perfetto){.out = out};
    packet = open_packet(p);
    sequence(p, FLAG_STATE_CLEARED);
    wire_uint(&p->packet, PACKET_FIRST, 1);
    interned = wire_open(&p->packet, PACKET_INTERNED);
    for (unsigned k = 1; k < PERFETTO_CATEGORY_COUNT; k++)
        entry(p, INTERNED_CATEGORIES, k, category_name[k]);
    for (unsigned k = 1; k < PERFETTO_NOTE_COUNT; k++)
        entry(p, INTERNED_NOTES, k, note_name[k]);
    wire_close(&p->packet, interned);
    close_packet(p, packet);
}

bool perfetto_end_file(struct perfetto *p)
{
    flush(p);
    wire_free(&p->packet);
    return !p->failed;
}

static uint64_t intern(struct perfetto *p, unsigned kind, uint64_t iid, const char *text)
{
    size_t packet = open_packet(p), interned;

    sequence(p, FLAG_NEEDS_STATE);
    interned = wire_open(&p->packet, PACKET_INTERNED);
    entry(p, kind, iid, text);
    wire_close(&p->packet, interned);
    close_packet(p, packet);
    return iid;
}

uint64_t perfetto_name(struct perfetto *p, const char *name)
{
    return intern(p, INTERNED_NAMES, ++p->names, name);
}

uint64_t perfetto_text(struct perfetto *p, const char *text)
{
    return intern(p, INTERNED_TEXTS, ++p->texts, text);
}

uint64_t perfetto_source(struct perfetto *p, const char *file, const char *function, uint32_t line)
{
    size_t packet = open_packet(p), interned, e;

    sequence(p, FLAG_NEEDS_STATE);
    interned = wire_open(&p->packet, PACKET_INTERNED);
    e = wire_open(&p->packet, INTERNED_SOURCES);
    wire_uint(&p->packet, ENTRY_IID, ++p->sources);
    wire_text(&p->packet, SOURCE_FILE, file);
    if (function)
        wire_text(&p->packet, SOURCE_FUNCTION, function);
    wire_uint(&p->packet, SOURCE_LINE, line);
    wire_close(&p->packet, e);
    wire_close(&p->packet, interned);
    close_packet(p, packet);
    return p->sources;
}

/* Tracks and events ------------------------------------------------------------------------------------------------ */

uint64_t perfetto_track(struct perfetto *p, uint64_t parent, const char *name, uint32_t rank, const char *unit)
{
    size_t packet = open_packet(p), track, counter;

    sequence(p, FLAG_NEEDS_STATE);
    track = wire_open(&p->packet, PACKET_TRACK_DESCRIPTOR);
    wire_uint(&p->packet, TRACK_UUID, ++p->tracks);
    if (parent)
        wire_uint(&p->packet, TRACK_PARENT, parent);
    wire_text(&p->packet, TRACK_NAME, name);
    if (unit) {
        counter = wire_open(&p->packet, TRACK_COUNTER);
        wire_text(&p->packet, COUNTER_UNIT_NAME, unit);
        wire_close(&p->packet, counter);
    } else {
        wire_uint(&p->packet, TRACK_CHILD_ORDERING, ORDERING_EXPLICIT);
    }
    wire_uint(&p->packet, TRACK_RANK, rank);
    wire_close(&p->packet, track);
    close_packet(p, packet);
    return p->tracks;
}

static void notes(struct wire *w, const struct perfetto_arg *a, unsigned count)
{
    for (; count--; a++) {
        size_t note = wire_open(w, EVENT_NOTE);

        wire_uint(w, NOTE_NAME, a->note);
        if (a->text)
            wire_text(w, NOTE_TEXT, a->text);
        else
            wire_uint(w, a->interned ? NOTE_INTERNED : NOTE_UINT, a->value);
        wire_close(w, note);
    }
}

/* Nearly all events: with so many annotations, which are so small numbers, they are shorter than 128 bytes however
 * large time, track, name and source are. */
enum { SHORT_NOTES = 6, SHORT_NUMBER = 1 << 28, SHORT_BYTES = 128 };

static bool is_short(const struct perfetto_slice *s)
{
    if (s->args > SHORT_NOTES)
        return false;
    for (unsigned k = 0; k < s->args; k++)
        if (s->arg[k].text || s->arg[k].value >= SHORT_NUMBER)
            return false;
    return true;
}

static uint8_t *put_slice(uint8_t *to, const struct perfetto_slice *s)
{
    to = wire_put_uint(to, EVENT_CATEGORY, s->category);
    to = wire_put_uint(to, EVENT_NAME, s->name);
    for (unsigned k = 0; k < s->args; k++) {
        uint8_t *note = to = wire_put_open(to, EVENT_NOTE);

        to = wire_put_uint(to, NOTE_NAME, s->arg[k].note);
        to = wire_put_uint(to, s->arg[k].interned ? NOTE_INTERNED : NOTE_UINT, s->arg[k].value);
        wire_put_close(note, to);
    }
    if (s->source)
        to = wire_put_uint(to, EVENT_SOURCE, s->source);
    return s->flow ? wire_put_fixed64(to, EVENT_FLOW, s->flow) : to;
}

/* What event() writes of a slice's beginning or end. */
static void short_event(struct perfetto *p, unsigned type, uint64_t track, uint64_t at_ns,
                        const struct perfetto_slice *s)
{
    uint8_t *to = wire_room(&p->packet, SHORT_BYTES), *packet, *inner;

    if (!to)
        return;
    packet = to = wire_put_open(to, TRACE_PACKET);
    to = wire_put_uint(to, PACKET_TIMESTAMP, at_ns);
    to = wire_put_uint(to, PACKET_SEQUENCE, SEQUENCE);
    to = wire_put_uint(to, PACKET_SEQUENCE_FLAGS, FLAG_NEEDS_STATE);
    inner = to = wire_put_open(to, PACKET_TRACK_EVENT);
    to = wire_put_uint(to, EVENT_TYPE, type);
    to = wire_put_uint(to, EVENT_TRACK, track);
    to = s ? put_slice(to, s) : to;
    wire_put_close(inner, to);
    wire_put_close(packet, to);
    wire_skip(&p->packet, to);
    if (p->packet.size >= FLUSH_BYTES)
        flush(p);
}

static void event(struct perfetto *p, unsigned type, uint64_t track, uint64_t at_ns, const struct perfetto_slice *s,
                  const double *value)
{
    struct wire *w = &p->packet;
    size_t packet = open_packet(p), e;

    wire_uint(w, PACKET_TIMESTAMP, at_ns);
    sequence(p, FLAG_NEEDS_STATE);
    e = wire_open(w, PACKET_TRACK_EVENT);
    wire_uint(w, EVENT_TYPE, type);
    wire_uint(w, EVENT_TRACK, track);
    if (s) {
        wire_uint(w, EVENT_CATEGORY, s->category);
        wire_uint(w, EVENT_NAME, s->name);
        notes(w, s->arg, s->args);
        if (s->source)
            wire_uint(w, EVENT_SOURCE, s->source);
        if (s->flow)
            wire_fixed64(w, EVENT_FLOW, s->flow);
    }
    if (value)
        wire_double(w, EVENT_DOUBLE_VALUE, *value);
    wire_close(w, e);
    close_packet(p, packet);
}

void perfetto_begin(struct perfetto *p, uint64_t track, uint64_t at_ns, const struct perfetto_slice *s)
{
    if (is_short(s))
        short_event(p, TYPE_BEGIN, track, at_ns, s);
    else
        event(p, TYPE_BEGIN, track, at_ns, s, NULL);
}

void perfetto_end(struct perfetto *p, uint64_t track, uint64_t at_ns)
{
    short_event(p, TYPE_END, track, at_ns, NULL);
}

void perfetto_instant(struct perfetto *p, uint64_t track, uint64_t at_ns, const struct perfetto_slice *s)
{
    event(p, TYPE_INSTANT, track, at_ns, s, NULL);
}

void perfetto_count(struct perfetto *p, uint64_t track, uint64_t at_ns, double value)
{
    event(p, TYPE_COUNTER, track, at_ns, NULL, &value);
}

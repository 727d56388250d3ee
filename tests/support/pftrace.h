/* Reads files in Perfetto's format as far as gcnsim writes them, and checks what every reader relies on: interned names
 * are there before their use, tracks before their events, slices nest, flows lead somewhere. Include cmocka's headers
 * first. Written from the messages of Perfetto's protos, not from gcnsim's writer. */
#ifndef TESTS_SUPPORT_PFTRACE_H
#define TESTS_SUPPORT_PFTRACE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pf_track {
    uint64_t uuid, parent;
    char *name, *unit; /* unit: of a counter, else null */
    int64_t rank;
};

struct pf_slice {
    uint64_t begin, end;
    uint64_t track;  /* index */
    uint64_t parent; /* index + 1 of the slice around it; 0: none */
    const char *name, *category, *file;
    uint64_t line, flow;
    struct {
        const char *name;
        uint64_t value;
        char *text;
    } note[8];
    unsigned notes;
};

struct pf_value {
    uint64_t track, at;
    double value;
};

struct pf_event {
    uint64_t at, order, track;
    int type;
    uint64_t slice; /* index: of a beginning */
    double value;
};

struct pf_trace {
    struct pf_track *track;
    struct pf_slice *slice;
    struct pf_value *value;
    struct pf_event *event;
    size_t tracks, slices, values, events, instants;
    char *name[1 << 12], *category[64], *annotation[64], *text[1 << 10];
    struct {
        char *file;
        uint64_t line;
    } source[1 << 12];
    char *last_instant;
};

/* ---- the encoding ---- */

struct pf_bytes {
    const uint8_t *at, *end;
};

static inline uint64_t pf_varint(struct pf_bytes *b)
{
    uint64_t v = 0;

    for (unsigned shift = 0;; shift += 7) {
        assert_true(b->at < b->end && shift < 64);
        v |= (uint64_t)(*b->at & 0x7f) << shift;
        if (!(*b->at++ & 0x80))
            return v;
    }
}

struct pf_field {
    unsigned number;
    uint64_t value;        /* of numbers, */
    struct pf_bytes bytes; /* else */
};

/* The next field of a message; false at its end. */
static inline bool pf_next(struct pf_bytes *b, struct pf_field *f)
{
    uint64_t tag, n;

    if (b->at == b->end)
        return false;
    tag = pf_varint(b);
    *f = (struct pf_field){.number = (unsigned)(tag >> 3)};
    switch (tag & 7) {
    case 0:
        f->value = pf_varint(b);
        break;
    case 1:
        assert_true(b->end - b->at >= 8);
        memcpy(&f->value, b->at, 8);
        b->at += 8;
        break;
    case 2:
        n = pf_varint(b);
        assert_true(n <= (uint64_t)(b->end - b->at));
        f->bytes = (struct pf_bytes){b->at, b->at + n};
        b->at += n;
        break;
    default:
        fail_msg("wire type %u", (unsigned)(tag & 7));
    }
    return true;
}

static inline char *pf_text(struct pf_bytes b)
{
    return strndup((const char *)b.at, (size_t)(b.end - b.at));
}

/* ---- messages ---- */

#define PF_GROW(ARRAY, COUNT)                                                                                          \
    do {                                                                                                               \
        if (!((COUNT) & ((COUNT)-1))) {                                                                                \
            (ARRAY) = realloc((ARRAY), ((COUNT) ? 2 * (COUNT) : 1) * sizeof *(ARRAY));                                 \
            assert_non_null(ARRAY);                                                                                    \
        }                                                                                                              \
    } while (0)

static inline void pf_entry(struct pf_bytes b, char **table, size_t room)
{
    struct pf_field f;
    uint64_t iid = 0;
    char *name = NULL;

    while (pf_next(&b, &f)) {
        if (f.number == 1)
            iid = f.value;
        else if (f.number == 2)
            name = pf_text(f.bytes);
    }
    assert_true(iid && iid < room && name && !table[iid]);
    table[iid] = name;
}

static inline void pf_interned(struct pf_trace *t, struct pf_bytes b)
{
    struct pf_field f, g;

    while (pf_next(&b, &f)) {
        if (f.number == 1) {
            pf_entry(f.bytes, t->category, 64);
        } else if (f.number == 2) {
            pf_entry(f.bytes, t->name, 1 << 12);
        } else if (f.number == 3) {
            pf_entry(f.bytes, t->annotation, 64);
        } else if (f.number == 29) {
            pf_entry(f.bytes, t->text, 1 << 10);
        } else if (f.number == 4) {
            uint64_t iid = 0;
            while (pf_next(&f.bytes, &g)) {
                if (g.number == 1)
                    iid = g.value;
                assert_true(iid && iid < 1 << 12);
                if (g.number == 2)
                    t->source[iid].file = pf_text(g.bytes);
                if (g.number == 4)
                    t->source[iid].line = g.value;
            }
        }
    }
}

static inline void pf_track_descriptor(struct pf_trace *t, struct pf_bytes b)
{
    struct pf_track k = {0};
    struct pf_field f, g;

    while (pf_next(&b, &f)) {
        if (f.number == 1)
            k.uuid = f.value;
        if (f.number == 2)
            k.name = pf_text(f.bytes);
        if (f.number == 5)
            k.parent = f.value;
        if (f.number == 12)
            k.rank = (int64_t)f.value;
        while (f.number == 8 && pf_next(&f.bytes, &g))
            if (g.number == 6)
                k.unit = pf_text(g.bytes);
    }
    assert_true(k.uuid == t->tracks + 1 && k.parent < k.uuid); /* parents come first */
    assert_non_null(k.name);
    PF_GROW(t->track, t->tracks);
    t->track[t->tracks++] = k;
}

static inline void pf_note(struct pf_trace *t, struct pf_bytes b, struct pf_slice *s)
{
    struct pf_field f;

    assert_true(s->notes < 8);
    while (pf_next(&b, &f)) {
        if (f.number == 1)
            s->note[s->notes].name = t->annotation[f.value];
        if (f.number == 3)
            s->note[s->notes].value = f.value;
        if (f.number == 6)
            s->note[s->notes].text = pf_text(f.bytes);
        if (f.number == 17) {
            assert_true(f.value < 1 << 10 && t->text[f.value]);
            s->note[s->notes].text = strdup(t->text[f.value]);
        }
    }
    assert_non_null(s->note[s->notes].name);
    s->notes++;
}

static inline void pf_track_event(struct pf_trace *t, struct pf_bytes b, uint64_t at)
{
    struct pf_event e = {.at = at, .order = t->events};
    struct pf_slice s = {.begin = at};
    struct pf_field f;

    while (pf_next(&b, &f)) {
        if (f.number == 3)
            s.category = t->category[f.value];
        if (f.number == 4)
            pf_note(t, f.bytes, &s);
        if (f.number == 9)
            e.type = (int)f.value;
        if (f.number == 10)
            s.name = t->name[f.value];
        if (f.number == 11)
            e.track = f.value - 1;
        if (f.number == 34) {
            s.file = t->source[f.value].file;
            s.line = t->source[f.value].line;
            assert_non_null(s.file);
        }
        if (f.number == 44)
            memcpy(&e.value, &f.value, 8);
        if (f.number == 47)
            s.flow = f.value;
    }
    assert_true(e.track < t->tracks && e.type >= 1 && e.type <= 4);
    assert_int_equal(t->track[e.track].unit != NULL, e.type == 4);
    if (e.type == 1 || e.type == 3)
        assert_true(s.name && s.category);
    if (e.type == 1) {
        e.slice = t->slices;
        s.track = e.track;
        PF_GROW(t->slice, t->slices);
        t->slice[t->slices++] = s;
    }
    if (e.type == 3) {
        t->instants++;
        t->last_instant = (char *)s.name;
    }
    PF_GROW(t->event, t->events);
    t->event[t->events++] = e;
}

static inline void pf_packet(struct pf_trace *t, struct pf_bytes b, bool first)
{
    struct pf_bytes event = {0};
    struct pf_field f;
    uint64_t at = 0, sequence = 0, flags = 0;
    bool has_at = false;

    while (pf_next(&b, &f)) {
        if (f.number == 8) {
            at = f.value;
            has_at = true;
        } else if (f.number == 10) {
            sequence = f.value;
        } else if (f.number == 11) {
            event = f.bytes;
        } else if (f.number == 12) {
            pf_interned(t, f.bytes);
        } else if (f.number == 13) {
            flags = f.value;
        } else if (f.number == 60) {
            pf_track_descriptor(t, f.bytes);
        } else {
            assert_int_equal(f.number, 87);
        }
    }
    assert_true(sequence && flags == (first ? 1 : 2));
    if (event.at) {
        assert_true(has_at);
        pf_track_event(t, event, at);
    }
}

/* ---- what it means ---- */

static inline int pf_by_time(const void *a, const void *b)
{
    const struct pf_event *x = a, *y = b;

    return x->at != y->at ? x->at < y->at ? -1 : 1 : x->order < y->order ? -1 : x->order > y->order;
}

/* Slices, as a reader makes them of beginnings and ends in the order of time. */
static inline void pf_nest(struct pf_trace *t)
{
    uint64_t(*stack)[8] = calloc(t->tracks + 1, sizeof *stack);
    unsigned *depth = calloc(t->tracks + 1, sizeof *depth);

    qsort(t->event, t->events, sizeof *t->event, pf_by_time);
    for (size_t k = 0; k < t->events; k++) {
        const struct pf_event *e = &t->event[k];
        uint64_t n = e->track;

        if (e->type == 1) {
            assert_true(depth[n] < 8);
            t->slice[e->slice].parent = depth[n] ? stack[n][depth[n] - 1] + 1 : 0;
            stack[n][depth[n]++] = e->slice;
        } else if (e->type == 2) {
            assert_true(depth[n] > 0);
            t->slice[stack[n][--depth[n]]].end = e->at;
        } else if (e->type == 4) {
            PF_GROW(t->value, t->values);
            t->value[t->values++] = (struct pf_value){n, e->at, e->value};
        }
    }
    for (size_t k = 0; k < t->tracks; k++)
        assert_int_equal(depth[k], 0); /* all that begins ends */
    free(stack);
    free(depth);
    for (size_t k = 0; k < t->slices; k++) {
        const struct pf_slice *s = &t->slice[k], *around = s->parent ? &t->slice[s->parent - 1] : NULL;

        assert_true(s->begin <= s->end);
        if (around)
            assert_true(around->begin <= s->begin && s->end <= around->end);
    }
}

static inline void pf_read_bytes(struct pf_trace *t, const uint8_t *bytes, size_t size)
{
    struct pf_bytes all = {bytes, bytes + size};
    struct pf_field f;
    bool first = true;

    memset(t, 0, sizeof *t);
    while (pf_next(&all, &f)) {
        assert_int_equal(f.number, 1);
        pf_packet(t, f.bytes, first);
        first = false;
    }
    pf_nest(t);
}

static inline uint8_t *pf_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes;
    long n;

    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    bytes = malloc((size_t)n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)n, f), n);
    fclose(f);
    *size = (size_t)n;
    return bytes;
}

static inline void pf_read(struct pf_trace *t, const char *path)
{
    size_t size;
    uint8_t *bytes = pf_file(path, &size);

    pf_read_bytes(t, bytes, size);
    free(bytes);
}

static inline void pf_free(struct pf_trace *t)
{
    for (size_t k = 0; k < t->tracks; k++) {
        free(t->track[k].name);
        free(t->track[k].unit);
    }
    for (size_t k = 0; k < t->slices; k++)
        for (unsigned n = 0; n < t->slice[k].notes; n++)
            free(t->slice[k].note[n].text);
    for (size_t k = 0; k < 1 << 12; k++) {
        free(t->name[k]);
        free(t->source[k].file);
    }
    for (size_t k = 0; k < 64; k++) {
        free(t->category[k]);
        free(t->annotation[k]);
    }
    for (size_t k = 0; k < 1 << 10; k++)
        free(t->text[k]);
    free(t->track);
    free(t->slice);
    free(t->value);
    free(t->event);
}

/* An annotation of a slice; UINT64_MAX: it has none of that name. */
static inline uint64_t pf_value_of(const struct pf_slice *s, const char *name)
{
    for (unsigned k = 0; k < s->notes; k++)
        if (!strcmp(s->note[k].name, name))
            return s->note[k].value;
    return UINT64_MAX;
}

static inline bool pf_is(const struct pf_slice *s, const char *category)
{
    return strcmp(s->category, category) == 0;
}

#endif

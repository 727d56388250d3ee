/* The encoding of protocol buffers (https://protobuf.dev/programming-guides/encoding). */
#include "traces/wire.h"

#include <stdlib.h>
#include <string.h>

enum { TYPE_VARINT, TYPE_FIXED64, TYPE_BYTES }; /* in the low bits of a field's tag */
#define MAX_VARINT 10

bool wire_reserve(struct wire *w, size_t more)
{
    size_t want = w->room ? w->room : 4096;
    uint8_t *bytes;

    if (w->size + more <= w->room)
        return true;
    while (want < w->size + more)
        want *= 2;
    bytes = realloc(w->bytes, want);
    if (!bytes) {
        w->no_memory = true;
        return false;
    }
    w->bytes = bytes;
    w->room = want;
    return true;
}

static void varint(struct wire *w, uint64_t v)
{
    wire_skip(w, wire_put_varint(w->bytes + w->size, v));
}

static void tag(struct wire *w, unsigned field, unsigned type)
{
    varint(w, (uint64_t)field << 3 | type);
}

void wire_free(struct wire *w)
{
    free(w->bytes);
    *w = (struct wire){0};
}

void wire_any_uint(struct wire *w, unsigned field, uint64_t value)
{
    if (!wire_reserve(w, 2 * MAX_VARINT))
        return;
    tag(w, field, TYPE_VARINT);
    varint(w, value);
}

void wire_fixed64(struct wire *w, unsigned field, uint64_t value)
{
    if (!wire_reserve(w, MAX_VARINT + 8))
        return;
    tag(w, field, TYPE_FIXED64);
    for (unsigned k = 0; k < 8; k++)
        w->bytes[w->size++] = (uint8_t)(value >> 8 * k);
}

void wire_double(struct wire *w, unsigned field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    wire_fixed64(w, field, bits);
}

void wire_text(struct wire *w, unsigned field, const char *text)
{
    size_t n = strlen(text);

    if (!wire_reserve(w, 2 * MAX_VARINT + n))
        return;
    tag(w, field, TYPE_BYTES);
    varint(w, n);
    memcpy(w->bytes + w->size, text, n);
    w->size += n;
}

/* Most messages are shorter than 128 bytes: one byte is kept for the length. */
size_t wire_open(struct wire *w, unsigned field)
{
    if (wire_reserve(w, MAX_VARINT + 1)) {
        tag(w, field, TYPE_BYTES);
        w->size++;
    }
    return w->size;
}

void wire_close_long(struct wire *w, size_t message)
{
    size_t n = w->size - message, longer = 0;

    for (uint64_t rest = n >> 7; rest; rest >>= 7)
        longer++;
    if (w->no_memory || !wire_reserve(w, longer))
        return;
    if (longer)
        memmove(w->bytes + message + longer, w->bytes + message, n);
    w->size = message - 1;
    varint(w, n);
    w->size += n;
}

/* The encoding of protocol buffers: fields of messages, written one after the other into a buffer that grows.
 *
 * A message in a message is opened, its fields are written, and it is closed; its length is put before then. Without
 * memory a buffer stays as long as it is and says so (`no_memory`).
 */
#ifndef GCNSIM_TRACES_WIRE_H
#define GCNSIM_TRACES_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire {
    uint8_t *bytes;
    size_t size, room;
    bool no_memory;
};

void wire_free(struct wire *w);

/* Fields of the types uint64 (and enumerations, booleans, int64 that are not negative), fixed64, double, string. */
void wire_any_uint(struct wire *w, unsigned field, uint64_t value);
void wire_fixed64(struct wire *w, unsigned field, uint64_t value);
void wire_double(struct wire *w, unsigned field, double value);
void wire_text(struct wire *w, unsigned field, const char *text);

static inline void wire_uint(struct wire *w, unsigned field, uint64_t value)
{
    if (field >= 16 || value >= 0x80 || w->size + 2 > w->room) {
        wire_any_uint(w, field, value);
        return;
    }
    w->bytes[w->size++] = (uint8_t)(field << 3); /* most are of two bytes */
    w->bytes[w->size++] = (uint8_t)value;
}

/* The same for short messages that are written many times: into memory that is known to be there, from `to` on; where
 * the next field goes is returned. A field takes at most WIRE_FIELD bytes. */
#define WIRE_FIELD 15

/* Room for `bytes` more after what is there; null: out of host memory. wire_skip() says how much of it was used. */
bool wire_reserve(struct wire *w, size_t bytes);
static inline uint8_t *wire_room(struct wire *w, size_t bytes)
{
    return w->size + bytes <= w->room || wire_reserve(w, bytes) ? w->bytes + w->size : NULL;
}
static inline void wire_skip(struct wire *w, const uint8_t *end)
{
    w->size = (size_t)(end - w->bytes);
}

static inline uint8_t *wire_put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static inline uint8_t *wire_put_uint(uint8_t *to, unsigned field, uint64_t value)
{
    return wire_put_varint(wire_put_varint(to, (uint64_t)field << 3), value);
}

static inline uint8_t *wire_put_fixed64(uint8_t *to, unsigned field, uint64_t value)
{
    to = wire_put_varint(to, (uint64_t)field << 3 | 1);
    for (unsigned k = 0; k < 8; k++)
        *to++ = (uint8_t)(value >> 8 * k);
    return to;
}

/* A message of less than 128 bytes; its fields are written next. */
static inline uint8_t *wire_put_open(uint8_t *to, unsigned field)
{
    return wire_put_varint(to, (uint64_t)field << 3 | 2) + 1;
}
/* Its fields, which end before `end`, began at `message`. */
static inline void wire_put_close(uint8_t *message, const uint8_t *end)
{
    message[-1] = (uint8_t)(end - message);
}

/* A field that is a message: what is written until wire_close(), which is given what wire_open() has returned. */
size_t wire_open(struct wire *w, unsigned field);
void wire_close_long(struct wire *w, size_t message);

static inline void wire_close(struct wire *w, size_t message)
{
    size_t n = w->size - message;

    if (n >= 0x80 || w->no_memory)
        wire_close_long(w, message);
    else
        w->bytes[message - 1] = (uint8_t)n;
}

#endif

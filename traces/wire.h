/* The encoding of protocol buffers: fields of messages, written one after the other into a buffer that grows.
 *
 * A message in a message is opened, its fields are written, and it is closed; its length is put in front then. Without
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

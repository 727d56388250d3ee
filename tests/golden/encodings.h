/* Encodings to decode: every (format, opcode) there is room for, with random and corner operands, and words without
 * any shape. Knows the encodings' leading bits and where opcodes stand, and nothing of gcnsim's tables: an opcode that
 * gcnsim lacks is met like any other.
 */
#ifndef GCNSIM_TESTS_ENCODINGS_H
#define GCNSIM_TESTS_ENCODINGS_H

#include <stdint.h>

enum { ENCODING_BYTES = 24 };

struct encodings {
    const struct encoding_format *formats; /* of the target, ended by words == 0 */
    uint64_t rng;
    unsigned at_format, at_opcode; /* where the walk is */
};

/* target: "gfx803" ...; the same seed gives the same encodings. */
void encodings_start(struct encodings *g, const char *target, uint64_t seed);

/* The next opcode of the walk, with operands; after the last one it begins anew. Returns the bytes to hand over. */
unsigned encodings_walk(struct encodings *g, uint8_t bytes[ENCODING_BYTES]);

/* Puts the walk at any opcode of any format. */
void encodings_jump(struct encodings *g);

/* 4, 8 or 12 bytes; half of them start with a byte some instruction of the target starts with. */
unsigned encodings_random(struct encodings *g, uint8_t bytes[ENCODING_BYTES]);

/* Bit flips of plain encodings: number `index` of them, or 0 past the end. */
unsigned encodings_flip(struct encodings *g, uint64_t index, uint8_t bytes[ENCODING_BYTES]);

#endif

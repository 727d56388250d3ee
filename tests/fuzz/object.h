/* A code object as a fuzzer sees it: where the parts lie that are worth changing, and small ones built from scratch.
 *
 * object_look() believes nothing and never reads outside the bytes; what it cannot find is 0. Offsets are in the file.
 */
#ifndef GCNSIM_TESTS_FUZZ_OBJECT_H
#define GCNSIM_TESTS_FUZZ_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_target;

enum { OBJECT_KD_BYTES = 64, OBJECT_MAX_BYTES = 16384 };

struct object_view {
    size_t kd;                    /* a kernel descriptor */
    size_t code, code_end;        /* from its first instruction to the end of the segment */
    size_t note_header;           /* the program header of the notes */
    size_t note, note_bytes;      /* the metadata in them: a MessagePack document */
    const char *processor;        /* by e_flags; null: unknown */
    const struct isa_target *isa; /* of it; null: none */
};

/* False: not an ELF file of 64 bits. `which` chooses one of several kernels. */
bool object_look(struct object_view *v, const uint8_t *b, size_t size, unsigned which);

/* The decoder of a processor, kept open; null when there is none. */
const struct isa_target *object_isa(const char *processor);

/* e_flags of a processor, without settings; 0 when it is unknown. */
uint32_t object_flags(const char *processor);

/* A code object of one kernel "k" with two buffers and a u32 as arguments and every register there is. Returns its
 * size, 0 when it does not fit into OBJECT_MAX_BYTES. */
size_t object_build(uint8_t out[OBJECT_MAX_BYTES], const char *processor, bool wave32, const uint8_t *code,
                    size_t code_bytes);

/* Replaces the metadata by other bytes, after everything else in the file when it became longer. `size` is that of the
 * object, `max` that of its buffer. Returns the new size; the old one when there is no room. */
size_t object_put_note(uint8_t *b, size_t size, size_t max, const struct object_view *v, const uint8_t *note,
                       size_t note_bytes);

/* Adds a section of dynamic relocations out of `bytes`, in the place of section header `index`. */
size_t object_put_relocs(uint8_t *b, size_t size, size_t max, unsigned index, bool packed, const uint8_t *bytes,
                         size_t n);

/* A host program's ELF file with `bytes` as its section .hip_fatbin. Returns its size, 0 when it does not fit. */
size_t object_build_host(uint8_t *out, size_t max, const uint8_t *bytes, size_t n);

#endif

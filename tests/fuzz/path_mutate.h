/* Changes to the inputs of fuzz_path that know what they change: code, metadata, headers, bundles, the launch. */
#ifndef GCNSIM_TESTS_FUZZ_PATH_MUTATE_H
#define GCNSIM_TESTS_FUZZ_PATH_MUTATE_H

#include "tests/fuzz/object.h"
#include "tests/golden/encodings.h"

/* An input, or a part of one, while it is changed in place. */
struct mutation {
    uint8_t *b;
    size_t size, max;
    uint64_t rng;
};

static inline uint32_t mutation_random(struct mutation *m)
{
    m->rng ^= m->rng << 13;
    m->rng ^= m->rng >> 7;
    m->rng ^= m->rng << 17;
    return (uint32_t)(m->rng >> 32);
}

/* 0..n-1 */
static inline uint32_t mutation_below(struct mutation *m, uint32_t n)
{
    return mutation_random(m) % n;
}

/* A number at which readers tend to go wrong. */
uint64_t mutation_number(struct mutation *m);

/* A target that has this as 1 is more after what is not loaded (debug information) than after code. */
extern const int mutation_prefers_contents __attribute__((weak));

/* Any instruction of the target that the simulator executes; returns its length, 0 when none was found by chance. */
unsigned mutation_instruction(struct mutation *m, const struct isa_target *t, uint8_t out[ENCODING_BYTES]);

/* One change of the instructions of the view's kernel. */
void mutate_code(struct mutation *m, const struct object_view *v);
/* Puts up to a dozen of the other object's instructions into this one's code. */
void mutate_code_from(struct mutation *m, const struct object_view *v, const uint8_t *other,
                      const struct object_view *from);

/* One change of a MessagePack document, which is metadata or is to be. Returns its new size. */
size_t mutate_metadata(struct mutation *m, const uint8_t *in, size_t size, uint8_t *out, size_t max);

#endif

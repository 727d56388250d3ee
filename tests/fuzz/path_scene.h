/* What the parts of fuzz_path share: an input while it is tried, a simulator with the arguments of a launch, and what
 * must hold. */
#ifndef GCNSIM_TESTS_FUZZ_PATH_SCENE_H
#define GCNSIM_TESTS_FUZZ_PATH_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include "sim/api/gcnsim.h"
#include "tests/fuzz/path_input.h"

enum {
    PATH_MAX_FIGURES = 4, /* of a profile that are set */
    PATH_MAX_BUFFERS = 16,
    PATH_MAX_MEMORY = 512 << 20, /* bytes that a simulator, or an opened code object, may hold */
};

/* An input while it is tried. */
struct scene {
    const uint8_t *bytes; /* in a block of exactly its size, so that a read past the end is seen */
    size_t size;
    struct path_launch launch;
    struct gcnsim_code *code;
    char profile[64];                   /* "": none is named */
    char figure[PATH_MAX_FIGURES][200]; /* "PATH=VALUE" */
    unsigned figures;
    const char *const *chip; /* figures that make the chip a small one, ended by a null */
    int repeatable;          /* its code reads no clock */
};

/* A simulator with the arguments of a launch. */
struct rig {
    struct gcnsim *sim;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    uint64_t buffer[PATH_MAX_BUFFERS], buffer_bytes[PATH_MAX_BUFFERS];
    unsigned buffers;
    uint8_t *kernarg;
    size_t kernarg_bytes;
};

#define MUST(CONDITION)                                                                                                \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #CONDITION);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Strings that are handed out are read for the sanitizers to judge: they are added to this. */
extern volatile size_t path_sink;

/* A refusal has a code out of those that its call may give, and a text. */
void path_must_refuse(int status, const struct gcnsim_error *e);

static inline uint32_t path_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Everything that can be asked about the opened code object; s->repeatable is known afterwards (path_describe.c). */
void path_describe(struct scene *s);
/* The profile, the size of the chip and other figures, as the launch wishes them. */
void path_choose_profile(struct scene *s, const char *processor);

/* Opens a simulator with module and arguments; the status of the first call that refuses (path_rig.c). */
int path_open_rig(struct rig *r, const struct scene *s, struct gcnsim_error *e);
void path_close_rig(struct rig *r);
/* The buffers hold the same before each launch. */
void path_fill_buffers(struct rig *r, uint32_t value_seed);
/* A hash of what they hold. */
uint64_t path_hash_buffers(const struct rig *r);

#endif

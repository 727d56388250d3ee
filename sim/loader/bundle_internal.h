/* Private to sim/loader: the table of a file's bundles, as bundle_read.c fills it and bundle_choice.c chooses from it.
 */
#ifndef GCNSIM_LOADER_BUNDLE_INTERNAL_H
#define GCNSIM_LOADER_BUNDLE_INTERNAL_H

#include "sim/loader/bundle.h"
#include "sim/loader/inflate.h"
#include "sim/loader/target_id.h"

struct entry {
    struct co_bundle_entry pub;
    bool is_gpu;     /* an amdgcn code object that is not empty */
    bool has_target; /* its processor is known: `target` is valid */
    struct co_target_id target;
};

/* A buffer of at least `want` bytes that keeps its contents; the budget counts it. */
struct growing {
    uint8_t *bytes;
    size_t room;
    struct budget *budget;
};

struct co_bundle {
    struct entry *v;
    size_t n, cap;
    struct budget *budget;
    uint64_t inflated_bytes; /* of all decompressed containers */
    /* for all containers, of which a file may hold very many */
    struct inflater inflater;
    struct growing table;
    /* of the GPU's entries, which have numbers: where they are in v; and room for a list of numbers */
    unsigned *gpu, *fit;
    unsigned gpus;
};

static inline const struct entry *gpu_entry(const struct co_bundle *b, unsigned index)
{
    return &b->v[b->gpu[index]];
}

#endif

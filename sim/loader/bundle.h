/* Clang offload bundles: several code objects, one for each target, in one container.
 *
 * Two containers are read: the plain one ("__CLANG_OFFLOAD_BUNDLE__") and the compressed one ("CCOB", header versions
 * 1, 2 and 3, zstd or zlib). The .hip_fatbin section of a host executable holds one container after another, padded
 * with zeros, and is read the same way.
 *
 * Leaves out: checking the hash in a CCOB header (the size and the checks of zstd and zlib are used), and the text form
 * of bundles.
 *
 * Source: ClangOffloadBundler documentation and clang/lib/Driver/OffloadBundler.cpp's file layouts.
 */
#ifndef GCNSIM_LOADER_BUNDLE_H
#define GCNSIM_LOADER_BUNDLE_H

#include "sim/util/budget.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all compressed containers of a file may hold: a header may state any size, and all of it is decompressed, piece
 * by piece, to be checked. */
#define CO_MAX_UNCOMPRESSED_BYTES (UINT64_C(1) << 30)

bool co_is_bundle(const uint8_t *bytes, size_t size);

/* The entry that serves a request, and where its bytes are. */
struct co_bundle_choice {
    char id[128];
    bool compressed;
    size_t container;      /* offset of its container in the file */
    uint64_t offset, size; /* in the container, or in the container's decompressed bytes; size > 0 */
};

/* Chooses the code object for `want_target` (see code_object_open). With no entry, or several that fit equally well,
 * the error lists the entries. Memory is counted in `budget` (null: not), and none is held afterwards. */
int co_bundle_choose(struct co_bundle_choice *out, const uint8_t *bytes, size_t size, const char *want_target,
                     struct budget *budget, struct err *e);

/* The bytes of a compressed entry: *out is malloc'ed, out->size long, and that much is taken from the budget. */
int co_bundle_inflate(uint8_t **out, const struct co_bundle_choice *c, const uint8_t *bytes, size_t size,
                      struct budget *budget, struct err *e);

#endif

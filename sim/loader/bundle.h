/* Clang offload bundles: several code objects, one for each target, in one container.
 *
 * Two containers are read: the plain one ("__CLANG_OFFLOAD_BUNDLE__") and the compressed one ("CCOB", header versions
 * 1, 2 and 3, zstd). The .hip_fatbin section of a host executable holds one container after another, padded with zeros,
 * and is read the same way.
 *
 * Leaves out: zlib-compressed containers (an "unsupported" error), checking the hash in a CCOB header (zstd's own
 * checks and the size are used), and the text form of bundles.
 *
 * Source: ClangOffloadBundler documentation and clang/lib/Driver/OffloadBundler.cpp's file layouts.
 */
#ifndef GCNSIM_LOADER_BUNDLE_H
#define GCNSIM_LOADER_BUNDLE_H

#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A larger compressed container is an error: its header may state any size. */
#define CO_MAX_UNCOMPRESSED_BYTES (UINT64_C(1) << 30)

bool co_is_bundle(const uint8_t *bytes, size_t size);

/* Copies the code object for `want_target` (see code_object_open) out of the containers in `bytes`; *out is
 * malloc'ed. id receives the entry's name. With no entry, or several that fit equally well, the error lists
 * the entries. */
int co_bundle_extract(uint8_t **out, size_t *out_size, char id[128], const uint8_t *bytes, size_t size,
                      const char *want_target, struct err *e);

#endif

/* Between metadata.c and msgpack_scan.c only. */
#ifndef GCNSIM_LOADER_METADATA_INTERNAL_H
#define GCNSIM_LOADER_METADATA_INTERNAL_H

#include "sim/util/error.h"

#include <stddef.h>
#include <stdint.h>

/* Exactly one complete MessagePack document of `size` bytes, or an error that names the offset. *elements counts the
 * objects in it, nested ones too. */
int co_msgpack_scan(const uint8_t *bytes, size_t size, uint64_t *elements, struct err *e);

#endif

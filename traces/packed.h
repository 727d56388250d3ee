/* An output that is compressed on the way to its file. */
#ifndef GCNSIM_TRACES_PACKED_H
#define GCNSIM_TRACES_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/error.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct packed;

/* By the end of a file's name: ".gz", ".zst". */
enum packing packing_of(const char *path);

/* f stays the caller's. Null with *e when out of host memory. */
struct packed *packed_open(FILE *f, enum packing packing, struct err *e);
/* A write error is kept by f (ferror()); false: it could not be compressed for want of memory. */
bool packed_write(struct packed *p, const void *bytes, size_t size);
/* Writes what is left. p may be null. False as above. */
bool packed_close(struct packed *p);

#endif

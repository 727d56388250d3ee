/* Decompression of the frames in compressed bundles and files, zstd's, zlib's and gzip's, piece by piece: neither the
 * whole of one nor more than a window is ever in memory.
 *
 * One inflater serves one frame after another, of any method. Its memory counts against the budget (null: nothing).
 *
 * Errors: ERR_FORMAT damaged data or data that ends early, ERR_LIMIT zstd's window is too large, ERR_NOMEM. Texts name
 * what is read, and offsets from its first byte.
 */
#ifndef GCNSIM_LOADER_INFLATE_H
#define GCNSIM_LOADER_INFLATE_H

#include "sim/util/budget.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

/* The first two have the numbers of LLVM's compression::Format. */
enum inflate_method { INFLATE_ZLIB, INFLATE_ZSTD, INFLATE_GZIP };

struct inflater {
    struct budget *budget;
    enum inflate_method method; /* of the frame that was begun */
    const char *what;           /* that is read, for messages: "CCOB bundle" */
    ZSTD_DStream *zstd;         /* null: not used yet */
    ZSTD_inBuffer in;
    z_stream zlib;
    bool zlib_open;
    size_t from;   /* where the data begins in the container, for messages */
    uint64_t held; /* of the budget: the memory of zstd and zlib */
    uint64_t done; /* bytes that came out */
    bool ended;    /* the frame */
};

/* Begins the frame in container[from..from + size); `what` stays until the next. */
int inflater_start(struct inflater *f, enum inflate_method method, const char *what, const uint8_t *container,
                   size_t from, size_t size, struct err *e);
/* Fills to[0..room) as far as the frame goes; `expect` is its length for messages, 0 where nothing states it. */
int inflater_read(struct inflater *f, uint8_t *to, size_t room, size_t *got, uint64_t expect, struct err *e);
/* How many bytes of the frame were read. */
size_t inflater_used(const struct inflater *f);
void inflater_close(struct inflater *f);

#endif

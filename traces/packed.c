/* An output that is compressed on the way to its file: by zlib or zstd, at levels that cost less than what is written
 * does. */
#include "traces/packed.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define GZIP_LEVEL 1
#define ZSTD_LEVEL 1
#define GZIP_FORM  (15 + 16) /* zlib's window bits, and a gzip header */

struct packed {
    FILE *f;
    enum packing packing;
    ZSTD_CCtx *zstd;
    z_stream gzip;
    bool has_gzip, failed;
    uint8_t out[1 << 16];
};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

enum packing packing_of(const char *path)
{
    return ends_with(path, ".zst") ? PACKING_ZSTD : ends_with(path, ".gz") ? PACKING_GZIP : PACKING_NONE;
}

struct packed *packed_open(FILE *f, enum packing packing, struct err *e)
{
    struct packed *p = calloc(1, sizeof *p);
    bool good = p != NULL;

    if (good) {
        p->f = f;
        p->packing = packing;
        if (packing == PACKING_ZSTD)
            good = (p->zstd = ZSTD_createCCtx()) &&
                   !ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL));
        else if (packing == PACKING_GZIP)
            good = p->has_gzip =
                deflateInit2(&p->gzip, GZIP_LEVEL, Z_DEFLATED, GZIP_FORM, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    }
    if (good)
        return p;
    packed_close(p);
    err_set(e, ERR_NOMEM, "out of host memory to compress a trace");
    return NULL;
}

static void zstd_write(struct packed *p, const void *bytes, size_t size, bool end)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {p->out, sizeof p->out, 0};

        left = ZSTD_compressStream2(p->zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            p->failed = true;
            return;
        }
        fwrite(p->out, 1, out.pos, p->f);
    } while (end ? left != 0 : in.pos < in.size);
}

static void gzip_write(struct packed *p, const void *bytes, size_t size, bool end)
{
    int status;

    p->gzip.next_in = (Bytef *)bytes; /* zlib reads it alone */
    p->gzip.avail_in = (uInt)size;
    do {
        p->gzip.next_out = p->out;
        p->gzip.avail_out = sizeof p->out;
        status = deflate(&p->gzip, end ? Z_FINISH : Z_NO_FLUSH);
        p->failed |= status == Z_STREAM_ERROR;
        fwrite(p->out, 1, sizeof p->out - p->gzip.avail_out, p->f);
    } while (!p->failed && (end ? status != Z_STREAM_END : p->gzip.avail_in != 0));
}

static void write_some(struct packed *p, const void *bytes, size_t size, bool end)
{
    if (p->failed)
        return;
    if (p->packing == PACKING_ZSTD)
        zstd_write(p, bytes, size, end);
    else if (p->packing == PACKING_GZIP)
        gzip_write(p, bytes, size, end);
    else
        fwrite(bytes, 1, size, p->f);
}

bool packed_write(struct packed *p, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;

    for (size_t part; size; size -= part, from += part) {
        part = size < 1 << 20 ? size : 1 << 20; /* zlib counts in unsigned int */
        write_some(p, from, part, false);
    }
    return !p->failed;
}

bool packed_close(struct packed *p)
{
    bool good;

    if (!p)
        return true;
    if (p->zstd || p->has_gzip)
        write_some(p, NULL, 0, true);
    good = !p->failed;
    ZSTD_freeCCtx(p->zstd);
    if (p->has_gzip)
        deflateEnd(&p->gzip);
    free(p);
    return good;
}

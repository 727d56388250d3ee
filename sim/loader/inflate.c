/* Decompression of compressed bundles and files through libzstd and zlib. */
#include "sim/loader/inflate.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <zstd_errors.h>

#define WINDOW_LOG 27    /* what zstd itself accepts at most */
#define ZLIB_BYTES 49152 /* a window of 32 KiB and the tables: zconf.h says about 7 KiB of them */

static int no_memory(const struct inflater *f, struct err *e)
{
    return err_set(e, ERR_NOMEM, "%s: out of host memory to decompress it", f->what);
}

static int ends_early(const struct inflater *f, const char *method, uint64_t done, uint64_t expect, struct err *e)
{
    char of[32] = "";

    if (expect)
        snprintf(of, sizeof of, " of %llu", (unsigned long long)expect);
    return err_set(e, ERR_FORMAT, "%s: %s data ends early, after %llu%s bytes", f->what, method,
                   (unsigned long long)done, of);
}

/* ---- zstd ---- */

static int start_zstd(struct inflater *f, const uint8_t *data, size_t size, struct err *e)
{
    int window_log = WINDOW_LOG;

    if (!f->zstd && !(f->zstd = ZSTD_createDStream()))
        return no_memory(f, e);
    while (f->budget && window_log > 10 && UINT64_C(1) << window_log > f->budget->limit)
        window_log--;
    ZSTD_DCtx_reset(f->zstd, ZSTD_reset_session_only);
    ZSTD_DCtx_setParameter(f->zstd, ZSTD_d_windowLogMax, window_log);
    f->in = (ZSTD_inBuffer){data, size, 0};
    return 0;
}

static int zstd_failed(struct inflater *f, size_t code, struct err *e)
{
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
        return f->budget && f->budget->limit < UINT64_C(1) << WINDOW_LOG
                   ? err_set(e, ERR_LIMIT, "%s: zstd's window is larger than the memory limit of %llu bytes", f->what,
                             (unsigned long long)f->budget->limit)
                   : err_set(e, ERR_LIMIT, "%s: zstd's window is larger than %u bytes", f->what, 1u << WINDOW_LOG);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return no_memory(f, e);
    /* zstd does not say how far it came in what it was given last */
    return err_set(e, ERR_FORMAT, "%s offset %zu: zstd data from there on is damaged: %s", f->what, f->from + f->in.pos,
                   ZSTD_getErrorName(code));
}

static int read_zstd(struct inflater *f, uint8_t *to, size_t room, size_t *got, uint64_t expect, struct err *e)
{
    ZSTD_outBuffer dst = {to, room, 0};

    while (dst.pos < dst.size && !f->ended) {
        size_t before_in = f->in.pos, before_out = dst.pos;
        size_t r = ZSTD_decompressStream(f->zstd, &dst, &f->in), own = ZSTD_sizeof_DStream(f->zstd);
        if (ZSTD_isError(r))
            return zstd_failed(f, r, e);
        if (own > f->held) {
            if (!budget_take(f->budget, own - f->held))
                return err_set(e, ERR_NOMEM, "%s: out of host memory for zstd's window", f->what);
            f->held = own;
        }
        f->ended = r == 0;
        if (r && f->in.pos == before_in && dst.pos == before_out)
            return ends_early(f, "zstd", f->done + dst.pos, expect, e);
    }
    *got = dst.pos;
    return 0;
}

/* ---- zlib ---- */

static int start_zlib(struct inflater *f, const uint8_t *data, size_t size, struct err *e)
{
    int window = f->method == INFLATE_GZIP ? MAX_WBITS + 16 : MAX_WBITS; /* 16: with gzip's header, says zlib.h */

    if (size > UINT_MAX)
        return err_set(e, ERR_LIMIT, "%s: %zu bytes of zlib data, the limit is %u", f->what, size, UINT_MAX);
    if (f->zlib_open) {
        inflateReset2(&f->zlib, window);
    } else {
        bool taken = budget_take(f->budget, ZLIB_BYTES);
        memset(&f->zlib, 0, sizeof f->zlib);
        if (!taken || inflateInit2(&f->zlib, window) != Z_OK) {
            budget_give(f->budget, taken ? ZLIB_BYTES : 0);
            return no_memory(f, e);
        }
        f->zlib_open = true;
    }
    f->zlib.next_in = (Bytef *)(uintptr_t)data; /* only read */
    f->zlib.avail_in = (uInt)size;
    return 0;
}

static int read_zlib(struct inflater *f, uint8_t *to, size_t room, size_t *got, uint64_t expect, struct err *e)
{
    size_t at = 0;

    while (at < room && !f->ended) {
        uInt piece = room - at < UINT_MAX ? (uInt)(room - at) : UINT_MAX;
        f->zlib.next_out = to + at;
        f->zlib.avail_out = piece;
        int r = inflate(&f->zlib, Z_NO_FLUSH);
        at += piece - f->zlib.avail_out;
        if (r == Z_MEM_ERROR)
            return no_memory(f, e);
        if (r == Z_BUF_ERROR || (r == Z_OK && !f->zlib.avail_in && f->zlib.avail_out))
            return ends_early(f, "zlib", f->done + at, expect, e);
        if (r != Z_OK && r != Z_STREAM_END)
            return err_set(e, ERR_FORMAT, "%s offset %zu: zlib data is damaged: %s", f->what,
                           f->from + inflater_used(f), f->zlib.msg ? f->zlib.msg : zError(r));
        f->ended = r == Z_STREAM_END;
    }
    *got = at;
    return 0;
}

/* ---- either ---- */

int inflater_start(struct inflater *f, enum inflate_method method, const char *what, const uint8_t *container,
                   size_t from, size_t size, struct err *e)
{
    f->method = method;
    f->what = what;
    f->from = from;
    f->done = 0;
    f->ended = false;
    return method == INFLATE_ZSTD ? start_zstd(f, container + from, size, e) : start_zlib(f, container + from, size, e);
}

int inflater_read(struct inflater *f, uint8_t *to, size_t room, size_t *got, uint64_t expect, struct err *e)
{
    int r = f->method == INFLATE_ZSTD ? read_zstd(f, to, room, got, expect, e) : read_zlib(f, to, room, got, expect, e);

    if (!r)
        f->done += *got;
    return r;
}

size_t inflater_used(const struct inflater *f)
{
    return f->method == INFLATE_ZSTD ? f->in.pos : (size_t)f->zlib.total_in;
}

void inflater_close(struct inflater *f)
{
    ZSTD_freeDStream(f->zstd);
    budget_give(f->budget, f->held);
    if (f->zlib_open) {
        inflateEnd(&f->zlib);
        budget_give(f->budget, ZLIB_BYTES);
    }
}

/* The language runtime's own copy kernels, done by the host: what a dispatch does, and doing it.
 *
 * The kernels' function is known from their source, which the runtimes carry as text up to 7.2 (the functions that
 * it calls are in the device libraries, opencl/src/misc/amdblit.cl). Each is written down here as one operation on rows
 * of bytes; tests/hsa/test_blit.c compares the results with those of the simulated kernels.
 */
#include "sim/hsa/queues/blit.h"

#include <string.h>

#include "sim/hsa/queues/copy.h"
#include "sim/hsa/queues/dispatch.h"

/* Rows in layers, as in copies: one of each for a plain fill or copy. Pitches are in bytes. */
struct rows {
    uint64_t at, pitch, slice;
};

struct work {
    struct rows dst, src; /* src: of a fill its pattern's address */
    uint64_t row_bytes, rows, layers;
    uint64_t pattern_bytes; /* 0: a copy */
};

/* The kernels' arguments, as blit_layout.c has found them. */
struct fill_args {
    uint64_t by_bytes, by_shorts, by_ints, by_longs, pattern;
    uint32_t pattern_size;
    uint64_t offset, size;
};
struct fill_2d_args {
    uint64_t by_bytes, by_shorts, by_ints, by_longs, pattern;
    uint32_t pattern_size;
    uint64_t offset, width, height, pitch;
};
struct fill_chunks_args {
    uint64_t buf, pattern;
    uint32_t pattern_size, alignment;
    uint64_t end;
    uint32_t next_chunk, workgroup_size;
};
struct copy_args { /* of both kernels that have origins */
    uint64_t src, dst, src_origin, dst_origin, size;
    uint32_t remain_or_alignment;
};
struct copy_chunks_args {
    uint64_t src, dst, size;
    uint32_t remainder, element;
    uint64_t end;
    uint32_t next_chunk, workgroup_size;
};
struct rect_args {
    uint64_t src, dst, unused[2];
    uint64_t src_rect[4], dst_rect[4], size[4]; /* pitch, slice, origin; x, y, z, element: in elements */
};
struct stream_args {
    uint64_t by_int, by_long, value, flags_or_size, mask;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A plain stretch of memory. */
static struct rows stretch(uint64_t at)
{
    return (struct rows){.at = at};
}

/* The address that a fill's kernel counts from, and its unit: it takes the first of its pointers that is not null. */
static uint64_t widest(const uint64_t by[4], uint64_t *unit)
{
    for (unsigned k = 4; k-- > 0;)
        if (by[k]) {
            *unit = UINT64_C(1) << k;
            return by[k];
        }
    *unit = 1;
    return 0;
}

static bool fill(const struct fill_args *a, const struct gcnsim_raw *r, struct work *w)
{
    const uint64_t by[4] = {a->by_bytes, a->by_shorts, a->by_ints, a->by_longs};
    uint64_t unit;

    *w = (struct work){.src = stretch(a->pattern), .rows = 1, .layers = 1};
    w->dst = stretch(widest(by, &unit) + a->offset * unit);
    w->pattern_bytes = a->pattern_size * unit;
    w->row_bytes = least(a->size, r->grid_size[0]) * w->pattern_bytes;
    return w->pattern_bytes > 0;
}

/* With more than one element neighbours write to the same ones: the runtimes never do so. */
static bool fill_2d(const struct fill_2d_args *a, const struct gcnsim_raw *r, struct work *w)
{
    const uint64_t by[4] = {a->by_bytes, a->by_shorts, a->by_ints, a->by_longs};
    uint64_t unit;

    *w = (struct work){.src = stretch(a->pattern), .layers = 1};
    w->dst = stretch(widest(by, &unit) + a->offset * unit);
    w->dst.pitch = a->pitch * unit;
    w->pattern_bytes = unit;
    w->row_bytes = least(a->width, r->grid_size[0]) * unit;
    w->rows = least(a->height, r->grid_size[1]);
    return a->pattern_size == 1 && a->pitch < UINT32_MAX;
}

/* Whether the work-items' numbers are those of a grid of one dimension, and all of them together take one step of so
 * many elements. */
static bool is_grid_stride(const struct gcnsim_raw *r, uint32_t workgroup_size, uint64_t step)
{
    return r->grid_size[1] == 1 && r->grid_size[2] == 1 && workgroup_size == r->workgroup_size[0] &&
           r->grid_size[0] % workgroup_size == 0 && step == r->grid_size[0];
}

/* workgroup_size: as the kernel knows it. */
static bool fill_chunks(const struct fill_chunks_args *a, uint32_t workgroup_size, const struct gcnsim_raw *r,
                        struct work *w)
{
    uint64_t whole = a->end > a->buf ? a->end - a->buf : 0, n = a->alignment;

    *w = (struct work){.dst = stretch(a->buf), .src = stretch(a->pattern), .rows = 1, .layers = 1};
    w->pattern_bytes = (uint64_t)a->pattern_size * n;
    if (!w->pattern_bytes || (n != 1 && n != 2 && n != 4 && n != 8 && n != 16) || a->next_chunk % a->pattern_size)
        return false;
    /* a pattern that begins before the end is written whole */
    w->row_bytes = (whole + w->pattern_bytes - 1) / w->pattern_bytes * w->pattern_bytes;
    return is_grid_stride(r, workgroup_size, a->next_chunk / a->pattern_size);
}

/* Bytes where `remain` is 8; words otherwise, of which the last has so many bytes. */
static bool copy(const struct copy_args *a, const struct gcnsim_raw *r, struct work *w)
{
    uint64_t n = least(a->size, r->grid_size[0]), remain = a->remain_or_alignment;

    *w = (struct work){
        .dst = stretch(a->dst + a->dst_origin), .src = stretch(a->src + a->src_origin), .rows = 1, .layers = 1};
    if (remain == 8)
        w->row_bytes = n;
    else
        w->row_bytes = n && n == a->size ? (n - 1) * 4 + remain : n * 4;
    return remain <= 4 || remain == 8;
}

static bool copy_aligned(const struct copy_args *a, const struct gcnsim_raw *r, struct work *w)
{
    uint64_t unit = a->remain_or_alignment == 16 ? 16 : 4;

    *w = (struct work){.dst = stretch(a->dst + a->dst_origin * unit),
                       .src = stretch(a->src + a->src_origin * unit),
                       .row_bytes = least(a->size, r->grid_size[0]) * unit,
                       .rows = 1,
                       .layers = 1};
    return a->remain_or_alignment == 16 || a->remain_or_alignment == 4;
}

static bool copy_chunks(const struct copy_chunks_args *a, uint32_t workgroup_size, const struct gcnsim_raw *r,
                        struct work *w)
{
    uint64_t whole = a->end > a->dst ? a->end - a->dst : 0;

    *w = (struct work){.dst = stretch(a->dst), .src = stretch(a->src), .row_bytes = a->size, .rows = 1, .layers = 1};
    /* elements up to the end, and the rest by its bytes */
    return (a->element == 4 || a->element == 16) && a->remainder < a->element && whole % a->element == 0 &&
           whole + a->remainder == a->size && is_grid_stride(r, workgroup_size, a->next_chunk);
}

static bool copy_rect(const struct rect_args *a, const struct gcnsim_raw *r, uint64_t unit, struct work *w)
{
    for (unsigned k = 0; k < 3; k++)
        if (a->src_rect[k] >= UINT64_C(1) << 56 || a->dst_rect[k] >= UINT64_C(1) << 56)
            return false;
    *w = (struct work){
        .dst = {a->dst + a->dst_rect[2] * unit, a->dst_rect[0] * unit, a->dst_rect[1] * unit},
        .src = {a->src + a->src_rect[2] * unit, a->src_rect[0] * unit, a->src_rect[1] * unit},
        .row_bytes = least(a->size[0], r->grid_size[0]) * unit,
        .rows = least(a->size[1], r->grid_size[1]),
        .layers = least(a->size[2], r->grid_size[2]),
    };
    return true;
}

/* Memory ----------------------------------------------------------------------------------------------------------- */

/* From the first byte of the first row to the last of the last; false: too far. */
static bool extent(const struct rows *r, const struct work *w, uint64_t *bytes)
{
    uint64_t down, back;

    return !__builtin_mul_overflow(w->rows - 1, r->pitch, &down) &&
           !__builtin_mul_overflow(w->layers - 1, r->slice, &back) && !__builtin_add_overflow(down, back, bytes) &&
           !__builtin_add_overflow(*bytes, w->row_bytes, bytes);
}

static const struct range_span *memory_of(const struct dispatch *d, const struct rows *r, uint64_t bytes, bool written)
{
    const struct range_span *s = range_set_find(d->ranges, r->at, bytes);

    return s && (s->writable || !written) ? s : NULL;
}

static uint8_t *host_of(const struct range_span *s, uint64_t address)
{
    return (uint8_t *)(uintptr_t)(s->host + (address - s->lo));
}

static void fill_row(uint8_t *to, uint64_t bytes, const uint8_t *pattern, uint64_t pattern_bytes)
{
    uint64_t done = least(bytes, pattern_bytes);

    memcpy(to, pattern, done);
    if (pattern_bytes == 1)
        memset(to, *pattern, bytes);
    else
        for (uint64_t n; done < bytes; done += n)
            memcpy(to + done, to, n = least(done, bytes - done));
}

/* The time of a copy: at the link's rate where memory of another agent takes part, otherwise at that of the device's,
 * which a copy reads and writes. */
static uint64_t time_of(const struct device *d, const struct work *w, const struct agent *dst, const struct agent *src)
{
    double bytes = (double)w->row_bytes * (double)w->rows * (double)w->layers, rate = d->memory_bytes_per_ns;

    if (dst != d->agent || (src != d->agent && !w->pattern_bytes))
        rate = d->link_bytes_per_ns;
    else if (!w->pattern_bytes)
        rate /= 2;
    return (uint64_t)(bytes / rate);
}

static bool do_work(const struct dispatch *d, const struct work *w, uint64_t most_bytes, uint64_t *ns)
{
    uint64_t to_bytes, from_bytes = w->pattern_bytes;
    const struct range_span *to, *from;
    uint8_t *out, *in;

    *ns = 0;
    if (!w->row_bytes || !w->rows || !w->layers)
        return true;
    if (!extent(&w->dst, w, &to_bytes) || to_bytes > most_bytes || (!from_bytes && !extent(&w->src, w, &from_bytes)))
        return false;
    to = memory_of(d, &w->dst, to_bytes, true);
    from = memory_of(d, &w->src, from_bytes, false);
    if (!to || !from)
        return false;
    out = host_of(to, w->dst.at);
    in = host_of(from, w->src.at);
    if (in < out + to_bytes && out < in + from_bytes)
        return false; /* which of the work-items is first decides */
    for (uint64_t z = 0; z < w->layers; z++)
        for (uint64_t y = 0; y < w->rows; y++) {
            uint8_t *row = out + z * w->dst.slice + y * w->dst.pitch;

            if (w->pattern_bytes)
                fill_row(row, w->row_bytes, in, w->pattern_bytes);
            else
                memcpy(row, in + z * w->src.slice + y * w->src.pitch, w->row_bytes);
        }
    devices_written((uint64_t)(uintptr_t)out, to_bytes);
    *ns = time_of(d->queue->device, w, to->owner, from->owner);
    return true;
}

/* Words in memory that streams write, or wait for ----------------------------------------------------------------- */

static uint64_t load(const void *at, uint64_t bytes)
{
    return bytes == 4 ? __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE)
                      : __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
}

static bool holds(uint64_t word, uint64_t flags, uint64_t value, uint64_t mask)
{
    switch (flags) {
    case 0:
        return (word & mask) >= value;
    case 1:
        return (word & mask) == value;
    case 2:
        return (word & mask & value) != 0;
    case 3:
        return ((word | value) & mask) != mask;
    }
    return false;
}

/* One that does not hold yet is simulated: the kernel sleeps and looks again. */
static bool do_stream(const struct dispatch *d, enum blit_kind kind, const struct stream_args *a, uint64_t *ns)
{
    uint64_t at = a->by_int ? a->by_int : a->by_long, bytes = a->by_int ? 4 : 8;
    const struct range_span *s = range_set_find(d->ranges, at, bytes);
    uint64_t all = bytes == 4 ? UINT32_MAX : UINT64_MAX;

    if (d->raw.grid_size[0] != 1 || d->raw.grid_size[1] != 1 || d->raw.grid_size[2] != 1 || at % bytes || !s)
        return false;
    *ns = 0;
    if (kind == BLIT_WAIT)
        return a->flags_or_size < 4 &&
               holds(load(host_of(s, at), bytes), a->flags_or_size, a->value & all, a->mask & all);
    if (!s->writable || (kind == BLIT_WRITE_SIZED && a->flags_or_size != bytes))
        return false;
    if (bytes == 4)
        __atomic_store_n((uint32_t *)(void *)host_of(s, at), (uint32_t)a->value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint64_t *)(void *)host_of(s, at), a->value, __ATOMIC_RELEASE);
    devices_written((uint64_t)(uintptr_t)host_of(s, at), bytes);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ */

#define MOST_ARGUMENTS 1024 /* bytes; more than any of these kernels has */

/* A copy of the kernarg segment, which kernels may write to meanwhile, if it may be read, and the grid begins at 0. */
static bool arguments(const struct dispatch *d, uint64_t copy[MOST_ARGUMENTS / 8])
{
    uint64_t at = d->start.kernarg_address, none[3] = {0};
    uint32_t bytes = d->kernel->info.kernarg_size, offsets = d->kernel->blit.global_offset;
    const struct range_span *s = range_set_find(d->ranges, at, bytes);

    if (!s || at % 8 || bytes > MOST_ARGUMENTS || (offsets && offsets + sizeof none > bytes))
        return false;
    memcpy(copy, host_of(s, at), bytes);
    return !offsets || memcmp((const uint8_t *)copy + offsets, none, sizeof none) == 0;
}

/* Chunks of a grid that strides through memory. */
static bool chunks(enum blit_kind kind, const void *args, const struct gcnsim_raw *r, struct work *w)
{
    const struct fill_chunks_args *f = args;
    const struct copy_chunks_args *c = args;

    switch (kind) {
    case BLIT_FILL_CHUNKS:
        return fill_chunks(f, f->workgroup_size, r, w);
    case BLIT_FILL_CHUNKS_BY_ID:
        return fill_chunks(f, r->workgroup_size[0], r, w);
    case BLIT_COPY_CHUNKS:
        return copy_chunks(c, c->workgroup_size, r, w);
    default:
        return copy_chunks(c, r->workgroup_size[0], r, w);
    }
}

/* The work of all kinds but those of streams. */
static bool work_of(enum blit_kind kind, const void *args, const struct gcnsim_raw *r, struct work *w)
{
    const struct rect_args *rect = args;

    switch (kind) {
    case BLIT_FILL:
        return fill(args, r, w);
    case BLIT_FILL_2D:
        return fill_2d(args, r, w);
    case BLIT_COPY:
        return copy(args, r, w);
    case BLIT_COPY_ALIGNED:
        return copy_aligned(args, r, w);
    case BLIT_COPY_RECT:
        return copy_rect(rect, r, 1, w);
    case BLIT_COPY_RECT_ALIGNED:
        return (rect->size[3] == 4 || rect->size[3] == 16) && copy_rect(rect, r, rect->size[3], w);
    default:
        return chunks(kind, args, r, w);
    }
}

bool blit_run(const struct dispatch *d, uint64_t most_bytes, uint64_t *ns)
{
    enum blit_kind kind = d->kernel->blit.kind;
    uint64_t args[MOST_ARGUMENTS / 8];
    struct work w;

    if (kind == BLIT_NONE || rt_any()->options.blit_kernels || !arguments(d, args))
        return false;
    if (kind == BLIT_WRITE || kind == BLIT_WRITE_SIZED || kind == BLIT_WAIT)
        return do_stream(d, kind, (const struct stream_args *)(const void *)args, ns);
    return work_of(kind, args, &d->raw, &w) && do_work(d, &w, most_bytes, ns);
}

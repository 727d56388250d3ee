/* What has no documented figure to stand beside, but should have a known shape: latency over the working set, bytes
 * per cycle over the stride, LDS cycles over the stride, bandwidth over the channels in use. */
#include <math.h>

#include "tests/timing/accuracy/table.h"

static void head(FILE *f, const char *title, const char *first, const char *const *columns, size_t count)
{
    fprintf(f, "### %s\n\n| %-18s |", title, first);
    for (size_t k = 0; k < count; k++)
        fprintf(f, " %-17s |", columns[k]);
    fprintf(f, "\n|--------------------|");
    for (size_t k = 0; k < count; k++)
        fprintf(f, "------------------:|");
    fputc('\n', f);
}

static void cell(FILE *f, double v)
{
    if (isnan(v))
        fprintf(f, " %17s |", "failed");
    else
        fprintf(f, " %17.*f |", v < 10 ? 2 : v < 1000 ? 1 : 0, v);
}

/* Sizes in steps of four; the stride grows so that a round has few steps and still fills the caches evenly. */
static void working_set(FILE *f, struct bench *b)
{
    static const char *const chips[] = {"gfx908-mi100", "gfx90a-mi210", "gfx942-mi300x", "gfx1030-rx6900xt",
                                        "gfx1201-rx9070xt"};
    enum { CHIPS = sizeof chips / sizeof chips[0] };
    static const uint64_t kb[] = {4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
    static const uint64_t skew[CHIPS] = {0, 0, 8192, 0, 0}; /* where larger strides would see one of several dies */
    /* hashes would hide that few lines stand for many; MI300's channels are hashed as its dies' are */
    static const bool dies[CHIPS] = {false, false, true, false, false};

    head(f, "Latency in cycles over the working set, a dependent chain of loads", "working set", chips, CHIPS);
    for (size_t k = 0; k < sizeof kb / sizeof kb[0]; k++) {
        struct acc_row row = {.how = HOW_CHASE, .bytes = kb[k] * 1024, .stride = kb[k] / 4};

        if (row.stride < 128)
            row.stride = 128;
        fprintf(f, "| %15llu KB |", (unsigned long long)kb[k]);
        for (size_t n = 0; n < CHIPS; n++) {
            row.skew = row.stride > skew[n] ? skew[n] : 0;
            row.set[0] = "cache.l2.set_hash=false";
            row.set[1] = dies[n] ? NULL : "cache.l2.channel_hash=false";
            cell(f, acc_profile(b, chips[n]) ? acc_measure(b, &row) : NAN);
        }
        fputc('\n', f);
    }
    fputc('\n', f);
}

/* Loads of a dword a lane from the first cache; useful bytes per cycle of a CU. */
static void stride(FILE *f, struct bench *b)
{
    static const char *const chips[] = {"gfx900-vega64", "gfx90a-mi210", "gfx942-mi300x", "gfx1030-rx6900xt",
                                        "gfx1201-rx9070xt"};
    enum { CHIPS = sizeof chips / sizeof chips[0] };

    head(f, "Useful bytes per cycle of a CU over the stride of lanes, dword loads from the first cache", "stride",
         chips, CHIPS);
    for (uint32_t bytes = 4; bytes <= 256; bytes *= 2) {
        fprintf(f, "| %12u bytes |", bytes);
        for (size_t n = 0; n < CHIPS; n++) {
            bool open = acc_profile(b, chips[n]);
            unsigned lanes = b->rdna ? 32 : 64;
            const struct bench_kernel k = {.head = "sweep_start",
                                           .body = "sweep_x1",
                                           .waves = 8,
                                           .sgpr = {[S_STEP] = 2048, [S_MASK] = 8191, [S_ITEM] = bytes}};

            cell(f, open ? 16.0 * lanes / bench_rate(b, &k) : NAN);
        }
        fputc('\n', f);
    }
    fputc('\n', f);
}

/* Cycles of the LDS of a CU or WGP for one ds_read_b32 of a wave, lanes so many dwords apart. */
static void banks(FILE *f, struct bench *b)
{
    static const char *const chips[] = {"gfx803-rx480", "gfx90a-mi210", "gfx942-mi300x", "gfx1030-rx6900xt",
                                        "gfx1201-rx9070xt"};
    enum { CHIPS = sizeof chips / sizeof chips[0] };

    head(f, "Cycles of LDS for one ds_read_b32 of a full wave over the stride of lanes, 8 waves", "stride", chips,
         CHIPS);
    for (uint32_t dwords = 1; dwords <= 64; dwords *= 2) {
        fprintf(f, "| %11u dwords |", dwords);
        for (size_t n = 0; n < CHIPS; n++) {
            const struct bench_kernel k = {.head = "lane_apart",
                                           .body = "ds_read_b32",
                                           .tail = "wait_lds",
                                           .waves = 8,
                                           .lds_bytes = 65536,
                                           .sgpr = {[S_ITEM] = 4 * dwords}};

            cell(f, acc_profile(b, chips[n]) ? bench_throughput(b, &k) : NAN);
        }
        fputc('\n', f);
    }
    fputc('\n', f);
}

/* 64 waves on CUs of their own go round a ring of 2048 pieces, more than their first caches hold, each from another
 * place of it. */
static void camping(FILE *f, struct bench *b)
{
    static const char *const chips[] = {"gfx908-mi100", "gfx90a-mi210", "gfx1030-rx6900xt", "gfx1201-rx9070xt"};
    enum { CHIPS = sizeof chips / sizeof chips[0] };

    head(f, "Bytes per cycle from L2 over the distance of the 128-byte pieces read, 64 waves", "distance", chips,
         CHIPS);
    for (uint32_t bytes = 256; bytes <= 8192; bytes *= 2) {
        fprintf(f, "| %12u bytes |", bytes);
        for (size_t n = 0; n < CHIPS; n++) {
            const struct bench_kernel k = {.head = "first_lanes",
                                           .then = "sweep_start",
                                           .body = "sweep_x4",
                                           .groups = 64,
                                           .few = 20,
                                           .many = 40,
                                           .sgpr = {[S_STEP] = bytes,
                                                    [S_MASK] = 2048 * bytes - 1,
                                                    [S_GROUP] = 32 * bytes,
                                                    [S_ITEM] = 16,
                                                    [S_EXEC] = 255}};

            cell(f, acc_profile(b, chips[n]) ? 4.0 * 128 / bench_rate(b, &k) : NAN);
        }
        fputc('\n', f);
    }
    fputc('\n', f);
}

void acc_print_curves(FILE *f, struct bench *b)
{
    working_set(f, b);
    stride(f, b);
    banks(f, b);
    camping(f, b);
}

/* Makes the microbenchmarks of make accuracy out of instructions, runs them in the timing engine, and takes cycles,
 * latencies and bandwidths from the results.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/api/gcnsim.h"
#include "tests/timing/accuracy/rows.h"

bool acc_profile(struct bench *b, const char *profile)
{
    if (b->sim && !strcmp(b->profile, profile))
        return true;
    bench_close(b);
    return bench_open(b, profile);
}

static uint64_t place(const struct acc_row *row, uint32_t n)
{
    return n * row->stride + n % 4 * row->skew;
}

/* A ring of pointers through `bytes` of the data, in an order that is mixed but the same in every run, so that neither
 * rows of DRAM nor pages are met one after the other. False: out of host memory. */
static bool make_ring(struct bench *b, uint64_t bytes, const struct acc_row *row)
{
    uint32_t steps = (uint32_t)(bytes / row->stride), *order = malloc(steps * sizeof *order);
    uint64_t seed = 1;

    if (!order) {
        snprintf(b->error, sizeof b->error, "out of host memory for a ring of %u steps", steps);
        return false;
    }
    for (uint32_t n = 0; n < steps; n++)
        order[n] = n;
    for (uint32_t n = steps - 1; n > 0; n--) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t k = (uint32_t)((seed >> 32) % (n + 1)), old = order[n];
        order[n] = order[k];
        order[k] = old;
    }
    madvise(b->data, BENCH_DATA_BYTES, MADV_DONTNEED);
    for (uint32_t n = 0; n < steps; n++) {
        uint64_t next = (uint64_t)(uintptr_t)b->data + place(row, order[(n + 1) % steps]);
        memcpy(b->data + place(row, order[n]), &next, sizeof next);
    }
    free(order);
    return true;
}

/* Cycles of a step after one and a half rounds, which have filled the caches. */
static double chase(struct bench *b, const struct acc_row *row, uint64_t bytes)
{
    struct bench_kernel k = row->k;
    uint64_t steps = bytes / row->stride;

    if (!make_ring(b, bytes, row))
        return NAN;
    if (!k.head)
        k.head = "chase_start";
    if (!k.body)
        k.body = "chase";
    k.copies = 1;
    return bench_pass(b, &k, (uint32_t)(steps + steps / 2 + 64), (uint32_t)(steps / 2 < 512 ? 512 : steps / 2));
}

static double capacity(struct bench *b, const struct acc_row *row)
{
    static const double part[] = {0.75, 1, 1.125, 1.25, 1.5, 2, 3};
    double quick = chase(b, row, row->bytes / 2), found = (double)row->bytes / 2;

    for (size_t n = 0; n < sizeof part / sizeof part[0]; n++) {
        uint64_t bytes = (uint64_t)((double)row->bytes * part[n]);
        if (!(chase(b, row, bytes) < 1.02 * quick))
            break;
        found = (double)bytes;
    }
    return isnan(quick) ? quick : found / 1024;
}

static double less(struct bench *b, const struct acc_row *row,
                   double (*measure)(struct bench *, const struct bench_kernel *))
{
    struct bench_kernel k = row->k;
    double with = measure(b, &k);

    k.body = row->less;
    return with - measure(b, &k);
}

static double a_pass(struct bench *b, const struct bench_kernel *k)
{
    return bench_pass(b, k, 4, 16);
}

static double waves(struct bench *b, const struct acc_row *row)
{
    struct bench_kernel k = row->k;
    unsigned many = k.groups;

    k.groups = many / 4;
    double few = bench_whole(b, &k);
    k.groups = many;
    return (bench_whole(b, &k) - few) / (many - many / 4);
}

static double order(struct bench *b, const struct acc_row *row)
{
    static const char *const body[] = {"hit_behind_hit", "hit_behind_miss", "miss_behind_hit"};
    struct bench_kernel k = row->k;
    double cycles[3];

    for (unsigned n = 0; n < 3; n++) {
        k.body = body[n];
        cycles[n] = bench_copy(b, &k);
    }
    double waits = (cycles[1] - cycles[0]) / (cycles[2] - cycles[0]);
    return 100 * (row->amount > 0 ? 1 - waits : waits);
}

static double raw_value(struct bench *b, const struct acc_row *row)
{
    switch (row->how) {
    case HOW_COPY:
        return bench_copy(b, &row->k);
    case HOW_LESS:
        return less(b, row, bench_copy);
    case HOW_THROUGHPUT:
        return bench_throughput(b, &row->k);
    case HOW_PER_CYCLE:
        return row->amount / bench_throughput(b, &row->k);
    case HOW_RATE:
        return row->amount / bench_rate(b, &row->k);
    case HOW_BLOCKS:
        return row->amount / bench_blocks(b, &row->k);
    case HOW_PASS:
        return bench_rate(b, &row->k);
    case HOW_LOOP_LESS:
        return less(b, row, a_pass) / row->k.copies;
    case HOW_CHASE:
        return chase(b, row, row->bytes);
    case HOW_CAPACITY:
        return capacity(b, row);
    case HOW_WHOLE_LESS:
        return less(b, row, bench_whole);
    case HOW_IPC:
        return bench_ipc(b, &row->k) / row->amount;
    case HOW_ORDER:
        return order(b, row);
    case HOW_WAVES:
        return waves(b, row);
    }
    return NAN;
}

double acc_measure(struct bench *b, const struct acc_row *row)
{
    struct gcnsim_error problem = {0};
    unsigned sets = 0;

    b->error[0] = 0;
    madvise(b->data, BENCH_DATA_BYTES, MADV_DONTNEED);
    while (sets < sizeof row->set / sizeof *row->set && row->set[sets])
        sets++;
    if (sets && gcnsim_set_all(b->sim, row->set, sets, &problem)) {
        snprintf(b->error, sizeof b->error, "%s", problem.text);
        return NAN;
    }
    double v = raw_value(b, row) * (row->scale ? row->scale : 1);
    if (sets)
        b->profile[0] = 0; /* no longer the profile: the next row opens its own */
    if (row->unit == UNIT_NS)
        v *= 1000 / b->mhz;
    if (row->unit == UNIT_TBPS)
        v *= b->mhz / 1e6;
    return v;
}

double acc_error(const struct acc_row *row, double simulated)
{
    const double tiny = 1e-9;
    double near = simulated < row->lo ? row->lo : row->hi;

    if (simulated >= row->lo - tiny && simulated <= row->hi + tiny)
        return 0;
    return 100 * (simulated - near) / near;
}

/* Memory instructions of every kind, on every target, with addresses at the edges of memory and of the address space:
 * both engines access what is there and nothing beside it, and end alike, in memory or in the same fault.
 *
 * The edges: 0, 2^31, 2^32, 2^47, 2^48, 2^63, the windows of LDS and scratch, and the last byte there is. Around most
 * of them lies an allocation of a few dozen bytes, between bytes that nobody may touch. A lane's bytes begin before it,
 * within it and after it, and some of them wrap around. Descriptors have any base, stride, count and swizzle.
 *
 * GCNSIM_WILD_ROUNDS=n: with so many addresses for each instruction, instead of two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fuzz/stream_bench.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(P, N)   ((void)(P), (void)(N))
#define ASAN_UNPOISON_MEMORY_REGION(P, N) ((void)(P), (void)(N))
#endif

enum { CANARY = 64, MAX_BYTES = 128, MAX_TARGETS = 256, CANARY_BYTE = 0xa5 };

/* lo, bytes; writable */
static const struct {
    uint64_t lo;
    uint32_t bytes;
    bool writable;
} allocations[] = {
    {0x1000, 64, true},
    {UINT64_C(0x7fffffe0), 64, true},
    {UINT64_C(0xffffffe0), 68, true},
    {UINT64_C(0x7fffffffffe0), 61, true},
    {UINT64_C(0x800000001000), 48, false},
    {UINT64_C(0xffffffffffe0), 64, true},
    {UINT64_C(0x7fffffffffffffe0), 64, true},
    {UINT64_C(0xffff7fffffffffe0), 64, true},
    {UINT64_C(0xffffffffffffff80), 127, true}, /* the last byte of all is in no range */
};
enum { ALLOCATIONS = sizeof allocations / sizeof allocations[0] };

static uint8_t host[ALLOCATIONS][CANARY + MAX_BYTES + CANARY], kept[ALLOCATIONS][MAX_BYTES];
static uint64_t targets[MAX_TARGETS];
static unsigned target_count;
static struct stream program;
static struct stream_outcome functional, timing;

static void open_allocations(struct stream_bench *b)
{
    for (unsigned k = 0; k < ALLOCATIONS; k++) {
        memset(host[k], CANARY_BYTE, sizeof host[k]);
        ASAN_POISON_MEMORY_REGION(host[k], CANARY);
        ASAN_POISON_MEMORY_REGION(host[k] + CANARY + allocations[k].bytes,
                                  sizeof host[k] - CANARY - allocations[k].bytes);
        b->more[k] = (struct mem_range){.lo = allocations[k].lo,
                                        .hi = allocations[k].lo + allocations[k].bytes,
                                        .host = host[k] + CANARY,
                                        .flags = allocations[k].writable ? MEM_READ | MEM_WRITE : MEM_READ};
    }
    b->more_count = ALLOCATIONS;
}

static void fill_allocations(void)
{
    for (unsigned k = 0; k < ALLOCATIONS; k++)
        for (unsigned n = 0; n < allocations[k].bytes; n++)
            host[k][CANARY + n] = (uint8_t)(n * 7 + k);
}

static void keep_allocations(void)
{
    for (unsigned k = 0; k < ALLOCATIONS; k++)
        memcpy(kept[k], host[k] + CANARY, allocations[k].bytes);
}

/* Whether the allocations are as they were kept, and their neighbours as nobody may change them. */
static const char *look_at_allocations(void)
{
    for (unsigned k = 0; k < ALLOCATIONS; k++) {
        uint8_t *behind = host[k] + CANARY + allocations[k].bytes;
        size_t rest = sizeof host[k] - CANARY - allocations[k].bytes;
        bool clean = true;

        if (memcmp(kept[k], host[k] + CANARY, allocations[k].bytes))
            return "an allocation differs";
        ASAN_UNPOISON_MEMORY_REGION(host[k], CANARY);
        ASAN_UNPOISON_MEMORY_REGION(behind, rest);
        for (unsigned n = 0; n < CANARY; n++)
            clean &= host[k][n] == CANARY_BYTE;
        for (size_t n = 0; n < rest; n++)
            clean &= behind[n] == CANARY_BYTE;
        ASAN_POISON_MEMORY_REGION(host[k], CANARY);
        ASAN_POISON_MEMORY_REGION(behind, rest);
        if (!clean)
            return "bytes beside an allocation have changed";
    }
    return NULL;
}

static void around(uint64_t edge)
{
    static const int8_t distances[] = {-17, -16, -12, -8, -7, -4, -3, -2, -1, 0, 1, 4};

    for (unsigned k = 0; k < sizeof distances && target_count < MAX_TARGETS; k++)
        targets[target_count++] = edge + (uint64_t)(int64_t)distances[k];
}

static void make_targets(const struct stream_places *p)
{
    const uint64_t edges[] = {0,
                              p->region,
                              p->region + (1u << STREAM_REGION_SHIFT),
                              p->shared_aperture,
                              p->shared_aperture + STREAM_LDS_BYTES,
                              p->shared_aperture + (UINT64_C(1) << 32),
                              p->private_aperture,
                              p->private_aperture + STREAM_SCRATCH_BYTES};

    target_count = 0;
    for (unsigned k = 0; k < sizeof edges / sizeof edges[0]; k++)
        around(edges[k]);
    for (unsigned k = 0; k < ALLOCATIONS; k++) {
        if (k % 2)
            around(allocations[k].lo);
        around(allocations[k].lo + allocations[k].bytes);
    }
}

static void say(const char *text)
{
    print_error("%s\n", text);
}

static void run(struct stream_bench *b, const struct profile *profile, bool time)
{
    struct stream_run r = {
        .groups = 1, .threads = 1, .profile = profile, .max_instructions = 5000, .max_cycles = 20000000};
    const char *changed;
    char why[600];

    fill_allocations();
    keep_allocations();
    stream_run(b, &program, &r, &functional);
    stream_keep(b, &program, 1);
    keep_allocations();
    changed = look_at_allocations();
    if (!changed && time) {
        r.timing = true;
        fill_allocations();
        stream_run(b, &program, &r, &timing);
        changed = look_at_allocations();
        if (!changed && (!stream_same_outcome(&functional, &timing, why, sizeof why) ||
                         !stream_same_memory(b, &program, 1, why, sizeof why)))
            changed = why;
    }
    if (!changed)
        return;
    stream_print(&program, say);
    fail_msg("%s, %s: %s", program.catalog->target->name, program.made ? program.at[0].cell->row->name : "?", changed);
}

static bool is_memory(const struct stream_cell *c)
{
    return c->known && (c->format == FMT_SMEM || (c->format >= FMT_DS && c->format <= FMT_VBUFFER));
}

/* One instruction at one place; false when it cannot be had. */
static bool run_at(struct stream_bench *b, struct stream_catalog *c, const struct profile *p, struct stream_cell *cell,
                   const uint64_t *target, struct stream_rng *g, bool time)
{
    struct stream_shape shape = {.lanes = isa_has(c->target, FEAT_WAVE32) && stream_chance(g, 50) ? 32 : 64,
                                 .vgprs = 64,
                                 .agprs = isa_has(c->target, FEAT_AGPR) ? 32 : 0,
                                 .waves = 1,
                                 .wild = 100,
                                 .targets = target,
                                 .target_count = 1};

    stream_begin(&program, c, &shape, &b->places, g);
    if (stream_chance(g, 30))
        stream_add_state(&program);
    if (!stream_add(&program, cell))
        return false;
    stream_end(&program);
    if (program.timed)
        return false;
    run(b, p, time);
    return true;
}

static void every_path_at_every_edge(void **state)
{
    const char *rounds = getenv("GCNSIM_WILD_ROUNDS");
    unsigned each = rounds && *rounds ? (unsigned)strtoul(rounds, NULL, 0) : 2;
    enum isa_node node = N_COUNT;
    struct stream_bench b;

    (void)state;
    assert_true(stream_bench_open(&b));
    open_allocations(&b);
    make_targets(&b.places);
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct stream_catalog c;
        struct stream_rng g;
        struct profile *p = stream_profile(isa_target_name(k));
        unsigned ran = 0, ended = 0, next = k;

        assert_non_null(p);
        assert_true(stream_catalog_open(&c, isa_target_name(k), 20));
        stream_shrink_profile(p);
        stream_seed(&g, NULL, 0, each * 100 + k);
        for (unsigned n = 0; n < c.count && c.target->node != node; n++)
            for (unsigned m = 0; is_memory(&c.cell[n]) && m < each; m++)
                if (run_at(&b, &c, p, &c.cell[n], &targets[next++ % target_count], &g, m % 2 == 0)) {
                    ran++;
                    ended += functional.result.outcome == ENGINE_DONE;
                }
        /* neither all of them fault, nor none */
        if (c.target->node != node)
            assert_true(ran > each * 100 && ended > ran / 20 && ended < ran);
        node = c.target->node;
        profile_free(p);
        stream_catalog_close(&c);
    }
    for (unsigned k = 0; k < ALLOCATIONS; k++)
        ASAN_UNPOISON_MEMORY_REGION(host[k], sizeof host[k]);
    stream_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_at_every_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

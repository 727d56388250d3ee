/* Each choice of the sampler over made-up programs, and what it makes of them: which dispatches are timed, warm caches
 * or run, their clusters, and sums on the way, as files of tests/unit/hsa/words have them. A choice that changes is
 * seen here first; whether it is a good one test_sample.c says. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/hsa/sampling/sample.h"
#include "tests/support/words.h"

#define ENTRY 0x1000

enum { DISPATCHES = 700, CLASSES = 4, A_LINE = 20 };

/* A dispatch of a program: its class, how often its loop goes round, its path, and cycles; and what is special. */
struct step {
    unsigned class, trips, path;
    double cycles;
    bool beside_others, lost;
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static struct step steady(unsigned n, uint32_t *seed)
{
    unsigned class = n % 3;

    return (struct step){class, 10 + class, 0, 1000 * (class + 1) * (1 + (double)(next_random(seed) % 64) / 1024),
                         0,     0};
}

/* Rows of paths that come again, of which one is rare; one class ends, and another one begins late. */
static struct step patterns(unsigned n, uint32_t *seed)
{
    static const uint8_t row[] = {0, 0, 1, 0, 2, 1, 0, 0};
    unsigned class = n < 200 ? n % 2 : n < 400 ? 2 * (n % 2) : n % 4, path = row[n / 2 % 8];

    return (struct step){
        class,       5 + 20 * path, n % 97 == 96 ? 3 : path % 2, 500 + 2000 * path + next_random(seed) % 200,
        n % 53 == 0, n % 41 == 7};
}

/* Work that grows and costs that drift, with jumps. */
static struct step growing(unsigned n, uint32_t *seed)
{
    unsigned trips = 4 + n / 20 + (n % 150 == 149 ? 400 : 0);

    return (struct step){n % 5 == 4, trips,
                         n / 350,    trips * 40.0 * (1 + n * 0.001) + next_random(seed) % (n % 7 == 0 ? 900 : 30),
                         0,          n % 100 == 99};
}

static char sampler_mode(enum sample_mode m)
{
    return m == SAMPLE_TIME ? 'T' : m == SAMPLE_WARM ? 'W' : '.';
}

static void show_cluster(void *ctx, const struct sample_cluster_info *i)
{
    fprintf(ctx, "  cluster %u of %s: %llu dispatches, %llu timed, %.6g instructions, cost %.5g +- %.4g\n", i->number,
            i->key->kernel, (unsigned long long)i->dispatches, (unsigned long long)i->timed, i->instructions, i->cost,
            i->half);
}

static void show_sum(FILE *f, struct sampler *s)
{
    struct sample_sum sum;

    sampler_sum(s, &sum);
    fprintf(f,
            "  timed %llu, warmed %llu, executed %llu; %u classes, %u clusters; cycles: timed %.6g, estimated %.6g, "
            "told %.6g; half %.5g, bias %.5g, unsure %.5g\n",
            (unsigned long long)sum.timed, (unsigned long long)sum.warmed, (unsigned long long)sum.executed,
            sum.classes, sum.clusters, sum.timed_cycles, sum.estimated_cycles, sum.told_cycles, sum.half, sum.bias,
            sum.unsure);
}

static void run(FILE *f, const char *name, struct step (*program)(unsigned n, uint32_t *seed), uint32_t representatives)
{
    static const struct sample_key keys[CLASSES] = {{"a", {4096, 1, 1}, {256, 1, 1}, 0, 0},
                                                    {"b", {4096, 1, 1}, {256, 1, 1}, 0, 0},
                                                    {"b", {4096, 2, 1}, {256, 1, 1}, 0, 0},
                                                    {"b", {4096, 2, 1}, {256, 1, 1}, 64, 0}};
    struct sampler *s = sampler_new(representatives);
    uint32_t seed = 1;

    assert_non_null(s);
    fprintf(f, "%s, %u representatives\n", name, representatives);
    for (unsigned n = 0; n < DISPATCHES; n++) {
        const struct step p = program(n, &seed);
        struct gcnsim_visit visit[16];
        struct sample_work work = {.visit = visit, .visits = 12 + 4 * (p.path & 1), .entry = ENTRY};
        enum sample_mode mode;
        struct sample_class *c = sampler_begin(s, &keys[p.class], !p.beside_others, &mode);
        double estimate = 0;
        uint32_t cluster = 0;

        assert_non_null(c);
        for (unsigned k = 0; k < work.visits; k++) {
            visit[k] = (struct gcnsim_visit){ENTRY + 8 * k + (p.path > 1 && k > 8 ? 64 : 0),
                                             k >= 4 && k < 8 ? 64 * (uint64_t)p.trips : 64};
            work.instructions += (double)visit[k].executed;
        }
        if (p.lost)
            sampler_lost(s, c, mode);
        else if (mode == SAMPLE_TIME)
            cluster = sampler_timed(s, c, &work, p.cycles, 0);
        else
            cluster = sampler_executed(s, c, mode, &work, &estimate);
        fprintf(f, "%s%u%c%u", n % A_LINE ? " " : "", p.class, sampler_mode(mode), cluster);
        if (n % 10 == 9)
            fprintf(f, " %.5g", estimate);
        if (n % A_LINE == A_LINE - 1)
            fputc('\n', f);
        if (n % 100 == 99)
            show_sum(f, s);
    }
    sampler_each(s, show_cluster, f);
    sampler_free(s);
}

static void expect_run(const char *name, struct step (*program)(unsigned n, uint32_t *seed))
{
    size_t size;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);

    run(f, name, program, 0);
    run(f, name, program, 3);
    fclose(f);
    expect_words("tests/unit/hsa/words", name, text);
    free(text);
}

static void choices(void **state)
{
    (void)state;
    expect_run("sampler_steady", steady);
    expect_run("sampler_patterns", patterns);
    expect_run("sampler_growing", growing);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

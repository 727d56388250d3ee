/* Random programs of valid instructions, on every target, through both engines (stream.h): functional against timing,
 * one host thread against several, with and without checks, with and without a list of valid memory. All leave the same
 * memory, registers and LDS, or the same fault; cycles do not depend on threads, on observers, or on how the clock
 * moves.
 *
 * The first bytes choose the target, the profile and its figures, the shape of the launch and the runs to compare; the
 * others are the instructions. Nothing that the programs do depends on the order of waves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/stream_bench.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TARGETS = 32, MAX_INSTRUCTIONS = 200000, MAX_CYCLES = 20000000, CYCLES_TO_TICK = 20000 };

struct target {
    struct stream_catalog catalog;
    struct profile *profile, *small;
};

static struct stream_bench bench;
static struct stream program;
static struct stream_outcome first, other, timed;

static struct target *target_at(unsigned at)
{
    static struct target open[TARGETS];
    struct target *t;
    unsigned count = 0;

    while (isa_target_name(count))
        count++;
    t = &open[at % count];
    if (t->profile)
        return t;
    t->profile = stream_profile(isa_target_name(at % count));
    t->small = stream_profile(isa_target_name(at % count));
    if (!t->profile || !t->small || !stream_catalog_open(&t->catalog, isa_target_name(at % count), 20) ||
        (!bench.map && !stream_bench_open(&bench))) {
        fprintf(stderr, "fuzz_streams: out of host memory for %s\n", isa_target_name(at % count));
        exit(1);
    }
    stream_shrink_profile(t->small);
    return t;
}

static void say(const char *text)
{
    fprintf(stderr, "%s\n", text);
}

static void stop(const struct stream_run *run, const char *what, const char *why)
{
    stream_print(&program, say);
    fprintf(stderr, "fuzz_streams: %s, wave%u, %u workgroups of %u waves, %u threads: %s: %s\n",
            program.catalog->target->name, program.shape.lanes, run->groups, program.shape.waves, run->threads, what,
            why);
    abort();
}

static bool one_wave(const struct stream_run *run)
{
    return run->groups * program.shape.waves == 1;
}

/* For several waves another one may fault first, and the others are anywhere. */
static bool comparable(const struct stream_run *run, const struct stream_outcome *a, const struct stream_outcome *b)
{
    return one_wave(run) || (a->result.outcome == ENGINE_DONE && b->result.outcome == ENGINE_DONE);
}

static void compare(const struct stream_run *run, const struct stream_outcome *a, const struct stream_outcome *b,
                    const char *what)
{
    char why[600];

    if (b->status)
        stop(run, what, b->err.text);
    if (program.timed)
        return;
    if (a->result.outcome != b->result.outcome) {
        snprintf(why, sizeof why, "\"%s\" and \"%s\"", a->result.message, b->result.message);
        stop(run, what, why);
    }
    if (comparable(run, a, b) && (!stream_same_outcome(a, b, why, sizeof why) ||
                                  !stream_same_memory(&bench, &program, run->groups, why, sizeof why)))
        stop(run, what, why);
    /* the same wave, so the same fault */
    if (a->result.outcome == ENGINE_FAULT && a->result.fault_group == b->result.fault_group &&
        a->result.fault_wave == b->result.fault_wave &&
        (a->result.fault.pc != b->result.fault.pc || strcmp(a->result.fault.text, b->result.fault.text))) {
        snprintf(why, sizeof why, "\"%s\" and \"%s\"", a->result.message, b->result.message);
        stop(run, what, why);
    }
}

static void run_functional(struct stream_run r, uint32_t choice)
{
    struct stream_run one = r;

    stream_run(&bench, &program, &r, &first);
    if (first.status)
        return;
    stream_keep(&bench, &program, r.groups);
    if (choice & 1 && r.groups > 1) {
        one.threads = choice & 2 ? 2 : 4;
        stream_run(&bench, &program, &one, &other);
        compare(&one, &first, &other, "functional with more threads");
        if (!other.status && other.result.fault_group != first.result.fault_group)
            stop(&one, "functional with more threads", "a fault of another workgroup");
        one.threads = 1;
    }
    if (choice & 4) {
        one.check = true;
        stream_run(&bench, &program, &one, &other);
        compare(&one, &first, &other, "functional with checks");
        one.check = false;
    }
    if (choice & 8 && first.result.outcome == ENGINE_DONE && !program.timed) {
        one.unchecked = true;
        stream_run(&bench, &program, &one, &other);
        compare(&one, &first, &other, "functional without ranges");
    }
}

/* Cycles are the same however a run is made. */
static void same_cycles(const struct stream_run *run, const char *what)
{
    char why[200];

    compare(run, &timed, &other, what);
    if (other.result.stat[STAT_CYCLES] == timed.result.stat[STAT_CYCLES])
        return;
    snprintf(why, sizeof why, "%llu cycles, and %llu", (unsigned long long)timed.result.stat[STAT_CYCLES],
             (unsigned long long)other.result.stat[STAT_CYCLES]);
    stop(run, what, why);
}

static void run_timing(struct stream_run r, uint32_t choice)
{
    struct stream_run one;

    r.timing = true;
    r.perfect_memory = (choice >> 4 & 7) == 7;
    stream_run(&bench, &program, &r, &timed);
    if (timed.status) /* a chip that the engine does not model */
        return;
    if (timed.result.outcome == ENGINE_LIMIT && first.result.outcome != ENGINE_LIMIT)
        return; /* of cycles, on a chip that nobody has built */
    compare(&r, &first, &timed, "timing");
    one = r;
    if (choice & 0x100) {
        one.threads = choice & 0x200 ? 2 : 4;
        stream_run(&bench, &program, &one, &other);
        same_cycles(&one, "timing with more threads");
        one.threads = 1;
    }
    if (choice & 0x400) {
        one.check = true;
        stream_run(&bench, &program, &one, &other);
        same_cycles(&one, "timing with checks");
        one.check = false;
    }
    if (choice & 0x800 && first.result.outcome == ENGINE_DONE && !program.timed) {
        one.unchecked = true;
        stream_run(&bench, &program, &one, &other);
        compare(&one, &timed, &other, "timing without ranges");
        one.unchecked = false;
    }
    if ((choice >> 12 & 3) == 3 && timed.result.stat[STAT_CYCLES] < CYCLES_TO_TICK) {
        one.every_cycle = true;
        stream_run(&bench, &program, &one, &other);
        same_cycles(&one, "timing in every cycle");
    }
}

static void make_program(struct target *t, struct stream_rng *g, uint32_t groups)
{
    static const uint8_t vgprs[] = {64, 64, 32, 128};
    bool alone = groups == 1 && stream_chance(g, 50);
    struct stream_shape shape = {
        .lanes = stream_lanes(t->catalog.target, g),
        .vgprs = vgprs[stream_below(g, 4)],
        .waves = alone ? 1 : 1u << stream_below(g, 3),
        .repeatable = !alone || stream_chance(g, 50),
    };
    unsigned count = 1 + stream_below(g, 48);

    if (isa_has(t->catalog.target, FEAT_AGPR))
        shape.agprs = stream_below(g, 2) ? 32 : 64;
    if (alone && stream_chance(g, 30))
        shape.wild = stream_below(g, 100);
    stream_begin(&program, &t->catalog, &shape, &bench.places, g);
    for (unsigned k = 0; k < count; k++) {
        uint32_t what = stream_below(g, 16);

        if (what == 0)
            stream_add_state(&program);
        else if (what == 1 && shape.waves > 1)
            stream_add_barrier(&program);
        else
            stream_add(&program, stream_pick(&program));
    }
    stream_end(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream_rng g;
    struct stream_run r = {.threads = 1, .max_instructions = MAX_INSTRUCTIONS, .max_cycles = MAX_CYCLES};
    struct profile p;
    struct target *t;
    uint32_t choice;

    if (size < 4)
        return 0;
    stream_seed(&g, data, size, size);
    t = target_at(stream_below(&g, TARGETS * 8));
    choice = stream_below(&g, 1 << 14);
    r.groups = stream_below(&g, 2) ? 1 : 1u << stream_below(&g, 3);
    /* figures alone change; what they come from is shared */
    p = stream_below(&g, 64) ? *t->small : *t->profile;
    if (stream_below(&g, 4) == 0)
        stream_change_profile(&p, &g, 1 + stream_below(&g, 16));
    r.profile = &p;
    make_program(t, &g, r.groups);
    if (program.shape.waves * r.groups > STREAM_MAX_WAVES)
        return 0;
    run_functional(r, choice);
    if (!first.status)
        run_timing(r, choice);
    return 0;
}

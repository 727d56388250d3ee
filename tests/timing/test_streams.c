/* Every instruction that is executed, in every form, on every target, in the timing engine: with random operands,
 * modifiers, EXEC, M0, and addresses within memory and anywhere. Nothing stops the process, and every register, LDS,
 * memory, or the fault, is what the functional engine leaves (tests/fuzz/stream.h).
 *
 * GCNSIM_STREAM_SEED=n            other random numbers
 * GCNSIM_STREAM_SECONDS=n         goes on for so long, with one seed after the other; every target name, not one of
 * each node GCNSIM_STREAM_TARGETS=gfx803,..   these targets alone
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/fuzz/stream_bench.h"

enum { BATCH = 8, MAX_TRIES = 60, MAX_INSTRUCTIONS = 20000, MAX_CYCLES = 20000000 };

struct target_run {
    struct stream_bench *bench;
    struct stream_catalog catalog;
    struct profile *profile;
    struct stream_rng rng;
    uint64_t seed;
    bool *ran; /* by cell */
    unsigned programs, instructions;
};

static struct stream program; /* large */
static struct stream_outcome functional, timing;

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void say(const char *text)
{
    print_error("%s\n", text);
}

/* Cells that may end the program, or skip some of it, are in programs of their own. */
static bool is_alone(const struct stream_cell *c)
{
    struct stream_shape all = {.waves = 1, .repeatable = true};

    if (!stream_allows(&all, c))
        return true;
    for (unsigned k = 0; c->row->args[k].slot; k++)
        if (c->row->args[k].type == T_LABEL)
            return true;
    return false;
}

/* What a clock shows, or where the wave runs, differs. */
static bool reads_time(const struct stream_cell *c)
{
    static const char *const names[] = {"s_memtime", "s_memrealtime", "s_getreg", "s_sendmsg_rtn", "s_get_shader"};

    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
        if (!strncmp(c->row->name, names[k], strlen(names[k])))
            return true;
    return false;
}

static void mark(struct target_run *t, const struct stream_cell *c)
{
    t->ran[c - t->catalog.cell] = true;
    t->instructions++;
}

/* The cells whose instructions have run, of a program that is over. */
static void mark_all(struct target_run *t, const struct stream *s)
{
    gaddr_t code = (gaddr_t)(uintptr_t)t->bench->code;
    uint64_t end = functional.result.outcome == ENGINE_FAULT ? (functional.result.fault.pc - code) / 4 : UINT64_MAX;

    for (unsigned k = 0; k < s->made && k < STREAM_MAX_MADE; k++)
        if (s->at[k].word <= end || s->made == 1)
            mark(t, s->at[k].cell);
}

static void differ(const struct target_run *t, const struct stream *s, const char *why)
{
    stream_print(s, say);
    fail_msg("%s, wave%u, seed %llu: %s of %u instructions from %s on: %s", t->catalog.target->name, s->shape.lanes,
             (unsigned long long)t->seed, "a program", s->made, s->made ? s->at[0].cell->row->name : "?", why);
}

/* Runs the program in both engines. */
static void run(struct target_run *t, const struct stream *s, bool timed)
{
    struct stream_run r = {.groups = 1,
                           .threads = 1,
                           .profile = t->profile,
                           .max_instructions = MAX_INSTRUCTIONS,
                           .max_cycles = MAX_CYCLES,
                           .perfect_memory = t->programs % 16 == 15};
    char why[600];

    t->programs++;
    stream_run(t->bench, s, &r, &functional);
    stream_keep(t->bench, s, 1);
    r.timing = true;
    stream_run(t->bench, s, &r, &timing);
    if (functional.status || timing.status)
        differ(t, s, functional.status ? functional.err.text : timing.err.text);
    if (!timed && (!stream_same_outcome(&functional, &timing, why, sizeof why) ||
                   !stream_same_memory(t->bench, s, 1, why, sizeof why)))
        differ(t, s, why);
    mark_all(t, s);
}

static void begin(struct target_run *t, unsigned wild)
{
    const struct isa_target *target = t->catalog.target;
    bool large = stream_chance(&t->rng, 5);
    struct stream_shape shape = {
        .lanes = stream_lanes(target, &t->rng),
        .vgprs = large ? 256 : 64,
        .waves = 1,
        .wild = wild,
    };

    if (isa_has(target, FEAT_AGPR))
        shape.agprs = large ? 256 : 64;
    stream_begin(&program, &t->catalog, &shape, &t->bench->places, &t->rng);
}

/* A program with the next cells that have not run, at most `most` of them. */
static bool run_some(struct target_run *t, bool alone, unsigned most, unsigned wild)
{
    unsigned count = 0;
    bool timed = false;

    begin(t, wild);
    for (unsigned k = 0; k < t->catalog.count && count < most; k++) {
        struct stream_cell *c = &t->catalog.cell[k];

        if (t->ran[k] || is_alone(c) != alone)
            continue;
        if (stream_chance(&t->rng, 30))
            stream_add_state(&program);
        if (!stream_add(&program, c) && !count)
            fail_msg("%s: no encoding of %s %s", t->catalog.target->name, c->row->name, isa_form_name[c->form]);
        timed |= reads_time(c);
        count++;
    }
    if (!count)
        return false;
    stream_end(&program);
    run(t, &program, timed);
    return true;
}

static bool is_memory(const struct stream_cell *c)
{
    return c->format == FMT_SMEM || (c->format >= FMT_DS && c->format <= FMT_VBUFFER);
}

/* Each memory instruction once more, with addresses anywhere: most of them fault. */
static void run_wild(struct target_run *t)
{
    for (unsigned k = 0; k < t->catalog.count; k++) {
        struct stream_cell *c = &t->catalog.cell[k];

        if (!is_memory(c))
            continue;
        begin(t, 20 + stream_below(&t->rng, 60));
        if (stream_chance(&t->rng, 50))
            stream_add_state(&program);
        if (!stream_add(&program, c))
            continue;
        stream_end(&program);
        run(t, &program, reads_time(c));
    }
}

static void run_target(struct stream_bench *b, const char *name, uint64_t seed, bool change)
{
    struct target_run t = {.bench = b, .seed = seed};
    unsigned tries = 0, missing = 0;

    assert_true(stream_catalog_open(&t.catalog, name, 20));
    t.profile = stream_profile(name);
    assert_non_null(t.profile);
    stream_seed(&t.rng, NULL, 0, seed * 1000 + t.catalog.target->node);
    stream_shrink_profile(t.profile);
    if (change)
        stream_change_profile(t.profile, &t.rng, 8);
    t.ran = calloc(t.catalog.count, sizeof *t.ran);
    assert_non_null(t.ran);
    /* a fault ends a program early: those after it are tried again */
    while (run_some(&t, false, tries < 400 ? BATCH : 1, 0) && tries < 5000)
        tries++;
    while (run_some(&t, true, 1, 0))
        ;
    for (unsigned k = 0; k < t.catalog.count; k++)
        missing += !t.ran[k];
    assert_int_equal(missing, 0);
    run_wild(&t);
    print_message("%s: %u forms, %u programs, %u instructions of theirs\n", name, t.catalog.count, t.programs,
                  t.instructions);
    free(t.ran);
    profile_free(t.profile);
    stream_catalog_close(&t.catalog);
}

/* Whether a target with the same instructions comes before it in the list. */
static bool is_twin(unsigned at)
{
    struct isa_target *a, *b;
    struct err e = {0};
    bool same;

    if (!at)
        return false;
    assert_int_equal(isa_target_open(&a, isa_target_name(at - 1), NULL, &e), 0);
    assert_int_equal(isa_target_open(&b, isa_target_name(at), NULL, &e), 0);
    same = a->node == b->node;
    isa_target_close(a);
    isa_target_close(b);
    return same;
}

static bool is_chosen(unsigned at, bool all)
{
    const char *list = getenv("GCNSIM_STREAM_TARGETS"), *name = isa_target_name(at);
    size_t n = strlen(name);

    if (!list || !*list)
        return all || !is_twin(at);
    for (const char *found = list; (found = strstr(found, name)); found += n)
        if ((found == list || found[-1] == ',') && (!found[n] || found[n] == ','))
            return true;
    return false;
}

static void every_form_in_both_engines(void **state)
{
    uint64_t seed = number("GCNSIM_STREAM_SEED", 1), seconds = number("GCNSIM_STREAM_SECONDS", 0);
    time_t until = time(NULL) + (time_t)seconds;
    struct stream_bench b;
    bool first = true;

    (void)state;
    assert_true(stream_bench_open(&b));
    do {
        for (unsigned k = 0; isa_target_name(k); k++)
            if (is_chosen(k, seconds != 0) && (first || time(NULL) < until))
                run_target(&b, isa_target_name(k), seed, !first);
        first = false;
        seed++;
    } while (time(NULL) < until);
    stream_bench_close(&b);
}

/* All memory is one range then, whatever lies there: nobody looks at all of it. */
static void without_a_list_of_memory(void **state)
{
    static const char *const names[] = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};
    struct stream_run r = {.groups = 2, .threads = 1, .unchecked = true};
    struct stream_bench b;

    (void)state;
    assert_true(stream_bench_open(&b));
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct target_run t = {.bench = &b, .seed = 1, .profile = stream_profile(names[k])};
        struct stream_shape shape = {.lanes = 64, .vgprs = 64, .waves = 2, .repeatable = true};
        char why[600];

        assert_true(stream_catalog_open(&t.catalog, names[k], 20));
        assert_non_null(t.profile);
        stream_shrink_profile(t.profile);
        r.profile = t.profile;
        r.timing = r.unchecked = false;
        do { /* one without a fault */
            stream_seed(&t.rng, NULL, 0, t.seed++);
            stream_begin(&program, &t.catalog, &shape, &b.places, &t.rng);
            for (unsigned n = 0; n < 30; n++)
                stream_add(&program, stream_pick(&program));
            stream_end(&program);
            stream_run(&b, &program, &r, &functional);
        } while (functional.result.outcome != ENGINE_DONE && t.seed < 100);
        assert_int_equal(functional.result.outcome, ENGINE_DONE);
        stream_keep(&b, &program, r.groups);
        r.timing = r.unchecked = true;
        stream_run(&b, &program, &r, &timing);
        if (!stream_same_outcome(&functional, &timing, why, sizeof why) ||
            !stream_same_memory(&b, &program, r.groups, why, sizeof why))
            differ(&t, &program, why);
        profile_free(t.profile);
        stream_catalog_close(&t.catalog);
    }
    stream_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_in_both_engines),
        cmocka_unit_test(without_a_list_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

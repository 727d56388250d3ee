/* Sums of runs whose code is in the sum already: counts, and that they take no memory, as a program may make a million
 * launches, of kernels in turns. Runs are made by hand here; tests/system/test_sum.c has those of kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/sum.h"
#include "sim/util/error.h"

#define INSTS 6

/* A run of a kernel of INSTS instructions of four bytes from `base` on, with a loop of instructions 1 to 4. */
struct run {
    struct report r;
    struct report_code code;
    struct report_code_inst inst[INSTS];
    uint64_t stat[INSTS][STAT_INST_ALL];
    struct report_function function;
    struct report_loop loop;
};

/* Only the instructions of the mask are there, as when a wave did not come to the others. */
static void make(struct run *run, uint64_t base, const char *name, unsigned mask)
{
    uint32_t place[INSTS], n = 0;

    memset(run, 0, sizeof *run);
    for (unsigned k = 0; k < INSTS; k++) {
        place[k] = mask >> k & 1 ? n++ : REPORT_NONE;
        if (place[k] == REPORT_NONE)
            continue;
        run->stat[place[k]][STAT_INST_EXECUTED] = 1 + k;
        run->inst[place[k]] = (struct report_code_inst){.pc = 0x1000 + base + 4 * k,
                                                        .pc_offset = base + 4 * k,
                                                        .text = "s_nop 0",
                                                        .stat = run->stat[place[k]],
                                                        .loop = REPORT_NONE,
                                                        .target = REPORT_NONE,
                                                        .reached = true};
    }
    run->function = (struct report_function){name, name, 0, n, true};
    run->code = (struct report_code){
        .inst = run->inst, .insts = n, .function = &run->function, .functions = 1, .loop = &run->loop};
    if ((mask & 0x1e) == 0x1e) { /* its branch goes back to its header */
        run->inst[place[4]].target = place[1];
        for (unsigned k = 1; k <= 4; k++)
            run->inst[place[k]].loop = 0;
        run->loop = (struct report_loop){.parent = REPORT_NONE,
                                         .depth = 1,
                                         .header = place[1],
                                         .first = place[1],
                                         .last = place[4],
                                         .iterations = 10,
                                         .entries_known = true,
                                         .entries = 2};
        run->code.loops = 1;
    }
    run->r.code = &run->code;
    run->r.run.kernel = run->r.run.plain = name;
    run->r.target = "gfx90a";
    run->r.profile = "mine";
}

static void add(struct report_sum *s, const struct run *run)
{
    struct err e = {0};

    if (report_sum_add(s, &run->r, &e))
        fail_msg("%s", e.text);
}

static uint64_t executed(const struct report_sum *s, uint64_t offset)
{
    for (size_t k = 0; k < s->code.insts; k++)
        if (s->code.inst[k].pc_offset == offset)
            return s->code.inst[k].stat[STAT_INST_EXECUTED];
    fail_msg("no instruction at %llu", (unsigned long long)offset);
    return 0;
}

static void kernels_in_turns(void **state)
{
    struct report_sum s;
    struct run first, second, part;
    size_t used;

    (void)state;
    make(&first, 0x100, "first", 0x3f);
    make(&second, 0x200, "second", 0x3f);
    make(&part, 0x100, "first", 0x21); /* its loop was left out */
    report_sum_init(&s);
    add(&s, &first);
    add(&s, &second);
    used = s.r.arena.used_bytes;
    for (unsigned k = 0; k < 100; k++) {
        add(&s, &part);
        add(&s, &second);
        add(&s, &first);
    }
    assert_int_equal(s.r.arena.used_bytes, used);
    assert_int_equal(s.launches, 302);
    assert_int_equal(s.code.insts, 2 * INSTS);
    assert_int_equal(s.code.functions, 2);
    assert_int_equal(s.code.loops, 2);
    for (unsigned k = 0; k < INSTS; k++) {
        assert_int_equal(executed(&s, 0x100 + 4 * k), (0x21 >> k & 1 ? 201 : 101) * (1 + k));
        assert_int_equal(executed(&s, 0x200 + 4 * k), 101 * (1 + k));
    }
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(s.code.loop[k].iterations, 1010);
        assert_int_equal(s.code.loop[k].entries, 202);
    }
    report_sum_free(&s);
}

/* What the sum lacks is added to it, whichever came first: a loop, the branch of it, instructions. */
static void a_part_comes_first(void **state)
{
    struct report_sum s;
    struct run whole, part;

    (void)state;
    make(&whole, 0x100, "first", 0x3f);
    make(&part, 0x100, "first", 0x2f); /* all but the branch back */
    report_sum_init(&s);
    add(&s, &part);
    assert_int_equal(s.code.loops, 0);
    add(&s, &whole);
    add(&s, &whole);
    assert_int_equal(s.code.insts, INSTS);
    assert_int_equal(s.code.functions, 1);
    assert_int_equal(s.code.loops, 1);
    assert_int_equal(s.code.loop[0].iterations, 20);
    assert_int_equal(s.code.inst[4].target, 1);
    assert_int_equal(s.code.inst[2].loop, 0);
    assert_int_equal(executed(&s, 0x100 + 4 * 4), 2 * 5);
    assert_int_equal(executed(&s, 0x100), 3);
    report_sum_free(&s);
}

/* How often a loop was entered is known of a sum when it is known of all its runs, whichever of them does not know it
 * and whether the sum has the loop already. */
static void entries_of_some_runs_are_unknown(void **state)
{
    struct run known, unknown, part;

    (void)state;
    make(&known, 0x100, "first", 0x3f);
    make(&unknown, 0x100, "first", 0x3f);
    unknown.loop.entries_known = false;
    unknown.loop.entries = 0;
    make(&part, 0x100, "first", 0x1f); /* so that the next run adds an instruction, and both are merged */
    part.loop.entries_known = false;
    part.loop.entries = 0;
    const struct {
        const struct run *run[3];
        bool known;
    } sums[] = {{{&known, &known, &known}, true},    {{&known, &known, &unknown}, false},
                {{&known, &unknown, &known}, false}, {{&unknown, &known, &known}, false},
                {{&part, &known, &known}, false},    {{&known, &part, &known}, false}};

    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        struct report_sum s;

        report_sum_init(&s);
        for (unsigned n = 0; n < 3; n++)
            add(&s, sums[k].run[n]);
        assert_int_equal(s.code.loops, 1);
        assert_int_equal(s.code.loop[0].iterations, 30);
        assert_int_equal(s.code.loop[0].entries_known, sums[k].known);
        assert_int_equal(s.code.loop[0].entries, sums[k].known ? 6 : 0);
        report_sum_free(&s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_in_turns),
        cmocka_unit_test(a_part_comes_first),
        cmocka_unit_test(entries_of_some_runs_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

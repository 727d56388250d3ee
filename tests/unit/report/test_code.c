/* The code of a run (sim/report/code.h): which instructions and functions it has, where branches lead, and loops with
 * their entries. Words are gfx90a's; counts are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/code.h"
#include "sim/util/error.h"
#include "tests/unit/loader/toy_elf.h"

enum {
    BASE = 0x11800,
    LOAD_BASE = BASE - TOY_TEXT_VADDR,
    WORDS = 16,
    NOP = 0xbf800000,
    END = 0xbf810000,
    BRANCH = 0xbf820000,
    BRANCH_SCC1 = 0xbf850000
};
#define BACK(WORDS) (0xffff & (uint32_t) - (WORDS))

struct bench {
    struct toy toy;
    struct code_object *object;
    struct isa_target *target;
    struct isa_program *program;
    struct arena arena;
    struct launch launch;
    struct report_run run;
    struct report r;
    struct report_inst inst[WORDS];
    uint64_t stat[WORDS][STAT_INST_ALL];
    const struct report_code *code;
};

/* Waves have executed word n count[n] times. */
static void begin(struct bench *b, const uint32_t *words, const uint64_t *count, unsigned symbols)
{
    struct report_maker m = {.arena = &b->arena, .l = &b->launch, .run = &b->run};
    struct err e = {0};

    assert_int_equal(isa_target_open(&b->target, "gfx90a", NULL, &e), 0);
    assert_int_equal(isa_program_open(&b->program, b->target, BASE, (const uint8_t *)words, 4 * WORDS, &e), 0);
    if (symbols)
        assert_int_equal(code_object_open(&b->object, b->toy.bytes, TOY_BYTES, "toy", NULL, NULL, &e), 0);
    arena_init(&b->arena, 0);
    b->launch.program = b->program;
    b->launch.target = b->target;
    b->launch.entry = BASE;
    b->run.load_base = LOAD_BASE;
    b->run.code = b->object;
    b->run.kernel = "raw";
    b->r.inst = b->inst;
    for (unsigned k = 0; k < WORDS; k++)
        if (count[k]) {
            b->stat[k][STAT_INST_EXECUTED] = count[k];
            b->inst[b->r.inst_count++] =
                (struct report_inst){.pc = BASE + 4 * k, .instruction = "reached", .stat = b->stat[k]};
        }
    b->code = report_code_make(&m, &b->r);
    assert_non_null(b->code);
}

static void end(struct bench *b)
{
    arena_free(&b->arena);
    code_object_close(b->object);
    isa_program_close(b->program);
    isa_target_close(b->target);
}

/* Code without symbols is what branches can reach from the entry, whether waves went there or not. */
static void reachable_code(void **state)
{
    static const uint32_t words[WORDS] = {BRANCH_SCC1 | 2, NOP, END, NOP | 3, BRANCH | BACK(4), NOP, END};
    static const uint64_t count[WORDS] = {7, 7, 7};
    struct bench b = {0};

    (void)state;
    begin(&b, words, count, 0);
    assert_int_equal(b.code->insts, 5);
    assert_int_equal(b.code->functions, 1);
    assert_int_equal(b.code->loops, 0);
    assert_true(b.code->function[0].kernel);
    assert_string_equal(b.code->function[0].name, "raw");
    assert_int_equal(b.code->function[0].count, 5);
    for (unsigned k = 0; k < 5; k++) {
        const struct report_code_inst *i = &b.code->inst[k];

        assert_int_equal(i->pc, BASE + 4 * k);
        assert_int_equal(i->pc_offset, TOY_TEXT_VADDR + 4 * k);
        assert_int_equal(i->reached, k < 3);
        assert_int_equal(i->stat[STAT_INST_EXECUTED], count[k]);
        assert_int_equal(i->target, k == 0 ? 3 : k == 4 ? 1 : REPORT_NONE);
        assert_int_equal(i->loop, REPORT_NONE);
    }
    assert_string_equal(b.code->inst[3].text, "s_nop 3");
    end(&b);
}

/* A function is its symbol's, of several around a place the smallest; all of it is there, what no wave came to as well,
 * and functions that no wave came to are not. */
static void functions_by_symbols(void **state)
{
    static const uint32_t words[WORDS] = {NOP, END, NOP, NOP, NOP, NOP, NOP, NOP,
                                          NOP, NOP, NOP, NOP, NOP, NOP, NOP, END};
    static const uint64_t count[WORDS] = {[0] = 1, [1] = 1, [9] = 4};
    struct bench b = {0};

    (void)state;
    toy_init(&b.toy, 0x53f, 3); /* "k": all 16 words */
    toy_symbol(&b.toy, "_Z5innerv", TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR + 4 * 8, 4 * 4);
    toy_symbol(&b.toy, "outer", TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR + 4 * 4, 4 * 12);
    toy_symbol(&b.toy, "main", TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR, 4 * 2);
    begin(&b, words, count, 4);
    assert_int_equal(b.code->functions, 2);
    assert_string_equal(b.code->function[0].name, "main");
    assert_true(b.code->function[0].kernel);
    assert_int_equal(b.code->function[0].first, 0);
    assert_int_equal(b.code->function[0].count, 2);
    assert_string_equal(b.code->function[1].name, "_Z5innerv");
    assert_string_equal(b.code->function[1].plain, "inner()");
    assert_false(b.code->function[1].kernel);
    assert_int_equal(b.code->function[1].first, 2);
    assert_int_equal(b.code->function[1].count, 4);
    assert_int_equal(b.code->insts, 6);
    assert_int_equal(b.code->inst[2].pc, BASE + 4 * 8);
    assert_false(b.code->inst[2].reached);
    assert_true(b.code->inst[3].reached);
    end(&b);
}

/* A loop in a loop: instructions 2 to 3 in 1 to 4. It is entered as often as waves came to it from before. */
static void loops_and_entries(void **state)
{
    static const uint32_t words[WORDS] = {NOP, NOP, NOP, BRANCH_SCC1 | BACK(2), BRANCH_SCC1 | BACK(4), END};
    static const uint64_t count[WORDS] = {2, 10, 70, 70, 10, 2};
    struct bench b = {0};

    (void)state;
    begin(&b, words, count, 0);
    assert_int_equal(b.code->insts, 6);
    assert_int_equal(b.code->loops, 2);
    const struct report_loop *outer = &b.code->loop[0], *inner = &b.code->loop[1];
    assert_int_equal(outer->header, 1);
    assert_int_equal(outer->first, 1);
    assert_int_equal(outer->last, 4);
    assert_int_equal(outer->parent, REPORT_NONE);
    assert_int_equal(outer->depth, 1);
    assert_int_equal(outer->iterations, 10);
    assert_true(outer->entries_known);
    assert_int_equal(outer->entries, 2);
    assert_int_equal(inner->header, 2);
    assert_int_equal(inner->last, 3);
    assert_int_equal(inner->parent, 0);
    assert_int_equal(inner->depth, 2);
    assert_int_equal(inner->iterations, 70);
    assert_true(inner->entries_known);
    assert_int_equal(inner->entries, 10);
    assert_int_equal(b.code->inst[0].loop, REPORT_NONE);
    assert_int_equal(b.code->inst[1].loop, 0);
    assert_int_equal(b.code->inst[2].loop, 1);
    assert_int_equal(b.code->inst[3].loop, 1);
    assert_int_equal(b.code->inst[4].loop, 0);
    assert_int_equal(b.code->inst[5].loop, REPORT_NONE);
    end(&b);
}

/* A loop that goes back from two places and whose parts run in turns. However often it was entered is what comes from
 * before its header, or, where that is the entry itself, what does not come back. */
static void loop_of_several_ways(void **state)
{
    static const struct {
        uint32_t words[WORDS];
        uint64_t count[WORDS];
        uint32_t header;
    } of[] = {
        {{NOP, NOP, BRANCH_SCC1 | 2, BRANCH_SCC1 | BACK(3), BRANCH | 1, NOP, BRANCH_SCC1 | BACK(6), NOP, END},
         {3, 20, 20, 8, 5, 12, 17, 3, 3},
         1},
        {{NOP, BRANCH_SCC1 | 2, BRANCH_SCC1 | BACK(3), BRANCH | 1, NOP, BRANCH_SCC1 | BACK(6), NOP, END},
         {20, 20, 8, 5, 12, 17, 3, 3},
         0},
    };

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct bench b = {0};

        begin(&b, of[k].words, of[k].count, 0);
        assert_int_equal(b.code->insts, 8 + of[k].header);
        assert_int_equal(b.code->loops, 1);
        const struct report_loop *l = b.code->loop;
        assert_int_equal(l->header, of[k].header);
        assert_int_equal(l->first, of[k].header);
        assert_int_equal(l->last, of[k].header + 5);
        assert_int_equal(l->depth, 1);
        assert_int_equal(l->iterations, 20);
        assert_true(l->entries_known);
        assert_int_equal(l->entries, 3);
        for (uint32_t i = 0; i < b.code->insts; i++)
            assert_int_equal(b.code->inst[i].loop, i >= l->first && i <= l->last ? 0 : REPORT_NONE);
        end(&b);
    }
}

/* A loop whose body lies before its header, beside another of the same parent, the second of which three edges lead
 * into; code that nothing leads to goes back to a header and is in no loop. Symbols have it shown. */
static void loops_beside_one_another(void **state)
{
    static const uint32_t words[WORDS] = {BRANCH | 2,            /* 0: to 3 */
                                          NOP,                   /* 1: the first loop's body */
                                          NOP,                   /* 2 */
                                          BRANCH_SCC1 | BACK(3), /* 3: its header, to 1 */
                                          BRANCH_SCC1 | 1,       /* 4: to 6 */
                                          NOP,                   /* 5 */
                                          NOP,                   /* 6: the second loop */
                                          BRANCH_SCC1 | BACK(2), /* 7: to 6 */
                                          BRANCH_SCC1 | BACK(6), /* 8: to 3 */
                                          END,                   /* 9 */
                                          BRANCH_SCC1 | BACK(5), /* 10: to 6, from nowhere */
                                          END,
                                          NOP,
                                          NOP,
                                          NOP,
                                          NOP};
    static const uint64_t count[WORDS] = {2, 30, 30, 40, 10, 4, 50, 50, 10, 2};
    struct bench b = {0};

    (void)state;
    toy_init(&b.toy, 0x53f, 3);
    begin(&b, words, count, 1);
    assert_int_equal(b.code->insts, WORDS);
    assert_int_equal(b.code->loops, 2);
    const struct report_loop *outer = &b.code->loop[0], *inner = &b.code->loop[1];
    assert_int_equal(outer->header, 3);
    assert_int_equal(outer->first, 1);
    assert_int_equal(outer->last, 8);
    assert_int_equal(outer->parent, REPORT_NONE);
    assert_int_equal(outer->iterations, 40);
    assert_true(outer->entries_known);
    assert_int_equal(outer->entries, 2);
    assert_int_equal(inner->header, 6);
    assert_int_equal(inner->first, 6);
    assert_int_equal(inner->last, 7);
    assert_int_equal(inner->parent, 0);
    assert_int_equal(inner->depth, 2);
    assert_int_equal(inner->iterations, 50);
    assert_true(inner->entries_known);
    assert_int_equal(inner->entries, 10);
    for (uint32_t k = 0; k < b.code->insts; k++)
        assert_int_equal(b.code->inst[k].loop, k == 6 || k == 7 ? 1 : k >= 1 && k <= 8 ? 0 : REPORT_NONE);
    end(&b);
}

/* Where a wave was stopped between two blocks, counts do not add up, and nobody knows how often a loop was entered. */
static void stopped_waves_leave_entries_unknown(void **state)
{
    static const uint32_t words[WORDS] = {BRANCH_SCC1 | 1, NOP, NOP, BRANCH_SCC1 | BACK(2), END};
    static const uint64_t count[WORDS] = {3, 9, 20, 20, 30};
    struct bench b = {0};

    (void)state;
    begin(&b, words, count, 0);
    assert_int_equal(b.code->loops, 1);
    assert_int_equal(b.code->loop[0].iterations, 20);
    assert_false(b.code->loop[0].entries_known);
    assert_int_equal(b.code->loop[0].entries, 0);
    end(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachable_code),           cmocka_unit_test(functions_by_symbols),
        cmocka_unit_test(loops_and_entries),        cmocka_unit_test(loop_of_several_ways),
        cmocka_unit_test(loops_beside_one_another), cmocka_unit_test(stopped_waves_leave_entries_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The largest stall reasons of a run and where they are (report_find_hotspots()), by counts that are made up here for
 * instructions of a sample with line tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/loader/lines.h"
#include "sim/report/code.h"
#include "sim/report/maker.h"
#include "sim/util/error.h"

#define SAMPLE "traces/samples/gfx90a/matmul.g.co"

enum { BASE = 0x10000, MOST = 4 };

struct bench {
    struct code_object *code;
    struct isa_target *target;
    struct isa_program *program;
    struct arena arena;
    struct launch launch;
    struct report_run run;
    struct report r;
    struct engine_result result;
    struct engine_inst inst[MOST];
};

static const uint32_t words[MOST] = {0xbf800000, 0xbf800001, 0xbf800002, 0xbf800003}; /* s_nop 0 to 3 */

static void begin(struct bench *b, bool lines)
{
    struct err e = {0};

    memset(b, 0, sizeof *b);
    assert_int_equal(code_object_open_file(&b->code, SAMPLE, NULL, NULL, &e), 0);
    assert_int_equal(isa_target_open(&b->target, "gfx90a", NULL, &e), 0);
    assert_int_equal(isa_program_open(&b->program, b->target, BASE, (const uint8_t *)words, sizeof words, &e), 0);
    arena_init(&b->arena, 0);
    b->launch.program = b->program;
    b->launch.target = b->target;
    b->run.load_base = BASE;
    b->run.code = lines ? b->code : NULL;
    b->result.inst = b->inst;
    b->result.inst_count = MOST;
    for (unsigned k = 0; k < MOST; k++)
        b->inst[k].pc = BASE + 4 * k;
}

static void find(struct bench *b)
{
    struct report_maker m = {.arena = &b->arena, .l = &b->launch, .run = &b->run};

    b->r.hotspots = 0;
    report_find_hotspots(&m, &b->r, &b->result);
    assert_false(m.no_memory);
}

static void end(struct bench *b)
{
    arena_free(&b->arena);
    isa_program_close(b->program);
    isa_target_close(b->target);
    code_object_close(b->code);
}

/* For an instruction and, with those of all others, for the run. */
static void stall(struct bench *b, unsigned inst, unsigned reason, uint64_t cycles)
{
    b->inst[inst].stat[STAT_INST_STALL + reason] += cycles;
    b->r.value[STAT_STALL + reason] += (double)cycles;
}

/* The three largest reasons but `issued`, of as large ones the first; of each the instruction that has most of it, the
 * first of those with as much. */
static void largest_first(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b, false);
    find(&b);
    assert_int_equal(b.r.hotspots, 0);
    stall(&b, 0, STALL_ISSUED, 10000);
    stall(&b, 1, STALL_FETCH, 50);
    stall(&b, 0, STALL_BARRIER, 60);
    stall(&b, 2, STALL_BARRIER, 140);
    stall(&b, 3, STALL_BRANCH, 40);
    stall(&b, 0, STALL_SLEEP, 25);
    stall(&b, 1, STALL_SLEEP, 25);
    find(&b);
    assert_int_equal(b.r.hotspots, 3);
    assert_int_equal(b.r.hotspot[0].reason, STALL_BARRIER);
    assert_float_equal(b.r.hotspot[0].share, 0.7, 1e-12);
    assert_string_equal(b.r.hotspot[0].instruction, "s_nop 2");
    assert_int_equal(b.r.hotspot[0].pc_offset, 8);
    assert_null(b.r.hotspot[0].file);
    assert_int_equal(b.r.hotspot[1].reason, STALL_FETCH);
    assert_float_equal(b.r.hotspot[1].share, 1, 1e-12);
    assert_string_equal(b.r.hotspot[1].instruction, "s_nop 1");
    assert_int_equal(b.r.hotspot[2].reason, STALL_SLEEP); /* 25 each: the first one of both instructions */
    assert_float_equal(b.r.hotspot[2].share, 0.5, 1e-12);
    assert_string_equal(b.r.hotspot[2].instruction, "s_nop 0");
    /* a sampled launch has counted a part of what it reports */
    b.r.value[STAT_STALL + STALL_BARRIER] = 2000;
    find(&b);
    assert_float_equal(b.r.hotspot[0].share, 0.7, 1e-12);
    /* instructions were not counted */
    b.result.inst_count = 0;
    find(&b);
    assert_int_equal(b.r.hotspots, 3);
    assert_null(b.r.hotspot[0].instruction);
    end(&b);
}

static bool same_line(const struct co_line *a, const struct co_line *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* A line's instructions count together, also when another line's come between them: 60 and 50 are more than 80. */
static void instructions_of_a_line(void **state)
{
    static struct bench b;
    const struct co_line *first = NULL, *between = NULL, *again = NULL;

    (void)state;
    begin(&b, true);
    const struct co_lines *lines = code_object_lines(b.code);
    for (size_t k = 0; k + 2 < co_lines_count(lines) && !again; k++) {
        first = co_lines_row(lines, k);
        between = co_lines_row(lines, k + 1);
        for (size_t n = k + 2; first->file && between->file && first->line && n < co_lines_count(lines); n++)
            if (co_lines_row(lines, n)->file && same_line(first, co_lines_row(lines, n)) && !same_line(first, between))
                again = co_lines_row(lines, n);
    }
    assert_non_null(again);
    b.inst[0].pc = BASE + first->vaddr;
    b.inst[1].pc = BASE + between->vaddr;
    b.inst[2].pc = BASE + again->vaddr;
    stall(&b, 0, STALL_BARRIER, 50);
    stall(&b, 1, STALL_BARRIER, 80);
    stall(&b, 2, STALL_BARRIER, 60);
    find(&b);
    assert_int_equal(b.r.hotspots, 1);
    assert_string_equal(b.r.hotspot[0].file, first->file);
    assert_int_equal(b.r.hotspot[0].line, first->line);
    assert_int_equal(b.r.hotspot[0].pc_offset, again->vaddr);
    assert_float_equal(b.r.hotspot[0].share, 110.0 / 190, 1e-12);
    end(&b);
}

/* The cycles of an instruction are those of all reasons; what it waits for is the largest but `issued`, of as large
 * ones the first. */
static void reasons_of_an_instruction(void **state)
{
    uint64_t stat[STAT_INST_ALL] = {0};

    (void)state;
    assert_int_equal(report_inst_cycles(stat), 0);
    assert_int_equal(report_inst_stall(stat), STALL_COUNT);
    stat[STAT_INST_STALL + STALL_ISSUED] = 100;
    assert_int_equal(report_inst_cycles(stat), 100);
    assert_int_equal(report_inst_stall(stat), STALL_COUNT);
    stat[STAT_INST_STALL + STALL_BARRIER] = 20;
    stat[STAT_INST_STALL + STALL_WAIT + WAIT_VM] = 20;
    stat[STAT_INST_STALL + STALL_COUNT - 1] = 3;
    assert_int_equal(report_inst_cycles(stat), 143);
    assert_int_equal(report_inst_stall(stat), STALL_BARRIER);
    stat[STAT_INST_STALL + STALL_WAIT + WAIT_VM] = 21;
    assert_int_equal(report_inst_stall(stat), STALL_WAIT + WAIT_VM);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(largest_first),
        cmocka_unit_test(instructions_of_a_line),
        cmocka_unit_test(reasons_of_an_instruction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Events of a wave put together by instruction (sim/study/analysis_record.c): of launches that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/analysis.h"
#include "sim/util/error.h"
#include "traces/wave_view.h"

/* Two copies of a sequence of two instructions, of four and eight bytes, at BASE; OUT is of the loop around it. */
enum { BASE = 0x1000, FIRST = BASE, SECOND = BASE + 4, COPY = 12, OUT = BASE + 2 * COPY };

struct bench {
    struct gcnsim_analysis a;
    struct analysis_inst inst[2];
    struct event_consumer consumer;
};

static void begin(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->inst[1].offset = 4;
    b->a.inst = b->inst;
    b->a.inst_count = 2;
    b->a.entry.bytes = COPY;
    b->a.code_base = BASE;
    b->a.code_bytes = 2 * COPY;
    b->a.wave = wave_view_new(0, 0);
    assert_non_null(b->a.wave);
    b->consumer = analysis_consumer(&b->a);
}

static void end(struct bench *b)
{
    wave_view_free(b->a.wave);
    free(b->a.step);
    free(b->a.stall);
}

static void send(struct bench *b, struct event e)
{
    b->consumer.take(b->consumer.ctx, &e, 1);
}

static void issue(struct bench *b, cycle_t at, gaddr_t pc, uint32_t result)
{
    send(b, (struct event){.kind = EVENT_ISSUE, .at = at, .pc = pc, .issue = {.result_cycles = result, .lanes = 7}});
}

static void complete(struct bench *b, cycle_t at, gaddr_t pc, cycle_t issued, unsigned level)
{
    send(b, (struct event){.kind = EVENT_COMPLETE,
                           .at = at,
                           .pc = pc,
                           .level = (uint8_t)level,
                           .complete = {.issued = issued, .requested = true}});
}

static void stall(struct bench *b, cycle_t from, cycle_t to, unsigned reason)
{
    send(b, (struct event){.kind = EVENT_STALL_BEGIN, .at = from, .stall = {.reason = (uint8_t)reason}});
    if (to != CYCLE_NEVER)
        send(b, (struct event){.kind = EVENT_STALL_END, .at = to, .stall = {.reason = (uint8_t)reason}});
}

/* The steps of the last pass and the one before it: "i0/0@10" is instruction 0 of copy 0 at cycle 10, "*" of the loop
 * around; "+result", "=memory", and its stalls "(reason from-to)". */
static void expect(struct bench *b, const char *steps)
{
    struct gcnsim_analysis *a = &b->a;
    struct err e = {0};
    char all[512] = "";

    assert_int_equal(analysis_number(a, &e), 0);
    for (size_t k = 0; k < a->steps; k++) {
        const struct analysis_step *s = &a->step[k];
        size_t n = strlen(all);

        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", k ? " " : "", k == a->pass_from ? "[" : "");
        n += (size_t)(s->inst == ANALYSIS_OUTSIDE
                          ? snprintf(all + n, sizeof all - n, "*@%llu", (unsigned long long)s->at)
                          : snprintf(all + n, sizeof all - n, "i%u/%u@%llu", s->inst, s->iteration,
                                     (unsigned long long)s->at));
        if (s->done)
            n +=
                (size_t)snprintf(all + n, sizeof all - n, "%c%llu", s->memory ? '=' : '+', (unsigned long long)s->done);
        for (uint32_t i = 0; i < s->stalls; i++) {
            const struct analysis_stall *w = &a->stall[s->stall + i];

            n += (size_t)snprintf(all + n, sizeof all - n, "(%s %llu-%llu)", timing_stall_key[w->reason],
                                  (unsigned long long)w->from, (unsigned long long)w->to);
        }
        if (k + 1 == a->pass_to)
            snprintf(all + n, sizeof all - n, "]");
    }
    assert_string_equal(all, steps);
}

/* A pass begins with the first instruction of a copy after one of the loop; of the passes before the last one their
 * times are kept, and the step that comes before it. */
static void passes(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b);
    issue(&b, 5, OUT, 0);
    for (unsigned pass = 0; pass < 3; pass++) {
        const cycle_t at = 10 + 100 * pass;

        for (unsigned copy = 0; copy < 2; copy++) {
            issue(&b, at + 20 * copy, FIRST + copy * COPY, 4);
            issue(&b, at + 20 * copy + 8, SECOND + copy * COPY, 0);
        }
        issue(&b, at + 40, OUT, 0);
        issue(&b, at + 44, OUT + 4, 0);
    }
    expect(&b, "*@154 [i0/0@210+214 i1/0@218 i0/1@230+234 i1/1@238] *@250 *@254");
    assert_int_equal(b.a.passes, 3);
    for (unsigned pass = 0; pass < 3; pass++) {
        assert_int_equal(b.a.pass_at[pass], 10 + 100 * pass);
        assert_int_equal(b.a.pass_step[pass], 1 + 6 * pass);
    }
    assert_int_equal(b.a.step[1].lanes, 7);
    /* another launch of the wave begins anew */
    send(&b, (struct event){.kind = EVENT_WAVE_LAUNCH});
    issue(&b, 7, SECOND + COPY, 0);
    expect(&b, "[i1/1@7]");
    assert_int_equal(b.a.passes, 1);
    assert_int_equal(b.a.pass_at[0], 7);
    assert_int_equal(b.a.pass_step[0], 0);
    end(&b);
}

/* Each stall goes to the issue that it comes before, whenever the event comes; those of the pass before go with it. */
static void stalls(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b);
    stall(&b, 2, 4, STALL_FETCH);
    issue(&b, 5, OUT, 0);
    stall(&b, 6, 9, STALL_BARRIER);
    issue(&b, 10, FIRST, 0);
    stall(&b, 11, 13, STALL_FETCH);
    stall(&b, 13, 14, STALL_ARBITRATION);
    issue(&b, 14, SECOND, 0);
    issue(&b, 20, FIRST + COPY, 0);
    stall(&b, 15, 20, STALL_FETCH); /* comes late */
    stall(&b, 21, CYCLE_NEVER, STALL_BARRIER);
    expect(&b, "*@5 [i0/0@10(barrier 6-9) i1/0@14(fetch 11-13)(arbitration 13-14) i0/1@20(fetch 15-20)]");
    end(&b);
}

/* A completion is of the instruction that issued then; of two alike, of the one that is not complete. Where none is, or
 * of other waves, nothing is taken. */
static void completions(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b);
    issue(&b, 10, FIRST, 4);
    issue(&b, 12, SECOND, 0);
    issue(&b, 14, FIRST + COPY, 0);
    complete(&b, 90, SECOND, 12, LEVEL_L2);
    complete(&b, 91, SECOND, 14, LEVEL_L2);
    complete(&b, 92, SECOND, 11, LEVEL_L2);
    complete(&b, 93, SECOND, 12, LEVEL_VL0);
    send(&b, (struct event){.kind = EVENT_ISSUE, .at = 15, .pc = SECOND + COPY, .wave = 1});
    send(&b, (struct event){.kind = EVENT_ISSUE, .at = 15, .pc = SECOND + COPY, .group = 1});
    complete(&b, 80, FIRST, 10, LEVEL_VL0);
    expect(&b, "[i0/0@10=80 i1/0@12=90 i0/1@14]");
    assert_int_equal(b.a.step[0].level, LEVEL_VL0);
    assert_int_equal(b.a.step[1].level, LEVEL_L2);
    assert_true(b.a.step[1].requested && !b.a.step[2].requested);
    end(&b);
}

/* Where instructions wait in queues, a result that is there at `done` was begun a latency before it, when the queue's
 * own cycles are in that. */
static void beginnings(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b);
    b.a.queued = true;
    b.a.entry_cycles = 2;
    b.inst[0].unit.port = PORT_VALU;
    b.inst[0].unit.latency_cycles = 5;
    b.inst[1].unit.port = PORT_VMEM;
    issue(&b, 10, FIRST, 12);
    issue(&b, 12, SECOND, 8);
    expect(&b, "[i0/0@10+22 i1/0@12+20]");
    assert_int_equal(b.a.step[0].begin, 22 - 5 + 2);
    assert_int_equal(b.a.step[1].begin, 12);
    end(&b);
}

/* More than any pass has: the recording says so, and never grows without end. */
static void too_much(void **state)
{
    static struct bench b;

    (void)state;
    for (unsigned of_stalls = 0; of_stalls < 2; of_stalls++) {
        struct err e = {0};

        begin(&b);
        for (size_t k = 0; k < ANALYSIS_MAX_STEPS; k++)
            if (of_stalls)
                stall(&b, k, k, STALL_FETCH);
            else
                issue(&b, k, FIRST, 0);
        assert_int_equal(analysis_number(&b.a, &e), 0);
        if (of_stalls)
            stall(&b, 1, 1, STALL_FETCH);
        else
            issue(&b, 1, FIRST, 0);
        assert_int_equal(analysis_number(&b.a, &e), -1);
        assert_int_equal(e.code, ERR_RUN_LIMIT);
        assert_non_null(strstr(e.text, "more than 2097152 events"));
        assert_true((of_stalls ? b.a.stalls : b.a.steps) == ANALYSIS_MAX_STEPS);
        end(&b);
    }
}

static void instructions_by_offset(void **state)
{
    static struct bench b;

    (void)state;
    begin(&b);
    for (uint64_t at = 0; at < 16; at++)
        assert_int_equal(analysis_inst_at(&b.a, at), at == 0 ? 0 : at == 4 ? 1 : ANALYSIS_OUTSIDE);
    b.a.inst_count = 0;
    assert_int_equal(analysis_inst_at(&b.a, 0), ANALYSIS_OUTSIDE);
    end(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes),     cmocka_unit_test(stalls),   cmocka_unit_test(completions),
        cmocka_unit_test(beginnings), cmocka_unit_test(too_much), cmocka_unit_test(instructions_by_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

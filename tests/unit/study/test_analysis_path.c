/* The critical path (sim/study/analysis_path.c) through executions that are made up here, three copies of a sequence:
 * which earlier instruction held each one, and for how many cycles. */
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

enum { MOST = 4, COPIES = 3 };

struct bench {
    struct gcnsim_analysis a;
    struct analysis_inst inst[MOST];
    struct analysis_step step[COPIES * MOST];
    struct analysis_stall stall[COPIES * MOST];
    uint32_t iterations; /* that the path goes through; 0: one */
};

/* Registers of an instruction: v[first], v[first + 1] ... */
struct regs {
    uint16_t first;
    uint8_t count;
};

static const struct regs none;

static struct regs v(uint16_t first, uint8_t count)
{
    return (struct regs){first, count};
}

static struct analysis_inst *add(struct bench *b, enum timing_port port, struct regs read, struct regs written)
{
    struct analysis_inst *i = &b->inst[b->a.inst_count++];

    i->unit.port = (uint8_t)port;
    if (read.count)
        i->sched.reg[i->sched.reads++] = (struct isa_regref){.file = RF_VGPR, .first = read.first, .count = read.count};
    if (written.count)
        i->sched.reg[i->sched.reads + i->sched.writes++] =
            (struct isa_regref){.file = RF_VGPR, .first = written.first, .count = written.count, .write = true};
    return i;
}

/* How an instruction runs, in cycles from the beginning of its copy: waiting for `reason` for the four cycles before.
 */
struct timing {
    cycle_t at, done;
    unsigned reason; /* STALL_ISSUED: it does not wait */
    bool memory;
    cycle_t begin; /* where instructions wait in front of units: when its own begins it; 0: at issue */
};

/* Copies of the sequence, each `latency` cycles after the one before. The links of the path, "i0>i1 issue 4": that many
 * cycles until the second could go on, and why; "i1>next i0": of the next copy. */
static void expect(struct bench *b, const struct timing *t, cycle_t latency, const char *links)
{
    struct err e = {0};
    char all[400] = "";

    b->a.inst = b->inst;
    b->a.step = b->step;
    b->a.stall = b->stall;
    b->a.latency = (double)latency;
    for (uint32_t copy = 0; copy < COPIES; copy++)
        for (uint32_t k = 0; k < b->a.inst_count; k++) {
            uint32_t n = copy * b->a.inst_count + k;
            cycle_t at = copy * latency + t[k].at;

            b->step[n] = (struct analysis_step){.at = at,
                                                .begin = t[k].begin ? copy * latency + t[k].begin : at,
                                                .done = t[k].done ? copy * latency + t[k].done : 0,
                                                .inst = k,
                                                .iteration = copy,
                                                .memory = t[k].memory,
                                                .stall = n,
                                                .stalls = t[k].reason != STALL_ISSUED};
            b->stall[n] = (struct analysis_stall){at - 4, at, (uint8_t)t[k].reason};
        }
    b->a.pass_to = b->a.steps = COPIES * b->a.inst_count;
    assert_int_equal(analysis_path(&b->a, NULL, &e), 0);
    for (uint32_t k = 0; k < b->a.links; k++) {
        const struct analysis_link *l = &b->a.link[k];

        snprintf(all + strlen(all), sizeof all - strlen(all), "%si%u>%si%u %s %.10g", k ? ", " : "", l->inst,
                 l->carried ? "next " : "", l->to, analysis_edge_key[l->edge], l->cycles);
        if (l->reg.count)
            snprintf(all + strlen(all), sizeof all - strlen(all), " v%u:%u", l->reg.first, l->reg.count);
    }
    assert_string_equal(all, links);
    assert_int_equal(b->a.path_iterations, b->iterations ? b->iterations : 1);
    assert_float_equal(b->a.path_cycles, (double)latency, 1e-9);
    free(b->a.link);
}

/* i0 writes v1 and takes long, i1 writes v1, and i2 reads it: i1's result is what it waits for, as i0's is gone. */
static void the_last_writer_counts(void **state)
{
    static const struct timing t[] = {{0, 100, STALL_DEPENDENCY_VALU, false, 0},
                                      {4, 20, STALL_ISSUED, false, 0},
                                      {20, 30, STALL_DEPENDENCY_VALU, false, 0}};
    struct bench b = {0};

    (void)state;
    add(&b, PORT_VALU, v(2, 1), v(1, 1));
    add(&b, PORT_VALU, none, v(1, 1));
    add(&b, PORT_VALU, v(1, 1), v(2, 1));
    expect(&b, t, 30, "i0>i1 issue 4, i1>i2 result 16 v1:1, i2>next i0 result 10 v2:1");
}

/* i2 reads v1 and v2, of which i1 writes one alone: it waits for the later one, i0's. */
static void of_parts_the_later_one_counts(void **state)
{
    static const struct timing t[] = {{0, 20, STALL_DEPENDENCY_VALU, false, 0},
                                      {4, 16, STALL_ISSUED, false, 0},
                                      {20, 30, STALL_DEPENDENCY_VALU, false, 0}};
    struct bench first = {0}, last = {0};

    (void)state;
    add(&first, PORT_VALU, v(3, 1), v(2, 1));
    add(&first, PORT_VALU, none, v(1, 1));
    add(&first, PORT_VALU, v(1, 2), v(3, 1));
    expect(&first, t, 30, "i0>i2 result 20 v2:1, i2>next i0 result 10 v3:1");
    add(&last, PORT_VALU, v(3, 1), v(1, 1));
    add(&last, PORT_VALU, none, v(2, 1));
    add(&last, PORT_VALU, v(1, 2), v(3, 1));
    expect(&last, t, 30, "i0>i2 result 20 v1:1, i2>next i0 result 10 v3:1");
}

/* A wait says results of which unit it is for, whichever is ready last: of the transcendental one, which may issue with
 * the vector ALU, or of any vector ALU; but never is it for what a load writes. */
static void results_of_the_kind(void **state)
{
    static const struct {
        enum timing_port port;
        enum op_class cls;
        unsigned reason;
        bool load;
    } kinds[] = {{PORT_TRANS, OPC_TRANS, STALL_DEPENDENCY_TRANS, false},
                 {PORT_VALU, OPC_TRANS, STALL_DEPENDENCY_TRANS, false},
                 {PORT_VALU, OPC_VALU, STALL_DEPENDENCY_VALU, true}};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct timing t[] = {{0, 20, STALL_DEPENDENCY_VALU, false, 0},
                                   {4, 24, STALL_ISSUED, kinds[k].load, 0},
                                   {20, 30, kinds[k].reason, false, 0}};
        struct bench b = {0};

        add(&b, kinds[k].port, v(3, 1), v(1, 1))->sched.cls = (uint8_t)kinds[k].cls;
        add(&b, PORT_VALU, none, v(2, 1));
        add(&b, PORT_VALU, v(1, 2), v(3, 1));
        expect(&b, t, 30, "i0>i2 result 20 v1:1, i2>next i0 result 10 v3:1");
    }
}

/* A wait for the transcendental unit ends with the instruction that was in it, and with another one of the vector ALU
 * where the units hand over to each other. */
static void units_that_hand_over(void **state)
{
    static const struct timing t[] = {{0, 0, STALL_UNIT_BUSY_TRANS, false, 0},
                                      {4, 0, STALL_ISSUED, false, 0},
                                      {16, 0, STALL_UNIT_BUSY_TRANS, false, 0}};

    (void)state;
    for (unsigned handover = 0; handover < 2; handover++) {
        struct bench b = {0};

        add(&b, PORT_TRANS, none, none)->unit.handover_cycles = 4 * handover;
        add(&b, PORT_VALU, none, none);
        add(&b, PORT_TRANS, none, none)->unit.handover_cycles = 4 * handover;
        expect(&b, t, 32,
               handover ? "i0>i1 issue 4, i1>i2 unit busy 12, i2>next i0 unit busy 16"
                        : "i0>i2 unit busy 16, i2>next i0 unit busy 16");
    }
}

/* A wait for a counter ends with an instruction that this counter counts, though one of another came later; which is
 * done after the wait has not ended it. */
static void memory_of_the_counter(void **state)
{
    static const struct timing t[] = {{0, 50, STALL_ISSUED, true, 0},
                                      {4, 52, STALL_ISSUED, true, 0},
                                      {8, 58, STALL_ISSUED, true, 0},
                                      {56, 0, STALL_WAIT + WAIT_VM, false, 0}};
    struct timing other[MOST];

    (void)state;
    for (unsigned lgkm = 0; lgkm < 2; lgkm++) {
        struct bench b = {0};

        memcpy(other, t, sizeof other);
        other[3].reason = STALL_WAIT + (lgkm ? WAIT_LGKM : WAIT_VM);
        add(&b, PORT_VMEM, none, none)->sched.counters = 1u << WAIT_VM;
        add(&b, PORT_LDS, none, none)->sched.counters = 1u << WAIT_LGKM;
        add(&b, PORT_VMEM, none, none)->sched.counters = 1u << WAIT_VM | 1u << WAIT_LGKM;
        add(&b, PORT_INTERNAL, none, none);
        expect(&b, other, 60,
               lgkm ? "i0>i1 issue 4, i1>i3 memory 52, i3>next i0 issue 4" : "i0>i3 memory 56, i3>next i0 issue 4");
    }
}

/* What a wait before issue was for, where the one before in order is what ended it. */
static void waits_in_order(void **state)
{
    static const struct {
        unsigned reason;
        const char *links;
    } row[] = {
        {STALL_ISSUED, "i0>i1 issue 10, i1>next i0 issue 4"},
        {STALL_ARBITRATION, "i0>i1 issue 10, i1>next i0 issue 4"},
        {STALL_FETCH, "i0>i1 fetch 10, i1>next i0 issue 4"},
        {STALL_BRANCH, "i0>i1 branch 10, i1>next i0 issue 4"},
        {STALL_BARRIER, "i0>i1 hold 10, i1>next i0 issue 4"},
        /* nothing is in flight that these could wait for */
        {STALL_DEPENDENCY_VALU, "i0>i1 issue 10, i1>next i0 issue 4"},
        {STALL_WAIT + WAIT_VM, "i0>i1 hold 10, i1>next i0 issue 4"},
        {STALL_UNIT_BUSY_TRANS, "i1>next i1 unit busy 14"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const struct timing t[] = {{.at = 0, .reason = STALL_ISSUED}, {.at = 10, .reason = row[k].reason}};
        struct bench b = {0};

        add(&b, PORT_SALU, none, none);
        add(&b, PORT_TRANS, none, none);
        expect(&b, t, 14, row[k].links);
    }
}

/* In a queue: what ended the wait there is a result that is there just then, the one before in the unit, or the time
 * that passing through takes; else the one that the unit, or the other one of the vector ALU, was busy with since the
 * issue; else operands are read. */
static void waits_in_queues(void **state)
{
    static const struct {
        enum timing_port port; /* of i0, whose unit is taken for so long */
        uint8_t port_cycles;
        cycle_t done, at; /* i0's result; i1's issue */
        const char *links;
    } row[] = {
        {PORT_VALU, 1, 20, 1, "i0>i0 queue 2, i0>i1 result 20 v1:1, i1>next i0 unit busy 8"},
        {PORT_VALU, 1, 20, 18, "i0>i0 queue 2, i0>i1 result 20 v1:1, i1>next i0 unit busy 8"},
        {PORT_VALU, 20, 19, 1, "i0>i0 queue 2, i0>i1 unit busy 20, i1>next i0 unit busy 8"},
        {PORT_VALU, 20, 21, 18, "i0>i0 queue 2, i0>i1 unit busy 20, i1>next i0 unit busy 8"},
        {PORT_TRANS, 20, 19, 18, "i0>i1 issue 18, i1>i1 queue 4, i1>next i0 unit busy 8"},
        {PORT_TRANS, 1, 19, 2, "i0>i0 queue 2, i0>i1 unit busy 20, i1>next i0 unit busy 8"},
        {PORT_VALU, 1, 19, 3, "i0>i1 issue 3, i1>i1 operands 19, i1>next i0 unit busy 8"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const struct timing t[] = {
            {.at = 0, .begin = 2, .done = row[k].done, .reason = STALL_UNIT_BUSY_VALU},
            {.at = row[k].at, .begin = 22, .done = 27, .reason = STALL_ISSUED},
        };
        struct bench b = {0};

        b.a.queued = true;
        b.a.entry_cycles = 2;
        b.a.reads_most = 4;
        add(&b, row[k].port, v(2, 1), v(1, 1))->unit.port_cycles = row[k].port_cycles;
        add(&b, PORT_VALU, v(1, 1), v(2, 1))->unit.port_cycles = 1;
        expect(&b, t, 30, row[k].links);
    }
}

/* A load of one copy that is awaited in the next: from wait to wait the path goes through two of them, and its links
 * are the mean of both. */
static void a_path_through_two_copies(void **state)
{
    static const struct timing t[] = {{.at = 0, .done = 60, .memory = true, .reason = STALL_ISSUED},
                                      {.at = 10, .reason = STALL_WAIT + WAIT_VM}};
    struct bench b = {.iterations = 2};

    (void)state;
    add(&b, PORT_VMEM, none, none)->sched.counters = 1u << WAIT_VM;
    add(&b, PORT_INTERNAL, none, none);
    expect(&b, t, 50, "i0>next i1 memory 30, i1>next i0 issue 20");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_writer_counts), cmocka_unit_test(of_parts_the_later_one_counts),
        cmocka_unit_test(results_of_the_kind),    cmocka_unit_test(units_that_hand_over),
        cmocka_unit_test(memory_of_the_counter),  cmocka_unit_test(waits_in_order),
        cmocka_unit_test(waits_in_queues),        cmocka_unit_test(a_path_through_two_copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Snapshots of the timing engine: who is resident, where, why, since when and what it waits for, exactly. */
#include <stdio.h>
#include <string.h>

#include "sim/engine/snapshot.h"
#include "tests/timing/rig.h"

/* What the engine gave, kept. */
struct kept {
    unsigned calls;
    struct snapshot s;
    struct snapshot_row row[16];
};

static void copy_snapshot(void *ctx, const struct snapshot *s)
{
    struct kept *k = ctx;

    assert_true(s->rows <= 16);
    k->calls++;
    k->s = *s;
    memcpy(k->row, s->row, s->rows * sizeof *s->row);
}

static struct kept run(struct rig *r)
{
    struct kept k = {0};

    r->options.snapshot = copy_snapshot;
    r->options.snapshot_ctx = &k;
    rig_run(r);
    assert_int_equal(r->status, 0);
    return k;
}

/* A wave waits for two loads. */
static void a_counter(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 2, v0; global_load_dword v15, v8, s[0:1]; global_load_dword v15, v8, s[0:1]; "
        "s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);

    (void)state;
    r->latency[MEM_PORT_VECTOR] = 10000;
    r->options.max_cycles = 2000;
    struct kept k = run(r);
    const struct snapshot_row *row = k.row;

    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(k.calls, 1);
    assert_true(k.s.last && k.s.timing);
    assert_int_equal(k.s.cycle, 2000);
    assert_int_equal(k.s.instructions, 3);
    assert_int_equal(k.s.groups, 1);
    assert_int_equal(k.s.groups_done, 0);
    assert_int_equal(k.s.groups_resident, 1);
    assert_int_equal(k.s.groups_waiting, 0);
    assert_int_equal(k.s.waves_resident, 1);
    assert_int_equal(k.s.rows, 1);
    assert_int_equal(row->waves, 1);
    assert_int_equal(row->groups, 1);
    assert_int_equal(row->example.pc, RIG_BASE + 20);
    assert_string_equal(row->example.reason, "wait_vmcnt");
    assert_int_equal(row->example.since, rig_at(r, 3) + r->profile.issue.wave_issue_interval_cycles);
    assert_int_equal(row->example.waits_for, SNAPSHOT_COUNTER);
    assert_string_equal(row->example.counter.key, "vmcnt");
    assert_int_equal(row->example.counter.value, 2);
    assert_int_equal(row->example.counter.bound, 0);
    assert_true(row->example.counter.has_oldest);
    assert_int_equal(row->example.counter.oldest_pc, RIG_BASE + 4);
    assert_int_equal(row->example.counter.accesses, r->accesses[MEM_PORT_VECTOR] / 2);
    assert_int_equal(row->example.counter.queued_lines, 0);
    rig_free(r);
}

/* Wave 0 sleeps while the others wait for it at the barrier. */
static void a_barrier_with_a_missing_wave(void **state)
{
    static const char code[] = "v_readfirstlane_b32 s6, v0; s_cmp_eq_u32 s6, 0; s_cbranch_scc0 skip; s_sleep 0x7f; "
                               "skip: s_barrier; s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 4);

    (void)state;
    r->options.max_cycles = 2000;
    struct kept k = run(r);
    const struct snapshot_row *row = k.row;

    assert_int_equal(r->result.outcome, ENGINE_LIMIT);
    assert_int_equal(k.s.waves_resident, 4);
    assert_int_equal(k.s.rows, 2);
    assert_int_equal(row[0].waves, 3);
    assert_int_equal(row[0].groups, 1);
    assert_string_equal(row[0].example.reason, "barrier");
    assert_int_equal(row[0].example.pc, RIG_BASE + 16);
    assert_int_equal(row[0].example.waits_for, SNAPSHOT_BARRIER);
    assert_int_equal(row[0].example.barrier.number, 0);
    assert_int_equal(row[0].example.barrier.signals, 3);
    assert_int_equal(row[0].example.barrier.members, 4);
    assert_int_equal(row[0].example.barrier.missing, 1);
    assert_int_equal(row[0].example.barrier.ended, 0);
    assert_int_equal(row[1].waves, 1);
    assert_int_equal(row[1].example.wave, 0);
    assert_string_equal(row[1].example.reason, "sleep");
    assert_int_equal(row[1].example.pc, RIG_BASE + 12);
    assert_int_equal(row[1].example.waits_for, SNAPSHOT_UNTIL);
    assert_true(row[1].example.until > 2000);
    rig_free(r);
}

/* The longest waiting wave is the example, and since when does not depend on how often the clock looks. */
static void ticking_every_cycle_says_the_same(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 2, v0; global_load_dword v15, v8, s[0:1]; s_nop 2; s_waitcnt vmcnt(0); s_endpgm";
    struct kept k[2];

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct rig *r = rig_text("gfx90a", code, 64, 8);

        r->latency[MEM_PORT_VECTOR] = 10000;
        r->options.max_cycles = 1500;
        r->options.tick_every_cycle = n;
        k[n] = run(r);
        assert_int_equal(k[n].row->example.wave, 0);
        rig_free(r);
    }
    assert_int_equal(k[0].s.rows, k[1].s.rows);
    for (size_t n = 0; n < k[0].s.rows; n++) {
        assert_int_equal(k[0].row[n].waves, k[1].row[n].waves);
        assert_int_equal(k[0].row[n].example.wave, k[1].row[n].example.wave);
        assert_int_equal(k[0].row[n].example.pc, k[1].row[n].example.pc);
        assert_int_equal(k[0].row[n].example.since, k[1].row[n].example.since);
        assert_string_equal(k[0].row[n].example.reason, k[1].row[n].example.reason);
    }
}

static void the_flag_asks_and_the_run_goes_on(void **state)
{
    static const char code[] =
        "v_lshlrev_b32 v8, 2, v0; global_load_dword v15, v8, s[0:1]; s_waitcnt vmcnt(0); s_endpgm";
    struct rig *r = rig_text("gfx90a", code, 64, 1);
    volatile int flag = 1;

    (void)state;
    r->options.snapshot_flag = &flag;
    struct kept k = run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(k.calls, 1); /* before the first cycle: nobody is resident, and none at the end */
    assert_false(k.s.last);
    assert_int_equal(k.s.rows, 0);
    assert_int_equal(k.s.groups_waiting, 1);
    assert_int_equal(flag, 0);
    rig_free(r);
}

static void none_of_runs_that_end_well_or_fault(void **state)
{
    static const char good[] = "s_endpgm";
    static const char bad[] = ".long 0xffffffff; s_endpgm";
    struct rig *r = rig_text("gfx90a", good, 64, 1);

    (void)state;
    assert_int_equal(run(r).calls, 0);
    rig_free(r);
    r = rig_text("gfx90a", bad, 64, 1);
    assert_int_equal(run(r).calls, 0);
    assert_int_equal(r->result.outcome, ENGINE_FAULT);
    rig_free(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter),
        cmocka_unit_test(a_barrier_with_a_missing_wave),
        cmocka_unit_test(ticking_every_cycle_says_the_same),
        cmocka_unit_test(the_flag_asks_and_the_run_goes_on),
        cmocka_unit_test(none_of_runs_that_end_well_or_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Global wave sync, instruction by instruction on every target that has it: which counter is meant, what the counter
 * becomes, which waves wait and in which order they go on. */
#include "isa/gws.h"
#include "tests/unit/isa/harness.h"

struct device {
    struct rig r;
    struct isa_gws gws;
    struct isa_wave other[3]; /* stand-ins for waves that wait */
};

/* Runs one by its name, with v1 as data; false when the target does not have it. */
static bool try_gws(struct device *d, const char *name, unsigned offset, enum isa_status expected)
{
    const struct isa_target *t = d->r.t;
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    for (unsigned op = 0; op < t->op_count[FMT_DS]; op++) {
        const struct isa_op *o = &t->ops[FMT_DS][op];

        if (!o->row || strcmp(o->mnemonic, name) != 0)
            continue;
        uint32_t words[2] = {0xd8000000 | op << (old ? 17 : 18) | 1u << (old ? 16 : 17) | offset, 1};
        if (!o->row->args[0].slot)
            words[1] = 0;
        enum isa_status st = rig_try(&d->r, words, 2);
        if (st != expected)
            fail_msg("%s of %s: status %d, expected %d: %s", name, t->name, st, expected, d->r.w.fault.text);
        return true;
    }
    return false;
}

static bool open_device(struct device *d, const char *target, unsigned lanes)
{
    rig_open(&d->r, target, 64);
    if (lanes == 32 && isa_has(d->r.t, FEAT_WAVE32)) {
        rig_close(&d->r);
        rig_open(&d->r, target, 32);
    }
    isa_gws_init(&d->gws);
    isa_gws_begin(&d->gws, false);
    d->r.w.gws = &d->gws;
    isa_set_exec(&d->r.w, UINT64_MAX);
    return d->r.t->layout != LAYOUT_GFX12;
}

static void close_device(struct device *d)
{
    isa_gws_destroy(&d->gws);
    rig_close(&d->r);
}

/* M0[21:16] and the offset, modulo 64; data of the first active lane. */
static void counters_by_number(void **state)
{
    (void)state;
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct device d;
        uint32_t m0;

        if (open_device(&d, isa_target_name(k), k & 1 ? 32 : 64)) {
            m0 = d.r.t->code_m0;
            for (unsigned l = 0; l < d.r.w.lanes; l++)
                rig_v(&d.r, 1, l, 100 + l);
            isa_set_exec(&d.r.w, 0xf0);
            assert_true(try_gws(&d, "ds_gws_init", 5, ISA_OK));
            assert_int_equal(d.gws.r[5].counter, 104);
            d.r.w.s[m0] = 62u << 16 | 0xffff;
            assert_true(try_gws(&d, "ds_gws_init", 5, ISA_OK));
            assert_int_equal(d.gws.r[3].counter, 104);
            isa_set_exec(&d.r.w, 0);
            assert_true(try_gws(&d, "ds_gws_init", 1, ISA_OK));
            assert_int_equal(d.gws.r[63].counter, 100);
            assert_true(try_gws(&d, "ds_gws_sema_v", 1, ISA_OK));
            assert_int_equal(d.gws.r[63].counter, 101);
            assert_true(try_gws(&d, "ds_gws_sema_br", 1, ISA_OK));
            assert_int_equal(d.gws.r[63].counter, 201);
            d.r.w.nvgprs = 1; /* v1 is not there */
            assert_true(try_gws(&d, "ds_gws_init", 1, ISA_FAULT));
            assert_true(try_gws(&d, "ds_gws_sema_br", 1, ISA_FAULT));
            assert_int_equal(d.gws.r[63].counter, 201);
            d.r.w.gws = NULL;
            assert_true(try_gws(&d, "ds_gws_sema_v", 1, ISA_FAULT));
        } else {
            assert_false(try_gws(&d, "ds_gws_init", 0, ISA_OK));
        }
        close_device(&d);
    }
}

/* The counter is how many wait; the next one lets all go and brings the counter of the next time. */
static void barriers(void **state)
{
    (void)state;
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct device d = {0};

        if (open_device(&d, isa_target_name(k), 64)) {
            rig_vall(&d.r, 1, 2);
            try_gws(&d, "ds_gws_init", 0, ISA_OK);
            rig_vall(&d.r, 1, 7);
            for (unsigned n = 0; n < 2; n++) {
                isa_gws_barrier(&d.gws, 0, &d.other[n], 9, 0);
                assert_true(isa_gws_waits(&d.other[n]));
            }
            assert_true(try_gws(&d, "ds_gws_barrier", 0, ISA_GWS));
            assert_false(isa_gws_waits(&d.r.w));
            assert_false(isa_gws_waits(&d.other[0]) || isa_gws_waits(&d.other[1]));
            assert_int_equal(d.gws.r[0].counter, 7);
            assert_true(try_gws(&d, "ds_gws_barrier", 0, ISA_GWS));
            assert_true(isa_gws_waits(&d.r.w));
            assert_int_equal(d.gws.r[0].counter, 6);
        }
        close_device(&d);
    }
}

/* First come, first served. */
static void semaphores(void **state)
{
    (void)state;
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct device d = {0};

        if (open_device(&d, isa_target_name(k), 64)) {
            uint64_t changes = isa_gws_changes(&d.gws);
            for (unsigned n = 0; n < 3; n++)
                isa_gws_take(&d.gws, 4, &d.other[n], 0);
            assert_true(try_gws(&d, "ds_gws_sema_p", 4, ISA_GWS));
            assert_true(isa_gws_waits(&d.r.w));
            assert_int_equal(isa_gws_changes(&d.gws), changes + 4);
            try_gws(&d, "ds_gws_sema_v", 4, ISA_OK);
            assert_false(isa_gws_waits(&d.other[0]));
            assert_true(isa_gws_waits(&d.other[1]));
            rig_vall(&d.r, 1, 1);
            try_gws(&d, "ds_gws_sema_br", 4, ISA_OK);
            assert_false(isa_gws_waits(&d.other[1]));
            assert_true(isa_gws_waits(&d.other[2]));
            assert_true(try_gws(&d, "ds_gws_sema_release_all", 4, ISA_OK));
            assert_false(isa_gws_waits(&d.other[2]) || isa_gws_waits(&d.r.w));
            assert_int_equal(d.gws.r[4].counter, 0);
            try_gws(&d, "ds_gws_sema_release_all", 4, ISA_OK); /* nobody waits: no effect */
            try_gws(&d, "ds_gws_sema_v", 4, ISA_OK);
            assert_true(try_gws(&d, "ds_gws_sema_p", 4, ISA_GWS));
            assert_false(isa_gws_waits(&d.r.w));
            assert_int_equal(d.gws.r[4].counter, 0);
        }
        close_device(&d);
    }
}

/* An engine with a clock: who is let go carries the time of the last arrival. */
static void released_waves(void **state)
{
    struct isa_wave w[3] = {0}, *next;
    struct isa_gws g;

    (void)state;
    isa_gws_init(&g);
    isa_gws_begin(&g, true);
    isa_gws_set(&g, 0, 2);
    isa_gws_barrier(&g, 0, &w[0], 2, 70);
    isa_gws_barrier(&g, 0, &w[1], 2, 50);
    assert_null(isa_gws_released(&g));
    isa_gws_barrier(&g, 0, &w[2], 2, 60);
    unsigned count = 0;
    for (next = isa_gws_released(&g); next; next = next->gws_next, count++)
        assert_int_equal(next->gws_at, 70);
    assert_int_equal(count, 3);
    assert_null(isa_gws_released(&g));
    isa_gws_take(&g, 1, &w[0], 80);
    isa_gws_give(&g, 1, 5, 90);
    assert_ptr_equal(isa_gws_released(&g), &w[0]);
    assert_int_equal(w[0].gws_at, 90);
    assert_int_equal(g.r[1].counter, 4);
    isa_gws_barrier(&g, 0, &w[1], 2, 100);
    isa_gws_begin(&g, true);
    isa_gws_release_all(&g, 0, 100);
    assert_null(isa_gws_released(&g)); /* the launch that w[1] was of is over */
    isa_gws_destroy(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_by_number),
        cmocka_unit_test(barriers),
        cmocka_unit_test(semaphores),
        cmocka_unit_test(released_waves),
    };
    return cmocka_run_group_tests_name("global wave sync", tests, NULL, NULL);
}

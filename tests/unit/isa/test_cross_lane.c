/* Reading, writing and permuting lanes; exchange; registers found through M0. */
#include "tests/unit/isa/lanes_check.h"

struct code {
    unsigned lanes;
    const char *target;
    const uint32_t *words;
    size_t n;
};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static void start(struct rig *r, const struct code *c)
{
    rig_open(r, c->target, c->lanes);
    for (unsigned reg = 0; reg < 16; reg++)
        for (unsigned l = 0; l < c->lanes; l++)
            rig_v(r, reg, l, reg * 1000 + l);
}

static void run(struct rig *r, const struct code *c)
{
    rig_run(r, c->words, (unsigned)c->n);
}

static void read_and_write(void **state)
{
    struct code reads[] = {{64, "gfx803", W(0xd2890005, 0x00000f03) /* v_readlane_b32 s5, v3, s7 */},
                           {64, "gfx90a", W(0xd2890005, 0x00000f03) /* v_readlane_b32 s5, v3, s7 */},
                           {64, "gfx1201", W(0xd7600005, 0x00000f03) /* v_readlane_b32 s5, v3, s7 */},
                           {32, "gfx1201", W(0xd7600005, 0x00000f03) /* v_readlane_b32 s5, v3, s7 */}};
    struct code writes[] = {{64, "gfx803", W(0xd28a0003, 0x00015205) /* v_writelane_b32 v3, s5, 41 */},
                            {64, "gfx90a", W(0xd28a0003, 0x00015205) /* v_writelane_b32 v3, s5, 41 */},
                            {32, "gfx1201", W(0xd7610003, 0x00015205) /* v_writelane_b32 v3, s5, 41 */}};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < COUNT(reads); k++) {
        start(&r, &reads[k]);
        isa_set_exec(&r.w, 0); /* EXEC does not matter */
        r.w.s[7] = 64 + 37;    /* only the low bits of the lane number count */
        run(&r, &reads[k]);
        assert_int_equal(r.w.s[5], 3000 + (reads[k].lanes == 64 ? 37 : 5));
        rig_close(&r);
    }
    for (unsigned k = 0; k < COUNT(writes); k++) {
        start(&r, &writes[k]);
        isa_set_exec(&r.w, 0);
        r.w.s[5] = 77;
        run(&r, &writes[k]);
        for (unsigned l = 0; l < writes[k].lanes; l++)
            assert_int_equal(rig_getv(&r, 3, l), l == (41 & (writes[k].lanes - 1)) ? 77 : 3000 + l);
        rig_close(&r);
    }
}

static void first_lane(void **state)
{
    struct code all[] = {{64, "gfx803", W(0x7e0a0503) /* v_readfirstlane_b32 s5, v3 */},
                         {32, "gfx1201", W(0x7e0a0503) /* v_readfirstlane_b32 s5, v3 */}};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < COUNT(all); k++) {
        start(&r, &all[k]);
        isa_set_exec(&r.w, 0xff00f400);
        run(&r, &all[k]);
        assert_int_equal(r.w.s[5], 3010);
        isa_set_exec(&r.w, 0);
        run(&r, &all[k]);
        assert_int_equal(r.w.s[5], 3000);
        rig_close(&r);
    }
    start(&r, &all[0]);
    isa_set_exec(&r.w, UINT64_C(0x8000000000000000));
    run(&r, &all[0]);
    assert_int_equal(r.w.s[5], 3063);
    rig_close(&r);
}

static void permute_rows(void **state)
{
    struct code same[] = {{32, "gfx1030", W(0xd7770000, 0x000c0501) /* v_permlane16_b32 v0, v1, s2, s3 */},
                          {32, "gfx1201", W(0xd65b0000, 0x000c0501) /* v_permlane16_b32 v0, v1, s2, s3 */},
                          {64, "gfx1100", W(0xd65b0000, 0x000c0501) /* v_permlane16_b32 v0, v1, s2, s3 */}};
    struct code other[] = {{32, "gfx1030", W(0xd7780000, 0x000c0501) /* v_permlanex16_b32 v0, v1, s2, s3 */},
                           {64, "gfx1201", W(0xd65c0000, 0x000c0501) /* v_permlanex16_b32 v0, v1, s2, s3 */}};
    const uint64_t sel = UINT64_C(0x0123456789abcdff);
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < COUNT(same) + COUNT(other); k++) {
        bool x = k >= COUNT(same);
        struct code *c = x ? &other[k - COUNT(same)] : &same[k];
        start(&r, c);
        r.w.s[2] = (uint32_t)sel;
        r.w.s[3] = (uint32_t)(sel >> 32);
        run(&r, c);
        for (unsigned l = 0; l < c->lanes; l++)
            assert_int_equal(rig_getv(&r, 0, l), 1000 + ((l & 48) ^ (x ? 16 : 0)) + (sel >> 4 * (l & 15) & 15));
        rig_close(&r);
    }
}

/* A source lane that is off: old value, zero with bound_ctrl, its value with fetch-inactive. */
static void permute_inactive(void **state)
{
    struct code plain = {32, "gfx1201", W(0xd65c0000, 0x02010101) /* v_permlanex16_b32 v0, v1, 0, 0 */},
                fi = {32, "gfx1201", W(0xd65c0800, 0x02010101) /* v_permlanex16_b32 v0, v1, 0, 0 op_sel:[1,0] */},
                bound = {32, "gfx1201", W(0xd65c1000, 0x02010101) /* v_permlanex16_b32 v0, v1, 0, 0 op_sel:[0,1] */};
    struct code *all[] = {&plain, &fi, &bound};
    static const uint32_t lane0[] = {0, 1016, 0}, lane1[] = {1, 1016, 0};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        start(&r, all[k]);
        isa_set_exec(&r.w, 0x0000ffff);
        run(&r, all[k]);
        assert_int_equal(rig_getv(&r, 0, 0), lane0[k]);
        assert_int_equal(rig_getv(&r, 0, 1), lane1[k]);
        assert_int_equal(rig_getv(&r, 0, 20), 20); /* off itself */
        rig_close(&r);
    }
}

static void permute_by_register(void **state)
{
    struct code var[] = {{32, "gfx1201", W(0xd70f0000, 0x00020501) /* v_permlane16_var_b32 v0, v1, v2 */},
                         {32, "gfx1250", W(0xd70f0000, 0x00020501)}},
                xvar = {32, "gfx1201", W(0xd7100000, 0x00020501) /* v_permlanex16_var_b32 v0, v1, v2 */},
                halves = {64, "gfx1201", W(0x7e00cf01) /* v_permlane64_b32 v0, v1 */};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < sizeof var / sizeof var[0]; k++) {
        start(&r, &var[k]);
        run(&r, &var[k]);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(rig_getv(&r, 0, l), 1000 + (l & 16) + ((2000 + l) & 15));
        run(&r, &xvar);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(rig_getv(&r, 0, l), 1000 + ((l & 16) ^ 16) + ((2000 + l) & 15));
        rig_close(&r);
    }
    start(&r, &halves);
    isa_set_exec(&r.w, UINT64_C(0xfffffffffffffffe));
    run(&r, &halves);
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 0, l), l == 0 ? 0 : 1000 + (l ^ 32));
    rig_close(&r);
}

static void exchange(void **state)
{
    struct code all[] = {{64, "gfx90a", W(0x7e02a302) /* v_swap_b32 v1, v2 */},
                         {32, "gfx1201", W(0x7e02cb02) /* v_swap_b32 v1, v2 */}};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < COUNT(all); k++) {
        start(&r, &all[k]);
        isa_set_exec(&r.w, 0x5);
        run(&r, &all[k]);
        for (unsigned l = 0; l < all[k].lanes; l++) {
            bool on = l == 0 || l == 2;
            assert_int_equal(rig_getv(&r, 1, l), (on ? 2000 : 1000) + l);
            assert_int_equal(rig_getv(&r, 2, l), (on ? 1000 : 2000) + l);
        }
        rig_close(&r);
    }
}

static void relative(void **state)
{
    struct code s[] = {{64, "gfx803", W(0x7e026f02) /* v_movrels_b32_e32 v1, v2 */},
                       {32, "gfx1201", W(0x7e028702) /* v_movrels_b32_e32 v1, v2 */}};
    struct code d[] = {{64, "gfx803", W(0x7e026d02) /* v_movreld_b32_e32 v1, v2 */},
                       {32, "gfx1030", W(0x7e028502) /* v_movreld_b32_e32 v1, v2 */}};
    struct code sd = {32, "gfx1201", W(0x7e029102) /* v_movrelsd_2_b32_e32 v1, v2 */};
    struct rig r;

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        start(&r, &s[k]);
        r.w.s[r.t->code_m0] = 5;
        run(&r, &s[k]);
        assert_int_equal(rig_getv(&r, 1, 9), 7009);
        rig_close(&r);
        start(&r, &d[k]);
        r.w.s[r.t->code_m0] = 5;
        run(&r, &d[k]);
        assert_int_equal(rig_getv(&r, 6, 9), 2009);
        r.w.s[r.t->code_m0] = 400; /* past the registers: a fault, not a crash */
        assert_int_equal(rig_try(&r, d[k].words, (unsigned)d[k].n), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
        rig_close(&r);
    }
    start(&r, &sd);
    r.w.s[r.t->code_m0] = 7 << 16 | 3;
    run(&r, &sd);
    assert_int_equal(rig_getv(&r, 8, 4), 5004);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_and_write),   cmocka_unit_test(first_lane),          cmocka_unit_test(permute_rows),
        cmocka_unit_test(permute_inactive), cmocka_unit_test(permute_by_register), cmocka_unit_test(exchange),
        cmocka_unit_test(relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Loads whose registers are used before a wait (isa/late.h): which are found, what their registers hold before the wait
 * that forces them and after it, on wave fronts that step and that run. Words are LLVM 19's, of gfx942. */
#include "isa/late.h"
#include "tests/unit/isa/harness.h"

enum {
    NEW0 = 0x11112222, /* in LDS, and in memory */
    NEW1 = 0x33334444,
    OLD = 0x0badf00d,
};

#define DS_V1       0xd86c0000, 0x01000002 /* ds_read_b32 v1, v2 */
#define DS_V5       0xd86c0004, 0x05000002 /* ds_read_b32 v5, v2 offset:4 */
#define DS_A1       0xda6c0000, 0x01000002 /* ds_read_b32 a1, v2 */
#define DS_LOW_V1   0xd8b40000, 0x01000002 /* ds_read_u16_d16 v1, v2 */
#define DS_HIGH_V1  0xd8b60004, 0x01000002 /* ds_read_u16_d16_hi v1, v2 offset:4 */
#define LOAD_V8_9   0xdc548000, 0x08040002 /* global_load_dwordx2 v[8:9], v2, s[4:5] */
#define STORE_V1    0xd81a0000, 0x00000102 /* ds_write_b32 v2, v1 */
#define WAIT_LGKM0  0xbf8cc07f
#define WAIT_LGKM1  0xbf8cc17f
#define WAIT_VM0    0xbf8c0f70
#define V3_IS_V1    0x7e060301
#define V4_IS_V1    0x7e080301
#define V6_IS_V1    0x7e0c0301
#define V3_IS_V9    0x7e060309
#define V4_IS_V9    0x7e080309
#define V3_IS_A1    0xd3d84003, 0x18000101
#define V4_IS_A1    0xd3d84004, 0x18000101
#define V1_IS_7     0x7e020287
#define MFMA        0xd3cc8000, 0x04020d06 /* v_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[6:7], a[0:15]: 8 passes */
#define EXP         0x7e0e4107             /* v_exp_f32 v7, v7 */
#define EXEC_IS_1   0xbefe0181
#define EXEC_IS_ALL 0xbefe01c1
#define BRANCH      0xbf820000 /* to the next */
#define NOP         0xbf800000
#define BARRIER     0xbf8a0000
#define ENDPGM      0xbf810000

static void open(struct rig *r)
{
    rig_open(r, "gfx942", 64);
    for (unsigned k = 0; k < 2; k++) {
        memcpy(r->lds + 4 * k, &(uint32_t){k ? NEW1 : NEW0}, 4);
        memcpy(r->mem + 4 * k, &(uint32_t){k ? NEW1 : NEW0}, 4);
    }
    r->w.s[4] = (uint32_t)RIG_MEM;
    for (unsigned v = 1; v < 10; v++)
        rig_vall(r, v, v == 2 ? 0 : OLD);
    for (unsigned l = 0; l < 64; l++)
        r->w.acc[64 + l] = OLD;
}

static void runs(struct rig *r, const uint32_t *words, unsigned n, bool steps)
{
    uint64_t done;

    open(r);
    if (steps) {
        rig_run(r, words, n);
        return;
    }
    struct err e = {0};
    memcpy(r->code, words, n * sizeof *words);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, n * 4, &e), 0);
    r->w.program = r->p;
    r->w.pc = RIG_CODE;
    while (r->w.pc < RIG_CODE + n * 4)
        assert_int_equal(isa_run(&r->w, r->p, &r->env, 1000, &done, NULL), ISA_END);
}

/* What registers hold in all lanes when the words and s_endpgm have been executed, both ways. */
#define EXPECT(WORDS, ...)                                                                                             \
    do {                                                                                                               \
        const uint32_t words_[] = {WORDS ENDPGM};                                                                      \
        const struct {                                                                                                 \
            unsigned reg;                                                                                              \
            uint32_t value;                                                                                            \
        } want_[] = {__VA_ARGS__};                                                                                     \
        for (unsigned steps_ = 0; steps_ < 2; steps_++) {                                                              \
            struct rig r_;                                                                                             \
            runs(&r_, words_, sizeof words_ / 4 - steps_, steps_);                                                     \
            for (unsigned k_ = 0; k_ < sizeof want_ / sizeof *want_; k_++)                                             \
                for (unsigned l_ = 0; l_ < 64; l_++)                                                                   \
                    assert_int_equal(rig_getv(&r_, want_[k_].reg, l_), want_[k_].value);                               \
            rig_close(&r_);                                                                                            \
        }                                                                                                              \
    } while (0)
#define WORDS(...) __VA_ARGS__,

static void old_value_before_the_wait(void **state)
{
    (void)state;
    EXPECT(WORDS(DS_V1, V3_IS_V1, WAIT_LGKM0, V4_IS_V1), {1, NEW0}, {3, OLD}, {4, NEW0});
    EXPECT(WORDS(LOAD_V8_9, V3_IS_V9, WAIT_VM0, V4_IS_V9), {8, NEW0}, {9, NEW1}, {3, OLD}, {4, NEW1});
    EXPECT(WORDS(DS_A1, V3_IS_A1, WAIT_LGKM0, V4_IS_A1), {3, OLD}, {4, NEW0});
    /* a wait for another counter does not force it */
    EXPECT(WORDS(DS_V1, V3_IS_V1, WAIT_VM0, V4_IS_V1), {3, OLD}, {4, OLD});
    /* what is used after the wait comes at once */
    EXPECT(WORDS(DS_V1, WAIT_LGKM0, V3_IS_V1), {1, NEW0}, {3, NEW0});
}

/* LDS answers in order. */
static void as_late_as_the_counter_allows(void **state)
{
    (void)state;
    EXPECT(WORDS(DS_V1, V3_IS_V1, DS_V5, WAIT_LGKM1, V4_IS_V1), {3, OLD}, {4, NEW0});
    EXPECT(WORDS(DS_V5, DS_V1, V3_IS_V1, WAIT_LGKM1, V4_IS_V1, WAIT_LGKM0, V6_IS_V1), {3, OLD}, {4, OLD}, {6, NEW0});
    /* fifteen are what the counter holds: the sixteenth waits for the first */
    EXPECT(WORDS(DS_V1, V3_IS_V1, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5, DS_V5,
                 DS_V5, DS_V5, V4_IS_V1, DS_V5, V6_IS_V1),
           {3, OLD}, {4, OLD}, {6, NEW0});
}

static void a_store_takes_the_old_value(void **state)
{
    (void)state;
    EXPECT(WORDS(DS_V1, STORE_V1, WAIT_LGKM0, DS_V5, WAIT_LGKM0, DS_V1, WAIT_LGKM0, V3_IS_V1), {3, OLD});
}

/* What is written meanwhile is lost in the lanes that the load is for, and in no other. */
static void only_its_own_lanes(void **state)
{
    const uint32_t words[] = {EXEC_IS_1, DS_V1, EXEC_IS_ALL, V1_IS_7, WAIT_LGKM0, ENDPGM};
    struct rig r;

    (void)state;
    for (unsigned steps = 0; steps < 2; steps++) {
        runs(&r, words, sizeof words / 4 - steps, steps);
        for (unsigned l = 0; l < 64; l++)
            assert_int_equal(rig_getv(&r, 1, l), l ? 7 : NEW0);
        rig_close(&r);
    }
}

/* Loads of halves of one register come in order, none is late for the other's sake. With ECC a half clears the other.
 */
static void loads_do_not_use_each_other(void **state)
{
    (void)state;
    EXPECT(WORDS(DS_LOW_V1, DS_HIGH_V1, WAIT_LGKM0, V3_IS_V1), {3, (uint32_t)NEW1 << 16});
}

static bool late(const char *target, const uint32_t *words, unsigned n)
{
    struct rig r;
    struct err e = {0};

    rig_open(&r, target, 64);
    memcpy(r.code, words, n * sizeof *words);
    assert_int_equal(isa_program_open(&r.p, r.t, RIG_CODE, (const uint8_t *)r.code, n * 4, &e), 0);
    const struct isa_inst *i = isa_program_at(r.p, RIG_CODE);
    bool is = i->exec == isa_late_exec;

    assert_true(is || i->exec == i->row->exec);
    rig_close(&r);
    return is;
}
#define LATE_ON(TARGET, ...) late(TARGET, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define LATE(...)            LATE_ON("gfx942", __VA_ARGS__)

static void looked_for_in_straight_code(void **state)
{
    uint32_t far[2 + ISA_LATE_REACH + 1] = {DS_V1};

    (void)state;
    assert_true(LATE(DS_V1, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, WAIT_LGKM0, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, BRANCH, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, WAIT_VM0, V3_IS_V1, ENDPGM)); /* which may take its time */
    assert_false(LATE(DS_V1, BARRIER, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, ENDPGM, V3_IS_V1));
    assert_false(LATE(STORE_V1, V1_IS_7, ENDPGM));
    assert_false(LATE(DS_V1, NOP)); /* the end of the code */
    /* halves are not: the other one may be in use (global_load_d16_b16 v1, v[2:3], off; v_mov_b32 v3, v1) */
    assert_true(LATE_ON("gfx1100", 0xdc520000, 0x017c0002, V3_IS_V1, 0xbfb00000)); /* global_load_b32 */
    assert_false(LATE_ON("gfx1100", 0xdc820000, 0x017c0002, V3_IS_V1, 0xbfb00000));
    /* global_load_ushort v1, v2, s[4:5]; global_load_short_d16_hi v1, v2, s[4:5] offset:2; s_waitcnt vmcnt(0) */
    assert_false(LATE_ON("gfx1030", 0xdc288000, 0x01040002, 0xdc948002, 0x01040002, 0xbf8c3f70, V3_IS_V1, ENDPGM));
    assert_true(LATE(DS_V1, MFMA, MFMA, MFMA, EXP, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, MFMA, MFMA, MFMA, EXP, EXP, V3_IS_V1, ENDPGM));
    assert_false(LATE(DS_V1, MFMA, MFMA, MFMA, MFMA, V3_IS_V1, ENDPGM));
    for (unsigned reach = ISA_LATE_REACH - 1; reach <= ISA_LATE_REACH; reach++) {
        for (unsigned k = 0; k < reach; k++)
            far[2 + k] = NOP;
        far[2 + reach] = V3_IS_V1;
        assert_int_equal(late("gfx942", far, 3 + reach), reach < ISA_LATE_REACH);
    }
}

/* Room is used again: a wave that loads like that in a loop needs no more than what is in flight. */
static void room_is_given_back(void **state)
{
    const uint32_t words[] = {DS_V1, V3_IS_V1, WAIT_LGKM0};
    struct rig r;
    size_t used = 0;

    (void)state;
    open(&r);
    rig_run(&r, words, sizeof words / 4);
    for (unsigned k = 0; k < 1000; k++) {
        r.w.pc = RIG_CODE;
        for (unsigned n = 0; n < 3; n++)
            assert_int_equal(isa_step(&r.w, isa_program_at(r.p, r.w.pc), &r.env, NULL), ISA_OK);
        if (!k)
            used = isa_program_late(r.p)->arena.used_bytes;
        assert_null(r.w.late);
        assert_int_equal(isa_program_late(r.p)->arena.used_bytes, used);
    }
    assert_true(used > 0);
    rig_close(&r);
}

/* A copy of a wave, on which an instruction is tried. */
static void at_once_where_it_is_asked_for(void **state)
{
    const uint32_t words[] = {DS_V1, V3_IS_V1};
    struct rig r;

    (void)state;
    open(&r);
    r.w.late = (struct isa_late *)&isa_late_never;
    rig_run(&r, words, sizeof words / 4);
    assert_int_equal(rig_getv(&r, 3, 0), NEW0);
    assert_false(r.w.special & SPECIAL_LATE);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_value_before_the_wait),   cmocka_unit_test(as_late_as_the_counter_allows),
        cmocka_unit_test(a_store_takes_the_old_value), cmocka_unit_test(only_its_own_lanes),
        cmocka_unit_test(loads_do_not_use_each_other), cmocka_unit_test(looked_for_in_straight_code),
        cmocka_unit_test(room_is_given_back),          cmocka_unit_test(at_once_where_it_is_asked_for),
    };
    return cmocka_run_group_tests_name("late", tests, NULL, NULL);
}

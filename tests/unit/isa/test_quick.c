/* The shortest way through a vector ALU instruction (isa/lanes/quick.h) against the way that serves every wave:
 * whatever it takes, the same registers come out. Random encodings of every vector format, random registers with
 * special values. */
#define RECORD_NOTHING /* two ways are compared, what is right is not known here */
#include "isa/lanes/quick.h"
#include "tests/unit/isa/harness.h"

enum { WORDS = 60000, VGPRS = 256, REGS = VGPRS * 32 };

static uint64_t rng = 88172645463325252u;

static uint32_t rnd(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (uint32_t)(rng >> 16);
}

static uint32_t rnd_value(void)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x3f800000,
                                       0x007fffff, 0x00800000, 0x7f7fffff, 0xffffffff, 0x7c017e00,
                                       0x00010400, 0x3c00fc00, 0x7ff00000, 0xfff80000, 31};
    unsigned pick = rnd() % 8;

    return pick < 3 ? special[rnd() % (sizeof special / sizeof *special)] : pick == 3 ? rnd() % 64 : rnd();
}

/* A word that is likely to be a vector ALU instruction: VOP1, VOP2 and VOPC have the top bit clear, VOP3 and VOP3P
 * stand at the others. */
static void rnd_words(uint32_t *w)
{
    static const uint32_t top[] = {0xd4000000, 0xd5000000, 0xd6000000, 0xd7000000, 0xcc000000};
    unsigned pick = rnd() % 10;

    w[0] = pick < 4 ? rnd() & 0x7fffffff : top[pick % 5] | (rnd() & 0x00ffffff);
    w[1] = rnd();
    w[2] = rnd_value();
    if (pick < 4) {
        if (pick == 0)
            w[0] = (w[0] & 0x01ffffff) | 0x7e000000; /* VOP1 */
        w[1] = w[2];
        return;
    }
    if (rnd() % 8)
        w[0] &= ~0x00008700u; /* abs or op_sel, clamp */
    if (rnd() % 8)
        w[1] &= 0x07ffffff;           /* omod, neg */
    if (pick % 5 == 4 && rnd() % 4) { /* op_sel_hi of a packed instruction without modifiers */
        w[0] = (w[0] & ~0x00007800u) | 0x00004000;
        w[1] |= 0x18000000;
    }
    if (rnd() % 2) /* scalar operands of lane masks are even, sources mostly VGPRs */
        w[1] |= 0x00020100;
}

struct state {
    _Alignas(64) uint32_t v[REGS];
    struct isa_wave w;
};

static void compare(const char *target)
{
    static struct state start, quick, slow;
    struct rig r;
    char text[256];
    unsigned taken = 0;

    rig_open(&r, target, 32);
    for (unsigned n = 0; n < WORDS; n++) {
        uint32_t words[4];
        struct isa_inst i;
        rnd_words(words);
        if (!isa_decode(r.t, (const uint8_t *)words, sizeof words, &i, NULL) || !i.row)
            continue;
        isa_prepare(r.t, &i);
        isa_wave_init(&start.w, r.t, NULL, 32, start.v, VGPRS, 0, 102);
        isa_set_exec(&start.w, 0xffffffff);
        if (rnd() % 4 == 0)
            isa_set_mode(&start.w, (rnd() & (MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVFL)) | 0xf0);
        if (!isa_quick_ready(&start.w, &i))
            continue;
        if (taken++ % 64 == 0)
            for (unsigned k = 0; k < REGS; k++)
                start.v[k] = rnd_value();
        for (unsigned k = 0; k < 108; k++)
            start.w.s[k] = rnd_value();
        if (r.t->code_null < 108)
            start.w.s[r.t->code_null] = 0;
        quick = slow = start;
        quick.w.v = quick.v;
        slow.w.v = slow.v;
        isa_quick_run(&quick.w, &i);
        assert_int_equal(i.exec(&slow.w, &i, &r.env, NULL), ISA_OK);
        slow.w.v = quick.w.v;
        isa_text(r.t, &i, text, sizeof text);
        if (memcmp(quick.v, slow.v, sizeof quick.v))
            fail_msg("%s: %s (0x%08x 0x%08x): other VGPRs", target, text, words[0], words[1]);
        if (memcmp(&quick.w, &slow.w, sizeof quick.w))
            fail_msg("%s: %s (0x%08x 0x%08x): another wave", target, text, words[0], words[1]);
    }
    assert_in_range(taken, WORDS / 8, WORDS);
    rig_close(&r);
}

static void test_quick_against_exec(void **state)
{
    (void)state;
    compare("gfx1030");
    compare("gfx1100");
    compare("gfx1201");
}

static void decode(struct rig *r, const uint32_t *words, size_t size, struct isa_inst *i)
{
    assert_int_equal(isa_decode(r->t, (const uint8_t *)words, size, i, NULL), size);
    isa_prepare(r->t, i);
}

/* What the shortest way must leave alone. */
static void test_not_quick(void **state)
{
    const uint32_t add[] = {0x06020501};                  /* v_add_f32_e32 v1, v1, v2 */
    const uint32_t add_v255[] = {0x07fe05ff};             /* v_add_f32_e32 v255, v255, v2 */
    const uint32_t modified[] = {0xd5030001, 0x20020501}; /* v_add_f32_e64 v1, -v1, v2 */
    struct rig r;
    struct isa_inst i;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    decode(&r, modified, sizeof modified, &i);
    assert_non_null(i.row);
    assert_false(isa_quick_ready(&r.w, &i));
    decode(&r, add_v255, sizeof add_v255, &i);
    assert_true(isa_quick_ready(&r.w, &i));
    r.w.nvgprs = 255;
    assert_false(isa_quick_ready(&r.w, &i));
    decode(&r, add, sizeof add, &i);
    assert_true(isa_quick_ready(&r.w, &i));
    isa_set_exec(&r.w, 0x7fffffff);
    assert_false(isa_quick_ready(&r.w, &i));
    isa_set_exec(&r.w, UINT64_C(0x5ffffffff)); /* the high half means nothing */
    assert_true(isa_quick_ready(&r.w, &i));
    isa_set_mode(&r.w, 0xc0); /* f32 denormals flushed */
    assert_false(isa_quick_ready(&r.w, &i));
    isa_set_mode(&r.w, 0x30); /* f64 ones: not this instruction's */
    assert_true(isa_quick_ready(&r.w, &i));
    isa_set_mode(&r.w, 0xf1);
    assert_false(isa_quick_ready(&r.w, &i));
    rig_close(&r);
    rig_open(&r, "gfx1201", 64);
    assert_false(isa_quick_ready(&r.w, &i));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quick_against_exec), cmocka_unit_test(test_not_quick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The shortest way through a vector ALU instruction (isa/lanes/quick.h) against the way that serves every wave:
 * whatever it takes, the same registers come out. Random encodings of every vector format, random registers with
 * special values. */
#define RECORD_NOTHING /* two ways are compared, what is right is not known here */
#include "isa/lanes/quick.h"
#include "isa/unit.h"
#include "tests/unit/isa/harness.h"

enum { WORDS = 60000, VGPRS = 256, REGS = VGPRS * 64 };

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

/* A word that is likely to be an ALU instruction, mostly a vector one: VOP1, VOP2 and VOPC have the top bit clear, VOP3
 * and VOP3P stand at the others; gcn: up to gfx9 at other ones than since. */
static void rnd_words(uint32_t *w, bool gcn)
{
    static const uint32_t tops[2][5] = {{0xd4000000, 0xd5000000, 0xd6000000, 0xd7000000, 0xcc000000},
                                        {0xd0000000, 0xd1000000, 0xd2000000, 0xd1000000, 0xd3800000}};
    const uint32_t *top = tops[gcn];
    unsigned pick = rnd() % 14;

    w[0] = pick < 4 ? rnd() & 0x7fffffff : top[pick % 5] | (rnd() & 0x00ffffff);
    w[1] = rnd();
    w[2] = rnd_value();
    if (gcn && pick % 5 == 4 && pick < 10)
        w[0] &= 0xff83ffff | rnd() << 16;
    if (pick >= 12) { /* VOPD of gfx11 and gfx12 */
        w[0] = 0xc8000000 | (rnd() & 0x03ffffff);
        if (rnd() % 2) { /* few registers, so that one half reads what the other writes */
            w[0] = (w[0] & 0xfffe0603) | 0x100;
            w[1] = (w[1] & 0x03060603) | 0x100;
        }
        return;
    }
    if (pick >= 10) { /* SOP1, SOP2, SOPC, SOPK */
        w[0] = 0x80000000 | (rnd() & 0x3fffffff);
        w[1] = w[2];
        return;
    }
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

/* The word after an instruction whose source 0 is SDWA, DPP or DPP8. */
static uint32_t rnd_modifier(uint32_t source)
{
    static const uint16_t wide[] = {0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
    uint32_t x = rnd(), pick = rnd() % 4;

    if (source == 0xf9 && rnd() % 2) /* selections that there are; dst_unused 3 is none */
        return (x & 0x06060600 & ~0x00001800u) | (x & 0x0808c0ff) | (x & 0x00300000);
    if (source != 0xfa)
        return x;
    uint32_t ctrl = pick == 0   ? x >> 8 & 0xff
                    : pick == 1 ? 0x101 + rnd() % 0x2f
                    : pick == 2 ? wide[rnd() % 8]
                                : 0x150 + rnd() % 0x20;
    return (x & (rnd() % 2 ? 0x0fff00ff : 0x0fff0ff)) | ctrl << 8 | (rnd() % 2 ? 0xff000000u : 0);
}

/* Gives an instruction of some vector format modifiers in a word of their own. */
static void put_modifier(uint32_t *w)
{
    static const uint32_t sources[] = {0xf9, 0xfa, 0xe9, 0xea};
    uint32_t source = sources[rnd() % 4], *of = w[0] >> 31 ? &w[1] : &w[0];

    *of = (*of & ~0x1ffu) | source;
    of[1] = rnd_modifier(source);
}

struct state {
    _Alignas(64) uint32_t v[REGS];
    struct isa_wave w;
};

/* Rows with a NaN or a denormal among them or without: f32 are looked at for one all at once. */
static void fill(uint32_t *v, bool numbers, bool normal)
{
    for (unsigned k = 0; k < REGS; k++) {
        v[k] = rnd_value();
        if (numbers && (v[k] & 0x7f800000) == 0x7f800000)
            v[k] &= 0xbfffffff;
        if (normal && (v[k] & 0x7f800000) == 0)
            v[k] &= 0x80000000;
    }
}

/* MODE as compilers set it, or with other bits, or with denormals of f32 flushed, which only units take. */
static void choose_mode(struct isa_wave *w)
{
    if (rnd() % 4 == 0)
        isa_set_mode(w, (rnd() & (MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVFL)) | 0xf0);
    else if (rnd() % 3 == 0)
        isa_set_mode(w, MODE_DX10_CLAMP | MODE_IEEE | 0xc0);
}

/* Whether a unit of i runs in such a wave. */
static bool is_taken(const struct isa_wave *w, const struct isa_inst *i)
{
    struct isa_wave keeps = *w;

    if (w->special & SPECIAL_FLUSH)
        keeps.special &= (uint16_t)~SPECIAL_MODE32;
    if (i->quick_kind == QUICK_STAGED)
        return !(keeps.special & i->mode_need) && i->vgpr_end <= VGPRS;
    return i->quick_kind == QUICK_PAIR ? !(keeps.special & (SPECIAL_MODE32 | SPECIAL_MODE64))
                                       : isa_quick_ready(&keeps, i);
}

/* As the timing engine runs a unit of one instruction. */
static void step_in_unit(const struct isa_unit *u, struct isa_wave *w)
{
    struct isa_effects fx = {.kind = FX_LDS, .branch_taken = true, .mask = 1, .lds_mask = 1, .sleep = 1, .barriers = 1};
    gaddr_t before = w->inst_pc, pc = w->pc;

    assert_true(isa_unit_ready(u, w, 1));
    isa_unit_step(u, w, &fx);
    assert_int_equal(fx.kind, FX_NONE);
    assert_false(fx.branch_taken || fx.mask || fx.lds_mask || fx.sleep || fx.barriers);
    assert_int_equal(w->inst_pc, pc);
    assert_int_equal(w->pc, pc + u->bytes);
    w->inst_pc = before;
    w->pc = pc;
}

/* The same by a unit of one instruction, and the next entry of its program is not decoded yet. */
static void run_in_unit(const struct rig *r, struct isa_wave *w, const struct isa_inst *i)
{
    static struct isa_inst entries[4];
    static union {
        struct isa_unit unit;
        char room[UNIT_OF_ONE_BYTES];
    } u;
    uint64_t tally[ISA_TALLIES] = {0};

    entries[0] = *i;
    if (isa_unit_of_one(r->t, entries, w->pc, w, &u.unit) && rnd() % 2) {
        step_in_unit(&u.unit, w);
        return;
    }
    isa_unit_make(r->t, entries, entries + 4, w->pc, w, &u.unit, UNIT_MIN_OPS);
    assert_int_equal(u.unit.instructions, 1);
    assert_int_equal(u.unit.bytes, i->size_bytes);
    assert_true(isa_unit_ready(&u.unit, w, 1));
    assert_false(isa_unit_ready(&u.unit, w, 0));
    assert_int_equal(isa_unit_run(&u.unit, w, 1, tally), 1);
    assert_int_equal(tally[i->tally], 1);
    w->pc -= i->size_bytes;
}

/* Counts an instruction under the handler of its stage. */
static void count_staged(const struct rig *r, const struct isa_inst *i, unsigned lanes, unsigned *staged)
{
    struct isa_unit_op op;
    struct isa_stage stage;

    if (i->quick_kind == QUICK_STAGED && isa_stage_make(r->t, i, lanes, &op, &stage))
        staged[isa_stage_handler(&stage)]++;
}

/* all: lanes are active. Otherwise isa_inst.exec and the unit are compared alone. */
static void compare(const char *target, unsigned lanes, bool all)
{
    static struct state start, quick, slow, unit;
    struct rig r;
    char text[256];
    unsigned taken = 0, pairs = 0, flushing = 0, staged[STAGED_COUNT] = {0};

    rig_open(&r, target, lanes);
    for (unsigned n = 0; n < WORDS; n++) {
        uint32_t words[4];
        struct isa_inst i;
        rnd_words(words, lanes == 64 && strncmp(target, "gfx1", 4));
        if (rnd() % 3 == 0)
            put_modifier(words);
        if (!isa_decode(r.t, (const uint8_t *)words, sizeof words, &i, NULL) || !i.row)
            continue;
        isa_prepare(r.t, &i);
        isa_wave_init(&start.w, r.t, NULL, lanes, start.v, VGPRS, 0, 102);
        isa_set_exec(&start.w, lanes == 64 ? UINT64_MAX : 0xffffffff);
        choose_mode(&start.w);
        bool pair = i.quick_kind == QUICK_PAIR, quickly = all && isa_quick_ready(&start.w, &i);
        if (!is_taken(&start.w, &i))
            continue;
        flushing += start.w.special & SPECIAL_FLUSH && i.mode_need & SPECIAL_MODE32;
        pairs += pair;
        count_staged(&r, &i, lanes, staged);
        if (taken++ % 64 == 0)
            fill(start.v, taken / 64 % 2, taken / 128 % 2);
        for (unsigned k = 0; k < 108; k++)
            start.w.s[k] = rnd_value();
        if (r.t->code_null < 108)
            start.w.s[r.t->code_null] = 0;
        if (!all)
            isa_set_exec(&start.w, rnd() % 16 ? rnd() | (uint64_t)rnd() << 32 : 0);
        quick = slow = unit = start;
        unit.w.v = unit.v;
        run_in_unit(&r, &unit.w, &i);
        unit.w.v = quick.w.v = quick.v;
        slow.w.v = slow.v;
        if (quickly)
            isa_quick_run(&quick.w, &i);
        assert_int_equal(i.exec(&slow.w, &i, &r.env, NULL), ISA_OK);
        slow.w.v = quick.w.v;
        isa_text(r.t, &i, text, sizeof text);
        if (quickly && memcmp(quick.v, slow.v, sizeof quick.v))
            fail_msg("%s: %s (0x%08x 0x%08x): other VGPRs", target, text, words[0], words[1]);
        if (quickly && memcmp(&quick.w, &slow.w, sizeof quick.w))
            fail_msg("%s: %s (0x%08x 0x%08x): another wave", target, text, words[0], words[1]);
        if (memcmp(unit.v, slow.v, sizeof unit.v) || memcmp(&unit.w, &slow.w, sizeof unit.w))
            fail_msg("%s: %s (0x%08x 0x%08x): other registers by a unit", target, text, words[0], words[1]);
    }
    assert_in_range(taken, WORDS / 8, WORDS);
    assert_in_range(flushing, WORDS / 256, WORDS);
    assert_in_range(staged[STAGED_BITS], WORDS / 512, WORDS);
    assert_in_range(staged[STAGED_MOVED], WORDS / 1024, WORDS);
    if (strcmp(target, "gfx803"))
        assert_in_range(staged[STAGED_PACKED], 10, WORDS);
    if (!strncmp(target, "gfx11", 5) || !strncmp(target, "gfx12", 5))
        assert_in_range(pairs, WORDS / 256, WORDS);
    rig_close(&r);
}

static void test_quick_against_exec(void **state)
{
    (void)state;
    compare("gfx1030", 32, true);
    compare("gfx1100", 32, true);
    compare("gfx1201", 32, true);
    compare("gfx803", 64, true);
    compare("gfx906", 64, true);
    compare("gfx942", 64, true);
    compare("gfx1100", 64, true);
    compare("gfx1201", 64, true);
}

static void test_some_lanes(void **state)
{
    (void)state;
    compare("gfx1030", 32, false);
    compare("gfx1100", 32, false);
    compare("gfx1201", 32, false);
    compare("gfx803", 64, false);
    compare("gfx942", 64, false);
    compare("gfx1201", 64, false);
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
    const uint32_t add_f64[] = {0x04040d04};              /* v_add_f64_e32 v[2:3], v[4:5], v[6:7] */
    const uint32_t mbcnt[] = {0xd71f0001, 0x00020702};    /* v_mbcnt_lo_u32_b32 v1, v2, v3 */
    const uint32_t add_gfx9[] = {0x02020501};             /* v_add_f32_e32 v1, v1, v2 */
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
    isa_set_exec(&r.w, 0xffffffff);
    assert_false(isa_quick_ready(&r.w, &i));
    isa_set_exec(&r.w, UINT64_MAX);
    assert_true(isa_quick_ready(&r.w, &i));
    decode(&r, add_f64, sizeof add_f64, &i);
    assert_false(isa_quick_ready(&r.w, &i));
    decode(&r, mbcnt, sizeof mbcnt, &i);
    assert_false(isa_quick_ready(&r.w, &i));
    rig_close(&r);
    rig_open(&r, "gfx906", 64);
    decode(&r, add_gfx9, sizeof add_gfx9, &i);
    isa_set_exec(&r.w, UINT64_MAX);
    assert_true(isa_quick_ready(&r.w, &i));
    isa_set_mode(&r.w, 0xf0 | MODE_VSKIP);
    assert_false(isa_quick_ready(&r.w, &i));
    isa_set_mode(&r.w, 0xf0 | MODE_GPR_IDX_EN);
    assert_false(isa_quick_ready(&r.w, &i));
    rig_close(&r);
}

/* EXEC written in every way, MODE changed and changed back, scalars between, a loop, and no end: the code is left
 * after an instruction that takes the shortest way. */
/* clang-format off */
static const uint32_t mixed[] = {
    0xbe800083, /* s_mov_b32 s0, 3 */
    0x06020501, /* v_add_f32_e32 v1, v1, v2 */
    0xbefe00ff, 0x0f0fffff, /* s_mov_b32 exec_lo, 0xf0fffff */
    0x06020501, /* v_add_f32_e32 v1, v1, v2 */
    0xd6130003, 0x040e0501, /* v_fma_f32 v3, v1, v2, v3 */
    0xbefe00c1, /* s_mov_b32 exec_lo, -1 */
    0xd6130003, 0x040e0501, /* v_fma_f32 v3, v1, v2, v3 */
    0xd449007e, 0x00020901, /* v_cmp_lt_u32_e64 exec_lo, v1, v4 */
    0x100a0903, /* v_mul_f32_e32 v5, v3, v4 */
    0x8c7eff7e, 0xff00ff00, /* s_or_b32 exec_lo, exec_lo, 0xff00ff00 */
    0x560a06f0, /* v_fmac_f32_e32 v5, 0.5, v3 */
    0xbe8422c1, /* s_or_saveexec_b32 s4, -1 */
    0x3a0c0705, /* v_xor_b32_e32 v6, v5, v3 */
    0xb9800901, 0x00000000, /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0 */
    0x100e0702, /* v_mul_f32_e32 v7, v2, v3 */
    0x4a0c0c00, /* v_add_nc_u32_e32 v6, s0, v6 */
    0xb9800801, 0x00000001, /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1 */
    0x080e0507, /* v_sub_f32_e32 v7, v7, v2 */
    0xb9803801, 0x000000f0, /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0 */
    0x080e0507, /* v_sub_f32_e32 v7, v7, v2 */
    0x7c280707, /* v_cmp_gt_f32_e32 vcc_lo, v7, v3 */
    0xbefe0004, /* s_mov_b32 exec_lo, s4 */
    0x02100f06, /* v_cndmask_b32_e32 v8, v6, v7, vcc_lo */
    0xbf800000, /* s_nop 0 */
    0x8001ff00, 0x12345678, /* s_add_co_u32 s1, s0, 0x12345678 */
    0x98020001, /* s_cselect_b32 s2, s1, s0 */
    0x80808100, /* s_sub_co_u32 s0, s0, 1 */
    0xbf078000, /* s_cmp_lg_u32 s0, 0 */
    0xbfa2ffdb, /* s_cbranch_scc1 loop */
    0x7e120301, /* v_mov_b32_e32 v9, v1 */
};
/* clang-format on */
enum { MIXED_INSTRUCTIONS = 1 + 3 * 28 + 1 };

static void mixed_start(const struct rig *r, struct state *s, unsigned lanes)
{
    isa_wave_init(&s->w, r->t, r->p, lanes, s->v, VGPRS, 0, 102);
    isa_set_exec(&s->w, UINT64_MAX);
    for (unsigned k = 0; k < REGS; k++)
        s->v[k] = (k * 2654435761u & 0x0fffffff) | 0x38000000;
    for (unsigned l = 0; l < lanes; l += 3)
        s->v[2 * lanes + l] = l; /* denormals */
    s->w.pc = RIG_CODE;
}

static void mixed_open(struct rig *r, struct state *s, unsigned lanes)
{
    struct err e = {0};

    rig_open(r, "gfx1201", lanes);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)mixed, sizeof mixed, &e), 0);
    mixed_start(r, s, lanes);
}

/* The same without the shortest way, one at a time. */
static void mixed_slowly(struct rig *r, struct state *s, unsigned instructions, uint64_t *tally)
{
    for (unsigned n = 0; n < instructions; n++) {
        const struct isa_inst *i = isa_program_at(r->p, s->w.pc);
        assert_non_null(i);
        s->w.pc += i->size_bytes;
        assert_int_equal(i->exec(&s->w, i, &r->env, NULL), ISA_OK);
        tally[i->tally]++;
    }
}

static void expect_same(const struct state *quick, const struct state *slow)
{
    assert_true(quick->w.pc == slow->w.pc);
    assert_memory_equal(quick->v, slow->v, sizeof quick->v);
    assert_memory_equal(quick->w.s, slow->w.s, sizeof quick->w.s);
    assert_true(quick->w.exec == slow->w.exec && quick->w.special == slow->w.special && quick->w.scc == slow->w.scc);
}

static void test_runs_against_exec(void **state)
{
    static struct state quick, slow;
    const unsigned lanes = *(const unsigned *)*state;

    for (unsigned limit = 1; limit <= MIXED_INSTRUCTIONS + 1; limit++) {
        struct rig r, other;
        uint64_t done = 0, tally[ISA_TALLIES] = {0}, tallied[ISA_TALLIES] = {0};
        bool ends = limit > MIXED_INSTRUCTIONS;
        mixed_open(&r, &quick, lanes);
        mixed_open(&other, &slow, lanes);
        assert_int_equal(isa_run(&quick.w, r.p, &r.env, limit, &done, tally), ends ? ISA_FAULT : ISA_LIMIT);
        assert_int_equal(done, ends ? MIXED_INSTRUCTIONS : limit);
        mixed_slowly(&other, &slow, (unsigned)done, tallied);
        assert_memory_equal(tally, tallied, sizeof tally);
        expect_same(&quick, &slow);
        assert_int_equal(quick.w.fault.kind, ends ? FAULT_PC : FAULT_NONE);
        rig_close(&r);
        rig_close(&other);
    }
}

/* What units do comes to the same as one instruction after the other, wherever the limit is: in a unit, too. */
static void test_units_against_exec(void **state)
{
    static struct state quick, slow;
    const unsigned lanes = *(const unsigned *)*state;
    struct rig r;

    mixed_open(&r, &quick, lanes);
    for (unsigned k = 0; k <= UNIT_WORTH; k++) {
        uint64_t done = 0;
        mixed_start(&r, &quick, lanes);
        isa_run(&quick.w, r.p, &r.env, MIXED_INSTRUCTIONS, &done, NULL);
        assert_int_equal(done, MIXED_INSTRUCTIONS);
    }
    assert_non_null(isa_program_at(r.p, RIG_CODE + 4)->unit);   /* the loop's head */
    assert_non_null(isa_program_at(r.p, RIG_CODE + 124)->unit); /* from s_nop on, to the branch */
    for (unsigned limit = 1; limit <= MIXED_INSTRUCTIONS; limit++) {
        uint64_t done = 0, tally[ISA_TALLIES] = {0}, tallied[ISA_TALLIES] = {0};
        mixed_start(&r, &quick, lanes);
        mixed_start(&r, &slow, lanes);
        assert_int_equal(isa_run(&quick.w, r.p, &r.env, limit, &done, tally), ISA_LIMIT);
        assert_int_equal(done, limit);
        mixed_slowly(&r, &slow, limit, tallied);
        assert_memory_equal(tally, tallied, sizeof tally);
        expect_same(&quick, &slow);
    }
    rig_close(&r);
}

int main(void)
{
    static unsigned lanes[] = {32, 64};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_against_exec),
        cmocka_unit_test(test_some_lanes),
        cmocka_unit_test(test_not_quick),
        cmocka_unit_test_prestate(test_runs_against_exec, &lanes[0]),
        cmocka_unit_test_prestate(test_runs_against_exec, &lanes[1]),
        cmocka_unit_test_prestate(test_units_against_exec, &lanes[0]),
        cmocka_unit_test_prestate(test_units_against_exec, &lanes[1]),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

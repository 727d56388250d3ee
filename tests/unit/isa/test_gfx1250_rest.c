/* What gfx1250 added beside vector ALU instructions, row by row: jumps, the clock, the upper bits of VGPR numbers,
 * monitored loads, and what changes nothing.
 */
#include "tests/support/assemble.h"
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/harness.h"

enum { LANES = 32, NULL_SADDR = 0x7c, ADDR = 2, DST = 8 };

/* s_add_pc_i64 s[2:3] over moves of one word, forward and back */
static void jumps(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    uint32_t jump = sop1(opcode_of(r.t, FMT_SOP1, "s_add_pc_i64"), 0, 2);
    int mov = opcode_of(r.t, FMT_SOP1, "s_mov_b32");
    for (unsigned skip = 0; skip < 4; skip++) {
        for (unsigned k = 5; k < 8; k++)
            r.w.s[k] = 0;
        r.w.s[2] = 4 * skip;
        r.w.s[3] = 0;
        rig_run(&r, (uint32_t[]){jump, sop1(mov, 5, 129), sop1(mov, 6, 129), sop1(mov, 7, 129)}, 4);
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(r.w.s[5 + k], k >= skip);
    }
    r.w.s[2] = (uint32_t)-12;
    r.w.s[3] = 0xffffffff;
    rig_run(&r, (uint32_t[]){sop1(mov, 5, 130), jump}, 2); /* to before the program */
    assert_true(r.w.pc == RIG_CODE - 4);
    rig_close(&r);
}

static void clock_and_pace(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    r.w.s[5] = 1;
    rig_run(&r, (uint32_t[]){sop1(opcode_of(r.t, FMT_SOP1, "s_get_shader_cycles_u64"), 4, 0)}, 1);
    assert_int_equal(r.w.s[4], 12345); /* harness.h */
    assert_int_equal(r.w.s[5], 0);
    r.w.s[2] = 128 + 9;
    rig_run(&r, (uint32_t[]){sop1(opcode_of(r.t, FMT_SOP1, "s_sleep_var"), 0, 2)}, 1);
    assert_int_equal(r.fx.sleep, 9);
    rig_run(&r, (uint32_t[]){sopp(opcode_of(r.t, FMT_SOPP, "s_monitor_sleep"), 0x85)}, 1);
    assert_int_equal(r.fx.sleep, 5);
    rig_run(&r, (uint32_t[]){sopp(opcode_of(r.t, FMT_SOPP, "s_monitor_sleep"), 0x8001)}, 1); /* without end */
    assert_int_equal(r.fx.sleep, 127);
    rig_close(&r);
}

/* hwreg(HW_REG_WAVE_MODE, 25, 1): the literal's bits 19:12 are the upper bits of VGPR numbers, on gfx1250 alone. */
static void upper_bits_by_setreg(void **state)
{
    static const struct {
        const char *target;
        uint32_t msb;
    } on[] = {{"gfx1250", 5}, {"gfx1251", 0x42}};
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < sizeof on / sizeof *on; k++) {
        rig_open(&r, on[k].target, LANES);
        isa_set_mode(&r.w, (r.w.mode_reg & ~0x20ff000u) | 0x42000);
        const uint32_t word = 0xb0000000 | (uint32_t)opcode_of(r.t, FMT_SOPK, "s_setreg_imm32_b32") << 23 | 0x0641;
        rig_run(&r, (uint32_t[]){word, 0x5001}, 2);
        assert_int_equal(r.w.mode_reg >> 12 & 0xff, on[k].msb);
        assert_int_equal(r.w.vgpr_msb, on[k].msb);
        assert_int_equal(r.w.mode_reg >> 25 & 1, 1);
        rig_close(&r);
    }
}

/* src0, src1, src2, vdst from bit 0 on; MODE[19:12] has vdst first. */
static void upper_registers(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    r.w.nvgprs = 2 * RIG_VGPRS; /* the harness has room for them */
    const int op = opcode_of(r.t, FMT_SOPP, "s_set_vgpr_msb"), sub = opcode_of(r.t, FMT_VOP2, "v_sub_nc_u32");
    const uint32_t mode = r.w.mode_reg & ~0xff000u;
    rig_run(&r, (uint32_t[]){sopp(op, 3u << 6 | 2u << 4 | 1u << 2)}, 1);
    assert_int_equal(r.w.mode_reg, mode | (2u << 6 | 1u << 4 | 3) << 12);
    for (unsigned k = 0; k < 8; k++) { /* which of vdst, src0, src1 */
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned high = 0; high < 2; high++) {
                rig_v(&r, 256 * high + 4, l, 0);
                rig_v(&r, 256 * high + 8, l, 1000 + 100 * high + l);
                rig_v(&r, 256 * high + 9, l, 10 + 20 * high);
            }
        rig_run(&r,
                (uint32_t[]){sopp(op, (k & 1) << 6 | (k >> 1 & 1) | (k >> 2 & 1) << 2),
                             (uint32_t)sub << 25 | 4u << 17 | 9u << 9 | (CODE_VGPR + 8)},
                2);
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t want = 1000 + (k & 2 ? 100 : 0) + l - (k & 4 ? 30 : 10);
            assert_int_equal(rig_getv(&r, k & 1 ? 260 : 4, l), want);
            assert_int_equal(rig_getv(&r, k & 1 ? 4 : 260, l), 0);
        }
    }
    rig_close(&r);
}

/* An SGPR and a constant are no registers that it moves. */
static void other_operands_stay(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    r.w.nvgprs = 2 * RIG_VGPRS;
    const int op = opcode_of(r.t, FMT_SOPP, "s_set_vgpr_msb"), sub = opcode_of(r.t, FMT_VOP2, "v_sub_nc_u32");
    const unsigned src0[] = {5, CODE_INT_0 + 3};
    r.w.s[5] = 1000;
    for (size_t k = 0; k < sizeof src0 / sizeof *src0; k++) {
        for (unsigned l = 0; l < LANES; l++) {
            rig_v(&r, 9, l, 10 + l);
            rig_v(&r, 4, l, 0);
        }
        rig_run(&r, (uint32_t[]){sopp(op, 1), (uint32_t)sub << 25 | 4u << 17 | 9u << 9 | src0[k]}, 2);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(rig_getv(&r, 4, l), (k ? 3 : 1000) - (10 + l));
    }
    rig_close(&r);
}

/* A and B have the registers of their formats: 16 of eight bits, 12 of six, 8 of four. Beside a number that is no
 * format both have those of eight bits. */
static void registers_of_formats(void **state)
{
    static const unsigned registers[8] = {16, 16, 12, 12, 8};
    const struct assembled code =
        assemble("gfx1250", "v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47]");
    struct rig r;
    (void)state;

    assert_int_equal(code.words, 2);
    rig_open(&r, "gfx1250", LANES);
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++) {
            uint32_t w[2] = {code.word[0] & ~(7u << 11 | 1u << 14), code.word[1] & ~(3u << 27)};
            const bool known = a <= 4 && b <= 4;
            struct isa_inst i;

            w[0] |= a << 11 | (b >> 2) << 14;
            w[1] |= (b & 3) << 27;
            assert_int_equal(isa_decode(r.t, (const uint8_t *)w, 8, &i, NULL), 8);
            if (isa_types[i.op[1].type].dwords != (known ? registers[a] : 16) ||
                isa_types[i.op[2].type].dwords != (known ? registers[b] : 16))
                fail_msg("formats %u, %u: %u and %u registers", a, b, isa_types[i.op[1].type].dwords,
                         isa_types[i.op[2].type].dwords);
        }
    rig_close(&r);
}

static void flat_words(uint32_t w[3], unsigned format, int op, unsigned vdst)
{
    w[0] = (format == FMT_GLOBAL ? 0xee000000 : 0xec000000) | (uint32_t)op << 14 | NULL_SADDR;
    w[1] = vdst;
    w[2] = ADDR;
}

/* Loads like others; of clusters, too: each workgroup asks for itself. */
static void monitored_loads(void **state)
{
    static const struct {
        const char *row;
        unsigned format, dwords;
    } loads[] = {{"global_load_monitor_b32", FMT_GLOBAL, 1},  {"global_load_monitor_b64", FMT_GLOBAL, 2},
                 {"global_load_monitor_b128", FMT_GLOBAL, 4}, {"flat_load_monitor_b32", FMT_FLAT, 1},
                 {"flat_load_monitor_b64", FMT_FLAT, 2},      {"flat_load_monitor_b128", FMT_FLAT, 4},
                 {"cluster_load_b32", FMT_GLOBAL, 1},         {"cluster_load_b64", FMT_GLOBAL, 2},
                 {"cluster_load_b128", FMT_GLOBAL, 4}};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 65536; k++)
        r.mem[k] = (uint8_t)(k * 37 >> 3);
    for (unsigned k = 0; k < sizeof loads / sizeof loads[0]; k++) {
        uint32_t w[3];
        for (unsigned l = 0; l < LANES; l++) {
            uint64_t at = RIG_MEM + 16 * (l * 5 % LANES + 3);
            rig_v(&r, ADDR, l, (uint32_t)at);
            rig_v(&r, ADDR + 1, l, (uint32_t)(at >> 32));
            for (unsigned n = 0; n < 5; n++)
                rig_v(&r, DST + n, l, 0x5a5a0000 + n);
        }
        isa_set_exec(&r.w, 0xffffffdf);
        flat_words(w, loads[k].format, opcode_of(r.t, loads[k].format, loads[k].row), DST);
        rig_run(&r, w, 3);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned n = 0; n < 5; n++) {
                uint32_t want;
                memcpy(&want, r.mem + 16 * (l * 5 % LANES + 3) + 4 * n, 4);
                assert_int_equal(rig_getv(&r, DST + n, l), l != 5 && n < loads[k].dwords ? want : 0x5a5a0000 + n);
            }
    }
    rig_close(&r);
}

/* Registers, memory and priority stay. */
static void no_effect(void **state)
{
    static const char *const waits[] = {"s_wait_asynccnt", "s_wait_tensorcnt", "s_wait_xcnt", "s_setprio_inc_wg"};
    static const struct {
        const char *row;
        unsigned format;
    } caches[] = {{"global_prefetch_b8", FMT_GLOBAL},
                  {"flat_prefetch_b8", FMT_FLAT},
                  {"global_inv", FMT_GLOBAL},
                  {"global_wb", FMT_GLOBAL},
                  {"global_wbinv", FMT_GLOBAL}};
    static uint32_t before[RIG_VGPRS * LANES];
    static uint8_t mem[65536];
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < RIG_VGPRS * LANES; k++)
        r.regs[k] = k * 0x9e3779b9u;
    for (unsigned l = 0; l < LANES; l++) {
        rig_v(&r, ADDR, l, (uint32_t)RIG_MEM + 64 * l);
        rig_v(&r, ADDR + 1, l, (uint32_t)(RIG_MEM >> 32));
    }
    for (unsigned k = 0; k < 65536; k++)
        r.mem[k] = (uint8_t)(k * 37 >> 3);
    memcpy(before, r.regs, sizeof before);
    memcpy(mem, r.mem, sizeof mem);
    r.w.priority = 2;
    for (unsigned k = 0; k < sizeof waits / sizeof waits[0]; k++)
        rig_run(&r, (uint32_t[]){sopp(opcode_of(r.t, FMT_SOPP, waits[k]), 1)}, 1);
    for (unsigned k = 0; k < sizeof caches / sizeof caches[0]; k++) {
        const bool fetch = strstr(caches[k].row, "prefetch") != NULL;
        uint32_t w[3];
        flat_words(w, caches[k].format, opcode_of(r.t, caches[k].format, caches[k].row), 0);
        w[2] = fetch ? ADDR : 0;
        rig_run(&r, w, 3);
    }
    assert_memory_equal(before, r.regs, sizeof before);
    assert_memory_equal(mem, r.mem, sizeof mem);
    assert_int_equal(r.w.priority, 2);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps),
        cmocka_unit_test(clock_and_pace),
        cmocka_unit_test(upper_registers),
        cmocka_unit_test(other_operands_stay),
        cmocka_unit_test(registers_of_formats),
        cmocka_unit_test(upper_bits_by_setreg),
        cmocka_unit_test(monitored_loads),
        cmocka_unit_test(no_effect),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

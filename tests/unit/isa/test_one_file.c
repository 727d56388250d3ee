/* VGPRs and AGPRs of gfx90a, gfx942 and gfx950 are one file: AGPR n is VGPR ACCUM_OFFSET + n, and an instruction may
 * name a register of the wave's allocation either way. (AMD CDNA3 ISA, 3.6.4 "VGPR allocation and alignment"; LLVM 19
 * AMDGPUUsage, ACCUM_OFFSET.) gfx908 has two files. Encodings are llvm-mc-19's.
 */
#include "isa/lanes/lanes.h"
#include "tests/unit/isa/lanes_check.h"

enum { ARCH = 160, TOTAL = 256 };

static const char *const unified[] = {"gfx90a", "gfx942", "gfx950"};

/* A wave of TOTAL registers, AGPRs from ARCH on; every row holds its number. */
static void open_wave(struct rig *r, const char *target, unsigned arch, unsigned total)
{
    rig_open(r, target, 64);
    isa_wave_init(&r->w, r->t, NULL, 64, r->regs, arch, total - arch, 102);
    isa_set_exec(&r->w, ~UINT64_C(0));
    for (unsigned v = 0; v < total; v++)
        for (unsigned l = 0; l < 64; l++)
            r->regs[v * 64 + l] = v << 8 | l;
}

static void either_name(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        struct rig r;
        open_wave(&r, unified[t], ARCH, TOTAL);
        /* v_mov_b32_e32 v200, v1; v_accvgpr_read_b32 v2, a40 */
        rig_run(&r, (uint32_t[]){0x7f900301, 0xd3d84002, 0x18000128}, 3);
        assert_int_equal(rig_getv(&r, 200, 5), 0x105);
        assert_int_equal(rig_getv(&r, 2, 5), 0x105);
        assert_ptr_equal(r.w.acc + 40 * 64, r.w.v + 200 * 64);
        /* v_accvgpr_write_b32 a41, v3; v_add_u32_e32 v4, v201, v201 */
        rig_run(&r, (uint32_t[]){0xd3d94029, 0x18000103, 0x680993c9}, 3);
        assert_int_equal(rig_getv(&r, 4, 7), 2 * 0x307);
        /* VOP3 with a modifier, which goes another way: v_add_f32_e64 v202, |v203|, v203 */
        rig_vall(&r, 203, 0xbf800000);
        rig_run(&r, (uint32_t[]){0xd10101ca, 0x000397cb}, 2);
        assert_int_equal(rig_getv(&r, 202, 9), 0);
        /* the last of both names: v_mov_b32_e32 v255, v0; v_accvgpr_read_b32 v5, a95 */
        rig_run(&r, (uint32_t[]){0x7ffe0300, 0xd3d84005, 0x1800015f}, 3);
        assert_int_equal(rig_getv(&r, 5, 63), 63);
        /* v_readlane_b32 s4, v200, 3 */
        rig_run(&r, (uint32_t[]){0xd2890004, 0x000107c8}, 2);
        assert_int_equal(r.w.s[4], 0x103);
        rig_close(&r);
    }
}

/* Matrix instructions and memory, with tuples that reach over the border of the names. */
static void tuples(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        struct rig r;
        open_wave(&r, unified[t], ARCH, TOTAL);
        for (unsigned l = 0; l < 64; l++) {
            rig_v(&r, 2, l, (uint32_t)RIG_MEM + 16 * l);
            rig_v(&r, 3, l, (uint32_t)(RIG_MEM >> 32));
            for (unsigned k = 0; k < 4; k++)
                ((uint32_t *)(void *)r.mem)[4 * l + k] = 1000 * k + l;
        }
        /* global_load_dwordx4 v[158:161], v[2:3], off */
        rig_run(&r, (uint32_t[]){0xdc5c8000, 0x9e7f0002}, 2);
        assert_int_equal(rig_getv(&r, 158, 6), 6);
        assert_int_equal(rig_getv(&r, 159, 6), 1006);
        assert_int_equal(r.w.acc[6], 2006);
        assert_int_equal(r.w.acc[64 + 6], 3006);
        /* global_store_dwordx2 v[2:3], a[0:1], off */
        rig_run(&r, (uint32_t[]){0xdc748000, 0x00ff0002}, 2);
        assert_int_equal(((uint32_t *)(void *)r.mem)[4 * 6], 2006);
        assert_int_equal(((uint32_t *)(void *)r.mem)[4 * 6 + 1], 3006);
        /* v_mfma_f32_4x4x4f16 v[200:203], v[202:203], v[204:205], 1.0 with zeros for factors */
        for (unsigned v = 202; v < 206; v++)
            rig_vall(&r, v, 0);
        rig_run(&r, (uint32_t[]){0xd3ca00c8, 0x03cb99ca}, 2);
        assert_int_equal(r.w.acc[40 * 64 + 11], 0x3f800000);
        assert_int_equal(r.w.acc[43 * 64 + 11], 0x3f800000);
        rig_close(&r);
    }
}

static void expect_fault(struct rig *r, const uint32_t *words, unsigned n, const char *says)
{
    assert_int_equal(rig_try(r, words, n), ISA_FAULT);
    assert_int_equal(r->w.fault.kind, FAULT_REGISTER);
    assert_string_equal(r->w.fault.text, says);
    r->w.fault = (struct isa_fault){0};
}

static void past_the_allocation(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        struct rig r;
        open_wave(&r, unified[t], ARCH, 208);
        /* v_mov_b32_e32 v207, v0 */
        rig_run(&r, (uint32_t[]){0x7f9e0300}, 1);
        /* v_mov_b32_e32 v208, v0; v_accvgpr_read_b32 v0, a48; global_load_dwordx4 v[206:209], v[2:3], off */
        expect_fault(&r, (uint32_t[]){0x7fa00300}, 1, "v208 is past the wave's 208 allocated registers");
        expect_fault(&r, (uint32_t[]){0xd3d84000, 0x18000130}, 2, "a48 is past the wave's 48 allocated registers");
        expect_fault(&r, (uint32_t[]){0xdc5c8000, 0xce7f0002}, 2, "v209 is past the wave's 208 allocated registers");
        /* v_readlane_b32 s4, v208, 3 */
        expect_fault(&r, (uint32_t[]){0xd2890004, 0x000107d0}, 2, "v208 is past the wave's 208 allocated registers");
        rig_close(&r);
    }
}

/* gfx908: v200 is no AGPR, and there are no more VGPRs than AGPRs. */
static void two_files(void **state)
{
    struct rig r;

    (void)state;
    open_wave(&r, "gfx908", 128, 256);
    expect_fault(&r, (uint32_t[]){0x7f900301}, 1, "v200 is past the wave's 128 allocated registers");
    rig_close(&r);
}

/* s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC): the whole allocation in granules of 8, less one. */
static void gpr_alloc(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 3; t++) {
        struct rig r;
        open_wave(&r, unified[t], ARCH, 512);
        rig_run(&r, (uint32_t[]){0xb884f805}, 1);
        assert_int_equal(r.w.s[4] >> 8 & 0x3f, 63);
        /* no name reaches further than 255: v_mov_b32_e32 v255, v0; v_accvgpr_read_b32 v5, a255 */
        rig_run(&r, (uint32_t[]){0x7ffe0300, 0xd3d84005, 0x180001ff}, 3);
        assert_int_equal(rig_getv(&r, 255, 1), 1);
        assert_int_equal(rig_getv(&r, 5, 1), (ARCH + 255) << 8 | 1);
        rig_close(&r);
    }
}

static void one_name(void **state)
{
    static const struct {
        const char *target;
        struct isa_regref in, out[2];
        unsigned parts;
    } cases[] = {
        {"gfx90a", {RF_VGPR, 4, 156, 128, false}, {{RF_VGPR, 4, 156, 128, false}}, 1},
        {"gfx90a", {RF_VGPR, 4, 158, 128, true}, {{RF_VGPR, 2, 158, 64, true}, {RF_AGPR, 2, 0, 64, true}}, 2},
        {"gfx942", {RF_VGPR, 1, 200, 16, true}, {{RF_AGPR, 1, 40, 16, true}}, 1},
        {"gfx950", {RF_AGPR, 1, 200, 32, true}, {{RF_AGPR, 1, 200, 32, true}}, 1},
        {"gfx90a", {RF_SGPR, 2, 126, 64, false}, {{RF_SGPR, 2, 126, 64, false}}, 1},
        {"gfx908", {RF_VGPR, 1, 200, 32, true}, {{RF_VGPR, 1, 200, 32, true}}, 1},
        {"gfx1100", {RF_VGPR, 4, 158, 128, true}, {{RF_VGPR, 4, 158, 128, true}}, 1},
    };

    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct isa_target *t;
        struct isa_regref out[2];
        struct err e = {0};
        assert_int_equal(isa_target_open(&t, cases[k].target, NULL, &e), 0);
        assert_int_equal(isa_regref_in_file(t, ARCH, &cases[k].in, out), cases[k].parts);
        for (unsigned p = 0; p < cases[k].parts; p++) {
            assert_int_equal(out[p].file, cases[k].out[p].file);
            assert_int_equal(out[p].first, cases[k].out[p].first);
            assert_int_equal(out[p].count, cases[k].out[p].count);
            assert_int_equal(out[p].bits, cases[k].out[p].bits);
            assert_int_equal(out[p].write, cases[k].out[p].write);
        }
        isa_target_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_name), cmocka_unit_test(tuples),    cmocka_unit_test(past_the_allocation),
        cmocka_unit_test(two_files),   cmocka_unit_test(gpr_alloc), cmocka_unit_test(one_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Image instructions: text (as llvm-mc-19 --disassemble has it), the registers they touch, and that none is run. */
#include "tests/unit/isa/encoded.h"

static const struct image_case {
    const char *target;
    uint32_t words[5];
    const char *text; /* null: no instruction */
} cases[] = {
    {"gfx803", {0xf0001f00, 0x80020004}, "image_load v[0:3], v4, s[8:15] dmask:0xf unorm d16"},
    {"gfx803", {0xf0ecc300, 0x00820004}, "image_sample_c_d_cl_o v[0:1], v[4:7], s[8:15], s[16:19] dmask:0x3 r128 da"},
    {"gfx900", {0xf0208f00, 0x80020004}, "image_store v[0:1], v4, s[8:15] dmask:0xf a16 d16"},
    {"gfx900", {0xf1210100, 0x00820004}, "image_gather4_c v[0:4], v[4:5], s[8:15], s[16:19] dmask:0x1 tfe"},
    {"gfx900",
     {0xf0800100, 0x03430000},
     "image_sample v0, v0, s[12:19], xnack_mask/*Invalid register, operand has 'SReg_128' register class*/ dmask:0x1"},
    {"gfx908", {0xf0050100, 0x00020204}, "image_load_mip v[2:3], v4, s[8:15] dmask:0x1 tfe"},
    {"gfx90a", {0xf0810380, 0x00020304}, "image_sample a[3:4], v4, s[8:15], s[0:3] dmask:0x3 scc"},
    {"gfx1010",
     {0xf0880708, 0x00820004},
     "image_sample_d v[0:2], v[4:9], s[8:15], s[16:19] dmask:0x7 dim:SQ_RSRC_IMG_2D"},
    {"gfx1010",
     {0xf088278c, 0x00820004, 0x1e090107, 0x0000001f},
     "image_sample_d v[0:2], [v4, v7, v1, v9, v30, v31], s[8:15], s[16:19] dmask:0x7 dim:SQ_RSRC_IMG_2D glc dlc"},
    {"gfx1010",
     {0xf0ec0116, 0x00820501, 0x09070503, 0x110f0d0b, 0x00171513},
     "image_sample_c_d_cl_o v5, [v1, v3, v5, v7, v9, v11, v13, v15, v17, v19, v21, v23], s[8:15], s[16:19] dmask:0x1 "
     "dim:SQ_RSRC_IMG_3D"},
    {"gfx1010",
     {0xf0800302, 0x00820504, 0x00000706},
     "image_sample v5, [v4, v6, v7], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_1D"},
    {"gfx1010", {0xf0000f00, 0x0002fe04}, "image_load v254, v4, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D"},
    {"gfx1030",
     {0xf0402308, 0x00020408},
     "image_atomic_cmpswap v[4:5], v[8:9], s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_2D glc"},
    {"gfx1030", {0xf1989f01, 0x40010409}, "image_bvh_intersect_ray v[4:7], v[9:16], s[4:7] a16"},
    {"gfx1030",
     {0xf19c9f07, 0x00032732, 0x10111f2e, 0x1314150f, 0x2a282500},
     "image_bvh64_intersect_ray v[39:42], [v50, v46, v31, v17, v16, v15, v21, v20, v19, v0, v37, v40], s[12:15]"},
    {"gfx1030", {0xf2000f01, 0x00020004}, "image_msaa_load v[0:3], v4, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D slc"},
    {"gfx1100",
     {0xf0700715, 0x10020004, 0x1e090107},
     "image_sample_d v[0:2], [v4, v7, v1, v9, v[30:32]], s[8:15], s[16:19] dmask:0x7 dim:SQ_RSRC_IMG_2D_ARRAY"},
    {"gfx1100",
     {0xf0e80104, 0x10c20104},
     "image_sample_c_d_g16 v1, v[4:8], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D lwe"},
    {"gfx1100", {0xf0640f80, 0x00010409}, NULL},
    {"gfx1100",
     {0xf0698f81, 0x00032732, 0x2f28142e},
     "image_bvh64_intersect_ray v[39:42], [v[50:51], v46, v[20:22], v[40:42]], s[12:15] a16"},
    {"gfx1100", {0xf0600104, 0x00020004}, "image_msaa_load v[0:3], v[4:5], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"},
    {"gfx1100",
     {0xf0540f14, 0x00020004},
     "image_atomic_inc v[0:4], v[4:6], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY"},
    {"gfx1150",
     {0xf10d0100, 0x00020004},
     "image_sample_c_cl v0, v[4:5], s[8:15], s[0:3] dmask:0x1 dim:SQ_RSRC_IMG_1D a16"},
    {"gfx1200",
     {0xe5c70001, 0x08001000, 0x09010704},
     "image_sample_d v[0:2], [v4, v7, v1, v[9:11]], s[8:15], s[16:19] dmask:0x7 dim:SQ_RSRC_IMG_2D"},
    {"gfx1200",
     {0xd3c00015, 0x00981000, 0x00010704},
     "image_load v[0:4], [v4, v7, v1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY th:TH_LOAD_NT scope:SCOPE_DEV r128 "
     "tfe"},
    {"gfx1200",
     {0xd0430001, 0x00101000, 0x00000704},
     "image_atomic_add_uint v0, [v4, v7], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D th:TH_ATOMIC_RETURN"},
    {"gfx1200", {0xd3c00002, 0x00001000, 0x00000004}, "image_load v0, v4, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D"},
    {"gfx1200",
     {0xd3c68010, 0x2f001827, 0x28142e32},
     "image_bvh64_intersect_ray v[39:42], [v[50:51], v46, v[20:22], v[40:42], v[47:49]], s[12:15]"},
    {"gfx1200",
     {0xd3c64050, 0x00001827, 0x28142e32},
     "image_bvh_intersect_ray v[39:42], [v50, v46, v[20:22], v[40:42]], s[12:15] a16"},
    {"gfx1200",
     {0xe60a6021, 0x04001100, 0x00080704},
     "image_sample_lz_o v0, [v4, v7, v8], s[8:15], s[8:11] dmask:0x8 dim:SQ_RSRC_IMG_2D unorm lwe d16"},
    {"gfx1200",
     {0xd0400000, 0x00010000, 0x00000004},
     "image_load v0, v4, 0/*Invalid immediate*/ dmask:0x1 dim:SQ_RSRC_IMG_1D"},
    {"gfx1200", {0xe446c000, 0x00000000, 0x01000000}, NULL},
};

static unsigned decode(const struct isa_target *t, const uint32_t *words, struct isa_inst *i)
{
    uint8_t bytes[20];

    memcpy(bytes, words, sizeof bytes);
    return isa_decode(t, bytes, sizeof bytes, i, NULL);
}

static void test_text(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct isa_target *t = open_target(cases[k].target);
        struct isa_inst i;
        char text[300];
        unsigned bytes = decode(t, cases[k].words, &i);
        if (!cases[k].text) {
            assert_int_equal(bytes, 0);
        } else {
            isa_text(t, &i, text, sizeof text);
            assert_string_equal(text, cases[k].text);
        }
        isa_target_close(t);
    }
}

/* The words after an instruction belong to it, and it is none without them. */
static void test_length(void **state)
{
    struct isa_target *t = open_target("gfx1030");
    const uint32_t one[] = {0xf088278c, 0x00820004, 0x1e090107,
                            0x0000001f}; /* image_sample_d, two words of addresses */
    struct isa_inst i;
    (void)state;

    assert_int_equal(isa_decode(t, (const uint8_t *)one, 16, &i, NULL), 16);
    assert_int_equal(isa_decode(t, (const uint8_t *)one, 15, &i, NULL), 0);
    assert_int_equal(isa_decode(t, (const uint8_t *)one, 8, &i, NULL), 0);
    isa_target_close(t);
}

static bool touches(const struct isa_regref *refs, unsigned n, enum isa_regfile file, unsigned first, unsigned count,
                    bool write)
{
    for (unsigned k = 0; k < n; k++)
        if (refs[k].file == file && refs[k].first == first && refs[k].count == count && refs[k].write == write)
            return true;
    return false;
}

static unsigned vgpr_refs(const struct isa_regref *refs, unsigned n)
{
    unsigned found = 0;

    for (unsigned k = 0; k < n; k++)
        found += refs[k].file == RF_VGPR;
    return found;
}

static unsigned refs_of(const char *target, const uint32_t words[5], struct isa_regref refs[ISA_MAX_REGREFS])
{
    struct isa_target *t = open_target(target);
    struct isa_inst i;
    unsigned n;

    assert_int_not_equal(decode(t, words, &i), 0);
    n = isa_inst_regs(t, &i, 32, refs);
    isa_target_close(t);
    return n;
}

static void test_registers(void **state)
{
    struct isa_regref r[ISA_MAX_REGREFS];
    unsigned n;
    (void)state;

    /* image_sample_d v[0:2], [v4, v7, v1, v9, v[30:32]], s[8:15], s[16:19] */
    n = refs_of("gfx1100", (uint32_t[5]){0xf0700715, 0x10020004, 0x1e090107}, r);
    assert_int_equal(vgpr_refs(r, n), 6);
    assert_true(touches(r, n, RF_VGPR, 0, 3, true));
    assert_true(touches(r, n, RF_VGPR, 4, 1, false));
    assert_true(touches(r, n, RF_VGPR, 1, 1, false));
    assert_true(touches(r, n, RF_VGPR, 30, 3, false));
    assert_true(touches(r, n, RF_SGPR, 8, 8, false));
    assert_true(touches(r, n, RF_SGPR, 16, 4, false));

    /* one coordinate, though LLVM shows three addresses and one register of data: image_sample dmask:0x3 1D */
    n = refs_of("gfx1010", (uint32_t[5]){0xf0800302, 0x00820504, 0x00000706}, r);
    assert_int_equal(vgpr_refs(r, n), 2);
    assert_true(touches(r, n, RF_VGPR, 5, 2, true));
    assert_true(touches(r, n, RF_VGPR, 4, 1, false));

    /* three coordinates, though LLVM shows one: image_load v[0:3], [v4, v0, v0] 3D */
    n = refs_of("gfx1200", (uint32_t[5]){0xd3c00002, 0x00001000, 0x00000004}, r);
    assert_int_equal(vgpr_refs(r, n), 3); /* v0 is read once */
    assert_true(touches(r, n, RF_VGPR, 0, 4, true));
    assert_true(touches(r, n, RF_VGPR, 4, 1, false));
    assert_true(touches(r, n, RF_VGPR, 0, 1, false));

    /* past the last register: what is there */
    n = refs_of("gfx1010", (uint32_t[5]){0xf0000f00, 0x0002fe04}, r);
    assert_true(touches(r, n, RF_VGPR, 254, 2, true));

    /* data and comparand in, the old value out; lwe has a status like tfe; r128 makes the descriptor four registers */
    n = refs_of("gfx1030", (uint32_t[5]){0xf0402308, 0x00020408}, r);
    assert_true(touches(r, n, RF_VGPR, 4, 2, false));
    assert_true(touches(r, n, RF_VGPR, 4, 1, true));
    n = refs_of("gfx1030", (uint32_t[5]){0xf0028f00, 0x00020004}, r);
    assert_true(touches(r, n, RF_VGPR, 0, 5, true));
    assert_true(touches(r, n, RF_SGPR, 8, 4, false));

    /* a store reads; without glc an atomic writes nothing */
    n = refs_of("gfx900", (uint32_t[5]){0xf0208f00, 0x80020004}, r);
    assert_true(touches(r, n, RF_VGPR, 0, 2, false));
    n = refs_of("gfx1030", (uint32_t[5]){0xf0400308, 0x00020408}, r);
    assert_int_equal(vgpr_refs(r, n), 2);

    /* the most there is: twelve addresses */
    n = refs_of("gfx1010", (uint32_t[5]){0xf0ec0116, 0x00820501, 0x09070503, 0x110f0d0b, 0x00171513}, r);
    assert_int_equal(vgpr_refs(r, n), 13);
    assert_true(touches(r, n, RF_VGPR, 23, 1, false));
    assert_true(touches(r, n, RF_SGPR, CODE_EXEC_LO, 1, false));
}

static uint32_t counters(const char *target, const uint32_t words[5])
{
    struct isa_target *t = open_target(target);
    struct isa_inst i;
    uint32_t c;

    assert_int_not_equal(decode(t, words, &i), 0);
    c = isa_inst_counters(t, &i);
    isa_target_close(t);
    return c;
}

static void test_counters(void **state)
{
    (void)state;
    /* gfx12: image_load, image_sample_d, image_bvh_intersect_ray, image_atomic_add_uint without return */
    assert_int_equal(counters("gfx1200", (uint32_t[5]){0xd3c00000, 0x00001000, 4}), 1u << WAIT_LOAD);
    assert_int_equal(counters("gfx1200", (uint32_t[5]){0xe5c70001, 0x08001000, 0x09010704}), 1u << WAIT_SAMPLE);
    assert_int_equal(counters("gfx1200", (uint32_t[5]){0xd3c64050, 0x00001827, 0x28142e32}), 1u << WAIT_BVH);
    assert_int_equal(counters("gfx1200", (uint32_t[5]){0xd0430001, 0x00001000, 0x0704}), 1u << WAIT_STORE);
    assert_int_equal(counters("gfx1030", (uint32_t[5]){0xf0202700, 0x00020004}), 1u << WAIT_VS);
    assert_int_equal(counters("gfx900", (uint32_t[5]){0xf0208f00, 0x80020004}), 1u << WAIT_VM);
}

static void test_not_executed(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd3c00000, 0x00001000, 0x00000004}, 3), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_UNIMPLEMENTED);
    assert_non_null(strstr(r.w.fault.text, "image_load is not supported by gcnsim"));
    rig_close(&r);

    /* the descriptor is a constant: illegal, not merely unsupported */
    rig_open(&r, "gfx1201", 32);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd0400000, 0x00010000, 0x00000004}, 3), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),     cmocka_unit_test(test_length),       cmocka_unit_test(test_registers),
        cmocka_unit_test(test_counters), cmocka_unit_test(test_not_executed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

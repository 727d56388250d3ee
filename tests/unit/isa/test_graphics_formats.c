/* Exports, interpolation, direct LDS loads, GDS and global wave sync: decoded and printed, never executed. Words and
 * texts are llvm-mc-19's (--disassemble).
 */
#include "tests/unit/isa/encoded.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

/* clang-format off */
static const struct encoded known[] = {
        {"gfx803", {0xc400000f, 0x04030201}, "exp mrt0 v1, v2, v3, v4"},
        {"gfx803", {0xc4001891, 0x00000005}, "exp null v5, off, off, off done vm"},
        {"gfx803", {0xc4000ccf, 0x00000a09}, "exp pos0 v9, v9, v10, v10 done compr"},
        {"gfx803", {0xc40002a5, 0xff00fe00}, "exp param10 v0, off, v0, off"},
        {"gfx803", {0xc400021f, 0x04030201}, "exp param1 v1, v2, v3, v4"},
        {"gfx803", {0xc40001ff, 0x04030201}, "exp invalid_target_31 v1, v2, v3, v4"},
        {"gfx803", {0xc4fff3f0, 0x04030201}, "exp param31 off, off, off, off vm"},
        {"gfx1030", {0xf800014f, 0x04030201}, "exp prim v1, v2, v3, v4"},
        {"gfx1030", {0xf800010c, 0x04030201}, "exp pos4 off, off, v3, v4"},
        {"gfx1030", {0xf8001495, 0x00000007}, "exp null v7, off, v0, off compr vm"},
        {"gfx1100", {0xf8002941, 0x00000001}, "exp prim v1, off, off, off done row_en"},
        {"gfx1100", {0xf800015f, 0x04030201}, "exp dual_src_blend0 v1, v2, v3, v4"},
        {"gfx1100", {0xf800009f, 0x04030201}, "exp invalid_target_9 v1, v2, v3, v4"},
        {"gfx1100", {0xf800020f, 0x04030201}, "exp invalid_target_32 v1, v2, v3, v4"},
        {"gfx1100", {0xf800140f, 0x04030201}, "exp mrt0 v1, v2, v3, v4"},
        {"gfx1201", {0xf8000803, 0x0000ff00}, "export mrt0 v0, v255, off, off done"},
        {"gfx1201", {0xf800214f, 0x04030201}, "export prim v1, v2, v3, v4 row_en"},
        {"gfx803", {0xd4141e01}, "v_interp_p1_f32_e32 v5, v1, attr7.z"},
        {"gfx803", {0xd4150009}, "v_interp_p2_f32_e32 v5, v9, attr0.x"},
        {"gfx803", {0xd416fe01}, "v_interp_mov_f32_e32 v5, p20, attr63.z"},
        {"gfx803", {0xd41684ff}, "v_interp_mov_f32_e32 v5, invalid_param_255, attr33.x"},
        {"gfx803", {0xd2708205, 0x480202c5}, "v_interp_p1_f32_e64 v5, -|v1|, attr5.w clamp mul:2"},
        {"gfx803", {0xd2720005, 0x08000445}, "v_interp_mov_f32_e64 v5, p0, attr5.y mul:2"},
        {"gfx803", {0xd2740005, 0x000205c5}, "v_interp_p1ll_f16 v5, v2, attr5.w high"},
        {"gfx803", {0xd2758605, 0xc4060345}, "v_interp_p1lv_f16 v5, -|v1|, attr5.y, -|v1| high clamp"},
        {"gfx803", {0xd2760005, 0x04060345}, "v_interp_p2_f16 v5, v1, attr5.y, v1 high"},
        {"gfx803", {0xd2710005, 0x00020245}, "v_interp_p2_f32_e64 v5, v1, attr5.y"},
        {"gfx900", {0xd2760005, 0x04060245}, "v_interp_p2_legacy_f16 v5, v1, attr5.y, v1"},
        {"gfx900", {0xd2778005, 0x04060345}, "v_interp_p2_f16 v5, v1, attr5.y, v1 high clamp"},
        {"gfx1010", {0xc8161e02}, "v_interp_mov_f32_e32 v5, p0, attr7.z"},
        {"gfx1010", {0xd6010005, 0x18020245}, "v_interp_p2_f32_e64 v5, v1, attr5.y div:2"},
        {"gfx1010", {0xd7420205, 0x00020345}, "v_interp_p1ll_f16 v5, |v1|, attr5.y high"},
        {"gfx1010", {0xd75a0005, 0x0405fe45, 0x3f800000}, "v_interp_p2_f16 v5, 1.0/*Invalid immediate*/, attr5.y, v1"},
        {"gfx1010", {0xd7430005, 0x0201e245}, "v_interp_p1lv_f16 v5, -0.5/*Invalid immediate*/, attr5.y, 0/*Invalid immediate*/"},
        {"gfx1100", {0xcd000205, 0x040e0501}, "v_interp_p10_f32 v5, v1, v2, v3 wait_exp:2"},
        {"gfx1100", {0xcd018705, 0x240e0501}, "v_interp_p2_f32 v5, -v1, v2, v3 clamp wait_exp:7"},
        {"gfx1100", {0xcd02f905, 0xc40e0501}, "v_interp_p10_f16_f32 v5, v1, -v2, -v3 clamp op_sel:[1,1,1,1] wait_exp:1"},
        {"gfx1100", {0xcd030005, 0x040e0481}, "v_interp_p2_f16_f32 v5, 1/*Invalid immediate*/, v2, v3 wait_exp:0"},
        {"gfx1100", {0xcd050005, 0x03fe0501, 0x00003c00}, "v_interp_p2_rtz_f16_f32 v5, v1, v2, 0x3c00/*Invalid immediate*/ wait_exp:0"},
        {"gfx1100", {0xcd040000, 0x000202fd}, "v_interp_p10_rtz_f16_f32 v0, src_scc, v1, s0/*Invalid register, operand has 'VGPR_32' register class*/ wait_exp:0"},
        {"gfx1100", {0xce090305}, "lds_param_load v5, attr0.w wait_vdst:9"},
        {"gfx1100", {0xce1f0005}, "lds_direct_load v5 wait_vdst:15"},
        {"gfx1200", {0xce8f0f05}, "ds_param_load v5, attr3.w wait_va_vdst:15 wait_vm_vsrc:1"},
        {"gfx1200", {0xce130005}, "ds_direct_load v5 wait_va_vdst:3 wait_vm_vsrc:0"},
        {"gfx1200", {0xce938105}, "ds_direct_load v5 wait_va_vdst:3 wait_vm_vsrc:1"},
        {"gfx1200", {0xcdc4fa9b, 0x04020300}, "v_interp_p10_rtz_f16_f32 v155, v0, v1, v0 clamp op_sel:[1,1,1,1] wait_exp:2"},
        {"gfx803", {0xd9330040, 0x00000001}, "ds_gws_init v1 offset:64 gds"},
        {"gfx803", {0xd9310000, 0x00000000}, "ds_gws_sema_release_all gds"},
        {"gfx803", {0xd9350008, 0x00000000}, "ds_gws_sema_v offset:8 gds"},
        {"gfx803", {0xd9370000, 0x000000ff}, "ds_gws_sema_br v255 gds"},
        {"gfx803", {0xd9390000, 0x00000000}, "ds_gws_sema_p gds"},
        {"gfx803", {0xd93b0000, 0x00000002}, "ds_gws_barrier v2 gds"},
        {"gfx803", {0xd97f1234, 0x05000006}, "ds_ordered_count v5, v6 offset:4660 gds"},
        {"gfx803", {0xd86d0000, 0x01000002}, "ds_read_b32 v1, v2 gds"},
        {"gfx90a", {0xdb3bd40e, 0x00000001}, "ds_gws_barrier a1 offset:54286 gds"},
        {"gfx90a", {0xd86d0000, 0x01000002}, "ds_read_b32 v1, v2"},
        {"gfx1030", {0xd8fe0010, 0x05000006}, "ds_ordered_count v5, v6 offset:16 gds"},
        {"gfx1030", {0xd8760000, 0x00000003}, "ds_gws_barrier v3 gds"},
        {"gfx1030", {0xd8da0000, 0x01000002}, "ds_read_b32 v1, v2 gds"},
        {"gfx1100", {0xd9ea0020, 0x02000300}, "ds_add_gs_reg_rtn v[2:3], v3 offset:32 gds"},
        {"gfx1100", {0xdab40000, 0x05060304}, "ds_bvh_stack_rtn_b32 v5, v4, v3, v[6:9]"},
};

/* What LLVM rejects: fields that must be zero, the gds bit where it must or must not be, opcodes a target lost,
 * tuples past v255. */
static const struct encoded rejected[] = {
        {"gfx803", {0xd9320040, 0x00000001}, ""},
        {"gfx803", {0xd87f0000, 0x00000001}, ""},
        {"gfx803", {0xd4170000}, ""},
        {"gfx803", {0xd2700105, 0x00020245}, ""},
        {"gfx803", {0xd2700005, 0x20020245}, ""},
        {"gfx803", {0xd2700005, 0x00020345}, ""},
        {"gfx803", {0xd2720205, 0x00000045}, ""},
        {"gfx803", {0xd2760005, 0x0c060245}, ""},
        {"gfx90a", {0xc400000f, 0x04030201}, ""},
        {"gfx90a", {0xd4141e01}, ""},
        {"gfx90a", {0xd2700005, 0x00020245}, ""},
        {"gfx90a", {0xd97f1234, 0x05000006}, ""},
        {"gfx1010", {0xdace0000, 0x01000201}, ""},
        {"gfx1100", {0xcd000805, 0x040e0501}, ""},
        {"gfx1100", {0xcd060005, 0x040e0501}, ""},
        {"gfx1100", {0xce200000}, ""},
        {"gfx1100", {0xce400000}, ""},
        {"gfx1100", {0xd9ea0020, 0xff000300}, ""},
        {"gfx1100", {0xdab60000, 0x05060304}, ""},
        {"gfx1200", {0xce400000}, ""},
        {"gfx1200", {0xd8fe0010, 0x05000006}, ""},
        {"gfx1200", {0xd8660000, 0x00000001}, ""},
        {"gfx1200", {0xd8da0000, 0x01000002}, ""},
        {"gfx1200", {0xcd100005, 0x040e0501}, ""},
        {"gfx1100", {0xce7f0305}, ""},
        {"gfx1100", {0xd9ee0000, 0xff000300}, ""},
        {"gfx1010", {0xd8640000, 0x00000001}, ""},
};
/* clang-format on */

static void test_texts(void **state)
{
    (void)state;
    expect_texts(known, COUNT(known));
}

static void test_rejected(void **state)
{
    (void)state;
    expect_rejected(rejected, COUNT(rejected));
}

/* Running one says so: not supported, or illegal where an operand is none of its kind. */
static void test_faults(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        struct rig r;
        if (strncmp(known[k].text, "ds_gws_", 7) == 0) /* global wave sync is executed: test_gws.c */
            continue;
        rig_open(&r, known[k].target, 64);
        bool ill_formed = strstr(known[k].text, "/*Invalid") != NULL;
        assert_int_equal(rig_try(&r, known[k].words, COUNT(known[k].words)), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, ill_formed ? FAULT_ILLEGAL : FAULT_UNIMPLEMENTED);
        if (!ill_formed)
            assert_non_null(strstr(r.w.fault.text, "is not supported by gcnsim"));
        rig_close(&r);
    }
}

/* "v1 v2 m0 exec > v5": vector registers, M0 and EXEC read and written, each once, in order. */
static void list_registers(const struct isa_target *t, const struct isa_inst *i, char *out, size_t size)
{
    struct isa_regref refs[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(t, i, 64, refs);
    size_t len = 0;

    out[0] = 0;
    for (unsigned write = 0; write < 2; write++) {
        if (write)
            len += (size_t)snprintf(out + len, size - len, ">");
        for (unsigned r = 0; r < 3 * 256; r++) {
            unsigned file = r < 256 ? RF_VGPR : r < 512 ? RF_AGPR : RF_SGPR, reg = r % 256;
            bool named = false;
            for (unsigned k = 0; k < n; k++)
                named |= refs[k].file == file && refs[k].write == write && reg >= refs[k].first &&
                         reg < refs[k].first + refs[k].count;
            if (!named || (file == RF_SGPR && reg == CODE_EXEC_HI))
                continue;
            if (file == RF_SGPR && reg != t->code_m0 && reg != CODE_EXEC_LO)
                fail_msg("%s touches source %u", i->mnemonic, reg);
            if (file == RF_SGPR)
                len += (size_t)snprintf(out + len, size - len, "%s ", reg == CODE_EXEC_LO ? "exec" : "m0");
            else
                len += (size_t)snprintf(out + len, size - len, "%c%u ", file == RF_AGPR ? 'a' : 'v', reg);
            assert_true(len < size);
        }
    }
}

static void test_registers(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[2];
        const char *registers;
    } v[] = {
        {"gfx803", {0xc400000f, 0x04030201}, "v1 v2 v3 v4 exec >"},
        {"gfx803", {0xc4000ccf, 0x00000a09}, "v9 v10 exec >"}, /* packed */
        {"gfx803", {0xc40002a5, 0xff00fe00}, "v0 exec >"},     /* off is no register */
        {"gfx803", {0xc400000a, 0x04030201}, "v2 v4 exec >"},
        {"gfx1030", {0xf8001495, 0x00000007}, "v0 v7 exec >"}, /* packed, one source off */
        {"gfx1100", {0xf8002941, 0x00000001}, "v1 m0 exec >"}, /* a row of a primitive */
        {"gfx1201", {0xf8000803, 0x0000ff00}, "v0 v255 exec >"},
        {"gfx803", {0xd4141e01}, "v1 m0 exec >v5 "},           /* p1 */
        {"gfx803", {0xd4150009}, "v5 v9 m0 exec >v5 "},        /* p2 adds to its destination */
        {"gfx803", {0xd416fe01}, "m0 exec >v5 "},              /* mov of a parameter */
        {"gfx1010", {0xd6020005, 0x00020245}, "m0 exec >v5 "}, /* whose VOP3 field could be a register's */
        {"gfx1010", {0xd7430005, 0x04260345}, "v1 v9 m0 exec >v5 "},
        {"gfx1100", {0xcd010005, 0x040e0501}, "v1 v2 v3 exec >v5 "},
        {"gfx1100", {0xce090305}, "m0 exec >v5 "},
        {"gfx1200", {0xce130005}, "m0 exec >v5 "},
        {"gfx803", {0xd9330040, 0x00000001}, "v1 m0 exec >"},
        {"gfx803", {0xd9310000, 0x00000000}, "m0 exec >"},
        {"gfx90a", {0xdb3bd40e, 0x00000001}, "a1 m0 exec >"}, /* the data may be an AGPR */
        {"gfx803", {0xd97f1234, 0x05000006}, "v6 m0 exec >v5 "},
        {"gfx1100", {0xd9ea0020, 0x02000300}, "v3 exec >v2 v3 "},
        {"gfx1100", {0xdab40000, 0x05060304}, "v3 v4 v6 v7 v8 v9 exec >v4 v5 "},
    };
    for (size_t k = 0; k < COUNT(v); k++) {
        struct isa_target *t = open_target(v[k].target);
        struct isa_inst i;
        char got[200];
        assert_true(isa_decode(t, (const uint8_t *)v[k].words, sizeof v[k].words, &i, NULL));
        list_registers(t, &i, got, sizeof got);
        assert_string_equal(got, v[k].registers);
        isa_target_close(t);
    }
}

/* What waits for them: exports and direct LDS loads count in expcnt, GDS in lgkmcnt too. */
static void test_counted(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        uint32_t words[2];
        uint32_t counters;
    } v[] = {
        {"gfx803", {0xc400000f, 0x04030201}, 1u << WAIT_EXP},
        {"gfx1201", {0xf8000803, 0x0000ff00}, 1u << WAIT_EXP},
        {"gfx1100", {0xce090305}, 1u << WAIT_EXP},
        {"gfx1200", {0xce130005}, 1u << WAIT_EXP},
        {"gfx803", {0xd9330040, 0x00000001}, 1u << WAIT_EXP | 1u << WAIT_LGKM},
        {"gfx803", {0xd4141e01}, 0},
    };
    for (size_t k = 0; k < COUNT(v); k++) {
        struct isa_target *t = open_target(v[k].target);
        struct isa_inst i;
        assert_true(isa_decode(t, (const uint8_t *)v[k].words, sizeof v[k].words, &i, NULL));
        assert_int_equal(isa_inst_counters(t, &i), v[k].counters);
        isa_target_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),     cmocka_unit_test(test_rejected), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* isa_inst_sched: the scheduling facts of instructions of each kind, one line of text each. Encodings are llvm-mc-19's;
 * registers, counters and dwords sent are read off the manuals' descriptions of the instructions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/sched.h"

struct sched_case {
    const char *target;
    unsigned lanes;
    uint32_t w[3];
    const char *text; /* LLVM's */
    const char *facts;
};

static const struct sched_case cases[] = {
    {"gfx1201",
     32,
     {0x06000501},
     "v_add_f32_e32 v0, v1, v2",
     "valu_dual size=4 reads v1+1 v2+1 s126+1 writes v0+1 vector"},
    {"gfx1030",
     64,
     {0x7e0002fa, 0xff00e401},
     "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
     "valu_dual size=8 reads v1+1 s126+2 writes v0+1 vector dpp"},
    {"gfx900",
     64,
     {0xd0420002, 0x00020501},
     "v_cmp_eq_f32_e64 s[2:3], v1, v2",
     "valu size=8 reads v1+1 v2+1 s126+2 writes s2+2 vector"},
    /* lane access waits for EXEC in the issue logic although the result does not depend on it */
    {"gfx900",
     64,
     {0xd2890000, 0x00010501},
     "v_readlane_b32 s0, v1, 2",
     "cross size=8 reads v1+1 s126+2 writes s0+1 vector"},
    /* messages: one of them concerns the VGPRs, where the target has it */
    {"gfx1201",
     32,
     {0xbfb60003},
     "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)",
     "message size=4 special=dealloc imm=0x3 "
     "counters=kmcnt reads s125+1"},
    {"gfx1201",
     32,
     {0xbfb60083},
     "s_sendmsg sendmsg(MSG_RTN_GET_REALTIME)",
     "message size=4 imm=0x83 counters=kmcnt reads s125+1"},
    {"gfx1030",
     32,
     {0xbf900003},
     "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)",
     "message size=4 imm=0x3 counters=lgkmcnt reads s124+1"},
    {"gfx900", 64, {0xbf800004}, "s_nop 4", "internal size=4 special=nop imm=0x4"},
    {"gfx900", 64, {0xbf810000}, "s_endpgm", "internal size=4 ends"},
    {"gfx900", 64, {0xbf8a0000}, "s_barrier", "internal size=4 signals"},
    {"gfx1201", 32, {0xbe804ec1}, "s_barrier_signal -1", "internal size=4 signals"},
    {"gfx900", 64, {0xbf8c0073}, "s_waitcnt vmcnt(3) lgkmcnt(0)", "internal size=4 imm=0x73 wait vmcnt:3 lgkmcnt:0"},
    {"gfx1201", 32, {0xbfc80201}, "s_wait_loadcnt_dscnt 0x201", "internal size=4 imm=0x201 wait loadcnt:2 dscnt:1"},
    {"gfx1201", 32, {0xbfa00004}, "s_branch 4", "branch size=4 imm=0x4"},
    /* hardware registers */
    {"gfx900", 64, {0xb882f801}, "s_getreg_b32 s2, hwreg(HW_REG_MODE)", "salu size=4 imm=0xf801 get writes s2+1"},
    {"gfx900",
     64,
     {0xb902f801},
     "s_setreg_b32 hwreg(HW_REG_MODE), s2",
     "salu_saveexec size=4 imm=0xf801 set reads s2+1 mode"},
    {"gfx1030", 32, {0xbfa40003}, "s_round_mode 0x3", "salu size=4 mode"},
    /* lanes that are left alone are not read */
    {"gfx1100",
     32,
     {0xd65c0005, 0x000c0506},
     "v_permlanex16_b32 v5, v6, s2, s3",
     "cross size=8 reads v6+1 s2+1 s3+1 s126+1 writes v5+1 vector"},
    {"gfx1100",
     32,
     {0xd65c0005, 0x000c0505},
     "v_permlanex16_b32 v5, v5, s2, s3",
     "cross size=8 reads v5+1 s2+1 s3+1 v5+1 s126+1 writes v5+1 vector"},
    /* matrix: C of MFMA is src2, of SMFMAC the destination; a constant is no register */
    {"gfx908",
     64,
     {0xd3c00000, 0x04820300},
     "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[32:63]",
     "mfma size=8 reads v0+1 v1+1 a32+32 s126+2 writes a0+32 vector f32 passes=16 addend a32+32"},
    {"gfx942",
     64,
     {0xd3e20000, 0x042a0d04},
     "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v10",
     "mfma size=8 reads v0+4 v4+2 v6+4 v10+1 s126+2 writes v0+4 vector sparse passes=4 addend v0+4"},
    {"gfx90a",
     64,
     {0xd3ef0000, 0x02020902},
     "v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], 0",
     "mfma size=8 reads v2+2 v4+2 s126+2 writes v0+2 vector f64_4x4 passes=4"},
    {"gfx1100",
     32,
     {0xcc404000, 0x1c022108},
     "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
     "wmma size=8 reads v8+8 v16+8 v0+8 s126+1 writes v0+8 vector passes=8 addend v0+8"},
    /* memory: what goes where */
    {"gfx900",
     64,
     {0xc00e0201, 0},
     "s_load_dwordx8 s[8:15], s[2:3], 0x0",
     "smem size=8 counters=lgkmcnt reads s2+2 writes s8+8 bytes=32"},
    {"gfx900",
     64,
     {0xdd088000, 0x007f0402},
     "global_atomic_add v[2:3], v4, off",
     "vmem_atomic size=8 counters=vmcnt reads v2+2 v4+1 s126+2 vector bytes=4 data=1 scope=2 crosses"},
    {"gfx900",
     64,
     {0xdd058000, 0x017f0402},
     "global_atomic_cmpswap v1, v[2:3], v[4:5], off glc",
     "vmem_atomic size=8 counters=vmcnt reads v2+2 v4+2 s126+2 writes v1+1 vector bytes=4 data=2 compares scope=2 "
     "crosses"},
    {"gfx900",
     64,
     {0xdd848000, 0x007f0402},
     "global_atomic_cmpswap_x2 v[2:3], v[4:7], off",
     "vmem_atomic size=8 counters=vmcnt reads v2+2 v4+4 s126+2 vector bytes=8 data=4 compares scope=2 crosses"},
    {"gfx900",
     64,
     {0xdc780000, 0x00000402},
     "flat_store_dwordx3 v[2:3], v[4:6]",
     "flat_store size=8 counters=vmcnt,lgkmcnt reads v2+2 v4+3 s126+2 s102+2 vector bytes=12 data=3 lds=4"},
    {"gfx900",
     64,
     {0xdc510000, 0x01000002},
     "flat_load_dword v1, v[2:3] glc",
     "flat_load size=8 counters=vmcnt,lgkmcnt reads v2+2 s126+2 s102+2 writes v1+1 vector bytes=4 lds=1 scope=2 "
     "crosses"},
    {"gfx900",
     64,
     {0xdc500000, 0x01000002},
     "flat_load_dword v1, v[2:3]",
     "flat_load size=8 counters=vmcnt,lgkmcnt reads v2+2 s126+2 s102+2 writes v1+1 vector bytes=4 lds=1"},
    {"gfx900",
     64,
     {0xd89c0000, 0x00040201},
     "ds_write2_b64 v1, v[2:3], v[4:5]",
     "lds_store size=8 counters=lgkmcnt reads v1+1 v2+2 v4+2 s126+2 vector bytes=8 lds=5"},
    /* the half that stays in the destination is read there and not sent */
    {"gfx900",
     64,
     {0xd8b60000, 0x01000002},
     "ds_read_u16_d16_hi v1, v2",
     "lds_load size=8 counters=lgkmcnt reads v1+1 v2+1 s126+2 writes v1+1 vector bytes=2 lds=1"},
    {"gfx1201",
     32,
     {0xee05007c, 0x00000000, 0x00000002},
     "global_load_b32 v0, v[2:3], off",
     "vmem_load size=12 counters=loadcnt reads v2+2 s126+1 writes v0+1 vector bytes=4"},
    {"gfx1201",
     32,
     {0xee05007c, 0x00040000, 0x00000002},
     "global_load_b32 v0, v[2:3], off scope:SCOPE_SE",
     "vmem_load size=12 counters=loadcnt reads v2+2 s126+1 writes v0+1 vector bytes=4 scope=1 crosses"},
    {"gfx1201",
     32,
     {0xee0ac07c, 0x00080000, 0},
     "global_inv scope:SCOPE_DEV",
     "cache_ctrl size=12 counters=loadcnt reads s126+1 vector scope=2 control=0x1"},
    {"gfx1201", 32, {0xf4042000, 0}, "s_dcache_inv", "smem size=8 counters=kmcnt control=0x21"},
    {"gfx1030",
     32,
     {0xf800180f, 0x03020100},
     "exp mrt0 v0, v1, v2, v3 done vm",
     "export size=8 counters=expcnt reads v0+1 v1+1 v2+1 v3+1 s126+1 vector"},
};

static char out[400];

static void put(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *fmt, ...)
{
    size_t n = strlen(out);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(out + n, sizeof out - n, fmt, ap);
    va_end(ap);
}

static void put_reg(const struct isa_regref *r)
{
    static const char file[] = {[RF_SGPR] = 's', [RF_VGPR] = 'v', [RF_AGPR] = 'a', [RF_SCC] = 'c'};

    assert_true(r->file < sizeof file);
    put(" %c%u+%u", file[r->file], r->first, r->count);
}

static void put_registers(const struct isa_sched *s)
{
    for (unsigned k = 0; k < (unsigned)s->reads + s->writes; k++) {
        if (k == 0 && s->reads)
            put(" reads");
        if (k == s->reads)
            put(" writes");
        assert_int_equal(s->reg[k].write, k >= s->reads);
        put_reg(&s->reg[k]);
    }
}

static void put_memory(const struct isa_sched_mem *m)
{
    if (m->bytes)
        put(" bytes=%u", m->bytes);
    if (m->data_dwords)
        put(" data=%u", m->data_dwords);
    if (m->lds_dwords)
        put(" lds=%u", m->lds_dwords);
    if (m->compares)
        put(" compares");
    if (m->hint.scope)
        put(" scope=%u", m->hint.scope);
    if (m->crosses_cu)
        put(" crosses");
}

static void put_facts(const struct isa_sched *s)
{
    static const char *const special[] = {[ISA_SPECIAL_NOP] = "nop", [ISA_SPECIAL_DEALLOC_VGPRS] = "dealloc"};
    static const char *const kinds[] = {
#define X(E, KEY, ABOUT) KEY,
        OP_MATRIX_KINDS(X)
#undef X
    };

    out[0] = 0;
    put("%s size=%u", op_class_key[s->cls], s->size_bytes);
    if (s->special)
        put(" special=%s", s->special <= ISA_SPECIAL_DEALLOC_VGPRS && special[s->special] ? special[s->special] : "?");
    if (s->simm16 && s->category >= OPCAT_BRANCH)
        put(" imm=0x%x", s->simm16);
    else if (s->hwreg)
        put(" imm=0x%x %s", s->simm16, s->hwreg == ISA_HWREG_SET ? "set" : "get");
    for (unsigned c = 0, n = 0; c < WAIT_COUNT; c++)
        if (s->counters >> c & 1)
            put("%s%s", n++ ? "," : " counters=", wait_counter_key[c]);
    for (unsigned k = 0; k < s->wait_count; k++)
        put("%s %s:%u", k ? "" : " wait", wait_counter_key[s->wait[k].counter], s->wait[k].threshold);
    put_registers(s);
    put("%s%s%s%s%s", s->vector ? " vector" : "", s->dpp ? " dpp" : "", s->ends ? " ends" : "",
        s->signals ? " signals" : "", s->writes_mode ? " mode" : "");
    if (s->cls == OPC_MFMA)
        put(" %s", kinds[s->matrix_kind]);
    if (s->matrix)
        put(" passes=%u", s->matrix->passes);
    if (s->addend.count) {
        put(" addend");
        put_reg(&s->addend);
    }
    put_memory(&s->mem);
    if (s->cache_control)
        put(" control=0x%x", s->cache_control);
}

static void facts_of_each_kind(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct sched_case *c = &cases[k];
        struct isa_target *t;
        struct isa_inst i;
        struct isa_sched s;
        char text[200];
        struct err e = {0};

        assert_int_equal(isa_target_open(&t, c->target, NULL, &e), 0);
        assert_int_not_equal(isa_decode(t, (const uint8_t *)c->w, sizeof c->w, &i, NULL), 0);
        isa_text(t, &i, text, sizeof text);
        assert_string_equal(text, c->text);
        isa_inst_sched(t, &i, c->lanes, &s);
        put_facts(&s);
        if (strcmp(out, c->facts)) {
            print_error("%s %s:\n  %s\n  expected %s\n", c->target, c->text, out, c->facts);
            wrong++;
        }
        isa_target_close(t);
    }
    assert_int_equal(wrong, 0);
}

/* What LLVM makes of the fences and atomics of a workgroup is not for others; what it makes of the device's is. */
static void talk_between_workgroups(void **state)
{
    static const struct {
        const char *target;
        uint32_t w[3];
        const char *text;
        bool talks;
    } all[] = {
        {"gfx90a", {0xe0fc0000, 0}, "buffer_wbinvl1_vol", true},
        {"gfx90a", {0xe0a00000, 0}, "buffer_wbl2", true},
        {"gfx90a", {0xdc518000, 0x017f0002}, "global_load_dword v1, v[2:3], off glc", true},
        {"gfx90a", {0xdc508000, 0x017f0002}, "global_load_dword v1, v[2:3], off", false},
        {"gfx90a", {0xc0800000, 0}, "s_dcache_inv", true},
        {"gfx942", {0xe0a44000, 0}, "buffer_inv sc0", false},
        {"gfx942", {0xe0a48000, 0}, "buffer_inv sc1", true},
        {"gfx942", {0xdc518000, 0x017f0002}, "global_load_dword v1, v[2:3], off sc0", false},
        {"gfx942", {0xde508000, 0x017f0002}, "global_load_dword v1, v[2:3], off sc1", true},
        {"gfx1030", {0xe1c40000, 0}, "buffer_gl0_inv", false},
        {"gfx1030", {0xe1c80000, 0}, "buffer_gl1_inv", true},
        {"gfx1030", {0xdc318000, 0x017d0002}, "global_load_dword v1, v[2:3], off glc", false},
        {"gfx1030", {0xdc319000, 0x017d0002}, "global_load_dword v1, v[2:3], off glc dlc", true},
        {"gfx1201", {0xee0ac07c, 0x00040000, 0}, "global_inv scope:SCOPE_SE", false},
        {"gfx1201", {0xee0ac07c, 0x00080000, 0}, "global_inv scope:SCOPE_DEV", true},
        {"gfx1201", {0xee0b007c, 0x00040000, 0}, "global_wb scope:SCOPE_SE", false},
        {"gfx1201", {0xee05007c, 0x00040001, 2}, "global_load_b32 v1, v[2:3], off scope:SCOPE_SE", false},
        {"gfx1201", {0xee05007c, 0x00080001, 2}, "global_load_b32 v1, v[2:3], off scope:SCOPE_DEV", true},
        {"gfx1201", {0xee0d407c, 0x00800000, 2}, "global_atomic_add_u32 v[2:3], v1, off", true},
        {"gfx1201", {0x7e020302}, "v_mov_b32_e32 v1, v2", false},
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        struct isa_target *t;
        struct isa_inst i;
        struct isa_sched s;
        char text[200];
        struct err e = {0};

        assert_int_equal(isa_target_open(&t, all[k].target, NULL, &e), 0);
        assert_int_not_equal(isa_decode(t, (const uint8_t *)all[k].w, sizeof all[k].w, &i, NULL), 0);
        isa_text(t, &i, text, sizeof text);
        assert_string_equal(text, all[k].text);
        isa_inst_sched(t, &i, 32, &s);
        if (s.crosses_workgroup != all[k].talks)
            fail_msg("%s %s: %d", all[k].target, all[k].text, s.crosses_workgroup);
        isa_target_close(t);
    }
}

/* A pc outside the code, and bytes that are no instruction. */
static void nothing_known(void **state)
{
    static const uint8_t bytes[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    struct isa_target *t;
    struct isa_inst i;
    struct isa_sched s;
    struct err e = {0};

    (void)state;
    assert_int_equal(isa_target_open(&t, "gfx900", NULL, &e), 0);
    isa_inst_sched(t, NULL, 64, &s);
    put_facts(&s);
    assert_string_equal(out, "internal size=4");
    assert_int_equal(isa_decode(t, bytes, sizeof bytes, &i, NULL), 0);
    memset(&s, 0xff, sizeof s);
    isa_inst_sched(t, &i, 64, &s);
    put_facts(&s);
    assert_string_equal(out, "internal size=4");
    isa_target_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(facts_of_each_kind), cmocka_unit_test(talk_between_workgroups),
                                       cmocka_unit_test(nothing_known)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

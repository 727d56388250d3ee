/* Fields of operands that an instruction does not have: LLVM rejects words with such a field set, the hardware ignores
 * it. On all targets, of every opcode with an unused operand field: it decodes with a note, strictly it does not, its
 * text is that of the plain words with a comment, and it reads, writes and does the same.
 *
 * Which field belongs to which operand: RDNA4, RDNA3.5, CDNA3 and Vega ISA manuals, "Microcode formats".
 */
#define RECORD_NOTHING /* nothing here knows a result */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/mem_words.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

struct field {
    uint8_t format, slot, at, bits;
    const char *name;
};
static const struct field fields[] = {
    {FMT_DS, SL_ADDR, 32, 8, "addr"},     {FMT_DS, SL_DATA0, 40, 8, "data0"},    {FMT_DS, SL_DATA1, 48, 8, "data1"},
    {FMT_DS, SL_VDST, 56, 8, "vdst"},     {FMT_VOP3, SL_SRC1, 41, 9, "src1"},    {FMT_VOP3, SL_SRC2, 50, 9, "src2"},
    {FMT_VOPDX, SL_SRC1, 9, 8, "vsrcx1"}, {FMT_VOPDY, SL_SRC1, 41, 8, "vsrcy1"}, {FMT_SOPP, SL_SIMM, 0, 16, "simm16"},
};

enum { S_MASK = 30, S_CARRY = 32 };

/* Plain words of the opcode, every register another one. Returns how many. */
static unsigned plain_words(const struct isa_target *t, unsigned format, unsigned op, const struct isa_row *row,
                            uint32_t w[3])
{
    enum { MOV = 8, V0 = CODE_VGPR };
    unsigned vdst = row_has(row, SL_CMP_OUT) ? S_MASK : row->flags & RF_CMPX ? CODE_EXEC_LO : row->args[0].slot ? 4 : 0;

    memset(w, 0, 3 * sizeof *w);
    switch (format) {
    case FMT_DS:
        ds_words(t, row, op, w);
        if (row->flags & RF_GDS)
            w[0] |= old_layout(t) ? 1u << 16 : 1u << 17;
        if (has_slot(row, SL_GWS))
            w[1] |= V_ADDR;
        return 2;
    case FMT_VOP3:
        vop3(t, w, (int)op, vdst, row_has(row, SL_SRC0) ? V0 + 8 : 0, row_has(row, SL_SRC1) ? V0 + 12 : 0,
             row_has(row, SL_SRC2)       ? V0 + 16
             : row_has(row, SL_CARRY_IN) ? S_CARRY
                                         : 0);
        if (row_has(row, SL_CARRY_OUT))
            w[0] |= (unsigned)S_MASK << 8;
        return 2;
    case FMT_VOPDX:
        w[0] = 0xc8000000 | op << 22 | MOV << 17 | (row_has(row, SL_SRC1) ? 12 << 9 : 0) | (V0 + 8);
        w[1] = (V0 + 1) | (7 >> 1) << 17 | 4u << 24;
        return 2;
    case FMT_VOPDY:
        w[0] = 0xc8000000 | MOV << 22 | op << 17 | (V0 + 1);
        w[1] = (V0 + 8) | (row_has(row, SL_SRC1) ? 12 << 9 : 0) | (4 >> 1) << 17 | 7u << 24;
        return 2;
    default:
        w[0] = sopp((int)op, 0);
        return 1;
    }
}

struct outcome {
    uint32_t s[128], scc, special, mode;
    enum isa_status status;
    gaddr_t pc;
    uint64_t exec;
    uint8_t *space; /* registers, LDS, memory */
};

static size_t register_bytes(const struct rig *r)
{
    return sizeof(uint32_t) * 2 * RIG_VGPRS * r->w.lanes;
}

static void run(struct rig *r, const uint32_t *w, unsigned n, struct outcome *o)
{
    for (unsigned k = 0; k < 2 * RIG_VGPRS * r->w.lanes; k++)
        r->regs[k] = k * 0x9e3779b1u;
    for (unsigned l = 0; l < r->w.lanes; l++)
        for (unsigned k = V_ADDR; k < V_ADDR + 2; k++)
            rig_v(r, k, l, 64 * l);
    memset(r->lds, 0x5a, 65536);
    memset(r->mem, 0xa5, 65536);
    for (unsigned k = 0; k < 104; k++)
        r->w.s[k] = 0x3f800000 + k;
    r->w.s[r->t->code_m0] = 0xffff;
    r->w.scc = 1;
    isa_set_exec(&r->w, UINT64_C(0xf0f1f2f3f4f5f6f7) & lane_mask(r->w.lanes));
    isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
    o->status = rig_try(r, w, n);
    memcpy(o->s, r->w.s, sizeof o->s);
    o->scc = r->w.scc;
    o->special = r->w.special;
    o->mode = r->w.mode_reg;
    o->exec = r->w.exec;
    o->pc = r->w.pc;
    memcpy(o->space, r->regs, register_bytes(r));
    memcpy(o->space + register_bytes(r), r->lds, 65536);
    memcpy(o->space + register_bytes(r) + 65536, r->mem, 65536);
}

static void does_the_same(struct rig *r, const uint32_t *plain, const uint32_t *set, unsigned n)
{
    size_t bytes = register_bytes(r) + 131072;
    struct outcome a = {.space = malloc(bytes)}, b = {.space = malloc(bytes)};

    run(r, plain, n, &a);
    run(r, set, n, &b);
    assert_int_equal(a.status, b.status);
    assert_memory_equal(a.s, b.s, sizeof a.s);
    assert_true(a.scc == b.scc && a.special == b.special && a.mode == b.mode && a.exec == b.exec && a.pc == b.pc);
    assert_memory_equal(a.space, b.space, bytes);
    free(a.space);
    free(b.space);
}

/* True when the field is ignored; false where LLVM takes it, too. */
static bool check_field(struct rig *r, const struct field *f, const uint32_t *plain, unsigned n, uint32_t value)
{
    uint32_t set[3] = {plain[0], plain[1], plain[2]};
    struct isa_inst i, j;
    struct isa_regref a[ISA_MAX_REGREFS], b[ISA_MAX_REGREFS];
    char text[300], wanted[320];

    set[f->at / 32] |= value << f->at % 32;
    if (f->at < 32 && f->at + f->bits > 32)
        set[1] |= value >> (32 - f->at);
    if (isa_decode(r->t, (const uint8_t *)plain, 4 * n, &i, NULL) != 4 * n)
        fail_msg("%s: %08x %08x does not decode", r->t->name, plain[0], plain[1]);
    isa_text(r->t, &i, wanted, sizeof wanted);
    if (isa_decode(r->t, (const uint8_t *)set, 4 * n, &j, NULL)) {
        assert_int_equal(j.ignored, 0);
        return false;
    }
    if (isa_decode_any(r->t, (const uint8_t *)set, 4 * n, &j, NULL) != 4 * n)
        fail_msg("%s: '%s' does not decode with %s %u", r->t->name, wanted, f->name, value);
    isa_text(r->t, &j, text, sizeof text);
    snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), " /*ignored: %s*/", f->name);
    assert_string_equal(text, wanted);
    assert_int_equal(isa_decode_strict(r->t, (const uint8_t *)set, 4 * n, 64, &j, NULL), 0);
    isa_decode_any(r->t, (const uint8_t *)set, 4 * n, &j, NULL);
    unsigned refs = isa_inst_regs(r->t, &i, r->w.lanes, a);
    assert_int_equal(isa_inst_regs(r->t, &j, r->w.lanes, b), refs);
    for (unsigned k = 0; k < refs; k++)
        assert_true(a[k].file == b[k].file && a[k].first == b[k].first && a[k].count == b[k].count &&
                    a[k].write == b[k].write);
    if (i.row->exec || i.row->kind != ROW_WIDE)
        does_the_same(r, plain, set, n);
    return true;
}

/* VOPD exists in wave32 alone. */
static void check_target(struct rig *r, unsigned *ignored)
{
    for (unsigned k = 0; k < COUNT(fields); k++) {
        const struct field *f = &fields[k];
        bool dual = f->format == FMT_VOPDX || f->format == FMT_VOPDY;
        for (unsigned op = 0; r->t->ops[f->format] && op < r->t->op_count[f->format]; op++) {
            const struct isa_row *row = r->t->ops[f->format][op].row;
            uint32_t w[3];
            bool used = !row || has_slot(row, f->slot) || (f->slot == SL_SRC2 && has_slot(row, SL_CARRY_IN)) ||
                        (f->slot == SL_SIMM && row->args[0].slot) || (f->slot == SL_ADDR && has_slot(row, SL_GWS));
            if (used || (row->flags & RF_INTERP) || (dual && r->w.lanes != 32))
                continue;
            unsigned n = plain_words(r->t, f->format, op, row, w);
            ignored[k] += check_field(r, f, w, n, 1);
            ignored[k] += check_field(r, f, w, n, (1u << f->bits) - 2);
        }
    }
}

static void test_every_unused_field(void **state)
{
    unsigned ignored[COUNT(fields)] = {0};
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
    if (!isa_has(r.t, FEAT_COMPUTE_ONLY)) /* gfx1250: words of this test's making are none there */
        check_target(&r, ignored);
    EVERY_END(r)
    for (unsigned k = 0; k < COUNT(fields); k++) {
        print_message("%s: %u\n", fields[k].name, ignored[k]);
        assert_true(ignored[k] > 0);
    }
}

/* Words with their texts, the texts before the comment LLVM 19's of the words without the field. */
static const struct {
    const char *target;
    uint32_t words[4];
    unsigned bytes; /* 0: not even so */
    const char *text;
} words[] = {
    {"gfx1100", {0xca100501, 0x00020102}, 8, "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 /*ignored: vsrcx1*/"},
    {"gfx1201",
     {0xca100501, 0x00020702},
     8,
     "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2 /*ignored: vsrcx1, vsrcy1*/"},
    {"gfx1201", {0xd8340000, 0x05000201}, 8, "ds_store_b32 v1, v2 /*ignored: vdst*/"},
    {"gfx942", {0xd81a0000, 0x05030201}, 8, "ds_write_b32 v1, v2 /*ignored: data1, vdst*/"},
    {"gfx803", {0xd8290000, 0x00000000}, 0, NULL}, /* ds_nop of GDS */
    {"gfx803", {0xd8280007, 0x01000000}, 8, "ds_nop /*ignored: offset, vdst*/"},
    {"gfx1030", {0xd5810001, 0x20020308}, 0, NULL}, /* neg of v_mov_b32's source: no operand's own field */
    {"gfx1030", {0xd5810201, 0x40020308}, 8, "v_mov_b32_e64 v1, v8 /*ignored: src1, abs, neg*/"},
    {"gfx1030", {0xd5810001, 0x0001ff08}, 0, NULL}, /* a literal may follow or not */
    {"gfx1030", {0xd5800302, 0x60000308}, 8, "v_nop /*ignored: vdst, src0, src1, abs, neg*/"},
    {"gfx908", {0xd3d84000, 0x18080301}, 8, "v_accvgpr_read_b32 v0, a1 /*ignored: src1, src2*/"},
    {"gfx900", {0x7e0e0000, 0}, 4, "v_nop /*ignored: vdst*/"},
    {"gfx900",
     {0x7e0002f9, 0x86060601},
     8,
     "v_mov_b32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD /*ignored: sdwa src1*/"},
    {"gfx900", {0xdc500000, 0x05120001}, 8, "flat_load_dword v5, v[1:2] /*ignored: saddr*/"},
    {"gfx1100", {0xbfbd0005, 0}, 4, "s_barrier /*ignored: simm16*/"},
    /* as AMD's assembler writes them: out of gfx1250 objects of ROCm's aiter */
    {"gfx1250",
     {0xd0310000, 0x00200000, 0x7c7c2824},
     12,
     "tensor_load_to_lds s[36:39], s[40:47] th:TH_LOAD_HT /*ignored: dim, dmask, vaddr4*/"},
    {"gfx1250",
     {0xd0314000, 0x00000000, 0x34302824},
     12,
     "tensor_store_from_lds s[36:39], s[40:47], s[48:51], s[52:55] /*ignored: dim, dmask, vaddr4*/"},
    {"gfx1250",
     {0xd0714001, 0x00000000, 0x7c7c2824},
     12,
     "tensor_store_from_lds s[36:39], s[40:47] /*ignored: vaddr4*/"},
    {"gfx1250", {0xd0310000, 0x00000001, 0x7c7c2824}, 0, NULL}, /* vdata is reserved */
    {"gfx1250",
     {0xcc350000, 0x0003b1dc, 0xcc330098, 0x02022124},
     16,
     "v_wmma_scale_f32_16x16x128_f8f6f4 v[152:159], v[36:51], v[16:31], 0, v220, v216 /*ignored: src2*/"},
    {"gfx1250",
     {0xcc352000, 0x0402a55c, 0xcc880064, 0x1a021108},
     16,
     "v_wmma_scale_f32_32x16x128_f4 v[100:115], v[8:23], v[8:15], 0, v92, v82 matrix_a_reuse /*ignored: op_sel_hi*/"},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(words); k++) {
        struct isa_target *t;
        struct isa_inst i;
        struct err e = {0};
        char text[300] = "";

        assert_int_equal(isa_target_open(&t, words[k].target, NULL, &e), 0);
        unsigned bytes = isa_decode_any(t, (const uint8_t *)words[k].words, sizeof words[k].words, &i, NULL);
        isa_text(t, &i, text, sizeof text);
        if (bytes != words[k].bytes)
            fail_msg("%s %08x: %u bytes, %u expected: %s", words[k].target, words[k].words[0], bytes, words[k].bytes,
                     text);
        if (bytes)
            assert_string_equal(text, words[k].text);
        assert_int_equal(isa_decode(t, (const uint8_t *)words[k].words, sizeof words[k].words, &i, NULL), 0);
        assert_null(i.row);
        isa_text(t, &i, text, sizeof text);
        assert_string_equal(text, "<illegal>");
        isa_target_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_unused_field),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

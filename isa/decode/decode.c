/* Decodes bytes into instructions. A format is recognised by its leading bits; its fields fill one slot array; the
 * row's argument list turns slots into operands. Field positions: AMD ISA manuals (GCN3, Vega, RDNA1-4, CDNA2-3),
 * checked against llvm-mc-19 by tests/golden.
 */
#include <string.h>

#include "isa/decode/legal.h"
#include "isa/variant.h"

static const char unused_field[] = "a field that must be zero is not";

static const struct isa_op *find_op(const struct isa_target *t, unsigned format, unsigned opcode)
{
    if (opcode >= t->op_count[format]) /* 0 where there is no table */
        return NULL;
    const struct isa_op *op = &t->ops[format][opcode];
    return op->row ? op : NULL;
}

/* op_sel means something only to rows with 16-bit operands; elsewhere the bits are ignored. */
static void drop_idle_op_sel(const struct isa_target *t, struct isa_inst *i)
{
    if ((i->row->flags & (RF_OP_SEL | RF_OP_SEL4)) || isa_shift_selects(t, i->row) || isa_swaps_lanes(t, i->row) ||
        (t->llvm22 && t->name_halves && i->nops == 4 && (i->row->args[3].flags & A_HALF)))
        return;
    for (unsigned k = 0; k < i->nops; k++)
        if (isa_is_narrow(i->op[k].type))
            return;
    i->op_sel = 0;
}

/* One half of dual issue: src0, src1, src2 and vdst. */
struct vopd_fields {
    unsigned src0, src1, src2, vdst;
};

static bool vopd_half(const struct isa_target *t, struct isa_inst *i, const struct isa_op *op,
                      const struct vopd_fields *h, unsigned mask)
{
    struct isa_fields f;

    isa_clear_fields(&f);
    f.slot[SL_VDST] = (uint16_t)h->vdst;
    isa_vop_sources(&f, h->src0, h->src1, h->src2);
    f.slot[SL_CARRY_IN] = (uint16_t)mask;
    return isa_fill_operands(t, i, &f, op, i->nops);
}

/* Whether a literal of 64 bits stands before the constant of v_fmamk_f32 or its like, which has 32. */
static bool literals_clash(const struct isa_inst *i)
{
    const unsigned y = i->form == FORM_VOPD ? i->u.y.first_op : i->nops;
    bool wide = false;

    for (unsigned k = 0; k < i->nops; k++) {
        unsigned slot = k < y ? i->row->args[k].slot : i->u.y.row->args[k - y].slot;
        if (wide && slot == SL_K && i->op[k].code == CODE_LITERAL)
            return true;
        wide |= i->op[k].code == CODE_LITERAL64;
    }
    return false;
}

/* Both halves, and the literal that they share, at code[at]. */
static unsigned vopd_pair(const struct isa_target *t, struct isa_inst *i, const struct isa_op *x,
                          const struct isa_op *y, const struct vopd_fields h[2], const unsigned mask[2],
                          const uint8_t *code, size_t size, unsigned at, const char **why)
{
    i->form = FORM_VOPD;
    i->row = x->row;
    i->mnemonic = x->mnemonic;
    bool ok = vopd_half(t, i, x, &h[0], mask[0]);
    i->u.y.row = y->row;
    i->u.y.mnemonic = y->mnemonic;
    i->u.y.first_op = i->nops;
    ok = vopd_half(t, i, y, &h[1], mask[1]) && ok;
    bool wide = i->has_literal == 2;
    if (!ok || (wide && (at > 8 || literals_clash(i)))) { /* LLVM 22 reads one after VOPD3 from the wrong place */
        i->row = NULL;
        *why = "illegal operand";
        return 0;
    }
    i->first_src = 1;
    i->size_bytes = (uint8_t)at;
    if (i->has_literal) {
        unsigned more = 4u * i->has_literal;
        if (size < at + more) {
            i->row = NULL;
            *why = "truncated literal";
            return 0;
        }
        i->literal = load_u32(code + at);
        i->literal_hi = more > 4 ? load_u32(code + at + 4) : 0;
        i->size_bytes = (uint8_t)(at + more);
    }
    isa_choose_exec(t, i, x, false);
    return i->size_bytes;
}

static unsigned decode_vopd(const struct isa_target *t, uint64_t w, struct isa_inst *i, const uint8_t *code,
                            size_t size, const char **why)
{
    static const unsigned masks[2] = {CODE_VCC_LO, CODE_VCC_LO};
    const struct isa_op *x = find_op(t, FMT_VOPDX, FIELD(w, 22, 4)), *y = find_op(t, FMT_VOPDY, FIELD(w, 17, 5));

    i->row = NULL;
    *why = "no such dual-issue opcode";
    if (!x || !y)
        return 0;
    if (__builtin_expect((w & (x->zero | y->zero)) != 0, 0)) {
        w = isa_without_ignored(t, x->row, FMT_VOPDX, i, w, x->zero);
        w = isa_without_ignored(t, y->row, FMT_VOPDY, i, w, y->zero);
    }
    const struct vopd_fields h[2] = {
        {FIELD(w, 0, 9), CODE_VGPR + FIELD(w, 9, 8), CODE_NONE, FIELD(w, 56, 8)},
        {FIELD(w, 32, 9), CODE_VGPR + FIELD(w, 41, 8), CODE_NONE, FIELD(w, 49, 7) << 1 | (~FIELD(w, 56, 8) & 1)}};
    return vopd_pair(t, i, x, y, h, masks, code, size, 8, why);
}

static unsigned count_sources(const struct isa_row *row)
{
    unsigned n = 0;

    for (unsigned k = 0; row->args[k].slot; k++)
        n += isa_source_number(row->args[k].slot) >= 0 || row->args[k].slot == SL_CARRY_IN;
    return n;
}

/* Three words: every source of both halves, neg of each, any two destinations. v_bitop2_b32 has its table where others
 * have src2. */
static unsigned decode_vopd3(const struct isa_target *t, uint64_t w, uint32_t w2, struct isa_inst *i,
                             const uint8_t *code, size_t size, const char **why)
{
    const struct isa_op *x = find_op(t, FMT_VOPD3X, FIELD(w, 18, 6)), *y = find_op(t, FMT_VOPD3Y, FIELD(w, 12, 6));
    const struct vopd_fields h[2] = {
        {FIELD(w, 0, 9), CODE_VGPR + FIELD(w, 48, 8), CODE_VGPR + FIELD(w, 56, 8), FIELD(w2, 0, 8)},
        {FIELD(w, 32, 9), CODE_VGPR + FIELD(w2, 8, 8), CODE_VGPR + FIELD(w2, 16, 8), FIELD(w2, 24, 8)}};
    const unsigned masks[2] = {FIELD(w, 56, 8), FIELD(w2, 16, 8)};

    i->row = NULL;
    *why = "no such dual-issue opcode";
    if (!x || !y || (w & (x->zero | y->zero)))
        return 0;
    unsigned sources = count_sources(y->row);
    bool table = y->row->flags & RF_TRUTH_TABLE;
    if ((sources < 2 && FIELD(w2, 8, 8)) || (sources < 3 && !table && FIELD(w2, 16, 8)))
        return 0;
    i->neg = (uint8_t)FIELD(w, 41, 6);
    unsigned bytes = vopd_pair(t, i, x, y, h, masks, code, size, 12, why);
    i->u.y.table = table ? (uint8_t)FIELD(w2, 16, 8) : 0;
    return bytes;
}

static unsigned fail(struct isa_inst *i, const char **why, const char *what)
{
    i->row = NULL;
    i->exec = NULL;
    i->ignored = 0;
    i->size_bytes = 0;
    *why = what;
    return 0;
}

/* v_illegal has a word, and no format. */
static unsigned decode_illegal(const struct isa_target *t, struct isa_inst *i)
{
    const struct isa_op *op = &t->ops[FMT_ILLEGAL][0];

    i->format = i->base_format = FMT_ILLEGAL;
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    isa_choose_exec(t, i, op, true);
    return i->size_bytes = 4;
}

/* The same fields are not looked at when a DPP word follows: op_sel's of gfx12's 8-bit float conversions. */
static __attribute__((cold, noinline)) uint64_t must_be_zero(const struct isa_target *t, const struct isa_op *op,
                                                             const struct isa_fields *f)
{
    unsigned announced = f->slot[SL_SRC0];
    bool dpp = announced == CODE_DPP16 || announced == CODE_DPP8 || announced == CODE_DPP8_FI;

    return dpp && isa_has(t, FEAT_VOP3_DPP) ? op->zero & ~isa_free_beside_dpp(op) : op->zero;
}

/* Reads the words that follow the instruction's own: SDWA, DPP, further image addresses. Returns their bytes, or -1
 * where the instruction cannot have them. */
static inline __attribute__((always_inline)) int further_words(const struct isa_target *t, struct isa_fields *f,
                                                               struct isa_inst *i, unsigned traits, uint64_t w,
                                                               const uint8_t *code, size_t size, unsigned at)
{
    if (traits & OP_SOURCE) {
        unsigned s0 = f->slot[SL_SRC0];
        return s0 >= CODE_DPP8 && s0 <= CODE_DPP16 ? isa_extra_word(t, f, i, code, size, at) : 0;
    }
    if (!(traits & OP_WORDS))
        return 0;
    return i->row->image.data ? isa_image_more(t, i, w, code, size, at) : isa_nop_word(t, f, i, code, size, at);
}

/* Fields that stand where the format has others, once the row is known. */
static void fields_of_row(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    if (i->row->flags & RF_MAI)
        isa_mai_fields(t, f, i, w);
    else if (i->format == FMT_VOP3P && isa_loads_scales(i->row)) /* v_mfma_ld_scale_b32 */
        isa_load_scale_fields(t, f, i, w);
    if (i->row->flags & RF_INTERP)
        isa_interp_fix(f, i);
    if (i->row->mem.tr_bits && i->format == FMT_DS) /* never from GDS, and the bit is not looked at */
        i->u.mem.gds = 0;
    if (i->format == FMT_VOP3 && isa_row_has(i->row, SL_CARRY_OUT))
        isa_vop3sd_fix(i);
}

static bool is_vmem(const struct isa_inst *i)
{
    return i->format >= FMT_FLAT && i->format <= FMT_VBUFFER;
}

/* Why this cannot be although every operand is one; null: it can. */
static const char *contradiction(const struct isa_target *t, struct isa_inst *i, const struct isa_fields *f)
{
    const char *why = isa_illegal_form(t, i);

    if (!why && i->row->mat)
        why = isa_illegal_matrix(i);
    if (!why && t->llvm22 && i->format == FMT_VOP3 && (i->row->flags & RF_CMPX) && isa_has(t, FEAT_CMPX_EXEC_ONLY) &&
        f->slot[SL_VDST] != CODE_EXEC_LO)
        why = "a result that is not EXEC";
    if (!why && isa_has(t, FEAT_SCALE_OFFSET) && i->format == FMT_SMEM && i->offset < 0 &&
        ((i->op[0].type == T_B128 && i->row->mem.op == MEM_FETCH) || i->op[1].type == T_B128))
        why = "a negative offset into a buffer";
    if (!why && (i->row->flags & RF_FIXED_OP_SEL) && i->op_sel_hi != 7)
        why = "op_sel_hi means nothing here";
    if (!why && (i->row->flags & RF_GDS) && !i->u.mem.gds)
        why = "an instruction of GDS without the gds bit";
    return !why && is_vmem(i) ? isa_illegal_memory(t, i, f) : why;
}

/* The literal at code[at]. Returns where it ends, or 0 with a reason. */
static unsigned read_literal(const struct isa_target *t, struct isa_inst *i, bool extra, const uint8_t *code,
                             size_t size, unsigned at, const char **why)
{
    bool vop3 = i->format == FMT_VOP3 || i->format == FMT_VOP3P;

    if ((extra && !vop3) || (vop3 && !isa_has(t, FEAT_VOP3_LITERAL)))
        return fail(i, why, "literal not allowed here");
    if (size < at + 4)
        return fail(i, why, "truncated literal");
    i->literal = load_u32(code + at);
    if (i->has_literal < 2)
        return at + 4;
    if (extra || literals_clash(i))
        return fail(i, why, "no literal of 64 bits here");
    if (size < at + 8)
        return fail(i, why, "truncated literal");
    i->literal_hi = load_u32(code + at + 4);
    return at + 8;
}

/* gfx1250: the opcode of a matrix instruction in FMT_VOP3PX. Those of scales of 64 bits are 256 more than others. */
static unsigned scaled_opcode(const struct isa_target *t, uint64_t scales, unsigned opcode)
{
    const struct isa_op *load = t->layout == LAYOUT_GFX12 ? find_op(t, FMT_VOP3P, FIELD(scales, 16, 8)) : NULL;

    return load && load->row->args[0].type == T_B64 ? opcode | 256 : opcode;
}

/* gfx1250: whether v_wmma_ld_scale_paired_b32 or v_wmma_ld_scale16_paired_b64 is there, and what follows may have
 * scales. Nothing looks at the places of a destination and of a third source then, for which LLVM has v0. */
static bool has_wide_scales(const struct isa_target *t, const uint8_t *code)
{
    enum { VOP3P = 0xcc };

    if (code[3] != VOP3P || code[11] != VOP3P)
        return false;
    uint64_t w = load_u32(code) | (uint64_t)load_u32(code + 4) << 32;
    const struct isa_op *load = find_op(t, FMT_VOP3P, code[2]);
    return load && isa_loads_scales(load->row) && !(w & load->zero & ~UINT64_C(0xff)) &&
           find_op(t, FMT_VOP3PX, scaled_opcode(t, w, code[10]));
}

/* Whether v_mfma_ld_scale_b32 and what follows it are one instruction: an MFMA that says so in abid. */
static bool has_scales(const struct isa_target *t, const uint8_t *code, size_t size)
{
    enum { LD_SCALE = 0xd3ac };

    if (!t->ops[FMT_VOP3PX] || size < 16)
        return false;
    if (t->layout == LAYOUT_GFX12)
        return has_wide_scales(t, code);
    if (load_u32(code) >> 16 != LD_SCALE)
        return false;
    uint32_t next = load_u32(code + 8);
    return next >> 23 == LD_SCALE >> 7 && find_op(t, FMT_VOP3PX, FIELD(next, 16, 7)) && FIELD(next, 11, 4) == 1;
}

/* A size the compiler does not know, so that it calls memset: its own loop of string stores takes longer than all the
 * rest of a simple instruction's decoding. */
static inline void clear(struct isa_inst *i)
{
    size_t bytes = sizeof *i;

    __asm__("" : "+r"(bytes));
    memset(i, 0, bytes);
}

/* The checks of an instruction that has its operands. Null: it may be. */
static inline __attribute__((always_inline)) const char *
check_whole(const struct isa_target *t, struct isa_inst *i, const struct isa_op *op, const struct isa_fields *f)
{
    bool twin = i->form != FORM_E32 && i->form != FORM_E64;

    if (i->format == FMT_VOP3 && i->op_sel)
        drop_idle_op_sel(t, i);
    if (twin && isa_has(t, FEAT_DPP_64) && isa_idle_dpp64(i))
        i->bad |= ISA_BAD_DPP64;
    if (twin || (op->traits & OP_CHECKED) || (t->name_halves && i->format == FMT_VOP3))
        return contradiction(t, i, f);
    return NULL;
}

/* The opcode is known: what it says of the fields. */
static inline __attribute__((always_inline)) void take_op(const struct isa_target *t, const struct isa_op *op,
                                                          struct isa_fields *f, struct isa_inst *i, uint64_t w)
{
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    i->base_format = (uint8_t)op->base_format;
    if (op->traits & OP_FIELDS)
        fields_of_row(t, f, i, w);
}

/* prefix: bytes of scales that stand before the instruction. */
static inline __attribute__((always_inline)) unsigned decode_at(const struct isa_target *t, const uint8_t *code,
                                                                size_t size, unsigned prefix, struct isa_inst *i,
                                                                const char **why)
{
    struct isa_fields f;

    clear(i);
    if (size < 4)
        return fail(i, why, "fewer than 4 bytes left");
    uint32_t w0 = load_u32(code);
    if (!w0 && t->ops[FMT_ILLEGAL])
        return decode_illegal(t, i);
    const struct isa_pattern *p = isa_pattern_of(t, w0);
    if (!p->bytes || size < p->bytes)
        return fail(i, why, p->bytes ? "truncated instruction" : "no encoding of this target starts so");
    uint64_t w = p->bytes >= 8 ? w0 | (uint64_t)load_u32(code + 4) << 32 : w0, scales = 0;
    if (prefix) {
        scales = w;
        w = load_u32(code + 8) | (uint64_t)load_u32(code + 12) << 32;
    }
    uint32_t w2 = p->bytes >= 12 ? load_u32(code + 8) : 0;
    i->format = p->format;
    if (p->format == FMT_VOPDX)
        return decode_vopd(t, w, i, code, size, why);
    if (p->format == FMT_VOPD3X)
        return decode_vopd3(t, w, w2, i, code, size, why);
again:
    isa_clear_fields(&f);
    if (!isa_read_fields(t, &f, i, w, w2))
        return fail(i, why, "an address that is none");
    const struct isa_op *op =
        prefix ? find_op(t, FMT_VOP3PX, scaled_opcode(t, scales, i->opcode)) : find_op(t, i->format, i->opcode);
    if (!op)
        return fail(i, why, "no such opcode");
    if (__builtin_expect((w & op->zero) != 0, 0) && (w & must_be_zero(t, op, &f))) {
        w = isa_without_ignored(t, op->row, i->format, i, w, must_be_zero(t, op, &f));
        if (w & must_be_zero(t, op, &f))
            return fail(i, why, unused_field);
        goto again; /* not a second call, so that the compiler has it in line */
    }
    take_op(t, op, &f, i, w);
    if (prefix)
        isa_scale_fields(t, &f, i, scales);
    unsigned bytes = prefix + p->bytes;
    int extra = further_words(t, &f, i, op->traits, w, code, size, bytes);
    if (extra < 0)
        return fail(i, why, "no such operand form");
    bytes += (unsigned)extra;
    if (!isa_fill_operands(t, i, &f, op, 0) || (op->row->image.data && !isa_image_operands(t, i)))
        return fail(i, why, "illegal operand");
    const char *bad = check_whole(t, i, op, &f);
    if (__builtin_expect(bad != NULL, 0))
        return fail(i, why, bad);
    if (i->has_literal && prefix)
        return fail(i, why, "no literal beside scales");
    if (i->has_literal && !(bytes = read_literal(t, i, extra, code, size, bytes, why)))
        return 0;
    if (op->traits & OP_HINT)
        i->u.mem.hint = isa_cache_hint(t, i);
    i->size_bytes = (uint8_t)bytes;
    isa_choose_exec(t, i, op, !f.unusual && !op->row->image.data);
    return bytes;
}

static __attribute__((cold, noinline)) unsigned decode_scaled(const struct isa_target *t, const uint8_t *code,
                                                              size_t size, struct isa_inst *i, const char **why)
{
    return decode_at(t, code, size, 8, i, why);
}

unsigned isa_decode_any(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *i,
                        const char **why)
{
    const char *ignored;
    unsigned bytes = 0;

    if (!why)
        why = &ignored;
    if (__builtin_expect(has_scales(t, code, size), 0))
        bytes = decode_scaled(t, code, size, i, why);
    return bytes ? bytes : decode_at(t, code, size, 0, i, why);
}

/* What LLVM rejects of what has been decoded. */
static __attribute__((cold, noinline)) unsigned reject(struct isa_inst *i, unsigned bytes, unsigned lanes,
                                                       const char **why)
{
    const char *unused;

    if (!why)
        why = &unused;
    if (i->ignored)
        return fail(i, why, unused_field);
    return bytes && lanes != 64 ? fail(i, why, "only an instruction of wave64") : bytes;
}

unsigned isa_decode_strict(const struct isa_target *t, const uint8_t *code, size_t size, unsigned lanes,
                           struct isa_inst *i, const char **why)
{
    unsigned bytes = isa_decode_any(t, code, size, i, why);

    return __builtin_expect(!i->ignored && !i->wave64_only, 1) ? bytes : reject(i, bytes, lanes, why);
}

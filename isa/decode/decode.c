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
    if (!t->ops[format] || opcode >= t->op_count[format] || !t->ops[format][opcode].row)
        return NULL;
    return &t->ops[format][opcode];
}

/* op_sel means something only to rows with 16-bit operands; elsewhere the bits are ignored. */
static void drop_idle_op_sel(const struct isa_target *t, struct isa_inst *i)
{
    if (!i->op_sel || (i->row->flags & (RF_OP_SEL | RF_OP_SEL4)) || isa_shift_selects(t, i->row) ||
        isa_swaps_lanes(t, i->row) || (t->llvm22 && t->name_halves && i->nops == 4 && (i->row->args[3].flags & A_HALF)))
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

static bool vopd_half(const struct isa_target *t, struct isa_inst *i, const struct isa_row *row,
                      const struct vopd_fields *h, unsigned mask)
{
    struct isa_fields f;

    isa_clear_fields(&f);
    f.slot[SL_VDST] = (uint16_t)h->vdst;
    isa_vop_sources(&f, h->src0, h->src1, h->src2);
    f.slot[SL_CARRY_IN] = (uint16_t)mask;
    return isa_fill_operands(t, i, &f, row, i->nops);
}

/* Both halves, and the literal that they share, at code[at]. */
static unsigned vopd_pair(const struct isa_target *t, struct isa_inst *i, const struct isa_op *x,
                          const struct isa_op *y, const struct vopd_fields h[2], const unsigned mask[2],
                          const uint8_t *code, size_t size, unsigned at, const char **why)
{
    i->form = FORM_VOPD;
    i->row = x->row;
    i->mnemonic = x->mnemonic;
    bool ok = vopd_half(t, i, x->row, &h[0], mask[0]);
    i->u.y.row = y->row;
    i->u.y.mnemonic = y->mnemonic;
    i->u.y.first_op = i->nops;
    ok = vopd_half(t, i, y->row, &h[1], mask[1]) && ok;
    if (!ok || (i->has_literal == 2 && at > 8)) { /* LLVM 22 reads one behind VOPD3 from the wrong place */
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
    isa_choose_exec(t, i);
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

static bool reads_sdst_in_vop3(const struct isa_row *row)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == SL_CARRY_OUT)
            return true;
    return false;
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
    isa_choose_exec(t, i);
    return i->size_bytes = 4;
}

/* The same fields are not looked at when a DPP word follows: op_sel's of gfx12's 8-bit float conversions. */
static uint64_t must_be_zero(const struct isa_target *t, const struct isa_op *op, const struct isa_fields *f)
{
    unsigned announced = f->slot[SL_SRC0];
    bool dpp = announced == CODE_DPP16 || announced == CODE_DPP8 || announced == CODE_DPP8_FI;

    return dpp && isa_has(t, FEAT_VOP3_DPP) ? op->zero & ~isa_free_beside_dpp(op) : op->zero;
}

/* Reads the words that follow the instruction's own: SDWA, DPP, further image addresses. Returns their bytes, or -1
 * where the instruction cannot have them. */
static inline __attribute__((always_inline)) int further_words(const struct isa_target *t, struct isa_fields *f,
                                                               struct isa_inst *i, uint64_t w, const uint8_t *code,
                                                               size_t size, unsigned at)
{
    if (i->format >= FMT_VOP1 && i->format <= FMT_VOP3P && i->row->args[0].slot)
        return isa_extra_word(t, f, i, code, size, at);
    if (i->format == FMT_VOP1 && !(i->row->flags & RF_NO_DPP))
        return isa_nop_word(t, f, i, code, size, at);
    return i->row->image.data ? isa_image_more(t, i, w, code, size, at) : 0;
}

/* Fields that stand where the format has others, once the row is known. */
static inline __attribute__((always_inline)) void fields_of_row(const struct isa_target *t, struct isa_fields *f,
                                                                struct isa_inst *i, uint64_t w)
{
    if (i->row->flags & RF_MAI)
        isa_mai_fields(t, f, i, w);
    else if (i->format == FMT_VOP3P && i->row->args[0].slot == SL_SRC0) /* v_mfma_ld_scale_b32 */
        i->neg = i->neg_hi = 0;
    if (i->row->flags & RF_INTERP)
        isa_interp_fix(f, i);
    if (i->row->mem.tr_bits && i->format == FMT_DS) /* never from GDS, and the bit is not looked at */
        i->u.mem.gds = 0;
    if (i->format == FMT_VOP3 && reads_sdst_in_vop3(i->row))
        isa_vop3sd_fix(i);
}

static bool is_vmem(const struct isa_inst *i)
{
    return i->format >= FMT_FLAT && i->format <= FMT_VBUFFER;
}

/* Why this cannot be although every operand is one; null: it can. */
static inline __attribute__((always_inline)) const char *illegal(const struct isa_target *t, struct isa_inst *i,
                                                                 const struct isa_fields *f)
{
    const char *why = isa_illegal_form(t, i);

    if (!why && !(i->row->flags & (RF_CMPX | RF_FIXED_OP_SEL | RF_GDS)) && !i->row->mat && i->format > FMT_SMEM &&
        !is_vmem(i))
        return NULL;
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

/* The literal at code[at]. Returns its bytes, or 0 with a reason. */
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
        return 4;
    if (size < at + 8)
        return fail(i, why, "truncated literal");
    i->literal_hi = load_u32(code + at + 4);
    return 8;
}

/* Whether v_mfma_ld_scale_b32 and what follows it are one instruction: an MFMA that says so in abid. */
static bool has_scales(const struct isa_target *t, const uint8_t *code, size_t size)
{
    enum { LD_SCALE = 0xd3ac };

    if (!t->ops[FMT_VOP3PX] || size < 16 || load_u32(code) >> 16 != LD_SCALE)
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
    if (!p->bytes)
        return fail(i, why, "no encoding of this target starts so");
    if (size < p->bytes)
        return fail(i, why, "truncated instruction");
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
    const struct isa_op *op = find_op(t, prefix ? FMT_VOP3PX : i->format, i->opcode);
    if (!op)
        return fail(i, why, "no such opcode");
    if (__builtin_expect((w & must_be_zero(t, op, &f)) != 0, 0)) {
        w = isa_without_ignored(t, op->row, i->format, i, w, must_be_zero(t, op, &f));
        if (w & must_be_zero(t, op, &f))
            return fail(i, why, unused_field);
        goto again; /* not a second call, so that the compiler has it in line */
    }
    i->row = op->row;
    i->mnemonic = op->mnemonic;
    i->base_format = (uint8_t)op->base_format;
    fields_of_row(t, &f, i, w);
    if (prefix)
        isa_scale_fields(&f, i, scales);
    unsigned bytes = prefix + p->bytes;
    int extra = further_words(t, &f, i, w, code, size, bytes);
    if (extra < 0)
        return fail(i, why, "no such operand form");
    bytes += (unsigned)extra;
    if (!isa_fill_operands(t, i, &f, op->row, 0) || (op->row->image.data && !isa_image_operands(t, i)))
        return fail(i, why, "illegal operand");
    if (i->format == FMT_VOP3)
        drop_idle_op_sel(t, i);
    if (isa_idle_dpp64(i))
        i->bad |= ISA_BAD_DPP64;
    const char *bad = illegal(t, i, &f);
    if (bad)
        return fail(i, why, bad);
    if (i->has_literal) {
        unsigned more = read_literal(t, i, extra, code, size, bytes, why);
        if (!more)
            return 0;
        bytes += more;
    }
    if (i->format == FMT_SMEM || is_vmem(i) || op->row->image.data)
        i->u.mem.hint = isa_cache_hint(t, i);
    i->size_bytes = (uint8_t)bytes;
    isa_choose_exec(t, i);
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

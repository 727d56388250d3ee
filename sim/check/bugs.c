/* Chip bugs: single instructions, and pairs right after one another, that a chip executes wrongly whatever comes
 * before. The names are those of LLVM 19's subtarget features (AMDGPU.td), which also give the targets:
 *
 *   gfx101x  inst-fwd-prefetch-bug, flat-segment-offset-bug, negative-unaligned-scratch-offset-bug, lds-misaligned-bug,
 *            nsa-clause-bug, nsa-to-vmem-bug (as GCNHazardRecognizer.cpp has it), offset-3f-bug
 *   gfx9     negative-scratch-offset-bug; gfx908: mfma-inline-literal-bug; gfx90a: 64-bit shifts by the last VGPR
 *   gfx950   packed f32 arithmetic with op_sel (not in LLVM 22)
 *   gfx110x  mad-intra-fwd-bug
 *   all before gfx12: scratch takes offsets in registers as unsigned (llvm-project 70634, 78193)
 * One rule is about what the encoding of dual instructions cannot exclude: their sources must come from different banks
 * (RDNA3 and RDNA4 ISA manuals, "Dual issue VALU"; LLVM's assembler refuses others).
 */
#include <stdio.h>

#include "sim/check/internal.h"

enum { BRANCH_OFFSET_3F = 0x3f, NSA_BYTES = 16, NSA_VMEM_OFFSET_BITS = 6, LAST_OF_VGPR_GRANULE = 7 };

static bool is_vgpr(const struct isa_opnd *o)
{
    return o->code >= CODE_VGPR && o->code != CODE_NONE && !(o->flags & A_ACC);
}

/* Before gfx12 VGPR and SGPR offsets are zero-extended: a negative one is beyond the lane's scratch, whatever the
 * immediate offset. */
static void before_scratch(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (i->format != FMT_SCRATCH)
        return;
    for (unsigned k = 0; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        uint64_t negative = 0;
        if (i->row->args[k].slot == SL_SADDR && o->code != CODE_NONE)
            negative = check_scalar(s->w, i, o->code) >> 31 ? s->w->exec : 0;
        if (i->row->args[k].slot == SL_ADDR && is_vgpr(o) && (uint32_t)(o->code - CODE_VGPR) < s->w->nvgprs)
            for (unsigned l = 0; l < s->w->lanes; l++)
                negative |= (uint64_t)(s->w->v[(o->code - CODE_VGPR) * s->w->lanes + l] >> 31) << l;
        negative &= s->w->exec;
        if (!negative)
            continue;
        check_report(s, CHECK_SCRATCH_BASE, __builtin_ctzll(negative), "add the offset to the register",
                     "a negative offset in %s, which counts as unsigned", is_vgpr(o) ? "a VGPR" : "an SGPR");
        return;
    }
}

/* ---- RDNA1 ---- */

/* An image instruction with separate address registers (NSA), which makes it longer. */
static bool is_nsa(const struct isa_inst *i)
{
    return i && i->row && i->format == FMT_MIMG && i->u.img.more;
}

/* An image instruction and the one after it are checked before both: the run ends at the first of them. */
static void before_nsa(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (!is_nsa(i))
        return;
    if (s->c->bugs.clause)
        check_report(s, CHECK_NSA_CLAUSE, -1, "leave it out of the s_clause",
                     "an image instruction with separate address registers in a clause");
    const struct isa_inst *next = isa_program_at(s->g->run->launch->program, s->i->pc + i->size_bytes);
    if (i->size_bytes >= NSA_BYTES && next && next->row && (next->format == FMT_MUBUF || next->format == FMT_MTBUF) &&
        (next->offset & NSA_VMEM_OFFSET_BITS))
        check_report(s, CHECK_NSA_VMEM, -1, "s_nop 0 behind it",
                     "an image instruction of %u bytes, right before a buffer instruction of offset %d", i->size_bytes,
                     next->offset);
}

static void before_rdna1(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if ((s->i->kind & KIND_BRANCH) && i->format == FMT_SOPP && ((unsigned)i->offset & 0xffff) == BRANCH_OFFSET_3F)
        check_report(s, CHECK_BRANCH_3F, -1, "s_nop 0 in between, so that the offset is another one",
                     "a branch of offset 0x3f");
    if (i->row->special == ISA_SPECIAL_INST_PREFETCH)
        check_report(s, CHECK_INST_PREFETCH, -1, "leave it out", "s_inst_prefetch, which may hang the wave");
    if (i->format == FMT_FLAT && i->offset)
        check_report(s, CHECK_FLAT_OFFSET, -1, "add the offset to the address",
                     "a flat instruction with offset %d, which is ignored", i->offset);
    if (i->format == FMT_SCRATCH && i->offset < 0 && (i->offset & 3))
        for (unsigned k = 0; k < i->nops; k++)
            if (i->row->args[k].slot == SL_ADDR && is_vgpr(&i->op[k]))
                check_report(s, CHECK_SCRATCH_OFFSET, -1, "add the offset to the address",
                             "a scratch instruction with a VGPR and the offset %d, negative and no multiple of 4",
                             i->offset);
    before_nsa(s);
}

/* WGP mode: LDS accesses of more than a dword that are not aligned to their size. */
static void after_rdna1(struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;
    bool lds = (s->i->kind & (KIND_LDS | KIND_FLAT)) && (fx->kind == FX_LDS || fx->kind == FX_FLAT_MIXED);

    if (!s->g->run->launch->wgp_mode || !lds || fx->bytes < 8 || s->i->inst->row->cls == OPC_LDS_PERMUTE)
        return;
    uint32_t align = fx->bytes == 8 ? 8 : 16;
    for (uint64_t m = fx->lds_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctzll(m);
        if (!(fx->lds_addr[l] % align) && (fx->elems < 2 || !(fx->lds_addr2[l] % align)))
            continue;
        check_report(s, CHECK_LDS_MISALIGNED, (int)l, "access it in dwords, or compile for CU mode (-mcumode)",
                     "accesses %u bytes at LDS byte 0x%x in WGP mode, which needs a multiple of %u", fx->bytes,
                     fx->lds_addr[l], align);
        return;
    }
}

/* ---- GCN and CDNA ---- */

static void before_gfx9(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (i->format != FMT_SCRATCH || i->offset >= 0)
        return;
    for (unsigned k = 0; k < i->nops; k++)
        if (i->row->args[k].slot == SL_SADDR && i->op[k].code < CODE_INT_0)
            check_report(s, CHECK_SCRATCH_OFFSET, -1, "add the offset to the address",
                         "a scratch instruction with an SGPR and the offset %d, which is negative", i->offset);
}

/* C of a matrix instruction as a constant. */
static void before_gfx908(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    for (unsigned k = 0; i->row->mat && k < i->nops; k++)
        if (i->row->args[k].slot == SL_SRC2 && i->op[k].code < CODE_VGPR)
            check_report(s, CHECK_MFMA_INLINE_C, -1, "write the constant to AGPRs and give these for C",
                         "a constant for C");
}

/* A 64-bit shift by a VGPR that is the last one of the wave's allocation. */
static void before_gfx90a(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (i->row->cls != OPC_VALU64 || i->nops != 3 || isa_types[i->op[0].type].bits != 64 || i->op[1].type != T_U32 ||
        !is_vgpr(&i->op[1]) || !is_vgpr(&i->op[0]))
        return;
    unsigned reg = i->op[1].code - CODE_VGPR;
    if (reg % 8 == LAST_OF_VGPR_GRANULE && reg + 1 >= s->g->run->launch->nvgprs)
        check_report(s, CHECK_SHIFT64, -1, "keep the amount in another register",
                     "shifts 64 bits by v%u, the last VGPR of the wave", reg);
}

/* Packed f32 arithmetic that takes one source's upper half for its lower result, beside another one's lower half: the
 * lower result may lack the product or the sum (ROCm/rocMLIR 2459; llvm-project, fixPkF32OpSelBug). */
static void before_gfx950(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;
    bool high[3] = {false}, vgpr[3] = {false};

    if (i->format != FMT_VOP3P || i->op[0].type != T_PF32)
        return;
    for (unsigned k = 1; k < i->nops && k <= 3; k++) {
        vgpr[k - 1] = is_vgpr(&i->op[k]);
        high[k - 1] = i->op_sel >> (k - 1) & 1;
    }
    bool product = vgpr[0] && vgpr[1] && !high[0] && high[1];
    bool sum = vgpr[2] && high[2] && vgpr[0] != vgpr[1] && !(vgpr[0] ? high[0] : high[1]);
    if (product || sum)
        check_report(s, CHECK_PK_F32_OP_SEL, -1,
                     product ? "exchange the first two sources and their op_sel"
                             : "two instructions that are not packed",
                     "its lower result takes the upper half of source %u beside the lower half of source %u",
                     product ? 1 : 2, product || vgpr[0] ? 0 : 1);
}

/* ---- RDNA3 ---- */

/* v_mad_u64_u32 and v_mad_i64_i32 write the result's halves one after the other. Compilers that need the lower half
 * alone let it take the place of the addend's upper one, which is undefined then: that overlap is no finding. */
static void before_gfx11_0(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (i->row->cls != OPC_VALU_MAD64 || !is_vgpr(&i->op[0]))
        return;
    for (unsigned k = 1; k < i->nops; k++) {
        unsigned count = isa_types[i->op[k].type].dwords;
        if (!(i->op[k].flags & A_RD) || !is_vgpr(&i->op[k]) || i->op[k].code >= i->op[0].code + 2 ||
            i->op[k].code + count <= i->op[0].code)
            continue;
        if (i->row->args[k].slot == SL_SRC2 && i->op[k].code + 1u == i->op[0].code)
            continue;
        check_report(s, CHECK_MAD64_OVERLAP, -1, "write the result to other registers",
                     "writes its result over v%u, one of its sources", i->op[k].code - (unsigned)CODE_VGPR);
        return;
    }
}

/* ---- RDNA3, RDNA4 ---- */

/* The n-th sources of X and of Y are read together: src0 and src1 from one of four banks each, the third from one of
 * two, in VOPD3 of four. RDNA4 has a separate read path for two moves, and gfx1250 lets both read one register (LLVM 22
 * GCNVOPDUtils.cpp, AMDGPUBaseInfo.h). */
static void before_vopd(struct check_step *s)
{
    static const uint8_t of_vopd[] = {4, 4, 2}, of_vopd3[] = {4, 4, 4};
    const struct isa_inst *i = s->i->inst;
    const uint8_t *banks = i->format == FMT_VOPD3X ? of_vopd3 : of_vopd;
    bool may_share = isa_has(check_target(s), FEAT_VOPD3);

    if (i->form != FORM_VOPD)
        return;
    unsigned y = i->u.y.first_op, sources = y < i->nops - y ? y - 1 : i->nops - y - 1;
    if (isa_has(check_target(s), FEAT_VOPD_MOV_BANKS) && y == 2 && i->nops == 4)
        return;
    for (unsigned k = 0; k < sources && k < sizeof of_vopd; k++) {
        const struct isa_opnd *a = &i->op[1 + k], *b = &i->op[y + 1 + k];
        if (may_share && a->code == b->code)
            continue;
        if (is_vgpr(a) && is_vgpr(b) && (a->code - b->code) % banks[k] == 0) {
            check_report(s, CHECK_VOPD_BANKS, -1, "registers of different banks, or two instructions",
                         "its two halves read v%u and v%u, of one bank of %u, as their source %u",
                         a->code - (unsigned)CODE_VGPR, b->code - (unsigned)CODE_VGPR, banks[k], k);
            return;
        }
    }
}

/* ---- */

void check_bugs_before(struct check_step *s)
{
    const struct isa_target *t = check_target(s);

    before_vopd(s);
    if (!isa_has(t, FEAT_SCRATCH_SIGNED))
        before_scratch(s);
    if (isa_has(t, FEAT_MAD64_OVERLAP_BUG))
        before_gfx11_0(s);
    if (isa_has(t, FEAT_HAZARDS_GFX10_1))
        before_rdna1(s);
    if (isa_has(t, FEAT_SCRATCH_NEGATIVE_BUG))
        before_gfx9(s);
    if (isa_has(t, FEAT_HAZARDS_GFX950))
        before_gfx950(s);
    if (isa_has(t, FEAT_SHIFT64_HIGH_VGPR_BUG))
        before_gfx90a(s);
    if (isa_has(t, FEAT_MFMA_INLINE_C_BUG))
        before_gfx908(s);
}

void check_bugs_after(struct check_step *s)
{
    struct check_bugs *c = &s->c->bugs;
    const struct isa_inst *i = s->i->inst;

    if (!isa_has(check_target(s), FEAT_HAZARDS_GFX10_1))
        return;
    if (i->row->special == ISA_SPECIAL_CLAUSE)
        c->clause = ((unsigned)i->offset & 63) + 1;
    else if (c->clause)
        c->clause--;
    after_rdna1(s);
}

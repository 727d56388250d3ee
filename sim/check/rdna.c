/* Hazards that RDNA leaves to software. They are not counted in wait states: an instruction of some kind, or a wait,
 * must stand between the two instructions. The source is GCNHazardRecognizer.cpp of LLVM 19 and 22 (fix...Hazard); runs
 * of it gave the targets:
 *
 *   RDNA1 (gfx101x): VMEMtoScalarWrite, SMEMtoVectorWrite, VcmpxExecWAR, LdsBranchVmemWAR
 *   RDNA1, RDNA3, RDNA4: VcmpxPermlane
 *   RDNA3 (gfx11xx): VALUTransUse (gfx110x alone), VALUMaskWrite (wave64)
 *   gfx1250: VALUTransCoexecution
 * WMMA is in wmma.c, more of RDNA3 and RDNA4 is in forward.c.
 */
#include <stdio.h>

#include "sim/check/internal.h"

enum { REG_EXEC = REG_S + CODE_EXEC_LO };
enum { TRANS_WINDOW_VALUS = 5, TRANS_WINDOW_TRANS = 1 };
enum memory_kind { MEMORY_NONE, MEMORY_LDS, MEMORY_VECTOR };

static bool has(const struct check_step *s, enum isa_feature f)
{
    return isa_has(check_target(s), f);
}

static bool is_memory(const struct check_step *s)
{
    return s->i->kind & (KIND_VMEM | KIND_LDS | KIND_GDS);
}

static bool test(const uint32_t set[4], unsigned code)
{
    return set[code >> 5 & 3] >> (code & 31) & 1;
}

static void add(uint32_t set[4], unsigned code)
{
    set[code >> 5 & 3] |= UINT32_C(1) << (code & 31);
}

static void clear(uint32_t set[4])
{
    memset(set, 0, 4 * sizeof *set);
}

static bool waits_vm_vsrc(const struct check_step *s)
{
    return check_waits_alu(s->i->inst, 2, 3);
}
static bool waits_sa_sdst(const struct check_step *s)
{
    return check_waits_alu(s->i->inst, 0, 1);
}
static bool waits_va_vcc(const struct check_step *s)
{
    return check_waits_alu(s->i->inst, 1, 1);
}
static bool waits_va_sdst(const struct check_step *s)
{
    return check_waits_alu(s->i->inst, 9, 3);
}
static bool waits_va_vdst(const struct check_step *s)
{
    return check_waits_alu(s->i->inst, 12, 4);
}

/* Scalar registers that the instruction names as a result; these rules are not about implicit ones. */
static unsigned scalar_result(const struct isa_inst *i, unsigned *count, unsigned lanes)
{
    for (unsigned k = 0; k < i->nops; k++)
        if ((i->op[k].flags & A_WR) && i->op[k].code < 128) {
            *count = i->op[k].type == T_MASK ? lanes / 32 : isa_types[i->op[k].type].dwords;
            return i->op[k].code;
        }
    *count = 0;
    return 0;
}

static bool writes_exec(const struct check_step *s)
{
    for (unsigned k = 0; k < s->i->refs; k++)
        if (s->i->ref[k].write && s->i->ref[k].first == REG_EXEC)
            return true;
    return false;
}

/* ---- RDNA1 ---- */

static void before_rdna1(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    const struct isa_inst *i = s->i->inst;
    unsigned count, first = scalar_result(i, &count, s->w->lanes);
    char name[24];

    for (unsigned code = first; code < first + count; code++) {
        check_reg_name(s, REG_S + code, name);
        if ((s->i->kind & (KIND_SALU | KIND_SMEM)) && test(c->vmem_reads, code))
            check_report(s, CHECK_VMEM_SCALAR_WRITE, -1, "s_waitcnt_depctr 0xffe3 before it",
                         "overwrites %s, which a memory instruction may still have to read", name);
        if ((s->i->kind & KIND_VALU) && test(c->smem_reads, code))
            check_report(s, CHECK_SMEM_VECTOR_WRITE, -1, "s_mov_b32 null, 0 before it",
                         "overwrites %s, which a scalar memory instruction may still have to read", name);
    }
    if ((s->i->kind & KIND_VALU) && (i->row->flags & RF_CMPX) && c->exec_read)
        check_report(s, CHECK_CMPX_EXEC_WAR, -1, "s_waitcnt_depctr 0xfffe before it",
                     "overwrites EXEC, which an instruction of another unit may still have to read");
    enum memory_kind kind = s->i->kind & KIND_LDS ? MEMORY_LDS : s->i->kind & KIND_VMEM ? MEMORY_VECTOR : MEMORY_NONE;
    if (kind && i->format != FMT_FLAT && c->memory && c->memory != kind && c->branched)
        check_report(s, CHECK_LDS_BRANCH_VMEM, -1, "s_waitcnt_vscnt null, 0x0 before it",
                     "LDS and vector memory instructions with nothing but a branch between them");
}

/* Scalar instructions stall vector ones until scalar memory has read its registers; program control does not. */
static bool shields_smem(const struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (s->i->waits)
        return s->i->threshold[WAIT_LGKM] == 0;
    return (s->i->kind & KIND_SALU) && i->format != FMT_SOPP;
}

static void after_rdna1(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    const struct isa_inst *i = s->i->inst;
    bool valu = s->i->kind & KIND_VALU, reads_exec = is_memory(s);
    unsigned count;

    scalar_result(i, &count, s->w->lanes);
    if (valu || waits_vm_vsrc(s) || (i->row->wait == WAITS_PACKED && ((unsigned)i->offset & 0xffff) == 0))
        clear(c->vmem_reads);
    if (shields_smem(s))
        clear(c->smem_reads);
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg >= REG_S && reg < REG_SCC && reg < (unsigned)r->first + r->count;
             reg++) {
            if (is_memory(s))
                add(c->vmem_reads, reg - REG_S);
            if (s->i->kind & KIND_SMEM)
                add(c->smem_reads, reg - REG_S);
            reads_exec |= (reg & ~1u) == REG_EXEC;
        }
    }
    if (is_memory(s)) {
        add(c->vmem_reads, CODE_EXEC_LO);
        add(c->vmem_reads, CODE_EXEC_HI);
    }
    if ((valu && (count || writes_exec(s))) || waits_sa_sdst(s))
        c->exec_read = false;
    else if (!valu && reads_exec)
        c->exec_read = true;
    if (s->i->kind & (KIND_LDS | KIND_VMEM)) { /* flat_*, which may be either: LLVM 22 counts it as the latter */
        c->memory = i->format == FMT_FLAT ? MEMORY_NONE : s->i->kind & KIND_LDS ? MEMORY_LDS : MEMORY_VECTOR;
        c->branched = false;
    } else if (s->i->waits && i->row->wait == WAITS_VS && s->i->threshold[WAIT_VS] == 0) {
        c->memory = MEMORY_NONE;
    } else if (i->row->implicit & IMP_W_PC) {
        c->branched = true;
    }
    if (check_leaves_function(i)) {
        c->memory = MEMORY_NONE;
        c->exec_read = false;
        clear(c->vmem_reads);
        clear(c->smem_reads);
    }
}

/* ---- v_cmpx, then a permute: a vector instruction must stand between, v_nop is none ---- */

/* ---- RDNA3 ---- */

static void before_trans_use(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    char name[24];

    for (unsigned k = 0; (s->i->kind & KIND_VALU) && k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg < REG_A && reg < (unsigned)r->first + r->count; reg++)
            if (c->trans_valus[reg] && c->valus - (c->trans_valus[reg] - 1) <= TRANS_WINDOW_VALUS &&
                c->transes - c->trans_transes[reg] <= TRANS_WINDOW_TRANS &&
                (c->trans_halves[reg] & check_halves_of(s, reg, A_RD))) {
                check_report(s, CHECK_TRANS_USE, -1, "s_waitcnt_depctr 0xfff before it",
                             "reads %s, which a transcendental instruction may still have to write",
                             check_reg_name(s, reg, name));
                c->trans_valus[reg] = 0;
            }
    }
}

static void after_trans_use(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;

    c->valus += !!(s->i->kind & KIND_VALU);
    c->transes += !!(s->i->kind & KIND_TRANS);
    if (is_memory(s) || waits_va_vdst(s))
        memset(c->trans_valus, 0, sizeof c->trans_valus);
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; r->write && reg < REG_A && reg < (unsigned)r->first + r->count; reg++) {
            unsigned halves = check_halves_of(s, reg, A_WR);
            if (s->i->kind & KIND_TRANS) {
                c->trans_valus[reg] = c->valus + 1;
                c->trans_transes[reg] = c->transes;
                c->trans_halves[reg] = (uint8_t)halves;
            } else if (!(c->trans_halves[reg] &= (uint8_t)~halves)) {
                c->trans_valus[reg] = 0;
            }
        }
    }
}

/* gfx1250 runs transcendentals beside vector instructions that follow. Of dual-issue pairs LLVM looks at what they read
 * alone. */
static void before_trans_beside(struct check_step *s)
{
    const struct check_info *t = s->c->rdna.trans;
    char name[24];

    for (unsigned k = 0; t && (s->i->kind & (KIND_VALU | KIND_TRANS)) == KIND_VALU && k < s->i->refs; k++)
        for (unsigned n = 0; n < t->refs; n++) {
            const struct check_ref *r = &s->i->ref[k], *of = &t->ref[n];
            if ((r->write && s->i->inst->form == FORM_VOPD) || r->write == of->write || r->first >= REG_A ||
                of->first >= r->first + r->count || r->first >= of->first + of->count)
                continue;
            check_report(s, CHECK_TRANS_BESIDE, -1, "v_nop before it",
                         "%s %s, right behind the transcendental instruction that %s it", r->write ? "writes" : "reads",
                         check_reg_name(s, r->first, name), r->write ? "reads" : "writes");
            return;
        }
}

/* A lane mask read by a vector instruction, overwritten by a scalar or a vector one, then read: the old value may come
 * back. Whoever reads another scalar register or a literal in between keeps it from happening. LLVM 19 and Mesa have it
 * so; LLVM 22 waits after every such write. Only LLVM 22 and Mesa know of vector instructions that write. */
static void before_mask(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    bool valu = s->i->kind & KIND_VALU;
    char name[24];

    if (!(s->i->kind & (KIND_VALU | KIND_SALU)))
        return;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg >= REG_S && reg < REG_SCC && reg < (unsigned)r->first + r->count;
             reg++) {
            bool by_salu = test(c->mask_by_salu, reg - REG_S);
            if (!by_salu && (!valu || !test(c->mask_by_valu, reg - REG_S)))
                continue;
            bool vcc = (reg & ~1u) == (unsigned)REG_S + CODE_VCC_LO;
            const char *fix = by_salu ? "s_waitcnt_depctr 0xfffe after the scalar write"
                              : vcc   ? "s_waitcnt_depctr 0xfffd after the write"
                                      : "s_waitcnt_depctr 0xf1ff after the write";
            check_report(s, by_salu ? CHECK_MASK_WRITE : CHECK_MASK_VALU_WRITE, -1, fix,
                         "reads %s, which was a lane mask until a %s instruction wrote it",
                         check_reg_name(s, reg, name), by_salu ? "scalar" : "vector");
            clear(by_salu ? c->mask_by_salu : c->mask_by_valu);
        }
    }
}

/* Waits for what vector instructions write, of VCC by a field of its own: those of the instruction's operands that are
 * scalar sources of a scalar one, and of all memory instructions and of va_vdst(0) for all of it. */
static void wait_for_valu_masks(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    uint32_t *word = &c->mask_by_valu[CODE_VCC_LO >> 5];
    const uint32_t vcc = UINT32_C(3) << (CODE_VCC_LO & 31);
    bool all = is_memory(s) || (s->i->kind & KIND_SMEM) || waits_va_vdst(s);
    bool of_vcc = all || waits_va_vcc(s), of_sgprs = all || waits_va_sdst(s);

    for (unsigned k = 0; k < s->i->refs && (s->i->kind & KIND_SALU); k++) {
        unsigned reg = s->i->ref[k].first;
        if (s->i->ref[k].write || reg < REG_S || reg >= REG_EXEC)
            continue;
        of_vcc |= (reg - REG_S) >= CODE_VCC_LO;
        of_sgprs |= (reg - REG_S) < CODE_VCC_LO;
    }
    if (of_vcc)
        *word &= ~vcc;
    if (of_sgprs) {
        uint32_t kept = *word & vcc;
        clear(c->mask_by_valu);
        *word = kept;
    }
}

/* Scalar sources of a vector instruction but EXEC, literals too: whether there are any, and which are lane masks. */
static bool scalar_sources(const struct check_step *s, uint32_t masks[4])
{
    const struct isa_inst *i = s->i->inst;
    bool any = i->has_literal;

    for (unsigned k = 0; k < i->nops; k++) {
        if (!(i->op[k].flags & A_RD) || i->op[k].code >= CODE_EXEC_LO)
            continue;
        any = true;
        for (unsigned d = 0; i->op[k].type == T_MASK && d < s->w->lanes / 32; d++)
            add(masks, i->op[k].code + d);
    }
    return any;
}

static void after_mask(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;
    bool valu = s->i->kind & KIND_VALU;
    unsigned count, first = scalar_result(s->i->inst, &count, s->w->lanes);
    uint32_t masks[4] = {0};
    bool scalars = valu && scalar_sources(s, masks);

    if (waits_sa_sdst(s)) {
        clear(c->mask_by_salu);
        clear(c->mask_read);
    }
    wait_for_valu_masks(s);
    if (scalars)
        clear(c->mask_read);
    for (unsigned code = first; (valu || (s->i->kind & KIND_SALU)) && code < first + count; code++)
        if (test(c->mask_read, code)) {
            add(valu ? c->mask_by_valu : c->mask_by_salu, code);
            c->mask_read[code >> 5 & 3] &= ~(UINT32_C(1) << (code & 31));
        }
    if (scalars)
        memcpy(c->mask_read, masks, sizeof masks);
}

/* ---- */

void check_rdna_before(struct check_step *s)
{
    if (has(s, FEAT_HAZARDS_GFX10_1))
        before_rdna1(s);
    if (has(s, FEAT_CMPX_PERMLANE_HAZARD) && check_is_permlane(s->i->inst) && s->c->rdna.cmpx)
        check_report(s, CHECK_CMPX_PERMLANE, -1, "v_mov_b32 v0, v0 (or any other but v_nop) before it",
                     "permutes lanes with no vector instruction after v_cmpx wrote EXEC");
    if (has(s, FEAT_TRANS_USE_HAZARD))
        before_trans_use(s);
    if (has(s, FEAT_TRANS_BESIDE_HAZARD))
        before_trans_beside(s);
    if (has(s, FEAT_MASK_WRITE_HAZARD) && s->w->lanes == 64)
        before_mask(s);
    if (has(s, FEAT_WMMA))
        check_wmma_before(s);
}

void check_rdna_after(struct check_step *s)
{
    struct check_rdna *c = &s->c->rdna;

    if (has(s, FEAT_HAZARDS_GFX10_1))
        after_rdna1(s);
    if (has(s, FEAT_CMPX_PERMLANE_HAZARD) && s->i->kind & KIND_VALU)
        c->cmpx = s->i->inst->row->flags & RF_CMPX ? true : s->i->inst->nops ? false : c->cmpx;
    if (has(s, FEAT_TRANS_USE_HAZARD))
        after_trans_use(s);
    if (s->i->kind & KIND_VALU)
        c->trans = s->i->kind & KIND_TRANS ? s->i : NULL;
    if (has(s, FEAT_MASK_WRITE_HAZARD))
        after_mask(s);
    if (has(s, FEAT_WMMA))
        check_wmma_after(s);
    if (check_leaves_function(s->i->inst)) {
        c->cmpx = false;
        c->trans = NULL;
        memset(&c->wmma, 0, sizeof c->wmma);
        memset(c->trans_valus, 0, sizeof c->trans_valus);
        clear(c->mask_read);
        clear(c->mask_by_salu);
        clear(c->mask_by_valu);
    }
}

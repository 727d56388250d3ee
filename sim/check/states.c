/* Wait states that gfx8, gfx9 and CDNA leave to software: a table of what writes, what reads, and how many instructions
 * must stand between. An instruction counts one, s_nop N counts N + 1.
 *
 * Sources: GCNHazardRecognizer.cpp of LLVM 19, 22 and later (docs/CHECK.md, "Errata", says which knows what);
 * "Manually inserted wait states (NOPs)" of the GCN3, Vega, MI100, MI200 and MI300 ISA manuals, for what LLVM never
 * generates (VSKIP, VCCZ and EXECZ as data). Matrix instructions: matrix.c.
 */
#include <stddef.h>
#include <stdio.h>

#include "sim/check/internal.h"

enum { REG_EXEC = REG_S + CODE_EXEC_LO, REG_VCC = REG_S + CODE_VCC_LO };
enum { HWREG_ID_MODE = 1, MODE_BIT_VSKIP = 28 };

static unsigned hwreg_of(const struct isa_inst *i)
{
    return (unsigned)i->offset & 63;
}

static bool has_hwreg(const struct isa_inst *i)
{
    return i->nops > 1 && (i->op[0].type == T_HWREG || i->op[1].type == T_HWREG);
}

static bool is_setreg(const struct check_info *i)
{
    return has_hwreg(i->inst) && (i->inst->row->implicit & IMP_W_MODE);
}

/* ---- what reads: whether register `reg`, which the instruction reads, falls under the rule ---- */

static bool is_sgpr(unsigned reg)
{
    return reg >= REG_S && reg < REG_SCC && (reg & ~1u) != REG_EXEC;
}

static bool vmem_sgpr(const struct check_step *s, unsigned reg)
{
    return (s->i->kind & KIND_VMEM) && is_sgpr(reg);
}

/* v_div_fmas is the one that has VCC for a hidden operand beside three sources */
static bool div_fmas_vcc(const struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;

    return (s->i->kind & KIND_VALU) && i->base_format == FMT_VOP3 && (reg & ~1u) == REG_VCC && i->nops > 3 &&
           ((i->row->implicit & IMP_R_VCC) || i->row->args[4].slot == SL_CARRY_IN) &&
           isa_types[i->op[0].type].float_bits;
}

static bool dpp_exec(const struct check_step *s, unsigned reg)
{
    return (s->i->kind & KIND_DPP) && (reg & ~1u) == REG_EXEC;
}

static bool dpp_vgpr(const struct check_step *s, unsigned reg)
{
    return (s->i->kind & KIND_DPP) && reg < REG_S;
}

static bool is_lane_access(const struct check_step *s)
{
    return (s->i->inst->row->flags & RF_ANY_LANE) && s->i->inst->row->cls == OPC_CROSS;
}

static bool lane_select(const struct check_step *s, unsigned reg)
{
    return is_lane_access(s) && s->i->inst->nops > 2 && s->i->inst->op[2].code + (unsigned)REG_S == reg;
}

static bool condition_as_data(const struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;

    for (unsigned k = 0; (s->i->kind & KIND_VALU) && k < i->nops; k++)
        if ((i->op[k].code == CODE_VCCZ && (reg & ~1u) == REG_VCC) ||
            (i->op[k].code == CODE_EXECZ && (reg & ~1u) == REG_EXEC))
            return true;
    return false;
}

/* gfx950's exchanges of lanes between two registers. */
static bool swap_vgpr(const struct check_step *s, unsigned reg)
{
    return check_is_permlane(s->i->inst) && reg < REG_S;
}

static bool swap_exec(const struct check_step *s, unsigned reg)
{
    return check_is_permlane(s->i->inst) && (reg & ~1u) == REG_EXEC;
}

/* What SDWA keeps of its destination is not fetched. */
static bool is_kept(const struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;

    if (i->form != FORM_SDWA || !check_operand_is(s, &i->op[0], reg))
        return false;
    for (unsigned k = 1; k < i->nops; k++)
        if (check_operand_is(s, &i->op[k], reg))
            return false;
    return true;
}

/* Whoever writes another part of it fetches what it keeps, too (LLVM 20 on; not of a transcendental's result). */
static bool partial_vgpr(const struct check_step *s, unsigned reg)
{
    return (s->i->kind & KIND_VALU) && reg < REG_S;
}

static bool plain_vgpr(const struct check_step *s, unsigned reg)
{
    return (s->i->kind & (KIND_VALU | KIND_TRANS)) == KIND_VALU && reg < REG_S && !is_kept(s, reg);
}

/* EXEC counts where it is data, not as the mask of lanes. */
static bool valu_sgpr(const struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;
    bool exec = false;

    for (unsigned k = 0; reg == REG_EXEC && k < i->nops; k++)
        exec |= (i->op[k].flags & A_RD) && (i->op[k].code & ~1u) == CODE_EXEC_LO;
    return (s->i->kind & KIND_VALU) && (is_sgpr(reg) || exec);
}

static bool readlane_vgpr(const struct check_step *s, unsigned reg)
{
    return is_lane_access(s) && reg < REG_S && s->i->inst->op[0].code < CODE_VGPR;
}

static bool lane_exec(const struct check_step *s, unsigned reg)
{
    return is_lane_access(s) && (reg & ~1u) == REG_EXEC;
}

/* M0 of messages (s_ttracedata goes with them), GDS; on gfx9 also of relative moves, LDS with a thread's own address,
 * global and scratch loads to LDS and buffer_store_lds_dword. The manuals list these (Vega ISA and CDNA3 ISA 4.5,
 * "SALU writes M0") and not buffer loads to LDS, before which LLVM has the wait state all the same: AMD's own
 * kernels (Tensile's DirectToLds, "s_add_u32 m0, m0, N" right before "buffer_load_dwordx4 ... lds") do without. */
static bool m0_user(const struct check_step *s, unsigned reg)
{
    const struct isa_target *t = check_target(s);
    uint32_t kind = KIND_MESSAGE | KIND_GDS;

    if (reg != (unsigned)REG_S + t->code_m0 || (s->i->inst->format == FMT_MUBUF && s->i->inst->row->mem.op == MEM_LOAD))
        return false;
    if (t->layout == LAYOUT_GFX9)
        kind |= KIND_SALU | KIND_VMEM;
    if (t->layout == LAYOUT_GFX9 && s->i->inst->row->cls != OPC_LDS_ATOMIC)
        kind |= KIND_LDS;
    return (s->i->kind & kind) && !(s->i->inst->row->implicit & IMP_W_M0) &&
           (!(s->i->kind & KIND_SALU) || (s->i->kind & KIND_RELATIVE));
}

/* ---- the table ---- */

struct rule {
    enum check_rule rule;
    uint8_t states;
    enum isa_feature only; /* where this feature is; NONE: everywhere */
    size_t written;        /* in struct check_states: when each register was, by what the rule is about */
    bool (*reads)(const struct check_step *s, unsigned reg);
    const char *by;
};

#define WRITTEN(FIELD) offsetof(struct check_states, FIELD)
#define NONE           FEAT_COUNT
static const struct rule rules[] = {
    {CHECK_VALU_SGPR_VMEM, 5, NONE, WRITTEN(valu), vmem_sgpr, "a vector instruction"},
    {CHECK_VALU_VCC_DIV_FMAS, 4, NONE, WRITTEN(valu), div_fmas_vcc, "a vector instruction"},
    {CHECK_VALU_EXEC_DPP, 5, NONE, WRITTEN(valu), dpp_exec, "a vector instruction"},
    {CHECK_VALU_VGPR_DPP, 2, NONE, WRITTEN(valu), dpp_vgpr, "a vector instruction"},
    {CHECK_VALU_SGPR_LANE, 4, NONE, WRITTEN(valu), lane_select, "a vector instruction"},
    {CHECK_VALU_EXECZ, 5, NONE, WRITTEN(valu), condition_as_data, "a vector instruction"},
    {CHECK_SALU_M0, 1, NONE, WRITTEN(salu), m0_user, "a scalar instruction"},
    {CHECK_TRANS_VALU, 1, FEAT_HAZARDS_GFX942, WRITTEN(trans), plain_vgpr, "a transcendental instruction"},
    {CHECK_PARTIAL_VALU, 1, FEAT_HAZARDS_GFX942, WRITTEN(partial), partial_vgpr,
     "an instruction that writes a part of it"},
    {CHECK_VALU_SGPR_VALU, 2, FEAT_HAZARDS_GFX942, WRITTEN(valu), valu_sgpr, "a vector instruction"},
    {CHECK_VALU_VGPR_READLANE, 1, FEAT_HAZARDS_GFX942, WRITTEN(valu), readlane_vgpr, "a vector instruction"},
    {CHECK_VALU_EXEC_LANE, 4, FEAT_HAZARDS_GFX942, WRITTEN(valu), lane_exec, "a vector instruction"},
    {CHECK_VALU_VGPR_SWAP, 2, FEAT_HAZARDS_GFX950, WRITTEN(valu), swap_vgpr, "a vector instruction"},
    {CHECK_VALU_EXEC_SWAP, 4, FEAT_HAZARDS_GFX950, WRITTEN(valu), swap_exec, "a vector instruction"},
};

void check_missing_states(struct check_step *s, enum check_rule rule, unsigned need, uint32_t when, const char *what)
{
    uint32_t since = s->c->states.now - when;
    char fix[120];

    if (!when || since >= need)
        return;
    unsigned missing = need - since;
    snprintf(fix, sizeof fix, "s_nop %u before it (%u wait state%s missing)", missing - 1, missing,
             missing == 1 ? "" : "s");
    check_report(s, rule, -1, fix, "%s: needs %u wait states between, has %u", what, need, (unsigned)since);
}

static void look_at(struct check_step *s, unsigned reg)
{
    const struct check_states *c = &s->c->states;
    char name[24], what[120];

    for (unsigned k = 0; k < sizeof rules / sizeof rules[0]; k++) {
        const struct rule *r = &rules[k];
        const uint32_t *when = (const uint32_t *)((const char *)c + r->written);
        if (!when[reg] || c->now - when[reg] >= r->states || (r->only != NONE && !isa_has(check_target(s), r->only)) ||
            !r->reads(s, reg))
            continue;
        snprintf(what, sizeof what, "reads %s, which %s has just written", check_reg_name(s, reg, name), r->by);
        check_missing_states(s, r->rule, r->states, when[reg], what);
    }
}

/* Hardware registers and VSKIP. */
static void look_at_hwreg(struct check_step *s)
{
    const struct check_states *c = &s->c->states;

    if (has_hwreg(s->i->inst))
        check_missing_states(s, is_setreg(s->i) ? CHECK_SETREG_SETREG : CHECK_SETREG_GETREG, 2,
                             c->setreg[hwreg_of(s->i->inst)], "s_setreg has just written this hardware register");
    if (s->i->kind & (KIND_VALU | KIND_VMEM | KIND_LDS | KIND_GDS))
        check_missing_states(s, CHECK_SETREG_VSKIP, 2, c->vskip, "s_setreg has just written MODE.VSKIP");
}

/* The data of a wide store is read late: a vector instruction must not overwrite it at once. */
static void look_at_store_data(struct check_step *s, const struct check_ref *r)
{
    const struct check_states *c = &s->c->states;
    char name[24], what[120];

    for (unsigned reg = r->first; (s->i->kind & KIND_VALU) && reg < REG_S && reg < (unsigned)r->first + r->count;
         reg++) {
        if (!c->store[reg])
            continue;
        snprintf(what, sizeof what, "overwrites %s, which a store of more than 64 bits has just read",
                 check_reg_name(s, reg, name));
        check_missing_states(s, CHECK_STORE_DATA, c->store_states[reg], c->store[reg], what);
    }
}

/* Dot products of gfx90a and gfx942 forward to themselves as addend alone. */
static void look_at_dot(struct check_step *s, const struct check_ref *r)
{
    const struct isa_inst *i = s->i->inst;
    const struct check_states *c = &s->c->states;
    bool memory = s->i->kind & (KIND_VMEM | KIND_LDS);
    char name[24], what[120];

    if (!(s->i->kind & KIND_VALU ? !(s->i->kind & KIND_MATRIX) : memory))
        return;
    for (unsigned reg = r->first; reg < REG_S && reg < (unsigned)r->first + r->count; reg++) {
        if (!c->dot[reg] || (r->write && c->dot_row[reg] == i->row))
            continue;
        bool addend = false;
        for (unsigned k = 0; k < i->nops; k++)
            addend |= check_operand_is(s, &i->op[k], reg) &&
                      (i->row->args[k].slot == SL_SRC2 || i->row->args[k].slot == SL_VDST);
        if (!r->write && c->dot_row[reg] == i->row && addend)
            continue;
        snprintf(what, sizeof what, "%s %s, which a dot product has just written", r->write ? "overwrites" : "reads",
                 check_reg_name(s, reg, name));
        check_missing_states(s, CHECK_DOT_VALU, 3, c->dot[reg], what);
    }
}

static bool has_wait_states(const struct check_step *s)
{
    return check_target(s)->layout == LAYOUT_GFX8 || check_target(s)->layout == LAYOUT_GFX9;
}

void check_states_before(struct check_step *s)
{
    bool vector = s->i->kind & (KIND_VALU | KIND_VMEM | KIND_LDS | KIND_GDS);
    bool dots = isa_has(check_target(s), FEAT_AGPR_UNIFIED);

    if (!has_wait_states(s))
        return;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg < (unsigned)r->first + r->count; reg++)
            if (!vector || (reg & ~1u) != REG_EXEC)
                look_at(s, reg);
        if (r->write)
            look_at_store_data(s, r);
        if (dots)
            look_at_dot(s, r);
    }
    if (vector)
        look_at(s, REG_EXEC);
    look_at_hwreg(s);
}

/* ---- what writes ---- */

/* A conversion that writes one of its destination's four bytes, which op_sel selects. */
static bool writes_byte(const struct isa_inst *i)
{
    return (i->row->flags & RF_OP_SEL4) && i->op[0].type == T_B32 && (i->op[0].flags & A_RD);
}

/* v_cvt_scalef32_sr_pk_fp4_*, which is not forwarded whatever byte it writes: a pair and a random number. */
static bool rounds_pair_at_random(const struct isa_inst *i)
{
    return i->nops > 2 && i->op[2].type == T_B32 && isa_types[i->op[1].type].bits > isa_types[i->op[1].type].float_bits;
}

/* A write of less than the register, by SDWA, op_sel or an 8-bit conversion (gfx942's forwarding misses it). */
static bool writes_part(const struct isa_inst *i)
{
    enum { DST_BYTE_1 = 4, DST_HIGH = 8, SEL_DWORD = 6 };

    if (i->form == FORM_SDWA && i->format != FMT_VOPC)
        return i->u.sdwa.dst_sel != SEL_DWORD;
    if (i->format != FMT_VOP3 || !writes_byte(i))
        return i->format == FMT_VOP3 && (i->op_sel & DST_HIGH);
    return (i->op_sel & (DST_BYTE_1 | DST_HIGH)) || rounds_pair_at_random(i);
}

/* How long vector data must stay that a store reads late: one of more than 64 bits. A buffer's is read in time, on
 * gfx942 and gfx950 earlier by one, when its offset is an SGPR. */
static unsigned store_states(const struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;
    unsigned states = isa_has(check_target(s), FEAT_HAZARDS_GFX942) ? 2 : 1;

    for (unsigned k = 0; k < i->nops; k++)
        if (i->row->args[k].slot == SL_SOFFSET && i->op[k].code < 128)
            return states - 1;
    return states;
}

static void note_store(struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;
    struct check_states *c = &s->c->states;
    unsigned states = store_states(s);

    if (!(s->i->kind & KIND_VMEM) || (i->row->mem.op != MEM_STORE && i->row->mem.op != MEM_ATOMIC))
        return;
    for (unsigned k = 0; k < i->nops; k++) {
        unsigned slot = i->row->args[k].slot, count = isa_types[i->op[k].type].dwords;
        if ((slot != SL_DATA0 && slot != SL_VDST) || !(i->op[k].flags & A_RD) || count <= 2 ||
            i->op[k].code < CODE_VGPR || i->op[k].code == CODE_NONE)
            continue;
        for (unsigned d = 0, reg; d < count && (reg = check_operand_reg(s, &i->op[k], d)) < REG_S; d++) {
            c->store[reg] = c->now;
            c->store_states[reg] = (uint8_t)states;
        }
    }
}

static void note_write(struct check_step *s, unsigned reg)
{
    struct check_states *c = &s->c->states;
    const struct isa_inst *i = s->i->inst;
    bool valu = s->i->kind & KIND_VALU;

    c->valu[reg] = valu ? c->now : 0;
    c->salu[reg] = s->i->kind & KIND_SALU ? c->now : 0;
    c->trans[reg] = s->i->kind & KIND_TRANS ? c->now : 0;
    c->partial[reg] = valu && reg < REG_S && writes_part(i) ? c->now : 0;
    if (reg < REG_S) {
        c->dot[reg] = i->row->cls == OPC_DOT ? c->now : 0;
        c->dot_row[reg] = i->row;
    }
}

void check_states_after(struct check_step *s)
{
    struct check_states *c = &s->c->states;

    if (!has_wait_states(s))
        return;
    c->now += s->i->wait_states;
    for (unsigned k = 0; k < s->i->refs; k++)
        for (unsigned reg = s->i->ref[k].first;
             s->i->ref[k].write && reg < (unsigned)s->i->ref[k].first + s->i->ref[k].count; reg++)
            note_write(s, reg);
    note_store(s);
    if (is_setreg(s->i)) {
        unsigned low = (unsigned)s->i->inst->offset >> 6 & 31, bits = ((unsigned)s->i->inst->offset >> 11 & 31) + 1;
        c->setreg[hwreg_of(s->i->inst)] = c->now;
        if (hwreg_of(s->i->inst) == HWREG_ID_MODE && low <= MODE_BIT_VSKIP && low + bits > MODE_BIT_VSKIP)
            c->vskip = c->now;
    }
    check_matrix_after(s);
}

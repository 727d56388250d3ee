/* Hazards of RDNA3 and RDNA4 in which an instruction that follows too closely reads a stale value. LLVM's
 * GCNHazardRecognizer.cpp calls them VALUPartialForwardingHazard (gfx11, wave64), LdsDirectVALUHazard and
 * LdsDirectVMEMHazard (gfx11, gfx12; the numbers come from runs of LLVM 19), and VALUReadSGPRHazard (gfx12; LLVM 20,
 * Mesa's aco_insert_NOPs.cpp).
 *
 * LLVM 19 does not know the last one: it is checked in code that contains an s_wait_alu, whose compiler knows it.
 */
#include <stdio.h>

#include "sim/check/internal.h"
#include "sim/launch/state.h"

enum { PARTIAL_AROUND_EXEC_VALUS = 2, PARTIAL_SINCE_LAST_VALUS = 4, LDSDIR_MOST_VALUS = 15 };
enum { REWRITTEN_SALUS_FOR_SALU = 10, REWRITTEN_SALUS_FOR_VALU = 11 };
enum { MOST_INSTRUCTIONS = 1 << 20 };
enum { REG_EXEC = REG_S + CODE_EXEC_LO };

static bool is_memory(const struct check_step *s)
{
    return (s->i->kind & (KIND_VMEM | KIND_LDS | KIND_GDS)) && s->i->inst->format != FMT_LDSDIR;
}

/* ---- two sources, one from before a change of EXEC and one from after it ---- */

/* The half that was written last among those that a source reads: 2 * register, and one more for a high half. */
static unsigned latest_half(const struct check_step *s, const struct check_ref *r)
{
    const struct check_forward *c = &s->c->forward;
    unsigned last = REG_A * 2;

    for (unsigned reg = r->first; reg < REG_A && reg < (unsigned)r->first + r->count; reg++)
        for (unsigned halves = check_halves_of(s, reg, A_RD), h = 0; h < 2; h++)
            if ((halves >> h & 1) && (last == REG_A * 2 || c->written[2 * reg + h] > c->written[last]))
                last = 2 * reg + h;
    return last;
}

static void before_partial(struct check_step *s)
{
    const struct check_forward *c = &s->c->forward;
    unsigned latest[ISA_MAX_REGREFS], n = 0, newest = 0;
    char name[24];

    if (!(s->i->kind & KIND_VALU))
        return;
    /* the last write of each source; an operand of 64 bits is one source, and so is the same register twice */
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        bool again = false;
        if (r->write || r->first >= REG_A)
            continue;
        unsigned last = latest_half(s, r);
        for (unsigned j = 0; j < n; j++)
            again |= latest[j] == last;
        if (again)
            continue;
        latest[n] = last;
        if (n && c->written[last] > c->written[latest[newest]])
            newest = n;
        n++;
    }
    if (n < 2 || c->written[latest[newest]] <= c->drained || !c->exec_before[latest[newest]])
        return;
    /* vector instructions after each event */
    unsigned since = c->valus - c->written[latest[newest]];
    unsigned since_exec = c->valus - (c->exec_before[latest[newest]] - 1);
    for (unsigned k = 0; k < n; k++) {
        uint32_t when = c->written[latest[k]];
        if (when <= c->drained || when > c->exec_before[latest[newest]] - 1)
            continue;
        unsigned around = (since_exec - since - 1) + (c->valus - when - since_exec);
        if (since > PARTIAL_SINCE_LAST_VALUS || around > PARTIAL_AROUND_EXEC_VALUS)
            continue;
        check_report(s, CHECK_PARTIAL_FORWARDING, -1, "s_waitcnt_depctr 0xfff before it",
                     "reads %s, written before EXEC changed, and another register written after that",
                     check_reg_name(s, latest[k] / 2, name));
        return;
    }
}

/* ---- direct loads from LDS ---- */

static void before_ldsdir(struct check_step *s)
{
    const struct check_forward *c = &s->c->forward;
    const struct isa_inst *i = s->i->inst;
    bool waits = check_target(s)->layout == LAYOUT_GFX12;
    char name[24], fix[120];

    if (i->format != FMT_LDSDIR || i->op[0].code < CODE_VGPR)
        return;
    unsigned reg = i->op[0].code - CODE_VGPR;
    check_reg_name(s, reg, name);
    if (c->touched[reg] > c->drained) {
        /* a transcendental instruction runs beside the others: they cannot be counted */
        unsigned count = c->last_trans >= c->touched[reg] ? 0 : c->valus - c->touched[reg];
        if (count < LDSDIR_MOST_VALUS && i->u.gfx.wait_vdst > count) {
            snprintf(fix, sizeof fix, "wait_vdst:%u", count);
            check_report(s, CHECK_LDSDIR_VALU, -1, fix,
                         "overwrites %s, which a vector instruction may still have to read or write", name);
        }
    }
    if (c->memory_reads[reg] && (!waits || i->u.gfx.wait_vm_vsrc))
        check_report(s, CHECK_LDSDIR_VMEM, -1, waits ? "wait_vm_vsrc:0" : "s_waitcnt_depctr 0xffe3 before it",
                     "overwrites %s, which a memory instruction may still have to read", name);
}

/* ---- SGPRs that a vector instruction has read, a scalar one written ---- */

bool check_uses_wait_alu(const struct launch *l)
{
    gaddr_t pc = l->state->entry;

    if (!isa_has(l->target, FEAT_READ_SGPR_HAZARD))
        return false;
    for (unsigned k = 0; k < MOST_INSTRUCTIONS; k++) {
        const struct isa_inst *i = isa_program_at(l->program, pc);
        if (!i || !i->row)
            return false;
        if (i->row->special == ISA_SPECIAL_WAIT_ALU)
            return true;
        pc += i->size_bytes;
    }
    return false;
}

/* The SGPRs (and VCC) of an operand, from *reg to below the result. */
static unsigned sgprs_of(const struct check_ref *r, unsigned *reg)
{
    unsigned end = (unsigned)r->first + r->count - REG_S;

    *reg = r->first - REG_S;
    if (r->first < REG_S)
        return *reg = 0;
    return end < SGPR_HAZARD ? end : SGPR_HAZARD;
}

/* Another vector instruction has written it. */
static void before_rewritten_by_valu(struct check_step *s, unsigned reg)
{
    struct check_forward *c = &s->c->forward;
    char name[24];

    if (!(s->i->kind & KIND_VALU) || !c->rewritten_by_valu[reg])
        return;
    check_report(s, CHECK_READ_SGPR, -1,
                 reg < CODE_VCC_LO ? "s_wait_alu 0xf1ff before it" : "s_wait_alu 0xfffd before it",
                 "reads %s, which a vector instruction has written after another one read it or the other of its pair",
                 check_reg_name(s, REG_S + reg, name));
    c->rewritten_by_valu[reg] = false;
}

static void before_rewritten(struct check_step *s)
{
    unsigned window = s->i->kind & KIND_SALU ? REWRITTEN_SALUS_FOR_SALU : REWRITTEN_SALUS_FOR_VALU, reg;
    struct check_forward *c = &s->c->forward;
    char name[24];

    for (unsigned k = 0; k < s->i->refs && (s->i->kind & (KIND_VALU | KIND_SALU)); k++) {
        const struct check_ref *r = &s->i->ref[k];
        unsigned end = sgprs_of(r, &reg);
        for (; !r->write && reg < end; reg++) {
            before_rewritten_by_valu(s, reg);
            if (!c->rewritten[reg] || c->salus - c->rewritten[reg] >= window)
                continue;
            check_report(s, CHECK_READ_SGPR, -1, "s_wait_alu 0xfffe before it",
                         "reads %s, which a scalar instruction has written after a vector one read it or the other of "
                         "its pair",
                         check_reg_name(s, REG_S + reg, name));
            c->rewritten[reg] = 0;
        }
    }
}

/* Waits for what vector instructions write to SGPRs: va_sdst(0), and scalar instructions that read one; to VCC:
 * va_vcc(0), and those that read it. */
static void wait_for_valu_sgprs(struct check_step *s, bool memory)
{
    struct check_forward *c = &s->c->forward;
    bool of_vcc = memory || check_waits_alu(s->i->inst, 1, 1), of_sgprs = memory || check_waits_alu(s->i->inst, 9, 3);
    unsigned reg;

    for (unsigned k = 0; k < s->i->refs && (s->i->kind & KIND_SALU); k++)
        if (!s->i->ref[k].write && sgprs_of(&s->i->ref[k], &reg) > reg) {
            of_vcc |= reg >= CODE_VCC_LO;
            of_sgprs |= reg < CODE_VCC_LO;
        }
    for (reg = 0; reg < SGPR_HAZARD && (of_vcc || of_sgprs); reg++)
        c->rewritten_by_valu[reg] &= reg < CODE_VCC_LO ? !of_sgprs : !of_vcc;
}

/* As LLVM and Mesa have it: what vector instructions read counts by pairs and for ever, what is written then by
 * registers. Only what both take for a hazard is one: LLVM takes memory instructions for a wait, and counts VCC as that
 * of the vector instruction when one writes it; Mesa lets 11 scalar instructions pass. */
static void after_rewritten(struct check_step *s)
{
    bool valu = s->i->kind & KIND_VALU, salu = s->i->kind & KIND_SALU, memory = s->i->kind & (KIND_VMEM | KIND_SMEM);
    struct check_forward *c = &s->c->forward;
    unsigned reg;

    if (check_waits_alu(s->i->inst, 0, 1) || memory) /* sa_sdst(0) */
        memset(c->rewritten, 0, sizeof c->rewritten);
    wait_for_valu_sgprs(s, memory);
    c->salus += salu && s->i->inst->format != FMT_SOPP;
    for (unsigned k = 0; k < s->i->refs && valu; k++) {
        unsigned end = sgprs_of(&s->i->ref[k], &reg);
        for (; reg < end && !s->i->ref[k].write; reg++)
            c->read_by_valu |= UINT64_C(1) << reg / 2;
    }
    for (unsigned k = 0; k < s->i->refs && (valu || salu); k++) {
        unsigned end = sgprs_of(&s->i->ref[k], &reg);
        for (; reg < end && s->i->ref[k].write; reg++) {
            bool read = c->read_by_valu >> reg / 2 & 1;
            if (salu && read)
                c->rewritten[reg] = c->salus;
            else if (valu && reg >= CODE_VCC_LO)
                c->rewritten[CODE_VCC_LO] = c->rewritten[CODE_VCC_HI] = 0;
            c->rewritten_by_valu[reg] = valu && read;
        }
    }
}

/* ---- */

void check_forward_before(struct check_step *s)
{
    if (isa_has(check_target(s), FEAT_PARTIAL_FORWARD_HAZARD) && s->w->lanes == 64)
        before_partial(s);
    before_ldsdir(s);
    if (s->g->run->uses_wait_alu)
        before_rewritten(s);
}

static void note_registers(struct check_step *s)
{
    struct check_forward *c = &s->c->forward;
    bool valu = s->i->kind & KIND_VALU, memory = is_memory(s);

    for (unsigned k = 0; k < s->i->refs && (valu || memory); k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; reg < REG_A && reg < (unsigned)r->first + r->count; reg++) {
            if (memory)
                c->memory_reads[reg] = true;
            if (!valu)
                continue;
            c->touched[reg] = c->valus;
            unsigned halves = r->write ? check_halves_of(s, reg, A_WR) : 0;
            for (unsigned h = 0; h < 2; h++)
                if (halves >> h & 1) {
                    c->written[2 * reg + h] = c->valus;
                    c->exec_before[2 * reg + h] = c->exec_at;
                }
        }
    }
}

void check_forward_after(struct check_step *s)
{
    struct check_forward *c = &s->c->forward;
    const struct isa_inst *i = s->i->inst;
    bool valu = s->i->kind & KIND_VALU;

    if (!isa_has(check_target(s), FEAT_LDSDIR))
        return;
    c->valus += valu;
    if (s->i->kind & KIND_TRANS)
        c->last_trans = c->valus;
    bool idle = i->row->wait == WAITS_PACKED && !((unsigned)i->offset & 0xffff);
    if (valu || idle || check_leaves_function(i) || check_waits_alu(i, 2, 3)) /* vm_vsrc(0) */
        memset(c->memory_reads, 0, sizeof c->memory_reads);
    if (is_memory(s) || i->row->cls == OPC_EXPORT || check_leaves_function(i) || check_waits_alu(i, 12, 4))
        /* va_vdst(0), the last one */
        c->drained = c->valus;
    note_registers(s);
    for (unsigned k = 0; k < s->i->refs && (s->i->kind & KIND_SALU); k++)
        if (s->i->ref[k].write && s->i->ref[k].first == REG_EXEC)
            c->exec_at = c->valus + 1;
    if (s->g->run->uses_wait_alu)
        after_rewritten(s);
}

/* Registers and LDS bytes that are read although neither the launch nor the program has written them.
 *
 * VGPRs and AGPRs are defined lane by lane, SGPRs bit by bit, LDS byte by byte. Reading what is undefined is a finding,
 * except where the value merely travels, as compiled code lets it:
 *   - moves, lane reads and lane writes hand it on: the destination is then undefined;
 *   - vector selects, logic and shifts likewise, in the lanes where a result depends on it;
 *   - scalar moves, selects and bitwise logic too (lane masks have undefined bits for lanes that are off). Which bits
 *     of the result depend on undefined ones is found by running the instruction again with these inverted;
 *   - compilers leave the upper half of a 64-bit addend or of a packed pair undefined when they do not need that of the
 *     result: it counts as read when the lower half of the result depends on it, found the same way; a mask
 *     that does is undefined in these bits;
 *   - stores to scratch are spills. A value loaded back counts as defined.
 * A write defines a whole register of a lane, narrower ones too. After a finding its register counts as defined.
 */
#include <stdio.h>

#include "isa/lanes/dpp.h"
#include "isa/late.h"
#include "sim/check/internal.h"
#include "sim/launch/state.h"

static uint64_t lanes_undefined(const struct check_undefined *u, unsigned reg)
{
    return reg < REG_S ? ~u->defined[reg] : 0;
}

static void define_sgprs(struct check_undefined *u, unsigned code, unsigned count)
{
    if (code < 128)
        memset(&u->unknown[code], 0, (count < 128 - code ? count : 128 - code) * sizeof u->unknown[0]);
}

void check_undefined_start(struct check_group *g, struct check_undefined *u, const struct isa_wave *w)
{
    const struct isa_target *t = w->target;
    const struct launch_state *l = g->run->launch->state;
    const struct co_rsrc *r = &l->rsrc;
    unsigned n = l->user_sgpr_count;

    memset(u->unknown, 0xff, sizeof u->unknown);
    if (!l->ids_in_ttmps)
        n += r->enable_sgpr_workgroup_id_x + r->enable_sgpr_workgroup_id_y + r->enable_sgpr_workgroup_id_z;
    /* compilers' prologues add the wave's scratch offset to what they do not use where there is no scratch */
    n += r->enable_sgpr_workgroup_info + !isa_has(t, FEAT_ARCH_FLAT_SCRATCH);
    define_sgprs(u, 0, n);
    /* what hardware or the trap handler keeps */
    define_sgprs(u, t->code_ttmp0, t->ttmp_count);
    define_sgprs(u, t->code_flat_scratch, 2);
    define_sgprs(u, t->code_xnack_mask, 2);
    if (isa_has(t, FEAT_TRAP_TMA))
        define_sgprs(u, 108, 4);
    define_sgprs(u, t->code_null, 1);
    define_sgprs(u, CODE_EXEC_LO, 2);
    unsigned ids = l->packed_ids ? 1 : r->vgpr_workitem_id + 1u;
    for (unsigned k = 0; k < ids && k < 3; k++)
        u->defined[k] = w->exec;
}

/* ---- reads ---- */

static void report_register(struct check_step *s, unsigned reg, int lane, const char *how)
{
    bool vgpr = reg < REG_A || (reg < REG_S && s->i->high_vgprs);
    enum check_rule rule = vgpr ? CHECK_UNDEFINED_VGPR : reg < REG_S ? CHECK_UNDEFINED_AGPR : CHECK_UNDEFINED_SGPR;
    char name[24], fix[120];

    check_reg_name(s, reg, name);
    if (lane >= 0)
        snprintf(fix, sizeof fix, "write %s with lane %d active before it", name, lane);
    else
        snprintf(fix, sizeof fix, "write %s before it", name);
    check_report(s, rule, lane, fix, "%s %s, which neither the launch nor the program has written", how, name);
}

/* The lanes of a VGPR that are read: DPP reads its first source from other lanes. */
static uint64_t lanes_that_matter(struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;
    unsigned src = i->first_src;
    uint64_t bad = lanes_undefined(&s->c->undefined, reg);

    if (!(s->i->kind & KIND_DPP) || src >= i->nops || i->op[src].code < CODE_VGPR)
        return bad & check_read_lanes(s, reg);
    if (!check_operand_is(s, &i->op[src], reg))
        return bad & s->exec;
    uint32_t row[64];
    for (unsigned l = 0; l < s->w->lanes; l++)
        row[l] = bad >> l & 1;
    uint64_t on = isa_dpp(s->w, i, row, 1), moved = 0;
    for (unsigned l = 0; l < s->w->lanes; l++)
        moved |= (uint64_t)row[l] << l;
    return moved & on & s->exec;
}

/* Lane masks count for active lanes alone. A carry-out in the place of a 64-bit addend makes no mask of that. */
static bool is_mask_operand(const struct check_step *s, unsigned code)
{
    const struct isa_inst *i = s->i->inst;

    if (!(s->i->kind & KIND_VALU))
        return false;
    if (i->form == FORM_VOPD)
        return code == CODE_VCC_LO;
    for (unsigned k = 0; k < i->nops; k++)
        if ((i->op[k].flags & A_RD) &&
            (i->op[k].code == code || (i->op[k].code + 1u == code && isa_types[i->op[k].type].dwords != 1)))
            return i->op[k].type == T_MASK;
    return true; /* implicit: VCC as carry or condition */
}

static uint32_t bits_that_matter(struct check_step *s, unsigned reg, unsigned first)
{
    uint32_t bits = s->c->undefined.unknown[reg - REG_S];

    if (bits && reg != REG_SCC && is_mask_operand(s, first - REG_S))
        bits &= (uint32_t)(reg > first ? s->exec >> 32 : s->exec);
    return bits;
}

static bool reads_unknown(const struct check_step *s, bool lower)
{
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg < (unsigned)r->first + r->count; reg++)
            if (reg >= REG_S && s->c->undefined.unknown[reg - REG_S] && !(lower && r->count == 2 && reg > r->first))
                return true;
    }
    return false;
}

/* Only upper halves are undefined, which may or may not change the result. */
static bool is_bitwise(const struct check_step *s)
{
    const struct isa_row *row = s->i->inst->row;

    return (s->i->kind & KIND_SALU) &&
           ((row->flags & RF_BITWISE) || row->cls == OPC_SALU_SAVEEXEC || !reads_unknown(s, true));
}

/* Moves of VGPRs and of single lanes: an undefined value is no finding. */
static bool is_vector_move(const struct check_step *s)
{
    const struct isa_inst *i = s->i->inst;

    if (!(s->i->kind & KIND_VALU) || i->form == FORM_VOPD)
        return false;
    return i->row->cls == OPC_CROSS ? (i->row->flags & RF_ANY_LANE) && i->nops > 2
                                    : (i->row->flags & RF_BITWISE) && i->nops <= 2;
}

/* The old value of a destination that is kept in part does not count as read. */
static bool is_kept(const struct check_step *s, unsigned k)
{
    const struct check_ref *r = &s->i->ref[k];
    const struct isa_row *row = s->i->inst->row;

    for (unsigned j = 0; j < s->i->refs; j++)
        if (j != k && s->i->ref[j].write && s->i->ref[j].first == r->first && row->cls == OPC_CROSS)
            return true;
    /* where halves are registers of their own a load of one finds anything in the other */
    if (row->mem.op == MEM_LOAD && row->mem.convert >= CONV_D16_U8 && isa_has(check_target(s), FEAT_S_TRUE16))
        return k == 0;
    return s->i->inst->form == FORM_SDWA && k == 0;
}

/* The instruction, or a part of it, may propagate undefined sources. */
static bool may_hand_on(const struct isa_inst *i)
{
    return (i->row->flags | (i->form == FORM_VOPD ? i->u.y.row->flags : 0)) & RF_BITWISE;
}

/* The upper half of a 64-bit source of lanes: an addend of which only the lower half of the sum may be used. */
static bool is_upper_half(const struct check_step *s, const struct check_ref *r, unsigned reg)
{
    return (s->i->kind & (KIND_VALU | KIND_MATRIX | KIND_DPP)) == KIND_VALU && s->i->inst->row->kind == ROW_LANES &&
           r->count == 2 && reg == r->first + 1u;
}

/* An upper half, or one of the choices of a select, or a move beside another instruction. */
static bool may_not_matter(const struct check_step *s, const struct check_ref *r, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;

    if (i->form == FORM_VOPD)
        return may_hand_on(i);
    if (may_hand_on(i) && (s->i->kind & (KIND_VALU | KIND_DPP)) == KIND_VALU)
        return true;
    return is_upper_half(s, r, reg);
}

/* The same of an SGPR that is no mask of lanes. */
static bool hands_scalar_on(const struct check_step *s, const struct check_ref *r, unsigned reg)
{
    return may_not_matter(s, r, reg) && r->first < REG_SCC && !is_mask_operand(s, r->first - REG_S);
}

static void look_at(struct check_step *s, const struct check_ref *r)
{
    struct check_undefined *u = &s->c->undefined;

    for (unsigned reg = r->first; reg < (unsigned)r->first + r->count; reg++) {
        if (reg >= REG_S) {
            if (hands_scalar_on(s, r, reg)) {
                u->unsure |= u->unknown[reg - REG_S] != 0;
            } else if (bits_that_matter(s, reg, r->first)) {
                report_register(s, reg, -1, "reads");
                u->unknown[reg - REG_S] = 0;
            }
            continue;
        }
        uint64_t bad = lanes_that_matter(s, reg);
        if (!bad)
            continue;
        int lane = __builtin_ctzll(bad);
        if ((s->i->kind & (KIND_STORE | KIND_VMEM)) == (KIND_STORE | KIND_VMEM)) {
            if (!u->has_stored) {
                u->stored.reg = (uint16_t)reg;
                u->stored.lane = (int8_t)lane;
            }
            u->has_stored = true;
            continue;
        }
        if (may_not_matter(s, r, reg)) {
            u->unsure = true;
            continue;
        }
        report_register(s, reg, lane, "reads");
        u->defined[reg] |= bad;
    }
}

void check_undefined_before(struct check_step *s)
{
    s->c->undefined.has_stored = s->c->undefined.unsure = false;
    /* most messages ignore M0; s_ttracedata, which counts nowhere, does not */
    if (is_bitwise(s) || s->i->waits || ((s->i->kind & KIND_MESSAGE) && s->i->counters))
        return;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        bool vector = r->first < REG_S;
        bool keeps_m0 = r->first == (unsigned)REG_S + s->w->target->code_m0 && (s->i->inst->row->implicit & IMP_W_M0);
        if (r->write || keeps_m0 || (vector && (is_vector_move(s) || s->w->gpr_idx || (s->i->kind & KIND_RELATIVE))) ||
            is_kept(s, k))
            continue;
        if (!vector && is_vector_move(s) && s->i->inst->op[1].code == r->first - REG_S)
            continue; /* v_mov and v_writelane of an SGPR */
        look_at(s, r);
    }
}

/* ---- execution, twice where the result may depend on undefined bits ---- */

static uint32_t *row_of(const struct isa_wave *w, unsigned reg)
{
    uint32_t *file = reg < REG_A ? w->v : w->acc;
    unsigned n = reg < REG_A ? reg : reg - REG_A;

    return n < (reg < REG_A ? w->nvgprs : w->nagprs) ? file + (size_t)n * w->lanes : NULL;
}

/* VGPR rows of all operands, out of the wave or back into it. */
static void copy_rows(const struct check_step *s, uint32_t rows[ISA_MAX_REGREFS][2][64], bool back)
{
    for (unsigned k = 0; k < s->i->refs; k++)
        for (unsigned d = 0; d < s->i->ref[k].count && d < 2; d++) {
            uint32_t *row = s->i->ref[k].first < REG_S ? row_of(s->w, s->i->ref[k].first + d) : NULL;
            if (row && back)
                memcpy(row, rows[k][d], s->w->lanes * sizeof *row);
            else if (row)
                memcpy(rows[k][d], row, s->w->lanes * sizeof *row);
        }
}

/* Inverts the undefined bits of the sources, each register once. */
static void invert_undefined(const struct check_step *s)
{
    unsigned done[2 * ISA_MAX_REGREFS], n = 0;

    for (unsigned k = 0; k < s->i->refs; k++)
        for (unsigned d = 0; d < s->i->ref[k].count && d < 2 && !s->i->ref[k].write; d++) {
            unsigned reg = s->i->ref[k].first + d;
            uint32_t *row = reg < REG_S ? row_of(s->w, reg) : NULL;
            bool again = false;
            for (unsigned j = 0; j < n; j++)
                again = again || done[j] == reg;
            uint64_t bad = row && !again ? lanes_undefined(&s->c->undefined, reg) & s->exec : 0;
            done[n++] = reg;
            for (uint64_t m = bad; m; m &= m - 1)
                row[__builtin_ctzll(m)] ^= ~UINT32_C(0);
        }
}

/* Whether the result may be undefined without a finding. */
static bool hands_on(const struct check_step *s, unsigned reg, unsigned d)
{
    const struct isa_inst *i = s->i->inst;
    const struct isa_row *row = i->row;

    if (i->form == FORM_VOPD && i->op[0].code != CODE_VGPR + reg)
        row = i->u.y.row;
    return d > 0 || (row->flags & RF_BITWISE);
}

/* If the undefined sources change the result after all, the first of them is a finding. */
static void report_deferred(struct check_step *s, bool matters)
{
    struct check_undefined *u = &s->c->undefined;

    for (unsigned k = 0; k < s->i->refs && matters; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; !r->write && reg < (unsigned)r->first + r->count; reg++) {
            if (reg >= REG_S) {
                if (hands_scalar_on(s, r, reg) && u->unknown[reg - REG_S]) {
                    report_register(s, reg, -1, "reads");
                    u->unknown[reg - REG_S] = 0;
                }
                continue;
            }
            uint64_t bad = lanes_undefined(u, reg) & s->exec;
            if (!bad)
                continue;
            report_register(s, reg, __builtin_ctzll(bad), "reads");
            u->defined[reg] |= bad;
        }
    }
}

/* For an instruction that is run twice: what is in flight, to LDS or to registers, is the wave's own. */
static struct isa_wave without_order(const struct isa_wave *w)
{
    struct isa_wave copy = *w;

    copy.lds_order = NULL;
    copy.lds_pauses = 0;
    copy.late = (struct isa_late *)&isa_late_never; /* nobody writes to it */
    copy.special &= (uint8_t)~SPECIAL_IN_FLIGHT;
    return copy;
}

/* Undefined sources may or may not change the result: executes the instruction with them inverted, too. */
static enum isa_status step_undefined(struct check_step *s)
{
    struct check_undefined *u = &s->c->undefined;
    uint32_t before[ISA_MAX_REGREFS][2][64], other[ISA_MAX_REGREFS][2][64];
    struct isa_wave copy = without_order(s->w);
    uint64_t unsure[ISA_MAX_REGREFS][2] = {0};
    bool matters = false;

    copy_rows(s, before, false);
    invert_undefined(s);
    for (unsigned k = 0; k < s->i->refs; k++)
        for (unsigned reg = s->i->ref[k].first; reg < (unsigned)s->i->ref[k].first + s->i->ref[k].count; reg++)
            if (!s->i->ref[k].write && reg >= REG_S && hands_scalar_on(s, &s->i->ref[k], reg))
                copy.s[reg - REG_S] = s->w->s[reg - REG_S] ^ u->unknown[reg - REG_S];
    isa_step(&copy, s->i->code, s->env, NULL);
    copy_rows(s, other, false);
    copy_rows(s, before, true);
    enum isa_status status = isa_step(s->w, s->i->code, s->env, &s->g->fx);
    u->ran_twice = true;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned d = 0; r->write && r->first < REG_S && d < r->count && d < 2; d++) {
            uint32_t *row = row_of(s->w, r->first + d);
            for (unsigned l = 0; row && l < s->w->lanes; l++)
                unsure[k][d] |= (uint64_t)(row[l] != other[k][d][l]) << l;
            matters |= unsure[k][d] && !hands_on(s, r->first, d);
        }
    }
    report_deferred(s, matters);
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned d = 0; r->write && d < r->count; d++) {
            unsigned reg = r->first + d;
            if (reg < REG_S)
                u->defined[reg] = (u->defined[reg] | s->exec) & ~(matters || d > 1 ? 0 : unsure[k][d]);
            else if (reg < REG_SCC)
                u->unknown[reg - REG_S] = copy.s[reg - REG_S] ^ s->w->s[reg - REG_S];
        }
    }
    return status;
}

enum isa_status check_undefined_step(struct check_step *s)
{
    struct check_undefined *u = &s->c->undefined;

    if (u->unsure)
        return step_undefined(s);
    struct isa_wave other;
    bool twice = u->ran_twice = is_bitwise(s) && reads_unknown(s, false);

    if (twice) {
        other = without_order(s->w);
        for (unsigned k = 0; k < 128; k++)
            other.s[k] ^= u->unknown[k];
        other.scc ^= u->unknown[128] & 1;
        isa_step(&other, s->i->code, s->env, NULL);
    }
    enum isa_status status = isa_step(s->w, s->i->code, s->env, &s->g->fx);
    if (!twice || status == ISA_FAULT)
        return status;
    for (unsigned k = 0; k < s->i->refs; k++) {
        const struct check_ref *r = &s->i->ref[k];
        for (unsigned reg = r->first; r->write && reg < (unsigned)r->first + r->count; reg++) {
            unsigned code = reg - REG_S;
            u->unknown[code] = reg == REG_SCC ? (other.scc ^ s->w->scc) & 1 : other.s[code] ^ s->w->s[code];
            if ((code & ~1u) == CODE_EXEC_LO && u->unknown[code]) {
                check_report(s, CHECK_UNDEFINED_SGPR, -1, "write every bit of the sources that active lanes look at",
                             "puts bits into EXEC that neither the launch nor the program has written");
                u->unknown[code] = 0;
            }
        }
    }
    return status;
}

/* ---- writes ---- */

static bool is_spill(const struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;
    const struct isa_wave *w = s->w;
    gaddr_t end = w->scratch_base + (gaddr_t)w->scratch_bytes * w->lanes;
    int lane = s->c->undefined.stored.lane;

    if (s->i->inst->format == FMT_SCRATCH || !(fx->mask >> lane & 1)) /* or not stored at all */
        return true;
    return w->scratch_bytes && fx->addr[lane] >= w->scratch_base && fx->addr[lane] < end;
}

/* Lanes of `reg` that the instruction leaves undefined, because moves propagate them. */
static uint64_t handed_on(const struct check_step *s, unsigned k, unsigned reg, uint64_t lanes)
{
    const struct isa_inst *i = s->i->inst;
    const struct check_undefined *u = &s->c->undefined;
    unsigned from = reg - s->i->ref[k].first;

    /* the reference may be the rest of a tuple over the border of the files */
    for (unsigned d = 0; s->i->high_vgprs && i->nops && d < isa_types[i->op[0].type].dwords; d++)
        if (check_operand_reg(s, &i->op[0], d) == reg)
            from = d;

    if (!is_vector_move(s) || i->form == FORM_VOPD || i->form == FORM_SDWA || (s->i->kind & KIND_DPP) ||
        s->w->gpr_idx || (s->i->kind & KIND_RELATIVE))
        return 0;
    unsigned code = i->op[1].code;
    if (code < 128)
        return u->unknown[code + from] == ~UINT32_C(0) ? lanes : 0; /* a lane mask known in part passes for known */
    if (code < CODE_VGPR || code == CODE_NONE)
        return 0;
    return code - CODE_VGPR + from < REG_A ? lanes_undefined(u, check_operand_reg(s, &i->op[1], from)) & lanes : 0;
}

static void define(struct check_step *s, unsigned k)
{
    struct check_undefined *u = &s->c->undefined;
    const struct check_ref *r = &s->i->ref[k];
    const struct isa_inst *i = s->i->inst;

    for (unsigned reg = r->first; reg < (unsigned)r->first + r->count; reg++) {
        if (reg >= REG_S) {
            uint32_t unknown = 0;
            if (is_vector_move(s) && i->op[1].code >= CODE_VGPR && i->op[1].code != CODE_NONE &&
                (lanes_undefined(u, check_operand_reg(s, &i->op[1], 0)) & check_read_lanes(s, REG_V)))
                unknown = ~UINT32_C(0); /* v_readlane */
            u->unknown[reg - REG_S] = unknown;
            continue;
        }
        bool one = (i->row->flags & RF_ANY_LANE) && i->nops > 2;
        uint64_t lanes = check_takes_all_lanes(i->row) ? check_all_lanes(s->w)
                         : one                         ? check_read_lanes(s, reg)
                                                       : s->exec;
        uint64_t bad = handed_on(s, k, reg, lanes);
        u->defined[reg] = (u->defined[reg] & ~bad) | (lanes & ~bad);
    }
}

/* ---- LDS ---- */

static void lds_bytes(struct check_step *s, int lane, uint32_t at, uint32_t bytes, bool reads, bool writes)
{
    struct check_group *g = s->g;

    while (bytes >= 4 && at <= g->lds_bytes && g->lds_bytes - at >= 4) { /* the usual case */
        uint32_t four;
        memcpy(&four, &g->lds[at], 4);
        if (four != 0x01010101)
            break;
        at += 4;
        bytes -= 4;
    }
    for (uint32_t b = at; b - at < bytes && b < g->lds_bytes; b++) {
        if (reads && !g->lds[b]) {
            char fix[120];
            snprintf(fix, sizeof fix, "write LDS byte 0x%x before it (and pass a barrier if another wave does)", b);
            check_report(s, CHECK_UNDEFINED_LDS, lane, fix, "reads LDS byte 0x%x, which nobody has written", b);
            reads = false;
        }
        if (writes)
            g->lds[b] = 1;
    }
}

void check_undefined_lds(struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;
    bool reads = fx->op != MEM_STORE, writes = fx->op != MEM_LOAD;

    for (uint64_t m = check_is_lds_dma(s) ? fx->lds_mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        lds_bytes(s, lane, fx->lds_addr[lane], check_lds_dma_bytes(s), fx->op == MEM_STORE, fx->op == MEM_LOAD);
    }
    if ((fx->kind != FX_LDS && fx->kind != FX_FLAT_MIXED) || (s->i->kind & KIND_GDS) ||
        s->i->inst->row->cls == OPC_LDS_PERMUTE)
        return;
    for (uint64_t m = fx->lds_mask; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        if (lane && fx->elems < 2 && (fx->lds_mask >> (lane - 1) & 1) && fx->lds_addr[lane] == fx->lds_addr[lane - 1])
            continue;
        lds_bytes(s, lane, fx->lds_addr[lane], fx->bytes, reads, writes);
        if (fx->elems > 1)
            lds_bytes(s, lane, fx->lds_addr2[lane], fx->bytes, reads, writes);
    }
}

void check_undefined_after(struct check_step *s)
{
    struct check_undefined *u = &s->c->undefined;

    if (u->has_stored && !is_spill(s)) {
        report_register(s, u->stored.reg, u->stored.lane, "reads");
        u->defined[u->stored.reg] = ~UINT64_C(0);
    }
    if (s->w->gpr_idx || (s->i->kind & KIND_RELATIVE)) {
        /* M0 selects the register: any may have been written now */
        unsigned end = isa_has(s->w->target, FEAT_AGPR_UNIFIED) ? REG_S : REG_A;
        for (unsigned reg = 0; reg < end; reg++)
            u->defined[reg] |= s->i->kind & KIND_VALU ? s->exec : 0;
        if (s->i->kind & KIND_SALU && !(s->i->inst->row->implicit & IMP_W_MODE))
            define_sgprs(u, 0, 106);
    }
    if (!u->ran_twice)
        for (unsigned k = 0; k < s->i->refs; k++)
            if (s->i->ref[k].write)
                define(s, k);
    check_undefined_lds(s);
}

/* Fetches the operands of vector ALU instructions and writes their results back: the one home of constants, neg/abs,
 * op_sel, SDWA, DPP, denormal modes, omod, clamp and EXEC masking. Compiled once per variant.
 *
 * exec_plain serves instructions without any of these; exec_full the rest; exec_vopd the dual-issue pairs. What
 * modifiers do to rows is row_modifiers.h and result_modifiers.c.
 */
#include <assert.h>
#include <fenv.h>

#include "isa/lanes/access.h"
#include "isa/lanes/dpp.h"
#include "isa/lanes/fp.h"
#include "isa/lanes/quick_rows.h"
#include "isa/lanes/row_modifiers.h"
#include "isa/lanes/row_ops.h"
#include "isa/lanes/rows.h"
#include "isa/lanes/scalar.h"
#include "isa/table/shapes.h"
#include "isa/variant.h"

static const _Alignas(64) uint32_t all_lanes[64] = {
#define ONES8 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff
    ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8,
#undef ONES8
};

/* Whether register rows [code-256, +dwords) are allocated; A_ACC picks the AGPR file. */
static uint32_t *reg_rows(const struct isa_wave *w, const struct isa_opnd *o)
{
    unsigned r = o->code - CODE_VGPR, dw = isa_types[o->type].dwords;
    bool acc = o->flags & A_ACC;

    if (r + dw > (acc ? w->nagprs : w->nvgprs))
        return NULL;
    return (acc ? w->acc : w->v) + (size_t)r * w->lanes;
}

static int bad_register(struct isa_wave *w, const struct isa_opnd *o)
{
    bool acc = o->flags & A_ACC;
    return isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "%c%u is past the wave's %u allocated registers",
                     acc ? 'a' : 'v', o->code - CODE_VGPR + isa_types[o->type].dwords - 1, acc ? w->nagprs : w->nvgprs);
}

/* Rows of a source without modifiers: the registers themselves or a splat constant. Null: register past the end. */
static const uint32_t *fetch(const struct isa_wave *w, const struct isa_inst *i, const struct isa_opnd *o,
                             struct tmp *tmp)
{
    unsigned n = w->lanes;

    if (o->code >= CODE_VGPR)
        return reg_rows(w, o);
    if (o->code < 128) {
        splat(tmp->r, w->s[o->code], n);
        if (isa_types[o->type].dwords == 2)
            splat(tmp->r + n, o->code == w->target->code_null ? 0 : w->s[o->code + 1], n);
        return tmp->r;
    }
    uint64_t v = isa_const(w, i, o->code, o->type);
    splat(tmp->r, (uint32_t)v, n);
    if (isa_types[o->type].dwords == 2)
        splat(tmp->r + n, (uint32_t)(v >> 32), n);
    return tmp->r;
}

static uint64_t mask_value(const struct isa_wave *w, const struct isa_inst *i, const struct isa_opnd *o)
{
    if (o->code == w->target->code_null)
        return 0;
    if (o->code >= 128) /* a constant as select mask: VOP3 v_cndmask with -1 */
        return isa_const(w, i, o->code, w->lanes == 64 ? T_B64 : T_B32);
    return w->lanes == 64 ? w->s[o->code] | (uint64_t)w->s[o->code + 1] << 32 : w->s[o->code];
}

static void commit_bits(struct isa_wave *w, const struct isa_opnd *o, uint64_t bits, uint64_t active)
{
    sput_mask(w, o->code, bits & active); /* lanes outside EXEC give 0 */
}

/* The result of a ROW_CMP goes to its mask operand, and for v_cmpx to EXEC. */
static void commit_cmp(struct isa_wave *w, const struct isa_inst *i, const uint32_t *lanes01, uint64_t active)
{
    uint64_t bits = pack_bits(lanes01, w->lanes) & active;
    bool cmpx = i->row->flags & RF_CMPX;

    if (!cmpx || i->op[0].code != CODE_EXEC_LO)
        commit_bits(w, &i->op[0], bits, active);
    if (cmpx)
        isa_set_exec(w, w->lanes == 64 ? bits : (bits | (uint64_t)w->s[CODE_EXEC_HI] << 32));
}

/* Operand roles: destination first, carry-out second, then the lane sources; masks among the sources are carry-in. */
static bool is_mask(const struct isa_opnd *o)
{
    return o->type == T_MASK;
}

static int exec_plain(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx);
static int exec_full(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx);

static int exec_indexed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    struct isa_inst moved;
    uint64_t mode = w->gpr_idx;

    isa_index_vgprs(w, i, &moved);
    w->gpr_idx = 0;
    /* the simple path's register bound was made for the names as written */
    int status = (i->plain ? exec_plain : exec_full)(w, &moved, env, fx);
    w->gpr_idx = mode;
    return status;
}

static int exec_plain(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_row *row = i->row;
    struct tmp tmp[3], cin, bits;
    struct lane_args L;
    unsigned ns = 0;

    if (__builtin_expect(w->gpr_idx != 0, 0))
        return exec_indexed(w, i, env, fx);
    if (__builtin_expect(w->special & i->mode_need, 0))
        return exec_full(w, i, env, fx);
    L.n = w->lanes;
    L.mask = w->mask;
    L.mode = w->mode;
    L.mode.clamp = false;
    L.bits = bits.r;
    L.keep = i->keep;
    L.cin = cin.r;
    for (unsigned k = i->first_src; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (is_mask(o)) {
            expand_bits(cin.r, mask_value(w, i, o), w->lanes);
        } else {
            L.s[ns] = fetch(w, i, o, &tmp[ns < 3 ? ns : 2]);
            if (__builtin_expect(!L.s[ns], 0))
                return bad_register(w, o);
            ns++;
        }
    }
    if (row->implicit & IMP_R_VCC)
        expand_bits(cin.r, w->s[CODE_VCC_LO] | (uint64_t)w->s[CODE_VCC_HI] << 32, w->lanes);
    if (row->kind == ROW_CMP) {
        row->lanes(&L);
        commit_cmp(w, i, bits.r, w->exec);
        return ISA_OK;
    }
    L.d = reg_rows(w, &i->op[0]);
    if (__builtin_expect(!L.d, 0))
        return bad_register(w, &i->op[0]);
    row->lanes(&L);
    if (i->first_src == 2)
        commit_bits(w, &i->op[1], pack_bits(bits.r, w->lanes), w->exec);
    return ISA_OK;
}

/* --- the full path ---------------------------------------------------------------------------------------------- */

/* v_fma_mix source: op_sel_hi chooses half precision, for an inline constant too, op_sel which half; neg_hi is abs */
static void mix_select(const struct isa_wave *w, uint32_t *row, const struct isa_inst *i, const struct isa_opnd *o,
                       int src, unsigned n)
{
    if (i->op_sel_hi >> src & 1) {
        unsigned sh = i->op_sel >> src & 1 ? 16 : 0;
        if (o->code >= 128 && o->code < CODE_VGPR)
            splat(row, (uint32_t)isa_const(w, i, o->code, o->type == T_MIXB ? T_BF16 : T_F16), n);
        for (unsigned k = 0; k < n; k++)
            row[k] = o->type == T_MIXB ? row[k] >> sh << 16 : bits_f32(half_to_f32((half_t)(row[k] >> sh)));
    }
    float_modifiers(row, 32, i->neg_hi >> src & 1, i->neg >> src & 1, n);
}

/* Fetches source argument k of the row into tmp with every modifier applied. */
static int fetch_full(struct isa_wave *w, const struct isa_inst *i, unsigned k, struct tmp *tmp, uint64_t *dpp_valid)
{
    const struct isa_row *row = i->row;
    const struct isa_opnd *o = &i->op[k];
    const struct isa_type_info *ty = &isa_types[o->type];
    unsigned n = w->lanes, words = n * (ty->dwords ? ty->dwords : 1);
    int src = isa_source_number(row->args[k].slot);
    const uint32_t *from = fetch(w, i, o, tmp);

    if (!from)
        return bad_register(w, o);
    if (from != tmp->r)
        copy_rows(tmp->r, from, words);
    if (src == 0 && isa_form_is_dpp16(i->form))
        *dpp_valid = isa_dpp16(w, &i->u.dpp, tmp->r, words / n);
    else if (src == 0 && isa_form_is_dpp8(i->form))
        *dpp_valid = isa_dpp8(w, &i->u.dpp, tmp->r, words / n);
    if (src >= 0 && src < 2 && i->form == FORM_SDWA)
        sdwa_select(tmp->r, i->u.sdwa.src_sel[src], i->u.sdwa.sext >> src & 1, n);
    bool is_float = ty->float_bits != 0;
    /* the old destination of a 16-bit accumulate is the half that will be written */
    if (src < 0 && o->type == i->op[0].type && ty->bits == 16 && (i->op_sel & 8) && (o->flags & A_HIDDEN))
        for (unsigned l = 0; l < n; l++)
            tmp->r[l] >>= 16;
    if (src >= 0 && (isa_is_packed_f16(o->type) || o->type == T_PB16 || isa_is_packed_bf16(o->type))) {
        if (i->format == FMT_VOP3P)
            packed_select(tmp->r, i, src, o->type != T_PB16, n);
        else if (o->type != T_PB16 && ((i->abs | i->neg) >> src & 1))
            both_halves(tmp->r, i->abs >> src & 1, i->neg >> src & 1, n);
    } else if (src >= 0 && (o->type == T_PF32 || o->type == T_PB32)) {
        if (i->format == FMT_VOP3P)
            packed_select64(tmp->r, i, src, o->code < 128 && isa_has(w->target, FEAT_PK_F32_ONE_SGPR), is_float, n);
    } else if (src >= 0 && isa_is_mixed(o->type)) {
        mix_select(w, tmp->r, i, o, src, n);
    } else if (src >= 0) {
        if (ty->bits == 16 && (i->op_sel >> src & 1))
            for (unsigned l = 0; l < n; l++)
                tmp->r[l] >>= 16;
        bool mod = (is_float || o->type == T_BF16 || (o->flags & A_FMOD)) && !(o->flags & A_NOMOD);
        if (mod && ((i->abs | i->neg) >> src & 1))
            float_modifiers(tmp->r, is_float ? ty->float_bits : ty->bits, i->abs >> src & 1, i->neg >> src & 1, n);
    }
    if (is_float && !(row->flags & RF_NO_FLUSH)) {
        unsigned denorm = denorm_mode(w, ty->float_bits);
        if (!(denorm & 1) || (row->flags & RF_FLUSH))
            flush_row(tmp->r, o->type, n);
    }
    return ISA_OK;
}

/* Where a result is the NaN of source s, made quiet, and that one signals: the NaN as it was. `quiet` has the bits that
 * say so of each number in a word, below `exponent`. */
static void keep_words(uint32_t *d, const uint32_t *s, uint32_t field, uint32_t exponent, uint32_t quiet, unsigned n)
{
    for (unsigned l = 0; l < n; l++) {
        uint32_t a = s[l] & field, fraction = field >> 1 & ~exponent & field;
        bool signals = (a & exponent) == exponent && !(a & quiet) && (a & fraction);
        d[l] = signals && (d[l] & field) == (a | quiet) ? d[l] & ~quiet : d[l];
    }
}

static void keep_f64(uint32_t *d, const uint32_t *s, unsigned n)
{
    for (unsigned l = 0; l < n; l++) {
        uint32_t low = s[l], high = s[l + n];
        bool signals = (high & 0x7ff80000u) == 0x7ff00000u && (low | (high & 0x7ffffu));
        d[l + n] = signals && d[l] == low && d[l + n] == (high | 0x80000u) ? high : d[l + n];
    }
}

/* With MODE.IEEE off no instruction makes a signalling NaN quiet (docs/SEMANTICS_NOTES.md): a result that is one of its
 * sources' is it bit by bit. op: the sources. */
static void keep_signals(const struct isa_opnd *op, unsigned count, const struct lane_args *L, enum isa_type dst)
{
    unsigned ns = 0, n = L->n;

    for (unsigned k = 0; k < count; k++) {
        if (is_mask(&op[k]))
            continue;
        const uint32_t *s = L->s[ns++];
        enum isa_type type = (enum isa_type)op[k].type;
        if (isa_types[type].float_bits != isa_types[dst].float_bits || isa_types[type].bits != isa_types[dst].bits)
            continue;
        if (dst == T_F64)
            keep_f64(L->d, s, n);
        else if (isa_types[dst].float_bits == 32)
            keep_words(L->d, s, 0xffffffffu, 0x7f800000u, 0x400000u, dst == T_PF32 ? 2 * n : n);
        else if (dst == T_F16 || isa_is_packed_f16(dst))
            keep_words(L->d, s, 0xffffu, 0x7c00u, 0x200u, n);
        if (isa_is_packed_f16(dst))
            keep_words(L->d, s, 0xffff0000u, 0x7c000000u, 0x2000000u, n);
    }
}

/* Whether the row's loop for 32 active lanes does the same on rows that lie somewhere else. */
static bool takes_halves(const struct isa_row *row, const struct lane_args *L)
{
    if (!row->whole || row->kind != ROW_LANES || row->asks_lane || (row->implicit & IMP_R_VCC) || L->mode.clamp ||
        L->mode.neg)
        return false;
    for (unsigned k = 0; row->args[k].slot; k++)
        if (isa_types[row->args[k].type].dwords != 1)
            return false;
    return true;
}

/* Runs it on each half of the lanes. Results are complete whatever the mask. */
static void call_halves(const struct isa_row *row, const struct lane_args *L, enum isa_type dst)
{
    unsigned sources = 0;

    for (unsigned k = 0; row->args[k].slot; k++)
        sources += row->args[k].flags & A_RD ? 1 : 0;
    for (unsigned l = 0; l < L->n; l += 32) {
        const uint32_t *s[3] = {L->s[0] + l, sources > 1 ? L->s[1] + l : NULL, sources > 2 ? L->s[2] + l : NULL};
        row->whole(L->d + l, s[0], s[1], s[2], &L->mode, 0);
    }
    for (unsigned l = 0; l < L->n && isa_types[dst].bits == 16; l++)
        L->d[l] &= 0xffff;
}

/* Runs the row's loop as MODE asks for. op: the sources, and lane masks among them. */
static void call_lanes(const struct isa_wave *w, const struct isa_row *row, const struct lane_args *L,
                       enum isa_type dst, const struct isa_opnd *op, unsigned count)
{
    static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    unsigned fb = isa_types[dst].float_bits;
    unsigned round = !fb ? 0 : fb == 32 ? w->mode.round32 : w->mode.round64;

    if (!round && takes_halves(row, L)) {
        call_halves(row, L, dst);
    } else {
        if (round)
            fesetround(host[round]);
        row->lanes(L);
        if (round)
            fesetround(FE_TONEAREST);
    }
    if (fb && !w->mode.ieee && !(row->flags & RF_NO_FLUSH))
        keep_signals(op, count, L, dst);
}

static void write_back(struct isa_wave *w, const struct isa_inst *i, struct tmp *res, uint32_t *d, uint64_t active)
{
    const struct isa_type_info *ty = &isa_types[i->op[0].type];
    unsigned n = w->lanes;
    struct tmp mask;

    isa_result_modifiers(w, i, res->r);
    if (i->form == FORM_SDWA) {
        sdwa_write(res->r, d, &i->u.sdwa, n);
    } else if (ty->bits == 16) {
        uint32_t keep = i->keep;
        if ((i->op_sel & 8) || (i->row->flags & RF_D16_HI))
            for (unsigned k = 0; k < n; k++)
                res->r[k] = res->r[k] << 16 | (d[k] & 0xffff);
        else
            for (unsigned k = 0; k < n; k++)
                res->r[k] = (res->r[k] & 0xffff) | (d[k] & keep);
    }
    expand_mask(mask.r, active, n);
    store_rows(d, res->r, mask.r, n, ty->dwords);
}

static int exec_full(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_row *row = i->row;
    struct tmp tmp[4], cin, bits, res;
    struct lane_args L;
    uint64_t valid = ~UINT64_C(0), active;
    unsigned ns = 0;

    if (__builtin_expect(w->gpr_idx != 0, 0))
        return exec_indexed(w, i, env, fx);
    for (unsigned k = i->first_src; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (is_mask(o)) {
            expand_bits(cin.r, mask_value(w, i, o), w->lanes);
            continue;
        }
        if (fetch_full(w, i, k, &tmp[ns], &valid))
            return ISA_FAULT;
        L.s[ns] = tmp[ns].r;
        ns++;
    }
    if (row->implicit & IMP_R_VCC)
        expand_bits(cin.r, w->s[CODE_VCC_LO] | (uint64_t)w->s[CODE_VCC_HI] << 32, w->lanes);
    active = w->exec & valid;
    L.n = w->lanes;
    L.mask = all_lanes;
    L.mode = w->mode;
    L.mode.clamp = i->clamp;
    L.mode.neg = i->neg;
    L.bits = bits.r;
    L.cin = cin.r;
    L.keep = 0;
    L.d = res.r;
    if (row->kind == ROW_CMP) {
        row->lanes(&L);
        commit_cmp(w, i, bits.r, active);
        return ISA_OK;
    }
    uint32_t *d = reg_rows(w, &i->op[0]);
    if (!d)
        return bad_register(w, &i->op[0]);
    call_lanes(w, row, &L, i->op[0].type, &i->op[i->first_src], i->nops - i->first_src);
    if (i->first_src == 2)
        commit_bits(w, &i->op[1], pack_bits(bits.r, w->lanes), active);
    write_back(w, i, &res, d, active);
    return ISA_OK;
}

/* --- the simple path -------------------------------------------------------------------------------------------- */

/* Sources of a simple instruction: rows in place, or splat constants in tmp. */
static inline void simple_sources(const struct isa_wave *w, const struct isa_inst *i, struct lane_args *L,
                                  struct tmp *tmp)
{
    const unsigned n = w->lanes;

    for (unsigned k = 1; k < i->nops; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (__builtin_expect(o->code >= CODE_VGPR, 1)) {
            L->s[k - 1] = w->v + (size_t)(o->code - CODE_VGPR) * n;
            continue;
        }
        bool wide = isa_types[o->type].dwords == 2;
        uint64_t v =
            o->code >= 128 ? i->u.value[k - 1] : w->s[o->code] | (wide ? (uint64_t)w->s[o->code + 1] << 32 : 0);
        splat(tmp[k - 1].r, (uint32_t)v, n);
        if (wide)
            splat(tmp[k - 1].r + n, (uint32_t)(v >> 32), n);
        L->s[k - 1] = tmp[k - 1].r;
    }
}

/* MODE flushes denormals but rounds to nearest: what gfx8 kernels live with. */
static int simple_flush(struct isa_wave *w, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    const unsigned n = w->lanes;
    struct tmp tmp[3], res;
    struct lane_args L;

    L.n = n;
    L.mask = all_lanes;
    L.mode = w->mode;
    L.mode.clamp = false;
    L.keep = 0;
    L.bits = L.d = res.r;
    L.cin = NULL;
    simple_sources(w, i, &L, tmp);
    for (unsigned k = 1; k < i->nops; k++) {
        enum isa_type type = (enum isa_type)i->op[k].type;
        unsigned fb = isa_types[type].float_bits;
        if (!fb || (denorm_mode(w, fb) & 1))
            continue;
        if (L.s[k - 1] != tmp[k - 1].r)
            copy_rows(tmp[k - 1].r, L.s[k - 1], n * isa_types[type].dwords);
        flush_row(tmp[k - 1].r, type, n);
        L.s[k - 1] = tmp[k - 1].r;
    }
    call_lanes(w, row, &L, i->op[0].type, &i->op[1], i->nops - 1);
    if (row->kind == ROW_CMP) {
        commit_cmp(w, i, res.r, w->exec);
        return ISA_OK;
    }
    enum isa_type type = (enum isa_type)i->op[0].type;
    unsigned fb = isa_types[type].float_bits;
    uint32_t *d = w->v + (size_t)(i->op[0].code - CODE_VGPR) * n;
    if (fb && !(denorm_mode(w, fb) & 2))
        flush_row(res.r, type, n);
    if (isa_types[type].bits == 16 && i->keep)
        for (unsigned k = 0; k < n; k++)
            res.r[k] = (res.r[k] & 0xffff) | (d[k] & i->keep);
    store_rows(d, res.r, w->mask, n, isa_types[type].dwords);
    return ISA_OK;
}

static int simple_odd(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    if (w->gpr_idx || i->vgpr_end > w->nvgprs)
        return exec_plain(w, i, env, fx); /* which indexes, and names a register past the end */
    if (((i->mode_need & 1) && w->mode.round32) || ((i->mode_need & 2) && w->mode.round64))
        return exec_full(w, i, env, fx);
    return simple_flush(w, i);
}

static int exec_simple(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    const struct isa_row *row = i->row;
    const unsigned n = w->lanes;
    struct tmp tmp[3], bits;
    struct lane_args L;

    if (__builtin_expect((w->gpr_idx != 0) | (i->vgpr_end > w->nvgprs) | (w->special & i->mode_need), 0))
        return simple_odd(w, i, env, fx);
    L.n = n;
    L.mask = w->mask;
    L.mode = w->mode;
    L.mode.clamp = false;
    L.keep = i->keep;
    L.bits = bits.r;
    simple_sources(w, i, &L, tmp);
    if (row->kind == ROW_CMP) {
        row->lanes(&L);
        commit_cmp(w, i, bits.r, w->exec);
        return ISA_OK;
    }
    L.d = w->v + (size_t)(i->op[0].code - CODE_VGPR) * n;
    row->lanes(&L);
    return ISA_OK;
}

/* The source with its signs flipped, in tmp. */
static const uint32_t *negated(struct tmp *tmp, const uint32_t *row, unsigned dwords, unsigned n)
{
    if (row != tmp->r)
        copy_rows(tmp->r, row, n * dwords);
    for (unsigned l = 0; l < n; l++)
        tmp->r[n * (dwords - 1) + l] ^= 0x80000000u;
    return tmp->r;
}

/* One half of a dual-issue pair: operands [from, to) of the instruction, result into res. */
static int vopd_half(struct isa_wave *w, const struct isa_inst *i, const struct isa_row *row, unsigned from,
                     unsigned to, struct tmp *res)
{
    struct tmp tmp[3], cin;
    struct lane_args L;
    unsigned ns = 0, neg = from ? i->neg >> 3 & 7u : i->neg & 7u;

    for (unsigned k = from + 1; k < to; k++) {
        const struct isa_opnd *o = &i->op[k];
        if (is_mask(o)) {
            expand_bits(cin.r, mask_value(w, i, o), w->lanes);
            continue;
        }
        L.s[ns] = fetch(w, i, o, &tmp[ns]);
        if (!L.s[ns])
            return bad_register(w, o);
        unsigned fb = isa_types[o->type].float_bits;
        if (neg >> ns & 1)
            L.s[ns] = negated(&tmp[ns], L.s[ns], isa_types[o->type].dwords, w->lanes);
        bool flush = fb >= 32 && !(denorm_mode(w, fb) & 1) && !(row->flags & RF_NO_FLUSH);
        if (flush || ((row->flags & RF_FLUSH) && isa_types[o->type].float_bits)) {
            if (L.s[ns] != tmp[ns].r)
                copy_rows(tmp[ns].r, L.s[ns], w->lanes * isa_types[o->type].dwords);
            flush_row(tmp[ns].r, o->type, w->lanes);
            L.s[ns] = tmp[ns].r;
        }
        ns++;
    }
    L.n = w->lanes;
    L.mask = all_lanes;
    L.mode = w->mode;
    L.mode.clamp = false;
    L.mode.neg = i->u.y.table;
    L.cin = cin.r;
    L.keep = 0;
    L.d = res->r;
    L.bits = NULL;
    call_lanes(w, row, &L, i->op[from].type, &i->op[from + 1], to - from - 1);
    unsigned fb = isa_types[i->op[from].type].float_bits;
    if (fb >= 32 && !(row->flags & RF_NO_FLUSH) && (!(denorm_mode(w, fb) & 2) || (row->flags & RF_FLUSH)))
        flush_row(res->r, i->op[from].type, w->lanes);
    return ISA_OK;
}

static int exec_vopd(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    struct tmp x, y;
    unsigned first_y = i->u.y.first_op;
    uint32_t *dx = reg_rows(w, &i->op[0]), *dy = reg_rows(w, &i->op[first_y]);

    (void)env, (void)fx;
    if (!dx || !dy)
        return bad_register(w, &i->op[dx ? first_y : 0]);
    /* both halves read before either writes */
    if (vopd_half(w, i, i->row, 0, first_y, &x) || vopd_half(w, i, i->u.y.row, first_y, i->nops, &y))
        return ISA_FAULT;
    store_rows(dx, x.r, w->mask, w->lanes, isa_types[i->op[0].type].dwords);
    store_rows(dy, y.r, w->mask, w->lanes, 1);
    return ISA_OK;
}

#define CAT2_(a, b) a##b
#define CAT2(a, b)  CAT2_(a, b)

extern const struct isa_variant CAT2(isa_variant_, ISA_VARIANT);
const struct isa_variant CAT2(isa_variant_, ISA_VARIANT) = {
    .name = ISA_STR(ISA_VARIANT),
    .rows = LANES_FN(isa_all_rows),
    .exec_simple = exec_simple,
    .exec_plain = exec_plain,
    .exec_full = exec_full,
    .exec_vopd = exec_vopd,
    .quick_odd = LANES_FN(isa_quick_odd),
    .quick_halves = LANES_FN(isa_quick_halves),
    .quick_many = LANES_FN(isa_quick_many),
    .handle_whole = LANES_FN(isa_handle_whole),
    .handle_quick = LANES_FN(isa_handle_quick),
    .handle_exec = LANES_FN(isa_handle_exec),
    .handle_end = LANES_FN(isa_handle_end),
    .handle_part = LANES_FN(isa_handle_part),
    .handle_part_exec = LANES_FN(isa_handle_part_exec),
    .handle_staged = {[STAGED_BITS] = LANES_FN(isa_handle_staged_bits),
                      [STAGED_MOVED] = LANES_FN(isa_handle_staged_moved),
                      [STAGED_PACKED] = LANES_FN(isa_handle_staged_packed),
                      [STAGED_HALF] = LANES_FN(isa_handle_staged_half),
                      [STAGED_PAIRS] = LANES_FN(isa_handle_staged_pairs),
                      [STAGED_ANY] = LANES_FN(isa_handle_staged_any)},
    .handle_part_staged = LANES_FN(isa_handle_part_staged),
    .expand_mask = expand_mask,
    .pack_bits = pack_bits,
    .move_row = LANES_FN(isa_move_row),
};

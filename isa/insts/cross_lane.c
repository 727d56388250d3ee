/* Instructions that move data across lanes, between VGPRs and SGPRs, or through registers indexed at run time. */
#include "isa/lanes/dpp.h"
#include "isa/table/shapes.h"
#include "isa/variant.h"

/* Row of lanes of operand k; null after a fault when the register is past the wave's allocation. */
static uint32_t *vgpr(struct isa_wave *w, unsigned r)
{
    if (r >= w->nvgprs) {
        isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "v%u is past the wave's %u allocated registers", r, w->nvgprs);
        return NULL;
    }
    return w->v + (size_t)r * w->lanes;
}

static unsigned first_lane(const struct isa_wave *w)
{
    return w->exec ? (unsigned)__builtin_ctzll(w->exec) : 0;
}

/* Lane `lane` of source operand k, which may be a constant or an SGPR. */
static bool lane_value(struct isa_wave *w, const struct isa_inst *i, unsigned k, unsigned lane, uint32_t *out)
{
    unsigned code = i->op[k].code;

    if (code < CODE_VGPR) {
        *out = sget32(w, i, k);
        return true;
    }
    const uint32_t *row = vgpr(w, code - CODE_VGPR);
    if (row)
        *out = row[lane];
    return row != NULL;
}

W(v_readlane_b32, CROSS, RF_ANY_LANE | RF_NO_EXEC | RF_NO_DPP, 0,
  ARGS({SL_VDST, T_B32, A_WR | A_SGPR}, {SL_SRC0, T_B32, A_RD | A_LDS}, {SL_SRC1, T_B32, A_RD | A_SGPR}),
  ENC(OP(GFX8, VOP3, 0x289), OP(GFX10, VOP3, 0x360)))
{
    uint32_t v;

    if (!lane_value(w, i, 1, sget32(w, i, 2) & (w->lanes - 1), &v))
        return ISA_FAULT;
    sput_code32(w, i->op[0].code, v);
    return ISA_OK;
}

W(v_readfirstlane_b32, CROSS, RF_ANY_LANE | RF_NO_E64 | RF_NO_EXEC | RF_NO_DPP | RF_NO_SDWA, IMP_R_EXEC,
  ARGS({SL_VDST, T_B32, A_WR | A_SGPR}, {SL_SRC0, T_B32, A_RD | A_LDS}), ENC(OP(GFX8, VOP1, 0x02)))
{
    uint32_t v;

    if (!lane_value(w, i, 1, first_lane(w), &v))
        return ISA_FAULT;
    sput_code32(w, i->op[0].code, v);
    return ISA_OK;
}

W(v_writelane_b32, CROSS, RF_ANY_LANE | RF_NO_EXEC | RF_NO_DPP, 0,
  ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_SGPR | A_LDS}, {SL_SRC1, T_B32, A_RD | A_SGPR},
       {SL_VDST, T_B32, A_RD | A_HIDDEN}),
  ENC(OP(GFX8, VOP3, 0x28a), OP(GFX10, VOP3, 0x361)))
{
    uint32_t *d = vgpr(w, i->op[0].code - CODE_VGPR);

    if (!d)
        return ISA_FAULT;
    d[sget32(w, i, 2) & (w->lanes - 1)] = sget32(w, i, 1);
    return ISA_OK;
}

/* --- permutes within rows of 16 ----------------------------------------------------------------------------------- */

enum { PERM_FI = 1, PERM_BOUND = 2 }; /* op_sel bits: fetch inactive lanes; 0 instead of the old value for them */

/* flip: 16 reads the neighbouring row. lane_sel: the row of each lane's choice; null: sel, for each lane of a row. */
static void permute_row(const struct isa_wave *w, const struct isa_inst *i, unsigned flip, const uint32_t *lane_sel,
                        uint64_t sel, const uint32_t *from, uint32_t *d)
{
    uint32_t old[64], valid[64];
    const uint32_t *mask = w->mask;
    const uint32_t all = i->op_sel & PERM_FI ? ~0u : 0, keep = i->op_sel & PERM_BOUND ? 0 : ~0u;
    unsigned n = w->lanes;

    for (unsigned l = 0; l < n; l++) {
        uint32_t in_row = (lane_sel ? lane_sel[l] : (uint32_t)(sel >> 4 * (l & 15))) & 15;
        unsigned at = ((l & ~15u) ^ flip) | in_row;

        old[l] = from[at];
        valid[l] = mask[at] | all;
    }
    for (unsigned l = 0; l < n; l++) {
        uint32_t result = (old[l] & valid[l]) | (d[l] & ~valid[l] & keep);
        d[l] = (result & mask[l]) | (d[l] & ~mask[l]);
    }
}

static int permute_rows(struct isa_wave *w, const struct isa_inst *i, unsigned flip, bool select_per_lane)
{
    uint32_t *d = vgpr(w, i->op[0].code - CODE_VGPR);
    const uint32_t *from = vgpr(w, i->op[1].code - CODE_VGPR), *lane_sel = NULL;
    uint64_t sel = 0;

    if (!d || !from)
        return ISA_FAULT;
    if (!select_per_lane)
        sel = sget32(w, i, 2) | (uint64_t)sget32(w, i, 3) << 32;
    else if (!(lane_sel = vgpr(w, i->op[2].code - CODE_VGPR)))
        return ISA_FAULT;
    permute_row(w, i, flip, lane_sel, sel, from, d);
    return ISA_OK;
}

#define PERMUTE_ARGS                                                                                                   \
    ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_SGPR},                     \
         {SL_SRC2, T_B32, A_RD | A_SGPR}, {SL_VDST, T_B32, A_RD | A_HIDDEN})
#define PERMUTE_VAR_ARGS                                                                                               \
    ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_VGPR},                     \
         {SL_VDST, T_B32, A_RD | A_HIDDEN})

W(v_permlane16_b32, CROSS, RF_NO_DPP | RF_OP_SEL | RF_NO_CLAMP, IMP_R_EXEC, PERMUTE_ARGS,
  ENC(OP(GFX10, VOP3, 0x377), OP(GFX11, VOP3, 0x25b)))
{
    return permute_rows(w, i, 0, false);
}

W(v_permlanex16_b32, CROSS, RF_NO_DPP | RF_OP_SEL | RF_NO_CLAMP, IMP_R_EXEC, PERMUTE_ARGS,
  ENC(OP(GFX10, VOP3, 0x378), OP(GFX11, VOP3, 0x25c)))
{
    return permute_rows(w, i, 16, false);
}

W(v_permlane16_var_b32, CROSS, RF_NO_DPP | RF_OP_SEL | RF_NO_CLAMP, IMP_R_EXEC, PERMUTE_VAR_ARGS,
  ENC(OP(GFX12, VOP3, 0x30f)))
{
    return permute_rows(w, i, 0, true);
}

W(v_permlanex16_var_b32, CROSS, RF_NO_DPP | RF_OP_SEL | RF_NO_CLAMP, IMP_R_EXEC, PERMUTE_VAR_ARGS,
  ENC(OP(GFX12, VOP3, 0x310)))
{
    return permute_rows(w, i, 16, true);
}

/* nothing happens in wave32 */
W(v_permlane64_b32, CROSS, RF_NO_DPP | RF_NO_E64, IMP_R_EXEC,
  ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}), ENC(OP(GFX11, VOP1, 0x67)))
{
    uint32_t old[64];
    uint32_t *d = vgpr(w, i->op[0].code - CODE_VGPR);

    if (!d)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        if (!lane_value(w, i, 1, l, &old[l]))
            return ISA_FAULT;
    for (unsigned l = 0; w->lanes == 64 && l < 64; l++)
        d[l] = (old[l ^ 32] & w->mask[l]) | (d[l] & ~w->mask[l]);
    return ISA_OK;
}

/* --- exchange and relative addressing ----------------------------------------------------------------------------- */

static int swap_registers(struct isa_wave *w, unsigned ra, unsigned rb)
{
    uint32_t *a = vgpr(w, ra), *b = vgpr(w, rb);

    if (!a || !b)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        uint32_t x = a[l], y = b[l], m = w->mask[l];
        a[l] = (y & m) | (x & ~m);
        b[l] = (x & m) | (y & ~m);
    }
    return ISA_OK;
}

static unsigned reg_of(const struct isa_inst *i, unsigned k)
{
    return i->op[k].code - CODE_VGPR;
}

static uint32_t m0_of(const struct isa_wave *w)
{
    return w->s[w->target->code_m0];
}

#define EXCHANGE_ARGS ARGS({SL_VDST, T_B32, A_RD | A_WR}, {SL_SRC0, T_B32, A_RD | A_WR | A_VGPR})
#define MOVE_ARGS     ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR})
#define ALONE         (RF_NO_DPP | RF_NO_SDWA)
#define RELATIVE      RF_RELATIVE

W(v_swap_b32, SWAP, ALONE | RF_NO_E64, IMP_R_EXEC, EXCHANGE_ARGS, ENC(OP(GFX9, VOP1, 0x51), OP(GFX10, VOP1, 0x65)))
{
    return swap_registers(w, reg_of(i, 0), reg_of(i, 1));
}

/* Halves change places: the first one's old value is kept, because both may be in one register. */
static int swap_halves(struct isa_wave *w, const struct isa_inst *i)
{
    uint32_t *a = vgpr(w, reg_of(i, 0)), *b = vgpr(w, reg_of(i, 1));
    unsigned to = i->op_sel & 8 ? 16 : 0, from = i->op_sel & 1 ? 16 : 0;

    if (!a || !b)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        uint32_t m = w->mask[l] & 0xffff, differ = ((a[l] >> to) ^ (b[l] >> from)) & m;
        a[l] ^= differ << to;
        b[l] ^= differ << from;
    }
    return ISA_OK;
}

W(v_swap_b16, SWAP, ALONE | RF_NO_E64 | RF_TRUE16, IMP_R_EXEC,
  ARGS({SL_VDST, T_B16, A_RD | A_WR}, {SL_SRC0, T_B16, A_RD | A_WR | A_VGPR}), ENC(OP(GFX11, VOP1, 0x66)))
{
    return swap_halves(w, i);
}

W(v_swaprel_b32, SWAP, ALONE | RF_NO_E64, IMP_R_EXEC | IMP_R_M0, EXCHANGE_ARGS, ENC(OP(GFX10, VOP1, 0x68)))
{
    uint32_t m0 = m0_of(w);
    return swap_registers(w, reg_of(i, 0) + (m0 >> 16 & 0x3ff), reg_of(i, 1) + (m0 & 0x3ff));
}

/* A relative move whose registers are known is a move, with the SDWA and DPP words of the instruction. */
static void mover_lanes(const struct lane_args *L)
{
    LANE_LOOP(L)
    {
        PUT_B32(GET_B32(s0));
    }
}
static const struct isa_row mover_row = {.name = "v_movrel",
                                         .kind = ROW_LANES,
                                         .args = {{SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD}},
                                         .lanes = mover_lanes};

static int move_relative(struct isa_wave *w, const struct isa_inst *i, uint32_t add_d, uint32_t add_s)
{
    struct isa_inst moved = *i;

    if (!vgpr(w, reg_of(i, 0) + add_d) || (i->op[1].code >= CODE_VGPR && !vgpr(w, reg_of(i, 1) + add_s)))
        return ISA_FAULT;
    moved.row = &mover_row;
    moved.first_src = 1;
    moved.op[0].code = (uint16_t)(CODE_VGPR + reg_of(i, 0) + add_d);
    if (i->op[1].code >= CODE_VGPR)
        moved.op[1].code = (uint16_t)(CODE_VGPR + reg_of(i, 1) + add_s);
    return w->target->variant->exec_full(w, &moved, NULL, NULL);
}

W(v_movrels_b32, VALU, RELATIVE, IMP_R_EXEC | IMP_R_M0, MOVE_ARGS,
  ENC(OP(GFX8, VOP1, 0x37), GONE(GFX9, VOP1), OP(GFX10, VOP1, 0x43)))
{
    return move_relative(w, i, 0, m0_of(w));
}

/* the source of movreld may be anything */
W(v_movreld_b32, VALU, RELATIVE, IMP_R_EXEC | IMP_R_M0, ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD}),
  ENC(OP(GFX8, VOP1, 0x36), GONE(GFX9, VOP1), OP(GFX10, VOP1, 0x42)))
{
    return move_relative(w, i, m0_of(w), 0);
}

W(v_movrelsd_b32, VALU, RELATIVE, IMP_R_EXEC | IMP_R_M0, MOVE_ARGS,
  ENC(OP(GFX8, VOP1, 0x38), GONE(GFX9, VOP1), OP(GFX10, VOP1, 0x44)))
{
    return move_relative(w, i, m0_of(w), m0_of(w));
}

W(v_movrelsd_2_b32, VALU, RELATIVE, IMP_R_EXEC | IMP_R_M0, MOVE_ARGS, ENC(OP(GFX10, VOP1, 0x48)))
{
    uint32_t m0 = m0_of(w);
    return move_relative(w, i, m0 >> 16 & 0x3ff, m0 & 0x3ff);
}

/* four sums of absolute differences, 128 bits wide: too wide for a lane loop */
static uint32_t msad(uint32_t a, uint32_t b, uint32_t sum, bool clamp)
{
    uint64_t r = sum;

    for (unsigned k = 0; k < 32; k += 8) {
        uint32_t x = a >> k & 0xff, y = b >> k & 0xff;
        r += y == 0 ? 0 : x > y ? x - y : y - x;
    }
    return clamp && r >> 32 ? 0xffffffff : (uint32_t)r;
}

W(v_mqsad_u32_u8, VALU_MAD64, RF_NO_DPP | RF_INT_CLAMP, IMP_R_EXEC,
  ARGS({SL_VDST, T_B128, A_WR}, {SL_SRC0, T_B64, A_RD}, {SL_SRC1, T_B32, A_RD}, {SL_SRC2, T_B128, A_RD | A_VGPR}),
  ENC(OP(GFX8, VOP3, 0x1e7), OP(GFX10, VOP3, 0x175), OP(GFX11, VOP3, 0x23d)))
{
    if (!vgpr(w, reg_of(i, 0) + 3) || i->op[1].code < CODE_VGPR || !vgpr(w, reg_of(i, 1) + 1) ||
        i->op[3].code < CODE_VGPR || !vgpr(w, reg_of(i, 3) + 3))
        return isa_fault(w, FAULT_OTHER, -1, 0, 0, false, "v_mqsad_u32_u8 takes its wide sources from VGPRs");
    uint32_t *d = vgpr(w, reg_of(i, 0)), n = w->lanes;
    const uint32_t *a = vgpr(w, reg_of(i, 1)), *c = vgpr(w, reg_of(i, 3));
    for (unsigned l = 0; l < n; l++) {
        uint64_t window = a[l] | (uint64_t)a[l + n] << 32;
        uint32_t b, r[4];
        if (!lane_value(w, i, 2, l, &b))
            return ISA_FAULT;
        for (unsigned k = 0; k < 4; k++)
            r[k] = msad((uint32_t)(window >> 8 * k), b, c[l + k * n], i->clamp);
        for (unsigned k = 0; k < 4 && w->mask[l]; k++)
            d[l + k * n] = r[k];
    }
    return ISA_OK;
}

/* --- no effect on registers ----------------------------------------------------------------------------------------
 */

W(v_nop, VALU, 0, 0, ARGS({SL_NONE, 0, 0}), ENC(OP(GFX8, VOP1, 0x00)))
{
    return ISA_OK;
}

W(v_clrexcp, VALU, ALONE, 0, ARGS({SL_NONE, 0, 0}), ENC(OP(GFX8, VOP1, 0x35), OP(GFX10, VOP1, 0x41), GONE(GFX11, VOP1)))
{
    return ISA_OK; /* exception flags are not kept */
}

W(v_pipeflush, VALU, ALONE, 0, ARGS({SL_NONE, 0, 0}), ENC(OP(GFX10, VOP1, 0x1b)))
{
    return ISA_OK;
}

/* The shader engines, out of four, that a rectangle of screen tiles touches: bits 7:4 are the tile it begins in, bits
 * 3:0 the one it ends in, each y * 4 + x, and it wraps around. The Vega ISA gives a table of 256 entries that is just
 * this. */
V1(v_screen_partition_4se_b32, VALU, B32, B32, 0, ENC(OP(GFX9, VOP1, 0x37), GONE(GFX10, VOP1)))
{
    static const uint8_t engine[16] = {1, 2, 4, 8, 4, 8, 1, 2, 2, 1, 8, 4, 8, 4, 2, 1};
    unsigned x0 = a >> 4 & 3, y0 = a >> 6 & 3, columns = ((a - x0) & 3) + 1, rows = (((a >> 2) - y0) & 3) + 1;
    uint32_t r = 0;

    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++)
            r |= engine[((y0 + y) & 3) * 4 + ((x0 + x) & 3)];
    return r;
}

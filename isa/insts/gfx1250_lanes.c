/* Moves between lanes and look-ups that gfx1250 added. Their meaning is second-hand: docs/SEMANTICS_NOTES.md,
 * "gfx1250", names the sources.
 */
#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"

#define ONE(FORMAT, OPCODE) ENC(OP(GFX12_5, FORMAT, OPCODE))

/* --- groups of lanes ---------------------------------------------------------------------------------------------- */

/* The wave in groups of lanes side by side. Bits 5:0 of a scalar give the width, a power of two: 0, as they are of 64,
 * is the whole wave. */
static uint32_t group_width(const struct isa_wave *w, uint32_t scalar)
{
    return (scalar & 63) && (scalar & 63) < w->lanes ? scalar & 63 : w->lanes;
}

enum move { MOVE_BCAST, MOVE_UP, MOVE_DOWN, MOVE_XOR };

/* The lane that lane l takes: its own where the one meant is not in its group, but for xor, which only looks above. */
static unsigned lane_from(enum move move, unsigned l, uint32_t select, uint32_t width)
{
    const unsigned base = l & ~(width - 1), in = l & (width - 1);

    switch (move) {
    case MOVE_BCAST:
        return base + (select & (width - 1));
    case MOVE_UP:
        return in < select ? l : l - select;
    case MOVE_DOWN:
        return select >= width - in ? l : l + select;
    case MOVE_XOR:
        return (l ^ select) >= base + width ? l : l ^ select;
    }
    return l;
}

/* Lanes outside EXEC give what their register holds. */
static int move_in_groups(struct isa_wave *w, const struct isa_inst *i, enum move move)
{
    uint32_t *d = mem_rows(w, &i->op[0]), old[64];
    const uint32_t *s = mem_rows(w, &i->op[1]), select = sget32(w, i, 2), width = group_width(w, sget32(w, i, 3));

    if (!d || !s)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        old[l] = s[l];
    for (unsigned l = 0; l < w->lanes; l++)
        if (w->exec >> l & 1)
            d[l] = old[lane_from(move, l, select, width)];
    return ISA_OK;
}

#define GROUP_MOVE(NAME, MOVE, OPCODE)                                                                                 \
    W(NAME, CROSS, RF_NO_DPP, IMP_R_EXEC,                                                                              \
      ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_SGPR},                   \
           {SL_SRC2, T_B32, A_RD | A_SGPR}),                                                                           \
      ONE(VOP3, OPCODE))                                                                                               \
    {                                                                                                                  \
        return move_in_groups(w, i, MOVE);                                                                             \
    }
GROUP_MOVE(v_permlane_bcast_b32, MOVE_BCAST, 0x270)
GROUP_MOVE(v_permlane_up_b32, MOVE_UP, 0x271)
GROUP_MOVE(v_permlane_down_b32, MOVE_DOWN, 0x272)
GROUP_MOVE(v_permlane_xor_b32, MOVE_XOR, 0x273)

/* What ds_bpermute_b32 takes to read lane src0 of the group. */
W(v_permlane_idx_gen_b32, CROSS, RF_NO_DPP, IMP_R_EXEC,
  ARGS({SL_VDST, T_B32, A_WR}, {SL_SRC0, T_B32, A_RD | A_VGPR}, {SL_SRC1, T_B32, A_RD | A_SGPR}), ONE(VOP3, 0x314))
{
    uint32_t *d = mem_rows(w, &i->op[0]), width = group_width(w, sget32(w, i, 2));
    const uint32_t *s = mem_rows(w, &i->op[1]);

    if (!d || !s)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++)
        if (w->exec >> l & 1)
            d[l] = 4 * ((l & ~(width - 1)) + (s[l] & (width - 1)));
    return ISA_OK;
}

/* --- look-ups ----------------------------------------------------------------------------------------------------- */

enum { TABLE_WORDS = 4, INDICES = 16 };

/* Word n of a lane of source k. */
static uint32_t source_word(const struct isa_wave *w, const struct isa_inst *i, unsigned k, const uint32_t *rows,
                            unsigned n, unsigned l)
{
    uint64_t scalar = rows ? 0 : isa_types[i->op[k].type].dwords == 2 ? sget64(w, i, k) : sget32(w, i, k);

    return rows ? rows[n * w->lanes + l] : (uint32_t)(scalar >> 32 * n);
}

/* Sixteen entries of a table that the first source is the upper end of and the second the lower, by sixteen indices of
 * four bits in the third. */
static int look_up(struct isa_wave *w, const struct isa_inst *i, unsigned bits)
{
    const unsigned upper = isa_types[i->op[1].type].dwords, lower = isa_types[i->op[2].type].dwords;
    uint32_t *d = mem_rows(w, &i->op[0]), table[TABLE_WORDS], index[2], result[TABLE_WORDS];
    const uint32_t *rows[4] = {NULL};

    for (unsigned k = 1; k < 4; k++)
        if (i->op[k].code >= CODE_VGPR && !(rows[k] = mem_rows(w, &i->op[k])))
            return ISA_FAULT;
    if (!d)
        return ISA_FAULT;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        for (unsigned n = 0; n < lower + upper; n++)
            table[n] = n < lower ? source_word(w, i, 2, rows[2], n, l) : source_word(w, i, 1, rows[1], n - lower, l);
        for (unsigned n = 0; n < 2; n++)
            index[n] = source_word(w, i, 3, rows[3], n, l);
        for (unsigned k = 0; k < INDICES; k++)
            string_put(result, 1, k * bits, bits, string_get(table, 1, string_get(index, 1, 4 * k, 4) * bits, bits));
        for (unsigned n = 0; n < INDICES * bits / 32; n++)
            d[n * w->lanes + l] = result[n];
    }
    return ISA_OK;
}

#define LOOK_UP(NAME, BITS, D, A, B, OPCODE)                                                                           \
    W(NAME, VALU, RF_NO_DPP, IMP_R_EXEC,                                                                               \
      ARGS({SL_VDST, T_##D, A_WR}, {SL_SRC0, T_##A, A_RD}, {SL_SRC1, T_##B, A_RD}, {SL_SRC2, T_B64, A_RD}),            \
      ONE(VOP3, OPCODE))                                                                                               \
    {                                                                                                                  \
        return look_up(w, i, BITS);                                                                                    \
    }
LOOK_UP(v_perm_pk16_b4_u4, 4, B64, B32, B32, 0x23f)
LOOK_UP(v_perm_pk16_b6_u4, 6, B96, B32, B64, 0x242)
LOOK_UP(v_perm_pk16_b8_u4, 8, B128, B64, B64, 0x243)

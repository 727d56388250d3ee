/* Computes which lane each lane reads under a DPP word (data-parallel primitives), and which lanes are written. */
#include "isa/lanes/dpp.h"

#include <string.h>

/* dpp_ctrl values: LLVM 19 SIDefines.h, DppCtrl. */
enum {
    QUAD_PERM_LAST = 0xff,
    ROW_SL0 = 0x100,
    ROW_SR0 = 0x110,
    ROW_RR0 = 0x120,
    WAVE_SL1 = 0x130,
    WAVE_RL1 = 0x134,
    WAVE_SR1 = 0x138,
    WAVE_RR1 = 0x13c,
    ROW_MIRROR = 0x140,
    ROW_HALF_MIRROR = 0x141,
    BCAST15 = 0x142,
    BCAST31 = 0x143,
    ROW_SHARE = 0x150, /* row_newbcast on gfx90a */
    ROW_XMASK = 0x160,
};

/* The lane that lane l reads, or -1 when it lies outside. *skip: the lane takes no part (bcast into row 0). */
static int source_lane(unsigned ctrl, int l, int lanes, bool *skip)
{
    int row = l & ~15, in = l & 15, k = (int)(ctrl & 15);

    *skip = false;
    if (ctrl <= QUAD_PERM_LAST)
        return (l & ~3) | (int)(ctrl >> (2 * (l & 3)) & 3);
    switch (ctrl & ~15u) {
    case ROW_SL0:
        return in + k < 16 ? l + k : -1;
    case ROW_SR0:
        return in - k >= 0 ? l - k : -1;
    case ROW_RR0:
        return row | ((in - k) & 15);
    case ROW_SHARE:
        return row | k;
    case ROW_XMASK:
        return row | (in ^ k);
    default:
        break;
    }
    switch (ctrl) {
    case WAVE_SL1:
        return l + 1 < lanes ? l + 1 : -1;
    case WAVE_RL1:
        return (l + 1) % lanes;
    case WAVE_SR1:
        return l - 1;
    case WAVE_RR1:
        return (l + lanes - 1) % lanes;
    case ROW_MIRROR:
        return row | (15 - in);
    case ROW_HALF_MIRROR:
        return (l & ~7) | (7 - (l & 7));
    case BCAST15:
        *skip = row == 0;
        return row - 1;
    case BCAST31:
        *skip = l < 32;
        return 31;
    default:
        return -1;
    }
}

uint64_t isa_dpp16(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
{
    uint32_t old[2][64];
    uint64_t enabled = 0;
    int lanes = (int)w->lanes;

    for (unsigned k = 0; k < dwords; k++)
        memcpy(old[k], row + k * w->lanes, w->lanes * sizeof *row);
    for (int l = 0; l < lanes; l++) {
        bool skip;
        int src = source_lane(d->ctrl, l, lanes, &skip);
        bool valid = src >= 0 && (d->fi || (w->exec >> src & 1));
        bool on =
            (d->row_mask >> (l >> 4) & 1) && (d->bank_mask >> (l >> 2 & 3) & 1) && !skip && (valid || d->bound_ctrl);
        enabled |= (uint64_t)on << l;
        for (unsigned k = 0; k < dwords; k++)
            row[k * w->lanes + (unsigned)l] = valid ? old[k][src] : 0;
    }
    return enabled;
}

uint64_t isa_dpp8(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
{
    uint32_t old[2][64];

    for (unsigned k = 0; k < dwords; k++)
        memcpy(old[k], row + k * w->lanes, w->lanes * sizeof *row);
    for (unsigned l = 0; l < w->lanes; l++) {
        unsigned src = (l & ~7u) | (d->sel8 >> (3 * (l & 7)) & 7);
        bool valid = d->fi || (w->exec >> src & 1);
        for (unsigned k = 0; k < dwords; k++)
            row[k * w->lanes + l] = valid ? old[k][src] : 0;
    }
    return ~UINT64_C(0);
}

uint64_t isa_dpp(const struct isa_wave *w, const struct isa_inst *i, uint32_t *row, unsigned dwords)
{
    switch (i->form) {
    case FORM_DPP16:
    case FORM_E64_DPP16:
        return isa_dpp16(w, &i->u.dpp, row, dwords);
    case FORM_DPP8:
    case FORM_E64_DPP8:
        return isa_dpp8(w, &i->u.dpp, row, dwords);
    default:
        return ~UINT64_C(0);
    }
}

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

/* The lane that lane l reads across rows, or -1 when it lies outside. *skip: the lane takes no part (bcast into row 0).
 */
static int source_lane(unsigned ctrl, int l, int lanes, bool *skip)
{
    int row = l & ~15;

    *skip = false;
    switch (ctrl) {
    case WAVE_SL1:
        return l + 1 < lanes ? l + 1 : -1;
    case WAVE_RL1:
        return (l + 1) % lanes;
    case WAVE_SR1:
        return l - 1;
    case WAVE_RR1:
        return (l + lanes - 1) % lanes;
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

/* Where lanes read within their own row of 16, the same in each: the places that they read, and a bit for each lane
 * that has one. False: lanes read elsewhere. */
static bool row_sources(unsigned ctrl, uint8_t from[16], uint32_t *reach)
{
    unsigned kind = ctrl & ~15u, k = ctrl & 15;

    *reach = 0xffff;
    if (ctrl <= QUAD_PERM_LAST)
        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)((l & ~3u) | (ctrl >> (2 * (l & 3)) & 3));
    else if (kind == ROW_SL0 || kind == ROW_SR0 || kind == ROW_RR0) {
        unsigned by = kind == ROW_SL0 ? k : 16 - k;

        *reach = kind == ROW_SL0 ? 0xffffu >> k : kind == ROW_SR0 ? 0xffffu << k & 0xffff : 0xffff;
        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)((l + by) & 15);
    } else if (kind == ROW_SHARE)
        memset(from, (int)k, 16);
    else if (kind == ROW_XMASK || ctrl == ROW_MIRROR || ctrl == ROW_HALF_MIRROR) {
        unsigned flip = kind == ROW_XMASK ? k : ctrl == ROW_MIRROR ? 15 : 7;

        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)(l ^ flip);
    } else
        return false;
    return true;
}

/* Bits of the lanes of a row that have a source which is on. */
static uint32_t row_valid(const uint8_t from[16], uint32_t reach, uint32_t exec)
{
    uint32_t valid = 0;

    if (exec == 0xffff)
        return reach;
    for (unsigned l = 0; l < 16; l++)
        valid |= (exec >> from[l] & 1) << l;
    return valid & reach;
}

static void move_row(uint32_t *row, const uint8_t from[16], uint32_t valid)
{
    uint32_t old[16];

    memcpy(old, row, sizeof old);
    for (unsigned l = 0; l < 16; l++)
        row[l] = valid >> l & 1 ? old[from[l]] : 0;
}

static uint64_t move_rows(const struct isa_wave *w, const struct isa_dpp *d, const uint8_t from[16], uint32_t reach,
                          uint32_t *row, unsigned dwords)
{
    uint32_t banks = (d->bank_mask & 1u) * 0xf | (d->bank_mask >> 1 & 1u) * 0xf0 | (d->bank_mask >> 2 & 1u) * 0xf00 |
                     (d->bank_mask >> 3 & 1u) * 0xf000;
    uint64_t enabled = 0;

    for (unsigned l = 0; l < w->lanes; l += 16) {
        uint32_t valid = row_valid(from, reach, d->fi ? 0xffff : w->exec >> l & 0xffff);

        if (d->row_mask >> l / 16 & 1)
            enabled |= (uint64_t)(banks & (d->bound_ctrl ? 0xffff : valid)) << l;
        for (unsigned k = 0; k < dwords; k++)
            move_row(row + k * w->lanes + l, from, valid);
    }
    return enabled;
}

/* Lanes that read outside their row, one by one. */
static uint64_t move_lanes(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
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

uint64_t isa_dpp16(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
{
    uint8_t from[16];
    uint32_t reach;

    if (row_sources(d->ctrl, from, &reach))
        return move_rows(w, d, from, reach, row, dwords);
    return move_lanes(w, d, row, dwords);
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

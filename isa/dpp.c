/* Computes which lane each lane reads under a DPP word (data-parallel primitives), and which lanes are written. */
#include "isa/lanes/dpp.h"
#include "isa/variant.h"

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

/* Where lanes read within their own row of 16, the same in each: the places that they read, and a bit for each lane
 * that has one. False: lanes read elsewhere. */
static bool row_sources(unsigned ctrl, uint8_t from[16], uint32_t *reach)
{
    unsigned kind = ctrl & ~15u, k = ctrl & 15;

    *reach = 0xffff;
    if (ctrl <= QUAD_PERM_LAST) {
        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)((l & ~3u) | (ctrl >> (2 * (l & 3)) & 3));
    } else if (kind == ROW_SL0 || kind == ROW_SR0 || kind == ROW_RR0) {
        unsigned by = kind == ROW_SL0 ? k : 16 - k;

        *reach = kind == ROW_SL0 ? 0xffffu >> k : kind == ROW_SR0 ? 0xffffu << k & 0xffff : 0xffff;
        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)((l + by) & 15);
    } else if (kind == ROW_SHARE) {
        memset(from, (int)k, 16);
    } else if (kind == ROW_XMASK || ctrl == ROW_MIRROR || ctrl == ROW_HALF_MIRROR) {
        unsigned flip = kind == ROW_XMASK ? k : ctrl == ROW_MIRROR ? 15 : 7;

        for (unsigned l = 0; l < 16; l++)
            from[l] = (uint8_t)(l ^ flip);
    } else {
        return false;
    }
    return true;
}

static uint64_t move_rows(const struct isa_wave *w, const struct isa_dpp *d, const uint8_t from[16], uint32_t reach,
                          uint32_t *row, unsigned dwords)
{
    uint64_t lanes = 0;

    for (unsigned l = 0; l < w->lanes; l += 16) {
        uint32_t valid = isa_dpp_valid(from, reach, d->fi ? 0xffff : w->exec >> l & 0xffff);

        lanes |= (uint64_t)valid << l;
        for (unsigned k = 0; k < dwords; k++)
            w->target->variant->move_row(row + k * w->lanes + l, from, valid);
    }
    return lanes;
}

/* Rows that read beyond themselves. *part: lanes that take part; bcast leaves the first rows alone. Returns those that
 * have a source which is on. */
static uint64_t move_lanes(const struct isa_wave *w, const struct isa_dpp *d, uint64_t *part, uint32_t *row,
                           unsigned dwords)
{
    const unsigned lanes = w->lanes, by = d->ctrl == WAVE_SL1 || d->ctrl == WAVE_RL1 ? 1 : lanes - 1;
    const uint64_t all = lane_mask(lanes), exec = d->fi ? all : w->exec & all;
    /* by default as each lane takes its neighbour's */
    uint64_t reach = (exec >> by | exec << (lanes - by)) & all;
    uint32_t old[64], on[64];

    *part = all;
    if (d->ctrl == BCAST15) {
        *part = all & ~UINT64_C(0xffff);
        reach = (exec & UINT64_C(0x0000800080008000)) * 0x1fffe & *part;
    } else if (d->ctrl == BCAST31) {
        *part = all & ~UINT64_C(0xffffffff);
        reach = exec >> 31 & 1 ? all : 0;
    } else if (d->ctrl == WAVE_SL1) {
        reach &= all >> 1;
    } else if (d->ctrl == WAVE_SR1) {
        reach &= all << 1;
    } else if (d->ctrl != WAVE_RL1 && d->ctrl != WAVE_RR1) {
        reach = 0;
    }
    w->target->variant->expand_mask(on, reach, lanes);
    for (unsigned k = 0; k < dwords; k++, row += lanes) {
        memcpy(old, row, lanes * sizeof *row);
        if (d->ctrl == BCAST15 || d->ctrl == BCAST31) {
            for (unsigned l = 0; l < lanes; l++)
                row[l] = old[d->ctrl == BCAST31 ? 31 : ((l & ~15u) - 1) & (lanes - 1)];
        } else {
            memcpy(row, old + by, (lanes - by) * sizeof *row);
            memcpy(row + lanes - by, old, by * sizeof *row);
        }
        for (unsigned l = 0; l < lanes; l++)
            row[l] &= on[l];
    }
    return reach;
}

/* Lanes of the banks and rows that are on. */
static uint64_t switched_on(const struct isa_dpp *d)
{
    uint64_t lanes = 0;

    if (d->bank_mask == 0xf && d->row_mask == 0xf)
        return ~UINT64_C(0);
    for (unsigned k = 0; k < 4; k++)
        lanes |= (uint64_t)(d->bank_mask >> k & 1) * 0xf << 4 * k;
    lanes *= UINT64_C(0x0001000100010001);
    for (unsigned k = 0; k < 4; k++)
        lanes &= d->row_mask >> k & 1 ? ~UINT64_C(0) : ~(UINT64_C(0xffff) << 16 * k);
    return lanes;
}

uint64_t isa_dpp16(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
{
    uint64_t part = ~UINT64_C(0), valid;
    uint8_t from[16];
    uint32_t reach;

    if (row_sources(d->ctrl, from, &reach))
        valid = move_rows(w, d, from, reach, row, dwords);
    else
        valid = move_lanes(w, d, &part, row, dwords);
    return switched_on(d) & part & (d->bound_ctrl ? lane_mask(w->lanes) : valid);
}

static void sources8(const struct isa_dpp *d, uint8_t from[16])
{
    for (unsigned l = 0; l < 16; l++)
        from[l] = (uint8_t)((l & 8) | (d->sel8 >> (3 * (l & 7)) & 7));
}

bool isa_dpp_in_rows(const struct isa_inst *i, uint8_t from[16], uint32_t *reach, uint64_t *on)
{
    const struct isa_dpp *d = &i->u.dpp;

    if (isa_form_is_dpp8(i->form)) {
        sources8(d, from);
        *reach = 0xffff;
        *on = ~UINT64_C(0);
        return true;
    }
    *on = switched_on(d);
    return row_sources(d->ctrl, from, reach);
}

uint64_t isa_dpp8(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords)
{
    uint8_t from[16];

    sources8(d, from);
    move_rows(w, d, from, 0xffff, row, dwords);
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

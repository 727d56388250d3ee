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

/* Lanes that read beyond their row. */
struct sources {
    uint8_t from[64];
    uint64_t reach; /* lanes that have one */
    uint64_t part;  /* lanes that take part: bcast leaves the first rows alone */
};

static void wave_sources(unsigned ctrl, unsigned lanes, struct sources *s)
{
    uint64_t all = lane_mask(lanes);
    unsigned by = ctrl == WAVE_SL1 || ctrl == WAVE_RL1 ? 1 : lanes - 1;

    s->part = all;
    switch (ctrl) {
    case BCAST15:
        s->reach = s->part = all & ~UINT64_C(0xffff);
        for (unsigned l = 0; l < lanes; l++)
            s->from[l] = (uint8_t)(((l & ~15u) - 1) & 63);
        return;
    case BCAST31:
        s->reach = all;
        s->part = all & ~UINT64_C(0xffffffff);
        memset(s->from, 31, lanes);
        return;
    case WAVE_SL1:
        s->reach = all >> 1;
        break;
    case WAVE_SR1:
        s->reach = all << 1 & all;
        break;
    case WAVE_RL1:
    case WAVE_RR1:
        s->reach = all;
        break;
    default:
        s->reach = 0;
        break;
    }
    for (unsigned l = 0; l < lanes; l++)
        s->from[l] = (uint8_t)((l + by) & (lanes - 1));
}

/* Lanes that have a source which is on. */
static uint64_t valid_lanes(const struct sources *s, uint64_t exec, unsigned lanes)
{
    uint64_t valid = 0;

    if (exec == lane_mask(lanes))
        return s->reach;
    for (unsigned l = 0; l < lanes; l++)
        valid |= (exec >> s->from[l] & 1) << l;
    return valid & s->reach;
}

static uint64_t move_lanes(const struct isa_wave *w, const struct isa_dpp *d, uint64_t *part, uint32_t *row,
                           unsigned dwords)
{
    unsigned lanes = w->lanes;
    struct sources s;
    uint32_t old[64];

    wave_sources(d->ctrl, lanes, &s);
    uint64_t valid = valid_lanes(&s, d->fi ? lane_mask(lanes) : w->exec & lane_mask(lanes), lanes);
    for (unsigned k = 0; k < dwords; k++, row += lanes) {
        memcpy(old, row, lanes * sizeof *row);
        for (unsigned l = 0; l < lanes; l++)
            row[l] = valid >> l & 1 ? old[s.from[l]] : 0;
    }
    *part = s.part;
    return valid;
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

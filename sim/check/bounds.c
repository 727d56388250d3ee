/* Accesses outside LDS, which hardware drops or answers with zero, and accesses to another wave's scratch, which it
 * performs. An access outside all memory, or outside the wave's scratch in a scratch instruction, is a fault of the
 * wave and ends the run anyhow (isa/lanes/scratch_access.c). */
#include <inttypes.h>
#include <stdio.h>

#include "sim/check/internal.h"
#include "sim/launch/state.h"

bool check_is_lds_access(const struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;

    return (s->i->kind & (KIND_LDS | KIND_FLAT)) && (fx->kind == FX_LDS || fx->kind == FX_FLAT_MIXED) && fx->lds_mask &&
           s->i->inst->row->cls != OPC_LDS_PERMUTE;
}

bool check_is_lds_dma(const struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;

    return (s->i->kind & KIND_VMEM) && !(s->i->kind & KIND_FLAT) && fx->kind == FX_VECTOR && fx->lds_mask;
}

unsigned check_lds_dma_bytes(const struct check_step *s)
{
    unsigned bytes = s->g->fx.bytes;

    return bytes < 4 && !s->i->inst->row->mem.async ? 4 : bytes;
}

static uint32_t highest(const uint32_t *at, uint64_t lanes)
{
    uint32_t most = 0;

    for (; lanes; lanes &= lanes - 1) {
        uint32_t a = at[__builtin_ctzll(lanes)];
        most = a > most ? a : most;
    }
    return most;
}

/* The first lane whose access lies outside LDS is a finding; on gfx8 M0 bounds DS instructions. For a tensor, which no
 * lane moves, it is the first piece. */
static void look_at_lds(struct check_step *s, const uint32_t *at)
{
    const struct isa_target *t = s->w->target;
    const struct isa_effects *fx = &s->g->fx;
    uint32_t limit = s->w->lds_bytes, m0 = s->w->s[t->code_m0];
    bool m0_is_address = s->i->inst->row->implicit & IMP_R_M0, writes = (fx->op != MEM_LOAD) != check_is_lds_dma(s);
    bool clamped = isa_has(t, FEAT_LDS_M0_CLAMP) && (s->i->kind & KIND_LDS) && m0 < limit && !m0_is_address;
    int lane = -1;

    if (clamped)
        limit = m0;
    if ((uint64_t)highest(at, fx->lds_mask) + fx->bytes <= limit)
        return;
    for (uint64_t m = fx->lds_mask; m && lane < 0; m &= m - 1)
        if ((uint64_t)at[__builtin_ctzll(m)] + fx->bytes > limit)
            lane = __builtin_ctzll(m);
    check_report(s, CHECK_BOUNDS_LDS, s->i->inst->row->mem.tensor ? -1 : lane,
                 clamped ? "write the size of LDS, or -1, to M0 before it" : "allocate more LDS, or check the index",
                 "%s %u byte%s at LDS byte 0x%x, outside the %u that %s", writes ? "writes" : "reads", fx->bytes,
                 fx->bytes == 1 ? "" : "s", at[lane], limit, clamped ? "M0 allows" : "the workgroup has");
}

/* A lane accesses the scratch of another wave, by any kind of address. Scratch of another lane of its own wave is no
 * finding: no rule forbids it. */
static void look_at_scratch(struct check_step *s)
{
    const struct launch *l = s->g->run->launch;
    const struct isa_effects *fx = &s->g->fx;
    const struct isa_wave *w = s->w;
    gaddr_t first = l->state->scratch_base, mine = w->scratch_base;
    gaddr_t size = l->state->scratch_wave_bytes * l->scratch_slots;
    gaddr_t mine_size = l->state->scratch_wave_bytes;
    uint32_t last = 31 - (uint32_t)__builtin_clz(isa_effects_pieces(fx));
    uint32_t reach = last * fx->dword_step + isa_effects_piece_bytes(fx);

    if (!l->state->scratch_bytes_per_lane || l->scratch_slots == UINT32_MAX)
        return;
    for (uint64_t m = fx->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        gaddr_t at = fx->addr[lane];
        if (at - first >= size || (at - mine < mine_size && at - mine + reach <= mine_size))
            continue;
        check_report(s, CHECK_BOUNDS_SCRATCH, (int)lane, "allocate more scratch, or check the index",
                     "%s %u bytes at 0x%" PRIx64 ", scratch of another wave", fx->op == MEM_LOAD ? "reads" : "writes",
                     fx->bytes, at);
        return;
    }
}

void check_bounds_after(struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;

    if (check_is_lds_access(s) || check_is_lds_dma(s)) {
        look_at_lds(s, fx->lds_addr);
        if (fx->elems > 1)
            look_at_lds(s, fx->lds_addr2);
    }
    if ((s->i->kind & KIND_VMEM) && (fx->kind == FX_VECTOR || fx->kind == FX_FLAT_MIXED))
        look_at_scratch(s);
}

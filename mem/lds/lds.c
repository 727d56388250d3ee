/* Passes over the banks of the LDS, phase by phase, and the cycles of its data paths. */
#include "mem/lds/lds.h"

#include "mem/lanes.h"

#include <assert.h>

/* Lanes in groups of neighbours, `lanes` of them in each phase. */
static struct lds_phases consecutive(uint32_t banks, uint32_t wave_lanes, uint32_t lanes)
{
    struct lds_phases p = {.banks = banks, .count = wave_lanes / lanes};

    for (uint32_t i = 0; i < p.count; i++)
        p.lanes[i] = lane_mask(lanes) << (i * lanes);
    return p;
}

/* Wide reads of GCN and CDNA: a phase takes groups of four neighbouring lanes, quads, from places apart. For 8 lanes
 * (32 banks) these are quads 0 and 5, 1 and 4, 2 and 7, 3 and 6 of each half of the wave; of 16 lanes (gfx950, 64
 * banks) quads 0, 3, 5, 6 and 1, 2, 4, 7: in both the members of a phase differ by the exclusive or with 5 and with 3.
 * The rule is a reading of the two published tables (the kernel optimization guide; HipKittens), which
 * tests/unit/mem/test_lds.c spells out. */
static struct lds_phases interleaved(uint32_t banks, uint32_t wave_lanes, uint32_t lanes)
{
    struct lds_phases p = {.banks = banks};
    uint32_t quads_done = 0;

    for (uint32_t first = 0; first < wave_lanes / 4; first++) {
        if (quads_done >> first & 1)
            continue;
        for (uint32_t i = 0; i < lanes / 4; i++) {
            uint32_t quad = first ^ (i & 1 ? 5 : 0) ^ (i & 2 ? 3 : 0) ^ (i & 4 ? 1 : 0) ^ (i & 8 ? 8 : 0);

            p.lanes[p.count] |= UINT64_C(15) << 4 * quad;
            quads_done |= 1u << quad;
        }
        p.count++;
    }
    return p;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void lds_config_init(struct lds_config *c, const struct lds_shape *shape)
{
    uint32_t wave = shape->wave_lanes;

    assert(wave == 32 || wave == 64);
    assert(shape->banks && shape->banks <= LDS_MAX_BANKS && !(shape->banks & (shape->banks - 1)));
    assert(shape->store_banks && shape->store_banks <= LDS_MAX_BANKS &&
           !(shape->store_banks & (shape->store_banks - 1)));
    assert(shape->inbound_bytes_per_cycle && shape->outbound_bytes_per_cycle && shape->lanes_per_cycle);
    memset(c, 0, sizeof *c);
    c->shape = *shape;
    for (unsigned w = 0; w < LDS_WIDTHS; w++) {
        uint32_t read = least_of(shape->read_phase_lanes[w], wave), store = least_of(shape->store_phase_lanes[w], wave);
        uint32_t banks = w == LDS_B96 ? shape->store_banks : shape->banks;

        assert(read >= LDS_MIN_PHASE_LANES && !(read & (read - 1)));
        assert(store >= LDS_MIN_PHASE_LANES && !(store & (store - 1)));
        if (shape->interleaved_wide_reads && w >= LDS_B96)
            c->read[w] = interleaved(banks, wave, read);
        else
            c->read[w] = consecutive(banks, wave, read);
        c->store[w] = consecutive(shape->store_banks, wave, store);
    }
}

static uint32_t first_dword(uint32_t offset)
{
    return offset / 4;
}

static uint32_t last_dword(uint32_t offset, uint32_t bytes)
{
    return (uint32_t)(((uint64_t)offset + bytes - 1) / 4);
}

/* Passes for neighbouring lanes whose first dwords are `stride` apart and that access `n` dwords each; 0: unknown. */
static uint32_t regular_passes(uint32_t lanes, uint32_t stride, uint32_t n, uint32_t banks)
{
    if (!stride)
        return 1;
    if (n == 1) {
        /* the banks are a power of two, so the lowest bit of the stride says how many of them it reaches */
        uint32_t step = stride & -stride, reached = step < banks ? banks / step : 1;

        return (lanes + reached - 1) / reached;
    }
    return stride == n && lanes * n <= banks ? 1 : 0;
}

static uint32_t differences(const uint32_t *offset, uint32_t n, uint32_t at, uint32_t stride)
{
    uint32_t diff = 0;

    for (uint32_t k = 0; k < n; k++)
        diff |= offset[k] ^ (at + k * stride);
    return diff;
}

/* Passes for lanes in blocks of a power of two, when all lanes of a block have one offset, or all blocks have the same
 * offsets; 0: unknown. */
static uint32_t try_blocks(const uint32_t *offset, uint32_t lanes, uint32_t bytes, uint32_t banks)
{
    uint32_t at = offset[0], n = 2, stride, diff = 0;
    bool same = offset[1] == at;

    while (n < lanes && (offset[n] == at) == same)
        n *= 2;
    if (n >= lanes || lanes % n)
        return 0;
    stride = same ? offset[n] - at : offset[1] - at;
    if (stride % 4 || stride > UINT32_MAX / 128)
        return 0;
    if (same) {
        for (uint32_t k = 0; k < lanes; k += n, at += stride)
            diff |= differences(offset + k, n, at, 0);
        return diff ? 0 : regular_passes(lanes / n, stride / 4, bytes / 4, banks);
    }
    diff = differences(offset, n, at, stride);
    for (uint32_t k = n; k < lanes && !diff; k += n)
        diff = memcmp(offset, offset + k, n * sizeof *offset) != 0;
    return diff ? 0 : regular_passes(n, stride / 4, bytes / 4, banks);
}

/* Passes for the lanes of a phase when their offsets are regular; 0: unknown. */
static uint32_t try_regular(uint64_t lanes, const uint32_t *offset, uint32_t bytes, uint32_t banks)
{
    unsigned first = (unsigned)__builtin_ctzll(lanes), n = mem_lane_count(lanes);
    uint32_t stride, at;

    if (lanes >> first != lane_mask(n) || offset[first] % 4 || bytes % 4)
        return 0;
    if (n == 1)
        return bytes / 4 <= banks;
    at = offset[first];
    stride = offset[first + 1] - at;
    if (offset[first + n - 1] != at + (n - 1) * stride || differences(offset + first, n, at, stride))
        return try_blocks(offset + first, n, bytes, banks);
    /* descending offsets, or offsets that wrap around: unknown */
    if (stride % 4 || stride > UINT32_MAX / 128)
        return 0;
    return regular_passes(n, stride / 4, bytes / 4, banks);
}

/* One pass for lanes of one dword each; returns the lanes that remain. */
static uint64_t dword_pass(uint64_t lanes, const uint32_t *offset, uint32_t banks)
{
    uint32_t owner[LDS_MAX_BANKS]; /* the dword a taken bank serves */
    uint64_t taken = 0, rest = 0;

    for (uint64_t m = lanes; m; m &= m - 1) {
        uint32_t d = offset[__builtin_ctzll(m)] / 4, bank = d & (banks - 1);

        if (!(taken >> bank & 1)) {
            taken |= UINT64_C(1) << bank;
            owner[bank] = d;
        } else if (owner[bank] != d) {
            rest |= m & -m;
        }
    }
    return rest;
}

static uint64_t wide_pass(uint64_t lanes, const uint32_t *offset, uint32_t bytes, uint32_t banks)
{
    uint32_t owner[LDS_MAX_BANKS];
    uint64_t taken = 0, rest = 0;

    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);
        uint32_t d0 = first_dword(offset[lane]), n = last_dword(offset[lane], bytes) - d0 + 1;
        bool clash = false;

        for (uint32_t k = 0; k < n; k++) {
            uint32_t bank = (d0 + k) & (banks - 1);
            clash |= (taken >> bank & 1) && owner[bank] != d0 + k;
        }
        if (clash) {
            rest |= UINT64_C(1) << lane;
            continue;
        }
        for (uint32_t k = 0; k < n; k++) {
            uint32_t bank = (d0 + k) & (banks - 1);
            taken |= UINT64_C(1) << bank;
            owner[bank] = d0 + k;
        }
    }
    return rest;
}

/* Passes over the banks until every lane of the phase has been served. */
static uint32_t phase_passes(uint64_t lanes, const uint32_t *offset, uint32_t bytes, uint32_t banks)
{
    uint32_t passes = lanes ? try_regular(lanes, offset, bytes, banks) : 0, straddles = 0;

    if (passes || !lanes)
        return passes;
    for (uint64_t m = lanes; m; m &= m - 1)
        straddles |= (offset[__builtin_ctzll(m)] & 3) + bytes > 4;
    for (; lanes; passes++)
        lanes = straddles ? wide_pass(lanes, offset, bytes, banks) : dword_pass(lanes, offset, banks);
    return passes;
}

/* Passes when lanes with the same dword are served one after the other: a pass takes the remaining lanes that meet no
 * bank taken before. */
static uint32_t atomic_passes(uint64_t lanes, const uint32_t *offset, uint32_t bytes, uint32_t banks)
{
    uint32_t passes = 0;

    for (; lanes; passes++) {
        uint64_t taken = 0, rest = 0;

        for (uint64_t m = lanes; m; m &= m - 1) {
            uint32_t at = offset[__builtin_ctzll(m)], d0 = first_dword(at), n = last_dword(at, bytes) - d0 + 1;
            uint64_t want = 0;

            for (uint32_t k = 0; k < n; k++)
                want |= UINT64_C(1) << ((d0 + k) & (banks - 1));
            if (taken & want)
                rest |= m & -m;
            else
                taken |= want;
        }
        lanes = rest;
    }
    return passes;
}

static void add_banks(const struct lds_config *c, struct lds_cost *cost, const struct lds_phases *p,
                      const struct lds_access *a, const uint32_t *offset)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t lanes = a->exec & p->lanes[i];
        uint32_t n = phase_passes(lanes, offset, a->bytes, p->banks);
        uint32_t all = a->atomic ? atomic_passes(lanes, offset, a->bytes, p->banks) : n;

        if (c->shape.no_conflicts)
            n = all = n != 0;
        /* first fit is not optimal: without sharing it may need fewer passes, which count as no address conflict */
        all = all > n ? all : n;
        cost->bank_cycles += all ? all : 1;
        cost->conflict_cycles += n ? n - 1 : 0;
        cost->addr_conflict_cycles += all - n;
    }
}

/* Whether the second offset of every lane is the same number of dwords from its first: the same conflicts, in other
 * banks. Offsets of inactive lanes are undefined. */
static bool same_but_moved(const struct lds_access *a, uint32_t lanes)
{
    uint32_t by = a->offset2[0] - a->offset[0], diff = by % 4;

    if (a->exec != lane_mask(lanes))
        return false;
    for (uint32_t k = 0; k < lanes; k++)
        diff |= (a->offset2[k] - a->offset[k]) ^ by;
    return !diff;
}

static uint32_t path_cycles(uint32_t lanes, uint32_t bytes_per_lane, uint32_t bytes_per_cycle)
{
    return (lanes * bytes_per_lane + bytes_per_cycle - 1) / bytes_per_cycle;
}

static uint32_t most_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t in_cycles(const struct lds_config *c, const struct lds_access *a, uint32_t lanes)
{
    uint32_t sent = c->shape.sends_whole_rows ? c->shape.wave_lanes : lanes;

    return most_of(path_cycles(sent, 4 * a->in_dwords, c->shape.inbound_bytes_per_cycle),
                   path_cycles(sent, 1, c->shape.lanes_per_cycle));
}

static uint32_t out_cycles(const struct lds_config *c, const struct lds_access *a, uint32_t lanes)
{
    uint32_t width = (a->bytes - 1) / 4;
    uint32_t bytes = width == LDS_B96 ? c->shape.result_b96_bytes : (width + 1) * 4; /* bytes and shorts take a dword */

    return path_cycles(lanes, (a->offset2 ? 2 : 1) * bytes, c->shape.outbound_bytes_per_cycle);
}

uint32_t lds_path_cycles(const struct lds_config *c, const struct lds_access *a, uint32_t lanes)
{
    return a->reads ? out_cycles(c, a, lanes) : in_cycles(c, a, lanes);
}

struct lds_cost lds_cost(const struct lds_config *c, const struct lds_access *a)
{
    uint32_t width = (a->bytes - 1) / 4;
    uint32_t lanes = mem_lane_count(a->exec);
    const struct lds_phases *p;
    struct lds_cost cost = {0};

    assert(a->bytes >= 1 && a->bytes <= 16 && (a->reads || a->writes));
    if (!a->exec)
        return cost;
    p = a->writes ? &c->store[width] : &c->read[width];
    if (!a->crossbar)
        add_banks(c, &cost, p, a, a->offset);
    if (a->offset2 && !a->crossbar && !same_but_moved(a, c->shape.wave_lanes)) {
        add_banks(c, &cost, p, a, a->offset2);
    } else if (a->offset2 && !a->crossbar) {
        cost.bank_cycles *= 2;
        cost.conflict_cycles *= 2;
        cost.addr_conflict_cycles *= 2;
    }
    cost.in_cycles = in_cycles(c, a, lanes);
    if (a->reads)
        cost.out_cycles = out_cycles(c, a, lanes);
    cost.cycles = most_of(most_of(cost.in_cycles, cost.out_cycles), cost.bank_cycles);
    return cost;
}

#include "mem/lds.h"

#include <assert.h>

#define L(a, b) (((UINT64_C(2) << ((b) - (a))) - 1) << (a)) /* lanes a..b, fewer than 64 of them */

/* Reads of 16 bytes on 32 banks: quarters of the wave out of step with each other. */
static const uint64_t read_b128_32banks[8] = {
    L(0, 3) | L(20, 23),  L(32, 35) | L(52, 55), L(4, 7) | L(16, 19),   L(36, 39) | L(48, 51),
    L(8, 11) | L(28, 31), L(40, 43) | L(60, 63), L(12, 15) | L(24, 27), L(44, 47) | L(56, 59),
};

static const uint64_t read_b128_gfx950[4] = {
    L(0, 3) | L(12, 15) | L(20, 27),
    L(4, 11) | L(16, 19) | L(28, 31),
    L(32, 35) | L(44, 47) | L(52, 59),
    L(36, 43) | L(48, 51) | L(60, 63),
};

/* `count` groups of neighbouring lanes. */
static struct lds_phases consecutive(uint32_t banks, uint32_t wave_lanes, uint32_t count)
{
    struct lds_phases p = {.banks = banks, .count = count};
    uint32_t n = wave_lanes / count;

    for (uint32_t i = 0; i < count; i++)
        p.lanes[i] = lane_mask(n) << (i * n);
    return p;
}

static struct lds_phases listed(uint32_t banks, const uint64_t *lanes, uint32_t count)
{
    struct lds_phases p = {.banks = banks, .count = count};

    memcpy(p.lanes, lanes, count * sizeof *lanes);
    return p;
}

static void init_rdna(struct lds_config *c, unsigned wave_lanes)
{
    uint32_t halves = wave_lanes / 32;

    c->inbound_bytes_per_cycle = c->outbound_bytes_per_cycle = 128;
    c->outbound_b96_bytes = 12;
    c->read[LDS_B32] = consecutive(32, wave_lanes, halves);
    c->read[LDS_B64] = consecutive(32, wave_lanes, 2 * halves);
    c->read[LDS_B96] = c->read[LDS_B128] = consecutive(32, wave_lanes, 4 * halves);
    memcpy(c->write, c->read, sizeof c->write);
}

void lds_config_init(struct lds_config *c, enum mem_gen gen, unsigned wave_lanes)
{
    assert(wave_lanes == 32 || wave_lanes == 64);
    memset(c, 0, sizeof *c);
    if (gen >= MEM_GEN_GFX10) {
        init_rdna(c, wave_lanes);
        return;
    }
    assert(wave_lanes == 64);
    c->inbound_bytes_per_cycle = c->outbound_bytes_per_cycle = 64;
    c->outbound_b96_bytes = 16;
    c->read[LDS_B32] = c->write[LDS_B32] = consecutive(32, 64, 2);
    c->read[LDS_B64] = c->write[LDS_B64] = consecutive(32, 64, 4);
    c->read[LDS_B96] = c->read[LDS_B128] = listed(32, read_b128_32banks, 8);
    c->write[LDS_B96] = c->write[LDS_B128] = consecutive(32, 64, 8);
    if (gen == MEM_GEN_GFX950) {
        c->outbound_bytes_per_cycle = 128;
        c->read[LDS_B32] = consecutive(64, 64, 1);
        c->read[LDS_B64] = consecutive(64, 64, 2);
        c->read[LDS_B128] = listed(64, read_b128_gfx950, 4);
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

/* Passes for neighbouring lanes whose first dwords are `stride` apart and who want `n` dwords each; 0: not known. */
static uint32_t regular_passes(uint32_t lanes, uint32_t stride, uint32_t n, uint32_t banks)
{
    if (!stride)
        return 1;
    if (n == 1) {
        /* banks that the stride reaches: the banks are a power of two, so what counts is the stride's lowest bit */
        uint32_t step = stride & -stride, reached = step < banks ? banks / step : 1;

        return (lanes + reached - 1) / reached;
    }
    return stride == n && lanes * n <= banks ? 1 : 0;
}

/* The same for offsets as they are, when they are regular. */
static uint32_t try_regular(uint64_t lanes, const uint32_t *offset, uint32_t bytes, uint32_t banks)
{
    unsigned first = (unsigned)__builtin_ctzll(lanes), n = (unsigned)__builtin_popcountll(lanes);
    uint32_t stride, diff = 0, at;

    if (lanes >> first != lane_mask(n) || offset[first] % 4 || bytes % 4)
        return 0;
    if (n == 1)
        return bytes / 4 <= banks;
    at = offset[first];
    stride = offset[first + 1] - at;
    if (stride % 4)
        return 0;
    for (unsigned k = 0; k < n; k++)
        diff |= offset[first + k] ^ (at + k * stride);
    /* downwards, or around the end of the numbers: the slow way */
    if (diff || stride > UINT32_MAX / 128)
        return 0;
    return regular_passes(n, stride / 4, bytes / 4, banks);
}

/* One pass for lanes of one dword each; the lanes left over. */
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

static void add_banks(struct lds_cost *cost, const struct lds_phases *p, uint64_t exec, const uint32_t *offset,
                      uint32_t bytes)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t n = phase_passes(exec & p->lanes[i], offset, bytes, p->banks);
        cost->bank_cycles += n ? n : 1;
        cost->conflict_cycles += n ? n - 1 : 0;
    }
}

static uint32_t path_cycles(uint32_t lanes, uint32_t bytes_per_lane, uint32_t bytes_per_cycle)
{
    return (lanes * bytes_per_lane + bytes_per_cycle - 1) / bytes_per_cycle;
}

struct lds_cost lds_cost(const struct lds_config *c, const struct lds_access *a)
{
    uint32_t width = (a->bytes - 1) / 4;
    uint32_t padded = (width + 1) * 4; /* bytes and shorts travel as dwords */
    uint32_t out_bytes = width == LDS_B96 ? c->outbound_b96_bytes : padded;
    uint32_t places = a->offset2 ? 2 : 1;
    uint32_t lanes = (uint32_t)__builtin_popcountll(a->exec);
    const struct lds_phases *p;
    struct lds_cost cost = {0};
    uint32_t in, out;

    assert(a->bytes >= 1 && a->bytes <= 16 && (a->reads || a->writes));
    if (!a->exec)
        return cost;
    p = a->writes ? &c->write[width] : &c->read[width];
    add_banks(&cost, p, a->exec, a->offset, a->bytes);
    if (a->offset2)
        add_banks(&cost, p, a->exec, a->offset2, a->bytes);
    in = path_cycles(lanes, 4 + (a->writes ? places * padded * (a->operands ? a->operands : 1) : 0),
                     c->inbound_bytes_per_cycle);
    out = a->reads ? path_cycles(lanes, places * out_bytes, c->outbound_bytes_per_cycle) : 0;
    cost.cycles = cost.bank_cycles;
    cost.cycles = cost.cycles < in ? in : cost.cycles;
    cost.cycles = cost.cycles < out ? out : cost.cycles;
    return cost;
}

/* LDS: banks, phases and paths, against the documented table and against a count made another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/lds/lds.h"

static uint64_t seed;

static uint32_t rnd(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 33) % n;
}

/* The three kinds of LDS that profiles describe. */
enum chip { GCN, GFX950, RDNA, CHIPS };

static struct lds_shape shape_of(enum chip chip, uint32_t wave_lanes)
{
    struct lds_shape s = {.wave_lanes = wave_lanes,
                          .banks = 32,
                          .store_banks = 32,
                          .read_phase_lanes = {32, 16, 8, 8},
                          .store_phase_lanes = {32, 16, 8, 8},
                          .interleaved_wide_reads = chip != RDNA,
                          .sends_whole_rows = chip == RDNA,
                          .inbound_bytes_per_cycle = chip == RDNA ? 128 : 64,
                          .outbound_bytes_per_cycle = chip == GCN ? 64 : 128,
                          .lanes_per_cycle = chip == RDNA ? 32 : 16,
                          .result_b96_bytes = chip == RDNA ? 12 : 16};

    if (chip == GFX950) {
        s.banks = 64;
        s.read_phase_lanes[LDS_B32] = 64;
        s.read_phase_lanes[LDS_B64] = 32;
        s.read_phase_lanes[LDS_B128] = 16;
    }
    return s;
}

static void init(struct lds_config *c, enum chip chip, uint32_t wave_lanes)
{
    struct lds_shape s = shape_of(chip, wave_lanes);

    lds_config_init(c, &s);
}

static struct lds_cost cost(enum chip chip, unsigned lanes, uint64_t exec, uint32_t bytes, uint32_t stride, bool write,
                            bool two)
{
    struct lds_config c;
    uint32_t o[64], o2[64];

    init(&c, chip, lanes);
    for (unsigned i = 0; i < 64; i++) {
        o[i] = i * stride;
        o2[i] = 64 * stride + i * stride;
    }
    return lds_cost(&c, &(struct lds_access){.exec = exec & lane_mask(lanes),
                                             .offset = o,
                                             .offset2 = two ? o2 : NULL,
                                             .bytes = bytes,
                                             .reads = !write,
                                             .writes = write,
                                             .in_dwords = 1 + (write ? (two ? 2 : 1) * ((bytes + 3) / 4) : 0)});
}

static void lds_conflict_free_table(void **state)
{
    static const struct {
        uint32_t bytes;
        bool write, two;
        uint32_t cycles;
    } t[] = {
        {4, true, false, 8},  {8, true, false, 12}, {12, true, false, 16},  {16, true, false, 20},
        {4, false, false, 4}, {8, false, false, 8}, {12, false, false, 16}, {16, false, false, 16},
        {4, false, true, 8},  {8, false, true, 16}, {4, true, true, 12},    {8, true, true, 20},
        {1, true, false, 8},  {2, false, false, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        uint32_t stride = t[i].bytes < 4 ? 4 : t[i].bytes;
        /* lanes 0-3 and 20-23 read together: 12 bytes apart they would meet in the banks */
        if (stride == 12 && !t[i].write)
            stride = 16;
        struct lds_cost c = cost(GCN, 64, UINT64_MAX, t[i].bytes, stride, t[i].write, t[i].two);
        assert_int_equal(c.cycles, t[i].cycles);
        assert_int_equal(c.conflict_cycles, 0);
    }
}

static void lds_atomics(void **state)
{
    struct lds_config c;
    uint32_t o[64];

    (void)state;
    init(&c, GCN, 64);
    for (unsigned i = 0; i < 64; i++)
        o[i] = 8 * i;
    struct lds_access a = {
        .exec = UINT64_MAX, .offset = o, .bytes = 8, .reads = true, .writes = true, .atomic = true, .in_dwords = 3};
    assert_int_equal(lds_cost(&c, &a).cycles, 12);
    a.in_dwords = 5; /* compare-and-swap */
    assert_int_equal(lds_cost(&c, &a).cycles, 20);
    for (unsigned i = 0; i < 64; i++)
        o[i] = 4 * i;
    a.bytes = 4;
    a.in_dwords = 3;
    assert_int_equal(lds_cost(&c, &a).cycles, 12);
    a.in_dwords = 2;
    assert_int_equal(lds_cost(&c, &a).cycles, 8);
}

static void lds_same_bank_costs_one_each(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 32; n++) {
        struct lds_cost c = cost(GCN, 64, lane_mask(n), 4, 128, false, false);
        assert_int_equal(c.cycles, 1 + n);
        assert_int_equal(c.conflict_cycles, n - 1);
    }
    struct lds_cost c = cost(GCN, 64, UINT64_MAX, 4, 128, false, false);
    assert_int_equal(c.bank_cycles, 64);
    assert_int_equal(c.conflict_cycles, 62);
    /* the same dword is one broadcast; no lane at all is no cost */
    c = cost(GCN, 64, UINT64_MAX, 4, 0, false, false);
    assert_int_equal(c.bank_cycles, 2);
    assert_int_equal(c.conflict_cycles, 0);
    assert_int_equal(cost(GCN, 64, 0, 4, 4, false, false).cycles, 0);
    /* stride 2 dwords: two dwords a bank */
    c = cost(GCN, 64, UINT64_MAX, 4, 8, false, false);
    assert_int_equal(c.conflict_cycles, 2);
}

static void lds_phases_decide(void **state)
{
    struct lds_config c;
    uint32_t o[64] = {0};
    struct lds_access a = {.offset = o, .bytes = 16, .reads = true};

    (void)state;
    init(&c, GCN, 64);
    /* lanes 0 and 20 share a read phase, lanes 0 and 4 do not; for writes it is the other way round */
    o[20] = o[4] = 128;
    a.exec = 1 | 1u << 20;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    a.exec = 1 | 1u << 4;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 0);
    a.reads = false;
    a.writes = true;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    a.exec = 1 | 1u << 20;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 0);
    /* gfx950 reads over 64 banks: 128 bytes apart no longer meet, 256 do */
    init(&c, GFX950, 64);
    a = (struct lds_access){.exec = 3, .offset = o, .bytes = 4, .reads = true};
    o[1] = 128;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 0);
    o[1] = 256;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    a.reads = false;
    a.writes = true;
    o[1] = 128;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    /* every lane belongs to exactly one phase of every width, in every generation */
    for (int g = 0; g < CHIPS; g++)
        for (unsigned lanes = g == RDNA ? 32 : 64; lanes <= 64; lanes *= 2)
            for (int w = 0; w < 2 * LDS_WIDTHS; w++) {
                init(&c, (enum chip)g, lanes);
                const struct lds_phases *p = w < LDS_WIDTHS ? &c.read[w] : &c.store[w - LDS_WIDTHS];
                uint64_t all = 0;
                for (uint32_t i = 0; i < p->count; i++) {
                    assert_int_equal(all & p->lanes[i], 0);
                    all |= p->lanes[i];
                }
                assert_int_equal(all, lane_mask(lanes));
            }
}

static void lds_takes_first_fit_in_lane_order(void **state)
{
    struct lds_config c;
    uint32_t o[64] = {0};
    struct lds_access a = {.exec = 7, .offset = o, .bytes = 8, .reads = true};

    (void)state;
    init(&c, GCN, 64);
    /* dwords 0,1 | 33,34 | 66,67 (banks 0,1 | 1,2 | 2,3): lane 1 clashes with lane 0, lane 2 goes with lane 0 */
    o[1] = 33 * 4;
    o[2] = 66 * 4;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    /* in the order 1, 0, 2 of the same three, both others clash with the first and then go together */
    o[0] = 33 * 4;
    o[1] = 0;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    /* all three on banks 1,2 of unlike dwords: three passes */
    o[0] = 1 * 4;
    o[1] = 33 * 4;
    o[2] = 65 * 4;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 2);
}

static void lds_rdna(void **state)
{
    (void)state;
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 4, 4, false, false).cycles, 1);
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 4, 4, true, false).cycles, 2);
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 8, 8, true, false).cycles, 3);
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 12, 12, true, false).cycles, 4);
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 16, 16, true, false).cycles, 5);
    assert_int_equal(cost(RDNA, 32, UINT64_MAX, 4, 128, false, false).conflict_cycles, 31);
}

/* Lanes of an atomic on one dword go one by one; those on different banks go together. */
static void lds_atomics_on_one_address(void **state)
{
    struct lds_config c;
    uint32_t o[64];
    struct lds_access a = {.offset = o, .bytes = 4, .writes = true, .atomic = true, .in_dwords = 2};
    struct lds_cost r;

    (void)state;
    init(&c, GCN, 64);
    for (unsigned i = 0; i < 64; i++)
        o[i] = 0x40;
    for (unsigned n = 1; n <= 32; n++) {
        a.exec = lane_mask(n);
        r = lds_cost(&c, &a);
        assert_int_equal(r.conflict_cycles, 0);
        assert_int_equal(r.addr_conflict_cycles, n - 1);
        assert_int_equal(r.bank_cycles, n + 1);
    }
    /* 16 counters of two lanes each in every half of the wave */
    a.exec = UINT64_MAX;
    for (unsigned i = 0; i < 64; i++)
        o[i] = 4 * (i % 16);
    r = lds_cost(&c, &a);
    assert_int_equal(r.addr_conflict_cycles, 2);
    assert_int_equal(r.conflict_cycles, 0);
    /* a store of the same lanes has no conflict */
    a.atomic = false;
    assert_int_equal(lds_cost(&c, &a).bank_cycles, 2);
    /* bank and address conflicts side by side: dwords 0, 0, 32, 32 */
    a.atomic = true;
    a.exec = 15;
    o[0] = o[1] = 0;
    o[2] = o[3] = 128;
    r = lds_cost(&c, &a);
    assert_int_equal(r.conflict_cycles, 1);
    assert_int_equal(r.addr_conflict_cycles, 2);
    assert_int_equal(r.bank_cycles, 5);
}

/* ds_bpermute and ds_permute send address and data, ds_swizzle data; the banks are not asked. */
static void lds_crossbar(void **state)
{
    struct lds_config c;
    uint32_t o[64] = {0};
    struct lds_access a = {
        .exec = UINT64_MAX, .offset = o, .bytes = 4, .reads = true, .crossbar = true, .in_dwords = 2};

    (void)state;
    init(&c, GCN, 64);
    assert_int_equal(lds_cost(&c, &a).cycles, 8);
    assert_int_equal(lds_cost(&c, &a).bank_cycles, 0);
    a.in_dwords = 1;
    assert_int_equal(lds_cost(&c, &a).cycles, 4);
    init(&c, RDNA, 32);
    a.exec = UINT32_MAX;
    a.in_dwords = 2;
    assert_int_equal(lds_cost(&c, &a).cycles, 2);
}

/* Transfer slots of thread traces: a row of 32 dwords each, whoever is active. */
/* Three registers come back as 12 bytes a lane on RDNA, as 16 on GCN and CDNA. */
static void lds_three_registers_back(void **state)
{
    struct lds_config c;
    uint32_t o[64];
    struct lds_access a = {.exec = lane_mask(32), .offset = o, .bytes = 12, .reads = true, .in_dwords = 1};

    (void)state;
    for (uint32_t lane = 0; lane < 64; lane++)
        o[lane] = 12 * lane;
    init(&c, RDNA, 32);
    assert_int_equal(lds_cost(&c, &a).out_cycles, 3);
    a.exec = UINT64_MAX;
    init(&c, GCN, 64);
    assert_int_equal(lds_cost(&c, &a).out_cycles, 16);
}

static void lds_rdna_transfer_slots(void **state)
{
    struct lds_config c;
    uint32_t o[64] = {0};
    struct lds_access a = {.exec = 1, .offset = o, .bytes = 16, .writes = true, .in_dwords = 5};

    (void)state;
    init(&c, RDNA, 32);
    for (uint32_t n = 0; n <= 5; n++) {
        a.in_dwords = n;
        assert_int_equal(lds_cost(&c, &a).in_cycles, n ? n : 1);
    }
    init(&c, RDNA, 64);
    assert_int_equal(lds_cost(&c, &a).in_cycles, 10);
    /* GCN and CDNA send active lanes only */
    init(&c, GCN, 64);
    a.exec = lane_mask(16);
    assert_int_equal(lds_cost(&c, &a).in_cycles, 5);
    a.exec = 1;
    assert_int_equal(lds_cost(&c, &a).in_cycles, 1);
}

/* Each figure of the shape moves a cycle count. */
static void lds_figures_act(void **state)
{
    struct lds_shape s = shape_of(GCN, 64);
    struct lds_config c;
    uint32_t o[64] = {0, 128};
    struct lds_access a = {.exec = 3, .offset = o, .bytes = 4, .reads = true, .in_dwords = 1};
    struct lds_access w = {.exec = 3, .offset = o, .bytes = 4, .writes = true, .in_dwords = 2};

    (void)state;
    init(&c, GCN, 64);
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    assert_int_equal(lds_cost(&c, &w).conflict_cycles, 1);
    s.banks = 64;
    lds_config_init(&c, &s);
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 0);
    assert_int_equal(lds_cost(&c, &w).conflict_cycles, 1);
    s.store_banks = 64;
    lds_config_init(&c, &s);
    assert_int_equal(lds_cost(&c, &w).conflict_cycles, 0);
    o[1] = 256;
    assert_int_equal(lds_cost(&c, &a).conflict_cycles, 1);
    assert_int_equal(lds_cost(&c, &w).conflict_cycles, 1);
    a.exec = w.exec = UINT64_MAX;
    for (unsigned i = 0; i < 64; i++)
        o[i] = 4 * i;
    assert_int_equal(lds_cost(&c, &a).cycles, 4);
    assert_int_equal(lds_cost(&c, &w).cycles, 8);
    s.outbound_bytes_per_cycle = 32;
    lds_config_init(&c, &s);
    assert_int_equal(lds_cost(&c, &a).cycles, 8);
    assert_int_equal(lds_cost(&c, &w).cycles, 8);
    s.inbound_bytes_per_cycle = 32;
    lds_config_init(&c, &s);
    assert_int_equal(lds_cost(&c, &w).cycles, 16);
    s.inbound_bytes_per_cycle = s.outbound_bytes_per_cycle = 64;
    s.lanes_per_cycle = 4;
    lds_config_init(&c, &s);
    assert_int_equal(lds_cost(&c, &a).cycles, 16);
}

/* The lanes of one phase, by width, for reads and for stores: a phase costs at least one cycle, so the bank cycles of
 * an access without conflicts are the phases of the wave. */
static void lds_phase_lanes_act(void **state)
{
    uint32_t o[64];

    (void)state;
    for (uint32_t lane = 0; lane < 64; lane++)
        o[lane] = 0; /* one broadcast for every phase */
    for (unsigned width = 0; width < LDS_WIDTHS; width++)
        for (uint32_t lanes = LDS_MIN_PHASE_LANES; lanes <= 64; lanes *= 2)
            for (unsigned write = 0; write < 2; write++) {
                struct lds_shape s = shape_of(RDNA, 64);
                struct lds_config c;
                struct lds_access a = {.exec = UINT64_MAX,
                                       .offset = o,
                                       .bytes = 4 * (width + 1),
                                       .reads = !write,
                                       .writes = write,
                                       .in_dwords = 1};

                (write ? s.store_phase_lanes : s.read_phase_lanes)[width] = lanes;
                lds_config_init(&c, &s);
                assert_int_equal(lds_cost(&c, &a).bank_cycles, 64 / lanes);
                s.wave_lanes = 32;
                a.exec = UINT32_MAX;
                lds_config_init(&c, &s);
                assert_int_equal(lds_cost(&c, &a).bank_cycles, lanes < 32 ? 32 / lanes : 1);
            }
}

/* The interleaved lanes of wide reads, as the two published tables have them. */
static void lds_interleaved_tables(void **state)
{
#define L(a, b) (((UINT64_C(2) << ((b) - (a))) - 1) << (a)) /* lanes a..b */
    /* kernel optimization guide (shark-ai): reads of 16 bytes on 32 banks; the same for 12 bytes (HipKittens) */
    static const uint64_t of_8[8] = {
        L(0, 3) | L(20, 23),   L(4, 7) | L(16, 19),   L(8, 11) | L(28, 31),  L(12, 15) | L(24, 27),
        L(32, 35) | L(52, 55), L(36, 39) | L(48, 51), L(40, 43) | L(60, 63), L(44, 47) | L(56, 59),
    };
    /* HipKittens, gfx950: reads of 16 bytes on 64 banks */
    static const uint64_t of_16[4] = {
        L(0, 3) | L(12, 15) | L(20, 27),
        L(4, 11) | L(16, 19) | L(28, 31),
        L(32, 35) | L(44, 47) | L(52, 59),
        L(36, 43) | L(48, 51) | L(60, 63),
    };
#undef L
    struct lds_config c;

    (void)state;
    init(&c, GCN, 64);
    assert_int_equal(c.read[LDS_B128].count, 8);
    assert_memory_equal(c.read[LDS_B128].lanes, of_8, sizeof of_8);
    assert_memory_equal(c.read[LDS_B96].lanes, of_8, sizeof of_8);
    assert_int_equal(c.read[LDS_B96].banks, 32);
    init(&c, GFX950, 64);
    assert_int_equal(c.read[LDS_B128].count, 4);
    assert_int_equal(c.read[LDS_B128].banks, 64);
    assert_memory_equal(c.read[LDS_B128].lanes, of_16, sizeof of_16);
    assert_memory_equal(c.read[LDS_B96].lanes, of_8, sizeof of_8);
    assert_int_equal(c.read[LDS_B96].banks, 32);
    assert_int_equal(c.store[LDS_B64].banks, 32);
}

/* ---- against a model made of bytes and bitmaps ---- */

/* One pass of a phase: who of `left` may go, in the order of lanes, as the manual says it: a lane goes when none of its
 * bytes lies in a bank that has been given to another dword (or, for atomics, to anybody). */
static uint64_t naive_pass(const uint32_t *offset, uint32_t bytes, uint32_t banks, uint64_t left, bool share)
{
    int64_t serves[64];
    uint64_t served = 0;

    for (unsigned b = 0; b < 64; b++)
        serves[b] = -1;
    for (unsigned lane = 0; lane < 64; lane++) {
        bool may = left >> lane & 1;
        for (uint32_t k = 0; may && k < bytes; k++) {
            int64_t dword = (offset[lane] + k) / 4, now = serves[dword % banks];
            may = now < 0 || (share && now == dword);
        }
        for (uint32_t k = 0; may && k < bytes; k++)
            serves[(offset[lane] + k) / 4 % banks] = (offset[lane] + k) / 4;
        served |= (uint64_t)may << lane;
    }
    return served;
}

static uint32_t naive_passes(const uint32_t *offset, uint32_t bytes, uint32_t banks, uint64_t lanes, bool share)
{
    uint32_t n = 0;

    for (; lanes; n++)
        lanes &= ~naive_pass(offset, bytes, banks, lanes, share);
    return n;
}

/* Which lanes go together, by the sets as they were published and not by the tables of the module. */
static unsigned naive_phase(enum chip chip, unsigned lanes, bool write, uint32_t bytes, unsigned lane)
{
    static const uint8_t quad_of_read[16] = {0, 2, 4, 6, 2, 0, 6, 4, 1, 3, 5, 7, 3, 1, 7, 5};
    unsigned width = (bytes + 3) / 4;

    if (chip == RDNA)
        return lane / (width == 1 ? 32 : width == 2 ? 16 : 8);
    (void)lanes;
    if (width <= 2)
        return lane / (width == 1 ? 32 : 16);
    return write ? lane / 8 : quad_of_read[lane / 4];
}

static void random_offsets(uint32_t *o, uint32_t bytes)
{
    uint32_t shape = rnd(6), base = rnd(64), align = bytes < 4 ? bytes : 4, stride = align * (1 + rnd(40));

    for (unsigned i = 0; i < 64; i++) {
        o[i] = shape == 0   ? base + i * stride
               : shape == 1 ? base * align
               : shape == 2 ? rnd(64) * align
               : shape == 3 ? rnd(16384) * align
               : shape == 4 ? (i % (1 + base)) * stride
                            : rnd(65000); /* misaligned */
    }
}

static void lds_random(void **state)
{
    static const enum chip chips[] = {GCN, RDNA};
    static const uint32_t sizes[] = {1, 2, 4, 8, 12, 16};

    (void)state;
    seed = 11;
    for (int round = 0; round < 6000; round++) {
        enum chip chip = chips[rnd(2)];
        unsigned lanes = chip == RDNA && rnd(2) ? 32 : 64;
        uint32_t o[64], bytes = sizes[rnd(6)];
        bool write = rnd(2), atomic = write && bytes >= 4 && bytes <= 8 && rnd(2);
        uint64_t exec = rnd(3) ? UINT64_MAX : (uint64_t)rnd(UINT32_MAX) << 32 ^ (uint64_t)rnd(UINT32_MAX) << 8;
        struct lds_config c;
        uint32_t want = 0, conflicts = 0, addr = 0;

        exec &= lane_mask(lanes);
        if (!exec)
            continue;
        random_offsets(o, bytes);
        for (unsigned p = 0; p < 8; p++) {
            uint64_t members = 0;
            for (unsigned l = 0; l < lanes; l++)
                members |= (uint64_t)(naive_phase(chip, lanes, write, bytes, l) == p) << l;
            if (!members)
                continue;
            uint32_t shared = naive_passes(o, bytes, 32, exec & members, true);
            uint32_t alone = atomic ? naive_passes(o, bytes, 32, exec & members, false) : shared;
            alone = alone > shared ? alone : shared;
            want += alone ? alone : 1;
            conflicts += shared ? shared - 1 : 0;
            addr += alone - shared;
        }
        init(&c, chip, lanes);
        struct lds_cost r = lds_cost(&c, &(struct lds_access){.exec = exec,
                                                              .offset = o,
                                                              .bytes = bytes,
                                                              .reads = !write,
                                                              .writes = write,
                                                              .atomic = atomic,
                                                              .in_dwords = 1});
        assert_int_equal(r.bank_cycles, want);
        assert_int_equal(r.conflict_cycles, conflicts);
        assert_int_equal(r.addr_conflict_cycles, addr);
    }
}

/* An access of two addresses costs the banks what its halves cost, also where one half is the other moved. */
static void lds_two_addresses(void **state)
{
    (void)state;
    seed = 5;
    for (int round = 0; round < 4000; round++) {
        enum chip chip = (enum chip)rnd(CHIPS);
        unsigned lanes = chip == RDNA && rnd(2) ? 32 : 64, kind = rnd(4);
        uint32_t first[64], second[64], by = 4 * rnd(16000) + (kind == 3), bytes = rnd(2) ? 4 : 8;
        struct lds_access a = {.exec = lane_mask(lanes), .bytes = bytes, .reads = true, .in_dwords = 1};
        struct lds_config c;

        random_offsets(first, bytes);
        random_offsets(second, bytes);
        for (unsigned l = 0; l < 64 && kind; l++) /* moved, in all lanes or in all but one, or by no whole dwords */
            second[l] = first[l] + by + (kind == 2 && l == 17 ? 4 : 0);
        if (!rnd(4))
            a.exec &= ~(UINT64_C(1) << rnd(lanes));
        init(&c, chip, lanes);
        a.offset = second;
        struct lds_cost two = lds_cost(&c, &a);
        a.offset = first;
        struct lds_cost one = lds_cost(&c, &a);
        a.offset2 = second;
        struct lds_cost both = lds_cost(&c, &a);
        assert_int_equal(both.bank_cycles, one.bank_cycles + two.bank_cycles);
        assert_int_equal(both.conflict_cycles, one.conflict_cycles + two.conflict_cycles);
        assert_int_equal(both.addr_conflict_cycles, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lds_conflict_free_table),
        cmocka_unit_test(lds_atomics),
        cmocka_unit_test(lds_same_bank_costs_one_each),
        cmocka_unit_test(lds_phases_decide),
        cmocka_unit_test(lds_takes_first_fit_in_lane_order),
        cmocka_unit_test(lds_rdna),
        cmocka_unit_test(lds_atomics_on_one_address),
        cmocka_unit_test(lds_crossbar),
        cmocka_unit_test(lds_rdna_transfer_slots),
        cmocka_unit_test(lds_three_registers_back),
        cmocka_unit_test(lds_figures_act),
        cmocka_unit_test(lds_phase_lanes_act),
        cmocka_unit_test(lds_interleaved_tables),
        cmocka_unit_test(lds_random),
        cmocka_unit_test(lds_two_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

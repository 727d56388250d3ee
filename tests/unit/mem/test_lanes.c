/* Coalescing and LDS banks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/coalesce.h"
#include "mem/lds.h"

static uint64_t seed;

static uint32_t rnd(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 33) % n;
}

static void coalesce_unit_stride(void **state)
{
    gaddr_t a[64];
    struct coalesced c;

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        a[i] = 0x1000 + 4 * i;
    coalesce(a, UINT64_MAX, 4, 64, 16, &c);
    assert_int_equal(c.lines, 4);
    assert_int_equal(c.address_cycles, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(c.line[i].addr, 0x1000 + 64 * i);
        assert_int_equal(c.line[i].bytes, 64);
    }
    coalesce(a, UINT64_MAX, 4, 128, 16, &c);
    assert_int_equal(c.lines, 2);
    /* a middle run that begins and ends inside lines */
    coalesce(a, lane_mask(20) << 10, 4, 64, 16, &c);
    assert_int_equal(c.lines, 2);
    assert_int_equal(c.line[0].addr, 0x1000 + 40);
    assert_int_equal(c.line[0].bytes, 24);
    assert_int_equal(c.line[1].addr, 0x1040);
    assert_int_equal(c.line[1].bytes, 56);
    assert_int_equal(c.address_cycles, 2);
    coalesce(a, 0, 4, 64, 16, &c);
    assert_int_equal(c.lines, 0);
    assert_int_equal(c.address_cycles, 0);
}

static void coalesce_uniform_and_straddle(void **state)
{
    gaddr_t a[64];
    struct coalesced c;

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        a[i] = 0x2038;
    coalesce(a, UINT64_MAX, 8, 64, 16, &c);
    assert_int_equal(c.lines, 1);
    assert_int_equal(c.line[0].addr, 0x2038);
    assert_int_equal(c.line[0].bytes, 8);
    coalesce(a, 1, 16, 64, 16, &c);
    assert_int_equal(c.lines, 2);
    assert_int_equal(c.line[0].bytes, 8);
    assert_int_equal(c.line[1].addr, 0x2040);
    assert_int_equal(c.line[1].bytes, 8);
    /* the same through the general path */
    a[1] = 0x2040;
    coalesce(a, 5, 16, 64, 16, &c);
    assert_int_equal(c.lines, 2);
    assert_int_equal(c.line[1].addr, 0x2040);
}

static void coalesce_order_and_scatter(void **state)
{
    gaddr_t a[64];
    struct coalesced c;

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        a[i] = 0x100000 - 256 * i;
    coalesce(a, UINT64_MAX, 4, 128, 16, &c);
    assert_int_equal(c.lines, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(c.line[i].addr, a[i]);
    for (unsigned i = 0; i < 64; i++)
        a[i] = 0x3000 + (i & 1 ? 8 : 0) + 512 * (i % 4);
    coalesce(a, UINT64_MAX, 4, 64, 16, &c);
    assert_int_equal(c.lines, 4);
    assert_int_equal(c.line[1].addr, 0x3208);
    assert_int_equal(c.line[1].bytes, 4);
    /* addresses at the very top neither wrap nor hang */
    for (unsigned i = 0; i < 64; i++)
        a[i] = UINT64_MAX - i;
    coalesce(a, UINT64_MAX, 16, 64, 16, &c);
    assert_in_range(c.lines, 1, 3);
}

/* Against a count of single bytes; dwords, so that the granule is no excuse. */
static void coalesce_random(void **state)
{
    static uint8_t touched[8192];
    gaddr_t a[64];
    struct coalesced c;

    (void)state;
    seed = 7;
    for (int round = 0; round < 2000; round++) {
        uint32_t bytes = 4 * (1 + rnd(4)), line = 64u << rnd(2), shape = rnd(3);
        uint64_t exec = rnd(2) ? UINT64_MAX : ((uint64_t)rnd(1u << 30) << 34 | rnd(1u << 30));
        memset(touched, 0, sizeof touched);
        uint32_t start = 4 * rnd(256);
        for (unsigned i = 0; i < 64; i++) {
            a[i] = shape == 0 ? start + i * bytes : shape == 1 ? start : 4 * rnd(1024);
            if (exec >> i & 1)
                memset(touched + a[i], 1, bytes);
        }
        coalesce(a, exec, bytes, line, 16, &c);
        uint32_t total = 0, want = 0, lines = 0;
        for (uint32_t i = 0; i < c.lines; i++) {
            total += c.line[i].bytes;
            assert_true(c.line[i].addr % line + c.line[i].bytes <= line);
            assert_int_equal(touched[c.line[i].addr], 1);
        }
        for (uint32_t l = 0; l < sizeof touched; l += line) {
            uint32_t n = 0;
            for (uint32_t i = 0; i < line; i++)
                n += touched[l + i];
            want += n;
            lines += n > 0;
        }
        assert_int_equal(c.lines, lines);
        assert_int_equal(total, want);
    }
}

static struct lds_cost cost(enum mem_gen gen, unsigned lanes, uint64_t exec, uint32_t bytes, uint32_t stride,
                            bool write, bool two)
{
    struct lds_config c;
    uint32_t o[64], o2[64];

    lds_config_init(&c, gen, lanes);
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
                                             .operands = 1});
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
        struct lds_cost c = cost(MEM_GEN_GFX90A, 64, UINT64_MAX, t[i].bytes, stride, t[i].write, t[i].two);
        assert_int_equal(c.cycles, t[i].cycles);
        assert_int_equal(c.conflict_cycles, 0);
    }
}

static void lds_atomics(void **state)
{
    struct lds_config c;
    uint32_t o[64];

    (void)state;
    lds_config_init(&c, MEM_GEN_GFX9, 64);
    for (unsigned i = 0; i < 64; i++)
        o[i] = 8 * i;
    struct lds_access a = {.exec = UINT64_MAX, .offset = o, .bytes = 8, .reads = true, .writes = true, .operands = 1};
    assert_int_equal(lds_cost(&c, &a).cycles, 12);
    a.operands = 2;
    assert_int_equal(lds_cost(&c, &a).cycles, 20);
    for (unsigned i = 0; i < 64; i++)
        o[i] = 4 * i;
    a.bytes = 4;
    assert_int_equal(lds_cost(&c, &a).cycles, 12);
    a.operands = 1;
    assert_int_equal(lds_cost(&c, &a).cycles, 8);
}

static void lds_same_bank_costs_one_each(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 32; n++) {
        struct lds_cost c = cost(MEM_GEN_GFX90A, 64, lane_mask(n), 4, 128, false, false);
        assert_int_equal(c.cycles, 1 + n);
        assert_int_equal(c.conflict_cycles, n - 1);
    }
    struct lds_cost c = cost(MEM_GEN_GFX90A, 64, UINT64_MAX, 4, 128, false, false);
    assert_int_equal(c.bank_cycles, 64);
    assert_int_equal(c.conflict_cycles, 62);
    /* the same dword is one broadcast; no lane at all is no cost */
    c = cost(MEM_GEN_GFX90A, 64, UINT64_MAX, 4, 0, false, false);
    assert_int_equal(c.bank_cycles, 2);
    assert_int_equal(c.conflict_cycles, 0);
    assert_int_equal(cost(MEM_GEN_GFX90A, 64, 0, 4, 4, false, false).cycles, 0);
    /* stride 2 dwords: two dwords a bank */
    c = cost(MEM_GEN_GFX90A, 64, UINT64_MAX, 4, 8, false, false);
    assert_int_equal(c.conflict_cycles, 2);
}

static void lds_phases_decide(void **state)
{
    struct lds_config c;
    uint32_t o[64] = {0};
    struct lds_access a = {.offset = o, .bytes = 16, .reads = true};

    (void)state;
    lds_config_init(&c, MEM_GEN_GFX942, 64);
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
    lds_config_init(&c, MEM_GEN_GFX950, 64);
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
    for (int g = 0; g < MEM_GEN_COUNT; g++)
        for (unsigned lanes = g >= MEM_GEN_GFX10 ? 32 : 64; lanes <= 64; lanes *= 2)
            for (int w = 0; w < 2 * LDS_WIDTHS; w++) {
                lds_config_init(&c, (enum mem_gen)g, lanes);
                const struct lds_phases *p = w < LDS_WIDTHS ? &c.read[w] : &c.write[w - LDS_WIDTHS];
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
    lds_config_init(&c, MEM_GEN_GFX9, 64);
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
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 4, 4, false, false).cycles, 1);
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 4, 4, true, false).cycles, 2);
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 8, 8, true, false).cycles, 3);
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 12, 12, true, false).cycles, 4);
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 16, 16, true, false).cycles, 5);
    assert_int_equal(cost(MEM_GEN_GFX12, 32, UINT64_MAX, 4, 128, false, false).conflict_cycles, 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coalesce_unit_stride),
        cmocka_unit_test(coalesce_uniform_and_straddle),
        cmocka_unit_test(coalesce_order_and_scatter),
        cmocka_unit_test(coalesce_random),
        cmocka_unit_test(lds_conflict_free_table),
        cmocka_unit_test(lds_atomics),
        cmocka_unit_test(lds_same_bank_costs_one_each),
        cmocka_unit_test(lds_phases_decide),
        cmocka_unit_test(lds_takes_first_fit_in_lane_order),
        cmocka_unit_test(lds_rdna),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Coalescing and LDS banks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/cache/policy.h"
#include "mem/coalesce.h"

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
        uint32_t bytes = 4 * (1 + rnd(4)), line = 64u << rnd(2), shape = rnd(4);
        uint32_t run = 2 + rnd(31), step = rnd(2) ? bytes : 0; /* shape 3: rows of lanes */
        uint64_t exec = rnd(2) ? UINT64_MAX : ((uint64_t)rnd(1u << 30) << 34 | rnd(1u << 30));
        memset(touched, 0, sizeof touched);
        uint32_t start = 4 * rnd(256);
        for (unsigned i = 0; i < 64; i++) {
            a[i] = shape == 0 ? start + i * bytes : shape == 1 ? start : 4 * rnd(1024);
            if (shape == 3 && i % run)
                a[i] = a[i - 1] + step;
            if (exec >> i & 1)
                memset(touched + a[i], 1, bytes);
        }
        coalesce(a, exec, bytes, line, 16, &c);
        uint32_t total = 0, want = 0, lines = 0, seen = 0;
        /* lines come as lanes first touch them */
        for (unsigned i = 0; i < 64; i++)
            for (gaddr_t l = a[i] / line; exec >> i & 1 && l <= (a[i] + bytes - 1) / line; l++) {
                uint32_t k = 0;
                while (k < seen && c.line[k].addr / line != l)
                    k++;
                if (k < seen)
                    continue;
                assert_int_equal(c.line[k].addr / line, l);
                seen++;
            }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coalesce_unit_stride),
        cmocka_unit_test(coalesce_uniform_and_straddle),
        cmocka_unit_test(coalesce_order_and_scatter),
        cmocka_unit_test(coalesce_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

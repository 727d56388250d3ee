/* Forms of C that clang 19 compiles wrongly for some target (form_NAME), and the same as the other kernels write them
 * (fenced_NAME); tests/system/test_miscompiled.c says which compiler gets them wrong, and where.
 */
#include "tests/fuzz/kernel_ops.h"
#include "tests/system/kernels/diff/host.h"

#define LEADING_ONES ((u64)(i64)(i16)IU(1))

KERNEL(form_dividend)
{
    BEGIN;
    PUT64(LEADING_ONES / (1 + (IU(2) & 255)));
    PUT64(~0ull % (1 + (IU(3) & 63)));
}

KERNEL(fenced_dividend)
{
    BEGIN;
    PUT64(div_u64(LEADING_ONES, 1 + (IU(2) & 255)));
    PUT64(rem_u64(~0ull, 1 + (IU(3) & 63)));
}

/* The negation is out of sight of the passes that would make a comparison of the division. */
KERNEL(form_divisor)
{
    BEGIN;
    u32 small = IU(1) & 0xffff;
    u64 b = small ? ~(u64)IU(2) : 3;
    PUT64((IU64(3) >> 40) / b);
    PUT64((u64)(IU(3) >> 1) / b);
}

KERNEL(fenced_divisor)
{
    BEGIN;
    u32 small = IU(1) & 0xffff;
    u64 b = small ? ~(u64)IU(2) : 3;
    PUT64(div_u64(IU64(3) >> 40, b));
    PUT64(div_u64(IU(3) >> 1, b));
}

/* Ones at the top of the 32 bits that are left of it. */
KERNEL(form_narrowed)
{
    BEGIN;
    PUT64(0xfffffff1ll % (i64)(1 + (IU(1) & 255)));
    PUT64(0xfffffff1ull / (1 + (IU(2) & 255)));
}

KERNEL(fenced_narrowed)
{
    BEGIN;
    PUT64(rem_i64(0xfffffff1ll, 1 + (IU(1) & 255)));
    PUT64(div_u64(0xfffffff1ull, 1 + (IU(2) & 255)));
}

KERNEL(form_narrow_dividend)
{
    BEGIN;
    PUT((u32)LEADING_ONES / (1 + (IU(2) & 255)));
    PUT((u32)LEADING_ONES % (1 + (IU(2) & 255)));
}

KERNEL(fenced_narrow_dividend)
{
    BEGIN;
    PUT(div_u32((u32)LEADING_ONES, 1 + (IU(2) & 255)));
    PUT(rem_u32((u32)LEADING_ONES, 1 + (IU(2) & 255)));
}

KERNEL(form_zero_minus)
{
    BEGIN;
    PUTF((0.0f - (f32)(IU(1) >> 29)) / IF(2));
    PUTD((0.0 - (f64)(IU(1) >> 29)) * 3.0);
}

KERNEL(fenced_zero_minus)
{
    BEGIN;
    PUTF(div_f32(sub_f32(0.0f, (f32)(IU(1) >> 29)), IF(2)));
    PUTD(mul_f64(sub_f64(0.0, (f64)(IU(1) >> 29)), 3.0));
}

KERNEL(form_saturation)
{
    BEGIN;
    PUT(__builtin_elementwise_add_sat(IU(1), 123456789u));
    PUT(__builtin_elementwise_sub_sat(IU(2), 123456789u));
}

KERNEL(fenced_saturation)
{
    BEGIN;
    PUT(add_u32(min_u32(IU(1), ~123456789u), 123456789u));
    PUT(sub_u32(max_u32(IU(2), 123456789u), 123456789u));
}

KERNEL(form_bytes)
{
    BEGIN;
    u32 a = IU(0) & 0xff, b = IU(1) & 0xff;
    PUT(a > b ? a - b : b - a);
}

KERNEL(fenced_bytes)
{
    BEGIN;
    u32 a = IU(0) & 0x1ff, b = IU(1) & 0x1ff;
    PUT(a > b ? a - b : b - a);
}

/* A flat instruction finds private memory by its base alone. */
NOINLINE u32 from_one_on(const u32 *p, i64 back)
{
    return p[1 - back] * 3;
}

KERNEL(form_aperture)
{
    BEGIN;
    u32 v[4];
    for (u32 i = 0; i < 4; i++)
        v[i] = IU(i);
    PUT(from_one_on(v, (i64)(IU(0) & 1)));
    PUT(from_one_on(v, -(i64)(IU(1) & 1)));
}

KERNEL(fenced_aperture)
{
    BEGIN;
    u32 v[5];
    for (u32 i = 0; i < 4; i++)
        v[i + 1] = IU(i);
    PUT(from_one_on(v + 1, (i64)(IU(0) & 1)));
    PUT(from_one_on(v + 1, -(i64)(IU(1) & 1)));
}

KERNEL(form_ones)
{
    BEGIN;
    PUT64(IU64(3) * IU64(2) + (~(u64)IU(1) | IU64(5)));
}

KERNEL(fenced_ones)
{
    BEGIN;
    PUT64(mad_u64(IU64(3), IU64(2), or_u64(not_u64(IU(1)), IU64(5))));
}

/* The loop's last sum is taken out of it, where the counter in an SGPR is that of the lanes that stayed longest. */
KERNEL(form_latched)
{
    BEGIN;
    u32 n = IU(1) & 7, x = IU(2);
    for (u32 k = 0; k < n; k++) {
        x = (IU(3) | x) & max_u32(IU(4), k + k);
        x = k - (x << (x & 31)) / 2;
    }
    PUT(x);
}

KERNEL(fenced_latched)
{
    BEGIN;
    u32 n = IU(1) & 7, x = IU(2);
    for (u32 k = latch_u32(0); k < n; k++) {
        x = (IU(3) | x) & max_u32(IU(4), k + k);
        x = k - (x << (x & 31)) / 2;
    }
    PUT(x);
}

/* Loops, branches, divergence, calls. Part of diff.c. */

KERNEL(loop_counts)
{
    BEGIN;
    u32 n = IU(0) % 50, a = 0, b = 0, i = 0;
    for (u32 k = 0; k < n; k++)
        a += k * k ^ gid;
    do {
        b = b * 3 + i;
    } while (++i < n / 2);
    PUT(a);
    PUT(b);
    while (a > 10)
        a = a % 3 ? a / 2 : a / 3 - 1;
    PUT(a);
}

KERNEL(loop_collatz)
{
    BEGIN;
    u32 steps = 0;
    u64 x = (IU(0) & 0xfff) + 1;
    while (x != 1 && steps < 300) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    PUT(steps);
    PUT64(x);
}

KERNEL(loop_nested)
{
    BEGIN;
    u32 r = 0, n = IU(0) & 7, m = IU(1) & 7;
    for (u32 i = 0; i < n; i++) {
        for (u32 j = 0; j < m; j++) {
            if (((i ^ j) & 3) == (gid & 3))
                continue;
            if (i * j > 20)
                break;
            for (u32 k = j; k < i + 2; k++)
                r = r * 31 + k + (r >> 7);
        }
        if (r & 0x10000)
            break;
    }
    PUT(r);
}

KERNEL(branch_switch)
{
    BEGIN;
    u32 a = IU(1), r = 7;
    for (u32 round = 0; round < 4; round++) {
        switch ((IU(0) >> 4 * round) & 15) {
        case 0:
            r += a;
            break;
        case 1:
            r -= a;
            break;
        case 2:
            r *= a;
        /* fall through */
        case 3:
            r ^= a >> 3;
            break;
        case 4:
            r = r << 5 | r >> 27;
            break;
        case 5:
            r = __builtin_popcount(r);
            break;
        case 9:
            r |= 0x100;
            break;
        case 11:
            if (r & 1)
                r = ~r;
            break;
        case 12:
            round++;
            break;
        case 13:
            r += 3;
            continue;
        default:
            r = r * 5 + round;
        }
        a = a * 1103515245 + 12345;
    }
    PUT(r);
    PUT(a);
}

KERNEL(branch_early_exit)
{
    BEGIN;
    u32 a = IU(0);
    PUT(1);
    if (gid % 3 == 0)
        return;
    PUT(a);
    for (u32 i = 0; i < 32; i++) {
        if (a >> i & 1) {
            PUT(i);
            if (i > 4)
                return;
            break;
        }
    }
    PUT(a ^ 0x55);
}

KERNEL(branch_nested)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), r = 0;
    if (a & 1) {
        if (b & 1) {
            r = a & 2 ? a + b : a - b;
            if (b & 4)
                r ^= 0xff;
            else if (a & 8)
                r += 77;
        } else {
            r = 3;
            if (a & 16)
                goto out;
            r = b;
        }
    } else if (b & 2) {
        for (u32 i = 0; i < (a & 6); i++) {
            if (b >> i & 1)
                r += i;
            else
                r *= 3;
        }
    } else {
        r = a * b;
    }
    r += gid;
out:
    PUT(r);
    PUT((a & 1 && b & 1) || (a & 2 && !(b & 2)));
}

KERNEL(branch_uniform)
{
    BEGIN;
    u32 n = in[IN_U32 + 9] & 31, r = 0;
    for (u32 i = 0; i < n + 4; i++) {
        u32 w = in[IN_U32 + i];
        if (w & 1)
            r += w;
        else if (w & 2)
            r ^= w + gid;
        else
            r = r * 3;
        if (r == 0x12345)
            break;
    }
    PUT(r);
    PUT(n);
}

NOINLINE u32 leaf(u32 a, u32 b)
{
    return a * 17 + (b ^ a >> 3);
}
NOINLINE u32 middle(u32 a, u32 b, u32 c)
{
    u32 r = leaf(a, b);
    if (r & 1)
        r += leaf(c, a) * 3;
    return r ^ leaf(b, c);
}
NOINLINE u32 top(u32 a, u32 n)
{
    u32 r = a;
    for (u32 i = 0; i < n; i++)
        r = middle(r, i, a) + leaf(i, r);
    return r;
}

KERNEL(call_tree)
{
    BEGIN;
    PUT(top(IU(0), IU(1) & 3));
    if (IU(2) & 1)
        PUT(middle(IU(2), gid, 5));
    else
        PUT(leaf(IU(3), gid));
}

struct pair {
    u32 a;
    f32 b;
    u64 c;
};
struct wide {
    u32 w[12];
    u8 tail;
};
NOINLINE struct pair swap_pair(struct pair p, u32 by)
{
    struct pair r = {(u32)p.c, (f32)(p.a & 0xffff) * 0.5f, ((u64)p.a << 32) + by};
    return r;
}
NOINLINE struct wide turn(struct wide v, u32 by)
{
    struct wide r;
    for (u32 i = 0; i < 12; i++)
        r.w[i] = v.w[(i + by) % 12] + i;
    r.tail = (u8)(v.tail * 3);
    return r;
}

KERNEL(call_structs)
{
    BEGIN;
    struct pair p = {IU(0), 1.0f, IU64(1)};
    p = swap_pair(p, gid);
    PUT(p.a);
    PUTF(p.b);
    PUT64(p.c);
    struct wide v;
    for (u32 i = 0; i < 12; i++)
        v.w[i] = IU(2) >> i;
    v.tail = (u8)IU(3);
    v = turn(turn(v, gid % 5), 3);
    for (u32 i = 0; i < 12; i++)
        PUT(v.w[i]);
    PUT(v.tail);
}

NOINLINE u64 many(u32 a, u64 b, u8 c, i16 d, f32 e, f64 f, u32 g, u32 h, u32 i, u32 j, u64 k, u64 l, u64 m, u32 n,
                  u32 o, u64 p, u64 q, u64 r, u64 s, u32 t, u32 u, u8 v)
{
    return a + b * c + (u64)d + (u64)(u32)(i32)e + (u64)(i64)f + (g ^ h) + (i | j) + k * 3 + l * 5 + m * 7 + n +
           o * 11ull + p * 13 + q * 17 + r * 19 + s * 23 + t + (u64)u * v;
}

KERNEL(call_many_arguments)
{
    BEGIN;
    u32 a = IU(0);
    PUT64(many(a, IU64(1), (u8)a, (i16)a, (f32)(a & 0xffff), (f64)(a >> 8), 1, 2, a, 4, 5, IU64(2), 7, 8, 9, IU64(3),
               11, 12, IU64(4), 14, a ^ 15, (u8)(a >> 8)));
}

NOINLINE u32 op_add(u32 a, u32 b)
{
    return a + b;
}
NOINLINE u32 op_mul(u32 a, u32 b)
{
    return a * b + 1;
}
NOINLINE u32 op_call(u32 a, u32 b)
{
    return leaf(a, b) - 5;
}
NOINLINE u32 op_loop(u32 a, u32 b)
{
    for (u32 i = 0; i < (b & 7); i++)
        a ^= a << 1 ^ i;
    return a;
}
typedef u32 binary_op(u32, u32);

KERNEL(call_pointers)
{
    BEGIN;
    binary_op *f = IU(0) & 1 ? op_add : op_mul, *g = IU(0) & 2 ? op_call : op_loop;
    PUT(f(IU(1), IU(2)));
    PUT(g(IU(1), IU(2)));
    PUT((IU(0) & 4 ? f : g)(gid, 9));
}

static binary_op *const op_table[4] = {op_add, op_mul, op_call, op_loop};

KERNEL(call_table)
{
    BEGIN;
    u32 r = IU(1);
    for (u32 i = 0; i < 3; i++)
        r = op_table[(IU(0) >> 2 * i) & 3](r, gid + i);
    PUT(r);
    PUT(op_table[in[IN_U32 + 2] & 3](IU(2), 3));
}

struct big_args {
    u32 w[40];
    u64 d[10];
    f32 f[5];
    u8 b[7];
    u16 h[3];
};

KERNEL_WITH(args_large, struct big_args k, u8 c, i16 s, f64 d)
{
    BEGIN;
    PUT(k.w[gid % 40]);
    PUT(k.w[39]);
    PUT64(k.d[gid % 10]);
    PUT64(k.d[3] + k.d[9]);
    PUTF(k.f[gid % 5]);
    PUT(k.b[6] + k.b[gid % 7]);
    PUT(k.h[1] * k.h[gid % 3]);
    PUT(c);
    PUT(s);
    PUTD(d);
    k.w[gid % 40] += 5;
    PUT(k.w[7]);
}

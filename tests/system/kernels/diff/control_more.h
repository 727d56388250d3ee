/* Jumps, switches, recursion, variadic functions, stacks. Part of diff.c. */

KERNEL(goto_irreducible)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), n = 0;
    if (a & 1)
        goto second;
first:
    a = a * 3 + 1;
    n++;
    if (n > 20)
        goto out;
    if (a & 4)
        goto third;
second:
    b ^= a >> 3;
    n++;
    if (b & 2)
        goto first;
third:
    a += b;
    if (++n < 15 && (a & 8))
        goto second;
    if (n < 18)
        goto first;
out:
    PUT(a);
    PUT(b);
    PUT(n);
}

KERNEL(goto_states)
{
    BEGIN;
    u32 word = IU(0), n = 0, h = 0;
start:
    if (n == 32)
        goto done;
    if (word >> n++ & 1)
        goto one;
    h = h * 3 + 1;
    goto start;
one:
    if (n >= 32)
        goto done;
    if (word >> n++ & 1)
        goto two;
    h ^= n;
    goto start;
two:
    h += 0x101;
    if (n < 32 && (word >> n & 1)) {
        n++;
        goto two;
    }
    goto one;
done:
    PUT(h);
    PUT(n);
}

KERNEL(switch_dense)
{
    BEGIN;
    u32 r = 0;
    for (u32 i = 0; i < 6; i++) {
        u32 w = IU(i);
        switch (w & 31) {
            /* clang-format off */
#define CASE(n) case n: r = r * (2 * n + 3) + (w >> (n & 7)); break;
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
        CASE(14) CASE(15) CASE(16) CASE(17) CASE(18) CASE(19) CASE(20) CASE(25) CASE(26) CASE(27) CASE(31)
#undef CASE
                /* clang-format on */
                default : r ^= w;
        }
    }
    PUT(r);
}

KERNEL(switch_sparse)
{
    BEGIN;
    u32 r = 1;
    for (u32 i = 0; i < 8; i++) {
        u32 w = IU(i);
        switch (i & 1 ? w : w & 0xff0f) {
        case 0:
            r += 3;
            break;
        case 0xffffffff:
            r *= 7;
            break;
        case 0x80000000:
        case 0x7fffffff:
            r = ~r;
            break;
        case 0x1000 ... 0x7fff:
            r += w;
            break;
        case 31:
            r ^= 0x55;
            goto again;
        case 0x10000:
            r -= 9;
        /* fall through */
        case 2:
            r <<= 1;
        again:
            r += i;
            break;
        default:
            r = r * 31 + (w & 15);
        }
        switch ((i64)IS64(i)) {
        case -1ll:
            r += 1;
            break;
        case 0:
            r += 2;
            break;
        case 0x8000000000ll:
            r += 4;
            break;
        default:
            r += (u32)(IS64(i) >> 60);
        }
    }
    PUT(r);
}

KERNEL(loop_exits)
{
    BEGIN;
    u32 a = IU(0), r = 0, i, j = 0;
    for (i = 0; i < 40; i++) {
        r = r * 5 + (a >> (i & 31) & 3);
        if (r % 7 == 3)
            break;
        if (r % 11 == 5)
            goto found;
        for (j = i; j < i + 6; j++) {
            if ((a ^ j) % 13 == 0)
                goto found;
            if ((r + j) % 5 == 0)
                break;
            r += j;
            if (r & 0x800000)
                return;
        }
    }
    PUT(1);
    PUT(i);
found:
    PUT(r);
    PUT(i * 100 + j);
}

/* Loops that lanes leave at different iterations, one inside the other, with work after each. */
KERNEL(loop_divergent)
{
    BEGIN;
    u32 n = IU(0) & 7, total = 0, k = IU(1);
    do {
        u32 m = k & 3;
        while (m--) {
            total += k >> m;
            if (total & 0x40)
                continue;
            total ^= m;
        }
        k = k * 1664525 + 1013904223;
        if (k >> 31)
            total += 7;
        else if (total & 1)
            break;
    } while (n--);
    PUT(total);
    PUT(k);
    PUT(n);
    for (u32 i = gid; i < 40; i += 3) {
        u32 before = total;
        for (u32 x = total & 15; x; x >>= 1)
            total += x & 1 ? i : 1;
        if (before == total)
            break;
    }
    PUT(total);
}

KERNEL(loop_unrolled_copy)
{
    BEGIN;
    u32 count = IU(0) % 23, n = (count + 7) / 8, from[24], to[24] = {0}, k = 0;
    for (u32 i = 0; i < 24; i++)
        from[i] = IU(1) + i * i;
    if (count) {
        switch (count % 8) {
        case 0:
            do {
                to[k] = from[k];
                k++;
                /* clang-format off */
        case 7: to[k] = from[k] + 1; k++; /* fall through */
        case 6: to[k] = from[k] + 2; k++; /* fall through */
        case 5: to[k] = from[k] + 3; k++; /* fall through */
        case 4: to[k] = from[k] + 4; k++; /* fall through */
        case 3: to[k] = from[k] + 5; k++; /* fall through */
        case 2: to[k] = from[k] + 6; k++; /* fall through */
        case 1: to[k] = from[k] + 7; k++;
                /* clang-format on */
            } while (--n > 0);
        }
    }
    u32 h = 0;
    for (u32 i = 0; i < 24; i++)
        h = h * 31 + to[i];
    PUT(h);
    PUT(k);
}

KERNEL(branch_conditions)
{
    BEGIN;
    u32 a = IU(0), b = IU(1), c = IU(2), r = 0, calls = 0;
#define SEEN(v) (calls++, (v))
    if (SEEN(a & 1) && (SEEN(b & 1) || SEEN(c & 1)) && !SEEN(a & 2))
        r |= 1;
    if ((SEEN(a > b) || SEEN(b > c)) && (SEEN(a & 4) || !SEEN(c & 4)))
        r |= 2;
    if (!(SEEN((i32)a < 0) && SEEN((i32)b < 0)) || SEEN(c == 0))
        r |= 4;
    r |= (SEEN(a & 8) ? SEEN(b & 8) : SEEN(c & 8)) ? 8 : 0;
    PUT(r);
    PUT(calls);
    PUT(a ? b ? c ? 1 : 2 : 3 : 4);
#undef SEEN
}

NOINLINE u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
NOINLINE u32 ackermann(u32 m, u32 n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

KERNEL(recursion_plain)
{
    BEGIN;
    PUT(fibonacci(gid % 9));
    PUT(ackermann(gid & 1, gid % 5));
}

struct tree {
    u32 left, right, value;
};
NOINLINE u32 odd_sum(const struct tree *t, u32 at, u32 depth);
NOINLINE u32 even_sum(const struct tree *t, u32 at, u32 depth)
{
    u32 own[3] = {t[at].value, depth, at};
    if (!t[at].left && !t[at].right)
        return own[depth % 3];
    return own[0] + (t[at].left ? odd_sum(t, t[at].left, depth + 1) * 3 : 1) +
           (t[at].right ? odd_sum(t, t[at].right, depth + 1) : own[1]);
}
NOINLINE u32 odd_sum(const struct tree *t, u32 at, u32 depth)
{
    u32 below = t[at].left ? even_sum(t, t[at].left, depth + 1) : 5;
    return (below ^ t[at].value) + (t[at].right ? even_sum(t, t[at].right, depth + 1) : 0);
}

KERNEL(recursion_tree)
{
    BEGIN;
    struct tree t[12];
    for (u32 i = 0; i < 12; i++) {
        t[i].value = IU(0) >> i ^ i;
        t[i].left = 2 * i + 1 < 12 && (IU(1) >> i & 3) ? 2 * i + 1 : 0;
        t[i].right = 2 * i + 2 < 12 && (IU(2) >> i & 1) ? 2 * i + 2 : 0;
    }
    PUT(even_sum(t, 0, 0));
    PUT(odd_sum(t, 1, gid & 3));
}

NOINLINE void quick_sort(i32 *v, i32 lo, i32 hi)
{
    while (lo < hi) {
        i32 pivot = v[(lo + hi) / 2], i = lo, j = hi;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                i32 t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        quick_sort(v, lo, j);
        lo = i;
    }
}

KERNEL(recursion_sort)
{
    BEGIN;
    /* a fence (miscompiled.c, "aperture"): clang reads before v and adds 4 */
    i32 room[16], *v = room + 2;
    for (u32 i = 0; i < 14; i++)
        v[i] = (i32)(IU(0) * (i + 1) ^ IU(1) >> i);
    quick_sort(v, 0, 13);
    for (u32 i = 0; i < 14; i++)
        PUT(v[i]);
}

NOINLINE u32 variadic_sum(u32 n, ...)
{
    __builtin_va_list v;
    u32 s = n;
    __builtin_va_start(v, n);
    for (u32 i = 0; i < n; i++)
        s = s * 3 + __builtin_va_arg(v, u32);
    __builtin_va_end(v);
    return s;
}

KERNEL(call_variadic)
{
    BEGIN;
    PUT(variadic_sum(0));
    PUT(variadic_sum(1, IU(0)));
    PUT(variadic_sum(5, IU(0), gid, IU(1), 7, IU(2)));
    PUT(variadic_sum(gid & 3, IU(3), IU(4), IU(5)));
}

struct trio {
    u32 a, b, c;
};
NOINLINE f64 variadic_mixed(const char *format, ...)
{
    __builtin_va_list v, again;
    f64 s = 0;
    __builtin_va_start(v, format);
    __builtin_va_copy(again, v);
    for (const char *p = format; *p; p++)
        switch (*p) {
        case 'i':
            s = s * 0.5 + __builtin_va_arg(v, i32);
            break;
        case 'l':
            s += (f64)(__builtin_va_arg(v, i64) >> 40);
            break;
        case 'd':
            s -= __builtin_va_arg(v, f64);
            break;
        case 't': {
            struct trio t = __builtin_va_arg(v, struct trio);
            s += (f64)(t.a + t.b) - (f64)t.c;
            break;
        }
        case 'p':
            s += *__builtin_va_arg(v, const u32 *);
        }
    __builtin_va_end(v);
    if (*format == 'i')
        s += __builtin_va_arg(again, i32);
    __builtin_va_end(again);
    return s;
}

KERNEL(call_variadic_mixed)
{
    BEGIN;
    u32 own = IU(2);
    struct trio t = {IU(0) >> 8, gid, IU(1) >> 8};
    PUTD(variadic_mixed("ild", IS(0), IS64(1), 2.5));
    PUTD(variadic_mixed("tip", t, IS(3), &own));
    PUTD(variadic_mixed(gid & 1 ? "ii" : "i", 5, 6));
    PUTD(variadic_mixed("dtdl", 0.25, t, (f64)(f32)IU(4), IS64(5)));
}

struct shape;
struct shape_class {
    u32 (*area)(const struct shape *);
    f32 (*scale)(const struct shape *, f32);
};
struct shape {
    const struct shape_class *class;
    u32 w, h;
};
NOINLINE u32 box_area(const struct shape *s)
{
    return s->w * s->h;
}
NOINLINE u32 half_area(const struct shape *s)
{
    return box_area(s) / 2 + 1;
}
NOINLINE f32 box_scale(const struct shape *s, f32 by)
{
    return (f32)s->w * by;
}
NOINLINE f32 half_scale(const struct shape *s, f32 by)
{
    return (f32)s->h / by;
}
static const struct shape_class box_class = {box_area, box_scale}, half_class = {half_area, half_scale};

KERNEL(call_methods)
{
    BEGIN;
    struct shape s[3] = {{&box_class, IU(0) & 0xfff, 3}, {&half_class, 9, IU(1) & 0xfff}, {&box_class, gid, gid}};
    u32 sum = 0;
    f32 scaled = 1;
    for (u32 i = 0; i < 4; i++) {
        const struct shape *p = &s[(IU(2) >> 2 * i & 3) % 3];
        sum = sum * 7 + p->class->area(p);
        scaled += p->class->scale(p, 2.5f);
    }
    PUT(sum);
    PUTF(scaled);
}

struct huge {
    u64 q[20];
    f32 f[9];
    u16 h[5];
};
NOINLINE struct huge make_huge(u32 seed)
{
    struct huge r;
    for (u32 i = 0; i < 20; i++)
        r.q[i] = (u64)seed * (i + 1) << i;
    for (u32 i = 0; i < 9; i++)
        r.f[i] = (f32)(seed & 0xff) * 0.5f + (f32)i;
    for (u32 i = 0; i < 5; i++)
        r.h[i] = (u16)(seed >> i);
    return r;
}
NOINLINE u64 fold_huge(struct huge a, struct huge b, u32 k)
{
    a.q[k % 20] ^= b.q[(k + 3) % 20];
    u64 s = 0;
    for (u32 i = 0; i < 20; i++)
        s = s * 3 + a.q[i];
    return s + a.h[k % 5] * b.h[(k + 1) % 5] + (u64)(a.f[k % 9] + b.f[2]);
}

KERNEL(call_huge_structs)
{
    BEGIN;
    struct huge a = make_huge(IU(0)), b = make_huge(gid);
    PUT64(fold_huge(a, b, gid));
    PUT64(fold_huge(b, a, IU(1)));
    PUT64(a.q[7]);
}

NOINLINE u32 each_of(const u32 *v, u32 n, u32 (*fn)(u32, void *), void *context)
{
    u32 s = 0;
    for (u32 i = 0; i < n; i++)
        s = s * 5 + fn(v[i], context);
    return s;
}
NOINLINE u32 count_odd(u32 v, void *context)
{
    *(u32 *)context += v & 1;
    return v >> 1;
}
NOINLINE u32 keep_largest(u32 v, void *context)
{
    u64 *most = context;
    *most = v > *most ? v : *most;
    return v + 1;
}

KERNEL(call_context)
{
    BEGIN;
    u32 v[6], odd = 0;
    u64 most = 0;
    for (u32 i = 0; i < 6; i++)
        v[i] = IU(i);
    PUT(each_of(v, 6, count_odd, &odd));
    PUT(odd);
    PUT(each_of(v, gid % 6, gid & 1 ? keep_largest : count_odd, &most));
    PUT64(most);
}

/* Both where the function begins: elsewhere clang 19 forgets that stack pointers count for a whole wave. */
NOINLINE u32 from_stack(u32 n, u32 seed)
{
    u32 *w = __builtin_alloca(64), s = 0;
    u8 *b = __builtin_alloca_with_align(40, 256);
    if (n & 1) {
        for (u32 i = 0; i < 16; i++)
            w[i] = seed * i;
        for (u32 i = 0; i < n; i++)
            s += w[(i * 7 + seed) % 16];
    } else {
        for (u32 i = 0; i < 40; i++)
            b[i] = (u8)(seed >> (i & 7));
        s = b[n % 40] * 256u + b[seed % 40];
    }
    return s + (u32)((u64)(unsigned long)b & 31);
}

KERNEL(call_alloca)
{
    BEGIN;
    PUT(from_stack(in[IN_U32 + 10] & 15, IU(0)));
    PUT(from_stack(IU(1) & 15, gid));
    u32 *p = __builtin_alloca(128);
    for (u32 i = 0; i < 32; i++)
        p[i] = IU(2) ^ i;
    PUT(p[gid & 31] + p[31 - (gid & 31)]);
}

/* More values alive than there are registers to keep across calls. */
KERNEL(call_pressure)
{
    BEGIN;
    u32 v[40];
#pragma unroll
    for (u32 i = 0; i < 40; i++)
        v[i] = in[IN_U32 + (gid * 3 + i * 17) % 1024];
    u32 s = 0;
    for (u32 round = 0; round < 3; round++) {
#pragma unroll
        for (u32 i = 0; i < 40; i++)
            v[i] = v[i] * 3 + (v[(i + 13) % 40] ^ round);
        s += leaf(v[round], v[39 - round]);
    }
#pragma unroll
    for (u32 i = 0; i < 40; i++)
        s = s * 7 + v[i];
    PUT(s);
}

KERNEL(register_pressure)
{
    BEGIN;
    u64 v[48];
#pragma unroll
    for (u32 i = 0; i < 48; i++)
        v[i] = (u64)in[IN_U32 + (gid + i * 5) % 1024] << 16 | i;
    for (u32 round = 0; round < 4; round++) {
#pragma unroll
        for (u32 i = 0; i < 48; i++)
            v[i] += v[(i * 7 + 11) % 48] * 5 ^ v[(i + 24) % 48] >> 9;
    }
    u64 s = 0;
#pragma unroll
    for (u32 i = 0; i < 48; i++)
        s = s * 3 + v[i];
    PUT64(s);
}

KERNEL_WITH(args_by_value, struct big_args k, u8 c, i16 s, f64 d)
{
    BEGIN;
    struct big_args other = k;
    u32 sum = 0;
    for (u32 i = 0; i < 7; i++)
        other.b[i] = (u8)(other.b[i] * c + i);
    for (u32 i = 0; i < 40; i++)
        sum = sum * 3 + other.w[i] * (i < gid % 40);
    other.d[gid % 10] += (u64)(i64)s;
    PUT(sum);
    for (u32 i = 0; i < 7; i++)
        PUT(other.b[i]);
    PUT64(other.d[3] ^ other.d[(gid + 1) % 10]);
    PUTF(other.f[2] * k.f[4]);
    PUTD(d * s + c);
    PUT((u32)other.h[0] << 16 | other.h[2]);
}

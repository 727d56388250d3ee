/* Memory: copies, structs, packed and narrow data, scratch structures, buffers. Part of diff.c. */

KERNEL(memory_copies)
{
    BEGIN;
    GLOBAL const u8 *from = (GLOBAL const u8 *)in + gid * 3;
    GLOBAL u8 *to = (GLOBAL u8 *)(out + gid * SLOTS);
    for (u32 i = 0; i < 19; i++)
        to[i + 1] = from[i];
    for (u32 i = 0; i < 9; i++)
        to[40 + i * 2] = (u8)(from[i] + from[i + 1]);
    GLOBAL u16 *half = (GLOBAL u16 *)(to + 64);
    for (u32 i = 0; i < 6; i++)
        half[5 - i] = (u16)(from[2 * i] << 8 | from[2 * i + 1]);
    GLOBAL u64 *wide = (GLOBAL u64 *)(to + 96);
    GLOBAL const u64 *source = (GLOBAL const u64 *)in;
    for (u32 i = 0; i < 5; i++)
        wide[i] = source[(gid + i * i) & 511];
}

struct particle {
    f32 x, y, z;
    u16 kind;
    u8 flags, age;
    f64 mass;
    u32 links[2];
};

KERNEL(memory_structs)
{
    BEGIN;
    GLOBAL const struct particle *p = (GLOBAL const struct particle *)in + gid % 100;
    struct particle a = p[0], b = p[1];
    PUT(a.kind * b.flags + a.age);
    PUT64(__builtin_bit_cast(u64, a.mass) ^ b.links[gid & 1]);
    PUT(__builtin_bit_cast(u32, a.z) + __builtin_bit_cast(u32, b.x));
    GLOBAL struct particle *o = (GLOBAL struct particle *)(out + gid * SLOTS + 8);
    o[0] = b;
    o[1].kind = a.kind;
    o[1].age = b.flags;
    o[1].links[1] = a.links[0];
    o[2] = a;
    o[2].flags ^= 0x5a;
    struct particle many[3] = {a, b, a};
    many[gid % 3].links[1] += 5;
    PUT(many[0].links[1] + many[1].links[1] * 3 + many[2].links[1] * 5);
}

/* Halves and bytes into the upper and lower half of a register. */
KERNEL(memory_half_words)
{
    BEGIN;
    GLOBAL const u16 *h = (GLOBAL const u16 *)in + gid;
    GLOBAL const i8 *b = (GLOBAL const i8 *)in + gid * 2;
    u16x2 a = {h[0], h[7]}, c = {h[100], h[3]};
    i16x2 s = {b[0], b[9]}, t = {(u8)b[3], b[4]};
    PUT(__builtin_bit_cast(u32, a + c));
    PUT(__builtin_bit_cast(u32, s * t));
    a[0] = h[11];
    c[1] = (u8)b[5];
    PUT(__builtin_bit_cast(u32, a - c));
    GLOBAL u16 *o = (GLOBAL u16 *)(out + gid * SLOTS + 8);
    GLOBAL u8 *q = (GLOBAL u8 *)(out + gid * SLOTS + 16);
    o[0] = a[1];
    o[1] = c[0];
    o[3] = (u16)(IU(0) >> 16);
    q[1] = (u8)(IU(1) >> 16);
    q[6] = (u8)(IU(1) >> 24);
    u16x2 l[4] = {a, c, a * c, a ^ c};
    PUT(__builtin_bit_cast(u32, l[gid & 3]));
    l[gid >> 2 & 3][1] = 77;
    PUT(__builtin_bit_cast(u32, l[1]) + __builtin_bit_cast(u32, l[2]));
}

KERNEL(memory_wide)
{
    BEGIN;
    typedef u32 u32x3 __attribute__((vector_size(16)));
    struct three {
        u32 a, b, c;
    };
    GLOBAL const struct three *p = (GLOBAL const struct three *)in + gid;
    struct three t = *p, u = p[7];
    t.b += u.c;
    *(GLOBAL struct three *)(out + gid * SLOTS + 1) = t;
    GLOBAL const u64 *q = (GLOBAL const u64 *)in + gid;
    *(GLOBAL u64 *)(out + gid * SLOTS + 4) = q[0] + q[1];
    u32x3 v = *(GLOBAL const u32x3 *)(in + 4 * gid);
    *(GLOBAL u32x3 *)(out + gid * SLOTS + 8) = v * 3 + 1;
    struct block {
        u32 w[16];
    } b = *(GLOBAL const struct block *)(in + gid * 16 % 4096);
    b.w[gid & 15] ^= 0xff;
    *(GLOBAL struct block *)(out + gid * SLOTS + 16) = b;
    *(GLOBAL struct block *)(out + gid * SLOTS + 32) = *(GLOBAL const struct block *)(in + (gid * 16 + 5) % 4096);
}

KERNEL(scratch_structs)
{
    BEGIN;
    struct item {
        u8 tag;
        u16 size;
        u32 value;
        u64 sum;
        f32 weight;
    } items[7];
    for (u32 i = 0; i < 7; i++)
        items[i] = (struct item){(u8)(IU(0) >> i), (u16)(IU(1) >> 2 * i), IU(2) + i, IU64(3) >> i, (f32)i * 0.5f};
    struct item t = items[gid % 7];
    items[gid % 7] = items[(gid + 3) % 7];
    items[(gid + 3) % 7] = t;
    items[IU(4) % 7].sum *= 3;
    for (u32 i = 0; i < 7; i++) {
        PUT((u32)items[i].tag << 16 | items[i].size);
        PUT(items[i].value);
        PUT64(items[i].sum);
        PUTF(items[i].weight);
    }
}

KERNEL(scratch_wide)
{
    BEGIN;
    u64 a[10];
    f64 d[6];
    u32x4_ v[4];
    for (u32 i = 0; i < 10; i++)
        a[i] = IU64(i);
    for (u32 i = 0; i < 6; i++)
        d[i] = (f64)(u32)a[i] * 0.25;
    for (u32 i = 0; i < 4; i++)
        v[i] = (u32x4_){(u32)a[i], (u32)(a[i] >> 32), i, gid};
    a[gid % 10] = a[(gid * 3) % 10] * 5;
    d[gid % 6] += d[(gid + 2) % 6];
    v[gid & 3] += v[gid >> 2 & 3];
    for (u32 i = 0; i < 10; i++)
        PUT64(a[i]);
    for (u32 i = 0; i < 6; i++)
        PUTD(d[i]);
    for (u32 i = 0; i < 4; i++)
        PUT(v[i][0] ^ v[i][1] ^ v[i][2] * 3 ^ v[i][gid & 3]);
}

KERNEL(scratch_matrix)
{
    BEGIN;
    i32 m[5][6], r[5][5];
    for (u32 i = 0; i < 5; i++)
        for (u32 j = 0; j < 6; j++)
            m[i][j] = (i32)(in[IN_U32 + (gid * 7 + i * 6 + j) % 1024] >> 20) - 2048;
    for (u32 i = 0; i < 5; i++)
        for (u32 j = 0; j < 5; j++) {
            i32 s = 0;
            for (u32 k = 0; k < 6; k++)
                s += m[i][k] * m[j][5 - k];
            r[i][j] = s;
        }
    for (u32 i = 0; i < 5; i++)
        for (u32 j = 0; j < 5; j++)
            PUT(r[j][i]);
    PUT(r[gid % 5][gid / 5 % 5]);
}

/* A small stack machine: code from the inputs, stack and variables in scratch. */
KERNEL(scratch_machine)
{
    BEGIN;
    u32 stack[16], vars[4] = {1, gid, IU(0), IU(1)}, top = 0, pc = 0, steps = 0;
    while (steps++ < 80) {
        u32 op = in[IN_U32 + (gid * 11 + pc) % 1024];
        pc++;
        switch (op % 9) {
        case 0:
            if (top < 16)
                stack[top++] = op >> 8;
            break;
        case 1:
            if (top < 16)
                stack[top++] = vars[op >> 5 & 3];
            break;
        case 2:
            if (top)
                vars[op >> 5 & 3] = stack[--top];
            break;
        case 3:
            if (top > 1)
                stack[top - 2] += stack[top - 1], top--;
            break;
        case 4:
            if (top > 1)
                stack[top - 2] *= stack[top - 1], top--;
            break;
        case 5:
            if (top)
                stack[top - 1] = ~stack[top - 1];
            break;
        case 6:
            if (top && stack[--top] & 1)
                pc += op >> 6 & 7;
            break;
        case 7:
            if (top > 1) {
                u32 t = stack[top - 1];
                stack[top - 1] = stack[top - 2];
                stack[top - 2] = t;
            }
            break;
        default:
            vars[3] ^= top << 8 | pc;
        }
    }
    for (u32 i = 0; i < 4; i++)
        PUT(vars[i]);
    PUT(top);
    for (u32 i = 0; i < top; i++)
        PUT(stack[i]);
}

KERNEL(scratch_heap)
{
    BEGIN;
    u16 h[20];
    u32 n = 0;
    for (u32 i = 0; i < 20; i++) {
        u16 v = (u16)(in[IN_U32 + (gid + i * 31) % 1024] >> 7);
        u32 k = n++;
        for (; k && h[(k - 1) / 2] > v; k = (k - 1) / 2)
            h[k] = h[(k - 1) / 2];
        h[k] = v;
    }
    while (n) {
        PUT(h[0]);
        u16 v = h[--n];
        u32 k = 0;
        for (u32 c; (c = 2 * k + 1) < n; k = c) {
            if (c + 1 < n && h[c + 1] < h[c])
                c++;
            if (h[c] >= v)
                break;
            h[k] = h[c];
        }
        h[k] = v;
    }
}

KERNEL(scratch_packed)
{
    BEGIN;
    struct ragged r[4];
    for (u32 i = 0; i < 4; i++) {
        r[i].a = (u8)(IU(0) >> i);
        r[i].b = IU(1) + i;
        r[i].c = (u16)(IU(2) >> i);
        r[i].d = IU64(3) + i;
        r[i].e = (f32)i;
        r[i].f[i % 3] = (u8)gid;
        r[i].f[(i + 1) % 3] = r[i].f[(i + 2) % 3] = 1;
    }
    struct ragged *p = &r[gid & 3];
    p->b ^= p->d >> 20;
    p->c += p->f[0];
    for (u32 i = 0; i < 4; i++) {
        PUT(r[i].a + r[i].b);
        PUT(r[i].c);
        PUT64(r[i].d);
        PUTF(r[i].e);
        PUT(r[i].f[0] | r[i].f[1] << 8 | r[i].f[2] << 16);
    }
    typedef u32 __attribute__((aligned(1))) u32_any;
    u8 bytes[16];
    for (u32 i = 0; i < 16; i++)
        bytes[i] = (u8)(i * 17 + gid);
    PUT(*(u32_any *)(bytes + gid % 13));
    *(u32_any *)(bytes + (gid * 5) % 13) = 0x11223344;
    PUT(bytes[gid & 15] | bytes[5] << 8 | bytes[11] << 16);
}

struct link {
    struct link *next;
    u32 value;
};

KERNEL(scratch_list)
{
    BEGIN;
    struct link nodes_[12], *head = 0;
    for (u32 i = 0; i < 12; i++) {
        nodes_[i].value = in[IN_U32 + (gid + i * 37) % 1024] >> 9;
        struct link **at = &head;
        while (*at && (*at)->value < nodes_[i].value)
            at = &(*at)->next;
        nodes_[i].next = *at;
        *at = &nodes_[i];
    }
    for (struct link *n = head; n; n = n->next)
        PUT(n->value);
    struct link *back = 0;
    while (head) {
        struct link *next = head->next;
        head->next = back;
        back = head;
        head = next;
    }
    u32 h = 0;
    for (struct link *n = back; n; n = n->next)
        h = h * 5 + n->value;
    PUT(h);
}

static const i16 steps_table[4][3] = {{1, -2, 3}, {-400, 500, 600}, {7, 32767, -32768}, {0, -1, 10}};
static const f32 float_table[6] = {0.5f, -1.25f, 3e10f, 1e-40f, 7, -0.0f};
static const f16 half_table[5] = {(f16)0.5f, (f16)-3, (f16)1000, (f16)0.1f, (f16)6e-8f};
static const u64 long_table[3] = {1, 0x123456789abcdef0, ~0ull};
static const char *const words[4] = {"alpha", "be", "gamma ray", ""};
static const struct {
    u8 kind;
    u16 size;
    const u32 *from;
    binary_op *fn;
} record_table[3] = {{1, 500, primes, op_add}, {2, 7, primes + 5, op_mul}, {200, 65535, primes + 10, op_call}};

KERNEL(table_types)
{
    BEGIN;
    PUT(steps_table[IU(0) & 3][gid % 3]);
    PUTF(float_table[IU(1) % 6] * 2.0f);
    PUTH(half_table[IU(2) % 5]);
    PUT64(long_table[IU(3) % 3]);
    PUT(words[gid & 3][0] + (u32)__builtin_strlen("four"));
    u32 n = 0;
    for (const char *p = words[IU(4) & 3]; *p; p++)
        n = n * 31 + (u8)*p;
    PUT(n);
    u32 k = IU(5) % 3;
    PUT(record_table[k].kind + record_table[k].size);
    PUT(record_table[k].from[gid & 3]);
    PUT(record_table[k].fn(gid, 5));
    static const u32 inner[3] = {7, 8, 9};
    PUT(inner[in[IN_U32 + 1] % 3] + inner[gid % 3]);
}

KERNEL(volatile_widths)
{
    BEGIN;
    volatile u8 a = (u8)IU(0);
    volatile u16 b = (u16)IU(1);
    volatile u64 c = IU64(2);
    volatile f32 d = tame(IF(0), 2.0f);
    volatile f64 e = tame_d(ID(0), 2.0);
    volatile f16 f = (f16)1.5f;
    volatile i8 v[5] = {1, -2, 3, -4, 5};
    a = (u8)(a + b);
    b = (u16)(b * a);
    c = c + b;
    d = d * 2 + a;
    e = e + d;
    f = f * (f16)3;
    v[gid % 5] = (i8)(v[(gid + 1) % 5] - 100);
    PUT(a);
    PUT(b);
    PUT64(c);
    PUTF(d);
    PUTD(e);
    PUTH(f);
    for (u32 i = 0; i < 5; i++)
        PUT(v[i]);
    GLOBAL volatile u8 *g = (GLOBAL volatile u8 *)(out + gid * SLOTS + 30);
    g[0] = 1;
    g[1] = (u8)(g[0] + 4);
    *(GLOBAL volatile u16 *)(g + 2) = (u16)(g[1] * 1000);
    *(GLOBAL volatile u64 *)(g + 8) = *(GLOBAL volatile u16 *)(g + 2);
    PUT(*(GLOBAL volatile i8 *)(g + 3));
}

KERNEL(memory_bitmap)
{
    BEGIN;
    u32 bits[8] = {0};
    for (u32 i = 0; i < 30; i++) {
        u32 k = in[IN_U32 + (gid * 2 + i) % 1024] & 255;
        bits[k >> 5] |= 1u << (k & 31);
        if (i % 5 == 0)
            bits[(k ^ 64) >> 5] &= ~(1u << (k & 31));
    }
    u32 n = 0, runs = 0, last = 0;
    for (u32 i = 0; i < 256; i++) {
        u32 bit = bits[i >> 5] >> (i & 31) & 1;
        n += bit;
        runs += bit != last;
        last = bit;
    }
    PUT(n);
    PUT(runs);
    for (u32 i = 0; i < 8; i++)
        PUT(bits[i]);
}

KERNEL(memory_gather)
{
    BEGIN;
    GLOBAL const u32 *table = in + IN_U32;
    u32 k = gid, s = 0;
    for (u32 i = 0; i < 10; i++) {
        k = table[k & 1023];
        s = s * 3 + k;
    }
    PUT(s);
    GLOBAL u32 *own = out + gid * SLOTS + 8;
    for (u32 i = 0; i < 32; i++)
        own[(i * 7 + gid) & 31] = table[(k >> (i & 7)) & 1023] + i;
    i64 back = -(i64)(gid & 15);
    PUT(table[back + 40]);
    PUT(*(GLOBAL const u32 *)((GLOBAL const u8 *)table + ((u64)gid * 4 + 2000)));
    PUT(table[(u64)(IU(0) & 1023)] + table[1023 - (IU(1) & 511)]);
    PUT(((GLOBAL const u16 *)table)[(i32)gid - 0] + ((GLOBAL const u8 *)table)[gid + 4000]);
}

NOINLINE u32 ring_put(u32 *ring, u32 *at, u32 v)
{
    u32 old = ring[*at & 7];
    ring[(*at)++ & 7] = v;
    return old;
}

KERNEL(scratch_ring)
{
    BEGIN;
    u32 ring[8] = {0}, at = gid, s = 0;
    for (u32 i = 0; i < 20; i++)
        s = s * 3 + ring_put(ring, &at, IU(0) * i);
    PUT(s);
    PUT(at);
    for (u32 i = 0; i < 8; i++)
        PUT(ring[i]);
}

/* Global, LDS-free generic pointers chosen at run time, read and written by one function at all widths. */
NOINLINE u64 touch(void *p, u32 how)
{
    switch (how % 5) {
    case 0:
        return *(u8 *)p += 3;
    case 1:
        return *(u16 *)p ^= 0x8001;
    case 2:
        return *(u32 *)p *= 5;
    case 3:
        return *(u64 *)p -= 7;
    default:
        return (u64)(i64) * (i8 *)p;
    }
}

KERNEL(flat_widths)
{
    BEGIN;
    u64 own[4] = {IU64(0), IU64(1), IU64(2), IU64(3)};
    u64 *shared = (u64 *)(out + gid * SLOTS + 40);
    shared[0] = IU64(4);
    shared[1] = gid;
    for (u32 i = 0; i < 6; i++) {
        u64 *p = (IU(5) >> i & 1) ? shared + (i & 1) : own + (gid + i) % 4;
        PUT64(touch(p, IU(6) >> 3 * i));
    }
    for (u32 i = 0; i < 4; i++)
        PUT64(own[i]);
}

/* A buffer resource: on the host plain memory, with zero read from past its end. */
#ifdef __AMDGPU__
#define BUFFER_LOAD(bits, offset, soffset)                                                                             \
    __builtin_amdgcn_raw_buffer_load_b##bits(buffer, (i32)(offset), (i32)(soffset), 0)
#define BUFFER_STORE(bits, v, offset, soffset)                                                                         \
    __builtin_amdgcn_raw_buffer_store_b##bits(v, own, (i32)(offset), (i32)(soffset), 0)
#if defined(__GFX10__) || defined(__GFX11__)
#define RESOURCE_FLAGS 0x31014000 /* raw bounds, 32-bit floats */
#elif defined(__gfx1250__)
#define RESOURCE_FLAGS 0 /* bounds by bytes */
#elif defined(__GFX12__)
#define RESOURCE_FLAGS 0x30014000
#else
#define RESOURCE_FLAGS 0x00027000
#endif
#else
#define BUFFER_LOAD(bits, offset, soffset)                                                                             \
    ((offset) < 4096 ? *(const u##bits##_at *)((const u8 *)in + (offset) + (soffset)) : (u##bits##_at){0})
#define BUFFER_STORE(bits, v, offset, soffset)                                                                         \
    (*(u##bits##_at *)((u8 *)(out + gid * SLOTS + 16) + (offset) + (soffset)) = (u##bits##_at)(v))
typedef u8 u8_at;
typedef u16 u16_at;
typedef u32 u32_at;
typedef u32x2 u64_at;
typedef u32x4_ u128_at;
#endif

KERNEL(buffer_resource)
{
    BEGIN;
#ifdef __AMDGPU__
    __amdgpu_buffer_rsrc_t buffer = __builtin_amdgcn_make_buffer_rsrc((void *)in, 0, 4096, RESOURCE_FLAGS);
    __amdgpu_buffer_rsrc_t own =
        __builtin_amdgcn_make_buffer_rsrc((void *)(out + (gid - LID % 64) * SLOTS), 0, -1, RESOURCE_FLAGS);
    u32 at = (LID * SLOTS + 16) * 4;
#else
    u32 at = 0;
#endif
    u32 s = in[IN_U32 + 3] & 0x1c;
    PUT(BUFFER_LOAD(8, gid * 3, 0));
    PUT(BUFFER_LOAD(16, gid * 2 + 100, s));
    PUT(BUFFER_LOAD(32, gid * 4, s));
    PUT(BUFFER_LOAD(32, gid & 1 ? 8000 : 4 * gid, 0));
    u32x2 two = BUFFER_LOAD(64, gid * 8, s);
    u32x4_ four = BUFFER_LOAD(128, gid * 16, 0);
    PUT(two[0] + two[1] * 3);
    PUT(four[0] ^ four[1] ^ four[2] ^ four[3]);
    BUFFER_STORE(8, (u8)IU(0), at + 1, 0);
    BUFFER_STORE(16, (u16)IU(1), at + 6, 0);
    BUFFER_STORE(32, IU(2), at + 8, s & 4);
    BUFFER_STORE(64, two, at + 24, 0);
    BUFFER_STORE(128, four, at + 32, 0);
}

/* Reads at addresses that are the same in all lanes, of all sizes the scalar unit has. */
KERNEL(scalar_loads)
{
    BEGIN;
    struct sixteen {
        u32 w[16];
    };
    GLOBAL const struct sixteen *p = (GLOBAL const struct sixteen *)in;
    struct sixteen a = p[2], b = p[5];
    u32 s = 0;
    for (u32 i = 0; i < 16; i++)
        s = s * 3 + (a.w[i] ^ b.w[15 - i]);
    PUT(s + gid);
    u64 q = ((GLOBAL const u64 *)in)[33] + ((GLOBAL const u64 *)in)[34];
    u32x4_ v = ((GLOBAL const u32x4_ *)in)[21];
    PUT64(q);
    PUT(v[0] + v[1] + v[2] + v[3]);
    u32 k = in[100] & 63;
    PUT(in[IN_U32 + k] + in[k + 64]);
    PUT(((GLOBAL const u8 *)in)[k] + ((GLOBAL const i8 *)in)[k + 9] + ((GLOBAL const i16 *)in)[k] +
        ((GLOBAL const u16 *)in)[k + 3]);
    PUT(((GLOBAL const u32 *)((GLOBAL const u8 *)in + 400))[(i32)(k & 3) - 2]);
}

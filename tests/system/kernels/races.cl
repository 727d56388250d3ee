/* Kernels of OpenCL C whose workgroups hand one another bytes of global memory, for tests/system/test_check_races.c.
 * Compiled with BROKEN they leave out what orders them: 1 the release, 2 the acquire, 3 the device's scope (the
 * workgroup's instead), 4 both. c: words that are 0 at first; d: data; n: number of workgroups. */
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM  __builtin_amdgcn_workitem_id_x()
#define ITEMS 64

#ifndef BROKEN
#define BROKEN 0
#endif
#define RELEASE (BROKEN == 1 || BROKEN == 4 ? __ATOMIC_RELAXED : __ATOMIC_RELEASE)
#define ACQUIRE (BROKEN == 2 || BROKEN == 4 ? __ATOMIC_RELAXED : __ATOMIC_ACQUIRE)
#define BOTH                                                                                                           \
    (BROKEN == 1   ? __ATOMIC_ACQUIRE                                                                                  \
     : BROKEN == 2 ? __ATOMIC_RELEASE                                                                                  \
     : BROKEN == 4 ? __ATOMIC_RELAXED                                                                                  \
                   : __ATOMIC_ACQ_REL)
#define SCOPE (BROKEN == 3 ? __OPENCL_MEMORY_SCOPE_WORK_GROUP : __OPENCL_MEMORY_SCOPE_DEVICE)

typedef volatile global atomic_uint *word;
typedef volatile global atomic_ulong *wide;

#define LOAD(P)     __opencl_atomic_load((word)(P), ACQUIRE, SCOPE)
#define STORE(P, V) __opencl_atomic_store((word)(P), (V), RELEASE, SCOPE)
#define ADD(P, V)   __opencl_atomic_fetch_add((word)(P), (V), BOTH, SCOPE)

/* The first workgroup fills d, the others copy it. One wave alone of each takes part in what follows. */
kernel void flag(global uint *c, global uint *d, uint n)
{
    if (GROUP == 0) {
        d[ITEM] = ITEM;
        STORE(c, 1);
    } else {
        while (!LOAD(c))
            ;
        d[GROUP * ITEMS + ITEM] = d[ITEM];
    }
}

/* The same without a flag. */
kernel void no_flag(global uint *c, global uint *d, uint n)
{
    if (GROUP == 0)
        d[ITEM] = ITEM;
    else
        d[GROUP * ITEMS + ITEM] = d[ITEM];
}

/* With fences around relaxed accesses. */
kernel void fences(global uint *c, global uint *d, uint n)
{
    if (GROUP == 0) {
        d[ITEM] = ITEM;
        if (BROKEN != 1 && BROKEN != 4)
            __builtin_amdgcn_fence(__ATOMIC_RELEASE, BROKEN == 3 ? "workgroup" : "agent");
        __opencl_atomic_store((word)c, 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
    } else {
        while (!__opencl_atomic_load((word)c, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE))
            ;
        if (BROKEN != 2 && BROKEN != 4)
            __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, BROKEN == 3 ? "workgroup" : "agent");
        d[GROUP * ITEMS + ITEM] = d[ITEM];
    }
}

/* The workgroup that comes last adds up what all have written. */
kernel void last_block(global uint *c, global uint *d, uint n)
{
    d[GROUP * ITEMS + ITEM] = ITEM;
    uint before = 0;
    if (ITEM == 0)
        before = ADD(c, 1);
    before = __builtin_amdgcn_readfirstlane(before);
    if (before != n - 1)
        return;
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum += d[k * ITEMS + ITEM];
    d[(n + 1) * ITEMS + ITEM] = sum;
}

/* Each workgroup hands its sum and all before it to the next, in one word of 64 bits with its state. */
kernel void look_back(global uint *c, global uint *d, uint n)
{
    wide packets = (wide)c;
    ulong before = 0;

    if (GROUP && ITEM == 0)
        do
            before = __opencl_atomic_load(packets + GROUP - 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
        while (!(before >> 32));
    if (ITEM == 0)
        __opencl_atomic_store(packets + GROUP, (1ul << 32) | ((uint)before + GROUP), __ATOMIC_RELAXED,
                              __OPENCL_MEMORY_SCOPE_DEVICE);
    d[GROUP * ITEMS + ITEM] = (uint)before;
}

static void barrier_of_the_grid(global uint *c, uint n)
{
    if (ITEM == 0) {
        uint wanted = (ADD(c, 1) / n + 1) * n;
        while (LOAD(c) < wanted)
            ;
    }
    __builtin_amdgcn_wave_barrier();
}

/* Two buffers that take turns: each workgroup reads what its neighbour has written in the phase before. */
kernel void ping_pong(global uint *c, global uint *d, uint n)
{
    global uint *a = d, *b = d + n * ITEMS;
    uint next = (GROUP + 1) % n;

    a[GROUP * ITEMS + ITEM] = ITEM;
    for (uint phase = 0; phase < 3; phase++) {
        barrier_of_the_grid(c, n);
        b[GROUP * ITEMS + ITEM] = a[next * ITEMS + ITEM] + 1;
        global uint *t = a;
        a = b;
        b = t;
    }
}

/* A counter that a lock keeps. */
kernel void locked(global uint *c, global uint *d, uint n)
{
    if (ITEM)
        return;
    for (uint expected = 0; !__opencl_atomic_compare_exchange_strong((word)c, &expected, 1u, ACQUIRE, __ATOMIC_RELAXED,
                                                                     SCOPE);
         expected = 0)
        ;
    d[0] += GROUP;
    STORE(c, 0);
}

/* Sums of all workgroups. */
kernel void atomics(global uint *c, global uint *d, uint n)
{
    ADD(c + ITEM % 8, GROUP);
}

/* Each has its own bytes, words and rows; and a stack of its own. */
kernel void apart(global uint *c, global uint *d, uint n)
{
    volatile uint own[16];

    for (uint k = 0; k < 16; k++)
        own[(k * 5 + GROUP) % 16] = k;
    if (ITEM == 0) {
        ((global uchar *)c)[GROUP] = 1;
        ((global ushort *)c)[64 + GROUP] = (ushort)own[GROUP % 16];
        c[128 + GROUP] = ((global uchar *)c)[GROUP];
    }
}

/* A loop around compare-and-swap that begins with a plain load, and an exchange whose result nobody wants, of which
 * clang makes a store. */
kernel void swaps(global uint *c, global uint *d, uint n)
{
    uint had = c[ITEM % 8];

    while (!__opencl_atomic_compare_exchange_strong((word)(c + ITEM % 8), &had, had + GROUP, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE))
        ;
    __opencl_atomic_exchange((word)(c + 9), GROUP, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
}

/* Rows that overlap by half. */
kernel void overlap(global uint *c, global uint *d, uint n)
{
    d[GROUP * __builtin_amdgcn_wavefrontsize() / 2 + ITEM] = GROUP;
}

/* All write one byte. */
kernel void one_byte(global uint *c, global uint *d, uint n)
{
    if (ITEM == 0)
        ((global uchar *)c)[5] = 1;
}

/* Kernels of OpenCL C whose waves wait for one another through memory. n: number of workgroups. Every wait is a loop
 * that never ends by itself. tests/system/test_waiting.c knows what c and out hold afterwards. */
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM  __builtin_amdgcn_workitem_id_x()

typedef volatile global atomic_uint *word;

#define LOAD(P)     __opencl_atomic_load((word)(P), __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define STORE(P, V) __opencl_atomic_store((word)(P), (V), __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define ADD(P, V)   __opencl_atomic_fetch_add((word)(P), (V), __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_DEVICE)
#define SWAP(P, V)  __opencl_atomic_exchange((word)(P), (V), __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_DEVICE)

#if defined(__GFX12__)
#define CLOCK() __builtin_amdgcn_s_sendmsg_rtnl(0x83) /* MSG_RTN_GET_REALTIME */
#else
#define CLOCK() __builtin_amdgcn_s_memtime()
#endif

static bool lock(global uint *p)
{
    uint expected = 0;

    return __opencl_atomic_compare_exchange_strong((word)p, &expected, 1u, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                                   __OPENCL_MEMORY_SCOPE_DEVICE);
}

static void barrier_of_the_workgroup(void)
{
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
}

static void barrier_of_the_grid(global uint *c, uint n, bool sleeps)
{
    barrier_of_the_workgroup();
    if (ITEM == 0) {
        uint wanted = (ADD(c, 1) / n + 1) * n;
        while (LOAD(c) < wanted)
            if (sleeps)
                __builtin_amdgcn_s_sleep(2);
    }
    barrier_of_the_workgroup();
}

kernel void grid_barrier(global uint *c, global uint *out, uint n)
{
    for (int i = 0; i < 4; i++)
        barrier_of_the_grid(c, n, false);
    if (ITEM == 0)
        out[GROUP] = LOAD(c);
}

kernel void grid_barrier_sleeps(global uint *c, global uint *out, uint n)
{
    for (int i = 0; i < 4; i++)
        barrier_of_the_grid(c, n, true);
    if (ITEM == 0)
        out[GROUP] = LOAD(c);
}

kernel void ticket_lock(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint ticket = ADD(&c[0], 1);
        while (LOAD(&c[1]) != ticket)
            ;
        c[2]++;
        out[GROUP] = 1;
        STORE(&c[1], ticket + 1);
    }
}

/* Each lane takes the lock, and what it does with it is inside the loop: the rest of the wave waits with it. */
kernel void lock_of_lanes(global uint *c, global uint *out, uint n)
{
    int done = 0;

    while (!done) {
        if (lock(&c[0])) {
            *(volatile global uint *)&c[2] = *(volatile global uint *)&c[2] + 1;
            STORE(&c[0], 0);
            done = 1;
        }
        __asm__ volatile("; %0" : "+v"(done)); /* keeps clang from moving all of it behind the loop */
    }
    if (ITEM == 0)
        out[GROUP] = 1;
}

kernel void exchange_lock(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        while (SWAP(&c[0], 1))
            __builtin_amdgcn_s_sleep(1);
        uint v = c[2];
        for (volatile int i = 0; i < 50; i++)
            ;
        c[2] = v + 1;
        out[GROUP] = 1;
        STORE(&c[0], 0);
    }
}

kernel void chain_up(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP;
        if (g)
            while (!LOAD(&c[g - 1]))
                ;
        out[g] = g ? out[g - 1] + 1 : 1;
        STORE(&c[g], 1);
    }
}

static void pass_down(global uint *c, global uint *out, uint g, uint n)
{
    out[g] = g + 1 < n ? out[g + 1] + 1 : 1;
    STORE(&c[g], 1);
}

kernel void chain_down(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP;
        if (g + 1 < n)
            while (!LOAD(&c[g + 1]))
                ;
        pass_down(c, out, g, n);
    }
}

/* The loop changes a register: it counts its tries. */
kernel void chain_down_counts(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP, tries = 0;
        if (g + 1 < n)
            while (!LOAD(&c[g + 1]))
                if (++tries == 4000000000u)
                    return;
        pass_down(c, out, g, n);
    }
}

/* It adds to a counter that nobody waits for. */
kernel void chain_down_heartbeat(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP;
        if (g + 1 < n)
            while (!LOAD(&c[g + 1]))
                ADD(&c[n + g], 1);
        pass_down(c, out, g, n);
    }
}

/* It gives up when it has waited for too long. */
kernel void chain_down_clock(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP;
        ulong start = CLOCK();
        if (g + 1 < n)
            while (!LOAD(&c[g + 1]))
                if (CLOCK() - start > 1000000000000ul)
                    return;
        pass_down(c, out, g, n);
    }
}

/* Any of three words, one after the other, may end the loop. */
kernel void chain_down_three_words(global uint *c, global uint *out, uint n)
{
    if (ITEM == 0) {
        uint g = GROUP;
        for (uint k = 0; g + 1 < n && !LOAD(&c[k == 1 ? g + 1 : n + k]); k = (k + 1) % 3)
            ;
        pass_down(c, out, g, n);
    }
}

/* A barrier in the loop: all waves of the workgroup go round. */
kernel void chain_down_barrier(global uint *c, global uint *out, uint n)
{
    local uint seen;
    uint g = GROUP;

    while (g + 1 < n) {
        if (ITEM == 0)
            seen = LOAD(&c[g + 1]);
        barrier_of_the_workgroup();
        uint s = seen;
        barrier_of_the_workgroup();
        if (s)
            break;
    }
    if (ITEM == 0)
        pass_down(c, out, g, n);
}

/* Waves of one workgroup, the first waits for the last, in LDS. */
kernel void within_a_workgroup(global uint *c, global uint *out, uint n)
{
    volatile local uint flag[5];
    uint wave = __builtin_amdgcn_readfirstlane(ITEM / 64);

    if (ITEM < 5)
        flag[ITEM] = ITEM == 4;
    barrier_of_the_workgroup();
    while (!flag[wave + 1])
        ;
    flag[wave] = 1;
    barrier_of_the_workgroup();
    if (ITEM == 0)
        out[GROUP] = flag[0] + flag[1] + flag[2] + flag[3];
}

/* ---- by which instruction; without optimisation clang has no SGPRs for them ---- */

#ifdef __OPTIMIZE__

kernel void polls_by_smem(global uint *c, global uint *out, uint n)
{
    uint g = GROUP, v = g + 1 == n;

    while (!v)
#if defined(__GFX12__)
        __asm__ volatile("s_load_b32 %0, %1, 0x0\ns_wait_kmcnt 0x0" : "=s"(v) : "s"(&c[g + 1]));
#else
        __asm__ volatile("s_load_dword %0, %1, 0x0 glc\ns_waitcnt lgkmcnt(0)" : "=s"(v) : "s"(&c[g + 1]));
#endif
    if (ITEM == 0)
        pass_down(c, out, g, n);
}

kernel void polls_by_flat(global uint *c, global uint *out, uint n)
{
    uint g = GROUP, v = g + 1 == n;

    while (!v)
#if defined(__GFX12__)
        __asm__ volatile("flat_load_b32 %0, %1\ns_wait_loadcnt_dscnt 0x0" : "=v"(v) : "v"(&c[g + 1]));
#else
        __asm__ volatile("flat_load_dword %0, %1 glc\ns_waitcnt vmcnt(0) lgkmcnt(0)" : "=v"(v) : "v"(&c[g + 1]));
#endif
    if (ITEM == 0)
        pass_down(c, out, g, n);
}

kernel void polls_by_buffer(global uint *c, global uint *out, uint n)
{
    uint g = GROUP, v = g + 1 == n;
    ulong at = (ulong)c;
    uint4 rsrc = (uint4)((uint)at, (uint)(at >> 32) & 0xffff, n * 4,
#if defined(__GFX12__)
                         0x31014000
#else
                         0x27000
#endif
    );

    while (!v)
#if defined(__GFX12__)
        __asm__ volatile("buffer_load_b32 %0, %1, %2, null offen\ns_wait_loadcnt 0x0"
                         : "=v"(v)
                         : "v"((g + 1) * 4), "s"(rsrc));
#else
        __asm__ volatile("buffer_load_dword %0, %1, %2, 0 offen glc\ns_waitcnt vmcnt(0)"
                         : "=v"(v)
                         : "v"((g + 1) * 4), "s"(rsrc));
#endif
    if (ITEM == 0)
        pass_down(c, out, g, n);
}

#endif

/* ---- no waiting ---- */

/* Long between loads of one value: could be taken for polling. out: how often it has gone round. */
kernel void computes(global uint *c, global uint *out, uint n)
{
    uint i = 0, v = ITEM;

    while (i < 30000 + *(volatile global uint *)&c[0]) {
        v = v * 1664525 + 1013904223;
        i++;
    }
    c[2] = v; /* of any item */
    if (ITEM == 0)
        out[GROUP] = i;
}

/* Every third workgroup writes outside of all memory; the others wait for the last one, which comes after them. */
kernel void fault_among_waiting(global uint *c, global uint *out, uint n)
{
    uint g = GROUP;

    if (g % 3 == 2)
        *(volatile global uint *)16 = g;
    while (!LOAD(&c[n - 1]))
        ;
}

/* As within_a_workgroup; every third workgroup then writes outside of all memory. */
kernel void fault_behind_a_wait(global uint *c, global uint *out, uint n)
{
    volatile local uint flag[5];
    uint wave = __builtin_amdgcn_readfirstlane(ITEM / 64);

    if (ITEM < 5)
        flag[ITEM] = ITEM == 4;
    barrier_of_the_workgroup();
    while (!flag[wave + 1])
        ;
    flag[wave] = 1;
    if (GROUP % 3 == 2 && wave == 1)
        *(volatile global uint *)16 = wave;
}

/* Two waves of each workgroup take turns before the same faults; workgroup 5 has one at once. */
kernel void fault_behind_turns(global uint *c, global uint *out, uint n)
{
    volatile local uint turn;
    uint wave = __builtin_amdgcn_readfirstlane(ITEM / 64);

    if (GROUP == 5)
        *(volatile global uint *)16 = wave;
    if (ITEM == 0)
        turn = 0;
    barrier_of_the_workgroup();
    for (uint k = 0; k < 500 && ITEM % 64 == 0; k++) {
        while (turn != 2 * k + wave)
            ;
        turn = 2 * k + wave + 1;
    }
    if (GROUP % 3 == 2 && wave == 1)
        *(volatile global uint *)16 = wave;
}

/* Workgroups 0 and 1 take turns, then 1 faults; 5 has done so at once. */
kernel void fault_behind_turns_of_groups(global uint *c, global uint *out, uint n)
{
    uint g = GROUP;

    if (g == 5)
        *(volatile global uint *)16 = g;
    if (g > 1 || ITEM)
        return;
    for (uint k = 0; k < 500; k++) {
        while (LOAD(&c[0]) != 2 * k + g)
            ;
        STORE(&c[0], 2 * k + g + 1);
    }
    if (g == 1)
        *(volatile global uint *)16 = g;
}

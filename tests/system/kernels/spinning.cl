/* Kernels of OpenCL C for the limit of cycles (tests/system/test_max_cycles.c). n: number of workgroups. */
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM  __builtin_amdgcn_workitem_id_x()

typedef volatile global atomic_uint *word;

#define LOAD(P)     __opencl_atomic_load((word)(P), __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define STORE(P, V) __opencl_atomic_store((word)(P), (V), __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE)

#if defined(__GFX12__)
#define CLOCK() __builtin_amdgcn_s_sendmsg_rtnl(0x83) /* MSG_RTN_GET_REALTIME */
#else
#define CLOCK() __builtin_amdgcn_s_memtime()
#endif

/* Nobody writes c[0]. */
kernel void spins(global uint *c, uint n)
{
    while (!LOAD(c)) {
    }
}

kernel void spins_and_counts(global uint *c, uint n)
{
    uint tries = 0;

    while (!LOAD(c) && tries != 0xffffffff)
        tries++;
    c[1] = tries;
}

kernel void spins_and_looks_at_the_time(global uint *c, uint n)
{
    ulong from = CLOCK();

    while (!LOAD(c) && CLOCK() - from < 1ul << 60) {
    }
    c[1] = 1;
}

/* The others wait at the barrier. */
kernel void spins_before_a_barrier(global uint *c, uint n)
{
    if (ITEM == 0)
        while (!LOAD(c)) {
        }
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
    c[1] = 1;
}

/* All wait for the last one, which gives up after 5000 tries. */
kernel void gives_up(global uint *c, uint n)
{
    uint tries = 0;

    if (GROUP == n - 1) {
        while (!LOAD(c) && tries != 5000)
            tries++;
        STORE(c, tries);
    } else {
        while (!LOAD(c)) {
        }
    }
}

/* 200 turns. */
kernel void is_short(global uint *c, uint n)
{
    uint x = ITEM;

    for (uint turns = 0; turns < 200; turns++) {
        x = x * 5 + 1;
        __asm__ volatile("; %0" : "+v"(x));
    }
    c[GROUP % 64] = x;
}

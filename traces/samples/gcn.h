/* Small helpers for the sample kernels: what a device library would give, written on clang's builtins, since the
 * samples are compiled with no library at all (-nogpulib -cl-no-stdinc). All are forced inline, so that the -O0
 * builds hold one function per kernel, like the -O2 ones. */
#ifndef GCN_H
#define GCN_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
/* The largest workgroup the kernel is launched with: fixes the register budget. */
#define GROUP(X, Y)  __attribute__((reqd_work_group_size(X, Y, 1)))
#define GROUP_MAX(N) __attribute__((amdgpu_flat_work_group_size(1, N)))

INLINE uint local_x(void)
{
    return __builtin_amdgcn_workitem_id_x();
}

INLINE uint local_y(void)
{
    return __builtin_amdgcn_workitem_id_y();
}

INLINE uint group_x(void)
{
    return __builtin_amdgcn_workgroup_id_x();
}

INLINE uint group_y(void)
{
    return __builtin_amdgcn_workgroup_id_y();
}

/* Read from the hidden arguments (code object v5 and later) or from the dispatch packet (v4). */
INLINE uint group_size_x(void)
{
    return __builtin_amdgcn_workgroup_size_x();
}

INLINE uint group_size_y(void)
{
    return __builtin_amdgcn_workgroup_size_y();
}

INLINE uint global_x(void)
{
    return group_x() * group_size_x() + local_x();
}

INLINE uint global_y(void)
{
    return group_y() * group_size_y() + local_y();
}

/* Barrier of the workgroup that also orders its LDS and global accesses. */
INLINE void group_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

INLINE uint lane_id(void)
{
    uint low = __builtin_amdgcn_mbcnt_lo(~0u, 0u);
    return __builtin_amdgcn_wavefrontsize() == 64 ? __builtin_amdgcn_mbcnt_hi(~0u, low) : low;
}

INLINE uint float_bits(float f)
{
    return __builtin_astype(f, uint);
}

INLINE float bits_float(uint u)
{
    return __builtin_astype(u, float);
}

#endif

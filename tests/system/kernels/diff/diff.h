/* Kernels that are compiled twice from one source: for the GPU by clang-19 and for the host as the reference of what
 * they must write (tests/system/test_kernels.c).
 *
 *   KERNEL(name) { BEGIN; PUT(...); ... }   is run for ITEMS work-items in workgroups of 64, the last one partial.
 *   GROUP_KERNEL(name) { ... }              is run for GROUPS workgroups of GROUP work-items. On the host one call does
 * a whole workgroup: what is inside EACH_ITEM { } is a loop over work-items there, so a variable that lives across two
 *     of those is PRIVATE(type, name), and BARRIER() stands only between them. LDS(type, name, count) is shared.
 *   GRID_KERNEL(name) { ... }               is run for a grid of 10 x 5 x 4 work-items in workgroups of 4 x 4 x 4.
 *
 * Arguments: out (SLOTS words for each work-item, written by PUT), in (the input tables below), acc (ACC_WORDS words,
 * for atomics; must come out the same in any order of the work-items).
 *
 * ON_DEVICE(d, h): d for the target, h for the host. DEVICE_HAS(builtin): does the target have it (the host has all). A
 * kernel that only some targets have stands in #if DEVICE_HAS(...), so that the host always has its reference.
 *
 * What C leaves open must not decide a word: floating contraction is off, NaNs are stored as one pattern, conversions
 * stay in range, shifts are masked, no signaling NaN is in the inputs.
 */
#ifndef DIFF_H
#define DIFF_H

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;

enum { ITEMS = 200, SLOTS = 48, GROUP = 256, GROUPS = 2, ACC_WORDS = 256 };

/* The input tables, in words: integers, floats, doubles, halves. All have corner values among random ones. */
enum { IN_U32 = 0, IN_F32 = 1024, IN_F64 = 2048, IN_F16 = 4096, IN_WORDS = 4608 };

#ifdef __AMDGPU__
#define GLOBAL                 __attribute__((address_space(1)))
#define ARGS                   GLOBAL u32 *out, GLOBAL const u32 *in, GLOBAL u32 *acc
#define NOINLINE               static __attribute__((noinline))
#define LID                    __builtin_amdgcn_workitem_id_x()
#define KERNEL_(name, ...)     __attribute__((amdgpu_kernel, visibility("protected"))) void name(__VA_ARGS__)
#define KERNEL(name)           KERNEL_(name, ARGS)
#define KERNEL_WITH(name, ...) KERNEL_(name, ARGS, __VA_ARGS__)
#define GROUP_KERNEL(name)     KERNEL_(name, ARGS)
#define GID                    (__builtin_amdgcn_workgroup_id_x() * 64 + LID)
#define GROUP_ID               __builtin_amdgcn_workgroup_id_x()
#define EACH_ITEM              for (u32 lid = LID, gid = GROUP_ID * GROUP + lid, once_ = 1; once_; once_ = 0)
#define LDS(type, name, count) static __attribute__((address_space(3), loader_uninitialized)) type name[count]
#define LDS_POINTER            __attribute__((address_space(3)))
#define PRIVATE(type, name)    type name##_
#define MINE(name)             name##_
#define BARRIER()                                                                                                      \
    do {                                                                                                               \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                                                         \
        __builtin_amdgcn_s_barrier();                                                                                  \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");                                                         \
    } while (0)
#define WAVE                     __builtin_amdgcn_wavefrontsize()
#define NEAR_(slot, kind, bound) ((void)0)
#define DEVICE_HAS(builtin)      __has_builtin(builtin)
#define ON_DEVICE(device, host)  (device)
#define GRID_KERNEL(name)        KERNEL_(name, ARGS)
#define GRID_X                   (__builtin_amdgcn_workgroup_id_x() * 4 + __builtin_amdgcn_workitem_id_x())
#define GRID_Y                   (__builtin_amdgcn_workgroup_id_y() * 4 + __builtin_amdgcn_workitem_id_y())
#define GRID_Z                   (__builtin_amdgcn_workgroup_id_z() * 4 + __builtin_amdgcn_workitem_id_z())
#else
#define GLOBAL
#define ARGS                   u32 *out, const u32 *in, u32 *acc
#define NOINLINE               static __attribute__((noinline))
#define EXPORT                 __attribute__((visibility("default")))
extern EXPORT u32 diff_gid, diff_group, diff_wave, diff_xyz[3];
#define KERNEL(name)           EXPORT void name(ARGS)
#define KERNEL_WITH(name, ...) EXPORT void name(ARGS, __VA_ARGS__)
#define GROUP_KERNEL(name)                                                                                             \
    EXPORT const char name##_is_group = 1;                                                                             \
    EXPORT void name(ARGS)
#define GID      diff_gid
#define LID      (diff_gid % 64)
#define GROUP_ID diff_group
#define GRID_KERNEL(name)                                                                                              \
    EXPORT const char name##_is_grid = 1;                                                                              \
    EXPORT void name(ARGS)
#define GRID_X                 diff_xyz[0]
#define GRID_Y                 diff_xyz[1]
#define GRID_Z                 diff_xyz[2]
#define EACH_ITEM              for (u32 lid = 0, gid = GROUP_ID * GROUP; lid < GROUP; lid++, gid++)
#define LDS(type, name, count) type name[count]
#define LDS_POINTER
#define PRIVATE(type, name)      type name##_[GROUP]
#define MINE(name)               name##_[lid]
#define BARRIER()                ((void)0)
#define WAVE                     diff_wave
extern EXPORT u16 diff_near[SLOTS * GROUP * GROUPS];
#define NEAR_(slot, kind, bound) (diff_near[slot] = (u16)((kind) << 8 | (bound)))
#define DEVICE_HAS(builtin)      1
#define ON_DEVICE(device, host)  (host)
#endif

/* LLVM 22 moves but half of a 64-bit operand where registers have halves of their own (true16), at -O0 */
#if defined(LLVM22_TRUE16) && !defined(__OPTIMIZE__)
#define BSWAP64(x) ((u64)__builtin_bswap32((u32)(x)) << 32 | __builtin_bswap32((u32)((x) >> 32)))
#else
#define BSWAP64(x) __builtin_bswap64(x)
#endif

#define BEGIN                                                                                                          \
    u32 slot_ = 0;                                                                                                     \
    const u32 gid = GID;                                                                                               \
    (void)slot_, (void)gid, (void)in, (void)acc, (void)out
#define PUT_AT(gid, slot, v) (out[(gid)*SLOTS + (slot)] = (u32)(v))
#define PUT(v)               (out[gid * SLOTS + slot_++] = (u32)(v))
#define PUT64(v)                                                                                                       \
    do {                                                                                                               \
        u64 v_ = (u64)(v);                                                                                             \
        PUT(v_);                                                                                                       \
        PUT(v_ >> 32);                                                                                                 \
    } while (0)
#define PUTF(v) PUT(bits_f32(v))
#define PUTD(v) PUT64(bits_f64(v))
#define PUTH(v) PUT(bits_f16(v))

/* Approximations: as near as `ulps` to the host's `v` (doubles: 2^n ULP; ABS: a distance of 2^-n). */
#define PUT_NEARF(v, ulps)                                                                                             \
    do {                                                                                                               \
        NEAR_(gid *SLOTS + slot_, 1, ulps);                                                                            \
        PUTF(v);                                                                                                       \
    } while (0)
#define PUT_NEARH(v, ulps)                                                                                             \
    do {                                                                                                               \
        NEAR_(gid *SLOTS + slot_, 2, ulps);                                                                            \
        PUTH(v);                                                                                                       \
    } while (0)
#define PUT_NEARD(v, log2_ulps)                                                                                        \
    do {                                                                                                               \
        NEAR_(gid *SLOTS + slot_, 3, log2_ulps);                                                                       \
        PUTD(v);                                                                                                       \
    } while (0)
#define PUT_ABSF(v, n)                                                                                                 \
    do {                                                                                                               \
        NEAR_(gid *SLOTS + slot_, 4, n);                                                                               \
        PUTF(v);                                                                                                       \
    } while (0)

#define SHARED static inline __attribute__((always_inline))

SHARED u32 bits_f32(f32 v)
{
    return v != v ? 0x7fc00000u : __builtin_bit_cast(u32, v);
}
SHARED u64 bits_f64(f64 v)
{
    return v != v ? 0x7ff8000000000000ull : __builtin_bit_cast(u64, v);
}
SHARED u32 bits_f16(f16 v)
{
    return v != v ? 0x7e00u : __builtin_bit_cast(u16, v);
}

/* The k-th operand of a work-item; different k pair the corners differently. */
#define AT_(k, n) ((gid * (2 * (k) + 1) + (k)*37) % (n))
#define IU(k)     (in[IN_U32 + AT_(k, 1024)])
#define IS(k)     ((i32)IU(k))
#define IU64(k)   ((u64)in[IN_U32 + AT_(k, 512) * 2] | (u64)in[IN_U32 + AT_(k, 512) * 2 + 1] << 32)
#define IS64(k)   ((i64)IU64(k))
#define IF(k)     (((GLOBAL const f32 *)(in + IN_F32))[AT_(k, 1024)])
#define ID(k)     (((GLOBAL const f64 *)(in + IN_F64))[AT_(k, 1024)])
#define IH(k)     (((GLOBAL const f16 *)(in + IN_F16))[AT_(k, 1024)])

/* A value the compiler cannot see through. */
#define OPAQUE(v)                                                                                                      \
    ({                                                                                                                 \
        volatile __typeof__(v) o_ = (v);                                                                               \
        o_;                                                                                                            \
    })

#endif

/* What diff.h declares for the host, once in a program; nothing for a target. */
#ifndef DIFF_HOST_H
#define DIFF_HOST_H

#include "tests/system/kernels/diff/diff.h"

#ifndef __AMDGPU__
u32 diff_gid, diff_group, diff_wave, diff_xyz[3];
u16 diff_near[SLOTS * GROUP * GROUPS];

/* What the compiler calls to round to bfloat16; older runtime libraries do not have it. */
__attribute__((visibility("hidden"))) __bf16 __truncsfbf2(f32 v);
__bf16 __truncsfbf2(f32 v)
{
    u32 b = __builtin_bit_cast(u32, v);
    return __builtin_bit_cast(__bf16, (u16)(v != v ? b >> 16 | 0x40 : (b + 0x7fff + (b >> 16 & 1)) >> 16));
}
#endif

#endif

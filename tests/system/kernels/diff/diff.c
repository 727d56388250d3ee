/* All kernels in one translation unit, so that each target compiles once. */
#include "tests/system/kernels/diff/diff.h"

#ifndef __AMDGPU__
u32 diff_gid, diff_group, diff_wave, diff_xyz[3];
#endif

#include "tests/system/kernels/diff/integer.h"

#include "tests/system/kernels/diff/floating.h"

#include "tests/system/kernels/diff/control.h"

#include "tests/system/kernels/diff/memory.h"

#include "tests/system/kernels/diff/group.h"

#include "tests/system/kernels/diff/intrinsics.h"

/* All kernels in one translation unit, so that each target compiles once. */
#include "tests/system/kernels/diff/diff.h"
#include "tests/system/kernels/diff/host.h"

#include "tests/system/kernels/diff/integer.h"

#include "tests/system/kernels/diff/floating.h"

#include "tests/system/kernels/diff/integer_more.h"

#include "tests/system/kernels/diff/floating_more.h"

#include "tests/system/kernels/diff/approx.h"

#include "tests/system/kernels/diff/control.h"

#include "tests/system/kernels/diff/control_more.h"

#include "tests/system/kernels/diff/memory.h"

#include "tests/system/kernels/diff/memory_more.h"

#include "tests/system/kernels/diff/atomic_more.h"

#include "tests/system/kernels/diff/group.h"

#include "tests/system/kernels/diff/group_more.h"

#include "tests/system/kernels/diff/intrinsics.h"

#include "tests/system/kernels/diff/builtin_more.h"

#include "tests/system/kernels/diff/matrix.h"

#include "tests/system/kernels/diff/gfx1250.h"

#include "tests/system/kernels/diff/matrix_wide.h"

#include "tests/system/kernels/diff/matrix_transpose.h"

#include "tests/system/kernels/diff/gfx1250_lds.h"

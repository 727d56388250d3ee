/* The language runtime's own copy kernels, done by the host.
 *
 * libamdhip64 fills and copies memory with kernels of its own, __amd_rocclr_*, which it compiles when a device is
 * opened. They are recognised by their name and by the names, sizes and places of their arguments, as they are in
 * ROCclr 5.2 to 7.2; what a dispatch does then follows from its arguments and its grid. A dispatch is left to the
 * simulator when that is not certain: another layout, arguments with which these runtimes do not start the kernel,
 * source and destination that overlap, memory that is not in one allocation (the kernel then faults as it would on the
 * device). Kernels for images, for device-side queues and heaps are never recognised.
 */
#ifndef GCNSIM_HSA_BLIT_H
#define GCNSIM_HSA_BLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/api/gcnsim.h"

enum blit_kind {
    BLIT_NONE, /* no such kernel */
    BLIT_FILL,
    BLIT_FILL_2D,
    BLIT_FILL_CHUNKS,
    BLIT_FILL_CHUNKS_BY_ID, /* without the argument workgroup_size */
    BLIT_COPY,
    BLIT_COPY_ALIGNED,
    BLIT_COPY_CHUNKS,
    BLIT_COPY_CHUNKS_BY_ID,
    BLIT_COPY_RECT,
    BLIT_COPY_RECT_ALIGNED,
    BLIT_WRITE,
    BLIT_WRITE_SIZED,
    BLIT_WAIT,
};

struct blit_kernel {
    enum blit_kind kind;
    uint32_t global_offset; /* where the kernarg segment has the grid's 3 offsets of 8 bytes each; 0: nowhere */
};

/* What a kernel of a code object is. */
struct blit_kernel blit_recognise(const struct gcnsim_code *code, uint32_t kernel);

struct dispatch; /* dispatch.h */

/* Does the work of a dispatch, if its kernel was recognised, all of it is understood, and it writes at most so many
 * bytes; *ns is then the simulated time that it takes: that of a copy. False: nothing was done. */
bool blit_run(const struct dispatch *d, uint64_t most_bytes, uint64_t *ns);

#endif

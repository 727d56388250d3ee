/* Which kernels of a code object are the language runtime's own copies and fills, which the host does (queues/blit.h).
 */
#ifndef GCNSIM_HSA_BLIT_LAYOUT_H
#define GCNSIM_HSA_BLIT_LAYOUT_H

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

#endif

/* Transfers of the tensor unit (gfx1250: tensor_load_to_lds, tensor_store_from_lds), which moves a tile of a tensor of
 * up to five dimensions between memory and LDS, as a descriptor in SGPRs says, once for a wave whatever its EXEC.
 *
 * The descriptor has two groups of SGPRs or four: address, mode and LDS address (4); layout (8); higher dimensions, or
 * what repeats the transfer, or indices of rows (4 and 4). An element has 1, 2, 4 or 8 bytes; dimension 0 is contiguous
 * in memory, the strides of the others count elements. In LDS the elements follow one another, x first; what a load
 * writes there may leave gaps (padding). An element whose place in the tile is not inside the tensor, both counted from
 * the tile's start, is zero in LDS, and none in memory. Fields: CDNA5 ISA 10.11 and tables 61 to 67, as public text
 * cites them; ROCm's composable_kernel (amd_tdm_descriptor.hpp) and Triton (TDMUtility.cpp) have the same bits.
 *
 * Elements that lie outside the workgroup's LDS are not moved. A descriptor whose type is not 2 moves nothing.
 *
 * Nothing public says what bounds and padding count from in a transfer that repeats itself: each time from its own
 * start here.
 */
#ifndef GCNSIM_ISA_TENSOR_H
#define GCNSIM_ISA_TENSOR_H

#include "sim/util/bits.h"

enum {
    ISA_TENSOR_DIMS = 5,
    ISA_TENSOR_ROWS = 16,  /* indices of rows, of 16 bits; of 32 half as many */
    ISA_TENSOR_LANES = 32, /* pieces of a part */
    ISA_TENSOR_PIECE = 16, /* bytes of a piece at most */
};

struct isa_env;
struct isa_wave;

/* A transfer, and how far it has come. Sizes and distances are in bytes. */
struct isa_tensor {
    gaddr_t memory;
    uint64_t lds, lds_bytes; /* where it begins, and what the workgroup has */
    uint64_t repeat_memory, repeat_lds;
    uint64_t stride[ISA_TENSOR_DIMS];                       /* [1] to [4] */
    uint32_t tile[ISA_TENSOR_DIMS], valid[ISA_TENSOR_DIMS]; /* elements: of the tile, and inside the tensor */
    uint32_t row[ISA_TENSOR_ROWS];                          /* gather: the rows of dimension 1 */
    uint32_t repeats;                                       /* 1: once */
    uint32_t pad_interval, pad;                             /* 0: none */
    uint32_t barrier;                                       /* where a barrier in LDS learns of the end */
    uint8_t element;
    bool gathers, arrives;
    /* the next piece: of the row's bytes, of the tile's, and the place of the row */
    uint64_t row_done, done;
    uint64_t row_memory, row_inside; /* where the row begins, from the tile's start, and its bytes inside the tensor */
    uint32_t at[ISA_TENSOR_DIMS], repeat;
    bool over;
    /* of an engine with a tensor unit: isa_tensor_complete() */
    int (*complete)(struct isa_wave *w, const struct isa_env *env, const struct isa_tensor *t);
};

/* Neighbouring pieces of a transfer, of `bytes` each, 1 to 16: those of the lanes of lds_lanes lie at lds[] there, as
 * far as that is inside LDS, and those of the lanes of memory_lanes at memory[]. */
struct isa_tensor_part {
    uint32_t bytes;
    uint32_t lds_lanes, memory_lanes;
    gaddr_t memory[ISA_TENSOR_LANES];
    uint32_t lds[ISA_TENSOR_LANES];
};

/* Reads the descriptor, groups that the instruction does not name being null. Returns what is wrong with it, or null.
 * One that moves nothing is over. */
const char *isa_tensor_open(struct isa_tensor *t, const uint32_t *const group[4], bool store, uint32_t lds_bytes);

/* The bytes of LDS that a transfer that has not begun reaches: from lo on and before hi, with the gaps between them. */
void isa_tensor_extent(const struct isa_tensor *t, uint32_t *lo, uint32_t *hi);

/* The next part; false: there is none. */
bool isa_tensor_next(struct isa_tensor *t, struct isa_tensor_part *part);

#endif

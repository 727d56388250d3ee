/* The memory that a kernel finds at its start: hidden kernel arguments, the AQL dispatch packet and the queue.
 *
 * Hidden arguments are placed at the offsets that the metadata states, which serves code object v3 to v6 alike. They
 * are block counts (whole workgroups), group sizes, remainders, global offsets (0), grid dims, dynamic LDS size, the
 * high words of the apertures, and the queue pointer. Pointers to services that gcnsim does not have (printf and
 * hostcall buffers, device heap, default queue, completion action, multigrid sync) are null: a kernel that uses one
 * faults at the access. A hidden argument of unknown kind is an error that names it.
 *
 * Source: LLVM's AMDGPUUsage, "Kernarg Segment", "Code Object V3/V5 Kernel Argument Metadata"; the HSA runtime
 * specification for the packet; amd_hsa_queue.h for the offsets of the aperture words (0x40, 0x44), as LLVM reads them.
 */
#ifndef GCNSIM_LAUNCH_KERNARG_H
#define GCNSIM_LAUNCH_KERNARG_H

#include "sim/launch/state.h"
#include "sim/loader/metadata.h"

#define LAUNCH_PACKET_BYTES 64u
#define LAUNCH_QUEUE_BYTES  256u

/* The values for hidden arguments, packet and queue. */
struct launch_numbers {
    uint32_t grid[3], workgroup[3]; /* work-items */
    uint32_t dynamic_lds_bytes, lds_bytes, scratch_bytes_per_lane;
    gaddr_t queue, kernel_object, kernarg;
    gaddr_t shared_aperture, private_aperture;
};

/* The number of dimensions of a dispatch: the highest dimension with more than one work-item, at least 1. */
unsigned launch_dims(const uint32_t grid[3]);

/* Writes the hidden arguments of `md` to kernarg[0..size). */
int launch_hidden_args(uint8_t *kernarg, uint32_t size, const struct co_kernel_metadata *md,
                       const struct launch_numbers *n, struct err *e);

void launch_packet(uint8_t out[LAUNCH_PACKET_BYTES], const struct launch_numbers *n);
void launch_queue(uint8_t out[LAUNCH_QUEUE_BYTES], const struct launch_numbers *n);

/* Metadata and descriptors state sizes of 32 bits for a segment that holds a few kilobytes at most. ERR_LIMIT beyond
 * LAUNCH_MAX_KERNARG_BYTES. */
#define LAUNCH_MAX_KERNARG_BYTES (1u << 20)
int launch_check_kernarg_size(const char *kernel, uint32_t bytes, struct err *e);

#endif

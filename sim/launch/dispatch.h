/* From a kernel and a dispatch to a struct launch: checks sizes, makes the kernarg segment, dispatch packet,
 * queue and scratch in device memory, and sets up the registers (state.h). */
#ifndef GCNSIM_LAUNCH_DISPATCH_H
#define GCNSIM_LAUNCH_DISPATCH_H

#include "sim/launch/state.h"
#include "sim/loader/code_object.h"

/* Scratch of a kernel whose stack is sized at run time, bytes per work-item: what LLVM assumes of calls that it cannot
 * see (amdgpu-assume-external-call-stack-size). */
#define LAUNCH_DYNAMIC_STACK_BYTES 16384u

struct launch_request {
    struct mem_space *space;
    const struct isa_target *target;
    struct isa_program *program;
    const struct profile *profile; /* may be null */
    enum co_family family;
    const struct co_kernel *kernel;
    gaddr_t descriptor, entry; /* device addresses */
    uint32_t grid[3], workgroup[3];
    uint32_t dynamic_lds_bytes, private_bytes;
    const uint8_t *kernarg; /* explicit arguments; may be null */
    size_t kernarg_bytes;
};

struct launch_dispatch {
    struct launch launch;
    struct launch_state state;
    struct mem_space *space;
    gaddr_t owned[4]; /* allocations to free; 0: none */
    unsigned owned_count;
};

int launch_prepare(struct launch_dispatch *d, const struct launch_request *q, struct err *e);
void launch_release(struct launch_dispatch *d);

/* What a workgroup's LDS is rounded up to, which kernels can reach: the profile's granule; without one 512 bytes, 1024
 * on RDNA. */
uint32_t launch_lds_granule(const struct isa_target *t, const struct profile *p);

/* How many scratch slots to provide for wave_count waves: enough for all that can be resident on the profile's chip
 * (without one: LAUNCH_DEFAULT_SLOTS), in a region of less than 4 GiB, which is what wave offsets reach. Whole
 * workgroups; an error when not one fits. */
#define LAUNCH_DEFAULT_SLOTS 4096u
int launch_scratch_slots(const struct launch *l, uint64_t wave_bytes, uint32_t *slots, struct err *e);

#endif

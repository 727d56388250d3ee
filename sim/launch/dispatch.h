/* From a kernel and a dispatch to a struct launch (launch.h): checks sizes, allocates and fills the kernarg segment,
 * dispatch packet, queue and scratch in device memory, and sets up the register state (state.h).
 *
 * Left out: the queue itself (no packet is read from a ring), signals, barrier packets.
 *
 * Ownership: a struct launch_dispatch owns the device memory it allocates until launch_release(), and borrows
 * everything that its struct launch_request points to. Sizes are bytes; grid and workgroup are work-items.
 *
 * Errors: ERR_USAGE for sizes that kernel, ABI or profile do not allow, ERR_FORMAT for a descriptor that contradicts
 * itself, ERR_UNSUPPORTED for a hidden argument of unknown kind, ERR_NOMEM.
 */
#ifndef GCNSIM_LAUNCH_DISPATCH_H
#define GCNSIM_LAUNCH_DISPATCH_H

#include "sim/launch/state.h"
#include "sim/loader/code_object.h"

/* Scratch of a kernel with a dynamic stack, bytes per work-item. LLVM assumes as much for calls to unknown functions
 * (amdgpu-assume-external-call-stack-size). */
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
    uint32_t cluster[3]; /* workgroups; all 0: as the kernel's metadata says */
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

/* The granule in which LDS is allocated to a workgroup, bytes; the kernel may access all of it. It is the profile's, or
 * without a profile 512, and 1024 from gfx10.3 on. */
uint32_t launch_lds_granule(const struct isa_target *t, const struct profile *p);

/* Slots for waves on the whole chip. The launch has a profile. */
uint64_t launch_wave_slots(const struct launch *l);

/* The number of scratch slots of wave_bytes each: one for each wave that can be resident on the profile's chip (without
 * a profile: LAUNCH_DEFAULT_SLOTS), within 4 GiB because wave offsets have 32 bits, and a whole number of workgroups.
 * ERR_USAGE when not one workgroup fits. */
#define LAUNCH_DEFAULT_SLOTS 4096u
int launch_scratch_slots(const struct launch *l, uint64_t wave_bytes, uint32_t *slots, struct err *e);

#endif

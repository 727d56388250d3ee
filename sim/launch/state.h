/* The initial register state of a wave, as the command processor and the dispatcher (SPI) set it.
 *
 * Once per dispatch, the functions below determine user SGPRs, MODE, register counts, occupancy and scratch layout.
 * launch_init_wave() (launch.h) makes waves from them. launch_prepare() (dispatch.h) calls them for a code object; a
 * raw launch calls them with register values of its own.
 *
 * Modelled, after LLVM's AMDGPUUsage ("Initial Kernel Execution State", "Kernel Prolog", "Flat Scratch") and the
 * kernel descriptor:
 *   - user SGPRs in the order private segment buffer (4), dispatch ptr (2), queue ptr (2), kernarg ptr (2),
 *     dispatch id (2), flat scratch init (2), private segment size (1), preloaded kernarg;
 *   - system SGPRs after them: workgroup id x, y, z, workgroup info, private segment wave byte offset (not with
 *     architected flat scratch); on gfx12 workgroup ids in TTMP9 (x) and TTMP7 (y low half, z high half), and the
 *     wave's number in its workgroup in TTMP8[29:25];
 *   - work-item ids in v0, v1, v2 or packed in v0, as many as ENABLE_VGPR_WORKITEM_ID states;
 *   - EXEC of waves at the end of a workgroup, partial workgroups at the end of the grid (whose work-items are laid
 *     out by the partial size, as the dispatcher does);
 *   - MODE from RSRC1.
 *
 * Scratch: each wave has a slot of lanes * bytes_per_lane rounded up to 1024; within it dword d of lane l is at
 * (d * lanes + l) * 4. FLAT_SCRATCH_INIT is, on gfx8, the offset of the scratch memory from the base that hardware
 * keeps aside (here: 0) and the size per lane; from gfx9 on its address.
 *
 * Where hardware leaves a register undefined, gcnsim chooses: VGPRs, SGPRs and LDS start as zero, so that runs are
 * repeatable, and M0 starts as the LDS size in bytes on targets that clamp DS addresses by it.
 *
 * Left out: trap handlers, CP-initialised registers of graphics, ordered append terms.
 */
#ifndef GCNSIM_LAUNCH_STATE_H
#define GCNSIM_LAUNCH_STATE_H

#include "sim/launch/launch.h"
#include "sim/loader/kernel_descriptor.h"

#define LAUNCH_SHARED_APERTURE  UINT64_C(0x0001000000000000)
#define LAUNCH_PRIVATE_APERTURE UINT64_C(0x0002000000000000)
#define LAUNCH_SCRATCH_ALIGN    1024u
#define LAUNCH_MAX_USER_SGPRS   32u

struct launch_state {
    struct co_rsrc rsrc;
    gaddr_t entry; /* first instruction */
    uint32_t user_sgprs[LAUNCH_MAX_USER_SGPRS];
    unsigned user_sgpr_count;
    bool wave_offset_sgpr; /* the private segment wave byte offset is passed */
    bool ids_in_ttmps, packed_ids;
    uint32_t grid[3]; /* work-items */
    uint32_t mode_reg, m0;
    gaddr_t scratch_base; /* of slot 0 */
    uint32_t scratch_bytes_per_lane;
    uint64_t scratch_wave_bytes; /* of a slot */
};

/* Device addresses of a kernel's hidden inputs; 0: the kernel does not use it. */
struct launch_pointers {
    uint32_t argument_bytes; /* given, of kernarg_bytes */
    gaddr_t dispatch_packet, queue, kernarg;
    uint64_t dispatch_id;
    const uint8_t *kernarg_host; /* for preloading; kernarg_bytes readable */
    uint32_t kernarg_bytes;
};

/* The registers that a wave may access, from the register words: sets nvgprs, nagprs, nsgprs, prefetch_bytes and
 * wgp_mode of *l, whose target must be set. ERR_FORMAT for counts that the target cannot have. */
int launch_registers(struct launch *l, const struct co_rsrc *r, enum co_family family, struct err *e);

/* The numbers of workgroups and waves, from grid and workgroup sizes in work-items; l->target and l->lanes must be set.
 * Checks the AQL rules: 1 <= workgroup <= grid in each dimension, workgroup sizes of 16 bits, at most max_items per
 * workgroup. */
int launch_shape(struct launch *l, struct launch_state *s, const uint32_t grid[3], const uint32_t workgroup[3],
                 uint32_t max_items, struct err *e);

/* Makes the clusters of a launch with launch_shape(), of so many workgroups in each dimension (0: one): l->clusters,
 * which is the caller's to free. ERR_USAGE for a target without clusters, more than LAUNCH_MAX_CLUSTER workgroups,
 * which is what the registers have room for, and a grid that is no multiple, which HIP refuses, too. */
enum { LAUNCH_MAX_CLUSTER = 16 };
int launch_clusters(struct launch *l, const uint32_t size[3], struct err *e);

/* Sets l->occupancy on l->profile; registers, lds_bytes, waves_per_group and wgp_mode of *l must be set. ERR_USAGE when
 * not one workgroup fits a CU (or WGP). */
int launch_set_occupancy(struct launch *l, struct err *e);

/* The same from numbers; groups_per_cu is 0 when no workgroup fits. vgprs: with AccVGPRs when the file is unified. */
void launch_occupancy_numbers(const struct profile *p, uint32_t lanes, uint32_t waves_per_group, uint32_t vgprs,
                              uint32_t agprs, uint32_t sgprs, uint32_t lds_bytes, bool wgp_mode,
                              struct launch_occupancy *out);

/* Where waves of a kernel start whose first instruction is at `entry`. Kernels with preloaded kernarg begin with 256
 * bytes of code that loads it, for firmware that cannot preload; firmware that can starts waves after that code. On
 * gfx1250 all of it can, and there is no such code (LLVM 22 GCNSubtarget.h, needsKernArgPreloadProlog). */
static inline gaddr_t launch_entry(const struct kernel_descriptor *kd, enum co_family family, gaddr_t entry)
{
    return entry + (kd->kernarg_preload_length_dwords && family != CO_GFX12_5 ? 256 : 0);
}

/* Whether a kernel has scratch when the packet asks for some. */
static inline bool launch_uses_scratch(const struct kernel_descriptor *kd, const struct co_rsrc *r)
{
    return r->enable_private_segment || kd->uses_dynamic_stack || kd->private_segment_fixed_size;
}

/* Sets the number of user SGPRs from s->rsrc. ERR_FORMAT when there are more than processors have, which the six bits
 * of gfx1250 could state. */
int launch_user_sgpr_count(struct launch_state *s, struct err *e);

/* Sets the user SGPRs and their number from a descriptor; s->rsrc and the scratch fields must be set. ERR_FORMAT when
 * they are more than RSRC2 states. */
int launch_user_sgprs(const struct launch *l, struct launch_state *s, const struct kernel_descriptor *kd,
                      enum co_family family, const struct launch_pointers *p, struct err *e);

/* Sets MODE, M0 and the locations of ids, from s->rsrc and the target. */
void launch_modes(const struct launch *l, struct launch_state *s);

/* Bytes of a wave's scratch slot. */
uint64_t launch_scratch_wave_bytes(uint32_t lanes, uint32_t bytes_per_lane);

#endif

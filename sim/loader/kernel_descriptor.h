/* The 64-byte kernel descriptor and the register words in it.
 *
 * The command processor reads the descriptor (the object NAME.kd in .rodata) to start a kernel. It holds segment sizes,
 * the distance to the first instruction, the values to place in SGPRs and VGPRs, and the register words
 * COMPUTE_PGM_RSRC1/2/3, whose layout depends on the family.
 *
 * Source: LLVM 19's llvm/Support/AMDHSAKernelDescriptor.h for the layout; AMDGPUUsage, "Kernel Descriptor" for
 * units. Which reserved bits are refused was taken from what llvm-objdump 19 refuses, bit by bit, on gfx803,
 * gfx906, gfx90a, gfx942, gfx1030, gfx1100 and gfx1201. gfx950 follows gfx90a/gfx942. One exception:
 * GRANULATED_WAVEFRONT_SGPR_COUNT on gfx10 and later, which llvm-objdump refuses but clang 19 itself writes; the
 * hardware and gcnsim ignore it.
 *
 * co_rsrc_decode() takes bare words, so that it also decodes the register values of raw launches, which may set fields
 * that a descriptor must leave zero, such as the LDS size.
 */
#ifndef GCNSIM_LOADER_KERNEL_DESCRIPTOR_H
#define GCNSIM_LOADER_KERNEL_DESCRIPTOR_H

#include "sim/loader/target_id.h"
#include "sim/util/error.h"

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_DESCRIPTOR_BYTES 64

struct kernel_descriptor {
    uint32_t group_segment_fixed_size;     /* static LDS, bytes per workgroup */
    uint32_t private_segment_fixed_size;   /* scratch, bytes per work-item (more with a dynamic stack) */
    uint32_t kernarg_size;                 /* bytes; 0 also in code objects that do not state it */
    int64_t kernel_code_entry_byte_offset; /* from the descriptor's address to the first instruction */
    uint32_t compute_pgm_rsrc1, compute_pgm_rsrc2, compute_pgm_rsrc3;

    /* kernel_code_properties: the user SGPRs to set, in the order of their numbers */
    uint16_t kernel_code_properties; /* the raw word */
    bool enable_sgpr_private_segment_buffer;
    bool enable_sgpr_dispatch_ptr;
    bool enable_sgpr_queue_ptr;
    bool enable_sgpr_kernarg_segment_ptr;
    bool enable_sgpr_dispatch_id;
    bool enable_sgpr_flat_scratch_init;
    bool enable_sgpr_private_segment_size;
    bool enable_wavefront_size32; /* gfx10 and later */
    bool uses_dynamic_stack;
    bool user_sgprs_are_arguments; /* made of registers (registers.h): the arguments' dwords are the user SGPRs */

    uint16_t kernarg_preload_length_dwords; /* dwords of kernarg placed in user SGPRs (gfx90a, gfx94x) */
    uint16_t kernarg_preload_offset_dwords; /* first of them, from the start of the kernarg segment */
};

/* Decodes 64 bytes. A reserved bit that is set is an error, which names the field and its offset in the descriptor. */
int kernel_descriptor_decode(struct kernel_descriptor *out, const uint8_t bytes[KERNEL_DESCRIPTOR_BYTES],
                             enum co_family family, struct err *e);

/* What a kernel of code object v2 has instead: 256 bytes of amd_kernel_code_t, which begin at its symbol, before
 * its code. Decoded are the fields that a dispatch uses; the entry's offset is from the first of these bytes. Refused
 * are an unknown major version, a kernel of another machine than gfx6 and later, the counts of workgroups in SGPRs,
 * which no command processor sets, GDS, and scratch that is not interleaved by dwords. Source: LLVM 14's
 * AMDKernelCodeT.h; clang 14 writes it. */
#define AMD_KERNEL_CODE_BYTES 256
int amd_kernel_code_decode(struct kernel_descriptor *out, const uint8_t bytes[AMD_KERNEL_CODE_BYTES],
                           enum co_family family, struct err *e);

/* The fields of COMPUTE_PGM_RSRC1/2/3. A field that a family does not have reads as zero. */
struct co_rsrc {
    /* RSRC1 */
    unsigned granulated_vgprs, granulated_sgprs; /* the raw fields */
    unsigned vgprs; /* as RSRC1 encodes them; with the unified register file of gfx90a AccVGPRs are included */
    unsigned sgprs; /* of a wave, VCC and other trailing ones included; gfx10+: always 128 */
    unsigned priority;
    unsigned float_round_32, float_round_16_64;   /* 0 nearest even, 1 +inf, 2 -inf, 3 zero */
    unsigned float_denorm_32, float_denorm_16_64; /* 0 flush in+out, 1 flush out, 2 flush in, 3 keep */
    unsigned float_mode;                          /* the eight bits above as they stand in the MODE register */
    bool priv, dx10_clamp, debug_mode, ieee_mode, bulky, cdbg_user;
    bool fp16_ovfl;                           /* gfx9+ */
    bool wgp_mode, mem_ordered, fwd_progress; /* gfx10+ */
    bool wg_rr_en, disable_perf;              /* gfx12: in the places of dx10_clamp and ieee_mode */
    /* RSRC2 */
    bool enable_private_segment; /* scratch; gfx6-gfx10 without architected flat scratch: the wave offset SGPR */
    unsigned user_sgpr_count;
    bool enable_trap_handler; /* gfx6-gfx11 */
    bool enable_sgpr_workgroup_id_x, enable_sgpr_workgroup_id_y, enable_sgpr_workgroup_id_z;
    bool enable_sgpr_workgroup_info;
    unsigned vgpr_workitem_id; /* 0 x, 1 x y, 2 x y z */
    bool exception_address_watch, exception_memory;
    unsigned granulated_lds; /* the raw field; zero in descriptors, the dispatcher fills it */
    bool exception_fp_invalid, exception_fp_denorm_src, exception_fp_div_zero, exception_fp_overflow;
    bool exception_fp_underflow, exception_fp_inexact, exception_int_div_zero;
    /* RSRC3 */
    unsigned accum_offset_vgprs;     /* gfx90a: first AccVGPR's place in the unified file, 4..256 */
    bool tg_split;                   /* gfx90a: waves of a workgroup may be spread over CUs */
    unsigned shared_vgprs;           /* gfx10, gfx11 wave64: VGPRs shared by the two halves */
    unsigned inst_pref_bytes;        /* gfx11+: instruction prefetch at the start */
    bool trap_on_start, trap_on_end; /* gfx11 */
    bool glg_en;                     /* gfx12 */
    unsigned named_barriers;         /* gfx1250: named barriers of a workgroup, in steps of four */
    bool dynamic_vgprs;              /* gfx1250; gfx12: RSRC2 */
    bool image_op;                   /* gfx11+ */
    /* From RSRC1 and RSRC3: vector registers that a wave may access. A chip allocates at least as many: it rounds up to
     * a granule of its own (sim/launch/state.h). */
    unsigned arch_vgprs; /* v0, v1 ...; wave64 of gfx10 and gfx11: with the shared ones */
    unsigned acc_vgprs;  /* a0, a1 ...; gfx90a: what the unified file holds past the accum offset */
};

void co_rsrc_decode(struct co_rsrc *out, enum co_family family, bool wave32, uint32_t rsrc1, uint32_t rsrc2,
                    uint32_t rsrc3);

#endif

/* Targets: the tree of instruction sets, what each can do, and its decode tables.
 *
 * A node is an instruction set; a target name ("gfx1103") maps to a node. A node inherits every opcode from its
 * parent unless a row says OP/AS/GONE for it. There is no order between nodes: code asks isa_has(t, FEATURE).
 *
 *   GFX8 -> GFX9 -> GFX906 -> GFX908 -> GFX90A -> GFX942 -> GFX950
 *           GFX9 -> GFX10 -> GFX10_3 -> GFX11 -> GFX11_5 -> GFX12 -> GFX12_5
 *
 * Sources: LLVM 19 lib/Target/AMDGPU (GCNProcessors.td, AMDGPUBaseInfo.cpp), AMD ISA manuals; GFX950, which LLVM 19
 * does not know, from the CDNA4 ISA manual and LLVM 22.
 */
#ifndef GCNSIM_ISA_TARGET_H
#define GCNSIM_ISA_TARGET_H

#include "sim/util/bits.h"
#include "sim/util/error.h"
#include "sim/util/vocab.h"

/* clang-format off */
#define ISA_NODES(X)                                                                                                   \
    X(GFX8, GFX8)                                                                                                      \
    X(GFX9, GFX8)                                                                                                      \
    X(GFX906, GFX9)                                                                                                    \
    X(GFX908, GFX906)                                                                                                  \
    X(GFX90A, GFX908)                                                                                                  \
    X(GFX942, GFX90A) X(GFX950, GFX942) X(GFX10, GFX9) X(GFX10_3, GFX10) X(GFX11, GFX10_3) X(GFX11_5, GFX11) X(GFX12, GFX11_5) X(GFX12_5, GFX12)
/* clang-format on */

enum isa_node {
#define X(N, PARENT) N_##N,
    ISA_NODES(X)
#undef X
        N_COUNT
};

/* Positions of fields in an instruction word; five layouts serve all targets. */
enum isa_layout { LAYOUT_GFX8, LAYOUT_GFX9, LAYOUT_GFX10, LAYOUT_GFX11, LAYOUT_GFX12 };

/* Instruction formats. FLAT, GLOBAL and SCRATCH share an encoding and are told apart by its SEG field. */
/* clang-format off */
#define ISA_FORMATS(X)                                                                                                 \
    X(SOP1)                                                                                                            \
    X(SOP2)                                                                                                            \
    X(SOPC)                                                                                                            \
    X(SOPK)                                                                                                            \
    X(SOPP)                                                                                                            \
    X(SMEM)                                                                                                            \
    X(VOP1)                                                                                                            \
    X(VOP2)                                                                                                            \
    X(VOPC)                                                                                                            \
    X(VOP3)                                                                                                            \
    X(VOP3P) X(VINTRP) X(VINTERP) X(LDSDIR) X(DS) X(FLAT) X(GLOBAL) X(SCRATCH) X(MUBUF) X(MTBUF) X(VBUFFER) X(MIMG)    \
        X(VIMAGE) X(VSAMPLE) X(EXP) X(VOPDX) X(VOPDY) X(VOPD3X) X(VOPD3Y) X(TENSOR)          \
        X(VOP3PX) X(ILLEGAL)
/* clang-format on */

enum isa_format {
#define X(F) FMT_##F,
    ISA_FORMATS(X)
#undef X
        FMT_COUNT
};

extern const char *const isa_format_name[FMT_COUNT];

/* Abilities and peculiarities of targets. Code asks for these by name and never compares generations. */
/* clang-format off */
#define ISA_FEATURES(X)                                                                                                \
    X(WAVE32)            /* wave size is chosen per kernel: 32 or 64 */                                                \
    X(SDWA)              /* sub-dword addressing twins of VOP1/2/C */                                                  \
    X(SDWA_SGPR)         /* SDWA sources may be SGPRs, VOPC has an sdst, omod legal (gfx9, gfx10) */                   \
    X(DPP)               /* DPP16 twins */                                                                             \
    X(DPP_WAVE)          /* wave_shl/rol/shr/ror and row_bcast (gfx8, gfx9) */                                         \
    X(DPP_ROW_SHARE)     /* row_share, row_xmask, fetch-inactive bit (gfx10 on) */                                     \
    X(DPP_ROW_NEWBCAST)  /* row_newbcast (gfx90a, gfx942) */                                                           \
    X(DPP_64)            /* 64-bit DPP operations (gfx90a on, gfx1251) */                                               \
    X(DPP8)              /* eight-lane permute twins */                                                                \
    X(VOP3_DPP)          /* VOP3 and VOP3P take DPP words */                                                           \
    X(VOP3_LITERAL)      /* VOP3/VOP3P may take a literal; two scalar operands */                                      \
    X(OP_SEL)            /* VOP3 op_sel on 16-bit operands (gfx9 on) */                                                \
    X(D16_HI_ZERO)       /* 16-bit results clear the high half (gfx8, gfx9); otherwise it is kept */                   \
    X(D16_MEM_KEEP)      /* d16 loads keep the other half of the destination (gfx9 without SRAM-ECC, gfx10 on) */      \
    X(NULL_SGPR)         /* a null register */                                                                         \
    X(AGPR)              /* accumulation registers */                                                                  \
    X(AGPR_UNIFIED)      /* AGPRs and VGPRs are one file; memory and VALU operands may be AGPRs (gfx90a, gfx942) */    \
    X(FLAT_SCRATCH_SGPR) /* flat_scratch is a pair of SGPRs set up by the kernel's prologue (gfx8, gfx9) */            \
    X(ARCH_FLAT_SCRATCH) /* flat_scratch is set up by hardware (gfx942, gfx11 on) */                                   \
    X(ARCH_SGPRS)        /* workgroup ids arrive in TTMPs (gfx12) */                                                   \
    X(PACKED_TID)        /* work-item ids packed in v0 (gfx90a, gfx942, gfx11 on) */                                   \
    X(XNACK_MASK)        /* xnack_mask SGPRs 104:105 (gfx8, gfx9) */                                                   \
    X(TTMP_112)          /* ttmp0 is source 112 (gfx8); 108 otherwise */                                               \
    X(M0_125)            /* m0 is source 125 and null 124 (gfx11 on); m0 124 and null 125 otherwise */                 \
    X(LDS_M0_CLAMP)      /* DS instructions are clamped by M0 (gfx8) */                                                \
    X(UNALIGNED)     /* unaligned global and LDS access allowed as set up by the HSA runtime (gfx9 on; gfx8 global) */ \
    X(SPLIT_BARRIER) /* s_barrier_signal / s_barrier_wait */                                                           \
    X(SPLIT_COUNTERS)    /* loadcnt, storecnt, dscnt, kmcnt ... (gfx12) */                                             \
    X(VSCNT)             /* stores count in vscnt (gfx10, gfx11) */                                                    \
    X(SCC_IN_STATE_PRIV) /* gfx12: STATUS bits moved to STATE_PRIV */                                                  \
    X(IEEE_MODE)         /* MODE has IEEE and DX10_CLAMP bits (not gfx12) */                                           \
    X(NEG_SMEM)    /* SMEM immediate offset is signed */                                                               \
    X(TRAP_TMA)    /* tba/tma SGPRs 108..111 (gfx8) */                                                                 \
    X(S_TRUE16)    /* true16 operands in VOP1/2/C/3 (gfx11 on) */                                                      \
    X(CU_MODE_WGP) /* workgroup processors: WGP mode bit in RSRC1 */                                                   \
    X(CMPX_EXEC_ONLY) /* v_cmpx writes EXEC alone (gfx10 on) */                                                        \
    X(BPERMUTE_32)    /* ds_permute and ds_bpermute stay within 32 lanes in wave64 too (gfx10, gfx11) */               \
    X(GETPC_ZEXT)     /* s_getpc_b64 clears the bits above the 48 of the program counter (gfx12) */                    \
    X(MATRIX_FLUSH16) /* MFMA of 16-bit floats flushes denormals, in and out (gfx90a) */                               \
    X(VGPR_INDEX)     /* s_set_gpr_idx (gfx8, gfx9) */                                                                 \
    X(DEALLOC_VGPRS)  /* s_sendmsg has a message that deallocates the wave's VGPRs (gfx11 on) */                       \
    X(SC_BITS)        /* cache bits of vector memory are sc0, sc1 and nt (gfx942) */                                   \
    X(HWREG_XCC)      /* hardware registers of the XCC: XCC_ID, SQ_PERF_SNAPSHOT_* (gfx942) */                         \
    X(HWREG_CYCLES)   /* hardware register SHADER_CYCLES (gfx10.3 on) */                                               \
    X(HOLD_CNT)       /* s_waitcnt_depctr has hold_cnt (gfx10.3 on) */                                                 \
    X(WRITELANE_LDS)  /* v_writelane takes src_lds_direct (gfx10 on) */                                                \
    X(RELATIVE_TWINS) /* v_movrel* have SDWA and DPP forms (gfx10 on) */                                               \
    X(SADDR_7F)       /* scratch: saddr 0x7f means none, as null does (gfx10.3) */                                     \
    X(MSG_SE_AID)     /* s_sendmsg_rtn returns SE and AID ids (gfx12) */                                               \
    X(LDS_ALLOC_1K)   /* LDS is allocated in units of 1024 bytes, 512 otherwise (gfx10.3 on) */                        \
    X(WMMA)           /* WMMA matrix instructions (gfx11 on) */                                                        \
    X(LDSDIR)         /* direct loads from LDS: lds_direct_load, lds_param_load (gfx11 on) */                          \
    X(VOPD_MOV_BANKS) /* two v_dual_mov may read one bank (gfx12) */                                                   \
    X(BLOCK_MEMORY)   /* loads and stores of up to 32 registers, as M0 says (gfx12) */                                 \
    X(LITERAL64)      /* source 254 announces a literal of 64 bits (gfx1250) */                                        \
    X(VGPR_MSB)       /* MODE has the upper two bits of VGPR numbers: s_set_vgpr_msb (gfx1250) */                      \
    X(SETREG_MSB)     /* s_setreg_imm32_b32 on MODE writes VGPR_MSB, too (gfx1250; its sibling does not) */            \
    X(ALIGNED_VGPRS)  /* tuples of VGPRs start at an even one (gfx1250; gfx90a on are AGPR_UNIFIED) */                 \
    X(FLAT_SADDR)     /* FLAT addresses may be an SGPR pair and a 32-bit VGPR (gfx1250) */                             \
    X(SCALE_OFFSET)   /* memory instructions have nv and scale_offset bits; VGPR offsets are signed (gfx1250) */       \
    X(SCRATCH_SIGNED) /* scratch: VGPR and SGPR are signed offsets (gfx12 on) */                                       \
    X(SCRATCH_GLOBAL) /* private memory of each lane has flat addresses of its own: src_flat_scratch_base (gfx1250) */ \
    X(COMPUTE_ONLY)   /* no formats of graphics: images, exports, interpolation, direct LDS loads (gfx1250) */         \
    X(VOPD3)          /* dual issue in three words (gfx1250) */                                                        \
    X(PK_F32_ONE_SGPR) /* packed f32: an SGPR is one word, for both results (gfx1250) */                               \
    X(CLUSTERS)       /* workgroups form clusters, which have barriers of their own (gfx1250) */                       \
    X(HWREG_WAVE)     /* hardware registers under the names HW_REG_WAVE_* (gfx1250) */                                 \
    /* Hazards and bugs that software must avoid, named after LLVM's features; sim/check/ looks for them. */        \
    X(HAZARDS_GFX10_1)         /* those of gfx10.1 alone (rdna.c, bugs.c) */                                           \
    X(HAZARDS_GFX950)          /* a wait state more after MFMA of four passes and more, than gfx942 (gfx950) */       \
    X(HAZARDS_GFX942)          /* wait states of gfx942: partial and transcendental results, MFMA by its passes */     \
    X(CMPX_PERMLANE_HAZARD)    /* v_cmpx, then a permute (gfx10.1, gfx11 on) */                                        \
    X(TRANS_USE_HAZARD)        /* VALU reads a transcendental result too early (gfx11.0) */                            \
    X(TRANS_BESIDE_HAZARD)     /* VALU right after a transcendental reads its result, writes its source (gfx1250) */  \
    X(MASK_WRITE_HAZARD)       /* SALU or VALU writes an SGPR that VALU has read as a lane mask (gfx11) */             \
    X(READ_SGPR_HAZARD)        /* VALU reads an SGPR that has been written since VALU read it (gfx12, not gfx1250) */   \
    X(PARTIAL_FORWARD_HAZARD)  /* results from before and after a change of EXEC (gfx11) */                            \
    X(MAD64_OVERLAP_BUG)       /* v_mad_u64_u32 overwrites its sources (gfx11.0) */                                    \
    X(SCRATCH_NEGATIVE_BUG)    /* scratch: an SGPR beside a negative offset (gfx9) */                                  \
    X(MFMA_INLINE_C_BUG)       /* a constant as C of MFMA (gfx908) */                                                  \
    X(SHIFT64_HIGH_VGPR_BUG)   /* 64-bit shift by the wave's last VGPR (gfx90a) */
/* clang-format on */

enum isa_feature {
#define X(F) FEAT_##F,
    ISA_FEATURES(X)
#undef X
        FEAT_COUNT
};
_Static_assert(FEAT_COUNT <= 128, "a bit per feature");

struct isa_row;

#define ISA_MAX_ARGS 8 /* of a row */

/* One cell of the [format][opcode] table. */
struct isa_op {
    const struct isa_row *row;   /* null: no such opcode */
    const char *mnemonic;        /* as LLVM names it on this target, without _e32/_e64 ... */
    enum isa_format base_format; /* VOP1/VOP2/VOPC for the VOP3 twin of such an instruction, else the format itself */
    uint64_t zero;               /* bits of the first two words that must be zero */
    /* What the decoder would otherwise find out of the row for each word (isa/decode/traits.c): */
    uint8_t traits;            /* enum isa_op_trait */
    uint8_t first_src;         /* index of the first operand that is read */
    uint8_t mode_need;         /* fields of MODE that its arithmetic depends on: 1 f32, 2 f16 and f64 */
    uint8_t arg[ISA_MAX_ARGS]; /* enum isa_arg_trait of each argument */
};

struct isa_pattern;
struct isa_variant; /* which compiled set of lane loops: isa/variant.h */

struct isa_target {
    char name[16];
    enum isa_node node;
    enum isa_layout layout;
    unsigned __int128 features;  /* bit per enum isa_feature */
    uint16_t code_m0, code_null; /* source codes; code_null 0xffff where there is none */
    uint16_t code_ttmp0;         /* first trap temporary */
    uint16_t ttmp_count;
    uint16_t sgpr_limit;           /* general SGPRs addressable: 102 or 106 */
    uint16_t code_flat_scratch;    /* 0xffff where it is not an SGPR pair */
    uint16_t code_xnack_mask;      /* 0xffff where there is none */
    uint8_t wait_bits[WAIT_COUNT]; /* width of each wait counter, 0 = the target lacks it */
    const struct isa_variant *variant;
    struct isa_op *ops[FMT_COUNT]; /* owned; null for a format the target lacks */
    uint16_t op_count[FMT_COUNT];
    const struct isa_pattern *patterns; /* of the layout: isa/decode/pattern.c */
    uint8_t encoding[512];              /* by the top nine bits of an instruction: index of its format's pattern */
    bool llvm22;                        /* LLVM 19 does not know it: text, and what is accepted, follow LLVM 22 */
    bool name_halves; /* text names the halves of registers that 16-bit operands are, v1.l, where LLVM 22 does: set by
                         who opens the target */
};

static inline bool isa_has(const struct isa_target *t, enum isa_feature f)
{
    return t->features >> f & 1;
}

/* Whether the tree has a target of this name. */
bool isa_target_known(const char *name);

/* i-th known target name, null past the end. */
const char *isa_target_name(unsigned i);

/* Builds the decode tables of target `name`. variant: "base", "avx2", "avx512" or null for the best this CPU runs.
 * A row stated twice for one opcode is a bug of ours and asserts, naming both. Free with isa_target_close. */
int isa_target_open(struct isa_target **out, const char *name, const char *variant, struct err *e);
void isa_target_close(struct isa_target *t);

/* Whether node n is a, or descends from it. For tables that list nodes; code asks for features. */
bool isa_node_under(enum isa_node n, enum isa_node a);
extern const enum isa_node isa_node_parent[N_COUNT];

#endif

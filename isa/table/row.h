/* The row of an instruction: everything that is stated about it. Rows stand directly above the bodies in isa/insts,
 * made by the shape macros of isa/table/shapes.h; nothing else in gcnsim names an opcode number.
 *
 * A row is matched to a target by its ENC list: the entry nearest to the target's node on the way to the root of the
 * tree holds (isa/table/table.c). OP states an opcode, AS the same under another mnemonic, GONE that it is no more.
 */
#ifndef GCNSIM_ISA_ROW_H
#define GCNSIM_ISA_ROW_H

#include "isa/table/target.h"

/* Operand data types. X(ENUM, dwords, float bits or 0, bits) */
/* clang-format off */
#define ISA_TYPES(X)                                                                                                   \
    X(NONE, 0, 0, 0)                                                                                                   \
    X(B16, 1, 0, 16) X(U16, 1, 0, 16) X(I16, 1, 0, 16) X(F16, 1, 16, 16) X(BF16, 1, 0, 16)                             \
    X(B32, 1, 0, 32) X(U32, 1, 0, 32) X(I32, 1, 0, 32) X(F32, 1, 32, 32)                                               \
    X(PF16, 1, 16, 32)  /* two f16 */                                                                                  \
    X(PF16B, 1, 16, 32) /* the same: an inline constant stands in both, else in the low one with zeros above */        \
    X(PB16, 1, 0, 32)   /* two 16-bit integers */                                                                      \
    X(PBF16, 1, 0, 32)  /* two bf16 */                                                                                 \
    X(PBF16B, 1, 0, 32) /* the same: an inline constant stands in both */                                              \
    X(SMALL, 1, 0, 32)  /* one or two floats of 8 bits and fewer; op_sel says where they are */                        \
    X(MIX, 1, 32, 32)   /* v_fma_mix source: f32, or f16 as op_sel_hi says */                                          \
    X(MIXB, 1, 32, 32)  /* the same of v_fma_mix_f32_bf16: f32 or bf16 */                                              \
    X(B64, 2, 0, 64) X(U64, 2, 0, 64) X(I64, 2, 0, 64) X(F64, 2, 64, 64)                                               \
    X(F64X4, 8, 0, 64)  /* four doubles of a matrix */                                                                 \
    X(PF32, 2, 32, 64)  /* two f32 in a register pair */                                                               \
    X(PB32, 2, 0, 64)   /* two 32-bit integers in a register pair */                                                   \
    X(B96, 3, 0, 96) X(B128, 4, 0, 128) X(B160, 5, 0, 160) X(B192, 6, 0, 192) X(B256, 8, 0, 256)                       \
    X(B224, 7, 0, 224) X(B288, 9, 0, 288) X(B320, 10, 0, 320) X(B352, 11, 0, 352) X(B384, 12, 0, 384)                  \
    X(B512, 16, 0, 512) X(B1024, 32, 0, 1024)                                                                          \
    X(MASK, 0, 0, 0)    /* a lane mask: one SGPR in wave32, two in wave64 */                                           \
    X(SIMM16, 0, 0, 16) /* SOPK and s_clause, s_wait_loadcnt ...: printed in hex */                                    \
    X(IMM16, 0, 0, 16)  /* s_nop, s_sleep, s_setprio, s_trap, s_barrier_wait ...: decimal up to 64, then hex */        \
    X(ENDPGM, 0, 0, 16) /* s_endpgm: printed when not 0 */                                                             \
    X(GPRIDX, 0, 0, 16) /* s_set_gpr_idx_mode: gpr_idx(SRC0,...) */                                                    \
    X(LABEL, 0, 0, 16) X(WAITCNT, 0, 0, 16) X(HWREG, 0, 0, 16) X(SENDMSG, 0, 0, 16) X(DELAY, 0, 0, 16)                 \
    X(DEPCTR, 0, 0, 16) X(VERSION, 0, 0, 16) X(IMM32, 0, 0, 32)                                                        \
    X(ATTR, 0, 0, 0)    /* attr3.x */                                                                                  \
    X(PARAM, 0, 0, 0)   /* p10, p20, p0 */
/* clang-format on */

enum isa_type {
#define X(T, DW, FB, B) T_##T,
    ISA_TYPES(X)
#undef X
        T_COUNT
};

struct isa_type_info {
    uint8_t dwords;     /* registers it takes; 0 for immediates and for MASK (wave size) */
    uint8_t float_bits; /* 16, 32, 64 when neg/abs/denormal handling applies */
    uint16_t bits;
};
extern const struct isa_type_info isa_types[T_COUNT];

/* A type of 16 bits that a register has one half for. */
static inline bool isa_is_half(unsigned type)
{
    return isa_types[type].bits == 16 && isa_types[type].dwords;
}

/* Whether op_sel chooses what is meant of a register of this type. */
static inline bool isa_is_narrow(unsigned type)
{
    return isa_is_half(type) || type == T_SMALL;
}

static inline bool isa_is_packed_f16(unsigned type)
{
    return type == T_PF16 || type == T_PF16B;
}

/* Sources of mixed precision. */
static inline bool isa_is_mixed(unsigned type)
{
    return type == T_MIX || type == T_MIXB;
}

static inline bool isa_is_packed_bf16(unsigned type)
{
    return type == T_PBF16 || type == T_PBF16B;
}

/* The field of the encoding that an operand comes from; isa/decode/fields.c fills the slots of each format. */
enum isa_slot {
    SL_NONE,
    SL_VDST,      /* VOP*: vdst. With A_SGPR it is a scalar destination (v_readlane, VOP3) */
    SL_CARRY_OUT, /* VCC in e32 and SDWA, sdst in VOP3 */
    SL_CMP_OUT,   /* VCC in e32 and gfx8 SDWA, sdst in VOP3 and later SDWA */
    SL_SRC0,
    SL_SRC1,
    SL_SRC2,
    SL_CARRY_IN, /* VCC in e32, src2 in VOP3 */
    SL_K,        /* the literal of v_madmk/fmaak and s_setreg_imm32, s_fmamk */
    SL_SDST,     /* SOP*, SMEM */
    SL_SIMM,     /* SOPK, SOPP immediate */
    SL_SBASE,    /* SMEM base pair or buffer descriptor */
    SL_SOFFSET,  /* SMEM/MUBUF scalar offset */
    SL_OFFSET,   /* SMEM/DS/FLAT/MUBUF immediate; kept in inst->offset */
    SL_ADDR,     /* DS, FLAT, GLOBAL, SCRATCH, MUBUF vaddr */
    SL_DATA0,
    SL_DATA1,
    SL_SADDR,
    SL_SRSRC,   /* descriptor of a buffer (four SGPRs) or an image (eight; four for rays) */
    SL_SSAMP,   /* an image instruction's sampler */
    SL_GWS,     /* ds_gws_*: a data register in DS's address field */
    SL_ATTR,    /* interpolation: attribute and channel, in inst->u.gfx */
    SL_SRC3,    /* exports have four sources */
    SL_M0,      /* exports of primitive rows read M0 */
    SL_SCALE_A, /* of gfx950's scaled MFMA and gfx1250's scaled WMMA */
    SL_SCALE_B,
    SL_COUNT
};

/* The number of a source slot, which is its bit in neg, abs and op_sel; -1 for slots that are no source. */
static inline int isa_source_number(unsigned slot)
{
    return slot >= SL_SRC0 && slot <= SL_SRC2 ? (int)(slot - SL_SRC0) : -1;
}

enum isa_arg_flags {
    A_RD = 1,       /* read */
    A_WR = 2,       /* written */
    A_SGPR = 4,     /* a scalar register, whatever the format's default */
    A_HIDDEN = 8,   /* not in the text: tied to another operand, or implied */
    A_FMOD = 16,    /* takes neg/abs although its type is not a float (v_cndmask) */
    A_NOMOD = 32,   /* no neg/abs although its type is a float (v_ldexp exponent ...) */
    A_ACC = 64,     /* an AGPR by nature of the instruction (v_accvgpr_write) */
    A_IF_RET = 128, /* atomics: there only when the cache bits ask for the old value (glc, sc0, th bit 0) */
    A_VGPR = 256,   /* a VGPR alone where the format would let it be anything */
    A_REG = 1024,   /* no constant (s_setpc, s_movrels) */
    A_LDS = 512,    /* A_VGPR, and src_lds_direct (v_readlane, v_readfirstlane) */
    A_HALF = 2048,  /* of 16 bits, a half of a VGPR, on targets with true 16-bit operands; its type is that of others */
};

struct isa_arg {
    uint8_t slot, type;
    uint16_t flags;
};

/* Registers touched without being operands. */
enum isa_implicit {
    IMP_R_SCC = 1 << 0,
    IMP_W_SCC = 1 << 1,
    IMP_R_VCC = 1 << 2,
    IMP_W_VCC = 1 << 3,
    IMP_R_EXEC = 1 << 4,
    IMP_W_EXEC = 1 << 5,
    IMP_R_M0 = 1 << 6,
    IMP_W_M0 = 1 << 7,
    IMP_R_MODE = 1 << 8,
    IMP_W_MODE = 1 << 9,
    IMP_R_FLAT_SCRATCH = 1 << 10,
    IMP_W_PC = 1 << 11,
    IMP_R_M0_LDS = 1 << 12, /* M0 on targets where it bounds LDS accesses (LDS_M0_CLAMP) */
};

enum isa_row_flags {
    RF_NO_E64 = 1 << 0, /* VOP1/2/C without VOP3 twin */
    RF_NO_SDWA = 1 << 1,
    RF_NO_DPP = 1 << 2,
    RF_INT_CLAMP = 1 << 3,   /* the body honours mode.clamp itself (saturating integers) */
    RF_D16_KEEP_HI = 1 << 4, /* writes 16 bits and keeps the other half even where the target clears it */
    RF_FLUSH = 1 << 5,       /* flushes f32/f16 denormals whatever MODE says (v_mad_f32, v_mac_f32, legacy) */
    RF_NO_FLUSH = 1 << 6, /* looks at floats without arithmetic: MODE denormals do not apply (v_cmp_class, frexp...) */
    RF_CMPX = 1 << 7,     /* result goes to EXEC (and to sdst before gfx10) */
    RF_ANY_LANE = 1 << 8, /* reads or writes lanes whatever EXEC says (readlane, writelane) */
    RF_INTERP = 1 << 9,   /* interpolation that names an attribute; its VOP3 form has it in src0's field */
    RF_GDS = 1 << 10,     /* DS instruction of global data share or global wave sync alone */
    RF_NO_GDS = 1 << 14,  /* DS instruction that never goes to GDS */
    RF_SCOPED = 1 << 28,  /* cache control whose cache bits say how far it reaches */
    RF_NO_EXEC = 1 << 11, /* a vector instruction that runs with EXEC = 0 */
    RF_BARRIER = 1 << 12,
    RF_ENDS = 1 << 13,         /* ends the program or jumps unconditionally */
    RF_RELATIVE = 1 << 15,     /* v_movrel*: SDWA and DPP forms only with FEAT_RELATIVE_TWINS */
    RF_COUNTS_KM = 1 << 16,    /* counts like a scalar load although it is none (gfx12 barrier queries) */
    RF_E32_SUFFIX = 1 << 18,   /* LLVM writes _e32 though there is no VOP3 twin (v_pk_fmac_f16 of gfx9) */
    RF_D16_HI = 1 << 19,       /* the 16-bit result goes to the high half (v_fma_mixhi) */
    RF_OP_SEL = 1 << 20,       /* two op_sel bits mean something to the body although no operand is 16 bits wide */
    RF_SWIZZLE = 1 << 17,      /* ds_swizzle: the offset is a pattern */
    RF_QUIET_OP_SEL = 1 << 22, /* op_sel is not in LLVM's text */
    RF_INT_MODS = 1 << 23, /* float instruction of which LLVM lets VOP3's neg bits sign-extend the integer sources */
    RF_OP_SEL4 = 1 << 24,  /* LLVM writes four op_sel bits, whatever the sources */
    RF_TRUE16 = 1 << 29,   /* LLVM 19, too, names the halves of registers in its text, and in its short forms */
    RF_FIXED_OP_SEL = 1 << 27, /* op_sel and op_sel_hi of VOP3P at their defaults, neg for the sum alone */
    RF_NO_OMOD = 1 << 25,      /* no omod although floats are about (conversions to integers, packing); of packed
                                * integers: neg is not in the text */
    RF_NO_CLAMP = 1 << 26,     /* no clamp although the body or op_sel would make one expect it */
    RF_BITWISE = 1 << 30, /* moves bits or combines them one by one: what is undefined in them stays so in the result */
    RF_TRUTH_TABLE = 1u << 31, /* VOP3's omod, abs and neg are a table of eight bits, in this order */
    RF_MAI = 1 << 21,          /* VOP3P opcode in CDNA's matrix encoding: cbsz, abid, blgp and acc bits for modifiers */
};

enum isa_enc_kind { ENC_OP, ENC_GONE };
struct isa_enc {
    uint8_t kind, node, format;
    uint16_t opcode;
    char alias[42]; /* mnemonic where it differs from the row's name, else empty */
};

/* How the bytes of vector memory and LDS accesses become a register and back. Narrow loads extend to 32 bits; D16 ones
 * fill one half of the register (and keep the other where the target has D16_MEM_KEEP, else clear it). */
enum isa_memconv {
    CONV_DWORDS, /* as they are, one to four registers */
    CONV_U8,
    CONV_I8,
    CONV_U16,
    CONV_I16,
    CONV_FORMAT,          /* through a buffer format: `comps` registers */
    CONV_FORMAT_D16_WIDE, /* 16-bit components, a register each (gfx8) */
    CONV_D16_U8,
    CONV_D16_I8,
    CONV_D16_B16,
    CONV_D16_HI_U8, /* stores too: the byte or half comes from the high half */
    CONV_D16_HI_I8,
    CONV_D16_HI_B16,
    CONV_FORMAT_D16, /* two 16-bit components to a register */
    CONV_FORMAT_D16_HI,
};

/* Where an atomic finds the second operand of its body. */
enum isa_atomic_cmp {
    CMP_NONE,
    CMP_AFTER_DATA, /* in the registers after the data (cmpswap of vector memory) */
    CMP_IN_DATA1,   /* DS: data0 is the data, data1 the other */
    CMP_IN_DATA0,   /* DS before gfx11: data0 is the other, data1 the data */
};

/* Counters that a waiting instruction names; isa/decode/wait.c reads its immediate by this. */
enum isa_wait_kind {
    WAITS_NONE,
    WAITS_PACKED,     /* s_waitcnt: vm, exp and lgkm packed as the target's layout has it */
    WAITS_IDLE,       /* every counter at zero */
    WAITS_BUT_STORES, /* every counter at zero but that of stores */
    WAITS_VM,         /* from here on: the one counter (or two) by name, threshold in the immediate */
    WAITS_VS,
    WAITS_EXP,
    WAITS_LGKM,
    WAITS_LOAD,
    WAITS_SAMPLE,
    WAITS_BVH,
    WAITS_STORE,
    WAITS_DS,
    WAITS_KM,
    WAITS_ASYNC,
    WAITS_TENSOR,
    WAITS_LOAD_DS, /* first counter in [13:8], second in [5:0] */
    WAITS_STORE_DS,
};

/* Instructions with a meaning of their own to an engine's issue logic or to its checks; what they say is in the
 * immediate. */
enum isa_special {
    ISA_SPECIAL_NONE,
    ISA_SPECIAL_NOP,           /* s_nop */
    ISA_SPECIAL_DELAY_ALU,     /* s_delay_alu */
    ISA_SPECIAL_WAIT_ALU,      /* s_waitcnt_depctr, s_wait_alu */
    ISA_SPECIAL_CLAUSE,        /* s_clause */
    ISA_SPECIAL_INST_PREFETCH, /* s_inst_prefetch, s_set_inst_prefetch_distance */
    ISA_SPECIAL_DENORM_MODE,   /* s_denorm_mode */
    ISA_SPECIAL_WAKEUP,        /* s_wakeup */
    ISA_SPECIAL_SENDMSG,
    ISA_SPECIAL_VGPR_MSB,      /* s_set_vgpr_msb */
    ISA_SPECIAL_DEALLOC_VGPRS, /* the message by which a wave gives back its VGPRs; in no row (isa/decode/sched.c) */
};

/* Cache maintenance that an instruction asks for. Where RF_SCOPED is set, or the scope field of RDNA4 is there, the
 * hint says how far it reaches; mem/cache/policy.h knows which levels that is. */
enum isa_cache_control {
    ISA_CACHE_INV = 1 << 0, /* invalidate clean lines */
    ISA_CACHE_WB = 1 << 1,  /* write back dirty lines */
    /* the levels it names; with none of these, the scope decides */
    ISA_CACHE_VL0 = 1 << 2,
    ISA_CACHE_GL1 = 1 << 3,
    ISA_CACHE_L2 = 1 << 4,
    ISA_CACHE_K = 1 << 5,
    ISA_CACHE_I = 1 << 6,
};

/* Whose bytes become which element of a transposing load; isa/insts/mem_transpose.h. */
enum isa_transpose {
    TR_ROWS,    /* sixteen lanes read a matrix of sixteen columns, row by row (gfx950) */
    TR_EIGHT,   /* eight lanes transpose eight rows of eight elements */
    TR_EIGHT_4, /* and eight others: two runs of four, eight lanes apart (gfx1250's LDS, 8 bits) */
    TR_FOUR,    /* eight lanes read eight rows of sixteen; all lanes take part (gfx1250, 4 bits) */
    TR_SIX,     /* runs of four lanes read rows of sixteen, for one half of the lanes or the other (gfx1250, 6 bits) */
};

/* The access of a memory instruction; isa/insts/mem_*.c. */
struct isa_memop {
    uint8_t op;       /* enum mem_op */
    uint8_t bytes;    /* bytes per lane in memory (SMEM: in all) */
    uint8_t convert;  /* enum isa_memconv: how loaded bytes become registers */
    uint8_t elems;    /* 2 for read2/write2, else 1 */
    uint8_t stride64; /* offsets scaled by 64 elements */
    uint8_t returns;  /* atomics: always returns (DS rtn forms) */
    uint8_t cmp;      /* enum isa_atomic_cmp */
    uint8_t comps;    /* formatted accesses: components in registers */
    uint8_t typed;    /* and whether the instruction has the format, else the descriptor */
    uint8_t tr_bits;  /* transposing loads: bits of an element, else 0; in wave64 GLOBAL ones have half the registers */
    uint8_t tr;       /* transposing loads: enum isa_transpose */
    uint8_t async;    /* between memory and LDS, past the registers; counts in asynccnt, */
    uint8_t tensor;   /* or, as a descriptor says, in tensorcnt */
    uint8_t arrives;  /* LDS atomics: an arrival at a barrier that lies there */
    uint8_t denorm;   /* LDS atomics that MODE lets flush denormals: the float's bits, 16 for two halves */
};

/* The parts of an image instruction's address and the kind of its data; isa/decode/fields_image.c counts registers by
 * it. The args of its row begin with data (SL_VDST or SL_DATA0) and address. */
enum isa_image_data {
    IMG_DATA_NONE,    /* no image instruction */
    IMG_DATA_MASKED,  /* a register per bit of dmask */
    IMG_DATA_FOUR,    /* four texels, whatever dmask */
    IMG_DATA_ATOMIC,  /* one or two registers */
    IMG_DATA_CMPSWAP, /* data, then what to compare with */
    IMG_DATA_RAY,     /* four registers; addresses are a ray */
};
enum isa_image_parts {
    IMG_SAMPLER = 1 << 0,
    IMG_COMPARE = 1 << 1, /* a word each, before the coordinates */
    IMG_BIAS = 1 << 2,
    IMG_OFFSET = 1 << 3,
    IMG_LOD = 1 << 4,       /* level of detail, its lower bound or a mip level: one more component of the coordinates */
    IMG_GRADIENTS = 1 << 5, /* derivatives, two per spatial dimension */
    IMG_HALF_GRADIENTS = 1 << 6, /* two of them in a word */
    IMG_NO_COORDS = 1 << 7,
    IMG_NODE_64 = 1 << 8, /* rays: the node's pointer has 64 bits */
    IMG_NO_D16 = 1 << 9,
};
struct isa_imageop {
    uint8_t data;   /* enum isa_image_data */
    uint16_t parts; /* enum isa_image_parts */
};

/* Matrix instructions: D = A * B + C with A m x k, B k x n, C and D m x n, `blocks` times over. */
enum isa_mat_type {
    MT_F32,
    MT_F64,
    MT_XF32, /* f32 rounded to 10 bits of mantissa */
    MT_F16,
    MT_BF16,
    MT_I8, /* on RDNA signed or not as the instruction's neg bits say */
    MT_I4,
    MT_I32,
    MT_FP8_FNUZ, /* 8-bit floats of gfx942 */
    MT_BF8_FNUZ,
    MT_FP8, /* OCP 8-bit floats */
    MT_BF8,
    MT_F8F6F4, /* as cbsz says of A, and blgp of B; on gfx1250 op_sel and op_sel_hi */
};
enum isa_mat_kind {
    MAT_MFMA,
    MAT_SMFMAC,     /* A holds two of every four k; src2 says which; C is D */
    MAT_WMMA,       /* gfx11 */
    MAT_WMMA_SPLIT, /* gfx12: lanes share out k */
    MAT_SWMMAC,     /* gfx12, sparse like SMFMAC */
    MAT_WMMA_WIDE,  /* gfx1250 */
    MAT_SWMMAC_WIDE,
};
enum isa_mat_mods {
    MM_BLGP = 1,      /* blgp permutes B's lanes */
    MM_BLGP_NEG = 2,  /* blgp's bits negate A, B, C */
    MM_NEG = 4,       /* neg_lo and neg_hi negate the even and the odd k of A and B */
    MM_SIGN = 8,      /* neg_lo says which sources are signed; clamp saturates */
    MM_OP_SEL = 16,   /* op_sel[2] picks the half of C and D */
    MM_NEG_C = 32,    /* neg_lo[2] and neg_hi[2]: negate C, absolute C */
    MM_REUSE = 64,    /* the bits of op_sel[2] and op_sel_hi[2] say that A and B come again */
    MM_FORMATS = 128, /* op_sel is the format of A, op_sel_hi that of B */
    MM_C_F32 = 256,   /* C is f32, D is not */
};
struct isa_matrix {
    uint8_t kind, m, n, k, blocks;
    uint8_t a, b, cd;                /* enum isa_mat_type */
    uint8_t passes;                  /* of 4 cycles each on the matrix unit */
    uint16_t mods;                   /* enum isa_mat_mods */
    const struct isa_matrix *narrow; /* the same with A and B of fewer than 8 bits, where that makes a difference */
};

static inline bool isa_matrix_sparse(const struct isa_matrix *m)
{
    return m->kind == MAT_SMFMAC || m->kind == MAT_SWMMAC || m->kind == MAT_SWMMAC_WIDE;
}

/* The path through CDNA's matrix unit. */
static inline enum op_matrix_kind isa_matrix_kind(const struct isa_matrix *m)
{
    if (isa_matrix_sparse(m))
        return OP_MATRIX_SPARSE;
    if (m->cd == MT_F64)
        return m->m == 4 ? OP_MATRIX_F64_4X4 : OP_MATRIX_F64_16X16;
    return m->a == MT_F32 ? OP_MATRIX_F32 : OP_MATRIX_NARROW;
}

/* Registers of an operand that has `dwords` of them in wave32: RDNA's wave64 spreads a matrix over twice the lanes
 * (gfx11: C and D alone). */
static inline unsigned isa_matrix_dwords(const struct isa_matrix *m, enum isa_slot slot, unsigned dwords,
                                         unsigned lanes)
{
    bool spread = m->kind == MAT_WMMA ? slot == SL_VDST || slot == SL_SRC2 : m->kind >= MAT_WMMA_SPLIT;

    return lanes == 64 && spread && dwords > 1 ? dwords / 2 : dwords;
}

struct isa_inst;
struct isa_wave;
struct isa_env;
struct isa_effects;
struct lane_args;

/* Runs one instruction. Returns enum isa_status (isa/isa.h). w->pc is already past the instruction. */
typedef int isa_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx);

/* A lane loop over 32 active lanes (WHOLE_LOOP of isa/lanes/lanes.h): rows of result and sources, MODE, carry-in bits;
 * returns the bits of a compare or carry-out. */
struct isa_mode;
typedef uint32_t isa_whole(uint32_t *d, const uint32_t *s0, const uint32_t *s1, const uint32_t *s2,
                           const struct isa_mode *mode, uint32_t carries);

/* Runs entries of a program from i on the shortest way (isa/lanes/quick.h) as long as they allow it and at most *left,
 * which is counted down. They neither fail nor branch. Returns the next entry, which may be one not
 * decoded yet, or the one after the last. */
typedef const struct isa_inst *isa_quick_many(struct isa_wave *w, const struct isa_inst *i, uint64_t *left,
                                              uint64_t *tally);

enum isa_row_kind {
    ROW_LANES, /* `lanes` is called with operand rows fetched; one result per lane */
    ROW_CMP,   /* the same, one bit per lane into a mask */
    ROW_WIDE,  /* `exec` does everything itself */
};

#define ISA_NO_BOUND (-1.0f)

/* Does what an op of a unit says (isa/unit.h) for 32 active lanes whose first register is v, and goes on to the next.
 */
struct isa_unit_op;
typedef void isa_handler(uint32_t *v, const struct isa_unit_op *op, struct isa_wave *w);

/* The meaning of an atomic: the new value of one lane, and what isa/lanes/atomic_pass.h says of all. */
struct isa_atomic_pass;
struct isa_atomic {
    uint64_t (*one)(uint64_t old, uint64_t data, uint64_t cmp);
    void (*lanes)(const struct isa_atomic_pass *p);
};

struct isa_row {
    const char *name;
    uint8_t cls;  /* enum op_class */
    uint8_t kind; /* enum isa_row_kind */
    uint8_t nenc;
    uint32_t flags, implicit;
    /* 0: results are what the manual's text defines, bit for bit. Else the text promises an approximation alone: a
     * chip's result may be off the exact one by so many units in the last place of the result; ISA_NO_BOUND: nothing
     * says how many. Sources: the notes of the RDNA ISAs' instruction descriptions; of matrix and dot products
     * docs/SEMANTICS_NOTES.md, "Arithmetic": no manual gives the order of their sums. */
    float ulp;
    /* Who measured on a chip of this row's that its results are so: where to find it. Null: they are as the manual
     * says.
     */
    const char *measured;
    struct isa_arg args[ISA_MAX_ARGS + 1]; /* ended by SL_NONE */
    const struct isa_enc *enc;
    void (*lanes)(const struct lane_args *);
    bool steady;      /* `exec` neither fails nor branches, and asks neither for the pc nor for what is around a wave */
    bool asks_lane;   /* results depend on the lane's number */
    bool jumps;       /* `exec` does nothing but add the offset to the pc, or not */
    isa_whole *whole; /* the same for 32 lanes, all active */
    /* The same in a unit: registers in place; scalars among the sources, masks. `direct` is of scalar instructions,
     * too. Null: handlers of all rows serve. */
    isa_handler *direct, *odd;
    isa_handler *flushing, *odd_flushing; /* where denormals of f32 are flushed */
    isa_exec *exec;
    const struct isa_atomic *atomic; /* memory atomics */
    struct isa_memop mem;
    struct isa_imageop image;
    const struct isa_matrix *mat; /* matrix instructions, else null */
    uint8_t wait;                 /* enum isa_wait_kind */
    uint8_t special;              /* enum isa_special */
    uint8_t cache_control;        /* enum isa_cache_control */
    const char *file;             /* where the row stands, for messages about duplicates */
    int line;
};

/* Makes a row. Rows are made by code rather than being data, because data with pointers is relocated at each start of a
 * process: three variants of all rows, of which one is used. */
typedef void isa_row_maker(struct isa_row *row);

static inline bool isa_row_has(const struct isa_row *row, enum isa_slot slot)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == slot)
            return true;
    return false;
}

#endif

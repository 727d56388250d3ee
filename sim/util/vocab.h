/* Names that two or more folders share: instruction classes, wait counters, cache levels, cache hints.
 *
 * isa/ states the pipeline class of each instruction, config/ keys costs by the same name, and sim/ counts by it. isa/
 * decodes cache policy bits into a mem_hint, and mem/ acts on it. So none of these folders needs to know another one.
 */
#ifndef GCNSIM_UTIL_VOCAB_H
#define GCNSIM_UTIL_VOCAB_H

#include <stdint.h>

/* Pipeline classes: X(ENUM, "profile key", report category, kind within the category, memory path).
 * The key is the name under "latency" and "rate" in a profile. Global and scratch instructions have kinds of their own
 * in place of those of buffers, and matrix instructions have the kind of their type. */
#define OP_CLASSES(X)                                                                                                  \
    X(VALU, "valu", VALU, OTHER, NONE)             /* full-rate 32- and 16-bit vector ALU, packed 16-bit included */   \
    X(VALU_DUAL, "valu_dual", VALU, OTHER, NONE)   /* those that gfx11 and later execute for a whole wave64 at once */ \
    X(VALU64, "valu64", VALU, OTHER, NONE)         /* 64-bit integer and shift */                                      \
    X(VALU_MUL, "valu_mul", VALU, OTHER, NONE)     /* 32-bit integer multiply: v_mul_lo/hi */                          \
    X(VALU_MAD64, "valu_mad64", VALU, OTHER, NONE) /* v_mad_u64_u32 and relatives, qsad */                             \
    X(FMA32, "fma32", VALU, OTHER, NONE)           /* f32 fused multiply-add (quarter rate on some GCN) */             \
    X(TRANS, "trans", VALU, OTHER, NONE)           /* rcp rsq sqrt exp log sin cos, 16 and 32 bit */                   \
    X(F64, "f64", VALU, OTHER, NONE)               /* f64 add, min, max, convert, compare */                           \
    X(F64_MUL, "f64_mul", VALU, OTHER, NONE)       /* f64 multiply and fma */                                          \
    X(F64_TRANS, "f64_trans", VALU, OTHER, NONE)   /* f64 rcp rsq sqrt */                                              \
    X(DOT, "dot", VALU, OTHER, NONE)               /* dot products */                                                  \
    X(CROSS, "cross", VALU, OTHER, NONE) /* readlane, writelane, permlane: VALU that talks to SGPRs or other lanes */  \
    X(SWAP, "swap", VALU, OTHER, NONE)   /* v_swap: two writes */                                                      \
    X(VOPD, "vopd", VALU, OTHER, NONE)   /* dual issue pair */                                                         \
    X(MFMA, "mfma", MFMA, OTHER, NONE)   /* CDNA matrix */                                                             \
    X(WMMA, "wmma", MFMA, OTHER, NONE)   /* RDNA matrix */                                                             \
    X(SALU, "salu", SALU, OTHER, NONE)   /* scalar ALU */                                                              \
    X(SALU_SAVEEXEC, "salu_saveexec", SALU, OTHER, NONE)                                                               \
    X(SALU_FLOAT, "salu_float", SALU, OTHER, NONE)                                                                     \
    X(SALU_TRANS, "salu_trans", SALU, OTHER, NONE) /* gfx12 pseudo-scalar v_s_* */                                     \
    X(SMEM, "smem", SMEM, OTHER, SCALAR)                                                                               \
    X(VMEM_LOAD, "vmem_load", VMEM, BUFFER_LOAD, VECTOR)                                                               \
    X(VMEM_STORE, "vmem_store", VMEM, BUFFER_STORE, VECTOR)                                                            \
    X(VMEM_ATOMIC, "vmem_atomic", VMEM, BUFFER_ATOMIC, VECTOR)                                                         \
    X(FLAT_LOAD, "flat_load", FLAT, FLAT_LOAD, FLAT)                                                                   \
    X(FLAT_STORE, "flat_store", FLAT, FLAT_STORE, FLAT)                                                                \
    X(FLAT_ATOMIC, "flat_atomic", FLAT, FLAT_ATOMIC, FLAT)                                                             \
    X(CACHE_CTRL, "cache_ctrl", VMEM, CACHE_CONTROL, CACHES) /* buffer_inv, buffer_wbl2, global_wb ... */              \
    X(LDS_LOAD, "lds_load", LDS, LDS_LOAD, LDS)                                                                        \
    X(LDS_STORE, "lds_store", LDS, LDS_STORE, LDS)                                                                     \
    X(LDS_ATOMIC, "lds_atomic", LDS, LDS_ATOMIC, LDS)                                                                  \
    X(LDS_PERMUTE, "lds_permute", LDS, LDS_PERMUTE,                                                                    \
      CROSSBAR) /* ds_bpermute, ds_permute, ds_swizzle: the crossbar, no banks */                                      \
    X(GDS, "gds", LDS, GDS, GDS)                                                                                       \
    X(EXPORT, "export", VMEM, OTHER, EXPORT)                                                                           \
    X(BRANCH, "branch", BRANCH, OTHER, NONE)                                                                           \
    X(MESSAGE, "message", BRANCH, MESSAGE, MESSAGE)                                                                    \
    X(INTERNAL, "internal", INTERNAL, OTHER, NONE) /* s_nop, s_waitcnt, s_sleep, s_barrier: use no unit */

/* What a wave waits for as text timelines (traces/wave_view.h) paint it: X(ENUM, letter, what), in the order of the
 * legend. Each stall reason has one (sim/engine/timing/cu/stall.h). */
#define STALL_MARKS(X)                                                                                                 \
    X(WAIT, 'w', "a wait counter")                                                                                     \
    X(LAUNCH, 'l', "launch")                                                                                           \
    X(FETCH, 'f', "instruction fetch")                                                                                 \
    X(BRANCH, 'j', "branch")                                                                                           \
    X(DEPENDENCY, 'd', "a result it needs")                                                                            \
    X(BARRIER, 'b', "barrier")                                                                                         \
    X(ARBITRATION, 'a', "arbitration")                                                                                 \
    X(UNIT, 'u', "a busy unit")                                                                                        \
    X(QUEUE, 'q', "full queue or counter")                                                                             \
    X(HELD, 'n', "s_nop, s_sleep")                                                                                     \
    X(DRAIN, 's', "its last stores")

enum stall_mark {
#define X(E, LETTER, ABOUT) STALL_MARK_##E,
    STALL_MARKS(X)
#undef X
        STALL_MARK_COUNT,
    STALL_MARK_NONE = STALL_MARK_COUNT /* an instruction that issues is painted otherwise */
};

/* What a thread trace of the hardware calls the cycles of a stall reason (docs/ATT.md): the instruction's own time;
 * stall, in which the wave tries to issue and cannot; idle, before it tries; or after the wave's last instruction. */
enum stall_time { STALL_TIME_OWN, STALL_TIME_STALLED, STALL_TIME_IDLE, STALL_TIME_AFTER, STALL_TIMES };

/* Instruction categories of the report: X(ENUM, "key", what it has). */
#define OP_CATEGORIES(X)                                                                                               \
    X(VALU, "valu", "vector ALU, transcendentals included")                                                            \
    X(SALU, "salu", "scalar ALU")                                                                                      \
    X(SMEM, "smem", "scalar loads and other instructions of the scalar data cache")                                    \
    X(VMEM, "vmem", "vector memory: buffer, global, scratch, image, cache control, export")                            \
    X(FLAT, "flat", "flat instructions, whose lanes may name LDS, scratch or global memory")                           \
    X(LDS, "lds", "LDS and GDS")                                                                                       \
    X(MFMA, "mfma", "matrix: MFMA, SMFMAC, WMMA, SWMMAC")                                                              \
    X(BRANCH, "branch", "branches and messages")                                                                       \
    X(INTERNAL, "internal", "instructions that use no unit: waits, s_nop, s_delay_alu, s_clause, barriers, s_endpgm")

/* Kinds of instructions within the categories, as AMD's counters divide them: X(ENUM, "key", what it has). Those
 * without a kind of their own have OTHER. */
#define OP_KINDS(X)                                                                                                    \
    X(BUFFER_LOAD, VMEM, "buffer_loads", "loads of buffers, typed ones included")                                      \
    X(BUFFER_STORE, VMEM, "buffer_stores", "stores to buffers, typed ones included")                                   \
    X(BUFFER_ATOMIC, VMEM, "buffer_atomics", "atomics on buffers")                                                     \
    X(GLOBAL_LOAD, VMEM, "global_loads", "global and scratch loads")                                                   \
    X(GLOBAL_STORE, VMEM, "global_stores", "global and scratch stores")                                                \
    X(GLOBAL_ATOMIC, VMEM, "global_atomics", "global atomics")                                                         \
    X(FLAT_LOAD, FLAT, "flat_loads", "flat loads")                                                                     \
    X(FLAT_STORE, FLAT, "flat_stores", "flat stores")                                                                  \
    X(FLAT_ATOMIC, FLAT, "flat_atomics", "flat atomics")                                                               \
    X(CACHE_CONTROL, VMEM, "cache_control", "vector memory instructions that invalidate or write back caches")         \
    X(LDS_LOAD, LDS, "lds_loads", "loads from LDS")                                                                    \
    X(LDS_STORE, LDS, "lds_stores", "stores to LDS")                                                                   \
    X(LDS_ATOMIC, LDS, "lds_atomics", "atomics on LDS")                                                                \
    X(LDS_PERMUTE, LDS, "lds_permutes", "LDS instructions that move data from lane to lane")                           \
    X(GDS, LDS, "gds", "instructions of the global data share, global wave sync included")                             \
    X(MATRIX_F64, MFMA, "matrix_f64", "matrix instructions on 64-bit floats")                                          \
    X(MATRIX_F32, MFMA, "matrix_f32", "matrix instructions on 32-bit floats")                                          \
    X(MATRIX_XF32, MFMA, "matrix_xf32", "matrix instructions on xf32")                                                 \
    X(MATRIX_F16, MFMA, "matrix_f16", "matrix instructions on 16-bit floats")                                          \
    X(MATRIX_BF16, MFMA, "matrix_bf16", "matrix instructions on bf16")                                                 \
    X(MATRIX_F8, MFMA, "matrix_f8", "matrix instructions on 8-bit floats")                                             \
    X(MATRIX_I8, MFMA, "matrix_i8", "matrix instructions on 8-bit integers")                                           \
    X(MATRIX_I4, MFMA, "matrix_i4", "matrix instructions on 4-bit integers")                                           \
    X(MESSAGE, BRANCH, "messages", "messages")                                                                         \
    X(END, INTERNAL, "ends", "ends of the program (s_endpgm)")

/* Types that operations are on: X(ENUM, "key", what they are). */
#define OP_TYPES(X)                                                                                                    \
    X(F64, "f64", "64-bit floats")                                                                                     \
    X(F32, "f32", "32-bit floats")                                                                                     \
    X(XF32, "xf32", "32-bit floats of which 19 bits are multiplied")                                                   \
    X(F16, "f16", "16-bit floats")                                                                                     \
    X(BF16, "bf16", "16-bit floats with 8 bits of exponent")                                                           \
    X(F8, "f8", "8-bit floats of either kind")                                                                         \
    X(I64, "i64", "64-bit integers")                                                                                   \
    X(I32, "i32", "32- and 24-bit integers")                                                                           \
    X(I16, "i16", "16-bit integers")                                                                                   \
    X(I8, "i8", "8-bit integers")                                                                                      \
    X(I4, "i4", "4-bit integers")

enum op_type {
#define X(E, KEY, ABOUT) OPT_##E,
    OP_TYPES(X)
#undef X
        OP_TYPE_COUNT
};

static inline int op_type_is_float(unsigned type)
{
    return type < OPT_I64;
}

enum op_class {
#define X(E, KEY, CAT, KIND, PATH) OPC_##E,
    OP_CLASSES(X)
#undef X
        OPC_COUNT
};

enum op_category {
#define X(E, KEY, ABOUT) OPCAT_##E,
    OP_CATEGORIES(X)
#undef X
        OPCAT_COUNT
};

enum op_kind {
#define X(E, CAT, KEY, ABOUT) OPK_##E,
    OP_KINDS(X)
#undef X
        OPK_OTHER,
    OPK_COUNT = OPK_OTHER + OPCAT_COUNT
};

/* The unit through which the instructions of a class leave the wave. */
enum op_path {
    OP_PATH_NONE,
    OP_PATH_SCALAR,
    OP_PATH_VECTOR,
    OP_PATH_FLAT,   /* the address decides between vector memory and LDS */
    OP_PATH_CACHES, /* vector memory's, without addresses */
    OP_PATH_LDS,
    OP_PATH_CROSSBAR, /* LDS's, without its banks */
    OP_PATH_GDS,
    OP_PATH_EXPORT,
    OP_PATH_MESSAGE
};

/* Kinds of CDNA's matrix instructions, by the path they take through the matrix unit: X(ENUM, "profile key", meaning).
 */
#define OP_MATRIX_KINDS(X)                                                                                             \
    X(NARROW, "narrow", "MFMA on types of up to 16 bits, and xf32")                                                    \
    X(SPARSE, "sparse", "SMFMAC")                                                                                      \
    X(F32, "f32", "MFMA on f32")                                                                                       \
    X(F64_4X4, "f64_4x4", "MFMA on f64, 4x4x4")                                                                        \
    X(F64_16X16, "f64_16x16", "MFMA on f64, 16x16x4")

enum op_matrix_kind {
#define X(E, KEY, ABOUT) OP_MATRIX_##E,
    OP_MATRIX_KINDS(X)
#undef X
        OP_MATRIX_KIND_COUNT
};

extern const char *const op_class_key[OPC_COUNT];           /* "valu", "trans", ... */
extern const enum op_category op_class_category[OPC_COUNT]; /* report category of a class */
extern const uint8_t op_class_kind[OPC_COUNT];              /* enum op_kind; OPK_OTHER plus the category without one */
extern const uint8_t op_class_path[OPC_COUNT];              /* enum op_path */
extern const char *const op_category_key[OPCAT_COUNT];

static inline enum op_category op_kind_category(unsigned kind)
{
    static const uint8_t category[] = {
#define X(E, CAT, KEY, ABOUT) [OPK_##E] = OPCAT_##CAT,
        OP_KINDS(X)
#undef X
    };

    return (enum op_category)(kind < OPK_OTHER ? category[kind] : kind - OPK_OTHER);
}

/* Wait counters of all generations. The target table of isa/ states which of them a target has and how wide they are;
 * isa/ states which an instruction increments. */
/* clang-format off */
#define WAIT_COUNTERS(X)                                                                                               \
    X(VM, "vmcnt") X(LGKM, "lgkmcnt") X(EXP, "expcnt") X(VS, "vscnt") X(LOAD, "loadcnt") X(SAMPLE, "samplecnt")        \
    X(BVH, "bvhcnt") X(STORE, "storecnt") X(DS, "dscnt") X(KM, "kmcnt") X(ASYNC, "asynccnt")                 \
    X(TENSOR, "tensorcnt")
/* clang-format on */

enum wait_counter {
#define X(E, KEY) WAIT_##E,
    WAIT_COUNTERS(X)
#undef X
        WAIT_COUNT
};

extern const char *const wait_counter_key[WAIT_COUNT];

/* Cache levels: X(ENUM, "profile key", what it is). */
#define CACHE_LEVELS(X)                                                                                                \
    X(VL0, "vl0", "vector L1 data cache (L0 on RDNA)")                                                                 \
    X(K, "k", "scalar data cache")                                                                                     \
    X(I, "i", "instruction cache")                                                                                     \
    X(GL1, "gl1", "GL1 of a shader array")                                                                             \
    X(L2, "l2", "L2")                                                                                                  \
    X(MALL, "mall", "memory-attached last level (Infinity Cache)")

enum cache_level {
#define X(E, KEY, ABOUT) LEVEL_##E,
    CACHE_LEVELS(X)
#undef X
        LEVEL_COUNT
};

extern const char *const cache_level_key[LEVEL_COUNT]; /* "vl0", "k", ... */

/* Coherence scope and temporal hint of an access. glc/slc/dlc, sc0/sc1/nt and scope/th are all decoded to these. */
enum mem_scope { SCOPE_CU, SCOPE_SE, SCOPE_DEV, SCOPE_SYS };
enum mem_temporal { TH_RT, TH_NT, TH_HT, TH_LU, TH_NT_RT, TH_RT_NT, TH_NT_HT, TH_WB };

struct mem_hint {
    uint8_t scope;    /* enum mem_scope */
    uint8_t temporal; /* enum mem_temporal */
};

/* Kinds of memory accesses. */
enum mem_op { MEM_LOAD, MEM_STORE, MEM_ATOMIC, MEM_FETCH, MEM_SCALAR };

/* How many there are of each: sizes of tables. */
#define MEM_SCOPES    (SCOPE_SYS + 1)
#define MEM_TEMPORALS (TH_WB + 1)
#define MEM_OPS       (MEM_SCALAR + 1)

#endif

/* The rules of the checks (docs/CHECK.md), what a finding says, and which compilers know a rule. */
#ifndef GCNSIM_CHECK_RULES_H
#define GCNSIM_CHECK_RULES_H

#include "isa/table/target.h"
#include "sim/loader/code_object.h"
#include "sim/util/bits.h"

/* X(ENUM, "key of the report") */
/* clang-format off */
#define CHECK_RULES(X)                                                                                                 \
    X(WAIT_READ, "wait.read")             /* a register read before its load has come back */                          \
    X(WAIT_WRITE, "wait.write")           /* overwritten before its load has come back */                              \
    X(WAIT_LDS, "wait.lds")               /* LDS before what memory brings there, or takes from there, has come */         \
    X(UNDEFINED_VGPR, "undefined.vgpr")                                                                                \
    X(UNDEFINED_AGPR, "undefined.agpr")                                                                                \
    X(UNDEFINED_SGPR, "undefined.sgpr")                                                                                \
    X(UNDEFINED_LDS, "undefined.lds")                                                                                  \
    X(RACE_LDS, "race.lds")               /* two waves, one writing, in no order */                                    \
    X(RACE_LANES, "race.lds-lanes")       /* two lanes of a store, unlike values */                                    \
    X(RACE_GLOBAL, "race.global")         /* two workgroups, one writing, in no order */                                   \
    X(BOUNDS_SCRATCH, "bounds.scratch")                                                                                \
    X(BOUNDS_LDS, "bounds.lds")                                                                                        \
    X(BOUNDS_PAGE, "bounds.page")         /* past an allocation, in its last page; with --check a fault */           \
    X(BOUNDS_CODE, "bounds.code")         /* code, descriptors and gaps of code objects are overwritten */             \
    X(VALU_SGPR_VMEM, "states.valu-sgpr-vmem")                                                                         \
    X(VALU_VCC_DIV_FMAS, "states.valu-vcc-div-fmas")                                                                   \
    X(VALU_EXEC_DPP, "states.valu-exec-dpp")                                                                           \
    X(VALU_VGPR_DPP, "states.valu-vgpr-dpp")                                                                           \
    X(VALU_SGPR_LANE, "states.valu-sgpr-lane-select")                                                                  \
    X(VALU_EXECZ, "states.valu-vccz-execz")                                                                            \
    X(SALU_M0, "states.salu-m0")                                                                                       \
    X(SETREG_GETREG, "states.setreg-getreg")                                                                           \
    X(SETREG_SETREG, "states.setreg-setreg")                                                                           \
    X(SETREG_VSKIP, "states.setreg-vskip")                                                                             \
    X(STORE_DATA, "states.store-data")                                                                                 \
    X(TRANS_VALU, "states.trans-valu")                                                                                 \
    X(PARTIAL_VALU, "states.partial-write-valu")                                                                       \
    X(VALU_SGPR_VALU, "states.valu-sgpr-valu")                                                                         \
    X(VALU_VGPR_READLANE, "states.valu-vgpr-readlane")                                                                 \
    X(VALU_EXEC_LANE, "states.valu-exec-lane")                                                                         \
    X(VALU_VGPR_SWAP, "states.valu-vgpr-swap")                                                                         \
    X(VALU_EXEC_SWAP, "states.valu-exec-swap")                                                                         \
    X(VALU_EXEC_MFMA, "mfma.valu-exec")                                                                                \
    X(VALU_VGPR_MFMA, "mfma.valu-vgpr")                                                                                \
    X(MFMA_SRC_C, "mfma.src-c")                                                                                        \
    X(MFMA_SRC_AB, "mfma.src-ab")                                                                                      \
    X(MFMA_READ, "mfma.read")                                                                                          \
    X(MFMA_WRITE, "mfma.overwrite")                                                                                    \
    X(MFMA_WAR, "mfma.src-c-overwrite")                                                                                \
    X(ACC_WRITE_READ, "mfma.acc-write")                                                                                \
    X(ACC_READ_MEM, "mfma.acc-read-memory")                                                                            \
    X(DMFMA_FMA, "mfma.f64-fma")                                                                                       \
    X(DOT_VALU, "states.dot-valu")                                                                                     \
    X(VMEM_SCALAR_WRITE, "rdna1.vmem-scalar-write")                                                                    \
    X(SMEM_VECTOR_WRITE, "rdna1.smem-vector-write")                                                                    \
    X(CMPX_EXEC_WAR, "rdna1.cmpx-exec-war")                                                                            \
    X(LDS_BRANCH_VMEM, "rdna1.lds-branch-vmem")                                                                        \
    X(BRANCH_3F, "rdna1.branch-3f")                                                                                    \
    X(CMPX_PERMLANE, "rdna.cmpx-permlane")                                                                             \
    X(TRANS_USE, "rdna3.trans-use")                                                                                    \
    X(MASK_WRITE, "rdna3.mask-write")                                                                                  \
    X(MASK_VALU_WRITE, "rdna3.mask-write-by-valu")                                                                     \
    X(WMMA_AB, "rdna.wmma-ab")                                                                                         \
    X(WMMA_BESIDE, "gfx1250.wmma-beside")                                                                              \
    X(TRANS_BESIDE, "gfx1250.trans-beside")                                                                            \
    X(PARTIAL_FORWARDING, "rdna3.partial-forwarding")                                                                  \
    X(LDSDIR_VALU, "rdna.lds-direct-valu")                                                                             \
    X(LDSDIR_VMEM, "rdna.lds-direct-vmem")                                                                             \
    X(READ_SGPR, "rdna4.valu-read-sgpr")                                                                               \
    X(MAD64_OVERLAP, "rdna3.mad64-overlap")                                                                            \
    X(VOPD_BANKS, "rdna.vopd-banks")                                                                                   \
    X(INST_PREFETCH, "rdna1.inst-prefetch")                                                                            \
    X(FLAT_OFFSET, "rdna1.flat-offset")                                                                                \
    X(LDS_MISALIGNED, "rdna1.lds-misaligned")                                                                          \
    X(NSA_CLAUSE, "rdna1.nsa-clause")                                                                                  \
    X(NSA_VMEM, "rdna1.nsa-vmem")                                                                                      \
    X(SCRATCH_OFFSET, "scratch-negative-offset")                                                                       \
    X(SCRATCH_BASE, "scratch-negative-base")                                                                           \
    X(SHIFT64, "gfx90a.shift64-last-vgpr")                                                                             \
    X(PK_F32_OP_SEL, "gfx950.pk-f32-op-sel")                                                                           \
    X(MFMA_INLINE_C, "mfma.inline-c")                                                                                  \
    X(ACC_MOVE_MEM, "mfma.acc-move-memory")                                                                            \
    X(DMFMA_BETWEEN, "mfma.f64-between")                                                                               \
    X(STALE_VECTOR, "stale.vector") /* of the timing engine's caches (stale.h) */                                      \
    X(STALE_SCALAR, "stale.scalar")
/* clang-format on */

enum check_rule {
#define X(E, KEY) CHECK_##E,
    CHECK_RULES(X)
#undef X
        CHECK_RULE_COUNT
};

extern const char *const check_rule_key[CHECK_RULE_COUNT];

struct check_finding {
    enum check_rule rule;
    gaddr_t pc;
    int lane; /* -1: not about one lane */
    uint64_t group, count;
    uint32_t wave;
    char message[240];
    char fix[120];
};

/* A rule that compilers came to know late: the first release of LLVM whose code keeps it in all cases (one more than
 * the newest where none does), and who says so. */
struct check_erratum {
    enum check_rule rule;
    enum isa_feature chips;
    unsigned llvm;
    const char *source;
};
enum { CHECK_NEWEST_LLVM = 22 };

const struct check_erratum *check_errata(size_t *count);
/* Null: compilers know the rule. */
const struct check_erratum *check_erratum_of(enum check_rule rule, const struct isa_target *t);

/* A code object whose image lies in memory from `base` on. */
struct check_object {
    const struct code_object *co;
    gaddr_t base;
};

#endif

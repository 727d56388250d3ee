/* What hardware hides: observers of both engines that report code which computes the right thing here and not on a chip
 * (docs/CHECK.md lists the rules and their sources).
 *
 *   waits.c      registers read or overwritten while memory still writes or reads them, and the wait that is missing
 *   undefined.c  registers and LDS bytes read that nobody has written
 *   race.c       LDS bytes that two waves touch in no order, one of them writing
 *   bounds.c     accesses outside LDS and to scratch of other waves
 *   overwrites.c stores into code, kernel descriptors and gaps of code objects (overwrites.h), on both engines
 *   states.c     wait states that software must leave between instructions (gfx8, gfx9, CDNA); matrix.c: those of MFMA
 *   rdna.c       hazards that RDNA leaves to software; forward.c: more of them, of RDNA3 and RDNA4
 *   bugs.c       instructions that a chip runs wrongly whatever comes before
 *   stale.c      lines that somebody has written since a cache fetched them (stale.h)
 *   global.c     bytes of memory that two workgroups touch in no order, one of them writing: what they access, release
 *                and acquire (global.h); global_records.c: the tables; global_pairs.c: which pairs are races;
 *                global_events.c: the same from the timing engine's events
 *   findings.c   what was found, once for each pc and rule
 *
 * The files down to bugs.c, and global.c, observe the functional engine as its stepper (struct engine_stepper): they
 * look at each instruction before and after it executes, in program order, and undefined.c executes some of them twice.
 * The engine calls them synchronously; different workgroups may be on different threads. stale.c and global_events.c
 * consume the timing engine's event stream, which tells overwrites.c of each store (struct engine_store_observer).
 *
 * Use: check_open(launch, objects, options), run the launch with these options on either engine, check_findings(),
 * check_close(). The engines do not know who observes them; one that nobody does pays one test per slice of a wave.
 *
 * Findings are the same from run to run and for any number of threads, as far as what the kernel does is (global.h says
 * more of races between workgroups): of several occurrences the one of the lowest workgroup and wave is told.
 */
#ifndef GCNSIM_CHECK_CHECK_H
#define GCNSIM_CHECK_CHECK_H

#include "sim/engine/engine.h"
#include "sim/loader/code_object.h"

struct check;

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
    X(BOUNDS_PAGE, "bounds.page")         /* behind an allocation, in its last page; with --check a fault */           \
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

/* Attaches the checks to a run: to what the functional engine executes, and to the timing engine's events and stores.
 * stores_alone: of the timing engine, looks for bounds.code alone, which lets other dispatches be in flight. objects:
 * what the kernel can reach, its own among them, some perhaps twice; the list is copied. Null when out of memory. The
 * launch and the objects must outlive it, and it the run. */
struct check *check_open(const struct launch *l, const struct check_object *objects, size_t object_count,
                         bool stores_alone, struct engine_options *o);
void check_close(struct check *c);

/* Ordered by pc and rule. *count: how many. Borrowed. */
const struct check_finding *check_findings(struct check *c, size_t *count);
/* Why the list is incomplete: rules of the target that were not applied, findings beyond the limit. Null: it is
 * complete. The text is c's, until the next call. */
const char *check_left_out(struct check *c);
/* Whether the host had no memory to check all of the run; the findings are then not those of the program. */
bool check_no_memory(const struct check *c);

#endif

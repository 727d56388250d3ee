/* Memory access of a whole wave: given an address per lane, moves lanes between registers and memory.
 *
 * Three spaces: device memory (found through isa_env, checked against its ranges), LDS (the workgroup's bytes, checked
 * against their count) and scratch (a lane's private bytes, interleaved by dword in device memory). Lanes are served
 * in ascending order. Addresses stand in struct lane_addr, one per lane; those of lanes outside `active` are not
 * looked at for their value.
 *
 * Device memory: an access outside every range, or a write to a read-only one, is FAULT_MEMORY for the first such lane.
 * Plain accesses may be misaligned (the HSA runtime runs with unaligned access on); atomics may not.
 * LDS: a lane that reaches past the limit reads zero and its write is dropped, as hardware does. The limit is the
 * workgroup's allocation, for DS instructions of gfx8 also M0.
 *
 * The functions exist once per host variant, under names ended by the variant's.
 */
#ifndef GCNSIM_ISA_LANES_ACCESS_H
#define GCNSIM_ISA_LANES_ACCESS_H

#include "isa/isa.h"

#ifndef ISA_VARIANT
#define ISA_VARIANT base
#endif
#define LANES_FN3_(name, v) name##_##v
#define LANES_FN2_(name, v) LANES_FN3_(name, v)
#define LANES_FN(name)      LANES_FN2_(name, ISA_VARIANT)

#define isa_mem_load         LANES_FN(isa_mem_load)
#define isa_mem_store        LANES_FN(isa_mem_store)
#define isa_mem_load_pass    LANES_FN(isa_mem_load_pass)
#define isa_mem_store_pass   LANES_FN(isa_mem_store_pass)
#define isa_mem_atomic       LANES_FN(isa_mem_atomic)
#define isa_from_bytes       LANES_FN(isa_from_bytes)
#define isa_to_bytes         LANES_FN(isa_to_bytes)
#define isa_lds_load         LANES_FN(isa_lds_load)
#define isa_lds_load_pass    LANES_FN(isa_lds_load_pass)
#define isa_lds_store        LANES_FN(isa_lds_store)
#define isa_lds_store_pass   LANES_FN(isa_lds_store_pass)
#define isa_lds_atomic       LANES_FN(isa_lds_atomic)
#define isa_lds_dma_lanes    LANES_FN(isa_lds_dma_lanes)
#define isa_copy_to_lds      LANES_FN(isa_copy_to_lds)
#define isa_lds_mark         LANES_FN(isa_lds_mark)
#define isa_lds_mark_run     LANES_FN(isa_lds_mark_run)
#define isa_rmw_shared       LANES_FN(isa_rmw_shared)
#define isa_scratch_load     LANES_FN(isa_scratch_load)
#define isa_scratch_store    LANES_FN(isa_scratch_store)
#define isa_scratch_atomic   LANES_FN(isa_scratch_atomic)
#define isa_result_modifiers LANES_FN(isa_result_modifiers)
#define isa_clamp_rows       LANES_FN(isa_clamp_rows)

struct lane_addr {
    _Alignas(64) uint64_t a[64];
};

/* The cached range of the wave that an access goes through: scratch has its own, so that spills do not evict the
 * range of the data. */
enum { RANGE_VECTOR = 0, RANGE_SCRATCH = 2 };

/* Operands of an atomic, as rows of registers. */
struct atomic_rows {
    const uint32_t *data, *cmp; /* cmp may be null */
    uint32_t *old;              /* null: the old value is not wanted */
};

/* Output denormals, omod and clamp on a finished row of the first operand's type. (isa/lanes/operand.c) */
void isa_result_modifiers(const struct isa_wave *w, const struct isa_inst *i, uint32_t *d);
/* Clamps 32 results; pairs have their high words 32 further on. */
void isa_clamp_rows(enum isa_type type, uint32_t *d, bool dx10);

/* The registers of one lane from the bytes that it loads, and the bytes that it stores: at most 16. */
void isa_from_bytes(const struct isa_wave *w, const struct isa_memop *m, unsigned lane, const uint8_t *bytes,
                    uint32_t *d);
void isa_to_bytes(const struct isa_wave *w, const struct isa_memop *m, unsigned lane, const uint32_t *s,
                  uint8_t *bytes);
int isa_mem_load(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                 const struct lane_addr *at, uint64_t active, uint32_t *d);
int isa_mem_store(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                  const struct lane_addr *at, uint64_t active, const uint32_t *s);
/* The same in one pass over the addresses, for whole dwords; `active` is not empty. False: nothing has happened. */
bool isa_mem_load_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                       const struct lane_addr *at, uint64_t active, uint32_t *d);
bool isa_mem_store_pass(struct isa_wave *w, const struct isa_env *env, unsigned range, const struct isa_memop *m,
                        const struct lane_addr *at, uint64_t active, const uint32_t *s);
int isa_mem_atomic(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows);
/* Puts row->atomic's result in the place of the value at p, which waves on other host threads may be at too; returns
 * what was there. */
uint64_t isa_rmw_shared(uint8_t *p, const struct isa_row *row, uint64_t data, uint64_t cmp);

/* Bytes of LDS that DS instructions of this wave may touch; FLAT ones see w->lds_bytes, M0 has no say in them. */
static inline uint32_t isa_lds_limit(const struct isa_wave *w)
{
    if (!isa_has(w->target, FEAT_LDS_M0_CLAMP))
        return w->lds_bytes;
    uint32_t m0 = w->s[w->target->code_m0];
    return m0 < w->lds_bytes ? m0 : w->lds_bytes;
}
/* Addresses are LDS byte offsets, good below `limit`. */
int isa_lds_load(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                 uint64_t active, uint32_t *d);
/* All that a load or store of whole dwords moves, at once: `elems` (1, 2) times `dwords` (1..4, together at most 4)
 * dwords from addr[l] + offset[element] on for lane l of EXEC. False: nothing has happened, isa_lds_load() or
 * isa_lds_store() is to do it. They leave no marks. */
struct lds_pass {
    const uint32_t *addr; /* a row of registers; what is loaded may overlap it */
    uint32_t offset[2];
    unsigned elems, dwords;
};
bool isa_lds_load_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, uint32_t *d);
/* d: of each element. The first one of all lanes is stored before the second one of any. */
bool isa_lds_store_pass(const struct isa_wave *w, uint32_t limit, const struct lds_pass *p, const uint32_t *const d[2]);
int isa_lds_store(struct isa_wave *w, uint32_t limit, const struct isa_memop *m, const struct lane_addr *at,
                  uint64_t active, const uint32_t *s);
int isa_lds_atomic(struct isa_wave *w, uint32_t limit, const struct isa_row *row, const struct lane_addr *at,
                   uint64_t active, struct atomic_rows rows);

/* Marks an access, which is inside LDS, before it happens; w->lds_marks is not null. s: the values of a store, else
 * null. isa_lds_mark_run(): of all lanes, side by side in whole dwords. */
enum isa_lds_use { LDS_USE_READ, LDS_USE_WRITE, LDS_USE_ATOMIC, LDS_USES };
void isa_lds_mark(struct isa_wave *w, const struct isa_memop *op, const struct lane_addr *at, uint64_t lanes,
                  enum isa_lds_use use, const uint32_t *s);
void isa_lds_mark_run(struct isa_wave *w, const struct isa_memop *op, const struct lane_addr *at, enum isa_lds_use use,
                      const uint32_t *s);

/* Loads that go to LDS: lane l's dword goes to M0[15:0] + offset + 4 * l, its two low bits ignored. The lanes of EXEC
 * for which that is inside the workgroup's LDS (others do not even load), and their addresses. */
uint64_t isa_lds_dma_lanes(const struct isa_wave *w, int32_t offset, unsigned bytes, struct lane_addr *at);
/* What a load i from memory to LDS leaves there, at once or later (isa/lds_order.h): the lanes of s go to `at`, with
 * whole dwords of `bytes`, or as m says. */
int isa_copy_to_lds(struct isa_wave *w, const struct isa_inst *i, const struct isa_memop *m, const struct lane_addr *at,
                    uint64_t lanes, const uint32_t *s);
static inline int isa_lds_dma(struct isa_wave *w, const struct isa_inst *i, const struct lane_addr *at, uint64_t lanes,
                              unsigned bytes, const uint32_t *s)
{
    const struct isa_memop dwords = {.bytes = (uint8_t)bytes, .convert = CONV_DWORDS};

    return isa_copy_to_lds(w, i, &dwords, at, lanes, s);
}

/* Addresses are byte offsets in the lane's private memory. An offset past w->scratch_bytes is FAULT_MEMORY. */
int isa_scratch_load(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m,
                     const struct lane_addr *at, uint64_t active, uint32_t *d);
int isa_scratch_store(struct isa_wave *w, const struct isa_env *env, const struct isa_memop *m,
                      const struct lane_addr *at, uint64_t active, const uint32_t *s);
int isa_scratch_atomic(struct isa_wave *w, const struct isa_env *env, const struct isa_row *row,
                       const struct lane_addr *at, uint64_t active, struct atomic_rows rows);

/* Device address of byte `off` of a lane's private memory: dwords of the lanes stand side by side. */
static inline gaddr_t scratch_address(const struct isa_wave *w, unsigned lane, uint32_t off)
{
    return w->scratch_base + (uint64_t)(off >> 2) * 4 * w->lanes + lane * 4 + (off & 3);
}

/* Runs STMT with l = each lane of ACTIVE, in ascending order. */
#define EACH_LANE(N, ACTIVE, STMT)                                                                                     \
    do {                                                                                                               \
        if ((ACTIVE) == lane_mask(N)) {                                                                                \
            for (unsigned l = 0; l < (N); l++) {                                                                       \
                STMT;                                                                                                  \
            }                                                                                                          \
        } else {                                                                                                       \
            for (uint64_t left_ = (ACTIVE); left_; left_ &= left_ - 1) {                                               \
                unsigned l = (unsigned)__builtin_ctzll(left_);                                                         \
                STMT;                                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#endif

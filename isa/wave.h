/* The architectural state of one wave, and what an instruction may ask of the world around it.
 *
 * VGPRs are rows of lanes: register r, lane l is v[r * lanes + l]; rows are 64-byte aligned, and a 64-bit value in
 * r:r+1 has its high words one row further on. SGPRs, VCC, TTMPs, M0, null and EXEC stand in s[] under their source
 * codes, so that a scalar operand is one load; null stays zero because writers skip it.
 */
#ifndef GCNSIM_ISA_WAVE_H
#define GCNSIM_ISA_WAVE_H

#include "isa/table/target.h"
#include "isa/tensor.h"

struct isa_cluster;
struct isa_gws;
struct isa_late;
struct isa_lds_marks;
struct isa_lds_order;
struct isa_inst;
struct isa_wave;

enum isa_status {
    ISA_OK = 0,
    ISA_END,     /* s_endpgm */
    ISA_BARRIER, /* s_barrier or s_barrier_wait: the wave waits for others (isa/barrier.h) */
    ISA_SLEEP,   /* s_sleep without an end: the wave waits for another one's s_wakeup */
    ISA_GWS,     /* the wave waits at global wave sync, or need not (isa/gws.h) */
    ISA_WAKEUP,  /* s_wakeup, a phase of a barrier in LDS ends: others that isa_is_woken() names sleep no longer */
    ISA_FAULT,   /* w->fault says what */
    ISA_HALT,    /* s_sethalt, s_trap without handler: reported as a fault by the engine */
    ISA_LIMIT,   /* isa_run: instruction limit reached */
    ISA_TURN,    /* isa_run: other waves of the workgroup come first (isa/lds_order.h) */
};

enum isa_fault_kind {
    FAULT_NONE,
    FAULT_ILLEGAL,       /* not an instruction of this target */
    FAULT_UNIMPLEMENTED, /* an instruction gcnsim does not execute */
    FAULT_PC,            /* pc left the code */
    FAULT_MEMORY,        /* access outside every allocation, or a write to read-only memory */
    FAULT_ALIGN,
    FAULT_LDS,      /* LDS use that hardware would not define */
    FAULT_REGISTER, /* register number past the wave's allocation */
    FAULT_TRAP,     /* s_trap */
    FAULT_OTHER,
};

struct isa_fault {
    enum isa_fault_kind kind;
    gaddr_t pc; /* of the instruction */
    int lane;   /* -1: not about one lane */
    gaddr_t addr;
    uint32_t bytes;
    bool write;
    bool in_scratch; /* addr is an offset in the lane's scratch */
    char text[200];  /* what happened, without pc and instruction */
};

/* A stretch of valid device memory; host points at byte lo. */
struct isa_range {
    gaddr_t lo, hi;
    uint8_t *host;
    bool writable;
    bool own; /* nobody but waves reaches the host's memory */
};

/* The environment of a wave, the same for all waves of a workgroup. All pointers are borrowed. */
struct isa_env {
    void *ctx;
    /* Finds the range that holds addr; false when none does. Must be callable from several threads. */
    bool (*find)(void *ctx, gaddr_t addr, struct isa_range *out);
    /* Shader clock for s_memtime, s_getreg SHADER_CYCLES; the 100 MHz counter for s_memrealtime. */
    uint64_t (*clock)(void *ctx);
    uint64_t (*realtime)(void *ctx);
    /* s_sendmsg: the message's number, M0, and what else it says: of an interrupt the user data in M0, of others the
     * bits of SIMM16 above the number. Null: nobody listens. */
    void (*message)(void *ctx, uint32_t number, uint32_t m0, uint32_t data);
    struct isa_visits *visits; /* counts jumps (isa/visits.h); null: nobody does */
    bool alone;                /* one host thread runs all waves */
    /* Host memory of an access that no range holds to its last byte and that passes all the same, because hardware
     * checks pages; it is counted then. Null: it is a fault. lane -1: not about one. Null where every such access is
     * a fault. */
    uint8_t *(*slack)(void *ctx, const struct isa_wave *w, int lane, gaddr_t addr, uint32_t bytes, bool write);
};

/* MODE register bits, gfx8..gfx11 layout (gfx12 lacks IEEE and DX10_CLAMP, which then read as set so). */
enum {
    MODE_ROUND32_SHIFT = 0,  /* 2 bits: 0 nearest even, 1 +inf, 2 -inf, 3 zero */
    MODE_ROUND64_SHIFT = 2,  /* f64 and f16 */
    MODE_DENORM32_SHIFT = 4, /* 2 bits: bit 0 allow in, bit 1 allow out (0 flush both, 3 keep both) */
    MODE_DENORM64_SHIFT = 6,
    MODE_DX10_CLAMP = 1 << 8,
    MODE_IEEE = 1 << 9,
    MODE_VGPR_MSB_SHIFT = 12, /* 8 bits, VGPR_MSB: the upper two of the numbers of vdst, src0, src1, src2 */
    MODE_FP16_OVFL = 1 << 23,
    MODE_SCALAR_PREFETCH_EN = 1 << 24,                    /* RDNA4 */
    MODE_GFX1250 = 0xff << MODE_VGPR_MSB_SHIFT | 1 << 25, /* LLVM 22 sets bit 25 in every kernel */
    MODE_GPR_IDX_EN = 1 << 27,                            /* VGPR_INDEX targets, like the two that follow */
    MODE_VSKIP = 1 << 28,
    MODE_CSP_SHIFT = 29, /* 3 bits: depth of the fork stack */
};

enum isa_special_bits {
    SPECIAL_MODE32 = 1,  /* MODE asks for more than round-to-nearest with denormals kept and NaN made quiet, for f32 */
    SPECIAL_MODE64 = 2,  /* and for f16 and f64 */
    SPECIAL_PARTIAL = 4, /* not all lanes are active, or VGPR numbers are indexed */
    SPECIAL_VSKIP = 8,   /* MODE.VSKIP: vector instructions are skipped */
    SPECIAL_MSB = 16,    /* upper bits of VGPR numbers are not all 0 */
    SPECIAL_WAVE64 = 32, /* a wave of 64 lanes */
    SPECIAL_COPIES = 64, /* copies from memory into LDS are in flight (isa/lds_order.h) */
    SPECIAL_LATE = 128,  /* loads are in flight whose registers have their old values (isa/late.h) */
    SPECIAL_FLUSH = 256, /* beside SPECIAL_MODE32: the only reason is that denormals of f32 are flushed, in and out */
    SPECIAL_FLUSH32 = SPECIAL_FLUSH | SPECIAL_MODE32,
    SPECIAL_IN_FLIGHT = SPECIAL_COPIES | SPECIAL_LATE,
};

/* MODE broken out for lane bodies; constant over a lane loop. */
struct isa_mode {
    uint8_t round32, round64, denorm32, denorm64;
    bool ieee, dx10_clamp, fp16_ovfl;
    bool clamp;  /* the instruction's clamp bit, for integer rows that saturate themselves */
    uint8_t neg; /* VOP3P's neg_lo bits, for integer rows where they say which sources are signed */
};

struct isa_wave {
    uint32_t *v;    /* arch VGPR rows */
    uint32_t *acc;  /* AGPR rows; null when there are none */
    uint32_t lanes; /* 32 or 64 */
    /* Registers that an instruction may name. Where VGPRs and AGPRs are one file the VGPRs include the AGPRs, as far as
     * 8 bits can name them; MODE.VGPR_MSB lets them name more. */
    uint32_t nvgprs, nagprs, nsgprs;
    uint32_t vector_rows; /* allocated: VGPRs and AGPRs, from v on */
    gaddr_t pc;
    gaddr_t inst_pc; /* of the instruction being run */
    uint64_t exec;   /* mirrored in s[126..127]; set with isa_set_exec */
    uint8_t scc;
    uint8_t priority;
    uint16_t special;   /* what is out of the ordinary: enum isa_special_bits */
    bool dynamic_vgprs; /* the launch lets s_alloc_vgpr change nvgprs */
    struct isa_mode mode;
    uint32_t mode_reg; /* raw MODE as s_getreg reads it */
    uint32_t status;
    uint32_t hw_id;
    const struct isa_target *target;
    struct isa_program *program;
    uint8_t *lds;
    uint32_t lds_bytes;                        /* allocated to the workgroup */
    struct isa_lds_marks *lds_marks;           /* the engine's; null: accesses leave none (isa/lds_marks.h) */
    struct isa_lds_order *lds_order;           /* the engine's; null: there is none (isa/lds_order.h) */
    struct isa_late *late;                     /* loads in flight, the oldest first; its program's (isa/late.h) */
    uint8_t lds_pauses;                        /* before which uses of LDS the wave pauses; LDS_TURN_ bits */
    bool moves_tensors;                        /* the engine has a tensor unit: see isa_tensor_complete() */
    gaddr_t scratch_base;                      /* device address of this wave's scratch, swizzled lane by dword */
    uint32_t scratch_bytes;                    /* per lane */
    gaddr_t shared_aperture, private_aperture; /* bases of the 4 GiB windows of flat addressing; low half zero */
    uint64_t flat_scratch;                     /* FLAT_SCRATCH of targets that keep it outside the SGPRs */
    uint32_t trap_ctrl, excp_flags;
    uint64_t gpr_idx;          /* not 0 while MODE.GPR_IDX_EN is set: M0 shifts VGPR numbers (gfx8, gfx9) */
    uint8_t vgpr_msb;          /* MODE's upper bits of VGPR numbers, two each: vdst, src0, src1, src2 */
    struct isa_range range[3]; /* last ranges hit: [0] vector, [1] scalar, [2] scratch */
    struct isa_fault fault;
    void *owner;                   /* the engine's */
    struct isa_barriers *barriers; /* the engine's, shared by the workgroup; null: none are kept (isa/barrier.h) */
    uint32_t barrier_seen[2];      /* phases passed: the workgroup's barrier, the named one joined */
    uint32_t barrier_signalled;    /* phase of the workgroup's that this wave signalled, plus 1 */
    uint8_t barrier_wait, barrier_joined;
    uint8_t wakes;             /* whom ISA_WAKEUP is for: the members of this named barrier, 0: all (isa_wakeup) */
    struct isa_gws *gws;       /* of the device; null: there is none */
    struct isa_wave *gws_next; /* isa/gws.c */
    uint64_t gws_at;           /* when it was let go, on the engine's clock */
    uint32_t gws_waits;
    struct isa_cluster *cluster; /* its workgroup's (isa/gws.h); null: it is in none, or in one of its own */
    uint32_t cluster_seen;       /* phases of the cluster's barrier passed */
    uint32_t cluster_place; /* IB_STS2: workgroups of the cluster less one 9:6, its workgroup's number there 24:21 */
    uint32_t wave_in_group; /* index of the wave in its workgroup */
    uint32_t group_id[3];
    _Alignas(64) uint32_t mask[64]; /* EXEC as lanes of 0 / ~0 */
    uint32_t s[128];
};

/* Effects of the instruction just executed, for the timing engine. Values never appear here. */
enum isa_fx_kind {
    FX_NONE,
    FX_SCALAR,
    FX_VECTOR,
    FX_LDS,
    FX_FLAT_MIXED,
    FX_PREFETCH_DATA, /* `elems` blocks of `bytes` bytes from addr[0] on are wanted in the scalar cache */
    FX_PREFETCH_INST, /* the same in the instruction cache */
    FX_TENSOR,        /* a transfer that the engine moves itself: tensor (isa_wave.moves_tensors) */
};

#define ISA_SLEEP_FOREVER UINT32_MAX

enum {
    ISA_MAX_BLOCK_DWORDS = 32,     /* of a lane, of a block instruction */
    ISA_MAX_PREFETCH_BYTES = 4096, /* of FX_PREFETCH_DATA and FX_PREFETCH_INST: 32 blocks of 128 bytes */
};

struct isa_effects {
    uint8_t kind;      /* enum isa_fx_kind */
    uint8_t op;        /* enum mem_op */
    uint8_t bytes;     /* per lane; scalar: in all */
    uint8_t elems;     /* 2 for read2/write2 */
    bool branch_taken; /* pc is not the next instruction */
    bool returns;      /* an atomic that returns a value */
    /* Bytes from a lane's dword to its next where those of others are between (scratch, swizzled buffers); else 0. */
    uint16_t dword_step;
    uint32_t block; /* of a block instruction: the dwords of a lane that it accesses, a bit each; else 0 */
    struct mem_hint hint;
    uint64_t mask;          /* lanes that went to global memory */
    uint64_t lds_mask;      /* lanes that went to LDS */
    gaddr_t addr[64];       /* device address per lane of `mask`; [0] for scalar */
    uint32_t lds_addr[64];  /* byte offset in LDS per lane of lds_mask */
    uint32_t lds_addr2[64]; /* second address of 2addr forms */
    uint32_t sleep;         /* s_sleep argument in 64-cycle units, or ISA_SLEEP_FOREVER */
    uint32_t barriers;      /* barriers completed, a bit each (isa/barrier.h) */
    bool parts;             /* what is above is the first part of several, as those of copies between memory and LDS */
    struct isa_tensor tensor; /* where the next one begins; FX_TENSOR: all of it */
};

/* Those of an instruction that has none. */
static inline void isa_effects_clear(struct isa_effects *fx)
{
    fx->kind = FX_NONE;
    fx->branch_taken = false;
    fx->mask = fx->lds_mask = 0;
    fx->sleep = 0;
    fx->barriers = 0;
}

/* A transfer of w, which has moves_tensors, is over: what it brings to LDS is there (what it stores left LDS when its
 * instruction was executed), and its arrival at a barrier in LDS is made. Returns ISA_OK, ISA_WAKEUP when that wakes
 * waves of the workgroup, or ISA_FAULT. pc: of its instruction. */
int isa_tensor_complete(struct isa_wave *w, const struct isa_env *env, gaddr_t pc, const struct isa_tensor *t);

/* Makes the effects those of the instruction's next part; false: there is none, also where it has no parts. */
bool isa_next_part(struct isa_effects *fx);

/* The pieces of what a lane accesses in memory, a bit each: piece k lies k * dword_step bytes after the lane's
 * address. Each has 4 bytes, or is all of the access where there is piece 0 alone. */
static inline uint32_t isa_effects_pieces(const struct isa_effects *fx)
{
    uint32_t dwords = fx->bytes / 4u;

    if (__builtin_expect(fx->block, 0))
        return fx->block;
    if (!fx->dword_step || fx->bytes <= 4)
        return 1;
    return dwords < 32 ? (1u << dwords) - 1 : UINT32_MAX;
}

static inline uint32_t isa_effects_piece_bytes(const struct isa_effects *fx)
{
    return isa_effects_pieces(fx) == 1 ? fx->bytes : 4;
}

/* Sets EXEC and everything derived from it. In wave32 the high half is ignored. */
void isa_set_exec(struct isa_wave *w, uint64_t exec);

/* Sets MODE from the raw register and derives the rest. */
void isa_set_mode(struct isa_wave *w, uint32_t mode_reg);

/* Zeroes *w and points it at its registers. v: (nvgprs + nagprs) * lanes words, 64-byte aligned: the AGPRs follow the
 * VGPRs, so that where they are one file (FEAT_AGPR_UNIFIED; nvgprs is then ACCUM_OFFSET) AGPR n is VGPR nvgprs + n. */
void isa_wave_init(struct isa_wave *w, const struct isa_target *t, struct isa_program *p, uint32_t lanes, uint32_t *v,
                   uint32_t nvgprs, uint32_t nagprs, uint32_t nsgprs);

/* HW_ID (HW_ID1) of a wave in slot `slot` of SIMD `simd` of compute unit `cu`: WAVE_ID 3:0, SIMD_ID 5:4, CU_ID 11:8,
 * SE_ID 15:13 on gfx8 and gfx9; WAVE_ID 4:0, SIMD_ID 9:8, WGP_ID 13:10, SE_ID 20:18 later. Sixteen compute units (WGPs)
 * are taken for a shader engine. */
uint32_t isa_hw_id(const struct isa_target *t, unsigned slot, unsigned simd, unsigned cu);

/* Records a fault once; returns ISA_FAULT. */
int isa_fault(struct isa_wave *w, enum isa_fault_kind kind, int lane, gaddr_t addr, uint32_t bytes, bool write,
              const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/* Finds the range that holds addr and keeps it as w->range[which], which is empty where there is none. */
bool isa_find_range(struct isa_wave *w, const struct isa_env *env, unsigned which, gaddr_t addr);

/* Finds host memory for [addr, addr+bytes); which: the slot of w->range. Null when outside all ranges or,
 * for writes, read-only. */
static inline uint8_t *isa_host(struct isa_wave *w, const struct isa_env *env, unsigned which, gaddr_t addr,
                                uint32_t bytes, bool write)
{
    const struct isa_range *r = &w->range[which];

    if (__builtin_expect(addr - r->lo >= r->hi - r->lo, 0) && !isa_find_range(w, env, which, addr))
        return NULL;
    if (bytes > r->hi - addr || (write && !r->writable))
        return NULL;
    return r->host + (addr - r->lo);
}

/* The same for one lane's access, or a scalar one, which may have slack: null is then a fault. Callers that look at
 * several lanes at once ask isa_host(), so that what is counted are accesses. */
static inline uint8_t *isa_host_or_slack(struct isa_wave *w, const struct isa_env *env, unsigned which, int lane,
                                         gaddr_t addr, uint32_t bytes, bool write)
{
    uint8_t *p = isa_host(w, env, which, addr, bytes, write);

    return p || !env->slack ? p : env->slack(env->ctx, w, lane, addr, bytes, write);
}

#endif

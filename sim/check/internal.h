/* Internal to sim/check: the state of waves, workgroups and runs that the rules share. */
#ifndef GCNSIM_CHECK_INTERNAL_H
#define GCNSIM_CHECK_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "sim/check/rules.h"
#include "sim/engine/engine.h"
#include "sim/util/arena.h"
#include "sim/util/event.h"

/* One numbering for all registers. Where MODE has upper bits of VGPR numbers (gfx1250) there are 1024 VGPRs. */
enum { REG_V = 0, REG_A = 1024, REG_S = REG_A + 256, REG_SCC = REG_S + 128, REG_COUNT };

struct check_ref {
    uint16_t first;
    uint8_t count;
    bool write;
};

/* Kinds of instructions that the rules tell apart; a mask. */
enum check_kind {
    KIND_VALU = 1 << 0, /* everything that the vector ALUs execute, with matrix and lane instructions */
    KIND_SALU = 1 << 1,
    KIND_SMEM = 1 << 2,
    KIND_VMEM = 1 << 3, /* buffers, images, global, scratch and flat */
    KIND_FLAT = 1 << 4, /* of those: may go to LDS */
    KIND_LDS = 1 << 5,  /* DS */
    KIND_GDS = 1 << 6,
    KIND_MATRIX = 1 << 7,
    KIND_DPP = 1 << 8,
    KIND_TRANS = 1 << 9,
    KIND_BRANCH = 1 << 10,
    KIND_MESSAGE = 1 << 11,
    KIND_STORE = 1 << 12,
    KIND_RELATIVE = 1 << 13, /* M0 selects the register */
    KIND_SAMPLED = 1 << 14,  /* images */
    KIND_SYNC = 1 << 15,     /* may signal a barrier, wait for one or end */
};

enum check_order { ORDER_VMEM, ORDER_FLAT, ORDER_LDS, ORDER_GDS, ORDER_SMEM, ORDER_MESSAGE, ORDER_EXPORT, ORDER_COUNT };

/* An instruction as the rules see it; made once for each pc, and for each value of the upper bits of VGPR numbers that
 * it runs under (struct isa_wave.vgpr_msb). */
struct check_info {
    gaddr_t pc;
    const struct isa_inst *inst; /* with these bits in the numbers of its VGPRs */
    const struct isa_inst *code; /* without, as isa_step() takes it */
    struct check_info *other;    /* the same pc, other bits */
    uint8_t vgpr_msb;
    uint32_t kind, counters, wait_states;
    uint8_t order; /* enum check_order, of those with counters */
    uint8_t refs;
    bool waits;
    bool spins;      /* a load that waits for another wave (sim/engine/spin_loops.h) */
    bool returns;    /* an atomic that gives back a value */
    bool high_vgprs; /* names VGPRs that are AGPRs by another name: ref has them as these */
    uint8_t threshold[WAIT_COUNT];
    uint8_t invalidates, writes_back; /* cache levels that it acts on, a bit each */
    uint32_t site;                    /* race.c's number of it, from 1 on */
    struct check_ref ref[ISA_MAX_REGREFS];
};

/* ---- waits.c ---- */

struct check_pending {
    uint64_t lanes; /* 0: nothing is pending; SGPRs have lane 0 */
    uint32_t number;
    uint8_t counter, order;
    gaddr_t pc;
};
/* Operations of a wave, by counter and order. */
struct check_counts {
    uint32_t issued[WAIT_COUNT][ORDER_COUNT], done[WAIT_COUNT][ORDER_COUNT];
};
struct check_waits {
    struct check_counts n;
    struct check_pending vector[REG_COUNT], other[REG_COUNT]; /* outstanding results, by vmcnt and by lgkmcnt */
};

/* ---- undefined.c ---- */

struct check_undefined {
    uint64_t defined[REG_S];             /* lanes */
    uint32_t unknown[REG_COUNT - REG_S]; /* bits of SGPRs and SCC */
    struct {
        uint16_t reg;
        int8_t lane;
    } stored; /* seen before a store ran: a finding if it is no spill */
    bool has_stored, ran_twice;
    bool unsure; /* an undefined source is read that may or may not change the result */
};

/* ---- states.c, matrix.c ---- */

struct check_matrix_write {
    uint32_t when;
    uint16_t first, count; /* the whole operand */
    const struct isa_matrix *mat;
};
/* The last time of each event, in wait states from 1 on; 0: never, or the register has been written otherwise since. */
struct check_states {
    uint32_t now; /* wait states issued */
    uint32_t valu[REG_COUNT], salu[REG_COUNT], trans[REG_COUNT], partial[REG_COUNT];
    uint32_t dot[REG_S], store[REG_S];
    uint8_t store_states[REG_S]; /* that the store of `store` needs */
    const struct isa_row *dot_row[REG_S];
    uint32_t setreg[64], vskip;
    struct check_matrix_write matrix[REG_S], addend[REG_S]; /* written by one; its source C */
    uint32_t acc_written[REG_A], acc_read[REG_A];           /* AGPR by v_accvgpr_write; VGPR by v_accvgpr_read */
    uint32_t f64_matrix, acc_move;
};

/* ---- wmma.c ---- */

struct check_vgprs {
    unsigned first, count;
};

/* A matrix instruction whose registers others may not touch yet. */
struct check_wmma_issued {
    uint32_t valus;            /* vector instructions up to it */
    unsigned window;           /* so many more before others but matrix instructions may */
    struct check_vgprs result; /* none: no instruction */
    struct check_vgprs input[3];
};
enum { CHECK_WMMA_ISSUED = 9 }; /* the longest window, and one */
struct check_wmma {
    uint32_t valus;                                     /* issued so far */
    struct check_wmma_issued issued[CHECK_WMMA_ISSUED]; /* by the number of vector instructions */
};

/* ---- rdna.c ---- */

struct check_rdna {
    uint32_t vmem_reads[4], smem_reads[4]; /* SGPRs, a bit each, that memory instructions may still have to read */
    bool exec_read;                        /* EXEC likewise */
    bool cmpx;                             /* no vector instruction since v_cmpx */
    uint8_t memory;                        /* the last memory instruction's kind ... */
    bool branched;                         /* ... and whether a branch came after it */
    uint32_t valus, transes;               /* issued so far */
    uint32_t trans_valus[REG_A],
        trans_transes[REG_A];    /* these when a trans wrote the register, the first plus one; or 0 */
    uint8_t trans_halves[REG_A]; /* which halves of it */
    uint32_t mask_read[4];       /* SGPRs that the last vector instruction with scalar sources had for lane masks */
    uint32_t mask_by_salu[4], mask_by_valu[4]; /* of those: written since, and not waited for */
    struct check_wmma wmma;
    const struct check_info *trans; /* the last vector instruction, where it is a transcendental one; else null */
};

/* Calls and returns. LLVM looks for these hazards in one function at a time, and its code is clean by this measure
 * only; so what came before counts no more after them. */
static inline bool check_leaves_function(const struct isa_inst *i)
{
    return (i->row->implicit & IMP_W_PC) && i->format != FMT_SOPP;
}

/* ---- forward.c: vector instructions are numbered from 1 on ---- */

enum { SGPR_HAZARD = 108 }; /* SGPRs and VCC */

struct check_forward {
    uint32_t valus, last_trans;               /* issued; the last transcendental one */
    uint32_t written[2 * REG_A];              /* halves of VGPRs: the instruction that wrote it last; 0: none */
    uint32_t touched[REG_A];                  /* VGPRs: ... or read it */
    uint32_t exec_at, exec_before[2 * REG_A]; /* 1 + valus when SALU wrote EXEC; the same at the half's last write */
    uint32_t drained;                         /* instructions up to this one have written their results */
    bool memory_reads[REG_A];                 /* a memory instruction may still have to read it */
    uint64_t read_by_valu;                    /* pairs of SGPRs */
    uint32_t salus;                           /* scalar instructions but those of SOPP, numbered from 1 on */
    uint32_t rewritten[SGPR_HAZARD]; /* SGPRs of such pairs: the scalar instruction that wrote it last; 0: none */
    bool rewritten_by_valu[SGPR_HAZARD];
};

/* ---- bugs.c ---- */

struct check_bugs {
    unsigned clause; /* instructions left of an s_clause */
};

/* ---- global.h: what a wave has not released, or not acquired, yet. All zero: a new wave. ---- */

struct global_wave {
    uint32_t wrote[WAIT_COUNT][ORDER_COUNT]; /* operations up to the wave's last write */
    uint32_t waited_for;                     /* stretches of its workgroup that it had waited for at a plain store */
    bool dirty;                              /* it has made plain stores since it last wrote L2 back */
    uint8_t invalidated;                     /* levels, since its last coherent load */
    bool syncs;                              /* it is in global wave sync, or has just been */
};

struct check_wave {
    struct global_wave global;
    struct check_forward forward;
    struct check_bugs bugs;
    struct check_waits waits;
    struct check_undefined undefined;
    struct check_states states;
    struct check_rdna rdna;
};

/* ---- check.c ---- */

struct check {
    const struct launch *launch;
    pthread_mutex_t lock;
    struct check_finding *finding;
    size_t count, room;
    bool is_full;          /* there are findings that the list does not hold */
    char left_out[400];    /* check_left_out()'s */
    atomic_bool no_memory; /* something was not checked: the findings are not those of the program */
    bool uses_wait_alu;    /* forward.c */
    atomic_bool stepped;   /* the functional engine ran it: the rules about single instructions were applied */
    struct check_group *groups;
    struct engine_stepper stepper;            /* of the functional engine */
    struct event_consumer consumer, accesses; /* of the timing engine's events, for `stale` and `timed` */
    struct stale *stale;                      /* null without a profile, as is `timed` */
    struct global *global;                    /* null: stores alone are looked at */
    struct global_events *timed;
    struct overwrites *overwrites;
};

struct check_group {
    struct check_group *next;
    struct check *run;
    struct arena arena;
    struct check_info **slots;
    size_t slot_count, used;
    uint64_t id;
    unsigned waves, current; /* wave being run */
    struct check_wave *wave;
    uint8_t *lds; /* a byte per byte: written */
    uint32_t lds_bytes;
    struct check_race *race;
    struct global_group *global; /* null: none, or out of host memory */
    unsigned ended;              /* waves */
    struct isa_effects fx;
};

/* The arguments of the rules. w: state before the instruction; after it in _after functions. */
struct check_step {
    struct check_group *g;
    struct check_wave *c;
    const struct check_info *i;
    struct isa_wave *w;
    const struct isa_env *env;
    uint64_t exec;       /* before it */
    uint8_t signals[32]; /* of each barrier, before it */
    uint32_t acquires;   /* of all workgroups, before it */
};

/* The same for a place reported. */
void check_report_at(struct check *c, gaddr_t pc, uint64_t group, uint32_t wave, enum check_rule rule, int lane,
                     const char *fix, const char *format, ...) __attribute__((format(printf, 8, 9)));
/* The same, found `count` times, no lane named. */
void check_report_times(struct check *c, gaddr_t pc, uint64_t group, uint32_t wave, enum check_rule rule,
                        uint64_t count, const char *fix, const char *format, ...) __attribute__((format(printf, 8, 9)));
void check_report(struct check_step *s, enum check_rule rule, int lane, const char *fix, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* "v3", "s7", "vcc_lo" ..., as the instruction calls it. */
const char *check_reg_name(const struct check_step *s, unsigned reg, char out[24]);
/* The number of register k of a vector operand; AGPRs have one number, whether named so or as VGPRs. */
unsigned check_operand_reg(const struct check_step *s, const struct isa_opnd *o, unsigned k);
/* Whether a register is one of the operand's. */
bool check_operand_is(const struct check_step *s, const struct isa_opnd *o, unsigned reg);
/* Text and offset of the instruction at pc. */
void check_inst_text(const struct check *c, gaddr_t pc, char *out, size_t size);
/* Value of a scalar source. */
uint32_t check_scalar(const struct isa_wave *w, const struct isa_inst *i, unsigned code);
/* Lanes of register r that the instruction reads, or that it writes. */
uint64_t check_read_lanes(const struct check_step *s, unsigned reg);

static inline const struct isa_target *check_target(const struct check_step *s)
{
    return s->g->run->launch->target;
}

/* v_permlane16_b32 and its siblings, and gfx950's swaps: lanes exchange values under EXEC. */
static inline bool check_is_permlane(const struct isa_inst *i)
{
    return i->row->cls == OPC_CROSS && !(i->row->flags & RF_ANY_LANE);
}

/* Whether it is s_waitcnt_depctr or s_wait_alu with a field that waits for all: a field of zero does, one of the
 * largest value waits for none. */
static inline bool check_waits_alu(const struct isa_inst *i, unsigned shift, unsigned bits)
{
    return i->row->special == ISA_SPECIAL_WAIT_ALU && !((unsigned)i->offset >> shift & ((1u << bits) - 1));
}

static inline uint64_t check_all_lanes(const struct isa_wave *w)
{
    return w->lanes == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff);
}

/* Reads and writes its VGPRs in all lanes, whatever EXEC says: matrix instructions, gfx1250's ds_load_tr. */
static inline bool check_takes_all_lanes(const struct isa_row *row)
{
    return row->mat || (row->mem.tr_bits && (row->flags & RF_NO_EXEC));
}

/* The halves of a VGPR that the instruction reads (A_RD) or writes (A_WR), a bit each: LLVM 22 takes them for registers
 * of their own. */
unsigned check_halves_of(const struct check_step *s, unsigned reg, unsigned access);

/* Null when out of host memory. */
struct check_info *check_info_at(struct check_group *g, gaddr_t pc, uint8_t vgpr_msb);

/* Counts an instruction that has run, and what its waits complete; lds: lanes of it went to LDS. By counter that it
 * raises: its number and order. */
void check_count(const struct isa_target *t, struct check_counts *w, const struct check_info *i, bool lds,
                 uint32_t number[WAIT_COUNT], uint8_t order[WAIT_COUNT]);

void check_waits_before(struct check_step *s);
void check_waits_after(struct check_step *s);

void check_undefined_start(struct check_group *g, struct check_undefined *u, const struct isa_wave *w);
void check_undefined_before(struct check_step *s);
/* Executes the instruction, twice where its result may depend on undefined bits. */
enum isa_status check_undefined_step(struct check_step *s);
void check_undefined_after(struct check_step *s);
void check_undefined_lds(struct check_step *s); /* its part for LDS */

/* A finding when fewer than `need` wait states have passed since `when`. */
void check_missing_states(struct check_step *s, enum check_rule rule, unsigned need, uint32_t when, const char *what);
void check_states_before(struct check_step *s);
void check_states_after(struct check_step *s);
void check_matrix_before(struct check_step *s);
void check_matrix_after(struct check_step *s);
struct check_race *check_race_new(struct check_group *g, unsigned waves);
/* Bytes that it may come to take of the arena, with what the arena adds. */
uint64_t check_race_more_bytes(uint32_t lds_bytes);
void check_race_start(struct check_group *g);
void check_race_resume(struct check_group *g, unsigned wave);
void check_race_before_sync(struct check_step *s);
void check_race_after_sync(struct check_step *s, enum isa_status status);
void check_race_after(struct check_step *s);
/* All parts of a tensor have been moved: arrives at a barrier in LDS where it is to. */
void check_race_tensor_done(struct check_step *s);

/* Whether the instruction that has run read or wrote LDS by addresses. */
bool check_is_lds_access(const struct check_step *s);
/* Whether it moves dwords between memory and LDS: of lds_mask, at lds_addr. */
bool check_is_lds_dma(const struct check_step *s);
/* Bytes of LDS that each of its lanes reads or writes there. */
unsigned check_lds_dma_bytes(const struct check_step *s);
void check_overwrites_after(struct check_step *s);
void check_bounds_after(struct check_step *s);

void check_rdna_before(struct check_step *s);
void check_rdna_after(struct check_step *s);
void check_wmma_before(struct check_step *s);
void check_wmma_after(struct check_step *s);
bool check_uses_wait_alu(const struct launch *l);
void check_forward_before(struct check_step *s);
void check_forward_after(struct check_step *s);
void check_bugs_before(struct check_step *s);
void check_bugs_after(struct check_step *s);

#endif

/* isa/: bytes -> instruction -> new architectural state. No time, no caches.
 *
 * Use:  isa_target_open() -> isa_program_open() over the code bytes -> isa_wave set up by the launcher ->
 *       isa_step() until it returns ISA_END.
 * isa_decode() and isa_text() work on bytes alone.
 */
#ifndef GCNSIM_ISA_ISA_H
#define GCNSIM_ISA_ISA_H

#include "isa/table/codes.h"
#include "isa/table/row.h"
#include "isa/wave.h"

enum {
    ISA_BAD_DPP = 1 << ISA_MAX_ARGS,
    ISA_BAD_SDWA = ISA_BAD_DPP << 1,
    ISA_BAD_DPP64 = ISA_BAD_DPP << 2,
    ISA_BAD_ODD = ISA_BAD_DPP << 3,
};

/* Encoding forms of one instruction. */
enum isa_form { FORM_E32, FORM_E64, FORM_SDWA, FORM_DPP16, FORM_DPP8, FORM_E64_DPP16, FORM_E64_DPP8, FORM_VOPD };

static inline bool isa_form_is_dpp16(unsigned form)
{
    return form == FORM_DPP16 || form == FORM_E64_DPP16;
}

static inline bool isa_form_is_dpp8(unsigned form)
{
    return form == FORM_DPP8 || form == FORM_E64_DPP8;
}

static inline bool isa_form_is_dpp(unsigned form)
{
    return isa_form_is_dpp16(form) || isa_form_is_dpp8(form);
}

struct isa_opnd {
    uint16_t code;
    uint8_t type;  /* enum isa_type */
    uint8_t flags; /* enum isa_arg_flags, with A_ACC set when the register is an AGPR */
};

struct isa_sdwa {
    uint8_t dst_sel, dst_unused, src_sel[2], sext; /* sext: bit per source */
};
struct isa_dpp {
    uint16_t ctrl; /* dpp_ctrl of DPP16 */
    uint8_t row_mask, bank_mask, bound_ctrl, fi;
    uint32_t sel8; /* DPP8: eight 3-bit lane selects */
};
struct isa_membits {
    uint8_t glc : 1, slc : 1, dlc : 1, scc : 1, nv : 1, lds : 1, tfe : 1, offen : 1;
    uint8_t idxen : 1, gds : 1, imm : 1, soffset_en : 1, seg : 2;
    uint8_t r128 : 1;           /* tensor unit */
    uint8_t scale : 1;          /* scale_offset: the register offset counts in units of the access */
    uint8_t dfmt, nfmt, format; /* typed buffers */
    uint8_t scope, th;          /* gfx12 */
    struct mem_hint hint;       /* the cache bits of every generation, made canonical */
};

/* Images. Further addresses stand in nsa where they are registers of their own: three words of them on gfx10. */
struct isa_image {
    struct isa_membits mem; /* where every memory instruction has them: inst.u.mem */
    uint8_t dmask : 4, dim : 3, unorm : 1;
    uint8_t a16 : 1, d16 : 1, r128 : 1, lwe : 1, da : 1;
    uint8_t more; /* registers in nsa; 0: the addresses are one tuple */
    uint8_t nsa[12];
};

/* Modifiers of CDNA's matrix instructions; gfx1250's of the scales of A and of B. */
struct isa_mai {
    uint8_t cbsz, abid, blgp;
    struct {
        uint8_t row;    /* the lanes that have them: 0 the first sixteen, 1 the others */
        uint8_t format; /* 0: E8M0, 1: E5M3, 2: E4M3 */
        uint8_t again;  /* the matrix comes again in the next instruction: reuse, a hint */
    } scale[2];
};

/* Fields of exports, interpolation and direct LDS loads. */
struct isa_gfx {
    uint8_t target, done, compr, vm, row_en; /* exports */
    uint8_t attr, chan, high;                /* interpolation; high: the other half of a packed attribute */
    uint8_t wait_exp, wait_vdst, wait_vm_vsrc;
};

/* How the shortest way runs an instruction (isa/lanes/quick.h). */
enum isa_quick_kind {
    QUICK_NOT,
    QUICK_STAGED, /* in units alone: `whole` on rows that its modifiers have changed, or `exec` */
    QUICK_PAIR,   /* in units alone: a dual-issue pair, one half after the other */
    QUICK_DIRECT, /* `whole` on registers in place */
    QUICK_ODD,    /* `whole`, with scalars among the sources or masks */
    QUICK_SCALAR, /* `exec` of a row that is `steady` */
};

enum { ISA_PLAIN_ACC = 2 }; /* isa_inst.plain */

/* Arguments of isa_inst.whole, prepared at decoding (isa/decode/choose.c, isa/lanes/quick.h). */
struct isa_quick {
    uint32_t dst, src[3];        /* words from the wave's first VGPR; of scalar sources the source code */
    uint8_t need;                /* bits of w->special that exclude this path */
    uint8_t scalar, wide;        /* a bit per source: an SGPR or constant; of 64 bits */
    uint8_t carry_in, carry_out; /* SGPRs of masks; 0xff: none */
    uint8_t tally;               /* isa_inst.tally */
    bool clears;                 /* a result of 16 bits clears the others */
};

/* A decoded instruction. Operands stand in the order of the row's args (hidden ones included). */
struct isa_inst {
    /* what most instructions need when they run is in one cache line */
    isa_exec *exec;            /* null until decoded, for entries of a program */
    isa_whole *whole;          /* the row's loop, where it runs on registers in place; else null */
    const struct isa_row *row; /* null: not an instruction of this target */
    uint8_t size_bytes;
    uint8_t tally;     /* of a program: what isa_run() counts it under */
    uint8_t mode_need; /* MODE halves that matter: 1 f32, 2 f16 and f64 */
    uint8_t plain;     /* lane instruction without any modifier, DPP or SDWA; matrix instruction of registers alone
                        * without any modifier, ISA_PLAIN_ACC if some are AGPRs */
    uint16_t vgpr_end; /* one past the highest VGPR named (simple ones); VGPR or AGPR (plain ones of matrices) */
    uint8_t format;
    uint8_t quick_kind;    /* enum isa_quick_kind; isa_prepare() */
    uint8_t lds_use;       /* LDS_TURN_READ, LDS_TURN_WRITE, or 0 (isa/lds_order.h); isa_prepare() */
    uint8_t reached;       /* of a program: how often isa_run() came here, until it has seen whether a unit pays */
    struct isa_unit *unit; /* of a program: the unit that begins here (isa/unit.h), or null */
    union {
        struct {
            struct isa_quick quick; /* where `whole` is set */
            uint64_t value[3];      /* plain lane instructions: constants among the sources, in order; scalar ones: of
                                     * the operands that `constants` names */
        };
        struct isa_sdwa sdwa;
        struct isa_dpp dpp;
        struct isa_membits mem;
        struct isa_image img;
        struct isa_mai mai;
        struct isa_gfx gfx;
        struct {
            const struct isa_row *row;
            const char *mnemonic;
            uint8_t first_op; /* operands from here on belong to the Y half */
            uint8_t table;    /* of v_bitop2_b32 there */
        } y;                  /* VOPD */
    } u;
    struct isa_opnd op[ISA_MAX_ARGS];
    uint32_t literal, literal_hi; /* the second of CODE_LITERAL64 */
    int32_t offset;               /* memory immediate, SIMM16 (sign-extended), K constants use `literal` */
    uint8_t neg, abs, op_sel, op_sel_hi, neg_hi, clamp, omod; /* neg/abs: bit per source 0..2; op_sel bit 3: dst */
    uint8_t first_src; /* index of the first operand that is read as a lane source */
    uint32_t keep;     /* 16-bit results: bits of the old register that stay */
    uint16_t opcode;
    uint8_t form, base_format, nops; /* base_format: VOP1/2/C for their VOP3 twins */
    uint8_t has_literal;             /* 2: of 64 bits */
    uint8_t wave64_only;
    uint8_t constants; /* scalar ALU: a bit per operand whose value is in u.value */
    uint16_t bad;      /* what LLVM decodes and marks as invalid in its text: a bit per operand that is no register or
                        * constant of its kind, ISA_BAD_DPP for dpp_ctrl, ISA_BAD_DPP64 for one that 64-bit
                        * operands do not have, ISA_BAD_SDWA for a reserved dst_unused; or does not mark, ISA_BAD_ODD
                        * for misaligned tuples. Executing it is an illegal instruction */
    uint32_t ignored;  /* fields that are set and that the hardware does not look at: isa_ignored_field() */
    const char *mnemonic; /* without form suffix */
};

/* Decodes the instruction at code[0..size), as far as the hardware runs it. Never reads past size. pc_limit-free:
 * branches keep their raw offset. Returns the instruction's length in bytes (4..20), or 0 when the bytes are no
 * instruction of this target or run out; *inst is then filled with row = null and `why` (if not null) with a reason. */
unsigned isa_decode_any(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *inst,
                        const char **why);

/* As isa_decode_any(), without what LLVM rejects: fields set that the instruction does not have (inst->ignored), and
 * instructions of wave64 alone unless lanes is 64. */
unsigned isa_decode_strict(const struct isa_target *t, const uint8_t *code, size_t size, unsigned lanes,
                           struct isa_inst *inst, const char **why);

/* As LLVM does unless it is set to waves of 64 lanes. */
static inline unsigned isa_decode(const struct isa_target *t, const uint8_t *code, size_t size, struct isa_inst *inst,
                                  const char **why)
{
    return isa_decode_strict(t, code, size, 32, inst, why);
}

/* The name of an ignored field, by its bit of inst->ignored. */
#define ISA_IGNORED_FIELDS 32
const char *isa_ignored_field(unsigned bit);

/* Prepares a decoded instruction for the shortest path through its lane loop, where it can take one; isa_program does
 * so with all of its instructions. */
void isa_prepare(const struct isa_target *t, struct isa_inst *inst);

/* Writes LLVM's text of the instruction ("v_add_f32_e32 v0, v1, v2") into buf, always terminated; returns the length
 * it needed. */
size_t isa_text(const struct isa_target *t, const struct isa_inst *inst, char *buf, size_t size);
/* As isa_text(), under these upper bits of VGPR numbers (struct isa_wave.vgpr_msb): after a register that they change
 * stands its number as a comment, as LLVM 22 has it. */
size_t isa_text_raised(const struct isa_target *t, const struct isa_inst *inst, unsigned msb, char *buf, size_t size);

/* The upper bits of VGPR numbers that s_set_vgpr_msb names, in MODE's order. */
static inline uint32_t isa_named_msb(const struct isa_inst *i)
{
    uint32_t msb = (uint32_t)i->offset & 0xff;

    return (msb << 2 | msb >> 6) & 0xff;
}

/* Those after an instruction for who reads code from the top and does not run it, as LLVM 22 does: where code goes on
 * elsewhere they are 0. */
unsigned isa_msb_behind(const struct isa_inst *inst, unsigned msb);

/* Registers an instruction touches, explicit and implicit, for scoreboards and checks. */
enum isa_regfile { RF_SGPR, RF_VGPR, RF_AGPR, RF_SCC, RF_MODE, RF_PC };
struct isa_regref {
    uint8_t file;   /* enum isa_regfile */
    uint8_t count;  /* consecutive registers */
    uint16_t first; /* SGPR file uses source codes: vcc 106, m0 124 or 125, exec 126 ...; 0 where there is one */
    uint16_t bits;  /* width of the value: 32 * count, or less in a single register */
    bool write;
};
/* The instruction as it names VGPRs under these upper bits of their numbers (struct isa_wave.vgpr_msb), in *moved; i
 * itself, which may be null, where they say nothing. For those who ask about its registers: isa_step() finds them by
 * itself. */
const struct isa_inst *isa_inst_raised(const struct isa_target *t, const struct isa_inst *i, unsigned msb,
                                       struct isa_inst *moved);
/* Whether two references have a register in common. */
static inline bool isa_regrefs_overlap(const struct isa_regref *a, const struct isa_regref *b)
{
    return a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count;
}
#define ISA_MAX_REGREFS 24 /* image samples of gfx10 have the most: an address in a register of its own each */
/* Fills refs; returns how many. wave_lanes decides the width of lane masks. */
unsigned isa_inst_regs(const struct isa_target *t, const struct isa_inst *inst, unsigned wave_lanes,
                       struct isa_regref refs[ISA_MAX_REGREFS]);

/* Gives each register of one file one name. Where VGPRs and AGPRs are one (FEAT_AGPR_UNIFIED) AGPR n is VGPR arch + n,
 * and an instruction may name it either way: VGPRs from arch on become AGPRs here, and a tuple over the border becomes
 * two references. Fills out; returns how many, one or two. Other references come out as they are. */
unsigned isa_regref_in_file(const struct isa_target *t, unsigned arch, const struct isa_regref *r,
                            struct isa_regref out[2]);

/* Whether MODE's rounding and denormal bits have a say in the result: in float arithmetic, not in matrix instructions.
 */
bool isa_row_reads_mode(const struct isa_row *row);

/* The result of v_bitop3 for each combination of its sources' bits, source 0 the highest (RF_TRUTH_TABLE). */
static inline unsigned isa_truth_table(const struct isa_inst *i)
{
    return (unsigned)(i->omod & 3) << 6 | (unsigned)(i->abs & 7) << 3 | (i->neg & 7);
}

/* What a matrix instruction computes, and in how many passes; null for others. */
static inline const struct isa_matrix *isa_matrix_of(const struct isa_inst *i)
{
    const struct isa_matrix *m = i->row->mat;

    if (!m || !m->narrow)
        return m;
    bool sel = m->mods & MM_FORMATS; /* gfx1250 has the formats of A and B in op_sel's places */
    return (sel ? i->op_sel & 7 : i->u.mai.cbsz) >= 2 && (sel ? i->op_sel_hi & 7 : i->u.mai.blgp) >= 2 ? m->narrow : m;
}

/* Wait thresholds of a waiting instruction (s_waitcnt, s_waitcnt_vscnt, s_wait_*): for each counter the value it must
 * have come down to, or 0xff when it does not matter. Returns false when inst waits for nothing. */
bool isa_inst_waits(const struct isa_target *t, const struct isa_inst *inst, uint8_t thresholds[WAIT_COUNT]);

/* Counters a memory or message instruction raises, a bit per enum wait_counter. */
uint32_t isa_inst_counters(const struct isa_target *t, const struct isa_inst *inst);

/* Whether a wave ends with it. */
static inline bool isa_ends_wave(const struct isa_inst *i)
{
    return i->row && i->row->flags & RF_ENDS && i->row->cls != OPC_BRANCH;
}

/* Where an instruction may lead. */
enum isa_flow {
    ISA_FLOW_NEXT,   /* to the one after it */
    ISA_FLOW_BRANCH, /* there or to its target */
    ISA_FLOW_JUMP,   /* to its target */
    ISA_FLOW_CALL,   /* elsewhere, and back: to the one after it */
    ISA_FLOW_LEAVE,  /* to an address in registers: a return, mostly */
    ISA_FLOW_END,    /* nowhere; also bytes that are no instruction */
};
/* *target: of a branch or jump, or of a call that states it; 0: not known. */
enum isa_flow isa_inst_flow(const struct isa_inst *inst, gaddr_t pc, gaddr_t *target);

/* The row of the second half of a dual-issue pair; null for others. */
static inline const struct isa_row *isa_second_row(const struct isa_inst *i)
{
    return i->form == FORM_VOPD ? i->u.y.row : NULL;
}

/* Whether two instructions have the same row, or pair of them. */
static inline bool isa_same_rows(const struct isa_inst *a, const struct isa_inst *b)
{
    return a->row == b->row && isa_second_row(a) == isa_second_row(b);
}

/* Whether a chip's results may be others than those computed here (isa_row.ulp). */
static inline bool isa_is_approximate(const struct isa_inst *i)
{
    const struct isa_row *second = isa_second_row(i);

    return i->row->ulp != 0 || (second && second->ulp != 0);
}

/* What isa_run() counts an instruction under. First a tally for each class, of instructions whose results are exact,
 * then one for each class of the others (isa_row.ulp): of those that find none left among the later tallies, which
 * have one for each row, or pair of rows. */
enum {
    ISA_TALLY_APPROXIMATE = OPC_COUNT,
    ISA_TALLY_ROWS = 2 * OPC_COUNT,
    ISA_TALLIES = ISA_TALLY_ROWS + 48,
};

/* Decoded code, indexed by pc; decoding happens on first use of a pc and is safe from several threads. */
struct isa_program;
/* bytes must outlive the program. base: device address of bytes[0], a multiple of 4. Any number of runs may use one
 * program at the same time, of several simulators as well when it has no budget. */
int isa_program_open(struct isa_program **out, const struct isa_target *t, gaddr_t base, const uint8_t *bytes,
                     size_t size, struct err *e);
void isa_program_close(struct isa_program *p);
/* Counts decoded instructions against a budget that outlives the program, from the first use of each 16 KiB of code on.
 * An instruction that would pass it is a fault when it runs. */
struct budget;
void isa_program_set_budget(struct isa_program *p, struct budget *b);
/* Counts all code that has not been counted yet, so that no instruction is refused up to isa_program_release(), which
 * gives back what has not been reached by then. False: there is no room for all of it, and nothing has changed. No wave
 * may run the program during either call; without a budget neither does anything. */
bool isa_program_reserve(struct isa_program *p);
void isa_program_release(struct isa_program *p);
/* The bytes have changed: everything is decoded anew. No wave may run the program meanwhile. */
void isa_program_forget(struct isa_program *p);
/* Bytes of code, and the device address of the first. */
size_t isa_program_size(const struct isa_program *p);
gaddr_t isa_program_base(const struct isa_program *p);
/* The instruction at pc, or null when pc is outside the program or misaligned. An undecodable one has row = null. */
const struct isa_inst *isa_program_at(struct isa_program *p, gaddr_t pc);
/* An instruction that is counted under a tally from ISA_TALLY_ROWS on; null: none is. */
const struct isa_inst *isa_program_tallied(const struct isa_program *p, unsigned tally);

/* Runs the instruction at w->pc and moves pc on. fx may be null (functional engine). */
enum isa_status isa_step(struct isa_wave *w, const struct isa_inst *inst, const struct isa_env *env,
                         struct isa_effects *fx);

/* Runs until something other than ISA_OK happens or `limit` instructions are done. *done counts them, and so does
 * tally (null, or ISA_TALLIES counters that are added to); one that faults has not been executed and is not counted.
 * The functional engine's loop. */
enum isa_status isa_run(struct isa_wave *w, struct isa_program *p, const struct isa_env *env, uint64_t limit,
                        uint64_t *done, uint64_t *tally);

/* Rows are known to the outside by name for `isa list`. */
unsigned isa_row_count(const struct isa_target *t);

#endif

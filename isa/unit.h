/* Units: stretches of a program as threaded code, for isa_run().
 *
 * A unit is what stands between two places where anything can happen: at most UNIT_INSTRUCTIONS that the shortest way
 * takes (isa/lanes/quick.h), without branches in and with one branch at most, at the end. What the shortest way tests
 * of each instruction is tested once for all of them, before the first: MODE and EXEC, the highest register named, the
 * limit. The counts of all are added at once, too.
 *
 * A unit is an array of ops, each with a handler: a function of the row that does the row's arithmetic on registers in
 * place and ends by a call of the next op's handler, of which the compiler makes a jump. Where it does not, handlers
 * stand on one another's frames, of which there are no more than a unit has ops. The last op's handler returns. In a
 * wave64 an instruction has two ops, one for each half of its lanes, so that handlers are of 32 lanes always; the
 * halves of a dual-issue pair are ops, too, in the order in which neither reads what the other has written. Where some
 * lanes are not active, ops run by handlers that serve all rows and keep the results of the active ones.
 *
 * Where MODE flushes denormals of f32, as most shipped kernels ask for, a unit is made for that: its ops flush. Rows of
 * arithmetic have handlers for it that do as the others do, and leave it to the ones that serve all rows where there is
 * a denormal.
 *
 * An instruction with modifiers, SDWA or DPP, or with pairs of registers in a wave64, has its sources put into rows of
 * their own first, changed as it asks for, and its result written from one: that is a stage (struct isa_stage), which
 * stands behind its op or ops in the array.
 *
 * Units are made when their first instruction has been reached UNIT_WORTH times, and belong to the program. Whatever
 * has no unit, or comes to one that it does not meet the conditions of, runs instruction by instruction, with the same
 * results: isa_step(), observers, the rest of a limit that ends within a unit. The timing engine, which goes by single
 * instructions, has units of one for those that isa_step() would take a long way.
 */
#ifndef GCNSIM_ISA_UNIT_H
#define GCNSIM_ISA_UNIT_H

#include "isa/isa.h"
#include "isa/variant.h"

enum {
    UNIT_INSTRUCTIONS = 64,
    UNIT_TALLIES = 8,
    UNIT_MIN_OPS = 5,   /* four of a dual-issue pair of a wave64, or two and their stage, and the last one */
    UNIT_STAGE_OPS = 2, /* places that a stage takes */
    UNIT_WORTH = 16,
};

enum isa_unit_around {
    UNIT_FLUSHES_SOURCE = 1, /* a bit per source: f32 of which denormals are zeros */
    UNIT_FLUSHES_RESULT = 8,
    UNIT_CLEARS = 16, /* the upper halves of results */
};

struct isa_unit_op {
    isa_handler *run, *part; /* with all lanes active; with some */
    union {
        const struct isa_inst *i; /* scalar instructions, and what runs by isa_inst.exec */
        isa_whole *whole;         /* others: the row's loop, for handlers that serve all rows */
    };
    uint32_t dst, src[3];        /* words from the wave's first VGPR; of scalar sources the SGPR or the constant */
    uint8_t sgpr, constant;      /* a bit per source that is an SGPR, or a constant of 32 bits */
    uint8_t carry_in, carry_out; /* SGPRs of masks; 0xff: none */
    uint8_t rows, half;          /* `part`: registers of the result; which half of the wave's lanes */
    uint8_t around;              /* what handlers of all rows do besides: enum isa_unit_around */
    uint8_t stage;               /* places to the op's stage; 0: it has none */
};

/* How the row of a source is changed; pairs of registers have two rows, that of the low words first. */
enum isa_stage_kind {
    STAGE_PLACE,  /* nothing */
    STAGE_BITS,   /* ((x >> shift & keep) ^ flip) - less */
    STAGE_PACKED, /* each half from the low or high one, as bits 0 and 1 of shift say; then ^ flip */
    STAGE_HALF,   /* the half at shift as a float, & keep ^ flip */
    STAGE_PAIR,   /* each word from the low or high one, as bits 0 and 1 of shift say; low ^ less, high & keep ^ flip */
};

enum isa_stage_result {
    STAGE_CLAMPS = 1,
    STAGE_HALVES = 2, /* 16 bits: of the register, `keep` of the instruction stay */
    STAGE_HIGH = 4,   /* 16 bits, that go to the upper half */
    STAGE_SDWA = 8,
};

struct isa_stage {
    isa_whole *whole; /* the row's loop */
    uint32_t keep[3], flip[3];
    uint32_t less[3]; /* of a pair that is a constant: its high word */
    uint8_t kind[3], shift[3];
    uint8_t sources;
    uint8_t pairs;  /* a bit per source, and 8: the result */
    uint8_t result; /* enum isa_stage_result */
    uint8_t type;   /* of the result: enum isa_type */
    uint8_t dpp;    /* 1 + the source that it moves; 0: none */
    bool fetch_inactive, bound_ctrl;
    uint8_t from[16]; /* DPP: the lane of its row of 16 that each lane of that source reads, */
    uint32_t reach;   /* whether it has one, */
    uint64_t on;      /* and which lanes of the wave are written */
};
_Static_assert(sizeof(struct isa_stage) <= UNIT_STAGE_OPS * sizeof(struct isa_unit_op), "it stands among the ops");

struct isa_unit {
    gaddr_t pc;
    uint32_t bytes;
    uint16_t vgpr_end;   /* one past the highest VGPR named */
    uint16_t mask, want; /* bits of w->special that matter, and what they have to be */
    uint8_t instructions;
    uint8_t tallies;
    struct {
        uint8_t tally, count;
    } tally[UNIT_TALLIES]; /* how many instructions count under which tally (isa_inst.tally) */
    struct isa_unit_op op[];
};

/* Whether the unit does all that its instructions do, within `left` of them. That some lanes are not active is no
 * hindrance, other reasons of SPECIAL_PARTIAL are. */
static inline bool isa_unit_ready(const struct isa_unit *u, const struct isa_wave *w, uint64_t left)
{
    unsigned other = (w->special & u->mask) ^ u->want;

    if (__builtin_expect(other != 0, 0) && (other != SPECIAL_PARTIAL || w->gpr_idx || w->vgpr_msb))
        return false;
    return u->vgpr_end <= w->nvgprs && u->instructions <= left;
}

/* Runs it as often as it branches to itself and is ready, at least once. Returns how many instructions that was. */
static inline uint64_t isa_unit_run(const struct isa_unit *u, struct isa_wave *w, uint64_t left, uint64_t *tally)
{
    uint64_t times = 0;

    do {
        times++;
        left -= u->instructions;
        w->pc += u->bytes;
        (w->special & u->mask & SPECIAL_PARTIAL ? u->op->part : u->op->run)(w->v, u->op, w);
    } while (w->pc == u->pc && isa_unit_ready(u, w, left));
    for (unsigned k = 0; k < u->tallies; k++)
        tally[u->tally[k].tally] += u->tally[k].count * times;
    return u->instructions * times;
}

/* Runs a unit of one instruction, for a wave that it is ready for, as isa_step() would. */
static inline void isa_unit_step(const struct isa_unit *u, struct isa_wave *w, struct isa_effects *fx)
{
    isa_effects_clear(fx);
    w->inst_pc = w->pc;
    w->pc += u->bytes;
    (w->special & u->mask & SPECIAL_PARTIAL ? u->op->part : u->op->run)(w->v, u->op, w);
}

static inline const struct isa_stage *isa_stage_of(const struct isa_unit_op *op)
{
    return (const void *)(op + op->stage);
}

/* The op of an instruction that is run in stages, for either half of the lanes, with registers numbered in rows of 32
 * words, and its stage. False: there is none, and isa_inst.exec has to do it. */
bool isa_stage_make(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_unit_op *op,
                    struct isa_stage *stage);
/* The handler of ops with the stage. */
enum isa_staged isa_stage_handler(const struct isa_stage *stage);

/* Makes the unit that begins at i, an entry of a program at pc, for waves like w, of decoded entries before
 * `end`. Room is for `ops` of them, UNIT_MIN_OPS at least. Returns how many ops it has, the last one included; of
 * u->instructions, which may be none. */
unsigned isa_unit_make(const struct isa_target *t, const struct isa_inst *i, const struct isa_inst *end, gaddr_t pc,
                       const struct isa_wave *w, struct isa_unit *u, unsigned ops);

/* Makes a unit of one entry of a program alone, in UNIT_OF_ONE_BYTES aligned as it. False: isa_step() is as fast for
 * waves like w. */
bool isa_unit_of_one(const struct isa_target *t, const struct isa_inst *i, gaddr_t pc, const struct isa_wave *w,
                     struct isa_unit *u);
#define UNIT_OF_ONE_BYTES (sizeof(struct isa_unit) + (UNIT_MIN_OPS + 1) * sizeof(struct isa_unit_op))

#endif

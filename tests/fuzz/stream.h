/* Programs of valid instructions made at random, for any target: every instruction that is executed, in every form,
 * with random operands, modifiers, EXEC, M0 and memory; and a bench that runs a program in both engines and compares
 * what it leaves.
 *
 * A program loads its registers with random values, runs its instructions, and stores its registers and LDS. Before
 * a memory instruction stands what puts an address into its registers: one that lies in memory of the wave's own, or
 * (stream_shape.wild) anywhere. Numbers come from bytes as long as there are some, then from a generator that they
 * seed; so a fuzzer can drive it.
 *
 * Registers kept for the program itself, which no instruction made here writes: s[92:99] and the last four VGPRs.
 * Relative moves reach them all the same; stream_shape.repeatable leaves those out.
 */
#ifndef GCNSIM_TESTS_FUZZ_STREAM_H
#define GCNSIM_TESTS_FUZZ_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/table/list.h"
#include "sim/engine/engine.h"
#include "tests/golden/encodings.h"

/* Random numbers ----------------------------------------------------------------------------------------------------
 */

struct stream_rng {
    const uint8_t *bytes;
    size_t left;
    uint64_t state;
};

void stream_seed(struct stream_rng *g, const uint8_t *bytes, size_t size, uint64_t seed);
uint32_t stream_draw(struct stream_rng *g);
uint32_t stream_below(struct stream_rng *g, uint32_t n); /* 0 .. n-1; 0 for n == 0 */
bool stream_chance(struct stream_rng *g, uint32_t percent);

/* The instructions of a target ---------------------------------------------------------------------------------------
 */

/* An instruction in one form. Halves of dual instructions have cells of their own. */
struct stream_cell {
    const struct isa_row *row;
    uint8_t format, form;          /* as isa_list_at() has them */
    uint16_t at_format, at_opcode; /* where encodings_walk() meets it */
    bool known;                    /* it has been met */
    uint32_t made;                 /* programs have it so often */
    uint64_t zero;                 /* bits of its first two words that must be zero */
};

#define STREAM_OPS(X)                                                                                                  \
    X(s_mov_b32, SOP1)                                                                                                 \
    X(s_add_u32, SOP2)                                                                                                 \
    X(s_lshl_b32, SOP2)                                                                                                \
    X(s_lshr_b32, SOP2)                                                                                                \
    X(s_cselect_b32, SOP2)                                                                                             \
    X(s_cmp_lg_u32, SOPC)                                                                                              \
    X(s_getreg_b32, SOPK)                                                                                              \
    X(s_setreg_imm32_b32, SOPK)                                                                                        \
    X(s_endpgm, SOPP)                                                                                                  \
    X(s_load_dwordx16, SMEM)                                                                                           \
    X(v_mov_b32, VOP1)                                                                                                 \
    X(v_readfirstlane_b32, VOP1)                                                                                       \
    X(v_mul_u32_u24, VOP2)                                                                                             \
    X(v_xor_b32, VOP2)                                                                                                 \
    X(v_sad_u32, VOP3)                                                                                                 \
    X(v_mbcnt_lo_u32_b32, VOP3)                                                                                        \
    X(v_mbcnt_hi_u32_b32, VOP3)                                                                                        \
    X(v_writelane_b32, VOP3)                                                                                           \
    X(v_accvgpr_read_b32, VOP3P)                                                                                       \
    X(v_accvgpr_write_b32, VOP3P)                                                                                      \
    X(flat_load_dwordx4, FLAT)                                                                                         \
    X(flat_store_dwordx4, FLAT)                                                                                        \
    X(ds_read_b128, DS)                                                                                                \
    X(s_cbranch_scc1, SOPP)                                                                                            \
    X(s_branch, SOPP)                                                                                                  \
    X(s_barrier, SOPP)                                                                                                 \
    X(s_waitcnt, SOPP)                                                                                                 \
    X(s_wait_loadcnt, SOPP)                                                                                            \
    X(s_wait_asynccnt, SOPP)                                                                                           \
    X(s_barrier_signal, SOP1)                                                                                          \
    X(s_barrier_wait, SOPP)

enum stream_op {
#define X(NAME, FORMAT) STREAM_##NAME,
    STREAM_OPS(X)
#undef X
        STREAM_OP_COUNT
};

struct stream_catalog {
    struct isa_target *target;
    struct encodings encodings;
    struct stream_cell *cell;
    unsigned count;
    int opcode[STREAM_OP_COUNT]; /* of the program's own instructions; -1: the target lacks it */
};

/* rounds: walks over all opcodes that look for an encoding of each cell; some forty find all. False: no such target, or
 * out of host memory. */
bool stream_catalog_open(struct stream_catalog *c, const char *target, unsigned rounds);
void stream_catalog_close(struct stream_catalog *c);

/* Words of an instruction of the cell with random operands and modifiers; false: these are of another one, or of none.
 */
bool stream_sample(struct stream_catalog *c, const struct stream_cell *cell, struct stream_rng *g,
                   uint8_t bytes[ENCODING_BYTES], struct isa_inst *i);

/* Programs ----------------------------------------------------------------------------------------------------------
 */

enum {
    STREAM_REGION_SHIFT = 18,  /* memory of a wave, */
    STREAM_DATA_BYTES = 65536, /* the first part of which its instructions access; the rest takes registers */
    STREAM_LDS_BYTES = 4096,
    STREAM_SCRATCH_BYTES = 256, /* per lane */
    STREAM_MAX_WORDS = 8192,
    STREAM_MAX_MADE = 256,
};

struct stream_shape {
    uint32_t lanes, vgprs, agprs; /* vgprs: a multiple of 4 */
    uint32_t waves;               /* of a workgroup */
    unsigned wild;                /* percent of addresses that lie anywhere */
    const uint64_t *targets;      /* wild addresses are these; null: any */
    unsigned target_count;
    bool repeatable; /* no instruction whose result depends on time, on other waves or on both */
};

/* Limits of memory that addresses are made of: of the first wave's region, and the windows of flat addresses. */
struct stream_places {
    gaddr_t region, shared_aperture, private_aperture;
};

/* An instruction that was asked for, and the word at which it stands. */
struct stream_at {
    struct stream_cell *cell;
    unsigned word;
};

struct stream {
    struct stream_catalog *catalog;
    struct stream_shape shape;
    struct stream_places places;
    struct stream_rng *rng;
    uint32_t word[STREAM_MAX_WORDS];
    unsigned words;
    unsigned made; /* random instructions */
    bool timed;    /* some of them read a clock, or where the wave runs, or sleep: two engines differ */
    struct stream_at at[STREAM_MAX_MADE];
    bool strict;     /* the next one has operands that mean something */
    unsigned branch; /* the word of one that goes over the next instruction; STREAM_MAX_WORDS: none */
};

/* A wave size that the target has. */
static inline unsigned stream_lanes(const struct isa_target *t, struct stream_rng *g)
{
    if (isa_has(t, FEAT_COMPUTE_ONLY)) /* gfx1250: wave32 alone */
        return 32;
    return isa_has(t, FEAT_WAVE32) && stream_chance(g, 50) ? 32 : 64;
}

/* Begins a program: registers from memory. */
void stream_begin(struct stream *s, struct stream_catalog *c, const struct stream_shape *shape,
                  const struct stream_places *places, struct stream_rng *rng);
/* Adds an instruction of the cell, with what it needs; false when none was found (try again), or the program is full.
 */
bool stream_add(struct stream *s, struct stream_cell *cell);
/* A cell that the shape allows. */
struct stream_cell *stream_pick(struct stream *s);
/* Whether the shape allows it. */
bool stream_allows(const struct stream_shape *shape, const struct stream_cell *cell);
/* A barrier of all waves of the workgroup. */
void stream_add_barrier(struct stream *s);
/* EXEC, M0, VCC or MODE at random. */
void stream_add_state(struct stream *s);
/* Ends it: registers to memory. */
void stream_end(struct stream *s);

#endif

/* A sequence that is to be put into the loops of compare.h, as text (compare_wrap.c) or as a code object at once
 * (compare_loop.c, which needs neither assembler nor linker for it). Both make the same bytes.
 */
#ifndef GCNSIM_SIM_COMPARE_WRAP_H
#define GCNSIM_SIM_COMPARE_WRAP_H

#include "sim/study/compare.h"

/* Registers that are set for the sequence are v0, s[0:1] and s2. */
enum { GIVEN_SGPRS = 3, LDS_BYTES = 1024, ALIGN_BITS = 8, GIVEN_VGPR_VALUE = 0x3c003c00 };

struct wrap {
    FILE *f; /* of the text */
    const struct isa_target *t;
    const uint8_t *code;
    size_t size, loop; /* bytes; where the part that is repeated begins */
    unsigned lanes, copies, counter;
    struct compare_code all; /* of set-up and sequence */
    uint32_t counters;       /* that the sequence raises */
    bool region;             /* cut out of other code (compare_region.c) */
};

/* The wave size, of a target's usual ones for 0. */
int compare_wave_size(struct wrap *w, uint32_t wave_size, struct err *e);
/* What the code of w needs: registers, counters, copies. */
int compare_measure_code(struct wrap *w, struct err *e);

/* The text, to w->f. name: of what was wrapped, for its first line. */
void compare_write_text(const struct wrap *w, const char *name);
/* SGPRs of the kernels. */
uint32_t compare_sgprs(const struct wrap *w);
/* Errors of code that cannot be put into a loop: a symbol that is no code; too much or nothing to repeat. */
int compare_is_data(const char *symbol, struct err *e);
int compare_check_size(const struct wrap *w, struct err *e);

/* Bytes that grow. */
struct compare_bytes {
    uint8_t *at;
    size_t used, room;
    bool failed; /* out of host memory */
};
void compare_put(struct compare_bytes *b, const void *bytes, size_t n);
static inline void compare_put_u32(struct compare_bytes *b, uint32_t v)
{
    compare_put(b, &v, sizeof v);
}

/* ---- the instructions of the loop (compare_encode.c) ---- */

/* Appends an instruction of the loop. False: the target has none of that text. */
bool compare_encode_load(struct compare_bytes *b, const struct isa_target *t, unsigned dwords, unsigned sgpr,
                         unsigned offset);
bool compare_encode_v_mov(struct compare_bytes *b, const struct isa_target *t, unsigned vgpr, uint32_t value);
bool compare_encode_shift_v0(struct compare_bytes *b, const struct isa_target *t);
bool compare_encode_group_id(struct compare_bytes *b, const struct isa_target *t);
bool compare_encode_waits(struct compare_bytes *b, const struct isa_target *t, uint32_t counters);
bool compare_encode_count_down(struct compare_bytes *b, const struct isa_target *t, unsigned sgpr);
/* s_cbranch_scc1 by `words`, which counts from its end. */
bool compare_encode_branch(struct compare_bytes *b, const struct isa_target *t, int32_t words);
bool compare_encode_end(struct compare_bytes *b, const struct isa_target *t);

/* ---- a part of other code (compare_region.c) ---- */

/* Makes instructions that can be repeated out of code[0..*size), in place: whatever would end the wave or leave the
 * part becomes s_nop, and branches go on after themselves. *size becomes less where the end of the part falls away. */
int compare_straighten(const struct isa_target *t, uint8_t *code, size_t *size, unsigned lanes, struct err *e);

#endif

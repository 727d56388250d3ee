/* Registers that a random program keeps for itself, and the words of its own instructions: internal to stream_build.c
 * and stream_operands.c. */
#ifndef GCNSIM_TESTS_FUZZ_STREAM_WORDS_H
#define GCNSIM_TESTS_FUZZ_STREAM_WORDS_H

#include "tests/fuzz/stream.h"

enum {
    S_BASE = 0, /* where the launch puts the address of the first region */
    S_GROUP = 2,
    S_FIRST_KEPT = 92,
    S_MODE = 92,
    S_EXEC = 94,   /* and 95 */
    S_REGION = 96, /* and 97: of this wave */
    S_TEMP = 98,
    S_SCC = 99,
    S_LAST_KEPT = 99,
    VGPRS_KEPT = 4, /* the last of them: an address, one unused, the number of the lane */
    LITERAL = CODE_LITERAL,
    MINUS_1 = 193,
    HWREG_MODE = 1 | 31 << 11,
    MODE_AT_FIRST = 0xf0 | MODE_DX10_CLAMP | MODE_IEEE,
    UNIT_WORDS = 160, /* of an instruction and what it needs, at most */
    END_WORDS = 3200,
};

static inline unsigned v_lane(const struct stream *s)
{
    return s->shape.vgprs - 1;
}

static inline unsigned v_address(const struct stream *s)
{
    return s->shape.vgprs - VGPRS_KEPT;
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static inline void put(struct stream *s, uint32_t w)
{
    if (s->words < STREAM_MAX_WORDS)
        s->word[s->words++] = w;
}

static inline uint32_t op(const struct stream *s, enum stream_op which)
{
    return (uint32_t)s->catalog->opcode[which];
}

static inline bool has(const struct stream *s, enum stream_op which)
{
    return s->catalog->opcode[which] >= 0;
}

static inline bool old_layout(const struct stream *s)
{
    return s->catalog->target->layout <= LAYOUT_GFX9;
}

static inline void sop1(struct stream *s, enum stream_op which, unsigned dst, unsigned src)
{
    put(s, 0xbe800000 | dst << 16 | op(s, which) << 8 | src);
}

static inline void sop2(struct stream *s, enum stream_op which, unsigned dst, unsigned a, unsigned b)
{
    put(s, 0x80000000 | op(s, which) << 23 | dst << 16 | b << 8 | a);
}

static inline void sopk(struct stream *s, enum stream_op which, unsigned dst, unsigned simm)
{
    put(s, 0xb0000000 | op(s, which) << 23 | dst << 16 | simm);
}

static inline void sopp(struct stream *s, enum stream_op which, unsigned simm)
{
    put(s, 0xbf800000 | op(s, which) << 16 | simm);
}

static inline void s_set(struct stream *s, unsigned dst, uint32_t value)
{
    sop1(s, STREAM_s_mov_b32, dst, LITERAL);
    put(s, value);
}

static inline void v_set(struct stream *s, unsigned dst, unsigned src)
{
    put(s, 0x7e000000 | dst << 17 | op(s, STREAM_v_mov_b32) << 9 | src);
}

static inline void v_set_literal(struct stream *s, unsigned dst, uint32_t value)
{
    v_set(s, dst, LITERAL);
    put(s, value);
}

/* src0 a literal */
static inline void vop2_literal(struct stream *s, enum stream_op which, unsigned dst, uint32_t value, unsigned src1)
{
    put(s, op(s, which) << 25 | dst << 17 | src1 << 9 | LITERAL);
    put(s, value);
}

static inline void vop3(struct stream *s, enum stream_op which, unsigned dst, unsigned a, unsigned b, unsigned c)
{
    put(s, (old_layout(s) ? 0xd0000000 : 0xd4000000) | op(s, which) << 16 | dst);
    put(s, a | b << 9 | (uint32_t)c << 18);
}

/* dst += an SGPR, without a carry: |a - 0| + dst */
static inline void v_add_sgpr(struct stream *s, unsigned dst, unsigned sgpr)
{
    vop3(s, STREAM_v_sad_u32, dst, sgpr, CODE_INT_0, CODE_VGPR + dst);
}

static inline void v_add(struct stream *s, unsigned dst, uint32_t value)
{
    if (!value)
        return;
    s_set(s, S_TEMP, value);
    v_add_sgpr(s, dst, S_TEMP);
}

static inline void flat(struct stream *s, enum stream_op which, unsigned data)
{
    bool load = which == STREAM_flat_load_dwordx4;
    enum isa_layout layout = s->catalog->target->layout;
    uint32_t saddr = layout == LAYOUT_GFX11 ? 0x7c : layout == LAYOUT_GFX10 ? 0x7d : 0;

    if (layout == LAYOUT_GFX12) {
        put(s, 0xec00007c | op(s, which) << 14);
        put(s, load ? data : data << 23);
        put(s, v_address(s));
        return;
    }
    put(s, 0xdc000000 | op(s, which) << 18);
    put(s, v_address(s) | saddr << 16 | (uint32_t)data << (load ? 24 : 8));
}

/* The address registers: `at` bytes into the region, 16 bytes a lane. */
static inline void point_to(struct stream *s, uint32_t at)
{
    vop2_literal(s, STREAM_v_mul_u32_u24, v_address(s), 16, v_lane(s));
    v_add_sgpr(s, v_address(s), S_REGION);
    v_set(s, v_address(s) + 1, S_REGION + 1);
    v_add(s, v_address(s), at);
    s_set(s, S_TEMP, 16 * s->shape.lanes); /* to the next registers */
}

static inline void accvgpr(struct stream *s, enum stream_op which, unsigned dst, unsigned src)
{
    put(s, 0xd3804000 | op(s, which) << 16 | dst);
    put(s, 0x18000000 | (CODE_VGPR + src));
}

/* stream_operands.c: clears bits of the words until every register that they name is there; false: one is not. */
bool stream_shrink(const struct stream *s, const struct stream_cell *cell, uint8_t *bytes, unsigned *size,
                   struct isa_inst *i);
/* Puts addresses, descriptors and M0 into the registers where the instruction looks for them. */
void stream_set_up(struct stream *s, const struct isa_inst *i);

static inline bool stream_is_buffer(unsigned format)
{
    return format == FMT_MUBUF || format == FMT_MTBUF || format == FMT_VBUFFER;
}

#endif

/* Internal to isa/: what the field readers (fields.c) hand to operand building (decode.c), the choice of an execution
 * path (choose.c) and cache-bit decoding (hint.c). */
#ifndef GCNSIM_ISA_DECODE_H
#define GCNSIM_ISA_DECODE_H

#include "isa/isa.h"

struct isa_fields {
    uint16_t slot[SL_COUNT]; /* source codes, or raw VGPR numbers for vector-only slots */
    bool acc_data;           /* data registers are AGPRs */
    bool sve;                /* scratch: the VGPR address counts */
    bool scratch_vaddr;
    uint8_t acc_src; /* matrix encoding: a bit per source that is an AGPR */
};

/* Direct loads from LDS have source code 254, which where there are none announces a literal of 64 bits. */
static inline bool isa_is_lds(const struct isa_target *t, unsigned code)
{
    return code == CODE_LDS_DIRECT && !isa_has(t, FEAT_LITERAL64);
}

/* A tuple of VGPRs that starts at an odd one. */
static inline bool isa_unaligned_vgprs(const struct isa_opnd *o, unsigned dwords)
{
    return dwords > 1 && o->code != CODE_NONE && o->code > CODE_VGPR && (o->code & 1);
}

/* Whether the source of v_readlane or v_writelane may come from LDS directly. */
static inline bool isa_takes_lds(const struct isa_target *t, const struct isa_arg *a)
{
    return (a->flags & A_LDS) && (!(a->flags & A_SGPR) || isa_has(t, FEAT_WRITELANE_LDS));
}

#define FIELD(v, lo, len) ((unsigned)((v) >> (lo)) & ((1u << (len)) - 1))

/* fields.c: i->format says which; false where the format has no instructions here or the fields cannot be. */
void isa_clear_fields(struct isa_fields *f);
void isa_vop_sources(struct isa_fields *f, unsigned s0, unsigned s1, unsigned s2);
bool isa_read_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2);
void isa_mai_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w);
/* The word of scales before a matrix instruction. */
void isa_scale_fields(struct isa_fields *f, struct isa_inst *i, uint64_t scales);
/* VOP3SD rows have sdst where others have abs and op_sel. */
void isa_vop3sd_fix(struct isa_inst *i);
/* The SDWA or DPP word that src0 announces, at code + at: bytes added, or -1 when that form is not legal. */
int isa_extra_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code,
                   size_t size, unsigned at);

/* legal.c: notes that the SDWA word has a second source of which the instruction knows nothing. */
__attribute__((cold, noinline)) void isa_ignore_sdwa_src1(struct isa_inst *i);

/* fields_gfx.c: exports, interpolation, direct LDS loads. */
void isa_gfx_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w);
/* The VOP3 form of an interpolation has its attribute where others have src0, and a number may stand for src1. */
void isa_interp_fix(struct isa_fields *f, struct isa_inst *i);

/* fields_image.c, in the order of use: the fields; the words of further addresses at code + at (bytes added, -1 when
 * the encoding is none of the row's); register counts, into the operands' types. */
void isa_image_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2);
int isa_image_more(const struct isa_target *t, struct isa_inst *i, uint64_t w, const uint8_t *code, size_t size,
                   unsigned at);
bool isa_image_operands(const struct isa_target *t, struct isa_inst *i);

/* Registers of an image instruction's data and addresses: those the hardware touches, and those LLVM's text shows,
 * which differ where LLVM has no instruction of the size that the encoding asks for. */
struct isa_image_regs {
    uint8_t data, n;
    bool separate; /* addresses in registers of their own, though there may be one */
    uint8_t first[13], count[13];
};
void isa_image_used(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r);
void isa_image_shown(const struct isa_target *t, const struct isa_inst *i, struct isa_image_regs *r);

/* As isa_extra_word(), for v_nop. */
int isa_nop_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code, size_t size,
                 unsigned at);

bool isa_legal_dpp_ctrl(const struct isa_target *t, unsigned ctrl);

/* legal.c. LLVM 22 takes an encoding with bits of op_sel that no operand has for one of whole registers, and shows none
 * of op_sel.
 */
bool isa_has_idle_halves(const struct isa_inst *i);
static inline bool isa_fakes_halves(const struct isa_target *t, const struct isa_inst *i)
{
    return t->name_halves && i->format == FMT_VOP3 && isa_has_idle_halves(i);
}

/* choose.c: sets i->exec and what goes with it. */
void isa_choose_exec(const struct isa_target *t, struct isa_inst *i);

/* pattern.c: by which leading bits a format is told, and how many bytes its instructions take at least. */
struct isa_pattern {
    uint32_t mask, match;
    uint8_t format, bytes; /* bytes 0: no format of the target starts so */
};
static inline const struct isa_pattern *isa_pattern_of(const struct isa_target *t, uint32_t word)
{
    return &t->patterns[t->encoding[word >> 23]];
}

/* operands.c: turns the row's arguments into operands from number `at` on; sets i->bad. False when one cannot be. */
bool isa_fill_operands(const struct isa_target *t, struct isa_inst *i, const struct isa_fields *f,
                       const struct isa_row *row, unsigned at);

/* Fills t->patterns and t->encoding. */
void isa_fill_encodings(struct isa_target *t);

/* tbuffer_*: with a format of its own. */
static inline bool isa_typed_buffer(const struct isa_inst *i)
{
    return i->format == FMT_MTBUF || (i->format == FMT_VBUFFER && (i->opcode & 0x80));
}

/* glc/slc/dlc, sc0/sc1/nt and scope/th made one. (isa/decode/hint.c) */
struct mem_hint isa_cache_hint(const struct isa_target *t, const struct isa_inst *i);

#endif

/* What the parts of the decoder hand to one another, internal to isa/: the field readers (fields.c) to operand building
 * (operands.c), the choice of an execution path (choose.c) and cache-bit decoding (hint.c). */
#ifndef GCNSIM_ISA_DECODE_PARTS_H
#define GCNSIM_ISA_DECODE_PARTS_H

#include <string.h>

#include "isa/isa.h"

struct isa_fields {
    uint16_t slot[SL_COUNT]; /* source codes, or raw VGPR numbers for vector-only slots */
    bool acc_data;           /* data registers are AGPRs */
    bool sve;                /* scratch: the VGPR address counts */
    bool scratch_vaddr;
    uint8_t acc_src; /* matrix encoding: a bit per source that is an AGPR */
    bool unusual;    /* some operand is none of those that need no check: isa_fill_operands() */
};

static inline bool isa_is_vector_slot(unsigned slot)
{
    return slot == SL_VDST || slot == SL_ADDR || slot == SL_DATA0 || slot == SL_DATA1 || slot == SL_GWS;
}

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

/* What is known of an argument before its code: which codes make an operand that needs no look at anything else. */
enum isa_arg_trait {
    ARG_CHECKED = 1,   /* none of them */
    ARG_FIELD = 2,     /* the field counts vector registers */
    ARG_VGPR = 4,      /* one of the first 128 VGPRs, */
    ARG_EVEN = 8,      /* an even one, */
    ARG_INTEGER = 16,  /* a small integer, */
    ARG_SGPR = 32,     /* an SGPR, or VCC, */
    ARG_SGPR_PAIR = 64 /* two of them; with ARG_SGPR more */
};

/* What is known of an instruction before its fields. */
enum isa_op_trait {
    OP_FIELDS = 1,  /* fields stand where its format has others */
    OP_SOURCE = 2,  /* src0 may announce a further word */
    OP_WORDS = 4,   /* there may be further words otherwise */
    OP_CHECKED = 8, /* fields may contradict one another */
    OP_HINT = 16,   /* it has cache bits */
};

/* traits.c: sets traits, first_src, mode_need and arg of what has its row. */
void isa_find_traits(const struct isa_target *t, enum isa_format f, struct isa_op *op);

static inline void isa_clear_fields(struct isa_fields *f)
{
    memset(f, 0, sizeof *f);
    memset(f->slot, 0xff, sizeof f->slot); /* CODE_NONE each */
}

/* fields.c: i->format says which; false where the format has no instructions here or the fields cannot be. */
void isa_vop_sources(struct isa_fields *f, unsigned s0, unsigned s1, unsigned s2);
bool isa_read_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w, uint32_t w2);
void isa_mai_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w);
/* The word of scales before a matrix instruction; and the same word alone. */
void isa_scale_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t scales);
void isa_load_scale_fields(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, uint64_t w);
/* Whether a VOP3P row loads scales for the matrix instruction after it. */
static inline bool isa_loads_scales(const struct isa_row *row)
{
    return row->args[0].slot == SL_SRC0;
}
/* VOP3SD rows have sdst where others have abs and op_sel. */
void isa_vop3sd_fix(struct isa_inst *i);
/* The SDWA or DPP word that src0 announces, at code + at: bytes added, or -1 when that form is not legal. */
int isa_extra_word(const struct isa_target *t, struct isa_fields *f, struct isa_inst *i, const uint8_t *code,
                   size_t size, unsigned at);

/* Fields beside those of operands (zero_bits.c) that the hardware does not look at where LLVM wants one value of them:
 * the second source of an SDWA word whose instruction has one; of tensor instructions what VIMAGE has there, in which
 * AMD's assembler leaves zeros; src2 of the scales before a matrix instruction, the same; op_sel_hi's third bit of
 * matrix instructions that have no hint there. */
enum isa_other_field {
    ISA_FIELD_SDWA_SRC1,
    ISA_FIELD_DIM,
    ISA_FIELD_DMASK,
    ISA_FIELD_VADDR4,
    ISA_FIELD_SRC2,
    ISA_FIELD_OP_SEL_HI,
    ISA_OTHER_FIELDS
};
/* zero_bits.c: notes that the field has another value than LLVM's. */
__attribute__((cold, noinline)) void isa_ignore(struct isa_inst *i, enum isa_other_field field);

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

/* choose.c: sets i->exec and what goes with it. usual: no operand needs a look. */
void isa_choose_exec(const struct isa_target *t, struct isa_inst *i, const struct isa_op *op, bool usual);

/* pattern.c: by which leading bits a format is recognised, and how many bytes its instructions take at least. */
struct isa_pattern {
    uint32_t mask, match;
    uint8_t format, bytes; /* bytes 0: no format of the target starts so */
};
static inline const struct isa_pattern *isa_pattern_of(const struct isa_target *t, uint32_t word)
{
    return &t->patterns[t->encoding[word >> 23]];
}

/* operands.c: turns the row's arguments into operands from number `at` on; sets i->bad and f->unusual. False when one
 * cannot be. */
bool isa_fill_operands(const struct isa_target *t, struct isa_inst *i, struct isa_fields *f, const struct isa_op *op,
                       unsigned at);

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

/* Internal to isa/: building text into a bounded buffer. */
#ifndef GCNSIM_ISA_TEXT_H
#define GCNSIM_ISA_TEXT_H

#include <string.h>

#include "isa/isa.h"

struct isa_out {
    char *buf;
    size_t size, len;              /* len may exceed size: what it would have needed */
    const struct isa_inst *raised; /* the instruction with other VGPRs, to be named in comments; else null */
};

static inline void isa_put_bytes(struct isa_out *o, const char *s, size_t n)
{
    if (o->len < o->size) {
        size_t room = o->size - o->len - 1, fits = n < room ? n : room;
        memcpy(o->buf + o->len, s, fits);
        o->buf[o->len + fits] = 0;
    }
    o->len += n;
}

static inline void isa_put_str(struct isa_out *o, const char *s)
{
    isa_put_bytes(o, s, strlen(s));
}

void isa_put_uint(struct isa_out *o, unsigned v);
/* " op_sel:[1,0,0]": n bits, the lowest first */
void isa_put_bits(struct isa_out *o, const char *name, unsigned bits, unsigned n);
/* printf's %s %c %u %d %x and nothing else. */
void isa_put(struct isa_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One of the instruction's operands, without modifiers. (isa/text/operand.c) */
void isa_put_operand(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                     struct isa_out *o);
/* The name of a source code that is a register to LLVM although it reads as a constant; null for others. */
const char *isa_special_source(unsigned code);
/* Consecutive registers: "v3", "v[3:5]". */
void isa_put_range(struct isa_out *o, const char *file, unsigned first, unsigned dwords);
void isa_put_wide_k(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
/* Operands and modifiers of an image instruction. (isa/text/image.c) */
void isa_put_image(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
/* The immediates of SOPK and SOPP, by their type: plain numbers, labels, wait counts, messages, hardware registers,
 * delays. (isa/text/imm.c) */
void isa_put_immediate(const struct isa_target *t, const struct isa_inst *i, enum isa_type type, struct isa_out *o);
/* Exports, interpolation, direct LDS loads: an export's target, an attribute or parameter operand, what follows the
 * operands. (isa/text/gfx.c) */
void isa_put_export_target(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
void isa_put_attribute(const struct isa_inst *i, enum isa_type type, struct isa_out *o);
void isa_put_gfx_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
/* What follows the operands of CDNA's matrix instructions, of gfx1250's, and of gfx1250's scales. (isa/text/matrix.c)
 */
void isa_put_mai(const struct isa_inst *i, struct isa_out *o);
void isa_put_wide_matrix(const struct isa_inst *i, struct isa_out *o);
void isa_put_scales(const struct isa_inst *i, struct isa_out *o);
/* Everything after the operands of a memory instruction, and the offset operand of a scalar load. (isa/text/mem.c) */
void isa_put_mem_modifiers(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
void isa_put_cache_bits(const struct isa_target *t, const struct isa_inst *i, struct isa_out *o);
void isa_put_smem_offset(const struct isa_target *t, const struct isa_inst *i, const struct isa_opnd *op,
                         struct isa_out *o);

#endif

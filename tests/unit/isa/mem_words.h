/* Words of a memory instruction, and registers and memory for it to work on, for tests that run all of them.
 *
 * Address in V_ADDR, data from V_DATA (and V_DATA1) on, result from V_DST on (buffers: V_DATA); the second address of
 * two is one element further on. Scalar: base s[4:5] or descriptor s[8:11], data from s20 on.
 */
#ifndef GCNSIM_TESTS_ISA_MEM_WORDS_H
#define GCNSIM_TESTS_ISA_MEM_WORDS_H

#include "tests/unit/isa/harness.h"

static inline bool has_slot(const struct isa_row *row, unsigned slot)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == slot)
            return true;
    return false;
}

enum { V_ADDR = 2, V_DATA = 8, V_DATA1 = 16, V_DST = 24 };

static inline unsigned ds_words(const struct isa_target *t, const struct isa_row *row, unsigned op, uint32_t *w)
{
    w[0] = 0xd8000000u | op << (old_layout(t) ? 17 : 18) | (has_slot(row, SL_ADDR) && row->mem.elems == 2 ? 0x0100 : 0);
    w[1] = (has_slot(row, SL_ADDR) ? V_ADDR : 0) | (has_slot(row, SL_DATA0) ? V_DATA << 8 : 0) |
           (has_slot(row, SL_DATA1) ? V_DATA1 << 16 : 0) | (has_slot(row, SL_VDST) ? (uint32_t)V_DST << 24 : 0);
    return 2;
}

static inline unsigned flat_words(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op,
                                  bool glc, uint32_t *w)
{
    unsigned seg = f == FMT_GLOBAL ? 2 : f == FMT_SCRATCH ? 1 : 0;
    bool writes = has_slot(row, SL_VDST) && (row->mem.op != MEM_ATOMIC || glc), addr = has_slot(row, SL_ADDR);
    bool sve = f == FMT_SCRATCH && isa_has(t, FEAT_ARCH_FLAT_SCRATCH);

    if (t->layout == LAYOUT_GFX12) {
        w[0] =
            0xec000000u | (f == FMT_GLOBAL ? 2u : seg) << 24 | op << 14 | (addr || !has_slot(row, SL_SADDR) ? 0x7c : 4);
        w[1] = (writes ? V_DST : 0) | (uint32_t)sve << 17 | (has_slot(row, SL_DATA0) ? (uint32_t)V_DATA << 23 : 0) |
               (glc ? 1u << 20 : 0);
        w[2] = addr ? V_ADDR : 0;
        return 3;
    }
    bool gfx11 = t->layout == LAYOUT_GFX11;
    uint32_t saddr = gfx11 ? 0x7c : t->layout == LAYOUT_GFX10 ? 0x7d : f == FMT_FLAT ? 0 : 0x7f;
    if (!addr && has_slot(row, SL_SADDR))
        saddr = 4;
    w[0] = 0xdc000000u | op << 18 | seg << (gfx11 ? 16 : 14) | (glc ? 1u << (gfx11 ? 14 : 16) : 0) |
           (sve && !gfx11 ? 1u << 13 : 0);
    w[1] = (addr ? V_ADDR : 0) | (has_slot(row, SL_DATA0) ? V_DATA << 8 : 0) | saddr << 16 |
           (sve && gfx11 ? 1u << 23 : 0) | (writes ? (uint32_t)V_DST << 24 : 0);
    return 2;
}

static inline unsigned buffer_words(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op,
                                    bool glc, uint32_t *w)
{
    bool addr = has_slot(row, SL_ADDR), typed = f == FMT_MTBUF;
    uint32_t data = has_slot(row, SL_VDST) || has_slot(row, SL_DATA0) ? V_DATA : 0;

    if (t->layout == LAYOUT_GFX12) {
        w[0] = 0xc4000000u | op << 14 | (has_slot(row, SL_SOFFSET) ? 0x7c : 0);
        w[1] = data | (has_slot(row, SL_SRSRC) ? 8u << 9 : 0) | (glc ? 1u << 20 : 0) |
               (addr ? (row->mem.typed ? 42u : 1u) << 23 | 1u << 30 : 0);
        w[2] = addr ? V_ADDR : 0;
        return 3;
    }
    bool gfx11 = t->layout == LAYOUT_GFX11, gfx10 = t->layout == LAYOUT_GFX10;
    w[0] = (typed ? 0xe8000000u : 0xe0000000u) | (glc ? 1u << 14 : 0) | (addr && !gfx11 ? 1u << 12 : 0);
    w[1] = (addr ? V_ADDR : 0) | data << 8 | (has_slot(row, SL_SRSRC) ? 2u << 16 | 0x80000000u : 0) |
           (addr && gfx11 ? 1u << 22 : 0);
    if (typed)
        w[0] |= (gfx10 ? (op & 7) << 16 : op << 15) | (gfx11 ? 42u : gfx10 ? 56u : 10u) << 19;
    else
        w[0] |= op << 18;
    if (typed && gfx10)
        w[1] |= op >> 3 << 21;
    if (row->args[0].slot == SL_SRSRC) /* the store from LDS says so */
        w[0] |= 1u << 16;
    return 2;
}

static inline unsigned smem_words(const struct isa_target *t, const struct isa_row *row, unsigned op, bool glc,
                                  uint32_t *w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9, base = has_slot(row, SL_SBASE);
    unsigned nowhere = t->layout == LAYOUT_GFX10 ? 0x7d : 0x7c;
    bool offset = has_slot(row, SL_SOFFSET);

    w[0] = (old ? 0xc0000000u : 0xf4000000u) | op << (t->layout == LAYOUT_GFX12 ? 13 : 18) | (glc ? 1u << 16 : 0) |
           (old && offset ? 1u << 17 : 0) | (base ? (isa_types[row->args[1].type].dwords == 4 ? 4 : 2) : 0) |
           (has_slot(row, SL_SDST) ? 20u << 6 : 0);
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == SL_SBASE && isa_types[row->args[k].type].dwords == 4)
            w[0] = (w[0] & ~63u) | 4;
    w[1] = old || !offset ? 0 : nowhere << 25;
    return 2;
}

static inline unsigned words_of(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op,
                                bool glc, uint32_t *w)
{
    switch (f) {
    case FMT_DS:
        return ds_words(t, row, op, w);
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        return flat_words(t, row, f, op, glc, w);
    case FMT_SMEM:
        return smem_words(t, row, op, glc, w);
    default:
        return buffer_words(t, row, f, op, glc, w);
    }
}

static inline void set_up_memory(uint8_t *mem, uint8_t *lds)
{
    for (unsigned k = 0; k < 65536; k++) {
        mem[k] = (uint8_t)(k * 7 + (k >> 8) * 13);
        lds[k] = (uint8_t)(k * 11 + (k >> 8) * 5);
    }
}

static inline void set_up_registers(struct rig *r, unsigned format)
{
    bool address = format == FMT_FLAT || format == FMT_GLOBAL;

    for (unsigned reg = 0; reg < 64; reg++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, reg, l, 0x3f000000 + reg * 0x10001 + l * 0x100);
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, V_ADDR, l, (address ? (uint32_t)RIG_MEM : 0) + 64 * (l * 5 % r->w.lanes));
        rig_v(r, V_ADDR + 1, l, 0);
    }
    memset(r->w.s, 0, 106 * sizeof r->w.s[0]);
    r->w.s[4] = (uint32_t)RIG_MEM + 256;
    r->w.s[8] = (uint32_t)RIG_MEM;
    r->w.s[10] = 65536;
    r->w.s[11] = 4u | 5u << 3 | 6u << 6 | 7u << 9;
    switch (r->t->layout) { /* 8_8_8_8 unorm */
    case LAYOUT_GFX8:
    case LAYOUT_GFX9:
        r->w.s[11] |= 10u << 15;
        break;
    case LAYOUT_GFX10:
        r->w.s[11] |= 56u << 12 | 3u << 28;
        break;
    default:
        r->w.s[11] |= 42u << 12 | 3u << 28;
        break;
    }
    if (isa_has(r->t, FEAT_SCALE_OFFSET)) { /* gfx1250: num_records from bit 57 on; no format */
        r->w.s[10] = 65536 >> 7;
        r->w.s[11] = 0;
    }
    r->w.s[r->t->code_m0] = 0x10000;
    r->w.scratch_base = RIG_MEM + 0x4000;
    r->w.scratch_bytes = 128;
    if (format == FMT_SCRATCH)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, V_ADDR, l, 4 * (l % 8));
    isa_set_exec(&r->w, UINT64_C(0xf7ff7ffff7ff7fff));
}

static inline void set_up(struct rig *r, unsigned format)
{
    set_up_memory(r->mem, r->lds);
    set_up_registers(r, format);
}

#endif

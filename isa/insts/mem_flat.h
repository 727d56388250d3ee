/* What rows of FLAT, GLOBAL and SCRATCH instructions share: global addresses, and loads straight into LDS. */
#ifndef GCNSIM_ISA_MEM_FLAT_H
#define GCNSIM_ISA_MEM_FLAT_H

#include "isa/insts/mem.h"

/* A load straight into LDS, by exec_SPACE_load_lds. */
#define LDS_DMA_(SPACE, SADDR, NAME, BYTES, CONV, NODE, OPCODE)                                                        \
    ROW_ENC_(SPACE##_load_lds_##NAME, OP(NODE, FORMAT_##SPACE, OPCODE))                                                \
    ROW_HEAD_(SPACE##_load_lds_##NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0).exec = exec_##SPACE##_load_lds,  \
                                                                            MEMOP_(LOAD, BYTES, CONV),                 \
                                                                            .args = {{SL_ADDR, T_B64, A_RD},           \
                                                                                     {SL_SADDR, SADDR,                 \
                                                                                      A_RD | A_SGPR}},                 \
                                                                            ROW_TAIL_(SPACE##_load_lds_##NAME)
#define LDS_DMA(SPACE, SADDR, NAME, BYTES, CONV, O942) LDS_DMA_(SPACE, SADDR, NAME, BYTES, CONV, GFX942, O942)
#define FMT_FORMAT_global                              FMT_GLOBAL
#define FMT_FORMAT_scratch                             FMT_SCRATCH

/* A VGPR offset of gfx1250: signed, and in units of the access where scale_offset says so. */
static inline uint64_t scaled_offset(const struct isa_inst *i, uint32_t v)
{
    return (uint64_t)((int64_t)(int32_t)v * (i->u.mem.scale ? i->row->mem.bytes : 1));
}

/* n is known where this is called. */
static inline __attribute__((always_inline)) void add_addresses(const struct isa_wave *w, const struct isa_inst *i,
                                                                const uint32_t *v, bool has_saddr, uint64_t base,
                                                                unsigned n, uint64_t *restrict a)
{
    if (has_saddr && isa_has(w->target, FEAT_SCALE_OFFSET)) {
        for (unsigned l = 0; l < n; l++)
            a[l] = base + scaled_offset(i, v[l]);
    } else if (has_saddr) {
        for (unsigned l = 0; l < n; l++)
            a[l] = base + v[l];
    } else {
        for (unsigned l = 0; l < n; l++)
            a[l] = base + (v[l] | (uint64_t)v[n + l] << 32);
    }
}

static inline bool global_addresses(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, unsigned ksaddr,
                                    struct lane_addr *at)
{
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    bool has_saddr = i->op[ksaddr].code != CODE_NONE;
    uint64_t base = (uint64_t)(int64_t)i->offset;

    if (!v)
        return false;
    if (has_saddr)
        base += sget64(w, i, ksaddr);
    if (w->lanes == 32)
        add_addresses(w, i, v, has_saddr, base, 32, at->a);
    else
        add_addresses(w, i, v, has_saddr, base, 64, at->a);
    return true;
}

#endif

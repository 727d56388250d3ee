/* Loads that transpose what the lanes have loaded: gfx12's global_load_tr, gfx950's ds_read_tr. */
#ifndef GCNSIM_ISA_INSTS_MEM_TRANSPOSE_H
#define GCNSIM_ISA_INSTS_MEM_TRANSPOSE_H

#include "isa/insts/mem.h"
#include "isa/lanes/bit_string.h"

/* Each sixteen lanes load rows of sixteen elements, a row after the other in the order of the lanes; lane l of them
 * gets column l: element e of its registers comes from row e. With that, a matrix that lies by rows of k in memory
 * comes out as matrix instructions want their sources. Lanes outside EXEC have loaded zeros. Elements have `bits`, and
 * a lane `bytes` of them. (docs/SEMANTICS_NOTES.md) */
static inline void mem_transpose(const struct isa_wave *w, uint32_t *d, const uint32_t *from, unsigned bits,
                                 unsigned bytes)
{
    const unsigned elems = bytes * 8 / bits, per_row = 16 / elems, lanes = w->lanes;

    for (unsigned l = 0; l < lanes; l++) {
        if (!(w->exec >> l & 1))
            continue;
        for (unsigned row = 0; row < elems; row++) {
            unsigned column = l % 16, source = l / 16 * 16 + row * per_row + column / elems;
            string_put(d + l, lanes, row * bits, bits, string_get(from + source, lanes, column % elems * bits, bits));
        }
    }
}

#endif

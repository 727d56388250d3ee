/* Data-parallel primitives: src0's lanes permuted within rows of 16 before the operation.
 *
 * Each function rewrites `row` (dwords rows of w->lanes words) in place and returns the lanes whose result may be
 * written: a lane whose source lies outside the row or in an inactive lane gives 0 when BOUND_CTRL is set and keeps
 * its old destination otherwise; row and bank masks switch lanes off. (GCN3 ISA 6.6.2, RDNA3 ISA 6.7 DPP.)
 */
#ifndef GCNSIM_ISA_LANES_DPP_H
#define GCNSIM_ISA_LANES_DPP_H

#include "isa/isa.h"

uint64_t isa_dpp16(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords);
uint64_t isa_dpp8(const struct isa_wave *w, const struct isa_dpp *d, uint32_t *row, unsigned dwords);
/* Whichever of them the instruction's form asks for; all lanes, row as it is, where it has no DPP word. */
uint64_t isa_dpp(const struct isa_wave *w, const struct isa_inst *i, uint32_t *row, unsigned dwords);

/* Where source 0 of an instruction of any DPP form is read within rows of 16 lanes: the lanes that each lane of a row
 * reads, a bit for each that has one, and the wave's lanes that row and bank masks let be written. False: it is read
 * beyond them. */
bool isa_dpp_in_rows(const struct isa_inst *i, uint8_t from[16], uint32_t *reach, uint64_t *on);

/* Bits of the lanes of a row that have a source which is on. */
static inline uint32_t isa_dpp_valid(const uint8_t from[16], uint32_t reach, uint32_t exec)
{
    uint32_t valid = 0;

    if (exec == 0xffff)
        return reach;
    for (unsigned l = 0; l < 16; l++)
        valid |= (exec >> from[l] & 1) << l;
    return valid & reach;
}

#endif

/* What-if: vector memory accesses whose lines are full (ideal.full_lines), as if the lanes' data lay side by side.
 *
 * An access asks for as many lines as its bytes fill, and takes the address unit for as long as lanes side by side do.
 * Lanes at equal distances are taken for rows of a tile, which is turned around in its own place: a loop whose lanes
 * walk along a row each asks for one line after the other, and for all of them once. For other accesses some of the
 * lines are asked for, which of them follows from where the first lane is within its line, so that a loop asks for
 * others in each iteration. No memory is touched that is not without the what-if.
 */
#ifndef GCNSIM_TIMING_FULL_LINES_H
#define GCNSIM_TIMING_FULL_LINES_H

#include "mem/coalesce.h"

/* lines: of an access of `bytes` of each lane in exec, from addr. */
void full_lines(struct coalesced *lines, const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes,
                const struct coalesce_shape *shape);

#endif

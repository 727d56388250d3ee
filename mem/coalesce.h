/* The address unit (TA) and its coalescing: turns the addresses of a wave's lanes into the cache lines they touch.
 *
 * Lines come in the order in which the lanes, lowest first, first touch them. For each line, the bytes that distinct
 * lanes request are counted once, in granules of a 64th of the line (2 bytes of a 128-byte line). A lane that straddles
 * two lines requests both. The address unit takes lanes in groups of `lanes_per_cycle` (16 on GCN/CDNA: four cycles for
 * a full wave64); a group without an active lane costs no cycle.
 * Left out: the tag unit's pairing of lanes. For swizzled layouts the caller coalesces one dword after the other.
 */
#ifndef GCNSIM_MEM_COALESCE_H
#define GCNSIM_MEM_COALESCE_H

#include "sim/util/bits.h"

#define COALESCE_LANES     64
#define COALESCE_MAX_BYTES 16  /* per lane */
#define COALESCE_MAX_LINES 128 /* every lane of 64 on two lines of its own */

struct coalesce_line {
    gaddr_t addr;   /* of the first byte requested */
    uint32_t bytes; /* requested; addr + bytes stays within the line */
};

struct coalesced {
    uint32_t lines;
    uint32_t address_cycles;
    struct coalesce_line line[COALESCE_MAX_LINES];
};

/* addr[i] is read for the lanes in exec; bytes 1..16 per lane; line_bytes a power of two, 16..4096. */
void coalesce(const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes, uint32_t line_bytes,
              uint32_t lanes_per_cycle, struct coalesced *out);

#endif

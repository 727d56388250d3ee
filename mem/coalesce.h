/* The address unit (TA) and its coalescing: turns the addresses of a wave's lanes into the cache lines they touch, and
 * into the cycles that the tag stage of the cache takes for them.
 *
 * Lanes come in groups of `lanes_per_cycle`; a group without an active lane costs no cycle. A group is dealt to
 * `pipelines` address pipelines, each of which handles one address a cycle. Neighbouring lanes of a pipeline are one
 * address together when their bytes are no further apart than `pipeline_bytes`; otherwise each is an address of its
 * own. So 16 lanes of consecutive dwords take a cycle of CDNA2's 4 pipelines, and 16 lanes of scattered dwords take
 * four.
 *
 * Tags and data lie in banks. In a cycle each tag bank (by the low bits of the line number) looks up one line, and each
 * data bank (4 bytes wide, by the low bits of the dword's number) reads one dword for all lanes that want it. Conflicts
 * cost the longest queue of any bank. `window` addresses of each pipeline wait together: on CDNA2 one, so that
 * conflicts arise among 4 addresses alone, on RDNA2 all of a wave32.
 *
 * This is what gpu-benches (gpu-strides: dwords and doubles 0 to 64 apart, in rows of 1 to 64 lanes) measures on MI210
 * and RX 6900 XT, all hits. The rule gives 223 of its 224 figures within 2.5 %, what the end of the loop costs (MI210
 * at full rate) apart and without the sets larger than the cache. One of MI210 is not understood: lanes each in a row
 * of its own, 16392 bytes apart, take 20.1 cycles for 32 lanes; here 16.
 *
 * Lines come in the order in which they are looked up. For each line, the bytes that distinct lanes request are counted
 * once, in granules of a 64th of the line (2 bytes of a 128-byte line). A lane that straddles two lines requests both.
 * A line that lanes of several groups want is one request, though it is looked up for each.
 * Left out: stores and atomics of which no measurement is known, so that the caller has their lines looked up one by
 * one. For swizzled layouts the caller coalesces one dword after the other.
 */
#ifndef GCNSIM_MEM_COALESCE_H
#define GCNSIM_MEM_COALESCE_H

#include "sim/util/bits.h"

#define COALESCE_LANES          64
#define COALESCE_MAX_BYTES      16  /* per lane */
#define COALESCE_MAX_LINES      128 /* every lane of 64 on two lines of its own */
#define COALESCE_MAX_BANKS      64
#define COALESCE_MIN_DATA_BANKS 8 /* the dwords of a lane lie in as many banks, wherever it begins */

struct coalesce_shape {
    uint32_t line_bytes;      /* a power of two, 16..4096 */
    uint32_t lanes_per_cycle; /* a power of two, 1..64 */
    uint32_t pipelines;       /* a power of two; 0: as many as lanes, and no banks */
    uint32_t pipeline_bytes;
    uint32_t window;                /* >= 1 */
    uint32_t tag_banks, data_banks; /* powers of two */
};

struct coalesce_line {
    gaddr_t addr;   /* of the first byte requested */
    uint32_t bytes; /* requested; addr + bytes stays within the line */
    uint32_t cycle; /* in which it is looked up first, from 0 */
};

struct coalesced {
    uint32_t lines;
    uint32_t address_cycles; /* for the lanes alone, whatever their addresses */
    uint32_t lookup_cycles;  /* at least as many: with pipelines and banks */
    /* Lookups of tags as AMD's counters have them: each line once for each window that touches it, and of 8 bytes a
     * lane and more for each quad of lanes; without pipelines, once. Measured (TCP_TOTAL_CACHE_ACCESSES_sum; vecCopy
     * and mixbench in rocprofiler-compute's tests): 64 consecutive doubles 16 on MI100, MI200 and MI300; as many dwords
     * 4, and every other dword of 512 bytes 32, on MI100. */
    uint32_t lookups;
    struct coalesce_line line[COALESCE_MAX_LINES];
};

/* addr[i] is read for the lanes in exec; bytes 1..16 per lane. */
void coalesce(const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes, const struct coalesce_shape *shape,
              struct coalesced *out);

/* Answers for addresses that are neither consecutive nor equal, to be given again for addresses as far apart that begin
 * at the same place of lines and banks: a loop asks for the same few over and over. Begins with coalesce_memo_init().
 */
enum { COALESCE_MEMO_ENTRIES = 16, COALESCE_MEMO_LINES = COALESCE_LANES };
struct coalesce_memo {
    struct coalesce_known {
        const struct coalesce_shape *shape; /* null: nothing is known */
        uint64_t exec;
        uint32_t bytes, lines, lookup_cycles, lookups;
        gaddr_t place;                                  /* of addr[0] in lines and banks */
        gaddr_t distance[COALESCE_LANES];               /* of each lane from lane 0 */
        struct coalesce_line line[COALESCE_MEMO_LINES]; /* addr: from that of lane 0 */
    } known[COALESCE_MEMO_ENTRIES];
};

/* Nothing is known. Touches no more than it must: a memo has 25 KB, and most launches make one. */
static inline void coalesce_memo_init(struct coalesce_memo *memo)
{
    for (unsigned k = 0; k < COALESCE_MEMO_ENTRIES; k++)
        memo->known[k].shape = NULL;
}

/* The same as coalesce(). */
void coalesce_known(struct coalesce_memo *memo, const gaddr_t addr[COALESCE_LANES], uint64_t exec, uint32_t bytes,
                    const struct coalesce_shape *shape, struct coalesced *out);

#endif

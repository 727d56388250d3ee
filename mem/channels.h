/* Which channel an address belongs to where channels are chosen by a hash, as MI300's memory does.
 *
 * Linux documents the hash (drivers/ras/amd/atl/dehash.c, "MI300 hash bits"), which its bits of the address go into:
 *   of the channels of a stack   8, 12, 15, 22, 29 ...   9, 13, 16, 23 ...   10, 14, 17, 24 ...   11, 18, 25 ...
 *   stack of a die               14, 19, 26, 33 ...
 *   die                          12, 20, 27, 34 ...      13, 21, 28, 35 ...
 * so that rows of memory whose distance is a power of two lie in different channels. From bit 15 on these are groups of
 * seven bits, in this order. Channels are numbered by it, the bits of the die highest.
 */
#ifndef GCNSIM_MEM_CHANNELS_H
#define GCNSIM_MEM_CHANNELS_H

#include <stdint.h>

#include "sim/util/bits.h"

enum { CHANNEL_HASH_BYTES = 256, CHANNEL_HASH_BITS = 7 };

/* One of 2^CHANNEL_HASH_BITS; fewer channels, a power of two, take its lowest bits. */
static inline uint32_t channel_hash(uint64_t addr)
{
    uint32_t low = (uint32_t)(addr >> 8) & 0x7f;
    uint32_t n = (low & 0xf) ^ (low >> 4);
    uint64_t high = addr >> 15;

    n |= (low & 0x40) >> 2 | (low & 0x30) << 1;
    /* the seven groups above, folded by four, two and one; what is left above the lowest is garbage */
    high ^= high >> 4 * CHANNEL_HASH_BITS;
    high ^= high >> 2 * CHANNEL_HASH_BITS;
    high ^= high >> CHANNEL_HASH_BITS;
    return n ^ ((uint32_t)high & 0x7f);
}

/* What-if (ideal.spread_channels): the numbers of `channels` in turn, each turn begun elsewhere by a hash of all bits
 * above it. unit: the address in units of the interleave. */
static inline uint32_t channel_spread(uint64_t unit, uint32_t channels)
{
    return (uint32_t)((unit % channels + hash64(unit / channels, 32)) % channels);
}

#endif

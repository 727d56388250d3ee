/* A data path of limited bandwidth: transfers follow one another at so many bytes per cycle. Fractions of cycles are
 * kept exactly, so that no bandwidth is lost between transfers. */
#ifndef GCNSIM_MEM_RATE_H
#define GCNSIM_MEM_RATE_H

#include "sim/util/bits.h"

#define RATE_FP_BITS 16 /* ends of transfers are in 1/2^16 cycles */

/* The time of one byte, in 1/2^32 cycles. */
static inline uint64_t rate_per_byte(double bytes_per_cycle)
{
    return (uint64_t)(4294967296.0 / bytes_per_cycle + 0.5);
}

/* Begins a transfer in cycle `now`, or when the previous one ends (*free_at_fp); returns the cycle in which its last
 * bytes leave. A transfer that ends within the cycle it began in takes no extra cycle. */
static inline cycle_t rate_transfer(uint64_t *free_at_fp, uint32_t bytes, uint64_t per_byte, cycle_t now)
{
    uint64_t start = now << RATE_FP_BITS;
    cycle_t end;

    if (start < *free_at_fp)
        start = *free_at_fp;
    *free_at_fp = start + ((bytes * per_byte) >> (32 - RATE_FP_BITS));
    end = (*free_at_fp + (1u << RATE_FP_BITS) - 1) >> RATE_FP_BITS;
    return end > now ? end - 1 : now;
}

#endif

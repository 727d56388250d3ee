/* Huge pages of the host for memory of the simulated device. */
#ifndef GCNSIM_UTIL_HUGE_PAGES_H
#define GCNSIM_UTIL_HUGE_PAGES_H

#include <stdint.h>
#include <sys/mman.h>

/* Mappings up to this size have them: a fault for each page of 4 KiB is a sixth of a vector addition's time, and more
 * of it on two threads. For larger mappings a program may touch few bytes, each of which would take a huge page. */
#define HUGE_PAGES_LEAST (UINT64_C(2) << 20) /* smaller ones hold no huge page */
#define HUGE_PAGES_MOST  (UINT64_C(1) << 30)

/* Asks for them for a mapping just made; a wish, no more. */
static inline void huge_pages_for(void *at, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGES_LEAST && bytes <= HUGE_PAGES_MOST)
        madvise(at, bytes, MADV_HUGEPAGE);
#else
    (void)at, (void)bytes;
#endif
}

#endif

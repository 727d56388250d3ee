/* The host's simulated clock. */
#include "sim/hsa/clock.h"

#include <time.h>

static uint64_t host_ns; /* atomic */

uint64_t clock_real_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * CLOCK_TICKS_PER_SECOND + (uint64_t)t.tv_nsec;
}

void clock_begin(void)
{
    clock_host_reach(clock_real_ns());
}

uint64_t clock_host(void)
{
    return __atomic_load_n(&host_ns, __ATOMIC_ACQUIRE);
}

void clock_host_reach(uint64_t ns)
{
    uint64_t now = clock_host();

    while (now < ns && !__atomic_compare_exchange_n(&host_ns, &now, ns, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
}

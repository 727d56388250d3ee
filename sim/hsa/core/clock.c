/* The host's simulated clock. */
#include "sim/hsa/core/clock.h"

#include <time.h>

static uint64_t host_ns, lead_ns; /* atomic */

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

/* Makes *clock at least ns. */
static void reach(uint64_t *clock, uint64_t ns)
{
    uint64_t now = __atomic_load_n(clock, __ATOMIC_ACQUIRE);

    while (now < ns && !__atomic_compare_exchange_n(clock, &now, ns, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
}

void clock_lead_reach(uint64_t ns)
{
    uint64_t real = clock_real_ns();

    if (real > ns)
        reach(&lead_ns, real - ns);
}

uint64_t clock_host_submits(void)
{
    uint64_t now = clock_host();

    clock_lead_reach(now);
    return now;
}

uint64_t clock_lead(void)
{
    return __atomic_load_n(&lead_ns, __ATOMIC_ACQUIRE);
}

void clock_host_reach(uint64_t ns)
{
    reach(&host_ns, ns);
}

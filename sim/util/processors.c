/* The processors of the host that this process may use. */
#define _GNU_SOURCE
#include "sim/util/processors.h"

#include <limits.h>
#include <sched.h>

unsigned host_processors(void)
{
    cpu_set_t set;

    /* fails where the host has more than the set has room for */
    if (sched_getaffinity(0, sizeof set, &set))
        return UINT_MAX;
    return CPU_COUNT(&set) ? (unsigned)CPU_COUNT(&set) : 1;
}

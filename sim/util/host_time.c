/* The host's monotonic clock. */
#include "sim/util/host_time.h"

#include <time.h>

double host_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The host's clock, for progress reports and rates. Simulated time is a cycle_t and never comes from here. */
#ifndef GCNSIM_UTIL_HOST_TIME_H
#define GCNSIM_UTIL_HOST_TIME_H

/* Seconds from an arbitrary point in time on; never decreasing. */
double host_seconds(void);

#endif

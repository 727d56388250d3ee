/* Where the HSA runtime is: gcnsim exec puts it under programs, and it is part of what decides their results. */
#ifndef GCNSIM_SWEEP_RUNTIME_H
#define GCNSIM_SWEEP_RUNTIME_H

#define RUNTIME_LIBRARY "libhsa-runtime64.so.1"
#define RUNTIME_VARIABLE                                                                                               \
    "GCNSIM_HSA_DIR" /* names its folder; else it is in one of these, from the tool's folder on:                       \
                      */

/* installed, and as it is built */
static const char *const runtime_beside[] = {"/../lib/gcnsim/hsa", "/hsa"};

#endif

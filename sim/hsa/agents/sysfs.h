/* The files in which Linux's amdgpu driver shows a machine's GPUs, of the simulated ones.
 *
 * Libraries that ask for the machine and not for HSA read them: RCCL, ROCm SMI, rocminfo. They say what the agents
 * answer to HSA. Left out is what no simulation has: sensors, firmware, processes, counters of errors.
 */
#ifndef GCNSIM_HSA_SYSFS_H
#define GCNSIM_HSA_SYSFS_H

#include "sim/hsa/core/runtime.h"

/* The agents, also before hsa_init(), which is not counted as one; null: there are none, which a message says. */
struct runtime *rt_agents(void);

/* Below `root`, an empty folder, makes sys/class/kfd, sys/class/drm and what else is in sim/hsa/interpose. False: it
 * could not be, and errno says why. */
bool sysfs_write(const char *root, const struct runtime *r);

/* Makes the folder of this process and all in it. Its name; null: it cannot be had, which a message says. For the
 * library that leads programs there (sim/hsa/interpose), which takes care of threads: these are the only names that
 * this library shows beside the interface's. */
__attribute__((visibility("default"))) const char *gcnsim_hsa_sysfs(void);
/* At the end of the process. */
__attribute__((visibility("default"))) void gcnsim_hsa_sysfs_end(void);

#endif

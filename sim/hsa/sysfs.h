/* The files in which Linux's amdgpu driver shows a machine's GPUs, of the simulated ones.
 *
 * Libraries that ask for the machine and not for HSA read them: RCCL, ROCm SMI, rocminfo. What they say is what the agents
 * answer to HSA. Left out is what no simulation has: sensors, firmware, processes, counters of errors.
 */
#ifndef GCNSIM_HSA_SYSFS_H
#define GCNSIM_HSA_SYSFS_H

#include "sim/hsa/runtime.h"

/* The agents, also before hsa_init(), which is not counted as one; null: there are none, which a message says. */
struct runtime *rt_agents(void);

/* Below `root`, an empty folder, makes sys/class/kfd, sys/class/drm and what else is in sim/hsa/interpose. For the library
 * there: it is the one name that this library shows beside the interface's. False: it could not be, and errno says why. */
__attribute__((visibility("default"))) bool gcnsim_hsa_sysfs(const char *root);

#endif

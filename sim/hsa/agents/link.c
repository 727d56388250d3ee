/* Links between agents. */
#include <string.h>

#include "sim/hsa/agents/agent.h"

/* MB/s: PCIe 4.0 with 16 lanes, and one xGMI link of 16 bits at 25 Gbit/s. */
#define PCIE_MB_PER_SECOND 32000
#define XGMI_MB_PER_SECOND 50000

/* Cards of the gfx9 families talk to one another over xGMI. */
static bool xgmi(const struct agent *a, const struct agent *b)
{
    return strncmp(a->name, "gfx9", 4) == 0 && strncmp(b->name, "gfx9", 4) == 0;
}

/* Distances are those of the driver's topology: 15 for one hop of xGMI, 20 for PCIe to the host, and twice that from a
 * card to another through it. */
hsa_amd_memory_pool_link_info_t agent_link(const struct agent *a, const struct agent *b)
{
    bool is_xgmi = a->device && b->device && xgmi(a, b);
    uint32_t pcie_distance = a->device && b->device ? 40 : 20;

    return (hsa_amd_memory_pool_link_info_t){
        .max_bandwidth = is_xgmi ? XGMI_MB_PER_SECOND : PCIE_MB_PER_SECOND,
        .min_bandwidth = is_xgmi ? XGMI_MB_PER_SECOND : PCIE_MB_PER_SECOND,
        .atomic_support_32bit = true, /* else language runtimes refuse printf and malloc of kernels */
        .atomic_support_64bit = true,
        .coherent_support = true,
        .link_type = is_xgmi ? HSA_AMD_LINK_INFO_TYPE_XGMI : HSA_AMD_LINK_INFO_TYPE_PCIE,
        .numa_distance = is_xgmi ? 15 : pcie_distance,
    };
}

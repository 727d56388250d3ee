/* ROCm SMI, which reads the driver's files: it has the GPUs that HIP has, in the same places, with the same memory. */
#include "library.h"

#include <rocm_smi/rocm_smi.h>

static void same(const char *what, uint64_t got, uint64_t want)
{
    if (got != want) {
        printf("%s: %llu, expected %llu\n", what, (unsigned long long)got, (unsigned long long)want);
        exit(1);
    }
}

static uint64_t place_of(int device)
{
    int domain, bus, slot;

    OK(hipDeviceGetAttribute(&domain, hipDeviceAttributePciDomainID, device));
    OK(hipDeviceGetAttribute(&bus, hipDeviceAttributePciBusId, device));
    OK(hipDeviceGetAttribute(&slot, hipDeviceAttributePciDeviceId, device));
    return (uint64_t)domain << 32 | (uint64_t)bus << 8 | (uint64_t)slot << 3;
}

int main()
{
    int devices = 0;
    uint32_t monitored = 0;

    OK(rsmi_init(0));
    OK(hipGetDeviceCount(&devices));
    OK(rsmi_num_monitor_devices(&monitored));
    same("devices", monitored, (uint64_t)devices);
    for (int k = 0; k < devices; k++) {
        uint64_t place = 0, bytes = 0;
        hipDeviceProp_t props;
        rsmi_frequencies_t clocks = {};

        OK(hipGetDeviceProperties(&props, k));
        OK(rsmi_dev_pci_id_get(k, &place));
        same("PCI address", place & 0xffffffff0fffffff, place_of(k));
        OK(rsmi_dev_memory_total_get(k, RSMI_MEM_TYPE_VRAM, &bytes));
        same("memory", bytes, props.totalGlobalMem);
        OK(rsmi_dev_gpu_clk_freq_get(k, RSMI_CLK_TYPE_SYS, &clocks));
        same("clock in kHz", clocks.frequency[clocks.current] / 1000, (uint64_t)props.clockRate);
        for (int other = 0; other < devices; other++) {
            uint64_t hops = 0, weight = 0;
            uint32_t hip_hops = 0, hip_type = 0;
            RSMI_IO_LINK_TYPE type;

            if (other == k)
                continue;
            OK(rsmi_topo_get_link_type(k, other, &hops, &type));
            OK(rsmi_topo_get_link_weight(k, other, &weight));
            OK(hipExtGetLinkTypeAndHopCount(k, other, &hip_type, &hip_hops));
            same("link", type == RSMI_IOLINK_TYPE_XGMI, hip_type == 4); /* HSA_AMD_LINK_INFO_TYPE_XGMI */
            same("weight", weight, type == RSMI_IOLINK_TYPE_XGMI ? 15 : 40);
        }
    }
    OK(rsmi_shut_down());
    puts("ROCm SMI: ok");
    return 0;
}

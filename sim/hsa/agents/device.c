/* Simulated GPUs: opening a profile, what was written past their caches, and the time that kernels take. */
#include "sim/hsa/agents/device.h"

#include <stdio.h>

#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/simulator.h"

#define PCIE_BYTES_PER_NS 26.0 /* PCI Express 4.0 x16: 31.5 of its raw rate, less packet headers */

/* Memory that was written past the caches is reported to the simulator before its next launch. */
void devices_written(uint64_t address, uint64_t bytes)
{
    struct runtime *r = rt_any();

    for (uint32_t k = 1; r && exec_is_timing(&r->options) && k < r->agents; k++) {
        struct device *d = r->agent[k].device;

        pthread_mutex_lock(&d->written_lock);
        if (d->written_count < DEVICE_WRITTEN)
            d->written[d->written_count++] = (struct device_written){address, bytes};
        else
            d->written_all = true;
        pthread_mutex_unlock(&d->written_lock);
    }
}

void device_tell_written(struct device *d)
{
    pthread_mutex_lock(&d->written_lock);
    for (uint32_t k = 0; k < d->written_count; k++)
        gcnsim_device_written(d->sim, d->written[k].address, d->written[k].bytes);
    if (d->written_all)
        gcnsim_device_written(d->sim, 0, UINT64_MAX);
    d->written_count = 0;
    d->written_all = false;
    pthread_mutex_unlock(&d->written_lock);
}

uint64_t device_kernel_ns(const struct device *d, const struct gcnsim_result *r)
{
    double v = 0;

    if (gcnsim_result_stat(r, "cycles", &v) == GCNSIM_OK)
        return (uint64_t)(v * 1e3 / d->clock_mhz);
    if (gcnsim_result_stat(r, "instructions.total", &v) != GCNSIM_OK)
        return 0;
    return (uint64_t)(v / d->instructions_per_ns);
}

uint64_t device_before_ns(const struct device *d, uint16_t header)
{
    unsigned acquire = header >> HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE & 3;

    return d->before_ns + (acquire >= HSA_FENCE_SCOPE_AGENT ? d->acquire_ns : 0);
}

/* Several L2s are written back for the agent, too. */
uint64_t device_after_ns(const struct device *d, uint16_t header)
{
    unsigned release = header >> HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE & 3;
    unsigned writes_back = d->xcds > 1 ? HSA_FENCE_SCOPE_AGENT : HSA_FENCE_SCOPE_SYSTEM;

    return d->after_ns + (release >= writes_back ? d->write_back_ns : 0);
}

/* Opening ---------------------------------------------------------------------------------------------------------- */

static double figure(const struct device *d, const char *path)
{
    double v = 0;

    return gcnsim_profile_number(d->sim, path, &v) == GCNSIM_OK ? v : 0;
}

static void set_figures(struct device *d)
{
    static const char *const caches[] = {"cache.vl0.size_bytes", "cache.l2.size_bytes", "cache.mall.size_bytes"};
    double lanes_issue = figure(d, "cu.simds") * figure(d, "gpu.cus");

    d->clock_mhz = figure(d, "gpu.shader_clock_mhz");
    d->cus = (uint32_t)figure(d, "gpu.cus");
    d->simds_per_cu = (uint32_t)figure(d, "cu.simds");
    d->waves_per_cu = d->simds_per_cu * (uint32_t)figure(d, "cu.wave_slots_per_simd");
    d->xcds = (uint32_t)figure(d, "gpu.xcds");
    d->shader_engines = (uint32_t)figure(d, "gpu.shader_engines");
    d->lds_bytes = (uint32_t)figure(d, "cu.lds_max_per_workgroup_bytes");
    d->line_bytes = (uint32_t)figure(d, "cache.l2.line_bytes");
    d->wave_size = figure(d, "cu.vgprs_per_simd_w32") > 0 ? 32 : 64;
    for (unsigned k = 0; k < 3; k++)
        d->cache_bytes[k] = (uint64_t)figure(d, caches[k]);
    d->max_clock_mhz = (uint32_t)d->clock_mhz;
    d->before_ns = (uint64_t)figure(d, "launch.before_ns");
    d->acquire_ns = (uint64_t)figure(d, "launch.acquire_ns");
    d->write_back_ns = (uint64_t)figure(d, "launch.write_back_ns");
    d->after_ns = (uint64_t)figure(d, "launch.after_ns");
    d->memory_bytes_per_ns = figure(d, "dram.bytes_per_cycle") * d->clock_mhz * 1e-3;
    d->link_bytes_per_ns = d->chip->apu ? d->memory_bytes_per_ns / 2 : PCIE_BYTES_PER_NS;
    /* a SIMD of 16 lanes issues a wave's instruction in four cycles, one of RDNA one in each */
    d->instructions_per_ns = lanes_issue * (figure(d, "gpu.cus_per_wgp") > 1 ? 1 : 0.25) * d->clock_mhz * 1e-3;
    if (!(d->instructions_per_ns > 0))
        d->instructions_per_ns = 1;
}

bool device_open(struct device *d, struct agent *a, const char *profile, const struct option_list *sets, char *why,
                 size_t why_size)
{
    struct gcnsim_profile_info info;
    struct gcnsim_error e = {0};

    *d = (struct device){.agent = a, .profile = profile};
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->written_lock, NULL);
    if (gcnsim_profile_find(profile, &info, &e) != GCNSIM_OK ||
        simulator_open(&d->sim, profile, sets, &e) != GCNSIM_OK) {
        snprintf(why, why_size, "%s", e.text);
        return false;
    }
    d->chip = chip_of(info.name, info.target);
    set_figures(d);
    return true;
}

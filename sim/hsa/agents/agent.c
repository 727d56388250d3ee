/* Agents: how they are made, and what they answer. */
#include "sim/hsa/agents/agent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/device.h"
#include "sim/hsa/agents/imports.h"
#include "sim/hsa/agents/language.h"
#include "sim/hsa/core/clock.h"

#define GIB              (UINT64_C(1) << 30)
#define QUEUE_PACKETS    131072
#define QUEUES           128
#define PCI_BUS_OF_FIRST 3 /* of the first GPU; BDFID is bus << 8 */

/* Making ----------------------------------------------------------------------------------------------------------- */

static void host_name(char *out, size_t n)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[256];

    snprintf(out, n, "CPU");
    while (f && fgets(line, sizeof line, f)) {
        char *at = strchr(line, ':');

        if (strncmp(line, "model name", 10) || !at)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(out, n, "%s", at + 2);
        break;
    }
    if (f)
        fclose(f);
}

static void add_pool(struct agent *a, int kind, uint64_t bytes)
{
    a->pool[kind] = (struct pool){.agent = a, .kind = kind, .present = true, .bytes = bytes};
}

static void make_cpu(struct agent *a)
{
    struct sysinfo info = {0};
    uint64_t bytes;

    *a = (struct agent){.type = HSA_DEVICE_TYPE_CPU};
    host_name(a->name, sizeof a->name);
    snprintf(a->product, sizeof a->product, "%s", a->name);
    sysinfo(&info);
    bytes = (uint64_t)info.totalram * info.mem_unit;
    add_pool(a, POOL_FINE, bytes);
    add_pool(a, POOL_KERNARG, bytes);
    add_pool(a, POOL_COARSE, bytes);
}

static bool make_gpu(struct agent *a, uint32_t index, const char *profile, const struct exec_options *o, char *why,
                     size_t n)
{
    struct gcnsim_profile_info info;
    const struct chip *chip;
    struct gcnsim_error e = {0};

    *a = (struct agent){.type = HSA_DEVICE_TYPE_GPU, .index = index};
    if (gcnsim_profile_find(profile, &info, &e) != GCNSIM_OK) {
        snprintf(why, n, "GCNSIM_ARCH: %s", e.text);
        return false;
    }
    a->device = calloc(1, sizeof *a->device);
    if (!a->device) {
        snprintf(why, n, "out of host memory for a device");
        return false;
    }
    if (!device_open(a->device, a, profile, &o->common.sets, why, n))
        return false;
    snprintf(a->name, sizeof a->name, "%s", info.target);
    snprintf(a->product, sizeof a->product, "%s (gcnsim)", info.chip);
    snprintf(a->isa, sizeof a->isa, "amdgcn-amd-amdhsa--%s%s", info.target, chip_features(info.target));
    chip = a->device->chip;
    add_pool(a, POOL_COARSE, chip->memory_gib * GIB);
    add_pool(a, POOL_FINE, chip->memory_gib * GIB);
    add_pool(a, POOL_GROUP, a->device->lds_bytes);
    return true;
}

bool agents_make(struct runtime *r, char *why, size_t why_size)
{
    size_t hidden = 0;

    r->agent = calloc(r->options.profiles.count + 1, sizeof *r->agent);
    if (!r->agent) {
        snprintf(why, why_size, "out of host memory for agents");
        return false;
    }
    make_cpu(&r->agent[0]);
    r->agents = 1;
    for (size_t k = 0; k < r->options.profiles.count; k++) {
        struct agent *a = &r->agent[r->agents];
        if (!make_gpu(a, r->agents, r->options.profiles.items[k], &r->options, why, why_size))
            return false;
        r->agents++;
        a->hidden = !language_knows(a->name, why, why_size);
        if (a->hidden && ++hidden < r->options.profiles.count)
            rt_log("%s", why);
    }
    /* as where there is no driver: HIP 5 does not outlive a driver without a GPU */
    return hidden < r->options.profiles.count;
}

uint32_t agent_bdf(const struct agent *a)
{
    return (PCI_BUS_OF_FIRST + a->index - 1) << 8;
}

uint64_t agent_unique_id(const struct agent *a)
{
    return a->index;
}

/* The list --------------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;

    RT_OR_RETURN(r);
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; k < r->agents && status == HSA_STATUS_SUCCESS; k++)
        if (!r->agent[k].hidden)
            status = callback(agent_handle(&r->agent[k]), data);
    return status;
}

/* Answers ---------------------------------------------------------------------------------------------------------- */

static hsa_status_t u8(void *out, uint8_t v)
{
    memcpy(out, &v, sizeof v);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t u16(void *out, uint16_t v)
{
    memcpy(out, &v, sizeof v);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t u32(void *out, uint32_t v)
{
    memcpy(out, &v, sizeof v);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t u64(void *out, uint64_t v)
{
    memcpy(out, &v, sizeof v);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t name64(void *out, const char *text)
{
    char name[64] = "";

    memcpy(name, text, strnlen(text, sizeof name - 1));
    memcpy(out, name, sizeof name);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t sizes(void *out, unsigned n, uint32_t each, unsigned bytes_each)
{
    for (unsigned k = 0; k < n; k++)
        memcpy((char *)out + k * bytes_each, &each, bytes_each);
    return HSA_STATUS_SUCCESS;
}

/* All clocks are the host's simulated one: it has reached what the program knows of the device's (clock.h). */
static hsa_status_t clocks(void *out)
{
    uint64_t now = clock_host();
    const uint64_t counters[] = {now, now, now, CLOCK_TICKS_PER_SECOND};

    memcpy(out, counters, sizeof counters);
    return HSA_STATUS_SUCCESS;
}

/* What the HSA specification names, of any agent. */
static hsa_status_t standard(const struct agent *a, int attribute, void *out)
{
    const struct device *d = a->device;

    switch (attribute) {
    case HSA_AGENT_INFO_NAME:
        return name64(out, a->name);
    case HSA_AGENT_INFO_VENDOR_NAME:
        return name64(out, d ? "AMD" : "CPU");
    case HSA_AGENT_INFO_FEATURE:
        return u32(out, d ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
    case HSA_AGENT_INFO_MACHINE_MODEL:
        return u32(out, HSA_MACHINE_MODEL_LARGE);
    case HSA_AGENT_INFO_PROFILE:
        return u32(out, d ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
        return u32(out, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    case HSA_AGENT_INFO_FAST_F16_OPERATION:
        return u8(out, d != NULL);
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
        return u32(out, d ? d->wave_size : 0);
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
        return sizes(out, 3, d ? 1024 : 0, 2);
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
        return u32(out, d ? 1024 : 0);
    case HSA_AGENT_INFO_GRID_MAX_DIM:
        return sizes(out, 3, d ? UINT32_MAX : 0, 4);
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
        return u32(out, d ? UINT32_MAX : 0);
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
        return u32(out, d ? 32 : 0);
    case HSA_AGENT_INFO_QUEUES_MAX:
        return u32(out, d ? QUEUES : 0);
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
        return u32(out, d ? 64 : 0);
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
        return u32(out, d ? QUEUE_PACKETS : 0);
    case HSA_AGENT_INFO_QUEUE_TYPE:
        return u32(out, HSA_QUEUE_TYPE_MULTI);
    case HSA_AGENT_INFO_NODE:
        return u32(out, a->index);
    case HSA_AGENT_INFO_DEVICE:
        return u32(out, a->type);
    case HSA_AGENT_INFO_CACHE_SIZE:
        for (unsigned k = 0; k < 4; k++)
            u32((char *)out + 4 * k, d ? (uint32_t)d->cache_bytes[k] : k == 0 ? 32768 : 0);
        return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_ISA:
        return u64(out, agent_isa(a));
    case HSA_AGENT_INFO_EXTENSIONS:
        memset(out, 0, 128);
        return a->device && !language_is_opencl() ? u8(out, 1 << HSA_EXTENSION_IMAGES) : HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_VERSION_MAJOR:
    case HSA_AGENT_INFO_VERSION_MINOR:
        return u16(out, 1);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* HIP up to 5 allocates memory with a pitch only for a device with images, which it takes one with handles to be. Where
 * the program asks for such memory and not for textures, the device has handles, though no image fits. */
static bool wants_pitched_memory(void)
{
    static const char *const pitched[] = {"hipMallocPitch", "hipMemAllocPitch", "hipMalloc3D"};
    static const char *const textures[] = {"hipMallocArray",         "hipMalloc3DArray",  "hipArrayCreate",
                                           "hipArray3DCreate",       "hipBindTexture",    "hipBindTexture2D",
                                           "hipCreateTextureObject", "hipTexObjectCreate"};

    return imports_any(pitched, sizeof pitched / sizeof *pitched) &&
           !imports_any(textures, sizeof textures / sizeof *textures);
}

/* Limits of images, of which there are none. GPUs have the extension all the same, as AMD's runtime says even of chips
 * without image units: HIP takes the pitch of hipMallocPitch() from there. OpenCL takes it for images that work, as
 * far as it asks (7.2.4 does not), so there it is not. The limits are of uint32_t, as that runtime
 * and HIP have them, not of size_t as its header says. */
static hsa_status_t of_images(int attribute, void *out)
{
    switch (attribute) {
    case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
        return memset(out, 0, 8), HSA_STATUS_SUCCESS;
    case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
        return memset(out, 0, 12), HSA_STATUS_SUCCESS;
    case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS:
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
    case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS:
        return u32(out, 0);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
        return u32(out, wants_pitched_memory() ? 64 : 0);
    case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT:
        return u32(out, 256);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* What the driver says of GPUs. */
static hsa_status_t of_driver(const struct agent *a, int attribute, void *out)
{
    const struct device *d = a->device;

    switch (attribute) {
    case ABI_AGENT_MEMORY_AVAIL:
        return u64(out, a->pool[POOL_COARSE].bytes -
                            __atomic_load_n(&a->pool[POOL_COARSE].allocated, __ATOMIC_RELAXED) -
                            __atomic_load_n(&a->pool[POOL_FINE].allocated, __ATOMIC_RELAXED));
    case ABI_AGENT_TIMESTAMP_FREQUENCY:
        return u64(out, CLOCK_TICKS_PER_SECOND);
    case ABI_AGENT_UCODE_VERSION:
    case ABI_AGENT_SDMA_UCODE_VERSION:
        return u32(out, AGENT_FIRMWARE);
    case ABI_AGENT_ASIC_FAMILY_ID:
    case ABI_AGENT_IOMMU_SUPPORT:
        return u32(out, 0);
    case ABI_AGENT_NUM_SDMA_ENG:
        return u32(out, AGENT_SDMA_ENGINES);
    case ABI_AGENT_NUM_SDMA_XGMI_ENG:
        return u32(out, 0);
    case ABI_AGENT_NUM_XCC:
        return u32(out, d->xcds ? d->xcds : 1);
    case ABI_AGENT_DRIVER_UID:
        return u32(out, a->index);
    case ABI_AGENT_NEAREST_CPU:
        return u64(out, agent_handle(&rt_any()->agent[0]).handle);
    case ABI_AGENT_MEMORY_PROPERTIES:
        memset(out, 0, 8);
        return u8(out, d->chip->apu != 0);
    case ABI_AGENT_AQL_EXTENSIONS:
        return memset(out, 0, 8), HSA_STATUS_SUCCESS;
    case ABI_AGENT_SCRATCH_LIMIT_MAX:
    case ABI_AGENT_SCRATCH_LIMIT_CURRENT:
        return u64(out, a->pool[POOL_COARSE].bytes / 4);
    case ABI_AGENT_CLOCK_COUNTERS:
        return clocks(out);
    }
    return of_images(attribute, out);
}

/* What AMD's extension adds, of GPUs. */
static hsa_status_t of_gpu(const struct agent *a, int attribute, void *out)
{
    const struct device *d = a->device;
    char uuid[21];

    switch (attribute) {
    case HSA_AMD_AGENT_INFO_CHIP_ID:
        return u32(out, d->chip->device_id);
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
        return u32(out, d->line_bytes);
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
        return u32(out, d->cus);
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
        return u32(out, d->max_clock_mhz);
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
        return u32(out, a->index);
    case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
        return u32(out, 0);
    case HSA_AMD_AGENT_INFO_BDFID:
        return u32(out, agent_bdf(a));
    case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
        return u32(out, d->chip->memory_bus_bits);
    case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
        return u32(out, d->chip->memory_clock_mhz);
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
        return name64(out, a->product);
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
        return u32(out, d->waves_per_cu);
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
        return u32(out, d->simds_per_cu);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
        return u32(out, d->shader_engines);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
        return u32(out, 1);
    case HSA_AMD_AGENT_INFO_HDP_FLUSH:
        return memset(out, 0, 16), HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_DOMAIN:
        return u32(out, AGENT_PCI_DOMAIN);
    case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
        return u8(out, 1);
    case HSA_AMD_AGENT_INFO_UUID:
        snprintf(uuid, sizeof uuid, "GPU-%016" PRIx64, agent_unique_id(a));
        memcpy(out, uuid, sizeof uuid);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_ASIC_REVISION:
        return u32(out, d->chip->revision);
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
        return u8(out, d->chip->apu != 0);
    }
    return of_driver(a, attribute, out);
}

static hsa_status_t of_cpu(const struct agent *a, int attribute, void *out)
{
    switch (attribute) {
    case HSA_AMD_AGENT_INFO_CHIP_ID:
    case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
    case HSA_AMD_AGENT_INFO_BDFID:
    case HSA_AMD_AGENT_INFO_DOMAIN:
    case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
    case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
    case HSA_AMD_AGENT_INFO_ASIC_REVISION:
        return u32(out, 0);
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
        return u32(out, a->index);
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
        return u32(out, 64);
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
        return u32(out, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
        return name64(out, a->product);
    case HSA_AMD_AGENT_INFO_UUID:
        memcpy(out, "CPU-XX", 7);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
        return u8(out, 0);
    case ABI_AGENT_MEMORY_PROPERTIES:
        return memset(out, 0, 8), HSA_STATUS_SUCCESS;
    case ABI_AGENT_NEAREST_CPU:
        return u64(out, agent_handle(a).handle);
    case ABI_AGENT_TIMESTAMP_FREQUENCY:
        return u64(out, CLOCK_TICKS_PER_SECOND);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
    const struct agent *a = agent_of(agent);
    hsa_status_t status;

    RT_READY_OR_RETURN();
    if (!a)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    status = standard(a, (int)attribute, value);
    if (status == HSA_STATUS_SUCCESS)
        return status;
    return a->device ? of_gpu(a, (int)attribute, value) : of_cpu(a, (int)attribute, value);
}

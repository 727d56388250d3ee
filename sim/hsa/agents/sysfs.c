/* Writes the files of sysfs.h. Names and units are those of Linux: drivers/gpu/drm/amd/amdkfd/kfd_topology.c, and
 * Documentation/ABI/testing/sysfs-bus-pci, sysfs-driver-... of amdgpu. */
#define _GNU_SOURCE
#include "sim/hsa/agents/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/device.h"

#define TOPOLOGY     "sys/devices/virtual/kfd/kfd/topology"
#define HOST_BRIDGE  "sys/devices/pci0000:02" /* the bus of the GPUs' root ports, a device each */
#define RENDER_MINOR 128                      /* of the first GPU, as the DRM subsystem counts */

enum { VENDOR_AMD_CPU = 0x1022, VENDOR_AMD_GPU = 0x1002, DEVICE_ROOT_PORT = 0x1483 };

struct tree {
    int root;
    int error; /* errno of the first thing that failed; 0: nothing has */
};

/* Files ------------------------------------------------------------------------------------------------------------ */

static void failed(struct tree *t)
{
    if (!t->error)
        t->error = errno ? errno : EIO;
}

/* Makes the folders that a path names before its last slash. */
static void folders_of(struct tree *t, const char *path)
{
    char part[PATH_MAX];

    for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        if (mkdirat(t->root, part, 0755) != 0 && errno != EEXIST)
            failed(t);
    }
}

__attribute__((format(printf, 3, 4))) static void put(struct tree *t, const char *path, const char *format, ...)
{
    va_list args;
    int fd;

    for (bool made = false;; made = true) {
        fd = openat(t->root, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
        if (fd >= 0 || made || errno != ENOENT)
            break;
        folders_of(t, path);
    }
    if (fd < 0) {
        failed(t);
        return;
    }
    va_start(args, format);
    if (vdprintf(fd, format, args) < 0)
        failed(t);
    va_end(args);
    if (close(fd) != 0)
        failed(t);
}

/* A link from `path` to another path of the tree, relative to it as sysfs has them. Both begin with sys/. */
static void put_link(struct tree *t, const char *path, const char *to)
{
    char target[PATH_MAX] = "";
    size_t used = 0;

    folders_of(t, path);
    for (const char *at = strchr(path + 4, '/'); at && used < sizeof target; at = strchr(at + 1, '/'))
        used += (size_t)snprintf(target + used, sizeof target - used, "../");
    if (used < sizeof target)
        snprintf(target + used, sizeof target - used, "%s", to + 4);
    if (symlinkat(target, t->root, path) != 0)
        failed(t);
}

/* The machine's own entries of a folder, beside the simulated ones: they lead out of the tree, to the machine's files.
 */
static void keep_links(struct tree *t, const char *folder)
{
    char path[PATH_MAX], to[PATH_MAX];
    struct dirent *e;

    snprintf(path, sizeof path, "/%s", folder);
    DIR *d = opendir(path);
    while (d && (e = readdir(d))) {
        ssize_t n = readlinkat(dirfd(d), e->d_name, to, sizeof to - 1);

        if (n <= 0)
            continue;
        to[n] = 0;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        folders_of(t, path);
        if (symlinkat(to, t->root, path) != 0 && errno != EEXIST)
            failed(t);
    }
    if (d)
        closedir(d);
}

/* The topology: nodes, their memory, caches and links ---------------------------------------------------------------
 */

/* 90010 of gfx90a, 110001 of gfx1101: two decimal digits for each of major (decimal), minor and stepping (hexadecimal).
 */
static unsigned target_version(const char *name)
{
    unsigned major = 0, minor = 0, stepping = 0;
    char format[] = "gfx%1u%1x%1x";

    format[4] = strlen(name) == 7 ? '2' : '1';
    return sscanf(name, format, &major, &minor, &stepping) == 3 ? major * 10000 + minor * 100 + stepping : 0;
}

static bool by_xgmi(const struct agent *a, const struct agent *b)
{
    return a != b && a->device && b->device && agent_link(a, b).link_type == HSA_AMD_LINK_INFO_TYPE_XGMI;
}

/* A link is one of the board's own (io_links), or leads from card to card through the host (p2p_links). */
static bool is_io_link(const struct agent *a, const struct agent *b)
{
    return !a->device || !b->device || by_xgmi(a, b);
}

static unsigned put_links(struct tree *t, const struct runtime *r, const struct agent *a, bool io)
{
    enum { TYPE_PCIE = 2, TYPE_XGMI = 11 };
    unsigned count = 0;
    char path[160];

    for (uint32_t k = 0; k < r->agents; k++) {
        const struct agent *b = &r->agent[k];

        if (b == a || is_io_link(a, b) != io)
            continue;
        hsa_amd_memory_pool_link_info_t link = agent_link(a, b);
        snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/%s/%u/properties", a->index, io ? "io_links" : "p2p_links",
                 count++);
        put(t, path,
            "type %d\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\nweight %u\nmin_latency 0\n"
            "max_latency 0\nmin_bandwidth %u\nmax_bandwidth %u\nrecommended_transfer_size 0\n"
            "recommended_sdma_engine_id_mask 0\nflags 1\n",
            link.link_type == HSA_AMD_LINK_INFO_TYPE_XGMI ? TYPE_XGMI : TYPE_PCIE, a->index, b->index,
            link.numa_distance, link.min_bandwidth, link.max_bandwidth);
    }
    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/%s/", a->index, io ? "io_links" : "p2p_links");
    folders_of(t, path);
    return count;
}

static void put_memory(struct tree *t, const struct agent *a)
{
    enum { HEAP_SYSTEM, HEAP_PUBLIC };
    const struct chip *chip = a->device ? a->device->chip : NULL;
    char path[128];

    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/mem_banks/0/properties", a->index);
    put(t, path, "heap_type %d\nsize_in_bytes %" PRIu64 "\nflags 0\nwidth %u\nmem_clk_max %u\n",
        chip ? HEAP_PUBLIC : HEAP_SYSTEM, a->pool[POOL_COARSE].bytes, chip ? chip->memory_bus_bits : 0,
        chip ? chip->memory_clock_mhz : 0);
}

static unsigned put_caches(struct tree *t, const struct agent *a)
{
    enum { TYPE_DATA = 1, TYPE_OF_GPU = 8 };
    unsigned count = 0;
    char path[128];

    for (unsigned k = 0; a->device && k < sizeof a->device->cache_bytes / sizeof *a->device->cache_bytes; k++) {
        if (!a->device->cache_bytes[k])
            continue;
        snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/caches/%u/properties", a->index, count++);
        put(t, path,
            "processor_id_low %u\nlevel %u\nsize %" PRIu64
            "\ncache_line_size %u\ncache_lines_per_tag 1\nassociation 0\n"
            "latency 0\ntype %d\nsibling_map 1\n",
            a->index << 16, k + 1, a->device->cache_bytes[k] / 1024, a->device->line_bytes, TYPE_DATA | TYPE_OF_GPU);
    }
    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/caches/", a->index);
    folders_of(t, path);
    return count;
}

/* What the driver writes of every node; a CPU has zeros for what is a GPU's. */
static void put_properties(struct tree *t, const struct runtime *r, const struct agent *a, unsigned caches,
                           const unsigned links[2])
{
    static const struct device none;
    const struct device *d = a->device ? a->device : &none;
    unsigned xcds = d->xcds ? d->xcds : 1, arrays = d->shader_engines;
    bool hive = false;
    char path[128];

    for (uint32_t k = 0; k < r->agents; k++)
        hive = hive || by_xgmi(a, &r->agent[k]);
    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/properties", a->index);
    put(t, path,
        "cpu_cores_count %ld\nsimd_count %u\nmem_banks_count 1\ncaches_count %u\nio_links_count %u\np2p_links_count "
        "%u\n"
        "cpu_core_id_base 0\nsimd_id_base %u\nmax_waves_per_simd %u\nlds_size_in_kb %u\ngds_size_in_kb 0\nnum_gws 0\n"
        "wave_front_size %u\narray_count %u\nsimd_arrays_per_engine %u\ncu_per_simd_array %u\nsimd_per_cu %u\n"
        "max_slots_scratch_cu %u\ngfx_target_version %u\nvendor_id %u\ndevice_id %u\nlocation_id %u\ndomain %u\n"
        "drm_render_minor %u\nhive_id %d\nnum_sdma_engines %d\nnum_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine %d\n"
        "num_cp_queues %d\nmax_engine_clk_fcompute %u\nlocal_mem_size 0\nfw_version %d\ncapability 0\ndebug_prop 0\n"
        "sdma_fw_version %d\nunique_id %" PRIu64 "\nnum_xcc %u\nmax_engine_clk_ccompute 0\n",
        a->device ? 0 : sysconf(_SC_NPROCESSORS_ONLN), d->cus * d->simds_per_cu, caches, links[0], links[1],
        a->index << 16, d->simds_per_cu ? d->waves_per_cu / d->simds_per_cu : 0, d->lds_bytes / 1024, d->wave_size,
        arrays, a->device ? 1 : 0, arrays ? (d->cus + arrays - 1) / arrays : 0, d->simds_per_cu,
        a->device ? d->waves_per_cu : 0, a->device ? target_version(a->name) : 0, a->device ? VENDOR_AMD_GPU : 0,
        a->device ? d->chip->device_id : 0, a->device ? agent_bdf(a) : 0, AGENT_PCI_DOMAIN,
        a->device ? RENDER_MINOR + a->index - 1 : 0, hive, a->device ? AGENT_SDMA_ENGINES : 0, a->device ? 8 : 0,
        a->device ? 24 : 0, d->max_clock_mhz, a->device ? AGENT_FIRMWARE : 0, a->device ? AGENT_FIRMWARE : 0,
        a->device ? agent_unique_id(a) : 0, a->device ? xcds : 0);
}

static void put_node(struct tree *t, const struct runtime *r, const struct agent *a)
{
    unsigned links[2] = {put_links(t, r, a, true), put_links(t, r, a, false)};
    char path[128];

    put_memory(t, a);
    put_properties(t, r, a, put_caches(t, a), links);
    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/gpu_id", a->index);
    put(t, path, "%u\n", a->device ? agent_bdf(a) : 0); /* the driver's is a hash of such things */
    snprintf(path, sizeof path, TOPOLOGY "/nodes/%u/name", a->index);
    put(t, path, "%s\n", a->device ? a->name : "");
}

/* PCI and DRM ------------------------------------------------------------------------------------------------------ */

/* A line in a file of a folder. */
__attribute__((format(printf, 4, 5))) static void put_in(struct tree *t, const char *folder, const char *name,
                                                         const char *format, ...)
{
    char path[PATH_MAX], text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    put(t, path, "%s\n", text);
}

/* A name that leads to a folder, in one of the folders that list them. */
static void put_listed(struct tree *t, const char *list, const char *folder)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s%s", list, strrchr(folder, '/'));
    put_link(t, path, folder);
}

/* What a root port and a card have alike. */
static void put_function(struct tree *t, const char *folder, unsigned class, unsigned vendor, unsigned device,
                         unsigned revision)
{
    put_in(t, folder, "class", "0x%06x", class);
    put_in(t, folder, "vendor", "0x%04x", vendor);
    put_in(t, folder, "device", "0x%04x", device);
    put_in(t, folder, "subsystem_vendor", "0x%04x", vendor);
    put_in(t, folder, "subsystem_device", "0x%04x", device);
    put_in(t, folder, "revision", "0x%02x", revision);
    put_in(t, folder, "numa_node", "%d", access("/sys/devices/system/node/node0", F_OK) == 0 ? 0 : -1);
    /* PCI Express 4.0, as agent_link() has it */
    put_in(t, folder, "current_link_speed", "16.0 GT/s PCIe");
    put_in(t, folder, "max_link_speed", "16.0 GT/s PCIe");
    put_in(t, folder, "current_link_width", "16");
    put_in(t, folder, "max_link_width", "16");
    put_listed(t, "sys/bus/pci/devices", folder);
}

/* A device file of a card, below its folder. */
static void put_minor(struct tree *t, const char *card, const char *name, unsigned minor)
{
    char folder[PATH_MAX], device[PATH_MAX + 8];

    snprintf(folder, sizeof folder, "%s/drm/%s", card, name);
    put_in(t, folder, "dev", "226:%u", minor);
    put_in(t, folder, "uevent", "MAJOR=226\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor", minor, name);
    snprintf(device, sizeof device, "%s/device", folder);
    put_link(t, device, card);
    put_listed(t, "sys/class/drm", folder);
}

static void put_card(struct tree *t, const struct agent *a)
{
    enum { CLASS_BRIDGE = 0x060400, CLASS_VGA = 0x030000 };
    const struct device *d = a->device;
    uint32_t bdf = agent_bdf(a);
    char port[64], bus[96], card[96], name[32], driver[128];

    snprintf(port, sizeof port, HOST_BRIDGE "/%04x:02:%02x.0", AGENT_PCI_DOMAIN, a->index);
    snprintf(bus, sizeof bus, "%s/pci_bus/%04x:%02x", port, AGENT_PCI_DOMAIN, bdf >> 8);
    snprintf(card, sizeof card, "%s/%04x:%02x:%02x.%x", port, AGENT_PCI_DOMAIN, bdf >> 8, bdf >> 3 & 31, bdf & 7);
    put_function(t, port, CLASS_BRIDGE, VENDOR_AMD_CPU, DEVICE_ROOT_PORT, 0);
    put_in(t, bus, "uevent", "%s", "");
    put_listed(t, "sys/class/pci_bus", bus);
    put_function(t, card, CLASS_VGA, VENDOR_AMD_GPU, d->chip->device_id, d->chip->revision);
    put_in(t, card, "uevent", "DRIVER=amdgpu\nPCI_CLASS=%X\nPCI_ID=%04X:%04X\nPCI_SLOT_NAME=%s", CLASS_VGA,
           VENDOR_AMD_GPU, d->chip->device_id, strrchr(card, '/') + 1);
    put_in(t, card, "unique_id", "%016" PRIx64, agent_unique_id(a));
    put_in(t, card, "fw_version/mec_fw_version", "0x%08x", AGENT_FIRMWARE);
    put_in(t, card, "fw_version/sdma_fw_version", "0x%08x", AGENT_FIRMWARE);
    put_in(t, card, "product_name", "%s", a->product);
    put_in(t, card, "mem_info_vram_total", "%" PRIu64, a->pool[POOL_COARSE].bytes);
    put_in(t, card, "mem_info_vis_vram_total", "%" PRIu64, a->pool[POOL_COARSE].bytes);
    put_in(t, card, "pp_dpm_sclk", "0: %uMhz *", d->max_clock_mhz);
    put_in(t, card, "pp_dpm_mclk", "0: %uMhz *", d->chip->memory_clock_mhz);
    snprintf(name, sizeof name, "card%u", a->index - 1);
    put_minor(t, card, name, a->index - 1);
    snprintf(name, sizeof name, "renderD%u", RENDER_MINOR + a->index - 1);
    put_minor(t, card, name, RENDER_MINOR + a->index - 1);
    snprintf(driver, sizeof driver, "%s/driver", card);
    put_link(t, driver, "sys/bus/pci/drivers/amdgpu");
    put_listed(t, "sys/bus/pci/drivers/amdgpu", card);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

static void put_all(struct tree *t, const struct runtime *r)
{
    put(t, TOPOLOGY "/generation_id", "1\n");
    put(t, TOPOLOGY "/system_properties", "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
    folders_of(t, "sys/devices/virtual/kfd/kfd/proc/");
    put_link(t, "sys/class/kfd/kfd", "sys/devices/virtual/kfd/kfd");
    put(t, "sys/module/amdgpu/initstate", "live\n");
    put(t, "sys/module/amdgpu/version", "gcnsim %s\n", gcnsim_version());
    folders_of(t, "dev/");
    if (symlinkat("/dev/null", t->root, "dev/kfd") != 0) /* is there, and answers to no ioctl() */
        failed(t);
    for (uint32_t k = 0; k < r->agents; k++) {
        put_node(t, r, &r->agent[k]);
        if (r->agent[k].device)
            put_card(t, &r->agent[k]);
    }
    keep_links(t, "sys/bus/pci/devices");
    keep_links(t, "sys/class/pci_bus");
}

bool sysfs_write(const char *root, const struct runtime *r)
{
    struct tree t = {.root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC)};

    if (t.root < 0)
        return false;
    put_all(&t, r);
    close(t.root);
    errno = t.error;
    return !t.error;
}

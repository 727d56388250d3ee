/* The files in which Linux shows GPUs (docs/adr/0029-sysfs.md): they say what HSA says, by whatever function of the C
 * library they are read, in children, and nothing else has changed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/hsa/raw/raw.h"

#define NODES "/sys/class/kfd/kfd/topology/nodes"

/* The text of a file, of up to 8 KiB. */
static const char *text_of(const char *path)
{
    static char text[8192];
    FILE *f = fopen(path, "r");

    if (!f)
        printf("%s: %s\n", path, strerror(errno));
    EXPECT(f != NULL);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

/* A property of a node of the topology, or of what it has. */
static uint64_t property(unsigned node, const char *file, const char *name)
{
    char path[128], line[80];

    snprintf(path, sizeof path, NODES "/%u/%s", node, file);
    snprintf(line, sizeof line, "\n%s ", name);
    const char *text = text_of(path), *at = strstr(text, line);
    if (!strncmp(text, line + 1, strlen(line) - 1))
        return strtoull(text + strlen(line) - 1, NULL, 10);
    if (!at)
        printf("%s has no %s\n", path, name);
    EXPECT(at != NULL);
    return strtoull(at + strlen(line), NULL, 10);
}

static uint32_t u32_of(hsa_agent_t a, int attribute)
{
    uint32_t v = 0;

    OK(hsa_agent_get_info(a, (hsa_agent_info_t)attribute, &v));
    return v;
}

static hsa_status_t note_coarse(hsa_amd_memory_pool_t pool, void *data)
{
    uint32_t segment, flags = 0;

    OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment == HSA_AMD_SEGMENT_GLOBAL)
        OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)
        *(hsa_amd_memory_pool_t *)data = pool;
    return HSA_STATUS_SUCCESS;
}

static hsa_amd_memory_pool_t coarse_of(hsa_agent_t a)
{
    hsa_amd_memory_pool_t pool = {0};

    OK(hsa_amd_agent_iterate_memory_pools(a, note_coarse, &pool));
    return pool;
}

/* Topology --------------------------------------------------------------------------------------------------------- */

static void node_of(hsa_agent_t a)
{
    unsigned node = u32_of(a, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID);
    uint32_t cus = u32_of(a, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), bdf = u32_of(a, HSA_AMD_AGENT_INFO_BDFID);
    char name[64] = "", uuid[32] = "", path[128], line[80];
    unsigned major, minor, stepping;
    size_t bytes = 0;

    OK(hsa_agent_get_info(a, HSA_AGENT_INFO_NAME, name));
    OK(hsa_agent_get_info(a, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_UUID, uuid));
    OK(hsa_amd_memory_pool_get_info(coarse_of(a), HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes));
    SAME(property(node, "properties", "location_id"), bdf);
    SAME(property(node, "properties", "domain"), u32_of(a, HSA_AMD_AGENT_INFO_DOMAIN));
    SAME(property(node, "properties", "device_id"), u32_of(a, HSA_AMD_AGENT_INFO_CHIP_ID));
    SAME(property(node, "properties", "vendor_id"), 0x1002);
    SAME(property(node, "properties", "unique_id"), strtoull(uuid + 4, NULL, 16));
    SAME(property(node, "properties", "wave_front_size"), u32_of(a, HSA_AGENT_INFO_WAVEFRONT_SIZE));
    SAME(property(node, "properties", "max_engine_clk_fcompute"), u32_of(a, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY));
    SAME(property(node, "properties", "simd_count"), cus * u32_of(a, HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU));
    SAME(property(node, "properties", "array_count"), u32_of(a, HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES));
    EXPECT(property(node, "properties", "array_count") * property(node, "properties", "cu_per_simd_array") >= cus);
    SAME(property(node, "mem_banks/0/properties", "size_in_bytes"), bytes);
    SAME(property(node, "mem_banks/0/properties", "width"), u32_of(a, HSA_AMD_AGENT_INFO_MEMORY_WIDTH));
    SAME(property(node, "properties", "cpu_cores_count"), 0);
    unsigned version = (unsigned)property(node, "properties", "gfx_target_version");
    major = version / 10000, minor = version / 100 % 100, stepping = version % 100;
    snprintf(line, sizeof line, "gfx%u%x%x", major, minor, stepping);
    EXPECT(!strcmp(line, name));
    /* the card by its place on PCI */
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%04x:%02x:%02x.%x/unique_id", 0, bdf >> 8, bdf >> 3 & 31,
             bdf & 7);
    SAME(strtoull(text_of(path), NULL, 16), strtoull(uuid + 4, NULL, 16));
    snprintf(path, sizeof path, "/sys/class/drm/renderD%u/device/device",
             (unsigned)property(node, "properties", "drm_render_minor"));
    SAME(strtoull(text_of(path), NULL, 16), u32_of(a, HSA_AMD_AGENT_INFO_CHIP_ID));
    snprintf(path, sizeof path, "/sys/class/drm/card%u/device/mem_info_vram_total", node - 1);
    SAME(strtoull(text_of(path), NULL, 10), bytes);
}

/* What the topology has from a node to another: as many links as are counted, of which one is this. */
static void link_between(hsa_agent_t a, hsa_agent_t b)
{
    static const char *const folders[] = {"io_links", "p2p_links"};
    unsigned from = u32_of(a, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID), to = u32_of(b, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID);
    hsa_amd_memory_pool_link_info_t link = {0};
    unsigned found = 0;
    char file[64];

    OK(hsa_amd_agent_memory_pool_get_info(a, coarse_of(b), HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO, &link));
    for (unsigned f = 0; f < 2; f++) {
        snprintf(file, sizeof file, "%s_count", folders[f]);
        unsigned count = (unsigned)property(from, "properties", file);

        for (unsigned k = 0; k < count; k++) {
            snprintf(file, sizeof file, "%s/%u/properties", folders[f], k);
            SAME(property(from, file, "node_from"), from);
            if (property(from, file, "node_to") != to)
                continue;
            found++;
            SAME(property(from, file, "type"), link.link_type == HSA_AMD_LINK_INFO_TYPE_XGMI ? 11 : 2);
            SAME(property(from, file, "weight"), link.numa_distance);
            SAME(property(from, file, "max_bandwidth"), link.max_bandwidth);
        }
    }
    SAME(found, 1);
}

static void topology(void)
{
    unsigned nodes = 0;
    struct dirent *e;
    DIR *d = opendir(NODES);

    EXPECT(d != NULL);
    while ((e = readdir(d)))
        nodes += e->d_name[0] != '.';
    closedir(d);
    SAME(nodes, gpu_count + 1);
    SAME(strtoul(text_of(NODES "/0/gpu_id"), NULL, 10), 0);
    EXPECT(property(0, "properties", "cpu_cores_count") > 0);
    for (unsigned k = 0; k < gpu_count; k++) {
        node_of(gpus[k]);
        link_between(gpus[k], cpu);
        link_between(cpu, gpus[k]);
        for (unsigned other = 0; other < gpu_count; other++)
            if (other != k)
                link_between(gpus[k], gpus[other]);
    }
}

/* Functions -------------------------------------------------------------------------------------------------------- */

/* Each that takes a path; what comes back has no other path in it. */
static void functions(void)
{
    static const char name[] = "/sys/class/drm/card0";
    char to[PATH_MAX], real[PATH_MAX];
    struct dirent **names;
    struct statx x;
    struct stat st;
    glob_t found;

    EXPECT(readlink(name, to, sizeof to) > 0 && !strncmp(to, "../../devices/pci0000:02/", 25));
    EXPECT(realpath(name, real) && !strncmp(real, "/sys/devices/pci0000:02/", 24) && strstr(real, "/drm/card0"));
    EXPECT(stat(real, &st) == 0 && S_ISDIR(st.st_mode));
    EXPECT(lstat(name, &st) == 0 && S_ISLNK(st.st_mode));
    EXPECT(fstatat(AT_FDCWD, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode));
    EXPECT(statx(AT_FDCWD, name, 0, STATX_TYPE, &x) == 0 && S_ISDIR(x.stx_mode));
    EXPECT(access("/sys/class/kfd/kfd", R_OK) == 0 && faccessat(AT_FDCWD, "/sys/class/kfd", F_OK, 0) == 0);
    SAME(glob("/sys/class/drm/card*/device/vendor", 0, NULL, &found), 0);
    SAME(found.gl_pathc, gpu_count);
    EXPECT(!strcmp(found.gl_pathv[0], "/sys/class/drm/card0/device/vendor"));
    globfree(&found);
    int n = scandir("/sys/class/drm", &names, NULL, alphasort);
    SAME(n, 2 * gpu_count + 2);
    while (n--)
        free(names[n]);
    free(names);
    int folder = open("/sys/class/kfd/kfd/topology", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int file = openat(folder, "nodes/0/gpu_id", O_RDONLY | O_CLOEXEC);
    SAME(read(file, to, sizeof to), 2);
    close(file);
    close(folder);
    file = open("/dev/kfd", O_RDWR | O_CLOEXEC);
    EXPECT(file >= 0);
    close(file);
    /* the bridge before the card, as RCCL looks for it */
    EXPECT(realpath("/sys/class/pci_bus/0000:03/../../0000:03:00.0/..", real) && strstr(real, "/0000:02:01.0"));
    SAME(open("/sys/class/drm/card0/device/pp_dpm_sclk", O_WRONLY), -1);
    SAME(errno, EACCES);
    SAME(open("/sys/class/drm/card0/device/pp_dpm_sclk", O_RDONLY | O_TRUNC), -1);
    SAME(errno, EACCES);
    file = open("/sys/class/drm/card0/device/pp_dpm_sclk", O_RDWR | O_PATH); /* which opens nothing to be written */
    EXPECT(file >= 0);
    close(file);
    EXPECT(!fopen("/sys/class/drm/card0/device/pp_dpm_sclk", "r+"));
    SAME(errno, EACCES);
    SAME(open("/sys/class/drm/card99/device/vendor", O_RDONLY), -1);
    SAME(errno, ENOENT);
}

/* What is the machine's is as it was. */
static void machine(void)
{
    struct stat st;
    struct dirent *e;
    char path[300];

    SAME(access("/sys/class/kfdx", F_OK), -1);
    SAME(errno, ENOENT);
    EXPECT(stat("/", &st) == 0 && access("/proc/self/status", R_OK) == 0);
    DIR *d = opendir("/sys/bus/pci/devices");
    unsigned count = 0;
    while (d && (e = readdir(d))) { /* devices of the machine have links that lead to what is there, simulated or not */
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/vendor", e->d_name);
        EXPECT(strncmp(text_of(path), "0x", 2) == 0);
        count++;
    }
    if (d)
        closedir(d);
    EXPECT(count >= 2 * gpu_count);
}

/* A child of a fork reads on when its parent, who has looked first, has ended. */
static void orphan(void)
{
    int go[2], told[2];
    char said = 0;

    EXPECT(pipe(go) == 0 && pipe(told) == 0);
    pid_t parent = fork();
    if (parent == 0) {
        EXPECT(access(NODES, R_OK) == 0);
        if (fork() == 0) {
            SAME(read(go[0], &said, 1), 1);
            SAME(strtoul(text_of(NODES "/0/gpu_id"), NULL, 10), 0);
            exit(write(told[1], "y", 1) != 1);
        }
        exit(0);
    }
    int status = -1;
    SAME(waitpid(parent, &status, 0), parent);
    SAME(status, 0);
    close(told[1]);
    SAME(write(go[1], "g", 1), 1);
    SAME(read(told[0], &said, 1), 1);
}

void files(void)
{
    orphan(); /* before this process looks itself */
    topology();
    functions();
    machine();
}

/* gcnsim exec --info: what programs are shown of the simulated system, in rocminfo's words.
 *
 * The library is asked through the interface that programs use, so that what is printed is what they see. Its few
 * functions and numbers are declared here (HSA runtime specification 1.2 and AMD's extension), because the command line
 * is also built where the packaged headers are missing.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/exec.h"

struct handle { /* of an agent, a pool, an instruction set, a cache */
    uint64_t handle;
};
typedef int each_fn(struct handle h, void *data);

/* X(field, result and parameters) */
#define HSA_FUNCTIONS(X)                                                                                               \
    X(hsa_init, int (*)(void))                                                                                         \
    X(hsa_shut_down, int (*)(void))                                                                                    \
    X(hsa_status_string, int (*)(int status, const char **text))                                                       \
    X(hsa_system_get_info, int (*)(int attribute, void *value))                                                        \
    X(hsa_iterate_agents, int (*)(each_fn * each, void *data))                                                         \
    X(hsa_agent_get_info, int (*)(struct handle agent, int attribute, void *value))                                    \
    X(hsa_agent_iterate_isas, int (*)(struct handle agent, each_fn * each, void *data))                                \
    X(hsa_isa_get_info_alt, int (*)(struct handle isa, int attribute, void *value))                                    \
    X(hsa_agent_iterate_caches, int (*)(struct handle agent, each_fn * each, void *data))                              \
    X(hsa_cache_get_info, int (*)(struct handle cache, int attribute, void *value))                                    \
    X(hsa_amd_agent_iterate_memory_pools, int (*)(struct handle agent, each_fn * each, void *data))                    \
    X(hsa_amd_memory_pool_get_info, int (*)(struct handle pool, int attribute, void *value))

struct hsa {
#define X(name, type) __typeof__((type)0) name;
    HSA_FUNCTIONS(X)
#undef X
    unsigned agents, pools, isas;
};

/* ---- lines ---- */

static void put(unsigned indent, const char *label, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void put(unsigned indent, const char *label, const char *format, ...)
{
    va_list args;

    cli_printf("%*s%-*s", (int)indent, "", indent < 25 ? (int)(27 - indent) : 1, label);
    va_start(args, format);
    cli_vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void stars(const char *title)
{
    cli_printf("*******\n%s\n*******\n", title);
}

/* ---- values; 0 or "" of what is not answered ---- */

static uint32_t agent_u32(const struct hsa *h, struct handle a, int attribute)
{
    uint32_t v = 0;

    return h->hsa_agent_get_info(a, attribute, &v) ? 0 : v;
}

static const char *agent_text(const struct hsa *h, struct handle a, int attribute, char buffer[128])
{
    memset(buffer, 0, 128);
    if (h->hsa_agent_get_info(a, attribute, buffer))
        buffer[0] = 0;
    return buffer;
}

/* ---- parts of an agent ---- */

static int cache(struct handle c, void *data)
{
    const struct hsa *h = data;
    uint8_t level = 0;
    uint32_t bytes = 0;
    char label[8];

    if (!h->hsa_cache_get_info(c, 2, &level) && !h->hsa_cache_get_info(c, 3, &bytes)) {
        snprintf(label, sizeof label, "L%u:", level);
        put(4, label, "%" PRIu32 "(0x%" PRIx32 ") KB", bytes / 1024, bytes / 1024);
    }
    return 0;
}

static int pool(struct handle p, void *data)
{
    enum { SEGMENT, FLAGS, SIZE, ALLOC_ALLOWED = 5, GRANULE, ALIGNMENT, ALL = 15 };
    static const char *const segments[] = {"GLOBAL", "READONLY", "PRIVATE", "GROUP"};
    struct hsa *h = data;
    uint32_t segment = 0, flags = 0;
    size_t size = 0, granule = 0, alignment = 0;
    bool allowed = false, all = false;
    char flag_text[80] = "";

    h->hsa_amd_memory_pool_get_info(p, SEGMENT, &segment);
    h->hsa_amd_memory_pool_get_info(p, SIZE, &size);
    h->hsa_amd_memory_pool_get_info(p, ALLOC_ALLOWED, &allowed);
    h->hsa_amd_memory_pool_get_info(p, ALL, &all);
    if (allowed) {
        h->hsa_amd_memory_pool_get_info(p, GRANULE, &granule);
        h->hsa_amd_memory_pool_get_info(p, ALIGNMENT, &alignment);
    }
    if (segment == 0 && !h->hsa_amd_memory_pool_get_info(p, FLAGS, &flags))
        snprintf(flag_text, sizeof flag_text, "; FLAGS:%s%s%s", flags & 1 ? " KERNARG" : "",
                 flags & 2 ? " FINE GRAINED" : "", flags & 4 ? " COARSE GRAINED" : "");
    cli_printf("    Pool %u\n", ++h->pools);
    put(6, "Segment:", "%s%s", segment < 4 ? segments[segment] : "?", flag_text);
    put(6, "Size:", "%zu(0x%zx) KB", size / 1024, size / 1024);
    put(6, "Allocatable:", "%s", allowed ? "TRUE" : "FALSE");
    put(6, "Alloc Granule:", "%zuKB", granule / 1024);
    put(6, "Alloc Alignment:", "%zuKB", alignment / 1024);
    put(6, "Accessible by all:", "%s", all ? "TRUE" : "FALSE");
    return 0;
}

static int isa(struct handle i, void *data)
{
    enum { NAME_LENGTH, NAME, WORKGROUP_MAX_SIZE = 13, GRID_MAX_SIZE = 16 };
    struct hsa *h = data;
    uint32_t length = 0, items = 0;
    uint64_t grid = 0;
    char name[128] = "";

    cli_printf("    ISA %u\n", ++h->isas);
    if (!h->hsa_isa_get_info_alt(i, NAME_LENGTH, &length) && length < sizeof name)
        h->hsa_isa_get_info_alt(i, NAME, name);
    put(6, "Name:", "%s", name);
    if (!h->hsa_isa_get_info_alt(i, WORKGROUP_MAX_SIZE, &items))
        put(6, "Workgroup Max Size:", "%" PRIu32 "(0x%" PRIx32 ")", items, items);
    if (!h->hsa_isa_get_info_alt(i, GRID_MAX_SIZE, &grid))
        put(6, "Grid Max Size:", "%" PRIu64 "(0x%" PRIx64 ")", grid, grid);
    return 0;
}

/* What a GPU has besides. */
static void gpu(const struct hsa *h, struct handle a)
{
    static const struct {
        const char *label;
        int attribute;
    } numbers[] = {
        {"Chip ID:", 0xa000},
        {"Cacheline Size:", 0xa001},
        {"Max Clock Freq. (MHz):", 0xa003},
        {"BDFID:", 0xa006},
        {"Compute Unit:", 0xa002},
        {"SIMDs per CU:", 0xa00b},
        {"Shader Engines:", 0xa00c},
        {"Wavefront Size:", 6},
        {"Workgroup Max Size:", 8},
        {"Max Waves Per CU:", 0xa00a},
        {"Memory Bus (bits):", 0xa007},
        {"Memory Clock (MHz):", 0xa008},
        {"XCCs:", 0xa111},
    };

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        uint32_t v = 0;

        if (!h->hsa_agent_get_info(a, numbers[k].attribute, &v))
            put(2, numbers[k].label, "%" PRIu32 "(0x%" PRIx32 ")", v, v);
    }
}

static int agent(struct handle a, void *data)
{
    enum { NAME, VENDOR, FEATURE, PROFILE = 4, QUEUE_MAX_SIZE = 14, QUEUE_MAX = 12, DEVICE = 17 };
    static const char *const devices[] = {"CPU", "GPU", "DSP"};
    struct hsa *h = data;
    uint32_t device = agent_u32(h, a, DEVICE);
    char text[128], title[32];

    snprintf(title, sizeof title, "Agent %u", ++h->agents);
    stars(title);
    put(2, "Name:", "%s", agent_text(h, a, NAME, text));
    put(2, "Uuid:", "%s", agent_text(h, a, 0xa011, text));
    put(2, "Marketing Name:", "%s", agent_text(h, a, 0xa009, text));
    put(2, "Vendor Name:", "%s", agent_text(h, a, VENDOR, text));
    put(2, "Feature:", "%s", agent_u32(h, a, FEATURE) & 1 ? "KERNEL_DISPATCH" : "None specified");
    put(2, "Profile:", "%s", agent_u32(h, a, PROFILE) ? "FULL_PROFILE" : "BASE_PROFILE");
    put(2, "Max Queue Number:", "%" PRIu32, agent_u32(h, a, QUEUE_MAX));
    put(2, "Queue Max Size:", "%" PRIu32, agent_u32(h, a, QUEUE_MAX_SIZE));
    put(2, "Device Type:", "%s", device < 3 ? devices[device] : "?");
    cli_printf("  Cache Info:\n");
    h->hsa_agent_iterate_caches(a, cache, h);
    if (device == 1)
        gpu(h, a);
    h->pools = h->isas = 0;
    cli_printf("  Pool Info:\n");
    h->hsa_amd_agent_iterate_memory_pools(a, pool, h);
    cli_printf("  ISA Info:\n");
    h->hsa_agent_iterate_isas(a, isa, h);
    return 0;
}

/* ---- system ---- */

static void system_info(const struct hsa *h)
{
    uint16_t major = 0, minor = 0;
    uint64_t frequency = 0;

    h->hsa_system_get_info(0, &major);
    h->hsa_system_get_info(1, &minor);
    h->hsa_system_get_info(3, &frequency);
    cli_printf("=====================\nHSA System Attributes\n=====================\n");
    put(0, "Runtime Version:", "%u.%u (gcnsim %s)", major, minor, gcnsim_version());
    put(0, "System Timestamp Freq.:", "%.6fMHz", (double)frequency / 1e6);
    cli_printf("\n==========\nHSA Agents\n==========\n");
}

static const char *load(struct hsa *h, const char *folder)
{
    char path[EXEC_PATH + 32];
    void *library;

    snprintf(path, sizeof path, "%s/libhsa-runtime64.so.1", folder);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return dlerror();
#define X(name, type)                                                                                                  \
    if (!(*(void **)&h->name = dlsym(library, #name)))                                                                 \
        return dlerror();
    HSA_FUNCTIONS(X)
#undef X
    return NULL;
}

int exec_info(const char *folder)
{
    struct hsa h = {0};
    const char *why = load(&h, folder), *text = NULL;

    if (why)
        return cli_error("exec: %s", why);
    if (setenv("GCNSIM_SUMMARY", "0", 1) != 0 || unsetenv("GCNSIM_REPORT") != 0 || unsetenv("GCNSIM_CSV") != 0)
        return cli_error("exec: out of memory");
    int status = h.hsa_init();
    if (status) /* the library has said why */
        return cli_error("exec: hsa_init: status 0x%x", (unsigned)status);
    system_info(&h);
    status = h.hsa_iterate_agents(agent, &h);
    if (status && !h.hsa_status_string(status, &text))
        return cli_error("exec: %s", text);
    h.hsa_shut_down();
    puts("*** Done ***");
    return cli_flush();
}

/* All that agents answer, number by number, and the files that a program finds of them in /sys; both as files of
 * tests/unit/hsa/words have them, without what is the host's. */
#define _GNU_SOURCE
#include "tests/unit/hsa/memory_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/chips.h"
#include "sim/hsa/agents/device.h"
#include "sim/hsa/agents/sysfs.h"
#include "sim/hsa/core/clock.h"
#include "tests/support/words.h"

#define WORDS "tests/unit/hsa/words"

enum { MOST_BYTES = 160 };

/* What was written, to the last byte that is not 0xee. */
static void show(FILE *f, int attribute, int status, const uint8_t *out)
{
    unsigned n = MOST_BYTES;

    while (n && out[n - 1] == 0xee)
        n--;
    if (status && !n)
        return;
    fprintf(f, "  0x%04x:", (unsigned)attribute);
    if (status)
        fprintf(f, " status 0x%x", (unsigned)status);
    for (unsigned k = 0; k < n; k++) {
        unsigned same = 1;

        while (k + same < n && out[k + same] == out[k])
            same++;
        fprintf(f, same > 4 ? " %02x*%u" : " %02x", out[k], same);
        k += same > 4 ? same - 1 : 0;
    }
    fputc('\n', f);
}

static const int ranges[][2] = {{0, 0x40}, {0x2ff0, 0x3020}, {0x9ff0, 0xa030}, {0xa0f0, 0xa130}};

/* What is the host's, an address or a clock's. */
static bool is_of_the_host(hsa_agent_t a, int attribute)
{
    static const int of_cpu[] = {HSA_AGENT_INFO_NAME, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT,
                                 HSA_AMD_AGENT_INFO_PRODUCT_NAME};
    static const int of_all[] = {HSA_AGENT_INFO_ISA, ABI_AGENT_NEAREST_CPU, ABI_AGENT_CLOCK_COUNTERS};
    bool is = false;

    for (unsigned k = 0; k < 3; k++)
        is |= attribute == of_all[k] || (a.handle == cpu.handle && attribute == of_cpu[k]);
    return is;
}

/* Figures that are no chip's. */
static void make_up(struct device *d, unsigned k)
{
    d->cus = 30 * k;
    d->simds_per_cu = 2 + k;
    d->waves_per_cu = d->simds_per_cu * 10;
    d->wave_size = 16 * k;
    d->xcds = k == 2 ? 0 : k;
    d->shader_engines = 7;
    d->line_bytes = 64 * k;
    d->lds_bytes = 65536 * k + 1023;
    d->max_clock_mhz = 1000 + k;
    for (unsigned c = 0; c < 4; c++)
        d->cache_bytes[c] = c + k == 3 ? 0 : 1024 * (c + 1) * k;
}

static void answers_of_agents(void **state)
{
    const hsa_agent_t agents[] = {cpu, gfx90a, gfx1201};
    uint64_t words[MOST_BYTES / 8];
    uint8_t *out = (uint8_t *)words;
    size_t size;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);
    struct device *devices[] = {agent_of(gfx90a)->device, agent_of(gfx1201)->device}, were[2];

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        were[k] = *devices[k];
        make_up(devices[k], k + 1);
    }
    for (unsigned k = 0; k < 3; k++) {
        fprintf(f, "agent %u\n", k);
        for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int a = ranges[r][0]; a < ranges[r][1]; a++) {
                memset(out, 0xee, MOST_BYTES);
                int status = (int)hsa_agent_get_info(agents[k], (hsa_agent_info_t)a, out);
                if (status)
                    assert_int_equal(status, HSA_STATUS_ERROR_INVALID_ARGUMENT);
                if (!is_of_the_host(agents[k], a))
                    show(f, a, status, out);
            }
        assert_int_equal(hsa_agent_get_info(agents[k], (hsa_agent_info_t)ABI_AGENT_NEAREST_CPU, out), 0);
        assert_int_equal(words[0], cpu.handle);
    }
    hsa_isa_t isa;
    assert_int_equal(hsa_agent_get_info(gfx90a, HSA_AGENT_INFO_ISA, &isa), 0);
    for (int a = 0; a < 0x20; a++) {
        memset(out, 0xee, MOST_BYTES);
        show(f, a, (int)hsa_isa_get_info_alt(isa, (hsa_isa_info_t)a, out), out);
    }
    fclose(f);
    for (unsigned k = 0; k < 2; k++)
        *devices[k] = were[k];
    expect_words(WORDS, "agents", text);
    free(text);
    assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)ABI_AGENT_CLOCK_COUNTERS, out), 0);
    assert_true(words[0] == clock_host() && words[1] == words[0] && words[2] == words[0] && words[3] == 1000000000);
    assert_int_equal(hsa_agent_get_info(cpu, HSA_AGENT_INFO_ISA, out), 0);
    assert_int_equal(words[0], 0);
    assert_int_equal(hsa_agent_get_info(gfx90a, HSA_AGENT_INFO_NAME, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_agent_get_info((hsa_agent_t){5}, HSA_AGENT_INFO_NAME, out), HSA_STATUS_ERROR_INVALID_AGENT);
}

/* ---- instruction sets ---- */

static hsa_status_t note_isa(hsa_isa_t isa, void *data)
{
    *(hsa_isa_t *)data = isa;
    return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t note_wavefront(hsa_wavefront_t w, void *data)
{
    *(hsa_wavefront_t *)data = w;
    return HSA_STATUS_INFO_BREAK;
}

static void instruction_sets(void **state)
{
    static const struct {
        const char *name;
        int which; /* 0: none */
    } names[] = {{"amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", 1},
                 {"amdgcn-amd-amdhsa--gfx90a", 1},
                 {"amdgcn-amd-amdhsa--gfx1201", 2},
                 {"amdgcn-amd-amdhsa--gfx90a:sramecc+", 0},
                 {"amdgcn-amd-amdhsa--gfx90", 0},
                 {"amdgcn-amd-amdhsa--gfx90b", 0},
                 {"amdgcn-amd-amdhsa--gfx1201:xnack-", 0},
                 {"gfx90a", 0},
                 {"", 0}};
    hsa_isa_t of[3] = {{0}}, isa = {77};
    hsa_wavefront_t w = {0};
    hsa_round_method_t round = 77;
    uint16_t mask = 77;
    uint64_t size = 0;
    bool fits = true;

    (void)state;
    assert_int_equal(hsa_agent_iterate_isas(cpu, note_isa, of), 0);
    assert_int_equal(of[0].handle, 0);
    assert_int_equal(hsa_agent_iterate_isas(gfx90a, note_isa, &of[1]), HSA_STATUS_INFO_BREAK);
    assert_int_equal(hsa_agent_iterate_isas(gfx1201, note_isa, &of[2]), HSA_STATUS_INFO_BREAK);
    assert_int_equal(hsa_agent_iterate_isas((hsa_agent_t){5}, note_isa, of), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_agent_iterate_isas(gfx90a, NULL, of), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        isa.handle = 77;
        int status = (int)hsa_isa_from_name(names[k].name, &isa);
        if (status != (names[k].which ? 0 : (int)HSA_STATUS_ERROR_INVALID_ISA_NAME) ||
            isa.handle != (names[k].which ? of[names[k].which].handle : 77))
            fail_msg("%s: 0x%x", names[k].name, (unsigned)status);
    }
    assert_int_equal(hsa_isa_from_name(NULL, &isa), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_isa_from_name("gfx90a", NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const hsa_isa_t none = {5};
    assert_int_equal(hsa_isa_get_info_alt(none, HSA_ISA_INFO_NAME_LENGTH, &size), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_get_info_alt(of[1], HSA_ISA_INFO_NAME_LENGTH, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_isa_get_info(of[1], HSA_ISA_INFO_NAME_LENGTH, 1, &size), HSA_STATUS_ERROR_INVALID_INDEX);
    assert_int_equal(hsa_isa_get_info(of[1], HSA_ISA_INFO_NAME_LENGTH, 0, &size), 0);
    assert_int_equal(size, strlen(names[0].name) + 1);
    for (unsigned a = 1; a < 3; a++)
        for (unsigned b = 1; b < 3; b++) {
            assert_int_equal(hsa_isa_compatible(of[a], of[b], &fits), 0);
            assert_int_equal(fits, a == b);
        }
    assert_int_equal(hsa_isa_compatible(none, of[1], &fits), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_compatible(of[1], none, &fits), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_compatible(of[1], of[1], NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (unsigned t = 0; t < 9; t++) {
        const bool is = t == HSA_FP_TYPE_16 || t == HSA_FP_TYPE_32 || t == HSA_FP_TYPE_64;
        assert_int_equal(hsa_isa_get_round_method(of[1], t, 0, &round) == 0, is || t == 3);
    }
    assert_int_equal(round, HSA_ROUND_METHOD_SINGLE);
    assert_int_equal(hsa_isa_get_round_method(none, HSA_FP_TYPE_32, 0, &round), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_get_round_method(of[1], HSA_FP_TYPE_32, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_isa_get_exception_policies(of[1], 0, &mask), 0);
    assert_int_equal(mask, 0);
    assert_int_equal(hsa_isa_get_exception_policies(none, 0, &mask), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_get_exception_policies(of[1], 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    mask = 77;
    assert_int_equal(hsa_agent_get_exception_policies(gfx90a, 0, &mask), 0);
    assert_int_equal(mask, 0);
    assert_int_equal(hsa_agent_get_exception_policies((hsa_agent_t){5}, 0, &mask), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_agent_get_exception_policies(gfx90a, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (unsigned k = 1; k < 3; k++) {
        assert_int_equal(hsa_isa_iterate_wavefronts(of[k], note_wavefront, &w), HSA_STATUS_INFO_BREAK);
        size = 0;
        assert_int_equal(hsa_wavefront_get_info(w, HSA_WAVEFRONT_INFO_SIZE, &size), 0);
        assert_int_equal(size, k == 1 ? 64 : 32);
    }
    assert_int_equal(hsa_isa_iterate_wavefronts(none, note_wavefront, &w), HSA_STATUS_ERROR_INVALID_ISA);
    assert_int_equal(hsa_isa_iterate_wavefronts(of[1], NULL, &w), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_wavefront_get_info((hsa_wavefront_t){of[1].handle}, HSA_WAVEFRONT_INFO_SIZE, &size),
                     HSA_STATUS_ERROR_INVALID_WAVEFRONT);
    assert_int_equal(hsa_wavefront_get_info(w, HSA_WAVEFRONT_INFO_SIZE, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_wavefront_get_info(w, 7, &size), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* ---- devices ---- */

/* A kernel packet's cost beside its kernel, by the fences of its header, and the figures of profiles. */
static void devices(void **state)
{
    struct device d = {.before_ns = 1, .acquire_ns = 10, .write_back_ns = 100, .after_ns = 1000};
    const struct device *a = agent_of(gfx90a)->device, *b = agent_of(gfx1201)->device;

    (void)state;
    for (unsigned acquire = 0; acquire < 4; acquire++)
        for (unsigned release = 0; release < 4; release++)
            for (d.xcds = 0; d.xcds < 3; d.xcds++) {
                uint16_t header = (uint16_t)(acquire << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                                             release << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE |
                                             HSA_PACKET_TYPE_KERNEL_DISPATCH | 1 << HSA_PACKET_HEADER_BARRIER);

                assert_int_equal(device_before_ns(&d, header), acquire >= HSA_FENCE_SCOPE_AGENT ? 11 : 1);
                /* each of several dies has an L2, which is written back for the agent, too */
                bool writes = release >= (d.xcds > 1 ? HSA_FENCE_SCOPE_AGENT : HSA_FENCE_SCOPE_SYSTEM);
                assert_int_equal(device_after_ns(&d, header), writes ? 1100 : 1000);
            }
    assert_true(a->clock_mhz == 1700 && a->max_clock_mhz == 1700 && b->clock_mhz == 2970);
    assert_true(a->before_ns == 682 && a->acquire_ns == 46 && a->write_back_ns == 0 && a->after_ns == 682);
    assert_true(b->before_ns == 364 && b->acquire_ns == 800 && b->write_back_ns == 780 && b->after_ns == 364);
    assert_true(a->link_bytes_per_ns == 26 && b->link_bytes_per_ns == 26);
    assert_true(a->memory_bytes_per_ns > 1369.1 && a->memory_bytes_per_ns < 1369.2);
    assert_true(b->memory_bytes_per_ns > 640.0 && b->memory_bytes_per_ns < 640.1);
    /* 104 CUs of four SIMDs that issue every fourth cycle; 64 of two that issue in each */
    assert_true(a->instructions_per_ns > 176.79 && a->instructions_per_ns < 176.81);
    assert_true(b->instructions_per_ns > 380.15 && b->instructions_per_ns < 380.17);
    assert_true(a->cache_bytes[0] == 16384 && a->cache_bytes[2] == 0 && b->cache_bytes[2] == 67108864);
    assert_int_equal(a->cache_bytes[3], 0);
    uint32_t dies = 7; /* a profile that does not say how many has one */
    agent_of(gfx90a)->device->xcds = 0;
    assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)ABI_AGENT_NUM_XCC, &dies), 0);
    assert_int_equal(dies, 1);
    agent_of(gfx90a)->device->xcds = 1;
}

/* What is written past caches is remembered by each device of the timing engine, up to a list's end. */
static void written(void **state)
{
    struct device *a = agent_of(gfx90a)->device, *b = agent_of(gfx1201)->device;

    (void)state;
    devices_written(100, 8);
    assert_int_equal(a->written_count, 0); /* the functional engine has no caches */
    rt_any()->options.common.engine = OPTION_ENGINE_TIMING;
    for (unsigned k = 0; k < DEVICE_WRITTEN; k++)
        devices_written(1000 + k, k);
    assert_true(a->written_count == DEVICE_WRITTEN && b->written_count == DEVICE_WRITTEN);
    assert_true(!a->written_all && !b->written_all);
    assert_true(b->written[255].address == 1255 && b->written[255].bytes == 255 && a->written[0].address == 1000);
    devices_written(7, 8);
    assert_true(a->written_all && a->written_count == DEVICE_WRITTEN && a->written[255].address == 1255);
    device_tell_written(a);
    assert_true(!a->written_all && a->written_count == 0 && b->written_all);
    device_tell_written(b);
    rt_any()->options.common.engine = OPTION_ENGINE_FUNCTIONAL;
}

/* ---- files ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files with their lines, links with where they lead, without those of the machine. */
static void show_tree(FILE *f, const char *root, const char *path)
{
    char full[4096], target[4096];
    struct dirent **e;
    struct stat st;

    snprintf(full, sizeof full, "%s/%s", root, path);
    int n = scandir(full, &e, NULL, by_name);
    assert_true(n >= 0);
    if (n == 2)
        fprintf(f, "%s: empty\n", path);
    for (int k = 0; k < n; k++) {
        char below[2048];

        snprintf(below, sizeof below, "%.1000s%s%.500s", path, *path ? "/" : "", e[k]->d_name);
        snprintf(full, sizeof full, "%s/%s", root, below);
        assert_int_equal(lstat(full, &st), 0);
        if (e[k]->d_name[0] == '.') {
            ;
        } else if (S_ISDIR(st.st_mode)) {
            show_tree(f, root, below);
        } else if (S_ISLNK(st.st_mode)) {
            ssize_t bytes = readlink(full, target, sizeof target - 1);
            assert_true(bytes > 0);
            target[bytes] = 0;
            if ((strncmp(below, "sys/bus/pci/devices/", 20) && strncmp(below, "sys/class/pci_bus/", 18)) ||
                strstr(target, "/pci0000:02/"))
                fprintf(f, "%s -> %s\n", below, target);
        } else {
            size_t bytes;
            char *text = read_whole(full, &bytes);

            fprintf(f, "%s (%03o):\n", below, (unsigned)st.st_mode & 0777);
            for (char *at = text, *end; at < text + bytes; at = end + 1) {
                end = memchr(at, '\n', (size_t)(text + bytes - at));
                assert_non_null(end);
                if (strncmp(at, "cpu_cores_count ", 16) == 0 && at[16] != '0')
                    fprintf(f, "  cpu_cores_count %s\n",
                            strtol(at + 16, NULL, 10) == sysconf(_SC_NPROCESSORS_ONLN) ? "#" : "?");
                else if (strncmp(at, "gcnsim ", 7) == 0 &&
                         strncmp(at + 7, gcnsim_version(), strlen(gcnsim_version())) == 0)
                    fprintf(f, "  gcnsim #\n");
                else if (strcmp(e[k]->d_name, "numa_node"))
                    fprintf(f, "  %.*s\n", (int)(end - at), at);
            }
            free(text);
        }
        free(e[k]);
    }
    free(e);
}

/* A made-up machine: two cards that xGMI links, one behind PCIe, and one of whose profile little is known. */
static void files_of_agents(void **state)
{
    static struct device devices_of[4];
    static struct agent agents[5];
    struct runtime r = {.agent = agents, .agents = 5};
    static const char *const names[][2] = {
        {"gfx942", "gfx942-mi300x"}, {"gfx90a", "gfx90a-mi250"}, {"gfx1103", "gfx1103-780m"}, {"gfx803", "none"}};
    char root[4096], *text = NULL;
    size_t size;

    (void)state;
    umask(022);
    agents[0].pool[POOL_COARSE].bytes = 123456789;
    for (uint32_t k = 1; k < 5; k++) {
        struct agent *a = &agents[k];
        struct device *d = a->device = &devices_of[k - 1];

        a->index = k;
        snprintf(a->name, sizeof a->name, "%s", names[k - 1][0]);
        snprintf(a->product, sizeof a->product, "Card %u", k);
        a->pool[POOL_COARSE].bytes = k << 20;
        d->agent = a;
        d->chip = chip_of(names[k - 1][1], names[k - 1][0]);
        if (k < 4)
            make_up(d, k);
    }
    snprintf(root, sizeof root, "%s/tree", program_folder());
    errno = 0;
    assert_false(sysfs_write(root, &r));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mkdir(root, 0755), 0);
    assert_true(sysfs_write(root, &r));
    FILE *f = open_memstream(&text, &size);
    show_tree(f, root, "");
    fclose(f);
    expect_words(WORDS, "sysfs", text);
    free(text);
    assert_false(sysfs_write(root, &r)); /* it is there already */
    assert_int_equal(errno, EEXIST);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_agents), cmocka_unit_test(instruction_sets), cmocka_unit_test(devices),
        cmocka_unit_test(written),           cmocka_unit_test(files_of_agents),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

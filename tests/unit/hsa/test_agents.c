/* What agents, their caches and queues say of themselves, and which extensions there are. */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/device.h"

enum { MOST_CACHES = 4 };

/* The host's processor has the name that /proc/cpuinfo gives it, or none. */
static void test_name_of_the_host(void **state)
{
    char name[64] = {0}, line[256], model[256] = "CPU";
    FILE *f = fopen("/proc/cpuinfo", "r");

    (void)state;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name%*[\t ]: %255[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    assert_int_equal(hsa_agent_get_info(cpu, HSA_AGENT_INFO_NAME, name), 0);
    assert_memory_equal(name, model, strnlen(model, 63) < 63 ? strlen(model) + 1 : 63);
}

struct caches {
    hsa_cache_t cache[MOST_CACHES];
    unsigned count, most;
};

static hsa_status_t collect_cache(hsa_cache_t cache, void *data)
{
    struct caches *c = data;

    assert_true(c->count < MOST_CACHES);
    c->cache[c->count++] = cache;
    return c->count == c->most ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

static void expect_cache(hsa_cache_t cache, const char *name, unsigned level, uint64_t bytes)
{
    char text[64] = {0};
    uint32_t length = 0, size = 0;
    uint8_t its = 0;

    assert_int_equal(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME_LENGTH, &length), 0);
    assert_int_equal(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME, text), 0);
    assert_int_equal(hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &its), 0);
    assert_int_equal(hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &size), 0);
    assert_string_equal(text, name);
    assert_int_equal(length, strlen(name));
    assert_int_equal(its, level);
    assert_int_equal(size, bytes);
}

static void test_caches(void **state)
{
    struct caches one = {.most = MOST_CACHES}, other = {.most = MOST_CACHES}, first = {.most = 1}, none = {.most = 1};
    uint32_t value;

    (void)state;
    assert_int_equal(hsa_agent_iterate_caches(gfx90a, collect_cache, &one), 0);
    assert_int_equal(one.count, 2);
    expect_cache(one.cache[0], "gfx90a L1", 1, 16384);
    expect_cache(one.cache[1], "gfx90a L2", 2, 8388608);
    assert_int_equal(hsa_agent_iterate_caches(gfx1201, collect_cache, &other), 0);
    assert_int_equal(other.count, 3);
    expect_cache(other.cache[0], "gfx1201 L1", 1, 32768);
    expect_cache(other.cache[1], "gfx1201 L2", 2, 8388608);
    expect_cache(other.cache[2], "gfx1201 MALL", 3, 67108864);
    assert_int_equal(hsa_agent_iterate_caches(gfx90a, collect_cache, &first), HSA_STATUS_INFO_BREAK);
    assert_int_equal(first.count, 1);
    assert_int_equal(hsa_agent_iterate_caches(cpu, collect_cache, &none), 0);
    assert_int_equal(none.count, 0);
    assert_int_equal(hsa_agent_iterate_caches(gfx90a, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_agent_iterate_caches((hsa_agent_t){5}, collect_cache, &none), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_cache_get_info((hsa_cache_t){5}, HSA_CACHE_INFO_SIZE, &value), HSA_STATUS_ERROR_INVALID_CACHE);
    assert_int_equal(hsa_cache_get_info(one.cache[0], HSA_CACHE_INFO_SIZE, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_cache_get_info(one.cache[0], (hsa_cache_info_t)9, &value), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* A queue has all compute units of its GPU: 104 of gfx90a. */
static void test_queue(void **state)
{
    uint32_t mask[5] = {1, 2, 3, 4, 5};
    hsa_agent_t agent = {0};
    hsa_queue_t *q;

    (void)state;
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &q), 0);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 128, mask), 0);
    assert_int_equal(mask[0], UINT32_MAX);
    assert_int_equal(mask[2], UINT32_MAX);
    assert_int_equal(mask[3], 0xff);
    assert_int_equal(mask[4], 5);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 160, mask), 0);
    assert_int_equal(mask[4], 0);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 0, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 33, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(q, 32, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_get_mask(NULL, 32, mask), HSA_STATUS_ERROR_INVALID_QUEUE);
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 31, mask), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 32, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    logged("");
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 0, NULL), 0);
    assert_false(logged("masks of compute units have no effect"));
    assert_int_equal(hsa_amd_queue_cu_set_mask(q, 32, mask), 0);
    assert_true(logged("masks of compute units have no effect"));
    assert_int_equal(hsa_amd_queue_get_info(q, 0, &agent), 0);
    assert_int_equal(agent.handle, gfx90a.handle);
    assert_int_equal(hsa_amd_queue_get_info(q, 1, &agent), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_queue_get_info(q, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_queue_destroy(q), 0);
    assert_int_equal(hsa_amd_queue_get_info(q, 0, &agent), HSA_STATUS_ERROR_INVALID_QUEUE);
}

/* Compute units as the profiles have them. */
static void test_shapes(void **state)
{
    static const struct {
        int attribute;
        uint32_t gfx90a, gfx1201;
    } v[] = {
        {HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, 104, 64},
        {HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU, 4, 2},
        {HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, 32, 32},
        {HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES, 8, 4},
        {HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE, 1, 1},
        {HSA_AMD_AGENT_INFO_CACHELINE_SIZE, 128, 256},
        {HSA_AGENT_INFO_WAVEFRONT_SIZE, 64, 32},
    };

    uint16_t dimensions[4] = {7, 7, 7, 7};

    (void)state;
    assert_int_equal(hsa_agent_get_info(gfx90a, HSA_AGENT_INFO_WORKGROUP_MAX_DIM, dimensions), 0);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(dimensions[k], k < 3 ? 1024 : 7);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        uint32_t one = 0, other = 0;

        assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)v[k].attribute, &one), 0);
        assert_int_equal(hsa_agent_get_info(gfx1201, (hsa_agent_info_t)v[k].attribute, &other), 0);
        if (one != v[k].gfx90a || other != v[k].gfx1201)
            fail_msg("attribute %d: %u and %u", v[k].attribute, one, other);
    }
}

/* There are no images, but for the pitch of memory that is copied by rows. */
static void test_limits_of_images(void **state)
{
    static const struct {
        int attribute;
        uint32_t value;
        size_t bytes; /* that are written; those after the first 4 are 0 */
    } v[] = {
        {HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS, 0, 4},
        {HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS, 0, 4},
        {HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS, 0, 4},
        {HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS, 0, 8},
        {HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS, 0, 8},
        {HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS, 0, 8},
        {HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS, 0, 8},
        {HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS, 0, 12},
        {HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS, 0, 4},
        {HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES, 0, 4},
        {HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES, 0, 4},
        {HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS, 0, 4},
        {HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT, 256, 4},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        uint8_t got[16], want[16];

        memset(got, 0xee, sizeof got);
        memset(want, 0xee, sizeof want);
        memset(want, 0, v[k].bytes);
        memcpy(want, &v[k].value, sizeof v[k].value);
        assert_int_equal(hsa_agent_get_info(gfx90a, (hsa_agent_info_t)v[k].attribute, got), 0);
        assert_memory_equal(got, want, sizeof got);
    }
}

/* The loader's, version 1.0 to 1.3, and no other. */
static void test_extensions(void **state)
{
    uint8_t mask[128], want[128] = {0};
    uint16_t minor = 77;
    bool there = false;

    (void)state;
    want[64] = 2; /* its number is 0x201 */
    memset(mask, 0xee, sizeof mask);
    assert_int_equal(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, mask), 0);
    assert_memory_equal(mask, want, sizeof mask);
    assert_int_equal(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &there), 0);
    assert_true(there);
    assert_int_equal(minor, 3);
    minor = 77;
    assert_int_equal(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 2, &minor, &there), 0);
    assert_false(there);
    assert_int_equal(minor, 77);
    assert_int_equal(hsa_system_major_extension_supported(HSA_EXTENSION_IMAGES, 1, &minor, &there), 0);
    assert_false(there);
    assert_int_equal(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, NULL, &there),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, NULL),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (uint16_t k = 0; k <= 4; k++) {
        assert_int_equal(hsa_system_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, k, &there), 0);
        assert_int_equal(there, k <= 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_of_the_host), cmocka_unit_test(test_caches),     cmocka_unit_test(test_queue),
        cmocka_unit_test(test_limits_of_images), cmocka_unit_test(test_extensions), cmocka_unit_test(test_shapes),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

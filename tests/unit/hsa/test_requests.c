/* Status codes of invalid requests to the runtime, by function, and small functions that no other test calls: groups of
 * signals, callbacks, copies of boxes, names. */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/memory/memory.h"

enum { ARGUMENT = HSA_STATUS_ERROR_INVALID_ARGUMENT, AGENT = HSA_STATUS_ERROR_INVALID_AGENT };

static hsa_agent_t no_agent = {5};

#define EXPECT(STATUS, CALL)                                                                                           \
    do {                                                                                                               \
        int is_ = CALL;                                                                                                \
        if (is_ != (int)(STATUS))                                                                                      \
            fail_msg("%s: 0x%x", #CALL, (unsigned)is_);                                                                \
    } while (0)

/* Before there is a runtime, and after. */
static void without_a_runtime(void **state)
{
    hsa_signal_t signal = {0};
    hsa_signal_group_t group = {0};
    const char *text;
    void *p;

    (void)state;
    EXPECT(0, hsa_shut_down());
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_status_string(HSA_STATUS_SUCCESS, &text));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_extension_get_name(HSA_EXTENSION_IMAGES, &text));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_signal_create(0, 0, NULL, &signal));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_signal_group_create(1, &signal, 0, NULL, &group));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_amd_async_function(NULL, NULL));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_memory_copy(&signal, &group, 8));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_amd_memory_pool_allocate((hsa_amd_memory_pool_t){0}, 8, 0, &p));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_amd_svm_attributes_set(&signal, 4096, NULL, 0));
    EXPECT(HSA_STATUS_ERROR_NOT_INITIALIZED, hsa_shut_down());
    assert_int_equal(start_runtime(state), 0);
}

/* ---- names ---- */

static void names(void **state)
{
    static const struct {
        uint16_t extension;
        const char *name;
    } extension[] = {{HSA_EXTENSION_FINALIZER, "HSA_EXTENSION_FINALIZER"},
                     {HSA_EXTENSION_IMAGES, "HSA_EXTENSION_IMAGES"},
                     {HSA_EXTENSION_PERFORMANCE_COUNTERS, "HSA_EXTENSION_PERFORMANCE_COUNTERS"},
                     {HSA_EXTENSION_PROFILING_EVENTS, "HSA_EXTENSION_PROFILING_EVENTS"},
                     {HSA_EXTENSION_AMD_PROFILER, "HSA_EXTENSION_AMD_PROFILER"},
                     {HSA_EXTENSION_AMD_LOADER, "HSA_EXTENSION_AMD_LOADER"},
                     {HSA_EXTENSION_AMD_AQLPROFILE, "HSA_EXTENSION_AMD_AQLPROFILE"}};
    static const struct {
        hsa_status_t status;
        const char *begins;
    } status[] = {{HSA_STATUS_SUCCESS, "HSA_STATUS_SUCCESS: "},
                  {HSA_STATUS_ERROR, "HSA_STATUS_ERROR: "},
                  {HSA_STATUS_ERROR_INVALID_ARGUMENT, "HSA_STATUS_ERROR_INVALID_ARGUMENT: "},
                  {HSA_STATUS_ERROR_INVALID_AGENT, "HSA_STATUS_ERROR_INVALID_AGENT: "},
                  {HSA_STATUS_ERROR_INVALID_SIGNAL, "HSA_STATUS_ERROR_INVALID_SIGNAL: "},
                  {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "HSA_STATUS_ERROR_OUT_OF_RESOURCES: "},
                  {HSA_STATUS_ERROR_NOT_INITIALIZED, "HSA_STATUS_ERROR_NOT_INITIALIZED: "},
                  {(hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT, "HSA_STATUS_ERROR_MEMORY_FAULT: "}};
    const char *text;

    (void)state;
    for (size_t k = 0; k < sizeof extension / sizeof *extension; k++) {
        EXPECT(0, hsa_extension_get_name(extension[k].extension, &text));
        assert_string_equal(text, extension[k].name);
    }
    EXPECT(ARGUMENT, hsa_extension_get_name(99, &text));
    EXPECT(ARGUMENT, hsa_extension_get_name(HSA_EXTENSION_IMAGES, NULL));
    for (size_t k = 0; k < sizeof status / sizeof *status; k++) {
        EXPECT(0, hsa_status_string(status[k].status, &text));
        assert_memory_equal(text, status[k].begins, strlen(status[k].begins));
    }
    EXPECT(ARGUMENT, hsa_status_string((hsa_status_t)0x7777, &text));
    EXPECT(ARGUMENT, hsa_status_string(HSA_STATUS_SUCCESS, NULL));
}

/* GPUs have the extension of images, though no image fits: all limits are 0, of as many dimensions as there are. */
static void images(void **state)
{
    static const unsigned dimensions[] = {1, 1, 1, 2, 2, 2, 2, 3, 1};
    uint8_t bits[128];

    (void)state;
    memset(bits, 0xff, sizeof bits);
    EXPECT(0, hsa_agent_get_info(gfx90a, HSA_AGENT_INFO_EXTENSIONS, bits));
    for (unsigned k = 0; k < 1024; k++)
        assert_int_equal(bits[k / 8] >> k % 8 & 1, k == HSA_EXTENSION_IMAGES);
    EXPECT(0, hsa_agent_get_info(cpu, HSA_AGENT_INFO_EXTENSIONS, bits));
    for (unsigned k = 0; k < sizeof bits; k++)
        assert_int_equal(bits[k], 0);
    for (unsigned k = 0; k < sizeof dimensions / sizeof *dimensions; k++) {
        const hsa_agent_info_t which = (hsa_agent_info_t)(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS + k);
        uint32_t size[4] = {7, 7, 7, 7};

        EXPECT(0, hsa_amd_image_get_info_max_dim(gfx90a, which, size));
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(size[n], n < dimensions[k] ? 0 : 7);
        EXPECT(ARGUMENT, hsa_amd_image_get_info_max_dim(gfx90a, which, NULL));
        EXPECT(AGENT, hsa_amd_image_get_info_max_dim(no_agent, which, size));
    }
    const hsa_ext_image_format_t format = {0};
    uint32_t can = 7;
    EXPECT(AGENT, hsa_ext_image_get_capability(no_agent, HSA_EXT_IMAGE_GEOMETRY_2D, &format, &can));
    EXPECT(AGENT, hsa_ext_image_get_capability_with_layout(no_agent, HSA_EXT_IMAGE_GEOMETRY_2D, &format,
                                                           HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, &can));
    EXPECT(ARGUMENT, hsa_ext_image_get_capability_with_layout(gfx90a, HSA_EXT_IMAGE_GEOMETRY_2D, &format,
                                                              HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, NULL));
    assert_int_equal(can, 7);
    EXPECT(0, hsa_ext_image_get_capability_with_layout(gfx90a, HSA_EXT_IMAGE_GEOMETRY_2D, &format,
                                                       HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, &can));
    assert_int_equal(can, HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED);
    EXPECT(ARGUMENT, hsa_amd_image_get_info_max_dim(
                         gfx90a, (hsa_agent_info_t)(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS + 9), bits));
    EXPECT(ARGUMENT, hsa_amd_image_get_info_max_dim(
                         gfx90a, (hsa_agent_info_t)(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS - 1), bits));
}

/* ---- signals ---- */

static void groups_of_signals(void **state)
{
    const hsa_signal_condition_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_LT,
                                                 HSA_SIGNAL_CONDITION_GTE};
    const hsa_signal_value_t compare[] = {5, -3, 100};
    hsa_signal_value_t value = 0;
    hsa_signal_t s[3], found;
    hsa_signal_group_t group;

    (void)state;
    for (unsigned k = 0; k < 3; k++)
        EXPECT(0, hsa_signal_create(0, 0, NULL, &s[k]));
    EXPECT(ARGUMENT, hsa_signal_group_create(0, s, 0, NULL, &group));
    EXPECT(ARGUMENT, hsa_signal_group_create(3, NULL, 0, NULL, &group));
    EXPECT(ARGUMENT, hsa_signal_group_create(3, s, 1, NULL, &group));
    EXPECT(ARGUMENT, hsa_signal_group_create(3, s, 0, NULL, NULL));
    EXPECT(0, hsa_signal_group_create(3, s, 1, &gfx90a, &group));
    for (unsigned k = 0; k < 3; k++) { /* the one that holds, of all */
        const hsa_signal_value_t holds[] = {5, -4, 100};

        hsa_signal_store_relaxed(s[k], holds[k]);
        EXPECT(0, (k & 1 ? hsa_signal_group_wait_any_relaxed : hsa_signal_group_wait_any_scacquire)(
                      group, conditions, compare, HSA_WAIT_STATE_BLOCKED, &found, &value));
        assert_int_equal(found.handle, s[k].handle);
        assert_int_equal(value, holds[k]);
        hsa_signal_store_relaxed(s[k], 0);
    }
    EXPECT(ARGUMENT, hsa_signal_group_wait_any_relaxed(group, NULL, compare, HSA_WAIT_STATE_BLOCKED, &found, &value));
    EXPECT(ARGUMENT,
           hsa_signal_group_wait_any_relaxed(group, conditions, NULL, HSA_WAIT_STATE_BLOCKED, &found, &value));
    EXPECT(ARGUMENT,
           hsa_signal_group_wait_any_relaxed(group, conditions, compare, HSA_WAIT_STATE_BLOCKED, NULL, &value));
    EXPECT(ARGUMENT,
           hsa_signal_group_wait_any_relaxed(group, conditions, compare, HSA_WAIT_STATE_BLOCKED, &found, NULL));
    EXPECT(HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP,
           hsa_signal_group_wait_any_relaxed((hsa_signal_group_t){0}, conditions, compare, HSA_WAIT_STATE_BLOCKED,
                                             &found, &value));
    EXPECT(0, hsa_signal_group_destroy(group));
    EXPECT(HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, hsa_signal_group_destroy((hsa_signal_group_t){0}));
    for (unsigned k = 0; k < 3; k++)
        EXPECT(0, hsa_signal_destroy(s[k]));
}

static void ring(void *signal)
{
    hsa_signal_subtract_screlease(*(hsa_signal_t *)signal, 1);
}

/* Called on another thread, each time once. */
static void functions_that_are_called(void **state)
{
    hsa_signal_t s;

    (void)state;
    EXPECT(0, hsa_signal_create(2, 0, NULL, &s));
    EXPECT(ARGUMENT, hsa_amd_async_function(NULL, &s));
    EXPECT(0, hsa_amd_async_function(ring, &s));
    EXPECT(0, hsa_amd_async_function(ring, &s));
    assert_int_equal(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
    EXPECT(0, hsa_signal_destroy(s));
}

/* Queues whose packets the program itself takes. */
static void soft_queues(void **state)
{
    const hsa_region_t region = {pool_handle(&agent_of(cpu)->pool[POOL_FINE])}, none = {5};
    hsa_queue_t *q = NULL;
    hsa_signal_t s;

    (void)state;
    EXPECT(0, hsa_signal_create(0, 0, NULL, &s));
#define SOFT(REGION, SIZE, DOORBELL, OUT) hsa_soft_queue_create(REGION, SIZE, HSA_QUEUE_TYPE_MULTI, 2, DOORBELL, OUT)
    EXPECT(HSA_STATUS_ERROR_INVALID_REGION, SOFT(none, 8, s, &q));
    EXPECT(ARGUMENT, SOFT(region, 8, s, NULL));
    EXPECT(ARGUMENT, SOFT(region, 0, s, &q));
    EXPECT(ARGUMENT, SOFT(region, 6, s, &q));
    EXPECT(ARGUMENT, SOFT(region, 8, (hsa_signal_t){0}, &q));
    assert_null(q);
    EXPECT(0, SOFT(region, 8, s, &q));
    assert_int_equal(q->size, 8);
    assert_int_equal(q->features, 2);
    assert_int_equal(q->doorbell_signal.handle, s.handle);
    EXPECT(0, hsa_queue_destroy(q));
    EXPECT(0, hsa_signal_destroy(s));
}

/* ---- memory ---- */

static void copies_of_boxes(void **state)
{
    enum { BYTES = 4096 };
    const hsa_amd_memory_pool_t pool = {pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};
    static uint8_t want[BYTES];
    hsa_pitched_ptr_t dst = {NULL, 32, 256}, src = {NULL, 40, 400}, none = {NULL, 1, 1};
    hsa_dim3_t to = {3, 2, 1}, from = {5, 1, 2}, box = {9, 4, 2};
    hsa_signal_t done;
    uint8_t *d, *s;

    (void)state;
    EXPECT(0, hsa_amd_memory_pool_allocate(pool, BYTES, 0, (void **)&d));
    EXPECT(0, hsa_amd_memory_pool_allocate(pool, BYTES, 0, (void **)&s));
    EXPECT(0, hsa_signal_create(1, 0, NULL, &done));
    dst.base = d;
    src.base = s;
#define RECT(D, TO, S, FROM, BOX, AGENT_, N)                                                                           \
    hsa_amd_memory_async_copy_rect(D, TO, S, FROM, BOX, AGENT_, hsaDeviceToDevice, N, NULL, done)
    EXPECT(ARGUMENT, RECT(NULL, &to, &src, &from, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, NULL, &src, &from, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, &to, NULL, &from, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, &to, &src, NULL, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, &to, &src, &from, NULL, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&none, &to, &src, &from, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, &to, &none, &from, &box, gfx90a, 0));
    EXPECT(ARGUMENT, RECT(&dst, &to, &src, &from, &box, gfx90a, 1));
    EXPECT(AGENT, RECT(&dst, &to, &src, &from, &box, no_agent, 0));
    EXPECT(AGENT, RECT(&dst, &to, &src, &from, &box, cpu, 0));
    for (unsigned flat = 0; flat < 3; flat++) { /* of layers, of rows alone, of a row */
        if (flat)
            *(flat == 1 ? &box.z : &box.y) = 0;
        for (unsigned k = 0; k < BYTES; k++) {
            d[k] = want[k] = (uint8_t)(k * 7);
            s[k] = (uint8_t)(k * 13 + 1);
        }
        for (unsigned z = 0; z < (flat ? 1 : 2); z++)
            for (unsigned y = 0; y < (flat == 2 ? 1 : 4); y++)
                memcpy(want + 3 + (2 + y) * 32 + (1 + z) * 256, s + 5 + (1 + y) * 40 + (2 + z) * 400, 9);
        hsa_signal_store_relaxed(done, 1);
        EXPECT(0, RECT(&dst, &to, &src, &from, &box, gfx90a, 0));
        assert_int_equal(
            hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED), 0);
        assert_memory_equal(d, want, BYTES);
    }
    EXPECT(0, hsa_signal_destroy(done));
    EXPECT(0, hsa_amd_memory_pool_free(d));
    EXPECT(0, hsa_amd_memory_pool_free(s));
}

static void wrong_requests_of_memory(void **state)
{
    hsa_amd_svm_attribute_pair_t bad = {99, 0}, agent = {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, 5};
    static uint8_t page[8192] __attribute__((aligned(4096)));
    hsa_amd_ipc_memory_t handle = {{0}};
    uint32_t engines = 0;
    void *at = NULL;

    (void)state;
    EXPECT(ARGUMENT, hsa_amd_svm_attributes_set(page, 4096, &bad, 1));
    EXPECT(AGENT, hsa_amd_svm_attributes_set(page, 4096, &agent, 1));
    EXPECT(ARGUMENT, hsa_amd_svm_attributes_set(page, 4096, NULL, 1));
    EXPECT(ARGUMENT, hsa_amd_svm_attributes_set(page, 0, &agent, 0));
    EXPECT(ARGUMENT, hsa_amd_svm_attributes_set(NULL, 4096, &agent, 0));
    EXPECT(ARGUMENT, hsa_amd_svm_attributes_set(page, SIZE_MAX, &agent, 0));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(&handle, 0, 0, NULL, &at));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(NULL, 0, 0, NULL, &at));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(&handle, 0, 1, NULL, &at));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(&handle, 0, 0, NULL, NULL));
    EXPECT(AGENT, hsa_amd_ipc_memory_attach(&handle, 0, 1, &no_agent, &at));
    assert_null(at);
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_detach(page));
    EXPECT(AGENT, hsa_amd_memory_copy_engine_status(no_agent, cpu, &engines));
    EXPECT(AGENT, hsa_amd_memory_copy_engine_status(gfx90a, no_agent, &engines));
    EXPECT(ARGUMENT, hsa_amd_memory_copy_engine_status(gfx90a, cpu, NULL));
    EXPECT(0, hsa_amd_memory_copy_engine_status(gfx90a, cpu, &engines));
    assert_int_not_equal(engines, 0);
    EXPECT(AGENT, hsa_amd_memory_async_copy(page, no_agent, page + 4096, cpu, 8, 0, NULL, (hsa_signal_t){0}));
    EXPECT(AGENT, hsa_amd_memory_async_copy(page, cpu, page + 4096, no_agent, 8, 0, NULL, (hsa_signal_t){0}));
    EXPECT(0, hsa_memory_register(NULL, 0));
    EXPECT(ARGUMENT, hsa_memory_register(NULL, 8));
    EXPECT(ARGUMENT, hsa_memory_register(page, 0));
    EXPECT(0, hsa_memory_deregister(NULL, 0));
    EXPECT(ABI_STATUS_NOT_SUPPORTED, hsa_amd_ais_file_write((hsa_amd_ais_file_handle_t){0}, page, 8, 0, NULL, NULL));
    EXPECT(ABI_STATUS_NOT_SUPPORTED, hsa_amd_ais_file_read((hsa_amd_ais_file_handle_t){0}, page, 8, 0, NULL, NULL));
    EXPECT(ARGUMENT, hsa_memory_copy(NULL, page, 8));
    EXPECT(ARGUMENT, hsa_memory_copy(page, NULL, 8));
}

/* A handle of memory and what it says of its size: the pages that it has, and no more. */
static void memory_of_other_processes(void **state)
{
    const hsa_amd_memory_pool_t pool = {pool_handle(&agent_of(gfx90a)->pool[POOL_COARSE])};
    hsa_amd_ipc_memory_t handle;
    uint8_t *own;
    void *at = NULL;

    (void)state;
    EXPECT(0, hsa_amd_memory_pool_allocate(pool, 6000, 0, (void **)&own));
    own[5000] = 77;
    EXPECT(0, hsa_amd_ipc_memory_create(own, 6000, &handle));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(&handle, 8193, 1, &gfx90a, &at));
    EXPECT(0, hsa_amd_ipc_memory_attach(&handle, 8192, 1, &gfx90a, &at));
    assert_non_null(at);
    assert_int_equal(((uint8_t *)at)[5000], 77);
    own[5000] = 78;
    assert_int_equal(((uint8_t *)at)[5000], 78);
    EXPECT(0, hsa_amd_ipc_memory_detach(at));
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_detach(at));
    EXPECT(0, hsa_amd_memory_pool_free(own));
    at = NULL;
    EXPECT(ARGUMENT, hsa_amd_ipc_memory_attach(&handle, 0, 0, NULL, &at)); /* it is gone */
    assert_null(at);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_runtime),
        cmocka_unit_test(names),
        cmocka_unit_test(images),
        cmocka_unit_test(groups_of_signals),
        cmocka_unit_test(functions_that_are_called),
        cmocka_unit_test(copies_of_boxes),
        cmocka_unit_test(wrong_requests_of_memory),
        cmocka_unit_test(memory_of_other_processes),
        cmocka_unit_test(soft_queues),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

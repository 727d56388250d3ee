/* What gcnsim does not offer: each function returns the interface's own error, of a wrong agent first, and is named in
 * the log once. */
#include "tests/unit/hsa/code_fixture.h"

#define LINE(FUNCTION) "gcnsim: " FUNCTION " is not supported\n"

/* A call with the agent `a`; a second one says nothing more. */
#define REFUSES_OF(STATUS, FUNCTION, ...)                                                                              \
    do {                                                                                                               \
        hsa_agent_t a = {5};                                                                                           \
        assert_int_equal(FUNCTION(__VA_ARGS__), HSA_STATUS_ERROR_INVALID_AGENT);                                       \
        assert_false(logged("gcnsim"));                                                                                \
        a = gfx90a;                                                                                                    \
        REFUSES(STATUS, FUNCTION, __VA_ARGS__);                                                                        \
    } while (0)
#define REFUSES(STATUS, FUNCTION, ...)                                                                                 \
    do {                                                                                                               \
        if ((int)FUNCTION(__VA_ARGS__) != (int)(STATUS))                                                               \
            fail_msg(#FUNCTION);                                                                                       \
        if (!logged(LINE(#FUNCTION)))                                                                                  \
            fail_msg(#FUNCTION " is not logged");                                                                      \
        assert_int_equal(FUNCTION(__VA_ARGS__), STATUS);                                                               \
        assert_false(logged("gcnsim"));                                                                                \
    } while (0)

enum {
    ARGUMENT = HSA_STATUS_ERROR_INVALID_ARGUMENT,
    FORMAT = HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED,
    SAMPLER = HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED,
    PROGRAM = HSA_EXT_STATUS_ERROR_INVALID_PROGRAM
};

static void images(void **state)
{
    const hsa_ext_image_t image = {0};
    const hsa_ext_sampler_t sampler = {0};

    (void)state;
    REFUSES_OF(FORMAT, hsa_ext_image_data_get_info, a, NULL, 0, NULL);
    REFUSES_OF(FORMAT, hsa_ext_image_data_get_info_with_layout, a, NULL, 0, 0, 0, 0, NULL);
    REFUSES_OF(FORMAT, hsa_ext_image_create, a, NULL, NULL, 0, NULL);
    REFUSES_OF(FORMAT, hsa_ext_image_create_with_layout, a, NULL, NULL, 0, 0, 0, 0, NULL);
    REFUSES_OF(FORMAT, hsa_amd_image_create, a, NULL, NULL, NULL, 0, NULL);
    REFUSES_OF(ARGUMENT, hsa_ext_image_destroy, a, image);
    REFUSES_OF(ARGUMENT, hsa_ext_image_copy, a, image, NULL, image, NULL, NULL);
    REFUSES_OF(ARGUMENT, hsa_ext_image_import, a, NULL, 0, 0, image, NULL);
    REFUSES_OF(ARGUMENT, hsa_ext_image_export, a, image, NULL, 0, 0, NULL);
    REFUSES_OF(ARGUMENT, hsa_ext_image_clear, a, image, NULL, NULL);
    REFUSES_OF(SAMPLER, hsa_ext_sampler_create, a, NULL, NULL);
    REFUSES_OF(SAMPLER, hsa_ext_sampler_create_v2, a, NULL, NULL);
    REFUSES_OF(ARGUMENT, hsa_ext_sampler_destroy, a, sampler);
}

static void programs(void **state)
{
    const hsa_ext_program_t program = {0};
    const hsa_ext_control_directives_t directives = {0};

    (void)state;
    REFUSES(HSA_STATUS_ERROR, hsa_ext_program_create, 0, 0, 0, NULL, NULL);
    REFUSES(PROGRAM, hsa_ext_program_destroy, program);
    REFUSES(PROGRAM, hsa_ext_program_add_module, program, NULL);
    REFUSES(PROGRAM, hsa_ext_program_iterate_modules, program, NULL, NULL);
    REFUSES(PROGRAM, hsa_ext_program_get_info, program, 0, NULL);
    REFUSES(PROGRAM, hsa_ext_program_finalize, program, (hsa_isa_t){0}, 0, directives, NULL, 0, NULL);
}

static void counters(void **state)
{
    const hsa_ven_amd_pcs_t pcs = {0};

    (void)state;
    REFUSES(ABI_STATUS_NOT_SUPPORTED, hsa_amd_ais_file_read, (hsa_amd_ais_file_handle_t){0}, NULL, 0, 0, NULL, NULL);
    REFUSES(ABI_STATUS_NOT_SUPPORTED, hsa_amd_ais_file_write, (hsa_amd_ais_file_handle_t){0}, NULL, 0, 0, NULL, NULL);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_amd_spm_acquire, a);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_amd_spm_release, a);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_amd_spm_set_dest_buffer, a, 0, NULL, NULL, NULL, NULL);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_ven_amd_pcs_iterate_configuration, a, NULL, NULL);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_ven_amd_pcs_create, a, 0, 0, 0, 0, 0, NULL, NULL, NULL);
    REFUSES_OF(ABI_STATUS_NOT_SUPPORTED, hsa_ven_amd_pcs_create_from_id, 0, a, 0, 0, 0, 0, 0, NULL, NULL, NULL);
    REFUSES(ARGUMENT, hsa_ven_amd_pcs_destroy, pcs);
    REFUSES(ARGUMENT, hsa_ven_amd_pcs_start, pcs);
    REFUSES(ARGUMENT, hsa_ven_amd_pcs_stop, pcs);
    REFUSES(ARGUMENT, hsa_ven_amd_pcs_flush, pcs);
}

static void without_a_runtime(void **state)
{
    (void)state;
    assert_int_equal(hsa_shut_down(), 0);
    assert_int_equal(hsa_amd_spm_acquire(gfx90a), HSA_STATUS_ERROR_NOT_INITIALIZED);
    assert_int_equal(hsa_ven_amd_pcs_flush((hsa_ven_amd_pcs_t){0}), HSA_STATUS_ERROR_NOT_INITIALIZED);
    assert_int_equal(start_runtime(state), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(programs),
        cmocka_unit_test(counters),
        cmocka_unit_test(without_a_runtime),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

/* When a condition on a signal's value holds (HSA 1.2, hsa_signal_condition_t). */
#include "tests/unit/hsa/code_fixture.h"

#define LEAST INT64_MIN
#define MOST  INT64_MAX

/* Whether EQ, NE, LT and GTE hold of a value and what it is compared with, which are signed. */
static const struct {
    hsa_signal_value_t value, compare;
    bool holds[4];
} rows[] = {
    {5, 5, {[HSA_SIGNAL_CONDITION_EQ] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {4, 5, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {6, 5, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {-1, 0, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {0, -1, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {LEAST, MOST, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_LT] = true}},
    {MOST, LEAST, {[HSA_SIGNAL_CONDITION_NE] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
    {LEAST, LEAST, {[HSA_SIGNAL_CONDITION_EQ] = true, [HSA_SIGNAL_CONDITION_GTE] = true}},
};

/* hsa_amd_signal_wait_any() says which signal's condition holds, and UINT32_MAX when none did in time. */
static void conditions(void **state)
{
    hsa_signal_t s[2];

    (void)state;
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(hsa_signal_create(0, 0, NULL, &s[n]), HSA_STATUS_SUCCESS);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (unsigned c = 0; c < 4; c++) {
            hsa_signal_condition_t condition[] = {HSA_SIGNAL_CONDITION_EQ, (hsa_signal_condition_t)c};
            hsa_signal_value_t compare[] = {1, rows[k].compare}, value = 77;

            hsa_signal_store_relaxed(s[1], rows[k].value);
            uint32_t which = hsa_amd_signal_wait_any(2, s, condition, compare, 0, HSA_WAIT_STATE_BLOCKED, &value);
            if (which != (rows[k].holds[c] ? 1 : UINT32_MAX))
                fail_msg("row %zu, condition %u: %u", k, c, which);
            if (rows[k].holds[c])
                assert_true(value == rows[k].value);
        }
    for (unsigned n = 0; n < 2; n++)
        assert_int_equal(hsa_signal_destroy(s[n]), HSA_STATUS_SUCCESS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

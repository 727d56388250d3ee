/* Counters by AMD's names: values, units and columns, and the table of docs/COUNTERS.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

static bool counter(const struct gcnsim_result *r, const char *name, double *value)
{
    struct gcnsim_counter c;

    for (size_t k = 0; gcnsim_result_counter(r, k, &c) == GCNSIM_OK; k++)
        if (strcmp(c.name, name) == 0) {
            *value = c.value;
            return c.present;
        }
    fail_msg("there is no counter %s", name);
    return false;
}

static double value_of(const struct gcnsim_result *r, const char *name)
{
    double value = -1;

    assert_true(counter(r, name, &value));
    return value;
}

static void counters_are_statistics(void **state)
{
    struct gcnsim_result *r = run_sample("traces/samples/gfx90a/matmul.json", 0);
    struct gcnsim_result *rdna = run_sample("traces/samples/gfx1201/matmul.json", 0);
    double value;

    (void)state;
    assert_true(value_of(r, "GRBM_GUI_ACTIVE") == (double)result_stat(r, "cycles"));
    assert_true(value_of(r, "SQ_WAVES") == 48);
    assert_true(value_of(r, "SQ_WAVE_CYCLES") * 4 == (double)result_stat(r, "resident_wave_cycles"));
    assert_true(value_of(r, "SQC_ICACHE_MISSES") ==
                (double)(result_stat(r, "cache.i.misses") - result_stat(r, "cache.i.mshr_merges")));
    assert_true(value_of(r, "FETCH_SIZE") * 1024 == (double)result_stat(r, "cache.l2.read_bytes"));
    assert_true(value_of(r, "TCC_HIT") == (double)result_stat(r, "cache.l2.hits"));
    assert_false(counter(r, "GL2C_HIT", &value));
    assert_false(counter(r, "SQ_INSTS_VALU_MFMA_MOPS_F8", &value));
    assert_true(value_of(rdna, "GL2C_HIT") == (double)result_stat(rdna, "cache.l2.hits"));
    assert_false(counter(rdna, "SQ_WAVE_CYCLES", &value));
    gcnsim_result_free(r);
    gcnsim_result_free(rdna);
}

static void columns_are_rocprofv3s(void **state)
{
    static const char header[] =
        "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\","
        "\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
        "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
        "\"End_Timestamp\"\n";
    struct gcnsim_result *r = run_sample("traces/samples/gfx90a/matmul.json", 0);
    char *text = NULL;

    (void)state;
    assert_int_equal(gcnsim_result_counters_csv(r, &text, NULL), GCNSIM_OK);
    assert_true(strncmp(text, header, strlen(header)) == 0);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned commas = 0;

        for (const char *at = line; *at; at++)
            commas += *at == ',';
        assert_int_equal(commas, 18);
    }
    free(text);
    gcnsim_result_free(r);
}

static void each_counter_is_documented(void **state)
{
    struct gcnsim_result *r = run_sample("traces/samples/gfx90a/matmul.json", 0);
    static char page[1 << 16];
    struct gcnsim_counter c;
    FILE *f = fopen("docs/COUNTERS.md", "r");
    char row[128];
    size_t rows = 0, k = 0;

    (void)state;
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    for (; gcnsim_result_counter(r, k, &c) == GCNSIM_OK; k++) {
        snprintf(row, sizeof row, "\n| `%s` |", c.name);
        if (!strstr(page, row))
            fail_msg("docs/COUNTERS.md has no row for %s", c.name);
    }
    *strstr(page, "## Counters without a row") = '\0';
    for (const char *at = page; (at = strstr(at, "\n| `")); at++)
        rows++;
    assert_int_equal(rows, k);
    gcnsim_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_statistics),
        cmocka_unit_test(columns_are_rocprofv3s),
        cmocka_unit_test(each_counter_is_documented),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The language runtime's own copies and fills: that the host does what its kernels would, and what --set changes. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

static void the_host_does_what_the_kernels_do(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1030", "gfx803"};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "blits");
    for (size_t k = 0; k < 3; k++) {
        struct said host = RUN("exec", "--arch", targets[k], hsa_program("blits"));
        struct said kernels = RUN("exec", "--arch", targets[k], "--blit-kernels", hsa_program("blits"));
        expect_status(&host, 0);
        expect_status(&kernels, 0);
        expect_in(&host, host.out, "stream values");
        assert_string_equal(host.out, kernels.out);
        expect_in(&host, host.err, "copies of the runtime by the host");
        expect_not_in(&host, host.err, "functional engine");
        expect_in(&kernels, kernels.err, "by the functional engine");
        expect_not_in(&kernels, kernels.err, "by the host");
        said_free(&host);
        said_free(&kernels);
    }
    struct said s = RUN("exec", "--engine", "timing", hsa_program("blits"));
    expect_status(&s, 0);
    expect_in(&s, s.err, "copies of the runtime by the host");
    expect_not_in(&s, s.err, "timing engine");
    said_free(&s);
}

static void others_of_the_name_are_simulated(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "namesake");
    struct said s = RUN("exec", hsa_program("namesake"));
    expect_status(&s, 0);
    assert_string_equal(s.out, "good\n");
    expect_in(&s, s.err, "1 by the functional engine");
    said_free(&s);
}

/* Each kind of small call, again and again. */
static void small_calls(void **state)
{
    static const char *const engines[] = {"functional", "timing"};
    static const char *const names[] = {"launch ", "launch_wait ", "to_device ", "to_host ", "on_device ", "fill "};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "rates");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--engine", engines[k], "--no-summary", hsa_program("rates"), "100");

        expect_status(&s, 0);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            expect_in(&s, s.out, names[n]);
        said_free(&s);
    }
}

static void wild_ones_fault(void **state)
{
    static const char *const words[] = {"kernel __amd_rocclr_fillBufferAligned: memory fault", "global_store",
                                        "outside every writable allocation"};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "short_memset");
    NEED_HIP_5_2();
    struct said s = RUN("exec", hsa_program("short_memset"));
    assert_int_equal(s.status, SPAWN_SIGNAL); /* HIP aborts */
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        expect_in(&s, s.err, words[k]);
    said_free(&s);
}

/* Nanoseconds of all dispatches, by the summary. */
static double simulated_us(const struct said *s)
{
    const char *at = strstr(s->err, " us simulated");

    assert_non_null(at);
    while (at > s->err && at[-1] != ' ')
        at--;
    return strtod(at, NULL);
}

static void settings_change_the_device(void **state)
{
    (void)state;
    struct said s = RUN("exec", "--info", "--arch", "gfx90a", "--set", "gpu.cus=52");
    expect_status(&s, 0);
    expect_in(&s, s.out, "  Compute Unit:            52(0x34)\n");
    said_free(&s);
    NEED_PROGRAM(TOOLCHAIN_HIP, "namesake");
    s = RUN("exec", "--engine", "timing", hsa_program("namesake"));
    expect_status(&s, 0);
    double as_is = simulated_us(&s);
    said_free(&s);
    s = RUN("exec", "--engine", "timing", "--set", "dram.latency_cycles=20000", "--set", "gpu.cus=52",
            hsa_program("namesake"));
    expect_status(&s, 0);
    /* at least the code, or the arguments, come from memory */
    assert_true(simulated_us(&s) > as_is + 5);
    said_free(&s);
    setenv("GCNSIM_SET", "gpu.cus=none", 1);
    s = RUN("exec", hsa_program("namesake"));
    unsetenv("GCNSIM_SET");
    assert_int_not_equal(s.status, 0);
    expect_in(&s, s.err, "gpu.cus: cannot read");
    said_free(&s);
}

/* Allocations cost what is touched of them, however large they are and whatever launches do. */
static void memory_costs_what_is_touched(void **state)
{
    static const char *const engines[] = {"functional", "timing"};

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "reserve");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--engine", engines[k], hsa_program("reserve"));
        expect_status(&s, 0);
        expect_in(&s, s.out, "24 GiB take ");
        long kib = strtol(strstr(s.out, "take ") + 5, NULL, 10);
        if (kib < 2 * 1024 || kib > 48 * 1024)
            fail_msg("%s engine: %ld KiB; expected 2 to 48 MiB", engines[k], kib);
        said_free(&s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_does_what_the_kernels_do),
        cmocka_unit_test(others_of_the_name_are_simulated),
        cmocka_unit_test(small_calls),
        cmocka_unit_test(wild_ones_fault),
        cmocka_unit_test(settings_change_the_device),
        cmocka_unit_test(memory_costs_what_is_touched),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

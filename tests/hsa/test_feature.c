/* The feature program (tests/hsa/feature), a section for each thing that HIP programs do, on three targets and both
 * engines; and kernels that end badly. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

enum { SECTIONS_AT_LEAST = 43, SECTION_BYTES = 64 };

static char names[100][SECTION_BYTES];
static unsigned sections;

/* The names of all sections, which the program lists. */
static void list_sections(void)
{
    char *text, *line, *rest = NULL;

    if (sections)
        return;
    struct said s = RUN("exec", hsa_program("feature"), "--list");
    expect_status(&s, 0);
    text = s.out;
    while ((line = strtok_r(text, "\n", &rest))) {
        assert_true(sections < 100 && strlen(line) < SECTION_BYTES);
        snprintf(names[sections++], SECTION_BYTES, "%s", line);
        text = NULL;
    }
    said_free(&s);
    assert_true(sections >= SECTIONS_AT_LEAST);
}

static bool is_ok(const struct said *s, const char *name)
{
    char line[SECTION_BYTES + 8];
    const char *at;

    snprintf(line, sizeof line, "%s: ok\n", name);
    at = strstr(s->out, line);
    return at && (at == s->out || at[-1] == '\n');
}

/* Each section is ok, but those for two GPUs. */
static void expect_all(struct said s)
{
    list_sections();
    for (unsigned k = 0; k < sections; k++) {
        bool left_out = !strcmp(names[k], "peer") || !strcmp(names[k], "cooperative_devices");
        if (!left_out && !is_ok(&s, names[k])) {
            said_show(&s);
            fail_msg("section %s", names[k]);
        }
    }
    expect_status(&s, 0);
    expect_in(&s, s.out, " ok, 0 wrong\n");
    assert_string_equal(s.err, "");
    said_free(&s);
}

static void functional(const char *target)
{
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    expect_all(RUN("exec", "--arch", target, "--no-summary", hsa_program("feature")));
}

static void timing(const char *target)
{
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    expect_all(RUN("exec", "--arch", target, "--engine", "timing", "--no-summary", hsa_program("feature")));
}

static void functional_gfx90a(void **state)
{
    (void)state;
    functional("gfx90a");
}

static void functional_gfx1030(void **state)
{
    (void)state;
    functional("gfx1030");
}

static void functional_gfx803(void **state)
{
    (void)state;
    functional("gfx803");
}

static void timing_gfx90a(void **state)
{
    (void)state;
    timing("gfx90a");
}

static void timing_gfx1030(void **state)
{
    (void)state;
    timing("gfx1030");
}

static void timing_gfx803(void **state)
{
    (void)state;
    timing("gfx803");
}

/* Copies and fills by the language runtime's own kernels, which are simulated when asked for. */
static void kernels_that_copy(void **state)
{
    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    struct said s = RUN("exec", "--blit-kernels", hsa_program("feature"), "copies", "copies_async", "copies_2d",
                        "copies_3d", "fills", "variables");
    expect_status(&s, 0);
    expect_in(&s, s.out, "6 ok, 0 wrong\n");
    expect_in(&s, s.err, "__amd_rocclr_");
    said_free(&s);
}

static void two_gpus(void **state)
{
    static const char *const engines[] = {"functional", "timing"};

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--arch", "gfx90a-mi210,gfx90a-mi250", "--engine", engines[k], "--no-summary",
                            hsa_program("feature"), "peer", "cooperative_devices");
        expect_status(&s, 0);
        assert_true(is_ok(&s, "peer") && is_ok(&s, "cooperative_devices"));
        said_free(&s);
    }
}

/* Dispatches whose stores are looked at are in flight together, as kernels want it that wait for one another. */
static void kernels_that_wait_while_checked(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    struct said s = RUN("exec", "--arch", "gfx90a", "--engine", "timing", "--check", "--no-summary",
                        hsa_program("feature"), "streams_handshake", "variables");
    expect_status(&s, 0);
    expect_in(&s, s.out, "2 ok, 0 wrong\n");
    assert_string_equal(s.err, "");
    said_free(&s);
}

/* The runtime of the language aborts; gcnsim's sentence comes first. */
static void kernels_that_end_badly(void **state)
{
    const char *mine, *theirs;

    (void)state;
    NEED_PROGRAM(TOOLCHAIN_HIP, "feature");
    struct said s = RUN("exec", hsa_program("feature"), "--assert");
    assert_int_equal(s.status, SPAWN_SIGNAL);
    expect_in(&s, s.err, "Device-side assertion `p[threadIdx.x] < 40 && \"a value of the device\"' failed.");
    expect_in(&s, s.err, "HSA_STATUS_ERROR_EXCEPTION");
    said_free(&s);
    s = RUN("exec", hsa_program("feature"), "--fault");
    assert_int_equal(s.status, SPAWN_SIGNAL);
    expect_in(&s, s.err, "memory fault at pc");
    expect_in(&s, s.err, "lane 5 writes 4 bytes at");
    expect_in(&s, s.err, "faults");
    mine = strstr(s.err, "memory fault at pc");
    theirs = strstr(s.err, "HSA_STATUS_ERROR_MEMORY_FAULT");
    assert_true(mine && theirs && mine < theirs);
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(functional_gfx90a),      cmocka_unit_test(functional_gfx1030),
        cmocka_unit_test(functional_gfx803),      cmocka_unit_test(timing_gfx90a),
        cmocka_unit_test(timing_gfx1030),         cmocka_unit_test(timing_gfx803),
        cmocka_unit_test(kernels_that_copy),      cmocka_unit_test(two_gpus),
        cmocka_unit_test(kernels_that_end_badly), cmocka_unit_test(kernels_that_wait_while_checked),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

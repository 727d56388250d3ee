/* printf in kernels (hostcall) by HIP programs: every line once, from one queue and from several, with more waves than
 * the runtime's buffer has packets, sampled and filtered; and what is said when the runtime does not listen. */
#define _GNU_SOURCE
#include "tests/hsa/exec_run.h"

#define MOST_LINES 65536

static const char *const engines[] = {"functional", "timing"};

/* Each line of each dispatch is there once, and what else there is is "ring" and the last line. */
static void expect_lines(const struct said *s, unsigned dispatches, unsigned lines)
{
    static bool there[MOST_LINES];
    unsigned count = 0, ends = 0;
    char *text = strdup(s->out), *next = text, *line;

    assert_non_null(text);
    assert_true(dispatches * lines <= MOST_LINES);
    memset(there, 0, sizeof there);
    while ((line = strsep(&next, "\n"))) {
        unsigned d, n, end = 0;

        if (sscanf(line, "dispatch %u line %u%n", &d, &n, &end) == 2 && !line[end]) {
            assert_true(d < dispatches && n < lines);
            assert_false(there[d * lines + n]);
            there[d * lines + n] = true;
            count++;
        } else if (strcmp(line, "printed all") == 0) {
            ends++;
        } else if (*line && strcmp(line, "ring") != 0) {
            fail_msg("not expected: %s", line);
        }
    }
    assert_int_equal(ends, 1);
    assert_int_equal(count, dispatches * lines);
    free(text);
}

static void expect_all(struct said *s, unsigned dispatches, unsigned lines)
{
    expect_status(s, 0);
    assert_string_equal(s->err, "");
    expect_lines(s, dispatches, lines);
    said_free(s);
}

/* HIP 5.2.3 listens to the doorbell of the queue that came last alone. A kernel that keeps ringing that one has it look
 * into the buffers of all queues. */
static void from_several_queues(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "prints");
    for (size_t k = 0; k < 2; k++) {
        struct said s = RUN("exec", "--engine", engines[k], "--no-summary", hsa_program("prints"), "ring");
        expect_all(&s, 12, 384);
    }
}

/* All streams in one queue, so that there is one doorbell. */
static void from_several_streams(void **state)
{
    static const char *const targets[] = {"gfx90a", "gfx1030"};

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "prints");
    setenv("GPU_MAX_HW_QUEUES", "1", 1);
    for (size_t k = 0; k < 4; k++) {
        struct said s = RUN("exec", "--arch", targets[k / 2], "--engine", engines[k % 2], "--no-summary",
                            hsa_program("prints"), "streams");
        expect_all(&s, 12, 384);
    }
    unsetenv("GPU_MAX_HW_QUEUES");
}

/* The buffer has a packet for each wave that the agent can hold: 3328 on the whole gfx90a, 256 with eight CUs. */
static void more_waves_than_packets(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "prints");
    struct said s = RUN("exec", "--no-summary", hsa_program("prints"), "2000");
    expect_all(&s, 1, 8000);
    for (size_t k = 0; k < 2; k++) {
        s = RUN("exec", "--engine", engines[k], "--set", "gpu.cus=8", "--no-summary", hsa_program("prints"), "70");
        expect_all(&s, 1, 280);
    }
}

/* Those that are not timed run on the device's thread while simulated time stands still. */
static void sampled_and_filtered(void **state)
{
    static const char *const options[][2] = {
        {"--sample", "kernels"}, {"--sample", "kernels=2"}, {"--kernels", "no_such"}, {"--dispatches", "2-5"}};

    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "prints");
    setenv("GPU_MAX_HW_QUEUES", "1", 1);
    for (size_t k = 0; k < 4; k++) {
        struct said s = RUN("exec", "--engine", "timing", options[k][0], options[k][1], "--no-summary",
                            hsa_program("prints"), "streams");
        expect_all(&s, 12, 384);
    }
    unsetenv("GPU_MAX_HW_QUEUES");
    struct said s =
        RUN("exec", "--engine", "timing", "--sample", "kernels", "--no-summary", hsa_program("prints"), "16");
    expect_all(&s, 1, 64);
}

/* The third of the dispatches rings a doorbell at which HIP 5.2.3 no longer listens; both wait until the user, who is
 * informed, ends them. */
static void nobody_listens(void **state)
{
    (void)state;
    NEED_PROC();
    NEED_PROGRAM(TOOLCHAIN_HIP, "prints");
    NEED_HIP_5_2();
    for (size_t k = 0; k < 2; k++) {
        struct running r =
            exec_start(2, WORDS("exec", "--engine", engines[k], "--no-summary", hsa_program("prints"), "turns"));

        exec_await(&r, "GPU_MAX_HW_QUEUES=1");
        assert_int_equal(kill(r.pid, SIGTERM), 0);
        struct said s = exec_finish(&r);
        const char *told = strstr(s.err, "no thread of the program waits for it");

        assert_int_equal(s.status, SPAWN_SIGNAL);
        expect_in(&s, s.out, "dispatch 1 line 0\n");
        expect_not_in(&s, s.out, "dispatch 2");
        expect_in(&s, s.err, "kernels rang signal 0x");
        expect_in(&s, s.err, " at least 4 s ago,");
        expect_in(&s, s.err, "kernels that run and may wait for the answer: dispatch 4, kernel _Z9each_wavei\n");
        assert_non_null(told);
        assert_null(strstr(told + 1, "no thread of the program waits for it")); /* once */
        said_free(&s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_several_queues),     cmocka_unit_test(from_several_streams),
        cmocka_unit_test(more_waves_than_packets), cmocka_unit_test(sampled_and_filtered),
        cmocka_unit_test(nobody_listens),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

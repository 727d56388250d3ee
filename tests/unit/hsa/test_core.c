/* Messages, names of files, and the host's simulated clock. */
#include "tests/unit/hsa/code_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/files.h"
#include "sim/hsa/core/log.h"

static char *log_text(void)
{
    size_t bytes;
    char *text = read_whole(log_path, &bytes);

    text = realloc(text, bytes + 1);
    text[bytes] = 0;
    assert_int_equal(truncate(log_path, 0), 0);
    return text;
}

static void expect_log(const char *want)
{
    char *text = log_text();

    assert_string_equal(text, want);
    free(text);
}

static int open_log(void **state)
{
    (void)state;
    snprintf(log_path, sizeof log_path, "%s/log", program_folder());
    rt_log_open(log_path);
    return 0;
}

/* ---- messages ---- */

static void lines(void **state)
{
    char longest[3000];

    (void)state;
    rt_log("%d and %s", 5, "text");
    expect_log("gcnsim: 5 and text\n");
    rt_log("a\nb\033[31mc");
    char *text = log_text();
    assert_null(strchr(text, 033)); /* what a program brings does not reach a terminal */
    assert_true(strchr(text, '\n') == text + strlen(text) - 1);
    free(text);
    /* a line has 2047 bytes; of a longer one the beginning is there, and says so */
    for (unsigned n = 2030; n < 2050; n++) {
        memset(longest, 'x', sizeof longest);
        longest[n - 8] = 0;
        rt_log("%s", longest);
        text = log_text();
        size_t bytes = strlen(text);
        assert_memory_equal(text, "gcnsim: xxxx", 12);
        assert_int_equal(bytes, n < 2047 ? n + 1 : 2047);
        assert_string_equal(text + bytes - 5, n < 2047 ? "xxxx\n" : "x...\n");
        free(text);
    }
    rt_log_text("two\nlines\n");
    expect_log("two\nlines\n");
    assert_true(rt_log_is_whole());
    assert_false(rt_log_is_terminal());
}

static void once(void **state)
{
    (void)state;
    rt_log_once("one", "first %d", 1);
    rt_log_once("one", "second");
    rt_log_once("two", "third");
    rt_log_once("one", "fourth");
    expect_log("gcnsim: first 1\ngcnsim: third\n");
    assert_int_equal(rt_refuse("hsa_nothing", HSA_STATUS_ERROR_OUT_OF_RESOURCES), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(rt_refuse("hsa_nothing", HSA_STATUS_ERROR), HSA_STATUS_ERROR);
    expect_log("gcnsim: hsa_nothing is not supported\n");
}

/* Lines of 80 columns, which break at spaces but before numbers; what has none is broken where it is too long. */
static void wrapped(void **state)
{
    char text[200] = "";

    (void)state;
    rt_log_wrapped("    ", "short");
    expect_log("gcnsim: short\n");
    rt_log_wrapped("  ", "");
    expect_log("");
    memset(text, 'a', 72);
    rt_log_wrapped("  ", text); /* just fits */
    snprintf(text + 72, sizeof text - 72, " b");
    rt_log_wrapped("  ", text);
    memset(text, 'a', 73);
    text[73] = 0;
    rt_log_wrapped("  ", text);
    text[70] = ' ';
    rt_log_wrapped("  ", text);
    memcpy(text + 64, " takes 12", 10);
    rt_log_wrapped("    ", text);
    memcpy(text + 60, "aa in 1234 % of", 16);
    rt_log_wrapped("    ", text);
#define A10 "aaaaaaaaaa"
#define A60 A10 A10 A10 A10 A10 A10
    expect_log("gcnsim: " A60 A10 "aa\n"
               "gcnsim: " A60 A10 "aa\ngcnsim:   b\n"
               "gcnsim: " A60 A10 "aa\ngcnsim:   a\n"
               "gcnsim: " A60 A10 "\ngcnsim:   aa\n"
               "gcnsim: " A60 "aaaa\ngcnsim:     takes 12\n"
               "gcnsim: " A60 "aa in 1234 %\ngcnsim:     of\n");
}

/* A folder is no file to write to: what follows goes to standard error. */
static void files_of_messages(void **state)
{
    char other[4200], want[8400], *text;
    int keep = dup(STDERR_FILENO);

    (void)state;
    snprintf(other, sizeof other, "%s/stderr", program_folder());
    int fd = open(other, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0 && keep >= 0);
    rt_log("before");
    rt_log_open(log_path); /* it is appended to */
    rt_log("after");
    expect_log("gcnsim: before\ngcnsim: after\n");
    rt_log_open(program_folder());
    snprintf(want, sizeof want, "gcnsim: GCNSIM_LOG: %s cannot be written: messages go to standard error\n",
             program_folder());
    expect_log(want); /* in the file that was there before, if one was */
    rt_log_open("/dev/full");
    dup2(fd, STDERR_FILENO);
    rt_log("nobody reads this");
    assert_false(rt_log_is_whole());
    dup2(keep, STDERR_FILENO);
    size_t bytes;
    text = read_whole(other, &bytes);
    snprintf(want, sizeof want, "gcnsim: GCNSIM_LOG: messages are missing: %s\n", strerror(ENOSPC));
    assert_int_equal(bytes, strlen(want));
    assert_memory_equal(text, want, bytes);
    free(text);
    close(fd);
    close(keep);
}

/* ---- names of files ---- */

static void names(void **state)
{
    static const char *const rows[][2] = {{"", ""},          {"a%pb", "a#b"}, {"%p%p", "##"}, {"100%", "100%"},
                                          {"%d%%p", "%d%#"}, {"%", "%"},      {"p%", "p%"},   {"%q", "%q"}};

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char want[128] = "", *is = files_name(rows[k][0]);

        for (const char *at = rows[k][1]; *at; at++)
            if (*at == '#')
                snprintf(want + strlen(want), sizeof want - strlen(want), "%ld", (long)getpid());
            else
                want[strlen(want)] = *at;
        assert_string_equal(is, want);
        free(is);
    }
}

static void folders(void **state)
{
    char path[4200], why[9000] = "untouched", want[9000];

    (void)state;
    snprintf(path, sizeof path, "%s/there is no file", program_folder());
    assert_true(files_check(path, "GCNSIM_X", why, sizeof why));
    assert_true(files_check("a-file-of-here", "GCNSIM_X", why, sizeof why));
    assert_true(files_check("/tmp", "GCNSIM_X", why, sizeof why) == (access("/", W_OK | X_OK) == 0));
    strcpy(why, "untouched");
    snprintf(path, sizeof path, "%s/no folder/file", program_folder());
    assert_false(files_check(path, "GCNSIM_X", why, sizeof why));
    snprintf(want, sizeof want, "GCNSIM_X: %s cannot be written: %s", path, strerror(ENOENT));
    assert_string_equal(why, want);
    assert_false(files_is_local(path));
    assert_true(files_is_local("/proc/self/status") || access("/proc/self/status", F_OK));
    assert_true(files_is_local("/dev/shm/a-file-that-need-not-be-there") || access("/dev/shm", F_OK));
}

/* ---- the clock ---- */

/* It goes to what was waited for, never back; and a lead is what real time is ahead of what is submitted. */
static void simulated_time(void **state)
{
    uint64_t real = clock_real_ns(), lead;

    (void)state;
    clock_begin();
    uint64_t now = clock_host();
    assert_true(now >= real && now <= clock_real_ns());
    clock_host_reach(now + 50);
    assert_int_equal(clock_host(), now + 50);
    clock_host_reach(now + 20);
    clock_host_reach(now + 50);
    assert_int_equal(clock_host(), now + 50);
    clock_lead_reach(UINT64_MAX); /* of what is to come there is none */
    lead = clock_lead();
    uint64_t more = (clock_real_ns() - lead) / 2; /* half of what the host has been up: a test stands still for less */
    clock_lead_reach(clock_real_ns() - (lead + more));
    assert_true(clock_lead() >= lead + more);
    lead = clock_lead();
    clock_lead_reach(clock_real_ns() - 5);
    assert_int_equal(clock_lead(), lead); /* it never shrinks */
    assert_int_equal(clock_host_submits(), now + 50);
    clock_host_reach(clock_real_ns() + (UINT64_C(1) << 40));
    now = clock_host();
    clock_begin(); /* a second time changes nothing that is later */
    assert_int_equal(clock_host(), now);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(once),
        cmocka_unit_test(wrapped),
        cmocka_unit_test(names),
        cmocka_unit_test(folders),
        cmocka_unit_test(simulated_time),
        cmocka_unit_test(files_of_messages),
    };

    return cmocka_run_group_tests(tests, open_log, NULL);
}

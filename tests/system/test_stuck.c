/* What a run says of a kernel that does not end well: source lines of faults and findings, and who is stuck where. The
 * kernels are assembled by clang-19, with the lines that `.loc` gives them. */
#define _GNU_SOURCE
#include "tests/support/json.h"

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* Head and tail of an assembly file with one kernel `k` for gfx1201; s[0:1] is the address of the arguments. */
#define HEAD "\t.file 1 \"/src\" \"k.cl\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\t.loc 1 10 0\n"
#define TAIL                                                                                                           \
    "\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n"                            \
    "\t.amdhsa_next_free_vgpr 8\n\t.amdhsa_next_free_sgpr 16\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"             \
    "\t.amdhsa_kernarg_size 8\n\t.amdhsa_wavefront_size32 1\n\t.end_amdhsa_kernel\n"

/* The code object of `body`; the path is cli_path("k.co"). */
static void assemble(const char *body)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    write_file(cli_path("k.s"), text, strlen(text));
    const char *const argv[] = {
        "clang-19",       "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1201", "-nogpulib", cli_path("k.s"), "-o",
        cli_path("k.co"), NULL};
    if (spawn_tool(argv, cli_path("log")) != 0)
        fail_msg("clang-19 failed, see %s", cli_path("log"));
}

#define KERNEL(...) RUN("run", cli_path("k.co"), "--workgroup", "128", "--progress", "never", __VA_ARGS__)

static const struct json *report_of(const struct said *s)
{
    const struct json *report = json_parse(s->out);

    if (!report) {
        said_show(s);
        fail_msg("no JSON");
    }
    return report;
}

static const char *text_at(const struct json *object, const char *key)
{
    const struct json *item = json_get(object, key);

    return json_is_string(item) ? json_text(item) : NULL;
}

/* A load from an address that nothing is at, on line 12. */
static const char wild[] = "\tv_mov_b32 v0, 0\n\tv_mov_b32 v1, 0\n\t.loc 1 12 0\n\tglobal_load_b32 v2, v[0:1], off\n"
                           "\t.loc 1 13 0\n\ts_wait_loadcnt 0\n";

static void a_fault_names_its_line(void **state)
{
    static const char *const engines[] = {"timing", "functional"};

    (void)state;
    NEED_CLANG();
    assemble(wild);
    for (unsigned k = 0; k < 2; k++) {
        struct said s = KERNEL("--grid", "128", "--engine", engines[k]);
        expect_status(&s, 1);
        expect_in(&s, s.out, "  source        /src/k.cl:12\n");
        expect_in(&s, s.err, ", /src/k.cl:12) in 'global_load_b32 v2, v[0:1], off'");
        said_free(&s);
        s = KERNEL("--grid", "128", "--engine", engines[k], "--json", "-");
        const struct json *report = report_of(&s);
        assert_string_equal(text_at(json_get(report, "fault"), "source"), "/src/k.cl:12");
        json_free(report);
        said_free(&s);
    }
}

/* v3 is read although nobody wrote it. */
static void a_finding_names_its_line(void **state)
{
    (void)state;
    NEED_CLANG();
    assemble("\t.loc 1 20 0\n\tv_add_f32 v2, v3, v3\n\t.loc 1 21 0\n\ts_nop 0\n");
    struct said s = KERNEL("--grid", "128", "--check");
    expect_status(&s, 1);
    expect_in(&s, s.out, "    source        /src/k.cl:20\n");
    said_free(&s);
    s = KERNEL("--grid", "128", "--check", "--json", "-");
    const struct json *report = report_of(&s);
    const struct json *check = json_get(report, "check");
    assert_string_equal(text_at(json_at(check, 0), "source"), "/src/k.cl:20");
    json_free(report);
    said_free(&s);
}

/* ---- signals ---- */

/* A load in a loop on line 30 until the buffer's first word is not 0, which it always is; all waves of workgroup 0. */
static const char spin[] = "\ts_load_b64 s[0:1], s[0:1], 0x0\n\tv_mov_b32 v0, 0\n\ts_wait_kmcnt 0\n"
                           "\ts_cmp_lg_u32 ttmp9, 0\n\ts_cbranch_scc1 .Lout\n.Lagain:\n\t.loc 1 30 0\n"
                           "\tglobal_load_b32 v1, v0, s[0:1] scope:SCOPE_SYS\n\ts_wait_loadcnt 0\n"
                           "\tv_readfirstlane_b32 s2, v1\n\ts_cmp_eq_u32 s2, 0\n\t.loc 1 31 0\n"
                           "\ts_cbranch_scc1 .Lagain\n.Lout:\n";

#define SPIN "run", cli_path("k.co"), "--grid", "512", "--workgroup", "128", "--arg", "buf:64", "--progress", "always"

/* Starts a run that spins; it has finished what does not spin when this returns. */
static pid_t start_spin(const char *const args[])
{
    pid_t pid = cli_start(args);

    cli_await_text(pid, "3 of 4 workgroups");
    return pid;
}

static void usr1_shows_and_the_run_goes_on(void **state)
{
    static const char *const engines[] = {"timing", "functional"};

    (void)state;
    NEED_CLANG();
    assemble(spin);
    for (unsigned k = 0; k < sizeof engines / sizeof engines[0]; k++) {
        pid_t pid = start_spin((const char *const[]){SPIN, "--engine", engines[k], NULL});

        assert_int_equal(kill(pid, SIGUSR1), 0);
        cli_await_text(pid, "Resident waves");
        cli_await_text(pid, "    source        /src/k.cl:3");
        cli_await_text(pid, "workgroup 0, 0, 0, wave ");
        assert_int_equal(waitpid(pid, NULL, WNOHANG), 0); /* it goes on */
        assert_int_equal(kill(pid, SIGTERM), 0);
        struct said s = cli_finish(pid);
        expect_status(&s, 1);
        expect_in(&s, s.err, "  workgroups    3 done, 1 resident, 0 not started; 4 waves resident\n");
        expect_in(&s, s.err, "gcnsim: interrupted\n");
        assert_ptr_equal(strstr(strstr(s.err, "Resident waves") + 1, "Resident waves"), NULL); /* asked for once */
        expect_in(&s, s.out, "ended      early, after 3 of 4 workgroups\n");
        expect_in(&s, s.out, "\nResident waves ");
        expect_in(&s, s.out, "    source        /src/k.cl:3");
        said_free(&s);
    }
}

static void ctrl_c_reports_who_is_stuck(void **state)
{
    (void)state;
    NEED_CLANG();
    assemble(spin);
    pid_t pid = start_spin((const char *const[]){SPIN, "--json", "-", NULL});
    assert_int_equal(kill(pid, SIGINT), 0);
    struct said s = cli_finish(pid);
    expect_status(&s, 1);
    const struct json *report = report_of(&s);
    assert_string_equal(text_at(report, "outcome"), "interrupted");
    const struct json *waves = json_get(report, "resident_waves"), *row, *groups;
    assert_non_null(waves);
    assert_true(json_number(json_get(waves, "waves")) == 4);
    double sum = 0;
    size_t index;
    groups = json_get(waves, "groups");
    json_each_element (groups, index, row)
        sum += json_number(json_get(row, "waves"));
    assert_true(sum == 4);
    json_free(report);
    said_free(&s);
}

/* The report goes into a pipe that it does not fit into: the second signal does not wait for who reads. */
static void a_second_ctrl_c_ends_at_once(void **state)
{
    static const int second[] = {SIGINT, SIGTERM};

    (void)state;
    NEED_CLANG();
    NEED_PROC();
    assemble(spin);
    for (unsigned k = 0; k < 2; k++) {
        const char *const argv[] = {cli_tool(), SPIN, "--json", "-", NULL};
        posix_spawn_file_actions_t fa;
        char first;
        int fd[2], status;
        pid_t pid;

        assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
        assert_true(fcntl(fd[1], F_SETPIPE_SZ, 4096) > 0);
        posix_spawn_file_actions_init(&fa);
        posix_spawn_file_actions_adddup2(&fa, fd[1], 1);
        posix_spawn_file_actions_addopen(&fa, 2, cli_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        assert_int_equal(posix_spawn(&pid, argv[0], &fa, NULL, (char *const *)argv, environ), 0);
        posix_spawn_file_actions_destroy(&fa);
        close(fd[1]);
        cli_running = pid;
        cli_await_text(pid, "3 of 4 workgroups");
        assert_int_equal(kill(pid, SIGINT), 0);
        /* the report has begun, and cannot end */
        assert_int_equal(read(fd[0], &first, 1), 1);
        assert_int_equal(kill(pid, second[k]), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        cli_running = 0;
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == second[k]);
        close(fd[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_names_its_line),         cmocka_unit_test(a_finding_names_its_line),
        cmocka_unit_test(usr1_shows_and_the_run_goes_on), cmocka_unit_test(ctrl_c_reports_who_is_stuck),
        cmocka_unit_test(a_second_ctrl_c_ends_at_once),
    };
    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

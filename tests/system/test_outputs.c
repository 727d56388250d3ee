/* Files and streams that gcnsim writes, as a user meets them: checked before a run, written whole or not at all, each
 * failure named, and nothing else lost by it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/gfx1201/"
#define RUN_VECADD                                                                                                     \
    "run", SAMPLES "vecadd.co", "--grid", "1024", "--workgroup", "256", "--arg", "in:traces/samples/data/f32_a.bin",   \
        "--arg", "in:traces/samples/data/f32_b.bin", "--arg"
/* arguments of a launch of vecadd whose result goes to a file of the test's folder */
#define VECADD(OUT) RUN_VECADD, spec("out:%s:4096", OUT), "--arg", "u32:1000"

/* A text around a path in the test's folder. */
static const char *spec(const char *format, const char *name)
{
    static char buffers[8][CLI_PATH + 300];
    static unsigned next;
    char *p = buffers[next++ % 8];

    snprintf(p, sizeof buffers[0], format, cli_path(name));
    return p;
}

static void put(const char *name, const char *text)
{
    write_file(cli_path(name), text, strlen(text));
}

static void expect_text(const char *name, const char *text)
{
    size_t bytes;
    char *got = read_whole(cli_path(name), &bytes);

    assert_non_null(got);
    assert_string_equal(got, text);
    free(got);
}

static bool exists(const char *name)
{
    struct stat st;

    return lstat(cli_path(name), &st) == 0;
}

static size_t size_of(const char *name)
{
    struct stat st;

    assert_int_equal(stat(cli_path(name), &st), 0);
    return (size_t)st.st_size;
}

/* No temporary file is left in the test's folder. */
static void expect_no_leftover(void)
{
    assert_int_not_equal(
        spawn_tool((const char *[]){"sh", "-c", "ls -A \"$0\" | grep -q '[.]tmp$'", cli_dir, NULL}, "/dev/null"), 0);
}

/* Runs a script whose $GCNSIM is the tool and whose $D is the folder; stdout and stderr go to "said". */
static int script(const char *text)
{
    setenv("D", cli_dir, 1);
    return spawn_tool((const char *[]){"sh", "-c", text, NULL}, cli_path("said"));
}

/* As cli_run(), but for standard output, which is `fd`, or closed for -1. */
static struct said run_onto(int fd, const char *const args[])
{
    const char *argv[CLI_ARGS + 2] = {cli_tool()};
    posix_spawn_file_actions_t fa;
    pid_t pid = -1;

    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    put("stdout", "");
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    if (fd >= 0)
        posix_spawn_file_actions_adddup2(&fa, fd, 1);
    else
        posix_spawn_file_actions_addclose(&fa, 1);
    posix_spawn_file_actions_addopen(&fa, 2, cli_path("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_int_equal(posix_spawn(&pid, argv[0], &fa, NULL, (char *const *)argv, environ), 0);
    posix_spawn_file_actions_destroy(&fa);
    return cli_finish(pid);
}

/* The report is printed, what can be written is written, and all that could not be is named. */
static void every_failure_is_named(void **state)
{
    (void)state;
    struct said s = RUN(VECADD("a.bin"), "--json", "/dev/full", "--csv", "/dev/full", "--trace", "issue-csv=/dev/full");

    expect_status(&s, 3);
    expect_in(&s, s.out, "\nStalls, of ");
    expect_in(&s, s.err, "gcnsim: /dev/full: not everything could be written");
    expect_in(&s, s.err, "gcnsim: --json: /dev/full: not everything could be written: No space left");
    expect_in(&s, s.err, "gcnsim: --csv: /dev/full: not everything could be written: No space left");
    said_free(&s);
    assert_int_equal(size_of("a.bin"), 4096);

    s = RUN(RUN_VECADD, "out:/dev/full:4096", "--arg", "u32:1000", "--json", cli_path("a.json"));
    expect_status(&s, 3);
    expect_in(&s, s.err, "gcnsim: argument 2: /dev/full: not everything could be written: No space left");
    expect_in(&s, s.out, "\nStalls, of ");
    assert_true(size_of("a.json") > 1000);
    said_free(&s);
    expect_no_leftover();
}

/* A file that cannot be written to its end leaves the old one, and no part of the new one. */
static void old_contents_survive(void **state)
{
    (void)state;
    put("old.json", "old");
    put("old.csv", "old");
    put("old.trace", "old");
    put("old.bin", "old");
    int status = script("(ulimit -f 1; exec \"$GCNSIM\" run " SAMPLES "vecadd.co --grid 1024 --workgroup 256"
                        " --arg in:traces/samples/data/f32_a.bin --arg in:traces/samples/data/f32_b.bin"
                        " --arg out:$D/old.bin:4096 --arg u32:1000 --json $D/old.json --csv $D/old.csv"
                        " --trace issue-csv=$D/old.trace) 2>&1 | cat; exit 7");
    assert_int_equal(status, 7);
    size_t bytes;
    char *said = read_whole(cli_path("said"), &bytes);
    assert_non_null(said);
    assert_non_null(strstr(said, "\nStalls, of "));
    assert_non_null(strstr(said, "old.json: not everything could be written: File too large"));
    assert_non_null(strstr(said, "old.csv: not everything could be written: File too large"));
    assert_non_null(strstr(said, "old.bin: not everything could be written: File too large"));
    assert_non_null(strstr(said, "old.trace: not everything could be written"));
    free(said);
    expect_text("old.json", "old");
    expect_text("old.csv", "old");
    expect_text("old.trace", "old");
    expect_text("old.bin", "old");
    expect_no_leftover();
}

/* A run of a kernel that stops in a limit: its trace is kept, files of out arguments are not written. */
static void ended_early(void **state)
{
    (void)state;
    put("early.bin", "old");
    struct said s = RUN(VECADD("early.bin"), "--max-cycles", "1500", "--trace", spec("issue-csv=%s", "early.trace"));

    expect_status(&s, 1);
    said_free(&s);
    expect_text("early.bin", "old");
    assert_true(size_of("early.trace") > 100);
    s = RUN("run", SAMPLES "vecadd.co", "--grid", "1024", "--workgroup", "256", "--arg", "buf:16", "--arg", "buf:16",
            "--arg", "buf:16", "--arg", "u32:1000", "--trace", spec("issue-csv=%s", "fault.trace"));
    expect_status(&s, 1);
    said_free(&s);
    assert_true(size_of("fault.trace") > 100);
    expect_no_leftover();
}

/* What the old file was: its mode bits, the link to it. A new one has those that the umask leaves. */
static void modes_and_links(void **state)
{
    struct stat st;

    (void)state;
    put("mode.json", "old");
    assert_int_equal(chmod(cli_path("mode.json"), 0604), 0);
    assert_int_equal(symlink("mode.json", cli_path("link.json")), 0);
    assert_int_equal(symlink("new.csv", cli_path("dangling.csv")), 0);
    mode_t mask = umask(0027);
    struct said s = RUN(VECADD("new.bin"), "--json", cli_path("link.json"), "--csv", cli_path("dangling.csv"));
    umask(mask);
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(lstat(cli_path("link.json"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(cli_path("mode.json"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0604);
    assert_true(st.st_size > 1000);
    assert_int_equal(lstat(cli_path("dangling.csv"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(cli_path("new.csv"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(lstat(cli_path("new.bin"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    expect_no_leftover();
}

/* The report that expects a conflict: nothing is run, nothing is written. */
#define CONFLICT(WORDS_, ...)                                                                                          \
    do {                                                                                                               \
        struct said s_ = RUN(__VA_ARGS__);                                                                             \
        expect_refused(s_, WORDS_);                                                                                    \
    } while (0)

static void one_file_twice(void **state)
{
    char other[CLI_PATH + 300];

    (void)state;
    put("b.bin", "old");
    assert_int_equal(symlink("b.bin", cli_path("b.link")), 0);
    assert_int_equal(link(cli_path("b.bin"), cli_path("b.hard")), 0);
    assert_int_equal(mkdir(cli_path("sub"), 0777), 0);
    assert_int_equal(symlink("../fresh", cli_path("sub/fresh.link")), 0);

    CONFLICT(WORDS("--json", "b.bin", "also written as argument 2"), VECADD("b.bin"), "--json", cli_path("b.bin"));
    CONFLICT(WORDS("--json", "b.link", "also written as argument 2", "(", "b.bin)"), VECADD("b.bin"), "--json",
             cli_path("b.link"));
    CONFLICT(WORDS("--csv", "also written as argument 2"), VECADD("b.bin"), "--csv", cli_path("b.hard"));
    /* files that are not there yet */
    CONFLICT(WORDS("--csv", "also written as --json"), VECADD("x.bin"), "--json", cli_path("fresh"), "--csv",
             cli_path("sub/../fresh"));
    CONFLICT(WORDS("--csv", "also written as --json"), VECADD("x.bin"), "--json", cli_path("fresh"), "--csv",
             cli_path("sub/fresh.link"));
    CONFLICT(WORDS("--json", "also written as trace issue-csv"), VECADD("x.bin"), "--json", cli_path("fresh"),
             "--trace", spec("issue-csv=%s", "fresh"));
    /* inputs */
    CONFLICT(WORDS("argument 2", "also read as argument 0"), RUN_VECADD, "out:traces/samples/data/f32_a.bin:4096",
             "--arg", "u32:1000");
    CONFLICT(WORDS("--json", SAMPLES "vecadd.co", "also read as the code object"), VECADD("x.bin"), "--json",
             SAMPLES "../gfx1201/vecadd.co");
    snprintf(other, sizeof other, "issue-csv=%s", SAMPLES "vecadd.json");
    CONFLICT(WORDS("the launch file"), "run", SAMPLES "vecadd.json", "--trace", other);
    CONFLICT(WORDS("--json", "also read as the profile"), VECADD("x.bin"), "--arch",
             "config/profiles/gfx1201-rx9070xt.json", "--json", "config/profiles/gfx1201-rx9070xt.json");
    /* unusable names */
    CONFLICT(WORDS("--json", "sub: a folder; expected a file"), VECADD("x.bin"), "--json", cli_path("sub"));
    CONFLICT(WORDS("--csv", "a folder"), VECADD("x.bin"), "--csv", cli_path("sub/"));
    expect_text("b.bin", "old");
    assert_false(exists("fresh") || exists("x.bin"));
    /* asked for, and devices */
    put("io.bin", "12345678");
    struct said s = RUN("run", SAMPLES "saxpy.co", "--grid", "256", "--workgroup", "256", "--arg", "f32:2", "--arg",
                        spec("in:%s", "io.bin"), "--arg", "inout:traces/samples/data/f32_b.bin:/dev/null", "--arg",
                        "u32:2", "--json", "/dev/null", "--csv", "/dev/null");
    expect_status(&s, 0);
    said_free(&s);
    char replaced[2 * CLI_PATH];
    snprintf(replaced, sizeof replaced, "inout:%s:%s", cli_path("io.bin"), cli_path("sub/../io.bin"));
    s = RUN("run", SAMPLES "saxpy.co", "--grid", "256", "--workgroup", "256", "--arg", "f32:2", "--arg",
            spec("in:%s", "io.bin"), "--arg", replaced, "--arg", "u32:2");
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(size_of("io.bin"), 8);
    expect_no_leftover();
}

/* Standard output takes part in the checks when it is a file, and outputs may go through it. */
static void standard_output_is_a_file_too(void **state)
{
    (void)state;
    cli_tool();
    assert_int_equal(script("\"$GCNSIM\" run " SAMPLES "saxpy.json --json $D/same.json >$D/same.json 2>$D/e; "
                            "test $? = 2 && grep -q 'also written as the report' $D/e"),
                     0);
    /* appended to what is there, through the shell's own descriptor */
    assert_int_equal(script("echo first >$D/log; \"$GCNSIM\" run " SAMPLES
                            "saxpy.json --quiet --csv /dev/stdout >>$D/log && "
                            "head -n 2 $D/log | tr '\\n' ' ' | grep -q '^first name,unit,value' && "
                            "\"$GCNSIM\" run " SAMPLES "saxpy.json --quiet --csv /dev/fd/5 5>$D/five && "
                            "head -n 1 $D/five | grep -q '^name,unit,value'"),
                     0);
    /* a FIFO with a reader */
    assert_int_equal(script("mkfifo $D/fifo; cat $D/fifo >$D/got & \"$GCNSIM\" run " SAMPLES
                            "saxpy.json --quiet --json $D/fifo && wait && tail -n 1 $D/got | grep -qx '}'"),
                     0);
    assert_true(exists("fifo"));
}

/* A pipe that nobody reads: one signal ends the command, whether it comes while the kernel runs or after that. */
static void unread_pipe(void **state)
{
    char trace[CLI_PATH + 20], buffer[4096];
    const char *unread = cli_path("unread");

    (void)state;
    snprintf(trace, sizeof trace, "issue-csv=%s", cli_path("read"));
    assert_int_equal(mkfifo(unread, 0600), 0);
    assert_int_equal(mkfifo(strchr(trace, '=') + 1, 0600), 0);
    for (unsigned early = 0; early < 2; early++) {
        pid_t pid = cli_start(
            (const char *[]){"run", SAMPLES "saxpy.json", "--quiet", "--trace", trace, "--json", unread, NULL});
        int fd = open(strchr(trace, '=') + 1, O_RDONLY); /* waits for it */
        assert_true(fd >= 0 && read(fd, buffer, 1) == 1);
        if (early)
            assert_int_equal(kill(pid, SIGTERM), 0);
        while (read(fd, buffer, sizeof buffer) > 0)
            ;
        if (!early)
            assert_int_equal(kill(pid, SIGTERM), 0);
        close(fd);
        struct said s = cli_finish(pid);
        expect_status(&s, 3);
        expect_in(&s, s.err, "unread: interrupted, while nobody reads this pipe");
        said_free(&s);
    }
}

/* The same of reports and of arguments on both engines, once the last workgroup is done: the signal comes before it
 * waits, or while it does. */
static void unread_pipe_of_each_kind(void **state)
{
    static const char *const engines[] = {"timing", "functional"};
    char unread[CLI_PATH + 256], out[CLI_PATH + 300];

    (void)state;
    snprintf(unread, sizeof unread, "%s", cli_path("unread_by_any"));
    assert_int_equal(mkfifo(unread, 0600), 0);
    snprintf(out, sizeof out, "2=out:%s:4096", unread);
    for (unsigned k = 0; k < 4; k++) {
        pid_t pid = cli_start((const char *const[]){"run", SAMPLES "vecadd.json", "--progress", "always", "--engine",
                                                    engines[k % 2], k < 2 ? "--json" : "--replace-arg",
                                                    k < 2 ? unread : out, NULL});

        cli_await_text(pid, "4 of 4 workgroups");
        assert_int_equal(kill(pid, SIGTERM), 0);
        struct said s = cli_finish(pid);
        assert_true(s.status == 3 || s.status == 1); /* 1: it came before the end of the launch */
        expect_in(&s, s.err, "interrupted");
        said_free(&s);
    }
}

/* A reader that went away: a message and a status, and the other files are written. */
static void closed_pipe(void **state)
{
    int ends[2];

    (void)state;
    for (int form = 0; form < 3; form++) {
        static const char *const option[] = {"--json", "--csv", "--progress"};
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        struct said s =
            run_onto(ends[1], (const char *const[]){VECADD("piped.bin"), option[form], form < 2 ? "-" : "never",
                                                    "--trace", spec("issue-csv=%s", "piped.trace"), NULL});
        close(ends[1]);
        expect_status(&s, 3);
        expect_in(&s, s.err, "standard output: Broken pipe");
        said_free(&s);
        assert_int_equal(size_of("piped.bin"), 4096);
        assert_true(size_of("piped.trace") > 1000);
        unlink(cli_path("piped.bin"));
        unlink(cli_path("piped.trace"));
    }
}

/* Every command notices that what it prints goes nowhere, whether standard output is full or closed. */
static void full_and_closed_standard_output(void **state)
{
    static const char *const commands[][6] = {
        {"--help"},
        {"--version"},
        {"run", SAMPLES "saxpy.json"},
        {"run", SAMPLES "saxpy.json", "--json", "-"},
        {"run", "--help"},
        {"info", SAMPLES "vecadd.co"},
        {"info", SAMPLES "vecadd.co", "--json"},
        {"disasm", SAMPLES "vecadd.co"},
        {"disasm", "--target", "gfx1201", "--hex", "bf800000"},
        {"arch", "list"},
        {"arch", "show", "gfx1201"},
        {"arch", "show", "gfx1201", "--json"},
        {"isa", "list", "--target", "gfx1201"},
        {"isa", "list", "--target", "gfx1201", "--json"},
        {"isa", "show", "v_add_f32"},
        {"isa", "show", "v_add_f32", "--json"},
        {"compare", "--arch", "gfx1201", SAMPLES "vecadd.co", "--max-waves=1"},
        {"compare", "--help"},
    };
    int full = open("/dev/full", O_WRONLY);

    (void)state;
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++)
        for (int closed = full < 0; closed < 2; closed++) {
            struct said s = run_onto(closed ? -1 : full, commands[k]);
            expect_status(&s, 3);
            expect_in(&s, s.err, "standard output: ");
            if (!closed && k < 3)
                expect_in(&s, s.err, "No space left");
            said_free(&s);
        }
    close(full);
    /* nothing opened in the place of a closed descriptor gets the report */
    struct said s = run_onto(
        -1, (const char *const[]){VECADD("closed.bin"), "--trace", spec("issue-csv=%s", "closed.trace"), NULL});
    expect_status(&s, 3);
    said_free(&s);
    assert_int_equal(size_of("closed.bin"), 4096);
    size_t bytes;
    char *trace = read_whole(cli_path("closed.trace"), &bytes);
    assert_non_null(trace);
    assert_int_equal(strncmp(trace, "cycle,cu,simd", 13), 0);
    assert_null(strstr(trace, "wave-cycles"));
    free(trace);
}

/* Ctrl-C while the report waits for the reader of its pipe: all of it arrives. */
static void interrupted_while_it_writes(void **state)
{
    const char *const args[] = {getenv("GCNSIM"), VECADD("x.bin"), "--json", "-", NULL};
    char part[4096], last = 0;
    int ends[2], status;
    size_t all = 1;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    int room = fcntl(ends[1], F_SETPIPE_SZ, 4096);
    assert_true(room > 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(args[0], (char *const *)args);
        _exit(127);
    }
    close(ends[1]);
    /* the report has begun, and more of it is to come than the pipe holds: it waits for this reader */
    assert_int_equal(read(ends[0], part, 1), 1);
    assert_int_equal(kill(pid, SIGINT), 0);
    for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0; all += (size_t)n)
        last = part[n - 1];
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_true(all > (size_t)room);
    assert_int_equal(last, '\n');
}

/* Names that cannot be written are refused before the run, not after it; root may write everywhere. */
static void permissions(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: permissions: root may write everything\n");
        skip();
    }
    put("read_only.json", "old");
    chmod(cli_path("read_only.json"), 0444);
    CONFLICT(WORDS("read_only.json: cannot be written: Permission denied"), VECADD("x.bin"), "--json",
             cli_path("read_only.json"));
    assert_int_equal(mkdir(cli_path("locked"), 0777), 0);
    put("locked/there.json", "old");
    chmod(cli_path("locked"), 0555);
    CONFLICT(WORDS("its folder cannot be written"), VECADD("x.bin"), "--json", cli_path("locked/new.json"));
    /* what is there can be written in place */
    struct said s = RUN(VECADD("x.bin"), "--json", cli_path("locked/there.json"));
    expect_status(&s, 0);
    said_free(&s);
    assert_true(size_of("locked/there.json") > 1000);
    chmod(cli_path("locked"), 0777);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_is_named),
        cmocka_unit_test(old_contents_survive),
        cmocka_unit_test(ended_early),
        cmocka_unit_test(modes_and_links),
        cmocka_unit_test(one_file_twice),
        cmocka_unit_test(standard_output_is_a_file_too),
        cmocka_unit_test(unread_pipe),
        cmocka_unit_test(unread_pipe_of_each_kind),
        cmocka_unit_test(closed_pipe),
        cmocka_unit_test(full_and_closed_standard_output),
        cmocka_unit_test(permissions),
        cmocka_unit_test(interrupted_while_it_writes),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

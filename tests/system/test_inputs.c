/* Files that gcnsim reads, as a user meets them: pipes are read, and nothing that is no file keeps a command waiting or
 * fills the memory. */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/gfx1201/"
enum { SLOW_PIPE = 4096 };

/* Every way in which a command names a file to be read. */
static const struct reader {
    const char *args[20]; /* null among them: the file */
    const char *what;
} readers[] = {
    {{"info", "@"}, "info"},
    {{"info", "@", "--json"}, "info --json"},
    {{"disasm", "@"}, "disasm"},
    {{"disasm", "--target", "gfx1201", "--raw", "@"}, "disasm --raw"},
    {{"run", "@", "--grid", "64", "--workgroup", "64"}, "run"},
    {{"run", SAMPLES "saxpy.co", "--grid", "64", "--workgroup", "64", "--arg", "f32:1", "--arg", "in:@", "--arg",
      "buf:4096", "--arg", "u32:64"},
     "in:"},
    {{"run", SAMPLES "saxpy.co", "--grid", "64", "--workgroup", "64", "--arg", "f32:1", "--arg", "buf:4096", "--arg",
      "inout:@:/dev/null", "--arg", "u32:64"},
     "inout:"},
    {{"run", SAMPLES "saxpy.json", "--arch", "@"}, "run --arch"},
    {{"arch", "show", "@"}, "arch show"},
    {{"isa", "show", "v_add_f32", "--arch", "@"}, "isa show --arch"},
    {{"compare", "--arch", "gfx1201", "@"}, "compare"},
    {{"compare", "--arch", "@", SAMPLES "vecadd.co"}, "compare --arch"},
};

static struct said read_with(const struct reader *r, const char *path)
{
    char words[20][CLI_PATH + 300];
    const char *args[21];
    size_t n = 0;

    for (; r->args[n]; n++) {
        const char *at = strchr(r->args[n], '@');
        if (at)
            snprintf(words[n], sizeof words[0], "%.*s%s%s", (int)(at - r->args[n]), r->args[n], path, at + 1);
        args[n] = at ? words[n] : r->args[n];
    }
    args[n] = NULL;
    return cli_run(args);
}

static void what_is_no_file(void **state)
{
    char fifo[CLI_PATH + 300], sock[CLI_PATH + 300], folder[CLI_PATH + 300], json_fifo[CLI_PATH + 300];
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    snprintf(fifo, sizeof fifo, "%s", cli_path("fifo"));
    snprintf(json_fifo, sizeof json_fifo, "%s", cli_path("fifo.json"));
    snprintf(sock, sizeof sock, "%s", cli_path("socket"));
    snprintf(folder, sizeof folder, "%s", cli_path("folder"));
    assert_true(strlen(sock) < sizeof at.sun_path);
    strcpy(at.sun_path, sock);
    assert_int_equal(bind(s, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkfifo(json_fifo, 0600), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    const char *const kinds[][2] = {
        {"/dev/zero", "/dev/zero: "},      {folder, "a folder; expected a file"}, {sock, "a socket; expected a file"},
        {"/no/such/file", "No such file"}, {"/dev/null", "/dev/null: "},
    };
    for (size_t k = 0; k < sizeof readers / sizeof readers[0]; k++)
        for (size_t j = 0; j < sizeof kinds / sizeof kinds[0]; j++)
            expect_refused(read_with(&readers[k], kinds[j][0]), WORDS(kinds[j][1]));
    /* each of these waits a second for a writer */
    expect_refused(RUN("info", fifo), WORDS("fifo: a pipe that nobody writes to"));
    expect_refused(RUN("run", json_fifo), WORDS("fifo.json: a pipe that nobody writes to"));
    expect_refused(read_with(&readers[5], fifo), WORDS("argument 1", "fifo: a pipe that nobody writes to"));
    expect_refused(RUN("arch", "show", json_fifo),
                   WORDS("fifo.json: cannot read profile: a pipe that nobody writes to"));
    close(s);
}

static int script(const char *text)
{
    cli_tool();
    setenv("D", cli_dir, 1);
    return spawn_tool((const char *[]){"sh", "-c", text, NULL}, cli_path("said"));
}

/* Runs the tool on a pipe of one page through which the file's bytes come: the rest is written when the tool has read
 * what the pipe holds. */
static void run_on_slow_pipe(const char *pipe, const char *bytes, size_t size, const char *const args[])
{
    int fd;

    assert_int_equal(mkfifo(pipe, 0600), 0);
    fd = open(pipe, O_RDWR | O_CLOEXEC); /* somebody may write, from the beginning on */
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_SETPIPE_SZ, SLOW_PIPE), SLOW_PIPE);
    assert_true(size > SLOW_PIPE);
    pid_t pid = cli_start(args);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
    struct said s = cli_finish(pid);
    expect_status(&s, 0);
    said_free(&s);
}

static void slow_pipes(void **state)
{
    char pipe[CLI_PATH + 300];
    struct said s = RUN("disasm", SAMPLES "vecadd.co");
    size_t size, bytes;
    char *code = read_whole(SAMPLES "vecadd.co", &size), launch[2 * SLOW_PIPE], *root = realpath(".", NULL);

    (void)state;
    assert_non_null(code);
    snprintf(pipe, sizeof pipe, "%s", cli_path("slow.json"));
    run_on_slow_pipe(pipe, code, size, (const char *const[]){"disasm", pipe, NULL});
    char *text = read_whole(cli_path("stdout"), &bytes);
    assert_non_null(text);
    assert_string_equal(text, s.out);
    free(text);
    said_free(&s);
    free(code);
    /* a launch file, whose folder is that of its name; blanks make it long */
    unlink(pipe);
    snprintf(launch, sizeof launch,
             "{\"file\": \"%s/" SAMPLES "vecadd.co\", \"kernel\": \"vecadd\", \"grid\": [64], \"workgroup\": [64], "
             "\"args\": [\"buf:256\", \"buf:256\", \"out:vecadd.bin:256\", \"u32:64\"]%*s}",
             root, SLOW_PIPE, "");
    run_on_slow_pipe(pipe, launch, strlen(launch), (const char *const[]){"run", pipe, "--quiet", NULL});
    free(read_whole(cli_path("vecadd.bin"), &bytes));
    assert_int_equal(bytes, 256);
    free(root);
}

/* A pipe that everybody who could write has closed without a byte. */
static void empty_pipe(void **state)
{
    char name[40];
    int ends[2];

    (void)state;
    NEED_PROC(); /* /dev/fd */
    assert_int_equal(pipe(ends), 0);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    expect_refused(RUN("info", name), WORDS("a pipe that nobody writes to"));
    close(ends[0]);
}

/* Standard input from programs that write. */
static void pipes(void **state)
{
    (void)state;
    NEED_PROC(); /* /dev/stdin */
#define S SAMPLES
    static const char *const same[] = {
        "\"$GCNSIM\" disasm " S "vecadd.co >$D/a && cat " S
        "vecadd.co | \"$GCNSIM\" disasm /dev/stdin >$D/b && cmp $D/a $D/b",
        "cat config/profiles/gfx1201-rx9070xt.json >$D/x.json; \"$GCNSIM\" arch show gfx1201-rx9070xt cu | tail -n +2 "
        ">$D/a;"
        "cat config/profiles/gfx1201-rx9070xt.json | \"$GCNSIM\" arch show gfx1201-rx9070xt cu | tail -n +2 >$D/b && "
        "cmp $D/a $D/b",
        "\"$GCNSIM\" run " S
        "saxpy.co --grid 64 --workgroup 64 --arg f32:2 --arg in:traces/samples/data/f32_a.bin --arg "
        "inout:traces/samples/data/f32_b.bin:$D/a --arg u32:64 --quiet && cat traces/samples/data/f32_a.bin | "
        "\"$GCNSIM\" run " S "saxpy.co --grid 64 --workgroup 64 --arg f32:2 --arg in:/dev/stdin --arg "
        "inout:traces/samples/data/f32_b.bin:$D/b --arg u32:64 --quiet && cmp $D/a $D/b",
        "\"$GCNSIM\" disasm --target gfx1201 --hex bf800000 >$D/a; printf '\\000\\000\\200\\277' | \"$GCNSIM\" disasm "
        "--target "
        "gfx1201 --raw /dev/stdin >$D/b && cmp $D/a $D/b",
    };

    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++)
        if (script(same[k]) != 0) {
            size_t n;
            char *said = read_whole(cli_path("said"), &n);
            fail_msg("%s\n%s", same[k], said);
        }
    /* an endless pipe ends in a limit, not in all memory of the host */
    assert_int_equal(
        script("yes | \"$GCNSIM\" arch show /dev/stdin 2>$D/e; test $? = 2 && grep -q 'larger than 1048576' $D/e"), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_file),
        cmocka_unit_test(slow_pipes),
        cmocka_unit_test(empty_pipe),
        cmocka_unit_test(pipes),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

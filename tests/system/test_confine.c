/* --confine: a stranger's launch file reads and writes nothing outside the folder it is confined to. */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "tests/system/cli_run.h"

/* The folders of a case: DIR/in holds what the stranger gave, DIR/secret is not theirs. */
static int set_up(void **state)
{
    const char *saxpy = "traces/samples/gfx90a/saxpy.co";
    size_t size;

    if (cli_setup(state))
        return -1;
    char *bytes = read_whole(saxpy, &size);
    if (!bytes || mkdir(cli_path("in"), 0755) || mkdir(cli_path("in/sub"), 0755) || mkdir(cli_path("in2"), 0755) ||
        symlink("../secret", cli_path("in/link")) || symlink("../made", cli_path("in/nowhere")) ||
        symlink("..", cli_path("in/up")) || symlink("sub/x.bin", cli_path("in/own")))
        return -1;
    write_file(cli_path("in/k.co"), bytes, size);
    write_file(cli_path("k.co"), bytes, size);
    write_file(cli_path("secret"), bytes, 4096);
    write_file(cli_path("in2/x.bin"), bytes, 4096);
    write_file(cli_path("in/x.bin"), bytes, 4096);
    write_file(cli_path("in/sub/x.bin"), bytes, 4096);
    write_file(cli_path("in/p.json"), "{}", 2);
    free(bytes);
    return 0;
}

static void launch_file(const char *code, const char *x, const char *y, const char *more)
{
    char text[2000];

    int n = snprintf(text, sizeof text,
                     "{\"file\":\"%s\",\"kernel\":\"saxpy\",\"grid\":[64],\"workgroup\":[64],"
                     "\"args\":[\"f32:1\",\"%s\",\"%s\",\"u32:64\"]%s}",
                     code, x, y, more);
    write_file(cli_path("in/l.json"), text, (size_t)n);
}

static void paths(void **state)
{
    const struct {
        const char *code, *x, *y, *more;
        const char *says; /* null: it runs */
    } cases[] = {
        {"k.co", "in:x.bin", "out:y.bin:4096", "", NULL},
        {"../in/k.co", "in:sub/../x.bin", "inout:sub/x.bin:sub/y.bin", "", NULL},
        {"k.co", "in:x.bin", "out:own:4096", "", NULL},
        {"k.co", "in:x.bin", "buf:4096", ",\"arch\":\"gfx90a-mi210\"", NULL},
        {"../k.co", "in:x.bin", "buf:4096", "", "l.json: file: "},
        {"k.co", "in:../secret", "buf:4096", "", "l.json: args[1]: "},
        {"k.co", "in:link", "buf:4096", "", "l.json: args[1]: "},
        {"k.co", "in:up/secret", "buf:4096", "", "l.json: args[1]: "},
        {"k.co", "in:/etc/passwd", "buf:4096", "", "args[1]: /etc/passwd is /etc/passwd; expected a file in "},
        {"k.co", "in:../in2/x.bin", "buf:4096", "", "l.json: args[1]: "}, /* the name begins alike */
        {"k.co", "in:x.bin", "out:../made:4096", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "out:link:4096", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "out:nowhere:4096", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "out:up/made:4096", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "inout:x.bin:sub/../../made", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "inout:../secret:y.bin", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "out:no/y.bin:4096", "", "No such file or directory"},
        {"k.co", "in:x.bin", "out:/dev/null:4096", "", "args[2]: /dev/null is /dev/null; expected a file in "},
        {"k.co", "in:x.bin", "buf:4096", ",\"arch\":\"p.json\"", "expected the name of a built-in profile"},
        {"k.co", "in:x.bin", "buf:4096", ",\"arch\":\"/etc/x.json\"", "expected the name of a built-in profile"},
        {"k.co", "in:x.bin", "out:..:4096", "", "l.json: args[2]: "},
        {"k.co", "in:x.bin", "zip:x", "", "l.json: args[2]: 'zip:x': expected"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        launch_file(cases[k].code, cases[k].x, cases[k].y, cases[k].more);
        struct said s = RUN("run", "--engine", "functional", "--confine", cli_path("in"), cli_path("in/l.json"));
        if (s.status != (cases[k].says ? 2 : 0) || (cases[k].says && !strstr(s.err, cases[k].says)))
            fail_msg("case %zu: status %d: %s", k, s.status, s.err);
        said_free(&s);
    }
    assert_int_not_equal(access(cli_path("made"), F_OK), 0);
    /* without it a launch file may name what the user may read and write */
    launch_file("../k.co", "in:../secret", "out:../made:4096", "");
    struct said s = RUN("run", "--engine", "functional", cli_path("in/l.json"));
    expect_status(&s, 0);
    said_free(&s);
    assert_int_equal(access(cli_path("made"), F_OK), 0);
}

static void misuse(void **state)
{
    (void)state;
    expect_refused(RUN("run", "--confine", cli_dir, "--grid", "1", "--workgroup", "1", cli_path("k.co")),
                   WORDS("--confine is for launch files; ", "k.co is none"));
    launch_file("k.co", "in:x.bin", "buf:4096", "");
    expect_refused(RUN("run", "--confine", cli_path("absent"), cli_path("in/l.json")),
                   WORDS("l.json: file: ", "absent: No such file or directory"));
    struct said s = RUN("run", "--engine", "functional", "--confine", "/", cli_path("in/l.json"));
    expect_status(&s, 0);
    said_free(&s);
}

/* Runs softmax.g with a thread trace in DIR/trace, and says what snapshots.json has: the sources that were copied. */
static void expect_sources(const char *confine, const char *code, const char *wanted, const char *never)
{
    static const char trace[] = "trace/ui_output_agent_0_dispatch_1/snapshots.json";
    size_t bytes;
    struct said s = confine ? RUN("run", "traces/samples/gfx1201/softmax.g.json", "--quiet", "--att", cli_path("trace"),
                                  "--confine", confine)
                            : RUN("run", code, "--quiet", "--att", cli_path("trace"), "--grid", "128", "--workgroup",
                                  "128", "--arg", "buf:8000", "--arg", "buf:8000", "--arg", "u32:200");
    assert_int_equal(s.status, 0);
    said_free(&s);
    char *text = read_whole(cli_path(trace), &bytes);
    assert_non_null(text);
    if (wanted ? !strstr(text, wanted) : strcmp(text, "{}\n") != 0)
        fail_msg("sources: %s", text);
    assert_true(!never || !strstr(text, never));
    free(text);
}

/* Files that line tables name are not copied for a stranger, and what is no source is copied for nobody. */
static void files_of_line_tables(void **state)
{
    static const char code[] = "traces/samples/gfx1201/softmax.g.co";
    size_t bytes;

    (void)state;
    expect_sources(NULL, code, "softmax.cl", NULL);
    expect_sources("traces", NULL, NULL, NULL);
    char *co = read_whole(code, &bytes), *name = memmem(co, bytes, "traces/samples/softmax.cl", 26);
    assert_non_null(name);
    memcpy(name, "traces/samples/TOOLCHAIN", 25);
    write_file(cli_path("t.co"), co, bytes);
    free(co);
    expect_sources(NULL, cli_path("t.co"), "gcn.h", "TOOLCHAIN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),
        cmocka_unit_test(misuse),
        cmocka_unit_test(files_of_line_tables),
    };

    return cmocka_run_group_tests_name("confined launch files", tests, set_up, cli_teardown);
}

/* Names, files, messages and source lines that would command a terminal, through every view on one: they are shown,
 * with question marks where a terminal would obey, and what can be read stays (SECURITY.md, promise 7). Programs under
 * exec: tests/hsa/test_foreign.c.
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "tests/support/terminal.h"
#include "tests/support/toolchain.h"
#include "tests/system/sweep_run.h"

/* ESC ] 0 ; ... BEL sets a title, U+009B begins other commands, U+202E turns what follows round; the rest is a name. */
#define FOREIGN "k\x1b]0;owned\x07\xc2\x9b\xe2\x80\xaegr\xc3\xb6\xc3\x9f"
#define SHOWN   "k?]0;owned??????gr\xc3\xb6\xc3\x9f"
#define PART    "k?]0;owned" /* where a table is narrow, */
#define TAIL    "d??????gr"  /* or shows the end */
#define ESCAPED "k\\u001b]0;owned\\u0007\\u009b\\u202egr\xc3\xb6\xc3\x9f"

static const char source[] = "kernel void named(global int *p, int n) __asm__(\"" FOREIGN "\");\n"
                             "kernel void named(global int *p, int n)\n{\n"
                             "    p[__builtin_amdgcn_workitem_id_x()] += n; /* " FOREIGN " */\n"
                             "    if (n == 7)\n        p[1ul << 40] = 1;\n"
                             "    while (n == 8 && ((volatile global int *)p)[0] < 1000000) {\n    }\n}\n";

static char object[CLI_PATH]; /* the code object */

static int make_object(void **state)
{
    char log[CLI_PATH + 300], text[CLI_PATH + 300];

    cli_setup(state);
    if (why_no_clang())
        return 0;
    snprintf(object, sizeof object, "%s", sweep_path(FOREIGN ".co"));
    snprintf(text, sizeof text, "%s", sweep_path(FOREIGN ".cl"));
    snprintf(log, sizeof log, "%s", sweep_path("log"));
    write_file(text, source, strlen(source));
    const char *const argv[] = {"clang-19",
                                "-g",
                                "-x",
                                "cl",
                                "-cl-std=CL2.0",
                                "-O2",
                                "-target",
                                "amdgcn-amd-amdhsa",
                                "-nogpulib",
                                "-mcpu=gfx1201",
                                text,
                                "-o",
                                object,
                                NULL};
    if (spawn_tool(argv, log) != 0)
        fail_msg("clang-19 failed, see %s", log);
    return 0;
}

#define SHOWS(STATUS, WORD, ...) shows_plainly(STATUS, WORD, (const char *[]){__VA_ARGS__, NULL})
#define LAUNCH                   object, "--grid", "64", "--workgroup", "64", "--arg", "buf:4096", "--arg"

static void views_of_code(void **state)
{
    (void)state;
    NEED_CLANG();
    SHOWS(0, SHOWN, "info", object);
    SHOWS(0, ESCAPED, "info", object, "--json");
    SHOWS(0, SHOWN, "info", object, "--fidelity");
    SHOWS(0, SHOWN, "disasm", object);
    SHOWS(2, SHOWN, "info", sweep_path(FOREIGN));
    SHOWS(2, SHOWN, "disasm", object, "--kernel", FOREIGN "x");
    SHOWS(2, SHOWN, "isa", "show", FOREIGN);
    SHOWS(2, SHOWN, "arch", "show", FOREIGN);
    SHOWS(2, SHOWN, "run", object, "--" FOREIGN);
    SHOWS(2, SHOWN, FOREIGN);
    SHOWS(2, SHOWN, "help", FOREIGN);
}

static void views_of_a_run(void **state)
{
    static const char *const engines[] = {"timing", "functional"};

    (void)state;
    NEED_CLANG();
    for (unsigned k = 0; k < 2; k++) {
        SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--engine", engines[k]);
        SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--engine", engines[k], "--details");
        SHOWS(0, ESCAPED, "run", LAUNCH, "i32:1", "--engine", engines[k], "--json", "-");
        SHOWS(0, PART, "run", LAUNCH, "i32:1", "--engine", engines[k], "--repeat", "3");
        SHOWS(0, ESCAPED, "run", LAUNCH, "i32:1", "--engine", engines[k], "--repeat", "2", "--json", "-");
        SHOWS(1, SHOWN, "run", LAUNCH, "i32:7", "--engine", engines[k]);
        SHOWS(1, SHOWN, "run", LAUNCH, "i32:7", "--engine", engines[k], "--check");
        SHOWS(1, SHOWN, "run", LAUNCH, "i32:8", "--engine", engines[k], "--max-cycles", "50000");
        SHOWS(1, ESCAPED, "run", LAUNCH, "i32:8", "--engine", engines[k], "--max-cycles", "50000", "--json", "-");
        SHOWS(2, SHOWN, "run", LAUNCH, FOREIGN, "--engine", engines[k]);
    }
    SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--timeline");
    SHOWS(0, NULL, "run", LAUNCH, "i32:1", "--csv", "-");
    SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--csv", "counters=-");
    SHOWS(0, NULL, "run", LAUNCH, "i32:1", "--csv", "instructions=-");
    SHOWS(0, "owned", "run", LAUNCH, "i32:1", "--html", "-");
    SHOWS(0, NULL, "run", LAUNCH, "i32:1", "--quiet", "--trace", "issue-csv=-");
    SHOWS(0, SHOWN, "annotate", LAUNCH, "i32:1", "--color", "always");
    SHOWS(0, SHOWN, "annotate", LAUNCH, "i32:1", "--sort", "stall");
    SHOWS(2, SHOWN, "annotate", LAUNCH, "i32:1", "--function", FOREIGN "x");
    SHOWS(0, SHOWN, "explain", LAUNCH, "i32:1");
    SHOWS(0, ESCAPED, "explain", LAUNCH, "i32:1", "--json", "-");
    SHOWS(0, SHOWN, "whatif", LAUNCH, "i32:1", "--sweep", "launch.before_ns=1,2");
    SHOWS(0, ESCAPED, "whatif", LAUNCH, "i32:1", "--sweep", "launch.before_ns=1,2", "--json", "-");
    SHOWS(0, NULL, "whatif", LAUNCH, "i32:1", "--sweep", "launch.before_ns=1,2", "--csv", "-");
    SHOWS(2, SHOWN, "whatif", LAUNCH, "i32:1", "--sweep", FOREIGN "=1,2");
    SHOWS(2, SHOWN, "run", LAUNCH, "i32:1", "--json", sweep_path(FOREIGN "/" FOREIGN));
}

#define WIDE  "\\u009b2J\\u202egr\xc3\xb6"
#define SHAPE ", \"kernel\": \"" ESCAPED "\", \"grid\": [64], \"workgroup\": [64], \"args\": [\"buf:4096\", \"i32:"

/* Names in a launch file, of a profile and of its source. */
static void views_of_launch_files(void **state)
{
    const char *list = sweep_path(FOREIGN ".json"), *profile = sweep_path("profile.json");
    char text[3 * CLI_PATH];

    (void)state;
    NEED_CLANG();
    snprintf(text, sizeof text,
             "{\"file\": \"%s\", \"launches\": [{\"name\": \"" ESCAPED "\"" SHAPE "1\"]}, {\"name\": \"b\"" SHAPE
             "2\"]}]}",
             ESCAPED ".co");
    write_file(list, text, strlen(text));
    SHOWS(0, PART, "run", list);
    SHOWS(0, PART, "run", list, "--details");
    SHOWS(0, ESCAPED, "run", list, "--json", "-");
    SHOWS(2, SHOWN, "run", list, "--launch", FOREIGN "x", "--grid", "64");
    /* which has no other control characters */
    static const char wide[] = "{\"extends\": \"gfx1201-rx9070xt\", \"about\": \"" WIDE "\", \"chip\": \"" WIDE
                               "\", \"launch\": {\"before_ns\": {\"value\": 3, \"unit\": \"ns\", \"confidence\": "
                               "\"guess\", \"source\": \"" WIDE "\"}}}";
    write_file(profile, wide, strlen(wide));
    SHOWS(0, "??2J???gr\xc3\xb6", "arch", "show", profile);
    SHOWS(0, WIDE, "arch", "show", profile, "--json"); /* JSON has other words for them */
    SHOWS(0, "??2J???gr\xc3\xb6", "run", LAUNCH, "i32:1", "--arch", profile);
    write_file(profile, "{\"" ESCAPED "\": 1}", strlen("{\"" ESCAPED "\": 1}"));
    SHOWS(2, SHOWN, "arch", "show", profile);
    write_file(list, "{\"" FOREIGN "\": }", strlen("{\"" FOREIGN "\": }"));
    SHOWS(2, SHOWN, "run", list);
}

static void views_of_two_runs(void **state)
{
    const char *a = sweep_path(FOREIGN "a.json"), *b = sweep_path(FOREIGN "b.json"),
               *trace = sweep_path(FOREIGN ".att");

    (void)state;
    NEED_CLANG();
    SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--per-instruction", "--json", a, "--att", trace, "--att-cus", "all");
    SHOWS(0, SHOWN, "run", LAUNCH, "i32:1", "--per-instruction", "--json", b, "--set", "launch.before_ns=1");
    SHOWS(0, SHOWN, "diff", a, b);
    SHOWS(0, SHOWN, "diff", a, trace);
    SHOWS(0, SHOWN, "diff", trace, trace);
    SHOWS(0, ESCAPED, "diff", a, b, "--quiet", "--json", "-");
    SHOWS(0, NULL, "diff", a, trace, "--quiet", "--csv", "-");
    SHOWS(2, SHOWN, "diff", a, sweep_path(FOREIGN));
    SHOWS(2, SHOWN, "diff", object, a);
}

/* Files, regions and kernels that are compared. */
static void views_of_sequences(void **state)
{
    static const char text[] =
        "\tv_mov_b32 v1, v0\n; LLVM-MCA-BEGIN " FOREIGN "\n\tv_add_f32 v2, v1, v1\n; LLVM-MCA-END\n"
        "; LLVM-MCA-BEGIN other\n\tv_mul_f32 v2, v1, v1\n; LLVM-MCA-END\n";
    const char *one = sweep_path(FOREIGN ".s"), *wrong = sweep_path(FOREIGN "wrong.s");

    (void)state;
    NEED_CLANG();
    write_file(one, text, strlen(text));
    write_file(wrong, "\t" FOREIGN "\n", strlen("\t" FOREIGN "\n"));
    SHOWS(0, TAIL, "compare", "--arch", "gfx1201", one);
    SHOWS(0, ESCAPED, "compare", "--arch", "gfx1201", one, "--json");
    SHOWS(0, PART, "compare", "--arch", "gfx1201", one, "--all-views");
    SHOWS(0, ESCAPED, "compare", "--arch", "gfx1201", one, "--mca", "--json");
    SHOWS(0, PART, "compare", "--arch", "gfx1201", one, "--wrapped");
    SHOWS(0, TAIL, "compare", "--arch", "gfx1201", object);
    SHOWS(2, PART, "compare", "--arch", "gfx1201", wrong);
    SHOWS(2, PART, "compare", "--arch", "gfx1201", sweep_path(FOREIGN));
}

static void views_of_sweeps(void **state)
{
    static const char *const forms[][2] = {{"--csv", "-"},
                                           {"--html", "-"},
                                           {"--pivot", FOREIGN},
                                           {"--pivot", "n," FOREIGN},
                                           {"--value", FOREIGN},
                                           {"--pareto", "cycles," FOREIGN},
                                           {"--where", "\"" FOREIGN "\" IS NOT NULL"}};
    const char *results = sweep_path(FOREIGN ".sqlite"), *merged = sweep_path(FOREIGN "merged.sqlite"), *spec;

    (void)state;
    NEED_CLANG();
    spec = write_spec(
        FOREIGN "sweep",
        "{'gcnsim_sweep': 1, 'name': '" ESCAPED "', 'launches': [{'name': '" ESCAPED "', 'run': ['" ESCAPED
        ".co', '--grid', '64', '--workgroup', '64', '--arg', 'buf:4096', '--arg', "
        "'{n}']}], 'profiles': ['gfx1201'], 'axes': [{'parameter': 'n', 'values': ['i32:1', '" ESCAPED
        "']}, {'set': 'cu.simds', 'values': [1, 2]}], 'objectives': [{'value': 'cycles', 'name': '" ESCAPED "'}]}");
    SHOWS(1, SHOWN, "sweep", spec, "--output", results);
    SHOWS(2, SHOWN, "sweep", spec, "--output", results);
    sqlite3 *db = open_results(results);
    assert_int_equal(sqlite3_exec(db, "UPDATE axis SET name = '" FOREIGN "' WHERE name <> 'n'", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    SHOWS(0, PART, "sweep", "show", results);
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
        SHOWS(0, k == 1 ? "owned" : PART, "sweep", "show", results, forms[k][0], forms[k][1]);
    SHOWS(2, NULL, "sweep", "show", results, "--value", FOREIGN "x");
    SHOWS(0, SHOWN, "sweep", "merge", merged, results);
    SHOWS(0, SHOWN, "sweep", spec, "--output", sweep_path(FOREIGN "2.sqlite"), "--slurm", "2");
    SHOWS(3, SHOWN, "sweep", sweep_path(FOREIGN));
    db = open_results(results);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE \"" FOREIGN "\" (a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    SHOWS(2, SHOWN, "sweep", "show", results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_code),         cmocka_unit_test(views_of_a_run),
        cmocka_unit_test(views_of_launch_files), cmocka_unit_test(views_of_two_runs),
        cmocka_unit_test(views_of_sequences),    cmocka_unit_test(views_of_sweeps),
    };

    return cmocka_run_group_tests(tests, make_object, cli_teardown);
}

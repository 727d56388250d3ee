/* Man pages and completion scripts, which the tool makes of its table of options: what the shells complete with them,
 * and what the checkers of man pages say. A shell or checker that is not installed is named and skipped.
 */
#include <sys/stat.h>

#include "tests/system/cli_run.h"

#define CO "traces/samples/gfx1201/vecadd.co"

static bool installed(const char *program)
{
    const char *path = getenv("PATH");
    char file[4096];

    for (const char *end; path && *path; path = *end ? end + 1 : end) {
        end = path + strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)(end - path), path, program);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

static bool missing(const char *program)
{
    if (installed(program))
        return false;
    print_message("skip: %s is not installed\n", program);
    return true;
}

/* The pages' folder. */
static const char *pages(void)
{
    static char folder[CLI_PATH + 64];

    snprintf(folder, sizeof folder, "%s", cli_path("pages"));
    if (mkdir(folder, 0755) == 0) {
        struct said s = RUN("pages", folder);
        expect_status(&s, 0);
        assert_int_equal(s.out_bytes + s.err_bytes, 0);
        said_free(&s);
    }
    return folder;
}

static char *page(const char *name)
{
    char path[CLI_PATH + 128];
    size_t bytes;

    snprintf(path, sizeof path, "%s/%s", pages(), name);
    char *text = read_whole(path, &bytes);
    if (!text)
        fail_msg("%s is missing", path);
    return text;
}

/* What a shell prints that runs the script `text`, with $1 the script of completion and $2 the tool. */
static char *shell(const char *program, const char *text, const char *file)
{
    char script[CLI_PATH + 64], completion[CLI_PATH + 128], log[CLI_PATH + 64];
    size_t bytes;

    snprintf(script, sizeof script, "%s", cli_path("script"));
    snprintf(log, sizeof log, "%s", cli_path("log"));
    snprintf(completion, sizeof completion, "%s/%s", pages(), file);
    write_file(script, text, strlen(text));
    const char *const argv[] = {program, script, completion, cli_tool(), NULL};
    int status = spawn_tool(argv, log);
    char *said = read_whole(log, &bytes);
    assert_non_null(said);
    if (status != 0) {
        print_error("%s: status %d\n%s\n", program, status, said);
        fail();
    }
    return said;
}

/* ---- man pages ---- */

static void test_man_pages(void **state)
{
    (void)state;
    static const char *const names[] = {"gcnsim.1", "gcnsim-run.1", "gcnsim-exec.1", "gcnsim-completion.1"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *text = page(names[k]);
        assert_non_null(strstr(text, "\n.SH NAME\ngcnsim"));
        assert_non_null(strstr(text, "\n.SH OPTIONS\n"));
        free(text);
    }
    char *run = page("gcnsim-run.1");
    assert_non_null(strstr(run, ".TP\n\\fB\\-\\-max\\-cycles\\fR \\fIN\\fR\nstop after N cycles"));
    free(run);
    char path[CLI_PATH + 128];
    snprintf(path, sizeof path, "%s/gcnsim-pages.1", pages());
    assert_int_not_equal(access(path, F_OK), 0); /* hidden */
}

/* Every page passes, without a warning. */
static void lint(const char *const checker[])
{
    static const char *const names[] = {"",         "-run",  "-exec", "-info",       "-disasm",
                                        "-compare", "-arch", "-isa",  "-completion", "-help"};
    char log[CLI_PATH + 64], path[CLI_PATH + 128];
    size_t bytes;

    snprintf(log, sizeof log, "%s", cli_path("log"));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *argv[8] = {NULL};
        size_t n = 0;

        snprintf(path, sizeof path, "%s/gcnsim%s.1", pages(), names[k]);
        for (; checker[n]; n++)
            argv[n] = checker[n];
        argv[n] = path;
        int status = spawn_tool(argv, log);
        char *said = read_whole(log, &bytes);
        if (status != 0 || bytes) {
            print_error("%s %s: status %d\n%s\n", checker[0], path, status, said ? said : "");
            fail();
        }
        free(said);
    }
}

static void test_mandoc(void **state)
{
    (void)state;
    if (missing("mandoc"))
        skip();
    lint((const char *const[]){"mandoc", "-Tlint", "-Wwarning", NULL});
}

static void test_groff(void **state)
{
    (void)state;
    if (missing("groff"))
        skip();
    lint((const char *const[]){"groff", "-man", "-ww", "-z", "-Tutf8", NULL});
}

/* ---- completion ---- */

/* A line of what is typed, its words with a blank between them as bash takes them apart; what is offered, sorted. */
static const char bash_script[] = "source \"$1\"\n"
                                  "complete -p gcnsim\n"
                                  "compopt() { :; }\n" /* works in completions alone */
                                  "while IFS= read -r line; do\n"
                                  "    read -r -a COMP_WORDS <<< \"$line\"\n"
                                  "    COMP_WORDS[0]=$2\n"
                                  "    [[ $line != *' ' ]] || COMP_WORDS+=('')\n"
                                  "    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()\n"
                                  "    _gcnsim\n"
                                  "    echo \"$line:\" $(printf '%s\\n' \"${COMPREPLY[@]}\" | sort -u)\n"
                                  "done <<'END'\n"
                                  "x comp\n"
                                  "x ru\n"
                                  "x run --max-\n"
                                  "x run --engine \n"
                                  "x run --engine = f\n"
                                  "x run " CO " --kernel \n"
                                  "x run --arch gfx1201-\n"
                                  "x exec --arch gfx803,gfx1201-\n"
                                  "x exec --engine timing traces/samples/gfx1201/matmul.j\n"
                                  "x run --set cu.vgpr_g\n"
                                  "x run --trace iss\n"
                                  "x run --trace issue-csv = traces/samples/gfx1201/matmul.j\n"
                                  "x run --arg inou\n"
                                  "x run --arg in : traces/samples/gfx1201/matmul.j\n"
                                  "x run --max-cycles \n"
                                  "x run traces/samples/gfx1201/matmul.j\n"
                                  "x arch \n"
                                  "x arch show gfx1201-\n"
                                  "x isa show v_fma_f64\n"
                                  "x help gri\n"
                                  "x completion b\n"
                                  "END\n";

static const char bash_says[] =
    "complete -F _gcnsim gcnsim\n"
    "x comp: compare completion\n"
    "x ru: run\n"
    "x run --max-: --max-cycles --max-instructions --max-memory\n"
    "x run --engine : functional timing\n"
    "x run --engine = f: functional\n"
    "x run " CO " --kernel : vecadd\n"
    "x run --arch gfx1201-: gfx1201-rx9070xt\n"
    "x exec --arch gfx803,gfx1201-: gfx803,gfx1201-rx9070xt\n"
    "x exec --engine timing traces/samples/gfx1201/matmul.j: traces/samples/gfx1201/matmul.json\n"
    "x run --set cu.vgpr_g: cu.vgpr_granule_w32= cu.vgpr_granule_w64=\n"
    "x run --trace iss: issue-csv=\n"
    "x run --trace issue-csv = traces/samples/gfx1201/matmul.j: traces/samples/gfx1201/matmul.json\n"
    "x run --arg inou: inout:\n"
    "x run --arg in : traces/samples/gfx1201/matmul.j: traces/samples/gfx1201/matmul.json\n"
    "x run --max-cycles :\n"
    "x run traces/samples/gfx1201/matmul.j: traces/samples/gfx1201/matmul.json\n"
    "x arch : list show\n"
    "x arch show gfx1201-: gfx1201-rx9070xt\n"
    "x isa show v_fma_f64: v_fma_f64\n"
    "x help gri: grid\n"
    "x completion b: bash\n";

static void expect_same(char *said, const char *expected)
{
    if (strcmp(said, expected) != 0) {
        print_error("--- got\n%s--- expected\n%s", said, expected);
        fail();
    }
    free(said);
}

static void test_bash(void **state)
{
    (void)state;
    NEED_PROC(); /* bash's <(command) */
    if (missing("bash"))
        skip();
    expect_same(shell("bash", bash_script, "gcnsim"), bash_says);
}

/* Real completion wants a terminal; that its functions are read and known is seen without one. */
static void test_zsh(void **state)
{
    (void)state;
    if (missing("zsh"))
        skip();
    expect_same(shell("zsh",
                      "zsh -n $1 || exit 1\n"
                      "autoload -U compinit && compinit -u -D\n"
                      "source $1\n"
                      "print $_comps[gcnsim] $+functions[_gcnsim_ask]\n",
                      "_gcnsim"),
                "_gcnsim 1\n");
}

static void test_fish(void **state)
{
    (void)state;
    if (missing("fish"))
        skip();
    expect_same(shell("fish",
                      "fish -n $argv[1]; or exit 1\n"
                      "source $argv[1]\n"
                      "set -x PATH (dirname $argv[2]) $PATH\n"
                      "for line in 'gcnsim ru' 'gcnsim run --engine ' 'gcnsim run " CO " --kernel ' \\\n"
                      "        'gcnsim run --arch gfx1201-' 'gcnsim exec --arch gfx803,gfx1201-' 'gcnsim arch ' \\\n"
                      "        'gcnsim arch show gfx1201-' 'gcnsim run --set cu.vgpr_g' 'gcnsim help gri'\n"
                      "    echo $line: (complete -C $line | string split -f 1 \\t | sort)\n"
                      "end\n",
                      "gcnsim.fish"),
                "gcnsim ru: run\n"
                "gcnsim run --engine : functional timing\n"
                "gcnsim run " CO " --kernel : vecadd\n"
                "gcnsim run --arch gfx1201-: gfx1201-rx9070xt\n"
                "gcnsim exec --arch gfx803,gfx1201-: gfx803,gfx1201-rx9070xt\n"
                "gcnsim arch : list show\n"
                "gcnsim arch show gfx1201-: gfx1201-rx9070xt\n"
                "gcnsim run --set cu.vgpr_g: cu.vgpr_granule_w32= cu.vgpr_granule_w64=\n"
                "gcnsim help gri: grid\n");
}

/* gcnsim completion prints what the build installs. */
static void test_completion_command(void **state)
{
    (void)state;
    static const char *const shells[][2] = {{"bash", "gcnsim"}, {"zsh", "_gcnsim"}, {"fish", "gcnsim.fish"}};

    for (size_t k = 0; k < 3; k++) {
        struct said s = RUN("completion", shells[k][0]);
        char *text = page(shells[k][1]);
        expect_status(&s, 0);
        assert_string_equal(s.out, text);
        free(text);
        said_free(&s);
    }
    expect_refused(RUN("completion", "tcsh"), WORDS("'tcsh': no such shell; expected bash, zsh or fish"));
    expect_refused(RUN("completion"), WORDS("expected bash, zsh or fish"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_man_pages),
        cmocka_unit_test(test_mandoc),
        cmocka_unit_test(test_groff),
        cmocka_unit_test(test_bash),
        cmocka_unit_test(test_zsh),
        cmocka_unit_test(test_fish),
        cmocka_unit_test(test_completion_command),
    };
    return cmocka_run_group_tests_name("man pages and completion", tests, cli_setup, cli_teardown);
}

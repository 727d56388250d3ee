/* Launches of one code object added up (gcnsim_sum_add()): of one kernel, and of several whose instructions are not the
 * same; in any order; and what cannot be added. */
#define _GNU_SOURCE
#include "tests/system/cli_run.h"

#include "sim/api/gcnsim.h"
#include "tests/support/toolchain.h"

/* Two kernels with a loop each, of which the second lies in another one. */
static const char source[] = "#define GLOBAL __attribute__((address_space(1)))\n"
                             "__attribute__((amdgpu_kernel)) void first(GLOBAL volatile int *p, int n) {\n"
                             "  for (int k = 0; k < n; k++)\n"
                             "    p[k] = p[k + 1] + n;\n"
                             "}\n"
                             "__attribute__((amdgpu_kernel)) void second(GLOBAL volatile int *p, int n) {\n"
                             "  for (int i = 0; i < n; i++)\n"
                             "    for (int k = 0; k < 4; k++)\n"
                             "      p[k] = p[i] ^ n;\n"
                             "}\n";

enum { RUNS = 4, MOST_ROWS = 400, COLUMNS = 48 };

static struct gcnsim_result *run_of[RUNS], *uncounted, *on_other_profile;

static const char *compiled(void)
{
    static char path[CLI_PATH];

    write_file(cli_path("k.c"), source, sizeof source - 1);
    snprintf(path, sizeof path, "%s", cli_path("k.co"));
    assert_int_equal(
        spawn_tool((const char *const[]){"clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-g",
                                         "-O1", "-fno-unroll-loops", cli_path("k.c"), "-o", path, NULL},
                   cli_path("log")),
        0);
    return path;
}

static struct gcnsim_result *launch(const char *mshrs, const char *kernel, const char *n, int counts)
{
    const char *specs[] = {"buf:4096", n};
    struct gcnsim_error e = {0};
    struct gcnsim_module *module;
    struct gcnsim_result *result;
    struct gcnsim_dispatch d;
    struct gcnsim_args *args;
    struct gcnsim *sim;
    uint32_t index;

    gcnsim_open(&sim, "gfx90a", &e);
    assert_string_equal(e.text, "");
    if (mshrs)
        assert_int_equal(gcnsim_set(sim, "cache.l2.mshrs", mshrs, &e), GCNSIM_OK);
    gcnsim_load_file(sim, &module, cli_path("k.co"), NULL, &e);
    assert_string_equal(e.text, "");
    assert_int_equal(gcnsim_code_find_kernel(gcnsim_module_code(module), kernel, &index, &e), GCNSIM_OK);
    gcnsim_args_parse(module, index, specs, 2, NULL, &args, &e);
    assert_string_equal(e.text, "");
    gcnsim_dispatch_init(&d);
    d.kernel = index;
    d.grid_size[0] = 256;
    d.workgroup_size[0] = 128;
    d.args = args;
    d.engine = GCNSIM_ENGINE_TIMING;
    d.per_instruction = counts;
    if (gcnsim_launch(module, &d, &result, &e))
        fail_msg("%s", e.text);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    return result;
}

/* All launches that the tests add up; results need nothing else to be there. */
static void make_runs(void)
{
    if (run_of[0])
        return;
    compiled();
    run_of[0] = launch(NULL, "first", "i32:3", 1);
    run_of[1] = launch(NULL, "second", "i32:2", 1);
    run_of[2] = launch(NULL, "first", "i32:7", 1);
    run_of[3] = launch(NULL, "first", "i32:0", 1); /* whose loop is not entered */
    uncounted = launch(NULL, "first", "i32:3", 0);
    on_other_profile = launch("7", "first", "i32:3", 1);
}

/* ---- tables ---- */

struct table {
    uint64_t vaddr[MOST_ROWS];
    char name[MOST_ROWS][80];
    double value[MOST_ROWS][COLUMNS]; /* Hitcount, Stall, Idle, and all after Source */
    size_t rows, columns;
};

/* What is between this comma and the next that is not in quotes. */
static const char *next_field(const char *at, char *out, size_t room)
{
    bool quotes = false;
    size_t n = 0;

    for (; *at && *at != '\n' && (quotes || *at != ','); at++)
        if (*at == '"')
            quotes = !quotes;
        else if (n + 1 < room)
            out[n++] = *at;
    out[n] = 0;
    return at + (*at == ',');
}

static void read_table(const char *text, struct table *t)
{
    char field[400];

    *t = (struct table){0};
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const char *at = line;
        size_t n = 0;

        assert_true(t->rows < MOST_ROWS);
        for (unsigned k = 0; *at && *at != '\n'; k++) {
            at = next_field(at, field, sizeof field);
            if (k == 1)
                t->vaddr[t->rows] = strtoull(field, NULL, 10);
            else if (k == 2)
                snprintf(t->name[t->rows], sizeof t->name[0], "%.79s", field);
            else if (k == 3 || k == 5 || k == 6 || k > 7)
                t->value[t->rows][n++] = strtod(field, NULL);
            assert_true(n < COLUMNS);
        }
        t->columns = n;
        t->rows++;
    }
}

static char *table_of(const struct gcnsim_sum *sum)
{
    struct gcnsim_error e = {0};
    char *text;

    if (gcnsim_sum_instructions_csv(sum, 1, 0, &text, &e))
        fail_msg("%s", e.text);
    return text;
}

static size_t row_of(const struct table *t, uint64_t vaddr, const char *name)
{
    for (size_t k = 0; k < t->rows; k++)
        if (t->vaddr[k] == vaddr && strcmp(t->name[k], name) == 0)
            return k;
    fail_msg("%s is not in the sum", name);
    return 0;
}

/* The table of the sum has what the tables of the runs have, added up, and nothing else. */
static void is_the_sum(const char *text, const unsigned *runs, size_t count)
{
    static struct table sum, one;
    static double want[MOST_ROWS][COLUMNS];
    static bool there[MOST_ROWS];

    memset(want, 0, sizeof want);
    memset(there, 0, sizeof there);
    read_table(text, &sum);
    for (size_t n = 0; n < count; n++) {
        struct gcnsim_error e;
        char *own;

        assert_int_equal(gcnsim_result_instructions_csv(run_of[runs[n]], &own, &e), GCNSIM_OK);
        read_table(own, &one);
        assert_int_equal(one.columns, sum.columns);
        for (size_t k = 0; k < one.rows; k++) {
            size_t to = row_of(&sum, one.vaddr[k], one.name[k]);

            there[to] = true;
            for (size_t c = 0; c < one.columns; c++)
                want[to][c] += one.value[k][c];
        }
        gcnsim_free(own);
    }
    for (size_t k = 0; k < sum.rows; k++) {
        assert_true(there[k]);
        assert_true(!k || sum.vaddr[k] >= sum.vaddr[k - 1]);
        for (size_t c = 0; c < sum.columns; c++)
            assert_true(sum.value[k][c] == want[k][c]);
    }
}

static struct gcnsim_sum *sum_up(const unsigned *runs, size_t count)
{
    struct gcnsim_error e = {0};
    struct gcnsim_sum *sum;

    assert_int_equal(gcnsim_sum_open(&sum, &e), GCNSIM_OK);
    for (size_t n = 0; n < count; n++)
        if (gcnsim_sum_add(sum, run_of[runs[n]], &e))
            fail_msg("%s", e.text);
    assert_int_equal(gcnsim_sum_launches(sum), count);
    return sum;
}

static double stat_of(const struct gcnsim_result *r, const char *name)
{
    double v = -1;

    assert_int_equal(gcnsim_result_stat(r, name, &v), GCNSIM_OK);
    return v;
}

static void adds_up(const unsigned *runs, size_t count)
{
    struct gcnsim_sum *sum = sum_up(runs, count);
    char *text = table_of(sum);
    double cycles = 0, valu = 0;

    is_the_sum(text, runs, count);
    for (size_t n = 0; n < count; n++) {
        cycles += stat_of(run_of[runs[n]], "cycles");
        valu += stat_of(run_of[runs[n]], "instructions.valu");
    }
    assert_true(gcnsim_sum_stat(sum, "cycles") == cycles);
    assert_true(gcnsim_sum_stat(sum, "instructions.valu") == valu);
    assert_true(gcnsim_sum_stat(sum, "ipc") == 0); /* ratios are not added up */
    assert_true(gcnsim_sum_stat(sum, "nothing") == 0);
    gcnsim_free(text);
    gcnsim_sum_free(sum);
}

static void launches_of_one_kernel(void **state)
{
    (void)state;
    NEED_CLANG();
    make_runs();
    adds_up((const unsigned[]){0}, 1);
    adds_up((const unsigned[]){0, 2}, 2);
    adds_up((const unsigned[]){3, 0, 2, 2, 3}, 5);
}

static void launches_of_several_kernels(void **state)
{
    (void)state;
    NEED_CLANG();
    make_runs();
    adds_up((const unsigned[]){0, 1}, 2);
    adds_up((const unsigned[]){1, 0, 2, 1}, 4);
    adds_up((const unsigned[]){1, 3, 1, 0}, 4);
}

static char *annotated(const struct gcnsim_sum *sum, const char *function)
{
    struct gcnsim_error e = {0};
    struct gcnsim_annotate a;
    char *text;

    gcnsim_annotate_init(&a);
    a.function = function;
    if (gcnsim_sum_annotated(sum, &a, &text, &e))
        fail_msg("%s", e.text);
    return text;
}

static void expect_line(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        print_error("%s\n", text);
        fail_msg("expected to find: %s", part);
    }
}

/* Loops of both kernels, with the iterations of all launches: 4 waves, 3 and 7 and 0 times; 2, and 4 each. */
static void loops_are_together(void **state)
{
    static const unsigned orders[][RUNS] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    char *whole[3];

    (void)state;
    NEED_CLANG();
    make_runs();
    for (size_t k = 0; k < 3; k++) {
        struct gcnsim_sum *sum = sum_up(orders[k], RUNS);
        char *text = annotated(sum, NULL), *of_first = annotated(sum, "first"), *kernel = strstr(text, "launches ");

        expect_line(text, "launches   4\n");
        expect_line(text, "depth 1: 40 iterations, entered 8 times, 5.0 each"); /* first */
        expect_line(text, "depth 2: 32 iterations, entered 8 times, 4.0 each"); /* second */
        expect_line(text, "depth 1: 8 iterations, entered 4 times, 2.0 each");
        expect_line(text, "k.c:4 | p[k] = p[k + 1] + n;");
        expect_line(of_first, "first");
        assert_null(strstr(of_first, "k.c:9"));
        whole[k] = strdup(kernel);
        assert_string_equal(whole[k], whole[0]); /* in any order */
        gcnsim_free(text);
        gcnsim_free(of_first);
        gcnsim_sum_free(sum);
    }
    for (size_t k = 0; k < 3; k++)
        free(whole[k]);
}

static void refuses(struct gcnsim_sum *sum, const struct gcnsim_result *r, const char *part)
{
    struct gcnsim_error e = {0};

    assert_int_equal(gcnsim_sum_add(sum, r, &e), GCNSIM_ERROR_USAGE);
    expect_line(e.text, part);
}

static void what_cannot_be_added(void **state)
{
    struct gcnsim_error e = {0};
    struct gcnsim_sum *sum;
    char *text;

    (void)state;
    NEED_CLANG();
    make_runs();
    assert_int_equal(gcnsim_sum_open(&sum, &e), GCNSIM_OK);
    assert_int_equal(gcnsim_sum_annotated(sum, NULL, &text, &e), GCNSIM_ERROR_USAGE);
    expect_line(e.text, "no run has been added");
    assert_int_equal(gcnsim_sum_instructions_csv(sum, 1, 0, &text, &e), GCNSIM_ERROR_USAGE);
    refuses(sum, uncounted, "did not count for each instruction");
    assert_int_equal(gcnsim_sum_add(sum, run_of[0], &e), GCNSIM_OK);
    char *before = table_of(sum);
    refuses(sum, uncounted, "did not count for each instruction");
    refuses(sum, on_other_profile, "of other code, or on another profile");
    char *after = table_of(sum);
    assert_string_equal(before, after);
    assert_int_equal(gcnsim_sum_launches(sum), 1);
    gcnsim_free(before);
    gcnsim_free(after);
    gcnsim_sum_free(sum);
    gcnsim_sum_free(NULL);
}

static int tear_down(void **state)
{
    for (size_t k = 0; k < RUNS; k++)
        gcnsim_result_free(run_of[k]);
    gcnsim_result_free(uncounted);
    gcnsim_result_free(on_other_profile);
    return cli_teardown(state);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_of_one_kernel),
        cmocka_unit_test(launches_of_several_kernels),
        cmocka_unit_test(loops_are_together),
        cmocka_unit_test(what_cannot_be_added),
    };

    return cmocka_run_group_tests(tests, cli_setup, tear_down);
}

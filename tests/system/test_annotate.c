/* Annotated code: what stands in the text, the CSV and the listing adds up to the run's statistics, on every sample and
 * on several profiles; sources, inlined calls and loops are those of the program; options and their errors. */
#define _GNU_SOURCE
#include "tests/system/cli_report.h"
#include "tests/system/cli_run.h"

#include <glob.h>
#include <math.h>

#include "tests/support/run_sample.h"
#include "tests/support/toolchain.h"

#define SAMPLES "traces/samples/"
#define SOFTMAX SAMPLES "gfx1201/softmax.g.json"

static uint32_t column(const char *name)
{
    uint32_t c = UINT32_MAX;

    assert_int_equal(gcnsim_instruction_find_column(name, &c), GCNSIM_OK);
    return c;
}

static double stat_of(const struct gcnsim_result *r, const char *name)
{
    double v = 0;

    gcnsim_result_stat(r, name, &v);
    return v;
}

static double sum_of(const struct gcnsim_listing *l, const char *name)
{
    uint32_t c = column(name);
    double sum = 0;

    for (size_t k = 0; k < l->instruction_count; k++)
        sum += (double)l->instructions[k].values[c];
    return sum;
}

/* The listing has all of the run, in order, and its indices are inside. */
static void listing_adds_up(const struct gcnsim_result *r)
{
    const struct gcnsim_listing *l = gcnsim_result_listing(r);
    size_t reached = 0;

    assert_non_null(l);
    assert_true(sum_of(l, "executed") == stat_of(r, "instructions.total"));
    for (size_t k = 0; k < r->stat_count; k++) {
        char key[80];

        if (strncmp(r->stats[k].name, "stall_cycles.", 13) != 0)
            continue;
        snprintf(key, sizeof key, "cycles.%s", r->stats[k].name + 13);
        assert_true(sum_of(l, key) == r->stats[k].value);
    }
    for (size_t k = 0; k < l->instruction_count; k++) {
        const struct gcnsim_listed *i = &l->instructions[k];

        assert_true(!k || i->pc > l->instructions[k - 1].pc);
        assert_true(i->function < l->function_count);
        assert_true(i->loop == GCNSIM_LISTING_NONE || i->loop < l->loop_count);
        assert_true(i->target == GCNSIM_LISTING_NONE || i->target < l->instruction_count);
        reached += i->reached != 0;
    }
    assert_int_equal(reached, r->instruction_count);
    for (size_t k = 0; k < l->loop_count; k++) {
        const struct gcnsim_listed_loop *loop = &l->loops[k];

        assert_true(loop->first <= loop->header && loop->header <= loop->last && loop->last < l->instruction_count);
        assert_true(!k || loop->header > l->loops[k - 1].header);
        assert_true(loop->parent == GCNSIM_LISTING_NONE ? loop->depth == 1
                                                        : loop->depth == l->loops[loop->parent].depth + 1);
        assert_true(!loop->entries_known || loop->entries <= loop->iterations);
    }
}

/* No line is too long, and nothing is in it that a terminal obeys. */
static void text_is_plain(const char *text)
{
    for (const char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n"), columns = 0;

        for (size_t k = 0; k < bytes; k++) {
            assert_true((unsigned char)line[k] >= 0x20 && line[k] != 0x7f);
            columns += ((unsigned char)line[k] & 0xc0) != 0x80;
        }
        assert_true(columns <= 120);
        line += bytes + (line[bytes] == '\n');
    }
}

/* Digits of a number with commas. */
static double cycles_at(const char *text)
{
    double v = 0;

    text += strspn(text, " ");
    for (; (*text >= '0' && *text <= '9') || *text == ','; text++)
        v = *text == ',' ? v : 10 * v + (*text - '0');
    return v;
}

/* The cycles of all instructions' lines are the run's: a number, a share, an offset. */
static void text_adds_up(const struct gcnsim_result *r)
{
    struct gcnsim_error e = {0};
    double cycles = 0, total = -1;
    char *text;

    if (gcnsim_result_annotated(r, NULL, &text, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    text_is_plain(text);
    for (const char *line = strstr(text, "latency  offset"); line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool row = strlen(line) > 55 && line[17] == '%' && line[11] == ' ';

        if (row && strncmp(line + 55, "all: ", 5) == 0)
            total = cycles_at(line);
        else if (row)
            cycles += cycles_at(line);
    }
    assert_true(cycles == stat_of(r, "resident_wave_cycles"));
    assert_true(total == cycles);
    gcnsim_free(text);
}

/* One field of a CSV line; advances *at after its comma. */
static void csv_field(const char **at, char *out, size_t room)
{
    const char *p = *at;
    size_t n = 0;
    bool quotes = *p == '"';

    for (p += quotes; *p && (quotes ? !(p[0] == '"' && p[1] != '"') : *p != ',' && *p != '\n'); p++) {
        p += quotes && *p == '"';
        assert_true(n + 1 < room);
        out[n++] = *p;
    }
    p += quotes;
    assert_true(*p == ',' || *p == '\n');
    out[n] = 0;
    *at = p + (*p == ',');
}

static void csv_adds_up(const struct gcnsim_result *r)
{
    static const char header[] = "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source,issued,launch,";
    const struct gcnsim_listing *l = gcnsim_result_listing(r);
    struct gcnsim_error e = {0};
    double hits = 0, reasons = 0, stall = 0, idle = 0;
    size_t rows = 0, names = 0;
    char *text, field[65536];

    if (gcnsim_result_instructions_csv(r, &text, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_memory_equal(text, header, strlen(header));
    for (const char *at = strchr(text, '\n') + 1; *at;) {
        double value[4];

        csv_field(&at, field, sizeof field);
        assert_string_equal(field, "1");
        csv_field(&at, field, sizeof field);
        csv_field(&at, field, sizeof field);
        names += field[0] == ';';
        rows += field[0] != ';';
        for (unsigned k = 0; k < 4; k++) {
            char digits[32];

            csv_field(&at, digits, sizeof digits);
            value[k] = cycles_at(digits);
        }
        assert_true(value[1] >= value[2]); /* latency: its own time besides */
        hits += value[0];
        stall += value[2];
        idle += value[3];
        csv_field(&at, field, sizeof field);
        while (*at && *at != '\n') {
            csv_field(&at, field, sizeof field);
            reasons += cycles_at(field);
        }
        at += *at == '\n';
    }
    assert_int_equal(rows, l->instruction_count);
    assert_true(names >= 1 && names <= l->function_count);
    assert_true(hits == stat_of(r, "instructions.total"));
    assert_true(reasons == stat_of(r, "resident_wave_cycles"));
    assert_true(stall + idle <= reasons);
    gcnsim_free(text);
}

static void every_sample_adds_up(void **state)
{
    const struct gcnsim_dispatch with = {.per_instruction = 1, .threads = 2};
    glob_t found;

    (void)state;
    assert_int_equal(glob("traces/samples/gfx*/*.json", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 20);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        struct gcnsim_result *r = run_sample_with(found.gl_pathv[k], &with);

        listing_adds_up(r);
        text_adds_up(r);
        csv_adds_up(r);
        gcnsim_result_free(r);
    }
    globfree(&found);
}

/* Other chips of the samples' targets, wave64 on RDNA, a limit. */
static void other_runs_add_up(void **state)
{
    static const struct {
        const char *path, *profile;
        uint64_t max_cycles;
    } runs[] = {
        {SAMPLES "gfx90a/softmax.g.json", "gfx90a-mi250", 0}, {SAMPLES "gfx1201/matmul.w64.json", NULL, 0},
        {SAMPLES "gfx1201/matmul.g.json", NULL, 900},         {SAMPLES "gfx90a/matmul.g.json", NULL, 2000},
        {SAMPLES "gfx803/matmul.json", "gfx803-rx480", 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const struct gcnsim_dispatch with = {.per_instruction = 1, .threads = 1, .max_cycles = runs[k].max_cycles};
        struct gcnsim_result *r = run_sample_on(runs[k].path, runs[k].profile, &with);

        assert_true((r->outcome == GCNSIM_LIMIT) == (runs[k].max_cycles != 0));
        listing_adds_up(r);
        text_adds_up(r);
        csv_adds_up(r);
        gcnsim_result_free(r);
    }
}

static void sources_and_loops_of_softmax(void **state)
{
    const struct gcnsim_dispatch with = {.per_instruction = 1, .threads = 1};
    struct gcnsim_result *r = run_sample_with(SOFTMAX, &with);
    const struct gcnsim_listing *l = gcnsim_result_listing(r);
    const struct gcnsim_listed *i = NULL;

    (void)state;
    assert_int_equal(l->function_count, 1);
    assert_string_equal(l->functions[0].name, "softmax");
    assert_true(l->functions[0].kernel);
    for (size_t k = 0; k < l->instruction_count; k++)
        if (l->instructions[k].pc_offset == 0x17c0)
            i = &l->instructions[k];
    assert_non_null(i);
    assert_int_equal(i->frame_count, 3);
    assert_string_equal(i->frames[0].function, "max_f32");
    assert_string_equal(i->frames[2].file, "traces/samples/softmax.cl");
    assert_int_equal(i->frames[2].line, 45);
    /* 200 columns, 128 lanes in 4 waves: 2 of them need a second round, of 8 rows, the third half of it */
    assert_int_equal(l->loop_count, 3);
    for (size_t k = 0; k < 3; k++) {
        assert_true(l->loops[k].entries_known);
        assert_int_equal(l->loops[k].entries, 32);
        assert_int_equal(l->loops[k].iterations, 56);
        assert_int_equal(l->loops[k].depth, 1);
    }
    assert_int_equal(l->loops[0].line, 43);
    gcnsim_result_free(r);
}

/* Two loops, one in the other, and a function that is called: three rounds of five, and one of two within each call. */
static const char nested[] =
    "\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n"
    "\ts_mov_b32 s20, 3\n.Louter:\n\ts_mov_b32 s21, 5\n.Linner:\n\ts_sub_i32 s21, s21, 1\n"
    "\ts_cmp_lg_u32 s21, 0\n\ts_cbranch_scc1 .Linner\n"
    "\ts_getpc_b64 s[30:31]\n\ts_add_u32 s30, s30, f@rel32@lo+4\n\ts_addc_u32 s31, s31, f@rel32@hi+12\n"
    "\ts_swappc_b64 s[30:31], s[30:31]\n"
    "\ts_sub_i32 s20, s20, 1\n\ts_cmp_lg_u32 s20, 0\n\ts_cbranch_scc1 .Louter\n\ts_endpgm\n"
    "\tv_mov_b32 v0, 1\n.Lend:\n\t.size k, .Lend-k\n"
    "\t.globl _ZN2ns1fEi\n\t.type _ZN2ns1fEi,@function\n_ZN2ns1fEi:\nf:\n\ts_mov_b32 s22, 2\n.Lf:\n\ts_sub_i32 s22, "
    "s22, 1\n"
    "\ts_cmp_lg_u32 s22, 0\n\ts_cbranch_scc1 .Lf\n\ts_setpc_b64 s[30:31]\n.Lfend:\n\t.size _ZN2ns1fEi, "
    ".Lfend-_ZN2ns1fEi\n"
    "\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_next_free_vgpr 4\n\t.amdhsa_next_free_sgpr 40\n"
    "%s\t.end_amdhsa_kernel\n";

static void nested_loops_on(const char *target, const char *more)
{
    char line[CLI_PATH + 256];
    FILE *f = fopen(cli_path("n.s"), "w");

    assert_non_null(f);
    fprintf(f, nested, more);
    fclose(f);
    snprintf(line, sizeof line, "cd %s && clang-19 -target amdgcn-amd-amdhsa -mcpu=%s n.s -o n.co >log 2>&1", cli_dir,
             target);
    if (system(line))
        fail_msg("failed: %s", line);
    struct said s = RUN("annotate", cli_path("n.co"), "--grid", "128", "--workgroup", "64", "--color", "never");
    assert_int_equal(s.status, 0);
    text_is_plain(s.out);
    expect_in(&s, s.out, "ns::f(int):");
    expect_in(&s, s.out, "depth 1: 6 iterations, entered 2 times, 3.0 each");
    expect_in(&s, s.out, "depth 2: 30 iterations, entered 6 times, 5.0 each");
    expect_in(&s, s.out, "depth 1: 12 iterations, entered 6 times, 2.0 each");
    expect_in(&s, s.out, "|| s_sub_i32 s21, s21, 1");
    expect_in(&s, s.out, "v_mov_b32_e32 v0, 1"); /* never executed */
    said_free(&s);
    s = RUN("annotate", cli_path("n.co"), "--grid", "128", "--workgroup", "64", "--function", "ns::f", "--top", "2");
    assert_int_equal(s.status, 0);
    assert_null(strstr(s.out, "s_swappc"));
    expect_in(&s, s.out, "more instructions");
    said_free(&s);
    s = RUN("annotate", cli_path("n.co"), "--grid", "64", "--workgroup", "64", "--function", "g(");
    assert_int_equal(s.status, 2); /* though it has run: which functions a kernel calls is known then */
    expect_in(&s, s.err, "no function \"g(\" was run; functions: k, ns::f(int)");
    said_free(&s);
}

static void nested_loops_and_calls(void **state)
{
    (void)state;
    NEED_CLANG();
    nested_loops_on("gfx90a", "\t.amdhsa_accum_offset 4\n");
    nested_loops_on("gfx942", "\t.amdhsa_accum_offset 4\n");
    nested_loops_on("gfx1100", "\t.amdhsa_wavefront_size32 0\n");
    nested_loops_on("gfx803", "");
}

/* Compiles a source in OpenCL C (cl) or C++ (cpp) to cli_dir/NAME.co for gfx1100, with line numbers. */
static void compile_with_lines(const char *name, const char *language, const char *source)
{
    char line[CLI_PATH + 256], file[64];

    snprintf(file, sizeof file, "%s.%s", name, language);
    FILE *f = fopen(cli_path(file), "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    snprintf(line, sizeof line,
             "cd %s && clang-19 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -O2 -g %s -o %s.co >log 2>&1",
             cli_dir, file, name);
    if (system(line))
        fail_msg("failed: %s", line);
}

/* Rows of places are not said again while the line is the same, in whatever column; *rows: how many there are. */
static void places_change(const char *text, unsigned *rows)
{
    char last[256] = "";

    *rows = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char row[256];
        int bytes = (int)strcspn(line, "\n");

        if (line[strspn(line, " ")] == ' ' || bytes > 200 || strncmp(line, "    ", 4) != 0 || line[4] == ' ')
            continue;
        if (strncmp(line + 4, "loop ", 5) == 0)
            continue;
        snprintf(row, sizeof row, "%.*s", bytes, line);
        assert_string_not_equal(row, last);
        snprintf(last, sizeof last, "%s", row);
        (*rows)++;
    }
}

/* A function that lies before the kernel has a loop that is entered after its first instruction. */
static void function_before_the_kernel(void **state)
{
    static const char source[] =
        "__attribute__((noinline)) uint collatz(uint n)\n{\n    uint steps = 0;\n"
        "    while (n != 1 && steps < 500) {\n        n = (n & 1) ? 3 * n + 1 : n / 2;\n"
        "        steps++;\n    }\n    return steps;\n}\n"
        "kernel void k(global uint *p, uint n)\n{\n"
        "    uint i = __builtin_amdgcn_workitem_id_x(), s = 0;\n"
        "    for (uint j = 0; j < n; j++)\n        s += collatz(i + 6 + j);\n    p[i] = s;\n}\n";
    unsigned rows;

    (void)state;
    NEED_CLANG();
    compile_with_lines("c", "cl", source);
    struct said s = RUN("annotate", cli_path("c.co"), "--grid", "32", "--workgroup", "32", "--arg", "buf:256", "--arg",
                        "u32:3", "--sort", "pc");
    assert_int_equal(s.status, 0);
    text_is_plain(s.out);
    const char *callee = strstr(s.out, "\ncollatz:"), *kernel = strstr(s.out, "\nk:");
    assert_true(callee && kernel && callee < kernel);
    const char *loop = strstr(callee, "    loop to ");
    assert_true(loop && loop < kernel && strstr(loop, ", entered at ") && strstr(loop, ", entered at ") < kernel);
    expect_in(&s, kernel, "depth 1: 3 iterations, entered 1 times, 3.0 each");
    places_change(callee, &rows);
    assert_true(rows > 10);
    said_free(&s);
}

/* Instances of a template are told apart as C++ has them; functions that are called through pointers
 * are found because waves come to them. */
static void templates_and_pointers(void **state)
{
    static const char source[] =
        "typedef float (*op)(float, float);\n__attribute__((noinline)) float add(float a, float b) { return a + b; }\n"
        "__attribute__((noinline)) float mul(float a, float b) { return a * b; }\n"
        "template <typename T> __attribute__((amdgpu_kernel)) void tk(T *out, unsigned n)\n{\n"
        "    op ops[2] = {add, mul};\n    T x = 1;\n    for (unsigned k = 0; k < n; k++)\n"
        "        x = ops[k & 1](x, 1.5f);\n    out[__builtin_amdgcn_workitem_id_x()] = x;\n}\n"
        "template __attribute__((amdgpu_kernel)) void tk<float>(float *, unsigned);\n"
        "template __attribute__((amdgpu_kernel)) void tk<double>(double *, unsigned);\n";

    (void)state;
    NEED_CLANG();
    compile_with_lines("t", "cpp", source);
    expect_refused(RUN("annotate", cli_path("t.co"), "--kernel", "tk", "--grid", "32"),
                   WORDS("2 kernels match \"tk\"", "void tk<float>(float*, unsigned int), void tk<double>(double*, "));
    struct said s = RUN("annotate", cli_path("t.co"), "--kernel", "tk<double>", "--grid", "32", "--workgroup", "32",
                        "--arg", "buf:256", "--arg", "u32:5");
    assert_int_equal(s.status, 0);
    text_is_plain(s.out);
    expect_in(&s, s.out, "kernel     void tk<double>(double*, unsigned int)\n");
    expect_in(&s, s.out, "\nadd(float, float):\n");
    expect_in(&s, s.out, "\nmul(float, float):\n");
    expect_in(&s, s.out, "5 iterations, entered 1 times, 5.0 each");
    said_free(&s);
}

/* A fault in an inlined function names the calls; what the run counted up to there adds up. */
static void fault_in_an_inlined_call(void **state)
{
    static const char source[] = "static int peek(global int *p, int i)\n{\n    return p[i * 1000000];\n}\n"
                                 "static int twice(global int *p)\n{\n    return peek(p, 3) + 1;\n}\n"
                                 "kernel void k(global int *p)\n{\n    p[0] = twice(p);\n}\n";

    (void)state;
    NEED_CLANG();
    compile_with_lines("f", "cl", source);
    struct said s = RUN("run", cli_path("f.co"), "--grid", "64", "--workgroup", "64", "--arg", "buf:256", "--annotate",
                        "--json", cli_path("f.json"));
    assert_int_equal(s.status, 1);
    expect_in(&s, s.out, "f.cl:3\n                in peek\n                inlined at ");
    expect_in(&s, s.out, "f.cl:7\n                in twice\n                inlined at ");
    expect_in(&s, s.out, "f.cl:11\n                in k\n");
    expect_in(&s, s.out, "f.cl:3 peek <- f.cl:7 twice <- f.cl:11 k | return p[i * 1000000];");
    expect_in(&s, s.out, "ended      early: memory fault");
    expect_in(&s, s.out, "all: the run's wave-cycles and instructions");
    said_free(&s);
}

/* So does what --check finds: the store has a frame of its own, the load is in a call within a call. */
static void finding_in_an_inlined_call(void **state)
{
    static const char source[] =
        "static int peek(local int *t, int i)\n{\n    return t[63 - i] + 1;\n}\n"
        "static int twice(local int *t, int i)\n{\n    return 2 * peek(t, i);\n}\n"
        "kernel void k(global int *p)\n{\n    local int t[64];\n    int i = __builtin_amdgcn_workitem_id_x();\n"
        "    t[i] = p[i];\n    p[i] = twice(t, i);\n    *(volatile local int *)&t[i] = 0;\n}\n";
    static const char launch[] = "{\"file\": \"race.co\", \"kernel\": \"k\", \"grid\": [64], \"workgroup\": [64], "
                                 "\"args\": [\"buf:256\"]}";
    static const struct {
        const char *function;
        uint32_t line;
    } frames[] = {{"peek", 3}, {"twice", 7}, {"k", 14}};
    const struct gcnsim_dispatch check = {.check = 1, .threads = 1};
    uint32_t count, reads = 0, writes = 0;

    (void)state;
    NEED_CLANG();
    compile_with_lines("race", "cl", source);
    struct said s = RUN("run", cli_path("race.co"), "--grid", "64", "--workgroup", "64", "--arg", "buf:256", "--check");
    assert_int_equal(s.status, 1);
    expect_in(&s, s.out, "race.cl:3\n                  in peek\n                  inlined at ");
    expect_in(&s, s.out, "race.cl:14\n                  in k\n");
    said_free(&s);
    FILE *f = fopen(cli_path("race.json"), "w");
    assert_non_null(f);
    fputs(launch, f);
    fclose(f);
    struct gcnsim_result *r = run_sample_with(cli_path("race.json"), &check);
    for (uint32_t k = 0; k < r->finding_count; k++) {
        const struct gcnsim_frame *at = gcnsim_finding_frames(r, k, &count);

        if (strstr(r->findings[k].instruction, "ds_store")) {
            assert_int_equal(count, 1);
            assert_int_equal(at->line, 15);
            writes++;
            continue;
        }
        assert_int_equal(count, 3);
        for (unsigned n = 0; n < 3; n++) {
            assert_string_equal(at[n].function, frames[n].function);
            assert_int_equal(at[n].line, frames[n].line);
            assert_non_null(strstr(at[n].file, "race.cl"));
        }
        reads++;
    }
    assert_true(reads && writes);
    assert_null(gcnsim_finding_frames(r, r->finding_count, &count));
    gcnsim_result_free(r);
}

static void options_of_the_view(void **state)
{
    static const char *const sorts[] = {"pc", "cycles", "executed", "latency", "stall"};
    struct said s;

    (void)state;
    for (size_t k = 0; k < sizeof sorts / sizeof sorts[0]; k++) {
        s = RUN("annotate", SOFTMAX, "--sort", sorts[k], "--top", "5");
        assert_int_equal(s.status, 0);
        text_is_plain(s.out);
        expect_in(&s, s.out, "more instructions");
        said_free(&s);
    }
    s = RUN("annotate", SOFTMAX, "--color", "always");
    assert_int_equal(s.status, 0);
    expect_in(&s, s.out, "\033[");
    said_free(&s);
    s = RUN("annotate", SOFTMAX);
    assert_null(strstr(s.out, "\033"));
    assert_null(strstr(s.out, "\nStalls, of "));
    expect_in(&s, s.out, "softmax.cl:14 max_f32 <- softmax.cl:44 softmax | return __builtin_fmaxf(a, b);");
    said_free(&s);
    s = RUN("run", SOFTMAX, "--annotate");
    expect_in(&s, s.out, "\nStalls, of ");
    expect_in(&s, s.out, "By     cycles");
    said_free(&s);
    s = RUN("annotate", SOFTMAX, "--csv", "-");
    assert_memory_equal(s.out, "CodeObj,Vaddr,", 14);
    expect_in(&s, s.out, "1,5888,\"; softmax\",0,0,0,0,\"softmax\",0");
    expect_in(&s, s.out, "\"traces/samples/softmax.cl:14 -> traces/samples/softmax.cl:44\"");
    said_free(&s);
    s = RUN("run", SOFTMAX, "--csv", "instructions=-");
    assert_memory_equal(s.out, "CodeObj,Vaddr,", 14);
    said_free(&s);
    s = RUN("run", SOFTMAX, "--csv", "statistics=-");
    assert_memory_equal(s.out, "name,unit,value\n", 16);
    said_free(&s);
    s = RUN("annotate", SOFTMAX, "--csv", cli_path("quiet.csv"), "--quiet");
    assert_int_equal(s.status, 0);
    assert_string_equal(s.out, "");
    said_free(&s);
    expect_refused(RUN("annotate", SOFTMAX, "--engine", "functional"), WORDS("timing engine"));
    expect_refused(RUN("run", SOFTMAX, "--top", "3"), WORDS("--top", "--annotate"));
    expect_refused(RUN("run", SOFTMAX, "--timeline", "9999:0"),
                   WORDS("softmax has workgroups 0 to ", "with waves 0 to 3"));
    expect_refused(RUN("run", SOFTMAX, "--timeline", "0:4"), WORDS("with waves 0 to 3"));
    expect_refused(RUN("annotate", SOFTMAX, "--sort", "size"), WORDS("--sort", "size"));
}

/* A source in another encoding than UTF-8, with a control character of eight bits, and a line that is cut within. */
static void source_that_is_no_utf8(void **state)
{
    char source[1024];

    (void)state;
    NEED_CLANG();
    int n = snprintf(source, sizeof source,
                     "kernel void k(global int *p)\n{\n    p[0] = 1; /* gr\xfc\xdf \x9b"
                     "31m \xc3\xa4 ");
    for (int k = 0; k < 120; k++)
        n += snprintf(source + n, sizeof source - (size_t)n, "\xe2\x82\xac");
    snprintf(source + n, sizeof source - (size_t)n, " */\n}\n");
    compile_with_lines("l", "cl", source);
    struct said s = RUN("annotate", cli_path("l.co"), "--grid", "32", "--workgroup", "32", "--arg", "buf:256");
    assert_int_equal(s.status, 0);
    text_is_plain(s.out);
    expect_in(&s, s.out, "| p[0] = 1; /* gr?? ?31m \xc3\xa4 \xe2\x82\xac");
    assert_null(strchr(s.out, '\xfc'));
    said_free(&s);
}

/* Names of a code object that a terminal would obey, and a source file that is a folder. */
static void hostile_names(void **state)
{
    size_t bytes;
    char *co = read_whole(SAMPLES "gfx1201/softmax.g.co", &bytes);

    (void)state;
    assert_non_null(co);
    char *name = memmem(co, bytes, "half_max", 9), *file = memmem(co, bytes, "traces/samples/softmax.cl", 26);
    assert_true(name && file);
    memcpy(name, "\033[31mAB\a", 8);
    memcpy(file, "traces/samples", 15);
    FILE *f = fopen(cli_path("softmax.co"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(co, 1, bytes, f), bytes);
    fclose(f);
    free(co);
    struct said s = RUN("annotate", cli_path("softmax.co"), "--grid", "128", "--workgroup", "128", "--arg", "buf:8000",
                        "--arg", "buf:8000", "--arg", "u32:200");
    assert_int_equal(s.status, 0);
    text_is_plain(s.out);
    expect_in(&s, s.out, "?[31mAB?");
    said_free(&s);
}

static void errors_of_the_library(void **state)
{
    const struct gcnsim_dispatch plain = {.threads = 1}, with = {.threads = 1, .per_instruction = 1};
    struct gcnsim_result *without = run_sample_with(SOFTMAX, &plain), *r = run_sample_with(SOFTMAX, &with);
    struct gcnsim_annotate a;
    struct gcnsim_error e = {0};
    uint32_t count = 7;
    char *text = NULL;

    (void)state;
    assert_null(gcnsim_result_listing(without));
    assert_int_equal(gcnsim_result_annotated(without, NULL, &text, &e), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_result_instructions_csv(without, &text, &e), GCNSIM_ERROR_USAGE);
    assert_null(gcnsim_fault_frames(r, &count));
    assert_int_equal(count, 0);
    assert_null(gcnsim_finding_frames(r, 0, &count));
    gcnsim_annotate_init(&a);
    a.sort = (enum gcnsim_sort)9;
    assert_int_equal(gcnsim_result_annotated(r, &a, &text, &e), GCNSIM_ERROR_USAGE);
    a.sort = GCNSIM_SORT_PC;
    a.struct_bytes = 3;
    assert_int_equal(gcnsim_result_annotated(r, &a, &text, &e), GCNSIM_ERROR_USAGE);
    assert_null(text);
    gcnsim_result_free(without);
    gcnsim_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_adds_up),
        cmocka_unit_test(other_runs_add_up),
        cmocka_unit_test(sources_and_loops_of_softmax),
        cmocka_unit_test(nested_loops_and_calls),
        cmocka_unit_test(function_before_the_kernel),
        cmocka_unit_test(templates_and_pointers),
        cmocka_unit_test(fault_in_an_inlined_call),
        cmocka_unit_test(finding_in_an_inlined_call),
        cmocka_unit_test(options_of_the_view),
        cmocka_unit_test(source_that_is_no_utf8),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(errors_of_the_library),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

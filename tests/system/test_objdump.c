/* `gcnsim disasm FILE` against llvm-objdump-19 over every sample, and against llvm-objdump 22 over code that clang 22
 * makes for gfx950 and gfx1250: the same instructions at the same addresses with the same words. llvm-objdump appends
 * branch targets in <>, and on gfx1250 the number that s_set_vgpr_msb makes of a register's, which gcnsim does not
 * print.
 */
#include "tests/system/cli_run.h"

/* Next line that holds an instruction: its text with single blanks, and what follows "//". Null at the end. */
struct line {
    char text[512];
    char place[128];
};

static const char *next_line(const char *p, struct line *l)
{
    while (*p) {
        size_t len = strcspn(p, "\n");
        const char *comment = NULL;
        for (size_t i = 0; i + 2 < len; i++)
            if (p[i] == '/' && p[i + 1] == '/')
                comment = p + i;
        const char *rest = p + len + (p[len] == '\n');
        if (comment && (*p == ' ' || *p == '\t')) {
            size_t n = 0;
            for (const char *c = p; c < comment && n + 2 < sizeof l->text; c++) {
                bool blank = *c == ' ' || *c == '\t';
                if (!blank)
                    l->text[n++] = *c;
                else if (n && l->text[n - 1] != ' ')
                    l->text[n++] = ' ';
            }
            while (n && l->text[n - 1] == ' ')
                n--;
            l->text[n] = 0;
            comment += 2 + strspn(comment + 2, " ");
            size_t end = 0;
            while (comment + end < p + len && comment[end] != '<')
                end++;
            while (end && comment[end - 1] == ' ')
                end--;
            snprintf(l->place, sizeof l->place, "%.*s", (int)end, comment);
            return rest;
        }
        p = rest;
    }
    return NULL;
}

/* Comments on registers: v297 where the text has v41. */
static unsigned count_numbers(const char *text)
{
    unsigned n = 0;

    for (const char *p = text; (p = strstr(p, " /*v")) != NULL; p++)
        n++;
    return n;
}

/* Number of instructions compared. numbered: counts the registers of which llvm-objdump prints the number. */
static unsigned compare_with(const char *const *objdump, const char *file, unsigned *numbered)
{
    size_t bytes;
    struct said s = RUN("disasm", "--strict", file);
    expect_status(&s, 0);
    int status = spawn_tool(objdump, cli_path("objdump"));
    assert_int_equal(status, 0);
    char *dump = read_whole(cli_path("objdump"), &bytes);
    assert_non_null(dump);

    const char *ours = s.out, *theirs = dump;
    unsigned count = 0;
    struct line a, b;
    for (;; count++) {
        ours = next_line(ours, &a);
        theirs = next_line(theirs, &b);
        if (!ours || !theirs)
            break;
        *numbered += count_numbers(b.text);
        if (strcmp(a.text, b.text) != 0 || strcmp(a.place, b.place) != 0) {
            print_error("%s\n  gcnsim:       %s // %s\n  llvm-objdump: %s // %s\n", file, a.text, a.place, b.text,
                        b.place);
            fail();
        }
    }
    if (ours || theirs) {
        print_error("%s: %s has more than %u instructions\n", file, ours ? "gcnsim" : "llvm-objdump", count);
        fail();
    }
    free(dump);
    said_free(&s);
    return count;
}

static unsigned compare(const char *file)
{
    unsigned numbered = 0, n = compare_with((const char *[]){"llvm-objdump-19", "-d", file, NULL}, file, &numbered);

    assert_int_equal(numbered, 0);
    return n;
}

static void test_llvm22(void **state)
{
    const char *target = *state;
    char cpu[32], object[300];
    unsigned numbered = 0;
    const bool msb = !strcmp(target, "gfx1250");

    if (!has_llvm22()) {
        print_message("skipped: no clang of LLVM 22\n");
        skip();
    }
    snprintf(cpu, sizeof cpu, "-mcpu=%s", target);
    snprintf(object, sizeof object, "%s", cli_path("llvm22.co"));
    assert_int_equal(
        spawn_tool((const char *[]){"sh", "tests/llvm22.sh", "clang", "--target=amdgcn-amd-amdhsa", cpu, "-nogpulib",
                                    "-O2", "tests/system/kernels/objdump/kernels.c", "-o", object, NULL},
                   cli_path("log")),
        0);
    unsigned n = compare_with((const char *[]){"sh", "tests/llvm22.sh", "llvm-objdump", "-d",
                                               msb ? "--mattr=+real-true16" : "--mattr=", object, NULL},
                              object, &numbered);
    print_message("%s: %u instructions, %u registers past v255\n", target, n, numbered);
    assert_true(n > 3000);
    assert_true(msb ? numbered > 500 : numbered == 0);
}

static void test_samples(void **state)
{
    const char *target = *state;
    char folder[128];
    if (spawn_tool((const char *[]){"llvm-objdump-19", "--version", NULL}, "/dev/null") != 0) {
        print_message("skipped: no llvm-objdump-19\n");
        skip();
    }
    snprintf(folder, sizeof folder, "traces/samples/%s", target);
    assert_int_equal(spawn_tool((const char *[]){"find", folder, "-name", "*.co", NULL}, cli_path("list")), 0);
    size_t bytes;
    char *list = read_whole(cli_path("list"), &bytes), *save;
    assert_non_null(list);
    unsigned files = 0, instructions = 0;
    for (char *f = strtok_r(list, "\n", &save); f; f = strtok_r(NULL, "\n", &save), files++)
        instructions += compare(f);
    assert_true(files >= 10);
    assert_true(instructions > 1000);
    print_message("%s: %u instructions of %u files\n", target, instructions, files);
    free(list);
}

/* Zeros from eight bytes on are padding, wherever they stand; fewer are an instruction. */
static void test_padding(void **state)
{
    static const char text[] = "v_mov_b32 v0, 1\n.long 0\ns_endpgm\n.fill 60, 4, 0\n"
                               "f:\nv_mov_b32 v1, 2\n.long 0, 0, 0\ns_nop 0\ns_setpc_b64 s[30:31]\n.long 0, 0\n";
    char source[300], object[300];
    (void)state;
    if (spawn_tool((const char *[]){"clang-19", "--version", NULL}, "/dev/null") != 0 ||
        spawn_tool((const char *[]){"llvm-objdump-19", "--version", NULL}, "/dev/null") != 0) {
        print_message("skipped: no clang-19 and llvm-objdump-19\n");
        skip();
    }
    snprintf(source, sizeof source, "%s", cli_path("pad.s"));
    snprintf(object, sizeof object, "%s", cli_path("pad.co"));
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    fprintf(f, ".type k,@function\nk:\n%s.type f,@function\n", text);
    fclose(f);
    assert_int_equal(spawn_tool((const char *[]){"clang-19", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib",
                                                 source, "-o", object, NULL},
                                cli_path("log")),
                     0);
    assert_int_equal(compare(object), 6);
    struct said s = RUN("disasm", "--strict", object, "--zeros");
    unsigned lines = 0;
    for (const char *at = s.out; (at = strstr(at, " // ")); at++)
        lines++;
    assert_int_equal(lines, 6 + 60 + 3 + 2);
    assert_null(strstr(s.out, "..."));
    said_free(&s);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_samples, "gfx803"),  cmocka_unit_test_prestate(test_samples, "gfx90a"),
        cmocka_unit_test_prestate(test_samples, "gfx1201"), cmocka_unit_test_prestate(test_llvm22, "gfx950"),
        cmocka_unit_test_prestate(test_llvm22, "gfx1250"),  cmocka_unit_test(test_padding),
    };
    return cmocka_run_group_tests_name("disassembly beside llvm-objdump", tests, cli_setup, cli_teardown);
}

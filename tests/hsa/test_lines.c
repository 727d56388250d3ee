/* Source lines by a libdw that is loaded (sim/loader/libdw.h) are those of the one that is linked, and where there is
 * none a fault is reported without its line. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libgen.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"
#include "tests/system/spawn_tool.h"

/* The load at line 3 misses every buffer. */
static const char source[] = "__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) int *p) {\n"
                             "  int i = __builtin_amdgcn_workitem_id_x();\n"
                             "  p[i] = p[i + 1000000];\n"
                             "}\n";

static char code[4200], text[4200], loaded[4200];

static char *said(const char *tool)
{
    char log[4200];
    size_t bytes;

    snprintf(log, sizeof log, "%s/log", program_folder());
    assert_int_equal(spawn_tool((const char *const[]){tool, "run", code, "--kernel", "k", "--grid", "64", "--workgroup",
                                                      "64", "--arg", "buf:256", "--progress", "never", NULL},
                                log),
                     1);
    char *s = read_whole(log, &bytes);
    assert_non_null(s);
    return s;
}

static void compile(void)
{
    char log[4200];

    snprintf(text, sizeof text, "%s/k.c", program_folder());
    snprintf(code, sizeof code, "%s/k.co", program_folder());
    snprintf(log, sizeof log, "%s/log", program_folder());
    FILE *f = fopen(text, "w");
    assert_true(f && fputs(source, f) >= 0 && !fclose(f));
    assert_int_equal(spawn_tool((const char *const[]){"clang-19", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a",
                                                      "-nogpulib", "-g", "-O1", text, "-o", code, NULL},
                                log),
                     0);
}

static void a_loaded_libdw_tells_the_same(void **state)
{
    char line[4300];

    (void)state;
    NEED_CLANG();
    compile();
    snprintf(line, sizeof line, "  source        %s:3\n", text);
    char *linked = said(getenv("GCNSIM")), *other = said(loaded);
    assert_non_null(strstr(linked, line));
    assert_non_null(strstr(other, line));
    free(linked);
    free(other);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(a_loaded_libdw_tells_the_same)};
    char path[4000];

    if (!getenv("GCNSIM"))
        setenv("GCNSIM", "build/gcnsim", 1);
    snprintf(path, sizeof path, "%s", getenv("GCNSIM"));
    snprintf(loaded, sizeof loaded, "%s/tests/hsa/gcnsim-loaded", dirname(path));
    return cmocka_run_group_tests(tests, NULL, NULL);
}

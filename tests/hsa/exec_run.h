/* Programs that tests/hsa/programs.mk makes, run by gcnsim exec. Header-only. */
#ifndef TESTS_HSA_EXEC_RUN_H
#define TESTS_HSA_EXEC_RUN_H

#include <libgen.h>

#include "tests/support/toolchain.h"
#include "tests/system/cli_run.h"

/* Its path, in a buffer for each of a few; null: it was not made. */
static inline const char *hsa_program(const char *name)
{
    static char paths[8][CLI_PATH + 64];
    static unsigned next;
    char tool[CLI_PATH], *path = paths[next++ % 8];

    snprintf(tool, sizeof tool, "%s", cli_tool());
    snprintf(path, sizeof paths[0], "%s/tests/hsa/programs/%s", dirname(tool), name);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* Ends the test as skipped where the toolchain of the program is of no use, and as failed where it is and the program
 * is not there all the same. */
#define NEED_PROGRAM(toolchain, name)                                                                                  \
    do {                                                                                                               \
        if (!hsa_program(name)) {                                                                                      \
            NEED_TOOLCHAIN(toolchain);                                                                                 \
            fail_msg("%s is not made", name);                                                                          \
        }                                                                                                              \
    } while (0)

/* Programs find OpenMP's runtimes where the compiler does. */
static inline void set_openmp_path(void)
{
    char folder[CLI_PATH] = "";
    FILE *f = popen("clang-19 -print-file-name=libomptarget.so", "r");

    assert_non_null(f);
    assert_non_null(fgets(folder, sizeof folder, f));
    pclose(f);
    folder[strcspn(folder, "\n")] = 0;
    assert_int_equal(setenv("LD_LIBRARY_PATH", dirname(folder), 1), 0);
}

static inline void expect_not_in(const struct said *s, const char *text, const char *word)
{
    if (strstr(text, word)) {
        said_show(s);
        fail_msg("not expected to find: %s", word);
    }
}

#endif

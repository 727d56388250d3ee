/* Whether clang-19 makes amdgcn code objects on this machine, for tests that compile. tests/deps.sh knows: the compiler
 * alone is not enough, it also needs a linker of its own version. Header-only; run from the repository's root.
 */
#ifndef GCNSIM_TESTS_TOOLCHAIN_H
#define GCNSIM_TESTS_TOOLCHAIN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Null when it does, else one line that says why not. */
static inline const char *why_no_clang(void)
{
    static char why[512];
    static bool asked, usable;

    if (!asked) {
        FILE *f = popen("sh tests/deps.sh --why clang", "r");
        if (!f)
            abort();
        if (!fgets(why, sizeof why, f))
            snprintf(why, sizeof why, "tests/deps.sh --why clang says nothing");
        why[strcspn(why, "\n")] = 0;
        usable = pclose(f) == 0;
        asked = true;
    }
    return usable ? NULL : why;
}

/* Ends the test as skipped, visibly, when it does not. */
#define NEED_CLANG()                                                                                                   \
    do {                                                                                                               \
        const char *why_ = why_no_clang();                                                                             \
        if (why_) {                                                                                                    \
            print_message("skipped: %s\n", why_);                                                                      \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif

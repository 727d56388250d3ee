/* Whether compilers make amdgcn code, HIP programs or programs with OpenMP target regions on this machine, and whether
 * programs run on ranks of MPI or under Slurm, for tests
 * that need them. tests/deps.sh knows: a compiler alone is not enough, it also needs a linker of its own version, or a
 * runtime. Header-only; run from the repository's root.
 */
#ifndef GCNSIM_TESTS_TOOLCHAIN_H
#define GCNSIM_TESTS_TOOLCHAIN_H

#include <elfutils/version.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum toolchain { TOOLCHAIN_CLANG, TOOLCHAIN_HIP, TOOLCHAIN_OPENMP, TOOLCHAIN_MPI, TOOLCHAIN_SLURM, TOOLCHAINS };

/* Null when it does, else one line that says why not. */
static inline const char *why_no_toolchain(enum toolchain t)
{
    static const char *const names[TOOLCHAINS] = {"clang", "hip", "openmp", "mpi", "slurm"};
    static char why[TOOLCHAINS][512];
    static bool asked[TOOLCHAINS], usable[TOOLCHAINS];
    char command[64];

    if (!asked[t]) {
        snprintf(command, sizeof command, "sh tests/deps.sh --why %s", names[t]);
        FILE *f = popen(command, "r");
        if (!f)
            abort();
        if (!fgets(why[t], sizeof why[t], f))
            snprintf(why[t], sizeof why[t], "%s says nothing", command);
        why[t][strcspn(why[t], "\n")] = 0;
        usable[t] = pclose(f) == 0;
        asked[t] = true;
    }
    return usable[t] ? NULL : why[t];
}

static inline const char *why_no_clang(void)
{
    return why_no_toolchain(TOOLCHAIN_CLANG);
}

/* Ends the test as skipped, visibly, when it does not. */
#define NEED_TOOLCHAIN(which)                                                                                          \
    do {                                                                                                               \
        const char *why_ = why_no_toolchain(which);                                                                    \
        if (why_) {                                                                                                    \
            print_message("skipped: %s\n", why_);                                                                      \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)
#define NEED_CLANG()  NEED_TOOLCHAIN(TOOLCHAIN_CLANG)
#define NEED_HIP()    NEED_TOOLCHAIN(TOOLCHAIN_HIP)
#define NEED_OPENMP() NEED_TOOLCHAIN(TOOLCHAIN_OPENMP)
#define NEED_MPI()    NEED_TOOLCHAIN(TOOLCHAIN_MPI)
#define NEED_SLURM()  NEED_TOOLCHAIN(TOOLCHAIN_SLURM)

/* Line tables of 64-bit DWARF are an error to libdw 0.192 and 0.196, whoever wrote them; 0.188 reads them. */
#if _ELFUTILS_PREREQ(0, 189)
#define CLANG_DWARF64 "-gdwarf32"
#else
#define CLANG_DWARF64 "-gdwarf64"
#endif

#endif

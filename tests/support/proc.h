/* Whether /proc is mounted, for tests that learn something from it, and where this program is. Header-only. */
#ifndef GCNSIM_TESTS_PROC_H
#define GCNSIM_TESTS_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static inline bool proc_is_mounted(void)
{
    return access("/proc/self/exe", F_OK) == 0;
}

/* Ends the test as skipped, visibly, when it is not: in a bare chroot. */
#define NEED_PROC()                                                                                                    \
    do {                                                                                                               \
        if (!proc_is_mounted()) {                                                                                      \
            print_message("skipped: /proc is not mounted\n");                                                          \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* The path of this program; false: it is not known. Without /proc it is made of the name that the program was started
 * by, so it is asked for before anything changes the folder. */
static inline bool own_program(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    char *full = n > 0 || !name ? NULL : realpath(name, NULL);
    bool fits = full && strlen(full) < size;

    if (n > 0)
        path[n] = 0;
    else if (fits)
        strcpy(path, full);
    free(full);
    return n > 0 || fits;
}

#endif

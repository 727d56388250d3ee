/* As many processors as a test asks for, so that the engines start as many threads as it asks for on any host: for one
 * file of a program. Until then, and without it, the host's own. */
#ifndef GCNSIM_TESTS_PROCESSORS_H
#define GCNSIM_TESTS_PROCESSORS_H

#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned processors_shown; /* 0: those of the host */

/* In the place of the C library's, which the simulator calls, too. */
int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    long n = 0;

    memset(set, 0, bytes);
    if (!processors_shown)
        n = syscall(SYS_sched_getaffinity, pid, bytes, set);
    for (unsigned k = 0; k < processors_shown; k++)
        CPU_SET_S(k, bytes, set);
    return n < 0 ? -1 : 0;
}

#endif

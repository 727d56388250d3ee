/* Runs a program for a test: output into a file, no shell, and no time limit but that of tests/run.sh, because nobody
 * knows how fast the host is. Header-only; nothing but POSIX.
 */
#ifndef SPAWN_TOOL_H
#define SPAWN_TOOL_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SPAWN_FAILED = -1, SPAWN_SIGNAL = -3 };

/* Waits for a child. Its exit status, or a SPAWN_ code. */
static inline int spawn_wait(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return SPAWN_FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SPAWN_SIGNAL;
}

/* argv[0] is looked up in PATH when it has no slash; stdout and stderr go to the file `log`. Returns the exit status,
 * or SPAWN_FAILED (could not start), SPAWN_SIGNAL (crashed). */
static inline int spawn_tool(const char *const argv[], const char *log)
{
    posix_spawn_file_actions_t fa;
    pid_t pid;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&fa, 1, 2);
    int rc = posix_spawnp(&pid, argv[0], &fa, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    return rc ? SPAWN_FAILED : spawn_wait(pid);
}

/* Whether tools of LLVM 22 are about, which tests/llvm22.sh starts. */
static inline bool has_llvm22(void)
{
    return spawn_tool((const char *[]){"sh", "tests/llvm22.sh", "--why", NULL}, "/dev/null") == 0;
}

/* The whole file with a zero after it, to be freed; null when it cannot be read. */
static inline char *read_whole(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");

    *bytes = 0;
    if (!f)
        return NULL;
    char *buf = NULL;
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0 && (buf = malloc((size_t)size + 1)) != NULL) {
        *bytes = fread(buf, 1, (size_t)size, f);
        buf[*bytes] = 0;
    }
    fclose(f);
    return buf;
}

/* What a tool that failed has written to its log, on standard error after `name`. */
static inline void tell_log(const char *name, const char *log)
{
    size_t bytes;
    char *text = read_whole(log, &bytes);

    fprintf(stderr, "%s: %.2000s\n", name, text ? text : "");
    free(text);
}

/* Compiles OpenCL C with its built-in functions' header by clang-19, option being -O2, -DNAME ...; log is a file to
 * write into. Returns 0, or -1 after it has shown what the compiler said. */
static inline int compile_cl(const char *source, const char *target, const char *option, const char *out,
                             const char *log)
{
    char cpu[40];

    snprintf(cpu, sizeof cpu, "-mcpu=%s", target);
    const char *argv[] = {"clang-19", "-x",
                          "cl",       "-cl-std=CL2.0",
                          "-Xclang",  "-finclude-default-header",
                          "-target",  "amdgcn-amd-amdhsa",
                          cpu,        "-nogpulib",
                          "-O2", /* unless option is another one */
                          option,     "-o",
                          out,        source,
                          NULL};
    if (spawn_tool(argv, log) != 0) {
        tell_log(target, log);
        return -1;
    }
    unlink(log);
    return 0;
}

#endif

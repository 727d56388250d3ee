/* Kernels compiled twice from one C source by clang-19, for a target and for the host, and compared: the functional (or
 * timing) engine must write the words that the host's functions write. How such a source looks says
 * tests/system/kernels/diff/diff.h; who uses it: test_kernels.c (kernels written by hand), test_random_kernels.c
 * (generated ones).
 *
 * Every mismatch prints one line: kernel, target, options, first word that differs. Environment:
 * GCNSIM_KERNELS=NAME[,NAME] runs only kernels whose name starts so, GCNSIM_KERNEL_FLAGS="FLAG..." compiles for the
 * target with more flags, GCNSIM_KERNEL_CLANG=COMPILER with another compiler than clang-19, GCNSIM_KERNEL_ENGINE=timing
 * runs the other engine.
 */
#ifndef KERNEL_DIFF_H
#define KERNEL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { DIFF_PATH_BYTES = 4096 + 512, DIFF_MAX_KERNELS = 512 };

struct diff_target {
    const char *name;
    bool has_wave64_option; /* both wave sizes; the older ones have 64 alone */
    bool of_family;         /* stands for its family where not every build of every target is run */
};
/* The twelve that every kernel runs on. */
extern const struct diff_target diff_targets[];
extern const size_t diff_target_count;
/* Whether clang 22 compiles for it (tests/llvm22.sh), because clang 19 does not know it. */
bool diff_needs_llvm22(const char *target);

/* One run of the compiler for a target: source, level (-O0...) and the paths are the caller's to set by
 * diff_build_init(). */
struct diff_build {
    const char *target, *level, *source;
    bool wave64_option;
    const char *kernels;  /* the only ones to run, as GCNSIM_KERNELS; null: all */
    bool quiet;           /* no line for a kernel that is wrong */
    const char *more;     /* further options of the compiler, apart by spaces; null: none */
    const char *compiler; /* null: clang-19 or GCNSIM_KERNEL_CLANG; else words of the command, apart by spaces */
    /* Kernels that spill both SGPRs, into lanes of VGPRs, and VGPRs are counted here when they are wrong, and not as
     * wrong: clang 19 may reload such a VGPR over the inactive lanes of another value (LLVM's pull 93526). Null: they
     * are like all others. */
    unsigned *spilling;
    const char
        *known; /* a rule of --check that this compiler is known to break: a line of output, no failure; or NULL */
    char title[64], object[DIFF_PATH_BYTES], log[DIFF_PATH_BYTES];
    pid_t pid; /* of the compiler while it runs, else 0 */
    bool started;
    int status; /* of the compiler */
};

/* object and log become DIR/NAME.co and DIR/NAME.log; strings stay the caller's, `source` is seen from the current
 * folder. */
void diff_build_init(struct diff_build *b, const char *dir, const char *name, const char *source, const char *target,
                     const char *level, bool wave64_option);
/* Compiles builds[0..count) ahead, a few at a time, and returns when builds[wanted] is done; those after it may still
 * be running. */
void diff_build_wait(struct diff_build *builds, size_t count, size_t wanted);
/* Stops the compilers that still run. */
void diff_build_stop(struct diff_build *builds, size_t count);

/* The source compiled for the host, its inputs and what its kernels wrote so far. */
struct diff_host;
/* 0, or -1 after printing why the source does not compile or load. compiler: as in struct diff_build, without
 * GCNSIM_KERNEL_CLANG. `sanitize`: the host's kernels stop at undefined behaviour. */
int diff_host_open(struct diff_host **h, const char *dir, const char *source, const char *compiler, bool sanitize);
void diff_host_close(struct diff_host *h);

/* Loads the object of `b` (compiled already) and runs its kernels; prints what is wrong. The number of kernels that are
 * wrong, or -1 when it did not compile or load; *ran: how many were run. */
int diff_run(struct diff_host *h, const struct diff_build *b, unsigned *ran);

#endif

/* Microbenchmarks for make accuracy: small kernels put together from assembled snippets (words.inc) and run through the
 * public API as raw code, so that no assembler is needed. Nothing here reads a profile: what comes out is what a
 * program would measure.
 *
 * A kernel is: setup, head, then a loop of `copies` times body, tail (waits), and the end of the loop. Numbers are
 * differences, so that neither launch nor set-up is in them, and between loops of two lengths where the end of the loop
 * must not count either.
 *
 * Code and data lie at fixed addresses (cache indices follow from them), so that numbers are the same from run to run.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_BENCH_H
#define GCNSIM_TESTS_TIMING_ACCURACY_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_SGPRS = 16, BENCH_MAX_WORDS = 8192 };
#define BENCH_DATA_BYTES (UINT64_C(4) << 30) /* pages that nobody touches cost nothing */

/* Numbers of user SGPRs a kernel's head knows. */
enum { S_PASSES = 2, S_STEP = 3, S_MASK = 4, S_GROUP = 5, S_ITEM = 6, S_EXEC = 7 };

struct bench_kernel {
    const char *head, *then, *body, *tail; /* names of snippets; null: none. `then` follows the head */
    unsigned copies;                       /* 0: 128 or 32 where lengths are compared, so that no
                                       loop fits an instruction buffer; else 1 or 2 */
    unsigned waves, groups;                /* waves of a workgroup, workgroups; 0: 1 */
    unsigned lanes;                        /* 0: 32 where there are such waves, else 64 */
    unsigned vgprs;                        /* 0: few, so that they never limit; with them unified or separate AGPRs */
    unsigned lds_bytes;
    unsigned few, many;         /* bench_rate: passes of every wave before and after what is measured; 0: 2 and 6 */
    uint32_t sgpr[BENCH_SGPRS]; /* from S_STEP on */
};

struct bench {
    char profile[64], target[24];
    bool rdna;
    struct gcnsim *sim;
    uint8_t *data; /* BENCH_DATA_BYTES */
    uint32_t *code;
    char error[800];         /* of the first run that failed; then every number is NaN */
    double mhz;              /* clock, known after a run */
    const char *const *sets; /* figures of every profile that is opened, "path=value"; kept by bench_open() */
    size_t set_count;
    unsigned runs;
};

/* False: *b->error says why. */
bool bench_open(struct bench *b, const char *profile);
void bench_close(struct bench *b);

/* Cycles of one copy of the body for one wave (all waves of all groups run it): from loops of two lengths, run twice
 * each. */
double bench_copy(struct bench *b, const struct bench_kernel *k);

/* Cycles of the chip for one copy of the body of one wave while all waves go on for ever: throughput. */
double bench_throughput(struct bench *b, const struct bench_kernel *k);

/* The same for loops whose end is hidden behind memory: one length is enough. */
double bench_rate(struct bench *b, const struct bench_kernel *k);

/* Cycles of the chip for one copy of the body of one wave while workgroups of `many` passes follow one another: from
 * two dispatches, one of a third of the workgroups, in which the caches fill. */
double bench_blocks(struct bench *b, const struct bench_kernel *k);

/* Cycles of one pass of the loop after `warm` passes, over `more` passes. */
double bench_pass(struct bench *b, const struct bench_kernel *k, uint32_t warm, uint32_t more);

/* Cycles of a whole dispatch in which the loop runs once. */
double bench_whole(struct bench *b, const struct bench_kernel *k);

/* Instructions per cycle of the chip while workgroups follow one another: from two dispatches, one of a third of the
 * workgroups, in which the loop runs once. */
double bench_ipc(struct bench *b, const struct bench_kernel *k);

/* Whether the profile's target has the snippet; its words are checked against their text by test_accuracy. */
bool bench_has(const struct bench *b, const char *snippet);

struct bench_snippet {
    const char *name, *targets, *text;
    unsigned instructions, words;
    const uint32_t *word;
};
const struct bench_snippet *bench_snippets(size_t *count);

#endif

/* Runs programs of stream.h in either engine, in an address space where device addresses are those of the host, and
 * compares the runs: outcome, fault, instructions, and every byte of memory.
 *
 * Code, regions and scratch lie at fixed addresses, so that cycles are the same from process to process, between pages
 * that nobody may touch.
 */
#ifndef GCNSIM_TESTS_FUZZ_STREAM_BENCH_H
#define GCNSIM_TESTS_FUZZ_STREAM_BENCH_H

#include "tests/fuzz/stream.h"

enum { STREAM_MAX_WAVES = 16, STREAM_MAX_RANGES = 12 };

struct stream_bench {
    uint8_t *map, *region, *scratch, *code; /* within map */
    uint8_t *kept;                          /* memory after the run that others are compared with */
    uint8_t *template;                      /* of the data of a region */
    struct stream_places places;
    /* more memory, anywhere: lo, hi, flags, and the host's bytes */
    struct mem_range more[STREAM_MAX_RANGES];
    unsigned more_count;
};

/* False: out of host memory, or the fixed addresses are taken. */
bool stream_bench_open(struct stream_bench *b);
void stream_bench_close(struct stream_bench *b);

/* The default profile of the target, or of the nearest target that has one. Null: none can be loaded. */
struct profile *stream_profile(const char *target);
/* Few CUs, one die, and caches of a few lines, so that a run is set up quickly and its queues are often full. */
void stream_shrink_profile(struct profile *p);
/* Gives some figures values at random, from one end of their range to the other; what a profile cannot have is taken
 * back. */
void stream_change_profile(struct profile *p, struct stream_rng *g, unsigned figures);

struct stream_run {
    bool timing;
    const struct profile *profile; /* may be null for the functional engine */
    uint32_t groups, threads;
    bool check;       /* with the checks of sim/check */
    bool unchecked;   /* without a list of valid ranges: a wild access would hit the process */
    bool every_cycle; /* timing: simulate every cycle */
    bool perfect_memory;
    uint64_t max_instructions, max_cycles;
};

struct stream_outcome {
    int status; /* of the engine: not 0 is an error of the caller, in err */
    struct err err;
    struct engine_result result;
};

void stream_run(struct stream_bench *b, const struct stream *s, const struct stream_run *run, struct stream_outcome *o);

/* Keeps memory as it is. */
void stream_keep(struct stream_bench *b, const struct stream *s, uint32_t groups);
/* Whether memory is as it was kept; says where it differs. */
bool stream_same_memory(const struct stream_bench *b, const struct stream *s, uint32_t groups, char *why, size_t size);
/* Whether two runs of one wave ended alike. */
bool stream_same_outcome(const struct stream_outcome *a, const struct stream_outcome *b, char *why, size_t size);

/* The program as text, a line for each instruction. */
void stream_print(const struct stream *s, void (*line)(const char *text));

#endif

/* The rows of make accuracy: what is measured, on which profiles, and what is documented.
 *
 * A documented value may be a range, as traces show spreads: a simulated value inside it has no error, one outside has
 * that to the nearer end. Confidence: A = AMD document or raw measurement on hardware, B = compiler or analytical model
 * tuned against hardware. The keys of the sources are spelled out in docs/ACCURACY.md.
 */
#ifndef GCNSIM_TESTS_TIMING_ACCURACY_ROWS_H
#define GCNSIM_TESTS_TIMING_ACCURACY_ROWS_H

#include "tests/timing/accuracy/bench.h"

enum acc_how {
    HOW_COPY,       /* bench_copy of k */
    HOW_LESS,       /* bench_copy of k less bench_copy with the body `less` */
    HOW_THROUGHPUT, /* bench_throughput of k */
    HOW_PER_CYCLE,  /* amount / bench_throughput of k */
    HOW_RATE,       /* amount / bench_rate of k */
    HOW_BLOCKS,     /* amount / bench_blocks of k */
    HOW_PASS,       /* bench_rate of k: the end of the loop is part of the figure */
    HOW_LOOP_LESS,  /* a pass of the loop of k less one without a body, for each copy */
    HOW_CHASE,      /* pointer chase over `bytes` in steps of `stride` */
    HOW_CAPACITY,   /* the largest working set of a chase that is as quick as half of `bytes` */
    HOW_WHOLE_LESS, /* a dispatch of k less one with the body `less` (null: none) */
    HOW_IPC,        /* bench_ipc of k / amount */
    HOW_ORDER, /* of the time of a miss, what another wave's hit after it waits, in per cent; amount 1: is spared */
    HOW_WAVES, /* cycles for each workgroup (of one wave) more; scale: shader engines that launch side by side */
};

enum acc_unit { UNIT_CYCLES, UNIT_NS, UNIT_PER_CYCLE, UNIT_TBPS, UNIT_KB, UNIT_PERCENT };

enum acc_flags {
    ACC_EXACT = 1, /* test_accuracy insists on no error at all */
    ACC_QUICK = 2, /* of the subset that test_accuracy runs; exact rows are of it as well */
};

struct acc_row {
    const char *what;
    const char *profiles; /* names, one space between them: a line for each */
    double lo, hi;        /* documented */
    const char *source;
    char confidence; /* 'A', 'B' */
    uint8_t flags;
    enum acc_how how;
    enum acc_unit unit;
    const char *less;
    double scale;  /* of the simulated value; 0: 1 */
    double amount; /* HOW_PER_CYCLE, HOW_RATE: bytes or operations of a copy */
    uint64_t bytes, stride;
    uint64_t skew;      /* of a chase: every place is moved by 0 to 3 of this, in turn */
    const char *set[3]; /* figures of the profile for this row, "path=value"; null after the last */
    struct bench_kernel k;
};

struct acc_section {
    const char *title;
    double bound; /* mean error in per cent that test_accuracy allows */
    const struct acc_row *rows;
    size_t count;
};

extern const struct acc_section acc_issue_gcn, acc_issue_rdna, acc_lds, acc_matrix, acc_latency, acc_strides,
    acc_bandwidth, acc_launch;

/* NaN with b->error when it could not be measured. */
double acc_measure(struct bench *b, const struct acc_row *row);

/* In per cent, signed. */
double acc_error(const struct acc_row *row, double simulated);

/* A row's bench: opens the profile when *b is another one. */
bool acc_profile(struct bench *b, const char *profile);

#endif

/* What the process was asked for, from GCNSIM_* of its environment; docs/ROCM.md describes them for users.
 *
 * `gcnsim exec` sets them from its command line. They are read once, by the first hsa_init(). Texts are the
 * environment's own and live as long as the process.
 */
#ifndef GCNSIM_HSA_OPTIONS_H
#define GCNSIM_HSA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONS_MAX_AGENTS 16

struct options {
    char *profile[OPTIONS_MAX_AGENTS]; /* GCNSIM_ARCH, split at commas: one GPU agent each */
    size_t profiles;
    bool timing;              /* GCNSIM_ENGINE=timing; functional otherwise */
    uint32_t threads;         /* GCNSIM_THREADS: host threads of one dispatch */
    bool check;               /* GCNSIM_CHECK=1 */
    bool ignore_lds_races;    /* GCNSIM_IGNORE_LDS_RACES=1 */
    bool page_slack;          /* not GCNSIM_SLACK=none: accesses pass to the end of an allocation's page */
    bool blit_kernels;        /* GCNSIM_BLIT_KERNELS=1: the runtime's own copy kernels are simulated */
    bool sample_kernels;      /* GCNSIM_SAMPLE=kernels, */
    uint32_t representatives; /* =kernels=N: of each cluster; 0: as many as it takes */
    double max_wall_seconds;  /* GCNSIM_MAX_WALL; 0: none */
    const char *report;       /* GCNSIM_REPORT: SQLite file; null: none */
    const char *csv;          /* GCNSIM_CSV: folder; null: none */
    const char *html;         /* GCNSIM_HTML: folder; null: none */
    const char *att;          /* GCNSIM_ATT: folder for thread traces; null: none */
    bool att_all;             /* GCNSIM_ATT_CUS=all */
    const char *trace;        /* GCNSIM_TRACE: file of a timeline; null: none */
    const char *trace_cus;    /* GCNSIM_TRACE_CUS: "0,4-7"; null: all */
    uint64_t trace_cycles[2]; /* GCNSIM_TRACE_CYCLES: "A:B"; second one 0: to the end */
    uint64_t trace_bytes;     /* GCNSIM_TRACE_SIZE; 0: as usual */
    bool trace_ns;            /* GCNSIM_TRACE_NS=1 */
    const char *kernels;      /* GCNSIM_KERNELS: regular expression of kernels for the timing engine; null: all */
    const char *dispatches;   /* GCNSIM_DISPATCHES: "3,7-9"; null: all */
    const char *set;          /* GCNSIM_SET: "path=value", separated by newlines; null: none */
    const char *log;          /* GCNSIM_LOG: file for messages; null: standard error */
    const char *explain;      /* GCNSIM_EXPLAIN: "KERNEL[,N]"; null: nothing */
    const char *explain_json; /* GCNSIM_EXPLAIN_JSON: file; null: none */
    uint32_t explain_warmup;  /* GCNSIM_EXPLAIN_WARMUP: runs of the dispatch before; 0: cold */
    bool summary;             /* GCNSIM_SUMMARY=0 turns it off */
    bool details;             /* GCNSIM_DETAILS=1: of all kernels, with their whole names */

    bool annotate;                /* GCNSIM_ANNOTATE=1 */
    unsigned sort;                /* GCNSIM_SORT: enum gcnsim_sort */
    uint32_t top;                 /* GCNSIM_TOP; 0: all */
    const char *function;         /* GCNSIM_FUNCTION; null: all */
    unsigned color;               /* GCNSIM_COLOR: enum options_color */
    const char *of;               /* GCNSIM_OF: "KERNEL[,N]"; null: nothing is chosen */
    bool per_instruction;         /* GCNSIM_PER_INSTRUCTION=1 */
    uint64_t samples;             /* GCNSIM_SAMPLES: cycles; 0: none */
    const char *json;             /* GCNSIM_JSON: folder; null: none */
    const char *csv_statistics;   /* GCNSIM_CSV_STATISTICS: file; null: none */
    const char *csv_counters;     /* GCNSIM_CSV_COUNTERS: likewise */
    const char *csv_instructions; /* GCNSIM_CSV_INSTRUCTIONS: likewise */
    bool timeline;                /* GCNSIM_TIMELINE: "WG:WAVE", which is in */
    uint64_t timeline_of[2];      /* here */
    uint64_t timeline_rows[2];    /* GCNSIM_TIMELINE_ROWS: "A:B"; 0, 0: as usual */
};

enum options_color { OPTIONS_COLOR_AUTO, OPTIONS_COLOR_ALWAYS, OPTIONS_COLOR_NEVER };

/* Reads the environment; an empty variable is as one that is not set. False, with a sentence in `why`, when a value is
 * not understood, or when something of the timing engine is asked for and the engine is the functional one. The caller
 * frees profile[0] of options that were read, which holds the text of them all. */
bool options_read(struct options *o, char *why, size_t why_size);
/* Name of the k-th variable; null past the last. */
const char *options_variable(size_t k);

#endif

/* What a run was measured to take, by instruction: read from
 *
 *   a folder of a thread trace    ui_output_*, of gcnsim run --att or of rocprofv3 on hardware, or the folder around it
 *   its statistics                stats_*.csv, or another table with the columns CodeObj, Vaddr, Instruction, Hitcount,
 *                                 Latency, Stall and Idle, in any order
 *   a report of gcnsim            JSON, of a run that counted by instruction (its "code")
 *
 * In a folder, code.json, filenames.json and occupancy.json are read, piece by piece; the files of single waves are
 * not, because their sums are in code.json. A fact that the source lacks is marked as unknown.
 *
 * From a report, latency, stall and idle are made as a thread trace has them where durations end with the issue
 * (docs/ATT.md).
 *
 * Input may be anybody's: malformed files are errors that name file and place. Rows, waves and bytes of text are
 * bounded.
 */
#ifndef GCNSIM_TRACES_DIFF_MEASURED_H
#define GCNSIM_TRACES_DIFF_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/error.h"

#define MEASURED_MAX_ROWS  ((size_t)1 << 22)
#define MEASURED_MAX_WAVES ((size_t)1 << 24)

struct measured_row {
    uint64_t object, vaddr; /* code object */
    char *text, *source;
    bool is_name; /* of a function: text is "; NAME" */
    uint64_t hits, latency, stall, idle;
};

struct measured_function {
    const char *name; /* of its row; "" when there is none */
    size_t first, count;
    uint64_t hits; /* of its first instruction */
};

enum measured_kind { MEASURED_FOLDER, MEASURED_CSV, MEASURED_REPORT };

struct measured {
    char *path; /* that was read */
    enum measured_kind kind;
    char *kernel, *target, *generator; /* null: unknown */
    bool vega;                         /* of folders: durations end with the issue */
    bool has_gfx;
    struct measured_row *row; /* by code object and address; a function's name first */
    size_t rows, row_room;
    struct measured_function *function;
    size_t functions;

    uint64_t hits, latency, stall, idle; /* of all rows */
    uint64_t waves;                      /* that the rows are of; 0: unknown */

    bool has_durations;
    uint64_t *duration; /* of these waves, rising; null when only the mean is known */
    size_t durations, duration_room;
    double mean_duration;

    bool has_cycles;
    uint64_t cycles; /* from the first wave's start to the last one's end, or of the report */

    bool has_occupancy;
    double mean_waves; /* resident on the traced part, in the mean over the cycles */
    uint64_t most_waves, all_waves;
};

/* 0, or non-zero with *e. measured_free() in either case. */
int measured_read(struct measured *m, const char *path, struct err *e);
void measured_free(struct measured *m);

/* ---- the parts of it, for tests: `name` stands in messages ---- */

int measured_read_csv(struct measured *m, FILE *f, const char *name, struct err *e);
int measured_read_report(struct measured *m, FILE *f, const char *name, struct err *e);
int measured_read_code(struct measured *m, FILE *f, const char *name, struct err *e);
int measured_read_filenames(struct measured *m, FILE *f, const char *name, struct err *e);
int measured_read_occupancy(struct measured *m, FILE *f, const char *name, struct err *e);
/* When all parts are read: sorts, adds up, finds the functions. */
int measured_finish(struct measured *m, struct err *e);

/* A row at the end; text and source are copied. False: out of host memory, or too many, with *e. */
bool measured_add(struct measured *m, const struct measured_row *row, const char *name, struct err *e);

#endif

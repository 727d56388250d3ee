/* Reports of runs: statistics, faults and findings of an engine's result, as data and as text, JSON and CSV.
 *
 * report_make() turns what an engine returned into a struct report, which owns all its strings and needs neither the
 * launch nor the engine's result any more. sim/api makes the public struct gcnsim_result from it. Nothing here knows
 * the public header.
 *
 *   make.c         a struct report from a launch and its result: fault, findings, memory instructions
 *   snapshot.c     a struct report_snapshot from an engine's: who is resident, and waits for what; its text and JSON
 *   maker.c        texts and facts about pcs for both
 *   limiter.c      what limited the run: the rule, its text and JSON
 *   hotspots.c     the largest stall reasons, and where most of each is
 *   fidelity.c     how far code or a run can be believed (fidelity.h); fidelity_text.c: its text and JSON
 *   figures.c      the profile's figures of an instruction; cycle_figures.c: those that a run's cycles rest on
 *   samples.c      samples over time: values and JSON
 *   code_make.c    the code of a run that counted per instruction, with sources; loops.c: its loops
 *   sum.c          the same of several runs together
 *   annotate_text.c  that for people; annotate_csv.c: as rocprofv3's table
 *   statistics.c   values of the statistics table, ratios included; CSV
 *   json.c         one JSON object
 *   estimate.c     what is said of a sampled launch
 *   html.c         one page for a browser (html.h); html_code.c: instructions in it, html_frames.c: their source
 *   summary.c      the first screen of the report for people; text.c: all its sections
 *   write.c        texts in memory, JSON strings, digit groups; for comparisons (sim/api) too
 */
#ifndef GCNSIM_REPORT_REPORT_H
#define GCNSIM_REPORT_REPORT_H

#include <stdio.h>

#include "sim/engine/engine.h"
#include "sim/engine/samples.h"
#include "sim/engine/sampling/sampled.h"
#include "sim/loader/lines.h"
#include "sim/report/fidelity.h"
#include "sim/report/inst_facts.h"
#include "sim/util/arena.h"
#include "sim/util/json_put.h"
#include "sim/util/sha256.h"

struct check;
struct snapshot; /* sim/engine/snapshot.h */

/* Changes when a key of the JSON report vanishes or changes its meaning. */
#define REPORT_SCHEMA 1

#define REPORT_HASH_TEXT SHA256_TEXT

/* Facts about a run that neither the launch nor the engine's result has. report_make() copies the strings. */
struct report_run {
    const char *kernel;     /* "raw" for raw code without a name */
    const char *plain;      /* the same as people write it: demangled by report_make() */
    bool timing;            /* the engine */
    uint32_t grid[3];       /* work-items */
    uint32_t scratch_bytes; /* of a work-item */
    gaddr_t load_base;      /* pc - load_base + base_vaddr is the pc_offset */
    uint64_t base_vaddr;
    const struct code_object *code; /* for names and source lines; null: not known. Not used once the report is made */

    /* Provenance: two runs that differ must not look alike. Overrides: "path=value" of profile figures as
     * given, and options of the run that differ from their default ("perfect_memory", "max_cycles=1000"). */
    const char *const *overrides;
    size_t override_count;
    char code_sha256[REPORT_HASH_TEXT];
    char profile_sha256[REPORT_HASH_TEXT]; /* of the profile with its overrides applied; "": there is none */

    /* host: of no meaning for the simulated run */
    const char *command_line; /* null: not known */
    uint32_t threads;
    double seconds;
};

/* A function and the place in it: of an instruction or, when others were inlined into it, of the call. */
struct report_frame {
    const char *function, *file; /* null: not known */
    uint32_t line, column;       /* 0: not known */
};

/* A fault of the simulated program. */
struct report_fault {
    const char *kind;                 /* "memory", "illegal" ... */
    uint64_t pc, pc_offset;           /* pc_offset UINT64_MAX: outside the code object */
    const char *instruction;          /* "" when undecodable */
    const char *source;               /* "file:line"; null when unknown */
    const struct report_frame *frame; /* innermost first */
    uint32_t frames;
    int lane;         /* -1: not about one lane */
    uint64_t address; /* memory faults */
    uint32_t bytes;
    bool write;
    uint32_t workgroup[3], wave;
    const char *nearest; /* where the address lies beside the allocations; "" when not about memory */
    const char *message;
};

struct report_finding {
    const char *rule;
    uint64_t pc, pc_offset;
    const char *instruction;
    const char *source;               /* "file:line"; null when unknown */
    const struct report_frame *frame; /* innermost first */
    uint32_t frames;
    int lane; /* -1: not about one lane */
    uint32_t workgroup[3], wave;
    uint64_t count;
    const char *message, *fix;
};

/* Lines evicted from a cache, by the hint that brought them or last wrote them. */
struct report_eviction {
    const char *cache, *scope, *hint;
    uint64_t lines;
};

struct report_memory_inst {
    uint64_t pc, pc_offset;
    const char *instruction;
    const uint64_t *stat; /* enum stat_memory_inst */
};

/* An instruction that a wave has come to (struct engine_inst). */
struct report_inst {
    uint64_t pc, pc_offset;
    const char *instruction;
    const uint64_t *stat; /* enum stat_memory_inst, enum stat_inst */
    struct engine_inst_unit unit;
    struct inst_facts facts;
};

/* Waves that wait at one pc for one reason, and what the one of them that has waited longest waits for. */
struct report_snapshot_row {
    uint64_t waves, workgroups;
    uint64_t pc, pc_offset; /* pc_offset UINT64_MAX: outside the code object */
    const char *instruction, *source;
    const char *reason;
    uint64_t since;        /* timing: cycle from which on it has not issued; functional: instructions it has executed */
    const char *waits_for; /* "" when the reason says it all */
    uint32_t workgroup[3], wave;

    const char *counter; /* "loadcnt"; null: it waits for no counter */
    uint32_t counter_value, counter_bound;
    uint64_t oldest_pc, oldest_offset; /* of the oldest operation that the counter counts; UINT64_MAX: not known */
    const char *oldest_instruction;    /* null: not known */
    uint32_t oldest_accesses, oldest_queued;
    const char *oldest_level; /* "l2", "dram"; null: not known */

    bool has_barrier;
    uint32_t barrier, arrived, members, ended;
    uint32_t *missing; /* numbers of waves */
    size_t missing_count;

    bool has_memory; /* it polls */
    uint64_t address, value;
    uint32_t bytes;
};

/* All memory is the arena's. */
struct report_snapshot {
    struct arena arena;
    bool timing;
    uint64_t cycle, instructions;
    uint64_t groups, groups_done, groups_resident, groups_waiting, waves_resident;
    struct report_snapshot_row *row; /* those with the most waves first */
    size_t rows;
};

/* What kept the run from being faster (limiter.c; docs/REPORT.md states the rule). */
enum report_limit {
    LIMIT_COMPUTE,   /* a unit */
    LIMIT_BANDWIDTH, /* a level of memory, or LDS */
    LIMIT_LATENCY,   /* what waves wait for, while nothing is near its peak */
    LIMIT_ISSUE,     /* issue slots, or waves that issue one instruction after the other */
    LIMIT_SIZE,      /* most of the chip has no waves */
    LIMIT_CLASSES
};
extern const char *const report_limit_key[LIMIT_CLASSES]; /* "compute", "bandwidth" ... */

struct report_limiter {
    enum report_limit class;
    const char *resource; /* key: "valu", "l2", "dram", "barrier" ...; static text */
    double share;         /* what the verdict gives in percent: of peak, or of wave-cycles or time */
    const char *verdict;  /* a sentence without its full stop */
    const char *within;   /* the same about the compute units that have waves; null: nothing more is to be said */
};

/* A stall reason, and where most of its wave-cycles are. */
struct report_hotspot {
    unsigned reason;         /* enum timing_stall */
    double share;            /* of its wave-cycles, those of this place */
    const char *instruction; /* the one with the most; null: instructions were not counted */
    uint64_t pc_offset;      /* its place; UINT64_MAX: outside the code object */
    const char *file;        /* the place is a line of this file; null: it is the instruction alone */
    uint32_t line;
};
#define REPORT_HOTSPOTS 3

/* Figures of the profile that a picture of the chip needs (html.h). */
struct report_chip {
    char name[96];
    struct profile_chip gpu;
    struct profile_cu cu;
    struct profile_class_cost cls[OPC_COUNT];
    struct profile_cache cache[LEVEL_COUNT];
    struct profile_dram dram;
    uint32_t wave_size, vgprs_per_simd; /* of the launch; registers that a SIMD has for waves of that size */
};

/* All memory is the arena's, but for the snapshot and the samples. */
struct report {
    struct arena arena;
    struct report_run run;
    enum engine_outcome outcome;
    const char *message; /* "" when completed */
    const char *target;
    const char *profile;    /* null: none */
    const char *object;     /* the code object's file; null: not known */
    const char *stands_for; /* the processor of the code object, for which the profile, of another one with the same
                             * instructions, stands in; null: it is its own */
    uint32_t workgroup[3];
    uint64_t workgroups, waves; /* of the dispatch */

    /* The statistics table: counts are whole numbers, exact up to 2^53. */
    double value[STATS];
    bool present[STATS];

    bool has_limiter; /* timing engine */
    struct report_limiter limiter;

    struct report_hotspot hotspot[REPORT_HOTSPOTS]; /* largest stall reason first */
    unsigned hotspots;

    bool has_chip; /* there is a profile */
    struct report_chip chip;

    bool has_occupancy; /* needs a profile */
    struct launch_occupancy occupancy;
    uint32_t occupancy_cus; /* CUs that groups_per_cu is about: those of a WGP in WGP mode, else 1 */

    bool has_caches;
    struct report_eviction *evictions;
    size_t eviction_count;

    bool has_memory_insts;
    struct report_memory_inst *memory_inst; /* by pc */
    size_t memory_inst_count;
    uint64_t memory_insts_left_out;

    bool has_insts;           /* they were asked for */
    struct report_inst *inst; /* by pc */
    size_t inst_count;
    struct report_code *code; /* sim/report/code.h; null without has_insts */
    struct fidelity fidelity; /* of the instructions executed, each as often, and of the cycles */

    struct engine_samples *samples; /* null: none were asked for */

    struct engine_visit *visit; /* null: not asked for, or the run did not complete */
    size_t visits;

    bool has_estimate; /* sampling was asked for */
    struct engine_estimate estimate;

    bool has_fault;
    struct report_fault fault;

    struct report_snapshot
        *snapshot; /* of a run that ended early by a limit, an interruption or a deadlock, else null */

    bool has_check;
    struct report_finding *findings; /* by pc */
    size_t finding_count;
    const char *check_left_out; /* rules that were not applied, and why; null: none */
};

/* check: what observed the run (sim/check/check.h); null: it was not checked. snapshot: of the end; null: there is
 * none. It, r->samples and r->visit are taken over, also when it fails. Null when out of memory. */
struct report *report_make(const struct launch *l, struct check *check, struct report_snapshot *snapshot,
                           struct engine_result *r, const struct report_run *run);
void report_free(struct report *r);            /* null is fine */
uint64_t report_bytes(const struct report *r); /* of memory that it holds, but for a snapshot */

const char *report_outcome_key(const struct report *r); /* "completed", "fault", "limit", "interrupted" */

/* Null when out of memory. run: for offsets and source lines. */
struct report_snapshot *report_snapshot_make(const struct launch *l, const struct snapshot *s,
                                             const struct report_run *run);
void report_snapshot_free(struct report_snapshot *s); /* null is fine */

/* The value of a series of samples in interval n: a sum, or the mean over its cycles. */
double report_sample(const struct engine_samples *s, size_t n, unsigned series);

/* ---- parts of report_make ---- */

void report_statistics(struct report *r, const struct launch *l, const struct engine_result *er);
/* Bytes that a level has given and taken. */
double report_level_bytes(const struct report *r, enum cache_level level);
/* Operations on floats, or on integers, of the matrix unit or of the vector ALU. */
double report_operations(const struct report *r, bool matrix, bool floats);
struct report_maker;
/* r has its statistics; er->inst may be null. */
void report_find_hotspots(struct report_maker *m, struct report *r, const struct engine_result *er);

/* ---- formats: each takes a struct report, as report_render() calls it ---- */

void report_write_json(FILE *f, const void *report);
void report_json(struct json_put *j, const struct report *r); /* the same as a part of another document */
void report_write_text(FILE *f, const void *report);          /* all sections but the summary */
void report_write_csv(FILE *f, const void *report);
/* Takes a struct report_sections. */
struct report_sections {
    const struct report *r;
    const char *names; /* with commas between, as report_check_sections() takes them; null: all but the summary */
};
void report_write_sections(FILE *f, const void *what);
/* Section number `index`, from 0 on, of the report for people, and what is in it; null past the last. */
const char *report_section(size_t index, const char **about);
/* Whether each of the names, with commas between, is a section's; null is fine. */
int report_check_sections(const char *names, struct err *e);
/* A struct report_snapshot as text, which names the first REPORT_SNAPSHOT_ROWS rows and counts the others. */
#define REPORT_SNAPSHOT_ROWS 16
void report_write_snapshot(FILE *f, const void *snapshot);
/* The same with all rows as a JSON object. */
void report_snapshot_json(struct json_put *j, const struct report_snapshot *s);
/* Samples as a JSON object. */
void report_samples_json(struct json_put *j, const struct engine_samples *s);

/* ---- estimate.c: of a report that has_estimate ---- */

/* Whether the value of a statistic is an estimate; false of a report without one. */
bool report_is_estimate(const struct report *r, unsigned stat);
const char *report_estimate_kind(const struct report *r); /* "estimated", "simulated_in_full", "ended_early" */
void report_estimate_text(FILE *f, const struct report *r);
void report_estimate_json(struct json_put *j, const struct report *r); /* a member's value */
void report_estimate_csv(FILE *f, const struct report *r);

/* ---- write.c ---- */

/* The text for programs that writer(f, what) writes; null when out of memory. To be freed. */
char *report_render(void (*writer)(FILE *f, const void *what), const void *what);
/* The same for people (sim/util/plain.h), and with colours that the writer sets. */
char *report_render_plain(void (*writer)(FILE *f, const void *what), const void *what);
char *report_render_coloured(void (*writer)(FILE *f, const void *what), const void *what);
/* A text in lines of at most `columns`, and `end` after the last one, which may pass them. The first begins with
 * `lead`, the others with as many blanks. */
void report_wrapped(FILE *f, const char *lead, size_t columns, const char *text, const char *end);
/* 1234567 -> "1,234,567" */
const char *report_grouped(uint64_t v, char out[32]);

#endif

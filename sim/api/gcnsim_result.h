/* gcnsim: what a launch, or a list of launches, has come to. gcnsim.h, which programs include, includes this header
and has the conventions. */
#ifndef GCNSIM_RESULT_H
#define GCNSIM_RESULT_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ------------------------------------------------------------------------------------------------- */

enum gcnsim_outcome {
    GCNSIM_COMPLETED,
    GCNSIM_FAULTED,     /* result->fault says what */
    GCNSIM_LIMIT,       /* max_cycles or max_instructions */
    GCNSIM_INTERRUPTED, /* abort flag or progress callback */
};

/* A fault of the simulated program. */
struct gcnsim_fault {
    size_t struct_bytes;     /* of the library's struct; see Versions in gcnsim.h */
    const char *kind;        /* "memory", "illegal", "unimplemented", "pc", "align", "lds", "register", "trap", "other",
                                "deadlock", "halt" */
    uint64_t pc;             /* device address of the instruction */
    uint64_t pc_offset;      /* the same as a virtual address in the code object; raw without one: from code_base;
                              * UINT64_MAX: of a pc that went elsewhere */
    const char *instruction; /* its text; "" when undecodable */
    int lane;                /* -1: not about one lane */
    uint64_t address;        /* memory faults */
    uint32_t bytes;
    int write;
    uint32_t workgroup[3];
    uint32_t wave;       /* in its workgroup */
    const char *nearest; /* where the address lies with respect to the allocations; "" when not about memory */
    const char *message; /* one sentence with all of the above */
    const char *source;  /* "file:line" of the instruction, from the code object's debug information; null: unknown */
};

/* One row of the statistics table; docs/REPORT.md has all of them. */
struct gcnsim_stat {
    const char *name;        /* "cache.l2.misses" */
    const char *unit;        /* "requests", "bytes", "cycles", "share" ... */
    const char *scope;       /* what it belongs to: "run", "instructions", "stall_cycles", "lds", "cache.l2", "dram",
                                "fabric", "translation" */
    const char *description; /* one sentence */
    int present;             /* 0: this run does not have it; the value is 0 then */
    double value;            /* counts are whole numbers, exact up to 2^53 */
};

/* A row of the statistics table, without a run (nothing is present); non-zero, *stat left alone, past the end.
 *   index: from 0 on, in the table's order
 *   stat: filled in; the strings are static */
GCNSIM_API int gcnsim_stat_info(uint32_t index, struct gcnsim_stat *stat);

/* Lines evicted from a cache, by the hint of the access that brought them or last wrote them. */
struct gcnsim_eviction {
    const char *cache; /* "vl0", "k", "i", "gl1", "l2", "mall" */
    const char *scope; /* "cu", "se", "dev", "sys" */
    const char *hint;  /* "rt", "nt", "ht", "lu" (stores: "rt_wb"), "nt_rt", "rt_nt", "nt_ht", "nt_wb" */
    uint64_t lines;
};

/* Memory accesses of one instruction of the program, over all its executions: count, lines, bytes, lds_count,
 * bank_conflict_cycles, address_conflict_cycles (scope "memory_instructions"). */
struct gcnsim_memory_instruction {
    uint64_t pc, pc_offset;
    const char *instruction;
    const struct gcnsim_stat *stats;
    size_t stat_count;
};

/* What one instruction of the program did, over all waves: values[c] is in the column that gcnsim_instruction_column()
 * describes. Columns: executed, lanes, latencies, latency_cycles, latency_max_cycles, what is known of the distances
 * between lanes (uniform, strided, stride_max_bytes), cycles.REASON for each stall reason ("cycles.issued",
 * "cycles.wait_vmcnt" ...), answered.LEVEL (line requests by the level that has answered: "answered.l2",
 * "answered.memory"), and those of a memory instruction. A wave's cycles belong to the instruction that it has yet to
 * issue; but an issue slot, and the cycles after a branch, a barrier, s_nop, s_sleep and the end of a wave, belong to
 * the instruction that has issued. So the sum of "cycles.REASON" over all instructions is the run's
 * "stall_cycles.REASON". */
struct gcnsim_instruction {
    uint64_t pc, pc_offset; /* as in struct gcnsim_fault */
    const char *instruction;
    const uint64_t *values;
};

/* A column of what instructions do, without a run (nothing is present); non-zero, *column left alone, past the end.
 *   index: from 0 on, as in gcnsim_instruction.values
 *   column: filled in; the strings are static */
GCNSIM_API int gcnsim_instruction_column(uint32_t index, struct gcnsim_stat *column);

/* The column of a name; non-zero, *index left alone, when there is none.
 *   name: "cycles.issued", "executed"
 *   index: for gcnsim_instruction.values */
GCNSIM_API int gcnsim_instruction_find_column(const char *name, uint32_t *index);

/* Code that computes the right thing here and might not on hardware: a wait or a wait state that is missing, a register
 * or LDS byte read that nobody wrote. Each pc and rule is reported once. docs/CHECK.md lists the rules. */
struct gcnsim_finding {
    const char *rule; /* "wait.read", "undefined.vgpr", "states.valu-vcc-div-fmas" ... */
    uint64_t pc, pc_offset;
    const char *instruction;
    int lane; /* -1: not about one lane */
    uint32_t workgroup[3];
    uint32_t wave;       /* in its workgroup */
    uint64_t count;      /* how often it was met */
    const char *message; /* what is wrong */
    const char *fix;     /* what would make it right: "s_waitcnt vmcnt(0) before it" */
    const char *source;  /* as in struct gcnsim_fault */
};

/* Resident waves that wait at one pc for one reason. The details are those of one of them, the example: of the timing
 * engine the one that has not issued for the longest time, of the functional engine the one that has run least. */
struct gcnsim_snapshot_row {
    uint64_t waves, workgroups;
    uint64_t pc, pc_offset;  /* as in struct gcnsim_fault; of a wave at a barrier or asleep that instruction's, else of
                                the next one to issue */
    const char *instruction; /* "" when there is none */
    const char *source;      /* "file:line"; null: unknown */
    const char *reason;      /* timing: a stall reason (docs/REPORT.md); functional: "ready", "barrier", "sleep",
                              * "polling" */
    uint64_t since;          /* timing: cycle from which on it has not issued; functional: instructions it has run */
    const char *waits_for;   /* a text with what follows; "" when the reason says it all */
    uint32_t workgroup[3], wave;

    const char *counter;                   /* the wait counter, "loadcnt" ...; null: none */
    uint32_t counter_value, counter_bound; /* it goes on when the value is down at the bound */
    uint64_t oldest_pc, oldest_offset;     /* of the oldest operation that the counter counts; UINT64_MAX: unknown */
    const char *oldest_instruction;        /* null: unknown */
    uint32_t oldest_accesses;              /* of it that have not come back; */
    uint32_t oldest_queued;                /* lines of it that have not left the compute unit */

    const char *oldest_level; /* where the first of its other accesses is, or to or from where it is on its
                                 way: "vl0", "l2", "dram" ...; null: unknown */

    int has_barrier;
    uint32_t barrier;          /* 0: the workgroup's, else the number of a named one */
    uint32_t arrived, members; /* signals so far, and needed */
    uint32_t ended;            /* waves of the workgroup */
    const uint32_t *missing;   /* resident waves that have not arrived, by their numbers */
    size_t missing_count;

    int has_memory; /* it polls memory: */
    uint64_t address, value;
    uint32_t bytes;
};

/* What a run is doing at a moment. */
struct gcnsim_snapshot {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    enum gcnsim_engine engine;
    uint64_t cycle;        /* 0 in the functional engine */
    uint64_t instructions; /* wave-instructions executed */
    uint64_t workgroups, workgroups_done, workgroups_resident, workgroups_not_started;
    uint64_t waves_resident;
    const struct gcnsim_snapshot_row *rows; /* those with the most waves first */
    size_t row_count;
};

/* A snapshot for people, with at most 16 rows, the others counted.
 *   snapshot: of a callback or a result
 *   text: the rows */
GCNSIM_API int gcnsim_snapshot_text(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);

/* All of a snapshot as one JSON object.
 *   snapshot: of a callback or a result
 *   text: the object */
GCNSIM_API int gcnsim_snapshot_json(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error);

/* What a statistic was over time: a value for each interval of the samples. */
struct gcnsim_series {
    const char *name; /* "cache.l2.misses" */
    const char *unit, *scope, *description;
    int is_mean; /* a number of things (waves, entries) in the mean over the interval; else a count in it, and the
                  * sum over all intervals is that of the run */
    const double *values; /* gcnsim_samples.count of them */
};

/* Samples of a run: up to 1024 intervals, one after the other, which hold every cycle of it. When there would be more,
 * neighbours are merged and the interval doubles. Series of waves are the launch's own; caches, queues and memory count
 * what the device does. Series that the run does not have are left out. */
struct gcnsim_samples {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    uint64_t interval_cycles;
    uint64_t first_cycles, last_cycles; /* lengths of the first and the last interval */
    size_t count;
    const struct gcnsim_series *series;
    size_t series_count;
};

/* What kept a run from being faster; docs/REPORT.md states the rule. */
struct gcnsim_limiter {
    size_t struct_bytes;     /* of the library's struct; see Versions in gcnsim.h */
    const char *limit_class; /* "compute", "bandwidth", "latency", "issue", "size" */
    const char *resource;    /* "valu", "l2", "dram", "barrier" ... */
    double share;            /* that the verdict gives in percent: of the peak, of wave-cycles, or of time */
    const char *verdict;     /* one sentence, without its full stop */
    const char *within;      /* "size": the same about the compute units that have waves; else null */
};

/* A finished run. All memory, strings included, belongs to the result. Parts of the report that a run does not have are
 * said so by the has_ fields (null in JSON). */
struct gcnsim_result {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    enum gcnsim_outcome outcome;
    const char *message;        /* why it ended early; "" when completed */
    const char *target;         /* processor */
    const char *profile;        /* null: none */
    const char *engine;         /* "timing", "functional" */
    const char *kernel;         /* raw: its kernel_name, or "raw" */
    uint32_t grid[3];           /* work-items */
    uint32_t workgroup[3];      /* work-items */
    uint64_t workgroups, waves; /* of the dispatch */

    /* The whole statistics table, in its order; gcnsim_result_stat() finds a row by its name. */
    const struct gcnsim_stat *stats;
    size_t stat_count;

    /* Provenance. Overrides: profile figures set to other values ("cu.lds_banks=16"), and options of the run that
     * change what is simulated or how far ("perfect_memory", "max_cycles=1000"). Hashes are hexadecimal SHA-256: of the
     * code object (raw: of the code bytes), and of the profile with its overrides ("": no profile). */
    const char *const *overrides;
    size_t override_count;
    const char *code_sha256, *profile_sha256;
    const char *command_line; /* as the dispatch had it; null: not given */

    const struct gcnsim_occupancy *occupancy; /* null: there is no profile */

    int has_evictions; /* there are caches */
    const struct gcnsim_eviction *evictions;
    size_t eviction_count;

    int has_memory_instructions;
    const struct gcnsim_memory_instruction *memory_instructions; /* the heaviest, by pc */
    size_t memory_instruction_count;
    uint64_t memory_instructions_left_out;

    uint32_t host_threads;
    double host_seconds;
    double wave_instructions_per_second;

    const struct gcnsim_fault *fault; /* null: there was none */

    /* Who was resident at the end of a run that ended by a limit, an interruption or a deadlock; null: of another one,
     * or host memory ran out. */
    const struct gcnsim_snapshot *snapshot;

    int has_check;                         /* it was asked for */
    const struct gcnsim_finding *findings; /* by pc; without has_check one each at most of race.lds and bounds.page */
    size_t finding_count;

    int has_instructions;                          /* dispatch.per_instruction was asked for, of the timing engine */
    const struct gcnsim_instruction *instructions; /* those that a wave has come to, by pc */
    size_t instruction_count;

    const struct gcnsim_samples *samples; /* null: none were asked for */
    const struct gcnsim_limiter *limiter; /* null: functional engine */

    const char *check_left_out; /* rules of `check` that were not applied, and why; null: none */
};

/* ---- how far a result can be believed: docs/FIDELITY.md ---------------------------------------------------------- */

/* Instructions executed of one mnemonic, or pair of them, and pipeline class. */
struct gcnsim_fidelity_instruction {
    const char *mnemonic, *instruction_class;
    uint64_t count;        /* wave-instructions */
    const char *semantics; /* "exact", "approximate" */
    double ulp;            /* within so many units in the last place; 0: exact; negative: there is no bound */
    const char *timing;    /* "documented", "measured", "inferred", "guess", "what-if"; "none": no figure is about it */
    const char *figure;    /* the least sure one that each execution meets; null: none */
};
/* A figure of the profile, and the share of the wave-cycles that rest on it. */
struct gcnsim_fidelity_figure {
    const char *path, *timing;
    double share;
};
/* Instructions, by the least sure figure of each, and wave-cycles, by the figures they rest on. */
struct gcnsim_fidelity_timing {
    const char *timing;
    uint64_t instructions;
    double share; /* of the wave-cycles */
};
struct gcnsim_fidelity {
    size_t struct_bytes;                   /* of the library's struct; see Versions in gcnsim.h */
    uint64_t executed, exact, approximate; /* wave-instructions */
    /* Functional engine: the approximate ones alone. Those that can be believed least come first. */
    const struct gcnsim_fidelity_instruction *instructions;
    size_t instruction_count;

    /* Timing engine; 0 and null otherwise. */
    double wave_cycles;
    const struct gcnsim_fidelity_timing *timings; /* one for each word above */
    size_t timing_count;
    const struct gcnsim_fidelity_figure *figures; /* by confidence, the least one first, then by share */
    size_t figure_count;

    /* Since 0.2. The part of `exact` done as a chip was measured to do it; the others as its manual says. The
     * functional engine does not tell them apart: 0 and false. */
    uint64_t exact_measured;
    int has_exact_measured;
};
/* A bound in words: "1 ULP", "a relative error of 2^-23", "no bound", "exact". Non-zero where it is a relative error:
 * the result is a double that is a first approximation alone, and units in its last place mean nothing. */
#define GCNSIM_BOUND_BYTES 40
/* A bound in words: "1 ULP", "a relative error of 2^-23", "no bound", "exact". Non-zero where it is a relative error:
 * the result is a double that is a first approximation alone, and units in its last place mean nothing.
 *   ulp: as in gcnsim_fidelity_instruction.ulp or gcnsim_isa_entry.ulp
 *   words: GCNSIM_BOUND_BYTES bytes, terminated */
GCNSIM_API int gcnsim_error_bound(double ulp, char words[GCNSIM_BOUND_BYTES]);

/* How far a result can be believed. Belongs to the result.
 *   result: a finished run */
GCNSIM_API const struct gcnsim_fidelity *gcnsim_result_fidelity(const struct gcnsim_result *result);

/* ---- sampled launches: docs/SAMPLING.md -------------------------------------------------------------------------- */

enum gcnsim_estimate_kind {
    GCNSIM_ESTIMATE_NONE,   /* the launch was simulated in full after all; `note` says why */
    GCNSIM_ESTIMATE_MADE,   /* statistics are estimates, unless gcnsim_result_is_exact() says otherwise */
    GCNSIM_ESTIMATE_PARTIAL /* the run ended early: statistics are of what was simulated in detail until then */
};

struct gcnsim_estimate {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    enum gcnsim_estimate_kind kind;
    const char *note;                                   /* "" or a sentence without its full stop */
    uint64_t detailed_workgroups;                       /* simulated with their cycles */
    uint64_t functional_workgroups, skipped_workgroups; /* executed without time; not executed */
    uint64_t resident_workgroups;                       /* that the chip has room for at once */
    uint32_t stretches, windows; /* stretches of the grid that were simulated, windows in them that were counted */
    /* MADE: of the cycles, which are the statistic "cycles", too, with the 95 % interval. */
    double cycles, cycles_low, cycles_high;
    double scale;                 /* by which the counts of what was simulated were multiplied */
    int unsafe;                   /* the interval cannot be trusted; note says why */
    uint64_t left_out_iterations; /* of loops, by each wave, executed without time */
};

/* What is known of a sampled launch. Belongs to the result; null unless dispatch.sample_workgroups or
 * sample_loops was asked for.
 *   result: a finished run */
GCNSIM_API const struct gcnsim_estimate *gcnsim_result_estimate(const struct gcnsim_result *result);

/* Whether a statistic is a count of the run, and not an estimate from samples.
 *   result: a finished run
 *   index: in result->stats */
GCNSIM_API int gcnsim_result_is_exact(const struct gcnsim_result *result, uint32_t index);

/* How often all waves of a run have executed the instruction at pc. */
struct gcnsim_visit {
    uint64_t pc, executed;
};

/* The instructions that have been executed at all, by pc: a basic-block vector, as all instructions of a block have
 * been executed equally often. Null unless dispatch.visits was asked for and the run completed; the functional engine
 * has none of code that waves enter in the middle of an instruction that others execute. Belongs to the result.
 *   result: a finished run
 *   count: how many; 0 when it is null */
GCNSIM_API const struct gcnsim_visit *gcnsim_result_visits(const struct gcnsim_result *result, size_t *count);

/* Bytes of memory that a result holds, which count in no simulator's limit.
 *   result: a finished run */
GCNSIM_API uint64_t gcnsim_result_bytes(const struct gcnsim_result *result);

/* The value of a statistic. Non-zero, *value left alone, when there is no such statistic or the run does not have it.
 *   result: a finished run
 *   name: "cache.l2.misses"
 *   value: in the statistic's unit */
GCNSIM_API int gcnsim_result_stat(const struct gcnsim_result *result, const char *name, double *value);

/* The same for a memory instruction.
 *   instruction: of result->memory_instructions
 *   name: "lines"
 *   value: in the statistic's unit */
GCNSIM_API int gcnsim_memory_instruction_stat(const struct gcnsim_memory_instruction *instruction, const char *name,
                                              double *value);

/* One status of all outcomes: GCNSIM_OK, GCNSIM_ERROR_FAULT, _RUN_LIMIT or _INTERRUPTED.
 *   result: a finished run */
GCNSIM_API int gcnsim_result_status(const struct gcnsim_result *result);

/* One JSON object with the keys of the report, indented, ended by a newline.
 *   result: a finished run
 *   text: the object */
GCNSIM_API int gcnsim_result_json(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);

/* The human report, at most 80 columns where names and instructions are not longer, ended by a newline.
 *   result: a finished run
 *   text: the report */
GCNSIM_API int gcnsim_result_text(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);

/* Sections of the report for people. A name that is none is GCNSIM_ERROR_USAGE, with all names.
 *   result: a finished run
 *   sections: "caches,occupancy", or "summary": what limited the run and where its cycles went, in at most 40 lines
 *     unless it faulted, was checked or ended early; null: all but the summary
 *   text: the sections */
GCNSIM_API int gcnsim_result_show(const struct gcnsim_result *result, const char *sections, char **text,
                                  struct gcnsim_error *error);

/* Whether gcnsim_result_show() would take these sections; for callers that ask before the run.
 *   sections: as there */
GCNSIM_API int gcnsim_check_sections(const char *sections, struct gcnsim_error *error);

/* The name of a section; static; null past the last.
 *   index: from 0 on
 *   about: one line about it; may be null */
GCNSIM_API const char *gcnsim_report_section(size_t index, const char **about);

/* The statistics that the run has, one a line: "name,unit,value" after a line with these words.
 *   result: a finished run
 *   text: the lines */
GCNSIM_API int gcnsim_result_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);

/* Frees a result and all that belongs to it.
 *   result: null is fine */
GCNSIM_API void gcnsim_result_free(struct gcnsim_result *result);

/* ---- several launches, one after the other --------------------------------------------------------------------- */

/* One launch of a sequence. */
struct gcnsim_sequence_item {
    const struct gcnsim_result *result;
    const char *name; /* of the launch in its list; null: its kernel's */
    uint32_t launch;  /* its place in the list, from 0 on */
    uint32_t round;   /* from 0 on, those of the warm-up apart */
    int warmup;       /* it is of a warm-up round */
};

/* The results of a list of launches that was run in rounds on one device, in the order in which they ran; those of the
 * warm-up need not be there. */
struct gcnsim_sequence {
    uint32_t warmup_rounds, rounds; /* that were asked for */
    int cold;                       /* each launch had a device of its own */
    const struct gcnsim_sequence_item *items;
    size_t count;
};

/* The steady launch of a place in the list: of its launches that ran to their end, outside the warm-up, the one whose
 * cycles are the median (of an even number the lower one; the first of equal ones); without cycles (functional engine)
 * the last. Non-zero, *index left alone, when there is none.
 *   sequence: the launches
 *   launch: the place, from 0 on
 *   index: in sequence->items */
GCNSIM_API int gcnsim_sequence_steady(const struct gcnsim_sequence *sequence, uint32_t launch, size_t *index);

/* Gives back what a result holds but for its row in the table of gcnsim_sequence_text(): of thousands of launches
 * nobody reads each report. Returns the result that is left, of which only outcome, kernel, has_check and finding_count
 * still hold, for gcnsim_sequence_steady(), _text(), _show() and _html(), gcnsim_result_bytes() and
 * gcnsim_result_free(); without memory it is the same as before. The steady launches of a sequence are read in full.
 *   result: is the caller's no more */
GCNSIM_API struct gcnsim_result *gcnsim_result_shrink(struct gcnsim_result *result);

/* One JSON object with the reports of all launches and a summary of the steady ones (docs/REPORT.md).
 *   sequence: the launches
 *   text: the object */
GCNSIM_API int gcnsim_sequence_json(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);

/* A table of all launches, and the reports of the steady ones.
 *   sequence: the launches
 *   text: the table and the reports */
GCNSIM_API int gcnsim_sequence_text(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);

/* The table, and sections of the reports of the steady launches.
 *   sequence: the launches
 *   sections: as gcnsim_result_show() takes them
 *   text: the table and the sections */
GCNSIM_API int gcnsim_sequence_show(const struct gcnsim_sequence *sequence, const char *sections, char **text,
                                    struct gcnsim_error *error);

/* The statistics of all launches, a line of "launch,round,name,unit,value" each.
 *   sequence: the launches
 *   text: the lines */
GCNSIM_API int gcnsim_sequence_csv(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);

/* A text as JSON has it: in quotes, with what is no UTF-8 replaced (names of kernels and files may be any bytes).
 *   text: terminated; null gives null
 *   json: the text in quotes */
GCNSIM_API int gcnsim_json_string(const char *text, char **json, struct gcnsim_error *error);

/* The name that one is most likely meant to be, by its letters: what messages suggest ("did you mean ...?"). Its place,
 * or count when none is near enough.
 *   wanted: what was said
 *   names: that there are
 *   count: of names */
GCNSIM_API size_t gcnsim_nearest_name(const char *wanted, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif

#endif

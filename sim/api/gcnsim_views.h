/* gcnsim: views of code and of runs beside the report. gcnsim.h, which programs include, includes this header and has
 * the conventions. */
#ifndef GCNSIM_VIEWS_H
#define GCNSIM_VIEWS_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* A kernel's or function's name as people write it: "vadd(float*, int)" of "_Z4vaddPfi". A name that is not mangled, or
 * too long (4096 bytes; 64 KiB when demangled), is copied as it is. */
GCNSIM_API int gcnsim_demangle(const char *name, char **plain, struct gcnsim_error *error);

/* ---- pages for browsers --------------------------------------------------------------------------------------- */

/* What a page shows beside the run. */
struct gcnsim_html_options {
    size_t struct_bytes;      /* set by gcnsim_html_options_init; see Versions in gcnsim.h */
    const char *explain_json; /* what gcnsim explain says about the run, as JSON; null: nothing */
    const char *index;        /* address of a page of all dispatches (gcnsim_html_index()); null: none */
    int no_sources;           /* texts of source files stay out of the page: their lines are named alone */
};
GCNSIM_API void gcnsim_html_options_init_sized(struct gcnsim_html_options *o, size_t struct_bytes);
static inline void gcnsim_html_options_init(struct gcnsim_html_options *o)
{
    gcnsim_html_options_init_sized(o, sizeof *o);
}

/* One HTML file that shows a run in a browser: limits, roofline, memory, stalls, instructions beside their source lines
 * (of runs with per_instruction), all over time (of runs with samples). Everything is in the file; it asks no network
 * for anything. options may be null. docs/HTML.md describes the page. */
GCNSIM_API int gcnsim_result_html(const struct gcnsim_result *result, const struct gcnsim_html_options *options,
                                  char **text, struct gcnsim_error *error);
/* The same of the steady launches of a sequence (gcnsim_sequence_steady()), of which the page shows one at a time; of a
 * list without a steady launch the last one. */
GCNSIM_API int gcnsim_sequence_html(const struct gcnsim_sequence *sequence, const struct gcnsim_html_options *options,
                                    char **text, struct gcnsim_error *error);

/* A dispatch of a process, as the page of all of them lists it. */
struct gcnsim_html_dispatch {
    uint64_t number;
    const char *kernel, *target, *engine;
    const char *outcome;            /* "completed", "fault", "limit", "interrupted" */
    uint32_t grid[3], workgroup[3]; /* work-items */
    double start_us, duration_us;   /* simulated */
    double cycles;                  /* negative: there are none */
    const char *page;               /* address of its own page; null: it has none */
};
/* left_out: dispatches that are not in the list. */
GCNSIM_API int gcnsim_html_index(const char *title, const struct gcnsim_html_dispatch *dispatches, size_t count,
                                 uint64_t left_out, char **text, struct gcnsim_error *error);

/* ---- counters by AMD's names ---------------------------------------------------------------------------------- */

/* A counter of hardware that counts exactly what a statistic of gcnsim, or two of them together, do (docs/COUNTERS.md).
 */
struct gcnsim_counter {
    const char *name;  /* "SQ_WAVES" */
    const char *about; /* what AMD says that it counts */
    int present;       /* the chip has it, and the run the statistic */
    double value;
};

/* Counter number `index`, from 0 on, of a run; GCNSIM_ERROR_USAGE past the last. */
GCNSIM_API int gcnsim_result_counter(const struct gcnsim_result *result, size_t index, struct gcnsim_counter *counter);
/* Those that the run has, as rocprofv3 writes them to counter_collection.csv. Numbers of agent, queue, process and
 * thread, which a single launch does not have, are 0, that of the dispatch and its kernel 1; times are nanoseconds on a
 * clock that begins with the packet. */
GCNSIM_API int gcnsim_result_counters_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);

/* ---- annotated code ---------------------------------------------------------------------------------------------- */

/* A function and the place in it: of an instruction or, when others were inlined into it, of the call. */
struct gcnsim_frame {
    const char *function;  /* demangled; null: not known */
    const char *file;      /* as the debug information has it; null: not known */
    uint32_t line, column; /* 0: not known */
};

/* Frames of a result's fault, or of one of its findings, innermost first; null with *count 0 when none are known. They
 * belong to the result. */
GCNSIM_API const struct gcnsim_frame *gcnsim_fault_frames(const struct gcnsim_result *result, uint32_t *count);
GCNSIM_API const struct gcnsim_frame *gcnsim_finding_frames(const struct gcnsim_result *result, size_t index,
                                                            uint32_t *count);

#define GCNSIM_LISTING_NONE UINT32_MAX

/* One instruction of the functions that waves have come to; `values` as in struct gcnsim_instruction, zeros where no
 * wave has come. */
struct gcnsim_listed {
    uint64_t pc, pc_offset;
    const char *instruction;
    const uint64_t *values;
    const struct gcnsim_frame *frames; /* innermost first */
    uint32_t frame_count;
    uint32_t function; /* index in functions */
    uint32_t loop;     /* the innermost that it is in: index in loops, or GCNSIM_LISTING_NONE */
    uint32_t target;   /* that it branches to: index in instructions, or GCNSIM_LISTING_NONE */
    int reached;       /* a wave has come to it */
};
struct gcnsim_listed_function {
    const char *name, *demangled; /* "" of code without a symbol */
    uint32_t first, count;        /* instructions */
    int kernel;                   /* the dispatch began in it */
};
/* A natural loop: a branch back to its header, and all that lies between. */
struct gcnsim_listed_loop {
    uint32_t function, parent,
        depth;             /* parent: the loop around it, or GCNSIM_LISTING_NONE; the outermost have depth 1 */
    uint32_t header, last; /* instructions: where it is entered, and its last by address */
    const char *file;      /* and line of the lowest line of the function that is in it; null: not known */
    uint32_t line;
    uint64_t iterations; /* executions of the header */
    int entries_known;
    uint64_t entries; /* how often it was entered from outside */
};
struct gcnsim_listing {
    const struct gcnsim_listed *instructions; /* by pc */
    size_t instruction_count;
    const struct gcnsim_listed_function *functions;
    size_t function_count;
    const struct gcnsim_listed_loop *loops; /* by header */
    size_t loop_count;
};
/* Of a run that counted per instruction (dispatch.per_instruction), else null. Belongs to the result. */
GCNSIM_API const struct gcnsim_listing *gcnsim_result_listing(const struct gcnsim_result *result);

enum gcnsim_sort { GCNSIM_SORT_PC, GCNSIM_SORT_CYCLES, GCNSIM_SORT_EXECUTED, GCNSIM_SORT_LATENCY, GCNSIM_SORT_STALL };

struct gcnsim_annotate {
    size_t struct_bytes;   /* set by gcnsim_annotate_init; see Versions in gcnsim.h */
    enum gcnsim_sort sort; /* in the order of the code with its source lines; or the largest first, one by one */
    uint32_t top;          /* instructions, those with the most, and lines of each table; 0: all, and 10 */
    const char *function;  /* a part of the names of the functions that are shown; null: all */
    int color;             /* 1: with the escape sequences of terminals */
    int no_sources;        /* 1: source files are not read; otherwise their lines are shown where they are readable */
};
GCNSIM_API void gcnsim_annotate_init_sized(struct gcnsim_annotate *a, size_t struct_bytes);
static inline void gcnsim_annotate_init(struct gcnsim_annotate *a)
{
    gcnsim_annotate_init_sized(a, sizeof *a);
}

/* What each function, loop, source line and instruction cost and why, in at most 120 columns (docs/ANNOTATE.md).
 * options may be null. GCNSIM_ERROR_USAGE: the run did not count per instruction, or no function has that name. */
GCNSIM_API int gcnsim_result_annotated(const struct gcnsim_result *result, const struct gcnsim_annotate *options,
                                       char **text, struct gcnsim_error *error);
/* All instructions of the listing as lines of "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source", which are
 * those of rocprofv3's thread traces, and the cycles of each stall reason behind. */
GCNSIM_API int gcnsim_result_instructions_csv(const struct gcnsim_result *result, char **text,
                                              struct gcnsim_error *error);

/* ---- AMD's thread trace ------------------------------------------------------------------------------------------ */

/* A folder as rocprofv3 --att writes it, for ROCprof Compute Viewer and gcnsim_diff():
 * FOLDER/ui_output_agent_A_dispatch_N and beside it stats_ui_output_agent_A_dispatch_N.csv (docs/ATT.md). It is there
 * when the launch is over. One of that name that gcnsim has written before is replaced; anything else of that name is
 * an error before the run. */
struct gcnsim_att {
    size_t struct_bytes;      /* set by gcnsim_att_init; see Versions in gcnsim.h */
    const char *folder;       /* made when it is not there */
    uint64_t agent, dispatch; /* numbers in the names; initially 0 and 1 */
    /* Compute units (gfx10 and later: workgroup processors) that instructions are traced of: all; or those of these
     * numbers in each shader engine; or, without either, the first of each shader engine that gets a wave. */
    int all_units;
    const uint32_t *units;
    size_t unit_count;
    uint64_t from_cycle, to_cycle; /* of the launch; what lies outside is left out; to_cycle 0: up to the end */
    uint64_t max_waves;            /* traced at most; 0: 4096 */
};
GCNSIM_API void gcnsim_att_init_sized(struct gcnsim_att *a, size_t struct_bytes);
static inline void gcnsim_att_init(struct gcnsim_att *a)
{
    gcnsim_att_init_sized(a, sizeof *a);
}

/* ---- timeline ------------------------------------------------------------------------------------------------- */

/* A file in the format of Perfetto (https://ui.perfetto.dev opens it, and so does its trace_processor): waves,
 * instructions, stalls, requests to memory and counters over time, of one launch or of all launches of a program.
 * docs/TIMELINE.md shows what is in it. A timeline changes no cycle, and its bytes depend on no host thread. */
struct gcnsim_timeline;

struct gcnsim_timeline_options {
    size_t struct_bytes; /* set by gcnsim_timeline_options_init */
    const char *cus;     /* compute units whose waves are written, "0,4-7"; null: all */
    /* Cycles that are written, from the first on and before `end` (0: to the end), on the clock of the timeline: that
     * of the device, which begins at 0. Waves and instructions that go on there are cut. */
    uint64_t first_cycle, end_cycle;
    uint64_t max_bytes; /* of the file before compression: no waves are written from there on; 0: 256 MiB */
    int nanoseconds;    /* times are nanoseconds; else a nanosecond of the file is a cycle of the shader clock */
};
GCNSIM_API void gcnsim_timeline_options_init_sized(struct gcnsim_timeline_options *o, size_t struct_bytes);
static inline void gcnsim_timeline_options_init(struct gcnsim_timeline_options *o)
{
    gcnsim_timeline_options_init_sized(o, sizeof *o);
}

/* options may be null. A path that ends with ".gz" or ".zst" is compressed so. The file gets its name when it is
 * closed.
 */
GCNSIM_API int gcnsim_timeline_open(struct gcnsim_timeline **out, const char *path,
                                    const struct gcnsim_timeline_options *options, struct gcnsim_error *error);

/* One wave over time as text of at most 120 columns, in the manner of llvm-mca's timeline: a row for each instruction
 * that it executes, with what the wave waited for before it issued, and when its result was there. Loops are folded. */
struct gcnsim_wave_view {
    uint64_t workgroup;
    uint32_t wave;      /* in its workgroup */
    uint64_t first_row; /* shown, from 0 on */
    uint64_t rows;      /* shown at most; 0: 200 */
    char *text;         /* set by the launch, to be freed with gcnsim_free(); null: no memory */
};

/* What a launch writes to a timeline: gcnsim_dispatch.timeline, gcnsim_raw.timeline. */
struct gcnsim_on_timeline {
    struct gcnsim_timeline *timeline; /* null: the wave alone */
    const char *kernel;               /* its name; null: the launch's own */
    const char *queue;                /* the track it is on; null: "launches" */
    uint64_t number;
    int waves; /* 0: the launch alone, as one slice, and its counters */
    /* Raw launches: the code object that the code is of, for offsets and source lines, and where its image is
     * (gcnsim_code_place()). Null: not known. */
    const struct gcnsim_code *object;
    uint64_t object_address;
    struct gcnsim_wave_view *wave; /* null: none. A launch with one has its device to itself */
};

struct gcnsim_timeline_info {
    uint64_t bytes;                                 /* of the file before compression */
    uint64_t waves, instructions, stalls, requests; /* slices written */
    int full;                                       /* it has reached max_bytes, */
    uint64_t full_cycle;                            /* in this cycle */
};
GCNSIM_API void gcnsim_timeline_get_info(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info);

/* Writes the file and gives it its name (keep), or throws it away: nothing that is still running, or comes later, is in
 * it. The timeline stays until gcnsim_timeline_close(). */
GCNSIM_API int gcnsim_timeline_finish(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error);
/* The same, if that has not been done, when the launches on it are over, and releases it. keep: the file gets its name,
 * else it is thrown away. An error when not all could be written. t may be null. */
GCNSIM_API int gcnsim_timeline_close(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error);
/* ---- two runs, instruction by instruction ------------------------------------------------------------------------ */

/* Two measured runs side by side. Each is a folder of a thread trace (of gcnsim or of rocprofv3 on hardware:
 * ui_output_*, or the folder around it), a table of its statistics (stats_*.csv), or a JSON report of a run that
 * counted by instruction (docs/ATT.md). */
struct gcnsim_diff;

enum gcnsim_diff_per {
    GCNSIM_DIFF_AUTO,  /* total; per wave when the runs are of different numbers of waves */
    GCNSIM_DIFF_TOTAL, /* sums over all waves */
    GCNSIM_DIFF_WAVE,  /* divided by the number of waves */
    GCNSIM_DIFF_HIT    /* of instructions, by their executions */
};

enum gcnsim_diff_sort {
    GCNSIM_DIFF_BY_DIFFERENCE, /* of latency and idle together, as the others without its sign; this is the first order
                                */
    GCNSIM_DIFF_BY_LATENCY,
    GCNSIM_DIFF_BY_STALL,
    GCNSIM_DIFF_BY_IDLE,
    GCNSIM_DIFF_BY_HITS,
    GCNSIM_DIFF_BY_ADDRESS
};

GCNSIM_API int gcnsim_diff_open(struct gcnsim_diff **out, const char *a, const char *b, enum gcnsim_diff_per per,
                                struct gcnsim_error *error);
GCNSIM_API void gcnsim_diff_close(struct gcnsim_diff *diff); /* null is fine */
GCNSIM_API int gcnsim_diff_order(struct gcnsim_diff *diff, enum gcnsim_diff_sort by, struct gcnsim_error *error);
/* Figures of both runs and the first `top` instructions: at most 120 columns; one JSON object; the instructions as CSV.
 */
GCNSIM_API int gcnsim_diff_text(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_diff_json(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_diff_csv(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);

/* A figure of the runs; by index from 0 on. Non-zero past the last. */
struct gcnsim_diff_figure {
    const char *name, *unit, *description; /* "cycles", "latency", "wave_median" ... */
    int has_a, has_b;                      /* it is known */
    double a, b;
};
GCNSIM_API int gcnsim_diff_get_figure(const struct gcnsim_diff *diff, uint32_t index,
                                      struct gcnsim_diff_figure *figure);

/* ---- what would help ------------------------------------------------------------------------------------------ */

/* One simulation of a launch whose profile has other figures. */
struct gcnsim_trial {
    const char *const *sets; /* "path=value", on top of the launch's own */
    size_t set_count;
    int per_instruction; /* result->instructions are wanted */
};

/* Simulates the launch on a device that is cold, from the memory it had at its start, on one host thread: *result
 * belongs to the caller then. *digest: a hash of what the launch has left in memory, 0 when it is not known. Called
 * from several threads at the same time, each of which needs a simulator of its own. */
typedef int gcnsim_trial_fn(void *ctx, const struct gcnsim_trial *trial, struct gcnsim_result **result,
                            uint64_t *digest, struct gcnsim_error *error);

struct gcnsim_explain_options {
    size_t struct_bytes; /* set by gcnsim_explain_options_init; see Versions in gcnsim.h */
    gcnsim_trial_fn *run;
    void *ctx;
    const struct gcnsim *sim;       /* that has the launch's profile, with the launch's own sets, chosen */
    const struct gcnsim_code *code; /* for source lines; may be null */
    uint32_t jobs;                  /* simulations at the same time; 0: one for each of the host's processors */
    const char *const *only;        /* keys of causes, with the wildcards of fnmatch(3); none: all */
    size_t only_count;
    gcnsim_progress_fn *progress; /* simulations done of all; may be null */
    void *progress_ctx;
    const volatile int *abort_flag; /* may be null */
    const char *kernel;             /* the name in the explanation; null: the result's */
};
GCNSIM_API void gcnsim_explain_options_init_sized(struct gcnsim_explain_options *o, size_t struct_bytes);
static inline void gcnsim_explain_options_init(struct gcnsim_explain_options *o)
{
    gcnsim_explain_options_init_sized(o, sizeof *o);
}

/* An instruction that a cause takes cycles of: its waves' cycles in the launch, less those with the what-if. */
struct gcnsim_explained_place {
    uint64_t pc, pc_offset;
    const char *instruction;
    const char *source; /* "file:line"; null: unknown */
    const char *reason; /* that lost the most: a column "cycles.REASON" without its beginning; "" in remedies */
    double wave_cycles; /* saved, summed over all reasons; 0 in remedies */
    double share;       /* of what all instructions saved that saved any */
};

enum gcnsim_explained {
    GCNSIM_EXPLAINED_SIMULATED, /* cycles, saved and share are those of a simulation */
    GCNSIM_EXPLAINED_SKIPPED,   /* the launch does nothing that it could change: saved is 0 */
    GCNSIM_EXPLAINED_ABSENT,    /* the chip has no such part, or the what-if is not defined for it */
    GCNSIM_EXPLAINED_FAILED,    /* it could not be simulated to its end: note says why */
    GCNSIM_EXPLAINED_NAMED,     /* remedies: named alone, because nothing short of writing it says what it would give */
    GCNSIM_EXPLAINED_BOUNDED,   /* remedies: saved is that of a what-if, which no rewriting can exceed by this way */
};

struct gcnsim_explained_cause {
    const char *key;  /* "lds.conflicts", "latency.l2" ... (docs/EXPLAIN.md) */
    const char *what; /* that was made ideal */
    int overall;      /* it takes what several others take one by one ("waits"): behind these */
    enum gcnsim_explained state;
    const char *const *sets; /* that ask for it, with gcnsim run --set too */
    size_t set_count;
    double cycles, saved, share; /* of the launch with it; fewer than without; of those without, 0 to 1 */
    const char *note;            /* "" when there is nothing to say: that results differ, why it failed */
    const struct gcnsim_explained_place *places; /* those that saved the most */
    size_t place_count;
};

struct gcnsim_explained_remedy {
    const char *key;    /* "lds-row-stride" ... */
    const char *text;   /* what the launch does, and where */
    const char *remedy; /* what to do instead */
    enum gcnsim_explained state;
    const char *const *sets;
    size_t set_count;
    double cycles, saved, share;
    const char *note;
    const struct gcnsim_explained_place *places;
    size_t place_count;
};

/* All memory belongs to the explanation. */
struct gcnsim_explanation {
    const char *kernel, *target, *profile;
    double cycles;                               /* of the launch, on a cold device */
    const struct gcnsim_explained_cause *causes; /* those that save the most first, overall ones behind them */
    size_t cause_count;
    const struct gcnsim_explained_remedy *remedies; /* likewise; those without a gain last */
    size_t remedy_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds; /* of the host: all, and the launch as it is */
};

/* Simulates a launch as it is, and again with one thing ideal at a time; looks for remedies, and simulates these.
 * GCNSIM_ERROR_FAULT, _RUN_LIMIT or _INTERRUPTED when the launch as it is does not run to its end, or the flag was set.
 */
GCNSIM_API int gcnsim_explain(const struct gcnsim_explain_options *options, struct gcnsim_explanation **out,
                              struct gcnsim_error *error);
/* Starts a child process of this one (fork) that calls work(of, fd), where fd is the writing end of a pipe, and ends by
 * _exit(); calls answer(of, fd) with the reading end here, and waits for the child. Non-zero: none could be started. It
 * is called from several threads at the same time. The library itself starts no process. */
typedef int gcnsim_child_fn(void *ctx, void (*work)(void *of, int fd), void (*answer)(void *of, int fd), void *of);

/* gcnsim_explain() of a raw launch: each simulation is in a child process, which has the memory of this one. All memory
 * that the child would share with others (MAP_SHARED) is made private to it first, so that nothing that a simulation
 * stores is seen outside it. options->run and ->ctx are not used; raw->cold, threads, progress, snapshots, messages and
 * checks neither. Other threads of the process do not exist in the children: a launch that waits for the host there
 * does not end, so child should give them a time limit. */
GCNSIM_API int gcnsim_explain_raw(const struct gcnsim_explain_options *options, const struct gcnsim_raw *raw,
                                  gcnsim_child_fn *child, void *child_ctx, struct gcnsim_explanation **out,
                                  struct gcnsim_error *error);
GCNSIM_API int gcnsim_explanation_text(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_explanation_json(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_explanation_free(struct gcnsim_explanation *x); /* null is fine */

/* Cause number `index`, from 0 on, as the table of what-ifs has it; null past the last. what may be null. */
GCNSIM_API const char *gcnsim_explain_cause(uint32_t index, const char **what);

/* ---- sweeps of figures ---------------------------------------------------------------------------------------- */

struct gcnsim_whatif_options {
    size_t struct_bytes; /* set by gcnsim_whatif_options_init */
    gcnsim_trial_fn *run;
    void *ctx;
    const struct gcnsim *sim;  /* as in struct gcnsim_explain_options */
    const char *const *sweeps; /* "path=value,value,..."; several paths may be swept together: "a=1,2 b=3,4" is for
                                  cross alone */
    size_t sweep_count;
    int cross; /* all combinations of all values; 0: one figure at a time */
    uint32_t jobs;
    gcnsim_progress_fn *progress;
    void *progress_ctx;
    const volatile int *abort_flag;
};
GCNSIM_API void gcnsim_whatif_options_init_sized(struct gcnsim_whatif_options *o, size_t struct_bytes);
static inline void gcnsim_whatif_options_init(struct gcnsim_whatif_options *o)
{
    gcnsim_whatif_options_init_sized(o, sizeof *o);
}

struct gcnsim_whatif_point {
    const char *const *sets; /* one of each figure that differs from the launch's own */
    size_t set_count;
    uint32_t sweep;   /* that it belongs to; of a cross UINT32_MAX */
    double cycles;    /* of one that could not be simulated to its end 0 */
    double change;    /* cycles / those of the launch as it is - 1 */
    const char *note; /* why it could not; that results differ; "" */
};

struct gcnsim_whatif_axis {
    const char *path;
    const char *base;   /* the figure as the launch has it, "" when it has none */
    double least, most; /* change, over its points and the launch as it is */
};

struct gcnsim_whatif {
    const char *kernel, *target, *profile;
    double cycles; /* of the launch as it is */
    int cross;
    const struct gcnsim_whatif_point *points; /* in the order of the sweeps */
    size_t point_count;
    const struct gcnsim_whatif_axis *axes; /* by span, the widest first */
    size_t axis_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds;
};

/* Values that the profile refuses are an error before anything is simulated. */
GCNSIM_API int gcnsim_whatif(const struct gcnsim_whatif_options *options, struct gcnsim_whatif **out,
                             struct gcnsim_error *error);
GCNSIM_API int gcnsim_whatif_text(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
GCNSIM_API int gcnsim_whatif_json(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
/* A line "sweep,sets,cycles,change,note" for each point. */
GCNSIM_API int gcnsim_whatif_csv(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
GCNSIM_API void gcnsim_whatif_free(struct gcnsim_whatif *w); /* null is fine */

/* ---- analysis of a sequence ----------------------------------------------------------------------------------- */

/* What one wave does with a sequence of instructions, cycle by cycle, and which units a throughput is bound by. */
struct gcnsim_analysis;

enum gcnsim_analysis_view {
    GCNSIM_ANALYSIS_SUMMARY = 1,       /* latency, throughput, IPC, the bottleneck */
    GCNSIM_ANALYSIS_INSTRUCTIONS = 2,  /* unit, issue cycles and latency of each, and how sure they are */
    GCNSIM_ANALYSIS_PRESSURE = 4,      /* cycles of each unit */
    GCNSIM_ANALYSIS_CRITICAL_PATH = 8, /* the chain of dependences that sets the latency of an iteration */
    GCNSIM_ANALYSIS_TIMELINE = 16,     /* the first iterations, cycle by cycle */
    GCNSIM_ANALYSIS_ALL = 31,
};

/* item: one of gcnsim_compare() that is a sequence. options: as there; max_waves bounds the waves per SIMD of the
 * throughput. Ended by gcnsim_analysis_free(). */
GCNSIM_API int gcnsim_analyze(const struct gcnsim_compare_item *item, const struct gcnsim_compare_options *options,
                              struct gcnsim_analysis **out, struct gcnsim_error *error);
GCNSIM_API void gcnsim_analysis_free(struct gcnsim_analysis *a); /* null is fine */
/* views: of enum gcnsim_analysis_view, added up. iterations: that the timeline shows; 0: 3. Text has at most 120
 * columns; freed with gcnsim_free(). */
GCNSIM_API int gcnsim_analysis_text(const struct gcnsim_analysis *a, unsigned views, uint32_t iterations, char **text,
                                    struct gcnsim_error *error);
/* All but the timeline, as one JSON object. */
GCNSIM_API int gcnsim_analysis_json(const struct gcnsim_analysis *a, char **text, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif

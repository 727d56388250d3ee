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
 * too long (4096 bytes; 64 KiB when demangled), is copied as it is.
 *   name: as symbol tables have it
 *   plain: the name */
GCNSIM_API int gcnsim_demangle(const char *name, char **plain, struct gcnsim_error *error);

/* ---- pages for browsers --------------------------------------------------------------------------------------- */

/* What a page shows beside the run. */
struct gcnsim_html_options {
    size_t struct_bytes;      /* set by gcnsim_html_options_init; see Versions in gcnsim.h */
    const char *explain_json; /* what gcnsim explain says about the run, as JSON; null: nothing */
    const char *index;        /* address of a page of all dispatches (gcnsim_html_index()); null: none */
    int no_sources;           /* texts of source files stay out of the page: their lines are named alone */
};

/* Prepares options: a page of the run alone, with its sources.
 *   o: filled in
 *   struct_bytes: sizeof *o of the program */
GCNSIM_API void gcnsim_html_options_init_sized(struct gcnsim_html_options *o, size_t struct_bytes);
static inline void gcnsim_html_options_init(struct gcnsim_html_options *o)
{
    gcnsim_html_options_init_sized(o, sizeof *o);
}

/* One HTML file that shows a run in a browser: limits, roofline, memory, stalls, instructions beside their source lines
 * (of runs with per_instruction), all over time (of runs with samples). Everything is in the file; it asks no network
 * for anything. docs/HTML.md describes the page.
 *   result: a finished run
 *   options: may be null
 *   text: the page */
GCNSIM_API int gcnsim_result_html(const struct gcnsim_result *result, const struct gcnsim_html_options *options,
                                  char **text, struct gcnsim_error *error);

/* The same of the steady launches of a sequence (gcnsim_sequence_steady()), of which the page shows one at a time; of a
 * list without a steady launch the last one.
 *   sequence: the launches
 *   options: as in gcnsim_result_html()
 *   text: the page */
GCNSIM_API int gcnsim_sequence_html(const struct gcnsim_sequence *sequence, const struct gcnsim_html_options *options,
                                    char **text, struct gcnsim_error *error);

/* A dispatch of a process, as the page of all of them lists it. */
struct gcnsim_html_dispatch {
    size_t struct_bytes; /* set by gcnsim_html_dispatch_init; see Versions in gcnsim.h */
    uint64_t number;
    const char *kernel, *target, *engine;
    const char *outcome;            /* "completed", "fault", "limit", "interrupted" */
    uint32_t grid[3], workgroup[3]; /* work-items */
    double start_us, duration_us;   /* simulated */
    double cycles;                  /* negative: there are none */
    const char *page;               /* address of its own page; null: it has none */
    double gap_us; /* simulated, before start_us: since the dispatch before it in its queue has ended, and
                      for which its packet was ready; negative: there is none, or it is not known */
};

/* Prepares a dispatch of the list: one without cycles.
 *   d: filled in
 *   struct_bytes: sizeof *d of the program */
GCNSIM_API void gcnsim_html_dispatch_init_sized(struct gcnsim_html_dispatch *d, size_t struct_bytes);
static inline void gcnsim_html_dispatch_init(struct gcnsim_html_dispatch *d)
{
    gcnsim_html_dispatch_init_sized(d, sizeof *d);
}

/* The page that lists all dispatches of a process.
 *   title: of the page
 *   dispatches: one after the other, by their struct_bytes
 *   count: of dispatches
 *   left_out: dispatches that are not in the list
 *   text: the page */
GCNSIM_API int gcnsim_html_index(const char *title, const struct gcnsim_html_dispatch *dispatches, size_t count,
                                 uint64_t left_out, char **text, struct gcnsim_error *error);

/* ---- counters by AMD's names ---------------------------------------------------------------------------------- */

/* A counter of hardware that counts exactly what statistics of gcnsim do, or a metric that AMD derives from such
 * (docs/COUNTERS.md). */
struct gcnsim_counter {
    const char *name;  /* "SQ_WAVES" */
    const char *about; /* what AMD says that it counts */
    int present;       /* the chip has it, the run what it is made of, and nothing that its definition leaves open */
    double value;      /* 0 when it is not present */
};

/* A counter of a run by AMD's name; GCNSIM_ERROR_USAGE past the last.
 *   result: a finished run
 *   index: from 0 on
 *   counter: filled in; the strings are static */
GCNSIM_API int gcnsim_result_counter(const struct gcnsim_result *result, size_t index, struct gcnsim_counter *counter);

/* The counters that a run has, as rocprofv3 writes them to counter_collection.csv. Numbers of agent, queue, process and
 * thread, which a single launch does not have, are 0, that of the dispatch and its kernel 1; times are nanoseconds on a
 * clock that begins with the packet.
 *   result: a finished run
 *   text: the lines */
GCNSIM_API int gcnsim_result_counters_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);

/* ---- annotated code ---------------------------------------------------------------------------------------------- */

/* A function and the place in it: of an instruction or, when others were inlined into it, of the call. */
struct gcnsim_frame {
    const char *function;  /* demangled; null: not known */
    const char *file;      /* as the debug information has it; null: not known */
    uint32_t line, column; /* 0: not known */
};

/* Frames of a result's fault, innermost first; null when none are known. They belong to the result.
 *   result: a finished run
 *   count: of frames; 0 when it is null */
GCNSIM_API const struct gcnsim_frame *gcnsim_fault_frames(const struct gcnsim_result *result, uint32_t *count);

/* Frames of one of a result's findings, likewise.
 *   result: a finished run
 *   index: in result->findings
 *   count: as in gcnsim_fault_frames() */
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
        depth;                    /* parent: the loop around it, or GCNSIM_LISTING_NONE; the outermost have depth 1 */
    uint32_t header, first, last; /* instructions: where it is entered; its first and last by address */
    const char *file;             /* and line of the lowest line of the function that is in it; null: not known */
    uint32_t line;
    uint64_t iterations; /* executions of the header */
    int entries_known;
    uint64_t entries; /* how often it was entered from outside */
};
struct gcnsim_listing {
    size_t struct_bytes;                      /* of the library's struct; see Versions in gcnsim.h */
    const struct gcnsim_listed *instructions; /* by pc */
    size_t instruction_count;
    const struct gcnsim_listed_function *functions;
    size_t function_count;
    const struct gcnsim_listed_loop *loops; /* by header */
    size_t loop_count;
};

/* The instructions, functions and loops of the code that was run. Belongs to the result; null unless
 * dispatch.per_instruction was asked for.
 *   result: a finished run */
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

/* Prepares options: all functions in the order of the code, without colors.
 *   a: filled in
 *   struct_bytes: sizeof *a of the program */
GCNSIM_API void gcnsim_annotate_init_sized(struct gcnsim_annotate *a, size_t struct_bytes);
static inline void gcnsim_annotate_init(struct gcnsim_annotate *a)
{
    gcnsim_annotate_init_sized(a, sizeof *a);
}

/* What each function, loop, source line and instruction cost and why, in at most 120 columns (docs/ANNOTATE.md).
 * GCNSIM_ERROR_USAGE: the run did not count per instruction, or no function has that name.
 *   result: a finished run
 *   options: may be null
 *   text: the tables */
GCNSIM_API int gcnsim_result_annotated(const struct gcnsim_result *result, const struct gcnsim_annotate *options,
                                       char **text, struct gcnsim_error *error);

/* All instructions of the listing as lines of "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source", which are
 * those of rocprofv3's thread traces, then the cycles of each stall reason.
 *   result: a finished run
 *   text: the lines */
GCNSIM_API int gcnsim_result_instructions_csv(const struct gcnsim_result *result, char **text,
                                              struct gcnsim_error *error);

/* Counts by instruction of several launches of one code object, added up: what a kernel cost in all of its dispatches,
 * or a code object in those of all of its kernels. The code may have been loaded at several addresses. */
struct gcnsim_sum;
/* Makes a sum of nothing.
 *   out: the sum, to be freed with gcnsim_sum_free() */
GCNSIM_API int gcnsim_sum_open(struct gcnsim_sum **out, struct gcnsim_error *error);

/* Adds a run. GCNSIM_ERROR_USAGE, the sum left as it was: it did not count per instruction, or is of other code
 * (result->code_sha256) or on another profile than those before it.
 *   sum: the sum
 *   result: is not needed any more afterwards */
GCNSIM_API int gcnsim_sum_add(struct gcnsim_sum *sum, const struct gcnsim_result *result, struct gcnsim_error *error);

/* As gcnsim_result_annotated(), of all launches together. GCNSIM_ERROR_USAGE also when nothing has been added.
 *   sum: the sum
 *   options: as there
 *   text: the tables */
GCNSIM_API int gcnsim_sum_annotated(const struct gcnsim_sum *sum, const struct gcnsim_annotate *options, char **text,
                                    struct gcnsim_error *error);

/* As gcnsim_result_instructions_csv(), of all launches together; likewise.
 *   sum: the sum
 *   code_object: the number in the column CodeObj
 *   rows_alone: 1: without the line of column names
 *   text: the lines */
GCNSIM_API int gcnsim_sum_instructions_csv(const struct gcnsim_sum *sum, uint64_t code_object, int rows_alone,
                                           char **text, struct gcnsim_error *error);

/* How many launches were added.
 *   sum: the sum */
GCNSIM_API uint64_t gcnsim_sum_launches(const struct gcnsim_sum *sum);

/* A statistic that counts, added up over the launches; 0 when they do not have it.
 *   sum: the sum
 *   name: "cycles" */
GCNSIM_API double gcnsim_sum_stat(const struct gcnsim_sum *sum, const char *name);

/* Frees a sum.
 *   sum: null is fine */
GCNSIM_API void gcnsim_sum_free(struct gcnsim_sum *sum);

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
    int no_sources; /* 1: source files are not copied into the folder; otherwise those that the code object's line
                     * tables name are, where they can be read and have the ending of a source file */
};

/* Prepares a thread trace: agent 0, dispatch 1, the first unit of each shader engine.
 *   a: filled in
 *   struct_bytes: sizeof *a of the program */
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
    size_t struct_bytes; /* set by gcnsim_timeline_options_init; see Versions in gcnsim.h */
    const char *cus;     /* compute units whose waves are written, "0,4-7"; null: all */
    /* Cycles that are written, from the first on and before `end` (0: to the end), on the clock of the timeline: that
     * of the device, which begins at 0. Waves and instructions that go on there are cut. */
    uint64_t first_cycle, end_cycle;
    uint64_t max_bytes; /* of the file before compression: no waves are written from there on; 0: 256 MiB */
    int nanoseconds;    /* times are nanoseconds; else a nanosecond of the file is a cycle of the shader clock */
};

/* Prepares options: all waves, from the first cycle to the last, on the shader clock.
 *   o: filled in
 *   struct_bytes: sizeof *o of the program */
GCNSIM_API void gcnsim_timeline_options_init_sized(struct gcnsim_timeline_options *o, size_t struct_bytes);
static inline void gcnsim_timeline_options_init(struct gcnsim_timeline_options *o)
{
    gcnsim_timeline_options_init_sized(o, sizeof *o);
}

/* Begins a timeline. The file gets its name when it is closed.
 *   out: the timeline, to be closed with gcnsim_timeline_close()
 *   path: of the file; one that ends with ".gz" or ".zst" is compressed so
 *   options: may be null */
GCNSIM_API int gcnsim_timeline_open(struct gcnsim_timeline **out, const char *path,
                                    const struct gcnsim_timeline_options *options, struct gcnsim_error *error);

/* One wave over time as text of at most 120 columns, in the manner of llvm-mca's timeline: a row for each instruction
 * that it executes, with what the wave waited for before it issued, and when its result was there. Loops are folded. */
struct gcnsim_wave_view {
    uint64_t workgroup;
    uint32_t wave;      /* in its workgroup */
    uint64_t first_row; /* shown, from 0 on */
    uint64_t rows;      /* shown at most; 0: 200 */
    char *text;         /* set by the launch, to be freed with gcnsim_free(); null: out of host memory */
};

/* What a launch writes to a timeline: gcnsim_dispatch.timeline, gcnsim_raw.timeline. */
struct gcnsim_on_timeline {
    size_t struct_bytes;              /* set by gcnsim_on_timeline_init; see Versions in gcnsim.h */
    struct gcnsim_timeline *timeline; /* null: the wave alone */
    const char *kernel;               /* its name; null: the launch's own */
    const char *queue;                /* the track it is on; null: "launches" */
    uint64_t number;
    int waves; /* 0: the launch alone, as one slice, and its counters */
    /* The code object that the code is of, for offsets and source lines, and where its image is (gcnsim_code_place()).
     * Null: the launch's own. */
    const struct gcnsim_code *object;
    uint64_t object_address;
    struct gcnsim_wave_view *wave; /* null: none. A launch with one has its device to itself */
};

/* Prepares what a launch writes to a timeline: nothing.
 *   t: filled in
 *   struct_bytes: sizeof *t of the program */
GCNSIM_API void gcnsim_on_timeline_init_sized(struct gcnsim_on_timeline *t, size_t struct_bytes);
static inline void gcnsim_on_timeline_init(struct gcnsim_on_timeline *t)
{
    gcnsim_on_timeline_init_sized(t, sizeof *t);
}

struct gcnsim_timeline_info {
    uint64_t bytes;                                 /* of the file before compression */
    uint64_t waves, instructions, stalls, requests; /* slices written */
    int full;                                       /* it has reached max_bytes, */
    uint64_t full_cycle;                            /* in this cycle */
};

/* What has been written so far.
 *   t: the timeline
 *   info: filled in
 *   info_bytes: sizeof *info of the program */
GCNSIM_API void gcnsim_timeline_get_info_sized(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info,
                                               size_t info_bytes);
static inline void gcnsim_timeline_get_info(const struct gcnsim_timeline *t, struct gcnsim_timeline_info *info)
{
    gcnsim_timeline_get_info_sized(t, info, sizeof *info);
}

/* Writes the file and gives it its name, or throws it away: nothing that is still running, or comes later, is in it.
 * The timeline stays until gcnsim_timeline_close().
 *   t: the timeline
 *   keep: 0: the file is thrown away */
GCNSIM_API int gcnsim_timeline_finish(struct gcnsim_timeline *t, int keep, struct gcnsim_error *error);

/* The same, if that has not been done, when the launches on it are over, and releases the timeline. An error when not
 * all could be written.
 *   t: null is fine
 *   keep: as in gcnsim_timeline_finish() */
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

/* Reads two runs.
 *   out: the comparison, to be closed with gcnsim_diff_close()
 *   a: path of the first run
 *   b: path of the second run
 *   per: what figures are divided by */
GCNSIM_API int gcnsim_diff_open(struct gcnsim_diff **out, const char *a, const char *b, enum gcnsim_diff_per per,
                                struct gcnsim_error *error);

/* Frees the two runs.
 *   diff: null is fine */
GCNSIM_API void gcnsim_diff_close(struct gcnsim_diff *diff);

/* Chooses the order of the instructions.
 *   diff: the two runs
 *   by: what is compared */
GCNSIM_API int gcnsim_diff_order(struct gcnsim_diff *diff, enum gcnsim_diff_sort by, struct gcnsim_error *error);

/* Figures of both runs and their instructions, at most 120 columns.
 *   diff: the two runs
 *   top: instructions, from the first on
 *   text: the tables */
GCNSIM_API int gcnsim_diff_text(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);

/* The same as one JSON object.
 *   diff: the two runs
 *   top: as in gcnsim_diff_text()
 *   text: the object */
GCNSIM_API int gcnsim_diff_json(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);

/* The instructions as CSV.
 *   diff: the two runs
 *   top: as in gcnsim_diff_text()
 *   text: the lines */
GCNSIM_API int gcnsim_diff_csv(const struct gcnsim_diff *diff, size_t top, char **text, struct gcnsim_error *error);

/* A figure of the runs; by index from 0 on. Non-zero past the last. */
struct gcnsim_diff_figure {
    const char *name, *unit, *description; /* "cycles", "latency", "wave_median" ... */
    int has_a, has_b;                      /* it is known */
    double a, b;
};

/* A figure of the runs; non-zero, *figure left alone, past the last.
 *   diff: the two runs, to which the strings belong
 *   index: from 0 on
 *   figure: filled in */
GCNSIM_API int gcnsim_diff_get_figure(const struct gcnsim_diff *diff, uint32_t index,
                                      struct gcnsim_diff_figure *figure);

#ifdef __cplusplus
}
#endif

#endif

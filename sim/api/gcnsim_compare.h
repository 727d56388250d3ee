/* gcnsim: sequences of instructions, measured and compared. gcnsim.h, which programs include, includes this header and
has the conventions. */
#ifndef GCNSIM_COMPARE_H
#define GCNSIM_COMPARE_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- comparing sequences -------------------------------------------------------------------------------------- */

/* Puts a sequence of instructions into a loop that can be measured. The text is an assembly file; assembled and linked
 * for the same target it is an item of gcnsim_compare(). The sequence finds s[0:1] = address of a buffer of 1 MiB that
 * is private to the run, s2 = number of the wave, v0 = 4 * lane, every other VGPR it names = 0x3c003c00 (1.0 in both
 * halves), other registers 0, EXEC full, and 1 KiB of LDS when it has LDS or flat instructions. After the last
 * repetition in the loop are waits for the counters that it raises. The loop keeps its count in an SGPR that the
 * sequence does not name, and writes SCC.
 *   code: assembled and linked from text without a kernel, instructions alone; they are repeated whole, or from the
 *     label "loop" on when there is one (what stands before it runs once)
 *   name: for messages; null: the name given at opening
 *   wave_size: 32, 64, or 0 for the target's usual
 *   text: the assembly file */
GCNSIM_API int gcnsim_compare_wrap(const struct gcnsim_code *code, const char *name, uint32_t wave_size, char **text,
                                   struct gcnsim_error *error);

/* The same from an assembled object that is not linked (clang -c), as a code object at once: an item of
 * gcnsim_compare() that needs no assembler again. References of the object to elsewhere do not matter. */
struct gcnsim_loop_source {
    size_t struct_bytes;     /* set by gcnsim_loop_source_init; see Versions in gcnsim.h */
    const void *object;      /* ET_REL */
    size_t size;             /* of the object, in bytes */
    const char *name;        /* for messages; null: "memory" */
    const char *begin, *end; /* symbols around a part of the code; end null: up to the end of its section; both null:
                              * all of the code, which is then instructions alone */
    uint32_t wave_size;      /* as above */
};

/* Prepares a source of a loop: all zero.
 *   s: filled in
 *   struct_bytes: sizeof *s of the program */
GCNSIM_API void gcnsim_loop_source_init_sized(struct gcnsim_loop_source *s, size_t struct_bytes);
static inline void gcnsim_loop_source_init(struct gcnsim_loop_source *s)
{
    gcnsim_loop_source_init_sized(s, sizeof *s);
}

/* Puts code of an object into a loop. A part between two symbols may be any code, of a kernel for instance: its
 * instructions run in the order in which they stand, each once in an iteration. A branch goes on after itself, what
 * ends the wave or goes to code elsewhere becomes s_nop (and falls away at the part's end), and every address that it
 * reads or writes is valid.
 *   source: the object, and the part of it
 *   bytes: the code object, to be released with gcnsim_free()
 *   size: in bytes */
GCNSIM_API int gcnsim_compare_loop(const struct gcnsim_loop_source *source, void **bytes, size_t *size,
                                   struct gcnsim_error *error);

/* The same as assembly text, for reading and keeping.
 *   source: as in gcnsim_compare_loop()
 *   text: the assembly file */
GCNSIM_API int gcnsim_compare_loop_text(const struct gcnsim_loop_source *source, char **text,
                                        struct gcnsim_error *error);

/* Whether an assembled object that is not linked has a kernel: 1 or 0.
 *   object: its bytes
 *   size: in bytes
 *   name: of the first kernel, always terminated, cut at name_size, "" when there is none; may be null
 *   name_size: of name, in bytes */
GCNSIM_API int gcnsim_object_kernel(const void *object, size_t size, char *name, size_t name_size);

/* One of the things to compare: a code object made of a text from gcnsim_compare_wrap(), or one with a kernel. */
struct gcnsim_compare_item {
    size_t struct_bytes; /* set by gcnsim_compare_item_init; see Versions in gcnsim.h */
    const char *label;
    const void *bytes; /* of the code object */
    size_t size;
    /* of kernels alone */
    const char *kernel;         /* null: the only one there is */
    uint32_t workgroup_size[3]; /* work-items; all 0: what the kernel requires, else one wave */
    const char *const *args;    /* SPECs (gcnsim_args_parse); null: a buffer of 1 MiB for each pointer, zeros for */
    size_t arg_count;           /* the rest */
    const char *directory;      /* of the SPECs' paths */
};

struct gcnsim_compare_options {
    size_t struct_bytes;     /* set by gcnsim_compare_options_init; see Versions in gcnsim.h */
    const char *profile;     /* name, target or path; null: the default of the first item's target */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    uint32_t max_waves;                    /* per SIMD; 0: as many as fit */
    uint64_t max_instructions, max_cycles; /* of each run; 0: 100 million wave-instructions, no limit of cycles */
    gcnsim_progress_fn *progress;          /* thousandths of an item that are done, of all */
    void *progress_ctx;
    const volatile int *abort_flag;
    uint64_t max_memory; /* bytes, of each simulator that runs an item (gcnsim_set_max_memory); 0: the default */
};

/* Prepares options: all choices left to gcnsim_compare().
 *   o: filled in
 *   struct_bytes: sizeof *o of the program */
GCNSIM_API void gcnsim_compare_options_init_sized(struct gcnsim_compare_options *o, size_t struct_bytes);
static inline void gcnsim_compare_options_init(struct gcnsim_compare_options *o)
{
    gcnsim_compare_options_init_sized(o, sizeof *o);
}

/* Prepares an item: no code, all choices left to gcnsim_compare().
 *   item: filled in
 *   struct_bytes: sizeof *item of the program */
GCNSIM_API void gcnsim_compare_item_init_sized(struct gcnsim_compare_item *item, size_t struct_bytes);
static inline void gcnsim_compare_item_init(struct gcnsim_compare_item *item)
{
    gcnsim_compare_item_init_sized(item, sizeof *item);
}

struct gcnsim_compare_point {
    uint32_t waves_per_simd;
    double cycles; /* of a SIMD for one iteration of one wave */
};

struct gcnsim_compare_count {
    const char *name;
    double one_wave, full; /* of one iteration of one wave: alone, and at full occupancy */
};

/* Results for one item. An iteration is one run through the sequence, or one run of a wave of the kernel. */
struct gcnsim_compare_entry {
    const char *label;
    const char *kernel; /* null: a sequence */
    uint32_t bytes, instructions;
    uint32_t vgprs, agprs, sgprs; /* different registers that the code names */
    uint32_t wave_size;
    uint32_t icache_line_bytes, icache_lines; /* instruction cache the code takes, when it begins on a line */
    uint32_t waves_per_simd;                  /* full occupancy */
    const char *limiter;                      /* of it: as in struct gcnsim_occupancy, or "max_waves" */
    double latency_cycles;                    /* one iteration of one wave (kernels: one workgroup) alone on the chip */
    double throughput_cycles;                 /* cycles of a SIMD for one iteration of one wave at full occupancy */
    const struct gcnsim_compare_point *points; /* 1 wave per SIMD and on, up to full occupancy; a long loop: not all */
    size_t point_count;
    const struct gcnsim_compare_count *issues; /* instructions by category; those of a sequence are counted alone */
    size_t issue_count;
    const struct gcnsim_compare_count *stalls; /* wave-cycles by reason */
    size_t stall_count;
    /* A sequence of dependent instructions without s_delay_alu, on a chip whose vector ALU queues what is issued before
     * its operands are there (RDNA3 and later), of which all waves together mostly wait for that unit. */
    int undelayed;
};

/* All memory belongs to the comparison. */
struct gcnsim_comparison {
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    const char *profile, *target;
    uint32_t cus, simds; /* what it ran on: the SIMDs of one compute unit or workgroup processor */
    const struct gcnsim_compare_entry *entries;
    size_t entry_count;
};

/* Runs every item on one compute unit (RDNA: one WGP) of the profile: with one wave alone, and with 1, 2, ... waves on
 * each SIMD up to full occupancy. All numbers of a sequence are differences between loops of different lengths that ran
 * for different counts, so that neither launch nor loop is in them. Kernels are run as they are: alone, which is all
 * cycles of one workgroup's dispatch, and occupied, the difference between four and two rounds of as many workgroups as
 * run at once, where a wave that ends is followed by the next. A sequence with a loop of its own is run for as much as
 * an iteration executes: of long ones fewer passes and points, and more than 524288 instructions in an iteration are
 * GCNSIM_ERROR_RUN_LIMIT (docs/COMPARE.md). An item that faults or reaches a limit is an error (GCNSIM_ERROR_FAULT,
 * _RUN_LIMIT, _INTERRUPTED) that begins with its label.
 *   items: at least one; all for the target of the profile
 *   count: of items
 *   options: the choices
 *   out: the comparison, to be freed with gcnsim_comparison_free() */
GCNSIM_API int gcnsim_compare(const struct gcnsim_compare_item *items, size_t count,
                              const struct gcnsim_compare_options *options, struct gcnsim_comparison **out,
                              struct gcnsim_error *error);

/* The items side by side, at most 80 columns.
 *   c: the comparison
 *   text: the table */
GCNSIM_API int gcnsim_comparison_text(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);

/* A comparison as one JSON object.
 *   c: the comparison
 *   text: the object */
GCNSIM_API int gcnsim_comparison_json(const struct gcnsim_comparison *c, char **text, struct gcnsim_error *error);

/* Frees a comparison and all that belongs to it.
 *   c: null is fine */
GCNSIM_API void gcnsim_comparison_free(struct gcnsim_comparison *c);

/* ---- analysis of a sequence ----------------------------------------------------------------------------------- */

/* What one wave does with a sequence of instructions, cycle by cycle, and which units a throughput is bound by. */
struct gcnsim_analysis;

enum gcnsim_analysis_view {
    GCNSIM_ANALYSIS_SUMMARY = 1,       /* latency, throughput, IPC, the bottleneck */
    GCNSIM_ANALYSIS_INSTRUCTIONS = 2,  /* unit, issue cycles and latency of each, and how sure they are */
    GCNSIM_ANALYSIS_PRESSURE = 4,      /* cycles of each unit */
    GCNSIM_ANALYSIS_CRITICAL_PATH = 8, /* the chain of dependences that sets the latency of an iteration */
    GCNSIM_ANALYSIS_TIMELINE = 16,     /* the first iterations, cycle by cycle */
    GCNSIM_ANALYSIS_ALL = 0x7fffffff,  /* those that later versions add, too */
};

/* Runs a sequence with one wave, whose instructions are recorded cycle by cycle, and with up to full occupancy.
 *   item: one of gcnsim_compare() that is a sequence
 *   options: as there; max_waves bounds the waves per SIMD of the throughput
 *   out: the analysis, to be freed with gcnsim_analysis_free() */
GCNSIM_API int gcnsim_analyze(const struct gcnsim_compare_item *item, const struct gcnsim_compare_options *options,
                              struct gcnsim_analysis **out, struct gcnsim_error *error);

/* Frees an analysis.
 *   a: null is fine */
GCNSIM_API void gcnsim_analysis_free(struct gcnsim_analysis *a);

/* Views of an analysis, at most 120 columns.
 *   a: the analysis
 *   views: of enum gcnsim_analysis_view, added up
 *   iterations: that the timeline shows; 0: 3
 *   text: the views */
GCNSIM_API int gcnsim_analysis_text(const struct gcnsim_analysis *a, unsigned views, uint32_t iterations, char **text,
                                    struct gcnsim_error *error);

/* All but the timeline, as one JSON object.
 *   a: the analysis
 *   text: the object */
GCNSIM_API int gcnsim_analysis_json(const struct gcnsim_analysis *a, char **text, struct gcnsim_error *error);

#ifdef __cplusplus
}
#endif

#endif

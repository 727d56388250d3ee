/* gcnsim: what would help a launch, and how it depends on figures of the chip, by simulating again. gcnsim.h, which
 * programs include, includes this header and has the conventions. */
#ifndef GCNSIM_EXPLAIN_H
#define GCNSIM_EXPLAIN_H

#ifndef GCNSIM_API
#error "include gcnsim.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what would help ------------------------------------------------------------------------------------------ */

/* One simulation of a launch whose profile has other figures. */
struct gcnsim_trial {
    size_t struct_bytes;     /* of the library's struct; see Versions in gcnsim.h */
    const char *const *sets; /* "path=value", on top of the launch's own */
    size_t set_count;
    int per_instruction; /* result->instructions are wanted */
    uint32_t warmup;     /* launches on the same device before it, which are not reported; 0: the device is cold */
};

/* Simulates the launch on a device of its own, from the memory it had at its start, on one host thread. Called from
 * several threads at the same time, each of which needs a simulator of its own. Returns a status.
 *   ctx: the options' ctx
 *   trial: what differs; the library's, during the call
 *   result: is the library's then
 *   digest: a hash of what the launch has left in memory, 0 when it is not known */
typedef int gcnsim_trial_fn(void *ctx, const struct gcnsim_trial *trial, struct gcnsim_result **result,
                            uint64_t *digest, struct gcnsim_error *error);

struct gcnsim_explain_options {
    size_t struct_bytes; /* set by gcnsim_explain_options_init; see Versions in gcnsim.h */
    gcnsim_trial_fn *run;
    void *ctx;
    const struct gcnsim *sim;       /* that has the launch's profile, with the launch's own sets, chosen */
    const struct gcnsim_code *code; /* for source lines; may be null. Raw launches: their object is taken, if any */
    uint32_t jobs;                  /* simulations at the same time; 0: one for each of the host's processors */
    const char *const *only;        /* keys of causes, with the wildcards of fnmatch(3); none: all */
    size_t only_count;
    gcnsim_progress_fn *progress; /* simulations done of all; may be null */
    void *progress_ctx;
    const volatile int *abort_flag; /* may be null */
    const char *kernel;             /* the name in the explanation; null: the result's */
    uint32_t warmup;                /* of each trial: launches before it, whose caches it finds */
};

/* Prepares options: all zero.
 *   o: filled in
 *   struct_bytes: sizeof *o of the program */
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
    int overall;      /* it takes what several others take one by one ("waits"): after these */
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
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    const char *kernel, *target, *profile;
    double cycles;                               /* of the launch */
    const struct gcnsim_explained_cause *causes; /* those that save the most first, overall ones after them */
    size_t cause_count;
    const struct gcnsim_explained_remedy *remedies; /* likewise; those without a gain last */
    size_t remedy_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds; /* of the host: all, and the launch as it is */
    uint32_t warmup;              /* as in the options */
};

/* Simulates a launch as it is, and again with one thing ideal at a time; looks for remedies, and simulates these.
 * GCNSIM_ERROR_FAULT, _RUN_LIMIT or _INTERRUPTED when the launch as it is does not run to its end, or the flag was set.
 *   options: the launch, and how to simulate it
 *   out: the explanation, to be freed with gcnsim_explanation_free() */
GCNSIM_API int gcnsim_explain(const struct gcnsim_explain_options *options, struct gcnsim_explanation **out,
                              struct gcnsim_error *error);

/* Starts a child process of this one (fork) that calls work(of, fd), where fd is the writing end of a pipe, and ends by
 * _exit(); calls answer(of, fd) with the reading end here, and waits for the child. Non-zero: none could be started. It
 * is called from several threads at the same time. The library itself starts no process.
 *   ctx: as given to gcnsim_explain_raw()
 *   work: called in the child
 *   answer: called in this process
 *   of: for both */
typedef int gcnsim_child_fn(void *ctx, void (*work)(void *of, int fd), void (*answer)(void *of, int fd), void *of);

/* gcnsim_explain() of a raw launch: each simulation is in a child process, which has the memory of this one. All memory
 * that the child would share with others (MAP_SHARED) is made private to it first, so that nothing that a simulation
 * stores is seen outside it. Other threads of the process do not exist in the children: a launch that waits for the
 * host there does not end, so child should give them a time limit. With a warm-up each child launches so many times
 * before, and the launch finds in memory what these have left.
 *   options: run and ctx are not used
 *   raw: the launch; cold, threads, progress, snapshots, messages and checks are not used
 *   child: starts child processes
 *   child_ctx: for child
 *   out: as in gcnsim_explain() */
GCNSIM_API int gcnsim_explain_raw(const struct gcnsim_explain_options *options, const struct gcnsim_raw *raw,
                                  gcnsim_child_fn *child, void *child_ctx, struct gcnsim_explanation **out,
                                  struct gcnsim_error *error);

/* An explanation for people.
 *   x: the explanation
 *   text: the tables */
GCNSIM_API int gcnsim_explanation_text(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);

/* An explanation as one JSON object.
 *   x: the explanation
 *   text: the object */
GCNSIM_API int gcnsim_explanation_json(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error);

/* Frees an explanation and all that belongs to it.
 *   x: null is fine */
GCNSIM_API void gcnsim_explanation_free(struct gcnsim_explanation *x);

/* The key of a cause, as the table of what-ifs has it; static; null past the last.
 *   index: from 0 on
 *   what: that is made ideal; may be null */
GCNSIM_API const char *gcnsim_explain_cause(uint32_t index, const char **what);

/* ---- sweeps of figures ---------------------------------------------------------------------------------------- */

struct gcnsim_whatif_options {
    size_t struct_bytes; /* set by gcnsim_whatif_options_init; see Versions in gcnsim.h */
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
    uint32_t warmup; /* as in struct gcnsim_explain_options */
};

/* Prepares options: all zero.
 *   o: filled in
 *   struct_bytes: sizeof *o of the program */
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
    size_t struct_bytes; /* of the library's struct; see Versions in gcnsim.h */
    const char *kernel, *target, *profile;
    double cycles; /* of the launch as it is */
    int cross;
    const struct gcnsim_whatif_point *points; /* in the order of the sweeps */
    size_t point_count;
    const struct gcnsim_whatif_axis *axes; /* by span, the widest first */
    size_t axis_count;
    uint32_t simulations, jobs;
    double seconds, base_seconds;
    uint32_t warmup;
};

/* Simulates a launch again with other figures of its profile. Values that the profile refuses are an error before
 * anything is simulated.
 *   options: the launch, and the figures
 *   out: to be freed with gcnsim_whatif_free() */
GCNSIM_API int gcnsim_whatif(const struct gcnsim_whatif_options *options, struct gcnsim_whatif **out,
                             struct gcnsim_error *error);

/* A table of the figures, and one of the points, for people.
 *   w: what came of it
 *   text: the tables */
GCNSIM_API int gcnsim_whatif_text(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);

/* All of it as one JSON object.
 *   w: what came of it
 *   text: the object */
GCNSIM_API int gcnsim_whatif_json(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);

/* A line "sets,cycles,change,note" for the launch as it is, and one for each point.
 *   w: what came of it
 *   text: the lines */
GCNSIM_API int gcnsim_whatif_csv(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);

/* Frees what gcnsim_whatif() has made.
 *   w: null is fine */
GCNSIM_API void gcnsim_whatif_free(struct gcnsim_whatif *w);

#ifdef __cplusplus
}
#endif

#endif

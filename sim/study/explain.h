/* Causes by re-simulation: what the files explain*.c and whatif.c share.
 *
 *   explain.c         gcnsim_explain(): the base run, the what-ifs, the remedies; what becomes of the answers
 *   explain_runs.c    runs of trials on several host threads, and what is kept of each
 *   explain_causes.c  the table of what-ifs: which figures each of them replaces
 *   remedies.c        the table of remedies, and what their rules are made with; remedies_*.c look for them
 *   explain_write.c   text and JSON of an explanation
 *   explain_raw.c     trials of raw launches in child processes
 *   whatif.c          gcnsim_whatif(): sweeps of figures
 */
#ifndef GCNSIM_SIM_EXPLAIN_H
#define GCNSIM_SIM_EXPLAIN_H

#include "sim/api/api.h"

/* One simulation, and what is kept of it. All memory is malloc'd; trial_free(). */
struct trial {
    const char *key;   /* of the cause; borrowed */
    const char **sets; /* "path=value"; the texts are the arena's */
    size_t set_count;
    int per_instruction;
    const struct trial *like; /* has the same sets: not run, its answer is taken */
    bool skipped;             /* the base run shows that nothing can change */

    struct gcnsim_error error; /* code GCNSIM_OK: it ran */
    int outcome;
    char message[512];
    char kernel[256], target[32], profile[64], limiter[24];
    uint32_t workgroup[3], grid[3];
    uint64_t workgroups, waves;
    struct gcnsim_occupancy occupancy;
    int has_occupancy;
    double seconds;  /* of the host */
    uint64_t digest; /* of what it has left in memory; 0: not known */
    double *stat;    /* by row of the statistics table; NAN: not there */
    size_t stats;
    size_t instructions;
    struct trial_instruction {
        uint64_t pc, pc_offset;
        uint64_t has[(STAT_INST_ALL + 63) / 64]; /* a bit per column that is not 0; */
        uint64_t first;                          /* the place of the first of these among the values */
        struct inst_facts facts;
        char text[96]; /* to be shown */
    } * instruction;   /* by pc */
    uint64_t *values;  /* those that are not 0: most are, and there is a trial for each cause */
    size_t value_count;
};

/* Does one; called from several threads at the same time. */
typedef void trial_fn(void *ctx, struct trial *t);

struct trials {
    trial_fn *run;
    void *ctx;
    uint32_t jobs;
    gcnsim_progress_fn *progress; /* may be null */
    void *progress_ctx;
    const volatile int *abort_flag; /* may be null */
    uint64_t done, total;
};

/* Runs those that are neither skipped nor like another one. Those that an abort leaves out have the error
 * GCNSIM_ERROR_INTERRUPTED. */
void trials_run(struct trials *all, struct trial **list, size_t count);

/* Keeps of a result what a trial holds. */
void trial_take(struct trial *t, const struct gcnsim_result *r);
void trial_free(struct trial *t);
/* A statistic of a trial, 0 when it is not there; a column of an instruction. */
double trial_stat(const struct trial *t, const char *name);
uint64_t trial_value(const struct trial *t, size_t instruction, uint32_t column);
uint32_t trial_column(const char *name);
double trial_cycles(const struct trial *t);
/* The whole of it, through a pipe. False: not everything came. */
bool trial_send(const struct trial *t, int fd);
bool trial_receive(struct trial *t, int fd);

/* For gcnsim_explain_options, the callback as a trial_fn. */
struct trial_callback {
    gcnsim_trial_fn *run;
    void *ctx;
    uint32_t warmup;
};
void trial_by_callback(void *ctx, struct trial *t);

/* ---- causes ---- */

struct cause {
    const char *key, *what;
    /* Assignments, divided by blanks: PATH=VALUE, PATH*FACTOR:MOST, PATH/DIVISOR (1 at least). Those whose
     * path the profile does not have are left out; when none is left, there is no such what-if on the chip. */
    const char *sets;
    /* Statistics, divided by blanks, one of which is not 0 in a run that the what-if can change; "": any run. Null: any
     * run, and it takes what several others take one by one. */
    const char *needs;
};
extern const struct cause causes[];
extern const size_t cause_count;

/* The assignments of a cause for the figures of sim's profile, in the arena; *count 0: none. False: out of host memory.
 */
bool cause_sets(const struct cause *c, const struct gcnsim *sim, struct arena *arena, const char ***sets,
                size_t *count);
bool cause_matters(const struct cause *c, const struct trial *base);

/* ---- an explanation while it is made ---- */

struct explaining {
    struct gcnsim_explanation *out; /* its arrays are the arena's */
    struct arena arena;
    const struct gcnsim *sim;
    const struct code_object *code; /* null: no source lines */
    const char *kernel;             /* null: as the results say */
    uint64_t text_vaddr;            /* that offsets of pcs count from: of raw code its beginning, else 0 */
    struct trial base;
    struct trial *cause_trial; /* [cause_count] */
    bool no_memory;
    struct rule *rule;
    size_t rules, rule_room;
};

/* A remedy that a rule proposes. */
struct rule {
    const char *key, *text; /* what the run does now, in one sentence; where it is; */
    const char *remedy;     /* what to do, "": nothing is proposed */
    const char **sets;      /* that simulate it; none: it is named alone */
    size_t set_count;
    const char *limit_of;  /* null, or the cause whose saving bounds what the remedy can give */
    size_t *place, places; /* instructions of the base run */
    struct trial trial;
};

const char *explain_keep(struct explaining *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const struct trial *explain_cause(const struct explaining *x, const char *key);
/* Adds rules to x->rule. */
void explain_remedies(struct explaining *x);

/* "file:line" of an offset in the code object; null: unknown. */
const char *explain_source(struct explaining *x, uint64_t pc_offset);

struct gcnsim_explanation_own {
    struct gcnsim_explanation public;
    struct arena arena;
};

/* ", warm: after 2 launches", or "" of a launch on a cold device. */
const char *explain_warmth(uint32_t warmup, char out[48]);

/* The caller's options as those of this version. */
int explain_take_options(struct gcnsim_explain_options *own, const struct gcnsim_explain_options *from, struct err *e);

/* gcnsim_explain() with a trial_fn of the library's own; from_text: offsets of pcs count from where the code begins. */
int explain_with(const struct gcnsim_explain_options *o, trial_fn *run, void *ctx, bool from_text,
                 struct gcnsim_explanation **out, struct gcnsim_error *error);

#endif

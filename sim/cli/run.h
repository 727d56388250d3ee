/* One invocation of gcnsim run: what is prepared, launched, and written. */
#ifndef GCNSIM_CLI_RUN_H
#define GCNSIM_CLI_RUN_H

#include "sim/cli/run_options.h"

/* A launch whose result is kept in full, because it may be the steady one. */
struct kept {
    double cycles;
    size_t item;
};

/* One launch of the list, which is launched once in each round. */
struct step {
    const struct gcnsim_listed_launch *from;
    const char *directory; /* of its arguments' paths; null: the current one */
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim_symbols *symbols, *more_symbols; /* of the launch file, of the command line; null: none */
    uint32_t kernel;
    uint32_t grid[3], workgroup[3];
    bool compiled; /* module: of its file, by clang */
    struct kept *kept;
    size_t kept_count, kept_room;
};

struct run {
    struct gcnsim *sim;
    struct gcnsim_launch_file *file;  /* null: none */
    struct gcnsim_launch_list list;   /* of it and of the command line */
    struct gcnsim_listed_launch *own; /* its launches */
    size_t changed;                   /* the launch that the command line describes or changes */
    struct gcnsim_buffers *buffers;   /* that launches share; null: none */
    struct step *step;
    size_t steps;
    bool sequence;                      /* reported as one, not as a single launch */
    struct gcnsim_sequence_item *ended; /* what is reported */
    uint64_t ended_bytes;               /* that their results hold */
    struct gcnsim_sequence report;
    bool failed;    /* the launch that ended last did not complete */
    bool last_goes; /* its result is kept as long as it is the last */

    const char *timeline_path;    /* of --trace FILE.pftrace; null: none */
    struct gcnsim_wave_view wave; /* of --timeline */
    struct gcnsim_timeline *timeline;
    uint64_t launches; /* of all rounds */
    void **made;       /* memory of SPECs that were changed */
    size_t made_count;
    struct gcnsim_on_timeline on_timeline; /* of the launch that runs */
};

/* Reads the options that the command line leaves open from the launch file, if o->file is one, and checks all of them
 * together. */
int run_read_file(struct run *r, struct run_options *o, const struct cli_command *c);
/* Everything up to the first launch: simulator, code objects, arguments. */
int run_prepare(struct run *r, struct run_options *o);

/* Gives the variables of a step the values that it asks for, before each of its launches: another step, or the kernel,
 * may have given them others. GCNSIM_OK or the error's. */
int run_set_symbols(const struct run *r, size_t k, struct gcnsim_error *error);

void run_close(struct run *r);

/* run_keep.c: adds the result of a launch to those that are reported. Their memory counts in the memory limit, as
 * what the simulator holds: CLI_OK, or CLI_BAD_INPUT with a message. */
int run_keep_result(struct run *r, const struct run_options *o, const struct gcnsim_sequence_item *item);

/* run_specs.c: puts the SPECs of "N=SPEC" in the place of arguments of a launch; takes the files out of all SPECs that
 * are written. CLI_OK, or CLI_BAD_INPUT with a message. */
int run_replace_args(struct run *r, struct gcnsim_listed_launch *l, const struct option_list *replace);
int run_discard_outputs(struct run *r);
void run_free_specs(struct run *r);

/* The dispatch of a step. last: the launch that traces are of. progress may be null. */
void run_fill_dispatch(const struct run *r, const struct run_options *o, const struct step *s, bool last,
                       struct cli_progress *progress, struct gcnsim_dispatch *d);

/* As cli_library_error(); an error of a launch in a list says which it is. */
int run_step_error(const struct run *r, size_t k, const struct gcnsim_error *error);

/* At most one of the things that are written takes standard output for itself. */
int run_check_options(const struct run_options *o);
/* Whether something for programs is written to standard output, where nothing else is then. */
bool run_has_data_on_stdout(const struct run_options *o);
/* Looks at every file that is read or written before the run, which may take hours. */
int run_check_files(const struct run *r, const struct run_options *o, const struct gcnsim_dispatch *d);
/* run_timeline.c: takes the timeline out of the list of traces; opens it before the first launch, and closes it (keep:
 * the file gets its name) after the last. */
int run_timeline_choose(struct run *r, struct run_options *o);
int run_timeline_open(struct run *r, const struct run_options *o);
int run_timeline_close(struct run *r, const struct run_options *o, bool keep);
/* Whether the report is its first screen. */
bool run_shows_summary(const struct run_options *o);
/* run_next.c: the report with what to run next after it; null when out of memory. To be freed. */
char *run_with_next(const char *report, const struct run_options *o, bool timing);
/* All that a run leaves: files of arguments and of buffers, reports, views. A file that cannot be written is named, and
 * the others are written. */
int run_write(const struct run *r, const struct run_options *o);

#endif

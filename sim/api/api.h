/* The structs behind the public handles of gcnsim.h, and the functions that the files of sim/api share. */
#ifndef GCNSIM_SIM_API_H
#define GCNSIM_SIM_API_H

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#include "config/profile.h"
#include "isa/gws.h"
#include "isa/isa.h"
#include "mem/space.h"
#include "sim/api/gcnsim.h"
#include "sim/engine/device.h"
#include "sim/launch/args.h"
#include "sim/loader/code_object.h"
#include "sim/report/report.h"
#include "sim/util/arena.h"

struct gcnsim_code {
    struct budget budget; /* of one that is in no simulator */
    struct code_object *co;
    char target[CO_TARGET_TEXT];
    struct code_profiles *profiles; /* that occupancies were asked on (code.c) */
};

/* A target's decode tables, opened on first use and kept. */
struct sim_target {
    struct sim_target *next;
    struct isa_target *isa;
};

struct gcnsim {
    struct profile *profile; /* null: not chosen yet, or none fits */
    char **sets; /* "path=value", all that were given; applied when a profile is chosen, or at once when there is one */
    size_t set_count;
    char profile_sha256[REPORT_HASH_TEXT]; /* of the profile with its sets; "": not computed yet */
    struct sim_target *targets;
    struct budget budget; /* all memory that code, launches and the caller ask for */
    struct mem_space space;
    struct isa_gws gws;
    struct thread_pool *pool;           /* host threads of its launches */
    bool threads_at_once;               /* engine_options.threads_at_once, */
    const struct engine_pieces *pieces; /* .pieces */
    struct engine_device *device;       /* null: no timed launch yet, but cold ones */
    struct gcnsim_module *modules;
};

struct gcnsim_module {
    struct gcnsim_module *next;
    struct gcnsim *sim;
    struct gcnsim_code *code;
    const struct isa_target *target;
    struct isa_program *program;   /* null: no executable bytes */
    char sha256[REPORT_HASH_TEXT]; /* of the code object */
    bool from_file;                /* the code object's name is a path */
    uint64_t base_vaddr;
    gaddr_t load_base;
};

struct gcnsim_buffers {
    struct gcnsim *sim;
    struct launch_args *a;
};

struct gcnsim_args {
    struct gcnsim_module *module;
    uint32_t kernel;
    struct launch_args *a;
};

/* Decoded code of raw launches (raw_code.c). */
struct gcnsim_raw_code {
    struct isa_target *target;
    struct isa_program *program; /* without a budget: launches of several simulators may run it */
    struct co_target_id id;
    gaddr_t base;
    uint64_t bytes;
    pthread_mutex_t hashing;
    char sha256[REPORT_HASH_TEXT]; /* "": not computed yet; by the first launch, under the lock */
};

/* Its hash, to out. */
void api_raw_code_sha256(const struct gcnsim_raw_code *code, char out[REPORT_HASH_TEXT]);

struct gcnsim_ranges {
    struct mem_space space; /* an identity space; constant */
};

/* An identity space of the caller's ranges and windows. */
int api_raw_space(struct mem_space *s, const struct gcnsim_range *ranges, size_t range_count,
                  const struct gcnsim_window *windows, size_t window_count, struct err *e);

/* The caller's struct as one of this version. */
int api_take_raw_kernel(struct gcnsim_raw_kernel *own, const struct gcnsim_raw_kernel *from, struct err *e);
/* What its descriptor says, of whichever version it is. */
int api_raw_descriptor(struct kernel_descriptor *out, const struct gcnsim_raw_kernel *k, enum co_family family,
                       struct err *e);

/* Copies *e out and returns its code; for every way out of an API call that failed. */
int api_fail(struct gcnsim_error *out, const struct err *e);
/* The same for calls that take memory of a simulator: says so when its limit was the reason. */
int api_fail_in(struct gcnsim *sim, struct gcnsim_error *out, struct err *e);

/* ---- structs with struct_bytes (sized.c) ---- */

/* One that the caller fills. Its first member is struct_bytes; members are added at the end alone, and never where an
 * older version has padding. */
struct api_struct {
    const char *what, *init; /* for messages: "dispatch", "gcnsim_dispatch_init" */
    const void *initial;     /* as the _init function leaves it */
    size_t bytes;            /* of this version's */
    size_t least;            /* of 0.1.0's, the first release: up to the last member that it has there */
};

/* Size of a struct that ends with a member. */
#define API_BYTES_THROUGH(STRUCT, MEMBER) (offsetof(STRUCT, MEMBER) + sizeof(((STRUCT *)0)->MEMBER))

/* Prepares a struct of `bytes` bytes: the members that it has room for are as in `initial`, the rest is zero. */
void api_struct_init(const struct api_struct *kind, void *to, size_t bytes);

/* Makes one of this version out of the caller's: members that the caller's does not have are as in `initial`, and those
 * that only the caller's has must be zero. */
int api_struct_take(const struct api_struct *kind, void *own, const void *from, struct err *e);

/* The k-th of the caller's array of them, whose places follow from the size that the first one states. */
int api_array_take(const struct api_struct *kind, void *own, const void *from, size_t k, struct err *e);
/* Fills the caller's struct of `bytes` bytes, of any version, with one of this version: what that does not have is 0.
 */
void api_struct_give(void *to, size_t bytes, const void *own, size_t own_bytes);

/* Sources of the entries that take their parts one by one. */
struct gcnsim_code_source api_source_of_memory(const void *bytes, size_t size, const char *name,
                                               const char *want_target);
struct gcnsim_code_source api_source_of_file(const char *path, const char *want_target);
/* What a source says, of this version's size and as the loader takes it. */
int api_source_take(struct gcnsim_code_source *s, struct co_source *to, const struct gcnsim_code_source *from,
                    struct err *e);
/* A code object still to be opened, with an account of its own (0: no limit); null with *e. */
struct gcnsim_code *api_code_counted(uint64_t max_memory, struct err *e);
/* Hands it over once code->co is open, or closes it and says what kept it from being opened. */
int api_code_finish(struct gcnsim_code **out, struct gcnsim_code *code, int failed, struct err *e,
                    struct gcnsim_error *error);
/* Takes ownership of a code object, also when it fails. */
int api_code_wrap(struct gcnsim_code **out, struct code_object *co, struct err *e);

/* The decode tables of target `name`; borrowed from the simulator. */
const struct isa_target *api_target(struct gcnsim *sim, const char *name, struct err *e);
/* Whether there is such a kernel and it can be launched. */
int api_check_kernel(const struct code_object *co, uint32_t index, struct err *e);

/* The instruction set that runs a code object: its processor; for a generic one the profile's target when it is a
 * member, else the plainest member. */
const char *api_processor(const struct co_target_id *id, const struct profile *p);

/* Chooses the default profile of `processor` when none is chosen and there is one; checks that the profile in use runs
 * `id`. Returns 0; 1 when a setting (gcnsim_set) is at fault, whose message needs no code object's name as prefix; -1.
 */
int api_choose_profile(struct gcnsim *sim, const struct co_target_id *id, struct err *e);

/* Gives a timed launch the simulator's device, which the first one makes. cold: it is to have one of its own. */
int api_use_device(struct gcnsim *sim, bool timing, bool cold, struct engine_options *o, struct err *e);
/* Informs the device that memory has been written past its caches. */
void api_device_written(struct gcnsim *sim, gaddr_t from, uint64_t bytes);

/* Whether a built-in profile is the default of a target. */
bool api_has_default_profile(const char *target);

/* Occupancy of `cus` CUs together as the public struct says it. */
void api_occupancy(const struct launch_occupancy *o, uint32_t cus, struct gcnsim_occupancy *out);

/* ---- results (result.c) ---- */

/* The public result of a report, which it takes over, also when it fails: null when out of memory. */
struct gcnsim_result *api_result(struct report *report);
/* The report in it. */
const struct report *api_report(const struct gcnsim_result *result); /* null: it has been shrunk */
struct report_row;                                                   /* sim/report/sequence.h */
const struct report_row *api_row(const struct gcnsim_result *result);

/* What a result has for gcnsim_views.h; memory is the report's. */
struct api_views {
    bool has_listing;
    struct gcnsim_listing listing;
};
bool api_make_views(struct api_views *v, struct report *r);           /* false: out of host memory */
bool api_make_fidelity(struct gcnsim_fidelity *to, struct report *r); /* likewise */
const struct api_views *api_views(const struct gcnsim_result *result);
/* gcnsim_result_annotated() of a report; sum: it is that of this sum of runs; null: of one run. */
struct report_sum;
int api_annotated(const struct report *r, const struct report_sum *sum, const struct gcnsim_annotate *options,
                  char **text, struct gcnsim_error *error);

/* A text for the caller (report_render(), report_render_plain()); null is an error: out of host memory for a `kind`. */
int api_text(char *rendered, const char *kind, char **text, struct gcnsim_error *error);

/* ---- provenance (provenance.c) ---- */

/* The hash of the profile in use, "" when there is none. 0, or -1 with *e. */
int api_profile_sha256(struct gcnsim *sim, const struct profile *p, char out[REPORT_HASH_TEXT], struct err *e);

/* Lists the overrides of a run of l: assignments of the simulator, where l has its profile, and
 * options of the run. Strings and list are the arena's. 0, or -1 with *e. */
int api_overrides(const struct gcnsim *sim, const struct launch *l, const struct engine_options *o, bool check,
                  struct arena *arena, struct report_run *run, struct err *e);

/* Traces of a launch (trace.c): opened and put among the consumers of its events; closed, which gives them their
 * names (keep) or throws them away, and says of each that could not be written. */
struct api_trace_plan {
    const char *const *traces; /* "FORMAT=FILE" */
    size_t trace_count;
    const struct gcnsim_att *att;     /* the caller's; null: none */
    bool timing, host_code;           /* host_code: code is at the host's address that is the device's */
    const struct gcnsim_code *object; /* null: not known */
    uint64_t object_address;          /* of its image */
    const char *kernel;               /* its name, for names in traces */
};
struct api_traces {
    struct trace **trace;
    size_t count;
    struct api_trace_job *job; /* what the writers know of the launch (trace_job.c) */
};
int api_traces_open(struct api_traces *t, const struct api_trace_plan *plan, const struct launch *l,
                    const struct report_run *c, struct engine_options *o, struct err *e);
int api_traces_close(struct api_traces *t, bool keep, struct err *e);

/* What trace writers receive about a launch (trace_job.c): the chip's places, and the code as far as they ask for it.
 * One part of a job is common to all traces of a launch. Null with *e. l, c and plan outlive it. */
struct trace_job;
struct api_trace_job *api_trace_job_new(const struct launch *l, const struct report_run *c,
                                        const struct api_trace_plan *plan, struct err *e);
void api_trace_job_free(struct api_trace_job *j); /* null is fine */
const struct trace_job *api_trace_job(struct api_trace_job *j, const char *path);
const struct trace_job *api_trace_job_att(struct api_trace_job *j, const struct gcnsim_att *att);

/* The caller's struct as one of this version. */
int api_take_att(struct gcnsim_att *own, const struct gcnsim_att *from, struct err *e);

/* gcnsim_check_files() of a dispatch. */
int api_check_files(const struct gcnsim_module *m, const struct gcnsim_dispatch *d, const struct gcnsim_file *files,
                    size_t count, struct err *e);

/* The caller's dispatch as one of this version. */
int api_take_dispatch(struct gcnsim_dispatch *own, const struct gcnsim_dispatch *from, struct err *e);

/* That an engine exists and has the profile it needs. */
int api_check_engine(enum gcnsim_engine engine, const struct profile *p, const char *target, struct err *e);

/* ---- snapshots (snapshot.c) ---- */

/* Who wants snapshots of a run, and the one of its end. */
struct api_snapshots {
    gcnsim_snapshot_fn *fn; /* null: nobody wants those of the running launch */
    void *ctx;
    const struct launch *l;
    const struct report_run *run;
    struct report_snapshot *last; /* null: there was none */
};

/* The engines' callback; ctx: a struct api_snapshots. */
void api_take_snapshot(void *ctx, const struct snapshot *s);

/* The public form of a snapshot, in its arena; null when out of memory. */
const struct gcnsim_snapshot *api_snapshot(struct report_snapshot *s);

/* gcnsim_launch() with consumers of the run's events, beside those of the dispatch; null: none. */
int api_launch(struct gcnsim_module *module, const struct gcnsim_dispatch *dispatch, const struct event_consumer *more,
               struct gcnsim_result **out, struct gcnsim_error *error);

#endif

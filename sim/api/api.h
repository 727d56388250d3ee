/* Inside of the public handles (gcnsim.h). */
#ifndef GCNSIM_SIM_API_H
#define GCNSIM_SIM_API_H

#include <stdio.h>

#include "config/profile.h"
#include "isa/isa.h"
#include "mem/space.h"
#include "sim/api/gcnsim.h"
#include "sim/engine/engine.h"
#include "sim/launch/args.h"
#include "sim/loader/code_object.h"
#include "sim/util/arena.h"

struct gcnsim_code {
    struct code_object *co;
    char target[CO_TARGET_TEXT];
};

/* A target's decode tables, opened on first use and kept. */
struct sim_target {
    struct sim_target *next;
    struct isa_target *isa;
};

struct gcnsim {
    struct profile *profile; /* null: not chosen yet, or none fits */
    char **sets;             /* "path=value" kept until a profile is chosen */
    size_t set_count;
    struct sim_target *targets;
    struct mem_space space;
    struct gcnsim_module *modules;
};

struct gcnsim_module {
    struct gcnsim_module *next;
    struct gcnsim *sim;
    struct gcnsim_code *code;
    const struct isa_target *target;
    struct isa_program *program; /* null: no executable bytes */
    uint64_t base_vaddr;
    gaddr_t load_base;
};

struct gcnsim_args {
    struct gcnsim_module *module;
    uint32_t kernel;
    struct launch_args *a;
};

/* Copies *e out and returns its code; for every way out of an API call that failed. */
int api_fail(struct gcnsim_error *out, const struct err *e);

/* Takes hold of a code object, also when it fails. */
int api_code_wrap(struct gcnsim_code **out, struct code_object *co, struct err *e);

/* The decode tables of target `name`; borrowed from the simulator. */
const struct isa_target *api_target(struct gcnsim *sim, const char *name, struct err *e);

/* The instruction set that runs a code object: its processor; for a generic one the profile's target when it is a
 * member, else the plainest member. */
const char *api_processor(const struct co_target_id *id, const struct profile *p);

/* Chooses the default profile of `processor` when none is chosen and there is one; checks that the profile in use runs
 * `id`. Returns 0; 1 when a setting (gcnsim_set) is at fault, whose message needs no code object's name in front; -1.
 */
int api_choose_profile(struct gcnsim *sim, const struct co_target_id *id, struct err *e);

/* Whether a built-in profile is the default of a target. */
bool api_has_default_profile(const char *target);

/* Occupancy as the public struct says it. */
void api_occupancy(const struct launch *l, struct gcnsim_occupancy *out);

/* ---- results (report.c) ---- */

struct report_context {
    const char *kernel; /* "raw" */
    uint32_t grid[3];
    enum gcnsim_engine engine;
    bool check;
    struct check *checks; /* what they have found; null: not asked for */
    double seconds;
    gaddr_t load_base; /* pc - load_base + base_vaddr is the pc_offset */
    uint64_t base_vaddr;
};

/* A result that owns all its strings; null when out of memory. */
struct gcnsim_result *report_make(const struct launch *l, const struct engine_result *r,
                                  const struct report_context *c);

/* A string in JSON's quotes; bytes that are no UTF-8 are replaced. */
void report_json_string(FILE *f, const char *s);

/* Findings of a checked run (c->checks) into *p, with memory that `keep` brings; and in the two forms of the report
 * (report_check.c). */
struct gcnsim_finding *report_findings(const struct launch *l, const struct report_context *c, struct arena *arena,
                                       size_t *count);
void report_check_json(FILE *f, const struct gcnsim_result *r);
void report_check_text(FILE *f, const struct gcnsim_result *r);

/* Caches, DRAM and memory instructions (report_memory.c). False when there is no memory. */
bool report_memory_make(struct gcnsim_result *r, const struct launch *l, const struct engine_result *er,
                        const struct report_context *c, struct arena *arena);
void report_memory_json(FILE *f, const struct gcnsim_result *r);
void report_memory_text(FILE *f, const struct gcnsim_result *r);

/* A text made by writer(f, what); `kind` of text is for the message when there is no memory. */
int report_render(void (*writer)(FILE *f, const void *what), const void *what, const char *kind, char **text,
                  struct gcnsim_error *error);
/* The same for people: control characters of names, which a terminal would obey, become '?'. */
int report_render_plain(void (*writer)(FILE *f, const void *what), const void *what, const char *kind, char **text,
                        struct gcnsim_error *error);
/* 1234567 -> "1,234,567"; the text of the instruction at pc, empty when there is none. */
const char *report_grouped(uint64_t v, char out[32]);
void report_instruction_text(const struct launch *l, gaddr_t pc, char *out, size_t size);

/* The human report (report_text.c). */
void report_write_text(FILE *f, const struct gcnsim_result *r);

/* Trace files of a launch (trace.c): opened and put among the consumers of its events; closed, which says what could
 * not be written. */
struct api_traces {
    struct trace **trace;
    size_t count;
};
int api_traces_open(struct api_traces *t, const struct gcnsim_dispatch *d, const struct report_context *c,
                    struct engine_options *o, struct err *e);
int api_traces_close(struct api_traces *t, struct err *e);

/* That an engine exists and has the profile it needs. */
int api_check_engine(enum gcnsim_engine engine, const struct profile *p, const char *target, struct err *e);

/* Runs a prepared launch on the engine asked for and makes the result. */
int api_run(const struct launch *l, const struct engine_options *options, struct report_context *c,
            struct gcnsim_result **out, struct err *e);

#endif

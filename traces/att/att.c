/* AMD's thread trace of a run: which waves are traced, and the files of the folder. */
#define _GNU_SOURCE
#include "traces/att/att.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/json_put.h"
#include "sim/util/output.h"
#include "sim/util/output_folder.h"
#include "traces/att/states.h"

/* A wave file. */
struct written {
    uint16_t engine, simd, slot;
    uint32_t id;
    cycle_t begin, end;
};

struct occupied {
    cycle_t at;
    uint16_t engine, unit;
    uint8_t simd, slot, starts;
};

struct att {
    const struct trace_job *job;
    struct output_folder folder;
    struct att_code code;
    struct att_waves waves;
    struct att_wave *wave; /* by place, SIMD and slot */
    size_t wave_count;
    int32_t *first_unit; /* by shader engine: the unit that got its first wave; -1: none yet */
    uint32_t *next_id;   /* by shader engine, SIMD of the unit and slot */
    ATT_LIST(struct written) file;
    ATT_LIST(struct occupied) occupied;
    struct att_steps steps[ATT_STATES];
    cycle_t last; /* of all events */
    uint64_t max_waves, started, traced, waves_left_out, occupancy_left_out;
    bool no_memory;
    struct err failed; /* while writing */
};

char *att_folder(const struct trace_job *job)
{
    char *path;

    return asprintf(&path, "%s/ui_output_agent_%" PRIu64 "_dispatch_%" PRIu64, job->path, job->agent, job->dispatch) < 0
               ? NULL
               : path;
}

/* ---- places ---- */

/* SIMD in the CU or WGP. */
static unsigned simd_of(const struct att *t, const struct trace_place *p, unsigned simd)
{
    return p->part * t->job->chip->simds + simd;
}

static uint32_t *id_of(struct att *t, const struct trace_place *p, unsigned simd, unsigned slot)
{
    const struct trace_chip *c = t->job->chip;

    return &t->next_id[((size_t)p->engine * c->simds * c->cus_per_unit + simd_of(t, p, simd)) * c->slots + slot];
}

static struct att_wave *wave_of(struct att *t, const struct event *e)
{
    const struct trace_chip *c = t->job->chip;

    if (e->cu >= c->places || e->simd >= c->simds || e->slot >= c->slots)
        return NULL;
    return &t->wave[((size_t)e->cu * c->simds + e->simd) * c->slots + e->slot];
}

static bool wanted(struct att *t, const struct trace_place *p)
{
    const struct trace_choice *c = &t->job->choice;

    if (c->all_units)
        return true;
    for (size_t k = 0; k < c->units; k++)
        if (c->unit[k] == p->unit)
            return true;
    if (c->units)
        return false;
    if (t->first_unit[p->engine] < 0)
        t->first_unit[p->engine] = p->unit;
    return t->first_unit[p->engine] == p->unit;
}

/* ---- events ---- */

static void occupy(struct att *t, const struct event *e, bool starts)
{
    const struct trace_place *p = &t->job->chip->place[e->cu];

    if (e->at < t->waves.from || e->at > t->waves.to)
        return;
    if (t->occupied.count >= ATT_MAX_OCCUPANCY || !ATT_ROOM(t->occupied)) {
        t->occupancy_left_out++;
        return;
    }
    t->occupied.at[t->occupied.count++] =
        (struct occupied){e->at, p->engine, p->unit, (uint8_t)simd_of(t, p, e->simd), e->slot, starts};
}

static void begin_wave(struct att *t, struct att_wave *w, const struct event *e)
{
    const struct trace_place *p = &t->job->chip->place[e->cu];
    bool in_time = e->at < t->waves.to, traced = in_time && wanted(t, p);

    t->started++;
    if (traced && t->traced >= t->max_waves) {
        traced = false;
        t->waves_left_out++;
    }
    t->traced += traced;
    att_wave_begin(w, &t->waves, e, traced);
}

/* Writes the file of a wave that is over. */
static void write_wave(struct att *t, const struct att_wave *w, const struct trace_place *p, unsigned simd,
                       unsigned slot)
{
    unsigned in_unit = simd_of(t, p, simd);
    uint32_t *id = id_of(t, p, simd, slot);
    struct output o;
    cycle_t at = w->begin;
    char *path;

    if (t->failed.code || t->no_memory)
        return;
    if (!ATT_ROOM(t->file) ||
        asprintf(&path, "%s/se%u_sm%u_sl%u_wv%u.json", t->folder.temporary, p->engine, in_unit, slot, *id) < 0) {
        t->no_memory = true;
        return;
    }
    if (!output_open(&o, path, &t->failed)) {
        att_wave_json(o.f, w, p, in_unit, slot, *id);
        output_close(&o, true, &t->failed);
    }
    free(path);
    t->file.at[t->file.count++] = (struct written){p->engine, (uint16_t)in_unit, (uint16_t)slot, *id, w->begin, w->end};
    ++*id;
    for (size_t k = 0; k < w->span.count; at += w->span.at[k++].cycles)
        att_steps_add(&t->steps[w->span.at[k].state], at, at + w->span.at[k].cycles);
}

static void end_wave(struct att *t, struct att_wave *w, const struct trace_place *p, unsigned simd, unsigned slot,
                     cycle_t at)
{
    if (w->traced)
        att_wave_end(w, &t->waves, at);
    t->no_memory |= w->no_memory;
    if (att_wave_shows(w))
        write_wave(t, w, p, simd, slot);
    att_wave_clear(w);
}

static void take_events(void *state, const struct event *e, size_t count)
{
    struct att *t = state;

    for (const struct event *end = e + count; e < end; e++) {
        struct att_wave *w = wave_of(t, e);

        t->last = e->at > t->last ? e->at : t->last;
        if (!w)
            continue;
        if (e->kind == EVENT_WAVE_LAUNCH) {
            occupy(t, e, true);
            begin_wave(t, w, e);
        } else if (e->kind == EVENT_WAVE_END && w->live) {
            occupy(t, e, false);
            end_wave(t, w, &t->job->chip->place[e->cu], e->simd, e->slot, e->at);
        } else if (w->traced) {
            att_wave_event(w, &t->waves, e);
        }
    }
}

/* Waves that are still there when the run ends early. */
static void end_all(struct att *t)
{
    const struct trace_chip *c = t->job->chip;

    for (size_t k = 0; k < t->wave_count; k++) {
        struct event e = {.at = t->last,
                          .cu = (uint16_t)(k / c->slots / c->simds),
                          .simd = (uint8_t)(k / c->slots % c->simds),
                          .slot = (uint8_t)(k % c->slots)};

        if (!t->wave[k].live)
            continue;
        occupy(t, &e, false);
        end_wave(t, &t->wave[k], &c->place[e.cu], e.simd, e.slot, t->last);
    }
}

/* ---- files about all waves ---- */

static int by_place(const void *a, const void *b)
{
    const struct written *x = a, *y = b;

    if (x->engine != y->engine)
        return x->engine < y->engine ? -1 : 1;
    if (x->simd != y->simd)
        return x->simd < y->simd ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* {SE:{SIMD:{SLOT:{ID:[file,begin,end]}}}} */
static void wave_names(struct json_put *j, const struct att *t)
{
    const struct written *was = NULL;

    json_put(j, "{");
    for (size_t k = 0; k < t->file.count; k++) {
        const struct written *w = &t->file.at[k];
        bool engine = !was || was->engine != w->engine, simd = engine || was->simd != w->simd,
             slot = simd || was->slot != w->slot;
        char name[64];

        if (was)
            json_put(j, engine ? "}}}\n" : simd ? "}}\n" : slot ? "}\n" : "\n");
        if (engine)
            json_put(j, "%u: {", w->engine);
        if (simd)
            json_put(j, "%u: {", w->simd);
        if (slot)
            json_put(j, "%u: {", w->slot);
        snprintf(name, sizeof name, "se%u_sm%u_sl%u_wv%u.json", w->engine, w->simd, w->slot, w->id);
        json_put(j, "%u: [%s, %" PRIu64 ", %" PRIu64 "]", w->id, name, w->begin, w->end);
        was = w;
    }
    json_put(j, was ? "}}}}" : "}");
}

static void filenames_json(FILE *f, struct att *t)
{
    struct json_put j = {.f = f, .compact = true};
    uint32_t gfx = t->job->chip->gfx;

    if (t->file.count)
        qsort(t->file.at, t->file.count, sizeof *t->file.at, by_place);
    json_put(&j,
             "{global_begin_time: 0,\ngfxv: %s, gfxip: %u,\nversion: %s,\ncounter_names: [],\nthread_trace: true, "
             "pc_sampling: false,\nwave_filenames:",
             gfx > 9 ? "navi" : "vega", gfx, "3.0.0");
    wave_names(&j, t);
    json_put(&j, "}\n");
}

static void occupancy_json(FILE *f, struct att *t)
{
    struct json_put j = {.f = f, .compact = true};

    json_put(&j, "{");
    for (uint32_t se = 0; se < t->job->chip->engines; se++) {
        bool any = false;

        for (size_t k = 0; k < t->occupied.count; k++) {
            const struct occupied *o = &t->occupied.at[k];

            if (o->engine != se)
                continue;
            if (!any)
                json_put(&j, "%u: [", se);
            json_put(&j, "[%" PRIu64 ", %u, %u, %u, %u, 1]", o->at, o->unit, o->simd, o->slot, o->starts);
            any = true;
        }
        if (any)
            json_put(&j, "]\n");
    }
    json_put(&j, "dispatches: {%u: %s, %u: %s},\nversion: %s}\n", 0, "unknown", 1, t->job->kernel, "3.0.0");
}

static void code_json(FILE *f, struct att *t)
{
    att_code_json(f, &t->code);
}

static void units_json(struct json_put *j, const struct att *t)
{
    const struct trace_choice *c = &t->job->choice;

    if (c->all_units) {
        json_put(j, "%s", "all");
        return;
    }
    json_put(j, "[");
    for (size_t k = 0; k < c->units; k++)
        json_put(j, "%u", c->unit[k]);
    for (uint32_t se = 0; !c->units && se < t->job->chip->engines; se++)
        if (t->first_unit[se] >= 0)
            json_put(j, "{se: %u, unit: %d}", se, t->first_unit[se]);
    json_put(j, "]");
}

/* What no file of the viewer's has a place for. */
static void mark_json(FILE *f, struct att *t)
{
    const struct trace_job *job = t->job;
    struct json_put j = {.f = f, .compact = true};

    json_put(
        &j,
        "{generator: %s,\ncommand_line: %s,\ntarget: %s,\nchip: %s,\nshader_clock_mhz: %g,\nkernel: %s,\ndispatch: "
        "%" PRIu64 ", wave_size: %u, grid: [%u, %u, %u], workgroup: [%u, %u, %u],\ncycles: %" PRIu64 ", from: %" PRIu64
        ", to: %" PRIu64 ",\nunits:",
        job->generator, job->command_line ? job->command_line : "", job->chip->target, job->chip->name,
        job->chip->clock_mhz, job->kernel, job->dispatch, job->lanes, job->grid[0], job->grid[1], job->grid[2],
        job->workgroup[0], job->workgroup[1], job->workgroup[2], t->last,
        t->waves.from < t->last ? t->waves.from : t->last, t->waves.to < t->last ? t->waves.to : t->last);
    units_json(&j, t);
    json_put(&j,
             "\nwaves: %" PRIu64 ", waves_traced: %zu, instructions_traced: %" PRIu64 ",\nleft_out: {waves: %" PRIu64
             ", instructions: %" PRIu64 ", occupancy: %" PRIu64 "}}\n",
             t->started, t->file.count, t->waves.instructions, t->waves_left_out, t->waves.left_out,
             t->occupancy_left_out);
}

static int write_file(struct att *t, const char *name, void (*put)(FILE *f, struct att *t), struct err *e)
{
    struct output o;
    char *path;

    if (asprintf(&path, "%s/%s", t->folder.temporary, name) < 0)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", t->folder.path);
    int failed = output_open(&o, path, e);
    if (!failed) {
        put(o.f, t);
        failed = output_close(&o, true, e);
    }
    free(path);
    return failed;
}

static int write_states(struct att *t, struct err *e)
{
    int failed = 0;

    for (unsigned k = 0; k < ATT_STATES && !failed; k++) {
        struct output o;
        char *path;

        if (asprintf(&path, "%s/wstates%u.json", t->folder.temporary, k) < 0)
            return err_set(e, ERR_NOMEM, "%s: out of host memory", t->folder.path);
        failed = output_open(&o, path, e);
        if (!failed) {
            att_steps_json(o.f, &t->steps[k], k);
            failed = output_close(&o, true, e);
        }
        free(path);
        t->no_memory |= t->steps[k].no_memory;
    }
    return failed;
}

static int write_files(struct att *t, struct err *e)
{
    static const struct {
        const char *name;
        void (*put)(FILE *f, struct att *t);
    } file[] = {{"filenames.json", filenames_json},
                {"occupancy.json", occupancy_json},
                {"code.json", code_json},
                {ATT_MARK, mark_json}};
    int failed = write_states(t, e);

    for (size_t k = 0; k < sizeof file / sizeof file[0] && !failed; k++)
        failed = write_file(t, file[k].name, file[k].put, e);
    if (!failed)
        failed = att_code_copy_sources(&t->code, t->folder.temporary, !t->job->choice.no_sources, e);
    return failed;
}

/* stats_FOLDER.csv beside the folder. */
static int write_statistics(const struct att *t, const char *folder, struct err *e)
{
    const char *slash = strrchr(folder, '/');
    struct output o;
    char *path;

    if (asprintf(&path, "%.*sstats_%s.csv", (int)(slash + 1 - folder), folder, slash + 1) < 0)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", folder);
    int failed = output_open(&o, path, e);
    if (!failed) {
        att_code_csv(o.f, &t->code);
        failed = output_close(&o, true, e);
    }
    free(path);
    return failed;
}

/* ---- opening and closing ---- */

static void release(struct att *t)
{
    for (size_t k = 0; t->wave && k < t->wave_count; k++)
        att_wave_clear(&t->wave[k]);
    for (unsigned k = 0; k < ATT_STATES; k++)
        free(t->steps[k].at);
    att_code_free(&t->code);
    free(t->wave);
    free(t->first_unit);
    free(t->next_id);
    free(t->file.at);
    free(t->occupied.at);
    free(t);
}

static struct att *new_trace(const struct trace_job *job)
{
    const struct trace_chip *c = job->chip;
    struct att *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->job = job;
    att_code_init(&t->code, job);
    t->max_waves = job->choice.waves ? job->choice.waves : ATT_MAX_WAVES;
    t->waves = (struct att_waves){.code = &t->code,
                                  .from = job->choice.from,
                                  .to = job->choice.to ? job->choice.to : CYCLE_NEVER,
                                  .execution = c->gfx > 9,
                                  .max = ATT_MAX_INSTRUCTIONS};
    t->wave_count = (size_t)c->places * c->simds * c->slots;
    t->wave = calloc(t->wave_count, sizeof *t->wave);
    t->first_unit = calloc(c->engines, sizeof *t->first_unit);
    t->next_id = calloc((size_t)c->engines * c->simds * c->cus_per_unit * c->slots, sizeof *t->next_id);
    if (!t->wave || !t->first_unit || !t->next_id) {
        release(t);
        return NULL;
    }
    for (uint32_t k = 0; k < c->engines; k++)
        t->first_unit[k] = -1;
    return t;
}

static int begin(void **state, const struct trace_job *job, struct err *e)
{
    struct att *t;
    char *folder;

    if (!job->chip || !job->code)
        return err_set(e, ERR_UNSUPPORTED, "%s: a thread trace needs to know the chip and the code", job->path);
    t = new_trace(job);
    folder = att_folder(job);
    if (!t || !folder)
        err_set(e, ERR_NOMEM, "%s: out of host memory for a trace", job->path);
    int failed = !t || !folder || output_folder_open(&t->folder, folder, ATT_MARK, e) ? -1 : 0;
    free(folder);
    if (failed && t)
        release(t);
    if (!failed)
        *state = t;
    return failed;
}

static int finish(void *state, bool keep, struct err *e)
{
    struct att *t = state;
    char *folder = strdup(t->folder.path);
    int failed = 0;

    if (keep) {
        end_all(t);
        failed = t->failed.code ? err_set(e, t->failed.code, "%s", t->failed.text) : write_files(t, e);
        if (!failed && (t->no_memory || !att_code_ok(&t->code) || !folder))
            failed = err_set(e, ERR_NOMEM, "%s: out of host memory for all of the trace", t->folder.path);
    }
    if (output_folder_close(&t->folder, keep && !failed, failed ? NULL : e))
        failed = -1;
    if (keep && !failed)
        failed = write_statistics(t, folder, e);
    free(folder);
    release(t);
    return failed;
}

const struct trace_writer trace_att = {.format = "att",
                                       .about = "the folder that ROCprof Compute Viewer opens",
                                       .kinds = EVENT_BIT(EVENT_WAVE_LAUNCH) | EVENT_BIT(EVENT_WAVE_END) |
                                                EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_STALL_BEGIN) |
                                                EVENT_BIT(EVENT_STALL_END),
                                       .folder = true,
                                       .open = begin,
                                       .take = take_events,
                                       .close = finish};

/* The work of a sweep on one machine. */
#define _GNU_SOURCE
#include "sim/sweep/work.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/util/host_time.h"

/* ---- points ---- */

int sweep_work_begin(struct sweep_work *w, const struct sweep_spec *spec, const struct sweep_options *o,
                     struct sweep_state *state, struct err *e)
{
    *w = (struct sweep_work){.spec = spec, .o = o, .state = state};
    *state = (struct sweep_state){0};
    if (sweep_points_make(&w->points, spec, e) || sweep_commands_new(&w->commands, spec, o->gcnsim, e))
        return -1;
    return 0;
}

static bool is_ours(const struct sweep_options *o, uint64_t point)
{
    return !o->shards || point % o->shards == o->shard;
}

static int plan_point(struct sweep_work *w, uint64_t point, struct err *e)
{
    struct sweep_command command;
    enum sweep_there there;

    if (sweep_command_make(w->commands, w->points, point, &command, e))
        return -1;
    there = sweep_store_has(w->store, point, command.key, command.gcnsim_sha256, w->o->retry);
    sweep_command_free(&command);
    w->state->points++;
    w->state->changed += there == SWEEP_CHANGED;
    w->state->other_gcnsim += there == SWEEP_OTHER_GCNSIM;
    if (there == SWEEP_THERE)
        w->state->skipped++;
    else
        w->todo[w->todos++] = point;
    return 0;
}

int sweep_work_plan(struct sweep_work *w, struct err *e)
{
    uint64_t count = sweep_points_count(w->points);

    w->reading = sweep_reading_new();
    w->todo = calloc(count, sizeof *w->todo);
    w->kept = calloc(count, sizeof *w->kept);
    if (!w->reading || !w->todo || !w->kept)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", w->spec->path);
    /* a command that cannot be made is found before the file is: one of each launch */
    for (uint64_t k = 0; k < count; k++) {
        struct sweep_command command;
        int rc;

        if (k && sweep_point_launch(w->points, k) == sweep_point_launch(w->points, k - 1))
            continue;
        if (sweep_command_make(w->commands, w->points, k, &command, e))
            return -1;
        rc = sweep_command_check(w->commands, &command, e);
        sweep_command_free(&command);
        if (rc)
            return rc;
    }
    if (sweep_store_open(&w->store, w->o->output, w->o->resume, e) ||
        sweep_store_plan(w->store, w->spec, w->points, &w->state->gone, e))
        return -1;
    for (uint64_t k = 0; k < count; k++)
        if (is_ours(w->o, k) && plan_point(w, k, e))
            return -1;
    return 0;
}

int sweep_job_make(struct sweep_work *w, uint64_t point, struct sweep_job *job, struct err *e)
{
    job->point = point;
    return sweep_command_make(w->commands, w->points, point, &job->command, e);
}

void sweep_job_free(struct sweep_job *job)
{
    sweep_command_free(&job->command);
}

int sweep_work_next(struct sweep_work *w, struct sweep_job *job, struct err *e)
{
    *job = (struct sweep_job){0};
    /* a rank that was given up may have sent its result after all */
    while (w->next < w->todos && w->kept[w->todo[w->next]])
        w->next++;
    if (w->next == w->todos || (w->o->stop && *w->o->stop))
        return 0;
    return sweep_job_make(w, w->todo[w->next++], job, e) ? -1 : 1;
}

void sweep_work_return(struct sweep_work *w, uint64_t point)
{
    w->todo[--w->next] = point;
}

int sweep_work_keep(struct sweep_work *w, const struct sweep_job *job, const struct sweep_raw *raw, const char *host,
                    const char *worker, struct err *e)
{
    struct sweep_result r = {.worker = worker, .key = job->command.key, .gcnsim_sha256 = job->command.gcnsim_sha256};
    char *line;
    int rc;

    if (w->kept[job->point])
        return 0;
    line = sweep_command_line(&job->command);
    if (!line)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", w->spec->path);
    sweep_reading_take(w->reading, raw, job->command.program, &r);
    r.command = line;
    if (host)
        r.host = host;
    if (strcmp(r.outcome, "completed") == 0)
        w->state->done++;
    else
        w->state->failed++;
    rc = sweep_store_put(w->store, job->point, &r, e);
    w->kept[job->point] = 1;
    free(line);
    return rc;
}

int sweep_work_end(struct sweep_work *w, struct err *e)
{
    int rc = sweep_store_close(w->store, e);

    sweep_reading_free(w->reading);
    sweep_commands_free(w->commands);
    sweep_points_free(w->points);
    free(w->todo);
    free(w->kept);
    *w = (struct sweep_work){0};
    return rc;
}

/* ---- processes ---- */

int sweep_crew_new(struct sweep_crew *c, uint32_t slots, struct err *e)
{
    *c = (struct sweep_crew){.slot = calloc(slots, sizeof *c->slot), .slots = slots};
    return c->slot ? 0 : err_set(e, ERR_NOMEM, "out of host memory");
}

void sweep_crew_free(struct sweep_crew *c)
{
    for (uint32_t k = 0; k < c->slots; k++) {
        sweep_child_kill(&c->slot[k].child);
        sweep_job_free(&c->slot[k].job);
    }
    free(c->slot);
    *c = (struct sweep_crew){0};
}

int sweep_crew_start(struct sweep_crew *c, struct sweep_work *w, struct sweep_job *job, struct err *e)
{
    struct sweep_slot *s = c->slot;
    int rc;

    while (s->child.pid)
        s++;
    sweep_job_free(&s->job);
    s->job = *job;
    *job = (struct sweep_job){0};
    rc = sweep_child_start(&s->child, &s->job.command, w->spec->folder, w->spec->max_seconds, e);
    c->busy += rc == 0;
    return rc;
}

void sweep_crew_wait(const struct sweep_crew *c, int milliseconds)
{
    struct pollfd *fds = calloc(3 * (size_t)c->slots, sizeof *fds);
    nfds_t n = 0;

    for (uint32_t k = 0; k < c->slots && fds; k++)
        n += (nfds_t)sweep_child_fds(&c->slot[k].child, fds + n);
    if (fds)
        poll(fds, n, milliseconds);
    free(fds);
}

struct sweep_slot *sweep_crew_ended(struct sweep_crew *c)
{
    for (uint32_t k = 0; k < c->slots; k++)
        if (sweep_child_check(&c->slot[k].child)) {
            c->busy--;
            return &c->slot[k];
        }
    return NULL;
}

/* ---- one machine ---- */

int sweep_crew_turn(struct sweep_crew *c, struct sweep_work *w, const char *worker, struct err *e)
{
    struct sweep_slot *s;
    int rc = 0;

    while (rc >= 0 && (s = sweep_crew_ended(c))) {
        struct sweep_raw raw = s->child.raw;
        struct sweep_job job = s->job, next;

        s->child.raw = (struct sweep_raw){0};
        s->job = (struct sweep_job){0};
        /* the next one first: its processor must not wait until a result is read and put */
        rc = sweep_work_next(w, &next, e);
        if (rc > 0)
            rc = sweep_crew_start(c, w, &next, e);
        if (rc >= 0)
            rc = sweep_work_keep(w, &job, &raw, NULL, worker, e);
        sweep_raw_free(&raw);
        sweep_job_free(&job);
    }
    return rc;
}

static int run_here(struct sweep_work *w, struct err *e)
{
    struct sweep_crew crew;
    struct sweep_job job;
    int rc = sweep_crew_new(&crew, w->o->jobs ? w->o->jobs : w->o->jobs_default, e);

    while (!rc) {
        while (!rc && crew.busy < crew.slots && (rc = sweep_work_next(w, &job, e)) > 0)
            rc = sweep_crew_start(&crew, w, &job, e);
        if (rc || !crew.busy || (w->o->stop && *w->o->stop))
            break;
        sweep_crew_wait(&crew, 200);
        rc = sweep_crew_turn(&crew, w, "local", e);
        if (!rc)
            rc = sweep_store_commit_due(w->store, host_seconds(), e);
        if (w->o->progress)
            w->o->progress(w->o->ctx, w->state);
    }
    sweep_crew_free(&crew);
    return rc;
}

int sweep_run(const struct sweep_spec *spec, const struct sweep_options *o, struct sweep_state *state, struct err *e)
{
    struct sweep_work w;
    struct err end = {0};
    bool done = false;
    int rc = sweep_work_begin(&w, spec, o, state, e);

    rc = sweep_rank_run(&w, rc == 0, &done, e);
    if (!rc && !done)
        rc = sweep_work_plan(&w, e);
    if (!rc && !done)
        rc = run_here(&w, e);
    if (sweep_work_end(&w, &end) && !rc)
        rc = err_add(e, &end);
    return rc;
}

int sweep_show_plan(const struct sweep_spec *spec, const struct sweep_options *o, uint64_t most, FILE *f, struct err *e)
{
    struct sweep_state state;
    struct sweep_work w;
    int rc = sweep_work_begin(&w, spec, o, &state, e);

    for (uint64_t k = 0, shown = 0; !rc && k < sweep_points_count(w.points) && shown < most; k++) {
        struct sweep_command command;

        if (!is_ours(o, k) || (rc = sweep_command_make(w.commands, w.points, k, &command, e)))
            continue;
        char *line = sweep_command_line(&command);
        if (line)
            fprintf(f, "%s\n", line);
        else
            rc = err_set(e, ERR_NOMEM, "%s: out of host memory", spec->path);
        free(line);
        sweep_command_free(&command);
        shown++;
    }
    if (!rc) {
        uint64_t missing = sweep_points_missing(w.points);

        fprintf(f, "%" PRIu64 " points%s", sweep_points_count(w.points), sweep_points_filtered(w.points) ? "" : "\n");
        if (sweep_points_filtered(w.points))
            fprintf(f, "; the filters took %" PRIu64 " away\n", sweep_points_filtered(w.points));
        if (missing)
            fprintf(f, "%" PRIu64 " of those that sampling asks for do not exist, or do not pass the filters\n",
                    missing);
    }
    sweep_work_end(&w, NULL);
    return rc;
}

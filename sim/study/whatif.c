/* gcnsim whatif: sweeps of the profile's figures around a launch, one at a time or all combinations, and which of them
 * the launch is most sensitive to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/explain.h"
#include "sim/util/host_time.h"

enum { BLOCK_BYTES = 16384, MAX_SWEEPS = 64, MAX_POINTS = 100000 };

static const struct gcnsim_whatif_options initial = {.jobs = 0};
static const struct api_struct kind = {.what = "options",
                                       .init = "gcnsim_whatif_options_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_whatif_options, warmup)};

void gcnsim_whatif_options_init_sized(struct gcnsim_whatif_options *o, size_t struct_bytes)
{
    api_struct_init(&kind, o, struct_bytes);
}

struct sweep {
    const char *path;
    const char **set; /* "path=value" of each value */
    size_t count;
};

struct sweeping {
    struct gcnsim_whatif public;
    struct arena arena;
    struct sweep sweep[MAX_SWEEPS];
    size_t sweeps;
    struct trial base, *trial;
    size_t trials;
};

/* ---- the command line's words ---- */

/* A text of so many bytes in the arena; null: out of host memory. */
static const char *part(struct arena *arena, const char *text, size_t bytes)
{
    char *to = ARENA_NEW(arena, bytes + 1, char);

    if (to)
        memcpy(to, text, bytes);
    return to;
}

static int parse_sweep(struct sweeping *w, const char *text, struct err *e)
{
    const char *equals = strchr(text, '=');
    struct sweep *s = &w->sweep[w->sweeps++];
    size_t room = 1;

    if (!equals || equals == text || !equals[1])
        return err_set(e, ERR_USAGE, "'%.200s'; expected PATH=VALUE[,VALUE]...", text);
    for (const char *p = equals; *p; p++)
        room += *p == ',';
    s->path = part(&w->arena, text, (size_t)(equals - text));
    s->set = ARENA_NEW(&w->arena, room, const char *);
    if (!s->path || !s->set)
        return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
    for (const char *p = equals + 1;; p++) {
        size_t n = strcspn(p, ",");
        char *set = ARENA_NEW(&w->arena, strlen(s->path) + n + 2, char);

        if (!n)
            return err_set(e, ERR_USAGE, "'%.200s': a value is empty; expected PATH=VALUE[,VALUE]...", text);
        if (!set)
            return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
        sprintf(set, "%s=%.*s", s->path, (int)n, p);
        s->set[s->count++] = set;
        p += n;
        if (!*p)
            break;
    }
    for (size_t k = 0; k + 1 < w->sweeps; k++)
        if (strcmp(w->sweep[k].path, s->path) == 0)
            return err_set(e, ERR_USAGE, "%s is swept twice; expected all its values in one sweep", s->path);
    return 0;
}

/* Which point a profile does not take: its message says --set, as for assignments of any origin. */
static void name_point(const struct trial *t, struct err *e)
{
    static const char set[] = "--set: ";
    struct err own = *e;
    const char *text = strncmp(own.text, set, strlen(set)) == 0 ? own.text + strlen(set) : own.text;
    char point[200] = "";
    size_t used = 0;

    for (size_t k = 0; k < t->set_count && used < sizeof point - 1; k++)
        used += (size_t)snprintf(point + used, sizeof point - used, "%s%s", k ? " " : "", t->sets[k]);
    *e = (struct err){0};
    err_set(e, own.code, "the point %s: %s", point, text);
}

/* The profile must take each point; a copy of sim's with its sets is asked. */
static int check_point(const struct gcnsim *sim, const struct trial *t, struct err *e)
{
    struct profile *p;
    int failed;

    if (!sim->profile)
        return err_set(e, ERR_USAGE, "the launch has no profile; expected one whose figures can be swept");
    p = profile_clone(sim->profile, e);
    if (!p)
        return -1;
    failed = profile_set_all(p, t->set_count, t->sets, e);
    if (failed)
        name_point(t, e);
    profile_free(p);
    return failed;
}

static size_t points_of(const struct sweeping *w, bool cross)
{
    size_t n = cross ? 1 : 0;

    for (size_t k = 0; k < w->sweeps; k++) {
        n = cross ? n * w->sweep[k].count : n + w->sweep[k].count;
        if (n > MAX_POINTS)
            return SIZE_MAX;
    }
    return n;
}

static int make_points(struct sweeping *w, bool cross, struct gcnsim_whatif_point *point, struct err *e)
{
    size_t at = 0;

    for (size_t k = 0; k < (cross ? 1 : w->sweeps); k++)
        for (size_t v = 0; v < (cross ? w->trials : w->sweep[k].count); v++, at++) {
            const char **sets = ARENA_NEW(&w->arena, cross ? w->sweeps : 1, const char *);
            size_t rest = v;

            if (!sets)
                return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
            /* the last sweep changes fastest */
            for (size_t n = w->sweeps; cross && n--; rest /= w->sweep[n].count)
                sets[n] = w->sweep[n].set[rest % w->sweep[n].count];
            if (!cross)
                sets[0] = w->sweep[k].set[v];
            w->trial[at].sets = sets;
            w->trial[at].set_count = cross ? w->sweeps : 1;
            w->trial[at].key = "";
            point[at] = (struct gcnsim_whatif_point){.sets = sets,
                                                     .set_count = w->trial[at].set_count,
                                                     .sweep = cross ? UINT32_MAX : (uint32_t)k,
                                                     .note = ""};
        }
    return 0;
}

/* ---- answers ---- */

static const char *copy_text(struct sweeping *w, const char *text)
{
    const char *kept = arena_text(&w->arena, text);

    return kept ? kept : "";
}

static void answer(struct sweeping *w, const struct trial *t, struct gcnsim_whatif_point *p)
{
    if (t->error.code != GCNSIM_OK) {
        p->note = copy_text(w, t->error.text);
    } else if (t->outcome != GCNSIM_COMPLETED) {
        p->note = copy_text(w, t->message);
    } else {
        p->cycles = trial_cycles(t);
        p->change = p->cycles / w->public.cycles - 1;
        if (trial_stat(t, "instructions.total") != trial_stat(&w->base, "instructions.total"))
            p->note = "the program depends on time: it executed other instructions";
        else if (t->digest && w->base.digest && t->digest != w->base.digest)
            p->note = "the program depends on time: it left other values in memory";
    }
}

static int by_span(const void *a, const void *b)
{
    const struct gcnsim_whatif_axis *x = a, *y = b;
    double dx = x->most - x->least, dy = y->most - y->least;

    return dx != dy ? (dx > dy ? -1 : 1) : strcmp(x->path, y->path);
}

/* The value of a figure as --set takes it; "" when the profile has none. */
static const char *base_value(struct sweeping *w, const struct gcnsim *sim, const char *path)
{
    char text[40];
    double v;

    if (gcnsim_profile_number(sim, path, &v) != GCNSIM_OK)
        return "";
    snprintf(text, sizeof text, "%.10g", v);
    return copy_text(w, text);
}

static int answer_all(struct sweeping *w, const struct gcnsim *sim, bool cross, struct gcnsim_whatif_point *point)
{
    struct gcnsim_whatif_axis *axis = ARENA_NEW(&w->arena, w->sweeps, struct gcnsim_whatif_axis);

    for (size_t k = 0; k < w->trials; k++)
        answer(w, &w->trial[k], &point[k]);
    w->public.points = point;
    w->public.point_count = w->trials;
    w->public.axes = axis;
    if (!axis)
        return -1;
    for (size_t k = 0; k < w->sweeps && !cross; k++) {
        axis[k].path = w->sweep[k].path;
        axis[k].base = base_value(w, sim, w->sweep[k].path);
        for (size_t n = 0; n < w->trials; n++)
            if (point[n].sweep == k && point[n].cycles > 0) {
                axis[k].least = fmin(axis[k].least, point[n].change);
                axis[k].most = fmax(axis[k].most, point[n].change);
            }
    }
    w->public.axis_count = cross ? 0 : w->sweeps;
    qsort(axis, w->public.axis_count, sizeof *axis, by_span);
    return 0;
}

static int base_failed(const struct trial *b, struct err *e)
{
    if (b->error.code != GCNSIM_OK)
        return err_set(e, (enum err_code)b->error.code, "%s", b->error.text);
    return err_set(e,
                   b->outcome == GCNSIM_FAULTED ? ERR_FAULT
                   : b->outcome == GCNSIM_LIMIT ? ERR_RUN_LIMIT
                                                : ERR_INTERRUPTED,
                   "%.500s; expected a launch that runs to its end", b->message);
}

static int simulate(struct sweeping *w, const struct gcnsim_whatif_options *o, struct trials *all, struct err *e)
{
    struct trial **list = calloc(w->trials + 1, sizeof *list);

    if (!list)
        return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
    w->base.key = "";
    list[0] = &w->base;
    for (size_t k = 0; k < w->trials; k++)
        list[k + 1] = &w->trial[k];
    trials_run(all, list, w->trials + 1);
    free(list);
    if (o->abort_flag && *o->abort_flag)
        return err_set(e, ERR_INTERRUPTED, "interrupted after %llu of %llu simulations", (unsigned long long)all->done,
                       (unsigned long long)all->total);
    if (!w->base.stat || w->base.outcome != GCNSIM_COMPLETED)
        return base_failed(&w->base, e);
    w->public.cycles = trial_cycles(&w->base);
    w->public.base_seconds = w->base.seconds;
    w->public.kernel = copy_text(w, w->base.kernel);
    w->public.target = copy_text(w, w->base.target);
    w->public.profile = copy_text(w, w->base.profile);
    w->public.simulations = (uint32_t)all->done;
    return 0;
}

static int whatif(struct sweeping *w, const struct gcnsim_whatif_options *o, struct err *e)
{
    struct trial_callback c = {o->run, o->ctx, o->warmup};
    long host = sysconf(_SC_NPROCESSORS_ONLN);
    struct trials all = {.run = trial_by_callback,
                         .ctx = &c,
                         .jobs = o->jobs    ? o->jobs
                                 : host > 0 ? (uint32_t)host
                                            : 1,
                         .progress = o->progress,
                         .progress_ctx = o->progress_ctx,
                         .abort_flag = o->abort_flag};
    struct gcnsim_whatif_point *point;
    double start = host_seconds();

    if (!o->run || !o->sim || !o->sweep_count)
        return err_set(e, ERR_USAGE, "options without run, sim or a sweep");
    if (o->sweep_count > MAX_SWEEPS)
        return err_set(e, ERR_USAGE, "%zu sweeps; expected at most %d", o->sweep_count, MAX_SWEEPS);
    for (size_t k = 0; k < o->sweep_count; k++)
        if (parse_sweep(w, o->sweeps[k], e))
            return -1;
    w->trials = points_of(w, o->cross);
    if (w->trials == SIZE_MAX)
        return err_set(e, ERR_USAGE, "more than %d points; expected fewer values", MAX_POINTS);
    w->trial = calloc(w->trials, sizeof *w->trial);
    point = ARENA_NEW(&w->arena, w->trials, struct gcnsim_whatif_point);
    if (!w->trial || !point)
        return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
    if (make_points(w, o->cross, point, e))
        return -1;
    for (size_t k = 0; k < w->trials; k++)
        if (check_point(o->sim, &w->trial[k], e))
            return -1;
    w->public.cross = o->cross;
    w->public.struct_bytes = sizeof w->public;
    w->public.jobs = all.jobs;
    w->public.warmup = o->warmup;
    if (simulate(w, o, &all, e))
        return -1;
    if (answer_all(w, o->sim, o->cross, point))
        return err_set(e, ERR_NOMEM, "out of host memory for a sweep");
    w->public.seconds = host_seconds() - start;
    return 0;
}

int gcnsim_whatif(const struct gcnsim_whatif_options *options, struct gcnsim_whatif **out, struct gcnsim_error *error)
{
    struct gcnsim_whatif_options o;
    struct sweeping *w = calloc(1, sizeof *w);
    struct err e = {0};
    int failed;

    *out = NULL;
    if (!w) {
        err_set(&e, ERR_NOMEM, "out of host memory for a sweep");
        return api_fail(error, &e);
    }
    arena_init(&w->arena, BLOCK_BYTES);
    failed = api_struct_take(&kind, &o, options, &e) || whatif(w, &o, &e);
    trial_free(&w->base);
    for (size_t k = 0; w->trial && k < w->trials; k++)
        trial_free(&w->trial[k]);
    free(w->trial);
    w->trial = NULL;
    if (failed) {
        gcnsim_whatif_free(&w->public);
        return api_fail(error, &e);
    }
    *out = &w->public;
    return GCNSIM_OK;
}

void gcnsim_whatif_free(struct gcnsim_whatif *w)
{
    struct sweeping *own = (struct sweeping *)w;

    if (!w)
        return;
    arena_free(&own->arena);
    free(own);
}

/* gcnsim explain: a launch simulated as it is and again with one thing ideal at a time, so that the cycles that each
 * takes are differences of simulations. */
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/loader/lines.h"
#include "sim/study/explain.h"
#include "sim/util/host_time.h"

enum { PLACES = 5, BLOCK_BYTES = 16384 };

static const struct gcnsim_explain_options initial = {.jobs = 0};
static const struct api_struct kind = {.what = "options",
                                       .init = "gcnsim_explain_options_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_explain_options, warmup)};

void gcnsim_explain_options_init_sized(struct gcnsim_explain_options *o, size_t struct_bytes)
{
    api_struct_init(&kind, o, struct_bytes);
}

/* ---- texts ---- */

const char *explain_keep(struct explaining *x, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    const char *kept;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    kept = arena_text(&x->arena, text);
    x->no_memory |= !kept;
    return kept ? kept : "";
}

const char *explain_source(struct explaining *x, uint64_t pc_offset)
{
    const struct co_line *l = NULL;

    if (x->code && pc_offset != UINT64_MAX)
        l = co_lines_at(code_object_lines(x->code), pc_offset + x->text_vaddr);
    return l && l->file ? explain_keep(x, "%s:%u", l->file, l->line) : NULL;
}

const struct trial *explain_cause(const struct explaining *x, const char *key)
{
    for (size_t k = 0; k < cause_count; k++)
        if (strcmp(causes[k].key, key) == 0)
            return &x->cause_trial[k];
    return NULL;
}

/* ---- places ---- */

struct saving {
    size_t instruction;
    double cycles;
    const char *reason;
};

static int by_saving(const void *a, const void *b)
{
    const struct saving *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return x->instruction < y->instruction ? -1 : 1;
}

/* Columns "cycles.REASON": the first one and how many. */
static uint32_t reasons(uint32_t *count)
{
    struct gcnsim_stat column;
    uint32_t first = UINT32_MAX;

    *count = 0;
    for (uint32_t k = 0; gcnsim_instruction_column(k, &column) == GCNSIM_OK; k++)
        if (strncmp(column.name, "cycles.", 7) == 0) {
            first = first == UINT32_MAX ? k : first;
            ++*count;
        }
    return first;
}

/* What the waves' cycles at an instruction are fewer by. */
static struct saving saving_of(const struct trial *base, const struct trial *t, size_t at, size_t same, uint32_t first,
                               uint32_t count)
{
    struct saving s = {.instruction = at, .reason = ""};
    struct gcnsim_stat column;
    double most = 0;

    for (uint32_t k = first; k < first + count; k++) {
        double by = (double)trial_value(base, at, k) - (same < t->instructions ? (double)trial_value(t, same, k) : 0);

        s.cycles += by;
        if (by > most && gcnsim_instruction_column(k, &column) == GCNSIM_OK) {
            most = by;
            s.reason = column.name + 7;
        }
    }
    return s;
}

/* The places of cause c. */
static void find_places(struct explaining *x, const struct trial *t, struct gcnsim_explained_cause *c)
{
    const struct trial *b = &x->base;
    struct saving *s = calloc(b->instructions + 1, sizeof *s);
    struct gcnsim_explained_place *place = ARENA_NEW(&x->arena, PLACES, struct gcnsim_explained_place);
    uint32_t count, first = reasons(&count);
    double all = 0;

    x->no_memory |= !s || !place;
    for (size_t k = 0, n = 0; s && place && k < b->instructions; k++) {
        while (n < t->instructions && t->instruction[n].pc < b->instruction[k].pc)
            n++;
        s[k] = saving_of(b, t, k,
                         n < t->instructions && t->instruction[n].pc == b->instruction[k].pc ? n : t->instructions,
                         first, count);
        all += s[k].cycles > 0 ? s[k].cycles : 0;
    }
    if (s && place)
        qsort(s, b->instructions, sizeof *s, by_saving);
    for (size_t k = 0; s && place && k < b->instructions && k < PLACES && s[k].cycles > 0.02 * all; k++) {
        const struct trial_instruction *i = &b->instruction[s[k].instruction];

        place[c->place_count++] = (struct gcnsim_explained_place){.pc = i->pc,
                                                                  .pc_offset = i->pc_offset,
                                                                  .instruction = explain_keep(x, "%s", i->text),
                                                                  .source = explain_source(x, i->pc_offset),
                                                                  .reason = explain_keep(x, "%s", s[k].reason),
                                                                  .wave_cycles = s[k].cycles,
                                                                  .share = s[k].cycles / all};
    }
    c->places = place;
    free(s);
}

/* ---- answers ---- */

/* What a trial says of itself: "" when it ran as the launch did. */
static const char *note_of(struct explaining *x, const struct trial *t)
{
    if (t->error.code != GCNSIM_OK)
        return explain_keep(x, "%s", t->error.text);
    if (t->outcome != GCNSIM_COMPLETED)
        return explain_keep(x, "it did not run to its end: %s", t->message);
    if (trial_stat(t, "instructions.total") != trial_stat(&x->base, "instructions.total"))
        return "the program depends on time: it executed other instructions";
    if (t->digest && x->base.digest && t->digest != x->base.digest)
        return "the program depends on time: it left other values in memory";
    return "";
}

static bool completed(const struct trial *t)
{
    return t->stat && t->error.code == GCNSIM_OK && t->outcome == GCNSIM_COMPLETED;
}

static void answer_cause(struct explaining *x, size_t k, struct gcnsim_explained_cause *c)
{
    const struct trial *t = &x->cause_trial[k];

    *c = (struct gcnsim_explained_cause){.key = causes[k].key,
                                         .what = causes[k].what,
                                         .overall = !causes[k].needs,
                                         .sets = t->sets,
                                         .set_count = t->set_count,
                                         .cycles = x->out->cycles,
                                         .note = ""};
    if (!t->set_count) {
        c->state = GCNSIM_EXPLAINED_ABSENT;
        return;
    }
    if (t->skipped) {
        c->state = GCNSIM_EXPLAINED_SKIPPED;
        return;
    }
    c->note = note_of(x, t);
    if (!completed(t)) {
        c->state = GCNSIM_EXPLAINED_FAILED;
        return;
    }
    c->cycles = trial_cycles(t);
    c->saved = x->out->cycles - c->cycles;
    c->share = x->out->cycles > 0 ? c->saved / x->out->cycles : 0;
    find_places(x, t, c);
}

static int by_saved(const void *a, const void *b)
{
    const struct gcnsim_explained_cause *x = a, *y = b;

    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->overall != y->overall)
        return x->overall - y->overall;
    if (x->saved != y->saved)
        return x->saved > y->saved ? -1 : 1;
    return strcmp(x->key, y->key);
}

static int by_gain(const void *a, const void *b)
{
    const struct gcnsim_explained_remedy *x = a, *y = b;
    bool gains_x = x->state == GCNSIM_EXPLAINED_SIMULATED, gains_y = y->state == GCNSIM_EXPLAINED_SIMULATED;

    if (gains_x != gains_y)
        return gains_x ? -1 : 1;
    if (x->saved != y->saved)
        return x->saved > y->saved ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void answer_causes(struct explaining *x, const bool *wanted)
{
    struct gcnsim_explained_cause *c = ARENA_NEW(&x->arena, cause_count, struct gcnsim_explained_cause);

    x->no_memory |= !c;
    for (size_t k = 0; c && k < cause_count; k++)
        if (wanted[k])
            answer_cause(x, k, &c[x->out->cause_count++]);
    if (c)
        qsort(c, x->out->cause_count, sizeof *c, by_saved);
    x->out->causes = c;
}

static void answer_remedy(struct explaining *x, const struct rule *r, struct gcnsim_explained_remedy *m)
{
    struct gcnsim_explained_place *place = ARENA_NEW(&x->arena, r->places + 1, struct gcnsim_explained_place);
    const struct trial *bound = r->limit_of ? explain_cause(x, r->limit_of) : NULL;
    const struct trial *t = r->set_count ? (r->trial.like ? r->trial.like : &r->trial) : bound;

    x->no_memory |= !place;
    *m = (struct gcnsim_explained_remedy){.key = r->key,
                                          .text = r->text,
                                          .remedy = r->remedy,
                                          .state = GCNSIM_EXPLAINED_NAMED,
                                          .sets = r->sets,
                                          .set_count = r->set_count,
                                          .cycles = x->out->cycles,
                                          .note = "",
                                          .places = place,
                                          .place_count = place ? r->places : 0};
    for (size_t k = 0; place && k < r->places; k++) {
        const struct trial_instruction *i = &x->base.instruction[r->place[k]];

        place[k] = (struct gcnsim_explained_place){.pc = i->pc,
                                                   .pc_offset = i->pc_offset,
                                                   .instruction = explain_keep(x, "%s", i->text),
                                                   .source = explain_source(x, i->pc_offset),
                                                   .reason = ""};
    }
    if (!t)
        return;
    m->note = note_of(x, t);
    if (!completed(t)) {
        m->state = GCNSIM_EXPLAINED_FAILED;
        return;
    }
    m->state = r->set_count ? GCNSIM_EXPLAINED_SIMULATED : GCNSIM_EXPLAINED_BOUNDED;
    m->cycles = trial_cycles(t);
    m->saved = x->out->cycles - m->cycles;
    m->share = x->out->cycles > 0 ? m->saved / x->out->cycles : 0;
}

static void answer_remedies(struct explaining *x)
{
    struct gcnsim_explained_remedy *m = ARENA_NEW(&x->arena, x->rules + 1, struct gcnsim_explained_remedy);

    x->no_memory |= !m;
    for (size_t k = 0; m && k < x->rules; k++) {
        struct gcnsim_explained_remedy *one = &m[x->out->remedy_count];

        answer_remedy(x, &x->rule[k], one);
        /* a remedy that removes nothing is none */
        x->out->remedy_count +=
            one->state == GCNSIM_EXPLAINED_NAMED || one->state == GCNSIM_EXPLAINED_FAILED || one->share >= 0.001;
    }
    if (m)
        qsort(m, x->out->remedy_count, sizeof *m, by_gain);
    x->out->remedies = m;
}

/* ---- runs ---- */

/* The sets of a trial are those of another one that is run: its answer will do. */
static const struct trial *same_as(const struct explaining *x, const struct rule *r)
{
    for (size_t k = 0; k < cause_count; k++) {
        const struct trial *t = &x->cause_trial[k];
        size_t n = 0;

        if (t->skipped || !t->set_count || t->set_count != r->set_count || t->error.code != GCNSIM_OK || !t->stat)
            continue;
        while (n < t->set_count && strcmp(t->sets[n], r->sets[n]) == 0)
            n++;
        if (n == t->set_count)
            return t;
    }
    return NULL;
}

static int base_error(const struct trial *b, struct gcnsim_error *error)
{
    *error = b->error;
    if (b->error.code != GCNSIM_OK)
        return error->code;
    error->code = b->outcome == GCNSIM_FAULTED ? GCNSIM_ERROR_FAULT
                  : b->outcome == GCNSIM_LIMIT ? GCNSIM_ERROR_RUN_LIMIT
                                               : GCNSIM_ERROR_INTERRUPTED;
    snprintf(error->text, sizeof error->text, "%.500s; expected a launch that runs to its end", b->message);
    return error->code;
}

static int run_causes(struct explaining *x, struct trials *all, const bool *wanted)
{
    struct trial **list = calloc(cause_count, sizeof *list);
    size_t count = 0;

    if (!list)
        return -1;
    for (size_t k = 0; k < cause_count; k++) {
        struct trial *t = &x->cause_trial[k];

        t->key = causes[k].key;
        t->per_instruction = 1;
        if (!cause_sets(&causes[k], x->sim, &x->arena, &t->sets, &t->set_count)) {
            free(list);
            return -1;
        }
        t->skipped = !wanted[k] || !t->set_count || !cause_matters(&causes[k], &x->base);
        list[count++] = t;
    }
    trials_run(all, list, count);
    free(list);
    return 0;
}

static int run_rules(struct explaining *x, struct trials *all)
{
    struct trial **list = calloc(x->rules + 1, sizeof *list);
    size_t count = 0;

    if (!list)
        return -1;
    for (size_t k = 0; k < x->rules; k++) {
        struct rule *r = &x->rule[k];

        r->trial.key = r->key;
        r->trial.sets = r->sets;
        r->trial.set_count = r->set_count;
        r->trial.like = r->set_count ? same_as(x, r) : NULL;
        r->trial.skipped = !r->set_count;
        list[count++] = &r->trial;
    }
    trials_run(all, list, count);
    free(list);
    return 0;
}

static int interrupted(const struct trials *all, struct gcnsim_error *error)
{
    if (!all->abort_flag || !*all->abort_flag)
        return GCNSIM_OK;
    error->code = GCNSIM_ERROR_INTERRUPTED;
    snprintf(error->text, sizeof error->text, "interrupted after %llu of %llu simulations",
             (unsigned long long)all->done, (unsigned long long)all->total);
    return error->code;
}

/* All but memory: the base run, the what-ifs, the remedies. */
static int explain(struct explaining *x, struct trials *all, const bool *wanted, struct gcnsim_error *error)
{
    struct trial *base = &x->base;
    int rc;

    base->key = "";
    base->per_instruction = 1;
    trials_run(all, &base, 1);
    if ((rc = interrupted(all, error)) != GCNSIM_OK)
        return rc;
    if (!completed(base))
        return base_error(base, error);
    x->out->cycles = trial_cycles(base);
    x->out->base_seconds = base->seconds;
    x->out->kernel = explain_keep(x, "%s", x->kernel ? x->kernel : base->kernel);
    x->out->target = explain_keep(x, "%s", base->target);
    x->out->profile = explain_keep(x, "%s", base->profile);
    if (run_causes(x, all, wanted))
        return error->code = GCNSIM_ERROR_NOMEM;
    if ((rc = interrupted(all, error)) != GCNSIM_OK)
        return rc;
    explain_remedies(x);
    if (run_rules(x, all))
        return error->code = GCNSIM_ERROR_NOMEM;
    if ((rc = interrupted(all, error)) != GCNSIM_OK)
        return rc;
    answer_causes(x, wanted);
    answer_remedies(x);
    x->out->simulations = (uint32_t)all->done;
    return x->no_memory ? (error->code = GCNSIM_ERROR_NOMEM) : GCNSIM_OK;
}

/* Which causes are asked for; a pattern that fits none is an error. */
static int choose(const struct gcnsim_explain_options *o, bool *wanted, struct err *e)
{
    for (size_t k = 0; k < cause_count; k++)
        wanted[k] = !o->only_count;
    for (size_t n = 0; n < o->only_count; n++) {
        bool any = false;

        for (size_t k = 0; k < cause_count; k++)
            if (fnmatch(o->only[n], causes[k].key, 0) == 0)
                wanted[k] = any = true;
        if (!any)
            return err_set(e, ERR_USAGE, "'%.200s' is no cause; expected one of gcnsim explain --list, or a pattern",
                           o->only[n]);
    }
    return 0;
}

static void explaining_free(struct explaining *x)
{
    trial_free(&x->base);
    for (size_t k = 0; x->cause_trial && k < cause_count; k++)
        trial_free(&x->cause_trial[k]);
    for (size_t k = 0; k < x->rules; k++) {
        trial_free(&x->rule[k].trial);
        free(x->rule[k].place);
    }
    free(x->rule);
    free(x->cause_trial);
}

static uint32_t all_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (uint32_t)n : 1;
}

int explain_with(const struct gcnsim_explain_options *o, trial_fn *run, void *ctx, bool from_text,
                 struct gcnsim_explanation **out, struct gcnsim_error *error)
{
    struct gcnsim_explanation_own *own = calloc(1, sizeof *own);
    bool *wanted = calloc(cause_count, sizeof *wanted);
    struct explaining x = {.sim = o->sim, .code = o->code ? o->code->co : NULL, .kernel = o->kernel};
    struct trials all = {.run = run,
                         .ctx = ctx,
                         .jobs = o->jobs ? o->jobs : all_processors(),
                         .progress = o->progress,
                         .progress_ctx = o->progress_ctx,
                         .abort_flag = o->abort_flag};
    struct err e = {0};
    double start = host_seconds();
    int rc = GCNSIM_ERROR_NOMEM;

    struct gcnsim_code_range text = {0};
    if (from_text && o->code && gcnsim_code_text(o->code, 0, &text) == GCNSIM_OK)
        x.text_vaddr = text.address;
    *out = NULL;
    *error = (struct gcnsim_error){GCNSIM_ERROR_NOMEM, "out of host memory for an explanation"};
    arena_init(&x.arena, BLOCK_BYTES);
    x.cause_trial = calloc(cause_count, sizeof *x.cause_trial);
    if (own && wanted && x.cause_trial) {
        own->public.struct_bytes = sizeof own->public;
        x.out = &own->public;
        if (choose(o, wanted, &e)) {
            rc = api_fail(error, &e);
        } else if ((rc = explain(&x, &all, wanted, error)) == GCNSIM_OK) {
            *error = (struct gcnsim_error){0};
            x.out->jobs = all.jobs;
            x.out->warmup = o->warmup;
            x.out->seconds = host_seconds() - start;
        }
    }
    explaining_free(&x);
    free(wanted);
    if (rc != GCNSIM_OK) {
        arena_free(&x.arena);
        free(own);
        return rc;
    }
    own->arena = x.arena;
    *out = &own->public;
    return GCNSIM_OK;
}

int explain_take_options(struct gcnsim_explain_options *own, const struct gcnsim_explain_options *from, struct err *e)
{
    return api_struct_take(&kind, own, from, e);
}

int gcnsim_explain(const struct gcnsim_explain_options *options, struct gcnsim_explanation **out,
                   struct gcnsim_error *error)
{
    struct gcnsim_explain_options o;
    struct gcnsim_error unwanted;
    struct err e = {0};

    *out = NULL;
    if (explain_take_options(&o, options, &e))
        return api_fail(error, &e);
    if (!o.run || !o.sim) {
        err_set(&e, ERR_USAGE, "options without run or sim");
        return api_fail(error, &e);
    }
    struct trial_callback c = {o.run, o.ctx, o.warmup};
    return explain_with(&o, trial_by_callback, &c, false, out, error ? error : &unwanted);
}

void gcnsim_explanation_free(struct gcnsim_explanation *x)
{
    struct gcnsim_explanation_own *own = (struct gcnsim_explanation_own *)x;

    if (!x)
        return;
    arena_free(&own->arena);
    free(own);
}

/* Explanations as text of at most 80 columns where names are not longer, and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/study/explain.h"

/* What is said of a cause that saves less. */
#define LITTLE 0.001

static const char *const state_key[] = {"simulated", "skipped", "absent", "failed", "named", "bounded"};

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}

/* Cycles as whole numbers in groups of digits, also fewer than none. */
static const char *cycles(double v, char out[40])
{
    char digits[32];

    snprintf(out, 40, "%s%s", v < 0 ? "-" : "", report_grouped((uint64_t)fabs(v), digits));
    return out;
}

static void write_place(FILE *f, const struct gcnsim_explained_place *p)
{
    char line[64];

    snprintf(line, sizeof line, "%.60s", p->source ? base_name(p->source) : "");
    fprintf(f, "     %3.0f %%  %-16s 0x%04llx %-.38s", 100 * p->share, line, (unsigned long long)p->pc_offset,
            p->instruction);
    if (*p->reason)
        fprintf(f, "  (%s)", p->reason);
    fputc('\n', f);
}

static void write_cause(FILE *f, const struct gcnsim_explained_cause *c)
{
    char now[40], saved[40];

    fprintf(f, "%-46.46s %11s %11s %7.1f %%\n", c->what, cycles(c->cycles, now), cycles(c->saved, saved),
            100 * c->share);
    if (*c->note)
        fprintf(f, "     %s\n", c->note);
    for (size_t k = 0; k < c->place_count && k < 3 && c->share >= 0.01; k++)
        write_place(f, &c->places[k]);
}

/* The keys of causes of a state, in lines of 80 columns. */
static void write_keys(FILE *f, const struct gcnsim_explanation *x, enum gcnsim_explained state, const char *title)
{
    size_t at = 0;

    for (size_t k = 0; k < x->cause_count; k++) {
        const struct gcnsim_explained_cause *c = &x->causes[k];
        bool little = c->state == GCNSIM_EXPLAINED_SIMULATED && fabs(c->share) < LITTLE && !*c->note;

        if (c->state != state || (state == GCNSIM_EXPLAINED_SIMULATED && !little))
            continue;
        if (!at) {
            fprintf(f, "%s:", title);
            at = strlen(title) + 1;
        }
        if (at + strlen(c->key) + 1 > 80) {
            fputs("\n ", f);
            at = 1;
        }
        fprintf(f, " %s", c->key);
        at += strlen(c->key) + 1;
    }
    if (at)
        fputc('\n', f);
}

/* Words of a text in lines of 80 columns, those after the first indented. */
static void write_wrapped(FILE *f, const char *text, size_t at, size_t indent)
{
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, " ");

        if (first) {
            at += n;
        } else if (at + 1 + n > 80) {
            fprintf(f, "\n%*s", (int)indent, "");
            at = indent + n;
        } else {
            fputc(' ', f);
            at += n + 1;
        }
        fprintf(f, "%.*s", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
}

static void write_remedy(FILE *f, const struct gcnsim_explained_remedy *m, unsigned number)
{
    char text[1400], saved[40];

    cycles(m->saved, saved);
    switch (m->state) {
    case GCNSIM_EXPLAINED_SIMULATED:
        snprintf(text, sizeof text, "%s; %s removes %s cycles, %.0f %%", m->text, m->remedy, saved, 100 * m->share);
        break;
    case GCNSIM_EXPLAINED_BOUNDED:
        snprintf(text, sizeof text, "%s; %s can remove at most %s cycles, %.0f %%", m->text, m->remedy, saved,
                 100 * m->share);
        break;
    case GCNSIM_EXPLAINED_FAILED:
        snprintf(text, sizeof text, "%s; %s: not simulated: %s", m->text, m->remedy, m->note);
        break;
    default:
        snprintf(text, sizeof text, "%s; %s (not simulated)", m->text, m->remedy);
        break;
    }
    int n = fprintf(f, "%2u. ", number);
    write_wrapped(f, text, n > 0 ? (size_t)n : 0, 4);
    fputc('\n', f);
}

const char *explain_warmth(uint32_t warmup, char out[48])
{
    *out = 0;
    if (warmup)
        snprintf(out, 48, ", warm: after %u launch%s", warmup, warmup == 1 ? "" : "es");
    return out;
}

static void write_text(FILE *f, const void *what)
{
    const struct gcnsim_explanation *x = what;
    char number[40], warmth[48];
    unsigned n = 0, overall = 0;
    char *plain = NULL;

    (void)gcnsim_demangle(x->kernel, &plain, NULL);
    fprintf(f, "%s on %s: %s cycles%s\n", plain ? plain : x->kernel, x->profile, cycles(x->cycles, number),
            explain_warmth(x->warmup, warmth));
    gcnsim_free(plain);
    fprintf(f, "%u simulations, %u at a time, in %.1f s (the launch as it is: %.2f s)\n\n", x->simulations, x->jobs,
            x->seconds, x->base_seconds);
    fprintf(f, "%-46s %11s %11s %9s\n", "what if", "cycles", "saved", "share");
    for (size_t k = 0; k < x->cause_count; k++) {
        const struct gcnsim_explained_cause *c = &x->causes[k];
        bool shown = c->state == GCNSIM_EXPLAINED_SIMULATED && (fabs(c->share) >= LITTLE || *c->note);

        if (shown && c->overall && !overall++)
            fputs("several together\n", f);
        if (shown)
            write_cause(f, c);
        else if (c->state == GCNSIM_EXPLAINED_FAILED)
            fprintf(f, "%-46.46s not simulated: %s\n", c->what, c->note);
    }
    if (x->cause_count)
        fputc('\n', f);
    write_keys(f, x, GCNSIM_EXPLAINED_SIMULATED, "no difference");
    write_keys(f, x, GCNSIM_EXPLAINED_SKIPPED, "nothing to save");
    write_keys(f, x, GCNSIM_EXPLAINED_ABSENT, "not on this chip");
    if (x->remedy_count)
        fputs("\nremedies\n", f);
    for (size_t k = 0; k < x->remedy_count; k++)
        write_remedy(f, &x->remedies[k], ++n);
}

int gcnsim_explanation_text(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(write_text, x), "explanation", text, error);
}

/* ---- JSON ---- */

static void json_sets(struct json_put *j, const char *const *sets, size_t count)
{
    json_put(j, "sets: [");
    for (size_t k = 0; k < count; k++)
        json_put(j, "%s", sets[k]);
    json_put(j, "]");
}

static void json_places(struct json_put *j, const struct gcnsim_explained_place *p, size_t count, bool saves)
{
    json_put(j, "places: [");
    for (size_t k = 0; k < count; k++, p++) {
        json_put(j, "{pc: %" PRIu64 ", pc_offset: %" PRId64 ", instruction: %s, source: %s", p->pc,
                 (int64_t)p->pc_offset, p->instruction, p->source);
        if (saves)
            json_put(j, "reason: %s, wave_cycles: %.0f, share: %.6f", p->reason, p->wave_cycles, p->share);
        json_put(j, "}");
    }
    json_put(j, "]");
}

static void json_gain(struct json_put *j, enum gcnsim_explained state, double now, double saved, double share)
{
    bool has =
        state == GCNSIM_EXPLAINED_SIMULATED || state == GCNSIM_EXPLAINED_BOUNDED || state == GCNSIM_EXPLAINED_SKIPPED;

    json_put(j, "state: %s", state_key[state]);
    json_put(j, has ? "cycles: %.0f, saved: %.0f, share: %.6f" : "cycles: null, saved: null, share: null", now, saved,
             share);
}

static void write_json(FILE *f, const void *what)
{
    const struct gcnsim_explanation *x = what;
    struct json_put j = {.f = f};

    json_put(&j, "{\n schema: 1, kernel: %s, target: %s, profile: %s, warmup: %u, cycles: %.0f, causes: [\n", x->kernel,
             x->target, x->profile, x->warmup, x->cycles);
    for (size_t k = 0; k < x->cause_count; k++) {
        const struct gcnsim_explained_cause *c = &x->causes[k];

        json_put(&j, "{key: %s, what: %s, overall: %hhd", c->key, c->what, c->overall);
        json_gain(&j, c->state, c->cycles, c->saved, c->share);
        json_sets(&j, c->sets, c->set_count);
        json_put(&j, "note: %s", c->note);
        json_places(&j, c->places, c->place_count, true);
        json_put(&j, "}");
    }
    json_put(&j, "\n  ], remedies: [\n");
    for (size_t k = 0; k < x->remedy_count; k++) {
        const struct gcnsim_explained_remedy *m = &x->remedies[k];

        json_put(&j, "{key: %s, text: %s, remedy: %s", m->key, m->text, m->remedy);
        json_gain(&j, m->state, m->cycles, m->saved, m->share);
        json_sets(&j, m->sets, m->set_count);
        json_put(&j, "note: %s", m->note);
        json_places(&j, m->places, m->place_count, false);
        json_put(&j, "}");
    }
    json_put(&j, "\n  ], host: {simulations: %u, jobs: %u, seconds: %.3f, base_seconds: %.3f}}\n", x->simulations,
             x->jobs, x->seconds, x->base_seconds);
}

int gcnsim_explanation_json(const struct gcnsim_explanation *x, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_json, x), "explanation", text, error);
}

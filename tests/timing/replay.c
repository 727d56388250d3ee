/* replay [options] DIR: see replay.h. */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

#define MAX_KERNELS 512
#define MAX_SETS    64

struct options {
    bool verbose, json, warm;
    const char *target, *kernel, *folder;
    char half; /* kernels of this half alone; 0: of both */
    struct split *split;
    const char *set[MAX_SETS];
    size_t sets;
};

struct tally {
    struct kernel kernel[MAX_KERNELS];
    size_t kernels, files, traces;
    size_t skipped; /* no decoder or profile for the target */
    size_t empty;   /* no wave with instruction events */
    size_t broken, unwanted;
    FILE *notes;
};

static void usage(FILE *f)
{
    fputs("usage: replay [--verbose] [--json] [--warm] [--target T] [--kernel TEXT] [--split FILE [--half A|B]]\n"
          "              [--set PATH=VALUE]... DIR\n"
          "Replays the decoded thread traces of DIR and compares the cycles of issue (tests/timing/replay.h).\n"
          "  --verbose   every distance of every wave\n"
          "  --json      figures as JSON instead of tables\n"
          "  --warm      instruction fetches hit the instruction cache\n"
          "  --target T  traces of this target alone; --kernel TEXT: those with TEXT in their name\n"
          "  --split     figures by half as well: FILE says which kernels were looked at to choose figures (A) and "
          "which\n"
          "              were not (B); --half: traces of that half alone\n"
          "  --set       a figure of the profile\n",
          f);
}

static void read_split(struct options *o, const char *path)
{
    static struct split split;
    struct err e = {0};

    o->split = &split;
    if (split_read(&split, path, &e)) {
        fprintf(stderr, "replay: %s\n", e.text);
        exit(2);
    }
}

static bool parse(int argc, char **argv, struct options *o)
{
    for (int k = 1; k < argc; k++) {
        const char *a = argv[k];

        if (!strcmp(a, "--verbose"))
            o->verbose = true;
        else if (!strcmp(a, "--json"))
            o->json = true;
        else if (!strcmp(a, "--warm"))
            o->warm = true;
        else if (!strcmp(a, "--target") && k + 1 < argc)
            o->target = argv[++k];
        else if (!strcmp(a, "--kernel") && k + 1 < argc)
            o->kernel = argv[++k];
        else if (!strcmp(a, "--split") && k + 1 < argc)
            read_split(o, argv[++k]);
        else if (!strcmp(a, "--half") && k + 1 < argc && strlen(argv[k + 1]) == 1 && strchr("AB", argv[k + 1][0]))
            o->half = argv[++k][0];
        else if (!strcmp(a, "--set") && k + 1 < argc && o->sets < MAX_SETS)
            o->set[o->sets++] = argv[++k];
        else if (a[0] == '-' || o->folder)
            return false;
        else
            o->folder = a;
    }
    return o->folder && (o->split || !o->half);
}

static struct kernel *kernel_of(struct tally *y, const struct options *o, const struct trace *t)
{
    for (size_t k = 0; k < y->kernels; k++)
        if (!strcmp(y->kernel[k].key, t->code))
            return &y->kernel[k];
    if (y->kernels == MAX_KERNELS)
        return NULL;
    snprintf(y->kernel[y->kernels].key, sizeof y->kernel[0].key, "%s", t->code);
    snprintf(y->kernel[y->kernels].target, sizeof y->kernel[0].target, "%s", t->target);
    y->kernel[y->kernels].half = o->split ? split_half(o->split, t->code) : SPLIT_UNKNOWN;
    y->kernel[y->kernels].grain = t->resolution;
    return &y->kernel[y->kernels++];
}

/* Longest time from first start to last end of a shader engine; 0 when an end was lost. */
static cycle_t total_cycles(const struct trace *t)
{
    cycle_t most = 0;

    for (size_t n = 0; n < t->engines; n++) {
        cycle_t first = CYCLE_NEVER, last = 0;

        for (size_t k = 0; k < t->engine[n].spans; k++) {
            const struct trace_span *s = &t->engine[n].span[k];

            if (s->end < s->start || s->end - s->start > UINT64_C(1) << 30)
                return 0;
            first = s->start < first ? s->start : first;
            last = s->end > last ? s->end : last;
        }
        if (last > first && last - first > most)
            most = last - first;
    }
    return most;
}

static void compare_captures(struct kernel *k, const struct trace *a, const struct trace *b)
{
    for (size_t n = 0; n < a->engines; n++)
        for (size_t m = 0; m < b->engines; m++)
            if (a->engine[n].se == b->engine[m].se)
                for (size_t w = 0; w < a->engine[n].waves && w < b->engine[m].waves; w++)
                    score_repeat(&k->hardware, &a->engine[n].wave[w], &b->engine[m].wave[w]);
}

static bool has_waves(const struct trace *t)
{
    for (size_t n = 0; n < t->engines; n++)
        for (size_t w = 0; w < t->engine[n].waves; w++)
            if (t->engine[n].wave[w].count > 1)
                return true;
    return false;
}

/* The lives of a dispatch's traced waves. */
static int replay_free(struct kernel *k, const struct trace *t, struct replay_kernel *code, bool verbose, struct err *e)
{
    struct score unused = {0};

    for (size_t n = 0; n < t->engines; n++) {
        const struct trace_engine *g = &t->engine[n];
        struct run_wave *waves;
        bool fault;

        if (!g->waves)
            continue;
        if (replay_lives(code, t, n, k->walked, &waves, &fault, e))
            return -1;
        if (verbose)
            printf("%s %s shader engine %u, free\n", t->code, t->capture, g->se);
        for (size_t w = 0; w < g->waves && !fault; w++) {
            lives_add_wave(&k->lives, &g->wave[w], &waves[w]);
            if (verbose)
                score_wave(&unused, &g->wave[w], &waves[w], t->resolution, stdout);
        }
        run_waves_free(waves, g->waves);
    }
    score_free(&unused);
    return 0;
}

/* Replays all traced shader engines of a dispatch. */
static int replay(struct kernel *k, const struct trace *t, struct replay_kernel *code, const struct options *o,
                  struct err *e)
{
    cycle_t measured = total_cycles(t), simulated;

    for (size_t n = 0; n < t->engines; n++) {
        const struct trace_engine *g = &t->engine[n];
        struct run_wave *waves;
        bool walked;

        if (!g->waves)
            continue;
        if (replay_forced(code, t, n, o->warm, &waves, &walked, e))
            return -1;
        if (o->verbose)
            printf("%s %s shader engine %u%s\n", t->code, t->capture, g->se, walked ? ", walked" : "");
        for (size_t w = 0; w < g->waves; w++)
            score_wave(&k->model, &g->wave[w], &waves[w], t->resolution, o->verbose ? stdout : NULL);
        run_waves_free(waves, g->waves);
        k->waves += g->waves;
        k->walked |= walked;
    }
    k->captures++;
    if (replay_free(k, t, code, o->verbose, e))
        return -1;
    if (measured && !k->walked) {
        if (replay_free_run(code, &simulated, e))
            return -1;
        if (o->verbose)
            printf("%s %s total: measured %" PRIu64 ", simulated %" PRIu64 "\n", t->code, t->capture, measured,
                   simulated);
        if (simulated) {
            if (k->totals == k->total_room) {
                k->total_room = k->total_room ? 2 * k->total_room : 16;
                k->total = realloc(k->total, k->total_room * sizeof *k->total);
                if (!k->total)
                    return err_set(e, ERR_NOMEM, "out of host memory");
            }
            k->total[k->totals++] = ((double)simulated - (double)measured) / (double)measured;
        }
    }
    return 0;
}

static void one_file(struct tally *y, const struct options *o, char *const *names, size_t count, const char *name)
{
    char path[4096];
    struct replay_before before;
    struct err e = {0};
    struct trace *t;
    struct kernel *k;
    struct replay_kernel *code;

    snprintf(path, sizeof path, "%s/%s", o->folder, name);
    y->files++;
    t = replay_trace_open(path, &e);
    if (!t) {
        fprintf(y->notes, "%s: %s; left out\n", name, e.text);
        y->broken++;
        return;
    }
    if ((o->target && strcmp(o->target, t->target)) || (o->kernel && !strstr(name, o->kernel)) ||
        (o->half && o->half != split_half(o->split, t->code))) {
        y->unwanted++;
        trace_free(t);
        return;
    }
    if (!has_waves(t)) {
        y->empty++;
        trace_free(t);
        return;
    }
    replay_before_open(&before, t, o->folder, name, names, count);
    code = replay_kernel_open(t, &before, o->folder, o->set, o->sets, &e);
    replay_before_close(&before);
    k = code ? kernel_of(y, o, t) : NULL;
    if (!code && e.code == ERR_UNSUPPORTED) {
        if (o->verbose)
            fprintf(y->notes, "%s: %s; skipped\n", name, e.text);
        y->skipped++;
    } else if (!k || replay(k, t, code, o, &e)) {
        fprintf(y->notes, "%s: %s; left out\n", name, k || !code ? e.text : "too many kernels");
        y->broken++;
    } else {
        y->traces++;
    }
    replay_kernel_close(code);
    if (!k) {
        trace_free(t);
        return;
    }
    if (k->last)
        compare_captures(k, k->last, t);
    trace_free(k->last);
    k->last = t;
}

/* Tables ------------------------------------------------------------------------------------------------------------
 */

static void print_hardware(const struct errors *e)
{
    struct summary s = errors_summary(e);

    if (s.count)
        printf(" | %6.1f %6.2f", 100 * s.exact, s.mean);
    else
        printf(" |      -      -");
}

static void print_row(const char *name, const struct errors *model, const struct errors *hardware)
{
    struct summary s = errors_summary(model);

    printf("%-34s %7zu %6.1f %6.0f %7.2f %6.0f %+7.2f", name, s.count, 100 * s.exact, s.median, s.mean, s.p90, s.bias);
    print_hardware(hardware);
}

static void print_percent(double *v, size_t count)
{
    if (count)
        printf(" %7.1f", 100 * mean_abs(v, count));
    else
        printf("       -");
}

static const char heading[] = "distances  exact median    mean    p90    bias |  hardware itself";

static void print_kernels(struct tally *y)
{
    printf("%-33s %s | core%%: model hardware | loop%%: model hardware | total%%\n", "kernel", heading);
    printf("%-33s %s\n", "", "                %                                |      %   mean");
    for (size_t n = 0; n < y->kernels; n++) {
        struct kernel *k = &y->kernel[n];
        char name[64];

        snprintf(name, sizeof name, "%.*s%s", (int)(strlen(k->key) > 3 ? strlen(k->key) - 3 : 0), k->key,
                 k->walked ? " (walked)" : "");
        print_row(name, &k->model.all, &k->hardware.all);
        printf(" |   ");
        print_percent(k->model.core, k->model.cores);
        print_percent(k->hardware.core, k->hardware.cores);
        printf(" |      ");
        print_percent(k->model.period, k->model.periods);
        print_percent(k->hardware.period, k->hardware.periods);
        printf(" |");
        print_percent(k->total, k->totals);
        printf("%s\n", k->model.unmatched ? "  issues missing" : "");
    }
}

static double median_abs(const double *v, size_t count)
{
    double *copy = malloc((count + 1) * sizeof *copy), m;

    for (size_t n = 0; copy && n < count; n++)
        copy[n] = v[n] < 0 ? -v[n] : v[n];
    m = copy ? median_of(copy, count) : 0;
    free(copy);
    return m;
}

static void print_life(const char *name, const char *side, const double phase[LIFE_PHASES], size_t waves)
{
    double sum = 0;

    printf("%-33s %-9s", name, side);
    for (unsigned n = 0; n < LIFE_PHASES; n++) {
        printf(" %7.0f", phase[n] / (double)waves);
        sum += phase[n];
    }
    printf(" %7.0f", sum / (double)waves);
}

/* Lives of waves and totals of kernels of a target, and their errors. By kernel: each kernel counts once. */
static void print_lives(struct tally *y, const char *target)
{
    struct lives all = {0};
    double by_kernel = 0, total_by_kernel = 0, *total = NULL;
    size_t kernels = 0, totals = 0, total_kernels = 0;

    printf("\n%-33s %-9s", target, "life");
    for (unsigned n = 0; n < LIFE_PHASES; n++)
        printf(" %7s", life_phase_name[n]);
    printf("     all | error%%: mean median, of the total\n");
    for (size_t n = 0; n < y->kernels; n++) {
        struct kernel *k = &y->kernel[n];
        char name[64];

        if (strcmp(k->target, target) || !k->lives.waves)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(strlen(k->key) > 3 ? strlen(k->key) - 3 : 0), k->key);
        print_life(name, "hardware", k->lives.hardware, k->lives.waves);
        printf(" |\n");
        print_life("", "model", k->lives.model, k->lives.waves);
        printf(" | %13.1f %6.1f", 100 * mean_abs(k->lives.error, k->lives.waves),
               100 * median_abs(k->lives.error, k->lives.waves));
        print_percent(k->total, k->totals);
        putchar('\n');
        lives_add(&all, &k->lives);
        by_kernel += mean_abs(k->lives.error, k->lives.waves);
        kernels++;
        if (k->totals) {
            total = realloc(total, (totals + k->totals) * sizeof *total);
            if (!total)
                exit(2);
            memcpy(total + totals, k->total, k->totals * sizeof *total);
            totals += k->totals;
            total_by_kernel += mean_abs(k->total, k->totals);
            total_kernels++;
        }
    }
    if (kernels)
        printf("lives of %zu waves: mean error %.1f %%, median %.1f %%, mean of %zu kernels %.1f %%\n", all.waves,
               100 * mean_abs(all.error, all.waves), 100 * median_abs(all.error, all.waves), kernels,
               100 * by_kernel / (double)kernels);
    if (total_kernels)
        printf("totals of %zu runs: mean error %.1f %%, median %.1f %%, mean of %zu kernels %.1f %%\n", totals,
               100 * mean_abs(total, totals), 100 * median_abs(total, totals), total_kernels,
               100 * total_by_kernel / (double)total_kernels);
    lives_free(&all);
    free(total);
}

static void print_target(struct tally *y, const char *target)
{
    struct score model = {0}, hardware = {0};
    double median_core;
    uint32_t grain = 1;

    for (size_t n = 0; n < y->kernels; n++)
        if (!strcmp(y->kernel[n].target, target)) {
            score_add(&model, &y->kernel[n].model);
            score_add(&hardware, &y->kernel[n].hardware);
            grain = y->kernel[n].grain > grain ? y->kernel[n].grain : grain;
        }
    printf("\n%-33s %s\n", target, heading);
    for (unsigned c = 0; c < TRACE_CLASSES; c++)
        if (model.distance[c].count) {
            print_row(trace_class_name[c], &model.distance[c], &hardware.distance[c]);
            putchar('\n');
        }
    print_row("all", &model.all, &hardware.all);
    for (size_t n = 0; n < model.cores; n++)
        model.core[n] = model.core[n] < 0 ? -model.core[n] : model.core[n];
    median_core = median_of(model.core, model.cores);
    printf("\ncore cycles of %zu waves: mean error %.1f %%, median %.1f %%; hardware itself %.1f %%\n", model.cores,
           100 * mean_abs(model.core, model.cores), 100 * median_core, 100 * mean_abs(hardware.core, hardware.cores));
    if (grain > 1)
        printf("recorded in steps of %u cycles; simulated cycles are brought down to such steps before comparing\n",
               grain);
    if (model.unmatched)
        printf("recorded issues that the simulated wave never came to: %zu\n", model.unmatched);
    score_free(&model);
    score_free(&hardware);
}

/* JSON --------------------------------------------------------------------------------------------------------------
 */

static void json_summary(const char *key, const struct errors *e)
{
    struct summary s = errors_summary(e);

    printf("\"%s\": {\"count\": %zu, \"exact\": %.4f, \"median\": %.0f, \"mean\": %.3f, \"p90\": %.0f, \"bias\": %.3f}",
           key, s.count, s.exact, s.median, s.mean, s.p90, s.bias);
}

static void json_score(const char *key, const struct score *s)
{
    printf("\"%s\": {", key);
    json_summary("all", &s->all);
    for (unsigned c = 0; c < TRACE_CLASSES; c++)
        if (s->distance[c].count) {
            printf(", ");
            json_summary(trace_class_name[c], &s->distance[c]);
        }
    printf(", \"core_error\": %.4f, \"core_waves\": %zu, \"loop_error\": %.4f, \"loops\": %zu, \"unmatched\": %zu}",
           mean_abs(s->core, s->cores), s->cores, mean_abs(s->period, s->periods), s->periods, s->unmatched);
}

static void json_lives(const struct lives *l)
{
    printf(", \"lives\": {\"waves\": %zu, \"error\": %.4f", l->waves, mean_abs(l->error, l->waves));
    for (unsigned n = 0; n < LIFE_PHASES && l->waves; n++)
        printf(", \"%s\": [%.1f, %.1f]", life_phase_name[n], l->hardware[n] / (double)l->waves,
               l->model[n] / (double)l->waves);
    printf("}}");
}

static void print_json(struct tally *y)
{
    printf("{\"files\": %zu, \"traces\": %zu, \"skipped\": %zu, \"empty\": %zu, \"broken\": %zu, \"kernels\": [",
           y->files, y->traces, y->skipped, y->empty, y->broken);
    for (size_t n = 0; n < y->kernels; n++) {
        struct kernel *k = &y->kernel[n];

        printf("%s\n  {\"kernel\": \"%.*s\", \"target\": \"%s\", \"half\": \"%c\", \"captures\": %zu, \"waves\": %zu, "
               "\"walked\": %s, ",
               n ? "," : "", (int)(strlen(k->key) > 3 ? strlen(k->key) - 3 : 0), k->key, k->target, k->half,
               k->captures, k->waves, k->walked ? "true" : "false");
        json_score("model", &k->model);
        printf(", ");
        json_score("hardware", &k->hardware);
        printf(", \"total_error\": %.4f", mean_abs(k->total, k->totals));
        json_lives(&k->lives);
    }
    printf("\n]}\n");
}

/* -------------------------------------------------------------------------------------------------------------------
 */

static int wanted(const struct dirent *d)
{
    size_t n = strlen(d->d_name);

    return n > 5 && !strcmp(d->d_name + n - 5, ".json");
}

int main(int argc, char **argv)
{
    static struct tally y;
    struct options o = {0};
    struct dirent **list;
    char **names;
    int n;

    if (!parse(argc, argv, &o)) {
        usage(stderr);
        return 2;
    }
    n = scandir(o.folder, &list, wanted, alphasort);
    if (n < 0) {
        fprintf(stderr, "replay: cannot read the folder %s\n", o.folder);
        return 2;
    }
    y.notes = o.json ? stderr : stdout;
    names = calloc((size_t)n + 1, sizeof *names);
    for (int k = 0; names && k < n; k++)
        names[k] = list[k]->d_name;
    for (int k = 0; names && k < n; k++)
        one_file(&y, &o, names, (size_t)n, names[k]);
    free(names);
    while (n-- > 0)
        free(list[n]);
    free(list);
    if (o.json) {
        print_json(&y);
    } else {
        print_kernels(&y);
        for (size_t k = 0; k < y.kernels; k++) {
            size_t before = 0;

            while (strcmp(y.kernel[before].target, y.kernel[k].target))
                before++;
            if (before == k)
                print_target(&y, y.kernel[k].target);
        }
        for (size_t k = 0; k < y.kernels; k++) {
            size_t before = 0;

            while (strcmp(y.kernel[before].target, y.kernel[k].target))
                before++;
            if (before == k)
                print_lives(&y, y.kernel[k].target);
        }
        if (o.split)
            split_print(stdout, y.kernel, y.kernels);
        printf("\n%zu files: %zu replayed, %zu skipped for want of a decoder or profile, %zu without traced waves, %zu "
               "left "
               "out as broken, %zu not asked for\n",
               y.files, y.traces, y.skipped, y.empty, y.broken, y.unwanted);
    }
    for (size_t k = 0; k < y.kernels; k++) {
        score_free(&y.kernel[k].model);
        score_free(&y.kernel[k].hardware);
        free(y.kernel[k].total);
        lives_free(&y.kernel[k].lives);
        trace_free(y.kernel[k].last);
    }
    return y.traces ? 0 : 1;
}

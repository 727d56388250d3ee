/* make accuracy: what the simulator gives beside what is documented, and curves. See docs/ACCURACY.md.
 *
 *   accuracy [--doc FILE] [--traces FILE] [NUMBER]
 *   accuracy --summary PROFILE [--rows all] NUMBER [--set PATH=VALUE]...
 *   accuracy --whole CODE [--doc FILE] [--svg FILE] [--work MILLIONS] [--jobs N] [--only KERNEL]
 *            [--summary all] [--set PATH=VALUE]...
 *   accuracy --streams FOLDER [--doc FILE]
 *   accuracy --products FOLDER [--rows all] [--doc FILE]
 *   accuracy --launches FOLDER [--doc FILE]
 *
 * --doc: the tables are put between the marks of this Markdown file too. --traces: a text to put between the marks of
 * the replay of traces; without it what stands there stays. NUMBER: this section alone (0, 1, ...), or the curves.
 * --whole: the whole kernels instead, out of this code object (tests/timing/kernels/whole.cl); --work: those of at most
 * so many million accesses, 0: all; --svg: their plot. With --only or --set the document stays as it is.
 * --streams: bandwidth by occupancy, with the code objects of this folder (tests/timing/kernels/stream.cl).
 * --products: products of matrices, with the code objects of this folder (tests/timing/kernels/gemm_bf16*.s); --rows
 * all: of the whole chip, too, which takes half an hour.
 * --launches: launches back to back, with the code objects of this folder (tests/timing/kernels/launch.cl).
 * --summary: for tests/tools/sensitivity.py, nothing but how many lines there are and their mean error in per cent, of
 * the quick rows (or all) of a section on one profile, or of the whole kernels; status 1 when a profile refuses a
 * value.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tests/timing/accuracy/launches.h"
#include "tests/timing/accuracy/products.h"
#include "tests/timing/accuracy/streams.h"
#include "tests/timing/accuracy/table.h"
#include "tests/timing/accuracy/whole.h"

static const struct acc_section *const sections[] = {&acc_issue_gcn, &acc_issue_rdna, &acc_lds,       &acc_matrix,
                                                     &acc_latency,   &acc_strides,    &acc_bandwidth, &acc_launch};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

/* ---- the document ---- */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;

    if (f && getdelim(&text, &room, '\0', f) < 0) {
        free(text);
        text = strdup("");
    }
    if (f)
        fclose(f);
    else
        perror(path);
    return text;
}

/* The text of `doc` with what stands between "<!-- begin NAME -->" and "<!-- end NAME -->" replaced; takes doc. */
static char *replace_part(char *doc, const char *name, const char *with)
{
    char begin[64], end[64], *out = NULL;

    if (!doc)
        return NULL;
    snprintf(begin, sizeof begin, "<!-- begin %s -->\n", name);
    snprintf(end, sizeof end, "<!-- end %s -->", name);
    const char *from = strstr(doc, begin), *to = from ? strstr(from, end) : NULL;
    if (!to)
        fprintf(stderr, "no marks of %s\n", name);
    else if (asprintf(&out, "%.*s\n%s%s", (int)(from + strlen(begin) - doc), doc, with, to) < 0)
        out = NULL;
    free(doc);
    return out;
}

static int write_file(const char *path, const char *text)
{
    FILE *f = text ? fopen(path, "wb") : NULL;
    int failed = !f || fputs(text, f) < 0;

    if (f && fclose(f))
        failed = 1;
    if (failed)
        perror(path);
    return failed;
}

static int update(const char *path, const char *part, const char *tables, const char *traces_path)
{
    char *doc = replace_part(read_file(path), part, tables);

    if (traces_path) {
        char *traces = read_file(traces_path);
        doc = traces ? replace_part(doc, "traces", traces) : doc;
        free(traces);
    }
    int failed = write_file(path, doc);
    free(doc);
    return failed;
}

/* ---- running ---- */

static void run_all(FILE *f, struct bench *b, int only)
{
    struct acc_result results[SECTIONS];

    memset(results, 0, sizeof results);
    for (int k = 0; k < SECTIONS; k++) {
        if (only >= 0 && only != k)
            continue;
        fprintf(stderr, "%s\n", sections[k]->title);
        if (!acc_run(b, sections[k], 0, NULL, &results[k])) {
            fprintf(stderr, "out of host memory\n");
            exit(1);
        }
    }
    if (only < 0)
        acc_print_totals(f, sections, results, SECTIONS);
    for (int k = 0; k < SECTIONS; k++) {
        if (results[k].count)
            acc_print_section(f, sections[k], &results[k]);
        acc_result_free(&results[k]);
    }
    if (only < 0 || only == SECTIONS) {
        fprintf(stderr, "Curves\n");
        acc_print_curves(f, b);
    }
}

/* ---- whole kernels ---- */

static void measured(const struct whole_point *p)
{
    fprintf(stderr, "%s %s: %.1f us, measured %.1f\n", p->kernel, p->problem, p->simulated_us, p->measured_us);
}

static int write_svg(const char *path, const struct whole_point *points, size_t count)
{
    char *svg = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&svg, &size);

    if (!f)
        return 1;
    whole_svg(f, points, count);
    fclose(f);
    int failed = write_file(path, svg);
    free(svg);
    return failed;
}

struct arguments {
    const char *doc, *traces, *svg, *summary, *rows, *streams, *products, *launches;
    int only; /* section; < 0: all */
    struct whole_options whole;
    const char *sets[64];
};

static int whole_kernels(const struct arguments *a, char **text)
{
    struct whole_point *points = calloc(WHOLE_MAX_POINTS, sizeof *points);
    size_t count = points ? whole_points(&a->whole, points) : 0, size = 0;
    FILE *f = open_memstream(text, &size);

    if (!points || !f)
        return 1;
    whole_measure(&a->whole, points, count, a->summary ? NULL : measured);
    if (a->summary) {
        struct whole_summary s;

        whole_summarize(points, count, NULL, &s);
        fprintf(f, "%u %.5f\n", s.failed ? 0 : s.points, s.mean);
    } else {
        whole_print(f, points, count, &a->whole);
    }
    fclose(f);
    int failed = a->svg && write_svg(a->svg, points, count);
    free(points);
    return failed;
}

/* ---- one figure changed ---- */

static int summarize(const struct arguments *a)
{
    struct bench b = {.sets = a->sets, .set_count = a->whole.set_count};
    struct acc_result r;
    const struct acc_result *one = &r;
    struct acc_summary sum;

    if (a->only < 0 || a->only >= SECTIONS ||
        !acc_run(&b, sections[a->only], a->rows ? 0 : ACC_EXACT | ACC_QUICK, a->summary, &r))
        return 2;
    acc_summarize(&one, 1, &sum);
    printf("%u %.5f\n", sum.failed ? 0 : sum.rows, sum.mean);
    bench_close(&b);
    acc_result_free(&r);
    return sum.failed != 0;
}

/* ---- arguments ---- */

static bool read_arguments(int argc, char **argv, struct arguments *a)
{
    *a = (struct arguments){.only = -1};
    a->whole.sets = a->sets;
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : NULL;

        if (argv[k][0] >= '0' && argv[k][0] <= '9') {
            a->only = atoi(argv[k]);
            continue;
        }
        if (!value)
            return false;
        if (!strcmp(argv[k], "--doc"))
            a->doc = value;
        else if (!strcmp(argv[k], "--traces"))
            a->traces = value;
        else if (!strcmp(argv[k], "--svg"))
            a->svg = value;
        else if (!strcmp(argv[k], "--whole"))
            a->whole.code = value;
        else if (!strcmp(argv[k], "--work"))
            a->whole.max_work = 1e6 * atof(value);
        else if (!strcmp(argv[k], "--jobs"))
            a->whole.jobs = (unsigned)atoi(value);
        else if (!strcmp(argv[k], "--summary"))
            a->summary = value;
        else if (!strcmp(argv[k], "--streams"))
            a->streams = value;
        else if (!strcmp(argv[k], "--products"))
            a->products = value;
        else if (!strcmp(argv[k], "--launches"))
            a->launches = value;
        else if (!strcmp(argv[k], "--rows") && !strcmp(value, "all"))
            a->rows = value;
        else if (!strcmp(argv[k], "--only"))
            a->whole.only = value;
        else if (!strcmp(argv[k], "--set") && a->whole.set_count < sizeof a->sets / sizeof a->sets[0])
            a->sets[a->whole.set_count++] = value;
        else
            return false;
        k++;
    }
    return true;
}

/* Between which marks of the document the tables belong. */
static const char *part_of(const struct arguments *a)
{
    return a->whole.code ? "whole"
           : a->streams  ? "streams"
           : a->products ? "products"
           : a->launches ? "launches"
                         : "tables";
}

int main(int argc, char **argv)
{
    struct arguments a;
    struct bench b = {0};
    char *tables = NULL;
    size_t size = 0;
    int failed = 0;

    if (!read_arguments(argc, argv, &a)) {
        fprintf(stderr, "usage: accuracy [--doc FILE] [--traces FILE] [NUMBER]\n"
                        "       accuracy --whole CODE [--doc FILE] [--svg FILE] [--work MILLIONS] [--jobs N]\n"
                        "                [--only KERNEL] [--summary all] [--set PATH=VALUE]...\n"
                        "       accuracy --streams FOLDER [--doc FILE]\n"
                        "       accuracy --products FOLDER [--rows all] [--doc FILE]\n"
                        "       accuracy --launches FOLDER [--doc FILE]\n"
                        "       accuracy --summary PROFILE [--rows all] NUMBER [--set PATH=VALUE]...\n");
        return 2;
    }
    if (a.summary && !a.whole.code)
        return summarize(&a);
    if (a.whole.code) {
        failed = whole_kernels(&a, &tables);
    } else {
        FILE *f = open_memstream(&tables, &size);
        if (!f)
            return 1;
        if (a.streams)
            streams_print(f, a.streams);
        else if (a.products)
            products_print(f, a.products, a.rows);
        else if (a.launches)
            launches_print(f, a.launches);
        else
            run_all(f, &b, a.only);
        bench_close(&b);
        fclose(f);
    }
    fputs(tables ? tables : "", stdout);
    if (!failed && a.doc && a.only < 0 && !a.whole.only && !a.whole.set_count)
        failed = update(a.doc, part_of(&a), tables, a.traces);
    free(tables);
    return failed;
}

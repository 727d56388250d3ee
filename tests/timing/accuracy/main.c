/* make accuracy: what the simulator gives beside what is documented, and curves. See docs/ACCURACY.md.
 *
 *   accuracy [--doc FILE] [--traces FILE] [NUMBER]
 *
 * --doc: the tables are put between the marks of this Markdown file too. --traces: a text to put between the other two
 * marks (what the replay of traces gave); without it what stands there stays. NUMBER: this section alone (0, 1, ...),
 * or the curves.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tests/timing/accuracy/table.h"

static const struct acc_section *const sections[] = {&acc_issue_gcn, &acc_issue_rdna, &acc_lds,   &acc_matrix,
                                                     &acc_latency,   &acc_bandwidth,  &acc_launch};
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

static int update(const char *path, const char *tables, const char *traces_path)
{
    char *doc = replace_part(read_file(path), "tables", tables);

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
        if (!acc_run(b, sections[k], 0, &results[k])) {
            fprintf(stderr, "no memory\n");
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

int main(int argc, char **argv)
{
    const char *doc = NULL, *traces = NULL;
    struct bench b = {0};
    char *tables = NULL;
    size_t size = 0;
    int only = -1;

    for (int k = 1; k < argc; k++) {
        if (!strcmp(argv[k], "--doc") && k + 1 < argc) {
            doc = argv[++k];
        } else if (!strcmp(argv[k], "--traces") && k + 1 < argc) {
            traces = argv[++k];
        } else if (argv[k][0] >= '0' && argv[k][0] <= '9') {
            only = atoi(argv[k]);
        } else {
            fprintf(stderr, "usage: accuracy [--doc FILE] [--traces FILE] [NUMBER]\n");
            return 2;
        }
    }
    FILE *f = open_memstream(&tables, &size);
    if (!f)
        return 1;
    run_all(f, &b, only);
    bench_close(&b);
    fclose(f);
    fputs(tables, stdout);
    int failed = doc && only < 0 ? update(doc, tables, traces) : 0;
    free(tables);
    return failed;
}

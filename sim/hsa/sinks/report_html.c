/* Pages of dispatches, and the page that lists them. */
#define _GNU_SOURCE
#include "sim/hsa/sinks/report_html.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PAGES  256    /* when nobody has said which dispatches; a page has some 200 KB */
#define MAX_LISTED 100000 /* lines of the list */

/* What is listed; texts are the kernels', which stay, or static. */
static struct gcnsim_html_dispatch *listed;
static size_t count, capacity;
static uint64_t left_out;
static const char *folder, *title;
static char index_path[PATH_MAX];
static uint64_t asked; /* launches that get a page; atomic */
static bool chosen;    /* the user has said which */

bool html_open(const struct runtime *r, char *why, size_t n)
{
    const struct exec_options *o = &r->options;

    if (!o->html)
        return true;
    if (strlen(o->html) > PATH_MAX - 64) {
        snprintf(why, n, "GCNSIM_HTML: the name of the folder is too long");
        return false;
    }
    if ((mkdir(o->html, 0777) != 0 && errno != EEXIST) || access(o->html, W_OK | X_OK) != 0) {
        snprintf(why, n, "GCNSIM_HTML: %s cannot be written to: %s", o->html, strerror(errno));
        return false;
    }
    folder = o->html;
    title = program_invocation_short_name;
    chosen = o->dispatches != NULL;
    return true;
}

void html_add(struct dispatch *d)
{
    if (!folder || (!chosen && __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED) >= MAX_PAGES))
        return;
    d->raw.per_instruction = 1;
    if (!d->raw.samples)
        d->raw.samples = 1;
}

/* Name of the dispatch's page in the folder, to be freed by nobody: the list keeps it. Null: it could not be written.
 */
static const char *write_page(const struct dispatch_record *d)
{
    struct gcnsim_html_options with;
    struct gcnsim_error e = {0};
    char index[40], *name = NULL, *path = NULL, *text = NULL;

    snprintf(index, sizeof index, "%ld_index.html", (long)getpid());
    gcnsim_html_options_init(&with);
    with.index = index;
    if (asprintf(&name, "%ld_dispatch_%" PRIu64 ".html", (long)getpid(), d->number) < 0)
        name = NULL;
    if (name && asprintf(&path, "%s/%s", folder, name) < 0)
        path = NULL;
    if (!path || gcnsim_result_html(d->result, &with, &text, &e) != GCNSIM_OK ||
        gcnsim_write_file(path, text, strlen(text), &e) != GCNSIM_OK) {
        rt_log_once("html", "GCNSIM_HTML: %s", *e.text ? e.text : "out of host memory for a page");
        free(name);
        name = NULL;
    }
    gcnsim_free(text);
    free(path);
    return name;
}

static bool make_room(void)
{
    if (count < capacity)
        return true;
    size_t more = capacity ? 2 * capacity : 64;
    struct gcnsim_html_dispatch *all = count < MAX_LISTED ? realloc(listed, more * sizeof *all) : NULL;

    if (!all)
        return false;
    listed = all;
    capacity = more;
    return true;
}

static const char *outcome_of(const struct dispatch_record *d)
{
    static const char *const outcomes[] = {[GCNSIM_COMPLETED] = "completed",
                                           [GCNSIM_FAULTED] = "fault",
                                           [GCNSIM_LIMIT] = "limit",
                                           [GCNSIM_INTERRUPTED] = "interrupted"};

    return d->result ? outcomes[d->result->outcome] : "completed";
}

void html_dispatch(const struct dispatch_record *d, const struct report_kernel *k)
{
    bool page = d->timing && d->result && d->result->has_instructions && d->result->samples;
    double cycles = -1;

    if (!folder)
        return;
    if (!make_room()) {
        left_out++;
        return;
    }
    if (d->sample.cycles > 0)
        cycles = d->sample.cycles;
    else if (d->timing)
        gcnsim_result_stat(d->result, "cycles", &cycles);
    struct gcnsim_html_dispatch *to = &listed[count++];
    gcnsim_html_dispatch_init(to);
    to->number = d->number;
    to->kernel = k->shown;
    to->target = d->agent->name;
    to->engine = d->native ? "host" : d->timing ? "timing" : d->sample.cycles > 0 ? "estimate" : "functional";
    to->outcome = outcome_of(d);
    to->start_us = (double)d->start_ns * 1e-3;
    to->duration_us = (double)(d->end_ns - d->start_ns) * 1e-3;
    to->cycles = cycles;
    to->gap_us = d->has_gap ? (double)d->gap_ns * 1e-3 : -1;
    to->page = page ? write_page(d) : NULL;
    memcpy(to->grid, d->grid, sizeof to->grid);
    memcpy(to->workgroup, d->workgroup, sizeof to->workgroup);
}

/* The process's own list, and the same as index.html: of the process of a folder that ended last. */
const char *html_end(void)
{
    struct gcnsim_error e = {0};
    char *text = NULL, own[PATH_MAX];

    if (!folder || (!count && !left_out))
        return NULL;
    snprintf(index_path, sizeof index_path, "%s/index.html", folder);
    snprintf(own, sizeof own, "%s/%ld_index.html", folder, (long)getpid());
    if (gcnsim_html_index(title, listed, count, left_out, &text, &e) != GCNSIM_OK ||
        gcnsim_write_file(own, text, strlen(text), &e) != GCNSIM_OK ||
        gcnsim_write_file(index_path, text, strlen(text), &e) != GCNSIM_OK)
        rt_log("GCNSIM_HTML: %s", e.text);
    gcnsim_free(text);
    return index_path;
}

/* Measured runs: which form a path is of, and what all forms have in common. */
#define _GNU_SOURCE
#include "traces/diff/measured.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void measured_free(struct measured *m)
{
    for (size_t k = 0; k < m->rows; k++) {
        free(m->row[k].text);
        free(m->row[k].source);
    }
    free(m->row);
    free(m->function);
    free(m->duration);
    free(m->path);
    free(m->kernel);
    free(m->target);
    free(m->generator);
    *m = (struct measured){0};
}

bool measured_add(struct measured *m, const struct measured_row *row, const char *name, struct err *e)
{
    if (m->rows == MEASURED_MAX_ROWS) {
        err_set(e, ERR_LIMIT, "%s: more than %zu instructions", name, MEASURED_MAX_ROWS);
        return false;
    }
    if (m->rows == m->row_room) {
        size_t room = m->row_room ? m->row_room * 2 : 256;
        struct measured_row *more = realloc(m->row, room * sizeof *more);

        if (!more) {
            err_set(e, ERR_NOMEM, "%s: out of host memory", name);
            return false;
        }
        m->row = more;
        m->row_room = room;
    }
    struct measured_row *to = &m->row[m->rows++];
    *to = *row;
    to->text = strdup(row->text ? row->text : "");
    to->source = strdup(row->source ? row->source : "");
    to->is_name = to->text && strncmp(to->text, "; ", 2) == 0;
    if (!to->text || !to->source)
        err_set(e, ERR_NOMEM, "%s: out of host memory", name);
    return to->text && to->source;
}

/* ---- when all is read ---- */

static int by_address(const void *a, const void *b)
{
    const struct measured_row *x = a, *y = b;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    if (x->is_name != y->is_name)
        return x->is_name ? -1 : 1;
    return strcmp(x->text, y->text);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static int find_functions(struct measured *m, struct err *e)
{
    size_t names = 1;

    for (size_t k = 0; k < m->rows; k++)
        names += m->row[k].is_name;
    m->function = calloc(names, sizeof *m->function);
    if (!m->function)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", m->path ? m->path : "?");
    for (size_t k = 0; k < m->rows; k++) {
        const struct measured_row *r = &m->row[k];

        if (r->is_name || !m->functions)
            m->function[m->functions++] =
                (struct measured_function){r->is_name ? r->text + 2 : "", k + r->is_name, 0, 0};
        struct measured_function *f = &m->function[m->functions - 1];
        if (r->is_name)
            continue;
        if (!f->count++)
            f->hits = r->hits;
        m->hits = plus(m->hits, r->hits);
        m->latency = plus(m->latency, r->latency);
        m->stall = plus(m->stall, r->stall);
        m->idle = plus(m->idle, r->idle);
    }
    return 0;
}

int measured_finish(struct measured *m, struct err *e)
{
    if (m->rows)
        qsort(m->row, m->rows, sizeof *m->row, by_address);
    if (find_functions(m, e))
        return -1;
    if (m->durations) {
        double sum = 0;

        qsort(m->duration, m->durations, sizeof *m->duration, by_value);
        for (size_t k = 0; k < m->durations; k++)
            sum += (double)m->duration[k];
        m->has_durations = true;
        m->mean_duration = sum / (double)m->durations;
        m->waves = m->durations;
    }
    /* a wave begins with the first instruction of a kernel: functions that are called may begin more often, but no
     * table says which is which */
    for (size_t k = 0; !m->waves && k < m->functions; k++)
        m->waves = m->function[k].hits;
    if (!m->kernel)
        for (size_t k = 0; k < m->functions && !m->kernel; k++)
            if (m->function[k].hits && *m->function[k].name)
                m->kernel = strdup(m->function[k].name);
    return 0;
}

/* ---- which form ---- */

static bool exists(const char *folder, const char *name)
{
    struct stat st;
    char *path;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return false;
    bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    free(path);
    return there;
}

static int read_part(struct measured *m, const char *folder, const char *name,
                     int (*read)(struct measured *m, FILE *f, const char *name, struct err *e), struct err *e)
{
    char *path;
    int failed = -1;

    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", folder);
    FILE *f = fopen(path, "re");
    if (!f) {
        err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    } else {
        failed = read(m, f, path, e);
        fclose(f);
    }
    free(path);
    return failed;
}

static int read_folder(struct measured *m, const char *folder, struct err *e)
{
    m->kind = MEASURED_FOLDER;
    return read_part(m, folder, "code.json", measured_read_code, e) ||
                   (exists(folder, "filenames.json") &&
                    read_part(m, folder, "filenames.json", measured_read_filenames, e)) ||
                   (exists(folder, "occupancy.json") &&
                    read_part(m, folder, "occupancy.json", measured_read_occupancy, e))
               ? -1
               : 0;
}

/* The one folder ui_output_* in another one; null with *e. */
static char *find_folder(const char *path, struct err *e)
{
    DIR *d = opendir(path);
    char *found = NULL;
    unsigned count = 0;

    if (!d) {
        err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    for (struct dirent *n; (n = readdir(d));) {
        if (strncmp(n->d_name, "ui_output_", 10) != 0)
            continue;
        char *name = NULL;
        if (count++ == 0 && asprintf(&name, "%s/%s", path, n->d_name) >= 0)
            found = name;
    }
    closedir(d);
    if (count == 1 && found)
        return found;
    free(found);
    err_set(e, ERR_USAGE,
            count ? "%s: %u thread traces (ui_output_*) in it; expected the name of one of them"
                  : "%s: no thread trace: neither a code.json nor a folder ui_output_* in it",
            path, count);
    return NULL;
}

static int read_file(struct measured *m, const char *path, struct err *e)
{
    FILE *f = fopen(path, "re");
    int c, failed;

    if (!f)
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    do
        c = getc(f);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    ungetc(c, f);
    m->kind = c == '{' ? MEASURED_REPORT : MEASURED_CSV;
    failed = c == '{' ? measured_read_report(m, f, path, e) : measured_read_csv(m, f, path, e);
    fclose(f);
    return failed;
}

int measured_read(struct measured *m, const char *path, struct err *e)
{
    struct stat st;
    char *inner = NULL;
    int failed;

    *m = (struct measured){0};
    if (stat(path, &st))
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    bool folder = S_ISDIR(st.st_mode);
    if (folder && !exists(path, "code.json") && !(inner = find_folder(path, e)))
        return -1;
    m->path = inner ? inner : strdup(path);
    if (!m->path)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    failed = folder ? read_folder(m, m->path, e) : read_file(m, m->path, e);
    if (!failed && exists(m->path, "gcnsim.json"))
        m->generator = strdup("gcnsim");
    return failed || measured_finish(m, e) ? -1 : 0;
}

/* Source files of a thread trace: copies beside the trace, so that it can be looked at on another machine.
 *
 * Names come from the code object's DWARF, which may be anybody's. Only regular files of text of at most 4 MiB whose
 * names end like those of sources are copied; what is missing or something else is left out, as the viewer then shows
 * no source for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/util/json_put.h"
#include "sim/util/output.h"
#include "sim/util/source_name.h"
#include "traces/att/code.h"

#define MAX_SOURCE_BYTES ((off_t)4 << 20)
#define BETWEEN_FRAMES   " -> "

struct source {
    char *path;
    char *copy; /* name in the folder; null: not copied */
};

struct sources {
    struct source *list;
    size_t count, room;
    bool no_memory;
};

static void add(struct sources *s, const char *path, size_t length)
{
    for (size_t k = 0; k < s->count; k++)
        if (strlen(s->list[k].path) == length && strncmp(s->list[k].path, path, length) == 0)
            return;
    if (s->count == s->room) {
        size_t room = s->room ? s->room * 2 : 16;
        struct source *more = realloc(s->list, room * sizeof *more);

        s->no_memory |= !more;
        if (!more)
            return;
        s->list = more;
        s->room = room;
    }
    char *copy = strndup(path, length);
    s->no_memory |= !copy;
    if (copy)
        s->list[s->count++] = (struct source){.path = copy};
}

/* The files of "file:line -> file:line". */
static void add_frames(struct sources *s, const char *source)
{
    while (*source) {
        const char *end = strstr(source, BETWEEN_FRAMES);
        size_t length = end ? (size_t)(end - source) : strlen(source);
        const char *colon = memrchr(source, ':', length);

        if (colon && colon > source)
            add(s, source, (size_t)(colon - source));
        source += end ? length + strlen(BETWEEN_FRAMES) : length;
    }
}

/* All of a file of text; null when it is none. */
static char *read_text(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = NULL;
    struct stat st;
    ssize_t n;

    if (fd < 0)
        return NULL;
    *size = 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_SOURCE_BYTES)
        text = malloc((size_t)st.st_size + 1);
    while (text && *size < (size_t)st.st_size && (n = read(fd, text + *size, (size_t)st.st_size - *size)) > 0)
        *size += (size_t)n;
    close(fd);
    if (text && memchr(text, 0, *size)) {
        free(text);
        text = NULL;
    }
    return text;
}

static int copy_one(struct source *s, size_t number, const char *folder, struct err *e)
{
    const char *slash = strrchr(s->path, '/');
    char *path = NULL, *text;
    size_t size;
    int failed = 0;

    text = source_name(s->path) ? read_text(s->path, &size) : NULL;
    if (!text)
        return 0;
    if (asprintf(&s->copy, "source_%zu_%.200s", number, slash ? slash + 1 : s->path) < 0)
        s->copy = NULL;
    if (!s->copy || asprintf(&path, "%s/%s", folder, s->copy) < 0)
        failed = err_set(e, ERR_NOMEM, "%s: out of host memory", folder);
    else
        failed = output_write(path, text, size, e);
    free(path);
    free(text);
    return failed;
}

/* ---- snapshots.json: a tree of the parts of paths ---- */

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct source *)a)->path, ((const struct source *)b)->path);
}

/* The part of a path from `at` on: its length; "/" at the front is a part of its own. */
static size_t part_at(const char *path, size_t at)
{
    return path[at] == '/' ? 1 : strcspn(path + at, "/");
}

static size_t behind(const char *path, size_t at)
{
    at += part_at(path, at);
    while (at > 1 && path[at] == '/')
        at++;
    return at;
}

/* The members of one level: list[0..count) have the same parts up to `at`. */
static void put_level(struct json_put *j, const struct source *list, size_t count, size_t at)
{
    json_put(j, "{");
    for (size_t k = 0, end; k < count; k = end) {
        size_t length = part_at(list[k].path, at), next = behind(list[k].path, at);
        char *name = strndup(list[k].path + at, length);

        for (end = k + 1; end < count && part_at(list[end].path, at) == length &&
                          strncmp(list[end].path + at, list[k].path + at, length) == 0;)
            end++;
        json_put(j, "%s:", name ? name : "");
        free(name);
        if (!list[k].path[next])
            json_put(j, "%s", list[k].copy);
        else
            put_level(j, list + k, end - k, next);
    }
    json_put(j, "}");
}

static int put_tree(struct sources *s, const char *folder, struct err *e)
{
    struct output o;
    char *path;
    size_t copied = 0;

    for (size_t k = 0; k < s->count; k++)
        if (s->list[k].copy) {
            struct source kept = s->list[k];

            s->list[k] = s->list[copied];
            s->list[copied++] = kept;
        }
    if (copied)
        qsort(s->list, copied, sizeof *s->list, by_path);
    if (asprintf(&path, "%s/snapshots.json", folder) < 0)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", folder);
    int failed = output_open(&o, path, e);
    free(path);
    if (failed)
        return failed;
    put_level(&(struct json_put){.f = o.f, .compact = true}, s->list, copied, 0);
    fputc('\n', o.f);
    return output_close(&o, true, e);
}

int att_code_copy_sources(const struct att_code *c, const char *folder, bool copy, struct err *e)
{
    struct sources s = {0};
    int failed = 0;

    for (size_t k = 0; k < c->rows; k++)
        if (!k || strcmp(c->row[k].source, c->row[k - 1].source) != 0)
            add_frames(&s, c->row[k].source);
    for (size_t k = 0; k < s.count && !failed && copy; k++)
        failed = copy_one(&s.list[k], k, folder, e);
    if (!failed && s.no_memory)
        failed = err_set(e, ERR_NOMEM, "%s: out of host memory", folder);
    if (!failed)
        failed = put_tree(&s, folder, e);
    for (size_t k = 0; k < s.count; k++) {
        free(s.list[k].path);
        free(s.list[k].copy);
    }
    free(s.list);
    return failed;
}

/* The page of a sweep's results: what the points are, read in one transaction and put into the template. */
#include "sim/sweep/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/page_internal.h"
#include "sim/sweep/page_template.h"
#include "sim/sweep/sql.h"
#include "sim/sweep/store.h"

enum { PAGE_SCHEMA = 1, NUMBER_BYTES = 40 };
#define EVERY_POINT "1"

/* ---- SQL ---- */

sqlite3_stmt *page_prepare(const struct page *p, const char *sql)
{
    sqlite3_stmt *s = NULL;

    if (sqlite3_prepare_v2(p->db, sql, -1, &s, NULL) != SQLITE_OK)
        sweep_sql_failed(p->path, p->db, p->e);
    return s;
}

int page_no_memory(const struct page *p)
{
    return err_set(p->e, ERR_NOMEM, "%s: out of host memory for a page", p->path);
}

int page_done(const struct page *p, sqlite3_stmt *s, int rc)
{
    int failed = rc == SQLITE_DONE ? 0 : sweep_sql_failed(p->path, p->db, p->e);

    sqlite3_finalize(s);
    return failed;
}

static const char *text_at(sqlite3_stmt *s, int column)
{
    return (const char *)sqlite3_column_text(s, column);
}

char *sweep_page_expression(sqlite3 *db, const char *text)
{
    sqlite3_stmt *s;
    int rc = sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info('results') WHERE name = ?", -1, &s, NULL);

    if (rc == SQLITE_OK) {
        sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
        rc = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return NULL;
    return sqlite3_mprintf(rc == SQLITE_ROW ? "\"%w\"" : "(%s\n)", text);
}

/* ---- points ---- */

static int by_id(const void *a, const void *b)
{
    sqlite3_int64 x = ((const struct page_point *)a)->id, y = ((const struct page_point *)b)->id;

    return (x > y) - (x < y);
}

uint32_t page_place(const struct page *p, sqlite3_int64 id, size_t *near)
{
    const struct page_point key = {.id = id}, *found;

    while (*near < p->points && p->point[*near].id < id && *near + 1 < p->points && p->point[*near + 1].id <= id)
        ++*near;
    if (*near < p->points && p->point[*near].id == id)
        return p->point[*near].at;
    found = bsearch(&key, p->point, p->points, sizeof key, by_id);
    return found ? found->at : PAGE_NONE;
}

/* A statement about the chosen points, with %s where the expression belongs. */
static sqlite3_stmt *prepare_where(const struct page *p, const char *form)
{
    char *sql = sqlite3_mprintf(form, p->where);
    sqlite3_stmt *s = sql ? page_prepare(p, sql) : NULL;

    if (!sql)
        page_no_memory(p);
    sqlite3_free(sql);
    return s;
}

static int count_points(struct page *p)
{
    sqlite3_stmt *s = prepare_where(
        p, "SELECT count(*) FROM (SELECT point FROM results WHERE point IS NOT NULL AND (%s\n) ORDER BY point)");
    sqlite3_int64 n = 0;

    if (!s)
        return -1;
    if (sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int64(s, 0);
    if (page_done(p, s, sqlite3_step(s)))
        return -1;
    if (n > SWEEP_PAGE_POINTS)
        return err_set(p->e, ERR_LIMIT, "%s: %" PRId64 " points; a page shows %d at most (--csv has them all)", p->path,
                       (int64_t)n, SWEEP_PAGE_POINTS);
    p->points = (size_t)n;
    p->point = calloc(p->points + 1, sizeof *p->point);
    p->index = calloc(p->points + 1, sizeof *p->index);
    p->number = calloc(p->points + 1, sizeof *p->number);
    return p->point && p->index && p->number ? 0 : page_no_memory(p);
}

/* A point's own columns, of which entries repeat. */
enum { LAUNCH, PROFILE, OUTCOME, MESSAGE, COMMAND, TEXTS };

struct point_texts {
    struct page_names names[TEXTS];
    uint32_t *at[TEXTS];
};

/* The words of a command, as codes into a table of all commands' words, after one another. */
static bool put_command(FILE *f, struct page_names *words, const char *command)
{
    char *copy = strdup(command), *rest = copy, *word;

    while (copy && (word = strsep(&rest, " "))) {
        uint32_t at = page_name(words, word);

        if (at == PAGE_NONE) {
            free(copy);
            return false;
        }
        fwrite(&at, sizeof at, 1, f);
    }
    free(copy);
    return copy != NULL;
}

/* "command":{"words":[...],"digits":1,"lines":["$#%",...],"w":2,"at":"..."}: each line once, as codes of its words,
 * which have so many digits and count from 0 (no word is missing); a point has the code of its line. */
static int put_commands(struct page *p, const struct page_names *lines, const uint32_t *at)
{
    struct page_names words = {0};
    char *codes = NULL;
    size_t bytes = 0, *end = calloc(lines->count + 1, sizeof *end);
    FILE *f = open_memstream(&codes, &bytes);
    bool ok = end && f;

    for (size_t k = 0; k < lines->count && ok; k++) {
        ok = put_command(f, &words, lines->text[k]) && fflush(f) == 0;
        end[k] = bytes / sizeof(uint32_t);
    }
    ok = (f ? fclose(f) == 0 : false) && ok;
    if (ok) {
        unsigned width = page_code_width(words.count);

        json_put(&p->j, "\ncommand: {words: [");
        for (size_t k = 0; k < words.count; k++)
            json_put(&p->j, "%s", words.text[k]);
        json_put(&p->j, "], digits: %u, lines: [", width);
        for (size_t k = 0, word = 0; k < lines->count; k++) {
            FILE *line = json_put_raw(&p->j);

            fputc('"', line);
            for (; word < end[k]; word++) {
                uint32_t code;

                memcpy(&code, codes + word * sizeof code, sizeof code);
                page_put_code(line, code, width);
            }
            fputc('"', line);
        }
        json_put(&p->j, "]");
        page_put_codes(&p->j, at, p->points, lines->count);
        json_put(&p->j, "}");
    }
    page_names_free(&words);
    free(codes);
    free(end);
    return ok ? 0 : page_no_memory(p);
}

static void put_texts(struct page *p, const char *key, const struct page_names *names, const uint32_t *at)
{
    json_put(&p->j, "\n%s: {of: [", key);
    for (size_t k = 0; k < names->count; k++)
        json_put(&p->j, "%s", names->text[k]);
    json_put(&p->j, "]");
    page_put_codes(&p->j, at, p->points, names->count);
    json_put(&p->j, "}");
}

static int read_points(struct page *p, struct point_texts *t)
{
    sqlite3_stmt *s = prepare_where(
        p, "SELECT p.launch, coalesce(p.profile, r.profile), r.outcome, r.message, r.command, p.id, "
           "p.ordinal FROM point p LEFT JOIN run r USING (id) WHERE p.ordinal IN (SELECT point FROM results"
           " WHERE point IS NOT NULL AND (%s\n)) ORDER BY p.ordinal");
    bool in_order = true;
    size_t k = 0;
    int rc;

    if (!s)
        return -1;
    for (; (rc = sqlite3_step(s)) == SQLITE_ROW && k < p->points; k++) {
        for (int c = 0; c < TEXTS; c++) {
            const char *text = text_at(s, c);

            t->at[c][k] = page_name(&t->names[c], text);
            if (text && t->at[c][k] == PAGE_NONE) {
                sqlite3_finalize(s);
                return page_no_memory(p);
            }
        }
        p->point[k] = (struct page_point){sqlite3_column_int64(s, 5), (uint32_t)k};
        p->number[k] = sqlite3_column_double(s, 6);
        in_order &= p->number[k] == (double)k;
    }
    if (rc == SQLITE_ROW) {
        sqlite3_finalize(s);
        return err_set(p->e, ERR_FORMAT, "%s: several runs of a point; expected one", p->path);
    }
    if (page_done(p, s, rc))
        return -1;
    json_put(&p->j, "\npoints: %zu", p->points);
    if (!in_order) { /* a file that other files were merged into, without all shards: points have gaps */
        json_put(&p->j, "number: [");
        for (k = 0; k < p->points; k++)
            json_put(&p->j, "%.0f", p->number[k]);
        json_put(&p->j, "]");
    }
    qsort(p->point, p->points, sizeof *p->point, by_id);
    return 0;
}

static int put_points(struct page *p, struct point_texts *t)
{
    static const char *const key[TEXTS] = {"launch", "profile", "outcome", "message", ""};

    for (int c = 0; c < TEXTS; c++)
        if (!(t->at[c] = calloc(p->points + 1, sizeof *t->at[c])))
            return page_no_memory(p);
    if (read_points(p, t))
        return -1;
    for (int c = 0; c < COMMAND; c++)
        put_texts(p, key[c], &t->names[c], t->at[c]);
    return put_commands(p, &t->names[COMMAND], t->at[COMMAND]);
}

/* ---- axes ---- */

/* A value of an axis as JSON; false: out of host memory. */
static bool value_json(sqlite3_stmt *s, int column, char **out)
{
    char number[NUMBER_BYTES];
    size_t size;
    FILE *f;

    if ((sqlite3_column_type(s, column) == SQLITE_INTEGER || sqlite3_column_type(s, column) == SQLITE_FLOAT) &&
        isfinite(sqlite3_column_double(s, column))) {
        page_number(number, sizeof number, sqlite3_column_double(s, column), true);
        return (*out = strdup(number)) != NULL;
    }
    f = open_memstream(out, &size);
    if (!f)
        return false;
    json_put_string(f, text_at(s, column) ? text_at(s, column) : "");
    return fclose(f) == 0;
}

static int put_axis_values(struct page *p, sqlite3_int64 axis, struct page_names *names)
{
    sqlite3_stmt *s = page_prepare(p, "SELECT id, value FROM override WHERE axis = ? ORDER BY id");
    size_t near = 0;
    int rc;

    if (!s)
        return -1;
    for (size_t k = 0; k < p->points; k++)
        p->index[k] = PAGE_NONE;
    sqlite3_bind_int64(s, 1, axis);
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        uint32_t at = page_place(p, sqlite3_column_int64(s, 0), &near);
        char *json = NULL;

        if (at == PAGE_NONE || sqlite3_column_type(s, 1) == SQLITE_NULL)
            continue;
        if (!value_json(s, 1, &json) || (p->index[at] = page_name(names, json)) == PAGE_NONE) {
            free(json);
            sqlite3_finalize(s);
            return page_no_memory(p);
        }
        free(json);
    }
    if (page_done(p, s, rc))
        return -1;
    json_put(&p->j, "of: [");
    for (size_t k = 0; k < names->count; k++)
        fputs(names->text[k], json_put_raw(&p->j));
    json_put(&p->j, "]");
    page_put_codes(&p->j, p->index, p->points, names->count);
    return 0;
}

static int put_axes(struct page *p)
{
    sqlite3_stmt *s = page_prepare(p, "SELECT axis, name, kind, paired_with FROM axis ORDER BY axis");
    int rc;

    if (!s)
        return -1;
    json_put(&p->j, "\naxes: [");
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        struct page_names names = {0};
        int failed;

        json_put(&p->j, "\n{axis: %lld, name: %s, kind: %s", sqlite3_column_int64(s, 0),
                 text_at(s, 1) ? text_at(s, 1) : "", text_at(s, 2));
        if (sqlite3_column_type(s, 3) != SQLITE_NULL)
            json_put(&p->j, "paired_with: %lld", sqlite3_column_int64(s, 3));
        failed = put_axis_values(p, sqlite3_column_int64(s, 0), &names);
        page_names_free(&names);
        if (failed) {
            sqlite3_finalize(s);
            return -1;
        }
        json_put(&p->j, "}");
    }
    json_put(&p->j, "]");
    return page_done(p, s, rc);
}

/* ---- the whole ---- */

static int put_head(struct page *p)
{
    sqlite3_stmt *s = page_prepare(p, "SELECT (SELECT value FROM sweep WHERE key = 'name'), (SELECT value FROM sweep "
                                      "WHERE key = 'gcnsim')");
    int rc;

    if (!s)
        return -1;
    rc = sqlite3_step(s);
    json_put(&p->j, "{schema: %d", PAGE_SCHEMA);
    if (rc == SQLITE_ROW)
        json_put(&p->j, "name: %s, gcnsim: %s", text_at(s, 0), text_at(s, 1));
    json_put(&p->j, "file: %s", strrchr(p->path, '/') ? strrchr(p->path, '/') + 1 : p->path);
    if (strcmp(p->where, EVERY_POINT) != 0)
        json_put(&p->j, "where: %s", p->where);
    return page_done(p, s, rc == SQLITE_ROW ? sqlite3_step(s) : rc);
}

/* JSON of all that the page shows. */
static int put_data(struct page *p)
{
    struct point_texts t = {0};
    int rc = put_head(p) || count_points(p) || put_points(p, &t) || put_axes(p) || page_put_values(p);

    if (!rc)
        json_put(&p->j, "}\n");
    for (int c = 0; c < TEXTS; c++) {
        page_names_free(&t.names[c]);
        free(t.at[c]);
    }
    free(p->point);
    free(p->index);
    free(p->number);
    return rc ? -1 : 0;
}

int sweep_page(sqlite3 *db, const char *results, const char *where, char **text, size_t *bytes, struct err *e)
{
    struct page p = {.db = db, .path = results, .where = where ? where : EVERY_POINT, .j.compact = true, .e = e};
    char *json = NULL;
    size_t size;
    FILE *f = NULL;
    int rc = -1;

    *text = NULL;
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return sweep_sql_failed(results, db, e);
    p.j.f = open_memstream(&json, &size);
    if (p.j.f)
        rc = put_data(&p);
    if ((!p.j.f || fclose(p.j.f) != 0 || (!rc && !(f = open_memstream(text, bytes)))) && !e->code)
        rc = page_no_memory(&p);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (f) {
        fputs(sweep_page_template.before, f);
        json_put_script(f, json);
        fputs(sweep_page_template.after, f);
        if (fclose(f) != 0)
            rc = page_no_memory(&p);
    }
    free(json);
    if (rc) {
        free(*text);
        *text = NULL;
    }
    return rc;
}

/* Launch files: reads the JSON description of one kernel launch. */
#include "sim/launch/launch_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/launch/files.h"
#include "sim/launch/spec.h"
#include "sim/util/input.h"
#include "sim/util/json_text.h"

#define MAX_FILE_BYTES (16u << 20)
#define MAX_VALUES     65536u /* a value of two bytes takes eighty of a parser's */
#define MAX_THREADS    1024u  /* the limit of --threads */
#define MAX_NESTING    8
#define MAX_SETTINGS   4096u /* far more than there are figures */

/* The file being read, and where its error goes. */
struct reader {
    struct launch_file *f;
    struct err *e;
};

static int bad(const struct reader *r, const char *key, const char *expected)
{
    return err_set(r->e, ERR_FORMAT, "%s: %s: expected %s", r->f->path, key, expected);
}

static char *keep(const struct reader *r, const char *text)
{
    char *copy = arena_text(&r->f->arena, text);

    if (!copy)
        err_set(r->e, ERR_NOMEM, "%s: no memory", r->f->path ? r->f->path : text);
    return copy;
}

static int read_string(const struct reader *r, const cJSON *v, const char *key, const char **out)
{
    if (!cJSON_IsString(v) || !v->valuestring[0])
        return bad(r, key, "a non-empty string");
    *out = keep(r, v->valuestring);
    return *out ? 0 : -1;
}

/* Reads a path and resolves it against the launch file's folder. */
static int read_path(const struct reader *r, const cJSON *v, const char *key, const char **out)
{
    if (read_string(r, v, key, out))
        return -1;
    char *path = launch_path(r->f->directory, *out);
    *out = path ? keep(r, path) : NULL;
    free(path);
    return *out ? 0 : err_set(r->e, ERR_NOMEM, "%s: no memory", r->f->path);
}

static int read_number(const struct reader *r, const cJSON *v, const char *key, uint64_t min, uint64_t max,
                       uint64_t *out)
{
    char expected[80];

    snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)min,
             (unsigned long long)max);
    /* every max is at most 2^53, up to which doubles are exact */
    if (!cJSON_IsNumber(v) || !(v->valuedouble >= (double)min && v->valuedouble <= (double)max) ||
        (double)(uint64_t)v->valuedouble != v->valuedouble)
        return bad(r, key, expected);
    *out = (uint64_t)v->valuedouble;
    return 0;
}

static int read_u32(const struct reader *r, const cJSON *v, const char *key, uint32_t min, uint32_t *out)
{
    uint64_t n;

    if (read_number(r, v, key, min, UINT32_MAX, &n))
        return -1;
    *out = (uint32_t)n;
    return 0;
}

static int read_size3(const struct reader *r, const cJSON *v, const char *key, uint32_t out[3])
{
    int n = cJSON_IsArray(v) ? cJSON_GetArraySize(v) : 0;
    int i = 0;

    if (n < 1 || n > 3)
        return bad(r, key, "an array of 1 to 3 whole numbers");
    out[0] = out[1] = out[2] = 1;
    for (const cJSON *c = v->child; c; c = c->next, i++) {
        char path[64];
        snprintf(path, sizeof path, "%s[%d]", key, i);
        if (read_u32(r, c, path, 1, &out[i]))
            return -1;
    }
    return 0;
}

static int read_args(const struct reader *r, const cJSON *v)
{
    size_t n = cJSON_IsArray(v) ? (size_t)cJSON_GetArraySize(v) : 0, i = 0;

    if (!cJSON_IsArray(v))
        return bad(r, "args", "an array of argument SPECs");
    const char **list = arena_alloc(&r->f->arena, n + 1, sizeof *list, _Alignof(char *));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: no memory", r->f->path);
    for (const cJSON *c = v->child; c; c = c->next, i++) {
        char path[64];
        snprintf(path, sizeof path, "args[%zu]", i);
        if (read_string(r, c, path, &list[i]))
            return -1;
    }
    r->f->args = list;
    r->f->arg_count = n;
    return 0;
}

/* Turns "set": {"cu.simds": 2, ...} into texts "cu.simds=2". */
static int read_sets(const struct reader *r, const cJSON *v)
{
    size_t n = cJSON_IsObject(v) ? (size_t)cJSON_GetArraySize(v) : 0, i = 0;

    if (!cJSON_IsObject(v))
        return bad(r, "set", "an object of profile paths and values");
    if (n > MAX_SETTINGS)
        return bad(r, "set", "at most 4096 settings");
    const char **list = arena_alloc(&r->f->arena, n + 1, sizeof *list, _Alignof(char *));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: no memory", r->f->path);
    for (const cJSON *c = v->child; c; c = c->next) {
        char text[400], path[160];
        int m;
        snprintf(path, sizeof path, "set.%s", c->string);
        for (const cJSON *o = v->child; o != c; o = o->next)
            if (strcmp(o->string, c->string) == 0)
                return bad(r, path, "to be given once");
        if (cJSON_IsString(c))
            m = snprintf(text, sizeof text, "%s=%s", c->string, c->valuestring);
        else if (cJSON_IsBool(c))
            m = snprintf(text, sizeof text, "%s=%s", c->string, cJSON_IsTrue(c) ? "true" : "false");
        else if (cJSON_IsNumber(c))
            m = snprintf(text, sizeof text, "%s=%.17g", c->string, c->valuedouble);
        else
            return bad(r, path, "a number, a string or a boolean");
        if (m < 0 || (size_t)m >= sizeof text)
            return bad(r, path, "a shorter path and value");
        if (!(list[i++] = keep(r, text)))
            return -1;
    }
    r->f->sets = list;
    r->f->set_count = n;
    return 0;
}

static int read_engine(const struct reader *r, const cJSON *v)
{
    const char *s;

    if (read_string(r, v, "engine", &s))
        return -1;
    if (strcmp(s, "timing") != 0 && strcmp(s, "functional") != 0)
        return bad(r, "engine", "\"timing\" or \"functional\"");
    r->f->engine = s;
    return 0;
}

static int read_bool(const struct reader *r, const cJSON *v, const char *where, bool *out)
{
    if (!cJSON_IsBool(v))
        return bad(r, where, "true or false");
    *out = cJSON_IsTrue(v);
    return 0;
}

/* Reads a profile name, or the path of a profile. */
static int read_arch(const struct reader *r, const cJSON *v)
{
    const char *s;

    if (read_string(r, v, "arch", &s))
        return -1;
    size_t n = strlen(s);
    if (strchr(s, '/') || (n > 5 && strcmp(s + n - 5, ".json") == 0))
        return read_path(r, v, "arch", &r->f->arch);
    r->f->arch = s;
    return 0;
}

static int read_key(const struct reader *r, const cJSON *v)
{
    struct launch_file *p = r->f;
    const char *key = v->string;

    if (strcmp(key, "file") == 0)
        return read_path(r, v, key, &p->file);
    if (strcmp(key, "kernel") == 0)
        return read_string(r, v, key, &p->kernel);
    if (strcmp(key, "grid") == 0)
        return read_size3(r, v, key, p->grid);
    if (strcmp(key, "workgroup") == 0)
        return read_size3(r, v, key, p->workgroup);
    if (strcmp(key, "args") == 0)
        return read_args(r, v);
    if (strcmp(key, "dynamic_lds_bytes") == 0)
        return read_u32(r, v, key, 0, &p->dynamic_lds_bytes);
    if (strcmp(key, "arch") == 0)
        return read_arch(r, v);
    if (strcmp(key, "engine") == 0)
        return read_engine(r, v);
    if (strcmp(key, "threads") == 0) {
        uint64_t n = 0;
        int failed = read_number(r, v, key, 1, MAX_THREADS, &n);
        p->threads = (uint32_t)n;
        return failed;
    }
    if (strcmp(key, "max_cycles") == 0)
        return read_number(r, v, key, 1, UINT64_C(1) << 53, &p->max_cycles);
    if (strcmp(key, "max_instructions") == 0)
        return read_number(r, v, key, 1, UINT64_C(1) << 53, &p->max_instructions);
    if (strcmp(key, "check") == 0)
        return read_bool(r, v, key, &p->check);
    if (strcmp(key, "perfect_memory") == 0)
        return read_bool(r, v, key, &p->perfect_memory);
    if (strcmp(key, "set") == 0)
        return read_sets(r, v);
    return err_set(r->e, ERR_FORMAT,
                   "%s: unknown key '%.80s'; expected file, kernel, grid, workgroup, args, dynamic_lds_bytes, arch, "
                   "engine, threads, max_cycles, max_instructions, check, perfect_memory or set",
                   p->path, key);
}

static int read_document(const struct reader *r, const cJSON *doc)
{
    const struct launch_file *p = r->f;

    if (!cJSON_IsObject(doc))
        return err_set(r->e, ERR_FORMAT, "%s: expected one JSON object that describes a launch", p->path);
    for (const cJSON *v = doc->child; v; v = v->next) {
        for (const cJSON *o = doc->child; o != v; o = o->next)
            if (strcmp(o->string, v->string) == 0)
                return err_set(r->e, ERR_FORMAT, "%s: key '%.80s' is given twice", p->path, v->string);
        if (read_key(r, v))
            return -1;
    }
    if (!p->file)
        return bad(r, "file", "the code object to run; the key is missing");
    if (!p->kernel)
        return bad(r, "kernel", "the kernel's name; the key is missing");
    if (!p->grid[0])
        return bad(r, "grid", "work-items in x, y, z; the key is missing");
    if (!p->workgroup[0])
        return bad(r, "workgroup", "work-items per workgroup in x, y, z; the key is missing");
    return 0;
}

static int set_paths(const struct reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = keep(r, path);

    r->f->path = keep(r, path);
    if (!directory || !r->f->path)
        return -1;
    directory[slash ? (slash == path ? 1 : slash - path) : 0] = 0;
    r->f->directory = directory;
    return 0;
}

/* Whether a text has more values than a launch has any use for, counted by what separates them. */
static bool too_many_values(const char *text, size_t size)
{
    bool in_string = false;
    size_t values = 1;

    for (size_t i = 0; i < size && values <= MAX_VALUES; i++) {
        if (text[i] == '\\' && in_string)
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string)
            values += text[i] == ',' || text[i] == '[' || text[i] == '{';
    }
    return values > MAX_VALUES;
}

int launch_file_parse(struct launch_file **out, const char *text, size_t size, const char *path, struct err *e)
{
    struct launch_file *f = calloc(1, sizeof *f);
    const struct reader r = {f, e};
    cJSON *doc = NULL;
    int failed = -1;

    if (!f)
        return err_set(e, ERR_NOMEM, "%s: no memory", path);
    arena_init(&f->arena, 0);
    if (too_many_values(text, size)) {
        err_set(e, ERR_FORMAT, "%s: more than %u values", path, MAX_VALUES);
    } else if (set_paths(&r, path) == 0 && json_text_check(text, size, path, MAX_NESTING, e) == 0) {
        doc = cJSON_ParseWithLengthOpts(text, size, NULL, false);
        failed = doc ? read_document(&r, doc) : err_set(e, ERR_NOMEM, "%s: no memory", path);
    }
    cJSON_Delete(doc);
    if (failed)
        launch_file_close(f);
    else
        *out = f;
    return failed;
}

int launch_file_open(struct launch_file **out, const char *path, struct err *e)
{
    struct err why = {0};
    uint8_t *text;
    size_t size;

    if (input_read(path, MAX_FILE_BYTES, &text, &size, &why))
        return err_set(e, why.code == ERR_LIMIT ? ERR_FORMAT : why.code, "%s: %s", path, why.text);
    int failed = launch_file_parse(out, (const char *)text, size, path, e);
    free(text);
    return failed;
}

static int confine_arg(const struct launch_file *f, const char *text, const char *directory, struct err *e)
{
    struct spec s;
    int failed = spec_parse(&s, text, e);

    for (unsigned k = 0; k < 2 && !failed; k++) {
        const char *name = k ? s.out_path : s.path;
        char *path = name ? launch_path(f->directory, name) : NULL;
        if (name)
            failed = path ? launch_path_inside(directory, path, k, e) : err_set(e, ERR_NOMEM, "no memory");
        free(path);
    }
    spec_free(&s);
    return failed;
}

int launch_file_confine(const struct launch_file *f, const char *directory, struct err *e)
{
    size_t n = f->arch ? strlen(f->arch) : 0;

    if (n && (strchr(f->arch, '/') || (n >= 5 && !strcmp(f->arch + n - 5, ".json"))))
        return err_set(e, ERR_USAGE, "%s: arch: %s; expected the name of a built-in profile", f->path, f->arch);
    if (launch_path_inside(directory, f->file, false, e))
        return err_prefix(e, "%s: file", f->path);
    for (size_t i = 0; i < f->arg_count; i++)
        if (confine_arg(f, f->args[i], directory, e))
            return err_prefix(e, "%s: args[%zu]", f->path, i);
    return 0;
}

void launch_file_close(struct launch_file *f)
{
    if (!f)
        return;
    arena_free(&f->arena);
    free(f);
}

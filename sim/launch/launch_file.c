/* Launch files: reads the JSON description of kernel launches. */
#include "sim/launch/launch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/launch/files.h"
#include "sim/launch/spec.h"
#include "sim/launch/symbols.h"
#include "sim/util/input.h"
#include "sim/util/json_text.h"

#define MAX_FILE_BYTES (16u << 20)
#define MAX_VALUES     65536u /* a value of two bytes takes eighty of a parser's */
#define MAX_THREADS    1024u  /* the limit of --threads */
#define MAX_NESTING    8
#define MAX_SETTINGS   4096u /* far more than there are figures */
#define MAX_LAUNCHES   4096u
#define MAX_BUFFERS    1024u
#define MAX_ROUNDS     100000u /* the limit of --repeat */

/* The file being read, and where its error goes. */
struct reader {
    struct launch_file *f;
    struct err *e;
    char where[32]; /* "launches[3].", before the keys of a launch in a list */
};

static int bad(const struct reader *r, const char *key, const char *expected)
{
    return err_set(r->e, ERR_FORMAT, "%s: %s%s: expected %s", r->f->path, r->where, key, expected);
}

static char *copy_text(const struct reader *r, const char *text)
{
    char *copy = arena_text(&r->f->arena, text);

    if (!copy)
        err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path ? r->f->path : text);
    return copy;
}

static int read_string(const struct reader *r, const struct json *v, const char *key, const char **out)
{
    if (!json_is_string(v) || !json_text(v)[0])
        return bad(r, key, "a non-empty string");
    *out = copy_text(r, json_text(v));
    return *out ? 0 : -1;
}

/* Reads a path and resolves it against the launch file's folder. */
static int read_path(const struct reader *r, const struct json *v, const char *key, const char **out)
{
    if (read_string(r, v, key, out))
        return -1;
    char *path = launch_path(r->f->directory, *out);
    *out = path ? copy_text(r, path) : NULL;
    free(path);
    return *out ? 0 : err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
}

static int read_number(const struct reader *r, const struct json *v, const char *key, uint64_t min, uint64_t max,
                       uint64_t *out)
{
    char expected[80];

    if (json_whole(v, out) && *out >= min && *out <= max) /* every max is at most 2^53 */
        return 0;
    snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)min,
             (unsigned long long)max);
    return bad(r, key, expected);
}

static int read_u32(const struct reader *r, const struct json *v, const char *key, uint32_t min, uint32_t *out)
{
    uint64_t n;

    if (read_number(r, v, key, min, UINT32_MAX, &n))
        return -1;
    *out = (uint32_t)n;
    return 0;
}

static int read_size3(const struct reader *r, const struct json *v, const char *key, uint32_t out[3])
{
    size_t n = json_elements(v); /* 0 of what is no array */

    if (n < 1 || n > 3)
        return bad(r, key, "an array of 1 to 3 whole numbers");
    out[0] = out[1] = out[2] = 1;
    for (size_t i = 0; i < n; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s[%zu]", key, i);
        if (read_u32(r, json_at(v, i), path, 1, &out[i]))
            return -1;
    }
    return 0;
}

/* Strings of an array. */
static int read_texts(const struct reader *r, const struct json *v, const char *key, const char *expected,
                      const char *const **out, size_t *count)
{
    const struct json *text;
    size_t n = json_elements(v), i;

    if (!json_is_array(v))
        return bad(r, key, expected);
    const char **list = arena_alloc(&r->f->arena, n + 1, sizeof *list, _Alignof(char *));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
    json_each_element (v, i, text) {
        char path[64];
        snprintf(path, sizeof path, "%s[%zu]", key, i);
        if (read_string(r, text, path, &list[i]))
            return -1;
    }
    *out = list;
    *count = n;
    return 0;
}

/* Turns "set_symbols": {"factor": "f32:2", ...} into texts "factor=f32:2". */
static int read_set_symbols(const struct reader *r, const struct json *v, struct launch_file_launch *l)
{
    size_t n = json_members(v), i = 0;
    const char *key, *spec;
    const struct json *c;

    if (!json_is_object(v))
        return bad(r, "set_symbols", "an object of symbols and SPECs");
    const char **list = arena_alloc(&r->f->arena, n + 1, sizeof *list, _Alignof(char *));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
    json_each_member (v, key, c) {
        char path[160];
        size_t room = strlen(key) + (json_is_string(c) ? strlen(json_text(c)) : 0) + 2;

        snprintf(path, sizeof path, "set_symbols.%s", key);
        if (!*key || strchr(key, '='))
            return bad(r, "set_symbols", "names of symbols");
        if (read_string(r, c, path, &spec))
            return -1;
        char *text = arena_alloc(&r->f->arena, room, 1, 1);
        if (!text)
            return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
        snprintf(text, room, "%s=%s", key, spec);
        list[i++] = text;
    }
    l->set_symbols = list;
    l->set_symbol_count = n;
    return 0;
}

/* Turns "set": {"cu.simds": 2, ...} into texts "cu.simds=2". */
static int read_sets(const struct reader *r, const struct json *v)
{
    size_t n = json_members(v), i = 0;
    const char *key;
    const struct json *c;

    if (!json_is_object(v))
        return bad(r, "set", "an object of profile paths and values");
    if (n > MAX_SETTINGS)
        return bad(r, "set", "at most 4096 settings");
    const char **list = arena_alloc(&r->f->arena, n + 1, sizeof *list, _Alignof(char *));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
    json_each_member (v, key, c) {
        char text[400], path[160];
        int m;
        snprintf(path, sizeof path, "set.%s", key);
        if (json_is_string(c))
            m = snprintf(text, sizeof text, "%s=%s", key, json_text(c));
        else if (json_is_boolean(c))
            m = snprintf(text, sizeof text, "%s=%s", key, json_is_true(c) ? "true" : "false");
        else if (json_is_number(c))
            m = snprintf(text, sizeof text, "%s=%.17g", key, json_number(c));
        else
            return bad(r, path, "a number, a string or a boolean");
        if (m < 0 || (size_t)m >= sizeof text)
            return bad(r, path, "a shorter path and value");
        if (!(list[i++] = copy_text(r, text)))
            return -1;
    }
    r->f->sets = list;
    r->f->set_count = n;
    return 0;
}

static int read_engine(const struct reader *r, const struct json *v)
{
    const char *s;

    if (read_string(r, v, "engine", &s))
        return -1;
    if (strcmp(s, "timing") != 0 && strcmp(s, "functional") != 0)
        return bad(r, "engine", "\"timing\" or \"functional\"");
    r->f->engine = s;
    return 0;
}

static int read_bool(const struct reader *r, const struct json *v, const char *where, bool *out)
{
    if (!json_is_boolean(v))
        return bad(r, where, "true or false");
    *out = json_is_true(v);
    return 0;
}

/* Reads a profile name, or the path of a profile. */
static int read_arch(const struct reader *r, const struct json *v)
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

static int read_fence(const struct reader *r, const struct json *v, const char *key, int *out)
{
    static const char *const scopes[] = {"none", "agent", "system"};
    const char *s;

    if (read_string(r, v, key, &s))
        return -1;
    for (int k = 0; k < 3; k++)
        if (strcmp(s, scopes[k]) == 0) {
            *out = k;
            return 0;
        }
    return bad(r, key, "\"none\", \"agent\" or \"system\"");
}

/* Names and SPECs of "buffers": {"x": "in:x.bin", ...}. */
static int read_buffers(const struct reader *r, const struct json *v)
{
    size_t n = json_members(v), i = 0;
    const char *key;
    const struct json *c;

    if (!json_is_object(v) || n > MAX_BUFFERS)
        return bad(r, "buffers", "an object of at most 1024 names and SPECs");
    const char **names = arena_alloc(&r->f->arena, n + 1, sizeof *names, _Alignof(char *));
    const char **specs = arena_alloc(&r->f->arena, n + 1, sizeof *specs, _Alignof(char *));
    if (!names || !specs)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
    json_each_member (v, key, c) {
        char path[160];
        snprintf(path, sizeof path, "buffers.%s", key);
        if (!*key)
            return bad(r, "buffers", "names that are not empty");
        if (read_string(r, c, path, &specs[i]) || !(names[i++] = copy_text(r, key)))
            return -1;
    }
    r->f->buffer_names = names;
    r->f->buffer_specs = specs;
    r->f->buffer_count = n;
    return 0;
}

/* A key of a launch: 0 read, -1 an error, 1 it is none. */
static int read_launch_key(const struct reader *r, const char *key, const struct json *v, struct launch_file_launch *l)
{
    if (strcmp(key, "file") == 0)
        return read_path(r, v, key, &l->file);
    if (strcmp(key, "index") == 0) {
        l->by_index = true;
        return read_u32(r, v, key, 0, &l->index);
    }
    if (strcmp(key, "kernel") == 0)
        return read_string(r, v, key, &l->kernel);
    if (strcmp(key, "grid") == 0)
        return read_size3(r, v, key, l->grid);
    if (strcmp(key, "workgroup") == 0)
        return read_size3(r, v, key, l->workgroup);
    if (strcmp(key, "args") == 0)
        return read_texts(r, v, key, "an array of argument SPECs", &l->args, &l->arg_count);
    if (strcmp(key, "set_symbols") == 0)
        return read_set_symbols(r, v, l);
    if (strcmp(key, "read_symbols") == 0)
        return read_texts(r, v, key, "an array of texts NAME[:TYPE[:COUNT]][=PATH]", &l->read_symbols,
                          &l->read_symbol_count);
    if (strcmp(key, "dynamic_lds_bytes") == 0)
        return read_u32(r, v, key, 0, &l->dynamic_lds_bytes);
    if (strcmp(key, "acquire") == 0)
        return read_fence(r, v, key, &l->acquire);
    if (strcmp(key, "release") == 0)
        return read_fence(r, v, key, &l->release);
    return 1;
}

static int read_count(const struct reader *r, const char *key, const struct json *v, uint64_t most, uint32_t *out)
{
    uint64_t n = 0;
    int failed = read_number(r, v, key, 1, most, &n);

    *out = (uint32_t)n;
    return failed;
}

/* A key of the file as a whole. */
static int read_key(const struct reader *r, const char *key, const struct json *v)
{
    struct launch_file *p = r->f;

    if (strcmp(key, "arch") == 0)
        return read_arch(r, v);
    if (strcmp(key, "engine") == 0)
        return read_engine(r, v);
    if (strcmp(key, "threads") == 0)
        return read_count(r, key, v, MAX_THREADS, &p->threads);
    if (strcmp(key, "repeat") == 0)
        return read_count(r, key, v, MAX_ROUNDS, &p->repeat);
    if (strcmp(key, "warmup") == 0)
        return read_count(r, key, v, MAX_ROUNDS, &p->warmup);
    if (strcmp(key, "max_cycles") == 0)
        return read_number(r, v, key, 1, UINT64_C(1) << 53, &p->max_cycles);
    if (strcmp(key, "max_instructions") == 0)
        return read_number(r, v, key, 1, UINT64_C(1) << 53, &p->max_instructions);
    if (strcmp(key, "check") == 0)
        return read_bool(r, v, key, &p->check);
    if (strcmp(key, "perfect_memory") == 0)
        return read_bool(r, v, key, &p->perfect_memory);
    if (strcmp(key, "cold") == 0)
        return read_bool(r, v, key, &p->cold);
    if (strcmp(key, "buffers") == 0)
        return read_buffers(r, v);
    if (strcmp(key, "set") == 0)
        return read_sets(r, v);
    return err_set(r->e, ERR_FORMAT,
                   "%s: unknown key '%.80s'; expected file, index, kernel, grid, workgroup, args, set_symbols, "
                   "read_symbols, dynamic_lds_bytes, acquire, "
                   "release, launches, buffers, repeat, warmup, cold, arch, engine, threads, max_cycles, "
                   "max_instructions, check, perfect_memory or set",
                   p->path, key);
}

static int check_launch(const struct reader *r, const struct launch_file_launch *l)
{
    if (!l->file)
        return bad(r, "file", "the code object to run; the key is missing");
    if (!l->kernel)
        return bad(r, "kernel", "the kernel's name; the key is missing");
    if (!l->grid[0])
        return bad(r, "grid", "work-items in x, y, z; the key is missing");
    if (!l->workgroup[0])
        return bad(r, "workgroup", "work-items per workgroup in x, y, z; the key is missing");
    return 0;
}

/* A launch in a list. common: what it takes from the keys beside the list. */
static int read_listed(const struct reader *whole, const struct json *v, size_t index,
                       const struct launch_file_launch *common, struct launch_file_launch *l)
{
    struct reader r = {.f = whole->f, .e = whole->e};
    const char *key;
    const struct json *c;

    *l = *common;
    snprintf(r.where, sizeof r.where, "launches[%zu]", index);
    if (!json_is_object(v))
        return bad(&r, "", "an object that describes a launch");
    strcat(r.where, ".");
    json_each_member (v, key, c) {
        int other = strcmp(key, "name") == 0 ? read_string(&r, c, "name", &l->name) : read_launch_key(&r, key, c, l);

        if (other > 0)
            err_set(r.e, ERR_FORMAT,
                    "%s: unknown key '%s%.80s'; expected name, file, index, kernel, grid, workgroup, args, "
                    "set_symbols, read_symbols, dynamic_lds_bytes, acquire or release",
                    r.f->path, r.where, key);
        if (other)
            return -1;
    }
    return check_launch(&r, l);
}

static int read_list(const struct reader *r, const struct json *v, const struct launch_file_launch *common)
{
    size_t n = json_elements(v), i;
    const struct json *one;
    struct launch_file_launch *list;

    if (!n || n > MAX_LAUNCHES)
        return bad(r, "launches", "an array of 1 to 4096 launches");
    if (common->kernel || common->grid[0] || common->workgroup[0] || common->args || common->dynamic_lds_bytes ||
        common->set_symbols || common->read_symbols)
        return bad(r, "launches",
                   "no kernel, grid, workgroup, args, set_symbols, read_symbols or dynamic_lds_bytes beside it");
    list = arena_alloc(&r->f->arena, n, sizeof *list, _Alignof(struct launch_file_launch));
    if (!list)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", r->f->path);
    json_each_element (v, i, one)
        if (read_listed(r, one, i, common, &list[i]))
            return -1;
    r->f->launch = list;
    r->f->launch_count = n;
    r->f->is_list = true;
    return 0;
}

static int read_document(const struct reader *r, const struct json *doc)
{
    struct launch_file *p = r->f;
    struct launch_file_launch *one = ARENA_NEW(&p->arena, 1, struct launch_file_launch);
    const struct json *list = NULL;
    const char *key;
    const struct json *v;

    if (!one)
        return err_set(r->e, ERR_NOMEM, "%s: out of host memory", p->path);
    if (!json_is_object(doc))
        return err_set(r->e, ERR_FORMAT, "%s: expected one JSON object that describes a launch", p->path);
    one->acquire = one->release = -1;
    json_each_member (doc, key, v) {
        int other = 0;

        if (strcmp(key, "launches") == 0)
            list = v;
        else
            other = read_launch_key(r, key, v, one);
        if (other < 0 || (other > 0 && read_key(r, key, v)))
            return -1;
    }
    if (list)
        return read_list(r, list, one);
    p->launch = one;
    p->launch_count = 1;
    return check_launch(r, one);
}

static int set_paths(const struct reader *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = copy_text(r, path);

    r->f->path = copy_text(r, path);
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
    const struct reader r = {.f = f, .e = e};
    const struct json *doc = NULL;
    int failed = -1;

    if (!f)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    arena_init(&f->arena, 0);
    if (too_many_values(text, size)) {
        err_set(e, ERR_FORMAT, "%s: more than %u values", path, MAX_VALUES);
    } else if (set_paths(&r, path) == 0) {
        doc = json_text_read(text, size, path, MAX_NESTING, e);
        failed = doc ? read_document(&r, doc) : -1;
    }
    json_free(doc);
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
            failed = path ? launch_path_inside(directory, path, k, e) : err_set(e, ERR_NOMEM, "out of host memory");
        free(path);
    }
    spec_free(&s);
    return failed;
}

/* The files of a launch's variables. */
static int confine_symbols(const struct launch_file *f, const struct launch_file_launch *l, const char *where,
                           const char *directory, struct err *e)
{
    for (size_t i = 0; i < l->set_symbol_count; i++)
        if (confine_arg(f, launch_symbol_value(l->set_symbols[i]), directory, e))
            return err_prefix(e, "%s: %sset_symbols", f->path, where);
    for (size_t i = 0; i < l->read_symbol_count; i++) {
        const char *name = launch_symbol_value(l->read_symbols[i]);
        char *path = name ? launch_path(f->directory, name) : NULL;

        if (name && !path)
            return err_set(e, ERR_NOMEM, "out of host memory");
        if (path && launch_path_inside(directory, path, true, e)) {
            free(path);
            return err_prefix(e, "%s: %sread_symbols[%zu]", f->path, where, i);
        }
        free(path);
    }
    return 0;
}

int launch_file_confine(const struct launch_file *f, const char *directory, struct err *e)
{
    size_t n = f->arch ? strlen(f->arch) : 0;

    if (n && (strchr(f->arch, '/') || (n >= 5 && !strcmp(f->arch + n - 5, ".json"))))
        return err_set(e, ERR_USAGE, "%s: arch: %s; expected the name of a built-in profile", f->path, f->arch);
    for (size_t i = 0; i < f->buffer_count; i++)
        if (confine_arg(f, f->buffer_specs[i], directory, e))
            return err_prefix(e, "%s: buffers.%.80s", f->path, f->buffer_names[i]);
    for (size_t k = 0; k < f->launch_count; k++) {
        const struct launch_file_launch *l = &f->launch[k];
        char where[32] = "";

        if (f->is_list)
            snprintf(where, sizeof where, "launches[%zu].", k);
        if (launch_path_inside(directory, l->file, false, e))
            return err_prefix(e, "%s: %sfile", f->path, where);
        for (size_t i = 0; i < l->arg_count; i++)
            if (confine_arg(f, l->args[i], directory, e))
                return err_prefix(e, "%s: %sargs[%zu]", f->path, where, i);
        if (confine_symbols(f, l, where, directory, e))
            return -1;
    }
    return 0;
}

void launch_file_close(struct launch_file *f)
{
    if (!f)
        return;
    arena_free(&f->arena);
    free(f);
}

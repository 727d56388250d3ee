/* The keys of points' commands, by which a sweep that is resumed knows what has changed: of their words, their
 * environment, the files that they name, and what simulates. */
#define _GNU_SOURCE
#include "sim/sweep/commands.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/api/gcnsim.h"
#include "sim/sweep/runtime.h"
#include "sim/util/input.h"
#include "sim/util/text_stream.h"

enum { MAX_HASHED_BYTES = 1 << 30 };

/* ---- files ---- */

/* A path of n characters that begins in a folder unless it is absolute. To be freed; null with *e. */
char *sweep_path_in(const char *folder, const char *path, size_t n, struct err *e)
{
    char *full;

    if (asprintf(&full, "%s%s%.*s", *path == '/' ? "" : folder, *path == '/' ? "" : "/", (int)n, path) >= 0)
        return full;
    err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    return NULL;
}

/* The hash of a file's bytes; of a profile that extends others, of what comes out. */
static void hash(const char *path, const uint8_t *bytes, size_t size, char out[SHA256_TEXT])
{
    size_t n = strlen(path);
    char *resolved = NULL;

    if (n > 5 && strcmp(path + n - 5, ".json") == 0 && memmem(bytes, size, "\"extends\"", 9) &&
        gcnsim_profile_show(path, NULL, 0, GCNSIM_JSON, &resolved, NULL) == GCNSIM_OK)
        sha256_text(resolved, strlen(resolved), out);
    else
        sha256_text(bytes, size, out);
    free(resolved);
}

/* What a file of gcnsim's own says of the code that it has been linked from (Makefile); a file that says nothing counts
 * whole. */
static void hash_code(const char *path, const uint8_t *bytes, size_t size, char out[SHA256_TEXT])
{
    static const char name[] = "gcnsim-code-sha256=";
    const size_t n = sizeof name - 1, digits = SHA256_TEXT - 1;
    const uint8_t *at = bytes, *end = bytes + size;

    /* this program has the name by itself, too */
    while ((at = memmem(at, (size_t)(end - at), name, n))) {
        size_t k = 0;

        for (at += n; k < digits && at + k < end && isxdigit(at[k]);)
            k++;
        if (k == digits) {
            snprintf(out, SHA256_TEXT, "%.*s", (int)digits, (const char *)at);
            return;
        }
    }
    hash(path, bytes, size, out);
}

static int add_file(struct sweep_commands *c, const char *path, bool code, struct hashed **out, struct err *e)
{
    struct hashed *h;
    struct stat st;
    uint8_t *bytes;
    size_t size;

    for (size_t k = 0; k < c->files; k++)
        if (c->file[k].code == code && strcmp(c->file[k].path, path) == 0) {
            *out = &c->file[k];
            return 0;
        }
    if (c->files == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        struct hashed *more = realloc(c->file, room * sizeof *more);

        if (!more)
            return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
        c->file = more;
        c->room = room;
    }
    h = &c->file[c->files];
    *h = (struct hashed){.path = strdup(path), .code = code};
    if (!h->path)
        return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
    c->files++;
    *out = h;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    if (input_read(path, MAX_HASHED_BYTES, &bytes, &size, e))
        return err_prefix(e, "%s", path);
    (code ? hash_code : hash)(path, bytes, size, h->sha256);
    free(bytes);
    return 0;
}

/* Puts the contents of a file into the key's text, where the word is one; folder: where its path begins. */
static int key_file(struct sweep_commands *c, FILE *key, const char *folder, const char *path, size_t n, struct err *e)
{
    struct hashed *h;
    char *full;
    int rc;

    if (!n)
        return 0;
    full = sweep_path_in(folder, path, n, e);
    if (!full)
        return -1;
    rc = add_file(c, full, false, &h, e);
    free(full);
    if (!rc && *h->sha256)
        fprintf(key, "file %s\n", h->sha256);
    return rc;
}

/* The file that a SPEC reads: "in:PATH", "inout:PATH:OUT", also after "NAME=". */
static int key_spec(struct sweep_commands *c, FILE *key, const char *folder, const char *spec, struct err *e)
{
    const char *equals = strchr(spec, '='), *at = equals && equals[1] ? equals + 1 : spec;

    if (strncmp(at, "in:", 3) == 0)
        return key_file(c, key, folder, at + 3, strlen(at + 3), e);
    if (strncmp(at, "inout:", 6) == 0)
        return key_file(c, key, folder, at + 6, strcspn(at + 6, ":"), e);
    return key_file(c, key, folder, at, strlen(at), e);
}

static int key_launch(struct sweep_commands *c, FILE *key, const struct gcnsim_launch_file *f, size_t launch,
                      struct err *e)
{
    const struct gcnsim_listed_launch *l = &gcnsim_launch_file_list(f)->launches[launch];
    struct gcnsim_symbol_texts symbols;
    int rc = key_file(c, key, c->s->folder, l->file, strlen(l->file), e);

    for (size_t a = 0; a < l->arg_count && !rc; a++)
        rc = key_spec(c, key, f->directory, l->args[a], e);
    gcnsim_launch_file_symbols(f, launch, &symbols);
    for (size_t k = 0; k < symbols.set_count && !rc; k++)
        rc = key_spec(c, key, f->directory, symbols.sets[k], e);
    return rc;
}

static int key_launches(struct sweep_commands *c, FILE *key, const char *path, struct err *e)
{
    struct gcnsim_launch_file *f;
    const struct gcnsim_launch_list *list;
    int rc = 0;

    if (gcnsim_launch_file_open(&f, path, NULL) != GCNSIM_OK) /* the run says what is wrong with it */
        return 0;
    list = gcnsim_launch_file_list(f);
    for (size_t k = 0; k < list->launch_count && !rc; k++)
        rc = key_launch(c, key, f, k, e);
    for (size_t k = 0; k < list->buffer_count && !rc; k++)
        rc = key_spec(c, key, f->directory, list->buffer_specs[k], e);
    if (!rc && f->arch)
        rc = key_file(c, key, f->directory, f->arch, strlen(f->arch), e);
    gcnsim_launch_file_close(f);
    return rc;
}

/* What a launch file names, where the word is one. It is read once. */
static int key_launch_file(struct sweep_commands *c, FILE *key, const char *word, struct err *e)
{
    struct hashed *h;
    size_t n = strlen(word);
    struct text_stream t;
    char *path, *names;
    int rc;

    if (n < 6 || strcmp(word + n - 5, ".json") != 0)
        return 0;
    path = sweep_path_in(c->s->folder, word, n, e);
    if (!path)
        return -1;
    rc = add_file(c, path, false, &h, e);
    if (!rc && !h->read) {
        if (!text_stream_open(&t)) {
            free(path);
            return err_set(e, ERR_NOMEM, "%s: out of host memory", word);
        }
        rc = key_launches(c, t.f, path, e);
        names = text_stream_close(&t);
        if (!rc && !names)
            rc = err_set(e, ERR_NOMEM, "%s: out of host memory", word);
        /* the table may have moved */
        if (!rc && !(rc = add_file(c, path, false, &h, e))) {
            h->read = true;
            h->names = names;
        } else {
            free(names);
        }
    }
    if (!rc && h->names)
        fputs(h->names, key);
    free(path);
    return rc;
}

/* A program of exec without a slash is looked up as a shell does. */
static int key_program(struct sweep_commands *c, FILE *key, const char *word, struct err *e)
{
    const char *path = getenv("PATH");

    if (strchr(word, '/'))
        return 0; /* as every word */
    for (const char *at = path ? path : ""; *at;) {
        size_t n = strcspn(at, ":");
        char *file;

        if (n) {
            if (asprintf(&file, "%.*s/%s", (int)n, at, word) < 0)
                return err_set(e, ERR_NOMEM, "%s: out of host memory", word);

            bool is_there = access(file, X_OK) == 0;
            int rc = is_there ? key_file(c, key, "", file, strlen(file), e) : 0;

            free(file);
            if (is_there)
                return rc;
        }
        at += n + (at[n] == ':');
    }
    return 0;
}

/* ---- what simulates ---- */

/* Puts the code of a file of gcnsim's own to what is there of others. */
static int add_code(struct sweep_commands *c, const char *path, char sum[SHA256_TEXT], struct err *e)
{
    char both[2 * SHA256_TEXT];
    struct hashed *h;

    if (add_file(c, path, true, &h, e))
        return -1;
    snprintf(both, sizeof both, "%s %s", sum, h->sha256);
    if (*sum)
        sha256_text(both, strlen(both), sum);
    else
        memcpy(sum, h->sha256, SHA256_TEXT);
    return 0;
}

/* A shared libgcnsim has the simulator in a file of its own; else it is in the program, which begins where the linker
 * says. */
static int add_library(struct sweep_commands *c, char sum[SHA256_TEXT], struct err *e)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    Dl_info info;

    if (!dladdr((const void *)(uintptr_t)gcnsim_version, &info) || !info.dli_fname || info.dli_fbase == __ehdr_start)
        return 0;
    return add_code(c, info.dli_fname, sum, e);
}

/* The HSA runtime that gcnsim exec will find, as a path to be freed; null: none, as it will say, or *e. */
static char *find_runtime(const struct sweep_commands *c, const struct sweep_command *command, struct err *e)
{
    const char *given = getenv(RUNTIME_VARIABLE), *slash = strrchr(c->gcnsim, '/');
    const size_t name = sizeof RUNTIME_VARIABLE - 1, places = sizeof runtime_beside / sizeof runtime_beside[0];
    char *path;

    for (char **v = command->environment; *v; v++)
        if (strncmp(*v, RUNTIME_VARIABLE "=", name + 1) == 0)
            given = *v + name + 1;
    if (given && !*given)
        given = NULL;
    for (size_t k = 0; k < (given ? 1 : places); k++) {
        int n = given ? asprintf(&path, "%s%s%s/" RUNTIME_LIBRARY, *given == '/' ? "" : c->s->folder,
                                 *given == '/' ? "" : "/", given)
                      : asprintf(&path, "%.*s%s/" RUNTIME_LIBRARY, slash ? (int)(slash - c->gcnsim) : 0, c->gcnsim,
                                 runtime_beside[k]);

        if (n < 0) {
            err_set(e, ERR_NOMEM, "out of host memory");
            return NULL;
        }
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static int find_code(struct sweep_commands *c, struct sweep_command *out, struct err *e)
{
    char *runtime;
    int rc;

    memcpy(out->gcnsim_sha256, c->code_sha256, sizeof out->gcnsim_sha256);
    if (!out->program)
        return 0;
    runtime = find_runtime(c, out, e);
    rc = runtime ? add_code(c, runtime, out->gcnsim_sha256, e) : e->code ? -1 : 0;
    free(runtime);
    return rc;
}

int sweep_command_make_key(struct sweep_commands *c, const struct sweep_launch *l, struct sweep_command *out,
                           struct err *e)
{
    struct text_stream t;
    char *text;
    FILE *key;
    int rc;

    if (!text_stream_open(&t))
        return err_set(e, ERR_NOMEM, "out of host memory");
    key = t.f;
    rc = find_code(c, out, e);
    fprintf(key, "gcnsim %s\n", out->gcnsim_sha256);
    for (uint32_t k = 1; k < out->count && !rc; k++) {
        const char *word = out->words[k];

        fprintf(key, "word %zu %s\n", strlen(word), word);
        rc = key_spec(c, key, c->s->folder, word, e);
        if (!rc && !out->program)
            rc = key_launch_file(c, key, word, e);
    }
    for (char **v = out->environment; *v; v++)
        fprintf(key, "variable %zu %s\n", strlen(*v), *v);
    if (!rc && out->program)
        rc = key_program(c, key, l->words[0], e);
    text = text_stream_close(&t);
    if (!text && !rc)
        rc = err_set(e, ERR_NOMEM, "out of host memory");
    if (!rc)
        sha256_text(text, strlen(text), out->key);
    free(text);
    return rc;
}

int sweep_find_simulator(struct sweep_commands *c, struct err *e)
{
    return add_code(c, c->gcnsim, c->code_sha256, e) || add_library(c, c->code_sha256, e) ? -1 : 0;
}

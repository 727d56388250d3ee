/* A program of the build: reads every built-in profile from its JSON and prints them as a C file of figures, with
 * "extends" applied (struct profile_resolved, config/builtin.h). Linked with config/ and the table that config/embed.sh
 * has made. Its output holds for any host. */
#include "config/builtin.h"
#include "config/rows.h"
#include "sim/util/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All strings, each once. The first is empty. */
struct pool {
    const char **string;
    uint32_t *at;
    size_t count;
    uint32_t bytes;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "resolve: %s: %s\n", what, why);
    exit(1);
}

/* Where s lies among the strings. Beyond those that it has, it keeps the pointer. */
static uint32_t place(struct pool *pool, const char *s)
{
    for (size_t i = 0; i < pool->count; i++)
        if (!strcmp(pool->string[i], s))
            return pool->at[i];
    pool->string = realloc(pool->string, (pool->count + 1) * sizeof *pool->string);
    pool->at = realloc(pool->at, (pool->count + 1) * sizeof *pool->at);
    if (!pool->string || !pool->at)
        die(s, "out of memory");
    pool->string[pool->count] = s;
    pool->at[pool->count++] = pool->bytes;
    pool->bytes += (uint32_t)strlen(s) + 1;
    return pool->at[pool->count - 1];
}

static void print_string(const char *s)
{
    putchar('"');
    for (; *s; s++)
        if (*s == '"' || *s == '\\' || *s == '?' || (unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
            printf("\\%03o", (unsigned)(unsigned char)*s);
        else
            putchar(*s);
    putchar('"');
}

static double value_of(const struct profile *p, const struct profile_row *row)
{
    double value = 0;

    if (row->type != ROW_TEXT && !profile_number(p, row->path, &value))
        die(row->path, "has no value");
    return value;
}

static void print_figures(const struct profile *p, unsigned number, struct pool *pool)
{
    printf("static const struct profile_figure figures%u[] = {\n", number);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *o = &p->origin[i];

        if (!o->given) {
            printf("    {0, 0, 0, false, 0, 0}, /* %s */\n", row->path);
            continue;
        }
        const char *text = row->type == ROW_TEXT ? row_in(p, row) : o->source ? o->source : "";
        printf("    {%a, %" PRIu32 ", %" PRIu32 ", true, %u, %u}, /* %s */\n", value_of(p, row), place(pool, text),
               o->measured_on ? place(pool, o->measured_on) : 0, o->confidence, o->file, row->path);
    }
    printf("};\nstatic const char *const files%u[] = {", number);
    for (unsigned k = 0; k < p->file_count; k++) {
        print_string(p->files[k]);
        printf(", ");
    }
    printf("0};\n");
}

/* Prints the hash of a profile as it is printed in JSON. False: the profile serves as a base alone. */
static bool print_hash(const char *name)
{
    char hash[SHA256_TEXT], *text;
    struct profile *p;
    struct err e = {0};

    if (profile_load(&p, name, &e))
        return false;
    if (profile_print(p, PROFILE_JSON, &text, &e))
        die(name, e.text);
    sha256_text(text, strlen(text), hash);
    printf("\"%s\"", hash);
    free(text);
    profile_free(p);
    return true;
}

int main(void)
{
    struct pool pool = {0};
    unsigned n = 0;

    place(&pool, "");
    puts("/* made by config/resolve/resolve.c; do not edit */\n#include \"config/builtin.h\"");
    for (const struct profile_builtin *b = profile_builtins; b->name; b++) {
        struct err e = {0};
        struct profile *p = profile_unsettled(b, &e); /* kept: the pool points into it */

        if (!p)
            die(b->name, e.text);
        print_figures(p, n++, &pool);
    }
    puts("static const char strings[] =");
    for (size_t i = 0; i < pool.count; i++) {
        printf("    ");
        print_string(pool.string[i]);
        puts(" \"\\0\"");
    }
    puts("    ;\nstatic const struct profile_resolved resolved[] = {");
    for (unsigned k = 0; k < n; k++) {
        printf("    {figures%u, strings, files%u, ", k, k);
        if (!print_hash(profile_builtins[k].name))
            printf("0");
        puts("},");
    }
    puts("};\nconst struct profile_builtin profile_builtins[] = {");
    for (unsigned k = 0; k < n; k++) {
        const struct profile_builtin *b = &profile_builtins[k];

        printf("    {\"%s\", 0, 0, &resolved[%u], \"%s\", \"%s\", %s},\n", b->name, k, b->chip, b->target,
               b->is_default_for_target ? "true" : "false");
    }
    puts("    {0, 0, 0, 0, 0, 0, false},\n};");
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}

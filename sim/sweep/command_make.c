/* Commands of points. Their keys are command_key.c. */
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
#include "sim/util/input.h"
#include "sim/util/text_stream.h"

/* ---- words ---- */

/* A command that is made. */
struct maker {
    struct sweep_points *p;
    uint64_t point;
    struct sweep_command *out;
    uint32_t room;
    struct err *e;
    int rc;
};

static void put(struct maker *m, char *word)
{
    struct sweep_command *c = m->out;

    if (!word) {
        m->rc = err_set(m->e, ERR_NOMEM, "out of host memory");
        return;
    }
    if (c->count + 2 > m->room) {
        uint32_t room = m->room ? 2 * m->room : 64;
        char **more = realloc(c->words, room * sizeof *more);

        if (!more) {
            free(word);
            m->rc = err_set(m->e, ERR_NOMEM, "out of host memory");
            return;
        }
        c->words = more;
        m->room = room;
    }
    c->words[c->count++] = word;
    c->words[c->count] = NULL;
}

static void put_text(struct maker *m, const char *text)
{
    put(m, strdup(text));
}

/* A word with {NAME} replaced by values; "{{" is a brace. To be freed; null with m->rc. */
static char *fill_in(struct maker *m, const char *text)
{
    struct text_stream t;
    char *word, name[256];
    FILE *f;

    if (!text_stream_open(&t)) {
        m->rc = err_set(m->e, ERR_NOMEM, "out of host memory");
        return NULL;
    }
    f = t.f;
    for (const char *at = text; *at;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL, *value;

        if (*at == '{' && at[1] == '{') {
            fputc('{', f);
            at += 2;
            continue;
        }
        if (*at != '{') {
            fputc(*at++, f);
            continue;
        }
        snprintf(name, sizeof name, "%.*s", end ? (int)(end - at - 1) : 0, at + 1);
        value = end ? sweep_point_word(m->p, m->point, name) : NULL;
        if (!value) {
            m->rc = err_set(m->e, ERR_FORMAT,
                            "'%.200s': {%.80s} has no value; expected a parameter or a definition, or {{ "
                            "for a brace",
                            text, name);
            break;
        }
        fputs(value, f);
        at = end + 1;
    }
    word = text_stream_close(&t);
    if (!word && !m->rc)
        m->rc = err_set(m->e, ERR_NOMEM, "out of host memory");
    if (!m->rc)
        return word;
    free(word);
    return NULL;
}

static void put_filled(struct maker *m, const char *text)
{
    put(m, fill_in(m, text));
}

static void put_pair(struct maker *m, const char *option, const char *name, const char *value)
{
    char *word = NULL;

    if (option)
        put_text(m, option);
    put(m, asprintf(&word, "%s%s%s", name, *name ? "=" : "", value) < 0 ? NULL : word);
}

static void put_axes(struct maker *m, const struct sweep_spec *s)
{
    uint32_t columns = sweep_columns(s), axis;

    for (uint32_t c = 0; c < columns && !m->rc; c++) {
        const struct sweep_part *part = sweep_column(s, c, &axis);
        const char *value = sweep_point_value(m->p, m->point, c)->text;
        char *spec = NULL, *option = NULL;

        if (part->kind == SWEEP_SET) {
            put_pair(m, "--set", part->name, value);
        } else if (part->kind == SWEEP_ARGUMENT) {
            if (asprintf(&spec, "%s%s%s", part->pattern ? part->pattern : "", part->pattern ? ":" : "", value) >= 0)
                put_pair(m, "--replace-arg", part->name, spec);
            free(spec);
        } else if (part->kind == SWEEP_OPTION) {
            bool flag = strcmp(value, "true") == 0, absent = strcmp(value, "false") == 0;

            if (!absent)
                put(m, asprintf(&option, flag ? "--%s" : "--%s=%s", part->name, value) < 0 ? NULL : option);
        }
    }
}

static void put_options(struct maker *m, const struct sweep_spec *s)
{
    const char *profile = sweep_point_profile(m->p, m->point);

    if (profile)
        put_pair(m, "--arch", "", profile);
    put_axes(m, s);
    for (uint32_t k = 0; k < s->option_count && !m->rc; k++)
        put_filled(m, s->options[k]);
}

static void put_environment(struct maker *m, const struct sweep_launch *l)
{
    char **variables = calloc(l->environment_count + 1, sizeof *variables);

    m->out->environment = variables;
    if (!variables)
        m->rc = err_set(m->e, ERR_NOMEM, "out of host memory");
    for (uint32_t k = 0; k < l->environment_count && !m->rc; k++)
        variables[k] = fill_in(m, l->environment[k]);
}

static void put_words(struct maker *m, const struct sweep_spec *s, const struct sweep_launch *l)
{
    put_text(m, l->program ? "exec" : "run");
    if (l->program) {
        /* what a sweep is for, on one processor for each run; options that are stated come after and win */
        put_pair(m, "--engine", "", "timing");
        put_pair(m, "--threads", "", "1");
        for (uint32_t k = 0; k < l->option_count && !m->rc; k++)
            put_filled(m, l->options[k]);
        put_options(m, s);
        put_text(m, "--csv");
        m->out->table = m->out->count;
        put_text(m, "statistics=");
        put_text(m, "--");
    }
    for (uint32_t k = 0; k < l->word_count && !m->rc; k++)
        put_filled(m, l->words[k]);
    if (!l->program) {
        for (uint32_t k = 0; k < l->option_count && !m->rc; k++)
            put_filled(m, l->options[k]);
        put_options(m, s);
        put_text(m, "--discard-outputs");
        put_pair(m, "--json", "", "-");
        put_pair(m, "--progress", "", "never");
    }
}

int sweep_command_check(const struct sweep_commands *c, const struct sweep_command *command, struct err *e)
{
    const char *file = command->program ? NULL : command->words[2];
    char *path;
    int rc = 0;

    if (!file)
        return 0; /* the shell's path, and what exec says */
    path = sweep_path_in(c->s->folder, file, strlen(file), e);
    if (!path)
        return -1;
    if (access(path, R_OK) != 0)
        rc = err_set(e, ERR_USAGE, "%s: launches: %s: %s; expected a launch file or a code object", c->s->path, file,
                     strerror(errno));
    free(path);
    return rc;
}

int sweep_command_make(struct sweep_commands *c, struct sweep_points *p, uint64_t point, struct sweep_command *out,
                       struct err *e)
{
    const struct sweep_launch *l = sweep_point_launch(p, point);
    struct maker m = {.p = p, .point = point, .out = out, .e = e};

    *out = (struct sweep_command){.program = l->program};
    put_text(&m, c->gcnsim);
    put_words(&m, c->s, l);
    if (!m.rc)
        put_environment(&m, l);
    if (!m.rc)
        m.rc = sweep_command_make_key(c, l, out, e);
    if (m.rc) {
        sweep_command_free(out);
        return err_prefix(e, "%s: launches: %s", c->s->path, l->name);
    }
    return 0;
}

void sweep_command_free(struct sweep_command *c)
{
    for (uint32_t k = 0; k < c->count; k++)
        free(c->words[k]);
    for (char **v = c->environment; v && *v; v++)
        free(*v);
    free(c->words);
    free(c->environment);
    *c = (struct sweep_command){0};
}

void sweep_put_quoted(FILE *f, const char *word)
{
    fputc('\'', f);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", f);
        else
            fputc(*word, f);
    fputc('\'', f);
}

char *sweep_command_line(const struct sweep_command *c)
{
    struct text_stream t;
    FILE *f;

    if (!text_stream_open(&t))
        return NULL;
    f = t.f;
    for (char **v = c->environment; v && *v; v++)
        fprintf(f, "%s ", *v);
    for (uint32_t k = 0; k < c->count; k++) {
        const char *word = k ? c->words[k] : "gcnsim";
        bool plain = *word && !strpbrk(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!");

        fputs(k ? " " : "", f);
        if (plain)
            fputs(word, f);
        else
            sweep_put_quoted(f, word);
    }
    return text_stream_close(&t);
}

int sweep_commands_new(struct sweep_commands **out, const struct sweep_spec *s, const char *gcnsim, struct err *e)
{
    struct sweep_commands *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c || !(c->gcnsim = strdup(gcnsim))) {
        sweep_commands_free(c);
        return err_set(e, ERR_NOMEM, "out of host memory");
    }
    c->s = s;
    if (sweep_find_simulator(c, e)) {
        sweep_commands_free(c);
        return -1;
    }
    *out = c;
    return 0;
}

void sweep_commands_free(struct sweep_commands *c)
{
    if (!c)
        return;
    for (size_t k = 0; k < c->files; k++) {
        free(c->file[k].path);
        free(c->file[k].names);
    }
    free(c->file);
    free(c->gcnsim);
    free(c);
}

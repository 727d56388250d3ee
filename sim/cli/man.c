/* Man pages out of the table of options, in roff. */
#include "sim/cli/options.h"

#include <ctype.h>
#include <string.h>

#ifndef GCNSIM_RELEASED
#define GCNSIM_RELEASED ""
#endif

/* Characters that roff would take for its own, and dashes that are to stay dashes. */
static void escape(FILE *f, const char *text, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        switch (text[k]) {
        case '\\':
            fputs("\\e", f);
            break;
        case '-':
            fputs("\\-", f);
            break;
        case '\'':
            fputs("\\(aq", f);
            break;
        case '^':
            fputs("\\(ha", f);
            break;
        case '~':
            fputs("\\(ti", f);
            break;
        default:
            putc(text[k], f);
        }
}

/* Bytes of a word that are an option: "--max-cycles" of "--max-cycles,". */
static size_t option_bytes(const char *word, size_t bytes)
{
    size_t dashes = strspn(word, "-"), n = dashes;

    if (dashes < 1 || dashes > 2 || n >= bytes || !isalpha((unsigned char)word[n]))
        return 0;
    while (n < bytes && (isalnum((unsigned char)word[n]) || word[n] == '-'))
        n++;
    return n;
}

/* Bytes that are a placeholder, such as FILE: capitals alone, at least two. */
static size_t placeholder_bytes(const char *word, size_t bytes)
{
    size_t n = 0;

    while (n < bytes && (isupper((unsigned char)word[n]) || (n && isdigit((unsigned char)word[n]))))
        n++;
    return n >= 2 ? n : 0;
}

/* A word of a synopsis or of an option's name: options bold, placeholders italic. */
static void mark_up(FILE *f, const char *text, size_t bytes, bool placeholders)
{
    for (size_t k = 0, n; k < bytes; k += n) {
        bool start = k == 0 || strchr(" [|(,='", text[k - 1]);
        char font = 'R';

        n = 1;
        if (start && option_bytes(text + k, bytes - k)) {
            n = option_bytes(text + k, bytes - k);
            font = 'B';
        } else if (placeholders && placeholder_bytes(text + k, bytes - k)) {
            n = placeholder_bytes(text + k, bytes - k);
            font = 'I';
        }
        if (font != 'R')
            fprintf(f, "\\f%c", font);
        escape(f, text + k, n);
        if (font != 'R')
            fputs("\\fR", f);
    }
}

/* A line of text, which must not look like a request. */
static void put_line(FILE *f, const char *text, size_t bytes)
{
    if (bytes && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", f);
    mark_up(f, text, bytes, false);
    putc('\n', f);
}

/* The paragraphs of a text (options.h). first: the text begins after a heading or a label. */
static void put_text(FILE *f, const char *text, bool first)
{
    bool literal = false, listed = false;

    for (const char *line = text;; line++) {
        size_t length = strcspn(line, "\n"), label = strcspn(line, "\t\n");

        if (literal && line[0] != ' ')
            fputs(".EE\n", f);
        if (!literal && line[0] == ' ')
            fprintf(f, "%s.EX\n", first ? "" : ".PP\n");
        literal = line[0] == ' ';
        if (line[label] == '\t') {
            fputs(".TP\n", f);
            mark_up(f, line, label, true);
            putc('\n', f);
            put_line(f, line + label + 1, length - label - 1);
            listed = true;
        } else if (literal) {
            put_line(f, line, length);
        } else if (length) {
            if (!first || listed)
                fputs(".PP\n", f);
            put_line(f, line, length);
            listed = false;
        }
        first = false;
        line += length;
        if (!*line)
            break;
    }
    if (literal)
        fputs(".EE\n", f);
}

static void put_heading(FILE *f, const char *request, const char *title)
{
    fprintf(f, "%s \"", request);
    for (const char *c = title; *c; c++)
        putc(strcmp(request, ".SH") == 0 ? toupper((unsigned char)*c)
             : c == title                ? toupper((unsigned char)*c)
                                         : *c,
             f);
    fputs("\"\n", f);
}

static void put_synopsis(FILE *f, const struct cli_command *c)
{
    bool open = false;

    for (const char *line = c->usage; *line;) {
        size_t n = strcspn(line, "\n"), blanks = strspn(line, " ");

        if (blanks == 0) {
            fprintf(f, "%s.SY gcnsim\n", open ? ".YS\n" : "");
            open = true;
        }
        mark_up(f, line + blanks, n - blanks, true);
        putc('\n', f);
        line += n + (line[n] != 0);
    }
    fputs(".YS\n", f);
}

static void put_option(FILE *f, const struct option_row *row)
{
    if (row->kind == OPTION_PART)
        return;
    if (row->kind == OPTION_GROUP) {
        put_heading(f, ".SS", row->name);
        return;
    }
    fputs(".TP\n", f);
    if (row->short_name)
        fprintf(f, "\\fB\\-%c\\fR, ", row->short_name);
    fputs("\\fB\\-\\-", f);
    escape(f, row->name, strlen(row->name));
    fputs("\\fR", f);
    if (row->value) {
        putc(' ', f);
        /* words are to be typed as they are */
        if (row->words)
            escape(f, row->value, strlen(row->value));
        else
            fputs("\\fI", f), escape(f, row->value, strlen(row->value)), fputs("\\fR", f);
    }
    putc('\n', f);
    put_text(f, row->help, true);
}

static void put_commands(FILE *f)
{
    fputs(".SH COMMANDS\n", f);
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            fprintf(f, ".TP\n.BR gcnsim\\-%s (1)\n%s\n", (*c)->name, (*c)->summary);
}

static void put_list(FILE *f, const struct cli_item_list *l)
{
    const char *item, *about;

    put_heading(f, ".SH", l->title);
    for (size_t k = 0; (item = l->item(k, &about)); k++) {
        fputs(".TP\n", f);
        mark_up(f, item, strlen(item), false);
        putc('\n', f);
        put_line(f, about, strlen(about));
    }
}

/* What options hand on to the program. */
static void put_variables(FILE *f, const struct cli_command *c)
{
    bool any = false;

    for (const struct option_row *row = c->options; row->kind != OPTION_END; row++) {
        if (!c->given || !row->variable || row->kind == OPTION_PART)
            continue;
        if (!any)
            fputs(".SH VARIABLES\n", f);
        any = true;
        fprintf(f, ".TP\n\\fB%s\\fR\n\\fB\\-\\-", row->variable);
        escape(f, row->name, strlen(row->name));
        fputs("\\fR\n", f);
    }
}

static void put_see_also(FILE *f, const struct cli_command *c)
{
    bool first = true;

    fputs(".SH SEE ALSO\n", f);
    if (c != &cli_program) {
        fputs(".BR gcnsim (1)", f);
        first = false;
    }
    for (const struct cli_command *const *other = cli_commands; *other; other++)
        if (!(*other)->hidden && *other != c) {
            fprintf(f, "%s.BR gcnsim\\-%s (1)", first ? "" : ",\n", (*other)->name);
            first = false;
        }
    fputs("\n.PP\nThe documents named here lie in the folder share/doc/gcnsim of the installation.\n", f);
}

void cli_print_man(FILE *f, const struct cli_command *c)
{
    bool program = c == &cli_program;

    fputs(".\\\" made by gcnsim pages from its table of options\n", f);
    fprintf(f, ".TH gcnsim%s%s 1 %s \"gcnsim %s\" \"User Commands\"\n", program ? "" : "\\-", program ? "" : c->name,
            GCNSIM_RELEASED, gcnsim_version());
    fprintf(f, ".SH NAME\ngcnsim%s%s \\- ", program ? "" : "\\-", program ? "" : c->name);
    put_line(f, c->summary, strlen(c->summary));
    fputs(".SH SYNOPSIS\n", f);
    put_synopsis(f, c);
    fputs(".SH DESCRIPTION\n", f);
    put_text(f, c->about, true);
    if (program)
        put_commands(f);
    fputs(".SH OPTIONS\n", f);
    for (const struct option_row *row = c->options; row->kind != OPTION_END; row++)
        put_option(f, row);
    put_option(f, &cli_help_option);
    for (const struct cli_section *s = c->sections; s->text; s++) {
        put_heading(f, ".SH", s->title);
        put_text(f, s->text, true);
    }
    EACH_LIST(l, c)
    put_list(f, l);
    put_variables(f, c);
    put_see_also(f, c);
}

/* --help of every command, and gcnsim help: the table of options as text for a terminal. */
#include "sim/cli/options.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, OPTION_COLUMN = 24 /* of the help of options */ };

/* ---- filling lines ---- */

/* Characters of UTF-8 text. */
static int columns_of(const char *text, size_t bytes)
{
    int n = 0;

    for (size_t k = 0; k < bytes; k++)
        n += ((unsigned char)text[k] & 0xc0) != 0x80;
    return n;
}

static int put(FILE *f, const char *text, size_t bytes)
{
    fwrite(text, 1, bytes, f);
    return columns_of(text, bytes);
}

/* The words of text[0..bytes), from `column` on; a word that does not fit begins the next line. */
static void fill_words(FILE *f, const char *text, size_t bytes, int column, int indent)
{
    const char *end = text + bytes;
    bool first = true;

    while (text < end) {
        size_t n = strcspn(text, " \n");

        n = n > (size_t)(end - text) ? (size_t)(end - text) : n;
        int width = columns_of(text, n);
        if (!first && column + 1 + width > COLUMNS) {
            fprintf(f, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            column += put(f, " ", 1);
        }
        column += put(f, text, n);
        text += n;
        while (text < end && *text == ' ')
            text++;
        first = false;
    }
}

/* The column of the texts of a list: after the longest label of the items that follow one another here. */
static int label_columns(const char *line)
{
    int most = 0;

    for (;; line++) {
        size_t label = strcspn(line, "\t\n"), length = strcspn(line, "\n");
        int width = columns_of(line, label);

        if (line[label] != '\t')
            return most + 2;
        most = width > most ? width : most;
        line += length;
        if (!*line)
            return most + 2;
    }
}

void cli_fill(FILE *f, const char *text, int column, int indent)
{
    int labels = 0;

    for (const char *line = text;; line++) {
        size_t length = strcspn(line, "\n"), label = strcspn(line, "\t\n");

        if (column < indent && length)
            column += fprintf(f, "%*s", indent - column, "");
        if (line[label] == '\t') {
            labels = labels ? labels : label_columns(line);
            int width = put(f, line, label);
            int at = indent + labels;
            fprintf(f, "%*s", labels - width, "");
            fill_words(f, line + label + 1, length - label - 1, at, at);
        } else if (line[0] == ' ') {
            put(f, line, length);
        } else {
            fill_words(f, line, length, column, indent);
        }
        if (line[label] != '\t')
            labels = 0;
        putc('\n', f);
        line += length;
        column = 0;
        if (!*line)
            return;
    }
}

/* ---- help ---- */

const struct option_row cli_help_option = {.name = "help", .short_name = 'h', .help = "print this"};
const struct option_row cli_no_options[] = {{.kind = OPTION_END}};

static const struct option_row program_options[] = {
    {"version", .kind = OPTION_FLAG, .short_name = 'V', .help = "print the version"},
    {.kind = OPTION_END},
};

const struct cli_command cli_program = {
    .name = "gcnsim",
    .summary = "runs amdgcn kernels without a GPU and says where the cycles went",
    .usage = "COMMAND [OPTION]... [FILE]...\n"
             "help COMMAND|OPTION|TITLE",
    .about =
        "Runs kernels of AMD GPUs (GCN, CDNA, RDNA) on the CPU, with the results of the hardware, and says how many "
        "cycles they would take and where those went. No GPU is needed.",
    .options = program_options,
    .sections = {{"to begin with", "  gcnsim info kernels.co\n"
                                   "  gcnsim run kernels.co --kernel vecadd --grid 1024 --workgroup 256 \\\n"
                                   "      --arg in:a.bin --arg in:b.bin --arg out:c.bin:4096 --arg u32:1024\n"
                                   "  gcnsim exec ./a_hip_program"},
                 {"exit status",
                  "0\tsuccess\n"
                  "1\tthe simulated program faulted or did not reach its end, or --check found something\n"
                  "2\tbad input or usage, or too little memory\n"
                  "3\tsomething could not be written"}},
};

void cli_print_option(FILE *f, const struct option_row *row)
{
    int column = 0;

    if (row->kind == OPTION_PART)
        return;
    if (row->kind == OPTION_GROUP) {
        fprintf(f, "\n%s\n", row->name);
        return;
    }
    column = fprintf(f, "  ");
    if (row->short_name)
        column += fprintf(f, "-%c, ", row->short_name);
    column += fprintf(f, "--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
    if (column >= OPTION_COLUMN) {
        putc('\n', f);
        column = 0;
    }
    fprintf(f, "%*s", OPTION_COLUMN - column, "");
    cli_fill(f, row->help, OPTION_COLUMN, OPTION_COLUMN);
}

static void print_usage(FILE *f, const struct cli_command *c)
{
    const char *line = c->usage;

    for (const char *before = "usage: "; *line; before = "       ") {
        int n = (int)strcspn(line, "\n");

        /* lines that go on with the one before begin with a blank */
        fprintf(f, "%s%s%.*s\n", before, line[0] == ' ' ? "       " : "gcnsim ", n, line);
        line += n + (line[n] != 0);
    }
}

static void print_section(FILE *f, const char *title, const char *text)
{
    fprintf(f, "\n%s\n", title);
    cli_fill(f, text, 0, 2);
}

static void print_list(FILE *f, const struct cli_item_list *l)
{
    const char *item, *about;
    int most = 0;

    fprintf(f, "\n%s\n", l->title);
    for (size_t k = 0; (item = l->item(k, &about)); k++)
        most = columns_of(item, strlen(item)) > most ? columns_of(item, strlen(item)) : most;
    for (size_t k = 0; (item = l->item(k, &about)); k++) {
        fprintf(f, "  %-*s  ", most, item);
        cli_fill(f, about, most + 4, most + 4);
    }
}

static void print_commands(FILE *f)
{
    fputs("\ncommands\n", f);
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            fprintf(f, "  %-12s%s\n", (*c)->name, (*c)->summary);
}

void cli_print_help(FILE *f, const struct cli_command *c)
{
    print_usage(f, c);
    putc('\n', f);
    cli_fill(f, c->about, 0, 0);
    if (c == &cli_program)
        print_commands(f);
    if (c->options->kind != OPTION_GROUP && c->options->kind != OPTION_END)
        fputs("\noptions\n", f);
    for (const struct option_row *row = c->options; row->kind != OPTION_END; row++)
        cli_print_option(f, row);
    if (c->options->kind != OPTION_END)
        cli_print_option(f, &cli_help_option);
    for (const struct cli_section *s = c->sections; s->text; s++)
        print_section(f, s->title, s->text);
    EACH_LIST(l, c)
    print_list(f, l);
}

/* ---- gcnsim help ---- */

static bool same_option(const struct option_row *a, const struct option_row *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->value ? a->value : "", b->value ? b->value : "") == 0 &&
           strcmp(a->help, b->help) == 0;
}

static const struct option_row *option_of(const struct cli_command *c, const char *name)
{
    for (const struct option_row *row = c->options; row->kind != OPTION_END; row++)
        if (row->kind != OPTION_GROUP && row->kind != OPTION_PART && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

/* The option of all commands that have it, once for those where it is the same; false: none has. */
static bool help_option(const char *name)
{
    bool found = false;

    for (const struct cli_command *const *c = cli_commands; *c; c++) {
        const struct option_row *row = option_of(*c, name), *other;
        bool told = false;

        for (const struct cli_command *const *before = cli_commands; before < c && row; before++)
            told |= (other = option_of(*before, name)) && same_option(row, other);
        if (!row || told)
            continue;
        cli_printf("%sgcnsim %s", found ? "\n" : "", (*c)->name);
        for (const struct cli_command *const *after = c + 1; *after; after++)
            if ((other = option_of(*after, name)) && same_option(row, other))
                cli_printf(", %s", (*after)->name);
        putchar('\n');
        cli_print_option(stdout, row);
        found = true;
    }
    return found;
}

/* "exit status" and "exit-status" */
static bool is_title(const char *topic, const char *title)
{
    while (*topic && (*topic == *title || (*topic == '-' && *title == ' '))) {
        topic++;
        title++;
    }
    return !*topic && !*title;
}

/* The section of all commands that have one of this title; false: none has. */
static bool help_section(const char *topic)
{
    bool found = false;

    for (const struct cli_command *const *c = cli_commands; *c; c++) {
        for (const struct cli_section *s = (*c)->sections; s->text; s++)
            if (is_title(topic, s->title)) {
                cli_printf("%sgcnsim %s: %s\n", found ? "\n" : "", (*c)->name, s->title);
                cli_fill(stdout, s->text, 0, 2);
                found = true;
            }
        EACH_LIST(l, *c)
        if (is_title(topic, l->title)) {
            cli_printf("%sgcnsim %s", found ? "\n" : "", (*c)->name);
            print_list(stdout, l);
            found = true;
        }
    }
    return found;
}

static int no_such_topic(const char *topic)
{
    enum { MAX_TOPICS = 512 };
    const char *names[MAX_TOPICS];
    size_t n = 0;

    for (const struct cli_command *const *c = cli_commands; *c; c++) {
        if (!(*c)->hidden && n < MAX_TOPICS)
            names[n++] = (*c)->name;
        for (const struct option_row *row = (*c)->options; row->kind != OPTION_END; row++)
            if (row->kind != OPTION_GROUP && row->kind != OPTION_PART && n < MAX_TOPICS)
                names[n++] = row->name;
        for (const struct cli_section *s = (*c)->sections; s->text && n < MAX_TOPICS; s++)
            names[n++] = s->title;
    }
    const char *near = cli_nearest(topic, names, n);
    return near ? cli_usage(NULL, "'%s' is no command, option or title of its help; did you mean '%s'?", topic, near)
                : cli_usage(NULL, "'%s' is no command, option or title of its help", topic);
}

/* Not read by getopt: options are what is asked about. */
static int cli_help(int argc, char **argv)
{
    const char *topic = argc > 1 ? argv[1] : NULL;
    const struct cli_command *c;

    if (argc > 2)
        return cli_usage("help", "%d words given; expected one command or option", argc - 1);
    if (!topic)
        c = &cli_program;
    else if (strcmp(topic, "--help") == 0 || strcmp(topic, "-h") == 0)
        c = cli_command_named("help");
    else
        c = cli_command_named(topic);
    if (c)
        cli_print_help(stdout, c);
    else if (!help_option(topic + strspn(topic, "-")) && !help_section(topic))
        return no_such_topic(topic + strspn(topic, "-"));
    return cli_flush();
}

const struct cli_command cli_command_help = {
    .name = "help",
    .summary = "prints what a command or an option does",
    .usage = "help [COMMAND|OPTION|TITLE]",
    .about = "Prints the help of a command, the paragraph of an option in each command that has it, or a part of a "
             "command's "
             "help by its title: gcnsim help run, gcnsim help --grid, gcnsim help arguments, gcnsim help exit-status.",
    .options = cli_no_options,
    .run = cli_help,
    .operands = COMPLETE_TOPICS,
};

/* Reads command lines by the table of options, and says what is wrong with them. */
#define _GNU_SOURCE
#include "sim/cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROW = 256 }; /* getopt's number of the table's row 0 */

/* ---- wrong options ---- */

const char *cli_nearest(const char *wanted, const char *const *names, size_t count)
{
    size_t k = gcnsim_nearest_name(wanted, names, count);

    return k < count ? names[k] : NULL;
}

/* Names of a command's options; their number. */
static size_t option_names(const struct cli_command *c, const char *names[CLI_MAX_OPTIONS + 1])
{
    size_t n = 0;

    EACH_OPTION(row, c->options)
    names[n++] = row->name;
    names[n++] = "help";
    return n;
}

/* Another command that has the option; null: none. */
static const struct cli_command *owner(const char *name, size_t length)
{
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        EACH_OPTION(row, (*c)->options)
    if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
        return *c;
    return NULL;
}

/* word: "--name", "--name=value" or "-name". */
static int no_such_option(const struct cli_command *c, const char *word)
{
    const char *names[CLI_MAX_OPTIONS + 1], *found[CLI_MAX_OPTIONS + 1], *dashes = word[1] == '-' ? "--" : "-";
    size_t n = option_names(c, names), matches = 0;
    const char *name = word + strlen(dashes);
    char wanted[80], list[400] = "";
    int length = (int)strcspn(name, "=");

    snprintf(wanted, sizeof wanted, "%.*s", length, name);
    for (size_t k = 0; k < n; k++)
        if (strncmp(names[k], wanted, strlen(wanted)) == 0)
            found[matches++] = names[k];
    if (dashes[1] && matches > 1 && length > 0) {
        for (size_t k = 0; k < matches; k++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s--%s",
                     k == 0             ? ""
                     : k + 1 == matches ? " and "
                                        : ", ",
                     found[k]);
        return cli_usage(c->name, "--%s is short for several options: %s", wanted, list);
    }
    const char *near = matches == 1 ? found[0] : cli_nearest(wanted, names, n);
    const struct cli_command *other = owner(name, (size_t)length);
    if (other && other != c)
        return cli_usage(c->name, "there is no option %s%s; 'gcnsim %s' has it", dashes, wanted, other->name);
    if (near)
        return cli_usage(c->name, "there is no option %s%s; did you mean '--%s'?", dashes, wanted, near);
    return cli_usage(c->name, "there is no option %s%s", dashes, wanted);
}

/* After getopt_long returned '?' or ':' (opterr is 0). */
static int bad_option(const struct cli_command *c, int got, char **argv)
{
    const char *word = argv[optind - 1], *next = argv[optind];
    char one[3] = {'-', (char)optopt, 0};

    if (got == ':')
        return cli_usage(c->name, "%s needs a value", word);
    if (optopt && word[0] == '-' && word[1] == '-' && strchr(word, '='))
        return cli_usage(c->name, "%.*s takes no value", (int)strcspn(word, "="), word);
    if (optopt && next && next[0] == '-' && next[1] == optopt) /* of several letters */
        return no_such_option(c, next);
    return no_such_option(c, optopt ? one : word);
}

int cli_bad_value(const char *command, const struct option_row *row, const char *value, const char *why)
{
    return cli_usage(command, "--%s: '%s'; %s", row->name, value, why);
}

int cli_options_beside(const struct cli_command *c, const void *into, const void *all)
{
    const struct option_row *row = option_alone(c->options, into, all);

    return row ? cli_usage(c->name, "--%s is for --%s; there is none", row->name, row->beside) : CLI_OK;
}

/* ---- command lines ---- */

/* getopt's own tables. */
struct lists {
    struct option long_names[CLI_MAX_OPTIONS + 2];
    char short_names[2 * CLI_MAX_OPTIONS + 8];
};

static void make_lists(const struct cli_command *c, struct lists *l)
{
    char *letter = stpcpy(l->short_names, c->stops ? "+:h" : ":h");
    size_t n = 0;

    EACH_OPTION(row, c->options)
    {
        l->long_names[n++] = (struct option){row->name,
                                             row->bare    ? optional_argument
                                             : row->value ? required_argument
                                                          : no_argument,
                                             NULL, FIRST_ROW + (int)(row - c->options)};
        if (row->short_name)
            *letter++ = row->short_name;
        if (row->short_name && row->value)
            *letter++ = ':';
    }
    *letter = 0;
    l->long_names[n++] = (struct option){"help", no_argument, NULL, 'h'};
    l->long_names[n] = (struct option){0};
}

static const struct option_row *row_of(const struct cli_command *c, int got)
{
    const struct option_row *row = c->options;

    if (got >= FIRST_ROW)
        return row + (got - FIRST_ROW);
    while (row->short_name != got)
        row++;
    return row;
}

/* The value of an option that may go without: the next word, when it can be one. */
static const char *bare_value(const struct option_row *row, char **argv)
{
    const char *next = argv[optind];

    return next && *next >= '0' && *next <= '9' ? argv[optind++] : row->bare;
}

static int take_option(const struct cli_command *c, int got, void *into, char **argv)
{
    const struct option_row *row = row_of(c, got);
    const char *value = row->bare && !optarg ? bare_value(row, argv) : optarg;
    char why[300];

    if (!option_read(row, value, into, why, sizeof why))
        return cli_bad_value(c->name, row, value ? value : "", why);
    return c->given ? c->given(row, value) : CLI_OK;
}

int cli_options_read(const struct cli_command *c, int argc, char **argv, void *into, bool *done)
{
    int status = CLI_OK, got;
    struct lists l;

    make_lists(c, &l);
    opterr = 0;
    while (status == CLI_OK && (got = getopt_long(argc, argv, l.short_names, l.long_names, NULL)) != -1) {
        if (got == 'h') {
            cli_print_help(stdout, c);
            *done = true;
            return cli_flush();
        }
        status = got == '?' || got == ':' ? bad_option(c, got, argv) : take_option(c, got, into, argv);
    }
    *done = status != CLI_OK;
    return status;
}

void cli_options_free(const struct cli_command *c, void *into)
{
    option_free(c->options, into);
}

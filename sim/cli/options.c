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

    for (const struct cli_option *row = c->options; row && row->kind != CLI_END; row++)
        if (row->kind != CLI_GROUP)
            names[n++] = row->name;
    names[n++] = "help";
    return n;
}

/* Another command that has the option; null: none. */
static const struct cli_command *owner(const char *name, size_t length)
{
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        for (const struct cli_option *row = (*c)->options; row && row->kind != CLI_END; row++)
            if (row->kind != CLI_GROUP && strlen(row->name) == length && strncmp(row->name, name, length) == 0)
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

int cli_bad_value(const char *command, const struct cli_option *row, const char *value, const char *expected)
{
    return cli_usage(command, "--%s: '%s'; expected %s", row->name, value, expected);
}

/* ---- values ---- */

static int take_number(const char *command, const struct cli_option *row, const char *value, uint64_t most,
                       uint64_t *number)
{
    char expected[80];

    most = row->most ? row->most : most;
    if (cli_number(value, most, number) && *number >= row->least)
        return CLI_OK;
    if (most == UINT64_MAX)
        snprintf(expected, sizeof expected, "a whole number from %llu on", (unsigned long long)row->least);
    else
        snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)row->least,
                 (unsigned long long)most);
    return cli_bad_value(command, row, value, expected);
}

/* "auto, always or never" of "auto|always|never". */
static void spell_words(const char *words, char *text, size_t size)
{
    for (const char *end, *word = words; *word && size > 1; word = *end ? end + 1 : end) {
        end = word + strcspn(word, "|");
        int n = snprintf(text, size, "%s%.*s",
                         word == words              ? ""
                         : strchr(end, '|') || *end ? ", "
                                                    : " or ",
                         (int)(end - word), word);
        text += n;
        size -= (size_t)n < size ? (size_t)n : size;
    }
}

int cli_word(const char *command, const struct cli_option *row, const char *value, int *place)
{
    char expected[200] = "";
    int k = 0;

    for (const char *end, *word = row->words; *word; word = *end ? end + 1 : end, k++) {
        end = word + strcspn(word, "|");
        if (strlen(value) == (size_t)(end - word) && strncmp(word, value, (size_t)(end - word)) == 0) {
            *place = k;
            return CLI_OK;
        }
    }
    spell_words(row->words, expected, sizeof expected);
    return cli_bad_value(command, row, value, expected);
}

static int take_triple(const char *command, const struct cli_option *row, const char *value, uint32_t triple[3])
{
    char expected[100];

    if (cli_triple(value, triple))
        return CLI_OK;
    snprintf(expected, sizeof expected, "X[,Y[,Z]], whole numbers of %s from 1 to 4294967295", row->unit);
    return cli_bad_value(command, row, value, expected);
}

/* words: those of the command line; there are no more items. */
static int take_item(const char *command, const struct cli_option *row, const char *value, struct cli_list *list,
                     int words)
{
    if (row->pair && (!strchr(value, '=') || value[0] == '='))
        return cli_bad_value(command, row, value, row->value);
    if (!list->items)
        list->items = calloc((size_t)words, sizeof *list->items);
    if (!list->items)
        return cli_error("out of memory");
    list->items[list->count++] = value;
    return CLI_OK;
}

static int take(const struct cli_command *c, const struct cli_option *row, void *into, const char *value, int words)
{
    void *field = (char *)into + row->at;
    uint64_t number = 0;
    int status = CLI_OK;

    switch (row->kind) {
    case CLI_FLAG:
        *(bool *)field = true;
        break;
    case CLI_TEXT:
        *(const char **)field = value;
        break;
    case CLI_LIST:
        return take_item(c->name, row, value, field, words);
    case CLI_NUMBER:
        status = take_number(c->name, row, value, UINT64_MAX, &number);
        *(uint64_t *)field = number;
        break;
    case CLI_COUNT:
        status = take_number(c->name, row, value, UINT32_MAX, &number);
        *(uint32_t *)field = (uint32_t)number;
        break;
    case CLI_BYTES:
        return cli_bytes(value, field) ? CLI_OK : cli_bad_value(c->name, row, value, CLI_BYTES_EXPECTED);
    case CLI_TRIPLE:
        return take_triple(c->name, row, value, field);
    case CLI_WORD:
        return cli_word(c->name, row, value, field);
    case CLI_TAKE:
        return row->take(into, row, value);
    case CLI_GROUP:
    case CLI_END:
        break;
    }
    return status;
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

    for (const struct cli_option *row = c->options; row && row->kind != CLI_END; row++) {
        if (row->kind == CLI_GROUP)
            continue;
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

static const struct cli_option *row_of(const struct cli_command *c, int got)
{
    const struct cli_option *row = c->options;

    if (got >= FIRST_ROW)
        return row + (got - FIRST_ROW);
    while (row->short_name != got)
        row++;
    return row;
}

/* The value of an option that may go without: the next word, when it can be one. */
static const char *bare_value(const struct cli_option *row, char **argv)
{
    const char *next = argv[optind];

    return next && *next >= '0' && *next <= '9' ? argv[optind++] : row->bare;
}

static int take_option(const struct cli_command *c, int got, void *into, int argc, char **argv)
{
    const struct cli_option *row = row_of(c, got);

    return take(c, row, into, row->bare && !optarg ? bare_value(row, argv) : optarg, argc);
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
        status = got == '?' || got == ':' ? bad_option(c, got, argv) : take_option(c, got, into, argc, argv);
    }
    *done = status != CLI_OK;
    return status;
}

void cli_options_free(const struct cli_command *c, void *into)
{
    for (const struct cli_option *row = c->options; row && row->kind != CLI_END; row++)
        if (row->kind == CLI_LIST) {
            struct cli_list *list = (struct cli_list *)((char *)into + row->at);

            free(list->items);
            *list = (struct cli_list){0};
        }
}

/* The commands to run next, as the last lines of a report's first screen, with the user's own words in them. */
#include "sim/cli/run.h"

#include <stdlib.h>
#include <string.h>

#include "sim/util/plain.h"

/* The option of run that a word is, by its whole name; null: it is none. */
static const struct option_row *option_of(const char *word)
{
    size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

    for (const struct option_row *row = cli_command_run.options; n && row->kind != OPTION_END; row++)
        if (row->kind != OPTION_GROUP && strlen(row->name) == n && strncmp(word + 2, row->name, n) == 0)
            return row;
    return NULL;
}

/* Whether explain has it among the options that describe a launch, which come before those of what it writes. */
static bool explain_takes(const struct option_row *option)
{
    for (const struct option_row *row = cli_command_explain.options; row->kind != OPTION_END; row++)
        if (row->kind == OPTION_GROUP && strcmp(row->name, "what to write") == 0)
            return false;
        else if (row->kind != OPTION_GROUP && strcmp(row->name, option->name) == 0)
            return true;
    return false;
}

static bool is_of_timing(const struct option_row *option)
{
    return strcmp(option->name, "engine") != 0;
}

/* The command line of `command` with those options alone that it takes; null where a word may be anything. False: out
 * of host memory. */
static bool line_of(const struct run_options *o, const char *command, bool (*takes)(const struct option_row *option),
                    char **line)
{
    size_t count = 0, n = 0;
    bool known = true;

    while (o->words[count])
        count++;
    *line = NULL;
    char **words = calloc(count + 1, sizeof *words);
    for (size_t k = 0; words && k < count && known; k++) {
        const struct option_row *option = k ? option_of(o->words[k]) : NULL;
        bool two = option && option->value && !option->bare && !strchr(o->words[k], '=') && k + 1 < count;

        known = option || o->words[k][0] != '-';
        if (!option || takes(option)) {
            words[n++] = o->words[k];
            if (two)
                words[n++] = o->words[k + 1];
        }
        k += two;
    }
    if (words && known) {
        words[0] = (char *)(uintptr_t)command;
        *line = run_join_words(words);
    }
    bool made = words && (!known || *line);
    free(words);
    return made;
}

char *run_with_next(const char *report, const struct run_options *o, bool timing)
{
    char *line, *text = NULL;

    if (timing ? line_of(o, "explain", explain_takes, &line) : line_of(o, "run", is_of_timing, &line)) {
        size_t room = strlen(report) + strlen(o->command_line) + (line ? strlen(line) : 0) + 80;

        text = malloc(room);
        if (text) {
            int n = snprintf(text, room, "%s\ndetails    %s --details\n", report, o->command_line);
            if (line)
                snprintf(text + n, room - (size_t)n, "%s %s\n", timing ? "what helps" : "timing    ", line);
            plain_text(text, PLAIN_LINES);
        }
    }
    free(line);
    return text;
}

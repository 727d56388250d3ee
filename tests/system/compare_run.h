/* Sequences for `gcnsim compare` as files, and its reports. */
#ifndef TESTS_SYSTEM_COMPARE_RUN_H
#define TESTS_SYSTEM_COMPARE_RUN_H

#include "tests/system/cli_report.h"

/* A file with this text, in the test's folder. */
static inline const char *source(const char *name, const char *text)
{
    static char paths[4][CLI_PATH + 256]; /* cli_path's own are soon used again */
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s", cli_path(name));
    write_file(path, text, strlen(text));
    return path;
}

/* The report of a run that has succeeded. Frees s. */
static inline const struct json *parse(struct said s)
{
    expect_status(&s, 0);
    const struct json *json = parse_report(&s);
    said_free(&s);
    return json;
}

#endif

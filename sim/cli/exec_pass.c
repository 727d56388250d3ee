/* Values of gcnsim exec's options on their way to the program: put into the environment, when they have been read. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cli.h"
#include "sim/cli/exec.h"
#include "sim/cli/options.h"

int exec_no_memory(void)
{
    return cli_error("exec: out of memory");
}

int exec_put(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 ? CLI_OK : exec_no_memory();
}

/* The path from the root: programs change their folder. */
static int put_path(const struct option_row *row, const char *path)
{
    char folder[PATH_MAX], *whole = NULL;
    int status;

    if (!*path)
        return cli_usage("exec", "--%s: the name is empty", row->name);
    if (strcmp(path, "-") == 0)
        return cli_usage("exec",
                         "--%s -: standard output is the program's; expected a name ('./-' for one of this name)",
                         row->name);
    if (*path == '/')
        return exec_put(row->variable, path);
    if (!getcwd(folder, sizeof folder))
        return cli_error("exec: --%s: the current folder: %s", row->name, strerror(errno));
    if (asprintf(&whole, "%s/%s", folder, path) < 0)
        return exec_no_memory();
    status = exec_put(row->variable, whole);
    free(whole);
    return status;
}

/* A file to be written: its folder has to be there now, not after hours. */
static int put_file(const struct option_row *row, const char *path)
{
    int status = put_path(row, path);

    if (status)
        return status;
    char *folder = strdup(getenv(row->variable));
    if (!folder)
        return exec_no_memory();
    *(strrchr(folder, '/') + (strrchr(folder, '/') == folder)) = 0;
    if (access(folder, W_OK | X_OK) != 0)
        status = cli_error("exec: --%s %s: the folder %s: %s", row->name, path, folder, strerror(errno));
    free(folder);
    return status;
}

int exec_put_lines(const char *name, const struct option_list *lines)
{
    char *text = NULL;
    size_t size;
    FILE *out;

    if (!lines->count)
        return CLI_OK;
    out = open_memstream(&text, &size);
    if (!out)
        return exec_no_memory();
    for (size_t k = 0; k < lines->count; k++)
        fprintf(out, "%s%s", k ? "\n" : "", lines->items[k]);
    int status = fclose(out) == 0 ? exec_put(name, text) : exec_no_memory();
    free(text);
    return status;
}

int exec_hand_on(const struct option_row *row, const char *value)
{
    if (row->kind == OPTION_FOLDER)
        row = option_part(row, &value);
    if (!row->variable)
        return CLI_OK;
    switch (row->kind) {
    case OPTION_FLAG:
        return exec_put(row->variable, "1");
    case OPTION_NO:
        return exec_put(row->variable, "0");
    case OPTION_FOLDER:
        return put_path(row, value);
    case OPTION_FILE:
        return put_file(row, value);
    case OPTION_PART: /* a table: rows are appended to a file that is there, wherever that is */
        return access(value, W_OK) == 0 ? put_path(row, value) : put_file(row, value);
    case OPTION_LIST: /* exec_put_lines(), once all of it is there */
        return strchr(value, '\n') ? cli_bad_value("exec", row, value, "a line end; expected a value without one")
                                   : CLI_OK;
    default:
        return exec_put(row->variable, value);
    }
}

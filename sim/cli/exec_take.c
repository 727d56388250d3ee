/* Values of gcnsim exec's options: checked, and put into the environment. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/exec.h"
#include "sim/cli/view_options.h"
#include "sim/util/number.h"

enum { MAX_THREADS = 1024, MAX_WALL_SECONDS = 1000000000 };

/* ---- values: each is put into the environment, under the name of the row's variable ---- */

int exec_no_memory(void)
{
    return cli_error("exec: out of memory");
}

int exec_put(const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 ? CLI_OK : exec_no_memory();
}

/* The path from the root: programs change their folder. */
static int put_path(const struct cli_option *row, const char *path)
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
int exec_take_file(void *choice, const struct cli_option *row, const char *path)
{
    int status = put_path(row, path);

    (void)choice;
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

/* A table whose rows are appended as they come: a file that is there need not be in a folder that can be written. */
static int take_table(void *choice, const struct cli_option *row, const char *path)
{
    return access(path, W_OK) == 0 ? put_path(row, path) : exec_take_file(choice, row, path);
}

/* A folder that is made when it is needed. */
int exec_take_path(void *choice, const struct cli_option *row, const char *path)
{
    (void)choice;
    return put_path(row, path);
}

int exec_take_flag(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    (void)value;
    return exec_put(row->variable, "1");
}

int exec_take_text(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    return exec_put(row->variable, value);
}

/* "512M"; the variable holds bytes. */
int exec_take_bytes(void *choice, const struct cli_option *row, const char *value)
{
    char text[24];
    uint64_t n;

    (void)choice;
    if (!cli_bytes(value, &n))
        return cli_usage("exec", "--%s %s: expected %s", row->name, value, CLI_BYTES_EXPECTED);
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    return exec_put(row->variable, text);
}

int exec_take_no_summary(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    (void)value;
    return exec_put(row->variable, "0");
}

/* One of the row's words. */
int exec_take_word(void *choice, const struct cli_option *row, const char *value)
{
    int place;

    (void)choice;
    return cli_word("exec", row, value, &place) == CLI_OK ? exec_put(row->variable, value) : CLI_BAD_INPUT;
}

int exec_take_threads(void *choice, const struct cli_option *row, const char *value)
{
    uint64_t n;

    (void)choice;
    if (!cli_number(value, MAX_THREADS, &n))
        return cli_usage("exec", "--threads %s: expected a whole number from 0 to %d", value, MAX_THREADS);
    return exec_put(row->variable, value);
}

int exec_take_sample(void *choice, const struct cli_option *row, const char *value)
{
    static const char form[] = "kernels";
    const char *behind = strncmp(value, form, strlen(form)) == 0 ? value + strlen(form) : "?";
    uint64_t n;

    (void)choice;
    if (*behind && strcmp(behind, "=AUTO") != 0 && (*behind != '=' || !cli_number(behind + 1, UINT32_MAX, &n) || n < 2))
        return cli_usage("exec", "--sample %s: expected kernels, kernels=AUTO or kernels=N with N from 2 on", value);
    return exec_put(row->variable, value);
}

int exec_take_max_wall(void *choice, const struct cli_option *row, const char *value)
{
    double d;

    (void)choice;
    if (!number_seconds(value, MAX_WALL_SECONDS, &d))
        return cli_usage("exec", "--max-wall %s: expected a number of seconds above 0", value);
    return exec_put(row->variable, value);
}

/* Of --explain and --of. */
int exec_take_kernel(void *choice, const struct cli_option *row, const char *value)
{
    size_t name;
    uint64_t n;

    (void)choice;
    if (!number_choice(value, &name, &n))
        return cli_usage("exec", "--%s %s: expected KERNEL or KERNEL,N with N from 1 on", row->name, value);
    return exec_put(row->variable, value);
}

int exec_take_kernels(void *choice, const struct cli_option *row, const char *value)
{
    regex_t r;
    char why[200];
    int code = regcomp(&r, value, REG_EXTENDED | REG_NOSUB);

    (void)choice;
    if (code) {
        regerror(code, &r, why, sizeof why);
        return cli_usage("exec", "--kernels %s: %s; expected an extended regular expression", value, why);
    }
    regfree(&r);
    return exec_put(row->variable, value);
}

/* "3,7-9" */
static bool is_list(const char *s)
{
    uint64_t from, to;

    do
        if (!number_range(&s, 1, UINT64_MAX, &from, &to))
            return false;
    while (*s);
    return true;
}

int exec_take_dispatches(void *choice, const struct cli_option *row, const char *value)
{
    (void)choice;
    if (!is_list(value))
        return cli_usage("exec", "--dispatches %s: expected numbers from 1 on and ranges, such as 3,7-9", value);
    return exec_put(row->variable, value);
}

int exec_take_count(void *choice, const struct cli_option *row, const char *value)
{
    uint64_t n;

    (void)choice;
    if (!cli_number(value, UINT32_MAX, &n) || n < row->least)
        return cli_usage("exec", "--%s: '%s'; expected a whole number from %llu to %u", row->name, value,
                         (unsigned long long)row->least, UINT32_MAX);
    return exec_put(row->variable, value);
}

int exec_take_wave(void *choice, const struct cli_option *row, const char *value)
{
    uint64_t group, wave;

    (void)choice;
    if (!cli_wave(value, &group, &wave))
        return cli_bad_value("exec", row, value, "WG:WAVE, the number of a workgroup and of a wave in it");
    return exec_put(row->variable, value);
}

int exec_take_span(void *choice, const struct cli_option *row, const char *value)
{
    uint64_t first = 0, end = 0;

    (void)choice;
    if (!cli_span(value, &first, &end))
        return cli_bad_value("exec", row, value, "A:B, from A on and before B");
    return exec_put(row->variable, value);
}

int exec_take_csv(void *choice, const struct cli_option *row, const char *value)
{
    static const struct {
        const char *what, *variable;
        int (*take)(void *choice, const struct cli_option *row, const char *path);
    } tables[] = {{"statistics=", "GCNSIM_CSV_STATISTICS", take_table},
                  {"counters=", "GCNSIM_CSV_COUNTERS", take_table},
                  {"instructions=", "GCNSIM_CSV_INSTRUCTIONS", exec_take_file}};
    struct cli_option of = *row;

    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (strncmp(value, tables[k].what, strlen(tables[k].what)) == 0) {
            of.variable = tables[k].variable;
            return tables[k].take(choice, &of, value + strlen(tables[k].what));
        }
    return exec_take_file(choice, &of, value);
}

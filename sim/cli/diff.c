/* gcnsim diff: two runs side by side, instruction by instruction, and a limit for CI. */
#include "sim/cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct diff_options, field)

enum { DEFAULT_TOP = 40 };

struct diff_options {
    int sort, per;
    uint64_t top;
    const char *json, *csv, *figure;
    double fail_above; /* per cent; negative: not given */
    bool quiet;
};

/* "3%" or "3" */
static bool take_percent(void *into, const struct option_row *row, const char *value, char *why, size_t n)
{
    struct diff_options *o = into;
    char *end;

    (void)row;
    o->fail_above = strtod(value, &end);
    if (end == value || strcmp(end + (*end == '%'), "") != 0 || !(o->fail_above >= 0) || !isfinite(o->fail_above))
        snprintf(why, n, "expected a percentage of 0 or more, as in 3%%");
    else
        return true;
    return false;
}

static const struct option_row rows[] = {
    {"sort", "KEY", OPTION_WORD, AT(sort), .words = "difference|latency|stall|idle|hits|address",
     .help = "order of the instructions: by the size of the difference of latency and idle together (default), of one "
             "of these, or by address"},
    {"top", "N", OPTION_NUMBER, AT(top), .help = "show N instructions (default 40); 0: all"},
    {"per", "WHAT", OPTION_WORD, AT(per), .words = "auto|total|wave|hit",
     .help = "sums over all waves, per wave, or per execution of an instruction; auto: sums, but per wave when the "
             "runs are of different numbers of waves"},
    {"fail-above", "P%", OPTION_TAKE, .take = take_percent,
     .help = "exit status 1 when B's figure is more than P per cent above A's"},
    {"figure", "NAME", OPTION_TEXT, AT(figure),
     .help = "which figure that is about: cycles, latency, stall, idle, hits, wave_median ...; by default cycles when "
             "both runs have them, else latency"},
    {"json", "FILE|-", OPTION_TEXT, AT(json), .complete = COMPLETE_FILES,
     .help = "as JSON, all instructions unless --top"},
    {"csv", "FILE|-", OPTION_TEXT, AT(csv), .complete = COMPLETE_FILES, .help = "instructions as a table, likewise"},
    {"quiet", NULL, OPTION_FLAG, AT(quiet), .help = "no text on stdout"},
    {.kind = OPTION_END},
};

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int write_form(int (*render)(const struct gcnsim_diff *diff, size_t top, char **text,
                                    struct gcnsim_error *error),
                      const struct gcnsim_diff *d, size_t top, const char *path)
{
    struct gcnsim_error error = {0};
    char *text = NULL;
    int status = CLI_OK;

    if (render(d, top, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (is_stdout(path)) {
        status = cli_put(text);
    } else if (gcnsim_write_file(path, text, strlen(text), &error) != GCNSIM_OK) {
        cli_library_error(&error);
        status = CLI_NOT_WRITTEN;
    }
    gcnsim_free(text);
    return status;
}

/* The figure of a name, null: the one that is meant by default. */
static int find_figure(const struct gcnsim_diff *d, const char *name, struct gcnsim_diff_figure *out)
{
    char known[400] = "";

    for (uint32_t k = 0; gcnsim_diff_get_figure(d, k, out) == GCNSIM_OK; k++) {
        if (name ? strcmp(out->name, name) == 0
                 : (strcmp(out->name, "cycles") == 0 && out->has_a && out->has_b) || strcmp(out->name, "latency") == 0)
            return CLI_OK;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "", out->name);
    }
    return cli_usage("diff", "--figure '%s'; expected one of: %s", name, known);
}

/* CLI_FAULT with a sentence when B is too much above A. */
static int check(const struct gcnsim_diff *d, const struct diff_options *o)
{
    struct gcnsim_diff_figure f;
    int status = find_figure(d, o->figure, &f);

    if (status != CLI_OK || o->fail_above < 0)
        return status;
    if (!f.has_a || !f.has_b)
        return cli_error("--fail-above: %s does not say %s; expected --figure with another one", f.has_a ? "B" : "A",
                         f.name);
    if (f.b <= f.a * (1 + o->fail_above / 100))
        return CLI_OK;
    cli_eprintf("gcnsim: diff: %s went from %.6g to %.6g %s", f.name, f.a, f.b, f.unit);
    if (f.a > 0)
        cli_eprintf(", %.2f %% more", (f.b - f.a) / f.a * 100);
    cli_eprintf("; --fail-above allows %g %%\n", o->fail_above);
    return CLI_FAULT;
}

static int show(struct gcnsim_diff *d, const struct diff_options *o)
{
    struct gcnsim_error error = {0};
    size_t all = o->top == UINT64_MAX || !o->top ? SIZE_MAX : o->top;
    int status = CLI_OK, one;

    if (gcnsim_diff_order(d, (enum gcnsim_diff_sort)o->sort, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (!o->quiet && !is_stdout(o->json) && !is_stdout(o->csv))
        status = write_form(gcnsim_diff_text, d, o->top == UINT64_MAX ? DEFAULT_TOP : all, "-");
    if (o->json && (one = write_form(gcnsim_diff_json, d, all, o->json)) != CLI_OK)
        status = one;
    if (o->csv && (one = write_form(gcnsim_diff_csv, d, all, o->csv)) != CLI_OK)
        status = one;
    return status;
}

static int run(int argc, char **argv)
{
    struct diff_options o = {.fail_above = -1, .top = UINT64_MAX};
    struct gcnsim_error error = {0};
    struct gcnsim_diff_figure f;
    struct gcnsim_diff *d;
    bool done = false;
    int status = cli_options_read(&cli_command_diff, argc, argv, &o, &done);

    if (!done && argc - optind != 2)
        status = cli_usage("diff", "%d runs given; expected two", argc - optind);
    else if (!done && is_stdout(o.json) && is_stdout(o.csv))
        status = cli_usage("diff", "--json and --csv both to standard output; expected one");
    else if (!done &&
             gcnsim_diff_open(&d, argv[optind], argv[optind + 1], (enum gcnsim_diff_per)o.per, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    else if (!done) {
        status = find_figure(d, o.figure, &f);
        if (status == CLI_OK)
            status = show(d, &o);
        if (status == CLI_OK)
            status = check(d, &o);
        gcnsim_diff_close(d);
    }
    cli_options_free(&cli_command_diff, &o);
    return status;
}

const struct cli_command cli_command_diff = {
    .name = "diff",
    .summary = "compares two runs, instruction by instruction",
    .usage = "diff A B [OPTION]...",
    .about = "Shows where run B takes longer than run A. Each is a thread trace: a folder of gcnsim run --att or of "
             "rocprofv3 --att on hardware, or its table of statistics (stats_*.csv); or a JSON report of a run that "
             "counted by instruction (docs/ATT.md).",
    .options = rows,
    .sections = {{"exit status", "0\tcompared, and B is not above the limit\n"
                                 "1\tB is above the limit of --fail-above\n"
                                 "2\tbad input or usage\n"
                                 "3\tsomething could not be written"}},
    .run = run,
    .operands = COMPLETE_FILES,
};

/* gcnsim sweep: a design space as data, run on all processors or on a cluster, its results in a file. */
#define _GNU_SOURCE
#include "sim/sweep/sweep.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/options.h"
#include "sim/cli/sweep.h"

struct options {
    const char *output, *shard, *slurm;
    uint32_t jobs;
    bool resume, retry, plan;
    uint64_t lost_seconds;
    struct cli_sweep_show show;
    int progress;
};

#define AT(field) offsetof(struct options, field)

/* clang-format off */
static const struct option_row rows[] = {
    {"running", .kind = OPTION_GROUP},
    {"output", "FILE", OPTION_TEXT, AT(output), .complete = COMPLETE_FILES, .short_name = 'o',
     .help = "of the results (SQLite); by default the spec's \"output\", or SPEC.sqlite beside where you are"},
    {"resume", NULL, OPTION_FLAG, AT(resume), .help = "go on with FILE: run what is missing, and what has changed since"},
    {"retry", NULL, OPTION_FLAG, AT(retry), .help = "with --resume: run again what did not complete, too"},
    {"jobs", "N", OPTION_COUNT, AT(jobs), .least = 1, .most = 4096,
     .help = "runs at the same time (default: one for each of the host's processors; under MPI one for each rank)"},
    {"plan", NULL, OPTION_FLAG, AT(plan), .help = "print the commands of the first points and how many there are, and run nothing"},
    CLI_OPTION_PROGRESS(AT(progress)),
    {"clusters", .kind = OPTION_GROUP},
    {"shard", "K/N", OPTION_TEXT, AT(shard), .help = "only the points whose number has the remainder K, divided by N"},
    {"slurm", "N", OPTION_TEXT, AT(slurm),
     .help = "write a batch script for Slurm, on stdout: an array of N tasks, each of which runs a shard, and how to "
             "merge them"},
    {"lost-after", "SECONDS", OPTION_NUMBER, AT(lost_seconds), .least = 1, .most = 86400,
     .help = "under MPI: a rank that says nothing for so long is lost, and its points go to others (default 60)"},
    {"show", .kind = OPTION_GROUP},
    {"value", "EXPR", OPTION_TEXT, AT(show.value),
     .help = "what is shown: a statistic, or an expression of SQLite with statistics and axes in [brackets] (default: the "
             "first objective, or cycles)"},
    {"pivot", "ROWS[,COLUMNS]", OPTION_TEXT, AT(show.pivot), .help = "a table of the value over one or two axes"},
    {"aggregate", "min|mean|max", OPTION_WORD, AT(show.aggregate), .words = "min|mean|max",
     .help = "of the points in a cell of --pivot (default min)"},
    {"where", "EXPR", OPTION_TEXT, AT(show.where), .help = "of these points alone"},
    {"pareto", "EXPR,EXPR", OPTION_TEXT, AT(show.pareto),
     .help = "the points that none beats in both, smaller being better; -EXPR: larger"},
    {"csv", "FILE|-", OPTION_TEXT, AT(show.csv), .complete = COMPLETE_FILES,
     .help = "the table as lines of comma-separated values: with --pivot that table, else a line for each point"},
    {"html", "FILE", OPTION_TEXT, AT(show.html), .complete = COMPLETE_FILES,
     .help = "a page for a browser: heat maps, the Pareto front, all points"},
    {.kind = OPTION_END},
};
/* clang-format on */

const struct cli_command cli_command_sweep = {
    .name = "sweep",
    .summary = "simulates a whole design space, and keeps the results",
    .usage = "sweep SPEC.json [--resume] [OPTION]...\n"
             "sweep show FILE.sqlite [--pivot A,B] [--value EXPR] [OPTION]...\n"
             "sweep merge FILE.sqlite SHARD.sqlite...",
    .about =
        "Runs each point of a design space: launches and programs on profiles, with all values of figures, arguments "
        "and options that SPEC.json names (docs/SWEEP.md). Results go to one SQLite file; a sweep that was stopped, "
        "however, goes on with --resume. Under mpirun or srun the points are dealt out to all ranks.",
    .options = rows,
    .sections = {{"examples",
                  "  gcnsim sweep caches.json -o caches.sqlite\n"
                  "  gcnsim sweep show caches.sqlite --pivot cache.l2.size_bytes,cu.wave_slots_per_simd \\\n"
                  "      --value cycles\n"
                  "  mpirun --enable-recovery -n 64 gcnsim sweep caches.json --resume\n"
                  "  gcnsim sweep caches.json --slurm 16 > caches.sbatch"},
                 {"exit status", "0\tall points have been run, or shown\n"
                                 "1\tit was interrupted, and --resume goes on; or a point did not complete\n"
                                 "2\tbad input or usage\n"
                                 "3\tnot everything could be written"}},
    .run = cli_sweep,
    .operands = COMPLETE_FILES,
};

/* ---- running ---- */

struct bar {
    struct cli_progress progress;
    uint32_t left; /* ranks that are reported to run nothing more */
};

static void show_progress(void *ctx, const struct sweep_state *state)
{
    struct bar *b = ctx;

    /* at once: a job whose ranks do not take part would go on for hours, and nobody know */
    if (state->left != b->left) {
        b->left = state->left;
        cli_progress_end(&b->progress);
        cli_eprintf("%u ranks run nothing more: %s\n", state->left, state->why);
    }
    cli_progress_update(&b->progress, state->skipped + state->done + state->failed, state->points);
}

static int sweep_error(const struct err *e)
{
    cli_error("%s", e->text);
    return e->code == ERR_IO ? CLI_NOT_WRITTEN : CLI_BAD_INPUT;
}

static int read_shard(const char *text, struct sweep_options *o)
{
    const char *slash = text ? strchr(text, '/') : NULL;
    char first[24];
    uint64_t k, n;

    if (!text)
        return CLI_OK;
    if (slash)
        snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    if (!slash || !cli_number(first, UINT32_MAX, &k) || !cli_number(slash + 1, UINT32_MAX, &n) || k >= n)
        return cli_usage("sweep", "--shard: '%s'; expected K/N, K from 0 to N - 1", text);
    o->shard = (uint32_t)k;
    o->shards = (uint32_t)n;
    return CLI_OK;
}

/* What was done, and what is to be done about the rest. */
static int print_summary(const struct sweep_state *s, const char *output, bool stopped)
{
    uint64_t ran = s->done + s->failed, left = s->points - s->skipped - ran;

    if (s->gone)
        cli_eprintf("%" PRIu64 " points of the file are no more in the spec, and gone with their results\n", s->gone);
    if (s->other_gcnsim)
        cli_eprintf("%" PRIu64 " results were those of another gcnsim: their points are run again\n", s->other_gcnsim);
    if (s->changed)
        cli_eprintf("%" PRIu64 " results were those of other options or files: their points are run again\n",
                    s->changed);
    cli_eprintf("%" PRIu64 " points: %" PRIu64 " run", s->points, ran);
    if (s->skipped)
        cli_eprintf(", %" PRIu64 " were there already", s->skipped);
    if (s->failed)
        cli_eprintf(", %" PRIu64 " of them did not complete", s->failed);
    if (s->lost)
        cli_eprintf(", %u ranks were lost", s->lost);
    if (s->again)
        cli_eprintf(", %" PRIu64 " were given to another rank", s->again);
    cli_eprintf("; results in %s\n", output);
    if (left)
        cli_eprintf("%" PRIu64 " points are left; --resume goes on%s\n", left, stopped ? "" : " with them");
    return stopped || left || s->failed ? CLI_FAULT : CLI_OK;
}

/* The spec's name with ".sqlite" where neither it nor the command line says where results go. To be freed. */
static char *output_of(const struct options *o, const struct sweep_spec *s)
{
    char *path = NULL;

    if (o->output)
        return strdup(o->output);
    if (s->output && *s->output == '/')
        return strdup(s->output);
    if (s->output)
        return asprintf(&path, "%s/%s", s->folder, s->output) < 0 ? NULL : path;
    return asprintf(&path, "%s.sqlite", s->name) < 0 ? NULL : path;
}

static int run_sweep(const struct options *o, const struct sweep_spec *spec, struct sweep_options *so)
{
    struct sweep_state state = {0};
    struct bar bar = {.left = 0};
    struct err e = {0};
    int status;

    if (o->plan)
        return sweep_show_plan(spec, so, 10, stdout, &e) ? sweep_error(&e) : cli_flush();
    cli_catch_interrupts();
    /* a limit of file sizes, or a reader of the progress that went away, must not end it without a word */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    cli_progress_start(&bar.progress, (enum cli_progress_when)o->progress);
    bar.progress.parts = true;
    so->progress = show_progress;
    so->ctx = &bar;
    so->stop = &cli_interrupted;
    int rc = sweep_run(spec, so, &state, &e);
    cli_progress_end(&bar.progress);
    status = state.points && !rc ? print_summary(&state, so->output, cli_interrupted) : CLI_OK;
    if (rc)
        status = sweep_error(&e);
    sweep_rank_end(&state);
    return status;
}

/* Processors that this process may use: those of its affinity, as a batch system sets it. */
static uint32_t processors(void)
{
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    return all > 0 ? (uint32_t)all : 1;
}

/* A rank whose spec cannot be read: rank 0 says so and ends all, another one informs rank 0. */
static int unreadable(int rank, const struct sweep_options *so, const struct err *why)
{
    const struct sweep_state nothing = {0};
    struct err e = {0};

    if (rank)
        return sweep_rank_idle(why, so->lost_seconds, &e) ? sweep_error(&e) : CLI_OK;
    sweep_rank_end(&nothing);
    return sweep_error(why);
}

static int sweep_points(const struct options *o, const char *path)
{
    struct sweep_options so = {.resume = o->resume,
                               .retry = o->retry,
                               .jobs = o->jobs,
                               .lost_seconds = o->lost_seconds ? (double)o->lost_seconds : 60};
    struct sweep_spec *spec;
    struct err e = {0};
    char program[4096], *output = NULL;
    int status, rank = 0;

    if (!cli_own_program(program, sizeof program))
        return cli_error("sweep: where this program is: %s", strerror(errno));
    if (o->retry && !o->resume)
        return cli_usage("sweep", "--retry is for results that are there; expected --resume beside it");
    status = read_shard(o->shard, &so);
    if (status != CLI_OK)
        return status;
    if (!o->plan && !o->slurm && (rank = sweep_rank_begin(&e)) < 0)
        return sweep_error(&e);
    if (sweep_spec_read(&spec, path, &e))
        return unreadable(rank, &so, &e);
    output = output_of(o, spec);
    so.output = output;
    so.gcnsim = program;
    so.jobs_default = processors();
    if (!output)
        status = cli_error("out of memory");
    else if (o->slurm)
        status = cli_sweep_slurm(o->slurm, path, spec, output);
    else
        status = run_sweep(o, spec, &so);
    sweep_spec_free(spec);
    free(output);
    return status;
}

/* ---- merging ---- */

static int merge(int argc, char **argv)
{
    struct sweep_store *store;
    struct err e = {0};
    int rc = 0;

    if (argc < 2)
        return cli_usage("sweep", "merge: expected FILE and SHARDs");
    if (sweep_store_open(&store, argv[0], true, &e))
        return sweep_error(&e);
    for (int k = 1; k < argc && !rc; k++) {
        uint64_t taken = 0;

        rc = sweep_store_merge(store, argv[k], &taken, &e);
        if (!rc)
            cli_eprintf("%s: %" PRIu64 " results\n", argv[k], taken);
    }
    if (sweep_store_close(store, &e))
        rc = -1;
    return rc ? sweep_error(&e) : CLI_OK;
}

int cli_sweep(int argc, char **argv)
{
    struct options o = {0};
    bool done;
    int status = cli_options_read(&cli_command_sweep, argc, argv, &o, &done);

    if (done)
        return status;
    argc -= optind;
    argv += optind;
    if (argc && strcmp(argv[0], "show") == 0)
        status = argc == 2 ? cli_sweep_show(&o.show, argv[1]) : cli_usage("sweep", "show: expected one FILE");
    else if (argc && strcmp(argv[0], "merge") == 0)
        status = merge(argc - 1, argv + 1);
    else if (argc == 1)
        status = sweep_points(&o, argv[0]);
    else
        status = cli_usage("sweep", "%s; expected one SPEC.json", argc ? "several files" : "no file");
    cli_options_free(&cli_command_sweep, &o);
    return status;
}

/* gcnsim explain and gcnsim whatif: a launch simulated many times with other figures, each time from its beginning, in
 * a simulator of its own. */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run.h"

/* What both commands take; the table fills it. */
struct options {
    struct run_options run; /* first: RUN_ROWS_LAUNCH */
    struct option_list only, sweeps;
    uint32_t jobs;
    bool cross, list;
};

#define AT(field) offsetof(struct options, field)

/* clang-format off */
#define ROWS_MORE                                                                                                      \
    {"arch", "PROFILE", OPTION_TEXT, AT(run.arch), .complete = COMPLETE_PROFILES,                                                \
     .help = "a profile's name or FILE.json (gcnsim arch list); by default the one for the code object's target"},     \
    OPTION_SET_OF_PROFILE(LAUNCH_AT(sets)),                                                                      \
    {"perfect-memory", NULL, OPTION_FLAG, LAUNCH_AT(perfect_memory), .help = "every access hits the nearest cache"},         \
    {"warmup", "N", OPTION_COUNT, AT(run.warmup), .most = MAX_ROUNDS,                                                     \
     .help = "in each simulation N launches before the one that counts, which finds what they have left in the "       \
             "caches"},                                                                                                \
    {"jobs", "N", OPTION_COUNT, AT(jobs), .least = 1, .most = 64,                                                         \
     .help = "simulations at the same time (default: one for each of the host's processors)"}

static const struct option_row explain_rows[] = {
    RUN_ROWS_LAUNCH,
    {"explain", .kind = OPTION_GROUP},
    {"only", "KEY", OPTION_LIST, AT(only),
     .help = "this cause alone; may be given several times, and be a pattern ('latency.*')"},
    {"list", NULL, OPTION_FLAG, AT(list), .help = "list the causes, and simulate nothing"},
    ROWS_MORE,
    RUN_ROWS_LIMITS,
    {"what to write", .kind = OPTION_GROUP},
    {"json", "FILE|-", OPTION_TEXT, AT(run.json), .complete = COMPLETE_FILES, .help = "as JSON; with - nothing else on stdout"},
    {"html", "FILE", OPTION_TEXT, AT(run.html), .complete = COMPLETE_FILES,
     .help = "the launch as it is, and this, as a page for a browser (docs/HTML.md)"},
    CLI_OPTION_PROGRESS(AT(run.progress)),
    {"quiet", NULL, OPTION_FLAG, AT(run.quiet), .help = "no text on stdout"},
    {.kind = OPTION_END},
};

static const struct option_row whatif_rows[] = {
    RUN_ROWS_LAUNCH,
    {"whatif", .kind = OPTION_GROUP},
    {"sweep", "PATH=VALUE,...", OPTION_LIST, AT(sweeps), .pair = true, .complete = COMPLETE_FIGURES,
     .help = "values of a figure of the profile (gcnsim arch show), each of which is simulated; may be given several "
             "times"},
    {"cross", NULL, OPTION_FLAG, AT(cross), .help = "all combinations, and not one figure at a time"},
    ROWS_MORE,
    RUN_ROWS_LIMITS,
    {"what to write", .kind = OPTION_GROUP},
    {"json", "FILE|-", OPTION_TEXT, AT(run.json), .complete = COMPLETE_FILES, .help = "as JSON; with - nothing else on stdout"},
    {"csv", "FILE|-", OPTION_TEXT, AT(run.csv_table), .complete = COMPLETE_FILES,
     .help = "as lines of sets,cycles,change,note; likewise"},
    CLI_OPTION_PROGRESS(AT(run.progress)),
    {"quiet", NULL, OPTION_FLAG, AT(run.quiet), .help = "no text on stdout"},
    {.kind = OPTION_END},
};
/* clang-format on */

#define EXIT_STATUS                                                                                                    \
    "0\tdone\n"                                                                                                        \
    "1\tthe launch as it is faulted, reached --max-cycles or --max-instructions, or Ctrl-C was pressed\n"              \
    "2\tbad input or usage, or more memory than there is or --max-memory allows\n"                                     \
    "3\tnot everything could be written"

const struct cli_command cli_command_explain = {
    .name = "explain",
    .summary = "simulates what would make a launch faster",
    .usage = "explain FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
             "    [--arg SPEC]... [OPTION]...\n"
             "explain LAUNCH.json [OPTION]...",
    .about = "Simulates a launch as it is, and again with one thing ideal at a time: no LDS conflicts, a cache without "
             "latency, free instruction fetch ... Prints what each would save, the instructions and lines that carry "
             "it, and remedies, whose gain is simulated, too (docs/EXPLAIN.md). Files of out arguments are written "
             "from the launch as it is.",
    .options = explain_rows,
    .sections = {{"exit status", EXIT_STATUS}},
    .run = cli_explain,
    .operands = COMPLETE_FILES,
};

const struct cli_command cli_command_whatif = {
    .name = "whatif",
    .summary = "simulates a launch with other figures of the chip",
    .usage = "whatif FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
             "    [--arg SPEC]... --sweep PATH=VALUE,... [OPTION]...\n"
             "whatif LAUNCH.json --sweep PATH=VALUE,... [OPTION]...",
    .about = "Simulates a launch as it is, and with each value of the figures that are swept: one figure at a time, or "
             "all combinations of them. Prints the cycles of each, and how sensitive the launch is to each figure "
             "(docs/EXPLAIN.md).",
    .options = whatif_rows,
    .sections = {{"exit status", EXIT_STATUS}},
    .run = cli_whatif,
    .operands = COMPLETE_FILES,
};

/* ---- trials ---- */

struct source {
    const struct options *o; /* with what the launch file says */
    size_t launch;           /* of its list */
    int written;             /* CLI_NOT_WRITTEN: of the files of out arguments */
};

/* A hash of a buffer's bytes before which others were hashed. */
static int hash_buffer(struct gcnsim *sim, uint64_t address, uint64_t size, uint64_t *hash, struct gcnsim_error *error)
{
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    enum { PIECE = 1 << 16 };
    uint64_t *piece = calloc(1, PIECE);
    int rc = piece ? GCNSIM_OK : (error->code = GCNSIM_ERROR_NOMEM);

    for (uint64_t at = 0; rc == GCNSIM_OK && at < size; at += PIECE) {
        size_t n = size - at < PIECE ? (size_t)(size - at) : PIECE;

        memset(piece, 0, PIECE);
        rc = gcnsim_read(sim, address + at, piece, n, error);
        for (size_t k = 0; k < (n + 7) / 8; k++)
            *hash = ((*hash ^ piece[k]) * odd) ^ ((*hash ^ piece[k]) >> 32);
    }
    free(piece);
    return rc;
}

/* What the launches have left in all buffers. */
static int digest_of(const struct run *r, uint64_t *digest, struct gcnsim_error *error)
{
    uint64_t address, size;
    int rc = GCNSIM_OK;

    *digest = 1;
    for (size_t s = 0; s < r->steps; s++)
        for (uint32_t k = 0; k < r->list.launches[s].arg_count && r->step[s].args && rc == GCNSIM_OK; k++)
            if (gcnsim_args_buffer(r->step[s].args, k, &address, &size) == GCNSIM_OK)
                rc = hash_buffer(r->sim, address, size, digest, error);
    for (size_t k = 0; k < r->list.buffer_count && rc == GCNSIM_OK; k++)
        if (gcnsim_buffers_find(r->buffers, r->list.buffer_names[k], &address, &size) == GCNSIM_OK)
            rc = hash_buffer(r->sim, address, size, digest, error);
    return rc;
}

/* One launch of the list whose result nobody wants. */
static int run_one(const struct run *r, const struct source *s, size_t k, enum gcnsim_engine engine,
                   struct gcnsim_error *error)
{
    struct gcnsim_dispatch d;
    struct gcnsim_result *result = NULL;

    run_fill_dispatch(r, &s->o->run, &r->step[k], false, NULL, &d);
    d.engine = engine;
    d.threads = 1;
    d.progress = NULL;
    d.progress_facts = NULL;
    d.snapshot_flag = NULL;
    d.per_instruction = 0;
    d.samples = 0;
    if (engine == GCNSIM_ENGINE_FUNCTIONAL)
        d.perfect_memory = 0;
    int rc = run_set_symbols(r, k, error);
    if (rc == GCNSIM_OK)
        rc = gcnsim_launch(r->step[k].module, &d, &result, error);
    if (rc == GCNSIM_OK && result->outcome != GCNSIM_COMPLETED) {
        rc = error->code = result->outcome == GCNSIM_FAULTED ? GCNSIM_ERROR_FAULT
                           : result->outcome == GCNSIM_LIMIT ? GCNSIM_ERROR_RUN_LIMIT
                                                             : GCNSIM_ERROR_INTERRUPTED;
        snprintf(error->text, sizeof error->text, "launches[%zu]: %.400s; expected a launch that runs to its end", k,
                 result->message);
    }
    gcnsim_result_free(result);
    return rc;
}

/* The launches before the one of the list that is simulated: for what they leave in memory, and, after a warm-up of
 * all of the list, for what they leave in the caches. */
static int run_before(const struct run *r, const struct source *s, uint32_t warmup, struct gcnsim_error *error)
{
    enum gcnsim_engine engine = warmup ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
    int rc = GCNSIM_OK;

    for (uint32_t round = 0; round < warmup; round++)
        for (size_t k = 0; k < r->steps && rc == GCNSIM_OK; k++)
            rc = run_one(r, s, k, engine, error);
    for (size_t k = 0; k < s->launch && rc == GCNSIM_OK; k++)
        rc = run_one(r, s, k, engine, error);
    return rc;
}

/* Files of out arguments, from the launch as it is. */
static void write_outputs(struct source *s, const struct run *r)
{
    struct gcnsim_error error = {0};

    if (gcnsim_args_write_outputs(r->step[s->launch].args, &error) != GCNSIM_OK) {
        cli_library_error(&error);
        s->written = CLI_NOT_WRITTEN;
    }
}

/* A gcnsim_trial_fn; ctx: a struct source. */
static int simulate(void *ctx, const struct gcnsim_trial *trial, struct gcnsim_result **result, uint64_t *digest,
                    struct gcnsim_error *error)
{
    struct source *s = ctx;
    struct run_options o = s->o->run;
    struct run r = {0};
    struct gcnsim_dispatch d;
    bool done = run_read_file(&r, &o, &cli_command_run) == CLI_OK && run_prepare(&r, &o) == CLI_OK;
    int rc = GCNSIM_OK;

    if (!done) { /* it was, for the launch as it is; what it lacks has been said */
        rc = error->code = GCNSIM_ERROR_NOMEM;
        snprintf(error->text, sizeof error->text, "the launch could not be prepared again");
    }
    if (rc == GCNSIM_OK && trial->set_count)
        rc = gcnsim_set_all(r.sim, trial->sets, trial->set_count, error);
    if (rc == GCNSIM_OK)
        rc = run_before(&r, s, trial->warmup, error);
    if (rc == GCNSIM_OK)
        rc = run_set_symbols(&r, s->launch, error);
    if (rc == GCNSIM_OK) {
        run_fill_dispatch(&r, &o, &r.step[s->launch], false, NULL, &d);
        d.threads = 1;
        d.cold |= !trial->warmup;
        d.progress = NULL;
        d.progress_facts = NULL;
        d.snapshot_flag = NULL;
        d.per_instruction = trial->per_instruction;
        rc = gcnsim_launch(r.step[s->launch].module, &d, result, error);
    }
    if (rc == GCNSIM_OK && (*result)->outcome == GCNSIM_COMPLETED) {
        rc = digest_of(&r, digest, error);
        if (!trial->set_count)
            write_outputs(s, &r);
    }
    run_close(&r);
    return rc;
}

/* ---- commands ---- */

static uint32_t warmup_of(const struct options *o)
{
    return o->run.warmup == ROUNDS_NOT_GIVEN ? 0 : o->run.warmup;
}

static bool to_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* A text of the library's, which is released, to where the option says; null: nowhere. */
static int deliver(const char *path, int rc, char *text, const struct gcnsim_error *made)
{
    struct gcnsim_error error = *made;
    int status = CLI_OK;

    if (rc == GCNSIM_OK && to_stdout(path))
        status = cli_put(text);
    else if (rc == GCNSIM_OK)
        rc = gcnsim_write_file(path, text, strlen(text), &error);
    gcnsim_free(text);
    if (rc == GCNSIM_OK)
        return status;
    cli_library_error(&error);
    return CLI_NOT_WRITTEN;
}

/* Everything up to the first simulation, once, so that what is wrong is said once. */
static int prepare(struct options *o, struct run *r, struct source *s)
{
    struct gcnsim_dispatch d;
    int status = run_read_file(r, &o->run, &cli_command_run);

    if (status == CLI_OK && o->run.common.engine == GCNSIM_ENGINE_FUNCTIONAL)
        status = cli_error("%s: the functional engine counts no cycles; expected engine timing", o->run.file);
    if (status == CLI_OK && o->run.common.check)
        status = cli_error("%s: \"check\"; expected a launch without it", o->run.file);
    if (status == CLI_OK)
        status = run_prepare(r, &o->run);
    if (status != CLI_OK)
        return status;
    if (r->steps > 1 && !o->run.launch)
        return cli_error("%s: a list of %zu launches; expected --launch NAME|N", o->run.file, r->steps);
    s->launch = r->changed;
    run_fill_dispatch(r, &o->run, &r->step[s->launch], false, NULL, &d);
    status = run_check_files(r, &o->run, &d);
    cli_catch_interrupts();
    signal(SIGPIPE, SIG_IGN);
    return status;
}

static void start_progress(struct cli_progress *p, const struct options *o)
{
    cli_progress_start(p, o->run.quiet && o->run.progress == CLI_PROGRESS_AUTO
                              ? CLI_PROGRESS_NEVER
                              : (enum cli_progress_when)o->run.progress);
}

/* The page of the launch as it is, which is simulated once more for what the page shows of it. */
static int write_page(const struct options *o, struct source *s, const struct gcnsim_explanation *x)
{
    const struct gcnsim_trial as_it_is = {.per_instruction = 1, .warmup = warmup_of(o)};
    struct gcnsim_html_options with;
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    char *json = NULL, *page = NULL;
    uint64_t digest;
    int rc = gcnsim_explanation_json(x, &json, &error);

    gcnsim_html_options_init(&with);
    with.explain_json = json;
    with.no_sources = o->run.confine != NULL;
    if (rc == GCNSIM_OK)
        rc = simulate(s, &as_it_is, &result, &digest, &error);
    if (rc == GCNSIM_OK)
        rc = gcnsim_result_html(result, &with, &page, &error);
    int status = deliver(o->run.html, rc, page, &error);
    gcnsim_result_free(result);
    gcnsim_free(json);
    return status;
}

static int explain(struct options *o, struct run *r, struct source *s)
{
    struct gcnsim_error error = {0};
    struct gcnsim_explain_options x;
    struct gcnsim_explanation *out;
    struct cli_progress progress;
    char *text = NULL;
    int status = CLI_OK;

    gcnsim_explain_options_init(&x);
    x.run = simulate;
    x.ctx = s;
    x.sim = r->sim;
    x.code = gcnsim_module_code(r->step[s->launch].module);
    x.jobs = o->jobs;
    x.warmup = warmup_of(o);
    x.only = o->only.items;
    x.only_count = o->only.count;
    x.progress = cli_progress_update;
    x.progress_ctx = &progress;
    x.abort_flag = &cli_interrupted;
    start_progress(&progress, o);
    int rc = gcnsim_explain(&x, &out, &error);
    cli_progress_end(&progress);
    if (rc != GCNSIM_OK)
        return cli_library_error(&error);
    if (!o->run.quiet && !to_stdout(o->run.json)) {
        rc = gcnsim_explanation_text(out, &text, &error);
        status = deliver("-", rc, text, &error);
    }
    if (o->run.json) {
        text = NULL;
        rc = gcnsim_explanation_json(out, &text, &error);
        int one = deliver(o->run.json, rc, text, &error);
        status = status == CLI_OK ? one : status;
    }
    if (o->run.html) {
        int one = write_page(o, s, out);
        status = status == CLI_OK ? one : status;
    }
    gcnsim_explanation_free(out);
    return status;
}

static int whatif(struct options *o, struct run *r, struct source *s)
{
    struct gcnsim_error error = {0};
    struct gcnsim_whatif_options w;
    struct gcnsim_whatif *out;
    struct cli_progress progress;
    char *text;
    int status = CLI_OK;

    gcnsim_whatif_options_init(&w);
    w.run = simulate;
    w.ctx = s;
    w.sim = r->sim;
    w.sweeps = o->sweeps.items;
    w.sweep_count = o->sweeps.count;
    w.cross = o->cross;
    w.jobs = o->jobs;
    w.warmup = warmup_of(o);
    w.progress = cli_progress_update;
    w.progress_ctx = &progress;
    w.abort_flag = &cli_interrupted;
    start_progress(&progress, o);
    int rc = gcnsim_whatif(&w, &out, &error);
    cli_progress_end(&progress);
    if (rc != GCNSIM_OK)
        return cli_library_error(&error);
    const struct {
        int (*make)(const struct gcnsim_whatif *w, char **text, struct gcnsim_error *error);
        const char *path;
    } form[] = {
        {gcnsim_whatif_text, o->run.quiet || to_stdout(o->run.json) || to_stdout(o->run.csv_table) ? NULL : "-"},
        {gcnsim_whatif_json, o->run.json},
        {gcnsim_whatif_csv, o->run.csv_table},
    };
    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++) {
        if (!form[k].path)
            continue;
        text = NULL;
        rc = form[k].make(out, &text, &error);
        int one = deliver(form[k].path, rc, text, &error);
        status = status == CLI_OK ? one : status;
    }
    gcnsim_whatif_free(out);
    return status;
}

static int list_causes(void)
{
    const char *key, *what;

    for (uint32_t k = 0; (key = gcnsim_explain_cause(k, &what)); k++)
        cli_printf("%-16s %s\n", key, what);
    return cli_flush();
}

static int command(const struct cli_command *c, int argc, char **argv,
                   int (*act)(struct options *o, struct run *r, struct source *s))
{
    struct options o = {.jobs = 0};
    struct run r = {0};
    struct source s = {.o = &o};
    bool done = false;
    int status = CLI_OK;

    cli_catch_snapshot_signal(); /* its default action would end the process */
    if (!run_options_init(&o.run, argc, argv))
        return cli_error("out of memory");
    status = cli_options_read(c, argc, argv, &o, &done);
    if (!done && o.list) {
        done = true;
        status = list_causes();
    }
    if (!done && argc - optind != 1) {
        done = true;
        status = cli_usage(c->name, "%d files given; expected one code object or launch file", argc - optind);
    }
    if (!done && act == whatif && !o.sweeps.count) {
        done = true;
        status = cli_usage(c->name, "--sweep is missing; expected --sweep PATH=VALUE,...");
    }
    if (!done) {
        o.run.file = argv[optind];
        o.run.one_launch = true;
        status = prepare(&o, &r, &s);
        if (status == CLI_OK)
            status = act(&o, &r, &s);
        status = status == CLI_OK ? s.written : status;
    }
    run_close(&r);
    cli_options_free(c, &o);
    free(o.run.words);
    free(o.run.command_line);
    return status;
}

int cli_explain(int argc, char **argv)
{
    return command(&cli_command_explain, argc, argv, explain);
}

int cli_whatif(int argc, char **argv)
{
    return command(&cli_command_whatif, argc, argv, whatif);
}

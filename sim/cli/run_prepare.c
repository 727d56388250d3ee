/* gcnsim run up to its launches: launch file and command line become a list of launches, and those are loaded. */
#include "sim/cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/exec.h"
#include "sim/cli/source.h"

/* A launch file is JSON by its name or by its first byte; code objects and bundles start otherwise. */
static bool is_launch_file(const char *path)
{
    size_t len = strlen(path);
    struct stat st;
    int c = EOF;

    if (len > 5 && strcmp(path + len - 5, ".json") == 0)
        return true;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) /* a pipe would lose the byte */
        return false;
    FILE *f = fopen(path, "rb");
    if (f) {
        c = fgetc(f);
        fclose(f);
    }
    return c == '{';
}

/* Those of the launch file, then those of the command line, all at once: values may hang together. */
static int apply_sets(struct gcnsim *sim, const struct gcnsim_launch_file *f, const struct run_options *o)
{
    struct gcnsim_error error = {0};
    size_t from_file = f ? f->set_count : 0, count = from_file + o->common.sets.count;
    const char **sets = count ? malloc(count * sizeof *sets) : NULL;

    if (!count)
        return CLI_OK;
    if (!sets)
        return cli_error("out of memory");
    for (size_t i = 0; i < count; i++)
        sets[i] = i < from_file ? f->sets[i] : o->common.sets.items[i - from_file];
    int rc = gcnsim_set_all(sim, sets, count, &error);
    free(sets);
    return rc == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

/* ---- launches: of the launch file, of the command line ---- */

/* Whether the command line says something of a launch; *option: what. */
static bool describes_launch(const struct run_options *o, const char **option)
{
    *option = o->kernel                     ? "--kernel"
              : o->grid[0]                  ? "--grid"
              : o->blocks[0]                ? "--blocks"
              : o->workgroup[0]             ? "--workgroup"
              : o->cluster[0]               ? "--cluster"
              : o->args.count               ? "--arg"
              : o->replace_args.count       ? "--replace-arg"
              : o->dynamic_lds != NOT_GIVEN ? "--dynamic-lds"
              : o->index != NOT_GIVEN       ? "--index"
              : o->set_symbols.count        ? "--set-symbol"
              : o->read_symbols.count       ? "--read-symbol"
                                            : NULL;
    return *option != NULL;
}

/* "blocks, 1 and rest": what --launch takes. */
static void spell_launches(const struct gcnsim_launch_list *list, char *text, size_t size)
{
    enum { SHOWN = 8 };
    size_t shown = list->launch_count > SHOWN ? SHOWN : list->launch_count;

    *text = 0;
    for (size_t k = 0; k < shown; k++) {
        const char *name = list->launches[k].name;
        const char *between = k == 0 ? "" : k + 1 == list->launch_count ? " or " : ", ";
        size_t n = strlen(text);

        if (name)
            snprintf(text + n, size - n, "%s%.40s", between, name);
        else
            snprintf(text + n, size - n, "%s%zu", between, k);
    }
    if (shown < list->launch_count)
        snprintf(text + strlen(text), size - strlen(text), " ...");
}

/* The launch of a list that the command line changes: by its name, or its number. */
static int find_launch(struct run *r, const struct run_options *o, const char *option)
{
    char launches[600];
    uint64_t n;

    for (size_t k = 0; o->launch && k < r->list.launch_count; k++)
        if (r->list.launches[k].name && strcmp(r->list.launches[k].name, o->launch) == 0) {
            r->changed = k;
            return CLI_OK;
        }
    if (o->launch && cli_number(o->launch, r->list.launch_count - 1, &n)) {
        r->changed = (size_t)n;
        return CLI_OK;
    }
    spell_launches(&r->list, launches, sizeof launches);
    if (o->launch)
        return cli_usage("run", "--launch: '%s'; %s has %s", o->launch, o->file, launches);
    if (r->list.launch_count == 1)
        return CLI_OK;
    return cli_usage("run", "%s: which of its %zu launches is %s for? expected --launch and one of %s", o->file,
                     r->list.launch_count, option, launches);
}

/* What the command line says of a launch, over what its file says. */
static void change_launch(struct gcnsim_listed_launch *l, const struct run_options *o)
{
    if (o->kernel)
        l->kernel = o->kernel;
    if (o->grid[0])
        memcpy(l->grid, o->grid, sizeof l->grid);
    if (o->workgroup[0])
        memcpy(l->workgroup, o->workgroup, sizeof l->workgroup);
    if (o->args.count) {
        l->args = o->args.items;
        l->arg_count = o->args.count;
    }
    if (o->dynamic_lds != NOT_GIVEN)
        l->dynamic_lds_bytes = (uint32_t)o->dynamic_lds;
}

/* The launches of r->list become r's own, and the one that is chosen is changed. */
static int own_launches(struct run *r, const struct run_options *o)
{
    const char *option;
    bool describes = describes_launch(o, &option);
    int status = CLI_OK;

    if (o->launch && !r->list.is_list)
        return cli_usage("run", "--launch chooses in a list of launches; %s holds none", o->file);
    if (o->launch && !describes && !o->one_launch)
        return cli_usage("run", "--launch says which launch --grid, --arg and the like are for; expected one of them");
    if (o->grid[0] && o->blocks[0])
        return cli_usage("run", "--grid and --blocks; expected one of them (the grid is blocks times workgroup)");
    if ((describes || o->launch) && r->list.is_list)
        status = find_launch(r, o, option);
    if (status != CLI_OK)
        return status;
    r->own = calloc(r->list.launch_count, sizeof *r->own);
    if (!r->own)
        return cli_error("out of memory");
    memcpy(r->own, r->list.launches, r->list.launch_count * sizeof *r->own);
    change_launch(&r->own[r->changed], o);
    status = run_replace_args(r, &r->own[r->changed], &o->replace_args);
    if (status == CLI_OK && o->discard_outputs)
        status = run_discard_outputs(r);
    r->list.launches = r->own;
    return status;
}

/* Fills options that the command line leaves open from the launch file. */
static int read_launch_file(struct run *l, struct run_options *o)
{
    struct gcnsim_error error = {0};

    if (gcnsim_launch_file_open(&l->file, o->file, &error) != GCNSIM_OK ||
        (o->confine && gcnsim_launch_file_confine(l->file, o->confine, &error) != GCNSIM_OK))
        return cli_library_error(&error);
    const struct gcnsim_launch_file *f = l->file;
    l->list = *gcnsim_launch_file_list(f);
    l->sequence |= l->list.is_list || l->list.repeat || l->list.warmup_rounds;
    if (!o->repeat)
        o->repeat = l->list.repeat;
    if (o->warmup == ROUNDS_NOT_GIVEN)
        o->warmup = l->list.warmup_rounds;
    o->cold |= l->list.cold != 0;
    if (!o->arch)
        o->arch = f->arch;
    if (o->common.engine < 0 && f->engine)
        o->common.engine = strcmp(f->engine, "functional") == 0 ? GCNSIM_ENGINE_FUNCTIONAL : GCNSIM_ENGINE_TIMING;
    if (!o->common.max_cycles)
        o->common.max_cycles = f->max_cycles;
    if (!o->common.threads)
        o->common.threads = f->threads;
    if (!o->common.max_instructions)
        o->common.max_instructions = f->max_instructions;
    o->common.check |= f->check != 0;
    o->common.perfect_memory |= f->perfect_memory != 0;
    return own_launches(l, o);
}

/* A code object on the command line: a list of one launch. */
static int read_command_line(struct run *r, const struct run_options *o)
{
    const struct gcnsim_listed_launch launch = {.file = o->file, .acquire = -1, .release = -1};

    if (o->confine)
        return cli_usage("run", "--confine is for launch files; %s is none", o->file);
    r->list = (struct gcnsim_launch_list){.launches = &launch, .launch_count = 1};
    return own_launches(r, o);
}

/* ---- loading ---- */

int run_step_error(const struct run *r, size_t k, const struct gcnsim_error *error)
{
    struct gcnsim_error whole = *error;

    if (!r->list.is_list)
        return cli_library_error(error);
    snprintf(whole.text, sizeof whole.text, "launches[%zu]: %.600s", k, error->text);
    return cli_library_error(&whole);
}

static int choose_kernel(const struct run *r, size_t k)
{
    struct step *s = &r->step[k];
    struct gcnsim_error error = {0};

    if (gcnsim_code_find_kernel(gcnsim_module_code(s->module), s->from->kernel, &s->kernel, &error) == GCNSIM_OK)
        return CLI_OK;
    return s->from->kernel ? run_step_error(r, k, &error) : cli_usage("run", "--kernel is missing; %s", error.text);
}

/* The grid that --blocks asks for. */
static int grid_of_blocks(struct step *s, const uint32_t blocks[3])
{
    for (unsigned k = 0; k < 3; k++) {
        uint64_t items = (uint64_t)blocks[k] * s->workgroup[k];

        if (items > UINT32_MAX)
            return cli_usage("run",
                             "--blocks: %u workgroups of %u in %c are %llu work-items; expected 4294967295 at most",
                             blocks[k], s->workgroup[k], "xyz"[k], (unsigned long long)items);
        s->grid[k] = (uint32_t)items;
    }
    return CLI_OK;
}

/* Grid and workgroup must be there, but that a kernel may say its workgroup itself. blocks: null, or for this launch.
 */
static int choose_shape(struct step *s, const uint32_t *blocks)
{
    struct gcnsim_kernel_info info;

    memcpy(s->grid, s->from->grid, sizeof s->grid);
    memcpy(s->workgroup, s->from->workgroup, sizeof s->workgroup);
    if (!s->workgroup[0] && gcnsim_code_kernel(gcnsim_module_code(s->module), s->kernel, &info) == GCNSIM_OK)
        memcpy(s->workgroup, info.reqd_workgroup_size, sizeof s->workgroup);
    if (!s->grid[0] && !blocks)
        return cli_usage("run", "--grid is missing; expected --grid X[,Y[,Z]] in work-items, or --blocks");
    if (!s->workgroup[0])
        return cli_usage("run", "--workgroup is missing; expected --workgroup X[,Y[,Z]]");
    return blocks ? grid_of_blocks(s, blocks) : CLI_OK;
}

/* The code object that is asked for in the file of step k. */
static void fill_source(const struct run *r, const struct run_options *o, size_t k, struct gcnsim_code_source *s)
{
    gcnsim_code_source_init(s);
    s->path = r->step[k].from->file;
    s->want_target = o->target;
    s->kernel = r->step[k].from->kernel;
    if (k == r->changed && o->index != NOT_GIVEN) {
        s->by_index = 1;
        s->index = (uint32_t)o->index;
    } else if (r->file) {
        s->by_index = gcnsim_launch_file_index(r->file, k, &s->index) == GCNSIM_OK;
    }
}

/* Files that launch files name are not compiled: whoever runs a launch file of others expects no compiler to run. */
static int load_source(struct run *r, const struct run_options *o, struct step *s, struct gcnsim_code_source *source)
{
    struct cli_source compiled = {o->clang, o->target, "--arch PROFILE or --target NAME"};
    struct gcnsim_profile_info profile;
    struct gcnsim_code_info info;
    struct gcnsim_error error = {0};
    uint8_t *own = NULL;
    int status = CLI_OK;

    if (!compiled.target && o->arch && gcnsim_profile_find(o->arch, &profile, NULL) == GCNSIM_OK)
        compiled.target = profile.target;
    if (!r->file)
        status = cli_source_take(&compiled, source, &own);
    s->compiled = own != NULL;
    if (status == CLI_OK && gcnsim_load(r->sim, &s->module, source, &error) != GCNSIM_OK)
        status = run_step_error(r, (size_t)(s - r->step), &error);
    free(own);
    if (status != CLI_OK)
        return status;
    gcnsim_code_get_info(gcnsim_module_code(s->module), &info);
    cli_note_place(&info);
    return CLI_OK;
}

/* The code object of step k, loaded once for all steps that have it: they share its variables. */
static int load_code(struct run *r, const struct run_options *o, size_t k)
{
    struct gcnsim_code_source source;
    struct step *s = &r->step[k];
    uint32_t of;

    fill_source(r, o, k, &source);
    for (size_t n = 0; n < k && !source.by_index; n++) {
        const struct step *other = &r->step[n];

        gcnsim_code_index(gcnsim_module_code(other->module), &of);
        if (of == 1 && strcmp(other->from->file, s->from->file) == 0) {
            s->module = other->module;
            return CLI_OK;
        }
    }
    int status = load_source(r, o, s, &source);
    for (size_t n = 0; n < k && status == CLI_OK; n++) {
        const struct step *other = &r->step[n];

        if (strcmp(other->from->file, s->from->file) == 0 &&
            gcnsim_code_index(gcnsim_module_code(other->module), NULL) ==
                gcnsim_code_index(gcnsim_module_code(s->module), NULL)) {
            gcnsim_unload(s->module);
            s->module = other->module;
        }
    }
    return status;
}

/* The variables of step k: those of the launch file, then those of the command line, whose paths are the user's. */
static int parse_symbols(struct run *r, const struct run_options *o, size_t k)
{
    struct gcnsim_symbol_texts texts = {0};
    struct gcnsim_error error = {0};
    struct step *s = &r->step[k];
    const char *directory = r->file ? r->file->directory : NULL;

    if (r->file)
        gcnsim_launch_file_symbols(r->file, k, &texts);
    if (texts.set_count + texts.read_count &&
        gcnsim_symbols_parse(s->module, &texts, directory, r->buffers, &s->symbols, &error) != GCNSIM_OK)
        return run_step_error(r, k, &error);
    texts = (struct gcnsim_symbol_texts){o->set_symbols.items, o->set_symbols.count, o->read_symbols.items,
                                         o->read_symbols.count};
    if (k == r->changed && texts.set_count + texts.read_count &&
        gcnsim_symbols_parse(s->module, &texts, NULL, r->buffers, &s->more_symbols, &error) != GCNSIM_OK)
        return run_step_error(r, k, &error);
    return CLI_OK;
}

int run_set_symbols(const struct run *r, size_t k, struct gcnsim_error *error)
{
    const struct step *s = &r->step[k];
    int rc = s->symbols ? gcnsim_symbols_set(s->symbols, error) : GCNSIM_OK;

    return rc == GCNSIM_OK && s->more_symbols ? gcnsim_symbols_set(s->more_symbols, error) : rc;
}

static int prepare_step(struct run *r, const struct run_options *o, size_t k)
{
    struct gcnsim_error error = {0};
    struct step *s = &r->step[k];
    int status;

    bool changed = k == r->changed;

    s->from = &r->own[k];
    /* paths of the command line are the user's */
    s->directory = r->file && !(changed && o->args.count) ? r->file->directory : NULL;
    status = load_code(r, o, k);
    if (status == CLI_OK)
        status = choose_kernel(r, k);
    if (status == CLI_OK)
        status = choose_shape(s, changed && o->blocks[0] ? o->blocks : NULL);
    if (status == CLI_OK && gcnsim_args_parse_shared(s->module, s->kernel, s->from->args, s->from->arg_count,
                                                     s->directory, r->buffers, &s->args, &error) != GCNSIM_OK)
        status = run_step_error(r, k, &error);
    if (status == CLI_OK)
        status = parse_symbols(r, o, k);
    if (status == CLI_OK && gcnsim_args_note(s->args))
        cli_error("note: %s", gcnsim_args_note(s->args));
    return status;
}

int run_prepare(struct run *r, struct run_options *o)
{
    struct gcnsim_error error = {0};
    const char *option;
    int status;

    r->report.warmup_rounds = o->warmup == ROUNDS_NOT_GIVEN ? 0 : o->warmup;
    r->report.rounds = o->repeat ? o->repeat : 1;
    r->report.cold = o->cold;
    r->steps = r->list.launch_count;
    r->step = calloc(r->steps, sizeof *r->step);
    /* what is reported, and a launch of the warm-up that does not complete */
    r->report.items = r->ended = calloc(r->steps * r->report.rounds + 1, sizeof *r->ended);
    if (!r->step || !r->ended)
        return cli_error("out of memory");
    if (gcnsim_open(&r->sim, o->arch, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_set_max_memory(r->sim, o->max_memory ? o->max_memory : cli_default_memory());
    status = apply_sets(r->sim, r->file, o);
    /* also without buffers: files that several launches of a list use are found through them */
    if (status == CLI_OK && (r->list.is_list || r->list.buffer_count) &&
        gcnsim_buffers_make(r->sim, r->list.buffer_names, r->list.buffer_specs, r->list.buffer_count,
                            r->file->directory, &r->buffers, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    for (size_t k = 0; k < r->steps && status == CLI_OK; k++)
        status = prepare_step(r, o, k);
    if (status != CLI_OK && !r->file && (!describes_launch(o, &option) || !r->step[0].module) &&
        exec_is_program(o->file))
        cli_error(
            "%s is a program of this machine; expected gcnsim exec %s, which runs it with the kernels that it starts",
            o->file, o->file);
    return status;
}

/* ---- options together ---- */

/* Checks the options together, once command line and launch file are read. */
static int check_options(const struct run_options *o, const struct cli_command *c)
{
    const bool functional = o->common.engine == OPTION_ENGINE_FUNCTIONAL;
    const struct option_row *timing = option_about(c->options, o, OPTION_OF_TIMING);
    const struct option_row *each = option_about(c->options, o, OPTION_OF_EACH_GROUP);

    if (timing && functional)
        return cli_usage(c->name, "--%s is of the timing engine, which counts cycles; expected no %s beside it",
                         timing->name, o->common.check ? "--check" : "--engine functional");
    if (o->common.perfect_memory && o->common.check)
        return cli_usage(c->name, "--perfect-memory has no caches that --check looks at; expected one of them");
    if (each && o->common.sample)
        return cli_usage(c->name, "--sample does not simulate each workgroup; expected no --%s beside it", each->name);
    if (cli_options_beside(c, o, o) != CLI_OK)
        return CLI_BAD_INPUT;
    return run_check_options(o);
}

/* Checking is the functional engine's unless timing is asked for beside it: then it is for lines that are stale in
 * caches and races between workgroups. Done before a launch file is read and after it, so that one that says "timing"
 * does not take --check there.
 */
static void choose_engine(struct run_options *o)
{
    if (o->common.check && o->common.engine == OPTION_ENGINE_NONE)
        o->common.engine = OPTION_ENGINE_FUNCTIONAL;
}

int run_read_file(struct run *r, struct run_options *o, const struct cli_command *c)
{
    int status = CLI_OK;

    choose_engine(o);
    r->sequence = o->repeat || o->warmup != ROUNDS_NOT_GIVEN;
    if (is_launch_file(o->file))
        status = read_launch_file(r, o);
    else
        status = read_command_line(r, o);
    choose_engine(o);
    if (status == CLI_OK && o->sample_skip && r->sequence && !o->cold)
        return cli_usage("run",
                         "--sample-skip leaves no caches for the next launch to find; expected --cold beside it where "
                         "there are several");
    return status == CLI_OK ? check_options(o, c) : status;
}

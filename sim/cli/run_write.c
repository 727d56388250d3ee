/* What gcnsim run writes: files of arguments, reports, views.
 *
 * A new report or view is a row in list_forms(); what makes its text is a function of the library.
 */
#include "sim/cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FORMS = 16 };

/* A report or a view. */
struct form {
    const char *option; /* by which it is asked for */
    const char *path;   /* of its file; "-": standard output; null: not asked for */
    bool data;          /* for programs: on standard output it stands alone */
    int (*one)(const struct gcnsim_result *result, char **text, struct gcnsim_error *error);
    /* of launches that are reported as a sequence; null: it is of the last launch, by `one` */
    int (*all)(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error);
    /* in the place of `one`, where options say more about it; of a sequence that of each launch in the list */
    int (*view)(const struct gcnsim_result *result, const struct run_options *o, char **text,
                struct gcnsim_error *error);
    bool report; /* the report for people, of which options choose the sections */
    /* none of them: it is written while the launch lasts */
};

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* With --confine launch files are a stranger's, and so are the names of source files. */
static int confined_page(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    struct gcnsim_html_options h;

    gcnsim_html_options_init(&h);
    h.no_sources = 1;
    return gcnsim_result_html(result, &h, text, error);
}

static int page(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return gcnsim_result_html(result, NULL, text, error);
}

static int confined_page_of_all(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error)
{
    struct gcnsim_html_options h;

    gcnsim_html_options_init(&h);
    h.no_sources = 1;
    return gcnsim_sequence_html(sequence, &h, text, error);
}

static int page_of_all(const struct gcnsim_sequence *sequence, char **text, struct gcnsim_error *error)
{
    return gcnsim_sequence_html(sequence, NULL, text, error);
}

/* The annotated code. With --confine launch files are a stranger's, and so are the names of source files. */
static int annotated(const struct gcnsim_result *result, const struct run_options *o, char **text,
                     struct gcnsim_error *error)
{
    const char *no_color = getenv("NO_COLOR");
    struct gcnsim_annotate a;
    char *code = NULL;
    int rc;

    gcnsim_annotate_init(&a);
    a.sort = (enum gcnsim_sort)o->common.sort;
    a.top = o->common.top;
    a.function = o->common.function;
    a.no_sources = o->confine != NULL;
    a.color = o->common.color == OPTION_COLOR_ALWAYS ||
              (o->common.color == OPTION_COLOR_AUTO && isatty(STDOUT_FILENO) && !(no_color && *no_color));
    rc = gcnsim_result_annotated(result, &a, &code, error);
    if (rc != GCNSIM_OK || o->quiet || o->annotating) {
        *text = code;
        return rc;
    }
    *text = malloc(strlen(code) + 2); /* after the report */
    if (*text)
        sprintf(*text, "\n%s", code);
    else
        snprintf(error->text, sizeof error->text, "out of memory");
    gcnsim_free(code);
    return *text ? GCNSIM_OK : GCNSIM_ERROR_NOMEM;
}

/* All that may be asked for, in the order in which it is written. */
static size_t fill_forms(const struct run_options *o, struct form list[MAX_FORMS])
{
    const struct form forms[] = {
        {"the report (see --quiet)", o->quiet || o->annotating ? NULL : "-", .report = true},
        {"--json", o->json, true, gcnsim_result_json, gcnsim_sequence_json, NULL, false},
        {"--html", o->html, true, o->confine ? confined_page : page, o->confine ? confined_page_of_all : page_of_all,
         NULL, false},
        {"--csv", o->csv[CSV_STATISTICS], true, gcnsim_result_csv, gcnsim_sequence_csv, NULL, false},
        {"--csv counters", o->csv[CSV_COUNTERS], true, gcnsim_result_counters_csv, NULL, NULL, false},
        {"--csv instructions", o->csv[CSV_INSTRUCTIONS], true, gcnsim_result_instructions_csv, NULL, NULL, false},
        {"--annotate", o->common.annotate && !(o->annotating && o->quiet) ? "-" : NULL, false, NULL, NULL, annotated,
         false},
        {"--trace", o->trace_to_stdout[0] ? "-" : NULL, true, NULL, NULL, NULL, false},
    };
    _Static_assert(sizeof forms <= MAX_FORMS * sizeof *forms, "room for all");

    memcpy(list, forms, sizeof forms);
    return sizeof forms / sizeof *forms;
}

bool run_has_data_on_stdout(const struct run_options *o)
{
    struct form all[MAX_FORMS];
    size_t count = fill_forms(o, all);

    for (size_t k = 0; k < count; k++)
        if (all[k].data && is_stdout(all[k].path))
            return true;
    return false;
}

/* Those that are written. */
static size_t list_forms(const struct run_options *o, struct form list[MAX_FORMS])
{
    size_t count = fill_forms(o, list), n = 0;
    bool alone = run_has_data_on_stdout(o);

    for (size_t k = 0; k < count; k++)
        if (list[k].path && !(alone && !list[k].data && is_stdout(list[k].path)))
            list[n++] = list[k];
    return n;
}

/* Whether it is made of results, when the launches are done. */
static bool has_text(const struct form *f)
{
    return f->one || f->view || f->report;
}

/* Standard output is one file among them, under the name of what is written there. A trace's is one of the launch. */
static size_t files_of_forms(const struct form *forms, size_t count, struct gcnsim_file *files)
{
    size_t n = 0;
    bool printed = false;

    for (size_t k = 0; k < count; k++) {
        if (!is_stdout(forms[k].path))
            files[n++] = (struct gcnsim_file){forms[k].path, forms[k].option, 1};
        else if (!printed && has_text(&forms[k]))
            files[n++] = (struct gcnsim_file){NULL, forms[k].option, 1};
        printed |= is_stdout(forms[k].path);
    }
    return n;
}

int run_check_options(const struct run_options *o)
{
    struct form forms[MAX_FORMS];
    size_t count = list_forms(o, forms);
    const char *alone = NULL;

    for (size_t k = 0; k < count; k++)
        if (forms[k].data && is_stdout(forms[k].path)) {
            if (alone)
                return cli_usage(o->annotating ? "annotate" : "run",
                                 "%s - and %s -; expected one of them on standard output", alone, forms[k].option);
            alone = forms[k].option;
        }
    return CLI_OK;
}

/* How many variables of all steps are set or read; each may have a file. */
static size_t count_symbols(const struct run *r)
{
    struct gcnsim_file file;
    size_t n = 0;

    for (size_t k = 0; k < 2 * r->steps; k++) {
        const struct step *s = &r->step[k / 2];
        const struct gcnsim_symbols *symbols = k % 2 ? s->more_symbols : s->symbols;

        for (uint32_t i = 0; symbols && gcnsim_symbols_file(symbols, i, &file) == GCNSIM_OK; i++)
            n++;
    }
    return n;
}

static size_t files_of_symbols(const struct gcnsim_symbols *symbols, struct gcnsim_file *files)
{
    size_t n = 0;

    for (uint32_t i = 0; symbols && gcnsim_symbols_file(symbols, i, &files[n]) == GCNSIM_OK; i++)
        n += files[n].path != NULL;
    return n;
}

int run_check_files(const struct run *r, const struct run_options *o, const struct gcnsim_dispatch *d)
{
    struct gcnsim_error error = {0};
    size_t symbols = count_symbols(r), n = 0;
    struct gcnsim_file *files = calloc(MAX_FORMS + 2 + r->steps + symbols, sizeof *files);
    struct form forms[MAX_FORMS];

    if (!files)
        return cli_error("out of memory");
    for (size_t k = 0; k < r->steps; k++) {
        n += files_of_symbols(r->step[k].symbols, files + n);
        n += files_of_symbols(r->step[k].more_symbols, files + n);
    }
    for (size_t k = r->step[0].compiled ? 0 : 1; k < r->steps; k++) /* the first is its module's, but for its source */
        files[n++] = (struct gcnsim_file){r->step[k].from->file, "the code object", 0};
    if (r->file)
        files[n++] = (struct gcnsim_file){o->file, "the launch file", 0};
    if (r->timeline_path)
        files[n++] = (struct gcnsim_file){r->timeline_path, "--trace", 1};
    n += files_of_forms(forms, list_forms(o, forms), files + n);
    int rc = gcnsim_check_files(r->step[0].module, d, files, n, &error);
    free(files);
    return rc == GCNSIM_OK ? CLI_OK : cli_library_error(&error);
}

/* The launch of the list that stands for its rounds: the steady one, or where none ran to its end the last; null: it
 * was not run. */
static const struct gcnsim_result *result_of(const struct run *r, size_t launch)
{
    size_t index = r->report.count;

    if (gcnsim_sequence_steady(&r->report, (uint32_t)launch, &index) == GCNSIM_OK)
        return r->ended[index].result;
    while (index-- > 0)
        if (r->ended[index].launch == launch)
            return r->ended[index].result;
    return NULL;
}

/* The view of each launch in the list; one that has nothing of what is asked for (--function) is left out, unless all
 * are. */
static int view_all(const struct run *r, const struct run_options *o, const struct form *form, char **text,
                    struct gcnsim_error *error)
{
    size_t size = 0, shown = 0;
    FILE *f = open_memstream(text, &size);
    int rc = GCNSIM_OK;

    for (size_t k = 0; f && k < r->steps && (rc == GCNSIM_OK || rc == GCNSIM_ERROR_USAGE); k++) {
        const struct gcnsim_result *result = result_of(r, k);
        char *one = NULL;

        if (!result || (rc = form->view(result, o, &one, error)) != GCNSIM_OK)
            continue;
        if (shown++ && (o->quiet || o->annotating))
            fputc('\n', f);
        fputs(one, f);
        gcnsim_free(one);
    }
    if (!f || fclose(f) != 0) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return GCNSIM_ERROR_NOMEM;
    }
    return rc == GCNSIM_ERROR_USAGE && shown ? GCNSIM_OK : rc;
}

bool run_shows_summary(const struct run_options *o)
{
    return !o->quiet && !o->annotating && !o->show && !o->common.details;
}

/* The report, and after its first screen what to run next. */
static int report_text(const struct run *r, const struct run_options *o, char **text, struct gcnsim_error *error)
{
    const char *sections = run_shows_summary(o) ? "summary" : o->show;
    const struct gcnsim_result *last = r->ended[r->report.count - 1].result;
    int rc = r->sequence ? gcnsim_sequence_show(&r->report, sections, text, error)
                         : gcnsim_result_show(last, sections, text, error);
    char *report = *text;

    if (rc != GCNSIM_OK || !run_shows_summary(o))
        return rc;
    *text = run_with_next(report, o, strcmp(last->engine, "timing") == 0);
    gcnsim_free(report);
    if (*text)
        return GCNSIM_OK;
    snprintf(error->text, sizeof error->text, "out of memory");
    return GCNSIM_ERROR_NOMEM;
}

static int make_text(const struct run *r, const struct run_options *o, const struct form *form, char **text,
                     struct gcnsim_error *error)
{
    const struct gcnsim_result *last = r->ended[r->report.count - 1].result;

    if (form->report)
        return report_text(r, o, text, error);
    if (r->sequence && form->all)
        return form->all(&r->report, text, error);
    if (r->sequence && form->view)
        return view_all(r, o, form, text, error);
    return form->view ? form->view(last, o, text, error) : form->one(last, text, error);
}

static int write_form(const struct run *r, const struct run_options *o, const struct form *form)
{
    struct gcnsim_error error = {0};
    char *text = NULL;
    int rc = make_text(r, o, form, &text, &error);
    int status = CLI_OK;

    if (rc == GCNSIM_OK && is_stdout(form->path)) {
        status = cli_put(text);
    } else if (rc == GCNSIM_OK) {
        rc = gcnsim_write_file(form->path, text, strlen(text), &error);
    }
    gcnsim_free(text);
    if (rc != GCNSIM_OK)
        cli_error("%s: %s", form->option, error.text);
    return rc == GCNSIM_OK ? status : rc == GCNSIM_ERROR_USAGE ? CLI_BAD_INPUT : CLI_NOT_WRITTEN;
}

static int write_outputs(const struct run *r)
{
    struct gcnsim_error error = {0};
    int status = CLI_OK;

    for (size_t s = 0; s < r->steps; s++)
        for (size_t k = 0; k < r->step[s].from->arg_count; k++)
            if (gcnsim_args_write_output(r->step[s].args, (uint32_t)k, &error) != GCNSIM_OK) {
                run_step_error(r, s, &error);
                status = CLI_NOT_WRITTEN;
            }
    for (size_t k = 0; k < r->list.buffer_count; k++)
        if (gcnsim_buffers_write_output(r->buffers, (uint32_t)k, &error) != GCNSIM_OK) {
            cli_library_error(&error);
            status = CLI_NOT_WRITTEN;
        }
    return status;
}

/* Prints the variables that are to be read, or writes their files. */
static int read_symbols(const struct run *r, size_t step, const struct gcnsim_symbols *symbols, bool to_stderr)
{
    struct gcnsim_error error = {0};
    struct gcnsim_file file;
    int status = CLI_OK;
    uint32_t read = 0;

    for (uint32_t k = 0; symbols && gcnsim_symbols_file(symbols, k, &file) == GCNSIM_OK; k++) {
        char *text = NULL;

        if (!file.written)
            continue;
        int rc = gcnsim_symbols_read(symbols, read++, &text, &error);
        if (rc != GCNSIM_OK) {
            run_step_error(r, step, &error);
            status = CLI_NOT_WRITTEN;
        } else if (text && to_stderr) {
            cli_eprintf("%s", text);
        } else if (text && cli_put(text) != CLI_OK) {
            status = CLI_NOT_WRITTEN;
        }
        gcnsim_free(text);
    }
    return status;
}

int run_write(const struct run *r, const struct run_options *o)
{
    struct form forms[MAX_FORMS];
    size_t count = list_forms(o, forms);
    int status = r->failed ? CLI_OK : write_outputs(r);

    for (size_t k = 0; k < count; k++) {
        int written = has_text(&forms[k]) ? write_form(r, o, &forms[k]) : CLI_OK;

        status = written > status ? written : status;
    }
    for (size_t k = 0; k < r->steps && !r->failed; k++) {
        bool data = run_has_data_on_stdout(o);
        int first = read_symbols(r, k, r->step[k].symbols, data);
        int more = read_symbols(r, k, r->step[k].more_symbols, data);

        status = first > status ? first : status;
        status = more > status ? more : status;
    }
    return status;
}

/* Public API: views beside the report (gcnsim_views.h). */
#include <string.h>

#include "sim/api/api.h"
#include "sim/loader/demangle.h"
#include "sim/report/annotate.h"
#include "sim/report/counters.h"

_Static_assert((int)GCNSIM_SORT_STALL == REPORT_SORT_STALL && GCNSIM_LISTING_NONE == REPORT_NONE,
               "the public names mirror the report's");

int gcnsim_demangle(const char *name, char **plain, struct gcnsim_error *error)
{
    char *text = demangle(name);

    return api_text(text ? text : strdup(name), "name", plain, error);
}

int gcnsim_result_counter(const struct gcnsim_result *result, size_t index, struct gcnsim_counter *counter)
{
    const struct counter_row *row = report_counter_row(index);

    if (!row)
        return GCNSIM_ERROR_USAGE;
    *counter = (struct gcnsim_counter){.name = row->name, .about = row->about};
    counter->present = report_counter(api_report(result), row, &counter->value);
    if (!counter->present)
        counter->value = 0;
    return GCNSIM_OK;
}

int gcnsim_result_counters_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(report_write_counters, api_report(result)), "table of counters", text, error);
}

/* ---- frames and listings ---- */

/* The public struct has the fields of the report's. */
static const struct gcnsim_frame *frames_of(const struct report_frame *frame)
{
    _Static_assert(sizeof(struct gcnsim_frame) == sizeof(struct report_frame) &&
                       offsetof(struct gcnsim_frame, line) == offsetof(struct report_frame, line) &&
                       offsetof(struct gcnsim_frame, file) == offsetof(struct report_frame, file),
                   "one layout");
    return (const struct gcnsim_frame *)(const void *)frame;
}

const struct gcnsim_frame *gcnsim_fault_frames(const struct gcnsim_result *result, uint32_t *count)
{
    const struct report *r = api_report(result);

    *count = r->has_fault ? r->fault.frames : 0;
    return *count ? frames_of(r->fault.frame) : NULL;
}

const struct gcnsim_frame *gcnsim_finding_frames(const struct gcnsim_result *result, size_t index, uint32_t *count)
{
    const struct report *r = api_report(result);

    *count = index < r->finding_count ? r->findings[index].frames : 0;
    return *count ? frames_of(r->findings[index].frame) : NULL;
}

static bool list_instructions(struct gcnsim_listing *to, struct arena *arena, const struct report_code *code)
{
    struct gcnsim_listed *i = ARENA_NEW(arena, code->insts + 1, struct gcnsim_listed);

    for (size_t k = 0; i && k < code->insts; k++) {
        const struct report_code_inst *from = &code->inst[k];

        i[k] = (struct gcnsim_listed){.pc = from->pc,
                                      .pc_offset = from->pc_offset,
                                      .instruction = from->text,
                                      .values = from->stat,
                                      .frames = frames_of(from->frame),
                                      .frame_count = from->frames,
                                      .function = from->function,
                                      .loop = from->loop,
                                      .target = from->target,
                                      .reached = from->reached};
    }
    to->instructions = i;
    to->instruction_count = code->insts;
    return i != NULL;
}

bool api_make_views(struct api_views *v, struct report *r)
{
    const struct report_code *code = r->code;

    v->has_listing = code != NULL;
    v->listing.struct_bytes = sizeof v->listing;
    if (!code)
        return true;
    struct gcnsim_listed_function *f = ARENA_NEW(&r->arena, code->functions + 1, struct gcnsim_listed_function);
    struct gcnsim_listed_loop *l = ARENA_NEW(&r->arena, code->loops + 1, struct gcnsim_listed_loop);
    if (!f || !l || !list_instructions(&v->listing, &r->arena, code))
        return false;
    for (size_t k = 0; k < code->functions; k++) {
        const struct report_function *from = &code->function[k];

        f[k] = (struct gcnsim_listed_function){from->name, from->plain, from->first, from->count, from->kernel};
    }
    for (size_t k = 0; k < code->loops; k++) {
        const struct report_loop *from = &code->loop[k];

        l[k] = (struct gcnsim_listed_loop){.function = from->function,
                                           .parent = from->parent,
                                           .depth = from->depth,
                                           .header = from->header,
                                           .first = from->first,
                                           .last = from->last,
                                           .file = from->file,
                                           .line = from->line,
                                           .iterations = from->iterations,
                                           .entries_known = from->entries_known,
                                           .entries = from->entries};
    }
    v->listing.functions = f;
    v->listing.function_count = code->functions;
    v->listing.loops = l;
    v->listing.loop_count = code->loops;
    return true;
}

const struct gcnsim_listing *gcnsim_result_listing(const struct gcnsim_result *result)
{
    const struct api_views *v = api_views(result);

    return v->has_listing ? &v->listing : NULL;
}

/* ---- annotated code ---- */

static const struct gcnsim_annotate initial;

static const struct api_struct kind = {.what = "annotate",
                                       .init = "gcnsim_annotate_init",
                                       .initial = &initial,
                                       .bytes = sizeof initial,
                                       .least = API_BYTES_THROUGH(struct gcnsim_annotate, no_sources)};

void gcnsim_annotate_init_sized(struct gcnsim_annotate *a, size_t struct_bytes)
{
    api_struct_init(&kind, a, struct_bytes);
}

static int needs_code(const struct report *r, struct err *e)
{
    return r->code ? 0
                   : err_set(e, ERR_USAGE,
                             "the run did not count for each instruction; expected dispatch.per_instruction, and the "
                             "timing engine");
}

/* At least one function has the name. */
static int check_function(const struct report *r, const char *name, struct err *e)
{
    char list[400] = "";
    size_t at = 0;

    for (size_t k = 0; name && k < r->code->functions; k++) {
        const struct report_function *f = &r->code->function[k];

        if (demangle_matches(f->name, name) != DEMANGLE_NO_MATCH)
            return 0;
        if (at + strlen(f->plain) + 3 < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", f->plain);
    }
    return name ? err_set(e, ERR_USAGE, "no function \"%.100s\" was run; functions: %s", name, list) : 0;
}

int api_annotated(const struct report *r, const struct report_sum *sum, const struct gcnsim_annotate *options,
                  char **text, struct gcnsim_error *error)
{
    struct gcnsim_annotate own = {0};
    struct err e = {0};
    bool no_memory = false;

    if ((options && api_struct_take(&kind, &own, options, &e)) || needs_code(r, &e) ||
        check_function(r, own.function, &e))
        return api_fail(error, &e);
    if ((unsigned)own.sort > GCNSIM_SORT_STALL) {
        err_set(&e, ERR_USAGE, "sort %d; expected an enum gcnsim_sort", (int)own.sort);
        return api_fail(error, &e);
    }
    struct report_annotate a = {.r = r,
                                .sum = sum,
                                .sort = (enum report_sort)own.sort,
                                .top = own.top,
                                .function = own.function,
                                .color = own.color,
                                .no_sources = own.no_sources,
                                .no_memory = &no_memory};
    char *rendered = report_render_coloured(report_write_annotated, &a);
    if (no_memory) {
        gcnsim_free(rendered);
        rendered = NULL;
    }
    return api_text(rendered, "annotated code", text, error);
}

int gcnsim_result_annotated(const struct gcnsim_result *result, const struct gcnsim_annotate *options, char **text,
                            struct gcnsim_error *error)
{
    return api_annotated(api_report(result), NULL, options, text, error);
}

int gcnsim_result_instructions_csv(const struct gcnsim_result *result, char **text, struct gcnsim_error *error)
{
    const struct report_instructions_csv csv = {.r = api_report(result), .code_object = 1};
    struct err e = {0};

    if (needs_code(csv.r, &e))
        return api_fail(error, &e);
    return api_text(report_render(report_write_instructions_csv, &csv), "instructions", text, error);
}

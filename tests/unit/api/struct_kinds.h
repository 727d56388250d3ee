/* Every public struct that a program fills and that may grow, each with a call that takes it: kinds[]. */
#ifndef TESTS_UNIT_API_STRUCT_KINDS_H
#define TESTS_UNIT_API_STRUCT_KINDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"

static struct gcnsim_error error;

/* Runs vecadd as the dispatch says, or one that is made here; its status. *out is null unless it ran. */
static int run_vecadd(const struct gcnsim_dispatch *given, const char *const *sets, size_t set_count, bool instructions,
                      struct gcnsim_result **out, struct gcnsim_error *e)
{
    static const char *const specs[] = {"buf:256", "buf:256", "buf:256", "u32:64"};
    struct gcnsim_module *module;
    struct gcnsim_dispatch d;
    struct gcnsim_args *args;
    struct gcnsim *sim;

    *out = (void *)&d; /* no result, which the call replaces in any case */
    assert_int_equal(gcnsim_open(&sim, NULL, e), GCNSIM_OK);
    assert_int_equal(gcnsim_set_all(sim, sets, set_count, e), GCNSIM_OK);
    assert_int_equal(gcnsim_load_file(sim, &module, "traces/samples/gfx90a/vecadd.co", NULL, e), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse(module, 0, specs, 4, NULL, &args, e), GCNSIM_OK);
    if (!given) {
        gcnsim_dispatch_init(&d);
        d.grid_size[0] = d.workgroup_size[0] = 64;
        d.per_instruction = instructions;
        d.args = args;
    } else {
        ((struct gcnsim_dispatch *)given)->args = args;
    }
    int status = gcnsim_launch(module, given ? given : &d, out, e);
    assert_int_equal(!*out, status != GCNSIM_OK);
    if (given && !given->att && !given->timeline) /* which it does not look into */
        assert_int_equal(gcnsim_check_files(module, given, NULL, 0, NULL), status);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    return status;
}

static int call_code_source(void *s)
{
    struct gcnsim_code *code = NULL;

    ((struct gcnsim_code_source *)s)->path = "traces/samples/gfx90a/call.co";
    int status = gcnsim_code_open(&code, s, &error);
    assert_int_equal(!code, status != GCNSIM_OK);
    gcnsim_code_close(code);
    return status;
}

static int call_dispatch(void *s)
{
    struct gcnsim_dispatch *d = s;
    struct gcnsim_result *result;

    d->grid_size[0] = d->workgroup_size[0] = 64;
    int status = run_vecadd(d, NULL, 0, false, &result, &error);
    assert_true(!result || strcmp(result->engine, "timing") == 0); /* what _init chose */
    gcnsim_result_free(result);
    return status;
}

/* With a dispatch that has one of them. */
static int run_with(const struct gcnsim_att *att, const struct gcnsim_on_timeline *timeline)
{
    struct gcnsim_result *result;
    struct gcnsim_dispatch d;

    gcnsim_dispatch_init(&d);
    d.grid_size[0] = d.workgroup_size[0] = 64;
    d.att = att;
    d.timeline = timeline;
    int status = run_vecadd(&d, NULL, 0, false, &result, &error);
    gcnsim_result_free(result);
    return status;
}

static int call_att(void *s)
{
    char folder[] = "/tmp/gcnsim-struct-XXXXXX", command[64];

    assert_non_null(mkdtemp(folder));
    ((struct gcnsim_att *)s)->folder = folder;
    int status = run_with(s, NULL);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    return status;
}

static int call_on_timeline(void *s)
{
    struct gcnsim_wave_view view = {.rows = 4};

    ((struct gcnsim_on_timeline *)s)->wave = &view;
    int status = run_with(NULL, s);
    assert_int_equal(!view.text, status != GCNSIM_OK);
    gcnsim_free(view.text);
    return status;
}

static int call_timeline_options(void *s)
{
    struct gcnsim_timeline *timeline = NULL;

    int status = gcnsim_timeline_open(&timeline, "/tmp/gcnsim-struct.pftrace", s, &error);
    assert_int_equal(!timeline, status != GCNSIM_OK);
    gcnsim_timeline_close(timeline, 0, NULL);
    return status;
}

static const uint32_t endpgm[] = {0xbf810000};

static int run_raw(struct gcnsim_raw *r)
{
    struct gcnsim_result *result = (void *)endpgm;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    r->target = "gfx90a";
    r->entry = (uint64_t)(uintptr_t)endpgm;
    r->code_size = sizeof endpgm;
    r->wave_size = 64;
    int status = gcnsim_launch_raw(sim, r, &result, &error);
    assert_int_equal(!result, status != GCNSIM_OK); /* null, as the header says */
    gcnsim_result_free(result);
    gcnsim_close(sim);
    return status;
}

static int call_raw(void *s)
{
    return run_raw(s);
}

static int call_placed_code(void *s)
{
    struct gcnsim_placed_code *placed = s;
    struct gcnsim_code *code;
    struct gcnsim_raw r;

    assert_int_equal(gcnsim_code_open_file(&code, "traces/samples/gfx90a/call.co", NULL, &error), GCNSIM_OK);
    placed->object = code;
    placed->address = 1 << 20;
    gcnsim_raw_init(&r);
    r.check = 1;
    r.placed = placed;
    r.placed_count = 1;
    int status = run_raw(&r);
    gcnsim_code_close(code);
    return status;
}

static int call_raw_kernel(void *s)
{
    static const uint8_t descriptor[64]; /* of a kernel without registers */
    struct gcnsim_raw_kernel *k = s;
    struct gcnsim_raw r;

    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    k->descriptor = descriptor;
    k->descriptor_address = 1 << 20;
    return gcnsim_raw_set_kernel(&r, k, &error);
}

static uint64_t nothing_to_do(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    (void)ctx, (void)to, (void)now, (void)idle;
    return GCNSIM_FEED_NEVER;
}

static void not_called(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *e)
{
    (void)ctx, (void)id, (void)now, (void)result, (void)e;
    fail();
}

static int call_feed(void *s)
{
    struct gcnsim_feed *f = s;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    f->ask = nothing_to_do;
    f->ended = not_called;
    int status = gcnsim_run_feed(sim, f, &error);
    gcnsim_close(sim);
    return status;
}

static int call_compare_options(void *s)
{
    static char bytes[65536];
    struct gcnsim_comparison *c = NULL;
    FILE *f = fopen("traces/samples/gfx803/addpk_sdwa.co", "rb");

    assert_non_null(f);
    struct gcnsim_compare_item item = {
        .struct_bytes = sizeof item, .label = "sdwa", .bytes = bytes, .size = fread(bytes, 1, sizeof bytes, f)};
    fclose(f);
    ((struct gcnsim_compare_options *)s)->max_waves = 1;
    int status = gcnsim_compare(&item, 1, s, &c, &error);
    assert_int_equal(!c, status != GCNSIM_OK);
    gcnsim_comparison_free(c);
    return status;
}

/* What is no code object is looked at after the struct itself: GCNSIM_ERROR_FORMAT. */
static const char no_object[] = "no object";

static int call_compare_item(void *s)
{
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item *item = s;
    struct gcnsim_comparison *c = NULL;

    gcnsim_compare_options_init(&options);
    item->label = "nothing";
    item->bytes = no_object;
    item->size = sizeof no_object;
    int status = gcnsim_compare(s, 1, &options, &c, &error);
    assert_null(c);
    return status;
}

static int call_loop_source(void *s)
{
    struct gcnsim_loop_source *source = s;
    void *bytes = NULL;
    size_t size;

    source->object = no_object;
    source->size = sizeof no_object;
    int status = gcnsim_compare_loop(source, &bytes, &size, &error);
    assert_null(bytes);
    return status;
}

static int trial(void *ctx, const struct gcnsim_trial *t, struct gcnsim_result **result, uint64_t *digest,
                 struct gcnsim_error *e)
{
    (void)ctx;
    *digest = 1;
    return run_vecadd(NULL, t->sets, t->set_count, t->per_instruction, result, e);
}

static int call_explain_options(void *s)
{
    static const char *const only[] = {"latency.dram"};
    struct gcnsim_explain_options *o = s;
    struct gcnsim_explanation *x = NULL;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    o->run = trial;
    o->sim = sim;
    o->jobs = 1;
    o->only = only;
    o->only_count = 1;
    int status = gcnsim_explain(o, &x, &error);
    assert_int_equal(!x, status != GCNSIM_OK);
    gcnsim_explanation_free(x);
    gcnsim_close(sim);
    return status;
}

static int call_whatif_options(void *s)
{
    static const char *const sweep[] = {"cache.l2.mshrs=32"};
    struct gcnsim_whatif_options *o = s;
    struct gcnsim_whatif *w = NULL;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, "gfx90a", &error), GCNSIM_OK);
    o->run = trial;
    o->sim = sim;
    o->jobs = 1;
    o->sweeps = sweep;
    o->sweep_count = 1;
    int status = gcnsim_whatif(o, &w, &error);
    assert_int_equal(!w, status != GCNSIM_OK);
    gcnsim_whatif_free(w);
    gcnsim_close(sim);
    return status;
}

/* A view of a result, made with options. */
static int view(void *s, bool html)
{
    struct gcnsim_result *result;
    char *text = NULL;

    assert_int_equal(run_vecadd(NULL, NULL, 0, true, &result, &error), GCNSIM_OK);
    int status =
        html ? gcnsim_result_html(result, s, &text, &error) : gcnsim_result_annotated(result, s, &text, &error);
    assert_int_equal(!text, status != GCNSIM_OK);
    gcnsim_free(text);
    gcnsim_result_free(result);
    return status;
}

static int call_annotate(void *s)
{
    return view(s, false);
}

static int call_html_options(void *s)
{
    return view(s, true);
}

static int call_html_dispatch(void *s)
{
    struct gcnsim_html_dispatch *d = s;
    char *page = NULL;

    d->kernel = d->target = "gfx90a";
    d->engine = "timing";
    d->outcome = "completed";
    int status = gcnsim_html_index("title", d, 1, 0, &page, &error);
    assert_int_equal(!page, status != GCNSIM_OK);
    gcnsim_free(page);
    return status;
}

/* X(struct without its prefix, bytes up to its last member in the first release that has it, status of the call).
 * The bytes are written down as numbers: programs that are out there state them. */
#define KINDS(X)                                                                                                       \
    X(annotate, 32, GCNSIM_OK)                                                                                         \
    X(att, 84, GCNSIM_OK)                                                                                              \
    X(code_source, 72, GCNSIM_OK)                                                                                      \
    X(compare_item, 80, GCNSIM_ERROR_FORMAT)                                                                           \
    X(compare_options, 88, GCNSIM_OK)                                                                                  \
    X(dispatch, 268, GCNSIM_OK)                                                                                        \
    X(explain_options, 100, GCNSIM_OK)                                                                                 \
    X(feed, 40, GCNSIM_OK)                                                                                             \
    X(html_dispatch, 104, GCNSIM_OK)                                                                                   \
    X(html_options, 28, GCNSIM_OK)                                                                                     \
    X(loop_source, 52, GCNSIM_ERROR_FORMAT)                                                                            \
    X(on_timeline, 72, GCNSIM_OK)                                                                                      \
    X(placed_code, 24, GCNSIM_OK)                                                                                      \
    X(raw, 448, GCNSIM_OK)                                                                                             \
    X(raw_kernel, 68, GCNSIM_OK)                                                                                       \
    X(timeline_options, 44, GCNSIM_OK)                                                                                 \
    X(whatif_options, 84, GCNSIM_OK)

#define X(NAME, OLDEST, ACCEPTED)                                                                                      \
    static void init_##NAME(void *s, size_t bytes)                                                                     \
    {                                                                                                                  \
        gcnsim_##NAME##_init_sized(s, bytes);                                                                          \
    }
KINDS(X)
#undef X

static const struct {
    const char *init;
    void (*prepare)(void *s, size_t bytes);
    int (*call)(void *s);
    size_t bytes, oldest;
    int accepted;
} kinds[] = {
#define X(NAME, OLDEST, ACCEPTED)                                                                                      \
    {"gcnsim_" #NAME "_init", init_##NAME, call_##NAME, sizeof(struct gcnsim_##NAME), OLDEST, ACCEPTED},
    KINDS(X)
#undef X
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

#endif

/* The client: raw code, and what is made of launches. */
#include "client.h"

/* ---- raw code ---- */

/* s_sendmsg of an interrupt, then v1 = 42 stored at s[0:1], and the end, on gfx90a */
static const uint32_t code_words[64] = {0xbf900001, 0x7e0202aa, 0x7e000280, 0xdc708000,
                                        0x00000100, 0xbf8c0f70, 0xbf810000};
static uint32_t stored[64];

static int more(void *ctx, uint64_t address, struct gcnsim_window *range)
{
    (void)ctx, (void)address, (void)range;
    return 0;
}

static void message(void *ctx, uint32_t number, uint32_t m0, uint32_t data)
{
    (void)m0, (void)data;
    *(uint32_t *)ctx = number;
}

static uint32_t message_number;
static uint32_t sgprs[2];
static struct gcnsim_range range;
static struct gcnsim_ranges *ranges;
static struct gcnsim_raw_code *raw_code;

static void prepare_raw(struct gcnsim_raw *r)
{
    uint64_t at = (uint64_t)(uintptr_t)stored;

    gcnsim_raw_init(r);
    sgprs[0] = (uint32_t)at;
    sgprs[1] = (uint32_t)(at >> 32);
    r->code = raw_code;
    r->entry = (uint64_t)(uintptr_t)code_words;
    r->wave_size = 64;
    r->grid_size[0] = r->grid_size[1] = r->grid_size[2] = 1;
    r->compute_pgm_rsrc1 = 1 | 3 << 6;
    r->compute_pgm_rsrc2 = 2 << 1;
    r->compute_pgm_rsrc3 = 3;
    r->user_sgprs = sgprs;
    r->user_sgpr_count = 2;
    r->range_set = ranges;
    r->more = more;
    r->message = message;
    r->message_ctx = &message_number;
    r->kernel_name = "by hand";
    stored[0] = 0;
}

static struct gcnsim_raw feed_launch;
static unsigned fed, feed_ended;

static uint64_t ask(void *ctx, struct gcnsim_feeding *to, uint64_t now, int idle)
{
    (void)ctx, (void)idle;
    if (!fed++)
        OK(gcnsim_feed_raw(to, &feed_launch, now, NULL, &error));
    return GCNSIM_FEED_NEVER;
}

static void ended(void *ctx, void *id, uint64_t now, struct gcnsim_result *result, const struct gcnsim_error *failed)
{
    (void)ctx, (void)id;
    CHECK(result && !failed && result->outcome == GCNSIM_COMPLETED && now > 0);
    gcnsim_result_free(result);
    feed_ended++;
}

static void raw_kernel_of(const struct gcnsim_code *code)
{
    struct gcnsim_raw_kernel k;
    struct gcnsim_symbol_info s;
    struct gcnsim_code_image image;
    struct gcnsim_raw r;
    uint32_t n = 0;
    char *place;

    while (gcnsim_code_symbol(code, n, &s) == GCNSIM_OK && s.type != GCNSIM_SYMBOL_KERNEL)
        n++;
    gcnsim_code_get_image(code, &image);
    place = calloc(1, image.size);
    OK(gcnsim_code_place(code, place, image.size, 0x100000, NULL, NULL, &error));
    gcnsim_raw_kernel_init(&k);
    k.descriptor = place + (s.value - image.address);
    k.descriptor_address = 0x100000 + (s.value - image.address);
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    OK(gcnsim_raw_set_kernel(&r, &k, &error));
    CHECK(r.kernel == &k && r.entry > 0x100000 && r.wave_size == 64);
    free(place);
}

void raw_launches(void)
{
    struct gcnsim_window window = {0};
    struct gcnsim_result *r;
    struct gcnsim_feed feed;
    struct gcnsim_code *code;
    struct gcnsim_raw raw;
    struct gcnsim *sim;

    gcnsim_range_init(&range);
    range.address = (uint64_t)(uintptr_t)stored;
    range.bytes = sizeof stored;
    range.writable = 1;
    window.address = UINT64_C(0x7000000000);
    window.host = (uint64_t)(uintptr_t)stored;
    window.bytes = sizeof stored;
    OK(gcnsim_ranges_open(&ranges, &range, 1, &window, 1, &error));
    OK(gcnsim_raw_code_open(&raw_code, "gfx90a", (uint64_t)(uintptr_t)code_words, sizeof code_words, &error));
    OK(gcnsim_open(&sim, "gfx90a", &error));
    prepare_raw(&raw);
    OK(gcnsim_launch_raw(sim, &raw, &r, &error));
    CHECK(r->outcome == GCNSIM_COMPLETED && stored[0] == 42 && message_number == 1 &&
          strcmp(r->kernel, "by hand") == 0);
    gcnsim_result_free(r);
    prepare_raw(&feed_launch);
    feed_launch.engine = GCNSIM_ENGINE_TIMING;
    gcnsim_feed_init(&feed);
    feed.ask = ask;
    feed.ended = ended;
    OK(gcnsim_run_feed(sim, &feed, &error));
    CHECK(feed_ended == 1 && stored[0] == 42);
    gcnsim_close(sim);
    gcnsim_raw_code_close(raw_code);
    gcnsim_ranges_close(ranges);
    OK(gcnsim_code_open_file(&code, in(samples, "gfx90a/vecadd.co"), NULL, &error));
    raw_kernel_of(code);
    gcnsim_code_close(code);
}

/* ---- what is made of launches ---- */

static int trial(void *ctx, const struct gcnsim_trial *t, struct gcnsim_result **result, uint64_t *digest,
                 struct gcnsim_error *e)
{
    struct loaded l;

    (void)ctx, (void)e;
    CHECK(GCNSIM_HAS(t, warmup) && t->warmup == 0);
    load(&l, t->sets, t->set_count);
    l.d.per_instruction = t->per_instruction;
    l.d.threads = 1;
    OK(gcnsim_launch(l.module, &l.d, result, &error));
    *digest = 1;
    unload(&l);
    return GCNSIM_OK;
}

void explanations(void)
{
    static const char *const only[] = {"latency.dram", "latency.l2"}, *const sweep[] = {"cache.l2.mshrs=32,64"};
    struct gcnsim_explain_options options;
    struct gcnsim_whatif_options figures;
    struct gcnsim_explanation *x;
    struct gcnsim_whatif *w;
    struct gcnsim *sim;
    char *text;

    OK(gcnsim_open(&sim, "gfx90a", &error));
    gcnsim_explain_options_init(&options);
    options.run = trial;
    options.sim = sim;
    options.jobs = 1;
    options.only = only;
    options.only_count = 2;
    OK(gcnsim_explain(&options, &x, &error));
    const struct gcnsim_explained_cause *cause = x->causes;
    const struct gcnsim_explained_remedy *remedy = x->remedies;
    const struct gcnsim_explained_place *place = cause->places;
    CHECK(GCNSIM_HAS(x, warmup) && x->cause_count == 2 && cause->key && cause->what &&
          cause->state <= GCNSIM_EXPLAINED_BOUNDED);
    CHECK((!x->remedy_count || remedy->remedy) && (!cause->place_count || place->instruction) && x->cycles > 0);
    OK(gcnsim_explanation_text(x, &text, &error));
    text_with(text, "latency");
    OK(gcnsim_explanation_json(x, &text, &error));
    text_with(text, "latency.l2");
    gcnsim_explanation_free(x);
    CHECK(gcnsim_explain_cause(0, NULL) && !gcnsim_explain_cause(10000, NULL));
    gcnsim_whatif_options_init(&figures);
    figures.run = trial;
    figures.sim = sim;
    figures.jobs = 1;
    figures.sweeps = sweep;
    figures.sweep_count = 1;
    OK(gcnsim_whatif(&figures, &w, &error));
    const struct gcnsim_whatif_point *point = w->points;
    const struct gcnsim_whatif_axis *axis = w->axes;
    CHECK(GCNSIM_HAS(w, warmup) && w->axis_count == 1 && strcmp(axis->path, "cache.l2.mshrs") == 0 && w->point_count);
    CHECK(point->set_count == 1 && point->cycles > 0 && point->note && axis->least <= axis->most);
    OK(gcnsim_whatif_text(w, &text, &error));
    gcnsim_free(text);
    OK(gcnsim_whatif_json(w, &text, &error));
    gcnsim_free(text);
    OK(gcnsim_whatif_csv(w, &text, &error));
    text_with(text, "cache.l2.mshrs=32");
    gcnsim_whatif_free(w);
    gcnsim_close(sim);
}

/* What wants an object of an assembler: what is none is refused. */
static void sequences_of_nothing(void)
{
    struct gcnsim_loop_source source;
    char name[64] = "?", *text = NULL;
    void *loop = NULL;
    size_t size = 0;

    gcnsim_loop_source_init(&source);
    source.object = "no object";
    source.size = 9;
    CHECK(gcnsim_compare_loop(&source, &loop, &size, &error) == GCNSIM_ERROR_FORMAT && !loop);
    CHECK(gcnsim_compare_loop_text(&source, &text, &error) == GCNSIM_ERROR_FORMAT && !text);
    CHECK(gcnsim_object_kernel(source.object, source.size, name, sizeof name) == 0 && !name[0]);
    error.text[0] = 0;
}

void comparisons(void)
{
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item items[2];
    struct gcnsim_comparison *c;
    size_t size;
    void *bytes;
    char *text;

    OK(gcnsim_read_file(in(samples, "gfx803/addpk_sdwa.co"), &bytes, &size, &error));
    for (int k = 0; k < 2; k++) {
        gcnsim_compare_item_init(&items[k]);
        items[k].label = k ? "second" : "first";
        items[k].bytes = bytes;
        items[k].size = size;
    }
    gcnsim_compare_options_init(&options);
    options.max_waves = 1;
    OK(gcnsim_compare(items, 2, &options, &c, &error));
    const struct gcnsim_compare_entry *e = &c->entries[1];
    const struct gcnsim_compare_point *p = e->points;
    const struct gcnsim_compare_count *issue = e->issues;
    CHECK(GCNSIM_HAS(c, entry_count) && c->entry_count == 2 && strcmp(e->label, "second") == 0 &&
          e->latency_cycles > 0);
    CHECK(e->point_count == 1 && p->waves_per_simd == 1 && p->cycles > 0 && e->issue_count && issue->name &&
          !e->undelayed);
    CHECK(e->latency_cycles == c->entries[0].latency_cycles);
    OK(gcnsim_comparison_text(c, &text, &error));
    text_with(text, "second");
    OK(gcnsim_comparison_json(c, &text, &error));
    text_with(text, "second");
    gcnsim_comparison_free(c);
    gcnsim_free(bytes);
    sequences_of_nothing();
}

void differences(void)
{
    struct gcnsim_diff_figure figure;
    struct gcnsim_diff *diff;
    char *text;

    OK(gcnsim_diff_open(&diff, in(folder, "att"), in(folder, "att"), GCNSIM_DIFF_TOTAL, &error));
    OK(gcnsim_diff_get_figure(diff, 0, &figure));
    CHECK(figure.name && figure.unit && figure.description && figure.has_a == figure.has_b && figure.a == figure.b);
    OK(gcnsim_diff_text(diff, 5, &text, &error));
    gcnsim_free(text);
    OK(gcnsim_diff_json(diff, 5, &text, &error));
    gcnsim_free(text);
    gcnsim_diff_close(diff);
}

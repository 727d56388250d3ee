/* The client: launches of a code object and all that a result has. */
#include "client.h"

/* ---- launches of a code object ---- */

struct called {
    unsigned progress, facts, snapshots;
    volatile int snapshot_flag, abort_flag;
};

static int progress(void *ctx, uint64_t done, uint64_t total)
{
    CHECK(done <= total);
    ((struct called *)ctx)->progress++;
    return 0;
}

static int facts(void *ctx, const struct gcnsim_progress *p)
{
    CHECK(GCNSIM_HAS(p, loop_left) && p->workgroups_done + p->workgroups_running <= p->workgroups_total);
    ((struct called *)ctx)->facts += p->instructions > 0 || p->cycles > 0 || p->loop_address == 0;
    return 0;
}

static void snapshot(void *ctx, const struct gcnsim_snapshot *s)
{
    const struct gcnsim_snapshot_row *row = s->rows;
    char *text;

    CHECK(GCNSIM_HAS(s, row_count) && s->engine == GCNSIM_ENGINE_TIMING && s->workgroups == 4);
    CHECK(!s->row_count || (row->waves && row->reason && row->instruction && row->waits_for));
    OK(gcnsim_snapshot_text(s, &text, &error));
    gcnsim_free(text);
    OK(gcnsim_snapshot_json(s, &text, &error));
    gcnsim_free(text);
    ((struct called *)ctx)->snapshots++;
}

/* The numbers that the kernel has written: sums of what the two files hold. */
static void check_sums(const struct loaded *l)
{
    float a[1000], b[1000], c[1000];
    uint64_t at[3], size;
    uint32_t k;

    for (k = 0; k < 3; k++)
        OK(gcnsim_args_buffer(l->args, k, &at[k], &size));
    OK(gcnsim_read(l->sim, at[0], a, sizeof a, &error));
    OK(gcnsim_read(l->sim, at[1], b, sizeof b, &error));
    OK(gcnsim_read(l->sim, at[2], c, sizeof c, &error));
    for (k = 0; k < 1000; k++)
        CHECK(c[k] == a[k] + b[k]);
}

static void check_rows(const struct gcnsim_result *r)
{
    const struct gcnsim_stat *stat = r->stats;
    const struct gcnsim_eviction *e = r->evictions;
    const struct gcnsim_memory_instruction *m = r->memory_instructions;
    const struct gcnsim_instruction *i = r->instructions;
    struct gcnsim_stat row;
    uint32_t executed = 0;
    double lines = 0;

    OK(gcnsim_stat_info(0, &row));
    CHECK(strcmp(row.name, stat->name) == 0 && row.unit && row.scope && row.description && !row.present &&
          row.value == 0);
    CHECK(r->stat_count > 100 && (!r->eviction_count || (e->cache && e->scope && e->hint && e->lines)));
    CHECK(r->has_memory_instructions && r->memory_instruction_count >= 3 && m->stat_count && m->stats &&
          m->instruction);
    OK(gcnsim_memory_instruction_stat(m, "lines", &lines));
    CHECK(lines > 0 && !r->memory_instructions_left_out);
    OK(gcnsim_instruction_column(0, &row));
    OK(gcnsim_instruction_find_column("executed", &executed));
    CHECK(r->has_instructions && r->instruction_count > 5 && i->values[executed] == 16 && i->pc && i->instruction);
}

static void check_parts(const struct gcnsim_result *r)
{
    const struct gcnsim_samples *samples_of = r->samples;
    const struct gcnsim_limiter *l = r->limiter;
    const struct gcnsim_fidelity *f = gcnsim_result_fidelity(r);
    const struct gcnsim_fidelity_instruction *fi = f->instructions;
    const struct gcnsim_fidelity_timing *ft = f->timings;
    const struct gcnsim_fidelity_figure *ff = f->figures;
    size_t visits = 0;
    const struct gcnsim_visit *v = gcnsim_result_visits(r, &visits);

    CHECK(r->occupancy && r->occupancy->waves_per_simd == 8 && !r->fault && !r->snapshot && !r->finding_count);
    CHECK(GCNSIM_HAS(samples_of, series_count) && samples_of->count && samples_of->interval_cycles);
    const struct gcnsim_series *series = samples_of->series;
    CHECK(samples_of->series_count && series->name && series->values && series->unit && series->description);
    CHECK(GCNSIM_HAS(l, within) && l->limit_class && l->resource && l->verdict && l->share >= 0);
    CHECK(GCNSIM_HAS(f, figure_count) && f->executed == f->exact && !f->approximate && f->wave_cycles > 0);
    CHECK(f->instruction_count && fi->mnemonic && fi->semantics && fi->timing && fi->count && fi->instruction_class);
    CHECK(f->timing_count && ft->timing && ft->share >= 0 && f->figure_count && ff->path && ff->timing &&
          ff->share >= 0);
    CHECK(visits > 5 && v->pc && v->executed == 16 && !gcnsim_result_estimate(r) && gcnsim_result_is_exact(r, 0));
}

static void check_listing(const struct gcnsim_result *r)
{
    const struct gcnsim_listing *all = gcnsim_result_listing(r);
    struct gcnsim_annotate how;
    char *text;

    CHECK(all && GCNSIM_HAS(all, loop_count) && all->instruction_count >= r->instruction_count &&
          all->function_count == 1);
    const struct gcnsim_listed *i = all->instructions;
    const struct gcnsim_listed_function *f = all->functions;
    const struct gcnsim_listed_loop *loop = all->loops;
    const struct gcnsim_frame *frame = i->frames;
    CHECK(i->reached && i->values && i->function == 0 && i->loop == GCNSIM_LISTING_NONE &&
          (!i->frame_count || frame->line));
    CHECK(f->kernel && strcmp(f->name, "vecadd") == 0 && f->first == 0 && (!all->loop_count || loop->iterations));
    gcnsim_annotate_init(&how);
    how.sort = GCNSIM_SORT_STALL;
    how.top = 3;
    OK(gcnsim_result_annotated(r, &how, &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_result_instructions_csv(r, &text, &error));
    text_with(text, "Vaddr");
}

static void check_texts(const struct gcnsim_result *r)
{
    struct gcnsim_html_options options;
    struct gcnsim_html_dispatch dispatch[2];
    struct gcnsim_counter counter;
    char *text, bound[GCNSIM_BOUND_BYTES];
    const char *about;
    size_t k;

    OK(gcnsim_result_json(r, &text, &error));
    text_with(text, "\"kernel\": \"vecadd\"");
    OK(gcnsim_result_text(r, &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_result_show(r, "summary", &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_result_show(r, "caches,occupancy", &text, &error));
    text_with(text, "waves/SIMD");
    CHECK(gcnsim_check_sections("caches", &error) == GCNSIM_OK &&
          gcnsim_check_sections("cashes", &error) == GCNSIM_ERROR_USAGE);
    CHECK(gcnsim_report_section(0, &about) && about && gcnsim_result_bytes(r) > 1000);
    CHECK(gcnsim_error_bound(1, bound) == 0 && strcmp(bound, "1 ULP") == 0);
    OK(gcnsim_result_csv(r, &text, &error));
    text_with(text, "name,unit,value\n");
    OK(gcnsim_result_counters_csv(r, &text, &error));
    text_with(text, "SQ_WAVES");
    for (k = 0; gcnsim_result_counter(r, k, &counter) == GCNSIM_OK; k++)
        CHECK(strcmp(counter.name, "SQ_WAVES") != 0 || (counter.present && counter.value == 16 && counter.about));
    CHECK(k > 50);
    gcnsim_html_options_init(&options);
    options.no_sources = 1;
    OK(gcnsim_result_html(r, &options, &text, &error));
    text_with(text, "vecadd");
    for (k = 0; k < 2; k++) {
        gcnsim_html_dispatch_init(&dispatch[k]);
        dispatch[k].number = k;
        dispatch[k].kernel = k ? "second_kernel" : "first_kernel";
        dispatch[k].target = "gfx90a";
        dispatch[k].engine = "timing";
        dispatch[k].outcome = "completed";
    }
    OK(gcnsim_html_index("all of them", dispatch, 2, 0, &text, &error));
    text_with(text, "second_kernel");
}

void launch_with_everything(void)
{
    struct called called = {0, 0, 0, 1, 0};
    struct gcnsim_timeline_options options;
    struct gcnsim_timeline_info info;
    struct gcnsim_wave_view view = {0};
    struct gcnsim_on_timeline on;
    struct gcnsim_timeline *timeline;
    struct gcnsim_result *r;
    struct gcnsim_att att;
    struct loaded l;
    char trace[4200];
    const char *traces[1] = {trace}, *about;

    load(&l, NULL, 0);
    snprintf(trace, sizeof trace, "issue-csv=%s", in(folder, "issues.csv"));
    CHECK(strcmp(gcnsim_trace_format(0, &about), "issue-csv") == 0 && about);
    gcnsim_timeline_options_init(&options);
    options.max_bytes = 1 << 20;
    OK(gcnsim_timeline_open(&timeline, in(folder, "launch.pftrace"), &options, &error));
    gcnsim_on_timeline_init(&on);
    on.timeline = timeline;
    on.waves = 1;
    on.wave = &view;
    gcnsim_att_init(&att);
    att.folder = in(folder, "att");
    att.no_sources = 1;
    l.d.progress = progress;
    l.d.progress_facts = facts;
    l.d.progress_ctx = l.d.progress_facts_ctx = l.d.snapshot_ctx = &called;
    l.d.snapshot = snapshot;
    l.d.snapshot_flag = &called.snapshot_flag;
    l.d.abort_flag = &called.abort_flag;
    l.d.acquire = l.d.release = GCNSIM_FENCE_SYSTEM;
    l.d.per_instruction = l.d.visits = l.d.hotspots = 1;
    l.d.samples = 64;
    l.d.att = &att;
    l.d.timeline = &on;
    l.d.traces = traces;
    l.d.trace_count = 1;
    l.d.command_line = "client";
    OK(gcnsim_launch(l.module, &l.d, &r, &error));
    CHECK(GCNSIM_HAS(r, limiter) && r->outcome == GCNSIM_COMPLETED && gcnsim_result_status(r) == GCNSIM_OK);
    CHECK(strcmp(r->kernel, "vecadd") == 0 && strcmp(r->command_line, "client") == 0 &&
          strcmp(r->engine, "timing") == 0);
    CHECK(r->grid[0] == 1024 && r->workgroups == 4 && r->waves == 16 && strlen(r->code_sha256) == 64 && !*r->message);
    CHECK(stat_of(r, "cycles") > 0 && stat_of(r, "waves_done") == 16 && called.snapshots == 1 && r->host_threads == 1);
    CHECK(called.progress && called.facts && view.text && strstr(view.text, "s_endpgm"));
    gcnsim_free(view.text);
    check_sums(&l);
    check_rows(r);
    check_parts(r);
    check_listing(r);
    check_texts(r);
    gcnsim_result_free(r);
    gcnsim_timeline_get_info(timeline, &info);
    CHECK(info.waves == 16 && info.instructions && !info.full);
    OK(gcnsim_timeline_finish(timeline, 1, &error));
    OK(gcnsim_timeline_close(timeline, 1, &error));
    unload(&l);
}

/* ---- launches that do not end well, and several of them ---- */

void endings(void)
{
    struct gcnsim_result *r;
    struct loaded l;

    load(&l, NULL, 0);
    l.d.max_cycles = 100;
    OK(gcnsim_launch(l.module, &l.d, &r, &error));
    CHECK(r->outcome == GCNSIM_LIMIT && gcnsim_result_status(r) == GCNSIM_ERROR_RUN_LIMIT && r->snapshot);
    CHECK(r->snapshot->waves_resident && r->snapshot->cycle <= 100 && r->override_count && r->overrides[0]);
    gcnsim_result_free(r);
    l.d.max_cycles = 0;
    l.d.engine = GCNSIM_ENGINE_FUNCTIONAL;
    l.d.args = NULL; /* null pointers */
    l.d.kernarg = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0";
    l.d.kernarg_size = 28;
    l.d.check = 1;
    OK(gcnsim_launch(l.module, &l.d, &r, &error));
    const struct gcnsim_fault *f = r->fault;
    const struct gcnsim_finding *none = r->findings;
    CHECK(r->outcome == GCNSIM_FAULTED && gcnsim_result_status(r) == GCNSIM_ERROR_FAULT && f && GCNSIM_HAS(f, source));
    CHECK(strcmp(f->kind, "memory") == 0 && f->address < 4096 && f->lane == 0 && f->bytes == 4 && !f->write &&
          f->message);
    CHECK(r->has_check && (!r->finding_count || none->rule) && strstr(f->instruction, "global_load") && f->nearest);
    gcnsim_result_free(r);
    unload(&l);
}

void sequences(void)
{
    struct gcnsim_sequence_item items[2] = {{0}, {0}};
    struct gcnsim_sequence all = {0};
    struct gcnsim_result *r[2];
    struct gcnsim_sum *sum;
    struct loaded l;
    size_t steady = 9;
    char *text;

    load(&l, NULL, 0);
    l.d.per_instruction = 1;
    OK(gcnsim_sum_open(&sum, &error));
    for (uint32_t k = 0; k < 2; k++) {
        OK(gcnsim_launch(l.module, &l.d, &r[k], &error));
        OK(gcnsim_sum_add(sum, r[k], &error));
        items[k].result = r[k];
        items[k].round = k;
    }
    CHECK(stat_of(r[1], "cycles") < stat_of(r[0], "cycles") && gcnsim_device_clock(l.sim) > 0); /* warm */
    CHECK(gcnsim_sum_launches(sum) == 2);
    CHECK(gcnsim_sum_stat(sum, "cycles") == stat_of(r[0], "cycles") + stat_of(r[1], "cycles"));
    gcnsim_sum_free(sum);
    all.rounds = 2;
    all.items = items;
    all.count = 2;
    OK(gcnsim_sequence_steady(&all, 0, &steady));
    CHECK(steady == 1);
    OK(gcnsim_sequence_text(&all, &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_sequence_show(&all, "occupancy", &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_sequence_json(&all, &text, &error));
    text_with(text, "vecadd");
    OK(gcnsim_sequence_csv(&all, &text, &error));
    text_with(text, "launch,round,name,unit,value");
    OK(gcnsim_sequence_html(&all, NULL, &text, &error));
    text_with(text, "vecadd");
    for (int k = 0; k < 2; k++)
        gcnsim_result_free(r[k]);
    unload(&l);
}

void sampled(void)
{
    struct gcnsim_result *r;
    struct loaded l;

    load(&l, NULL, 0);
    l.d.cold = 1;
    l.d.sample_workgroups = GCNSIM_SAMPLE_AUTO;
    OK(gcnsim_launch(l.module, &l.d, &r, &error));
    const struct gcnsim_estimate *e = gcnsim_result_estimate(r);
    CHECK(e && GCNSIM_HAS(e, unsafe) && e->kind <= GCNSIM_ESTIMATE_PARTIAL && e->note && e->resident_workgroups);
    gcnsim_result_free(r);
    unload(&l);
}

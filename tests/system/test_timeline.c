/* Timelines of real kernels, read back: slices nest, stalls and instructions add up to what the report says, flows lead
 * to the level that answered, and a file changes neither a cycle nor, with host threads, a byte. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/support/folder.h"
#include "tests/support/pftrace.h"
#include "tests/support/result_stat.h"
#include "tests/support/run_sample.h"

#define SAMPLES "traces/samples/"

static const char *in_folder(const char *name)
{
    static char path[4][160];
    static unsigned n;
    char *to = path[n++ % 4];

    snprintf(to, sizeof path[0], "%s/%s", program_folder(), name);
    return to;
}

/* Runs a sample with a timeline. */
static struct gcnsim_result *trace_sample(const char *sample, const char *path,
                                          const struct gcnsim_timeline_options *options, uint32_t threads,
                                          struct gcnsim_timeline_info *info)
{
    struct gcnsim_error e = {0};
    struct gcnsim_timeline *t;
    struct gcnsim_on_timeline on = {.struct_bytes = sizeof on, .waves = 1};
    struct gcnsim_result *r;

    assert_int_equal(gcnsim_timeline_open(&t, path, options, &e), GCNSIM_OK);
    on.timeline = t;
    r = run_sample_with(sample, &(struct gcnsim_dispatch){.threads = threads, .timeline = &on});
    if (info)
        gcnsim_timeline_get_info(t, info);
    if (gcnsim_timeline_close(t, 1, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    return r;
}

static uint64_t stat_or_0(const struct gcnsim_result *r, const char *name)
{
    double v = 0;

    gcnsim_result_stat(r, name, &v);
    return (uint64_t)v;
}

/* The lengths of stalls, by reason, and of waves and instructions are what the report says. */
static void check_sums(const struct pf_trace *t, const struct gcnsim_result *r)
{
    uint64_t waves = 0, wave_cycles = 0, inst_cycles = 0, executed = 0, stalls = 0, expected = 0, others = 0;

    for (size_t k = 0; k < t->slices; k++) {
        const struct pf_slice *s = &t->slice[k];
        const struct pf_slice *around = s->parent ? &t->slice[s->parent - 1] : NULL;
        uint64_t cycles = s->end - s->begin;

        if (pf_is(s, "wave")) {
            assert_null(around);
            waves++;
            wave_cycles += cycles;
        } else if (pf_is(s, "instruction")) {
            assert_true(around && pf_is(around, "wave"));
            assert_true(pf_value_of(s, "pc") != UINT64_MAX);
            inst_cycles += cycles;
            executed++;
        } else if (pf_is(s, "stall")) {
            assert_true(around && pf_is(around, "instruction"));
            stalls += cycles;
        } else {
            assert_true(!around && (pf_is(s, "memory") || pf_is(s, "dispatch")));
            others++;
        }
    }
    assert_true(others > 0);
    assert_int_equal(waves, result_stat(r, "waves_done"));
    assert_int_equal(wave_cycles, result_stat(r, "resident_wave_cycles"));
    assert_int_equal(inst_cycles, wave_cycles); /* they leave no gap */
    assert_int_equal(executed, result_stat(r, "instructions.total"));
    for (size_t k = 0; k < r->stat_count; k++) {
        const struct gcnsim_stat *stat = &r->stats[k];
        uint64_t cycles = 0;

        if (strcmp(stat->scope, "stall_cycles") || !strcmp(stat->name, "stall_cycles.issued") || !stat->present)
            continue;
        for (size_t n = 0; n < t->slices; n++)
            if (pf_is(&t->slice[n], "stall") && !strcmp(t->slice[n].name, stat->name + strlen("stall_cycles.")))
                cycles += t->slice[n].end - t->slice[n].begin;
        if (cycles != (uint64_t)stat->value)
            fail_msg("%s: %llu in the timeline, %.0f in the report", stat->name, (unsigned long long)cycles,
                     stat->value);
        expected += (uint64_t)stat->value;
    }
    assert_int_equal(stalls, expected);
}

static int by_flow(const void *a, const void *b)
{
    const struct pf_slice *x = *(const struct pf_slice *const *)a, *y = *(const struct pf_slice *const *)b;

    return x->flow != y->flow ? x->flow < y->flow ? -1 : 1 : x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Every request that memory answered comes from the instruction that asked, in its wave. */
static uint64_t check_flows(const struct pf_trace *t)
{
    const struct pf_slice **all = calloc(t->slices + 1, sizeof *all);
    size_t n = 0;
    uint64_t requests = 0;

    for (size_t k = 0; k < t->slices; k++)
        if (t->slice[k].flow)
            all[n++] = &t->slice[k];
    qsort(all, n, sizeof *all, by_flow);
    for (size_t k = 0; k < n; k++) {
        const struct pf_slice *s = all[k], *from = k ? all[k - 1] : NULL, *wave;

        if (!pf_is(s, "memory"))
            continue;
        requests++;
        assert_true(from && from->flow == s->flow && pf_is(from, "instruction"));
        assert_string_equal(from->name, s->name);
        wave = &t->slice[from->parent - 1];
        assert_int_equal(pf_value_of(wave, "workgroup"), pf_value_of(s, "workgroup"));
        assert_int_equal(pf_value_of(wave, "wave"), pf_value_of(s, "wave"));
        /* the instruction's slice ends with its issue, and the request begins with it */
        assert_true(s->begin >= from->begin && s->begin <= from->end);
    }
    free(all);
    return requests;
}

static uint64_t find_track(const struct pf_trace *t, const char *name, const char *unit)
{
    for (size_t k = 0; k < t->tracks; k++)
        if (!strcmp(t->track[k].name, name) && (!unit || (t->track[k].unit && !strcmp(t->track[k].unit, unit))))
            return k;
    fail_msg("no track %s", name);
    return 0;
}

/* The names of a track's parents, innermost first. */
static void assert_below(const struct pf_trace *t, uint64_t track, const char *const *names)
{
    for (; *names; names++) {
        assert_true(t->track[track].parent);
        track = t->track[track].parent - 1;
        assert_int_equal(strncmp(t->track[track].name, *names, strlen(*names)), 0);
    }
    assert_int_equal(t->track[track].parent, 0);
}

/* What a counter adds up to over time: its values times how long it has them. */
static double area(const struct pf_trace *t, uint64_t track)
{
    double sum = 0, value = 0;
    uint64_t from = 0;

    for (size_t k = 0; k < t->values; k++)
        if (t->value[k].track == track) {
            sum += value * (double)(t->value[k].at - from);
            value = t->value[k].value;
            from = t->value[k].at;
        }
    assert_true(value == 0); /* it ends */
    return sum;
}

static void check_counters(const struct pf_trace *t, const struct gcnsim_result *r)
{
    const struct {
        const char *track, *unit, *stat;
    } v[] = {{"resident_waves", "waves", "resident_wave_cycles"},
             {"instructions.valu", NULL, "instructions.valu"},
             {"cache.l2.load_bytes", "bytes/cycle", "cache.l2.load_bytes"},
             {"dram.read_bytes", "bytes/cycle", "dram.read_bytes"}};

    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        double sum = area(t, find_track(t, v[k].track, v[k].unit)), stat = (double)stat_or_0(r, v[k].stat);

        if (sum < stat * 0.999 - 0.5 || sum > stat * 1.001 + 0.5)
            fail_msg("%s: %.1f under the curve, %.1f in the report", v[k].track, sum, stat);
    }
    find_track(t, "cache.l2.hit_rate", "%");
    find_track(t, "cache.l2.mshrs", "MSHRs");
}

static void samples_add_up(void **state)
{
    static const struct {
        const char *sample, *slot_parents[6];
    } v[] = {
        {SAMPLES "gfx90a/matmul.json", {"SIMD ", "CU ", "SE ", "gfx90a"}},
        {SAMPLES "gfx90a/reduce_lds.json", {"SIMD ", "CU ", "SE ", "gfx90a"}},
        {SAMPLES "gfx1201/matmul.json", {"SIMD ", "CU ", "WGP ", "SE ", "gfx1201"}},
        {SAMPLES "gfx1201/reduce_dpp.w64.json", {"SIMD ", "CU ", "WGP ", "SE ", "gfx1201"}},
        {SAMPLES "gfx803/transpose_naive.json", {"SIMD ", "CU ", "SE ", "gfx803"}},
    };
    (void)state;

    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct gcnsim_result *quiet = run_sample(v[k].sample, 0), *r;
        struct gcnsim_timeline_info info;
        struct pf_trace t;

        r = trace_sample(v[k].sample, in_folder("t.pftrace"), NULL, 1, &info);
        pf_read(&t, in_folder("t.pftrace"));
        for (size_t n = 0; n < r->stat_count; n++) /* nothing changes */
            assert_true(r->stats[n].value == quiet->stats[n].value);
        assert_null(r->samples);
        check_sums(&t, r);
        assert_int_equal(check_flows(&t), info.requests);
        assert_true(info.requests > 0 && !info.full && !t.instants);
        check_counters(&t, r);
        assert_below(&t, find_track(&t, "slot 0", NULL), v[k].slot_parents);
        gcnsim_result_free(quiet);
        gcnsim_result_free(r);
        pf_free(&t);
    }
}

static void assert_same_files(const char *a, const char *b)
{
    size_t n, m;
    uint8_t *x = pf_file(a, &n), *y = pf_file(b, &m);

    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

static void threads_change_no_byte(void **state)
{
    (void)state;
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/histogram.json", in_folder("1.pftrace"), NULL, 1, NULL));
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/histogram.json", in_folder("3.pftrace"), NULL, 3, NULL));
    assert_same_files(in_folder("1.pftrace"), in_folder("3.pftrace"));
}

static void compressed_is_the_same(void **state)
{
    size_t n, m, k;
    uint8_t *plain, *packed, *out;
    gzFile gz;
    (void)state;

    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("p.pftrace"), NULL, 1, NULL));
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("p.pftrace.zst"), NULL, 1, NULL));
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("p.pftrace.gz"), NULL, 1, NULL));
    plain = pf_file(in_folder("p.pftrace"), &n);
    out = malloc(n + 1);
    packed = pf_file(in_folder("p.pftrace.zst"), &m);
    assert_true(m < n / 3);
    k = ZSTD_decompress(out, n, packed, m);
    assert_int_equal(k, n);
    assert_memory_equal(plain, out, n);
    gz = gzopen(in_folder("p.pftrace.gz"), "rb");
    assert_non_null(gz);
    memset(out, 0, n);
    assert_int_equal(gzread(gz, out, (unsigned)n + 1), n);
    assert_memory_equal(plain, out, n);
    gzclose(gz);
    free(plain);
    free(packed);
    free(out);
}

static void some_compute_units(void **state)
{
    struct gcnsim_timeline_options o;
    struct pf_trace all, some;
    uint64_t waves = 0, expected = 0;
    (void)state;

    gcnsim_timeline_options_init(&o);
    o.cus = "1,3-4";
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("a.pftrace"), NULL, 1, NULL));
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("s.pftrace"), &o, 1, NULL));
    pf_read(&all, in_folder("a.pftrace"));
    pf_read(&some, in_folder("s.pftrace"));
    for (size_t k = 0; k < some.tracks; k++)
        if (!strncmp(some.track[k].name, "CU ", 3))
            assert_non_null(strstr("CU 1 CU 3 CU 4 ", some.track[k].name));
    for (size_t k = 0; k < all.slices; k++)
        if (pf_is(&all.slice[k], "wave")) {
            const struct pf_track *simd = &all.track[all.track[all.slice[k].track].parent - 1];
            const char *cu = all.track[simd->parent - 1].name;

            expected += !strcmp(cu, "CU 1") || !strcmp(cu, "CU 3") || !strcmp(cu, "CU 4");
        }
    for (size_t k = 0; k < some.slices; k++)
        waves += pf_is(&some.slice[k], "wave");
    assert_true(expected > 0);
    assert_int_equal(waves, expected);
    check_flows(&some);
    pf_free(&all);
    pf_free(&some);
}

/* A window of cycles cuts what reaches over its edges. */
static void some_cycles(void **state)
{
    struct gcnsim_timeline_options o;
    struct gcnsim_result *r;
    struct pf_trace all, some;
    uint64_t cycles, expected = 0, got = 0;
    (void)state;

    r = trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("a.pftrace"), NULL, 1, NULL);
    cycles = result_stat(r, "cycles");
    gcnsim_result_free(r);
    gcnsim_timeline_options_init(&o);
    o.first_cycle = cycles / 3;
    o.end_cycle = cycles / 2;
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("w.pftrace"), &o, 1, NULL));
    pf_read(&all, in_folder("a.pftrace"));
    pf_read(&some, in_folder("w.pftrace"));
    for (size_t k = 0; k < all.slices; k++) {
        uint64_t from = all.slice[k].begin, until = all.slice[k].end;

        from = from < o.first_cycle ? o.first_cycle : from;
        until = until > o.end_cycle ? o.end_cycle : until;
        if (until > from && (pf_is(&all.slice[k], "instruction") || pf_is(&all.slice[k], "wave")))
            expected += until - from;
    }
    for (size_t k = 0; k < some.slices; k++) {
        assert_true(some.slice[k].begin >= o.first_cycle && some.slice[k].end <= o.end_cycle);
        if (pf_is(&some.slice[k], "instruction") || pf_is(&some.slice[k], "wave"))
            got += some.slice[k].end - some.slice[k].begin;
    }
    assert_true(expected > 1000);
    assert_int_equal(got, expected);
    pf_free(&all);
    pf_free(&some);
}

static void ends_at_its_size(void **state)
{
    struct gcnsim_timeline_options o;
    struct gcnsim_timeline_info info;
    struct gcnsim_result *r;
    struct pf_trace t;
    size_t size;
    (void)state;

    gcnsim_timeline_options_init(&o);
    o.max_bytes = 100000;
    r = trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("f.pftrace"), &o, 1, &info);
    free(pf_file(in_folder("f.pftrace"), &size));
    assert_true(size <= 100000 + 500 && size > 80000);
    pf_read(&t, in_folder("f.pftrace"));
    assert_true(info.full && info.full_cycle > 0 && info.full_cycle < result_stat(r, "cycles"));
    assert_int_equal(t.instants, 1);
    assert_non_null(strstr(t.last_instant, "has reached its size"));
    for (size_t k = 0; k < t.slices; k++)
        if (!pf_is(&t.slice[k], "dispatch"))
            assert_true(t.slice[k].end <= info.full_cycle);
    gcnsim_result_free(r);
    pf_free(&t);
}

/* Nanoseconds are those of the shader clock, rounded down. */
static void real_nanoseconds(void **state)
{
    struct gcnsim_timeline_options o;
    struct pf_trace c, n;
    (void)state;

    gcnsim_timeline_options_init(&o);
    o.nanoseconds = 1;
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/vecadd.json", in_folder("c.pftrace"), NULL, 1, NULL));
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/vecadd.json", in_folder("n.pftrace"), &o, 1, NULL));
    pf_read(&c, in_folder("c.pftrace"));
    pf_read(&n, in_folder("n.pftrace"));
    assert_int_equal(c.slices, n.slices);
    for (size_t k = 0; k < c.slices; k++) { /* 1,700 MHz */
        assert_int_equal(n.slice[k].begin, c.slice[k].begin * 10 / 17);
        assert_int_equal(n.slice[k].end, c.slice[k].end * 10 / 17);
    }
    pf_free(&c);
    pf_free(&n);
}

/* protoc, which others have written, reads the same. */
static void protoc_reads_it(void **state)
{
    uint64_t begins = 0, tracks = 0, unknown = 0;
    struct pf_trace t;
    char command[400], line[4096];
    FILE *f;
    (void)state;

    if (system("protoc --version >/dev/null 2>&1") != 0) {
        print_message("skipped: no protoc (Debian: protobuf-compiler)\n");
        skip();
    }
    gcnsim_result_free(trace_sample(SAMPLES "gfx90a/matmul.json", in_folder("d.pftrace"), NULL, 1, NULL));
    pf_read(&t, in_folder("d.pftrace"));
    snprintf(command, sizeof command,
             "protoc --decode=perfetto.protos.Trace -I tests/system tests/system/pftrace.proto <%s",
             in_folder("d.pftrace"));
    f = popen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        const char *word = line + strspn(line, " ");

        begins += !strcmp(word, "type: TYPE_SLICE_BEGIN\n");
        tracks += !strcmp(word, "track_descriptor {\n");
        unknown += *word >= '0' && *word <= '9';
    }
    assert_int_equal(pclose(f), 0);
    assert_int_equal(begins, t.slices);
    assert_int_equal(tracks, t.tracks);
    assert_int_equal(unknown, 0);
    pf_free(&t);
}

/* ---- one wave as text ---- */

static char *wave_text(const char *sample, uint64_t workgroup, uint32_t wave, uint64_t first, uint64_t rows,
                       struct gcnsim_result **out)
{
    struct gcnsim_wave_view view = {.workgroup = workgroup, .wave = wave, .first_row = first, .rows = rows};
    struct gcnsim_on_timeline on = {.struct_bytes = sizeof on, .wave = &view};
    struct gcnsim_result *r = run_sample_with(sample, &(struct gcnsim_dispatch){.timeline = &on});

    assert_non_null(view.text);
    for (const char *line = view.text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        assert_true(end - line <= 120);
    }
    if (out)
        *out = r;
    else
        gcnsim_result_free(r);
    return view.text;
}

/* Rows are in the order of issue, each with its wait; the waits and the issues are the cycles of the wave. */
static void check_rows(const char *text)
{
    unsigned long instructions, cycles, issued, n, at, waited, before = 0, rows = 0, others = 0;
    const char *line = strchr(text, '\n') + 1;

    assert_int_equal(sscanf(line, "%lu instructions in %lu cycles: %lu issued", &instructions, &cycles, &issued), 3);
    for (line = strchr(line, '\n') + 1; line[0] == ' ' && line[1] == ' '; line = strchr(line, '\n') + 1) {
        assert_int_equal(sscanf(line, " %lu", &n), 1);
        others += n;
    }
    assert_int_equal(issued + others, cycles);
    for (; line[1]; line = strchr(line, '\n') + 1) {
        const char *bar = strchr(line, '|'), *end = strchr(line, '\n');

        if (line[0] != '\n' && bar && bar < end && sscanf(line, "%lu %lu %lu", &n, &at, &waited) == 3) {
            assert_int_equal(n, rows);
            assert_true(at >= before && at >= waited && at < cycles);
            assert_non_null(memchr(bar, 'I', 49));
            before = at;
            rows++;
        }
        if (!strchr(line, '\n')[1])
            break;
    }
    assert_int_equal(rows, instructions);
}

static void a_wave_as_text(void **state)
{
    struct gcnsim_result *r;
    char *text = wave_text(SAMPLES "gfx90a/matmul.json", 0, 0, 0, 100000, &r);
    double cycles;
    (void)state;

    assert_memory_equal(text, "wave 0 of workgroup 0 of matmul, launched in cycle 0\n", 52);
    check_rows(text);
    assert_int_equal(gcnsim_result_stat(r, "cycles", &cycles), GCNSIM_OK);
    assert_non_null(strstr(text, "s_load_dwordx8 s[8:15], s[4:5], 0x0 [memory]\n"));
    assert_non_null(strstr(text, "w a wait counter"));
    gcnsim_free(text);
    gcnsim_result_free(r);
    text = wave_text(SAMPLES "gfx1201/vecadd.json", 1, 2, 0, 0, NULL);
    check_rows(text);
    gcnsim_free(text);
    text = wave_text(SAMPLES "gfx90a/matmul.json", 2, 1, 5, 3, NULL);
    assert_null(strstr(text, "\n     4 "));
    assert_non_null(strstr(text, "\n     5 "));
    assert_null(strstr(text, "\n     8 "));
    assert_non_null(strstr(text, "instructions more, from row 8 on\n"));
    gcnsim_free(text);
    text = wave_text(SAMPLES "gfx90a/matmul.json", 100000, 0, 0, 0, NULL);
    assert_non_null(strstr(text, "no such wave has run"));
    gcnsim_free(text);
}

static void loops_are_folded(void **state)
{
    char *text = wave_text(SAMPLES "gfx90a/histogram.json", 0, 0, 0, 100000, NULL);
    const char *fold = strstr(text, "iterations more, rows ");
    unsigned long from, end;
    char next[20];
    (void)state;

    assert_non_null(fold);
    assert_int_equal(sscanf(fold, "iterations more, rows %lu to %lu", &from, &end), 2);
    assert_true(end > from + 80);
    snprintf(next, sizeof next, "\n%6lu ", end + 1);
    assert_non_null(strstr(fold, next)); /* the last iteration is there */
    gcnsim_free(text);
}

static void bad_options(void **state)
{
    static const char *const lists[] = {"", "a", "1,", "-3", "4-2", "70000", "1-", "1,,2", "1 2"};
    struct gcnsim_timeline_options o;
    struct gcnsim_timeline *t;
    struct gcnsim_error e = {0};
    (void)state;

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        gcnsim_timeline_options_init(&o);
        o.cus = lists[k];
        assert_int_equal(gcnsim_timeline_open(&t, in_folder("x.pftrace"), &o, &e), GCNSIM_ERROR_USAGE);
        assert_null(t);
        assert_non_null(strstr(e.text, "numbers and ranges"));
    }
    gcnsim_timeline_options_init(&o);
    o.first_cycle = 7;
    o.end_cycle = 7;
    assert_int_equal(gcnsim_timeline_open(&t, in_folder("x.pftrace"), &o, &e), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_timeline_open(&t, "no/such/folder/x.pftrace", NULL, &e), GCNSIM_ERROR_IO);
    assert_int_equal(gcnsim_timeline_open(&t, "/dev/full", NULL, &e), GCNSIM_OK);
    assert_int_equal(gcnsim_timeline_close(t, 1, &e), GCNSIM_ERROR_IO);
    assert_int_equal(gcnsim_timeline_close(NULL, 1, &e), GCNSIM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_add_up),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(compressed_is_the_same),
        cmocka_unit_test(some_compute_units),
        cmocka_unit_test(some_cycles),
        cmocka_unit_test(ends_at_its_size),
        cmocka_unit_test(real_nanoseconds),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(protoc_reads_it),
        cmocka_unit_test(a_wave_as_text),
        cmocka_unit_test(loops_are_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

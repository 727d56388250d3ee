/* The three built-ins, the ways to name a profile, --set, and printing. */
#include "config/profile.h"
#include "config/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct profile *load(const char *name)
{
    struct err e = {0};
    struct profile *p;

    if (profile_load(&p, name, &e))
        fail_msg("%s: %s", name, e.text);
    return p;
}

static void assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("expected \"%s\" in \"%.600s...\"", part, text ? text : "");
}

static char *printed(const struct profile *p, enum profile_format format)
{
    struct err e = {0};
    char *text;

    assert_int_equal(profile_print(p, format, &text, &e), 0);
    return text;
}

/* ---- what the built-ins say ---- */

static void gfx1201(void **state)
{
    (void)state;
    struct profile *p = load("gfx1201-rx9070xt");

    assert_string_equal(p->name, "gfx1201-rx9070xt");
    assert_string_equal(p->target, "gfx1201");
    assert_true(p->is_default_for_target);
    assert_int_equal(p->gpu.cus, 64);
    assert_int_equal(p->gpu.cus_per_wgp, 2);
    assert_int_equal(p->cu.simds, 2);
    assert_int_equal(p->cu.simd_lanes, 32);
    assert_int_equal(p->cu.wave_slots_per_simd, 16);
    assert_int_equal(p->cu.issue_policy, ISSUE_EVERY_CYCLE);
    assert_int_equal(p->cu.vgprs_per_simd_w32, 1536);
    assert_int_equal(p->cu.vgpr_granule_w32, 24);
    assert_true(p->cu.lds_per_wgp);
    assert_int_equal(p->cls[OPC_VALU].issue_cycles_w32, 1);
    assert_int_equal(p->cls[OPC_VALU].issue_cycles_w64, 2);
    assert_int_equal(p->cls[OPC_VALU].latency_cycles, 5);
    assert_int_equal(p->cls[OPC_MFMA].issue_cycles_w64, 0);
    assert_false(p->cache[PROFILE_GL1].present);
    assert_true(p->cache[PROFILE_MALL].present);
    assert_int_equal(p->cache[PROFILE_VL0].line_bytes, 128);
    profile_free(p);
}

static void gfx90a(void **state)
{
    (void)state;
    struct profile *p = load("gfx90a-mi210");

    assert_int_equal(p->gpu.cus, 104);
    assert_int_equal(p->cu.simds, 4);
    assert_int_equal(p->cu.wave_slots_per_simd, 8);
    assert_int_equal(p->cu.issue_policy, ISSUE_ROUND_ROBIN);
    assert_int_equal(p->cu.vgprs_per_simd_w64, 512);
    assert_int_equal(p->cu.vgprs_per_simd_w32, 0);
    assert_true(p->cu.vgpr_unified);
    assert_int_equal(p->cls[OPC_MFMA].issue_cycles_w64, 4);
    assert_int_equal(p->cls[OPC_FMA32].issue_cycles_w64, 4);
    assert_int_equal(p->cache[PROFILE_VL0].hit_latency_cycles, 129);
    assert_int_equal(p->cache[PROFILE_L2].hit_latency_cycles, 250);
    assert_int_equal(p->cache[PROFILE_L2].write_policy, PROFILE_WRITE_BACK);
    assert_int_equal(p->dram.latency_cycles, 587);
    profile_free(p);
}

static void gfx803(void **state)
{
    (void)state;
    struct profile *p = load("gfx803-rx480");

    assert_int_equal(p->gpu.cus, 36);
    assert_int_equal(p->cu.wave_slots_per_simd, 10);
    assert_int_equal(p->cu.vgprs_per_simd_w64, 256);
    assert_int_equal(p->cu.vgpr_granule_w64, 4);
    assert_int_equal(p->cls[OPC_FMA32].issue_cycles_w64, 16);
    assert_int_equal(p->cls[OPC_F64_MUL].issue_cycles_w64, 64);
    assert_int_equal(p->cls[OPC_DOT].issue_cycles_w64, 0);
    assert_int_equal(p->cache[PROFILE_K].shared_by_cus, 4);
    assert_false(p->cache[PROFILE_MALL].present);
    profile_free(p);
}

/* The data sheet and what timing uses must be the same bandwidth. */
static void bandwidth_agrees(void **state)
{
    (void)state;
    struct profile_entry *list;
    size_t count;
    struct err e = {0};

    assert_int_equal(profile_list(&list, &count, &e), 0);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        struct profile *p = load(list[i].name);
        double gbps = p->dram.bytes_per_cycle * p->gpu.shader_clock_mhz / 1000;
        assert_true(gbps > 0.99 * p->gpu.memory_bandwidth_gbps && gbps < 1.01 * p->gpu.memory_bandwidth_gbps);
        assert_string_equal(p->target, list[i].target);
        assert_string_equal(p->chip, list[i].chip);
        assert_true(list[i].is_default_for_target);
        profile_free(p);
    }
    assert_string_equal(list[0].name, "gfx1201-rx9070xt");
    free(list);
}

/* Every figure says where it is from; a file's own values are its own. */
static void origins(void **state)
{
    (void)state;
    struct profile *p = load("gfx90a");
    const struct profile_origin *o = row_origin(p, profile_row_find("cache.vl0.hit_latency_cycles"));

    for (size_t i = 0; i < profile_row_count; i++)
        if (p->origin[i].given && profile_rows[i].type > ROW_FLAG)
            assert_true(p->origin[i].source && p->origin[i].source[0]);
    assert_int_equal(o->confidence, CONF_MEASURED);
    assert_string_equal(p->files[o->file], "gfx90a-mi210");
    o = row_origin(p, profile_row_find("cu.simds"));
    assert_string_equal(p->files[o->file], "gcn");
    profile_free(p);
}

static void table_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        assert_ptr_equal(profile_row_find(row->path), row); /* no path twice */
        assert_non_null(row->about);
        assert_int_equal(row->unit != NULL, row->type == ROW_U32 || row->type == ROW_F64);
        assert_int_equal(row->names != NULL, row->type == ROW_ENUM);
        if (row->unit)
            assert_true(row->min < row->max);
    }
    assert_null(profile_row_find("cu"));
    assert_null(profile_row_find(""));
}

/* docs/TIMING_SOURCES.md has every field; a class or cache level is written as a star there. */
static void fields_are_documented(void **state)
{
    (void)state;
    FILE *f = fopen("docs/TIMING_SOURCES.md", "r");
    assert_non_null(f);
    char *doc = calloc(1, 1 << 17);
    assert_true(fread(doc, 1, (1 << 17) - 1, f) > 0);
    fclose(f);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        char cell[120];
        const char *first = strchr(row->path, '.'), *last = strrchr(row->path, '.');
        if (!first || first == last)
            snprintf(cell, sizeof cell, "`%s`", row->path);
        else
            snprintf(cell, sizeof cell, "| `%.*s.*%s` | %s |", (int)(first - row->path), row->path, last,
                     row->unit ? row->unit : "-");
        assert_has(doc, cell);
    }
    free(doc);
}

/* ---- names ---- */

static void names(void **state)
{
    (void)state;
    struct err e = {0};
    struct profile *p = load("gfx803");

    assert_string_equal(p->name, "gfx803-rx480");
    profile_free(p);

    assert_int_not_equal(profile_load(&p, "gfx1200", &e), 0);
    assert_null(p);
    assert_int_equal(e.code, ERR_USAGE);
    assert_has(e.text, "gfx1200");
    assert_has(e.text, "gfx90a-mi210 (gfx90a)");

    err_clear(&e);
    assert_int_not_equal(profile_load(&p, "gfx12", &e), 0); /* a family base */
    assert_has(e.text, "gfx12: chip: missing");

    err_clear(&e);
    assert_int_not_equal(profile_load(&p, "no/such/profile.json", &e), 0);
    assert_int_equal(e.code, ERR_IO);
    assert_has(e.text, "no/such/profile.json");

    err_clear(&e);
    assert_int_not_equal(profile_load(&p, "/", &e), 0);
    assert_has(e.text, "not a regular file");

    err_clear(&e);
    assert_int_not_equal(profile_load(&p, "", &e), 0);
    assert_int_equal(e.code, ERR_USAGE);
}

/* The embedded copy is the file in the tree. */
static void files_in_the_tree(void **state)
{
    (void)state;
    struct profile *a = load("gfx1201"), *b = load("config/profiles/gfx1201-rx9070xt.json");
    char *ta = printed(a, PROFILE_JSON), *tb = printed(b, PROFILE_JSON);

    assert_string_equal(b->name, "gfx1201-rx9070xt");
    assert_string_equal(ta, tb);
    free(ta);
    free(tb);
    profile_free(a);
    profile_free(b);
}

/* ---- printing ---- */

static void text_shows_every_row(void **state)
{
    (void)state;
    struct profile *p = load("gfx803");
    char *text = printed(p, PROFILE_TEXT);
    char line[120];
    size_t lines = 0;

    for (size_t i = 0; i < profile_row_count; i++) {
        snprintf(line, sizeof line, "\n%s ", profile_rows[i].path);
        assert_has(text, line);
        assert_has(text, profile_rows[i].about);
        if (p->origin[i].given && profile_rows[i].type > ROW_FLAG)
            assert_has(text, p->origin[i].source);
    }
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, profile_row_count + 2);
    assert_has(text, "cu.wave_slots_per_simd                     10 waves                  [documented: LLVM 19 "
                     "AMDGPUBaseInfo]  waves resident on one SIMD\n");
    assert_has(text, "[not on this chip]");
    free(text);
    profile_free(p);
}

static void json_reads_back(void **state)
{
    (void)state;
    static const char *const all[] = {"gfx1201", "gfx90a", "gfx803"};
    struct err e = {0};

    for (size_t i = 0; i < 3; i++) {
        struct profile *p = load(all[i]), *q;
        assert_int_equal(profile_set(p, "gpu.shader_clock_mhz", "1234.567890123", &e), 0);
        char *text = printed(p, PROFILE_JSON);
        if (profile_parse(&q, text, strlen(text), p->name, &e))
            fail_msg("%s", e.text);
        assert_memory_equal(p, q, offsetof(struct profile, origin));
        char *again = printed(q, PROFILE_JSON);
        assert_string_equal(text, again);
        free(text);
        free(again);
        profile_free(p);
        profile_free(q);
    }
}

/* ---- --set ---- */

static void set_values(void **state)
{
    (void)state;
    struct err e = {0};
    struct profile *p = load("gfx1201");
    const struct profile_origin *o;

    assert_int_equal(profile_set(p, "cu.wave_slots_per_simd", "8", &e), 0);
    assert_int_equal(p->cu.wave_slots_per_simd, 8);
    assert_int_equal(profile_set(p, "cache.l2.write_policy", "write_through", &e), 0);
    assert_int_equal(p->cache[PROFILE_L2].write_policy, PROFILE_WRITE_THROUGH);
    assert_int_equal(profile_set(p, "cache.mall.present", "false", &e), 0);
    assert_false(p->cache[PROFILE_MALL].present);
    assert_int_equal(profile_set(p, "class.valu.latency_cycles", "7", &e), 0);
    assert_int_equal(p->cls[OPC_VALU].latency_cycles, 7);
    assert_int_equal(profile_set(p, "dram.bytes_per_cycle", "100.5", &e), 0);
    assert_true(p->dram.bytes_per_cycle == 100.5);
    o = row_origin(p, profile_row_find("cu.wave_slots_per_simd"));
    assert_string_equal(o->source, "--set");
    assert_int_equal(o->confidence, CONF_GUESS);
    o = row_origin(p, profile_row_find("cu.simds"));
    assert_string_not_equal(o->source, "--set");
    /* a hundred settings need no more room than one */
    for (int i = 0; i < 100; i++)
        assert_int_equal(profile_set(p, "cu.wave_slots_per_simd", i & 1 ? "16" : "10", &e), 0);
    profile_free(p);
}

static void set_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value, *expected;
    } cases[] = {
        {"cu.nonsense", "1", "unknown path"},
        {"cu", "1", "unknown path"},
        {"", "1", "unknown path"},
        {"chip", "other", "cannot be set"},
        {"default_for_target", "true", "cannot be set"},
        {"cu.simds", "", "expected a number"},
        {"cu.simds", "two", "expected a number"},
        {"cu.simds", "2 2", "expected a number"},
        {"cu.simds", "\"2\"", "is a string; expected a number in SIMDs"},
        {"cu.simds", "2.5", "impossible value 2.5; expected a whole number of SIMDs from 1 to 8"},
        {"cu.simds", "-1", "from 1 to 8"},
        {"cu.simds", "1e999", "from 1 to 8"},
        {"cu.simds", "[1]", "is an array"},
        {"cu.lds_per_wgp", "1", "expected true or false"},
        {"cu.lds_per_wgp", "maybe", "expected true or false"},
        {"cu.issue_policy", "sometimes", "expected one of \"round_robin\", \"every_cycle\""},
        {"cache.l2.line_bytes", "96", "expected a power of two"},
        {"class.mfma.issue_cycles_w64", "4", "class.mfma.issue_cycles_w32"},
        {"cache.gl1.present", "true", "cache.gl1.size_bytes: missing"},
    };
    struct profile *p = load("gfx1201");
    char *before = printed(p, PROFILE_TEXT);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {0};
        assert_int_not_equal(profile_set(p, cases[i].path, cases[i].value, &e), 0);
        assert_has(e.text, cases[i].expected);
        char *after = printed(p, PROFILE_TEXT);
        assert_string_equal(before, after);
        free(after);
    }
    free(before);
    profile_free(p);
}

/* Values that hang together change together, or not at all. */
static void set_together(void **state)
{
    (void)state;
    static const char *const vgprs[] = {"cu.vgprs_per_simd_w32=1024", "cu.vgprs_per_simd_w64=512",
                                        "cu.vgpr_granule_w32=16", "cu.vgpr_granule_w64=8"};
    static const char *const half[] = {"cu.wave_slots_per_simd=8", "cu.vgprs_per_simd_w32=1024"};
    static const char *const bare[] = {"cu.wave_slots_per_simd"};
    struct err e = {0};
    struct profile *p = load("gfx1201");

    assert_int_not_equal(profile_set(p, "cu.vgprs_per_simd_w32", "1024", &e), 0);
    assert_has(e.text, "--set: gfx1201-rx9070xt: cu.vgpr_granule_w32 (given by gfx12): expected a divisor of");
    err_clear(&e);
    assert_int_not_equal(profile_set_all(p, 2, half, &e), 0);
    assert_int_equal(p->cu.wave_slots_per_simd, 16);
    err_clear(&e);
    assert_int_not_equal(profile_set_all(p, 1, bare, &e), 0);
    assert_has(e.text, "expected PATH=VALUE");
    err_clear(&e);
    assert_int_equal(profile_set_all(p, 4, vgprs, &e), 0);
    assert_int_equal(p->cu.vgprs_per_simd_w32, 1024);
    assert_int_equal(p->cu.vgpr_granule_w64, 8);
    assert_int_equal(profile_set_all(p, 0, NULL, &e), 0);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gfx1201),
        cmocka_unit_test(gfx90a),
        cmocka_unit_test(gfx803),
        cmocka_unit_test(bandwidth_agrees),
        cmocka_unit_test(origins),
        cmocka_unit_test(table_is_sound),
        cmocka_unit_test(fields_are_documented),
        cmocka_unit_test(names),
        cmocka_unit_test(files_in_the_tree),
        cmocka_unit_test(text_shows_every_row),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(set_values),
        cmocka_unit_test(set_refuses),
        cmocka_unit_test(set_together),
    };
    return cmocka_run_group_tests_name("config/profile", tests, NULL, NULL);
}

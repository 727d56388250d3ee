/* Runs of what is compared (sim/study/compare_bench.c): which occupancies whole workgroups of a kernel have, memory of
 * regions and of others, and the progress that the caller sees of a comparison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/study/compare_bench.h"
#include "tests/unit/study/loop_object.h"

static char file[65536];

static struct gcnsim_compare_item kernel(const char *path, const char *name)
{
    struct gcnsim_compare_item item;
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    gcnsim_compare_item_init(&item);
    item.label = "a kernel";
    item.bytes = file;
    item.size = fread(file, 1, sizeof file, f);
    item.kernel = name;
    fclose(f);
    return item;
}

/* On four SIMDs: as many waves on each, in whole workgroups, no more than fit and than the caller allows; but at least
 * one workgroup. */
static void full_occupancy(void **state)
{
    static const struct {
        uint32_t waves_per_group, fit, allowed, full;
        const char *limiter;
    } v[] = {
        {1, 8, 0, 8, "vgprs"},          {1, 8, 8, 8, "vgprs"},          {1, 8, 7, 7, "max_waves"},
        {4, 8, 5, 5, "max_waves"},      {8, 8, 0, 8, "vgprs"},          {8, 7, 0, 6, "workgroup_size"},
        {8, 8, 5, 4, "workgroup_size"}, {8, 1, 0, 2, "vgprs"},          {16, 8, 3, 4, "workgroup_size"},
        {3, 8, 0, 6, "workgroup_size"}, {3, 8, 2, 3, "workgroup_size"}, {16, 8, 1, 4, "max_waves"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        const struct gcnsim_compare_options o = {.max_waves = v[k].allowed};
        const struct compare_bench b = {.o = &o,
                                        .simds = 4,
                                        .waves_per_group = v[k].waves_per_group,
                                        .occupancy = {.waves_per_simd = v[k].fit, .limiter = "vgprs"}};
        struct gcnsim_compare_entry e = {0};

        if (compare_full_occupancy(&b, &e) != v[k].full || strcmp(e.limiter, v[k].limiter) != 0)
            fail_msg("row %zu: %u, %s", k, compare_full_occupancy(&b, &e), e.limiter);
        for (uint32_t waves = 1; waves <= 12; waves++)
            assert_int_equal(compare_groups(&b, waves) * v[k].waves_per_group,
                             4 * waves % v[k].waves_per_group ? 0 : 4 * waves);
    }
}

/* On two SIMDs: workgroups of the caller's size, one wave where it says none; of four waves even numbers alone. */
static void workgroups_of_a_kernel(void **state)
{
    static const char *const sets[] = {"cu.simds=2"};
    static const struct {
        uint32_t items[3], points[3], count;
    } v[] = {{{0}, {1, 2, 3}, 3},      {{128, 1, 1}, {1, 2, 3}, 3}, {{129, 1, 1}, {3}, 1},
             {{256, 1, 1}, {2, 4}, 2}, {{16, 8, 2}, {2, 4}, 2},     {{65, 1, 1}, {1, 2, 3}, 3}};
    struct gcnsim_compare_item item = kernel("traces/samples/gfx90a/vecadd.co", NULL);
    struct gcnsim_compare_options o;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.sets = sets;
    o.set_count = 1;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct gcnsim_comparison *c = NULL;
        struct gcnsim_error error = {0};

        memcpy(item.workgroup_size, v[k].items, sizeof item.workgroup_size);
        o.max_waves = v[k].points[v[k].count - 1];
        if (gcnsim_compare(&item, 1, &o, &c, &error) != GCNSIM_OK)
            fail_msg("%u: %s", v[k].items[0], error.text);
        const struct gcnsim_compare_entry *e = c->entries;
        assert_int_equal(c->simds, 2);
        assert_int_equal(e->point_count, v[k].count);
        for (size_t n = 0; n < e->point_count; n++) {
            assert_int_equal(e->points[n].waves_per_simd, v[k].points[n]);
            assert_true(e->points[n].cycles > 0 && (!n || e->points[n].cycles < e->points[n - 1].cycles));
        }
        gcnsim_comparison_free(c);
    }
}

/* ---- memory ---- */

static int compare_part(const char *text, bool part, const struct gcnsim_compare_options *o, struct gcnsim_error *e)
{
    struct object object = object_of("gfx90a", text);
    struct gcnsim_loop_source source = source_of(&object);
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_compare_item item;

    symbol(&object, "from", 1, 0);
    source.begin = part ? "from" : NULL;
    loop_of_source(&source, &item);
    int rc = gcnsim_compare(&item, 1, o, &c, e);
    gcnsim_comparison_free(c);
    loop_free(&item);
    return rc;
}

/* A part of other code has addresses that mean nothing: there is memory wherever it asks. Of a sequence, which is
 * written to be compared, such an access is a fault; it has the buffer in s[0:1] alone. */
static void memory_of_parts(void **state)
{
    static const struct {
        const char *text;
        bool faults;
    } v[] = {
        {"global_load_dword v3, v0, s[0:1]", false},
        {"v_mov_b32_e32 v2, 0; v_mov_b32_e32 v3, 0x7f; global_load_dword v4, v[2:3], off", true},
        {"v_mov_b32_e32 v3, 0x7f; v_lshlrev_b32_e32 v2, 16, v0; global_store_dword v[2:3], v0, off", true},
        {"s_mov_b32 s4, 0; s_mov_b32 s5, 0x7e; s_load_dword s6, s[4:5], 0x0", true},
    };
    struct gcnsim_compare_options o;

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 1;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        for (unsigned part = 0; part < 2; part++) {
            struct gcnsim_error e = {0};
            int rc = compare_part(v[k].text, part, &o, &e);

            if (rc != (v[k].faults && !part ? GCNSIM_ERROR_FAULT : GCNSIM_OK))
                fail_msg("row %zu, part %u: %d, %s", k, part, rc, e.text);
        }
}

/* Each workgroup has its number in s2: what all of them load is more than the cache holds where each loads its own, and
 * takes longer than if all load the same. */
static void numbers_of_workgroups(void **state)
{
    static const char *const base[] = {"s_lshl_b32 s4, s2, 12", "s_and_b32 s4, s2, 0"};
    struct gcnsim_compare_options o;
    double cycles[2], alone[2];

    (void)state;
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 4;
    for (unsigned same = 0; same < 2; same++) {
        struct gcnsim_comparison *c = NULL;
        struct gcnsim_compare_item item;
        struct gcnsim_error e = {0};
        char text[256];

        snprintf(text, sizeof text,
                 "%s; v_lshlrev_b32 v1, 4, v0; v_add_u32 v1, s4, v1; global_load_dword v2, v1, s[0:1]; "
                 "s_waitcnt vmcnt(0)",
                 base[same]);
        loop_of("gfx90a", text, &item);
        if (gcnsim_compare(&item, 1, &o, &c, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
        cycles[same] = c->entries->throughput_cycles;
        alone[same] = c->entries->latency_cycles;
        gcnsim_comparison_free(c);
        loop_free(&item);
    }
    assert_float_equal(alone[0], alone[1], 1e-6);
    assert_true(cycles[0] > 1.2 * cycles[1]);
}

/* ---- progress ---- */

struct seen {
    uint64_t done, total;
    unsigned calls;
};

static int progress(void *ctx, uint64_t done, uint64_t total)
{
    struct seen *t = ctx;

    assert_true(done >= t->done && done <= total);
    *t = (struct seen){done, total, t->calls + 1};
    return 0;
}

/* Each item has as much of the whole, however many runs it needs, and with the last of them it is done. */
static void how_far_it_is(void **state)
{
    static const char *const text[] = {
        "v_add_f32_e32 v1, v1, v1", /* two loops */
        "s_movk_i32 s4, 0x12c; back: v_add_f32_e32 v1, v1, v1; s_sub_u32 s4, s4, 1; s_cmp_lg_u32 s4, 0; "
        "s_cbranch_scc1 back", /* the first loop with one copy alone */
    };
    struct gcnsim_compare_item item[3] = {kernel("traces/samples/gfx90a/vecadd.co", NULL)};
    struct gcnsim_compare_options o;

    (void)state;
    for (unsigned k = 0; k < 2; k++)
        loop_of("gfx90a", text[k], &item[1 + k]);
    gcnsim_compare_options_init(&o);
    o.profile = "gfx90a-mi210";
    o.max_waves = 3;
    o.progress = progress;
    for (size_t from = 0; from < 3; from++)
        for (size_t count = 1; from + count <= 3; count++) {
            struct gcnsim_comparison *c = NULL;
            struct gcnsim_error e = {0};
            struct seen t = {0};

            o.progress_ctx = &t;
            if (gcnsim_compare(item + from, count, &o, &c, &e) != GCNSIM_OK)
                fail_msg("%s", e.text);
            assert_true(t.calls > count && t.total == 1000 * count && t.done == t.total);
            assert_int_equal(c->entry_count, count);
            gcnsim_comparison_free(c);
        }
    loop_free(&item[1]);
    loop_free(&item[2]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_occupancy),  cmocka_unit_test(workgroups_of_a_kernel),
        cmocka_unit_test(memory_of_parts), cmocka_unit_test(numbers_of_workgroups),
        cmocka_unit_test(how_far_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

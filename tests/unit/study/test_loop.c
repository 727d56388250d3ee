/* Sequences of instructions put into loops: the assembly text word by word (tests/unit/study/words), errors, and what
 * comparing and analyzing the loop says of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/words.h"
#include "tests/unit/study/loop_object.h"

/* The lines of a text, blocks of up to six that follow one another again and again but once, with their number. */
static char *folded(const char *text)
{
    size_t size;
    char *out = NULL;
    FILE *f = open_memstream(&out, &size);

    assert_non_null(f);
    while (*text) {
        size_t block = 0, times = 1, at = 0;

        for (unsigned lines = 0; lines < 6 && text[at] && times < 3; lines++) {
            at += strcspn(text + at, "\n");
            at += text[at] == '\n';
            block = at;
            for (times = 1; strncmp(text, text + times * block, block) == 0; times++)
                ;
        }
        if (times < 3) {
            block = strcspn(text, "\n") + 1;
            times = 1;
        }
        fwrite(text, 1, block, f);
        if (times > 1)
            fprintf(f, "(%zu times)\n", times);
        text += times * block;
    }
    assert_int_equal(fclose(f), 0);
    return out;
}

static void expect_text(const struct gcnsim_loop_source *s, const char *name)
{
    struct gcnsim_error e = {0};
    char *text = NULL;

    if (gcnsim_compare_loop_text(s, &text, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    char *fold = folded(text);
    expect_words("tests/unit/study/words", name, fold);
    free(fold);
    gcnsim_free(text);
}

/* Whole, from a label on, and a part with a branch in it, for waves of both sizes. */
static void texts_of_loops(void **state)
{
    struct object plain = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0; ds_read_b32 v2, v0"),
                  labelled = object_of("gfx90a", "s_mov_b32 s5, 0; v_add_f32_e32 v0, v0, v0; v_add_f32_e32 v1, v1, v1"),
                  part = object_of("gfx90a", "s_mov_b32 s5, 0; s_cbranch_scc0 1; v_add_f32_e32 v0, v0, v0; "
                                             "v_add_f32_e32 v1, v1, v1; s_endpgm; s_mov_b32 s5, 0"),
                  either = object_of("gfx1201", "v_add_f32_e32 v0, v0, v0");
    struct gcnsim_loop_source s = source_of(&plain);

    (void)state;
    symbol(&plain, "outside", 0, 0); /* what the object refers to elsewhere does not matter */
    symbol(&plain, "absolute", 0xfff1, 5);
    expect_text(&s, "loop_plain");
    symbol(&labelled, "other", 1, 8);
    symbol(&labelled, "loop", 1, 4);
    s = source_of(&labelled);
    expect_text(&s, "loop_labelled");
    symbol(&part, "from", 1, 4);
    symbol(&part, "to", 1, 20);
    s = source_of(&part);
    s.begin = "from";
    s.end = "to";
    expect_text(&s, "loop_part");
    s.end = NULL;
    expect_text(&s, "loop_part_to_the_end");
    s = source_of(&either);
    expect_text(&s, "loop_wave32"); /* what the target's compilers take */
    s.wave_size = 64;
    expect_text(&s, "loop_wave64");
}

static void expect_error(const struct gcnsim_loop_source *s, int code, const char *says)
{
    struct gcnsim_error e = {0};
    void *bytes = &e;
    char *text = e.text;
    size_t size = 1;

    assert_int_equal(gcnsim_compare_loop(s, &bytes, &size, &e), code);
    assert_null(bytes);
    assert_int_equal(size, 0);
    if (!strstr(e.text, says))
        fail_msg("'%s' lacks '%s'", e.text, says);
    assert_int_equal(gcnsim_compare_loop_text(s, &text, &e), code);
    assert_null(text);
    if (!strstr(e.text, says))
        fail_msg("'%s' lacks '%s'", e.text, says);
}

static void errors_of_loops(void **state)
{
    struct object o = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0; v_add_f32_e32 v1, v1, v1"),
                  empty = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0"),
                  two = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0"),
                  data = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0"),
                  kernel = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0"),
                  undecodable = object_of("gfx90a", "v_add_f32_e32 v0, v0, v0; .long 0xffffffff");
    struct gcnsim_loop_source s = source_of(&o);
    char name[8];

    (void)state;
    symbol(&o, "from", 1, 4);
    symbol(&o, "to", 1, 8);
    symbol(&o, "past", 1, 12);
    symbol(&o, "away", 9, 8);
    s.object = NULL;
    expect_error(&s, GCNSIM_ERROR_USAGE, "loop source: object is null");
    s = source_of(&o);
    s.end = "to";
    expect_error(&s, GCNSIM_ERROR_USAGE, "loop source: begin is null");
    s.begin = "none";
    expect_error(&s, GCNSIM_ERROR_USAGE, "mine.s: no symbols 'none' and 'to'");
    s.begin = "to";
    s.end = NULL;
    expect_error(&s, GCNSIM_ERROR_USAGE, "no instructions in it");
    s.end = "from";
    expect_error(&s, GCNSIM_ERROR_USAGE, "no instructions in it");
    s.begin = "from";
    s.end = "past";
    expect_error(&s, GCNSIM_ERROR_USAGE, "no instructions in it");
    s.end = "away";
    expect_error(&s, GCNSIM_ERROR_USAGE, "no instructions in it");
    s = source_of(&o);
    s.wave_size = 32;
    expect_error(&s, GCNSIM_ERROR_USAGE, "32");
    put(&empty, SECTIONS_AT + SECTION_BYTES + 8, 2, 8); /* not executable */
    s = source_of(&empty);
    expect_error(&s, GCNSIM_ERROR_USAGE, "mine.s: no instructions");
    section(&two, 1, 6, CODE_AT, 4, 0);
    s = source_of(&two);
    expect_error(&s, GCNSIM_ERROR_USAGE, "2 sections with instructions; expected one");
    section(&data, 1, 2, CODE_AT, 4, 0);
    symbol(&data, "table", 4, 0);
    s = source_of(&data);
    expect_error(&s, GCNSIM_ERROR_USAGE, "table");
    symbol(&kernel, "k.kd", 1, 0);
    s = source_of(&kernel);
    expect_error(&s, GCNSIM_ERROR_USAGE, "a kernel already: 'k'");
    assert_int_equal(gcnsim_object_kernel(kernel.bytes, sizeof kernel.bytes, name, sizeof name), 1);
    assert_string_equal(name, "k");
    assert_int_equal(gcnsim_object_kernel(o.bytes, sizeof o.bytes, name, sizeof name), 0);
    assert_string_equal(name, "");
    s = source_of(&undecodable);
    expect_error(&s, GCNSIM_ERROR_USAGE, "byte 4");
    symbol(&undecodable, "from", 1, 0);
    s = source_of(&undecodable);
    s.begin = "from";
    expect_error(&s, GCNSIM_ERROR_USAGE, "byte 4 is no instruction of gfx90a");
}

/* The object is as LLVM makes it of the text: where the kernels lie, and what their descriptors say (clang 19's
 * values).
 */
static void objects_of_loops(void **state)
{
    static const struct {
        const char *target, *text;
        uint32_t lds, rsrc1, rsrc3, properties, bytes, copies;
    } v[] = {
        {"gfx803", "v_add_f32_e32 v9, v1, v2; s_mov_b32 s20, 0", 0, 0xac00c2, 0, 0x8, 8, 64},
        {"gfx803", "v_add_f32_e32 v9, v1, v2; ds_read_b32 v3, v0", 1024, 0xac0042, 0, 0x8, 12, 64},
        {"gfx90a", "v_add_f32_e32 v9, v1, v2; s_mov_b32 s20, 0", 0, 0xac00c1, 2, 0x8, 8, 64},
        {"gfx90a", "v_add_f32_e32 v9, v1, v2; ds_read_b32 v3, v0", 1024, 0xac0041, 2, 0x8, 12, 64},
        {"gfx90a", "v_accvgpr_write_b32 a5, v9", 0, 0xac0042, 2, 0x8, 8, 128},
        {"gfx1030", "v_add_f32_e32 v9, v1, v2; s_mov_b32 s20, 0", 0, 0x40ac0001, 0, 0x408, 8, 64},
        {"gfx1201", "v_add_f32_e32 v9, v1, v2; ds_load_b32 v3, v0", 1024, 0x400c0001, 0, 0x408, 12, 64},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct gcnsim_compare_item item;
        struct gcnsim_error e = {0};
        struct gcnsim_kernel_info one, two;
        struct gcnsim_code *code;
        uint32_t tail;

        loop_of(v[k].target, v[k].text, &item);
        if (gcnsim_code_open_memory(&code, item.bytes, item.size, "loop", NULL, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
        assert_int_equal(gcnsim_code_kernel(code, 0, &one), GCNSIM_OK);
        assert_int_equal(gcnsim_code_kernel(code, 1, &two), GCNSIM_OK);
        assert_int_not_equal(gcnsim_code_kernel(code, 2, &two), GCNSIM_OK);
        assert_string_equal(one.name, "gcnsim_compare_1");
        assert_string_equal(two.name, "gcnsim_compare_2");
        for (unsigned n = 0; n < 2; n++) {
            const struct gcnsim_kernel_info *i = n ? &two : &one;

            assert_null(gcnsim_code_kernel_refused(code, n));
            assert_int_equal(i->kernarg_size, 16);
            assert_int_equal(i->group_segment_fixed_size, v[k].lds);
            assert_int_equal(i->compute_pgm_rsrc1, v[k].rsrc1);
            assert_int_equal(i->compute_pgm_rsrc2, 0x84);
            assert_int_equal(i->compute_pgm_rsrc3, v[k].rsrc3);
            assert_int_equal(i->kernel_code_properties, v[k].properties);
            assert_int_equal(i->code_offset % 256, 0);
        }
        assert_int_equal(one.code_offset, 0x1400);
        assert_true(two.code_offset >= one.code_offset + one.code_size);
        tail = (uint32_t)(one.code_size - v[k].copies * v[k].bytes);
        assert_int_equal(two.code_size, 2 * v[k].copies * v[k].bytes + tail);
        gcnsim_code_close(code);
        loop_free(&item);
    }
}

/* Four cycles an instruction on a SIMD of 16 lanes, whether it awaits the one before or not, and however many waves. */
static void cycles_of_a_loop(void **state)
{
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item item;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error e = {0};

    (void)state;
    loop_of("gfx90a", "v_add_f32_e32 v0, v0, v0; v_add_f32_e32 v0, v0, v0; v_add_f32_e32 v1, v1, v1", &item);
    gcnsim_compare_options_init(&options);
    options.profile = "gfx90a-mi210";
    options.max_waves = 2;
    if (gcnsim_compare(&item, 1, &options, &c, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    const struct gcnsim_compare_entry *entry = c->entries;
    assert_null(entry->kernel);
    assert_int_equal(entry->bytes, 12);
    assert_int_equal(entry->instructions, 3);
    assert_int_equal(entry->vgprs, 2);
    assert_int_equal(entry->sgprs, 0);
    assert_int_equal(entry->wave_size, 64);
    assert_true(fabs(entry->latency_cycles - 12) < 1e-9);
    assert_true(fabs(entry->throughput_cycles - 12) < 1e-9);
    assert_int_equal(entry->point_count, 2);
    assert_true(fabs(entry->points[0].cycles - 12) < 1e-9);
    assert_true(fabs(entry->points[1].cycles - 12) < 1e-9);
    for (size_t k = 0; k < entry->issue_count; k++)
        assert_true(fabs(entry->issues[k].one_wave - (strcmp(entry->issues[k].name, "valu") == 0 ? 3 : 0)) < 1e-9);
    gcnsim_comparison_free(c);
    loop_free(&item);
}

/* The loop counts in a register that the sequence does not have; where it has them all, there is none. */
static void the_counter_of_a_loop(void **state)
{
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item item;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error e = {0};
    char all[4096] = "", *text;
    struct object object;

    (void)state;
    loop_of("gfx90a", "s_mov_b32 s3, 0; s_mov_b32 s4, 0; s_mov_b32 s6, 0", &item);
    gcnsim_compare_options_init(&options);
    options.profile = "gfx90a-mi210";
    options.max_waves = 1;
    if (gcnsim_compare(&item, 1, &options, &c, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_true(fabs(c->entries->latency_cycles - 12) < 1e-9);
    gcnsim_comparison_free(c);
    loop_free(&item);
    for (unsigned k = 3; k < 102; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "s_mov_b32 s%u, 0; ", k);
    object = object_of("gfx90a", all);
    struct gcnsim_loop_source s = source_of(&object);
    expect_error(&s, GCNSIM_ERROR_USAGE, "all SGPRs from s3 to s101 are used; the loop around it needs one");
    object = object_of("gfx90a", "s_mov_b32 s3, 0; s_mov_b32 s4, 0; s_mov_b32 s6, 0");
    s = source_of(&object);
    assert_int_equal(gcnsim_compare_loop_text(&s, &text, &e), GCNSIM_OK);
    assert_non_null(strstr(text, "s_sub_u32 s5, s5, 1"));
    gcnsim_free(text);
}

/* Where instructions await results in the vector ALU's queue, code without s_delay_alu has them wait there. */
static void loops_without_delays(void **state)
{
    static const struct {
        const char *profile, *text;
        bool undelayed;
    } v[] = {
        {"gfx1201-rx9070xt", "v_add_f32_e32 v1, v1, v2; v_add_f32_e32 v1, v1, v2", true},
        {"gfx1201-rx9070xt", "v_add_f32_e32 v1, v2, v2; v_add_f32_e32 v3, v2, v2", false},
        {"gfx1201-rx9070xt", "v_add_f32_e32 v1, v1, v2; s_delay_alu instid0(VALU_DEP_1); v_add_f32_e32 v1, v1, v2",
         false},
        {"gfx90a-mi210", "v_add_f32_e32 v1, v1, v2; v_add_f32_e32 v1, v1, v2", false},
    };
    struct gcnsim_compare_options options;

    (void)state;
    gcnsim_compare_options_init(&options);
    options.max_waves = 2;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct gcnsim_compare_item item;
        struct gcnsim_comparison *c = NULL;
        struct gcnsim_error e = {0};
        char target[16];

        snprintf(target, sizeof target, "%.*s", (int)strcspn(v[k].profile, "-"), v[k].profile);
        loop_of(target, v[k].text, &item);
        options.profile = v[k].profile;
        if (gcnsim_compare(&item, 1, &options, &c, &e) != GCNSIM_OK)
            fail_msg("%s", e.text);
        if (c->entries->undelayed != v[k].undelayed)
            fail_msg("%s: %s", v[k].profile, v[k].text);
        gcnsim_comparison_free(c);
        loop_free(&item);
    }
}

/* A load of LDS, its wait, and what needs neither: every view of it. */
static void views_of_a_loop(void **state)
{
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item item;
    struct gcnsim_analysis *a = NULL;
    struct gcnsim_error e = {0};
    char *text = NULL;

    (void)state;
    loop_of("gfx90a", "ds_read_b32 v2, v0; v_add_f32_e32 v1, v1, v1; s_waitcnt lgkmcnt(0); v_add_f32_e32 v0, v0, v0",
            &item);
    gcnsim_compare_options_init(&options);
    options.profile = "gfx90a-mi210";
    options.max_waves = 2;
    if (gcnsim_analyze(&item, &options, &a, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    assert_int_equal(gcnsim_analysis_text(a, GCNSIM_ANALYSIS_ALL, 2, &text, &e), GCNSIM_OK);
    expect_words("tests/unit/study/words", "loop_views", text);
    gcnsim_free(text);
    gcnsim_analysis_free(a);
    options.max_instructions = 10;
    assert_int_equal(gcnsim_analyze(&item, &options, &a, &e), GCNSIM_ERROR_RUN_LIMIT);
    assert_null(a);
    loop_free(&item);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_loops),        cmocka_unit_test(errors_of_loops),
        cmocka_unit_test(objects_of_loops),      cmocka_unit_test(cycles_of_a_loop),
        cmocka_unit_test(the_counter_of_a_loop), cmocka_unit_test(loops_without_delays),
        cmocka_unit_test(views_of_a_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sequences of instructions of objects that are written byte by byte here, put into loops: the assembly text word by
 * word (tests/unit/study/words), errors, and what comparing and analyzing the loop says of them. */
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

enum {
    GFX90A = 0x53f,
    GFX1201 = 0x4e,
    SECTION_BYTES = 64,
    CODE_AT = 0x40,
    SYMBOLS_AT = 0x200,
    NAMES_AT = 0x400,
    SECTIONS_AT = 0x600,
    OBJECT_BYTES = 0x800
};

/* gfx90a's; v_add_f32_e32 v0, v0, v0 is gfx12's opcode 3 */
enum {
    ADD_V0 = 0x02000100, /* v_add_f32_e32 v0, v0, v0 */
    ADD_V1 = 0x02020301, /* v_add_f32_e32 v1, v1, v1 */
    MOV_S5 = 0xbe850080, /* s_mov_b32 s5, 0 */
    LDS_LO = 0xd86c0000, /* ds_read_b32 v2, v0 */
    LDS_HI = 0x02000000,
    WAIT_LDS = 0xbf8cc07f,    /* s_waitcnt lgkmcnt(0) */
    BRANCH_OVER = 0xbf840001, /* s_cbranch_scc0 past the next one */
    END = 0xbf810000,
    ADD_V0_GFX12 = 0x06000100
};

struct object {
    uint8_t bytes[OBJECT_BYTES];
    unsigned sections, symbols;
    size_t names;
};

static void put(struct object *o, size_t at, uint64_t v, unsigned n)
{
    memcpy(o->bytes + at, &v, n);
}

static void section(struct object *o, unsigned type, unsigned flags, size_t offset, size_t size, unsigned link)
{
    size_t at = SECTIONS_AT + SECTION_BYTES * o->sections++;

    put(o, at + 4, type, 4);
    put(o, at + 8, flags, 8);
    put(o, at + 24, offset, 8);
    put(o, at + 32, size, 8);
    put(o, at + 40, link, 4);
    put(o, 60, o->sections, 2);
}

static void symbol(struct object *o, const char *name, unsigned in_section, uint64_t value)
{
    size_t at = SYMBOLS_AT + 24 * o->symbols++;

    put(o, at, o->names, 4);
    put(o, at + 6, in_section, 2);
    put(o, at + 8, value, 8);
    strcpy((char *)o->bytes + NAMES_AT + o->names, name);
    o->names += strlen(name) + 1;
    put(o, SECTIONS_AT + 2 * SECTION_BYTES + 32, 24 * o->symbols, 8);
    put(o, SECTIONS_AT + 3 * SECTION_BYTES + 32, o->names, 8);
}

/* Section 1 are the words, 2 and 3 the symbols and their names. */
static struct object object_of(uint32_t flags, const uint32_t *words, unsigned count)
{
    struct object o = {.names = 1, .symbols = 1};

    memcpy(o.bytes, "\177ELF\2\1\1\100\3", 9);
    put(&o, 16, 1, 2);
    put(&o, 18, 224, 2);
    put(&o, 40, SECTIONS_AT, 8);
    put(&o, 48, flags, 4);
    put(&o, 58, SECTION_BYTES, 2);
    memcpy(o.bytes + CODE_AT, words, 4 * count);
    section(&o, 0, 0, 0, 0, 0);
    section(&o, 1, 6, CODE_AT, 4 * count, 0);
    section(&o, 2, 0, SYMBOLS_AT, 24, 3);
    section(&o, 3, 0, NAMES_AT, 1, 0);
    return o;
}
#define OBJECT(FLAGS, ...)                                                                                             \
    object_of(FLAGS, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static struct gcnsim_loop_source source_of(const struct object *o)
{
    struct gcnsim_loop_source s;

    gcnsim_loop_source_init(&s);
    s.object = o->bytes;
    s.size = sizeof o->bytes;
    s.name = "mine.s";
    return s;
}

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
    struct object plain = OBJECT(GFX90A, ADD_V0, LDS_LO, LDS_HI), labelled = OBJECT(GFX90A, MOV_S5, ADD_V0, ADD_V1),
                  part = OBJECT(GFX90A, MOV_S5, BRANCH_OVER, ADD_V0, ADD_V1, END, MOV_S5),
                  wave64 = OBJECT(GFX1201, ADD_V0_GFX12);
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
    s = source_of(&wave64);
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
    struct object o = OBJECT(GFX90A, ADD_V0, ADD_V1), empty = OBJECT(GFX90A, ADD_V0), two = OBJECT(GFX90A, ADD_V0),
                  data = OBJECT(GFX90A, ADD_V0), kernel = OBJECT(GFX90A, ADD_V0),
                  undecodable = OBJECT(GFX90A, ADD_V0, 0xffffffff);
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

static void loop_of(const struct object *o, struct gcnsim_compare_item *item)
{
    struct gcnsim_loop_source s = source_of(o);
    struct gcnsim_error e = {0};
    void *bytes;

    gcnsim_compare_item_init(item);
    if (gcnsim_compare_loop(&s, &bytes, &item->size, &e) != GCNSIM_OK)
        fail_msg("%s", e.text);
    item->label = "mine.s";
    item->bytes = bytes;
}

/* Four cycles an instruction on a SIMD of 16 lanes, whether it awaits the one before or not, and however many waves. */
static void cycles_of_a_loop(void **state)
{
    struct object o = OBJECT(GFX90A, ADD_V0, ADD_V0, ADD_V1);
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item item;
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error e = {0};

    (void)state;
    loop_of(&o, &item);
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
    gcnsim_free((void *)(uintptr_t)item.bytes);
}

/* A load of LDS, its wait, and what needs neither: every view of it. */
static void views_of_a_loop(void **state)
{
    struct object o = OBJECT(GFX90A, LDS_LO, LDS_HI, ADD_V1, WAIT_LDS, ADD_V0);
    struct gcnsim_compare_options options;
    struct gcnsim_compare_item item;
    struct gcnsim_analysis *a = NULL;
    struct gcnsim_error e = {0};
    char *text = NULL;

    (void)state;
    loop_of(&o, &item);
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
    gcnsim_free((void *)(uintptr_t)item.bytes);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_loops),
        cmocka_unit_test(errors_of_loops),
        cmocka_unit_test(cycles_of_a_loop),
        cmocka_unit_test(views_of_a_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

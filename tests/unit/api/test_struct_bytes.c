/* Structs with struct_bytes: programs that were built with an older or a newer gcnsim.h. Every struct ends where a page
 * begins that may not be touched, so that a byte read or written behind it ends the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"

enum { PAGE = 4096, ROOM = 2 * PAGE };

static struct gcnsim_error error;
static uint8_t *fence; /* first byte that may not be touched */

static int set_up(void **state)
{
    (void)state;
    uint8_t *m = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED || mprotect(m + ROOM, PAGE, PROT_NONE))
        return -1;
    fence = m + ROOM;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return munmap(fence - ROOM, ROOM + PAGE);
}

/* A struct of `bytes` bytes that ends at the fence, with rubbish in it and before it. */
static void *place(size_t bytes)
{
    memset(fence - ROOM, 0xaa, ROOM);
    return fence - bytes;
}

static size_t stated(const void *s)
{
    size_t bytes;

    memcpy(&bytes, s, sizeof bytes);
    return bytes;
}

/* ---- the four structs, each with a call that takes it ---- */

static void init_source(void *s, size_t bytes)
{
    gcnsim_code_source_init_sized(s, bytes);
}

static int call_source(void *s)
{
    struct gcnsim_code *code = NULL;

    ((struct gcnsim_code_source *)s)->path = "traces/samples/gfx90a/call.co";
    int status = gcnsim_code_open(&code, s, &error);
    assert_int_equal(!code, status != GCNSIM_OK);
    gcnsim_code_close(code);
    return status;
}

static void init_dispatch(void *s, size_t bytes)
{
    gcnsim_dispatch_init_sized(s, bytes);
}

static int call_dispatch(void *s)
{
    static const char *const specs[] = {"buf:256", "buf:256", "buf:256", "u32:64"};
    struct gcnsim_dispatch *d = s;
    struct gcnsim_result *result = (void *)fence;
    struct gcnsim_module *module;
    struct gcnsim_args *args;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_load_file(sim, &module, "traces/samples/gfx90a/vecadd.co", NULL, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_parse(module, 0, specs, 4, NULL, &args, &error), GCNSIM_OK);
    d->args = args;
    d->grid_size[0] = d->workgroup_size[0] = 64;
    int status = gcnsim_launch(module, d, &result, &error);
    assert_int_equal(!result, status != GCNSIM_OK);
    assert_true(!result || strcmp(result->engine, "timing") == 0); /* what _init chose */
    assert_int_equal(gcnsim_check_files(module, d, NULL, 0, NULL), status);
    gcnsim_result_free(result);
    gcnsim_args_free(args);
    gcnsim_close(sim);
    return status;
}

static void init_raw(void *s, size_t bytes)
{
    gcnsim_raw_init_sized(s, bytes);
}

static int call_raw(void *s)
{
    static const uint32_t code[] = {0xbf810000}; /* s_endpgm */
    struct gcnsim_result *result = (void *)fence;
    struct gcnsim_raw *r = s;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    r->target = "gfx90a";
    r->entry = (uint64_t)(uintptr_t)code;
    r->code_size = sizeof code;
    r->wave_size = 64;
    int status = gcnsim_launch_raw(sim, r, &result, &error);
    assert_int_equal(!result, status != GCNSIM_OK); /* null, as the header says */
    gcnsim_result_free(result);
    gcnsim_close(sim);
    return status;
}

static void init_options(void *s, size_t bytes)
{
    gcnsim_compare_options_init_sized(s, bytes);
}

static int call_options(void *s)
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

/* `oldest` is written down as a number: that of 0.1.0's header, which programs that are out there state. */
static const struct {
    const char *init;
    void (*prepare)(void *s, size_t bytes);
    int (*call)(void *s);
    size_t bytes, oldest;
} kinds[] = {
    {"gcnsim_code_source_init", init_source, call_source, sizeof(struct gcnsim_code_source), 72},
    {"gcnsim_dispatch_init", init_dispatch, call_dispatch, sizeof(struct gcnsim_dispatch), 268},
    {"gcnsim_raw_init", init_raw, call_raw, sizeof(struct gcnsim_raw), 448},
    {"gcnsim_compare_options_init", init_options, call_options, sizeof(struct gcnsim_compare_options), 88},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What _init wrote into all of its own struct, the beginning of any other size has, too. */
static void init_keeps_to_its_struct(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint8_t whole[PAGE];
        kinds[k].prepare(memcpy(whole, place(kinds[k].bytes), kinds[k].bytes), kinds[k].bytes);
        for (size_t bytes = 0; bytes < kinds[k].bytes + 40; bytes++) {
            const uint8_t *s = place(bytes);
            kinds[k].prepare((void *)s, bytes);
            assert_int_equal(s[-1], 0xaa);
            if (bytes < sizeof bytes)
                continue;
            assert_int_equal(stated(s), bytes);
            for (size_t at = sizeof bytes; at < bytes; at++)
                assert_int_equal(s[at], at < kinds[k].bytes ? whole[at] : 0);
        }
    }
}

static void older_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t bytes = (kinds[k].oldest + 7) / 8 * 8; bytes <= kinds[k].bytes; bytes += 8) {
            void *s = place(bytes);
            kinds[k].prepare(s, bytes);
            if (kinds[k].call(s) != GCNSIM_OK)
                fail_msg("%s, %zu bytes: %s", kinds[k].init, bytes, error.text);
        }
}

static void newer_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        size_t own = kinds[k].bytes, sizes[] = {own + 8, own + 200, PAGE};
        for (size_t i = 0; i < 3; i++) {
            uint8_t *s = place(sizes[i]);
            kinds[k].prepare(s, sizes[i]);
            if (kinds[k].call(s) != GCNSIM_OK)
                fail_msg("%s, %zu bytes: %s", kinds[k].init, sizes[i], error.text);
            size_t set[] = {own, sizes[i] - 1};
            for (size_t at = 0; at < 2; at++) {
                char says[100];
                snprintf(says, sizeof says, ": byte %zu of %zu is not 0, a field that", set[at], sizes[i]);
                s[set[at]] = 1;
                assert_int_equal(kinds[k].call(s), GCNSIM_ERROR_UNSUPPORTED);
                assert_non_null(strstr(error.text, says));
                s[set[at]] = 0;
            }
        }
    }
}

static void no_program(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        size_t sizes[] = {0, 1, kinds[k].oldest - 1, PAGE + 1, SIZE_MAX};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            char says[100];
            void *s = place(kinds[k].bytes);
            kinds[k].prepare(s, kinds[k].bytes);
            memcpy(s, &sizes[i], sizeof sizes[i]);
            assert_int_equal(kinds[k].call(s), GCNSIM_ERROR_USAGE);
            snprintf(says, sizeof says,
                     ": struct_bytes is %zu; expected %zu, or %zu to 4096 of another version, see %s", sizes[i],
                     kinds[k].bytes, kinds[k].oldest, kinds[k].init);
            if (!strstr(error.text, says))
                fail_msg("'%s' lacks '%s'", error.text, says);
        }
    }
}

/* ---- arrays of them: the first one states where the others are ---- */

static void arrays(void **state)
{
    static const char image[] = "\177ELF, damaged";
    static const size_t newer[] = {0, 16, 200};
    struct gcnsim_compare_options options;
    struct gcnsim_comparison *c = NULL;
    char *page;

    (void)state;
    gcnsim_compare_options_init(&options);
    options.profile = "gfx803-rx480";
    for (size_t n = 0; n < 3; n++) {
        size_t bytes = sizeof(struct gcnsim_compare_item) + newer[n];
        uint8_t *all = place(2 * bytes);
        for (size_t k = 0; k < 2; k++) {
            struct gcnsim_compare_item *item = (void *)(all + k * bytes);
            gcnsim_compare_item_init_sized(item, bytes);
            item->label = k ? NULL : "one";
            item->bytes = image;
            item->size = sizeof image;
        }
        assert_int_equal(gcnsim_compare((void *)all, 2, &options, &c, &error), GCNSIM_ERROR_USAGE);
        assert_string_equal(error.text, "item 1 has no label");
        memset(all + bytes, 0, sizeof bytes);
        assert_int_equal(gcnsim_compare((void *)all, 2, &options, &c, &error), GCNSIM_ERROR_USAGE);
        assert_non_null(strstr(error.text, "item 1: struct_bytes is 0; expected "));
        memcpy(all + bytes, &(size_t){bytes + 8}, sizeof bytes);
        assert_int_equal(gcnsim_compare((void *)all, 2, &options, &c, &error), GCNSIM_ERROR_USAGE);
        assert_non_null(strstr(error.text, "as in the first"));
        assert_null(c);
    }
    for (size_t n = 0; n < 3; n++) {
        size_t bytes = sizeof(struct gcnsim_html_dispatch) + newer[n];
        uint8_t *all = place(2 * bytes);
        for (size_t k = 0; k < 2; k++) {
            struct gcnsim_html_dispatch *d = (void *)(all + k * bytes);
            gcnsim_html_dispatch_init_sized(d, bytes);
            d->kernel = k ? "the_second" : "the_first";
            d->target = "gfx90a";
            d->engine = "timing";
            d->outcome = "completed";
        }
        assert_int_equal(gcnsim_html_index("title", (void *)all, 2, 0, &page, &error), GCNSIM_OK);
        assert_non_null(strstr(page, "the_first"));
        assert_non_null(strstr(page, "the_second"));
        gcnsim_free(page);
    }
}

/* ---- structs that the library fills in the program's memory ---- */

static void filled_structs(void **state)
{
    const size_t own = sizeof(struct gcnsim_kernel_info);
    struct gcnsim_kernel_info whole;
    struct gcnsim_code *code;

    (void)state;
    assert_int_equal(gcnsim_code_open_file(&code, "traces/samples/gfx90a/call.co", NULL, &error), GCNSIM_OK);
    memset(&whole, 0, own); /* padding, too */
    assert_int_equal(gcnsim_code_kernel(code, 0, &whole), GCNSIM_OK);
    for (size_t bytes = 0; bytes <= own + 40; bytes += 8) {
        uint8_t *s = place(bytes);
        assert_int_equal(gcnsim_code_kernel_sized(code, 0, (void *)s, bytes), GCNSIM_OK);
        assert_int_equal(s[-1], 0xaa);
        assert_memory_equal(s, &whole, bytes < own ? bytes : own);
        for (size_t at = own; at < bytes; at++)
            assert_int_equal(s[at], 0);
    }
    gcnsim_code_close(code);
}

/* ---- structs of the library's ---- */

static void members_that_are_there(void **state)
{
    struct gcnsim_result older = {.struct_bytes = offsetof(struct gcnsim_result, limiter)};

    (void)state;
    assert_false(GCNSIM_HAS(&older, limiter));
    assert_true(GCNSIM_HAS(&older, samples));
    older.struct_bytes += sizeof older.limiter - 1;
    assert_false(GCNSIM_HAS(&older, limiter));
    older.struct_bytes++;
    assert_true(GCNSIM_HAS(&older, limiter));
}

static void versions(void **state)
{
    char text[32];

    (void)state;
    assert_int_equal(gcnsim_version_number(), GCNSIM_VERSION_NUMBER);
    snprintf(text, sizeof text, "%d.%d.%d", GCNSIM_VERSION_MAJOR, GCNSIM_VERSION_MINOR, GCNSIM_VERSION_PATCH);
    assert_string_equal(gcnsim_version(), text);
}

/* The inline functions state the size that the program was compiled with. */
static void the_inline_functions(void **state)
{
    struct gcnsim_compare_options options;
    struct gcnsim_code_source source;
    struct gcnsim_dispatch dispatch;
    struct gcnsim_raw raw;

    (void)state;
    gcnsim_code_source_init(&source);
    gcnsim_dispatch_init(&dispatch);
    gcnsim_raw_init(&raw);
    gcnsim_compare_options_init(&options);
    assert_int_equal(source.struct_bytes, sizeof source);
    assert_int_equal(dispatch.struct_bytes, sizeof dispatch);
    assert_int_equal(raw.struct_bytes, sizeof raw);
    assert_int_equal(options.struct_bytes, sizeof options);
    assert_true(source.max_memory == GCNSIM_DEFAULT_MAX_MEMORY);
    assert_int_equal(dispatch.workgroup_size[2], 1);
    assert_int_equal(raw.engine, GCNSIM_ENGINE_FUNCTIONAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_keeps_to_its_struct),
        cmocka_unit_test(older_programs),
        cmocka_unit_test(newer_programs),
        cmocka_unit_test(no_program),
        cmocka_unit_test(arrays),
        cmocka_unit_test(filled_structs),
        cmocka_unit_test(members_that_are_there),
        cmocka_unit_test(versions),
        cmocka_unit_test(the_inline_functions),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

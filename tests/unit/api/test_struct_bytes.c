/* Structs with struct_bytes: programs that were built with an older or a newer gcnsim.h. Every struct ends where a page
 * begins that may not be touched, so that a byte read or written after it ends the test. */
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
#include "tests/unit/api/struct_kinds.h"

enum { PAGE = 4096, ROOM = 2 * PAGE };

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

/* What _init wrote into all of its own struct, the beginning of any other size has, too. */
static void init_keeps_to_its_struct(void **state)
{
    (void)state;
    for (size_t k = 0; k < KIND_COUNT; k++) {
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
    for (size_t k = 0; k < KIND_COUNT; k++)
        for (size_t bytes = (kinds[k].oldest + 7) / 8 * 8; bytes <= kinds[k].bytes; bytes += 8) {
            void *s = place(bytes);
            kinds[k].prepare(s, bytes);
            if (kinds[k].call(s) != kinds[k].accepted)
                fail_msg("%s, %zu bytes: %s", kinds[k].init, bytes, error.text);
        }
}

static void newer_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        size_t own = kinds[k].bytes, sizes[] = {own + 8, own + 200, PAGE};
        for (size_t i = 0; i < 3; i++) {
            uint8_t *s = place(sizes[i]);
            kinds[k].prepare(s, sizes[i]);
            if (kinds[k].call(s) != kinds[k].accepted)
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
    for (size_t k = 0; k < KIND_COUNT; k++) {
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

/* What the calls are asked about. */
static struct asked {
    struct gcnsim *sim;
    struct gcnsim_code *code;
    struct gcnsim_disasm *disasm;
    struct gcnsim_timeline *timeline;
} asked;

/* What lies between members is nobody's; clang does not know it. */
#if __has_builtin(__builtin_clear_padding)
#define CLEAR_PADDING(STRUCT) __builtin_clear_padding(STRUCT)
#else
#define CLEAR_PADDING(STRUCT) memset(STRUCT, 0, sizeof *(STRUCT))
#endif

/* X(function without prefix and _sized, its struct, the call that fills `bytes` bytes of it) */
#define FILLED(X)                                                                                                      \
    X(get_memory, memory, (gcnsim_get_memory_sized(asked.sim, s, bytes), 0))                                           \
    X(code_get_info, code_info, (gcnsim_code_get_info_sized(asked.code, s, bytes), 0))                                 \
    X(code_kernel, kernel_info, gcnsim_code_kernel_sized(asked.code, 0, s, bytes))                                     \
    X(code_kernel_arg, arg_info, gcnsim_code_kernel_arg_sized(asked.code, 0, 0, s, bytes))                             \
    X(code_symbol, symbol_info, gcnsim_code_symbol_sized(asked.code, 0, s, bytes))                                     \
    X(code_occupancy, occupancy, gcnsim_code_occupancy_sized(asked.code, 0, NULL, 0, 0, s, bytes, &error))             \
    X(profile_list, profile_info, gcnsim_profile_list_sized(0, s, bytes))                                              \
    X(profile_find, profile_info, gcnsim_profile_find_sized("gfx90a", s, bytes, &error))                               \
    X(isa_entry, isa_entry, gcnsim_isa_entry_sized(asked.disasm, 0, s, bytes))                                         \
    X(timeline_get_info, timeline_info, (gcnsim_timeline_get_info_sized(asked.timeline, s, bytes), 0))

#define X(NAME, STRUCT, CALL)                                                                                          \
    static int fill_##NAME(struct gcnsim_##STRUCT *s, size_t bytes)                                                    \
    {                                                                                                                  \
        return CALL;                                                                                                   \
    }                                                                                                                  \
    static void filled_##NAME(void)                                                                                    \
    {                                                                                                                  \
        const size_t own = sizeof(struct gcnsim_##STRUCT);                                                             \
        struct gcnsim_##STRUCT whole, part;                                                                            \
        assert_int_equal(fill_##NAME(&whole, own), GCNSIM_OK);                                                         \
        CLEAR_PADDING(&whole);                                                                                         \
        for (size_t bytes = 0; bytes <= own + 40; bytes += 8) {                                                        \
            uint8_t *s = place(bytes);                                                                                 \
            assert_int_equal(fill_##NAME((void *)s, bytes), GCNSIM_OK);                                                \
            assert_int_equal(s[-1], 0xaa);                                                                             \
            memcpy(&part, &whole, own);                                                                                \
            memcpy(&part, s, bytes < own ? bytes : own);                                                               \
            CLEAR_PADDING(&part);                                                                                      \
            assert_memory_equal(&part, &whole, own);                                                                   \
            for (size_t at = own; at < bytes; at++)                                                                    \
                assert_int_equal(s[at], 0);                                                                            \
        }                                                                                                              \
    }
FILLED(X)
#undef X

static void filled_structs(void **state)
{
    (void)state;
    assert_int_equal(gcnsim_open(&asked.sim, "gfx90a", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_code_open_file(&asked.code, "traces/samples/gfx90a/call.co", NULL, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_disasm_open(&asked.disasm, "gfx90a", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_timeline_open(&asked.timeline, "/tmp/gcnsim-filled.pftrace", NULL, &error), GCNSIM_OK);
#define X(NAME, STRUCT, CALL) filled_##NAME();
    FILLED(X)
#undef X
    gcnsim_timeline_close(asked.timeline, 0, NULL);
    gcnsim_disasm_close(asked.disasm);
    gcnsim_code_close(asked.code);
    gcnsim_close(asked.sim);
}

/* ---- all of them ---- */

/* Whether the functions of one of the tables above name it. */
static bool is_tested(const char *sized)
{
    char name[100];

    snprintf(name, sizeof name, "%.*s", (int)strlen(sized) - 6, sized); /* without _sized */
    for (size_t k = 0; k < KIND_COUNT; k++)
        if (strcmp(kinds[k].init, name) == 0)
            return true;
#define X(NAME, STRUCT, CALL)                                                                                          \
    if (strcmp(name, "gcnsim_" #NAME) == 0)                                                                            \
        return true;
    FILLED(X)
#undef X
    return false;
}

static void every_sized_function_is_tested(void **state)
{
    FILE *map = fopen("sim/api/gcnsim.map", "r");
    char line[200], name[100];
    size_t sized = 0;

    (void)state;
    assert_non_null(map);
    while (fgets(line, sizeof line, map)) {
        const char *end = strstr(line, "_sized;");
        if (!end || sscanf(line, " %99[a-z0-9_]", name) != 1)
            continue;
        sized++;
        if (!is_tested(name))
            fail_msg("%s is in none of the tables", name);
    }
    fclose(map);
    assert_true(sized > KIND_COUNT);
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

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int status = GCNSIM_OK; status <= GCNSIM_ERROR_RUN_LIMIT; status++) {
        assert_string_not_equal(gcnsim_status_text(status), gcnsim_status_text(-1));
        for (int other = GCNSIM_OK; other < status; other++)
            assert_string_not_equal(gcnsim_status_text(status), gcnsim_status_text(other));
    }
    assert_string_equal(gcnsim_status_text(GCNSIM_ERROR_FORMAT), "malformed input");
    assert_string_equal(gcnsim_status_text(-1), "unknown status");
    assert_string_equal(gcnsim_status_text(GCNSIM_ERROR_RUN_LIMIT + 1), "unknown status");
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
        cmocka_unit_test(every_sized_function_is_tested),
        cmocka_unit_test(members_that_are_there),
        cmocka_unit_test(versions),
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(the_inline_functions),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

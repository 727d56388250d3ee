/* Metadata of code object v2: what clang 14 writes, every key, and documents that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/loader/metadata_v2.h"

static struct co_metadata *read_text(const char *text, size_t size, struct err *e)
{
    struct co_metadata *m;
    struct budget budget;
    uint8_t *exact = malloc(size + !size); /* for ASan */

    budget_init(&budget, 1 << 22);
    memcpy(exact, text, size);
    int failed = co_metadata_v2_read(&m, exact, size, &budget, e);
    free(exact);
    assert_int_equal(failed != 0, m == NULL);
    if (!failed) { /* what the first one held goes with it; the second is of nobody's budget */
        co_metadata_free(m);
        assert_int_equal(co_metadata_v2_read(&m, (const uint8_t *)text, size, NULL, NULL), 0);
    }
    assert_int_equal(budget.held, 0);
    return m;
}

static struct co_metadata *read_file(const char *path)
{
    char text[8192];
    struct err e = {0};
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    struct co_metadata *m = read_text(text, n, &e);
    if (!m)
        fail_msg("%s", e.text);
    return m;
}

/* tests/system/kernels/v2.cl */
static void what_clang_writes(void **state)
{
    struct co_metadata *m = read_file("tests/fuzz/corpus/metadata/v2.yaml");
    (void)state;

    assert_int_equal(m->version_major, 1);
    assert_int_equal(m->kernel_count, 2);
    const struct co_kernel_metadata *k = &m->kernels[0];
    assert_string_equal(k->name, "calls");
    assert_string_equal(k->symbol, "calls");
    assert_string_equal(k->language, "OpenCL C");
    assert_int_equal(k->language_version[0], 2);
    assert_int_equal(k->explicit_arg_count, 2);
    assert_string_equal(k->args[0].type_name, "int*");
    assert_int_equal(k->args[0].kind, CO_ARG_GLOBAL_BUFFER);
    assert_int_equal(k->args[0].address_space, CO_AS_GLOBAL);
    assert_int_equal(k->args[0].access, CO_ACCESS_NONE); /* Default */
    assert_int_equal(k->args[1].offset, 8);
    k = &m->kernels[1];
    assert_string_equal(k->name, "mixes");
    assert_int_equal(k->reqd_workgroup_size[0], 64);
    assert_int_equal(k->explicit_arg_count, 6);
    static const uint32_t offsets[6] = {0, 8, 16, 32, 36, 48}, sizes[6] = {8, 8, 16, 4, 1, 16};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(k->args[i].offset, offsets[i]);
        assert_int_equal(k->args[i].size, sizes[i]);
    }
    assert_true(k->args[1].is_const);
    assert_int_equal(k->args[3].kind, CO_ARG_DYNAMIC_SHARED_POINTER);
    assert_int_equal(k->args[3].pointee_align, 1);
    assert_int_equal(k->wavefront_size, 64);
    assert_int_equal(k->max_flat_workgroup_size, 64);
    assert_int_equal(k->group_segment_fixed_size, 256);
    assert_int_equal(k->kernarg_segment_align, 16);
    co_metadata_free(m);
}

static void every_key(void **state)
{
    struct co_metadata *m = read_file("tests/fuzz/corpus/metadata/v2_all_keys.yaml");
    const struct co_kernel_metadata *k = &m->kernels[0];
    (void)state;

    assert_int_equal(m->printf_count, 2);
    assert_string_equal(m->printf_formats[0], "1:1:4:it's %d\\n"); /* no escapes between single quotes */
    assert_string_equal(m->printf_formats[1], "2:0:A\t\"b\"");
    assert_int_equal(m->kernel_count, 1);
    assert_null(k->refused);
    assert_string_equal(k->vec_type_hint, "float4");
    assert_true(k->has_workgroup_size_hint && !k->has_reqd_workgroup_size);
    assert_int_equal(k->workgroup_size_hint[1], 8);
    assert_string_equal(k->args[0].name, "x");
    assert_string_equal(k->args[0].type_name, "a::b*");
    assert_int_equal(k->args[0].address_space, CO_AS_GENERIC);
    assert_int_equal(k->args[0].access, CO_ACCESS_READ_WRITE);
    assert_int_equal(k->args[0].actual_access, CO_ACCESS_WRITE_ONLY);
    assert_true(k->args[0].is_restrict && k->args[0].is_volatile && !k->args[0].is_const && !k->args[0].is_pipe);
    assert_int_equal(k->args[1].kind, CO_ARG_HIDDEN_MULTIGRID_SYNC_ARG);
    assert_int_equal(k->explicit_arg_count, 1);
    assert_int_equal(k->sgpr_spill_count, 2);
    assert_int_equal(k->vgpr_spill_count, 1);
    /* what is left out */
    assert_int_equal(k->wavefront_size, 64);
    assert_int_equal(k->max_flat_workgroup_size, 256);
    assert_int_equal(k->kernarg_segment_align, 8);
    co_metadata_free(m);
}

static void hidden_arguments(void **state)
{
    static const char *const words[] = {"HiddenGlobalOffsetX", "HiddenGlobalOffsetY",   "HiddenGlobalOffsetZ",
                                        "HiddenNone",          "HiddenPrintfBuffer",    "HiddenHostcallBuffer",
                                        "HiddenDefaultQueue",  "HiddenCompletionAction"};
    char text[2000] = "---\nVersion: [ 1, 0 ]\nKernels:\n  - Name: k\n    SymbolName: k@kd\n    Args:\n";
    struct err e = {0};
    (void)state;

    for (unsigned i = 0; i < 8; i++)
        sprintf(text + strlen(text), "      - Size: 8\n        Align: 8\n        ValueKind: %s\n", words[i]);
    struct co_metadata *m = read_text(text, strlen(text), &e);
    assert_non_null(m);
    assert_int_equal(m->kernels[0].arg_count, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(m->kernels[0].args[i].kind, CO_ARG_HIDDEN_GLOBAL_OFFSET_X + i);
    assert_int_equal(m->kernels[0].kernarg_segment_size, 64);
    co_metadata_free(m);
}

static void refused(const char *text, const char *part)
{
    struct err e = {0};

    assert_null(read_text(text, strlen(text), &e));
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
}

static void documents_that_are_none(void **state)
{
    char deep[400] = "";
    (void)state;

    refused("", "expected a map");
    refused("- a\n- b\n", "expected a map");
    refused("word", "expected a map");
    refused("---\na: 1\n  b: 2\n", "line 3: expected a key as far left");
    refused("a: 1\nword\n", "line 2: expected KEY: VALUE");
    refused("a: 'b\n", "line 1: a quote that is not closed");
    refused("a: \"b\\q\"\n", "line 1: an escape sequence");
    refused("a: \"b\\x0g\"\n", "line 1: an escape sequence");
    refused("a: \"b\\0\"\n", "line 1: an escape sequence");
    refused("a: 'b' c\n", "line 1: text behind a quoted value");
    refused("a: [ 1, 2\n", "line 1: a bracket that is not closed");
    refused("a: [ 'x' y ]\n", "line 1: text behind a quoted value");
    refused("a: {b: c}\n", "line 1: a kind of value");
    refused("a: |\n  text\n", "line 1: a kind of value");
    refused("Kernels:\n", "amdhsa.version");
    refused("Version: 1\n", "amdhsa.version: expected an array of 2");
    refused("Version: [ 2, 0 ]\n", "amdhsa.version is 2.0, expected 1.x");
    refused("Version: [ 1, 0 ]\nKernels:\n  - Name: k\n", "has no key .symbol");
    for (unsigned i = 0; i < 20; i++)
        sprintf(deep + strlen(deep), "%*sa:\n", (int)i, "");
    refused(deep, "nested too deep");
    struct err e = {0};
    assert_null(read_text("a: \0b", 5, &e));
    assert_non_null(strstr(e.text, "offset 3: a zero byte"));
}

/* A flaw of one kernel is that kernel's. */
static void kernels_are_refused_alone(void **state)
{
    static const char text[] = "Version: [ 1, 0 ]\nKernels:\n"
                               "- Name: a\n  SymbolName: 'a@kd'\n  Args:\n  - Size: many\n    ValueKind: ByValue\n"
                               "- Name: b\n  SymbolName: 'b@kd'\n  Args:\n  - Size: 4\n    ValueKind: Strange\n"
                               "- Name: c\n  SymbolName: 'c@kd'\n  CodeProps:\n    WavefrontSize: 48\n"
                               "- Name: d\n  SymbolName: 'd@kd'\n";
    struct err e = {0};
    struct co_metadata *m = read_text(text, sizeof text - 1, &e);
    (void)state;

    assert_non_null(m);
    assert_int_equal(m->kernel_count, 4);
    assert_non_null(strstr(m->kernels[0].refused, "amdhsa.kernels[0].args[0].size: expected a non-negative"));
    assert_non_null(strstr(m->kernels[1].refused, "\"strange\" is not a kind of argument"));
    assert_non_null(strstr(m->kernels[2].refused, ".wavefront_size: expected 32 or 64"));
    assert_null(m->kernels[3].refused);
    co_metadata_free(m);
}

/* Each byte of a document replaced, and each length of it: refused or read, and never more. */
static void damage_never_crashes(void **state)
{
    static const char with[] = {0, '\n', ' ', '\'', '[', ':', '-', '"', (char)0xff};
    char text[8192], changed[8192];
    struct co_metadata *m;
    FILE *f = fopen("tests/fuzz/corpus/metadata/v2_all_keys.yaml", "rb");
    (void)state;

    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    for (size_t at = 0; at < n; at++)
        for (unsigned k = 0; k < sizeof with; k++) {
            memcpy(changed, text, n);
            changed[at] = with[k];
            if (!co_metadata_v2_read(&m, (const uint8_t *)changed, k ? n : at, NULL, NULL))
                co_metadata_free(m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_clang_writes),         cmocka_unit_test(every_key),
        cmocka_unit_test(hidden_arguments),          cmocka_unit_test(documents_that_are_none),
        cmocka_unit_test(kernels_are_refused_alone), cmocka_unit_test(damage_never_crashes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

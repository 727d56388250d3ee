/* Metadata notes, written by hand in MessagePack. */
#include "sim/loader/metadata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct pack {
    uint8_t b[2048];
    size_t n;
};

static void raw(struct pack *p, unsigned byte)
{
    p->b[p->n++] = (uint8_t)byte;
}

static void map(struct pack *p, unsigned n)
{
    raw(p, 0xde); /* map16 */
    raw(p, n >> 8);
    raw(p, n & 255);
}

static void array(struct pack *p, unsigned n)
{
    raw(p, 0x90 | n);
}

static void str(struct pack *p, const char *s)
{
    raw(p, 0xd9); /* str8 */
    raw(p, (unsigned)strlen(s));
    memcpy(p->b + p->n, s, strlen(s));
    p->n += strlen(s);
}

static void num(struct pack *p, uint64_t v)
{
    raw(p, 0xcf); /* uint64 */
    for (int i = 7; i >= 0; i--)
        raw(p, (unsigned)(v >> (8 * i) & 255));
}

static void key_num(struct pack *p, const char *key, uint64_t v)
{
    str(p, key);
    num(p, v);
}

static void key_str(struct pack *p, const char *key, const char *v)
{
    str(p, key);
    str(p, v);
}

/* The ten keys every kernel has. */
static void kernel_keys(struct pack *p, unsigned extra)
{
    map(p, 10 + extra);
    key_str(p, ".name", "k");
    key_str(p, ".symbol", "k.kd");
    key_num(p, ".kernarg_segment_size", 48);
    key_num(p, ".kernarg_segment_align", 8);
    key_num(p, ".group_segment_fixed_size", 512);
    key_num(p, ".private_segment_fixed_size", 16);
    key_num(p, ".wavefront_size", 64);
    key_num(p, ".sgpr_count", 20);
    key_num(p, ".vgpr_count", 30);
    key_num(p, ".max_flat_workgroup_size", 256);
}

static void root(struct pack *p, unsigned extra)
{
    p->n = 0;
    map(p, 1 + extra);
    str(p, "amdhsa.version");
    array(p, 2);
    num(p, 1);
    num(p, 2);
}

static void arg(struct pack *p, unsigned extra, const char *kind, unsigned offset, unsigned size)
{
    map(p, 3 + extra);
    key_num(p, ".offset", offset);
    key_num(p, ".size", size);
    key_str(p, ".value_kind", kind);
}

static struct co_metadata *read_ok(const struct pack *p)
{
    struct co_metadata *m;
    struct err e = {0};

    if (co_metadata_read(&m, p->b, p->n, NULL, &e))
        fail_msg("%s", e.text);
    return m;
}

static void refuse(const struct pack *p, const char *part)
{
    struct co_metadata *m;
    struct err e = {0};

    assert_int_not_equal(co_metadata_read(&m, p->b, p->n, NULL, &e), 0);
    assert_null(m);
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
}

/* The document is read, and its only kernel refused. */
static void refuse_kernel(const struct pack *p, const char *part)
{
    struct co_metadata *m = read_ok(p);

    assert_int_equal(m->kernel_count, 1);
    assert_string_equal(m->kernels[0].symbol, "k.kd");
    assert_non_null(m->kernels[0].refused);
    if (!strstr(m->kernels[0].refused, part))
        fail_msg("\"%s\" does not say \"%s\"", m->kernels[0].refused, part);
    co_metadata_free(m);
}

static void a_full_kernel_is_read(void **state)
{
    struct pack p;
    (void)state;

    root(&p, 4);
    key_str(&p, "amdhsa.target", "amdgcn-amd-amdhsa--gfx90a");
    str(&p, "amdhsa.printf");
    array(&p, 2);
    str(&p, "1:1:4:%d\\n");
    str(&p, "2:0:hello");
    key_str(&p, "amdhsa.of_the_future", "ignored");
    str(&p, "amdhsa.kernels");
    array(&p, 1);
    kernel_keys(&p, 13);
    key_num(&p, ".agpr_count", 7);
    key_num(&p, ".sgpr_spill_count", 8);
    key_num(&p, ".vgpr_spill_count", 9);
    key_str(&p, ".language", "OpenCL C");
    key_str(&p, ".kind", "init");
    str(&p, ".reqd_workgroup_size");
    array(&p, 3);
    num(&p, 64);
    num(&p, 2);
    num(&p, 1);
    str(&p, ".uses_dynamic_stack");
    raw(&p, 0xc3);
    key_num(&p, ".uniform_work_group_size", 1);
    str(&p, ".workgroup_processor_mode");
    raw(&p, 0xc2);
    str(&p, ".language_version");
    array(&p, 2);
    num(&p, 2);
    num(&p, 0);
    key_num(&p, ".max_num_workgroups_y", 12);
    str(&p, ".cluster_dims");
    array(&p, 3);
    num(&p, 2);
    num(&p, 3);
    num(&p, 0);
    str(&p, ".args");
    array(&p, 4);
    arg(&p, 6, "global_buffer", 0, 8);
    key_str(&p, ".name", "src");
    key_str(&p, ".type_name", "float*");
    key_str(&p, ".address_space", "global");
    key_str(&p, ".access", "read_only");
    str(&p, ".is_const");
    raw(&p, 0xc3);
    str(&p, ".is_restrict");
    raw(&p, 0xc3);
    arg(&p, 1, "dynamic_shared_pointer", 8, 4);
    key_num(&p, ".pointee_align", 16);
    arg(&p, 0, "hidden_block_count_x", 16, 4);
    arg(&p, 0, "hidden_of_the_future", 40, 8);

    struct co_metadata *m = read_ok(&p);
    assert_int_equal(m->version_major, 1);
    assert_int_equal(m->version_minor, 2);
    assert_string_equal(m->target, "amdgcn-amd-amdhsa--gfx90a");
    assert_int_equal(m->printf_count, 2);
    assert_string_equal(m->printf_formats[1], "2:0:hello");
    assert_int_equal(m->kernel_count, 1);
    const struct co_kernel_metadata *k = m->kernels;
    assert_string_equal(k->name, "k");
    assert_string_equal(k->symbol, "k.kd");
    assert_string_equal(k->language, "OpenCL C");
    assert_int_equal(k->language_version[0], 2);
    assert_int_equal(k->kind, CO_KERNEL_INIT);
    assert_int_equal(k->kernarg_segment_size, 48);
    assert_int_equal(k->kernarg_segment_align, 8);
    assert_int_equal(k->group_segment_fixed_size, 512);
    assert_int_equal(k->private_segment_fixed_size, 16);
    assert_int_equal(k->wavefront_size, 64);
    assert_int_equal(k->sgpr_count, 20);
    assert_int_equal(k->vgpr_count, 30);
    assert_int_equal(k->agpr_count, 7);
    assert_int_equal(k->sgpr_spill_count, 8);
    assert_int_equal(k->vgpr_spill_count, 9);
    assert_int_equal(k->max_flat_workgroup_size, 256);
    assert_true(k->has_reqd_workgroup_size && !k->has_workgroup_size_hint);
    assert_true(k->reqd_workgroup_size[0] == 64 && k->reqd_workgroup_size[1] == 2 && k->reqd_workgroup_size[2] == 1);
    assert_true(k->uses_dynamic_stack && k->uniform_work_group_size && k->has_uniform_work_group_size);
    assert_true(k->has_workgroup_processor_mode && !k->workgroup_processor_mode);
    assert_true(k->max_num_workgroups[0] == 0 && k->max_num_workgroups[1] == 12);
    assert_true(k->cluster_dims[0] == 2 && k->cluster_dims[1] == 3 && k->cluster_dims[2] == 0);
    assert_int_equal(k->arg_count, 4);
    assert_int_equal(k->explicit_arg_count, 2);
    assert_string_equal(k->args[0].name, "src");
    assert_string_equal(k->args[0].type_name, "float*");
    assert_int_equal(k->args[0].kind, CO_ARG_GLOBAL_BUFFER);
    assert_int_equal(k->args[0].address_space, CO_AS_GLOBAL);
    assert_int_equal(k->args[0].access, CO_ACCESS_READ_ONLY);
    assert_true(k->args[0].is_const && k->args[0].is_restrict && !k->args[0].is_volatile);
    assert_int_equal(k->args[1].kind, CO_ARG_DYNAMIC_SHARED_POINTER);
    assert_int_equal(k->args[1].pointee_align, 16);
    assert_int_equal(k->args[2].kind, CO_ARG_HIDDEN_BLOCK_COUNT_X);
    assert_int_equal(k->args[2].offset, 16);
    assert_int_equal(k->args[3].kind, CO_ARG_HIDDEN_UNKNOWN);
    assert_string_equal(k->args[3].kind_text, "hidden_of_the_future");
    co_metadata_free(m);

    /* cut anywhere, it is an error: never a crash, never half a document */
    for (size_t n = 0; n < p.n; n++) {
        struct err e = {0};
        assert_int_not_equal(co_metadata_read(&m, p.b, n, NULL, &e), 0);
        assert_non_null(strstr(e.text, "offset"));
    }
}

static void every_argument_kind_has_its_word(void **state)
{
    struct pack p;
    (void)state;

    for (int kind = 0; kind < CO_ARG_HIDDEN_UNKNOWN; kind++) {
        root(&p, 1);
        str(&p, "amdhsa.kernels");
        array(&p, 1);
        kernel_keys(&p, 1);
        str(&p, ".args");
        array(&p, 1);
        arg(&p, 0, co_arg_kind_text((enum co_arg_kind)kind), 40, 8);
        struct co_metadata *m = read_ok(&p);
        assert_int_equal(m->kernels[0].args[0].kind, kind);
        bool hidden = !strncmp(co_arg_kind_text((enum co_arg_kind)kind), "hidden_", 7);
        assert_int_equal(co_arg_is_hidden((enum co_arg_kind)kind), hidden);
        assert_int_equal(m->kernels[0].explicit_arg_count, !hidden);
        co_metadata_free(m);
    }
}

static void wrong_types_and_ranges_name_their_path(void **state)
{
    struct pack p = {.n = 0};
    (void)state;

    map(&p, 0);
    refuse(&p, "no key amdhsa.version");
    p.n = 0;
    array(&p, 0);
    refuse(&p, "expected a map");
    root(&p, 1);
    key_num(&p, "amdhsa.kernels", 1);
    refuse(&p, "amdhsa.kernels: expected an array");
    root(&p, 1);
    key_num(&p, "amdhsa.target", 1);
    refuse(&p, "amdhsa.target: expected a string");
    root(&p, 1);
    str(&p, "amdhsa.kernels");
    array(&p, 1);
    map(&p, 1);
    key_str(&p, ".name", "k");
    refuse(&p, "amdhsa.kernels[0] has no key .symbol");

    static const struct {
        const char *key, *text;
        uint64_t value;
    } numbers[] = {
        {".agpr_count", ".agpr_count is 5000, expected 0..1024", 5000},
        {".sgpr_spill_count", "expected 0..4294967295", UINT64_C(1) << 32},
        {".max_num_workgroups_x", "expected 1..4294967295", 0},
        {".reqd_workgroup_size", ".reqd_workgroup_size: expected an array of 3", 1},
        {".uses_dynamic_stack", "expected true, false, 0 or 1", 2},
        {".language", ".language: expected a string", 2},
        {".kind", ".kind: expected a string", 2},
        {".args", ".args: expected an array", 2},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        root(&p, 1);
        str(&p, "amdhsa.kernels");
        array(&p, 1);
        kernel_keys(&p, 1);
        key_num(&p, numbers[i].key, numbers[i].value);
        refuse_kernel(&p, numbers[i].text);
    }
}

static void wrong_arguments_name_their_path(void **state)
{
    static const struct {
        const char *kind, *key, *value, *text;
        unsigned offset, size;
    } args[] = {
        {"by_value", ".name", "x", "args[1]: bytes 4294967295..8589934590 are outside any", 0xffffffff, 0xffffffff},
        {"by_magic", ".name", "x", "args[1].value_kind \"by_magic\"", 0, 8},
        {"by_value", ".address_space", "outer", "args[1].address_space is \"outer\"", 0, 8},
        {"by_value", ".access", "never", "args[1].access is \"never\"", 0, 8},
        {"by_value", ".pointee_align", "8", "args[1].pointee_align: expected a non-negative integer", 0, 8},
    };
    struct pack p;
    (void)state;

    for (size_t i = 0; i < sizeof args / sizeof args[0]; i++) {
        root(&p, 1);
        str(&p, "amdhsa.kernels");
        array(&p, 1);
        kernel_keys(&p, 1);
        str(&p, ".args");
        array(&p, 2);
        arg(&p, 0, "by_value", 0, 8);
        arg(&p, 1, args[i].kind, args[i].offset, args[i].size);
        key_str(&p, args[i].key, args[i].value);
        refuse_kernel(&p, args[i].text);
    }

    /* the launch binds the first explicit_arg_count of them (an input that fuzz_metadata found) */
    root(&p, 1);
    str(&p, "amdhsa.kernels");
    array(&p, 1);
    kernel_keys(&p, 1);
    str(&p, ".args");
    array(&p, 3);
    arg(&p, 0, "by_value", 0, 8);
    arg(&p, 0, "hidden_none", 8, 8);
    arg(&p, 0, "by_value", 16, 8);
    refuse_kernel(&p, "amdhsa.kernels[0].args[2]: an explicit argument behind hidden ones");
}

/* In the fmoe_bf16_blockscaleBf16_g1u1_ps_* of AMD's aiter the segment ends before the padding that is the last
 * argument. */
static void arguments_extend_the_segment(void **state)
{
    struct pack p;
    (void)state;

    root(&p, 1);
    str(&p, "amdhsa.kernels");
    array(&p, 1);
    kernel_keys(&p, 1);
    str(&p, ".args");
    array(&p, 3);
    arg(&p, 0, "by_value", 0, 8);
    arg(&p, 0, "by_value", 48, 4);
    arg(&p, 0, "by_value", 40, 8);
    struct co_metadata *m = read_ok(&p);
    assert_null(m->kernels[0].refused);
    assert_int_equal(m->kernels[0].arg_count, 3);
    assert_int_equal(m->kernels[0].kernarg_segment_size, 52);
    co_metadata_free(m);
}

/* A header that states more elements than the document has must not lead to an allocation of that size. */
static void hostile_lengths_are_errors(void **state)
{
    static const struct {
        uint8_t b[8];
        const char *text;
    } docs[] = {
        {{0xdd, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "4294967295 children"},
        {{0xdf, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "8589934590 children"},
        {{0xdb, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "4294967295 bytes"},
        {{0xc6, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "4294967295 bytes"},
        {{0xc9, 0xff, 0xff, 0xff, 0xff, 0, 0, 0}, "4294967296 bytes"},
        {{0xc1, 0, 0, 0, 0, 0, 0, 0}, "0xc1"},
        {{0xc0, 0, 0, 0, 0, 0, 0, 0}, "after the document's end"},
    };
    struct pack p;
    (void)state;

    for (size_t i = 0; i < sizeof docs / sizeof docs[0]; i++) {
        memcpy(p.b, docs[i].b, 8);
        p.n = 8;
        refuse(&p, docs[i].text);
    }
    memset(p.b, 0x91, 100); /* an array in an array in ... */
    p.n = 100;
    refuse(&p, "nested deeper");
    root(&p, 1); /* a zero byte within a name */
    str(&p, "amdhsa.target");
    raw(&p, 0xa3);
    raw(&p, 'a');
    raw(&p, 0);
    raw(&p, 'b');
    refuse(&p, "without zero bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_kernel_is_read),
        cmocka_unit_test(every_argument_kind_has_its_word),
        cmocka_unit_test(wrong_types_and_ranges_name_their_path),
        cmocka_unit_test(wrong_arguments_name_their_path),
        cmocka_unit_test(arguments_extend_the_segment),
        cmocka_unit_test(hostile_lengths_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

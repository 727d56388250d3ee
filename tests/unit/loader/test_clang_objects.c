/* Code objects as clang-19 and clang-offload-bundler-19 make them; the rest of the loader's tests need no tools.
 *
 * What is expected was written down from the source below and AMD's ABI, not from what the loader said. */
#include "sim/loader/code_object.h"
#include "sim/util/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/toolchain.h"

static const char source[] =
    "constant int table[4] = {1, 2, 3, 4};\n"
    "global int counter = 7;\n"
    "global int *pointer = &counter;\n"
    "__attribute__((visibility(\"default\"))) global int exported[3];\n"
    "#define LID __builtin_amdgcn_workitem_id_x()\n"
    "#define GID (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + LID)\n"
    "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void\n"
    "add(global const float *restrict a, global const float *b, global float *c, unsigned n, local int *l)\n"
    "{ unsigned i = GID; if (i < n) c[i] = a[i] + b[i] + table[i & 3]; l[i] = *pointer; exported[1] = i; }\n"
    "kernel void staged(global int *p, short n, float4 v)\n"
    "{ local int buf[64]; buf[LID] = n; __builtin_amdgcn_s_barrier(); p[GID] = buf[63 - LID] + (int)v.x; }\n";

static const char bare_source[] = "\t.text\n\t.globl bare\n\t.p2align 8\n\t.type bare,@function\n"
                                  "bare:\n\ts_endpgm\n.Lend:\n\t.size bare, .Lend-bare\n"
                                  "\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel bare\n\t.amdhsa_next_free_vgpr 10\n"
                                  "\t.amdhsa_next_free_sgpr 20\n\t.amdhsa_group_segment_fixed_size 1000\n"
                                  "\t.end_amdhsa_kernel\n";

static void path_of(char out[128], const char *file)
{
    snprintf(out, 128, "%s/%s", program_folder(), file);
}

static void write_text(const char *file, const char *text)
{
    char path[128];

    path_of(path, file);
    FILE *fp = fopen(path, "w");
    assert_non_null(fp);
    assert_true(fputs(text, fp) >= 0);
    assert_int_equal(fclose(fp), 0);
}

static void run(const char *command)
{
    char line[1024];

    snprintf(line, sizeof line, "cd %s && (%s) >log 2>&1", program_folder(), command);
    if (system(line))
        fail_msg("failed: %s", line);
}

static int set_up(void **state)
{
    (void)state;
    write_text("k.cl", source);
    write_text("bare.s", bare_source);
    return 0;
}

static void need(const char *tool)
{
    char line[160];

    snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", tool);
    if (system(line)) {
        printf("SKIPPED: %s is not installed\n", tool);
        skip();
    }
}

static void compile(const char *target, int version, const char *out)
{
    char line[512];

    snprintf(line, sizeof line,
             "clang-19 -x cl -cl-std=CL2.0 -nogpulib --target=amdgcn-amd-amdhsa -mcpu=%s -mcode-object-version=%d -O2 "
             "k.cl -o %s",
             target, version, out);
    run(line);
}

static void compile_only(const char *target, const char *out)
{
    char line[512];

    snprintf(line, sizeof line,
             "clang-19 -c -x cl -cl-std=CL2.0 -nogpulib --target=amdgcn-amd-amdhsa -mcpu=%s -O2 k.cl -o %s", target,
             out);
    run(line);
}

static struct code_object *open_ok(const char *file, const char *want)
{
    struct code_object *co;
    struct err e = {0};
    char path[128];

    path_of(path, file);
    if (code_object_open_file(&co, path, want, NULL, &e))
        fail_msg("%s", e.text);
    return co;
}

static const struct co_arg *find_arg(const struct co_kernel *k, enum co_arg_kind kind)
{
    for (unsigned i = 0; i < k->metadata->arg_count; i++)
        if (k->metadata->args[i].kind == kind)
            return &k->metadata->args[i];
    return NULL;
}

static void check_arguments(const struct code_object *co, int version)
{
    struct err e = {0};
    const struct co_kernel *add = code_object_find_kernel(co, "add", &e);
    const struct co_kernel *staged = code_object_find_kernel(co, "staged", &e);

    assert_non_null(add);
    assert_non_null(staged);
    const struct co_kernel_metadata *m = add->metadata;
    assert_int_equal(m->explicit_arg_count, 5);
    assert_int_equal(m->args[0].kind, CO_ARG_GLOBAL_BUFFER);
    assert_string_equal(m->args[0].type_name, "float*");
    assert_true(m->args[0].is_const && m->args[0].is_restrict && m->args[0].address_space == CO_AS_GLOBAL);
    assert_int_equal(m->args[3].kind, CO_ARG_BY_VALUE);
    assert_true(m->args[3].offset == 24 && m->args[3].size == 4);
    assert_int_equal(m->args[4].kind, CO_ARG_DYNAMIC_SHARED_POINTER);
    assert_true(m->args[4].offset == 28 && m->args[4].address_space == CO_AS_LOCAL && m->args[4].pointee_align == 4);
    assert_true(m->has_reqd_workgroup_size && m->reqd_workgroup_size[0] == 64 && m->reqd_workgroup_size[2] == 1);
    assert_string_equal(m->language, "OpenCL C");
    assert_int_equal(add->descriptor.kernarg_size, m->kernarg_segment_size);

    assert_int_equal(staged->descriptor.group_segment_fixed_size, 256);
    assert_int_equal(staged->metadata->group_segment_fixed_size, 256);
    assert_true(staged->metadata->args[1].size == 2 && staged->metadata->args[1].offset == 8);
    assert_true(staged->metadata->args[2].size == 16 && staged->metadata->args[2].offset == 16);
    if (version == 4) /* the workgroup's size comes from the dispatch packet */
        assert_true(staged->descriptor.enable_sgpr_dispatch_ptr);
    else /* hidden arguments begin at the next multiple of 8 after 32; group sizes stand 12 bytes in */
        assert_int_equal(find_arg(staged, CO_ARG_HIDDEN_GROUP_SIZE_X)->offset, 32 + 12);
}

/* The pointer holds the counter's address and the got entry the exported array's. */
static void check_image(const struct code_object *co)
{
    const uint64_t base = UINT64_C(0x100000000);
    struct co_image_info info;
    struct err e = {0};
    const struct co_symbol *counter = code_object_find_symbol(co, "counter");
    const struct co_symbol *pointer = code_object_find_symbol(co, "pointer");
    const struct co_symbol *exported = code_object_find_symbol(co, "exported");
    const struct co_symbol *table = code_object_find_symbol(co, "table");

    assert_true(counter && pointer && exported && table);
    assert_true(counter->kind == CO_SYMBOL_DATA && counter->size == 4 && exported->size == 12);
    code_object_image_info(co, &info);
    uint8_t *image = calloc(1, info.size);
    if (code_object_image(co, image, info.size, base, &e))
        fail_msg("%s", e.text);
    assert_int_equal(load_u32(image + counter->vaddr - info.base_vaddr), 7);
    assert_true(load_u64(image + pointer->vaddr - info.base_vaddr) == code_object_address(co, base, counter->vaddr));
    assert_int_equal(load_u32(image + table->vaddr - info.base_vaddr + 8), 3);
    uint64_t want = code_object_address(co, base, exported->vaddr);
    bool found = false;
    for (uint64_t at = 0; at + 8 <= info.size && !found; at += 8)
        found = load_u64(image + at) == want;
    assert_true(found);
    free(image);
}

static void every_target_and_version_opens(void **state)
{
    static const char *const targets[] = {"gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",
                                          "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1200", "gfx1201"};
    (void)state;

    NEED_CLANG();
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        int version = 4 + (int)(i % 3);
        compile(targets[i], version, "k.so");
        struct code_object *co = open_ok("k.so", targets[i]);
        assert_string_equal(code_object_target(co)->name, targets[i]);
        assert_int_equal(code_object_version(co), version);
        assert_int_equal(code_object_kernel_count(co), 2);
        assert_int_equal(code_object_text_count(co), 1);
        bool wave32 = code_object_target(co)->family >= CO_GFX10;
        assert_int_equal(code_object_kernel(co, 0)->descriptor.enable_wavefront_size32, wave32);
        check_arguments(co, version);
        check_image(co);
        for (unsigned k = 0; k < 2; k++) {
            const struct co_kernel *kernel = code_object_kernel(co, k);
            struct co_rsrc r;
            co_rsrc_decode(&r, code_object_target(co)->family, wave32, kernel->descriptor.compute_pgm_rsrc1,
                           kernel->descriptor.compute_pgm_rsrc2, kernel->descriptor.compute_pgm_rsrc3);
            assert_true(r.vgprs >= kernel->metadata->vgpr_count && r.vgprs < kernel->metadata->vgpr_count + 8);
            assert_true(r.sgprs >= kernel->metadata->sgpr_count);
            assert_true(r.float_denorm_16_64 == 3 && r.enable_sgpr_workgroup_id_x && r.vgpr_workitem_id == 0);
            assert_true(kernel->code_bytes > 64 && kernel->entry_vaddr % 256 == 0);
        }
        code_object_close(co);
    }
}

static void features_and_generic_targets_are_named(void **state)
{
    static const char *const targets[] = {"gfx90a:sramecc+:xnack-", "gfx942:sramecc-:xnack+", "gfx906:xnack-"};
    char text[CO_TARGET_TEXT];
    (void)state;

    NEED_CLANG();
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        compile(targets[i], 5, "f.so");
        struct code_object *co = open_ok("f.so", NULL);
        co_target_format(code_object_target(co), text);
        assert_string_equal(text, targets[i]);
        code_object_close(co);
    }
    compile("gfx11-generic", 6, "g.so");
    struct code_object *co = open_ok("g.so", "gfx1103");
    assert_string_equal(code_object_target(co)->name, "gfx11-generic");
    assert_int_equal(code_object_target(co)->generic_version, 1);
    code_object_close(co);
}

static void stripped_objects_keep_their_kernels(void **state)
{
    (void)state;
    NEED_CLANG();
    need("llvm-strip-19");
    compile("gfx1201", 5, "s.so");
    run("llvm-strip-19 s.so");
    struct code_object *co = open_ok("s.so", NULL);
    check_arguments(co, 5);
    assert_null(code_object_find_symbol(co, "counter")); /* it was local */
    assert_non_null(code_object_find_symbol(co, "exported"));
    code_object_close(co);
}

static void bare_assembly_has_a_descriptor_only(void **state)
{
    (void)state;
    NEED_CLANG();
    run("clang-19 --target=amdgcn-amd-amdhsa -mcpu=gfx803 bare.s -o bare.so");
    struct code_object *co = open_ok("bare.so", NULL);
    struct err e = {0};
    const struct co_kernel *k = code_object_find_kernel(co, "bare", &e);
    assert_non_null(k);
    assert_null(k->metadata);
    assert_int_equal(k->descriptor.group_segment_fixed_size, 1000);
    struct co_rsrc r;
    co_rsrc_decode(&r, CO_GFX8, false, k->descriptor.compute_pgm_rsrc1, k->descriptor.compute_pgm_rsrc2, 0);
    assert_int_equal(r.vgprs, 12);
    assert_true(r.sgprs >= 24);
    code_object_close(co);
    char path[128];
    run("sed '/p2align 6/d' bare.s >crooked.s && clang-19 --target=amdgcn-amd-amdhsa -mcpu=gfx803 crooked.s -o "
        "crooked.so");
    path_of(path, "crooked.so");
    assert_int_equal(code_object_open_file(&co, path, NULL, NULL, &e), 0);
    assert_non_null(strstr(code_object_kernel(co, 0)->refused, "at a multiple of 64 (.p2align 6)"));
    code_object_close(co);
    run("clang-19 -c --target=amdgcn-amd-amdhsa -mcpu=gfx803 bare.s -o bare.o");
    path_of(path, "bare.o");
    assert_int_equal(code_object_open_file(&co, path, NULL, NULL, &e), 0);
    assert_null(code_object_kernel(co, 0)->refused);
    code_object_close(co);
}

static void bundles_open_plain_and_compressed(void **state)
{
    static const char *const options[] = {"", "--compress"};
    char line[512];
    (void)state;

    NEED_CLANG();
    need("clang-offload-bundler-19");
    compile("gfx90a:xnack-", 5, "a.so");
    compile("gfx1201", 5, "b.so");
    write_text("empty", "");
    for (size_t i = 0; i < 2; i++) {
        snprintf(line, sizeof line,
                 "clang-offload-bundler-19 -type=o -input=empty -input=a.so -input=b.so -output=bundle -targets="
                 "host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-,hipv4-amdgcn-amd-amdhsa--gfx1201 %s",
                 options[i]);
        run(line);
        struct code_object *co = open_ok("bundle", "gfx1201");
        assert_string_equal(code_object_bundle_id(co), "hipv4-amdgcn-amd-amdhsa--gfx1201");
        check_arguments(co, 5);
        check_image(co);
        code_object_close(co);
        co = open_ok("bundle", "gfx90a");
        assert_int_equal(code_object_target(co)->xnack, CO_FEATURE_OFF);
        code_object_close(co);
        struct err e = {0};
        char path[128];
        path_of(path, "bundle");
        assert_int_not_equal(code_object_open_file(&co, path, NULL, NULL, &e), 0);
        assert_non_null(strstr(e.text, "2 code objects fit"));
    }
}

static void relocatable_objects_are_linked(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx90a", "gfx1030", "gfx1201"};
    (void)state;

    NEED_CLANG();
    for (unsigned i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        compile_only(targets[i], "k.o");
        struct code_object *co = open_ok("k.o", targets[i]);
        check_arguments(co, 5);
        check_image(co);
        code_object_close(co);
    }
}

/* Real objects have tables the hand-written ones lack (hashes, dynamic section, padding). */
static void damage_real_object(const char *file)
{
    static uint8_t bytes[1 << 16];
    char path[128];
    uint64_t seed = 7;

    path_of(path, file);
    FILE *fp = fopen(path, "rb");
    assert_non_null(fp);
    size_t n = fread(bytes, 1, sizeof bytes, fp);
    fclose(fp);
    assert_true(n > 2000 && n < sizeof bytes);
    for (unsigned i = 0; i < 6000 + n; i++) {
        size_t len = i < n ? i : n;
        uint8_t *copy = malloc(len ? len : 1);
        struct code_object *co;
        struct err e = {0};
        memcpy(copy, bytes, len);
        for (unsigned flips = 0; i >= n && flips <= i % 3; flips++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[(seed >> 36) % n] ^= (uint8_t)(1u << (seed >> 33) % 8);
        }
        if (code_object_open(&co, copy, len, "damaged", NULL, NULL, &e)) {
            assert_true(e.code != ERR_NONE && e.text[0]);
        } else {
            struct co_image_info info;
            assert_true(i >= n); /* a shortened file is never whole */
            code_object_image_info(co, &info);
            uint8_t *image = info.size < 1u << 24 ? calloc(1, info.size) : NULL;
            if (image && code_object_image(co, image, info.size, info.align, &e))
                assert_true(e.text[0]);
            free(image);
            code_object_close(co);
        }
        free(copy);
    }
}

static void damage_to_a_real_object_never_crashes(void **state)
{
    (void)state;
    NEED_CLANG();
    compile("gfx90a", 5, "d.so");
    damage_real_object("d.so");
    compile_only("gfx90a", "d.o");
    damage_real_object("d.o");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target_and_version_opens),
        cmocka_unit_test(features_and_generic_targets_are_named),
        cmocka_unit_test(stripped_objects_keep_their_kernels),
        cmocka_unit_test(bare_assembly_has_a_descriptor_only),
        cmocka_unit_test(bundles_open_plain_and_compressed),
        cmocka_unit_test(relocatable_objects_are_linked),
        cmocka_unit_test(damage_to_a_real_object_never_crashes),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}

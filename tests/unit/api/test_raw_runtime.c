/* What a runtime of its own asks of raw launches: partial workgroups, kernel descriptors, decoded code and lists of
 * memory that launches share, memory at other addresses. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

/* out[id] = id; out in s[0:1], workgroup in s2, 64 items each */
static const char ids[] =
    "s_lshl_b32 s2, s2, 6; v_add_u32 v1, s2, v0; v_lshlrev_b32 v2, 2, v1; global_store_dword v2, v1, s[0:1]; "
    "s_endpgm";
/* out[i] = user SGPR i; the kernarg pointer is in s[8:9] and points to out's address */
static const char user_sgprs[] =
    "s_load_dwordx2 s[20:21], s[8:9], 0x0; s_waitcnt lgkmcnt(0); v_mov_b32 v1, s0; "
    "global_store_dword v0, v1, s[20:21]; v_mov_b32 v1, s1; global_store_dword v0, v1, s[20:21] offset:4; "
    "v_mov_b32 v1, s2; global_store_dword v0, v1, s[20:21] offset:8; v_mov_b32 v1, s3; "
    "global_store_dword v0, v1, s[20:21] offset:12; v_mov_b32 v1, s4; global_store_dword v0, v1, s[20:21] offset:16; "
    "v_mov_b32 v1, s5; global_store_dword v0, v1, s[20:21] offset:20; v_mov_b32 v1, s6; "
    "global_store_dword v0, v1, s[20:21] offset:24; v_mov_b32 v1, s7; global_store_dword v0, v1, s[20:21] offset:28; "
    "v_mov_b32 v1, s8; global_store_dword v0, v1, s[20:21] offset:32; v_mov_b32 v1, s9; "
    "global_store_dword v0, v1, s[20:21] offset:36; v_mov_b32 v1, s10; global_store_dword v0, v1, s[20:21] offset:40; "
    "v_mov_b32 v1, s11; global_store_dword v0, v1, s[20:21] offset:44; v_mov_b32 v1, s12; "
    "global_store_dword v0, v1, s[20:21] offset:48; v_mov_b32 v1, s13; global_store_dword v0, v1, s[20:21] offset:52; "
    "v_mov_b32 v1, s14; global_store_dword v0, v1, s[20:21] offset:56; s_endpgm";
/* out[0..2] = s2, s3, s4, behind 256 bytes for firmware without preload; gfx942 */
static const char preloaded[] =
    "v_mov_b32 v0, 0; v_mov_b32 v1, s2; global_store_dword v0, v1, s[0:1]; v_mov_b32 v1, s3; "
    "global_store_dword v0, v1, s[0:1] offset:4; v_mov_b32 v1, s4; global_store_dword v0, v1, s[0:1] offset:8; "
    "s_endpgm";
/* p[1] = p[0] + 1; p in s[0:1] */
static const char next_of[] =
    "s_load_dword s3, s[0:1], 0x0; v_mov_b32 v0, 0; s_waitcnt lgkmcnt(0); s_add_u32 s3, s3, 1; v_mov_b32 v1, s3; "
    "global_store_dword v0, v1, s[0:1] offset:4; s_endpgm";

static struct assembled code_of(const char *text)
{
    return assemble("gfx90a", text);
}

/* RSRC1 with 8 VGPRs and 32 SGPRs, denormals kept; RSRC2 with n user SGPRs and workgroup id x */
#define RSRC1    (0u | 3u << 6 | 0xf0u << 12)
#define RSRC2(N) ((N) << 1 | 1u << 7)

static uint64_t at(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static void set_up(struct gcnsim_raw *r, const uint32_t *code, size_t bytes, const void *out)
{
    gcnsim_raw_init(r);
    r->target = "gfx90a";
    r->entry = r->code_base = at(code);
    r->code_size = bytes;
    r->wave_size = 64;
    r->compute_pgm_rsrc1 = RSRC1;
    r->compute_pgm_rsrc2 = RSRC2(2);
    r->kernarg_address = at(out);
}

static struct gcnsim *open_simulator(const char *profile)
{
    struct gcnsim_error error;
    struct gcnsim *sim;

    if (gcnsim_open(&sim, profile, &error))
        fail_msg("%s", error.text);
    return sim;
}

static struct gcnsim_result *run(struct gcnsim *sim, const struct gcnsim_raw *r)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;

    if (gcnsim_launch_raw(sim, r, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

static void completes(struct gcnsim *sim, const struct gcnsim_raw *r)
{
    struct gcnsim_result *result = run(sim, r);

    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s", result->message);
    gcnsim_result_free(result);
}

static void refused(struct gcnsim *sim, const struct gcnsim_raw *r, const char *part)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;

    if (gcnsim_launch_raw(sim, r, &result, &error) == GCNSIM_OK)
        fail_msg("accepted; expected '%s'", part);
    if (!strstr(error.text, part))
        fail_msg("'%s' lacks '%s'", error.text, part);
}

/* 150 work-items are two workgroups and 22 items of a third. */
static void partial_workgroups(void **state)
{
    struct gcnsim *sim = open_simulator("gfx90a");
    uint32_t out[192];
    struct gcnsim_raw r;

    (void)state;
    for (int engine = 0; engine < 2; engine++) {
        set_up(&r, BYTES("gfx90a", ids), out);
        r.engine = engine ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        r.workgroup_size[0] = 64;
        r.grid_size[0] = 150;
        r.grid_size[1] = r.grid_size[2] = 1;
        memset(out, 0xff, sizeof out);
        struct gcnsim_result *result = run(sim, &r);
        assert_int_equal(result->outcome, GCNSIM_COMPLETED);
        assert_int_equal(result->grid[0], 150);
        assert_int_equal(result->workgroups, 3);
        for (uint32_t i = 0; i < 192; i++)
            assert_int_equal(out[i], i < 150 ? i : UINT32_MAX);
        gcnsim_result_free(result);
    }
    r.grid_size[1] = 0;
    refused(sim, &r, "grid size y is 0");
    r.grid_size[1] = 1;
    r.grid_size[0] = 63;
    refused(sim, &r, "grid size x is 63");
    gcnsim_close(sim);
}

/* ---- kernel descriptors ---- */

struct descriptor {
    uint32_t group, private, kernarg, zero;
    int64_t entry;
    uint32_t zeros[5], rsrc3, rsrc1, rsrc2;
    uint16_t properties, preload;
    uint32_t more_zeros;
};
_Static_assert(sizeof(struct descriptor) == 64, "as hardware has it");

#define ALL_USER_SGPRS 0x7fu

static void all_user_sgprs(void **state)
{
    struct gcnsim *sim = open_simulator(NULL);
    uint32_t out[15] = {0};
    uint64_t kernarg = at(out);
    struct descriptor d = {.private = 16,
                           .group = 100,
                           .kernarg = 8,
                           .entry = (int64_t)(at(code_of(user_sgprs).word) - at(&d)),
                           .rsrc1 = RSRC1,
                           .rsrc2 = RSRC2(15) | 1,
                           .properties = ALL_USER_SGPRS};
    struct gcnsim_raw_kernel k;
    struct gcnsim_raw r;

    (void)state;
    gcnsim_raw_kernel_init(&k);
    k.descriptor = &d;
    k.descriptor_address = at(&d);
    k.dispatch_ptr = 0x111122223333;
    k.queue_ptr = 0x444455556666;
    k.kernarg_address = at(&kernarg);
    k.dispatch_id = 0x777788889999;
    k.private_segment_bytes = 32;
    gcnsim_raw_init(&r);
    r.target = "gfx90a";
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, NULL), GCNSIM_OK);
    assert_int_equal(r.entry, at(code_of(user_sgprs).word));
    assert_int_equal(r.wave_size, 64);
    assert_int_equal(r.lds_bytes, 100);
    assert_int_equal(r.scratch_bytes_per_lane, 32);
    assert_ptr_equal(r.kernel, &k);
    r.code_size = code_of(user_sgprs).words * 4;
    completes(sim, &r);
    uint64_t scratch = (uint64_t)(out[1] & 0xffff) << 32 | out[0];
    assert_true(scratch >= UINT64_C(0x800000000000)); /* gcnsim brings it */
    assert_int_equal(out[2], 2048);                   /* of one wave */
    assert_int_equal(out[4] | (uint64_t)out[5] << 32, k.dispatch_ptr);
    assert_int_equal(out[6] | (uint64_t)out[7] << 32, k.queue_ptr);
    assert_int_equal(out[8] | (uint64_t)out[9] << 32, k.kernarg_address);
    assert_int_equal(out[10] | (uint64_t)out[11] << 32, k.dispatch_id);
    assert_int_equal(out[12] | (uint64_t)out[13] << 32, scratch);
    assert_int_equal(out[14], 32);

    d.rsrc2 = RSRC2(14) | 1;
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, NULL), GCNSIM_OK);
    refused(sim, &r, "14 user SGPRs");
    gcnsim_close(sim);
}

static void preloaded_kernarg(void **state)
{
    struct gcnsim *sim = open_simulator(NULL);
    uint32_t *code = aligned_alloc(4096, 4096), out[3] = {0};
    struct {
        uint64_t out;
        uint32_t a, b, c;
    } kernarg = {at(out), 11, 22, 33};
    struct descriptor d = {
        .kernarg = 20, .entry = (int64_t)(at(code) - at(&d)), .rsrc1 = RSRC1, .rsrc2 = RSRC2(5), .preload = 5 | 0 << 7};
    struct gcnsim_raw_kernel k;
    struct gcnsim_raw r;

    (void)state;
    memset(code, 0, 4096);
    memcpy(code + 64, BYTES("gfx90a", preloaded));
    gcnsim_raw_kernel_init(&k);
    k.descriptor = &d;
    k.descriptor_address = at(&d);
    k.kernarg_address = at(&kernarg);
    gcnsim_raw_init(&r);
    r.target = "gfx942";
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, NULL), GCNSIM_OK);
    assert_int_equal(r.entry, at(code) + 256);
    r.code_base = at(code);
    r.code_size = 4096;
    completes(sim, &r);
    assert_int_equal(out[0], 11);
    assert_int_equal(out[1], 22);
    assert_int_equal(out[2], 33);
    struct gcnsim_range range = {.address = at(out), .bytes = sizeof out, .writable = 1};
    r.ranges = &range;
    r.range_count = 1;
    refused(sim, &r, "preload");
    gcnsim_close(sim);
    free(code);
}

static void bad_descriptors(void **state)
{
    struct descriptor d = {.zero = 1};
    struct gcnsim_raw_kernel k;
    struct gcnsim_error error;
    struct gcnsim_raw r;

    (void)state;
    gcnsim_raw_kernel_init(&k);
    gcnsim_raw_init(&r);
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "target and code are null"));
    r.target = "gfx90a";
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "descriptor is null"));
    k.descriptor = &d;
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, &error), GCNSIM_ERROR_FORMAT);
    k.struct_bytes = 8;
    assert_int_equal(gcnsim_raw_set_kernel(&r, &k, &error), GCNSIM_ERROR_USAGE);
    assert_null(r.kernel);
}

/* ---- shared by launches ---- */

#define LAUNCHES 200

struct launcher {
    pthread_t thread;
    const struct gcnsim_raw_code *code;
    uint32_t out[192];
    int failed;
};

static void *launch_often(void *ctx)
{
    struct launcher *l = ctx;
    struct gcnsim_result *result;
    struct gcnsim *sim;
    struct gcnsim_raw r;

    if (gcnsim_open(&sim, NULL, NULL))
        return NULL;
    for (int i = 0; i < LAUNCHES && !l->failed; i++) {
        set_up(&r, BYTES("gfx90a", ids), l->out);
        r.code = l->code;
        r.target = NULL;
        r.code_base = r.code_size = 0;
        r.workgroups[0] = 3;
        r.workgroup_size[0] = 64;
        r.threads = 2;
        memset(l->out, 0, sizeof l->out);
        l->failed = gcnsim_launch_raw(sim, &r, &result, NULL) || result->outcome != GCNSIM_COMPLETED;
        for (uint32_t k = 0; k < 192; k++)
            l->failed |= l->out[k] != k;
        if (result)
            gcnsim_result_free(result);
    }
    gcnsim_close(sim);
    return NULL;
}

static void code_of_several_simulators(void **state)
{
    struct launcher l[3] = {0};
    struct gcnsim_raw_code *code;

    (void)state;
    assert_int_equal(gcnsim_raw_code_open(&code, "gfx90a", at(code_of(ids).word), code_of(ids).words * 4, NULL),
                     GCNSIM_OK);
    for (int i = 0; i < 3; i++) {
        l[i].code = code;
        assert_int_equal(pthread_create(&l[i].thread, NULL, launch_often, &l[i]), 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(l[i].thread, NULL);
    for (int i = 0; i < 3; i++)
        assert_false(l[i].failed);
    gcnsim_raw_code_close(code);
    gcnsim_raw_code_close(NULL);
}

/* What is decoded stays so until the caller says that the bytes are others. */
static void code_that_changes(void **state)
{
    struct gcnsim *sim = open_simulator(NULL);
    uint32_t words[16], out[2] = {5, 0};
    struct gcnsim_result *before, *after;
    struct gcnsim_raw_code *code;
    struct gcnsim_raw r;

    (void)state;
    const size_t bytes = code_of(next_of).words * 4;
    assert_true(bytes <= sizeof words);
    memcpy(words, code_of(next_of).word, bytes);
    assert_int_equal(gcnsim_raw_code_open(&code, "gfx90a", at(words), bytes, NULL), GCNSIM_OK);
    set_up(&r, words, bytes, out);
    r.code = code;
    before = run(sim, &r);
    assert_int_equal(out[1], 6);
    words[4] += 0x100; /* s_add_u32 s3, s3, 2 */
    completes(sim, &r);
    assert_int_equal(out[1], 6);
    gcnsim_raw_code_changed(code);
    after = run(sim, &r);
    assert_int_equal(out[1], 7);
    assert_string_not_equal(before->code_sha256, after->code_sha256);
    gcnsim_result_free(before);
    gcnsim_result_free(after);
    r.target = "gfx942";
    refused(sim, &r, "opened for gfx90a");
    r.target = "gfx90a";
    r.entry += bytes;
    refused(sim, &r, "not within");
    gcnsim_raw_code_close(code);
    gcnsim_close(sim);
}

static void bad_code(void **state)
{
    struct gcnsim_raw_code *code;
    struct gcnsim_error error;

    (void)state;
    assert_int_equal(gcnsim_raw_code_open(&code, NULL, at(code_of(ids).word), code_of(ids).words * 4, &error),
                     GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_raw_code_open(&code, "gfx90a", 0, 4, &error), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_raw_code_open(&code, "gfx90a", at(code_of(ids).word) + 1, 4, &error), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_raw_code_open(&code, "gfx90a", at(code_of(ids).word), 3, &error), GCNSIM_ERROR_FORMAT);
    assert_int_not_equal(gcnsim_raw_code_open(&code, "gfx9999", at(code_of(ids).word), code_of(ids).words * 4, &error),
                         GCNSIM_OK);
    assert_null(code);
}

static void ranges_of_many_launches(void **state)
{
    struct gcnsim *sim = open_simulator(NULL);
    uint32_t out[2][64];
    struct gcnsim_range range[2] = {{at(out[0]), 32 * 4, 1, "first"}, {at(out[1]), sizeof out[1], 1, "second"}};
    struct gcnsim_ranges *set;
    struct gcnsim_raw r;

    (void)state;
    assert_int_equal(gcnsim_ranges_open(&set, range, 2, NULL, 0, NULL), GCNSIM_OK);
    for (int n = 0; n < 3; n++)
        for (int i = 0; i < 2; i++) {
            set_up(&r, BYTES("gfx90a", ids), out[i]);
            r.range_set = set;
            r.workgroup_size[0] = 64;
            struct gcnsim_result *result = run(sim, &r);
            assert_int_equal(result->outcome, i ? GCNSIM_COMPLETED : GCNSIM_FAULTED);
            if (!i)
                assert_non_null(strstr(result->fault->nearest, "past the end of first"));
            gcnsim_result_free(result);
        }
    r.ranges = range;
    r.range_count = 2;
    refused(sim, &r, "both range_set and ranges");
    gcnsim_ranges_close(set);
    gcnsim_ranges_close(NULL);
    range[1].bytes = 0;
    assert_int_equal(gcnsim_ranges_open(&set, range, 2, NULL, 0, NULL), GCNSIM_ERROR_USAGE);
    assert_int_equal(gcnsim_ranges_open(&set, NULL, 2, NULL, 0, NULL), GCNSIM_ERROR_USAGE);
    assert_null(set);
    gcnsim_close(sim);
}

/* Memory of the host where it is not: checked and unchecked, in a set and not, on both engines. */
static void windows(void **state)
{
    static const uint64_t device = UINT64_C(0x5550000000);
    struct gcnsim *sim = open_simulator("gfx90a");
    uint32_t word[2];
    const struct gcnsim_window window = {device, at(word), sizeof word, 1, "locked"};
    const struct gcnsim_range range = {at(word), sizeof word, 1, "host"};
    struct gcnsim_ranges *set;
    struct gcnsim_raw r;

    (void)state;
    for (int i = 0; i < 8; i++) {
        set_up(&r, BYTES("gfx90a", next_of), (const void *)(uintptr_t)device);
        r.engine = i & 1 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        r.windows = &window;
        r.window_count = 1;
        r.ranges = &range;
        r.range_count = i & 2 ? 1 : 0;
        if (i & 4) {
            assert_int_equal(gcnsim_ranges_open(&set, &range, r.range_count, &window, 1, NULL), GCNSIM_OK);
            r.range_set = set;
            r.range_count = r.window_count = 0;
        }
        word[0] = 40 + (uint32_t)i;
        word[1] = 0;
        completes(sim, &r);
        assert_int_equal(word[1], 41 + i);
        if (i & 4)
            gcnsim_ranges_close(set);
    }
    /* one byte less is outside */
    struct gcnsim_window small = window, bad[] = {window, window};
    small.bytes--;
    set_up(&r, BYTES("gfx90a", next_of), (const void *)(uintptr_t)device);
    r.windows = &small;
    r.window_count = 1;
    r.ranges = &range;
    r.range_count = 1;
    struct gcnsim_result *result = run(sim, &r);
    assert_int_equal(result->outcome, GCNSIM_FAULTED);
    assert_non_null(strstr(result->message, "locked"));
    gcnsim_result_free(result);
    r.windows = bad;
    r.window_count = 2;
    refused(sim, &r, "overlaps 'locked'");
    r.range_count = 0;
    refused(sim, &r, "overlaps 'locked'");
    r.window_count = 1;
    bad[0].host = 0;
    refused(sim, &r, "not valid");
    gcnsim_close(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_workgroups),
        cmocka_unit_test(all_user_sgprs),
        cmocka_unit_test(preloaded_kernarg),
        cmocka_unit_test(bad_descriptors),
        cmocka_unit_test(code_of_several_simulators),
        cmocka_unit_test(code_that_changes),
        cmocka_unit_test(bad_code),
        cmocka_unit_test(ranges_of_many_launches),
        cmocka_unit_test(windows),
    };

    return cmocka_run_group_tests_name("raw launches of a runtime", tests, NULL, NULL);
}

/* Raw launches on the functional engine: ids in every generation, partial waves, barriers, scratch, threads, limits,
 * faults, and errors of the caller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"
#include "tests/support/result_stat.h"

/* out[group * 64 + item] = group * 64 + item, out in s[0:1] */
static const char ids_gfx1201[] =
    "s_lshl_b32 s2, ttmp9, 6; v_add_nc_u32 v1, s2, v0; v_lshlrev_b32 v2, 2, v1; global_store_b32 v2, v1, s[0:1]; "
    "s_endpgm";
static const char ids_gfx90a[] =
    "s_lshl_b32 s2, s2, 6; v_add_u32 v1, s2, v0; v_lshlrev_b32 v2, 2, v1; global_store_dword v2, v1, s[0:1]; "
    "s_endpgm";
static const char ids_gfx803[] =
    "s_lshl_b32 s2, s2, 6; v_add_u32 v1, vcc, s2, v0; v_lshlrev_b32 v2, 2, v1; v_mov_b32 v3, s1; "
    "v_add_u32 v2, vcc, s0, v2; v_addc_u32 v3, vcc, 0, v3, vcc; flat_store_dword v[2:3], v1; s_endpgm";
/* group 0 waits until group 1 has stored to s[0:1] */
static const char wait_gfx90a[] =
    "s_cmp_eq_u32 s2, 0; s_cbranch_scc0 set; "
    "loop: s_load_dword s3, s[0:1], 0x0; s_waitcnt lgkmcnt(0); s_cmp_eq_u32 s3, 0; s_cbranch_scc1 loop; s_endpgm; "
    "set: v_mov_b32 v1, 0; v_mov_b32 v2, 7; global_store_dword v1, v2, s[0:1]; s_endpgm";
static const char forever_gfx90a[] = "loop: s_branch loop";
/* out[i] = the id of the item 64 further on, through LDS and a barrier; 256 items */
static const char barrier_gfx90a[] =
    "v_lshlrev_b32 v1, 2, v0; ds_write_b32 v1, v0; s_waitcnt lgkmcnt(0); s_barrier; v_add_u32 v2, 64, v0; "
    "v_and_b32 v2, 0xff, v2; v_lshlrev_b32 v2, 2, v2; ds_read_b32 v3, v2; s_waitcnt lgkmcnt(0); "
    "global_store_dword v1, v3, s[0:1]; s_endpgm";
/* out[i] = i through scratch; s[2:3] flat scratch init, s4 wave offset */
static const char scratch_gfx90a[] =
    "s_add_u32 flat_scratch_lo, s2, s4; s_addc_u32 flat_scratch_hi, s3, 0; s_mov_b32 s6, 0; "
    "scratch_store_dword off, v0, s6 offset:4; s_waitcnt vmcnt(0); scratch_load_dword v1, off, s6 offset:4; "
    "v_lshlrev_b32 v2, 2, v0; s_waitcnt vmcnt(0); global_store_dword v2, v1, s[0:1]; s_endpgm";

/* RSRC1 with 8 VGPRs and 32 SGPRs, denormals kept; RSRC2 with n user SGPRs and workgroup id x */
#define RSRC1    (0u | 3u << 6 | 0xf0u << 12)
#define RSRC2(N) ((N) << 1 | 1u << 7)

static uint64_t at(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static void set_up(struct gcnsim_raw *r, const char *target, const uint32_t *code, size_t code_bytes, const void *out)
{
    gcnsim_raw_init(r);
    r->target = target;
    r->entry = r->code_base = at(code);
    r->code_size = code_bytes;
    r->wave_size = 64;
    r->compute_pgm_rsrc1 = RSRC1;
    r->compute_pgm_rsrc2 = RSRC2(2);
    r->kernarg_address = at(out);
}

static struct gcnsim_result *launch(const struct gcnsim_raw *r)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim *sim;

    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    api_threads_at_once(sim);
    if (gcnsim_launch_raw(sim, r, &result, &error))
        fail_msg("%s", error.text);
    gcnsim_close(sim);
    return result;
}

static void run_ids(const char *target, const uint32_t *code, size_t bytes, uint32_t wave_size, uint32_t threads)
{
    enum { GROUPS = 300 };
    uint32_t *out = calloc(GROUPS * 64 + 16, 4);
    struct gcnsim_raw r;

    set_up(&r, target, code, bytes, out);
    r.wave_size = wave_size;
    r.workgroups[0] = GROUPS;
    r.workgroup_size[0] = 64;
    r.threads = threads;
    struct gcnsim_range range = {.address = at(out), .bytes = GROUPS * 64 * 4, .writable = 1, .label = "out"};
    r.ranges = &range;
    r.range_count = 1;
    struct gcnsim_result *result = launch(&r);
    double cycles;
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", target, result->message);
    assert_int_equal(result_stat(result, "workgroups_done"), GROUPS);
    assert_int_equal(result->waves, GROUPS * 64 / wave_size);
    for (uint32_t i = 0; i < GROUPS * 64; i++)
        assert_int_equal(out[i], i);
    assert_int_equal(out[GROUPS * 64], 0);
    assert_string_equal(result->target, target);
    assert_string_equal(result->engine, "functional");
    assert_int_not_equal(gcnsim_result_stat(result, "cycles", &cycles), GCNSIM_OK);
    gcnsim_result_free(result);
    free(out);
}

static void ids(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads < 4; threads++) {
        run_ids("gfx803", BYTES("gfx803", ids_gfx803), 64, threads);
        run_ids("gfx90a", BYTES("gfx90a", ids_gfx90a), 64, threads);
        run_ids("gfx1201", BYTES("gfx1201", ids_gfx1201), 32, threads);
        run_ids("gfx1201", BYTES("gfx1201", ids_gfx1201), 64, threads);
    }
}

/* COMPUTE_PGM_RSRC2 of gfx1250 can state 63 user SGPRs, of which there are 32. */
static void too_many_user_sgprs_are_refused(void **state)
{
    struct gcnsim_result *result;
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    struct gcnsim_raw r;

    (void)state;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    for (uint32_t count = 31; count <= 63; count++) {
        set_up(&r, "gfx1250", BYTES("gfx1250", "s_endpgm"), NULL);
        r.wave_size = 32;
        r.compute_pgm_rsrc2 = RSRC2(count) & ~(1u << 7);
        int status = gcnsim_launch_raw(sim, &r, &result, &error);
        if (count > 32) {
            assert_int_equal(status, GCNSIM_ERROR_FORMAT);
            assert_non_null(strstr(error.text, "user SGPRs; expected at most 32"));
        } else if (status) {
            fail_msg("%s", error.text);
        } else {
            gcnsim_result_free(result);
        }
    }
    gcnsim_close(sim);
}

static void user_sgprs_are_given(void **state)
{
    uint32_t out[64] = {0};
    const uint32_t sgprs[2] = {(uint32_t)at(out), (uint32_t)(at(out) >> 32)};
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", ids_gfx90a), NULL);
    r.workgroup_size[0] = 40; /* a partial wave */
    r.user_sgprs = sgprs;
    r.user_sgpr_count = 2;
    struct gcnsim_result *result = launch(&r); /* without ranges nothing is checked */
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    assert_int_equal(result_stat(result, "instructions.total"), 5);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out[i], i < 40 ? i : 0);
    gcnsim_result_free(result);
}

static void barriers_and_lds(void **state)
{
    uint32_t out[256];
    struct gcnsim_raw r;

    (void)state;
    memset(out, 0xff, sizeof out);
    set_up(&r, "gfx90a", BYTES("gfx90a", barrier_gfx90a), out);
    r.workgroup_size[0] = 256;
    r.lds_bytes = 1024;
    struct gcnsim_result *result = launch(&r);
    if (result->outcome != GCNSIM_COMPLETED)
        fail_msg("%s", result->message);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(out[i], (i + 64) % 256);
    gcnsim_result_free(result);
}

static void scratch_of_gcnsim_and_of_the_caller(void **state)
{
    uint32_t out[64], sgprs[4];
    uint8_t *mine = aligned_alloc(4096, 8192);
    struct gcnsim_raw r;

    (void)state;
    memset(mine, 0, 8192);
    for (int own = 0; own < 2; own++) {
        memset(out, 0xff, sizeof out);
        set_up(&r, "gfx90a", BYTES("gfx90a", scratch_gfx90a), NULL);
        r.compute_pgm_rsrc2 = 1 | 4 << 1; /* scratch, four user SGPRs, no ids */
        r.workgroup_size[0] = 64;
        r.scratch_bytes_per_lane = 16;
        sgprs[0] = (uint32_t)at(out);
        sgprs[1] = (uint32_t)(at(out) >> 32);
        sgprs[2] = (uint32_t)at(mine);
        sgprs[3] = (uint32_t)(at(mine) >> 32);
        r.user_sgprs = sgprs;
        r.user_sgpr_count = 4;
        r.scratch_base = own ? at(mine) : 0;
        r.scratch_size = own ? 8192 : 0;
        struct gcnsim_result *result = launch(&r);
        if (result->outcome != GCNSIM_COMPLETED)
            fail_msg("%s", result->message);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(out[i], i);
        gcnsim_result_free(result);
    }
    /* dword 1 of all lanes follows dword 0 of all lanes */
    for (uint32_t i = 0; i < 64; i++)
        assert_memory_equal(mine + 256 + 4 * i, &i, 4);
    free(mine);
}

/* The address of a fault in scratch is an offset: nothing is said of allocations near it. */
static void past_the_end_of_scratch(void **state)
{
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", scratch_gfx90a), NULL);
    r.compute_pgm_rsrc2 = 1 | 4 << 1;
    r.workgroup_size[0] = 64;
    r.scratch_bytes_per_lane = 4;
    struct gcnsim_result *result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_FAULTED);
    assert_string_equal(result->fault->kind, "memory");
    assert_int_equal(result->fault->address, 4);
    assert_non_null(strstr(result->message, "writes 4 bytes at private offset 0x4 of 4 bytes of scratch; workgroup"));
    assert_string_equal(result->fault->nearest, "");
    gcnsim_result_free(result);
}

/* A workgroup that waits for a later one: even one thread comes to an end. */
static void workgroups_that_wait_for_later_ones(void **state)
{
    uint32_t flag = 0;
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", wait_gfx90a), &flag);
    r.workgroups[0] = 2;
    r.max_instructions = UINT64_C(1) << 32;
    struct gcnsim_result *result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    assert_int_equal(flag, 7);
    gcnsim_result_free(result);
}

static int stop_now(void *ctx, uint64_t done, uint64_t total)
{
    ++*(int *)ctx;
    assert_true(done <= total);
    return 1;
}

static void limits_and_interruption(void **state)
{
    volatile int stop = 1;
    int calls = 0;
    struct gcnsim_raw r;
    struct gcnsim_result *result;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", forever_gfx90a), NULL);
    r.workgroups[0] = 5;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        r.threads = threads;
        r.max_instructions = 3000001;
        result = launch(&r);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        assert_int_equal(result_stat(result, "instructions.total"), 3000001);
        assert_int_equal(gcnsim_result_status(result), GCNSIM_ERROR_RUN_LIMIT);
        assert_non_null(strstr(result->message, "limit of 3000001 instructions"));
        gcnsim_result_free(result);
    }
    r.threads = 1;
    r.max_instructions = 0;
    r.max_cycles = 1000;
    result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_LIMIT);
    assert_int_equal(result_stat(result, "instructions.total"), 1000);
    gcnsim_result_free(result);
    r.max_cycles = 0;
    r.abort_flag = &stop;
    result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_INTERRUPTED);
    assert_int_equal(result_stat(result, "workgroups_done"), 0);
    gcnsim_result_free(result);
    r.abort_flag = NULL;
    r.progress = stop_now;
    r.progress_ctx = &calls;
    result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_INTERRUPTED);
    assert_int_equal(calls, 1);
    gcnsim_result_free(result);
}

/* max_cycles reached by the very instruction that waits at a barrier */
static void limit_at_a_barrier(void **state)
{
    uint32_t out[256] = {0};
    struct gcnsim_raw r;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", barrier_gfx90a), out);
    r.workgroup_size[0] = 256;
    r.lds_bytes = 1024;
    for (uint32_t limit = 3; limit <= 5; limit++) {
        char expected[40];
        r.max_cycles = limit;
        struct gcnsim_result *result = launch(&r);
        snprintf(expected, sizeof expected, "limit of %u cycles", limit);
        assert_int_equal(result->outcome, GCNSIM_LIMIT);
        if (!strstr(result->message, expected))
            fail_msg("'%s' lacks '%s'", result->message, expected);
        gcnsim_result_free(result);
    }
}

static void faults(void **state)
{
    static const char illegal[] = "s_nop 0; .long 0xffffffff";
    static const char lost[] = "s_mov_b64 s[4:5], 0; s_setpc_b64 s[4:5]";
    uint32_t out[64] = {0};
    char *text;
    struct gcnsim_range range = {.address = at(out), .bytes = 100, .writable = 1, .label = "my buffer"};
    struct gcnsim_raw r;
    struct gcnsim_result *result;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", ids_gfx90a), out);
    r.workgroup_size[0] = 64;
    r.ranges = &range;
    r.range_count = 1;
    result = launch(&r);
    assert_int_equal(result->outcome, GCNSIM_FAULTED);
    assert_int_equal(gcnsim_result_status(result), GCNSIM_ERROR_FAULT);
    assert_string_equal(result->fault->kind, "memory");
    assert_int_equal(result->fault->lane, 25);
    assert_int_equal(result->fault->address, at(out) + 100);
    assert_int_equal(result->fault->bytes, 4);
    assert_true(result->fault->write);
    assert_int_equal(result->fault->pc_offset, 12);
    assert_non_null(strstr(result->fault->instruction, "global_store_dword v2, v1, s[0:1]"));
    assert_non_null(strstr(result->fault->nearest, "my buffer"));
    assert_non_null(strstr(result->message, "my buffer"));
    gcnsim_result_free(result);

    range.writable = 0;
    range.bytes = sizeof out;
    result = launch(&r);
    assert_string_equal(result->fault->kind, "memory");
    assert_int_equal(result->fault->lane, 0);
    assert_non_null(strstr(result->fault->nearest, "read-only"));
    gcnsim_result_free(result);

    set_up(&r, "gfx90a", BYTES("gfx90a", illegal), NULL);
    result = launch(&r);
    assert_string_equal(result->fault->kind, "illegal");
    assert_int_equal(result->fault->pc_offset, 4);
    gcnsim_result_free(result);

    /* nowhere is no place in the code */
    set_up(&r, "gfx90a", BYTES("gfx90a", lost), NULL);
    result = launch(&r);
    assert_string_equal(result->fault->kind, "pc");
    assert_int_equal(result->fault->pc, 0);
    assert_int_equal(result->fault->pc_offset, UINT64_MAX);
    assert_non_null(strstr(result->message, "pc fault at pc 0x0: the program counter left the code;"));
    assert_int_equal(gcnsim_result_json(result, &text, NULL), GCNSIM_OK);
    assert_non_null(strstr(text, "\"pc_offset\": null"));
    gcnsim_free(text);
    assert_int_equal(gcnsim_result_text(result, &text, NULL), GCNSIM_OK);
    assert_non_null(strstr(text, "  pc            0x0\n"));
    gcnsim_free(text);
    gcnsim_result_free(result);

    set_up(&r, "gfx90a", assemble("gfx90a", illegal).word, 4, NULL); /* s_nop, and the code is at its end */
    result = launch(&r);
    assert_string_equal(result->fault->kind, "pc");
    assert_int_equal(result_stat(result, "instructions.total"), 1);
    gcnsim_result_free(result);
}

static void reports(void **state)
{
    uint32_t out[64] = {0};
    struct gcnsim_range range = {.address = at(out), .bytes = 100, .writable = 1, .label = "say \"out\""};
    struct gcnsim_raw r;
    char *text;

    (void)state;
    set_up(&r, "gfx90a", BYTES("gfx90a", ids_gfx90a), out);
    r.workgroup_size[0] = 64;
    r.ranges = &range;
    r.range_count = 1;
    struct gcnsim_result *result = launch(&r);
    assert_int_equal(gcnsim_result_json(result, &text, NULL), GCNSIM_OK);
    assert_non_null(strstr(text, "\"cycles\": null"));
    assert_non_null(strstr(text, "\"valu\": 2"));
    assert_non_null(strstr(text, "\"total\": 3")); /* the store faulted */
    assert_non_null(strstr(text, "\"cache\": null"));
    assert_non_null(strstr(text, "say \\\"out\\\""));
    assert_non_null(strstr(text, "\"outcome\": \"fault\""));
    gcnsim_free(text);
    assert_int_equal(gcnsim_result_text(result, &text, NULL), GCNSIM_OK);
    assert_non_null(strstr(text, "Fault"));
    assert_null(strstr(text, "Caches"));
    gcnsim_free(text);
    gcnsim_result_free(result);
}

static void bad_calls(void **state)
{
    struct gcnsim_error error;
    struct gcnsim_result *result;
    struct gcnsim *sim;
    struct gcnsim_range range = {.address = 4096, .bytes = 0};
    const uint32_t sgprs[4] = {0};

    (void)state;
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    for (int i = 0; i < 13; i++) {
        struct gcnsim_raw r;
        const char *part = "";
        set_up(&r, "gfx90a", BYTES("gfx90a", ids_gfx90a), &error);
        switch (i) {
        case 0:
            r.struct_bytes = 8, part = "struct_bytes";
            break;
        case 1:
            r.target = NULL, part = "target";
            break;
        case 2:
            r.target = "gfx9999", part = "gfx9999";
            break;
        case 3:
            r.wave_size = 16, part = "wave_size is 16";
            break;
        case 4:
            r.wave_size = 32, part = "waves of 64";
            break;
        case 5:
            r.entry += 2, part = "multiples of 4";
            break;
        case 6:
            r.entry += 4096, part = "not within";
            break;
        case 7:
            r.code_size = 0, part = "not within";
            break;
        case 8:
            r.user_sgprs = sgprs, r.user_sgpr_count = 3, part = "3 user SGPRs";
            break;
        case 9:
            r.workgroups[1] = 0, part = "0 workgroups";
            break;
        case 10:
            r.workgroup_size[0] = 1025, part = "1025 work-items";
            break;
        case 11:
            r.ranges = &range, r.range_count = 1, part = "range 0";
            break;
        case 12:
            r.scratch_bytes_per_lane = 64, r.scratch_base = 1 << 20, r.scratch_size = 100, part = "scratch_size";
            break;
        }
        memset(&error, 0, sizeof error);
        if (gcnsim_launch_raw(sim, &r, &result, &error) == GCNSIM_OK)
            fail_msg("case %d was accepted", i);
        assert_int_equal(error.code, i == 2 ? error.code : GCNSIM_ERROR_USAGE);
        if (!strstr(error.text, part))
            fail_msg("case %d: '%s' lacks '%s'", i, error.text, part);
    }
    gcnsim_close(sim);
}

/* One simulator, several targets. */
static void many_targets_in_one_simulator(void **state)
{
    uint32_t out[64] = {0};
    struct gcnsim_error error;
    struct gcnsim_result *result;
    struct gcnsim *sim;
    struct gcnsim_raw r;

    (void)state;
    assert_int_equal(gcnsim_open(&sim, "gfx1201", &error), GCNSIM_OK);
    set_up(&r, "gfx90a", BYTES("gfx90a", ids_gfx90a), out);
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_OK);
    assert_null(result->profile);
    assert_int_equal(result->outcome, GCNSIM_COMPLETED);
    gcnsim_result_free(result);
    set_up(&r, "gfx1201", BYTES("gfx1201", ids_gfx1201), out);
    r.wave_size = 32;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_OK);
    assert_string_equal(result->profile, "gfx1201-rx9070xt");
    assert_non_null(result->occupancy);
    gcnsim_result_free(result);
    gcnsim_close(sim);
}

static double stat_of(const struct gcnsim_result *r, const char *name)
{
    double v = -1;

    assert_int_equal(gcnsim_result_stat(r, name, &v), GCNSIM_OK);
    return v;
}

/* A wave of s_endpgm. */
/* The descriptor says whether s_alloc_vgpr gives registers back: v20 of 32 is then gone. */
static void dynamic_vgprs(void **state)
{
    static const uint32_t code[] = {0xbe805390, 0x7e280280, 0xbfb00000}; /* s_alloc_vgpr 16; v_mov_b32 v20, 0 */
    struct gcnsim_raw r;

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t dynamic = k & 1;
        set_up(&r, "gfx1201", code, sizeof code, NULL);
        r.wave_size = 32;
        r.compute_pgm_rsrc1 |= 3;
        r.compute_pgm_rsrc2 |= dynamic << 6;
        r.engine = k & 2 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        struct gcnsim_result *result = launch(&r);
        assert_int_equal(result->outcome, dynamic ? GCNSIM_FAULTED : GCNSIM_COMPLETED);
        if (dynamic)
            assert_non_null(strstr(result->message, "past the wave's 16 allocated registers"));
        gcnsim_result_free(result);
    }
}

static void set_up_end(struct gcnsim_raw *r)
{
    static _Alignas(256) const uint32_t end[64] = {0xbfb00000};

    set_up(r, "gfx1201", end, sizeof end, NULL);
    r->kernarg_address = 0;
    r->wave_size = 32;
    r->workgroup_size[0] = 32;
    r->engine = GCNSIM_ENGINE_TIMING;
}

/* As that of a code object, raw code has been loaded through the cache beside memory when its first wave fetches it. */
static void code_is_in_the_last_cache(void **state)
{
    struct gcnsim_result *result;
    struct gcnsim_raw r;

    (void)state;
    set_up_end(&r);
    result = launch(&r);
    assert_true(stat_of(result, "cache.i.misses") > 0);
    assert_true(stat_of(result, "cache.mall.hits") > 0);
    assert_true(stat_of(result, "dram.read_bytes") == 0);
    gcnsim_result_free(result);
}

/* Perfect memory and sampling are those of gcnsim_launch(), and so are their refusals. */
static void options_of_the_timing_engine(void **state)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    (void)state;
    set_up_end(&r);
    result = launch(&r);
    double cycles = stat_of(result, "cycles");
    gcnsim_result_free(result);
    r.perfect_memory = 1;
    result = launch(&r);
    assert_true(stat_of(result, "cycles") < cycles);
    double hits;
    assert_int_not_equal(gcnsim_result_stat(result, "cache.mall.hits", &hits), GCNSIM_OK); /* there are no caches */
    gcnsim_result_free(result);

    set_up_end(&r);
    r.workgroups[0] = 1 << 16;
    r.cold = 1;
    result = launch(&r);
    cycles = stat_of(result, "cycles");
    assert_null(gcnsim_result_estimate(result));
    gcnsim_result_free(result);
    r.sample_workgroups = 1 << 12;
    result = launch(&r);
    const struct gcnsim_estimate *estimate = gcnsim_result_estimate(result);
    assert_non_null(estimate);
    assert_true(estimate->cycles_low < cycles && cycles < estimate->cycles_high);
    assert_true(estimate->detailed_workgroups == 1 << 12 && estimate->functional_workgroups == (1 << 16) - (1 << 12));
    gcnsim_result_free(result);
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    r.cold = 0;
    r.sample_skip = 1;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "expected a cold launch"));
    r.cold = 1;
    r.sample_skip = 0;
    r.check = 1;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "expected no check beside it"));
    gcnsim_close(sim);
}

/* A simulator's device keeps what raw launches leave, too, and code that was there before is not loaded anew. */
static void launches_share_a_device(void **state)
{
    struct gcnsim_error error = {0};
    struct gcnsim_result *result;
    struct gcnsim_raw r;
    struct gcnsim *sim;

    (void)state;
    set_up_end(&r);
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    for (unsigned n = 0; n < 4; n++) {
        r.cold = n == 2;
        assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_OK);
        assert_int_equal(stat_of(result, "cache.i.misses") > 0, n == 0 || n == 2);
        assert_int_equal(stat_of(result, "dispatch.clock_cycles") > 0, n == 1 || n == 3);
        gcnsim_result_free(result);
    }
    assert_true(gcnsim_device_clock(sim) > 0);
    r.cold = 0;
    r.release = (enum gcnsim_fence)3;
    assert_int_equal(gcnsim_launch_raw(sim, &r, &result, &error), GCNSIM_ERROR_USAGE);
    assert_string_equal(error.text, "raw: fences 1, 3; expected GCNSIM_FENCE_NONE, _AGENT or _SYSTEM");
    gcnsim_close(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids),
        cmocka_unit_test(user_sgprs_are_given),
        cmocka_unit_test(too_many_user_sgprs_are_refused),
        cmocka_unit_test(barriers_and_lds),
        cmocka_unit_test(scratch_of_gcnsim_and_of_the_caller),
        cmocka_unit_test(past_the_end_of_scratch),
        cmocka_unit_test(workgroups_that_wait_for_later_ones),
        cmocka_unit_test(limits_and_interruption),
        cmocka_unit_test(limit_at_a_barrier),
        cmocka_unit_test(faults),
        cmocka_unit_test(reports),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(many_targets_in_one_simulator),
        cmocka_unit_test(dynamic_vgprs),
        cmocka_unit_test(code_is_in_the_last_cache),
        cmocka_unit_test(options_of_the_timing_engine),
        cmocka_unit_test(launches_share_a_device),
    };

    return cmocka_run_group_tests_name("raw launches", tests, NULL, NULL);
}

/* Hidden arguments, dispatch packet and queue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/launch/kernarg.h"

static const struct launch_numbers numbers = {.grid = {1000, 30, 7},
                                              .workgroup = {64, 4, 7},
                                              .dynamic_lds_bytes = 96,
                                              .lds_bytes = 352,
                                              .scratch_bytes_per_lane = 48,
                                              .queue = 0x7f0000aa0000,
                                              .kernel_object = 0x7f0000bb0040,
                                              .kernarg = 0x7f0000cc0000,
                                              .shared_aperture = LAUNCH_SHARED_APERTURE,
                                              .private_aperture = LAUNCH_PRIVATE_APERTURE};

/* The layout clang-19 gives a v5 kernel with one pointer, and what each must hold. */
static const struct {
    enum co_arg_kind kind;
    uint32_t offset, size;
    uint64_t value;
} v5[] = {
    {CO_ARG_HIDDEN_BLOCK_COUNT_X, 8, 4, 15},
    {CO_ARG_HIDDEN_BLOCK_COUNT_Y, 12, 4, 7},
    {CO_ARG_HIDDEN_BLOCK_COUNT_Z, 16, 4, 1},
    {CO_ARG_HIDDEN_GROUP_SIZE_X, 20, 2, 64},
    {CO_ARG_HIDDEN_GROUP_SIZE_Y, 22, 2, 4},
    {CO_ARG_HIDDEN_GROUP_SIZE_Z, 24, 2, 7},
    {CO_ARG_HIDDEN_REMAINDER_X, 26, 2, 40},
    {CO_ARG_HIDDEN_REMAINDER_Y, 28, 2, 2},
    {CO_ARG_HIDDEN_REMAINDER_Z, 30, 2, 0},
    {CO_ARG_HIDDEN_GLOBAL_OFFSET_X, 48, 8, 0},
    {CO_ARG_HIDDEN_GLOBAL_OFFSET_Y, 56, 8, 0},
    {CO_ARG_HIDDEN_GLOBAL_OFFSET_Z, 64, 8, 0},
    {CO_ARG_HIDDEN_GRID_DIMS, 72, 2, 3},
    {CO_ARG_HIDDEN_PRINTF_BUFFER, 80, 8, 0},
    {CO_ARG_HIDDEN_HOSTCALL_BUFFER, 88, 8, 0},
    {CO_ARG_HIDDEN_MULTIGRID_SYNC_ARG, 96, 8, 0},
    {CO_ARG_HIDDEN_HEAP_V1, 104, 8, 0},
    {CO_ARG_HIDDEN_DEFAULT_QUEUE, 112, 8, 0},
    {CO_ARG_HIDDEN_COMPLETION_ACTION, 120, 8, 0},
    {CO_ARG_HIDDEN_DYNAMIC_LDS_SIZE, 128, 4, 96},
    {CO_ARG_HIDDEN_PRIVATE_BASE, 200, 4, 0x20000},
    {CO_ARG_HIDDEN_SHARED_BASE, 204, 4, 0x10000},
    {CO_ARG_HIDDEN_QUEUE_PTR, 208, 8, 0x7f0000aa0000},
};
#define V5_COUNT (sizeof v5 / sizeof v5[0])

static void v5_arguments(void **state)
{
    struct co_arg args[V5_COUNT + 1] = {{.kind = CO_ARG_GLOBAL_BUFFER, .name = "p", .size = 8}};
    struct co_kernel_metadata md = {.name = "k", .args = args, .arg_count = V5_COUNT + 1};
    uint8_t kernarg[216];
    struct err e = {0};

    (void)state;
    for (unsigned i = 0; i < V5_COUNT; i++)
        args[i + 1] = (struct co_arg){
            .kind = v5[i].kind, .kind_text = co_arg_kind_text(v5[i].kind), .offset = v5[i].offset, .size = v5[i].size};
    memset(kernarg, 0xaa, sizeof kernarg);
    assert_int_equal(launch_hidden_args(kernarg, sizeof kernarg, &md, &numbers, &e), 0);
    assert_int_equal(kernarg[0], 0xaa);  /* explicit bytes are not touched */
    assert_int_equal(kernarg[32], 0xaa); /* nor are gaps */
    for (unsigned i = 0; i < V5_COUNT; i++) {
        uint64_t v = 0;
        memcpy(&v, kernarg + v5[i].offset, v5[i].size);
        if (v != v5[i].value)
            fail_msg("%s is 0x%llx", co_arg_kind_text(v5[i].kind), (unsigned long long)v);
    }
}

static void unknown_and_misplaced_are_errors(void **state)
{
    struct co_arg arg = {.kind = CO_ARG_HIDDEN_UNKNOWN, .kind_text = "hidden_crystal_ball", .offset = 0, .size = 8};
    struct co_kernel_metadata md = {.name = "k", .args = &arg, .arg_count = 1};
    uint8_t kernarg[16];
    struct err e = {0};

    (void)state;
    assert_int_not_equal(launch_hidden_args(kernarg, sizeof kernarg, &md, &numbers, &e), 0);
    assert_int_equal(e.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(e.text, "hidden_crystal_ball"));
    static const struct {
        uint32_t offset, size;
    } bad[] = {{16, 4}, {13, 4}, {0, 12}, {UINT32_MAX, 4}};
    for (unsigned i = 0; i < 4; i++) {
        err_clear(&e);
        arg = (struct co_arg){.kind = CO_ARG_HIDDEN_GRID_DIMS,
                              .kind_text = "hidden_grid_dims",
                              .offset = bad[i].offset,
                              .size = bad[i].size};
        assert_int_not_equal(launch_hidden_args(kernarg, sizeof kernarg, &md, &numbers, &e), 0);
        assert_int_equal(e.code, ERR_FORMAT);
    }
}

static void dimensions(void **state)
{
    (void)state;
    assert_int_equal(launch_dims((uint32_t[3]){1, 1, 1}), 1);
    assert_int_equal(launch_dims((uint32_t[3]){9, 2, 1}), 2);
    assert_int_equal(launch_dims((uint32_t[3]){1, 1, 2}), 3);
}

static void packet_and_queue(void **state)
{
    uint8_t p[LAUNCH_PACKET_BYTES], q[LAUNCH_QUEUE_BYTES];

    (void)state;
    launch_packet(p, &numbers);
    assert_int_equal(load_u16(p) & 0xff, 2); /* kernel dispatch */
    assert_int_equal(load_u16(p + 2), 3);
    assert_int_equal(load_u16(p + 4), 64);
    assert_int_equal(load_u16(p + 6), 4);
    assert_int_equal(load_u16(p + 8), 7);
    assert_int_equal(load_u32(p + 12), 1000);
    assert_int_equal(load_u32(p + 16), 30);
    assert_int_equal(load_u32(p + 20), 7);
    assert_int_equal(load_u32(p + 24), 48);
    assert_int_equal(load_u32(p + 28), 352);
    assert_int_equal(load_u64(p + 32), 0x7f0000bb0040);
    assert_int_equal(load_u64(p + 40), 0x7f0000cc0000);
    launch_queue(q, &numbers);
    assert_int_equal(load_u32(q + 0x40), 0x10000);
    assert_int_equal(load_u32(q + 0x44), 0x20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v5_arguments),
        cmocka_unit_test(unknown_and_misplaced_are_errors),
        cmocka_unit_test(dimensions),
        cmocka_unit_test(packet_and_queue),
    };

    return cmocka_run_group_tests_name("kernarg, packet and queue", tests, NULL, NULL);
}

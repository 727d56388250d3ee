/* Initial wave state: user and system SGPRs per generation, work-item ids, EXEC, MODE, partial workgroups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/launch/state.h"

struct fixture {
    struct isa_target *target;
    struct launch l;
    struct launch_state s;
    struct kernel_descriptor kd;
    enum co_family family;
    uint32_t *v;
    uint8_t lds[1024];
    struct isa_wave w;
};

static void open_target(struct fixture *f, const char *name, enum co_family family, uint32_t lanes)
{
    struct err e = {0};

    memset(f, 0, sizeof *f);
    if (isa_target_open(&f->target, name, "base", &e))
        fail_msg("%s", e.text);
    f->family = family;
    f->l = (struct launch){.target = f->target,
                           .state = &f->s,
                           .lanes = lanes,
                           .nvgprs = 8,
                           .nsgprs = 102,
                           .scratch_slots = 64,
                           .shared_aperture = LAUNCH_SHARED_APERTURE,
                           .private_aperture = LAUNCH_PRIVATE_APERTURE};
    f->s.entry = 0x7f0000001000;
}

static void close_target(struct fixture *f)
{
    free(f->v);
    isa_target_close(f->target);
}

static void shape(struct fixture *f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t wx, uint32_t wy, uint32_t wz)
{
    const uint32_t grid[3] = {gx, gy, gz}, group[3] = {wx, wy, wz};
    struct err e = {0};

    if (launch_shape(&f->l, &f->s, grid, group, 1024, &e))
        fail_msg("%s", e.text);
}

static void init_wave(struct fixture *f, uint64_t group, unsigned wave, uint32_t slot)
{
    free(f->v);
    f->v = aligned_alloc(64, launch_wave_dwords(&f->l) * 4);
    memset(f->v, 0xee, launch_wave_dwords(&f->l) * 4);
    launch_init_wave(&f->l, group, wave, slot, f->v, f->lds, &f->w);
}

static void enable_all(struct kernel_descriptor *kd)
{
    kd->enable_sgpr_private_segment_buffer = kd->enable_sgpr_dispatch_ptr = kd->enable_sgpr_queue_ptr = true;
    kd->enable_sgpr_kernarg_segment_ptr = kd->enable_sgpr_dispatch_id = kd->enable_sgpr_flat_scratch_init = true;
    kd->enable_sgpr_private_segment_size = true;
}

static const struct launch_pointers pointers = {
    .dispatch_packet = 0x7f0011110000, .queue = 0x7f0022220000, .kernarg = 0x7f0033330000, .dispatch_id = 0x123456789a};

static void scratch(struct fixture *f, uint32_t bytes)
{
    f->s.scratch_bytes_per_lane = bytes;
    f->s.scratch_wave_bytes = launch_scratch_wave_bytes(f->l.lanes, bytes);
    f->s.scratch_base = 0x7f1234560000;
}

static void user(struct fixture *f, unsigned count)
{
    struct err e = {0};

    f->s.rsrc.user_sgpr_count = count;
    if (launch_user_sgprs(&f->l, &f->s, &f->kd, f->family, &pointers, &e))
        fail_msg("%s", e.text);
    launch_modes(&f->l, &f->s);
}

static uint64_t pair(const uint32_t *s)
{
    return s[0] | (uint64_t)s[1] << 32;
}

static void scratch_slots_are_rounded_to_1024(void **state)
{
    (void)state;
    assert_int_equal(launch_scratch_wave_bytes(64, 80), 5120);
    assert_int_equal(launch_scratch_wave_bytes(64, 1), 1024);
    assert_int_equal(launch_scratch_wave_bytes(32, 4), 1024);
    assert_int_equal(launch_scratch_wave_bytes(32, 36), 2048);
    assert_int_equal(launch_scratch_wave_bytes(64, 17), 2048); /* 20 bytes each, 1280 */
}

static void gfx8_user_sgprs_in_order(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    enable_all(&f.kd);
    scratch(&f, 80);
    f.s.rsrc.enable_private_segment = true;
    f.s.rsrc.enable_sgpr_workgroup_id_x = f.s.rsrc.enable_sgpr_workgroup_id_y = true;
    f.s.rsrc.enable_sgpr_workgroup_id_z = f.s.rsrc.enable_sgpr_workgroup_info = true;
    shape(&f, 256, 4, 6, 64, 2, 2);
    user(&f, 15);
    init_wave(&f, 1 + 4 * (1 + 2 * 2), 3, 5);

    const uint32_t *s = f.w.s;
    assert_int_equal(pair(s) & 0xffffffffffff, 0x7f1234560000);
    assert_int_equal(s[1] >> 31, 1);          /* swizzle */
    assert_int_equal(s[1] >> 16 & 0x3fff, 0); /* stride */
    assert_int_equal(s[2], 64 * 5120);        /* all slots */
    assert_int_equal(s[3] >> 23 & 1, 1);      /* add_tid */
    assert_int_equal(s[3] >> 21 & 3, 3);      /* index stride 64 */
    assert_int_equal(s[3] >> 19 & 3, 1);      /* element size 4 */
    assert_int_equal(s[3] >> 15 & 15, 0);     /* DATA_FORMAT would be stride bits */
    assert_int_equal(pair(s + 4), pointers.dispatch_packet);
    assert_int_equal(pair(s + 6), pointers.queue);
    assert_int_equal(pair(s + 8), pointers.kernarg);
    assert_int_equal(pair(s + 10), pointers.dispatch_id);
    assert_int_equal(s[12], 0);  /* offset from the hidden private base */
    assert_int_equal(s[13], 80); /* bytes per lane */
    assert_int_equal(s[14], 80);
    assert_int_equal(s[15], 1);
    assert_int_equal(s[16], 1);
    assert_int_equal(s[17], 2);
    assert_int_equal(s[18], 4); /* 4 waves, not the first */
    assert_int_equal(s[19], 5 * 5120);
    assert_int_equal(f.w.scratch_base, 0x7f1234560000 + 5 * 5120);
    assert_int_equal(f.w.scratch_bytes, 80);
    assert_int_equal(f.w.pc, 0x7f0000001000);
    close_target(&f);
}

static void gfx90a_flat_scratch_is_an_address_and_kernarg_is_preloaded(void **state)
{
    struct fixture f;
    uint8_t kernarg[64];
    struct err e = {0};
    struct launch_pointers p = pointers;

    (void)state;
    open_target(&f, "gfx90a", CO_GFX90A, 64);
    for (unsigned i = 0; i < sizeof kernarg; i++)
        kernarg[i] = (uint8_t)i;
    p.kernarg_host = kernarg;
    p.kernarg_bytes = sizeof kernarg;
    f.kd.enable_sgpr_kernarg_segment_ptr = f.kd.enable_sgpr_flat_scratch_init = true;
    f.kd.kernarg_preload_length_dwords = 3;
    f.kd.kernarg_preload_offset_dwords = 2;
    scratch(&f, 16);
    f.s.rsrc.user_sgpr_count = 7;
    f.s.rsrc.enable_sgpr_workgroup_id_x = true;
    f.s.rsrc.enable_private_segment = true;
    shape(&f, 128, 1, 1, 64, 1, 1);
    assert_int_equal(launch_user_sgprs(&f.l, &f.s, &f.kd, f.family, &p, &e), 0);
    launch_modes(&f.l, &f.s);
    init_wave(&f, 1, 0, 2);
    assert_int_equal(pair(f.w.s), p.kernarg);
    assert_int_equal(pair(f.w.s + 2), 0x7f1234560000);
    assert_int_equal(f.w.s[4], 0x0b0a0908);
    assert_int_equal(f.w.s[6], 0x13121110);
    assert_int_equal(f.w.s[7], 1);
    assert_int_equal(f.w.s[8], 2 * 1024);

    assert_int_equal(launch_entry(&f.kd, CO_GFX90A, 0x1000), 0x1100);
    assert_int_equal(launch_entry(&f.kd, CO_GFX12_5, 0x1000), 0x1000); /* firmware always preloads */

    f.kd.kernarg_preload_offset_dwords = 14;
    assert_int_not_equal(launch_user_sgprs(&f.l, &f.s, &f.kd, f.family, &p, &e), 0);
    assert_non_null(strstr(e.text, "preload"));
    close_target(&f);
}

static void more_values_than_user_sgprs_is_an_error(void **state)
{
    struct fixture f;
    struct err e = {0};

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    enable_all(&f.kd);
    f.s.rsrc.user_sgpr_count = 14;
    assert_int_not_equal(launch_user_sgprs(&f.l, &f.s, &f.kd, f.family, &pointers, &e), 0);
    assert_int_equal(e.code, ERR_FORMAT);
    assert_non_null(strstr(e.text, "14 user SGPRs"));
    assert_non_null(strstr(e.text, "ask for 15"));
    close_target(&f);
}

/* gfx1250 states them in six bits, but has no more than 32. */
static void more_user_sgprs_than_there_are_is_an_error(void **state)
{
    struct fixture f;
    struct err e = {0};

    (void)state;
    open_target(&f, "gfx1250", CO_GFX12_5, 32);
    user(&f, 32);
    assert_int_equal(f.s.user_sgpr_count, 32);
    f.s.rsrc.user_sgpr_count = 33;
    assert_int_not_equal(launch_user_sgprs(&f.l, &f.s, &f.kd, f.family, &pointers, &e), 0);
    assert_int_equal(e.code, ERR_FORMAT);
    assert_non_null(strstr(e.text, "33 user SGPRs; expected at most 32"));
    close_target(&f);
}

static void gfx12_ids_come_in_ttmps_and_scratch_in_flat_scratch(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx1201", CO_GFX12, 32);
    f.kd.enable_sgpr_kernarg_segment_ptr = true;
    scratch(&f, 36);
    f.s.rsrc.enable_private_segment = true;
    f.s.rsrc.enable_sgpr_workgroup_id_x = true;
    shape(&f, 96, 6, 10, 32, 2, 2);
    user(&f, 2);
    init_wave(&f, 2 + 3 * (1 + 3 * 4), 1, 7);
    const uint32_t *ttmp = f.w.s + f.target->code_ttmp0;
    assert_int_equal(ttmp[9], 2);
    assert_int_equal(ttmp[7], 1 | 4 << 16);
    assert_int_equal(ttmp[8] >> 25 & 31, 1);
    assert_int_equal(pair(f.w.s), pointers.kernarg);
    assert_int_equal(f.w.s[2], 0); /* neither ids nor a wave offset */
    assert_int_equal(f.w.flat_scratch, 0x7f1234560000 + 7 * 2048);
    assert_int_equal(f.w.scratch_base, f.w.flat_scratch);
    assert_int_equal(f.w.scratch_bytes, 36);
    close_target(&f);
}

static void gfx11_has_ids_in_sgprs_without_a_wave_offset(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx1100", CO_GFX11, 32);
    f.kd.enable_sgpr_kernarg_segment_ptr = true;
    scratch(&f, 16);
    f.s.rsrc.enable_private_segment = f.s.rsrc.enable_sgpr_workgroup_id_x = true;
    shape(&f, 96, 1, 1, 32, 1, 1);
    user(&f, 2);
    init_wave(&f, 2, 0, 3);
    assert_int_equal(f.w.s[2], 2);
    assert_int_equal(f.w.s[3], 0);
    close_target(&f);
}

static void separate_ids(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    f.s.rsrc.vgpr_workitem_id = 2;
    shape(&f, 10, 6, 4, 10, 6, 4); /* 240 items, 4 waves */
    user(&f, 0);
    init_wave(&f, 0, 2, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned i = 128 + lane;
        assert_int_equal(f.w.v[lane], i % 10);
        assert_int_equal(f.w.v[64 + lane], i / 10 % 6);
        assert_int_equal(f.w.v[128 + lane], i / 60);
        assert_int_equal(f.w.v[192 + lane], 0); /* cleared */
    }
    assert_int_equal(f.w.exec, UINT64_MAX);
    init_wave(&f, 0, 3, 0);
    assert_int_equal(f.w.exec, lane_mask(240 - 192));
    assert_int_equal(f.w.s[CODE_EXEC_LO], 0xffffffff);
    assert_int_equal(f.w.s[CODE_EXEC_HI], 0xffff);
    close_target(&f);
}

static void only_the_ids_asked_for_are_set(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    f.s.rsrc.vgpr_workitem_id = 0;
    shape(&f, 8, 8, 1, 8, 8, 1);
    user(&f, 0);
    init_wave(&f, 0, 0, 0);
    assert_int_equal(f.w.v[9], 1);
    assert_int_equal(f.w.v[64 + 9], 0);
    close_target(&f);
}

static void packed_ids(void **state)
{
    static const struct {
        const char *name;
        enum co_family family;
        uint32_t lanes;
    } targets[] = {{"gfx90a", CO_GFX90A, 64},
                   {"gfx942", CO_GFX90A, 64},
                   {"gfx1100", CO_GFX11, 32},
                   {"gfx1201", CO_GFX12, 32},
                   {"gfx1201", CO_GFX12, 64}};

    (void)state;
    for (unsigned t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        struct fixture f;
        open_target(&f, targets[t].name, targets[t].family, targets[t].lanes);
        f.s.rsrc.vgpr_workitem_id = 2;
        shape(&f, 10, 6, 4, 10, 6, 4);
        user(&f, 0);
        init_wave(&f, 0, 2, 0);
        for (unsigned lane = 0; lane < f.l.lanes; lane++) {
            unsigned i = 2 * f.l.lanes + lane;
            assert_int_equal(f.w.v[lane], (i % 10) | (i / 10 % 6) << 10 | (i / 60) << 20);
            assert_int_equal(f.w.v[f.l.lanes + lane], 0);
        }
        close_target(&f);
    }
}

/* Work-items of a partial workgroup are laid out by its own size, and it has only the waves it needs. */
static void partial_workgroups(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    f.s.rsrc.vgpr_workitem_id = 1;
    f.s.rsrc.enable_sgpr_workgroup_info = true;
    shape(&f, 35, 23, 1, 16, 16, 1); /* 3 x 2 workgroups; the last is 3 x 7 */
    user(&f, 0);
    assert_int_equal(f.l.workgroup_count, 6);
    assert_int_equal(f.l.waves_per_group, 4);
    assert_int_equal(launch_group_waves(&f.l, 0), 4);
    assert_int_equal(launch_group_waves(&f.l, 2), 1); /* 3 x 16 */
    assert_int_equal(launch_group_waves(&f.l, 3), 2); /* 16 x 7 = 112 */
    assert_int_equal(launch_group_waves(&f.l, 5), 1);
    assert_int_equal(f.l.wave_count, 4 + 4 + 1 + 2 + 2 + 1);
    init_wave(&f, 5, 0, 0);
    assert_int_equal(f.w.exec, lane_mask(21));
    for (unsigned lane = 0; lane < 21; lane++) {
        assert_int_equal(f.w.v[lane], lane % 3);
        assert_int_equal(f.w.v[64 + lane], lane / 3);
    }
    assert_int_equal(f.w.v[21], 0);
    assert_int_equal(f.w.group_id[0], 2);
    assert_int_equal(f.w.group_id[1], 1);
    assert_int_equal(f.w.s[0], 1u << 31 | 1); /* first wave, one in the group */
    init_wave(&f, 3, 1, 0);
    assert_int_equal(f.w.exec, lane_mask(112 - 64));
    assert_int_equal(f.w.s[0], 2);
    close_target(&f);
}

static void shape_errors(void **state)
{
    static const struct {
        uint32_t grid[3], group[3];
        const char *part;
    } bad[] = {
        {{64, 1, 1}, {128, 1, 1}, "grid size x is 64"},    {{64, 1, 1}, {64, 2, 1}, "grid size y is 1"},
        {{64, 1, 1}, {64, 1, 0}, "workgroup size z is 0"}, {{64, 0, 1}, {64, 1, 1}, "grid size y is 0"},
        {{2048, 1, 1}, {1025, 1, 1}, "1025 work-items"},   {{70000, 1, 1}, {70000, 1, 1}, "workgroup size x is 70000"},
        {{64, 64, 64}, {32, 32, 2}, "2048 work-items"},    {{1, 70000, 1}, {1, 1, 1}, "16 bits"},
    };
    struct fixture f;

    (void)state;
    open_target(&f, "gfx1201", CO_GFX12, 32);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e = {0};
        assert_int_not_equal(launch_shape(&f.l, &f.s, bad[i].grid, bad[i].group, 1024, &e), 0);
        assert_int_equal(e.code, ERR_USAGE);
        if (!strstr(e.text, bad[i].part))
            fail_msg("'%s' lacks '%s'", e.text, bad[i].part);
    }
    close_target(&f);
}

static void mode_and_m0(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    f.l.lds_bytes = 512;
    co_rsrc_decode(&f.s.rsrc, CO_GFX8, false, 0xc0u << 12 | 1u << 21 | 1u << 23, 0, 0);
    shape(&f, 64, 1, 1, 64, 1, 1);
    user(&f, 0);
    init_wave(&f, 0, 0, 0);
    assert_int_equal(f.w.mode_reg, 0xc0 | MODE_DX10_CLAMP | MODE_IEEE);
    assert_int_equal(f.w.mode.denorm32, 0);
    assert_int_equal(f.w.mode.denorm64, 3);
    assert_int_equal(f.w.s[f.target->code_m0], 512);
    assert_int_equal(f.w.lds_bytes, 512);
    assert_int_equal(f.w.shared_aperture, LAUNCH_SHARED_APERTURE);
    close_target(&f);

    open_target(&f, "gfx1201", CO_GFX12, 32);
    co_rsrc_decode(&f.s.rsrc, CO_GFX12, true, 0xf0u << 12 | 1u << 26, 0, 0);
    shape(&f, 64, 1, 1, 64, 1, 1);
    user(&f, 0);
    init_wave(&f, 0, 0, 0);
    assert_int_equal(f.w.mode_reg, 0xf0 | MODE_FP16_OVFL | MODE_SCALAR_PREFETCH_EN);
    assert_int_equal(f.w.s[f.target->code_m0], 0);
    close_target(&f);
}

static void lds_is_cleared_by_the_first_wave_alone(void **state)
{
    struct fixture f;

    (void)state;
    open_target(&f, "gfx803", CO_GFX8, 64);
    f.l.lds_bytes = 512;
    shape(&f, 128, 1, 1, 128, 1, 1);
    user(&f, 0);
    memset(f.lds, 0x55, sizeof f.lds);
    init_wave(&f, 0, 1, 0);
    assert_int_equal(f.lds[0], 0x55);
    init_wave(&f, 0, 0, 0);
    assert_int_equal(f.lds[0], 0);
    assert_int_equal(f.lds[511], 0);
    assert_int_equal(f.lds[512], 0x55);
    close_target(&f);
}

static void registers_per_family(void **state)
{
    static const struct {
        const char *name;
        enum co_family family;
        uint32_t lanes, rsrc1, rsrc3, vgprs, agprs, sgprs;
    } cases[] = {
        {"gfx803", CO_GFX8, 64, 5 | 2 << 6, 0, 24, 0, 24},
        {"gfx803", CO_GFX8, 64, 63 | 12 << 6, 0, 256, 0, 102},
        {"gfx908", CO_GFX908, 64, 7 | 4 << 6, 0, 32, 32, 48},
        {"gfx90a", CO_GFX90A, 64, 5 | 2 << 6, 5, 24, 24, 32},
        {"gfx90a", CO_GFX90A, 64, 63, 63, 256, 256, 16},
        {"gfx90a", CO_GFX90A, 64, 63, 0, 4, 508, 16}, /* more than 256 after the accum_offset */
        {"gfx90a", CO_GFX90A, 64, 0, 63, 8, 0, 16},   /* accum_offset past the end: no AccVGPRs */
        {"gfx1201", CO_GFX12, 32, 3, 0, 32, 0, 106},
        {"gfx1201", CO_GFX12, 64, 3, 0, 16, 0, 106},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct err e = {0};
        open_target(&f, cases[i].name, cases[i].family, cases[i].lanes);
        co_rsrc_decode(&f.s.rsrc, cases[i].family, cases[i].lanes == 32, cases[i].rsrc1, 0, cases[i].rsrc3);
        assert_int_equal(launch_registers(&f.l, &f.s.rsrc, cases[i].family, &e), 0);
        assert_int_equal(f.l.nvgprs, cases[i].vgprs);
        assert_int_equal(f.l.nagprs, cases[i].agprs);
        assert_int_equal(f.l.nsgprs, cases[i].sgprs);
        close_target(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_slots_are_rounded_to_1024),
        cmocka_unit_test(gfx8_user_sgprs_in_order),
        cmocka_unit_test(gfx90a_flat_scratch_is_an_address_and_kernarg_is_preloaded),
        cmocka_unit_test(more_values_than_user_sgprs_is_an_error),
        cmocka_unit_test(more_user_sgprs_than_there_are_is_an_error),
        cmocka_unit_test(gfx12_ids_come_in_ttmps_and_scratch_in_flat_scratch),
        cmocka_unit_test(gfx11_has_ids_in_sgprs_without_a_wave_offset),
        cmocka_unit_test(separate_ids),
        cmocka_unit_test(only_the_ids_asked_for_are_set),
        cmocka_unit_test(packed_ids),
        cmocka_unit_test(partial_workgroups),
        cmocka_unit_test(shape_errors),
        cmocka_unit_test(mode_and_m0),
        cmocka_unit_test(lds_is_cleared_by_the_first_wave_alone),
        cmocka_unit_test(registers_per_family),
    };

    return cmocka_run_group_tests_name("initial wave state", tests, NULL, NULL);
}

/* Waves and workgroups that fit, against figures that LLVM 19 gives for the same registers (AMDGPUBaseInfo: wave slots,
 * register files and granules) and against plain counting for LDS and workgroups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/launch/dispatch.h"

struct occupancy_case {
    const char *profile;
    uint32_t lanes, waves_per_group, vgprs, agprs, sgprs, lds;
    bool wgp;
    uint32_t waves, groups;
    const char *limiter;
};

static const struct occupancy_case cases[] = {
    /* gfx803: 256 VGPRs in 4s, 10 slots; one-wave workgroups */
    {"gfx803", 64, 1, 24, 0, 32, 0, false, 10, 40, "wave_slots"},
    {"gfx803", 64, 1, 28, 0, 32, 0, false, 9, 36, "vgprs"},
    {"gfx803", 64, 1, 32, 0, 32, 0, false, 8, 32, "vgprs"},
    {"gfx803", 64, 1, 64, 0, 32, 0, false, 4, 16, "vgprs"},
    {"gfx803", 64, 1, 65, 0, 32, 0, false, 3, 12, "vgprs"},
    {"gfx803", 64, 1, 84, 0, 32, 0, false, 3, 12, "vgprs"},
    {"gfx803", 64, 1, 129, 0, 32, 0, false, 1, 4, "vgprs"},
    /* 800 SGPRs */
    {"gfx803", 64, 1, 24, 0, 80, 0, false, 10, 40, "wave_slots"},
    {"gfx803", 64, 1, 24, 0, 96, 0, false, 8, 32, "sgprs"},
    {"gfx803", 64, 1, 24, 0, 102, 0, false, 7, 28, "sgprs"},
    /* whole workgroups of 4 waves over 4 SIMDs: one wave each */
    {"gfx803", 64, 4, 24, 0, 32, 0, false, 10, 10, "wave_slots"},
    {"gfx803", 64, 4, 64, 0, 32, 0, false, 4, 4, "vgprs"},
    {"gfx803", 64, 16, 64, 0, 32, 0, false, 4, 1, "vgprs"},
    {"gfx803", 64, 12, 64, 0, 32, 0, false, 3, 1, "workgroup_size"},
    /* 64 KiB of LDS */
    {"gfx803", 64, 4, 24, 0, 32, 16384, false, 4, 4, "lds"},
    {"gfx803", 64, 4, 24, 0, 32, 16385, false, 3, 3, "lds"},
    {"gfx803", 64, 4, 24, 0, 32, 65536, false, 1, 1, "lds"},
    /* in pieces of 512 bytes: 25 of them five times */
    {"gfx803", 64, 4, 24, 0, 32, 12800, false, 5, 5, "lds"},
    /* gfx90a: 512 registers in 8s for both kinds, 8 slots */
    {"gfx90a", 64, 1, 64, 0, 32, 0, false, 8, 32, "wave_slots"},
    {"gfx90a", 64, 1, 65, 0, 32, 0, false, 7, 28, "vgprs"},
    {"gfx90a", 64, 1, 80, 0, 32, 0, false, 6, 24, "vgprs"},
    {"gfx90a", 64, 1, 128, 0, 32, 0, false, 4, 16, "vgprs"},
    {"gfx90a", 64, 1, 256, 0, 102, 0, false, 2, 8, "vgprs"},
    {"gfx90a", 64, 1, 512, 0, 102, 0, false, 1, 4, "vgprs"},
    {"gfx90a", 64, 1, 64, 0, 102, 0, false, 8, 32, "wave_slots"},
    /* gfx1201: 1536 (wave32) or 768 (wave64) registers in 24s and 12s, 16 slots, two SIMDs a CU */
    {"gfx1201", 32, 1, 96, 0, 106, 0, false, 16, 32, "wave_slots"},
    {"gfx1201", 32, 1, 97, 0, 106, 0, false, 12, 24, "vgprs"},
    {"gfx1201", 32, 1, 120, 0, 106, 0, false, 12, 24, "vgprs"},
    {"gfx1201", 32, 1, 256, 0, 106, 0, false, 5, 10, "vgprs"},
    {"gfx1201", 64, 1, 48, 0, 106, 0, false, 16, 32, "wave_slots"},
    {"gfx1201", 64, 1, 256, 0, 106, 0, false, 2, 4, "vgprs"},
    /* 128 KiB of LDS per WGP: half of it for a CU, all of it and four SIMDs in WGP mode */
    {"gfx1201", 32, 8, 32, 0, 106, 32768, false, 8, 2, "lds"},
    {"gfx1201", 32, 8, 32, 0, 106, 32768, true, 8, 4, "lds"},
    {"gfx1201", 32, 8, 32, 0, 106, 65536, false, 4, 1, "lds"},
    /* in pieces of 1024 bytes: 12800 bytes take 13 KiB */
    {"gfx1201", 32, 4, 32, 0, 106, 12800, false, 8, 4, "lds"},
    {"gfx1201", 32, 8, 32, 0, 106, 0, true, 16, 8, "wave_slots"},
};

static void numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct occupancy_case *c = &cases[i];
        struct launch_occupancy o;
        struct profile *p;
        struct err e = {0};
        if (profile_load(&p, c->profile, &e))
            fail_msg("%s", e.text);
        launch_occupancy_numbers(p, c->lanes, c->waves_per_group, c->vgprs, c->agprs, c->sgprs, c->lds, c->wgp, &o);
        if (o.waves_per_simd != c->waves || o.groups_per_cu != c->groups || strcmp(o.limiter, c->limiter) != 0)
            fail_msg("case %zu, %s: %u waves, %u groups, %s; expected %u, %u, %s", i, c->profile, o.waves_per_simd,
                     o.groups_per_cu, o.limiter, c->waves, c->groups, c->limiter);
        profile_free(p);
    }
}

/* A kernel can access LDS up to the end of its last granule, not only the bytes that it declares. */
static void lds_allocation_granules(void **state)
{
    static const struct {
        const char *name;
        uint32_t granule;
    } list[] = {{"gfx803", 512},  {"gfx900", 512},   {"gfx90a", 512},   {"gfx942", 512},
                {"gfx1010", 512}, {"gfx1030", 1024}, {"gfx1100", 1024}, {"gfx1201", 1024}};
    struct profile *p;
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct isa_target *t;
        assert_int_equal(isa_target_open(&t, list[i].name, NULL, &e), 0);
        assert_int_equal(launch_lds_granule(t, NULL), list[i].granule);
        if (profile_load(&p, list[i].name, &e) == 0) {
            assert_int_equal(launch_lds_granule(t, p), list[i].granule);
            profile_free(p);
        }
        isa_target_close(t);
    }
    assert_int_equal(profile_load(&p, "gfx803", &e), 0);
    p->cu.lds_granule_bytes = 1280; /* the granule of gfx950 */
    assert_int_equal(launch_lds_granule(NULL, p), 1280);
    profile_free(p);
}

static void what_does_not_fit_is_an_error(void **state)
{
    struct launch l = {.lanes = 64, .nvgprs = 256, .nsgprs = 32, .waves_per_group = 8};
    struct profile *p;
    struct err e = {0};

    (void)state;
    assert_int_equal(profile_load(&p, "gfx803", &e), 0);
    l.profile = p;
    assert_int_not_equal(launch_set_occupancy(&l, &e), 0); /* 8 waves of 256 VGPRs on four SIMDs */
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "256 VGPRs"));
    assert_non_null(strstr(e.text, p->name));
    l.nvgprs = 128;
    err_clear(&e);
    assert_int_equal(launch_set_occupancy(&l, &e), 0);
    l.lds_bytes = 65537;
    assert_int_not_equal(launch_set_occupancy(&l, &e), 0);
    assert_non_null(strstr(e.text, "65537 bytes of LDS"));
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(lds_allocation_granules),
        cmocka_unit_test(what_does_not_fit_is_an_error),
    };

    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}

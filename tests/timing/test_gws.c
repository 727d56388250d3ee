/* Global wave sync to the cycle: a wave that is let go issues when the last arrival has travelled as a message, and the
 * release as the start of a wave; not a cycle before. */
#include "isa/gws.h"
#include "tests/timing/rig.h"

enum { G10_END = 0xbf810000 };

/* The first cycle from `at` on in which SIMD `simd` of a GCN compute unit issues. */
static cycle_t turn(const struct rig *r, cycle_t at, uint32_t simd)
{
    return r->launch.lanes == 32 ? at : at + (simd + 4 - at % 4) % 4;
}

/* Four waves of a workgroup; the counter says how many wait. */
static void barrier_release(void **state)
{
    static const char gcn[] = "ds_gws_barrier v0 gds; s_nop 0; s_endpgm";
    static const char g10[] = "ds_gws_barrier v0 gds; s_nop 0; s_endpgm";
    static const struct {
        const char *target;
        const char *text;
        uint32_t lanes;
    } family[] = {{"gfx90a", gcn, 64}, {"gfx803", gcn, 64}, {"gfx1030", g10, 32}};

    (void)state;
    for (unsigned k = 0; k < sizeof family / sizeof family[0]; k++)
        for (uint32_t message = 20; message <= 53; message += 33) {
            struct rig *r = rig_text(family[k].target, family[k].text, family[k].lanes, 4);
            struct isa_gws gws;
            cycle_t open = 0;

            isa_gws_init(&gws);
            isa_gws_set(&gws, 0, 3);
            r->launch.gws = &gws;
            r->profile.cls[OPC_MESSAGE].latency_cycles = message;
            rig_run(r);
            assert_int_equal(r->status, 0);
            assert_int_equal(r->result.outcome, ENGINE_DONE);
            for (uint32_t w = 0; w < 4; w++)
                if (rig_issue_of(r, w, 0, 0) > open)
                    open = rig_issue_of(r, w, 0, 0);
            open += message + r->profile.frontend.launch_latency_cycles;
            for (uint32_t w = 0; w < 4; w++)
                assert_int_equal(rig_issue_of(r, w, 2, 0), turn(r, open, w));
            assert_true(rig_stall(r, "barrier") > 0);
            isa_gws_destroy(&gws);
            rig_free(r);
        }
}

/* A permit that is there costs the same way; one that comes later is waited for. */
static void semaphores(void **state)
{
    static const char take[] = "ds_gws_sema_p gds; s_nop 0; s_endpgm";
    static const char give[] = "ds_gws_sema_p gds; s_nop 0; ds_gws_sema_v gds; s_endpgm";

    (void)state;
    struct rig *r = rig_text("gfx90a", take, 64, 1);
    struct isa_gws gws;
    uint32_t way = r->profile.cls[OPC_MESSAGE].latency_cycles + r->profile.frontend.launch_latency_cycles;

    isa_gws_init(&gws);
    isa_gws_set(&gws, 0, 1);
    r->launch.gws = &gws;
    rig_run(r);
    assert_int_equal(rig_issue_of(r, 0, 2, 0), turn(r, rig_issue_of(r, 0, 0, 0) + way, 0));
    assert_int_equal(gws.r[0].counter, 0);
    rig_free(r);

    /* two waves and one permit: the second goes on when the first has given it back */
    r = rig_text("gfx90a", give, 64, 2);
    isa_gws_set(&gws, 0, 1);
    r->launch.gws = &gws;
    rig_run(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    assert_int_equal(rig_issue_of(r, 1, 2, 0), turn(r, rig_issue_of(r, 0, 3, 0) + way, 1));
    isa_gws_destroy(&gws);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier_release),
        cmocka_unit_test(semaphores),
    };
    return cmocka_run_group_tests_name("global wave sync in time", tests, NULL, NULL);
}

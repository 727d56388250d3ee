/* Barriers in LDS (gfx1250): ds_atomic_barrier_arrive_rtn_b64 and ds_atomic_async_barrier_arrive_b64 against arrivals
 * that are counted one by one. That waves wait and are woken by them is test_barriers.c's. */
#include "tests/unit/isa/harness.h"

struct barrier {
    uint32_t pending, phase, reload;
};

static uint64_t state_of(struct barrier b)
{
    return b.pending | (uint64_t)b.phase << 29 | (uint64_t)b.reload << 32;
}

/* One arrival; true when it ends the phase. */
static bool arrives(struct barrier *b)
{
    if (b->pending--)
        return false;
    b->phase = b->phase ? b->phase - 1 : 7;
    b->pending = b->reload;
    return true;
}

enum { AT = 0x48, OFFSET = 16 };

/* Lanes of `exec` arrive at one barrier, lane l `count + l % spread` times (async: once). */
static void check(struct rig *r, struct barrier b, uint32_t exec, bool async, unsigned count, unsigned spread)
{
    uint64_t state = state_of(b), old[32];
    bool ends = false;

    memcpy(r->lds + AT, &state, 8);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(r, 3, l, AT - OFFSET);
        rig_v(r, 4, l, count + l % spread);
        rig_v(r, 5, l, 0);
        rig_v(r, 6, l, 0xa5a5a5a5);
        old[l] = state_of(b);
        for (unsigned k = 0; exec >> l & 1 && k < (async ? 1 : count + l % spread); k++)
            ends |= arrives(&b);
    }
    isa_set_exec(&r->w, exec);
    enum isa_status st = async ? rig_try(r, (uint32_t[]){0xd9580000 | OFFSET, 3}, 2)
                               : rig_try(r, (uint32_t[]){0xd9d40000 | OFFSET, 0x06000403}, 2);
    assert_int_equal(st, ends ? ISA_WAKEUP : ISA_OK);
    assert_memory_equal(r->lds + AT, (uint64_t[]){state_of(b)}, 8);
    assert_int_equal(r->fx.kind, FX_LDS);
    assert_int_equal(r->fx.lds_mask, exec);
    for (unsigned l = 0; l < 32; l++) {
        uint64_t got = rig_getv(r, 6, l) | (uint64_t)rig_getv(r, 7, l) << 32;
        if (async || !(exec >> l & 1))
            assert_int_equal((uint32_t)got, 0xa5a5a5a5);
        else if (got != old[l])
            fail_msg("lane %u: 0x%llx, expected 0x%llx", l, (unsigned long long)got, (unsigned long long)old[l]);
    }
}

static void arrivals(void **state)
{
    static const struct barrier b[] = {{0, 0, 0},  {0, 7, 0},  {31, 0, 31},        {30, 3, 31},    {3, 1, 4},
                                       {31, 2, 5}, {32, 0, 9}, {0x1fffffff, 5, 3}, {0, 1, 0xffff}, {1, 0, 2}};
    static const uint32_t exec[] = {UINT32_MAX, 1, 0x80000000, 0x5a5a00ff};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", 32);
    for (size_t k = 0; k < sizeof b / sizeof b[0]; k++)
        for (size_t e = 0; e < sizeof exec / sizeof exec[0]; e++) {
            check(&r, b[k], exec[e], true, 1, 1);
            for (unsigned count = 0; count < 40; count += 13) {
                check(&r, b[k], exec[e], false, count, 1);
                check(&r, b[k], exec[e], false, count, 5);
            }
        }
    rig_close(&r);
}

/* Where a lane's barrier is not inside LDS, nothing happens and the old state is zero. One that is not aligned is a
 * fault. */
static void outside(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", 32);
    r.w.lds_bytes = 64;
    memset(r.lds, 0, 128);
    rig_vall(&r, 3, 64);
    rig_vall(&r, 4, 1);
    rig_vall(&r, 5, 0);
    rig_vall(&r, 6, 0xa5a5a5a5);
    isa_set_exec(&r.w, UINT32_MAX);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd9d40000, 0x06000403}, 2), ISA_OK);
    assert_int_equal(rig_getv(&r, 6, 0), 0);
    assert_int_equal(r.lds[64], 0);
    rig_vall(&r, 3, 4);
    assert_int_equal(rig_try(&r, (uint32_t[]){0xd9d40000, 0x06000403}, 2), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    rig_close(&r);
}

/* What each raises and so what a program waits for. */
static void counters(void **state)
{
    struct rig r;
    struct isa_inst i;
    (void)state;

    rig_open(&r, "gfx1250", 32);
    assert_true(isa_decode(r.t, (const uint8_t *)(uint32_t[]){0xd9580000, 3}, 8, &i, NULL));
    assert_int_equal(isa_inst_counters(r.t, &i), 1u << WAIT_ASYNC);
    assert_true(isa_decode(r.t, (const uint8_t *)(uint32_t[]){0xd9d40000, 0x06000403}, 8, &i, NULL));
    assert_int_equal(isa_inst_counters(r.t, &i), 1u << WAIT_DS);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals),
        cmocka_unit_test(outside),
        cmocka_unit_test(counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

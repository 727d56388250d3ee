/* Block loads and stores of gfx12: dword k of a lane's block goes to or from register k, for the bits k of M0 that are
 * set. They take lines, bytes and time as so many dword instructions do. */
#include <inttypes.h>

#include "tests/timing/rdna_rig.h"

enum {
    REGISTERS = 64,
    S_WAIT_LOADCNT_0 = 0xbfc00000,
    V_MUL_V0_V0 = 0x160000ff, /* v_mul_u32_u24 v0, literal, v0 */
    S_MOV_M0 = 0xbefd00ff,    /* literal */
};

/* v8 and up, at s[0:1] + v0 or private byte v0 */
enum { LOAD = 1, SCRATCH = 2 };

static unsigned put_access(uint32_t *code, unsigned opcode, unsigned kind, unsigned reg, uint32_t offset)
{
    code[0] = (kind & SCRATCH ? 0xed00007c : 0xee000000) | opcode << 14;
    code[1] = kind & LOAD ? reg : reg << 23;
    code[1] |= kind & SCRATCH ? 1u << 17 : 0;
    code[2] = offset << 8;
    return 3;
}

static unsigned put_block(uint32_t *code, unsigned kind)
{
    return put_access(code, kind & LOAD ? 0x53 : 0x54, kind, 8, 0);
}

static unsigned put_dword(uint32_t *code, unsigned kind, unsigned k)
{
    return put_access(code, kind & LOAD ? 0x14 : 0x1a, kind, 8 + k, 4 * k);
}

struct program {
    uint32_t code[RIG_MAX_WORDS];
    unsigned words;
};

static void begin(struct program *p, uint32_t stride, uint32_t m0)
{
    *p = (struct program){.code = {V_MUL_V0_V0, stride, S_MOV_M0, m0}, .words = 4};
}

static struct rig *end(struct program *p, uint32_t lanes)
{
    static const char tail[] = "s_wait_loadcnt 0x0; s_wait_storecnt 0x0; s_endpgm";
    struct rig *r;

    memcpy(p->code + p->words, BYTES("gfx1201", tail));
    p->words += assemble("gfx1201", tail).words;
    r = queued("gfx1201", p->code, p->words, lanes, 1);
    r->launch.nvgprs = r->launch.occupancy.vgpr_alloc = REGISTERS;
    r->state.scratch_base = r->data;
    r->state.scratch_bytes_per_lane = 512;
    r->state.scratch_wave_bytes = 512 * 64;
    r->launch.scratch_slots = 1;
    r->state.user_sgprs[0] += 2048; /* room for what lies before */
    return r;
}

struct totals {
    uint64_t lines, bytes, accesses;
};

static struct totals totals_of(struct rig *r)
{
    struct totals t = {.accesses = r->accesses[MEM_PORT_VECTOR]};

    for (unsigned k = 0; k < r->result.memory_inst_count; k++) {
        t.lines += r->result.memory_inst[k].stat[STAT_INST_LINES];
        t.bytes += r->result.memory_inst[k].stat[STAT_INST_BYTES];
    }
    return t;
}

/* Every other byte of memory differs, so that what is loaded into the wrong place shows. */
static void fill(struct rig *r)
{
    for (unsigned k = 0; k < 65536 / 4; k++) {
        uint32_t v = k * 0x9e3779b9u;

        assert_int_equal(mem_space_write(&r->space, r->data + 4 * k, &v, 4, &r->err), 0);
    }
}

static uint64_t memory_sum(struct rig *r)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < 65536 / 4; k++) {
        uint32_t v;

        assert_int_equal(mem_space_read(&r->space, r->data + 4 * k, &v, 4, &r->err), 0);
        sum = (sum ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/* The block, or the dword instructions that it stands for; a store comes after a load, so that memory shows both. */
static struct totals run_one(uint32_t mask, uint32_t stride, unsigned kind, uint32_t lanes, bool block, uint64_t *sum)
{
    struct program p;
    struct totals t;
    struct rig *r;

    begin(&p, stride, mask);
    if (block)
        p.words += put_block(p.code + p.words, kind);
    for (uint32_t m = block ? 0 : mask; m; m &= m - 1)
        p.words += put_dword(p.code + p.words, kind, (unsigned)__builtin_ctz(m));
    r = end(&p, lanes);
    if (kind & LOAD) { /* and shows what it has loaded */
        p.words -= 3;
        p.code[p.words++] = S_WAIT_LOADCNT_0;
        for (unsigned k = 0; k < 2; k++)
            p.words += put_access(p.code + p.words, 0x1d, kind & ~(unsigned)LOAD, 8 + 4 * (7 * k), 16 * k);
        rig_free(r);
        r = end(&p, lanes);
    }
    fill(r);
    rig_run(r);
    assert_int_equal(r->status, 0);
    if (r->result.outcome != ENGINE_DONE)
        fail_msg("mask %x, stride %u, kind %u: %s", mask, stride, kind, r->result.message);
    t = totals_of(r);
    *sum = memory_sum(r);
    rig_free(r);
    return t;
}

static void masks_are_as_many_dwords(void **state)
{
    static const uint32_t strides[] = {0, 4, 130, 126};
    uint32_t masks[32 + 8] = {0x1f, 0, 0xffffffff, 0x55555555, 0xaaaaaaaa, 0x80000001, 0xf00ff00f, 0x7ffffffe};

    (void)state;
    for (unsigned k = 0; k < 32; k++)
        masks[8 + k] = k & 1 ? 1u << k : (2u << k) - 1;
    for (unsigned m = 0; m < sizeof masks / sizeof masks[0]; m++)
        for (unsigned s = 0; s < sizeof strides / sizeof strides[0]; s++)
            for (unsigned kind = 0; kind < 4; kind++)
                for (uint32_t lanes = m % 4 ? 32 : 64; lanes <= 64; lanes += 64) {
                    uint64_t sum[2];
                    /* private memory has 512 bytes a lane */
                    uint32_t stride = kind & SCRATCH ? strides[s] % 8 : strides[s];
                    struct totals a = run_one(masks[m], stride, kind, lanes, true, &sum[0]),
                                  b = run_one(masks[m], stride, kind, lanes, false, &sum[1]);

                    if (sum[0] != sum[1])
                        fail_msg("mask %x, stride %u, kind %u: memory differs", masks[m], stride, kind);
                    if (a.lines != b.lines || a.bytes != b.bytes || a.accesses != b.accesses)
                        fail_msg("mask %x, stride %u, kind %u, wave%u: %" PRIu64 " lines, %" PRIu64 " bytes; %" PRIu64
                                 ", %" PRIu64 " of dwords",
                                 masks[m], stride, kind, lanes, a.lines, a.bytes, b.lines, b.bytes);
                }
}

/* Lanes 128 bytes apart: 32 lines for each dword, one sent in a cycle. */
static void a_pass_for_each_dword(void **state)
{
    static const uint32_t masks[] = {1, 3, 0x80000000, 0x1f, 0x80000011, 0xffffffff};
    cycle_t first = 0;

    (void)state;
    for (unsigned k = 0; k < sizeof masks / sizeof masks[0]; k++) {
        struct program p;
        struct rig *r;
        cycle_t wait;

        begin(&p, 128, masks[k]);
        p.words += put_block(p.code + p.words, LOAD);
        r = end(&p, 32);
        run_both(r);
        assert_int_equal(r->result.outcome, ENGINE_DONE);
        wait = rig_at(r, 8) - rig_at(r, 4); /* s_wait_storecnt, after s_wait_loadcnt */
        if (!k)
            first = wait;
        assert_true(first >= 32 + 100);
        assert_int_equal(wait, first + 32 * ((unsigned)__builtin_popcount(masks[k]) - 1));
        rig_free(r);
    }
}

/* As many lines as there can be: 32 dwords of 64 lanes, each on two lines, in a queue that is full but for one. */
static void the_queue_has_room(void **state)
{
    struct program p;
    struct rig *r;

    (void)state;
    begin(&p, 128, 0xffffffff);
    for (unsigned k = 0; k < 24; k++)
        p.words += put_block(p.code + p.words, k % 3 ? 0 : LOAD);
    r = end(&p, 64);
    r->state.user_sgprs[0] += 2;
    r->profile.cache[LEVEL_VL0].line_bytes = 16;
    run_both(r);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_as_many_dwords),
        cmocka_unit_test(a_pass_for_each_dword),
        cmocka_unit_test(the_queue_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

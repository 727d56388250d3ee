/* Scalar atomics of gfx9 and gfx10.1, and blocks of registers of gfx12. Values from the pseudocode of the vector
 * atomics (CDNA4 ISA), which the scalar ones share by Vega ISA, and of GLOBAL_LOAD_BLOCK (RDNA4 ISA). */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(x)   (sizeof(x) / sizeof(x)[0])

struct atomic_case {
    unsigned op;
    uint64_t old, data, cmp, fresh32, fresh64;
};

/* the low halves serve the 32-bit forms */
static const struct atomic_case atomics[] = {
    {0x0, 0x1111111122222222, 0x3333333344444444, 0, 0x44444444, 0x3333333344444444},
    {0x1, 0x1111111122222222, 0x3333333344444444, 0x1111111122222222, 0x44444444, 0x3333333344444444},
    {0x1, 0x1111111122222222, 0x3333333344444444, 0x1111111122222223, 0x22222222, 0x1111111122222222},
    {0x2, 0x00000000ffffffff, 0x0000000000000002, 0, 1, 0x0000000100000001},
    {0x3, 0x0000000100000000, 0x0000000000000001, 0, 0xffffffff, 0x00000000ffffffff},
    {0x4, 0x8000000080000000, 0x0000000000000001, 0, 0x80000000, 0x8000000080000000},
    {0x5, 0x8000000080000000, 0x0000000000000001, 0, 1, 1},
    {0x6, 0x8000000080000000, 0x0000000000000001, 0, 1, 1},
    {0x7, 0x8000000080000000, 0x0000000000000001, 0, 0x80000000, 0x8000000080000000},
    {0x8, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0x0f000f00, 0x0f000f000f000f00},
    {0x9, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0xfff0fff0, 0xfff0fff0fff0fff0},
    {0xa, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0xf0f0f0f0, 0xf0f0f0f0f0f0f0f0},
    {0xb, 0x0000000500000005, 0x0000000500000005, 0, 0, 0},
    {0xb, 0x0000000400000004, 0x0000000500000005, 0, 5, 0x0000000400000005},
    {0xc, 0x0000000000000000, 0x0000000500000005, 0, 5, 0x0000000500000005},
    {0xc, 0x0000000400000004, 0x0000000500000005, 0, 3, 0x0000000400000003},
    {0xc, 0x0000000600000006, 0x0000000500000005, 0, 5, 0x0000000500000005},
};

static void set64(uint32_t *s, uint64_t v)
{
    s[0] = (uint32_t)v;
    s[1] = (uint32_t)(v >> 32);
}

static void check_atomic(struct rig *r, const struct atomic_case *a, bool wide, bool buffer, bool glc)
{
    bool gfx10 = r->t->layout == LAYOUT_GFX10;
    unsigned op = (buffer ? 0x40 : 0x80) + (wide ? 0x20 : 0) + a->op;
    /* s_atomic_* s20.., s[4:5], 0x10; s_buffer_atomic_* s20.., s[8:11], 0x10 */
    uint32_t words[2] = {(gfx10 ? 0xf4000000u : 0xc0020000u) | (buffer ? 0x504u : 0x502u) | op << 18 |
                             (uint32_t)glc << 16,
                         gfx10 ? 0xfa000010u : 0x10};
    uint64_t got = 0;

    memset(r->mem, 0xee, 64);
    memcpy(r->mem + 0x10, &a->old, 8);
    set64(&r->w.s[4], RIG_MEM);
    set64(&r->w.s[8], RIG_MEM);
    r->w.s[10] = 64;
    r->w.s[11] = 0;
    set64(&r->w.s[20], wide ? a->data : (a->data & 0xffffffff) | a->cmp << 32);
    set64(&r->w.s[22], a->cmp);
    uint32_t before[2] = {r->w.s[20], r->w.s[21]};
    rig_run(r, words, 2);
    memcpy(&got, r->mem + 0x10, wide ? 8 : 4);
    if (got != (wide ? a->fresh64 : a->fresh32))
        fail_msg("%s, op 0x%x: 0x%llx in memory", r->t->name, op, (unsigned long long)got);
    if (!wide)
        assert_memory_equal(r->mem + 0x14, (const uint8_t *)&a->old + 4, 4);
    assert_int_equal(r->w.s[20], glc ? (uint32_t)a->old : before[0]);
    assert_int_equal(r->w.s[21], glc && wide ? (uint32_t)(a->old >> 32) : before[1]);
    assert_int_equal(r->fx.kind, FX_SCALAR);
    assert_int_equal(r->fx.op, MEM_ATOMIC);
    assert_int_equal(r->fx.returns, glc);
    assert_int_equal(r->fx.addr[0], RIG_MEM + 0x10);
}

static void test_every_atomic(void **state)
{
    static const char *const targets[] = {"gfx900", "gfx90a", "gfx1010"};
    struct rig r;
    (void)state;

    for (unsigned t = 0; t < COUNT(targets); t++) {
        rig_open(&r, targets[t], 64);
        isa_set_exec(&r.w, 0); /* which is none of theirs */
        for (unsigned k = 0; k < 8 * COUNT(atomics); k++)
            check_atomic(&r, &atomics[k / 8], k & 1, k & 2, k & 4);
        rig_close(&r);
    }
}

static void test_atomic_limits(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    /* out of its buffer nothing happens, and zero comes back */
    set64(&r.w.s[8], RIG_MEM);
    r.w.s[10] = 0x20;
    r.w.s[11] = 0;
    r.w.s[20] = 5;
    memset(r.mem, 0x11, 64);
    rig_run(&r, WORDS(/* s_buffer_atomic_add s20, s[8:11], 0x20 glc */ 0xc10b0504, 0x00000020));
    assert_int_equal(load_u32(r.mem + 0x20), 0x11111111);
    assert_int_equal(r.w.s[20], 0);
    /* the offset register adds to the address */
    set64(&r.w.s[4], RIG_MEM + 8);
    r.w.s[6] = 0x18;
    r.w.s[20] = 0x100;
    rig_run(&r, WORDS(/* s_atomic_dec s20, s[4:5], s6 glc */ 0xc2310502, 0x00000006));
    assert_int_equal(load_u32(r.mem + 0x20), 0x100);
    assert_int_equal(r.w.s[20], 0x11111111);
    /* eight bytes at a multiple of four */
    set64(&r.w.s[4], RIG_MEM + 4);
    assert_int_equal(rig_try(&r, WORDS(/* s_atomic_cmpswap_x2 s[20:23], s[4:5], 0x10 glc */ 0xc2870502, 0x00000010)),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    set64(&r.w.s[4], 0x100);
    assert_int_equal(rig_try(&r, WORDS(/* s_atomic_add s20, s[4:5], 0x10 */ 0xc20a0502, 0x00000010)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    assert_true(r.w.fault.write);
    rig_close(&r);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void test_global_blocks(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    for (unsigned k = 0; k < 65536; k += 4)
        memcpy(r.mem + k, &k, 4);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, (uint32_t)RIG_MEM + 200 * l);
        rig_v(&r, 3, l, 0);
    }
    for (unsigned k = 40; k < 72; k++)
        rig_vall(&r, k, 0xbad00000 + k);
    r.w.s[r.t->code_m0] = 0x80010005;
    isa_set_exec(&r.w, 0xfffffffe);
    rig_run(&r, WORDS(/* global_load_block v[40:71], v[2:3], off offset:8 */ 0xee14c07c, 0x00000028, 0x00000802));
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 32; k++) {
            bool in = (0x80010005u >> k & 1) && l;
            assert_int_equal(rig_getv(&r, 40 + k, l), in ? 200 * l + 8 + 4 * k : 0xbad00000 + 40 + k);
        }
    rig_run(&r, WORDS(/* global_store_block v[2:3], v[40:71], off */ 0xee15007c, 0x14000000, 0x00000002));
    for (unsigned k = 0; k < 32; k++)
        assert_int_equal(load_u32(r.mem + 400 + 4 * k), 0x80010005u >> k & 1 ? 408 + 4 * k : 400 + 4 * k);
    assert_int_equal(load_u32(r.mem), 0);
    assert_int_equal(r.fx.op, MEM_STORE);
    /* four dwords of each lane, four bytes from the place of one to that of the next */
    assert_int_equal(isa_effects_pieces(&r.fx), 0x80010005);
    assert_int_equal(isa_effects_piece_bytes(&r.fx), 4);
    assert_int_equal(r.fx.bytes, 16);
    assert_int_equal(r.fx.dword_step, 4);
    /* only registers with a bit of M0 need to be there, and none without any */
    r.w.nvgprs = 44;
    assert_int_equal(rig_try(&r, WORDS(0xee14c07c, 0x00000028, 0x00000802)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    r.w.s[r.t->code_m0] = 8;
    rig_run(&r, WORDS(0xee14c07c, 0x00000028, 0x00000802));
    assert_int_equal(rig_getv(&r, 43, 1), 200 + 8 + 12);
    assert_int_equal(isa_effects_pieces(&r.fx), 8);
    assert_int_equal(r.fx.bytes, 4);
    r.w.s[r.t->code_m0] = 0;
    rig_vall(&r, 3, 0x7777);
    rig_run(&r, WORDS(0xee14c07c, 0x00000028, 0x00000802));
    rig_close(&r);
}

static void test_scratch_blocks(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    r.w.scratch_base = RIG_MEM;
    r.w.scratch_bytes = 256;
    r.w.s[3] = 32;
    for (unsigned k = 40; k < 72; k++)
        for (unsigned l = 0; l < 32; l++)
            rig_v(&r, k, l, k << 8 | l);
    r.w.s[r.t->code_m0] = 0x21;
    rig_run(&r, WORDS(/* scratch_store_block off, v[40:71], s3 offset:16 */ 0xed150003, 0x14000000, 0x00001000));
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(load_u32(r.mem + 48 * 32 + 4 * l), 40u << 8 | l);
        assert_int_equal(load_u32(r.mem + 52 * 32 + 4 * l), 0);
        assert_int_equal(load_u32(r.mem + 68 * 32 + 4 * l), 45u << 8 | l);
    }
    assert_int_equal(isa_effects_pieces(&r.fx), 0x21);
    assert_int_equal(r.fx.dword_step, 4 * 32);
    assert_true(r.fx.addr[1] == RIG_MEM + 48 * 32 + 4);
    rig_vall(&r, 2, 48);
    r.w.s[r.t->code_m0] = 0x22;
    rig_run(&r, WORDS(/* scratch_load_block v[40:71], v2, off */ 0xed14c07c, 0x00020028, 0x00000002));
    assert_int_equal(rig_getv(&r, 40, 7), 40u << 8 | 7);
    assert_int_equal(rig_getv(&r, 41, 7), 0);
    assert_int_equal(rig_getv(&r, 45, 7), 45u << 8 | 7);
    rig_vall(&r, 2, 232);
    assert_int_equal(rig_try(&r, WORDS(0xed14c07c, 0x00020028, 0x00000002)), ISA_OK);
    rig_vall(&r, 2, 236);
    assert_int_equal(rig_try(&r, WORDS(0xed14c07c, 0x00020028, 0x00000002)), ISA_FAULT);
    assert_true(r.w.fault.in_scratch);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_atomic),
        cmocka_unit_test(test_atomic_limits),
        cmocka_unit_test(test_global_blocks),
        cmocka_unit_test(test_scratch_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

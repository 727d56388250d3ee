/* Scalar memory. Words are llvm-mc-19's for the text beside them. */
#include "tests/unit/isa/harness.h"

/* The text is for the reader. */
#define WORDS(TEXT, ...)                                                                                               \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* Memory dword k holds 0x1000 + k; s[2:3] is RIG_MEM + 64 (dword 16), s4 a free offset register. */
static void open_rig(struct rig *r, const char *target)
{
    rig_open(r, target, !strncmp(target, "gfx1", 4) ? 32 : 64);
    for (uint32_t k = 0; k < 16384; k++) {
        uint32_t v = 0x1000 + k;
        memcpy(r->mem + 4 * k, &v, 4);
    }
    r->w.s[2] = (uint32_t)RIG_MEM + 64;
    r->w.s[3] = 0;
}

struct load {
    const char *target;
    uint32_t words[2];
    uint32_t s4;
    unsigned dst, dwords, first; /* s[dst..] get memory dwords first, first + 1 ... */
};

static void test_loads(void **state)
{
    (void)state;
    static const struct load v[] = {
        {"gfx803", WORDS("s_load_dword s20, s[2:3], 0x0", 0xc0020501, 0x00000000), 0, 20, 1, 16},
        {"gfx803", WORDS("s_load_dwordx2 s[20:21], s[2:3], 0x10", 0xc0060501, 0x00000010), 0, 20, 2, 20},
        {"gfx803", WORDS("s_load_dwordx4 s[20:23], s[2:3], s4", 0xc0080501, 0x00000004), 8, 20, 4, 18},
        {"gfx803", WORDS("s_load_dwordx8 s[20:27], s[2:3], 0x800", 0xc00e0501, 0x00000800), 0, 20, 8, 528},
        {"gfx803", WORDS("s_load_dwordx16 s[20:35], s[2:3], 0x0", 0xc0120501, 0x00000000), 0, 20, 16, 16},
        {"gfx803", WORDS("s_load_dwordx2 vcc, s[2:3], 0x0", 0xc0061a81, 0x00000000), 0, CODE_VCC_LO, 2, 16},
        /* the low bits of every part are ignored */
        {"gfx803", WORDS("s_load_dword s20, s[2:3], s4", 0xc0000501, 0x00000004), 7, 20, 1, 17},
        {"gfx803", WORDS("s_load_dword s20, s[2:3], 0x7", 0xc0020501, 0x00000007), 0, 20, 1, 17},
        {"gfx900", WORDS("s_load_dword s20, s[2:3], -0x40", 0xc0020501, 0x001fffc0), 0, 20, 1, 0},
        {"gfx900", WORDS("s_load_dword s20, s[2:3], s4 offset:0x8", 0xc0024501, 0x08000008), 4, 20, 1, 19},
        {"gfx90a", WORDS("s_load_dwordx4 s[20:23], s[2:3], s4", 0xc0080501, 0x00000004), 4, 20, 4, 17},
        {"gfx1030", WORDS("s_load_dwordx2 s[20:21], s[2:3], s4 offset:0x4", 0xf4040501, 0x08000004), 8, 20, 2, 19},
        {"gfx1030", WORDS("s_load_dword s20, s[2:3], -0x4", 0xf4000501, 0xfa1ffffc), 0, 20, 1, 15},
        {"gfx1100", WORDS("s_load_b256 s[20:27], s[2:3], 0x20", 0xf40c0501, 0xf8000020), 0, 20, 8, 24},
        {"gfx1201", WORDS("s_load_b32 s20, s[2:3], 0x0", 0xf4000501, 0xf8000000), 0, 20, 1, 16},
        {"gfx1201", WORDS("s_load_b96 s[20:22], s[2:3], 0x4", 0xf400a501, 0xf8000004), 0, 20, 3, 17},
        {"gfx1201", WORDS("s_load_b512 s[20:35], s[2:3], s4 offset:-0x4", 0xf4008501, 0x08fffffc), 8, 20, 16, 17},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        open_rig(&r, v[k].target);
        r.w.s[4] = v[k].s4;
        uint32_t before = r.w.s[v[k].dst + v[k].dwords];
        rig_run(&r, v[k].words, 2);
        for (unsigned d = 0; d < v[k].dwords; d++)
            assert_int_equal(r.w.s[v[k].dst + d], 0x1000 + v[k].first + d);
        assert_int_equal(r.w.s[v[k].dst + v[k].dwords], before);
        assert_int_equal(r.fx.kind, FX_SCALAR);
        assert_int_equal(r.fx.op, MEM_SCALAR);
        assert_int_equal(r.fx.bytes, v[k].dwords * 4);
        assert_int_equal(r.fx.addr[0], RIG_MEM + 4 * v[k].first);
        rig_close(&r);
    }
}

static void test_narrow_loads(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[2];
        uint32_t want, bytes;
    } v[] = {
        {WORDS("s_load_u8 s20, s[2:3], 0x1", 0xf4012501, 0xf8000001), 0x92, 1},
        {WORDS("s_load_i8 s20, s[2:3], 0x1", 0xf4010501, 0xf8000001), 0xffffff92, 1},
        {WORDS("s_load_u16 s20, s[2:3], 0x2", 0xf4016501, 0xf8000002), 0x8070, 2},
        {WORDS("s_load_i16 s20, s[2:3], 0x2", 0xf4014501, 0xf8000002), 0xffff8070, 2},
        {WORDS("s_buffer_load_u8 s20, s[8:11], 0x3", 0xf4032504, 0xf8000003), 0x80, 1},
        {WORDS("s_buffer_load_i16 s20, s[8:11], 0x0", 0xf4034504, 0xf8000000), 0xffff92b1, 2},
        {WORDS("s_buffer_load_u16 s20, s[8:11], 0x6", 0xf4036504, 0xf8000006), 0, 0}, /* past the end */
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;
        open_rig(&r, "gfx1201");
        memcpy(r.mem + 64, "\xb1\x92\x70\x80", 4);
        r.w.s[8] = r.w.s[2];
        r.w.s[9] = 0;
        r.w.s[10] = 6;
        r.w.s[20] = 5;
        rig_run(&r, v[k].words, 2);
        assert_int_equal(r.w.s[20], v[k].want);
        assert_int_equal(r.fx.kind, v[k].bytes ? FX_SCALAR : FX_NONE);
        if (v[k].bytes)
            assert_int_equal(r.fx.bytes, v[k].bytes);
        rig_close(&r);
    }
}

static void test_buffer_loads(void **state)
{
    (void)state;
    static const uint32_t x4[] = WORDS("s_buffer_load_dwordx4 s[20:23], s[8:11], 0x8", 0xc02a0504, 0x00000008),
                          by_reg[] =
                              WORDS("s_buffer_load_b64 s[20:21], s[8:11], s4 offset:0x4", 0xf4022504, 0x08000004);
    struct rig r;

    open_rig(&r, "gfx803");
    r.w.s[8] = (uint32_t)RIG_MEM;
    r.w.s[9] = 0; /* stride 0: records are bytes */
    r.w.s[10] = 16;
    rig_run(&r, x4, 2);
    assert_int_equal(r.w.s[20], 0x1002);
    assert_int_equal(r.w.s[21], 0x1003);
    assert_int_equal(r.w.s[22], 0); /* dwords past the end read as 0 */
    assert_int_equal(r.w.s[23], 0);
    assert_int_equal(r.fx.bytes, 8);
    r.w.s[9] = 8 << 16; /* stride 8: three records are 24 bytes */
    r.w.s[10] = 3;
    rig_run(&r, x4, 2);
    assert_int_equal(r.w.s[23], 0x1005);
    r.w.s[10] = 0;
    r.w.s[8] = 0x1234; /* nothing of an empty buffer is touched, wherever it is */
    rig_run(&r, x4, 2);
    assert_int_equal(r.w.s[20], 0);
    assert_int_equal(r.fx.kind, FX_NONE);
    rig_close(&r);

    open_rig(&r, "gfx1201");
    r.w.s[8] = (uint32_t)RIG_MEM;
    r.w.s[9] = 0;
    r.w.s[10] = 0xffffffff;
    r.w.s[4] = 400;
    rig_run(&r, by_reg, 2);
    assert_int_equal(r.w.s[20], 0x1000 + 101);
    assert_int_equal(r.w.s[21], 0x1000 + 102);
    rig_close(&r);

    open_rig(&r, "gfx1250");
    r.w.s[8] = (uint32_t)RIG_MEM;
    r.w.s[9] = (uint32_t)((uint64_t)RIG_MEM >> 32) | 3u << 25; /* three records ... */
    r.w.s[10] = 0;
    r.w.s[11] = 8 << 12; /* ... of 8 bytes */
    r.w.s[4] = 16;
    rig_run(&r, by_reg, 2);
    assert_int_equal(r.w.s[20], 0x1000 + 5);
    assert_int_equal(r.w.s[21], 0);
    r.w.s[11] |= 1u << 30; /* no buffer */
    rig_run(&r, by_reg, 2);
    assert_int_equal(r.w.s[20], 0);
    rig_close(&r);
}

static void test_stores(void **state)
{
    (void)state;
    static const uint32_t x2[] = WORDS("s_store_dwordx2 s[20:21], s[2:3], 0x8", 0xc0460501, 0x00000008),
                          buffer[] = WORDS("s_buffer_store_dwordx4 s[20:23], s[8:11], 0x0", 0xc06a0504, 0x00000000),
                          scratch_st[] = WORDS("s_scratch_store_dword s20, s[2:3], s4", 0xc0540501, 0x00000004),
                          scratch_ld[] = WORDS("s_scratch_load_dword s24, s[2:3], 0x40", 0xc0160601, 0x00000040);
    struct rig r;

    open_rig(&r, "gfx803");
    r.w.s[20] = 0xaaaa;
    r.w.s[21] = 0xbbbb;
    rig_run(&r, x2, 2);
    assert_int_equal(load_u32(r.mem + 72), 0xaaaa);
    assert_int_equal(load_u32(r.mem + 76), 0xbbbb);
    assert_int_equal(load_u32(r.mem + 80), 0x1000 + 20);
    assert_int_equal(r.fx.op, MEM_STORE);
    assert_int_equal(r.fx.bytes, 8);
    rig_close(&r);

    open_rig(&r, "gfx900");
    for (unsigned k = 0; k < 4; k++)
        r.w.s[20 + k] = 0x50 + k;
    r.w.s[8] = (uint32_t)RIG_MEM;
    r.w.s[9] = 0;
    r.w.s[10] = 8;
    rig_run(&r, buffer, 2);
    assert_int_equal(load_u32(r.mem + 4), 0x51);
    assert_int_equal(load_u32(r.mem + 8), 0x1002); /* outside the buffer: dropped */
    /* an SGPR offset of scratch counts 64 bytes */
    r.w.s[4] = 1;
    rig_run(&r, scratch_st, 2);
    assert_int_equal(load_u32(r.mem + 128), 0x50);
    rig_run(&r, scratch_ld, 2);
    assert_int_equal(r.w.s[24], 0x50);
    rig_close(&r);
}

static void test_faults(void **state)
{
    (void)state;
    static const uint32_t x4[] = WORDS("s_load_dwordx4 s[20:23], s[2:3], 0x0", 0xc00a0501, 0x00000000),
                          st[] = WORDS("s_store_dwordx4 s[20:23], s[2:3], 0x0", 0xc04a0501, 0x00000000),
                          x16[] = WORDS("s_load_dwordx16 s[20:35], s[2:3], 0x0", 0xc0120501, 0x00000000);
    struct rig r;

    open_rig(&r, "gfx803");
    r.w.s[2] = (uint32_t)RIG_MEM + 65536 - 8; /* two dwords are inside */
    r.w.s[20] = 42;
    assert_int_equal(rig_try(&r, x4, 2), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    assert_int_equal(r.w.fault.addr, RIG_MEM + 65536);
    assert_int_equal(r.w.fault.pc, RIG_CODE);
    assert_false(r.w.fault.write);
    assert_int_equal(r.w.s[20], 42); /* nothing was loaded */
    assert_non_null(strstr(r.w.fault.text, "s_load_dwordx4"));
    assert_int_equal(rig_try(&r, st, 2), ISA_FAULT);
    assert_true(r.w.fault.write);
    assert_int_equal(load_u32(r.mem + 65528), 0x1000 + 16382); /* nothing was stored */
    r.w.s[3] = 1;                                              /* an address nobody has */
    assert_int_equal(rig_try(&r, x4, 2), ISA_FAULT);
    /* s[100:115] is no destination for sixteen dwords */
    r.w.s[3] = 0;
    r.w.s[2] = (uint32_t)RIG_MEM;
    uint32_t high[2] = {(x16[0] & ~0x1fc0u) | 100 << 6, x16[1]};
    assert_int_equal(rig_try(&r, high, 2), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
    rig_close(&r);
}

/* A load of whole dwords may run over the last bytes of an allocation whose size is no multiple of four. */
static bool find_odd(void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct rig *r = ctx;
    if (addr < RIG_MEM || addr >= RIG_MEM + 70)
        return false;
    *out = (struct isa_range){RIG_MEM, RIG_MEM + 70, r->mem, false, false};
    return true;
}

static void test_edge(void **state)
{
    (void)state;
    static const uint32_t x2[] = WORDS("s_load_dwordx2 s[20:21], s[2:3], 0x0", 0xc0060501, 0x00000000),
                          st[] = WORDS("s_store_dword s20, s[2:3], 0x0", 0xc0420501, 0x00000000);
    struct rig r;

    open_rig(&r, "gfx803");
    r.env.find = find_odd;
    memset(r.mem + 68, 0xee, 8);
    rig_run(&r, x2, 2);
    assert_int_equal(r.w.s[20], 0x1010);
    assert_int_equal(r.w.s[21], 0xeeee);
    r.w.s[2] += 8;
    assert_int_equal(rig_try(&r, x2, 2), ISA_FAULT);
    r.w.s[2] -= 8;
    assert_int_equal(rig_try(&r, st, 2), ISA_FAULT); /* read-only */
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    rig_close(&r);
}

/* The same where pages are known: what is there is read and written, once for each access, up to the page's end. */
static unsigned slack_count;

static uint8_t *page_of_80(void *ctx, const struct isa_wave *w, int lane, gaddr_t addr, uint32_t bytes, bool write)
{
    struct rig *r = ctx;

    (void)w;
    assert_int_equal(lane, -1);
    if (addr < RIG_MEM || addr + bytes > RIG_MEM + 80 || (write && addr + bytes > RIG_MEM + 76))
        return NULL;
    slack_count++;
    return r->mem + (addr - RIG_MEM);
}

static void test_slack(void **state)
{
    (void)state;
    static const uint32_t x2[] = WORDS("s_load_dwordx2 s[20:21], s[2:3], 0x0", 0xc0060501, 0x00000000),
                          st[] = WORDS("s_store_dword s20, s[2:3], 0x0", 0xc0420501, 0x00000000);
    struct rig r;

    open_rig(&r, "gfx803");
    r.env.find = find_odd;
    r.env.slack = page_of_80;
    slack_count = 0;
    memset(r.mem + 68, 0xee, 8);
    rig_run(&r, x2, 2);
    assert_int_equal(r.w.s[20], 0x1010);
    assert_int_equal(r.w.s[21], 0xeeeeeeee);
    assert_int_equal(slack_count, 1);
    r.w.s[2] += 8;
    rig_run(&r, x2, 2);
    assert_int_equal(r.w.s[20], 0xeeeeeeee);
    assert_int_equal(slack_count, 2);
    r.w.s[20] = 77;
    rig_run(&r, st, 2);
    assert_int_equal(load_u32(r.mem + 72), 77);
    assert_int_equal(slack_count, 3);
    r.w.s[2] += 4;
    assert_int_equal(rig_try(&r, st, 2), ISA_FAULT);
    r.w.s[2] += 4;
    assert_int_equal(rig_try(&r, x2, 2), ISA_FAULT);
    assert_int_equal(slack_count, 3);
    rig_close(&r);
}

static void test_clocks_and_cache_control(void **state)
{
    (void)state;
    static const uint32_t code[] =
        WORDS("s_memtime s[20:21];s_memrealtime s[22:23];s_dcache_inv;s_dcache_wb", 0xc0900500, 0x00000000, 0xc0940580,
              0x00000000, 0xc0800000, 0x00000000, 0xc0840000, 0x00000000),
                          quiet[] = WORDS("s_prefetch_data s[2:3], 0x10, s4, 3;s_dcache_inv", 0xf404c0c1, 0x08000010,
                                          0xf4042000, 0x00000000),
                          wave[] = WORDS("s_get_waveid_in_workgroup s20", 0xf4a80500, 0x00000000);
    struct rig r;

    open_rig(&r, "gfx803");
    r.w.s[21] = r.w.s[23] = 9;
    rig_run(&r, code, sizeof code / 4);
    assert_int_equal(r.w.s[20], 12345);
    assert_int_equal(r.w.s[21], 0);
    assert_int_equal(r.w.s[22], 12345);
    assert_int_equal(r.w.s[23], 0);
    rig_close(&r);
    open_rig(&r, "gfx1201");
    r.w.s[3] = 0xffff; /* a prefetch of nowhere is no fault */
    rig_run(&r, quiet, sizeof quiet / 4);
    assert_int_equal(r.fx.kind, FX_NONE);
    rig_close(&r);
    open_rig(&r, "gfx1010");
    r.w.wave_in_group = 3;
    rig_run(&r, wave, sizeof wave / 4);
    assert_int_equal(r.w.s[20], 3);
    rig_close(&r);
}

/* RDNA4 ISA, S_PREFETCH_DATA: aligned to 128 bytes, (immediate + SGPR) & 31 blocks and one more. */
static void test_prefetch(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[2];
        uint64_t s3, s4;
        gaddr_t addr;
        unsigned kind, blocks;
    } v[] = {
        {WORDS("s_prefetch_data s[2:3], 0x10, s4, 3", 0xf404c0c1, 0x08000010), 0, 2, RIG_MEM, FX_PREFETCH_DATA, 6},
        {WORDS("s_prefetch_data s[2:3], 0x10, s4, 3", 0xf404c0c1, 0x08000010), 0, 30, RIG_MEM, FX_PREFETCH_DATA, 2},
        {WORDS("s_prefetch_inst s[2:3], 0xff, s4, 4", 0xf4048101, 0x080000ff), 0, 0, RIG_MEM + 256, FX_PREFETCH_INST,
         5},
        {WORDS("s_prefetch_data s[2:3], 0x10, s4, 3", 0xf404c0c1, 0x08000010), 0xffff, 0, 0, FX_NONE, 0},
    };
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++) {
        struct rig r;

        open_rig(&r, "gfx1201");
        isa_set_mode(&r.w, r.w.mode_reg | MODE_SCALAR_PREFETCH_EN);
        r.w.s[3] = (uint32_t)v[k].s3;
        r.w.s[4] = (uint32_t)v[k].s4;
        rig_run(&r, v[k].words, 2);
        assert_int_equal(r.fx.kind, v[k].kind);
        if (v[k].kind != FX_NONE) {
            assert_int_equal(r.fx.addr[0], v[k].addr);
            assert_int_equal(r.fx.bytes, 128);
            assert_int_equal(r.fx.elems, v[k].blocks);
        }
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),        cmocka_unit_test(test_narrow_loads),
        cmocka_unit_test(test_buffer_loads), cmocka_unit_test(test_stores),
        cmocka_unit_test(test_faults),       cmocka_unit_test(test_edge),
        cmocka_unit_test(test_slack),        cmocka_unit_test(test_clocks_and_cache_control),
        cmocka_unit_test(test_prefetch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

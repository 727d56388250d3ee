/* FLAT, GLOBAL and SCRATCH: addresses, layouts of wide data, partial EXEC, faults, the three spaces of FLAT. Expected
 * values come from the ISA manuals' address rules and pseudocode. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define SCRATCH_AT 0x8000u

static void fill_memory(struct rig *r)
{
    for (unsigned k = 0; k < 65536; k++)
        r->mem[k] = (uint8_t)(k * 7 + (k >> 8) * 13);
}

static uint32_t mem32(const struct rig *r, unsigned off)
{
    return load_u32(r->mem + off);
}

static void set_addr(struct rig *r, unsigned reg, unsigned lane, uint64_t addr)
{
    rig_v(r, reg, lane, (uint32_t)addr);
    rig_v(r, reg + 1, lane, (uint32_t)(addr >> 32));
}

static void use_scratch(struct rig *r, unsigned bytes)
{
    r->w.scratch_base = RIG_MEM + SCRATCH_AT;
    r->w.scratch_bytes = bytes;
}

/* Byte `off` of a lane's private memory: dwords of all lanes stand side by side. */
static uint8_t *priv(struct rig *r, unsigned lane, unsigned off)
{
    return r->mem + SCRATCH_AT + off / 4 * 4 * r->w.lanes + lane * 4 + off % 4;
}

/* Address patterns that take different ways through the engine: side by side, all the same, backwards, odd. */
static unsigned pattern(unsigned kind, unsigned lane, unsigned bytes)
{
    return kind == 0   ? lane * bytes
           : kind == 1 ? 64
           : kind == 2 ? (70 - lane) * bytes
           : kind == 3 ? (lane * 37 % 64) * 20 + lane % 4
                       : (lane < 40 ? lane * bytes : lane * bytes + 4);
}

static void check_load(const char *target, unsigned lanes, const char *variant, const uint32_t *words, unsigned nwords,
                       unsigned dwords)
{
    struct rig r;

    rig_open_variant(&r, target, lanes, variant);
    fill_memory(&r);
    for (unsigned kind = 0; kind < 5; kind++)
        for (unsigned full = 0; full < 2; full++) {
            uint64_t exec = full ? lane_mask(lanes) : UINT64_C(0x8001f00f71234567) & lane_mask(lanes);
            isa_set_exec(&r.w, exec);
            for (unsigned l = 0; l < lanes; l++) {
                set_addr(&r, 2, l, RIG_MEM + 256 + pattern(kind, l, dwords * 4));
                for (unsigned k = 0; k < 4; k++)
                    rig_v(&r, 8 + k, l, 0xdead0000 + l);
            }
            rig_run(&r, words, nwords);
            for (unsigned l = 0; l < lanes; l++)
                for (unsigned k = 0; k < 4; k++) {
                    uint32_t want = k < dwords && (exec >> l & 1)
                                        ? mem32(&r, 256 + pattern(kind, l, dwords * 4) + 4 * k)
                                        : 0xdead0000 + l;
                    assert_int_equal(rig_getv(&r, 8 + k, l), want);
                }
            assert_int_equal(r.fx.kind, FX_VECTOR);
            assert_int_equal(r.fx.op, MEM_LOAD);
            assert_int_equal(r.fx.bytes, dwords * 4);
            assert_int_equal(r.fx.dword_step, 0);
            assert_int_equal(r.fx.mask, exec);
            assert_int_equal(r.fx.addr[5], RIG_MEM + 256 + pattern(kind, 5, dwords * 4));
        }
    rig_close(&r);
}

static void test_load_widths(void **state)
{
    (void)state;
    check_load("gfx90a", 64, NULL, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002), 1);
    check_load("gfx90a", 64, NULL, WORDS(/* global_load_dwordx2 v[8:9], v[2:3], off */ 0xdc548000, 0x087f0002), 2);
    check_load("gfx90a", 64, NULL, WORDS(/* global_load_dwordx3 v[8:10], v[2:3], off */ 0xdc588000, 0x087f0002), 3);
    check_load("gfx90a", 64, NULL, WORDS(/* global_load_dwordx4 v[8:11], v[2:3], off */ 0xdc5c8000, 0x087f0002), 4);
    check_load("gfx803", 64, NULL, WORDS(/* flat_load_dword v8, v[2:3] */ 0xdc500000, 0x08000002), 1);
    check_load("gfx803", 64, NULL, WORDS(/* flat_load_dwordx3 v[8:10], v[2:3] */ 0xdc580000, 0x08000002), 3);
    check_load("gfx1030", 32, NULL, WORDS(/* global_load_dwordx3 v[8:10], v[2:3], off */ 0xdc3c8000, 0x087d0002), 3);
    check_load("gfx1030", 32, NULL, WORDS(/* global_load_dwordx4 v[8:11], v[2:3], off */ 0xdc388000, 0x087d0002), 4);
    check_load("gfx1201", 32, NULL, WORDS(/* global_load_b32 v8, v[2:3], off */ 0xee05007c, 0x00000008, 0x00000002), 1);
    check_load("gfx1201", 32, NULL, WORDS(/* global_load_b64 v[8:9], v[2:3], off */ 0xee05407c, 0x00000008, 0x00000002),
               2);
    check_load("gfx1201", 64, NULL,
               WORDS(/* global_load_b96 v[8:10], v[2:3], off */ 0xee05807c, 0x00000008, 0x00000002), 3);
    check_load("gfx1201", 32, "base",
               WORDS(/* global_load_b128 v[8:11], v[2:3], off */ 0xee05c07c, 0x00000008, 0x00000002), 4);
    check_load("gfx1201", 32, NULL, WORDS(/* flat_load_b128 v[8:11], v[2:3] */ 0xec05c07c, 0x00000008, 0x00000002), 4);
}

static void check_store(const char *target, unsigned lanes, const uint32_t *words, unsigned nwords, unsigned dwords)
{
    struct rig r;
    static uint8_t want[65536];

    rig_open(&r, target, lanes);
    for (unsigned kind = 0; kind < 5; kind++)
        for (unsigned full = 0; full < 2; full++) {
            uint64_t exec = full ? lane_mask(lanes) : UINT64_C(0x8001f00f71234567) & lane_mask(lanes);
            isa_set_exec(&r.w, exec);
            fill_memory(&r);
            memcpy(want, r.mem, sizeof want);
            for (unsigned l = 0; l < lanes; l++) {
                set_addr(&r, 2, l, RIG_MEM + 256 + pattern(kind, l, dwords * 4));
                for (unsigned k = 0; k < dwords; k++)
                    rig_v(&r, 8 + k, l, l * 0x01010101 + (k << 28));
            }
            /* ascending lanes: where two overlap the later one stays */
            for (unsigned l = 0; l < lanes; l++)
                for (unsigned k = 0; k < dwords && (exec >> l & 1); k++) {
                    uint32_t v = l * 0x01010101 + (k << 28);
                    memcpy(want + 256 + pattern(kind, l, dwords * 4) + 4 * k, &v, 4);
                }
            rig_run(&r, words, nwords);
            assert_memory_equal(r.mem, want, sizeof want);
            assert_int_equal(r.fx.op, MEM_STORE);
            assert_int_equal(r.fx.mask, exec);
        }
    rig_close(&r);
}

static void test_store_widths(void **state)
{
    (void)state;
    check_store("gfx90a", 64, WORDS(/* global_store_dword v[2:3], v8, off */ 0xdc708000, 0x007f0802), 1);
    check_store("gfx90a", 64, WORDS(/* global_store_dwordx2 v[2:3], v[8:9], off */ 0xdc748000, 0x007f0802), 2);
    check_store("gfx90a", 64, WORDS(/* global_store_dwordx3 v[2:3], v[8:10], off */ 0xdc788000, 0x007f0802), 3);
    check_store("gfx803", 64, WORDS(/* flat_store_dwordx4 v[2:3], v[8:11] */ 0xdc7c0000, 0x00000802), 4);
    check_store("gfx1201", 32, WORDS(/* global_store_b32 v[2:3], v8, off */ 0xee06807c, 0x04000000, 0x00000002), 1);
    check_store("gfx1201", 32, WORDS(/* global_store_b128 v[2:3], v[8:11], off */ 0xee07407c, 0x04000000, 0x00000002),
                4);
    check_store("gfx1201", 64, WORDS(/* flat_store_b64 v[2:3], v[8:9] */ 0xec06c07c, 0x04000000, 0x00000002), 2);
}

static void test_narrow(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    r.mem[100] = 0x9c;
    r.mem[101] = 0xfe;
    rig_vall(&r, 2, 100);
    r.w.s[4] = (uint32_t)RIG_MEM;
    r.w.s[5] = 0;
    rig_run(&r, WORDS(/* global_load_u8 v8, v2, s[4:5]; global_load_i8 v9, v2, s[4:5]; global_load_u16 v10, v2, s[4:5];
                         global_load_i16 v11, v2, s[4:5] */
                      0xee040004, 0x00000008, 0x00000002, 0xee044004, 0x00000009, 0x00000002, 0xee048004, 0x0000000a,
                      0x00000002, 0xee04c004, 0x0000000b, 0x00000002));
    assert_int_equal(rig_getv(&r, 8, 31), 0x9c);
    assert_int_equal(rig_getv(&r, 9, 31), 0xffffff9c);
    assert_int_equal(rig_getv(&r, 10, 31), 0xfe9c);
    assert_int_equal(rig_getv(&r, 11, 31), 0xfffffe9c);
    for (unsigned k = 8; k < 14; k++)
        rig_vall(&r, k, 0x11112222);
    rig_run(&r, WORDS(/* global_load_d16_u8 v8, v2, s[4:5]; global_load_d16_hi_u8 v9, v2, s[4:5]; global_load_d16_i8
                         v10, v2, s[4:5]; global_load_d16_hi_i8 v11, v2, s[4:5]; global_load_d16_b16 v12, v2, s[4:5];
                         global_load_d16_hi_b16 v13, v2, s[4:5] */
                      0xee078004, 0x00000008, 0x00000002, 0xee084004, 0x00000009, 0x00000002, 0xee07c004, 0x0000000a,
                      0x00000002, 0xee088004, 0x0000000b, 0x00000002, 0xee080004, 0x0000000c, 0x00000002, 0xee08c004,
                      0x0000000d, 0x00000002));
    assert_int_equal(rig_getv(&r, 8, 0), 0x1111009c);
    assert_int_equal(rig_getv(&r, 9, 0), 0x009c2222);
    assert_int_equal(rig_getv(&r, 10, 0), 0x1111ff9c);
    assert_int_equal(rig_getv(&r, 11, 0), 0xff9c2222);
    assert_int_equal(rig_getv(&r, 12, 0), 0x1111fe9c);
    assert_int_equal(rig_getv(&r, 13, 0), 0xfe9c2222);
    /* stores take the low bytes, or those of the high half */
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, 200 + 8 * l);
    rig_vall(&r, 8, 0xa1b2c3d4);
    memset(r.mem + 200, 0xee, 64);
    rig_run(&r, WORDS(/* global_store_b8 v2, v8, s[4:5]; global_store_d16_hi_b8 v2, v8, s[4:5] offset:1;
                         global_store_b16 v2, v8, s[4:5] offset:2; global_store_d16_hi_b16 v2, v8, s[4:5] offset:4 */
                      0xee060004, 0x04000000, 0x00000002, 0xee090004, 0x04000000, 0x00000102, 0xee064004, 0x04000000,
                      0x00000202, 0xee094004, 0x04000000, 0x00000402));
    assert_int_equal(mem32(&r, 208), 0xc3d4b2d4);
    assert_int_equal(mem32(&r, 212), 0xeeeea1b2);
    rig_close(&r);
}

/* SRAM-ECC targets clear the half a d16 load does not write; gfx900 keeps it. */
static void test_d16_other_half(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    r.mem[0] = 0x34;
    r.mem[1] = 0x12;
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM);
    rig_vall(&r, 8, 0xaaaabbbb);
    rig_vall(&r, 9, 0xaaaabbbb);
    rig_run(&r, WORDS(/* global_load_short_d16 v8, v[2:3], off; global_load_short_d16_hi v9, v[2:3], off */ 0xdc908000,
                      0x087f0002, 0xdc948000, 0x097f0002));
    assert_int_equal(rig_getv(&r, 8, 63), 0xaaaa1234);
    assert_int_equal(rig_getv(&r, 9, 63), 0x1234bbbb);
    rig_close(&r);

    rig_open(&r, "gfx90a", 64);
    r.mem[0] = 0x34;
    r.mem[1] = 0x12;
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM);
    rig_vall(&r, 8, 0xaaaabbbb);
    rig_vall(&r, 9, 0xaaaabbbb);
    rig_run(&r, WORDS(/* global_load_short_d16 v8, v[2:3], off; global_load_short_d16_hi v9, v[2:3], off */ 0xdc908000,
                      0x087f0002, 0xdc948000, 0x097f0002));
    assert_int_equal(rig_getv(&r, 8, 63), 0x00001234);
    assert_int_equal(rig_getv(&r, 9, 63), 0x12340000);
    rig_close(&r);
}

/* saddr + zero-extended vaddr + signed offset */
static void test_global_addresses(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    fill_memory(&r);
    /* vaddr is unsigned: 0xfffffff0 above this base is RIG_MEM + 0x40 */
    uint64_t base = RIG_MEM + 0x50 - UINT64_C(0x100000000);
    r.w.s[6] = (uint32_t)base;
    r.w.s[7] = (uint32_t)(base >> 32);
    rig_vall(&r, 2, 0xfffffff0);
    rig_run(&r, WORDS(/* global_load_dword v8, v2, s[6:7]; global_load_dword v9, v2, s[6:7] offset:-64;
                         global_load_dword v10, v2, s[6:7] offset:4095 */
                      0xdc508000, 0x08060002, 0xdc509fc0, 0x09060002, 0xdc508fff, 0x0a060002));
    assert_int_equal(rig_getv(&r, 8, 7), mem32(&r, 0x40));
    assert_int_equal(rig_getv(&r, 9, 7), mem32(&r, 0));
    assert_int_equal(rig_getv(&r, 10, 7), mem32(&r, 0x40 + 4095));
    rig_close(&r);

    rig_open(&r, "gfx1201", 32);
    fill_memory(&r);
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, 2, l, RIG_MEM + 0x800000);
    rig_run(&r, WORDS(/* global_load_b32 v8, v[2:3], off offset:-8388608 */ 0xee05007c, 0x00000008, 0x80000002));
    assert_int_equal(rig_getv(&r, 8, 7), mem32(&r, 0));
    rig_close(&r);
}

/* The destination may be the address: every lane's address is taken before anything is written. */
static void test_load_over_address(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    fill_memory(&r);
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM + l * 24);
    rig_run(&r, WORDS(/* global_load_dwordx4 v[2:5], v[2:3], off */ 0xdc5c8000, 0x027f0002));
    for (unsigned l = 0; l < 64; l++)
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_getv(&r, 2 + k, l), mem32(&r, l * 24 + 4 * k));
    rig_close(&r);
}

static void expect_fault(struct rig *r, const uint32_t *words, unsigned n, enum isa_fault_kind kind, int lane,
                         gaddr_t addr, unsigned bytes, bool write)
{
    assert_int_equal(rig_try(r, words, n), ISA_FAULT);
    assert_int_equal(r->w.fault.kind, kind);
    assert_int_equal(r->w.fault.lane, lane);
    assert_int_equal(r->w.fault.addr, addr);
    assert_int_equal(r->w.fault.bytes, bytes);
    assert_int_equal(r->w.fault.write, write);
    assert_int_equal(r->w.fault.pc, RIG_CODE);
}

static bool two_ranges(void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct rig *r = ctx;
    if (addr >= RIG_MEM && addr < RIG_MEM + 4096)
        *out = (struct isa_range){RIG_MEM, RIG_MEM + 4096, r->mem, true, false};
    else if (addr >= RIG_MEM + 8192 && addr < RIG_MEM + 12288)
        *out = (struct isa_range){RIG_MEM + 8192, RIG_MEM + 12288, r->mem + 8192, false, false};
    else
        return false;
    return true;
}

static void test_faults(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    fill_memory(&r);
    r.env.find = two_ranges;
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM + (l & 1 ? 8192 : 0) + 4 * l);
    /* lanes in two allocations: each is found */
    rig_run(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 8, l), mem32(&r, (l & 1 ? 8192 : 0) + 4 * l));
    /* the second is read-only */
    expect_fault(&r, WORDS(/* global_store_dword v[2:3], v8, off */ 0xdc708000, 0x007f0802), FAULT_MEMORY, 1,
                 RIG_MEM + 8196, 4, true);
    expect_fault(&r, WORDS(/* global_atomic_add v[2:3], v8, off */ 0xdd088000, 0x007f0802), FAULT_MEMORY, 1,
                 RIG_MEM + 8196, 4, true);
    /* a lane that straddles the end of its allocation, and one in the hole between */
    set_addr(&r, 2, 9, RIG_MEM + 4094);
    expect_fault(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002), FAULT_MEMORY, 9,
                 RIG_MEM + 4094, 4, false);
    set_addr(&r, 2, 9, RIG_MEM + 5000);
    expect_fault(&r, WORDS(/* global_load_dwordx2 v[8:9], v[2:3], off */ 0xdc548000, 0x087f0002), FAULT_MEMORY, 9,
                 RIG_MEM + 5000, 8, false);
    /* far addresses, the top of the address space among them */
    set_addr(&r, 2, 9, UINT64_MAX - 1);
    expect_fault(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002), FAULT_MEMORY, 9,
                 UINT64_MAX - 1, 4, false);
    /* a lane that is off has no address */
    isa_set_exec(&r.w, ~(UINT64_C(1) << 9));
    rig_run(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002));
    isa_set_exec(&r.w, 0);
    set_addr(&r, 2, 0, 0);
    rig_run(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002));
    assert_int_equal(r.fx.mask, 0);
    /* all lanes side by side, the last outside */
    isa_set_exec(&r.w, UINT64_MAX);
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM + 4096 - 63 * 4 + 4 * l);
    expect_fault(&r, WORDS(/* global_load_dword v8, v[2:3], off */ 0xdc508000, 0x087f0002), FAULT_MEMORY, 63,
                 RIG_MEM + 4096, 4, false);
    expect_fault(&r, WORDS(/* global_store_dword v[2:3], v8, off */ 0xdc708000, 0x007f0802), FAULT_MEMORY, 63,
                 RIG_MEM + 4096, 4, true);
    rig_close(&r);
}

static void test_registers_past_the_end(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    r.w.nvgprs = 10;
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, 2, l, RIG_MEM);
    rig_run(&r, WORDS(/* global_load_b64 v[8:9], v[2:3], off */ 0xee05407c, 0x00000008, 0x00000002));
    assert_int_equal(rig_try(&r, WORDS(/* global_load_b96 v[8:10], v[2:3], off */ 0xee05807c, 0x00000008, 0x00000002)),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    assert_int_equal(rig_try(&r, WORDS(/* global_store_b32 v[10:11], v2, off */ 0xee06807c, 0x01000000, 0x0000000a)),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    rig_close(&r);
}

static void test_agpr_data(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    fill_memory(&r);
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, RIG_MEM + 4 * l);
    rig_run(&r,
            WORDS(/* global_load_dword a8, v[2:3], off; s_waitcnt 0; global_store_dword v[2:3], a8, off offset:1024 */
                  0xdc508000, 0x08ff0002, 0xbf8c0000, 0xdc708400, 0x00ff0802));
    assert_int_equal(r.w.acc[8 * 64 + 5], mem32(&r, 20));
    assert_int_equal(rig_getv(&r, 8, 5), 0);
    assert_int_equal(mem32(&r, 1024 + 20), mem32(&r, 20));
    rig_close(&r);
}

static void test_addtid(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1030", 32);
    fill_memory(&r);
    r.w.s[4] = (uint32_t)RIG_MEM;
    r.w.s[5] = 0;
    isa_set_exec(&r.w, 0xfffffffe);
    rig_run(&r, WORDS(/* global_load_dword_addtid v8, s[4:5] offset:16; s_waitcnt 0;
                       * global_store_dword_addtid v8, s[4:5] offset:2000 */
                      0xdc588010, 0x08040000, 0xbf8c0000, 0xdc5c87d0, 0x00040800));
    assert_int_equal(rig_getv(&r, 8, 0), 0);
    assert_int_equal(rig_getv(&r, 8, 31), mem32(&r, 16 + 31 * 4));
    assert_int_equal(mem32(&r, 2000 + 31 * 4), mem32(&r, 16 + 31 * 4));
    rig_close(&r);
}

/* --- FLAT: memory, LDS and private memory in one instruction ------------------------------------------------------ */

static void check_flat_mixed(const char *target, unsigned lanes, const uint32_t *load, unsigned nload,
                             const uint32_t *store, unsigned nstore)
{
    struct rig r;

    rig_open(&r, target, lanes);
    use_scratch(&r, 64);
    fill_memory(&r);
    for (unsigned k = 0; k < 1024; k++)
        r.lds[k] = (uint8_t)(k * 5 + 1);
    for (unsigned l = 0; l < lanes; l++)
        set_addr(&r, 2, l,
                 l % 3 == 0   ? RIG_MEM + 12 * l
                 : l % 3 == 1 ? r.w.shared_aperture + 12 * l
                              : r.w.private_aperture + 8 * (l % 7));
    rig_run(&r, load, nload);
    uint64_t lds = 0;
    for (unsigned l = 0; l < lanes; l++) {
        for (unsigned k = 0; k < 2; k++) {
            uint32_t want = l % 3 == 0   ? mem32(&r, 12 * l + 4 * k)
                            : l % 3 == 1 ? load_u32(r.lds + 12 * l + 4 * k)
                                         : load_u32(priv(&r, l, 8 * (l % 7) + 4 * k));
            assert_int_equal(rig_getv(&r, 8 + k, l), want);
        }
        lds |= (uint64_t)(l % 3 == 1) << l;
    }
    assert_int_equal(r.fx.kind, FX_FLAT_MIXED);
    assert_int_equal(r.fx.lds_mask, lds);
    assert_int_equal(r.fx.mask, lane_mask(lanes) & ~lds);
    assert_int_equal(r.fx.addr[3], RIG_MEM + 36);
    assert_int_equal(r.fx.dword_step, 0);
    assert_int_equal(r.fx.lds_addr[4], 48);
    assert_int_equal(r.fx.addr[5], RIG_MEM + (gaddr_t)(priv(&r, 5, 40) - r.mem));

    for (unsigned l = 0; l < lanes; l++) {
        rig_v(&r, 8, l, 0xabc00000 + l);
        rig_v(&r, 9, l, 0xdef00000 + l);
    }
    rig_run(&r, store, nstore);
    assert_int_equal(mem32(&r, 12 * 6 + 4), 0xdef00006);
    assert_int_equal(load_u32(r.lds + 12 * 7), 0xabc00007);
    assert_int_equal(load_u32(priv(&r, 8, 8)), 0xabc00008);
    assert_int_equal(load_u32(priv(&r, 8, 12)), 0xdef00008);
    rig_close(&r);
}

static void test_flat_mixed(void **state)
{
    (void)state;
    check_flat_mixed("gfx803", 64, WORDS(/* flat_load_dwordx2 v[8:9], v[2:3] */ 0xdc540000, 0x08000002),
                     WORDS(/* flat_store_dwordx2 v[2:3], v[8:9] */ 0xdc740000, 0x00000802));
    check_flat_mixed("gfx90a", 64, WORDS(/* flat_load_dwordx2 v[8:9], v[2:3] */ 0xdc540000, 0x08000002),
                     WORDS(/* flat_store_dwordx2 v[2:3], v[8:9] */ 0xdc740000, 0x00000802));
    check_flat_mixed("gfx1201", 32, WORDS(/* flat_load_b64 v[8:9], v[2:3] */ 0xec05407c, 0x00000008, 0x00000002),
                     WORDS(/* flat_store_b64 v[2:3], v[8:9] */ 0xec06c07c, 0x04000000, 0x00000002));
}

/* 256 bytes of LDS, 64 of scratch. */
static void open_flat(struct rig *r)
{
    rig_open(r, "gfx1201", 32);
    use_scratch(r, 64);
    r->w.lds_bytes = 256;
}

static void test_flat_bounds(void **state)
{
    struct rig r;
    (void)state;

    open_flat(&r);
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, 2, l, r.w.shared_aperture + 4 * l);
    rig_run(&r, WORDS(/* flat_load_b32 v8, v[2:3] */ 0xec05007c, 0x00000008, 0x00000002));
    assert_int_equal(r.fx.kind, FX_LDS);
    assert_int_equal(r.fx.mask, 0);
    set_addr(&r, 2, 6, r.w.shared_aperture + 253);
    expect_fault(&r, WORDS(/* flat_load_b32 v8, v[2:3] */ 0xec05007c, 0x00000008, 0x00000002), FAULT_LDS, 6,
                 r.w.shared_aperture + 253, 4, false);
    set_addr(&r, 2, 6, r.w.private_aperture + 61);
    expect_fault(&r, WORDS(/* flat_store_b32 v[2:3], v8 */ 0xec06807c, 0x04000000, 0x00000002), FAULT_MEMORY, 6, 61, 4,
                 true);
    /* apertures nobody set up catch nothing: address zero is memory, and outside */
    r.w.shared_aperture = r.w.private_aperture = 0;
    set_addr(&r, 2, 0, 0);
    expect_fault(&r, WORDS(/* flat_load_b32 v8, v[2:3] */ 0xec05007c, 0x00000008, 0x00000002), FAULT_MEMORY, 0, 0, 4,
                 false);
    rig_close(&r);
}

/* Lanes that all go to private memory: their second dwords are a row of all lanes further on. */
static void test_flat_private(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    use_scratch(&r, 64);
    fill_memory(&r);
    for (unsigned l = 0; l < 64; l++)
        set_addr(&r, 2, l, r.w.private_aperture + 8);
    rig_run(&r, WORDS(/* flat_load_dwordx2 v[8:9], v[2:3] */ 0xdc540000, 0x08000002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 9, l), load_u32(priv(&r, l, 12)));
    assert_int_equal(r.fx.kind, FX_VECTOR);
    assert_int_equal(r.fx.dword_step, priv(&r, 0, 12) - priv(&r, 0, 8));
    assert_int_equal(r.fx.dword_step, 256);
    rig_close(&r);
}

/* flat offsets: gfx9 unsigned 12 bits */
static void test_flat_offset_and_atomic(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    use_scratch(&r, 64);
    for (unsigned l = 0; l < 64; l++) {
        set_addr(&r, 2, l, (l & 1 ? r.w.shared_aperture : l & 2 ? r.w.private_aperture : RIG_MEM) + 8 - 4);
        rig_v(&r, 8, l, 1);
        rig_v(&r, 9, l, 77);
    }
    rig_run(&r, WORDS(/* flat_atomic_add v9, v[2:3], v8 offset:4 glc */ 0xdd090004, 0x09000802));
    assert_int_equal(mem32(&r, 8), 16);
    assert_int_equal(load_u32(r.lds + 8), 32);
    assert_int_equal(load_u32(priv(&r, 2, 8)), 1);
    assert_int_equal(load_u32(priv(&r, 62, 8)), 1);
    assert_int_equal(rig_getv(&r, 9, 60), 15);
    assert_int_equal(rig_getv(&r, 9, 63), 31);
    assert_int_equal(rig_getv(&r, 9, 62), 0);
    assert_true(r.fx.returns);
    rig_close(&r);
}

/* The aperture is that of the base: what the offset alone brings into one, or out of it, is nobody's memory (ROCm 4389,
 * llvm-project 153001, 165427). */
static void test_flat_aperture_of_base(void **state)
{
    struct rig r;
    (void)state;

    open_flat(&r);
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, 2, l, (l & 1 ? r.w.shared_aperture : r.w.private_aperture));
    rig_run(&r, WORDS(/* flat_load_b32 v8, v[2:3] offset:4 */ 0xec05007c, 0x00000008, 0x00000402));
    assert_int_equal(r.fx.lds_mask, 0xaaaaaaaa);
    set_addr(&r, 2, 6, r.w.private_aperture - 4);
    expect_fault(&r, WORDS(/* flat_load_b32 v8, v[2:3] offset:4 */ 0xec05007c, 0x00000008, 0x00000402), FAULT_MEMORY, 6,
                 r.w.private_aperture, 4, false);
    assert_non_null(
        strstr(r.w.fault.text, "takes the aperture from the base alone, which is outside the aperture of scratch"));
    set_addr(&r, 2, 6, r.w.private_aperture);
    set_addr(&r, 2, 3, r.w.shared_aperture - 4);
    expect_fault(&r, WORDS(/* flat_load_b32 v8, v[2:3] offset:4 */ 0xec05007c, 0x00000008, 0x00000402), FAULT_MEMORY, 3,
                 r.w.shared_aperture, 4, false);
    set_addr(&r, 2, 3, r.w.shared_aperture + 4);
    expect_fault(&r, WORDS(/* flat_store_b32 v[2:3], v8 offset:-4 */ 0xec06807c, 0x04000000, 0xfffffc02), FAULT_MEMORY,
                 0, r.w.private_aperture - 4, 4, true);
    assert_non_null(strstr(r.w.fault.text, "which is inside the aperture of scratch"));
    isa_set_exec(&r.w, 1 << 3);
    rig_run(&r, WORDS(/* flat_load_b32 v8, v[2:3] offset:4 */ 0xec05007c, 0x00000008, 0x00000402));
    assert_int_equal(r.fx.kind, FX_LDS);
    rig_close(&r);
}

/* --- SCRATCH ------------------------------------------------------------------------------------------------------ */

static void test_scratch_addresses(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    use_scratch(&r, 128);
    fill_memory(&r);
    r.w.s[6] = 40;
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, 4 * (l & 3));
    rig_run(&r, WORDS(/* scratch_load_b32 v8, off, s6; scratch_load_b32 v9, v2, off offset:8; scratch_load_b32 v10, v2,
                         s6 offset:-8; scratch_load_b32 v11, off, off offset:12; scratch_load_b128 v[12:15], off, s6
                         offset:4; scratch_load_u8 v16, v2, s6 offset:3 */
                      0xed050006, 0x00000008, 0x00000000, 0xed05007c, 0x00020009, 0x00000802, 0xed050006, 0x0002000a,
                      0xfffff802, 0xed05007c, 0x0000000b, 0x00000c00, 0xed05c006, 0x0000000c, 0x00000400, 0xed040006,
                      0x00020010, 0x00000302));
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(rig_getv(&r, 8, l), load_u32(priv(&r, l, 40)));
        assert_int_equal(rig_getv(&r, 9, l), load_u32(priv(&r, l, 8 + 4 * (l & 3))));
        assert_int_equal(rig_getv(&r, 10, l), load_u32(priv(&r, l, 32 + 4 * (l & 3))));
        assert_int_equal(rig_getv(&r, 11, l), load_u32(priv(&r, l, 12)));
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_getv(&r, 12 + k, l), load_u32(priv(&r, l, 44 + 4 * k)));
        assert_int_equal(rig_getv(&r, 16, l), *priv(&r, l, 43 + 4 * (l & 3)));
    }
    assert_int_equal(r.fx.addr[1], RIG_MEM + (gaddr_t)(priv(&r, 1, 47) - r.mem));
    /* lanes that are off keep theirs */
    isa_set_exec(&r.w, 0xffff0ffe);
    rig_vall(&r, 12, 0xbad);
    rig_vall(&r, 13, 0xbad);
    rig_run(&r, WORDS(/* scratch_load_b64 v[12:13], off, s6 offset:4 */ 0xed054006, 0x0000000c, 0x00000400));
    assert_int_equal(r.fx.dword_step, 4 * 32);
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(rig_getv(&r, 13, l), 0xffff0ffe >> l & 1 ? load_u32(priv(&r, l, 48)) : 0xbad);
    isa_set_exec(&r.w, 0xffffffff);
    /* a dword across a dword boundary is spread over two rows */
    rig_run(&r, WORDS(/* scratch_load_b32 v8, off, s6 offset:3 */ 0xed050006, 0x00000008, 0x00000300));
    for (unsigned l = 0; l < 32; l++) {
        uint32_t want = 0;
        for (unsigned k = 0; k < 4; k++)
            want |= (uint32_t)*priv(&r, l, 43 + k) << (8 * k);
        assert_int_equal(rig_getv(&r, 8, l), want);
    }
    rig_close(&r);
}

static void test_scratch_stores_and_bounds(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    use_scratch(&r, 32);
    r.w.s[6] = 16;
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 4; k++)
            rig_v(&r, 8 + k, l, l * 16 + k);
    isa_set_exec(&r.w, 0xfffffff7);
    rig_run(&r, WORDS(/* scratch_store_b128 off, v[8:11], s6 */ 0xed074006, 0x04000000, 0x00000000));
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(load_u32(priv(&r, l, 16 + 4 * k)), l == 3 ? 0 : l * 16 + k);
    rig_vall(&r, 8, 0x44332211);
    rig_run(&r,
            WORDS(/* scratch_store_b32 off, v8, s6 offset:-14; scratch_store_b16 off, v8, off offset:8 */ 0xed068006,
                  0x04000000, 0xfffff200, 0xed06407c, 0x04000000, 0x00000800));
    assert_int_equal(*priv(&r, 5, 2), 0x11);
    assert_int_equal(*priv(&r, 5, 3), 0x22);
    assert_int_equal(*priv(&r, 5, 4), 0x33);
    assert_int_equal(*priv(&r, 5, 5), 0x44);
    assert_int_equal(*priv(&r, 5, 1), 0);
    assert_int_equal(load_u32(priv(&r, 5, 8)), 0x2211);
    /* 32 bytes a lane: byte 29 on is outside, and so is what lies below zero */
    expect_fault(&r, WORDS(/* scratch_load_b32 v8, off, s6 offset:13 */ 0xed050006, 0x00000008, 0x00000d00),
                 FAULT_MEMORY, 0, 29, 4, false);
    expect_fault(&r, WORDS(/* scratch_store_b8 off, v8, s6 offset:-17 */ 0xed060006, 0x04000000, 0xffffef00),
                 FAULT_MEMORY, 0, 0xffffffff, 1, true);
    rig_close(&r);
}

/* How each generation says which of vaddr and saddr count. */
static void test_scratch_modes(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    use_scratch(&r, 64);
    fill_memory(&r);
    r.w.s[3] = 8;
    rig_vall(&r, 2, 20);
    rig_run(&r, WORDS(/* scratch_load_dword v8, off, s3 offset:4; scratch_load_dword v9, v2, off */ 0xdc504004,
                      0x08030000, 0xdc504000, 0x097f0002));
    assert_int_equal(rig_getv(&r, 8, 50), load_u32(priv(&r, 50, 12)));
    assert_int_equal(rig_getv(&r, 9, 50), load_u32(priv(&r, 50, 20)));
    rig_close(&r);

    rig_open(&r, "gfx942", 64);
    use_scratch(&r, 64);
    fill_memory(&r);
    r.w.s[3] = 8;
    rig_vall(&r, 2, 20);
    rig_run(&r, WORDS(/* scratch_load_dword v8, v2, s3 offset:4; scratch_load_dword v9, off, s3; scratch_load_dword v10,
                         v2, off; scratch_load_dword v11, off, off offset:16 */
                      0xdc506004, 0x08030002, 0xdc504000, 0x09030000, 0xdc506000, 0x0a7f0002, 0xdc504010, 0x0b7f0000));
    assert_int_equal(rig_getv(&r, 8, 50), load_u32(priv(&r, 50, 32)));
    assert_int_equal(rig_getv(&r, 9, 50), load_u32(priv(&r, 50, 8)));
    assert_int_equal(rig_getv(&r, 10, 50), load_u32(priv(&r, 50, 20)));
    assert_int_equal(rig_getv(&r, 11, 50), load_u32(priv(&r, 50, 16)));
    rig_close(&r);

    rig_open(&r, "gfx1030", 32);
    use_scratch(&r, 64);
    fill_memory(&r);
    r.w.s[3] = 8;
    rig_vall(&r, 2, 20);
    rig_vall(&r, 0, 40); /* what a decoder would add that takes 0x7f for a mere absent saddr */
    rig_run(&r, WORDS(   /* scratch_load_dword v8, off, s3; scratch_load_dword v9, v2, off; scratch_load_dword v10, off,
                            off offset:16 */
                      0xdc304000, 0x08030000, 0xdc304000, 0x097d0002, 0xdc304010, 0x0a7f0000));
    assert_int_equal(rig_getv(&r, 8, 30), load_u32(priv(&r, 30, 8)));
    assert_int_equal(rig_getv(&r, 9, 30), load_u32(priv(&r, 30, 20)));
    assert_int_equal(rig_getv(&r, 10, 30), load_u32(priv(&r, 30, 16)));
    rig_close(&r);
}

/* --- what does nothing ------------------------------------------------------------------ */

static void test_cache_control(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    isa_set_exec(&r.w, 0);
    rig_run(&r,
            WORDS(/* global_inv scope:SCOPE_DEV; global_wb scope:SCOPE_DEV; global_wbinv scope:SCOPE_SYS */ 0xee0ac07c,
                  0x00080000, 0x00000000, 0xee0b007c, 0x00080000, 0x00000000, 0xee13c07c, 0x000c0000, 0x00000000));
    assert_int_equal(r.fx.kind, FX_NONE);
    rig_close(&r);
}

static void test_hint(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, 2, l, RIG_MEM + 4 * l);
    rig_run(&r, WORDS(/* global_load_b32 v8, v[2:3], off th:TH_LOAD_NT scope:SCOPE_SYS */ 0xee05007c, 0x001c0008,
                      0x00000002));
    assert_int_equal(r.fx.hint.scope, SCOPE_SYS);
    assert_int_equal(r.fx.hint.temporal, TH_NT);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_widths),
        cmocka_unit_test(test_store_widths),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_d16_other_half),
        cmocka_unit_test(test_global_addresses),
        cmocka_unit_test(test_load_over_address),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_registers_past_the_end),
        cmocka_unit_test(test_agpr_data),
        cmocka_unit_test(test_addtid),
        cmocka_unit_test(test_flat_mixed),
        cmocka_unit_test(test_flat_bounds),
        cmocka_unit_test(test_flat_offset_and_atomic),
        cmocka_unit_test(test_flat_aperture_of_base),
        cmocka_unit_test(test_flat_private),
        cmocka_unit_test(test_scratch_addresses),
        cmocka_unit_test(test_scratch_stores_and_bounds),
        cmocka_unit_test(test_scratch_modes),
        cmocka_unit_test(test_cache_control),
        cmocka_unit_test(test_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

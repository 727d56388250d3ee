/* LDS: loads that end there and stores that start there, operations on two LDS operands, additions of floats under
 * MODE's denormals, accesses partly past the end. From GCN3 ISA "Memory buffer load to LDS" and DS_*_SRC2_*, Vega and
 * CDNA3 ISA, LLVM 19's notes on float atomics in LDS. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static void open_filled(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    for (unsigned k = 0; k < 65536; k += 4) {
        uint32_t v = 0x81000000u + k * 0x101;
        memcpy(r->mem + k, &v, 4);
    }
    memset(r->lds, 0xee, 65536);
}

static uint32_t mem32(const struct rig *r, unsigned off)
{
    return load_u32(r->mem + off);
}

static uint32_t lds32(const struct rig *r, unsigned off)
{
    return load_u32(r->lds + off);
}

static void set_lds32(struct rig *r, unsigned off, uint32_t v)
{
    memcpy(r->lds + off, &v, 4);
}

static void raw_buffer(struct rig *r, uint32_t records, uint32_t word3)
{
    r->w.s[8] = (uint32_t)RIG_MEM;
    r->w.s[9] = 0;
    r->w.s[10] = records;
    r->w.s[11] = word3;
}

/* --- loads to LDS ------------------------------------------------------------------------------------------------- */

/* A load of lane l's dword at memory byte 8 * l + `offset` + s3, to M0 + offset + 4 * l in LDS. */
static void check_dma(const char *target, unsigned lanes, uint32_t word3, unsigned offset, const uint32_t *words,
                      unsigned n)
{
    struct rig r;

    open_filled(&r, target, lanes);
    raw_buffer(&r, 4096, word3);
    r.w.s[3] = 32;
    r.w.s[4] = (uint32_t)RIG_MEM;
    r.w.s[5] = 0;
    for (unsigned l = 0; l < lanes; l++)
        rig_v(&r, 2, l, 8 * l);
    rig_vall(&r, 0, 0xbad); /* what the data field would name */
    r.w.s[r.t->code_m0] = 0xabcd0100;
    isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(2));
    rig_run(&r, words, n);
    for (unsigned l = 0; l < lanes; l++)
        assert_int_equal(lds32(&r, 0x100 + offset + 4 * l),
                         l == 1 ? 0xeeeeeeee : mem32(&r, 8 * l + offset + (words[n - 1] >> 24 == 3 ? 32 : 0)));
    assert_int_equal(rig_getv(&r, 0, 5), 0xbad);
    assert_int_equal(r.fx.kind, FX_VECTOR);
    assert_int_equal(r.fx.mask, r.w.exec);
    /* LDS ends after lane 6's dword: later lanes do not even load */
    r.w.lds_bytes = 0x100 + offset + 28;
    memset(r.lds, 0xee, 65536);
    rig_run(&r, words, n);
    assert_int_equal(lds32(&r, 0x100 + offset + 24), mem32(&r, 48 + offset + (words[n - 1] >> 24 == 3 ? 32 : 0)));
    assert_int_equal(lds32(&r, 0x100 + offset + 28), 0xeeeeeeee);
    assert_int_equal(r.fx.mask, 0x7d);
    rig_close(&r);
}

static void test_buffer_to_lds(void **state)
{
    (void)state;
    check_dma("gfx803", 64, 0, 0, WORDS(/* buffer_load_dword v2, s[8:11], 0 offen lds */ 0xe0511000, 0x80020002));
    check_dma("gfx900", 64, 0, 0, WORDS(/* buffer_load_dword v2, s[8:11], 0 offen lds */ 0xe0511000, 0x80020002));
    check_dma("gfx1030", 32, 3u << 28, 0,
              WORDS(/* buffer_load_dword v2, s[8:11], 0 offen lds */ 0xe0311000, 0x80020002));
    check_dma("gfx1100", 64, 3u << 28, 4,
              WORDS(/* buffer_load_lds_b32 v2, s[8:11], s3 offen offset:4 */ 0xe0c40004, 0x03420002));
}

/* Narrow loads are extended; what is out of the buffer's bounds arrives as zero. */
static void test_narrow_to_lds(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    raw_buffer(&r, 4 * 9 + 2, 0);
    r.w.s[r.t->code_m0] = 0x40;
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 4 * l + 3);
    rig_run(&r, WORDS(/* buffer_load_ubyte v2, s[8:11], 0 offen lds */ 0xe0411000, 0x80020002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 0x40 + 4 * l), l < 9 ? r.mem[4 * l + 3] : 0);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 2 + 4 * l);
    rig_run(&r, WORDS(/* buffer_load_sshort v2, s[8:11], 0 offen offset:4 lds */ 0xe04d1004, 0x80020002));
    for (unsigned l = 0; l < 8; l++)
        assert_int_equal(lds32(&r, 0x44 + 4 * l), (uint32_t)(int16_t)load_u16(r.mem + 4 * l + 6));
    /* through a format: 16-bit unorm, one component */
    raw_buffer(&r, 4096, 2u << 15 | 4u);
    r.mem[2] = 0xff;
    r.mem[3] = 0xff;
    rig_run(&r, WORDS(/* buffer_load_format_x v2, s[8:11], 0 offen lds */ 0xe0011000, 0x80020002));
    assert_int_equal(lds32(&r, 0x40), 0x3f800000);
    rig_close(&r);

    open_filled(&r, "gfx1100", 32);
    raw_buffer(&r, 4096, 1u << 28 | 12u << 12 | 4u); /* 16 sint */
    r.w.s[9] = 6u << 16;                             /* stride */
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, l);
    r.w.s[r.t->code_m0] = 0;
    rig_run(&r, WORDS(/* buffer_load_lds_i16 v2, s[8:11], 0 idxen */ 0xe0c00000, 0x80820002));
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(lds32(&r, 4 * l), (uint32_t)(int16_t)load_u16(r.mem + 6 * l));
    memcpy(r.mem, "\xfe\xff", 2);
    rig_vall(&r, 2, 0);
    rig_run(&r, WORDS(/* buffer_load_lds_format_x v2, s[8:11], 0 offen */ 0xe0c80000, 0x80420002));
    assert_int_equal(lds32(&r, 8), 0xfffffffe);
    rig_close(&r);
}

static void test_global_to_lds(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        uint32_t words[2];
    } plain[] = {
        {"gfx900", 64, {/* global_load_dword v[2:3], off lds */ 0xdc50a000, 0x007f0002}},
        {"gfx1030", 32, {/* global_load_dword v[2:3], off lds */ 0xdc30a000, 0x007d0002}},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < 2; k++) {
        open_filled(&r, plain[k].target, plain[k].lanes);
        r.w.s[r.t->code_m0] = 0x200;
        for (unsigned l = 0; l < r.w.lanes; l++) {
            rig_v(&r, 2, l, (uint32_t)RIG_MEM + 12 * l);
            rig_v(&r, 3, l, 0);
        }
        rig_run(&r, plain[k].words, 2);
        for (unsigned l = 0; l < r.w.lanes; l++)
            assert_int_equal(lds32(&r, 0x200 + 4 * l), mem32(&r, 12 * l));
        rig_close(&r);
    }

    /* the offset counts for both addresses */
    open_filled(&r, "gfx900", 64);
    r.w.s[r.t->code_m0] = 0x200;
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, (uint32_t)RIG_MEM + 64 + 12 * l);
    rig_run(&r, WORDS(/* global_load_sbyte v[2:3], off offset:-4 lds */ 0xdc44bffc, 0x007f0002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 0x1fc + 4 * l), (uint32_t)(int8_t)r.mem[60 + 12 * l]);
    rig_close(&r);

    open_filled(&r, "gfx942", 64);
    r.w.s[r.t->code_m0] = 0x200;
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, (uint32_t)RIG_MEM + 12 * l);
    rig_run(&r, WORDS(/* global_load_lds_dword v[2:3], off offset:4 */ 0xdca88004, 0x007f0002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 0x204 + 4 * l), mem32(&r, 12 * l + 4));
    r.w.s[4] = (uint32_t)RIG_MEM;
    r.w.s[5] = 0;
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 3 * l);
    rig_run(&r, WORDS(/* global_load_lds_sbyte v2, s[4:5] */ 0xdc9c8000, 0x00040002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 0x200 + 4 * l), (uint32_t)(int8_t)r.mem[3 * l]);
    /* an address of nobody is a fault also when the data go to LDS */
    rig_vall(&r, 2, 0x7fffffff);
    assert_int_equal(rig_try(&r, WORDS(0xdc9c8000, 0x00040002)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    rig_close(&r);
}

static void test_scratch_to_lds(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx942", 64);
    r.w.scratch_base = RIG_MEM + 4096;
    r.w.scratch_bytes = 64;
    r.w.s[3] = 12;
    r.w.s[r.t->code_m0] = 0;
    rig_run(&r, WORDS(/* scratch_load_lds_dword off, s3 offset:4 */ 0xdca84004, 0x00030000));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 4 + 4 * l), mem32(&r, 4096 + 16 * 64 + 4 * l));
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 2 * (l & 15));
    rig_run(&r, WORDS(/* scratch_load_lds_ushort v2, off */ 0xdca06000, 0x007f0002));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 4 * l), load_u16(r.mem + 4096 + (l & 15) / 2 * 256 + 4 * l + 2 * (l & 1)));
    rig_close(&r);

    open_filled(&r, "gfx900", 64);
    r.w.scratch_base = RIG_MEM + 4096;
    r.w.scratch_bytes = 64;
    r.w.s[3] = 8;
    r.w.s[r.t->code_m0] = 16;
    rig_run(&r, WORDS(/* scratch_load_dword off, s3 lds */ 0xdc506000, 0x00030000));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 16 + 4 * l), mem32(&r, 4096 + 2 * 256 + 4 * l));
    rig_close(&r);
}

/* The one store from LDS has no address register: add_tid spreads the lanes. */
static void test_lds_to_buffer(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    raw_buffer(&r, 8 * 40 + 32, 1u << 23);
    r.w.s[9] = 8u << 16; /* stride */
    r.w.s[3] = 32;
    r.w.s[r.t->code_m0] = 0x10;
    for (unsigned l = 0; l < 64; l++)
        set_lds32(&r, 0x14 + 4 * l, 0x5000 + l);
    rig_run(&r, WORDS(/* buffer_store_lds_dword s[8:11], s3 offset:4 lds */ 0xe0f50004, 0x03020000));
    for (unsigned l = 0; l < 64; l++) {
        unsigned at = 32 + 4 + 8 * l;
        assert_int_equal(mem32(&r, at), l < 40 ? 0x5000 + l : 0x81000000u + at * 0x101);
    }
    assert_int_equal(r.fx.op, MEM_STORE);
    rig_close(&r);
}

/* --- two operands in LDS ------------------------------------------------------------------------------------------ */

static void test_src2(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    r.w.s[r.t->code_m0] = 0xffffffff;
    isa_set_exec(&r.w, 1);
    set_lds32(&r, 64, 100);
    set_lds32(&r, 72, 11);
    set_lds32(&r, 56, 7);
    rig_vall(&r, 2, 64);
    rig_run(&r, WORDS(/* ds_add_src2_u32 v2 offset:2: two dwords on */ 0xd9000002, 0x00000002));
    assert_int_equal(lds32(&r, 64), 111);
    rig_run(&r, WORDS(/* ds_add_src2_u32 v2 offset:32766: two dwords back */ 0xd9007ffe, 0x00000002));
    assert_int_equal(lds32(&r, 64), 118);
    /* the top bit: the distance stands in the address's bits 31:17 */
    rig_vall(&r, 2, (uint32_t)-2 << 17 | 64);
    rig_run(&r, WORDS(/* ds_add_src2_u32 v2 offset:32768 */ 0xd9008000, 0x00000002));
    assert_int_equal(lds32(&r, 64), 125);
    rig_vall(&r, 2, 2u << 17 | 64);
    rig_run(&r, WORDS(0xd9008000, 0x00000002));
    assert_int_equal(lds32(&r, 64), 136);

    rig_vall(&r, 2, 64);
    set_lds32(&r, 64, 0xffffffff);
    set_lds32(&r, 68, 0);
    set_lds32(&r, 80, 2);
    set_lds32(&r, 84, 5);
    rig_run(&r, WORDS(/* ds_add_src2_u64 v2 offset:4 */ 0xd9800004, 0x00000002));
    assert_int_equal(lds32(&r, 64), 1);
    assert_int_equal(lds32(&r, 68), 6);
    rig_run(&r, WORDS(/* ds_write_src2_b64 v2 offset:2 */ 0xd99a0002, 0x00000002));
    assert_int_equal(lds32(&r, 64), 11);
    assert_int_equal(lds32(&r, 68), 0);
    set_lds32(&r, 68, 0xfffffff0);
    rig_run(&r, WORDS(/* ds_max_src2_i32 v2 offset:1 */ 0xd90c0001, 0x00000002));
    assert_int_equal(lds32(&r, 64), 11);
    set_lds32(&r, 64, 0x3fc00000);
    set_lds32(&r, 68, 0xbf800000);
    rig_run(&r, WORDS(/* ds_min_src2_f32 v2 offset:1 */ 0xd9240001, 0x00000002));
    assert_int_equal(lds32(&r, 64), 0xbf800000);
    set_lds32(&r, 64, 0x3fc00000);
    rig_run(&r, WORDS(/* ds_add_src2_f32 v2 offset:1 */ 0xd92a0001, 0x00000002));
    assert_int_equal(lds32(&r, 64), 0x3f000000);
    /* lanes one after the other: each adds its neighbour below, which has been through it */
    isa_set_exec(&r.w, 0xf);
    for (unsigned l = 0; l < 5; l++)
        set_lds32(&r, 128 + 4 * l, 1);
    for (unsigned l = 0; l < 4; l++)
        rig_v(&r, 2, l, 132 + 4 * l);
    rig_run(&r, WORDS(/* ds_add_src2_u32 v2 offset:32767 */ 0xd9007fff, 0x00000002));
    assert_int_equal(lds32(&r, 144), 5);
    /* B out of bounds reads zero, A out of bounds writes nothing */
    isa_set_exec(&r.w, 1);
    r.w.lds_bytes = 136;
    rig_vall(&r, 2, 128);
    rig_run(&r, WORDS(/* ds_write_src2_b64 v2 offset:2 */ 0xd99a0002, 0x00000002));
    assert_int_equal(lds32(&r, 128), 0);
    assert_int_equal(lds32(&r, 132), 0);
    rig_vall(&r, 2, 136);
    rig_run(&r, WORDS(/* ds_add_src2_u32 v2 offset:32766 */ 0xd9007ffe, 0x00000002));
    assert_int_equal(lds32(&r, 136), 3);
    rig_close(&r);
}

/* --- floats ------------------------------------------------------------------------------------------------------- */

static void test_float_add_denormals(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx90a", 64);
    isa_set_exec(&r.w, 1);
    rig_vall(&r, 2, 64);
    rig_vall(&r, 5, 0x00000003);
    set_lds32(&r, 64, 0x00000001);
    isa_set_mode(&r.w, 3u << MODE_DENORM32_SHIFT);
    rig_run(&r, WORDS(/* ds_add_f32 v2, v5 */ 0xd82a0000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 4);
    isa_set_mode(&r.w, 0);
    rig_run(&r, WORDS(/* ds_add_f32 v2, v5 */ 0xd82a0000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 0);
    /* in allowed, out flushed: a normal result of denormals stays, the sign of a flushed one too */
    isa_set_mode(&r.w, 1u << MODE_DENORM32_SHIFT);
    set_lds32(&r, 64, 0x80000001);
    rig_vall(&r, 5, 0x80000003);
    rig_run(&r, WORDS(/* ds_add_f32 v2, v5 */ 0xd82a0000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 0x80000000);
    set_lds32(&r, 64, 0x00400000);
    rig_vall(&r, 5, 0x00400000);
    rig_run(&r, WORDS(/* ds_add_rtn_f32 v4, v2, v5 */ 0xd86a0000, 0x04000502));
    assert_int_equal(lds32(&r, 64), 0x00800000);
    assert_int_equal(rig_getv(&r, 4, 0), 0x00400000); /* what was there, as it was */
    /* MODE's rounding plays no part */
    isa_set_mode(&r.w, 1u << MODE_ROUND32_SHIFT | 3u << MODE_DENORM32_SHIFT);
    set_lds32(&r, 64, 0x3f800000);
    rig_vall(&r, 5, 0x33000000);
    rig_run(&r, WORDS(/* ds_add_f32 v2, v5 */ 0xd82a0000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 0x3f800000);
    /* f64 never flushes */
    isa_set_mode(&r.w, 0);
    set_lds32(&r, 64, 1);
    set_lds32(&r, 68, 0);
    rig_vall(&r, 6, 2);
    rig_vall(&r, 7, 0);
    rig_run(&r, WORDS(/* ds_add_f64 v2, v[6:7] */ 0xd8b80000, 0x00000602));
    assert_int_equal(lds32(&r, 64), 3);
    rig_close(&r);

    /* halves listen to the other denormal bits */
    rig_open(&r, "gfx1201", 32);
    isa_set_exec(&r.w, 1);
    rig_vall(&r, 2, 64);
    set_lds32(&r, 64, 0x3c000001);
    rig_vall(&r, 5, 0x3c000002);
    isa_set_mode(&r.w, 3u << MODE_DENORM64_SHIFT);
    rig_run(&r, WORDS(/* ds_pk_add_f16 v2, v5 */ 0xda680000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 0x40000003);
    isa_set_mode(&r.w, 3u << MODE_DENORM32_SHIFT);
    set_lds32(&r, 64, 0x3c000001);
    rig_run(&r, WORDS(/* ds_pk_add_f16 v2, v5 */ 0xda680000, 0x00000502));
    assert_int_equal(lds32(&r, 64), 0x40000000);
    rig_close(&r);
}

/* --- partly out of bounds ----------------------------------------------------------------------------------------- */

/* One address: all of it or nothing. Two addresses: each for itself. */
static void check_partly(const char *target, unsigned lanes, const uint32_t *b64, const uint32_t *b128,
                         const uint32_t *two, const uint32_t *store)
{
    struct rig r;

    rig_open(&r, target, lanes);
    r.w.s[r.t->code_m0] = 0xffffffff;
    r.w.lds_bytes = 512;
    memset(r.lds, 0x5a, 1024);
    for (unsigned l = 0; l < lanes; l++)
        rig_v(&r, 2, l, 512 - 16 + 4 * (l & 7));
    for (unsigned k = 4; k < 8; k++)
        rig_vall(&r, k, 0xbad);
    rig_run(&r, b64, 2);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(rig_getv(&r, 4 + k, l), (l & 7) <= 2 ? 0x5a5a5a5a : 0);
    rig_run(&r, b128, 2);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_getv(&r, 4 + k, l), (l & 7) == 0 ? 0x5a5a5a5a : 0);
    rig_run(&r, two, 2);
    for (unsigned l = 0; l < lanes; l++)
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(rig_getv(&r, 4 + k, l), (l & 7) + k < 4 ? 0x5a5a5a5a : 0);
    for (unsigned k = 4; k < 8; k++)
        rig_vall(&r, k, 0x11111111);
    isa_set_exec(&r.w, 8); /* at 508 */
    rig_run(&r, store, 2);
    assert_int_equal(lds32(&r, 508), 0x5a5a5a5a);
    assert_int_equal(lds32(&r, 512), 0x5a5a5a5a);
    /* an address that would wrap */
    rig_vall(&r, 2, 0xfffffffc);
    rig_run(&r, b64, 2);
    assert_int_equal(rig_getv(&r, 4, 3), 0);
    rig_run(&r, store, 2);
    assert_int_equal(lds32(&r, 0), 0x5a5a5a5a);
    rig_close(&r);
}

static void test_partly_out_of_bounds(void **state)
{
    (void)state;
    /* ds_read_b64 v[4:5], v2; ds_read_b128 v[4:7], v2; ds_read2_b32 v[4:5], v2 offset1:1; ds_write_b64 v2, v[4:5] */
    check_partly("gfx803", 64, (const uint32_t[]){0xd8ec0000, 0x04000002}, (const uint32_t[]){0xd9fe0000, 0x04000002},
                 (const uint32_t[]){0xd86e0100, 0x04000002}, (const uint32_t[]){0xd89a0000, 0x00000402});
    check_partly("gfx900", 64, (const uint32_t[]){0xd8ec0000, 0x04000002}, (const uint32_t[]){0xd9fe0000, 0x04000002},
                 (const uint32_t[]){0xd86e0100, 0x04000002}, (const uint32_t[]){0xd89a0000, 0x00000402});
    check_partly("gfx1100", 64, (const uint32_t[]){0xd9d80000, 0x04000002}, (const uint32_t[]){0xdbfc0000, 0x04000002},
                 (const uint32_t[]){0xd8dc0100, 0x04000002}, (const uint32_t[]){0xd9340000, 0x00000402});
    check_partly("gfx1201", 32, (const uint32_t[]){0xd9d80000, 0x04000002}, (const uint32_t[]){0xdbfc0000, 0x04000002},
                 (const uint32_t[]){0xd8dc0100, 0x04000002}, (const uint32_t[]){0xd9340000, 0x00000402});
}

/* On gfx8 M0 is the address of ds_append and therefore no limit to it. */
static void test_append_address_is_m0(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    r.w.s[r.t->code_m0] = 0x40;
    set_lds32(&r, 0x50, 7);
    rig_run(&r, WORDS(/* ds_append v1 offset:16 */ 0xd97c0010, 0x01000000));
    assert_int_equal(rig_getv(&r, 1, 63), 7);
    assert_int_equal(lds32(&r, 0x50), 7 + 64);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffer_to_lds),        cmocka_unit_test(test_narrow_to_lds),
        cmocka_unit_test(test_global_to_lds),        cmocka_unit_test(test_scratch_to_lds),
        cmocka_unit_test(test_lds_to_buffer),        cmocka_unit_test(test_src2),
        cmocka_unit_test(test_float_add_denormals),  cmocka_unit_test(test_partly_out_of_bounds),
        cmocka_unit_test(test_append_address_is_m0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

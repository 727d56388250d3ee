/* LDS: loads and stores of every width, two-address forms, bounds, the crossbar. Expected values from the ISA manuals'
 * pseudocode (CalcDsAddr, DS_SWIZZLE_B32, DS_PERMUTE_B32, DS_BPERMUTE_B32). */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static void open_filled(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    r->w.s[r->t->code_m0] = 0xffffffff;
    for (unsigned k = 0; k < 65536; k++)
        r->lds[k] = (uint8_t)(k * 11 + (k >> 8) * 3 + 1);
}

static uint32_t lds32(const struct rig *r, unsigned off)
{
    return load_u32(r->lds + off);
}

static void test_loads(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, l * 20);
    isa_set_exec(&r.w, ~UINT64_C(2));
    rig_run(&r, WORDS(/* ds_read_b32 v8, v2 offset:4; ds_read_b64 v[10:11], v2; ds_read_b96 v[12:14], v2 offset:8;
                         ds_read_b128 v[16:19], v2 offset:65000 */
                      0xd86c0004, 0x08000002, 0xd8ec0000, 0x0a000002, 0xd9fc0008, 0x0c000002, 0xd9fefde8, 0x10000002));
    for (unsigned l = 0; l < 64; l++) {
        assert_int_equal(rig_getv(&r, 8, l), l == 1 ? 0 : lds32(&r, 20 * l + 4));
        assert_int_equal(rig_getv(&r, 11, l), l == 1 ? 0 : lds32(&r, 20 * l + 4));
        for (unsigned k = 0; k < 3; k++)
            assert_int_equal(rig_getv(&r, 12 + k, l), l == 1 ? 0 : lds32(&r, 20 * l + 8 + 4 * k));
        /* out of bounds as a whole */
        uint32_t at = 20 * l + 65000;
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_getv(&r, 16 + k, l), l == 1 || at + 16 > 65536 ? 0 : lds32(&r, at + 4 * k));
    }
    assert_int_equal(r.fx.kind, FX_LDS);
    assert_int_equal(r.fx.lds_mask, ~UINT64_C(2));
    assert_int_equal(r.fx.lds_addr[3], 65060);
    assert_int_equal(r.fx.bytes, 16);
    rig_close(&r);
}

static void test_narrow(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1201", 32);
    r.lds[7] = 0x9c;
    r.lds[8] = 0xfe;
    rig_vall(&r, 2, 5);
    for (unsigned k = 12; k < 18; k++)
        rig_vall(&r, k, 0x11112222);
    rig_run(&r, WORDS(/* ds_load_u8 v8, v2 offset:2; ds_load_i8 v9, v2 offset:2; ds_load_u16 v10, v2 offset:2;
                         ds_load_i16 v11, v2 offset:2; ds_load_u8_d16 v12, v2 offset:2; ds_load_u8_d16_hi v13, v2
                         offset:2; ds_load_i8_d16 v14, v2 offset:2; ds_load_i8_d16_hi v15, v2 offset:2; ds_load_u16_d16
                         v16, v2 offset:2; ds_load_u16_d16_hi v17, v2 offset:2 */
                      0xd8e80002, 0x08000002, 0xd8e40002, 0x09000002, 0xd8f00002, 0x0a000002, 0xd8ec0002, 0x0b000002,
                      0xda880002, 0x0c000002, 0xda8c0002, 0x0d000002, 0xda900002, 0x0e000002, 0xda940002, 0x0f000002,
                      0xda980002, 0x10000002, 0xda9c0002, 0x11000002));
    static const uint32_t want[] = {0x9c,       0xffffff9c, 0xfe9c,     0xfffffe9c, 0x1111009c,
                                    0x009c2222, 0x1111ff9c, 0xff9c2222, 0x1111fe9c, 0xfe9c2222};
    for (unsigned k = 0; k < 10; k++)
        assert_int_equal(rig_getv(&r, 8 + k, 17), want[k]);
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, 8 * l);
    rig_vall(&r, 8, 0xa1b2c3d4);
    memset(r.lds, 0xee, 256);
    rig_run(&r, WORDS(/* ds_store_b8 v2, v8; ds_store_b8_d16_hi v2, v8 offset:1; ds_store_b16 v2, v8 offset:2;
                         ds_store_b16_d16_hi v2, v8 offset:4 */
                      0xd8780000, 0x00000802, 0xda800001, 0x00000802, 0xd87c0002, 0x00000802, 0xda840004, 0x00000802));
    assert_int_equal(lds32(&r, 80), 0xc3d4b2d4);
    assert_int_equal(lds32(&r, 84), 0xeeeea1b2);
    rig_close(&r);
}

static void test_stores(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, l * 16);
        for (unsigned k = 0; k < 4; k++)
            rig_v(&r, 8 + k, l, l << 8 | k);
    }
    isa_set_exec(&r.w, UINT64_C(0xffffffff0000ffff));
    uint32_t old = lds32(&r, 20 * 16);
    rig_run(&r, WORDS(/* ds_write_b128 v2, v[8:11]; ds_write_b64 v2, v[8:9] offset:2048; ds_write_b96 v2, v[8:10]
                         offset:4096; ds_write_b32 v2, v9 offset:8192 */
                      0xd9be0000, 0x00000802, 0xd89a0800, 0x00000802, 0xd9bc1000, 0x00000802, 0xd81a2000, 0x00000902));
    assert_int_equal(lds32(&r, 20 * 16), old);
    assert_int_equal(lds32(&r, 5 * 16 + 12), 5 << 8 | 3);
    assert_int_equal(lds32(&r, 2048 + 5 * 16 + 4), 5 << 8 | 1);
    assert_int_equal(lds32(&r, 4096 + 63 * 16 + 8), 63 << 8 | 2);
    assert_int_equal(lds32(&r, 8192 + 63 * 16), 63 << 8 | 1);
    /* all lanes side by side, and all at one place: the last lane stays */
    isa_set_exec(&r.w, UINT64_MAX);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 4 * l);
    rig_run(&r, WORDS(/* ds_write_b32 v2, v8 */ 0xd81a0000, 0x00000802));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(lds32(&r, 4 * l), l << 8);
    rig_vall(&r, 2, 400);
    rig_run(&r, WORDS(/* ds_write_b64 v2, v[8:9] */ 0xd89a0000, 0x00000802));
    assert_int_equal(lds32(&r, 400), 63 << 8);
    assert_int_equal(lds32(&r, 404), 63 << 8 | 1);
    rig_close(&r);
}

static void test_two_addresses(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 4 * l);
    rig_run(&r, WORDS(/* ds_read2_b32 v[8:9], v2 offset0:3 offset1:200; ds_read2st64_b32 v[10:11], v2 offset0:1
                         offset1:4; ds_read2_b64 v[12:15], v2 offset0:1 offset1:2 */
                      0xd86ec803, 0x08000002, 0xd8700401, 0x0a000002, 0xd8ee0201, 0x0c000002));
    assert_int_equal(r.fx.elems, 2);
    assert_int_equal(r.fx.bytes, 8);
    assert_int_equal(r.fx.lds_addr[7], 28 + 8);
    assert_int_equal(r.fx.lds_addr2[7], 28 + 16);
    for (unsigned l = 0; l < 64; l++) {
        assert_int_equal(rig_getv(&r, 8, l), lds32(&r, 4 * l + 12));
        assert_int_equal(rig_getv(&r, 9, l), lds32(&r, 4 * l + 800));
        assert_int_equal(rig_getv(&r, 10, l), lds32(&r, 4 * l + 256));
        assert_int_equal(rig_getv(&r, 11, l), lds32(&r, 4 * l + 1024));
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig_getv(&r, 12 + k, l), lds32(&r, 4 * l + 8 + 4 * k));
    }
    /* the destination may be the address */
    rig_run(&r, WORDS(/* ds_read2_b32 v[2:3], v2 offset0:0 offset1:1 */ 0xd86e0100, 0x02000002));
    assert_int_equal(rig_getv(&r, 3, 9), lds32(&r, 40));
    rig_close(&r);

    open_filled(&r, "gfx1201", 32);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, 16 * l);
        rig_v(&r, 8, l, 0x80 + l);
        rig_v(&r, 9, l, 0x180 + l);
        rig_v(&r, 10, l, 0x280 + l);
        rig_v(&r, 11, l, 0x380 + l);
    }
    rig_run(&r, WORDS(/* ds_store_2addr_b32 v2, v8, v10 offset0:1 offset1:3; ds_store_2addr_stride64_b64 v2, v[8:9],
                         v[10:11] offset0:2 offset1:5 */
                      0xd8380301, 0x000a0802, 0xd93c0502, 0x000a0802));
    assert_int_equal(lds32(&r, 16 * 5 + 4), 0x85);
    assert_int_equal(lds32(&r, 16 * 5 + 12), 0x285);
    assert_int_equal(lds32(&r, 16 * 5 + 1024 + 4), 0x185);
    assert_int_equal(lds32(&r, 16 * 5 + 2560 + 4), 0x385);
    /* exchange: old values come back although they land on the data */
    rig_run(&r, WORDS(/* ds_storexchg_2addr_rtn_b32 v[8:9], v2, v9, v8 offset0:1 offset1:3 */ 0xd8b80301, 0x08080902));
    assert_int_equal(rig_getv(&r, 8, 5), 0x85);
    assert_int_equal(rig_getv(&r, 9, 5), 0x285);
    assert_int_equal(lds32(&r, 16 * 5 + 4), 0x185);
    assert_int_equal(lds32(&r, 16 * 5 + 12), 0x85);
    rig_close(&r);
}

/* Reads out of bounds give zero, writes are dropped; on gfx8 M0 is a bound too. */
static void test_bounds(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    r.w.lds_bytes = 512;
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 4 * l);
    rig_vall(&r, 9, 0x5555);
    rig_run(&r, WORDS(/* ds_read_b32 v8, v2 offset:384 */ 0xd86c0180, 0x08000002));
    assert_int_equal(rig_getv(&r, 8, 31), lds32(&r, 508));
    assert_int_equal(rig_getv(&r, 8, 32), 0);
    r.w.s[r.t->code_m0] = 256;
    uint32_t kept = lds32(&r, 300);
    rig_run(&r, WORDS(/* ds_write_b32 v2, v9 offset:100; ds_read_b32 v8, v2 */ 0xd81a0064, 0x00000902, 0xd86c0000,
                      0x08000002));
    assert_int_equal(lds32(&r, 252), 0x5555);
    assert_int_equal(lds32(&r, 300), kept);
    assert_int_equal(rig_getv(&r, 8, 63), 0x5555);
    r.w.s[r.t->code_m0] = 0;
    rig_run(&r, WORDS(/* ds_read_b32 v8, v2 */ 0xd86c0000, 0x08000002));
    assert_int_equal(rig_getv(&r, 8, 0), 0);
    rig_close(&r);

    /* no M0 there; 32-bit wrap of address + offset */
    open_filled(&r, "gfx1201", 32);
    r.w.lds_bytes = 512;
    r.w.s[r.t->code_m0] = 0;
    rig_vall(&r, 2, 0xfffffff0);
    rig_run(&r, WORDS(/* ds_load_b32 v8, v2 offset:32; ds_load_b32 v9, v2 */ 0xd8d80020, 0x08000002, 0xd8d80000,
                      0x09000002));
    assert_int_equal(rig_getv(&r, 8, 0), lds32(&r, 16));
    assert_int_equal(rig_getv(&r, 9, 0), 0);
    rig_close(&r);
}

static void test_alignment(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    rig_vall(&r, 2, 8);
    rig_v(&r, 2, 3, 10);
    assert_int_equal(rig_try(&r, WORDS(/* ds_read_b32 v8, v2 */ 0xd86c0000, 0x08000002)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    assert_int_equal(r.w.fault.lane, 3);
    assert_int_equal(rig_try(&r, WORDS(/* ds_read2_b32 v[8:9], v2 offset1:1 */ 0xd86e0100, 0x08000002)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_ALIGN);
    assert_int_equal(r.w.fault.lane, 3);
    rig_run(&r, WORDS(/* ds_read_u16 v8, v2 */ 0xd8780000, 0x08000002));
    rig_v(&r, 2, 3, 12); /* eight bytes want four */
    rig_run(&r, WORDS(/* ds_read_b64 v[8:9], v2 */ 0xd8ec0000, 0x08000002));
    assert_int_equal(rig_getv(&r, 9, 3), lds32(&r, 16));
    rig_close(&r);

    open_filled(&r, "gfx90a", 64);
    rig_vall(&r, 2, 7);
    rig_run(&r, WORDS(/* ds_read_b32 v8, v2 */ 0xd86c0000, 0x08000002));
    assert_int_equal(rig_getv(&r, 8, 3), lds32(&r, 7));
    rig_close(&r);
}

static void test_gds_not_executed(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    assert_int_equal(rig_try(&r, WORDS(/* ds_add_u32 v2, v3 gds */ 0xd8010000, 0x00000302)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_UNIMPLEMENTED);
    rig_close(&r);
}

static void test_addtid_append(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1201", 32);
    r.w.s[r.t->code_m0] = 64;
    isa_set_exec(&r.w, 0xf0ffffff);
    rig_run(&r, WORDS(/* ds_load_addtid_b32 v8 offset:16; s_wait_dscnt 0x0; ds_store_addtid_b32 v8 offset:1024 */
                      0xdac40010, 0x08000000, 0xbfc60000, 0xdac00400, 0x00000800));
    assert_int_equal(rig_getv(&r, 8, 31), lds32(&r, 64 + 16 + 124));
    assert_int_equal(rig_getv(&r, 8, 25), 0);
    assert_int_equal(lds32(&r, 64 + 1024 + 124), lds32(&r, 64 + 16 + 124));
    uint32_t start = lds32(&r, 68);
    rig_run(&r, WORDS(/* ds_append v9 offset:4; ds_append v10 offset:4; ds_consume v11 offset:4 */ 0xd8f80004,
                      0x09000000, 0xd8f80004, 0x0a000000, 0xd8f40004, 0x0b000000));
    assert_int_equal(rig_getv(&r, 9, 3), start);
    assert_int_equal(rig_getv(&r, 9, 25), 0);
    assert_int_equal(rig_getv(&r, 10, 3), start + 28);
    assert_int_equal(rig_getv(&r, 11, 31), start + 56);
    assert_int_equal(lds32(&r, 68), start + 28);
    rig_close(&r);
}

/* --- crossbar ----------------------------------------------------------------------------------------------------- */

static void lanes_as_data(struct rig *r)
{
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, 3, l, 0x100 + l);
        rig_v(r, 8, l, 0xbad);
    }
}

static void test_swizzle(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    lanes_as_data(&r);
    rig_run(&r, WORDS(/* ds_swizzle_b32 v8, v3 offset:swizzle(QUAD_PERM,3,1,0,2); ds_swizzle_b32 v9, v3
                         offset:swizzle(SWAP,16); ds_swizzle_b32 v10, v3 offset:swizzle(BROADCAST,8,5); ds_swizzle_b32
                         v11, v3 offset:swizzle(REVERSE,32) */
                      0xd87a8087, 0x08000003, 0xd87a401f, 0x09000003, 0xd87a00b8, 0x0a000003, 0xd87a7c1f, 0x0b000003));
    for (unsigned l = 0; l < 64; l++) {
        static const unsigned quad[] = {3, 1, 0, 2};
        assert_int_equal(rig_getv(&r, 8, l), 0x100 + (l & ~3u) + quad[l & 3]);
        assert_int_equal(rig_getv(&r, 9, l), 0x100 + (l ^ 16));
        assert_int_equal(rig_getv(&r, 10, l), 0x100 + (l & ~7u) + 5);
        assert_int_equal(rig_getv(&r, 11, l), 0x100 + (l ^ 31));
    }
    /* lanes that are off give zero and keep their own */
    lanes_as_data(&r);
    isa_set_exec(&r.w, ~UINT64_C(0x11));
    rig_run(&r, WORDS(/* ds_swizzle_b32 v8, v3 offset:swizzle(SWAP,1) */ 0xd87a041f, 0x08000003));
    assert_int_equal(rig_getv(&r, 8, 0), 0xbad);
    assert_int_equal(rig_getv(&r, 8, 1), 0);
    assert_int_equal(rig_getv(&r, 8, 2), 0x103);
    assert_int_equal(rig_getv(&r, 8, 5), 0);
    assert_int_equal(r.fx.kind, FX_LDS);
    rig_close(&r);

    open_filled(&r, "gfx1201", 32);
    lanes_as_data(&r);
    /* rotate by 3 downwards and upwards; within groups of 8 (mask 0x18) */
    rig_run(&r, WORDS(/* ds_swizzle_b32 v8, v3 offset:0xc060; ds_swizzle_b32 v9, v3 offset:0xc460; ds_swizzle_b32 v10,
                         v3 offset:0xc078; ds_swizzle_b32 v11, v3 offset:0xe000; ds_swizzle_b32 v12, v3 offset:0xe010;
                         ds_swizzle_b32 v13, v3 offset:0xe01f */
                      0xd8d4c060, 0x08000003, 0xd8d4c460, 0x09000003, 0xd8d4c078, 0x0a000003, 0xd8d4e000, 0x0b000003,
                      0xd8d4e010, 0x0c000003, 0xd8d4e01f, 0x0d000003));
    static const unsigned fft0[] = {0x0, 0x10, 0x8, 0x18, 0x4, 0x14, 0xc, 0x1c, 0x2, 0x12,
                                    0xa, 0x1a, 0x6, 0x16, 0xe, 0x1e, 0x1, 0x11, 0x9, 0x19};
    static const unsigned fft16[] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15, 16, 24, 20, 28};
    for (unsigned l = 0; l < 20; l++) {
        assert_int_equal(rig_getv(&r, 8, l), 0x100 + ((l + 3) & 31));
        assert_int_equal(rig_getv(&r, 9, l), 0x100 + ((l - 3) & 31));
        assert_int_equal(rig_getv(&r, 10, l), 0x100 + (l & 0x18) + ((l + 3) & 7));
        assert_int_equal(rig_getv(&r, 11, l), 0x100 + fft0[l]);
        assert_int_equal(rig_getv(&r, 12, l), 0x100 + fft16[l]);
        assert_int_equal(rig_getv(&r, 13, l), 0x100 + l);
    }
    rig_close(&r);
}

/* group: lanes within which the permutes of this target stay */
static void check_permutes(const char *target, unsigned lanes, unsigned group, const uint32_t *words, unsigned n)
{
    struct rig r;

    open_filled(&r, target, lanes);
    lanes_as_data(&r);
    for (unsigned l = 0; l < lanes; l++)
        rig_v(&r, 2, l, 4 * (l * 5 + 9) + (l & 3));
    isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(8));
    /* ds_bpermute v8, v2, v3 offset:4; ds_permute v9, v2, v3 */
    rig_run(&r, words, n);
    for (unsigned l = 0; l < lanes; l++) {
        unsigned from = (l & ~(group - 1)) | ((l * 5 + 10) & (group - 1));
        assert_int_equal(rig_getv(&r, 8, l), l == 3 ? 0xbad : from == 3 ? 0 : 0x100 + from);
        unsigned pushed = 0;
        for (unsigned k = 0; k < lanes; k++)
            if (k != 3 && ((k & ~(group - 1)) | ((k * 5 + 9) & (group - 1))) == l)
                pushed = 0x100 + k;
        assert_int_equal(rig_getv(&r, 9, l), l == 3 ? 0 : pushed);
    }
    rig_close(&r);
}

static void test_permutes(void **state)
{
    (void)state;
    check_permutes("gfx90a", 64, 64,
                   WORDS(/* ds_bpermute_b32 v8, v2, v3 offset:4; ds_permute_b32 v9, v2, v3 */ 0xd87e0004, 0x08000302,
                         0xd87c0000, 0x09000302));
    check_permutes("gfx1201", 32, 32,
                   WORDS(/* ds_bpermute_b32 v8, v2, v3 offset:4; ds_permute_b32 v9, v2, v3 */ 0xdacc0004, 0x08000302,
                         0xdac80000, 0x09000302));
    check_permutes("gfx1201", 64, 64,
                   WORDS(/* ds_bpermute_b32 v8, v2, v3 offset:4; ds_permute_b32 v9, v2, v3 */ 0xdacc0004, 0x08000302,
                         0xdac80000, 0x09000302));
    check_permutes("gfx1030", 64, 32,
                   WORDS(/* ds_bpermute_b32 v8, v2, v3 offset:4; ds_permute_b32 v9, v2, v3 */ 0xdacc0004, 0x08000302,
                         0xdac80000, 0x09000302));
    check_permutes("gfx1100", 64, 32,
                   WORDS(/* ds_bpermute_b32 v8, v2, v3 offset:4; ds_permute_b32 v9, v2, v3 */ 0xdacc0004, 0x08000302,
                         0xdac80000, 0x09000302));
}

/* Several lanes push to one: the highest wins. */
static void test_permute_collision(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    lanes_as_data(&r);
    rig_vall(&r, 2, 4 * 7);
    rig_run(&r, WORDS(/* ds_permute_b32 v8, v2, v3 */ 0xd87c0000, 0x08000302));
    assert_int_equal(rig_getv(&r, 8, 7), 0x100 + 63);
    assert_int_equal(rig_getv(&r, 8, 8), 0);
    rig_close(&r);
}

/* --- loads and stores in one pass (isa/lanes/lds_pass.c), without effects asked for
 * ---------------------------------------- */

struct pass_load {
    uint32_t gfx9[2], gfx12[2];
    unsigned elems, dwords, dst, offset[2];
};

static const struct pass_load pass_loads[] = {
    {{0xd86c0004, 0x08000002}, {0xd8d80004, 0x08000002}, 1, 1, 8, {4}},      /* b32 v8, v2 offset:4 */
    {{0xd8ec0004, 0x08000002}, {0xd9d80004, 0x08000002}, 1, 2, 8, {4}},      /* b64 */
    {{0xd9fc0004, 0x08000002}, {0xdbf80004, 0x08000002}, 1, 3, 8, {4}},      /* b96 */
    {{0xd9fe0004, 0x08000002}, {0xdbfc0004, 0x08000002}, 1, 4, 8, {4}},      /* b128 */
    {{0xd86e0701, 0x08000002}, {0xd8dc0701, 0x08000002}, 2, 1, 8, {4, 28}},  /* 2addr_b32 offset0:1 offset1:7 */
    {{0xd8ee0301, 0x08000002}, {0xd9dc0301, 0x08000002}, 2, 2, 8, {8, 24}},  /* 2addr_b64 offset0:1 offset1:3 */
    {{0xd8700100, 0x08000002}, {0xd8e00100, 0x08000002}, 2, 1, 8, {0, 256}}, /* 2addr_stride64_b32 offset1:1 */
    {{0xd9fe0000, 0x02000002}, {0xdbfc0000, 0x02000002}, 1, 4, 2, {0}},      /* b128 v[2:5], v2 */
    {{0xd8ee0005, 0x00000002}, {0xd9dc0005, 0x00000002}, 2, 2, 0, {40, 0}},  /* 2addr_b64 v[0:3], v2 offset0:5 */
};

static uint32_t pass_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Where lane l reads: shapes that kernels have, at any place, the ends of LDS and around zero among them. */
static uint32_t pass_address(unsigned shape, uint32_t base, unsigned l, uint32_t *seed)
{
    switch (shape) {
    case 0:
        return base; /* all at one place */
    case 1:
        return base + 4 * l;
    case 2:
        return base + 8 * l;
    case 3:
        return base + 16 * l;
    case 4:
        return base + 256 * (l / 16); /* a row of a tile for each sixteen */
    case 5:
        return base + 4 * (l & 15);
    case 6:
        return base + 4 * (l ^ 21); /* the first lane is not the lowest */
    case 7:
        return base - 4 * l;
    case 8:
        return base + 4 * (pass_random(seed) & 31);
    case 9:
        return base + 132 * l;
    case 10:
        return base + (pass_random(seed) & 127); /* misaligned */
    case 11:
        return l == 13 ? 0xfffffff8u : base + 4 * l;
    default:
        return pass_random(seed) & 0xfffc;
    }
}

enum { PASS_SHAPES = 13 };

static void check_pass(struct rig *r, const struct pass_load *p, const uint32_t *address)
{
    for (unsigned l = 0; l < r->w.lanes; l++)
        for (unsigned e = 0; e < p->elems; e++)
            for (unsigned k = 0; k < p->dwords; k++) {
                uint32_t at = address[l] + p->offset[e];
                bool inside = (uint64_t)at + 4 * p->dwords <= r->w.lds_bytes;
                uint32_t want = inside ? lds32(r, at + 4 * k) : 0, reg = p->dst + e * p->dwords + k;
                if (!(r->w.exec >> l & 1))
                    want = reg == 2 ? address[l] : 0xabcd0000 + reg;
                if (rig_getv(r, reg, l) != want)
                    fail_msg("%s, 0x%08x, exec 0x%llx, lane %u at 0x%x, v%u: 0x%08x, not 0x%08x", r->t->name,
                             p->gfx9[0], (unsigned long long)r->w.exec, l, at, reg, rig_getv(r, reg, l), want);
            }
}

/* Random lanes, registers and addresses, and the instruction at its place. */
static void set_pass(struct rig *r, const uint32_t *words, unsigned shape, uint32_t *seed, uint32_t *address)
{
    static const uint64_t execs[] = {~UINT64_C(0), 1, 0xffff0000, 0x8000000000000001, 0x00ff00000000, 0x55555555, 0};
    uint32_t base = pass_random(seed) % (r->w.lds_bytes + 64) & ~3u;
    unsigned which = pass_random(seed) % 12;
    struct err e = {0};

    if (pass_random(seed) % 4 == 0)
        base = pass_random(seed) % 2 ? 0 : r->w.lds_bytes - 4 * (pass_random(seed) % 80);
    isa_set_exec(&r->w, (which < 7 ? execs[which] : ~UINT64_C(0)) & lane_mask(r->w.lanes));
    for (unsigned reg = 0; reg < 16; reg++)
        rig_vall(r, reg, 0xabcd0000 + reg);
    for (unsigned l = 0; l < r->w.lanes; l++)
        rig_v(r, 2, l, address[l] = pass_address(shape, base, l, seed));
    isa_program_close(r->p);
    memcpy(r->code, words, 8);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, 8, &e), 0);
    r->w.program = r->p;
    r->w.pc = RIG_CODE;
}

static void run_pass(struct rig *r, const struct pass_load *p, unsigned shape, uint32_t *seed)
{
    uint32_t address[64];

    set_pass(r, r->w.lanes == 64 ? p->gfx9 : p->gfx12, shape, seed, address);
    assert_int_equal(isa_step(&r->w, isa_program_at(r->p, RIG_CODE), &r->env, NULL), ISA_OK);
    check_pass(r, p, address);
}

/* For v8 on; the second element of v10 on. */
struct pass_store {
    uint32_t gfx9[2], gfx12[2];
    unsigned elems, dwords, offset[2];
};

static const struct pass_store pass_stores[] = {
    {{0xd81a0004, 0x00000802}, {0xd8340004, 0x00000802}, 1, 1, {4}},      /* b32 v2, v8 offset:4 */
    {{0xd89a0004, 0x00000802}, {0xd9340004, 0x00000802}, 1, 2, {4}},      /* b64 */
    {{0xd9bc0004, 0x00000802}, {0xdb780004, 0x00000802}, 1, 3, {4}},      /* b96 */
    {{0xd9be0004, 0x00000802}, {0xdb7c0004, 0x00000802}, 1, 4, {4}},      /* b128 */
    {{0xd81c0701, 0x000a0802}, {0xd8380701, 0x000a0802}, 2, 1, {4, 28}},  /* 2addr_b32 offset0:1 offset1:7 */
    {{0xd89c0301, 0x000a0802}, {0xd9380301, 0x000a0802}, 2, 2, {8, 24}},  /* 2addr_b64 offset0:1 offset1:3 */
    {{0xd81e0100, 0x000a0802}, {0xd83c0100, 0x000a0802}, 2, 1, {0, 256}}, /* 2addr_stride64_b32 offset1:1 */
};

/* Lane after lane, the first element of all of them first; dropped out of bounds. */
static void run_pass_store(struct rig *r, const struct pass_store *p, unsigned shape, uint32_t *seed)
{
    static uint8_t want[65536];
    uint32_t address[64];

    set_pass(r, r->w.lanes == 64 ? p->gfx9 : p->gfx12, shape, seed, address);
    for (unsigned reg = 8; reg < 12; reg++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, reg, l, pass_random(seed));
    memcpy(want, r->lds, sizeof want);
    for (unsigned e = 0; e < p->elems; e++)
        for (unsigned l = 0; l < r->w.lanes; l++) {
            uint32_t at = address[l] + p->offset[e];
            if (!(r->w.exec >> l & 1) || (uint64_t)at + 4 * p->dwords > r->w.lds_bytes)
                continue;
            for (unsigned k = 0; k < p->dwords; k++) {
                uint32_t v = rig_getv(r, 8 + 2 * e + k, l);
                memcpy(want + at + 4 * k, &v, 4);
            }
        }
    assert_int_equal(isa_step(&r->w, isa_program_at(r->p, RIG_CODE), &r->env, NULL), ISA_OK);
    for (unsigned at = 0; memcmp(want, r->lds, sizeof want) && at < sizeof want; at++)
        if (want[at] != r->lds[at])
            fail_msg("%s, 0x%08x, shape %u, exec 0x%llx: 0x%02x at 0x%x, not 0x%02x", r->t->name, p->gfx9[0], shape,
                     (unsigned long long)r->w.exec, r->lds[at], at, want[at]);
}

static void test_one_pass(void **state)
{
    static const uint32_t sizes[] = {65536, 4096, 1028, 148, 128, 60, 12};
    static const char *const variants[] = {NULL, "avx2", "base"};
    (void)state;

    for (unsigned v = 0; v < 3; v++) {
        if (variants[v] && !isa_variant_find(variants[v]))
            continue;
        for (unsigned target = 0; target < 2; target++) {
            struct rig r;
            uint32_t seed = 17 + v;

            rig_open_variant(&r, target ? "gfx1201" : "gfx90a", target ? 32 : 64, variants[v]);
            for (unsigned k = 0; k < 65536; k++)
                r.lds[k] = (uint8_t)(k * 11 + (k >> 8) * 3 + 1);
            for (unsigned n = 0; n < 400; n++) {
                r.w.lds_bytes = sizes[n % (sizeof sizes / sizeof *sizes)];
                for (unsigned k = 0; k < sizeof pass_loads / sizeof *pass_loads; k++)
                    run_pass(&r, &pass_loads[k], n % PASS_SHAPES, &seed);
                for (unsigned k = 0; k < sizeof pass_stores / sizeof *pass_stores; k++)
                    run_pass_store(&r, &pass_stores[k], n % PASS_SHAPES, &seed);
            }
            rig_close(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),         cmocka_unit_test(test_one_pass),
        cmocka_unit_test(test_narrow),        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_two_addresses), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_alignment),     cmocka_unit_test(test_gds_not_executed),
        cmocka_unit_test(test_addtid_append), cmocka_unit_test(test_swizzle),
        cmocka_unit_test(test_permutes),      cmocka_unit_test(test_permute_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

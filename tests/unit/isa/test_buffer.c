/* Buffers: the scratch descriptor of -O0 code, swizzles and bounds rules of each generation. Expected addresses are
 * written out here from the ISA manuals' formula, expected bounds from their range-check tables. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

static void open_filled(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    for (unsigned k = 0; k < 65536; k++)
        r->mem[k] = (uint8_t)(k * 7 + (k >> 8) * 13 + 1);
}

static uint32_t mem32(const struct rig *r, unsigned off)
{
    return load_u32(r->mem + off);
}

/* Descriptor in s[8:11]; word 1's upper half and word 3 are the caller's. */
static void descriptor(struct rig *r, uint64_t base, uint32_t word1_hi, uint32_t records, uint32_t word3)
{
    r->w.s[8] = (uint32_t)base;
    r->w.s[9] = (uint32_t)(base >> 32) | word1_hi << 16;
    r->w.s[10] = records;
    r->w.s[11] = word3;
}

#define ADD_TID            (1u << 23)
#define SWIZZLE            0x8000u
#define INDEX_STRIDE(log2) ((uint32_t)((log2)-3) << 21)
#define ELEMENT_4          (1u << 19) /* gfx8 */

/* The private segment buffer: lanes interleaved by dword. */
static void check_scratch(const char *target, uint32_t element, const uint32_t *load, unsigned nload,
                          const uint32_t *store, unsigned nstore)
{
    struct rig r;

    open_filled(&r, target, 64);
    descriptor(&r, RIG_MEM + 256, SWIZZLE, 0xffffffff, ADD_TID | INDEX_STRIDE(6) | element);
    r.w.s[32] = 1024; /* the stack pointer: bytes of the wave, not of a lane */
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 4 * (l % 5) + (l == 9 ? 2 : 0));
    rig_run(&r, load, nload);
    for (unsigned l = 0; l < 64; l++) {
        assert_int_equal(rig_getv(&r, 8, l), mem32(&r, 256 + 1024 + 3 * 256 + 4 * l));
        /* offen: element by element; lane 9 begins inside one and ends in the next */
        unsigned off = 4 * (l % 5) + 8, at = 256 + off / 4 * 256 + 4 * l;
        assert_int_equal(rig_getv(&r, 9, l), l == 9 ? mem32(&r, at) >> 16 | mem32(&r, at + 256) << 16 : mem32(&r, at));
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(rig_getv(&r, 10 + k, l), mem32(&r, 256 + 1024 + (4 + k) * 256 + 4 * l));
        assert_int_equal(rig_getv(&r, 12, l), r.mem[256 + 1024 + 256 + 4 * l + 3]);
    }
    isa_set_exec(&r.w, ~UINT64_C(0x8000000000000011));
    rig_vall(&r, 8, 0xbad);
    rig_run(&r, load, 2);
    assert_int_equal(rig_getv(&r, 8, 63), 0xbad);
    assert_int_equal(rig_getv(&r, 8, 4), 0xbad);
    assert_int_equal(rig_getv(&r, 8, 5), mem32(&r, 256 + 1024 + 3 * 256 + 20));
    for (unsigned l = 0; l < 64; l++)
        for (unsigned k = 0; k < 4; k++)
            rig_v(&r, 8 + k, l, 0x1000 * k + l);
    isa_set_exec(&r.w, ~UINT64_C(1));
    uint32_t kept = mem32(&r, 256 + 1024);
    rig_run(&r, store, nstore);
    assert_int_equal(mem32(&r, 256 + 1024), kept);
    for (unsigned l = 1; l < 64; l++)
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(mem32(&r, 256 + 1024 + k * 256 + 4 * l), 0x1000 * k + l);
    assert_int_equal(r.fx.kind, FX_VECTOR);
    assert_int_equal(r.fx.mask, ~UINT64_C(1));
    assert_int_equal(r.fx.addr[3], RIG_MEM + 256 + 1024 + 12);
    assert_int_equal(r.fx.bytes, 16);
    assert_int_equal(r.fx.dword_step, 256); /* the other lanes' dwords are between */
    rig_close(&r);
}

static void test_scratch_descriptor(void **state)
{
    (void)state;
    check_scratch("gfx803", ELEMENT_4,
                  WORDS(/* buffer_load_dword v8, off, s[8:11], s32 offset:12; buffer_load_dword v9, v2, s[8:11], 0 offen
                           offset:8; buffer_load_dwordx2 v[10:11], off, s[8:11], s32 offset:16; buffer_load_ubyte v12,
                           off, s[8:11], s32 offset:7 */
                        0xe050000c, 0x20020800, 0xe0501008, 0x80020902, 0xe0540010, 0x20020a00, 0xe0400007, 0x20020c00),
                  WORDS(/* buffer_store_dwordx4 v[8:11], off, s[8:11], s32 */ 0xe07c0000, 0x20020800));
    check_scratch("gfx90a", 0,
                  WORDS(/* buffer_load_dword v8, off, s[8:11], s32 offset:12; buffer_load_dword v9, v2, s[8:11], 0 offen
                           offset:8; buffer_load_dwordx2 v[10:11], off, s[8:11], s32 offset:16; buffer_load_ubyte v12,
                           off, s[8:11], s32 offset:7 */
                        0xe050000c, 0x20020800, 0xe0501008, 0x80020902, 0xe0540010, 0x20020a00, 0xe0400007, 0x20020c00),
                  WORDS(/* buffer_store_dwordx4 v[8:11], off, s[8:11], s32 */ 0xe07c0000, 0x20020800));
}

/* A range-less region: in bounds of the buffer, outside every allocation. */
static void test_fault(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    descriptor(&r, RIG_MEM + 65536 - 256, SWIZZLE, 0xffffffff, ADD_TID | INDEX_STRIDE(6) | ELEMENT_4);
    rig_run(&r, WORDS(/* buffer_load_dword v8, off, s[8:11], 0 */ 0xe0500000, 0x80020800));
    assert_int_equal(rig_try(&r, WORDS(/* buffer_store_dword v8, off, s[8:11], 0 offset:4 */ 0xe0700004, 0x80020800)),
                     ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    assert_int_equal(r.w.fault.lane, 0);
    assert_int_equal(r.w.fault.addr, RIG_MEM + 65536);
    assert_true(r.w.fault.write);
    rig_close(&r);
}

/* --- linear ------------------------------------------------------------------------------------------------------- */

static void test_linear(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    descriptor(&r, RIG_MEM + 64, 12, 1000, 0); /* stride 12 */
    r.w.s[5] = 100;
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, l);
        rig_v(&r, 3, l, 4 * (l & 1));
    }
    rig_run(&r, WORDS(/* buffer_load_dword v8, v2, s[8:11], s5 idxen offset:8; buffer_load_dword v9, v[2:3], s[8:11], 4
                         idxen offen; buffer_load_dword v10, v3, s[8:11], s5 offen offset:24 */
                      0xe0502008, 0x05020802, 0xe0503000, 0x84020902, 0xe0501018, 0x05020a03));
    for (unsigned l = 0; l < 64; l++) {
        assert_int_equal(rig_getv(&r, 8, l), mem32(&r, 64 + 100 + 12 * l + 8));
        assert_int_equal(rig_getv(&r, 9, l), mem32(&r, 64 + 4 + 12 * l + 4 * (l & 1)));
        assert_int_equal(rig_getv(&r, 10, l), mem32(&r, 64 + 100 + 4 * (l & 1) + 24));
    }
    rig_close(&r);
}

/* Records of 8 bytes, 8 records to a group, elements of 4: swizzled addresses for index and offset. */
static void test_swizzled_records(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    descriptor(&r, RIG_MEM, SWIZZLE | 8, 1000, INDEX_STRIDE(3));
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 3 * l);
    rig_run(&r, WORDS(/* buffer_load_dwordx2 v[8:9], v2, s[8:11], 0 idxen */ 0xe0542000, 0x80020802));
    for (unsigned l = 0; l < 64; l++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned index = 3 * l;
            assert_int_equal(rig_getv(&r, 8 + k, l), mem32(&r, (index / 8 * 8 + 4 * k) * 8 + index % 8 * 4));
        }
    assert_int_equal(r.fx.dword_step, 32); /* those of 8 records */
    rig_close(&r);

    /* gfx11: swizzle 2 means elements of 8 bytes */
    open_filled(&r, "gfx1100", 32);
    descriptor(&r, RIG_MEM, 2u << 14 | 16, 1000, INDEX_STRIDE(4));
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, 5 * l);
    rig_run(&r, WORDS(/* buffer_load_b128 v[8:11], v2, s[8:11], 0 idxen */ 0xe05c0000, 0x80820802));
    for (unsigned l = 0; l < 32; l++)
        for (unsigned k = 0; k < 4; k++) {
            unsigned index = 5 * l, off = 4 * k;
            assert_int_equal(rig_getv(&r, 8 + k, l),
                             mem32(&r, (index / 16 * 16 + off / 8 * 8) * 16 + index % 16 * 8 + off % 8));
        }
    assert_int_equal(r.fx.dword_step, 0);
    rig_close(&r);
}

/* Byte n of what lane l has at offset `off` of a stack: elements of 4 bytes, 64 lanes side by side. */
static size_t stack_byte(unsigned l, unsigned off, unsigned n)
{
    return (off + n) / 4 * 256 + 4 * l + (off + n) % 4;
}

/* Misaligned accesses of a stack stay within the lane's elements. */
static void test_misaligned_stack(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    descriptor(&r, RIG_MEM, SWIZZLE, 0xffffffff, ADD_TID | INDEX_STRIDE(6));
    for (unsigned off = 1; off < 4; off++) {
        const unsigned at = 8 + off;
        uint32_t load[2] = {0xe0540000u + at, 0x80020800}, store[2] = {0xe0740000u + at, 0x80020a00},
                 half[2] = {0xe0480000u + at, 0x80020c00};
        uint8_t before[64 * 1024];
        for (unsigned l = 0; l < 64; l++) {
            rig_v(&r, 10, l, 0x01020304 * (l & 15) + off);
            rig_v(&r, 11, l, ~(0x11223344 * (l & 7)));
        }
        rig_run(&r, /* buffer_load_dwordx2 v[8:9], off, s[8:11], 0 offset:at */ load, 2);
        rig_run(&r, /* buffer_load_ushort v12 */ half, 2);
        for (unsigned l = 0; l < 64; l++) {
            for (unsigned n = 0; n < 8; n++)
                assert_int_equal(rig_getv(&r, 8 + n / 4, l) >> n % 4 * 8 & 255, r.mem[stack_byte(l, at, n)]);
            assert_int_equal(rig_getv(&r, 12, l), r.mem[stack_byte(l, at, 0)] | r.mem[stack_byte(l, at, 1)] << 8);
        }
        memcpy(before, r.mem, sizeof before);
        rig_run(&r, /* buffer_store_dwordx2 v[10:11], off, s[8:11], 0 offset:at */ store, 2);
        for (unsigned l = 0; l < 64; l++)
            for (unsigned n = 0; n < 8; n++)
                before[stack_byte(l, at, n)] = (uint8_t)(rig_getv(&r, 10 + n / 4, l) >> n % 4 * 8);
        assert_memory_equal(before, r.mem, sizeof before);
    }
    rig_close(&r);
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* gfx8, gfx9 raw: offset against num_records - soffset, dword by dword. */
static void check_raw(const char *target, const uint32_t *load, unsigned nload, const uint32_t *store, unsigned nstore)
{
    struct rig r;

    open_filled(&r, target, 64);
    descriptor(&r, RIG_MEM, 0, 256, 0);
    r.w.s[5] = 100; /* leaves 156 bytes */
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, 4 * l);
        rig_v(&r, 8, l, 0xbad);
        rig_v(&r, 9, l, 0xbad);
    }
    isa_set_exec(&r.w, ~(UINT64_C(1) << 63));
    rig_run(&r, load, nload);
    for (unsigned l = 0; l < 63; l++)
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(rig_getv(&r, 8 + k, l), 4 * l + 4 * k + 4 <= 156 ? mem32(&r, 100 + 4 * l + 4 * k) : 0);
    assert_int_equal(rig_getv(&r, 8, 63), 0xbad);
    rig_vall(&r, 9, 0x7777);
    rig_run(&r, store, nstore);
    assert_int_equal(mem32(&r, 252), 0x7777);
    assert_int_not_equal(mem32(&r, 256), 0x7777);
    assert_int_equal(r.fx.mask, (UINT64_C(1) << 39) - 1);
    /* soffset past the end: nothing is left */
    r.w.s[5] = 300;
    rig_run(&r, load, nload);
    assert_int_equal(rig_getv(&r, 8, 0), 0);
    rig_close(&r);
}

static void test_raw_bounds(void **state)
{
    (void)state;
    check_raw("gfx803", WORDS(/* buffer_load_dwordx2 v[8:9], v2, s[8:11], s5 offen */ 0xe0541000, 0x05020802),
              WORDS(/* buffer_store_dword v9, v2, s[8:11], s5 offen */ 0xe0701000, 0x05020902));
    check_raw("gfx90a", WORDS(/* buffer_load_dwordx2 v[8:9], v2, s[8:11], s5 offen */ 0xe0541000, 0x05020802),
              WORDS(/* buffer_store_dword v9, v2, s[8:11], s5 offen */ 0xe0701000, 0x05020902));
}

/* stride 16, three records: gfx9 counts records for idxen, gfx8 bytes unless swizzled */
static void test_index_bounds(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx900", 64);
    descriptor(&r, RIG_MEM, 16, 3, 0);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, l);
    rig_run(&r, WORDS(/* buffer_load_dword v8, v2, s[8:11], 0 idxen offset:20 */ 0xe0502014, 0x80020802));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 8, l), l < 3 ? mem32(&r, 16 * l + 20) : 0);
    rig_close(&r);

    open_filled(&r, "gfx803", 64);
    descriptor(&r, RIG_MEM, 16, 40, 0);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, l);
    rig_run(&r, WORDS(/* buffer_load_dword v8, v2, s[8:11], 0 idxen */ 0xe0502000, 0x80020802));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 8, l), 16 * l + 4 <= 40 ? mem32(&r, 16 * l) : 0);
    rig_close(&r);
}

/* gfx10 on: the descriptor chooses */
static void check_oob_select(const char *target, const uint32_t *load, unsigned n)
{
    struct rig r;

    open_filled(&r, target, 32);
    for (unsigned rule = 0; rule < 4; rule++) {
        descriptor(&r, RIG_MEM, 16, 20, rule << 28);
        for (unsigned l = 0; l < 32; l++) {
            rig_v(&r, 2, l, l);
            rig_v(&r, 3, l, l & 1 ? 16 : 4);
        }
        rig_run(&r, load, n);
        for (unsigned l = 0; l < 32; l++) {
            unsigned off = l & 1 ? 16 : 4;
            bool in = rule == 0   ? l < 20 && off + 4 <= 16
                      : rule == 1 ? l < 20
                      : rule == 2 ? true
                                  : 16 * l + off + 4 <= 20;
            assert_int_equal(rig_getv(&r, 8, l), in ? mem32(&r, 16 * l + off) : 0);
        }
    }
    descriptor(&r, RIG_MEM, 16, 0, 2u << 28);
    rig_run(&r, load, n);
    assert_int_equal(rig_getv(&r, 8, 0), 0);
    rig_close(&r);
}

static void test_oob_select(void **state)
{
    (void)state;
    check_oob_select("gfx1030",
                     WORDS(/* buffer_load_dword v8, v[2:3], s[8:11], 0 idxen offen */ 0xe0303000, 0x80020802));
    check_oob_select("gfx1100", WORDS(/* buffer_load_b32 v8, v[2:3], s[8:11], 0 idxen offen */ 0xe0500000, 0x80c20802));
    check_oob_select("gfx1201", WORDS(/* buffer_load_b32 v8, v[2:3], s[8:11], null idxen offen */ 0xc405007c,
                                      0xc0801008, 0x00000002));
}

/* An out-of-bounds d16 load zeroes its own half alone. */
static void test_narrow_out_of_bounds(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1201", 32);
    descriptor(&r, RIG_MEM, 0, 8, 3u << 28);
    rig_vall(&r, 2, 8);
    rig_v(&r, 2, 4, 6);
    for (unsigned k = 8; k < 11; k++)
        rig_vall(&r, k, 0x11112222);
    rig_run(&r, WORDS(/* buffer_load_d16_b16 v8, v2, s[8:11], null offen; buffer_load_d16_hi_b16 v9, v2, s[8:11], null
                         offen; buffer_load_i8 v10, v2, s[8:11], null offen */
                      0xc408007c, 0x40801008, 0x00000002, 0xc408c07c, 0x40801009, 0x00000002, 0xc404407c, 0x4080100a,
                      0x00000002));
    assert_int_equal(rig_getv(&r, 8, 0), 0x11110000);
    assert_int_equal(rig_getv(&r, 9, 0), 0x00002222);
    assert_int_equal(rig_getv(&r, 10, 0), 0);
    assert_int_equal(rig_getv(&r, 8, 4), 0x11110000 | load_u16(r.mem + 6));
    assert_int_equal(rig_getv(&r, 10, 4), (uint32_t)(int8_t)r.mem[6]);
    rig_close(&r);
}

static void test_atomics(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    descriptor(&r, RIG_MEM, 0, 16, 0);
    memset(r.mem, 0, 64);
    for (unsigned l = 0; l < 64; l++) {
        rig_v(&r, 2, l, 4 * (l & 7));
        rig_v(&r, 8, l, 1);
    }
    /* four of eight places are in bounds; the old value replaces the data where asked for */
    rig_run(&r, WORDS(/* buffer_atomic_add v8, v2, s[8:11], 0 offen */ 0xe1081000, 0x80020802));
    assert_int_equal(mem32(&r, 12), 8);
    assert_int_equal(mem32(&r, 16), 0);
    assert_int_equal(rig_getv(&r, 8, 60), 1);
    assert_false(r.fx.returns);
    rig_run(&r, WORDS(/* buffer_atomic_add v8, v2, s[8:11], 0 offen glc */ 0xe1085000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 8);
    assert_int_equal(rig_getv(&r, 8, 59), 15);
    assert_int_equal(rig_getv(&r, 8, 60), 0);
    assert_true(r.fx.returns);
    /* compare and swap: new value, then what to compare with */
    rig_vall(&r, 8, 500);
    rig_vall(&r, 9, 16);
    rig_run(&r, WORDS(/* buffer_atomic_cmpswap v[8:9], v2, s[8:11], 0 offen glc */ 0xe1045000, 0x80020802));
    assert_int_equal(mem32(&r, 4), 500);
    assert_int_equal(rig_getv(&r, 8, 1), 16);
    assert_int_equal(rig_getv(&r, 8, 9), 500);
    assert_int_equal(rig_getv(&r, 9, 9), 16);
    rig_close(&r);
}

static void test_cache_control(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx803", 64);
    rig_run(&r, WORDS(/* buffer_wbinvl1; buffer_wbinvl1_vol */ 0xe0f80000, 0x00000000, 0xe0fc0000, 0x00000000));
    assert_int_equal(r.fx.kind, FX_NONE);
    rig_close(&r);
}

/* gfx12's descriptor field can name what is no SGPR: not an instruction */
static void test_descriptor_register(void **state)
{
    struct rig r;
    struct isa_inst i;
    uint32_t words[] = {/* buffer_load_b32 v8, off, s[8:11], null */ 0xc405007c, 0x00801008, 0x00000000};
    (void)state;

    rig_open(&r, "gfx1201", 32);
    assert_int_equal(isa_decode(r.t, (const uint8_t *)words, sizeof words, &i, NULL), 12);
    words[1] = (words[1] & ~(0x1ffu << 9)) | 0x180u << 9;
    assert_int_equal(isa_decode(r.t, (const uint8_t *)words, sizeof words, &i, NULL), 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scratch_descriptor),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_swizzled_records),
        cmocka_unit_test(test_misaligned_stack),
        cmocka_unit_test(test_raw_bounds),
        cmocka_unit_test(test_index_bounds),
        cmocka_unit_test(test_oob_select),
        cmocka_unit_test(test_narrow_out_of_bounds),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_cache_control),
        cmocka_unit_test(test_descriptor_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Traps that emulators of these chips are known to fall into, as far as they concern memory, each by name. More on each
 * stands in the tests of its subject (test_mem_*.c, test_ds.c, test_flat.c, test_buffer.c); granules of LDS allocation
 * in tests/unit/launch/test_occupancy.c. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(x)   (sizeof(x) / sizeof(x)[0])

static void open_filled(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    for (unsigned k = 0; k < 65536; k += 4) {
        uint32_t v = 0x40000000u + k;
        memcpy(r->mem + k, &v, 4);
        v += 0x30000000u;
        memcpy(r->lds + k, &v, 4);
    }
}

static void set_addr(struct rig *r, unsigned lane, uint64_t addr)
{
    rig_v(r, 2, lane, (uint32_t)addr);
    rig_v(r, 3, lane, (uint32_t)(addr >> 32));
}

/* --- LDS ---------------------------------------------------------------------------------------------------------- */

/* gfx8 bounds LDS by M0 as well, all of its 32 bits; gfx9 on does not look at M0. */
static void m0_clamps_lds_on_gfx8(void **state)
{
    static const struct {
        const char *target;
        uint32_t load[2];
        bool clamps;
    } list[] = {
        {"gfx803", {/* ds_read_b32 v4, v2 */ 0xd86c0000, 0x04000002}, true},
        {"gfx900", {0xd86c0000, 0x04000002}, false},
        {"gfx90a", {0xd86c0000, 0x04000002}, false},
        {"gfx1100", {/* ds_load_b32 v4, v2 */ 0xd8d80000, 0x04000002}, false},
        {"gfx1201", {0xd8d80000, 0x04000002}, false},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        open_filled(&r, list[k].target, 64);
        rig_vall(&r, 2, 128);
        r.w.s[r.t->code_m0] = 128;
        rig_run(&r, list[k].load, 2);
        assert_int_equal(rig_getv(&r, 4, 0), list[k].clamps ? 0 : 0x70000080);
        r.w.s[r.t->code_m0] = 132;
        rig_run(&r, list[k].load, 2);
        assert_int_equal(rig_getv(&r, 4, 0), 0x70000080);
        r.w.s[r.t->code_m0] = 0x10000; /* 64 KiB: more than sixteen bits hold */
        rig_run(&r, list[k].load, 2);
        assert_int_equal(rig_getv(&r, 4, 0), 0x70000080);
        /* a larger M0 does not give more than the workgroup has */
        r.w.s[r.t->code_m0] = 0xffffffff;
        r.w.lds_bytes = 128;
        rig_run(&r, list[k].load, 2);
        assert_int_equal(rig_getv(&r, 4, 0), 0);
        rig_close(&r);
    }
    open_filled(&r, "gfx803", 64);
    r.w.s[r.t->code_m0] = 128;
    rig_vall(&r, 2, 128);
    rig_vall(&r, 5, 5);
    rig_run(&r, WORDS(/* ds_write_b32 v2, v5; ds_add_u32 v2, v5 */ 0xd81a0000, 0x00000502, 0xd8000000, 0x00000502));
    assert_int_equal(load_u32(r.lds + 128), 0x70000080);
    rig_close(&r);
}

/* The last dword is inside, the second is not: nothing is read, nothing written, no byte past the end touched. */
static void lds_partly_out_of_range(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1201", 32);
    r.w.lds_bytes = 1024;
    rig_vall(&r, 2, 1020);
    rig_vall(&r, 4, 0xbad);
    rig_vall(&r, 5, 0xbad);
    rig_run(&r, WORDS(/* ds_load_b64 v[4:5], v2 */ 0xd9d80000, 0x04000002));
    assert_int_equal(rig_getv(&r, 4, 0), 0);
    assert_int_equal(rig_getv(&r, 5, 0), 0);
    rig_vall(&r, 4, 0x11111111);
    rig_run(&r, WORDS(/* ds_store_b64 v2, v[4:5] */ 0xd9340000, 0x00000402));
    assert_int_equal(load_u32(r.lds + 1020), 0x70000000 + 1020);
    assert_int_equal(load_u32(r.lds + 1024), 0x70000000 + 1024);
    rig_vall(&r, 2, 1022); /* a misaligned dword over the end */
    rig_run(&r, WORDS(/* ds_load_b32 v4, v2 */ 0xd8d80000, 0x04000002));
    assert_int_equal(rig_getv(&r, 4, 0), 0);
    rig_close(&r);
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static void descriptor(struct rig *r, uint32_t word1_hi, uint32_t records, uint32_t word3)
{
    r->w.s[8] = (uint32_t)RIG_MEM;
    r->w.s[9] = word1_hi << 16;
    r->w.s[10] = records;
    r->w.s[11] = word3;
}

/* The same descriptor with a stride means records to gfx9 and bytes to gfx8. */
static void buffer_stride_and_units_of_num_records(void **state)
{
    static const char *const targets[] = {"gfx803", "gfx900"};
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < 2; k++) {
        open_filled(&r, targets[k], 64);
        descriptor(&r, 16, 32, 0);
        for (unsigned l = 0; l < 64; l++)
            rig_v(&r, 2, l, l);
        rig_run(&r, WORDS(/* buffer_load_dword v4, v2, s[8:11], 0 idxen */ 0xe0502000, 0x80020402));
        for (unsigned l = 0; l < 64; l++)
            assert_int_equal(rig_getv(&r, 4, l), l < (k ? 32 : 2) ? 0x40000000 + 16 * l : 0);
        rig_close(&r);
    }
}

/* Groups of 8 records, elements of 4: record 9's second dword is after all first dwords of its group. */
static void buffer_swizzle(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1100", 32);
    descriptor(&r, 0x4000 | 8, 64, 0);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, l);
        rig_v(&r, 3, l, 0);
    }
    rig_run(&r, WORDS(/* buffer_load_b64 v[4:5], v[2:3], s[8:11], 0 idxen offen */ 0xe0540000, 0x80c20402));
    assert_int_equal(rig_getv(&r, 4, 9), 0x40000000 + 64 + 4);
    assert_int_equal(rig_getv(&r, 5, 9), 0x40000000 + 64 + 32 + 4);
    rig_close(&r);
}

/* An offset register of -16 is an offset of nearly 4 GiB: out of bounds, not sixteen bytes before the base. */
static void buffer_offsets_are_unsigned(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx90a", 64);
    r.w.s[8] = (uint32_t)RIG_MEM + 64;
    r.w.s[9] = 0;
    r.w.s[10] = 0x80000000;
    r.w.s[11] = 0;
    r.w.s[3] = 0;
    rig_vall(&r, 2, (uint32_t)-16);
    rig_run(&r, WORDS(/* buffer_load_dword v4, v2, s[8:11], s3 offen */ 0xe0501000, 0x03020402));
    assert_int_equal(rig_getv(&r, 4, 0), 0);
    rig_close(&r);
}

/* 10_11_11 has x in its lowest eleven bits; 2_10_10_10 has w in its highest two. */
static void typed_buffer_component_order(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    uint32_t v = 0x3c0u | 0x400u << 11 | 0x1e0u << 22; /* 1.0, 2.0, 1.0 */
    memcpy(r.mem, &v, 4);
    descriptor(&r, 0, 64, 3u << 28);
    rig_run(&r, WORDS(/* tbuffer_load_format_xyzw v[8:11], v2, s[8:11], null format:30 (10_11_11 float) offen */
                      0xc420c07c, 0x4f001008, 0x00000002));
    assert_int_equal(rig_getv(&r, 8, 0), 0x3f800000);
    assert_int_equal(rig_getv(&r, 9, 0), 0x40000000);
    assert_int_equal(rig_getv(&r, 10, 0), 0x3f800000);
    assert_int_equal(rig_getv(&r, 11, 0), 0);
    v = 1u | 2u << 10 | 3u << 20 | 2u << 30;
    memcpy(r.mem, &v, 4);
    rig_run(&r, WORDS(/* ... format:41 (2_10_10_10 sint) */ 0xc420c07c, 0x54801008, 0x00000002));
    assert_int_equal(rig_getv(&r, 8, 0), 1);
    assert_int_equal(rig_getv(&r, 9, 0), 2);
    assert_int_equal(rig_getv(&r, 10, 0), 3);
    assert_int_equal(rig_getv(&r, 11, 0), 0xfffffffe);
    rig_close(&r);
}

/* --- scratch ------------------------------------------------------------------------------------------------------ */

/* A negative immediate takes from the register beside it; below zero in all is a fault, not 4 GiB on. */
static void negative_scratch_offsets(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        bool vaddr, saddr;
        uint32_t words[3], n;
    } list[] = {
        {"gfx900", 64, true, false, {/* scratch_load_dword v4, v2, off offset:-16 */ 0xdc505ff0, 0x047f0002}, 2},
        {"gfx900", 64, false, true, {/* scratch_load_dword v4, off, s3 offset:-16 */ 0xdc505ff0, 0x04030000}, 2},
        {"gfx942", 64, true, true, {/* scratch_load_dword v4, v2, s3 offset:-16 */ 0xdc507ff0, 0x04030002}, 2},
        {"gfx1030", 32, true, false, {/* scratch_load_dword v4, v2, off offset:-16 */ 0xdc304ff0, 0x047d0002}, 2},
        {"gfx1030", 64, false, true, {/* scratch_load_dword v4, off, s3 offset:-16 */ 0xdc304ff0, 0x04030000}, 2},
        {"gfx1100", 32, true, true, {/* scratch_load_b32 v4, v2, s3 offset:-16 */ 0xdc511ff0, 0x04830002}, 2},
        {"gfx1201",
         64,
         true,
         true,
         {/* scratch_load_b32 v4, v2, s3 offset:-16 */ 0xed050003, 0x00020004, 0xfffff002},
         3},
        {"gfx1201",
         32,
         true,
         false,
         {/* scratch_load_b32 v4, v2, off offset:-16 */ 0xed05007c, 0x00020004, 0xfffff002},
         3},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        open_filled(&r, list[k].target, list[k].lanes);
        r.w.scratch_base = RIG_MEM + 1024;
        r.w.scratch_bytes = 128;
        /* 24 in all, 8 after the immediate; where both are there, one of them negative */
        r.w.s[3] = list[k].vaddr ? (uint32_t)-40 : 24;
        rig_vall(&r, 2, list[k].saddr ? 64 : 24);
        rig_run(&r, list[k].words, list[k].n);
        for (unsigned l = 0; l < list[k].lanes; l++)
            assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 1024 + 8 * list[k].lanes + 4 * l);
        r.w.s[3] = list[k].vaddr ? (uint32_t)-60 : 4;
        rig_vall(&r, 2, list[k].saddr ? 64 : 4);
        assert_int_equal(rig_try(&r, list[k].words, list[k].n), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
        assert_true(r.w.fault.in_scratch);
        rig_close(&r);
    }
}

/* --- FLAT --------------------------------------------------------------------------------------------------------- */

/* One instruction, a third of its lanes each in LDS, private memory and global memory. */
static void flat_lanes_split_between_spaces(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        uint32_t load[3], store[3], n;
    } list[] = {
        {"gfx803",
         64,
         {/* flat_load_dword v4, v[2:3] */ 0xdc500000, 0x04000002},
         {/* flat_store_dword v[2:3], v5 */ 0xdc700000, 0x00000502},
         2},
        {"gfx90a", 64, {0xdc500000, 0x04000002}, {0xdc700000, 0x00000502}, 2},
        {"gfx1100", 64, {/* flat_load_b32 v4, v[2:3] */ 0xdc500000, 0x047c0002}, {0xdc680000, 0x007c0502}, 2},
        {"gfx1201", 32, {/* flat_load_b32 v4, v[2:3] */ 0xec05007c, 0x00000004, 2}, {0xec06807c, 0x02800000, 2}, 3},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        open_filled(&r, list[k].target, list[k].lanes);
        r.w.scratch_base = RIG_MEM + 0x8000;
        r.w.scratch_bytes = 256;
        uint64_t lds = 0;
        for (unsigned l = 0; l < list[k].lanes; l++) {
            set_addr(&r, l,
                     l % 3 == 0   ? r.w.shared_aperture + 8 * l
                     : l % 3 == 1 ? r.w.private_aperture + 4 * (l % 16)
                                  : RIG_MEM + 16 * l);
            lds |= (uint64_t)(l % 3 == 0) << l;
            rig_v(&r, 5, l, 0x5000 + l);
        }
        rig_run(&r, list[k].load, list[k].n);
        for (unsigned l = 0; l < list[k].lanes; l++)
            assert_int_equal(rig_getv(&r, 4, l), l % 3 == 0 ? 0x70000000 + 8 * l
                                                 : l % 3 == 1
                                                     ? 0x40000000 + 0x8000 + 4 * (l % 16) * list[k].lanes + 4 * l
                                                     : 0x40000000 + 16 * l);
        assert_int_equal(r.fx.kind, FX_FLAT_MIXED);
        assert_int_equal(r.fx.lds_mask, lds);
        assert_int_equal(r.fx.mask, r.w.exec & ~lds);
        rig_run(&r, list[k].store, list[k].n);
        for (unsigned l = 0; l < list[k].lanes; l++) {
            const uint8_t *p = l % 3 == 0   ? r.lds + 8 * l
                               : l % 3 == 1 ? r.mem + 0x8000 + 4 * (l % 16) * list[k].lanes + 4 * l
                                            : r.mem + 16 * l;
            assert_int_equal(load_u32(p), 0x5000 + l);
        }
        rig_close(&r);
    }
}

/* --- atomics ------------------------------------------------------------------------------------------------------ */

/* gfx12: bit 0 of the temporal hint asks for the old value, the others do not; on loads the same bit means something
 * else and the value is loaded all the same. */
static void temporal_hint_bits_of_gfx12_atomics(void **state)
{
    static const struct {
        uint32_t words[3];
        bool returns;
        uint8_t temporal;
    } list[] = {
        {{/* global_atomic_add_u32 v[2:3], v5, off */ 0xee0d407c, 0x02800000, 2}, false, TH_RT},
        {{/* ... v4, v[2:3], v5, off th:TH_ATOMIC_RETURN */ 0xee0d407c, 0x02900004, 2}, true, TH_RT},
        {{/* ... th:TH_ATOMIC_NT */ 0xee0d407c, 0x02a00004, 2}, false, TH_NT},
        {{/* ... v4 ... th:TH_ATOMIC_NT_RETURN */ 0xee0d407c, 0x02b00004, 2}, true, TH_NT},
        {{/* ... th:TH_ATOMIC_CASCADE_NT scope:SCOPE_DEV */ 0xee0d407c, 0x02e80004, 2}, false, TH_NT},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        open_filled(&r, "gfx1201", 32);
        isa_set_exec(&r.w, 1);
        set_addr(&r, 0, RIG_MEM + 8);
        rig_vall(&r, 5, 3);
        rig_vall(&r, 4, 0xbad);
        rig_run(&r, list[k].words, 3);
        assert_int_equal(load_u32(r.mem + 8), 0x4000000b);
        assert_int_equal(rig_getv(&r, 4, 0), list[k].returns ? 0x40000008 : 0xbad);
        assert_int_equal(r.fx.returns, list[k].returns);
        assert_int_equal(r.fx.hint.temporal, list[k].temporal);
        rig_close(&r);
    }
    open_filled(&r, "gfx1201", 32);
    for (unsigned l = 0; l < 32; l++)
        set_addr(&r, l, RIG_MEM + 4 * l);
    rig_run(&r, WORDS(/* global_load_b32 v4, v[2:3], off th:TH_LOAD_NT */ 0xee05007c, 0x00100004, 0x00000002));
    assert_int_equal(rig_getv(&r, 4, 3), 0x4000000c);
    assert_int_equal(r.fx.hint.temporal, TH_NT);
    rig_close(&r);
}

/* Additions of f32 in memory: gfx90a and gfx11 flush denormals, gfx942 and gfx12 keep them; MODE has no say. */
static void float_atomics_and_denormals(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        uint32_t words[3], n;
        bool keeps;
    } list[] = {
        {"gfx90a", 64, {/* global_atomic_add_f32 v4, v[2:3], v5, off glc */ 0xdd358000, 0x047f0502}, 2, false},
        {"gfx942", 64, {/* global_atomic_add_f32 v4, v[2:3], v5, off sc0 */ 0xdd358000, 0x047f0502}, 2, true},
        {"gfx1100", 32, {/* global_atomic_add_f32 v4, v[2:3], v5, off glc */ 0xdd5a4000, 0x047c0502}, 2, false},
        {"gfx1201", 32, {/* global_atomic_add_f32 ... th:TH_ATOMIC_RETURN */ 0xee15807c, 0x02900004, 2}, 3, true},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < 2 * COUNT(list); k++) {
        const uint32_t denormal = 3;
        rig_open(&r, list[k / 2].target, list[k / 2].lanes);
        isa_set_mode(&r.w, k & 1 ? 0xf0 : 0);
        isa_set_exec(&r.w, 1);
        memcpy(r.mem, &denormal, 4);
        set_addr(&r, 0, RIG_MEM);
        rig_vall(&r, 5, 4);
        rig_run(&r, list[k / 2].words, list[k / 2].n);
        assert_int_equal(load_u32(r.mem), list[k / 2].keeps ? 7 : 0);
        assert_int_equal(rig_getv(&r, 4, 0), 3);
        rig_close(&r);
    }
}

/* csub and sub_clamp stop at zero, cond_sub leaves what it cannot take from. */
static void subtractions_that_stop(void **state)
{
    static const struct {
        const char *target;
        uint32_t words[3], n;
        uint32_t short_of; /* 5 - 7 */
    } list[] = {
        {"gfx1030", {/* global_atomic_csub v4, v[2:3], v5, off glc */ 0xdcd18000, 0x047d0502}, 2, 0},
        {"gfx1201", {/* global_atomic_sub_clamp_u32 ... th:TH_ATOMIC_RETURN */ 0xee0dc07c, 0x02900004, 2}, 3, 0},
        {"gfx1201", {/* global_atomic_cond_sub_u32 ... th:TH_ATOMIC_RETURN */ 0xee14007c, 0x02900004, 2}, 3, 5},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        rig_open(&r, list[k].target, 32);
        isa_set_exec(&r.w, 3);
        memcpy(r.mem, "\x05\0\0\0\x09\0\0\0", 8);
        set_addr(&r, 0, RIG_MEM);
        set_addr(&r, 1, RIG_MEM + 4);
        rig_vall(&r, 5, 7);
        rig_run(&r, list[k].words, list[k].n);
        assert_int_equal(load_u32(r.mem), list[k].short_of);
        assert_int_equal(load_u32(r.mem + 4), 2);
        assert_int_equal(rig_getv(&r, 4, 1), 9);
        rig_close(&r);
    }
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* v[4:7] with six registers allocated: a fault that names the last register, before anything is read or written. */
static void registers_past_the_allocation(void **state)
{
    static const struct {
        const char *target;
        unsigned lanes;
        uint32_t words[3], n;
    } list[] = {
        {"gfx900", 64, {/* global_load_dwordx4 v[4:7], v[2:3], off */ 0xdc5c8000, 0x047f0002}, 2},
        {"gfx1100", 32, {/* global_load_b128 v[4:7], v[2:3], off */ 0xdc5e0000, 0x047c0002}, 2},
        {"gfx1201", 32, {/* global_load_b128 v[4:7], v[2:3], off */ 0xee05c07c, 0x00000004, 2}, 3},
        {"gfx803", 64, {/* ds_read_b128 v[4:7], v2 */ 0xd9fe0000, 0x04000002}, 2},
        {"gfx803", 64, {/* ds_write_b128 v2, v[4:7] */ 0xd9be0000, 0x00000402}, 2},
        {"gfx803", 64, {/* buffer_load_format_xyzw v[4:7], v2, s[8:11], 0 offen */ 0xe00c1000, 0x80020402}, 2},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        open_filled(&r, list[k].target, list[k].lanes);
        for (unsigned l = 0; l < list[k].lanes; l++)
            set_addr(&r, l, RIG_MEM);
        rig_vall(&r, 4, 0xbad);
        rig_vall(&r, 7, 0xbad);
        r.w.nvgprs = 6;
        assert_int_equal(rig_try(&r, list[k].words, list[k].n), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
        assert_non_null(strstr(r.w.fault.text, "v7"));
        assert_int_equal(rig_getv(&r, 4, 0), 0xbad);
        assert_int_equal(rig_getv(&r, 7, 0), 0xbad);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(m0_clamps_lds_on_gfx8),
        cmocka_unit_test(lds_partly_out_of_range),
        cmocka_unit_test(buffer_stride_and_units_of_num_records),
        cmocka_unit_test(buffer_swizzle),
        cmocka_unit_test(buffer_offsets_are_unsigned),
        cmocka_unit_test(typed_buffer_component_order),
        cmocka_unit_test(negative_scratch_offsets),
        cmocka_unit_test(flat_lanes_split_between_spaces),
        cmocka_unit_test(temporal_hint_bits_of_gfx12_atomics),
        cmocka_unit_test(float_atomics_and_denormals),
        cmocka_unit_test(subtractions_that_stop),
        cmocka_unit_test(registers_past_the_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

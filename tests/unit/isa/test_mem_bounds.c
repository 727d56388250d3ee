/* Buffers: addresses of linear and swizzled records and what is out of bounds, by generation. Addresses come from the
 * formula of the ISA manuals, bounds from their range-check tables and Mesa's notes on NUM_RECORDS and OOB_SELECT,
 * written out here once more. */
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(x)   (sizeof(x) / sizeof(x)[0])

static void open_filled(struct rig *r, const char *target, unsigned lanes)
{
    rig_open(r, target, lanes);
    for (unsigned k = 0; k < 65536; k += 4) {
        uint32_t v = 0x40000000u + k; /* never zero: a zero says out of bounds */
        memcpy(r->mem + k, &v, 4);
    }
}

/* gfx1250: word1_hi is the stride, and word3 has the bits above it. */
static void descriptor(struct rig *r, uint32_t word1_hi, uint32_t records, uint32_t word3)
{
    r->w.s[8] = (uint32_t)RIG_MEM;
    if (isa_has(r->t, FEAT_SCALE_OFFSET)) {
        r->w.s[9] = records << 25;
        r->w.s[10] = records >> 7;
        r->w.s[11] = word1_hi << 12 | word3;
        return;
    }
    r->w.s[9] = word1_hi << 16;
    r->w.s[10] = records;
    r->w.s[11] = word3;
}

/* --- swizzled addresses ------------------------------------------------------------------------------------------- */

/* Byte address of record `index`, offset `off` (GCN3 ISA, figure "buffer swizzling"). */
static uint64_t swizzled(uint64_t index, uint64_t off, uint64_t stride, uint64_t is, uint64_t es)
{
    uint64_t index_msb = index / is, index_lsb = index % is, offset_msb = off / es, offset_lsb = off % es;

    return (index_msb * stride + offset_msb * es) * is + index_lsb * es + offset_lsb;
}

struct swizzle {
    const char *target;
    unsigned lanes, stride, is, es;
    uint32_t word1_hi, word3;
    uint32_t words[3];
    unsigned nwords;
};

static void test_swizzle_formula(void **state)
{
    /* dwordx2 v[4:5], v[2:3] idxen offen; bounds by index (gfx10 on: rule 1) */
    static const struct swizzle list[] = {
        {"gfx803", 64, 32, 8, 4, 0x8000, 1u << 19, {0xe0543000, 0x80020402}, 2},
        {"gfx803", 64, 48, 16, 8, 0x8000, 1u << 21 | 2u << 19, {0xe0543000, 0x80020402}, 2},
        {"gfx803", 64, 32, 64, 16, 0x8000, 3u << 21 | 3u << 19, {0xe0543000, 0x80020402}, 2},
        {"gfx900", 64, 40, 32, 4, 0x8000, 2u << 21 | 3u << 19, {0xe0543000, 0x80020402}, 2}, /* always 4 */
        {"gfx90a", 64, 36, 64, 4, 0x8000, 3u << 21, {0xe0543000, 0x80020402}, 2},
        {"gfx1030", 32, 32, 16, 4, 0x8000, 1u << 21 | 1u << 28, {0xe0343000, 0x80020402}, 2},
        {"gfx1100", 64, 32, 8, 4, 0x4000, 1u << 28, {0xe0540000, 0x80c20402}, 2},
        {"gfx1100", 32, 48, 32, 8, 0x8000, 2u << 21 | 1u << 28, {0xe0540000, 0x80c20402}, 2},
        {"gfx1201", 32, 64, 64, 16, 0xc000, 3u << 21 | 1u << 28, {0xc405407c, 0xc0801004, 2}, 3},
    };
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(list); k++) {
        const struct swizzle *s = &list[k];
        open_filled(&r, s->target, s->lanes);
        descriptor(&r, s->word1_hi | s->stride, 1000, s->word3);
        for (unsigned l = 0; l < s->lanes; l++) {
            rig_v(&r, 2, l, (l * 7) % 100);
            rig_v(&r, 3, l, 4 * (l % 5));
        }
        rig_run(&r, s->words, s->nwords);
        for (unsigned l = 0; l < s->lanes; l++)
            for (unsigned d = 0; d < 2; d++) {
                uint64_t at = swizzled((l * 7) % 100, 4 * (l % 5) + 4 * d, s->stride, s->is, s->es);
                if (rig_getv(&r, 4 + d, l) != 0x40000000 + at)
                    fail_msg("%s IS %u ES %u: dword %u of lane %u is 0x%x, not 0x%x", s->target, s->is, s->es, d, l,
                             rig_getv(&r, 4 + d, l), (unsigned)(0x40000000 + at));
            }
        rig_close(&r);
    }
}

/* add_tid counts lanes into the index; on gfx8 and gfx9 the data format then tops the stride. */
static void test_add_tid(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx900", 64);
    descriptor(&r, 12, 0x100000, 1u << 23);
    rig_vall(&r, 2, 3);
    rig_run(&r, WORDS(/* buffer_load_dword v4, v2, s[8:11], 0 idxen */ 0xe0502000, 0x80020402));
    for (unsigned l = 0; l < 64; l++)
        assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 12 * (3 + l));
    descriptor(&r, 0, 0x100000, 1u << 23 | 1u << 15); /* data format 1: stride 1 << 14 */
    isa_set_exec(&r.w, 0xf);
    rig_vall(&r, 2, 0);
    rig_run(&r, WORDS(0xe0502000, 0x80020402));
    for (unsigned l = 0; l < 4; l++)
        assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 16384 * l);
    rig_close(&r);

    open_filled(&r, "gfx1030", 32);
    descriptor(&r, 12, 0x100000, 1u << 23 | 1u << 28 | 22u << 12);
    rig_run(&r, WORDS(/* buffer_load_dword v4, v2, s[8:11], 0 idxen */ 0xe0302000, 0x80020402));
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 12 * l);
    rig_close(&r);
}

/* The descriptors of gfx12 and gfx1250 multiply the stride by 1, 4, 8 or 32. */
static void test_stride_scale(void **state)
{
    static const unsigned scale[] = {1, 4, 8, 32};
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < 8; k++) {
        bool wide = k & 4;
        open_filled(&r, wide ? "gfx1250" : "gfx1201", 32);
        descriptor(&r, 8, wide ? 65536 : 100, wide ? (k & 3) << 26 : 1u << 28 | k << 18);
        for (unsigned l = 0; l < 32; l++)
            rig_v(&r, 2, l, l);
        rig_run(&r, WORDS(/* buffer_load_b32 v4, v2, s[8:11], null idxen */ 0xc405007c, 0x80801004, 2));
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 8 * scale[k & 3] * l);
        rig_close(&r);
    }
}

/* gfx1250 swizzles with soffset, where the others add it to the swizzled address. */
static void test_swizzled_soffset(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < 2; k++) {
        open_filled(&r, k ? "gfx1250" : "gfx1201", 32);
        descriptor(&r, (k ? 0 : 0xc000) | 64, 1000, k ? 1u << 28 : 2u << 21 | 1u << 28);
        for (unsigned l = 0; l < 32; l++) {
            rig_v(&r, 2, l, l);
            rig_v(&r, 3, l, 12);
        }
        r.w.s[3] = 20;
        rig_run(&r, WORDS(/* buffer_load_b32 v4, v[2:3], s[8:11], s3 idxen offen */ 0xc4050003, 0xc0801004, 2));
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + (k ? 32 * 32 + 16 * l : 16 * l + 12 + 20));
        rig_close(&r);
    }
}

/* A type other than 0 is no buffer for gfx1250: registers and memory stay as they are. */
static void test_no_buffer(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned type = 0; type < 4; type++) {
        open_filled(&r, "gfx1250", 32);
        descriptor(&r, 0, 64, type << 30);
        rig_vall(&r, 2, 8);
        rig_vall(&r, 4, 0xbad);
        rig_run(&r, WORDS(/* buffer_load_b32 v4, v2, s[8:11], null offen */ 0xc405007c, 0x40801004, 2));
        assert_int_equal(rig_getv(&r, 4, 0), type ? 0xbad : 0x40000008);
        assert_int_equal(r.fx.mask, type ? 0 : 0xffffffff);
        rig_vall(&r, 4, 0xbad);
        rig_run(&r, WORDS(/* buffer_store_b32 v4, v2, s[8:11], null offen */ 0xc406807c, 0x40801004, 2));
        assert_int_equal(load_u32(r.mem + 8), type ? 0x40000008 : 0xbad);
        rig_run(&r, WORDS(/* buffer_atomic_add_u32 v4, v2, s[8:11], null offen th:TH_ATOMIC_RETURN */ 0xc40d407c,
                          0x40901004, 2));
        assert_int_equal(load_u32(r.mem + 8), type ? 0x40000008 : 33 * 0xbad);
        assert_int_equal(rig_getv(&r, 4, 0), 0xbad);
        descriptor(&r, 0, 0, type << 30);
        rig_run(&r, WORDS(0xc405007c, 0x40801004, 2)); /* nor is anything out of bounds then */
        assert_int_equal(rig_getv(&r, 4, 0), type ? 0xbad : 0);
        rig_close(&r);
    }
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* One lane's dword: index in v2 (idxen) or offset (offen), descriptor, and whether it is inside. */
struct bound {
    const char *target;
    uint32_t word1_hi, records, word3, soffset;
    bool idxen;
    uint32_t v;
    bool inside;
};

static const struct bound bounds[] = {
    /* gfx8 raw: bytes below num_records - soffset */
    {"gfx803", 0, 64, 0, 0, false, 60, true},
    {"gfx803", 0, 64, 0, 0, false, 64, false},
    {"gfx803", 0, 64, 0, 16, false, 44, true},
    {"gfx803", 0, 64, 0, 16, false, 48, false},
    {"gfx803", 0, 64, 0, 80, false, 0, false},
    /* a linear buffer with a stride counts bytes too, idxen or not */
    {"gfx803", 16, 4, 0, 0, true, 0, true},
    {"gfx803", 16, 4, 0, 0, true, 1, false},
    {"gfx803", 16, 64, 0, 0, true, 3, true},
    /* swizzled with a stride: records */
    {"gfx803", 0x8000 | 16, 4, 1u << 19, 0, true, 3, true},
    {"gfx803", 0x8000 | 16, 4, 1u << 19, 0, true, 4, false},
    /* gfx9: records for idxen with a stride */
    {"gfx900", 16, 4, 0, 0, true, 3, true},
    {"gfx900", 16, 4, 0, 0, true, 4, false},
    {"gfx900", 16, 4, 0, 16, true, 3, true}, /* which soffset has no part in */
    {"gfx900", 16, 4, 0, 0, false, 0, true}, /* no idxen: bytes */
    {"gfx900", 16, 4, 0, 0, false, 4, false},
    {"gfx90a", 0, 64, 0, 8, false, 52, true},
    {"gfx90a", 0, 64, 0, 8, false, 56, false},
    /* ... of a dword the last one, where gfx8 looks at the first; nothing with add_tid (rocm-systems PR 10928) */
    {"gfx803", 0, 62, 0, 0, false, 60, true},
    {"gfx90a", 0, 62, 0, 0, false, 60, false},
    {"gfx950", 0, 62, 0, 0, false, 60, false},
    {"gfx950", 0, 64, 0, 0, false, 60, true},
    {"gfx950", 0, 64, 0, 8, false, 56, false},
    {"gfx950", 16, 4, 0, 0, false, 4, false},
    {"gfx950", 16, 4, 0, 0, true, 3, true},
    {"gfx950", 0, 64, 1u << 23, 0, false, 64, true},
    {"gfx950", 0x8000 | 16, 1, 1u << 23, 0, false, 400, true},
    {"gfx803", 0, 64, 1u << 23, 0, false, 64, false},
    /* gfx10, 0: index and offset within the stride */
    {"gfx1030", 16, 4, 0, 0, true, 3, true},
    {"gfx1030", 16, 4, 0, 0, true, 4, false},
    {"gfx1030", 16, 4, 0, 0, false, 12, true},
    {"gfx1030", 16, 4, 0, 0, false, 16, false},
    /* 1: index alone */
    {"gfx1030", 16, 4, 1u << 28, 0, false, 400, true},
    {"gfx1030", 16, 4, 1u << 28, 0, true, 4, false},
    /* 2: anything but an empty buffer */
    {"gfx1030", 16, 1, 2u << 28, 0, true, 200, true},
    {"gfx1030", 16, 0, 2u << 28, 0, true, 0, false},
    /* 3: bytes */
    {"gfx1030", 0, 64, 3u << 28, 0, false, 60, true},
    {"gfx1030", 0, 64, 3u << 28, 0, false, 64, false},
    /* ... of which soffset leaves fewer, as on gfx8, and none of the records (rocMLIR PR 678) */
    {"gfx1030", 0, 64, 3u << 28, 16, false, 44, true},
    {"gfx1030", 0, 64, 3u << 28, 16, false, 48, false},
    {"gfx1030", 0, 64, 3u << 28, 80, false, 0, false},
    {"gfx1100", 0, 64, 3u << 28, 16, false, 44, true},
    {"gfx1100", 0, 64, 3u << 28, 16, false, 45, false},
    {"gfx1201", 0, 64, 3u << 28, 16, false, 44, true},
    {"gfx1201", 0, 64, 3u << 28, 16, false, 48, false},
    {"gfx1030", 0x8000 | 16, 32, 3u << 28, 4, true, 6, true},
    {"gfx1030", 0x8000 | 16, 32, 3u << 28, 4, true, 7, false},
    {"gfx1100", 16, 4, 0, 64, true, 3, true},
    {"gfx1201", 16, 4, 1u << 28, 64, true, 3, true},
    {"gfx1030", 16, 1, 2u << 28, 80, false, 200, true},
    /* 3, swizzled: the swizzled address; record 1 of a group of 8 is 4 bytes on, record 8 a stride times 8 */
    {"gfx1030", 0x8000 | 16, 64, 3u << 28, 0, true, 7, true},
    {"gfx1030", 0x8000 | 16, 64, 3u << 28, 0, true, 8, false},
    {"gfx1030", 0x8000 | 16, 132, 3u << 28, 0, true, 8, true},
    /* gfx11: the whole dword counts, and 3 is as 0 for swizzled buffers with a stride */
    {"gfx1100", 0, 62, 3u << 28, 0, false, 60, false},
    {"gfx1030", 0, 62, 3u << 28, 0, false, 60, true},
    {"gfx1100", 14, 4, 0, 0, false, 12, false},
    {"gfx1030", 14, 4, 0, 0, false, 12, true},
    {"gfx1100", 0x4000 | 16, 4, 3u << 28, 0, true, 3, true},
    {"gfx1100", 0x4000 | 16, 4, 3u << 28, 0, true, 4, false},
    {"gfx1100", 0x4000 | 16, 4, 3u << 28, 0, false, 16, false},
    {"gfx1201", 0, 62, 3u << 28, 0, false, 60, false},
    {"gfx1201", 0, 64, 3u << 28, 0, false, 60, true},
    {"gfx1201", 16, 4, 0, 0, true, 3, true},
    {"gfx1201", 16, 4, 0, 0, true, 4, false},
    /* gfx1250: bytes, of which soffset is a part, with a stride, too */
    {"gfx1250", 0, 64, 0, 0, false, 60, true},
    {"gfx1250", 0, 64, 0, 0, false, 61, false},
    {"gfx1250", 0, 64, 0, 16, false, 44, true},
    {"gfx1250", 0, 64, 0, 16, false, 45, false},
    {"gfx1250", 0, 0, 0, 0, false, 0, false},
    {"gfx1250", 16, 64, 0, 0, true, 3, true},
    {"gfx1250", 16, 64, 0, 0, true, 4, false},
    {"gfx1250", 16, 64, 0, 12, true, 3, true},
    {"gfx1250", 16, 64, 0, 13, true, 3, false},
    {"gfx1250", 16, 64, 0, 0, false, 20, true},
    /* ... with bit 125 the offset stays in the record, too, soffset counting */
    {"gfx1250", 16, 64, 1u << 29, 0, false, 12, true},
    {"gfx1250", 16, 64, 1u << 29, 0, false, 13, false},
    {"gfx1250", 16, 64, 1u << 29, 8, false, 4, true},
    {"gfx1250", 16, 64, 1u << 29, 8, false, 5, false},
    {"gfx1250", 16, 64, 1u << 29, 12, true, 3, true},
    {"gfx1250", 16, 64, 1u << 29, 13, true, 2, false},
    {"gfx1250", 16, 64, 1u << 29, 0, true, 4, false},
    {"gfx1250", 0, 64, 1u << 29, 0, false, 0, false},
    {"gfx1250", 4, 64, 1u << 29 | 1u << 26, 0, false, 12, true}, /* the stride as scaled */
    {"gfx1250", 4, 64, 1u << 29 | 1u << 26, 0, false, 13, false},
    /* ... swizzled: nothing */
    {"gfx1250", 64, 4, 1u << 28, 0, true, 40, true},
    {"gfx1250", 64, 0, 3u << 28, 0, true, 40, true},
    /* offsets are 32 bits without wrapping: the sum with an index or an instruction's offset stays outside */
    {"gfx900", 0, 64, 0, 0, false, 0xfffffffc, false},
    {"gfx1030", 0, 0xffffffff, 3u << 28, 0, false, 0xffffffff, false},
    {"gfx1250", 0, 64, 0, 4, false, 0xfffffffc, false},
};

static void test_bounds(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(bounds); k++) {
        const struct bound *b = &bounds[k];
        open_filled(&r, b->target, strcmp(b->target, "gfx1250") ? 64 : 32);
        uint32_t word3 = b->word3;
        /* dword v4, v2, s[8:11], s3 */
        uint32_t words[3] = {0xe0500000, 0x03020402, 2}, n = 2;
        switch (r.t->layout) {
        case LAYOUT_GFX10:
            words[0] = 0xe0300000;
            /* fall through */
        case LAYOUT_GFX8:
        case LAYOUT_GFX9:
            words[0] |= b->idxen ? 0x2000 : 0x1000;
            break;
        case LAYOUT_GFX11:
            words[1] |= b->idxen ? 0x800000 : 0x400000;
            break;
        default:
            words[0] = 0xc4050003;
            words[1] = 0x00801004 | (b->idxen ? 0x80000000 : 0x40000000);
            n = 3;
            break;
        }
        descriptor(&r, b->word1_hi, b->records, word3);
        r.w.s[3] = b->soffset;
        rig_vall(&r, 2, b->v);
        rig_vall(&r, 4, 0xbad);
        isa_set_exec(&r.w, 1);
        if (rig_try(&r, words, n) != ISA_OK)
            fail_msg("case %u: %s", k, r.w.fault.text);
        bool inside = rig_getv(&r, 4, 0) != 0;
        if (inside != b->inside || r.fx.mask != b->inside)
            fail_msg("case %u, %s: %s", k, b->target, inside ? "inside" : "outside");
        rig_close(&r);
    }
}

/* Loads of several dwords are judged one by one, atomics as a whole; the address is 32 bits of offset and more. */
static void test_partly_inside(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r, "gfx1100", 32);
    descriptor(&r, 16, 2, 0); /* stride 16, offset within it */
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, l & 1);
        rig_v(&r, 3, l, 12);
    }
    rig_run(&r, WORDS(/* buffer_load_b64 v[4:5], v[2:3], s[8:11], 0 idxen offen */ 0xe0540000, 0x80c20402));
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 16 * (l & 1) + 12);
        assert_int_equal(rig_getv(&r, 5, l), 0);
    }
    rig_close(&r);

    open_filled(&r, "gfx1250", 32);
    descriptor(&r, 16, 64, 1u << 29);
    for (unsigned l = 0; l < 32; l++) {
        rig_v(&r, 2, l, l & 1);
        rig_v(&r, 3, l, 12);
    }
    rig_run(&r, WORDS(/* buffer_load_b64 v[4:5], v[2:3], s[8:11], null idxen offen */ 0xc405407c, 0xc0801004, 2));
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(rig_getv(&r, 4, l), 0x40000000 + 16 * (l & 1) + 12);
        assert_int_equal(rig_getv(&r, 5, l), 0);
    }
    rig_close(&r);

    /* an atomic on eight bytes of which four are inside */
    open_filled(&r, "gfx900", 64);
    descriptor(&r, 0, 12, 0);
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, 8 * l);
    rig_vall(&r, 4, 1);
    rig_vall(&r, 5, 0);
    isa_set_exec(&r.w, 3);
    rig_run(&r, WORDS(/* buffer_atomic_add_x2 v[4:5], v2, s[8:11], 0 offen */ 0xe1881000, 0x80020402));
    assert_int_equal(load_u32(r.mem), 0x40000001);
    assert_int_equal(load_u32(r.mem + 8), 0x40000008);
    rig_close(&r);

    /* the offsets of the lane and of the instruction: a sum of 32 bits on gfx9 alone */
    for (unsigned k = 0; k < 2; k++) {
        open_filled(&r, k ? "gfx803" : "gfx90a", 64);
        descriptor(&r, 0, 8192, 0);
        rig_vall(&r, 2, 0xfffffff1);
        isa_set_exec(&r.w, 1);
        rig_run(&r, WORDS(/* buffer_load_dword v4, v2, s[8:11], 0 offen offset:4095 */ 0xe0501fff, 0x80020402));
        assert_int_equal(rig_getv(&r, 4, 0), k ? 0 : 0x40000000 + 4080);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swizzle_formula), cmocka_unit_test(test_add_tid),
        cmocka_unit_test(test_stride_scale),    cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_partly_inside),   cmocka_unit_test(test_swizzled_soffset),
        cmocka_unit_test(test_no_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Formatted buffer accesses: every format of every generation both ways, dst_sel, 16-bit forms, bounds, tfe. Elements
 * and registers come from tests/unit/isa/format_vectors.h; the rest is written out from the ISA manuals ("Buffer data",
 * "Range checking") and, where they are silent, from docs/SEMANTICS_NOTES.md. */
#include "tests/unit/isa/format_vectors.h"
#include "tests/unit/isa/harness.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(x)   (sizeof(x) / sizeof(x)[0])
#define XYZW       (4u | 5u << 3 | 6u << 6 | 7u << 9)

static void descriptor(struct rig *r, uint32_t word1_hi, uint32_t records, uint32_t word3)
{
    r->w.s[8] = (uint32_t)RIG_MEM;
    r->w.s[9] = word1_hi << 16;
    r->w.s[10] = records;
    r->w.s[11] = word3;
}

/* One generation: its instructions, and where a format stands. */
struct generation {
    const char *target;
    unsigned lanes, words;
    uint32_t tload[3], tstore[3], load[3], store[3];
    bool split;       /* data and number format apart */
    unsigned gfx11;   /* counts as gfx11 and later do */
    uint32_t oob;     /* bounds by bytes */
    unsigned at_word; /* of a typed instruction's format */
    unsigned at;
};

/* tbuffer_load_format_xyzw v[8:11], v2, s[8:11], 0 offen; tbuffer_store ...; buffer_load_format_xyzw ...; store */
static const struct generation generations[] = {
    {"gfx803",
     64,
     2,
     {0xe8019000, 0x80020802},
     {0xe8039000, 0x80020802},
     {0xe00c1000, 0x80020802},
     {0xe01c1000, 0x80020802},
     true,
     0,
     0,
     0,
     19},
    {"gfx90a",
     64,
     2,
     {0xe8019000, 0x80020802},
     {0xe8039000, 0x80020802},
     {0xe00c1000, 0x80020802},
     {0xe01c1000, 0x80020802},
     true,
     0,
     0,
     0,
     19},
    {"gfx1030",
     32,
     2,
     {0xe8031000, 0x80020802},
     {0xe8071000, 0x80020802},
     {0xe00c1000, 0x80020802},
     {0xe01c1000, 0x80020802},
     false,
     0,
     3u << 28,
     0,
     19},
    {"gfx1100",
     64,
     2,
     {0xe8018000, 0x80420802},
     {0xe8038000, 0x80420802},
     {0xe00c0000, 0x80420802},
     {0xe01c0000, 0x80420802},
     false,
     1,
     3u << 28,
     0,
     19},
    {"gfx1201",
     32,
     3,
     {0xc420c07c, 0x40001008, 0x2},
     {0xc421c07c, 0x40001008, 0x2},
     {0xc400c07c, 0x40801008, 0x2},
     {0xc401c07c, 0x40801008, 0x2},
     false,
     1,
     3u << 28,
     1,
     23},
};

static unsigned unified(const struct generation *g, const struct format_vector *v)
{
    return g->gfx11 ? v->gfx11 : v->gfx10;
}

/* The format in the place a typed instruction or a descriptor has it. */
static uint32_t in_instruction(const struct generation *g, const struct format_vector *v)
{
    return g->split ? (uint32_t)v->dfmt | (uint32_t)v->nfmt << 4 : unified(g, v);
}

static uint32_t in_descriptor(const struct generation *g, const struct format_vector *v)
{
    return (g->split ? (uint32_t)v->nfmt | (uint32_t)v->dfmt << 3 : unified(g, v)) << 12;
}

/* Runs the typed and the untyped instruction with the vector's format. */
static void run(struct rig *r, const struct generation *g, const struct format_vector *v, bool typed, bool store)
{
    uint32_t words[3];

    memcpy(words, typed ? (store ? g->tstore : g->tload) : store ? g->store : g->load, sizeof words);
    if (typed)
        words[g->at_word] |= in_instruction(g, v) << g->at;
    descriptor(r, 0, 4096, g->oob | XYZW | (typed ? 0 : in_descriptor(g, v)));
    rig_run(r, words, g->words);
}

static void test_load_every_format(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(generations); k++) {
        const struct generation *g = &generations[k];
        rig_open(&r, g->target, g->lanes);
        for (unsigned n = 0; n < 2 * COUNT(load_vectors); n++) {
            const struct format_vector *v = &load_vectors[n / 2];
            if (!g->split && !unified(g, v))
                continue;
            /* elements at odd addresses too: what is loaded is the element's bytes alone */
            memset(r.mem, 0xee, 1024);
            for (unsigned l = 0; l < g->lanes; l++) {
                rig_v(&r, 2, l, 17 * l);
                for (unsigned c = 0; c < 4; c++)
                    rig_v(&r, 8 + c, l, 0xbad0 + c);
            }
            for (unsigned l = g->lanes; l-- > 0;)
                memcpy(r.mem + 17 * l, v->mem, 16);
            run(&r, g, v, n & 1, false);
            for (unsigned l = 0; l < g->lanes; l += 7)
                for (unsigned c = 0; c < 4; c++)
                    if (rig_getv(&r, 8 + c, l) != v->reg[c])
                        fail_msg("%s, dfmt %u nfmt %u, %s: component %u of lane %u is 0x%x, not 0x%x", g->target,
                                 v->dfmt, v->nfmt, n & 1 ? "tbuffer" : "buffer", c, l, rig_getv(&r, 8 + c, l),
                                 v->reg[c]);
        }
        rig_close(&r);
    }
}

static unsigned element_bytes(unsigned dfmt)
{
    static const uint8_t bytes[] = {0, 1, 2, 2, 4, 4, 4, 4, 4, 4, 4, 8, 8, 12, 16};
    return bytes[dfmt];
}

static void test_store_every_format(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned k = 0; k < COUNT(generations); k++) {
        const struct generation *g = &generations[k];
        rig_open(&r, g->target, g->lanes);
        for (unsigned n = 0; n < 2 * COUNT(store_vectors); n++) {
            const struct format_vector *v = &store_vectors[n / 2];
            if (!g->split && !unified(g, v))
                continue;
            memset(r.mem, 0xee, 2048);
            for (unsigned l = 0; l < g->lanes; l++)
                rig_v(&r, 2, l, 19 * l);
            for (unsigned c = 0; c < 4; c++)
                rig_vall(&r, 8 + c, v->reg[c]);
            isa_set_exec(&r.w, UINT64_C(0x5555555555555555));
            run(&r, g, v, n & 1, true);
            uint8_t want[19];
            memset(want, 0xee, sizeof want);
            memcpy(want, v->mem, element_bytes(v->dfmt));
            for (unsigned l = 0; l < g->lanes; l += 2)
                if (memcmp(r.mem + 19 * l, want, sizeof want) != 0)
                    fail_msg("%s, dfmt %u nfmt %u, %s: 0x%08x 0x%08x, not 0x%08x 0x%08x", g->target, v->dfmt, v->nfmt,
                             n & 1 ? "tbuffer" : "buffer", load_u32(r.mem + 19 * l), load_u32(r.mem + 19 * l + 4),
                             load_u32(want), load_u32(want + 4));
            memset(want, 0xee, sizeof want); /* the lanes that are off */
            assert_memory_equal(r.mem + 19, want, sizeof want);
            assert_int_equal(r.fx.bytes, element_bytes(v->dfmt));
            assert_int_equal(r.fx.mask, r.w.exec);
        }
        rig_close(&r);
    }
}

/* --- dst_sel ------------------------------------------------------------------------------------------------------ */

#define SEL(x, y, z, w) ((x) | (y) << 3 | (z) << 6 | (w) << 9)
enum {
    DF_8888 = 10u << 15,
    DF_32 = 4u << 15,
    DF_1616 = 5u << 15,
    DF_INVALID = 0,
    NF_UINT = 4u << 12,
    NF_FLOAT = 7u << 12
};

static void test_dst_sel(void **state)
{
    static const uint32_t load[] = {0xe00c1000, 0x80020802}, store[] = {0xe01c1000, 0x80020802};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    memcpy(r.mem, "\x11\x22\x33\x44", 4);
    /* 7, 4, 0, 1: W, X, zero, one - an integer one */
    descriptor(&r, 0, 4096, DF_8888 | NF_UINT | SEL(7u, 4u, 0u, 1u));
    rig_run(&r, load, 2);
    assert_int_equal(rig_getv(&r, 8, 5), 0x44);
    assert_int_equal(rig_getv(&r, 9, 5), 0x11);
    assert_int_equal(rig_getv(&r, 10, 5), 0);
    assert_int_equal(rig_getv(&r, 11, 5), 1);
    /* unorm: one is 1.0 */
    descriptor(&r, 0, 4096, DF_8888 | SEL(1u, 6u, 6u, 0u));
    rig_run(&r, load, 2);
    assert_int_equal(rig_getv(&r, 8, 5), 0x3f800000);
    assert_int_equal(rig_getv(&r, 9, 5), 0x3e4ccccd); /* 51 / 255 */
    assert_int_equal(rig_getv(&r, 10, 5), 0x3e4ccccd);
    assert_int_equal(rig_getv(&r, 11, 5), 0);
    /* BGRA the other way: the register's first component goes to memory's third */
    descriptor(&r, 0, 4096, DF_8888 | NF_UINT | SEL(6u, 5u, 4u, 7u));
    for (unsigned c = 0; c < 4; c++)
        rig_vall(&r, 8 + c, 0xa0 + c);
    isa_set_exec(&r.w, 1);
    rig_run(&r, store, 2);
    assert_memory_equal(r.mem, "\xa2\xa1\xa0\xa3", 4);
    rig_close(&r);
}

/* --- components left out ------------------------------------------------------------------------------------------ */

static void test_fewer_components(void **state)
{
    struct rig r;
    (void)state;

    /* the manual writes X alone; bytes of the others stay */
    rig_open(&r, "gfx1201", 32);
    memset(r.mem, 0xee, 64);
    descriptor(&r, 0, 4096, 46u << 12 /* 8_8_8_8 uint */ | XYZW | 3u << 28);
    rig_vall(&r, 8, 0x12);
    isa_set_exec(&r.w, 1);
    rig_run(&r, WORDS(/* buffer_store_format_x v8, v2, s[8:11], null offen */ 0xc401007c, 0x40801008, 0x00000002));
    assert_memory_equal(r.mem, "\x12\xee\xee\xee\xee", 5);
    rig_close(&r);

    /* packed formats have no bytes of their own per component */
    rig_open(&r, "gfx803", 64);
    memset(r.mem, 0xee, 64);
    descriptor(&r, 0, 4096, 9u << 15 /* 2_10_10_10 */ | NF_UINT | XYZW);
    rig_vall(&r, 8, 0x155);
    isa_set_exec(&r.w, 1);
    rig_run(&r, WORDS(/* buffer_store_format_x v8, v2, s[8:11], 0 offen */ 0xe0101000, 0x80020802));
    assert_int_equal(load_u32(r.mem), 0x155);
    /* loads of fewer leave the registers after them alone */
    memcpy(r.mem, "\x01\x02\x03\x04", 4);
    for (unsigned c = 0; c < 4; c++)
        rig_vall(&r, 8 + c, 0xbad);
    descriptor(&r, 0, 4096, DF_8888 | NF_UINT | XYZW);
    rig_run(&r, WORDS(/* buffer_load_format_xy v[8:9], v2, s[8:11], 0 offen */ 0xe0041000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 1);
    assert_int_equal(rig_getv(&r, 9, 0), 2);
    assert_int_equal(rig_getv(&r, 10, 0), 0xbad);
    assert_int_equal(rig_getv(&r, 9, 1), 0xbad);
    rig_close(&r);
}

/* --- 16-bit registers --------------------------------------------------------------------------------------------- */

/* gfx8 has a register per component, gfx9 and later two in one. */
static void test_d16_loads(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    memcpy(r.mem, "\xff\x80\x33\x00", 4);
    descriptor(&r, 0, 4096, DF_8888 | XYZW);
    for (unsigned c = 0; c < 4; c++)
        rig_vall(&r, 8 + c, 0xdeadbeef);
    rig_run(&r, WORDS(/* buffer_load_format_d16_xyzw v[8:11], v2, s[8:11], 0 offen */ 0xe02c1000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0x3c00);
    assert_int_equal(rig_getv(&r, 9, 0), 0x3804);  /* 128/255 = 0.50196: 1.00392 * 2^-1, 4.016/1024 */
    assert_int_equal(rig_getv(&r, 10, 0), 0x3266); /* 0.2 */
    assert_int_equal(rig_getv(&r, 11, 0), 0);
    rig_close(&r);

    rig_open(&r, "gfx900", 64);
    memcpy(r.mem, "\xff\x80\x33\x00", 4);
    descriptor(&r, 0, 4096, DF_8888 | XYZW);
    rig_vall(&r, 8, 0xdeadbeef);
    rig_vall(&r, 9, 0xdeadbeef);
    rig_run(&r, WORDS(/* buffer_load_format_d16_xyz v[8:9], v2, s[8:11], 0 offen */ 0xe0281000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0x38043c00);
    assert_int_equal(rig_getv(&r, 9, 0), 0xdead3266); /* the last half is preserved */
    rig_vall(&r, 8, 0xdeadbeef);
    rig_run(&r, WORDS(/* buffer_load_format_d16_x v8, v2, s[8:11], 0 offen */ 0xe0201000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0xdead3c00);
    rig_vall(&r, 8, 0xdeadbeef);
    rig_run(&r, WORDS(/* buffer_load_format_d16_hi_x v8, v2, s[8:11], 0 offen */ 0xe0981000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0x3c00beef);
    /* integers: the low half; floats: f32 to nearest even */
    memcpy(r.mem, "\x78\x56\x34\x12", 4);
    descriptor(&r, 0, 4096, DF_32 | NF_UINT | XYZW);
    rig_run(&r, WORDS(0xe0201000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0x3c005678);
    memcpy(r.mem, "\x00\xf0\x7f\x47", 4); /* 65520.0: halfway between the largest half and the next step */
    descriptor(&r, 0, 4096, DF_32 | NF_FLOAT | XYZW);
    rig_run(&r, WORDS(0xe0201000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0x3c007c00);
    rig_close(&r);

    rig_open(&r, "gfx1100", 32);
    memcpy(r.mem, "\xff\x80\x33\x00", 4);
    descriptor(&r, 0, 4096, 42u << 12 | XYZW | 3u << 28);
    rig_vall(&r, 8, 0x11112222);
    rig_run(&r, WORDS(/* buffer_load_d16_hi_format_x v8, v2, s[8:11], 0 offen */ 0xe0980000, 0x80420802));
    assert_int_equal(rig_getv(&r, 8, 3), 0x3c002222);
    rig_close(&r);
}

static void test_d16_stores(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1201", 32);
    isa_set_exec(&r.w, 1);
    rig_vall(&r, 8, 0x38003c00); /* 0.5, 1.0 */
    rig_vall(&r, 9, 0xbc003400); /* -1.0, 0.25 */
    descriptor(&r, 0, 4096, 42u << 12 | XYZW | 3u << 28);
    rig_run(&r, WORDS(/* buffer_store_d16_format_xyzw v[8:9], v2, s[8:11], null offen */ 0xc403c07c, 0x40801008, 2));
    assert_memory_equal(r.mem, "\xff\x80\x40\x00", 4); /* 127.5 to even, 63.75 */
    descriptor(&r, 0, 4096, 47u << 12 /* 8_8_8_8 sint */ | XYZW | 3u << 28);
    rig_vall(&r, 8, 0xff7f0005); /* -129, 5 */
    rig_vall(&r, 9, 0x0080fffe); /* 128, -2 */
    rig_run(&r, WORDS(0xc403c07c, 0x40801008, 2));
    assert_memory_equal(r.mem, "\x05\x80\xfe\x7f", 4);
    rig_close(&r);

    rig_open(&r, "gfx803", 64);
    isa_set_exec(&r.w, 1);
    descriptor(&r, 0, 4096, DF_8888 | NF_UINT | XYZW);
    for (unsigned c = 0; c < 4; c++)
        rig_vall(&r, 8 + c, 0x99990000u + 0x10 + c);
    rig_vall(&r, 11, 0x00000100);
    rig_run(&r, WORDS(/* buffer_store_format_d16_xyzw v[8:11], v2, s[8:11], 0 offen */ 0xe03c1000, 0x80020802));
    assert_memory_equal(r.mem, "\x10\x11\x12\xff", 4);
    rig_close(&r);

    rig_open(&r, "gfx900", 64);
    isa_set_exec(&r.w, 1);
    descriptor(&r, 0, 4096, DF_1616 | NF_FLOAT | XYZW);
    rig_vall(&r, 8, 0xc2483c01);
    memset(r.mem, 0xee, 16);
    rig_run(&r, WORDS(/* buffer_store_format_d16_hi_x v8, v2, s[8:11], 0 offen */ 0xe09c1000, 0x80020802));
    assert_memory_equal(r.mem, "\x48\xc2\xee\xee", 4);
    rig_close(&r);
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* An element is in bounds whole or not at all; what is out reads zero, or one where dst_sel says so. */
static void test_bounds(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1100", 32);
    memset(r.mem, 0x7f, 256);
    descriptor(&r, 0, 20, 61u << 12 /* 32_32_32_32 uint */ | SEL(4u, 1u, 6u, 7u) | 3u << 28);
    for (unsigned l = 0; l < 32; l++)
        rig_v(&r, 2, l, l);
    rig_run(&r, WORDS(/* buffer_load_format_xyzw v[8:11], v2, s[8:11], 0 offen */ 0xe00c0000, 0x80420802));
    for (unsigned l = 0; l < 32; l++) {
        assert_int_equal(rig_getv(&r, 8, l), l <= 4 ? 0x7f7f7f7f : 0);
        assert_int_equal(rig_getv(&r, 9, l), 1);
        assert_int_equal(rig_getv(&r, 11, l), l <= 4 ? 0x7f7f7f7f : 0);
    }
    assert_int_equal(r.fx.mask, 0x1f);
    rig_vall(&r, 8, 0x01010101);
    rig_vall(&r, 10, 0x01010101);
    rig_vall(&r, 11, 0x01010101);
    isa_set_exec(&r.w, UINT64_C(1) << 5);
    rig_run(&r, WORDS(/* buffer_store_format_xyzw v[8:11], v2, s[8:11], 0 offen */ 0xe01c0000, 0x80420802));
    assert_int_equal(r.mem[5], 0x7f);
    rig_close(&r);
}

/* Records of a swizzled buffer: sixteen bytes are four elements of four, IS records apart. */
static void test_swizzled(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx900", 64);
    for (unsigned k = 0; k < 4096; k += 4)
        memcpy(r.mem + k, &k, 4);
    descriptor(&r, 0x8000 | 16, 64, 14u << 15 | NF_UINT | XYZW); /* stride 16, groups of eight records */
    for (unsigned l = 0; l < 64; l++)
        rig_v(&r, 2, l, l);
    rig_run(&r, WORDS(/* buffer_load_format_xyzw v[8:11], v2, s[8:11], 0 idxen */ 0xe00c2000, 0x80020802));
    for (unsigned l = 0; l < 64; l++)
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(rig_getv(&r, 8 + c, l), (l / 8) * 16 * 8 + c * 4 * 8 + (l % 8) * 4);
    rig_close(&r);
}

/* --- no format, tfe ----------------------------------------------------------------------------------------------- */

static void test_no_format(void **state)
{
    struct rig r;
    (void)state;

    /* invalid: an unbound buffer */
    rig_open(&r, "gfx803", 64);
    memset(r.mem, 0x55, 64);
    descriptor(&r, 0, 4096, DF_INVALID | SEL(4u, 5u, 0u, 1u));
    rig_vall(&r, 8, 0xbad);
    rig_run(&r, WORDS(0xe00c1000, 0x80020802));
    assert_int_equal(rig_getv(&r, 8, 0), 0);
    assert_int_equal(rig_getv(&r, 11, 0), 0x3f800000);
    assert_int_equal(r.fx.mask, 0);
    rig_run(&r, WORDS(0xe01c1000, 0x80020802));
    assert_int_equal(r.mem[0], 0x55);
    /* 8 bits as a float do not exist, nor does data format 15, nor number format 6 */
    static const uint32_t none[] = {1u << 15 | NF_FLOAT, 15u << 15, 2u << 15 | 6u << 12, DF_32};
    for (unsigned k = 0; k < COUNT(none); k++) {
        descriptor(&r, 0, 4096, none[k] | XYZW);
        assert_int_equal(rig_try(&r, WORDS(0xe00c1000, 0x80020802)), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_ILLEGAL);
        assert_non_null(strstr(r.w.fault.text, "format"));
        assert_int_equal(rig_try(&r, WORDS(0xe01c1000, 0x80020802)), ISA_FAULT);
    }
    rig_close(&r);

    rig_open(&r, "gfx1030", 32);
    descriptor(&r, 0, 4096, 78u << 12 | XYZW | 3u << 28);
    assert_int_equal(rig_try(&r, WORDS(0xe00c1000, 0x80020802)), ISA_FAULT);
    rig_close(&r);
}

/* tfe: one register more, which says that nothing was missing. */
static void test_tfe(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx803", 64);
    memcpy(r.mem, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
    descriptor(&r, 0, 4096, DF_8888 | NF_UINT | XYZW);
    rig_vall(&r, 12, 0xbad);
    isa_set_exec(&r.w, 3);
    rig_run(&r, WORDS(/* buffer_load_format_xyzw v[8:12], v2, s[8:11], 0 offen tfe */ 0xe00c1000, 0x80820802));
    assert_int_equal(rig_getv(&r, 11, 1), 4);
    assert_int_equal(rig_getv(&r, 12, 1), 0);
    assert_int_equal(rig_getv(&r, 12, 2), 0xbad);
    rig_vall(&r, 10, 0xbad);
    rig_run(&r, WORDS(/* buffer_load_dwordx2 v[8:10], v2, s[8:11], 0 offen tfe */ 0xe0541000, 0x80820802));
    assert_int_equal(rig_getv(&r, 9, 0), 0x08070605);
    assert_int_equal(rig_getv(&r, 10, 0), 0);
    assert_int_equal(rig_getv(&r, 10, 2), 0xbad);
    /* it counts where registers end */
    r.w.nvgprs = 10;
    assert_int_equal(rig_try(&r, WORDS(0xe0541000, 0x80820802)), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_REGISTER);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_every_format),
        cmocka_unit_test(test_store_every_format),
        cmocka_unit_test(test_dst_sel),
        cmocka_unit_test(test_fewer_components),
        cmocka_unit_test(test_d16_loads),
        cmocka_unit_test(test_d16_stores),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_swizzled),
        cmocka_unit_test(test_no_format),
        cmocka_unit_test(test_tfe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

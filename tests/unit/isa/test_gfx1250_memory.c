/* Memory that gfx1250 added, row by row: minimum and maximum of doubles in memory, copies between memory and LDS,
 * blocks of up to 32 registers, and offsets that count elements. Words come from LLVM 22's llvm-mc. Expected values:
 * IEEE 754-2019 minimumNumber and maximumNumber; of copies and blocks the bytes themselves.
 */
#include "tests/unit/isa/harness.h"

enum { LANES = 32, LDS_ADDR = 7, DST = 4, BLOCK = 16, SCRATCH_AT = 0x8000, RECORDS = 200 };
#define COUNT(x)      (sizeof(x) / sizeof *(x))
#define SOME_LANES    0x8f71a5d7u
#define NAN_QUIET     UINT64_C(0x7ff8000000000123)
#define INF_NEGATIVE  UINT64_C(0xfff0000000000000)
#define ZERO_NEGATIVE UINT64_C(0x8000000000000000)
#define ONE           UINT64_C(0x3ff0000000000000)
#define TWO           UINT64_C(0x4000000000000000)
#define TWO_NEGATIVE  UINT64_C(0xc000000000000000)

static void open_filled(struct rig *r)
{
    rig_open(r, "gfx1250", LANES);
    for (unsigned k = 0; k < 65536; k++) {
        r->mem[k] = (uint8_t)(k * 7 + (k >> 8) * 13);
        r->lds[k] = (uint8_t)(k * 11 + (k >> 8) * 29 + 5);
    }
    isa_set_exec(&r->w, SOME_LANES);
}

/* v[reg:reg+1] of a lane */
static void set_pair(struct rig *r, unsigned reg, unsigned lane, uint64_t bits)
{
    rig_v(r, reg, lane, (uint32_t)bits);
    rig_v(r, reg + 1, lane, (uint32_t)(bits >> 32));
}

static uint64_t get_pair(const struct rig *r, unsigned reg, unsigned lane)
{
    return rig_getv(r, reg, lane) | (uint64_t)rig_getv(r, reg + 1, lane) << 32;
}

/* {in memory, data, the smaller, the larger} */
static const uint64_t doubles[][4] = {
    {ONE, TWO, ONE, TWO},
    {TWO, ONE, ONE, TWO},
    {TWO_NEGATIVE, ONE, TWO_NEGATIVE, ONE},
    {NAN_QUIET, ONE, ONE, ONE},
    {ONE, NAN_QUIET, ONE, ONE},
    {INF_NEGATIVE, TWO, INF_NEGATIVE, TWO},
    {1, 2, 1, 2}, /* subnormal numbers stay */
    {1, 0, 0, 1},
    {ZERO_NEGATIVE, 0, ZERO_NEGATIVE, 0},
    {0, ZERO_NEGATIVE, ZERO_NEGATIVE, 0},
};

/* Data in v[2:3]; the buffer's data are also its result. */
static const struct {
    uint32_t words[3];
    bool max, buffer, returns;
} atomics[] = {
    {{0xec16c07c, 0x01100004, 0}, false, false, true}, /* flat_atomic_min_num_f64 v[4:5], v[0:1], v[2:3] */
    {{0xec17007c, 0x01100004, 0}, true, false, true},
    {{0xee16c07c, 0x01100004, 0}, false, false, true}, /* global_atomic_min_num_f64 v[4:5], v[0:1], v[2:3], off */
    {{0xee17007c, 0x01100004, 0}, true, false, true},
    {{0xee17007c, 0x01000000, 0}, true, false, false},
    {{0xc416c07c, 0x40900802, 6}, false, true, true}, /* buffer_atomic_min_num_f64 v[2:3], v6, s[4:7], null offen */
    {{0xc417007c, 0x40900802, 6}, true, true, true},
    {{0xc417007c, 0x40800802, 6}, true, true, false},
};

static void atomics_of_doubles(void **state)
{
    struct rig r;
    (void)state;

    open_filled(&r);
    r.w.s[4] = (uint32_t)RIG_MEM + 256; /* num_records from bit 57 on: 7 bits in word 1, the next in word 2 */
    r.w.s[5] = (RECORDS & 0x7fu) << 25;
    r.w.s[6] = RECORDS >> 7;
    r.w.s[7] = 0; /* bounds by bytes */
    for (unsigned k = 0; k < COUNT(atomics); k++) {
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t *d = doubles[l % COUNT(doubles)];
            set_pair(&r, 0, l, RIG_MEM + 256 + 8 * l);
            set_pair(&r, 2, l, d[1]);
            set_pair(&r, 4, l, UINT64_C(0x5a5a00005a5a0000) + l);
            rig_v(&r, 6, l, 8 * l);
            memcpy(r.mem + 256 + 8 * l, d, 8);
        }
        rig_run(&r, atomics[k].words, 3);
        for (unsigned l = 0; l < LANES; l++) {
            const uint64_t *d = doubles[l % COUNT(doubles)];
            const bool on = SOME_LANES >> l & 1, inside = !atomics[k].buffer || 8 * l + 8 <= RECORDS;
            uint64_t now;
            memcpy(&now, r.mem + 256 + 8 * l, 8);
            assert_int_equal(now, on && inside ? d[atomics[k].max ? 3 : 2] : d[0]);
            if (!inside)
                continue;
            const uint64_t kept = atomics[k].buffer ? d[1] : UINT64_C(0x5a5a00005a5a0000) + l;
            assert_int_equal(get_pair(&r, atomics[k].buffer ? 2 : DST, l), on && atomics[k].returns ? d[0] : kept);
        }
    }
    rig_close(&r);
}

/* Lane l copies between RIG_MEM + 1024 + 16 * (l * 5 % 32) and LDS 4096 + 16 * l, both with offset:16. */
static void copies_of_lds(void **state)
{
    static const struct {
        uint32_t words[3];
        unsigned bytes;
        bool store;
    } copies[] = {
        {{0xee17c07c, 0x00000007, 0x1000}, 1, false}, /* global_load_async_to_lds_b8 v7, v[0:1], off offset:16 */
        {{0xee18007c, 0x00000007, 0x1000}, 4, false},
        {{0xee18407c, 0x00000007, 0x1000}, 8, false},
        {{0xee18807c, 0x00000007, 0x1000}, 16, false},
        {{0xee18c07c, 0x03800000, 0x1000}, 1, true}, /* store, b8 */
        {{0xee19007c, 0x03800000, 0x1000}, 4, true},
        {{0xee19407c, 0x03800000, 0x1000}, 8, true},
        {{0xee19807c, 0x03800000, 0x1000}, 16, true},
        {{0xee1a807c, 0x00000007, 0x1000}, 1, false}, /* cluster_load_async_to_lds_b8 v7, v[0:1], off offset:16 */
        {{0xee1ac07c, 0x00000007, 0x1000}, 4, false},
        {{0xee1b007c, 0x00000007, 0x1000}, 8, false},
        {{0xee1b407c, 0x00000007, 0x1000}, 16, false},
    };
    static uint8_t mem[65536], lds[65536];
    (void)state;

    for (unsigned k = 0; k < COUNT(copies); k++) {
        struct rig r;
        open_filled(&r);
        memcpy(mem, r.mem, sizeof mem);
        memcpy(lds, r.lds, sizeof lds);
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned at = 1024 + 16 * (l * 5 % LANES), in_lds = 4096 + 16 * l;
            set_pair(&r, 0, l, RIG_MEM + at);
            rig_v(&r, LDS_ADDR, l, in_lds);
            if (!(SOME_LANES >> l & 1))
                continue;
            if (copies[k].store)
                memcpy(mem + at + 16, lds + in_lds + 16, copies[k].bytes);
            else
                memcpy(lds + in_lds + 16, mem + at + 16, copies[k].bytes);
        }
        rig_run(&r, copies[k].words, 3);
        assert_memory_equal(mem, r.mem, sizeof mem);
        assert_memory_equal(lds, r.lds, sizeof lds);
        for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(rig_getv(&r, LDS_ADDR, l), 4096 + 16 * l);
        rig_close(&r);
    }
}

/* Where register k of a lane's block lies in r.mem, offset:16 included; dwords of private memory stand side by side. */
static unsigned place(bool scratch, unsigned lane, unsigned k)
{
    return scratch ? SCRATCH_AT + (4 + k) * 4 * LANES + lane * 4 : 1024 + 160 * lane + 16 + 4 * k;
}

/* M0 says which of the registers from v16 on take part; each has its place, also when those before it do not. */
static void blocks(void **state)
{
    static const uint32_t masks[] = {0xffffffff, 1, 0x80000000, 0x0f0055a2, 0};
    static const struct {
        uint32_t words[3];
        bool scratch, store;
    } rows[] = {
        {{0xee14c07c, 0x00000010, 0x1000}, false, false}, /* global_load_block v[16:47], v[0:1], off offset:16 */
        {{0xee15007c, 0x08000000, 0x1000}, false, true},  /* global_store_block v[0:1], v[16:47], off offset:16 */
        {{0xed14c07c, 0x00000010, 0x1000}, true, false},  /* scratch_load_block v[16:47], off, off offset:16 */
        {{0xed15007c, 0x08000000, 0x1000}, true, true},   /* scratch_store_block off, v[16:47], off offset:16 */
    };
    static uint8_t mem[65536];
    (void)state;

    for (unsigned n = 0; n < COUNT(rows) * COUNT(masks); n++) {
        const uint32_t mask = masks[n % COUNT(masks)];
        const bool scratch = rows[n / COUNT(masks)].scratch, store = rows[n / COUNT(masks)].store;
        struct rig r;
        open_filled(&r);
        memcpy(mem, r.mem, sizeof mem);
        r.w.scratch_base = RIG_MEM + SCRATCH_AT;
        r.w.scratch_bytes = 256;
        r.w.s[r.t->code_m0] = mask;
        for (unsigned l = 0; l < LANES; l++) {
            set_pair(&r, 0, l, RIG_MEM + 1024 + 160 * l);
            for (unsigned k = 0; k < 34; k++) /* one more on each side */
                rig_v(&r, BLOCK - 1 + k, l, k << 24 | l << 8 | 0x5a);
            for (unsigned k = 0; store && k < 32; k++)
                if ((SOME_LANES >> l & 1) && (mask >> k & 1))
                    memcpy(mem + place(scratch, l, k), &(uint32_t){(k + 1) << 24 | l << 8 | 0x5a}, 4);
        }
        rig_run(&r, rows[n / COUNT(masks)].words, 3);
        assert_memory_equal(mem, r.mem, sizeof mem);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 34; k++) {
                uint32_t want = k << 24 | l << 8 | 0x5a;
                if (!store && k >= 1 && k <= 32 && (SOME_LANES >> l & 1) && (mask >> (k - 1) & 1))
                    memcpy(&want, mem + place(scratch, l, k - 1), 4);
                assert_int_equal(rig_getv(&r, BLOCK - 1 + k, l), want);
            }
        rig_close(&r);
    }
}

/* scale_offset: the address register counts elements, the immediate offset still bytes. */
static void scaled_offsets(void **state)
{
    static const struct {
        uint32_t words[3];
        unsigned scale, bytes, dst;
    } loads[] = {
        {{0xee050002, 0x00010004, 0x1006}, 4, 4, 4},   /* global_load_b32 v4, v6, s[2:3] offset:16 scale_offset */
        {{0xee040002, 0x00010004, 0x1006}, 1, 1, 4},   /* global_load_u8 */
        {{0xee05c002, 0x00010008, 0x1006}, 16, 16, 8}, /* global_load_b128 v[8:11] */
        {{0xee050002, 0x00000004, 0x1006}, 1, 4, 4},   /* global_load_b32 without scale_offset */
    };
    static const uint32_t scratch[3] = {0xed05007c, 0x00030004, 0x1006}; /* v4, v6, off offset:16 scale_offset */
    struct rig r;
    (void)state;

    open_filled(&r);
    r.w.s[2] = (uint32_t)RIG_MEM + 1024;
    r.w.s[3] = (uint32_t)(RIG_MEM >> 32);
    r.w.s[5] = 7;
    r.w.scratch_base = RIG_MEM + SCRATCH_AT;
    r.w.scratch_bytes = 256;
    for (unsigned l = 0; l < LANES; l++)
        rig_v(&r, 6, l, l * 5 % LANES);
    for (unsigned k = 0; k < COUNT(loads); k++) {
        for (unsigned n = 0; 4 * n < loads[k].bytes; n++)
            rig_vall(&r, loads[k].dst + n, 0x5a5a0000 + n);
        rig_run(&r, loads[k].words, 3);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned n = 0; 4 * n < loads[k].bytes; n++) {
                uint32_t want = 0;
                memcpy(&want, r.mem + 1024 + 16 + (l * 5 % LANES) * loads[k].scale + 4 * n,
                       loads[k].bytes < 4 ? loads[k].bytes : 4);
                assert_int_equal(rig_getv(&r, loads[k].dst + n, l), SOME_LANES >> l & 1 ? want : 0x5a5a0000 + n);
            }
    }
    rig_run(&r, scratch, 3);
    for (unsigned l = 0; l < LANES; l++)
        if (SOME_LANES >> l & 1)
            assert_int_equal(rig_getv(&r, 4, l), load_u32(r.mem + place(true, l, l * 5 % LANES)));
    rig_run(&r, (uint32_t[]){0xf4002201, 0x0b000010}, 2); /* s_load_b64 s[8:9], s[2:3], s5 offset:16 scale_offset */
    assert_int_equal(r.w.s[8], load_u32(r.mem + 1024 + 16 + 7 * 8));
    assert_int_equal(r.w.s[9], load_u32(r.mem + 1024 + 16 + 7 * 8 + 4));
    rig_run(&r, (uint32_t[]){0xf4000201, 0x0b000010}, 2); /* s_load_b32 s8 */
    assert_int_equal(r.w.s[8], load_u32(r.mem + 1024 + 16 + 7 * 4));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_of_doubles),
        cmocka_unit_test(copies_of_lds),
        cmocka_unit_test(blocks),
        cmocka_unit_test(scaled_offsets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

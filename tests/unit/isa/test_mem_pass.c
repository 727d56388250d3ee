/* Loads and stores of device memory by the shape of their addresses (isa/lanes/mem_pass.c) against what they are
 * defined to do, lane after lane: random addresses of every shape, random EXEC, every width, bytes and halves, every
 * variant; several ranges, of which two are neighbours on the device and not on the host, and one is read-only. */
#define RECORD_NOTHING /* the encodings are recorded by test_flat */
#include "tests/unit/isa/harness.h"

enum { RANGE_BYTES = 8192, RANGES = 4, REGS = 16, ROUNDS = 60 };

/* Two neighbours, one across an address of 2^32, and one near the first ones that is read-only. */
#define ACROSS (UINT64_C(1) << 32)
static const uint64_t range_at[RANGES] = {RIG_MEM, RIG_MEM + RANGE_BYTES, ACROSS - RANGE_BYTES / 2,
                                          RIG_MEM + 3 * RANGE_BYTES};

struct memory {
    uint8_t bytes[RANGES][2 * RANGE_BYTES]; /* the second half of each is out of reach */
};

static bool find(void *ctx, gaddr_t addr, struct isa_range *out)
{
    struct memory *m = ctx;

    for (unsigned k = 0; k < RANGES; k++)
        if (addr - range_at[k] < RANGE_BYTES) {
            *out = (struct isa_range){range_at[k], range_at[k] + RANGE_BYTES, m->bytes[k], k != 3, false};
            return true;
        }
    return false;
}

static uint8_t *host(struct memory *m, gaddr_t addr, unsigned bytes, bool write)
{
    struct isa_range r;

    if (!find(m, addr, &r) || bytes > r.hi - addr || (write && !r.writable))
        return NULL;
    return r.host + (addr - r.lo);
}

static uint32_t rnd(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

enum { SHAPES = 14 };

/* Where lane l is. `any` is the same for all lanes. */
static uint64_t address(unsigned shape, uint64_t base, unsigned bytes, unsigned l, uint32_t any, uint64_t *seed)
{
    switch (shape) {
    case 0:
        return base; /* all at one place */
    case 1:
        return base + 4 * l;
    case 2:
        return base + (uint64_t)bytes * l;
    case 3:
        return base + 4 * (l % 16) + (uint64_t)(any % 300) * 4 * (l / 16); /* rows of a tile */
    case 4:
        return base + 4 * (l % 8) + (uint64_t)(any % 300) * 4 * (l / 8);
    case 5:
        return base + 4 * (l ^ (any % 32)); /* permuted */
    case 6:
        return base + (uint64_t)(any % 80) * l;
    case 7:
        return base - (uint64_t)bytes * l;
    case 8:
        return base + rnd(seed) % 64 * 4; /* lanes meet */
    case 9:
        return base + rnd(seed) % 64; /* lanes overlap */
    case 10:
        return base + rnd(seed) % 4096;
    case 11:
        return l == any % 64 ? ACROSS + 64 : base + 4 * l; /* one lane far away */
    case 12:
        return base + 4 * l + (l > any % 64 ? UINT64_C(0xfffffff8) : 0);
    default:
        return l == any % 64 ? rnd(seed) : base + 4 * l + (l == 17); /* one lane astray, one misaligned */
    }
}

static uint64_t random_base(uint64_t *seed)
{
    static const int64_t edges[] = {0, RANGE_BYTES, 2 * RANGE_BYTES, 3 * RANGE_BYTES, 4 * RANGE_BYTES};
    unsigned which = rnd(seed) % 9;

    if (which == 8)
        return ACROSS - 4 * (rnd(seed) % 80);
    if (which < 5) /* around the borders of ranges */
        return RIG_MEM + (uint64_t)(edges[which] + (int64_t)(rnd(seed) % 512) * 4 - 1024);
    return RIG_MEM + rnd(seed) % (2 * RANGE_BYTES - 4600) / 4 * 4 + (rnd(seed) % 8 ? 0 : rnd(seed) % 4);
}

static uint64_t random_exec(unsigned lanes, uint64_t *seed)
{
    static const uint64_t some[] = {1, 0xffff0000, 0x8000000080000001, 0x00ff00000000, 0x55555555, 0, 0x7fffffff};
    unsigned which = rnd(seed) % 16;
    uint64_t any = rnd(seed) | (uint64_t)rnd(seed) << 32;

    return (which < 7 ? some[which] : which < 11 ? any : UINT64_MAX) & lane_mask(lanes);
}

/* An instruction: its opcode, and what it moves. Of 1 and 2 bytes: to or from the upper half of the register, of which
 * the other half stays, and with a sign. */
struct width {
    uint8_t op, bytes;
    bool write, half, high, sign;
};
static const struct width widths[] = {
    {0x14, 4, .write = false},
    {0x15, 8, .write = false},
    {0x16, 12, .write = false},
    {0x17, 16, .write = false},
    {0x1a, 4, .write = true},
    {0x1b, 8, .write = true},
    {0x1c, 12, .write = true},
    {0x1d, 16, .write = true},
    {0x10, 1, .sign = false},
    {0x11, 1, .sign = true},
    {0x12, 2, .sign = false},
    {0x13, 2, .sign = true},
    {0x1e, 1, .half = true},
    {0x1f, 1, .half = true, .sign = true},
    {0x20, 2, .half = true},
    {0x21, 1, .half = true, .high = true},
    {0x22, 1, .half = true, .high = true, .sign = true},
    {0x23, 2, .half = true, .high = true},
    {0x18, 1, .write = true},
    {0x19, 2, .write = true},
    {0x24, 1, .write = true, .high = true},
    {0x25, 2, .write = true, .high = true},
};

static uint32_t narrow(const struct width *x, const uint8_t *p, uint32_t old)
{
    uint32_t v = x->bytes == 1 ? p[0] : p[0] | (uint32_t)p[1] << 8;

    if (x->sign && v >> (8 * x->bytes - 1))
        v |= x->bytes == 1 ? 0xffffff00u : 0xffff0000u;
    if (!x->half)
        return v;
    return x->high ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | (v & 0xffff);
}

/* As the instruction is defined. Returns the lane that faults, or -1. */
static int lane_by_lane(struct memory *m, uint32_t *v, unsigned lanes, uint64_t exec, const uint64_t *at, unsigned reg,
                        const struct width *x)
{
    for (unsigned l = 0; l < lanes; l++) {
        if (!(exec >> l & 1))
            continue;
        uint8_t *p = host(m, at[l], x->bytes, x->write);
        uint32_t *own = &v[reg * lanes + l], from = *own >> (x->high ? 16 : 0);
        if (!p)
            return (int)l;
        if (x->bytes < 4 && x->write)
            memcpy(p, &from, x->bytes);
        else if (x->bytes < 4)
            *own = narrow(x, p, *own);
        for (unsigned k = 0; k < x->bytes / 4u; k++)
            if (x->write)
                memcpy(p + 4 * k, &v[(reg + k) * lanes + l], 4);
            else
                memcpy(&v[(reg + k) * lanes + l], p + 4 * k, 4);
    }
    return -1;
}

static void run(struct rig *r, const uint32_t words[3])
{
    struct err e = {0};

    isa_program_close(r->p);
    memcpy(r->code, words, 12);
    assert_int_equal(isa_program_open(&r->p, r->t, RIG_CODE, (const uint8_t *)r->code, 12, &e), 0);
    r->w.program = r->p;
    r->w.pc = RIG_CODE;
    memset(&r->w.fault, 0, sizeof r->w.fault);
}

static void check(struct rig *r, const struct width *x, unsigned shape, uint64_t *seed)
{
    static struct memory want, got;
    static uint32_t model[REGS * 64];
    const unsigned lanes = r->w.lanes;
    const unsigned reg = !x->write && rnd(seed) % 4 == 0 ? 2 : 8; /* a load may overwrite its addresses */
    const bool saddr = rnd(seed) % 3 == 0;                        /* s[4:5] and v2, else v[2:3] */
    const uint32_t words[3] = {0xee000000 | (uint32_t)x->op << 14 | (saddr ? 4 : 0x7c), x->write ? reg << 23 : reg, 2};
    uint64_t at[64], base = random_base(seed), exec = random_exec(lanes, seed), scalar = 0;
    uint32_t any = rnd(seed);

    for (unsigned n = 0; n < RANGES; n++)
        for (unsigned k = 0; k < 2 * RANGE_BYTES; k++)
            want.bytes[n][k] = (uint8_t)(n * 5 + k * 7 + (k >> 8) * 13 + any);
    got = want;
    for (unsigned k = 0; k < REGS * lanes; k++)
        r->w.v[k] = rnd(seed);
    if (saddr)
        scalar = rnd(seed) % 2 ? base - 256 : base + 40 - ACROSS;
    r->w.s[4] = (uint32_t)scalar;
    r->w.s[5] = (uint32_t)(scalar >> 32);
    for (unsigned l = 0; l < lanes; l++) {
        at[l] = address(shape, base, x->bytes, l, any, seed);
        rig_v(r, 2, l, (uint32_t)(at[l] - scalar));
        if (saddr) /* offsets have 32 bits and no sign */
            at[l] = scalar + (uint32_t)(at[l] - scalar);
        else
            rig_v(r, 3, l, (uint32_t)(at[l] >> 32));
    }
    memcpy(model, r->w.v, REGS * lanes * sizeof *model);
    isa_set_exec(&r->w, exec);
    r->env.ctx = &got;
    r->env.find = find;
    if (rnd(seed) % 2)
        memset(r->w.range, 0, sizeof r->w.range);
    else if (!find(&got, range_at[rnd(seed) % RANGES], &r->w.range[0]))
        fail();
    run(r, words);
    enum isa_status status = isa_step(&r->w, isa_program_at(r->p, RIG_CODE), &r->env, NULL);
    int lane = lane_by_lane(&want, model, lanes, exec, at, reg, x);
    bool same = !memcmp(model, r->w.v, REGS * lanes * sizeof *model) && !memcmp(&want, &got, sizeof want) &&
                status == (lane < 0 ? ISA_OK : ISA_FAULT);
    if (lane >= 0)
        same = same && r->w.fault.kind == FAULT_MEMORY && r->w.fault.lane == lane && r->w.fault.addr == at[lane] &&
               r->w.fault.bytes == x->bytes && r->w.fault.write == x->write;
    if (!same)
        fail_msg(
            "%u lanes, shape %u at 0x%llx, opcode 0x%x %s v%u, exec 0x%llx: not as lane by lane (fault in lane %d)",
            lanes, shape, (unsigned long long)base, x->op, x->write ? "from" : "into", reg, (unsigned long long)exec,
            lane);
}

static void test_shapes(void **state)
{
    static const char *const variants[] = {"avx512", "avx2", "base"};
    (void)state;

    for (unsigned v = 0; v < 3; v++) {
        if (!isa_variant_find(variants[v]))
            continue;
        for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
            uint64_t seed = 5 + v;
            struct rig r;

            rig_open_variant(&r, "gfx1201", lanes, variants[v]);
            for (unsigned n = 0; n < ROUNDS * SHAPES; n++)
                for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++)
                    check(&r, &widths[k], n % SHAPES, &seed);
            rig_close(&r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

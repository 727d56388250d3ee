/* Transfers of gfx1250's tensor unit beside a model that walks the tile element by element, as the CDNA5 ISA's tables
 * of the descriptor and its pseudocode have it (public text cites them; isa/tensor.h): each field alone, then
 * descriptors at random. What is moved, what stays as it was, what the effects say of it, and what is no descriptor.
 * Words come from LLVM 22's llvm-mc.
 */
#include "isa/lds_order.h"
#include "isa/tensor.h"
#include "tests/unit/isa/harness.h"

enum { LANES = 32, SPACE = 65536, GROUP1 = 128, GROUP2 = 384, GROUP3 = 512, MEMORY_AT = 0x1000 };
#define COUNT(x) (sizeof(x) / sizeof *(x))

struct descriptor {
    const char *what;
    unsigned count, data_size, pad_interval, pad_amount, repeats; /* as encoded */
    bool gathers, wide, arrives, iterates, pads, four_groups;
    uint32_t lds, barrier, type; /* the type is not looked at */
    uint32_t memory;             /* from MEMORY_AT on */
    uint32_t valid[5], tile[5], repeat_lds;
    uint64_t stride[4], repeat_memory;
    uint32_t row[16];
};

static void put(uint32_t w[20], unsigned at, unsigned bits, uint64_t v)
{
    for (unsigned k = 0; k < bits; k++)
        w[(at + k) / 32] |= (uint32_t)(v >> k & 1) << (at + k) % 32;
}

static void pack(const struct descriptor *d, uint32_t w[20])
{
    memset(w, 0, 20 * sizeof *w);
    put(w, 0, 2, d->count);
    put(w, 30, 1, d->wide);
    put(w, 31, 1, d->gathers);
    put(w, 32, 32, d->lds);
    put(w, 64, 57, RIG_MEM + MEMORY_AT + d->memory);
    put(w, 126, 2, d->type);
    put(w, GROUP1 + 16, 2, d->data_size);
    put(w, GROUP1 + 18, 1, d->arrives);
    put(w, GROUP1 + 19, 1, d->iterates);
    put(w, GROUP1 + 20, 1, d->pads);
    put(w, GROUP1 + 22, 3, d->pad_interval);
    put(w, GROUP1 + 25, 7, d->pad_amount);
    put(w, GROUP1 + 32, 16, d->barrier / 8);
    put(w, GROUP1 + 48, 32, d->valid[0]);
    put(w, GROUP1 + 80, 32, d->valid[1]);
    put(w, GROUP1 + 112, 16, d->tile[0]);
    put(w, GROUP1 + 128, 16, d->tile[1]);
    put(w, GROUP1 + 144, 16, d->tile[2]);
    put(w, GROUP1 + 160, 48, d->stride[0]);
    put(w, GROUP1 + 208, 48, d->stride[1]);
    if (d->gathers) {
        for (unsigned k = 0; k < (d->wide ? 8 : 16); k++)
            put(w, GROUP2 + k * (d->wide ? 32 : 16), d->wide ? 32 : 16, d->row[k]);
        return;
    }
    put(w, GROUP2, 32, d->valid[2]);
    put(w, GROUP2 + 32, 32, d->iterates ? d->repeat_lds : d->valid[3]);
    put(w, GROUP2 + 64, 48, d->iterates ? d->repeat_memory : d->stride[2]);
    put(w, GROUP2 + 112, 16, d->iterates ? d->repeats : d->tile[3]);
    put(w, GROUP3, 48, d->stride[3]);
    put(w, GROUP3 + 48, 32, d->valid[4]);
    put(w, GROUP3 + 80, 16, d->tile[4]);
}

enum { ZERO = -1 };
static uint32_t set_or(uint32_t v, uint32_t otherwise)
{
    return v == (uint32_t)ZERO ? 0 : v ? v : otherwise;
}

/* What is not set: of a tile and a tensor of 9 by 5 dwords. */
static struct descriptor completed(struct descriptor d)
{
    d.count = set_or(d.count, 1);
    d.data_size = set_or(d.data_size, 2);
    d.lds = set_or(d.lds, 64);
    d.type = set_or(d.type, 2);
    for (unsigned k = 0; k < 2; k++) {
        d.valid[k] = set_or(d.valid[k], k ? 5 : 9);
        d.tile[k] = set_or(d.tile[k], k ? 5 : 9);
    }
    d.stride[0] = set_or((uint32_t)d.stride[0], 12);
    return d;
}

/* The model: for each byte of LDS that the transfer is about, where it is in memory; OUTSIDE: not in the tensor. Later
 * elements are at the end. */
enum { NOT_MOVED = -1, OUTSIDE = -2, MOST = 1 << 17 };
struct moves {
    unsigned n;
    uint32_t lds[MOST];
    int32_t memory[MOST]; /* from RIG_MEM on */
};
static struct moves moves, seen;

static void move_element(struct moves *m, uint64_t lds, int64_t memory, unsigned bytes)
{
    for (unsigned b = 0; b < bytes && lds + bytes <= SPACE; b++) {
        assert_true(m->n < MOST);
        m->lds[m->n] = (uint32_t)lds + b;
        m->memory[m->n++] = memory < 0 ? OUTSIDE : (int32_t)(memory + b);
    }
}

static void walk(const struct descriptor *d, bool store, struct moves *m)
{
    const unsigned element = 1u << d->data_size, dims = d->gathers ? 2 : d->iterates ? 3 : 5;
    uint32_t extent[5];

    m->n = 0;
    for (unsigned k = 0; k < 5; k++)
        extent[k] = k < dims && d->tile[k] ? d->tile[k] : 1;
    if (!d->count || d->type != 2 || !d->tile[0] || (d->gathers && !d->tile[1]))
        return;
    for (unsigned r = 0; r <= (d->iterates && !d->gathers ? d->repeats : 0); r++) {
        uint64_t lds = d->lds + (uint64_t)r * d->repeat_lds * element, stored = 0, x[5];
        for (x[4] = 0; x[4] < extent[4]; x[4]++)
            for (x[3] = 0; x[3] < extent[3]; x[3]++)
                for (x[2] = 0; x[2] < extent[2]; x[2]++)
                    for (x[1] = 0; x[1] < extent[1]; x[1]++)
                        for (x[0] = 0; x[0] < extent[0]; x[0]++) {
                            int64_t at = MEMORY_AT + d->memory + (int64_t)(r * d->repeat_memory * element);
                            bool inside = true;
                            for (unsigned k = 0; k < dims; k++) {
                                uint64_t place = d->gathers && k == 1 ? d->row[x[1]] : x[k];
                                at += (int64_t)(place * element * (k ? d->stride[k - 1] : 1) * (!k || d->tile[k]));
                                inside = inside && (place < d->valid[k] || !d->tile[k]);
                            }
                            move_element(m, lds, inside ? at : OUTSIDE, element);
                            lds += element;
                            stored += element;
                            if (d->pads && !store && stored == (uint64_t)8 << d->pad_interval) {
                                lds += 4 * (d->pad_amount + 1);
                                stored = 0;
                            }
                        }
    }
}

static void fill(struct rig *r, uint32_t seed)
{
    for (unsigned k = 0; k < SPACE; k++) {
        r->mem[k] = (uint8_t)((k * 2654435761u + seed) >> 13);
        r->lds[k] = (uint8_t)((k * 2246822519u + seed * 3 + 1) >> 11);
    }
}

static enum isa_status transfer(struct rig *r, const uint32_t w[20], bool store, bool four_groups)
{
    const uint32_t words[] = {store ? 0xd0714001 : 0xd0710001, 0x7c000000, four_groups ? 0x100c0400 : 0x7c7c0400};

    memcpy(r->w.s, w, 20 * sizeof *w);
    return rig_try(r, words, 3);
}

/* The parts of the effects are the bytes of the model, in its order. */
static void check_effects(struct rig *r, const struct descriptor *d, bool store)
{
    const struct isa_effects *fx = &r->fx;

    assert_int_equal(fx->kind, FX_VECTOR);
    assert_int_equal(fx->op, store ? MEM_STORE : MEM_LOAD);
    seen.n = 0;
    do
        for (unsigned l = 0; l < LANES; l++)
            if (fx->lds_mask >> l & 1)
                move_element(&seen, fx->lds_addr[l], fx->mask >> l & 1 ? (int64_t)(fx->addr[l] - RIG_MEM) : OUTSIDE,
                             fx->bytes);
            else
                assert_false(fx->mask >> l & 1);
    while (isa_next_part(&r->fx));
    if (seen.n != moves.n || memcmp(seen.lds, moves.lds, seen.n * sizeof *seen.lds) ||
        memcmp(seen.memory, moves.memory, seen.n * sizeof *seen.memory))
        fail_msg("%s: %s: %u bytes in the effects, %u in the model", d->what, store ? "store" : "load", seen.n,
                 moves.n);
}

static void check(struct rig *r, const struct descriptor *d, uint32_t seed, bool store)
{
    static uint8_t lds[SPACE], mem[SPACE];
    uint32_t w[20];

    pack(d, w);
    fill(r, seed);
    memcpy(lds, r->lds, SPACE);
    memcpy(mem, r->mem, SPACE);
    walk(d, store, &moves);
    for (unsigned k = 0; k < moves.n; k++)
        if (store && moves.memory[k] >= 0)
            mem[moves.memory[k]] = lds[moves.lds[k]];
        else if (!store)
            lds[moves.lds[k]] = moves.memory[k] >= 0 ? mem[moves.memory[k]] : 0;
    if (transfer(r, w, store, d->four_groups) != ISA_OK)
        fail_msg("%s: %s", d->what, r->w.fault.text);
    if (memcmp(r->lds, lds, SPACE) || memcmp(r->mem, mem, SPACE))
        fail_msg("%s: %s: LDS or memory is not the model's", d->what, store ? "store" : "load");
    check_effects(r, d, store);
}

static const struct descriptor fields[] = {
    {.what = "two dimensions"},
    {"of no type", .type = ZERO},
    {"of a buffer's type", .type = 1},
    {"of type 3", .type = 3},
    {"no tensor", .count = ZERO},
    {"bytes", .data_size = ZERO, .memory = 3, .lds = 5},
    {"of 2 bytes", .data_size = 1, .memory = 6},
    {"of 8 bytes", .data_size = 3},
    {"lds_addr", .lds = 0x8004},
    {"global_addr", .memory = 0x404},
    {"tensor_dim0 ends in the tile", .valid = {6, 5}},
    {"tensor_dim1 ends in the tile", .valid = {9, 2}},
    {"tensor_dim0 is 0", .valid = {ZERO, 5}},
    {"the tensor is large", .valid = {0x80000000, 0xfffffffe}},
    {"tile_dim0", .tile = {4, 5}},
    {"tile_dim0 is 0", .tile = {ZERO, 5}},
    {"tile_dim1", .tile = {9, 3}},
    {"one dimension", .valid = {40, ZERO}, .tile = {37, ZERO}},
    {"tensor_dim0_stride", .stride = {100}},
    {"tensor_dim0_stride is 0", .stride = {ZERO}},
    {"three dimensions", .valid = {9, 5, 3}, .tile = {9, 5, 4}, .stride = {12, 200}, .four_groups = true},
    {"four", .valid = {9, 2, 3, 1}, .tile = {8, 2, 2, 3}, .stride = {12, 200, 900}, .four_groups = true},
    {"five", .valid = {4, 2, 2, 2, 2}, .tile = {4, 2, 2, 2, 3}, .stride = {8, 20, 90, 400}, .four_groups = true},
    {"five without the second", .valid = {4, ZERO, 2, 2, 2}, .tile = {4, ZERO, 2, 2, 3}, .stride = {8, 20, 90, 400},
     .four_groups = true},
    {"groups that are not named", .valid = {9, 5, 3}, .tile = {9, 5}, .stride = {12, 200}},
    {"padding: 1 dword after 2", .tile = {8, 5}, .pads = true},
    {"pad_interval", .tile = {8, 5}, .pads = true, .pad_interval = 2},
    {"pad_amount", .tile = {8, 5}, .pads = true, .pad_interval = 2, .pad_amount = 127},
    {"padding across rows", .tile = {9, 5}, .pads = true, .pad_interval = 1, .pad_amount = 3},
    {"padding of what is outside", .valid = {5, 3}, .tile = {8, 5}, .pads = true, .pad_interval = 2},
    {"an interval without padding", .pad_interval = 3, .pad_amount = 5},
    {"twice", .iterates = true, .repeats = 1, .repeat_lds = 64, .repeat_memory = 77, .four_groups = true},
    {"a repeat of one", .iterates = true, .repeat_lds = 64, .repeat_memory = 77, .four_groups = true},
    {"three dimensions, three times", .valid = {9, 5, 2}, .tile = {9, 4, 2}, .stride = {12, 99}, .iterates = true,
     .repeats = 2, .repeat_lds = 80, .repeat_memory = 300, .four_groups = true},
    {"rows by indices", .valid = {9, 40}, .tile = {7, 6}, .gathers = true, .row = {3, 3, 39, 0, 40, 9},
     .four_groups = true},
    {"sixteen rows", .valid = {9, 99}, .tile = {7, 16}, .gathers = true, .four_groups = true,
     .row = {3, 4, 6, 7, 11, 12, 13, 20, 21, 30, 31, 32, 35, 36, 37, 38}},
    {"rows by wide indices", .valid = {9, 40}, .tile = {7, 8}, .gathers = true, .wide = true, .four_groups = true,
     .row = {3, 1, 39, 0, 0x10002, 9, 12, 5}},
    {"no rows", .tile = {7, ZERO}, .gathers = true, .row = {3}, .four_groups = true},
    {"rows are not repeated", .valid = {9, 40}, .tile = {7, 2}, .gathers = true, .iterates = true, .row = {1, 5},
     .four_groups = true},
    {"past the end of LDS", .lds = SPACE - 70},
    {"behind LDS", .lds = 0xffffff00},
    {"a tile that has no end in LDS", .data_size = ZERO, .valid = {2000, 65535}, .tile = {2000, 65535},
     .stride = {ZERO}},
};

static void each_field(void **state)
{
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    isa_set_exec(&r.w, 0); /* it has no say */
    for (unsigned k = 0; k < COUNT(fields); k++) {
        struct descriptor d = completed(fields[k]);
        check(&r, &d, k, false);
        check(&r, &d, k, true);
    }
    rig_close(&r);
}

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*seed >> 8) * below >> 24);
}

static void at_random(void **state)
{
    uint32_t seed = 1;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned n = 0; n < 3000; n++) {
        struct descriptor d = {.what = "at random", .count = 1, .four_groups = true, .data_size = next(&seed, 4)};
        uint32_t most = 16;
        d.lds = next(&seed, 8) ? next(&seed, 2000) : SPACE - next(&seed, 200);
        d.memory = next(&seed, 900);
        d.pads = next(&seed, 2);
        d.pad_interval = next(&seed, 8);
        d.pad_amount = next(&seed, 128);
        d.gathers = !next(&seed, 4);
        d.wide = d.gathers && next(&seed, 2);
        d.iterates = !next(&seed, 4);
        d.repeats = next(&seed, 4);
        d.repeat_lds = next(&seed, 200);
        d.repeat_memory = next(&seed, 200);
        for (unsigned k = 0; k<5; k++, most = most> 3 ? most / 2 : 2) {
            d.tile[k] = next(&seed, most + 1);
            d.valid[k] = next(&seed, most + 2);
        }
        for (unsigned k = 0; k < 4; k++)
            d.stride[k] = next(&seed, 60);
        if (d.gathers)
            d.tile[1] = next(&seed, d.wide ? 9 : 17);
        for (unsigned k = 0; k < 16; k++)
            d.row[k] = next(&seed, 40);
        check(&r, &d, n, n & 1);
    }
    rig_close(&r);
}

/* A barrier in LDS: pending count [28:0], phase [31:29], reload count [47:32]. */
static void arrives_when_done(void **state)
{
    static const struct {
        uint64_t before, after;
        enum isa_status status;
    } arrivals[] = {{UINT64_C(0x5e0000002), UINT64_C(0x5e0000001), ISA_OK},
                    {UINT64_C(0x5e0000000), UINT64_C(0x5c0000005), ISA_WAKEUP}};
    struct descriptor d = completed((struct descriptor){.arrives = true, .barrier = 0x9008});
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 4; k++) {
        bool store = k & 1, copies = k < 2;
        uint32_t w[20];
        uint64_t now;

        d.tile[0] = copies ? 9 : 0; /* a tile of nothing is done, too */
        pack(&d, w);
        memcpy(r.lds + d.barrier, &arrivals[k & 1].before, 8);
        assert_int_equal(transfer(&r, w, store, false), arrivals[k & 1].status);
        memcpy(&now, r.lds + d.barrier, 8);
        assert_true(now == arrivals[k & 1].after);
    }
    for (unsigned k = 0; k < 2; k++) { /* no tensor arrives nowhere */
        uint32_t w[20];

        d.count = k;
        d.type = k ? 0 : 2;
        pack(&d, w);
        memcpy(r.lds + d.barrier, &arrivals[0].before, 8);
        assert_int_equal(transfer(&r, w, false, false), ISA_OK);
        assert_memory_equal(r.lds + d.barrier, &arrivals[0].before, 8);
    }
    rig_close(&r);
}

static struct isa_lds_copy flights[LDS_COPIES];
static struct isa_lds_copy *room(void *ctx)
{
    (void)ctx;
    return flights;
}

static bool has_landed(const struct rig *r, const struct descriptor *d)
{
    unsigned moved = 0;

    walk(d, false, &moves);
    for (unsigned k = 0; k < moves.n; k++)
        moved += moves.memory[k] >= 0 && r->lds[moves.lds[k]] == r->mem[moves.memory[k]];
    assert_true(moved == moves.n || moved < moves.n / 8); /* but for bytes that are equal by chance */
    return moved == moves.n;
}

static enum isa_status load_tensor(struct rig *r, const struct descriptor *d)
{
    uint32_t w[20];

    pack(d, w);
    return transfer(r, w, false, false);
}

static void wait_for(struct rig *r, uint32_t word)
{
    assert_int_equal(rig_try(r, &word, 1), ISA_OK);
}

/* With an order (isa/lds_order.h) a load lands when a wait for tensorcnt forces it, or the wave's end. */
static void lands_late(void **state)
{
    enum { WAIT_TENSOR_0 = 0xbfcb0000, WAIT_TENSOR_1, WAIT_ASYNC_0 = 0xbfca0000, S_ENDPGM = 0xbfb00000 };
    const struct descriptor first = completed((struct descriptor){.what = "first"}),
                            second = completed((struct descriptor){.what = "second", .lds = 0x2000, .memory = 0x400}),
                            third = completed((struct descriptor){
                                .lds = 0x4000, .memory = 0x800, .arrives = true, .barrier = 0x9008});
    const uint64_t barrier = UINT64_C(0x5e0000002);
    struct isa_lds_order order = {.room = room};
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    r.w.lds_order = &order;
    fill(&r, 1);
    assert_int_equal(load_tensor(&r, &first), ISA_OK);
    assert_int_equal(load_tensor(&r, &second), ISA_OK);
    wait_for(&r, WAIT_ASYNC_0);
    assert_false(has_landed(&r, &first) || has_landed(&r, &second));
    wait_for(&r, WAIT_TENSOR_1);
    assert_true(has_landed(&r, &first));
    assert_false(has_landed(&r, &second));
    wait_for(&r, WAIT_TENSOR_0);
    assert_true(has_landed(&r, &second));

    /* one that arrives at a barrier has landed then, and all before it */
    fill(&r, 2);
    memcpy(r.lds + third.barrier, &barrier, 8);
    assert_int_equal(load_tensor(&r, &first), ISA_OK);
    assert_false(has_landed(&r, &first));
    assert_int_equal(load_tensor(&r, &third), ISA_OK);
    assert_true(has_landed(&r, &first) && has_landed(&r, &third));
    assert_int_equal(r.lds[third.barrier], 1);

    fill(&r, 3);
    assert_int_equal(load_tensor(&r, &first), ISA_OK);
    assert_false(has_landed(&r, &first));
    assert_int_equal(rig_try(&r, (const uint32_t[]){S_ENDPGM}, 1), ISA_END);
    assert_true(has_landed(&r, &first));
    rig_close(&r);
}

static void no_descriptors(void **state)
{
    static const struct {
        unsigned at, bits;
        uint64_t value; /* is added to bits that are 0 */
        const char *text;
        bool gathers;
    } wrong[] = {
        {0, 2, 2, "resumes a transfer", false},
        {2, 1, 1, "resumes a transfer", false},
        {GROUP2 + 112, 16, 256, "more than 256 repeats", false},
        {GROUP1 + 128, 16, 18, "more indices", true},
    };
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < COUNT(wrong); k++) {
        struct descriptor d = completed((struct descriptor){.iterates = true, .gathers = wrong[k].gathers});
        uint32_t w[20];
        pack(&d, w);
        put(w, wrong[k].at, wrong[k].bits, wrong[k].value);
        assert_int_equal(transfer(&r, w, false, true), ISA_FAULT);
        assert_int_equal(r.w.fault.kind, FAULT_OTHER);
        if (!strstr(r.w.fault.text, wrong[k].text) || !strstr(r.w.fault.text, "s[0:3]"))
            fail_msg("%s", r.w.fault.text);
    }
    rig_close(&r);
}

static void faults_name_no_lane(void **state)
{
    struct descriptor d = completed((struct descriptor){.what = "outside memory"});
    uint32_t w[20];
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    pack(&d, w);
    w[2] += 0x100000;
    assert_int_equal(transfer(&r, w, false, false), ISA_FAULT);
    assert_int_equal(r.w.fault.kind, FAULT_MEMORY);
    assert_int_equal(r.w.fault.lane, -1);
    rig_close(&r);
}

/* tensor instructions raise tensorcnt alone, and s_wait_tensorcnt waits for it */
static void counts(void **state)
{
    static const uint32_t words[][3] = {
        {0xd0710001, 0x7c000000, 0x7c7c0400}, {0xd0714001, 0x7c000000, 0x7c7c0400}, {0xbfcb0002}};
    uint8_t thresholds[WAIT_COUNT];
    struct isa_inst i;
    struct rig r;
    (void)state;

    rig_open(&r, "gfx1250", LANES);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(isa_decode(r.t, (const uint8_t *)words[k], 12, &i, NULL), 12);
        assert_int_equal(isa_inst_counters(r.t, &i), 1 << WAIT_TENSOR);
    }
    assert_int_equal(isa_decode(r.t, (const uint8_t *)words[2], 4, &i, NULL), 4);
    assert_true(isa_inst_waits(r.t, &i, thresholds));
    for (unsigned c = 0; c < WAIT_COUNT; c++)
        assert_int_equal(thresholds[c], c == WAIT_TENSOR ? 2 : 0xff);
    rig_close(&r);
}

/* The bytes of LDS that a transfer reaches: of all dimensions, where one of size 0 is none; with the gaps between them,
 * of each time that it is repeated, and no more than the workgroup has. */
static void extents(void **state)
{
    static const struct {
        uint32_t tile[5], repeats, repeat_lds, pad_interval, pad;
        uint32_t lo, hi;
        bool over;
    } v[] = {
        {{8}, 1, 0, 0, 0, 64, 64 + 32, false},
        {{8, 4}, 1, 0, 0, 0, 64, 64 + 128, false},
        {{8, 4, 3, 2, 2}, 1, 0, 0, 0, 64, 64 + 1536, false},
        {{8, 0, 3}, 1, 0, 0, 0, 64, 64 + 96, false},
        {{0, 4}, 1, 0, 0, 0, 64, 64, false},
        {{8, 4}, 3, 200, 0, 0, 64, 64 + 128 + 400, false},
        {{8, 4}, 1, 0, 32, 8, 64, 64 + 128 + 32, false},
        {{8, 1000}, 1, 0, 0, 0, 64, 4096, false},
        {{8, 4}, 1, 0, 0, 0, 64, 64, true},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        struct isa_tensor t = {.lds = 64,
                               .lds_bytes = 4096,
                               .element = 4,
                               .repeats = v[k].repeats,
                               .repeat_lds = v[k].repeat_lds,
                               .pad_interval = v[k].pad_interval,
                               .pad = v[k].pad,
                               .over = v[k].over};
        uint32_t lo, hi;

        memcpy(t.tile, v[k].tile, sizeof t.tile);
        isa_tensor_extent(&t, &lo, &hi);
        if (lo == hi ? v[k].lo != v[k].hi : lo != v[k].lo || hi != v[k].hi)
            fail_msg("row %zu: %u to %u", k, lo, hi);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field),          cmocka_unit_test(at_random),
        cmocka_unit_test(arrives_when_done),   cmocka_unit_test(no_descriptors),
        cmocka_unit_test(faults_name_no_lane), cmocka_unit_test(counts),
        cmocka_unit_test(lands_late),          cmocka_unit_test(extents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

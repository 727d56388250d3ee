/* Memory instructions without pseudocode, on every target that has them: formatted buffer accesses of each width, loads
 * to and stores from LDS, addresses made of lane numbers, append and consume. The format is 8_8_8_8 unorm: a byte b is
 * b / 255. All formats at full width are test_mem_format.c's. */
#include "tests/unit/isa/every_target.h"
#include "tests/unit/isa/mem_words.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

static const uint8_t texels[4] = {0, 255, 128, 51};
static const uint16_t as_half[4] = {0, 0x3c00, 0x3804, 0x3266};

static unsigned texel_of(unsigned lane, unsigned comp)
{
    return (lane * 3 + comp + (lane >> 3)) & 3;
}

static uint32_t as_float(unsigned byte)
{
    float f = (float)(byte / 255.0);
    uint32_t u;

    memcpy(&u, &f, 4);
    return u;
}

/* --- formats ---------------------------------------------------------------------------------------------------- */

struct formatted {
    struct rig *r;
    const struct isa_row *row;
    uint64_t on;
    bool store, d16, wide, hi; /* wide: 16-bit components in registers of their own */
};

static struct formatted describe(struct rig *r, const struct isa_row *row)
{
    struct formatted f = {.r = r, .row = row, .store = row->mem.op == MEM_STORE};

    f.wide = row->mem.convert == CONV_FORMAT_D16_WIDE;
    f.hi = row->mem.convert == CONV_FORMAT_D16_HI;
    f.d16 = f.wide || f.hi || row->mem.convert == CONV_FORMAT_D16;
    f.on = UINT64_C(0xfdb97531eca86420) & lane_mask(r->w.lanes);
    return f;
}

/* The register that holds component c, and the bits of it. */
static unsigned holds(const struct formatted *f, unsigned c, unsigned *shift)
{
    bool packed = f->d16 && !f->wide;

    *shift = f->hi || (packed && (c & 1)) ? 16 : 0;
    return V_DATA + (packed ? c / 2 : c);
}

static uint32_t component(const struct formatted *f, unsigned lane, unsigned c)
{
    unsigned t = texel_of(lane, c);
    return f->d16 ? as_half[t] : as_float(texels[t]);
}

static void fill_format(const struct formatted *f, unsigned format)
{
    struct rig *r = f->r;

    set_up(r, format);
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, V_ADDR, l, 8 * l);
        for (unsigned c = 0; c < 4; c++) {
            unsigned shift, reg;
            r->mem[8 * l + c] = f->store ? 0xee : texels[texel_of(l, c)];
            if (!f->store || c >= f->row->mem.comps)
                continue;
            reg = holds(f, c, &shift);
            uint32_t mask = f->d16 ? 0xffffu << shift : UINT32_MAX;
            rig_v(r, reg, l, (rig_getv(r, reg, l) & ~mask) | component(f, l, c) << shift);
        }
    }
    isa_set_exec(&r->w, f->on);
}

static void check_format(const struct formatted *f, const char *name)
{
    struct rig *r = f->r;

    for (unsigned l = 0; l < r->w.lanes; l++) {
        bool on = f->on >> l & 1;
        for (unsigned c = 0; c < 4; c++) {
            bool here = on && c < f->row->mem.comps;
            unsigned shift, reg = holds(f, c, &shift), byte = r->mem[8 * l + c];
            uint32_t got = f->d16 ? rig_getv(r, reg, l) >> shift & 0xffff : rig_getv(r, reg, l);
            if (f->store && byte != (here ? texels[texel_of(l, c)] : 0xee))
                fail_msg("%s on %s: lane %u, byte %u is 0x%02x", name, r->t->name, l, c, byte);
            if (!f->store && here && got != component(f, l, c))
                fail_msg("%s on %s: lane %u, component %u is 0x%08x", name, r->t->name, l, c, got);
            if (!f->store && !on && rig_getv(r, V_DATA + c, l) != 0x3f000000 + (V_DATA + c) * 0x10001 + l * 0x100)
                fail_msg("%s on %s: wrote lane %u, which is off", name, r->t->name, l);
        }
    }
}

static void test_formats(void **state)
{
    static const uint8_t formats[] = {FMT_MUBUF, FMT_MTBUF, FMT_VBUFFER};
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            unsigned ran = 0;
            for (unsigned k = 0; k < COUNT(formats); k++)
                for (unsigned op = 0; r.t->ops[formats[k]] && op < r.t->op_count[formats[k]]; op++) {
                    const struct isa_op *o = &r.t->ops[formats[k]][op];
                    uint32_t w[3];
                    if (!o->row || !o->row->mem.comps || !has_slot(o->row, SL_ADDR) ||
                        (!has_slot(o->row, SL_VDST) && !has_slot(o->row, SL_DATA0)))
                        continue;
                    struct formatted f = describe(&r, o->row);
                    fill_format(&f, formats[k]);
                    rig_run(&r, w, buffer_words(r.t, o->row, formats[k], op, false, w));
                    check_format(&f, o->mnemonic);
                    ran++;
                }
            assert_true(ran >= (isa_has(r.t, FEAT_COMPUTE_ONLY) ? 0u : 32u));
        }
    EVERY_END(r)
}

/* --- memory to LDS and back --------------------------------------------------------------------------------------- */

/* What a dword in LDS becomes of the bytes at p. */
static uint32_t extended(const struct isa_memop *m, const uint8_t *p)
{
    switch (m->convert) {
    case CONV_U8:
        return p[0];
    case CONV_I8:
        return (uint32_t)(int8_t)p[0];
    case CONV_U16:
        return load_u16(p);
    case CONV_I16:
        return (uint32_t)(int16_t)load_u16(p);
    case CONV_FORMAT:
        return as_float(p[0]);
    default:
        return load_u32(p);
    }
}

/* What the lanes load stands in a row in LDS, from M0 on: dwords, or several of them a lane. */
static void check_lds(struct rig *r, unsigned format, unsigned op)
{
    enum { AT = 0x400 };
    const struct isa_op *o = &r->t->ops[format][op];
    uint64_t on = UINT64_C(0xfdb97531eca86421) & lane_mask(r->w.lanes);
    bool store = o->row->mem.op == MEM_STORE || o->row->args[0].slot == SL_SRSRC;
    uint8_t lds[65536], mem[65536];
    uint32_t w[3];

    set_up(r, format);
    r->w.s[r->t->code_m0] = AT;
    for (unsigned l = 0; format != FMT_SCRATCH && l < r->w.lanes; l++)
        rig_v(r, V_ADDR, l, (format == FMT_GLOBAL ? (uint32_t)RIG_MEM : 0) + 8 * ((l * 5 + 1) % r->w.lanes));
    if (store) { /* no address register: the descriptor adds the lane's number, in elements of eight bytes */
        r->w.s[9] = 8u << 16;
        r->w.s[11] = 1u << 23;
    }
    memcpy(lds, r->lds, sizeof lds);
    memcpy(mem, r->mem, sizeof mem);
    for (unsigned l = 0; l < r->w.lanes; l++) {
        unsigned at = 8 * ((l * 5 + 1) % r->w.lanes);
        if (format == FMT_SCRATCH) /* set_up_registers: offset 4 * (lane % 8), dwords of the lanes side by side */
            at = 0x4000 + (l % 8) * 4 * r->w.lanes + 4 * l;
        if (store)
            at = 8 * l;
        if (!(on >> l & 1))
            continue;
        uint32_t v = extended(&o->row->mem, mem + at);
        unsigned bytes = o->row->mem.bytes;
        if (store)
            memcpy(mem + at, lds + AT + 4 * l, 4);
        else if (bytes > 4)
            memcpy(lds + AT + bytes * l, mem + at, bytes);
        else
            memcpy(lds + AT + 4 * l, &v, 4);
    }
    isa_set_exec(&r->w, on);
    rig_run(r, w, words_of(r->t, o->row, format, op, false, w));
    if (memcmp(lds, r->lds, sizeof lds) || memcmp(mem, r->mem, sizeof mem))
        fail_msg("%s on %s", o->mnemonic, r->t->name);
}

static void test_lds_transfers(void **state)
{
    static const uint8_t formats[] = {FMT_MUBUF, FMT_GLOBAL, FMT_SCRATCH};
    struct rig r;
    unsigned ran = 0;
    (void)state;

    EVERY(r, 64)
    {
        for (unsigned k = 0; k < COUNT(formats); k++)
            for (unsigned op = 0; r.t->ops[formats[k]] && op < r.t->op_count[formats[k]]; op++) {
                const struct isa_op *o = &r.t->ops[formats[k]][op];
                if (!o->row || !o->row->exec || !strstr(o->mnemonic, "_lds") || strstr(o->mnemonic, "addtid") ||
                    strstr(o->mnemonic, "_async_")) /* has LDS addresses: test_gfx1250_memory.c */
                    continue;
                check_lds(&r, formats[k], op);
                ran++;
            }
    }
    EVERY_END(r)
    assert_true(ran >= 20);
}

/* --- addresses made of lane numbers ------------------------------------------------------------------------------- */

static void test_addtid(void **state)
{
    struct rig r;
    (void)state;

    for (unsigned lanes = 32; lanes <= 64; lanes += 32)
        EVERY(r, lanes)
        {
            static const struct {
                unsigned format;
                const char *load, *store;
            } v[] = {{FMT_DS, "ds_read_addtid_b32", "ds_write_addtid_b32"},
                     {FMT_GLOBAL, "global_load_dword_addtid", "global_store_dword_addtid"}};
            for (unsigned k = 0; k < COUNT(v); k++) {
                uint32_t w[3];
                unsigned f = v[k].format;
                int load = opcode_of(r.t, f, v[k].load), store = opcode_of(r.t, f, v[k].store);
                if (load < 0)
                    continue;
                set_up(&r, f);
                uint8_t *p = f == FMT_DS ? r.lds + 0x340 : r.mem + 256;
                r.w.s[r.t->code_m0] = 0x300;
                isa_set_exec(&r.w, lane_mask(lanes) & ~UINT64_C(8));
                unsigned n = words_of(r.t, r.t->ops[f][load].row, f, (unsigned)load, false, w);
                w[0] |= f == FMT_DS ? 0x40 : 0;
                rig_run(&r, w, n);
                for (unsigned l = 0; l < lanes; l++)
                    assert_int_equal(rig_getv(&r, V_DST, l),
                                     l == 3 ? 0x3f000000 + V_DST * 0x10001 + l * 0x100 : load_u32(p + 4 * l));
                uint32_t old = load_u32(p + 12);
                n = words_of(r.t, r.t->ops[f][store].row, f, (unsigned)store, false, w);
                w[0] |= f == FMT_DS ? 0x40 : 0;
                rig_run(&r, w, n);
                for (unsigned l = 0; l < lanes; l++)
                    assert_int_equal(load_u32(p + 4 * l), l == 3 ? old : 0x3f000000 + V_DATA * 0x10001 + l * 0x100);
            }
        }
    EVERY_END(r)
}

static void test_append(void **state)
{
    struct rig r;
    (void)state;

    EVERY(r, 64)
    {
        uint32_t w[2], start = 0xfffffffe;
        int append = opcode_of(r.t, FMT_DS, "ds_append"), consume = opcode_of(r.t, FMT_DS, "ds_consume");
        set_up(&r, FMT_DS);
        memcpy(r.lds + 0x318, &start, 4);
        r.w.s[r.t->code_m0] = 0x300;
        isa_set_exec(&r.w, 0xf0f00000000);
        ds(r.t, w, append, 0x18, 0, 0, V_DST);
        rig_run(&r, w, 2);
        assert_int_equal(load_u32(r.lds + 0x318), 6);
        assert_int_equal(rig_getv(&r, V_DST, 36), 0x3f000000 + V_DST * 0x10001 + 36 * 0x100);
        assert_int_equal(rig_getv(&r, V_DST, 43), start);
        isa_set_exec(&r.w, 0x7);
        ds(r.t, w, consume, 0x18, 0, 0, V_DST);
        rig_run(&r, w, 2);
        assert_int_equal(load_u32(r.lds + 0x318), 3);
        assert_int_equal(rig_getv(&r, V_DST, 2), 6);
    }
    EVERY_END(r)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_lds_transfers),
        cmocka_unit_test(test_addtid),
        cmocka_unit_test(test_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Formatted buffer accesses: the conversions between memory and registers of buffer_load_format, buffer_store_format
 * and their tbuffer and d16 forms. The rows stand in mem_buffer.c.
 *
 * The format is the instruction's for tbuffer, the descriptor's otherwise; as a data and a number format up to gfx9, as
 * one number from gfx10 on. An element is as many bytes as its format says, is in bounds as a whole or not at all, and
 * its components stand from its lowest bits up (names of packed formats list them from the highest down).
 *
 *   load    unorm, snorm, uscaled, sscaled and float give f32; uint and sint are extended. d16 forms round the f32 to
 *           f16 (nearest even) or keep the low half of the integer.
 *   store   normalized and scaled: clamped to the format's range, NaN as 0; normalized rounds to nearest even, scaled
 *           towards zero. Integers saturate. Floats round to nearest even; those of 11 and 10 bits have no sign,
 *           what is negative becomes 0, what is finite stays finite. Only the components the instruction names are
 *           written, but for packed formats, whose other components become 0.
 *
 * Untyped forms pass loads through the descriptor's dst_sel (0, 1, or a component) and stores through its inverse;
 * components that the format lacks are 0. An invalid format (0) is an unbound buffer: everything is out of bounds. Out
 * of bounds, a load gives 0, and 1 where dst_sel says 1. Formats that do not exist are a fault. (GCN3, Vega, RDNA2,
 * RDNA3 ISA "Buffer data" and "Range checking"; conversions on stores are not documented: chosen, see
 * docs/SEMANTICS_NOTES.md. Numbers of unified formats: LLVM 19 MTBUFFormat::UnifiedFormat.)
 */
#include <math.h>

#include "isa/insts/buffer.h"
#include "isa/lanes/fp.h"
#include "isa/table/format.h"

struct format {
    const struct isa_data_format *data; /* null: the invalid format */
    unsigned number;                    /* enum isa_number_format */
    uint8_t sel[4];                     /* dst_sel of each register component: 0, 1, or 4 + component */
};

/* The format of an access. False: fault recorded. */
static bool read_format(struct isa_wave *w, const struct isa_inst *i, int kaddr, struct format *f)
{
    const struct isa_target *t = w->target;
    uint32_t word3 = w->s[i->op[kaddr + 1].code + 3];
    bool split = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9, typed = i->row->mem.typed;
    unsigned dfmt = typed ? i->u.mem.dfmt : word3 >> 15 & 15, nfmt = typed ? i->u.mem.nfmt : word3 >> 12 & 7;
    unsigned unified = typed ? i->u.mem.format : word3 >> 12 & (t->layout == LAYOUT_GFX10 ? 0x7f : 0x3f);

    for (unsigned c = 0; c < 4; c++)
        f->sel[c] = typed ? (uint8_t)(4 + c) : (uint8_t)(word3 >> (3 * c) & 7);
    f->data = NULL;
    if (split ? !dfmt : !unified)
        return true;
    if (split ? isa_split_format(dfmt, nfmt) : isa_unified_format(t, unified, &dfmt, &nfmt)) {
        f->data = &isa_data_formats[dfmt];
        f->number = nfmt;
        return true;
    }
    if (split)
        isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: no buffer has data format %u with number format %u",
                  i->mnemonic, dfmt, nfmt);
    else
        isa_fault(w, FAULT_ILLEGAL, -1, 0, 0, false, "%s: there is no buffer format %u", i->mnemonic, unified);
    return false;
}

static bool is_integer(const struct format *f)
{
    return f->number == NF_UINT || f->number == NF_SINT;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* Floats without sign, of five bits of exponent and `m` of mantissa. */
static uint32_t small_float_to_f32(uint32_t v, unsigned m)
{
    uint32_t exp = v >> m, mant = v & ((1u << m) - 1);

    if (exp == 31)
        return 0x7f800000 | mant << (23 - m);
    if (exp)
        return (exp + 112) << 23 | mant << (23 - m);
    return bits_f32((float)mant * (m == 6 ? 0x1p-20f : 0x1p-19f));
}

static uint32_t f32_to_small_float(uint32_t bits, unsigned m)
{
    uint32_t inf = 31u << m, exp = bits >> 23 & 0xff;

    if ((bits & 0x7fffffff) > 0x7f800000)
        return inf | 1u << (m - 1);
    if (bits >> 31)
        return 0;
    if (exp == 0xff)
        return inf;
    if (exp < 113) /* below 2^-14 */
        return (uint32_t)rintf(as_f32(bits) * (m == 6 ? 0x1p20f : 0x1p19f));
    uint32_t drop = 23 - m, rounded = bits + (1u << (drop - 1)) - 1 + (bits >> drop & 1);
    uint32_t r = (rounded >> drop) - (112u << m);
    return r >= inf ? inf - 1 : r;
}

static int32_t sign_extend(uint32_t v, unsigned bits)
{
    return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

/* A component as it is in memory to a 32-bit register. */
static uint32_t from_memory(uint32_t v, unsigned bits, unsigned number)
{
    float one = (float)((UINT64_C(1) << (number == NF_SNORM ? bits - 1 : bits)) - 1), s;

    switch (number) {
    case NF_UNORM:
        return bits_f32((float)v / one);
    case NF_SNORM:
        s = (float)sign_extend(v, bits) / one;
        return bits_f32(s < -1.0f ? -1.0f : s);
    case NF_USCALED:
        return bits_f32((float)v);
    case NF_SSCALED:
        return bits_f32((float)sign_extend(v, bits));
    case NF_SINT:
        return (uint32_t)sign_extend(v, bits);
    case NF_FLOAT:
        return bits == 32   ? v
               : bits == 16 ? bits_f32(half_to_f32((half_t)v))
                            : small_float_to_f32(v, bits == 11 ? 6 : 5);
    default:
        return v;
    }
}

static uint32_t clamped(double v, double low, double high, double scale, bool nearest)
{
    v = v != v ? 0 : v < low ? low : v > high ? high : v;
    v *= scale;
    return (uint32_t)(int64_t)(nearest ? rint(v) : v);
}

/* And back: the component's bits, garbage above them. */
static uint32_t to_memory(uint32_t v, unsigned bits, unsigned number)
{
    double f = as_f32(v), top = (double)((UINT64_C(1) << bits) - 1), half = (double)((UINT64_C(1) << (bits - 1)) - 1);
    int32_t s = (int32_t)v;

    switch (number) {
    case NF_UNORM:
        return clamped(f, 0, 1, top, true);
    case NF_SNORM:
        return clamped(f, -1, 1, half, true);
    case NF_USCALED:
        return clamped(f, 0, top, 1, false);
    case NF_SSCALED:
        return clamped(f, -half - 1, half, 1, false);
    case NF_UINT:
        return v > top ? (uint32_t)top : v;
    case NF_SINT:
        return s > half ? (uint32_t)half : s < -half - 1 ? (uint32_t)(int32_t)(-half - 1) : v;
    default:
        return bits == 32 ? v : bits == 16 ? half_from_f32(as_f32(v), 0, 0) : f32_to_small_float(v, bits == 11 ? 6 : 5);
    }
}

/* --- elements in memory ------------------------------------------------------------------------------------------- */

static const struct isa_memop pieces[5] = {[1] = {.bytes = 1, .convert = CONV_U8},
                                           [2] = {.bytes = 2, .convert = CONV_U16},
                                           [4] = {.bytes = 4, .convert = CONV_DWORDS}};

/* The elements of the lanes in bounds, zero for the others. */
static int fetch(struct isa_wave *w, const struct isa_env *env, struct access *a, const struct isa_data_format *d,
                 uint32_t raw[4][64])
{
    unsigned piece = d->bytes < 4 ? d->bytes : 4;

    memset(raw, 0, 4 * 64 * sizeof raw[0][0]);
    for (unsigned at = 0; at < d->bytes; at += piece) {
        buffer_addresses(w, &a->b, &a->x, at, &a->at);
        if (isa_mem_load(w, env, a->range, &pieces[piece], &a->at, a->inside, raw[at / 4]))
            return ISA_FAULT;
    }
    return ISA_OK;
}

/* Component c of a lane's element. */
static uint32_t component(const struct isa_data_format *d, uint32_t raw[4][64], unsigned l, unsigned c)
{
    unsigned at = 0, bits = d->bits[c];

    for (unsigned k = 0; k < c; k++)
        at += d->bits[k];
    uint32_t v = raw[at / 32][l] >> (at % 32);
    return bits == 32 ? v : v & ((1u << bits) - 1);
}

/* The value of register component c of lane l. */
static uint32_t loaded(const struct format *f, uint32_t raw[4][64], unsigned l, bool inside, unsigned c)
{
    unsigned sel = f->sel[c];

    if (sel == 1)
        return f->data && is_integer(f) ? 1 : 0x3f800000;
    if (sel < 4 || !inside || sel - 4 >= f->data->comps)
        return 0;
    sel -= 4;
    return from_memory(component(f->data, raw, l, sel), f->data->bits[sel], f->number);
}

static void put_loaded(const struct isa_wave *w, const struct isa_memop *m, bool integer, uint32_t *d, unsigned l,
                       unsigned c, uint32_t v)
{
    bool keep = isa_has(w->target, FEAT_D16_MEM_KEEP);
    unsigned n = w->lanes;

    if (m->convert == CONV_FORMAT) {
        d[c * n + l] = v;
        return;
    }
    uint32_t narrow = integer ? v & 0xffff : half_from_f32(as_f32(v), 0, 0);
    uint32_t *r = &d[(m->convert == CONV_FORMAT_D16 ? c / 2 : c) * n + l];
    if (m->convert == CONV_FORMAT_D16_WIDE)
        *r = narrow;
    else if (m->convert == CONV_FORMAT_D16_HI || (c & 1))
        *r = ((c & 1) || keep ? *r & 0xffff : 0) | narrow << 16;
    else
        *r = (keep || c + 1 < m->comps ? *r & 0xffff0000 : 0) | narrow;
}

int exec_format_load(WPARAMS_)
{
    struct access a;
    struct format f;
    uint32_t raw[4][64], one[64];
    const struct isa_memop *m = &i->row->mem;
    bool to_lds = i->u.mem.lds || i->row->args[0].slot == SL_ADDR;
    int kaddr = i->row->args[0].slot == SL_ADDR ? 0 : 1;
    uint32_t *d = to_lds ? one : mem_load_rows(w, i, &i->op[0]);
    struct lane_addr lds;
    uint64_t lanes = w->exec;

    if (!d || !read_format(w, i, kaddr, &f) || !open_access(w, i, kaddr, f.data ? f.data->bytes : 4, fx, &a))
        return ISA_FAULT;
    if (to_lds) {
        lanes = isa_lds_dma_lanes(w, i->offset, 4, &lds);
        fx_lds_dma(w, fx, &lds, lanes);
        a.inside &= lanes;
    }
    if (!f.data)
        a.inside = 0;
    if (fx)
        fx->mask = a.inside;
    if (f.data && fetch(w, env, &a, f.data, raw))
        return ISA_FAULT;
    bool integer = f.data && is_integer(&f);
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctzll(left);
        for (unsigned c = 0; c < m->comps; c++)
            put_loaded(w, m, integer, d, l, c, loaded(&f, raw, l, a.inside >> l & 1, c));
    }
    if (to_lds)
        return isa_lds_dma(w, i, &lds, lanes, 4, one);
    mem_clear_tfe(w, i, &i->op[0], d);
    return ISA_OK;
}

/* The value of register component c of lane l, as 32 bits. */
static uint32_t stored(const struct isa_wave *w, const struct isa_memop *m, const struct format *f, const uint32_t *s,
                       unsigned l, unsigned c)
{
    unsigned n = w->lanes;

    if (m->convert == CONV_FORMAT)
        return s[c * n + l];
    uint32_t v = s[(m->convert == CONV_FORMAT_D16 ? c / 2 : c) * n + l];
    v = m->convert == CONV_FORMAT_D16_HI || (m->convert == CONV_FORMAT_D16 && (c & 1)) ? v >> 16 : v & 0xffff;
    if (f->number == NF_UINT)
        return v;
    return f->number == NF_SINT ? (uint32_t)(int16_t)v : bits_f32(half_to_f32((half_t)v));
}

/* The register component that goes to memory's component c, or -1. */
static int store_source(const struct format *f, unsigned comps, unsigned c)
{
    for (unsigned k = 0; k < comps; k++)
        if (f->sel[k] == 4 + c)
            return (int)k;
    return -1;
}

static int store_packed(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct access *a,
                        const struct format *f, const uint32_t *s)
{
    uint32_t raw[64] = {0};
    const struct isa_data_format *d = f->data;

    for (unsigned c = 0, at = 0; c < d->comps; at += d->bits[c++]) {
        int from = store_source(f, i->row->mem.comps, c);
        if (from < 0)
            continue;
        for (unsigned l = 0; l < w->lanes; l++) {
            uint32_t v = to_memory(stored(w, &i->row->mem, f, s, l, (unsigned)from), d->bits[c], f->number);
            raw[l] |= (v & ((1u << d->bits[c]) - 1)) << at;
        }
    }
    return isa_mem_store(w, env, a->range, &pieces[4], &a->at, a->inside, raw);
}

static int store_components(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct access *a,
                            const struct format *f, const uint32_t *s)
{
    uint32_t raw[64] = {0};
    const struct isa_data_format *d = f->data;

    for (unsigned c = 0, at = 0; c < d->comps; at += d->bits[c++]) {
        int from = store_source(f, i->row->mem.comps, c);
        if (from < 0)
            continue;
        for (unsigned l = 0; l < w->lanes; l++)
            raw[l] = to_memory(stored(w, &i->row->mem, f, s, l, (unsigned)from), d->bits[c], f->number);
        buffer_addresses(w, &a->b, &a->x, at / 8, &a->at);
        if (isa_mem_store(w, env, a->range, &pieces[d->bits[c] / 8], &a->at, a->inside, raw))
            return ISA_FAULT;
    }
    return ISA_OK;
}

int exec_format_store(WPARAMS_)
{
    struct access a;
    struct format f;
    const uint32_t *s = mem_rows(w, &i->op[0]);

    if (!s || !read_format(w, i, 1, &f) || !open_access(w, i, 1, f.data ? f.data->bytes : 4, fx, &a))
        return ISA_FAULT;
    if (!f.data) {
        if (fx)
            fx->mask = 0;
        return ISA_OK;
    }
    return f.data->packed ? store_packed(w, i, env, &a, &f, s) : store_components(w, i, env, &a, &f, s);
}

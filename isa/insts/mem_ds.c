/* LDS instructions without the rows of atomics, which are in mem_atomic.c: loads, stores, two-address forms, the
 * crossbar, append/consume.
 *
 * Address: vaddr + offset in 32 bits. Out of bounds a read gives zero and a write is dropped. On gfx8 M0 bounds LDS
 * too. GDS forms are decoded and not executed.
 */
#include "isa/insts/mem.h"
#include "isa/lds_marks.h"
#include "isa/lds_order.h"

static int exec_ds_load(WPARAMS_);
static int exec_ds_store(WPARAMS_);
static int exec_ds_load2(WPARAMS_);
static int exec_ds_store2(WPARAMS_);
static int exec_ds_xchg2(WPARAMS_);
static int exec_ds_load_addtid(WPARAMS_);
static int exec_ds_store_addtid(WPARAMS_);

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* OLD, NEW: names before and from gfx11 on */
#define ENC_DS(NEW, O)           OP(GFX8, DS, O), AS(GFX11, DS, O, "ds_" #NEW)
#define ENC_DS_D16(NEW, O9, O10) OP(GFX9, DS, O9), OP(GFX10, DS, O10), AS(GFX11, DS, O10, "ds_" #NEW)

#define DS_LOAD_(NAME, D, DFLAGS, BYTES, CONV, ...)                                                                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, LDS_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_load, MEMOP_(LOAD, BYTES, CONV),  \
                                                        .args = {{SL_VDST, T_##D, DFLAGS}, {SL_ADDR, T_B32, A_RD}},    \
                                                        ROW_TAIL_(NAME)
#define DS_LOAD(OLD, NEW, D, BYTES, CONV, O) DS_LOAD_(ds_##OLD, D, A_WR, BYTES, CONV, ENC_DS(NEW, O))
#define DS_LOAD_D16(OLD, NEW, BYTES, CONV, O9, O10)                                                                    \
    DS_LOAD_(ds_##OLD, B32, A_WR | A_RD, BYTES, CONV, ENC_DS_D16(NEW, O9, O10))
#define DS_STORE_(NAME, D, BYTES, CONV, ...)                                                                           \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, LDS_STORE, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_store,                           \
                                                         MEMOP_(STORE, BYTES, CONV),                                   \
                                                         .args = {{SL_ADDR, T_B32, A_RD}, {SL_DATA0, T_##D, A_RD}},    \
                                                         ROW_TAIL_(NAME)
#define DS_STORE(OLD, NEW, D, BYTES, CONV, O) DS_STORE_(ds_##OLD, D, BYTES, CONV, ENC_DS(NEW, O))

DS_LOAD(read_b32, load_b32, B32, 4, DWORDS, 0x36)
DS_LOAD(read_i8, load_i8, B32, 1, I8, 0x39)
DS_LOAD(read_u8, load_u8, B32, 1, U8, 0x3a)
DS_LOAD(read_i16, load_i16, B32, 2, I16, 0x3b)
DS_LOAD(read_u16, load_u16, B32, 2, U16, 0x3c)
DS_LOAD(read_b64, load_b64, B64, 8, DWORDS, 0x76)
DS_LOAD(read_b96, load_b96, B96, 12, DWORDS, 0xfe)
DS_LOAD(read_b128, load_b128, B128, 16, DWORDS, 0xff)
DS_LOAD_D16(read_u8_d16, load_u8_d16, 1, D16_U8, 0x56, 0xa2)
DS_LOAD_D16(read_u8_d16_hi, load_u8_d16_hi, 1, D16_HI_U8, 0x57, 0xa3)
DS_LOAD_D16(read_i8_d16, load_i8_d16, 1, D16_I8, 0x58, 0xa4)
DS_LOAD_D16(read_i8_d16_hi, load_i8_d16_hi, 1, D16_HI_I8, 0x59, 0xa5)
DS_LOAD_D16(read_u16_d16, load_u16_d16, 2, D16_B16, 0x5a, 0xa6)
DS_LOAD_D16(read_u16_d16_hi, load_u16_d16_hi, 2, D16_HI_B16, 0x5b, 0xa7)

DS_STORE(write_b32, store_b32, B32, 4, DWORDS, 0x0d)
DS_STORE(write_b8, store_b8, B32, 1, U8, 0x1e)
DS_STORE(write_b16, store_b16, B32, 2, U16, 0x1f)
DS_STORE(write_b64, store_b64, B64, 8, DWORDS, 0x4d)
DS_STORE(write_b96, store_b96, B96, 12, DWORDS, 0xde)
DS_STORE(write_b128, store_b128, B128, 16, DWORDS, 0xdf)
DS_STORE_(ds_write_b8_d16_hi, B32, 1, D16_HI_U8, ENC_DS_D16(store_b8_d16_hi, 0x54, 0xa0))
DS_STORE_(ds_write_b16_d16_hi, B32, 2, D16_HI_B16, ENC_DS_D16(store_b16_d16_hi, 0x55, 0xa1))

/* Two addresses: offset0 and offset1 count elements, or 64 of them. */
#define MEMOP2_(OP_, BYTES, ST64) .mem = {.op = MEM_##OP_, .bytes = BYTES, .elems = 2, .stride64 = ST64}
#define DS_LOAD2(OLD, NEW, D, BYTES, ST64, O)                                                                          \
    ROW_ENC_(ds_##OLD, ENC_DS(NEW, O))                                                                                 \
    ROW_HEAD_(ds_##OLD, LDS_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_load2,                        \
                                                            MEMOP2_(LOAD, BYTES, ST64),                                \
                                                            .args = {{SL_VDST, T_##D, A_WR}, {SL_ADDR, T_B32, A_RD}},  \
                                                            ROW_TAIL_(ds_##OLD)
#define DS_STORE2(OLD, NEW, D, BYTES, ST64, O)                                                                         \
    ROW_ENC_(ds_##OLD, ENC_DS(NEW, O))                                                                                 \
    ROW_HEAD_(ds_##OLD, LDS_STORE, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_store2,                      \
                                                             MEMOP2_(STORE, BYTES, ST64),                              \
                                                             .args = {{SL_ADDR, T_B32, A_RD},                          \
                                                                      {SL_DATA0, T_##D, A_RD},                         \
                                                                      {SL_DATA1, T_##D, A_RD}},                        \
                                                             ROW_TAIL_(ds_##OLD)
#define DS_XCHG2(OLD, NEW, D, PAIR, BYTES, ST64, O)                                                                    \
    ROW_ENC_(ds_##OLD, ENC_DS(NEW, O))                                                                                 \
    ROW_HEAD_(ds_##OLD, LDS_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_xchg2,                      \
                                                              MEMOP2_(ATOMIC, BYTES, ST64),                            \
                                                              .args = {{SL_VDST, T_##PAIR, A_WR},                      \
                                                                       {SL_ADDR, T_B32, A_RD},                         \
                                                                       {SL_DATA0, T_##D, A_RD},                        \
                                                                       {SL_DATA1, T_##D, A_RD}},                       \
                                                              ROW_TAIL_(ds_##OLD)

DS_LOAD2(read2_b32, load_2addr_b32, B64, 4, 0, 0x37)
DS_LOAD2(read2st64_b32, load_2addr_stride64_b32, B64, 4, 1, 0x38)
DS_LOAD2(read2_b64, load_2addr_b64, B128, 8, 0, 0x77)
DS_LOAD2(read2st64_b64, load_2addr_stride64_b64, B128, 8, 1, 0x78)
DS_STORE2(write2_b32, store_2addr_b32, B32, 4, 0, 0x0e)
DS_STORE2(write2st64_b32, store_2addr_stride64_b32, B32, 4, 1, 0x0f)
DS_STORE2(write2_b64, store_2addr_b64, B64, 8, 0, 0x4e)
DS_STORE2(write2st64_b64, store_2addr_stride64_b64, B64, 8, 1, 0x4f)
DS_XCHG2(wrxchg2_rtn_b32, storexchg_2addr_rtn_b32, B32, B64, 4, 0, 0x2e)
DS_XCHG2(wrxchg2st64_rtn_b32, storexchg_2addr_stride64_rtn_b32, B32, B64, 4, 1, 0x2f)
DS_XCHG2(wrxchg2_rtn_b64, storexchg_2addr_rtn_b64, B64, B128, 8, 0, 0x6e)
DS_XCHG2(wrxchg2st64_rtn_b64, storexchg_2addr_stride64_rtn_b64, B64, B128, 8, 1, 0x6f)

ROW_ENC_(ds_read_addtid_b32, OP(GFX9, DS, 0xb6), OP(GFX10, DS, 0xb1), AS(GFX11, DS, 0xb1, "ds_load_addtid_b32"))
ROW_HEAD_(ds_read_addtid_b32, LDS_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0)
    .exec = exec_ds_load_addtid,
   MEMOP_(LOAD, 4, DWORDS), .args = {{SL_VDST, T_B32, A_WR}},
   ROW_TAIL_(ds_read_addtid_b32)

       ROW_ENC_(ds_write_addtid_b32, OP(GFX9, DS, 0x1d), OP(GFX10, DS, 0xb0),
                AS(GFX11, DS, 0xb0, "ds_store_addtid_b32"))
           ROW_HEAD_(ds_write_addtid_b32, LDS_STORE, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0)
               .exec = exec_ds_store_addtid,
   MEMOP_(STORE, 4, DWORDS), .args = {{SL_DATA0, T_B32, A_RD}},
   ROW_TAIL_(ds_write_addtid_b32)

    /* --- loads and stores
       --------------------------------------------------------------------------------------------- */

    static bool ds_addresses(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, uint32_t offset,
                             struct lane_addr *at)
{
    const uint32_t *v = mem_rows(w, &i->op[kaddr]);
    const unsigned n = w->lanes & 96;

    if (!v)
        return false;
    for (unsigned l = 0; l < n; l++)
        at->a[l] = (uint32_t)(v[l] + offset);
    return true;
}

/* Element k of a two-address form. */
static uint32_t element_offset(const struct isa_inst *i, unsigned k)
{
    return ((uint32_t)i->offset >> (8 * k) & 0xff) * i->row->mem.bytes * (i->row->mem.stride64 ? 64 : 1);
}

static bool ds_two_addresses(struct isa_wave *w, const struct isa_inst *i, unsigned kaddr, struct isa_effects *fx,
                             struct lane_addr at[2])
{
    if (!ds_addresses(w, i, kaddr, element_offset(i, 0), &at[0]) ||
        !ds_addresses(w, i, kaddr, element_offset(i, 1), &at[1]))
        return false;
    fx_lds(w, fx, i, &at[0], w->exec);
    if (fx)
        for (unsigned l = 0; l < w->lanes; l++)
            fx->lds_addr2[l] = (uint32_t)at[1].a[l];
    return true;
}

/* What a load or store in one pass would move; false: it is not of that kind. k: the address operand. */
static inline __attribute__((always_inline)) bool pass_of(struct isa_wave *w, const struct isa_inst *i,
                                                          const struct isa_effects *fx, unsigned k, struct lds_pass *p)
{
    const struct isa_memop *m = &i->row->mem;

    if (fx || m->convert != CONV_DWORDS || !(p->addr = mem_rows(w, &i->op[k])))
        return false;
    p->elems = m->elems;
    p->dwords = m->bytes / 4;
    p->offset[0] = m->elems == 2 ? element_offset(i, 0) : (uint32_t)i->offset;
    p->offset[1] = m->elems == 2 ? element_offset(i, 1) : 0;
    return true;
}

static bool load_pass(struct isa_wave *w, const struct isa_inst *i, const struct isa_effects *fx, uint32_t *d)
{
    struct lds_pass p;

    return d && !isa_lds_leaves_reads(w) && pass_of(w, i, fx, 1, &p) && isa_lds_load_pass(w, isa_lds_limit(w), &p, d);
}

static bool store_pass(struct isa_wave *w, const struct isa_inst *i, const struct isa_effects *fx, const uint32_t *s0,
                       const uint32_t *s1)
{
    const uint32_t *const s[2] = {s0, s1};
    struct lds_pass p;

    return s0 && s1 && !w->lds_marks && pass_of(w, i, fx, 0, &p) && isa_lds_store_pass(w, isa_lds_limit(w), &p, s);
}

static __attribute__((noinline)) int load_by_lanes(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx,
                                                   uint32_t *d)
{
    struct lane_addr at;

    if (!d || !ds_addresses(w, i, 1, (uint32_t)i->offset, &at))
        return ISA_FAULT;
    fx_lds(w, fx, i, &at, w->exec);
    return isa_lds_load(w, isa_lds_limit(w), &i->row->mem, &at, w->exec, d);
}

static int exec_ds_load(WPARAMS_)
{
    uint32_t *d = mem_rows(w, &i->op[0]);

    return load_pass(w, i, fx, d) ? ISA_OK : load_by_lanes(w, i, fx, d);
}

static __attribute__((noinline)) int store_by_lanes(struct isa_wave *w, const struct isa_inst *i,
                                                    struct isa_effects *fx, const uint32_t *s)
{
    struct lane_addr at;

    if (!s || !ds_addresses(w, i, 0, (uint32_t)i->offset, &at))
        return ISA_FAULT;
    fx_lds(w, fx, i, &at, w->exec);
    return isa_lds_store(w, isa_lds_limit(w), &i->row->mem, &at, w->exec, s);
}

/* Copies of the wave to the bytes of a store land before it. */
static __attribute__((noinline)) int copies_first(struct isa_wave *w, const struct isa_inst *i,
                                                  const struct isa_env *env)
{
    const unsigned elems = i->row->mem.elems;
    uint32_t lo = UINT32_MAX, hi = 0;
    struct lane_addr at;

    for (unsigned k = 0; k < elems; k++) {
        if (!ds_addresses(w, i, 0, elems == 2 ? element_offset(i, k) : (uint32_t)i->offset, &at))
            return ISA_OK; /* the store is informed of it */
        for (uint64_t left = w->exec; left; left &= left - 1) {
            uint32_t a = (uint32_t)at.a[__builtin_ctzll(left)];
            lo = a < lo ? a : lo;
            hi = a > hi ? a : hi;
        }
    }
    return w->exec ? isa_lds_copies_under(w, env, lo, hi + i->row->mem.bytes) : ISA_OK;
}

static int exec_ds_store(WPARAMS_)
{
    const uint32_t *s = mem_rows(w, &i->op[1]);

    if (__builtin_expect(w->special & SPECIAL_COPIES, 0) && copies_first(w, i, env))
        return ISA_FAULT;
    return store_pass(w, i, fx, s, s) ? ISA_OK : store_by_lanes(w, i, fx, s);
}

static __attribute__((noinline)) int load2_by_lanes(struct isa_wave *w, const struct isa_inst *i,
                                                    struct isa_effects *fx, uint32_t *d)
{
    struct lane_addr at[2];
    const struct isa_memop *m = &i->row->mem;

    if (!d || !ds_two_addresses(w, i, 1, fx, at) || isa_lds_load(w, isa_lds_limit(w), m, &at[0], w->exec, d))
        return ISA_FAULT;
    return isa_lds_load(w, isa_lds_limit(w), m, &at[1], w->exec, d + (size_t)(m->bytes / 4) * w->lanes);
}

static int exec_ds_load2(WPARAMS_)
{
    uint32_t *d = mem_rows(w, &i->op[0]);

    return load_pass(w, i, fx, d) ? ISA_OK : load2_by_lanes(w, i, fx, d);
}

static __attribute__((noinline)) int store2_by_lanes(struct isa_wave *w, const struct isa_inst *i,
                                                     struct isa_effects *fx, const uint32_t *s0, const uint32_t *s1)
{
    struct lane_addr at[2];

    if (!s0 || !s1 || !ds_two_addresses(w, i, 0, fx, at) ||
        isa_lds_store(w, isa_lds_limit(w), &i->row->mem, &at[0], w->exec, s0))
        return ISA_FAULT;
    return isa_lds_store(w, isa_lds_limit(w), &i->row->mem, &at[1], w->exec, s1);
}

static int exec_ds_store2(WPARAMS_)
{
    const uint32_t *s0 = mem_rows(w, &i->op[1]), *s1 = mem_rows(w, &i->op[2]);

    if (__builtin_expect(w->special & SPECIAL_COPIES, 0) && copies_first(w, i, env))
        return ISA_FAULT;
    return store_pass(w, i, fx, s0, s1) ? ISA_OK : store2_by_lanes(w, i, fx, s0, s1);
}

static int exec_ds_xchg2(WPARAMS_)
{
    struct lane_addr at[2];
    const struct isa_memop *m = &i->row->mem;
    size_t words = (size_t)(m->bytes / 4) * w->lanes;
    const uint32_t *s0 = mem_rows(w, &i->op[2]), *s1 = mem_rows(w, &i->op[3]);
    uint32_t *d = mem_rows(w, &i->op[0]), data[2][128];

    if (!d || !s0 || !s1 || !ds_two_addresses(w, i, 1, fx, at))
        return ISA_FAULT;
    if (fx)
        fx->returns = true;
    if (w->lds_marks)
        w->lds_marks->off = true;
    /* both are read before either is written, and the old values may land on the data's registers */
    memcpy(data[0], s0, words * 4);
    memcpy(data[1], s1, words * 4);
    if (isa_lds_load(w, isa_lds_limit(w), m, &at[0], w->exec, d) ||
        isa_lds_load(w, isa_lds_limit(w), m, &at[1], w->exec, d + words) ||
        isa_lds_store(w, isa_lds_limit(w), m, &at[0], w->exec, data[0]))
        return ISA_FAULT;
    return isa_lds_store(w, isa_lds_limit(w), m, &at[1], w->exec, data[1]);
}

/* M0[15:0] + offset, a dword per lane. */
static void addtid_addresses(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, struct lane_addr *at)
{
    uint32_t base = (w->s[w->target->code_m0] & 0xffff) + (uint32_t)i->offset;

    for (unsigned l = 0; l < w->lanes; l++)
        at->a[l] = base + 4 * l;
    fx_lds(w, fx, i, at, w->exec);
}

static int exec_ds_load_addtid(WPARAMS_)
{
    struct lane_addr at;
    uint32_t *d = mem_rows(w, &i->op[0]);

    if (!d)
        return ISA_FAULT;
    addtid_addresses(w, i, fx, &at);
    return isa_lds_load(w, isa_lds_limit(w), &i->row->mem, &at, w->exec, d);
}

static int exec_ds_store_addtid(WPARAMS_)
{
    struct lane_addr at;
    const uint32_t *s = mem_rows(w, &i->op[0]);

    if (!s)
        return ISA_FAULT;
    addtid_addresses(w, i, fx, &at);
    return isa_lds_store(w, isa_lds_limit(w), &i->row->mem, &at, w->exec, s);
}

/* --- atomics ------------------------------------------------------------------------------------------------------ */

int exec_ds_atomic(WPARAMS_)
{
    struct lane_addr at;
    struct atomic_rows rows = {0};
    unsigned k = i->op[0].flags & A_WR ? 1 : 0; /* the forms that return have a destination */
    const uint32_t *data0 = mem_rows(w, &i->op[k + 1]), *data1 = NULL;

    if (!data0 || !ds_addresses(w, i, k, (uint32_t)i->offset, &at))
        return ISA_FAULT;
    if (i->row->mem.cmp != CMP_NONE && !(data1 = mem_rows(w, &i->op[k + 2])))
        return ISA_FAULT;
    if (k && !(rows.old = mem_rows(w, &i->op[0])))
        return ISA_FAULT;
    rows.data = i->row->mem.cmp == CMP_IN_DATA0 ? data1 : data0;
    rows.cmp = i->row->mem.cmp == CMP_IN_DATA0 ? data0 : data1;
    fx_lds(w, fx, i, &at, w->exec);
    if (fx)
        fx->returns = k;
    return isa_lds_atomic(w, isa_lds_limit(w), i->row, &at, w->exec, rows);
}

/* Both operands in LDS: A is the address, B is as many dwords after it as the offset field says (15 bits, signed), or
 * with the field's top bit the address's own bits 31:17, A then being what is below them. Lane after lane. */
int exec_ds_src2(WPARAMS_)
{
    struct lane_addr a, b;
    const uint32_t *v = mem_rows(w, &i->op[0]);
    uint32_t data[128], limit = isa_lds_limit(w);
    struct atomic_rows rows = {.data = data};
    struct isa_memop m = i->row->mem;

    if (!v)
        return ISA_FAULT;
    m.convert = CONV_DWORDS;
    for (unsigned l = 0; l < w->lanes; l++) {
        bool packed = i->offset & 0x8000;
        int32_t dwords = packed ? (int32_t)v[l] >> 17 : (int32_t)((uint32_t)i->offset << 17) >> 17;
        a.a[l] = packed ? v[l] & 0x1ffff : v[l];
        b.a[l] = (uint32_t)a.a[l] + 4 * (uint32_t)dwords;
    }
    fx_lds(w, fx, i, &a, w->exec);
    for (uint64_t left = w->exec; left; left &= left - 1) {
        uint64_t lane = left & -left;
        if (isa_lds_load(w, limit, &m, &b, lane, data) || isa_lds_atomic(w, limit, i->row, &a, lane, rows))
            return ISA_FAULT;
    }
    return ISA_OK;
}

/* One value for the wave: LDS[M0 + offset] goes up or down by the number of active lanes, each gets the old value.
 * LLVM puts the address in M0 on every target. */
static int append_by(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, int sign)
{
    uint32_t addr = (w->s[w->target->code_m0] & 0xffff) + (uint32_t)i->offset, old = 0;
    uint32_t *d = mem_rows(w, &i->op[0]);

    if (!d)
        return ISA_FAULT;
    if (addr & 3)
        return isa_fault(w, FAULT_ALIGN, -1, addr, 4, true, "%s at LDS byte 0x%x, not a multiple of 4", i->mnemonic,
                         addr);
    if (fx) {
        fx_common(fx, i, FX_LDS);
        fx->returns = true;
        fx->lds_mask = w->exec & -w->exec;
        fx->lds_addr[w->exec ? __builtin_ctzll(w->exec) : 0] = addr;
    }
    if (w->lds_marks)
        w->lds_marks->off = true;
    /* M0 being the address, it is no limit here */
    if ((uint64_t)addr + 4 <= w->lds_bytes) {
        old = load_u32(w->lds + addr);
        uint32_t fresh = old + (uint32_t)(sign * __builtin_popcountll(w->exec));
        memcpy(w->lds + addr, &fresh, 4);
    }
    EACH_LANE(w->lanes, w->exec, d[l] = old);
    return ISA_OK;
}

static int exec_ds_append(WPARAMS_)
{
    return append_by(w, i, fx, 1);
}

static int exec_ds_consume(WPARAMS_)
{
    return append_by(w, i, fx, -1);
}

#define DS_APPEND_(NAME, ...)                                                                                          \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, LDS_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0).exec = exec_##NAME, MEMOP_(ATOMIC, 4, DWORDS),     \
                                                          .args = {{SL_VDST, T_B32, A_WR}}, ROW_TAIL_(NAME)
DS_APPEND_(ds_append, OP(GFX8, DS, 0xbe), OP(GFX10, DS, 0x3e))
DS_APPEND_(ds_consume, OP(GFX8, DS, 0xbd), OP(GFX10, DS, 0x3d))

/* --- the crossbar: no LDS bytes are touched ---------------------------------------------------------------------- */

static void fx_crossbar(const struct isa_wave *w, struct isa_effects *fx, const struct isa_inst *i)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_LDS);
    fx->bytes = 4;
    fx->elems = 1;
    fx->lds_mask = w->exec;
    for (unsigned l = 0; l < w->lanes; l++)
        fx->lds_addr[l] = 4 * l; /* a bank of its own for each lane */
}

static unsigned reverse5(unsigned v)
{
    return (v & 1) << 4 | (v & 2) << 2 | (v & 4) | (v & 8) >> 2 | (v & 16) >> 4;
}

/* The lanes that the 32 lanes of a half of ds_swizzle read, in that half. gfx8 knows the quad and the bit-mask patterns
 * only. */
static void swizzle_sources(const struct isa_wave *w, unsigned pattern, uint8_t from[32])
{
    bool gfx8 = w->target->layout == LAYOUT_GFX8;
    unsigned mask = pattern & 31;

    if (!gfx8 && pattern >= 0xe000) { /* FFT */
        for (unsigned l = 0; l < 32; l++)
            from[l] = (uint8_t)((reverse5(l) >> __builtin_popcount(mask)) | (l & mask));
    } else if (!gfx8 && pattern >= 0xc000) { /* rotate */
        unsigned by = pattern >> 5 & 31;

        for (unsigned l = 0; l < 32; l++)
            from[l] = (uint8_t)((l & mask) | ((pattern & 0x400 ? l - by : l + by) & ~mask & 31));
    } else if (pattern & 0x8000) {
        for (unsigned l = 0; l < 32; l++)
            from[l] = (uint8_t)((l & ~3u) | (pattern >> (2 * (l & 3)) & 3));
    } else {
        for (unsigned l = 0; l < 32; l++)
            from[l] = (uint8_t)((((l & pattern) | pattern >> 5) ^ pattern >> 10) & 31);
    }
}

W(ds_swizzle_b32, LDS_PERMUTE, RF_SWIZZLE, IMP_R_EXEC, ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD}),
  ENC(OP(GFX8, DS, 0x3d), OP(GFX10, DS, 0x35)))
{
    uint32_t *d = mem_rows(w, &i->op[0]), out[64];
    const uint32_t *s = mem_rows(w, &i->op[1]), *mask = w->mask;
    unsigned n = w->lanes;
    uint8_t from[32];

    if (!d || !s)
        return ISA_FAULT;
    fx_crossbar(w, fx, i);
    swizzle_sources(w, (unsigned)i->offset & 0xffff, from);
    for (unsigned l = 0; l < n; l++) {
        unsigned at = (l & 32) | from[l & 31];
        out[l] = s[at] & mask[at];
    }
    for (unsigned l = 0; l < n; l++)
        d[l] = (out[l] & mask[l]) | (d[l] & ~mask[l]);
    return ISA_OK;
}

/* Lanes within which permutes stay. */
static unsigned permute_lanes(const struct isa_wave *w)
{
    return isa_has(w->target, FEAT_BPERMUTE_32) ? 32 : w->lanes;
}

/* Pushes: lane l's data goes to the lane its address names; of several the highest wins; unnamed lanes get zero. */
W(ds_permute_b32, LDS_PERMUTE, RF_NO_GDS, IMP_R_EXEC,
  ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD}, {SL_DATA0, T_B32, A_RD}),
  ENC(OP(GFX8, DS, 0x3e), OP(GFX10, DS, 0xb2)))
{
    uint32_t *d = mem_rows(w, &i->op[0]), out[64] = {0};
    const uint32_t *a = mem_rows(w, &i->op[1]), *s = mem_rows(w, &i->op[2]);
    unsigned group = permute_lanes(w);

    if (!d || !a || !s)
        return ISA_FAULT;
    fx_crossbar(w, fx, i);
    EACH_LANE(w->lanes, w->exec, out[(l & ~(group - 1)) | ((a[l] + (uint32_t)i->offset) >> 2 & (group - 1))] = s[l]);
    EACH_LANE(w->lanes, w->exec, d[l] = out[l]);
    return ISA_OK;
}

/* Pulls: lane l takes the data of the lane its address names, zero if lanes[] has 0 for that one and not ~0. */
static int pull(struct isa_wave *w, const struct isa_inst *i, struct isa_effects *fx, const uint32_t *lanes)
{
    uint32_t *d = mem_rows(w, &i->op[0]), out[64];
    const uint32_t *a = mem_rows(w, &i->op[1]), *s = mem_rows(w, &i->op[2]);
    unsigned group = permute_lanes(w);

    if (!d || !a || !s)
        return ISA_FAULT;
    fx_crossbar(w, fx, i);
    for (unsigned l = 0; l < w->lanes; l++) {
        unsigned from = (l & ~(group - 1)) | ((a[l] + (uint32_t)i->offset) >> 2 & (group - 1));
        out[l] = s[from] & lanes[from];
    }
    EACH_LANE(w->lanes, w->exec, d[l] = out[l]);
    return ISA_OK;
}

#define PULL_ARGS ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD}, {SL_DATA0, T_B32, A_RD})
W(ds_bpermute_b32, LDS_PERMUTE, RF_NO_GDS, IMP_R_EXEC, PULL_ARGS, ENC(OP(GFX8, DS, 0x3f), OP(GFX10, DS, 0xb3)))
{
    return pull(w, i, fx, w->mask);
}

/* Lanes that are off give their data, too. */
W(ds_bpermute_fi_b32, LDS_PERMUTE, RF_NO_GDS, IMP_R_EXEC, PULL_ARGS, ENC(OP(GFX12, DS, 0xcd)))
{
    uint32_t all[64];

    memset(all, 0xff, sizeof all);
    return pull(w, i, fx, all);
}

W(ds_nop, INTERNAL, RF_NO_EXEC | RF_NO_GDS, 0, ARGS({0}), ENC(OP(GFX8, DS, 0x14)))
{
    return ISA_OK;
}

/* --- known, not executed ------------------------------------------------------------------------------------------ */

NOT_EXECUTED(ds_bvh_stack_rtn_b32, LDS_ATOMIC, RF_NO_GDS, IMP_R_EXEC,
             ARGS({SL_VDST, T_B32, A_WR}, {SL_ADDR, T_B32, A_RD | A_WR}, {SL_DATA0, T_B32, A_RD},
                  {SL_DATA1, T_B128, A_RD}),
             ENC(OP(GFX11, DS, 0xad), GONE(GFX12, DS)))

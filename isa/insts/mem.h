/* Shapes of vector memory and LDS instructions: one meaning is one line of a table here, or one body in mem_atomic.c,
 * made into the rows of every space it exists in.
 *
 * VMEM_LOADS and VMEM_STORES list what FLAT, GLOBAL, SCRATCH and buffer instructions have in common: the name before
 * gfx11 and from gfx11 on, the register type, bytes in memory, conversion, the first node that has it for FLAT and
 * buffers (GLOBAL and SCRATCH start with GFX9), and the opcode on gfx8-9, gfx10 and gfx11-12.
 */
#ifndef GCNSIM_ISA_INSTS_MEM_H
#define GCNSIM_ISA_INSTS_MEM_H

#include "isa/lanes/access.h"
#include "isa/table/shapes.h"

#define VMEM_LOADS(X)                                                                                                  \
    X(load_ubyte, load_u8, B32, 1, U8, GFX8, 0x10, 0x08, 0x10)                                                         \
    X(load_sbyte, load_i8, B32, 1, I8, GFX8, 0x11, 0x09, 0x11)                                                         \
    X(load_ushort, load_u16, B32, 2, U16, GFX8, 0x12, 0x0a, 0x12)                                                      \
    X(load_sshort, load_i16, B32, 2, I16, GFX8, 0x13, 0x0b, 0x13)                                                      \
    X(load_dword, load_b32, B32, 4, DWORDS, GFX8, 0x14, 0x0c, 0x14)                                                    \
    X(load_dwordx2, load_b64, B64, 8, DWORDS, GFX8, 0x15, 0x0d, 0x15)                                                  \
    X(load_dwordx3, load_b96, B96, 12, DWORDS, GFX8, 0x16, 0x0f, 0x16)                                                 \
    X(load_dwordx4, load_b128, B128, 16, DWORDS, GFX8, 0x17, 0x0e, 0x17)

#define VMEM_LOADS_D16(X)                                                                                              \
    X(load_ubyte_d16, load_d16_u8, B32, 1, D16_U8, GFX9, 0x20, 0x20, 0x1e)                                             \
    X(load_ubyte_d16_hi, load_d16_hi_u8, B32, 1, D16_HI_U8, GFX9, 0x21, 0x21, 0x21)                                    \
    X(load_sbyte_d16, load_d16_i8, B32, 1, D16_I8, GFX9, 0x22, 0x22, 0x1f)                                             \
    X(load_sbyte_d16_hi, load_d16_hi_i8, B32, 1, D16_HI_I8, GFX9, 0x23, 0x23, 0x22)                                    \
    X(load_short_d16, load_d16_b16, B32, 2, D16_B16, GFX9, 0x24, 0x24, 0x20)                                           \
    X(load_short_d16_hi, load_d16_hi_b16, B32, 2, D16_HI_B16, GFX9, 0x25, 0x25, 0x23)

#define VMEM_STORES(X)                                                                                                 \
    X(store_byte, store_b8, B32, 1, U8, GFX8, 0x18, 0x18, 0x18)                                                        \
    X(store_byte_d16_hi, store_d16_hi_b8, B32, 1, D16_HI_U8, GFX9, 0x19, 0x19, 0x24)                                   \
    X(store_short, store_b16, B32, 2, U16, GFX8, 0x1a, 0x1a, 0x19)                                                     \
    X(store_short_d16_hi, store_d16_hi_b16, B32, 2, D16_HI_B16, GFX9, 0x1b, 0x1b, 0x25)                                \
    X(store_dword, store_b32, B32, 4, DWORDS, GFX8, 0x1c, 0x1c, 0x1a)                                                  \
    X(store_dwordx2, store_b64, B64, 8, DWORDS, GFX8, 0x1d, 0x1d, 0x1b)                                                \
    X(store_dwordx3, store_b96, B96, 12, DWORDS, GFX8, 0x1e, 0x1f, 0x1c)                                               \
    X(store_dwordx4, store_b128, B128, 16, DWORDS, GFX8, 0x1f, 0x1e, 0x1d)

/* Encodings that follow the common opcode numbers. */
#define ENC_FLAT(OLD, NEW, NODE, O8, O10, O11)                                                                         \
    OP(NODE, FLAT, O8), OP(GFX10, FLAT, O10), AS(GFX11, FLAT, O11, "flat_" #NEW)
#define ENC_GLOBAL(OLD, NEW, O8, O10, O11)                                                                             \
    OP(GFX9, GLOBAL, O8), OP(GFX10, GLOBAL, O10), AS(GFX11, GLOBAL, O11, "global_" #NEW)
#define ENC_SCRATCH(OLD, NEW, O8, O10, O11)                                                                            \
    OP(GFX9, SCRATCH, O8), OP(GFX10, SCRATCH, O10), AS(GFX11, SCRATCH, O11, "scratch_" #NEW)
#define ENC_BUFFER(OLD, NEW, NODE, O8, O10, O11)                                                                       \
    OP(NODE, MUBUF, O8), OP(GFX10, MUBUF, O10), AS(GFX11, MUBUF, O11, "buffer_" #NEW),                                 \
        AS(GFX12, VBUFFER, O11, "buffer_" #NEW)

#define MEMOP_(OP_, BYTES, CONV) .mem = {.op = MEM_##OP_, .bytes = BYTES, .convert = CONV_##CONV, .elems = 1}

#define SADDR_B64_                                                                                                     \
    {                                                                                                                  \
        SL_SADDR, T_B64, A_RD | A_SGPR                                                                                 \
    }

/* Rows by space. NAME is the full row name, the variable arguments the encodings. */
#define FLAT_LOAD_ROW(NAME, D, DFLAGS, BYTES, CONV, ...)                                                               \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, FLAT_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_FLAT_SCRATCH).exec = exec_flat_load,                    \
                                                         MEMOP_(LOAD, BYTES, CONV),                                    \
                                                         .args = {{SL_VDST, T_##D, DFLAGS},                            \
                                                                  {SL_ADDR, T_B64, A_RD},                              \
                                                                  SADDR_B64_},                                         \
                                                         ROW_TAIL_(NAME)
#define FLAT_STORE_ROW(NAME, D, BYTES, CONV, ...)                                                                      \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, FLAT_STORE, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_FLAT_SCRATCH).exec = exec_flat_store,                  \
                                                          MEMOP_(STORE, BYTES, CONV),                                  \
                                                          .args = {{SL_ADDR, T_B64, A_RD},                             \
                                                                   {SL_DATA0, T_##D, A_RD},                            \
                                                                   SADDR_B64_},                                        \
                                                          ROW_TAIL_(NAME)

#define GLOBAL_LOAD_ROW(NAME, D, DFLAGS, BYTES, CONV, ...)                                                             \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_global_load, MEMOP_(LOAD, BYTES, CONV),            \
                                            .args = {{SL_VDST, T_##D, DFLAGS}, {SL_ADDR, T_B64, A_RD}, SADDR_B64_},    \
                                            ROW_TAIL_(NAME)
#define GLOBAL_STORE_ROW(NAME, D, BYTES, CONV, ...)                                                                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_STORE, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_global_store, MEMOP_(STORE, BYTES, CONV),         \
                                             .args = {{SL_ADDR, T_B64, A_RD}, {SL_DATA0, T_##D, A_RD}, SADDR_B64_},    \
                                             ROW_TAIL_(NAME)

#define SCRATCH_LOAD_ROW(NAME, D, DFLAGS, BYTES, CONV, ...)                                                            \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_FLAT_SCRATCH).exec = exec_scratch_load,                 \
                                                         MEMOP_(LOAD, BYTES, CONV),                                    \
                                                         .args = {{SL_VDST, T_##D, DFLAGS},                            \
                                                                  {SL_ADDR, T_B32, A_RD},                              \
                                                                  {SL_SADDR, T_B32, A_RD | A_SGPR}},                   \
                                                         ROW_TAIL_(NAME)
#define SCRATCH_STORE_ROW(NAME, D, BYTES, CONV, ...)                                                                   \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_STORE, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_FLAT_SCRATCH).exec = exec_scratch_store,               \
                                                          MEMOP_(STORE, BYTES, CONV),                                  \
                                                          .args = {{SL_ADDR, T_B32, A_RD},                             \
                                                                   {SL_DATA0, T_##D, A_RD},                            \
                                                                   {SL_SADDR, T_B32, A_RD | A_SGPR}},                  \
                                                          ROW_TAIL_(NAME)

/* vdata, vaddr or off, descriptor, soffset */
#define BUFFER_ARGS_(DATA)                                                                                             \
    DATA, {SL_ADDR, T_B32, A_RD}, {SL_SRSRC, T_B128, A_RD | A_SGPR},                                                   \
    {                                                                                                                  \
        SL_SOFFSET, T_B32, A_RD                                                                                        \
    }
#define BUFFER_LOAD_ROW(NAME, D, DFLAGS, BYTES, CONV, ...)                                                             \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_LOAD, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_buffer_load, MEMOP_(LOAD, BYTES, CONV),            \
                                            .args = {BUFFER_ARGS_({SL_VDST COMMA_ T_##D COMMA_ DFLAGS})},              \
                                            ROW_TAIL_(NAME)
#define BUFFER_STORE_ROW(NAME, D, BYTES, CONV, ...)                                                                    \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_STORE, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_buffer_store, MEMOP_(STORE, BYTES, CONV),         \
                                             .args = {BUFFER_ARGS_({SL_DATA0 COMMA_ T_##D COMMA_ A_RD})},              \
                                             ROW_TAIL_(NAME)
#define COMMA_ ,

/* Atomics of vector memory. DATA: type of the data registers (twice the value's for cmpswap), D of the value. */
#define ATOMIC_MEMOP_(BYTES, CMP) .mem = {.op = MEM_ATOMIC, .bytes = BYTES, .elems = 1, .cmp = CMP}
#define FLAT_ATOMIC_ROW(NAME, D, DATA, BYTES, CMP, BODY, ...)                                                          \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, FLAT_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_FLAT_SCRATCH).exec = exec_flat_atomic,                \
                                                           .atomic = BODY, ATOMIC_MEMOP_(BYTES, CMP),                  \
                                                           .args = {{SL_VDST, T_##D, A_WR | A_IF_RET},                 \
                                                                    {SL_ADDR, T_B64, A_RD},                            \
                                                                    {SL_DATA0, T_##DATA, A_RD},                        \
                                                                    SADDR_B64_},                                       \
                                                           ROW_TAIL_(NAME)
#define GLOBAL_ATOMIC_ROW(NAME, D, DATA, BYTES, CMP, BODY, ...)                                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_global_atomic, .atomic = BODY,                   \
                                              ATOMIC_MEMOP_(BYTES, CMP),                                               \
                                              .args = {{SL_VDST, T_##D, A_WR | A_IF_RET},                              \
                                                       {SL_ADDR, T_B64, A_RD},                                         \
                                                       {SL_DATA0, T_##DATA, A_RD},                                     \
                                                       SADDR_B64_},                                                    \
                                              ROW_TAIL_(NAME)
/* the old value comes back in the data registers */
#define BUFFER_ATOMIC_ROW(NAME, D, DATA, BYTES, CMP, BODY, ...)                                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, VMEM_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC).exec = exec_buffer_atomic, .atomic = BODY,                   \
                                              ATOMIC_MEMOP_(BYTES, CMP),                                               \
                                              .args = {BUFFER_ARGS_({SL_DATA0 COMMA_ T_##DATA COMMA_ A_RD}),           \
                                                       {SL_VDST, T_##D, A_WR | A_IF_RET | A_HIDDEN}},                  \
                                              ROW_TAIL_(NAME)

/* Cache control of vector memory: nothing happens to bytes. */
#define CACHE_CONTROL_ROW(NAME, FLAGS, CONTROL, ...)                                                                   \
    static int NAME##_exec(WPARAMS_)                                                                                   \
    {                                                                                                                  \
        return ISA_OK;                                                                                                 \
    }                                                                                                                  \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CACHE_CTRL, ROW_WIDE, FLAGS, 0).exec = NAME##_exec, .cache_control = (CONTROL), .args = {{0}},     \
                                                 ROW_TAIL_(NAME)

/* Executors that rows of another file use too; one set per host variant. */
#define exec_flat_atomic          LANES_FN(isa_exec_flat_atomic)
#define exec_global_atomic        LANES_FN(isa_exec_global_atomic)
#define exec_buffer_atomic        LANES_FN(isa_exec_buffer_atomic)
#define exec_ds_atomic            LANES_FN(isa_exec_ds_atomic)
#define exec_ds_src2              LANES_FN(isa_exec_ds_src2)
#define exec_scalar_atomic        LANES_FN(isa_exec_scalar_atomic)
#define exec_scalar_buffer_atomic LANES_FN(isa_exec_scalar_buffer_atomic)
#define exec_format_load          LANES_FN(isa_exec_format_load)
#define exec_format_store         LANES_FN(isa_exec_format_store)
#define mem_arrive_once           LANES_FN(isa_mem_arrive_once)
isa_exec exec_flat_atomic, exec_global_atomic, exec_buffer_atomic, exec_ds_atomic, exec_ds_src2, exec_format_load,
    exec_format_store, exec_scalar_atomic, exec_scalar_buffer_atomic;
/* One arrival at the barrier that lies at this byte of LDS. (gfx1250_lds.c) */
int mem_arrive_once(struct isa_wave *w, uint32_t at);

/* --- helpers of the executors ------------------------------------------------------------------------------------ */

/* Rows of `dwords` registers from a vector register operand on. Null, with a fault recorded, when they are not all
 * allocated. */
static inline uint32_t *mem_rows_of(struct isa_wave *w, const struct isa_opnd *o, unsigned dwords)
{
    unsigned r = o->code - CODE_VGPR;
    bool acc = o->flags & A_ACC;

    if (__builtin_expect(r + dwords > (acc ? w->nagprs : w->nvgprs), 0)) {
        isa_fault(w, FAULT_REGISTER, -1, 0, 0, false, "%c%u is past the wave's %u allocated registers", acc ? 'a' : 'v',
                  r + dwords - 1, acc ? w->nagprs : w->nvgprs);
        return NULL;
    }
    return (acc ? w->acc : w->v) + (size_t)r * w->lanes;
}

static inline uint32_t *mem_rows(struct isa_wave *w, const struct isa_opnd *o)
{
    return mem_rows_of(w, o, isa_types[o->type].dwords);
}

/* The rows a load writes: with tfe one more, for a status that reports pages not there. Pages are always there. */
static inline uint32_t *mem_load_rows(struct isa_wave *w, const struct isa_inst *i, const struct isa_opnd *o)
{
    return mem_rows_of(w, o, isa_types[o->type].dwords + i->u.mem.tfe);
}

static inline void mem_clear_tfe(const struct isa_wave *w, const struct isa_inst *i, const struct isa_opnd *o,
                                 uint32_t *rows)
{
    uint32_t *status = rows + (size_t)isa_types[o->type].dwords * w->lanes;

    if (__builtin_expect(i->u.mem.tfe, 0))
        EACH_LANE(w->lanes, w->exec, status[l] = 0);
}

/* Rows of an atomic: data operand, and the destination if it is there. False: fault recorded. */
static inline bool mem_atomic_rows(struct isa_wave *w, const struct isa_inst *i, const struct isa_opnd *data,
                                   const struct isa_opnd *dst, struct atomic_rows *rows)
{
    uint32_t *d = mem_rows(w, data);

    if (!d)
        return false;
    rows->data = d;
    rows->cmp = i->row->mem.cmp == CMP_AFTER_DATA ? d + (size_t)(i->row->mem.bytes / 4) * w->lanes : NULL;
    rows->old = NULL;
    if (dst->type != T_NONE) {
        rows->old = mem_rows(w, dst);
        if (!rows->old)
            return false;
    }
    return true;
}

static inline void fx_common(struct isa_effects *fx, const struct isa_inst *i, enum isa_fx_kind kind)
{
    const struct isa_memop *m = &i->row->mem;

    fx->kind = (uint8_t)kind;
    fx->op = m->op;
    fx->bytes = m->bytes;
    fx->elems = m->elems;
    fx->returns = false;
    fx->dword_step = 0;
    fx->block = 0;
    fx->parts = false;
    fx->hint = i->u.mem.hint;
}

static inline void fx_vector(const struct isa_wave *w, struct isa_effects *fx, const struct isa_inst *i,
                             const struct lane_addr *at, uint64_t mask)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_VECTOR);
    fx->mask = mask;
    for (unsigned l = 0; l < w->lanes; l++)
        fx->addr[l] = at->a[l];
}

static inline void fx_lds(const struct isa_wave *w, struct isa_effects *fx, const struct isa_inst *i,
                          const struct lane_addr *at, uint64_t mask)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_LDS);
    fx->lds_mask = mask;
    for (unsigned l = 0; l < w->lanes; l++)
        fx->lds_addr[l] = (uint32_t)at->a[l];
}

/* Between memory and LDS: where the dwords of lanes are in LDS, besides what fx says of memory. */
static inline void fx_lds_dma(const struct isa_wave *w, struct isa_effects *fx, const struct lane_addr *lds,
                              uint64_t lanes)
{
    if (!fx)
        return;
    fx->lds_mask = lanes;
    for (unsigned l = 0; l < w->lanes; l++)
        fx->lds_addr[l] = (uint32_t)lds->a[l];
}

/* A transfer that the engine's tensor unit moves. */
static inline void fx_whole_tensor(struct isa_effects *fx, const struct isa_inst *i, const struct isa_tensor *t)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_TENSOR);
    fx->mask = fx->lds_mask = 0;
    fx->tensor = *t;
}

/* The first part of a transfer of the tensor unit; isa_next_part() makes the others of it. */
static inline void fx_tensor(struct isa_effects *fx, const struct isa_inst *i, const struct isa_tensor *t)
{
    if (!fx)
        return;
    fx_common(fx, i, FX_VECTOR);
    fx->mask = fx->lds_mask = 0;
    fx->parts = true;
    fx->tensor = *t;
    isa_next_part(fx);
}

/* Bytes of LDS that a lane of a load to LDS writes: a dword at least. */
static inline unsigned mem_dma_bytes(const struct isa_inst *i)
{
    return i->row->mem.bytes < 4 ? 4 : i->row->mem.bytes;
}

#endif

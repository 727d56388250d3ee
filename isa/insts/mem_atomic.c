/* Atomics: each meaning is a pure body (old, data, cmp) -> new, followed by its rows for FLAT, GLOBAL, buffers and LDS.
 *
 * 32-bit values arrive zero-extended and only the low half of a result counts, so most bodies serve both widths.
 * Float bodies work with denormals kept and round to nearest even, whatever MODE says; where memory (not LDS) flushes
 * denormals there is a row of its own (LLVM 19 FeatureMemoryAtomicFAddF32DenormalSupport: gfx942 and gfx12 keep them).
 * Additions in LDS of f32 and f16 obey MODE's denormals, but not its rounding; those of f64 never flush (LLVM 19
 * SIISelLowering, on expanding atomics).
 */
#include "isa/insts/mem.h"
#include "isa/lanes/atomic_pass.h"
#include "isa/lanes/fp.h"

/* FLAT, GLOBAL and buffer rows of an atomic that every target has. */
#define VMEM_ATOMIC(OLD, NEW, D, DATA, BYTES, CMP, BODY, ...)                                                          \
    FLAT_ATOMIC_ROW(flat_##OLD, D, DATA, BYTES, CMP, BODY##_new, ENC_FLAT(OLD, NEW, GFX8, __VA_ARGS__))                \
    GLOBAL_ATOMIC_ROW(global_##OLD, D, DATA, BYTES, CMP, BODY##_new, ENC_GLOBAL(OLD, NEW, __VA_ARGS__))                \
    BUFFER_ATOMIC_ROW(buffer_##OLD, D, DATA, BYTES, CMP, BODY##_new, ENC_BUFFER(OLD, NEW, GFX8, __VA_ARGS__))

/* LDS: without and with return, 32 and 64 bits. */
#define DS_ATOMIC_ROW(NAME, D, BYTES, CMP, BODY, ARGLIST, ...)                                                         \
    DS_ATOMIC_ROW_(NAME, D, BYTES, CMP, 0, BODY, ARGLIST, __VA_ARGS__)
/* DENORM: bits of the floats whose denormals are flushed as MODE says */
#define DS_ATOMIC_ROW_(NAME, D, BYTES, CMP, DENORM, BODY, ARGLIST, ...)                                                \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, LDS_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_atomic, .atomic = BODY##_new,   \
                                                          .mem = {.op = MEM_ATOMIC,                                    \
                                                                  .bytes = BYTES,                                      \
                                                                  .elems = 1,                                          \
                                                                  .cmp = CMP,                                          \
                                                                  .denorm = DENORM},                                   \
                                                          .args = {ARGLIST(D)}, ROW_TAIL_(NAME)
#define DS_DATA_(D)                                                                                                    \
    {SL_ADDR, T_B32, A_RD},                                                                                            \
    {                                                                                                                  \
        SL_DATA0, T_##D, A_RD                                                                                          \
    }
#define DS_DATA2_(D)                                                                                                   \
    DS_DATA_(D),                                                                                                       \
    {                                                                                                                  \
        SL_DATA1, T_##D, A_RD                                                                                          \
    }
#define DS_DST_DATA_(D)  {SL_VDST, T_##D, A_WR}, DS_DATA_(D)
#define DS_DST_DATA2_(D) {SL_VDST, T_##D, A_WR}, DS_DATA2_(D)
#define DS_ATOMIC(NAME, S32, S64, O, B32_, B64_)                                                                       \
    DS_ATOMIC_ROW(ds_##NAME##_##S32, B32, 4, CMP_NONE, B32_, DS_DATA_, OP(GFX8, DS, O))                                \
    DS_ATOMIC_ROW(ds_##NAME##_rtn_##S32, B32, 4, CMP_NONE, B32_, DS_DST_DATA_, OP(GFX8, DS, O + 0x20))                 \
    DS_ATOMIC_ROW(ds_##NAME##_##S64, B64, 8, CMP_NONE, B64_, DS_DATA_, OP(GFX8, DS, O + 0x40))                         \
    DS_ATOMIC_ROW(ds_##NAME##_rtn_##S64, B64, 8, CMP_NONE, B64_, DS_DST_DATA_, OP(GFX8, DS, O + 0x60))
#define DS_ATOMIC2(NAME, S, D, BYTES, CMP, BODY, O, ...)                                                               \
    DS_ATOMIC_ROW(ds_##NAME##_##S, D, BYTES, CMP, BODY, DS_DATA2_, OP(GFX8, DS, O), __VA_ARGS__)                       \
    DS_ATOMIC_ROW(ds_##NAME##_rtn_##S, D, BYTES, CMP, BODY, DS_DST_DATA2_, OP(GFX8, DS, O + 0x20), __VA_ARGS__)
#define DS_CMPSTORE(S, D, BYTES, BODY, O, ...)                                                                         \
    DS_ATOMIC_ROW(ds_cmpstore_##S, D, BYTES, CMP_IN_DATA1, BODY, DS_DATA2_, OP(GFX11, DS, O), __VA_ARGS__)             \
    DS_ATOMIC_ROW(ds_cmpstore_rtn_##S, D, BYTES, CMP_IN_DATA1, BODY, DS_DST_DATA2_, OP(GFX11, DS, O + 0x20),           \
                  __VA_ARGS__)

/* Both operands in LDS; left with gfx90a and gfx10.3. */
#define DS_SRC2(NAME, BYTES, BODY, O)                                                                                  \
    ROW_ENC_(ds_##NAME, OP(GFX8, DS, O), GONE(GFX90A, DS), GONE(GFX10_3, DS))                                          \
    ROW_HEAD_(ds_##NAME, LDS_ATOMIC, ROW_WIDE, 0, IMP_R_EXEC | IMP_R_M0_LDS).exec = exec_ds_src2,                      \
                                                               .atomic = BODY##_new, ATOMIC_MEMOP_(BYTES, CMP_NONE),   \
                                                               .args = {{SL_ADDR, T_B32, A_RD}}, ROW_TAIL_(ds_##NAME)
#define DS_SRC2_BOTH(NAME, S32, S64, B32_, B64_, O)                                                                    \
    DS_SRC2(NAME##_src2_##S32, 4, B32_, O) DS_SRC2(NAME##_src2_##S64, 8, B64_, O + 0x40)

/* Scalar memory, through an address and through a descriptor. RET: type of the old value, which glc asks for. */
#define SMEM_ATOMIC_ROW(NAME, EXEC, T, RET, BASE, BYTES, CMP, BODY, O)                                                 \
    ROW_ENC_(NAME, OP(GFX9, SMEM, O), GONE(GFX10_3, SMEM))                                                             \
    ROW_HEAD_(NAME, SMEM, ROW_WIDE, 0, 0).exec = EXEC, .atomic = BODY##_new, ATOMIC_MEMOP_(BYTES, CMP),                \
                                       .args = {{SL_SDST, T_##T, A_RD | A_SGPR},                                       \
                                                {SL_SBASE, T_##BASE, A_RD | A_SGPR},                                   \
                                                {SL_SOFFSET, T_B32, A_RD | A_SGPR},                                    \
                                                {SL_SDST, T_##RET, A_WR | A_SGPR | A_HIDDEN | A_IF_RET}},              \
                                       ROW_TAIL_(NAME)
#define SMEM_ATOMICS_(NAME, T, RET, BYTES, CMP, BODY, O, OBUF)                                                         \
    SMEM_ATOMIC_ROW(s_atomic_##NAME, exec_scalar_atomic, T, RET, B64, BYTES, CMP, BODY, O)                             \
    SMEM_ATOMIC_ROW(s_buffer_atomic_##NAME, exec_scalar_buffer_atomic, T, RET, B128, BYTES, CMP, BODY, OBUF)
#define SMEM_ATOMIC(NAME, B32_, B64_, O)                                                                               \
    SMEM_ATOMICS_(NAME, B32, B32, 4, CMP_NONE, B32_, 0x80 + O, 0x40 + O)                                               \
    SMEM_ATOMICS_(NAME##_x2, B64, B64, 8, CMP_NONE, B64_, 0xa0 + O, 0x60 + O)

/* --- exchange ----------------------------------------------------------------------------------------------------- */

ATOMIC_MEANING(swap)
{
    return data;
}
VMEM_ATOMIC(atomic_swap, atomic_swap_b32, B32, B32, 4, CMP_NONE, swap, 0x40, 0x30, 0x33)
VMEM_ATOMIC(atomic_swap_x2, atomic_swap_b64, B64, B64, 8, CMP_NONE, swap, 0x60, 0x50, 0x41)
SMEM_ATOMIC(swap, swap, swap, 0)
DS_SRC2_BOTH(write, b32, b64, swap, swap, 0x8d)
DS_ATOMIC_ROW(ds_wrxchg_rtn_b32, B32, 4, CMP_NONE, swap, DS_DST_DATA_, OP(GFX8, DS, 0x2d),
              AS(GFX11, DS, 0x2d, "ds_storexchg_rtn_b32"))
DS_ATOMIC_ROW(ds_wrxchg_rtn_b64, B64, 8, CMP_NONE, swap, DS_DST_DATA_, OP(GFX8, DS, 0x6d),
              AS(GFX11, DS, 0x6d, "ds_storexchg_rtn_b64"))

ATOMIC_MEANING(cmpswap)
{
    return old == cmp ? data : old;
}
VMEM_ATOMIC(atomic_cmpswap, atomic_cmpswap_b32, B32, B64, 4, CMP_AFTER_DATA, cmpswap, 0x41, 0x31, 0x34)
VMEM_ATOMIC(atomic_cmpswap_x2, atomic_cmpswap_b64, B64, B128, 8, CMP_AFTER_DATA, cmpswap, 0x61, 0x51, 0x42)
SMEM_ATOMICS_(cmpswap, B64, B32, 4, CMP_AFTER_DATA, cmpswap, 0x81, 0x41)
SMEM_ATOMICS_(cmpswap_x2, B128, B64, 8, CMP_AFTER_DATA, cmpswap, 0xa1, 0x61)
DS_ATOMIC2(cmpst, b32, B32, 4, CMP_IN_DATA0, cmpswap, 0x10, GONE(GFX11, DS))
DS_ATOMIC2(cmpst, b64, B64, 8, CMP_IN_DATA0, cmpswap, 0x50, GONE(GFX11, DS))
DS_CMPSTORE(b32, B32, 4, cmpswap, 0x10)
DS_CMPSTORE(b64, B64, 8, cmpswap, 0x50)

/* Each 32-bit half is replaced when the data's top bit is set, by the data without that bit. */
ATOMIC_MEANING(condxchg32)
{
    uint64_t lo = data >> 31 & 1 ? data & 0x7fffffff : old & 0xffffffff;
    uint64_t hi = data >> 63 & 1 ? data >> 32 & 0x7fffffff : old >> 32;
    return lo | hi << 32;
}
DS_ATOMIC_ROW(ds_condxchg32_rtn_b64, B64, 8, CMP_NONE, condxchg32, DS_DST_DATA_, OP(GFX8, DS, 0x7e))

/* --- integer arithmetic ------------------------------------------------------------------------------------------- */

ATOMIC_MEANING(add)
{
    return old + data;
}
VMEM_ATOMIC(atomic_add, atomic_add_u32, B32, B32, 4, CMP_NONE, add, 0x42, 0x32, 0x35)
VMEM_ATOMIC(atomic_add_x2, atomic_add_u64, B64, B64, 8, CMP_NONE, add, 0x62, 0x52, 0x43)
DS_ATOMIC(add, u32, u64, 0x00, add, add)
SMEM_ATOMIC(add, add, add, 2)
DS_SRC2_BOTH(add, u32, u64, add, add, 0x80)

ATOMIC_MEANING(sub)
{
    return old - data;
}
VMEM_ATOMIC(atomic_sub, atomic_sub_u32, B32, B32, 4, CMP_NONE, sub, 0x43, 0x33, 0x36)
VMEM_ATOMIC(atomic_sub_x2, atomic_sub_u64, B64, B64, 8, CMP_NONE, sub, 0x63, 0x53, 0x44)
DS_ATOMIC(sub, u32, u64, 0x01, sub, sub)
SMEM_ATOMIC(sub, sub, sub, 3)
DS_SRC2_BOTH(sub, u32, u64, sub, sub, 0x81)

ATOMIC_MEANING(rsub)
{
    return data - old;
}
DS_ATOMIC(rsub, u32, u64, 0x02, rsub, rsub)
DS_SRC2_BOTH(rsub, u32, u64, rsub, rsub, 0x82)

ATOMIC_MEANING(inc)
{
    return old >= data ? 0 : old + 1;
}
VMEM_ATOMIC(atomic_inc, atomic_inc_u32, B32, B32, 4, CMP_NONE, inc, 0x4b, 0x3c, 0x3f)
VMEM_ATOMIC(atomic_inc_x2, atomic_inc_u64, B64, B64, 8, CMP_NONE, inc, 0x6b, 0x5c, 0x4c)
DS_ATOMIC(inc, u32, u64, 0x03, inc, inc)
SMEM_ATOMIC(inc, inc, inc, 11)
DS_SRC2_BOTH(inc, u32, u64, inc, inc, 0x83)

ATOMIC_MEANING(dec)
{
    return old == 0 || old > data ? data : old - 1;
}
VMEM_ATOMIC(atomic_dec, atomic_dec_u32, B32, B32, 4, CMP_NONE, dec, 0x4c, 0x3d, 0x40)
VMEM_ATOMIC(atomic_dec_x2, atomic_dec_u64, B64, B64, 8, CMP_NONE, dec, 0x6c, 0x5d, 0x4d)
DS_ATOMIC(dec, u32, u64, 0x04, dec, dec)
SMEM_ATOMIC(dec, dec, dec, 12)
DS_SRC2_BOTH(dec, u32, u64, dec, dec, 0x84)

ATOMIC_MEANING(smin32)
{
    return (int32_t)data < (int32_t)old ? data : old;
}
ATOMIC_MEANING(smin64)
{
    return (int64_t)data < (int64_t)old ? data : old;
}
VMEM_ATOMIC(atomic_smin, atomic_min_i32, B32, B32, 4, CMP_NONE, smin32, 0x44, 0x35, 0x38)
VMEM_ATOMIC(atomic_smin_x2, atomic_min_i64, B64, B64, 8, CMP_NONE, smin64, 0x64, 0x55, 0x45)
DS_ATOMIC(min, i32, i64, 0x05, smin32, smin64)
SMEM_ATOMIC(smin, smin32, smin64, 4)
DS_SRC2_BOTH(min, i32, i64, smin32, smin64, 0x85)

ATOMIC_MEANING(smax32)
{
    return (int32_t)data > (int32_t)old ? data : old;
}
ATOMIC_MEANING(smax64)
{
    return (int64_t)data > (int64_t)old ? data : old;
}
VMEM_ATOMIC(atomic_smax, atomic_max_i32, B32, B32, 4, CMP_NONE, smax32, 0x46, 0x37, 0x3a)
VMEM_ATOMIC(atomic_smax_x2, atomic_max_i64, B64, B64, 8, CMP_NONE, smax64, 0x66, 0x57, 0x47)
DS_ATOMIC(max, i32, i64, 0x06, smax32, smax64)
SMEM_ATOMIC(smax, smax32, smax64, 6)
DS_SRC2_BOTH(max, i32, i64, smax32, smax64, 0x86)

ATOMIC_MEANING(umin)
{
    return data < old ? data : old;
}
VMEM_ATOMIC(atomic_umin, atomic_min_u32, B32, B32, 4, CMP_NONE, umin, 0x45, 0x36, 0x39)
VMEM_ATOMIC(atomic_umin_x2, atomic_min_u64, B64, B64, 8, CMP_NONE, umin, 0x65, 0x56, 0x46)
DS_ATOMIC(min, u32, u64, 0x07, umin, umin)
SMEM_ATOMIC(umin, umin, umin, 5)
DS_SRC2_BOTH(min, u32, u64, umin, umin, 0x87)

ATOMIC_MEANING(umax)
{
    return data > old ? data : old;
}
VMEM_ATOMIC(atomic_umax, atomic_max_u32, B32, B32, 4, CMP_NONE, umax, 0x47, 0x38, 0x3b)
VMEM_ATOMIC(atomic_umax_x2, atomic_max_u64, B64, B64, 8, CMP_NONE, umax, 0x67, 0x58, 0x48)
DS_ATOMIC(max, u32, u64, 0x08, umax, umax)
SMEM_ATOMIC(umax, umax, umax, 7)
DS_SRC2_BOTH(max, u32, u64, umax, umax, 0x88)

/* tmp >= data ? tmp - data : tmp + data2 */
ATOMIC_MEANING(wrap)
{
    return old >= data ? old - data : old + cmp;
}
DS_ATOMIC_ROW(ds_wrap_rtn_b32, B32, 4, CMP_IN_DATA1, wrap, DS_DST_DATA2_, OP(GFX8, DS, 0x34), GONE(GFX12, DS))

/* Subtraction that stops at zero. */
ATOMIC_MEANING(sub_clamp)
{
    return old < data ? 0 : old - data;
}
FLAT_ATOMIC_ROW(flat_atomic_sub_clamp_u32, B32, B32, 4, CMP_NONE, sub_clamp_new, OP(GFX12, FLAT, 0x37))
GLOBAL_ATOMIC_ROW(global_atomic_csub, B32, B32, 4, CMP_NONE, sub_clamp_new, OP(GFX10_3, GLOBAL, 0x34),
                  AS(GFX11, GLOBAL, 0x37, "global_atomic_csub_u32"),
                  AS(GFX12, GLOBAL, 0x37, "global_atomic_sub_clamp_u32"))
BUFFER_ATOMIC_ROW(buffer_atomic_csub, B32, B32, 4, CMP_NONE, sub_clamp_new, OP(GFX10_3, MUBUF, 0x34),
                  AS(GFX11, MUBUF, 0x37, "buffer_atomic_csub_u32"),
                  AS(GFX12, VBUFFER, 0x37, "buffer_atomic_sub_clamp_u32"))
DS_ATOMIC_ROW(ds_sub_clamp_u32, B32, 4, CMP_NONE, sub_clamp, DS_DATA_, OP(GFX12, DS, 0x99))
DS_ATOMIC_ROW(ds_sub_clamp_rtn_u32, B32, 4, CMP_NONE, sub_clamp, DS_DST_DATA_, OP(GFX12, DS, 0xa9))

/* Subtraction only where it does not borrow. */
ATOMIC_MEANING(cond_sub)
{
    return old >= data ? old - data : old;
}
FLAT_ATOMIC_ROW(flat_atomic_cond_sub_u32, B32, B32, 4, CMP_NONE, cond_sub_new, OP(GFX12, FLAT, 0x50))
GLOBAL_ATOMIC_ROW(global_atomic_cond_sub_u32, B32, B32, 4, CMP_NONE, cond_sub_new, OP(GFX12, GLOBAL, 0x50))
BUFFER_ATOMIC_ROW(buffer_atomic_cond_sub_u32, B32, B32, 4, CMP_NONE, cond_sub_new, OP(GFX12, VBUFFER, 0x50))
DS_ATOMIC_ROW(ds_cond_sub_u32, B32, 4, CMP_NONE, cond_sub, DS_DATA_, OP(GFX12, DS, 0x98))
DS_ATOMIC_ROW(ds_cond_sub_rtn_u32, B32, 4, CMP_NONE, cond_sub, DS_DST_DATA_, OP(GFX12, DS, 0xa8))

/* --- bitwise ------------------------------------------------------------------------------------------------------ */

ATOMIC_MEANING(bit_and)
{
    return old & data;
}
VMEM_ATOMIC(atomic_and, atomic_and_b32, B32, B32, 4, CMP_NONE, bit_and, 0x48, 0x39, 0x3c)
VMEM_ATOMIC(atomic_and_x2, atomic_and_b64, B64, B64, 8, CMP_NONE, bit_and, 0x68, 0x59, 0x49)
DS_ATOMIC(and, b32, b64, 0x09, bit_and, bit_and)
SMEM_ATOMIC(and, bit_and, bit_and, 8)
DS_SRC2_BOTH(and, b32, b64, bit_and, bit_and, 0x89)

ATOMIC_MEANING(bit_or)
{
    return old | data;
}
VMEM_ATOMIC(atomic_or, atomic_or_b32, B32, B32, 4, CMP_NONE, bit_or, 0x49, 0x3a, 0x3d)
VMEM_ATOMIC(atomic_or_x2, atomic_or_b64, B64, B64, 8, CMP_NONE, bit_or, 0x69, 0x5a, 0x4a)
DS_ATOMIC(or, b32, b64, 0x0a, bit_or, bit_or)
SMEM_ATOMIC(or, bit_or, bit_or, 9)
DS_SRC2_BOTH(or, b32, b64, bit_or, bit_or, 0x8a)

ATOMIC_MEANING(bit_xor)
{
    return old ^ data;
}
VMEM_ATOMIC(atomic_xor, atomic_xor_b32, B32, B32, 4, CMP_NONE, bit_xor, 0x4a, 0x3b, 0x3e)
VMEM_ATOMIC(atomic_xor_x2, atomic_xor_b64, B64, B64, 8, CMP_NONE, bit_xor, 0x6a, 0x5b, 0x4b)
DS_ATOMIC(xor, b32, b64, 0x0b, bit_xor, bit_xor)
SMEM_ATOMIC(xor, bit_xor, bit_xor, 10)
DS_SRC2_BOTH(xor, b32, b64, bit_xor, bit_xor, 0x8b)

/* masked or: data0 the bits to clear, data1 the bits to set */
ATOMIC_MEANING(mskor)
{
    return (old & ~data) | cmp;
}
DS_ATOMIC_ROW(ds_mskor_b32, B32, 4, CMP_IN_DATA1, mskor, DS_DATA2_, OP(GFX8, DS, 0x0c))
DS_ATOMIC_ROW(ds_mskor_rtn_b32, B32, 4, CMP_IN_DATA1, mskor, DS_DST_DATA2_, OP(GFX8, DS, 0x2c))
DS_ATOMIC_ROW(ds_mskor_b64, B64, 8, CMP_IN_DATA1, mskor, DS_DATA2_, OP(GFX8, DS, 0x4c))
DS_ATOMIC_ROW(ds_mskor_rtn_b64, B64, 8, CMP_IN_DATA1, mskor, DS_DST_DATA2_, OP(GFX8, DS, 0x6c))

/* --- floats ------------------------------------------------------------------------------------------------------- */

static inline float lo_f32(uint64_t v)
{
    return as_f32((uint32_t)v);
}

ATOMIC_MEANING(fcmpswap32)
{
    return lo_f32(old) == lo_f32(cmp) ? data : old;
}
ATOMIC_MEANING(fcmpswap64)
{
    return as_f64(old) == as_f64(cmp) ? data : old;
}
#define FCMPSWAP32(SPACE, FORMAT, KIND)                                                                                \
    KIND##_ATOMIC_ROW(SPACE##_atomic_fcmpswap, B32, B64, 4, CMP_AFTER_DATA, fcmpswap32_new, OP(GFX10, FORMAT, 0x3e),   \
                      AS(GFX11, FORMAT, 0x50, #SPACE "_atomic_cmpswap_f32"), GONE(GFX12, FORMAT))                      \
        KIND##_ATOMIC_ROW(SPACE##_atomic_fcmpswap_x2, B64, B128, 8, CMP_AFTER_DATA, fcmpswap64_new,                    \
                          OP(GFX10, FORMAT, 0x5e), GONE(GFX11, FORMAT))
FCMPSWAP32(flat, FLAT, FLAT)
FCMPSWAP32(global, GLOBAL, GLOBAL)
FCMPSWAP32(buffer, MUBUF, BUFFER)
DS_ATOMIC2(cmpst, f32, B32, 4, CMP_IN_DATA0, fcmpswap32, 0x11, GONE(GFX11, DS))
DS_ATOMIC2(cmpst, f64, B64, 8, CMP_IN_DATA0, fcmpswap64, 0x51, GONE(GFX11, DS))
DS_CMPSTORE(f32, B32, 4, fcmpswap32, 0x11, GONE(GFX12, DS))
DS_CMPSTORE(f64, B64, 8, fcmpswap64, 0x51, GONE(GFX12, DS))

/* Up to gfx11: a plain comparison, which NaNs lose. */
ATOMIC_MEANING(fmin32)
{
    return lo_f32(data) < lo_f32(old) ? data : old;
}
ATOMIC_MEANING(fmax32)
{
    return lo_f32(data) > lo_f32(old) ? data : old;
}
ATOMIC_MEANING(fmin64)
{
    return as_f64(data) < as_f64(old) ? data : old;
}
ATOMIC_MEANING(fmax64)
{
    return as_f64(data) > as_f64(old) ? data : old;
}
#define FMINMAX(SPACE, FORMAT, KIND)                                                                                   \
    KIND##_ATOMIC_ROW(SPACE##_atomic_fmin, B32, B32, 4, CMP_NONE, fmin32_new, OP(GFX10, FORMAT, 0x3f),                 \
                      AS(GFX11, FORMAT, 0x51, #SPACE "_atomic_min_f32"), GONE(GFX12, FORMAT))                          \
        KIND##_ATOMIC_ROW(SPACE##_atomic_fmax, B32, B32, 4, CMP_NONE, fmax32_new, OP(GFX10, FORMAT, 0x40),             \
                          AS(GFX11, FORMAT, 0x52, #SPACE "_atomic_max_f32"), GONE(GFX12, FORMAT))                      \
            KIND##_ATOMIC_ROW(SPACE##_atomic_fmin_x2, B64, B64, 8, CMP_NONE, fmin64_new, OP(GFX10, FORMAT, 0x5f),      \
                              GONE(GFX11, FORMAT)) KIND##_ATOMIC_ROW(SPACE##_atomic_fmax_x2, B64, B64, 8, CMP_NONE,    \
                                                                     fmax64_new, OP(GFX10, FORMAT, 0x60),              \
                                                                     GONE(GFX11, FORMAT))                              \
                KIND##_ATOMIC_ROW(SPACE##_atomic_min_f64, B64, B64, 8, CMP_NONE, fmin64_new, OP(GFX90A, FORMAT, 0x50)) \
                    KIND##_ATOMIC_ROW(SPACE##_atomic_max_f64, B64, B64, 8, CMP_NONE, fmax64_new,                       \
                                      OP(GFX90A, FORMAT, 0x51))
FMINMAX(flat, FLAT, FLAT)
FMINMAX(global, GLOBAL, GLOBAL)
FMINMAX(buffer, MUBUF, BUFFER)
#define DS_FMINMAX(NAME, S, D, BYTES, BODY, O)                                                                         \
    DS_ATOMIC_ROW(ds_##NAME##_##S, D, BYTES, CMP_NONE, BODY, DS_DATA_, OP(GFX8, DS, O), GONE(GFX12, DS))               \
    DS_ATOMIC_ROW(ds_##NAME##_rtn_##S, D, BYTES, CMP_NONE, BODY, DS_DST_DATA_, OP(GFX8, DS, O + 0x20), GONE(GFX12, DS))
DS_FMINMAX(min, f32, B32, 4, fmin32, 0x12)
DS_FMINMAX(max, f32, B32, 4, fmax32, 0x13)
DS_FMINMAX(min, f64, B64, 8, fmin64, 0x52)
DS_FMINMAX(max, f64, B64, 8, fmax64, 0x53)
DS_SRC2_BOTH(min, f32, f64, fmin32, fmin64, 0x92)
DS_SRC2_BOTH(max, f32, f64, fmax32, fmax64, 0x93)

/* gfx12: a number beats a NaN, -0 is below +0, two NaNs give the data's, quiet (RDNA4 ISA, DS_MIN_NUM_F32). */
ATOMIC_MEANING(min_num32)
{
    return bits_f32(min_f32(lo_f32(data), lo_f32(old), false));
}
ATOMIC_MEANING(max_num32)
{
    return bits_f32(max_f32(lo_f32(data), lo_f32(old), false));
}
ATOMIC_MEANING(min_num64)
{
    return bits_f64(min_f64(as_f64(data), as_f64(old), false));
}
ATOMIC_MEANING(max_num64)
{
    return bits_f64(max_f64(as_f64(data), as_f64(old), false));
}
#define MINMAX_NUM(SPACE, FORMAT, KIND)                                                                                \
    KIND##_ATOMIC_ROW(SPACE##_atomic_min_num_f32, B32, B32, 4, CMP_NONE, min_num32_new, OP(GFX12, FORMAT, 0x51))       \
        KIND##_ATOMIC_ROW(SPACE##_atomic_max_num_f32, B32, B32, 4, CMP_NONE, max_num32_new, OP(GFX12, FORMAT, 0x52))
#define MINMAX_NUM_F64(SPACE, FORMAT, KIND)                                                                            \
    KIND##_ATOMIC_ROW(SPACE##_atomic_min_num_f64, B64, B64, 8, CMP_NONE, min_num64_new, OP(GFX12_5, FORMAT, 0x5b))     \
        KIND##_ATOMIC_ROW(SPACE##_atomic_max_num_f64, B64, B64, 8, CMP_NONE, max_num64_new, OP(GFX12_5, FORMAT, 0x5c))
MINMAX_NUM_F64(flat, FLAT, FLAT)
MINMAX_NUM_F64(global, GLOBAL, GLOBAL)
MINMAX_NUM_F64(buffer, VBUFFER, BUFFER)
MINMAX_NUM(flat, FLAT, FLAT)
MINMAX_NUM(global, GLOBAL, GLOBAL)
MINMAX_NUM(buffer, VBUFFER, BUFFER)
#define DS_MINMAX_NUM(NAME, S, D, BYTES, BODY, O)                                                                      \
    DS_ATOMIC_ROW(ds_##NAME##_##S, D, BYTES, CMP_NONE, BODY, DS_DATA_, OP(GFX12, DS, O))                               \
    DS_ATOMIC_ROW(ds_##NAME##_rtn_##S, D, BYTES, CMP_NONE, BODY, DS_DST_DATA_, OP(GFX12, DS, O + 0x20))
DS_MINMAX_NUM(min_num, f32, B32, 4, min_num32, 0x12)
DS_MINMAX_NUM(max_num, f32, B32, 4, max_num32, 0x13)
DS_MINMAX_NUM(min_num, f64, B64, 8, min_num64, 0x52)
DS_MINMAX_NUM(max_num, f64, B64, 8, max_num64, 0x53)

ATOMIC_FLUSHING(fadd32, 32)
{
    return bits_f32(add_f32(lo_f32(old), lo_f32(data)));
}
ATOMIC_MEANING(fadd32_flush)
{
    return flushed_floats(32, bits_f32(add_f32(lo_f32(flushed_floats(32, old)), lo_f32(flushed_floats(32, data)))));
}
GLOBAL_ATOMIC_ROW(global_atomic_add_f32, B32, B32, 4, CMP_NONE, fadd32_flush_new, OP(GFX908, GLOBAL, 0x4d),
                  GONE(GFX942, GLOBAL), OP(GFX11, GLOBAL, 0x56), GONE(GFX12, GLOBAL))
BUFFER_ATOMIC_ROW(buffer_atomic_add_f32, B32, B32, 4, CMP_NONE, fadd32_flush_new, OP(GFX908, MUBUF, 0x4d),
                  GONE(GFX942, MUBUF), OP(GFX11, MUBUF, 0x56), GONE(GFX12, MUBUF))
FLAT_ATOMIC_ROW(flat_atomic_add_f32, B32, B32, 4, CMP_NONE, fadd32_flush_new, OP(GFX11, FLAT, 0x56), GONE(GFX12, FLAT))
GLOBAL_ATOMIC_ROW(global_atomic_add_f32_denorm, B32, B32, 4, CMP_NONE, fadd32_new,
                  AS(GFX942, GLOBAL, 0x4d, "global_atomic_add_f32"), AS(GFX12, GLOBAL, 0x56, "global_atomic_add_f32"))
BUFFER_ATOMIC_ROW(buffer_atomic_add_f32_denorm, B32, B32, 4, CMP_NONE, fadd32_new,
                  AS(GFX942, MUBUF, 0x4d, "buffer_atomic_add_f32"), AS(GFX12, VBUFFER, 0x56, "buffer_atomic_add_f32"))
FLAT_ATOMIC_ROW(flat_atomic_add_f32_denorm, B32, B32, 4, CMP_NONE, fadd32_new,
                AS(GFX942, FLAT, 0x4d, "flat_atomic_add_f32"), AS(GFX12, FLAT, 0x56, "flat_atomic_add_f32"))
DS_ATOMIC_ROW_(ds_add_f32, B32, 4, CMP_NONE, 32, fadd32, DS_DATA_, OP(GFX8, DS, 0x15))
DS_ATOMIC_ROW_(ds_add_rtn_f32, B32, 4, CMP_NONE, 32, fadd32, DS_DST_DATA_, OP(GFX8, DS, 0x35), OP(GFX10, DS, 0x55),
               OP(GFX11, DS, 0x79))
DS_SRC2(add_src2_f32, 4, fadd32, 0x95)

ATOMIC_MEANING(fadd64)
{
    return bits_f64(add_f64(as_f64(old), as_f64(data)));
}
FLAT_ATOMIC_ROW(flat_atomic_add_f64, B64, B64, 8, CMP_NONE, fadd64_new, OP(GFX90A, FLAT, 0x4f), OP(GFX12_5, FLAT, 0x55))
GLOBAL_ATOMIC_ROW(global_atomic_add_f64, B64, B64, 8, CMP_NONE, fadd64_new, OP(GFX90A, GLOBAL, 0x4f),
                  OP(GFX12_5, GLOBAL, 0x55))
BUFFER_ATOMIC_ROW(buffer_atomic_add_f64, B64, B64, 8, CMP_NONE, fadd64_new, OP(GFX90A, MUBUF, 0x4f),
                  OP(GFX12_5, VBUFFER, 0x55))
DS_ATOMIC_ROW(ds_add_f64, B64, 8, CMP_NONE, fadd64, DS_DATA_, OP(GFX90A, DS, 0x5c), OP(GFX12_5, DS, 0x54))
DS_ATOMIC_ROW(ds_add_rtn_f64, B64, 8, CMP_NONE, fadd64, DS_DST_DATA_, OP(GFX90A, DS, 0x7c), OP(GFX12_5, DS, 0x74))

ATOMIC_FLUSHING(pk_add_f16, 16)
{
    struct isa_mode m = {0};
#if defined(__F16C__)
    __m128 sum = _mm_add_ps(_mm_cvtph_ps(_mm_cvtsi64_si128((int64_t)(uint32_t)old)),
                            _mm_cvtph_ps(_mm_cvtsi64_si128((int64_t)(uint32_t)data)));
    if (__builtin_expect(!_mm_movemask_ps(_mm_cmpunord_ps(sum, sum)), 1)) /* what is no number is the slow way's */
        return (uint32_t)_mm_cvtsi128_si32(_mm_cvtps_ph(sum, _MM_FROUND_TO_NEAREST_INT));
#endif
    uint32_t lo = add_f16((half_t)old, (half_t)data, m), hi = add_f16((half_t)(old >> 16), (half_t)(data >> 16), m);
    return lo | hi << 16;
}
FLAT_ATOMIC_ROW(flat_atomic_pk_add_f16, B32, B32, 4, CMP_NONE, pk_add_f16_new, OP(GFX942, FLAT, 0x4e),
                OP(GFX12, FLAT, 0x59))
GLOBAL_ATOMIC_ROW(global_atomic_pk_add_f16, B32, B32, 4, CMP_NONE, pk_add_f16_new, OP(GFX908, GLOBAL, 0x4e),
                  OP(GFX12, GLOBAL, 0x59))
BUFFER_ATOMIC_ROW(buffer_atomic_pk_add_f16, B32, B32, 4, CMP_NONE, pk_add_f16_new, OP(GFX908, MUBUF, 0x4e),
                  OP(GFX12, VBUFFER, 0x59))
DS_ATOMIC_ROW_(ds_pk_add_f16, B32, 4, CMP_NONE, 16, pk_add_f16, DS_DATA_, OP(GFX942, DS, 0x17), OP(GFX12, DS, 0x9a))
DS_ATOMIC_ROW_(ds_pk_add_rtn_f16, B32, 4, CMP_NONE, 16, pk_add_f16, DS_DST_DATA_, OP(GFX942, DS, 0xb7),
               OP(GFX12, DS, 0xaa))

/* A float has more than twice the digits of a bf16 and its exponents, so rounding the sum to float first does no harm.
 */
static uint32_t add_bf16(uint32_t a, uint32_t b)
{
    float sum = add_f32(as_f32(a << 16), as_f32(b << 16));
    uint32_t u = bits_f32(sum);

    return (isnan32(sum) ? u : u + 0x7fff + (u >> 16 & 1)) >> 16;
}
ATOMIC_MEANING(pk_add_bf16)
{
    return add_bf16((uint32_t)old & 0xffff, (uint32_t)data & 0xffff) |
           add_bf16((uint32_t)old >> 16, (uint32_t)data >> 16) << 16;
}
FLAT_ATOMIC_ROW(flat_atomic_pk_add_bf16, B32, B32, 4, CMP_NONE, pk_add_bf16_new, OP(GFX942, FLAT, 0x52),
                OP(GFX12, FLAT, 0x5a))
GLOBAL_ATOMIC_ROW(global_atomic_pk_add_bf16, B32, B32, 4, CMP_NONE, pk_add_bf16_new, OP(GFX942, GLOBAL, 0x52),
                  OP(GFX12, GLOBAL, 0x5a))
BUFFER_ATOMIC_ROW(buffer_atomic_pk_add_bf16, B32, B32, 4, CMP_NONE, pk_add_bf16_new, OP(GFX950, MUBUF, 0x52),
                  GONE(GFX10, MUBUF), OP(GFX12, VBUFFER, 0x5a))
DS_ATOMIC_ROW(ds_pk_add_bf16, B32, 4, CMP_NONE, pk_add_bf16, DS_DATA_, OP(GFX942, DS, 0x18), OP(GFX12, DS, 0x9b))
DS_ATOMIC_ROW(ds_pk_add_rtn_bf16, B32, 4, CMP_NONE, pk_add_bf16, DS_DST_DATA_, OP(GFX942, DS, 0xb8),
              OP(GFX12, DS, 0xab))

/* gfx12: an addition that waits its turn by the wave's order; nothing here keeps that order. */
NOT_EXECUTED(global_atomic_ordered_add_b64, VMEM_ATOMIC, 0, IMP_R_EXEC,
             ARGS({SL_VDST, T_B64, A_WR | A_IF_RET}, {SL_ADDR, T_B64, A_RD}, {SL_DATA0, T_B64, A_RD}, SADDR_B64_),
             ENC(OP(GFX12, GLOBAL, 0x73), GONE(GFX12_5, GLOBAL)))

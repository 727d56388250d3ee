/* Vector compares: one bit per lane to VCC or an SGPR, v_cmpx also (from gfx10 only) to EXEC. An unordered pair makes
 * the plain comparisons false and those named n.. true.
 */
#include "isa/lanes/fp.h"
#include "isa/table/shapes.h"

#define CMP(NAME, CLS, T, C, CONV, EXPR, FLAGS, ...)                                                                   \
    VC(NAME, CLS, T, T, FLAGS, __VA_ARGS__)                                                                            \
    {                                                                                                                  \
        C x __attribute__((unused)) = CONV(a), y __attribute__((unused)) = CONV(b);                                    \
        return EXPR;                                                                                                   \
    }
#define SAME(v) (v)
#define WIDE_   (RF_NO_SDWA | RF_NO_DPP)

#define CMP_F32(N, E, ...)  CMP(N, VALU, F32, float, SAME, E, 0, __VA_ARGS__)
#define CMPX_F32(N, E, ...) CMP(N, VALU, F32, float, SAME, E, RF_CMPX, __VA_ARGS__)
#define CMP_F16(N, E, ...)  CMP(N, VALU, F16, float, half_to_f32, E, 0, __VA_ARGS__)
#define CMPX_F16(N, E, ...) CMP(N, VALU, F16, float, half_to_f32, E, RF_CMPX, __VA_ARGS__)
#define CMP_F64(N, E, ...)  CMP(N, F64, F64, double, SAME, E, WIDE_, __VA_ARGS__)
#define CMPX_F64(N, E, ...) CMP(N, F64, F64, double, SAME, E, WIDE_ | RF_CMPX, __VA_ARGS__)
#define CMP_I32(N, E, ...)  CMP(N, VALU, I32, int32_t, SAME, E, 0, __VA_ARGS__)
#define CMPX_I32(N, E, ...) CMP(N, VALU, I32, int32_t, SAME, E, RF_CMPX, __VA_ARGS__)
#define CMP_U32(N, E, ...)  CMP(N, VALU, U32, uint32_t, SAME, E, 0, __VA_ARGS__)
#define CMPX_U32(N, E, ...) CMP(N, VALU, U32, uint32_t, SAME, E, RF_CMPX, __VA_ARGS__)
#define CMP_I16(N, E, ...)  CMP(N, VALU, I16, int16_t, SAME, E, 0, __VA_ARGS__)
#define CMPX_I16(N, E, ...) CMP(N, VALU, I16, int16_t, SAME, E, RF_CMPX, __VA_ARGS__)
#define CMP_U16(N, E, ...)  CMP(N, VALU, U16, uint16_t, SAME, E, 0, __VA_ARGS__)
#define CMPX_U16(N, E, ...) CMP(N, VALU, U16, uint16_t, SAME, E, RF_CMPX, __VA_ARGS__)
#define CMP_I64(N, E, ...)  CMP(N, VALU64, I64, int64_t, SAME, E, WIDE_, __VA_ARGS__)
#define CMPX_I64(N, E, ...) CMP(N, VALU64, I64, int64_t, SAME, E, WIDE_ | RF_CMPX, __VA_ARGS__)
#define CMP_U64(N, E, ...)  CMP(N, VALU64, U64, uint64_t, SAME, E, WIDE_, __VA_ARGS__)
#define CMPX_U64(N, E, ...) CMP(N, VALU64, U64, uint64_t, SAME, E, WIDE_ | RF_CMPX, __VA_ARGS__)

/* --- f32 --------------------------------------------------------------------------------------------------------- */

CMP_F32(v_cmp_f_f32, false, ENC(OP(GFX8, VOPC, 0x40), OP(GFX10, VOPC, 0x00), OP(GFX11, VOPC, 0x10), GONE(GFX12, VOPC)))
CMP_F32(v_cmp_lt_f32, x < y, ENC(OP(GFX8, VOPC, 0x41), OP(GFX10, VOPC, 0x01), OP(GFX11, VOPC, 0x11)))
CMP_F32(v_cmp_eq_f32, x == y, ENC(OP(GFX8, VOPC, 0x42), OP(GFX10, VOPC, 0x02), OP(GFX11, VOPC, 0x12)))
CMP_F32(v_cmp_le_f32, x <= y, ENC(OP(GFX8, VOPC, 0x43), OP(GFX10, VOPC, 0x03), OP(GFX11, VOPC, 0x13)))
CMP_F32(v_cmp_gt_f32, x > y, ENC(OP(GFX8, VOPC, 0x44), OP(GFX10, VOPC, 0x04), OP(GFX11, VOPC, 0x14)))
CMP_F32(v_cmp_lg_f32, x<y || x> y, ENC(OP(GFX8, VOPC, 0x45), OP(GFX10, VOPC, 0x05), OP(GFX11, VOPC, 0x15)))
CMP_F32(v_cmp_ge_f32, x >= y, ENC(OP(GFX8, VOPC, 0x46), OP(GFX10, VOPC, 0x06), OP(GFX11, VOPC, 0x16)))
CMP_F32(v_cmp_o_f32, x == x && y == y, ENC(OP(GFX8, VOPC, 0x47), OP(GFX10, VOPC, 0x07), OP(GFX11, VOPC, 0x17)))
CMP_F32(v_cmp_u_f32, x != x || y != y, ENC(OP(GFX8, VOPC, 0x48), OP(GFX10, VOPC, 0x08), OP(GFX11, VOPC, 0x18)))
CMP_F32(v_cmp_nge_f32, !(x >= y), ENC(OP(GFX8, VOPC, 0x49), OP(GFX10, VOPC, 0x09), OP(GFX11, VOPC, 0x19)))
CMP_F32(v_cmp_nlg_f32, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x4a), OP(GFX10, VOPC, 0x0a), OP(GFX11, VOPC, 0x1a)))
CMP_F32(v_cmp_ngt_f32, !(x > y), ENC(OP(GFX8, VOPC, 0x4b), OP(GFX10, VOPC, 0x0b), OP(GFX11, VOPC, 0x1b)))
CMP_F32(v_cmp_nle_f32, !(x <= y), ENC(OP(GFX8, VOPC, 0x4c), OP(GFX10, VOPC, 0x0c), OP(GFX11, VOPC, 0x1c)))
CMP_F32(v_cmp_neq_f32, x != y, ENC(OP(GFX8, VOPC, 0x4d), OP(GFX10, VOPC, 0x0d), OP(GFX11, VOPC, 0x1d)))
CMP_F32(v_cmp_nlt_f32, !(x < y), ENC(OP(GFX8, VOPC, 0x4e), OP(GFX10, VOPC, 0x0e), OP(GFX11, VOPC, 0x1e)))
CMP_F32(v_cmp_tru_f32, true,
        ENC(OP(GFX8, VOPC, 0x4f), OP(GFX10, VOPC, 0x0f), AS(GFX11, VOPC, 0x1f, "v_cmp_t_f32"), GONE(GFX12, VOPC)))

CMPX_F32(v_cmpx_f_f32, false,
         ENC(OP(GFX8, VOPC, 0x50), OP(GFX10, VOPC, 0x10), OP(GFX11, VOPC, 0x90), GONE(GFX12, VOPC)))
CMPX_F32(v_cmpx_lt_f32, x < y, ENC(OP(GFX8, VOPC, 0x51), OP(GFX10, VOPC, 0x11), OP(GFX11, VOPC, 0x91)))
CMPX_F32(v_cmpx_eq_f32, x == y, ENC(OP(GFX8, VOPC, 0x52), OP(GFX10, VOPC, 0x12), OP(GFX11, VOPC, 0x92)))
CMPX_F32(v_cmpx_le_f32, x <= y, ENC(OP(GFX8, VOPC, 0x53), OP(GFX10, VOPC, 0x13), OP(GFX11, VOPC, 0x93)))
CMPX_F32(v_cmpx_gt_f32, x > y, ENC(OP(GFX8, VOPC, 0x54), OP(GFX10, VOPC, 0x14), OP(GFX11, VOPC, 0x94)))
CMPX_F32(v_cmpx_lg_f32, x<y || x> y, ENC(OP(GFX8, VOPC, 0x55), OP(GFX10, VOPC, 0x15), OP(GFX11, VOPC, 0x95)))
CMPX_F32(v_cmpx_ge_f32, x >= y, ENC(OP(GFX8, VOPC, 0x56), OP(GFX10, VOPC, 0x16), OP(GFX11, VOPC, 0x96)))
CMPX_F32(v_cmpx_o_f32, x == x && y == y, ENC(OP(GFX8, VOPC, 0x57), OP(GFX10, VOPC, 0x17), OP(GFX11, VOPC, 0x97)))
CMPX_F32(v_cmpx_u_f32, x != x || y != y, ENC(OP(GFX8, VOPC, 0x58), OP(GFX10, VOPC, 0x18), OP(GFX11, VOPC, 0x98)))
CMPX_F32(v_cmpx_nge_f32, !(x >= y), ENC(OP(GFX8, VOPC, 0x59), OP(GFX10, VOPC, 0x19), OP(GFX11, VOPC, 0x99)))
CMPX_F32(v_cmpx_nlg_f32, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x5a), OP(GFX10, VOPC, 0x1a), OP(GFX11, VOPC, 0x9a)))
CMPX_F32(v_cmpx_ngt_f32, !(x > y), ENC(OP(GFX8, VOPC, 0x5b), OP(GFX10, VOPC, 0x1b), OP(GFX11, VOPC, 0x9b)))
CMPX_F32(v_cmpx_nle_f32, !(x <= y), ENC(OP(GFX8, VOPC, 0x5c), OP(GFX10, VOPC, 0x1c), OP(GFX11, VOPC, 0x9c)))
CMPX_F32(v_cmpx_neq_f32, x != y, ENC(OP(GFX8, VOPC, 0x5d), OP(GFX10, VOPC, 0x1d), OP(GFX11, VOPC, 0x9d)))
CMPX_F32(v_cmpx_nlt_f32, !(x < y), ENC(OP(GFX8, VOPC, 0x5e), OP(GFX10, VOPC, 0x1e), OP(GFX11, VOPC, 0x9e)))
CMPX_F32(v_cmpx_tru_f32, true,
         ENC(OP(GFX8, VOPC, 0x5f), OP(GFX10, VOPC, 0x1f), AS(GFX11, VOPC, 0x9f, "v_cmpx_t_f32"), GONE(GFX12, VOPC)))

/* --- f16 --------------------------------------------------------------------------------------------------------- */

CMP_F16(v_cmp_f_f16, false, ENC(OP(GFX8, VOPC, 0x20), OP(GFX10, VOPC, 0xc8), OP(GFX11, VOPC, 0x00), GONE(GFX12, VOPC)))
CMP_F16(v_cmp_lt_f16, x < y, ENC(OP(GFX8, VOPC, 0x21), OP(GFX10, VOPC, 0xc9), OP(GFX11, VOPC, 0x01)))
CMP_F16(v_cmp_eq_f16, x == y, ENC(OP(GFX8, VOPC, 0x22), OP(GFX10, VOPC, 0xca), OP(GFX11, VOPC, 0x02)))
CMP_F16(v_cmp_le_f16, x <= y, ENC(OP(GFX8, VOPC, 0x23), OP(GFX10, VOPC, 0xcb), OP(GFX11, VOPC, 0x03)))
CMP_F16(v_cmp_gt_f16, x > y, ENC(OP(GFX8, VOPC, 0x24), OP(GFX10, VOPC, 0xcc), OP(GFX11, VOPC, 0x04)))
CMP_F16(v_cmp_lg_f16, x<y || x> y, ENC(OP(GFX8, VOPC, 0x25), OP(GFX10, VOPC, 0xcd), OP(GFX11, VOPC, 0x05)))
CMP_F16(v_cmp_ge_f16, x >= y, ENC(OP(GFX8, VOPC, 0x26), OP(GFX10, VOPC, 0xce), OP(GFX11, VOPC, 0x06)))
CMP_F16(v_cmp_o_f16, x == x && y == y, ENC(OP(GFX8, VOPC, 0x27), OP(GFX10, VOPC, 0xcf), OP(GFX11, VOPC, 0x07)))
CMP_F16(v_cmp_u_f16, x != x || y != y, ENC(OP(GFX8, VOPC, 0x28), OP(GFX10, VOPC, 0xe8), OP(GFX11, VOPC, 0x08)))
CMP_F16(v_cmp_nge_f16, !(x >= y), ENC(OP(GFX8, VOPC, 0x29), OP(GFX10, VOPC, 0xe9), OP(GFX11, VOPC, 0x09)))
CMP_F16(v_cmp_nlg_f16, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x2a), OP(GFX10, VOPC, 0xea), OP(GFX11, VOPC, 0x0a)))
CMP_F16(v_cmp_ngt_f16, !(x > y), ENC(OP(GFX8, VOPC, 0x2b), OP(GFX10, VOPC, 0xeb), OP(GFX11, VOPC, 0x0b)))
CMP_F16(v_cmp_nle_f16, !(x <= y), ENC(OP(GFX8, VOPC, 0x2c), OP(GFX10, VOPC, 0xec), OP(GFX11, VOPC, 0x0c)))
CMP_F16(v_cmp_neq_f16, x != y, ENC(OP(GFX8, VOPC, 0x2d), OP(GFX10, VOPC, 0xed), OP(GFX11, VOPC, 0x0d)))
CMP_F16(v_cmp_nlt_f16, !(x < y), ENC(OP(GFX8, VOPC, 0x2e), OP(GFX10, VOPC, 0xee), OP(GFX11, VOPC, 0x0e)))
CMP_F16(v_cmp_tru_f16, true,
        ENC(OP(GFX8, VOPC, 0x2f), OP(GFX10, VOPC, 0xef), AS(GFX11, VOPC, 0x0f, "v_cmp_t_f16"), GONE(GFX12, VOPC)))

CMPX_F16(v_cmpx_f_f16, false,
         ENC(OP(GFX8, VOPC, 0x30), OP(GFX10, VOPC, 0xd8), OP(GFX11, VOPC, 0x80), GONE(GFX12, VOPC)))
CMPX_F16(v_cmpx_lt_f16, x < y, ENC(OP(GFX8, VOPC, 0x31), OP(GFX10, VOPC, 0xd9), OP(GFX11, VOPC, 0x81)))
CMPX_F16(v_cmpx_eq_f16, x == y, ENC(OP(GFX8, VOPC, 0x32), OP(GFX10, VOPC, 0xda), OP(GFX11, VOPC, 0x82)))
CMPX_F16(v_cmpx_le_f16, x <= y, ENC(OP(GFX8, VOPC, 0x33), OP(GFX10, VOPC, 0xdb), OP(GFX11, VOPC, 0x83)))
CMPX_F16(v_cmpx_gt_f16, x > y, ENC(OP(GFX8, VOPC, 0x34), OP(GFX10, VOPC, 0xdc), OP(GFX11, VOPC, 0x84)))
CMPX_F16(v_cmpx_lg_f16, x<y || x> y, ENC(OP(GFX8, VOPC, 0x35), OP(GFX10, VOPC, 0xdd), OP(GFX11, VOPC, 0x85)))
CMPX_F16(v_cmpx_ge_f16, x >= y, ENC(OP(GFX8, VOPC, 0x36), OP(GFX10, VOPC, 0xde), OP(GFX11, VOPC, 0x86)))
CMPX_F16(v_cmpx_o_f16, x == x && y == y, ENC(OP(GFX8, VOPC, 0x37), OP(GFX10, VOPC, 0xdf), OP(GFX11, VOPC, 0x87)))
CMPX_F16(v_cmpx_u_f16, x != x || y != y, ENC(OP(GFX8, VOPC, 0x38), OP(GFX10, VOPC, 0xf8), OP(GFX11, VOPC, 0x88)))
CMPX_F16(v_cmpx_nge_f16, !(x >= y), ENC(OP(GFX8, VOPC, 0x39), OP(GFX10, VOPC, 0xf9), OP(GFX11, VOPC, 0x89)))
CMPX_F16(v_cmpx_nlg_f16, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x3a), OP(GFX10, VOPC, 0xfa), OP(GFX11, VOPC, 0x8a)))
CMPX_F16(v_cmpx_ngt_f16, !(x > y), ENC(OP(GFX8, VOPC, 0x3b), OP(GFX10, VOPC, 0xfb), OP(GFX11, VOPC, 0x8b)))
CMPX_F16(v_cmpx_nle_f16, !(x <= y), ENC(OP(GFX8, VOPC, 0x3c), OP(GFX10, VOPC, 0xfc), OP(GFX11, VOPC, 0x8c)))
CMPX_F16(v_cmpx_neq_f16, x != y, ENC(OP(GFX8, VOPC, 0x3d), OP(GFX10, VOPC, 0xfd), OP(GFX11, VOPC, 0x8d)))
CMPX_F16(v_cmpx_nlt_f16, !(x < y), ENC(OP(GFX8, VOPC, 0x3e), OP(GFX10, VOPC, 0xfe), OP(GFX11, VOPC, 0x8e)))
CMPX_F16(v_cmpx_tru_f16, true,
         ENC(OP(GFX8, VOPC, 0x3f), OP(GFX10, VOPC, 0xff), AS(GFX11, VOPC, 0x8f, "v_cmpx_t_f16"), GONE(GFX12, VOPC)))

/* --- f64 --------------------------------------------------------------------------------------------------------- */

CMP_F64(v_cmp_f_f64, false, ENC(OP(GFX8, VOPC, 0x60), OP(GFX10, VOPC, 0x20), GONE(GFX12, VOPC)))
CMP_F64(v_cmp_lt_f64, x < y, ENC(OP(GFX8, VOPC, 0x61), OP(GFX10, VOPC, 0x21)))
CMP_F64(v_cmp_eq_f64, x == y, ENC(OP(GFX8, VOPC, 0x62), OP(GFX10, VOPC, 0x22)))
CMP_F64(v_cmp_le_f64, x <= y, ENC(OP(GFX8, VOPC, 0x63), OP(GFX10, VOPC, 0x23)))
CMP_F64(v_cmp_gt_f64, x > y, ENC(OP(GFX8, VOPC, 0x64), OP(GFX10, VOPC, 0x24)))
CMP_F64(v_cmp_lg_f64, x<y || x> y, ENC(OP(GFX8, VOPC, 0x65), OP(GFX10, VOPC, 0x25)))
CMP_F64(v_cmp_ge_f64, x >= y, ENC(OP(GFX8, VOPC, 0x66), OP(GFX10, VOPC, 0x26)))
CMP_F64(v_cmp_o_f64, x == x && y == y, ENC(OP(GFX8, VOPC, 0x67), OP(GFX10, VOPC, 0x27)))
CMP_F64(v_cmp_u_f64, x != x || y != y, ENC(OP(GFX8, VOPC, 0x68), OP(GFX10, VOPC, 0x28)))
CMP_F64(v_cmp_nge_f64, !(x >= y), ENC(OP(GFX8, VOPC, 0x69), OP(GFX10, VOPC, 0x29)))
CMP_F64(v_cmp_nlg_f64, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x6a), OP(GFX10, VOPC, 0x2a)))
CMP_F64(v_cmp_ngt_f64, !(x > y), ENC(OP(GFX8, VOPC, 0x6b), OP(GFX10, VOPC, 0x2b)))
CMP_F64(v_cmp_nle_f64, !(x <= y), ENC(OP(GFX8, VOPC, 0x6c), OP(GFX10, VOPC, 0x2c)))
CMP_F64(v_cmp_neq_f64, x != y, ENC(OP(GFX8, VOPC, 0x6d), OP(GFX10, VOPC, 0x2d)))
CMP_F64(v_cmp_nlt_f64, !(x < y), ENC(OP(GFX8, VOPC, 0x6e), OP(GFX10, VOPC, 0x2e)))
CMP_F64(v_cmp_tru_f64, true,
        ENC(OP(GFX8, VOPC, 0x6f), OP(GFX10, VOPC, 0x2f), AS(GFX11, VOPC, 0x2f, "v_cmp_t_f64"), GONE(GFX12, VOPC)))

CMPX_F64(v_cmpx_f_f64, false,
         ENC(OP(GFX8, VOPC, 0x70), OP(GFX10, VOPC, 0x30), OP(GFX11, VOPC, 0xa0), GONE(GFX12, VOPC)))
CMPX_F64(v_cmpx_lt_f64, x < y, ENC(OP(GFX8, VOPC, 0x71), OP(GFX10, VOPC, 0x31), OP(GFX11, VOPC, 0xa1)))
CMPX_F64(v_cmpx_eq_f64, x == y, ENC(OP(GFX8, VOPC, 0x72), OP(GFX10, VOPC, 0x32), OP(GFX11, VOPC, 0xa2)))
CMPX_F64(v_cmpx_le_f64, x <= y, ENC(OP(GFX8, VOPC, 0x73), OP(GFX10, VOPC, 0x33), OP(GFX11, VOPC, 0xa3)))
CMPX_F64(v_cmpx_gt_f64, x > y, ENC(OP(GFX8, VOPC, 0x74), OP(GFX10, VOPC, 0x34), OP(GFX11, VOPC, 0xa4)))
CMPX_F64(v_cmpx_lg_f64, x<y || x> y, ENC(OP(GFX8, VOPC, 0x75), OP(GFX10, VOPC, 0x35), OP(GFX11, VOPC, 0xa5)))
CMPX_F64(v_cmpx_ge_f64, x >= y, ENC(OP(GFX8, VOPC, 0x76), OP(GFX10, VOPC, 0x36), OP(GFX11, VOPC, 0xa6)))
CMPX_F64(v_cmpx_o_f64, x == x && y == y, ENC(OP(GFX8, VOPC, 0x77), OP(GFX10, VOPC, 0x37), OP(GFX11, VOPC, 0xa7)))
CMPX_F64(v_cmpx_u_f64, x != x || y != y, ENC(OP(GFX8, VOPC, 0x78), OP(GFX10, VOPC, 0x38), OP(GFX11, VOPC, 0xa8)))
CMPX_F64(v_cmpx_nge_f64, !(x >= y), ENC(OP(GFX8, VOPC, 0x79), OP(GFX10, VOPC, 0x39), OP(GFX11, VOPC, 0xa9)))
CMPX_F64(v_cmpx_nlg_f64, !(x < y || x > y), ENC(OP(GFX8, VOPC, 0x7a), OP(GFX10, VOPC, 0x3a), OP(GFX11, VOPC, 0xaa)))
CMPX_F64(v_cmpx_ngt_f64, !(x > y), ENC(OP(GFX8, VOPC, 0x7b), OP(GFX10, VOPC, 0x3b), OP(GFX11, VOPC, 0xab)))
CMPX_F64(v_cmpx_nle_f64, !(x <= y), ENC(OP(GFX8, VOPC, 0x7c), OP(GFX10, VOPC, 0x3c), OP(GFX11, VOPC, 0xac)))
CMPX_F64(v_cmpx_neq_f64, x != y, ENC(OP(GFX8, VOPC, 0x7d), OP(GFX10, VOPC, 0x3d), OP(GFX11, VOPC, 0xad)))
CMPX_F64(v_cmpx_nlt_f64, !(x < y), ENC(OP(GFX8, VOPC, 0x7e), OP(GFX10, VOPC, 0x3e), OP(GFX11, VOPC, 0xae)))
CMPX_F64(v_cmpx_tru_f64, true,
         ENC(OP(GFX8, VOPC, 0x7f), OP(GFX10, VOPC, 0x3f), AS(GFX11, VOPC, 0xaf, "v_cmpx_t_f64"), GONE(GFX12, VOPC)))

/* --- i32 --------------------------------------------------------------------------------------------------------- */

CMP_I32(v_cmp_f_i32, false, ENC(OP(GFX8, VOPC, 0xc0), OP(GFX10, VOPC, 0x80), OP(GFX11, VOPC, 0x40), GONE(GFX12, VOPC)))
CMP_I32(v_cmp_lt_i32, x < y, ENC(OP(GFX8, VOPC, 0xc1), OP(GFX10, VOPC, 0x81), OP(GFX11, VOPC, 0x41)))
CMP_I32(v_cmp_eq_i32, x == y, ENC(OP(GFX8, VOPC, 0xc2), OP(GFX10, VOPC, 0x82), OP(GFX11, VOPC, 0x42)))
CMP_I32(v_cmp_le_i32, x <= y, ENC(OP(GFX8, VOPC, 0xc3), OP(GFX10, VOPC, 0x83), OP(GFX11, VOPC, 0x43)))
CMP_I32(v_cmp_gt_i32, x > y, ENC(OP(GFX8, VOPC, 0xc4), OP(GFX10, VOPC, 0x84), OP(GFX11, VOPC, 0x44)))
CMP_I32(v_cmp_ne_i32, x != y, ENC(OP(GFX8, VOPC, 0xc5), OP(GFX10, VOPC, 0x85), OP(GFX11, VOPC, 0x45)))
CMP_I32(v_cmp_ge_i32, x >= y, ENC(OP(GFX8, VOPC, 0xc6), OP(GFX10, VOPC, 0x86), OP(GFX11, VOPC, 0x46)))
CMP_I32(v_cmp_t_i32, true, ENC(OP(GFX8, VOPC, 0xc7), OP(GFX10, VOPC, 0x87), OP(GFX11, VOPC, 0x47), GONE(GFX12, VOPC)))

CMPX_I32(v_cmpx_f_i32, false,
         ENC(OP(GFX8, VOPC, 0xd0), OP(GFX10, VOPC, 0x90), OP(GFX11, VOPC, 0xc0), GONE(GFX12, VOPC)))
CMPX_I32(v_cmpx_lt_i32, x < y, ENC(OP(GFX8, VOPC, 0xd1), OP(GFX10, VOPC, 0x91), OP(GFX11, VOPC, 0xc1)))
CMPX_I32(v_cmpx_eq_i32, x == y, ENC(OP(GFX8, VOPC, 0xd2), OP(GFX10, VOPC, 0x92), OP(GFX11, VOPC, 0xc2)))
CMPX_I32(v_cmpx_le_i32, x <= y, ENC(OP(GFX8, VOPC, 0xd3), OP(GFX10, VOPC, 0x93), OP(GFX11, VOPC, 0xc3)))
CMPX_I32(v_cmpx_gt_i32, x > y, ENC(OP(GFX8, VOPC, 0xd4), OP(GFX10, VOPC, 0x94), OP(GFX11, VOPC, 0xc4)))
CMPX_I32(v_cmpx_ne_i32, x != y, ENC(OP(GFX8, VOPC, 0xd5), OP(GFX10, VOPC, 0x95), OP(GFX11, VOPC, 0xc5)))
CMPX_I32(v_cmpx_ge_i32, x >= y, ENC(OP(GFX8, VOPC, 0xd6), OP(GFX10, VOPC, 0x96), OP(GFX11, VOPC, 0xc6)))
CMPX_I32(v_cmpx_t_i32, true, ENC(OP(GFX8, VOPC, 0xd7), OP(GFX10, VOPC, 0x97), OP(GFX11, VOPC, 0xc7), GONE(GFX12, VOPC)))

/* --- u32 --------------------------------------------------------------------------------------------------------- */

CMP_U32(v_cmp_f_u32, false, ENC(OP(GFX8, VOPC, 0xc8), OP(GFX10, VOPC, 0xc0), OP(GFX11, VOPC, 0x48), GONE(GFX12, VOPC)))
CMP_U32(v_cmp_lt_u32, x < y, ENC(OP(GFX8, VOPC, 0xc9), OP(GFX10, VOPC, 0xc1), OP(GFX11, VOPC, 0x49)))
CMP_U32(v_cmp_eq_u32, x == y, ENC(OP(GFX8, VOPC, 0xca), OP(GFX10, VOPC, 0xc2), OP(GFX11, VOPC, 0x4a)))
CMP_U32(v_cmp_le_u32, x <= y, ENC(OP(GFX8, VOPC, 0xcb), OP(GFX10, VOPC, 0xc3), OP(GFX11, VOPC, 0x4b)))
CMP_U32(v_cmp_gt_u32, x > y, ENC(OP(GFX8, VOPC, 0xcc), OP(GFX10, VOPC, 0xc4), OP(GFX11, VOPC, 0x4c)))
CMP_U32(v_cmp_ne_u32, x != y, ENC(OP(GFX8, VOPC, 0xcd), OP(GFX10, VOPC, 0xc5), OP(GFX11, VOPC, 0x4d)))
CMP_U32(v_cmp_ge_u32, x >= y, ENC(OP(GFX8, VOPC, 0xce), OP(GFX10, VOPC, 0xc6), OP(GFX11, VOPC, 0x4e)))
CMP_U32(v_cmp_t_u32, true, ENC(OP(GFX8, VOPC, 0xcf), OP(GFX10, VOPC, 0xc7), OP(GFX11, VOPC, 0x4f), GONE(GFX12, VOPC)))

CMPX_U32(v_cmpx_f_u32, false,
         ENC(OP(GFX8, VOPC, 0xd8), OP(GFX10, VOPC, 0xd0), OP(GFX11, VOPC, 0xc8), GONE(GFX12, VOPC)))
CMPX_U32(v_cmpx_lt_u32, x < y, ENC(OP(GFX8, VOPC, 0xd9), OP(GFX10, VOPC, 0xd1), OP(GFX11, VOPC, 0xc9)))
CMPX_U32(v_cmpx_eq_u32, x == y, ENC(OP(GFX8, VOPC, 0xda), OP(GFX10, VOPC, 0xd2), OP(GFX11, VOPC, 0xca)))
CMPX_U32(v_cmpx_le_u32, x <= y, ENC(OP(GFX8, VOPC, 0xdb), OP(GFX10, VOPC, 0xd3), OP(GFX11, VOPC, 0xcb)))
CMPX_U32(v_cmpx_gt_u32, x > y, ENC(OP(GFX8, VOPC, 0xdc), OP(GFX10, VOPC, 0xd4), OP(GFX11, VOPC, 0xcc)))
CMPX_U32(v_cmpx_ne_u32, x != y, ENC(OP(GFX8, VOPC, 0xdd), OP(GFX10, VOPC, 0xd5), OP(GFX11, VOPC, 0xcd)))
CMPX_U32(v_cmpx_ge_u32, x >= y, ENC(OP(GFX8, VOPC, 0xde), OP(GFX10, VOPC, 0xd6), OP(GFX11, VOPC, 0xce)))
CMPX_U32(v_cmpx_t_u32, true, ENC(OP(GFX8, VOPC, 0xdf), OP(GFX10, VOPC, 0xd7), OP(GFX11, VOPC, 0xcf), GONE(GFX12, VOPC)))

/* --- i16 --------------------------------------------------------------------------------------------------------- */

CMP_I16(v_cmp_f_i16, false, ENC(OP(GFX8, VOPC, 0xa0), GONE(GFX10, VOPC)))
CMP_I16(v_cmp_lt_i16, x < y, ENC(OP(GFX8, VOPC, 0xa1), OP(GFX10, VOPC, 0x89), OP(GFX11, VOPC, 0x31)))
CMP_I16(v_cmp_eq_i16, x == y, ENC(OP(GFX8, VOPC, 0xa2), OP(GFX10, VOPC, 0x8a), OP(GFX11, VOPC, 0x32)))
CMP_I16(v_cmp_le_i16, x <= y, ENC(OP(GFX8, VOPC, 0xa3), OP(GFX10, VOPC, 0x8b), OP(GFX11, VOPC, 0x33)))
CMP_I16(v_cmp_gt_i16, x > y, ENC(OP(GFX8, VOPC, 0xa4), OP(GFX10, VOPC, 0x8c), OP(GFX11, VOPC, 0x34)))
CMP_I16(v_cmp_ne_i16, x != y, ENC(OP(GFX8, VOPC, 0xa5), OP(GFX10, VOPC, 0x8d), OP(GFX11, VOPC, 0x35)))
CMP_I16(v_cmp_ge_i16, x >= y, ENC(OP(GFX8, VOPC, 0xa6), OP(GFX10, VOPC, 0x8e), OP(GFX11, VOPC, 0x36)))
CMP_I16(v_cmp_t_i16, true, ENC(OP(GFX8, VOPC, 0xa7), GONE(GFX10, VOPC)))

CMPX_I16(v_cmpx_f_i16, false, ENC(OP(GFX8, VOPC, 0xb0), GONE(GFX10, VOPC)))
CMPX_I16(v_cmpx_lt_i16, x < y, ENC(OP(GFX8, VOPC, 0xb1), OP(GFX10, VOPC, 0x99), OP(GFX11, VOPC, 0xb1)))
CMPX_I16(v_cmpx_eq_i16, x == y, ENC(OP(GFX8, VOPC, 0xb2), OP(GFX10, VOPC, 0x9a), OP(GFX11, VOPC, 0xb2)))
CMPX_I16(v_cmpx_le_i16, x <= y, ENC(OP(GFX8, VOPC, 0xb3), OP(GFX10, VOPC, 0x9b), OP(GFX11, VOPC, 0xb3)))
CMPX_I16(v_cmpx_gt_i16, x > y, ENC(OP(GFX8, VOPC, 0xb4), OP(GFX10, VOPC, 0x9c), OP(GFX11, VOPC, 0xb4)))
CMPX_I16(v_cmpx_ne_i16, x != y, ENC(OP(GFX8, VOPC, 0xb5), OP(GFX10, VOPC, 0x9d), OP(GFX11, VOPC, 0xb5)))
CMPX_I16(v_cmpx_ge_i16, x >= y, ENC(OP(GFX8, VOPC, 0xb6), OP(GFX10, VOPC, 0x9e), OP(GFX11, VOPC, 0xb6)))
CMPX_I16(v_cmpx_t_i16, true, ENC(OP(GFX8, VOPC, 0xb7), GONE(GFX10, VOPC)))

/* --- u16 --------------------------------------------------------------------------------------------------------- */

CMP_U16(v_cmp_f_u16, false, ENC(OP(GFX8, VOPC, 0xa8), GONE(GFX10, VOPC)))
CMP_U16(v_cmp_lt_u16, x < y, ENC(OP(GFX8, VOPC, 0xa9), OP(GFX11, VOPC, 0x39)))
CMP_U16(v_cmp_eq_u16, x == y, ENC(OP(GFX8, VOPC, 0xaa), OP(GFX11, VOPC, 0x3a)))
CMP_U16(v_cmp_le_u16, x <= y, ENC(OP(GFX8, VOPC, 0xab), OP(GFX11, VOPC, 0x3b)))
CMP_U16(v_cmp_gt_u16, x > y, ENC(OP(GFX8, VOPC, 0xac), OP(GFX11, VOPC, 0x3c)))
CMP_U16(v_cmp_ne_u16, x != y, ENC(OP(GFX8, VOPC, 0xad), OP(GFX11, VOPC, 0x3d)))
CMP_U16(v_cmp_ge_u16, x >= y, ENC(OP(GFX8, VOPC, 0xae), OP(GFX11, VOPC, 0x3e)))
CMP_U16(v_cmp_t_u16, true, ENC(OP(GFX8, VOPC, 0xaf), GONE(GFX10, VOPC)))

CMPX_U16(v_cmpx_f_u16, false, ENC(OP(GFX8, VOPC, 0xb8), GONE(GFX10, VOPC)))
CMPX_U16(v_cmpx_lt_u16, x < y, ENC(OP(GFX8, VOPC, 0xb9)))
CMPX_U16(v_cmpx_eq_u16, x == y, ENC(OP(GFX8, VOPC, 0xba)))
CMPX_U16(v_cmpx_le_u16, x <= y, ENC(OP(GFX8, VOPC, 0xbb)))
CMPX_U16(v_cmpx_gt_u16, x > y, ENC(OP(GFX8, VOPC, 0xbc)))
CMPX_U16(v_cmpx_ne_u16, x != y, ENC(OP(GFX8, VOPC, 0xbd)))
CMPX_U16(v_cmpx_ge_u16, x >= y, ENC(OP(GFX8, VOPC, 0xbe)))
CMPX_U16(v_cmpx_t_u16, true, ENC(OP(GFX8, VOPC, 0xbf), GONE(GFX10, VOPC)))

/* --- i64 --------------------------------------------------------------------------------------------------------- */

CMP_I64(v_cmp_f_i64, false, ENC(OP(GFX8, VOPC, 0xe0), OP(GFX10, VOPC, 0xa0), OP(GFX11, VOPC, 0x50), GONE(GFX12, VOPC)))
CMP_I64(v_cmp_lt_i64, x < y, ENC(OP(GFX8, VOPC, 0xe1), OP(GFX10, VOPC, 0xa1), OP(GFX11, VOPC, 0x51)))
CMP_I64(v_cmp_eq_i64, x == y, ENC(OP(GFX8, VOPC, 0xe2), OP(GFX10, VOPC, 0xa2), OP(GFX11, VOPC, 0x52)))
CMP_I64(v_cmp_le_i64, x <= y, ENC(OP(GFX8, VOPC, 0xe3), OP(GFX10, VOPC, 0xa3), OP(GFX11, VOPC, 0x53)))
CMP_I64(v_cmp_gt_i64, x > y, ENC(OP(GFX8, VOPC, 0xe4), OP(GFX10, VOPC, 0xa4), OP(GFX11, VOPC, 0x54)))
CMP_I64(v_cmp_ne_i64, x != y, ENC(OP(GFX8, VOPC, 0xe5), OP(GFX10, VOPC, 0xa5), OP(GFX11, VOPC, 0x55)))
CMP_I64(v_cmp_ge_i64, x >= y, ENC(OP(GFX8, VOPC, 0xe6), OP(GFX10, VOPC, 0xa6), OP(GFX11, VOPC, 0x56)))
CMP_I64(v_cmp_t_i64, true, ENC(OP(GFX8, VOPC, 0xe7), OP(GFX10, VOPC, 0xa7), OP(GFX11, VOPC, 0x57), GONE(GFX12, VOPC)))

CMPX_I64(v_cmpx_f_i64, false,
         ENC(OP(GFX8, VOPC, 0xf0), OP(GFX10, VOPC, 0xb0), OP(GFX11, VOPC, 0xd0), GONE(GFX12, VOPC)))
CMPX_I64(v_cmpx_lt_i64, x < y, ENC(OP(GFX8, VOPC, 0xf1), OP(GFX10, VOPC, 0xb1), OP(GFX11, VOPC, 0xd1)))
CMPX_I64(v_cmpx_eq_i64, x == y, ENC(OP(GFX8, VOPC, 0xf2), OP(GFX10, VOPC, 0xb2), OP(GFX11, VOPC, 0xd2)))
CMPX_I64(v_cmpx_le_i64, x <= y, ENC(OP(GFX8, VOPC, 0xf3), OP(GFX10, VOPC, 0xb3), OP(GFX11, VOPC, 0xd3)))
CMPX_I64(v_cmpx_gt_i64, x > y, ENC(OP(GFX8, VOPC, 0xf4), OP(GFX10, VOPC, 0xb4), OP(GFX11, VOPC, 0xd4)))
CMPX_I64(v_cmpx_ne_i64, x != y, ENC(OP(GFX8, VOPC, 0xf5), OP(GFX10, VOPC, 0xb5), OP(GFX11, VOPC, 0xd5)))
CMPX_I64(v_cmpx_ge_i64, x >= y, ENC(OP(GFX8, VOPC, 0xf6), OP(GFX10, VOPC, 0xb6), OP(GFX11, VOPC, 0xd6)))
CMPX_I64(v_cmpx_t_i64, true, ENC(OP(GFX8, VOPC, 0xf7), OP(GFX10, VOPC, 0xb7), OP(GFX11, VOPC, 0xd7), GONE(GFX12, VOPC)))

/* --- u64 --------------------------------------------------------------------------------------------------------- */

CMP_U64(v_cmp_f_u64, false, ENC(OP(GFX8, VOPC, 0xe8), OP(GFX10, VOPC, 0xe0), OP(GFX11, VOPC, 0x58), GONE(GFX12, VOPC)))
CMP_U64(v_cmp_lt_u64, x < y, ENC(OP(GFX8, VOPC, 0xe9), OP(GFX10, VOPC, 0xe1), OP(GFX11, VOPC, 0x59)))
CMP_U64(v_cmp_eq_u64, x == y, ENC(OP(GFX8, VOPC, 0xea), OP(GFX10, VOPC, 0xe2), OP(GFX11, VOPC, 0x5a)))
CMP_U64(v_cmp_le_u64, x <= y, ENC(OP(GFX8, VOPC, 0xeb), OP(GFX10, VOPC, 0xe3), OP(GFX11, VOPC, 0x5b)))
CMP_U64(v_cmp_gt_u64, x > y, ENC(OP(GFX8, VOPC, 0xec), OP(GFX10, VOPC, 0xe4), OP(GFX11, VOPC, 0x5c)))
CMP_U64(v_cmp_ne_u64, x != y, ENC(OP(GFX8, VOPC, 0xed), OP(GFX10, VOPC, 0xe5), OP(GFX11, VOPC, 0x5d)))
CMP_U64(v_cmp_ge_u64, x >= y, ENC(OP(GFX8, VOPC, 0xee), OP(GFX10, VOPC, 0xe6), OP(GFX11, VOPC, 0x5e)))
CMP_U64(v_cmp_t_u64, true, ENC(OP(GFX8, VOPC, 0xef), OP(GFX10, VOPC, 0xe7), OP(GFX11, VOPC, 0x5f), GONE(GFX12, VOPC)))

CMPX_U64(v_cmpx_f_u64, false,
         ENC(OP(GFX8, VOPC, 0xf8), OP(GFX10, VOPC, 0xf0), OP(GFX11, VOPC, 0xd8), GONE(GFX12, VOPC)))
CMPX_U64(v_cmpx_lt_u64, x < y, ENC(OP(GFX8, VOPC, 0xf9), OP(GFX10, VOPC, 0xf1), OP(GFX11, VOPC, 0xd9)))
CMPX_U64(v_cmpx_eq_u64, x == y, ENC(OP(GFX8, VOPC, 0xfa), OP(GFX10, VOPC, 0xf2), OP(GFX11, VOPC, 0xda)))
CMPX_U64(v_cmpx_le_u64, x <= y, ENC(OP(GFX8, VOPC, 0xfb), OP(GFX10, VOPC, 0xf3), OP(GFX11, VOPC, 0xdb)))
CMPX_U64(v_cmpx_gt_u64, x > y, ENC(OP(GFX8, VOPC, 0xfc), OP(GFX10, VOPC, 0xf4), OP(GFX11, VOPC, 0xdc)))
CMPX_U64(v_cmpx_ne_u64, x != y, ENC(OP(GFX8, VOPC, 0xfd), OP(GFX10, VOPC, 0xf5), OP(GFX11, VOPC, 0xdd)))
CMPX_U64(v_cmpx_ge_u64, x >= y, ENC(OP(GFX8, VOPC, 0xfe), OP(GFX10, VOPC, 0xf6), OP(GFX11, VOPC, 0xde)))
CMPX_U64(v_cmpx_t_u64, true, ENC(OP(GFX8, VOPC, 0xff), OP(GFX10, VOPC, 0xf7), OP(GFX11, VOPC, 0xdf), GONE(GFX12, VOPC)))

/* --- class: the second source says which kinds of number count ------------------------------------------------- */

/* bits: 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf */
/* magnitude: of a number whose exponent ends with the bit `one`, anything below which is its fraction. By sums and
 * masks: of choices, the compiler makes branches. */
static inline uint32_t class_of(uint32_t magnitude, uint32_t sign, uint32_t one, uint32_t top)
{
    uint32_t number = 5u - (magnitude != 0) - (magnitude >= one) - (magnitude == top);
    uint32_t negative = 0 - sign, nan = 0 - (uint32_t)(magnitude > top), quiet = (magnitude & one >> 1) != 0;
    uint32_t k = (number & negative) | ((11 - number) & ~negative);

    return (quiet & nan) | (k & ~nan);
}

static inline uint32_t class32(float a)
{
    uint32_t u = bits_f32(a);
    return class_of(u & 0x7fffffff, u >> 31, 0x00800000, 0x7f800000);
}

static inline uint32_t class16(half_t u)
{
    return class_of(u & 0x7fffu, u >> 15, 0x0400, 0x7c00);
}

/* whether any low bits are set counts, not which */
static inline uint32_t class64(double a)
{
    uint32_t low = (uint32_t)bits_f64(a), high = (uint32_t)(bits_f64(a) >> 32);
    return class_of((high & 0x7fffffff) | (low ? 1 : 0), high >> 31, 0x00100000, 0x7ff00000);
}

#define CLASS(NAME, CLS, T, FN, FLAGS, ...) CLASS_(VC, NAME, CLS, T, FN, FLAGS, __VA_ARGS__)
#define CLASS_(SHAPE, NAME, CLS, T, FN, FLAGS, ...)                                                                    \
    SHAPE(NAME, CLS, T, B32, RF_NO_FLUSH | RF_NO_CLAMP | (FLAGS), __VA_ARGS__)                                         \
    {                                                                                                                  \
        return b >> FN(a) & 1;                                                                                         \
    }

CLASS(v_cmp_class_f32, VALU, F32, class32, 0, ENC(OP(GFX8, VOPC, 0x10), OP(GFX10, VOPC, 0x88), OP(GFX11, VOPC, 0x7e)))
CLASS(v_cmpx_class_f32, VALU, F32, class32, RF_CMPX,
      ENC(OP(GFX8, VOPC, 0x11), OP(GFX10, VOPC, 0x98), OP(GFX11, VOPC, 0xfe)))
CLASS_(VC_HALF, v_cmp_class_f16, VALU, F16, class16, 0,
       ENC(OP(GFX8, VOPC, 0x14), OP(GFX10, VOPC, 0x8f), OP(GFX11, VOPC, 0x7d)))
CLASS_(VC_HALF, v_cmpx_class_f16, VALU, F16, class16, RF_CMPX,
       ENC(OP(GFX8, VOPC, 0x15), OP(GFX10, VOPC, 0x9f), OP(GFX11, VOPC, 0xfd)))
CLASS(v_cmp_class_f64, F64, F64, class64, WIDE_,
      ENC(OP(GFX8, VOPC, 0x12), OP(GFX10, VOPC, 0xa8), OP(GFX11, VOPC, 0x7f)))
CLASS(v_cmpx_class_f64, F64, F64, class64, WIDE_ | RF_CMPX,
      ENC(OP(GFX8, VOPC, 0x13), OP(GFX10, VOPC, 0xb8), OP(GFX11, VOPC, 0xff)))

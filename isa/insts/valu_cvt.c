/* Vector ALU: conversions that do not touch f64. To integers: NaN gives 0 and what does not fit saturates. */
#include "isa/lanes/half_rows.h"
#include "isa/table/shapes.h"

/* written without out-of-range casts so that the loops vectorize */
static inline uint32_t u32_of(float a)
{
    float x = a > 0.0f ? a : 0.0f;
    bool high = x >= 0x1p31f, over = x >= 0x1p32f;
    float low = high ? x - 0x1p31f : x;
    uint32_t r = (uint32_t)(int32_t)(over ? 0.0f : low) ^ (high ? 0x80000000u : 0);

    return over ? 0xffffffff : r;
}

static inline int32_t i32_of(float a)
{
    float x = isnan32(a) ? 0.0f : a;
    bool over = x >= 0x1p31f, under = x < -0x1p31f;
    int32_t r = (int32_t)(over || under ? 0.0f : x);

    r = over ? INT32_MAX : r;
    return under ? INT32_MIN : r;
}

V1(v_cvt_f32_i32, VALU, F32, I32, 0, ENC(OP(GFX8, VOP1, 0x05)))
{
    return (float)a;
}

V1(v_cvt_f32_u32, VALU, F32, U32, 0, ENC(OP(GFX8, VOP1, 0x06)))
{
    return (float)a;
}

V1(v_cvt_u32_f32, VALU, U32, F32, 0, ENC(OP(GFX8, VOP1, 0x07)))
{
    return u32_of(a);
}

V1(v_cvt_i32_f32, VALU, I32, F32, 0, ENC(OP(GFX8, VOP1, 0x08)))
{
    return i32_of(a);
}

/* round half up: floor(a + 1/2) without rounding the sum */
V1(v_cvt_rpi_i32_f32, VALU, I32, F32, RF_NO_OMOD,
   ENC(OP(GFX8, VOP1, 0x0c), AS(GFX11, VOP1, 0x0c, "v_cvt_nearest_i32_f32")))
{
    float f = __builtin_floorf(a);
    return i32_of(a - f >= 0.5f ? f + 1.0f : f);
}

V1(v_cvt_flr_i32_f32, VALU, I32, F32, RF_NO_OMOD,
   ENC(OP(GFX8, VOP1, 0x0d), AS(GFX11, VOP1, 0x0d, "v_cvt_floor_i32_f32")))
{
    return i32_of(__builtin_floorf(a));
}

V1(v_cvt_f32_ubyte0, VALU, F32, B32, 0, ENC(OP(GFX8, VOP1, 0x11)))
{
    return (float)(int32_t)(a & 0xff);
}

V1(v_cvt_f32_ubyte1, VALU, F32, B32, 0, ENC(OP(GFX8, VOP1, 0x12)))
{
    return (float)(int32_t)(a >> 8 & 0xff);
}

V1(v_cvt_f32_ubyte2, VALU, F32, B32, 0, ENC(OP(GFX8, VOP1, 0x13)))
{
    return (float)(int32_t)(a >> 16 & 0xff);
}

V1(v_cvt_f32_ubyte3, VALU, F32, B32, 0, ENC(OP(GFX8, VOP1, 0x14)))
{
    return (float)(int32_t)(a >> 24);
}

/* a signed nibble in sixteenths */
V1(v_cvt_off_f32_i4, VALU, F32, B32, 0, ENC(OP(GFX8, VOP1, 0x0e)))
{
    int32_t v = (int32_t)(a & 0xf);
    return (float)(v >= 8 ? v - 16 : v) * 0.0625f;
}

V1(v_cvt_i32_i16, VALU, I32, I16, 0, ENC(OP(GFX11, VOP1, 0x6a)))
{
    return a;
}

V1(v_cvt_u32_u16, VALU, U32, U16, 0, ENC(OP(GFX11, VOP1, 0x6b)))
{
    return a;
}

/* --- half precision ---------------------------------------------------------------------------------------------- */

V1_ROWS(v_cvt_f16_f32, VALU, F16, F32, 0, half_rows_from_f32(d, s0, the_mode), ENC(OP(GFX8, VOP1, 0x0a)))
{
    return half_from_f32(a, mode.round64, mode.fp16_ovfl && __builtin_isfinite(a));
}

V1(v_cvt_f32_f16, VALU, F32, F16, 0, ENC(OP(GFX8, VOP1, 0x0b)))
{
    float r = half_to_f32(a);
    return nan1_f32(r, r);
}

static inline bool half_of_u16(uint32_t *d, const uint32_t *s, const struct isa_mode *mode)
{
    _Alignas(64) uint32_t r[32];

    for (unsigned i = 0; i < 32; i++)
        r[i] = bits_f32((float)(int32_t)(s[i] & 0xffff));
    return half_rows_from_f32(d, r, mode);
}

static inline bool half_of_i16(uint32_t *d, const uint32_t *s, const struct isa_mode *mode)
{
    _Alignas(64) uint32_t r[32];

    for (unsigned i = 0; i < 32; i++)
        r[i] = bits_f32((float)((int32_t)(s[i] << 16) >> 16));
    return half_rows_from_f32(d, r, mode);
}

V1_ROWS(v_cvt_f16_u16, VALU, F16, U16, 0, half_of_u16(d, s0, the_mode),
        ENC(OP(GFX8, VOP1, 0x39), OP(GFX10, VOP1, 0x50)))
{
    return half_from_f32((float)(int32_t)a, mode.round64, mode.fp16_ovfl);
}

V1_ROWS(v_cvt_f16_i16, VALU, F16, I16, 0, half_of_i16(d, s0, the_mode),
        ENC(OP(GFX8, VOP1, 0x3a), OP(GFX10, VOP1, 0x51)))
{
    return half_from_f32((float)(int32_t)a, mode.round64, mode.fp16_ovfl);
}

static inline int32_t clamp_i32(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

V1(v_cvt_u16_f16, VALU, U16, F16, 0, ENC(OP(GFX8, VOP1, 0x3b), OP(GFX10, VOP1, 0x52)))
{
    return (uint16_t)clamp_i32(i32_of(half_to_f32(a)), 0, 0xffff);
}

V1(v_cvt_i16_f16, VALU, I16, F16, 0, ENC(OP(GFX8, VOP1, 0x3c), OP(GFX10, VOP1, 0x53)))
{
    return (int16_t)clamp_i32(i32_of(half_to_f32(a)), INT16_MIN, INT16_MAX);
}

/* Added to a number, it leaves the nearest integer in the last bits of the sum: the host rounds to nearest unless the
 * result of an instruction is a float. */
#define TO_INTEGER 0x1.8p23f

/* -1..1 to -32767..32767, 0..1 to 0..65535 */
static inline uint16_t snorm16(float a)
{
    float low = a < -1.0f ? -1.0f : a, x = low > 1.0f ? 1.0f : low;
    return (uint16_t)bits_f32((isnan32(a) ? 0.0f : x) * 32767.0f + TO_INTEGER);
}

static inline uint16_t unorm16(float a)
{
    float x = a > 0.0f ? a : 0.0f;
    return (uint16_t)bits_f32((x > 1.0f ? 1.0f : x) * 65535.0f + TO_INTEGER);
}

V1(v_cvt_norm_i16_f16, VALU, I16, F16, 0, ENC(OP(GFX9, VOP1, 0x4d), OP(GFX10, VOP1, 0x63)))
{
    return (int16_t)snorm16(half_to_f32(a));
}

V1(v_cvt_norm_u16_f16, VALU, U16, F16, 0, ENC(OP(GFX9, VOP1, 0x4e), OP(GFX10, VOP1, 0x64)))
{
    return unorm16(half_to_f32(a));
}

/* --- two results in one register --------------------------------------------------------------------------------- */

static inline uint32_t pair(uint32_t low, uint32_t high)
{
    return (low & 0xffff) | high << 16;
}

V2_ROWS(v_cvt_pkrtz_f16_f32, VALU, PF16, F32, F32, 0, half_rows_pkrtz(d, s0, s1),
        ENC(OP(GFX8, VOP3, 0x296), OP(GFX10, VOP2, 0x2f), AS(GFX11, VOP2, 0x2f, "v_cvt_pk_rtz_f16_f32")))
{
    return pair(half_from_f32(a, 3, false), half_from_f32(b, 3, false));
}

V2(v_cvt_pknorm_i16_f32, VALU, PB16, F32, F32, RF_NO_OMOD,
   ENC(OP(GFX8, VOP3, 0x294), OP(GFX10, VOP3, 0x368), AS(GFX11, VOP3, 0x321, "v_cvt_pk_norm_i16_f32")))
{
    return pair(snorm16(a), snorm16(b));
}

V2(v_cvt_pknorm_u16_f32, VALU, PB16, F32, F32, RF_NO_OMOD,
   ENC(OP(GFX8, VOP3, 0x295), OP(GFX10, VOP3, 0x369), AS(GFX11, VOP3, 0x322, "v_cvt_pk_norm_u16_f32")))
{
    return pair(unorm16(a), unorm16(b));
}

V2(v_cvt_pknorm_i16_f16, VALU, PB16, F16, F16, RF_NO_OMOD,
   ENC(OP(GFX9, VOP3, 0x299), OP(GFX10, VOP3, 0x312), AS(GFX11, VOP3, 0x312, "v_cvt_pk_norm_i16_f16")))
{
    return pair(snorm16(half_to_f32(a)), snorm16(half_to_f32(b)));
}

V2(v_cvt_pknorm_u16_f16, VALU, PB16, F16, F16, RF_NO_OMOD,
   ENC(OP(GFX9, VOP3, 0x29a), OP(GFX10, VOP3, 0x313), AS(GFX11, VOP3, 0x313, "v_cvt_pk_norm_u16_f16")))
{
    return pair(unorm16(half_to_f32(a)), unorm16(half_to_f32(b)));
}

V2(v_cvt_pk_u16_u32, VALU, PB16, U32, U32, 0,
   ENC(OP(GFX8, VOP3, 0x297), OP(GFX10, VOP3, 0x36a), OP(GFX11, VOP3, 0x323)))
{
    return pair(a > 0xffff ? 0xffff : a, b > 0xffff ? 0xffff : b);
}

V2(v_cvt_pk_i16_i32, VALU, PB16, I32, I32, 0,
   ENC(OP(GFX8, VOP3, 0x298), OP(GFX10, VOP3, 0x36b), OP(GFX11, VOP3, 0x324)))
{
    return pair((uint32_t)clamp_i32(a, INT16_MIN, INT16_MAX), (uint32_t)clamp_i32(b, INT16_MIN, INT16_MAX));
}

V2(v_cvt_pk_i16_f32, VALU, PB16, F32, F32, RF_NO_OMOD, ENC(OP(GFX11, VOP3, 0x306)))
{
    return pair((uint32_t)clamp_i32(i32_of(a), INT16_MIN, INT16_MAX),
                (uint32_t)clamp_i32(i32_of(b), INT16_MIN, INT16_MAX));
}

V2(v_cvt_pk_u16_f32, VALU, PB16, F32, F32, RF_NO_OMOD, ENC(OP(GFX11, VOP3, 0x307)))
{
    return pair((uint32_t)clamp_i32(i32_of(a), 0, 0xffff), (uint32_t)clamp_i32(i32_of(b), 0, 0xffff));
}

/* b picks the byte of c that the converted a replaces */
V3(v_cvt_pk_u8_f32, VALU, B32, F32, U32, B32, RF_INT_MODS | RF_NO_OMOD,
   ENC(OP(GFX8, VOP3, 0x1dd), OP(GFX10, VOP3, 0x15e), OP(GFX11, VOP3, 0x226)))
{
    uint32_t shift = (b & 3) * 8, v = (uint32_t)clamp_i32(i32_of(a), 0, 255);
    return (c & ~(0xffu << shift)) | v << shift;
}

/* the same into the destination's own bytes */
V2_ACC(v_cvt_pkaccum_u8_f32, VALU, B32, F32, U32, RF_INT_MODS | RF_NO_OMOD,
       ENC(OP(GFX8, VOP3, 0x1f0), GONE(GFX10, VOP3)))
{
    uint32_t shift = (b & 3) * 8, v = (uint32_t)clamp_i32(i32_of(a), 0, 255);
    return (c & ~(0xffu << shift)) | v << shift;
}

/* two signed halves to two bytes, in the low half of the register */
V1(v_sat_pk_u8_i16, VALU, B16, PB16, 0, ENC(OP(GFX9, VOP1, 0x4f), OP(GFX10, VOP1, 0x62)))
{
    uint32_t low = (uint32_t)clamp_i32((int16_t)a, 0, 255), high = (uint32_t)clamp_i32((int32_t)a >> 16, 0, 255);
    return (uint16_t)(low | high << 8);
}

/* 8-bit floats: OCP (fp8 is e4m3 without infinities, bf8 is e5m2 as IEEE) and gfx942's "fnuz" ones, whose bias is one
 * more, which have no infinity and no -0, and whose one NaN is 0x80. (OCP OFP8 rev. 1.0; CDNA3 ISA)
 */
#ifndef GCNSIM_ISA_FP8_H
#define GCNSIM_ISA_FP8_H

#include "isa/lanes/fp.h"

struct fp8 {
    int mant, bias; /* fraction bits; exponent bias */
    bool fnuz;
};
static const struct fp8 fp8_ocp = {3, 7, false}, bf8_ocp = {2, 15, false};
static const struct fp8 fp8_fnuz = {3, 8, true}, bf8_fnuz = {2, 16, true};

static inline float from_fp8(struct fp8 f, uint32_t v)
{
    uint32_t sign = (v & 0x80) << 24, mag = v & 0x7f;

    if (f.fnuz && (v & 0xff) == 0x80)
        return as_f32(QNAN32);
    if (!f.fnuz && f.mant == 2 && mag >= 0x7c)
        return as_f32(mag & 3 ? QNAN32 : sign | 0x7f800000);
    if (!f.fnuz && f.mant == 3 && mag == 0x7f)
        return as_f32(QNAN32);
    /* the fields moved into a float's place, and the power of two between the biases: exact, denormals included */
    float r = as_f32(mag << (23 - f.mant)) * as_f32((uint32_t)(254 - f.bias) << 23);
    return as_f32(bits_f32(r) | sign);
}

#endif

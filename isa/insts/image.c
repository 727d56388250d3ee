/* Image instructions: loads, stores, atomics, samples, gathers and rays. All are decoded, none is executed: textures
 * and their descriptors, filters and acceleration structures are not modelled, and an image instruction stops the
 * program with "not supported by gcnsim".
 *
 * A row says what its addresses are (IMG_... of isa/table/row.h), from which isa/decode/fields_image.c counts
 * registers: offset, bias, compare value, gradients, coordinates and level of detail (or its lower bound, or mip level)
 * in this order. Opcodes: the first number is of gfx8 to gfx10, the second of gfx11 and gfx12, where nothing else is
 * said. gfx90a has image_sample and what does without a sampler, gfx942 nothing at all.
 */
#include "isa/table/shapes.h"

#define IMAGE_ROW_(NAME, CLS, MEMOP, DATA, PARTS, ARGLIST, ...)                                                        \
    ROW_ENC_(NAME, __VA_ARGS__)                                                                                        \
    ROW_HEAD_(NAME, CLS, ROW_WIDE, 0, IMP_R_EXEC).exec = 0, .mem = {.op = MEM_##MEMOP, .elems = 1},                    \
                                      .image = {IMG_DATA_##DATA, PARTS}, .args = {ARGLIST}, ROW_TAIL_(NAME)

#define ARG_(SLOT, TYPE, FLAGS)                                                                                        \
    {                                                                                                                  \
        SL_##SLOT, T_##TYPE, FLAGS                                                                                     \
    }
/* data, address, descriptor */
#define ARGS_(SLOT, TYPE, FLAGS, DESC) ARG_(SLOT, TYPE, FLAGS), ARG_(ADDR, B32, A_RD), ARG_(SRSRC, DESC, A_RD | A_SGPR)

#define IMAGE_LOAD(NAME, PARTS, ...)                                                                                   \
    IMAGE_ROW_(NAME, VMEM_LOAD, LOAD, MASKED, PARTS, ARGS(ARGS_(VDST, B32, A_WR, B256)), __VA_ARGS__)
#define IMAGE_STORE(NAME, PARTS, ...)                                                                                  \
    IMAGE_ROW_(NAME, VMEM_STORE, STORE, MASKED, PARTS, ARGS(ARGS_(DATA0, B32, A_RD, B256)), __VA_ARGS__)
/* the old value comes back in the data registers */
#define IMAGE_ATOMIC_(NAME, DATA, TYPE, ...)                                                                           \
    IMAGE_ROW_(NAME, VMEM_ATOMIC, ATOMIC, DATA, IMG_NO_D16,                                                            \
               ARGS(ARGS_(DATA0, TYPE, A_RD, B256), ARG_(VDST, TYPE, A_WR | A_IF_RET | A_HIDDEN)), __VA_ARGS__)
#define IMAGE_ATOMIC(NAME, ...)         IMAGE_ATOMIC_(NAME, ATOMIC, B32, __VA_ARGS__)
#define IMAGE_ATOMIC_CMPSWAP(NAME, ...) IMAGE_ATOMIC_(NAME, CMPSWAP, B64, __VA_ARGS__)

/* --- without a sampler ------------------------------------------------------------------------------------------ */

enum { IMG_GRADIENTS_16 = IMG_GRADIENTS | IMG_HALF_GRADIENTS };

/* clang-format off */
#define ENC_IMAGE(OLD, NEW)                                                                                            \
    OP(GFX8, MIMG, OLD), GONE(GFX942, MIMG), OP(GFX10, MIMG, OLD), OP(GFX11, MIMG, NEW), OP(GFX12, VIMAGE, NEW)

IMAGE_LOAD(image_load, 0, ENC_IMAGE(0x00, 0x00))
IMAGE_LOAD(image_load_mip, IMG_LOD, ENC_IMAGE(0x01, 0x01))
IMAGE_LOAD(image_load_pck, IMG_NO_D16, ENC_IMAGE(0x02, 0x02))
IMAGE_LOAD(image_load_pck_sgn, IMG_NO_D16, ENC_IMAGE(0x03, 0x03))
IMAGE_LOAD(image_load_mip_pck, IMG_LOD | IMG_NO_D16, ENC_IMAGE(0x04, 0x04))
IMAGE_LOAD(image_load_mip_pck_sgn, IMG_LOD | IMG_NO_D16, ENC_IMAGE(0x05, 0x05))
IMAGE_STORE(image_store, 0, ENC_IMAGE(0x08, 0x06))
IMAGE_STORE(image_store_mip, IMG_LOD, ENC_IMAGE(0x09, 0x07))
IMAGE_STORE(image_store_pck, IMG_NO_D16, ENC_IMAGE(0x0a, 0x08))
IMAGE_STORE(image_store_mip_pck, IMG_LOD | IMG_NO_D16, ENC_IMAGE(0x0b, 0x09))
IMAGE_LOAD(image_get_resinfo, IMG_LOD | IMG_NO_COORDS | IMG_NO_D16, ENC_IMAGE(0x0e, 0x17))

/* one sample per dmask bit on gfx10.3, four samples from gfx11 on */
IMAGE_LOAD(image_msaa_load, 0, ENC(OP(GFX10_3, MIMG, 0x80), GONE(GFX11, MIMG)))
#define ENC_MSAA AS(GFX11, MIMG, 0x18, "image_msaa_load"), AS(GFX12, VSAMPLE, 0x18, "image_msaa_load")
IMAGE_ROW_(image_msaa_load_4, VMEM_LOAD, LOAD, FOUR, 0, ARGS(ARGS_(VDST, B128, A_WR, B256)), ENC_MSAA)

#define ENC_ATOMIC(OLD, GFX10_, NEW)                                                                                   \
    OP(GFX8, MIMG, OLD), GONE(GFX942, MIMG), OP(GFX10, MIMG, GFX10_), OP(GFX11, MIMG, NEW)
#define ENC_ATOMIC_12(OLD, GFX10_, NEW, NAME) ENC_ATOMIC(OLD, GFX10_, NEW), AS(GFX12, VIMAGE, NEW, NAME)

IMAGE_ATOMIC(image_atomic_swap, ENC_ATOMIC(0x10, 0x0f, 0x0a), OP(GFX12, VIMAGE, 0x0a))
IMAGE_ATOMIC_CMPSWAP(image_atomic_cmpswap, ENC_ATOMIC(0x11, 0x10, 0x0b), OP(GFX12, VIMAGE, 0x0b))
IMAGE_ATOMIC(image_atomic_add, ENC_ATOMIC_12(0x12, 0x11, 0x0c, "image_atomic_add_uint"))
IMAGE_ATOMIC(image_atomic_sub, ENC_ATOMIC_12(0x13, 0x12, 0x0d, "image_atomic_sub_uint"))
IMAGE_ATOMIC(image_atomic_smin, ENC_ATOMIC_12(0x14, 0x14, 0x0e, "image_atomic_min_int"))
IMAGE_ATOMIC(image_atomic_umin, ENC_ATOMIC_12(0x15, 0x15, 0x0f, "image_atomic_min_uint"))
IMAGE_ATOMIC(image_atomic_smax, ENC_ATOMIC_12(0x16, 0x16, 0x10, "image_atomic_max_int"))
IMAGE_ATOMIC(image_atomic_umax, ENC_ATOMIC_12(0x17, 0x17, 0x11, "image_atomic_max_uint"))
IMAGE_ATOMIC(image_atomic_and, ENC_ATOMIC(0x18, 0x18, 0x12), OP(GFX12, VIMAGE, 0x12))
IMAGE_ATOMIC(image_atomic_or, ENC_ATOMIC(0x19, 0x19, 0x13), OP(GFX12, VIMAGE, 0x13))
IMAGE_ATOMIC(image_atomic_xor, ENC_ATOMIC(0x1a, 0x1a, 0x14), OP(GFX12, VIMAGE, 0x14))
IMAGE_ATOMIC(image_atomic_inc, ENC_ATOMIC_12(0x1b, 0x1b, 0x15, "image_atomic_inc_uint"))
IMAGE_ATOMIC(image_atomic_dec, ENC_ATOMIC_12(0x1c, 0x1c, 0x16, "image_atomic_dec_uint"))
IMAGE_ATOMIC_CMPSWAP(image_atomic_fcmpswap, OP(GFX10, MIMG, 0x1d), GONE(GFX11, MIMG))
IMAGE_ATOMIC(image_atomic_fmin, OP(GFX10, MIMG, 0x1e), GONE(GFX11, MIMG), AS(GFX12, VIMAGE, 0x84, "image_atomic_min_flt"))
IMAGE_ATOMIC(image_atomic_fmax, OP(GFX10, MIMG, 0x1f), GONE(GFX11, MIMG), AS(GFX12, VIMAGE, 0x85, "image_atomic_max_flt"))
IMAGE_ATOMIC(image_atomic_add_flt, OP(GFX12, VIMAGE, 0x83))
IMAGE_ATOMIC(image_atomic_pk_add_f16, OP(GFX12, VIMAGE, 0x86))
IMAGE_ATOMIC(image_atomic_pk_add_bf16, OP(GFX12, VIMAGE, 0x87))

/* --- samples ---------------------------------------------------------------------------------------------------- */

#define IMAGE_SAMPLED_(NAME, DATA, TYPE, PARTS, ...)                                                                   \
    IMAGE_ROW_(NAME, VMEM_LOAD, LOAD, DATA, IMG_SAMPLER | (PARTS),                                                     \
               ARGS(ARGS_(VDST, TYPE, A_WR, B256), ARG_(SSAMP, B128, A_RD | A_SGPR)), __VA_ARGS__)
#define ENC_SAMPLE_OLD(OLD)  OP(GFX8, MIMG, OLD), GONE(GFX90A, MIMG), OP(GFX10, MIMG, OLD)
#define ENC_SAMPLE_NEW(NEW)  OP(GFX11, MIMG, NEW), OP(GFX12, VSAMPLE, NEW)
#define IMAGE_SAMPLE(NAME, PARTS, OLD, NEW)                                                                            \
    IMAGE_SAMPLED_(NAME, MASKED, B32, PARTS, ENC_SAMPLE_OLD(OLD), ENC_SAMPLE_NEW(NEW))
#define IMAGE_SAMPLE_G16(NAME, PARTS, OLD, NEW)                                                                        \
    IMAGE_SAMPLED_(NAME, MASKED, B32, PARTS, OP(GFX10, MIMG, OLD), ENC_SAMPLE_NEW(NEW))
/* coarse derivatives */
#define IMAGE_SAMPLE_CD(NAME, PARTS, OLD)                                                                              \
    IMAGE_SAMPLED_(NAME, MASKED, B32, PARTS, ENC_SAMPLE_OLD(OLD), GONE(GFX11, MIMG))
#define IMAGE_SAMPLE_CD_G16(NAME, PARTS, OLD)                                                                          \
    IMAGE_SAMPLED_(NAME, MASKED, B32, PARTS, OP(GFX10, MIMG, OLD), GONE(GFX11, MIMG))
#define IMAGE_GATHER4(NAME, PARTS, OLD, NEW)                                                                           \
    IMAGE_SAMPLED_(NAME, FOUR, B128, PARTS, ENC_SAMPLE_OLD(OLD), ENC_SAMPLE_NEW(NEW))
#define IMAGE_GATHER4_OLD(NAME, PARTS, OLD)                                                                            \
    IMAGE_SAMPLED_(NAME, FOUR, B128, PARTS, ENC_SAMPLE_OLD(OLD), GONE(GFX11, MIMG))

IMAGE_SAMPLED_(image_sample, MASKED, B32, 0,
               ENC(OP(GFX8, MIMG, 0x20), GONE(GFX942, MIMG), OP(GFX10, MIMG, 0x20), ENC_SAMPLE_NEW(0x1b)))
IMAGE_SAMPLE(image_sample_cl, IMG_LOD, 0x21, 0x40)
IMAGE_SAMPLE(image_sample_d, IMG_GRADIENTS, 0x22, 0x1c)
IMAGE_SAMPLE(image_sample_d_cl, IMG_GRADIENTS | IMG_LOD, 0x23, 0x41)
IMAGE_SAMPLE(image_sample_l, IMG_LOD, 0x24, 0x1d)
IMAGE_SAMPLE(image_sample_b, IMG_BIAS, 0x25, 0x1e)
IMAGE_SAMPLE(image_sample_b_cl, IMG_BIAS | IMG_LOD, 0x26, 0x42)
IMAGE_SAMPLE(image_sample_lz, 0, 0x27, 0x1f)
IMAGE_SAMPLE(image_sample_c, IMG_COMPARE, 0x28, 0x20)
IMAGE_SAMPLE(image_sample_c_cl, IMG_COMPARE | IMG_LOD, 0x29, 0x43)
IMAGE_SAMPLE(image_sample_c_d, IMG_COMPARE | IMG_GRADIENTS, 0x2a, 0x21)
IMAGE_SAMPLE(image_sample_c_d_cl, IMG_COMPARE | IMG_GRADIENTS | IMG_LOD, 0x2b, 0x44)
IMAGE_SAMPLE(image_sample_c_l, IMG_COMPARE | IMG_LOD, 0x2c, 0x22)
IMAGE_SAMPLE(image_sample_c_b, IMG_COMPARE | IMG_BIAS, 0x2d, 0x23)
IMAGE_SAMPLE(image_sample_c_b_cl, IMG_COMPARE | IMG_BIAS | IMG_LOD, 0x2e, 0x45)
IMAGE_SAMPLE(image_sample_c_lz, IMG_COMPARE, 0x2f, 0x24)
IMAGE_SAMPLE(image_sample_o, IMG_OFFSET, 0x30, 0x25)
IMAGE_SAMPLE(image_sample_cl_o, IMG_LOD | IMG_OFFSET, 0x31, 0x46)
IMAGE_SAMPLE(image_sample_d_o, IMG_GRADIENTS | IMG_OFFSET, 0x32, 0x26)
IMAGE_SAMPLE(image_sample_d_cl_o, IMG_GRADIENTS | IMG_LOD | IMG_OFFSET, 0x33, 0x47)
IMAGE_SAMPLE(image_sample_l_o, IMG_LOD | IMG_OFFSET, 0x34, 0x27)
IMAGE_SAMPLE(image_sample_b_o, IMG_BIAS | IMG_OFFSET, 0x35, 0x28)
IMAGE_SAMPLE(image_sample_b_cl_o, IMG_BIAS | IMG_LOD | IMG_OFFSET, 0x36, 0x48)
IMAGE_SAMPLE(image_sample_lz_o, IMG_OFFSET, 0x37, 0x29)
IMAGE_SAMPLE(image_sample_c_o, IMG_COMPARE | IMG_OFFSET, 0x38, 0x2a)
IMAGE_SAMPLE(image_sample_c_cl_o, IMG_COMPARE | IMG_LOD | IMG_OFFSET, 0x39, 0x49)
IMAGE_SAMPLE(image_sample_c_d_o, IMG_COMPARE | IMG_GRADIENTS | IMG_OFFSET, 0x3a, 0x2b)
IMAGE_SAMPLE(image_sample_c_d_cl_o, IMG_COMPARE | IMG_GRADIENTS | IMG_LOD | IMG_OFFSET, 0x3b, 0x4a)
IMAGE_SAMPLE(image_sample_c_l_o, IMG_COMPARE | IMG_LOD | IMG_OFFSET, 0x3c, 0x2c)
IMAGE_SAMPLE(image_sample_c_b_o, IMG_COMPARE | IMG_BIAS | IMG_OFFSET, 0x3d, 0x2d)
IMAGE_SAMPLE(image_sample_c_b_cl_o, IMG_COMPARE | IMG_BIAS | IMG_LOD | IMG_OFFSET, 0x3e, 0x4b)
IMAGE_SAMPLE(image_sample_c_lz_o, IMG_COMPARE | IMG_OFFSET, 0x3f, 0x2e)

IMAGE_SAMPLE_G16(image_sample_d_g16, IMG_GRADIENTS_16, 0xa2, 0x39)
IMAGE_SAMPLE_G16(image_sample_d_cl_g16, IMG_GRADIENTS_16 | IMG_LOD, 0xa3, 0x5f)
IMAGE_SAMPLE_G16(image_sample_c_d_g16, IMG_COMPARE | IMG_GRADIENTS_16, 0xaa, 0x3a)
IMAGE_SAMPLE_G16(image_sample_c_d_cl_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_LOD, 0xab, 0x54)
IMAGE_SAMPLE_G16(image_sample_d_o_g16, IMG_GRADIENTS_16 | IMG_OFFSET, 0xb2, 0x3b)
IMAGE_SAMPLE_G16(image_sample_d_cl_o_g16, IMG_GRADIENTS_16 | IMG_LOD | IMG_OFFSET, 0xb3, 0x55)
IMAGE_SAMPLE_G16(image_sample_c_d_o_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_OFFSET, 0xba, 0x3c)
IMAGE_SAMPLE_G16(image_sample_c_d_cl_o_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_LOD | IMG_OFFSET, 0xbb, 0x56)

IMAGE_SAMPLE_CD(image_sample_cd, IMG_GRADIENTS, 0x68)
IMAGE_SAMPLE_CD(image_sample_cd_cl, IMG_GRADIENTS | IMG_LOD, 0x69)
IMAGE_SAMPLE_CD(image_sample_c_cd, IMG_COMPARE | IMG_GRADIENTS, 0x6a)
IMAGE_SAMPLE_CD(image_sample_c_cd_cl, IMG_COMPARE | IMG_GRADIENTS | IMG_LOD, 0x6b)
IMAGE_SAMPLE_CD(image_sample_cd_o, IMG_GRADIENTS | IMG_OFFSET, 0x6c)
IMAGE_SAMPLE_CD(image_sample_cd_cl_o, IMG_GRADIENTS | IMG_LOD | IMG_OFFSET, 0x6d)
IMAGE_SAMPLE_CD(image_sample_c_cd_o, IMG_COMPARE | IMG_GRADIENTS | IMG_OFFSET, 0x6e)
IMAGE_SAMPLE_CD(image_sample_c_cd_cl_o, IMG_COMPARE | IMG_GRADIENTS | IMG_LOD | IMG_OFFSET, 0x6f)
IMAGE_SAMPLE_CD_G16(image_sample_cd_g16, IMG_GRADIENTS_16, 0xe8)
IMAGE_SAMPLE_CD_G16(image_sample_cd_cl_g16, IMG_GRADIENTS_16 | IMG_LOD, 0xe9)
IMAGE_SAMPLE_CD_G16(image_sample_c_cd_g16, IMG_COMPARE | IMG_GRADIENTS_16, 0xea)
IMAGE_SAMPLE_CD_G16(image_sample_c_cd_cl_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_LOD, 0xeb)
IMAGE_SAMPLE_CD_G16(image_sample_cd_o_g16, IMG_GRADIENTS_16 | IMG_OFFSET, 0xec)
IMAGE_SAMPLE_CD_G16(image_sample_cd_cl_o_g16, IMG_GRADIENTS_16 | IMG_LOD | IMG_OFFSET, 0xed)
IMAGE_SAMPLE_CD_G16(image_sample_c_cd_o_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_OFFSET, 0xee)
IMAGE_SAMPLE_CD_G16(image_sample_c_cd_cl_o_g16, IMG_COMPARE | IMG_GRADIENTS_16 | IMG_LOD | IMG_OFFSET, 0xef)

/* --- the four texels of a bilinear sample ------------------------------------------------------------------------- */

IMAGE_GATHER4(image_gather4, 0, 0x40, 0x2f)
IMAGE_GATHER4(image_gather4_cl, IMG_LOD, 0x41, 0x60)
IMAGE_GATHER4(image_gather4_l, IMG_LOD, 0x44, 0x30)
IMAGE_GATHER4(image_gather4_b, IMG_BIAS, 0x45, 0x31)
IMAGE_GATHER4(image_gather4_b_cl, IMG_BIAS | IMG_LOD, 0x46, 0x61)
IMAGE_GATHER4(image_gather4_lz, 0, 0x47, 0x32)
IMAGE_GATHER4(image_gather4_c, IMG_COMPARE, 0x48, 0x33)
IMAGE_GATHER4(image_gather4_c_cl, IMG_COMPARE | IMG_LOD, 0x49, 0x62)
IMAGE_GATHER4(image_gather4_c_l, IMG_COMPARE | IMG_LOD, 0x4c, 0x63)
IMAGE_GATHER4(image_gather4_c_b, IMG_COMPARE | IMG_BIAS, 0x4d, 0x64)
IMAGE_GATHER4(image_gather4_c_b_cl, IMG_COMPARE | IMG_BIAS | IMG_LOD, 0x4e, 0x65)
IMAGE_GATHER4(image_gather4_c_lz, IMG_COMPARE, 0x4f, 0x34)
IMAGE_GATHER4(image_gather4_o, IMG_OFFSET, 0x50, 0x35)
IMAGE_GATHER4(image_gather4_lz_o, IMG_OFFSET, 0x57, 0x36)
IMAGE_GATHER4(image_gather4_c_lz_o, IMG_COMPARE | IMG_OFFSET, 0x5f, 0x37)
IMAGE_GATHER4_OLD(image_gather4_cl_o, IMG_LOD | IMG_OFFSET, 0x51)
IMAGE_GATHER4_OLD(image_gather4_l_o, IMG_LOD | IMG_OFFSET, 0x54)
IMAGE_GATHER4_OLD(image_gather4_b_o, IMG_BIAS | IMG_OFFSET, 0x55)
IMAGE_GATHER4_OLD(image_gather4_b_cl_o, IMG_BIAS | IMG_LOD | IMG_OFFSET, 0x56)
IMAGE_GATHER4_OLD(image_gather4_c_o, IMG_COMPARE | IMG_OFFSET, 0x58)
IMAGE_GATHER4_OLD(image_gather4_c_cl_o, IMG_COMPARE | IMG_LOD | IMG_OFFSET, 0x59)
IMAGE_GATHER4_OLD(image_gather4_c_l_o, IMG_COMPARE | IMG_LOD | IMG_OFFSET, 0x5c)
IMAGE_GATHER4_OLD(image_gather4_c_b_o, IMG_COMPARE | IMG_BIAS | IMG_OFFSET, 0x5d)
IMAGE_GATHER4_OLD(image_gather4_c_b_cl_o, IMG_COMPARE | IMG_BIAS | IMG_LOD | IMG_OFFSET, 0x5e)
IMAGE_SAMPLED_(image_gather4h, FOUR, B128, 0,
               ENC(OP(GFX9, MIMG, 0x42), GONE(GFX90A, MIMG), OP(GFX10, MIMG, 0x61), ENC_SAMPLE_NEW(0x90)))

IMAGE_SAMPLE(image_get_lod, IMG_NO_D16, 0x60, 0x38)

/* --- rays ------------------------------------------------------------------------------------------------------- */

#define IMAGE_RAY(NAME, PARTS, OLD, NEW)                                                                               \
    IMAGE_ROW_(NAME, VMEM_LOAD, LOAD, RAY, PARTS,                                                                      \
               ARGS(ARGS_(VDST, B128, A_WR, B128)),                                                                    \
               OP(GFX10_3, MIMG, OLD), OP(GFX11, MIMG, NEW), OP(GFX12, VIMAGE, NEW))
IMAGE_RAY(image_bvh_intersect_ray, 0, 0xe6, 0x19)
IMAGE_RAY(image_bvh64_intersect_ray, IMG_NODE_64, 0xe7, 0x1a)
/* clang-format on */

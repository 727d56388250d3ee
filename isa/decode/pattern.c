/* Recognises the format of an instruction by its leading bits, for each layout of encodings. AMD ISA manuals (GCN3,
 * Vega, RDNA1-4, CDNA2-3), checked against llvm-mc-19 by tests/golden.
 */
#include "isa/decode/parts.h"

/* clang-format off */
/* the first pattern that fits holds: SOP2 and VOP2 take what the others leave */
#define SHORT \
    {0xff800000, 0xbe800000, FMT_SOP1, 4}, \
    {0xff800000, 0xbf000000, FMT_SOPC, 4}, \
    {0xff800000, 0xbf800000, FMT_SOPP, 4}, \
    {0xf0000000, 0xb0000000, FMT_SOPK, 4}, \
    {0xc0000000, 0x80000000, FMT_SOP2, 4}, \
    {0xfe000000, 0x7e000000, FMT_VOP1, 4}, \
    {0xfe000000, 0x7c000000, FMT_VOPC, 4}, \
    {0x80000000, 0x00000000, FMT_VOP2, 4}
#define UNTIL_GFX11 \
    {0xfc000000, 0xe0000000, FMT_MUBUF, 8}, \
    {0xfc000000, 0xe8000000, FMT_MTBUF, 8}, \
    {0xfc000000, 0xf0000000, FMT_MIMG, 8}, \
    {0xfc000000, 0xdc000000, FMT_FLAT, 8}
#define FROM_GFX10 \
    {0xff800000, 0xcc000000, FMT_VOP3P, 8}, \
    {0xfc000000, 0xd4000000, FMT_VOP3, 8}, \
    {0xfc000000, 0xf4000000, FMT_SMEM, 8}, \
    {0xfc000000, 0xd8000000, FMT_DS, 8}, \
    {0xfc000000, 0xf8000000, FMT_EXP, 8}
#define FROM_GFX11 \
    {0xff000000, 0xcd000000, FMT_VINTERP, 8}, \
    {0xff000000, 0xce000000, FMT_LDSDIR, 4}, \
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8}

static const struct isa_pattern gfx8_patterns[] = {
    SHORT, UNTIL_GFX11,
    {0xff800000, 0xd3800000, FMT_VOP3P, 8},
    {0xfc000000, 0xd0000000, FMT_VOP3, 8},
    {0xfc000000, 0xd4000000, FMT_VINTRP, 4},
    {0xfc000000, 0xc0000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xc4000000, FMT_EXP, 8},
    {0, 0, FMT_COUNT, 0},
};
static const struct isa_pattern gfx10_patterns[] = {
    SHORT, FROM_GFX10, UNTIL_GFX11,
    {0xfc000000, 0xc8000000, FMT_VINTRP, 4},
    {0, 0, FMT_COUNT, 0},
};
static const struct isa_pattern gfx11_patterns[] = {
    SHORT, FROM_GFX10, FROM_GFX11, UNTIL_GFX11,
    {0, 0, FMT_COUNT, 0},
};
static const struct isa_pattern gfx12_patterns[] = {
    SHORT, FROM_GFX10, FROM_GFX11,
    {0xfc000000, 0xc4000000, FMT_VBUFFER, 12},
    {0xfc000000, 0xd0000000, FMT_VIMAGE, 12},
    {0xfc000000, 0xe4000000, FMT_VSAMPLE, 12},
    {0xff000000, 0xec000000, FMT_FLAT, 12},
    {0xff000000, 0xed000000, FMT_SCRATCH, 12},
    {0xff000000, 0xee000000, FMT_GLOBAL, 12},
    {0, 0, FMT_COUNT, 0},
};
static const struct isa_pattern gfx1250_patterns[] = {
    SHORT,
    {0xff000000, 0xcc000000, FMT_VOP3P, 8},
    {0xff000000, 0xcf000000, FMT_VOPD3X, 12},
    {0xfc000000, 0xc8000000, FMT_VOPDX, 8},
    {0xfc000000, 0xd4000000, FMT_VOP3, 8},
    {0xfc000000, 0xf4000000, FMT_SMEM, 8},
    {0xfc000000, 0xd8000000, FMT_DS, 8},
    {0xfc000000, 0xc4000000, FMT_VBUFFER, 12},
    {0xfc000000, 0xd0000000, FMT_TENSOR, 12},
    {0xff000000, 0xec000000, FMT_FLAT, 12},
    {0xff000000, 0xed000000, FMT_SCRATCH, 12},
    {0xff000000, 0xee000000, FMT_GLOBAL, 12},
    {0, 0, FMT_COUNT, 0},
};
/* clang-format on */

static const struct isa_pattern *const layout_patterns[] = {
    [LAYOUT_GFX8] = gfx8_patterns,   [LAYOUT_GFX9] = gfx8_patterns,   [LAYOUT_GFX10] = gfx10_patterns,
    [LAYOUT_GFX11] = gfx11_patterns, [LAYOUT_GFX12] = gfx12_patterns,
};

void isa_fill_encodings(struct isa_target *t)
{
    const struct isa_pattern *all = isa_has(t, FEAT_COMPUTE_ONLY) ? gfx1250_patterns : layout_patterns[t->layout];

    t->patterns = all;

    for (uint32_t top = 0; top < 512; top++) { /* no pattern looks at more than nine bits */
        unsigned k = 0;
        while (all[k].bytes && (top << 23 & all[k].mask) != all[k].match)
            k++;
        t->encoding[top] = (uint8_t)k;
    }
}

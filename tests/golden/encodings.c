/* Generates machine words for each format of each instruction set: leading bits, the field of the opcode, and operands
 * at random or at the corners of their fields. The layouts are those of the ISA manuals, written down apart from isa/.
 */
#include "tests/golden/encodings.h"

#include <string.h>

/* fixed: the bits of word 0 that make the format, opcode aside. */
struct encoding_format {
    uint32_t match, fixed;
    uint8_t shift, bits, words;
    enum { PLAIN, VOP, VOPC_, VOP3_, VOPD_, SCALED_, WIDE_SCALED_ } shape;
};

#define SOPS                                                                                                           \
    {0xbe800000, 0xff800000, 8, 8, 1, PLAIN}, {0xbf000000, 0xff800000, 16, 7, 1, PLAIN},                               \
        {0xbf800000, 0xff800000, 16, 7, 1, PLAIN}, {0xb0000000, 0xf0000000, 23, 5, 1, PLAIN},                          \
        {0x80000000, 0xc0000000, 23, 7, 1, PLAIN}, {0x7e000000, 0xfe000000, 9, 8, 1, VOP},                             \
        {0x7c000000, 0xfe000000, 17, 8, 1, VOPC_},                                                                     \
    {                                                                                                                  \
        0x00000000, 0x80000000, 25, 6, 1, VOP                                                                          \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        0, 0, 0, 0, 0, PLAIN                                                                                           \
    }

/* clang-format off */
#define GFX8_FORMATS \
    SOPS, {0xd0000000, 0xfc000000, 16, 10, 2, VOP3_},  {0xd3800000, 0xff800000, 16, 7, 2, VOP3_}, \
        {0xc0000000, 0xfc000000, 18, 8, 2, PLAIN},   {0xd4000000, 0xfc000000, 16, 2, 1, PLAIN}, \
        {0xd8000000, 0xfc000000, 17, 8, 2, PLAIN},   {0xe0000000, 0xfc000000, 18, 7, 2, PLAIN}, \
        {0xe8000000, 0xfc000000, 15, 4, 2, PLAIN},   {0xf0000000, 0xfc000000, 18, 7, 2, PLAIN}, \
        {0xc4000000, 0xfc000000, 0, 0, 2, PLAIN},    {0xdc000000, 0xfc00c000, 18, 7, 2, PLAIN}, \
        {0xdc004000, 0xfc00c000, 18, 7, 2, PLAIN},   {0xdc008000, 0xfc00c000, 18, 7, 2, PLAIN}

static const struct encoding_format gfx950[] = {
    GFX8_FORMATS, {0xd3ac0000, 0xffff0000, 0, 0, 2, SCALED_}, END};
static const struct encoding_format gfx8[] = {GFX8_FORMATS, END};
static const struct encoding_format gfx10[] = {
    SOPS,
    {0xd4000000, 0xfc000000, 16, 10, 2, VOP3_},  {0xcc000000, 0xff800000, 16, 7, 2, VOP3_},
    {0xf4000000, 0xfc000000, 18, 8, 2, PLAIN},   {0xc8000000, 0xfc000000, 16, 2, 1, PLAIN},
    {0xd8000000, 0xfc000000, 18, 8, 2, PLAIN},   {0xe0000000, 0xfc000000, 18, 8, 2, PLAIN},
    {0xe8000000, 0xfc000000, 16, 3, 2, PLAIN},   {0xf0000000, 0xfc000000, 18, 7, 2, PLAIN},
    {0xf0000001, 0xfc000001, 18, 7, 2, PLAIN},   {0xf8000000, 0xfc000000, 0, 0, 2, PLAIN},
    {0xdc000000, 0xfc00c000, 18, 7, 2, PLAIN},   {0xdc004000, 0xfc00c000, 18, 7, 2, PLAIN},
    {0xdc008000, 0xfc00c000, 18, 7, 2, PLAIN},
    END};
static const struct encoding_format gfx11[] = {
    SOPS,
    {0xd4000000, 0xfc000000, 16, 10, 2, VOP3_},  {0xcc000000, 0xff800000, 16, 7, 2, VOP3_},
    {0xcd000000, 0xff000000, 16, 7, 2, VOP3_},   {0xce000000, 0xff000000, 20, 2, 1, PLAIN},
    {0xc8000000, 0xfc000000, 17, 9, 2, VOPD_},   {0xf4000000, 0xfc000000, 18, 8, 2, PLAIN},
    {0xd8000000, 0xfc000000, 18, 8, 2, PLAIN},   {0xe0000000, 0xfc000000, 18, 8, 2, PLAIN},
    {0xe8000000, 0xfc000000, 15, 4, 2, PLAIN},   {0xf0000000, 0xfc000000, 18, 8, 2, PLAIN},
    {0xf0000001, 0xfc000001, 18, 8, 2, PLAIN},   {0xf8000000, 0xfc000000, 0, 0, 2, PLAIN},
    {0xdc000000, 0xfc030000, 18, 7, 2, PLAIN},   {0xdc010000, 0xfc030000, 18, 7, 2, PLAIN},
    {0xdc020000, 0xfc030000, 18, 7, 2, PLAIN},
    END};
#define GFX12_FORMATS \
    SOPS, \
    {0xd4000000, 0xfc000000, 16, 10, 2, VOP3_},  {0xcc000000, 0xff800000, 16, 7, 2, VOP3_}, \
    {0xcd000000, 0xff000000, 16, 7, 2, VOP3_},   {0xce000000, 0xff000000, 20, 2, 1, PLAIN}, \
    {0xc8000000, 0xfc000000, 17, 9, 2, VOPD_},   {0xf4000000, 0xfc000000, 13, 6, 2, PLAIN}, \
    {0xd8000000, 0xfc000000, 18, 8, 2, PLAIN},   {0xc4000000, 0xfc000000, 14, 8, 3, PLAIN}, \
    {0xd0000000, 0xfc000000, 14, 8, 3, PLAIN},   {0xe4000000, 0xfc000000, 14, 8, 3, PLAIN}, \
    {0xec000000, 0xff000000, 14, 8, 3, PLAIN},   {0xed000000, 0xff000000, 14, 8, 3, PLAIN}, \
    {0xee000000, 0xff000000, 14, 8, 3, PLAIN},   {0xf8000000, 0xfc000000, 0, 0, 2, PLAIN},
static const struct encoding_format gfx12[] = {GFX12_FORMATS END};
static const struct encoding_format gfx1250[] = {
    GFX12_FORMATS
    {0xcc800000, 0xff800000, 16, 7, 2, VOP3_},   {0xcf000000, 0xff000000, 18, 6, 3, VOPD_},
    {0xcc350000, 0xffff9400, 8, 2, 2, WIDE_SCALED_}, {0xcc3a0000, 0xffff9400, 8, 2, 2, WIDE_SCALED_},
    END};
/* clang-format on */

static const struct encoding_format *formats_of(const char *target)
{
    return !strcmp(target, "gfx950")       ? gfx950
           : !strncmp(target, "gfx125", 6) ? gfx1250
           : !strncmp(target, "gfx12", 5)  ? gfx12
           : !strncmp(target, "gfx11", 5)  ? gfx11
           : !strncmp(target, "gfx10", 5)  ? gfx10
                                           : gfx8;
}

static uint32_t rnd(struct encodings *g)
{
    g->rng = g->rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(g->rng >> 33) * 2654435761u ^ (uint32_t)(g->rng >> 20);
}

/* Few bits, more bits, none or any. */
static uint32_t pick(struct encodings *g)
{
    uint32_t r = rnd(g);

    switch (rnd(g) & 3) {
    case 0:
        return r & rnd(g);
    case 1:
        return r & rnd(g) & rnd(g);
    case 2:
        return 0;
    default:
        return r;
    }
}

static uint32_t corner_source(struct encodings *g)
{
    static const uint16_t corner[] = {256, 257, 300, 511, 0,   4,   5,   8,   100, 101, 105, 106, 107,
                                      108, 112, 123, 124, 125, 126, 127, 128, 129, 192, 193, 208, 209,
                                      235, 240, 247, 248, 249, 250, 251, 253, 254, 255, 233, 234};

    switch (rnd(g) & 3) {
    case 0:
        return corner[rnd(g) % (sizeof corner / sizeof corner[0])];
    case 1:
        return rnd(g) & 511;
    default:
        return 256 + (rnd(g) & 255);
    }
}

/* The word after VOP1, VOP2 and VOPC: SDWA, DPP16, DPP8 or a literal, as src0 announces. */
static void second_word(struct encodings *g, uint32_t *w)
{
    static const uint16_t announce[] = {249, 250, 233, 234, 255};
    static const uint16_t ctrl[] = {0x000, 0x01b, 0x0e4, 0x101, 0x11f, 0x121, 0x130, 0x134, 0x138, 0x13c,
                                    0x140, 0x141, 0x142, 0x143, 0x150, 0x15f, 0x160, 0x16f, 0x100, 0x170};
    static const uint32_t literals[] = {0,          1,          64,         65,         0xfffffff0, 0xffffffef,
                                        0x3f800000, 0xc0800000, 0x3e22f983, 0x3c00,     0x3118,     0xbc00,
                                        0xffff,     0x8000,     0x3ff00000, 0x12345678, 0xffffc400, 0x00400040};
    unsigned kind = rnd(g) % 5;

    w[0] = (w[0] & ~0x1ffu) | announce[kind];
    if (kind == 0 && (rnd(g) & 3)) {
        w[1] = (w[1] & ~0x070f0000u) | rnd(g) % 7 << 16 | rnd(g) % 7 << 24;
        if (rnd(g) & 1)
            w[1] = (w[1] & ~0x1f00u) | rnd(g) % 7 << 8 | rnd(g) % 3 << 11;
    } else if (kind == 1) {
        w[1] = (w[1] & ~0x1ff00u) | (uint32_t)ctrl[rnd(g) % 20] << 8;
    } else if (kind == 4 && (rnd(g) & 1)) {
        w[1] = literals[rnd(g) % 18];
    }
}

static void shape(struct encodings *g, const struct encoding_format *f, uint32_t *w)
{
    switch (f->shape) {
    case VOP:
    case VOPC_:
        if (rnd(g) & 1)
            second_word(g, w);
        else
            w[0] = (w[0] & ~0x1ffu) | corner_source(g);
        break;
    case VOP3_:
        if (rnd(g) & 1) {
            uint32_t b = rnd(g) & 1 ? corner_source(g) : 0, c = rnd(g) & 1 ? corner_source(g) : 0;
            w[1] = (rnd(g) & 1 ? pick(g) & 0xf8000000u : 0) | corner_source(g) | b << 9 | c << 18;
        }
        if (!(rnd(g) & 3))
            w[1] = (w[1] & ~0x1ffu) | (rnd(g) & 1 ? 250 : 233 + (rnd(g) & 1));
        break;
    case VOPD_:
        if (rnd(g) & 1)
            w[0] |= 0x100;
        if (rnd(g) & 1)
            w[1] |= 0x100;
        if (!(rnd(g) & 7))
            w[0] |= 0xff;
        break;
    case SCALED_: /* and a matrix instruction with scales after it */
        w[1] = corner_source(g) | (256 + (rnd(g) & 255)) << 9 | (pick(g) & 0xfffc0000);
        w[2] = 0xd3ad0800 | (rnd(g) & 1) << 16 | (w[2] & 0x87ff);
        w[3] = (w[3] & 0xf8000000) | corner_source(g) | (256 + (rnd(g) & 255)) << 9 | corner_source(g) << 18;
        break;
    case WIDE_SCALED_: /* the same of gfx1250 */
        w[1] = corner_source(g) | corner_source(g) << 9 | 0x04000000 | (pick(g) & 0x68000000);
        w[2] = rnd(g) & 1 ? 0xcc330000 | (w[2] & 0x7cff) : 0xcc884000 | (w[2] & 0x4ff);
        w[3] = corner_source(g) | corner_source(g) << 9 | corner_source(g) << 18 |
               (w[2] & 0x80000 ? 0x18000000 : pick(g) & 0x18000000) | (pick(g) & 0x80000000);
        break;
    case PLAIN:
        break;
    }
}

static void store(uint8_t *bytes, const uint32_t *w, unsigned words)
{
    for (unsigned k = 0; k < 4 * words; k++)
        bytes[k] = (uint8_t)(w[k / 4] >> 8 * (k % 4));
}

void encodings_start(struct encodings *g, const char *target, uint64_t seed)
{
    *g = (struct encodings){formats_of(target), seed * 2 + 1, 0, 0};
}

unsigned encodings_walk(struct encodings *g, uint8_t bytes[ENCODING_BYTES])
{
    const struct encoding_format *f = &g->formats[g->at_format];
    uint32_t w[ENCODING_BYTES / 4], opcode = ((1u << f->bits) - 1) << f->shift;

    for (unsigned k = 0; k < ENCODING_BYTES / 4; k++)
        w[k] = pick(g);
    w[0] = (w[0] & ~(f->fixed | opcode)) | f->match | g->at_opcode << f->shift;
    shape(g, f, w);
    store(bytes, w, ENCODING_BYTES / 4);
    if (++g->at_opcode >> f->bits) {
        g->at_opcode = 0;
        if (!f[1].words)
            g->at_format = 0;
        else
            g->at_format++;
    }
    return ENCODING_BYTES;
}

void encodings_jump(struct encodings *g)
{
    unsigned n = 0;

    while (g->formats[n].words)
        n++;
    g->at_format = rnd(g) % n;
    g->at_opcode = rnd(g) & ((1u << g->formats[g->at_format].bits) - 1);
}

unsigned encodings_random(struct encodings *g, uint8_t bytes[ENCODING_BYTES])
{
    uint32_t w[ENCODING_BYTES / 4] = {0};
    unsigned words = 1 + rnd(g) % 3, n = 0;

    for (unsigned k = 0; k < words; k++)
        w[k] = rnd(g);
    if (rnd(g) & 1) {
        while (g->formats[n].words)
            n++;
        const struct encoding_format *f = &g->formats[rnd(g) % n];
        w[0] = (w[0] & ~f->fixed) | f->match;
    }
    store(bytes, w, ENCODING_BYTES / 4);
    return 4 * words;
}

unsigned encodings_flip(struct encodings *g, uint64_t index, uint8_t bytes[ENCODING_BYTES])
{
    static const uint32_t second[][2] = {{0, 0}, {0x04020100 | 1u << 8, 0}, {1u << 8 | 0x101u << 9 | 0x102u << 18, 0}};

    for (const struct encoding_format *f = g->formats; f->words; f++) {
        unsigned shapes = f->words > 1 ? 3 : 1, flips = 32u * f->words + 1;
        uint64_t here = ((uint64_t)shapes * flips) << f->bits;
        if (index >= here) {
            index -= here;
            continue;
        }
        unsigned flip = (unsigned)(index % flips), which = (unsigned)(index / flips % shapes);
        uint32_t opcode = (uint32_t)(index / flips / shapes);
        uint32_t w[ENCODING_BYTES / 4] = {f->match | opcode << f->shift, second[which][0], second[which][1]};
        if (flip < 32u * f->words)
            w[flip / 32] ^= 1u << flip % 32;
        store(bytes, w, ENCODING_BYTES / 4);
        return ENCODING_BYTES;
    }
    return 0;
}

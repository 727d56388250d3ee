/* Tables of the buffer data formats and of the numbers that name them (isa/table/format.h). */
#include "isa/table/format.h"

const struct isa_data_format isa_data_formats[16] = {
    [0] = {.name = "INVALID"},
    [1] = {"8", 1, 1, false, 0x3f, 0x3f, {8}},
    [2] = {"16", 2, 1, false, 0x7f, 0x7f, {16}},
    [3] = {"8_8", 2, 2, false, 0x3f, 0x3f, {8, 8}},
    [4] = {"32", 4, 1, false, 0x70, 0x70, {32}},
    [5] = {"16_16", 4, 2, false, 0x7f, 0x7f, {16, 16}},
    [6] = {"10_11_11", 4, 3, true, 0x7f, 0x40, {11, 11, 10}},
    [7] = {"11_11_10", 4, 3, true, 0x7f, 0x40, {10, 11, 11}},
    [8] = {"10_10_10_2", 4, 4, true, 0x3f, 0x33, {2, 10, 10, 10}},
    [9] = {"2_10_10_10", 4, 4, true, 0x3f, 0x3f, {10, 10, 10, 2}},
    [10] = {"8_8_8_8", 4, 4, false, 0x3f, 0x3f, {8, 8, 8, 8}},
    [11] = {"32_32", 8, 2, false, 0x70, 0x70, {32, 32}},
    [12] = {"16_16_16_16", 8, 4, false, 0x7f, 0x7f, {16, 16, 16, 16}},
    [13] = {"32_32_32", 12, 3, false, 0x70, 0x70, {32, 32, 32}},
    [14] = {"32_32_32_32", 16, 4, false, 0x70, 0x70, {32, 32, 32, 32}},
    [15] = {.name = "RESERVED_15"},
};

bool isa_split_format(unsigned dfmt, unsigned nfmt)
{
    return nfmt != NF_RESERVED && (isa_data_formats[dfmt].numbers >> (nfmt == NF_FLOAT ? 6 : nfmt) & 1);
}

bool isa_unified_format(const struct isa_target *t, unsigned format, unsigned *dfmt, unsigned *nfmt)
{
    unsigned at = 1;

    for (unsigned d = 1; format && d < 15; d++) {
        const struct isa_data_format *f = &isa_data_formats[d];
        unsigned numbers = t->layout == LAYOUT_GFX10 ? f->numbers : f->numbers_gfx11;
        for (unsigned n = 0; n < 7; n++) {
            if (!(numbers >> n & 1) || at++ != format)
                continue;
            *dfmt = d;
            *nfmt = n == 6 ? NF_FLOAT : n;
            return true;
        }
    }
    return false;
}

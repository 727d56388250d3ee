/* The numbers of operands in encodings. */
#ifndef GCNSIM_ISA_CODES_H
#define GCNSIM_ISA_CODES_H

/* Source operand codes, as in the hardware's 9-bit source field; VGPR n is 256 + n. SGPRs are 0..105. */
enum {
    CODE_VCC_LO = 106,
    CODE_VCC_HI = 107,
    CODE_EXEC_LO = 126,
    CODE_EXEC_HI = 127,
    CODE_INT_0 = 128,
    CODE_INT_64 = 192,
    CODE_INT_M16 = 208,
    CODE_FLAT_SCRATCH_LO = 230, /* SCRATCH_GLOBAL */
    CODE_FLAT_SCRATCH_HI = 231,
    CODE_DPP8 = 233,
    CODE_DPP8_FI = 234,
    CODE_SHARED_BASE = 235,
    CODE_SHARED_LIMIT = 236,
    CODE_PRIVATE_BASE = 237,
    CODE_PRIVATE_LIMIT = 238,
    CODE_POPS = 239,
    CODE_FLOAT_HALF = 240,
    CODE_INV_2PI = 248,
    CODE_SDWA = 249,
    CODE_LITERAL64 = 249, /* in operands, where SDWA never stands: the encoding has 254 */
    CODE_DPP16 = 250,
    CODE_VCCZ = 251,
    CODE_EXECZ = 252,
    CODE_SCC = 253,
    CODE_LDS_DIRECT = 254,
    CODE_LITERAL = 255,
    CODE_VGPR = 256,
    CODE_NONE = 0xffff,
};

#endif

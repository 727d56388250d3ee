/* What limits a run: a kernel built for each class, on a GCN-like and an RDNA chip. Code words are of llvm-mc 19; the
 * comment before them says what the kernel does. s[0:1] is the address of a buffer of zeros, s2 the workgroup. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/timing/limiter_kernels.h"

/* independent multiply-adds */
static const uint32_t valu_gfx90a[] = {
    0xb0040028, 0xd1cb0004, 0x04120501, 0xd1cb0005, 0x04160501, 0xd1cb0006, 0x041a0501, 0xd1cb0007, 0x041e0501,
    0xd1cb0008, 0x04220501, 0xd1cb0009, 0x04260501, 0xd1cb000a, 0x042a0501, 0xd1cb000b, 0x042e0501, 0xd1cb000c,
    0x04320501, 0xd1cb000d, 0x04360501, 0xd1cb000e, 0x043a0501, 0xd1cb000f, 0x043e0501, 0xd1cb0004, 0x04120501,
    0xd1cb0005, 0x04160501, 0xd1cb0006, 0x041a0501, 0xd1cb0007, 0x041e0501, 0xd1cb0008, 0x04220501, 0xd1cb0009,
    0x04260501, 0xd1cb000a, 0x042a0501, 0xd1cb000b, 0x042e0501, 0xd1cb000c, 0x04320501, 0xd1cb000d, 0x04360501,
    0xd1cb000e, 0x043a0501, 0xd1cb000f, 0x043e0501, 0x80848104, 0xbf078004, 0xbf85ffcd, 0xbf810000};
/* independent multiply-adds */
static const uint32_t valu_gfx1100[] = {
    0xb0040028, 0xd6130004, 0x04120501, 0xd6130005, 0x04160501, 0xd6130006, 0x041a0501, 0xd6130007, 0x041e0501,
    0xd6130008, 0x04220501, 0xd6130009, 0x04260501, 0xd613000a, 0x042a0501, 0xd613000b, 0x042e0501, 0xd613000c,
    0x04320501, 0xd613000d, 0x04360501, 0xd613000e, 0x043a0501, 0xd613000f, 0x043e0501, 0xd6130004, 0x04120501,
    0xd6130005, 0x04160501, 0xd6130006, 0x041a0501, 0xd6130007, 0x041e0501, 0xd6130008, 0x04220501, 0xd6130009,
    0x04260501, 0xd613000a, 0x042a0501, 0xd613000b, 0x042e0501, 0xd613000c, 0x04320501, 0xd613000d, 0x04360501,
    0xd613000e, 0x043a0501, 0xd613000f, 0x043e0501, 0x80848104, 0xbf078004, 0xbfa2ffcd, 0xbfb00000};
/* independent matrix instructions */
static const uint32_t matrix_gfx90a[] = {0xb0040014, 0xd3cc8000, 0x04020500, 0xd3cc8010, 0x04420500, 0xd3cc8020,
                                         0x04820500, 0x80848104, 0xbf078004, 0xbf85fff7, 0xbf810000};
/* independent matrix instructions */
static const uint32_t matrix_gfx1100[] = {0xb0040028, 0xcc404020, 0x1c821100, 0xcc404028, 0x1ca21100,
                                          0xcc404030, 0x1cc21100, 0xcc404038, 0x1ce21100, 0x80848104,
                                          0xbf078004, 0xbfa2fff5, 0xbfb00000};
/* independent scalar instructions */
static const uint32_t salu_gfx90a[] = {0xb0040028, 0x80080706, 0x80090706, 0x800a0706, 0x800b0706, 0x800c0706,
                                       0x800d0706, 0x800e0706, 0x800f0706, 0x80080706, 0x80090706, 0x800a0706,
                                       0x800b0706, 0x800c0706, 0x800d0706, 0x800e0706, 0x800f0706, 0x80080706,
                                       0x80090706, 0x800a0706, 0x800b0706, 0x800c0706, 0x800d0706, 0x800e0706,
                                       0x800f0706, 0x80848104, 0xbf078004, 0xbf85ffe5, 0xbf810000};
/* independent scalar instructions */
static const uint32_t salu_gfx1100[] = {0xb0040028, 0x80080706, 0x80090706, 0x800a0706, 0x800b0706, 0x800c0706,
                                        0x800d0706, 0x800e0706, 0x800f0706, 0x80080706, 0x80090706, 0x800a0706,
                                        0x800b0706, 0x800c0706, 0x800d0706, 0x800e0706, 0x800f0706, 0x80080706,
                                        0x80090706, 0x800a0706, 0x800b0706, 0x800c0706, 0x800d0706, 0x800e0706,
                                        0x800f0706, 0x80848104, 0xbf078004, 0xbfa2ffe5, 0xbfb00000};
/* reads memory from end to end */
static const uint32_t stream_gfx90a[] = {0x8e058f02, 0x24020084, 0x68020205, 0xb0040008, 0xdc5c8000,
                                         0x04000001, 0xdc5c8400, 0x08000001, 0xdc5c8800, 0x0c000001,
                                         0xdc5c8c00, 0x10000001, 0x680202ff, 0x00001000, 0xbf8c0f74,
                                         0x80848104, 0xbf078004, 0xbf85fff2, 0xbf810000};
/* reads memory from end to end */
static const uint32_t stream_gfx1100[] = {0x84058e02, 0x30020084, 0x4a020205, 0xb0040008, 0xdc5e0000,
                                          0x04000001, 0xdc5e0200, 0x08000001, 0xdc5e0400, 0x0c000001,
                                          0xdc5e0600, 0x10000001, 0x4a0202ff, 0x00000800, 0xbf8913f7,
                                          0x80848104, 0xbf078004, 0xbfa2fff2, 0xbfb00000};
/* a load needs the one before it, from vL0 */
static const uint32_t chase_vl0_gfx90a[] = {0x7e020280, 0xb004003c, 0xdc508000, 0x01000001, 0xbf8c0f70,
                                            0x80848104, 0xbf078004, 0xbf85fffa, 0xbf810000};
/* a load needs the one before it, from vL0 */
static const uint32_t chase_vl0_gfx1100[] = {0x7e020280, 0xb004003c, 0xdc520000, 0x01000001, 0xbf8903f7,
                                             0x80848104, 0xbf078004, 0xbfa2fffa, 0xbfb00000};
/* the same past vL0 */
static const uint32_t chase_l2_gfx90a[] = {0x7e020280, 0xb004003c, 0xdc518000, 0x01000001, 0xbf8c0f70,
                                           0x80848104, 0xbf078004, 0xbf85fffa, 0xbf810000};
/* the same past vL0 */
static const uint32_t chase_l2_gfx1100[] = {0x7e020280, 0xb004003c, 0xdc524000, 0x01000001, 0xbf8903f7,
                                            0x80848104, 0xbf078004, 0xbfa2fffa, 0xbfb00000};
/* the same, a new line each time */
static const uint32_t chase_dram_gfx90a[] = {0x8e058f02, 0x7e020205, 0xb0060200, 0xb0040032, 0xdc508000,
                                             0x02000001, 0xbf8c0f70, 0xd1ff0001, 0x04080d01, 0x80848104,
                                             0xbf078004, 0xbf85fff8, 0xbf810000};
/* the same, a new line each time */
static const uint32_t chase_dram_gfx1100[] = {0x84058f02, 0x7e020205, 0xb0060200, 0xb0040032, 0xdc520000,
                                              0x02000001, 0xbf8903f7, 0xd6550001, 0x04080d01, 0x80848104,
                                              0xbf078004, 0xbfa2fff8, 0xbfb00000};
/* all lanes name one bank of LDS */
static const uint32_t lds_gfx90a[] = {0x24020087, 0xb0040014, 0xd86c0000, 0x04000001, 0xd86c0004, 0x05000001,
                                      0xd86c0008, 0x06000001, 0xd86c000c, 0x07000001, 0xd86c0010, 0x08000001,
                                      0xd86c0014, 0x09000001, 0xd86c0018, 0x0a000001, 0xd86c001c, 0x0b000001,
                                      0xbf8cc07f, 0x80848104, 0xbf078004, 0xbf85ffec, 0xbf810000};
/* all lanes name one bank of LDS */
static const uint32_t lds_gfx1100[] = {0x30020087, 0xb0040014, 0xd8d80000, 0x04000001, 0xd8d80004, 0x05000001,
                                       0xd8d80008, 0x06000001, 0xd8d8000c, 0x07000001, 0xd8d80010, 0x08000001,
                                       0xd8d80014, 0x09000001, 0xd8d80018, 0x0a000001, 0xd8d8001c, 0x0b000001,
                                       0xbf89fc07, 0x80848104, 0xbf078004, 0xbfa2ffec, 0xbfb00000};
/* an LDS access needs the one before it */
static const uint32_t lds_chase_gfx90a[] = {0x7e020280, 0xb004003c, 0xd86c0000, 0x01000001, 0xbf8cc07f,
                                            0x80848104, 0xbf078004, 0xbf85fffa, 0xbf810000};
/* an LDS access needs the one before it */
static const uint32_t lds_chase_gfx1100[] = {0x7e020280, 0xb004003c, 0xd8d80000, 0x01000001, 0xbf89fc07,
                                             0x80848104, 0xbf078004, 0xbfa2fffa, 0xbfb00000};
/* one wave works, the others wait for it */
static const uint32_t barrier_gfx90a[] = {0x7e060500, 0xbf078003, 0xbf850006, 0xb0040064, 0x7e084504, 0x7e084504,
                                          0x80848104, 0xbf078004, 0xbf85fffb, 0xbf8a0000, 0xbf810000};
/* one wave works, the others wait for it */
static const uint32_t barrier_gfx1100[] = {0x7e060500, 0xbf078003, 0xbfa20006, 0xb0040064, 0x7e085504, 0x7e085504,
                                           0x80848104, 0xbf078004, 0xbfa2fffb, 0xbfbd0000, 0xbfb00000};
/* an instruction needs the one before it */
static const uint32_t chain_gfx90a[] = {0xb004003c, 0xd3cd8000, 0x04020500, 0xd3d84000, 0x18000100, 0xd3cd8000,
                                        0x04020500, 0xd3d84000, 0x18000100, 0xd3cd8000, 0x04020500, 0xd3d84000,
                                        0x18000100, 0xd3cd8000, 0x04020500, 0xd3d84000, 0x18000100, 0x80848104,
                                        0xbf078004, 0xbf85ffed, 0xbf810000};
/* an instruction needs the one before it */
static const uint32_t chain_gfx1100[] = {
    0xb0040014, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004,
    0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0xd6130004, 0x04120904,
    0xd6130004, 0x04120904, 0xd6130004, 0x04120904, 0x80848104, 0xbf078004, 0xbfa2ff85, 0xbfb00000};
/* one workgroup works, the others end at once */
static const uint32_t tail_gfx90a[] = {
    0xbf078002, 0xbf85001c, 0xb0040190, 0xd1cb0004, 0x04120501, 0xd1cb0005, 0x04160501, 0xd1cb0006,
    0x041a0501, 0xd1cb0007, 0x041e0501, 0xd1cb0008, 0x04220501, 0xd1cb0009, 0x04260501, 0xd1cb000a,
    0x042a0501, 0xd1cb000b, 0x042e0501, 0xd1cb000c, 0x04320501, 0xd1cb000d, 0x04360501, 0xd1cb000e,
    0x043a0501, 0xd1cb000f, 0x043e0501, 0x80848104, 0xbf078004, 0xbf85ffe5, 0xbf810000};
/* one workgroup works, the others end at once */
static const uint32_t tail_gfx1100[] = {
    0xbf078002, 0xbfa2001c, 0xb0040190, 0xd6130004, 0x04120501, 0xd6130005, 0x04160501, 0xd6130006,
    0x041a0501, 0xd6130007, 0x041e0501, 0xd6130008, 0x04220501, 0xd6130009, 0x04260501, 0xd613000a,
    0x042a0501, 0xd613000b, 0x042e0501, 0xd613000c, 0x04320501, 0xd613000d, 0x04360501, 0xd613000e,
    0x043a0501, 0xd613000f, 0x043e0501, 0x80848104, 0xbf078004, 0xbfa2ffe5, 0xbfb00000};
/* a scalar load needs the one before it */
static const uint32_t scalar_chase_gfx90a[] = {0xbe860080, 0xb004003c, 0xc0000180, 0x00000006, 0xbf8cc07f,
                                               0x80848104, 0xbf078004, 0xbf85fffa, 0xbf810000};
/* a scalar load needs the one before it */
static const uint32_t scalar_chase_gfx1100[] = {0xbe860080, 0xb004003c, 0xf4000180, 0x0c000000, 0xbf89fc07,
                                                0x80848104, 0xbf078004, 0xbfa2fffa, 0xbfb00000};
/* vector and scalar instructions in turn */
static const uint32_t mixed_gfx1100[] = {
    0xb0040014, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006,
    0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301,
    0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006,
    0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301,
    0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006,
    0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301,
    0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006,
    0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301,
    0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006,
    0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301,
    0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006,
    0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301,
    0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006,
    0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301,
    0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006,
    0x7e0e0301, 0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301,
    0xbe8b0006, 0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006,
    0x7e080301, 0xbe880006, 0x7e0a0301, 0xbe890006, 0x7e0c0301, 0xbe8a0006, 0x7e0e0301, 0xbe8b0006, 0x80848104,
    0xbf078004, 0xbfa2ff5d, 0xbfb00000};

/* Straight code beyond what the instruction cache holds, in a loop: filled in by main(). */
static uint32_t long_code[1 << 15];

static uint8_t buffer[1 << 25] __attribute__((aligned(4096)));
/* where the pieces run, so that the linker does not choose their places in cache lines and sets */
static uint32_t placed[1 << 15] __attribute__((aligned(4096)));

struct piece {
    const char *target;
    const uint32_t *code;
    size_t bytes;
    uint32_t groups, waves; /* of a group */
    const char *limit_class, *resource;
    const char *set;  /* of the profile, with blanks in between; null: none */
    const char *says; /* in the verdict; null: no matter */
};
#define CODE(C) C, sizeof(C)

static const struct piece pieces[] = {
    {"gfx90a", CODE(valu_gfx90a), 416, 4, "compute", "valu", NULL, NULL},
    {"gfx1100", CODE(valu_gfx1100), 384, 4, "compute", "valu", NULL, NULL},
    {"gfx90a", CODE(matrix_gfx90a), 416, 4, "compute", "matrix", NULL, NULL},
    {"gfx1100", CODE(matrix_gfx1100), 384, 4, "compute", "matrix", NULL, NULL},
    {"gfx90a", CODE(salu_gfx90a), 416, 4, "compute", "salu", NULL, NULL},
    {"gfx1100", CODE(salu_gfx1100), 384, 4, "compute", "salu", NULL, NULL},
    {"gfx90a", CODE(stream_gfx90a), 832, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx1100", CODE(stream_gfx1100), 1536, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx90a", CODE(lds_gfx90a), 208, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx1100", CODE(lds_gfx1100), 192, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx90a", CODE(chase_vl0_gfx90a), 104, 1, "latency", "vl0", NULL, NULL},
    {"gfx1100", CODE(chase_vl0_gfx1100), 96, 1, "latency", "vl0", NULL, NULL},
    {"gfx90a", CODE(chase_l2_gfx90a), 104, 1, "latency", "l2", NULL, NULL},
    {"gfx1100", CODE(chase_l2_gfx1100), 96, 1, "latency", "l2", NULL, NULL},
    {"gfx90a", CODE(chase_dram_gfx90a), 104, 1, "latency", "dram", NULL, NULL},
    {"gfx1100", CODE(chase_dram_gfx1100), 96, 1, "latency", "dram", NULL, NULL},
    {"gfx90a", CODE(lds_chase_gfx90a), 104, 1, "latency", "lds", NULL, NULL},
    {"gfx1100", CODE(lds_chase_gfx1100), 96, 1, "latency", "lds", NULL, NULL},
    {"gfx90a", CODE(scalar_chase_gfx90a), 104, 1, "latency", "scalar", NULL, NULL},
    {"gfx1100", CODE(scalar_chase_gfx1100), 96, 1, "latency", "scalar", NULL, NULL},
    {"gfx90a", CODE(chain_gfx90a), 104, 1, "latency", "dependency", NULL, NULL},
    {"gfx1100", CODE(chain_gfx1100), 96, 2, "latency", "dependency", NULL, NULL},
    {"gfx90a", CODE(barrier_gfx90a), 104, 8, "latency", "barrier", NULL, NULL},
    {"gfx1100", CODE(barrier_gfx1100), 96, 8, "latency", "barrier", NULL, NULL},
    {"gfx90a", CODE(long_code), 104, 1, "latency", "fetch", NULL, NULL},
    {"gfx1100", CODE(long_code), 96, 1, "latency", "fetch", NULL, NULL},
    {"gfx1100", CODE(mixed_gfx1100), 96, 2, "issue", "issue", NULL, NULL},
    {"gfx90a", CODE(valu_gfx90a), 3, 4, "size", "cus", NULL, NULL},
    {"gfx1100", CODE(valu_gfx1100), 3, 4, "size", "cus", NULL, NULL},
    {"gfx90a", CODE(tail_gfx90a), 416, 1, "size", "tail", NULL, NULL},
    {"gfx1100", CODE(tail_gfx1100), 384, 1, "size", "tail", NULL, NULL},
    {"gfx803", CODE(valu_gfx803), 144, 4, "compute", "valu", NULL, NULL},
    {"gfx1201", CODE(valu_gfx1201), 256, 4, "compute", "valu", NULL, NULL},
    {"gfx1100", CODE(trans_gfx1100), 384, 4, "compute", "trans", NULL, NULL},
    {"gfx1201", CODE(trans_gfx1201), 256, 4, "compute", "trans", NULL, NULL},
    {"gfx1201", CODE(mfma_gfx1201), 256, 4, "compute", "matrix", NULL, NULL},
    {"gfx803", CODE(salu_gfx803), 144, 4, "compute", "salu", NULL, NULL},
    {"gfx1201", CODE(salu_gfx1201), 256, 4, "compute", "salu", NULL, NULL},
    {"gfx90a", CODE(branches_gfx90a), 416, 8, "compute", "branch", NULL, NULL},
    {"gfx803", CODE(stream_gfx803), 288, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx942", CODE(stream_gfx942), 912, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx1201", CODE(stream_gfx1201), 1024, 1, "bandwidth", "dram", NULL, NULL},
    {"gfx942", CODE(stream_gfx942), 912, 1, "bandwidth", "fabric", "fabric.link_bytes_per_cycle=16", NULL},
    {"gfx1201", CODE(stream_gfx1201), 1024, 1, "bandwidth", "mall", "cache.mall.bytes_per_cycle=8", NULL},
    {"gfx942", CODE(stream_gfx942), 912, 1, "bandwidth", "mall", "cache.mall.bytes_per_cycle=8", NULL},
    {"gfx1201", CODE(stream_gfx1201), 1024, 1, "bandwidth", "l2", "cache.l2.bytes_per_cycle=4", NULL},
    {"gfx90a", CODE(reuse_gfx90a), 416, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx942", CODE(reuse_gfx942), 912, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx1201", CODE(reuse_gfx1201), 256, 4, "bandwidth", "vl0", NULL, NULL},
    {"gfx90a", CODE(kread_gfx90a), 416, 4, "bandwidth", "smem", NULL, NULL},
    {"gfx803", CODE(lds_gfx803), 72, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx942", CODE(lds_gfx942), 456, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx1201", CODE(lds_gfx1201), 128, 4, "bandwidth", "lds", NULL, NULL},
    {"gfx803", CODE(ldschase_gfx803), 36, 1, "latency", "lds", NULL, NULL},
    {"gfx1201", CODE(ldschase_gfx1201), 64, 1, "latency", "lds", NULL, NULL},
    {"gfx803", CODE(scalar_gfx803), 36, 1, "latency", "scalar", NULL, NULL},
    {"gfx942", CODE(scalar_gfx942), 228, 1, "latency", "scalar", NULL, NULL},
    {"gfx1201", CODE(scalar_gfx1201), 64, 1, "latency", "scalar", NULL, NULL},
    {"gfx803", CODE(chain_gfx803), 36, 1, "latency", "dependency", NULL, NULL},
    {"gfx942", CODE(chain_gfx942), 228, 1, "latency", "dependency", NULL, NULL},
    {"gfx1201", CODE(chain_gfx1201), 64, 2, "latency", "dependency", NULL, NULL},
    {"gfx803", CODE(barrier_gfx803), 36, 8, "latency", "barrier", NULL, NULL},
    {"gfx942", CODE(barrier_gfx942), 228, 8, "latency", "barrier", NULL, NULL},
    {"gfx1201", CODE(barrier_gfx1201), 64, 8, "latency", "barrier", NULL, NULL},
    {"gfx90a", CODE(launch_gfx90a), 2000, 8, "latency", "launch", "frontend.launch_latency_cycles=500", NULL},
    {"gfx1201", CODE(launch_gfx1201), 2000, 8, "latency", "launch", "frontend.launch_latency_cycles=500", NULL},
    {"gfx90a", CODE(sleep_gfx90a), 104, 1, "latency", "sleep", NULL, NULL},
    {"gfx1201", CODE(sleep_gfx1201), 64, 1, "latency", "sleep", NULL, NULL},
    {"gfx942", CODE(spread_gfx942), 304, 1, "latency", "vl0", "cache.vl0.mshrs=2",
     "vL0 misses outstanding are at the limit"},
    {"gfx1201", CODE(spread_gfx1201), 64, 1, "latency", "vl0", "cache.vl0.mshrs=2",
     "vL0 misses outstanding are at the limit"},
    {"gfx1201", CODE(spread_gfx1201), 64, 1, "latency", "dram", "cache.vl0.mshrs=1024 tlb.walk_read_cycles=1",
     "queues on the way to DRAM"},
    {"gfx803", CODE(valu_gfx803), 3, 4, "size", "cus", NULL, NULL},
    {"gfx942", CODE(valu_gfx942), 3, 4, "size", "cus", NULL, NULL},
    {"gfx1201", CODE(valu_gfx1201), 3, 4, "size", "cus", NULL, NULL},
};

static void run_piece(const struct piece *p)
{
    uint32_t lanes = strncmp(p->target, "gfx1", 4) == 0 && strlen(p->target) == 7 ? 32 : 64;

    long_code[sizeof long_code / sizeof *long_code - 1] = lanes == 64 ? 0xbf810000 : 0xbfb00000; /* s_endpgm */
    struct gcnsim_error error = {0};
    struct gcnsim_result *r = NULL;
    struct gcnsim_raw raw;
    struct gcnsim *sim = NULL;
    clock_t began = clock();
    char text[200], *save = NULL;
    const char *set[4];
    size_t sets = 0;

    snprintf(text, sizeof text, "%s", p->set ? p->set : "");
    for (char *one = strtok_r(text, " ", &save); one; one = strtok_r(NULL, " ", &save))
        set[sets++] = one;
    gcnsim_raw_init(&raw);
    raw.target = p->target;
    raw.engine = GCNSIM_ENGINE_TIMING;
    assert_true(p->bytes <= sizeof placed);
    memcpy(placed, p->code, p->bytes);
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)placed;
    raw.code_size = p->bytes;
    raw.wave_size = lanes;
    raw.workgroups[0] = p->groups;
    raw.workgroup_size[0] = lanes * p->waves;
    raw.compute_pgm_rsrc1 = 15u | 3u << 6 | 0xf0u << 12;
    raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    raw.compute_pgm_rsrc3 =
        lanes == 64 && strncmp(p->target, "gfx9", 4) == 0 ? 7 : 0; /* AccVGPRs begin behind 32 VGPRs */
    raw.kernarg_address = (uint64_t)(uintptr_t)buffer;
    raw.lds_bytes = 16384;
    if (gcnsim_open(&sim, p->target, &error) || gcnsim_set_all(sim, set, sets, &error) ||
        gcnsim_launch_raw(sim, &raw, &r, &error))
        fail_msg("%s", error.text);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s %s: %s", p->target, p->resource, r->message);
    assert_non_null(r->limiter);
    if (strcmp(r->limiter->limit_class, p->limit_class) != 0 || strcmp(r->limiter->resource, p->resource) != 0) {
        char *report = NULL;

        gcnsim_result_text(r, &report, NULL);
        fail_msg("%s: expected %s %s, got %s %s\n%s", p->target, p->limit_class, p->resource, r->limiter->limit_class,
                 r->limiter->resource, report);
    }
    if (p->says && !strstr(r->limiter->verdict, p->says))
        fail_msg("%s: expected '%s', got '%s'", p->target, p->says, r->limiter->verdict);
    assert_true((strcmp(p->limit_class, "size") == 0) == (r->limiter->within != NULL));
    if (getenv("LIMITER_SHOW"))
        printf("%-8s %.2f s, %.0f cycles: %s\n", p->target, (double)(clock() - began) / CLOCKS_PER_SEC,
               r->stats[0].value, r->limiter->verdict);
    gcnsim_result_free(r);
    gcnsim_close(sim);
}

/* One case for each, so that a failure does not hide the others. */
static void piece(void **state)
{
    run_piece(*state);
}

int main(void)
{
    struct CMUnitTest tests[sizeof pieces / sizeof *pieces];
    char names[sizeof pieces / sizeof *pieces][64];
    const size_t words = sizeof long_code / sizeof *long_code;

    for (size_t k = 0; k < words; k++)
        long_code[k] = 0x7e020302; /* v_mov_b32_e32 v1, v2 */
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        snprintf(names[k], sizeof names[k], "%s_%s_%s", pieces[k].limit_class, pieces[k].resource, pieces[k].target);
        tests[k] = (struct CMUnitTest){names[k], piece, NULL, NULL, (void *)&pieces[k]};
    }
    return _cmocka_run_group_tests("limiter", tests, sizeof tests / sizeof *tests, NULL, NULL);
}

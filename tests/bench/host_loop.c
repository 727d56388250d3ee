#include "tests/bench/host_loop.h"

float host_loop(uint64_t iterations)
{
    _Alignas(64) float reg[HOST_CHAINS][HOST_LANES], factor[HOST_LANES], addend[HOST_LANES];
    float sum = 0;

    for (int l = 0; l < HOST_LANES; l++) {
        factor[l] = 0.999f;
        addend[l] = 0.5f;
        for (int c = 0; c < HOST_CHAINS; c++)
            reg[c][l] = (float)l;
    }
    for (uint64_t i = 0; i < iterations; i++)
        for (int c = 0; c < HOST_CHAINS; c++) {
            for (int l = 0; l < HOST_LANES; l++)
                reg[c][l] = __builtin_fmaf(reg[c][l], factor[l], addend[l]);
            /* the row is in memory again before the next one starts, as between two instructions */
            __asm__ volatile("" : : "r"(reg[c]) : "memory");
        }
    for (int c = 0; c < HOST_CHAINS; c++)
        for (int l = 0; l < HOST_LANES; l++)
            sum += reg[c][l];
    return sum;
}

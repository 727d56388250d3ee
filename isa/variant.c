/* Finds the set of compiled lane loops (AVX-512, AVX2 or baseline) that this CPU can run. */
#include "isa/variant.h"

#include <string.h>

extern const struct isa_variant isa_variant_base;
#if defined(__x86_64__) && !defined(ISA_BASE_ONLY)
extern const struct isa_variant isa_variant_avx2, isa_variant_avx512;
#endif

static bool runnable(const struct isa_variant *v)
{
#if defined(__x86_64__) && !defined(ISA_BASE_ONLY)
    __builtin_cpu_init();
    if (v == &isa_variant_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (v == &isa_variant_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
    (void)v;
    return true;
}

const struct isa_variant *isa_variant_find(const char *name)
{
    static const struct isa_variant *const all[] = {
#if defined(__x86_64__) && !defined(ISA_BASE_ONLY)
        &isa_variant_avx512,
        &isa_variant_avx2,
#endif
        &isa_variant_base,
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if ((!name || !strcmp(name, all[i]->name)) && runnable(all[i]))
            return all[i];
    return NULL;
}

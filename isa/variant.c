/* Finds the set of compiled lane loops (AVX-512, AVX2 or baseline) that this CPU can run. */
#include "isa/variant.h"

#include <string.h>

/* The address of a set that was not linked (make VARIANTS) is null. */
extern const struct isa_variant isa_variant_base __attribute__((weak));
extern const struct isa_variant isa_variant_avx2 __attribute__((weak));
extern const struct isa_variant isa_variant_avx512 __attribute__((weak));

static bool runnable(const struct isa_variant *v)
{
    if (!v)
        return false;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (v == &isa_variant_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (v == &isa_variant_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
    return true;
}

const struct isa_variant *isa_variant_find(const char *name)
{
    static const struct isa_variant *const all[] = {&isa_variant_avx512, &isa_variant_avx2, &isa_variant_base};

    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (runnable(all[i]) && (!name || !strcmp(name, all[i]->name)))
            return all[i];
    return NULL;
}

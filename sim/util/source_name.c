/* Endings of the names of source files. */
#include "sim/util/source_name.h"

#include <stddef.h>
#include <string.h>

bool source_name(const char *path)
{
    static const char *const ends[] = {"c",   "cc",   "cl", "clcpp", "cpp", "cu",  "cuh", "cxx",
                                       "f90", "h",    "hh", "hip",   "hpp", "hxx", "inc", "ipp",
                                       "jl",  "mlir", "py", "rs",    "s",   "S",   "ll"};
    const char *dot = strrchr(path, '.');

    for (size_t k = 0; dot && k < sizeof ends / sizeof ends[0]; k++)
        if (strcmp(dot + 1, ends[k]) == 0)
            return true;
    return false;
}

/* Programs of tests: a HIP call that fails ends the program, and says why. */
#ifndef TESTS_HSA_PROGRAMS_CHECK_H
#define TESTS_HSA_PROGRAMS_CHECK_H

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(CALL)                                                                                                    \
    do {                                                                                                               \
        hipError_t error_ = (CALL);                                                                                    \
        if (error_ != hipSuccess) {                                                                                    \
            std::fprintf(stderr, "%s: %s\n", #CALL, hipGetErrorString(error_));                                        \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

#endif

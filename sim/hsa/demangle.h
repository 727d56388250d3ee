/* Names of C++ as people write them. */
#ifndef GCNSIM_HSA_DEMANGLE_H
#define GCNSIM_HSA_DEMANGLE_H

/* "vadd(float*, int)" of "_Z4vaddPfi", to be freed; null: it is not mangled, or there is no memory. */
char *demangle(const char *name);

#endif

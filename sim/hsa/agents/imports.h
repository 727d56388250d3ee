/* What the program and its libraries import: which of a runtime's functions they can call at all. */
#ifndef GCNSIM_HSA_IMPORTS_H
#define GCNSIM_HSA_IMPORTS_H

#include <stdbool.h>

/* Whether a loaded object has a relocation against one of the n names. Later look-ups by name (dlsym) are not seen. */
bool imports_any(const char *const *names, unsigned n);

#endif

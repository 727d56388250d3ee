/* AMD's loader extension, which is a table of functions. */
#ifndef GCNSIM_HSA_LOADER_EXT_H
#define GCNSIM_HSA_LOADER_EXT_H

#include <stddef.h>

/* The functions of AMD's loader extension, as many as fit `length` bytes. */
void loader_extension_table(void *table, size_t length);

#endif

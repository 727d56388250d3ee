/* The metadata note of code object v2 (NT_AMD_HSA_METADATA): a YAML document, made into that of v3 and read as one.
 *
 * Read is what LLVM's YAML writer makes: block mappings and sequences, sequences in brackets of plain values, plain and
 * quoted values, each on a line. Keys that v3 does not have are passed by, as unknown keys are. Offsets of arguments
 * follow from their sizes and alignments. A symbol "NAME@kd" is NAME here.
 *
 * Source: AMDGPUUsage, "Code Object V2 Metadata"; clang 14 writes it (-mcode-object-version=2).
 */
#ifndef GCNSIM_LOADER_METADATA_V2_H
#define GCNSIM_LOADER_METADATA_V2_H

#include "sim/loader/metadata.h"

/* As co_metadata_read(). Errors in the YAML name the line, those of a value the key that it has in v3. */
int co_metadata_v2_read(struct co_metadata **out, const uint8_t *bytes, size_t size, struct budget *budget,
                        struct err *e);

#endif

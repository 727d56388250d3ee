/* Private to the files about code objects: what the loader's extension takes from them. */
#ifndef GCNSIM_HSA_LOADER_EXT_H
#define GCNSIM_HSA_LOADER_EXT_H

#include "sim/hsa/core/abi.h"

hsa_status_t loader_reader_from_file(hsa_file_t file, size_t offset, size_t size,
                                     hsa_code_object_reader_t *code_object_reader);

#endif

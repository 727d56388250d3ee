/* Code object readers: where the bytes of a code object come from. */
#ifndef GCNSIM_HSA_READER_H
#define GCNSIM_HSA_READER_H

#include "sim/hsa/core/abi.h"
#include "sim/hsa/core/handles.h"

/* Bytes that hold a code object, and where they come from. */
struct code_source {
    const void *bytes;
    size_t size;
    const char *uri; /* null: it is the memory that the loader keeps them in */
};

struct reader {
    struct object object;
    struct code_source source;
    void *own; /* bytes, of a file */
    char *own_uri;
};

/* hsa_code_object_reader_create_from_file() of a part of the file, for the loader's extension. */
hsa_status_t loader_reader_from_file(hsa_file_t file, size_t offset, size_t size,
                                     hsa_code_object_reader_t *code_object_reader);

#endif

/* The registers that start code which has no kernel descriptor (registers.h). */
#ifndef GCNSIM_LOADER_REGISTER_LIST_H
#define GCNSIM_LOADER_REGISTER_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum co_register_address {
    CO_REG_COMPUTE_DISPATCH_INITIATOR = 0xb800,
    CO_REG_COMPUTE_PGM_RSRC1 = 0xb848,
    CO_REG_COMPUTE_PGM_RSRC2 = 0xb84c,
    CO_REG_COMPUTE_TMPRING_SIZE = 0xb860,
    CO_REG_COMPUTE_PGM_RSRC3 = 0xb8a0,
};

struct co_register {
    uint32_t address, value;
};

/* For a code object that is not HSA's; zeros in others. */
struct co_registers {
    struct co_register *list; /* in the order of the file */
    unsigned count;
    bool is_compute;
    const char *entry;                            /* null: not known */
    uint32_t wave_size, lds_bytes, scratch_bytes; /* of the compute stage; 0: not stated */
};

void co_registers_free(struct co_registers *r);

const char *co_register_name(uint32_t address); /* "COMPUTE_PGM_RSRC1"; "" where there is none here */

#endif

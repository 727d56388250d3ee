/* What drivers know of code that has no kernel descriptor: the registers that start it.
 *
 *   PAL     a note of MessagePack (NT_AMDGPU_METADATA): of the first pipeline the registers, and of its compute stage
 * the entry point, wave size, LDS and scratch Mesa    the section .AMDGPU.config: pairs of a register's address and its
 * value
 *
 * What the metadata does not have is left out; what is malformed is an error. Addresses are of bytes, as in the
 * register manuals; PAL's count dwords.
 *
 * Source: AMDGPUUsage, "Code Object Metadata" of AMDPAL; LLVM 19's SIDefines.h and AMDGPUAsmPrinter.cpp.
 *
 * Errors: ERR_FORMAT with the offset or the key, ERR_NOMEM.
 */
#ifndef GCNSIM_LOADER_REGISTERS_H
#define GCNSIM_LOADER_REGISTERS_H

#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_object;

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

/* Of a code object that is not HSA's; zeros in others. */
struct co_registers {
    struct co_register *list; /* in the order of the file */
    unsigned count;
    bool is_compute;
    const char *entry;                            /* null: not known */
    uint32_t wave_size, lds_bytes, scratch_bytes; /* of the compute stage; 0: not stated */
};

/* Both fill co->registers, whose memory is the code object's. */
int co_registers_read_pal(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e);
int co_registers_read_mesa(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e);
void co_registers_free(struct co_registers *r);

const char *co_register_name(uint32_t address); /* "COMPUTE_PGM_RSRC1"; "" where there is none here */

/* Makes kernels of code that compute registers start. */
int co_registers_kernels(struct code_object *co, struct err *e);

#endif

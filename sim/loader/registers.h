/* What drivers know of code that has no kernel descriptor: the registers that start it.
 *
 *   PAL     a note of MessagePack (NT_AMDGPU_METADATA): of the first pipeline the registers, and of its compute stage
 *           the entry point, wave size, LDS and scratch
 *   Mesa    the section .AMDGPU.config: pairs of a register's address and its value
 *
 * Missing metadata are left out; malformed ones are an error. Addresses are of bytes, as in the
 * register manuals; PAL's count dwords.
 *
 * Source: AMDGPUUsage, "Code Object Metadata" of AMDPAL; LLVM 19's SIDefines.h and AMDGPUAsmPrinter.cpp.
 *
 * Errors: ERR_FORMAT with the offset or the key, ERR_NOMEM.
 */
#ifndef GCNSIM_LOADER_REGISTERS_H
#define GCNSIM_LOADER_REGISTERS_H

#include <stddef.h>

#include "sim/loader/register_list.h"
#include "sim/util/error.h"

struct code_object;

/* Both fill co->registers, whose memory is the code object's. */
int co_registers_read_pal(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e);
int co_registers_read_mesa(struct code_object *co, const uint8_t *bytes, size_t size, struct err *e);

/* Makes kernels of code that compute registers start. */
int co_registers_kernels(struct code_object *co, struct err *e);

#endif

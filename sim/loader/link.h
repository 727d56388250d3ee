/* Linking one relocatable object (ET_REL, `clang -c`): sections get addresses, references among them are resolved, and
 * a global offset table is made where code asks for one.
 *
 * The result is an ELF file of the linked kind (ET_DYN) without program headers, whose allocated sections are what is
 * loaded (code_object.h). It is the file itself with a few bytes after it: section contents stay where they are, so
 * that debug information goes with them.
 *
 * Resolved here are references relative to the place, and those of sections that are not loaded (debug information).
 * Absolute ones, and those to symbols that the object does not define but loads through the table, become dynamic
 * relocations of the result. A call of a function that is not in the object is an error that names it.
 *
 * Leaves out: several objects and archives, common and LDS symbols that the linker would place, thread-local symbols,
 * sections that are merged or discarded.
 *
 * Source: the System V ABI for the tables; AMDGPUUsage, "Relocation Records", for the formulas.
 */
#ifndef GCNSIM_LOADER_LINK_H
#define GCNSIM_LOADER_LINK_H

#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_object;

bool co_is_relocatable(const uint8_t *bytes, size_t size); /* an amdgcn ELF file of that type */

/* Links co->elf, which is relocatable, in its place. */
int co_link(struct code_object *co, struct err *e);

#endif

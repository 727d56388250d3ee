/* Where the code objects of a file are, whatever kind of file it is.
 *
 *   bundle.h's containers        each of them
 *   a host ELF file              the containers in .hip_fatbin
 *   an archive (.a)              its members, each of the kinds above or a code object
 *   anything else                what is found by its first bytes: containers, and amdgcn ELF files; a dump, a program
 *                                that holds code objects as data, a tar file
 *
 * A container or ELF file that is found by its first bytes and is damaged is no find: most are text that happens to
 * stand there. The work on a hostile file is bounded.
 *
 * Errors: those of bundle.h and archive.h; ERR_FORMAT a file that was meant to hold code objects and does not.
 */
#ifndef GCNSIM_LOADER_CONTENTS_H
#define GCNSIM_LOADER_CONTENTS_H

#include "sim/loader/bundle.h"

/* *out is null when the file is one code object itself, or nothing that has any: opening it as one says what it is. */
int co_contents(struct co_bundle **out, const uint8_t *bytes, size_t size, struct budget *budget, struct err *e);

/* Where an entry stands, to be written after the file's name: "(member.o)", " at offset 0x1000"; "" where the file is
 * of bundles or their program. */
#define CO_WHERE_TEXT 80
void co_contents_where(char text[CO_WHERE_TEXT], const uint8_t *bytes, size_t size, const struct co_bundle_entry *en);

/* What bytes are that are no code object, and what to do about it. */
const char *co_describe(const uint8_t *bytes, size_t size);

#endif

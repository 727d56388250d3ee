/* Source lines of a code object: which line of which file each instruction was made from, as its DWARF says, in which
 * function, and by which calls that was inlined into others.
 *
 * The table is built once, from all line tables: they are walked one after the other, because clang writes no
 * .debug_aranges for amdgcn. A row holds from its address up to the next row's; what an "end of sequence" follows, and
 * what the compiler gave line 0 (its own code), has no line. Only addresses in executable segments have rows: functions
 * that the linker dropped keep their rows in the DWARF, at addresses next to 0.
 *
 * A row names the place in the inlined function; co_lines_frames() has the calls that lead there. There are none where
 * the compiler wrote line tables alone; what else is without frames says sim/loader/frames.h.
 *
 * Leaves out: DWARF in a file of its own (.dwo, a separate debug file). An object with .gnu_debugaltlink, .debug_sup,
 * .zdebug_* or .gnu.debuglto_* sections has no rows: libdw would open the file that it names, or take memory that
 * nobody has counted.
 *
 * Errors: there are none. An object without debug information, or with one that libdw refuses, has no rows, and so has
 * one for which memory is short, the budget's included; of one that is damaged in part some units may have rows. The
 * DWARF of an untrusted file is read by libdw (docs/adr/0013-source-lines.md).
 *
 * Addresses are those of the ELF file ("vaddr" in code_object.h). Names are as the DWARF has them: usually absolute,
 * for code compiled from standard input "<stdin>".
 */
#ifndef GCNSIM_LOADER_LINES_H
#define GCNSIM_LOADER_LINES_H

#include "sim/loader/code_object.h"

struct co_line {
    uint64_t vaddr;   /* of the first instruction; the row holds up to the next one's */
    const char *file; /* null: no line from here on */
    uint32_t line;    /* from 1 on */
    uint32_t column;  /* 0: not stated */
    bool statement;   /* a place to stop at: the first instruction of a statement, mostly */
};

struct co_lines;

/* The table of a code object, built at the first call and kept by it; several threads may ask. Null: it has no lines.
 */
const struct co_lines *code_object_lines(const struct code_object *co);

/* Rows by rising vaddr, at most one for each address. */
size_t co_lines_count(const struct co_lines *lines);
const struct co_line *co_lines_row(const struct co_lines *lines, size_t index);

/* The row that holds at vaddr; null when no line is known there. lines may be null. */
const struct co_line *co_lines_at(const struct co_lines *lines, uint64_t vaddr);

/* A function that the code at an address belongs to. */
struct co_frame {
    const char *function; /* linkage name, or else the name in the source; null: not known */
    const char *file;     /* null: not known */
    uint32_t line,
        column; /* the place in it: of the instruction or, of all frames but the first, of the call; 0: not known */
};
#define CO_MAX_FRAMES 32 /* that are of use to people; more are possible */

/* Frames at vaddr, innermost first: the function that the line is in, then, if it was inlined, its caller, and so on to
 * the function that the code lies in. At most `max`; returns how many, 0 when nothing is known. lines may be null. */
size_t co_lines_frames(const struct co_lines *lines, uint64_t vaddr, struct co_frame *out, size_t max);

#endif

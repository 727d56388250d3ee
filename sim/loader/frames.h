/* Private to sim/loader: functions by address, and which of them were inlined where, as a code object's DWARF says.
 *
 * Scopes are the DIEs of functions (DW_TAG_subprogram) and of what was inlined into them (DW_TAG_inlined_subroutine).
 * All units are walked, because clang writes no .debug_aranges for amdgcn. At an address the innermost scope holds: of
 * those that have it in their ranges the one that lies deepest in the tree, whatever a damaged file says of the others.
 *
 * A file with units of other files (split DWARF) has no scopes: libdw would open what the unit names. So has one with
 * more than FRAMES_MAX_RANGES ranges of addresses, or one for which memory is short.
 */
#ifndef GCNSIM_LOADER_FRAMES_H
#define GCNSIM_LOADER_FRAMES_H

#include "sim/loader/code_object_internal.h"
#include "sim/loader/libdw.h"

#include <string.h>

#define FRAMES_MAX_RANGES (UINT64_C(1) << 22)
#define FRAMES_MAX_DEPTH  256 /* of DIEs; what lies deeper is left out */
#define FRAMES_NONE       UINT32_MAX

struct frames_scope {
    const char *function;            /* the linkage name, or else the name; null: not stated */
    const char *call_file;           /* inlined: where it was called; null: not stated */
    uint32_t call_line, call_column; /* 0: not stated */
    uint32_t parent;                 /* scope that it was inlined into; FRAMES_NONE: it is a function of its own */
};

struct frames_range {
    uint64_t lo, hi;
    uint32_t scope, depth;
};

/* All zero: none. Names belong to the open DWARF. */
struct frames {
    struct frames_scope *scope;
    struct frames_range *range; /* as read; then sorted and without overlaps, which are the innermost scope's */
    void *working;              /* memory while reading: libdw may leave for good when it finds none */
    size_t scopes, scope_room, ranges, range_room;
    struct budget *budget;
    uint64_t held; /* of it */
};

/* False: there are none, and what was taken up to then is freed by frames_free(). */
bool frames_read(struct frames *f, Dwarf *dwarf, const struct code_object *co);
void frames_free(struct frames *f);

/* A file's name as libdw gives it, without the "./" that the unit's own file has and others have not. */
static inline const char *frames_file(const char *name)
{
    return name && !strncmp(name, "./", 2) && name[2] ? name + 2 : name;
}

/* Index of the innermost scope at vaddr; FRAMES_NONE: there is none. */
uint32_t frames_at(const struct frames *f, uint64_t vaddr);

#endif

/* Which dispatches the timing engine runs, where the user has chosen: GCNSIM_KERNELS and GCNSIM_DISPATCHES. */
#ifndef GCNSIM_HSA_SELECT_H
#define GCNSIM_HSA_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* kernels: an extended regular expression of POSIX, which is searched for in a kernel's name, mangled or demangled;
 * dispatches: numbers and ranges, "3,7-9", from 1 on. Null: all. False, with a sentence in `why`, when one is
 * malformed; what was chosen before stays then. */
bool select_read(const char *kernels, const char *dispatches, char *why, size_t why_size);

/* Whether a dispatch is one of the chosen: of the kernels and of the numbers. Any thread. */
bool report_wants_timing(const char *kernel, uint64_t dispatch);

/* The N-th of the dispatches that are asked about whose kernels have KERNEL in their names, mangled or not: that of
 * GCNSIM_EXPLAIN, and that of GCNSIM_OF. */
enum select_nth { SELECT_EXPLAIN, SELECT_OF, SELECT_NTHS };
/* Asks about one more: whether it is that one. choice: "KERNEL", "KERNEL,3"; null: the first of all; always the same
 * for one kind. Any thread. */
bool select_nth(enum select_nth which, const char *choice, const char *kernel);
/* How many of its kernels have been asked about, where the one that is chosen was not among them; KERNEL goes to
 * `part`, to be freed. UINT64_MAX: it was, or out of host memory. */
uint64_t select_missed(enum select_nth which, const char *choice, char **part);

#endif

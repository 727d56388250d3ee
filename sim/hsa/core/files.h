/* Names of files that the process writes. */
#ifndef GCNSIM_HSA_FILES_H
#define GCNSIM_HSA_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* The name with the number of the process for each "%p", to be freed; null: out of host memory. */
char *files_name(const char *name);
/* Whether a file may be written in the folder of that name; else a sentence that begins with `what`. */
bool files_check(const char *path, const char *what, char *why, size_t why_size);

/* Whether a file of that name, which need not be there, is on a file system of this host alone; one that several hosts
 * may share, or whose kind does not say so (FUSE), is not local. */
bool files_is_local(const char *path);

#endif

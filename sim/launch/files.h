/* Files that launch files and argument SPECs name. */
#ifndef GCNSIM_LAUNCH_FILES_H
#define GCNSIM_LAUNCH_FILES_H

#include <stdint.h>
#include <stdio.h>

#include "sim/util/error.h"

/* DIR/PATH, or PATH when it is absolute or DIR is null or empty. The caller frees it; null: no memory. */
char *launch_path(const char *directory, const char *path);

/* Opens a regular file for reading; *bytes is its size. Anything else is an error (ERR_IO), because opening a pipe
 * without a writer would block and a device has no size. Null on failure. */
FILE *launch_open_file(const char *path, uint64_t *bytes, struct err *e);

#endif

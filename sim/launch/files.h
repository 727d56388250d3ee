/* Files that launch files and argument SPECs name. */
#ifndef GCNSIM_LAUNCH_FILES_H
#define GCNSIM_LAUNCH_FILES_H

#include <stdbool.h>

#include "sim/util/error.h"

/* DIR/PATH, or PATH when it is absolute or DIR is null or empty. The caller frees it; null: out of host memory. */
char *launch_path(const char *directory, const char *path);

/* That `path` names something in `directory` or below it, with symbolic links and ".." followed: a file that is there,
 * or one to be made (`made`), whose folder is there. ERR_USAGE when it does not, ERR_IO when that cannot be known. It
 * holds for as long as nobody changes the folders. */
int launch_path_inside(const char *directory, const char *path, bool made, struct err *e);

#endif

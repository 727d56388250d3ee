/* The folder in which the simulated files are, and whether a path leads there. */
#ifndef GCNSIM_HSA_INTERPOSE_FOLDER_H
#define GCNSIM_HSA_INTERPOSE_FOLDER_H

#include <limits.h>
#include <stddef.h>

/* The path to use in the place of the program's: `path` itself, or one in the folder, which is made when it is needed
 * first, in `buffer`. errno stays. A path that does not begin with "/sys/" or "/dev/kfd" costs two comparisons. */
const char *interpose_path(const char *path, char buffer[PATH_MAX]);

/* What of an absolute path in the folder is the folder's own; 0: it is not there. */
size_t interpose_own(const char *path);

#endif

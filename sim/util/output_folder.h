/* Folders that gcnsim writes: whole, or not at all.
 *
 * A folder is filled under a temporary name beside its own (".NAME.PID-N.tmp") and renamed when it is complete. What
 * has that name already is replaced only when it is a folder that was written this way before, which a file of a known
 * name in it shows; anything else of that name is an error, before anything is written. Folders above it are made. Only
 * flat folders are written, so that replacing one deletes files and no folders: one that has got subfolders is refused
 * and left as it was.
 *
 * Nothing is synchronised with the disk, as in sim/util/output.h. A process that is killed leaves its temporary folder.
 */
#ifndef GCNSIM_UTIL_OUTPUT_FOLDER_H
#define GCNSIM_UTIL_OUTPUT_FOLDER_H

#include <stdbool.h>

#include "sim/util/error.h"

struct output_folder {
    char *path;
    char *temporary; /* where its files are written until it is closed */
    bool replaces;
};

/* Whether `path` may be written: it does not exist, or is a folder with a file `mark` in it. Non-zero with *e. */
int output_folder_check(const char *path, const char *mark, struct err *e);

/* Non-zero with *e; ended by output_folder_close() when it succeeds. */
int output_folder_open(struct output_folder *o, const char *path, const char *mark, struct err *e);
/* keep: gives it its name, else throws it away. *o is released in each case. */
int output_folder_close(struct output_folder *o, bool keep, struct err *e);

/* Makes a folder and those above it; one that exists is fine. */
int output_make_folders(const char *path, struct err *e);

#endif

/* Files that gcnsim writes: whole, or not at all.
 *
 * A regular file is written under a temporary name in its own folder (".NAME.PID-N.tmp") and renamed when it is
 * complete, so that other programs see the old contents or the new, and a run that fails leaves the old ones. Symbolic
 * links are followed: the file they lead to is replaced, they stay. The new file has the mode bits of the old one and,
 * where the process may, its owner; other hard links keep the old contents. A file is written in place when that cannot
 * be done:
 *   - devices and FIFOs, and files that are open already (/dev/stdout, /dev/fd/N), which are written through their
 *     descriptor;
 *   - an existing file in a folder that cannot be written, or that cannot be renamed over (mounted alone into a
 *     container, or another user's in a sticky folder).
 * When even that fails after all was written, the temporary file stays and the message names it.
 *
 * Nothing is synchronised with the disk. The promise is about other programs and about failing runs; after a loss
 * of power a run can be repeated, and fsync() would hold up every run for that.
 *
 * A process that is killed leaves its temporary files.
 */
#ifndef GCNSIM_UTIL_OUTPUT_H
#define GCNSIM_UTIL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/error.h"

struct output {
    FILE *f;
    char *path;      /* as it was given */
    char *file;      /* symbolic links followed */
    char *temporary; /* null: written in place */
    int reason;      /* errno of a failed write, where it is known */
};

/* 0, or non-zero with *e: "PATH: why". Ended by output_close() when it succeeds. */
int output_open(struct output *o, const char *path, struct err *e);
/* Closes o->f. keep: the file gets its name, unless something could not be written, which is an error; else what was
 * written is thrown away. *o is released in each case. */
int output_close(struct output *o, bool keep, struct err *e);
/* All in one. */
int output_write(const char *path, const void *bytes, size_t size, struct err *e);

/* ---- the files of a run, checked before it ---- */

enum file_use {
    FILE_READ,
    FILE_WRITTEN,
    FILE_REPLACED /* read, and asked to be written anew */
};

struct file_entry;

/* All zero is an empty list. */
struct file_list {
    struct file_entry *entry;
    size_t count;
};

/* Adds a file; null is standard output. A file to be written has to be writable (its folder there, no folder itself),
 * and no other entry may be the same file by any name, except that several inputs may be one file, that FILE_REPLACED
 * goes with inputs, and that devices (/dev/null, a terminal) may be given several times. what: who uses it, for
 * messages
 * ("--json"). A file to be read may be missing: that is reported when it is read. */
int file_list_add(struct file_list *l, const char *path, enum file_use use, const char *what, struct err *e);
/* Adds all of another list. */
int file_list_add_all(struct file_list *l, const struct file_list *from, struct err *e);
void file_list_free(struct file_list *l);

/* Whether both names lead to one existing file. */
bool file_same(const char *a, const char *b);

#endif

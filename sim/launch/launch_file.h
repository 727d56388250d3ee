/* LAUNCH.json: one launch as a file (docs/LAUNCH_FILES.md). The struct itself is public: struct gcnsim_launch_file.
 *
 * `file`, and `arch` when it is a path, are resolved against the launch file's folder here; paths inside argument SPECs
 * are not (gcnsim_args_parse takes the folder). Keys beside the documented ones are errors, as are a key given twice, a
 * wrong type and a number out of range: all name the file and the key. */
#ifndef GCNSIM_LAUNCH_LAUNCH_FILE_H
#define GCNSIM_LAUNCH_LAUNCH_FILE_H

#include "sim/api/gcnsim.h"
#include "sim/util/error.h"

int launch_file_open(struct gcnsim_launch_file **out, const char *path, struct err *e);
/* text need not be terminated; path stands in messages and gives the folder */
int launch_file_parse(struct gcnsim_launch_file **out, const char *text, size_t size, const char *path, struct err *e);
void launch_file_close(struct gcnsim_launch_file *f);

#endif

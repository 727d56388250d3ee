/* Files that launch files and argument SPECs name: resolving paths and opening regular files. */
#define _GNU_SOURCE
#include "sim/launch/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

char *launch_path(const char *directory, const char *path)
{
    char *out;

    if (!directory || !*directory || path[0] == '/')
        return strdup(path);
    if (asprintf(&out, "%s/%s", directory, path) < 0)
        return NULL;
    return out;
}

FILE *launch_open_file(const char *path, uint64_t *bytes, struct err *e)
{
    struct stat st;
    FILE *f = NULL;

    if (stat(path, &st) || (S_ISREG(st.st_mode) && !(f = fopen(path, "rb"))))
        err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        err_set(e, ERR_IO, "%s: expected a regular file", path);
    else
        *bytes = (uint64_t)st.st_size;
    return f;
}

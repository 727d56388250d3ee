/* Files that launch files and argument SPECs name: where their paths lead. */
#define _GNU_SOURCE
#include "sim/launch/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The real path of a file, or of one to be made: that of its folder with its name. Null with errno. */
static char *real_path(const char *path, bool made)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *real = realpath(path, NULL), *folder, *parent;
    struct stat st;

    /* what is there and has no real path is a link to nowhere, which would be made elsewhere */
    if (real || !made || errno != ENOENT || lstat(path, &st) == 0 || !*name || !strcmp(name, ".."))
        return real;
    parent = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    folder = parent ? realpath(parent, NULL) : NULL;
    free(parent);
    if (folder && asprintf(&real, "%s/%s", strcmp(folder, "/") ? folder : "", name) < 0)
        real = NULL;
    free(folder);
    return real;
}

int launch_path_inside(const char *directory, const char *path, bool made, struct err *e)
{
    char *top = realpath(directory, NULL);
    char *real = top ? real_path(path, made) : NULL;
    int failed = 0;

    if (!real) {
        failed = err_set(e, ERR_IO, "%s: %s", top ? path : directory, strerror(errno));
    } else {
        size_t n = strcmp(top, "/") ? strlen(top) : 0;
        if (strncmp(real, top, n) || real[n] != '/')
            failed = err_set(e, ERR_USAGE, "%s is %s; expected a file in %s", path, real, top);
    }
    free(real);
    free(top);
    return failed;
}

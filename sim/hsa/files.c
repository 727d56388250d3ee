/* Names of files. */
#define _GNU_SOURCE
#include "sim/hsa/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *files_name(const char *name)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    if (!f)
        return NULL;
    for (; *name; name++)
        if (name[0] == '%' && name[1] == 'p') {
            fprintf(f, "%ld", (long)getpid());
            name++;
        } else {
            fputc(*name, f);
        }
    return fclose(f) == 0 ? out : NULL;
}

bool files_check(const char *path, const char *what, char *why, size_t n)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    bool good;

    if (slash)
        slash[slash == folder] = 0; /* the root keeps its name */
    good = folder && access(slash ? folder : ".", W_OK | X_OK) == 0;
    if (!good)
        snprintf(why, n, "%s: %s cannot be written: %s", what, path, folder ? strerror(errno) : "no memory");
    free(folder);
    return good;
}

/* Folders that gcnsim writes: the temporary one, the rename at the end, and what may be replaced. */
#define _GNU_SOURCE
#include "sim/util/output_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 1000 };

static int no_memory(struct err *e, const char *path)
{
    return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
}

/* Deletes a flat folder. errno says of a failure. */
static int remove_folder(const char *path)
{
    DIR *d = opendir(path);
    int failed = d ? 0 : -1;

    for (struct dirent *n; d && (n = readdir(d));)
        if (strcmp(n->d_name, ".") != 0 && strcmp(n->d_name, "..") != 0 && unlinkat(dirfd(d), n->d_name, 0))
            failed = -1;
    int reason = errno;
    if (d)
        closedir(d);
    errno = reason;
    return failed || rmdir(path) ? -1 : 0;
}

/* Whether a folder holds another one, which nobody here has put there. */
static bool has_folder(const char *path)
{
    DIR *d = opendir(path);
    bool found = false;
    struct stat st;

    for (struct dirent *n; d && !found && (n = readdir(d));)
        found = strcmp(n->d_name, ".") != 0 && strcmp(n->d_name, "..") != 0 &&
                fstatat(dirfd(d), n->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
    if (d)
        closedir(d);
    return found;
}

/* *there: it exists, and may be replaced. */
static int look(const char *path, const char *mark, bool *there, struct err *e)
{
    struct stat st;
    char *file;

    *there = false;
    if (lstat(path, &st))
        return errno == ENOENT ? 0 : err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, ERR_IO, "%s: exists and is no folder; expected a new name", path);
    if (asprintf(&file, "%s/%s", path, mark) < 0)
        return no_memory(e, path);
    *there = lstat(file, &st) == 0 && S_ISREG(st.st_mode);
    free(file);
    if (!*there)
        return err_set(e, ERR_IO,
                       "%s: a folder that gcnsim has not written (there is no %s in it); expected another name", path,
                       mark);
    if (has_folder(path))
        return err_set(e, ERR_IO, "%s: folders have been put into it; it is not replaced", path);
    return 0;
}

int output_folder_check(const char *path, const char *mark, struct err *e)
{
    bool there;

    return look(path, mark, &there, e);
}

int output_make_folders(const char *path, struct err *e)
{
    char *part = strdup(path);
    struct stat st;
    int failed = 0;

    if (!part)
        return no_memory(e, path);
    for (char *at = part; !failed && at; at = strchr(at + 1, '/')) {
        char *end = strchr(at + 1, '/');

        if (end)
            *end = 0;
        if (*part && mkdir(part, 0777) && errno != EEXIST)
            failed = err_set(e, ERR_IO, "%s: cannot be made: %s", part, strerror(errno));
        if (end)
            *end = '/';
    }
    if (!failed && (stat(part, &st) || !S_ISDIR(st.st_mode)))
        failed = err_set(e, ERR_IO, "%s: exists and is no folder", part);
    free(part);
    return failed;
}

static void release(struct output_folder *o)
{
    free(o->path);
    free(o->temporary);
    *o = (struct output_folder){0};
}

/* A name beside the folder's own that nobody has. *name is freed by the caller. */
static int beside(char **name, const char *path, unsigned n, const char *ending)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

    free(*name);
    if (asprintf(name, "%.*s.%.200s.%ld-%u.%s", (int)(base - path), path, base, (long)getpid(), n, ending) >= 0)
        return 0;
    *name = NULL;
    return -1;
}

static int make_temporary(struct output_folder *o, struct err *e)
{
    for (unsigned n = 0; n < MAX_TRIES; n++) {
        if (beside(&o->temporary, o->path, n, "tmp"))
            return no_memory(e, o->path);
        if (mkdir(o->temporary, 0777) == 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    return err_set(e, ERR_IO, "%s: no temporary folder beside it: %s", o->path, strerror(errno));
}

int output_folder_open(struct output_folder *o, const char *path, const char *mark, struct err *e)
{
    size_t size = strlen(path);

    while (size > 1 && path[size - 1] == '/')
        size--;
    *o = (struct output_folder){.path = strndup(path, size)};
    char *slash = o->path ? strrchr(o->path, '/') : NULL;
    int failed = o->path ? 0 : no_memory(e, path);
    if (!failed && slash && slash > o->path) {
        *slash = 0;
        failed = output_make_folders(o->path, e);
        *slash = '/';
    }
    if (failed || look(o->path, mark, &o->replaces, e) || make_temporary(o, e)) {
        release(o);
        return -1;
    }
    return 0;
}

/* Moves the old folder away, the new one in, and deletes the old one. */
static int put_in_place(struct output_folder *o, struct err *e)
{
    char *old = NULL;
    int failed = 0;

    for (unsigned n = 0; o->replaces && n < MAX_TRIES; n++) {
        if (beside(&old, o->path, n, "old"))
            return no_memory(e, o->path);
        if (access(old, F_OK) != 0)
            break;
    }
    if (old && rename(o->path, old) && errno != ENOENT)
        failed = err_set(e, ERR_IO, "%s: cannot be replaced: %s; its new contents are in %s", o->path, strerror(errno),
                         o->temporary);
    else if (rename(o->temporary, o->path))
        failed = err_set(e, ERR_IO, "%s: cannot get its name: %s; it is in %s", o->path, strerror(errno), o->temporary);
    else if (old && remove_folder(old) && errno != ENOENT)
        failed = err_set(e, ERR_IO, "%s: what it replaces could not be deleted: %s", old, strerror(errno));
    free(old);
    return failed;
}

int output_folder_close(struct output_folder *o, bool keep, struct err *e)
{
    int failed = 0;

    if (keep)
        failed = put_in_place(o, e);
    else if (remove_folder(o->temporary))
        failed = err_set(e, ERR_IO, "%s: cannot be deleted: %s", o->temporary, strerror(errno));
    release(o);
    return failed;
}

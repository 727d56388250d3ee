/* The C library's functions that take a path, in front of the C library's own: paths of the simulated GPUs' files lead
 * to a folder (folder.h), all others go through as they are. docs/adr/0029-sysfs.md says why in this way.
 *
 * A look-up of paths inside the C library (fopen() its file, opendir() its folder) does not come by here, so that
 * every function that programs call is here itself. The files are read-only.
 */
#undef _FORTIFY_SOURCE /* whose headers define some of these */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sim/hsa/interpose/folder.h"

/* The names are the C library's.
 * NOLINTBEGIN(readability-identifier-naming, readability-inconsistent-declaration-parameter-name) */

/* Names without a declaration of their own in the headers: of _FORTIFY_SOURCE, and of programs from before glibc 2.33.
 */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstatat(int version, int folder, const char *path, struct stat *st, int flags);
int __fxstatat64(int version, int folder, const char *path, struct stat64 *st, int flags);
ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t there);
ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t size, size_t there);
char *__realpath_chk(const char *path, char *to, size_t there);

/* The C library's. Looked up when the library is loaded, so that a signal handler may call these; a constructor that
 * comes earlier looks up what it calls. */
static void *real(void **known, const char *name)
{
    if (!*known)
        *known = dlsym(RTLD_NEXT, name);
    return *known;
}

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))
#define EXPORTED   __attribute__((visibility("default")))

/* X(result, name, parameters, arguments with `to` in the place of the path `path`) */
#define PLAIN(X)                                                                                                       \
    X(DIR *, opendir, (const char *path), (to))                                                                        \
    X(int, stat, (const char *path, struct stat *st), (to, st))                                                        \
    X(int, stat64, (const char *path, struct stat64 *st), (to, st))                                                    \
    X(int, lstat, (const char *path, struct stat *st), (to, st))                                                       \
    X(int, lstat64, (const char *path, struct stat64 *st), (to, st))                                                   \
    X(int, fstatat, (int folder, const char *path, struct stat *st, int flags), (folder, to, st, flags))               \
    X(int, fstatat64, (int folder, const char *path, struct stat64 *st, int flags), (folder, to, st, flags))           \
    X(int, statx, (int folder, const char *path, int flags, unsigned mask, struct statx *st),                          \
      (folder, to, flags, mask, st))                                                                                   \
    X(int, __xstat, (int version, const char *path, struct stat *st), (version, to, st))                               \
    X(int, __xstat64, (int version, const char *path, struct stat64 *st), (version, to, st))                           \
    X(int, __lxstat, (int version, const char *path, struct stat *st), (version, to, st))                              \
    X(int, __lxstat64, (int version, const char *path, struct stat64 *st), (version, to, st))                          \
    X(int, __fxstatat, (int version, int folder, const char *path, struct stat *st, int flags),                        \
      (version, folder, to, st, flags))                                                                                \
    X(int, __fxstatat64, (int version, int folder, const char *path, struct stat64 *st, int flags),                    \
      (version, folder, to, st, flags))                                                                                \
    X(int, access, (const char *path, int mode), (to, mode))                                                           \
    X(int, euidaccess, (const char *path, int mode), (to, mode))                                                       \
    X(int, eaccess, (const char *path, int mode), (to, mode))                                                          \
    X(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, to, mode, flags))                  \
    X(ssize_t, readlink, (const char *path, char *into, size_t size), (to, into, size))                                \
    X(ssize_t, readlinkat, (int folder, const char *path, char *into, size_t size), (folder, to, into, size))          \
    X(ssize_t, __readlink_chk, (const char *path, char *into, size_t size, size_t there), (to, into, size, there))     \
    X(ssize_t, __readlinkat_chk, (int folder, const char *path, char *into, size_t size, size_t there),                \
      (folder, to, into, size, there))                                                                                 \
    X(int, scandir,                                                                                                    \
      (const char *path, struct dirent ***names, int (*wanted)(const struct dirent *),                                 \
       int (*order)(const struct dirent **, const struct dirent **)),                                                  \
      (to, names, wanted, order))                                                                                      \
    X(int, scandir64,                                                                                                  \
      (const char *path, struct dirent64 ***names, int (*wanted)(const struct dirent64 *),                             \
       int (*order)(const struct dirent64 **, const struct dirent64 **)),                                              \
      (to, names, wanted, order))                                                                                      \
    X(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size), (to, name, value, size))      \
    X(ssize_t, lgetxattr, (const char *path, const char *name, void *value, size_t size), (to, name, value, size))     \
    X(ssize_t, listxattr, (const char *path, char *names, size_t size), (to, names, size))                             \
    X(ssize_t, llistxattr, (const char *path, char *names, size_t size), (to, names, size))                            \
    X(int, chdir, (const char *path), (to))

#define DEFINE_PLAIN(type, name, parameters, arguments)                                                                \
    static void *real_##name;                                                                                          \
    EXPORTED type name parameters                                                                                      \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
                                                                                                                       \
        return REAL(name) arguments;                                                                                   \
    }
PLAIN(DEFINE_PLAIN)

/* Opening ---------------------------------------------------------------------------------------------------------- */

/* Whether a path of /sys is another than the program's, which is not to be written. */
static bool refused(const char *path, const char *to, bool writes)
{
    if (to == path || !writes || strncmp(path, "/sys/", 5) != 0)
        return false;
    errno = EACCES;
    return true;
}

static bool writes(int flags)
{
    return ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC)) && !(flags & O_PATH);
}

/* X(name, parameters, arguments with a mode, the last fixed parameter) */
#define OPENING(X)                                                                                                     \
    X(open, (const char *path, int flags, ...), (to, flags, mode))                                                     \
    X(open64, (const char *path, int flags, ...), (to, flags, mode))                                                   \
    X(openat, (int folder, const char *path, int flags, ...), (folder, to, flags, mode))                               \
    X(openat64, (int folder, const char *path, int flags, ...), (folder, to, flags, mode))
#define OPENING_CHECKED(X)                                                                                             \
    X(__open_2, (const char *path, int flags), (to, flags))                                                            \
    X(__open64_2, (const char *path, int flags), (to, flags))                                                          \
    X(__openat_2, (int folder, const char *path, int flags), (folder, to, flags))                                      \
    X(__openat64_2, (int folder, const char *path, int flags), (folder, to, flags))

#define DEFINE_OPENING(name, parameters, arguments)                                                                    \
    static void *real_##name;                                                                                          \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
        mode_t mode = 0;                                                                                               \
                                                                                                                       \
        if (__OPEN_NEEDS_MODE(flags)) {                                                                                \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        return refused(path, to, writes(flags)) ? -1 : REAL(name) arguments;                                           \
    }
OPENING(DEFINE_OPENING)

#define DEFINE_OPENING_CHECKED(name, parameters, arguments)                                                            \
    static void *real_##name;                                                                                          \
    EXPORTED int name parameters                                                                                       \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
                                                                                                                       \
        return refused(path, to, writes(flags)) ? -1 : REAL(name) arguments;                                           \
    }
OPENING_CHECKED(DEFINE_OPENING_CHECKED)

#define STREAMS(X) X(fopen) X(fopen64)
#define DEFINE_STREAM(name)                                                                                            \
    static void *real_##name;                                                                                          \
    EXPORTED FILE *name(const char *path, const char *mode)                                                            \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
                                                                                                                       \
        return refused(path, to, *mode != 'r' || strchr(mode, '+')) ? NULL : REAL(name)(to, mode);                     \
    }
STREAMS(DEFINE_STREAM)

/* Answers that have a path in them ----------------------------------------------------------------------------------
 */

/* As the program is to see it, in place. */
static char *shown(char *path)
{
    size_t own = path ? interpose_own(path) : 0;

    if (own)
        memmove(path, path + own, strlen(path + own) + 1);
    return path;
}

#define REAL_PATHS(X)                                                                                                  \
    X(realpath, (const char *path, char *into), (to, into))                                                            \
    X(__realpath_chk, (const char *path, char *into, size_t there), (to, into, there))                                 \
    X(canonicalize_file_name, (const char *path), (to))
#define DEFINE_REAL_PATH(name, parameters, arguments)                                                                  \
    static void *real_##name;                                                                                          \
    EXPORTED char *name parameters                                                                                     \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
                                                                                                                       \
        return to == path ? REAL(name) arguments : shown(REAL(name) arguments);                                        \
    }
REAL_PATHS(DEFINE_REAL_PATH)

#define GLOBS(X) X(glob, glob_t) X(glob64, glob64_t)
#define DEFINE_GLOB(name, type)                                                                                        \
    static void *real_##name;                                                                                          \
    EXPORTED int name(const char *path, int flags, int (*failed)(const char *path, int error), type *found)            \
    {                                                                                                                  \
        char buffer[PATH_MAX];                                                                                         \
        const char *to = interpose_path(path, buffer);                                                                 \
        int status = REAL(name)(to, flags, failed, found);                                                             \
                                                                                                                       \
        for (size_t k = 0; to != path && !status && k < found->gl_pathc; k++)                                          \
            shown(found->gl_pathv[(flags & GLOB_DOOFFS ? found->gl_offs : 0) + k]);                                    \
        return status;                                                                                                 \
    }
GLOBS(DEFINE_GLOB)

/* ------------------------------------------------------------------------------------------------------------------ */

static void __attribute__((constructor)) look_up(void)
{
#define LOOK_UP(name, ...)             (void)REAL(name);
#define LOOK_UP_PLAIN(type, name, ...) (void)REAL(name);
    PLAIN(LOOK_UP_PLAIN)
    OPENING(LOOK_UP)
    OPENING_CHECKED(LOOK_UP)
    STREAMS(LOOK_UP)
    REAL_PATHS(LOOK_UP)
    GLOBS(LOOK_UP)
}

/* NOLINTEND(readability-identifier-naming, readability-inconsistent-declaration-parameter-name) */

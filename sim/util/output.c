/* Files that gcnsim writes: where a name leads, a temporary file beside it, and the rename at the end. */
#define _GNU_SOURCE
#include "sim/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_TRIES = 1000 };

/* Where the name of an output leads. */
struct place {
    char *path;         /* symbolic links followed */
    const char *name;   /* its last component */
    struct stat folder; /* that it is in */
    struct stat st;     /* of the file, when it exists */
    bool exists;
    bool in_place;
    bool proc; /* in procfs, where links lead to open files and not to names */
    int fd;    /* an open descriptor that it names, or -1 */
};

static int no_memory(struct err *e, const char *path)
{
    return err_set(e, ERR_NOMEM, "%s: out of host memory", path);
}

/* The number N of "/proc/PID/fd/N" when PID is this process, else -1. Where /proc is not mounted, /dev/fd and the links
 * of /dev/stdout lead nowhere, and the folder is known by its name. */
static int own_descriptor(const char *folder, const char *name)
{
    char *real = realpath(folder, NULL), own[40], *end;
    const char *known = real                                                                     ? real
                        : strcmp(folder, "/dev/fd") == 0 || strcmp(folder, "/proc/self/fd") == 0 ? own
                                                                                                 : folder;
    long fd = -1;

    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    if (strcmp(known, own) == 0 && *name >= '0' && *name <= '9') {
        fd = strtol(name, &end, 10);
        if (*end || fd > INT_MAX)
            fd = -1;
    }
    free(real);
    return (int)fd;
}

/* The folder of p->path is looked at; `given` is the name in messages. */
static int look_at_folder(struct place *p, const char *given, struct err *e)
{
    char *slash = strrchr(p->path, '/'), *folder;
    struct statfs fs;

    p->name = slash ? slash + 1 : p->path;
    if (!*p->name)
        return err_set(e, ERR_IO, "%s: the name of a folder; expected a file", given);
    folder = slash ? strndup(p->path, slash == p->path ? 1 : (size_t)(slash - p->path)) : strdup(".");
    if (!folder)
        return no_memory(e, given);
    int failed = 0;
    p->fd = own_descriptor(folder, p->name);
    bool own = p->fd >= 0;
    if (!own && stat(folder, &p->folder))
        failed = err_set(e, ERR_IO, "%s: its folder: %s", given, strerror(errno));
    else if (!own && !S_ISDIR(p->folder.st_mode))
        failed = err_set(e, ERR_IO, "%s: its folder: %s", given, strerror(ENOTDIR));
    else if (own || (statfs(folder, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC))
        p->proc = true;
    else if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS))
        p->in_place = true;
    free(folder);
    return failed;
}

/* Replaces a path that is a symbolic link by what it points to. */
static int follow(struct place *p, const char *given, struct err *e)
{
    char target[PATH_MAX], *next;
    ssize_t n = readlink(p->path, target, sizeof target - 1);

    if (n < 0)
        return err_set(e, ERR_IO, "%s: %s", given, strerror(errno));
    target[n] = 0;
    if (asprintf(&next, "%.*s%s", target[0] == '/' ? 0 : (int)(p->name - p->path), p->path, target) < 0)
        return no_memory(e, given);
    free(p->path);
    p->path = next;
    return 0;
}

static int may_be_written(struct place *p, const char *given, struct err *e)
{
    int flags = p->fd >= 0 ? fcntl(p->fd, F_GETFL) : 0;

    if (!p->exists)
        return p->in_place ? err_set(e, ERR_IO, "%s: its folder cannot be written: %s", given, strerror(EACCES)) : 0;
    if (S_ISDIR(p->st.st_mode))
        return err_set(e, ERR_IO, "%s: a folder; expected a file", given);
    if (S_ISSOCK(p->st.st_mode) && p->fd < 0)
        return err_set(e, ERR_IO, "%s: a socket; expected a file", given);
    if (p->fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
        return err_set(e, ERR_IO, "%s: cannot be written: not open for writing", given);
    if (p->fd < 0 && faccessat(AT_FDCWD, p->path, W_OK, AT_EACCESS) != 0)
        return err_set(e, ERR_IO, "%s: cannot be written: %s", given, strerror(errno));
    p->in_place = p->in_place || p->proc || !S_ISREG(p->st.st_mode);
    return 0;
}

/* Finds out where `path` leads, and that it may be written. p->path is freed by the caller, also after a failure. */
static int find_place(struct place *p, const char *path, struct err *e)
{
    *p = (struct place){.path = strdup(path)};
    if (!p->path)
        return no_memory(e, path);
    for (int hops = 0; hops < MAX_LINKS; hops++) {
        p->in_place = p->proc = false;
        p->fd = -1;
        if (look_at_folder(p, path, e))
            return -1;
        int rc = p->fd >= 0 ? fstat(p->fd, &p->st) : p->proc ? stat(p->path, &p->st) : lstat(p->path, &p->st);
        if (rc && (p->proc || errno != ENOENT))
            return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
        p->exists = rc == 0;
        if (!p->exists || !S_ISLNK(p->st.st_mode))
            return may_be_written(p, path, e);
        if (follow(p, path, e))
            return -1;
    }
    return err_set(e, ERR_IO, "%s: %s", path, strerror(ELOOP));
}

/* ---- writing ---- */

/* A new file beside the one at p. Its descriptor, or -1 with *e. The name is cut, so that it is not too long. */
static int open_temporary(struct output *o, const struct place *p, struct err *e)
{
    int fd = -1;

    for (unsigned n = 0; fd < 0 && n < MAX_TRIES; n++) {
        free(o->temporary);
        o->temporary = NULL;
        if (asprintf(&o->temporary, "%.*s.%.200s.%ld-%u.tmp", (int)(p->name - p->path), p->path, p->name,
                     (long)getpid(), n) < 0) {
            o->temporary = NULL;
            return no_memory(e, o->path);
        }
        /* the mode of a new file, less the bits of the umask; what replaces a file, which may be secret, is nobody
         * else's to open before it has that file's mode */
        fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, p->exists ? 0600 : 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return err_set(e, ERR_IO, "%s: no temporary file beside it: %s", o->path, strerror(errno));
    if (p->exists) {
        /* for another owner, bits that let a program run as its owner would mean something else */
        struct stat mine; /* a folder may give its group to what is made in it */
        bool same = fstat(fd, &mine) == 0 && mine.st_uid == p->st.st_uid && mine.st_gid == p->st.st_gid;
        bool owner = same || fchown(fd, p->st.st_uid, p->st.st_gid) == 0;
        if (fchmod(fd, p->st.st_mode & (owner ? 07777 : 0777)))
            err_set(e, ERR_IO, "%s: mode of the temporary file: %s", o->path, strerror(errno));
    }
    return fd;
}

/* Waits for somebody who reads it, or for a signal that the process handles: who has been asked to stop does. */
static int open_fifo(const struct output *o, const char *path, struct err *e)
{
    const struct timespec turn = {.tv_nsec = 5000000};
    int fd, flags;

    while ((fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO)
        if (nanosleep(&turn, NULL) != 0) {
            err_set(e, ERR_IO, "%s: interrupted, while nobody reads this pipe", o->path);
            return -1;
        }
    if (fd >= 0 && ((flags = fcntl(fd, F_GETFL)) < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int open_in_place(const struct output *o, const struct place *p, struct err *e)
{
    int fd = p->fd >= 0                             ? fcntl(p->fd, F_DUPFD_CLOEXEC, 3)
             : p->exists && S_ISFIFO(p->st.st_mode) ? open_fifo(o, p->path, e)
                                                    : open(p->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);

    if (fd < 0 && !e->code)
        err_set(e, ERR_IO, "%s: cannot be written: %s", o->path, strerror(errno));
    return fd;
}

static void release(struct output *o)
{
    free(o->path);
    free(o->file);
    free(o->temporary);
    *o = (struct output){0};
}

int output_open(struct output *o, const char *path, struct err *e)
{
    struct err own = {0};
    struct place p;
    int fd = -1;

    *o = (struct output){.path = strdup(path)};
    if (!o->path)
        no_memory(&own, path);
    else if (find_place(&p, path, &own) == 0)
        fd = p.in_place ? open_in_place(o, &p, &own) : open_temporary(o, &p, &own);
    if (fd >= 0 && !own.code && !(o->f = fdopen(fd, "w")))
        no_memory(&own, path);
    if (o->path)
        o->file = p.path;
    if (!own.code)
        return 0;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && o->temporary)
        unlink(o->temporary);
    release(o);
    return err_set(e, own.code, "%s", own.text);
}

/* Writes all of a file into another one that exists: the last resort for what cannot be renamed over. */
static bool copy_over(const char *from, const char *to)
{
    char part[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC),
        out = in < 0 ? -1 : open(to, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    bool good = out >= 0;
    ssize_t n = 0;

    while (good && (n = read(in, part, sizeof part)) > 0)
        for (ssize_t done = 0, w; good && done < n; done += w) {
            w = write(out, part + done, (size_t)(n - done));
            good = w > 0;
        }
    if (out >= 0 && close(out))
        good = false;
    if (in >= 0)
        close(in);
    return good && n == 0;
}

/* Gives a complete temporary file its name. */
static int put_in_place(struct output *o, struct err *e)
{
    if (rename(o->temporary, o->file) == 0)
        return 0;
    int reason = errno;
    /* a mount, or another user's file in a sticky folder */
    if ((reason == EBUSY || reason == EPERM || reason == EACCES) && copy_over(o->temporary, o->file)) {
        unlink(o->temporary);
        return 0;
    }
    return err_set(e, ERR_IO, "%s: cannot be replaced: %s; its new contents are in %s", o->path, strerror(reason),
                   o->temporary);
}

int output_close(struct output *o, bool keep, struct err *e)
{
    int failed = 0;

    /* a stream keeps no reason of a failure that came earlier */
    errno = 0;
    bool good = !ferror(o->f) && fflush(o->f) == 0;
    int reason = o->reason ? o->reason : errno;
    errno = 0;
    if (fclose(o->f) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (keep && !good)
        failed = err_set(e, ERR_IO, "%s: not everything could be written%s%s", o->path, reason ? ": " : "",
                         reason ? strerror(reason) : "");
    if (o->temporary && keep && good)
        failed = put_in_place(o, e);
    else if (o->temporary)
        unlink(o->temporary);
    release(o);
    return failed;
}

int output_write(const char *path, const void *bytes, size_t size, struct err *e)
{
    struct output o;

    if (output_open(&o, path, e))
        return -1;
    errno = 0;
    if (fwrite(bytes, 1, size, o.f) != size)
        o.reason = errno;
    return output_close(&o, true, e);
}

/* ---- the files of a run ---- */

struct file_entry {
    char *path, *what;
    enum file_use use;
    bool exists;
    mode_t mode;
    dev_t dev; /* of the file when it exists, else of its folder */
    ino_t ino;
    char *name; /* in the folder, when the file does not exist */
};

static void entry_free(struct file_entry *n)
{
    free(n->path);
    free(n->what);
    free(n->name);
}

static void identify(struct file_entry *n, const struct stat *st)
{
    n->exists = true;
    n->mode = st->st_mode;
    n->dev = st->st_dev;
    n->ino = st->st_ino;
}

/* Which file it is, and for outputs that it may be written. */
static int look(struct file_entry *n, const char *path, struct err *e)
{
    struct place p = {0};
    struct stat st;
    int failed = 0;

    if (!path || n->use == FILE_READ) {
        /* without a descriptor there is nothing to compare; who reads or writes it says so */
        if ((path ? stat(path, &st) : fstat(STDOUT_FILENO, &st)) == 0)
            identify(n, &st);
        return 0;
    }
    if (find_place(&p, path, e)) {
        failed = -1;
    } else if (p.exists) {
        identify(n, &p.st);
    } else {
        n->dev = p.folder.st_dev;
        n->ino = p.folder.st_ino;
        failed = (n->name = strdup(p.name)) ? 0 : no_memory(e, path);
    }
    free(p.path);
    return failed;
}

static bool same_file(const struct file_entry *a, const struct file_entry *b)
{
    if (a->exists != b->exists || a->dev != b->dev || a->ino != b->ino)
        return false;
    if (a->exists)
        return !S_ISCHR(a->mode);
    return a->name && b->name && strcmp(a->name, b->name) == 0;
}

/* Whether one file may be used in both ways. */
static bool go_together(enum file_use a, enum file_use b)
{
    return (a == FILE_READ && b != FILE_WRITTEN) || (b == FILE_READ && a != FILE_WRITTEN);
}

static int compare_entry(const struct file_list *l, const struct file_entry *n, struct err *e)
{
    for (size_t k = 0; k < l->count; k++) {
        const struct file_entry *o = &l->entry[k];

        if (go_together(o->use, n->use) || !same_file(o, n))
            continue;
        /* the one that would be overwritten by the other */
        const struct file_entry *writer = n->use == FILE_READ ? o : n, *other = writer == n ? o : n;
        return err_set(e, ERR_USAGE, "%s: %s: also %s as %s%s%s%s; expected another file", writer->what, writer->path,
                       other->use == FILE_READ ? "read" : "written", other->what,
                       strcmp(writer->path, other->path) == 0 ? "" : " (",
                       strcmp(writer->path, other->path) == 0 ? "" : other->path,
                       strcmp(writer->path, other->path) == 0 ? "" : ")");
    }
    return 0;
}

static struct file_entry *grow(struct file_list *l)
{
    struct file_entry *entry = realloc(l->entry, (l->count + 1) * sizeof *entry);

    if (!entry)
        return NULL;
    l->entry = entry;
    return &entry[l->count];
}

int file_list_add(struct file_list *l, const char *path, enum file_use use, const char *what, struct err *e)
{
    struct file_entry n = {.path = strdup(path ? path : "standard output"), .what = strdup(what), .use = use};
    struct err own = {0};

    if (!n.path || !n.what)
        no_memory(&own, what);
    else if (look(&n, path, &own))
        err_prefix(&own, "%s", what);
    else if (compare_entry(l, &n, &own) == 0) {
        struct file_entry *to = grow(l);
        if (to) {
            *to = n;
            l->count++;
            return 0;
        }
        no_memory(&own, what);
    }
    entry_free(&n);
    return err_set(e, own.code, "%s", own.text);
}

int file_list_add_all(struct file_list *l, const struct file_list *from, struct err *e)
{
    for (size_t k = 0; k < from->count; k++)
        if (file_list_add(l, from->entry[k].path, from->entry[k].use, from->entry[k].what, e))
            return -1;
    return 0;
}

void file_list_free(struct file_list *l)
{
    for (size_t k = 0; k < l->count; k++)
        entry_free(&l->entry[k]);
    free(l->entry);
    *l = (struct file_list){0};
}

bool file_same(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

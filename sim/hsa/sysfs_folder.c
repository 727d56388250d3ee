/* The folder of a process in which its simulated files are.
 *
 * Each process that asks has a folder of its own, below TMPDIR, /dev/shm or /tmp, because nobody is sure to outlive all
 * others and to clean up. It is locked (flock) by an open descriptor that the process's forked children have, too: a
 * folder that nobody has locked is one of a process that was killed or has become another program, and who makes one
 * removes it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/hsa/agents/sysfs.h"

#define PREFIX "gcnsim-sys-"

static char root[PATH_MAX];
static int lock_fd = -1;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

/* Unless somebody has it locked. */
static void remove_unused(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
        nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (fd >= 0)
        close(fd);
}

static void remove_left_ones(const char *parent)
{
    char path[PATH_MAX];
    struct dirent *e;
    DIR *d = opendir(parent);

    while (d && (e = readdir(d)))
        if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) == 0 &&
            snprintf(path, sizeof path, "%s/%s", parent, e->d_name) < (int)sizeof path)
            remove_unused(path);
    if (d)
        closedir(d);
}

/* A new folder, locked. Another process may take it for one that was left before it is, and remove it: then it is
 * another one. */
static bool make_locked(const char *parent)
{
    struct stat at, held;

    for (;;) {
        if (snprintf(root, sizeof root, "%s/" PREFIX "XXXXXX", parent) >= (int)sizeof root || !mkdtemp(root))
            return false;
        lock_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock_fd < 0 && errno == ENOENT)
            continue;
        if (lock_fd < 0 || flock(lock_fd, LOCK_SH) != 0 || fstat(lock_fd, &held) != 0)
            return false;
        if (stat(root, &at) == 0 && at.st_ino == held.st_ino)
            return true;
        close(lock_fd);
    }
}

void gcnsim_hsa_sysfs_end(void)
{
    if (lock_fd < 0)
        return;
    close(lock_fd); /* a forked child has it open still, maybe */
    lock_fd = -1;
    remove_unused(root);
}

static bool make_in(const char *folder, const struct runtime *r)
{
    char parent[PATH_MAX];

    if (!realpath(folder, parent))
        return false;
    remove_left_ones(parent);
    if (make_locked(parent) && sysfs_write(root, r))
        return true;
    int error = errno;
    gcnsim_hsa_sysfs_end();
    errno = error;
    return false;
}

/* Where the user says, else where it is cheap to make many files. */
const char *gcnsim_hsa_sysfs(void)
{
    const char *given = getenv("TMPDIR"), *const places[] = {given, "/dev/shm", "/tmp"};
    size_t k = given && *given ? 0 : 1, last = k ? 2 : 0;
    const struct runtime *r = rt_agents();

    if (!r)
        return NULL;
    while (!make_in(places[k], r))
        if (k++ == last) {
            rt_log("the program finds no simulated GPUs in /sys: a folder for their files in %s: %s", places[last],
                   strerror(errno));
            return NULL;
        }
    return root;
}

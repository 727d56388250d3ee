/* Makes the folder of a process, finds paths in it, and removes it.
 *
 * Each process that asks has a folder of its own, below TMPDIR (/tmp), because nobody is sure to outlive all others and
 * to clean up. It is locked (flock) by an open descriptor that the process's forked children have, too: a folder that
 * nobody has locked is one of a process that was killed or has become another program, and who makes one removes it.
 */
#define _GNU_SOURCE
#include "sim/hsa/interpose/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PREFIX "gcnsim-sys-"

/* Of the HSA runtime (sim/hsa/sysfs.h); null in a program that is not under it. */
__attribute__((weak)) bool gcnsim_hsa_sysfs(const char *root);

/* What there is of simulated things. A folder of `others` has the machine's entries, too: what is not in the simulated
 * one is looked up in the machine's. */
static const struct {
    const char *path;
    bool others;
} places[] = {
    {"/sys/class/kfd", false},           {"/sys/devices/virtual/kfd", false},
    {"/sys/class/drm", false},           {"/sys/module/amdgpu", false},
    {"/sys/bus/pci/drivers/amdgpu", false}, {"/sys/bus/pci/devices", true},
    {"/sys/class/pci_bus", true},        {"/sys/devices/pci", true},
    {"/dev/kfd", false},
};

static char root[PATH_MAX];
static size_t root_length; /* atomic; 0: not made */
static bool over;          /* atomic: could not be made, or the process ends */
static int lock_fd = -1;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

/* Making and removing ---------------------------------------------------------------------------------------------- */

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

/* A new folder, locked; another process may take it for one that was left before it is, and remove it. */
static bool make_locked(const char *parent)
{
    struct stat at, held;

    for (;;) {
        if (snprintf(root, sizeof root, "%s/" PREFIX "XXXXXX", parent) >= (int)sizeof root || !mkdtemp(root))
            return false;
        lock_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock_fd >= 0 && flock(lock_fd, LOCK_SH) == 0 && fstat(lock_fd, &held) == 0 && stat(root, &at) == 0 &&
            at.st_ino == held.st_ino)
            return true;
        if (lock_fd < 0 && errno != ENOENT)
            return false;
        if (lock_fd >= 0)
            close(lock_fd);
    }
}

static void end(void)
{
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    if (lock_fd >= 0) {
        close(lock_fd); /* a forked child has it open still, maybe */
        remove_unused(root);
    }
    lock_fd = -1;
}

static bool make(void)
{
    const char *given = getenv("TMPDIR");
    char parent[PATH_MAX];

    if (!gcnsim_hsa_sysfs || !realpath(given && *given ? given : "/tmp", parent))
        return false;
    remove_left_ones(parent);
    if (!make_locked(parent))
        return false;
    if (gcnsim_hsa_sysfs(root))
        return true;
    end();
    return false;
}

static void __attribute__((destructor)) leave(void)
{
    end();
}

/* The folder's name, or null. */
static const char *folder(size_t *length)
{
    static _Thread_local bool making; /* what is done for it is of the machine itself */

    *length = __atomic_load_n(&root_length, __ATOMIC_ACQUIRE);
    if (!*length && !making && !__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        making = true;
        pthread_mutex_lock(&one);
        if (!root_length && !over) {
            if (make())
                __atomic_store_n(&root_length, strlen(root), __ATOMIC_RELEASE);
            else
                __atomic_store_n(&over, true, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&one);
        making = false;
        *length = root_length;
    }
    return *length && !over ? root : NULL;
}

/* Paths ------------------------------------------------------------------------------------------------------------ */

/* Behind a path's name comes a slash or nothing; /sys/devices/pci stands for the bridges whose names begin with it. */
static bool is_in(const char *path, const char *place)
{
    size_t n = strlen(place);

    return strncmp(path, place, n) == 0 && (!path[n] || path[n] == '/' || strcmp(place, "/sys/devices/pci") == 0);
}

const char *interpose_path(const char *path, char buffer[PATH_MAX])
{
    size_t length, n, k = 0, count = sizeof places / sizeof *places;
    int error = errno;
    const char *in;

    if (!path || (strncmp(path, "/sys/", 5) != 0 && strncmp(path, "/dev/kfd", 8) != 0))
        return path;
    while (k < count && !is_in(path, places[k].path))
        k++;
    if (k == count || !(in = folder(&length))) {
        errno = error;
        return path;
    }
    n = strlen(path);
    errno = error;
    if (length + n >= PATH_MAX)
        return path;
    memcpy(buffer, in, length);
    memcpy(buffer + length, path, n + 1);
    if (places[k].others && syscall(SYS_faccessat, AT_FDCWD, buffer, F_OK) != 0) {
        errno = error;
        return path;
    }
    return buffer;
}

size_t interpose_own(const char *path)
{
    size_t length = __atomic_load_n(&root_length, __ATOMIC_ACQUIRE);

    return length && strncmp(path, root, length) == 0 && path[length] == '/' ? length : 0;
}

/* Asks for the folder of a process when it is needed first, and finds paths in it. */
#define _GNU_SOURCE
#include "sim/hsa/interpose/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For the HSA runtime (sim/hsa/agents/sysfs.h); null in a program that is not under it. */
__attribute__((weak)) const char *gcnsim_hsa_sysfs(void);
__attribute__((weak)) void gcnsim_hsa_sysfs_end(void);

/* What there is of simulated things. A folder of `others` has the machine's entries, too: what is not in the simulated
 * one is looked up in the machine's. */
static const struct {
    const char *path;
    bool others;
} places[] = {
    {"/sys/class/kfd", false},
    {"/sys/devices/virtual/kfd", false},
    {"/sys/class/drm", false},
    {"/sys/module/amdgpu", false},
    {"/sys/bus/pci/drivers/amdgpu", false},
    {"/sys/bus/pci/devices", true},
    {"/sys/class/pci_bus", true},
    {"/sys/devices/pci", true},
    {"/dev/kfd", false},
};

static const char none[] = "";
static const char *root; /* atomic; null: nobody has asked yet; none: there is no folder, or the process ends */
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

/* The folder's name, or null. */
static const char *folder(void)
{
    static _Thread_local bool making; /* what is done for it is of the machine itself */
    const char *in = __atomic_load_n(&root, __ATOMIC_ACQUIRE);

    if (!in && !making) {
        making = true;
        pthread_mutex_lock(&one);
        if (!root) {
            in = gcnsim_hsa_sysfs ? gcnsim_hsa_sysfs() : NULL;
            __atomic_store_n(&root, in ? in : none, __ATOMIC_RELEASE);
        }
        in = root;
        pthread_mutex_unlock(&one);
        making = false;
    }
    return in && *in ? in : NULL;
}

static void __attribute__((destructor)) leave(void)
{
    const char *in = __atomic_exchange_n(&root, none, __ATOMIC_ACQ_REL);

    if (in && *in)
        gcnsim_hsa_sysfs_end();
}

/* Paths ------------------------------------------------------------------------------------------------------------ */

/* After a path's name comes a slash or nothing; /sys/devices/pci stands for the bridges whose names begin with it. */
static bool is_in(const char *path, const char *place)
{
    size_t n = strlen(place);

    return strncmp(path, place, n) == 0 && (!path[n] || path[n] == '/' || strcmp(place, "/sys/devices/pci") == 0);
}

const char *interpose_path(const char *path, char buffer[PATH_MAX])
{
    size_t k = 0, count = sizeof places / sizeof *places;
    int error = errno;
    const char *in;

    if (!path || (strncmp(path, "/sys/", 5) != 0 && strncmp(path, "/dev/kfd", 8) != 0))
        return path;
    while (k < count && !is_in(path, places[k].path))
        k++;
    in = k < count ? folder() : NULL;
    errno = error;
    if (!in || strlen(in) + strlen(path) >= PATH_MAX)
        return path;
    stpcpy(stpcpy(buffer, in), path);
    if (places[k].others && syscall(SYS_faccessat, AT_FDCWD, buffer, F_OK) != 0) {
        errno = error;
        return path;
    }
    return buffer;
}

size_t interpose_own(const char *path)
{
    const char *in = __atomic_load_n(&root, __ATOMIC_ACQUIRE);
    size_t length = in ? strlen(in) : 0;

    return length && strncmp(path, in, length) == 0 && path[length] == '/' ? length : 0;
}

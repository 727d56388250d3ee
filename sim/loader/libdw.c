/* Opens the DWARF of a file with the libdw that is linked in, or with one that is loaded. */
#define _GNU_SOURCE /* memfd_create */
#include "sim/loader/libdw.h"

#ifndef LIBDW_LOADED

bool libdw_open(struct libdw_file *f, Elf *elf, const void *bytes, size_t size)
{
    (void)bytes, (void)size;
    f->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    return f->dwarf != NULL;
}

void libdw_close(struct libdw_file *f)
{
    dwarf_end(f->dwarf);
    f->dwarf = NULL;
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

struct libdw libdw;
static bool loaded;

/* The library is never closed: its functions are called for as long as the process lives. */
static void load(void)
{
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    bool all = library != NULL;

#define X(name) all = all && (*(void **)&libdw.name = dlsym(library, #name)) != NULL;
    LIBDW_FUNCTIONS(X)
#undef X
    loaded = all;
}

/* A file of its own for the bytes, which has no name in any folder. -1: none. */
static int file_of(const char *bytes, size_t size)
{
    int fd = memfd_create("gcnsim-dwarf", MFD_CLOEXEC);

    for (size_t done = 0; fd >= 0 && done < size;) {
        ssize_t n = write(fd, bytes + done, size - done);

        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    return fd;
}

bool libdw_open(struct libdw_file *f, Elf *elf, const void *bytes, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int fd;

    (void)elf;
    pthread_once(&once, load);
    if (!loaded || (fd = file_of(bytes, size)) < 0)
        return false;
    f->fd = fd + 1;
    f->dwarf = libdw.dwarf_begin(fd, DWARF_C_READ);
    return f->dwarf != NULL;
}

void libdw_close(struct libdw_file *f)
{
    if (f->dwarf)
        libdw.dwarf_end(f->dwarf);
    if (f->fd)
        close(f->fd - 1);
    *f = (struct libdw_file){0};
}

#endif

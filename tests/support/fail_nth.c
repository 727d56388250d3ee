/* The n-th call that asks the host for something fails. */
#define _GNU_SOURCE
#include "tests/support/fail_nth.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef __SANITIZE_ADDRESS__

static atomic_bool armed, from_there_on;
static atomic_long calls, fails, live;
static long chosen;

/* the libraries have to find these definitions, whatever the build hides */
#pragma GCC visibility push(default)

/* dlsym() may allocate before the real functions are known. */
static char early[65536];
static size_t early_used;

#define REAL(NAME)                                                                                                     \
    static __typeof__(&NAME) real_##NAME;                                                                              \
    if (!real_##NAME)                                                                                                  \
    real_##NAME = (__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME)

void fail_arm(long n, bool onwards)
{
    /* looked up now: what dlsym() itself asks for must neither fail nor be counted, nor free() be called for the first
     * time within it */
    void *volatile p = calloc(1, 1);

    p = realloc(p, 2);
    free(p);
    p = malloc(1);
    free(p);
    chosen = n;
    from_there_on = onwards;
    calls = fails = 0;
    armed = true;
}

long fail_disarm(void)
{
    armed = false;
    return calls;
}

long fail_count(void)
{
    return fails;
}

long fail_live(void)
{
    return live;
}

/* Whether this call is to fail; errno is set then. */
static bool fails_now(int reason)
{
    if (!armed)
        return false;
    long n = atomic_fetch_add(&calls, 1);
    if (chosen < 0 || (n != chosen && !(from_there_on && n > chosen)))
        return false;
    atomic_fetch_add(&fails, 1);
    errno = reason;
    return true;
}

/* ---- memory ---- */

static bool is_early(const void *p)
{
    return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static void *take_early(size_t size)
{
    void *p = early + early_used;

    early_used += (size + 31) & ~(size_t)15;
    if (early_used > sizeof early)
        abort();
    return p;
}

static void *count_live(void *p)
{
    if (p)
        atomic_fetch_add(&live, 1);
    return p;
}

static _Thread_local bool looking_up;

void *malloc(size_t size)
{
    static void *(*real)(size_t);

    if (!real) {
        if (looking_up)
            return take_early(size);
        looking_up = true;
        real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
        looking_up = false;
    }
    return fails_now(ENOMEM) ? NULL : count_live(real(size));
}

void *calloc(size_t n, size_t size)
{
    static void *(*real)(size_t, size_t);

    if (!real) {
        if (looking_up)
            return take_early(n * size);
        looking_up = true;
        real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
        looking_up = false;
    }
    return fails_now(ENOMEM) ? NULL : count_live(real(n, size));
}

void *realloc(void *p, size_t size)
{
    static void *(*real)(void *, size_t);

    if (!real) {
        looking_up = true;
        real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
        looking_up = false;
    }
    if (fails_now(ENOMEM))
        return NULL;
    void *q = real(p, size);
    if (!p)
        count_live(q);
    return q;
}

void free(void *p)
{
    static void (*real)(void *);

    if (!p || is_early(p))
        return;
    if (!real) {
        looking_up = true;
        real = (void (*)(void *))dlsym(RTLD_NEXT, "free");
        looking_up = false;
    }
    atomic_fetch_sub(&live, 1);
    real(p);
}

void *aligned_alloc(size_t align, size_t size)
{
    REAL(aligned_alloc);
    return fails_now(ENOMEM) ? NULL : count_live(real_aligned_alloc(align, size));
}

int posix_memalign(void **p, size_t align, size_t size)
{
    REAL(posix_memalign);
    if (fails_now(ENOMEM))
        return ENOMEM;
    int rc = real_posix_memalign(p, align, size);
    if (rc == 0)
        count_live(*p);
    return rc;
}

void *mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    REAL(mmap);
    if (fails_now(ENOMEM))
        return MAP_FAILED;
    void *p = real_mmap(at, size, prot, flags, fd, offset);
    if (p != MAP_FAILED)
        count_live(p);
    return p;
}

int munmap(void *p, size_t size)
{
    REAL(munmap);
    atomic_fetch_sub(&live, 1);
    return real_munmap(p, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    REAL(pthread_create);
    return fails_now(EAGAIN) ? EAGAIN : real_pthread_create(thread, attr, start, arg);
}

/* ---- files ---- */

int open(const char *path, int flags, ...)
{
    REAL(open);
    va_list ap;

    va_start(ap, flags);
    int mode = flags & O_CREAT ? va_arg(ap, int) : 0;
    va_end(ap);
    return fails_now(EMFILE) ? -1 : real_open(path, flags, mode);
}

ssize_t read(int fd, void *to, size_t size)
{
    REAL(read);
    return fails_now(EIO) ? -1 : real_read(fd, to, size);
}

size_t fread(void *to, size_t size, size_t n, FILE *f)
{
    REAL(fread);
    if (!fails_now(EIO))
        return real_fread(to, size, n, f);
    f->_flags |= 0x20; /* glibc's _IO_ERR_SEEN: what ferror() looks at */
    return 0;
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    return fails_now(EIO) ? -1 : real_rename(from, to);
}

/* Streams that are written: stdio's own calls of write() cannot be replaced, those of a cookie can. */
struct written {
    int fd;
    bool counted, closes;
};

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
    struct written *w = cookie;

    if (w->counted && fails_now(ENOSPC))
        return 0;
    ssize_t n = write(w->fd, bytes, size);
    return n < 0 ? 0 : n;
}

static int cookie_close(void *cookie)
{
    struct written w = *(struct written *)cookie;

    free(cookie);
    bool failed = w.counted && fails_now(EIO);
    if (w.closes && close(w.fd) != 0)
        return -1;
    return failed ? -1 : 0;
}

static FILE *make_stream(int fd, bool counted, bool closes)
{
    struct written *w = malloc(sizeof *w);
    FILE *f = NULL;

    if (w) {
        *w = (struct written){fd, counted, closes};
        f = fopencookie(w, "w", (cookie_io_functions_t){.write = cookie_write, .close = cookie_close});
    }
    if (!f)
        free(w);
    return f;
}

FILE *fail_stream(int fd, bool counted)
{
    return make_stream(fd, counted, false);
}

FILE *fdopen(int fd, const char *mode)
{
    REAL(fdopen);
    if (fails_now(ENOMEM))
        return NULL;
    return mode[0] == 'w' ? make_stream(fd, true, true) : real_fdopen(fd, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    if (fails_now(EMFILE))
        return NULL;
    if (mode[0] != 'w')
        return real_fopen(path, mode);
    int fd = creat(path, 0666);
    FILE *f = fd < 0 ? NULL : make_stream(fd, true, true);
    if (!f && fd >= 0)
        close(fd);
    return f;
}

#else /* AddressSanitizer brings these functions: nothing fails, nothing is counted */

void fail_arm(long n, bool onwards)
{
    /* looked up now: what dlsym() itself asks for must neither fail nor be counted, nor free() be called for the first
     * time within it */
    void *volatile p = calloc(1, 1);

    p = realloc(p, 2);
    free(p);
    p = malloc(1);
    free(p);
    (void)n, (void)onwards;
}

long fail_disarm(void)
{
    return 0;
}

long fail_count(void)
{
    return 0;
}

long fail_live(void)
{
    return 0;
}

FILE *fail_stream(int fd, bool counted)
{
    (void)counted;
    return fdopen(dup(fd), "w");
}

#endif

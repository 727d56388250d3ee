/* Trials of a raw launch: each in a child process, which has the memory of this one as it is before the launch.
 *
 * The child first makes private what this process shares with others: pages of a shared mapping that are there are
 * copied, others read as zeros. A mapping of the same memory at a second address becomes a copy of its own, so that
 * what is stored through one is not seen through the other. The child has one thread; a lock that another thread held
 * at the fork stays held, which is why the caller, who starts it, gives it a time limit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/api/raw.h"
#include "sim/study/explain.h"

struct source {
    const struct gcnsim *sim;
    struct gcnsim_raw raw;
    gcnsim_child_fn *child;
    void *child_ctx;
    uint32_t warmup;
};

struct work {
    const struct source *s;
    struct trial *t;
};

/* Pages of [lo, hi) that are there, in a new mapping that takes its place. */
static bool make_private(uint64_t lo, uint64_t hi, int access)
{
    enum { PIECE = 1 << 16 };
    unsigned char there[PIECE];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = hi - lo;
    char *from = (char *)(uintptr_t)lo;
    char *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (to == MAP_FAILED)
        return false;
    for (size_t at = 0; at < bytes; at += PIECE * page) {
        size_t n = bytes - at < PIECE * page ? bytes - at : PIECE * page;

        if (mincore(from + at, n, there))
            return false;
        for (size_t k = 0; k < n / page; k++)
            if (there[k] & 1)
                memcpy(to + at + k * page, from + at + k * page, page);
    }
    return mremap(to, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, from) != MAP_FAILED &&
           mprotect(from, bytes, access) == 0;
}

/* All memory that others see. Devices stay as they are: a launch has no business there. */
static bool make_all_private(struct gcnsim_error *error)
{
    FILE *f = fopen("/proc/self/maps", "r");
    struct {
        uint64_t lo, hi;
        int access;
    } list[4096];
    size_t count = 0;
    char line[4400], access[8], path[4096];
    bool good = f != NULL;

    while (f && fgets(line, sizeof line, f)) {
        uint64_t lo, hi;

        *path = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %4095s", &lo, &hi, access, path) < 3)
            continue;
        bool device =
            strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0 && strncmp(path, "/dev/zero", 9) != 0;
        if (access[3] != 's' || access[1] != 'w' || access[0] != 'r' || device)
            continue;
        good &= count < sizeof list / sizeof list[0];
        if (good) {
            list[count].lo = lo;
            list[count].hi = hi;
            list[count++].access = PROT_READ | PROT_WRITE | (access[2] == 'x' ? PROT_EXEC : 0);
        }
    }
    if (!f)
        snprintf(error->text, sizeof error->text, "/proc/self/maps, which tells what memory is shared: %s",
                 strerror(errno));
    else
        fclose(f);
    for (size_t k = 0; k < count && good; k++)
        good = make_private(list[k].lo, list[k].hi, list[k].access);
    if (f && !good)
        snprintf(error->text, sizeof error->text, "memory that is shared with others could not be made private");
    error->code = good ? GCNSIM_OK : f ? GCNSIM_ERROR_NOMEM : GCNSIM_ERROR_IO;
    return good;
}

/* A simulator with the profile of another one, which a thread of the parent may be using. */
static int open_like(struct gcnsim **out, const struct gcnsim *sim, struct gcnsim_error *error)
{
    struct err e = {0};
    int rc = gcnsim_open(out, NULL, error);

    if (rc != GCNSIM_OK)
        return rc;
    gcnsim_set_max_memory(*out, 0);
    (*out)->profile = profile_clone(sim->profile, &e);
    return (*out)->profile ? GCNSIM_OK : api_fail(error, &e);
}

static void simulate(const struct source *s, struct trial *t)
{
    struct gcnsim *sim = NULL;
    struct gcnsim_result *r = NULL;
    int rc = make_all_private(&t->error) ? GCNSIM_OK : t->error.code;

    if (rc == GCNSIM_OK)
        rc = open_like(&sim, s->sim, &t->error);
    if (rc == GCNSIM_OK && t->set_count)
        rc = gcnsim_set_all(sim, t->sets, t->set_count, &t->error);
    for (uint32_t k = 0; k < s->warmup && rc == GCNSIM_OK; k++) {
        rc = gcnsim_launch_raw(sim, &s->raw, &r, &t->error);
        bool ended = rc != GCNSIM_OK || r->outcome == GCNSIM_COMPLETED;
        if (!ended) { /* so will the launch itself */
            trial_take(t, r);
            return;
        }
        gcnsim_result_free(r);
        r = NULL;
    }
    if (rc == GCNSIM_OK)
        rc = gcnsim_launch_raw(sim, &s->raw, &r, &t->error);
    if (rc == GCNSIM_OK)
        trial_take(t, r);
}

static void fail(struct trial *t, const char *text)
{
    trial_free(t);
    t->error.code = GCNSIM_ERROR_LIMIT;
    snprintf(t->error.text, sizeof t->error.text, "%s", text);
}

/* In the child. */
static void work(void *of, int fd)
{
    struct work *w = of;

    simulate(w->s, w->t);
    (void)trial_send(w->t, fd);
}

/* Here. */
static void answer(void *of, int fd)
{
    struct work *w = of;

    if (!trial_receive(w->t, fd))
        fail(
            w->t,
            "its process ended early: it took too long, waited for a thread of the program, or ran out of host memory");
}

/* A trial_fn; ctx: a struct source. */
static void in_a_child(void *ctx, struct trial *t)
{
    const struct source *s = ctx;
    struct work w = {s, t};

    if (s->child(s->child_ctx, work, answer, &w))
        fail(t, "no child process could be started");
}

int gcnsim_explain_raw(const struct gcnsim_explain_options *options, const struct gcnsim_raw *raw,
                       gcnsim_child_fn *child, void *child_ctx, struct gcnsim_explanation **out,
                       struct gcnsim_error *error)
{
    struct gcnsim_explain_options o;
    struct gcnsim_error unwanted;
    struct source s;
    struct err e = {0};

    *out = NULL;
    if (explain_take_options(&o, options, &e) || api_take_raw(&s.raw, raw, &e))
        return api_fail(error, &e);
    if (!o.sim || !o.sim->profile || !child) {
        err_set(&e, ERR_USAGE, "options without a simulator that has a profile, or nobody who starts processes");
        return api_fail(error, &e);
    }
    s.sim = o.sim;
    s.child = child;
    s.child_ctx = child_ctx;
    s.warmup = o.warmup;
    s.raw.engine = GCNSIM_ENGINE_TIMING;
    s.raw.threads = 1;
    s.raw.cold = !o.warmup; /* each child has a device of its own */
    s.raw.per_instruction = 1;
    s.raw.check = 0;
    s.raw.progress = NULL;
    s.raw.progress_facts = NULL;
    s.raw.abort_flag = NULL;
    s.raw.snapshot_flag = NULL;
    s.raw.att = NULL;
    s.raw.timeline = NULL;
    s.raw.samples = 0;
    s.raw.message = NULL;
    s.raw.more = NULL;  /* it may ask for a lock that another thread held */
    if (s.raw.object) { /* children find the lines read, and nobody in the middle of reading them */
        o.code = s.raw.object;
        (void)code_object_lines(s.raw.object->co);
    }
    return explain_with(&o, in_a_child, &s, !s.raw.object, out, error ? error : &unwanted);
}

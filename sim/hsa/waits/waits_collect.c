/* Copies what threads, handlers, copies and queues wait for out of the runtime's tables. */
#define _GNU_SOURCE
#include "sim/hsa/waits/waits.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hsa/core/host_threads.h"
#include "sim/hsa/queues/copy.h"
#include "sim/hsa/signals/handlers.h"
#include "sim/hsa/waits/waits_make.h"
#include "sim/util/plain.h"

#define MOST_LOOKS 4

/* A copy of conditions; null, and no_memory is set: out of host memory. */
static struct signal_condition *new_conditions(struct waits_make *m, uint32_t count)
{
    struct signal_condition *on = ARENA_NEW(&m->w->arena, count, struct signal_condition);

    m->no_memory |= !on;
    return on;
}

static void add_thread(const struct host_wait *from, void *ctx)
{
    struct waits_make *m = ctx;
    uint32_t count = from->count < HOSTS_SIGNALS ? from->count : HOSTS_SIGNALS;
    struct signal_condition *on = new_conditions(m, count);
    struct wait_node *n = on ? waits_add(m, WAIT_THREAD, (struct held_wait){.on = on, .count = count}) : NULL;

    if (!n)
        return;
    memcpy(on, from->on, count * sizeof *on);
    n->number = (uint64_t)from->tid;
    n->any = !from->all;
    n->unlooked = from->count - count;
}

static void add_handler(const struct signal_condition *from, void *ctx)
{
    struct waits_make *m = ctx;
    struct signal_condition *on = new_conditions(m, 1);
    struct wait_node *n = on ? waits_add(m, WAIT_HANDLER, (struct held_wait){.on = on, .count = 1}) : NULL;

    if (!n)
        return;
    *on = *from;
    n->number = n == m->w->node || n[-1].kind != WAIT_HANDLER ? 1 : n[-1].number + 1;
}

static void add_copy(const struct copy_wait *from, void *ctx)
{
    struct waits_make *m = ctx;
    struct signal_condition *on = new_conditions(m, from->count);
    struct held_wait held = {.on = on};
    struct wait_node *n;

    for (uint32_t k = 0; on && k < from->count; k++)
        if (from->on[k].handle)
            on[held.count++] = (struct signal_condition){from->on[k], HSA_SIGNAL_CONDITION_EQ, 0, -1};
    n = on ? waits_add(m, WAIT_COPY, held) : NULL;
    if (!n)
        return;
    n->number = n == m->w->node || n[-1].kind != WAIT_COPY ? 1 : n[-1].number + 1;
    n->bytes = from->bytes;
    n->completes = from->completion.handle;
}

/* Under the lock of its device's queues. Indices are read in the order that keeps them apart: packets end while this
 * looks at them. */
static void add_queue(struct waits_make *m, const struct queue *q)
{
    struct held_queue *h = &m->queue[m->queues];
    uint64_t read = __atomic_load_n(&q->read, __ATOMIC_ACQUIRE), begun = __atomic_load_n(&q->begun, __ATOMIC_ACQUIRE);
    uint64_t write = __atomic_load_n(&q->shown->write_dispatch_id, __ATOMIC_ACQUIRE), count = write - read;

    if (count > q->mask + UINT64_C(1)) /* reserved, but not there before packets end; or a kernel has written there */
        count = q->mask + UINT64_C(1);
    *h = (struct held_queue){.number = q->number,
                             .stopped = !queue_goes_on(q),
                             .one_kernel = !exec_is_timing(&rt_any()->options),
                             .packet = ARENA_NEW(&m->w->arena, count, struct held_packet)};
    m->queues++;
    m->no_memory |= !h->packet;
    h->read = read + count;
    for (uint64_t k = 0; h->packet && k < count; k++) {
        struct held_packet *p = &h->packet[h->packets];

        if (!queue_view(q, read + k, &p->view))
            continue; /* it has ended, as all before it have */
        if (!h->packets)
            h->read = read + k;
        p->node = WAITS_NONE;
        h->packets++;
        h->next += read + k < begun;
    }
}

static int by_number(const void *a, const void *b)
{
    const struct held_queue *x = a, *y = b;

    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_queues(struct waits_make *m, const struct runtime *r)
{
    for (uint32_t k = 0; k < r->agents && !m->no_memory; k++) {
        struct device *d = r->agent[k].device;
        size_t count = m->queues;
        struct held_queue *more;

        if (!d)
            continue;
        pthread_mutex_lock(&d->lock);
        for (const struct queue *q = d->queues; q; q = q->next)
            count++;
        more = count ? realloc(m->queue, count * sizeof *more) : NULL;
        m->queue = more ? more : m->queue;
        m->no_memory |= count && !more;
        for (const struct queue *q = d->queues; q && !m->no_memory; q = q->next)
            add_queue(m, q);
        pthread_mutex_unlock(&d->lock);
    }
    if (m->queues)
        qsort(m->queue, m->queues, sizeof *m->queue, by_number);
}

/* Names --------------------------------------------------------------------------------------------------------------
 */

static void name_thread(struct waits_make *m, struct wait_node *n)
{
    char path[64], name[32];
    ssize_t got = -1;
    int fd;

    snprintf(path, sizeof path, "/proc/self/task/%u/comm", (unsigned)n->number);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        got = read(fd, name, sizeof name - 1);
        close(fd);
    }
    if (got <= 0)
        return;
    name[got - (name[got - 1] == '\n')] = '\0';
    n->name = arena_text(&m->w->arena, plain_text(name, 0));
    m->no_memory |= !n->name;
}

/* An address, and the file that is loaded there. dladdr() would wait for a dlopen() to end whose constructors wait. */
struct place {
    uintptr_t address, base;
    char file[64];
};

static int look_in(struct dl_phdr_info *info, size_t size, void *ctx)
{
    struct place *p = ctx;

    (void)size;
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];

        if (h->p_type != PT_LOAD || p->address - info->dlpi_addr - h->p_vaddr >= h->p_memsz)
            continue;
        const char *slash = strrchr(info->dlpi_name, '/');
        const char *file = *info->dlpi_name ? info->dlpi_name : program_invocation_short_name;

        p->base = info->dlpi_addr;
        snprintf(p->file, sizeof p->file, "%s", slash ? slash + 1 : file);
        return 1;
    }
    return 0;
}

static void name_maker(struct waits_make *m, struct wait_node *n, const void *made)
{
    struct place p = {.address = (uintptr_t)made};
    char text[100];

    if (!made || !dl_iterate_phdr(look_in, &p))
        return;
    snprintf(text, sizeof text, "%s+0x%zx", plain_text(p.file, 0), (size_t)(p.address - p.base));
    n->made = arena_text(&m->w->arena, text);
    m->no_memory |= !n->made;
}

static void name_all(struct waits_make *m)
{
    for (uint32_t k = 0; k < m->w->nodes; k++) {
        struct wait_node *n = &m->w->node[k];
        const struct signal *s = n->kind == WAIT_SIGNAL && n->known ? signal_find((hsa_signal_t){n->handle}) : NULL;

        if (n->kind == WAIT_THREAD)
            name_thread(m, n);
        if (s)
            name_maker(m, n, __atomic_load_n(&s->made, __ATOMIC_RELAXED));
    }
}

/* The whole ----------------------------------------------------------------------------------------------------------
 */

static void collect(struct waits_make *m, const struct runtime *r)
{
    pid_t in_handler;
    uint32_t threads;

    hosts_each_wait(add_thread, m);
    threads = m->w->nodes;
    in_handler = handlers_each(add_handler, m);
    for (uint32_t k = 0; k < threads; k++)
        if (m->w->node[k].number == (uint64_t)in_handler)
            m->in_handler = k;
    copies_each(add_copy, m);
    add_queues(m, r);
    if (m->no_memory)
        return;
    waits_connect(m);
    waits_find_cycles(m);
    name_all(m);
}

static struct waits *look(void)
{
    const struct runtime *r = rt_any();
    struct waits_make m = {.w = calloc(1, sizeof *m.w), .in_handler = WAITS_NONE};

    if (!r || !m.w) {
        free(m.w);
        return NULL;
    }
    arena_init(&m.w->arena, 0);
    m.w->node = calloc(WAITS_MOST, sizeof *m.w->node);
    m.held = calloc(WAITS_MOST, sizeof *m.held);
    m.no_memory = !m.w->node || !m.held;
    if (!m.no_memory)
        collect(&m, r);
    free(m.held);
    free(m.queue);
    if (!m.no_memory && m.w->nodes)
        return m.w;
    if (m.no_memory)
        rt_log("out of host memory to report who waits for what");
    waits_free(m.w);
    return NULL;
}

static bool has_cycle(const struct waits *w, const struct waits *of, const struct wait_cycle *c)
{
    for (uint32_t k = 0; k < w->cycles; k++) {
        bool same = w->cycle[k].nodes == c->nodes;

        for (uint32_t j = 0; j < c->nodes && same; j++) {
            const struct wait_node *x = &w->node[w->cycle[k].node[j]], *y = &of->node[c->node[j]];

            same = x->kind == y->kind && x->queue == y->queue && x->number == y->number;
        }
        if (same)
            return true;
    }
    return false;
}

/* While things move, looks at one table after the other may make a cycle that never was; a real one stays. So cycles
 * count that two looks in a row have seen. */
struct waits *waits_collect(void)
{
    struct waits *w = look();

    for (unsigned looks = 1; w && w->cycles; looks++) {
        struct waits *before = w;
        uint32_t stay = 0;

        w = look();
        for (uint32_t k = 0; w && k < w->cycles; k++)
            if (has_cycle(before, w, &w->cycle[k]))
                w->cycle[stay++] = w->cycle[k];
        waits_free(before);
        if (w && (stay || looks == MOST_LOOKS)) {
            w->cycles = stay;
            break;
        }
    }
    return w;
}

void waits_free(struct waits *w)
{
    if (!w)
        return;
    arena_free(&w->arena);
    free(w->node);
    free(w->edge);
    free(w);
}

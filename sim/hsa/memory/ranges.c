/* The table of memory ranges, ordered by address, and what launches check accesses against. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/hsa/memory/memory.h"

/* Places are moved when entries come and go, so they are small: a program with ten thousand allocations moves 160 KB.
 */
struct place {
    uint64_t end;
    struct range *range;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct place *table;
static size_t count, capacity;
static uint64_t generation;                                     /* atomic */
static void (*host_list[HOST_MEMORIES])(struct stretches *out); /* atomic */

static uint64_t end_of_place(const void *at, size_t k)
{
    return ((const struct place *)at)[k].end;
}

/* The first entry that ends after the address. */
static size_t position(uint64_t address)
{
    return first_above(table, count, end_of_place, address);
}

void ranges_changed(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
}

void ranges_host_changed(enum host_memory kind, void (*list)(struct stretches *out))
{
    __atomic_store_n(&host_list[kind], list, __ATOMIC_RELEASE);
    ranges_changed();
}

uint64_t range_generation(void)
{
    return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* Room for one more; under the lock. */
static bool room(void)
{
    size_t more = capacity ? 2 * capacity : 64;
    struct place *t;

    if (count < capacity)
        return true;
    t = realloc(table, more * sizeof *t);
    if (!t)
        return false;
    table = t;
    capacity = more;
    return true;
}

bool range_add(const struct range *r)
{
    struct range *own = malloc(sizeof *own);
    bool added = false;
    size_t at;

    if (!own)
        return false;
    *own = *r;
    pthread_rwlock_wrlock(&lock);
    at = position(r->lo);
    if (room() && (at == count || r->lo + r->mapped <= table[at].range->lo)) {
        memmove(table + at + 1, table + at, (count - at) * sizeof *table);
        table[at] = (struct place){r->lo + r->mapped, own};
        count++;
        ranges_changed();
        added = true;
    }
    pthread_rwlock_unlock(&lock);
    if (!added)
        free(own);
    return added;
}

bool range_take(uint64_t lo, struct range *out)
{
    struct range *taken = NULL;
    size_t at;

    pthread_rwlock_wrlock(&lock);
    at = position(lo);
    if (at < count && table[at].range->lo == lo) {
        taken = table[at].range;
        memmove(table + at, table + at + 1, (count - at - 1) * sizeof *table);
        count--;
        ranges_changed();
    }
    pthread_rwlock_unlock(&lock);
    if (taken)
        *out = *taken;
    free(taken);
    return taken != NULL;
}

bool range_next(uint64_t address, struct range *out)
{
    bool found;
    size_t at;

    pthread_rwlock_rdlock(&lock);
    at = position(address);
    found = at < count;
    if (found)
        *out = *table[at].range;
    pthread_rwlock_unlock(&lock);
    return found;
}

bool range_find(uint64_t address, struct range *out)
{
    struct range r;
    bool found = range_next(address, &r) && r.lo <= address;

    if (found)
        *out = r;
    return found;
}

bool range_update(uint64_t address, void (*change)(struct range *r, void *ctx), void *ctx)
{
    bool found;
    size_t at;

    pthread_rwlock_wrlock(&lock);
    at = position(address);
    found = at < count && table[at].range->lo <= address;
    if (found)
        change(table[at].range, ctx);
    pthread_rwlock_unlock(&lock);
    return found;
}

/* Host memory, put in order ---------------------------------------------------------------------------------------- */

void stretches_add(struct stretches *s, uint64_t lo, uint64_t hi, bool writable)
{
    if (s->count == s->capacity) {
        size_t more = s->capacity ? 2 * s->capacity : 32;
        struct stretch *t = realloc(s->at, more * sizeof *t);

        if (!t) {
            s->failed = true;
            return;
        }
        s->at = t;
        s->capacity = more;
    }
    s->at[s->count++] = (struct stretch){lo, hi, writable};
}

static int by_lo(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Sorts, and makes one of those that touch: an access may cross from one locked buffer into its neighbour. Where one
 * is writable and the other not, both are. */
static void merge(struct stretches *s)
{
    size_t n = 0;

    if (s->count)
        qsort(s->at, s->count, sizeof *s->at, by_lo);
    for (size_t k = 0; k < s->count; k++) {
        struct stretch *last = n ? &s->at[n - 1] : NULL;

        if (!last || s->at[k].lo > last->hi || (s->at[k].lo == last->hi && s->at[k].writable != last->writable)) {
            s->at[n++] = s->at[k];
            continue;
        }
        if (s->at[k].hi > last->hi)
            last->hi = s->at[k].hi;
        last->writable |= s->at[k].writable;
    }
    s->count = n;
}

/* Sets for launches ------------------------------------------------------------------------------------------------ */

struct lists {
    struct gcnsim_range *ranges;
    struct gcnsim_window *windows;
    struct range_span *spans; /* both, in order of address */
    size_t range_count, window_count, span_count;
    struct stretches host;
};

static const char *label(enum range_kind k)
{
    switch (k) {
    case RANGE_CODE:
        return "code";
    case RANGE_LOCKED:
        return "registered host memory";
    case RANGE_VMEM:
        return "mapped memory";
    case RANGE_SYSTEM:
        return "queue or signals";
    default:
        return "allocation";
    }
}

/* What the host's memory has between the ranges, up to `end`. *next: the first stretch that may reach there. */
static void put_host(struct lists *l, size_t *next, uint64_t *from, uint64_t end)
{
    for (; *next < l->host.count && l->host.at[*next].lo < end; ++*next) {
        const struct stretch *s = &l->host.at[*next];
        uint64_t lo = s->lo > *from ? s->lo : *from, hi = s->hi < end ? s->hi : end;

        if (lo < hi) {
            l->ranges[l->range_count++] = (struct gcnsim_range){
                .address = lo, .bytes = hi - lo, .writable = s->writable, .label = "registered host memory"};
            l->spans[l->span_count++] =
                (struct range_span){lo, hi, lo, lo & -MEMORY_PAGE, memory_pages(hi), NULL, s->writable};
        }
        if (s->hi > end)
            break;
    }
}

static void put_range(struct lists *l, const struct range *r)
{
    uint64_t bytes = r->bytes, pages = r->kind == RANGE_SYSTEM ? bytes : r->mapped;

    if (r->hidden)
        return;
    l->spans[l->span_count++] =
        (struct range_span){r->lo, r->lo + bytes, r->host, r->lo, r->lo + pages, r->owner, r->writable};
    if (r->host == r->lo)
        l->ranges[l->range_count++] =
            (struct gcnsim_range){.address = r->lo, .bytes = bytes, .writable = r->writable, .label = label(r->kind)};
    else
        l->windows[l->window_count++] = (struct gcnsim_window){
            .address = r->lo, .host = r->host, .bytes = bytes, .writable = r->writable, .label = label(r->kind)};
}

static void free_lists(struct lists *l)
{
    free(l->ranges);
    free(l->windows);
    free(l->spans);
    free(l->host.at);
}

/* Everything that kernels may touch, in order of address; false: out of host memory. The ranges win where the host's
 * memory overlaps them: a buffer that was locked and has since been given back to the system is an allocation now. */
static bool fill_lists(struct lists *l)
{
    uint64_t from = 0;
    size_t next = 0;

    for (unsigned k = 0; k < HOST_MEMORIES; k++) {
        void (*list)(struct stretches * out) = __atomic_load_n(&host_list[k], __ATOMIC_ACQUIRE);

        if (list)
            list(&l->host);
    }
    merge(&l->host);
    pthread_rwlock_rdlock(&lock);
    l->ranges = calloc(2 * count + l->host.count + 1, sizeof *l->ranges);
    l->windows = calloc(count + 1, sizeof *l->windows);
    l->spans = calloc(2 * count + l->host.count + 1, sizeof *l->spans);
    for (size_t k = 0; l->ranges && l->windows && l->spans && k < count; k++) {
        put_host(l, &next, &from, table[k].range->lo);
        put_range(l, table[k].range);
        from = table[k].end;
    }
    pthread_rwlock_unlock(&lock);
    if (l->host.failed || !l->ranges || !l->windows || !l->spans)
        return false;
    put_host(l, &next, &from, UINT64_MAX);
    if (!l->range_count) /* an empty list would mean that nothing is checked */
        l->ranges[l->range_count++] =
            (struct gcnsim_range){.address = (uint64_t)(uintptr_t)&generation, .bytes = 1, .label = "nothing"};
    return true;
}

/* Pages that launches may touch which have begun before this generation. */
struct unmapped {
    struct unmapped *next;
    void *at;
    uint64_t bytes, generation;
};

static pthread_mutex_t set_lock = PTHREAD_MUTEX_INITIALIZER;
static struct range_set *current; /* under set_lock, as what follows; it holds itself once */
static struct range_set *sets;
static struct unmapped *unmapped; /* atomic, to see whether there are any */

static struct range_set *make_set(void)
{
    struct range_set *s = calloc(1, sizeof *s);
    struct gcnsim_error e = {0};
    struct lists l = {0};
    bool made = false;

    if (!s)
        return NULL;
    s->holders = 1;
    s->generation = range_generation(); /* before the tables are read: a change meanwhile makes the next set */
    if (fill_lists(&l)) {
        made = gcnsim_ranges_open(&s->ranges, l.ranges, l.range_count, l.windows, l.window_count, &e) == GCNSIM_OK;
        if (!made)
            rt_log("list of allocations: %s", e.text);
    }
    if (made) {
        s->spans = l.spans;
        s->span_count = l.span_count;
        l.spans = NULL;
    }
    free_lists(&l);
    if (made) {
        s->next = sets;
        sets = s;
        return s;
    }
    free(s);
    return NULL;
}

/* Whether a launch runs that began before the generation. Under the lock. */
static bool is_held(uint64_t before)
{
    for (const struct range_set *s = sets; s; s = s->next)
        if (s->generation < before && __atomic_load_n(&s->holders, __ATOMIC_ACQUIRE) > (s == current))
            return true;
    return false;
}

static void unmap_some(void)
{
    for (struct unmapped **at = &unmapped, *u = *at; u; u = *at) {
        if (is_held(u->generation)) {
            at = &u->next;
            continue;
        }
        __atomic_store_n(at, u->next, __ATOMIC_RELEASE);
        munmap(u->at, u->bytes);
        free(u);
    }
}

/* One holder less. Under the lock. */
static void drop(struct range_set *s)
{
    if (__atomic_sub_fetch(&s->holders, 1, __ATOMIC_ACQ_REL))
        return;
    for (struct range_set **at = &sets; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    gcnsim_ranges_close(s->ranges);
    free(s->spans);
    free(s);
}

void range_set_release(struct range_set *s)
{
    uint32_t holders = s ? __atomic_load_n(&s->holders, __ATOMIC_ACQUIRE) : 0;

    if (!s)
        return;
    /* the last holder of one that is not the latest frees it, and pages may wait for any */
    while (holders > 1 && !__atomic_load_n(&unmapped, __ATOMIC_ACQUIRE))
        if (__atomic_compare_exchange_n(&s->holders, &holders, holders - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return;
    pthread_mutex_lock(&set_lock);
    drop(s);
    unmap_some();
    pthread_mutex_unlock(&set_lock);
}

bool ranges_are_in_use(void)
{
    bool held;

    pthread_mutex_lock(&set_lock);
    held = is_held(range_generation());
    pthread_mutex_unlock(&set_lock);
    return held;
}

void ranges_unmap(void *at, uint64_t bytes)
{
    struct unmapped *u;
    bool held;

    pthread_mutex_lock(&set_lock);
    held = is_held(range_generation());
    if (held && (u = malloc(sizeof *u))) { /* without memory for it they stay for good */
        *u = (struct unmapped){.next = unmapped, .at = at, .bytes = bytes, .generation = range_generation()};
        __atomic_store_n(&unmapped, u, __ATOMIC_RELEASE);
        unmap_some(); /* who has ended meanwhile did not see it */
    }
    pthread_mutex_unlock(&set_lock);
    if (!held)
        munmap(at, bytes);
}

struct range_set *range_set_hold(void)
{
    struct range_set *s;

    pthread_mutex_lock(&set_lock);
    if (!current || current->generation != range_generation()) {
        struct range_set *before = current;
        current = NULL;
        if (before)
            drop(before);
        current = make_set();
    }
    s = current;
    if (s)
        __atomic_add_fetch(&s->holders, 1, __ATOMIC_ACQ_REL);
    pthread_mutex_unlock(&set_lock);
    return s;
}

static uint64_t end_of_span(const void *at, size_t k)
{
    return ((const struct range_span *)at)[k].hi;
}

/* The first stretch that ends after the address. */
static size_t span_at(const struct range_set *s, uint64_t address)
{
    return first_above(s->spans, s->span_count, end_of_span, address);
}

const struct range_span *range_set_find(const struct range_set *s, uint64_t address, uint64_t bytes)
{
    size_t at = span_at(s, address);
    const struct range_span *r = &s->spans[at];

    return at < s->span_count && r->lo <= address && bytes <= r->hi - address ? r : NULL;
}

/* Whether the pages of a stretch go on in those of the next one. */
static bool goes_on(const struct range_span *a, const struct range_span *b)
{
    return b->pages_lo <= a->pages_hi && b->writable == a->writable && b->host - b->lo == a->host - a->lo;
}

bool range_set_pages(const struct range_set *s, uint64_t address, struct gcnsim_window *out)
{
    size_t at = span_at(s, address), last;
    bool within = at < s->span_count && s->spans[at].lo <= address;
    const struct range_span *r;

    if (!within && at && address < s->spans[at - 1].pages_hi)
        at--;
    if (at == s->span_count || address < s->spans[at].pages_lo)
        return false;
    r = &s->spans[at];
    for (last = at; last + 1 < s->span_count && goes_on(&s->spans[last], &s->spans[last + 1]);)
        last++;
    *out = (struct gcnsim_window){.address = r->pages_lo,
                                  .host = r->host - (r->lo - r->pages_lo),
                                  .bytes = s->spans[last].pages_hi - r->pages_lo,
                                  .writable = r->writable};
    return true;
}

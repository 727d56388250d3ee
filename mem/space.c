/* Allocation, lookup and description of device memory ranges. */
#include "mem/space.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/util/huge_pages.h"

#define RANGE_FMT "[0x%" PRIx64 ", 0x%" PRIx64 ")"

void mem_space_init(struct mem_space *s)
{
    *s = (struct mem_space){.next = MEM_SPACE_BASE};
}

static int grow(struct mem_space *s, size_t need, struct err *err)
{
    size_t cap = s->capacity ? s->capacity : 16;
    struct mem_range *r;

    if (need <= s->capacity)
        return 0;
    while (cap < need)
        cap *= 2;
    r = reallocarray(s->borrowed ? NULL : s->ranges, cap, sizeof *r);
    if (!r)
        return err_set(err, ERR_NOMEM, "no host memory for a table of %zu memory ranges", cap);
    if (s->borrowed)
        memcpy(r, s->ranges, s->count * sizeof *r);
    s->borrowed = false;
    s->ranges = r;
    s->capacity = cap;
    return 0;
}

static void set_label(struct mem_range *r, const char *label)
{
    snprintf(r->label, sizeof r->label, "%s", label && label[0] ? label : "memory");
}

static int by_lo(const void *pa, const void *pb)
{
    const struct mem_range *a = pa, *b = pb;

    if (a->lo != b->lo)
        return a->lo < b->lo ? -1 : 1;
    return a->hi < b->hi ? -1 : a->hi > b->hi;
}

static bool in_order(const struct mem_space *s)
{
    for (size_t i = 1; i < s->count; i++)
        if (by_lo(&s->ranges[i - 1], &s->ranges[i]) > 0)
            return false;
    return true;
}

/* Merges overlapping ranges of the sorted list in place. */
static int merge_overlaps(struct mem_space *s, struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++) {
        struct mem_range *r = &s->ranges[i], *last = n ? &s->ranges[n - 1] : NULL;
        if (!last || r->lo >= last->hi) {
            if (n != i)
                s->ranges[n] = *r;
            n++;
            continue;
        }
        if (r->flags != last->flags)
            return err_set(err, ERR_USAGE,
                           "memory range '%s' " RANGE_FMT " overlaps '%s' " RANGE_FMT
                           " with other access flags (0x%x and 0x%x); expected equal flags or no overlap",
                           r->label, r->lo, r->hi, last->label, last->lo, last->hi, r->flags, last->flags);
        if (r->hi > last->hi)
            last->hi = r->hi;
    }
    s->count = n;
    return 0;
}

int mem_space_init_identity(struct mem_space *s, const struct mem_range *ranges, size_t count, struct err *err)
{
    mem_space_init(s);
    s->next = MEM_SPACE_OWN_BASE;
    s->identity = true;
    s->unchecked = !count;
    if (grow(s, count ? count : 1, err))
        return -1;
    if (!count) {
        s->ranges[0] = (struct mem_range){.lo = MEM_SPACE_PAGE_BYTES,
                                          .hi = UINT64_MAX,
                                          .host = (uint8_t *)(uintptr_t)MEM_SPACE_PAGE_BYTES,
                                          .flags = MEM_READ | MEM_WRITE | MEM_EXEC};
        set_label(&s->ranges[0], "the caller's address space");
        s->count = 1;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct mem_range *r = &ranges[i];
        if (r->lo < MEM_SPACE_PAGE_BYTES || r->hi <= r->lo || r->hi > UINTPTR_MAX) {
            mem_space_destroy(s);
            return err_set(err, ERR_USAGE,
                           "memory range %zu '%.*s' " RANGE_FMT " is not valid: expected a start at or above 0x%" PRIx64
                           " and an end above the start",
                           i, (int)sizeof r->label, r->label, r->lo, r->hi, MEM_SPACE_PAGE_BYTES);
        }
        s->ranges[i] = *r;
        s->ranges[i].label[sizeof r->label - 1] = 0;
        s->ranges[i].host = (uint8_t *)(uintptr_t)r->lo;
        if (!r->label[0])
            set_label(&s->ranges[i], NULL);
    }
    s->count = count;
    if (!in_order(s)) /* tables of thousands come in order, and often */
        qsort(s->ranges, count, sizeof *s->ranges, by_lo);
    if (merge_overlaps(s, err)) {
        mem_space_destroy(s);
        return -1;
    }
    return 0;
}

static size_t host_bytes(uint64_t bytes)
{
    return bytes ? (size_t)bytes : 1; /* mmap refuses nothing at all */
}

static uint64_t counted_bytes(uint64_t bytes)
{
    return align_up(bytes ? bytes : 1, MEM_SPACE_PAGE_BYTES);
}

/* Zeroed pages of the host, or null. */
static void *map(struct mem_space *s, uint64_t bytes)
{
    void *host;

    if (bytes <= MEM_SPACE_PAGE_BYTES && s->spare_count)
        return memset(s->spare[--s->spare_count], 0, MEM_SPACE_PAGE_BYTES);
    host = mmap(NULL, host_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return NULL;
    huge_pages_for(host, host_bytes(bytes));
    return host;
}

static void unmap(struct mem_space *s, const struct mem_range *r)
{
    uint64_t bytes = r->hi - r->lo;

    if (bytes <= MEM_SPACE_PAGE_BYTES && s->spare_count < MEM_SPACE_SPARES)
        s->spare[s->spare_count++] = r->host;
    else
        munmap(r->host, host_bytes(bytes));
    budget_give(s->budget, counted_bytes(bytes));
}

void mem_space_destroy(struct mem_space *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->ranges[i].flags & MEM_OWNED)
            unmap(s, &s->ranges[i]);
    while (s->spare_count)
        munmap(s->spare[--s->spare_count], MEM_SPACE_PAGE_BYTES);
    if (!s->borrowed)
        free(s->ranges);
    mem_space_init(s);
}

/* Index of the first range with lo > addr. */
static size_t upper(const struct mem_space *s, gaddr_t addr)
{
    size_t lo = 0, hi = s->count;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->ranges[mid].lo <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Inserts a range at its place; [lo, hi) must lie in none, or within one of an identity space, which is cut in two.
 * There must be room for two more. */
static void insert(struct mem_space *s, const struct mem_range *r)
{
    size_t i = upper(s, r->lo);
    struct mem_range *around = i && s->ranges[i - 1].hi > r->lo ? &s->ranges[i - 1] : NULL;
    unsigned more = around ? 2 : 1;

    memmove(&s->ranges[i + more], &s->ranges[i], (s->count - i) * sizeof *r);
    s->ranges[i] = *r;
    if (around) {
        s->ranges[i + 1] = *around;
        s->ranges[i + 1].lo = r->hi;
        s->ranges[i + 1].host += r->hi - around->lo;
        around->hi = r->lo;
    }
    s->count += more;
}

void mem_space_avoid(struct mem_space *s, gaddr_t lo, gaddr_t hi)
{
    gaddr_t end = s->identity ? MEM_SPACE_OWN_END : MEM_SPACE_END;

    if (lo < end && hi > s->next)
        s->next = hi;
}

void mem_space_init_shared(struct mem_space *s, const struct mem_space *from)
{
    mem_space_init(s);
    s->ranges = from->ranges;
    s->count = from->count;
    s->next = from->next;
    s->identity = true;
    s->unchecked = from->unchecked;
    s->borrowed = true;
}

int mem_space_add_uncovered(struct mem_space *s, gaddr_t lo, gaddr_t hi, uint32_t flags, const char *label,
                            struct err *err)
{
    while (lo < hi) {
        size_t i = upper(s, lo);
        gaddr_t end = i < s->count && s->ranges[i].lo < hi ? s->ranges[i].lo : hi;

        if (i && lo < s->ranges[i - 1].hi) {
            lo = s->ranges[i - 1].hi;
            continue;
        }
        struct mem_range r = {.lo = lo, .hi = end, .host = (uint8_t *)(uintptr_t)lo, .flags = flags};
        if (grow(s, s->count + 2, err))
            return -1;
        set_label(&r, label);
        insert(s, &r);
        lo = end;
    }
    return 0;
}

int mem_space_add_window(struct mem_space *s, const struct mem_range *r, struct err *err)
{
    size_t i = upper(s, r->lo);
    const struct mem_range *below = i && s->ranges[i - 1].hi > r->lo ? &s->ranges[i - 1] : NULL;
    /* what the unchecked space has at the place is none of the caller's lists */
    bool gives_way = below && s->unchecked && below->host == (uint8_t *)(uintptr_t)below->lo && r->hi <= below->hi;

    if ((s->identity && r->lo < MEM_SPACE_PAGE_BYTES) || r->hi <= r->lo || !r->host)
        return err_set(err, ERR_USAGE,
                       "window '%s' " RANGE_FMT " is not valid: expected a start at or above 0x%" PRIx64
                       ", an end above the start, and a host address",
                       r->label, r->lo, r->hi, MEM_SPACE_PAGE_BYTES);
    if ((below && !gives_way) || (i < s->count && s->ranges[i].lo < r->hi))
        return err_set(err, ERR_USAGE, "window '%s' " RANGE_FMT " overlaps '%s' " RANGE_FMT, r->label, r->lo, r->hi,
                       (below && !gives_way ? below : &s->ranges[i])->label,
                       (below && !gives_way ? below : &s->ranges[i])->lo,
                       (below && !gives_way ? below : &s->ranges[i])->hi);
    if (grow(s, s->count + 2, err))
        return -1;
    insert(s, r);
    return 0;
}

int mem_space_alloc(struct mem_space *s, uint64_t bytes, uint64_t align, uint32_t flags, const char *label,
                    gaddr_t *addr, struct err *err)
{
    gaddr_t lo, end = s->identity ? MEM_SPACE_OWN_END : MEM_SPACE_END;
    void *host;

    if (!align || (align & (align - 1)) || align > MEM_SPACE_MAX_ALIGN)
        return err_set(err, ERR_USAGE,
                       "alignment %" PRIu64 " of %s: expected a power of two from 1 to %" PRIu64 " bytes", align,
                       label ? label : "an allocation", MEM_SPACE_MAX_ALIGN);
    for (size_t i = 0; i < s->count && s->identity; i++)
        if (s->ranges[i].lo > MEM_SPACE_OWN_BASE || s->ranges[i].hi < MEM_SPACE_OWN_END)
            mem_space_avoid(s, s->ranges[i].lo, s->ranges[i].hi);
    lo = s->next < end ? align_up(s->next, align < MEM_SPACE_PAGE_BYTES ? MEM_SPACE_PAGE_BYTES : align) : end;
    /* both sides are far from overflowing: lo never passes end by more than an alignment */
    if (lo >= end || bytes > end - lo || bytes > SIZE_MAX / 2)
        return err_set(err, ERR_NOMEM,
                       "%s of %" PRIu64 " bytes does not fit in the device address space (%" PRIu64 " bytes are left)",
                       label ? label : "an allocation", bytes, lo < end ? end - lo : 0);
    if (grow(s, s->count + 2, err))
        return -1;
    if (!budget_take(s->budget, counted_bytes(bytes)))
        return err_set(err, ERR_NOMEM, "%s of %" PRIu64 " bytes", label ? label : "an allocation", bytes);
    host = map(s, bytes);
    if (!host) {
        budget_give(s->budget, counted_bytes(bytes));
        return err_set(err, ERR_NOMEM, "no host memory for %s of %" PRIu64 " bytes", label ? label : "an allocation",
                       bytes);
    }
    struct mem_range r = {.lo = lo, .hi = lo + bytes, .host = host, .flags = flags | MEM_OWNED};
    set_label(&r, label);
    insert(s, &r);
    s->next = align_up(r.hi, MEM_SPACE_PAGE_BYTES) + MEM_SPACE_GUARD_BYTES;
    *addr = lo;
    return 0;
}

int mem_space_free(struct mem_space *s, gaddr_t addr, struct err *err)
{
    size_t i = upper(s, addr);
    char text[256];

    assert(!s->identity);
    if (!i || s->ranges[i - 1].lo != addr)
        return err_set(err, ERR_USAGE, "nothing to free: expected the start of an allocation, but %s",
                       mem_space_describe(s, addr, 1, text, sizeof text));
    i--;
    struct mem_range r = s->ranges[i];
    unmap(s, &r);
    memmove(&s->ranges[i], &s->ranges[i + 1], (s->count - i - 1) * sizeof r);
    s->count--;
    r.host = NULL;
    s->freed[s->freed_count++ % MEM_SPACE_FREED] = r;
    return 0;
}

const struct mem_range *mem_space_find(const struct mem_space *s, gaddr_t addr)
{
    size_t i = upper(s, addr);

    return i && addr < s->ranges[i - 1].hi ? &s->ranges[i - 1] : NULL;
}

uint8_t *mem_space_at(const struct mem_space *s, gaddr_t addr, uint64_t bytes, uint32_t need)
{
    const struct mem_range *r = mem_space_find(s, addr);

    if (!r || !mem_range_holds(r, addr, bytes) || (r->flags & need) != need)
        return NULL;
    return r->host + (addr - r->lo);
}

static int copy_fault(const struct mem_space *s, gaddr_t addr, uint64_t bytes, const char *verb, struct err *err)
{
    char text[256];

    return err_set(err, ERR_USAGE, "cannot %s %" PRIu64 " bytes: %s", verb, bytes,
                   mem_space_describe(s, addr, bytes, text, sizeof text));
}

int mem_space_read(const struct mem_space *s, gaddr_t addr, void *out, uint64_t bytes, struct err *err)
{
    const uint8_t *p;

    if (!bytes)
        return 0;
    p = mem_space_at(s, addr, bytes, 0);
    if (!p)
        return copy_fault(s, addr, bytes, "read", err);
    memcpy(out, p, bytes);
    return 0;
}

int mem_space_write(struct mem_space *s, gaddr_t addr, const void *in, uint64_t bytes, struct err *err)
{
    uint8_t *p;

    if (!bytes)
        return 0;
    p = mem_space_at(s, addr, bytes, 0);
    if (!p)
        return copy_fault(s, addr, bytes, "write", err);
    memcpy(p, in, bytes);
    return 0;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static const struct mem_range *find_freed(const struct mem_space *s, gaddr_t addr)
{
    unsigned n = s->freed_count < MEM_SPACE_FREED ? s->freed_count : MEM_SPACE_FREED;

    for (unsigned i = 0; i < n; i++)
        if (addr >= s->freed[i].lo && addr < s->freed[i].hi)
            return &s->freed[i];
    return NULL;
}

static void describe_inside(const struct mem_range *r, gaddr_t addr, uint64_t bytes, char *buf, size_t size)
{
    uint64_t left = r->hi - addr;

    if (bytes > left)
        snprintf(buf, size,
                 "0x%" PRIx64 " + %" PRIu64 " byte%s begins %" PRIu64 " byte%s before the end of %s " RANGE_FMT
                 " and runs past it",
                 addr, bytes, plural(bytes), left, plural(left), r->label, r->lo, r->hi);
    else
        snprintf(buf, size, "0x%" PRIx64 " is byte %" PRIu64 " of %s " RANGE_FMT "%s", addr, addr - r->lo, r->label,
                 r->lo, r->hi,
                 !(r->flags & MEM_WRITE) ? ", which is read-only"
                 : r->flags & MEM_READ   ? ""
                                         : ", which is not readable");
}

/* An address outside every allocation, and the allocation that a report names for it. */
struct neighbour {
    const struct mem_range *range; /* null: none is near */
    uint64_t distance;             /* from its end or to its start; bytes */
    bool past;                     /* the address lies past its end */
    bool likely;
};

/* Programs run past their own buffers and code. The runtime's allocations (kernarg, packet, queue, scratch) lie after
 * those buffers, so being close to one of them says little, but for the first page past the end of the two that
 * programs index: kernarg and scratch. */
static bool likely_meant(const struct mem_range *r, uint64_t distance, bool past)
{
    switch (r->flags & MEM_KIND_MASK) {
    case MEM_KIND_DATA:
    case MEM_KIND_CODE:
        return true;
    case MEM_KIND_KERNARG:
    case MEM_KIND_SCRATCH:
        return past && distance < MEM_SPACE_PAGE_BYTES;
    default:
        return false;
    }
}

static void consider(struct neighbour *best, const struct mem_range *r, uint64_t distance, bool past)
{
    bool likely = likely_meant(r, distance, past);

    if (!best->range || likely > best->likely || (likely == best->likely && distance < best->distance))
        *best = (struct neighbour){r, distance, past, likely};
}

/* i: the first range above addr, which no range holds. The loops end at the first range that is not near. */
static struct neighbour nearest(const struct mem_space *s, size_t i, gaddr_t addr)
{
    struct neighbour best = {0};

    for (size_t k = i; k-- > 0 && addr - s->ranges[k].hi <= MEM_SPACE_NEAR_BYTES;)
        consider(&best, &s->ranges[k], addr - s->ranges[k].hi, true);
    for (size_t k = i; k < s->count && s->ranges[k].lo - addr <= MEM_SPACE_NEAR_BYTES; k++)
        consider(&best, &s->ranges[k], s->ranges[k].lo - addr, false);
    return best;
}

const char *mem_space_describe(const struct mem_space *s, gaddr_t addr, uint64_t bytes, char *buf, size_t size)
{
    size_t i = upper(s, addr);
    const struct mem_range *freed;

    if (i && addr < s->ranges[i - 1].hi) {
        describe_inside(&s->ranges[i - 1], addr, bytes, buf, size);
        return buf;
    }
    freed = find_freed(s, addr);
    if (freed) {
        snprintf(buf, size, "0x%" PRIx64 " is byte %" PRIu64 " of %s " RANGE_FMT ", which was freed", addr,
                 addr - freed->lo, freed->label, freed->lo, freed->hi);
        return buf;
    }
    struct neighbour n = nearest(s, i, addr);
    if (!n.range)
        snprintf(buf, size, "0x%" PRIx64 " is not near any allocation%s", addr,
                 addr < MEM_SPACE_PAGE_BYTES ? " (a null pointer?)" : "");
    else
        snprintf(buf, size, "0x%" PRIx64 " is %" PRIu64 " byte%s %s of %s " RANGE_FMT, addr, n.distance,
                 plural(n.distance), n.past ? "past the end" : "below the start", n.range->label, n.range->lo,
                 n.range->hi);
    return buf;
}

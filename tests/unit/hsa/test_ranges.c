/* The table of ranges at its borders, and what launches are given: stretches of ranges and of the host's memory in
 * order, their pages, and what faults call them. The addresses are made up: nothing looks at what is there. */
#include "tests/unit/hsa/code_fixture.h"

#include <sys/mman.h>

#include "sim/api/api.h"
#include "sim/hsa/memory/memory.h"

#define PAGE  MEMORY_PAGE
#define BASE  UINT64_C(0x100000000000) /* nobody's */
#define AT(n) (BASE + (n)*PAGE)

static bool add(uint64_t lo, uint64_t pages)
{
    return range_add(&(struct range){.lo = lo, .host = lo, .bytes = pages * PAGE, .mapped = pages * PAGE});
}

static void remove_range(uint64_t lo)
{
    struct range r;

    assert_true(range_take(lo, &r));
    assert_true(r.lo == lo);
}

/* What overlaps another range by a page at either end is refused, and nothing changes. */
static void ranges_are_disjoint(void **state)
{
    static const struct {
        unsigned at, pages;
        bool fits;
    } beside[] = {{8, 2, true},   {8, 3, false},  {8, 12, false},  {10, 1, false}, {11, 1, false},
                  {12, 1, false}, {12, 2, false}, {13, 1, true},   {9, 1, true},   {0, 10, true},
                  {0, 11, false}, {13, 7, true},  {13, 8, false},  {19, 1, true},  {19, 2, false},
                  {19, 3, false}, {20, 1, false}, {21, 100, true}, {20, 2, false}};
    uint64_t before;
    struct range r;

    (void)state;
    assert_true(add(AT(10), 3));
    assert_true(add(AT(20), 1));
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
        before = range_generation();
        if (add(AT(beside[k].at), beside[k].pages) != beside[k].fits)
            fail_msg("row %zu", k);
        assert_int_equal(range_generation() - before, beside[k].fits);
        if (beside[k].fits)
            remove_range(AT(beside[k].at));
        assert_int_equal(range_generation() - before, 2 * beside[k].fits);
    }
    before = range_generation();
    r.lo = 77;
    assert_false(range_take(AT(11), &r)); /* it does not begin there */
    assert_false(range_take(AT(13), &r));
    assert_false(range_take(AT(9), &r));
    assert_int_equal(r.lo, 77);
    assert_int_equal(range_generation(), before);
    remove_range(AT(10));
    remove_range(AT(20));
    assert_int_equal(range_generation(), before + 2);
}

static void mark(struct range *r, void *ctx)
{
    r->userdata = ctx;
}

static void ranges_are_found_to_the_byte(void **state)
{
    /* the ranges that hold the address and that end after it; 0: none */
    const struct {
        uint64_t address, holds, next;
    } rows[] = {{AT(9) + PAGE - 1, 0, AT(10)}, {AT(10), AT(10), AT(10)},     {AT(13) - 1, AT(10), AT(10)},
                {AT(13), AT(13), AT(13)},      {AT(14) - 1, AT(13), AT(13)}, {AT(14), 0, AT(20)},
                {AT(20) - 1, 0, AT(20)},       {AT(20), AT(20), AT(20)},     {AT(21) - 1, AT(20), AT(20)}};
    struct range r;

    (void)state;
    assert_true(add(AT(20), 1));
    assert_true(add(AT(10), 3));
    assert_true(add(AT(13), 1));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        r.lo = 77;
        if (range_find(rows[k].address, &r) != (rows[k].holds != 0) || r.lo != (rows[k].holds ? rows[k].holds : 77))
            fail_msg("row %zu: 0x%llx", k, (unsigned long long)r.lo);
        assert_true(range_next(rows[k].address, &r));
        assert_true(r.lo == rows[k].next);
        assert_int_equal(range_update(rows[k].address, mark, &r), rows[k].holds != 0);
        assert_true(range_find(rows[k].next, &r) && r.userdata == (rows[k].holds ? &r : NULL));
        assert_true(range_update(rows[k].next, mark, NULL));
    }
    assert_false(range_find(AT(21), &r));
    remove_range(AT(13));
    assert_false(range_find(AT(13), &r));
    assert_true(range_find(AT(12), &r) && r.lo == AT(10));
    remove_range(AT(10));
    remove_range(AT(20));
}

/* Many, in no order: each is found, and takes its place in the order. */
static void many_ranges(void **state)
{
    enum { MANY = 211 };
    struct range r;

    (void)state;
    for (unsigned k = 0; k < MANY; k++)
        assert_true(add(AT(2 * (k * 37 % MANY)), 1));
    for (unsigned k = 0; k < MANY; k++) {
        assert_true(range_find(AT(2 * k) + 5, &r) && r.lo == AT(2 * k));
        assert_false(range_find(AT(2 * k + 1), &r));
        assert_int_equal(range_next(AT(2 * k + 1), &r) && r.lo == AT(2 * k + 2), k + 1 < MANY);
    }
    for (unsigned k = 0; k < MANY; k++) {
        remove_range(AT(2 * (k * 53 % MANY)));
        assert_int_equal(range_next(AT(0), &r) && r.lo < AT(2 * MANY), k + 1 < MANY);
    }
}

/* ---- what launches are given ---- */

static void svm(uint64_t lo, uint64_t pages, uint64_t attribute, uint64_t value)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, value};

    assert_int_equal(hsa_amd_svm_attributes_set((void *)(uintptr_t)lo, pages * PAGE, &pair, 1), 0);
}

struct want {
    uint64_t lo, hi, host, pages_lo, pages_hi;
    bool owned, writable;
    const char *label; /* null: nothing that kernels may touch is there */
};

/* The stretches from BASE on, and what the simulator is given of them. */
static void expect_spans(const struct want *w, size_t n)
{
    struct range_set *s = range_set_hold();
    size_t first = 0;

    assert_non_null(s);
    while (first < s->span_count && s->spans[first].lo < BASE)
        first++;
    for (size_t k = 0; k < n; k++) {
        const struct range_span *is = &s->spans[first + k];
        const struct mem_range *r = mem_space_find(&s->ranges->space, w[k].lo);

        assert_true(first + k < s->span_count);
        if (is->lo != w[k].lo || is->hi != w[k].hi || is->host != w[k].host || is->pages_lo != w[k].pages_lo ||
            is->pages_hi != w[k].pages_hi || is->writable != w[k].writable || !is->owner != !w[k].owned)
            fail_msg("stretch %zu: [%llx, %llx)", k, (unsigned long long)(is->lo - BASE),
                     (unsigned long long)(is->hi - BASE));
        assert_non_null(r);
        assert_true(r->lo == w[k].lo && r->hi == w[k].hi);
        assert_true((uintptr_t)r->host == w[k].host);
        assert_int_equal((r->flags & MEM_WRITE) != 0, w[k].writable);
        assert_string_equal(r->label, w[k].label);
        assert_ptr_equal(range_set_find(s, w[k].lo, w[k].hi - w[k].lo), is);
        assert_ptr_equal(range_set_find(s, w[k].hi - 1, 1), is);
        assert_null(range_set_find(s, w[k].hi - 1, 2));
        assert_ptr_not_equal(range_set_find(s, w[k].lo - 1, 1), is);
    }
    assert_true(first + n == s->span_count || s->spans[first + n].lo > AT(1000));
    range_set_release(s);
}

static void kinds_of_ranges(void **state)
{
    static const struct {
        enum range_kind kind;
        const char *label;
    } kinds[] = {{RANGE_POOL, "allocation"},
                 {RANGE_CODE, "code"},
                 {RANGE_VMEM, "mapped memory"},
                 {RANGE_IPC, "allocation"},
                 {RANGE_INTEROP, "allocation"},
                 {RANGE_SYSTEM, "queue or signals"},
                 {RANGE_LOCKED, "registered host memory"}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    struct want want[KINDS];

    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        uint64_t lo = AT(3 * k), host = kinds[k].kind == RANGE_LOCKED ? AT(500) : lo;
        uint64_t pages_hi = kinds[k].kind == RANGE_SYSTEM ? lo + 100 : lo + PAGE; /* to the byte: it is ours */
        struct range r = {.lo = lo,
                          .host = host,
                          .bytes = 100,
                          .mapped = PAGE,
                          .kind = kinds[k].kind,
                          .owner = k & 1 ? agent_of(gfx90a) : NULL,
                          .writable = k % 3 != 0};

        assert_true(range_add(&r));
        want[k] = (struct want){lo, lo + 100, host, lo, pages_hi, k & 1, k % 3 != 0, kinds[k].label};
    }
    expect_spans(want, KINDS);
    for (unsigned k = 0; k < KINDS; k++)
        remove_range(AT(3 * k));
    expect_spans(NULL, 0);
}

/* The host's memory between, below and above ranges, which win where they overlap, whether kernels may touch them or
 * not; and neighbours of which kernels may write one alone. */
static void host_memory_between_ranges(void **state)
{
    const struct range small = {.lo = AT(2),
                                .host = AT(2),
                                .bytes = 100,
                                .mapped = PAGE,
                                .kind = RANGE_POOL,
                                .owner = agent_of(gfx90a),
                                .writable = true};
    const struct range hidden = {.lo = AT(4),
                                 .host = AT(4),
                                 .bytes = PAGE,
                                 .mapped = PAGE,
                                 .kind = RANGE_VMEM,
                                 .writable = true,
                                 .hidden = true};
    const struct range last = {
        .lo = AT(12), .host = AT(12), .bytes = PAGE, .mapped = PAGE, .kind = RANGE_CODE, .owner = agent_of(gfx90a)};
#define HOST(A, B, WRITABLE)                                                                                           \
    {                                                                                                                  \
        AT(A), AT(B), AT(A), AT(A), AT(B), false, WRITABLE, "registered host memory"                                   \
    }
    const struct want want[] = {HOST(0, 2, true),
                                {AT(2), AT(2) + 100, AT(2), AT(2), AT(3), true, true, "allocation"},
                                HOST(3, 4, true),
                                HOST(5, 8, true),
                                HOST(8, 10, false),
                                HOST(11, 12, true),
                                {AT(12), AT(13), AT(12), AT(12), AT(13), true, false, "code"},
                                HOST(13, 14, true),
                                HOST(20, 21, true)};

    (void)state;
    svm(AT(0), 8, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle);
    svm(AT(8), 2, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, gfx1201.handle);
    svm(AT(8), 2, HSA_AMD_SVM_ATTRIB_READ_ONLY, 1);
    svm(AT(11), 3, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle);
    svm(AT(20), 1, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle);
    svm(AT(30), 1, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, cpu.handle); /* is no memory of a GPU's */
    assert_true(range_add(&small) && range_add(&hidden) && range_add(&last));
    expect_spans(want, sizeof want / sizeof *want);
    remove_range(AT(2));
    remove_range(AT(4));
    remove_range(AT(12));
    svm_forget(AT(0), AT(40));
    expect_spans(NULL, 0);
}

/* Locked buffers that overlap and touch are one, and writable where any is; one within another adds nothing. */
static void locked_buffers_are_merged(void **state)
{
    uint8_t *b = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t at = (uintptr_t)b;
    static const struct {
        unsigned lo, bytes;
    } locks[] = {{100, 100}, {120, 10}, {200, 50}, {240, 60}, {301, 9}};
    struct range_set *s;
    void *d;

    (void)state;
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(memory_lock(b + locks[k].lo, locks[k].bytes, NULL, false, &d), 0);
    s = range_set_hold();
    assert_non_null(range_set_find(s, at + 100, 200));
    assert_null(range_set_find(s, at + 100, 201));
    assert_null(range_set_find(s, at + 99, 1));
    assert_null(range_set_find(s, at + 300, 1));
    assert_non_null(range_set_find(s, at + 301, 9));
    assert_null(range_set_find(s, at + 301, 10));
    range_set_release(s);
    svm(at + PAGE, 2, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle);
    svm(at + PAGE, 2, HSA_AMD_SVM_ATTRIB_READ_ONLY, 1);
    s = range_set_hold();
    assert_false(range_set_find(s, at + PAGE, 2 * PAGE)->writable);
    range_set_release(s);
    assert_int_equal(memory_lock(b + 2 * PAGE + 5, PAGE, NULL, false, &d), 0);
    s = range_set_hold();
    assert_true(range_set_find(s, at + PAGE, 2 * PAGE + 5)->writable);
    assert_null(range_set_find(s, at + PAGE, 2 * PAGE + 6));
    range_set_release(s);
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(memory_unlock(b + locks[k].lo), 0);
    assert_int_equal(memory_unlock(b + 2 * PAGE + 5), 0);
    svm_forget(at, at + 4 * PAGE);
    s = range_set_hold();
    for (unsigned k = 0; k < 4; k++)
        assert_null(range_set_find(s, at + k * PAGE + 200, 1));
    range_set_release(s);
    munmap(b, 4 * PAGE);
}

/* ---- pages ---- */

static void put(uint64_t lo, uint64_t bytes, uint64_t host, bool writable)
{
    assert_true(range_add(&(struct range){
        .lo = lo, .host = host, .bytes = bytes, .mapped = memory_pages(lo + bytes) - lo, .writable = writable}));
}

/* Pages go on in the next stretch's where they touch and both may be written, or neither. */
static void pages_that_hardware_checks(void **state)
{
    const struct {
        uint64_t address, lo, hi, host; /* hi 0: it is in none */
        bool writable;
    } rows[] = {{AT(1) - 1, 0, 0, 0, false},
                {AT(1), AT(1), AT(4), AT(1), true},
                {AT(1) + 99, AT(1), AT(4), AT(1), true},
                {AT(2) - 1, AT(1), AT(4), AT(1), true},
                {AT(2), AT(2), AT(4), AT(2), true},
                {AT(4) - 1, AT(2), AT(4), AT(2), true},
                {AT(4), AT(4), AT(5), AT(4), false}, /* not writable */
                {AT(5) - 1, AT(4), AT(5), AT(4), false},
                {AT(5), AT(5), AT(6), AT(500), true}, /* it lies elsewhere */
                {AT(6) - 1, AT(5), AT(6), AT(500), true},
                {AT(6), AT(6), AT(7), AT(6), true},
                {AT(7), 0, 0, 0, false},
                {AT(8) - 1, 0, 0, 0, false},
                {AT(8), AT(8), AT(9), AT(8), true},
                {AT(9), 0, 0, 0, false}};
    struct gcnsim_window w;
    struct range_set *s;

    (void)state;
    put(AT(1), 100, AT(1), true);
    put(AT(2), PAGE + 8, AT(2), true);
    put(AT(4), 8, AT(4), false);
    put(AT(5), 8, AT(500), true);
    put(AT(6), 8, AT(6), true);
    put(AT(8), 8, AT(8), true);
    s = range_set_hold();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        w = (struct gcnsim_window){.address = 77};
        bool found = range_set_pages(s, rows[k].address, &w);
        if (found != (rows[k].hi != 0))
            fail_msg("row %zu: %d", k, found);
        if (!found)
            assert_int_equal(w.address, 77);
        else if (w.address != rows[k].lo || w.bytes != rows[k].hi - rows[k].lo || w.host != rows[k].host ||
                 w.writable != rows[k].writable)
            fail_msg("row %zu: 0x%llx, 0x%llx bytes", k, (unsigned long long)(w.address - BASE),
                     (unsigned long long)w.bytes);
    }
    range_set_release(s);
    for (unsigned k = 1; k < 9; k++)
        if (k != 3 && k != 7)
            remove_range(AT(k));
}

/* Two buffers of the host's that share a page, each with the pages that it begins in. */
static void pages_that_buffers_share(void **state)
{
    uint8_t *b = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t at = (uintptr_t)b;
    struct gcnsim_window w;
    struct range_set *s;
    void *d;

    (void)state;
    assert_int_equal(memory_lock(b + 100, PAGE, NULL, false, &d), 0);
    assert_int_equal(memory_lock(b + PAGE + 200, 8, NULL, false, &d), 0);
    s = range_set_hold();
    assert_true(range_set_pages(s, at + 5, &w) && w.address == at && w.bytes == 2 * PAGE && w.host == at);
    assert_true(range_set_pages(s, at + PAGE + 150, &w) && w.address == at);
    assert_true(range_set_pages(s, at + PAGE + 204, &w) && w.address == at + PAGE && w.bytes == PAGE);
    assert_true(range_set_pages(s, at + 2 * PAGE - 1, &w) && w.address == at + PAGE && w.host == at + PAGE);
    range_set_release(s);
    assert_int_equal(memory_unlock(b + 100), 0);
    assert_int_equal(memory_unlock(b + PAGE + 200), 0);
    munmap(b, 4 * PAGE);
}

/* A set is kept while nothing changes, and a new one made when something has. */
static void sets_are_shared_until_something_changes(void **state)
{
    struct range_set *a = range_set_hold(), *b = range_set_hold(), *c;

    (void)state;
    assert_ptr_equal(a, b);
    assert_int_equal(a->holders, 3); /* and its own hold, for the next launch */
    assert_true(ranges_are_in_use() == false);
    assert_true(add(AT(1), 1));
    assert_true(ranges_are_in_use());
    c = range_set_hold();
    assert_ptr_not_equal(a, c);
    assert_int_equal(a->holders, 2);
    assert_int_equal(c->holders, 2);
    assert_int_equal(c->generation, range_generation());
    assert_true(a->generation < c->generation);
    range_set_release(a);
    assert_true(ranges_are_in_use());
    range_set_release(b);
    assert_false(ranges_are_in_use());
    range_set_release(c);
    assert_int_equal(c->holders, 1);
    range_set_release(NULL);
    remove_range(AT(1));
    assert_false(ranges_are_in_use());
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_disjoint),
        cmocka_unit_test(ranges_are_found_to_the_byte),
        cmocka_unit_test(many_ranges),
        cmocka_unit_test(kinds_of_ranges),
        cmocka_unit_test(host_memory_between_ranges),
        cmocka_unit_test(locked_buffers_are_merged),
        cmocka_unit_test(pages_that_hardware_checks),
        cmocka_unit_test(pages_that_buffers_share),
        cmocka_unit_test(sets_are_shared_until_something_changes),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

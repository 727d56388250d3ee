/* Attributes of the program's own pages (SVM): what is said of them and asked, what launches get, and prefetches. */
#include "tests/unit/hsa/memory_fixture.h"

#include <sys/mman.h>

static uint64_t svm_get(void *p, size_t bytes, uint64_t attribute, uint64_t value, uint64_t *name)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, value};

    assert_int_equal(hsa_amd_svm_attributes_get(p, bytes, &pair, 1), 0);
    if (name)
        *name = pair.attribute;
    return pair.value;
}

static hsa_status_t svm_set(void *p, size_t bytes, uint64_t attribute, uint64_t value)
{
    hsa_amd_svm_attribute_pair_t pair = {attribute, value};

    return hsa_amd_svm_attributes_set(p, bytes, &pair, 1);
}

static unsigned svm_stretches(struct stretch *first)
{
    struct stretches s = {0};
    unsigned n;

    svm_list(&s);
    n = (unsigned)s.count;
    if (n)
        *first = s.at[0];
    free(s.at);
    return n;
}

static void expect_in_launches(const uint8_t *at, bool wanted)
{
    struct range_set *s = range_set_hold();

    assert_non_null(s);
    assert_int_equal(range_set_find(s, (uintptr_t)at, 1) != NULL, wanted);
    range_set_release(s);
}

static void test_svm(void **state)
{
    uint8_t *p = mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    hsa_signal_t dep, done;
    struct stretch first = {0};
    uint64_t name;

    (void)state;
    svm_get(p, 4096, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx90a.handle, &name);
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
    assert_int_equal(svm_set(p + 5000, 5000, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle), 0);
    svm_get(p + 4096, 8192, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx90a.handle, &name);
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
    svm_get(p, 8192, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx90a.handle, &name); /* half of it is not */
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
    assert_int_equal(svm_stretches(&first), 1);
    assert_int_equal(first.lo, (uintptr_t)p + 4096);
    assert_int_equal(first.hi, (uintptr_t)p + 3 * 4096);
    assert_true(first.writable);
    assert_int_equal(svm_set(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_READ_ONLY, 1), 0);
    assert_int_equal(svm_stretches(&first), 2);
    assert_int_equal(svm_set(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_READ_ONLY, 0), 0);
    assert_int_equal(svm_stretches(&first), 1); /* one again */
    assert_int_equal(svm_set(p, 16 * 4096, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, gfx1201.handle), 0);
    assert_int_equal(svm_get(p, 16 * 4096, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0, NULL), gfx1201.handle);
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0), 0);
    assert_int_equal(svm_get(p, 8192, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0, NULL), 0);
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 1), 0);
    assert_int_equal(svm_get(p, 8192, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 0, NULL), 2);
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    static const uint64_t flags[] = {HSA_AMD_SVM_ATTRIB_HIVE_LOCAL, HSA_AMD_SVM_ATTRIB_READ_MOSTLY,
                                     HSA_AMD_SVM_ATTRIB_READ_ONLY};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        assert_int_equal(svm_set(p, 4096, flags[k], 1), 0);
        assert_int_equal(svm_get(p, 4096, flags[k], 0, NULL), 1);
        assert_int_equal(svm_get(p, 8192, flags[k], 0, NULL), 0); /* not of all pages */
        assert_int_equal(svm_set(p, 4096, flags[k], 0), 0);
        assert_int_equal(svm_get(p, 4096, flags[k], 0, NULL), 0);
    }
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, 5), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, 0), HSA_STATUS_ERROR_INVALID_AGENT);
    /* the weaker of two ways for pages that have both */
    assert_int_equal(svm_set(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, gfx90a.handle), 0);
    svm_get(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx90a.handle, &name);
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
    svm_get(p + 4096, 8192, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx90a.handle, &name);
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
    svm_get(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gfx1201.handle, &name);
    assert_int_equal(name, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
    assert_int_equal(svm_set(p + 8192, 4096, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle), 0);
    assert_int_equal(svm_set(p, 4096, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(svm_set(p, 0, HSA_AMD_SVM_ATTRIB_READ_ONLY, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);

    /* a prefetch after a signal */
    assert_int_equal(hsa_signal_create(1, 0, NULL, &dep), 0);
    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    assert_int_equal(hsa_amd_svm_prefetch_async(p, 8192, gfx90a, 1, &dep, done), 0);
    assert_int_equal(hsa_signal_load_scacquire(done), 1);
    hsa_signal_store_screlease(dep, 0);
    assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, 0), 0);
    assert_int_equal(svm_get(p, 8192, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), gfx90a.handle);
    assert_int_equal(svm_get(p, 8193, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), 0);
    hsa_signal_destroy(dep);
    hsa_signal_destroy(done);
    static uint8_t locked[64];
    void *d;
    assert_int_equal(hsa_amd_memory_lock(locked, sizeof locked, NULL, 0, &d), 0);
    expect_in_launches(p + 8192, true);
    svm_forget((uintptr_t)p + 8192, (uintptr_t)p + 16 * 4096);
    expect_in_launches(p + 8192, false);
    expect_in_launches(locked, true); /* what is locked stays */
    assert_int_equal(hsa_amd_memory_unlock(locked), 0);
    expect_in_launches(p + 8191, true);
    assert_int_equal(svm_stretches(&first), 1);
    assert_int_equal(first.hi, (uintptr_t)p + 2 * 4096);
    svm_forget((uintptr_t)p, (uintptr_t)p + 8192);
    assert_int_equal(svm_stretches(&first), 0);
    munmap(p, 16 * 4096);
}

/* ---- any sequence of calls, beside a model that has attributes of each page ---- */

#define BASE  UINT64_C(0x100000000000) /* nobody's: no page is looked at */
#define PAGES 20u
#define NONE  3u /* for an agent */

struct page {
    uint8_t access[3]; /* by agent: 0 none, 1 accessible, 2 in place */
    uint8_t preferred, prefetched;
    bool coarse, read_only, hive_local, read_mostly;
    uint8_t granularity;
};

static const struct page untouched = {.preferred = NONE, .prefetched = NONE, .granularity = 9};

static hsa_agent_t nth_agent(unsigned n)
{
    return n == 0 ? cpu : n == 1 ? gfx90a : n == 2 ? gfx1201 : (hsa_agent_t){0};
}

static bool same_page(const struct page *a, const struct page *b)
{
    return memcmp(a->access, b->access, sizeof a->access) == 0 && a->preferred == b->preferred &&
           a->prefetched == b->prefetched && a->coarse == b->coarse && a->read_only == b->read_only &&
           a->hive_local == b->hive_local && a->read_mostly == b->read_mostly && a->granularity == b->granularity;
}

/* Changes pages as the pair has it, and makes up the pair. */
static hsa_amd_svm_attribute_pair_t change(struct page *p, unsigned n, uint32_t *seed)
{
    const unsigned what = next_random(seed) % 9, agent = next_random(seed) % 3, value = next_random(seed) % 4;
    static const uint64_t names[] = {HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG,      HSA_AMD_SVM_ATTRIB_READ_ONLY,
                                     HSA_AMD_SVM_ATTRIB_HIVE_LOCAL,       HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY,
                                     HSA_AMD_SVM_ATTRIB_READ_MOSTLY,      HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION,
                                     HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE,
                                     HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS};
    hsa_amd_svm_attribute_pair_t pair = {names[what], value};

    for (unsigned k = 0; k < n; k++)
        switch (what) {
        case 0:
            pair.value = value & 1;
            p[k].coarse = value & 1;
            break;
        case 1:
            p[k].read_only = value != 0;
            break;
        case 2:
            p[k].hive_local = value != 0;
            break;
        case 3:
            pair.value = value == 3 ? 64 : value == 2 ? 63 : 8 + value;
            p[k].granularity = value >= 2 ? 63 : (uint8_t)(8 + value);
            break;
        case 4:
            p[k].read_mostly = value != 0;
            break;
        case 5:
            pair.value = nth_agent(value).handle;
            p[k].preferred = (uint8_t)value;
            break;
        default:
            pair.value = nth_agent(agent).handle;
            p[k].access[agent] = (uint8_t)(what == 8 ? 0 : what - 5);
        }
    return pair;
}

static void expect_get(unsigned from, unsigned n, uint64_t attribute, uint64_t want)
{
    uint64_t is = svm_get((void *)(uintptr_t)(BASE + from * 4096), n * 4096, attribute, 99, NULL);

    if (is != want)
        fail_msg("pages %u to %u, attribute %llu: %llx for %llx", from, from + n - 1, (unsigned long long)attribute,
                 (unsigned long long)is, (unsigned long long)want);
}

/* What calls say of some pages. */
static void expect_common(const struct page *p, unsigned from, unsigned n)
{
    bool preferred = true, prefetched = true, coarse = true, read_only = true, hive_local = true, read_mostly = true;
    unsigned granularity = 63, way[3] = {2, 2, 2};

    for (const struct page *at = p + from; at < p + from + n; at++) {
        preferred &= at->preferred == p[from].preferred;
        prefetched &= at->prefetched == p[from].prefetched;
        coarse &= at->coarse == p[from].coarse;
        read_only &= at->read_only;
        hive_local &= at->hive_local;
        read_mostly &= at->read_mostly;
        if (at->granularity < granularity)
            granularity = at->granularity;
        for (unsigned k = 0; k < 3; k++)
            if (at->access[k] < way[k])
                way[k] = at->access[k];
    }
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, coarse ? p[from].coarse : 2);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_READ_ONLY, read_only);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_HIVE_LOCAL, hive_local);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_READ_MOSTLY, read_mostly);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, granularity);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, preferred ? nth_agent(p[from].preferred).handle : 0);
    expect_get(from, n, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, prefetched ? nth_agent(p[from].prefetched).handle : 0);
    for (unsigned k = 0; k < 3; k++) {
        static const uint64_t ways[] = {HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE,
                                        HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE};
        uint64_t name;

        svm_get((void *)(uintptr_t)(BASE + from * 4096), n * 4096, HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, nth_agent(k).handle,
                &name);
        if (name != ways[way[k]])
            fail_msg("pages %u to %u, agent %u: %llu", from, from + n - 1, k, (unsigned long long)name);
    }
}

/* Launches get the pages that a GPU may touch, a stretch for each run of pages that are alike. */
static void expect_listed(const struct page *p)
{
    struct stretches s = {0};
    size_t n = 0;

    svm_list(&s);
    for (unsigned k = 0, end; k < PAGES; k = end) {
        for (end = k + 1; end < PAGES && same_page(&p[k], &p[end]);)
            end++;
        if (!p[k].access[1] && !p[k].access[2])
            continue;
        assert_true(n < s.count);
        assert_true(s.at[n].lo == BASE + k * 4096 && s.at[n].hi == BASE + end * 4096);
        assert_int_equal(s.at[n].writable, !p[k].read_only);
        n++;
    }
    assert_int_equal(n, s.count);
    free(s.at);
}

static void test_svm_beside_a_model(void **state)
{
    struct page model[PAGES];
    uint32_t seed = 34;

    (void)state;
    for (unsigned k = 0; k < PAGES; k++)
        model[k] = untouched;
    for (unsigned n = 0; n < 3000; n++) {
        unsigned from = next_random(&seed) % PAGES, pages = 1 + next_random(&seed) % (PAGES - from);
        uint8_t *at = (uint8_t *)(uintptr_t)(BASE + from * 4096);
        hsa_amd_svm_attribute_pair_t pairs[3];

        switch (next_random(&seed) % 8) {
        case 0:
            svm_forget(BASE + from * 4096, BASE + (from + pages) * 4096);
            for (unsigned k = 0; k < pages; k++)
                model[from + k] = untouched;
            break;
        case 1:
            assert_int_equal(hsa_amd_svm_prefetch_async(at, pages * 4096, nth_agent(n % 3), 0, NULL, (hsa_signal_t){0}),
                             0);
            for (unsigned k = 0; k < pages; k++)
                model[from + k].prefetched = (uint8_t)(n % 3);
            break;
        case 2: { /* one of three that is wrong: nothing changes */
            struct page none[1];
            for (unsigned k = 0; k < 3; k++)
                pairs[k] = change(none, 1, &seed);
            pairs[n % 3] = n & 1 ? (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 2}
                                 : (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, 5};
            assert_int_equal(hsa_amd_svm_attributes_set(at, pages * 4096, pairs, 3),
                             n & 1 ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_ERROR_INVALID_AGENT);
            break;
        }
        default: { /* pages are named by any bytes of theirs */
            unsigned count = 1 + n % 3;
            for (unsigned k = 0; k < count; k++)
                pairs[k] = change(model + from, pages, &seed);
            assert_int_equal(hsa_amd_svm_attributes_set(at + n % 4096, pages * 4096 - n % 4096, pairs, count), 0);
        }
        }
        from = next_random(&seed) % PAGES;
        expect_common(model, from, 1 + next_random(&seed) % (PAGES - from));
        expect_listed(model);
    }
    svm_forget(BASE, BASE + PAGES * 4096);
}

/* Many pages, none like its neighbour: the table grows. */
static void test_svm_of_many_pages(void **state)
{
    enum { MANY = 150 };
    struct stretches s = {0};

    (void)state;
    for (unsigned k = 0; k < MANY; k++) {
        uint8_t *at = (uint8_t *)(uintptr_t)(BASE + k * 37 % MANY * 4096);
        assert_int_equal(svm_set(at, 1, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gfx90a.handle), 0);
        assert_int_equal(svm_set(at, 1, HSA_AMD_SVM_ATTRIB_READ_ONLY, k * 37 % MANY & 1), 0);
    }
    svm_list(&s);
    assert_int_equal(s.count, MANY);
    for (unsigned k = 0; k < MANY; k++) {
        assert_true(s.at[k].lo == BASE + k * 4096 && s.at[k].hi == s.at[k].lo + 4096);
        assert_int_equal(s.at[k].writable, !(k & 1));
    }
    free(s.at);
    svm_forget(BASE, BASE + MANY * 4096);
    svm_forget(BASE, BASE + MANY * 4096);
    assert_int_equal(svm_stretches(&(struct stretch){0}), 0);
}

/* Requests of which nothing comes. */
static void test_wrong_svm(void **state)
{
    static const struct {
        uint64_t at, bytes;
        bool pages;
    } rows[] = {{0, 4096, false},
                {4095, 8192, false},
                {4096, 0, false},
                {4096, 1, true},
                {8191, 1, true},
                {1, 4095, false},
                {4096, UINT64_MAX, false},
                {4096, -UINT64_C(4096), false},
                {4096, -UINT64_C(4097), false},
                {4096, -UINT64_C(8192), true},
                {8192, -UINT64_C(12288), true}};
    hsa_amd_svm_attribute_pair_t pair[2] = {{HSA_AMD_SVM_ATTRIB_READ_ONLY, 77}, {99, 5}};
    hsa_signal_t done, no_signal = {5};
    uint64_t lo, hi;

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (svm_pages((void *)(uintptr_t)rows[k].at, rows[k].bytes, &lo, &hi) != rows[k].pages)
            fail_msg("row %zu", k);
    assert_true(svm_pages((void *)8191, 2, &lo, &hi));
    assert_int_equal(lo, 4096);
    assert_int_equal(hi, 12288);
    void *at = (void *)(uintptr_t)BASE;
    assert_int_equal(hsa_amd_svm_attributes_get(at, 0, pair, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_svm_attributes_get(at, 4096, NULL, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_svm_attributes_get(at, 4096, NULL, 0), 0);
    assert_int_equal(hsa_amd_svm_attributes_set(at, 4096, NULL, 0), 0);
    assert_int_equal(hsa_amd_svm_attributes_get(at, 4096, pair, 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(pair[0].value, 0); /* those before it were answered */
    pair[1] = (hsa_amd_svm_attribute_pair_t){HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, 5};
    assert_int_equal(hsa_amd_svm_attributes_get(at, 4096, pair, 2), HSA_STATUS_ERROR_INVALID_AGENT);
    pair[1].value = 0;
    assert_int_equal(hsa_amd_svm_attributes_get(at, 4096, pair, 2), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(svm_set(at, 4096, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 5), HSA_STATUS_ERROR_INVALID_AGENT);

    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    assert_int_equal(hsa_amd_svm_prefetch_async(at, 4096, (hsa_agent_t){5}, 0, NULL, done),
                     HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_amd_svm_prefetch_async(at, 0, gfx90a, 0, NULL, done), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_svm_prefetch_async(at, 4096, gfx90a, 1, NULL, done), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_amd_svm_prefetch_async(at, 4096, gfx90a, 1, &no_signal, done),
                     HSA_STATUS_ERROR_INVALID_SIGNAL);
    assert_int_equal(hsa_signal_load_relaxed(done), 1);
    assert_int_equal(svm_get(at, 4096, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), 0);
    assert_int_equal(hsa_amd_svm_prefetch_async(at, 4096, gfx90a, 0, NULL, done), 0);
    assert_int_equal(hsa_signal_load_relaxed(done), 0);
    assert_int_equal(svm_get(at, 4096, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), gfx90a.handle);
    assert_int_equal(hsa_signal_destroy(done), 0);
    svm_forget(BASE, BASE + 4096);
}

/* A prefetch waits for all of its signals, in whatever order they come, and for none that is over. */
static void test_prefetch_after_several_signals(void **state)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}};
    void *at = (void *)(uintptr_t)BASE;
    hsa_signal_t dep[4], done;

    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(hsa_signal_create(n == 3 ? 0 : 1, 0, NULL, &dep[n]), 0);
        assert_int_equal(hsa_amd_svm_prefetch_async(at, 4096, gfx90a, 4, dep, done), 0);
        for (unsigned n = 0; n < 3; n++) {
            assert_int_equal(hsa_signal_load_relaxed(done), 1);
            assert_int_equal(svm_get(at, 4096, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), 0);
            hsa_signal_store_screlease(dep[orders[k][n]], 0);
        }
        assert_int_equal(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, 0), 0);
        assert_int_equal(svm_get(at, 4096, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, 0, NULL), gfx90a.handle);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(hsa_signal_destroy(dep[n]), 0);
        assert_int_equal(hsa_signal_destroy(done), 0);
        svm_forget(BASE, BASE + 4096);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svm),
        cmocka_unit_test(test_svm_beside_a_model),
        cmocka_unit_test(test_svm_of_many_pages),
        cmocka_unit_test(test_wrong_svm),
        cmocka_unit_test(test_prefetch_after_several_signals),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

/* Shared virtual memory: attributes of the program's own pages.
 *
 * No page ever moves: preferred and prefetched locations are remembered and reported. Access counts: pages that
 * an agent has been given access to are valid for kernels. A program that unmaps such pages need not say so; what the
 * runtime maps there later is no longer SVM (svm_forget).
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/memory/memory.h"

#define NOWHERE UINT32_MAX
#define CPU     1u /* its bit in masks of agents; it may touch its memory anyway */

struct attributes {
    uint32_t accessible, in_place;  /* bit i: the agent of index i */
    uint32_t preferred, prefetched; /* index of an agent, or NOWHERE */
    uint32_t model;
    uint64_t granularity;
    bool read_only, hive_local, read_mostly;
};

/* For pages of which nothing has been said. */
static const struct attributes defaults = {
    .preferred = NOWHERE, .prefetched = NOWHERE, .model = HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED, .granularity = 9};

struct pages {
    uint64_t lo, hi;
    struct attributes is;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pages *table; /* by address; disjoint */
static size_t count, capacity;

/* The table; all under the lock ------------------------------------------------------------------------------------ */

static uint64_t end_of_pages(const void *at, size_t k)
{
    return ((const struct pages *)at)[k].hi;
}

/* The first entry that ends after the address. */
static size_t position(uint64_t address)
{
    return first_above(table, count, end_of_pages, address);
}

static bool room(size_t more)
{
    size_t want = capacity ? capacity : 32;
    struct pages *t;

    while (want < count + more)
        want *= 2;
    if (want == capacity)
        return true;
    t = realloc(table, want * sizeof *t);
    if (!t)
        return false;
    table = t;
    capacity = want;
    return true;
}

static void insert(size_t at, const struct pages *p)
{
    memmove(table + at + 1, table + at, (count - at) * sizeof *table);
    table[at] = *p;
    count++;
}

/* Makes an entry begin at the address if one holds it. There is room for one more. */
static void split(uint64_t address)
{
    size_t at = position(address);
    struct pages p;

    if (at == count || table[at].lo >= address)
        return;
    p = table[at];
    table[at].hi = p.lo = address;
    insert(at + 1, &p);
}

/* Makes [lo, hi) whole entries; false: out of host memory. */
static bool cover(uint64_t lo, uint64_t hi)
{
    if (!room(2))
        return false;
    split(lo);
    split(hi);
    for (size_t k = position(lo); lo < hi; k++) {
        uint64_t end = k < count && table[k].lo < hi ? table[k].lo : hi;

        if (lo < end) {
            if (!room(1))
                return false;
            insert(k, &(struct pages){lo, end, defaults});
        }
        lo = table[k].hi;
    }
    return true;
}

static bool alike(const struct attributes *a, const struct attributes *b)
{
    return a->accessible == b->accessible && a->in_place == b->in_place && a->preferred == b->preferred &&
           a->prefetched == b->prefetched && a->model == b->model && a->granularity == b->granularity &&
           a->read_only == b->read_only && a->hive_local == b->hive_local && a->read_mostly == b->read_mostly;
}

/* Neighbours that are alike become one again: tables do not grow with repeated calls. */
static void join(void)
{
    size_t n = 0;

    for (size_t k = 0; k < count; k++) {
        if (n && table[n - 1].hi == table[k].lo && alike(&table[n - 1].is, &table[k].is))
            table[n - 1].hi = table[k].hi;
        else if (!alike(&table[k].is, &defaults))
            table[n++] = table[k];
    }
    count = n;
}

void svm_list(struct stretches *out)
{
    pthread_mutex_lock(&lock);
    for (size_t k = 0; k < count; k++)
        if ((table[k].is.accessible | table[k].is.in_place) & ~CPU)
            stretches_add(out, table[k].lo, table[k].hi, !table[k].is.read_only);
    pthread_mutex_unlock(&lock);
}

void svm_forget(uint64_t lo, uint64_t hi)
{
    pthread_mutex_lock(&lock);
    if (position(lo) < count && table[position(lo)].lo < hi && room(2)) {
        size_t first, end;

        split(lo);
        split(hi);
        first = position(lo);
        end = position(hi - 1);
        end += end < count && table[end].lo < hi;
        memmove(table + first, table + end, (count - end) * sizeof *table);
        count -= end - first;
        ranges_host_changed(HOST_SVM, svm_list);
    }
    pthread_mutex_unlock(&lock);
}

/* Attributes ------------------------------------------------------------------------------------------------------- */

/* The index of the agent of an attribute's value; false: it is none. */
static bool agent_index(uint64_t value, bool none_is_fine, uint32_t *out)
{
    const struct agent *a = agent_of((hsa_agent_t){value});

    *out = a ? a->index : NOWHERE;
    return a || (none_is_fine && !value);
}

static hsa_status_t set_one(struct attributes *a, const hsa_amd_svm_attribute_pair_t *pair)
{
    uint32_t agent = NOWHERE;
    uint64_t v = pair->value;

    switch (pair->attribute) {
    case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        if (v > HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED)
            return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        a->model = (uint32_t)v;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_READ_ONLY:
        a->read_only = v != 0;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
        a->hive_local = v != 0;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
        a->granularity = v < 63 ? v : 63;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
        a->read_mostly = v != 0;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
        if (!agent_index(v, true, &a->preferred))
            return HSA_STATUS_ERROR_INVALID_AGENT;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE:
    case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE:
    case HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS:
        if (!agent_index(v, false, &agent))
            return HSA_STATUS_ERROR_INVALID_AGENT;
        a->accessible &= ~(1u << agent);
        a->in_place &= ~(1u << agent);
        if (pair->attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE)
            a->accessible |= 1u << agent;
        else if (pair->attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE)
            a->in_place |= 1u << agent;
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* The pages that a call names; false: none. */
bool svm_pages(const void *ptr, size_t size, uint64_t *lo, uint64_t *hi)
{
    uint64_t at = (uint64_t)(uintptr_t)ptr;

    *lo = at & -MEMORY_PAGE;
    *hi = memory_pages(at + size);
    return ptr && size && at + size > at && *hi > *lo && *lo >= MEMORY_PAGE;
}

hsa_status_t hsa_amd_svm_attributes_set(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                        size_t attribute_count)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct attributes trial = defaults;
    uint64_t lo, hi;

    RT_READY_OR_RETURN();
    if (!svm_pages(ptr, size, &lo, &hi) || (attribute_count && !attribute_list))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t k = 0; k < attribute_count && status == HSA_STATUS_SUCCESS; k++)
        status = set_one(&trial, &attribute_list[k]);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    pthread_mutex_lock(&lock);
    if (cover(lo, hi))
        for (size_t k = position(lo); k < count && table[k].lo < hi; k++)
            for (size_t i = 0; i < attribute_count; i++)
                set_one(&table[k].is, &attribute_list[i]);
    else
        status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    join();
    ranges_host_changed(HOST_SVM, svm_list);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Asking ----------------------------------------------------------------------------------------------------------- */

/* What pages have in common; where they differ there is no answer, or the weakest is it. */
struct common {
    struct attributes is;
    bool preferred_mixed, prefetched_mixed, model_mixed;
};

static void add_common(struct common *c, const struct attributes *a, bool first)
{
    if (first) {
        c->is = *a;
        c->is.accessible |= a->in_place; /* the weaker of the two ways */
        return;
    }
    c->preferred_mixed |= c->is.preferred != a->preferred;
    c->prefetched_mixed |= c->is.prefetched != a->prefetched;
    c->model_mixed |= c->is.model != a->model;
    c->is.accessible &= a->accessible | a->in_place;
    c->is.in_place &= a->in_place;
    c->is.read_only &= a->read_only;
    c->is.hive_local &= a->hive_local;
    c->is.read_mostly &= a->read_mostly;
    if (a->granularity < c->is.granularity)
        c->is.granularity = a->granularity;
}

static struct common common_of(uint64_t lo, uint64_t hi)
{
    struct common c = {0};
    bool first = true;

    pthread_mutex_lock(&lock);
    for (size_t k = position(lo); lo < hi; k++) {
        if (k == count || table[k].lo > lo) {
            add_common(&c, &defaults, first);
            first = false;
        }
        if (k == count || table[k].lo >= hi)
            break;
        add_common(&c, &table[k].is, first);
        first = false;
        lo = table[k].hi;
    }
    pthread_mutex_unlock(&lock);
    return c;
}

static uint64_t handle_at(uint32_t index)
{
    struct runtime *r = rt_any();

    return index < r->agents ? agent_handle(&r->agent[index]).handle : 0;
}

static hsa_status_t get_one(const struct common *c, hsa_amd_svm_attribute_pair_t *pair)
{
    uint32_t agent;

    switch (pair->attribute) {
    case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        pair->value = c->model_mixed ? HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE : c->is.model;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_READ_ONLY:
        pair->value = c->is.read_only;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
        pair->value = c->is.hive_local;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
        pair->value = c->is.granularity;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
        pair->value = c->is.read_mostly;
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
        pair->value = c->preferred_mixed ? 0 : handle_at(c->is.preferred);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
        pair->value = c->prefetched_mixed ? 0 : handle_at(c->is.prefetched);
        return HSA_STATUS_SUCCESS;
    case HSA_AMD_SVM_ATTRIB_ACCESS_QUERY:
        if (!agent_index(pair->value, false, &agent))
            return HSA_STATUS_ERROR_INVALID_AGENT;
        pair->attribute = c->is.in_place >> agent & 1     ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE
                          : c->is.accessible >> agent & 1 ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE
                                                          : HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_svm_attributes_get(void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attribute_list,
                                        size_t attribute_count)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct common c;
    uint64_t lo, hi;

    RT_READY_OR_RETURN();
    if (!svm_pages(ptr, size, &lo, &hi) || (attribute_count && !attribute_list))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    c = common_of(lo, hi);
    for (size_t k = 0; k < attribute_count && status == HSA_STATUS_SUCCESS; k++)
        status = get_one(&c, &attribute_list[k]);
    return status;
}

void svm_prefetched(uint64_t lo, uint64_t hi, const struct agent *a)
{
    pthread_mutex_lock(&lock);
    if (cover(lo, hi))
        for (size_t k = position(lo); k < count && table[k].lo < hi; k++)
            table[k].is.prefetched = a->index;
    join();
    pthread_mutex_unlock(&lock);
}

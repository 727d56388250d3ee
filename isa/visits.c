/* The executions of each instruction from the jumps that were counted: the memory of the counts, and the walk through
 * the code that adds them up. */
#define _GNU_SOURCE
#include "isa/visits.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "isa/isa.h"

static size_t chunks_of(const struct isa_visits *v)
{
    return v->dwords / ISA_VISITS_CHUNK + 1;
}

bool isa_visits_init(struct isa_visits *v, const struct isa_program *p)
{
    *v = (struct isa_visits){.base = isa_program_base(p), .dwords = isa_program_size(p) / 4};
    v->map_bytes = (v->dwords + 1) * sizeof *v->at;
    v->touched = calloc(chunks_of(v), 1);
    v->at = mmap(NULL, v->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (v->touched && v->at != MAP_FAILED)
        return true;
    if (v->at == MAP_FAILED)
        v->at = NULL;
    isa_visits_free(v);
    return false;
}

void isa_visits_free(struct isa_visits *v)
{
    if (v->at)
        munmap(v->at, v->map_bytes);
    free(v->touched);
    *v = (struct isa_visits){0};
}

/* All tables together. */
struct sum {
    struct isa_visits *const *table;
    unsigned count;
};

static bool is_touched(const struct sum *s, size_t k)
{
    for (unsigned n = 0; n < s->count; n++)
        if (s->table[n]->touched[k / ISA_VISITS_CHUNK])
            return true;
    return false;
}

/* What came to dword k, less what left before it. */
static uint64_t change_at(const struct sum *s, size_t k)
{
    uint64_t n = 0;

    if (!is_touched(s, k))
        return 0;
    for (unsigned t = 0; t < s->count; t++)
        n += s->table[t]->at[k].came - s->table[t]->at[k].left;
    return n;
}

/* The first dword from k on where something may have come; the number of dwords: none. */
static size_t skip(const struct sum *s, size_t k, size_t dwords)
{
    while (k < dwords && !is_touched(s, k))
        k = (k / ISA_VISITS_CHUNK + 1) * ISA_VISITS_CHUNK;
    return k < dwords ? k : dwords;
}

bool isa_visits_read(struct isa_program *p, struct isa_visits *const *tables, unsigned count,
                     bool (*each)(void *ctx, gaddr_t pc, uint64_t executed), void *ctx)
{
    const struct sum s = {tables, count};
    size_t dwords = isa_program_size(p) / 4, k = 0;
    uint64_t n = 0; /* executions of what stands at dword k */

    for (;;) {
        k = n ? k : skip(&s, k, dwords);
        n += change_at(&s, k);
        if (k >= dwords || n > INT64_MAX)
            return n == 0;
        if (!n) {
            k++;
            continue;
        }
        const struct isa_inst *i = isa_program_at(p, isa_program_base(p) + k * 4);
        if (!i || !i->row || !each(ctx, isa_program_base(p) + k * 4, n))
            return false;
        for (unsigned inside = 1; inside < i->size_bytes / 4u && k + inside < dwords; inside++)
            if (change_at(&s, k + inside))
                return false; /* code that is read in two ways */
        k += i->size_bytes / 4u;
    }
}

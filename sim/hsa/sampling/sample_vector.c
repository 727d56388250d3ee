/* Basic-block vectors: their blocks, and how far two of them are apart. */
#include "sim/hsa/sampling/sample_vector.h"

#include <math.h>
#include <stdlib.h>

#define LONGEST 20 /* bytes of an instruction */

/* Where instruction k ends: where the next one begins that was executed, if that is near enough to be its neighbour. */
static uint64_t end_of(const struct sample_work *w, size_t k)
{
    uint64_t pc = w->visit[k].pc;
    bool near = k + 1 < w->visits && w->visit[k + 1].pc - pc <= LONGEST;

    return near ? w->visit[k + 1].pc : pc + 4;
}

static bool goes_on(const struct sample_work *w, const struct sample_block *b, size_t k)
{
    return b->to == (int64_t)(w->visit[k].pc - w->entry) && b->executed == w->visit[k].executed;
}

bool sample_vector_make(struct sample_vector *v, const struct sample_work *w)
{
    size_t n = 0;

    *v = (struct sample_vector){.instructions = w->instructions};
    if (!w->visits)
        return true;
    v->block = malloc(w->visits * sizeof *v->block);
    if (!v->block)
        return false;
    for (size_t k = 0; k < w->visits; k++) {
        int64_t from = (int64_t)(w->visit[k].pc - w->entry), to = (int64_t)(end_of(w, k) - w->entry);

        if (n && goes_on(w, &v->block[n - 1], k))
            v->block[n - 1].to = to;
        else
            v->block[n++] = (struct sample_block){from, to, w->visit[k].executed};
        v->size += (double)(to - from) * (double)w->visit[k].executed;
    }
    struct sample_block *less = realloc(v->block, n * sizeof *v->block);
    v->block = less ? less : v->block;
    v->blocks = n;
    return true;
}

void sample_vector_free(struct sample_vector *v)
{
    free(v->block);
    *v = (struct sample_vector){0};
}

/* How often what stands at `at` was executed, and up to where that is so; *k: the first block that ends after it. */
static double executed_at(const struct sample_vector *v, size_t *k, int64_t at, int64_t *upto)
{
    while (*k < v->blocks && v->block[*k].to <= at)
        ++*k;
    if (*k == v->blocks) {
        *upto = INT64_MAX;
        return 0;
    }
    bool inside = v->block[*k].from <= at;
    *upto = inside ? v->block[*k].to : v->block[*k].from;
    return inside ? (double)v->block[*k].executed : 0;
}

double sample_vector_distance(const struct sample_vector *a, const struct sample_vector *b)
{
    double apart = 0, largest = fmax(a->size, b->size);
    size_t i = 0, j = 0;

    if (!a->blocks || !b->blocks) {
        largest = fmax(a->instructions, b->instructions);
        return a->blocks != b->blocks ? 1 : largest > 0 ? fabs(a->instructions - b->instructions) / largest : 0;
    }
    int64_t at = a->block[0].from < b->block[0].from ? a->block[0].from : b->block[0].from;

    while (at != INT64_MAX) {
        int64_t x, y;
        double n = executed_at(a, &i, at, &x), m = executed_at(b, &j, at, &y);
        int64_t next = x < y ? x : y;

        if (n != m)
            apart += fabs(n - m) * (double)(next - at);
        at = next;
    }
    return largest > 0 ? apart / largest : 0;
}

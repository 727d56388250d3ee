/* Internal to sample*.c: basic-block vectors, as bytes of code by how often they were executed. */
#ifndef GCNSIM_HSA_SAMPLE_VECTOR_H
#define GCNSIM_HSA_SAMPLE_VECTOR_H

#include "sim/hsa/sampling/sample_work.h"

/* Neighbouring instructions that were executed equally often. */
struct sample_block {
    int64_t from, to; /* bytes from the kernel's entry on */
    uint64_t executed;
};

struct sample_vector {
    struct sample_block *block; /* by address; null: what was executed is known as a number alone */
    size_t blocks;
    double size; /* bytes of code executed */
    double instructions;
};

/* False: out of host memory. To be freed with sample_vector_free(). */
bool sample_vector_make(struct sample_vector *v, const struct sample_work *w);
void sample_vector_free(struct sample_vector *v);

/* 0: the same; up to 2: nothing in common. The bytes of code that one has executed more often than the other, over
 * those that the larger one has executed. */
double sample_vector_distance(const struct sample_vector *a, const struct sample_vector *b);

#endif

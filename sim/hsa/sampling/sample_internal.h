/* Internal to sample*.c: what a sampler keeps. */
#ifndef GCNSIM_HSA_SAMPLE_INTERNAL_H
#define GCNSIM_HSA_SAMPLE_INTERNAL_H

#include <pthread.h>

#include "sim/hsa/sampling/sample_vector.h"

#define SAMPLE_PAST 64 /* dispatches of a class that are remembered one by one */

/* A dispatch that was timed. */
struct sample_rep {
    double instructions, cycles;
    double half; /* of the interval around its cycles, where they are an estimate */
    bool cold;   /* the first one of its class */
    /* of the cluster's dispatches after it, up to the next one that was timed */
    double behind, behind_instructions;
};

struct sample_cluster {
    uint32_t number;
    struct sample_vector vector; /* of its first dispatch */
    uint64_t dispatches, estimated;
    uint64_t last_timed; /* of `dispatches`, at the last representative */
    double instructions, estimated_instructions;
    struct sample_rep *rep;
    uint32_t reps, rep_room;
};

struct sample_class {
    struct sample_class *next;
    struct sample_key key;
    char *name; /* the key's */
    struct sample_cluster *cluster;
    uint32_t clusters, room;
    uint32_t past[SAMPLE_PAST], pasts; /* of its last dispatches, the newest at the end: which cluster */
    uint64_t seen, timed, pending;     /* dispatches; pending: that are being timed */
    uint64_t seen_timed;               /* `seen` at the last one that was timed */
    uint64_t last, gap; /* of sampler.begun at its last dispatch, and how much that was after the one before */
    bool armed;         /* its next dispatch is to be timed, when caches have been warmed since `last` */
    uint64_t armed_at;
    uint32_t passes;      /* dispatches since then that were not waited for */
    uint64_t rests_until; /* of `seen`: until then it is not armed again */
    double instructions;  /* of all its dispatches */
};

struct sampler {
    pthread_mutex_t lock; /* of everything */
    uint32_t representatives;
    struct sample_class *classes;
    uint32_t class_count, cluster_count;
    uint64_t begun;    /* dispatches so far */
    uint64_t last_run; /* the last one that did not warm the caches; 0: none */
    uint32_t armed;    /* classes that are */
    uint64_t timed, in_part, warmed, executed;
    double timed_cycles, sure_cycles, told_cycles;
};

/* What a wave-instruction of a cluster costs now, from its last representatives. */
struct sample_rate {
    double cost, half; /* half: of the interval */
    double scatter;    /* half of the interval of a single dispatch, over its cost, by what neighbours differ by */
    uint32_t counted;
};
struct sample_rate sample_rate(const struct sample_cluster *n);

/* The cycles that a dispatch of the cluster is taken to cost; 0: nothing of the class has been timed. */
double sample_cost(struct sample_class *c, const struct sample_cluster *n, double instructions);

/* The cluster nearest to a dispatch, and how far it is; null: there is none. represented: of those that have a
 * representative. */
struct sample_cluster *sample_nearest(struct sample_class *c, const struct sample_vector *v, bool represented,
                                      double *distance);

#endif

/* The choice of representatives: classes and clusters of dispatches, and which dispatch is timed. */
#include "sim/hsa/sampling/sample.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/sampling/sample_internal.h"

#define FIRST         3   /* dispatches of a class that are timed in any case: a cold one, and two that others follow */
#define SPARSE        8   /* dispatches of a cluster from which on more are timed for their number alone: */
#define MOST_MORE     0.5 /* when there are so many more of them, where costs do not scatter, */
#define LEAST_MORE    0.05 /* or so many, where they do */
#define ALIKE         0.05 /* distance within which dispatches are of one cluster */
#define MOST_CLUSTERS 64   /* of a class; what is like none of them is then taken to the nearest one */
#define MOST_AT_LEAST 8    /* representatives of a class; beyond them */
#define MOST_SHARE    10   /* one dispatch in so many is timed at most; */
#define MOST_CHANGING 4    /* one in so many, beyond FIRST, where dispatches are unlike those that were timed */
#define LEAST_PART    0.01 /* of a class's wave-instructions: what a cluster has less of is not waited for */
#define MOST_PASSES   8    /* dispatches of a class that are let pass while one of another cluster is waited for, */
#define REST          4    /* and then, for so much of its dispatches so far, none is */
#define STEADY        0.02 /* half of the interval over the cost of a wave-instruction, as it is to be */
#define LAPSE         4    /* times as long as a class was away last, until nobody waits for it any more, */
#define LEAST_LAPSE   64   /* or so many dispatches */

struct sampler *sampler_new(uint32_t representatives)
{
    struct sampler *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->representatives = representatives;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void free_class(struct sample_class *c)
{
    for (uint32_t k = 0; k < c->clusters; k++) {
        sample_vector_free(&c->cluster[k].vector);
        free(c->cluster[k].rep);
    }
    free(c->cluster);
    free(c->name);
    free(c);
}

void sampler_free(struct sampler *s)
{
    if (!s)
        return;
    for (struct sample_class *c = s->classes, *next; c; c = next) {
        next = c->next;
        free_class(c);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* Classes ---------------------------------------------------------------------------------------------------------- */

static bool same_key(const struct sample_key *a, const struct sample_key *b)
{
    return !memcmp(a->grid, b->grid, sizeof a->grid) && !memcmp(a->workgroup, b->workgroup, sizeof a->workgroup) &&
           a->lds_bytes == b->lds_bytes && a->scratch_bytes == b->scratch_bytes && !strcmp(a->kernel, b->kernel);
}

static struct sample_class *find_class(struct sampler *s, const struct sample_key *key)
{
    struct sample_class **at = &s->classes, *c;

    while (*at && !same_key(&(*at)->key, key))
        at = &(*at)->next;
    if (*at)
        return *at;
    c = calloc(1, sizeof *c);
    char *name = strdup(key->kernel);
    if (!c || !name) {
        free(c);
        free(name);
        return NULL;
    }
    c->key = *key;
    c->key.kernel = c->name = name;
    s->class_count++;
    return *at = c;
}

/* Clusters --------------------------------------------------------------------------------------------------------- */

/* The cluster of a dispatch that has ended, which may be a new one; takes v over. Null: out of host memory. */
static struct sample_cluster *join(struct sampler *s, struct sample_class *c, struct sample_vector *v)
{
    double distance;
    struct sample_cluster *n = sample_nearest(c, v, false, &distance);

    if (n && (distance <= ALIKE || c->clusters == MOST_CLUSTERS)) {
        sample_vector_free(v);
        return n;
    }
    if (c->clusters == c->room) {
        uint32_t room = c->room ? 2 * c->room : 4;
        struct sample_cluster *more = realloc(c->cluster, room * sizeof *more);

        if (!more) {
            sample_vector_free(v);
            return NULL;
        }
        c->cluster = more;
        c->room = room;
    }
    n = &c->cluster[c->clusters++];
    *n = (struct sample_cluster){.number = ++s->cluster_count, .vector = *v};
    return n;
}

static bool add_representative(struct sample_cluster *n, const struct sample_rep *r)
{
    if (n->reps == n->rep_room) {
        uint32_t room = n->rep_room ? 2 * n->rep_room : 4;
        struct sample_rep *more = realloc(n->rep, room * sizeof *more);

        if (!more)
            return false;
        n->rep = more;
        n->rep_room = room;
    }
    n->rep[n->reps++] = *r;
    return true;
}

/* A number below `below`, another one for each n: by how much a representative comes late, or costs that repeat would
 * be seen from one side alone. */
static uint64_t scattered(uint64_t n, uint64_t below)
{
    n += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return (n ^ n >> 31) % below;
}

/* Whether a cluster has less representatives than it is to have: a few in the beginning; as many as it takes until the
 * mean over all of them is steady, when they scatter as the last ones do; and one more whenever the dispatches after
 * the last one have become so many that what is known of them by the last ones matters. */
static bool wants_more(const struct sampler *s, const struct sample_cluster *n, uint64_t pending)
{
    uint64_t reps = n->reps + pending, late = scattered(n->reps, n->dispatches / SPARSE + 1);

    if (s->representatives)
        return reps < s->representatives;
    if (reps < FIRST || pending)
        return reps < FIRST;
    struct sample_rate r = sample_rate(n);
    double known = r.scatter > 0 ? STEADY / r.scatter : INFINITY; /* 1 / the square root of how many it takes */
    double more = fmin(fmax(known * sqrt(r.counted), LEAST_MORE), MOST_MORE);

    return reps * known * known < 1 ||
           (n->dispatches > SPARSE && (double)(n->dispatches - late) > (double)n->last_timed * (1 + more));
}

static bool matters(const struct sample_class *c, const struct sample_cluster *n)
{
    return n->instructions >= LEAST_PART * c->instructions;
}

/* Whether so many dispatches have come since the last one that was timed, not always the same number. */
static bool is_one_in(const struct sample_class *c, uint64_t of)
{
    return c->seen - c->seen_timed >= of / 2 + scattered(c->timed, of);
}

/* Whether one more may be timed, by how many of the class have been. */
static bool may_be_timed(const struct sample_class *c)
{
    uint64_t timed = c->timed + c->pending;

    for (uint32_t k = 0; k < c->clusters; k++)
        if (!c->cluster[k].reps && matters(c, &c->cluster[k]))
            return timed < FIRST || is_one_in(c, MOST_CHANGING);
    return timed < MOST_AT_LEAST || is_one_in(c, MOST_SHARE);
}

static bool cluster_wants(const struct sampler *s, const struct sample_class *c, uint32_t cluster)
{
    const struct sample_cluster *n = &c->cluster[cluster];

    return matters(c, n) && wants_more(s, n, c->pending);
}

/* Whether a dispatch more of the class is to be timed. */
static bool wants(const struct sampler *s, const struct sample_class *c)
{
    if (!s->representatives && !may_be_timed(c))
        return false;
    for (uint32_t k = 0; k < c->clusters; k++)
        if (cluster_wants(s, c, k))
            return true;
    return false;
}

/* The clusters of a class's dispatches ------------------------------------------------------------------------------
 */

static void note_cluster(struct sample_class *c, const struct sample_cluster *n)
{
    if (c->pasts == SAMPLE_PAST)
        memmove(c->past, c->past + 1, --c->pasts * sizeof *c->past);
    c->past[c->pasts++] = (uint32_t)(n - c->cluster);
}

/* The cluster that the next dispatch is expected to be of: what came after the last ones, when they came like that
 * before; the longest row of them that did. False: nothing is expected. */
static bool expect(const struct sample_class *c, uint32_t *cluster)
{
    uint32_t best = 0;

    for (uint32_t at = c->pasts; at-- > 1;) {
        uint32_t same = 0;

        while (same < at && c->past[at - 1 - same] == c->past[c->pasts - 1 - same])
            same++;
        if (same <= best)
            continue;
        best = same;
        *cluster = c->past[at];
    }
    return best > 0;
}

/* Whether the dispatch that begins is one to be timed, as far as can be known. */
static bool suits(const struct sampler *s, const struct sample_class *c)
{
    uint32_t cluster;

    return !expect(c, &cluster) || cluster_wants(s, c, cluster);
}

/* Which dispatch is timed ------------------------------------------------------------------------------------------ */

static void disarm(struct sampler *s, struct sample_class *c)
{
    s->armed -= c->armed;
    c->armed = false;
}

static void arm(struct sampler *s, struct sample_class *c)
{
    if (c->armed || c->seen < c->rests_until || !wants(s, c))
        return;
    c->armed = true;
    c->passes = 0;
    c->armed_at = s->begun;
    s->armed++;
}

/* Classes that do not come any more keep nobody from going fast. */
static void let_lapse(struct sampler *s)
{
    for (struct sample_class *c = s->classes; c && s->armed; c = c->next) {
        uint64_t lapse = LAPSE * c->gap > LEAST_LAPSE ? LAPSE * c->gap : LEAST_LAPSE;

        if (c->armed && s->begun - c->armed_at > lapse)
            disarm(s, c);
    }
}

/* Whether a dispatch of a class that is armed is one that was waited for. */
static bool is_awaited(struct sampler *s, struct sample_class *c)
{
    if (suits(s, c))
        return true;
    if (++c->passes < MOST_PASSES)
        return false;
    c->rests_until = c->seen + c->seen / REST;
    disarm(s, c);
    return false;
}

static enum sample_mode choose(struct sampler *s, struct sample_class *c, bool alone)
{
    uint64_t last = c->last;

    c->gap = last ? s->begun - last : 0;
    c->last = s->begun;
    c->seen++;
    if (!alone || c->timed + c->pending < FIRST || (c->armed && s->last_run < last && is_awaited(s, c))) {
        disarm(s, c);
        return SAMPLE_TIME;
    }
    if (s->armed)
        return SAMPLE_WARM;
    s->last_run = s->begun;
    return SAMPLE_RUN;
}

struct sample_class *sampler_begin(struct sampler *s, const struct sample_key *key, bool alone, enum sample_mode *mode)
{
    struct sample_class *c;

    pthread_mutex_lock(&s->lock);
    s->begun++;
    c = find_class(s, key);
    *mode = SAMPLE_TIME;
    if (c) {
        let_lapse(s);
        *mode = choose(s, c, alone);
        c->pending += *mode == SAMPLE_TIME;
    }
    pthread_mutex_unlock(&s->lock);
    return c;
}

/* Ends ------------------------------------------------------------------------------------------------------------- */

static struct sample_cluster *count(struct sampler *s, struct sample_class *c, const struct sample_work *work)
{
    struct sample_vector v;
    struct sample_cluster *n = sample_vector_make(&v, work) ? join(s, c, &v) : NULL;

    if (!n)
        return NULL;
    n->dispatches++;
    n->instructions += work->instructions;
    c->instructions += work->instructions;
    note_cluster(c, n);
    return n;
}

uint32_t sampler_timed(struct sampler *s, struct sample_class *c, const struct sample_work *work, double cycles,
                       double half)
{
    const struct sample_rep rep = {
        .instructions = work->instructions, .cycles = cycles, .half = half, .cold = !c->timed};
    struct sample_cluster *n;

    pthread_mutex_lock(&s->lock);
    c->pending--;
    n = count(s, c, work);
    if (n && !add_representative(n, &rep))
        n = NULL;
    if (n)
        n->last_timed = n->dispatches;
    c->timed++;
    c->seen_timed = c->seen;
    s->timed++;
    s->timed_cycles += cycles;
    s->in_part += half > 0;
    s->sure_cycles += half > 0 ? 0 : cycles;
    arm(s, c);
    uint32_t number = n ? n->number : 0;
    pthread_mutex_unlock(&s->lock);
    return number;
}

uint32_t sampler_executed(struct sampler *s, struct sample_class *c, enum sample_mode mode,
                          const struct sample_work *work, double *cycles)
{
    struct sample_cluster *n;

    *cycles = 0;
    pthread_mutex_lock(&s->lock);
    n = count(s, c, work);
    s->executed++;
    s->warmed += mode == SAMPLE_WARM;
    if (n) {
        *cycles = sample_cost(c, n, work->instructions);
        n->estimated_instructions += work->instructions;
        n->estimated++;
        if (n->reps) {
            n->rep[n->reps - 1].behind++;
            n->rep[n->reps - 1].behind_instructions += work->instructions;
        }
        s->told_cycles += *cycles;
    }
    arm(s, c);
    uint32_t number = n ? n->number : 0;
    pthread_mutex_unlock(&s->lock);
    return number;
}

void sampler_lost(struct sampler *s, struct sample_class *c, enum sample_mode mode)
{
    pthread_mutex_lock(&s->lock);
    c->pending -= mode == SAMPLE_TIME;
    pthread_mutex_unlock(&s->lock);
}

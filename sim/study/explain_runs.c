/* Simulations of one launch with different figures: run side by side on host threads, and kept in the form in which
 * explanations compare them. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/explain.h"
#include "sim/util/host_time.h"

struct pool {
    struct trials *all;
    struct trial **list;
    size_t count, next;
    pthread_mutex_t lock;
    bool stop;
};

static bool is_due(const struct trial *t)
{
    return !t->skipped && !t->like;
}

static bool aborted(const struct trials *all)
{
    return all->abort_flag && *all->abort_flag;
}

static struct trial *next_of(struct pool *p)
{
    struct trial *t = NULL;

    pthread_mutex_lock(&p->lock);
    while (p->next < p->count && !t) {
        t = is_due(p->list[p->next]) ? p->list[p->next] : NULL;
        p->next++;
    }
    if (t && (p->stop |= aborted(p->all))) {
        t->error.code = GCNSIM_ERROR_INTERRUPTED;
        snprintf(t->error.text, sizeof t->error.text, "interrupted");
    }
    pthread_mutex_unlock(&p->lock);
    return t;
}

static void *work(void *ctx)
{
    struct pool *p = ctx;
    struct trial *t;

    while ((t = next_of(p))) {
        double start = host_seconds();

        if (t->error.code != GCNSIM_OK)
            continue;
        p->all->run(p->all->ctx, t);
        t->seconds = host_seconds() - start;
        pthread_mutex_lock(&p->lock);
        p->all->done++;
        if (p->all->progress && p->all->progress(p->all->progress_ctx, p->all->done, p->all->total))
            p->stop = true;
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

void trials_run(struct trials *all, struct trial **list, size_t count)
{
    struct pool p = {.all = all, .list = list, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[64];
    size_t due = 0, started = 0;

    for (size_t k = 0; k < count; k++)
        due += is_due(list[k]);
    all->total += due;
    for (; started + 1 < due && started + 1 < all->jobs && started < sizeof thread / sizeof thread[0]; started++)
        if (pthread_create(&thread[started], NULL, work, &p)) /* fewer will do */
            break;
    work(&p);
    for (size_t k = 0; k < started; k++)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&p.lock);
}

/* ---- what is kept ---- */

static void no_memory(struct trial *t)
{
    t->error.code = GCNSIM_ERROR_NOMEM;
    snprintf(t->error.text, sizeof t->error.text, "out of host memory for a result");
}

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static size_t columns_of(struct trial_instruction *i, const uint64_t *values, uint32_t columns)
{
    size_t count = 0;

    for (uint32_t k = 0; k < columns; k++)
        if (values[k]) {
            i->has[k / 64] |= UINT64_C(1) << k % 64;
            count++;
        }
    return count;
}

static void take_instructions(struct trial *t, const struct gcnsim_result *r)
{
    struct gcnsim_stat column;
    uint32_t columns = 0;
    size_t values = 0;

    while (gcnsim_instruction_column(columns, &column) == GCNSIM_OK)
        columns++;
    assert(columns <= STAT_INST_ALL);
    t->instruction = calloc(r->instruction_count + 1, sizeof *t->instruction);
    if (!t->instruction) {
        no_memory(t);
        return;
    }
    for (size_t k = 0; k < r->instruction_count; k++) {
        struct trial_instruction *i = &t->instruction[k];

        i->pc = r->instructions[k].pc;
        i->pc_offset = r->instructions[k].pc_offset;
        i->first = values;
        i->facts = api_report(r)->inst[k].facts;
        copy(i->text, sizeof i->text, r->instructions[k].instruction);
        values += columns_of(i, r->instructions[k].values, columns);
    }
    t->values = calloc(values + 1, sizeof *t->values);
    if (!t->values) {
        no_memory(t);
        return;
    }
    for (size_t k = 0; k < r->instruction_count; k++)
        for (uint32_t c = 0; c < columns; c++)
            if (r->instructions[k].values[c])
                t->values[t->value_count++] = r->instructions[k].values[c];
    t->instructions = r->instruction_count;
}

void trial_take(struct trial *t, const struct gcnsim_result *r)
{
    t->outcome = r->outcome;
    copy(t->message, sizeof t->message, r->message);
    copy(t->kernel, sizeof t->kernel, r->kernel);
    copy(t->target, sizeof t->target, r->target);
    copy(t->profile, sizeof t->profile, r->profile);
    memcpy(t->workgroup, r->workgroup, sizeof t->workgroup);
    memcpy(t->grid, r->grid, sizeof t->grid);
    t->workgroups = r->workgroups;
    t->waves = r->waves;
    t->has_occupancy = r->occupancy != NULL;
    if (r->occupancy) {
        t->occupancy = *r->occupancy;
        t->occupancy.limiter = NULL; /* the result's */
        copy(t->limiter, sizeof t->limiter, r->occupancy->limiter);
    }
    t->stats = r->stat_count;
    t->stat = calloc(t->stats + 1, sizeof *t->stat);
    if (!t->stat) {
        no_memory(t);
        return;
    }
    for (size_t k = 0; k < t->stats; k++)
        t->stat[k] = r->stats[k].present ? r->stats[k].value : NAN;
    if (r->has_instructions)
        take_instructions(t, r);
}

void trial_free(struct trial *t)
{
    free(t->stat);
    free(t->instruction);
    free(t->values);
    t->stat = NULL;
    t->instruction = NULL;
    t->values = NULL;
    t->instructions = t->value_count = 0;
}

double trial_stat(const struct trial *t, const char *name)
{
    enum stat row = stat_find(name);

    return row < t->stats && !isnan(t->stat[row]) ? t->stat[row] : 0;
}

double trial_cycles(const struct trial *t)
{
    return trial_stat(t, "cycles");
}

uint32_t trial_column(const char *name)
{
    uint32_t column = 0;
    int known = gcnsim_instruction_find_column(name, &column);

    assert(known == GCNSIM_OK);
    (void)known;
    return column;
}

uint64_t trial_value(const struct trial *t, size_t instruction, uint32_t column)
{
    const struct trial_instruction *i = &t->instruction[instruction];
    uint64_t bit = UINT64_C(1) << column % 64, at = i->first;

    if (!(i->has[column / 64] & bit))
        return 0;
    for (uint32_t k = 0; k < column / 64; k++)
        at += (uint64_t)__builtin_popcountll(i->has[k]);
    return t->values[at + (uint64_t)__builtin_popcountll(i->has[column / 64] & (bit - 1))];
}

void trial_by_callback(void *ctx, struct trial *t)
{
    const struct trial_callback *c = ctx;
    struct gcnsim_trial trial = {sizeof trial, t->sets, t->set_count, t->per_instruction, c->warmup};
    struct gcnsim_result *r = NULL;
    int rc = c->run(c->ctx, &trial, &r, &t->digest, &t->error);

    if (rc != GCNSIM_OK && t->error.code == GCNSIM_OK)
        t->error.code = rc;
    if (rc == GCNSIM_OK && r)
        trial_take(t, r);
    gcnsim_result_free(r);
}

/* ---- through a pipe ---- */

/* All of the bytes, to the pipe or from it; false: an error, or its end. */
static bool transfer(int fd, void *bytes, size_t size, bool sends)
{
    char *at = bytes;

    while (size) {
        ssize_t n = sends ? write(fd, at, size) : read(fd, at, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool transfer_lists(int fd, const struct trial *t, bool sends)
{
    return transfer(fd, t->stat, t->stats * sizeof *t->stat, sends) &&
           transfer(fd, t->instruction, t->instructions * sizeof *t->instruction, sends) &&
           transfer(fd, t->values, t->value_count * sizeof *t->values, sends);
}

bool trial_send(const struct trial *t, int fd)
{
    struct trial copy = *t;

    return transfer(fd, &copy, sizeof copy, true) && transfer_lists(fd, t, true);
}

bool trial_receive(struct trial *t, int fd)
{
    struct trial from;

    if (!transfer(fd, &from, sizeof from, false))
        return false;
    /* what is the parent's stays as it is */
    from.key = t->key;
    from.sets = t->sets;
    from.set_count = t->set_count;
    from.like = t->like;
    from.occupancy.limiter = NULL;
    from.stat = calloc(from.stats + 1, sizeof *from.stat);
    from.instruction = calloc(from.instructions + 1, sizeof *from.instruction);
    from.values = calloc(from.value_count + 1, sizeof *from.values);
    *t = from;
    if (!t->stat || !t->instruction || !t->values) {
        no_memory(t);
        return false;
    }
    return transfer_lists(fd, t, false);
}

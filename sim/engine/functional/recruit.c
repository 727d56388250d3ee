/* When host threads join the caller's.
 *
 * To wake a thread and to wait for it at the end takes as long as dozens of small workgroups. So the first worker
 * begins alone, and the others are asked for when the launch has turned out long enough to pay, by what it has taken
 * and by the workgroups that are left; or at once when nothing that runs gets on, since it may wait for workgroups that
 * have not started. There are never more workers than workgroups that are left, nor than processors that the process
 * may use.
 *
 * Whether it has begun to pay is up to the host's clock, which is looked at after LOOK_WORK at the earliest: a launch
 * with less work than that never has more than one worker. */
#include "sim/engine/functional/functional.h"
#include "sim/util/host_time.h"
#include "sim/util/processors.h"

#define LOOK_WORK   2048       /* worker.work before the first look */
#define WAKE        25e-6      /* seconds that a thread takes to come and to be waited for, more or less */
#define PAYS_BEHIND WAKE       /* seconds that a run has taken before threads are woken, */
#define PAYS_AHEAD  (4 * WAKE) /* and that one thread would go on taking */
#define PATIENCE    16         /* sweeps of the first worker in which threads that have been asked for may come */

/* Sets memory aside for workers up to `most`, of which there are fewer when the memory limit has no room for them: no
 * run ends for want of memory that succeeds with one thread. So what the first may come to need is held first. */
static unsigned set_memory_aside(struct run *r, unsigned most)
{
    struct budget *budget = r->l->space->budget;
    unsigned workers = 1;

    if (most > 1 && budget_take(budget, r->growth_bytes)) {
        r->recruits.code_reserved = isa_program_reserve(r->l->program);
        while (r->recruits.code_reserved && workers < most && budget_take(budget, r->worker_bytes + r->growth_bytes))
            workers++;
        budget_give(budget, r->growth_bytes);
    }
    budget_forget(budget); /* of what more workers would have taken */
    return workers;
}

/* Makes what a worker runs with on its own host thread, which takes as long as a small launch, and runs it. One that
 * cannot be allocated after all leaves the work to the others. */
static void run_worker(void *run, unsigned index)
{
    struct run *r = run;
    struct worker *k = r->worker[index];
    struct budget *budget = r->l->space->budget;
    bool wanted = batches_left(r);

    k->begun = true;
    atomic_fetch_add(&r->recruits.come, 1);
    budget_give(budget, r->worker_bytes);
    bool made = wanted && run_init_worker(r, k);
    budget_give(budget, r->growth_bytes);
    if (made) {
        workers_run(k);
        return;
    }
    if (wanted)
        atomic_store(&r->lacks_memory, true);
    workers_leave(k);
}

/* Memory for workers up to `most`; returns how many there may be now. */
static unsigned make_workers(struct run *r, unsigned most)
{
    struct worker **all = ARENA_NEW(&r->arena, most, struct worker *);
    unsigned made = 1;

    if (!all)
        return 1;
    all[0] = r->worker[0];
    while (made < most && (all[made] = run_new_worker(r)))
        made++;
    made = set_memory_aside(r, made);
    r->worker = all;
    return made;
}

static void recruit(struct run *r)
{
    struct recruits *c = &r->recruits;
    uint64_t left = batches_left(r);
    unsigned most = left < r->planned - 1 ? (unsigned)left + 1 : r->planned, begun;

    r->worker[0]->look_at = UINT64_MAX;
    if (!r->options->threads_at_once && most > host_processors())
        most = host_processors();
    if (most == 1 || !(c->pool = r->options->pool ? r->options->pool : (c->own = thread_pool_new())))
        return;
    most = make_workers(r, most);
    if (most == 1)
        return;
    r->worker[0]->env.alone = false;
    r->workers = most;
    c->promised = begun = thread_pool_begin(c->pool, &c->job, most, run_worker, r);
    for (unsigned i = begun; i < most; i++)
        workers_leave(r->worker[i]); /* fewer threads do the same work */
}

void recruit_init(struct run *r)
{
    r->worker[0]->look_at = r->planned > 1 ? LOOK_WORK : UINT64_MAX;
    if (r->options->threads_at_once)
        recruit(r);
}

void recruit_look(struct worker *k)
{
    struct run *r = k->run;
    uint64_t left = batches_left(r), started = r->behind - r->first_group - left;
    double taken = host_seconds() - r->began;

    k->look_at = k->work + k->work / 4;
    if (taken >= PAYS_BEHIND && taken * (double)left >= PAYS_AHEAD * (double)started && !run_has_event(r))
        recruit(r);
}

bool recruit_waiting(struct worker *k)
{
    struct recruits *c = &k->run->recruits;

    if (k->look_at != UINT64_MAX)
        recruit(k->run);
    return k == k->run->worker[0] && k->idle_sweeps < PATIENCE && atomic_load(&c->come) + 1 < c->promised;
}

void recruit_end(struct run *r)
{
    struct recruits *c = &r->recruits;

    if (c->promised) {
        /* those that run would wait for them to get on, and never find that all wait for one another */
        for (unsigned i = thread_pool_close(c->pool, &c->job); i < c->promised; i++)
            workers_leave(r->worker[i]);
        thread_pool_end(c->pool, &c->job);
    }
    thread_pool_free(c->own);
    for (unsigned i = 1; i < r->workers; i++)
        if (!r->worker[i]->begun)
            budget_give(r->l->space->budget, r->worker_bytes + r->growth_bytes);
    if (c->code_reserved)
        isa_program_release(r->l->program);
}

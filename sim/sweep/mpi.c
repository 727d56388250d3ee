/* A sweep on the ranks of an MPI job (make MPI=1). Rank 0 writes the results and deals out points one by one, to
 * itself, too; the others ask for them, run them and send back what the runs have left.
 *
 * A rank may die at any time. Under `mpirun --enable-recovery` the others live on; MPI itself informs nobody. So each
 * rank sends a beat every second, and one that has been silent for long is lost: its points go to others. One that was
 * only stopped takes part again when it is heard. Messages are short enough to be sent eagerly, so that no receive
 * waits for a rank that is no more, and results come in pieces. When a rank was lost nobody calls MPI_Finalize(), which
 * would wait for it.
 *
 * Each rank reads the spec, and finds points and commands, by itself. With a point comes the key of its command
 * (command.h), so that a rank whose spec, files or gcnsim are not those of rank 0 leaves: it runs nothing, says why,
 * and waits for the end.
 */
#include "sim/sweep/mpi_messages.h"
#include "sim/sweep/work.h"

#ifdef GCNSIM_MPI
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/util/host_time.h"

#define BEAT_SECONDS 1.0

/* ---- messages ---- */

struct message {
    MPI_Request request;
    struct message *next;
    char bytes[];
};

struct mail {
    struct message *sent; /* and not known to be gone */
};

static int post(struct mail *m, int to, int tag, const void *bytes, size_t n, struct err *e)
{
    struct message *s = malloc(sizeof *s + n);

    if (!s)
        return err_set(e, ERR_NOMEM, "out of host memory for messages");
    memcpy(s->bytes, bytes, n);
    /* a rank that is lost takes none, which is found otherwise */
    if (MPI_Isend(s->bytes, (int)n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &s->request) != MPI_SUCCESS) {
        free(s);
        return 0;
    }
    s->next = m->sent;
    m->sent = s;
    return 0;
}

static void forget_sent(struct mail *m)
{
    for (struct message **at = &m->sent; *at;) {
        struct message *s = *at;
        int done = 0;

        if (MPI_Test(&s->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        free(s);
    }
}

/* Takes a message, of at most `size` bytes, where one is there. */
static bool receive_message(void *bytes, size_t size, int *from, int *tag, int *n)
{
    MPI_Status s;
    int there = 0;

    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &s) != MPI_SUCCESS || !there)
        return false;
    if (MPI_Recv(bytes, (int)size, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, &s) != MPI_SUCCESS)
        return false;
    *from = s.MPI_SOURCE;
    *tag = s.MPI_TAG;
    MPI_Get_count(&s, MPI_BYTE, n);
    return true;
}

/* ---- ranks that run points ---- */

static int send_result(struct mail *m, uint64_t point, const struct sweep_raw *raw, struct err *e)
{
    struct head head = {.raw = *raw, .out = raw->out.size, .said = raw->said.size};
    size_t total = sizeof head + raw->out.size + raw->said.size;
    char *whole = malloc(total);
    int rc = 0;

    if (!whole)
        return err_set(e, ERR_NOMEM, "out of host memory for a result");
    head.raw.out = head.raw.said = (struct sweep_bytes){0};
    memcpy(whole, &head, sizeof head);
    if (raw->out.size)
        memcpy(whole + sizeof head, raw->out.data, raw->out.size);
    if (raw->said.size)
        memcpy(whole + sizeof head + raw->out.size, raw->said.data, raw->said.size);
    for (size_t at = 0; at < total && !rc; at += PIECE_BYTES) {
        struct piece p = {.point = point, .total = total, .offset = at};
        size_t n = total - at < PIECE_BYTES ? total - at : PIECE_BYTES;

        memcpy(p.bytes, whole + at, n);
        rc = post(m, 0, TAG_PIECE, &p, sizeof p - PIECE_BYTES + n, e);
    }
    free(whole);
    return rc;
}

struct follower {
    struct sweep_work *w; /* null: it has left from the beginning */
    double lost_seconds;
    struct sweep_crew crew;
    struct mail mail;
    double last_beat, last_turn, heard;
    uint32_t asked; /* points, and not yet got */
    bool met;       /* rank 0 has said something */
    bool stop, lost, left;
};

/* Runs nothing more, and says why. */
static int leave(struct follower *f, const char *why, struct err *e)
{
    struct leave l = {0};

    gethostname(l.host, sizeof l.host - 1);
    snprintf(l.why, sizeof l.why, "%s", why);
    for (uint32_t k = 0; k < f->crew.slots; k++)
        sweep_child_kill(&f->crew.slot[k].child);
    f->crew.busy = 0;
    f->left = true;
    return post(&f->mail, 0, TAG_LEAVE, &l, sizeof l, e);
}

/* Starts a point; where that fails, or the command is not the one of rank 0, this rank is of no use. */
static int follow_order(struct follower *f, const struct order *o, struct err *e)
{
    struct sweep_job job;
    struct err why = {0};

    f->asked -= f->asked > 0;
    if (f->left)
        return 0;
    if (o->point >= sweep_points_count(f->w->points))
        return leave(f, "its spec is another one than that of rank 0", e);
    if (sweep_job_make(f->w, o->point, &job, &why))
        return leave(f, why.text, e);
    if (strcmp(job.command.key, o->key) != 0) {
        sweep_job_free(&job);
        return leave(f, "its spec, a file that it names, or its gcnsim is another one than that of rank 0", e);
    }
    return sweep_crew_start(&f->crew, f->w, &job, &why) ? leave(f, why.text, e) : 0;
}

static int follow_messages(struct follower *f, struct err *e)
{
    char bytes[sizeof(struct piece)];
    int from, tag, n, rc = 0;

    while (!rc && receive_message(bytes, sizeof bytes, &from, &tag, &n)) {
        struct order o;

        f->heard = host_seconds();
        f->met = true;
        if (tag == TAG_POINT) {
            memcpy(&o, bytes, sizeof o);
            rc = follow_order(f, &o, e);
        } else if (tag == TAG_STOP) {
            f->stop = true;
            f->lost = bytes[0];
        }
    }
    return rc;
}

/* Says that it lives, and asks for as many points as it can run more. */
static int say_beat(struct follower *f, struct err *e)
{
    uint32_t idle = f->left ? 0 : f->crew.slots - f->crew.busy - f->asked;
    struct beat b = {.free = idle};

    if (!idle && host_seconds() - f->last_beat < BEAT_SECONDS)
        return 0;
    gethostname(b.host, sizeof b.host - 1);
    f->asked += idle;
    f->last_beat = host_seconds();
    return post(&f->mail, 0, TAG_BEAT, &b, sizeof b, e);
}

/* Whether rank 0 is there. It may take its time at first, when it plans; what this rank was stopped for does not count.
 */
static int check_leader(struct follower *f, struct err *e)
{
    double now = host_seconds(), patience = (f->met ? 2 : 20) * f->lost_seconds;

    if (now - f->last_turn > BEAT_SECONDS)
        f->heard += now - f->last_turn;
    f->last_turn = now;
    return now - f->heard > patience ? err_set(e, ERR_IO, "rank 0 has said nothing for %.0f s", patience) : 0;
}

static int follow_once(struct follower *f, struct err *e)
{
    struct sweep_slot *s;
    int rc = follow_messages(f, e);

    if (!rc && !f->left && f->w->o->stop && *f->w->o->stop)
        rc = leave(f, "it was asked to end", e);
    while (!rc && !f->left && (s = sweep_crew_ended(&f->crew))) {
        rc = send_result(&f->mail, s->job.point, &s->child.raw, e);
        sweep_raw_free(&s->child.raw);
    }
    if (!rc && !f->stop)
        rc = say_beat(f, e);
    forget_sent(&f->mail);
    return rc ? rc : check_leader(f, e);
}

/* why: what it leaves for at once; null: it runs points. */
static int follow(struct sweep_work *w, const char *why, double lost_seconds, struct err *e)
{
    struct follower f = {.w = w, .lost_seconds = lost_seconds, .heard = host_seconds(), .last_turn = host_seconds()};
    int rc = sweep_crew_new(&f.crew, w && w->o->jobs ? w->o->jobs : 1, e);

    if (!rc && why)
        rc = leave(&f, why, e);
    while (!rc && !f.stop) {
        rc = follow_once(&f, e);
        if (!rc && !f.stop)
            sweep_crew_wait(&f.crew, f.left ? 50 : f.crew.busy ? 5 : 1);
    }
    sweep_crew_free(&f.crew);
    if (!rc && !f.lost)
        MPI_Finalize();
    return rc;
}

/* ---- rank 0 ---- */

struct rank {
    double heard;
    bool lost; /* silent for too long */
    bool left; /* of no use */
    uint32_t wants;
    struct sweep_job *job; /* that it has */
    uint32_t jobs, room;
    uint64_t whole_point, whole_size, whole_at; /* a result whose pieces come */
    char *whole;
    char host[64];
};

struct leader {
    struct sweep_work *w;
    struct sweep_crew crew;
    struct mail mail;
    struct rank *rank;
    int ranks;
};

/* The job is the rank's from here on. */
static int give(struct leader *l, int to, struct sweep_job *job, struct err *e)
{
    struct rank *r = &l->rank[to];
    struct order o = {.point = job->point};

    if (r->jobs == r->room) {
        uint32_t room = r->room ? 2 * r->room : 4;
        struct sweep_job *more = realloc(r->job, room * sizeof *more);

        if (!more) {
            sweep_job_free(job);
            return err_set(e, ERR_NOMEM, "out of host memory for the jobs of ranks");
        }
        r->job = more;
        r->room = room;
    }
    memcpy(o.key, job->command.key, sizeof o.key);
    r->job[r->jobs++] = *job;
    r->wants--;
    return post(&l->mail, to, TAG_POINT, &o, sizeof o, e);
}

/* Deals points to those who want some, in turns. */
static int deal(struct leader *l, struct err *e)
{
    struct sweep_job job;
    int rc = 0;

    for (bool any = true; any && !rc;) {
        any = false;
        if (l->crew.busy < l->crew.slots && (rc = sweep_work_next(l->w, &job, e)) > 0) {
            rc = sweep_crew_start(&l->crew, l->w, &job, e);
            any = true;
        }
        for (int k = 1; k < l->ranks && !rc; k++)
            if (l->rank[k].wants && !l->rank[k].lost && !l->rank[k].left && (rc = sweep_work_next(l->w, &job, e)) > 0) {
                rc = give(l, k, &job, e);
                any = true;
            }
    }
    return rc;
}

/* Takes the job of a point from a rank; one whose points went to others, since it was silent, has it no more. */
static int take_job(struct leader *l, struct rank *r, uint64_t point, struct sweep_job *job, struct err *e)
{
    for (uint32_t k = 0; k < r->jobs; k++)
        if (r->job[k].point == point) {
            *job = r->job[k];
            r->job[k] = r->job[--r->jobs];
            return 0;
        }
    return sweep_job_make(l->w, point, job, e);
}

/* A result that is whole. */
static int keep_whole(struct leader *l, int from, struct err *e)
{
    struct rank *r = &l->rank[from];
    struct sweep_job job;
    struct head head;
    char worker[32];
    int rc;

    memcpy(&head, r->whole, sizeof head);
    head.raw.out.data = r->whole + sizeof head;
    head.raw.out.size = head.out;
    /* texts end with a zero: the second one is copied after it */
    head.raw.said.size = head.said;
    head.raw.said.data = calloc(1, head.said + 1);
    if (!head.raw.said.data)
        return err_set(e, ERR_NOMEM, "out of host memory for a result");
    memcpy(head.raw.said.data, r->whole + sizeof head + head.out, head.said);
    r->whole[sizeof head + head.out] = 0;
    snprintf(worker, sizeof worker, "rank %d", from);
    rc = take_job(l, r, r->whole_point, &job, e);
    if (!rc) {
        rc = sweep_work_keep(l->w, &job, &head.raw, r->host, worker, e);
        sweep_job_free(&job);
    }
    free(head.raw.said.data);
    return rc;
}

static int take_piece(struct leader *l, int from, const struct piece *p, size_t n, struct err *e)
{
    struct rank *r = &l->rank[from];

    if (p->offset == 0) {
        free(r->whole);
        r->whole = malloc(p->total + 1);
        r->whole_size = p->total;
        r->whole_point = p->point;
        r->whole_at = 0;
        if (!r->whole)
            return err_set(e, ERR_NOMEM, "out of host memory for a result");
    }
    if (!r->whole || p->offset != r->whole_at || p->offset + n > r->whole_size || p->point != r->whole_point)
        return err_set(e, ERR_IO, "rank %d: a piece of a result that does not fit", from);
    memcpy(r->whole + p->offset, p->bytes, n);
    r->whole_at += n;
    return r->whole_at == r->whole_size ? keep_whole(l, from, e) : 0;
}

/* Gives the points of a rank back. */
static void take_back(struct leader *l, struct rank *r)
{
    while (r->jobs) {
        struct sweep_job *job = &r->job[--r->jobs];

        if (!l->w->kept[job->point]) {
            sweep_work_return(l->w, job->point);
            l->w->state->again++;
        }
        sweep_job_free(job);
    }
}

static void take_leave(struct leader *l, int from, const struct leave *leave)
{
    struct sweep_state *state = l->w->state;
    struct rank *r = &l->rank[from];

    if (r->left)
        return;
    r->left = true;
    take_back(l, r);
    if (!state->left++)
        snprintf(state->why, sizeof state->why, "rank %d on %s: %s", from, leave->host, leave->why);
}

static int lead_message(struct leader *l, int from, int tag, const struct piece *p, int n, struct err *e)
{
    struct rank *r = &l->rank[from];
    struct beat b;
    struct leave leave;

    r->heard = host_seconds();
    l->w->state->lost -= r->lost;
    r->lost = false;
    if (tag == TAG_BEAT) {
        memcpy(&b, p, sizeof b);
        r->wants += b.free < MAX_FREE ? b.free : MAX_FREE;
        memcpy(r->host, b.host, sizeof r->host);
        return post(&l->mail, from, TAG_PONG, &b, 1, e);
    }
    if (tag == TAG_LEAVE) {
        memcpy(&leave, p, sizeof leave);
        take_leave(l, from, &leave);
    }
    return tag == TAG_PIECE ? take_piece(l, from, p, (size_t)n - (sizeof *p - PIECE_BYTES), e) : 0;
}

/* Gives the points of ranks that are silent back. */
static void look_for_lost(struct leader *l)
{
    for (int k = 1; k < l->ranks; k++) {
        struct rank *r = &l->rank[k];

        if (r->lost || host_seconds() - r->heard < l->w->o->lost_seconds)
            continue;
        r->lost = true;
        l->w->state->lost++;
        take_back(l, r);
    }
}

static bool all_done(struct leader *l)
{
    if (l->crew.busy)
        return false;
    for (int k = 1; k < l->ranks; k++)
        if (l->rank[k].jobs && !l->rank[k].lost)
            return false;
    while (l->w->next < l->w->todos && l->w->kept[l->w->todo[l->w->next]])
        l->w->next++;
    return l->w->next == l->w->todos;
}

static int lead_once(struct leader *l, struct err *e)
{
    struct piece p;
    int from, tag, n, rc = 0;

    while (!rc && receive_message(&p, sizeof p, &from, &tag, &n))
        rc = lead_message(l, from, tag, &p, n, e);
    look_for_lost(l);
    if (!rc)
        rc = sweep_crew_turn(&l->crew, l->w, "rank 0", e);
    if (!rc)
        rc = deal(l, e);
    if (!rc)
        rc = sweep_store_commit_due(l->w->store, host_seconds(), e);
    forget_sent(&l->mail);
    if (l->w->o->progress)
        l->w->o->progress(l->w->o->ctx, l->w->state);
    return rc;
}

static int lead(struct sweep_work *w, int ranks, struct err *e)
{
    struct leader l = {.w = w, .ranks = ranks};
    int rc = sweep_crew_new(&l.crew, w->o->jobs ? w->o->jobs : 1, e);

    l.rank = calloc((size_t)ranks, sizeof *l.rank);
    if (!rc && !l.rank)
        rc = err_set(e, ERR_NOMEM, "out of host memory for ranks");
    for (int k = 0; k < ranks && !rc; k++)
        l.rank[k].heard = host_seconds();
    while (!rc && !all_done(&l) && !(w->o->stop && *w->o->stop)) {
        rc = lead_once(&l, e);
        if (!rc)
            sweep_crew_wait(&l.crew, 2);
    }
    sweep_crew_free(&l.crew);
    for (int k = 0; k < ranks && l.rank; k++) {
        while (l.rank[k].jobs)
            sweep_job_free(&l.rank[k].job[--l.rank[k].jobs]);
        free(l.rank[k].job);
        free(l.rank[k].whole);
    }
    free(l.rank);
    return rc;
}

/* ---- all ranks ---- */

static bool is_ranked(int *rank, int *ranks)
{
    int started = 0, ended = 0;

    *rank = 0;
    *ranks = 1;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (!started || ended)
        return false;
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return true;
}

int sweep_rank_begin(struct err *e)
{
    int rank, ranks;

    if (sweep_ranks() < 2)
        return 0;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return err_set(e, ERR_IO, "MPI_Init failed");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    is_ranked(&rank, &ranks);
    if (ranks > 1)
        return rank;
    MPI_Finalize();
    return err_set(e, ERR_USAGE,
                   "this process is one of %u, and MPI takes it for one that is alone; expected a launcher "
                   "that speaks PMIx with it (srun --mpi=pmix, mpirun)",
                   sweep_ranks());
}

int sweep_rank_idle(const struct err *why, double lost_seconds, struct err *e)
{
    return follow(NULL, why->text, lost_seconds, e);
}

int sweep_rank_run(struct sweep_work *w, bool ready, bool *done, struct err *e)
{
    struct err why = *e;
    int rank, ranks;

    *done = is_ranked(&rank, &ranks);
    if (!*done || (!rank && !ready))
        return ready ? 0 : -1;
    if (rank && ready)
        return follow(w, NULL, w->o->lost_seconds, e);
    if (rank) {
        err_clear(e);
        return sweep_rank_idle(&why, w->o->lost_seconds, e);
    }
    return sweep_work_plan(w, e) ? -1 : lead(w, ranks, e);
}

void sweep_rank_end(const struct sweep_state *state)
{
    struct mail mail = {0};
    char lost = state->lost != 0;
    int rank, ranks;

    if (!is_ranked(&rank, &ranks) || rank)
        return;
    for (int k = 1; k < ranks; k++)
        post(&mail, k, TAG_STOP, &lost, 1, NULL);
    for (int tries = 0; mail.sent && tries < 100; tries++) {
        forget_sent(&mail);
        usleep(1000);
    }
    if (!lost)
        MPI_Finalize();
}

#else

int sweep_rank_begin(struct err *e)
{
    return sweep_ranks() < 2 ? 0
                             : err_set(e, ERR_UNSUPPORTED,
                                       "this process is one of %u ranks, and this gcnsim has been built without MPI; "
                                       "expected one that 'make MPI=1' has made",
                                       sweep_ranks());
}

int sweep_rank_idle(const struct err *why, double lost_seconds, struct err *e)
{
    (void)lost_seconds;
    return err_set(e, why->code, "%s", why->text);
}

int sweep_rank_run(struct sweep_work *w, bool ready, bool *done, struct err *e)
{
    (void)w, (void)e;
    *done = false;
    return ready ? 0 : -1;
}

void sweep_rank_end(const struct sweep_state *state)
{
    (void)state;
}
#endif

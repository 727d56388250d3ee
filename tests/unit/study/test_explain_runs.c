/* Trials (sim/study/explain_runs.c): which of a list run, on how many threads, what ends them early, and that what is
 * kept of one comes through a pipe whole or not at all. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/study/explain.h"

enum { TRIALS = 6 };

/* ---- which run ---- */

struct bench {
    struct trials all;
    struct trial trial[TRIALS], *list[TRIALS];
    pthread_mutex_t lock;
    pthread_cond_t met;
    unsigned together, here;   /* so many have to run at the same time */
    unsigned runs[TRIALS];     /* of each */
    char order[TRIALS + 1];    /* "012": as they ended */
    uint64_t stop_at, seen[2]; /* by the progress callback, after so many; what it has seen last */
    volatile int abort_flag;   /* is set in the run of trial `aborts` */
    int aborts;
};

static void run(void *ctx, struct trial *t)
{
    struct bench *b = ctx;
    const size_t k = (size_t)(t - b->trial);
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 60; /* a test that fails does not stand still */
    pthread_mutex_lock(&b->lock);
    b->runs[k]++;
    b->here++;
    pthread_cond_broadcast(&b->met);
    while (b->here < b->together && pthread_cond_timedwait(&b->met, &b->lock, &end) == 0)
        ;
    snprintf(b->order + strlen(b->order), 2, "%zu", k);
    if ((int)k == b->aborts)
        b->abort_flag = 1;
    pthread_mutex_unlock(&b->lock);
}

static int progress(void *ctx, uint64_t done, uint64_t total)
{
    struct bench *b = ctx;

    b->seen[0] = done;
    b->seen[1] = total;
    return done == b->stop_at;
}

static void begin(struct bench *b, uint32_t jobs)
{
    *b = (struct bench){.lock = PTHREAD_MUTEX_INITIALIZER, .met = PTHREAD_COND_INITIALIZER, .aborts = -1};
    b->all = (struct trials){
        .run = run, .ctx = b, .jobs = jobs, .progress = progress, .progress_ctx = b, .abort_flag = &b->abort_flag};
    for (size_t k = 0; k < TRIALS; k++)
        b->list[k] = &b->trial[k];
}

/* In their order on one thread; neither what is skipped nor what is like another one. A second list goes on counting.
 */
static void those_that_are_due(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 1);
    b.trial[0].skipped = true;
    b.trial[3].like = &b.trial[1];
    trials_run(&b.all, b.list, TRIALS);
    assert_string_equal(b.order, "1245");
    assert_true(b.all.done == 4 && b.all.total == 4);
    assert_true(b.seen[0] == 4 && b.seen[1] == 4);
    trials_run(&b.all, b.list, 3);
    assert_string_equal(b.order, "124512");
    assert_true(b.seen[0] == 6 && b.seen[1] == 6);
    for (size_t k = 0; k < TRIALS; k++)
        assert_int_equal(b.trial[k].error.code, GCNSIM_OK);
}

/* As many at the same time as there are jobs, when there are trials for them; each of them once. */
static void side_by_side(void **state)
{
    static const unsigned jobs[] = {2, 3, TRIALS, TRIALS + 3};
    struct bench b;

    (void)state;
    for (size_t n = 0; n < sizeof jobs / sizeof *jobs; n++) {
        begin(&b, jobs[n]);
        b.together = jobs[n] < TRIALS ? jobs[n] : TRIALS;
        trials_run(&b.all, b.list, TRIALS);
        for (size_t k = 0; k < TRIALS; k++)
            assert_int_equal(b.runs[k], 1);
        assert_int_equal(strlen(b.order), TRIALS);
        /* with fewer of them the first would have waited for those that came after it had given up */
        assert_true(b.all.done == TRIALS && b.here >= b.together);
    }
}

/* The caller's flag, or the answer of its progress callback: what has not begun says that it was interrupted, and what
 * has is as it is. */
static void an_early_end(void **state)
{
    struct bench b;

    (void)state;
    for (unsigned by_flag = 0; by_flag < 2; by_flag++) {
        begin(&b, 1);
        if (by_flag)
            b.aborts = 2;
        else
            b.stop_at = 3;
        b.trial[4].skipped = true;
        trials_run(&b.all, b.list, TRIALS);
        assert_string_equal(b.order, "012");
        assert_true(b.all.done == 3 && b.all.total == 5);
        for (size_t k = 0; k < TRIALS; k++) {
            const bool left_out = k == 3 || k == 5;

            assert_int_equal(b.trial[k].error.code, left_out ? GCNSIM_ERROR_INTERRUPTED : GCNSIM_OK);
            assert_string_equal(b.trial[k].error.text, left_out ? "interrupted" : "");
        }
    }
}

/* ---- through a pipe ---- */

enum { INSTS = 3 };

/* A trial of three instructions, of which one has no counts. */
static void make(struct trial *t)
{
    static const uint32_t column[INSTS][3] = {{0, 31, STAT_INST_ALL - 1}, {1}, {STAT_INST_ALL - 1}};
    static const unsigned columns[INSTS] = {3, 0, 1};

    *t = (struct trial){.key = "mine", .outcome = GCNSIM_LIMIT, .digest = 77, .waves = 9};
    strcpy(t->message, "a limit of cycles");
    t->stats = STATS;
    t->stat = calloc(STATS, sizeof *t->stat);
    t->instruction = calloc(INSTS, sizeof *t->instruction);
    t->values = calloc(16, sizeof *t->values);
    assert_true(t->stat && t->instruction && t->values);
    for (unsigned k = 0; k < STATS; k++)
        t->stat[k] = 1000 + k;
    for (size_t k = 0; k < INSTS; k++) {
        struct trial_instruction *i = &t->instruction[t->instructions++];

        i->pc = 0x1000 + 4 * k;
        i->first = t->value_count;
        for (unsigned n = 0; n < columns[k]; n++) {
            i->has[column[k][n] / 64] |= UINT64_C(1) << column[k][n] % 64;
            t->values[t->value_count++] = 100 * k + n + 1;
        }
    }
}

/* The first `most` bytes of what is sent of t. */
static bool through_pipe(const struct trial *t, struct trial *to, size_t most)
{
    int first[2], second[2];
    pid_t sends, cuts;

    assert_int_equal(pipe(first), 0);
    if (!(sends = fork())) {
        close(first[0]);
        _exit(!trial_send(t, first[1]));
    }
    close(first[1]);
    assert_int_equal(pipe(second), 0);
    if (!(cuts = fork())) {
        char c;

        for (size_t n = 0; n < most && read(first[0], &c, 1) == 1; n++)
            if (write(second[1], &c, 1) != 1)
                break;
        _exit(0);
    }
    close(first[0]);
    close(second[1]);
    bool whole = trial_receive(to, second[0]);
    close(second[0]);
    waitpid(sends, NULL, 0);
    waitpid(cuts, NULL, 0);
    return whole;
}

static void whole_or_not_at_all(void **state)
{
    static const char *sets[] = {"cu.simds=1"};
    struct trial t;

    (void)state;
    make(&t);
    const size_t head = sizeof t, stats = head + STATS * sizeof *t.stat, insts = stats + INSTS * sizeof *t.instruction,
                 all = insts + t.value_count * sizeof *t.values;
    const size_t cuts[] = {0, 1, head - 1, head, stats, insts - 1, insts, all - 1};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        struct trial to = {.key = "its own"};

        assert_false(through_pipe(&t, &to, cuts[k]));
        trial_free(&to);
    }
    struct trial to = {.key = "its own", .sets = sets, .set_count = 1};
    assert_true(through_pipe(&t, &to, SIZE_MAX));
    assert_string_equal(to.key, "its own");
    assert_true(to.sets == sets && to.set_count == 1);
    assert_string_equal(to.message, "a limit of cycles");
    assert_true(to.outcome == GCNSIM_LIMIT && to.digest == 77 && to.waves == 9 && to.instructions == INSTS);
    assert_true(trial_cycles(&to) == 1000 + STAT_CYCLES);
    for (size_t k = 0; k < INSTS; k++)
        for (uint32_t c = 0; c < STAT_INST_ALL; c++) {
            const bool last = c == STAT_INST_ALL - 1;

            assert_int_equal(trial_value(&to, k, c), k == 0   ? (c == 0) + 2 * (c == 31) + 3 * last
                                                     : k == 1 ? 0
                                                              : 201 * last);
        }
    trial_free(&t);
    trial_free(&to);
}

/* What a launch does not have counts as 0. */
static void statistics_that_are_not_there(void **state)
{
    struct trial t;

    (void)state;
    make(&t);
    assert_true(trial_stat(&t, "cycles") == 1000 + STAT_CYCLES);
    t.stat[STAT_CYCLES] = (double)NAN;
    assert_true(trial_stat(&t, "cycles") == 0);
    t.stat[STAT_CYCLES] = 5;
    t.stats = STAT_CYCLES;
    assert_true(trial_stat(&t, "cycles") == 0);
    assert_true(trial_stat(&t, "no such statistic") == 0);
    trial_free(&t);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_are_due),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(an_early_end),
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(statistics_that_are_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

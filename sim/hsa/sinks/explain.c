/* Explains a dispatch of a program before it runs: simulated in child processes, so that the program's memory stays as
 * it is (gcnsim_explain_raw()). */
#include "sim/hsa/sinks/explain.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/hsa/agents/simulator.h"
#include "sim/hsa/sampling/select.h"

#define MAX_SECONDS 600 /* of one simulation */

static void deliver(const struct gcnsim_explanation *x, uint64_t number)
{
    const char *path = rt_any()->options.explain_json;
    struct gcnsim_error e = {0};
    char *text = NULL, *line, *rest;

    if (gcnsim_explanation_text(x, &text, &e) == GCNSIM_OK) {
        rt_log("dispatch %" PRIu64 ", explained:", number);
        for (rest = text; (line = strsep(&rest, "\n"));)
            rt_log("%s", line);
    }
    gcnsim_free(text);
    text = NULL;
    if (path && (gcnsim_explanation_json(x, &text, &e) != GCNSIM_OK ||
                 gcnsim_write_file(path, text, strlen(text), &e) != GCNSIM_OK))
        rt_log("GCNSIM_EXPLAIN_JSON: %s", e.text);
    gcnsim_free(text);
}

/* A gcnsim_child_fn. */
static int in_a_child(void *ctx, void (*work)(void *of, int fd), void (*answer)(void *of, int fd), void *of)
{
    int fd[2];
    pid_t pid;

    (void)ctx;
    if (pipe(fd))
        return -1;
    pid = fork();
    if (pid == 0) {
        close(fd[0]);
        signal(SIGALRM, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        alarm(MAX_SECONDS);
        work(of, fd[1]);
        _exit(0);
    }
    close(fd[1]);
    if (pid > 0)
        answer(of, fd[0]);
    close(fd[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return pid > 0 ? 0 : -1;
}

void explain_dispatch(const struct dispatch *d)
{
    const struct exec_options *o = &rt_any()->options;
    struct gcnsim_explain_options x;
    struct gcnsim_explanation *out = NULL;
    struct gcnsim_error e = {0};
    struct gcnsim *sim = NULL;

    if (!o->explain || !select_nth(SELECT_EXPLAIN, o->explain, d->kernel->info.name))
        return;
    gcnsim_explain_options_init(&x);
    x.jobs = o->common.threads;
    x.warmup = o->explain_warmup;
    x.kernel = d->kernel->info.name;
    if (simulator_open(&sim, d->queue->device->profile, &o->common.sets, &e) == GCNSIM_OK) {
        x.sim = sim;
        if (gcnsim_explain_raw(&x, &d->raw, in_a_child, NULL, &out, &e) == GCNSIM_OK)
            deliver(out, d->number);
    }
    if (!out)
        rt_log("dispatch %" PRIu64 ", kernel %s: not explained: %s", d->number, d->kernel->info.name, e.text);
    gcnsim_explanation_free(out);
    gcnsim_close(sim);
}

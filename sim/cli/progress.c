/* A bar on stderr: it never mixes with what stdout holds. */
#include "sim/cli/cli.h"

#include <time.h>
#include <unistd.h>

enum { BAR_COLUMNS = 30, HINT_SECONDS = 10 };
static const double redraw_seconds = 0.1;

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void cli_progress_start(struct cli_progress *p, enum cli_progress_when when)
{
    *p = (struct cli_progress){
        .on = when == CLI_PROGRESS_ALWAYS || (when == CLI_PROGRESS_AUTO && isatty(STDERR_FILENO)),
        .started = seconds_now(),
        .first_after = when == CLI_PROGRESS_ALWAYS ? 0 : 1,
        .hint_after = HINT_SECONDS,
        .now = seconds_now,
    };
    p->done_at = p->started;
}

/* A run that gets nowhere looks like one that is slow: from time to time it says how to tell. */
static void hint(struct cli_progress *p, uint64_t done, uint64_t total, double now)
{
    if (done != p->done) {
        p->done = done;
        p->done_at = now;
    }
    if (!p->hints || now - p->done_at < p->hint_after)
        return;
    p->hint_after *= 2;
    cli_progress_end(p);
    cli_error("no workgroup has finished for %.0f s (%llu of %llu done); 'kill -USR1 %ld' shows what the waves wait "
              "for, --max-cycles or --max-instructions ends such a run",
              now - p->done_at, (unsigned long long)done, (unsigned long long)total, (long)getpid());
}

int cli_progress_update(void *ctx, uint64_t done, uint64_t total)
{
    struct cli_progress *p = ctx;
    double now = p->on || p->hints ? p->now() : 0;
    char bar[BAR_COLUMNS + 1];

    hint(p, done, total, now);
    if (!p->on || now - p->started < p->first_after)
        return 0;
    if (p->drawn && done != total && now - p->last_drawn < redraw_seconds)
        return 0;
    double part = total ? (double)done / (double)total : 0;
    for (int i = 0; i < BAR_COLUMNS; i++)
        bar[i] = i < (int)(part * BAR_COLUMNS) ? '#' : '.';
    bar[BAR_COLUMNS] = 0;
    fprintf(stderr, "\r[%s] %3d%%  %llu of %llu workgroups, %.0f s ", bar, (int)(part * 100), (unsigned long long)done,
            (unsigned long long)total, now - p->started);
    fflush(stderr);
    p->drawn = true;
    p->last_drawn = now;
    return 0;
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->drawn)
        fputs(isatty(STDERR_FILENO) ? "\r\033[K" : "\n", stderr);
    p->drawn = false;
}

/* A bar on stderr: it never mixes with what stdout holds. */
#include "sim/cli/cli.h"

#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR_COLUMNS = 16, COLUMNS = 80, MAX_COLUMNS = 200, HINT_SECONDS = 10 };
static const double redraw_seconds = 0.1;
/* A loop says how long it will take when it has been watched for this long, over this many changes. */
static const double watched_seconds = 0.5;
enum { WATCHED_CHANGES = 4 };

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

/* A run that gets nowhere looks like one that is slow: from time to time it says how to find out. */
static void hint(struct cli_progress *p, uint64_t done, uint64_t total, double now)
{
    /* a loop that counts gets on */
    bool counts = p->loop.changes >= WATCHED_CHANGES && now - p->loop.at < HINT_SECONDS;

    if (done != p->done) {
        p->done = done;
        p->done_at = now;
    }
    if (!p->hints || counts || now - p->done_at < p->hint_after)
        return;
    p->hint_after *= 2;
    cli_progress_end(p);
    cli_error("no workgroup has finished for %.0f s (%llu of %llu done); 'kill -USR1 %ld' shows what the waves wait "
              "for, --max-cycles or --max-instructions ends such a run",
              now - p->done_at, (unsigned long long)done, (unsigned long long)total, (long)getpid());
}

/* ---- how long it will take ---- */

/* Follows a loop down; one that begins anew, or another one, is followed from there on. */
static void watch_loop(struct cli_progress *p, const struct gcnsim_progress *f, double now)
{
    struct cli_watch *w = &p->loop;

    if (!f->loop_address || f->loop_address != w->address || f->loop_left > w->left)
        *w = (struct cli_watch){.address = f->loop_address, .first = f->loop_left, .since = now, .left = f->loop_left};
    if (f->loop_left == w->left)
        return;
    w->left = f->loop_left;
    w->at = now;
    w->changes++;
}

/* Seconds to the end of the loop; negative: not known. */
static double loop_seconds(const struct cli_watch *w, double now)
{
    if (w->changes < WATCHED_CHANGES || w->at - w->since < watched_seconds)
        return -1;
    double left = (double)w->left * (w->at - w->since) / (double)(w->first - w->left) - (now - w->at);
    return left > 0 ? left : 0;
}

/* Seconds until a count that grows evenly comes to its limit; negative: there is none. */
static double limit_seconds(uint64_t count, uint64_t limit, double elapsed)
{
    return limit && count && count <= limit ? elapsed * (double)(limit - count) / (double)count : -1;
}

static double sooner(double a, double b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Seconds left as far as can be known; negative: nothing can. Workgroups that run are taken to be half done, unless a
 * loop says more. */
static double seconds_left(const struct cli_progress *p, const struct gcnsim_progress *f, double now)
{
    double elapsed = now - p->started, total = (double)f->workgroups_total, done = (double)f->workgroups_done,
           running = (double)f->workgroups_running, loop = loop_seconds(&p->loop, now), left = -1;

    if (done == total)
        return 0;
    if (loop >= 0 && running > 0 && done + running == total)
        left = loop;
    else if (loop >= 0 && done == 0 && running > 0)
        left = (elapsed + loop) * total / running - elapsed;
    else if (done > 0)
        left = elapsed * (total - done - running / 2) / (done + running / 2);
    left = sooner(left, limit_seconds(f->cycles, p->max_cycles, elapsed));
    return sooner(left, limit_seconds(f->instructions, p->max_instructions, elapsed));
}

/* ---- the line ---- */

/* "12 s", "3 min", "1.5 h" */
static int put_seconds(char *to, size_t size, double s)
{
    return s < 100    ? snprintf(to, size, "%.0f s", s)
           : s < 6000 ? snprintf(to, size, "%.0f min", s / 60)
           : s < 36e4 ? snprintf(to, size, "%.1f h", s / 3600)
                      : snprintf(to, size, "%.0f days", s / 86400);
}

/* "987", "12.3k", "4.56M" */
static void put_count(char *to, size_t size, double n)
{
    static const char units[] = " kMGTPE";
    unsigned k = 0;

    for (; n >= 999.5 && units[k + 1]; k++)
        n /= 1000;
    if (k)
        snprintf(to, size, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, units[k]);
    else
        snprintf(to, size, "%.0f", n);
}

static int terminal_columns(void)
{
    struct winsize w = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || !w.ws_col)
        return COLUMNS;
    return w.ws_col > MAX_COLUMNS ? MAX_COLUMNS : w.ws_col;
}

/* Adds a part to the line when the room is there, with `behind` columns kept for what comes after it. */
static void add(char *line, const char *part, int behind, int columns)
{
    size_t n = strlen(line);

    if ((int)(n + strlen(part)) + behind < columns)
        memcpy(line + n, part, strlen(part) + 1);
}

/* The bar, then what fits beside times. */
static void make_line(const struct cli_progress *p, const struct gcnsim_progress *f, double now, int columns,
                      char line[MAX_COLUMNS + 1])
{
    double elapsed = now - p->started, left = seconds_left(p, f, now);
    double part = f->workgroups_total ? (double)f->workgroups_done / (double)f->workgroups_total : 0;
    char bar[BAR_COLUMNS + 1], piece[80], count[24], times[80];
    int n;

    if (left >= 0 && part < 1 && elapsed + left > 0)
        part = elapsed / (elapsed + left) > 0.99 ? 0.99 : elapsed / (elapsed + left);
    for (int i = 0; i < BAR_COLUMNS; i++)
        bar[i] = i < (int)(part * BAR_COLUMNS) ? '#' : '.';
    bar[BAR_COLUMNS] = 0;
    times[0] = ' ';
    n = 1 + put_seconds(times + 1, sizeof times - 1, elapsed);
    if (left >= 0 && part < 1) {
        n += snprintf(times + n, sizeof times - (size_t)n, ", ");
        n += put_seconds(times + n, sizeof times - (size_t)n, left);
        snprintf(times + n, sizeof times - (size_t)n, " left");
    }
    snprintf(line, MAX_COLUMNS + 1, "[%s] %3d%% ", bar, (int)(part * 100));
    n = (int)strlen(times);
    if (!p->parts) {
        snprintf(piece, sizeof piece, " %llu of %llu workgroups,", (unsigned long long)f->workgroups_done,
                 (unsigned long long)f->workgroups_total);
        add(line, piece, n, columns);
    }
    put_count(count, sizeof count, (double)f->cycles);
    snprintf(piece, sizeof piece, " %s cycles,", count);
    if (f->cycles)
        add(line, piece, n, columns);
    put_count(count, sizeof count, (double)f->instructions);
    snprintf(piece, sizeof piece, " %s inst,", count);
    if (f->instructions)
        add(line, piece, n, columns);
    add(line, times, 0, columns);
}

int cli_progress_facts(void *ctx, const struct gcnsim_progress *f)
{
    struct cli_progress *p = ctx;
    double now = p->on || p->hints ? p->now() : 0;
    char line[MAX_COLUMNS + 1] = "";

    watch_loop(p, f, now);
    hint(p, f->workgroups_done, f->workgroups_total, now);
    if (!p->on || now - p->started < p->first_after)
        return 0;
    if (p->drawn && f->workgroups_done != f->workgroups_total && now - p->last_drawn < redraw_seconds)
        return 0;
    make_line(p, f, now, terminal_columns(), line);
    fprintf(stderr, "\r%s%*s", line, p->columns > (int)strlen(line) ? p->columns - (int)strlen(line) : 0, "");
    fflush(stderr);
    p->columns = (int)strlen(line);
    p->drawn = true;
    p->last_drawn = now;
    return 0;
}

int cli_progress_update(void *ctx, uint64_t done, uint64_t total)
{
    const struct gcnsim_progress f = {.struct_bytes = sizeof f, .workgroups_done = done, .workgroups_total = total};

    return cli_progress_facts(ctx, &f);
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->drawn)
        fputs(isatty(STDERR_FILENO) ? "\r\033[K" : "\n", stderr);
    p->drawn = false;
}

/* Signals of a running command: interruption, and the wish to see what it is doing. */
#define _GNU_SOURCE
#include "sim/cli/cli.h"

#include <signal.h>
#include <sys/time.h>

/* The only things that signal handlers touch. */
volatile int cli_interrupted, cli_snapshot_wanted;

static void on_tick(int number)
{
    (void)number;
}

/* The second one of either signal finds the default action, and so ends the process at once. A call that only waits for
 * somebody else is interrupted from now on, again and again: a pipe that is to be written and that nobody reads. */
static void on_interrupt(int number)
{
    const struct itimerval ticks = {{.tv_usec = 100000}, {.tv_usec = 100000}};

    (void)number;
    cli_interrupted = 1;
    setitimer(ITIMER_REAL, &ticks, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

static void on_wish(int number)
{
    (void)number;
    cli_snapshot_wanted = 1;
}

void cli_catch_interrupts(void)
{
    /* a write to a slow reader goes on after the handler: results are not cut */
    const struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    const struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART};

    sigaction(SIGALRM, &tick, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void cli_catch_snapshot_signal(void)
{
    const struct sigaction action = {.sa_handler = on_wish, .sa_flags = SA_RESTART};

    sigaction(SIGUSR1, &action, NULL);
}

/* A process that simulates a point, and what it has left. */
#ifndef GCNSIM_SWEEP_CHILD_H
#define GCNSIM_SWEEP_CHILD_H

#include <poll.h>
#include <sys/types.h>

#include "sim/sweep/command.h"

/* Bytes that grow. */
struct sweep_bytes {
    char *data;
    size_t size, room;
};

/* Ranks of the job that this process is one of, by what Open MPI and Slurm say to it; 1: none. */
unsigned sweep_ranks(void);

/* What a process has come to, before anybody has read it: it can be sent from host to host. */
struct sweep_raw {
    int exit_status;  /* -N: ended by signal N */
    bool timed_out;   /* by limits.seconds */
    bool too_much;    /* it wrote more than SWEEP_MAX_OUTPUT */
    char started[32]; /* UTC, ISO 8601 */
    double seconds, cpu_seconds;
    uint64_t peak_bytes;
    struct sweep_bytes out;  /* run: the report as JSON; exec: the table of statistics */
    struct sweep_bytes said; /* the end of what it said on stderr */
};
enum { SWEEP_MAX_OUTPUT = 64 << 20, SWEEP_SAID_BYTES = 4096 };
void sweep_raw_free(struct sweep_raw *r);

struct sweep_child {
    pid_t pid;           /* 0: none */
    int process;         /* a descriptor that can be read when it has ended */
    int out, err;        /* -1: closed */
    double began, limit; /* seconds of the monotonic clock; limit 0: none */
    bool asked_to_end;
    int table; /* exec's statistics, in memory that has no name in any folder: nothing is left when this process is
                * killed; -1: none */
    char *table_file; /* where /proc is not mounted, the temporary file that it is in instead; else null */
    struct sweep_raw raw;
};

/* Starts the command in the folder, in a process group of its own that ends with this process. max_seconds 0: no limit.
 * 0, or -1 with *e. */
int sweep_child_start(struct sweep_child *c, const struct sweep_command *command, const char *folder,
                      double max_seconds, struct err *e);
/* Puts what is waited for into fds (3 at most); returns how many. */
int sweep_child_fds(const struct sweep_child *c, struct pollfd *fds);
/* Takes what it has written; ends it when its time is over. Whether it has ended: c->raw is the caller's then. */
bool sweep_child_check(struct sweep_child *c);
/* Ends it at once. */
void sweep_child_kill(struct sweep_child *c);

#endif

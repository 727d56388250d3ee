/* The results of a sweep: one SQLite file, whose tables docs/SWEEP.md describes.
 *
 * One process writes a file at a time, and holds FILE.lock for that; anybody may read beside it. Results are put in
 * transactions of about a second, so that a process that is killed loses at most that, and leaves a file that is whole:
 * the next one that opens it takes back what was half written. SQLite's rollback journal does that, not its write-ahead
 * log, whose shared memory the file systems of clusters do not have. Who reads for long makes a commit wait; it is
 * tried again with the next one.
 *
 * FILE.lock is locked as fcntl() does, across hosts where the file system does so (NFS with its lock daemon). Where it
 * has no locks that is an error, and never a file with two writers.
 */
#ifndef GCNSIM_SWEEP_STORE_H
#define GCNSIM_SWEEP_STORE_H

#include "sim/sweep/points.h"

struct sqlite3;

/* What a run has come to. Texts are the maker's. */
struct sweep_result {
    const char *outcome; /* "completed", "faulted", "limit", "refused" (bad input); those below are no result of the
                          * point: "interrupted", "killed", "timeout", "lost", "failed" (the host's fault) */
    const char *message; /* null: nothing to say */
    int exit_status;     /* -N: ended by signal N */
    const char *command, *key, *host, *worker;
    const char *started; /* UTC, ISO 8601 */
    double seconds, cpu_seconds;
    uint64_t peak_bytes;
    const char *gcnsim, *gcnsim_sha256;
    const char *target, *profile, *code_sha256, *profile_sha256; /* null: not known */
    const double *value;                                         /* by index in gcnsim's table of statistics; */
    const bool *present;
};
/* Whether it is one of the first four, which running the point again would not change. */
bool sweep_outcome_is_final(const char *outcome);
#define SWEEP_FINAL_OUTCOMES "('completed', 'faulted', 'limit', 'refused')" /* the same for SQL's IN */

struct sweep_store;

/* Opens a file to be written. exists: it may be there (to be resumed, to be merged into), else that is an error. 0, or
 * -1 with *e: another process writes it, another version has written it, it is none. */
int sweep_store_open(struct sweep_store **out, const char *path, bool exists, struct err *e);
/* Commits, and closes. 0, or -1 with *e; null is fine. */
int sweep_store_close(struct sweep_store *s, struct err *e);

/* Gives the file the points of the spec: new ones are added, those that are no more in it go. *gone: how many. Ordinals
 * are the numbers of points. */
int sweep_store_plan(struct sweep_store *s, const struct sweep_spec *spec, const struct sweep_points *p, uint64_t *gone,
                     struct err *e);
/* What is there of a point by its key. */
enum sweep_there {
    SWEEP_MISSING,      /* nothing that is a result; with `retry` nothing that completed */
    SWEEP_CHANGED,      /* a result by another key: of other options or files, */
    SWEEP_OTHER_GCNSIM, /* or of another gcnsim */
    SWEEP_THERE,
};
/* gcnsim_sha256: of the code that would simulate it now (command.h). */
enum sweep_there sweep_store_has(struct sweep_store *s, uint64_t point, const char *key, const char *gcnsim_sha256,
                                 bool retry);
int sweep_store_put(struct sweep_store *s, uint64_t point, const struct sweep_result *r, struct err *e);
/* Commits what has been put when at `now`, in host_seconds(), it has waited for a second. A reader makes it wait for
 * longer. */
int sweep_store_commit_due(struct sweep_store *s, double now, struct err *e);
/* Commits it, and waits for readers. */
int sweep_store_commit(struct sweep_store *s, struct err *e);

/* Takes the results of another file into this one, which has its points or none: those that are final here stay.
 * *taken: how many. */
int sweep_store_merge(struct sweep_store *s, const char *path, uint64_t *taken, struct err *e);

struct sqlite3 *sweep_store_db(struct sweep_store *s);
const char *sweep_store_path(const struct sweep_store *s);

#endif

/* What a bench measured, for tests/bench/rows.sh: a line for each figure, appended to the file that the environment's
 * BENCH_ROWS names; nothing without one. Fields are separated by tabs: name, figure, unit, the host's own figure, and
 * how much of a processor each of the row's threads had, 1 being all of it.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <time.h>

/* What a clock of the host says. */
double bench_seconds(clockid_t clock);

/* Other work on the machine makes figures worse, also those of processor time, because it shares caches and cores. What
 * the process has of a processor shows it: from bench_begin() on, for a row that is about to be measured on one thread
 * that never waits. */
void bench_begin(void);
/* The same for a row that has been measured on several threads, or in other programs, which do wait: so many threads
 * (processors at the most) count as fast as they can for some milliseconds. */
void bench_probe(unsigned threads);

/* unit: "M/s" and "1/s" are rates, of which more is better; "ms", of which less is. What a machine's speed does not
 * change is "MiB" and "x slower", of which less is better, and "x faster". host: the rate of a loop of the host's own
 * that does the row's arithmetic, measured in the same run; 0: the yardstick's. The name is made as printf does, and
 * has no tab. */
__attribute__((format(printf, 4, 5))) void bench_row(double figure, const char *unit, double host, const char *name,
                                                     ...);

/* The rate of the host's multiply-adds of HOST_LANES lanes (host_loop.h) in millions per second, measured once. */
double bench_yardstick(void);

#endif

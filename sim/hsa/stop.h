/* The ends of a process that the runtime brings about: GCNSIM_MAX_WALL, and Ctrl-C, SIGTERM and abort() where the
 * program has no handler.
 */
#ifndef GCNSIM_HSA_STOP_H
#define GCNSIM_HSA_STOP_H

#include <stdbool.h>
#include <stddef.h>

#define STOP_EXIT_STATUS 124 /* as of timeout(1) */

/* Starts to wait for the limit (0: none) and for SIGINT, SIGTERM and SIGABRT, each left alone when the program has a
 * handler or ignores it. Running dispatches are stopped; who waits for what (waits.h), but at an abort(), and the
 * report so far are written. */
bool stop_begin(double max_wall_seconds, char *why, size_t why_size);

#endif

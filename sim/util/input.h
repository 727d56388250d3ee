/* Files that gcnsim reads: regular files, and pipes that somebody writes.
 *
 * Opening never blocks, as a FIFO without a writer would. Folders, sockets and devices are refused: /dev/zero has no
 * end, and a terminal is no file. A pipe (standard input as /dev/stdin, a shell's <(command), a FIFO) is read to its
 * end, which may take as long as its writer takes; one that nobody has opened for writing within INPUT_PATIENCE_MS is
 * refused.
 */
#ifndef GCNSIM_UTIL_INPUT_H
#define GCNSIM_UTIL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/util/budget.h"
#include "sim/util/error.h"

enum { INPUT_PATIENCE_MS = 1000 };

/* Opens a file for reading. *size: its length; 0 for a pipe, which does not say it (and for an empty file). Null with
 * *e, whose text does not name the path. */
FILE *input_open(const char *path, size_t *size, struct err *e);
/* All bytes of a file in memory of the caller's, with a zero after them that does not count. More than `most` bytes
 * are an error (ERR_LIMIT). *e does not name the path. */
int input_read(const char *path, size_t most, uint8_t **bytes, size_t *size, struct err *e);
/* The same, counted while it is read. *held: what the bytes have taken of the budget, for the caller to give back when
 * it frees them. A refusal of the budget is ERR_NOMEM (budget.h). */
int input_read_counted(const char *path, size_t most, struct budget *b, uint64_t *held, uint8_t **bytes, size_t *size,
                       struct err *e);

#endif

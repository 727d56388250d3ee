/* Makes the n-th call fail that asks the host for something: memory (malloc, calloc, realloc, aligned_alloc,
 * posix_memalign, mmap), files (open, fopen, fdopen, read, fread, rename, and writes and closes of streams from fopen
 * and fdopen), threads (pthread_create). The definitions stand in the test program itself, so that they hold for the
 * libraries too (cJSON, libelf, zstd, msgpack, and glibc where it calls malloc through its symbol).
 *
 * Nothing is counted and nothing fails while it is not armed. Calls of all threads are counted.
 */
#ifndef FAIL_NTH_H
#define FAIL_NTH_H

#include <stdbool.h>
#include <stdio.h>

/* From now on call number n fails (the first is 0; negative: none), and with it all after it when `onwards`. */
void fail_arm(long n, bool onwards);
/* Ends that. The number of calls since fail_arm(). */
long fail_disarm(void);
/* How many calls failed since fail_arm(). */
long fail_count(void);
/* Pieces of memory that are allocated and not freed, and mappings likewise. */
long fail_live(void);

/* A stream like one from fdopen() whose writes are counted while `counted`; its text goes to `fd`, which it does not
 * close. */
FILE *fail_stream(int fd, bool counted);

#endif

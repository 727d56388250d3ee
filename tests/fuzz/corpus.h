/* Inputs of fuzz targets as text: a file of lines, an input on each, in hexadecimal.
 *
 *   # a remark
 *   7f454c460201(2)40           7f 45 4c 46 02 01 01 40: a byte with a count in parentheses stands that many times
 *
 * One file holds what would be hundreds of tiny binary ones. A line more is an input more, so that diffs, merges and
 * reviews work on inputs, and runs of the same byte, of which code objects are full, take little room.
 */
#ifndef GCNSIM_TESTS_FUZZ_CORPUS_H
#define GCNSIM_TESTS_FUZZ_CORPUS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CORPUS_MAX_INPUT = 1 << 20 };

/* Gives each input of an opened file to `take`, in a block of exactly its size, with the number of its line. Returns 0,
 * or the number of the line that is none. */
unsigned corpus_read(FILE *f, void (*take)(void *ctx, const uint8_t *bytes, size_t size, unsigned line), void *ctx);

/* Writes a line. */
void corpus_write(FILE *f, const uint8_t *bytes, size_t size);

#endif

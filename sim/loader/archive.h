/* Archives of object files (ar, .a): a walk over their members.
 *
 * Names are read as GNU and LLVM write them ("name/", "/offset" into a table of long names) and as BSD does
 * ("#1/length"). Tables of symbols are passed over. Thin archives have names alone: the members are files of their own.
 *
 * Errors: ERR_FORMAT, with the offset of the member.
 */
#ifndef GCNSIM_LOADER_ARCHIVE_H
#define GCNSIM_LOADER_ARCHIVE_H

#include "sim/util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive {
    const uint8_t *bytes;
    size_t size, next;
    size_t names, names_bytes; /* the table of long names */
    bool thin;
};

struct archive_member {
    char name[64]; /* the end of a longer one */
    size_t header, at, size;
};

bool archive_open(struct archive *a, const uint8_t *bytes, size_t size); /* false: it is none */
/* 1 with the next member, 0 after the last, -1. */
int archive_next(struct archive *a, struct archive_member *m, struct err *e);
/* The name of the member whose header is at an offset that archive_next() gave. */
void archive_name(const uint8_t *bytes, size_t size, size_t header, char *name, size_t room);

#endif

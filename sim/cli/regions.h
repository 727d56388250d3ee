/* Regions of an assembly text, as llvm-mca defines them: comments LLVM-MCA-BEGIN [name] and LLVM-MCA-END [name].
 *
 * A comment begins with ; or //, is between slash-star and star-slash, or is a line that begins with #. Regions may
 * overlap when their names differ; an END without a name ends the only open region. A region that is not ended reaches
 * to the end of its section. A lone END, with no BEGIN before it, ends a region that began with the text.
 */
#ifndef GCNSIM_CLI_REGIONS_H
#define GCNSIM_CLI_REGIONS_H

#include <stddef.h>

enum { REGION_SYMBOL = 40 };

struct region {
    char *name; /* "": anonymous */
    unsigned line;
    char begin[REGION_SYMBOL], end[REGION_SYMBOL]; /* symbols around it in the marked text; end "": it has none */
};

struct regions {
    struct region *at;
    size_t count;
    char *text; /* with the symbols; an assembler's messages about it name the lines of `path` */
};

/* path: for messages. CLI_OK, or CLI_BAD_INPUT with messages that name the line. */
int regions_find(struct regions *r, const char *path, const char *text, size_t size);
void regions_free(struct regions *r);

#endif

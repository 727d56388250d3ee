/* What gcnsim compare measures: code objects made of files, of standard input and of the regions in them. */
#ifndef GCNSIM_CLI_COMPARE_PIECES_H
#define GCNSIM_CLI_COMPARE_PIECES_H

#include "sim/cli/cli.h"

struct piece {
    uint8_t *bytes; /* code object */
    size_t size;
    char *label;
};

struct pieces {
    struct piece *at;
    size_t count;
    const char *clang, *target, *kernel; /* kernel: null, or chooses one of several code objects */
    uint32_t wave;                       /* of sequences; 0: the usual */
    bool wrapped;                        /* print the loop around each sequence, make no code object */
};

/* Adds a file, or standard input ("-"): a code object, a kernel or a sequence as one piece, llvm-mca's regions as one
 * piece each. An exit status, with messages. */
int pieces_read(struct pieces *p, const char *path);
void pieces_free(struct pieces *p);

#endif

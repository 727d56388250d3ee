/* The messages between the ranks of a sweep (mpi.c). */
#ifndef GCNSIM_SWEEP_MPI_MESSAGES_H
#define GCNSIM_SWEEP_MPI_MESSAGES_H

#include "sim/sweep/work.h"

enum { TAG_BEAT = 1, TAG_POINT, TAG_PIECE, TAG_STOP, TAG_PONG, TAG_LEAVE };
enum { PIECE_BYTES = 2048, MAX_FREE = 4096 };

/* A rank says how many more points it can take. */
struct beat {
    uint32_t free;
    char host[64];
};

/* A point to be run, and the key of its command. */
struct order {
    uint64_t point;
    char key[SHA256_TEXT];
};

/* Why a rank leaves. */
struct leave {
    char host[64];
    char why[400];
};

/* Header of a piece of a result; what the whole holds is a struct head, the output and what was said. */
struct piece {
    uint64_t point, total, offset;
    char bytes[PIECE_BYTES];
};
struct head {
    struct sweep_raw raw; /* without its texts */
    uint64_t out, said;
};

#endif

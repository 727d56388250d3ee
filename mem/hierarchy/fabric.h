/* The dies that carry the last cache and memory (AMD's IODs), in a mesh of columns and rows, and the links between
 * neighbours. Die d is in column d % columns and row d / columns.
 *
 * A link has two directions, independent of one another. Each carries bytes_per_cycle of data and delivers in the order
 * in which things were put on it. Something put on at cycle t leaves when what is ahead of it and it itself have been
 * transferred, exact fractions of cycles being kept, and arrives hop_cycles later: at t + hop_cycles when the link is
 * idle and its data take no longer than a cycle. What has no data (a request to read, an acknowledgement) takes none of
 * the bandwidth, but does not overtake.
 * The way is along the row first, then along the column, so answers of a die that is neither beside nor above another
 * come back by other links than the requests went. Links are put in such an order that every way takes them
 * ascending: one pass over them in a cycle also carries on what crosses several links in no time.
 *
 * Time: fabric_run(now) in every cycle not before f->next hands on what has arrived. Between cycles time may jump to
 * f->next. Nothing is refused; who sends bounds what is under way (`entries`).
 *
 * Left out: headers and what requests take of a link, errors and retries, the dies' own networks.
 */
#ifndef GCNSIM_MEM_FABRIC_H
#define GCNSIM_MEM_FABRIC_H

#include "mem/req.h"
#include "sim/util/arena.h"
#include "sim/util/error.h"

#define FABRIC_MAX_SIDE 8 /* columns, and rows */
#define FABRIC_MAX_DIES (FABRIC_MAX_SIDE * FABRIC_MAX_SIDE)

struct fabric_config {
    uint32_t columns, rows; /* of dies; one die, or none: there is no fabric */
    uint32_t hop_cycles;    /* of a link, one way */
    double bytes_per_cycle; /* of a link, each way; 0: without bound */
};

static inline uint32_t fabric_dies(const struct fabric_config *cfg)
{
    return cfg->columns * cfg->rows;
}

/* Where what travels arrives: a request, or an answer, which is the completion of one. */
struct fabric_sink {
    void *ctx;
    void (*request)(void *ctx, const struct mem_req *req, cycle_t now);
    void (*answer)(void *ctx, uint16_t client, uint64_t token, cycle_t now);
};

/* One direction of a link. */
struct fabric_link {
    cycle_t next;         /* arrival of its oldest entry */
    uint64_t free_at_fp;  /* end of the last transfer, in 1/2^16 cycles */
    uint32_t first, last; /* entries, index + 1 */
    uint8_t from, to;
    uint64_t messages, bytes;
};

struct fabric_entry;

struct fabric {
    cycle_t next;   /* first arrival at the end of a link */
    uint32_t dies;  /* 0: there is no fabric */
    uint32_t links; /* directions */
    struct fabric_link *link;
    struct fabric_entry *entry;
    uint32_t entries, free, fresh; /* index + 1: free list, and the first never used */
    uint32_t count;                /* under way */
    uint64_t fp_per_byte;          /* cost of a byte in 1/2^32 cycles */
    struct fabric_config cfg;
    struct fabric_sink sink;
    uint8_t hops[FABRIC_MAX_DIES][FABRIC_MAX_DIES];
    uint8_t route[FABRIC_MAX_DIES][FABRIC_MAX_DIES]; /* [at][to]: the link to take */
};

/* 0, or -1 with *err on a configuration that makes no sense. */
int fabric_check_config(const struct fabric_config *cfg, struct err *err);

/* entries: what may be under way at most. Memory is the arena's. */
int fabric_init(struct fabric *f, const struct fabric_config *cfg, uint32_t entries, struct fabric_sink sink,
                struct arena *arena, struct err *err);

/* Links between two dies. */
static inline uint32_t fabric_hops(const struct fabric *f, uint32_t from, uint32_t to)
{
    return f->hops[from][to];
}

/* The mean over all pairs of dies, a die and itself included; 0 without a fabric. */
double fabric_mean_hops(const struct fabric_config *cfg);

/* Puts a request, or an answer, with so many bytes of data on the first link of its way; from and to differ. */
void fabric_send(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, const struct mem_req *req, cycle_t now);
void fabric_answer(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, uint16_t client, uint64_t token,
                   cycle_t now);

/* Data that somebody else keeps track of: takes its share of every link of the way at once, behind what is on them
 * now. Returns when it arrives. */
cycle_t fabric_reserve(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, cycle_t now);

/* Hands on what has arrived: to the next link, or to the sink, which may send. */
void fabric_run(struct fabric *f, cycle_t now);

#endif

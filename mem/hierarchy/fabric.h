/* The fabric between the dies that carry the last cache and memory (AMD's IODs): a mesh of columns and rows, and the
 * links between neighbours. Die d is in column d % columns and row d / columns.
 *
 * A link has two directions, independent of one another. Each carries bytes_per_cycle of data and delivers messages in
 * the order in which they were put on it. A message put on a link at cycle t leaves when all data ahead of it and its
 * own have been transferred (exact fractions of cycles are kept) and arrives hop_cycles later: at t + hop_cycles when
 * the link is idle and its data take no longer than a cycle. A message without data (a read request, an
 * acknowledgement) takes none of the bandwidth, but does not overtake. A route follows the row first, then the column,
 * so a response of a die that is neither in the same row nor in the same column comes back over other links than its
 * request took. Links are numbered so that every route takes them in ascending order: one pass over them in a cycle
 * also carries a message over several links that take no time.
 *
 * Ports. A part outside a die (AMD's XCDs, stacked on the IODs) is attached to it by a port, whose data, in both
 * directions together, take port_bytes_per_cycle: MI300X and MI300A read and copy from the MALL equally fast, in
 * proportion to their XCDs (gpu-benches). A message without
 * data takes none of it. Messages of one direction do not overtake; an idle port takes no time.
 *
 * Time: call fabric_tick(now) in every cycle not before f->next; it delivers the messages that have arrived. Between
 * cycles time may jump to f->next. Nothing is refused; the senders bound the messages in flight (`entries`).
 *
 * Left out: headers and the bandwidth of requests, errors and retries, networks within a die.
 */
#ifndef GCNSIM_MEM_FABRIC_H
#define GCNSIM_MEM_FABRIC_H

#include "mem/req.h"
#include "sim/util/arena.h"
#include "sim/util/error.h"

#define FABRIC_MAX_SIDE 8 /* columns, and rows */
#define FABRIC_MAX_DIES (FABRIC_MAX_SIDE * FABRIC_MAX_SIDE)

struct fabric_config {
    uint32_t columns, rows;      /* of dies; with one die, or none, there is no fabric */
    uint32_t hop_cycles;         /* latency of a link, one way */
    double bytes_per_cycle;      /* of a link, each way; 0: unlimited */
    double port_bytes_per_cycle; /* of a port, both ways together; 0: unlimited */
};

static inline uint32_t fabric_dies(const struct fabric_config *cfg)
{
    return cfg->columns * cfg->rows;
}

/* Takes messages at the end of their route: a request, or a response, which is the completion of a request. */
struct fabric_sink {
    void *ctx;
    void (*request)(void *ctx, const struct mem_req *req, cycle_t now);
    void (*response)(void *ctx, uint16_t client, uint64_t token, cycle_t now);
};

/* One direction of a link. */
struct fabric_link {
    cycle_t next;         /* arrival of its oldest entry */
    uint64_t free_at_fp;  /* end of the last transfer, in 1/2^16 cycles */
    uint32_t first, last; /* entries, index + 1 */
    uint8_t from, to;
    uint64_t messages, bytes;
};

/* Its queues hold the messages that wait for data of others, and those whose own data are on it. */
struct fabric_port {
    struct fabric_link in, out; /* to the die, from the die */
    uint64_t free_at_fp;        /* of both */
    uint64_t bytes;
    uint8_t die;
};

struct fabric_entry;

struct fabric {
    cycle_t next;   /* first arrival at the end of a link */
    uint32_t dies;  /* 0: there is no fabric */
    uint32_t links; /* directions */
    struct fabric_link *link;
    struct fabric_port *port;
    uint32_t ports;
    struct fabric_entry *entry;
    uint32_t entries, free, fresh; /* index + 1: free list, and the first never used */
    uint32_t count;                /* in flight */
    uint64_t fp_per_byte;          /* cost of a byte in 1/2^32 cycles */
    uint64_t port_fp_per_byte;
    struct fabric_config cfg;
    struct fabric_sink sink;
    uint8_t hops[FABRIC_MAX_DIES][FABRIC_MAX_DIES];
    uint8_t route[FABRIC_MAX_DIES][FABRIC_MAX_DIES]; /* [at][to]: the next link */
};

/* 0, or -1 with *err on a configuration that makes no sense. */
int fabric_check_config(const struct fabric_config *cfg, struct err *err);

/* entries: the most messages in flight. Memory is the arena's. */
int fabric_init(struct fabric *f, const struct fabric_config *cfg, uint32_t entries, struct fabric_sink sink,
                struct arena *arena, struct err *err);

/* Before the first message: attaches ports 0 .. ports-1 to the dies die[]. -1 with *err when memory lacks. */
int fabric_attach(struct fabric *f, const uint8_t *die, uint32_t ports, struct arena *arena, struct err *err);

/* The number of links between two dies. */
static inline uint32_t fabric_hops(const struct fabric *f, uint32_t from, uint32_t to)
{
    return f->hops[from][to];
}

/* The mean over all pairs of dies, a die and itself included; 0 without a fabric. */
double fabric_mean_hops(const struct fabric_config *cfg);

/* Puts a request, or a response, with so many bytes of data on the first link of its route; from and to differ. */
void fabric_send(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, const struct mem_req *req, cycle_t now);
void fabric_respond(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, uint16_t client, uint64_t token,
                    cycle_t now);

/* The same through a port: a request from it to a die, the response for it from a die. False: the port and the die are
 * one way without delay, and the caller goes on with the message itself. */
bool fabric_port_send(struct fabric *f, uint32_t port, uint32_t to, uint32_t bytes, const struct mem_req *req,
                      cycle_t now);
bool fabric_port_respond(struct fabric *f, uint32_t port, uint32_t from, uint32_t bytes, uint16_t client,
                         uint64_t token, cycle_t now);

/* Reserves bandwidth for data that the caller keeps track of: on every link of the route at once, after the data that
 * are on it now. Returns the cycle of their arrival. */
cycle_t fabric_reserve(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, cycle_t now);

/* Delivers what has arrived: to the next link, or to the sink, which may send. */
void fabric_tick(struct fabric *f, cycle_t now);

static inline bool fabric_is_idle(const struct fabric *f)
{
    return !f->count;
}

#endif

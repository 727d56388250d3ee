/* The vocabulary of the event stream: what happened in a run of the timing engine, as plain structs that every folder
 * may read, and how a consumer subscribes.
 *
 * Time is in shader clock cycles since the start of the dispatch. A consumer gets the events of the kinds it names, in
 * an order that depends neither on host threads nor on the length of epochs: by cycle, then by group of CUs (those that
 * share near caches), then in the order in which they came about. Changes of stall reasons are the exception: they come
 * first among the events of their group and cycle, by CU, SIMD and slot. Events of the levels that all groups share
 * come last in their cycle.
 *
 * take() is called at the end of an epoch, once or several times, on the thread that runs the launch and never
 * concurrently; events and what they point to are borrowed until it returns. A consumer cannot change the run.
 *
 * An instruction that a fault ends has an issue event and is not among the instructions the result counts. A stall is
 * every cycle of a resident wave but those of an issue itself, so that the lengths of stalls add up to the stall cycles
 * of the report.
 */
#ifndef GCNSIM_UTIL_EVENT_H
#define GCNSIM_UTIL_EVENT_H

#include <stdbool.h>

#include "sim/util/bits.h"
#include "sim/util/vocab.h"

/* X(ENUM, "key", what happened). The member of `struct event` that goes with it has the same name where there is one.
 */
#define EVENT_KINDS(X)                                                                                                 \
    X(WAVE_LAUNCH, "wave_launch", "a wave takes its slot")                                                             \
    X(WAVE_END, "wave_end", "a wave leaves its slot, with all it had outstanding drained")                             \
    X(ISSUE, "issue", "an instruction issues: issue")                                                                  \
    X(STALL_BEGIN, "stall_begin", "from this cycle on a wave does not issue, for one reason: stall")                   \
    X(STALL_END, "stall_end", "from this cycle on that reason holds no longer: stall")                                 \
    X(ACCESS, "access", "a load, store or atomic issues: the addresses of its lanes: access")                          \
    X(REQUEST, "request", "the CU sends a line request to its nearest cache: request")                                 \
    X(ANSWER, "answer", "a line request is answered, by `level`: request")                                             \
    X(COMPLETE, "complete",                                                                                            \
      "a memory, LDS or message instruction has all that it waited for: complete; `level` is the "                     \
      "farthest that answered it")                                                                                     \
    X(LDS, "lds", "an LDS access issues: lds")                                                                         \
    X(BARRIER_ARRIVE, "barrier_arrive", "a wave signals a barrier of its workgroup")                                   \
    X(BARRIER_COMPLETE, "barrier_complete", "the last wave has: barrier")                                              \
    X(CACHE_HIT, "cache_hit", "a load hits a line of vL0, the scalar cache or GL1: hit")                               \
    X(CACHE_FILL, "cache_fill", "a line is put into a cache of `level`: line")                                         \
    X(CACHE_EVICT, "cache_evict", "a line is evicted from a cache of `level`: line")

enum event_kind {
#define X(E, KEY, ABOUT) EVENT_##E,
    EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
};

#define EVENT_BIT(KIND) (UINT32_C(1) << (KIND))
#define EVENT_ALL       (EVENT_BIT(EVENT_KIND_COUNT) - 1)
#define EVENT_NO_TOKEN  UINT32_MAX

enum event_port { EVENT_PORT_VECTOR, EVENT_PORT_SCALAR, EVENT_PORT_INST };

struct event {
    cycle_t at;
    gaddr_t pc;             /* of the instruction; of an instruction fetch its address; 0: about none */
    uint64_t group : 48;    /* workgroup */
    uint64_t dispatch : 16; /* engine_options.event_tag of its dispatch; of what caches do 0 */
    uint16_t wave;          /* number in the workgroup */
    uint16_t cu;            /* of the chip, numbered through; of a fill or an eviction, which cache of the level */
    uint8_t simd, slot;     /* of the CU; slot of the SIMD */
    uint8_t kind;           /* enum event_kind */
    uint8_t level;          /* enum cache_level; LEVEL_COUNT: memory */
    union {
        struct {
            cycle_t held_until;      /* the s_nop or s_sleep before it held the wave until then; 0: there was none */
            cycle_t barrier_release; /* a barrier let the wave go on last; 0: none has */
            uint64_t lanes;          /* EXEC at its issue */
            uint32_t result_cycles;  /* of ALUs: until its result is ready; 0: it has none, or is of another kind */
            uint8_t cls;             /* enum op_class; OPC_COUNT: no instruction at all */
        } issue;
        struct {
            cycle_t issued; /* the cycle in which it did */
            bool requested; /* memory was asked; `level` says nothing otherwise */
        } complete;
        struct {
            const char *key; /* the report's key of the reason; static text */
            uint8_t reason;
            uint8_t mark, time; /* enum stall_mark, enum stall_time, of the reason */
            bool behind;        /* it follows the issue of the instruction that its cycles belong to */
        } stall;
        struct {
            const gaddr_t *addr; /* by lane; one alone of a scalar access */
            uint64_t lanes;      /* those that take part */
            uint32_t token;      /* the same in the hits of its requests, on this CU, while they are outstanding */
            uint32_t pieces;     /* of a lane, a bit each: piece k lies k * step bytes after the lane's address */
            uint32_t step;
            uint16_t bytes; /* of each piece */
            uint8_t op;     /* enum mem_op */
            bool scalar;
        } access;
        struct {
            gaddr_t addr;
            uint32_t bytes;
            uint32_t number;         /* the same in request and answer, on this CU and port, while it is outstanding;
                                      * EVENT_NO_TOKEN: nobody waits for an answer */
            uint32_t latency_cycles; /* answer: since the request */
            uint8_t op, port;        /* enum mem_op, enum event_port */
        } request;
        struct {
            uint64_t lanes;
            uint32_t conflict_cycles;      /* added by lanes that want the same bank */
            uint32_t addr_conflict_cycles; /* added by atomics on the same dword */
            uint8_t op;                    /* enum mem_op */
        } lds;
        struct {
            uint32_t barriers; /* those complete, a bit each; bit 0: the workgroup's own */
            cycle_t release;   /* waves that wait go on */
        } barrier;
        struct {
            gaddr_t addr;
            cycle_t fetched;        /* the line was asked for in this cycle */
            uint32_t token;         /* of the access; EVENT_NO_TOKEN: asked for by a cache above, which serves cu and */
            uint16_t cus;           /* those after it, so many */
            uint16_t first_cu, all; /* that the cache serves */
            uint16_t line_bytes;
            uint8_t ports, op; /* 1 << enum event_port: requests that go through the cache */
        } hit;
        struct {
            gaddr_t addr;
            bool dirty; /* evicted: written back */
        } line;
    };
};
_Static_assert(sizeof(struct event) == 64, "one line of the host's memory");

extern const char *const event_kind_key[EVENT_KIND_COUNT];

/* "vl0", "l2" ... "memory". */
static inline const char *event_level_key(unsigned level)
{
    return level < LEVEL_COUNT ? cache_level_key[level] : "memory";
}

/* A set of compute units. */
struct event_cus {
    uint64_t bits[(UINT16_MAX + 1) / 64];
};

static inline void event_want_cu(struct event_cus *s, uint16_t cu)
{
    s->bits[cu / 64] |= UINT64_C(1) << cu % 64;
}

static inline bool event_wants_cu(const struct event_cus *s, uint16_t cu)
{
    return s->bits[cu / 64] >> cu % 64 & 1;
}

/* Consumers of a run are a list; all of it outlives the run. */
struct event_consumer {
    const struct event_consumer *next;
    uint32_t kinds; /* EVENT_BIT() of those it wants */
    void *ctx;
    void (*take)(void *ctx, const struct event *e, size_t count);
    /* Compute units that it wants events of: others make none for it, though it may get some that somebody else wants,
     * or of the other CU of a WGP. Null: all. Fills and evictions come of all caches. */
    const struct event_cus *cus;
};

/* The kinds that any of a list wants. */
static inline uint32_t event_kinds(const struct event_consumer *c)
{
    uint32_t kinds = 0;

    for (; c; c = c->next)
        kinds |= c->kinds & EVENT_ALL;
    return kinds;
}

#endif

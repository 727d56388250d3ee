/* The small units a CU is made of: issue ports, queues towards memory, LDS ports, delay lines, instruction buffers.
 *
 * Each follows init / can_accept / accept / tick (the next cycle with work) / is_idle, over the fifo, pipe and arbiter
 * of sim/util. Costs are given to them; they know no profile.
 */
#ifndef GCNSIM_ENGINE_CU_UNITS_H
#define GCNSIM_ENGINE_CU_UNITS_H

#include "mem/coalesce.h"
#include "mem/hierarchy/hierarchy.h"
#include "mem/lds/lds.h"
#include "mem/line_queue.h"
#include "sim/engine/timing/front/issue_queues.h"
#include "sim/util/arbiter.h"
#include "sim/util/fifo.h"
#include "sim/util/pipe.h"

/* The plug to the memory of the chip; `cu` counts parts over the whole chip. Completions come back through
 * cu_complete(). */
struct cu_memory {
    void *ctx;
    bool (*can_accept)(void *ctx, uint32_t cu, enum mem_port_kind port, gaddr_t addr);
    void (*accept)(void *ctx, uint32_t cu, enum mem_port_kind port, const struct mem_req *req, cycle_t now);
    /* Cache control by levels (hierarchy_control()); false: not now. Null: the memory has no caches. */
    bool (*control)(void *ctx, uint32_t cu, enum mem_port_kind port, uint32_t invalidate, uint32_t write_back,
                    uint64_t token, cycle_t now);
    /* The port had no credit: cu_credit_returned() is called when it accepts again. Null: it is asked in every cycle.
     */
    void (*await_credit)(void *ctx, uint32_t cu, enum mem_port_kind port);
    /* Takes the lines of a vector port from their queue by itself, in the cycles in which accept() would have had them,
     * from cycle `from` on (hierarchy_take_lines()); cu_lines_sent() is called when a last line has gone. Null: it does
     * not. */
    void (*take_lines)(void *ctx, uint32_t cu, struct line_queue *q, cycle_t from);
    /* An instruction fetch whose data come in a cycle known now: that cycle, without cu_complete() then. *full: the
     * port accepts nothing before the cycle that is returned; CYCLE_NEVER: accept() is asked. Null: it knows of none.
     */
    cycle_t (*fetch)(void *ctx, uint32_t cu, const struct mem_req *req, cycle_t now, bool *full);
};

static inline cycle_t cu_earlier(cycle_t a, cycle_t b)
{
    return a < b ? a : b;
}
static inline cycle_t cu_later(cycle_t a, cycle_t b)
{
    return a > b ? a : b;
}

/* The entry of an execution unit: taken for some cycles by each instruction. What-ifs put a second unit behind it, or
 * as many as there are instructions (ideal.second_valu, ideal.free_issue). */
struct cu_port {
    cycle_t free_at; /* the unit that is free first */
    cycle_t other;   /* the second unit, */
    enum cu_port_units { CU_ONE_UNIT, CU_TWO_UNITS, CU_FREE_UNITS } units;
};

static inline void cu_port_accept(struct cu_port *p, cycle_t start, uint32_t cycles)
{
    cycle_t until = start + cycles;

    if (__builtin_expect(p->units != CU_ONE_UNIT, 0)) {
        if (p->units == CU_FREE_UNITS)
            return;
        p->free_at = until < p->other ? until : p->other;
        p->other = until < p->other ? p->other : until;
        return;
    }
    p->free_at = until;
}

enum {
    /* Lines of one instruction at most: 16 bytes of 64 lanes, dword by dword; of a block instruction in its passes. */
    CU_MAX_LINES = COALESCE_LANES * COALESCE_MAX_BYTES / 4,
    CU_MAX_BLOCK_LINES = COALESCE_MAX_LINES * 32,
};

/* Line requests of memory instructions, queued towards a cache. Accepts an instruction when its intake is free and
 * fewer than `depth` instructions have lines waiting. They go through the address unit one after the other, each when
 * the one before it is through; out.rate lines are sent per cycle, in order, from when their instruction is in the
 * unit. So the intake holds issue back, the address unit does not, until the queue is full. */
struct cu_line_queue {
    struct line_queue out;
    uint32_t capacity; /* of lines */
    uint32_t depth, held;
    uint32_t
        unshared; /* 0: the memory may take its lines; controls in it, and a tensor unit that sends beside it, count */
    cycle_t intake_free, unit_free, lookup_free;
    uint32_t cu;
    enum mem_port_kind port;
    const struct cu_memory *memory;
    bool awaits_credit;                 /* the memory did not accept and says when it does again */
    uint64_t entry_cycles, full_cycles; /* read with the functions below */
};

/* Entries in use, and whether all are, summed over the cycles before `now`. */
static inline uint64_t cu_line_queue_entry_cycles(const struct cu_line_queue *q, cycle_t now)
{
    return q->entry_cycles + q->held * now;
}
static inline uint64_t cu_line_queue_full_cycles(const struct cu_line_queue *q, cycle_t now)
{
    return q->full_cycles + (q->held >= q->depth ? now : 0);
}

/* lines: that the queue holds, so many that `depth` instructions always find room. */
bool cu_line_queue_init(struct cu_line_queue *q, struct arena *arena, const struct cu_memory *memory, uint32_t cu,
                        enum mem_port_kind port, uint32_t depth, uint32_t lines, uint32_t rate);
static inline bool cu_line_queue_has_credit(const struct cu_line_queue *q)
{
    return q->held < q->depth;
}
/* Takes an instruction, whose lines follow; the intake is busy for `cycles`. It counts as `passes` instructions, more
 * than one for a block instruction; the last line of each pass is marked. A queue with credit for one takes them all.
 * Its port may be another one than the queue's (prefetch of instructions). */
void cu_line_queue_accept(struct cu_line_queue *q, const struct line_inst *inst, cycle_t now, uint32_t cycles,
                          uint32_t passes);
/* A line of the youngest instruction. */
void cu_line_queue_push(struct cu_line_queue *q, const struct line_entry *line);
/* Sends lines, and leaves to the memory what it takes; *freed is set when an instruction
 * has gone out whole. */
cycle_t cu_line_queue_tick(struct cu_line_queue *q, cycle_t now, bool *freed);
/* A last line has been sent in cycle `now`. */
void cu_line_queue_sent(struct cu_line_queue *q, cycle_t now);
/* Whether it has lines to send, which the memory does not take. */
static inline bool cu_line_queue_sends(const struct cu_line_queue *q)
{
    return q->out.lines.count && !q->out.taken;
}
/* The youngest instruction reaches the address unit in cycle `from`, or when it is free, and takes it for `cycles`; the
 * lookups of its lines follow those of the instruction before and take `lookups` cycles. */
void cu_line_queue_address(struct cu_line_queue *q, cycle_t from, uint32_t cycles, uint32_t lookups);

/* Operations that end a known time after they start, in order: an LDS port and the path of messages and clocks. */
#define CU_PIPE_SLOTS 256

/* An LDS port with a queue takes an instruction a cycle while fewer than `depth` wait in it. Each goes through the
 * inbound path, the banks and the outbound path, which are busy with it for their own times; so one instruction's data
 * may come in while another's banks work. As many as before the inbound path may wait before each of the others.
 * Without a queue (depth 0) an instruction takes the port as a whole for the longest of the three. The result is there
 * a latency after the outbound path is reached, and conflicts later. */
#define CU_LDS_QUEUE 32
enum { LDS_IN, LDS_BANKS, LDS_OUT, LDS_STAGES };
struct cu_lds_port {
    struct pipe pipe; /* free_at: when the next one may be accepted */
    cycle_t free[LDS_STAGES];
    cycle_t start[LDS_STAGES][CU_LDS_QUEUE]; /* of the last instructions accepted, when each reaches the stage; rings */
    uint32_t accepted;
};

/* A SIMD's side of its port. It holds the registers of an instruction (of 64 lanes: address and data) until the port
 * has taken them in; results come back to it with a gap between them, for which the port does not wait: meanwhile it
 * serves the other SIMDs. */
struct cu_lds_side {
    struct cu_queue registers;
    cycle_t register_entries[CU_QUEUE_MAX];
    cycle_t result_free; /* when the next result may come back */
    uint32_t gap;
};
void cu_lds_side_init(struct cu_lds_side *s, uint32_t registers, uint32_t gap);
/* When an instruction of so many registers may issue. */
static inline cycle_t cu_lds_side_free_at(const struct cu_lds_side *s, uint32_t registers)
{
    const struct cu_queue *q = &s->registers;

    assert(!q->entries || registers <= q->entries);
    return q->entries && registers ? cu_queue_entry_at(q, registers - 1) : 0;
}

/* LDS instructions of a wave that are outstanding: the cycles at which the last `limit` of them come back, a ring. */
enum { CU_LDS_OUTSTANDING = 8 };
struct cu_lds_wave {
    cycle_t back[CU_LDS_OUTSTANDING];
    uint8_t at; /* the oldest */
};
static inline void cu_lds_wave_put(struct cu_lds_wave *w, uint32_t limit, cycle_t back)
{
    if (!limit)
        return;
    w->back[w->at] = back;
    w->at = (uint8_t)(w->at + 1u == limit ? 0 : w->at + 1u);
}

cycle_t cu_lds_port_accept(struct cu_lds_port *p, struct cu_lds_side *side, uint32_t depth, cycle_t now,
                           uint64_t payload, uint32_t latency, uint32_t registers, const struct lds_cost *cost);
struct cu_delay_line {
    struct pipe pipe;
};

/* A wave's instruction buffer holds [base, hi) in whole fetch blocks; next is where the next request starts, lo where
 * the wave is. The program may jump anywhere, so that hi and next may lie past the end of the address space: they are
 * compared by their distance from base or lo. */
struct cu_fetch {
    gaddr_t base, lo, hi, next;
    uint64_t arrived;                      /* blocks past hi that overtook an older one, a bit each */
    cycle_t from;                          /* when the next one may be asked for */
    uint16_t generation, first_generation; /* of now; of the wave's first request */
    uint16_t in_flight;                    /* requests of the wave, of all generations */
    uint16_t before; /* of these, the ones before the last branch, which come first (frontend.fetch_in_order) */
    uint16_t ahead;  /* blocks to have or to ask for beyond that of lo */
    bool running;
};

/* Fetches one block a cycle for one of the waves that want one; those with no block beyond the one they are in go
 * before the others. */
/* A block that comes in a cycle known beforehand (cu_memory.fetch). */
struct cu_arrival {
    cycle_t at;
    uint64_t token;
};
/* Those of a part, by cycle: numbers begin .. end-1, number n at ring[n % CU_MAX_ARRIVALS]. A part asks for one in a
 * cycle, and none takes longer than HIERARCHY_STRAIGHT_CYCLES. */
enum { CU_MAX_ARRIVALS = HIERARCHY_STRAIGHT_CYCLES + 1 };
struct cu_arrivals {
    struct cu_arrival *ring;
    uint32_t begin, end;
};

struct cu_fetch_unit {
    uint64_t want;                       /* waves of the part whose buffer takes another block */
    uint64_t hungry;                     /* of these, the ones to go first */
    gaddr_t prefetch_next, prefetch_end; /* lines still to be asked for on nobody's behalf */
    uint32_t block_bytes, buffer_bytes;  /* block_bytes: a power of two */
    uint32_t flight_bytes;               /* of one wave, in flight */
    uint8_t block_shift;
    bool waits;            /* cu_fetch.from of its waves may lie ahead */
    gaddr_t line;          /* the last one a wave has begun to fetch */
    bool entry_prefetched; /* what hardware prefetches of a kernel has been asked for */
    uint32_t first_wave;   /* index of the part's first wave in the CU */
    bool awaits_credit;    /* the memory did not accept and says when it does again */
    struct cu_arrivals arrivals;
    uint64_t stamp[64]; /* launch order of its waves, by bit of `want` */
};

static inline bool cu_fetch_is_busy(const struct cu_fetch_unit *u)
{
    return u->want || u->prefetch_next != u->prefetch_end;
}

#endif

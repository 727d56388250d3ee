/* A compute unit in time: wave slots, front end, issue arbitration, scoreboard, wait counters and memory operations.
 *
 * A `struct cu` is what shares LDS: a CU on GCN and CDNA, a WGP on RDNA, whose two CUs are its `parts`. Each part has
 * SIMDs, a fetch unit, a vector memory unit (its vl0) and a scalar memory unit. SIMDs in groups share an LDS port.
 *
 * Function and time: an instruction runs (isa_step) in the cycle it issues, so memory order is issue order. Values
 * never decide anything here; lane addresses, branch outcome and cache hint come out of isa_step as effects.
 *
 * Time: cu_tick() does the work of cycle `now`; *wake is the next cycle with work. Memory completions of a cycle are
 * delivered with cu_complete() before the cycle is ticked. A wave is READY (only a structural hazard or another wave
 * can stop it), TIMED (stalled until a known cycle) or asleep (EVENT: a completion, a fetch or a barrier wakes it). The
 * wave's own conditions are decided by wave_verdict() (wave.c), structural hazards by port_verdict() (arbitration.c);
 * both name the stall reason, and the cycles until the next decision are charged to it. The conditions after an issue
 * are mostly known at once, because only the wave's own issues add to them; they are decided then (cu_wave_issued()),
 * while the wave is in the host's caches, and the cycles of its issue slot are charged as issued first.
 *
 * Order within a cycle: LDS results, decisions about woken waves, issue, fetch requests, memory requests.
 *
 * A cu shares nothing with others but the context (constant, except for the table of instructions, which grows) and the
 * memory plug.
 *
 * Left out: registers are allocated by count, without their position in the file. A register that a load still has to
 * write does not hold an instruction back: hardware does not either, programs must wait (see
 * docs/adr/0004-timing-engine.md).
 */
#ifndef GCNSIM_ENGINE_CU_H
#define GCNSIM_ENGINE_CU_H

#include "isa/barrier.h"
#include "isa/lds_order.h"
#include "sim/engine/events.h"
#include "sim/engine/timing/cu/dispatch.h"
#include "sim/engine/timing/cu/inst_info.h"
#include "sim/engine/timing/cu/units.h"
#include "sim/engine/timing/cu/verdict.h"
#include "sim/engine/timing/front/front.h"
#include "sim/engine/timing/front/issue_queues.h"
#include "sim/engine/timing/front/wave_state.h"
#include "sim/engine/timing/memory/from_profile.h"

enum {
    CU_MAX_SIMDS = 8,
    CU_MAX_SLOTS = 32,   /* waves of a SIMD */
    CU_MAX_MESSAGES = 4, /* barrier signals of a SIMD in flight, where they are limited */
    CU_MAX_PARTS = 2,
    CU_NO_OP = UINT16_MAX,
};

struct operand_path;       /* operand_path.h */
struct timing_script_wave; /* script.h */

/* An issue slot of a SIMD: the ports that share it, 1 << PORT_x, and how many instructions it issues in a cycle. */
struct cu_issue_slot {
    uint32_t ports, width;
};

/* State that all CUs of a group of the run (clock/run.h) share; the dispatcher has one for the chip. */
struct cu_context {
    const struct isa_target *target; /* of all dispatches, as far as the hardware depends on it */
    const struct profile *profile;
    uint32_t thread; /* host thread that runs the group, and whose timing_counts are added to */
    struct cu_memory memory;
    uint32_t simds, parts, simds_per_part, slots; /* of a struct cu; slots per SIMD */
    const struct front_end *front;                /* between the waves and the units */
    bool round_robin;                             /* one SIMD arbitrates in each cycle, in rotation */
    uint32_t issue_slot_cycles;                   /* an instruction occupies its wave for these */
    bool issue_slot_ends_in_time;                 /* before its SIMD arbitrates again */
    uint32_t simds_mask;                          /* simds - 1 where that makes a modulo, else 0 */
    struct cu_issue_slot issue_slot[PORT_COUNT];  /* in the order they are filled */
    uint32_t issue_slot_of[PORT_COUNT];           /* index of each port's */
    uint32_t issue_slots;
    uint32_t vector_alu_ports;                      /* ports of the vector ALU, 1 << PORT_x, */
    uint32_t salu_needs;                            /* of plain SALU instructions, 1 << NEED_x */
    uint32_t common_needs[PORT_COUNT];              /* of all instructions of a port, those apart that depend on */
    uint32_t needs_of_wave;                         /* the wave, which are these, */
    uint32_t verdicts_differ;                       /* ports whose verdict therefore does, */
    uint32_t reasons_change;                        /* and ports whose stall reason may change while a wave waits */
    uint32_t extra[PRODUCER_COUNT][CONSUMER_COUNT]; /* cycles past the latency within one kind */
    uint32_t longest_extra;                         /* of these */
    uint8_t counter_max[WAIT_COUNT];
    bool what_if; /* something of profile.ideal is set, which the paths of all instructions ask first */
    uint32_t vector_line_bytes, scalar_line_bytes, inst_line_bytes, fetch_block_bytes;
    struct vector_shapes shapes;       /* how the vector memory unit takes the lanes of an access */
    bool check;                        /* every wave is decided about in every cycle, which must change nothing */
    cycle_t now;                       /* what the wave's clock shows */
    struct event_buffer *event_buffer; /* the group's */
    struct fifo releases;              /* struct cu_release, by rising time: in flight to the dispatcher */
    uint32_t start_cycles;             /* from the placing of a wave to its first fetch */
    uint32_t group, first_cu;          /* the group, and the first of its CUs */
    cycle_t next;                      /* earliest cycle with work of the CUs woken since they were ticked last */
    struct arena *copies;              /* of the group, whose thread takes room for copies into LDS from it */
    void (*await_turn)(void *ctx);     /* before what other groups may see or be seen by (timing_info); may be null */
    void *turn_ctx;
};

enum cu_wave_state { WAVE_FREE, WAVE_TIMED, WAVE_EVENT, WAVE_READY };

/* The waves of a workgroup on a CU. */
struct cu_group {
    uint64_t id;
    struct cu_dispatch *d;
    uint8_t *lds;
    size_t lds_room; /* bytes there; no fewer than its dispatch needs */
    uint32_t lds_alloc_bytes;
    uint32_t placed; /* waves that have not ended, those to be launched included */
    uint32_t part;   /* the part it is confined to; CU_MAX_PARTS: any */
    struct isa_barriers barriers;
    cycle_t next_signal[CU_MAX_SIMDS]; /* the barrier counts one of each SIMD so often */
    cycle_t signalled;                 /* cycle in which it took the last signal so far */
    bool used, multiwave;
};

/* Resources that a wave releases to the dispatcher, when it ends or before. */
struct cu_release {
    cycle_t at;
    struct cu *cu;
    struct timing_dispatch *of; /* whose scratch slot it is; null: it has ended */
    uint32_t vgprs, agprs, sgprs, lds_bytes, scratch_slot;
    uint8_t simd, part, slot;
    bool wave; /* its slot too, and scratch */
    bool barrier;
};

/* s_delay_alu: dependency `id` of the instruction that is `in` instructions ahead. */
struct cu_delay {
    uint8_t id, in;
};

/* Registers whose results may still hold a consumer back, as timing_info.registers_read has them, newer results first;
 * each set until its last one is ready for every consumer. The scoreboard, which is in none of the host's caches, need
 * not be read for others. */
struct cu_pending {
    uint64_t registers[2];
    cycle_t until[2];
};

/* Fields are in the order of use, so that an issue touches few lines of the host's cache: most waves are in none of its
 * caches when they issue. `wake` and `stamp` are in the SIMD, beside those of its other waves. */
struct cu_wave {
    /* every decision and every issue: two lines */
    _Alignas(64) uint8_t state;
    uint8_t reason, hold_reason, slot;
    uint8_t simd, part;
    bool ended, at_barrier, at_gws;
    bool sure;            /* TIMED: nothing but a structural hazard will stop it then */
    bool delayed;         /* one of `delay` is of an instruction to come */
    bool vgprs_released;  /* by message, before the wave ends */
    bool sources_unknown; /* an LDS or VMEM instruction of its waits to read VGPRs; nobody knows how long */
    bool waited;          /* its last instruction, s_delay_alu aside, was s_waitcnt or its like (queued front end) */
    bool issued_to_unit;  /* its last instruction, s_delay_alu aside, was none of those that issue handles itself */
    uint8_t priority;
    uint16_t index;           /* in cu->wave */
    cycle_t since;            /* charged up to here */
    cycle_t issue_slot_end;   /* of the last issue */
    cycle_t hold_until;       /* launch, branch, nop, sleep */
    cycle_t operands;         /* when vector results it reads are ready; decided with READY */
    struct timing_info *info; /* the next instruction */
    struct isa_wave *isa;
    struct cu_dispatch *d;

    uint8_t *landing;             /* results in flight of each register (exact_waits.h); null as a rule */
    struct cu_loads_ahead *ahead; /* where values come from (loads_ahead.h); likewise */
    uint64_t *ready;              /* scoreboard: ready_entry(), timing_registers() of them */
    cycle_t busy_until; /* every result is ready for every consumer from then on: the scoreboard need not be read */
    struct cu_fetch fetch;

    /* many decisions and issues */
    struct cu_pending pending;
    struct cu_clause clause;
    struct cu_delay delay[2];
    uint16_t op_head, op_tail; /* outstanding operations in issue order */
    uint8_t outstanding[WAIT_COUNT];
    cycle_t gws_release; /* at_gws: when it goes on; CYCLE_NEVER while it waits */
    struct cu_lds_wave lds;
    const struct timing_script_wave *script; /* a recording it follows; null as a rule */

    /* results of the last few instructions of a unit, newest at [0] */
    cycle_t valu_done[4];
    cycle_t salu_done, sgpr_done; /* sgpr_done: when SALU may read what the VALU writes into SGPRs */
    union {                       /* of the run's front end */
        struct interlocked_wave interlocked;
        struct queued_wave queued;
    };
    cycle_t trans_done[4];

    struct isa_lds_order copies; /* into LDS, in flight; its room is made at the first one of the slot */
    uint32_t *rows;              /* registers; made at the first use of the slot, */
    size_t room;                 /* with so many dwords, and anew when a dispatch needs more */
    cycle_t born;
    cycle_t barrier_release[2]; /* when it may pass the workgroup's barrier, completed last, and the one it joined */
    uint32_t number;            /* in the group */
    uint32_t iterations;        /* of the loop that is watched (cu_dispatch.watched) */
    uint32_t scratch_slot;
    struct cu_group *group;
    struct cu *cu;
    const struct timing_info *issued;    /* inst_stalls: whose issue slot, or what follows it, it is in */
    cycle_t done;                        /* when the result of the last instruction booked is ready */
    uint32_t script_waits, script_steps; /* memory waits that are over, instructions issued */
};

/* A memory or message operation between issue and its last completion. The token of a completion is the number of the
 * operation; of a flat one with what has answered, where that is not memory alone. */
enum { CU_OP_LDS = 1 << 16, CU_OP_BOTH = 1 << 17 };
struct cu_op {
    uint16_t wave, next;
    uint16_t pending;  /* completions to come; of flat: from memory */
    uint16_t released; /* counters already counted down */
    uint16_t counters;
    uint16_t lds_counters; /* of flat: those of them that LDS counts down, */
    bool lds_pending;      /* when it has answered */
    bool unordered;        /* scalar loads and messages: may return before older ones */
    bool landed;           /* all has come back, in its order or not (exact_waits.h, loads_ahead.h) */
    bool arrived;          /* of vector loads that return in order: all lines have, and it waits for its turn */
    uint8_t beats;         /* cycles that its data then take */
    bool requested;        /* where requests are followed (memory_events.h): one of it has been answered, */
    uint8_t farthest;      /* by this level at the farthest (enum cache_level; LEVEL_COUNT: memory) */
    uint8_t load;          /* its place in the table of loads_ahead.h */
    uint8_t tensor;        /* 1 + its entry of the tensor unit; 0: it is none of its transfers */
    uint16_t after;        /* the next to return */
    uint64_t copies;       /* what it copies to LDS: isa_lds_copies_begun() */
    const struct timing_info *info; /* its instruction */
    cycle_t issued;
};

/* Vector loads of a part, in the order of issue, where they return in that order (cu.vmem_returns_in_order). The data
 * of those that have waited for an older one follow it one after the other. */
struct cu_returns {
    uint16_t first, last; /* operations */
    cycle_t free_at;      /* when the first may return */
};

/* The stall reason of a wave as the event stream knows it; STALL_ISSUED: none. */
struct cu_told {
    cycle_t upto; /* all cycles before this one have been reported */
    gaddr_t pc;   /* that it keeps from issuing */
    uint8_t reason;
};

struct cu_start {
    cycle_t at;
    struct cu_wave *wave;
};

struct cu_simd {
    /* what every cycle looks at, in a line of the host's cache; when it next has work is in the CU */
    _Alignas(64) struct cu_wave *wave; /* by slot */
    uint32_t number;
    uint32_t used, timed;  /* slot masks */
    uint32_t booked;       /* slots allocated by the dispatcher */
    uint32_t woken;        /* of timed: decided about in this cycle */
    uint32_t ports;        /* ready[] that hold a wave, a bit each */
    uint32_t hazard;       /* ready waves charged to a structural hazard instead of arbitration */
    cycle_t issued_at;     /* an instruction, last; + 1 */
    uint32_t prioritized;  /* waves with a priority above 0 */
    uint32_t clause_ports; /* ports that a wave in a clause has to itself */
    uint32_t rearmed;      /* waves that issued in this cycle and may issue again when their issue slot ends */
    uint32_t lost;         /* waves that lost the arbitration for the VALU: charged to arbitration until */
    cycle_t lost_until;    /* this cycle, and to the busy VALU afterwards */
    uint32_t ready[PORT_COUNT];
    uint8_t clause_owner[PORT_COUNT]; /* slot of the wave that has a port to itself */
    struct cu_port port[PORT_COUNT];
    cycle_t message_done[CU_MAX_MESSAGES]; /* when a barrier signal in flight returns its credit */
    uint32_t waves, vgprs, agprs, sgprs;   /* in use or promised */
    bool valu_queue_full;                  /* and a wave has an instruction for it; decided at each arbitration */
    struct cu_queues queues;
    struct cu_lds_side lds;
    cycle_t wake[CU_MAX_SLOTS];   /* TIMED: when the reason ends */
    uint64_t stamp[CU_MAX_SLOTS]; /* launch order */
};

struct cu {
    struct cu_context *x;
    uint32_t index;
    uint32_t events;    /* kinds that somebody wants of it, a bit each (emit.h) */
    bool watched;       /* somebody wants these, or counts by instruction, which the paths of all waves ask at once */
    bool tells_charges; /* likewise, or stall cycles alone are counted by instruction */
    size_t issue_event; /* the last one of an issue, in the group's buffer, */
    uint64_t lanes;     /* and EXEC before it */
    uint32_t woken;     /* SIMDs that have woken waves */
    cycle_t wake_at;    /* no later than the first of next_wake, */
    cycle_t issue_at;   /* than the first arbitration that next_issue allows */
    uint32_t paths;     /* parts in whose path (operand_path.h) an instruction waits, a bit each */
    cycle_t results_at; /* earliest result of lds_port, misc and returns */
    cycle_t arrives_at; /* the first block of instructions that comes in a cycle known beforehand */
    cycle_t *wake;      /* cycle with work; kept by the run beside those of the other CUs */
    struct fifo starts; /* struct cu_start: waves placed that have not begun to fetch */
    cycle_t starts_at;  /* the first of these */
    bool freed;         /* a wave has released resources since the dispatcher's last attempt */
    bool stopped;       /* by the first of no_memory, spent, fault_status */
    /* by SIMD: the earliest `wake` of its timed waves, the earliest cycle at which a ready one may have a chance */
    _Alignas(64) cycle_t next_wake[CU_MAX_SIMDS];
    cycle_t next_issue[CU_MAX_SIMDS];
    struct cu_simd simd[CU_MAX_SIMDS];
    struct cu_wave *wave; /* [simd * slots + slot] */
    struct cu_group *group;
    uint32_t group_count; /* and of waves; 0: it has had none yet (cu_furnish()) */
    struct isa_wave *isa_waves;

    struct cu_fetch_unit fetch[CU_MAX_PARTS];
    struct cu_line_queue vmem[CU_MAX_PARTS], smem[CU_MAX_PARTS];
    struct tensor_unit *tensors[CU_MAX_PARTS]; /* null: the chip has none */
    struct cu_returns returns[CU_MAX_PARTS];
    struct coalesce_memo *coalesced; /* of each part's address unit */
    struct cu_lds_port lds_port[CU_MAX_SIMDS];
    uint32_t lds_ports;
    cycle_t lds_path[CU_MAX_PARTS];   /* queued: when the operand read path to LDS is free, */
    cycle_t lines_path[CU_MAX_PARTS]; /* and when the one to the address unit would be, in the order of issue */
    struct operand_path *path;        /* queued: of VMEM, one per part */
    struct cu_delay_line misc;        /* operations without memory traffic: messages, clocks, EXEC = 0 */

    struct cu_op *op;
    uint32_t op_count, op_fresh; /* never used from op_fresh on */
    uint16_t op_free;

    uint32_t lds_bytes[CU_MAX_PARTS]; /* in use; [0] for all when LDS is the WGP's */
    uint32_t barriers;                /* multi-wave workgroups */
    uint32_t full[CU_MAX_PARTS];      /* the fewest waves of a workgroup found not to fit; 0: nothing is known */
    uint32_t *engine_full;            /* the same of all CUs of its shader engine (dispatcher.h) */
    uint32_t resident;
    uint64_t busy_cycles; /* with resident waves; where there are some now, `now` is to be added (mod 2^64) */

    /* first thing that stops the run */
    bool no_memory, spent;
    enum isa_status fault_status;
    struct cu_wave *fault_wave;

    struct cu_told *told; /* by wave; for the event stream, where it is wanted (emit.h), else null */

    struct isa_effects fx;
};

/* furnish.c */
void cu_init(struct cu *c, struct cu_context *x, uint32_t index, uint32_t events, enum engine_inst_counts counts,
             cycle_t *wake);
/* Makes what it needs to run waves, when it gets its first: most CUs of a short dispatch never do. False: out of host
 * memory. */
bool cu_furnish(struct cu *c, struct arena *arena);
/* Lines that a queue of `depth` vector memory instructions holds. */
uint32_t cu_vector_lines(const struct cu_context *x, uint32_t depth);

/* cycle.c */
/* It has work in cycle `when`, which it did not know of. */
static inline void cu_wake_at(struct cu *c, cycle_t when)
{
    *c->wake = cu_earlier(*c->wake, when);
    c->x->next = cu_earlier(c->x->next, when);
}
/* A cycle's work; leaves the next cycle with some in *wake. */
void cu_tick(struct cu *c, cycle_t now);
/* A memory completion of cycle `now` at a port of one of its parts. */
void cu_complete(struct cu *c, unsigned part, enum mem_port_kind port, uint64_t token, cycle_t now);
/* The memory has taken the last line of an instruction, or of a pass of one, from the vector queue of a part in cycle
 * `now`. Called before the next cycle is ticked. */
void cu_lines_sent(struct cu *c, unsigned part, cycle_t now);
/* The memory accepts again at a port where it had no credit. */
void cu_credit_returned(struct cu *c, unsigned part, enum mem_port_kind port, cycle_t now);
/* Charges every wave of a dispatch up to `now`: the sums of its stall reasons are those of the cycles before it. */
void cu_charge(struct cu *c, const struct cu_dispatch *d, cycle_t now);
/* The same when it has stopped early in `now`. */
void cu_settle(struct cu *c, const struct cu_dispatch *d, cycle_t now);
/* execute.c: ends the waves of a dispatch between two cycles, `now` being the second: they issue no more, and leave
 * when what they have in flight has come back. */
void cu_end_waves(struct cu *c, const struct cu_dispatch *d, cycle_t now);
/* The same cycles: w has executed instructions without time, and may be elsewhere, or at a barrier that has become
 * open: it is decided about again in `now`. False when out of host memory. */
bool cu_moved(struct cu *c, struct cu_wave *w, cycle_t now);

/* launch.c: puts wave `number` of a placed group on a SIMD; its life starts at `now`. False when out of host memory. */
bool cu_launch(struct cu *c, struct cu_group *g, uint32_t number, uint32_t simd, uint32_t scratch_slot, uint64_t stamp,
               cycle_t now, struct arena *arena);

/* Allocates the resources of a wave in the dispatcher's books. */
void cu_allocate(struct cu *c, const struct cu_dispatch *d, uint32_t simd);
/* Releases its vector registers alone, or all a wave has. */
void cu_release_vgprs(struct cu *c, struct cu_wave *w, cycle_t now);
void cu_release_wave(struct cu *c, struct cu_wave *w, bool group_ends, cycle_t now);
/* Returns to the books what has reached the dispatcher; returns when the next release will. */
cycle_t cu_releases_take(struct cu_context *x, cycle_t now);

/* wave.c: the decision about one wave */
void cu_wave_update(struct cu *c, struct cu_wave *w, cycle_t now);
/* An event has ended the wait of a sleeping wave: it is decided about again in this cycle. */
void cu_wave_wake(struct cu *c, struct cu_wave *w, cycle_t now);
/* Makes a wave TIMED from now on. */
void cu_wave_sleep(struct cu *c, struct cu_wave *w, enum timing_stall reason, cycle_t until);
/* w has issued: decides about its next instruction, as far as that is known now. */
void cu_wave_issued(struct cu *c, struct cu_wave *w);
/* When s_sleep of `units` in cycle `now` ends: at the units-th tick of a clock that runs for all waves. */
cycle_t cu_sleep_end(const struct cu_context *x, uint32_t units, cycle_t now);
/* w, which has executed nothing that does, stops its dispatch with a fault (status ISA_FAULT). */
void cu_stop(struct cu *c, struct cu_wave *w, enum isa_status status, cycle_t now);

/* A queue of a part towards memory, or its tensor unit, has an entry again from cycle `from` on, when SIMDs with waves
 * that are stalled on it arbitrate. */
void cu_entry_freed(struct cu *c, uint32_t part, cycle_t from);

/* The last arrival at global wave sync, or at the barrier of a cluster, has to go from its compute unit to a unit in
 * the middle of the chip as messages do, and the release comes from there as a new wave would. (That of a cluster may
 * be nearer; nothing public says.) */
static inline cycle_t cu_gws_cycles(const struct profile *p)
{
    return p->cls[OPC_MESSAGE].latency_cycles + p->frontend.launch_latency_cycles;
}

/* `by` has returned ISA_WAKEUP: those that it wakes sleep no longer. */
void cu_group_wake(struct cu *c, const struct cu_wave *by, cycle_t now);
void cu_wave_check(struct cu *c, struct cu_wave *w, cycle_t now); /* check mode: same answer as before? */
/* Cycle from which another barrier signal of the SIMD may be in flight, and the signal of w. */
cycle_t cu_barrier_credit_at(const struct cu *c, const struct cu_simd *s);
void cu_barrier_signal(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now);
/* `barriers` of g (a bit each, isa/barrier.h) were completed in this cycle. */
void cu_barriers_complete(struct cu *c, struct cu_group *g, uint32_t barriers, cycle_t now);

/* execute.c: w issues its next instruction */
void cu_issue(struct cu *c, struct cu_simd *s, struct cu_wave *w, cycle_t now);

/* arbitration.c: which waves of a SIMD issue in cycle `now`; at least one is ready */
void cu_simd_arbitrate(struct cu *c, struct cu_simd *s, cycle_t now);
/* Charges the waves that lost the VALU: to arbitration up to s->lost_until, to the busy VALU from then on. */
void cu_simd_settle_lost(struct cu *c, struct cu_simd *s);

/* issue_slots.c: fills in the issue slots of the profile, and what arbitration has to know of the ports. */
void port_issue_slots(struct cu_context *x);

/* The waves that contend for a port: those ready for it, but for waves excluded by a clause of another one. */
static inline uint32_t cu_eligible(const struct cu_simd *s, unsigned port)
{
    return s->clause_ports >> port & 1 ? s->ready[port] & UINT32_C(1) << s->clause_owner[port] : s->ready[port];
}
/* The SIMD that arbitrates in cycle t, where SIMDs take turns. */
static inline uint32_t cu_simd_in_turn(const struct cu_context *x, cycle_t t)
{
    return (uint32_t)(x->simds_mask ? t & x->simds_mask : t % x->simds);
}
/* First cycle >= t in which the SIMD arbitrates. */
static inline cycle_t cu_next_arbitration(const struct cu_context *x, uint32_t simd, cycle_t t)
{
    uint32_t at;

    if (!x->round_robin)
        return t;
    if (x->simds_mask)
        return t + ((simd - (uint32_t)t) & x->simds_mask);
    at = cu_simd_in_turn(x, t);
    return t + (simd >= at ? simd - at : x->simds - at + simd);
}

/* memory_ops.c: outstanding operations */
void cu_ops_issue(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now);
/* One of the operation's completions. */
void cu_op_done(struct cu *c, uint32_t token, cycle_t now);
/* Returns what may return by `now` of a part's vector loads; the next cycle with such. */
cycle_t cu_returns_advance(struct cu *c, unsigned part, cycle_t now);
bool cu_ops_init(struct cu *c, struct arena *arena);

/* forwarding.c: forwarding latency for each pair of producer and consumer */
void timing_forwarding(struct cu_context *x);

/* fetch.c: the instruction buffers of waves and the unit that fills them */
void cu_fetch_start(struct cu *c, struct cu_wave *w, gaddr_t pc); /* a new wave */
void cu_fetch_restart(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t from);
/* The blocks that a wave wants at its launch have arrived (script.h). */
void cu_fetch_grant(struct cu *c, struct cu_wave *w);
/* its next instruction, which follows the one that issued, is at pc */
void cu_fetch_consume(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now);
void cu_fetch_branch(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now);        /* it branches to pc */
void cu_fetch_fall_through(struct cu *c, struct cu_wave *w, gaddr_t pc, cycle_t now);  /* it does not branch */
void cu_fetch_distance(struct cu *c, struct cu_wave *w, uint32_t blocks, cycle_t now); /* s_inst_prefetch */
void cu_fetch_prefetch(struct cu *c, unsigned part, gaddr_t from, uint32_t bytes);     /* into the cache alone */
void cu_fetch_stop(struct cu *c, struct cu_wave *w);
void cu_fetch_arrive(struct cu *c, uint64_t token, cycle_t now);
void cu_fetch_arrivals(struct cu *c, cycle_t now); /* the same for blocks that come in cycles known beforehand */
cycle_t cu_fetch_tick(struct cu *c, unsigned part, cycle_t now);

static inline uint32_t cu_lds_port_of(const struct cu *c, const struct cu_wave *w)
{
    return w->simd * c->lds_ports / c->x->simds;
}

/* Whether the table of outstanding operations has a free entry. */
static inline bool cu_ops_can_accept(const struct cu *c, cycle_t now)
{
    return pipe_can_accept(&c->misc.pipe, now) && (c->op_free != CU_NO_OP || c->op_fresh != c->op_count);
}

static inline bool cu_fetch_has(const struct cu_context *x, const struct cu_wave *w, gaddr_t pc, unsigned bytes)
{
    gaddr_t at = pc - w->fetch.base, held = w->fetch.hi - w->fetch.base;

    /* after a branch to a block that is in flight, the buffer begins after what has arrived */
    return (held <= INT64_MAX && at < held && bytes <= held - at) || x->profile->ideal.free_fetch;
}

#endif

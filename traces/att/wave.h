/* The life of one wave in a thread trace, put together out of the event stream.
 *
 * The engine says for each cycle of a wave why it does not issue. A thread trace says three things of each instruction:
 * when the wave first tried to issue it (time), for how long it could not (stall), and how long it took in all
 * (duration). The reasons are mapped like this:
 *
 *   idle   launch, fetch, dependencies, lost arbitration: before the wave tries. Not the instruction's time
 *   stall  a unit, a queue or a counter is full: from the first such cycle on the wave tries
 *   wait   wait counters, likewise; a barrier and s_sleep, whose cycles the engine has after the issue: the
 * instruction counts as issued when they are over, as hardware's thread trace has it exec   issue slots, s_nop, the
 * cost of a branch: the instruction's own time
 *
 * duration ends with the issue (gfx9 and before); from gfx10 on with the execution, where the engine knows when an
 * ALU's result is ready, and with the issue elsewhere. The cycles after s_endpgm in which a wave drains are idle.
 *
 * Cycles outside of [from, to) are cut off: instructions that issue there are left out, and a wave that lives across a
 * border begins or ends there.
 */
#ifndef GCNSIM_TRACES_ATT_WAVE_H
#define GCNSIM_TRACES_ATT_WAVE_H

#include "traces/att/code.h"

enum att_state { ATT_EMPTY, ATT_IDLE, ATT_EXEC, ATT_WAIT, ATT_STALL, ATT_STATES };

enum { ATT_OUTSTANDING = 64 }; /* more than any wait counter can count */

struct att_inst {
    cycle_t time;
    uint32_t stall, duration, line;
    uint8_t category;
};

struct att_span {
    uint8_t state;
    cycle_t cycles;
};

/* A wait and what it waits for: `count` lines from `first` on in the list of lines. */
struct att_wait {
    uint32_t line, first, count;
};

/* Memory instructions that a counter counts, by line, the oldest first. */
struct att_queue {
    uint32_t line[ATT_OUTSTANDING];
    uint8_t count;
    bool out_of_order;
};

#define ATT_LIST(T)                                                                                                    \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t count, room;                                                                                            \
    }

struct att_wave {
    bool live, traced; /* traced: its instructions are wanted */
    cycle_t begin, end;
    uint64_t group;
    uint16_t number;

    uint8_t state; /* since `since` */
    uint8_t held;  /* it is after an issue, and waits (ATT_WAIT) or executes (ATT_EXEC); ATT_EMPTY: neither */
    cycle_t since;
    cycle_t tried;    /* the wave tries to issue from this cycle on; CYCLE_NEVER: not yet */
    bool has_pending; /* the instruction that issued last: */
    bool over;        /* and when it is over is known */
    struct {
        size_t row;
        cycle_t time, issue, end, result;
        cycle_t held; /* cycles that it waited after its issue */
    } pending;
    cycle_t last_end; /* of all instructions so far */

    ATT_LIST(struct att_inst) inst;
    ATT_LIST(struct att_span) span;
    ATT_LIST(struct att_wait) wait;
    ATT_LIST(uint32_t) waited;
    struct att_queue *queue; /* by enum wait_counter */
    bool no_memory;
};

/* What is the same for all waves of a trace. */
struct att_waves {
    struct att_code *code;
    cycle_t from, to;
    bool execution;             /* durations end with the execution */
    uint64_t instructions, max; /* taken so far; no more are */
    uint64_t left_out;          /* for that */
};

void att_wave_begin(struct att_wave *w, const struct att_waves *x, const struct event *e, bool traced);
/* For a traced wave: issues and changes of stall reasons. */
void att_wave_event(struct att_wave *w, struct att_waves *x, const struct event *e);
/* It is over: w->end and the lists are final. */
void att_wave_end(struct att_wave *w, struct att_waves *x, cycle_t at);
/* Whether any of it lies within the wanted cycles. */
bool att_wave_shows(const struct att_wave *w);
void att_wave_json(FILE *f, const struct att_wave *w, const struct trace_place *place, unsigned simd, unsigned slot,
                   unsigned id);
/* Releases the lists; the struct may be begun again. */
void att_wave_clear(struct att_wave *w);

/* Makes room for one element; false: out of host memory. */
bool att_room(void **at, size_t *room, size_t count, size_t bytes);
#define ATT_ROOM(LIST) att_room((void **)&(LIST).at, &(LIST).room, (LIST).count, sizeof *(LIST).at)

#endif

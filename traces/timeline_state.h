/* The timeline's state, for its own files. */
#ifndef GCNSIM_TRACES_TIMELINE_STATE_H
#define GCNSIM_TRACES_TIMELINE_STATE_H

#include <pthread.h>

#include "sim/util/output.h"
#include "traces/perfetto.h"
#include "traces/timeline.h"

enum {
    TIMELINE_SIMDS = 8,              /* of a CU, */
    TIMELINE_SLOTS = 32,             /* and wave slots of one of these: more than any chip has */
    TIMELINE_UNITS = LEVEL_COUNT + 2 /* that answer: caches, memory, LDS */
};
#define TIMELINE_LDS (LEVEL_COUNT + 1)

/* What is known of an instruction, by its pc. */
struct timeline_inst {
    gaddr_t pc;
    uint64_t name, source;    /* name 0: an empty entry */
    uint64_t function, calls; /* texts; 0: unknown */
    uint64_t offset;
    uint8_t cls; /* enum op_class, once it has issued */
};

/* Interned texts of annotations: open addressing by their hash. */
struct timeline_words {
    struct timeline_word {
        char *text; /* null: an empty entry */
        uint64_t iid;
    } * word; /* 1 << bits */
    unsigned bits;
    size_t count;
};

struct timeline_text {
    struct timeline_text *next;
    char *id;
    gaddr_t base;
    struct timeline_inst *inst; /* open addressing by pc */
    size_t room, count;
};

/* A dispatch in flight; its tag is its place in timeline_chip.dispatch, from 1 on. */
struct timeline_flight {
    bool used, waves;
    uint64_t number, name, queue;
    char *grid, *workgroup;
    struct timeline_code code;
    struct timeline_text *text;
};

struct timeline_stall {
    cycle_t from, until;
    const char *key;
    uint8_t reason;
};

/* A wave slot: the wave in it, and its next instruction or the one that is issuing. */
struct timeline_slot {
    uint64_t track;
    bool resident, begun; /* begun: its slice is in the file */
    bool stalled;         /* the last stall goes on */
    bool issued;
    uint16_t dispatch, wave;
    uint8_t cls;
    cycle_t launched;
    uint64_t group;
    cycle_t from; /* the end of the issue before */
    gaddr_t pc;
    size_t inst; /* where it was found in the text, unless that has grown */
    cycle_t issued_at;
    uint64_t lanes;
    uint32_t result_cycles, conflict_cycles, addr_conflict_cycles;
    struct timeline_stall *stall; /* since `from` */
    uint32_t stalls, room;
};

/* Tracks of one name: as many as slices overlap. */
struct timeline_lanes {
    struct timeline_lane {
        uint64_t track;
        cycle_t end; /* of its last slice */
    } * lane;
    uint32_t count, room;
};

struct timeline_cu {
    uint64_t track, simd[TIMELINE_SIMDS];
    struct timeline_slot slot[TIMELINE_SIMDS * TIMELINE_SLOTS];
    struct timeline_lanes unit[TIMELINE_UNITS];
};

struct timeline_queue {
    char *name;
    struct timeline_lanes lanes;
};

struct timeline_chip {
    struct timeline_chip *next;
    struct timeline *t;
    uint32_t index;
    struct timeline_shape shape;
    char *name;
    uint64_t track, queues_track, counters_track;
    uint64_t *engine; /* tracks, 0: none yet */
    struct timeline_cu **cu;
    size_t cus;
    uint64_t *wgp;
    size_t wgps;
    struct timeline_flight *dispatch;
    uint32_t dispatches; /* entries there are */
    struct timeline_queue *queue;
    uint32_t queues, counters;
    uint64_t offset;    /* added to cycles */
    cycle_t first, end; /* cycles of its clock that are written */
    uint64_t open;      /* waves whose slice has begun */
    cycle_t now;        /* of the last event */
    bool over;          /* nothing more is written of its waves */
};

struct timeline {
    pthread_mutex_t lock;
    struct output output;
    struct packed *out;
    struct perfetto p;
    uint64_t max_bytes;
    cycle_t first, end;
    struct event_cus *cus;
    bool real_ns, no_memory, finished;
    struct timeline_chip *chips;
    struct timeline_text *texts;
    struct timeline_words words;
    uint64_t stall_name[256]; /* by reason; 0: none yet */
    struct timeline_info info;
};

static inline uint64_t timeline_ns(const struct timeline_chip *c, cycle_t at)
{
    at += c->offset;
    return c->t->real_ns ? (uint64_t)((unsigned __int128)at * 1000000 / c->shape.clock_khz) : at;
}

/* Cuts [*from, *until) to the cycles that are asked for; false: nothing of it is. */
static inline bool timeline_clip(const struct timeline_chip *c, cycle_t *from, cycle_t *until)
{
    if (*until < c->first || *from >= c->end || (*until == c->first && *from < *until))
        return false;
    *from = *from < c->first ? c->first : *from;
    *until = *until > c->end ? c->end : *until;
    return true;
}

/* timeline_write.c */
/* A place for a slice [begin, end) among tracks of one name: the first one that is free then, else a new one below
 * `parent`. 0: out of host memory. */
uint64_t timeline_lane(struct timeline_chip *c, struct timeline_lanes *l, uint64_t parent, const char *name,
                       uint32_t rank, cycle_t begin, cycle_t end);

/* timeline_words.c: the number of a text; 0: out of host memory. */
uint64_t timeline_word(struct timeline *t, const char *text);
void timeline_words_free(struct timeline_words *w);

/* timeline_waves.c */
/* No more is written of the chip's waves; those that go on end at a cycle. */
void timeline_stop(struct timeline_chip *c, cycle_t at);
void timeline_take(void *ctx, const struct event *e, size_t count);
/* Ends the slices of waves of a dispatch (0: of all) that go on, at a cycle. */
void timeline_end_waves(struct timeline_chip *c, uint16_t dispatch, cycle_t at);

#endif

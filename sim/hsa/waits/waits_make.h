/* A graph (waits.h) while it is made: waits_collect.c copies what the tables hold, waits_graph.c makes edges of it, and
 * waits_cycles.c says what goes on.
 */
#ifndef GCNSIM_HSA_WAITS_MAKE_H
#define GCNSIM_HSA_WAITS_MAKE_H

#include "sim/hsa/queues/queue.h"
#include "sim/hsa/waits/waits.h"

#define WAITS_NONE UINT32_MAX

/* A packet that has not ended. */
struct held_packet {
    struct packet_view view;
    uint32_t node;  /* WAITS_NONE: it has none yet */
    size_t blocker; /* the nearest one before it, of the queue's, that may not begin; SIZE_MAX: none */
};

/* Its packets that have not ended; those before `next` have begun. */
struct held_queue {
    uint32_t number;
    bool stopped;
    bool one_kernel; /* at a time, whatever the barrier bits say */
    uint64_t read;   /* index of packet[0] */
    struct held_packet *packet;
    size_t packets, next;
};

/* Who completes a signal: a packet of a queue, or a copy. */
struct held_completion {
    uint64_t signal;
    struct held_queue *queue; /* null: a copy, */
    size_t at;                /* which is this node; else of the queue's packets */
};

/* What a node waits for, until its edges are made. */
struct held_wait {
    const struct signal_condition *on;
    uint32_t count;
    struct held_queue *queue; /* of a packet */
    size_t at;
};

struct waits_make {
    struct waits *w;
    struct held_wait *held; /* of each node */
    uint32_t edge_room;
    struct held_queue *queue;
    uint32_t queues;
    struct held_completion *completion; /* by signal */
    size_t completions;
    void *signals;       /* a tree of struct held_signal (waits_graph.c) */
    uint32_t in_handler; /* node of the thread that waits in a handler; WAITS_NONE: none does */
    bool no_memory;
};

/* One more node, of which the wait is copied; null: out of host memory, or there are too many. */
struct wait_node *waits_add(struct waits_make *m, enum wait_kind kind, struct held_wait held);
/* The nodes of packets and signals, and all edges. */
void waits_connect(struct waits_make *m);
/* What goes on by itself, and cycles of the rest. */
void waits_find_cycles(struct waits_make *m);

#endif

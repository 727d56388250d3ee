/* Who waits for what when a process is ended before its time: a graph of the program's threads, handlers, copies,
 * packets and signals.
 *
 * A waiter for a signal has an edge to it, a signal to the packets and copies that will complete it, a packet to
 * those of its queue that have to begin or end first. Conditions that hold have no edge. Whether a node goes on by
 * itself is worked out from the packets that run: what a running kernel, the program or another process may still store
 * is not known, so a signal that nothing in the graph completes does not change. A cycle is one of nodes that do not go
 * on.
 *
 * The tables that it is made from are looked at one after the other, each under its own lock, while the program runs:
 * nobody is stopped for it, and no lock is held while another one is taken. State that moves meanwhile is reported as
 * it was at one moment or another, and a signal that is destroyed and made anew as either of the two.
 */
#ifndef GCNSIM_HSA_WAITS_H
#define GCNSIM_HSA_WAITS_H

#include "sim/hsa/signals/signal.h"
#include "sim/util/arena.h"

#define WAITS_MOST   16384 /* nodes */
#define WAITS_CYCLES 16

enum wait_kind { WAIT_THREAD, WAIT_HANDLER, WAIT_COPY, WAIT_PACKET, WAIT_SIGNAL, WAIT_KINDS };

/* For a packet. */
enum wait_state {
    WAIT_RUNS,      /* it has begun, and not ended */
    WAIT_NEXT,      /* it is the next of its queue to begin */
    WAIT_BEHIND,    /* it is behind that one */
    WAIT_UNWRITTEN, /* the program has reserved it, and not written it */
    WAIT_STOPPED,   /* its queue has been stopped, by an error or the program: it will neither begin nor end */
};

/* What an edge is about. */
enum wait_how {
    WAIT_VALUE,      /* the condition on a signal */
    WAIT_COMPLETION, /* what a packet or a copy does to a signal at its end */
    WAIT_BEGIN,      /* a packet that has to begin first */
    WAIT_END,        /* one that has to end first */
    WAIT_RETURN,     /* of the handler that a thread is in */
};

#define WAITS_NEVER UINT64_MAX

struct wait_edge {
    uint32_t to; /* node */
    enum wait_how how;
    struct signal_condition on; /* WAIT_VALUE */
    uint64_t completions;       /* WAIT_VALUE: that would make it hold; WAITS_NEVER: none would */
    bool goes_on;               /* what it is about comes by itself */
};

/* Texts are plain (plain_text()). */
struct wait_node {
    enum wait_kind kind;
    uint64_t number;         /* a thread's id; a packet's index; of signals as they were made, of others from 1 on */
    const char *name;        /* of a thread; of a dispatch's kernel; null: not known */
    bool any;                /* one of its conditions suffices */
    uint32_t held, unlooked; /* conditions that hold; what it waits for beyond the bounds of this */
    uint32_t first, edges;   /* in waits.edge */
    bool goes_on;            /* by itself */
    uint64_t completes;      /* handle of the signal that a packet or a copy completes; 0: none */
    /* packets */
    enum wait_state state;
    uint32_t queue;
    uint8_t type;              /* HSA_PACKET_TYPE_* */
    bool barrier;              /* the header's bit */
    uint64_t dispatch, behind; /* its number, 0 before it has begun; packets after it */
    uint64_t bytes;            /* copies */
    /* signals */
    uint64_t handle;
    bool known, shared, doorbell; /* known: there is such a signal; doorbell: of `queue` */
    hsa_signal_value_t value;
    const char *made; /* where: "libamdhip64.so.5+0x1234"; null: not known */
    uint32_t ready;   /* completions that come by themselves */
    uint64_t missing; /* completions that nobody known brings, at most of all that wait for it; WAITS_NEVER */
};

struct wait_cycle {
    uint32_t *node, nodes; /* each has an edge to the next one, the last to the first */
};

struct waits {
    struct arena arena;
    struct wait_node *node;
    uint32_t nodes;
    struct wait_edge *edge; /* in the order of nodes */
    uint32_t edges;
    struct wait_cycle cycle[WAITS_CYCLES]; /* without common nodes */
    uint32_t cycles;
    bool cut; /* there is more than WAITS_MOST nodes, or WAITS_CYCLES cycles */
};

/* What there is now; null: nobody waits, or out of host memory. */
struct waits *waits_collect(void);
void waits_free(struct waits *w); /* null is fine */

/* As lines below a heading; null: out of host memory. The caller frees it. */
char *waits_text(const struct waits *w);
/* A node's name: "queue 0, packet 3". */
#define WAITS_NAME 64
const char *waits_name(const struct wait_node *n, char name[WAITS_NAME]);
/* Words for files: kinds of nodes, states of packets, what edges are about, conditions. */
const char *waits_kind_word(enum wait_kind kind);
const char *waits_state_word(enum wait_state state);
const char *waits_how_word(enum wait_how how);
const char *waits_condition_word(hsa_signal_condition_t condition);
/* "barrier-AND", "dispatch of kernel k"; null: of a node that is no packet. */
const char *waits_packet_text(const struct wait_node *n, char *text, size_t size);

#endif

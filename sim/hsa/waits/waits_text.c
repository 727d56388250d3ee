/* A graph of waits as text, in the style of resident waves (docs/STUCK.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/hsa/waits/waits.h"
#include "sim/util/text_stream.h"

#define SHOWN_NODES 16 /* of a kind */
#define SHOWN_LINES 8  /* of a node */
#define SHOWN_STEPS 24 /* of a cycle */

/* Words ------------------------------------------------------------------------------------------------------------ */

static const char *const kinds[WAIT_KINDS][2] = {[WAIT_THREAD] = {"thread", "host thread"},
                                                 [WAIT_HANDLER] = {"handler", "handler"},
                                                 [WAIT_COPY] = {"copy", "copy"},
                                                 [WAIT_PACKET] = {"packet", "packet"},
                                                 [WAIT_SIGNAL] = {"signal", "signal"}};

const char *waits_kind_word(enum wait_kind kind)
{
    return kinds[kind][0];
}

const char *waits_state_word(enum wait_state state)
{
    static const char *const words[] = {[WAIT_RUNS] = "runs",
                                        [WAIT_NEXT] = "next",
                                        [WAIT_BEHIND] = "behind",
                                        [WAIT_UNWRITTEN] = "unwritten",
                                        [WAIT_STOPPED] = "stopped"};

    return words[state];
}

const char *waits_how_word(enum wait_how how)
{
    static const char *const words[] = {[WAIT_VALUE] = "value",
                                        [WAIT_COMPLETION] = "completion",
                                        [WAIT_BEGIN] = "begin",
                                        [WAIT_END] = "end",
                                        [WAIT_RETURN] = "return"};

    return words[how];
}

const char *waits_condition_word(hsa_signal_condition_t condition)
{
    switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ:
        return "==";
    case HSA_SIGNAL_CONDITION_NE:
        return "!=";
    case HSA_SIGNAL_CONDITION_LT:
        return "<";
    case HSA_SIGNAL_CONDITION_GTE:
        return ">=";
    }
    return "?";
}

const char *waits_name(const struct wait_node *n, char name[WAITS_NAME])
{
    if (n->kind == WAIT_PACKET)
        snprintf(name, WAITS_NAME, "queue %" PRIu32 " packet %" PRIu64, n->queue, n->number);
    else if (n->kind == WAIT_SIGNAL && n->doorbell)
        snprintf(name, WAITS_NAME, "doorbell of queue %" PRIu32, n->queue);
    else if (n->kind == WAIT_SIGNAL && !n->known)
        snprintf(name, WAITS_NAME, "signal 0x%" PRIx64, n->handle);
    else
        snprintf(name, WAITS_NAME, "%s %" PRIu64, kinds[n->kind][1], n->number);
    return name;
}

const char *waits_packet_text(const struct wait_node *n, char *text, size_t size)
{
    static const char *const types[] = {[HSA_PACKET_TYPE_VENDOR_SPECIFIC] = "barrier on a value",
                                        [HSA_PACKET_TYPE_BARRIER_AND] = "barrier-AND",
                                        [HSA_PACKET_TYPE_BARRIER_OR] = "barrier-OR"};

    if (n->kind != WAIT_PACKET)
        return NULL;
    if (n->type == HSA_PACKET_TYPE_KERNEL_DISPATCH && n->dispatch)
        snprintf(text, size, "dispatch %" PRIu64 ", kernel %s", n->dispatch, n->name ? n->name : "unknown");
    else if (n->type == HSA_PACKET_TYPE_KERNEL_DISPATCH)
        snprintf(text, size, "dispatch of kernel %s", n->name ? n->name : "unknown");
    else if (n->type == HSA_PACKET_TYPE_INVALID)
        snprintf(text, size, "reserved");
    else if (n->type < sizeof types / sizeof *types && types[n->type])
        snprintf(text, size, "%s", types[n->type]);
    else
        snprintf(text, size, "packet of type %u", n->type);
    return text;
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

static void label(FILE *f, const char *text)
{
    fprintf(f, "    %-13s ", text);
}

static void put_condition(FILE *f, const struct signal_condition *c, const struct wait_node *s)
{
    char name[WAITS_NAME];

    fputs(waits_name(s, name), f);
    if (c->mask != -1)
        fprintf(f, " & 0x%" PRIx64, (uint64_t)c->mask);
    fprintf(f, " %s %" PRId64, waits_condition_word(c->condition), (int64_t)c->compare);
    if (s->known)
        fprintf(f, "; it is %" PRId64 "\n", (int64_t)s->value);
    else
        fputs("; it has been destroyed\n", f);
}

static void put_edge(FILE *f, const struct waits *w, const struct wait_edge *e)
{
    const struct wait_node *to = &w->node[e->to];
    char name[WAITS_NAME];

    if (e->how == WAIT_VALUE) {
        put_condition(f, &e->on, to);
        return;
    }
    fputs(waits_name(to, name), f);
    if (e->how == WAIT_COMPLETION)
        fprintf(f, "%s\n",
                to->kind != WAIT_PACKET     ? ""
                : to->state == WAIT_RUNS    ? ", which runs"
                : to->state == WAIT_STOPPED ? ", whose queue has been stopped"
                                            : "");
    else
        fprintf(f, "%s\n",
                e->how == WAIT_BEGIN ? " to begin"
                : e->how == WAIT_END ? " to end"
                                     : ", which is in a handler");
}

static void put_edges(FILE *f, const struct waits *w, const struct wait_node *n, const char *first)
{
    uint32_t shown = n->edges < SHOWN_LINES ? n->edges : SHOWN_LINES, left = n->edges - shown + n->unlooked;

    for (uint32_t k = 0; k < shown; k++) {
        const struct wait_edge *e = &w->edge[n->first + k];

        label(f, k == 0 ? first : n->any && e[-1].how == WAIT_VALUE && e->how == WAIT_VALUE ? "or" : "and");
        put_edge(f, w, e);
    }
    if (left) {
        label(f, n->any ? "or" : "and");
        fprintf(f, "%" PRIu32 " more\n", left);
    }
}

/* Nodes ------------------------------------------------------------------------------------------------------------ */

static void put_waiter(FILE *f, const struct waits *w, const struct wait_node *n)
{
    char name[WAITS_NAME];

    fprintf(f, "  %s", waits_name(n, name));
    if (n->name)
        fprintf(f, ", %s", n->name);
    if (n->kind == WAIT_COPY)
        fprintf(f, ", %" PRIu64 " bytes", n->bytes);
    fputs(n->edges ? "\n" : ": what it waits for is there\n", f);
    put_edges(f, w, n, "waits for");
}

static const char *state_text(const struct wait_node *n)
{
    switch (n->state) {
    case WAIT_RUNS:
        return ", runs";
    case WAIT_STOPPED:
        return ", and the queue has been stopped";
    case WAIT_UNWRITTEN:
        return ", and the program has not written its header";
    default:
        return n->edges ? "" : ", may begin";
    }
}

static void put_packet(FILE *f, const struct waits *w, const struct wait_node *n)
{
    char name[WAITS_NAME], text[300];

    fprintf(f, "  %s: %s%s%s", waits_name(n, name), waits_packet_text(n, text, sizeof text),
            n->barrier && n->state == WAIT_NEXT ? ", barrier bit" : "", state_text(n));
    if (n->behind && n->state != WAIT_RUNS && n->state != WAIT_BEHIND)
        fprintf(f, "; %" PRIu64 " packet%s behind it", n->behind, n->behind == 1 ? "" : "s");
    fputc('\n', f);
    put_edges(f, w, n, "waits for");
}

/* What is missing beside the packets and copies that complete it. */
static void put_missing(FILE *f, const struct wait_node *n)
{
    if (n->edges && !n->missing)
        return;
    label(f, n->edges ? "and" : "completed by");
    if (!n->known)
        fputs("nobody: it is no signal any more\n", f);
    else if (n->edges && n->missing == WAITS_NEVER)
        fputs("no completion makes it that: the program or a kernel has to store to it\n", f);
    else if (n->edges && n->missing > 1)
        fprintf(f, "nobody that gcnsim knows of, %" PRIu64 " times: the program or a kernel has to store to it\n",
                n->missing);
    else
        fprintf(f, "nobody that gcnsim knows of: %sthe program or a kernel has to store to it\n",
                n->shared ? "another process, " : "");
}

static void put_signal(FILE *f, const struct waits *w, const struct wait_node *n)
{
    char name[WAITS_NAME];

    fprintf(f, "  %s", waits_name(n, name));
    if (n->known)
        fprintf(f, ", 0x%" PRIx64, n->handle);
    fprintf(f, "%s%s\n", n->made ? ", made at " : "", n->made ? n->made : "");
    put_edges(f, w, n, "completed by");
    put_missing(f, n);
}

/* Whether a packet is reported by itself, and not where it completes a signal alone. */
static bool is_shown(const struct waits *w, const struct wait_node *n)
{
    if (n->kind != WAIT_PACKET || n->state != WAIT_BEHIND)
        return true;
    for (uint32_t k = n->first; k < n->first + n->edges; k++)
        if (w->edge[k].how == WAIT_VALUE)
            return true;
    return false;
}

static int by_place(const void *a, const void *b)
{
    const struct wait_node *x = *(const struct wait_node *const *)a, *y = *(const struct wait_node *const *)b;

    if (x->queue != y->queue)
        return x->queue < y->queue ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Nodes of a kind by their numbers; order: has room for all nodes. */
static void put_kind(FILE *f, const struct waits *w, enum wait_kind kind, const struct wait_node **order)
{
    uint32_t count = 0, shown;

    for (uint32_t k = 0; k < w->nodes; k++)
        if (w->node[k].kind == kind && is_shown(w, &w->node[k]))
            order[count++] = &w->node[k];
    if (count)
        qsort(order, count, sizeof *order, by_place);
    shown = count < SHOWN_NODES ? count : SHOWN_NODES;
    for (uint32_t k = 0; k < shown; k++)
        if (kind == WAIT_SIGNAL)
            put_signal(f, w, order[k]);
        else if (kind == WAIT_PACKET)
            put_packet(f, w, order[k]);
        else
            put_waiter(f, w, order[k]);
    if (count > shown)
        fprintf(f, "  and %" PRIu32 " more of the kind: %s\n", count - shown, kinds[kind][1]);
}

static void put_cycle(FILE *f, const struct waits *w, const struct wait_cycle *c)
{
    char name[WAITS_NAME];

    fputs("  cycle: ", f);
    for (uint32_t k = 0; k < c->nodes; k++)
        if (k < SHOWN_STEPS)
            fprintf(f, "%s -> ", waits_name(&w->node[c->node[k]], name));
    if (c->nodes > SHOWN_STEPS)
        fprintf(f, "%" PRIu32 " more -> ", c->nodes - SHOWN_STEPS);
    fprintf(f, "%s\n", waits_name(&w->node[c->node[0]], name));
}

char *waits_text(const struct waits *w)
{
    const struct wait_node **order = malloc((w->nodes + 1) * sizeof *order);
    struct text_stream t;

    if (!order || !text_stream_open(&t)) {
        free(order);
        return NULL;
    }
    for (int kind = 0; kind < WAIT_KINDS; kind++)
        put_kind(t.f, w, (enum wait_kind)kind, order);
    free(order);
    for (uint32_t k = 0; k < w->cycles; k++)
        put_cycle(t.f, w, &w->cycle[k]);
    if (w->cut)
        fprintf(t.f, "  there is more than the %u threads, packets and signals, or %u cycles, that are looked at\n",
                WAITS_MOST, WAITS_CYCLES);
    return text_stream_close(&t);
}

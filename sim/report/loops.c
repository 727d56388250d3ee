/* Natural loops of the functions of a run: basic blocks, dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance
 * Algorithm"), branches back, and how often each loop was entered. */
#include "sim/report/code_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PASSES 64   /* over the edges, for their counts */
#define MAX_LOOPS  4096 /* of a function; more are no program's */

struct edge {
    uint32_t from, to;
    uint64_t count;
    bool known;
};

struct block {
    uint32_t first, last;    /* instructions */
    uint32_t succ[2];        /* edges; REPORT_NONE */
    uint32_t pred_at, preds; /* in `pred` */
    uint32_t order, idom;    /* in reverse postorder; REPORT_NONE: not reached from the entry */
    uint32_t loop;           /* the innermost */
    uint32_t stamp;          /* of the last loop whose body it was found in */
};

/* One function. */
struct graph {
    struct code_maker *c;
    const struct report_function *f;
    uint32_t function;
    struct block *block;
    struct edge *edge;
    uint32_t *pred, *of_inst, *rpo, *work;
    uint32_t blocks, edges, reached;
};

static bool ends_block(const struct code_maker *c, size_t k)
{
    uint8_t flow = c->place[k].flow;

    return flow != ISA_FLOW_NEXT && flow != ISA_FLOW_CALL;
}

static bool falls_through(const struct code_maker *c, uint32_t k, uint32_t end)
{
    uint8_t flow = c->place[k].flow;

    return k + 1 < end && (flow == ISA_FLOW_NEXT || flow == ISA_FLOW_CALL || flow == ISA_FLOW_BRANCH) &&
           c->place[k + 1].pc == c->place[k].pc + c->place[k].size;
}

static bool inside(const struct graph *g, uint32_t inst)
{
    return inst != REPORT_NONE && inst >= g->f->first && inst < g->f->first + g->f->count &&
           g->c->code->inst[inst].function == g->function;
}

/* Instructions of one function may lie among those of another only without symbols: such have no blocks in common. */
static bool contiguous(const struct graph *g)
{
    return g->f->count && g->c->code->inst[g->f->first + g->f->count - 1].function == g->function &&
           g->f->first + g->f->count <= g->c->code->insts;
}

static void make_blocks(struct graph *g)
{
    const struct report_code_inst *inst = g->c->code->inst;
    uint32_t first = g->f->first, end = first + g->f->count;

    for (uint32_t k = first; k < end; k++) /* of_inst: whether a block begins there */
        if (inside(g, inst[k].target))
            g->of_inst[inst[k].target - first] = 1;
    g->of_inst[0] = 1;
    for (uint32_t k = first; k < end; k++) {
        bool begins =
            g->of_inst[k - first] || k == first || ends_block(g->c, k - 1) || !falls_through(g->c, k - 1, end);

        if (begins)
            g->block[g->blocks++] = (struct block){.first = k,
                                                   .succ = {REPORT_NONE, REPORT_NONE},
                                                   .loop = REPORT_NONE,
                                                   .order = REPORT_NONE,
                                                   .idom = REPORT_NONE,
                                                   .stamp = REPORT_NONE};
        g->block[g->blocks - 1].last = k;
        g->of_inst[k - first] = g->blocks - 1;
    }
}

static void add_edge(struct graph *g, uint32_t from, unsigned which, uint32_t to)
{
    g->block[from].succ[which] = g->edges;
    g->block[to].preds++;
    g->edge[g->edges++] = (struct edge){from, to, 0, false};
}

static void make_edges(struct graph *g)
{
    const struct report_code_inst *inst = g->c->code->inst;
    uint32_t end = g->f->first + g->f->count, at = 0;

    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t last = g->block[b].last;

        if (falls_through(g->c, last, end))
            add_edge(g, b, 0, g->of_inst[last + 1 - g->f->first]);
        if (inside(g, inst[last].target))
            add_edge(g, b, 1, g->of_inst[inst[last].target - g->f->first]);
    }
    for (uint32_t b = 0; b < g->blocks; b++) {
        g->block[b].pred_at = at;
        at += g->block[b].preds;
        g->block[b].preds = 0;
    }
    for (uint32_t e = 0; e < g->edges; e++) {
        struct block *to = &g->block[g->edge[e].to];
        g->pred[to->pred_at + to->preds++] = e;
    }
}

/* ---- dominators ---- */

/* Reverse postorder from block `entry`, with a stack of blocks and of how many of their edges are done. */
static void number_blocks(struct graph *g, uint32_t entry)
{
    uint32_t depth = 0, n = 0, *stack = g->work, *done = g->work + g->blocks;

    g->block[entry].order = 0; /* seen */
    stack[depth] = entry;
    done[depth++] = 0;
    while (depth) {
        uint32_t b = stack[depth - 1], k = done[depth - 1]++, e = k < 2 ? g->block[b].succ[k] : REPORT_NONE;

        if (k >= 2) {
            g->rpo[n++] = b;
            depth--;
        } else if (e != REPORT_NONE && g->block[g->edge[e].to].order == REPORT_NONE) {
            g->block[g->edge[e].to].order = 0;
            stack[depth] = g->edge[e].to;
            done[depth++] = 0;
        }
    }
    for (uint32_t k = 0; k < n / 2; k++) {
        uint32_t other = g->rpo[k];

        g->rpo[k] = g->rpo[n - 1 - k];
        g->rpo[n - 1 - k] = other;
    }
    for (uint32_t k = 0; k < n; k++)
        g->block[g->rpo[k]].order = k;
    g->reached = n;
}

static uint32_t common_dominator(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->block[a].order > g->block[b].order)
            a = g->block[a].idom;
        while (g->block[b].order > g->block[a].order)
            b = g->block[b].idom;
    }
    return a;
}

static void find_dominators(struct graph *g)
{
    bool changed = true;

    g->block[g->rpo[0]].idom = g->rpo[0];
    while (changed) {
        changed = false;
        for (uint32_t k = 1; k < g->reached; k++) {
            struct block *b = &g->block[g->rpo[k]];
            uint32_t idom = REPORT_NONE;

            for (uint32_t p = 0; p < b->preds; p++) {
                uint32_t from = g->edge[g->pred[b->pred_at + p]].from;

                if (g->block[from].idom != REPORT_NONE)
                    idom = idom == REPORT_NONE ? from : common_dominator(g, idom, from);
            }
            changed = changed || idom != b->idom;
            b->idom = idom;
        }
    }
}

static bool dominates(const struct graph *g, uint32_t a, uint32_t b)
{
    if (g->block[a].order == REPORT_NONE || g->block[b].order == REPORT_NONE)
        return false;
    while (g->block[b].order > g->block[a].order)
        b = g->block[b].idom;
    return a == b;
}

static bool goes_back(const struct graph *g, const struct edge *e)
{
    return dominates(g, e->to, e->from);
}

/* ---- counts ---- */

static uint64_t executed(const struct graph *g, uint32_t b)
{
    return g->c->code->inst[g->block[b].first].stat[STAT_INST_EXECUTED];
}

/* When all edges of a block but one are known, that one takes the rest. */
static bool complete(struct graph *g, const uint32_t *edges, uint32_t n, uint64_t whole)
{
    uint32_t missing = REPORT_NONE;

    for (uint32_t k = 0; k < n; k++) {
        if (edges[k] == REPORT_NONE)
            continue;
        struct edge *e = &g->edge[edges[k]];
        if (e->known && e->count > whole)
            return false; /* a wave was stopped in between */
        if (e->known)
            whole -= e->count;
        else if (missing != REPORT_NONE)
            return false;
        else
            missing = edges[k];
    }
    if (missing == REPORT_NONE)
        return false;
    g->edge[missing].count = whole;
    g->edge[missing].known = true;
    return true;
}

static void count_edges(struct graph *g, uint32_t entry)
{
    bool changed = true;

    for (unsigned pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t b = 0; b < g->blocks; b++) {
            uint8_t flow = g->c->place[g->block[b].last].flow;
            bool stays = flow != ISA_FLOW_END && flow != ISA_FLOW_LEAVE;

            if (stays)
                changed |= complete(g, g->block[b].succ, 2, executed(g, b));
            if (b != entry)
                changed |= complete(g, g->pred + g->block[b].pred_at, g->block[b].preds, executed(g, b));
        }
    }
}

/* ---- loops ---- */

/* The blocks of the loop with this header, into g->work; how many. */
static uint32_t find_body(struct graph *g, uint32_t header, uint32_t stamp)
{
    uint32_t n = 0;

    g->block[header].stamp = stamp;
    g->work[n++] = header;
    for (uint32_t p = 0; p < g->block[header].preds; p++) {
        const struct edge *e = &g->edge[g->pred[g->block[header].pred_at + p]];

        if (goes_back(g, e) && g->block[e->from].stamp != stamp) {
            g->block[e->from].stamp = stamp;
            g->work[n++] = e->from;
        }
    }
    for (uint32_t k = 1; k < n; k++) {
        const struct block *b = &g->block[g->work[k]];

        for (uint32_t p = 0; p < b->preds; p++) {
            uint32_t from = g->edge[g->pred[b->pred_at + p]].from;

            if (g->block[from].stamp != stamp && g->block[from].order != REPORT_NONE) {
                g->block[from].stamp = stamp;
                g->work[n++] = from;
            }
        }
    }
    return n;
}

/* How often the loop was entered: what flows into its header from outside. */
static void count_entries(struct graph *g, struct report_loop *l, uint32_t header, uint32_t entry)
{
    uint64_t inside_count = 0, outside = 0;
    bool inside_known = true, outside_known = header != entry;

    for (uint32_t p = 0; p < g->block[header].preds; p++) {
        const struct edge *e = &g->edge[g->pred[g->block[header].pred_at + p]];
        bool back = goes_back(g, e);

        inside_count += back ? e->count : 0;
        outside += back ? 0 : e->count;
        inside_known = inside_known && (!back || e->known);
        outside_known = outside_known && (back || e->known);
    }
    l->iterations = executed(g, header);
    l->entries_known = outside_known || (inside_known && inside_count <= l->iterations);
    l->entries = outside_known ? outside : l->entries_known ? l->iterations - inside_count : 0;
}

static void place_loop(struct graph *g, struct report_loop *l, uint32_t n)
{
    const struct report_code_inst *inst = g->c->code->inst;

    l->first = l->last = l->header;
    for (uint32_t k = 0; k < n; k++) {
        const struct block *b = &g->block[g->work[k]];

        l->first = b->first < l->first ? b->first : l->first;
        l->last = b->last > l->last ? b->last : l->last;
        for (uint32_t i = b->first; i <= b->last; i++) {
            const struct report_frame *f = inst[i].frames ? &inst[i].frame[inst[i].frames - 1] : NULL;

            if (f && f->file && f->line && (!l->file || f->line < l->line)) {
                l->file = f->file;
                l->line = f->line;
            }
        }
    }
}

struct found {
    uint32_t header, blocks, loop;
};

/* The smaller ones first: they lie in the others. */
static int by_size(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->blocks != y->blocks)
        return x->blocks < y->blocks ? -1 : 1;
    return x->header < y->header ? -1 : x->header > y->header;
}

static bool is_header(const struct graph *g, uint32_t b)
{
    for (uint32_t p = 0; p < g->block[b].preds; p++)
        if (goes_back(g, &g->edge[g->pred[g->block[b].pred_at + p]]))
            return true;
    return false;
}

/* Whoever has no parent yet and lies in this loop lies in it. */
static void take_body(struct graph *g, uint32_t loop, uint32_t n)
{
    struct report_loop *all = g->c->code->loop;

    for (uint32_t k = 0; k < n; k++) {
        uint32_t *at = &g->block[g->work[k]].loop;

        if (*at == REPORT_NONE) {
            *at = loop;
            continue;
        }
        uint32_t top = *at;
        while (top != loop && all[top].parent != REPORT_NONE)
            top = all[top].parent;
        if (top != loop)
            all[top].parent = loop;
    }
}

static void find_loops(struct graph *g, uint32_t entry)
{
    struct report_code *code = g->c->code;
    struct found *found = calloc(g->blocks, sizeof *found);
    uint32_t count = 0;

    for (uint32_t b = 0; found && b < g->blocks && count < MAX_LOOPS; b++)
        if (is_header(g, b)) {
            found[count] = (struct found){b, find_body(g, b, count), (uint32_t)code->loops + count};
            count++;
        }
    g->c->m->no_memory = g->c->m->no_memory || !found;
    for (uint32_t k = 0; k < count; k++) {
        struct report_loop *l = &code->loop[found[k].loop];

        *l = (struct report_loop){
            .function = g->function, .parent = REPORT_NONE, .header = g->block[found[k].header].first};
        count_entries(g, l, found[k].header, entry);
    }
    code->loops += count;
    if (count)
        qsort(found, count, sizeof *found, by_size);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t n = find_body(g, found[k].header, count + k);

        place_loop(g, &code->loop[found[k].loop], n);
        take_body(g, found[k].loop, n);
    }
    for (uint32_t b = 0; b < g->blocks; b++)
        for (uint32_t i = g->block[b].first; i <= g->block[b].last; i++)
            code->inst[i].loop = g->block[b].loop;
    free(found);
}

static void one_function(struct code_maker *c, uint32_t function)
{
    struct graph g = {.c = c, .f = &c->code->function[function], .function = function};
    size_t n = g.f->count;

    if (!contiguous(&g))
        return;
    g.block = malloc(n * sizeof *g.block);
    g.edge = malloc(2 * n * sizeof *g.edge);
    g.pred = malloc(2 * n * sizeof *g.pred);
    g.of_inst = calloc(n, sizeof *g.of_inst);
    g.rpo = malloc(n * sizeof *g.rpo);
    g.work = malloc((2 * n + 2) * sizeof *g.work);
    if (g.block && g.edge && g.pred && g.of_inst && g.rpo && g.work) {
        gaddr_t at = c->m->l->entry;
        uint32_t entry = 0;

        make_blocks(&g);
        make_edges(&g);
        for (uint32_t b = 0; g.f->kernel && b < g.blocks; b++)
            if (c->code->inst[g.block[b].first].pc == at)
                entry = b;
        number_blocks(&g, entry);
        find_dominators(&g);
        count_edges(&g, entry);
        find_loops(&g, entry);
    } else {
        c->m->no_memory = true;
    }
    free(g.block);
    free(g.edge);
    free(g.pred);
    free(g.of_inst);
    free(g.rpo);
    free(g.work);
}

void report_find_loops(struct code_maker *c)
{
    struct report_code *code = c->code;

    code->loop = REPORT_ARRAY(c->m, code->insts, struct report_loop);
    for (uint32_t k = 0; k < code->insts && !c->m->no_memory; k++) /* functions as they lie, so loops are by header */
        if (code->function[code->inst[k].function].first == k)
            one_function(c, code->inst[k].function);
    for (size_t k = 0; k < code->loops && !c->m->no_memory; k++) {
        code->loop[k].depth = 1;
        for (uint32_t p = code->loop[k].parent; p != REPORT_NONE; p = code->loop[p].parent)
            code->loop[k].depth++;
    }
}

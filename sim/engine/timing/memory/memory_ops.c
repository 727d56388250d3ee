/* Outstanding memory operations: from the issue of a memory or message instruction to the counting down of its wait
 * counters.
 *
 * Operations of a wave that share a counter count down in issue order, except scalar loads and messages, which come
 * back as they like. An operation on several counters counts each down on its own. Flat raises that of memory and that
 * of LDS (ISA manuals, "Flat memory instructions"), and each part completes when all of its requests have come
 * back; one that no lane has gone is over when the instruction has issued, as one without any lane is (inferred).
 */
#include "sim/engine/timing/cu/emit.h"
#include "sim/engine/timing/memory/access_shape.h"
#include "sim/engine/timing/memory/exact_waits.h"
#include "sim/engine/timing/memory/full_lines.h"
#include "sim/engine/timing/memory/loads_ahead.h"
#include "sim/engine/timing/memory/tensor_unit.h"

#include <math.h>

bool cu_ops_init(struct cu *c, struct arena *arena)
{
    uint32_t per_wave = 0;

    for (unsigned k = 0; k < WAIT_COUNT; k++)
        per_wave += c->x->counter_max[k];
    c->op_count = c->x->simds * c->x->slots * (per_wave + 1);
    if (c->op_count > CU_NO_OP)
        c->op_count = CU_NO_OP;
    c->op = arena_alloc_unset(arena, c->op_count, sizeof *c->op, _Alignof(struct cu_op));
    c->op_free = CU_NO_OP;
    for (unsigned k = 0; k < CU_MAX_PARTS; k++)
        c->returns[k] = (struct cu_returns){.first = CU_NO_OP, .last = CU_NO_OP};
    return c->op != NULL;
}

enum {
    LDS_COUNTERS = 1 << WAIT_LGKM | 1 << WAIT_DS,
    VECTOR_COUNTERS = 1 << WAIT_VM | 1 << WAIT_VS | 1 << WAIT_LOAD | 1 << WAIT_STORE
};

/* The LDS counters of a flat instruction, which may access memory and LDS. */
static uint16_t flat_lds_counters(const struct timing_info *i)
{
    return i->counters & VECTOR_COUNTERS ? i->counters & LDS_COUNTERS : 0;
}

/* What op has copied to LDS is there: copies of a wave come in order, as they share a counter. */
static NOINLINE void land_copies(struct cu *c, struct cu_wave *w, const struct cu_op *op, cycle_t now)
{
    if (isa_lds_copies_settle(w->isa, &w->d->env, op->copies) == ISA_FAULT)
        cu_stop(c, w, ISA_FAULT, now);
}

static uint16_t op_new(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    uint16_t n = c->op_free;
    struct cu_op *op;

    if (n != CU_NO_OP)
        c->op_free = c->op[n].next;
    else
        n = (uint16_t)c->op_fresh++;
    assert(n < c->op_count);
    op = &c->op[n];
    *op = (struct cu_op){.wave = w->index,
                         .next = CU_NO_OP,
                         .counters = (uint16_t)i->counters,
                         .lds_counters = flat_lds_counters(i),
                         .lds_pending = flat_lds_counters(i) != 0,
                         .info = i,
                         .issued = now,
                         .unordered = i->port == PORT_SMEM || i->port == PORT_BRANCH};
    if (w->op_head == CU_NO_OP)
        w->op_head = n;
    else
        c->op[w->op_tail].next = n;
    w->op_tail = n;
    for (uint32_t m = op->counters; m; m &= m - 1)
        w->outstanding[__builtin_ctz(m)]++;
    if (__builtin_expect(w->landing != NULL, 0))
        exact_waits_issue(w, i);
    if (__builtin_expect(w->ahead != NULL, 0))
        loads_ahead_begin_op(w, op);
    return n;
}

/* Counts down the wait counters of completed operations in order, and frees operations that are done. done: the one
 * that has completed (a part of it has); nothing after it can be done that was not, but what its counters have held.
 */
static void retire(struct cu *c, struct cu_wave *w, const struct cu_op *done, cycle_t when)
{
    uint16_t held = 0, before = CU_NO_OP, counters = done->unordered ? 0 : done->counters;

    for (uint16_t n = w->op_head, next; n != CU_NO_OP; n = next) {
        struct cu_op *op = &c->op[n];

        next = op->next;
        uint16_t now = (op->pending ? 0 : op->counters & ~op->lds_counters) | (op->lds_pending ? 0 : op->lds_counters);

        now &= ~op->released & (op->unordered ? 0xffff : ~held);
        for (uint32_t m = now; m; m &= m - 1)
            w->outstanding[__builtin_ctz(m)]--;
        op->released |= now;
        if (op->released == op->counters) {
            if (__builtin_expect(op->copies, 0))
                land_copies(c, w, op, when);
            if (before == CU_NO_OP)
                w->op_head = next;
            else
                c->op[before].next = next;
            if (w->op_tail == n)
                w->op_tail = before;
            op->next = c->op_free;
            c->op_free = n;
            continue;
        }
        before = n;
        if (!op->unordered)
            held |= op->counters & ~op->released;
        if (counters && (held & counters) == counters)
            return;
    }
}

/* All of an operation has come. */
static NOINLINE void note_completion(struct cu *c, const struct cu_wave *w, const struct cu_op *op, cycle_t now)
{
    if (w->d->per_inst)
        timing_count_latency(&op->info->profile[c->x->thread], now - op->issued);
    if (cu_emits(c, EVENT_COMPLETE))
        cu_emit_op_complete(c, w, op, now);
}

static void completed(struct cu *c, struct cu_wave *w, struct cu_op *op, cycle_t now)
{
    if (__builtin_expect(c->watched, 0) && !op->pending && !op->lds_pending)
        note_completion(c, w, op, now);
    if (__builtin_expect(w->landing != NULL, 0))
        exact_waits_done(w, op);
    if (__builtin_expect(w->ahead != NULL, 0))
        loads_ahead_done(w, op, now);
    retire(c, w, op, now);
    if (w->state == WAVE_EVENT &&
        (w->reason >= STALL_WAIT || w->reason == STALL_COUNTER_FULL || w->reason == STALL_DRAIN))
        cu_wave_wake(c, w, now);
}

static void result_due(struct cu *c, cycle_t when)
{
    if (when < c->results_at)
        c->results_at = when;
}

/* A vector load that has issued returns after those before it. */
static void return_in_order(struct cu *c, unsigned part, uint16_t n, uint64_t bytes)
{
    struct cu_returns *r = &c->returns[part];
    double beats = ceil((double)bytes / c->x->profile->cache[LEVEL_VL0].bytes_per_cycle);

    c->op[n].after = CU_NO_OP;
    c->op[n].beats = (uint8_t)(beats < UINT8_MAX ? beats : UINT8_MAX);
    if (r->first == CU_NO_OP)
        r->first = n;
    else
        c->op[r->last].after = n;
    r->last = n;
}

cycle_t cu_returns_advance(struct cu *c, unsigned part, cycle_t now)
{
    struct cu_returns *r = &c->returns[part];

    while (r->first != CU_NO_OP && c->op[r->first].arrived) {
        struct cu_op *op = &c->op[r->first];
        uint16_t next = op->after;

        if (r->free_at > now)
            return r->free_at;
        r->first = next;
        r->free_at = next != CU_NO_OP && c->op[next].arrived ? now + c->op[next].beats : now;
        op->pending = 0;
        completed(c, &c->wave[op->wave], op, now);
    }
    return CYCLE_NEVER;
}

void cu_op_done(struct cu *c, uint32_t token, cycle_t now)
{
    struct cu_op *op = &c->op[token & 0xffff];
    struct cu_wave *w = &c->wave[op->wave];

    if (token & (CU_OP_LDS | CU_OP_BOTH)) {
        assert(op->lds_pending);
        op->lds_pending = false;
    }
    if (!(token & CU_OP_LDS)) {
        assert(op->pending && !op->arrived);
        if (--op->pending && !(token & CU_OP_BOTH))
            return;
        if (op->beats) { /* it is pending until it is its turn */
            op->pending = 1;
            op->arrived = true;
            result_due(c, cu_returns_advance(c, w->part, now));
            /* memory says when lines come; that it is the next one's turn nobody else does */
            cu_wake_at(c, c->results_at);
            return;
        }
    }
    if (__builtin_expect(op->tensor, 0))
        tensor_unit_complete(c->tensors[w->part], c, w, op, now);
    completed(c, w, op, now);
}

static uint32_t lds_latency(const struct profile_lds *p, const struct isa_effects *fx, uint8_t cls)
{
    uint32_t bytes = (uint32_t)fx->bytes * (fx->elems > 1 ? fx->elems : 1);

    if (cls == OPC_LDS_PERMUTE)
        return p->permute_latency_cycles;
    if (fx->op == MEM_STORE)
        return bytes <= 4   ? p->store_latency_cycles
               : bytes <= 8 ? p->store_latency_b64_cycles
                            : p->store_latency_b128_cycles;
    if (fx->op == MEM_ATOMIC)
        return p->atomic_latency_cycles;
    return bytes <= 4 ? p->latency_b32_cycles : bytes <= 8 ? p->latency_b64_cycles : p->latency_b128_cycles;
}

/* Cycles by which the data of all lanes come, or go, later than those of the lanes of which the latency was measured.
 */
static uint32_t more_lanes(const struct cu_dispatch *d, const struct lds_access *a, const struct lds_cost *cost)
{
    uint32_t lanes = d->x->profile->lds.latency_lanes, few = lds_path_cycles(&d->lds, a, lanes);
    uint32_t all = a->reads ? cost->out_cycles : cost->in_cycles;

    return lanes && all > few ? all - few : 0;
}

/* The offsets of an LDS that has unused bytes after each row. */
static const uint32_t *pad_rows(const struct profile_ideal *i, const uint32_t *offset, uint64_t lanes, uint32_t *moved)
{
    for (uint64_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctzll(m);

        moved[l] = offset[l] + offset[l] / i->lds_row_bytes * i->lds_row_pad_bytes;
    }
    return moved;
}

/* What an access costs in such an LDS (ideal.lds_row_bytes). */
static NOINLINE struct lds_cost padded_cost(const struct cu_dispatch *d, struct lds_access a)
{
    const struct profile_ideal *ideal = &d->x->profile->ideal;
    uint32_t moved[2][64];

    a.offset = pad_rows(ideal, a.offset, a.exec, moved[0]);
    a.offset2 = a.offset2 ? pad_rows(ideal, a.offset2, a.exec, moved[1]) : NULL;
    return lds_cost(&d->lds, &a);
}

static NOINLINE void tell_lds(struct cu *c, const struct cu_wave *w, const struct timing_info *i,
                              const struct lds_access *a, const struct lds_cost *cost, cycle_t now)
{
    if (w->d->per_inst)
        access_shape(&i->profile[c->x->thread], a->exec, NULL, a->offset);
    if (cu_emits(c, EVENT_LDS))
        cu_emit_lds(c, w, i, cost, now);
}

static void send_lds(struct cu *c, struct cu_wave *w, const struct timing_info *i, uint16_t n, cycle_t now)
{
    uint32_t depth = c->x->profile->cu.lds_queue_depth;
    const struct isa_effects *fx = &c->fx;
    struct lds_access a = {
        .exec = fx->lds_mask,
        .offset = fx->lds_addr,
        .offset2 = fx->elems > 1 ? fx->lds_addr2 : NULL,
        .bytes = fx->bytes,
        .reads = fx->op == MEM_LOAD || (fx->op == MEM_ATOMIC && fx->returns),
        .writes = fx->op != MEM_LOAD,
        .atomic = fx->op == MEM_ATOMIC,
        .crossbar = i->cls == OPC_LDS_PERMUTE,
        .in_dwords = i->lds_dwords,
    };
    struct lds_cost cost;

    if (__builtin_expect(c->x->what_if, 0) && c->x->profile->ideal.lds_row_bytes)
        cost = padded_cost(w->d, a);
    else
        cost = lds_cost(&w->d->lds, &a);
    struct timing_counts *counts = &i->counts[c->x->thread];

    counts->stat[STAT_INST_LDS_COUNT]++;
    counts->stat[STAT_INST_BANK_CONFLICT_CYCLES] += cost.conflict_cycles;
    counts->stat[STAT_INST_ADDRESS_CONFLICT_CYCLES] += cost.addr_conflict_cycles;
    if (__builtin_expect(c->watched, 0))
        tell_lds(c, w, i, &a, &cost, now);
    w->d->lds_accesses++;
    w->d->lds_port_cycles += cost.cycles;
    w->d->lds_active_cycles += a.crossbar ? cost.cycles : cost.bank_cycles;
    w->d->lds_bytes += (uint64_t)cu_count_lanes(w->d, fx->lds_mask) * fx->bytes * (fx->elems > 1 ? 2 : 1);
    w->d->lds_conflict_cycles += cost.conflict_cycles;
    w->d->lds_addr_conflict_cycles += cost.addr_conflict_cycles;
    cycle_t ready = cu_lds_port_accept(&c->lds_port[cu_lds_port_of(c, w)], &c->simd[w->simd].lds, depth, now,
                                       n | (c->op[n].lds_pending ? CU_OP_LDS : 0),
                                       lds_latency(&c->x->profile->lds, fx, i->cls) + more_lanes(w->d, &a, &cost),
                                       i->lds_dwords, &cost);
    cu_lds_wave_put(&w->lds, c->x->profile->cu.lds_outstanding, ready);
    result_due(c, ready);
    c->op[n].pending += !c->op[n].lds_pending;
}

/* Completes the parts of an operation that have no traffic. One without any takes the latency of its class (messages,
 * clocks); a part without a lane is complete once the instruction has issued. */
static void send_nothing(struct cu *c, const struct timing_info *i, uint16_t n, bool lds, cycle_t now)
{
    struct cu_op *op = &c->op[n];
    uint32_t latency = c->fx.kind == FX_NONE && i->port != PORT_VMEM ? i->latency_cycles : i->issue_cycles;
    uint32_t token = n;

    if (op->lds_counters && !lds)
        token |= op->pending ? CU_OP_LDS : CU_OP_BOTH;
    if (op->pending && token == n)
        return;
    result_due(c, pipe_accept(&c->misc.pipe, now, token, latency ? latency : 1, 0));
    if (!op->pending)
        op->pending = 1;
}

static void count_lines(const struct cu *c, const struct timing_info *i, uint32_t lines, uint64_t bytes)
{
    struct timing_counts *counts = &i->counts[c->x->thread];

    counts->stat[STAT_INST_COUNT]++;
    counts->stat[STAT_INST_LINES] += lines;
    counts->stat[STAT_INST_BYTES] += bytes;
}

/* Runs of neighbouring lanes in one line. */
static uint32_t runs(const struct isa_effects *fx, uint32_t line_bytes)
{
    uint32_t shift = (uint32_t)__builtin_ctz(line_bytes), n = 0;
    gaddr_t last = 0;

    for (uint64_t m = fx->mask; m; m &= m - 1) {
        gaddr_t line = fx->addr[__builtin_ctzll(m)] >> shift;

        n += !n || line != last;
        last = line;
    }
    return n;
}

/* A block instruction goes through the unit dword by dword, as so many instructions would, but for their issue slots.
 * (AMD, RDNA4 ISA, describes it as a loop over the dwords; its rate is inferred.) */
static uint32_t passes_of(const struct isa_effects *fx)
{
    return fx->block ? (uint32_t)__builtin_popcount(fx->block) : 1;
}

/* Cycles for which an instruction occupies the address unit: by lane addresses per cycle, and stores by runs of data.
 */
static uint32_t unit_cycles(const struct cu_context *x, const struct timing_info *i, const struct isa_effects *fx,
                            uint32_t rows, uint32_t lines, uint32_t address_cycles)
{
    double rate = x->profile->cu.store_runs_per_cycle;
    uint32_t issue = i->issue_cycles * passes_of(fx), cycles = issue > address_cycles ? issue : address_cycles;
    uint32_t stored;

    if (rate <= 0 || fx->op != MEM_STORE)
        return cycles;
    stored = (uint32_t)ceil((x->profile->ideal.full_lines ? lines : rows * runs(fx, x->vector_line_bytes)) / rate);
    return stored > cycles ? stored : cycles;
}

/* The addresses of dword `row` of each lane. */
static const gaddr_t *row_addresses(const struct isa_effects *fx, uint32_t row, gaddr_t moved[COALESCE_LANES])
{
    gaddr_t whole = fx->block ? ~UINT64_C(0) : ~UINT64_C(3);

    for (uint32_t l = 0; l < COALESCE_LANES; l++)
        moved[l] = (fx->addr[l] & whole) + row * fx->dword_step;
    return moved;
}

/* The cycle in which line `k` is looked up. The last line of a load brings the data of the last lanes, which come back
 * in order: its own may be read before. */
static uint32_t line_cycle(const struct cu_context *x, bool load, const struct coalesced *lines, uint32_t k)
{
    uint32_t row = x->shapes.row_bytes, beats, at;

    if (!row || !load)
        return row ? k : 0;
    beats = (lines->line[k].bytes + row - 1) / row;
    at = lines->lookup_cycles > beats ? lines->lookup_cycles - beats : 0;
    return k + 1 < lines->lines || at < lines->line[k].cycle ? lines->line[k].cycle : at;
}

/* Lookups of tags beyond one of each line. Those of stores are counted as loads have them, and take the time of their
 * lines. */
static uint32_t more_lookups(struct cu *c, const struct cu_wave *w, const gaddr_t *addr, uint32_t bytes, bool load,
                             const struct coalesced *lines)
{
    struct coalesced as_load;

    if (load || !c->x->shapes.row_bytes)
        return lines->lookups - lines->lines;
    coalesce_known(&c->coalesced[w->part], addr, c->fx.mask, bytes, &c->x->shapes.load[bytes > 4], &as_load);
    return as_load.lookups - as_load.lines;
}

static void send_lines(struct cu *c, struct cu_wave *w, const struct timing_info *i, uint16_t n, cycle_t now)
{
    const struct isa_effects *fx = &c->fx;
    struct cu_line_queue *q = &c->vmem[w->part];
    struct coalesced lines;
    const struct line_inst inst = {.token = n, .op = fx->op, .hint = fx->hint, .port = MEM_PORT_VECTOR};
    uint32_t pieces = isa_effects_pieces(fx), rows = (uint32_t)__builtin_popcount(pieces), passes = passes_of(fx);
    uint32_t lane_bytes = isa_effects_piece_bytes(fx), count = 0, address_cycles = 0, looked_up = 0;
    const struct cu_context *x = c->x;
    bool load = fx->op == MEM_LOAD;
    const struct coalesce_shape *shape = load ? &x->shapes.load[lane_bytes > 4] : &x->shapes.other[lane_bytes > 4];
    uint64_t bytes = 0;
    gaddr_t moved[COALESCE_LANES];

    if (!fx->mask)
        return;
    cu_line_queue_accept(q, &inst, now, fx->block ? i->issue_cycles * passes : i->send_cycles, passes);
    for (uint32_t p = pieces; p; p &= p - 1) {
        uint32_t row = (uint32_t)__builtin_ctz(p);
        bool last = passes > 1 || !(p & (p - 1));
        const gaddr_t *addr = pieces != 1 ? row_addresses(fx, row, moved) : fx->addr;

        coalesce_known(&c->coalesced[w->part], addr, fx->mask, lane_bytes, shape, &lines);
        w->d->more_lookups += more_lookups(c, w, addr, lane_bytes, load, &lines);
        if (__builtin_expect(x->what_if, 0) && x->profile->ideal.full_lines && pieces == 1)
            full_lines(&lines, fx->addr, fx->mask, lane_bytes, shape);
        for (uint32_t k = 0; k < lines.lines; k++) {
            const struct coalesce_line *l = &lines.line[k];

            bytes += l->bytes;
            cu_line_queue_push(q, &(struct line_entry){.addr = l->addr,
                                                       .bytes = (uint16_t)l->bytes,
                                                       .after = looked_up + line_cycle(x, load, &lines, k),
                                                       .last = last && k + 1 == lines.lines});
        }
        count += lines.lines;
        address_cycles += lines.address_cycles;
        if (x->shapes.row_bytes)
            looked_up += load ? lines.lookup_cycles : lines.lines;
    }
    address_cycles = unit_cycles(x, i, fx, rows, count, address_cycles);
    w->d->address_cycles += address_cycles;
    cu_line_queue_address(q, now, address_cycles, looked_up);
    c->op[n].pending = (uint16_t)(c->op[n].pending + count);
    if (x->profile->cu.vmem_returns_in_order && (load || (fx->op == MEM_ATOMIC && fx->returns)))
        return_in_order(c, w->part, n, bytes);
    count_lines(c, i, count, bytes);
    if (__builtin_expect(c->watched, 0) && w->d->per_inst)
        access_shape(&i->profile[c->x->thread], fx->mask, fx->addr, NULL);
}

static void send_scalar(struct cu *c, struct cu_wave *w, const struct timing_info *i, uint16_t n, cycle_t now)
{
    const struct isa_effects *fx = &c->fx;
    struct cu_line_queue *q = &c->smem[w->part];
    gaddr_t at = fx->addr[0], end = at + fx->bytes; /* 0 at the end of the address space */
    const struct line_inst inst = {
        .token = n, .op = fx->op == MEM_LOAD ? MEM_SCALAR : fx->op, .hint = fx->hint, .port = MEM_PORT_SCALAR};

    if (at == end)
        return;
    cu_line_queue_accept(q, &inst, now, i->issue_cycles, 1);
    while (at != end) {
        gaddr_t stop = (at & -(gaddr_t)c->x->scalar_line_bytes) + c->x->scalar_line_bytes;

        if (stop - at > end - at)
            stop = end;
        cu_line_queue_push(q, &(struct line_entry){.addr = at, .bytes = (uint16_t)(stop - at), .last = stop == end});
        c->op[n].pending++;
        at = stop;
    }
    count_lines(c, i, c->op[n].pending, fx->bytes);
}

/* Sends the lines of a prefetch; no wave waits for them. */
static void send_prefetch(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    const struct isa_effects *fx = &c->fx;
    bool inst = fx->kind == FX_PREFETCH_INST;
    struct cu_line_queue *q = &c->smem[w->part];
    uint32_t line = inst ? c->x->inst_line_bytes : c->x->scalar_line_bytes;
    const struct line_inst sent = {
        .token = MEM_TOKEN_NONE, .op = fx->op, .hint = fx->hint, .port = inst ? MEM_PORT_INST : MEM_PORT_SCALAR};
    gaddr_t first = fx->addr[0] & -(gaddr_t)line, bytes = fx->addr[0] - first + (gaddr_t)fx->bytes * fx->elems;

    cu_line_queue_accept(q, &sent, now, i->issue_cycles, 1);
    for (gaddr_t at = 0; at < bytes; at += line)
        cu_line_queue_push(
            q, &(struct line_entry){.addr = first + at, .bytes = (uint16_t)line, .last = at + line >= bytes});
}

static void send_control(struct cu *c, struct cu_wave *w, const struct timing_info *i, uint16_t n, cycle_t now)
{
    struct cu_line_queue *q = i->port == PORT_VMEM ? &c->vmem[w->part] : &c->smem[w->part];
    const struct line_inst inst = {.token = n,
                                   .port = (uint8_t)q->port,
                                   .control = true,
                                   .invalidate = (uint8_t)i->invalidate,
                                   .write_back = (uint8_t)i->write_back};

    cu_line_queue_accept(q, &inst, now, i->issue_cycles, 1);
    cu_line_queue_push(q, &(struct line_entry){.last = true});
    c->op[n].pending++;
}

/* Issues an operation that raises no wait counter. */
static void issue_uncounted(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    const struct cu_memory *m = &c->x->memory;

    if (c->fx.kind == FX_PREFETCH_DATA || c->fx.kind == FX_PREFETCH_INST)
        send_prefetch(c, w, i, now);
    else if (i->control && m->control) /* s_icache_inv: an invalidation without completion is always taken */
        m->control(m->ctx, c->index * c->x->parts + w->part, MEM_PORT_INST, i->invalidate, i->write_back,
                   MEM_TOKEN_NONE, now);
}

void cu_ops_issue(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    const struct isa_effects *fx = &c->fx;
    /* cycle at which its registers begin to leave the SIMD */
    const struct front_end *front = c->x->front;
    cycle_t sent = i->port == PORT_VMEM || i->port == PORT_LDS ? front->send_operands(c, w, i, now) : now;
    uint16_t n;

    if (i->port == PORT_VMEM && !(i->counters && fx->mask))
        front->enter_path(c, w, i, sent, now); /* nothing for the unit */
    if (!i->counters) {
        if (i->control || fx->kind != FX_NONE)
            issue_uncounted(c, w, i, now);
        return;
    }
    n = op_new(c, w, i, now);
    c->op[n].copies = isa_lds_copies_begun(w->isa);
    if (i->control && c->x->memory.control)
        send_control(c, w, i, n, now);
    if (cu_emits(c, EVENT_ACCESS))
        cu_emit_access(c, w, i, n, now);
    if (fx->kind == FX_TENSOR) {
        i->counts[c->x->thread].stat[STAT_INST_COUNT]++;
        tensor_unit_accept(c->tensors[w->part], c, w, n, now);
    }
    if (__builtin_expect(w->d->stores != NULL, 0))
        w->d->stores->stored(w->d->stores->ctx, w->group->id, w->number, i->pc, fx);
    if (fx->kind == FX_SCALAR)
        send_scalar(c, w, i, n, now);
    if ((fx->kind == FX_VECTOR || fx->kind == FX_FLAT_MIXED) && fx->mask)
        send_lines(c, w, i, n, sent);
    if (i->port == PORT_VMEM && fx->mask)
        front->enter_path(c, w, i, c->vmem[w->part].unit_free, now);
    bool lds = (fx->kind == FX_LDS || fx->kind == FX_FLAT_MIXED) && fx->lds_mask;
    if (lds)
        send_lds(c, w, i, n, now);
    send_nothing(c, i, n, lds, now);
}

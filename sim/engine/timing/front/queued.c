/* The queued front end of RDNA3 and RDNA4: instructions issue into queues in front of the units (issue_queues.h).
 *
 * A wave goes on as soon as its instruction is in a queue. It is held only by results of another unit that it reads, by
 * s_delay_alu and s_wait_alu, by writers of SGPRs in flight, and by full queues.
 */
#include "sim/engine/timing/cu/scoreboard.h"
#include "sim/engine/timing/memory/operand_path.h"

static uint32_t at_most(uint32_t entries)
{
    return entries < CU_QUEUE_MAX ? entries : CU_QUEUE_MAX;
}

/* With the ring at *rings, which goes on after it. */
static void init_queue(struct cu_queue *q, uint32_t entries, cycle_t **rings)
{
    cu_queue_init(q, at_most(entries), *rings);
    *rings += CU_QUEUE_MAX;
}

static bool queued_init(struct cu *c, struct arena *arena)
{
    const struct cu_context *x = c->x;
    const struct profile_queue *p = &x->profile->queue;
    bool alu = !x->profile->ideal.free_issue; /* else its queues are never full */

    for (uint32_t k = 0; k < x->simds; k++) {
        struct cu_queues *q = &c->simd[k].queues;
        cycle_t *rings = arena_alloc(arena, CU_QUEUES * CU_QUEUE_MAX, sizeof *rings, 64);

        if (!rings)
            return false;
        init_queue(&q->valu, alu ? p->valu_entries : 0, &rings);
        init_queue(&q->flight, alu ? p->flight_entries : 0, &rings);
        init_queue(&q->stalled, alu ? p->stalled_entries : 0, &rings);
        init_queue(&q->sgprs, alu ? p->simd_sgpr_entries : 0, &rings);
        init_queue(&q->salu, alu ? p->salu_entries : 0, &rings);
        init_queue(&q->lds, p->memory_entries, &rings);
        init_queue(&q->vmem, p->memory_entries, &rings);
        if (p->vgpr_cache_lines) {
            uint32_t names = VGPR_NAMES * (isa_has(x->target, FEAT_VGPR_MSB) ? 4 : 1);
            uint8_t *line = arena_alloc(arena, names + 1, 1, 64);

            if (!line)
                return false;
            vgpr_banks_init(&q->banks, p->vgpr_cache_lines, line, names);
        }
    }
    /* the lines of instructions in these queues wait where those of others do */
    uint32_t depth = x->simds_per_part * (p->memory_entries + 1) + p->vmem_unit_entries + p->vmem_unit_loads;
    for (uint32_t k = 0; k < x->parts; k++)
        if (!cu_line_queue_init(&c->vmem[k], arena, &x->memory, c->index * x->parts + k, MEM_PORT_VECTOR, depth,
                                cu_vector_lines(x, depth), c->vmem[k].out.rate))
            return false;
    c->path = ARENA_NEW(arena, x->parts, struct operand_path);
    for (uint32_t k = 0; c->path && k < x->parts; k++) {
        c->path[k] = (struct operand_path){0};
        cu_queue_init(&c->path[k].unit, at_most(p->vmem_unit_entries), c->path[k].unit_entries);
    }
    return c->path != NULL;
}

static void queued_launch(const struct cu *c, struct cu_wave *w)
{
    struct queued_wave *f = &w->queued;

    memset(f->valu_ready, 0, sizeof f->valu_ready);
    f->valu_left = f->salu_ready = f->salu_begun = f->salu_written = f->drained = f->slow_ready = 0;
    f->sgprs_read = f->sdst_written = f->sources_read = 0;
    f->sources.count = 0;
    f->vgprs_read = false;
    f->sending = 0;
    cu_queue_init(&f->sgpr_writes, at_most(c->x->profile->queue.valu_sgpr_entries), f->sgpr_entries);
    memset(f->sgpr_entries, 0, sizeof f->sgpr_entries);
}

/* Operands --------------------------------------------------------------------------------------------------------- */

/* s_wait_alu, s_waitcnt_depctr. Fields at their largest value wait for nothing. The counters are as far from the units
 * as memory and the SALU are from the VALU, and the next instruction comes a cycle after the wait. */
static NOINLINE void wait_alu(const struct cu *c, const struct cu_wave *w, uint16_t imm, struct dependency *d)
{
    unsigned va_vdst = imm >> 12, va_sdst = imm >> 9 & 7, va_vcc = imm >> 1 & 1, sa_sdst = imm & 1;
    const struct queued_wave *f = &w->queued;
    const struct cu_context *x = c->x;

    if (va_vdst < 4 && f->valu_ready[va_vdst])
        dependency_add(d, f->valu_ready[va_vdst] + x->extra[PRODUCER_VALU][CONSUMER_MEMORY] - 1, PRODUCER_VALU);
    if ((va_sdst < 7 || !va_vcc) && w->sgpr_done)
        dependency_add(d, w->sgpr_done - 1, PRODUCER_VALU);
    if (!sa_sdst && f->salu_ready)
        dependency_add(d, f->salu_ready + x->extra[PRODUCER_SALU][CONSUMER_BRANCH] - 1, PRODUCER_SALU);
}

/* Waits beside those for registers (timing_info.has_other_waits). */
static NOINLINE void more_waits(const struct cu *c, const struct cu_wave *w, struct dependency *d)
{
    const struct timing_info *i = w->info;
    const struct queued_wave *f = &w->queued;

    if (i->special == ISA_SPECIAL_WAIT_ALU)
        wait_alu(c, w, i->imm, d);
    if (i->writes_sgprs) {
        dependency_add(d, cu_queue_free_at(&f->sgpr_writes), PRODUCER_VALU);
        dependency_add(d, f->salu_written, PRODUCER_SALU);
    }
    if (i->salu_writes_sgprs) {
        dependency_add(d, f->sgprs_read, PRODUCER_QUEUE);
        dependency_add(d, f->sdst_written, PRODUCER_VALU);
    }
    if (i->port == PORT_SMEM && f->salu_ready)
        dependency_add(d, f->salu_ready + c->x->extra[PRODUCER_SALU][CONSUMER_SMEM], PRODUCER_SALU);
    if (i->follows_unit && w->issued_to_unit)
        dependency_add(d, w->issue_slot_end - 1 + c->x->profile->queue.unit_to_internal_cycles, PRODUCER_QUEUE);
    if (i->hwreg && f->salu_begun)
        dependency_add(d, f->salu_begun + c->x->profile->queue.salu_to_hwreg_cycles, PRODUCER_SALU);
    if (i->drains && !f->sending)
        dependency_add(d, f->drained, PRODUCER_QUEUE);
}

static bool overlap(const struct timing_reg *a, const struct timing_reg *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Whether VALU instruction i writes a VGPR that `reader` reads. */
static bool overwrites(const struct timing_info *i, const struct timing_info *reader)
{
    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++)
        for (unsigned n = 0; n < reader->reads; n++)
            if (i->reg[k].first >= REG_AGPR && overlap(&i->reg[k], &reader->reg[n]))
                return true;
    return false;
}

/* VGPRs that the wave's LDS and VMEM instructions have still to read may not be overwritten. Right after s_waitcnt or
 * its like no VALU instruction that writes any goes before all of them are read, and a cycle more as after s_nop. True
 * when it is not known yet how long that is. */
static NOINLINE bool wait_for_sources(const struct cu_wave *w, struct dependency *d)
{
    const struct queued_sources *s = &w->queued.sources;
    bool unknown = false;

    for (unsigned k = 0; k < s->count; k++) {
        const struct queued_source *e = &s->entry[(s->first + k) % QUEUED_SOURCES];

        if (!w->waited &&
            (!overlap(&w->info->vectors_written, &e->reader->vectors_read) || !overwrites(w->info, e->reader)))
            continue;
        unknown |= e->read_at == CYCLE_NEVER;
        if (e->read_at != CYCLE_NEVER)
            dependency_add(d, e->read_at + w->waited, PRODUCER_QUEUE);
    }
    return unknown;
}

static struct verdict queued_operands(const struct cu *c, struct cu_wave *w, cycle_t t)
{
    const struct timing_info *i = w->info;
    struct dependency d = {0, PRODUCER_NONE};
    bool path;

    w->operands = 0;
    if (t < w->busy_until) {
        d = scoreboard_registers(c->x, w, i, t, true);
        if (i->consumer == CONSUMER_MEMORY) /* memory instructions wait for all the wave has in the VALU */
            dependency_add(&d, w->queued.valu_left + c->x->extra[PRODUCER_VALU][CONSUMER_MEMORY], PRODUCER_VALU);
    }
    if (w->delayed)
        scoreboard_delay_alu(w, &d);
    if (i->has_other_waits)
        more_waits(c, w, &d);
    path = i->drains && w->queued.sending;
    if (i->writes_vectors && t < w->queued.sources_read + (w->waited && w->queued.sources_read != CYCLE_NEVER))
        path |= wait_for_sources(w, &d);
    /* the operand read path comes last: when its next instruction begins, all is decided again */
    if (path && d.at <= t)
        dependency_add(&d, operand_path_next(c, w->part), PRODUCER_QUEUE);
    return dependency_verdict(&d, t);
}

/* ALU -------------------------------------------------------------------------------------------------------------- */

/* The cycle from which s_delay_alu lets an instruction issue that depends on a transcendental or a SALU one. It counts
 * from the issue of the instruction it waits for; when that one had to wait for its unit, from its beginning, `usual`
 * cycles after which issue would have been without the wait. (Of plain VALU it counts from issue alone.) */
static cycle_t delay_alu_done(const struct timing_info *i, cycle_t now, cycle_t begin, uint32_t usual)
{
    return cu_later(begin, now + usual) - usual + i->latency_cycles;
}

/* From the issue of a wave's first VALU instruction that reads VGPRs to its beginning. */
static uint32_t first_read_cycles(const struct profile_queue *p)
{
    return p->entry_cycles + p->vgpr_read_cycles + p->vgpr_first_read_cycles;
}

/* Cycle, counted like those of issue, at which the result of an instruction is ready that begins at `begin`. */
static cycle_t result_at(const struct profile_queue *p, cycle_t begin, uint32_t latency_cycles)
{
    return begin + latency_cycles - p->entry_cycles;
}

static uint32_t vgpr_read_cycles(const struct profile_queue *p, const struct timing_info *i)
{
    return i->one_source ? p->vgpr_lone_read_cycles : p->vgpr_read_cycles;
}

/* Cycles in which a VALU instruction reads its operands. */
static uint32_t reading_cycles(const struct profile_queue *p, struct cu_wave *w, const struct timing_info *i)
{
    bool first = !w->queued.vgprs_read && i->port != PORT_MATRIX;

    if (!i->reads_vgprs)
        return i->reads_sgprs ? p->valu_sgpr_read_cycles : 0;
    w->queued.vgprs_read = true;
    return vgpr_read_cycles(p, i) + (first ? p->vgpr_first_read_cycles : 0);
}

/* From when the next VALU instruction may read its VGPRs: so many may have them and wait for the unit. */
static cycle_t read_ahead(const struct cu_queues *q, const struct profile_queue *p)
{
    return p->read_ahead_entries ? q->valu_begins[(q->valu.put - p->read_ahead_entries) % VALU_ISSUES] : 0;
}

/* When a VALU instruction of w that issues now has its VGPRs, as far as their banks go: when it may begin. */
static NOINLINE cycle_t read_vgprs(struct cu_queues *q, const struct profile_queue *p, const struct cu_wave *w,
                                   const struct timing_info *i, cycle_t now)
{
    cycle_t alone = now + p->entry_cycles + vgpr_read_cycles(p, i);

    q->handed = vgpr_banks_hand(&q->banks, i->bank_operands, alone, read_ahead(q, p) + p->vgpr_read_cycles,
                                p->vgpr_bank_operands);
    return cu_later(q->handed,
                    vgpr_banks_read(&q->banks, w->slot, i->operand, i->operands, cu_later(alone, q->valu_begun),
                                    p->vgpr_fill_cycles, p->vgpr_hold_cycles));
}

/* The beginning of a VALU instruction whose results come after those of slower ones that write the same VGPRs. */
static NOINLINE cycle_t after_results(const struct profile_queue *p, const struct cu_wave *w,
                                      const struct timing_info *i, cycle_t begin)
{
    cycle_t own = result_at(p, begin, i->latency_cycles), before = 0;

    for (unsigned k = i->reads; k < (unsigned)i->reads + i->writes; k++)
        for (unsigned r = 0; i->reg[k].first >= REG_AGPR && r < i->reg[k].count; r++)
            before = cu_later(before, ready_cycle(w->ready[i->reg[k].first + r]));
    return own > before ? begin : begin + before + 1 - own;
}

/* The beginning of a VALU instruction once the SIMD's limit of SGPR writers in flight is considered. stalled: it is
 * after an instruction that waits for the limit; begin: its beginning as far as everything else goes. */
static NOINLINE cycle_t stall_for_sgprs(struct cu_queues *q, const struct profile_queue *p, const struct timing_info *i,
                                        bool stalled, cycle_t begin)
{
    if (i->writes_sgprs) {
        stalled |= begin < cu_queue_free_at(&q->sgprs);
        begin = cu_later(begin, cu_queue_free_at(&q->sgprs));
        cu_queue_put(&q->sgprs, begin + p->simd_sgpr_cycles);
    }
    if (stalled)
        q->stall_end = begin;
    /* an instruction that does not wait takes the place of the oldest one that does */
    if (stalled || q->stalled.free_at < q->stalled.newest)
        cu_queue_put(&q->stalled, stalled ? begin : 0);
    return begin;
}

/* The same; most instructions have nothing to do with that limit. alone: the beginning with nothing before it in the
 * queue. */
static ALWAYS_INLINE cycle_t wait_for_sgprs(struct cu_queues *q, const struct profile_queue *p,
                                            const struct timing_info *i, cycle_t alone, cycle_t begin)
{
    bool stalled = alone <= q->stall_end; /* after an instruction that waits for the limit */

    if (!i->writes_sgprs && !stalled && q->stalled.free_at >= q->stalled.newest)
        return begin;
    return stall_for_sgprs(q, p, i, stalled, begin);
}

/* The VALU takes another instruction at `next`. What-ifs have two of them, which begin in order, or one for each
 * instruction. */
static ALWAYS_INLINE void occupy_valu(const struct cu_context *x, struct cu_queues *q, cycle_t next)
{
    const struct profile_ideal *ideal = &x->profile->ideal;

    if (__builtin_expect(x->what_if, 0) && (ideal->free_issue || ideal->second_valu)) {
        if (ideal->free_issue)
            return;
        cycle_t later = cu_later(next, q->valu_other);

        q->valu_next = cu_later(cu_earlier(next, q->valu_other), q->valu_begun);
        q->valu_other = later;
        return;
    }
    q->valu_next = next;
}

/* When the entry of a VALU instruction is free that issues now. */
static ALWAYS_INLINE cycle_t leaves_queue(const struct cu_queues *q, const struct profile_queue *p,
                                          const struct timing_info *i, unsigned port, cycle_t now, cycle_t begin,
                                          cycle_t ready)
{
    if (port == PORT_MATRIX)
        return ready;
    if (port == PORT_TRANS) /* goes on into its own unit and waits there */
        return cu_earlier(begin, q->valu_begun + 1);
    if (i->reads_vgprs && p->read_ahead_entries) /* goes on to reading, and waits there */
        return cu_later(cu_later(now + p->entry_cycles, read_ahead(q, p)), q->handed) + p->read_release_cycles;
    return begin;
}

/* When the units take a VALU instruction that may begin at `begin` otherwise. */
static ALWAYS_INLINE cycle_t units_free(const struct cu_queues *q, const struct profile_queue *p,
                                        const struct timing_info *i, unsigned port, cycle_t begin)
{
    if (q->after_f64 && !i->f64)
        begin = cu_later(begin, q->valu_next + p->f64_leave_cycles);
    if (port == PORT_MATRIX) {
        begin = cu_later(begin + p->matrix_entry_cycles, q->valu_next - (q->after_matrix ? p->matrix_entry_cycles : 0));
        return cu_later(begin, q->matrix_next);
    }
    begin = cu_later(begin, q->valu_next);
    return port == PORT_TRANS ? cu_later(begin, q->trans_next) : begin;
}

/* Notes of the entry that is put next what special instructions go by. */
static void note_entry(struct cu_queues *q, const struct cu_wave *w, unsigned port, cycle_t now)
{
    uint32_t k = q->valu.put % CU_QUEUE_MAX;

    q->valu_at[k] = now;
    q->valu_matrix = (uint16_t)((q->valu_matrix & ~(1u << k)) | (port == PORT_MATRIX ? 1u << k : 0));
    if (port != PORT_VALU)
        q->special_slot = w->slot;
}

/* Puts a VALU instruction that issues now into its queue; returns when its result is ready for one of the same unit.
 * port: that of i, a parameter so that the plain VALU has code of its own. */
static ALWAYS_INLINE cycle_t put_valu(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i,
                                      unsigned port, cycle_t now)
{
    const struct profile_queue *p = &c->x->profile->queue;
    const struct profile_class_cost *valu = &c->x->profile->cls[OPC_VALU];
    uint32_t pass = i->f64 ? i->issue_cycles : (uint32_t)cu_earlier(w->d->valu_issue_cycles, i->issue_cycles);
    struct cu_queues *q = &s->queues;
    struct queued_wave *f = &w->queued;
    bool matrix = port == PORT_MATRIX, banks = q->banks.modelled & w->d->narrow, fresh = !f->vgprs_read;
    cycle_t alone = now + p->entry_cycles + reading_cycles(p, w, i), begin = alone, place, ready, entry_free;

    begin = units_free(q, p, i, port, begin);
    if (w->operands)
        begin = cu_later(begin, w->operands + p->entry_cycles);
    if (banks && i->operands && !matrix) {
        if (fresh)
            vgpr_banks_forget(&q->banks, w->slot);
        begin = cu_later(begin, read_vgprs(q, p, w, i, now));
    } else {
        q->handed = 0;
    }
    place = begin;
    if (i->writes_vectors && result_at(p, begin, i->latency_cycles) <= f->slow_ready)
        begin = after_results(p, w, i, begin);
    begin = wait_for_sgprs(q, p, i, alone, begin);
    if (banks)
        vgpr_banks_begin(&q->banks, begin);
    ready = result_at(p, begin, i->latency_cycles);
    cu_port_accept(&s->port[PORT_VALU], now, port == PORT_VALU ? i->issue_cycles : pass);
    if (port == PORT_TRANS) {
        cu_port_accept(&s->port[PORT_TRANS], now, i->issue_cycles);
        q->trans_next = c->x->what_if && c->x->profile->ideal.free_issue ? 0 : begin + i->issue_cycles;
        q->matrix_next = cu_later(q->matrix_next, begin + valu->latency_cycles);
        cu_shift_in(w->trans_done, 4, delay_alu_done(i, now, begin, first_read_cycles(p)));
    } else {
        cu_shift_in(w->valu_done, 4, now + i->latency_cycles);
        cu_shift_in(f->valu_ready, 4, ready);
    }
    if (i->latency_cycles > valu->latency_cycles)
        f->slow_ready = cu_later(f->slow_ready, ready);
    entry_free = leaves_queue(q, p, i, port, now, place, ready);
    q->valu_issued[q->valu.put % VALU_ISSUES] = now;
    note_entry(q, w, port, now);
    q->valu_begins[q->valu.put % VALU_ISSUES] = place;
    q->valu_begun = begin;
    occupy_valu(c->x, q, begin + (port == PORT_TRANS ? pass : i->issue_cycles) + (matrix ? p->matrix_entry_cycles : 0));
    if (i->writes_sgprs)
        cu_queue_put(&f->sgpr_writes, scoreboard_sgprs_at(c->x, i, ready));
    if (i->writes_sdst)
        f->sdst_written = scoreboard_sgprs_at(c->x, i, ready);
    if (i->reads_sgprs)
        f->sgprs_read = now + p->valu_sgpr_hold_cycles;
    q->after_matrix = matrix;
    q->after_f64 = i->f64;
    cu_queue_put(&q->valu, entry_free);
    cu_queue_put_last(&q->flight, place + p->flight_cycles);
    q->valu_open = cu_queues_valu_after(q);
    f->valu_left = cu_later(f->valu_left, result_at(p, begin, valu->latency_cycles));
    w->busy_until = cu_later(w->busy_until, f->valu_left + c->x->longest_extra);
    return ready;
}

/* The same of a SALU instruction. */
static cycle_t put_salu(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    const struct profile_queue *p = &c->x->profile->queue;
    struct cu_queues *q = &s->queues;
    struct queued_wave *f = &w->queued;
    uint32_t read = i->reads_before_exec ? p->sgpr_read_cycles : 0;
    cycle_t begin = cu_later(now + p->entry_cycles + read, q->salu_next);

    /* results in SCC come in order, a cycle apart, also where nobody reads the first one */
    if (i->writes_scc && ready_producer(w->ready[REG_SCC]) == PRODUCER_SALU)
        begin = cu_later(begin, ready_cycle(w->ready[REG_SCC]) + 1 + p->entry_cycles - i->latency_cycles);
    if (w->operands)
        begin = cu_later(begin, w->operands + p->entry_cycles);
    cu_port_accept(&s->port[PORT_SALU], now, 1);
    q->salu_at = now;
    q->salu_slot = w->slot;
    q->salu_next = c->x->what_if && c->x->profile->ideal.free_issue ? 0 : begin + i->issue_cycles;
    cu_queue_put(&q->salu, begin + i->issue_cycles + p->salu_release_cycles);
    f->salu_begun = begin;
    if (i->hwreg == ISA_HWREG_SET) {
        w->hold_reason = STALL_DEPENDENCY_SALU;
        w->hold_until = begin + p->setreg_cycles;
    }
    w->salu_done = delay_alu_done(i, now, begin, p->entry_cycles + p->sgpr_read_cycles);
    f->salu_ready = result_at(p, begin, i->latency_cycles);
    if (i->writes_before_scc)
        f->salu_written = f->salu_ready + c->x->extra[PRODUCER_SALU][CONSUMER_SMEM];
    f->drained = cu_later(f->drained, begin - read + i->issue_cycles + 1);
    return f->salu_ready;
}

/* All but plain VALU. */
static NOINLINE void execute_other(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i,
                                   cycle_t now)
{
    cycle_t ready;

    switch (i->port) {
    case PORT_TRANS:
    case PORT_MATRIX:
        ready = put_valu(c, s, w, i, i->port, now);
        break;
    case PORT_SALU:
        ready = put_salu(c, s, w, i, now);
        break;
    case PORT_BRANCH:
        cu_port_accept(&s->port[PORT_BRANCH], now, i->issue_cycles);
        return;
    case PORT_BARRIER:
        cu_barrier_signal(c, s, w, now);
        /* to the wave it is a scalar instruction */
        w->queued.drained = now + c->x->profile->queue.entry_cycles + c->x->profile->cls[OPC_SALU].latency_cycles;
        return;
    default:
        assert(!"a port that does not execute");
        return;
    }
    scoreboard_book(c, w, i, now, ready);
}

static void queued_execute(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    if (i->port == PORT_VALU)
        scoreboard_book(c, w, i, now, put_valu(c, s, w, i, PORT_VALU, now));
    else
        execute_other(c, s, w, i, now);
}

/* Memory ----------------------------------------------------------------------------------------------------------- */

void queued_sources_add(struct cu_wave *w, const struct timing_info *reader, cycle_t read_at, cycle_t now)
{
    struct queued_sources *s = &w->queued.sources;

    if (!reader->reads_vgprs)
        return;
    while (s->count && (s->entry[s->first].read_at <= now || s->count == QUEUED_SOURCES)) {
        s->first = (uint8_t)((s->first + 1) % QUEUED_SOURCES);
        s->count--;
    }
    s->entry[(s->first + s->count++) % QUEUED_SOURCES] = (struct queued_source){reader, read_at};
    w->queued.sources_read = cu_later(w->queued.sources_read, read_at);
    w->sources_unknown |= read_at == CYCLE_NEVER;
}

void queued_sources_begun(struct cu_wave *w, cycle_t read_at)
{
    struct queued_wave *f = &w->queued;
    bool found = false;

    f->sources_read = 0;
    for (unsigned k = 0; k < f->sources.count; k++) {
        struct queued_source *e = &f->sources.entry[(f->sources.first + k) % QUEUED_SOURCES];

        if (!found && e->read_at == CYCLE_NEVER) {
            e->read_at = read_at;
            found = true;
        }
        f->sources_read = cu_later(f->sources_read, e->read_at);
    }
    w->sources_unknown = f->sources_read == CYCLE_NEVER;
}

static cycle_t queued_send_operands(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    const struct profile_queue *p = &c->x->profile->queue;
    struct cu_queues *q = &c->simd[w->simd].queues;
    cycle_t *path = i->port == PORT_LDS ? &c->lds_path[w->part] : &c->lines_path[w->part];
    cycle_t begin = cu_later(now, *path), read;

    *path = begin + i->operand_slots;
    if (i->port == PORT_LDS) {
        read = begin + i->operand_slots + p->lds_send_cycles;
        cu_queue_put(&q->lds, begin + i->operand_slots + p->memory_release_cycles);
        w->queued.drained = cu_later(w->queued.drained, read);
        queued_sources_add(w, i, read, now);
    }
    return begin;
}

/* Entries of the VALU's queue that are in use in cycle `used`, from the first matrix instruction on, of those that
 * issued by `issued`. */
static uint32_t behind_matrix(const struct cu_queues *q, cycle_t used, cycle_t issued)
{
    uint32_t count = 0;
    bool matrix = false;

    for (uint32_t back = q->valu.entries; back; back--) {
        uint32_t k = (q->valu.put - back) % CU_QUEUE_MAX;

        if (q->valu.entry[k] <= used)
            continue;
        matrix |= q->valu_matrix >> k & 1;
        count += matrix && q->valu_at[k] <= issued;
    }
    return count;
}

static bool counted_low(const struct cu_queues *q, const struct profile_queue *p, cycle_t t)
{
    return behind_matrix(q, t - 1, t - p->special_count_cycles) < p->special_entries;
}

/* Whether w's next instruction, a special one, lets those of other waves go first in the first cycle in which the count
 * is low again: so does that of the wave which had the last special one, if it has never met a low count. */
static bool yields(const struct cu_queues *q, const struct profile_queue *p, const struct cu_wave *w, cycle_t now)
{
    /* the count does not rise later than that */
    cycle_t counted = q->valu_issued[(q->valu.put - 1) % VALU_ISSUES] + p->special_count_cycles;

    if (q->special_slot != w->slot || w->issue_slot_end >= now || counted_low(q, p, now - 1))
        return false;
    for (cycle_t t = w->issue_slot_end; t < now && t <= counted; t++)
        if (counted_low(q, p, t))
            return false;
    return true;
}

cycle_t cu_queue_special_at(const struct cu_simd *s, const struct profile_queue *p, const struct cu_wave *w,
                            cycle_t now)
{
    const struct cu_queues *q = &s->queues;
    cycle_t next = q->valu_issued[(q->valu.put - 1) % VALU_ISSUES] + 1, at = now;
    uint32_t others = (s->ready[PORT_TRANS] | s->ready[PORT_MATRIX]) & ~(UINT32_C(1) << w->slot);

    if (!p->special_entries || (w->info->port == PORT_MATRIX && q->after_matrix))
        return 0;
    /* let in, but for the full queue, in the cycle after the last issue */
    if (cu_queue_free_at(&q->valu) > next && s->port[PORT_TRANS].free_at <= next && counted_low(q, p, next))
        return 0;
    for (uint32_t n = 0; n < q->valu.entries && !counted_low(q, p, at); n++)
        at = cu_later(now, cu_queue_entry_at(&q->valu, n) + 1);
    return at == now && others && yields(q, p, w, now) ? now + 1 : at;
}

const struct front_end front_queued = {
    .kind = FRONT_QUEUED,
    .pairs_delay_alu = true,
    .init = queued_init,
    .launch = queued_launch,
    .operands = queued_operands,
    .execute = queued_execute,
    .send_operands = queued_send_operands,
    .enter_path = operand_path_enter,
};

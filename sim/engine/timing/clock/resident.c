/* What the resident waves of a timed run wait for, in the terms of their stall reasons: for snapshots and deadlocks. */
#include <stdlib.h>

#include "sim/engine/timing/clock/run.h"

/* The reason to which w's cycles are being charged. The charge for what is not over yet is made later, by the same
 * rules (cu_wave_charge, cu_simd_settle_lost). */
static enum timing_stall reason_of(const struct cu_simd *s, const struct cu_wave *w, cycle_t now)
{
    if (now < w->issue_slot_end)
        return STALL_ISSUED;
    if (s->lost >> w->slot & 1)
        return now < s->lost_until ? STALL_ARBITRATION : STALL_UNIT_BUSY_VALU;
    return (enum timing_stall)w->reason;
}

/* The instruction that keeps w: an earlier one may hold the next. */
static gaddr_t pc_of(const struct cu_wave *w, enum timing_stall reason)
{
    return w->ended || w->at_barrier || w->at_gws || reason == STALL_SLEEP || reason == STALL_NOP ? w->isa->inst_pc
                                                                                                  : w->info->pc;
}

/* Lines of operation n that the CU has not sent yet. */
static uint32_t queued_lines(const struct cu *c, unsigned part, uint16_t n)
{
    const struct cu_line_queue *queues[] = {&c->vmem[part], &c->smem[part]};
    uint32_t count = 0;

    for (unsigned q = 0; q < 2; q++)
        for (uint32_t k = 0; k < queues[q]->out.insts.count; k++) {
            const struct line_inst *i = line_insts_at(&queues[q]->out.insts, k);
            count += i->port != MEM_PORT_INST && i->token == n ? i->lines : 0;
        }
    return count;
}

/* What w's outstanding operations say of counter k, which has to come down to `bound`. */
static void note_counter(const struct cu *c, const struct cu_wave *w, unsigned k, uint32_t bound,
                         struct snapshot_wave *out)
{
    out->waits_for = SNAPSHOT_COUNTER;
    out->counter = (struct snapshot_counter){.key = wait_counter_key[k], .value = w->outstanding[k], .bound = bound};
    for (uint16_t n = w->op_head; n != CU_NO_OP; n = c->op[n].next) {
        const struct cu_op *op = &c->op[n];

        if (!((uint32_t)(op->counters & ~op->released) >> k & 1))
            continue;
        out->counter.has_oldest = true;
        out->counter.oldest_pc = op->info->pc;
        out->counter.accesses = op->lds_counters >> k & 1 ? op->lds_pending : op->pending;
        out->counter.queued_lines = queued_lines(c, w->part, n);
        out->counter.cu = c->index * c->x->parts + w->part;
        out->counter.token = n;
        return;
    }
}

/* The counter that the reason is about: the first that is above its bound. */
static void note_counters(const struct cu *c, const struct cu_wave *w, enum timing_stall reason,
                          struct snapshot_wave *out)
{
    const struct timing_info *i = w->info;

    if (reason == STALL_COUNTER_FULL) {
        for (uint32_t m = i->counters; m; m &= m - 1) {
            unsigned k = (unsigned)__builtin_ctz(m);

            if (w->outstanding[k] >= c->x->counter_max[k]) {
                note_counter(c, w, k, c->x->counter_max[k] - 1u, out);
                return;
            }
        }
        return;
    }
    for (unsigned k = 0; k < i->waits; k++)
        if (reason == (enum timing_stall)(STALL_WAIT + i->wait[k].counter) &&
            w->outstanding[i->wait[k].counter] > i->wait[k].threshold)
            note_counter(c, w, i->wait[k].counter, i->wait[k].threshold, out);
}

/* start: the cycle in which the launch began, from which a snapshot counts. */
static void note_wave(const struct cu *c, const struct cu_wave *w, cycle_t start, cycle_t now,
                      struct snapshot_wave *out)
{
    const struct cu_simd *s = &c->simd[w->simd];
    enum timing_stall reason = reason_of(s, w, now);

    *out = (struct snapshot_wave){.group = w->group->id,
                                  .wave = w->number,
                                  .pc = pc_of(w, reason),
                                  .reason = timing_stall_key[reason],
                                  .since = w->issue_slot_end ? w->issue_slot_end : w->born,
                                  .ended = w->ended,
                                  .left = launch_group_waves(w->d->launch, w->group->id) - w->group->placed};
    if (out->since > now)
        out->since = now; /* its last instruction's slot is not over */
    out->since -= start;
    snapshot_note_barriers(out, w->isa, w->at_barrier && !w->ended && !isa_barrier_open(w->isa));
    if (reason >= STALL_WAIT || reason == STALL_COUNTER_FULL)
        note_counters(c, w, reason, out);
    if (out->waits_for == SNAPSHOT_NOTHING && reason != STALL_ISSUED &&
        (w->state == WAVE_TIMED || reason == STALL_SLEEP)) {
        out->waits_for = SNAPSHOT_UNTIL;
        out->until = w->state == WAVE_TIMED ? s->wake[w->slot] : w->hold_until;
        out->until -= out->until == CYCLE_NEVER ? 0 : start; /* CYCLE_NEVER: of a sleep without an end */
    }
}

void run_collect_waves(const struct run *run, const struct timing_dispatch *t, cycle_t now, struct snapshot_maker *m)
{
    for (uint32_t k = 0; k < run->cus; k++)
        for (uint32_t n = 0; n < run->cu[k].group_count; n++) {
            struct snapshot_wave w;

            if (run->cu[k].wave[n].state == WAVE_FREE || run->cu[k].wave[n].d->of != t)
                continue;
            note_wave(&run->cu[k], &run->cu[k].wave[n], t->start, now, &w);
            snapshot_add(m, &w);
        }
}

/* Where the oldest operation of a row's example is. That takes a look at all that is in flight, so that it is not done
 * for each wave. */
static void locate(const struct run *run, struct snapshot_counter *counter)
{
    static const enum mem_port_kind ports[] = {MEM_PORT_VECTOR, MEM_PORT_SCALAR};
    const struct timing_chip *chip = run->chip;
    enum cache_level level;

    for (unsigned k = 0; k < 2 && counter->has_oldest && counter->accesses && chip->locate; k++)
        if (chip->locate(chip->ctx, counter->cu, ports[k], counter->token, &level)) {
            counter->level = level == LEVEL_COUNT ? "dram" : cache_level_key[level];
            return;
        }
}

void run_snapshot(const struct run *run, const struct timing_dispatch *t, cycle_t now, bool last)
{
    const struct engine_options *o = t->options;
    struct snapshot s = {.timing = true,
                         .last = last,
                         .cycle = now > t->start ? now - t->start : 0,
                         .groups_done = t->launch->workgroup_count - t->groups};
    struct snapshot_maker waves = {0};

    if (!o->snapshot)
        return;
    run_collect_waves(run, t, now, &waves);
    for (uint32_t k = 0; k < run->groups; k++) {
        s.groups_done += t->part[k].groups_done;
        s.instructions += t->part[k].instructions;
    }
    if (snapshot_make(&waves, t->launch, &s)) {
        for (size_t k = 0; k < s.rows; k++)
            if (s.row[k].example.waits_for == SNAPSHOT_COUNTER)
                locate(run, &s.row[k].example.counter);
        s.groups_waiting = s.groups - s.groups_done - s.groups_resident;
        o->snapshot(o->snapshot_ctx, &s);
        free(s.row);
    }
    snapshot_maker_free(&waves);
}

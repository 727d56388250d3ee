/* The interlocked front end of GCN, CDNA, RDNA1 and RDNA2: an instruction issues when its operands are ready and its
 * unit is free, and its unit begins it at once.
 *
 * The scoreboard holds a wave for results of every unit but memory's. MFMA instructions may take their addend straight
 * out of the matrix unit when it is the result of the wave's last MFMA.
 */
#include "sim/engine/timing/cu/scoreboard.h"

static bool interlocked_init(struct cu *c, struct arena *arena)
{
    (void)c, (void)arena;
    return true;
}

static void interlocked_launch(const struct cu *c, struct cu_wave *w)
{
    (void)c;
    w->interlocked.vector_done = w->interlocked.sum_entry = 0;
}

/* Operands --------------------------------------------------------------------------------------------------------- */

/* The registers of an MFMA, whose addend may be forwarded: the very registers that the wave's last MFMA writes. */
static NOINLINE struct dependency matrix_registers(const struct cu *c, const struct cu_wave *w,
                                                   const struct timing_info *i)
{
    const struct interlocked_wave *f = &w->interlocked;
    const struct timing_reg *add = &i->addend;
    bool same = add->count && add->first == f->sum.first && add->count == f->sum.count;
    struct dependency d = {0, PRODUCER_NONE};

    for (unsigned k = 0; k < i->reads; k++) {
        const uint64_t *v = &w->ready[i->reg[k].first];
        bool is_addend = add->count && i->reg[k].first == add->first && i->reg[k].count == add->count;
        unsigned consumer = is_addend ? CONSUMER_MFMA_C : CONSUMER_MFMA_AB;

        for (unsigned n = 0; n < i->reg[k].count; n++) {
            if (is_addend && same && v[n] == f->sum_entry)
                dependency_add(&d, f->sum_forward, ready_producer(v[n]));
            else
                dependency_on_entry(&d, c->x, v[n], consumer);
        }
    }
    return d;
}

/* VALU instructions that hold the wave's next one although it reads none of their results. */
static cycle_t interlocked_valu_drained(const struct cu *c, const struct cu_wave *w, const struct timing_info *i)
{
    const struct cu_context *x = c->x;

    if (i->consumer == CONSUMER_MEMORY && x->profile->issue.valu_blocks_memory)
        return w->interlocked.vector_done + x->extra[PRODUCER_VALU][CONSUMER_MEMORY];
    if ((i->port == PORT_SALU || i->port == PORT_SMEM) && x->profile->issue.valu_sgpr_blocks_salu)
        return w->sgpr_done;
    return 0;
}

/* s_waitcnt_depctr. Fields at their largest value wait for nothing. */
static NOINLINE void interlocked_wait_alu(const struct cu *c, const struct cu_wave *w, uint16_t imm,
                                          struct dependency *d)
{
    unsigned va_vdst = imm >> 12, va_sdst = imm >> 9 & 7, va_vcc = imm >> 1 & 1, sa_sdst = imm & 1;

    if (va_vdst < 4)
        dependency_add(d, w->valu_done[va_vdst], PRODUCER_VALU);
    if (va_sdst < 7 || !va_vcc)
        dependency_add(d, w->valu_done[0] + c->x->extra[PRODUCER_SGPR][CONSUMER_SALU], PRODUCER_VALU);
    if (!sa_sdst)
        dependency_add(d, w->salu_done, PRODUCER_SALU);
}

static struct verdict interlocked_operands(const struct cu *c, struct cu_wave *w, cycle_t t)
{
    const struct timing_info *i = w->info;
    struct dependency d = {0, PRODUCER_NONE};

    w->operands = 0;
    if (t < w->busy_until) {
        if (i->cls == OPC_MFMA) {
            d = matrix_registers(c, w, i);
        } else {
            d = scoreboard_registers(c->x, w, i, t, false);
            dependency_add(&d, interlocked_valu_drained(c, w, i), PRODUCER_VALU);
        }
    }
    if (w->delayed)
        scoreboard_delay_alu(w, &d);
    if (i->special == ISA_SPECIAL_WAIT_ALU)
        interlocked_wait_alu(c, w, i->imm, &d);
    return dependency_verdict(&d, t);
}

/* Execution -------------------------------------------------------------------------------------------------------- */

static void interlocked_execute(struct cu *c, struct cu_simd *s, struct cu_wave *w, const struct timing_info *i,
                                cycle_t now)
{
    struct interlocked_wave *f = &w->interlocked;
    cycle_t start = cu_later(w->operands, now), done = start + i->latency_cycles;

    switch (i->port) {
    case PORT_VALU:
        cu_port_accept(&s->port[PORT_VALU], start, i->issue_cycles);
        cu_shift_in(w->valu_done, 4, done);
        f->vector_done = cu_later(f->vector_done, done);
        break;
    case PORT_TRANS:
    case PORT_MATRIX:
        /* the vector ALU hands the operands over and is free for others */
        cu_port_accept(&s->port[i->port], start, i->issue_cycles);
        cu_port_accept(&s->port[PORT_VALU], start, i->handover_cycles);
        cu_shift_in(i->port == PORT_TRANS ? w->trans_done : w->valu_done, 4, done);
        /* memory does not wait for passes, but for results that it reads */
        f->vector_done =
            cu_later(f->vector_done, i->cls == OPC_MFMA ? start + c->x->profile->cls[OPC_VALU].latency_cycles : done);
        if (i->cls == OPC_MFMA) {
            f->sum = i->reg[i->reads];
            f->sum_entry = ready_entry(done, i->producer);
            f->sum_forward = start + i->forward_cycles;
        }
        break;
    case PORT_SALU:
        done = now + i->latency_cycles;
        cu_port_accept(&s->port[PORT_SALU], now, i->issue_cycles);
        w->salu_done = done;
        break;
    case PORT_BRANCH:
        cu_port_accept(&s->port[PORT_BRANCH], now, i->issue_cycles);
        return;
    case PORT_BARRIER:
        cu_barrier_signal(c, s, w, now);
        return;
    default:
        assert(!"a port that does not execute");
        return;
    }
    scoreboard_book(c, w, i, now, done);
}

static cycle_t interlocked_send_operands(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t now)
{
    (void)c, (void)w, (void)i;
    return now;
}

static void interlocked_enter_path(struct cu *c, struct cu_wave *w, const struct timing_info *i, cycle_t unit_done,
                                   cycle_t now)
{
    (void)c, (void)w, (void)i, (void)unit_done, (void)now;
}

const struct front_end front_interlocked = {
    .kind = FRONT_INTERLOCKED,
    .init = interlocked_init,
    .launch = interlocked_launch,
    .operands = interlocked_operands,
    .execute = interlocked_execute,
    .send_operands = interlocked_send_operands,
    .enter_path = interlocked_enter_path,
};

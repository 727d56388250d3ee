/* Loads whose registers are used before a wait (isa/late.h). */
#include "isa/late.h"

#include <string.h>

const struct isa_late isa_late_never;

/* --- which loads are late ----------------------------------------------------------------------------------------- */

static bool is_load(const struct isa_inst *i)
{
    return i->row && i->row->mem.bytes && i->row->mem.op == MEM_LOAD;
}

/* The registers that a load brings to; false: i is no load that may be late. Its counter is the lowest bit. */
static bool result_of(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, struct isa_regref *to,
                      uint32_t *counters)
{
    struct isa_regref ref[ISA_MAX_REGREFS];
    unsigned results = 0;

    /* of a register of which a load brings one half the other may be in use meanwhile */
    if (!is_load(i) || i->bad || i->row->mem.convert >= CONV_D16_U8)
        return false;
    *counters = isa_inst_counters(t, i);
    if (!*counters || *counters & (*counters - 1) || i->row->cls == OPC_SMEM)
        return false;
    unsigned n = isa_inst_regs(t, i, lanes, ref);

    for (unsigned k = 0; k < n; k++)
        if (ref[k].write && (ref[k].file == RF_VGPR || ref[k].file == RF_AGPR)) {
            *to = ref[k];
            results++;
        }
    return results == 1 && to->count <= ISA_LATE_DWORDS;
}

/* Whether a load reads a register because it brings only half of it. */
static bool is_kept(const struct isa_inst *i, const struct isa_regref *ref, unsigned n, unsigned k)
{
    for (unsigned m = 0; m < n && is_load(i); m++)
        if (ref[m].write && ref[m].file == ref[k].file && ref[m].first == ref[k].first && ref[m].count == ref[k].count)
            return true;
    return false;
}

/* Whether i reads what is on its way to the registers, or writes there. Loads to the same registers come in order. */
static bool uses(const struct isa_target *t, const struct isa_inst *i, unsigned lanes, const struct isa_regref *to)
{
    struct isa_regref ref[ISA_MAX_REGREFS];
    unsigned n = isa_inst_regs(t, i, lanes, ref);

    for (unsigned k = 0; k < n; k++)
        if (isa_regrefs_overlap(&ref[k], to) && !is_kept(i, ref, n, k))
            return true;
    return false;
}

/* For how many passes it keeps its unit. */
static unsigned passes(const struct isa_inst *i)
{
    const struct isa_matrix *m = isa_matrix_of(i);

    return m && m->passes ? m->passes : i->row->cls == OPC_TRANS ? 4 : 1;
}

/* Whether a wave may stay at i for longer than it takes: waits of any kind, and where code goes on elsewhere. */
static bool may_stay(const struct isa_inst *i)
{
    return i->row->cls == OPC_BRANCH || i->row->cls == OPC_MESSAGE ||
           (i->row->cls == OPC_INTERNAL && i->row->special == ISA_SPECIAL_NONE);
}

bool isa_late_is(const struct isa_target *t, const struct isa_inst *load, const uint8_t *code, size_t size)
{
    const unsigned lanes = 64; /* a mask that is taken for one of 64 lanes is none of VGPRs */
    struct isa_regref to;
    uint32_t counters;
    struct isa_inst i;
    size_t at = load->size_bytes;

    if (isa_has(t, FEAT_VGPR_MSB) || load->quick_kind != QUICK_NOT || load->exec != load->row->exec ||
        !result_of(t, load, lanes, &to, &counters))
        return false;

    for (unsigned k = 0; k < ISA_LATE_REACH && at < size; k += passes(&i), at += i.size_bytes) {
        if (!isa_decode_any(t, code + at, size - at, &i, NULL) || may_stay(&i))
            return false;
        if (uses(t, &i, lanes, &to))
            return true;
    }
    return false;
}

/* --- their room --------------------------------------------------------------------------------------------------- */

void isa_late_pool_open(struct isa_late_pool *p)
{
    pthread_mutex_init(&p->lock, NULL);
    arena_init(&p->arena, 0);
}

void isa_late_pool_close(struct isa_late_pool *p)
{
    arena_free(&p->arena);
    pthread_mutex_destroy(&p->lock);
}

static struct isa_late *late_from_pool(struct isa_late_pool *p)
{
    pthread_mutex_lock(&p->lock);
    struct isa_late *l = p->free;

    if (l)
        p->free = l->next;
    else
        l = (struct isa_late *)arena_alloc_unset(&p->arena, 1, sizeof *l, _Alignof(struct isa_late));
    pthread_mutex_unlock(&p->lock);
    return l;
}

static void give(struct isa_late_pool *p, struct isa_late *l)
{
    pthread_mutex_lock(&p->lock);
    l->next = p->free;
    p->free = l;
    pthread_mutex_unlock(&p->lock);
}

/* --- their results ------------------------------------------------------------------------------------------------ */

/* Where a reference of a wave's instruction is; null: past what it has. */
static uint32_t *rows_of(const struct isa_wave *w, const struct isa_regref *r)
{
    uint32_t *file = r->file == RF_AGPR ? w->acc : w->v;

    return file && r->first + r->count <= (r->file == RF_AGPR ? w->nagprs : w->nvgprs) ? file + r->first * w->lanes
                                                                                       : NULL;
}

/* Exchanges what the registers hold with what the load does, in its lanes. */
static void exchange(struct isa_late *l)
{
    for (unsigned k = 0; k < l->dwords; k++)
        for (unsigned lane = 0; lane < l->lanes; lane++)
            if (l->exec >> lane & 1) {
                uint32_t *a = &l->rows[k * l->lanes + lane], *b = &l->data[k * l->lanes + lane], other = *a;

                *a = *b;
                *b = other;
            }
}

int isa_late_exec(struct isa_wave *w, const struct isa_inst *i, const struct isa_env *env, struct isa_effects *fx)
{
    struct isa_late *l, **last = &w->late;
    struct isa_regref to;
    uint32_t counters, *rows;

    if (w->late == &isa_late_never || !result_of(w->target, i, w->lanes, &to, &counters) || !(rows = rows_of(w, &to)) ||
        !(l = late_from_pool(isa_program_late(w->program))))
        return i->row->exec(w, i, env, fx);
    *l = (struct isa_late){
        .exec = w->exec,
        .rows = rows,
        .dwords = to.count,
        .lanes = (uint16_t)w->lanes,
        .counter = (uint8_t)__builtin_ctz(counters),
    };
    memcpy(l->data, l->rows, (size_t)l->dwords * l->lanes * sizeof *l->data);
    int status = i->row->exec(w, i, env, fx);

    if (status != ISA_OK) {
        give(isa_program_late(w->program), l);
        return status;
    }
    exchange(l);
    while (*last)
        last = &(*last)->next;
    *last = l;
    w->special |= SPECIAL_LATE;
    return ISA_OK;
}

void isa_late_before(struct isa_wave *w, const struct isa_inst *i)
{
    uint32_t counters = isa_inst_counters(w->target, i);
    bool ends = isa_ends_wave(i);
    uint8_t threshold[WAIT_COUNT];

    isa_inst_waits(w->target, i, threshold);
    for (struct isa_late **at = &w->late; *at;) {
        struct isa_late *l = *at;

        l->behind += l->behind < UINT8_MAX && counters >> l->counter & 1;
        /* or the counter holds no more: the instruction has waited */
        if (!ends && l->behind < threshold[l->counter] && l->behind + 1u < 1u << w->target->wait_bits[l->counter]) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        exchange(l);
        give(isa_program_late(w->program), l);
    }
    if (!w->late)
        w->special &= (uint16_t)~SPECIAL_LATE;
}

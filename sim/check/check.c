/* The checks of a run of the functional engine: executes a wave instruction by instruction and applies the rules before
 * and after each one; and how the checks are attached to a run of either engine. */
#include <stdlib.h>

#include "isa/lds_order.h"
#include "sim/check/check.h"
#include "sim/check/global.h"
#include "sim/check/overwrites.h"
#include "sim/check/stale.h"
#include "sim/engine/spin_loops.h"
#include "sim/engine/timing/memory/from_profile.h"

void check_close(struct check *c)
{
    if (!c)
        return;
    while (c->groups) {
        struct check_group *g = c->groups;
        c->groups = g->next;
        arena_free(&g->arena);
        free(g);
    }
    pthread_mutex_destroy(&c->lock);
    stale_close(c->stale);
    global_events_close(c->timed);
    global_close(c->global);
    overwrites_close(c->overwrites);
    free(c->finding);
    free(c);
}

static void *group_new(void *ctx, unsigned waves)
{
    struct check *c = ctx;
    struct check_group *g = calloc(1, sizeof *g);

    if (!g)
        return NULL;
    arena_init(&g->arena, 0);
    g->arena.budget = c->launch->space->budget;
    g->run = c;
    g->lds_bytes = c->launch->lds_bytes;
    g->slot_count = 1024;
    g->slots = ARENA_NEW(&g->arena, g->slot_count, struct check_info *);
    g->wave = ARENA_NEW(&g->arena, waves, struct check_wave);
    g->lds = ARENA_NEW(&g->arena, g->lds_bytes + 4, uint8_t);
    g->race = check_race_new(g, waves);
    if (!g->slots || !g->wave || !g->lds || !g->race) {
        arena_free(&g->arena);
        free(g);
        return NULL;
    }
    pthread_mutex_lock(&c->lock);
    g->next = c->groups;
    c->groups = g;
    pthread_mutex_unlock(&c->lock);
    return g;
}

static void group_start(void *group, uint64_t id, const struct isa_wave *w, unsigned waves)
{
    struct check_group *g = group;

    g->id = id;
    g->waves = waves;
    g->ended = 0;
    g->global = global_begin(g->run->global, id);
    g->run->stepped = true;
    memset(g->lds, 0, g->lds_bytes);
    check_race_start(g);
    for (unsigned k = 0; k < waves; k++) {
        memset(&g->wave[k], 0, sizeof g->wave[k]);
        check_undefined_start(g, &g->wave[k].undefined, &w[k]);
    }
}

/* ---- an instruction as the rules see it, worked out once per pc ---- */

static uint32_t kind_of(const struct isa_target *t, const struct isa_inst *i)
{
    const struct isa_row *row = i->row;
    enum op_category category = op_class_category[row->cls];
    uint32_t kind = 0;

    if (category == OPCAT_VALU || category == OPCAT_MFMA)
        kind |= KIND_VALU;
    if (category == OPCAT_MFMA)
        kind |= KIND_MATRIX;
    if (category == OPCAT_SALU)
        kind |= row->cls == OPC_SALU_TRANS ? KIND_VALU | KIND_TRANS : KIND_SALU;
    if (category == OPCAT_SMEM)
        kind |= KIND_SMEM;
    if ((category == OPCAT_VMEM || category == OPCAT_FLAT) && row->cls != OPC_EXPORT)
        kind |= KIND_VMEM;
    if (i->format == FMT_FLAT)
        kind |= KIND_FLAT;
    if (row->image.data)
        kind |= KIND_SAMPLED;
    if (category == OPCAT_LDS)
        kind |= row->cls == OPC_GDS || (i->format == FMT_DS && i->u.mem.gds) ? KIND_GDS : KIND_LDS;
    if (isa_form_is_dpp(i->form))
        kind |= KIND_DPP;
    if (row->cls == OPC_TRANS || row->cls == OPC_F64_TRANS)
        kind |= KIND_TRANS;
    if (row->cls == OPC_BRANCH)
        kind |= KIND_BRANCH;
    if (row->cls == OPC_MESSAGE)
        kind |= KIND_MESSAGE;
    if ((kind & (KIND_VMEM | KIND_LDS | KIND_GDS)) && row->mem.op == MEM_STORE)
        kind |= KIND_STORE;
    if ((row->implicit & IMP_R_M0) && (kind & (KIND_VALU | KIND_SALU)) && !(row->implicit & IMP_W_M0) &&
        !(row->flags & RF_INTERP))
        kind |= KIND_RELATIVE;
    if (row->cls == OPC_INTERNAL && row->special == ISA_SPECIAL_NONE && row->wait == WAITS_NONE &&
        (i->format == FMT_SOPP || i->format == FMT_SOP1))
        kind |= KIND_SYNC;
    (void)t;
    return kind;
}

static uint8_t order_of(const struct isa_target *t, const struct isa_inst *i, uint32_t kind)
{
    bool flat_apart = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    if (kind & KIND_FLAT)
        return flat_apart ? ORDER_FLAT : ORDER_VMEM;
    if (kind & KIND_VMEM)
        return ORDER_VMEM;
    if (kind & KIND_GDS)
        return ORDER_GDS;
    if (i->row->cls == OPC_EXPORT || i->format == FMT_LDSDIR)
        return ORDER_EXPORT;
    if (kind & KIND_LDS)
        return ORDER_LDS;
    return kind & KIND_MESSAGE ? ORDER_MESSAGE : ORDER_SMEM;
}

static bool flatten(const struct isa_target *t, const struct isa_regref *r, struct check_ref *out)
{
    static const uint16_t base[] = {[RF_SGPR] = REG_S, [RF_VGPR] = REG_V, [RF_AGPR] = REG_A, [RF_SCC] = REG_SCC};
    const uint16_t limit[] = {
        [RF_SGPR] = 128, [RF_VGPR] = isa_has(t, FEAT_VGPR_MSB) ? REG_A : 256, [RF_AGPR] = 256, [RF_SCC] = 1};

    if (r->file > RF_SCC || r->first >= limit[r->file] || (r->file == RF_SGPR && r->first == t->code_null))
        return false;
    *out = (struct check_ref){(uint16_t)(base[r->file] + r->first), r->count, r->write};
    if (r->first + r->count > limit[r->file])
        out->count = (uint8_t)(limit[r->file] - r->first);
    return true;
}

/* The cache levels that cache control acts on: what its row names, or what its scope reaches. */
static void set_control(struct check_info *n, enum mem_gen gen)
{
    unsigned bits = n->inst->row->cache_control;
    bool inv = bits & ISA_CACHE_INV, wb = bits & ISA_CACHE_WB;

    if (bits & ~(unsigned)(ISA_CACHE_INV | ISA_CACHE_WB)) {
        n->invalidates = inv && (bits & ISA_CACHE_VL0) ? 1u << LEVEL_VL0 : 0;
        n->invalidates |= inv && (bits & ISA_CACHE_GL1) ? 1u << LEVEL_GL1 : 0;
    } else if (bits) {
        struct mem_reach r = mem_policy_reach(gen, inv, wb, (enum mem_scope)n->inst->u.mem.hint.scope);

        n->invalidates = (uint8_t)r.invalidate;
        n->writes_back = (uint8_t)r.write_back;
    }
}

/* The instruction as it names VGPRs under the upper bits; it lives as long as the group. False: out of host memory. */
static bool raise(struct check_group *g, struct check_info *n)
{
    struct isa_inst raised, *copy;

    n->inst = isa_inst_raised(g->run->launch->target, n->code, n->vgpr_msb, &raised);
    if (n->inst != &raised)
        return true;
    copy = ARENA_NEW(&g->arena, 1, struct isa_inst);
    if (copy)
        *copy = raised;
    n->inst = copy;
    return copy;
}

static bool fill(struct check_group *g, struct check_info *n, gaddr_t pc, uint8_t vgpr_msb)
{
    const struct launch *l = g->run->launch;
    struct isa_regref refs[ISA_MAX_REGREFS];

    n->pc = pc;
    n->vgpr_msb = vgpr_msb;
    n->code = isa_program_at(l->program, pc);
    if (!raise(g, n))
        return false;
    n->wait_states = 1;
    if (!n->inst || !n->inst->row)
        return true;
    n->kind = kind_of(l->target, n->inst);
    n->counters = isa_inst_counters(l->target, n->inst);
    n->order = order_of(l->target, n->inst, n->kind);
    n->waits = isa_inst_waits(l->target, n->inst, n->threshold);
    if (n->inst->row->special == ISA_SPECIAL_NOP)
        n->wait_states = ((uint32_t)n->inst->offset & 0xff) + 1;
    n->spins = (n->kind & (KIND_LDS | KIND_FLAT)) && engine_spins(l->target, l->program, pc, l->lanes);
    set_control(n, timing_mem_gen(l->target));
    unsigned count = isa_inst_regs(l->target, n->inst, l->lanes, refs);
    for (unsigned k = 0; k < count; k++) {
        struct isa_regref part[2];
        unsigned parts = isa_regref_in_file(l->target, l->nvgprs, &refs[k], part);
        n->high_vgprs |= part[parts - 1].file != refs[k].file;
        for (unsigned p = 0; p < parts && n->refs < ISA_MAX_REGREFS; p++)
            n->refs += flatten(l->target, &part[p], &n->ref[n->refs]);
    }
    for (unsigned k = 0; k < n->refs && n->inst->row->mem.op == MEM_ATOMIC; k++)
        n->returns |= n->ref[k].write;
    return true;
}

static size_t hash(gaddr_t pc, size_t slots)
{
    return (size_t)hash64(pc >> 2, 44) & (slots - 1);
}

static bool grow(struct check_group *g)
{
    size_t count = g->slot_count * 2;
    struct check_info **slots = ARENA_NEW(&g->arena, count, struct check_info *);

    if (!slots)
        return false;
    for (size_t k = 0; k < g->slot_count; k++) {
        size_t at;

        if (!g->slots[k])
            continue;
        for (at = hash(g->slots[k]->pc, count); slots[at]; at = (at + 1) & (count - 1))
            ;
        slots[at] = g->slots[k];
    }
    g->slots = slots;
    g->slot_count = count;
    return true;
}

static struct check_info *make(struct check_group *g, gaddr_t pc, uint8_t vgpr_msb)
{
    struct check_info *n = ARENA_NEW(&g->arena, 1, struct check_info);

    return n && fill(g, n, pc, vgpr_msb) ? n : NULL;
}

/* The one beside `first` for these upper bits of VGPR numbers. */
static struct check_info *other_at(struct check_group *g, struct check_info *first, uint8_t vgpr_msb)
{
    struct check_info *n = first;

    while (n && n->vgpr_msb != vgpr_msb)
        n = n->other;
    if (n || !(n = make(g, first->pc, vgpr_msb)))
        return n;
    n->other = first->other;
    first->other = n;
    return n;
}

struct check_info *check_info_at(struct check_group *g, gaddr_t pc, uint8_t vgpr_msb)
{
    size_t at = hash(pc, g->slot_count);

    for (; g->slots[at]; at = (at + 1) & (g->slot_count - 1))
        if (g->slots[at]->pc == pc)
            return other_at(g, g->slots[at], vgpr_msb);
    if (g->used * 2 > g->slot_count) {
        if (!grow(g))
            return NULL;
        for (at = hash(pc, g->slot_count); g->slots[at]; at = (at + 1) & (g->slot_count - 1))
            ;
    }
    struct check_info *n = make(g, pc, vgpr_msb);
    if (!n)
        return NULL;
    g->slots[at] = n;
    g->used++;
    return n;
}

/* ---- values ---- */

uint32_t check_scalar(const struct isa_wave *w, const struct isa_inst *i, unsigned code)
{
    if (code < CODE_INT_0)
        return w->s[code];
    if (code <= CODE_INT_64)
        return code - CODE_INT_0;
    if (code <= CODE_INT_M16)
        return CODE_INT_64 - code;
    return i->literal;
}

/* The lanes of a VGPR that the instruction reads. For the first source of DPP, undefined.c works them out. */
uint64_t check_read_lanes(const struct check_step *s, unsigned reg)
{
    const struct isa_inst *i = s->i->inst;

    if (reg >= REG_S)
        return 1;
    if (check_takes_all_lanes(i->row))
        return check_all_lanes(s->w);
    if (!(i->row->flags & RF_ANY_LANE))
        return s->exec;
    if (i->nops < 3) /* the first active lane, or lane 0 */
        return s->exec ? s->exec & -s->exec : 1;
    return UINT64_C(1) << (check_scalar(s->w, i, i->op[2].code) & (s->w->lanes - 1));
}

/* ---- the run ---- */

/* What the instruction did to memory, for races between workgroups. */
static void after_global(struct check_step *s)
{
    const struct isa_effects *fx = &s->g->fx;
    bool scalar = fx->kind == FX_SCALAR, vector = fx->kind == FX_VECTOR || fx->kind == FX_FLAT_MIXED;
    struct global_access a = {.op = fx->op, .lanes = scalar ? 1 : fx->mask, .addr = fx->addr};

    a.pieces = scalar ? 1 : isa_effects_pieces(fx);
    a.bytes = scalar ? fx->bytes : isa_effects_piece_bytes(fx);
    a.step = fx->dword_step;
    global_after(s->g->run->global, s->g->global, &s->c->global, s->g->current, &s->c->waits.n, s->i, s->acquires,
                 scalar || vector ? &a : NULL);
}

/* A tensor is moved in parts, the first of which has been looked at. */
static void other_parts(struct check_step *s)
{
    while (isa_next_part(&s->g->fx)) {
        check_undefined_lds(s);
        check_bounds_after(s);
        check_overwrites_after(s);
        check_race_after(s);
        if (s->g->global)
            after_global(s);
    }
    check_race_tensor_done(s);
}

static enum isa_status step(struct check_step *s)
{
    const uint32_t reaches_memory = KIND_VMEM | KIND_SMEM | KIND_GDS;

    check_waits_before(s);
    check_undefined_before(s);
    check_states_before(s);
    check_matrix_before(s);
    check_rdna_before(s);
    check_forward_before(s);
    check_bugs_before(s);
    s->g->fx.kind = FX_NONE;
    s->g->fx.lds_mask = 0;
    s->g->fx.parts = false;
    if (s->i->kind & KIND_SYNC)
        check_race_before_sync(s);
    s->acquires = global_acquires(s->g->run->global);
    enum isa_status status = check_undefined_step(s);
    if (status == ISA_FAULT)
        return status;
    if (s->i->kind & KIND_SYNC)
        check_race_after_sync(s, status);
    check_waits_after(s);
    check_undefined_after(s);
    check_states_after(s);
    check_rdna_after(s);
    check_forward_after(s);
    check_bugs_after(s);
    check_bounds_after(s);
    if (s->i->kind & reaches_memory)
        check_overwrites_after(s);
    check_race_after(s);
    if ((s->i->kind & reaches_memory) && s->g->global)
        after_global(s);
    if (s->g->fx.parts)
        other_parts(s);
    return status;
}

static enum isa_status run(void *group, unsigned wave, struct isa_wave *w, const struct isa_env *env, uint64_t limit,
                           uint64_t *done, uint64_t *tally)
{
    struct check_group *g = group;
    struct isa_program *p = g->run->launch->program;
    struct check_step s = {.g = g, .c = &g->wave[wave], .w = w, .env = env};
    enum isa_status status = ISA_OK;
    uint64_t n = 0;

    g->current = wave;
    check_race_resume(g, wave);
    for (; n < limit && status == ISA_OK; n++) {
        const struct isa_inst *i = isa_program_at(p, w->pc);
        s.i = i && i->row ? check_info_at(g, w->pc, w->vgpr_msb) : NULL;
        if (i && i->row && !s.i)
            g->run->no_memory = true;
        s.exec = w->exec;
        if (!s.i || ((w->special & SPECIAL_VSKIP) && i->format >= FMT_VOP1)) {
            /* faulting and skipped instructions; and those for which the host has no memory, which are not checked */
            uint64_t one = 0;
            status = isa_run(w, p, env, 1, &one, tally);
            if (!one)
                break;
            if (status == ISA_LIMIT)
                status = ISA_OK;
            continue;
        }
        if (isa_lds_turn_ends(w, i)) {
            status = ISA_TURN;
            break;
        }
        if (s.c->global.syncs && g->global) {
            s.c->global.syncs = false;
            global_synced(g->run->global, g->global);
        }
        status = step(&s);
        if (status == ISA_FAULT)
            break;
        isa_lds_order_stepped(w);
        tally[i->tally]++;
    }
    if (status == ISA_END && ++g->ended == g->waves && g->global) {
        global_end(g->run->global, g->global);
        g->global = NULL;
    }
    *done = n;
    return status == ISA_OK ? ISA_LIMIT : status;
}

/* What group_new() leaves to be allocated later: facts about each instruction, their table, which doubles, and what
 * race.c makes for parts of LDS; a block of the arena may stay unused. */
static uint64_t group_more_bytes(const struct launch *l)
{
    const uint64_t slots_per_info = 8, block = 64 * 1024;
    uint64_t infos = isa_program_size(l->program) / 4;

    uint64_t raised = isa_has(l->target, FEAT_VGPR_MSB) ? sizeof(struct isa_inst) : 0;

    return block + infos * (sizeof(struct check_info) * 5 / 4 + raised + slots_per_info * sizeof(struct check_info *)) +
           check_race_more_bytes(l->lds_bytes);
}

/* ---- the observers attached to a launch ---- */

/* Puts a consumer of the timing engine's events first. */
static void consume(struct event_consumer *c, struct engine_options *o, uint32_t kinds, void *ctx,
                    void (*take)(void *ctx, const struct event *e, size_t count))
{
    *c = (struct event_consumer){.next = o->consumers, .kinds = kinds, .ctx = ctx, .take = take};
    o->consumers = c;
}

/* The rules that need a launch for themselves; false: out of host memory. */
static bool attach(struct check *c, struct engine_options *o)
{
    const struct launch *l = c->launch;
    enum mem_gen gen = timing_mem_gen(l->target);
    struct check_group *infos = NULL;

    c->global = global_open(c, gen);
    if (c->global && l->profile && (infos = group_new(c, 0))) {
        c->stale = stale_open(c, gen, l->profile->gpu.cus_per_wgp);
        c->timed = global_events_open(c, c->global, infos);
    }
    if (!c->global || (l->profile && (!c->stale || !c->timed)))
        return false;
    c->stepper = (struct engine_stepper){c, group_more_bytes(l), group_new, group_start, run};
    o->stepper = &c->stepper;
    if (l->profile) {
        consume(&c->consumer, o, STALE_EVENTS, c->stale, stale_events);
        consume(&c->accesses, o, GLOBAL_EVENTS, c->timed, global_events_take);
    }
    return true;
}

struct check *check_open(const struct launch *l, const struct check_object *objects, size_t object_count,
                         bool stores_alone, struct engine_options *o)
{
    struct check *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->launch = l;
    c->uses_wait_alu = check_uses_wait_alu(l);
    pthread_mutex_init(&c->lock, NULL);
    c->overwrites = overwrites_open(c, objects, object_count);
    if (!c->overwrites || (!stores_alone && !attach(c, o))) {
        check_close(c);
        return NULL;
    }
    o->stores = overwrites_observer(c->overwrites);
    return c;
}

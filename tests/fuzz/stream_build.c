/* Programs of random instructions: what loads registers, the instructions, and what stores registers at the end. */
#include <string.h>

#include "tests/fuzz/stream_words.h"

/* Begin and end ---------------------------------------------------------------------------------------------------- */

static unsigned log2_of(uint32_t n)
{
    return (unsigned)__builtin_ctz(n);
}

static void find_region(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;
    unsigned group = isa_has(t, FEAT_ARCH_SGPRS) ? t->code_ttmp0 + 9u : S_GROUP;

    sop2(s, STREAM_s_lshl_b32, S_SCC, group, CODE_INT_0 + log2_of(s->shape.waves));
    if (s->shape.waves > 1) { /* the wave's number in its workgroup */
        put(s, 0x7e000000 | S_TEMP << 17 | op(s, STREAM_v_readfirstlane_b32) << 9 | CODE_VGPR);
        sop2(s, STREAM_s_lshr_b32, S_TEMP, S_TEMP, CODE_INT_0 + log2_of(s->shape.lanes));
        sop2(s, STREAM_s_add_u32, S_SCC, S_SCC, S_TEMP);
    }
    sop2(s, STREAM_s_lshl_b32, S_SCC, S_SCC, CODE_INT_0 + STREAM_REGION_SHIFT);
    sop2(s, STREAM_s_add_u32, S_REGION, S_BASE, S_SCC);
    sop1(s, STREAM_s_mov_b32, S_REGION + 1, S_BASE + 1);
    vop3(s, STREAM_v_mbcnt_lo_u32_b32, v_lane(s), MINUS_1, CODE_INT_0, 0);
    vop3(s, STREAM_v_mbcnt_hi_u32_b32, v_lane(s), MINUS_1, CODE_VGPR + v_lane(s), 0);
}

/* What other waves have left in a slot of scratch depends on the order of waves. */
static void clear_scratch(struct stream *s)
{
    v_set(s, v_address(s), CODE_INT_0);
    v_set_literal(s, v_address(s) + 1, (uint32_t)(s->places.private_aperture >> 32));
    s_set(s, S_TEMP, 16);
    for (unsigned k = 0; k < STREAM_SCRATCH_BYTES; k += 16) {
        flat(s, STREAM_flat_store_dwordx4, 4); /* registers that are zero */
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
}

static void load_sgprs(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;
    uint32_t null = t->layout == LAYOUT_GFX10 ? 0x7d : 0x7c, code = op(s, STREAM_s_load_dwordx16);

    for (unsigned k = 0; k < S_REGION; k += 16) {
        if (old_layout(s)) {
            put(s, 0xc0020000 | code << 18 | k << 6 | S_REGION / 2);
            put(s, 4 * k);
        } else {
            put(s, 0xf4000000 | code << (t->layout == LAYOUT_GFX12 ? 13 : 18) | k << 6 | S_REGION / 2);
            put(s, null << 25 | 4 * k);
        }
    }
    s_set(s, CODE_VCC_LO, stream_draw(s->rng));
    s_set(s, CODE_VCC_HI, stream_draw(s->rng));
    s_set(s, t->code_m0, UINT32_MAX);
}

void stream_begin(struct stream *s, struct stream_catalog *c, const struct stream_shape *shape,
                  const struct stream_places *places, struct stream_rng *rng)
{
    s->catalog = c;
    s->shape = *shape;
    s->places = *places;
    s->rng = rng;
    s->words = s->made = 0;
    s->timed = false;
    s->branch = STREAM_MAX_WORDS;
    find_region(s);
    if (shape->repeatable)
        clear_scratch(s);
    point_to(s, 0);
    for (unsigned k = 0; k < shape->vgprs - VGPRS_KEPT; k += 4) {
        flat(s, STREAM_flat_load_dwordx4, k);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
    for (unsigned k = 0; k < shape->agprs; k++)
        accvgpr(s, STREAM_v_accvgpr_write_b32, k, k % (shape->vgprs - VGPRS_KEPT));
    load_sgprs(s);
}

/* Scalar registers as lanes of v[0:3]. */
static void store_sgprs(struct stream *s)
{
    unsigned m0 = s->catalog->target->code_m0;

    for (unsigned k = 0; k < 4; k++)
        v_set(s, k, CODE_INT_0);
    for (unsigned k = 0; k <= CODE_VCC_HI + 1u; k++) {
        unsigned code = k > CODE_VCC_HI ? m0 : k;

        if (code < 102 || code >= CODE_VCC_LO)
            vop3(s, STREAM_v_writelane_b32, k / s->shape.lanes, code, CODE_INT_0 + k % s->shape.lanes, 0);
    }
    flat(s, STREAM_flat_store_dwordx4, 0);
    v_add_sgpr(s, v_address(s), S_TEMP);
}

static void store_lds(struct stream *s)
{
    uint32_t shift = old_layout(s) ? 17 : 18, step = 16 * s->shape.lanes;

    vop2_literal(s, STREAM_v_mul_u32_u24, 4, 16, v_lane(s));
    for (uint32_t at = 0; at < STREAM_LDS_BYTES; at += step) {
        put(s, 0xd8000000 | op(s, STREAM_ds_read_b128) << shift | at);
        put(s, 4);
        flat(s, STREAM_flat_store_dwordx4, 0);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
}

static void end_branch(struct stream *s)
{
    if (s->branch < STREAM_MAX_WORDS)
        s->word[s->branch] = (s->word[s->branch] & 0xffff0000) | ((s->words - s->branch - 1) & 0xffff);
    s->branch = STREAM_MAX_WORDS;
}

void stream_end(struct stream *s)
{
    const struct isa_target *t = s->catalog->target;

    end_branch(s);
    sop2(s, STREAM_s_cselect_b32, S_SCC, CODE_INT_0 + 1, CODE_INT_0);
    sop1(s, STREAM_s_mov_b32, S_EXEC, CODE_EXEC_LO);
    sop1(s, STREAM_s_mov_b32, S_EXEC + 1, CODE_EXEC_HI);
    sopk(s, STREAM_s_getreg_b32, S_MODE, HWREG_MODE);
    sopk(s, STREAM_s_setreg_imm32_b32, 0, HWREG_MODE);
    put(s, MODE_AT_FIRST);
    sop1(s, STREAM_s_mov_b32, CODE_EXEC_LO, MINUS_1);
    sop1(s, STREAM_s_mov_b32, CODE_EXEC_HI, MINUS_1);
    point_to(s, STREAM_DATA_BYTES);
    for (unsigned k = 0; k < s->shape.vgprs - VGPRS_KEPT; k += 4) {
        flat(s, STREAM_flat_store_dwordx4, k);
        v_add_sgpr(s, v_address(s), S_TEMP);
    }
    store_sgprs(s);
    for (unsigned k = 0; k < s->shape.agprs; k++) {
        accvgpr(s, STREAM_v_accvgpr_read_b32, k % 4, k);
        if (k % 4 == 3) {
            flat(s, STREAM_flat_store_dwordx4, 0);
            v_add_sgpr(s, v_address(s), S_TEMP);
        }
    }
    sop1(s, STREAM_s_mov_b32, t->code_m0, MINUS_1);
    store_lds(s);
    sopp(s, STREAM_s_endpgm, 0);
}

/* Instructions ----------------------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* What reads a clock or the place of the wave, waits for others, ends the wave, goes to an address in a register, or
 * writes registers that its operands do not name. */
static bool is_repeatable(const struct isa_row *row)
{
    static const char *const not [] = {
        "s_memtime",      "s_memrealtime", "s_getreg",    "s_setreg",       "s_sendmsg_rtn", "s_barrier",
        "s_get_barrier",  "s_trap",        "s_sethalt",   "s_setkill",      "s_setpc",       "s_swappc",
        "s_rfe",          "s_cbranch_g",   "s_cbranch_i", "s_cbranch_join", "s_movrel",      "v_movrel",
        "s_set_gpr_idx",  "s_setvskip",    "s_endpgm",    "s_sleep_var",    "s_subvector",   "v_swaprel",
        "s_cbranch_cdbg", "s_wakeup",      "s_code_end",  "s_get_waveid",   "v_illegal",     "s_get_shader",
    };

    for (unsigned k = 0; k < sizeof not / sizeof not [0]; k++)
        if (begins(row->name, not [k]))
            return false;
    return true;
}

/* What a clock shows, or where the wave runs, differs from engine to engine, and so do sleeps that nobody ends. */
static bool reads_time(const struct isa_row *row)
{
    static const char *const names[] = {"s_memtime",     "s_memrealtime", "s_getreg",
                                        "s_sendmsg_rtn", "s_get_shader",  "s_sleep_var"};

    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
        if (begins(row->name, names[k]))
            return true;
    return false;
}

static bool uses_lds(const struct stream_cell *c)
{
    const struct isa_row *r = c->row;

    return (c->format == FMT_DS && r->cls != OPC_LDS_PERMUTE) || strstr(r->name, "_lds");
}

bool stream_allows(const struct stream_shape *shape, const struct stream_cell *c)
{
    if (!c->known)
        return false;
    if (!shape->repeatable)
        return true;
    return is_repeatable(c->row) && (shape->waves == 1 || !uses_lds(c));
}

struct stream_cell *stream_pick(struct stream *s)
{
    for (unsigned n = 0; n < 100; n++) {
        struct stream_cell *c = &s->catalog->cell[stream_below(s->rng, s->catalog->count)];

        if (stream_allows(&s->shape, c))
            return c;
    }
    return &s->catalog->cell[0];
}

static bool is_label(const struct isa_inst *i)
{
    for (unsigned k = 0; k < i->nops; k++)
        if (i->row->args[k].type == T_LABEL)
            return true;
    return false;
}

/* What a copy brings to LDS is there after a wait; without one the engines need not agree. */
static void await_copies(struct stream *s, const struct isa_inst *i)
{
    static const enum stream_op waits[] = {STREAM_s_waitcnt, STREAM_s_wait_loadcnt, STREAM_s_wait_asynccnt};
    bool vector =
        stream_is_buffer(i->format) || i->format == FMT_FLAT || i->format == FMT_GLOBAL || i->format == FMT_SCRATCH;

    if (!(vector && i->u.mem.lds) && !strstr(i->row->name, "_lds"))
        return;
    for (unsigned k = 0; k < sizeof waits / sizeof waits[0]; k++)
        if (has(s, waits[k]))
            sopp(s, waits[k], 0);
}

/* Immediates with which an instruction would leave the program, or wait for ever. */
static void bound_immediate(struct stream *s, const struct isa_inst *i, uint32_t *word)
{
    if (is_label(i) && (s->shape.repeatable || stream_chance(s->rng, 70))) {
        s->branch = s->words; /* over the next instruction */
        return;
    }
    if (begins(i->row->name,
               "s_sleep")) /* the timing engine sleeps till the end of time, the functional one does not */
        *word &= ~UINT32_C(0x8000);
    for (unsigned k = 0; k < i->nops; k++) /* MODE, STATUS, ..., from any bit on */
        if (i->row->args[k].type == T_HWREG && stream_chance(s->rng, 80))
            *word = (*word & ~UINT32_C(0x3f)) | (1 + stream_below(s->rng, 7));
}

bool stream_add(struct stream *s, struct stream_cell *cell)
{
    uint8_t bytes[ENCODING_BYTES];
    unsigned before = s->branch, at;

    if (s->words + UNIT_WORDS + END_WORDS > STREAM_MAX_WORDS)
        return false;
    s->strict = s->shape.repeatable || stream_chance(s->rng, 90);
    for (unsigned n = 0; n < 4000; n++) {
        struct isa_inst i;
        uint32_t word;
        unsigned size;

        if (!stream_sample(s->catalog, cell, s->rng, bytes, &i) || (i.bad && s->strict) ||
            (i.format == FMT_DS && i.u.mem.gds && s->strict) ||
            (s->shape.waves > 1 &&
             (stream_is_buffer(i.format) || i.format == FMT_FLAT || i.format == FMT_GLOBAL ||
              i.format == FMT_SCRATCH) &&
             i.u.mem.lds))
            continue;
        size = i.size_bytes;
        if (!stream_shrink(s, cell, bytes, &size, &i))
            continue;
        stream_set_up(s, &i);
        s->branch = STREAM_MAX_WORDS;
        word = load_u32(bytes);
        bound_immediate(s, &i, &word);
        at = s->words;
        put(s, word);
        for (unsigned k = 4; k < size; k += 4)
            put(s, load_u32(bytes + k));
        await_copies(s, &i);
        if (before < STREAM_MAX_WORDS) { /* the branch before it goes over it */
            unsigned own = s->branch;

            s->branch = before;
            end_branch(s);
            s->branch = own;
        }
        if (s->made < STREAM_MAX_MADE)
            s->at[s->made] = (struct stream_at){cell, at};
        s->made++;
        s->timed |= reads_time(cell->row);
        cell->made++;
        return true;
    }
    s->branch = before;
    return false;
}

void stream_add_barrier(struct stream *s)
{
    end_branch(s);
    if (has(s, STREAM_s_barrier_signal)) {
        sop1(s, STREAM_s_barrier_signal, 0, MINUS_1);
        sopp(s, STREAM_s_barrier_wait, 0xffff);
    } else {
        sopp(s, STREAM_s_barrier, 0);
    }
}

void stream_add_state(struct stream *s)
{
    uint32_t v = stream_draw(s->rng);

    end_branch(s);
    switch (stream_below(s->rng, 6)) {
    case 0:
        sop1(s, STREAM_s_mov_b32, CODE_EXEC_LO, MINUS_1);
        sop1(s, STREAM_s_mov_b32, CODE_EXEC_HI, MINUS_1);
        break;
    case 1:
    case 2:
        s_set(s, CODE_EXEC_LO, v);
        s_set(s, CODE_EXEC_HI, stream_draw(s->rng));
        break;
    case 3:
        s_set(s, CODE_VCC_LO + (v & 1), stream_draw(s->rng));
        break;
    case 4:
        s_set(s, CODE_EXEC_LO, stream_chance(s->rng, 30) ? 0 : 1u << (v & 31));
        s_set(s, CODE_EXEC_HI, 0);
        break;
    default: /* rounding and denormals */
        sopk(s, STREAM_s_setreg_imm32_b32, 0, 1 | 7 << 11);
        put(s, v & 0xff);
        break;
    }
}

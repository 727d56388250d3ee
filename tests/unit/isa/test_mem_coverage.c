/* Every memory instruction of every target runs, with and without the old value of atomics, in the base variant and the
 * best one of this CPU, which must leave the same bytes behind. What the bytes should be is the other tests' business.
 * Instructions that gcnsim knows and does not run are listed here: nothing else may be missing. */
#define RECORD_NOTHING /* what the bytes should be is not known here */
#include "isa/variant.h"
#include "tests/unit/isa/harness.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

static const char *const not_run[] = {
    /* global data share, global wave sync, streamout, ray traversal */
    "ds_gws_init",
    "ds_gws_sema_v",
    "ds_gws_sema_br",
    "ds_gws_sema_p",
    "ds_gws_barrier",
    "ds_gws_sema_release_all",
    "ds_ordered_count",
    "ds_add_gs_reg_rtn",
    "ds_sub_gs_reg_rtn",
    "ds_bvh_stack_rtn_b32",
    "global_atomic_ordered_add_b64",
    /* no manual says which lane gets what */
    "global_load_tr_b64",
    "global_load_tr_b128",
};

static bool has_slot(const struct isa_row *row, unsigned slot)
{
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == slot)
            return true;
    return false;
}

enum { V_ADDR = 2, V_DATA = 8, V_DATA1 = 16, V_DST = 24 };

static unsigned ds_words(const struct isa_target *t, const struct isa_row *row, unsigned op, uint32_t *w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9;

    w[0] = 0xd8000000u | op << (old ? 17 : 18) | (has_slot(row, SL_ADDR) && row->mem.elems == 2 ? 0x0200 : 0);
    w[1] = (has_slot(row, SL_ADDR) ? V_ADDR : 0) | (has_slot(row, SL_DATA0) ? V_DATA << 8 : 0) |
           (has_slot(row, SL_DATA1) ? V_DATA1 << 16 : 0) | (has_slot(row, SL_VDST) ? (uint32_t)V_DST << 24 : 0);
    return 2;
}

static unsigned flat_words(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op, bool glc,
                           uint32_t *w)
{
    unsigned seg = f == FMT_GLOBAL ? 2 : f == FMT_SCRATCH ? 1 : 0;
    bool writes = has_slot(row, SL_VDST) && (row->mem.op != MEM_ATOMIC || glc), addr = has_slot(row, SL_ADDR);
    bool sve = f == FMT_SCRATCH && isa_has(t, FEAT_ARCH_FLAT_SCRATCH);

    if (t->layout == LAYOUT_GFX12) {
        w[0] =
            0xec000000u | (f == FMT_GLOBAL ? 2u : seg) << 24 | op << 14 | (addr || !has_slot(row, SL_SADDR) ? 0x7c : 4);
        w[1] = (writes ? V_DST : 0) | (uint32_t)sve << 17 | (has_slot(row, SL_DATA0) ? (uint32_t)V_DATA << 23 : 0) |
               (glc ? 1u << 20 : 0);
        w[2] = addr ? V_ADDR : 0;
        return 3;
    }
    bool gfx11 = t->layout == LAYOUT_GFX11;
    uint32_t saddr = gfx11 ? 0x7c : t->layout == LAYOUT_GFX10 ? 0x7d : f == FMT_FLAT ? 0 : 0x7f;
    if (!addr && has_slot(row, SL_SADDR))
        saddr = 4;
    w[0] = 0xdc000000u | op << 18 | seg << (gfx11 ? 16 : 14) | (glc ? 1u << (gfx11 ? 14 : 16) : 0) |
           (sve && !gfx11 ? 1u << 13 : 0);
    w[1] = (addr ? V_ADDR : 0) | (has_slot(row, SL_DATA0) ? V_DATA << 8 : 0) | saddr << 16 |
           (sve && gfx11 ? 1u << 23 : 0) | (writes ? (uint32_t)V_DST << 24 : 0);
    return 2;
}

static unsigned buffer_words(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op, bool glc,
                             uint32_t *w)
{
    bool addr = has_slot(row, SL_ADDR), typed = f == FMT_MTBUF;
    uint32_t data = has_slot(row, SL_VDST) || has_slot(row, SL_DATA0) ? V_DATA : 0;

    if (t->layout == LAYOUT_GFX12) {
        w[0] = 0xc4000000u | op << 14 | (has_slot(row, SL_SOFFSET) ? 0x7c : 0);
        w[1] = data | (has_slot(row, SL_SRSRC) ? 8u << 9 : 0) | (glc ? 1u << 20 : 0) |
               (addr ? (row->mem.typed ? 42u : 1u) << 23 | 1u << 30 : 0);
        w[2] = addr ? V_ADDR : 0;
        return 3;
    }
    bool gfx11 = t->layout == LAYOUT_GFX11, gfx10 = t->layout == LAYOUT_GFX10;
    w[0] = (typed ? 0xe8000000u : 0xe0000000u) | (glc ? 1u << 14 : 0) | (addr && !gfx11 ? 1u << 12 : 0);
    w[1] = (addr ? V_ADDR : 0) | data << 8 | (has_slot(row, SL_SRSRC) ? 2u << 16 | 0x80000000u : 0) |
           (addr && gfx11 ? 1u << 22 : 0);
    if (typed)
        w[0] |= (gfx10 ? (op & 7) << 16 : op << 15) | (gfx11 ? 42u : gfx10 ? 56u : 10u) << 19;
    else
        w[0] |= op << 18;
    if (typed && gfx10)
        w[1] |= op >> 3 << 21;
    if (row->args[0].slot == SL_SRSRC) /* the store from LDS says so */
        w[0] |= 1u << 16;
    return 2;
}

static unsigned smem_words(const struct isa_target *t, const struct isa_row *row, unsigned op, bool glc, uint32_t *w)
{
    bool old = t->layout == LAYOUT_GFX8 || t->layout == LAYOUT_GFX9, base = has_slot(row, SL_SBASE);
    unsigned nowhere = t->layout == LAYOUT_GFX10 ? 0x7d : 0x7c;
    bool offset = has_slot(row, SL_SOFFSET);

    w[0] = (old ? 0xc0000000u : 0xf4000000u) | op << (t->layout == LAYOUT_GFX12 ? 13 : 18) | (glc ? 1u << 16 : 0) |
           (old && offset ? 1u << 17 : 0) | (base ? (isa_types[row->args[1].type].dwords == 4 ? 4 : 2) : 0) |
           (has_slot(row, SL_SDST) ? 20u << 6 : 0);
    for (unsigned k = 0; row->args[k].slot; k++)
        if (row->args[k].slot == SL_SBASE && isa_types[row->args[k].type].dwords == 4)
            w[0] = (w[0] & ~63u) | 4;
    w[1] = old || !offset ? 0 : nowhere << 25;
    return 2;
}

static unsigned words_of(const struct isa_target *t, const struct isa_row *row, unsigned f, unsigned op, bool glc,
                         uint32_t *w)
{
    switch (f) {
    case FMT_DS:
        return ds_words(t, row, op, w);
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH:
        return flat_words(t, row, f, op, glc, w);
    case FMT_SMEM:
        return smem_words(t, row, op, glc, w);
    default:
        return buffer_words(t, row, f, op, glc, w);
    }
}

static void set_up(struct rig *r, unsigned format)
{
    bool address = format == FMT_FLAT || format == FMT_GLOBAL;

    for (unsigned k = 0; k < 65536; k++) {
        r->mem[k] = (uint8_t)(k * 7 + (k >> 8) * 13);
        r->lds[k] = (uint8_t)(k * 11 + (k >> 8) * 5);
    }
    for (unsigned reg = 0; reg < 64; reg++)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, reg, l, 0x3f000000 + reg * 0x10001 + l * 0x100);
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, V_ADDR, l, (address ? (uint32_t)RIG_MEM : 0) + 64 * (l * 5 % r->w.lanes));
        rig_v(r, V_ADDR + 1, l, 0);
    }
    memset(r->w.s, 0, 106 * sizeof r->w.s[0]);
    r->w.s[4] = (uint32_t)RIG_MEM + 256;
    r->w.s[8] = (uint32_t)RIG_MEM;
    r->w.s[10] = 65536;
    r->w.s[11] = 4u | 5u << 3 | 6u << 6 | 7u << 9;
    switch (r->t->layout) { /* 8_8_8_8 unorm */
    case LAYOUT_GFX8:
    case LAYOUT_GFX9:
        r->w.s[11] |= 10u << 15;
        break;
    case LAYOUT_GFX10:
        r->w.s[11] |= 56u << 12 | 3u << 28;
        break;
    default:
        r->w.s[11] |= 42u << 12 | 3u << 28;
        break;
    }
    r->w.s[r->t->code_m0] = 0x10000;
    r->w.scratch_base = RIG_MEM + 0x4000;
    r->w.scratch_bytes = 128;
    if (format == FMT_SCRATCH)
        for (unsigned l = 0; l < r->w.lanes; l++)
            rig_v(r, V_ADDR, l, 4 * (l % 8));
    isa_set_exec(&r->w, UINT64_C(0xf7ff7ffff7ff7fff));
}

static bool listed(const char *mnemonic)
{
    for (unsigned k = 0; k < COUNT(not_run); k++)
        if (strcmp(mnemonic, not_run[k]) == 0)
            return true;
    return false;
}

/* Runs one encoding in both variants; false when the decoder does not know it. */
static bool run_both(struct rig r[2], const struct isa_row *row, unsigned format, const uint32_t *words, unsigned n,
                     const char *mnemonic)
{
    struct isa_inst i;

    if (!isa_decode(r[0].t, (const uint8_t *)words, n * 4, &i, NULL) || i.row != row)
        return false;
    for (unsigned v = 0; v < 2; v++) {
        set_up(&r[v], format);
        enum isa_status st = rig_try(&r[v], words, n);
        if (st != ISA_OK)
            fail_msg("%s on %s: %s", mnemonic, r[v].t->name, r[v].w.fault.text);
    }
    assert_memory_equal(r[0].mem, r[1].mem, 65536);
    assert_memory_equal(r[0].lds, r[1].lds, 65536);
    assert_memory_equal(r[0].regs, r[1].regs, sizeof(uint32_t) * RIG_VGPRS * r[0].w.lanes);
    assert_memory_equal(r[0].w.s, r[1].w.s, sizeof r[0].w.s);
    return true;
}

static void every_memory_instruction_runs(void **state)
{
    static const uint8_t formats[] = {FMT_SMEM,    FMT_DS,    FMT_FLAT,  FMT_GLOBAL,
                                      FMT_SCRATCH, FMT_MUBUF, FMT_MTBUF, FMT_VBUFFER};
    (void)state;

    for (unsigned k = 0; isa_target_name(k); k++) {
        struct rig r[2];
        unsigned run = 0, known = 0;
        unsigned lanes = k & 1 ? 64 : 32;
        rig_open_variant(&r[0], isa_target_name(k), 64, "base");
        if (isa_has(r[0].t, FEAT_WAVE32) && lanes == 32) {
            rig_close(&r[0]);
            rig_open_variant(&r[0], isa_target_name(k), 32, "base");
        }
        rig_open(&r[1], isa_target_name(k), r[0].w.lanes);
        for (unsigned n = 0; n < COUNT(formats); n++) {
            unsigned f = formats[n];
            for (unsigned op = 0; op < r[0].t->op_count[f]; op++) {
                const struct isa_op *o = &r[0].t->ops[f][op];
                uint32_t words[3] = {0};
                if (!o->row)
                    continue;
                if (!o->row->exec) {
                    if (!listed(o->mnemonic))
                        fail_msg("%s of %s is not run", o->mnemonic, r[0].t->name);
                    known++;
                    continue;
                }
                unsigned count = words_of(r[0].t, o->row, f, op, false, words);
                bool plain = run_both(r, o->row, f, words, count, o->mnemonic);
                words_of(r[0].t, o->row, f, op, true, words);
                bool old =
                    o->row->mem.op == MEM_ATOMIC && f != FMT_DS && run_both(r, o->row, f, words, count, o->mnemonic);
                if (!plain && !old)
                    fail_msg("%s of %s: no such encoding 0x%08x 0x%08x 0x%08x", o->mnemonic, r[0].t->name, words[0],
                             words[1], words[2]);
                run++;
            }
        }
        print_message("%s: %u memory instructions run, %u known and not run\n", r[0].t->name, run, known);
        assert_true(run > 200);
        rig_close(&r[0]);
        rig_close(&r[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_memory_instruction_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

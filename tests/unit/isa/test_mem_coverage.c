/* Every memory instruction of every target runs, with and without the old value of atomics, in the base variant and the
 * best one of this CPU, which must leave the same bytes behind. What the bytes should be is the other tests' business.
 * Instructions that gcnsim knows and does not run are listed here: nothing else may be missing. */
#define RECORD_NOTHING /* what the bytes should be is not known here */
#include "isa/variant.h"
#include "tests/unit/isa/mem_words.h"

#define COUNT(x) (sizeof(x) / sizeof(x)[0])

static const char *const not_run[] = {
    /* global data share, streamout, ray traversal */
    "ds_ordered_count",
    "ds_add_gs_reg_rtn",
    "ds_sub_gs_reg_rtn",
    "ds_bvh_stack_rtn_b32",
    "global_atomic_ordered_add_b64",
    /* of gfx1250's trap handlers: the tensor unit */
    "tensor_stop",
    "tensor_save",
};

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
        if (st != ISA_OK && st != ISA_WAKEUP)
            fail_msg("%s on %s: %s", mnemonic, r[v].t->name, r[v].w.fault.text);
    }
    assert_memory_equal(r[0].mem, r[1].mem, 65536);
    assert_memory_equal(r[0].lds, r[1].lds, 65536);
    assert_memory_equal(r[0].regs, r[1].regs, sizeof(uint32_t) * RIG_VGPRS * r[0].w.lanes);
    assert_memory_equal(r[0].w.s, r[1].w.s, sizeof r[0].w.s);
    return true;
}

/* One that is known and not run ends the run with its name. */
static unsigned expect_unsupported(struct rig *r, unsigned f, unsigned op)
{
    const struct isa_op *o = &r->t->ops[f][op];
    char says[120];
    uint32_t words[3] = {0};
    unsigned count = words_of(r->t, o->row, f, op, false, words);

    snprintf(says, sizeof says, "%s is not supported by gcnsim on %s", o->mnemonic, r->t->name);
    set_up(r, f);
    assert_int_equal(rig_try(r, words, count), ISA_FAULT);
    assert_int_equal(r->w.fault.kind, FAULT_UNIMPLEMENTED);
    assert_string_equal(r->w.fault.text, says);
    return 1;
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
                if (o->row->exec && o->row->cls == OPC_GDS) /* they need a device: test_gws.c */
                    continue;
                if (!o->row->exec) {
                    if (!listed(o->mnemonic))
                        fail_msg("%s of %s is not run", o->mnemonic, r[0].t->name);
                    known += isa_has(r[0].t, FEAT_COMPUTE_ONLY) ? expect_unsupported(&r[0], f, op) : 1;
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

/* The table of issue ports: every instruction class has a port, and the issue slots are those of the profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/engine/timing/cu/cu.h"

static void every_class_has_a_port(void **state)
{
    (void)state;
    for (unsigned cls = 0; cls < OPC_COUNT; cls++) {
        enum timing_port plain = port_of_class(cls, false), beside = port_of_class(cls, true);
        bool transcendental = cls == OPC_TRANS || cls == OPC_F64_TRANS || cls == OPC_SALU_TRANS;

        /* no class falls through to the port of the category that it is not of */
        assert_true(port_table[plain].categories >> op_class_category[cls] & 1);
        assert_int_equal(beside, transcendental ? PORT_TRANS : plain);
    }
    assert_int_equal(port_of_class(OPC_TRANS, false), PORT_VALU);
}

static void every_category_has_one_port(void **state)
{
    (void)state;
    for (unsigned c = 0; c < OPCAT_COUNT; c++) {
        unsigned takers = 0;

        for (unsigned p = 0; p < PORT_COUNT; p++)
            takers += port_table[p].categories >> c & 1;
        assert_int_equal(takers, 1);
    }
}

static void rows_are_whole(void **state)
{
    (void)state;
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        const struct port_desc *d = &port_table[p];

        assert_true(d->slot <= p); /* the slot's own row comes first, so that it exists when another port joins it */
        assert_int_equal(d->slot, port_table[d->slot].slot);
        assert_true(d->width_offset + sizeof(uint32_t) <= sizeof(struct profile_issue));
        assert_int_not_equal(d->busy, STALL_ISSUED);
        assert_int_equal(d->vector_alu, d->slot == PORT_VALU);
        assert_true(!d->alu || (d->executes && d->producer != PRODUCER_NONE));
        for (unsigned f = 0; f < FRONT_KINDS; f++) {
            assert_int_equal(d->needs[f] >> NEED_COUNT, 0);
            /* a unit that is occupied by issue is waited for */
            assert_true(!d->executes || d->needs[f]);
        }
    }
}

/* Flat instructions need what an LDS instruction needs, and wait counters an entry of the table of operations. */
static void needs_of_flat_and_counted(void **state)
{
    (void)state;
    for (unsigned f = 0; f < FRONT_KINDS; f++) {
        uint32_t vmem = port_needs(PORT_VMEM, (enum front_kind)f, false, false);
        uint32_t lds = port_needs(PORT_LDS, (enum front_kind)f, false, false);

        assert_int_equal(port_needs(PORT_VMEM, (enum front_kind)f, true, false), vmem | lds);
        assert_int_equal(port_needs(PORT_VMEM, (enum front_kind)f, false, true), vmem | 1u << NEED_OP_ENTRY);
        assert_int_equal(vmem >> NEED_LDS_PORT & 1, 0);
    }
    assert_int_equal(port_needs(PORT_INTERNAL, FRONT_QUEUED, false, false), 0);
}

/* The issue slots of a profile's SIMD; fails when the profile cannot be loaded. */
static struct cu_context slots_of(const char *name, struct profile **p)
{
    struct cu_context x = {0};
    struct err e = {0};

    if (profile_load(p, name, &e))
        fail_msg("%s: %s", name, e.text);
    x.profile = *p;
    x.front = front_of(*p);
    port_issue_slots(&x);
    return x;
}

static void slots_follow_the_profile(void **state)
{
    struct profile *p;
    struct cu_context x = slots_of("gfx90a-mi210", &p);

    (void)state;
    /* SALU and SMEM share a slot on CDNA (rocprofiler-compute docs), VALU and matrix on all */
    assert_int_equal(x.issue_slot_of[PORT_SMEM], x.issue_slot_of[PORT_SALU]);
    assert_int_equal(x.issue_slot_of[PORT_MATRIX], x.issue_slot_of[PORT_VALU]);
    assert_int_equal(x.issue_slot[x.issue_slot_of[PORT_SALU]].ports, 1u << PORT_SALU | 1u << PORT_SMEM);
    assert_int_equal(x.issue_slot[x.issue_slot_of[PORT_INTERNAL]].width, CU_MAX_SLOTS); /* no limit */
    /* a wave has so many LDS instructions outstanding (cu.lds_outstanding) */
    assert_int_equal(x.verdicts_differ, 1u << PORT_LDS);
    profile_free(p);

    x = slots_of("gfx1201-rx9070xt", &p);
    assert_int_not_equal(x.issue_slot_of[PORT_SMEM], x.issue_slot_of[PORT_SALU]);
    assert_int_equal(x.issue_slot[x.issue_slot_of[PORT_VALU]].width, 1);
    assert_int_equal(x.verdicts_differ, 1u << PORT_TRANS | 1u << PORT_MATRIX);
    assert_int_equal(x.reasons_change, 1u << PORT_VMEM | 1u << PORT_SMEM);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_has_a_port),   cmocka_unit_test(every_category_has_one_port),
        cmocka_unit_test(rows_are_whole),           cmocka_unit_test(needs_of_flat_and_counted),
        cmocka_unit_test(slots_follow_the_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

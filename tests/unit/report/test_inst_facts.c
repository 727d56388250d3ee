/* What an instruction is (sim/report/inst_facts.h), of each kind that rules ask about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/inst_facts.h"
#include "tests/support/assemble.h"

enum { PC = 0x1000, MEMORY = 1, LOAD = 2, COUNTS = 4, SCALAR = 8 };

struct kind {
    const char *text, *target;
    unsigned is, bytes;
};
static const struct kind kinds[] = {
    {"global_load_dword v1, v[2:3], off", "gfx942", MEMORY | LOAD | COUNTS, 4},
    {"global_load_ubyte v1, v[2:3], off", "gfx942", MEMORY | LOAD | COUNTS, 1},
    {"global_load_dwordx3 v[4:6], v[2:3], off", "gfx942", MEMORY | LOAD | COUNTS, 12},
    {"flat_load_dwordx2 v[0:1], v[2:3]", "gfx942", MEMORY | LOAD | COUNTS, 8},
    {"scratch_load_dword v0, v1, off", "gfx942", MEMORY | LOAD | COUNTS, 4},
    {"buffer_load_format_xyzw v[0:3], v4, s[8:11], 0 idxen", "gfx942", MEMORY | LOAD | COUNTS, 16},
    {"buffer_load_format_d16_xy v0, v4, s[8:11], 0 idxen", "gfx942", MEMORY | LOAD | COUNTS, 4},
    {"tbuffer_load_format_xyzw v[0:3], v4, s[8:11], 0 format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT] idxen",
     "gfx942", MEMORY | LOAD | COUNTS, 16},
    {"image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D", "gfx1100", MEMORY | LOAD | COUNTS, 16},
    /* to LDS */
    {"global_load_lds_dword v1, s[2:3]", "gfx942", MEMORY | COUNTS, 4},
    {"buffer_load_dword v4, s[8:11], 0 offen lds", "gfx942", MEMORY | COUNTS, 4},
    /* vmcnt counts stores until gfx9 */
    {"global_store_dword v[2:3], v1, off", "gfx942", MEMORY | COUNTS, 4},
    {"global_store_b32 v[2:3], v1, off", "gfx1100", MEMORY, 4},
    {"global_atomic_add v1, v[2:3], v4, off sc0", "gfx942", MEMORY | COUNTS, 4},
    {"ds_read2_b64 v[0:3], v4 offset1:1", "gfx942", 0, 16},
    {"s_load_dword s0, s[2:3], 0x4", "gfx942", SCALAR, 4},
    {"s_add_u32 s0, s1, s2", "gfx942", SCALAR, 0},
    {"v_add_u32 v0, v1, v2", "gfx942", 0, 0},
};

static struct inst_facts facts(const char *target, const char *text)
{
    struct assembled code = assemble(target, text);
    struct isa_target *t;
    struct isa_inst i;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, target, NULL, &e), 0);
    isa_decode_any(t, (const uint8_t *)code.word, code.words * 4, &i, NULL);
    struct inst_facts f = inst_facts_of(t, &i, PC, isa_has(t, FEAT_WAVE32) ? 32 : 64);
    isa_target_close(t);
    return f;
}

static void kinds_of_access(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct kind *want = &kinds[k];
        struct inst_facts f = facts(want->target, want->text);
        unsigned is = (f.vector_memory ? MEMORY : 0) | (f.vector_load ? LOAD : 0) | (f.counts_loads ? COUNTS : 0) |
                      (f.scalar ? SCALAR : 0);

        if (is != want->is || f.lane_bytes != want->bytes)
            fail_msg("%s on %s is %#x of %u bytes; expected %#x of %u", want->text, want->target, is, f.lane_bytes,
                     want->is, want->bytes);
    }
}

static void waits_for_vector_loads(void **state)
{
    struct inst_facts f;

    (void)state;
    f = facts("gfx942", "s_waitcnt vmcnt(3)");
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 3);
    assert_false(facts("gfx942", "s_waitcnt lgkmcnt(0)").waits_for_loads);
    f = facts("gfx1201", "s_wait_loadcnt_dscnt 0x305");
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 3);
    f = facts("gfx1201", "s_wait_loadcnt 0x2");
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 2);
    assert_false(facts("gfx1201", "s_wait_samplecnt 0x0").waits_for_loads);
    assert_false(facts("gfx942", "global_load_dword v1, v[2:3], off").waits_for_loads);
}

/* Two elements of 8 bytes. */
static void elements_of_an_access(void **state)
{
    (void)state;
    assert_int_equal(facts("gfx942", "ds_read2_b64 v[0:3], v4 offset1:1").element_bytes, 8);
    assert_int_equal(facts("gfx942", "buffer_load_format_xyzw v[0:3], v4, s[8:11], 0 idxen").element_bytes, 16);
}

/* The same address is the same number, whatever is loaded from it and at which offset. */
static void one_address(void **state)
{
    struct inst_facts first = facts("gfx942", "global_load_dword v1, v[2:3], off");

    (void)state;
    struct inst_facts next = facts("gfx942", "global_load_dword v5, v[2:3], off offset:4");
    assert_int_equal(next.access, first.access);
    assert_int_equal(first.offset, 0);
    assert_int_equal(next.offset, 4);
    assert_int_not_equal(facts("gfx942", "global_load_dword v1, v[2:3], off offset:4 sc0").access, first.access);
    assert_int_not_equal(facts("gfx942", "global_load_dword v1, v[4:5], off").access, first.access);
    assert_int_not_equal(facts("gfx942", "global_load_ubyte v1, v[2:3], off").access, first.access);
}

/* Whatever is part of the address, or of how bytes there are read, makes another number of it. */
static void other_accesses(void **state)
{
    static const char *const texts[] = {
        "tbuffer_load_format_x v1, v0, s[0:3], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] idxen",
        "tbuffer_load_format_x v1, v0, s[0:3], 0 format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT] idxen",
        "tbuffer_load_format_x v1, v0, s[0:3], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] idxen",
        "tbuffer_load_format_x v1, v0, s[0:3], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offen",
        "tbuffer_load_format_x v1, v0, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] idxen",
        "tbuffer_load_format_x v1, v0, s[0:3], s8 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] idxen",
        "buffer_load_dword v1, v0, s[0:3], 0 idxen",
        "buffer_load_dword v1, v0, s[0:3], 0 offen",
        "buffer_load_dword v1, off, s[0:3], 0",
        "buffer_load_dword v1, v0, s[0:3], 0 idxen sc0",
        "buffer_load_dword v1, v0, s[0:3], 0 idxen nt",
        "scratch_load_dword v1, v0, off",
        "global_load_dword v1, v0, s[0:1]",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    uint32_t access[TEXTS];

    (void)state;
    for (size_t k = 0; k < TEXTS; k++) {
        access[k] = facts("gfx942", texts[k]).access;
        for (size_t n = 0; n < k; n++)
            if (access[n] == access[k])
                fail_msg("%s is %s", texts[n], texts[k]);
    }
}

static void targets_of_branches(void **state)
{
    (void)state;
    assert_int_equal(facts("gfx942", "s_cbranch_scc1 65533").target, PC + 4 - 12);
    assert_int_equal(facts("gfx942", "s_add_u32 s0, s1, s2").target, 0);
}

static void what_is_no_instruction(void **state)
{
    struct inst_facts f = facts("gfx942", ".long 0xffffffff; .long 0xffffffff");

    (void)state;
    assert_int_equal(f.cls, OPC_COUNT);
    assert_false(f.vector_memory | f.vector_load | f.counts_loads | f.scalar | f.waits_for_loads);
    assert_int_equal(inst_facts_of(NULL, NULL, PC, 64).cls, OPC_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_access),
        cmocka_unit_test(waits_for_vector_loads),
        cmocka_unit_test(one_address),
        cmocka_unit_test(elements_of_an_access),
        cmocka_unit_test(other_accesses),
        cmocka_unit_test(targets_of_branches),
        cmocka_unit_test(what_is_no_instruction),
    };
    return cmocka_run_group_tests_name("inst_facts", tests, NULL, NULL);
}

/* What an instruction is (sim/report/inst_facts.h), of each kind that rules ask about. Words are LLVM 19's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/report/inst_facts.h"

enum { PC = 0x1000, MEMORY = 1, LOAD = 2, COUNTS = 4, SCALAR = 8 };

struct kind {
    const char *text, *target;
    uint32_t word[3];
    unsigned is, bytes;
};
static const struct kind kinds[] = {
    {"global_load_dword v1, v[2:3], off", "gfx942", {0xdc508000, 0x017f0002}, MEMORY | LOAD | COUNTS, 4},
    {"global_load_ubyte v1, v[2:3], off", "gfx942", {0xdc408000, 0x017f0002}, MEMORY | LOAD | COUNTS, 1},
    {"global_load_dwordx3 v[4:6], v[2:3], off", "gfx942", {0xdc588000, 0x047f0002}, MEMORY | LOAD | COUNTS, 12},
    {"flat_load_dwordx2 v[0:1], v[2:3]", "gfx942", {0xdc540000, 0x00000002}, MEMORY | LOAD | COUNTS, 8},
    {"scratch_load_dword v0, v1, off", "gfx942", {0xdc506000, 0x007f0001}, MEMORY | LOAD | COUNTS, 4},
    {"buffer_load_format_xyzw v[0:3], v4", "gfx942", {0xe00c2000, 0x80020004}, MEMORY | LOAD | COUNTS, 16},
    {"buffer_load_format_d16_xy v0, v4", "gfx942", {0xe0242000, 0x80020004}, MEMORY | LOAD | COUNTS, 4},
    {"tbuffer_load_format_xyzw v[0:3], v4", "gfx942", {0xebf1a000, 0x80020004}, MEMORY | LOAD | COUNTS, 16},
    {"image_load v[0:3], v[4:5], s[0:7]", "gfx1100", {0xf0000f04, 0x00000004}, MEMORY | LOAD | COUNTS, 16},
    /* to LDS */
    {"global_load_lds_dword v1, s[2:3]", "gfx942", {0xdca88000, 0x00020001}, MEMORY | COUNTS, 4},
    {"buffer_load_dword v4, s[8:11], 0 offen lds", "gfx942", {0xe0511000, 0x80020004}, MEMORY | COUNTS, 4},
    /* vmcnt counts stores until gfx9 */
    {"global_store_dword v[2:3], v1, off", "gfx942", {0xdc708000, 0x007f0102}, MEMORY | COUNTS, 4},
    {"global_store_b32 v[2:3], v1, off", "gfx1100", {0xdc6a0000, 0x007c0102}, MEMORY, 4},
    {"global_atomic_add v1, v[2:3], v4, off sc0", "gfx942", {0xdd098000, 0x017f0402}, MEMORY | COUNTS, 4},
    {"ds_read2_b64 v[0:3], v4 offset1:1", "gfx942", {0xd8ee0100, 0x00000004}, 0, 16},
    {"s_load_dword s0, s[2:3], 0x4", "gfx942", {0xc0020001, 0x00000004}, SCALAR, 4},
    {"s_add_u32 s0, s1, s2", "gfx942", {0x80000201}, SCALAR, 0},
    {"v_add_u32 v0, v1, v2", "gfx942", {0x68000501}, 0, 0},
};

static struct inst_facts facts(const char *target, const uint32_t word[3])
{
    struct isa_target *t;
    struct isa_inst i;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, target, NULL, &e), 0);
    isa_decode_any(t, (const uint8_t *)word, 12, &i, NULL);
    struct inst_facts f = inst_facts_of(t, &i, PC, isa_has(t, FEAT_WAVE32) ? 32 : 64);
    isa_target_close(t);
    return f;
}
#define FACTS(TARGET, ...) facts(TARGET, (const uint32_t[3]){__VA_ARGS__})

static void kinds_of_access(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct kind *want = &kinds[k];
        struct inst_facts f = facts(want->target, want->word);
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
    f = FACTS("gfx942", 0xbf8c0f73); /* s_waitcnt vmcnt(3) */
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 3);
    assert_false(FACTS("gfx942", 0xbf8cc07f).waits_for_loads); /* s_waitcnt lgkmcnt(0) */
    f = FACTS("gfx1201", 0xbfc80305);                          /* s_wait_loadcnt_dscnt 0x305 */
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 3);
    f = FACTS("gfx1201", 0xbfc00002); /* s_wait_loadcnt 0x2 */
    assert_true(f.waits_for_loads);
    assert_int_equal(f.loads_left, 2);
    assert_false(FACTS("gfx1201", 0xbfc20000).waits_for_loads); /* s_wait_samplecnt 0x0 */
    assert_false(FACTS("gfx942", 0xdc508000, 0x017f0002).waits_for_loads);
}

/* Of two elements of 8 bytes. */
static void elements_of_an_access(void **state)
{
    (void)state;
    assert_int_equal(FACTS("gfx942", 0xd8ee0100, 0x00000004).element_bytes, 8);  /* ds_read2_b64 */
    assert_int_equal(FACTS("gfx942", 0xe00c2000, 0x80020004).element_bytes, 16); /* buffer_load_format_xyzw */
}

/* The same address is the same number, whatever is loaded from it and at which offset. */
static void one_address(void **state)
{
    struct inst_facts first = FACTS("gfx942", 0xdc508000, 0x017f0002); /* global_load_dword v1, v[2:3], off */

    (void)state;
    struct inst_facts next = FACTS("gfx942", 0xdc508004, 0x057f0002); /* v5, v[2:3], off offset:4 */
    assert_int_equal(next.access, first.access);
    assert_int_equal(first.offset, 0);
    assert_int_equal(next.offset, 4);
    assert_int_not_equal(FACTS("gfx942", 0xdc518004, 0x017f0002).access, first.access); /* sc0 */
    assert_int_not_equal(FACTS("gfx942", 0xdc508000, 0x017f0004).access, first.access); /* v[4:5] */
    assert_int_not_equal(FACTS("gfx942", 0xdc408000, 0x017f0002).access, first.access); /* global_load_ubyte */
}

static void targets_of_branches(void **state)
{
    (void)state;
    assert_int_equal(FACTS("gfx942", 0xbf85fffd).target, PC + 4 - 12); /* s_cbranch_scc1 65533 */
    assert_int_equal(FACTS("gfx942", 0x80000201).target, 0);
}

static void what_is_no_instruction(void **state)
{
    struct inst_facts f = FACTS("gfx942", 0xffffffff, 0xffffffff);

    (void)state;
    assert_int_equal(f.cls, OPC_COUNT);
    assert_false(f.vector_memory | f.vector_load | f.counts_loads | f.scalar | f.waits_for_loads);
    assert_int_equal(inst_facts_of(NULL, NULL, PC, 64).cls, OPC_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_access),     cmocka_unit_test(waits_for_vector_loads),
        cmocka_unit_test(one_address),         cmocka_unit_test(elements_of_an_access),
        cmocka_unit_test(targets_of_branches), cmocka_unit_test(what_is_no_instruction),
    };
    return cmocka_run_group_tests_name("inst_facts", tests, NULL, NULL);
}

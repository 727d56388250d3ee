/* The tables that handles, names and descriptors are looked up in: what is found when many are there and some have
 * gone, and handles that come back late. And the one of what a fill or copy kernel is. */
#include "tests/unit/hsa/code_fixture.h"

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/code/loader_ext.h"
#include "sim/hsa/code/placed.h"
#include "sim/hsa/code/symbols.h"
#include "sim/hsa/core/handles.h"

/* ---- handles ---- */

static unsigned freed;

static void note_free(struct object *o)
{
    (void)o;
    freed++;
}

static void handles(void **state)
{
    enum { MANY = 200 };
    static struct object o[MANY];
    static uint64_t handle[MANY];
    size_t n;

    (void)state;
    freed = 0;
    for (unsigned k = 0; k < MANY; k++) {
        o[k] = (struct object){.kind = k % 2 ? OBJECT_READER : OBJECT_CODE, .free = note_free};
        handle[k] = handle_give(&o[k]);
        assert_true(handle[k] && handle[k] == o[k].handle && handle_part(handle[k]) == 0);
        for (unsigned i = 0; i < k; i++)
            assert_true(handle[i] != handle[k]);
        assert_int_equal(o[k].references, 1);
    }
    for (unsigned k = 0; k < MANY; k++) {
        assert_ptr_equal(handle_hold(handle[k] | 5, o[k].kind), &o[k]); /* a part of it */
        assert_int_equal(o[k].references, 2);
        assert_null(handle_hold(handle[k], k % 2 ? OBJECT_CODE : OBJECT_READER));
        assert_null(handle_take(handle[k] | 5, o[k].kind)); /* the object is not its part */
        assert_null(handle_take(handle[k], k % 2 ? OBJECT_CODE : OBJECT_READER));
        object_release(&o[k]);
        assert_int_equal(o[k].references, 1);
    }
    assert_null(handle_hold(handle[0] + (UINT64_C(1000) << 32), o[0].kind)); /* a slot that was never given */
    assert_null(handle_hold(handle[0] + (UINT64_C(1) << 52), o[0].kind));    /* another use of it */
    assert_null(handle_hold(0, OBJECT_CODE));
    struct object **all = handle_all(OBJECT_READER, &n);
    assert_int_equal(n, MANY / 2);
    for (unsigned k = 0; k < n; k++) {
        assert_true(all[k]->kind == OBJECT_READER && all[k]->references == 2);
        object_release(all[k]);
    }
    free(all);
    assert_int_equal(freed, 0);
    for (unsigned k = 0; k < MANY; k++) {
        assert_ptr_equal(handle_take(handle[k], o[k].kind), &o[k]);
        assert_null(handle_take(handle[k], o[k].kind));
        assert_null(handle_hold(handle[k], o[k].kind));
        assert_int_equal(freed, k);
        object_release(&o[k]);
        assert_int_equal(freed, k + 1);
    }
    object_release(NULL);
    all = handle_all(OBJECT_READER, &n);
    assert_int_equal(n, 0);
    free(all);
}

/* Slots are used again in the order in which they became free, with other handles. */
static void handles_of_slots_used_again(void **state)
{
    static struct object o[4];
    uint64_t first[3], again[3];

    (void)state;
    for (unsigned k = 0; k < 4; k++)
        o[k] = (struct object){.kind = OBJECT_READER, .free = note_free};
    /* all that are free come before these */
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned k = 0; k < 3; k++)
            first[k] = handle_give(&o[k]);
        for (unsigned k = 0; k < 3; k++)
            assert_ptr_equal(handle_take(first[(k + 1) % 3], OBJECT_READER), &o[(k + 1) % 3]);
    }
    uint64_t last = 0;
    unsigned met = 0;
    for (unsigned k = 0; k < 4000 && met < 3; k++) {
        uint64_t h = handle_give(&o[3]);
        assert_true(h && h != last);
        assert_ptr_equal(handle_take(h, OBJECT_READER), &o[3]);
        for (unsigned i = 0; i < 3; i++)
            if ((uint32_t)(h >> 32) % (1u << 20) == (uint32_t)(first[i] >> 32) % (1u << 20)) {
                again[met++] = h;
                assert_int_equal(i, met % 3); /* in the order in which they became free: 1, 2, 0 */
                assert_int_equal(h >> 52, (first[i] >> 52) % 4095 + 1);
            }
        last = h;
    }
    assert_int_equal(met, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_null(handle_hold(first[i], OBJECT_READER));
    (void)again;
}

/* ---- kernels by descriptor ---- */

/* Many at once, some of which share places in the table; some leave, and the others are found. */
static void kernels_by_descriptor(void **state)
{
    enum { OBJECTS = 40, EACH = 17 };
    static struct kernel k[OBJECTS][EACH];
    static struct loaded l[OBJECTS];

    (void)state;
    for (unsigned n = 0; n < OBJECTS; n++) {
        l[n] = (struct loaded){.references = 2, .kernels = k[n], .kernel_count = EACH};
        for (unsigned i = 0; i < EACH; i++)
            k[n][i] =
                (struct kernel){.descriptor = i == 5 ? 0 : UINT64_C(0x200000000000) + (n * EACH + i) * 64, .in = &l[n]};
        assert_true(kernels_publish(&l[n]));
    }
    assert_null(kernel_find(0)); /* without a symbol nobody can name one */
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned n = 0; n < OBJECTS; n++)
            for (unsigned i = 0; i < EACH; i++) {
                const struct kernel *found = k[n][i].descriptor ? kernel_find(k[n][i].descriptor) : NULL;
                bool gone = round && n % 3 < round;

                assert_ptr_equal(found, gone || i == 5 ? NULL : &k[n][i]);
                if (found) {
                    assert_int_equal(l[n].references, 3);
                    kernel_release(found);
                }
                assert_int_equal(l[n].references, 2);
            }
        for (unsigned n = 0; n < OBJECTS; n++)
            if (n % 3 == round)
                kernels_withdraw(&l[n]);
    }
    kernels_withdraw(&l[0]); /* nothing of it is left */
    for (unsigned n = 0; n < OBJECTS; n++)
        assert_null(kernel_find(k[n][1].descriptor));
    kernel_release(NULL);
    loaded_release(NULL);
}

/* A descriptor that is published again is the later object's, and stays when the first one goes. */
static void kernels_of_one_descriptor(void **state)
{
    struct kernel k[2] = {{.descriptor = 0x400000}, {.descriptor = 0x400000}};
    struct loaded l[2];

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        l[n] = (struct loaded){.references = 9, .kernels = &k[n], .kernel_count = 1};
        k[n].in = &l[n];
        assert_true(kernels_publish(&l[n]));
        assert_ptr_equal(kernel_find(0x400000), &k[n]);
    }
    kernels_withdraw(&l[0]);
    assert_ptr_equal(kernel_find(0x400000), &k[1]);
    kernels_withdraw(&l[1]);
    assert_null(kernel_find(0x400000));
}

/* ---- symbols ---- */

static void symbols(void **state)
{
    enum { MANY = 300 };
    static struct kernel kernel;
    struct symbols t = {0};
    char name[32];

    (void)state;
    assert_null(symbols_find(&t, "s0", NULL));
    assert_false(symbols_reserve(&t, UINT32_C(0x80000000)));
    assert_true(symbols_reserve(&t, 2));
    for (unsigned k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "s%u%s", k / 2, k % 6 == 4 ? ".kd" : "");
        assert_true(symbols_reserve(&t, 1));
        symbols_add(&t, &(struct symbol){.name = strdup(name),
                                         .own_name = true,
                                         .agent = k & 1 ? agent_of(gfx90a) : NULL,
                                         .address = k,
                                         .kernel = k % 12 == 4 ? &kernel : NULL});
        assert_int_equal(t.count, k + 1);
    }
    for (unsigned k = 0; k < MANY; k++) {
        const struct agent *a = k & 1 ? agent_of(gfx90a) : NULL;

        snprintf(name, sizeof name, "s%u.kd", k / 2);
        assert_ptr_equal(symbols_find(&t, name, a), k % 6 == 4 ? &t.at[k] : NULL);
        name[strlen(name) - 3] = 0; /* a kernel's also without its end, a variable's not */
        assert_ptr_equal(symbols_find(&t, name, a), k % 6 == 4 && k % 12 != 4 ? NULL : &t.at[k]);
        assert_null(symbols_find(&t, name, agent_of(gfx1201)));
    }
    assert_null(symbols_find(&t, "", NULL));
    assert_null(symbols_find(&t, ".kd", NULL));
    assert_null(symbols_find(&t, "s", NULL));
    symbols_free(&t);
    assert_true(!t.at && !t.count && !t.capacity && !t.chains && !t.chain_count);
}

static void expect_info(const struct symbol *s, int attribute, uint64_t want, size_t bytes)
{
    uint64_t is = UINT64_C(0x7777777777777777);

    assert_true(symbol_info(s, attribute, &is));
    want |= bytes < 8 ? UINT64_C(0x7777777777777777) << 8 * bytes : 0;
    if (is != want)
        fail_msg("attribute %d: 0x%llx", attribute, (unsigned long long)is);
}

/* A kernel and variables: what a symbol has not is 0, and what does not fit is as much as fits. */
static void attributes(void **state)
{
    static const struct {
        int attribute;
        unsigned bytes;
        uint64_t kernel, variable, outside; /* of the code object; defined by the program */
    } rows[] = {
        {HSA_EXECUTABLE_SYMBOL_INFO_TYPE, 4, HSA_SYMBOL_KIND_KERNEL, HSA_SYMBOL_KIND_VARIABLE,
         HSA_SYMBOL_KIND_VARIABLE},
        {HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, 4, 4, 3, 1},
        {HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH, 4, 0, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE, 4, HSA_SYMBOL_LINKAGE_PROGRAM, HSA_SYMBOL_LINKAGE_PROGRAM,
         HSA_SYMBOL_LINKAGE_PROGRAM},
        {HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION, 1, 1, 1, 1},
        {HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION, 4, HSA_VARIABLE_ALLOCATION_AGENT,
         HSA_VARIABLE_ALLOCATION_AGENT, HSA_VARIABLE_ALLOCATION_PROGRAM},
        {HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT, 4, HSA_VARIABLE_SEGMENT_GLOBAL, HSA_VARIABLE_SEGMENT_GLOBAL,
         HSA_VARIABLE_SEGMENT_READONLY},
        {HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT, 4, 0, 2048, 4096},
        {HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, 4, 0, UINT32_MAX, 7},
        {HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST, 1, 0, 1, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, 4, 11, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT, 4, 32, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, 4, 13, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, 4, 14, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK, 1, 1, 0, 0},
        {ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE, 4, 64, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION, 4, 0, 0, 0},
        {HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION, 4, 0, 0, 0},
    };
    static struct kernel kernel = {.info = {.kernarg_size = 11,
                                            .kernarg_align = 32,
                                            .group_segment_fixed_size = 13,
                                            .private_segment_fixed_size = 14,
                                            .uses_dynamic_stack = true,
                                            .wavefront_size = 64}};
    const struct symbol k = {
        .name = "k.kd", .agent = agent_of(gfx90a), .kernel = &kernel, .size = 64, .address = 64, .is_const = true};
    const struct symbol v = {
        .name = "var", .agent = agent_of(gfx90a), .address = 0x12345800, .is_const = true, .size = UINT64_C(1) << 32};
    const struct symbol o = {.name = "o", .address = 0x100000, .size = 7, .own_name = true, .readonly = true};
    char text[8] = "#######";

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        expect_info(&k, rows[r].attribute, rows[r].kernel, rows[r].bytes);
        expect_info(&v, rows[r].attribute, rows[r].variable, rows[r].bytes);
        expect_info(&o, rows[r].attribute, rows[r].outside, rows[r].bytes);
    }
    kernel.info.kernarg_align = 8; /* ROCr says 16 at least */
    expect_info(&k, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT, 16, 4);
    assert_true(symbol_info(&k, HSA_EXECUTABLE_SYMBOL_INFO_NAME, text));
    assert_memory_equal(text, "k.kd###", 8);
    assert_true(symbol_info(&k, HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME, text));
    assert_memory_equal(text, "k.kd###", 8);
    assert_false(symbol_info(&k, 99, text));
    const struct symbol zero = {.name = "z"}, odd = {.name = "z", .address = 1};
    expect_info(&zero, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT, 4096, 4);
    expect_info(&odd, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT, 1, 4);
}

/* ---- placed code ---- */

static void placed(void **state)
{
    hsa_executable_t x[3];
    struct placed p, none;
    struct loaded *first;

    (void)state;
    assert_true(placed_hold(&none));
    assert_int_equal(none.count, 0);
    placed_release(&none);
    for (unsigned k = 0; k < 3; k++) {
        x[k] = new_executable();
        for (unsigned n = 0; n < k; n++) {
            struct toy t;
            toy_init(&t, GFX90A, 3);
            t.bytes[0x500 + 2] = t.bytes[0x500 + 4] = (uint8_t)('k' + n);
            assert_int_equal(load_toy(x[k], &t), 0);
        }
    }
    assert_true(placed_hold(&p));
    assert_int_equal(p.count, 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(p.at[k].struct_bytes, sizeof *p.at);
        assert_ptr_equal(p.at[k].object, p.held[k]->code);
        assert_int_equal(p.at[k].address, p.held[k]->base);
        assert_int_equal(p.held[k]->references, 2);
    }
    first = p.held[0];
    hsa_ven_amd_loader_1_03_pfn_t ext = {0};
    hsa_executable_t its = {0};
    loader_extension_table(&ext, sizeof ext);
    /* a symbol is no loaded code object, nor what names a part that there is not */
    const uint32_t parts[] = {0, 1, 2, PART_LOADED | 2, PART_LOADED | 5};
    uint64_t value;
    for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++)
        assert_int_equal(ext.hsa_ven_amd_loader_loaded_code_object_get_info(
                             (hsa_loaded_code_object_t){x[2].handle | parts[k]},
                             HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &value),
                         HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(ext.hsa_ven_amd_loader_loaded_code_object_get_info(
                             (hsa_loaded_code_object_t){x[2].handle | PART_LOADED | k},
                             HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &value),
                         0);
        assert_true(value == p.held[1 + k]->base);
    }
    for (unsigned k = 0; k < 3; k++) { /* its addresses lead to its executable, to the byte */
        const uint8_t *at = (const uint8_t *)(uintptr_t)p.held[k]->base;
        assert_int_equal(ext.hsa_ven_amd_loader_query_executable(at, &its), 0);
        assert_int_equal(its.handle, x[k ? 2 : 1].handle);
        assert_int_equal(ext.hsa_ven_amd_loader_query_executable(at + p.held[k]->bytes - 1, &its), 0);
        assert_int_equal(ext.hsa_ven_amd_loader_query_executable(at + p.held[k]->bytes, &its),
                         HSA_STATUS_ERROR_INVALID_ARGUMENT);
        assert_int_equal(ext.hsa_ven_amd_loader_query_executable(at, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    }
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(hsa_executable_destroy(x[k]), 0);
    assert_int_equal(first->references, 1); /* what runs still has it */
    placed_release(&p);
    assert_true(!p.at && !p.held && !p.count);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles),
        cmocka_unit_test(handles_of_slots_used_again),
        cmocka_unit_test(kernels_by_descriptor),
        cmocka_unit_test(kernels_of_one_descriptor),
        cmocka_unit_test(symbols),
        cmocka_unit_test(attributes),
        cmocka_unit_test(placed),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

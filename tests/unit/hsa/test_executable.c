/* Executables: states, loading, variables of the program, kernels by descriptor, and what outlives what. */
#include "tests/unit/hsa/code_fixture.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/memory/memory.h"

static void test_states(void **state)
{
    hsa_executable_t x = new_executable(), frozen;
    hsa_executable_state_t now;
    hsa_profile_t profile;
    hsa_default_float_rounding_mode_t rounding;
    uint32_t result = 7;

    (void)state;
    assert_int_equal(hsa_executable_get_info(x, HSA_EXECUTABLE_INFO_STATE, &now), 0);
    assert_int_equal(now, HSA_EXECUTABLE_STATE_UNFROZEN);
    assert_int_equal(hsa_executable_get_info(x, HSA_EXECUTABLE_INFO_PROFILE, &profile), 0);
    assert_int_equal(profile, HSA_PROFILE_FULL);
    assert_int_equal(hsa_executable_get_info(x, HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE, &rounding), 0);
    assert_int_equal(rounding, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT);
    assert_int_equal(hsa_executable_get_info(x, 99, &now), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_get_info(x, HSA_EXECUTABLE_INFO_STATE, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    assert_int_equal(hsa_executable_get_info(x, HSA_EXECUTABLE_INFO_STATE, &now), 0);
    assert_int_equal(now, HSA_EXECUTABLE_STATE_FROZEN);
    assert_int_equal(load_file(x, gfx90a, VECADD), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    assert_int_equal(hsa_executable_global_variable_define(x, "v", &now), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    assert_int_equal(hsa_executable_validate(x, &result), 0);
    assert_int_equal(result, 0);
    assert_int_equal(hsa_executable_validate(x, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_int_equal(hsa_executable_destroy(x), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    assert_int_equal(hsa_executable_freeze(x, NULL), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    assert_int_equal(hsa_executable_validate(x, &result), HSA_STATUS_ERROR_INVALID_EXECUTABLE);

    assert_int_equal(hsa_executable_create(HSA_PROFILE_BASE, HSA_EXECUTABLE_STATE_FROZEN, NULL, &frozen), 0);
    assert_int_not_equal(frozen.handle, x.handle);
    assert_int_equal(hsa_executable_freeze(frozen, NULL), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    assert_int_equal(hsa_executable_destroy(frozen), 0);
    assert_int_equal(hsa_executable_create_alt(7, 0, NULL, &x), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_create_alt(0, 3, NULL, &x), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_create_alt(0, 0, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_create(0, 2, NULL, &x), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* Code lies where its segments are to lie, in several places at once. */
static void test_alignment(void **state)
{
    enum { ALIGN = 1 << 20 };
    hsa_executable_t x[6];

    (void)state;
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        struct toy t;

        toy_init(&t, GFX90A, 3);
        toy_segment(&t, 0, 1, 4, 0, 0, 0x780, 0x780, ALIGN);
        x[k] = new_executable();
        assert_int_equal(load_toy(x[k], &t), 0);
        assert_int_equal(hsa_executable_freeze(x[k], NULL), 0);
        const uint64_t at =
            symbol_u64(symbol_of(x[k], "k.kd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT) - TOY_DESCRIPTOR;
        assert_int_equal(at % ALIGN, 0);
        assert_memory_equal((const void *)(uintptr_t)(at + TOY_TEXT_VADDR), t.bytes + TOY_TEXT, 0x100);
    }
    for (size_t k = 0; k < sizeof x / sizeof *x; k++)
        assert_int_equal(hsa_executable_destroy(x[k]), 0);
}

/* Handles that never were, of other kinds, of parts. */
static void test_wrong_handles(void **state)
{
    static const uint64_t wrong[] = {0, 1, UINT64_MAX, UINT64_C(1) << 32, UINT64_C(0xfff00000) << 32, 0x1000};
    hsa_executable_t x = new_executable();
    hsa_code_object_reader_t reader = {0};
    uint32_t v;

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        hsa_executable_t w = {wrong[k]};
        assert_int_equal(hsa_executable_get_info(w, 1, &v), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
        assert_int_equal(hsa_executable_destroy(w), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
        assert_int_equal(hsa_code_object_reader_destroy((hsa_code_object_reader_t){wrong[k]}),
                         HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
        assert_int_equal(hsa_executable_symbol_get_info((hsa_executable_symbol_t){wrong[k]}, 0, &v),
                         HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
        assert_int_equal(
            hsa_executable_load_agent_code_object(x, gfx90a, (hsa_code_object_reader_t){wrong[k]}, NULL, NULL),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
        assert_int_equal(hsa_executable_load_agent_code_object(x, (hsa_agent_t){wrong[k]}, reader, NULL, NULL),
                         HSA_STATUS_ERROR_INVALID_AGENT);
    }
    assert_int_equal(hsa_executable_get_info((hsa_executable_t){x.handle + 1}, 1, &v),
                     HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    assert_int_equal(hsa_executable_destroy((hsa_executable_t){x.handle + 1}), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    assert_int_equal(hsa_code_object_reader_destroy((hsa_code_object_reader_t){x.handle}),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    assert_int_equal(hsa_executable_destroy(x), 0);
    /* a slot that is used again does not bring the old handle back */
    for (int k = 0; k < 10; k++) {
        hsa_executable_t other = new_executable();
        assert_int_not_equal(other.handle, x.handle);
        assert_int_equal(hsa_executable_get_info(x, 1, &v), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
        assert_int_equal(hsa_executable_destroy(other), 0);
    }
}

static void test_kernels(void **state)
{
    hsa_executable_t x = new_executable();
    const struct kernel *k;
    hsa_executable_symbol_t s;
    struct range r;
    uint64_t object, base;

    (void)state;
    assert_int_equal(load_file(x, gfx90a, VECADD), 0);
    s = symbol_of(x, "vecadd.kd", &gfx90a);
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    object = symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    assert_int_not_equal(object, 0);
    assert_null(kernel_find(object + 64));
    assert_null(kernel_find(0));
    k = kernel_find(object);
    assert_non_null(k);
    assert_int_equal(k->descriptor, object);
    assert_string_equal(k->info.name, "vecadd");
    assert_non_null(k->in->raw);
    assert_int_equal(k->blit.kind, BLIT_NONE);
    /* the descriptor in memory leads to the entry, by the field that the hardware reads */
    assert_int_equal(k->entry, object + (uint64_t) * (const int64_t *)(uintptr_t)(object + 16));
    base = k->in->base;
    assert_true(range_find(k->entry, &r));
    assert_int_equal(r.kind, RANGE_CODE);
    assert_int_equal(r.lo, base);
    assert_true(r.executable);

    /* destroyed, but the kernel runs */
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_null(kernel_find(object));
    assert_true(range_find(base, &r));
    assert_int_equal(*(const uint64_t *)(uintptr_t)(object + 16), k->entry - object);
    kernel_release(k);
    assert_false(range_find(base, &r));
}

/* Many kernels in the table, some of which leave it. */
static void test_many_kernels(void **state)
{
    enum { MANY = 600 };
    static hsa_executable_t x[MANY];
    static uint64_t object[MANY];
    size_t size;
    void *bytes = read_whole(VECADD, &size);
    const struct kernel *k;

    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        x[i] = new_executable();
        assert_int_equal(load_bytes(x[i], gfx90a, bytes, size, NULL), 0);
        assert_int_equal(hsa_executable_freeze(x[i], NULL), 0);
        object[i] = symbol_u64(symbol_of(x[i], "vecadd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    }
    for (unsigned i = 0; i < MANY; i += 3)
        assert_int_equal(hsa_executable_destroy(x[i]), 0);
    for (unsigned i = 0; i < MANY; i++) {
        k = kernel_find(object[i]);
        assert_int_equal(k != NULL, i % 3 != 0);
        kernel_release(k);
    }
    for (unsigned i = 0; i < MANY; i++)
        if (i % 3)
            assert_int_equal(hsa_executable_destroy(x[i]), 0);
    for (unsigned i = 0; i < MANY; i++)
        assert_null(kernel_find(object[i]));
    free(bytes);
}

static void test_other_target(void **state)
{
    hsa_executable_t x = new_executable();
    struct toy t;

    (void)state;
    assert_int_equal(load_file(x, gfx1201, VECADD), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_true(logged("built for gfx90a, device is gfx1201: run with --arch gfx90a-mi210"));
    assert_int_equal(load_file(x, cpu, VECADD), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    toy_init(&t, 0x73f, 3); /* xnack+ */
    assert_int_equal(load_toy(x, &t), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_true(logged("build it for the device's settings"));
    toy_init(&t, 0xe3f, 3); /* sramecc+:xnack-, as the device is */
    assert_int_equal(load_toy(x, &t), 0);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

/* A bundle of clang's with an entry for each of two targets; returns its size. */
static size_t make_bundle(uint8_t *out, const struct toy *t, const char *const *ids, size_t count)
{
    size_t at = 32, data = 4096;

    memset(out, 0, data);
    memcpy(out, "__CLANG_OFFLOAD_BUNDLE__", 24);
    out[24] = (uint8_t)count;
    for (size_t k = 0; k < count; k++) {
        uint64_t entry[3] = {data, sizeof t[k].bytes, strlen(ids[k])};
        memcpy(out + at, entry, sizeof entry);
        memcpy(out + at + sizeof entry, ids[k], entry[2]);
        memcpy(out + data, t[k].bytes, sizeof t[k].bytes);
        at += sizeof entry + entry[2];
        data += sizeof t[k].bytes;
    }
    return data;
}

/* Each device takes its entry. Code for a generic processor serves its members. */
static void test_bundle(void **state)
{
    static const char *const ids[] = {"hipv4-amdgcn-amd-amdhsa--gfx90a", "hipv4-amdgcn-amd-amdhsa--gfx1201"};
    static uint8_t bundle[3 * 4096];
    hsa_executable_t x = new_executable();
    struct toy t[2];
    size_t size;

    (void)state;
    toy_init(&t[0], GFX90A, 3);
    toy_symbol(&t[0], "old", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 4);
    toy_init(&t[1], 0x4e, 3);
    toy_symbol(&t[1], "new", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 4);
    size = make_bundle(bundle, t, ids, 2);
    assert_int_equal(load_bytes(x, gfx90a, bundle, size, NULL), 0);
    assert_int_equal(load_bytes(x, gfx1201, bundle, size, NULL), 0);
    symbol_of(x, "old", &gfx90a);
    symbol_of(x, "new", &gfx1201);
    assert_int_not_equal(symbol_of(x, "k", &gfx90a).handle, symbol_of(x, "k", &gfx1201).handle);
    assert_int_equal(hsa_executable_destroy(x), 0);

    x = new_executable();
    size = make_bundle(bundle, t, ids, 1);
    assert_int_equal(load_bytes(x, gfx1201, bundle, size, NULL), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_true(logged("device is gfx1201"));
    toy_init(&t[0], 0x01000059, 4); /* gfx12-generic, version 1 */
    assert_int_equal(load_bytes(x, gfx1201, t[0].bytes, sizeof t[0].bytes, NULL), 0);
    assert_int_equal(load_toy(x, &t[0]), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

/* How many code objects lie in memory. */
static unsigned code_ranges(void)
{
    struct range r;
    unsigned n = 0;

    for (uint64_t at = 0; range_next(at, &r); at = r.lo + r.mapped)
        n += r.kind == RANGE_CODE;
    return n;
}

static void test_variables(void **state)
{
    hsa_executable_t x = new_executable();
    uint32_t program[4] = {0}, of_agent[4] = {0};
    hsa_executable_symbol_t s;
    hsa_agent_t agent;
    struct toy t;

    (void)state;
    make_toy(&t, false);
    const unsigned codes = code_ranges();
    assert_int_equal(load_toy(x, &t), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    assert_true(logged("\"outside\" is not defined"));
    /* nothing of it is left */
    assert_int_equal(code_ranges(), codes);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, "var", &gfx90a, &s), HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, gfx1201, "outside", program), 0);
    assert_int_equal(load_toy(x, &t), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, gfx90a, "outside", of_agent), 0);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, gfx90a, "outside", program),
                     HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    assert_int_equal(hsa_executable_readonly_variable_define(x, gfx90a, "outside", program),
                     HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, (hsa_agent_t){5}, "a", program),
                     HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, gfx90a, NULL, program),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_global_variable_define(x, "", program), HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_readonly_variable_define(x, gfx90a, "table", program), 0);
    assert_int_equal(hsa_executable_global_variable_define(x, "everybody's", program), 0);
    assert_int_equal(load_toy(x, &t), 0);
    assert_int_equal(load_toy(x, &t), HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);

    s = symbol_of(x, "var", &gfx90a);
    uint64_t var = symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    assert_int_equal(*(const uint64_t *)(uintptr_t)(var - 0x40), (uint64_t)(uintptr_t)of_agent + 8);
    assert_int_equal(*(const uint8_t *)(uintptr_t)(var + 3), 0xd3);

    s = symbol_of(x, "table", &gfx90a);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT), HSA_VARIABLE_SEGMENT_READONLY);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION), HSA_VARIABLE_ALLOCATION_AGENT);
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS), (uint64_t)(uintptr_t)program);
    s = symbol_of(x, "everybody's", NULL);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION), HSA_VARIABLE_ALLOCATION_PROGRAM);
    assert_int_equal(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_AGENT, &agent), 0);
    assert_int_equal(agent.handle, 0);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, "everybody's", &gfx90a, &s),
                     HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_get_symbol(x, NULL, "everybody's", gfx90a, 0, &s), 0);
    assert_int_equal(hsa_executable_destroy(x), 0);

    x = new_executable();
    make_toy(&t, true); /* weak: 0 */
    assert_int_equal(load_toy(x, &t), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    var = symbol_u64(symbol_of(x, "var", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    assert_int_equal(*(const uint64_t *)(uintptr_t)(var - 0x40), 8);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

/* A code object uses what one that was loaded before defines. */
static void test_two_objects(void **state)
{
    hsa_executable_t x = new_executable();
    struct toy first, second;

    (void)state;
    toy_init(&first, GFX90A, 3);
    toy_symbol(&first, "outside", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x20, 8);
    make_toy(&second, false);
    second.bytes[0x500 + 2] = 'q'; /* the kernel of this one is "q" ... */
    second.bytes[0x500 + 4] = 'q'; /* ... and its descriptor "q.kd" */
    assert_int_equal(load_toy(x, &first), 0);
    assert_int_equal(load_toy(x, &second), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    uint64_t outside = symbol_u64(symbol_of(x, "outside", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    uint64_t var = symbol_u64(symbol_of(x, "var", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
    assert_int_equal(*(const uint64_t *)(uintptr_t)(var - 0x40), outside + 8);
    symbol_of(x, "q", &gfx90a);
    symbol_of(x, "k", &gfx90a);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

static void test_readers(void **state)
{
    hsa_executable_t x = new_executable();
    hsa_code_object_reader_t reader;
    char path[4096];
    int fd = open(VECADD, O_RDONLY), empty, pipes[2];

    (void)state;
    snprintf(path, sizeof path, "%s/empty", program_folder());
    empty = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(empty >= 0);
    assert_int_equal(hsa_code_object_reader_create_from_memory(NULL, 1, &reader), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_reader_create_from_memory(path, 0, &reader), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_reader_create_from_memory(path, 1, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_reader_create_from_file(-1, &reader), HSA_STATUS_ERROR_INVALID_FILE);
    assert_int_equal(hsa_code_object_reader_create_from_file(fd, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_reader_create_from_file(empty, &reader), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(hsa_code_object_reader_create_from_file(pipes[0], &reader), HSA_STATUS_ERROR_INVALID_FILE);
    assert_int_equal(hsa_code_object_reader_create_from_file(fd, &reader), 0);
    close(fd);
    assert_int_equal(hsa_executable_load_agent_code_object(x, gfx90a, reader, "-hsa_unknown", NULL), 0);
    assert_int_equal(hsa_code_object_reader_destroy(reader), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    symbol_of(x, "vecadd", &gfx90a);
    assert_int_equal(hsa_executable_destroy(x), 0);
    unlink(path);
    close(empty);
    close(pipes[0]);
    close(pipes[1]);
}

/* Every prefix of a file, and every byte of its headers changed: an error with a sentence, or a code object. */
static void test_malformed(void **state)
{
    hsa_executable_t x;
    struct toy t;
    hsa_status_t status;
    unsigned bad = 0;

    (void)state;
    toy_init(&t, GFX90A, 3);
    for (size_t size = 1; size < sizeof t.bytes; size += size < 0x780 ? 13 : 97) {
        x = new_executable();
        status = load_bytes(x, gfx90a, t.bytes, size, NULL);
        assert_true(status == HSA_STATUS_ERROR_INVALID_CODE_OBJECT || status == HSA_STATUS_SUCCESS);
        assert_true(status == HSA_STATUS_SUCCESS || logged("code object"));
        bad += status != HSA_STATUS_SUCCESS;
        assert_int_equal(hsa_executable_destroy(x), 0);
    }
    assert_true(bad > 100);
    for (size_t at = 0; at < 0x120; at++) {
        struct toy changed = t;
        changed.bytes[at] ^= 0xff;
        x = new_executable();
        status = load_toy(x, &changed);
        assert_true(status == HSA_STATUS_SUCCESS || logged("code object"));
        assert_int_equal(hsa_executable_freeze(x, NULL), 0);
        assert_int_equal(hsa_executable_destroy(x), 0);
    }
}

static void test_program_code_object(void **state)
{
    hsa_executable_t x = new_executable();
    hsa_code_object_reader_t reader;

    (void)state;
    assert_int_equal(hsa_code_object_reader_create_from_memory("abc", 3, &reader), 0);
    assert_int_equal(hsa_executable_load_program_code_object(x, reader, NULL, NULL),
                     HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_true(logged("hsa_executable_load_program_code_object"));
    assert_int_equal(hsa_executable_load_program_code_object(x, (hsa_code_object_reader_t){0}, NULL, NULL),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    assert_int_equal(hsa_code_object_reader_destroy(reader), 0);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),  cmocka_unit_test(test_alignment),    cmocka_unit_test(test_wrong_handles),
        cmocka_unit_test(test_kernels), cmocka_unit_test(test_many_kernels), cmocka_unit_test(test_other_target),
        cmocka_unit_test(test_bundle),  cmocka_unit_test(test_variables),    cmocka_unit_test(test_two_objects),
        cmocka_unit_test(test_readers), cmocka_unit_test(test_malformed),    cmocka_unit_test(test_program_code_object),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

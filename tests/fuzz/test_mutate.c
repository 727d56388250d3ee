/* The mutators of fuzz targets keep their promises: what they make fits, most of it can still be read, and it differs.
 * A mutator that breaks every file at once would leave its target busy with error messages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "sim/api/gcnsim.h"
#include "tests/fuzz/path_input.h"
#include "tests/fuzz/path_mutate.h"

enum { MAX = 8192, CHAINS = 40, LENGTH = 8 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* In the place of libFuzzer's: a byte turned. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    assert_true(size <= max);
    if (size)
        data[size / 2] ^= 0x55;
    return size;
}

static size_t seed_object(const char *target, unsigned seed, uint8_t out[OBJECT_MAX_BYTES])
{
    struct mutation m = {.rng = seed};
    const struct isa_target *isa = object_isa(target);
    uint8_t code[16 * ENCODING_BYTES];
    size_t n = 0;

    assert_non_null(isa);
    while (n < sizeof code - ENCODING_BYTES)
        n += mutation_instruction(&m, isa, code + n);
    return object_build(out, target, seed % 2 && isa_has(isa, FEAT_WAVE32), code, n);
}

static int opens(const uint8_t *data, size_t size)
{
    struct gcnsim_error e = {0};
    struct gcnsim_code *code;
    struct path_launch p;

    if (gcnsim_code_open_memory(&code, data, path_split(data, size, &p), "mutant", NULL, &e))
        return 0;
    gcnsim_code_close(code);
    return 1;
}

/* What gen_seeds makes is whole on every target. */
static void built_objects_open(void **state)
{
    static uint8_t object[OBJECT_MAX_BYTES];
    const char *name;

    (void)state;
    for (unsigned i = 0; (name = isa_target_name(i)); i++)
        for (unsigned seed = 1; seed < 3; seed++) {
            struct object_view v;
            size_t n = seed_object(name, seed, object);
            if (!opens(object, n))
                fail_msg("the object built for %s cannot be read", name);
            assert_true(object_look(&v, object, n, 0));
            assert_true(v.kd && v.code && v.code_end > v.code && v.note_header && v.note && v.note_bytes);
            assert_string_equal(v.processor, name);
        }
}

/* Chains of changes: half of what comes out of them is a code object, and next to nothing stays the same. */
static void mutants_stay_readable(void **state)
{
    static uint8_t object[OBJECT_MAX_BYTES], data[MAX], before[MAX];
    unsigned readable = 0, same = 0;
    const char *const targets[] = {"gfx803", "gfx90a", "gfx1030", "gfx1201"};

    (void)state;
    for (unsigned chain = 0; chain < CHAINS; chain++) {
        size_t n = seed_object(targets[chain % 4], 1 + chain, object);
        memcpy(data, object, n);
        for (unsigned i = 0; i < LENGTH; i++) {
            size_t old = n;
            memcpy(before, data, n);
            n = LLVMFuzzerCustomMutator(data, n, sizeof data, chain * LENGTH + i);
            assert_in_range(n, 1, sizeof data);
            readable += (unsigned)opens(data, n);
            same += n == old && memcmp(before, data, n) == 0;
        }
    }
    print_message("%u of %u mutants can be read, %u are unchanged\n", readable, CHAINS * LENGTH, same);
    assert_true(readable > CHAINS * LENGTH / 2);
    assert_true(same < CHAINS * LENGTH / 8);
}

static void crossings_stay_readable(void **state)
{
    static uint8_t a[OBJECT_MAX_BYTES], b[OBJECT_MAX_BYTES], out[MAX];
    unsigned readable = 0;

    (void)state;
    for (unsigned i = 0; i < CHAINS; i++) {
        size_t a_size = seed_object("gfx1100", i + 1, a), b_size = seed_object("gfx1100", i + 100, b);
        size_t n = LLVMFuzzerCustomCrossOver(a, a_size, b, b_size, out, sizeof out, i);
        assert_in_range(n, 1, sizeof out);
        readable += (unsigned)opens(out, n);
    }
    assert_true(readable > CHAINS / 2);
}

/* Metadata that is no MessagePack, or cut anywhere, does not lead the mutator out of its buffers. */
static void damaged_metadata(void **state)
{
    static uint8_t object[OBJECT_MAX_BYTES], out[600];
    struct object_view v;
    size_t n = seed_object("gfx90a", 3, object);

    (void)state;
    assert_true(object_look(&v, object, n, 0));
    for (size_t cut = 0; cut <= v.note_bytes; cut++) {
        struct mutation m = {.rng = cut + 1};
        uint8_t *note = malloc(cut ? cut : 1);
        assert_non_null(note);
        memcpy(note, object + v.note, cut);
        assert_true(mutate_metadata(&m, note, cut, out, sizeof out) <= sizeof out);
        free(note);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_objects_open),
        cmocka_unit_test(mutants_stay_readable),
        cmocka_unit_test(crossings_stay_readable),
        cmocka_unit_test(damaged_metadata),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

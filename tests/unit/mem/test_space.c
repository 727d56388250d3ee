/* Tests the address space of a device: where allocations lie, the guard pages between them, protection, and the words
 * that a fault says about an address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/space.h"

static gaddr_t must_alloc(struct mem_space *s, uint64_t bytes, const char *label)
{
    struct err e = {0};
    gaddr_t a = 0;

    assert_int_equal(mem_space_alloc(s, bytes, 1, MEM_READ | MEM_WRITE, label, &a, &e), 0);
    return a;
}

static void addresses_are_fixed_and_guarded(void **state)
{
    struct mem_space s;

    (void)state;
    for (int run = 0; run < 2; run++) {
        mem_space_init(&s);
        assert_int_equal(must_alloc(&s, 5, "a"), 0x7f0000000000);
        assert_int_equal(must_alloc(&s, 4096, "b"), 0x7f0000011000);
        assert_int_equal(must_alloc(&s, 4097, "c"), 0x7f0000022000);
        assert_int_equal(must_alloc(&s, 0, "d"), 0x7f0000034000);
        gaddr_t e = 0;
        assert_int_equal(mem_space_alloc(&s, 1, 1 << 21, MEM_READ, "e", &e, NULL), 0);
        assert_int_equal(e, 0x7f0000200000);
        mem_space_destroy(&s);
    }
}

static void bounds_are_exact(void **state)
{
    struct mem_space s;
    struct err e = {0};
    uint8_t buf[16] = {1, 2, 3};
    static const uint8_t zero[16];

    (void)state;
    mem_space_init(&s);
    gaddr_t a = must_alloc(&s, 100, "buffer arg 2 'out'"), z = must_alloc(&s, 0, "nothing");
    assert_null(mem_space_find(&s, a - 1));
    assert_non_null(mem_space_find(&s, a));
    assert_non_null(mem_space_find(&s, a + 99));
    assert_null(mem_space_find(&s, a + 100));
    assert_null(mem_space_find(&s, z));
    assert_null(mem_space_find(&s, 0));
    assert_null(mem_space_find(&s, UINT64_MAX));
    assert_non_null(mem_space_at(&s, a + 96, 4, MEM_WRITE));
    assert_null(mem_space_at(&s, a + 96, 5, MEM_WRITE));
    assert_null(mem_space_at(&s, a, UINT64_MAX, 0));
    assert_null(mem_space_at(&s, a, 4, MEM_EXEC));
    assert_int_equal(mem_space_read(&s, a + 84, buf, 16, &e), 0);
    assert_memory_equal(buf, zero, 16);
    buf[15] = 42;
    assert_int_equal(mem_space_write(&s, a + 84, buf, 16, &e), 0);
    assert_int_equal(*mem_space_at(&s, a + 99, 1, 0), 42);
    assert_int_not_equal(mem_space_write(&s, a + 85, buf, 16, &e), 0);
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "begins 15 bytes before the end of buffer arg 2 'out'"));
    assert_int_equal(mem_space_read(&s, 0, NULL, 0, NULL), 0);
    mem_space_destroy(&s);
}

/* Pages of the host are used again, with nothing of what was in them. */
static void small_allocations_are_zero_again(void **state)
{
    enum { COUNT = MEM_SPACE_SPARES + 2 };
    struct mem_space s;
    struct err e = {0};
    gaddr_t at[COUNT];
    unsigned again = 0;

    (void)state;
    mem_space_init(&s);
    for (unsigned round = 0; round < 3; round++) {
        void *before[MEM_SPACE_SPARES];

        memcpy(before, s.spare, sizeof before);
        for (unsigned k = 0; k < COUNT; k++) {
            size_t bytes = k == 1 ? 4097 : 4096 - k;
            at[k] = must_alloc(&s, bytes, "small");
            uint8_t *host = mem_space_at(&s, at[k], bytes, MEM_WRITE);
            assert_non_null(host);
            for (size_t b = 0; b < bytes; b++)
                assert_int_equal(host[b], 0);
            memset(host, 0xa5, bytes);
            for (unsigned i = 0; round && i < MEM_SPACE_SPARES; i++)
                again += host == before[i];
        }
        assert_int_equal(s.spare_count, 0);
        for (unsigned k = 0; k < COUNT; k++)
            assert_int_equal(mem_space_free(&s, at[k], &e), 0);
        assert_int_equal(s.spare_count, MEM_SPACE_SPARES);
    }
    assert_int_equal(again, 2 * MEM_SPACE_SPARES);
    mem_space_destroy(&s);
}

static void freed_addresses_do_not_come_back(void **state)
{
    struct mem_space s;
    struct err e = {0};
    char text[256];

    (void)state;
    mem_space_init(&s);
    gaddr_t a = must_alloc(&s, 64, "first"), b = must_alloc(&s, 64, "second"), c = must_alloc(&s, 64, "third");
    assert_int_not_equal(mem_space_free(&s, b + 1, &e), 0);
    err_clear(&e);
    assert_int_equal(mem_space_free(&s, b, &e), 0);
    assert_null(mem_space_find(&s, b));
    assert_string_equal(mem_space_find(&s, a)->label, "first");
    assert_string_equal(mem_space_find(&s, c)->label, "third");
    assert_ptr_equal(mem_space_range(&s, 1), mem_space_find(&s, c));
    assert_null(mem_space_range(&s, 2));
    assert_non_null(strstr(mem_space_describe(&s, b + 8, 4, text, sizeof text), "byte 8 of second"));
    assert_non_null(strstr(text, "was freed"));
    assert_int_not_equal(mem_space_free(&s, b, &e), 0);
    assert_true(must_alloc(&s, 64, "fourth") > c);
    mem_space_destroy(&s);
}

static void many_ranges_are_found(void **state)
{
    struct mem_space s;
    gaddr_t a[200];

    (void)state;
    mem_space_init(&s);
    for (int i = 0; i < 200; i++)
        a[i] = must_alloc(&s, (uint64_t)i + 1, "x");
    for (int i = 0; i < 200; i++) {
        assert_int_equal(mem_space_find(&s, a[i] + (uint64_t)i)->lo, a[i]);
        assert_null(mem_space_find(&s, a[i] + (uint64_t)i + 1));
    }
    mem_space_destroy(&s);
}

static void descriptions(void **state)
{
    struct mem_space s;
    char t[256];

    (void)state;
    mem_space_init(&s);
    gaddr_t a = 0;
    must_alloc(&s, 1 << 20, "low");
    assert_int_equal(mem_space_alloc(&s, 64, 1, MEM_READ, "buffer arg 2 'out'", &a, NULL), 0);
    assert_int_equal(a, 0x7f0000110000);
    assert_string_equal(mem_space_describe(&s, a + 80, 4, t, sizeof t),
                        "0x7f0000110050 is 16 bytes past the end of buffer arg 2 'out' "
                        "[0x7f0000110000, 0x7f0000110040)");
    assert_string_equal(mem_space_describe(&s, a + 64, 4, t, sizeof t),
                        "0x7f0000110040 is 0 bytes past the end of buffer arg 2 'out' "
                        "[0x7f0000110000, 0x7f0000110040)");
    assert_string_equal(mem_space_describe(&s, a - 1, 1, t, sizeof t),
                        "0x7f000010ffff is 1 byte below the start of buffer arg 2 'out' "
                        "[0x7f0000110000, 0x7f0000110040)");
    assert_string_equal(mem_space_describe(&s, a + 4, 4, t, sizeof t),
                        "0x7f0000110004 is byte 4 of buffer arg 2 'out' [0x7f0000110000, 0x7f0000110040), "
                        "which is read-only");
    assert_string_equal(mem_space_describe(&s, 8, 4, t, sizeof t), "0x8 is not near any allocation (a null pointer?)");
    assert_string_equal(mem_space_describe(&s, 0x123456789a, 4, t, sizeof t),
                        "0x123456789a is not near any allocation");
    char tiny[8];
    assert_int_equal(strlen(mem_space_describe(&s, a, 4, tiny, sizeof tiny)), 7);
    mem_space_destroy(&s);
}

/* A launch allocates the user's buffers, then scratch, kernarg, packet and queue, 64 KiB apart. */
static void faults_name_the_users_buffers_first(void **state)
{
    struct mem_space s;
    gaddr_t out, scratch, kernarg, packet, queue;
    char t[256];

    (void)state;
    mem_space_init(&s);
    assert_int_equal(mem_space_alloc(&s, 4096, 1, MEM_READ | MEM_WRITE, "out", &out, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 4096, 1, MEM_READ | MEM_KIND_SCRATCH, "scratch", &scratch, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 64, 1, MEM_READ | MEM_KIND_KERNARG, "kernarg", &kernarg, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 64, 1, MEM_READ | MEM_KIND_SYSTEM, "packet", &packet, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 256, 1, MEM_READ | MEM_KIND_SYSTEM, "queue", &queue, NULL), 0);
    const struct {
        gaddr_t addr;
        const char *part;
    } near[] = {
        {out - 1, "1 byte below the start of out "},
        {scratch - 4096, "past the end of out "}, /* not: 4096 bytes below the start of scratch */
        {scratch + 4096 + 16, "16 bytes past the end of scratch "},
        {scratch + 4096 + 4095, "4095 bytes past the end of scratch "},
        {scratch + 4096 + 4096, "past the end of out "},
        {kernarg + 64, "0 bytes past the end of kernarg "},
        {kernarg - 1, "past the end of out "},
        {packet + 64, "past the end of out "},
        {queue - 4096, "past the end of out "},
        {out + 4096 + MEM_SPACE_NEAR_BYTES, "1048576 bytes past the end of out "},
        {out + 4096 + MEM_SPACE_NEAR_BYTES + 1, "past the end of queue "}, /* the one that is near */
        {queue + 256 + MEM_SPACE_NEAR_BYTES + 1, "is not near any allocation"},
    };
    for (size_t k = 0; k < sizeof near / sizeof near[0]; k++)
        if (!strstr(mem_space_describe(&s, near[k].addr, 4, t, sizeof t), near[k].part))
            fail_msg("case %zu: '%s' lacks '%s'", k, t, near[k].part);
    mem_space_destroy(&s);

    /* a second buffer, past the runtime's allocations: the nearer of the two is named */
    gaddr_t a, b;
    mem_space_init(&s);
    assert_int_equal(mem_space_alloc(&s, 4096, 1, MEM_READ | MEM_EXEC | MEM_KIND_CODE, "code", &a, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 64, 1, MEM_READ | MEM_KIND_SYSTEM, "queue", &queue, NULL), 0);
    assert_int_equal(mem_space_alloc(&s, 4096, 1, MEM_READ, "in", &b, NULL), 0);
    assert_non_null(strstr(mem_space_describe(&s, queue - 1, 1, t, sizeof t), "past the end of code "));
    assert_non_null(strstr(mem_space_describe(&s, b - 8, 4, t, sizeof t), "8 bytes below the start of in "));
    mem_space_destroy(&s);
}

static void bad_requests_are_errors(void **state)
{
    struct mem_space s;
    struct err e = {0};
    gaddr_t a;

    (void)state;
    mem_space_init(&s);
    assert_int_not_equal(mem_space_alloc(&s, UINT64_MAX, 1, 0, "huge", &a, &e), 0);
    assert_int_equal(e.code, ERR_NOMEM);
    assert_non_null(strstr(e.text, "huge"));
    err_clear(&e);
    assert_int_not_equal(mem_space_alloc(&s, MEM_SPACE_END - MEM_SPACE_BASE + 1, 1, 0, "huge", &a, &e), 0);
    err_clear(&e);
    assert_int_not_equal(mem_space_alloc(&s, 8, 3, 0, "odd", &a, &e), 0);
    assert_int_equal(e.code, ERR_USAGE);
    assert_int_equal(s.count, 0);
    mem_space_destroy(&s);
}

static void identity(void **state)
{
    struct mem_space s;
    struct err e = {0};
    static uint32_t words[64];
    gaddr_t base = (uintptr_t)words;
    char t[256];

    (void)state;
    assert_int_equal(mem_space_init_identity(&s, NULL, 0, &e), 0);
    assert_ptr_equal(mem_space_at(&s, base, sizeof words, MEM_WRITE), words);
    assert_null(mem_space_find(&s, 0));
    assert_null(mem_space_find(&s, 0xfff));
    mem_space_destroy(&s);

    struct mem_range r[] = {
        {.lo = base + 128, .hi = base + 256, .flags = MEM_READ, .label = "b"},
        {.lo = base, .hi = base + 32, .flags = MEM_READ | MEM_WRITE, .label = "a"},
        {.lo = base + 16, .hi = base + 64, .flags = MEM_READ | MEM_WRITE, .label = "a2"},
    };
    assert_int_equal(mem_space_init_identity(&s, r, 3, &e), 0);
    assert_int_equal(s.count, 2);
    assert_ptr_equal(mem_space_at(&s, base + 24, 40, MEM_WRITE), (uint8_t *)words + 24);
    assert_null(mem_space_at(&s, base + 64, 1, 0));
    assert_null(mem_space_at(&s, base + 128, 4, MEM_WRITE));
    assert_non_null(strstr(mem_space_describe(&s, base + 64, 1, t, sizeof t), "past the end of a "));
    mem_space_destroy(&s);

    r[2].flags = MEM_READ;
    assert_int_not_equal(mem_space_init_identity(&s, r, 3, &e), 0);
    assert_non_null(strstr(e.text, "overlaps"));
    err_clear(&e);
    r[0].hi = r[0].lo;
    assert_int_not_equal(mem_space_init_identity(&s, r, 3, &e), 0);
    assert_non_null(strstr(e.text, "not valid"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_fixed_and_guarded),
        cmocka_unit_test(bounds_are_exact),
        cmocka_unit_test(freed_addresses_do_not_come_back),
        cmocka_unit_test(small_allocations_are_zero_again),
        cmocka_unit_test(many_ranges_are_found),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(faults_name_the_users_buffers_first),
        cmocka_unit_test(bad_requests_are_errors),
        cmocka_unit_test(identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Files that are small, or well-formed, and would take hours or all memory of a reader that trusts them: names that
 * share one long tail, sections and relocations that repeat one another, containers and entries by the million. Each is
 * refused, or read, in little memory and in the processor time that at most a hundred passes over 8 MiB take on the
 * same host; naive readers take that of many thousands. */
#include "sim/loader/bundle.h"
#include "sim/loader/code_object.h"
#include "tests/unit/loader/toy_elf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include <cmocka.h>

#define MIB      (UINT64_C(1) << 20)
#define PASSES   1000 /* more than these are an error */
#define GPU_NAME "hipv4-amdgcn-amd-amdhsa--gfx90a"

/* A toy with `extra` bytes after it. */
static struct toy *big_toy(size_t extra, uint8_t **behind)
{
    struct toy *t = calloc(1, sizeof *t + extra);

    assert_non_null(t);
    toy_init(t, 0x63f, 3);
    *behind = (uint8_t *)t + TOY_BYTES;
    return t;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* What a pass over 8 MiB takes on this host. */
static double seconds_of_pass(void)
{
    enum { TIMES = 20, BYTES = 8 << 20 };
    volatile uint8_t *bytes = calloc(1, BYTES);
    double start = processor_seconds();
    uint32_t sum = 0;

    assert_non_null(bytes);
    for (unsigned n = 0; n < TIMES; n++)
        for (size_t k = 0; k < BYTES; k++)
            sum += bytes[k];
    free((void *)(uintptr_t)bytes);
    assert_int_equal(sum, 0);
    return (processor_seconds() - start) / TIMES;
}

static void read_within(const void *bytes, size_t size, uint64_t memory, enum err_code code, const char *says)
{
    struct code_object *co = NULL;
    struct budget budget;
    struct err e = {0};
    double start = processor_seconds();

    budget_init(&budget, memory);
    int failed = code_object_open(&co, bytes, size, "hostile", NULL, &budget, &e);
    double seconds = processor_seconds() - start, pass = seconds_of_pass();
    budget_explain(&budget, &e);
    if (failed ? !says || !strstr(e.text, says) || e.code != code : says != NULL)
        fail_msg("%s: %s", failed ? "error" : "no error", e.text);
    code_object_close(co);
    assert_int_equal(budget.held, 0);
    if (seconds > PASSES * pass)
        fail_msg("as long as %.0f passes", seconds / pass);
}

static void symbol_at(uint8_t *to, uint32_t name, uint8_t info, uint16_t section, uint64_t value, uint64_t size)
{
    memcpy(to, &name, 4);
    to[4] = info;
    memcpy(to + 6, &section, 2);
    memcpy(to + 8, &value, 8);
    memcpy(to + 16, &size, 8);
}

/* A hundred thousand names, each the tail of one of 8 MB: 800 GB to look at. */
static void names_that_share_a_tail(void **state)
{
    enum { SYMBOLS = 100000, NAME = 8 << 20 };
    uint8_t *extra;
    struct toy *t = big_toy((SYMBOLS + 1) * 24 + NAME + 8, &extra);
    uint8_t *names = extra + (SYMBOLS + 1) * 24;

    (void)state;
    for (uint32_t i = 0; i < SYMBOLS; i++)
        symbol_at(extra + (i + 1) * 24, 1 + i, TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR, 4);
    memset(names + 1, 'n', NAME);
    toy_section(t, TOY_S_DYNSYM, 11, 2, 0x400, TOY_BYTES, (SYMBOLS + 1) * 24, TOY_S_DYNSTR, 24);
    toy_section(t, TOY_S_DYNSTR, 3, 2, 0x500, TOY_BYTES + (SYMBOLS + 1) * 24, NAME + 8, 0, 0);
    read_within(t, TOY_BYTES + (SYMBOLS + 1) * 24 + NAME + 8, 64 * MIB, ERR_FORMAT,
                "hostile: names of symbols overlap: 0x");
    /* relocations name one symbol each, however long its name is */
    free(t);
    size_t relas = 200000;
    t = big_toy(relas * 24 + NAME + 8, &extra);
    names = extra + relas * 24;
    memcpy(names + 1, "k\0k.kd", 7);
    memset(names + 8, 'n', NAME - 8);
    toy_section(t, TOY_S_DYNSTR, 3, 2, 0x500, TOY_BYTES + relas * 24, NAME + 8, 0, 0);
    t->symbols = 1;
    t->names = 1;
    toy_symbol(t, "k", TOY_GLOBAL | TOY_FUNC, TOY_S_TEXT, TOY_TEXT_VADDR, 4);
    toy_symbol(t, "k.kd", TOY_GLOBAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR, 64);
    unsigned named = toy_symbol(t, "", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 4);
    toy_put(t, 0x400 + named * 24u, 8, 4);
    for (size_t i = 0; i < relas; i++) {
        uint64_t r[3] = {TOY_DATA_VADDR, (uint64_t)named << 32 | 3, 0};
        memcpy(extra + i * 24, r, 24);
    }
    toy_section(t, TOY_S_RELA, 4, 2, 0x580, TOY_BYTES, relas * 24, TOY_S_DYNSYM, 24);
    read_within(t, TOY_BYTES + relas * 24 + NAME + 8, 64 * MIB, ERR_NONE, NULL);
    free(t);
}

/* Sections beyond the toy's nine, the headers moved after the file. */
static struct toy *many_sections(unsigned count, size_t *size)
{
    uint8_t *extra;
    struct toy *t = big_toy(count * 64u, &extra);

    memcpy(extra, t->bytes + TOY_SECTIONS, 9 * 64);
    toy_put(t, 40, TOY_BYTES, 8);
    toy_put(t, 60, count, 2);
    *size = TOY_BYTES + count * 64u;
    return t;
}

static void sections_of_the_same_code(void **state)
{
    size_t size;
    struct toy *t = many_sections(60000, &size);

    (void)state;
    for (unsigned i = 9; i < 60000; i++)
        memcpy((uint8_t *)t + TOY_BYTES + i * 64u, t->bytes + TOY_SECTIONS + TOY_S_TEXT * 64, 64);
    read_within(t, size, 64 * MIB, ERR_FORMAT, "code sections overlap, 0x");
    free(t);
}

/* RELR: each odd word stands for 63 relocations. Kept unpacked, these 2 MiB would be 800 MiB. */
static void packed_relocations(void **state)
{
    enum { WORDS = 1 << 18 };
    uint64_t first = TOY_DATA_VADDR, all = UINT64_MAX;
    uint8_t *extra;
    struct toy *t = big_toy(WORDS * 8, &extra);

    (void)state;
    toy_segment(t, 2, 1, 6, 0xa00, TOY_DATA_VADDR, 0x100, UINT64_C(8) * 64 * WORDS, 0x1000);
    toy_section(t, TOY_S_RELA, 19, 2, 0x580, TOY_BYTES, WORDS * 8, 0, 8);
    for (size_t i = 0; i < WORDS; i++)
        memcpy(extra + i * 8, i ? &all : &first, 8);
    read_within(t, TOY_BYTES + WORDS * 8, 4 * MIB, ERR_NONE, NULL);
    for (size_t i = 0; i < WORDS; i++)
        memcpy(extra + i * 8, i % 2 ? &all : &first, 8);
    read_within(t, TOY_BYTES + WORDS * 8, 4 * MIB, ERR_FORMAT,
                "hostile: section 4: relocation at 0x2a00 behind that at 0x2bf8");
    free(t);
}

/* ---- metadata ---- */

static void metadata_of_nothing(void **state)
{
    static const uint8_t head[] = "\x82\xae"
                                  "amdhsa.version"
                                  "\x92\x01\x02\xae"
                                  "amdhsa.kernels"
                                  "\xdd";
    enum { COUNT = 4 << 20 };
    uint8_t *extra;
    size_t n = sizeof head - 1;
    struct toy *t = big_toy(COUNT + 64, &extra);
    const uint8_t big_endian[4] = {COUNT >> 24, COUNT >> 16 & 255, COUNT >> 8 & 255, COUNT & 255};

    (void)state;
    uint32_t note[3] = {7, (uint32_t)(n + 4 + COUNT), 32};
    memcpy(extra, note, 12);
    memcpy(extra + 12, "AMDGPU\0", 8);
    memcpy(extra + 20, head, n);
    memcpy(extra + 20 + n, big_endian, 4);
    memset(extra + 24 + n, 0xc0, COUNT); /* nil */
    size_t size = (24 + n + COUNT + 3) & ~(size_t)3;
    toy_segment(t, 3, 4, 4, TOY_BYTES, 0x200, size, size, 4);
    read_within(t, TOY_BYTES + COUNT + 64, 2048 * MIB, ERR_FORMAT, "amdhsa.kernels[0]: expected a map");
    read_within(
        t, TOY_BYTES + COUNT + 64, 64 * MIB, ERR_LIMIT,
        "metadata: out of host memory for 4194343 bytes: 100663464 bytes more pass the memory limit of 67108864 bytes");
    free(t);
}

/* ---- bundles ---- */

static size_t plain_container(uint8_t *b, unsigned entries, const char *id)
{
    uint64_t count = entries, header[3] = {0, 0, strlen(id)};
    size_t at = 32;

    memcpy(b, "__CLANG_OFFLOAD_BUNDLE__", 24);
    memcpy(b + 24, &count, 8);
    for (unsigned i = 0; i < entries; i++) {
        memcpy(b + at, header, 24);
        memcpy(b + at + 24, id, strlen(id));
        at += 24 + strlen(id);
    }
    return at;
}

static size_t packed_container(uint8_t *b, size_t room, const uint8_t *plain, size_t size)
{
    uint64_t n = ZSTD_compress(b + 32, room - 32, plain, size, 3), total = n + 32, inflated = size;

    assert_false(ZSTD_isError(n));
    memcpy(b, "CCOB\3\0\1\0", 8);
    memcpy(b + 8, &total, 8);
    memcpy(b + 16, &inflated, 8);
    memset(b + 24, 0, 8);
    return total;
}

static void containers_and_entries(void **state)
{
    enum { ALL = 8 << 20, MANY = 4096 };
    uint8_t *all = malloc(ALL), *plain = malloc(MANY * 64 + 32), packed[4096];
    size_t n = 0, one;

    (void)state;
    assert_true(all && plain);
    for (n = 0; n + 64 < ALL; n += plain_container(all + n, 1, "host"))
        ;
    read_within(all, n, 64 * MIB, ERR_FORMAT, "hostile: bundle: no amdgcn code object; entries: host, host, ");
    one = packed_container(packed, sizeof packed, plain, plain_container(plain, 1, "host"));
    for (n = 0; n + one < ALL; n += one)
        memcpy(all + n, packed, one);
    read_within(all, n, 64 * MIB, ERR_FORMAT, "hostile: bundle: no amdgcn code object; entries: host, host, ");
    /* a few hundred bytes for 4096 entries */
    one = packed_container(packed, sizeof packed, plain, plain_container(plain, MANY, GPU_NAME));
    for (n = 0; n + one < ALL / 8; n += one)
        memcpy(all + n, packed, one);
    read_within(all, n, 512 * MIB, ERR_LIMIT, ": more than 1048576 bundle entries");
    read_within(all, n, 16 * MIB, ERR_LIMIT, " bundle entries: ");
    plain = realloc(plain, (MANY + 1) * 64 + 32);
    one = packed_container(all, ALL, plain, plain_container(plain, MANY + 1, GPU_NAME));
    read_within(all, one, 64 * MIB, ERR_LIMIT,
                "hostile: bundle inside CCOB offset 24: 4097 entries, the limit is 4096");
    free(all);
    free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_share_a_tail), cmocka_unit_test(sections_of_the_same_code),
        cmocka_unit_test(packed_relocations),      cmocka_unit_test(metadata_of_nothing),
        cmocka_unit_test(containers_and_entries),
    };

    return cmocka_run_group_tests_name("hostile files", tests, NULL, NULL);
}

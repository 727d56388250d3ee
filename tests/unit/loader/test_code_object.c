/* Code objects written by hand: header, segments, symbols, kernels, relocations, damage. No tools needed. */
#include "sim/loader/code_object.h"
#include "sim/util/bits.h"
#include "tests/unit/loader/toy_elf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GFX90A 0x53f
#define BASE   UINT64_C(0x7f0012340000)

static struct code_object *open_ok(const struct toy *t)
{
    struct code_object *co;
    struct err e = {0};

    if (code_object_open(&co, t->bytes, sizeof t->bytes, "toy", NULL, NULL, &e))
        fail_msg("%s", e.text);
    return co;
}

static void refuse(const struct toy *t, enum err_code code, const char *part)
{
    struct code_object *co;
    struct err e = {0};

    assert_int_not_equal(code_object_open(&co, t->bytes, sizeof t->bytes, "toy", NULL, NULL, &e), 0);
    assert_null(co);
    assert_int_equal(e.code, code);
    assert_memory_equal(e.text, "toy: ", 5);
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
}

/* Opens, and the kernel of that name alone is refused. */
static void refuse_kernel(const struct toy *t, const char *name, const char *part)
{
    struct code_object *co = open_ok(t);
    unsigned refused = 0;

    for (unsigned i = 0; i < code_object_kernel_count(co); i++) {
        const struct co_kernel *k = code_object_kernel(co, i);
        if (!k->refused)
            continue;
        refused++;
        assert_string_equal(k->name, name);
        if (!strstr(k->refused, part))
            fail_msg("\"%s\" does not say \"%s\"", k->refused, part);
    }
    assert_int_equal(refused, 1);
    code_object_close(co);
}

static void a_bare_object_has_everything(void **state)
{
    struct toy t;
    struct err e = {0};
    uint64_t available;
    struct co_image_info info;
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "table", TOY_LOCAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 16, 32);
    toy_symbol(&t, "abs", TOY_GLOBAL | TOY_NOTYPE, 0xfff1, 0x1234567890, 0);
    struct code_object *co = open_ok(&t);
    memset(&t.bytes, 0xee, 0x40); /* the input is not needed any more */
    assert_int_equal(code_object_version(co), 5);
    assert_string_equal(code_object_target(co)->name, "gfx90a");
    assert_string_equal(code_object_name(co), "toy");
    assert_string_equal(code_object_bundle_id(co), "");
    assert_int_equal(code_object_kernel_count(co), 1);
    const struct co_kernel *k = code_object_find_kernel(co, "k", &e);
    assert_ptr_equal(k, code_object_find_kernel(co, "k.kd", &e));
    assert_ptr_equal(k, code_object_kernel(co, 0));
    assert_null(code_object_kernel(co, 1));
    assert_string_equal(k->name, "k");
    assert_int_equal(k->descriptor_vaddr, TOY_DESCRIPTOR);
    assert_int_equal(k->entry_vaddr, TOY_TEXT_VADDR);
    assert_int_equal(k->code_bytes, 0x40);
    assert_null(k->metadata);
    assert_int_equal(code_object_metadata_count(co), 0);
    assert_int_equal(load_u32(code_object_bytes(co, k->entry_vaddr, &available)), 0xbf810000);
    assert_int_equal(available, 0x100);
    assert_null(code_object_bytes(co, TOY_DATA_VADDR + 0x100, &available)); /* bss */
    assert_null(code_object_bytes(co, 0x900, &available));

    assert_int_equal(code_object_symbol_count(co), 4);
    assert_int_equal(code_object_find_symbol(co, "k")->kind, CO_SYMBOL_FUNCTION);
    assert_int_equal(code_object_find_symbol(co, "k.kd")->kind, CO_SYMBOL_DESCRIPTOR);
    assert_int_equal(code_object_find_symbol(co, "table")->kind, CO_SYMBOL_DATA);
    assert_int_equal(code_object_find_symbol(co, "table")->size, 32);
    assert_false(code_object_find_symbol(co, "table")->global);
    assert_int_equal(code_object_find_symbol(co, "abs")->kind, CO_SYMBOL_ABSOLUTE);
    assert_null(code_object_find_symbol(co, "nothing"));
    assert_int_equal(code_object_text_count(co), 1);
    assert_int_equal(code_object_text(co, 0)->vaddr, TOY_TEXT_VADDR);
    assert_int_equal(code_object_text(co, 0)->size, 0x100);
    assert_int_equal(code_object_segment_count(co), 3);
    assert_true(code_object_segment(co, 1)->executable && !code_object_segment(co, 1)->writable);
    assert_true(code_object_segment(co, 2)->writable);
    code_object_image_info(co, &info);
    assert_int_equal(info.base_vaddr, 0);
    assert_int_equal(info.size, TOY_DATA_VADDR + 0x200);
    assert_int_equal(info.align, 0x1000);
    assert_int_equal(code_object_address(co, BASE, TOY_DATA_VADDR), BASE + TOY_DATA_VADDR);

    assert_null(code_object_find_kernel(co, "kk", &e));
    assert_string_equal(e.text, "toy: no kernel \"kk\"; kernels: k");
    assert_int_equal(e.code, ERR_USAGE);
    code_object_close(co);
    code_object_close(NULL);
}

/* Each header field in turn. */
static void damaged_headers_name_offset_and_expectation(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        enum err_code code;
        const char *part;
    } damage[] = {
        {0, 1, 'X', ERR_FORMAT, "offset 0: not a code object"},
        {4, 1, 1, ERR_FORMAT, "offset 4: ELF class 1, expected 2"},
        {5, 1, 2, ERR_FORMAT, "offset 5: ELF data encoding 2"},
        {6, 1, 0, ERR_FORMAT, "offset 6: ELF version 0"},
        {7, 1, 0, ERR_UNSUPPORTED, "offset 7: ELF OS ABI 0, expected 64"},
        {8, 1, 5, ERR_UNSUPPORTED, "offset 8: ABI version 5"},
        {16, 2, 2, ERR_UNSUPPORTED, "offset 16: ELF type 2, expected 3"},
        {18, 2, 62, ERR_FORMAT, "offset 18: ELF machine 62"},
        {20, 4, 7, ERR_FORMAT, "offset 20"},
        {48, 4, 0x5ff, ERR_UNSUPPORTED, "e_flags 0x5ff (offset 48)"},
        {52, 2, 63, ERR_FORMAT, "offset 52"},
        {54, 2, 32, ERR_FORMAT, "offset 54: program entries of 32 bytes, expected 56"},
        {56, 2, 100, ERR_FORMAT, "100 program headers"},
        {32, 8, UINT64_MAX - 8, ERR_FORMAT, "offset 32: 4 program headers"},
        {58, 2, 40, ERR_FORMAT, "offset 58: section entries of 40"},
        {60, 2, 0, ERR_UNSUPPORTED, "offset 60"},
        {40, 8, 0xfff, ERR_FORMAT, "offset 40: 9 section headers"},
        /* first program header: offset, address, file size, memory size, alignment */
        {0x40 + 8, 8, 0x10000, ERR_FORMAT, "program header 0: contents at offset 0x10000"},
        {0x40 + 16, 8, UINT64_C(1) << 63, ERR_LIMIT,
         "program header 0: address 0x8000000000000000, the limit is 0x7fffffffffffffff"},
        {0x40 + 16, 8, UINT64_C(1) << 40, ERR_LIMIT, "memory image of"},
        {0x40 + 16, 8, 0x1800, ERR_FORMAT, "overlaps"},
        {0x40 + 32, 8, 0x2000, ERR_FORMAT, "program header 0: contents"},
        {0x40 + 40, 8, 0x10, ERR_FORMAT, "more than 0x10 in memory"},
        {0x40 + 40, 8, UINT64_C(1) << 31, ERR_LIMIT,
         "program header 0: 0x80000000 bytes in memory, the limit is 0x40000000"},
        {0x40 + 48, 8, 0x1001, ERR_FORMAT, "alignment 0x1001"},
        {0x40 + 48, 8, UINT64_C(1) << 40, ERR_FORMAT, "alignment 0x10000000000"},
        /* sections */
        {TOY_SECTIONS + TOY_S_DYNSYM * 64 + 24, 8, 0x2000, ERR_FORMAT, "section 2: contents"},
        {TOY_SECTIONS + TOY_S_DYNSYM * 64 + 56, 8, 16, ERR_FORMAT, "section 2: size 0x48, entries of 16"},
        {TOY_SECTIONS + TOY_S_DYNSYM * 64 + 40, 4, 6, ERR_FORMAT, "section 6: type 1, expected 3 (string table)"},
        {TOY_SECTIONS + TOY_S_DYNSYM * 64 + 40, 4, 99, ERR_FORMAT, "section 99 of 9"},
        {TOY_SECTIONS + TOY_S_TEXT * 64 + 16, 8, 0x100, ERR_FORMAT, "not in an executable segment"},
        /* symbols: 1 is "k", 2 "k.kd" */
        {0x400 + 24, 4, 0x1000, ERR_FORMAT, "symbol 1: name at 0x1000"},
        {0x400 + 24 + 8, 8, 0x900, ERR_FORMAT, "symbol \"k\": 0x40 bytes at 0x900"},
        /* the note segment */
        {0x40 + 3 * 56 + 8, 8, 0x2000, ERR_FORMAT, "notes at offset 0x2000"},
        {0x40 + 3 * 56 + 32, 8, 8, ERR_FORMAT, "note at offset 0x200 is damaged"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        struct toy t;
        toy_init(&t, GFX90A, 3);
        toy_put(&t, damage[i].at, damage[i].value, damage[i].bytes);
        refuse(&t, damage[i].code, damage[i].part);
    }
}

static void relocations_follow_their_formulas(void **state)
{
    struct toy t;
    struct err e = {0};
    struct co_image_info info;
    const uint64_t d = TOY_DATA_VADDR;
    (void)state;

    toy_init(&t, GFX90A, 3);
    unsigned sym = toy_symbol(&t, "var", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, d + 0x40, 8);
    unsigned weak = toy_symbol(&t, "weak", TOY_WEAK | TOY_NOTYPE, 0, 0, 0);
    unsigned absolute = toy_symbol(&t, "abs", TOY_GLOBAL | TOY_NOTYPE, 0xfff1, 0x77, 0);
    toy_rela(&t, d + 0x00, 3, sym, 5);             /* ABS64 */
    toy_rela(&t, d + 0x08, 1, sym, 0);             /* ABS32_LO */
    toy_rela(&t, d + 0x0c, 2, sym, 0);             /* ABS32_HI */
    toy_rela(&t, d + 0x10, 4, sym, -4);            /* REL32 */
    toy_rela(&t, d + 0x18, 5, sym, 1);             /* REL64 */
    toy_rela(&t, d + 0x20, 10, sym, 0);            /* REL32_LO */
    toy_rela(&t, d + 0x24, 11, weak, 0);           /* REL32_HI of 0 - P: high half is negative */
    toy_rela(&t, d + 0x28, 13, 0, d + 0x80);       /* RELATIVE64 */
    toy_rela(&t, d + 0x30, 3, weak, 0);            /* weak undefined: 0 */
    toy_rela(&t, d + 0x38, 6, absolute, 1);        /* ABS32 of a small number */
    toy_rela(&t, TOY_TEXT_VADDR + 0x10, 14, 1, 0); /* REL16 back to "k": -5 words */
    toy_rela(&t, d + 0x1f8, 13, 0, 0);             /* in bss */
    toy_rela(&t, d + 0x50, 0, 0, 0);               /* NONE */
    struct code_object *co = open_ok(&t);
    code_object_image_info(co, &info);
    uint8_t *image = calloc(1, info.size);
    if (code_object_image(co, image, info.size, BASE, &e))
        fail_msg("%s", e.text);
    const uint8_t *data = image + d;
    assert_true(load_u64(data + 0x00) == BASE + d + 0x45);
    assert_true(load_u32(data + 0x08) == (uint32_t)(BASE + d + 0x40));
    assert_true(load_u32(data + 0x0c) == (BASE + d + 0x40) >> 32);
    assert_int_equal(load_u32(data + 0x10), 0x2c);
    assert_int_equal(load_u64(data + 0x18), 0x29);
    assert_int_equal(load_u32(data + 0x20), 0x20);
    assert_true(load_u32(data + 0x24) == (uint32_t)((0 - (BASE + d + 0x24)) >> 32));
    assert_true(load_u64(data + 0x28) == BASE + d + 0x80);
    assert_int_equal(load_u64(data + 0x30), 0);
    assert_int_equal(load_u32(data + 0x38), 0x78);
    assert_int_equal(load_u16(image + TOY_TEXT_VADDR + 0x10), 0xfffb);
    assert_true(load_u64(data + 0x1f8) == BASE);
    /* what no relocation touched is the file's, or zero: gaps, bss */
    assert_int_equal(data[0x50], 0xd0);
    assert_int_equal(data[0xff], 0xdf);
    assert_int_equal(data[0x100], 0);
    assert_int_equal(image[0x1000], 0);
    assert_int_equal(load_u32(image + TOY_TEXT_VADDR), 0xbf810000);
    free(image);
    code_object_close(co);
}

static void relr_adds_the_base_in_place(void **state)
{
    struct toy t;
    struct err e = {0};
    static uint8_t image[0x4000];
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_section(&t, TOY_S_RELA, 19, 2, 0x580, 0x580, 16, 0, 8);
    toy_put(&t, 0x580, TOY_DATA_VADDR, 8);
    toy_put(&t, 0x588, 1 | 1 << 1 | 1 << 3, 8); /* the words 1 and 3 after it */
    for (unsigned i = 0; i < 6; i++)
        toy_put(&t, TOY_DATA + 8 * i, 0x100 + i, 8);
    struct code_object *co = open_ok(&t);
    assert_int_equal(code_object_image(co, image, sizeof image, BASE, &e), 0);
    for (unsigned i = 0; i < 6; i++) {
        bool touched = i == 0 || i == 1 || i == 3;
        assert_true(load_u64(image + TOY_DATA_VADDR + 8 * i) == 0x100 + i + (touched ? BASE : 0));
    }
    code_object_close(co);
    toy_put(&t, 0x580, 0x5000, 8);
    refuse(&t, ERR_FORMAT, "relocation R_AMDGPU_RELATIVE64 at 0x5000: in no loaded segment");
}

static void image_fails(const struct toy *t, uint64_t base, size_t bytes, const char *part)
{
    static uint8_t image[0x4000];
    struct err e = {0};
    struct code_object *co = open_ok(t);

    assert_int_not_equal(code_object_image(co, image, bytes, base, &e), 0);
    if (!strstr(e.text, part) || strncmp(e.text, "toy: ", 5))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
    code_object_close(co);
}

static void impossible_relocations_are_errors(void **state)
{
    struct toy t;
    (void)state;

    toy_init(&t, GFX90A, 3);
    image_fails(&t, BASE + 0x10, 0x4000, "expected a multiple of 0x1000");
    image_fails(&t, BASE, 0x100, "the buffer has 256");
    toy_rela(&t, TOY_DATA_VADDR, 3, toy_symbol(&t, "away", TOY_GLOBAL | TOY_NOTYPE, 0, 0, 0), 0);
    image_fails(&t, BASE, 0x4000, "symbol \"away\" is not defined");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 6, 1, 0);
    image_fails(&t, BASE, 0x4000, "R_AMDGPU_ABS32 at 0x2a00 (symbol \"k\"): value 0x7f0012341800 does not fit");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 4, 0, INT64_C(1) << 40);
    image_fails(&t, BASE, 0x4000, "R_AMDGPU_REL32");

    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR + 0x1fc, 3, 1, 0);
    refuse(&t, ERR_FORMAT, "R_AMDGPU_ABS64 at 0x2bfc: in no loaded segment");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 7, 1, 0);
    refuse(&t, ERR_UNSUPPORTED, "type 7 (R_AMDGPU_GOTPCREL)");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 200, 1, 0);
    refuse(&t, ERR_UNSUPPORTED, "type 200 (unknown type)");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 3, 9, 0);
    refuse(&t, ERR_FORMAT, "symbol 9 of 3");
    toy_init(&t, GFX90A, 3);
    toy_rela(&t, TOY_DATA_VADDR, 3, toy_symbol(&t, "lds", TOY_GLOBAL | TOY_OBJECT, 0xff00, 16, 4), 0);
    refuse(&t, ERR_UNSUPPORTED, "\"lds\" is LDS");
}

/* {"amdhsa.version": [1, 2], "amdhsa.kernels": [{...}]} of a kernel with symbol `symbol` and wave size `wave`. */
static size_t metadata(uint8_t *b, const char *name, const char *symbol, unsigned wave)
{
    return (size_t)sprintf(
        (char *)b,
        "\x82\xae"
        "amdhsa.version\x92\x01\x02\xae"
        "amdhsa.kernels\x91\x8a\xa5.name%c%s\xa7.symbol%c%s"
        "\xb5.kernarg_segment_size\x08\xb6.kernarg_segment_align\x08"
        "\xb9.group_segment_fixed_size\x01\xbb.private_segment_fixed_size\x01"
        "\xaf.wavefront_size%c\xab.sgpr_count\x08\xab.vgpr_count\x08\xb8.max_flat_workgroup_size\x40",
        (int)(0xa0 | strlen(name)), name, (int)(0xa0 | strlen(symbol)), symbol, (int)wave);
}

/* Its kernel may be in clusters of x * y * z workgroups, too. */
static size_t metadata_of_clusters(uint8_t *b, unsigned x, unsigned y, unsigned z)
{
    size_t n = metadata(b, "k", "k.kd", 64);
    uint8_t *keys = memchr(b, 0x8a, n);

    *keys = 0x8b; /* a key more */
    return n + (size_t)sprintf((char *)b + n, "\xad.cluster_dims\x93%c%c%c", (int)x, (int)y, (int)z);
}

static void a_kernel_of_clusters(void **state)
{
    struct toy t;
    uint8_t note[512];
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata_of_clusters(note, 2, 3, 1));
    struct code_object *co = open_ok(&t);
    const struct co_kernel *k = code_object_kernel(co, 0);
    assert_null(k->refused);
    assert_true(k->metadata->cluster_dims[0] == 2 && k->metadata->cluster_dims[1] == 3);
    code_object_close(co);
}

static void metadata_joins_its_kernel(void **state)
{
    struct toy t;
    struct err e = {0};
    uint8_t note[512];
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata(note, "source_name", "k.kd", 64));
    struct code_object *co = open_ok(&t);
    const struct co_kernel *k = code_object_find_kernel(co, "source_name", &e);
    assert_non_null(k);
    assert_string_equal(k->name, "k");
    assert_int_equal(k->metadata->wavefront_size, 64);
    assert_ptr_equal(k->metadata, &code_object_metadata(co, 0)->kernels[0]);
    code_object_close(co);

    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata(note, "j", "j.kd", 64));
    refuse_kernel(&t, "j", "metadata names kernel descriptor \"j.kd\"");
    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata(note, "k", "k.kd", 32));
    refuse_kernel(&t, "k", "wavefront size 32 in the metadata, 64 in the descriptor");
    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata(note, "k", "k.kd", 64));
    toy_put(&t, 0x200 + 20, 0xc1, 1);
    refuse(&t, ERR_FORMAT, "note at offset 0x200: metadata note offset 0: byte 0xc1");
    toy_init(&t, GFX90A, 3);
    unsigned twin = toy_symbol(&t, "k.kd", TOY_LOCAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR, 64);
    assert_int_equal(twin, 3);
    refuse(&t, ERR_FORMAT, "two kernel descriptors are named \"k.kd\"");
}

/* A bad descriptor is that of one kernel. */
static void a_bad_kernel_is_refused_alone(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        const char *part;
    } damage[] = {
        {0x400 + 48 + 8, 8, 0x700 + 8, "kernel descriptor \"k.kd\": at 0x708"},
        {0x400 + 48 + 8, 8, TOY_DATA_VADDR + 0x100, "expected 64 bytes of the file"},
        {TOY_DESCRIPTOR + 16, 8, 0, "kernel \"k\": entry point 0x740 is not in an executable"},
        {TOY_DESCRIPTOR + 16, 8, TOY_TEXT_VADDR + 4 - TOY_DESCRIPTOR, "expected a multiple of 256"},
        {TOY_DESCRIPTOR + 60, 4, 1, "kernel \"k\": kernel descriptor offset 60"},
        {TOY_DESCRIPTOR + 56, 2, 0x8000, "kernel \"k\": kernel descriptor offset 56: kernel_code_properties"},
    };
    struct toy t;
    (void)state;

    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        toy_init(&t, GFX90A, 3);
        toy_put(&t, damage[i].at, damage[i].value, damage[i].bytes);
        refuse_kernel(&t, "k", damage[i].part);
    }
    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "crooked.kd", TOY_LOCAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR - 4, 64);
    refuse_kernel(&t, "crooked", "kernel descriptor \"crooked.kd\": at 0x73c");
}

/* By two notes, as when an object is linked with itself. The other kernel is as it is. */
static void a_kernel_that_is_described_twice_is_refused_alone(void **state)
{
    struct toy t;
    struct err e = {0};
    uint8_t note[512];
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "j.kd", TOY_GLOBAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR, 64);
    toy_note(&t, note, metadata(note, "k", "k.kd", 64));
    toy_note(&t, note, metadata(note, "k", "k.kd", 64));
    refuse_kernel(&t, "k", "kernel \"k\": the metadata describes it twice");
    struct code_object *co = open_ok(&t);
    assert_null(code_object_find_kernel(co, "j", &e)->refused);
    assert_int_equal(code_object_kernel_count(co), 2);
    code_object_close(co);

    toy_init(&t, GFX90A, 3); /* one without a descriptor is there once */
    toy_note(&t, note, metadata(note, "i", "i.kd", 64));
    toy_note(&t, note, metadata(note, "i", "i.kd", 64));
    refuse_kernel(&t, "i", "metadata names kernel descriptor \"i.kd\"");
}

/* ---- code object v2 ---- */

static void kernels_of_v2_have_headers(void **state)
{
    static const uint8_t isa[] = {4, 0, 7,   0,   9,   0, 0,   0,   0,   0,   0,   0,   7, 0,
                                  0, 0, 'A', 'M', 'D', 0, 'A', 'M', 'D', 'G', 'P', 'U', 0};
    static const char yaml[] = "---\nVersion: [ 1, 0 ]\nKernels:\n  - Name: source_name\n    SymbolName: 'k@kd'\n"
                               "    Args:\n      - Size: 8\n        Align: 8\n        ValueKind: GlobalBuffer\n...\n";
    struct toy t;
    struct err e = {0};
    (void)state;

    toy_init_v2(&t, 0x2a);
    toy_note_v2(&t, 3, isa, sizeof isa); /* the flags have it */
    toy_note_v2(&t, 10, yaml, sizeof yaml - 1);
    struct code_object *co = open_ok(&t);
    const struct co_kernel *k = code_object_find_kernel(co, "source_name", &e);
    assert_int_equal(code_object_version(co), 2);
    assert_string_equal(code_object_target(co)->name, "gfx803");
    assert_non_null(k);
    assert_null(k->refused);
    assert_string_equal(k->name, "k");
    assert_int_equal(k->descriptor_vaddr, TOY_TEXT_VADDR);
    assert_int_equal(k->entry_vaddr, TOY_TEXT_VADDR + 256);
    assert_int_equal(k->code_bytes, 0x100);
    assert_int_equal(k->descriptor.kernarg_size, 8);
    assert_true(k->descriptor.enable_sgpr_kernarg_segment_ptr && !k->descriptor.enable_sgpr_dispatch_ptr);
    assert_int_equal(k->metadata->explicit_arg_count, 1);
    assert_string_equal(k->metadata->symbol, "k");
    /* the header is no instructions */
    assert_int_equal(code_object_text_count(co), 1);
    assert_int_equal(code_object_text(co, 0)->vaddr, TOY_TEXT_VADDR + 256);
    assert_int_equal(code_object_text(co, 0)->size, 0x100);
    code_object_close(co);

    toy_init_v2(&t, 0); /* the note alone: gfx906 with XNACK */
    toy_note_v2(&t, 3, isa, sizeof isa);
    co = open_ok(&t);
    assert_string_equal(code_object_target(co)->name, "gfx906");
    assert_null(code_object_kernel(co, 0)->metadata);
    code_object_close(co);

    toy_init_v2(&t, 0);
    refuse(&t, ERR_FORMAT, "code object v2 without a note of its ISA, and e_flags 0x0");
    toy_note_v2(&t, 3, isa, 15);
    refuse(&t, ERR_FORMAT, "note at offset 0x200: ISA version of 15 bytes");
    toy_init_v2(&t, 0);
    toy_note_v2(&t, 3, "\4\0\7\0\xff\0\0\0\0\0\0\0\0\0\0", 16);
    refuse(&t, ERR_USAGE, "target \"gfx25500\": no such amdgcn processor");
    toy_init_v2(&t, 0x2a);
    toy_note_v2(&t, 10, "Kernels", 7);
    refuse(&t, ERR_FORMAT, "note at offset 0x200: metadata: expected a map");
}

static void a_bad_header_refuses_its_kernel(void **state)
{
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        const char *part;
    } damage[] = {
        {0, 4, 0, "amd_kernel_code_t offset 0: version 0.2 for machine kind 1, expected 1.x"},
        {8, 2, 0, "for machine kind 0, expected 1.x for 1"},
        {16, 8, 0x1000, "kernel \"k\": entry point 0x2800 is not in an executable"},
        {16, 8, 128, "entry point 0x1880, expected a multiple of 256"},
        {16, 8, UINT64_MAX - 255, "entry point 0x1700 is not in an executable"},
        {56, 4, 1 << 7, "offset 56: code_properties 0x80 wants counts"},
        {68, 4, 4, "offset 68: 4 bytes of GDS"},
        {76, 4, 1, "offset 72: a kernarg segment of 4294967304 bytes"},
    };
    struct toy t;
    (void)state;

    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        toy_init_v2(&t, 0x2a);
        toy_put(&t, TOY_TEXT + damage[i].at, damage[i].value, damage[i].bytes);
        refuse_kernel(&t, "k", damage[i].part);
    }
    toy_init_v2(&t, 0x2a);
    toy_put(&t, TOY_TEXT + 60, 4, 4);
    toy_put(&t, TOY_TEXT + 56, 1 << 3 | 3 << 17, 4);
    refuse_kernel(&t, "k", "offset 56: scratch elements of 16 bytes");
    toy_init_v2(&t, 0x2a); /* too near to the end of its segment */
    toy_put(&t, 0x400 + 24 + 8, TOY_TEXT_VADDR + 0x104, 8);
    toy_put(&t, 0x400 + 24 + 16, 0xf0, 8);
    refuse_kernel(&t, "k", "kernel \"k\": at 0x1904, expected 256 bytes of amd_kernel_code_t");
}

/* Two kernels, one of which begins within the other's header: the texts stay whole. */
static void headers_are_cut_out_of_the_code(void **state)
{
    struct toy t;
    (void)state;

    toy_init_v2(&t, 0x2a);
    toy_symbol(&t, "again", TOY_GLOBAL | TOY_KERNEL, TOY_S_TEXT, TOY_TEXT_VADDR, 0x200);
    toy_symbol(&t, "within", TOY_GLOBAL | TOY_KERNEL, TOY_S_TEXT, TOY_TEXT_VADDR + 4, 0x100);
    struct code_object *co = open_ok(&t);
    assert_int_equal(code_object_kernel_count(co), 3);
    assert_int_equal(code_object_text_count(co), 1);
    assert_int_equal(code_object_text(co, 0)->vaddr, TOY_TEXT_VADDR + 256);
    code_object_close(co);
    /* a header in the middle */
    toy_init_v2(&t, 0x2a);
    memmove(t.bytes + TOY_TEXT + 0x80, t.bytes + TOY_TEXT, 0x100);
    toy_put(&t, TOY_TEXT + 0x80 + 16, 0x180 - 0x100, 8);
    toy_put(&t, 0x400 + 24 + 8, TOY_TEXT_VADDR + 0x80, 8);
    toy_put(&t, 0x400 + 24 + 16, 0x180, 8);
    co = open_ok(&t);
    assert_int_equal(code_object_text_count(co), 2);
    assert_int_equal(code_object_text(co, 0)->vaddr, TOY_TEXT_VADDR);
    assert_int_equal(code_object_text(co, 0)->size, 0x80);
    assert_int_equal(code_object_text(co, 1)->vaddr, TOY_TEXT_VADDR + 0x180);
    assert_int_equal(code_object_text(co, 1)->size, 0x80);
    code_object_close(co);
}

/* As thread traces hold them: sections only. */
static void an_object_without_program_headers_loads_its_sections(void **state)
{
    struct toy t;
    uint8_t note[512];
    (void)state;

    toy_init(&t, 0x41, 3);
    size_t n = metadata(note, "k", "k.kd", 64);
    toy_note(&t, note, n);
    toy_section(&t, TOY_S_NOTE, 7, 2, 0x200, 0x200, t.notes, 0, 0);
    toy_put(&t, TOY_SECTIONS + TOY_S_NOTE * 64 + 48, 4, 8); /* notes are padded to 4 bytes */
    toy_section(&t, TOY_S_RELA, 4, 2, 0x580, 0x580, 0, TOY_S_DYNSYM, 24);
    toy_put(&t, 32, 0, 8);
    toy_put(&t, 56, 0, 2);
    struct code_object *co = open_ok(&t);
    assert_int_equal(code_object_kernel_count(co), 1);
    assert_non_null(code_object_kernel(co, 0)->metadata);
    assert_true(code_object_segment_count(co) >= 3);
    code_object_close(co);
}

/* Sixty note segments over the same bytes: work must stay in proportion to the file. */
static void overlapping_tables_are_refused(void **state)
{
    static uint8_t file[0x2000];
    const unsigned headers = 60, notes = 0x1d20;
    struct toy t;
    struct code_object *co;
    (void)state;

    toy_init(&t, GFX90A, 3);
    memcpy(file, t.bytes, sizeof t.bytes);
    memcpy(file + 0x1000, t.bytes + 0x40, 3 * 56);
    for (unsigned i = 3; i < headers; i++) {
        toy_segment(&t, 3, 4, 4, notes, 0, sizeof file - notes, 0, 4);
        memcpy(file + 0x1000 + i * 56, t.bytes + 0x40 + 3 * 56, 56);
    }
    const uint32_t note[] = {4, sizeof file - notes - 16, 1, 0}; /* of another owner, filling the segment */
    memcpy(file + notes, note, sizeof note);
    file[33] = 0x10; /* program headers at 0x1000 */
    file[32] = 0;
    for (unsigned n = 4; n <= headers; n += headers - 4) {
        struct err e = {0};
        file[56] = (uint8_t)n;
        int r = code_object_open(&co, file, sizeof file, "toy", NULL, NULL, &e);
        if (n == 4 && r)
            fail_msg("%s", e.text);
        if (n == headers) {
            assert_int_not_equal(r, 0);
            assert_non_null(strstr(e.text, "notes and relocations overlap"));
        }
        code_object_close(co);
    }
}

static void try_all(const uint8_t *bytes, size_t size)
{
    struct code_object *co;
    struct err e = {0};
    struct co_image_info info;

    if (code_object_open(&co, bytes, size, "damaged", NULL, NULL, &e)) {
        assert_true(e.code != ERR_NONE && !strncmp(e.text, "damaged", 7));
        return;
    }
    code_object_image_info(co, &info);
    uint8_t *image = info.size < 1u << 24 ? calloc(1, info.size) : NULL;
    if (image && code_object_image(co, image, info.size, info.align, &e))
        assert_true(e.text[0]);
    free(image);
    code_object_close(co);
}

/* Every length, and 20,000 objects with one to four wrong bits. Success is allowed, a crash is not; the copies are
 * exact in size, so that a sanitizer sees a read beyond the end. */
static void damage_never_crashes(void **state)
{
    struct toy t;
    uint8_t note[512];
    uint64_t seed = 0x9e3779b97f4a7c15;
    (void)state;

    toy_init(&t, GFX90A, 3);
    toy_note(&t, note, metadata(note, "k", "k.kd", 64));
    toy_rela(&t, TOY_DATA_VADDR, 3, 1, 5);
    toy_rela(&t, TOY_DATA_VADDR + 8, 13, 0, 64);
    code_object_close(open_ok(&t));
    for (size_t n = 0; n < sizeof t.bytes; n++) {
        uint8_t *copy = malloc(n ? n : 1);
        memcpy(copy, t.bytes, n);
        try_all(copy, n);
        free(copy);
    }
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t *copy = malloc(sizeof t.bytes);
        memcpy(copy, t.bytes, sizeof t.bytes);
        for (unsigned flips = 0; flips <= i % 4; flips++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint64_t bit = (seed >> 33) % (sizeof t.bytes * 8);
            /* most of the file is padding: keep to the parts that mean something */
            while (bit / 8 >= 0x800 && bit / 8 < 0xc00)
                bit -= 0x400 * 8;
            copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        try_all(copy, sizeof t.bytes);
        free(copy);
    }
}

static void files_that_cannot_be_read_say_why(void **state)
{
    struct code_object *co;
    struct err e = {0};
    (void)state;

    assert_int_not_equal(code_object_open_file(&co, "tests/unit/loader/no-such-file", NULL, NULL, &e), 0);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "tests/unit/loader/no-such-file: No such file"));
    err_clear(&e);
    assert_int_not_equal(code_object_open_file(&co, "tests/unit/loader", NULL, NULL, &e), 0);
    assert_int_equal(e.code, ERR_IO);
    err_clear(&e);
    assert_int_not_equal(code_object_open_file(&co, "Makefile", NULL, NULL, &e), 0);
    assert_string_equal(e.text, "Makefile: offset 0: not a code object, expected an ELF file or an offload bundle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_object_has_everything),
        cmocka_unit_test(damaged_headers_name_offset_and_expectation),
        cmocka_unit_test(relocations_follow_their_formulas),
        cmocka_unit_test(relr_adds_the_base_in_place),
        cmocka_unit_test(impossible_relocations_are_errors),
        cmocka_unit_test(metadata_joins_its_kernel),
        cmocka_unit_test(a_bad_kernel_is_refused_alone),
        cmocka_unit_test(kernels_of_v2_have_headers),
        cmocka_unit_test(a_bad_header_refuses_its_kernel),
        cmocka_unit_test(headers_are_cut_out_of_the_code),
        cmocka_unit_test(a_kernel_that_is_described_twice_is_refused_alone),
        cmocka_unit_test(a_kernel_of_clusters),
        cmocka_unit_test(an_object_without_program_headers_loads_its_sections),
        cmocka_unit_test(overlapping_tables_are_refused),
        cmocka_unit_test(damage_never_crashes),
        cmocka_unit_test(files_that_cannot_be_read_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

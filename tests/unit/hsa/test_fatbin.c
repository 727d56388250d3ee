/* What is said about a HIP program that was built for other targets, of files made here: whole ones and damaged ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/hsa/code/fatbin.h"
#include "tests/support/folder.h"

enum { SECTION_AT = 0x100, NAMES_AT = 0x400, HEADERS_AT = 0x440, FILE_BYTES = HEADERS_AT + 3 * sizeof(Elf64_Shdr) };

static char program[4096], log_path[4096];

/* A text without the byte that ends it. */
static size_t put(uint8_t *at, const char *text)
{
    size_t n = 0;

    for (; text[n]; n++)
        at[n] = (uint8_t)text[n];
    return n;
}

static size_t add_entry(uint8_t *at, const char *id)
{
    const uint64_t header[3] = {0, strncmp(id, "host", 4) != 0, strlen(id)}; /* a byte of code */

    memcpy(at, header, sizeof header);
    return sizeof header + put(at + sizeof header, id);
}

/* A plain bundle of these targets; returns its size. */
static size_t make_bundle(uint8_t *to, const char *const ids[], uint64_t count)
{
    size_t at = put(to, "__CLANG_OFFLOAD_BUNDLE__");

    memcpy(to + at, &count, sizeof count);
    at += sizeof count;
    for (uint64_t k = 0; ids[k]; k++)
        at += add_entry(to + at, ids[k]);
    return at;
}

/* An ELF file with nothing in the section of bundles. */
static void make_empty(uint8_t *file)
{
    static const char names[] = "\0.hip_fatbin\0.shstrtab";
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_shoff = HEADERS_AT,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = 3,
                    .e_shstrndx = 2};
    Elf64_Shdr s[3] = {{0},
                       {.sh_name = 1, .sh_offset = SECTION_AT, .sh_size = NAMES_AT - SECTION_AT},
                       {.sh_name = 13, .sh_offset = NAMES_AT, .sh_size = sizeof names}};

    memset(file, 0, FILE_BYTES);
    memcpy(file, &h, sizeof h);
    memcpy(file + NAMES_AT, names, sizeof names);
    memcpy(file + HEADERS_AT, s, sizeof s);
}

/* One with a bundle of these targets. */
static void make_file(uint8_t *file, const char *const ids[], uint64_t count)
{
    make_empty(file);
    make_bundle(file + SECTION_AT, ids, count);
}

/* A compressed bundle after zeros that pad the one before it to 8 bytes; version 2: magic, version, zlib, bytes of it
 * all, bytes of what is in it, a hash that nothing reads. Returns where it ends. */
static size_t add_compressed(uint8_t *file, size_t at, const char *const ids[], uint64_t count)
{
    uint8_t plain[512] = {0};
    uLongf room = NAMES_AT - SECTION_AT;
    uint32_t plain_bytes = (uint32_t)make_bundle(plain, ids, count), bytes;
    const uint16_t version = 2, method = 0;

    at = (at + 7) & ~(size_t)7;
    assert_int_equal(compress(file + at + 24, &room, plain, plain_bytes), Z_OK);
    bytes = (uint32_t)room + 24;
    put(file + at, "CCOB");
    memcpy(file + at + 4, &version, sizeof version);
    memcpy(file + at + 6, &method, sizeof method);
    memcpy(file + at + 8, &bytes, sizeof bytes);
    memcpy(file + at + 12, &plain_bytes, sizeof plain_bytes);
    assert_true(at + bytes <= NAMES_AT);
    return at + bytes;
}

/* What is said of the first bytes of a file on a device; to be freed. */
static char *said_of(const uint8_t *file, size_t size, const char *device)
{
    struct agent agents[2] = {{.type = HSA_DEVICE_TYPE_CPU}, {.type = HSA_DEVICE_TYPE_GPU}};
    struct runtime r = {.agent = agents, .agents = 2};
    char *text = calloc(1, 1024);
    FILE *f = fopen(program, "wb");

    assert_true(f && fwrite(file, 1, size, f) == size && fclose(f) == 0);
    snprintf(agents[1].name, sizeof agents[1].name, "%s", device);
    agents[1].device = (struct device *)agents; /* not looked at */
    unlink(log_path);
    rt_log_open(log_path);
    fatbin_explain(&r, program);
    f = fopen(log_path, "r");
    if (f) {
        assert_true(fread(text, 1, 1023, f) < 1023);
        fclose(f);
    }
    rt_log_open(NULL);
    return text;
}

static void expect_said(const uint8_t *file, const char *device, const char *want)
{
    char *text = said_of(file, FILE_BYTES, device);

    assert_string_equal(text, want);
    free(text);
}

static void other_targets(void **state)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90c",
                                      "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "hip-amdgcn-amd-amdhsa--gfx1030", NULL};
    static const char *const old[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx701", NULL};
    uint8_t file[FILE_BYTES];
    char want[8192];

    (void)state;
    make_file(file, ids, 4);
    expect_said(file, "gfx90a", "");
    expect_said(file, "gfx1030", "");
    snprintf(want, sizeof want,
             "gcnsim: %s is built for gfx90c, gfx90a, gfx1030, device is gfx1201: run with --arch gfx90a, or build it "
             "with --offload-arch=gfx1201\n",
             program);
    expect_said(file, "gfx1201", want);
    make_file(file, old, 2);
    snprintf(want, sizeof want,
             "gcnsim: %s is built for gfx701, device is gfx1201: build it with --offload-arch=gfx1201\n", program);
    expect_said(file, "gfx1201", want);
    make_file(file, (const char *const[]){"host-x86_64-unknown-linux", NULL}, 1);
    expect_said(file, "gfx1201", "");
}

/* One bundle of each translation unit, of which the second and third have other targets; the compressed ones are read
 * like the plain one. */
static void several_bundles(void **state)
{
    static const char *const first[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90a",
                                        "hipv4-amdgcn-amd-amdhsa--gfx1201", NULL};
    static const char *const second[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", NULL};
    static const char *const third[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90a",
                                        "hipv4-amdgcn-amd-amdhsa--gfx1030", NULL};
    uint8_t file[FILE_BYTES];
    char want[8192];
    size_t at;

    (void)state;
    for (unsigned plain = 0; plain < 2; plain++) {
        make_empty(file);
        at = plain ? SECTION_AT + make_bundle(file + SECTION_AT, first, 3) : add_compressed(file, SECTION_AT, first, 3);
        expect_said(file, "gfx1201", "");
        at = add_compressed(file, at, second, 2);
        expect_said(file, "gfx90a", "");
        snprintf(want, sizeof want,
                 "gcnsim: %s is built for gfx90a, gfx1201, device is gfx1201, which 1 of its 2 bundles lacks: run with "
                 "--arch gfx90a, or build it with --offload-arch=gfx1201\n",
                 program);
        expect_said(file, "gfx1201", want);
        add_compressed(file, at, third, 3);
        expect_said(file, "gfx90a", "");
        snprintf(want, sizeof want,
                 "gcnsim: %s is built for gfx90a, gfx1201, gfx1030, device is gfx1030, which 2 of its 3 bundles lack: "
                 "run with --arch gfx90a, or build it with --offload-arch=gfx1030\n",
                 program);
        expect_said(file, "gfx1030", want);
        snprintf(want, sizeof want,
                 "gcnsim: %s is built for gfx90a, gfx1201, gfx1030, device is gfx1100: run with --arch gfx90a, or "
                 "build it with --offload-arch=gfx1100\n",
                 program);
        expect_said(file, "gfx1100", want);
    }
}

/* Files that end early, lie about their counts, or have any byte changed: nothing is read that is not there. */
static void damaged_files(void **state)
{
    static const char *const ids[] = {"host-x86_64-unknown-linux", "hipv4-amdgcn-amd-amdhsa--gfx90a", NULL};
    uint8_t file[FILE_BYTES];

    (void)state;
    make_file(file, ids, UINT64_MAX);
    free(said_of(file, FILE_BYTES, "gfx1201"));
    make_file(file, ids, 2);
    for (size_t size = 1; size < FILE_BYTES; size += size < 0x180 || size > NAMES_AT ? 1 : 61)
        free(said_of(file, size, "gfx1201"));
    for (size_t k = 0; k < FILE_BYTES; k++) {
        uint8_t was = file[k];

        if (k >= 0x190 && k < NAMES_AT)
            continue;
        file[k] = 0xff;
        free(said_of(file, FILE_BYTES, "gfx1201"));
        file[k] = was;
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_targets),
        cmocka_unit_test(several_bundles),
        cmocka_unit_test(damaged_files),
    };

    snprintf(program, sizeof program, "%s/program", program_folder());
    snprintf(log_path, sizeof log_path, "%s/log", program_folder());
    return cmocka_run_group_tests(tests, NULL, NULL);
}

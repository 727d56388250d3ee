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

#include "sim/hsa/fatbin.h"
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
    const uint64_t header[3] = {0, 0, strlen(id)};

    memcpy(at, header, sizeof header);
    return sizeof header + put(at + sizeof header, id);
}

/* An ELF file with a bundle of these targets. */
static void make_file(uint8_t *file, const char *const ids[], uint64_t count)
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
    size_t at = SECTION_AT + 24;

    memset(file, 0, FILE_BYTES);
    memcpy(file, &h, sizeof h);
    put(file + SECTION_AT, "__CLANG_OFFLOAD_BUNDLE__");
    memcpy(file + at, &count, sizeof count);
    at += sizeof count;
    for (uint64_t k = 0; ids[k]; k++)
        at += add_entry(file + at, ids[k]);
    memcpy(file + NAMES_AT, names, sizeof names);
    memcpy(file + HEADERS_AT, s, sizeof s);
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
        cmocka_unit_test(damaged_files),
    };

    snprintf(program, sizeof program, "%s/program", program_folder());
    snprintf(log_path, sizeof log_path, "%s/log", program_folder());
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which GPUs the HIP of a process knows (sim/hsa/agents/language.c): those in the table of names of a libamdhip64 that
 * is made up here. */
#define _GNU_SOURCE
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/hsa/agents/imports.h"
#include "sim/hsa/agents/language.h"

typedef int phdr_fn(struct dl_phdr_info *info, size_t size, void *data);
int __real_dl_iterate_phdr(phdr_fn *fn, void *data);
int __wrap_dl_iterate_phdr(phdr_fn *fn, void *data);

static struct dl_phdr_info library; /* the first of the process's; without a name: there is none */

int __wrap_dl_iterate_phdr(phdr_fn *fn, void *data)
{
    int answer = library.dlpi_name ? fn(&library, sizeof library, data) : 0;

    return answer ? answer : __real_dl_iterate_phdr(fn, data);
}

#define BYTES(text) text, sizeof(text) /* with the zero at the end */

static void what_hip_knows(void **state)
{
    static const struct {
        const char *library, *constants;
        size_t size;
        const char *written; /* in pages that may be written */
        const char *target;
        bool knows;
    } v[] = {
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a\0gfx1030"), "", "gfx1030", true},
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a\0gfx1030"), "", "gfx90a", true},
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a\0gfx1030"), "", "gfx1201", false},
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a\0gfx1030"), "gfx1201", "gfx1201", false},
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a\0gfx1201a\0agfx1201"), "", "gfx1201", false},
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx900\0gfx906"), "gfx90a", "gfx1201", true}, /* no such table */
        {"/opt/rocm/lib/libamdhip64.so.5", BYTES("\0gfx90a"), "", "a target with a name that is long", true},
        {"/opt/rocm/lib/libamdhip.so.5", BYTES("\0gfx90a"), "", "gfx1201", true},
        {"libamdhip64.so.5", BYTES("\0gfx90a"), "", "gfx1201", true}, /* loaders give whole paths */
        {NULL, BYTES("\0gfx90a"), "", "gfx1201", true},
    };

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        char written[16] = "", why[300] = "";
        const ElfW(Phdr) segment[] = {
            {.p_type = PT_NOTE, .p_flags = PF_R, .p_vaddr = (uintptr_t) "\0gfx1201", .p_filesz = 9},
            {.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = (uintptr_t)written, .p_filesz = sizeof written},
            {.p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = (uintptr_t)v[k].constants, .p_filesz = v[k].size},
        };

        strcpy(written + 1, v[k].written);
        library = (struct dl_phdr_info){.dlpi_name = v[k].library, .dlpi_phdr = segment, .dlpi_phnum = 3};
        if (language_knows(v[k].target, why, sizeof why) != v[k].knows)
            fail_msg("%zu: %s", k, why);
        assert_string_equal(why, v[k].knows ? ""
                                            : "libamdhip64.so.5 does not know gfx1201, so it is told of no such GPU: "
                                              "compile for and run with --arch of a target that it knows, or use a "
                                              "newer ROCm (docs/ROCM.md)");
    }
}

#define AT(p)                                                                                                          \
    {                                                                                                                  \
        .d_ptr = (uintptr_t)(p)                                                                                        \
    }

/* A function counts that has a relocation and is defined elsewhere, in whatever order tables stand in the object. */
static void what_is_imported(void **state)
{
    static const char strings[] = "\0called_away\0taken_away\0own\0unused";
    static const Elf64_Sym symbols[] = {{.st_name = 1},
                                        {.st_name = 1, .st_shndx = SHN_UNDEF},
                                        {.st_name = 13, .st_shndx = SHN_UNDEF},
                                        {.st_name = 24, .st_shndx = 5},
                                        {.st_name = 28, .st_shndx = SHN_UNDEF}};
    static const Elf64_Rela calls[] = {{.r_info = ELF64_R_INFO(0, 8)},
                                       {.r_info = ELF64_R_INFO(3, 7)},
                                       {.r_info = ELF64_R_INFO(1, 7)},
                                       {.r_info = ELF64_R_INFO(4, 7)}},
                            others[] = {{.r_info = ELF64_R_INFO(2, 6)}};
    const Elf64_Dyn all[] = {{DT_NEEDED, {.d_val = 1}},
                             {DT_PLTRELSZ, {.d_val = 3 * sizeof *calls}},
                             {DT_JMPREL, AT(calls)},
                             {DT_RELA, AT(others)},
                             {DT_RELASZ, {.d_val = sizeof others}},
                             {DT_STRTAB, AT(strings)},
                             {DT_SYMTAB, AT(symbols)},
                             {DT_NULL, {0}}},
                    no_tables[] = {{DT_SYMTAB, AT(symbols)},
                                   {DT_STRTAB, AT(strings)},
                                   {DT_PLTRELSZ, {.d_val = sizeof calls}},
                                   {DT_RELASZ, {.d_val = sizeof others}},
                                   {DT_NULL, {0}}},
                    no_names[] = {{DT_SYMTAB, AT(symbols)},
                                  {DT_JMPREL, AT(calls)},
                                  {DT_PLTRELSZ, {.d_val = sizeof calls}},
                                  {DT_NULL, {0}}};
    const struct {
        const Elf64_Dyn *dynamic;
        const char *names[2];
        bool imports;
    } v[] = {{all, {"called_away", "none"}, true},
             {all, {"none", "taken_away"}, true},
             {all, {"own", "none"}, false},
             {all, {"unused", "none"}, false}, /* beyond the table's end */
             {all, {"", "none"}, false},
             {no_tables, {"called_away", "taken_away"}, false},
             {no_names, {"called_away", "none"}, false}};

    (void)state;
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
        const ElfW(Phdr)
            segment[] = {{.p_type = PT_LOAD, .p_vaddr = 1}, {.p_type = PT_DYNAMIC, .p_vaddr = (uintptr_t)v[k].dynamic}};

        library = (struct dl_phdr_info){.dlpi_name = "made up", .dlpi_phdr = segment, .dlpi_phnum = 2};
        if (imports_any(v[k].names, 2) != v[k].imports)
            fail_msg("%s, %s", v[k].names[0], v[k].names[1]);
    }
    library.dlpi_name = NULL;
    assert_true(imports_any((const char *const[]){"none", "_cmocka_run_group_tests"}, 2) ||
                imports_any((const char *const[]){"memcmp", "strcmp"}, 2)); /* this program's own */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(what_hip_knows), cmocka_unit_test(what_is_imported)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

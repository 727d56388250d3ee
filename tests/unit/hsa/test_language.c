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

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(what_hip_knows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

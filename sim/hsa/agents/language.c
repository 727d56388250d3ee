/* The language runtime of the process, and which GPUs HIP knows. libamdhip64 has a table of targets by name; at one
 * that is not in it old versions give up half way and free what they never made (5.2.3). So it is shown no such GPU,
 * and says itself that there is no device.
 */
#define _GNU_SOURCE
#include "sim/hsa/agents/language.h"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hip[] = "/libamdhip64.so", opencl[] = "/libamdocl64.so";

struct search {
    const char *target;
    char library[PATH_MAX]; /* "": none is loaded */
    bool has_table, has_target;
};

/* The name as a whole string of the library's constants. */
static bool has_string(const struct dl_phdr_info *info, const char *text)
{
    char whole[32] = "";
    size_t n = strlen(text) + 2;

    if (n > sizeof whole)
        return true;
    memcpy(whole + 1, text, n - 2);
    for (unsigned k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type == PT_LOAD && p->p_flags == PF_R &&
            memmem((const void *)(info->dlpi_addr + p->p_vaddr), p->p_filesz, whole, n))
            return true;
    }
    return false;
}

static bool is_library(const struct dl_phdr_info *info, const char *name)
{
    const char *at = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

    return at && strncmp(at, name, strlen(name)) == 0;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *s = data;

    (void)size;
    if (!is_library(info, hip))
        return 0;
    if (!realpath(info->dlpi_name, s->library))
        strncpy(s->library, info->dlpi_name, sizeof s->library - 1);
    s->has_table = has_string(info, "gfx90a"); /* in the table of each version since 5.0 */
    s->has_target = has_string(info, s->target);
    return 1;
}

bool language_knows(const char *target, char *why, size_t why_size)
{
    struct search s = {.target = target};

    dl_iterate_phdr(look_into, &s);
    if (!s.library[0] || !s.has_table || s.has_target)
        return true;
    snprintf(why, why_size,
             "%s does not know %s, so it is told of no such GPU: compile for and run with --arch of a target that it "
             "knows, or use a newer ROCm (docs/ROCM.md)",
             strrchr(s.library, '/') ? strrchr(s.library, '/') + 1 : s.library, target);
    return false;
}

struct loaded_languages {
    bool hip, opencl;
};

static int note_language(struct dl_phdr_info *info, size_t size, void *data)
{
    struct loaded_languages *l = data;

    (void)size;
    l->hip |= is_library(info, hip);
    l->opencl |= is_library(info, opencl);
    return 0;
}

bool language_is_opencl(void)
{
    static int known; /* atomic; 0: not yet, else 1 + the answer */
    int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!answer) {
        struct loaded_languages l = {0};

        dl_iterate_phdr(note_language, &l);
        answer = 1 + (l.opencl && !l.hip);
        __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
    }
    return answer == 2;
}

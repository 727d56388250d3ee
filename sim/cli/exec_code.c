/* gcnsim exec: says so where a HIP program has no code for a GPU. HIP, which wants code for each, looks for it before
 * it asks the library beneath, and says neither what the GPU is nor what the program has. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/exec.h"

enum { CODE_NONE, CODE_THERE, CODE_UNKNOWN };

/* Code for a target alone or for its usual settings; with several that fit, HIP has its own order. */
static int code_for(const char *path, const char *target)
{
    static const char *const settings[] = {"", ":xnack-"};
    struct gcnsim_error error = {0};
    struct gcnsim_code *code;
    char id[64];

    for (unsigned k = 0; k < 2; k++) {
        snprintf(id, sizeof id, "%s%s", target, settings[k]);
        if (gcnsim_code_open_file(&code, path, id, &error) == GCNSIM_OK) {
            gcnsim_code_close(code);
            return CODE_THERE;
        }
        if (error.code != GCNSIM_ERROR_USAGE)
            return CODE_UNKNOWN; /* no program of HIP, or nothing that can be read here */
    }
    return CODE_NONE;
}

/* Says nothing of a program that seems to have no code at all: its first unit may be one for the host alone, and the
 * runtime looks at the others. */
static void say(const char *path, const char *target)
{
    struct gcnsim_profile_info p;
    char first[sizeof p.target] = "", *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return;
    fprintf(out, "exec: %s has no code for %s", path, target);
    for (uint32_t k = 0; gcnsim_profile_list(k, &p) == 0; k++) {
        if (!p.is_default || code_for(path, p.target) != CODE_THERE)
            continue;
        fprintf(out, "%s%s", *first ? ", " : "; it has code for ", p.target);
        if (!*first)
            memcpy(first, p.target, sizeof first);
    }
    fprintf(out, ": run with --arch %s, or build it with --offload-arch=%s", first, target);
    if (fclose(out) == 0 && *first)
        (void)cli_error("%s", text);
    free(text);
}

void exec_note_code(const char *path)
{
    const char *arch = getenv("GCNSIM_ARCH");
    char *list = arch ? strdup(arch) : NULL, *rest = list, *one;
    struct gcnsim_profile_info p, said = {0};

    while ((one = strsep(&rest, ","))) {
        if (gcnsim_profile_find(one, &p, NULL) || !strcmp(p.target, said.target) ||
            code_for(path, p.target) != CODE_NONE)
            continue;
        say(path, p.target);
        said = p;
    }
    free(list);
}

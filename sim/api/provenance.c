/* Provenance of a run: which code, which profile, which overrides. Two runs that differ in one of them must not look
 * alike; hashes are SHA-256. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/engine/sampling/sampled.h"

int api_profile_sha256(struct gcnsim *sim, const struct profile *p, char out[REPORT_HASH_TEXT], struct err *e)
{
    char *text = NULL;

    out[0] = 0;
    if (!p)
        return 0;
    if (!*sim->profile_sha256 && p->sha256)
        memcpy(sim->profile_sha256, p->sha256, REPORT_HASH_TEXT);
    if (!*sim->profile_sha256) {
        if (profile_print(p, PROFILE_JSON, &text, e))
            return -1;
        sha256_text(text, strlen(text), sim->profile_sha256);
        free(text);
    }
    memcpy(out, sim->profile_sha256, REPORT_HASH_TEXT);
    return 0;
}

/* Options of a run that change what is simulated, or how far; in the words of the public structs. */
static size_t run_options(const struct engine_options *o, bool check, char out[8][40])
{
    size_t n = 0;

    if (check)
        strcpy(out[n++], "check");
    if (o->perfect_memory)
        strcpy(out[n++], "perfect_memory");
    if (o->tick_every_cycle)
        strcpy(out[n++], "tick_every_cycle");
    if (o->max_cycles)
        snprintf(out[n++], 40, "max_cycles=%" PRIu64, o->max_cycles);
    if (o->max_instructions)
        snprintf(out[n++], 40, "max_instructions=%" PRIu64, o->max_instructions);
    if (o->sampling && o->sampling->workgroups == ENGINE_SAMPLE_AUTO)
        strcpy(out[n++], "sample_workgroups=AUTO");
    else if (o->sampling && o->sampling->workgroups)
        snprintf(out[n++], 40, "sample_workgroups=%" PRIu64, o->sampling->workgroups);
    if (o->sampling && o->sampling->loops)
        strcpy(out[n++], "sample_loops");
    if (o->sampling && o->sampling->skip)
        strcpy(out[n++], "sample_skip");
    return n;
}

int api_overrides(const struct gcnsim *sim, const struct launch *l, const struct engine_options *o, bool check,
                  struct arena *arena, struct report_run *run, struct err *e)
{
    size_t sets = l->profile ? sim->set_count : 0, options;
    const char **list = ARENA_NEW(arena, sets + 8, const char *);
    char(*text)[40] = arena_alloc(arena, 8, sizeof *text, 1);

    if (!list || !text)
        return err_set(e, ERR_NOMEM, "out of host memory for %zu overrides", sets);
    options = run_options(o, check, text);
    for (size_t k = 0; k < sets; k++)
        list[k] = sim->sets[k];
    for (size_t k = 0; k < options; k++)
        list[sets + k] = text[k];
    run->overrides = list;
    run->override_count = sets + options;
    return 0;
}

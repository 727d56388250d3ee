/* Opening a simulator of a profile, with the figures that the process was asked to change (GCNSIM_SET). */
#include "sim/hsa/agents/simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "path=value", separated by line ends, into parts of `copy`; at most `room` of them. */
static size_t split(char *copy, const char **out, size_t room)
{
    char *rest;
    size_t n = 0;

    for (char *one = strtok_r(copy, "\n", &rest); one && n < room; one = strtok_r(NULL, "\n", &rest))
        out[n++] = one;
    return n;
}

static int apply(struct gcnsim *sim, const char *set, struct gcnsim_error *e)
{
    char *copy = strdup(set);
    size_t lines = 1;
    const char **sets;
    int status = GCNSIM_ERROR_NOMEM;

    for (const char *c = set; *c; c++)
        lines += *c == '\n';
    sets = calloc(lines, sizeof *sets);
    if (copy && sets)
        status = gcnsim_set_all(sim, sets, split(copy, sets, lines), e);
    else
        *e = (struct gcnsim_error){.code = status, .text = "no memory for GCNSIM_SET"};
    free(sets);
    free(copy);
    return status;
}

int simulator_open(struct gcnsim **out, const char *profile, const char *set, struct gcnsim_error *e)
{
    struct gcnsim *sim;
    int status = gcnsim_open(&sim, profile, e);

    if (status != GCNSIM_OK)
        return status;
    if (set && (status = apply(sim, set, e)) != GCNSIM_OK) {
        char why[sizeof e->text];

        snprintf(why, sizeof why, "GCNSIM_SET: %.600s", e->text);
        memcpy(e->text, why, sizeof why);
        gcnsim_close(sim);
        return status;
    }
    /* what a kernel needs is the program's choice, and nobody else's data are in it */
    gcnsim_set_max_memory(sim, 0);
    *out = sim;
    return GCNSIM_OK;
}

/* Opening a simulator of a profile, with the figures that the process was asked to change (GCNSIM_SET). */
#include "sim/hsa/agents/simulator.h"

#include <stdio.h>
#include <string.h>

int simulator_open(struct gcnsim **out, const char *profile, const struct option_list *sets, struct gcnsim_error *e)
{
    struct gcnsim *sim;
    int status = gcnsim_open(&sim, profile, e);

    if (status != GCNSIM_OK)
        return status;
    if (sets->count && (status = gcnsim_set_all(sim, sets->items, sets->count, e)) != GCNSIM_OK) {
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

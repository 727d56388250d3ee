/* AMD's thread traces of dispatches: where they go, and what they are of. */
#include "sim/hsa/sinks/att.h"

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/device.h"

void att_add(struct dispatch *d)
{
    struct gcnsim_att *att = &d->watch->att;
    const struct exec_options *o = &rt_any()->options;

    if (!o->att)
        return;
    gcnsim_att_init(att);
    att->folder = o->att;
    att->agent = d->kernel->in->agent->index;
    att->dispatch = d->number;
    att->all_units = o->att_cus == EXEC_ATT_ALL;
    d->raw.att = att;
}

/* Public API: what a launch is asked for, checked and put to the engines. */
#include "sim/api/run_options.h"

#include "sim/launch/launch.h"

static int tell_progress(void *ctx, const struct engine_progress *p)
{
    const struct api_run_options *to = &((const struct api_engine_parts *)ctx)->asked;
    const struct gcnsim_progress facts = {.struct_bytes = sizeof facts,
                                          .workgroups_total = p->groups,
                                          .workgroups_done = p->groups_done,
                                          .workgroups_running = p->groups_running,
                                          .cycles = p->cycles,
                                          .instructions = p->instructions,
                                          .loop_address = p->loop_pc,
                                          .loop_left = p->loop_left};
    int stop = to->progress ? to->progress(to->progress_ctx, p->groups_done, p->groups) : 0;

    return to->progress_facts ? to->progress_facts(to->progress_facts_ctx, &facts) | stop : stop;
}

static bool is_sampled(const struct api_run_options *o)
{
    return o->sample_workgroups || o->sample_loops;
}

struct engine_options api_engine_options(const struct api_run_options *asked, struct api_engine_parts *parts)
{
    _Static_assert((int)GCNSIM_FENCE_NONE == MEM_FENCE_NONE && (int)GCNSIM_FENCE_SYSTEM == MEM_FENCE_SYSTEM,
                   "gcnsim_fence mirrors mem_fence");
    *parts = (struct api_engine_parts){*asked,
                                       {asked->sample_workgroups, asked->sample_loops != 0, asked->sample_skip != 0}};
    return (struct engine_options){.threads = asked->threads,
                                   .max_cycles = asked->max_cycles,
                                   .max_instructions = asked->max_instructions,
                                   .progress = asked->progress || asked->progress_facts ? tell_progress : NULL,
                                   .progress_ctx = parts,
                                   .abort_flag = asked->abort_flag,
                                   .snapshot_flag = asked->snapshot_flag,
                                   .tick_every_cycle = asked->tick_every_cycle,
                                   .samples = asked->samples,
                                   .perfect_memory = asked->perfect_memory,
                                   .per_inst = asked->per_instruction,
                                   .visits = asked->visits,
                                   .tally = true,
                                   .lds_races = !asked->ignore_lds_races,
                                   .acquire = (enum mem_fence)asked->acquire,
                                   .release = (enum mem_fence)asked->release,
                                   .sampling = is_sampled(asked) ? &parts->sampling : NULL};
}

/* That sampling goes with what else is asked for. */
static int check_sampling(const struct api_run_options *o, bool traces, struct err *e)
{
    const char *other = o->check                       ? "check"
                        : traces                       ? "traces"
                        : o->att                       ? "att"
                        : o->timeline                  ? "timeline"
                        : o->samples                   ? "samples"
                        : o->per_instruction           ? "per_instruction"
                        : o->visits && o->sample_loops ? "visits"
                        : o->max_instructions          ? "max_instructions"
                                                       : NULL;

    if (!o->sample_workgroups && o->sample_skip)
        return err_set(e, ERR_USAGE, "sample_skip without sample_workgroups");
    if (!is_sampled(o))
        return 0;
    if (o->engine != GCNSIM_ENGINE_TIMING)
        return err_set(e, ERR_USAGE, "sampling estimates cycles, which the functional engine does not count");
    if (other)
        return err_set(e, ERR_USAGE, "sampling does not simulate each workgroup; expected no %s beside it", other);
    if (o->sample_skip && !o->cold)
        return err_set(e, ERR_USAGE, "sample_skip leaves no caches for another launch to find; expected a cold launch");
    return 0;
}

int api_check_run(const struct api_run_options *asked, bool traces, struct err *e)
{
    if ((unsigned)asked->acquire >= MEM_FENCES || (unsigned)asked->release >= MEM_FENCES)
        return err_set(e, ERR_USAGE, "fences %d, %d; expected GCNSIM_FENCE_NONE, _AGENT or _SYSTEM",
                       (int)asked->acquire, (int)asked->release);
    return check_sampling(asked, traces, e);
}

int api_check_sampled(const struct api_run_options *asked, const struct launch *l, struct err *e)
{
    if (is_sampled(asked) && l->clusters)
        return err_set(e, ERR_USAGE,
                       "sampling does not simulate each workgroup; expected no clusters, which wait for theirs");
    return 0;
}

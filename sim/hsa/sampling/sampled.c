/* What a sampler goes by, out of launches and their results. */
#include "sim/hsa/sampling/sampled.h"

#include <string.h>

static struct sample_work work_of(const struct gcnsim_raw *raw, const struct gcnsim_result *r)
{
    struct sample_work w = {.entry = raw->entry};

    w.visit = gcnsim_result_visits(r, &w.visits);
    gcnsim_result_stat(r, "instructions.total", &w.instructions);
    return w;
}

static bool has_clusters(const struct gcnsim_raw *raw)
{
    return raw->cluster_size[0] | raw->cluster_size[1] | raw->cluster_size[2];
}

enum sample_mode sampled_begin(struct sampled *s, struct sampler *sampler, struct gcnsim_raw *raw, bool alone,
                               uint64_t workgroups, struct dispatch_sample *out)
{
    struct sample_key key = {
        .kernel = raw->kernel_name, .lds_bytes = raw->lds_bytes, .scratch_bytes = raw->scratch_bytes_per_lane};

    memcpy(key.grid, raw->grid_size, sizeof key.grid);
    memcpy(key.workgroup, raw->workgroup_size, sizeof key.workgroup);
    s->sampler = sampler;
    s->class = sampler_begin(sampler, &key, alone, &s->mode);
    raw->visits = s->class != NULL;
    if (alone && s->mode == SAMPLE_TIME && !has_clusters(raw))
        raw->sample_workgroups = workgroups;
    *out = (struct dispatch_sample){.sampled = true, .timed = s->mode == SAMPLE_TIME, .warmed = s->mode == SAMPLE_WARM};
    return s->mode;
}

void sampled_timed(const struct sampled *s, const struct gcnsim_raw *raw, const struct gcnsim_result *result,
                   struct dispatch_sample *out)
{
    const struct gcnsim_estimate *estimate = result ? gcnsim_result_estimate(result) : NULL;
    double cycles, half = 0;

    if (!s->class)
        return;
    if (estimate && estimate->kind == GCNSIM_ESTIMATE_MADE) {
        half = (estimate->cycles_high - estimate->cycles_low) / 2;
        out->in_part = true;
    }
    if (!result || result->outcome != GCNSIM_COMPLETED || gcnsim_result_stat(result, "cycles", &cycles) != GCNSIM_OK) {
        sampled_lost(s);
    } else {
        const struct sample_work work = work_of(raw, result);
        out->cluster = sampler_timed(s->sampler, s->class, &work, cycles, half);
    }
}

void sampled_executed(const struct sampled *s, const struct gcnsim_raw *raw, const struct gcnsim_result *result,
                      struct dispatch_sample *out)
{
    const struct sample_work work = work_of(raw, result);

    out->cycles = 0;
    if (result->outcome == GCNSIM_COMPLETED)
        out->cluster = sampler_executed(s->sampler, s->class, s->mode, &work, &out->cycles);
    else
        sampled_lost(s);
}

void sampled_lost(const struct sampled *s)
{
    sampler_lost(s->sampler, s->class, s->mode);
}

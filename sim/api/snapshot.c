/* Public API: snapshots of running launches and of those that ended early. */
#include "sim/api/api.h"

#include "sim/engine/snapshot.h"

/* The public struct comes first, so that a pointer to it is a pointer to this. */
struct public_snapshot {
    struct gcnsim_snapshot pub;
    const struct report_snapshot *report;
};

static void make_row(const struct report_snapshot_row *from, struct gcnsim_snapshot_row *to)
{
    *to = (struct gcnsim_snapshot_row){.waves = from->waves,
                                       .workgroups = from->workgroups,
                                       .pc = from->pc,
                                       .pc_offset = from->pc_offset,
                                       .instruction = from->instruction,
                                       .source = from->source,
                                       .reason = from->reason,
                                       .since = from->since,
                                       .waits_for = from->waits_for,
                                       .workgroup = {from->workgroup[0], from->workgroup[1], from->workgroup[2]},
                                       .wave = from->wave,
                                       .counter = from->counter,
                                       .counter_value = from->counter_value,
                                       .counter_bound = from->counter_bound,
                                       .oldest_pc = from->oldest_pc,
                                       .oldest_offset = from->oldest_offset,
                                       .oldest_instruction = from->oldest_instruction,
                                       .oldest_accesses = from->oldest_accesses,
                                       .oldest_queued = from->oldest_queued,
                                       .oldest_level = from->oldest_level,
                                       .has_barrier = from->has_barrier,
                                       .barrier = from->barrier,
                                       .arrived = from->arrived,
                                       .members = from->members,
                                       .ended = from->ended,
                                       .missing = from->missing,
                                       .missing_count = from->missing_count,
                                       .has_memory = from->has_memory,
                                       .address = from->address,
                                       .value = from->value,
                                       .bytes = from->bytes};
}

const struct gcnsim_snapshot *api_snapshot(struct report_snapshot *s)
{
    struct public_snapshot *p = ARENA_NEW(&s->arena, 1, struct public_snapshot);
    struct gcnsim_snapshot_row *rows = ARENA_NEW(&s->arena, s->rows + 1, struct gcnsim_snapshot_row);

    if (!p || !rows)
        return NULL;
    for (size_t k = 0; k < s->rows; k++)
        make_row(&s->row[k], &rows[k]);
    p->report = s;
    p->pub = (struct gcnsim_snapshot){.struct_bytes = sizeof p->pub,
                                      .engine = s->timing ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL,
                                      .cycle = s->cycle,
                                      .instructions = s->instructions,
                                      .workgroups = s->groups,
                                      .workgroups_done = s->groups_done,
                                      .workgroups_resident = s->groups_resident,
                                      .workgroups_not_started = s->groups_waiting,
                                      .waves_resident = s->waves_resident,
                                      .rows = rows,
                                      .row_count = s->rows};
    return &p->pub;
}

void api_take_snapshot(void *ctx, const struct snapshot *s)
{
    struct api_snapshots *a = ctx;

    if (!s->last && !a->fn)
        return;
    struct report_snapshot *made = report_snapshot_make(a->l, s, a->run);
    if (s->last) {
        a->last = made;
        return;
    }
    const struct gcnsim_snapshot *p = made ? api_snapshot(made) : NULL;
    if (p)
        a->fn(a->ctx, p);
    report_snapshot_free(made);
}

static const struct report_snapshot *report_of(const struct gcnsim_snapshot *snapshot)
{
    return ((const struct public_snapshot *)snapshot)->report;
}

static void write_json(FILE *f, const void *snapshot)
{
    report_snapshot_json(&(struct json_put){.f = f}, snapshot);
    fputc('\n', f);
}

int gcnsim_snapshot_text(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error)
{
    return api_text(report_render_plain(report_write_snapshot, report_of(snapshot)), "snapshot", text, error);
}

int gcnsim_snapshot_json(const struct gcnsim_snapshot *snapshot, char **text, struct gcnsim_error *error)
{
    return api_text(report_render(write_json, report_of(snapshot)), "snapshot", text, error);
}

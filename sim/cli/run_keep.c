/* Which results of a run's launches are kept in full: those that are read when all are done.
 *
 * --json and --csv statistics read all of them. Without these it is the last one, one that did not complete, and of
 * each launch in the list the steady one: that with the median cycles, the first of equal ones, or without cycles the
 * last. Which cycles are the median nobody knows before the end, so the first launch with each number of cycles is
 * kept; warm launches that are alike take few different ones. A row of the table is left of all others. */
#include "sim/cli/run.h"

#include <inttypes.h>
#include <stdlib.h>

static bool reads_all(const struct run_options *o)
{
    return o->json || o->csv[CSV_STATISTICS];
}

static void shrink(struct run *r, size_t k)
{
    struct gcnsim_result *result = (struct gcnsim_result *)r->ended[k].result;

    r->ended_bytes -= gcnsim_result_bytes(result);
    r->ended[k].result = result = gcnsim_result_shrink(result);
    r->ended_bytes += gcnsim_result_bytes(result);
}

/* Whether launch k, the newest, may be a steady one as far as anybody knows. */
static bool may_be_steady(struct run *r, size_t k)
{
    struct step *s = &r->step[r->ended[k].launch];
    double cycles = -1;

    if (r->failed)
        return true;
    if (gcnsim_result_stat(r->ended[k].result, "cycles", &cycles) != GCNSIM_OK) {
        if (s->kept_count)
            shrink(r, s->kept[0].item);
        s->kept_count = 0;
    }
    for (size_t n = 0; n < s->kept_count; n++)
        if (s->kept[n].cycles == cycles)
            return false;
    if (s->kept_count == s->kept_room) {
        size_t room = s->kept_room ? 2 * s->kept_room : 8;
        struct kept *more = realloc(s->kept, room * sizeof *more);

        if (!more)
            return true; /* it is not found again, and stays */
        s->kept = more;
        s->kept_room = room;
    }
    s->kept[s->kept_count++] = (struct kept){cycles, k};
    return true;
}

int run_keep_result(struct run *r, const struct run_options *o, const struct gcnsim_sequence_item *item)
{
    struct gcnsim_memory memory;
    bool all = reads_all(o);

    r->failed = item->result->outcome != GCNSIM_COMPLETED;
    if (item->warmup && !r->failed) {
        gcnsim_result_free((struct gcnsim_result *)item->result);
        return CLI_OK;
    }
    r->ended[r->report.count++] = *item;
    r->ended_bytes += gcnsim_result_bytes(item->result);
    bool stays = all || may_be_steady(r, r->report.count - 1);
    if (r->last_goes)
        shrink(r, r->report.count - 2);
    r->last_goes = !stays;
    gcnsim_get_memory(r->sim, &memory);
    if (memory.limit_bytes - memory.held_bytes >= r->ended_bytes)
        return CLI_OK;
    return cli_error("reports of %zu launches: %" PRIu64 " bytes, beside %" PRIu64
                     " of the simulator, pass the memory limit of %" PRIu64
                     " bytes; expected fewer launches%s, or --max-memory above it",
                     r->report.count, r->ended_bytes, memory.held_bytes, memory.limit_bytes,
                     all ? ", no --json and no --csv statistics, which need each" : "");
}

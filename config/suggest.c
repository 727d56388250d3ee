/* Suggestions for names that do not exist: the nearest profile key or profile name by edit distance, and the new name
 * of a key that has been renamed. */
#include "config/rows.h"

#include <stdio.h>
#include <string.h>

#include "sim/util/nearest.h"

static const struct {
    const char *old, *now;
} renamed[] = {
    {"issue.vmem_per_visit", "issue.vmem_per_cycle"},
    {"issue.salu_per_visit", "issue.salu_per_cycle"},
    {"issue.lds_per_visit", "issue.lds_per_cycle"},
    {"issue.internal_per_visit", "issue.internal_per_cycle"},
    {"queue.salu_keep_cycles", "queue.salu_release_cycles"},
    {"queue.vmem_turn_entries", "queue.vmem_burst_registers"},
    {"queue.vmem_burst_entries", "queue.vmem_burst_registers"},
    {"cache.i.hit_latency_cycles", "frontend.fetch_latency_cycles"},
    {"gpu.memory_bandwidth_gbps", "dram.bytes_per_cycle"},
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static const char *last_part(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot + 1 : path;
}

/* How far a path is from what was written. A unit that was left out, or a group that was left out or mistaken, costs
 * little. */
static unsigned path_distance(const char *wanted, const char *path)
{
    size_t n = strlen(wanted);

    if (n >= 4 && !strncmp(wanted, path, n))
        return 1;
    return least(nearest_distance(wanted, path), nearest_distance(last_part(wanted), last_part(path)) + 2);
}

const char *profile_suggest_row(const char *wanted, bool figures_only)
{
    const struct profile_row *best = NULL;
    unsigned best_distance = 0;

    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        unsigned d;

        if (figures_only && row->type <= ROW_FLAG)
            continue;
        d = path_distance(wanted, row->path);
        if (!best || d < best_distance) {
            best = row;
            best_distance = d;
        }
    }
    return best && nearest_is_near(wanted, best->path, best_distance) ? best->path : NULL;
}

const char *profile_hint(const char *wanted, bool figures_only, char hint[PROFILE_HINT])
{
    const char *near;

    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (!strcmp(renamed[i].old, wanted)) {
            snprintf(hint, PROFILE_HINT, " (renamed; did you mean %s?)", renamed[i].now);
            return hint;
        }
    near = profile_suggest_row(wanted, figures_only);
    if (near)
        snprintf(hint, PROFILE_HINT, " (did you mean %s?)", near);
    else
        hint[0] = 0;
    return hint;
}

static size_t common_prefix(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* Among names at one distance, the one that begins as the wanted one does: generations are read from the left. */
static bool nearer(const char *wanted, const char *name, unsigned distance, const char *best, unsigned best_distance)
{
    if (!best || distance != best_distance)
        return !best || distance < best_distance;
    return common_prefix(wanted, name) > common_prefix(wanted, best);
}

const char *profile_suggest_name(const char *wanted, const struct profile_entry *list, size_t count)
{
    const char *best = NULL;
    unsigned best_distance = 0;

    for (size_t i = 0; i < count; i++) {
        const char *dash = strchr(list[i].name, '-');
        /* "mi300x" alone is the next best thing to "gfx942-mi300x" */
        unsigned d = least(nearest_distance(wanted, list[i].name),
                           dash ? nearest_distance(wanted, dash + 1) + 1 : NEAREST_MAX_NAME);

        if (nearer(wanted, list[i].name, d, best, best_distance)) {
            best = list[i].name;
            best_distance = d;
        }
        d = nearest_distance(wanted, list[i].target);
        if (list[i].is_default_for_target && nearer(wanted, list[i].target, d, best, best_distance)) {
            best = list[i].target;
            best_distance = d;
        }
    }
    return best && nearest_is_near(wanted, best, best_distance) ? best : NULL;
}

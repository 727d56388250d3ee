/* Numbers of waves by state over time: changes, and the step function they add up to. */
#include "traces/att/states.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/util/json_put.h"

static int by_cycle(const void *a, const void *b)
{
    const struct att_change *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

/* In order, one for each cycle. */
static void add_up(struct att_steps *s)
{
    size_t n = 0;

    if (s->count)
        qsort(s->at, s->count, sizeof *s->at, by_cycle);
    for (size_t k = 0; k < s->count; k++) {
        if (n && s->at[n - 1].at == s->at[k].at)
            s->at[n - 1].by += s->at[k].by;
        else
            s->at[n++] = s->at[k];
    }
    s->count = n;
}

/* Room for one more: first by adding up, and more where that leaves half of it filled. */
static bool room(struct att_steps *s)
{
    if (s->count < s->room)
        return true;
    if (s->room >= 4096)
        add_up(s);
    if (s->count < s->room / 2)
        return true;
    size_t more = s->room ? s->room * 2 : 256;
    struct att_change *grown = realloc(s->at, more * sizeof *grown);

    if (grown) {
        s->at = grown;
        s->room = more;
    }
    return s->count < s->room;
}

static void add(struct att_steps *s, cycle_t at, int64_t by)
{
    if (room(s))
        s->at[s->count++] = (struct att_change){at, by};
    else
        s->no_memory = true;
}

void att_steps_add(struct att_steps *s, cycle_t from, cycle_t to)
{
    add(s, from, 1);
    add(s, to, -1);
}

void att_steps_json(FILE *f, struct att_steps *s, unsigned state)
{
    struct json_put j = {.f = f, .compact = true};
    int64_t waves = 0;
    char name[32];

    add_up(s);
    json_put(&j, "{time: [");
    for (size_t k = 0; k < s->count; k++)
        json_put(&j, "%" PRIu64, s->at[k].at);
    json_put(&j, "],\nstate: [");
    for (size_t k = 0; k < s->count; k++)
        json_put(&j, "%" PRId64, waves += s->at[k].by);
    snprintf(name, sizeof name, "wstates%u.json", state);
    json_put(&j, "],\nname: %s}\n", name);
}

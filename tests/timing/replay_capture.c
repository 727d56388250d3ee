/* The dispatches of a capture, whose files bear its name: gfx1100-E_3-7f7673.plus_run_0.json is of capture plus_run_0.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

/* Whether two files are of one capture on one target. */
static bool is_of_capture(const char *a, const char *b)
{
    const char *x = strchr(a, '.'), *y = strchr(b, '.');
    size_t target = strcspn(a, "-") + 1;

    return x && y && !strcmp(x, y) && strcmp(a, b) != 0 && !strncmp(a, b, target);
}

/* A runtime hands out kernel arguments from one piece of memory, in the order of the dispatches. */
static void insert(struct replay_before *b, struct trace *t)
{
    size_t n = b->count++;

    for (; n && b->trace[n - 1]->kernarg > t->kernarg; n--)
        b->trace[n] = b->trace[n - 1];
    b->trace[n] = t;
}

void replay_before_open(struct replay_before *b, const struct trace *t, const char *folder, const char *name,
                        char *const *names, size_t count)
{
    b->count = 0;
    for (size_t k = 0; k < count && t->kernarg; k++) {
        struct err e = {0};
        struct trace *other;
        char path[4096];

        if (!is_of_capture(name, names[k]))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        other = replay_trace_open(path, &e);
        if (other && other->kernarg && other->kernarg < t->kernarg && b->count < REPLAY_MAX_BEFORE)
            insert(b, other);
        else
            trace_free(other);
    }
}

void replay_before_close(struct replay_before *b)
{
    for (size_t k = 0; k < b->count; k++)
        trace_free(b->trace[k]);
    b->count = 0;
}

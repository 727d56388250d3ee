/* The code objects that lie in memory, as the checks of a launch want them: kernels reach them all. */
#include "sim/hsa/code/placed.h"

#include <stdlib.h>

#include "sim/hsa/code/executable.h"

/* Adds those of one executable; false: out of host memory. */
static bool add(struct placed *p, struct executable *x)
{
    bool room = true;

    pthread_mutex_lock(&x->lock);
    size_t most = p->count + x->loaded_count;
    struct gcnsim_placed_code *at = realloc(p->at, (most + 1) * sizeof *at);
    struct loaded **held = realloc(p->held, (most + 1) * sizeof *held);
    p->at = at ? at : p->at;
    p->held = held ? held : p->held;
    room = at && held;
    for (uint32_t k = 0; room && k < x->loaded_count; k++) {
        struct loaded *l = x->loaded[k];

        __atomic_add_fetch(&l->references, 1, __ATOMIC_RELAXED);
        p->at[p->count] = (struct gcnsim_placed_code){sizeof *p->at, l->code, l->base};
        p->held[p->count++] = l;
    }
    pthread_mutex_unlock(&x->lock);
    return room;
}

bool placed_hold(struct placed *out)
{
    size_t n;
    struct object **all = handle_all(OBJECT_EXECUTABLE, &n);
    bool room = all != NULL;

    *out = (struct placed){0};
    for (size_t k = 0; k < n; k++) {
        room = room && add(out, (struct executable *)all[k]);
        object_release(all[k]);
    }
    free(all);
    if (!room)
        placed_release(out);
    return room;
}

void placed_release(struct placed *p)
{
    for (size_t k = 0; k < p->count; k++)
        loaded_release(p->held[k]);
    free(p->at);
    free(p->held);
    *p = (struct placed){0};
}

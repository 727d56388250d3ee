/* The account of a simulator's memory. */
#include "sim/util/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void budget_init(struct budget *b, uint64_t limit)
{
    b->limit = limit;
    atomic_init(&b->held, 0);
    atomic_init(&b->peak, 0);
    atomic_init(&b->refused, 0);
    atomic_init(&b->held_refused, 0);
}

bool budget_take(struct budget *b, uint64_t bytes)
{
    if (!b)
        return true;
    uint64_t held = atomic_load_explicit(&b->held, memory_order_relaxed);
    do {
        if (held > b->limit || bytes > b->limit - held) {
            atomic_store(&b->held_refused, held);
            atomic_store(&b->refused, bytes ? bytes : 1);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&b->held, &held, held + bytes));
    uint64_t now = held + bytes, peak = atomic_load_explicit(&b->peak, memory_order_relaxed);
    while (peak < now && !atomic_compare_exchange_weak(&b->peak, &peak, now))
        ;
    return true;
}

void budget_give(struct budget *b, uint64_t bytes)
{
    if (b)
        atomic_fetch_sub(&b->held, bytes);
}

void budget_forget(struct budget *b)
{
    if (b)
        atomic_store(&b->refused, 0);
}

int budget_explain(struct budget *b, struct err *e)
{
    uint64_t refused = b ? atomic_exchange(&b->refused, 0) : 0;
    char tail[200];

    if (!refused || e->code != ERR_NOMEM)
        return -1;
    e->code = ERR_LIMIT;
    int n = snprintf(tail, sizeof tail,
                     ": %" PRIu64 " bytes more pass the memory limit of %" PRIu64 " bytes, of which %" PRIu64
                     " are taken; --max-memory (gcnsim_set_max_memory) raises it",
                     refused, b->limit, atomic_load(&b->held_refused));
    size_t at = strlen(e->text), room = sizeof e->text - (size_t)n - 1;
    if (at > room) /* the numbers stay whole */
        at = room;
    memcpy(e->text + at, tail, (size_t)n + 1);
    return -1;
}

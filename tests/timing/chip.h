/* The memory of a built-in profile, without compute units. */
#ifndef GCNSIM_TESTS_TIMING_CHIP_H
#define GCNSIM_TESTS_TIMING_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine/timing/memory/from_profile.h"

struct chip {
    struct profile *p;
    struct isa_target *t;
    struct mem_space space;
    struct hierarchy *h;
    cycle_t now;
};

static inline void open_chip(struct chip *c, const char *name, const char *const *set, size_t sets)
{
    struct timing_mem_shape shape;
    struct err e = {0};

    memset(c, 0, sizeof *c);
    if (profile_load(&c->p, name, &e) || profile_set_all(c->p, sets, set, &e))
        fail_msg("%s", e.text);
    if (isa_target_open(&c->t, c->p->target, NULL, &e))
        fail_msg("%s", e.text);
    c->p->tlb.utcl1_entries = 0; /* translation is another matter */
    c->p->dram.row_hit_saves_cycles = 0;
    c->p->dram.refresh_ns = 0; /* tests/unit/mem/test_dram.c */
    mem_space_init(&c->space);
    c->h = timing_mem_new(c->p, c->t, &c->space, c->p->gpu.cus, &(struct hierarchy_watch){0}, &shape, &e);
    if (!c->h)
        fail_msg("%s", e.text);
    c->now = 1000;
}

static inline void close_chip(struct chip *c)
{
    hierarchy_free(c->h);
    mem_space_destroy(&c->space);
    isa_target_close(c->t);
    profile_free(c->p);
}

#endif

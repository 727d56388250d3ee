/* In which order the ways of a set are taken, and which lines are found, beside a plain list. */
#include "mem/cache/internal.h"
#include "tests/unit/mem/cache_rig.h"

enum { MAX_WAYS = 256, STEPS = 4000 };

/* A set: its ways, the next to go first, and the line each holds; 0: none. */
struct list {
    uint32_t ways, way[MAX_WAYS];
    uint64_t line[MAX_WAYS];
};

/* Below n; the upper half of a linear congruence. */
static uint32_t below(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % n);
}

static uint32_t place_of(const struct list *l, uint32_t way)
{
    uint32_t k = 0;

    while (l->way[k] != way)
        k++;
    return k;
}

static void put(struct list *l, uint32_t way, uint32_t to)
{
    uint32_t from = place_of(l, way);

    memmove(l->way + from, l->way + from + 1, (l->ways - from - 1) * sizeof l->way[0]);
    memmove(l->way + to + 1, l->way + to, (l->ways - to - 1) * sizeof l->way[0]);
    l->way[to] = way;
}

static uint32_t invalid_ways(const struct list *l)
{
    uint32_t n = 0;

    for (uint32_t w = 0; w < l->ways; w++)
        n += !l->line[w];
    return n;
}

static void install(struct cache *c, struct list *l, uint64_t line, bool stream)
{
    uint32_t way = l->way[0];
    struct cache_victim victim;
    bool taken = l->line[way], dirty = c->way[way].dirty;
    uint64_t at;

    assert_int_equal(cache_install(c, c->channel, 0, line, stream, (struct mem_hint){0}, &at, &victim, 0), dirty);
    assert_int_equal(at, way);
    if (dirty)
        assert_int_equal(victim.addr, l->line[way] * c->cfg.line_bytes);
    l->line[way] = line;
    if (!stream)
        put(l, way, l->ways - 1);
    else if (!taken)
        put(l, way, invalid_ways(l));
}

static void check_lines(const struct cache *c, const struct list *l, uint64_t lines)
{
    for (uint64_t line = 1; line <= lines; line++) {
        uint64_t way = CACHE_NO_WAY;

        for (uint32_t w = 0; w < l->ways; w++)
            if (l->line[w] == line)
                way = w;
        assert_int_equal(cache_find(c, 0, line), way);
    }
}

/* All but dirty lines go; of the ways they leave the one with the lowest number is taken first. */
static void drop_clean(struct cache *c, struct list *l)
{
    cache_invalidate_clean(c);
    for (uint32_t w = l->ways; w-- > 0;)
        if (l->line[w] && !c->way[w].dirty) {
            l->line[w] = 0;
            put(l, w, 0);
        }
}

static void one_set(uint32_t ways)
{
    struct cache_config cfg = small_back();
    struct list l = {.ways = ways};
    uint64_t state = ways, lines = 2 * ways + 3;
    struct arena arena;
    struct err err;
    struct cache *c;

    cfg.ways = ways;
    cfg.size_bytes = (uint64_t)ways * cfg.line_bytes;
    arena_init(&arena, 0);
    c = cache_new(&cfg, NULL, (struct mem_port){0}, 0, (struct mem_sink){0}, &arena, &err);
    assert_non_null(c);
    for (uint32_t w = 0; w < ways; w++)
        l.way[w] = w;
    for (int n = 0; n < STEPS; n++) {
        uint64_t line = below(&state, lines) + 1, at = cache_find(c, 0, line);

        if (below(&state, 300) == 0) {
            drop_clean(c, &l);
        } else if (at == CACHE_NO_WAY) {
            install(c, &l, line, below(&state, 3) == 0);
        } else if (below(&state, 4) == 0) {
            cache_invalidate_line(c, c->channel, at);
            l.line[at] = 0;
            put(&l, (uint32_t)at, 0);
        } else {
            if (below(&state, 3) == 0)
                cache_set_dirty(c, c->channel, at);
            cache_touch(c, 0, at);
            put(&l, (uint32_t)at, ways - 1);
        }
        check_lines(c, &l, n % 64 ? 0 : lines);
    }
    arena_free(&arena);
}

static void ways_are_taken_in_order(void **state)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 8, 15, 16, 17, 64, 256};

    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        one_set(ways[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_are_taken_in_order)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

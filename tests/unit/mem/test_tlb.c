/* Pages of allocations, translation caches and page walks: by themselves, and in a hierarchy. */
#include "tests/unit/mem/hierarchy_rig.h"

#include "mem/hierarchy/tlb.h"

enum { PAGE = 1 << 16, READ = 100, WAYS = 16 };

#define LINE_BYTES  ((gaddr_t)TLB_LINE_PAGES * PAGE)
#define TABLE_BYTES (LINE_BYTES * TLB_TABLE_PAGES)

/* Two small buffers and an allocation of another kind in the same page of the address space, and large ones. */
static bool find(void *ctx, gaddr_t addr, struct tlb_block *out)
{
    static const struct tlb_block block[] = {
        {0x10000, 0x10400, 0, true, false},        {0x12000, 0x12400, 0, true, false},
        {0x14000, 0x14400, 2, false, true},        {0x101000, 0x101000 + 40 * PAGE, 0, true, false},
        {1ull << 40, 1ull << 44, 1, false, false},
    };

    (void)ctx;
    for (size_t k = 0; k < sizeof block / sizeof block[0]; k++)
        if (addr >= block[k].lo && addr < block[k].hi) {
            *out = block[k];
            return true;
        }
    return false;
}

static struct tlb_config config(void)
{
    return (struct tlb_config){.page_bytes = PAGE,
                               .entries = 2,
                               .miss_cycles = 50,
                               .utcl2_entries = 4 * WAYS,
                               .utcl2_ways = WAYS,
                               .walk_levels = 2,
                               .read_cycles = READ,
                               .walkers = 2,
                               .copies_translated = true,
                               .neighbour_bytes = 0x400,
                               .find = find};
}

static struct utcl2 make_utcl2(const struct tlb_config *cfg, struct arena *arena)
{
    struct utcl2 t;

    arena_init(arena, 1 << 16);
    assert_true(utcl2_init(&t, cfg, arena));
    return t;
}

#define BIG (UINT64_C(1) << 40)

/* Asked long after the time before. */
static bool known(struct utcl1 *t, gaddr_t addr)
{
    struct tlb_config cfg = config();
    cycle_t at;

    return !utcl1_lookup(t, &cfg, addr, 1000 * (t->clock + 1), &at);
}

static void pages_are_those_of_allocations(void **state)
{
    struct arena arena;
    struct utcl1 t;

    (void)state;
    arena_init(&arena, 1 << 16);
    assert_true(utcl1_init(&t, 2, &arena));
    assert_false(known(&t, 0x10000));
    assert_true(known(&t, 0x103ff));
    assert_false(known(&t, 0x12000)); /* another allocation: its own entry, of the same page of the UTCL2 */
    assert_true(known(&t, 0x10000));
    assert_false(known(&t, 0x14000)); /* takes the place of the second, which is older */
    assert_true(known(&t, 0x10010));
    assert_false(known(&t, 0x12000));
    /* pages of a large one begin where it begins */
    assert_false(known(&t, 0x101000 + PAGE - 4));
    assert_true(known(&t, 0x101000));
    assert_false(known(&t, 0x101000 + PAGE));
    /* where nobody knows of an allocation: pages of the address space */
    assert_false(known(&t, 0x900000));
    assert_true(known(&t, 0x90ffff));
    assert_false(known(&t, 0x910000));
    assert_int_equal(t.stats.lookups, 13);
    assert_int_equal(t.stats.misses, 8);
    arena_free(&arena);
}

static void answers_take_their_way(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl1 t;
    cycle_t at;

    (void)state;
    arena_init(&arena, 1 << 16);
    assert_true(utcl1_init(&t, 2, &arena));
    assert_true(utcl1_lookup(&t, &cfg, BIG, 100, &at));
    assert_int_equal(at, 150);
    assert_false(utcl1_lookup(&t, &cfg, BIG + 128, 149, &at)); /* nobody asks again, and the answer is the same */
    assert_int_equal(at, 150);
    assert_false(utcl1_lookup(&t, &cfg, BIG + 128, 160, &at));
    assert_int_equal(at, 160);
    assert_int_equal(t.stats.misses, 1);
    arena_free(&arena);
}

/* Two reads for what shares nothing, one with a table that is there, none in a line that is. */
static void walks_read_what_is_missing(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t = make_utcl2(&cfg, &arena);

    (void)state;
    assert_int_equal(utcl2_lookup(&t, BIG, false, 1000), 1000 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 5000), 5000);
    assert_int_equal(utcl2_lookup(&t, BIG + LINE_BYTES - 1, false, 5000), 5000);
    assert_int_equal(utcl2_lookup(&t, BIG + LINE_BYTES, false, 5000), 5000 + READ);
    assert_int_equal(utcl2_lookup(&t, BIG + TABLE_BYTES - 1, false, 6000), 6000 + READ);
    assert_int_equal(utcl2_lookup(&t, BIG + TABLE_BYTES, false, 7000), 7000 + 2 * READ);
    assert_int_equal(t.stats.walks, 4);
    assert_int_equal(t.stats.reads, 6);
    arena_free(&arena);

    cfg.walk_levels = 4;
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 0), 4 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG + TABLE_BYTES, false, 1000), 1000 + 2 * READ);
    arena_free(&arena);

    cfg.utcl2_entries = 0; /* has everything */
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 77), 77);
    assert_int_equal(utcl2_await(&t, BIG, 77), 77);
    utcl2_prefill(&t, BIG, TLB_KNOWN_PAGE);
    arena_free(&arena);
}

/* Who asks while a line is read waits for that read; so does who thinks to know the page, but no longer than that. */
static void walks_are_merged(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t = make_utcl2(&cfg, &arena);

    (void)state;
    assert_int_equal(utcl2_await(&t, BIG, 10), 10);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 10), 10 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG + PAGE, false, 10 + READ), 10 + 2 * READ);
    assert_int_equal(utcl2_await(&t, BIG, 10 + 2 * READ - 1), 10 + 2 * READ);
    assert_int_equal(utcl2_await(&t, BIG, 10 + 2 * READ), 10 + 2 * READ);
    assert_int_equal(utcl2_await(&t, BIG + LINE_BYTES, 10 + READ), 10 + READ); /* of a line nobody reads */
    assert_int_equal(t.stats.walks, 1);
    /* a walk under the same table waits for that read and then does its own */
    assert_int_equal(utcl2_lookup(&t, BIG + 5 * TABLE_BYTES, false, 1000), 1000 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG + 5 * TABLE_BYTES + LINE_BYTES, false, 1030), 1000 + READ + READ);
    assert_int_equal(t.stats.reads, 2 + 3);
    arena_free(&arena);
}

static void walkers_are_few(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t = make_utcl2(&cfg, &arena);

    (void)state;
    assert_int_equal(utcl2_lookup(&t, BIG, false, 0), 2 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG + TABLE_BYTES, false, 10), 10 + 2 * READ);
    /* both are taken until 2 * READ; from then on there is one */
    assert_int_equal(utcl2_lookup(&t, BIG + 2 * TABLE_BYTES, false, 20), 4 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG + 3 * TABLE_BYTES, false, 30), 10 + 4 * READ);
    arena_free(&arena);
}

static void lines_give_way(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t;

    (void)state;
    cfg.utcl2_entries = WAYS;
    cfg.walk_levels = 1;
    t = make_utcl2(&cfg, &arena);
    for (unsigned k = 0; k < WAYS; k++)
        utcl2_lookup(&t, BIG + k * LINE_BYTES, false, 1000 * k);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 100000), 100000);
    assert_int_equal(utcl2_lookup(&t, BIG + WAYS * LINE_BYTES, false, 100000), 100000 + READ);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 200000), 200000); /* used since */
    assert_int_equal(utcl2_lookup(&t, BIG + LINE_BYTES, false, 200000),
                     200000 + READ); /* the least recently used was evicted */
    arena_free(&arena);
}

/* As many lines as entries: all stay where a set holds them all; with one way each, some share a set and push one
 * another out. */
static void ways_of_the_utcl2(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t;

    (void)state;
    cfg.utcl2_entries = WAYS;
    cfg.walk_levels = 1;
    for (unsigned round = 0; round < 2; round++) {
        cfg.utcl2_ways = round ? 1 : WAYS;
        t = make_utcl2(&cfg, &arena);
        for (unsigned k = 0; k < 2 * WAYS; k++)
            utcl2_lookup(&t, BIG + k % WAYS * LINE_BYTES, false, 1000 * k);
        if (round)
            assert_true(t.stats.walks > WAYS);
        else
            assert_int_equal(t.stats.walks, WAYS);
        arena_free(&arena);
    }
}

/* Small allocations of one kind share a page, others do not; tables known beforehand save their reads. */
static void kinds_and_tables(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t;

    (void)state;
    cfg.copies_translated = false;
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, 0x10000, false, 0), 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x12000, false, 1000), 1000);
    assert_int_equal(utcl2_lookup(&t, 0x14000, false, 1000), 1000 + 2 * READ);
    utcl2_prefill(&t, BIG, TLB_KNOWN_TABLES);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 2000), 2000 + READ);
    utcl2_prefill(&t, BIG + 2 * TABLE_BYTES, TLB_KNOWN_PAGE);
    assert_int_equal(utcl2_lookup(&t, BIG + 2 * TABLE_BYTES, false, 3000), 3000);
    arena_free(&arena);

    cfg.neighbour_bytes = 0x3ff; /* of buffers each has its own */
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, 0x10000, false, 0), 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x103ff, false, 1000), 1000);
    assert_int_equal(utcl2_lookup(&t, 0x12000, false, 1000), 1000 + 2 * READ);
    arena_free(&arena);
}

/* The IOMMU translates a page of the host's memory once, before the walk. */
static void pages_of_the_host(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t;

    (void)state;
    cfg.host_cycles = 700;
    cfg.copies_translated = false;
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 0), 700 + 2 * READ);
    assert_int_equal(utcl2_await(&t, 0x14000, 700 + 2 * READ - 1), 700 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x143ff, true, 1000), 1000);
    assert_int_equal(utcl2_lookup(&t, 0x10000, false, 1000), 1000 + 2 * READ); /* of the device */
    arena_free(&arena);

    t = make_utcl2(&cfg, &arena);
    utcl2_prefill(&t, 0x14000, TLB_KNOWN_HOST);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 0), 2 * READ);
    arena_free(&arena);

    t = make_utcl2(&cfg, &arena);
    utcl2_prefill(&t, 0x14000, TLB_KNOWN_TABLES);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 0), READ);
    arena_free(&arena);
}

/* A driver that has mapped memory invalidates the chip's translations, not those of the host's IOMMU. */
static void invalidated(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl1 near;
    struct utcl2 t;
    cycle_t at;

    (void)state;
    cfg.host_cycles = 700;
    cfg.copies_translated = false;
    t = make_utcl2(&cfg, &arena);
    assert_true(utcl1_init(&near, 2, &arena));
    assert_int_equal(utcl2_lookup(&t, BIG, false, 0), 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 5000), 5000 + 700 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 10000), 10000);
    assert_true(utcl1_lookup(&near, &cfg, BIG, 10000, &at));
    assert_false(utcl1_lookup(&near, &cfg, BIG, 10000, &at));
    utcl1_forget(&near);
    utcl2_forget(&t);
    assert_true(utcl1_lookup(&near, &cfg, BIG, 20000, &at));
    assert_int_equal(at, 20050);
    assert_int_equal(utcl2_lookup(&t, BIG, false, 20000), 20000 + 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 30000), 30000 + 2 * READ);
    arena_free(&arena);
}

/* Lines of translations of small buffers that lie side by side hold some that a copy has filled. */
static void copied_neighbours(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t = make_utcl2(&cfg, &arena);

    (void)state;
    assert_int_equal(utcl2_lookup(&t, 0x12000, false, 7), 7);
    assert_int_equal(utcl2_lookup(&t, 0x10000, false, 8), 8);
    assert_int_equal(utcl2_lookup(&t, 0x101000, false, 0), 2 * READ); /* larger */
    arena_free(&arena);
    cfg.neighbour_bytes = 0x3ff;
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, 0x12000, false, 7), 7 + 2 * READ);
    arena_free(&arena);
}

/* Loads hit the pages that a copy has filled, while ways are free for them; stores do not. */
static void copied_pages(void **state)
{
    struct tlb_config cfg = config();
    struct arena arena;
    struct utcl2 t = make_utcl2(&cfg, &arena);

    (void)state;
    assert_int_equal(utcl2_lookup(&t, 0x10000, true, 0), 0);
    assert_int_equal(utcl2_lookup(&t, 0x12000, false, 0), 0); /* the same page */
    assert_int_equal(utcl2_lookup(&t, 0x101000, false, 0), 2 * READ);
    assert_int_equal(utcl2_lookup(&t, 0x101000 + LINE_BYTES, true, 1000), 1000);
    assert_int_equal(utcl2_lookup(&t, 0x14000, true, 1000), 1000 + 2 * READ); /* nobody copied there */
    arena_free(&arena);

    cfg.copies_translated = false;
    t = make_utcl2(&cfg, &arena);
    assert_int_equal(utcl2_lookup(&t, 0x10000, true, 0), 2 * READ);
    arena_free(&arena);
    cfg.copies_translated = true;

    cfg.utcl2_entries = WAYS;
    t = make_utcl2(&cfg, &arena);
    for (unsigned k = 0; k < WAYS; k++)
        utcl2_lookup(&t, BIG + k * LINE_BYTES, false, 0);
    assert_int_equal(utcl2_lookup(&t, 0x101000, true, 10000), 10000 + 2 * READ);
    arena_free(&arena);
}

/* In front of L2: the first access of the dispatch to a page waits for the walk, others of any CU with it, in every
 * link of a cache. */
static void requests_wait_for_walks(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    cycle_t cold = 8 + 8 + 200 + 5 + 4 + 1 + 4;
    struct mem_req q = {.bytes = 4, .op = MEM_LOAD, .token = 1};
    struct hierarchy *h;
    struct tlb_stats s;
    uint64_t token;

    (void)state;
    c.tlb = config();
    c.tlb.read_cycles = 700; /* longer than links look ahead */
    h = make(&c);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, BIG, 0), cold + 50 + 1400);
    assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, BIG + 1024, 10000), cold);
    assert_int_equal(load_time(h, 1, MEM_PORT_VECTOR, MEM_LOAD, BIG + 2048, 20000), cold + 50);
    assert_int_equal(load_time(h, 1, MEM_PORT_VECTOR, MEM_LOAD, BIG + LINE_BYTES, 30000), cold + 50 + 700);
    s = hierarchy_tlb_stats(h);
    assert_int_equal(s.walks, 2);
    assert_int_equal(s.reads, 3);
    hierarchy_prefill_tlb(h, 0x14000, TLB_KNOWN_TABLES);
    assert_int_equal(load_time(h, 0, MEM_PORT_SCALAR, MEM_SCALAR, 0x14000, 40000), 8 + 8 + 200 + 5 + 4 + 4 + 50 + 700);
    /* asked for 100 cycles later by another CU, it is there when it would have been */
    q.addr = BIG + 2 * LINE_BYTES;
    hierarchy_accept(h, 0, MEM_PORT_VECTOR, &q, 50000);
    for (cycle_t t = 50001; t < 50100; t++)
        if (hierarchy_next(h) <= t)
            hierarchy_tick(h, t);
    q.addr += 768;
    hierarchy_accept(h, 1, MEM_PORT_VECTOR, &q, 50100);
    for (cycle_t t = 50101; !hierarchy_pop(h, 1, MEM_PORT_VECTOR, &token); t++) {
        assert_true(t < 60000);
        hierarchy_tick(h, t);
        if (t < 50000 + cold + 50 + 700)
            assert_false(hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token));
        else
            assert_true(t > 50000 + cold + 50 + 700 || hierarchy_pop(h, 0, MEM_PORT_VECTOR, &token));
        assert_true(t < 50000 + cold + 50 + 700 + 20);
    }
    hierarchy_free(h);
}

/* Walks of any length, around what links look ahead: a request goes on when its walk has ended, not a cycle later. */
static void walks_of_any_length(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    const cycle_t cold = 8 + 8 + 200 + 5 + 4 + 1 + 4;

    (void)state;
    c.tlb = config();
    for (uint32_t cycles = 1; cycles < 300; cycles++) {
        c.tlb.read_cycles = cycles;
        struct hierarchy *h = make(&c);
        assert_int_equal(load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, BIG, 0), cold + 50 + 2 * cycles);
        hierarchy_free(h);
    }
}

/* The request after one that waits has had its own walk begun when it came. */
static void walks_of_one_link_overlap(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    cycle_t first, second;
    struct hierarchy *h;

    (void)state;
    c.tlb = config();
    h = make(&c);
    for (uint64_t k = 0; k < 2; k++)
        hierarchy_accept(
            h, 0, MEM_PORT_VECTOR,
            &(struct mem_req){.bytes = 4, .op = MEM_LOAD, .addr = BIG + k * (TABLE_BYTES + 256), .token = 1 + k}, 0);
    first = back_at(h, MEM_PORT_VECTOR, 1);
    second = back_at(h, MEM_PORT_VECTOR, 2);
    assert_int_equal(first, 8 + 8 + 200 + 5 + 4 + 1 + 4 + 50 + 2 * READ);
    assert_in_range(second, first + 1, first + 3);
    assert_int_equal(hierarchy_tlb_stats(h).walks, 2);
    hierarchy_free(h);
}

/* A cache with several links (GL1): a request in another link than the one that asked waits for the walk, too. */
static void other_links_wait_too(void **state)
{
    struct hierarchy_config c = small_hierarchy(true, false);
    cycle_t back[2] = {0};
    struct hierarchy *h;
    uint64_t token;

    (void)state;
    c.tlb = config();
    h = make(&c);
    for (uint32_t cu = 0; cu < 2; cu++)
        hierarchy_accept(h, cu, MEM_PORT_VECTOR,
                         &(struct mem_req){.bytes = 4, .op = MEM_LOAD, .addr = BIG + cu * 128, .token = 1}, 0);
    for (cycle_t t = hierarchy_next(h); t != CYCLE_NEVER; t = hierarchy_next(h)) {
        hierarchy_tick(h, t);
        for (uint32_t cu = 0; cu < 2; cu++)
            if (hierarchy_pop(h, cu, MEM_PORT_VECTOR, &token))
                back[cu] = t;
    }
    assert_int_equal(hierarchy_tlb_stats(h).misses, 1);
    assert_true(back[0] >= 50 + 2 * READ + 200);
    assert_in_range(back[1], back[0], back[0] + 20);
    hierarchy_free(h);
}

/* The L2 of each die has a UTCL2 of its own: what one has walked for the other has still to. */
static void each_die_walks(void **state)
{
    struct hierarchy_config c = small_hierarchy(false, false);
    struct hierarchy *h;
    cycle_t first;

    (void)state;
    c.l2s = c.cus_per_l2_turn = 2;
    c.tlb = config();
    h = make(&c);
    first = load_time(h, 0, MEM_PORT_VECTOR, MEM_LOAD, BIG, 0);
    assert_int_equal(load_time(h, 1, MEM_PORT_VECTOR, MEM_LOAD, BIG + 1024, 10000), first - 2 * READ);
    assert_int_equal(load_time(h, 2, MEM_PORT_VECTOR, MEM_LOAD, BIG + 2048, 20000), first);
    assert_int_equal(hierarchy_tlb_stats(h).walks, 2);
    hierarchy_free(h);
}

static void bad_configurations(void **state)
{
    struct tlb_config c = config();
    struct err e = {0};

    (void)state;
    assert_int_equal(tlb_check_config(&c, &e), 0);
    c.utcl2_entries = 24;
    assert_int_not_equal(tlb_check_config(&c, &e), 0);
    assert_non_null(strstr(e.text, "utcl2_entries is 24"));
    c = config();
    c.walk_levels = TLB_MAX_LEVELS + 1;
    err_clear(&e);
    assert_int_not_equal(tlb_check_config(&c, &e), 0);
    assert_non_null(strstr(e.text, "walk_levels is 5"));
    c = config();
    c.walkers = 0;
    err_clear(&e);
    assert_int_not_equal(tlb_check_config(&c, &e), 0);
    assert_non_null(strstr(e.text, "walkers is 0"));
    c = config();
    c.read_cycles = 100001;
    err_clear(&e);
    assert_int_not_equal(tlb_check_config(&c, &e), 0);
    assert_non_null(strstr(e.text, "read_cycles is 100001"));
    c = config();
    c.host_cycles = 100001;
    err_clear(&e);
    assert_int_not_equal(tlb_check_config(&c, &e), 0);
    assert_non_null(strstr(e.text, "host_cycles is 100001"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_those_of_allocations),
        cmocka_unit_test(answers_take_their_way),
        cmocka_unit_test(walks_read_what_is_missing),
        cmocka_unit_test(walks_are_merged),
        cmocka_unit_test(walkers_are_few),
        cmocka_unit_test(lines_give_way),
        cmocka_unit_test(kinds_and_tables),
        cmocka_unit_test(pages_of_the_host),
        cmocka_unit_test(invalidated),
        cmocka_unit_test(copied_neighbours),
        cmocka_unit_test(copied_pages),
        cmocka_unit_test(requests_wait_for_walks),
        cmocka_unit_test(walks_of_any_length),
        cmocka_unit_test(walks_of_one_link_overlap),
        cmocka_unit_test(other_links_wait_too),
        cmocka_unit_test(each_die_walks),
        cmocka_unit_test(bad_configurations),
        cmocka_unit_test(ways_of_the_utcl2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

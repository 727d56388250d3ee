/* The fabric without caches: links, routes, queues. Cycles are exact: not at t - 1, at t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/hierarchy/fabric.h"

enum { HOP = 10, MESSAGES = 4096, ENTRIES = 64 };

struct rig {
    struct arena arena;
    struct fabric f;
    cycle_t at[MESSAGES]; /* by token: arrival */
    unsigned arrived;
};

static void answered(void *ctx, uint16_t client, uint64_t token, cycle_t now)
{
    struct rig *r = ctx;

    assert_int_equal(client, token & 7);
    assert_int_equal(r->at[token], 0);
    r->at[token] = now;
    r->arrived++;
}

static void requested(void *ctx, const struct mem_req *req, cycle_t now)
{
    assert_int_equal(req->addr, 64 * req->token);
    answered(ctx, req->client, req->token, now);
}

static void open_rig(struct rig *r, uint32_t columns, uint32_t rows, uint32_t hop, double bytes_per_cycle)
{
    struct fabric_config c = {.columns = columns, .rows = rows, .hop_cycles = hop, .bytes_per_cycle = bytes_per_cycle};
    struct err e = {0};

    memset(r, 0, sizeof *r);
    arena_init(&r->arena, 0);
    if (fabric_init(&r->f, &c, ENTRIES, (struct fabric_sink){r, requested, answered}, &r->arena, &e))
        fail_msg("%s", e.text);
}

/* Alternating requests and responses: they are treated alike. */
static void send(struct rig *r, uint64_t token, uint32_t from, uint32_t to, uint32_t bytes, cycle_t now)
{
    struct mem_req req = {.addr = 64 * token, .token = token, .client = token & 7};

    if (token & 1)
        fabric_respond(&r->f, from, to, bytes, req.client, token, now);
    else
        fabric_send(&r->f, from, to, bytes, &req, now);
}

/* Cycle by cycle from `now` until the fabric is idle. */
static void drain(struct rig *r, cycle_t now)
{
    for (; r->f.count; now++) {
        cycle_t next = r->f.next;
        unsigned arrived = r->arrived;

        fabric_tick(&r->f, now);
        /* nothing arrives that was not announced */
        assert_true(next <= now || r->arrived == arrived);
    }
    assert_true(r->f.next == CYCLE_NEVER);
}

/* Dies 0 1
 *      2 3 */
static void distances(void **state)
{
    static const uint32_t hops[4][4] = {{0, 1, 1, 2}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}};
    struct rig r;

    (void)state;
    open_rig(&r, 2, 2, HOP, 64);
    assert_int_equal(r.f.links, 8);
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++) {
            cycle_t t = 1000 + 100 * (4 * from + to);

            assert_int_equal(fabric_hops(&r.f, from, to), hops[from][to]);
            if (from == to)
                continue;
            send(&r, 4 * from + to, from, to, 64, t);
            assert_int_equal(r.f.next, t + HOP);
            fabric_tick(&r.f, t + HOP - 1);
            assert_int_equal(r.at[4 * from + to], 0);
            drain(&r, t + HOP);
            assert_int_equal(r.at[4 * from + to], t + HOP * hops[from][to]);
        }
    arena_free(&r.arena);
}

/* 48 bytes a cycle: 64 take 1.33, and fractions are not lost. */
static void bandwidth(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 1, HOP, 48);
    for (unsigned k = 0; k < 7; k++)
        send(&r, k, 0, 1, 64, 100);
    drain(&r, 100);
    /* their ends are at 1.33, 2.67, 4, 5.33 ...; each leaves in the cycle in which it ends */
    assert_int_equal(r.at[0], 100 + 1 + HOP);
    assert_int_equal(r.at[1], 100 + 2 + HOP);
    assert_int_equal(r.at[2], 100 + 3 + HOP);
    assert_int_equal(r.at[3], 100 + 5 + HOP);
    assert_int_equal(r.at[4], 100 + 6 + HOP);
    assert_int_equal(r.at[5], 100 + 7 + HOP);
    assert_int_equal(r.at[6], 100 + 9 + HOP);
    assert_int_equal(r.f.link[0].bytes, 7 * 64);
    assert_int_equal(r.f.link[0].messages, 7);
    assert_int_equal(r.f.link[1].messages, 0);
    arena_free(&r.arena);
}

/* Several small ones leave in one cycle; without a bound all do. */
static void wide_links(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 1, HOP, 128);
    for (unsigned k = 0; k < 5; k++)
        send(&r, k, 0, 1, 64, 100);
    drain(&r, 100);
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(r.at[k], 100 + k / 2 + HOP);
    arena_free(&r.arena);
    open_rig(&r, 2, 1, HOP, 0);
    for (unsigned k = 0; k < ENTRIES; k++)
        send(&r, k, 0, 1, 4096, 100);
    drain(&r, 100);
    for (unsigned k = 0; k < ENTRIES; k++)
        assert_int_equal(r.at[k], 100 + HOP);
    arena_free(&r.arena);
}

static void directions_are_independent(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 1, HOP, 16);
    for (unsigned k = 0; k < 4; k++)
        send(&r, k, 0, 1, 64, 100);
    send(&r, 4, 1, 0, 64, 100);
    drain(&r, 100);
    assert_int_equal(r.at[3], 100 + 15 + HOP);
    assert_int_equal(r.at[4], 100 + 3 + HOP);
    arena_free(&r.arena);
}

/* What has no data takes no bandwidth and does not overtake. */
static void without_data(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 1, HOP, 16);
    send(&r, 0, 0, 1, 0, 100);
    send(&r, 1, 0, 1, 64, 100);
    send(&r, 2, 0, 1, 0, 100);
    send(&r, 3, 0, 1, 64, 100);
    drain(&r, 100);
    assert_int_equal(r.at[0], 100 + HOP);
    assert_int_equal(r.at[1], 100 + 3 + HOP);
    assert_int_equal(r.at[2], 100 + 3 + HOP);
    assert_int_equal(r.at[3], 100 + 7 + HOP);
    arena_free(&r.arena);
}

/* A way of two links shares each of them with others when it is there, not before. */
static void links_of_a_way(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 2, HOP, 16);
    send(&r, 0, 0, 3, 64, 100); /* on the link 1 to 3 from 100 + 3 + HOP on */
    send(&r, 1, 1, 3, 64, 105); /* before it: 105 to 108 */
    send(&r, 2, 0, 1, 64, 100); /* after it on the first link */
    for (cycle_t t = 100; t < 113; t++)
        fabric_tick(&r.f, t);
    send(&r, 3, 1, 3, 64, 112); /* 112 to 115 */
    drain(&r, 113);
    assert_int_equal(r.at[1], 105 + 3 + HOP);
    assert_int_equal(r.at[2], 100 + 7 + HOP);
    assert_int_equal(r.at[3], 112 + 3 + HOP);
    assert_int_equal(r.at[0], 116 + 3 + HOP);
    /* by the row first: nothing has been on the links to and from die 2 */
    for (uint32_t k = 0; k < r.f.links; k++)
        if (r.f.link[k].from == 2 || r.f.link[k].to == 2)
            assert_int_equal(r.f.link[k].messages, 0);
    arena_free(&r.arena);
}

/* Data kept track of elsewhere wait behind what is there, and others behind them. */
static void reserved(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 2, 2, HOP, 16);
    assert_int_equal(fabric_reserve(&r.f, 1, 1, 64, 100), 100);
    assert_int_equal(fabric_reserve(&r.f, 0, 3, 64, 100), 100 + 2 * (3 + HOP));
    assert_int_equal(fabric_reserve(&r.f, 0, 1, 64, 100), 100 + 7 + HOP);
    send(&r, 0, 0, 1, 64, 100);
    send(&r, 1, 1, 3, 64, 100);
    send(&r, 2, 1, 0, 64, 100);
    drain(&r, 100);
    assert_int_equal(r.at[0], 100 + 11 + HOP);
    assert_int_equal(r.at[1], 100 + 7 + HOP);
    assert_int_equal(r.at[2], 100 + 3 + HOP);
    arena_free(&r.arena);
}

/* Links that take no time carry on what crosses several of them in the cycle in which it was sent. */
static void no_distance(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, 4, 3, 0, 0);
    for (uint32_t from = 0; from < 12; from++)
        for (uint32_t to = 0; to < 12; to++)
            if (from != to) {
                cycle_t t = 1 + from * 12 + to;

                send(&r, t, from, to, 64, t);
                fabric_tick(&r.f, t);
                assert_int_equal(r.at[t], t);
                assert_true(r.f.next == CYCLE_NEVER);
            }
    arena_free(&r.arena);
}

static void mean_of_distances(void **state)
{
    (void)state;
    for (uint32_t columns = 1; columns <= FABRIC_MAX_SIDE; columns++)
        for (uint32_t rows = 1; rows <= FABRIC_MAX_SIDE; rows++) {
            struct rig r;
            double sum = 0;

            open_rig(&r, columns, rows, HOP, 64);
            for (uint32_t a = 0; a < r.f.dies; a++)
                for (uint32_t b = 0; b < r.f.dies; b++)
                    sum += fabric_hops(&r.f, a, b);
            if (r.f.dies)
                sum /= r.f.dies * r.f.dies;
            assert_true(sum - fabric_mean_hops(&r.f.cfg) < 1e-9 && fabric_mean_hops(&r.f.cfg) - sum < 1e-9);
            assert_true((columns * rows == 1) == (r.f.dies == 0));
            arena_free(&r.arena);
        }
    assert_true(fabric_mean_hops(&(struct fabric_config){.columns = 2, .rows = 2}) == 1);
    assert_true(fabric_mean_hops(&(struct fabric_config){.columns = 1, .rows = 2}) == 0.5);
    assert_true(fabric_mean_hops(&(struct fabric_config){0}) == 0);
}

/* Random traffic, ticked in each cycle and only in the cycles that the fabric names. Entries are used again and again.
 */
static void jumping_equals_ticking(void **state)
{
    static struct rig r[2];
    static cycle_t earliest[MESSAGES];
    unsigned waited = 0;

    (void)state;
    for (unsigned jump = 0; jump < 2; jump++) {
        uint64_t s = 7;

        open_rig(&r[jump], 3, 2, 4, 20);
        for (cycle_t t = 1, token = 0; token < MESSAGES || r[jump].f.count; t++) {
            if (!jump || r[jump].f.next <= t)
                fabric_tick(&r[jump].f, t);
            s = s * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint32_t from = (uint32_t)(s >> 33) % 6, to = (from + 1 + (uint32_t)(s >> 40) % 5) % 6;

            if (token < MESSAGES && (s >> 60) % 4 == 0 && r[jump].f.count < ENTRIES) {
                earliest[token] = t + 4 * fabric_hops(&r[jump].f, from, to);
                send(&r[jump], token++, from, to, 8 * ((s >> 50) % 16), t);
            }
        }
        assert_int_equal(r[jump].arrived, MESSAGES);
        assert_true(r[jump].f.fresh < ENTRIES);
    }
    assert_memory_equal(r[0].at, r[1].at, sizeof r[0].at);
    for (unsigned k = 0; k < MESSAGES; k++) {
        assert_true(r[0].at[k] >= earliest[k]);
        waited += r[0].at[k] > earliest[k];
    }
    assert_true(waited > MESSAGES / 4 && waited < MESSAGES);
    for (unsigned k = 0; k < 2; k++)
        arena_free(&r[k].arena);
}

static void bad_configurations(void **state)
{
    static const struct {
        struct fabric_config c;
        const char *text;
    } bad[] = {
        {{.columns = 9, .rows = 1}, "fabric: 9 columns and 1 rows of dies; expected up to 8"},
        {{.columns = 2, .rows = 77}, "fabric: 2 columns and 77 rows of dies; expected up to 8"},
        {{.columns = 2, .rows = 1, .hop_cycles = 10001}, "fabric: hop_cycles is 10001; expected up to 10000"},
        {{.columns = 2, .rows = 1, .bytes_per_cycle = -1}, "fabric: bytes_per_cycle is -1"},
        {{.columns = 2, .rows = 1, .bytes_per_cycle = 1e9}, "fabric: bytes_per_cycle is 1e+09"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct rig r = {0};
        struct err e = {0};

        arena_init(&r.arena, 0);
        assert_int_not_equal(
            fabric_init(&r.f, &bad[k].c, ENTRIES, (struct fabric_sink){&r, requested, answered}, &r.arena, &e), 0);
        assert_non_null(strstr(e.text, bad[k].text));
        err_clear(&e);
        arena_free(&r.arena);
    }
}

/* Two dies, with a port on the first, and so many bytes a cycle over it, 32 over the link. */
static void open_port(struct rig *r, double bytes_per_cycle)
{
    struct fabric_config c = {
        .columns = 2, .rows = 1, .hop_cycles = HOP, .bytes_per_cycle = 32, .port_bytes_per_cycle = bytes_per_cycle};
    struct err e = {0};

    memset(r, 0, sizeof *r);
    arena_init(&r->arena, 0);
    if (fabric_init(&r->f, &c, ENTRIES, (struct fabric_sink){r, requested, answered}, &r->arena, &e) ||
        fabric_attach(&r->f, (const uint8_t[]){0}, 1, &r->arena, &e))
        fail_msg("%s", e.text);
}

static bool enter(struct rig *r, uint64_t token, uint32_t to, uint32_t bytes, cycle_t now)
{
    struct mem_req req = {.addr = 64 * token, .token = token, .client = token & 7};

    return fabric_port_send(&r->f, 0, to, bytes, &req, now);
}

static bool leave(struct rig *r, uint64_t token, uint32_t from, uint32_t bytes, cycle_t now)
{
    return fabric_port_respond(&r->f, 0, from, bytes, token & 7, token, now);
}

/* Both directions share the data path; messages without data wait for those ahead of them in their direction alone. */
static void a_port(void **state)
{
    struct rig r;

    (void)state;
    open_port(&r, 16);
    assert_false(enter(&r, 1, 0, 0, 100));
    assert_false(leave(&r, 1, 0, 0, 100));
    assert_false(enter(&r, 1, 0, 16, 100)); /* all in the first cycle */
    assert_true(enter(&r, 2, 0, 64, 101));  /* 101 to 104 */
    assert_true(enter(&r, 3, 0, 0, 101));   /* after it */
    assert_false(leave(&r, 1, 0, 0, 101));
    assert_true(leave(&r, 4, 0, 32, 101)); /* 105 and 106 */
    assert_true(leave(&r, 5, 0, 0, 101));
    assert_int_equal(r.f.next, 104);
    fabric_tick(&r.f, 103);
    assert_int_equal(r.arrived, 0);
    drain(&r, 104);
    assert_int_equal(r.at[2], 104);
    assert_int_equal(r.at[3], 104);
    assert_int_equal(r.at[4], 106);
    assert_int_equal(r.at[5], 106);
    assert_int_equal(r.f.port[0].bytes, 16 + 64 + 32);
    arena_free(&r.arena);
}

/* To the other die and back: port and link one after the other. */
static void a_port_and_a_link(void **state)
{
    struct rig r;

    (void)state;
    open_port(&r, 16);
    assert_true(enter(&r, 1, 1, 64, 100)); /* off the port at 103, 64 bytes on the link until 104 */
    assert_true(leave(&r, 2, 1, 64, 200)); /* off the link at 201 + HOP, then 4 cycles of the port */
    assert_true(leave(&r, 3, 1, 0, 200));
    drain(&r, 101);
    assert_int_equal(r.at[1], 104 + HOP);
    assert_int_equal(r.at[2], 201 + HOP + 3);
    assert_int_equal(r.at[3], 201 + HOP + 3);
    arena_free(&r.arena);

    open_port(&r, 0); /* without bound */
    assert_false(enter(&r, 1, 0, 1u << 20, 100));
    assert_false(leave(&r, 1, 0, 1u << 20, 100));
    assert_true(enter(&r, 2, 1, 32, 100));
    assert_true(leave(&r, 3, 1, 32, 100));
    drain(&r, 100);
    assert_int_equal(r.at[2], 100 + HOP);
    assert_int_equal(r.at[3], 100 + HOP);
    arena_free(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),          cmocka_unit_test(a_port),
        cmocka_unit_test(a_port_and_a_link),  cmocka_unit_test(bandwidth),
        cmocka_unit_test(wide_links),         cmocka_unit_test(directions_are_independent),
        cmocka_unit_test(without_data),       cmocka_unit_test(links_of_a_way),
        cmocka_unit_test(reserved),           cmocka_unit_test(no_distance),
        cmocka_unit_test(mean_of_distances),  cmocka_unit_test(jumping_equals_ticking),
        cmocka_unit_test(bad_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who waits for what, in the report's tables. */
#include "sim/hsa/sinks/report_rows.h"
#include "sim/hsa/waits/waits.h"

/* Null where the node is not of that kind. */
static void put_int_of(struct row *r, bool has, uint64_t v)
{
    if (has)
        put_int(r, v);
    else
        put_null(r);
}

static void put_node(sqlite3_stmt *to, sqlite3_int64 run, const struct wait_node *n, uint32_t number)
{
    const bool packet = n->kind == WAIT_PACKET;
    struct row r = row_begin(to);
    char name[WAITS_NAME], text[300];

    put_int(&r, (uint64_t)run);
    put_int(&r, number);
    put_text(&r, waits_kind_word(n->kind));
    put_text(&r, waits_name(n, name));
    put_int_of(&r, n->kind == WAIT_THREAD, n->number);
    put_int_of(&r, packet, n->queue);
    put_int_of(&r, packet, n->number);
    put_int_of(&r, packet && n->dispatch, n->dispatch);
    put_text(&r, packet ? waits_packet_text(n, text, sizeof text) : n->kind == WAIT_SIGNAL ? n->made : n->name);
    put_text(&r, packet ? waits_state_word(n->state) : NULL);
    put_int_of(&r, n->kind == WAIT_SIGNAL && n->known, (uint64_t)n->value);
    put_int(&r, n->goes_on);
    row_end(&r);
}

static void put_edge(sqlite3_stmt *to, sqlite3_int64 run, const struct wait_edge *e, uint32_t from)
{
    const bool value = e->how == WAIT_VALUE;
    struct row r = row_begin(to);

    put_int(&r, (uint64_t)run);
    put_int(&r, from);
    put_int(&r, e->to + UINT64_C(1));
    put_text(&r, waits_how_word(e->how));
    put_text(&r, value ? waits_condition_word(e->on.condition) : NULL);
    put_int_of(&r, value, (uint64_t)e->on.compare);
    put_int_of(&r, value, (uint64_t)e->on.mask);
    put_int(&r, e->goes_on);
    row_end(&r);
}

static void put_cycle(sqlite3_stmt *to, sqlite3_int64 run, const struct wait_cycle *c, uint32_t number)
{
    for (uint32_t step = 0; step < c->nodes; step++) {
        struct row r = row_begin(to);

        put_int(&r, (uint64_t)run);
        put_int(&r, number);
        put_int(&r, step + 1);
        put_int(&r, c->node[step] + UINT64_C(1));
        row_end(&r);
    }
}

void sqlite_put_waits(sqlite3 *db, sqlite3_int64 run, const struct waits *w)
{
    static const char *const texts[] = {"INSERT INTO wait_node VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                                        "INSERT INTO wait_edge VALUES (?,?,?,?,?,?,?,?)",
                                        "INSERT INTO wait_cycle VALUES (?,?,?,?)"};
    sqlite3_stmt *to[3] = {0};

    for (unsigned k = 0; k < 3; k++)
        if (sqlite3_prepare_v2(db, texts[k], -1, &to[k], NULL) != SQLITE_OK)
            rt_log_once("sqlite", "GCNSIM_REPORT: rows are lost: %s", sqlite3_errmsg(db));
    for (uint32_t k = 0; k < w->nodes && to[0] && to[1] && to[2]; k++) {
        put_node(to[0], run, &w->node[k], k + 1);
        for (uint32_t e = 0; e < w->node[k].edges; e++)
            put_edge(to[1], run, &w->edge[w->node[k].first + e], k + 1);
    }
    for (uint32_t k = 0; k < w->cycles && to[2]; k++)
        put_cycle(to[2], run, &w->cycle[k], k + 1);
    for (unsigned k = 0; k < 3; k++)
        sqlite3_finalize(to[k]);
}

/* Links and routes of the fabric between dies, and the messages in flight on them. */
#include "mem/hierarchy/fabric.h"

#include <assert.h>

#include "mem/rate.h"
#include "sim/util/mesh.h"

struct fabric_entry {
    cycle_t at; /* arrives at the end of its link */
    uint32_t bytes;
    uint32_t next; /* index + 1: after it on the link, or in the free list */
    uint8_t to;
    bool response; /* req has token and client alone */
    uint8_t port;  /* + 1: of a response that leaves the fabric by one */
    struct mem_req req;
};

int fabric_check_config(const struct fabric_config *cfg, struct err *err)
{
    if (cfg->columns > FABRIC_MAX_SIDE || cfg->rows > FABRIC_MAX_SIDE)
        return err_set(err, ERR_USAGE, "fabric: %u columns and %u rows of dies; expected up to %u", cfg->columns,
                       cfg->rows, FABRIC_MAX_SIDE);
    if (cfg->hop_cycles > 10000)
        return err_set(err, ERR_USAGE, "fabric: hop_cycles is %u; expected up to 10000", cfg->hop_cycles);
    if (!(cfg->bytes_per_cycle == 0 || (cfg->bytes_per_cycle >= 1.0 / 1024 && cfg->bytes_per_cycle <= 65536)))
        return err_set(err, ERR_USAGE, "fabric: bytes_per_cycle is %g; expected 0 or 1/1024 to 65536",
                       cfg->bytes_per_cycle);
    if (!(cfg->port_bytes_per_cycle == 0 ||
          (cfg->port_bytes_per_cycle >= 1.0 / 1024 && cfg->port_bytes_per_cycle <= 65536)))
        return err_set(err, ERR_USAGE, "fabric: port_bytes_per_cycle is %g; expected 0 or 1/1024 to 65536",
                       cfg->port_bytes_per_cycle);
    return 0;
}

/* Links of one direction along a row or column of dies, in the order in which a route takes them. */
static void make_links(struct fabric *f, uint32_t first, uint32_t step, uint32_t dies, bool back)
{
    for (uint32_t k = 0; k + 1 < dies; k++) {
        uint32_t from = back ? dies - 1 - k : k, to = back ? from - 1 : from + 1;

        f->link[f->links++] = (struct fabric_link){
            .next = CYCLE_NEVER, .from = (uint8_t)(first + from * step), .to = (uint8_t)(first + to * step)};
    }
}

static uint32_t link_between(const struct fabric *f, uint32_t from, uint32_t to)
{
    uint32_t k = 0;

    while (f->link[k].from != from || f->link[k].to != to)
        k++;
    return k;
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static void make_routes(struct fabric *f)
{
    uint32_t columns = f->cfg.columns;

    for (uint32_t at = 0; at < f->dies; at++)
        for (uint32_t to = 0; to < f->dies; to++) {
            uint32_t x = at % columns, y = at / columns, to_x = to % columns, to_y = to / columns;

            f->hops[at][to] = (uint8_t)(distance(x, to_x) + distance(y, to_y));
            if (x != to_x)
                f->route[at][to] = (uint8_t)link_between(f, at, x < to_x ? at + 1 : at - 1);
            else if (y != to_y)
                f->route[at][to] = (uint8_t)link_between(f, at, y < to_y ? at + columns : at - columns);
        }
}

int fabric_init(struct fabric *f, const struct fabric_config *cfg, uint32_t entries, struct fabric_sink sink,
                struct arena *arena, struct err *err)
{
    uint32_t columns = cfg->columns, lines = cfg->rows;

    *f = (struct fabric){.cfg = *cfg, .sink = sink, .next = CYCLE_NEVER};
    if (fabric_check_config(cfg, err))
        return -1;
    if (fabric_dies(cfg) < 2)
        return 0;
    f->dies = fabric_dies(cfg);
    f->entries = entries;
    f->fresh = 1;
    if (cfg->bytes_per_cycle > 0)
        f->fp_per_byte = rate_per_byte(cfg->bytes_per_cycle);
    f->link = ARENA_NEW(arena, (size_t)2 * ((columns - 1) * lines + columns * (lines - 1)), struct fabric_link);
    f->entry = ARENA_NEW(arena, entries, struct fabric_entry);
    if (!f->link || !f->entry)
        return err_set(err, ERR_NOMEM, "fabric: no host memory");
    for (unsigned back = 0; back < 2; back++)
        for (uint32_t y = 0; y < lines; y++)
            make_links(f, y * columns, 1, columns, back);
    for (unsigned back = 0; back < 2; back++)
        for (uint32_t x = 0; x < columns; x++)
            make_links(f, x, columns, lines, back);
    make_routes(f);
    return 0;
}

int fabric_attach(struct fabric *f, const uint8_t *die, uint32_t ports, struct arena *arena, struct err *err)
{
    f->port = ARENA_NEW(arena, ports, struct fabric_port);
    if (!f->port)
        return err_set(err, ERR_NOMEM, "fabric: no host memory");
    f->ports = ports;
    for (uint32_t k = 0; k < ports; k++)
        f->port[k] = (struct fabric_port){.in.next = CYCLE_NEVER, .out.next = CYCLE_NEVER, .die = die[k]};
    if (f->cfg.port_bytes_per_cycle > 0)
        f->port_fp_per_byte = rate_per_byte(f->cfg.port_bytes_per_cycle);
    return 0;
}

double fabric_mean_hops(const struct fabric_config *cfg)
{
    return fabric_dies(cfg) < 2 ? 0 : mesh_mean_distance(cfg->columns, cfg->rows);
}

/* Transfers data over a link; returns the cycle in which the last of them leaves. */
static cycle_t transfer(struct fabric *f, struct fabric_link *l, uint32_t bytes, cycle_t now)
{
    l->messages++;
    l->bytes += bytes;
    return rate_transfer(&l->free_at_fp, bytes, f->fp_per_byte, now);
}

/* Puts a message that arrives at cycle `at` after the others of a link or port. */
static void append_message(struct fabric *f, struct fabric_link *l, uint32_t id, cycle_t at)
{
    struct fabric_entry *e = &f->entry[id - 1];

    e->at = at;
    e->next = 0;
    if (l->last)
        f->entry[l->last - 1].next = id;
    else
        l->first = id;
    l->last = id;
    if (l->first == id)
        l->next = e->at;
    if (e->at < f->next)
        f->next = e->at;
}

/* Puts a message on the next link of its route. */
static void enqueue(struct fabric *f, uint32_t die, uint32_t id, cycle_t now)
{
    const struct fabric_entry *e = &f->entry[id - 1];
    struct fabric_link *l = &f->link[f->route[die][e->to]];

    append_message(f, l, id, transfer(f, l, e->bytes, now) + f->cfg.hop_cycles);
}

static uint32_t alloc_entry(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, bool response)
{
    uint32_t id = f->free ? f->free : f->fresh++;
    struct fabric_entry *e = &f->entry[id - 1];

    assert(from < f->dies && to < f->dies && f->count < f->entries);
    if (f->free)
        f->free = e->next;
    e->bytes = bytes;
    e->to = (uint8_t)to;
    e->response = response;
    e->port = 0;
    f->count++;
    return id;
}

void fabric_send(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, const struct mem_req *req, cycle_t now)
{
    assert(from != to);
    uint32_t id = alloc_entry(f, from, to, bytes, false);

    f->entry[id - 1].req = *req;
    enqueue(f, from, id, now);
}

static uint32_t new_response(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, uint16_t client,
                             uint64_t token)
{
    uint32_t id = alloc_entry(f, from, to, bytes, true);

    f->entry[id - 1].req.token = token;
    f->entry[id - 1].req.client = client;
    return id;
}

void fabric_respond(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, uint16_t client, uint64_t token,
                    cycle_t now)
{
    assert(from != to);
    enqueue(f, from, new_response(f, from, to, bytes, client, token), now);
}

/* ---- ports ---- */

/* Transfers data over a port; returns the cycle in which the last of them leaves it, not before the message ahead in
 * its direction. */
static cycle_t port_transfer(struct fabric *f, struct fabric_port *p, const struct fabric_link *way, uint32_t bytes,
                             cycle_t now)
{
    cycle_t ahead = way->last ? f->entry[way->last - 1].at : now, at = now;

    p->bytes += bytes;
    if (bytes && f->port_fp_per_byte)
        at = rate_transfer(&p->free_at_fp, bytes, f->port_fp_per_byte, now);
    return at > ahead ? at : ahead;
}

bool fabric_port_send(struct fabric *f, uint32_t port, uint32_t to, uint32_t bytes, const struct mem_req *req,
                      cycle_t now)
{
    struct fabric_port *p = &f->port[port];
    cycle_t at = port_transfer(f, p, &p->in, bytes, now);

    if (at > now || p->in.first) {
        uint32_t id = alloc_entry(f, p->die, to, bytes, false);

        f->entry[id - 1].req = *req;
        append_message(f, &p->in, id, at);
        return true;
    }
    if (p->die == to)
        return false;
    fabric_send(f, p->die, to, bytes, req, now);
    return true;
}

/* Whether a response that has arrived at its port's die waits there. */
static bool leaves_later(struct fabric *f, struct fabric_port *p, uint32_t bytes, cycle_t now, cycle_t *at)
{
    *at = port_transfer(f, p, &p->out, bytes, now);
    return *at > now || p->out.first;
}

bool fabric_port_respond(struct fabric *f, uint32_t port, uint32_t from, uint32_t bytes, uint16_t client,
                         uint64_t token, cycle_t now)
{
    struct fabric_port *p = &f->port[port];
    uint32_t id;
    cycle_t at;

    if (from == p->die) {
        if (!leaves_later(f, p, bytes, now, &at))
            return false;
        append_message(f, &p->out, new_response(f, from, from, bytes, client, token), at);
        return true;
    }
    id = new_response(f, from, p->die, bytes, client, token);
    f->entry[id - 1].port = (uint8_t)(port + 1);
    enqueue(f, from, id, now);
    return true;
}

cycle_t fabric_reserve(struct fabric *f, uint32_t from, uint32_t to, uint32_t bytes, cycle_t now)
{
    cycle_t at = now;

    while (from != to) {
        struct fabric_link *l = &f->link[f->route[from][to]];

        at += transfer(f, l, bytes, now) - now + f->cfg.hop_cycles;
        from = l->to;
    }
    return at;
}

/* A message is at the end of its route. */
static void deliver_message(struct fabric *f, uint32_t id, cycle_t now)
{
    struct fabric_entry *e = &f->entry[id - 1];

    if (e->response)
        f->sink.response(f->sink.ctx, e->req.client, e->req.token, now);
    else
        f->sink.request(f->sink.ctx, &e->req, now);
    e->next = f->free;
    f->free = id;
    f->count--;
}

/* A message has reached a die. */
static void arrive_at_die(struct fabric *f, uint32_t die, uint32_t id, cycle_t now)
{
    struct fabric_entry *e = &f->entry[id - 1];
    cycle_t at;

    if (die != e->to)
        enqueue(f, die, id, now);
    else if (e->port && leaves_later(f, &f->port[e->port - 1], e->bytes, now, &at))
        append_message(f, &f->port[e->port - 1].out, id, at);
    else
        deliver_message(f, id, now);
}

/* Takes the oldest message off a link or port. */
static uint32_t take_oldest(struct fabric *f, struct fabric_link *l)
{
    uint32_t id = l->first;

    l->first = f->entry[id - 1].next;
    if (l->first) {
        l->next = f->entry[l->first - 1].at;
    } else {
        l->last = 0;
        l->next = CYCLE_NEVER;
    }
    return id;
}

static cycle_t first_arrival(const struct fabric *f)
{
    cycle_t next = CYCLE_NEVER;

    for (uint32_t k = 0; k < f->links; k++)
        next = f->link[k].next < next ? f->link[k].next : next;
    for (uint32_t k = 0; k < f->ports; k++) {
        const struct fabric_port *p = &f->port[k];
        next = p->in.next < next ? p->in.next : next;
        next = p->out.next < next ? p->out.next : next;
    }
    return next;
}

/* In the order of a route: into the fabric, over its links, out of it. */
void fabric_tick(struct fabric *f, cycle_t now)
{
    for (uint32_t k = 0; k < f->ports; k++)
        while (f->port[k].in.next <= now)
            arrive_at_die(f, f->port[k].die, take_oldest(f, &f->port[k].in), now);
    for (uint32_t k = 0; k < f->links; k++)
        while (f->link[k].next <= now)
            arrive_at_die(f, f->link[k].to, take_oldest(f, &f->link[k]), now);
    for (uint32_t k = 0; k < f->ports; k++)
        while (f->port[k].out.next <= now)
            deliver_message(f, take_oldest(f, &f->port[k].out), now);
    f->next = first_arrival(f);
}

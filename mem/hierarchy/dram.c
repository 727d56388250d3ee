/* DRAM channels, their banks and open rows, and the channel to host memory. */
#include "mem/hierarchy/dram.h"

#include <stdio.h>

#include "mem/channels.h"
#include "mem/rate.h"

struct dram_entry {
    cycle_t done;
    uint64_t token;
    uint16_t client;
};

/* Cycles that a request which comes at any time waits for a refresh to end, in the mean. */
static uint32_t mean_wait(const struct dram_config *cfg)
{
    double n = cfg->refresh_cycles;

    return n > 0 ? (uint32_t)(n * n / 2 / cfg->refresh_every + 0.5) : 0;
}

int dram_init(struct dram *d, const struct dram_config *cfg, struct mem_sink sink, struct arena *arena, struct err *err)
{
    double per_channel = cfg->channels ? cfg->bytes_per_cycle / cfg->channels : 0;

    *d = (struct dram){.cfg = *cfg, .sink = sink};
    if (!cfg->latency_cycles)
        return err_set(err, ERR_USAGE, "dram: latency_cycles is 0; expected at least 1");
    if (!cfg->channels || cfg->channels > 1024)
        return err_set(err, ERR_USAGE, "dram: channels is %u; expected 1 to 1024", cfg->channels);
    if (!cfg->interleave_bytes)
        return err_set(err, ERR_USAGE, "dram: interleave_bytes is 0; expected at least a cache line");
    if (!cfg->max_in_flight || cfg->max_in_flight > 1u << 20)
        return err_set(err, ERR_USAGE, "dram: max_in_flight is %u; expected 1 to 1048576", cfg->max_in_flight);
    if (!(per_channel >= 1.0 / 1024 && per_channel <= 65536))
        return err_set(err, ERR_USAGE, "dram: bytes_per_cycle is %g over %u channels; expected 1/1024 to 65536 each",
                       cfg->bytes_per_cycle, cfg->channels);
    if (cfg->channel_hash && (cfg->interleave_bytes != CHANNEL_HASH_BYTES || cfg->channels & (cfg->channels - 1) ||
                              cfg->channels > 1u << CHANNEL_HASH_BITS))
        return err_set(err, ERR_USAGE,
                       "dram: %u channels of %u bytes; a hash needs 256 bytes and 128 channels, or fewer",
                       cfg->channels, cfg->interleave_bytes);
    if (cfg->banks && (!cfg->row_bytes || cfg->row_bytes & (cfg->row_bytes - 1)))
        return err_set(err, ERR_USAGE, "dram: row_bytes is %u; expected a power of two", cfg->row_bytes);
    if (cfg->is_host &&
        (!cfg->host_latency_cycles || !(cfg->host_bytes_per_cycle >= 1.0 / 1024 && cfg->host_bytes_per_cycle <= 65536)))
        return err_set(err, ERR_USAGE,
                       "dram: host memory in %u cycles, %g bytes per cycle; expected at least 1, 1/1024 to 65536",
                       cfg->host_latency_cycles, cfg->host_bytes_per_cycle);
    if (cfg->row_hit_saves_cycles >= cfg->latency_cycles)
        return err_set(err, ERR_USAGE, "dram: row_hit_saves_cycles is %u; expected less than latency_cycles, %u",
                       cfg->row_hit_saves_cycles, cfg->latency_cycles);
    if (cfg->refresh_cycles && cfg->refresh_cycles >= cfg->refresh_every)
        return err_set(err, ERR_USAGE, "dram: refresh_cycles is %u; expected less than refresh_every, %u",
                       cfg->refresh_cycles, cfg->refresh_every);
    if (cfg->refresh_cycles)
        per_channel /= 1 - (double)cfg->refresh_cycles / cfg->refresh_every;
    d->cfg.latency_cycles = cfg->latency_cycles > mean_wait(cfg) ? cfg->latency_cycles - mean_wait(cfg) : 1;
    d->fp_per_byte = rate_per_byte(per_channel);
    if (cfg->is_host)
        d->host_fp_per_byte = rate_per_byte(cfg->host_bytes_per_cycle);
    /* powers of two, the usual case, need no division */
    if (!(cfg->interleave_bytes & (cfg->interleave_bytes - 1)))
        d->interleave_shift = (uint8_t)__builtin_ctz(cfg->interleave_bytes);
    if (!(cfg->channels & (cfg->channels - 1)))
        d->channel_mask = cfg->channels - 1;
    d->channel = ARENA_NEW(arena, cfg->channels + 1, struct dram_channel);
    if (!d->channel)
        return err_set(err, ERR_NOMEM, "dram: no host memory");
    for (uint32_t c = 0; c < cfg->channels; c++)
        d->channel[c].refresh_at = (cycle_t)cfg->refresh_every * c / cfg->channels;
    for (uint32_t c = 0; cfg->banks && c < cfg->channels; c++) {
        d->channel[c].row = ARENA_NEW(arena, cfg->banks, uint64_t);
        if (!d->channel[c].row)
            return err_set(err, ERR_NOMEM, "dram: no host memory");
    }
    for (uint32_t c = 0; c < cfg->channels + (cfg->is_host != NULL); c++)
        if (!fifo_init_arena(&d->channel[c].in_flight, arena, sizeof(struct dram_entry), cfg->max_in_flight))
            return err_set(err, ERR_NOMEM, "dram: no host memory");
    return 0;
}

static struct dram_channel *host_channel(const struct dram *d)
{
    return &d->channel[d->cfg.channels];
}

static struct dram_channel *channel_of(const struct dram *d, gaddr_t addr)
{
    if (d->cfg.is_host && d->cfg.is_host(d->cfg.host_ctx, addr))
        return host_channel(d);

    if (d->cfg.channel_spread)
        return &d->channel[channel_spread(addr / d->cfg.interleave_bytes, d->cfg.channels)];
    if (d->cfg.channel_hash)
        return &d->channel[channel_hash(addr) & d->channel_mask];

    uint64_t unit = d->interleave_shift ? addr >> d->interleave_shift : addr / d->cfg.interleave_bytes;

    return &d->channel[d->channel_mask ? unit & d->channel_mask : unit % d->cfg.channels];
}

/* Opens the row of the request; returns whether it was open. */
static bool row_hit(struct dram *d, struct dram_channel *c, gaddr_t addr)
{
    uint64_t unit = addr / d->cfg.interleave_bytes / d->cfg.channels;
    uint64_t row = (unit * d->cfg.interleave_bytes + addr % d->cfg.interleave_bytes) / d->cfg.row_bytes;
    uint64_t *open = &c->row[row % d->cfg.banks];
    bool hit = *open == row + 1;

    *open = row + 1;
    d->stats.row_hits += hit;
    return hit;
}

bool dram_can_accept(const struct dram *d, gaddr_t addr)
{
    return fifo_can_accept(&channel_of(d, addr)->in_flight);
}

uint32_t dram_free_entries(const struct dram *d, gaddr_t addr)
{
    return fifo_free_entries(&channel_of(d, addr)->in_flight);
}

uint32_t dram_channel(const struct dram *d, gaddr_t addr)
{
    return (uint32_t)(channel_of(d, addr) - d->channel);
}

/* The cycle from which a transfer may begin: `now`, or when those before it and a refresh have ended. */
static cycle_t begin(const struct dram *d, struct dram_channel *c, cycle_t now)
{
    cycle_t at = c->free_at_fp >> RATE_FP_BITS;
    uint32_t every = d->cfg.refresh_every, cycles = d->cfg.refresh_cycles;

    at = at > now ? at : now;
    if (at >= c->refresh_at + cycles)
        c->refresh_at += (at - c->refresh_at - cycles) / every * every + every;
    return at < c->refresh_at ? now : c->refresh_at + cycles;
}

cycle_t dram_accept(struct dram *d, const struct mem_req *req, cycle_t now)
{
    struct dram_channel *c = channel_of(d, req->addr);
    struct dram_entry *e = fifo_push(&c->in_flight);

    uint32_t index = (uint32_t)(c - d->channel);
    d->busy[index / 64] |= UINT64_C(1) << (index % 64);
    bool host = c == host_channel(d);
    cycle_t from = d->cfg.refresh_cycles && !host ? begin(d, c, now) : now;
    cycle_t done = rate_transfer(&c->free_at_fp, req->bytes, host ? d->host_fp_per_byte : d->fp_per_byte, from) +
                   (host ? d->cfg.host_latency_cycles : d->cfg.latency_cycles);
    if (d->cfg.banks && !host && row_hit(d, c, req->addr))
        done -= d->cfg.row_hit_saves_cycles;
    if (done < c->last_done)
        done = c->last_done;
    c->last_done = done;
    *e = (struct dram_entry){.done = done, .token = req->token, .client = req->client};
    if (req->op == MEM_STORE) {
        d->stats.writes++;
        d->stats.write_bytes += req->bytes;
    } else {
        d->stats.reads++;
        d->stats.read_bytes += req->bytes;
    }
    /* an atomic that no cache has executed reads and writes */
    if (req->op == MEM_ATOMIC)
        d->stats.write_bytes += req->bytes;
    return done;
}

/* Completes the requests that are due; returns the cycle of the next. */
static cycle_t dram_tick_channel(struct dram *d, uint32_t i, cycle_t now)
{
    struct fifo *f = &d->channel[i].in_flight;
    const struct dram_entry *e;

    while ((e = fifo_front(f)) && e->done <= now) {
        struct dram_entry copy = *e;
        fifo_pop(f);
        d->freed_entry = true;
        if (copy.token != MEM_TOKEN_NONE)
            d->sink.complete(d->sink.ctx, copy.client, copy.token, now);
    }
    return e ? e->done : CYCLE_NEVER;
}

cycle_t dram_tick(struct dram *d, cycle_t now)
{
    cycle_t next = CYCLE_NEVER;

    d->freed_entry = false;
    for (uint32_t word = 0; word * 64 <= d->cfg.channels; word++)
        for (uint64_t m = d->busy[word]; m; m &= m - 1) {
            cycle_t front = dram_tick_channel(d, word * 64 + (uint32_t)__builtin_ctzll(m), now);
            if (front == CYCLE_NEVER)
                d->busy[word] &= ~(m & -m);
            next = front < next ? front : next;
        }
    return next;
}

bool dram_is_idle(const struct dram *d)
{
    for (uint32_t i = 0; i <= d->cfg.channels; i++)
        if (!fifo_is_idle(&d->channel[i].in_flight))
            return false;
    return true;
}

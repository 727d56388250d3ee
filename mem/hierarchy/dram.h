/* DRAM: channels of limited bandwidth with a fixed latency behind them, and row hits.
 *
 * A request accepted at cycle t by an idle channel, whose transfer takes no longer than a cycle, completes at
 * t + latency. Transfers of one channel follow each other at `bytes_per_cycle`; a longer transfer, or one after
 * others, completes later by as much (rounded up to the cycle; exact fractions are kept between requests). A channel
 * holds up to max_in_flight requests, posted writes included, from acceptance to completion.
 *
 * Rows. The bytes of a channel, taken together, lie in rows that are dealt to its banks in turn. Each bank keeps the
 * row of its last request open. A request to an open row is row_hit_saves_cycles quicker; the latency is that of a
 * closed row, as pointer chases find it. A channel completes requests in order, so a row hit after a row miss gains
 * nothing. Bandwidth does not depend on rows: opening a row is taken to be hidden behind the transfers of other banks.
 *
 * Refresh. Every refresh_every cycles a channel begins no transfer for refresh_cycles, the channels one after the
 * other. bytes_per_cycle and latency_cycles are means over that, as they are measured: between refreshes a channel is
 * so much faster, and the least latency is by the mean wait shorter.
 *
 * Left out: turnaround between reads and writes, which is part of the bandwidth as measured.
 *
 * Host memory, where some addresses lie there, is one more channel with latency and bandwidth of its own, which stand
 * for the bus there and back.
 */
#ifndef GCNSIM_MEM_DRAM_H
#define GCNSIM_MEM_DRAM_H

#include "mem/req.h"
#include "sim/util/error.h"
#include "sim/util/fifo.h"

struct dram_config {
    uint32_t latency_cycles; /* >= 1 */
    uint32_t channels;
    bool channel_hash;             /* channels are chosen by channel_hash(), which fits them (mem/channels.h) */
    bool channel_spread;           /* what-if: by channel_spread() instead */
    uint32_t interleave_bytes;     /* consecutive bytes of one channel */
    uint32_t max_in_flight;        /* per channel */
    uint32_t banks, row_bytes;     /* row_bytes a power of two; banks 0: rows are not modelled */
    uint32_t row_hit_saves_cycles; /* less than latency_cycles */
    double bytes_per_cycle;        /* of all channels together */
    uint32_t refresh_cycles;       /* less than refresh_every; 0: none */
    uint32_t refresh_every;

    bool (*is_host)(void *ctx, gaddr_t addr); /* whether an address lies in host memory; null: none does */
    void *host_ctx;
    uint32_t host_latency_cycles; /* >= 1 */
    double host_bytes_per_cycle;
};

struct dram_stats {
    uint64_t reads, writes;
    uint64_t read_bytes, write_bytes;
    uint64_t row_hits;
};

struct dram_channel {
    struct fifo in_flight; /* struct dram_entry, by completion cycle */
    uint64_t free_at_fp;   /* end of the last transfer, in 1/2^16 cycles */
    uint64_t *row;         /* open in each bank, + 1 */
    cycle_t refresh_at;    /* the first refresh that has not ended before the youngest transfer began */
    cycle_t last_done;
};

struct dram {
    struct dram_config cfg;
    struct mem_sink sink;
    struct dram_channel *channel;
    uint64_t busy[1024 / 64 + 1];           /* channels with a request in flight; the host's is the last */
    uint8_t interleave_shift;               /* 0: not a power of two */
    uint32_t channel_mask;                  /* 0: not a power of two, or one */
    uint64_t fp_per_byte, host_fp_per_byte; /* cost of a byte in 1/2^32 cycles */
    struct dram_stats stats;
    bool freed_entry; /* the last tick completed a request */
};

int dram_init(struct dram *d, const struct dram_config *cfg, struct mem_sink sink, struct arena *arena,
              struct err *err);
bool dram_can_accept(const struct dram *d, gaddr_t addr);
uint32_t dram_free_entries(const struct dram *d, gaddr_t addr); /* requests that may be accepted */
uint32_t dram_channel(const struct dram *d, gaddr_t addr);
/* Returns the cycle in which the request completes, which is not before the next one. */
cycle_t dram_accept(struct dram *d, const struct mem_req *req, cycle_t now);
cycle_t dram_tick(struct dram *d, cycle_t now);
bool dram_is_idle(const struct dram *d);

#endif

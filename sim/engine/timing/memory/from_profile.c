/* Builds the memory hierarchy and the LDS of a chip from its profile: turns load-to-use latencies into latencies of
 * single levels, and profile rows into configurations of mem/.
 */
#include "sim/engine/timing/memory/from_profile.h"

#include <math.h>

#include "sim/engine/timing/clock/dispatcher_layout.h"

enum mem_gen timing_mem_gen(const struct isa_target *t)
{
    static const struct {
        enum isa_node node;
        enum mem_gen gen;
    } map[] = {
        /* nearest first */
        {N_GFX12, MEM_GEN_GFX12},   {N_GFX11, MEM_GEN_GFX11},   {N_GFX10, MEM_GEN_GFX10}, {N_GFX950, MEM_GEN_GFX950},
        {N_GFX942, MEM_GEN_GFX942}, {N_GFX90A, MEM_GEN_GFX90A}, {N_GFX9, MEM_GEN_GFX9},   {N_GFX8, MEM_GEN_GFX8},
    };

    for (size_t k = 0; k < sizeof map / sizeof map[0]; k++)
        if (isa_node_under(t->node, map[k].node))
            return map[k].gen;
    return MEM_GEN_GFX8;
}

/* Requests of all clients that can be outstanding at a cache of some CUs: counters and queues keep below it. */
enum { MAX_WAITING = 4096 };

static uint32_t at_least(uint32_t v, uint32_t least)
{
    return v > least ? v : least;
}

/* What-ifs of a level. */
static bool has_no_latency(const struct profile_ideal *i, enum cache_level level)
{
    return (level == LEVEL_VL0 && i->no_vl0_latency) || (level == LEVEL_GL1 && i->no_gl1_latency) ||
           (level == LEVEL_L2 && i->no_l2_latency) || (level == LEVEL_MALL && i->no_mall_latency);
}

static void set_ideal(struct cache_config *cc, const struct profile_ideal *i, enum cache_level level)
{
    cc->channel_spread =
        i->spread_channels && (level == LEVEL_GL1 || level == LEVEL_L2 || level == LEVEL_MALL) && cc->channels > 1;
}

/* A level that adds `own` cycles to the path when it hits: half of them on the way down, half on the way up. */
static void set_level(struct cache_config *cc, const struct profile_cache *pc, enum cache_level level, uint32_t own)
{
    own = at_least(own, 2);
    cc->size_bytes = pc->size_bytes;
    cc->line_bytes = pc->line_bytes;
    cc->ways = pc->ways;
    cc->channels = pc->channels;
    cc->interleave_bytes = pc->channel_interleave_bytes;
    cc->channel_hash = pc->channel_hash;
    cc->set_hash = pc->set_hash;
    cc->request_bytes = pc->request_bytes;
    cc->line_cycles = pc->line_cycles;
    cc->store_miss_ack_cycles = pc->store_miss_ack_cycles;
    cc->hit_latency_cycles = own;
    cc->miss_latency_cycles = at_least(own - own / 2, 1);
    cc->fill_latency_cycles = own / 2;
    cc->lookups_per_cycle = pc->tag_lookups_per_cycle;
    cc->bytes_per_cycle = pc->bytes_per_cycle;
    cc->mshrs = pc->mshrs;
    /* Nothing limits the requests that wait for one line: ROCm Compute Profiler counts a miss of K$ or I$ to a line on
     * its way as a duplicate and one of the vector caches as a hit, and reports no stall. The places bound host
     * memory. */
    cc->mshr_targets = at_least(pc->mshrs, (MAX_WAITING + pc->mshrs * pc->channels - 1) / (pc->mshrs * pc->channels));
    /* the instruction cache passes nothing: fetches have no hint, and nobody stores through it */
    cc->pass_slots = level == LEVEL_I ? 1 : pc->pass_entries;
    cc->input_queue = cc->output_queue = pc->queue_entries;
    cc->write_allocate = pc->write_allocate;
    cc->replacement = pc->replacement == PROFILE_FIFO     ? CACHE_FIFO
                      : pc->replacement == PROFILE_RANDOM ? CACHE_RANDOM
                                                          : CACHE_LRU;
    if (level == LEVEL_K || level == LEVEL_I || level == LEVEL_GL1)
        cc->write = CACHE_READ_ONLY;
    else
        cc->write = pc->write_policy == PROFILE_WRITE_BACK ? CACHE_WRITE_BACK : CACHE_WRITE_THROUGH;
    /* AMD's vector caches mark a tag when they miss (ROCm Compute Profiler counts stalls on tag conflicts) */
    cc->reserves_ways = level == LEVEL_VL0;
    /* atomics are executed at L2 (ROCm Compute Profiler) */
    cc->atomics = level == LEVEL_L2 && cc->write == CACHE_WRITE_BACK;
}

void timing_shapes_init(struct vector_shapes *s, const struct profile *p)
{
    const struct profile_cache *c = &p->cache[LEVEL_VL0];
    uint32_t wide = p->cu.wide_address_lanes_per_cycle;

    uint32_t row = c->data_banks * 4;

    /* a data array that is wider than the data path sends no more */
    if (c->bytes_per_cycle < row)
        row = (uint32_t)c->bytes_per_cycle;
    *s = (struct vector_shapes){.row_bytes = c->address_pipelines ? row : 0};
    for (unsigned k = 0; k < 2; k++) {
        s->other[k] = (struct coalesce_shape){.line_bytes = c->line_bytes,
                                              .lanes_per_cycle = k && wide ? wide : p->cu.simd_lanes};
        s->load[k] = s->other[k];
        if (!c->address_pipelines)
            continue;
        s->load[k].pipelines = c->address_pipelines;
        s->load[k].pipeline_bytes = s->row_bytes / c->address_pipelines;
        s->load[k].window = c->conflict_window_addresses;
        s->load[k].tag_banks = c->tag_lookups_per_cycle;
        s->load[k].data_banks = c->data_banks;
    }
}

/* Profiles give load-to-use figures as pointer chases measure them: from one load to the next that needs its result.
 * Three parts of those are not the levels' own latency. The first follows the completion of the load
 * (frontend.completion_to_issue_cycles); the second are the cycles beyond the first that a line takes on its way up;
 * the third are the lookups beyond the first of the chase of gpu-benches, in which all lanes of a wave load 8 bytes. */
static uint32_t more_beats(uint32_t bytes, double bytes_per_cycle)
{
    uint32_t beats = (uint32_t)ceil(bytes / bytes_per_cycle);

    return beats ? beats - 1 : 0;
}

uint32_t timing_chase_lookups(const struct profile *p)
{
    static const gaddr_t same[COALESCE_LANES];
    struct vector_shapes shapes;
    struct coalesced c;

    timing_shapes_init(&shapes, p);
    if (!shapes.row_bytes)
        return 0;
    coalesce(same, lane_mask(p->cu.vgprs_per_simd_w32 ? 32 : 64), 8, &shapes.load[1], &c);
    return c.lookup_cycles - 1;
}

static uint32_t less(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

/* Latencies of MALL and DRAM in profiles are means over all dies of a fabric: the mean number of hops there and back is
 * part of them. */
static uint32_t mean_hop_cycles(const struct hierarchy_config *cfg)
{
    return (uint32_t)lround(2 * fabric_mean_hops(&cfg->fabric) * cfg->fabric.hop_cycles);
}

static uint32_t shared_by(const struct profile_cache *pc, uint32_t cus)
{
    return pc->shared_by_cus ? pc->shared_by_cus : cus;
}

static uint32_t common_multiple(uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b;

    while (y) {
        uint32_t rest = x % y;

        x = y;
        y = rest;
    }
    return a / x * b;
}

/* The smallest groups of CUs that share no cache in front of L2 with others. */
static uint32_t group_of(const struct profile *p, const struct hierarchy_config *cfg)
{
    uint32_t n = common_multiple(cfg->cus_per_k, cfg->cus_per_i);

    if (cfg->present[LEVEL_GL1])
        n = common_multiple(n, cfg->cus_per_gl1);
    n = common_multiple(n, p->gpu.cus_per_wgp);
    /* on a chip of several dies a group lies on one */
    return cfg->l2s > 1 && cfg->cus_per_l2_turn % n ? cfg->cus : n;
}

static void set_link(struct hierarchy_config *cfg, const struct profile *p, struct timing_mem_shape *shape)
{
    struct cache_config *l2 = &cfg->cache[LEVEL_L2];

    /* the way up of L2's latency is taken out of L2 and put on the links */
    cfg->link_cycles = l2->fill_latency_cycles;
    if (cfg->link_cycles >= l2->hit_latency_cycles)
        cfg->link_cycles = l2->hit_latency_cycles - 1;
    l2->hit_latency_cycles -= cfg->link_cycles;
    l2->fill_latency_cycles -= cfg->link_cycles;
    cfg->cus_per_group = shape->cus_per_group = group_of(p, cfg);
    shape->epoch_cycles = cfg->link_cycles < HIERARCHY_MAX_EPOCH ? cfg->link_cycles : HIERARCHY_MAX_EPOCH;
    if (p->frontend.launch_latency_cycles < shape->epoch_cycles)
        shape->epoch_cycles = p->frontend.launch_latency_cycles;
    shape->start_cycles = shape->epoch_cycles;
    if (!shape->epoch_cycles)
        shape->epoch_cycles = 1;
}

/* What a profile with host.kernarg has in memory of the host. */
static bool in_host(uint32_t kind)
{
    return kind == MEM_KIND_KERNARG || kind == MEM_KIND_SYSTEM;
}

/* The allocation that holds an address, for address translation. */
static bool find_block(void *ctx, gaddr_t addr, struct tlb_block *out)
{
    const struct mem_range *r = mem_space_find(ctx, addr);
    uint32_t kind = r ? r->flags & MEM_KIND_MASK : MEM_KIND_DATA;

    if (!r)
        return false;
    *out = (struct tlb_block){r->lo, r->hi, kind >> 8, kind == MEM_KIND_DATA, in_host(kind)};
    return true;
}

/* Kernel arguments, packets and queues lie in host memory where the profile says so. */
static bool is_host(void *ctx, gaddr_t addr)
{
    const struct mem_range *r = mem_space_find(ctx, addr);
    uint32_t kind = r ? r->flags & MEM_KIND_MASK : MEM_KIND_DATA;

    return in_host(kind);
}

/* reached: load to use of a hit in the last cache; line: the line of that cache in bytes. */
static struct dram_config dram_of(const struct profile *p, const struct mem_space *space, uint32_t reached,
                                  uint32_t line)
{
    uint32_t above = reached + more_beats(line, p->dram.bytes_per_cycle / p->dram.channels);
    double ghz = p->gpu.shader_clock_mhz * 1e-3;
    struct dram_config d = {
        .latency_cycles = p->ideal.no_dram_latency ? 1 : at_least(less(p->dram.latency_cycles, above), 1),
        .channels = p->dram.channels,
        .interleave_bytes = p->cache[LEVEL_L2].channel_interleave_bytes,
        .channel_hash = profile_dram_hashes(p),
        .bytes_per_cycle = p->dram.bytes_per_cycle,
        .refresh_cycles = (uint32_t)lround(p->dram.refresh_ns * ghz),
        .refresh_every = (uint32_t)lround(p->dram.refresh_interval_ns * ghz),
        .channel_spread = p->ideal.spread_channels,
        .banks = p->dram.row_hit_saves_cycles ? p->dram.banks : 0,
        .row_bytes = p->dram.row_bytes,
        .max_in_flight = p->dram.queue_entries,
    };

    if (p->dram.row_hit_saves_cycles < d.latency_cycles)
        d.row_hit_saves_cycles = p->dram.row_hit_saves_cycles;
    if (p->host.kernarg) {
        d.is_host = is_host;
        d.host_ctx = (void *)space;
        d.host_latency_cycles = p->ideal.no_dram_latency ? 1 : at_least(less(p->host.latency_cycles, reached), 1);
        d.host_bytes_per_cycle = p->host.bytes_per_cycle;
    }
    return d;
}

static struct tlb_config tlb_of(const struct profile *p, const struct mem_space *space)
{
    return (struct tlb_config){
        .page_bytes = p->tlb.page_bytes,
        .entries = p->tlb.utcl1_entries,
        .miss_cycles = p->tlb.utcl1_miss_cycles,
        .utcl2_entries = p->tlb.utcl2_entries,
        .utcl2_ways = p->tlb.utcl2_ways,
        .walk_levels = p->tlb.walk_levels,
        .read_cycles = p->tlb.walk_read_cycles,
        .host_cycles = p->host.kernarg ? p->host.translate_cycles : 0,
        .walkers = p->tlb.walkers,
        .ctx = (void *)space,
        .find = find_block,
        .copies_translated = p->tlb.copies_translated,
        .neighbour_bytes = p->tlb.neighbour_bytes,
    };
}

/* A level with smaller lines, as a what-if may have them, gets stores of a line. */
static uint32_t store_request(const struct profile *p, const struct profile_cache *level)
{
    uint32_t bytes = p->cache[LEVEL_VL0].store_request_bytes;

    return bytes < level->line_bytes ? bytes : level->line_bytes;
}

/* What load to use of the vector path comes to at its last level, whose lines have *line bytes. */
static uint32_t set_levels(struct hierarchy_config *cfg, const struct profile *p, uint32_t *line)
{
    /* the vector path from the top, each level's latency on top of the one before, then those beside it */
    static const enum cache_level order[] = {LEVEL_VL0, LEVEL_GL1, LEVEL_L2, LEVEL_MALL, LEVEL_K, LEVEL_I};
    uint32_t reached = 0;

    *line = 0;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        enum cache_level level = order[k];
        const struct profile_cache *pc = &p->cache[level];
        bool side = level == LEVEL_K || level == LEVEL_I;

        if (!pc->present)
            continue;
        cfg->present[level] = true;
        if (level == LEVEL_I)
            set_level(&cfg->cache[level], pc, level, p->frontend.fetch_latency_cycles);
        else if (has_no_latency(&p->ideal, level))
            set_level(&cfg->cache[level], pc, level, 0);
        else if (side || !*line)
            set_level(&cfg->cache[level], pc, level,
                      less(pc->hit_latency_cycles,
                           p->frontend.completion_to_issue_cycles + (side ? 0 : timing_chase_lookups(p))));
        else
            set_level(&cfg->cache[level], pc, level,
                      less(pc->hit_latency_cycles - reached,
                           more_beats(*line, pc->bytes_per_cycle) + (level == LEVEL_MALL ? mean_hop_cycles(cfg) : 0)));
        set_ideal(&cfg->cache[level], &p->ideal, level);
        if (level == LEVEL_VL0 || level == LEVEL_L2)
            cfg->cache[level].store_request_bytes = store_request(p, pc);
        if (!side) {
            reached = pc->hit_latency_cycles;
            *line = pc->line_bytes;
        }
    }
    return reached;
}

/* A write-back of a whole L2 looks at all lines of its channels, these at the same time. */
static uint32_t write_back_cycles(const struct profile_cache *l2)
{
    uint32_t lines = l2->size_bytes / l2->line_bytes / l2->channels;

    return l2->write_back_lines_per_cycle ? lines / l2->write_back_lines_per_cycle : 0;
}

struct hierarchy *timing_mem_new(const struct profile *p, const struct isa_target *t, const struct mem_space *space,
                                 uint32_t cus, const struct hierarchy_watch *watch, struct timing_mem_shape *shape,
                                 struct err *e)
{
    struct hierarchy_config cfg;
    struct hierarchy *h;
    uint32_t reached, line;

    memset(&cfg, 0, sizeof cfg);
    cfg.gen = timing_mem_gen(t);
    cfg.watch = *watch;
    cfg.budget = space->budget;
    cfg.cus = cus;
    cfg.cus_per_k = shared_by(&p->cache[LEVEL_K], cus);
    cfg.cus_per_i = shared_by(&p->cache[LEVEL_I], cus);
    cfg.cus_per_gl1 = shared_by(&p->cache[LEVEL_GL1], cus);
    cfg.k_through_gl1 = p->cache[LEVEL_GL1].serves_scalar;
    cfg.i_through_gl1 = p->cache[LEVEL_GL1].serves_instructions;
    if (p->gpu.xcds > 1) {
        /* workgroups go to the dies in turn: neighbouring shader engines lie on different ones */
        cfg.l2s = p->gpu.xcds;
        cfg.cus_per_l2_turn = dispatcher_share(p) * p->gpu.cus_per_wgp;
        cfg.l2s_coherent = true;
        cfg.fabric = (struct fabric_config){p->fabric.iod_columns, p->fabric.iod_rows, p->fabric.hop_cycles,
                                            p->fabric.link_bytes_per_cycle, p->fabric.xcd_bytes_per_cycle};
        cfg.l2s_per_die = p->fabric.xcds_per_iod;
        cfg.probe_cycles = less(p->fabric.probe_cycles, mean_hop_cycles(&cfg));
    }
    cfg.max_outstanding = MAX_WAITING; /* bounds host memory; wait counters and queues of a CU keep below it */
    reached = set_levels(&cfg, p, &line);
    cfg.write_back_cycles = write_back_cycles(&p->cache[LEVEL_L2]);
    set_link(&cfg, p, shape);
    if (!cfg.present[LEVEL_MALL])
        reached += mean_hop_cycles(&cfg);
    cfg.dram = dram_of(p, space, reached, line);
    cfg.tlb = tlb_of(p, space);
    h = hierarchy_new(&cfg, e);
    if (!h)
        err_prefix(e, "profile %s", p->name);
    return h;
}

void timing_lds_init(struct lds_config *c, const struct profile *p, uint32_t wave_lanes)
{
    const struct profile_lds *l = &p->lds;

    lds_config_init(
        c, &(struct lds_shape){
               .wave_lanes = wave_lanes,
               .banks = p->cu.lds_banks,
               .store_banks = l->store_banks ? l->store_banks : p->cu.lds_banks,
               .read_phase_lanes = {l->read_b32_lanes, l->read_b64_lanes, l->read_b96_lanes, l->read_b128_lanes},
               .store_phase_lanes = {l->store_b32_lanes, l->store_b64_lanes, l->store_b96_lanes, l->store_b128_lanes},
               .interleaved_wide_reads = l->wide_read_order == PROFILE_LDS_INTERLEAVED,
               .sends_whole_rows = l->sends_whole_rows,
               .inbound_bytes_per_cycle = l->inbound_bytes_per_cycle,
               .outbound_bytes_per_cycle = p->cu.lds_bytes_per_cycle,
               .lanes_per_cycle = p->cu.lds_lanes_per_cycle,
               .result_b96_bytes = l->result_b96_bytes,
               .no_conflicts = p->ideal.no_lds_conflicts,
           });
}

/* Memory in the report: caches, DRAM, LDS, and what each memory instruction did. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/api.h"

static const char *const scope_key[] = {[SCOPE_CU] = "cu", [SCOPE_SE] = "se", [SCOPE_DEV] = "dev", [SCOPE_SYS] = "sys"};
static const char *const hint_key[] = {
    [TH_RT] = "rt",       [TH_NT] = "nt",       [TH_HT] = "ht",       [TH_LU] = "lu",
    [TH_NT_RT] = "nt_rt", [TH_RT_NT] = "rt_nt", [TH_NT_HT] = "nt_ht", [TH_WB] = "nt_wb",
};

/* ---- making ---- */

static bool make_evictions(struct gcnsim_cache_stats *s, const struct engine_cache_stats *c, struct arena *arena)
{
    struct gcnsim_eviction *e = ARENA_NEW(arena, 4 * 8, struct gcnsim_eviction);

    if (!e)
        return false;
    s->evictions_by_hint = e;
    for (unsigned scope = 0; scope < 4; scope++)
        for (unsigned hint = 0; hint < 8; hint++)
            if (c->evicted[scope][hint])
                e[s->eviction_hint_count++] =
                    (struct gcnsim_eviction){scope_key[scope], hint_key[hint], c->evicted[scope][hint]};
    return true;
}

static double ratio(uint64_t part, double whole)
{
    return whole > 0 ? (double)part / whole : 0;
}

static bool make_caches(struct gcnsim_result *r, const struct engine_result *er, struct arena *arena)
{
    struct gcnsim_cache_stats *s = ARENA_NEW(arena, LEVEL_COUNT, struct gcnsim_cache_stats);

    if (!s)
        return false;
    r->has_cache = 1;
    r->caches = s;
    for (unsigned i = 0; i < LEVEL_COUNT; i++) {
        const struct engine_cache_stats *c = &er->cache[i];

        if (!c->present)
            continue;
        s = (struct gcnsim_cache_stats *)&r->caches[r->cache_count++];
        *s = (struct gcnsim_cache_stats){
            .name = cache_level_key[i],
            .accesses = c->accesses,
            .hits = c->hits,
            .misses = c->misses,
            .hits_on_miss = c->mshr_merges,
            .evictions = c->evictions,
            .writebacks = c->writebacks,
            .read_bytes = c->read_bytes,
            .write_bytes = c->write_bytes,
            .bypasses = c->bypasses,
            .prefetches = c->prefetches,
            .claims = c->upgrades,
            .yields = c->downgrades,
            .dirty_yields = c->dirty_downgrades,
            .load_bytes = c->load_bytes,
            .store_bytes = c->store_bytes,
            .average_latency_cycles = ratio(c->load_latency_cycles, (double)c->loads),
            .utilization = ratio(c->data_cycles, (double)c->data_paths * (double)er->cycles),
        };
        if (!make_evictions(s, c, arena))
            return false;
    }
    return true;
}

static bool make_instructions(struct gcnsim_result *r, const struct launch *l, const struct engine_result *er,
                              const struct report_context *c, struct arena *arena)
{
    struct gcnsim_memory_instruction *m = ARENA_NEW(arena, er->memory_inst_count + 1, struct gcnsim_memory_instruction);

    if (!m)
        return false;
    r->has_memory_instructions = 1;
    r->memory_instructions = m;
    r->memory_instruction_count = er->memory_inst_count;
    r->memory_instructions_left_out = er->memory_insts_left_out;
    for (unsigned k = 0; k < er->memory_inst_count; k++) {
        const struct engine_memory_inst *i = &er->memory_inst[k];
        char text[200], *copy;

        report_instruction_text(l, i->pc, text, sizeof text);
        copy = arena_alloc(arena, strlen(text) + 1, 1, 1);
        if (!copy)
            return false;
        memcpy(copy, text, strlen(text) + 1);
        m[k] = (struct gcnsim_memory_instruction){.pc = i->pc,
                                                  .pc_offset = i->pc - c->load_base + c->base_vaddr,
                                                  .instruction = copy,
                                                  .count = i->count,
                                                  .lines = i->lines,
                                                  .bytes = i->bytes,
                                                  .lds_count = i->lds_count,
                                                  .bank_conflict_cycles = i->conflict_cycles,
                                                  .address_conflict_cycles = i->addr_conflict_cycles};
    }
    return true;
}

bool report_memory_make(struct gcnsim_result *r, const struct launch *l, const struct engine_result *er,
                        const struct report_context *c, struct arena *arena)
{
    r->has_lds = er->has_lds;
    r->lds_accesses = er->lds_accesses;
    r->lds_bank_conflict_cycles = er->lds_bank_conflict_cycles;
    r->lds_address_conflict_cycles = er->lds_addr_conflict_cycles;
    r->has_translation = er->has_translation;
    r->translations = er->translations;
    r->translation_misses = er->translation_misses;
    r->page_walks = er->page_walks;
    r->page_table_reads = er->page_table_reads;
    r->has_dram = er->has_dram;
    r->dram_read_bytes = er->dram_read_bytes;
    r->dram_write_bytes = er->dram_write_bytes;
    if (er->has_dram && l->profile)
        r->dram_utilization =
            ratio(er->dram_read_bytes + er->dram_write_bytes, (double)er->cycles * l->profile->dram.bytes_per_cycle);
    r->has_fabric = er->has_fabric;
    r->fabric_links = er->fabric_links;
    r->fabric_bytes = er->fabric_bytes;
    r->fabric_busiest_from = er->fabric_busiest_from;
    r->fabric_busiest_to = er->fabric_busiest_to;
    r->fabric_busiest_bytes = er->fabric_busiest_bytes;
    if (er->has_fabric && l->profile)
        r->fabric_busiest_utilization =
            ratio(er->fabric_busiest_bytes, (double)er->cycles * l->profile->fabric.link_bytes_per_cycle);
    if (er->has_cache && !make_caches(r, er, arena))
        return false;
    return !er->has_memory_insts || make_instructions(r, l, er, c, arena);
}

/* ---- JSON ---- */

static void number(FILE *f, const char *key, uint64_t value)
{
    fprintf(f, ",\n      \"%s\": %" PRIu64, key, value);
}

static void json_cache(FILE *f, const struct gcnsim_cache_stats *c)
{
    fprintf(f, "    \"%s\": {\n      \"accesses\": %" PRIu64, c->name, c->accesses);
    number(f, "hits", c->hits);
    number(f, "misses", c->misses);
    number(f, "hits_on_miss", c->hits_on_miss);
    number(f, "bypasses", c->bypasses);
    number(f, "prefetches", c->prefetches);
    number(f, "evictions", c->evictions);
    number(f, "writebacks", c->writebacks);
    number(f, "claims", c->claims);
    number(f, "yields", c->yields);
    number(f, "dirty_yields", c->dirty_yields);
    number(f, "load_bytes", c->load_bytes);
    number(f, "store_bytes", c->store_bytes);
    number(f, "read_bytes", c->read_bytes);
    number(f, "write_bytes", c->write_bytes);
    fprintf(f, ",\n      \"average_latency_cycles\": %.6g,\n      \"utilization\": %.6g", c->average_latency_cycles,
            c->utilization);
    fputs(",\n      \"evictions_by_hint\": [", f);
    for (size_t k = 0; k < c->eviction_hint_count; k++)
        fprintf(f, "%s\n        {\"scope\": \"%s\", \"hint\": \"%s\", \"lines\": %" PRIu64 "}", k ? "," : "",
                c->evictions_by_hint[k].scope, c->evictions_by_hint[k].hint, c->evictions_by_hint[k].lines);
    fputs(c->eviction_hint_count ? "\n      ]\n    }" : "]\n    }", f);
}

static void json_instructions(FILE *f, const struct gcnsim_result *r)
{
    if (!r->has_memory_instructions) {
        fputs("  \"memory_instructions\": null,\n", f);
        return;
    }
    fputs("  \"memory_instructions\": [", f);
    for (size_t k = 0; k < r->memory_instruction_count; k++) {
        const struct gcnsim_memory_instruction *m = &r->memory_instructions[k];

        fprintf(f, "%s\n    {\n      \"pc\": \"0x%" PRIx64 "\",\n      \"pc_offset\": \"0x%" PRIx64 "\"", k ? "," : "",
                m->pc, m->pc_offset);
        fputs(",\n      \"instruction\": ", f);
        report_json_string(f, m->instruction);
        number(f, "count", m->count);
        number(f, "lines", m->lines);
        number(f, "bytes", m->bytes);
        fprintf(f, ",\n      \"lines_per_access\": %.6g", ratio(m->lines, (double)m->count));
        number(f, "lds_count", m->lds_count);
        number(f, "bank_conflict_cycles", m->bank_conflict_cycles);
        number(f, "address_conflict_cycles", m->address_conflict_cycles);
        fputs("\n    }", f);
    }
    fprintf(f, "%s],\n  \"memory_instructions_left_out\": %" PRIu64 ",\n", r->memory_instruction_count ? "\n  " : "",
            r->memory_instructions_left_out);
}

void report_memory_json(FILE *f, const struct gcnsim_result *r)
{
    if (r->has_lds)
        fprintf(f,
                "  \"lds\": {\n    \"accesses\": %" PRIu64 ",\n    \"bank_conflict_cycles\": %" PRIu64
                ",\n    \"address_conflict_cycles\": %" PRIu64 "\n  },\n",
                r->lds_accesses, r->lds_bank_conflict_cycles, r->lds_address_conflict_cycles);
    else
        fputs("  \"lds\": null,\n", f);
    if (!r->has_cache) {
        fputs("  \"cache\": null,\n", f);
    } else {
        fputs("  \"cache\": {", f);
        for (size_t i = 0; i < r->cache_count; i++) {
            fputs(i ? ",\n" : "\n", f);
            json_cache(f, &r->caches[i]);
        }
        fputs("\n  },\n", f);
    }
    if (r->has_dram)
        fprintf(f,
                "  \"dram\": {\n    \"read_bytes\": %" PRIu64 ",\n    \"write_bytes\": %" PRIu64
                ",\n    \"utilization\": %.6g\n  },\n",
                r->dram_read_bytes, r->dram_write_bytes, r->dram_utilization);
    else
        fputs("  \"dram\": null,\n", f);
    if (r->has_fabric)
        fprintf(f,
                "  \"fabric\": {\n    \"links\": %" PRIu32 ",\n    \"bytes\": %" PRIu64
                ",\n    \"busiest_link\": {\n      \"from\": %" PRIu32 ",\n      \"to\": %" PRIu32
                ",\n      \"bytes\": %" PRIu64 ",\n      \"utilization\": %.6g\n    }\n  },\n",
                r->fabric_links, r->fabric_bytes, r->fabric_busiest_from, r->fabric_busiest_to, r->fabric_busiest_bytes,
                r->fabric_busiest_utilization);
    else
        fputs("  \"fabric\": null,\n", f);
    if (r->has_translation)
        fprintf(f,
                "  \"translation\": {\n    \"lookups\": %" PRIu64 ",\n    \"misses\": %" PRIu64
                ",\n    \"page_walks\": %" PRIu64 ",\n    \"page_table_reads\": %" PRIu64 "\n  },\n",
                r->translations, r->translation_misses, r->page_walks, r->page_table_reads);
    else
        fputs("  \"translation\": null,\n", f);
    json_instructions(f, r);
}

/* ---- text ---- */

static void text_caches(FILE *f, const struct gcnsim_result *r)
{
    char a[32], b[32], c[32], d[32];

    /* joined: of the misses those that waited for the line of one before them */
    fputs("\nCaches          accesses          hits        misses      joined    rate latency\n", f);
    for (size_t i = 0; i < r->cache_count; i++) {
        const struct gcnsim_cache_stats *s = &r->caches[i];

        fprintf(f, "  %-8s %13s %13s %13s %11s", s->name, report_grouped(s->accesses, a), report_grouped(s->hits, b),
                report_grouped(s->misses, c), report_grouped(s->hits_on_miss, d));
        if (s->hits + s->misses)
            fprintf(f, "  %5.1f%%", 100.0 * (double)s->hits / (double)(s->hits + s->misses));
        else
            fprintf(f, "  %6s", "");
        if (s->average_latency_cycles > 0)
            fprintf(f, " %7.0f", s->average_latency_cycles);
        fputc('\n', f);
    }
    fputs("\nCache data       bytes up     bytes down       evicted   written back  path use\n", f);
    for (size_t i = 0; i < r->cache_count; i++) {
        const struct gcnsim_cache_stats *s = &r->caches[i];

        fprintf(f, "  %-8s %14s %14s %13s %14s    %5.1f%%\n", s->name, report_grouped(s->load_bytes, a),
                report_grouped(s->store_bytes, b), report_grouped(s->evictions, c), report_grouped(s->writebacks, d),
                100.0 * s->utilization);
    }
    for (size_t i = 0; i < r->cache_count; i++) {
        const struct gcnsim_cache_stats *s = &r->caches[i];

        if (s->bypasses)
            fprintf(f, "  %s: %s of the accesses went on below by their hint\n", s->name,
                    report_grouped(s->bypasses, a));
        if (s->prefetches)
            fprintf(f, "  %s: %s of the accesses prefetch\n", s->name, report_grouped(s->prefetches, a));
        if (s->claims || s->yields)
            fprintf(f, "  %s: %s lines given up to other dies, %s of them changed; %s atomics found theirs shared\n",
                    s->name, report_grouped(s->yields, a), report_grouped(s->dirty_yields, b),
                    report_grouped(s->claims, c));
        for (size_t k = 0; k < s->eviction_hint_count; k++) {
            const struct gcnsim_eviction *e = &s->evictions_by_hint[k];

            if (strcmp(e->scope, "cu") || strcmp(e->hint, "rt"))
                fprintf(f, "  %s: %s of the evicted lines had scope %s, hint %s\n", s->name,
                        report_grouped(e->lines, a), e->scope, e->hint);
        }
    }
}

static void text_instructions(FILE *f, const struct gcnsim_result *r)
{
    char a[32], b[32];

    if (!r->memory_instruction_count)
        return;
    fputs("\nMemory         executed  lines  conflicts  instruction\n", f);
    for (size_t k = 0; k < r->memory_instruction_count; k++) {
        const struct gcnsim_memory_instruction *m = &r->memory_instructions[k];
        uint64_t count = m->count > m->lds_count ? m->count : m->lds_count;

        fprintf(f, "  0x%-7" PRIx64 " %11s ", m->pc_offset, report_grouped(count, a));
        if (m->count)
            fprintf(f, "%6.1f ", ratio(m->lines, (double)m->count));
        else
            fprintf(f, "%6s ", "");
        if (m->lds_count)
            fprintf(f, "%10s", report_grouped(m->bank_conflict_cycles + m->address_conflict_cycles, b));
        else
            fprintf(f, "%10s", "");
        fprintf(f, "  %s\n", m->instruction);
    }
    if (r->memory_instructions_left_out)
        fprintf(f, "  and %s more\n", report_grouped(r->memory_instructions_left_out, a));
}

void report_memory_text(FILE *f, const struct gcnsim_result *r)
{
    char a[32];

    if (r->has_lds && r->lds_accesses) {
        fputs("\nLDS\n", f);
        fprintf(f, "  accesses      %s\n", report_grouped(r->lds_accesses, a));
        fprintf(f, "  conflicts     %s cycles\n", report_grouped(r->lds_bank_conflict_cycles, a));
        if (r->lds_address_conflict_cycles)
            fprintf(f, "  same address  %s cycles, of atomics\n", report_grouped(r->lds_address_conflict_cycles, a));
    }
    if (r->has_cache)
        text_caches(f, r);
    if (r->has_dram) {
        fputs("\nDRAM\n", f);
        fprintf(f, "  read          %s bytes\n", report_grouped(r->dram_read_bytes, a));
        fprintf(f, "  written       %s bytes\n", report_grouped(r->dram_write_bytes, a));
        fprintf(f, "  bandwidth     %.1f%% of the profile's\n", 100.0 * r->dram_utilization);
    }
    if (r->has_fabric) {
        fputs("\nFabric\n", f);
        fprintf(f, "  data          %s bytes over %" PRIu32 " links\n", report_grouped(r->fabric_bytes, a),
                r->fabric_links);
        fprintf(f, "  busiest       %s bytes from die %" PRIu32 " to %" PRIu32,
                report_grouped(r->fabric_busiest_bytes, a), r->fabric_busiest_from, r->fabric_busiest_to);
        if (r->fabric_busiest_utilization > 0)
            fprintf(f, ", %.1f%% of its bandwidth", 100.0 * r->fabric_busiest_utilization);
        fputc('\n', f);
    }
    if (r->has_translation) {
        fputs("\nTranslation\n", f);
        fprintf(f, "  lookups       %s\n", report_grouped(r->translations, a));
        fprintf(f, "  misses        %s\n", report_grouped(r->translation_misses, a));
        fprintf(f, "  page walks    %s", report_grouped(r->page_walks, a));
        fprintf(f, ", %s page tables read\n", report_grouped(r->page_table_reads, a));
    }
    text_instructions(f, r);
}

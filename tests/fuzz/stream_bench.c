/* The bench of random programs: address space, launch, and comparison of runs. */
#define _GNU_SOURCE
#include "tests/fuzz/stream_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/check/check.h"
#include "sim/launch/state.h"

enum {
    GUARD = 1 << 20,
    REGION = 1 << STREAM_REGION_SHIFT,
    REGIONS = REGION * STREAM_MAX_WAVES,
    SCRATCH_SLOT = STREAM_SCRATCH_BYTES * 64,
    SCRATCH = SCRATCH_SLOT * STREAM_MAX_WAVES,
    CODE = STREAM_MAX_WORDS * 4,
    MAP = GUARD + REGIONS + GUARD + SCRATCH + GUARD + CODE + GUARD,
};
/* sums with offsets of either sign stay within the same 4 GiB */
#define PLACE UINT64_C(0x7d0040000000)

static void fill_template(uint8_t *bytes)
{
    static const uint32_t special[] = {0,          1,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       0x3f800000, 0xbf800000, 0x00000001, 0x807fffff, 0x7f7fffff, 0x7c007c00,
                                       0x3c003c00, 0x00010001, 0xffffffff, 0x7fffffff};
    struct stream_rng g;

    stream_seed(&g, NULL, 0, 0x5eed);
    for (unsigned k = 0; k < STREAM_DATA_BYTES; k += 4) {
        uint32_t v = stream_draw(&g);

        if (stream_chance(&g, 20))
            v = special[stream_below(&g, sizeof special / sizeof special[0])];
        else if (stream_chance(&g, 40)) /* a float of usual size */
            v = (v & 0x83ffffff) | 0x3c000000;
        memcpy(bytes + k, &v, 4);
    }
}

bool stream_bench_open(struct stream_bench *b)
{
    void *at = mmap((void *)(uintptr_t)PLACE, MAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    *b = (struct stream_bench){0};
    if (at == MAP_FAILED)
        return false;
    b->map = at;
    b->region = b->map + GUARD;
    b->scratch = b->region + REGIONS + GUARD;
    b->code = b->scratch + SCRATCH + GUARD;
    b->kept = malloc(REGIONS);
    b->template = malloc(STREAM_DATA_BYTES);
    if ((uint64_t)(uintptr_t)at != PLACE || !b->kept || !b->template ||
        mprotect(b->region, REGIONS, PROT_READ | PROT_WRITE) || mprotect(b->scratch, SCRATCH, PROT_READ | PROT_WRITE) ||
        mprotect(b->code, CODE, PROT_READ | PROT_WRITE)) {
        stream_bench_close(b);
        return false;
    }
    fill_template(b->template);
    b->places = (struct stream_places){.region = (gaddr_t)(uintptr_t)b->region,
                                       .shared_aperture = LAUNCH_SHARED_APERTURE,
                                       .private_aperture = LAUNCH_PRIVATE_APERTURE};
    return true;
}

void stream_bench_close(struct stream_bench *b)
{
    if (b->map)
        munmap(b->map, MAP);
    free(b->kept);
    free(b->template);
    *b = (struct stream_bench){0};
}

static uint32_t waves_of(const struct stream *s, uint32_t groups)
{
    return groups * s->shape.waves;
}

/* Memory as every run finds it: data that differ from wave to wave, and zeros. */
static void fill_memory(struct stream_bench *b, const struct stream *s, uint32_t groups)
{
    for (uint32_t w = 0; w < waves_of(s, groups); w++) {
        uint8_t *r = b->region + (size_t)w * REGION;

        memcpy(r, b->template, STREAM_DATA_BYTES);
        for (unsigned k = 0; k < STREAM_DATA_BYTES; k += 256)
            r[k + w % 256] ^= (uint8_t)(w * 37 + k);
        memset(r + STREAM_DATA_BYTES, 0, REGION - STREAM_DATA_BYTES);
    }
    memset(b->scratch, 0, (size_t)waves_of(s, groups) * SCRATCH_SLOT);
    memcpy(b->code, s->word, s->words * 4);
}

/* Everything that a launch needs. */
struct launch_parts {
    struct mem_space space;
    struct isa_program *program;
    struct launch_state state;
    struct launch launch;
};

static int make_space(struct launch_parts *p, const struct stream_bench *b, const struct stream *s,
                      const struct stream_run *run, struct err *e)
{
    uint64_t region = (uint64_t)(uintptr_t)b->region, scratch = (uint64_t)(uintptr_t)b->scratch,
             code = (uint64_t)(uintptr_t)b->code;
    struct mem_range ranges[3 + STREAM_MAX_RANGES] = {
        {.lo = region, .hi = region + (uint64_t)waves_of(s, run->groups) * REGION, .flags = MEM_READ | MEM_WRITE},
        {.lo = scratch,
         .hi = scratch + (uint64_t)waves_of(s, run->groups) * SCRATCH_SLOT,
         .flags = MEM_READ | MEM_WRITE | MEM_KIND_SCRATCH},
        {.lo = code, .hi = code + s->words * 4, .flags = MEM_READ | MEM_EXEC | MEM_KIND_CODE},
    };

    memcpy(ranges + 3, b->more, b->more_count * sizeof ranges[0]);
    if (mem_space_init_identity(&p->space, run->unchecked ? NULL : ranges, run->unchecked ? 0 : 3 + b->more_count, e))
        return -1;
    for (size_t k = 0; k < p->space.count; k++)
        for (unsigned n = 0; n < b->more_count; n++)
            if (p->space.ranges[k].lo == b->more[n].lo)
                p->space.ranges[k].host = b->more[n].host;
    return 0;
}

static int make_launch(struct launch_parts *p, const struct stream_bench *b, const struct stream *s,
                       const struct stream_run *run, struct err *e)
{
    const struct isa_target *t = s->catalog->target;
    gaddr_t entry = (gaddr_t)(uintptr_t)b->code;

    if (make_space(p, b, s, run, e) || isa_program_open(&p->program, t, entry, b->code, s->words * 4, e))
        return -1;
    p->state = (struct launch_state){.entry = entry,
                                     .user_sgprs = {(uint32_t)b->places.region, (uint32_t)(b->places.region >> 32)},
                                     .user_sgpr_count = 2,
                                     .ids_in_ttmps = isa_has(t, FEAT_ARCH_SGPRS),
                                     .packed_ids = isa_has(t, FEAT_PACKED_TID),
                                     .grid = {run->groups * s->shape.waves * s->shape.lanes, 1, 1},
                                     .mode_reg = 0xf0 | MODE_DX10_CLAMP | MODE_IEEE | MODE_SCALAR_PREFETCH_EN,
                                     .scratch_base = (gaddr_t)(uintptr_t)b->scratch,
                                     .scratch_bytes_per_lane = STREAM_SCRATCH_BYTES,
                                     .scratch_wave_bytes = SCRATCH_SLOT};
    p->state.rsrc.enable_sgpr_workgroup_id_x = true;
    p->launch = (struct launch){.target = t,
                                .program = p->program,
                                .profile = run->profile,
                                .space = &p->space,
                                .state = &p->state,
                                .workgroups = {run->groups, 1, 1},
                                .workgroup_count = run->groups,
                                .workgroup_size = {s->shape.waves * s->shape.lanes, 1, 1},
                                .lanes = s->shape.lanes,
                                .waves_per_group = s->shape.waves,
                                .wave_count = waves_of(s, run->groups),
                                .nvgprs = s->shape.vgprs,
                                .nagprs = s->shape.agprs,
                                .nsgprs = t->sgpr_limit,
                                .lds_bytes = STREAM_LDS_BYTES,
                                .entry = entry,
                                .scratch_slots = waves_of(s, run->groups),
                                .shared_aperture = b->places.shared_aperture,
                                .private_aperture = b->places.private_aperture};
    return run->profile ? launch_set_occupancy(&p->launch, e) : 0;
}

void stream_run(struct stream_bench *b, const struct stream *s, const struct stream_run *run, struct stream_outcome *o)
{
    struct engine_options options = {.threads = run->threads,
                                     .threads_at_once = true,
                                     .max_cycles = run->max_cycles,
                                     .max_instructions = run->max_instructions,
                                     .tick_every_cycle = run->every_cycle,
                                     .perfect_memory = run->perfect_memory};
    struct launch_parts p = {0};
    struct check *check = NULL;

    memset(o, 0, sizeof *o);
    fill_memory(b, s, run->groups);
    mem_space_init(&p.space);
    o->status = make_launch(&p, b, s, run, &o->err);
    if (!o->status && run->check && !(check = check_open(&p.launch, NULL, 0, false, &options)))
        o->status = err_set(&o->err, ERR_NOMEM, "out of host memory for the checks");
    if (!o->status)
        o->status = (run->timing ? engine_run_timing : engine_run_functional)(&p.launch, &options, &o->result, &o->err);
    if (check) {
        size_t found;

        check_findings(check, &found);
    }
    check_close(check);
    isa_program_close(p.program);
    mem_space_destroy(&p.space);
}

void stream_keep(struct stream_bench *b, const struct stream *s, uint32_t groups)
{
    memcpy(b->kept, b->region, (size_t)waves_of(s, groups) * REGION);
}

bool stream_same_memory(const struct stream_bench *b, const struct stream *s, uint32_t groups, char *why, size_t size)
{
    size_t bytes = (size_t)waves_of(s, groups) * REGION, at = 0;

    if (!memcmp(b->kept, b->region, bytes))
        return true;
    while (b->kept[at] == b->region[at])
        at++;
    at &= ~(size_t)3;
    snprintf(why, size, "wave %zu: byte 0x%zx of its memory is %08" PRIx32 ", was %08" PRIx32, at / REGION, at % REGION,
             load_u32(b->region + at), load_u32(b->kept + at));
    return false;
}

bool stream_same_outcome(const struct stream_outcome *a, const struct stream_outcome *b, char *why, size_t size)
{
    const struct engine_result *x = &a->result, *y = &b->result;

    if (a->status || b->status) {
        snprintf(why, size, "error: %s", a->status ? a->err.text : b->err.text);
        return false;
    }
    if (x->outcome != y->outcome || x->stat[STAT_INSTRUCTIONS] != y->stat[STAT_INSTRUCTIONS]) {
        snprintf(why, size, "outcome %d after %" PRIu64 " instructions (%s), and %d after %" PRIu64 " (%s)", x->outcome,
                 x->stat[STAT_INSTRUCTIONS], x->message, y->outcome, y->stat[STAT_INSTRUCTIONS], y->message);
        return false;
    }
    if (x->outcome != ENGINE_FAULT)
        return true;
    if (x->fault_kind != y->fault_kind || x->fault.kind != y->fault.kind || x->fault.pc != y->fault.pc ||
        x->fault.lane != y->fault.lane || x->fault.addr != y->fault.addr || x->fault_group != y->fault_group ||
        x->fault_wave != y->fault_wave ||
        (x->fault_kind != ENGINE_FAULT_DEADLOCK && strcmp(x->fault.text, y->fault.text))) {
        snprintf(why, size,
                 "fault at 0x%" PRIx64 " of wave %u of workgroup %" PRIu64 " (%s), and at 0x%" PRIx64
                 " of %u of %" PRIu64 " (%s)",
                 x->fault.pc, x->fault_wave, x->fault_group, x->message, y->fault.pc, y->fault_wave, y->fault_group,
                 y->message);
        return false;
    }
    return true;
}

void stream_print(const struct stream *s, void (*line)(const char *text))
{
    uint8_t bytes[STREAM_MAX_WORDS * 4 + ENCODING_BYTES] = {0};

    memcpy(bytes, s->word, s->words * 4);
    for (unsigned at = 0; at < s->words;) {
        struct isa_inst i;
        char text[200], out[300];
        unsigned n = isa_decode_any(s->catalog->target, bytes + 4 * at, 4 * (s->words - at), &i, NULL);

        if (!n || !isa_text(s->catalog->target, &i, text, sizeof text))
            snprintf(text, sizeof text, "?");
        snprintf(out, sizeof out, "%04x: %08" PRIx32 "  %s", 4 * at, s->word[at], text);
        line(out);
        at += n ? n / 4 : 1;
    }
}

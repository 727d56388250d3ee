/* libFuzzer target: random programs of a few workgroups that share a page of memory, under --check
 * (sim/check/global.h).
 *
 * The first byte chooses the target and how the workgroups share, the second how many there are; each four bytes after
 * them are an access: what it is, which workgroups make it, and where. What must be whatever they are:
 *   - programs whose accesses are all atomic or of the device's scope have no race;
 *   - nor have those whose workgroups, one after the other, begin with an acquire and end with a release;
 *   - of others, two workgroups that store plainly to one byte have one, where plain stores differ from relaxed ones,
 *     and what is found is the same with several threads and on the timing engine.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/at_once.h"
#include "sim/api/gcnsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAGE = 4096, FLAG = 2048, LANES_MOST = 64, OPS = 24, OP_BYTES = 4, GROUPS = 4, WORDS = 512 };
enum sharing { RACING, ORDERED, COHERENT, SHARINGS };

/* An instruction, or a few; words of LLVM 22 with offset 0. */
struct words {
    uint32_t word[12], count;
};

enum op { STORE_LANES, STORE_BYTE, LOAD_LANES, LOAD_BYTE, ADD, ADD_RETURNS, LOAD_WIDE, STORE_WIDE, OP_COUNT };
static const uint32_t op_bytes[OP_COUNT] = {4, 1, 4, 1, 4, 4, 4, 4};

struct target {
    const char *name;
    uint32_t lanes;
    bool stores_have_scope, gfx12;
    struct words begin, only /* of workgroup 0 */, every, op[OP_COUNT], release, acquire, end;
};

#define BEGIN_GFX9                                                                                                     \
    {                                                                                                                  \
        {0xbe940008, 0x24100082, 0x7e020280, 0x7e040200, 0x7e060201, 0x32081102, 0x7e0a0303}, 7                        \
    }
#define ONLY_GFX9                                                                                                      \
    {                                                                                                                  \
        {0xbf068014, 0x85fe80c1}, 2                                                                                    \
    }
#define ATOMIC_GFX9                                                                                                    \
    {{0xdd088000, 0x007f0102}, 2},                                                                                     \
    {                                                                                                                  \
        {0xdd098000, 0x067f0102}, 2                                                                                    \
    } /* global_atomic_add; glc or sc0 */
/* global_store_dword v[4:5], global_store_byte v[2:3], global_load_dword v[4:5], global_load_ubyte v[2:3] */
#define PLAIN_GFX9                                                                                                     \
    {{0xdc708000, 0x007f0104}, 2}, {{0xdc608000, 0x007f0102}, 2}, {{0xdc508000, 0x067f0004}, 2},                       \
    {                                                                                                                  \
        {0xdc408000, 0x067f0002}, 2                                                                                    \
    }
#define GFX94(NAME)                                                                                                    \
    {                                                                                                                  \
        .name = NAME, .lanes = 64, .stores_have_scope = true, .begin = BEGIN_GFX9, .only = ONLY_GFX9,                  \
        .every = {{0xbefe01c1}, 1},                                                                                    \
        .op = {PLAIN_GFX9, ATOMIC_GFX9, {{0xde508000, 0x067f0002}, 2}, {{0xde708000, 0x007f0102}, 2}},                 \
        .release = {{0xe0a08000, 0, 0xbf8c0f70, 0xde708800, 0x007f0102}, 5}, /* buffer_wbl2 sc1, wait, store sc1 */    \
            .acquire = {{0xde508800, 0x067f0002, 0xbf8c0f70, 0xe0a48000, 0}, 5}, /* load sc1, wait, buffer_inv sc1 */  \
            .end = {{0xbf810000}, 1},                                                                                  \
    }

static const struct target targets[] = {
    {.name = "gfx90a",
     .lanes = 64,
     .begin = BEGIN_GFX9,
     .only = ONLY_GFX9,
     .every = {{0xbefe01c1}, 1},
     .op = {PLAIN_GFX9, ATOMIC_GFX9, {{0xdc518000, 0x067f0002}, 2}, {{0xdc708000, 0x007f0102}, 2}},
     .release = {{0xbf8c0f70, 0xdc708800, 0x007f0102}, 3},                /* s_waitcnt vmcnt(0), store */
     .acquire = {{0xdc518800, 0x067f0002, 0xbf8c0f70, 0xe0fc0000, 0}, 5}, /* load glc, wait, buffer_wbinvl1_vol */
     .end = {{0xbf810000}, 1}},
    GFX94("gfx942"),
    GFX94("gfx950"),
    {.name = "gfx1201",
     .lanes = 32,
     .stores_have_scope = true,
     .gfx12 = true,
     .begin = {{0xbe940075, 0x30100082, 0x7e020280, 0x7e040200, 0x7e060201, 0x4a081102, 0x7e0a0303}, 7},
     .only = {{0xbf068014, 0x987e80c1}, 2},
     .every = {{0xbefe00c1}, 1},
     .op = {{{0xee06807c, 0x00800000, 4}, 3},
            {{0xee06007c, 0x00800000, 2}, 3},
            {{0xee05007c, 6, 4}, 3},
            {{0xee04007c, 6, 2}, 3},
            {{0xee0d407c, 0x00880000, 2}, 3}, /* global_atomic_add_u32 and below: scope:SCOPE_DEV */
            {{0xee0d407c, 0x00980006, 2}, 3},
            {{0xee05007c, 0x00080006, 2}, 3},
            {{0xee06807c, 0x00880000, 2}, 3}},
     /* global_wb, s_wait_loadcnt 0x0 for atomics, s_wait_storecnt 0x0, store; load, s_wait_loadcnt 0x0, global_inv */
     .release = {{0xee0b007c, 0x00080000, 0, 0xbfc00000, 0xbfc10000, 0xee06807c, 0x00880000, 0x00080002}, 8},
     .acquire = {{0xee05007c, 0x00080006, 0x00080002, 0xbfc00000, 0xee0ac07c, 0x00080000, 0}, 7},
     .end = {{0xbfb00000}, 1}},
};

struct program {
    const struct target *target;
    enum sharing sharing;
    uint32_t groups, words, word[WORDS];
    uint8_t writers[PAGE]; /* of plain stores, by byte: a bit for each workgroup */
};

static void add(struct program *p, const struct words *w)
{
    memcpy(p->word + p->words, w->word, w->count * sizeof w->word[0]);
    p->words += w->count;
}

static void add_op(struct program *p, const uint8_t *at)
{
    const struct target *t = p->target;
    enum op op = p->sharing == COHERENT ? ADD + at[0] % (OP_COUNT - ADD) : at[0] % OP_COUNT;
    uint32_t offset = (at[2] | (uint32_t)at[3] << 8) % (FLAG - 4 * LANES_MOST) / op_bytes[op] * op_bytes[op];
    uint32_t span = op == STORE_LANES ? 4 * t->lanes : op_bytes[op];

    for (unsigned g = 0; g < p->groups; g++) {
        if (!(at[1] >> g & 1))
            continue;
        add(p, &t->only);
        p->word[p->words - t->only.count] |= g << 8; /* s_cmp_eq_u32 s20, g */
        add(p, &t->op[op]);
        p->word[p->words - t->op[op].count + (t->gfx12 ? 2 : 0)] |= t->gfx12 ? offset << 8 : offset;
        for (uint32_t b = 0; (op == STORE_LANES || op == STORE_BYTE) && b < span; b++)
            p->writers[offset + b] |= (uint8_t)(1u << g);
    }
}

static void build(struct program *p, const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;

    *p = (struct program){.target = &targets[data[0] % (sizeof targets / sizeof targets[0])],
                          .sharing = (enum sharing)(data[0] / 16 % SHARINGS),
                          .groups = 2 + data[1] % (GROUPS - 1)};
    add(p, &p->target->begin);
    if (p->sharing == ORDERED)
        add(p, &p->target->acquire);
    data += 2;
    for (unsigned n = 0; n < OPS && end - data >= OP_BYTES; n++, data += OP_BYTES)
        add_op(p, data);
    add(p, &p->target->every);
    if (p->sharing == ORDERED)
        add(p, &p->target->release);
    add(p, &p->target->end);
}

static void stop(const struct program *p, const char *why, const char *text)
{
    fprintf(stderr, "fuzz_races: %s, %u workgroups, sharing %d: %s: %s\n", p->target->name, p->groups, (int)p->sharing,
            why, text);
    for (uint32_t k = 0; k < p->words; k++)
        fprintf(stderr, "  .long 0x%08x\n", p->word[k]);
    abort();
}

static struct gcnsim_result *run(const struct program *p, enum gcnsim_engine engine, uint32_t threads)
{
    static _Alignas(PAGE) uint8_t page[PAGE];
    const uint64_t base = (uint64_t)(uintptr_t)page;
    const uint32_t user[8] = {(uint32_t)base, (uint32_t)(base >> 32)};
    const struct gcnsim_range range = {base, PAGE, 1, "page"};
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;
    static struct gcnsim *opened[sizeof targets / sizeof targets[0]]; /* each has the profile of its first launch */
    struct gcnsim **sim = &opened[p->target - targets];
    struct gcnsim_raw r;

    if (!*sim && gcnsim_open(sim, NULL, &error))
        stop(p, "cannot be opened", error.text);
    api_threads_at_once(*sim);
    gcnsim_raw_init(&r);
    r.target = p->target->name;
    r.code_base = r.entry = (uint64_t)(uintptr_t)p->word;
    r.code_size = p->words * sizeof p->word[0];
    r.wave_size = r.workgroup_size[0] = p->target->lanes;
    r.grid_size[0] = p->target->lanes * p->groups;
    r.grid_size[1] = r.grid_size[2] = 1;
    r.compute_pgm_rsrc1 = 3u | 12u << 6 | 0xf0u << 12;
    r.compute_pgm_rsrc2 = 8u << 1 | 1u << 7;
    r.compute_pgm_rsrc3 = p->target->gfx12 ? 0 : 2; /* AccVGPRs from v12 on */
    r.user_sgprs = user;
    r.user_sgpr_count = 8;
    r.ranges = &range;
    r.range_count = 1;
    r.check = 1;
    r.engine = engine;
    r.threads = threads;
    if (gcnsim_launch_raw(*sim, &r, &result, &error))
        stop(p, "cannot be launched", error.text);
    if (result->outcome != GCNSIM_COMPLETED)
        stop(p, "did not complete", result->message);
    return result;
}

/* Races, one after the other; returns how many. */
static unsigned races(const struct gcnsim_result *r, char *text, size_t room)
{
    unsigned n = 0;
    size_t used = 0;

    text[0] = 0;
    for (size_t k = 0; k < r->finding_count; k++) {
        if (strcmp(r->findings[k].rule, "race.global") != 0)
            continue;
        n++;
        if (used < room)
            used += (size_t)snprintf(text + used, room - used, "%s: %s; ", r->findings[k].instruction,
                                     r->findings[k].message);
    }
    return n;
}

static bool has_two_writers(const struct program *p)
{
    for (unsigned k = 0; k < PAGE; k++)
        if (p->writers[k] & (p->writers[k] - 1))
            return true;
    return false;
}

static void expect_same(const struct program *p, const char *first, enum gcnsim_engine engine, uint32_t threads)
{
    static char text[1 << 16];
    struct gcnsim_result *r = run(p, engine, threads);

    races(r, text, sizeof text);
    gcnsim_result_free(r);
    if (strcmp(first, text) != 0)
        stop(p, engine == GCNSIM_ENGINE_TIMING ? "timing finds others" : "threads find others", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct program p;
    static char text[1 << 16];

    if (size < 2)
        return 0;
    build(&p, data, size);
    struct gcnsim_result *r = run(&p, GCNSIM_ENGINE_FUNCTIONAL, 1);
    unsigned found = races(r, text, sizeof text);
    gcnsim_result_free(r);
    if (p.sharing != RACING && found)
        stop(&p, "a race where there is none", text);
    if (p.sharing == RACING && p.target->stores_have_scope && has_two_writers(&p) && !found)
        stop(&p, "no race", "two workgroups store to one byte");
    if (p.sharing == ORDERED) /* the order is that of the workgroups, one after the other */
        return 0;
    expect_same(&p, text, GCNSIM_ENGINE_FUNCTIONAL, 3);
    expect_same(&p, text, GCNSIM_ENGINE_TIMING, 1);
    return 0;
}

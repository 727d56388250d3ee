/* Kernels whose waves race in LDS by the memory model and are right on hardware, because memory takes its time and
 * waves of a workgroup advance together (isa/lds_order.h): random ones, in assembly, on both engines. Their results are
 * what the timing engine has, and what a model of this file says.
 *
 * Four waves have SLOTS slots of LDS, a part of each for each wave. In a phase, which ends at a barrier, a wave reads
 * slots of others or does not, computes for a while, and only then writes its part of slots, which others may have read
 * in the phase, too, by itself or by copies from memory. Copies stay in flight over barriers as far as the waits allow.
 *
 * Plain, a smoke; GCNSIM_LDS_KERNELS=N runs so many kernels (`make check`).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/folder.h"
#include "tests/support/toolchain.h"

enum {
    WAVES = 4,
    SLOTS = 8,
    MAX_LANES = 64,
    ITEMS = WAVES * MAX_LANES,
    MAX_COPIES = 64, /* issued by a wave in all */
    PHASES = 10,
    MOST_READS = 3,
    MOST_WRITES = 3,
    SMOKE = 24,
    IN_WORDS = MAX_COPIES * ITEMS,
};

struct target {
    const char *name, *wait_lds;
    const char *copy, *wait_copies; /* for all but so many; null: it has none */
    unsigned lanes;
    bool gfx12;
};
static const struct target targets[] = {
    {"gfx90a", "s_waitcnt lgkmcnt(0)", "global_load_dword v2, s[4:5] lds", "s_waitcnt vmcnt(%u)", 64, false},
    {"gfx942", "s_waitcnt lgkmcnt(0)", "global_load_lds_dword v2, s[4:5]", "s_waitcnt vmcnt(%u)", 64, false},
    {"gfx1100", "s_waitcnt lgkmcnt(0)", NULL, NULL, 32, false},
    {"gfx1201", "s_wait_dscnt 0x0", NULL, NULL, 32, true},
};

static uint64_t random_state;

static unsigned below(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state * UINT64_C(0x9e3779b97f4a7c15)) >> 33) % n;
}

static uint32_t input(unsigned word)
{
    return word * 2654435761u ^ 0x5bd1e995u;
}

/* What a kernel does, on the host, while its text is written. */
struct model {
    uint32_t lds[SLOTS][ITEMS], acc[ITEMS];
    struct {
        unsigned slot, copy;
    } flight[MAX_COPIES]; /* the oldest first */
    unsigned flights, copies, labels;
};

static void land(struct model *m, const struct target *t, unsigned leave)
{
    for (; m->flights > leave; m->flights--) {
        for (unsigned k = 0; k < WAVES * t->lanes; k++)
            m->lds[m->flight[0].slot][k] = input(m->flight[0].copy * ITEMS + k);
        memmove(m->flight, m->flight + 1, sizeof m->flight - sizeof m->flight[0]);
    }
}

static bool is_in_flight(const struct model *m, unsigned slot)
{
    for (unsigned k = 0; k < m->flights; k++)
        if (m->flight[k].slot == slot)
            return true;
    return false;
}

/* A wave reads the part of another one, or of itself, in slots that nothing is on its way to. */
static void reads(FILE *f, struct model *m, const struct target *t)
{
    unsigned slot[MOST_READS], turn[MOST_READS], n = 0, most = 1 + below(MOST_READS);
    unsigned first = below(2) ? below(WAVES) : 0; /* waves before it do not */

    fprintf(f, "\ts_cmp_lt_u32 s9, %u\n\ts_cbranch_scc1 .Lread%u\n", first, m->labels);
    for (; n < most; n++) {
        slot[n] = below(SLOTS);
        turn[n] = below(WAVES);
        if (is_in_flight(m, slot[n]))
            break;
        fprintf(f, "\tds_read_b32 v%u, v%u offset:%u\n", 10 + n, 4 + turn[n], slot[n] * 4 * WAVES * t->lanes);
    }
    fprintf(f, "\t%s\n", t->wait_lds);
    for (unsigned r = 0; r < n; r++) {
        fprintf(f, "\tv_mul_u32_u24_e32 v3, 5, v3\n\tv_xor_b32_e32 v3, v3, v%u\n", 10 + r);
        for (unsigned k = first * t->lanes; k < WAVES * t->lanes; k++) {
            unsigned wave = (k / t->lanes + turn[r]) % WAVES;
            m->acc[k] =
                (uint32_t)(5 * (uint64_t)(m->acc[k] & 0xffffff)) ^ m->lds[slot[r]][wave * t->lanes + k % t->lanes];
        }
    }
    fprintf(f, ".Lread%u:\n", m->labels++);
}

static void writes(FILE *f, struct model *m, const struct target *t)
{
    for (unsigned n = below(MOST_WRITES + 1); n--;) {
        unsigned slot = below(SLOTS);

        if (is_in_flight(m, slot))
            continue;
        if (t->wait_copies && below(2) && m->copies < MAX_COPIES) {
            /* each wave's lanes are side by side from m0 on */
            fprintf(f, "\ts_add_u32 m0, s8, 0x%x\n\ts_nop 0\n", slot * 4 * WAVES * t->lanes);
            fprintf(f, "\t%s\n\ts_add_u32 s4, s4, 0x%x\n\ts_addc_u32 s5, s5, 0\n", t->copy, 4 * ITEMS);
            m->flight[m->flights].slot = slot;
            m->flight[m->flights++].copy = m->copies++;
        } else {
            fprintf(f, "\tds_write_b32 v4, v3 offset:%u\n", slot * 4 * WAVES * t->lanes);
            memcpy(m->lds[slot], m->acc, 4 * WAVES * t->lanes);
        }
    }
}

/* Stores v3, and describes the kernel. */
static void put_end(FILE *f, const struct target *t)
{
    fprintf(f, "\tglobal_store_%s v2, v3, s[6:7]\n\ts_endpgm\n.Lend:\n\t.size k, .Lend-k\n",
            t->lanes == 64 ? "dword" : "b32");
    fprintf(f,
            "\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel k\n\t.amdhsa_group_segment_fixed_size %u\n"
            "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_kernarg_size 16\n\t.amdhsa_next_free_vgpr 16\n"
            "\t.amdhsa_next_free_sgpr 16\n",
            SLOTS * 4 * WAVES * t->lanes);
    if (strncmp(t->name, "gfx9", 4) == 0)
        fputs("\t.amdhsa_accum_offset 16\n", f);
    if (t->lanes == 32)
        fputs("\t.amdhsa_wavefront_size32 1\n", f);
    fputs("\t.end_amdhsa_kernel\n", f);
}

/* v0 and v3: the item; v2: its words' offset; v4 ...: where this wave's part of a slot is, that of the next wave ...;
 * s8: the first byte of the wave's part, s9: its number; s[4:5]: input, s[6:7]: output. */
static void put_start(FILE *f, const struct target *t)
{
    const char *shift = t->lanes == 64 ? "6" : "5";

    fputs("\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n", f);
    fprintf(f, "\ts_load_%s s[4:5], s[0:1], 0x8\n\ts_load_%s s[6:7], s[0:1], 0x0\n", t->lanes == 64 ? "dwordx2" : "b64",
            t->lanes == 64 ? "dwordx2" : "b64");
    fputs("\tv_and_b32_e32 v0, 0x3ff, v0\n\tv_lshlrev_b32_e32 v2, 2, v0\n\tv_mov_b32_e32 v3, v0\n", f);
    fprintf(f,
            "\tv_readfirstlane_b32 s8, v2\n\ts_mov_b32 m0, -1\n\tv_lshrrev_b32_e32 v1, %s, v0\n"
            "\tv_readfirstlane_b32 s9, v1\n",
            shift);
    for (unsigned k = 0; k < WAVES; k++)
        fprintf(f,
                "\tv_add_u32_e32 v9, %u, v1\n\tv_and_b32_e32 v9, 3, v9\n\tv_lshlrev_b32_e32 v9, %s, v9\n"
                "\tv_and_b32_e32 v%u, %u, v0\n\tv_or_b32_e32 v%u, v%u, v9\n\tv_lshlrev_b32_e32 v%u, 2, v%u\n",
                k, shift, 4 + k, t->lanes - 1, 4 + k, 4 + k, 4 + k, 4 + k);
    fprintf(f, "\t%s\n", t->gfx12 ? "s_wait_kmcnt 0x0" : t->wait_lds);
}

static void put_kernel(FILE *f, struct model *m, const struct target *t)
{
    put_start(f, t);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        fprintf(f, "\tds_write_b32 v4, v3 offset:%u\n\tv_add_u32_e32 v3, 0x3e9, v3\n", slot * 4 * WAVES * t->lanes);
    for (unsigned k = 0; k < WAVES * t->lanes; k++) {
        for (unsigned slot = 0; slot < SLOTS; slot++)
            m->lds[slot][k] = k + 0x3e9 * slot;
        m->acc[k] = k + 0x3e9 * SLOTS;
    }
    for (unsigned phase = 0; phase < PHASES; phase++) {
        unsigned leave = m->flights ? below(m->flights + 1) : 0;

        fprintf(f, "\t%s\n", t->wait_lds);
        if (t->wait_copies) {
            fputc('\t', f);
            fprintf(f, t->wait_copies, leave);
            fputc('\n', f);
            land(m, t, leave);
        }
        fputs(t->gfx12 ? "\ts_barrier_signal -1\n\ts_barrier_wait 0xffff\n" : "\ts_barrier\n", f);
        if (below(4))
            reads(f, m, t);
        for (unsigned n = 48 + below(64); n--;)
            fputs("\tv_add_u32_e32 v15, v15, v3\n", f);
        writes(f, m, t);
    }
    put_end(f, t);
}

static FILE *open_source(void)
{
    char path[300];

    snprintf(path, sizeof path, "%s/k.s", program_folder());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void assemble(const struct target *t, FILE *f)
{
    char path[300], line[900];

    assert_int_equal(fclose(f), 0);
    snprintf(path, sizeof path, "%s/k.s", program_folder());
    snprintf(line, sizeof line, "clang-19 -target amdgcn-amd-amdhsa -mcpu=%s %s -o %s/k.co 2>%s/log", t->name, path,
             program_folder(), program_folder());
    if (system(line)) {
        snprintf(path, sizeof path, "cat %s/log", program_folder());
        assert_int_equal(system(path), 0);
        fail_msg("failed: %s", line);
    }
}

static uint32_t in_words[IN_WORDS];

/* Runs k.co; the words that it wrote. */
static void run(const struct target *t, enum gcnsim_engine engine, uint32_t *out)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    struct gcnsim_module *module = NULL;
    struct gcnsim_result *r;
    struct gcnsim_dispatch d;
    uint64_t kernarg[2];
    char path[300];

    snprintf(path, sizeof path, "%s/k.co", program_folder());
    if (gcnsim_open(&sim, t->name, &error) || gcnsim_load_file(sim, &module, path, NULL, &error) ||
        gcnsim_alloc(sim, 4 * ITEMS, "out", &kernarg[0], &error) ||
        gcnsim_alloc(sim, sizeof in_words, "in", &kernarg[1], &error) ||
        gcnsim_write(sim, kernarg[1], in_words, sizeof in_words, &error))
        fail_msg("%s", error.text);
    gcnsim_dispatch_init(&d);
    d.engine = engine;
    d.grid_size[0] = d.workgroup_size[0] = WAVES * t->lanes;
    d.kernarg = kernarg;
    d.kernarg_size = sizeof kernarg;
    if (gcnsim_launch(module, &d, &r, &error) || gcnsim_read(sim, kernarg[0], out, 4 * WAVES * t->lanes, &error))
        fail_msg("%s", error.text);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", t->name, r->message);
    gcnsim_result_free(r);
    gcnsim_close(sim);
}

static void random_kernels(void **state)
{
    const char *more = getenv("GCNSIM_LDS_KERNELS");
    unsigned kernels = more ? (unsigned)strtoul(more, NULL, 10) : SMOKE, unlike_model = 0;

    (void)state;
    NEED_CLANG();
    for (unsigned n = 0; n < kernels; n++) {
        const struct target *t = &targets[n % (sizeof targets / sizeof targets[0])];
        static struct model m;
        uint32_t timing[ITEMS] = {0}, functional[ITEMS] = {0};

        m = (struct model){0};
        random_state = UINT64_C(0x9e3779b97f4a7c15) * (n + 1);
        FILE *f = open_source();
        put_kernel(f, &m, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_TIMING, timing);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, functional);
        if (memcmp(timing, m.acc, 4 * WAVES * t->lanes) != 0) {
            unlike_model++; /* time does not hide this one's races */
            continue;
        }
        for (unsigned k = 0; k < WAVES * t->lanes; k++)
            if (functional[k] != timing[k])
                fail_msg("kernel %u of %s: item %u is 0x%x on the functional engine, 0x%x on the timing engine", n,
                         t->name, k, functional[k], timing[k]);
    }
    if (unlike_model > kernels / 10)
        fail_msg("the timing engine has %u of %u kernels otherwise", unlike_model, kernels);
}

/* Without a wait a copy is there when memory has had time enough, and not before: what is read just after it is old.
 */
static void copies_land_by_themselves(void **state)
{
    const struct target *t = &targets[0];
    uint32_t out[ITEMS] = {0};

    (void)state;
    NEED_CLANG();
    for (unsigned loops = 1; loops <= 3000; loops += 2999) {
        FILE *f = open_source();

        put_start(f, t);
        fputs("\ts_mov_b32 m0, s8\n\tds_write_b32 v4, v3\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n", f);
        fprintf(f, "\t%s\n\ts_barrier\n\ts_movk_i32 s10, 0x%x\n", t->copy, loops);
        fputs(".Lloop:\n\ts_sub_u32 s10, s10, 1\n\ts_cmp_lg_u32 s10, 0\n\ts_cbranch_scc1 .Lloop\n", f);
        fputs("\ts_barrier\n\tds_read_b32 v3, v4\n\ts_waitcnt lgkmcnt(0)\n", f);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out);
        for (unsigned k = 0; k < ITEMS; k++)
            assert_int_equal(out[k], loops == 1 ? k : input(k));
    }
}

/* A wave writes over what a copy has brought that it has not waited for, long after it: the write stays. AMD's
 * fmoe_stage1 leave their last prefetches alone so. */
static void writes_come_behind_old_copies(void **state)
{
    (void)state;
    NEED_CLANG();
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        const struct target *t = &targets[n];
        uint32_t out[2][ITEMS] = {0};

        if (!t->copy)
            continue;
        FILE *f = open_source();
        put_start(f, t);
        fprintf(f, "\ts_mov_b32 m0, s8\n\t%s\n\ts_barrier\n\ts_movk_i32 s10, 0x100\n", t->copy);
        fputs(".Lloop:\n\ts_sub_u32 s10, s10, 1\n\ts_cmp_lg_u32 s10, 0\n\ts_cbranch_scc1 .Lloop\n", f);
        fputs("\tds_write_b32 v4, v3\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_barrier\n\tds_read_b32 v3, v4\n"
              "\ts_waitcnt lgkmcnt(0)\n",
              f);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out[0]);
        run(t, GCNSIM_ENGINE_TIMING, out[1]);
        for (unsigned k = 0; k < ITEMS; k++) {
            assert_int_equal(out[0][k], k);
            assert_int_equal(out[1][k], k);
        }
    }
}

/* A copy does not land before the other waves are as far past it as its own: what they read at its beginning of the
 * phase is old, though its own wave has come to the phase's end. */
static void copies_wait_for_other_waves(void **state)
{
    (void)state;
    NEED_CLANG();
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        const struct target *t = &targets[n];
        uint32_t out[ITEMS] = {0};

        if (!t->copy)
            continue;
        FILE *f = open_source();
        put_start(f, t);
        fprintf(f, "\tv_xor_b32_e32 v10, 0x%x, v4\n\ts_mov_b32 m0, s8\n", 4 * t->lanes);
        fprintf(f, "\tds_write_b32 v4, v3\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\t%s\n\tds_read_b32 v3, v10\n",
                t->copy);
        for (unsigned k = 0; k < 400; k++)
            fputs("\tv_add_u32_e32 v15, v15, v4\n", f);
        fputs("\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\ts_waitcnt vmcnt(0)\n", f);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out);
        for (unsigned k = 0; k < ITEMS; k++)
            assert_int_equal(out[k], k ^ t->lanes);
    }
}

/* Two waves copy a tile that the two others read after the next barrier, before which only those wait, for copies of
 * their own. Where these were issued later, the tile is there, too, as memory has answered by then; where the tile was
 * asked for last, it is not. AMD's fmha_v4 for FP4 (gfx950) has the scales of its first tile so. */
static void memory_answers_in_order(void **state)
{
    (void)state;
    NEED_CLANG();
    for (unsigned n = 0; n < 4; n++) {
        const struct target *t = &targets[n % 2];
        bool late = n / 2;
        uint32_t out[2][ITEMS] = {{0}};
        FILE *f = open_source();

        put_start(f, t);
        fputs("\tds_write_b32 v4, v3\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n\ts_cmp_lt_u32 s9, 2\n", f);
        fputs("\ts_cbranch_scc1 .Lreaders\n", f);
        for (unsigned k = 0; late && k < 400; k++)
            fputs("\tv_add_u32_e32 v15, v15, v4\n", f);
        fprintf(f, "\ts_mov_b32 m0, s8\n\ts_nop 0\n\t%s\n\ts_barrier\n\ts_waitcnt vmcnt(0)\n\ts_branch .Lall\n",
                t->copy);
        fprintf(f, ".Lreaders:\n\ts_add_u32 m0, s8, 0x%x\n", 4 * WAVES * t->lanes);
        for (unsigned k = 0; k < 8; k++)
            fputs("\ts_nop 0\n", f);
        fprintf(f, "\t%s\n\ts_waitcnt vmcnt(0)\n\ts_barrier\n\tds_read_b32 v3, v6\n", t->copy);
        fputs("\ts_waitcnt lgkmcnt(0)\n.Lall:\n\ts_barrier\n", f);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out[0]);
        run(t, GCNSIM_ENGINE_TIMING, out[1]);
        for (unsigned e = 0; e < 2; e++)
            for (unsigned k = 0; k < WAVES * t->lanes; k++) {
                unsigned from = k + 2 * t->lanes;
                assert_int_equal(out[e][k], k / t->lanes >= 2 ? k : late ? from : input(from));
            }
    }
}

/* A copy that nothing has waited for is older than a store to the same bytes, whatever waits there are after it. AMD's
 * attention kernels for gfx1250 ask for a tile past the last one and then stage their results in its place. */
static void stores_come_behind_copies(void **state)
{
    static const char *const stores[] = {"ds_write_b32 v4, v3", "ds_write2_b32 v4, v3, v3 offset0:0 offset1:0"};

    (void)state;
    NEED_CLANG();
    for (unsigned n = 0; n < 4; n++) {
        const struct target *t = &targets[n % 2];
        uint32_t out[ITEMS] = {0};
        FILE *f = open_source();

        put_start(f, t);
        fprintf(f, "\ts_mov_b32 m0, s8\n\ts_nop 0\n\t%s\n\t%s\n", t->copy, stores[n / 2]);
        fputs("\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_barrier\n\tds_read_b32 v3, v4\n\ts_waitcnt lgkmcnt(0)\n", f);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out);
        for (unsigned k = 0; k < ITEMS; k++)
            assert_int_equal(out[k], k);
    }
}

/* Rows of LDS are half as long as what a wave copies into each, so that the other half falls into the next row, which
 * another wave fills, or the first wave with its next copy. Kernels of AMD's aiter leave the overhang of rows so (MLA
 * decoding, where a row of Q is 576 bytes and three copies are 768), and rely on the waves' advancing together. */
static void rows_hide_overhang(void **state)
{
    enum { ROUNDS = 3, ROW = MAX_LANES / 2 };

    (void)state;
    NEED_CLANG();
    for (unsigned n = 0; n < 8; n++) {
        const struct target *t = &targets[n % 2];
        const bool waits = n & 2;
        const enum gcnsim_engine engine = n & 4 ? GCNSIM_ENGINE_TIMING : GCNSIM_ENGINE_FUNCTIONAL;
        uint32_t rows[(ROUNDS * WAVES + 1) * ROW], out[ITEMS] = {0};
        FILE *f = open_source();

        put_start(f, t);
        fputs("\tv_and_b32_e32 v10, 63, v0\n\tv_lshlrev_b32_e32 v10, 2, v10\n\tv_lshl_add_u32 v10, v1, 7, v10\n"
              "\ts_lshl_b32 s10, s9, 7\n\tv_mov_b32_e32 v3, 0\n",
              f);
        for (unsigned k = 0; k < ROUNDS * WAVES; k++)
            for (unsigned l = 0; l < MAX_LANES; l++)
                rows[k * ROW + l] = input(k * MAX_LANES + l);
        for (unsigned k = 0; k < ROUNDS; k++) {
            fprintf(f, "\ts_add_u32 m0, s10, 0x%x\n\ts_nop 0\n\t%s\n", k * WAVES * 4 * ROW, t->copy);
            fprintf(f, "\ts_add_u32 s4, s4, 0x%x\n\ts_addc_u32 s5, s5, 0\n", 4 * ITEMS);
            if (waits)
                fputs("\ts_waitcnt vmcnt(0)\n", f);
        }
        fputs("\ts_waitcnt vmcnt(0)\n\ts_barrier\n", f);
        for (unsigned k = 0; k < ROUNDS; k++)
            fprintf(f,
                    "\tds_read_b32 v11, v10 offset:%u\n\t%s\n\tv_lshlrev_b32_e32 v3, 1, v3\n"
                    "\tv_xor_b32_e32 v3, v3, v11\n",
                    k * WAVES * 4 * ROW, t->wait_lds);
        put_end(f, t);
        assemble(t, f);
        run(t, engine, out);
        for (unsigned k = 0; k < ITEMS; k++) {
            uint32_t want = 0;

            for (unsigned round = 0; round < ROUNDS; round++)
                want = 2 * want ^ rows[(round * WAVES + k / MAX_LANES) * ROW + k % MAX_LANES];
            if (out[k] != want)
                fail_msg("%s, waits %d, engine %d: item %u has 0x%x, not 0x%x", t->name, waits, (int)engine, k, out[k],
                         want);
        }
    }
}

/* All waves read a word that one of them then changes, in a loop that is long enough for the looks at whether a wave
 * polls (sim/engine/functional/poll.c) to come everywhere in it. rocSOLVER's Cholesky of small matrices does so. */
static void long_loops_have_turns(void **state)
{
    enum { LOOPS = 4000 };

    (void)state;
    NEED_CLANG();
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        const struct target *t = &targets[n];
        const char *barrier = t->gfx12 ? "\ts_barrier_signal -1\n\ts_barrier_wait 0xffff\n" : "\ts_barrier\n";
        uint32_t out[ITEMS] = {0};
        FILE *f = open_source();

        put_start(f, t);
        fprintf(f, "\tds_write_b32 v4, v0\n\tv_mov_b32_e32 v10, 0\n\ts_movk_i32 s10, 0x%x\n", (unsigned)LOOPS);
        fprintf(f, ".Lloop:\n\t%s\n%s\tds_read_b32 v11, v10\n\t%s\n\tv_add_u32_e32 v3, v3, v11\n", t->wait_lds, barrier,
                t->wait_lds);
        fputs("\ts_cmp_lg_u32 s9, 0\n\ts_cbranch_scc1 .Lother\n\tv_add_u32_e32 v11, 1, v11\n\tds_write_b32 v10, "
              "v11\n.Lother:\n",
              f);
        fprintf(f, "\t%s\n%s\ts_sub_u32 s10, s10, 1\n\ts_cmp_lg_u32 s10, 0\n\ts_cbranch_scc1 .Lloop\n", t->wait_lds,
                barrier);
        put_end(f, t);
        assemble(t, f);
        run(t, GCNSIM_ENGINE_FUNCTIONAL, out);
        for (unsigned k = 0; k < WAVES * t->lanes; k++)
            if (out[k] != k + LOOPS * (LOOPS - 1) / 2)
                fail_msg("%s: item %u has %u, not %u", t->name, k, out[k], k + LOOPS * (LOOPS - 1) / 2);
    }
}

int main(void)
{
    for (unsigned k = 0; k < IN_WORDS; k++)
        in_words[k] = input(k);

    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels),
                                       cmocka_unit_test(copies_land_by_themselves),
                                       cmocka_unit_test(writes_come_behind_old_copies),
                                       cmocka_unit_test(copies_wait_for_other_waves),
                                       cmocka_unit_test(memory_answers_in_order),
                                       cmocka_unit_test(stores_come_behind_copies),
                                       cmocka_unit_test(rows_hide_overhang),
                                       cmocka_unit_test(long_loops_have_turns)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

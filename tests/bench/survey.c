/* The cost of each vector instruction on the functional engine: nanoseconds of processor time per wave-instruction, by
 * opcode and form, so that no slow row hides.
 *
 *   survey [--all] [--modified] [--seconds S] [--wave N] [--only TEXT] [TARGET]...
 *
 * Each instruction stands REPEAT times in a loop that a wave runs, with VGPRs for its sources where it takes them and
 * without modifiers where some of its encodings have none; lanes and registers hold different values, which are normal
 * numbers in f16, f32 and f64. Once with the denormals of f32 kept and once with them flushed, as most shipped kernels
 * ask for. The best of some runs counts; what the loop takes without the instructions is subtracted. By default the ten
 * slowest of a target are printed with their ratio to v_fma_f32, and the number of those above BOUND times; --all
 * prints every one. --modified: encodings with negated sources, or other halves of them, where there are any. TEXT:
 * instructions whose text has it. Rows that end programs, jump or change EXEC are left out, and memory.
 */
#include "sim/api/gcnsim.h"
#include "tests/bench/rows.h"
#include "tests/fuzz/stream_words.h"
#include "tests/support/result_stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    REPEAT = 64,
    DRAWS = 2000,
    WORDS = 2048,
    REGISTERS = 255, /* that hold values; the last one the lane's */
    ROUNDS = 40,     /* of the catalog */
    WORST = 10,
    BOUND = 8,
};

/* MODE's denormals: kept everywhere, or flushed in f32. */
enum mode { KEPT, FLUSHED, MODES };
static const uint32_t float_mode[MODES] = {0xf0, 0xc0};

struct cost {
    char text[96];
    double ns[MODES];
};

struct survey {
    struct gcnsim *sim;
    struct stream_catalog c;
    const char *target;
    uint32_t wave;
    bool modified;
    double seconds; /* for each measurement */
    uint32_t word[WORDS];
    uint32_t words;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "survey: %s: %s\n", what, why);
    exit(1);
}

/* Choosing an encoding --------------------------------------------------------------------------------------------- */

/* How far one is from what a compiler writes most: registers for sources, and no modifier, or only some of them. */
static unsigned oddness(const struct isa_inst *i, bool modified)
{
    const struct isa_row *row = i->row;
    unsigned odd = 4 * (i->abs != 0) + 4 * (i->clamp != 0) + 4 * (i->omod != 0) + 8 * (i->bad != 0);

    odd += 8 * (i->ignored != 0) + (i->has_literal != 0) + 2 * (i->op_sel != 0);
    odd += modified ? 8 * (i->neg == 0 && i->op_sel == 0) : 4 * (i->neg != 0);
    for (unsigned k = 0; row->args[k].slot != SL_NONE; k++) {
        const struct isa_opnd *o = &i->op[k];
        bool scalar = row->args[k].flags & A_SGPR || isa_types[o->type].dwords == 0;

        odd += isa_source_number(row->args[k].slot) >= 0 && !scalar && o->code < CODE_VGPR ? 2 : 0;
        odd += o->flags & A_ACC && !(row->args[k].flags & A_ACC) ? 1 : 0;
        if (i->format == FMT_VOP3P && isa_source_number(row->args[k].slot) >= 0)
            odd += 2 * (!(i->op_sel_hi >> isa_source_number(row->args[k].slot) & 1) + (i->neg_hi != 0));
    }
    return odd;
}

/* The words of the plainest encoding of the cell that some draws meet; 0: none. */
static unsigned choose(struct survey *s, const struct stream_cell *cell, uint8_t best[ENCODING_BYTES], char *text,
                       size_t room)
{
    struct stream_rng g;
    unsigned least = UINT32_MAX, size = 0;

    stream_seed(&g, NULL, 0, 1);
    for (unsigned k = 0; k < DRAWS && least; k++) {
        uint8_t bytes[ENCODING_BYTES];
        struct isa_inst i;

        if (!stream_sample(&s->c, cell, &g, bytes, &i) || oddness(&i, s->modified) >= least)
            continue;
        least = oddness(&i, s->modified);
        size = i.size_bytes;
        memcpy(best, bytes, ENCODING_BYTES);
        isa_text(s->c.target, &i, text, room);
    }
    return size;
}

/* Programs --------------------------------------------------------------------------------------------------------- */

static void put_word(struct survey *s, uint32_t w)
{
    if (s->words == WORDS)
        die(s->target, "the program is too long");
    s->word[s->words++] = w;
}

static uint32_t opcode(const struct survey *s, enum stream_op which)
{
    if (s->c.opcode[which] < 0)
        die(s->target, "lacks an instruction that the survey is made of");
    return (uint32_t)s->c.opcode[which];
}

static void v_move(struct survey *s, unsigned dst, uint32_t value)
{
    put_word(s, 0x7e0000ff | dst << 17 | opcode(s, STREAM_v_mov_b32) << 9);
    put_word(s, value);
}

/* A register's values: normal numbers about 1 in f16, f32 and f64. The lane's
 * number, which v0 has at first, makes them differ. */
static void fill_registers(struct survey *s)
{
    unsigned xor = opcode(s, STREAM_v_xor_b32);

    for (unsigned r = 1; r < REGISTERS; r++) {
        v_move(s, r, 0x3fb83c00u + r * 0x00010003u);
        put_word(s, xor << 25 | r << 17 | r << 9 | CODE_VGPR);
    }
    v_move(s, 0, 0x3f803c00u);
}

/* A loop of the instruction, or of none. */
static void build(struct survey *s, const uint8_t *bytes, unsigned size, uint32_t iterations)
{
    s->words = 0;
    fill_registers(s);
    put_word(s, 0xbe8000ff | S_TEMP << 16 | opcode(s, STREAM_s_mov_b32) << 8);
    put_word(s, iterations);
    uint32_t loop = s->words;
    for (unsigned k = 0; k < REPEAT && size; k++)
        for (unsigned w = 0; w < size / 4; w++) {
            uint32_t word;

            memcpy(&word, bytes + 4 * w, 4);
            put_word(s, word);
        }
    put_word(s, 0x80000000 | opcode(s, STREAM_s_add_u32) << 23 | S_TEMP << 16 | MINUS_1 << 8 | S_TEMP);
    put_word(s, 0xbf000000 | opcode(s, STREAM_s_cmp_lg_u32) << 16 | 128u << 8 | S_TEMP);
    uint32_t back = loop - (s->words + 1);
    put_word(s, 0xbf800000 | opcode(s, STREAM_s_cbranch_scc1) << 16 | (back & 0xffff));
    put_word(s, 0xbf800000 | opcode(s, STREAM_s_endpgm) << 16);
}

/* Processor seconds of the best run; negative: it did not complete. */
static double best_run(struct survey *s, enum mode mode)
{
    struct gcnsim_error error = {0};
    struct gcnsim_raw raw;
    bool wide = s->wave == 64;
    double best = -1, began = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);

    gcnsim_raw_init(&raw);
    raw.target = s->target;
    raw.engine = GCNSIM_ENGINE_FUNCTIONAL;
    raw.entry = raw.code_base = (uint64_t)(uintptr_t)s->word;
    raw.code_size = s->words * sizeof(uint32_t);
    raw.workgroups[0] = 1;
    raw.workgroup_size[0] = raw.wave_size = s->wave;
    /* as many VGPRs as there are */
    raw.compute_pgm_rsrc1 =
        (wide ? 63u : 31u) | float_mode[mode] << 12 | (strncmp(s->target, "gfx12", 5) ? 5u << 21 : 0);
    raw.compute_pgm_rsrc2 = 1u << 7;
    raw.compute_pgm_rsrc3 = wide ? 256 / 4 - 1 : 0; /* where AGPRs begin */
    raw.threads = 1;
    raw.cold = 1;
    do {
        struct gcnsim_result *r = NULL;
        double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);

        if (gcnsim_launch_raw(s->sim, &raw, &r, &error) != GCNSIM_OK || r->outcome != GCNSIM_COMPLETED) {
            gcnsim_result_free(r);
            return -1;
        }
        double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        gcnsim_result_free(r);
        best = best < 0 || took < best ? took : best;
    } while (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - began < s->seconds);
    return best;
}

/* Processor seconds of so many iterations; negative: it cannot run so. */
static double seconds_of(struct survey *s, enum mode mode, const uint8_t *bytes, unsigned size, uint32_t iterations)
{
    build(s, bytes, size, iterations);
    return best_run(s, mode);
}

/* Nanoseconds of one; negative: it cannot run so. Decoding, and the first iterations, which are slow, are not in it. */
static double cost_of(struct survey *s, enum mode mode, const uint8_t *bytes, unsigned size)
{
    enum { FEW = 50 };
    double few = seconds_of(s, mode, bytes, size, FEW), least = 100e-6;

    if (few < 0)
        return -1;
    uint32_t more = few < least ? 50 * FEW : few < 10 * least ? 10 * FEW : 2 * FEW;
    double many = seconds_of(s, mode, bytes, size, FEW + more);
    return many < 0 ? -1 : (many - few) / more / REPEAT * 1e9;
}

/* The survey ------------------------------------------------------------------------------------------------------- */

static int by_cost(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    double most_x = x->ns[KEPT] > x->ns[FLUSHED] ? x->ns[KEPT] : x->ns[FLUSHED];
    double most_y = y->ns[KEPT] > y->ns[FLUSHED] ? y->ns[KEPT] : y->ns[FLUSHED];

    return (most_x < most_y) - (most_x > most_y);
}

static bool is_surveyed(const struct survey *s, const struct stream_cell *cell)
{
    const struct isa_row *row = cell->row;

    return cell->known && op_class_category[row->cls] == OPCAT_VALU && cell->form != FORM_VOPD && !row->mem.op &&
           !(row->flags & (RF_CMPX | RF_ENDS | RF_INTERP)) && !(row->implicit & (IMP_W_EXEC | IMP_W_PC | IMP_W_MODE)) &&
           (s->wave == 64 || cell->format != FMT_VOPDY);
}

static void print_costs(const struct survey *s, struct cost *cost, size_t n, bool all)
{
    double plain = 0;
    size_t above = 0;

    for (size_t k = 0; k < n; k++)
        if (!strncmp(cost[k].text, "v_fma_f32 ", 10))
            plain = cost[k].ns[KEPT];
    qsort(cost, n, sizeof *cost, by_cost);
    for (size_t k = 0; k < n; k++)
        above += cost[k].ns[KEPT] > BOUND * plain || cost[k].ns[FLUSHED] > BOUND * plain;
    printf("%s, waves of %u: %zu instructions, v_fma_f32 %.2f ns; %zu above %d times that\n", s->target, s->wave, n,
           plain, above, BOUND);
    printf("%10s %8s %10s  %s\n", "ns", "times", "flushed", "instruction");
    for (size_t k = 0; k < n && (all || k < WORST); k++)
        printf("%10.2f %8.1f %10.2f  %s\n", cost[k].ns[KEPT], cost[k].ns[KEPT] / plain, cost[k].ns[FLUSHED],
               cost[k].text);
    if (n)
        bench_row(cost[0].ns[KEPT] / plain, "x slower", 0, "slowest vector instruction, %s", s->target);
}

static void survey(struct survey *s, bool all, const char *only)
{
    struct gcnsim_error error = {0};
    size_t n = 0;

    if (!stream_catalog_open(&s->c, s->target, ROUNDS))
        die(s->target, "no such target");
    if (gcnsim_open(&s->sim, s->target, &error) != GCNSIM_OK)
        die(s->target, error.text);
    struct cost *cost = calloc(s->c.count, sizeof *cost);
    if (!cost)
        die(s->target, "no host memory");
    for (unsigned k = 0; k < s->c.count; k++) {
        uint8_t bytes[ENCODING_BYTES];
        unsigned size =
            is_surveyed(s, &s->c.cell[k]) ? choose(s, &s->c.cell[k], bytes, cost[n].text, sizeof cost[n].text) : 0;

        if (!size || (only && !strstr(cost[n].text, only)))
            continue;
        for (enum mode m = 0; m < MODES; m++)
            cost[n].ns[m] = cost_of(s, m, bytes, size);
        n += cost[n].ns[KEPT] >= 0;
    }
    print_costs(s, cost, n, all);
    free(cost);
    gcnsim_close(s->sim);
    stream_catalog_close(&s->c);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *target;
        uint32_t wave;
    } usual[] = {{"gfx942", 64}, {"gfx1201", 32}};
    struct survey s = {.seconds = 0.001};
    bool all = false;
    const char *only = NULL;
    uint32_t wave = 0;
    int k = 1;

    for (; k < argc && !strncmp(argv[k], "--", 2); k++) {
        if (!strcmp(argv[k], "--all"))
            all = true;
        else if (!strcmp(argv[k], "--modified"))
            s.modified = true;
        else if (!strcmp(argv[k], "--seconds") && k + 1 < argc)
            s.seconds = strtod(argv[++k], NULL);
        else if (!strcmp(argv[k], "--wave") && k + 1 < argc)
            wave = (uint32_t)strtoul(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--only") && k + 1 < argc)
            only = argv[++k];
        else
            die(argv[k], "no such option, or no value");
    }
    for (size_t n = 0; k == argc && n < sizeof usual / sizeof *usual; n++) {
        s.target = usual[n].target;
        s.wave = wave ? wave : usual[n].wave;
        survey(&s, all, only);
    }
    for (; k < argc; k++) {
        s.target = argv[k];
        s.wave = wave ? wave : strncmp(s.target, "gfx1", 4) ? 64 : 32;
        survey(&s, all, only);
    }
    return 0;
}

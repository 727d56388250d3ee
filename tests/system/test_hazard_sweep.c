/* The hazards that sim/check knows against those of LLVM 22: pairs of instructions of every kind (hazard_kinds.inc) go
 * through LLVM's hazard recognizer, on each target, and through gcnsim's checks. What LLVM inserts between the two must
 * be what the checks find missing without it, and with it they must find nothing. KNOWN lists where the two differ, and
 * why.
 *
 * llc runs from the recognizer on, and, for the single instructions, from after it on. The checks run each sequence in
 * a workgroup of its own.
 *
 * Plain, a smoke: pairs, and one in eleven of the sequences of three, on targets that stand for others. Everything
 * with GCNSIM_HAZARD_TARGET=all (`make check`), or of one target with GCNSIM_HAZARD_TARGET=gfx942.
 */
#define CHECK_WORDS_FILE "tests/unit/check/words/cells.inc"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "tests/unit/check/check_rig.h"

#include <ctype.h>
#include <fnmatch.h>

enum {
    BLOCK_BYTES = 128,
    BLOCK_WORDS = BLOCK_BYTES / 4,
    PART = 400,
    COMPILED = 2000,
    SMOKE_STEP = 11,
    MOST_KINDS = 192,
    TEXT_BYTES = 1024
};
enum { S_ENDPGM_GFX9 = (int)0xbf810000, S_ENDPGM_GFX11 = (int)0xbfb00000 };

enum {
    G900 = 1 << 0,
    G906 = 1 << 1,
    G908 = 1 << 2,
    G90A = 1 << 3,
    G942 = 1 << 4,
    G950 = 1 << 5,
    N10 = 1 << 6,
    N103 = 1 << 7,
    N11 = 1 << 8,
    N115 = 1 << 9,
    N12 = 1 << 10,
    N125 = 1 << 11,
    GCN = G900 | G906 | G908 | G90A | G942 | G950,
    RDNA = N10 | N103 | N11 | N115 | N12 | N125,
    ALL = GCN | RDNA,
};

static const struct kind {
    int targets;
    int in_threes; /* targets on which it also stands in sequences of three */
    const char *what, *mir;
} kinds[] = {
#define K(TARGETS, WHAT, MIR)      {TARGETS, 0, WHAT, MIR},
#define K3(TARGETS, IN, WHAT, MIR) {TARGETS, IN, WHAT, MIR},
#include "tests/system/hazard_kinds.inc"
#undef K
#undef K3
};

struct sweep {
    const char *target;
    int bit;
    uint32_t lanes;
    const struct kind *(*of)[3]; /* each: two or three instructions; null: none */
    size_t count;
    uint32_t *code[2];     /* without and with what the recognizer inserts: a block for each pair */
    uint8_t *words[2];     /* of each block */
    char (*found[2])[160]; /* what the checks say of each: the first finding, or "" */
    unsigned *missing[2];
};

/* ---- the pairs as MIR ---- */

static char *put_registers(char *out, const char *name, const char **p)
{
    unsigned first, last;
    int used = 0;

    if (sscanf(*p, "[%u:%u]%n", &first, &last, &used) < 2 || !used) {
        sscanf(*p, "%u%n", &first, &used);
        last = first;
    }
    *p += used;
    *out++ = '$';
    for (unsigned r = first; r <= last; r++)
        out += sprintf(out, "%s%s%u", r > first ? "_" : "", name, r);
    return out;
}

static void expand(char *out, const char *p, uint32_t lanes)
{
    for (char before = ' '; *p; before = p[-1]) {
        bool starts = !isalnum((unsigned char)before) && before != '_' && before != '$' && before != '%';
        bool number = isdigit((unsigned char)p[1]) || p[1] == '[';
        if (starts && number && (*p == 'v' || *p == 's' || *p == 'a')) {
            const char *name = *p == 'v' ? "vgpr" : *p == 's' ? "sgpr" : "agpr";
            p++;
            out = put_registers(out, name, &p);
        } else if (starts && strncmp(p, "M8", 2) == 0) {
            out += sprintf(out, lanes == 64 ? "$sgpr8_sgpr9" : "$sgpr8");
            p += 2;
        } else if (starts && strncmp(p, "VCC", 3) == 0) {
            out += sprintf(out, lanes == 64 ? "$vcc" : "$vcc_lo");
            p += 3;
        } else if (starts && *p == 'E' && !isalnum((unsigned char)p[1]) && p[1] != '_') {
            out += sprintf(out, "implicit $exec");
            p++;
        } else {
            *out++ = *p++;
        }
    }
    *out = '\0';
}

/* In gfx12's kernels nobody has read an SGPR yet; in functions LLVM takes them for read. */
static void write_sequences(const struct sweep *s, const char *path, size_t first, size_t end)
{
    char text[TEXT_BYTES];
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    if (s->bit == N12)
        fprintf(f, "--- |\n");
    for (size_t k = first; k < end && s->bit == N12; k++)
        fprintf(f, "  define amdgpu_kernel void @p%zu() { ret void }\n", k);
    if (s->bit == N12)
        fprintf(f, "...\n");
    for (size_t k = first; k < end; k++) {
        fprintf(f, "---\nname: p%zu\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n  bb.0:\n", k);
        for (unsigned n = 0, block = 0; n < 3 && s->of[k][n]; n++) {
            expand(text, s->of[k][n]->mir, s->lanes);
            char *label = strstr(text, "%bb.1");
            if (label) {
                label[strlen("%bb.")] = (char)('1' + block);
                strstr(label, "bb.1:")[strlen("bb.")] = (char)('1' + block++);
            }
            fprintf(f, "    %s\n", text);
        }
        fprintf(f, "    S_ENDPGM 0\n...\n");
    }
    fclose(f);
}

/* ---- their code ---- */

/* "p12:" begins a block; "encoding: [0x81,0x00,0xbe,0xbf]" has words of it. */
static void read_blocks(struct sweep *s, const char *p, unsigned with)
{
    size_t block = 0;
    bool inside = false;

    for (const char *line = p; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (line[0] == 'p' && isdigit((unsigned char)line[1])) {
            block = strtoul(line + 1, NULL, 10);
            assert_true(block < s->count);
            inside = true;
        }
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        const char *e = inside ? memchr(line, ';', length) : NULL;
        if (!e || strncmp(e, "; encoding: [", strlen("; encoding: [")) != 0)
            continue;
        size_t words = s->words[with][block];
        check_read_encoding(e + strlen("; encoding: ["), s->code[with] + block * BLOCK_WORDS, &words, BLOCK_WORDS);
        s->words[with][block] = (uint8_t)words;
    }
}

/* A part of them: llc keeps all functions of a file in memory, some 200 KB each. */
static void compile_some(struct sweep *s, unsigned with, size_t first, size_t end)
{
    char in[560], out[560], cpu[40];
    const char *from = with ? "-start-before=post-RA-hazard-rec" : "-start-after=post-RA-hazard-rec";

    snprintf(in, sizeof in, "%s/pairs.mir", program_folder());
    snprintf(out, sizeof out, "%s/pairs.s", program_folder());
    snprintf(cpu, sizeof cpu, "-mcpu=%s", s->target);
    write_sequences(s, in, first, end);
    const char *argv[] = {"sh",
                          "tests/llvm22.sh",
                          "llc",
                          "-mtriple=amdgcn-amd-amdhsa",
                          cpu,
                          from,
                          s->lanes == 64 ? "-mattr=+wavefrontsize64,-xnack" : "-mattr=+wavefrontsize32,-xnack",
                          "--show-mc-encoding",
                          "-amdgpu-enable-delay-alu=0",
                          with ? "-amdgpu-sgpr-hazard-wait=1" : "-amdgpu-sgpr-hazard-wait=0",
                          "-o",
                          "-",
                          in,
                          NULL};
    char *text = check_listing(argv, s->target, out);
    read_blocks(s, text, with);
    free(text);
}

static void compile(struct sweep *s, unsigned with)
{
    for (size_t k = 0; k < s->count; k += COMPILED)
        compile_some(s, with, k, s->count - k < COMPILED ? s->count : k + COMPILED);
}

/* Code without what the recognizer inserts is that of the single instructions. */
static void join(struct sweep *s)
{
    const struct kind *of[CHECK_COUNT(kinds)][3] = {{NULL}};
    static uint32_t code[CHECK_COUNT(kinds) * BLOCK_WORDS];
    uint8_t words[CHECK_COUNT(kinds)] = {0};
    struct sweep one = {
        .target = s->target, .bit = s->bit, .lanes = s->lanes, .of = of, .code = {code}, .words = {words}};

    for (size_t k = 0; k < CHECK_COUNT(kinds); k++)
        if (kinds[k].targets & s->bit)
            of[one.count++][0] = &kinds[k];
    compile(&one, 0);
    for (size_t k = 0; k < s->count; k++)
        for (unsigned n = 0; n < 3 && s->of[k][n]; n++) {
            size_t at = 0;
            while (of[at][0] != s->of[k][n])
                at++;
            bool last = n == 2 || !s->of[k][n + 1];
            unsigned count = words[at] - !last; /* s_endpgm once */
            assert_true(s->words[0][k] + count <= BLOCK_WORDS);
            memcpy(s->code[0] + k * BLOCK_WORDS + s->words[0][k], code + at * BLOCK_WORDS, 4 * count);
            s->words[0][k] = (uint8_t)(s->words[0][k] + count);
        }
}

static bool is_changed(const struct sweep *s, size_t k)
{
    return s->words[0][k] != s->words[1][k] ||
           memcmp(s->code[0] + k * BLOCK_WORDS, s->code[1] + k * BLOCK_WORDS, 4u * s->words[0][k]) != 0;
}

/* ---- the checks ---- */

/* Workgroup n jumps to block n. */
static size_t make_start(const struct sweep *s, uint32_t *out)
{
    static struct check_code code;
    char in[560], listing[560], prologue[CHECK_TEXT];

    snprintf(in, sizeof in, "%s/start.s", program_folder());
    snprintf(listing, sizeof listing, "%s/start", program_folder());
    FILE *f = fopen(in, "w");
    assert_non_null(f);
    check_prologue(prologue, s->target);
    fprintf(f, "%s", check_numbers(s->target));
    if (s->bit == N12)
        fprintf(f, "s_wait_alu 0xffff\n");
    fprintf(f, "%ss_mov_b32 m0, 0\ns_mul_i32 s20, s20, %u\ns_nop 7\n", prologue, (unsigned)BLOCK_BYTES);
    fprintf(f, "s_getpc_b64 s[22:23]\ns_add_u32 s20, s20, 20\ns_add_u32 s22, s22, s20\ns_addc_u32 s23, s23, 0\n"
               "s_setpc_b64 s[22:23]\ns_nop 0\ns_trap 77\n");
    fclose(f);
    char *text = check_assemble_file(in, listing, s->target, s->lanes, true);
    check_read_words(&code, text);
    free(text);
    memcpy(out, code.word, code.words * sizeof *out);
    return code.words;
}

/* Rules about hazards; the others look at what a kernel computes. */
static bool is_hazard(const char *rule)
{
    return strncmp(rule, "states.", 7) == 0 || strncmp(rule, "mfma.", 5) == 0 || strncmp(rule, "rdna", 4) == 0 ||
           strncmp(rule, "gfx1250.", 8) == 0;
}

static struct gcnsim_result *launch(const struct sweep *s, struct gcnsim *sim, const uint32_t *code, size_t words,
                                    size_t count, uint8_t *buffer)
{
    struct gcnsim_raw r = check_raw(s->target, s->lanes, code, words, buffer);
    struct gcnsim_error error = {0};
    struct gcnsim_result *result = NULL;

    r.grid_size[0] = s->lanes * (uint32_t)count;
    r.lds_bytes = 4096;
    if (gcnsim_launch_raw(sim, &r, &result, &error))
        fail_msg("%s: %s", s->target, error.text);
    return result;
}

static void note(struct sweep *s, unsigned with, size_t block, const struct gcnsim_finding *f)
{
    const char *words = strstr(f->fix, " wait state");
    unsigned states = 0;

    while (words && words > f->fix && isdigit((unsigned char)words[-1]))
        words--;
    if (words)
        states = (unsigned)strtoul(words, NULL, 10);
    if (s->found[with][block][0] && states <= s->missing[with][block])
        return;
    snprintf(s->found[with][block], sizeof s->found[with][block], "%s at '%s': %.60s", f->rule, f->instruction, f->fix);
    s->missing[with][block] = states;
}

/* How many findings a run keeps is limited. */
static void check_some(struct sweep *s, struct gcnsim *sim, unsigned with, uint32_t *code, size_t start,
                       const size_t *which, size_t count)
{
    const uint32_t end = s->bit & (N11 | N115 | N12 | N125) ? (uint32_t)S_ENDPGM_GFX11 : (uint32_t)S_ENDPGM_GFX9;
    static uint8_t buffer[CHECK_BUFFER];

    memset(buffer, 0, sizeof buffer);
    for (size_t k = 0; k < count; k++) {
        uint32_t *block = code + start + k * BLOCK_WORDS;
        memcpy(block, s->code[with] + which[k] * BLOCK_WORDS, BLOCK_BYTES);
        for (unsigned w = s->words[with][which[k]]; w < BLOCK_WORDS; w++)
            block[w] = end;
    }
    struct gcnsim_result *r = launch(s, sim, code, start + count * BLOCK_WORDS, count, buffer);
    if (r->outcome != GCNSIM_COMPLETED)
        fail_msg("%s: %s", s->target, r->message);
    for (size_t k = 0; k < r->finding_count; k++) {
        const struct gcnsim_finding *f = &r->findings[k];
        if (!is_hazard(f->rule))
            continue;
        assert_true(f->pc_offset >= 4 * start);
        size_t block = (f->pc_offset - 4 * start) / BLOCK_BYTES;
        assert_true(block < count);
        note(s, with, which[block], f);
    }
    gcnsim_result_free(r);
}

/* All of them as they are, and those again into which something was inserted. */
static void check(struct sweep *s)
{
    struct gcnsim_error error = {0};
    struct gcnsim *sim;
    size_t which[PART];
    uint32_t *code = malloc((CHECK_WORDS + PART * BLOCK_WORDS) * sizeof *code);

    assert_non_null(code);
    size_t start = make_start(s, code);
    assert_int_equal(gcnsim_open(&sim, NULL, &error), GCNSIM_OK);
    for (unsigned with = 0; with < 2; with++) {
        size_t count = 0;
        for (size_t k = 0; k <= s->count; k++) {
            if (count == PART || (k == s->count && count)) {
                check_some(s, sim, with, code, start, which, count);
                count = 0;
            }
            if (k < s->count && (!with || is_changed(s, k)))
                which[count++] = k;
        }
    }
    gcnsim_close(sim);
    free(code);
}

/* ---- comparison ---- */

/* What LLVM inserted before the last instruction: wait states of s_nop, and whether there is anything else. */
static unsigned inserted(const struct sweep *s, size_t block, bool *other)
{
    const uint32_t *a = s->code[0] + block * BLOCK_WORDS, *b = s->code[1] + block * BLOCK_WORDS;
    unsigned i = 0, states = 0, words = s->words[0][block] - 1; /* without s_endpgm */

    *other = false;
    for (unsigned k = 0; i < words; k++) {
        assert_true(k < s->words[1][block]);
        if (a[i] == b[k])
            i++;
        else if ((b[k] & 0xffffff00) == 0xbf800000 && s->bit & GCN)
            states += (b[k] & 255) + 1;
        else
            *other = true;
    }
    return states;
}

/* Where the two differ on purpose: docs/CHECK.md has the reasons. Names are patterns; `third` null: pairs alone. */
static const struct known {
    int targets;
    const char *first, *second, *third;
    const char *why;
    bool ours; /* gcnsim finds what LLVM does not know; else LLVM is more careful */
} known[] = {
    {GCN, "v_cmpx", "{vmem}", NULL, "hardware resolves VALU writes of EXEC before vector memory"},
    {GCN, "v_cmpx", "*", "{vmem}", "the same"},
    {GCN, "v_cmpx", "{vmem}", "*", "the same"},
    {GCN, "*", "v_cmpx", "{vmem}", "the same"},
    {GCN, "s_mov m0", "buffer_load lds", NULL,
     "the manuals' tables do not have buffer loads to LDS behind a write of M0"},
    {GCN, "*", "v_mov dpp w", NULL, "the part of its destination that DPP keeps"},
    {GCN, "v_mov dpp*", "v_mov dpp*", NULL, "the same"},
    {GCN, "*load* w", "v_mov dpp r", NULL, "a load's result has a wait of its own before anybody reads it"},
    {GCN, "ds_read w", "v_mov dpp r", NULL, "the same"},
    {G908, "v_accvgpr_write*", "v_accvgpr_write*", "*", "an AGPR that v_accvgpr_write writes twice"},
    {G908, "*", "v_accvgpr_write*", "v_accvgpr_write*", "the same"},
    {G908, "v_accvgpr_write*", "*", "v_accvgpr_write*", "the same"},
    {G908, "v_accvgpr_write*", "v_accvgpr_write*", NULL, "the same"},
    {G908, "v_accvgpr_read v4", "ds_write_addtid", NULL, "LLVM looks at M0 alone before what reads it", true},
    {G908, "v_accvgpr_read v4", "v_mov w", "*", "LLVM does not look at who writes the VGPR in between"},
    {G942 | G950, "buffer_store x4 soffset", "*", NULL, "not in LLVM 22: docs/CHECK.md, Errata", true},
    {G942 | G950, "v_mov sdwa w", "*", NULL, "overwritten as a whole"},
    {G942 | G950, "v_cvt_sr_fp8 byte 1", "*", NULL, "overwritten as a whole"},
    {G942 | G950, "v_pk_fma_f32 op_sel_hi", "*", NULL, "LLVM takes op_sel_hi for the bit of the half that is written"},
    {N10, "*", "v_readfirstlane w", "v_cmpx", "LLVM looks for a result called sdst, which v_readfirstlane has not"},
    {N11 | N115, "v_cndmask s8", "*", "{not s8}", "LLVM waits behind every write of what has been a lane mask"},
    {N11 | N115, "v_cndmask vcc", "*", "{not vcc}", "the same"},
    {N11 | N115, "v_cndmask s8", "s_mov w9", "v_mov s8", "the other half of the mask has been written"},
    {N11, "v_sqrt w", "v_mov w", "v_mov r", "LLVM does not look at who writes the VGPR in between"},
    {N11 | N115 | N125, "*", "v_mov dpp w", NULL, "the part of its destination that DPP keeps"},
    {N125, "*", "s_getreg status", NULL, "not checked: LLVM waits before every s_getreg of STATUS"},
    {N125, "s_getreg status", "*", NULL, "the same"},
};

static bool matches(const char *pattern, const struct kind *k)
{
    if (strcmp(pattern, "{vmem}") == 0)
        return strncmp(k->what, "buffer_", 7) == 0 || strncmp(k->what, "global_", 7) == 0 ||
               strncmp(k->what, "flat_", 5) == 0;
    if (strcmp(pattern, "{not s8}") == 0)
        return strcmp(k->what, "v_mov s8") != 0 && strcmp(k->what, "v_cndmask s8") != 0;
    if (strcmp(pattern, "{not vcc}") == 0)
        return strcmp(k->what, "v_mov vcc_lo") != 0 && strcmp(k->what, "v_cndmask vcc") != 0;
    return fnmatch(pattern, k->what, 0) == 0;
}

static bool is_known(const struct sweep *s, size_t k, bool used[CHECK_COUNT(known)])
{
    const struct kind *const *of = s->of[k];

    for (size_t n = 0; n < CHECK_COUNT(known); n++) {
        const struct known *w = &known[n];
        if (!(w->targets & s->bit) || w->ours != !!s->found[0][k][0] || s->found[1][k][0] || !w->third != !of[2] ||
            !matches(w->first, of[0]) || !matches(w->second, of[1]) || (of[2] && !matches(w->third, of[2])))
            continue;
        return used[n] = true;
    }
    return false;
}

static unsigned compare(const struct sweep *s, bool used[CHECK_COUNT(known)])
{
    unsigned differ = 0;

    for (size_t k = 0; k < s->count; k++) {
        const struct kind *const *of = s->of[k];
        bool other, found = s->found[0][k][0];
        unsigned states = inserted(s, k, &other);
        /* before one instruction wait states are those that are missing; before two they are shared out */
        bool same = (states || other) == found && (of[2] || states == s->missing[0][k]);
        if ((same && !s->found[1][k][0]) || is_known(s, k, used))
            continue;
        differ++;
        print_error("%s wave%u: %s, %s%s%s: LLVM %u%s, gcnsim %u %s%s%s\n", s->target, s->lanes, of[0]->what,
                    of[1]->what, of[2] ? ", " : "", of[2] ? of[2]->what : "", states, other ? " other" : "",
                    s->missing[0][k], s->found[0][k], s->found[1][k][0] ? "; WITH: " : "", s->found[1][k]);
    }
    return differ;
}

static bool is_smoke(void)
{
    return !getenv("GCNSIM_HAZARD_TARGET");
}

static void choose(struct sweep *s)
{
    const struct kind *kind[MOST_KINDS], *three[MOST_KINDS];
    const size_t step = is_smoke() ? SMOKE_STEP : 1;
    size_t n = 0, m = 0;

    for (size_t k = 0; k < CHECK_COUNT(kinds); k++)
        if (kinds[k].targets & s->bit) {
            assert_true(n < MOST_KINDS);
            kind[n++] = &kinds[k];
            if (kinds[k].in_threes & s->bit)
                three[m++] = &kinds[k];
        }
    s->of = calloc(n * n + m * m * m, sizeof *s->of);
    assert_non_null(s->of);
    for (size_t k = 0; k < n * n; k++, s->count++) {
        s->of[s->count][0] = kind[k / n];
        s->of[s->count][1] = kind[k % n];
    }
    for (size_t k = 0; k < m * m * m; k += step, s->count++) {
        s->of[s->count][0] = three[k / (m * m)];
        s->of[s->count][1] = three[k / m % m];
        s->of[s->count][2] = three[k % m];
    }
}

static unsigned sweep(const char *target, int bit, uint32_t lanes, bool used[CHECK_COUNT(known)])
{
    struct sweep s = {.target = target, .bit = bit, .lanes = lanes};

    choose(&s);
    for (unsigned with = 0; with < 2; with++) {
        s.code[with] = calloc(s.count, BLOCK_BYTES);
        s.words[with] = calloc(s.count, 1);
        s.found[with] = calloc(s.count, sizeof *s.found[with]);
        s.missing[with] = calloc(s.count, sizeof *s.missing[with]);
        assert_true(s.code[with] && s.words[with] && s.found[with] && s.missing[with]);
    }
    join(&s);
    compile(&s, 1);
    check(&s);
    unsigned differ = compare(&s, used);
    print_message("%s, wave%u: %zu sequences, %u differ\n", target, lanes, s.count, differ);
    for (unsigned with = 0; with < 2; with++) {
        free(s.code[with]);
        free(s.words[with]);
        free(s.found[with]);
        free(s.missing[with]);
    }
    free(s.of);
    return differ;
}

static void every_pair(void **state)
{
    static const struct {
        const char *target;
        int bit;
        bool smoke[2]; /* waves of 32, of 64 lanes */
    } targets[] = {
        {"gfx900", G900, {false, true}},   {"gfx906", G906, {false, false}}, {"gfx908", G908, {false, true}},
        {"gfx90a", G90A, {false, true}},   {"gfx942", G942, {false, true}},  {"gfx950", G950, {false, true}},
        {"gfx1010", N10, {true, false}},   {"gfx1030", N103, {true, false}}, {"gfx1100", N11, {false, true}},
        {"gfx1150", N115, {false, false}}, {"gfx1200", N12, {true, false}},  {"gfx1250", N125, {true, false}},
    };
    const char *only = getenv("GCNSIM_HAZARD_TARGET");
    bool all = only && strcmp(only, "all") == 0;
    bool used[CHECK_COUNT(known)] = {false};
    unsigned differ = 0;

    (void)state;
    if (!has_llvm22()) {
        print_message("LLVM 22 is absent: hazards are not compared with those of its recognizer\n");
        skip();
    }
    for (size_t k = 0; k < CHECK_COUNT(targets); k++) {
        if (only && !all && strcmp(only, targets[k].target) != 0)
            continue;
        if (targets[k].bit != N125 && (!is_smoke() || targets[k].smoke[1]))
            differ += sweep(targets[k].target, targets[k].bit, 64, used);
        if ((targets[k].bit & RDNA) && (!is_smoke() || targets[k].smoke[0]))
            differ += sweep(targets[k].target, targets[k].bit, 32, used);
    }
    for (size_t k = 0; k < CHECK_COUNT(known) && all; k++)
        if (!used[k]) {
            print_error("no longer so: %s, %s: %s\n", known[k].first, known[k].second, known[k].why);
            differ++;
        }
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

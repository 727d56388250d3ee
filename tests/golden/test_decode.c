/* Decoding and disassembly against LLVM 19, and LLVM 22 for targets that LLVM 19 does not know, for every target: what
 * one accepts the other accepts, with the same text and the same length. Differences that are LLVM's own mistakes are
 * counted apart (docs/DISASSEMBLY.md gives the reasons).
 *
 *   walk        every (format, opcode) there is room for, with random and corner operands    DECODE_WALK   (5000)
 *   random      words of 4, 8 and 12 bytes                                                   DECODE_RANDOM (5000)
 *   flip        every bit of plain encodings of every opcode, when DECODE_FLIP is set: how many of them, spread over
 *               all
 *   round trip  the text of the walk assembles to the same bytes, or to another encoding of the same instruction; texts
 *               that the assembler refuses (it checks more than the disassembler) are counted      DECODE_TRIP   (5000)
 *
 * DECODE_SEED changes what is drawn; a seed and a target bring every failure back.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "tests/golden/encodings.h"
#include "tests/golden/llvm_mc.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum { BATCH = 50000, SHOWN = 40, TEXT = 512 };

enum draw { WALK, RANDOM, FLIP };

enum { MOST_SUSPECTS = 20000 };

struct tally {
    struct llvm_suspect *suspects; /* null: differences count at once */
    size_t suspected;
    size_t words, both, text, size, only_ours, only_theirs, mistakes, ill_formed, newer, crashes;
};

static size_t setting(const char *name, size_t fallback)
{
    const char *s = getenv(name);

    return s && *s ? (size_t)strtoull(s, NULL, 10) : fallback;
}

/* Where LLVM's text is wrong: docs/DISASSEMBLY.md. Our text is what the encoding says. */
static bool llvm_mistake(const char *ours, const char *theirs)
{
    char mended[TEXT];
    const char *p = strstr(ours, "|, vcc");
    size_t name = strcspn(ours, " ");

    /* the bar that closes an absolute second source of v_cndmask's DPP form comes after VCC */
    while (p && strstr(p + 1, "|, vcc"))
        p = strstr(p + 1, "|, vcc");
    if (p) {
        size_t vcc = 3 + strcspn(p + 3, " ");
        snprintf(mended, sizeof mended, "%.*s%.*s|%s", (int)(p - ours), ours, (int)vcc - 1, p + 1, p + vcc);
        if (!strcmp(mended, theirs))
            return true;
    }
    /* v_nop takes what follows it for its DPP word */
    return name == 5 && !strncmp(ours, "v_nop", name) && !strncmp(theirs, "v_nop ", 6);
}

/* What LLVM 22 has that LLVM 19 has not: it decodes operands of gfx1250 on every target, literals where the target has
 * none, and tuples that no register file has room for, or that start at an odd register, and says so of some. It has
 * DPP and SDWA forms of v_pk_fmac_f16, of which the manual knows none, and no AGPRs for what some float atomics return;
 * M0 is none of v_readfirstlane's results to it, and small literals of v_fmaak and v_fmamk are the inline constants of
 * these numbers.
 * Instructions that both call ill-formed have the same bytes; how LLVM names what an operand should be is its own
 * affair, but not what it says of DPP on pairs of registers. */
static bool newer_mistake(const char *target, const struct isa_inst *ours, unsigned our_size, const char *why,
                          const char *theirs)
{
    const char *tuple = strchr(theirs, '['); /* v[254:257], or a modifier */
    bool noted = strstr(theirs, "/*Invalid ") != NULL, halves = oracle_names_halves(target);
    bool constant = our_size && ours->literal < 256 && strstr(ours->mnemonic, "ma") && strstr(ours->mnemonic, "k_f");
    bool agprs = (ours->format == FMT_GLOBAL || ours->format == FMT_FLAT) && (ours->op[0].flags & A_ACC);

    if (our_size) /* float atomics that return into AGPRs */
        return (ours->bad & ~ISA_BAD_DPP64) || (!*theirs && agprs && strstr(ours->mnemonic, "atomic")) ||
               (noted && !strcmp(ours->mnemonic, "v_mfma_ld_scale_b32")) ||
               (noted && !strcmp(ours->mnemonic, "v_readfirstlane_b32")) || (*theirs && constant);
    if (halves)
        return noted;
    for (; tuple; tuple = strchr(tuple + 1, '[')) {
        unsigned first, last;
        if (sscanf(tuple, "[%u:%u]", &first, &last) == 2 && last > 255)
            return true;
    }
    return noted || !strcmp(why, "literal not allowed here") || strstr(theirs, "src_flat_scratch_base") ||
           !strncmp(theirs, "v_pk_fmac_f16_dpp", 17) || !strncmp(theirs, "v_pk_fmac_f16_sdwa", 18);
}

/* High halves of registers in 16-bit instructions of gfx11 and gfx12, of which LLVM 19 knows v_mov_b16's alone;
 * instructions; and op_sel's third bit of v_fmac_f16, which LLVM 22 sets with its fourth. LLVM 19 has whole registers
 * for the pairs of 8-bit floats, too. LLVM 22 knows the instructions on the targets that have them here. */
static bool newer_than_llvm(const struct isa_target *t, const char *ours, const char *theirs)
{
    static const char *const names[] = {"v_swap_b16 ", "v_mov_b16_e64", "ds_bpermute_fi_b32 ", "s_alloc_vgpr "};

    if (strstr(ours, ".h"))
        return !*theirs || strstr(theirs, "_Lo128'") || !strncmp(ours, "v_cvt_pk_f32_", 13);
    for (size_t k = 0; k < COUNT(names) && !*theirs; k++)
        if (!strncmp(ours, names[k], strlen(names[k])))
            return true;
    if (!*theirs && (strstr(ours, "v_dual_dot2acc_f32_bf16") ||
                     (t->layout == LAYOUT_GFX12 && strstr(ours, "v_dual_dot2acc_f32_f16"))))
        return true;
    return !*theirs && !strncmp(ours, "v_fmac_f16", 10) && strstr(ours, "op_sel:");
}

static void show(const char *what, const char *target, const struct oracle_word *w, unsigned ours_size,
                 const char *ours)
{
    char bytes[3 * ORACLE_BYTES + 1] = "";

    for (unsigned k = 0; k < w->given; k++)
        snprintf(bytes + 3 * k, 4, "%02x ", w->bytes[k]);
    print_message("%s: %s: %s\n  gcnsim  %2u '%s'\n  %s %2u '%s'\n", target, what, bytes, ours_size, ours,
                  oracle_name(), w->size, w->text);
}

/* gfx12's matrix instructions, which LLVM 22 assembles for gfx1250 and does not select there. */
static bool made_for_gfx12(const struct oracle_word *w)
{
    return w->bytes[3] == 0xcc && w->bytes[2] >= 0x40 && w->bytes[2] <= 0x5a && strstr(w->text, "_16x16x");
}

static void suspect(struct tally *n, const struct oracle_word *w, unsigned size, const char *ours)
{
    struct llvm_suspect *s = &n->suspects[n->suspected++];

    assert_true(n->suspected <= MOST_SUSPECTS);
    memcpy(s->bytes, w->bytes, sizeof s->bytes);
    s->size = (uint8_t)size;
    s->their_size = w->size;
    snprintf(s->ours, sizeof s->ours, "%s", ours);
    snprintf(s->theirs, sizeof s->theirs, "%s", w->text);
}

static void compare(const struct isa_target *t, const struct oracle_word *w, struct tally *n)
{
    struct isa_inst i;
    char ours[TEXT] = "";
    const char *why = "";
    unsigned size = isa_decode(t, w->bytes, w->given, &i, &why);
    size_t bad = n->text + n->size + n->only_ours + n->only_theirs;

    if (size) {
        isa_text(t, &i, ours, sizeof ours);
        oracle_squeeze(ours);
    }
    n->words++;
    if (w->crashed) {
        n->crashes++;
        return;
    }
    n->both += size && w->size;
    bool same = !strcmp(ours, w->text);
    if (oracle_for(t->name) == ORACLE_LLVM22 && !same && newer_mistake(t->name, &i, size, why, w->text)) {
        n->ill_formed++;
        return;
    }
    if (n->suspects && !size && made_for_gfx12(w))
        n->mistakes++;
    else if (n->suspects && (!same || size != w->size))
        suspect(n, w, size, ours);
    else if (size && w->size && !same && llvm_mistake(ours, w->text))
        n->mistakes++;
    else if (size && !same && newer_than_llvm(t, ours, w->text))
        n->newer++;
    else if (size && w->size && !same)
        n->text++;
    else if (size && w->size && size != w->size)
        n->size++;
    else if (size && !w->size)
        n->only_ours++;
    else if (!size && w->size)
        n->only_theirs++;
    if (n->text + n->size + n->only_ours + n->only_theirs != bad && bad < SHOWN)
        show("they differ", t->name, w, size, ours);
}

/* What LLVM's own assembler does not hold against LLVM counts against gcnsim. */
static void judge_suspects(const char *name, struct tally *n)
{
    bool *mistake = calloc(n->suspected + 1, sizeof *mistake);

    assert_non_null(mistake);
    llvm_judge(name, n->suspects, n->suspected, mistake);
    for (size_t k = 0; k < n->suspected; k++) {
        const struct llvm_suspect *s = &n->suspects[k];
        if (mistake[k]) {
            n->mistakes++;
            continue;
        }
        n->text += s->size && s->their_size;
        n->only_ours += !s->their_size;
        n->only_theirs += !s->size;
        print_message("%s: '%s' of %u bytes, LLVM '%s' of %u: %02x%02x%02x%02x %02x%02x%02x%02x\n", name, s->ours,
                      s->size, s->theirs, s->their_size, s->bytes[3], s->bytes[2], s->bytes[1], s->bytes[0],
                      s->bytes[7], s->bytes[6], s->bytes[5], s->bytes[4]);
    }
    free(mistake);
}

static size_t draw_batch(struct encodings *g, enum draw draw, uint64_t *at, uint64_t step, struct oracle_word *w,
                         size_t n)
{
    for (size_t k = 0; k < n; k++) {
        memset(&w[k], 0, sizeof w[k]);
        if (draw == FLIP) {
            w[k].given = (uint8_t)encodings_flip(g, *at, w[k].bytes);
            *at += step;
        } else {
            w[k].given = (uint8_t)(draw == WALK ? encodings_walk(g, w[k].bytes) : encodings_random(g, w[k].bytes));
        }
        if (!w[k].given)
            return k;
    }
    return n;
}

static uint64_t count_flips(struct encodings *g)
{
    uint8_t bytes[ENCODING_BYTES];
    uint64_t low = 0, high = UINT64_C(1) << 28;

    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (encodings_flip(g, middle, bytes))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct isa_target *target_for(const char *name)
{
    struct isa_target *t;
    struct err e = {0};

    oracle_choose(oracle_for(name));
    if (oracle_absent()) {
        print_message("%s", oracle_absent());
        skip();
    }
    assert_int_equal(isa_target_open(&t, name, NULL, &e), 0);
    return t;
}

static void parity(const char *name, enum draw draw, size_t n)
{
    static const char *const names[] = {"walk", "random words", "flipped bits"};
    struct isa_target *t = target_for(name);
    struct encodings g;
    struct tally sum = {0};
    uint64_t at = 0, step = 1;
    struct oracle_word *w = oracle_alloc(BATCH);

    assert_non_null(w);
    if (oracle_names_halves(name)) {
        sum.suspects = calloc(MOST_SUSPECTS, sizeof *sum.suspects);
        assert_non_null(sum.suspects);
    }
    encodings_start(&g, name, setting("DECODE_SEED", 1) + (draw == RANDOM));
    if (draw == FLIP)
        step = count_flips(&g) / n + 1;
    for (size_t done = 0, got = BATCH; done < n && got == BATCH; done += BATCH) {
        got = draw_batch(&g, draw, &at, step, w, n - done < BATCH ? n - done : BATCH);
        assert_true(oracle_ask(name, w, got) >= 0);
        for (size_t k = 0; k < got; k++)
            compare(t, &w[k], &sum);
    }
    if (sum.suspects)
        judge_suspects(name, &sum);
    free(sum.suspects);
    print_message(
        "%s, %s: %zu encodings, %zu accepted by both; differ: %zu in text, %zu in length, %zu only gcnsim "
        "accepts, %zu only LLVM; %zu LLVM's mistakes, %zu ill-formed, %zu newer than LLVM 19, %zu LLVM crashes "
        "at\n",
        name, names[draw], sum.words, sum.both, sum.text, sum.size, sum.only_ours, sum.only_theirs, sum.mistakes,
        sum.ill_formed, sum.newer, sum.crashes);
    oracle_free(w);
    isa_target_close(t);
    assert_true(sum.both > sum.words / 10);
    assert_int_equal(sum.text + sum.size + sum.only_ours + sum.only_theirs, 0);
    assert_true(sum.ill_formed <= sum.words / 10);
    assert_true(sum.mistakes <= sum.words / 1000 + 5 && sum.crashes <= sum.words / 1000 + 5);
}

static void test_walk(void **state)
{
    parity(*state, WALK, setting("DECODE_WALK", 5000));
}

static void test_random(void **state)
{
    parity(*state, RANDOM, setting("DECODE_RANDOM", 5000));
}

static void test_flip(void **state)
{
    parity(*state, FLIP, setting("DECODE_FLIP", 0));
}

/* --- llvm-mc itself -------------------------------------------------------------------------------------------- */

static void need_llvm_mc(const char *target)
{
    char cmd[128];

    snprintf(cmd, sizeof cmd, "%s --version >/dev/null 2>&1", oracle_tool(oracle_for(target), "llvm-mc"));
    if (system(cmd)) {
        print_message("SKIPPED: llvm-mc of %s is not installed\n", oracle_name());
        skip();
    }
}

/* The library says what llvm-mc --disassemble prints. Words that crash LLVM end its run, so they are left out. */
static void test_oracle(void **state)
{
    const char *name = *state;
    enum { N = 3000 };
    struct encodings g;
    struct llvm_mc_files s;
    char line[1024];
    size_t compared = 0;

    isa_target_close(target_for(name));
    need_llvm_mc(name);
    struct oracle_word *w = oracle_alloc(N);
    bool *refused = calloc(N, sizeof *refused);
    assert_non_null(w);
    assert_non_null(refused);
    encodings_start(&g, name, 7);
    uint64_t at = 0;
    draw_batch(&g, WALK, &at, 1, w, N);
    assert_true(oracle_ask(name, w, N) >= 0);
    FILE *f = llvm_mc_open(&s);
    for (size_t k = 0; k < N; k++) {
        /* exactly the instruction: llvm-mc would go on with what follows */
        unsigned n = w[k].size ? w[k].size : 4;
        fputc('[', f);
        for (unsigned b = 0; b < n; b++)
            fprintf(f, "%s0x%02x", b ? "," : "", w[k].size ? w[k].bytes[b] : b == 3 ? 0xbf : b == 2 ? 0x80 : 0);
        fputs("]\n", f);
    }
    fclose(f);
    llvm_mc_run(&s, "--disassemble", name);
    llvm_mc_refused(&s, refused, N);
    f = fopen(s.out, "r");
    assert_non_null(f);
    for (size_t k = 0; k < N; k++) {
        if (refused[k])
            fail_msg("llvm-mc refuses what the library accepts: '%s'", w[k].text);
        assert_true(llvm_mc_line(f, line, sizeof line));
        assert_string_equal(line, w[k].size ? w[k].text : "s_nop 0");
        compared += w[k].size != 0;
    }
    fclose(f);
    llvm_mc_remove(&s);
    oracle_free(w);
    free(refused);
    assert_true(compared > N / 20);
}

/* --- round trip --------------------------------------------------------------------------------------------------- */

struct spoken {
    char text[TEXT];
    uint8_t bytes[ORACLE_BYTES], size;
    bool literal;
    bool loses; /* LLVM's text does not hold all of it: half a pair of a packed export, gfx12 images' addresses past v0;
                 * or its assembler does not keep it: the half of the tied source of v_fmac_f16; or writes it in another
                 * of several ways: swizzles, constants of v_pk_fmac_f16, registers that read as constants where a
                 * barrier has a number */
};

/* Whether the text is the other without the names of low halves: bits of op_sel that no operand has. */
static bool lacks_halves(const char *text, const char *named)
{
    while (*named) {
        if (named[0] == '.' && named[1] == 'l' && *text != '.')
            named += 2;
        else if (*text++ != *named++)
            return false;
    }
    return !*text;
}

static void test_round_trip(void **state)
{
    const char *name = *state;
    struct isa_target *t = target_for(name);
    size_t n = setting("DECODE_TRIP", 5000), said = 0, equal = 0, other = 0, bad = 0, lost = 0, not_assembled = 0;
    struct encodings g;
    struct llvm_mc_files s;
    char line[1024];
    const bool named_halves = t->name_halves;

    need_llvm_mc(name);
    struct spoken *all = calloc(n, sizeof *all);
    bool *refused = calloc(n, sizeof *refused);
    assert_non_null(all);
    assert_non_null(refused);
    encodings_start(&g, name, setting("DECODE_SEED", 1) + 2);
    for (size_t k = 0; k < n; k++) {
        uint8_t bytes[ENCODING_BYTES];
        struct isa_inst i;
        unsigned size = isa_decode(t, bytes, encodings_walk(&g, bytes), &i, NULL);
        if (!size || i.bad)
            continue;
        isa_text(t, &i, all[said].text, TEXT);
        memcpy(all[said].bytes, bytes, size);
        all[said].literal = i.has_literal;
        all[said].loses = i.format == FMT_EXP || i.format == FMT_VIMAGE || (i.row->flags & RF_SWIZZLE) ||
                          !strncmp(all[said].text, "v_pk_fmac_f16", 13) || strstr(all[said].text, "barrier") ||
                          (!strncmp(all[said].text, "v_fmac_f16", 10) && strstr(all[said].text, " op_sel:"));
        all[said++].size = (uint8_t)size;
    }
    FILE *f = llvm_mc_open(&s);
    for (size_t k = 0; k < said; k++)
        fprintf(f, "%s\n", all[k].text);
    fclose(f);
    llvm_mc_run(&s, "-show-encoding", name);
    llvm_mc_refused(&s, refused, said);
    f = fopen(s.out, "r");
    assert_non_null(f);
    for (size_t k = 0; k < said; k++) {
        uint8_t bytes[ORACLE_BYTES];
        struct isa_inst i;
        char again[TEXT] = "";
        if (refused[k]) {
            not_assembled++;
            continue;
        }
        assert_true(llvm_mc_line(f, line, sizeof line));
        unsigned size = llvm_mc_encoding(line, bytes);
        if (size == all[k].size && !memcmp(bytes, all[k].bytes, size)) {
            equal++;
            continue;
        }
        if (isa_decode(t, bytes, size, &i, NULL))
            isa_text(t, &i, again, sizeof again);
        bool same = !strcmp(again, all[k].text);
        /* what stands for a literal may be an inline constant's text, and 16 of its bits may be all that shows */
        if (!same && (all[k].literal || all[k].loses || lacks_halves(all[k].text, again))) {
            lost++;
            continue;
        }
        other += same;
        bad += !same;
        if (!same && bad < SHOWN)
            print_message("%s: '%s' assembles to '%s'\n", name, all[k].text, again);
    }
    fclose(f);
    print_message(
        "%s, round trip: %zu texts, %zu assemble to the same bytes, %zu to another encoding of the same, %zu whose "
        "text has lost something, %zu to something else, %zu are not assembled\n",
        name, said, equal, other, lost, bad, not_assembled);
    llvm_mc_remove(&s);
    free(all);
    free(refused);
    isa_target_close(t);
    assert_int_equal(bad, 0);
    /* one in 130 of gfx1250, of which half are whole registers for halves */
    assert_true(equal + other > said / 2 && lost <= said / (named_halves ? 100 : 200) + 5);
}

int main(void)
{
    /* names of one instruction set have the same tables: the first of them goes through everything */
    static const char *const names[] = {"gfx803",  "gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",
                                        "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250", "gfx1251"};
    static const char *const others[] = {"gfx1101", "gfx1102", "gfx1103", "gfx1151", "gfx1201"};
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } kinds[] = {{"walk", test_walk},
                 {"random", test_random},
                 {"flip", test_flip},
                 {"oracle", test_oracle},
                 {"round_trip", test_round_trip}};
    enum { NAMES = COUNT(names), OTHERS = COUNT(others), KINDS = COUNT(kinds), TESTS = NAMES * KINDS + OTHERS };
    static char titles[TESTS][40];
    struct CMUnitTest tests[TESTS];
    size_t n = 0;

    for (unsigned k = 0; k < TESTS; k++) {
        bool other = k >= NAMES * KINDS;
        const char *name = other ? others[k - NAMES * KINDS] : names[k / KINDS];
        unsigned kind = other ? 0 : k % KINDS;
        if (kinds[kind].run == test_flip && !setting("DECODE_FLIP", 0))
            continue;
        snprintf(titles[n], sizeof titles[n], "%s_%s", kinds[kind].name, name);
        tests[n] = (struct CMUnitTest){titles[n], kinds[kind].run, NULL, NULL, (void *)(uintptr_t)name};
        n++;
    }
    return _cmocka_run_group_tests("decode", tests, n, NULL, NULL);
}

/* Text with named halves (isa_target.name_halves) against LLVM 22's: encodings in tests/golden/true16, each instruction
 * in each form with low halves and with high ones, and a walk over every opcode where libLLVM 22 is installed. With it
 * GOLDEN_UPDATE=1 writes the missing ones after those that are there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "tests/golden/encodings.h"
#include "tests/golden/listed.h"
#include "tests/golden/llvm_oracle.h"
#include "tests/unit/isa/half_words.h"

enum { WORDS = 100000, TEXT = LISTED_TEXT, SHOWN = 20 };

static struct isa_target *target_with_halves(const char *name)
{
    struct isa_target *t;
    struct err e = {0};

    assert_int_equal(isa_target_open(&t, name, NULL, &e), 0);
    t->name_halves = true;
    return t;
}

/* Which forms stand in the file: with low halves alone, or with a high one. */
struct listed {
    struct isa_target *t;
    bool *seen[FMT_COUNT]; /* [opcode * 2 * FORMS + 2 * form + high] */
    FILE *out;             /* where the missing ones go; null: they are failures */
    unsigned missing, refused;
};

enum { FORMS = FORM_VOPD };

static bool *mark_of(struct listed *l, unsigned format, unsigned opcode, unsigned form, bool high)
{
    return &l->seen[format][(opcode * FORMS + form) * 2 + high];
}

/* LLVM 22's text of the words, null: none. The words it has no instruction for are its own affair. */
static const char *theirs_of(const struct listed *l, const uint32_t *words, unsigned n)
{
    static char text[TEXT];
    struct oracle_word *w = oracle_alloc(1);

    assert_non_null(w);
    memcpy(w->bytes, words, 4 * n);
    w->given = (uint8_t)(4 * n);
    assert_true(oracle_ask(l->t->name, w, 1) >= 0);
    bool is = w->size == 4 * n;
    snprintf(text, sizeof text, "%s", w->text);
    oracle_free(w);
    return is ? text : NULL;
}

static void look_for(void *ctx, enum isa_format f, unsigned opcode, enum isa_form form)
{
    struct listed *l = ctx;

    for (unsigned high = 0; high < 2; high++) {
        uint32_t w[4];
        unsigned n = half_words(l->t, f, opcode, form, high, opcode * 7 + form, w);
        if (*mark_of(l, f, opcode, form, high))
            continue;
        const char *text = l->out ? theirs_of(l, w, n) : NULL;
        if (!l->out && l->missing++ < SHOWN)
            print_message("missing: %s %s, %s half\n", l->t->ops[f][opcode].mnemonic, isa_form_name[form],
                          high ? "high" : "low");
        l->refused += l->out && !text;
        for (unsigned k = 0; text && k < n; k++)
            fprintf(l->out, "%08x%c", w[k], k + 1 < n ? ' ' : '|');
        if (text)
            fprintf(l->out, "%s\n", text);
    }
}

static void test_listed(void **state)
{
    struct isa_target *t = target_with_halves(*state);
    char path[64], theirs[TEXT], ours[TEXT];
    uint32_t words[4];
    unsigned count, lines = 0;
    struct listed l = {.t = t};

    for (unsigned f = 0; f < FMT_COUNT; f++)
        l.seen[f] = calloc(t->op_count[f] * 2u * FORMS + 1, sizeof *l.seen[f]);
    snprintf(path, sizeof path, "tests/golden/true16/%s.txt", (const char *)*state);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (listed_read(f, words, &count, theirs)) {
        struct isa_inst i;
        assert_int_equal(isa_decode(t, (const uint8_t *)words, 4 * count, &i, NULL), 4 * count);
        isa_text(t, &i, ours, sizeof ours);
        assert_string_equal(ours, theirs);
        if (i.form < FORMS)
            *mark_of(&l, i.format, i.opcode, i.form, strstr(theirs, ".h") != NULL) = true;
        lines++;
    }
    fclose(f);
    oracle_choose(ORACLE_LLVM22);
    if (getenv("GOLDEN_UPDATE") && !oracle_absent())
        l.out = fopen(path, "a");
    each_half_form(t, look_for, &l);
    if (l.out) {
        fclose(l.out);
        print_message("%s: LLVM 22 refuses %u of the forms that are not there\n", path, l.refused);
    }
    for (unsigned k = 0; k < FMT_COUNT; k++)
        free(l.seen[k]);
    isa_target_close(t);
    assert_true(lines > 1300);
    assert_int_equal(l.missing, 0);
}

/* What LLVM 22 says otherwise: comments on operands that are none, sext() and abs of integers in VOP3 (it drops them),
 * literals as lit(), two selects of dpp8 and constants beside DPP (it misreads them), and bits of op_sel that no
 * operand has, with which it takes its text without halves. */
static bool comparable(const struct isa_inst *i, const char *ours, const char *theirs)
{
    bool halves = strstr(theirs, ".l") || strstr(theirs, ".h") || (strstr(ours, ".l") && i->format != FMT_VOP3);
    unsigned idle = i->op_sel & ~((i->nops > 3 ? 7u : i->nops > 2 ? 3u : 1u) | 8u);
    bool narrow_result = isa_types[i->op[0].type].bits == 16;

    return halves && !strstr(theirs, "lit(") && !strstr(ours, "/*") && !strstr(ours, "sext(") &&
           strncmp(ours, "v_ldexp", 7) && strncmp(ours, "v_fmamk", 7) && !isa_form_is_dpp(i->form) && !idle &&
           (narrow_result || !(i->op_sel & 8)) && strncmp(ours, "v_align", 7);
}

static unsigned draw(struct encodings *g, struct oracle_word *w)
{
    unsigned n = 0;

    while (n < WORDS) {
        w[n].given = (uint8_t)encodings_walk(g, w[n].bytes);
        unsigned top = w[n].bytes[3]; /* vector instructions in their short and their long forms */
        n += top < 0x80 || (top >= 0xd4 && top <= 0xd7);
    }
    return n;
}

static void test_walk(void **state)
{
    struct isa_target *t = target_with_halves(*state);
    struct oracle_word *w = oracle_alloc(WORDS);
    struct encodings g;
    unsigned compared = 0, differ = 0;

    oracle_choose(ORACLE_LLVM22);
    if (oracle_absent()) {
        print_message("%s", oracle_absent());
        isa_target_close(t);
        oracle_free(w);
        skip();
    }
    assert_non_null(w);
    encodings_start(&g, *state, 3);
    draw(&g, w);
    assert_true(oracle_ask(*state, w, WORDS) >= 0);
    for (unsigned k = 0; k < WORDS; k++) {
        struct isa_inst i;
        char ours[TEXT];
        if (!w[k].size || !isa_decode(t, w[k].bytes, w[k].given, &i, NULL))
            continue;
        isa_text(t, &i, ours, sizeof ours);
        if (!comparable(&i, ours, w[k].text))
            continue;
        compared++;
        if (strcmp(ours, w[k].text) && differ++ < SHOWN)
            print_message("gcnsim  '%s'\nLLVM 22 '%s'\n", ours, w[k].text);
    }
    print_message("%s: %u of %u texts differ from LLVM 22's\n", (const char *)*state, differ, compared);
    oracle_free(w);
    isa_target_close(t);
    assert_true(compared > WORDS / 100);
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_listed, "gfx1100"), cmocka_unit_test_prestate(test_listed, "gfx1201"),
        cmocka_unit_test_prestate(test_walk, "gfx1100"),   cmocka_unit_test_prestate(test_walk, "gfx1150"),
        cmocka_unit_test_prestate(test_walk, "gfx1201"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

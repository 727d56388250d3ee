/* What `gcnsim isa list` calls tested against what the tests of isa/ ran.
 *
 * Runs when all other programs are through (tests/run.sh) and adds up the files they left in GCNSIM_RECORDS, which
 * tests/unit/isa/record.h explains. Fails when isa/table/list.h says tested of a form of an instruction that no record
 * has. A program that should have left a file and did not (it crashed, or was not asked for) makes this one skip: that
 * the program is missing is said elsewhere.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/table/list.h"

#define TESTS "tests/unit/isa"

struct ran {
    char key[96]; /* "GFX90A VOP2 v_add_f32" */
    uint32_t forms;
};
static struct {
    struct ran *at;
    size_t n, room;
} all;

static const char *const node_name[N_COUNT] = {
#define X(N, PARENT) [N_##N] = #N,
    ISA_NODES(X)
#undef X
};

static uint32_t forms_of(char *word)
{
    uint32_t m = 0;
    char *save = NULL;

    for (char *w = strtok_r(word, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
        unsigned form = 0;
        while (form <= FORM_VOPD && strcmp(isa_form_name[form], w))
            form++;
        if (form > FORM_VOPD)
            fail_msg("a record has form %s", w);
        m |= 1u << form;
    }
    return m;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct ran *)a)->key, ((const struct ran *)b)->key);
}

static void read_record(const char *path)
{
    char line[256];
    FILE *f = fopen(path, "r");

    if (!f)
        fail_msg("cannot read %s", path);
    while (fgets(line, sizeof line, f)) {
        char *end = strrchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!end || (size_t)(end - line) >= sizeof all.at->key)
            fail_msg("%s: '%s' is no record", path, line);
        *end = 0;
        if (all.n == all.room) {
            all.room = all.room ? 2 * all.room : 4096;
            all.at = realloc(all.at, all.room * sizeof *all.at);
            assert_non_null(all.at);
        }
        struct ran *r = &all.at[all.n++];
        memcpy(r->key, line, (size_t)(end - line) + 1);
        r->forms = forms_of(end + 1);
    }
    fclose(f);
}

/* Sorted, one entry for each key. */
static void add_up(void)
{
    size_t n = 0;

    qsort(all.at, all.n, sizeof *all.at, by_key);
    for (size_t k = 0; k < all.n; k++)
        if (n && !strcmp(all.at[n - 1].key, all.at[k].key))
            all.at[n - 1].forms |= all.at[k].forms;
        else
            all.at[n++] = all.at[k];
    all.n = n;
}

static uint32_t ran_forms(const struct isa_target *t, const struct isa_listing *l)
{
    struct ran key;

    snprintf(key.key, sizeof key.key, "%s %s %s", node_name[t->node], isa_format_name[l->format], l->op->mnemonic);
    const struct ran *r = bsearch(&key, all.at, all.n, sizeof key, by_key);
    return r ? r->forms : 0;
}

/* Whether the test program steps instructions, by what it includes. */
static bool leaves_record(const char *source)
{
    static const char *const headers[] = {"harness.h", "lanes_check.h", "mem_words.h", "every_target.h",
                                          "vector_bench.h"};
    char line[256], want[64];
    bool found = false;
    FILE *f = fopen(source, "r");

    if (!f)
        fail_msg("cannot read %s", source);
    while (!found && fgets(line, sizeof line, f))
        for (unsigned k = 0; k < sizeof headers / sizeof headers[0]; k++) {
            snprintf(want, sizeof want, "#include \"%s/%s\"", TESTS, headers[k]);
            found |= !strncmp(line, want, strlen(want));
        }
    fclose(f);
    return found;
}

/* Reads the records; false when there are none, or some are missing. */
static bool read_records(const char *folder)
{
    DIR *d = opendir(TESTS);
    unsigned n = 0, missing = 0;

    if (!d)
        fail_msg("cannot read %s", TESTS);
    for (struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name);
        char source[512], path[4096];
        if (strncmp(e->d_name, "test_", 5) || len < 2 || strcmp(e->d_name + len - 2, ".c"))
            continue;
        snprintf(source, sizeof source, "%s/%s", TESTS, e->d_name);
        if (!leaves_record(source))
            continue;
        snprintf(path, sizeof path, "%s/%.*s.ran", folder, (int)len - 2, e->d_name);
        FILE *f = fopen(path, "r");
        if (!f) {
            print_message("skipped: %s left no record in %s\n", e->d_name, folder);
            missing++;
            continue;
        }
        fclose(f);
        read_record(path);
        n++;
    }
    closedir(d);
    return n && !missing;
}

/* One node of the tree: counts, and a line for each claim without a record. */
static unsigned check_node(const struct isa_target *t)
{
    struct isa_listing l;
    unsigned n, executed = 0, tested = 0, beyond = 0, forms = 0, wrong = 0;

    for (n = 0; isa_list_at(t, n, &l); n++) {
        uint32_t ran = ran_forms(t, &l), without = l.tested & ~ran;
        executed += l.executed;
        tested += l.executed && !(l.forms & ~ran);
        beyond += l.beyond != NULL;
        forms += (unsigned)__builtin_popcount(l.executed ? l.forms & ran : 0);
        for (unsigned form = 0; form <= FORM_VOPD; form++)
            if (without >> form & 1) {
                print_message("%s %s %s: isa list says tested, no test ran it as %s\n", t->name,
                              isa_format_name[l.format], l.op->mnemonic, isa_form_name[form]);
                wrong++;
            }
        if (l.executed && (l.forms & ran & ~l.tested))
            print_message("%s %s: stands in isa/table/untested.h and need not\n", t->name, l.op->mnemonic);
        assert_false(l.executed && l.beyond);
    }
    print_message("%s: %u instructions, %u executed, %u of them tested in every form (%u forms), %u out of scope, "
                  "%u missing\n",
                  t->name, n, executed, tested, forms, beyond, n - executed - beyond);
    assert_true(n > 900);
    return wrong;
}

static void test_tested(void **state)
{
    const char *folder = getenv("GCNSIM_RECORDS");
    unsigned __int128 seen[N_COUNT] = {0}; /* of the node's target that went last: gfx1251 has more */
    unsigned wrong = 0;
    (void)state;

    if (!folder) {
        print_message("skipped: GCNSIM_RECORDS names no folder; make test sees to that\n");
        skip();
    }
    if (!read_records(folder)) {
        free(all.at);
        skip();
    }
    add_up();
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct isa_target *t;
        struct err e = {0};
        if (isa_target_open(&t, isa_target_name(k), NULL, &e))
            fail_msg("%s", e.text);
        if (seen[t->node] != t->features)
            wrong += check_node(t);
        seen[t->node] = t->features;
        isa_target_close(t);
    }
    free(all.at);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tested)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

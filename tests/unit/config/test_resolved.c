/* Profiles that were resolved when gcnsim was built are those of their JSON documents, in every figure and its origin.
 */
#include "config/builtin.h"
#include "config/rows.h"
#include "sim/util/sha256.h"
#include "tests/support/profile_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void need_resolved(void)
{
    if (profile_builtins[0].resolved)
        return;
    print_message("skipped: this build has no program that resolves profiles (BUILD_CC)\n");
    skip();
}

/* The same built-in with the text of its document. What that extends is resolved, and compared by itself. */
static struct profile_builtin from_json(const struct profile_builtin *b, char **text)
{
    struct profile_builtin json = {.name = b->name};

    *text = profile_text(b->name, &json.length);
    assert_non_null(*text);
    json.json = *text;
    return json;
}

static void assert_same_text(const char *a, const char *b, const char *profile, const char *path)
{
    if (!a != !b || (a && strcmp(a, b) != 0))
        fail_msg("%s: %s: \"%s\", and from JSON \"%s\"", profile, path, a ? a : "null", b ? b : "null");
}

static size_t value_size(const struct profile_row *row)
{
    return row->type == ROW_TEXT                            ? row->size
           : row->type == ROW_F64                           ? sizeof(double)
           : row->type == ROW_FLAG || row->type == ROW_BOOL ? sizeof(bool)
                                                            : sizeof(uint32_t);
}

static void assert_same_profile(const struct profile *a, const struct profile *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->file_count, b->file_count);
    for (unsigned i = 0; i < a->file_count; i++)
        assert_string_equal(a->files[i], b->files[i]);
    for (size_t i = 0; i < profile_row_count; i++) {
        const struct profile_row *row = &profile_rows[i];
        const struct profile_origin *x = row_origin(a, row), *y = row_origin(b, row);

        if (memcmp(row_in(a, row), row_in(b, row), value_size(row)) != 0)
            fail_msg("%s: %s has not the value that its JSON has", a->name, row->path);
        if (x->given != y->given || x->confidence != y->confidence || x->file != y->file)
            fail_msg("%s: %s has not the origin that its JSON has", a->name, row->path);
        assert_same_text(x->source, y->source, a->name, row->path);
        assert_same_text(x->measured_on, y->measured_on, a->name, row->path);
    }
}

static void figures_and_origins(void **state)
{
    (void)state;
    size_t measured = 0;

    need_resolved();
    for (const struct profile_builtin *b = profile_builtins; b->name; b++) {
        struct err e = {0};
        char *text;
        const struct profile_builtin json = from_json(b, &text);
        struct profile *mine = profile_unsettled(b, &e), *read = profile_unsettled(&json, &e);

        assert_true(mine && read);
        assert_null(b->json);
        assert_same_profile(mine, read);
        for (size_t i = 0; i < profile_row_count; i++)
            measured += mine->origin[i].measured_on != NULL;
        profile_free(mine);
        profile_free(read);
        free(text);
    }
    assert_true(measured > 100);
}

/* As users see them: printed, hashed, or refused because a base is no chip. */
static void documents(void **state)
{
    (void)state;
    size_t chips = 0, bases = 0;

    need_resolved();
    for (const struct profile_builtin *b = profile_builtins; b->name; b++) {
        struct err e = {0}, why = {0};
        struct profile *mine, *read;
        char *text, *a, *c, hash[SHA256_TEXT];
        const struct profile_builtin json = from_json(b, &text);
        int refused = profile_load(&mine, b->name, &e);

        assert_int_equal(refused, profile_parse(&read, json.json, json.length, b->name, &why));
        assert_string_equal(e.text, why.text);
        assert_int_equal(refused != 0, b->resolved->sha256 == NULL);
        free(text);
        if (refused) {
            bases++;
            continue;
        }
        chips++;
        assert_same_profile(mine, read);
        assert_int_equal(profile_print(mine, PROFILE_JSON, &a, &e), 0);
        assert_int_equal(profile_print(read, PROFILE_JSON, &c, &e), 0);
        assert_string_equal(a, c);
        sha256_text(a, strlen(a), hash);
        assert_string_equal(mine->sha256, hash);
        assert_null(read->sha256);
        free(a);
        free(c);
        profile_free(mine);
        profile_free(read);
    }
    assert_true(chips > 20 && bases > 5);
}

/* A user's document on top of a chain: its files come first, and its target decides what was measured on it. */
static void extended(void **state)
{
    (void)state;
    static const char mine[] = "{\"extends\": \"gfx1201-rx9070xt\", \"target\": \"gfx1030\", \"gpu\": {\"cus\": 32}}";
    const struct profile_row *latency = profile_row_find("class.valu.latency_cycles");
    struct err e = {0};
    struct profile *p, *chip;

    assert_int_equal(profile_parse(&p, mine, strlen(mine), "mine", &e), 0);
    assert_int_equal(profile_load(&chip, "gfx1201", &e), 0);
    assert_null(p->sha256);
    assert_false(p->is_default_for_target);
    assert_string_equal(p->about, "");
    assert_string_equal(p->chip, chip->chip);
    assert_int_equal(p->file_count, chip->file_count + 1);
    assert_string_equal(p->files[0], "mine");
    for (unsigned i = 0; i < chip->file_count; i++)
        assert_string_equal(p->files[i + 1], chip->files[i]);
    for (size_t i = 0; i < profile_row_count; i++)
        if (chip->origin[i].given && profile_rows[i].type > ROW_FLAG && strcmp(profile_rows[i].path, "gpu.cus") != 0) {
            assert_string_equal(p->files[p->origin[i].file], chip->files[chip->origin[i].file]);
            assert_string_equal(p->origin[i].source, chip->origin[i].source);
        }
    assert_int_equal(row_origin(chip, latency)->confidence, CONF_MEASURED);
    assert_int_equal(row_origin(p, latency)->confidence, CONF_INFERRED);
    profile_free(p);
    profile_free(chip);
}

/* The names of a resolved chain count as those of documents do. */
static void cycles(void **state)
{
    (void)state;
    static const char mine[] = "{\"extends\": \"gfx1201-rx9070xt\"}";
    struct err e = {0};
    struct profile *p;

    assert_int_not_equal(profile_parse(&p, mine, strlen(mine), "gfx11", &e), 0);
    assert_string_equal(e.text, "gfx12: extends: a cycle that comes back to gfx11; expected a chain with an end");
}

/* A changed profile has no hash from the build, nor has its copy. */
static void changed(void **state)
{
    (void)state;
    struct err e = {0};
    struct profile *p, *copy;

    need_resolved();
    assert_int_equal(profile_load(&p, "gfx1201", &e), 0);
    copy = profile_clone(p, &e);
    assert_non_null(copy);
    assert_string_equal(copy->sha256, p->sha256);
    assert_int_equal(profile_set(copy, "gpu.cus", "32", &e), 0);
    assert_null(copy->sha256);
    assert_non_null(p->sha256);
    assert_int_equal(p->gpu.cus, 64);
    assert_int_not_equal(profile_set(p, "gpu.cus", "33", &e), 0); /* no multiple: refused, and as before */
    assert_non_null(p->sha256);
    profile_free(copy);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_and_origins),
        cmocka_unit_test(documents),
        cmocka_unit_test(extended),
        cmocka_unit_test(cycles),
        cmocka_unit_test(changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

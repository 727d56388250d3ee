/* Targets: e_flags and target ids in words. */
#include "sim/loader/target_id.h"
#include "tests/support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_flags(uint32_t flags, unsigned version, const char *expected)
{
    struct co_target_id id;
    struct err e = {0};
    char text[CO_TARGET_TEXT];

    if (co_target_from_flags(&id, flags, version, &e))
        fail_msg("0x%x v%u: %s", flags, version, e.text);
    co_target_format(&id, text);
    assert_string_equal(text, expected);
}

static void flags_name_the_target(void **state)
{
    (void)state;
    check_flags(0x02a, 5, "gfx803");
    check_flags(0x53f, 4, "gfx90a"); /* both any, as clang writes without +/- */
    check_flags(0x63f, 4, "gfx90a:xnack-");
    check_flags(0x73f, 5, "gfx90a:xnack+");
    check_flags(0x93f, 5, "gfx90a:sramecc-");
    check_flags(0xf3f, 6, "gfx90a:sramecc+:xnack+");
    check_flags(0x04e, 4, "gfx1201");
    check_flags(0x549, 6, "gfx1250"); /* LLVM 22's */
    check_flags(0x55a, 6, "gfx1251");
    check_flags(0x54f, 6, "gfx950");
    check_flags(0x2000054, 6, "gfx11-generic");
    check_flags(0x33f, 3, "gfx90a:sramecc+:xnack+"); /* v3: a bit each, clear is off */
    check_flags(0x03f, 3, "gfx90a:sramecc-:xnack-");
}

static void bad_flags(uint32_t flags, unsigned version, const char *part)
{
    struct co_target_id id;
    struct err e = {0};

    assert_int_not_equal(co_target_from_flags(&id, flags, version, &e), 0);
    if (!strstr(e.text, part))
        fail_msg("\"%s\" does not say \"%s\"", e.text, part);
}

static void impossible_flags_are_errors(void **state)
{
    (void)state;
    bad_flags(0x000, 5, "processor number 0x00");
    bad_flags(0x010, 5, "not an amdgcn processor"); /* an R600 */
    bad_flags(0x102a, 5, "bits 0x1000");
    bad_flags(0x43f, 3, "bits 0x400");
    bad_flags(0x12a, 5, "gfx803 has no xnack");
    bad_flags(0x441, 5, "gfx1100 has no sramecc");
    bad_flags(0x054, 5, "needs code object v6");
    bad_flags(0x054, 6, "generic version 0");
    bad_flags(0x1000041, 6, "generic version 1 of gfx1100");
}

static unsigned match(const char *have, const char *want)
{
    struct co_target_id h, w;
    struct err e = {0};

    if (co_target_parse(&h, have, &e) || co_target_parse(&w, want, &e))
        fail_msg("%s", e.text);
    return co_target_match(&h, &w);
}

static void closer_targets_score_higher(void **state)
{
    (void)state;
    assert_int_equal(match("gfx90a", "gfx908"), 0);
    assert_int_equal(match("gfx90a:xnack-", "gfx90a:xnack+"), 0);
    assert_true(match("gfx90a", "gfx90a:xnack+") > 0);
    assert_true(match("gfx90a:xnack+", "gfx90a:xnack+") > match("gfx90a", "gfx90a:xnack+"));
    assert_true(match("gfx90a", "gfx90a") > match("gfx90a:xnack+", "gfx90a"));
    assert_int_equal(match("gfx11-generic", "gfx1102"), 1);
    assert_true(match("gfx1102", "gfx1102") > match("gfx11-generic", "gfx1102"));
    assert_int_equal(match("gfx11-generic", "gfx1201"), 0);
    assert_int_equal(match("gfx1102", "gfx11-generic"), 0);
    assert_int_equal(match("gfx9-generic", "gfx908"), 0); /* gfx908 is no member */
    assert_int_equal(match("gfx9-4-generic", "gfx950"), 1);
}

static void every_name_parses_to_itself(void **state)
{
    (void)state;
    unsigned n = 0;

    for (; co_target_name(n); n++) {
        struct co_target_id id;
        char text[CO_TARGET_TEXT];
        assert_int_equal(co_target_parse(&id, co_target_name(n), NULL), 0);
        co_target_format(&id, text);
        assert_string_equal(text, co_target_name(n));
    }
    assert_true(n >= 50);
}

static void bad_target_ids_are_errors(void **state)
{
    static const char *const bad[] = {"",
                                      "gfx",
                                      "gfx90",
                                      "gfx90a:",
                                      "gfx90a:xnack",
                                      "gfx90a:xnack*",
                                      "gfx803:xnack+",
                                      "gfx90a:xnack+:xnack-",
                                      "gfx90a:foo+",
                                      "gfx1201:sramecc-",
                                      "GFX90A"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct co_target_id id;
        struct err e = {0};
        assert_int_not_equal(co_target_parse(&id, bad[i], &e), 0);
        assert_int_equal(e.code, ERR_USAGE);
        assert_true(e.text[0]);
    }
}

/* The assembler writes the flags, we read them: every processor LLVM 19 has. */
static void llvm_agrees(void **state)
{
    char command[4400], path[4200];

    (void)state;

    if (system("command -v llvm-mc-19 >/dev/null 2>&1")) {
        printf("SKIPPED: llvm-mc-19 is not installed\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/object", program_folder());
    unsigned compared = 0;
    for (unsigned i = 0; co_target_name(i); i++) {
        const char *name = co_target_name(i);
        if (!strcmp(name, "gfx950") || !strcmp(name, "gfx1153") || !strcmp(name, "gfx9-4-generic") ||
            !strncmp(name, "gfx125", 6) || !strcmp(name, "gfx12-5-generic"))
            continue; /* newer than LLVM 19 */
        bool generic = strstr(name, "generic");
        snprintf(
            command, sizeof command,
            "echo | llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=%s --amdhsa-code-object-version=%d -filetype=obj -o %s",
            name, generic ? 6 : 5, path);
        assert_int_equal(system(command), 0);
        FILE *fp = fopen(path, "rb");
        uint8_t header[64];
        assert_non_null(fp);
        assert_int_equal(fread(header, 1, sizeof header, fp), sizeof header);
        fclose(fp);
        uint32_t flags;
        memcpy(&flags, header + 48, 4);
        struct co_target_id id, parsed;
        struct err e = {0};
        if (co_target_from_flags(&id, flags, header[8] + 2u, &e))
            fail_msg("%s: %s", name, e.text);
        assert_string_equal(id.name, name);
        /* the features the table gives a processor are those LLVM marks "any" */
        assert_int_equal(co_target_parse(&parsed, name, NULL), 0);
        if (id.xnack != parsed.xnack || id.sramecc != parsed.sramecc)
            fail_msg("%s: xnack %d sramecc %d in flags 0x%x, %d %d in the table", name, id.xnack, id.sramecc, flags,
                     parsed.xnack, parsed.sramecc);
        assert_int_equal(generic, id.generic_version != 0);
        compared++;
    }
    remove(path);
    assert_true(compared >= 45);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_name_the_target),       cmocka_unit_test(impossible_flags_are_errors),
        cmocka_unit_test(closer_targets_score_higher), cmocka_unit_test(every_name_parses_to_itself),
        cmocka_unit_test(bad_target_ids_are_errors),   cmocka_unit_test(llvm_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What was released stays: programs that were built with the header of a release run on today's library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/api/released/layout.h"

#include "tests/system/spawn_tool.h"

#define FOLDER "tests/unit/api/released/"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static char
    library[4200]; /* libgcnsim.so, which stands beside the tool; "": none of which clients can be linked with */

static int set_up(void **state)
{
    const char *tool = getenv("GCNSIM"), *slash = tool ? strrchr(tool, '/') : NULL;

    (void)state;
    snprintf(library, sizeof library, "%.*s/libgcnsim.so", slash ? (int)(slash - tool) : 1, slash ? tool : ".");
    if (SANITIZED || access(library, R_OK) != 0)
        library[0] = 0;
    return 0;
}

static char *text_of(const char *path)
{
    size_t n;
    char *text = read_whole(path, &n);

    if (!text)
        fail_msg("%s: cannot be read", path);
    return text;
}

/* Facts of a header, and of a library unless it is null. */
static char *facts(const char *headers, const char *include, const char *of)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);

    assert_non_null(out);
    bool all = layout_of_header(headers, include, out) && (!of || layout_of_library(of, out));
    assert_int_equal(fclose(out), 0);
    assert_true(all);
    return text;
}

static char *differences(const char *released, const char *now, bool symbols)
{
    char *text = NULL;
    size_t n;
    FILE *said = open_memstream(&text, &n);

    assert_non_null(said);
    layout_compare(released, now, symbols, said);
    assert_int_equal(fclose(said), 0);
    return text;
}

/* Calls check() for each release whose layout is kept, "0.1". */
static void for_each_release(void (*check)(const char *version))
{
    glob_t all;

    assert_int_equal(glob(FOLDER "*.layout", 0, NULL, &all), 0);
    for (size_t k = 0; k < all.gl_pathc; k++) {
        char version[32];

        assert_int_equal(sscanf(all.gl_pathv[k] + strlen(FOLDER), "%31[0-9.]layout", version), 1);
        version[strlen(version) - 1] = 0; /* the dot before "layout" */
        check(version);
    }
    globfree(&all);
}

static char *layout_of(const char *version)
{
    char path[100];

    snprintf(path, sizeof path, FOLDER "%s.layout", version);
    return text_of(path);
}

static void layout_stays(const char *version)
{
    char *then = layout_of(version);
    char *now = facts("sim/api/gcnsim*.h", "sim/api/gcnsim.h", library[0] ? library : NULL);
    char *said = differences(then, now, library[0]);

    if (*said)
        fail_msg("not as released in %s:\n%s", version, said);
    free(said);
    free(now);
    free(then);
}

static void the_layout_stays(void **state)
{
    (void)state;
    for_each_release(layout_stays);
}

/* The header that is kept is the one whose layout was recorded: neither has what the other has not. */
static void header_is_kept(const char *version)
{
    char header[100];

    snprintf(header, sizeof header, FOLDER "gcnsim-%s.h", version);
    char *layout = layout_of(version), *kept = facts(header, header, NULL);
    char *gone = differences(layout, kept, false), *new = differences(kept, layout, false);

    if (*gone || *new)
        fail_msg("%s: %s%s", header, gone, new);
    free(gone);
    free(new);
    free(kept);
    free(layout);
}

static void the_kept_header_is_that_of_the_release(void **state)
{
    (void)state;
    for_each_release(header_is_kept);
}

/* ---- the rule, on layouts that are made for it ---- */

#define STRUCTS                                                                                                        \
    "struct s 16\nmember s.struct_bytes 0 size_t\nmember s.a 8 int\n"                                                  \
    "struct given 8\nmember given.a 0 int\nmember given.b 4 int\n"                                                     \
    "struct fixed 8\nmember fixed.a 0 int\nmember fixed.b 4 int\n"                                                     \
    "value e.E_ONE 1\nfunction f_sized int (const struct fixed *, size_t)\nfunction g_sized void (struct given *, "    \
    "size_t)\n"

static const char released[] = STRUCTS "symbol f_sized V_0.1\n";

static const struct {
    const char *now, *said; /* null: it is fine */
} cases[] = {
    {STRUCTS "symbol f_sized V_0.1\n", NULL},
    {STRUCTS "struct later 4\nmember later.a 0 int\nvalue e.E_TWO 2\nfunction h int ()\nsymbol f_sized V_0.1\n", NULL},
    /* at the end of structs that may grow */
    {"struct s 24\nmember s.struct_bytes 0 size_t\nmember s.a 8 int\nmember s.b 16 int\n"
     "struct given 12\nmember given.a 0 int\nmember given.b 4 int\nmember given.c 8 int\n"
     "struct fixed 8\nmember fixed.a 0 int\nmember fixed.b 4 int\nvalue e.E_ONE 1\n"
     "function f_sized int (const struct fixed *, size_t)\nfunction g_sized void (struct given *, size_t)\nsymbol "
     "f_sized V_0.1\n",
     NULL},
    /* of one that may not; in padding; smaller; moved; another type */
    {STRUCTS "member fixed.c 8 int\nsymbol f_sized V_0.1\n", "member fixed.c 8 int: new"},
    {STRUCTS "member s.b 12 int\nsymbol f_sized V_0.1\n", "member s.b 12 int: new; expected no new member before"},
    {"struct s 8\n" STRUCTS "symbol f_sized V_0.1\n", "struct s 16: now 8"},
    {"struct fixed 16\n" STRUCTS "symbol f_sized V_0.1\n", "struct fixed 8: now 16"},
    {"member s.a 12 int\n" STRUCTS "symbol f_sized V_0.1\n", "member s.a 8 int: now 12 int"},
    {"member s.a 8 char *\n" STRUCTS "symbol f_sized V_0.1\n", "member s.a 8 int: now 8 char *"},
    {"value e.E_ONE 2\n" STRUCTS "symbol f_sized V_0.1\n", "value e.E_ONE 1: now 2"},
    {"function g_sized int (struct given *, size_t)\n" STRUCTS "symbol f_sized V_0.1\n", "now int (struct given"},
    {STRUCTS, "symbol f_sized V_0.1: gone: raise SOVER or put it back"},
    {STRUCTS "symbol f_sized V_0.2\n", "symbol f_sized V_0.1: now V_0.2"},
};

static void what_the_rule_finds(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *said = differences(released, cases[k].now, true);

        if (cases[k].said ? !strstr(said, cases[k].said) : *said)
            fail_msg("case %zu: '%s', expected '%s'", k, said, cases[k].said ? cases[k].said : "");
        free(said);
    }
}

/* ---- a program of the release ---- */

static void the_client_uses_all_of_it(void **state)
{
    static const char *const left_out[] = {
        "gcnsim_explain_raw",                                   /* forks; what it takes is taken by others */
        "gcnsim_diff_csv",       "gcnsim_diff_order",           /* as gcnsim_diff_text */
        "gcnsim_sum_annotated",  "gcnsim_sum_instructions_csv", /* as gcnsim_result_annotated, ... */
        "gcnsim_finding_frames", "gcnsim_fault_frames",         /* null without debug information */
        "gcnsim_feed_warm",      "gcnsim_raw_code_changed",     /* as gcnsim_feed_raw; as gcnsim_raw_code_open */
        "gcnsim_compare_wrap",   "gcnsim_analysis_text",        "gcnsim_analysis_json",
        "gcnsim_analyze",        "gcnsim_analysis_free", /* want code of an assembler */
    };
    char *layout = layout_of("0.1");
    char *part[] = {text_of(FOLDER "client.c"), text_of(FOLDER "client_launch.c"), text_of(FOLDER "client_raw.c")};

    (void)state;
    for (const char *line = layout; *line; line += strcspn(line, "\n") + 1) {
        char kind[16], name[LAYOUT_TEXT];
        bool known = false;

        if (sscanf(line, "%15s %511s", kind, name) != 2 ||
            (strcmp(kind, "struct") != 0 && strcmp(kind, "function") != 0))
            continue;
        for (size_t k = 0; k < sizeof left_out / sizeof left_out[0]; k++)
            known |= strcmp(left_out[k], name) == 0;
        if (strlen(name) > 6 && strcmp(name + strlen(name) - 6, "_sized") == 0)
            name[strlen(name) - 6] = 0; /* by its inline function */
        for (size_t k = 0; k < 3; k++)
            known |= strstr(part[k], name) != NULL;
        if (!known)
            fail_msg("the client does not use %s %s", kind, name);
    }
    for (size_t k = 0; k < 3; k++)
        free(part[k]);
    free(layout);
}

/* With the header of a release, on today's library. */
static void client_runs(const char *version)
{
    char command[20000];

    snprintf(command, sizeof command,
             "set -e; dir='%s'; so=$(realpath '%s'); cp " FOLDER "gcnsim-%s.h \"$dir/gcnsim.h\"; "
             "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I\"$dir\" -o \"$dir/client\" " FOLDER "client*.c \"$so\" "
             "-Wl,-rpath,\"$(dirname \"$so\")\"; \"$dir/client\" traces/samples \"$dir\"",
             program_folder(), library, version);
    if (system(command) != 0)
        fail_msg("the client of %s", version);
}

static void the_client_runs(void **state)
{
    (void)state;
    if (!library[0]) {
        print_message("skip: no libgcnsim.so beside $GCNSIM that programs can be linked with\n");
        skip();
    }
    for_each_release(client_runs);
}

/* ---- recording: record.sh ---- */

static int record(const char *path)
{
    FILE *out = fopen(path, "w");

    if (!out || !library[0])
        return 1;
    fputs("# What programs of this release rely on (layout.h). Written by record.sh; not to be edited.\n", out);
    bool all = layout_of_header("sim/api/gcnsim*.h", "sim/api/gcnsim.h", out) && layout_of_library(library, out);
    return fclose(out) != 0 || !all;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layout_stays),    cmocka_unit_test(the_kept_header_is_that_of_the_release),
        cmocka_unit_test(what_the_rule_finds), cmocka_unit_test(the_client_uses_all_of_it),
        cmocka_unit_test(the_client_runs),
    };
    const char *path = getenv("RELEASED_RECORD");

    set_up(NULL);
    return path ? record(path) : cmocka_run_group_tests(tests, set_up, NULL);
}

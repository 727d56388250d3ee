/* make dist: the source of a commit as one file, which is the same from every clone. */
#define _GNU_SOURCE
#include "sim/api/gcnsim.h"
#include "tests/system/cli_run.h"

#define NEED_CLONE()                                                                                                   \
    do {                                                                                                               \
        if (access(cli_path("clone"), R_OK) != 0) {                                                                    \
            print_message("skipped: this is no clone of a git repository\n");                                          \
            skip();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* A shell's command ends with 0 in the folder of the test's clone; what it said. */
static char *in_clone(const char *command)
{
    char text[2 * CLI_PATH], log[CLI_PATH + 64];
    size_t bytes;

    snprintf(text, sizeof text, "cd '%s/clone' && unset MAKEFLAGS MAKELEVEL && %s", cli_dir, command);
    snprintf(log, sizeof log, "%s", cli_path("log"));
    int status = spawn_tool((const char *const[]){"sh", "-c", text, NULL}, log);
    char *said = read_whole(log, &bytes);
    assert_non_null(said);
    if (status != 0)
        fail_msg("%s: status %d\n%s", command, status, said);
    return said;
}

/* Neither the umask nor settings of git, a time zone or changes that are not committed are in it. */
static void the_same_bytes(void **state)
{
    (void)state;
    NEED_CLONE();
    free(in_clone("make dist DIST=../first"));
    free(in_clone("umask 077 && export TZ=Asia/Kolkata LC_ALL=C.UTF-8 GZIP_OPT=-1 && git config tar.umask user && "
                  "git config core.autocrlf true && touch README.md && echo changed >>LICENSE && "
                  "echo new >not-committed && make dist DIST=../second"));
    free(in_clone("cmp ../first/gcnsim-*.tar.gz ../second/gcnsim-*.tar.gz"));
}

/* It holds what is committed, all of it and nothing else, for everybody to read, with the time of the commit. */
static void what_is_committed(void **state)
{
    (void)state;
    NEED_CLONE();
    free(in_clone("make dist DIST=../first && mkdir ../out && tar -xpf ../first/gcnsim-*.tar.gz -C ../out && "
                  "git ls-tree -r --name-only HEAD | sort >../committed && "
                  "(cd ../out/gcnsim-* && find . -type f -o -type l) | sed 's|^./||' | sort >../there && "
                  "diff ../committed ../there"));
    char *said =
        in_clone("find ../out -mindepth 1 ! -type l \\( ! -perm -444 -o -perm /022 "
                 "-o ! -newermt @$(($(git log -1 --format=%ct) - 1)) -o -newermt @$(git log -1 --format=%ct) \\)");
    assert_string_equal(said, "");
    free(said);
}

/* The source by itself has its version, and says what it cannot do. */
static void without_git(void **state)
{
    (void)state;
    NEED_CLONE();
    free(in_clone("cd ../out/gcnsim-* && make -n all | grep -q \"GCNSIM_VERSION='\\\"${PWD##*-}\\\"'\""));
    free(in_clone(
        "cd ../out/gcnsim-* && export GIT_CEILING_DIRECTORIES=\"$(dirname \"$PWD\")\" && ! make dist 2>../said && "
        "grep -q '^dist: no git repository here' ../said"));
}

/* What says the version and its day says the same. */
static void one_version(void **state)
{
    static const char *const version[][2] = {
        {"debian/changelog", "gcnsim (%s) "},  {"sim/python/pyproject.toml", "version = \"%s\"\n"},
        {"CITATION.cff", "version: %s\n"},     {"docs/README.md", "(RELEASE_%s.md)"},
        {"README.md", "(docs/RELEASE_%s.md)"},
    };
    char number[32], day[32], line[256];
    size_t bytes;

    (void)state;
    char *makefile = read_whole("Makefile", &bytes);
    assert_non_null(makefile);
    assert_int_equal(sscanf(strstr(makefile, "\nVERSION  := "), " VERSION := %31s", number), 1);
    assert_int_equal(sscanf(strstr(makefile, "\nRELEASED := "), " RELEASED := %31s", day), 1);
    free(makefile);
    for (size_t k = 0; k < sizeof version / sizeof *version; k++) {
        char *text = read_whole(version[k][0], &bytes);

        assert_non_null(text);
        snprintf(line, sizeof line, version[k][1], number); /* NOLINT(clang-diagnostic-format-nonliteral) */
        if (!strstr(text, line))
            fail_msg("%s does not have the version of the Makefile, '%s'", version[k][0], line);
        free(text);
    }
    char *citation = read_whole("CITATION.cff", &bytes);
    assert_non_null(citation);
    snprintf(line, sizeof line, "\ndate-released: %s\n", day);
    assert_non_null(strstr(citation, line));
    free(citation);
    /* the newest section of the changelog is this version's, with its day, after what is still to be released */
    char *changes = read_whole("CHANGELOG.md", &bytes);
    assert_non_null(changes);
    const char *section = strstr(changes, "\n## [Unreleased]\n");
    assert_non_null(section);
    section = strstr(section + 2, "\n## [");
    assert_non_null(section);
    snprintf(line, sizeof line, "\n## [%s] - %s\n", number, day);
    assert_memory_equal(section, line, strlen(line));
    free(changes);
    /* numbers of programs that include the header */
    int major, minor, patch;
    assert_int_equal(sscanf(number, "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(major, GCNSIM_VERSION_MAJOR);
    assert_int_equal(minor, GCNSIM_VERSION_MINOR);
    assert_int_equal(patch, GCNSIM_VERSION_PATCH);
    snprintf(line, sizeof line,
             "test \"$(date -u -d \"$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)\" +%%F)\" = %s", day);
    assert_int_equal(system(line), 0);
}

/* A clone whose last commit is the tree that is tested, with what is not committed there. */
static int setup(void **state)
{
    char command[4 * CLI_PATH];

    cli_setup(state);
    if (system("git rev-parse HEAD >/dev/null 2>&1") != 0)
        return 0;
    snprintf(
        command, sizeof command,
        "tree=$PWD && git clone -q --shared --no-checkout . '%s/clone' && cd '%s/clone' && "
        "git --work-tree=\"$tree\" add -A && "
        "git -c user.name=test -c user.email=test commit -q --allow-empty -m 'what is tested' && git reset -q --hard",
        cli_dir, cli_dir);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes),
        cmocka_unit_test(what_is_committed),
        cmocka_unit_test(without_git),
        cmocka_unit_test(one_version),
    };

    return cmocka_run_group_tests_name("make dist", tests, setup, cli_teardown);
}

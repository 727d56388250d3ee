/* Every input that a fuzz target ever stopped at, and every seed of the repository, runs through its target here: with
 * any compiler, without libFuzzer.
 *
 * A target is compiled with its LLVMFuzzerTestOneInput named fuzz_TARGET. Inputs are the files of
 * tests/fuzz/corpus/TARGET and tests/fuzz/regressions/TARGET, and the lines of those that end in .hex (corpus.h). An
 * input stops the program when it is not treated as it must be; its name is said before.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fuzz/corpus.h"

typedef int one_input(const uint8_t *data, size_t size);

#define X(TARGET) one_input fuzz_##TARGET;
FUZZ_TARGETS
#undef X

struct target {
    const char *name;
    one_input *run;
    const char *file; /* being read */
    unsigned inputs;
};

static char current[400];

static void say_which(int signal_number)
{
    static const char text[] = "stopped at ";
    ssize_t ignored = write(2, text, sizeof text - 1);

    ignored = write(2, current, strlen(current));
    ignored = write(2, "\n", 1);
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void run_input(void *ctx, const uint8_t *bytes, size_t size, unsigned line)
{
    struct target *t = ctx;

    snprintf(current, sizeof current, "%s:%u", t->file, line);
    t->run(bytes, size);
    t->inputs++;
}

static void run_file(struct target *t, const char *path)
{
    FILE *f = fopen(path, "rb");
    const char *dot = strrchr(path, '.');

    if (!f)
        fail_msg("%s cannot be read", path);
    t->file = path;
    if (dot && strcmp(dot, ".hex") == 0) {
        unsigned bad = corpus_read(f, run_input, t);
        if (bad)
            fail_msg("%s:%u: not an input in hexadecimal", path, bad);
    } else {
        uint8_t *bytes = malloc(CORPUS_MAX_INPUT);
        assert_non_null(bytes);
        size_t n = fread(bytes, 1, CORPUS_MAX_INPUT, f);
        uint8_t *exact = malloc(n ? n : 1);
        assert_non_null(exact);
        memcpy(exact, bytes, n);
        free(bytes);
        run_input(t, exact, n, 1);
        free(exact);
    }
    fclose(f);
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* In the order of names, so that every run is the same. */
static void run_folder(struct target *t, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, visible, alphasort);

    for (int i = 0; i < n; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        run_file(t, path);
    }
    if (n >= 0)
        free(entries);
}

static void run_target(const char *name, one_input *run)
{
    struct target t = {.name = name, .run = run};
    static const uint8_t nothing[1];
    char path[300];

    t.file = "no input";
    run_input(&t, nothing, 0, 0);
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s", name);
    run_folder(&t, path);
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s.hex", name);
    if (access(path, R_OK) == 0)
        run_file(&t, path);
    snprintf(path, sizeof path, "tests/fuzz/regressions/%s", name);
    run_folder(&t, path);
    print_message("fuzz_%s: %u inputs\n", name, t.inputs);
    /* a target whose seeds got lost tests nothing */
    assert_true(t.inputs > 1);
}

#define X(TARGET)                                                                                                      \
    static void inputs_of_##TARGET(void **state)                                                                       \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        run_target(#TARGET, fuzz_##TARGET);                                                                            \
    }
FUZZ_TARGETS
#undef X

static void take_nothing(void *ctx, const uint8_t *bytes, size_t size, unsigned line)
{
    unsigned *taken = ctx;

    (void)bytes;
    (void)size;
    (void)line;
    ++*taken;
}

/* What is written is read back; what is no hexadecimal is refused with its line. */
static void corpus_files(void **state)
{
    static const char *const bad[] = {"# fine\n00\n0\n", "\n0g\n", "00()\n", "00(3\n", "00(99999999)\n", "AA\n"};
    static const unsigned bad_line[] = {3, 2, 1, 1, 1, 1};
    uint8_t bytes[600] = {0, 1, 1, 2, 2, 2, 2, 255, 255, 255};
    char *text;
    size_t size;
    unsigned taken = 0;

    (void)state;
    FILE *f = open_memstream(&text, &size);
    corpus_write(f, bytes, sizeof bytes);
    fclose(f);
    assert_string_equal(text, "00010102(4)ff(3)00(590)\n");
    free(text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        f = fmemopen((char *)(uintptr_t)bad[i], strlen(bad[i]), "r");
        assert_int_equal(corpus_read(f, take_nothing, &taken), bad_line[i]);
        fclose(f);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(corpus_files),
#define X(TARGET) cmocka_unit_test(inputs_of_##TARGET),
                                              FUZZ_TARGETS
#undef X
    };

    signal(SIGABRT, say_which);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

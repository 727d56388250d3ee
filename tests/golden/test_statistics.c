/* What the timing engine counts for every sample: sums that have to agree, whatever the model, and in
 * tests/golden/expected/statistics.txt a line for each launch with the figures that a change of the model moves. Each
 * line has cycles and the reasons that held waves most; what went where in the first caches, L2 and DRAM; conflicts in
 * LDS. `make golden-update` rewrites the file, whose diff is reviewed and explained. Nothing here depends on the
 * machine.
 */
#include "tests/system/cli_run.h"

#include <glob.h>
#include <math.h>

#include "sim/api/gcnsim.h"
#include "tests/support/run_sample.h"

/* A statistic, 0 where the chip has no such. */
static double value(const struct gcnsim_result *r, const char *name)
{
    for (size_t k = 0; k < r->stat_count; k++)
        if (strcmp(r->stats[k].name, name) == 0)
            return r->stats[k].present ? r->stats[k].value : 0;
    fail_msg("%s: no such statistic", name);
    return 0;
}

static double of_level(const struct gcnsim_result *r, const char *level, const char *what)
{
    char name[64];

    snprintf(name, sizeof name, "cache.%s.%s", level, what);
    return value(r, name);
}

/* The sum of all statistics whose names begin so, the one that is their total aside. */
static double sum(const struct gcnsim_result *r, const char *prefix, const char *total)
{
    double all = 0;

    for (size_t k = 0; k < r->stat_count; k++)
        if (strncmp(r->stats[k].name, prefix, strlen(prefix)) == 0 && strcmp(r->stats[k].name, total) != 0 &&
            r->stats[k].present)
            all += r->stats[k].value;
    return all;
}

static void same(const char *path, const char *what, double a, double b)
{
    if (a != b)
        fail_msg("%s: %s: %.0f and %.0f", path, what, a, b);
}

/* Every request is a hit or a miss, and a load, a store or an atomic; what a level asks for, the next one returns. */
static void caches_agree(const char *path, const struct gcnsim_result *r)
{
    static const char *const level[] = {"vl0", "k", "i", "gl1", "l2", "mall"};
    const char *vector = of_level(r, "gl1", "accesses") > 0 ? "gl1" : "l2";
    bool mall = of_level(r, "mall", "accesses") > 0;

    for (size_t k = 0; k < sizeof level / sizeof *level; k++) {
        same(path, level[k], of_level(r, level[k], "accesses"),
             of_level(r, level[k], "hits") + of_level(r, level[k], "misses"));
        assert_true(of_level(r, level[k], "mshr_merges") + of_level(r, level[k], "bypasses") <=
                    of_level(r, level[k], "misses"));
        same(path, level[k], of_level(r, level[k], "accesses") - of_level(r, level[k], "prefetches"),
             of_level(r, level[k], "loads") + of_level(r, level[k], "stores"));
    }
    same(path, "bytes into vL0", of_level(r, "vl0", "read_bytes"),
         strcmp(vector, "gl1") == 0
             ? of_level(r, "gl1", "load_bytes")
             : of_level(r, "l2", "load_bytes") - of_level(r, "k", "read_bytes") - of_level(r, "i", "read_bytes"));
    same(path, "bytes out of vL0", of_level(r, "vl0", "write_bytes"), of_level(r, vector, "store_bytes"));
    same(path, "bytes into L2", of_level(r, "l2", "read_bytes"),
         mall ? of_level(r, "mall", "load_bytes") : value(r, "dram.read_bytes"));
    same(path, "bytes out of DRAM", of_level(r, mall ? "mall" : "l2", "read_bytes"), value(r, "dram.read_bytes"));
    same(path, "bytes into DRAM", of_level(r, mall ? "mall" : "l2", "write_bytes"), value(r, "dram.write_bytes"));
}

/* Every cycle of a wave has one reason, every instruction one category, every operation one type. */
static void sums_agree(const char *path, const struct gcnsim_result *r)
{
    double count = 0;

    same(path, "wave-cycles", value(r, "resident_wave_cycles"), sum(r, "stall_cycles.", ""));
    same(path, "instructions", value(r, "instructions.total"), sum(r, "instructions.", "instructions.total"));
    same(path, "operations", value(r, "work.flops") + value(r, "work.integer_ops"),
         sum(r, "work.valu.", "") + sum(r, "work.matrix.", ""));
    for (size_t k = 0; k < r->memory_instruction_count; k++)
        count += r->memory_instructions[k].stats[0].value;
    if (count > value(r, "instructions.smem") + value(r, "instructions.vmem") + value(r, "instructions.flat") +
                    value(r, "instructions.lds")) /* those without an active lane access nothing */
        fail_msg("%s: %.0f memory instructions are more than were executed", path, count);
    same(path, "waves launched", value(r, "waves_done"), sum(r, "launched.waves_of_", ""));
    assert_true(value(r, "units.issue.cycles") <= value(r, "instructions.total"));
    caches_agree(path, r);
}

/* The reasons that held waves for most of their cycles, the largest first. */
static void print_stalls(FILE *out, const struct gcnsim_result *r)
{
    double below = INFINITY;

    for (unsigned n = 0; n < 4; n++) {
        const struct gcnsim_stat *most = NULL;

        for (size_t k = 0; k < r->stat_count; k++) {
            const struct gcnsim_stat *s = &r->stats[k];

            if (strncmp(s->name, "stall_cycles.", 13) == 0 && s->present && s->value < below &&
                (!most || s->value > most->value))
                most = s;
        }
        if (!most || most->value == 0)
            return;
        fprintf(out, " %s %.0f", most->name + 13, most->value);
        below = most->value;
    }
}

static void print_figures(FILE *out, const struct gcnsim_result *r)
{
    fprintf(out, "cycles %.0f:", value(r, "cycles"));
    print_stalls(out, r);
    fprintf(out, "; hits/misses vl0 %.0f/%.0f k %.0f/%.0f i %.0f/%.0f l2 %.0f/%.0f; DRAM %.0f/%.0f bytes",
            of_level(r, "vl0", "hits"), of_level(r, "vl0", "misses"), of_level(r, "k", "hits"),
            of_level(r, "k", "misses"), of_level(r, "i", "hits"), of_level(r, "i", "misses"), of_level(r, "l2", "hits"),
            of_level(r, "l2", "misses"), value(r, "dram.read_bytes"), value(r, "dram.write_bytes"));
    fprintf(out, "; LDS conflicts %.0f\n", value(r, "lds.bank_conflict_cycles"));
}

/* Where two texts part, for the message. */
static void expect_text(const char *path, const char *text, size_t bytes)
{
    size_t had_bytes, line = 1, same = 0, start = 0;
    char *had = read_whole(path, &had_bytes);

    if (!had)
        fail_msg("%s is missing; make golden-update writes it", path);
    for (; same < bytes && same < had_bytes && text[same] == had[same]; same++)
        if (text[same] == '\n') {
            line++;
            start = same + 1;
        }
    if (same < bytes || same < had_bytes)
        fail_msg("%s differs from line %zu on, now \"%.*s\"; make golden-update and look at the diff", path, line,
                 (int)strcspn(text + start, "\n"), text + start);
    free(had);
}

static void every_sample(void **state)
{
    static const char path[] = "tests/golden/expected/statistics.txt";
    char *text = NULL;
    size_t bytes = 0;
    glob_t samples;

    (void)state;
    assert_int_equal(glob("traces/samples/gfx*/*.json", 0, NULL, &samples), 0);
    assert_true(samples.gl_pathc > 30);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    for (size_t k = 0; k < samples.gl_pathc; k++) {
        struct gcnsim_result *r = run_sample(samples.gl_pathv[k], 0);

        sums_agree(samples.gl_pathv[k], r);
        fprintf(out, "%s: ", samples.gl_pathv[k] + strlen("traces/samples/"));
        print_figures(out, r);
        gcnsim_result_free(r);
    }
    globfree(&samples);
    assert_int_equal(fclose(out), 0);
    if (getenv("GOLDEN_UPDATE"))
        write_file(path, text, bytes);
    else
        expect_text(path, text, bytes);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

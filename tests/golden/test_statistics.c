/* What the timing engine counts for every sample, kept as files under tests/golden/expected: any change of the model
 * shows as a diff of cycles, stalls and traffic, to be reviewed and explained. `make golden-update` rewrites them.
 *
 * A line is a statistic that is not zero, or one of a memory instruction. Nothing here depends on the machine.
 */
#include "tests/system/cli_run.h"

#include <glob.h>

#include "sim/api/gcnsim.h"
#include "tests/support/run_sample.h"

/* Ratios follow from the counts. */
static bool is_ratio(const struct gcnsim_stat *s)
{
    static const char *const name[] = {"time_us", "ipc", "average_latency_cycles", "utilization"};
    const char *dot = strrchr(s->name, '.'), *last = dot ? dot + 1 : s->name;

    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++)
        if (!strcmp(last, name[k]))
            return true;
    return false;
}

static void print_counts(FILE *out, const struct gcnsim_result *r)
{
    for (size_t k = 0; k < r->stat_count; k++)
        if (r->stats[k].present && r->stats[k].value != 0 && !is_ratio(&r->stats[k]))
            fprintf(out, "  %s %.0f\n", r->stats[k].name, r->stats[k].value);
    for (size_t k = 0; k < r->eviction_count; k++)
        fprintf(out, "  evicted %s %s %s %llu\n", r->evictions[k].cache, r->evictions[k].scope, r->evictions[k].hint,
                (unsigned long long)r->evictions[k].lines);
    for (size_t k = 0; k < r->memory_instruction_count; k++) {
        const struct gcnsim_memory_instruction *m = &r->memory_instructions[k];

        fprintf(out, "  %s:", m->instruction);
        for (size_t n = 0; n < m->stat_count; n++)
            fprintf(out, " %.0f", m->stats[n].value);
        fprintf(out, "\n");
    }
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

static void samples_of(const char *target)
{
    char pattern[128], path[128], *text = NULL;
    size_t bytes = 0;
    glob_t samples;

    snprintf(pattern, sizeof pattern, "traces/samples/%s/*.json", target);
    snprintf(path, sizeof path, "tests/golden/expected/statistics-%s.txt", target);
    assert_int_equal(glob(pattern, 0, NULL, &samples), 0);
    assert_true(samples.gl_pathc > 10);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    for (size_t k = 0; k < samples.gl_pathc; k++) {
        struct gcnsim_result *r = run_sample(samples.gl_pathv[k], 0);

        fprintf(out, "%s on %s\n", samples.gl_pathv[k], r->profile);
        print_counts(out, r);
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

static void gfx803(void **state)
{
    (void)state;
    samples_of("gfx803");
}

static void gfx90a(void **state)
{
    (void)state;
    samples_of("gfx90a");
}

static void gfx1201(void **state)
{
    (void)state;
    samples_of("gfx1201");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(gfx803),
        cmocka_unit_test(gfx90a),
        cmocka_unit_test(gfx1201),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

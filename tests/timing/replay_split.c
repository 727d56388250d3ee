/* Which half of the traces a kernel is of: calibration or held out (tests/timing/replay_split.txt). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/timing/replay.h"

static int bad_line(struct err *e, const char *path, unsigned number, const char *why)
{
    return err_set(e, ERR_FORMAT, "%s, line %u: %s", path, number, why);
}

static int read_line(struct split *s, const char *path, unsigned number, char *line, struct err *e)
{
    char kernel[128], half[8];

    line[strcspn(line, "#\r\n")] = 0;
    int words = sscanf(line, "%127s %7s", kernel, half);
    if (words <= 0)
        return 0;
    if (words != 2 || strlen(half) != 1 || !strchr("AB", half[0]))
        return bad_line(e, path, number, "expected a kernel, its half (A or B) and why");
    if (split_half(s, kernel) != SPLIT_UNKNOWN)
        return bad_line(e, path, number, "a kernel that is there already");
    if (s->count == SPLIT_MAX)
        return bad_line(e, path, number, "too many kernels");
    snprintf(s->kernel[s->count], sizeof s->kernel[0], "%s", kernel);
    s->half[s->count++] = half[0];
    return 0;
}

int split_read(struct split *s, const char *path, struct err *e)
{
    FILE *f = fopen(path, "r");
    char line[512];
    int failed = 0;

    s->count = 0;
    if (!f)
        return err_set(e, ERR_IO, "%s: cannot be read", path);
    for (unsigned number = 1; !failed && fgets(line, sizeof line, f); number++)
        failed = read_line(s, path, number, line, e);
    fclose(f);
    return failed;
}

char split_half(const struct split *s, const char *code)
{
    size_t length = strlen(code);

    if (length > 3 && !strcmp(code + length - 3, ".co"))
        length -= 3;
    for (size_t k = 0; k < s->count; k++)
        if (strlen(s->kernel[k]) == length && !strncmp(s->kernel[k], code, length))
            return s->half[k];
    return SPLIT_UNKNOWN;
}

/* ---- the table ---- */

/* What the kernels of a target and a half came to together. */
struct half_sum {
    struct score model, hardware;
    struct lives lives;
    struct errors total; /* of runs, in tenths of a per cent */
    unsigned kernels;
};

static void sum_kernel(struct half_sum *h, const struct kernel *k)
{
    score_add(&h->model, &k->model);
    score_add(&h->hardware, &k->hardware);
    lives_add(&h->lives, &k->lives);
    for (size_t n = 0; n < k->totals; n++)
        errors_add(&h->total, (int64_t)(1000 * k->total[n] + (k->total[n] < 0 ? -0.5 : 0.5)));
    h->kernels++;
}

static void free_sum(struct half_sum *h)
{
    score_free(&h->model);
    score_free(&h->hardware);
    lives_free(&h->lives);
    free(h->total.value);
}

/* A figure, or a dash when there is nothing that it could be of. */
static void cell(FILE *f, bool there, const char *format, double value)
{
    char text[32] = "-";

    if (there)
        snprintf(text, sizeof text, format, value);
    fprintf(f, " %8s", text);
}

static void print_sum(FILE *f, const char *target, char half, const struct half_sum *h)
{
    struct summary model = errors_summary(&h->model.all), hardware = errors_summary(&h->hardware.all);
    struct summary total = errors_summary(&h->total);

    fprintf(f, "%-8s %c %8u %9zu", target, half, h->kernels, model.count);
    cell(f, model.count, "%.1f", 100 * model.exact);
    cell(f, hardware.count, "%.1f", 100 * hardware.exact);
    cell(f, model.count, "%.2f", model.mean);
    cell(f, hardware.count, "%.2f", hardware.mean);
    cell(f, h->model.cores, "%.1f", 100 * mean_abs(h->model.core, h->model.cores));
    cell(f, h->hardware.cores, "%.1f", 100 * mean_abs(h->hardware.core, h->hardware.cores));
    cell(f, h->lives.waves, "%.1f", 100 * mean_abs(h->lives.error, h->lives.waves));
    cell(f, total.count, "%.1f", total.mean / 10);
    fputc('\n', f);
}

void split_print(FILE *f, const struct kernel *kernels, size_t count)
{
    static const char halves[] = {'A', 'B', SPLIT_UNKNOWN};

    fprintf(
        f,
        "\nby half of the split: A was looked at to choose figures, B was not\n%-8s   %8s %9s %17s %17s %17s %8s %8s\n",
        "target", "kernels", "distances", "exact %", "mean error", "core error %", "life %", "total %");
    fprintf(f, "%30s%s\n", "", "    model hardware    model hardware    model hardware");
    for (size_t k = 0; k < count; k++) {
        bool first = true;

        for (size_t n = 0; n < k; n++)
            first &= strcmp(kernels[n].target, kernels[k].target) != 0;
        for (size_t h = 0; first && h < sizeof halves; h++) {
            struct half_sum sum = {.kernels = 0};

            for (size_t n = k; n < count; n++)
                if (kernels[n].half == halves[h] && !strcmp(kernels[n].target, kernels[k].target))
                    sum_kernel(&sum, &kernels[n]);
            if (sum.kernels)
                print_sum(f, kernels[k].target, halves[h], &sum);
            free_sum(&sum);
        }
    }
}

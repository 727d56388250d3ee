/* libFuzzer target: the readers of measured runs, and their comparison. The first byte says which form the rest is of:
 * 0 statistics, 1 a report, 2 code.json, 3 filenames.json, 4 occupancy.json. Whatever the bytes are, they are refused
 * with a message that names the file, or read; a run that is read compares with itself without a difference, and with
 * the half of its instructions that is left when the others are dropped.
 */
#include "traces/diff/diff.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static int read_one(struct measured *m, const uint8_t *data, size_t size)
{
    static int (*const reader[])(struct measured * m, FILE * f, const char *name, struct err *e) = {
        measured_read_csv, measured_read_report, measured_read_code, measured_read_filenames, measured_read_occupancy};
    struct err e = {0};
    FILE *f = size > 1 ? fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r") : NULL;

    *m = (struct measured){0};
    if (!f)
        return -1;
    unsigned which = data[0] % (sizeof reader / sizeof reader[0]);
    m->kind = which == 0 ? MEASURED_CSV : which == 1 ? MEASURED_REPORT : MEASURED_FOLDER;
    int failed = reader[which](m, f, "fuzz.json", &e) || measured_finish(m, &e);
    fclose(f);
    if (failed)
        must(e.code != ERR_NONE && strncmp(e.text, "fuzz.json", 9) == 0);
    return failed;
}

static void drop(struct measured *m)
{
    for (size_t k = 0; k < m->rows; k++)
        if (k % 3 == 1 && m->row[k].text[0])
            m->row[k].text[0] = '?';
}

static void compare(const struct measured *a, const struct measured *b, int same)
{
    struct err e = {0};
    struct diff d;

    if (diff_make(&d, a, b, DIFF_AUTO, &e) == 0) {
        size_t sides = 2 * (d.by_address + d.by_text) + d.only_a + d.only_b;
        size_t executed[2] = {0};

        for (size_t k = 0; k < a->rows; k++)
            executed[0] += !a->row[k].is_name && a->row[k].hits;
        for (size_t k = 0; k < b->rows; k++)
            executed[1] += !b->row[k].is_name && b->row[k].hits;
        must(sides >= executed[0] + executed[1]);
        must(!same || (!d.only_a && !d.only_b && d.figure[DIFF_LATENCY][0] == d.figure[DIFF_LATENCY][1]));
        for (int by = DIFF_BY_DIFFERENCE; by <= DIFF_BY_ADDRESS; by++)
            diff_sort(&d, (enum diff_sort)by);
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        must(f != NULL);
        diff_text(f, &d, 20);
        diff_json(f, &d, SIZE_MAX);
        diff_csv(f, &d, SIZE_MAX);
        fclose(f);
        free(text);
    } else {
        must(e.code != ERR_NONE);
    }
    diff_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct measured a, b;

    if (read_one(&a, data, size) == 0 && read_one(&b, data, size) == 0) {
        compare(&a, &b, 1);
        drop(&b);
        compare(&a, &b, 0);
        measured_free(&b);
    }
    measured_free(&a);
    return 0;
}

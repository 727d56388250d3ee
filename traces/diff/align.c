/* Which instruction of one run is which of the other: by address, or by text where code has moved. */
#include <stdlib.h>
#include <string.h>

#include "traces/diff/diff.h"

enum {
    SAME_TEXT = 4,
    SAME_MNEMONIC = 3,
    LOOK_AHEAD = 512, /* rows, to find the place where code goes on that is too long for a table */
};
#define MAX_CELLS ((uint64_t)1 << 26)

enum step { STEP_BOTH, STEP_A, STEP_B };

static bool same_mnemonic(const struct measured_row *a, const struct measured_row *b)
{
    size_t n = strcspn(a->text, " ");

    return n == strcspn(b->text, " ") && strncmp(a->text, b->text, n) == 0;
}

static unsigned score_of(const struct measured_row *a, const struct measured_row *b)
{
    return !same_mnemonic(a, b) ? 0 : strcmp(a->text, b->text) == 0 ? SAME_TEXT : SAME_MNEMONIC;
}

/* Pairs by address; how many agree. */
static size_t pair_addresses(const struct measured_row *a, size_t na, const struct measured_row *b, size_t nb,
                             uint64_t a_base, uint64_t b_base, size_t *pair)
{
    size_t same = 0;

    for (size_t i = 0, j = 0; i < na; i++) {
        while (j < nb && b[j].vaddr - b_base < a[i].vaddr - a_base)
            j++;
        bool is = j < nb && b[j].vaddr - b_base == a[i].vaddr - a_base && same_mnemonic(&a[i], &b[j]);

        pair[i] = is ? j : SIZE_MAX;
        same += is;
        j += is;
    }
    return same;
}

/* The longest common sequence by a table of (na + 1) * (nb + 1) steps. */
static int pair_table(const struct measured_row *a, size_t na, const struct measured_row *b, size_t nb, size_t first_b,
                      size_t *pair, struct err *e)
{
    uint8_t *step = malloc((na + 1) * (nb + 1));
    uint32_t *best = calloc(2 * (nb + 1), sizeof *best);

    if (!step || !best) {
        free(step);
        free(best);
        return err_set(e, ERR_NOMEM, "out of host memory to compare %zu with %zu instructions", na, nb);
    }
    for (size_t i = 1; i <= na; i++) {
        uint32_t *above = best + (i - 1) % 2 * (nb + 1), *here = best + i % 2 * (nb + 1);

        here[0] = 0;
        for (size_t j = 1; j <= nb; j++) {
            unsigned score = score_of(&a[i - 1], &b[j - 1]);
            uint32_t both = score ? above[j - 1] + score : 0;
            enum step s = both > above[j] && both > here[j - 1] ? STEP_BOTH : above[j] >= here[j - 1] ? STEP_A : STEP_B;

            here[j] = s == STEP_BOTH ? both : s == STEP_A ? above[j] : here[j - 1];
            step[i * (nb + 1) + j] = (uint8_t)s;
        }
    }
    for (size_t i = na, j = nb; i && j;) {
        enum step s = (enum step)step[i * (nb + 1) + j];

        if (s == STEP_BOTH)
            pair[i - 1] = first_b + j - 1;
        i -= s != STEP_B;
        j -= s != STEP_A;
    }
    free(step);
    free(best);
    return 0;
}

/* Whether three rows from here on are of one mnemonic each. */
static bool goes_on(const struct measured_row *a, size_t na, const struct measured_row *b, size_t nb)
{
    if (na < 3 || nb < 3)
        return na && nb && same_mnemonic(a, b);
    return same_mnemonic(a, b) && same_mnemonic(a + 1, b + 1) && same_mnemonic(a + 2, b + 2);
}

/* What is too long for a table: goes along both, and after a difference to the nearest place where they agree again. */
static void pair_along(const struct measured_row *a, size_t na, const struct measured_row *b, size_t nb, size_t first_b,
                       size_t *pair)
{
    for (size_t i = 0, j = 0; i < na && j < nb;) {
        if (same_mnemonic(&a[i], &b[j])) {
            pair[i++] = first_b + j++;
            continue;
        }
        size_t far = 1, skip = 0;
        bool found = false;
        for (; far < LOOK_AHEAD && !found; far++)
            for (skip = 0; skip <= far && !found; skip++)
                found = i + skip < na && j + far - skip < nb &&
                        goes_on(a + i + skip, na - i - skip, b + j + far - skip, nb - j - far + skip);
        if (found) { /* both loops have gone one further */
            i += skip - 1;
            j += far - 1 - (skip - 1);
        } else {
            i++;
            j++;
        }
    }
}

int diff_align(const struct measured_row *a, size_t a_count, const struct measured_row *b, size_t b_count,
               uint64_t a_base, uint64_t b_base, size_t *pair, bool *by_address, struct err *e)
{
    size_t fewer = a_count < b_count ? a_count : b_count, from = 0, na = a_count, nb = b_count;

    *by_address = pair_addresses(a, a_count, b, b_count, a_base, b_base, pair) * 10 >= fewer * 9;
    if (*by_address)
        return 0;
    for (size_t k = 0; k < a_count; k++)
        pair[k] = SIZE_MAX;
    /* what both begin and end with needs no search */
    while (from < na && from < nb && strcmp(a[from].text, b[from].text) == 0) {
        pair[from] = from;
        from++;
    }
    while (na > from && nb > from && strcmp(a[na - 1].text, b[nb - 1].text) == 0)
        pair[--na] = --nb;
    na -= from;
    nb -= from;
    if (!na || !nb)
        return 0;
    if ((uint64_t)(na + 1) * (nb + 1) <= MAX_CELLS)
        return pair_table(a + from, na, b + from, nb, from, pair + from, e);
    pair_along(a + from, na, b + from, nb, from, pair + from);
    return 0;
}

/* Columns of the page of a sweep: entries once, and short codes for each point. */
#include "sim/sweep/page_column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/spec.h"

enum { BASE = 90, NUMBER_BYTES = 40 };

/* ---- texts ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return h ^ (h >> 32);
}

/* The slot that has the text, or the free one where it belongs. */
static size_t slot_of(const struct page_names *n, const char *text)
{
    size_t slots = 2 * n->room, at = hash_text(text) % slots;

    while (n->slot[at] && strcmp(n->text[n->slot[at] - 1], text) != 0)
        at = at + 1 == slots ? 0 : at + 1;
    return at;
}

static bool grow(struct page_names *n)
{
    size_t room = n->room ? 2 * n->room : 64;
    char **text = realloc(n->text, room * sizeof *text);
    uint32_t *slot = calloc(2 * room, sizeof *slot);

    if (text)
        n->text = text;
    if (!text || !slot) {
        free(slot);
        return false;
    }
    free(n->slot);
    n->slot = slot;
    n->room = room;
    for (size_t k = 0; k < n->count; k++)
        n->slot[slot_of(n, n->text[k])] = (uint32_t)k + 1;
    return true;
}

uint32_t page_name(struct page_names *n, const char *text)
{
    size_t at;

    if (!text || (n->count == n->room && !grow(n)))
        return PAGE_NONE;
    at = slot_of(n, text);
    if (n->slot[at])
        return n->slot[at] - 1;
    n->text[n->count] = strdup(text);
    if (!n->text[n->count])
        return PAGE_NONE;
    n->slot[at] = (uint32_t)++n->count;
    return (uint32_t)n->count - 1;
}

void page_names_free(struct page_names *n)
{
    for (size_t k = 0; k < n->count; k++)
        free(n->text[k]);
    free(n->text);
    free(n->slot);
    *n = (struct page_names){0};
}

/* ---- codes ---- */

unsigned page_code_width(size_t count)
{
    unsigned width = 1;

    for (size_t most = BASE; most < count; most *= BASE)
        width++;
    return width;
}

void page_put_code(FILE *f, uint32_t code, unsigned width)
{
    for (; width--; code /= BASE) {
        int c = '#' + (int)(code % BASE);

        c += c >= '<';
        c += c >= '\\';
        fputc(c, f);
    }
}

void page_put_codes(struct json_put *j, const uint32_t *index, size_t points, size_t count)
{
    unsigned width = page_code_width(count + 1);

    json_put(j, "w: %u, at:", width);
    FILE *f = json_put_raw(j);
    fputc('"', f);
    for (size_t k = 0; k < points; k++)
        page_put_code(f, index[k] + 1, width); /* none is 0 */
    fputc('"', f);
}

/* ---- numbers ---- */

int page_number(char *out, size_t size, double v, bool exact)
{
    if (!isfinite(v))
        return snprintf(out, size, "null");
    if (v == floor(v) && fabs(v) < 1e15)
        return snprintf(out, size, "%.0f", v);
    if (!exact)
        return snprintf(out, size, "%.9g", v);
    return sweep_shortest(out, size, v);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The numbers that there are, sorted, each once. */
static size_t distinct(double *out, const double *value, size_t points)
{
    size_t n = 0, kept = 0;

    for (size_t k = 0; k < points; k++)
        if (isfinite(value[k]))
            out[n++] = value[k];
    qsort(out, n, sizeof *out, by_size);
    for (size_t k = 0; k < n; k++)
        if (!kept || out[kept - 1] != out[k])
            out[kept++] = out[k];
    return kept;
}

static void put_list(struct json_put *j, const double *value, size_t count, bool exact)
{
    char text[NUMBER_BYTES];

    json_put(j, "[");
    for (size_t k = 0; k < count; k++)
        fwrite(text, 1, (size_t)page_number(text, sizeof text, value[k], exact), json_put_raw(j));
    json_put(j, "]");
}

static size_t list_bytes(const double *value, size_t count, bool exact)
{
    char text[NUMBER_BYTES];
    size_t bytes = 1;

    for (size_t k = 0; k < count; k++)
        bytes += (size_t)page_number(text, sizeof text, value[k], exact) + 1;
    return bytes;
}

bool page_put_column(struct json_put *j, const double *value, size_t points, bool exact, double *scratch)
{
    size_t count = distinct(scratch, value, points);
    uint32_t *index;

    if (list_bytes(scratch, count, exact) + points * page_code_width(count + 1) >= list_bytes(value, points, exact)) {
        put_list(j, value, points, exact);
        return true;
    }
    index = malloc((points ? points : 1) * sizeof *index);
    if (!index)
        return false;
    for (size_t k = 0; k < points; k++) {
        const double *at = isfinite(value[k]) ? bsearch(&value[k], scratch, count, sizeof *scratch, by_size) : NULL;

        index[k] = at ? (uint32_t)(at - scratch) : PAGE_NONE;
    }
    json_put(j, "{of:");
    put_list(j, scratch, count, exact);
    page_put_codes(j, index, points, count);
    json_put(j, "}");
    free(index);
    return true;
}

/* Reads values of options. */
#define _GNU_SOURCE
#include "sim/options/option.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/util/number.h"

#define MOST_SECONDS 1e9
#define MOST_GROUPS  ((UINT64_C(1) << 48) - 1)

static bool expected(char *why, size_t n, const char *what)
{
    snprintf(why, n, "expected %s", what);
    return false;
}

/* ---- kinds ---- */

static bool read_number(const struct option_row *row, const char *value, uint64_t most, uint64_t *number, char *why,
                        size_t n)
{
    most = row->most ? row->most : most;
    if (number_read(value, NULL, most, number) && *number >= row->least)
        return true;
    if (most == UINT64_MAX)
        snprintf(why, n, "expected a whole number from %llu on", (unsigned long long)row->least);
    else
        snprintf(why, n, "expected a whole number from %llu to %llu", (unsigned long long)row->least,
                 (unsigned long long)most);
    return false;
}

static bool read_bytes(const struct option_row *row, const char *value, uint64_t *bytes, char *why, size_t n)
{
    uint64_t v;

    if (!number_bytes(value, &v) || !v)
        return expected(why, n, "a whole number of bytes from 1 on, K, M, G or T behind it (powers of 1024)");
    if (row->most && v > row->most) {
        snprintf(why, n, "expected at most %llu bytes", (unsigned long long)row->most);
        return false;
    }
    *bytes = v;
    return true;
}

/* "expected auto, always or never" of "auto|always|never". */
static void spell_words(const char *words, char *why, size_t n)
{
    size_t used = (size_t)snprintf(why, n, "expected ");

    for (const char *end, *word = words; *word && used < n; word = *end ? end + 1 : end) {
        end = word + strcspn(word, "|");
        used += (size_t)snprintf(why + used, n - used, "%s%.*s",
                                 word == words              ? ""
                                 : strchr(end, '|') || *end ? ", "
                                                            : " or ",
                                 (int)(end - word), word);
    }
}

static bool read_word(const struct option_row *row, const char *value, int *place, char *why, size_t n)
{
    int k = 0;

    for (const char *end, *word = row->words; *word; word = *end ? end + 1 : end, k++) {
        end = word + strcspn(word, "|");
        if (strlen(value) == (size_t)(end - word) && strncmp(word, value, (size_t)(end - word)) == 0) {
            *place = k;
            return true;
        }
    }
    spell_words(row->words, why, n);
    return false;
}

static bool read_triple(const struct option_row *row, const char *value, uint32_t triple[3], char *why, size_t n)
{
    uint32_t v[3] = {1, 1, 1};
    const char *at = value;
    unsigned k = 0;

    for (const char *comma; at && k < 3; k++) {
        uint64_t number;

        comma = strchr(at, ',');
        if (!number_read(at, comma, UINT32_MAX, &number) || !number)
            break;
        v[k] = (uint32_t)number;
        at = comma ? comma + 1 : NULL;
    }
    if (at) {
        snprintf(why, n, "expected X[,Y[,Z]], whole numbers of %s from 1 to 4294967295", row->unit);
        return false;
    }
    memcpy(triple, v, sizeof v);
    return true;
}

static bool read_seconds(const char *value, double *seconds, char *why, size_t n)
{
    return number_seconds(value, MOST_SECONDS, seconds) || expected(why, n, "a number of seconds above 0, at most 1e9");
}

static bool read_ranges(const struct option_row *row, const char *value, const char **text, char *why, size_t n)
{
    const char *rest = value;
    uint64_t from, to;

    do
        if (!number_range(&rest, row->least, row->most ? row->most : UINT64_MAX, &from, &to)) {
            snprintf(why, n, "expected %s from %llu on and ranges, such as 3,7-9", row->unit,
                     (unsigned long long)row->least);
            return false;
        }
    while (*rest);
    *text = value;
    return true;
}

static bool read_span(const char *value, struct option_span *span, char *why, size_t n)
{
    const char *colon = strchr(value, ':');
    struct option_span v = {0};

    if (!colon || (colon != value && !number_read(value, colon, UINT64_MAX, &v.first)) ||
        (colon[1] && (!number_read(colon + 1, NULL, UINT64_MAX, &v.end) || v.end <= v.first)))
        return expected(why, n, "A:B, from A on and before B");
    *span = v;
    return true;
}

static bool read_wave(const char *value, struct option_wave *wave, char *why, size_t n)
{
    const char *colon = strchr(value, ':');
    uint64_t group, number;

    if (!colon || !number_read(value, colon, MOST_GROUPS, &group) || !number_read(colon + 1, NULL, UINT16_MAX, &number))
        return expected(why, n, "WG:WAVE, the number of a workgroup and of a wave in it");
    *wave = (struct option_wave){true, group, (uint32_t)number};
    return true;
}

static bool read_kernel(const char *value, const char **text, char *why, size_t n)
{
    size_t name;
    uint64_t number;

    if (!number_choice(value, &name, &number))
        return expected(why, n, "KERNEL or KERNEL,N with N from 1 on");
    *text = value;
    return true;
}

static bool read_regex(const char *value, const char **text, char *why, size_t n)
{
    regex_t r;
    char said[200];
    int code = regcomp(&r, value, REG_EXTENDED | REG_NOSUB);

    if (code) {
        regerror(code, &r, said, sizeof said);
        snprintf(why, n, "expected an extended regular expression: %s", said);
        return false;
    }
    regfree(&r);
    *text = value;
    return true;
}

static bool add_item(struct option_list *list, const char *value, char *why, size_t n)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);

    if (!items) {
        snprintf(why, n, "out of memory");
        return false;
    }
    list->items = items;
    list->items[list->count++] = value;
    return true;
}

static bool read_item(const struct option_row *row, const char *value, struct option_list *list, char *why, size_t n)
{
    const char *equals = strchr(value, '=');

    if (row->pair && (!equals || equals == value))
        return expected(why, n, row->value);
    return add_item(list, value, why, n);
}

static bool read_names(const struct option_row *row, const char *value, struct option_list *list, char *why, size_t n)
{
    struct option_list names = {.text = strdup(value)};
    char *rest = names.text, *one;

    if (!rest) {
        snprintf(why, n, "out of memory");
        return false;
    }
    bool good = true;
    while (good && (one = strsep(&rest, ","))) {
        good = *one && names.count < row->most;
        if (!good)
            snprintf(why, n, "expected 1 to %llu %s, separated by commas", (unsigned long long)row->most, row->unit);
        good = good && add_item(&names, one, why, n);
    }
    struct option_list *gone = good ? list : &names;
    free(gone->items);
    free(gone->text);
    if (good)
        *list = names;
    return good;
}

/* ---- rows ---- */

const struct option_row *option_part(const struct option_row *row, const char **value)
{
    for (const struct option_row *part = row + 1; part->kind == OPTION_PART; part++) {
        const char *what = strchr(part->name, ' ') + 1; /* "csv statistics" */
        size_t n = strlen(what);

        if (strncmp(*value, what, n) == 0 && (*value)[n] == '=') {
            *value += n + 1;
            return part;
        }
    }
    return row;
}

bool option_read(const struct option_row *row, const char *value, void *into, char *why, size_t n)
{
    void *field = (char *)into + row->at;
    uint64_t number;

    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_NO:
        *(bool *)field = row->kind == OPTION_FLAG;
        return true;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_TABLE:
    case OPTION_PART:
        *(const char **)field = value;
        return true;
    case OPTION_FOLDER:
        row = option_part(row, &value);
        *(const char **)((char *)into + row->at) = value;
        return true;
    case OPTION_LIST:
        return read_item(row, value, field, why, n);
    case OPTION_NAMES:
        return read_names(row, value, field, why, n);
    case OPTION_NUMBER:
        if (!read_number(row, value, UINT64_MAX, &number, why, n))
            return false;
        *(uint64_t *)field = number;
        return true;
    case OPTION_COUNT:
        if (!read_number(row, value, UINT32_MAX, &number, why, n))
            return false;
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case OPTION_BYTES:
        return read_bytes(row, value, field, why, n);
    case OPTION_SECONDS:
        return read_seconds(value, field, why, n);
    case OPTION_TRIPLE:
        return read_triple(row, value, field, why, n);
    case OPTION_WORD:
        return read_word(row, value, field, why, n);
    case OPTION_RANGES:
        return read_ranges(row, value, field, why, n);
    case OPTION_SPAN:
        return read_span(value, field, why, n);
    case OPTION_WAVE:
        return read_wave(value, field, why, n);
    case OPTION_KERNEL:
        return read_kernel(value, field, why, n);
    case OPTION_REGEX:
        return read_regex(value, field, why, n);
    case OPTION_TAKE:
        return row->take(into, row, value, why, n);
    case OPTION_GROUP:
    case OPTION_END:
        break;
    }
    return true;
}

/* ---- variables ---- */

static bool read_flag(const char *value, bool *flag, char *why, size_t n)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return expected(why, n, "0 or 1");
    *flag = *value == '1';
    return true;
}

/* Lines are items. */
static bool read_lines(const struct option_row *row, const char *value, struct option_list *list, char *why, size_t n)
{
    char *rest = strdup(value), *one;

    if (!rest) {
        snprintf(why, n, "out of memory");
        return false;
    }
    free(list->text);
    list->text = rest;
    while ((one = strsep(&rest, "\n")))
        if (*one && !read_item(row, one, list, why, n))
            return false;
    return true;
}

bool option_read_environment(const struct option_row *table, void *into, char *why, size_t n)
{
    EACH_OPTION_ROW(row, table)
    {
        const char *value = row->variable ? getenv(row->variable) : NULL;
        void *field = (char *)into + row->at;
        char what[300];
        bool good;

        if (!value || !*value)
            continue;
        if (row->kind == OPTION_FLAG || row->kind == OPTION_NO)
            good = read_flag(value, field, what, sizeof what);
        else if (row->kind == OPTION_LIST)
            good = read_lines(row, value, field, what, sizeof what);
        else
            good = option_read(row, value, into, what, sizeof what);
        if (good)
            continue;
        snprintf(why, n, "%s is '%.200s'; %s", row->variable, value, what);
        return false;
    }
    return true;
}

void option_free(const struct option_row *table, void *into)
{
    EACH_OPTION_ROW(row, table)
    if (row->kind == OPTION_LIST || row->kind == OPTION_NAMES) {
        struct option_list *list = (struct option_list *)((char *)into + row->at);

        free(list->items);
        free(list->text);
        *list = (struct option_list){0};
    }
}

/* ---- what goes together ---- */

bool option_given(const struct option_row *row, const void *into)
{
    const void *field = (const char *)into + row->at;

    switch (row->kind) {
    case OPTION_FLAG:
        return *(const bool *)field;
    case OPTION_NO:
        return !*(const bool *)field;
    case OPTION_LIST:
    case OPTION_NAMES:
        return ((const struct option_list *)field)->count != 0;
    case OPTION_NUMBER:
    case OPTION_BYTES:
        return *(const uint64_t *)field != 0;
    case OPTION_COUNT:
    case OPTION_TRIPLE:
        return *(const uint32_t *)field != 0;
    case OPTION_SECONDS:
        return *(const double *)field > 0;
    case OPTION_WORD:
        return *(const int *)field != 0;
    case OPTION_SPAN:
        return ((const struct option_span *)field)->first || ((const struct option_span *)field)->end;
    case OPTION_WAVE:
        return ((const struct option_wave *)field)->given;
    case OPTION_TAKE:
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_TABLE:
    case OPTION_FOLDER:
    case OPTION_PART:
    case OPTION_RANGES:
    case OPTION_KERNEL:
    case OPTION_REGEX:
        return *(const char *const *)field != NULL;
    case OPTION_GROUP:
    case OPTION_END:
        break;
    }
    return false;
}

const struct option_row *option_about(const struct option_row *table, const void *into, unsigned about)
{
    EACH_OPTION_ROW(row, table)
    if (row->about & about && option_given(row, into))
        return row;
    return NULL;
}

const struct option_row *option_alone(const struct option_row *table, const void *into, const void *all)
{
    EACH_OPTION_ROW(row, table)
    if (row->beside && option_given(row, into)) {
        bool there = false;

        EACH_OPTION_ROW(other, table)
        there |= strcmp(other->name, row->beside) == 0 && option_given(other, all);
        if (!there)
            return row;
    }
    return NULL;
}

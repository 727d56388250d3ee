/* libFuzzer target: the profile reader. Whatever the bytes are, they are refused with a message or read into a
 * profile that prints, reads back to the same, and stands --set and patterns. */
#include "config/profile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

/* A document may have a tail: strings that each begin with a zero byte. Those with an '=' are set together, as --set
 * does, the others are patterns. In blocks of their own, so that a read past the end is seen. */
struct tail {
    char *sets[8], *patterns[8];
    size_t set_count, pattern_count;
};

static size_t split(const uint8_t *data, size_t size, struct tail *t)
{
    const uint8_t *zero = memchr(data, 0, size);
    size_t document = zero ? (size_t)(zero - data) : size;

    *t = (struct tail){0};
    for (size_t at = document; at < size;) {
        const uint8_t *next = memchr(data + at + 1, 0, size - at - 1);
        size_t end = next ? (size_t)(next - data) : size;
        char *text = strndup((const char *)data + at + 1, end - at - 1);
        must(text != NULL);
        if (strchr(text, '=') && t->set_count < 8)
            t->sets[t->set_count++] = text;
        else if (!strchr(text, '=') && t->pattern_count < 8)
            t->patterns[t->pattern_count++] = text;
        else
            free(text);
        at = end;
    }
    return document;
}

static void free_tail(struct tail *t)
{
    while (t->set_count)
        free(t->sets[--t->set_count]);
    while (t->pattern_count)
        free(t->patterns[--t->pattern_count]);
}

static char *print(const struct profile *p, enum profile_format format)
{
    struct err e = {0};
    char *text;

    must(!profile_print(p, format, &text, &e));
    return text;
}

/* The output reads back to the same. */
static void read_back(const struct profile *p)
{
    struct err e = {0};
    struct profile *q;
    char *text = print(p, PROFILE_JSON);

    must(!profile_parse(&q, text, strlen(text), "fuzz", &e));
    char *again = print(q, PROFILE_JSON);
    must(!strcmp(text, again));
    free(text);
    free(again);
    profile_free(q);
}

static void set_all(struct profile *p, const struct tail *t)
{
    struct err e = {0};
    char *before = print(p, PROFILE_JSON);

    if (profile_set_all(p, t->set_count, (const char *const *)t->sets, &e)) {
        must(e.code != ERR_NONE && e.text[0]);
        char *after = print(p, PROFILE_JSON);
        must(!strcmp(before, after)); /* all or nothing */
        free(after);
    }
    free(before);
    free(print(p, PROFILE_TEXT));
}

static void print_matching(const struct profile *p, const struct tail *t)
{
    for (int format = 0; format < 2; format++) {
        struct err e = {0};
        char *text;

        if (profile_print_matching(p, t->pattern_count, (const char *const *)t->patterns, (enum profile_format)format,
                                   &text, &e))
            must(e.code != ERR_NONE && e.text[0]);
        else
            free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {0};
    struct profile *p;
    struct tail tail;
    size_t document = split(data, size, &tail);
    char *text = malloc(document ? document : 1);

    must(text != NULL);
    memcpy(text, data, document);
    if (profile_parse(&p, text, document, "fuzz", &e)) {
        /* memory is not short: that would be a text that the check takes and cJSON does not */
        must(!p && e.code != ERR_NONE && e.code != ERR_NOMEM && e.text[0]);
    } else {
        free(print(p, PROFILE_TEXT));
        read_back(p);
        if (tail.set_count)
            set_all(p, &tail);
        if (tail.pattern_count)
            print_matching(p, &tail);
        /* may be refused, as other values of the document may forbid it */
        if (profile_set(p, "cu.wave_slots_per_simd", "8", &e))
            must(e.code == ERR_FORMAT);
        else
            must(p->cu.wave_slots_per_simd == 8);
        profile_free(p);
    }
    free(text);
    free_tail(&tail);
    return 0;
}

/* Texts of annotations in a timeline: each is written once. */
#include <stdlib.h>
#include <string.h>

#include "traces/timeline_state.h"

enum { FIRST_BITS = 6 };

/* FNV-1a */
static uint64_t hash_of(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return h;
}

static struct timeline_word *find(const struct timeline_words *w, const char *text)
{
    size_t mask = ((size_t)1 << w->bits) - 1, k = (size_t)hash64(hash_of(text), w->bits);

    while (w->word[k].text && strcmp(w->word[k].text, text) != 0)
        k = (k + 1) & mask;
    return &w->word[k];
}

static bool grow(struct timeline_words *w)
{
    struct timeline_words more = {.bits = w->word ? w->bits + 1 : FIRST_BITS, .count = w->count};

    more.word = calloc((size_t)1 << more.bits, sizeof *more.word);
    if (!more.word)
        return false;
    for (size_t k = 0; w->word && k < (size_t)1 << w->bits; k++)
        if (w->word[k].text)
            *find(&more, w->word[k].text) = w->word[k];
    free(w->word);
    *w = more;
    return true;
}

uint64_t timeline_word(struct timeline *t, const char *text)
{
    struct timeline_words *w = &t->words;
    struct timeline_word *found;

    if ((!w->word || 2 * w->count >= (size_t)1 << w->bits) && !grow(w)) {
        t->no_memory = true;
        return 0;
    }
    found = find(w, text);
    if (found->text)
        return found->iid;
    if (!(found->text = strdup(text))) {
        t->no_memory = true;
        return 0;
    }
    w->count++;
    return found->iid = perfetto_text(&t->p, text);
}

void timeline_words_free(struct timeline_words *w)
{
    for (size_t k = 0; w->word && k < (size_t)1 << w->bits; k++)
        free(w->word[k].text);
    free(w->word);
}

/* libFuzzer target: the profile reader. Whatever the bytes are, they are refused with a message or read into a
 * profile that prints, reads back to the same, and stands --set. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {0};
    struct profile *p, *q;
    char *text, *again;

    if (profile_parse(&p, (const char *)data, size, "fuzz", &e)) {
        must(!p && e.code != ERR_NONE && e.text[0]);
        return 0;
    }
    must(!profile_print(p, PROFILE_TEXT, &text, &e));
    free(text);
    must(!profile_print(p, PROFILE_JSON, &text, &e));
    must(!profile_parse(&q, text, strlen(text), "fuzz", &e));
    must(!profile_print(q, PROFILE_JSON, &again, &e));
    must(!strcmp(text, again));
    free(text);
    free(again);
    profile_free(q);
    /* may be refused, as other values of the document may forbid it */
    if (profile_set(p, "cu.wave_slots_per_simd", "8", &e))
        must(e.code == ERR_FORMAT);
    else
        must(p->cu.wave_slots_per_simd == 8);
    profile_free(p);
    return 0;
}

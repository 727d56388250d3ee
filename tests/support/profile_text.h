/* The JSON document of a built-in profile, which the library does not carry where profiles are resolved. */
#ifndef GCNSIM_TESTS_PROFILE_TEXT_H
#define GCNSIM_TESTS_PROFILE_TEXT_H

#include "sim/util/input.h"

#include <stdio.h>
#include <stdlib.h>

/* malloc'd, with a zero after it; null: there is no such file. */
static inline char *profile_text(const char *name, size_t *size)
{
    char path[200];
    uint8_t *text = NULL;
    struct err e = {0};

    snprintf(path, sizeof path, "config/profiles/%s.json", name);
    return input_read(path, 1 << 20, &text, size, &e) ? NULL : (char *)text;
}

#endif

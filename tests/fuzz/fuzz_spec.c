/* libFuzzer target: one kernel argument in text (buf:64, in:PATH, f32:1.5 ...). Whatever the bytes are, they are
 * refused with a message or read into an argument that has what its kind needs.
 */
#include "sim/launch/spec.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static double from_half(uint16_t h)
{
    int exponent = h >> 10 & 31;
    double mantissa = h & 1023;
    double value = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                  : ldexp(mantissa, -24);
    return h >> 15 ? -value : value;
}

/* The bits that spec_half() gives stand for a value that rounds to themselves. */
static void check_half(const struct spec *s)
{
    uint16_t h = (uint16_t)(s->value[0] | s->value[1] << 8);

    if (!isnan(from_half(h)))
        must(spec_half(from_half(h)) == h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile size_t sink;
    struct spec s;
    struct err e = {0};
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (spec_parse(&s, text, &e)) {
        must(e.code != ERR_NONE && e.text[0]);
    } else {
        must(strncmp(text, s.word, strlen(s.word)) == 0 && text[strlen(s.word)] == ':');
        must((s.path != NULL) == (s.kind == SPEC_IN || s.kind == SPEC_INOUT));
        must((s.out_path != NULL) == (s.kind == SPEC_OUT || s.kind == SPEC_INOUT));
        must(spec_is_buffer(&s) == (s.kind == SPEC_BUF || s.kind == SPEC_IN || s.path || s.out_path || s.buffer));
        must((s.buffer != NULL) == (s.kind == SPEC_NAMED));
        if (s.kind == SPEC_INT || s.kind == SPEC_FLOAT)
            must(s.bytes == 1 || s.bytes == 2 || s.bytes == 4 || s.bytes == 8);
        if (s.kind == SPEC_FLOAT && s.bytes == 2)
            check_half(&s);
        for (uint64_t i = 0; s.kind == SPEC_BYTES && i < s.bytes; i++)
            sink = sink + s.data[i];
    }
    spec_free(&s);
    free(text);
    return 0;
}

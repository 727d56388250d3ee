/* Inputs of fuzz targets as text: reading and writing. */
#include "tests/fuzz/corpus.h"

#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    const char *all = "0123456789abcdef", *at = c ? strchr(all, c) : NULL;

    return at ? (int)(at - all) : -1;
}

/* The bytes of a line into out (null: counts them). Returns how many; CORPUS_MAX_INPUT + 1 when it is no such line. */
static size_t parse(const char *line, uint8_t *out)
{
    size_t n = 0;

    while (*line && *line != '\n') {
        int high = digit(line[0]), low = high < 0 ? -1 : digit(line[1]);
        unsigned long times = 1;
        if (low < 0)
            return CORPUS_MAX_INPUT + 1;
        line += 2;
        if (*line == '(') {
            char *end;
            times = strtoul(line + 1, &end, 10);
            if (end == line + 1 || *end != ')')
                return CORPUS_MAX_INPUT + 1;
            line = end + 1;
        }
        if (times > CORPUS_MAX_INPUT - n)
            return CORPUS_MAX_INPUT + 1;
        if (out)
            memset(out + n, high << 4 | low, times);
        n += times;
    }
    return n;
}

unsigned corpus_read(FILE *f, void (*take)(void *ctx, const uint8_t *bytes, size_t size, unsigned line), void *ctx)
{
    char *line = NULL;
    size_t room = 0;
    unsigned number = 0, bad = 0;

    while (!bad && getline(&line, &room, f) > 0) {
        number++;
        if (line[0] == '#')
            continue;
        size_t n = parse(line, NULL);
        uint8_t *bytes = n > CORPUS_MAX_INPUT ? NULL : malloc(n ? n : 1);
        if (!bytes) {
            bad = number;
            break;
        }
        parse(line, bytes);
        take(ctx, bytes, n, number);
        free(bytes);
    }
    free(line);
    return bad;
}

void corpus_write(FILE *f, const uint8_t *bytes, size_t size)
{
    enum { WORTH = 3 };

    for (size_t i = 0; i < size;) {
        size_t same = 1;
        while (i + same < size && bytes[i + same] == bytes[i])
            same++;
        if (same >= WORTH) {
            fprintf(f, "%02x(%zu)", bytes[i], same);
        } else {
            for (size_t k = 0; k < same; k++)
                fprintf(f, "%02x", bytes[i]);
        }
        i += same;
    }
    fputc('\n', f);
}

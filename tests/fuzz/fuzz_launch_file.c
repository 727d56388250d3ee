/* libFuzzer target: the reader of launch files. Whatever the bytes are, they are refused with a message that names the
 * file, or read into a launch whose required parts are there; each argument of it is then a SPEC or refused.
 */
#include "sim/launch/launch_file.h"
#include "sim/launch/spec.h"

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
    static const char path[] = "folder/fuzz.json";
    static volatile size_t sink;
    struct launch_file *f = NULL;
    struct err e = {0};

    /* in a block of exactly its size, so that a read past the end is seen */
    char *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (launch_file_parse(&f, text, size, path, &e)) {
        must(!f && e.code != ERR_NONE && strncmp(e.text, path, sizeof path - 1) == 0);
        free(text);
        return 0;
    }
    free(text); /* nothing of the launch may point into it */
    must(strcmp(f->path, path) == 0 && strcmp(f->directory, "folder") == 0);
    sink += strlen(f->file) + strlen(f->kernel) + (f->arch ? strlen(f->arch) : 0);
    for (int i = 0; i < 3; i++)
        must(f->grid[i] > 0 && f->workgroup[i] > 0);
    must(!f->engine || strcmp(f->engine, "timing") == 0 || strcmp(f->engine, "functional") == 0);
    for (size_t i = 0; i < f->set_count; i++)
        must(strchr(f->sets[i], '=') != NULL);
    for (size_t i = 0; i < f->arg_count; i++) {
        struct spec s;
        e = (struct err){0};
        if (spec_parse(&s, f->args[i], &e))
            must(e.code != ERR_NONE && e.text[0]);
        spec_free(&s);
    }
    launch_file_close(f);
    return 0;
}

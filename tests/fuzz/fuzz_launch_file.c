/* libFuzzer target: the reader of launch files. Whatever the bytes are, they are refused with a message that names the
 * file, or read into a launch whose required parts are there; each argument of it is then a SPEC or refused, and what
 * it says of variables fits one of a small code object or is refused.
 */
#include "sim/launch/launch_file.h"
#include "sim/launch/spec.h"
#include "sim/launch/symbols.h"
#include "tests/unit/loader/toy_elf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static volatile size_t sink;

static void check_spec(const char *text)
{
    struct err e = {0};
    struct spec s;

    if (spec_parse(&s, text, &e))
        must(e.code != ERR_NONE && e.text[0]);
    spec_free(&s);
}

static const struct code_object *variables(void)
{
    static struct code_object *co;
    struct toy t;

    if (co)
        return co;
    toy_init(&t, 0x63f, 3);
    toy_symbol(&t, "v", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR, 16);
    toy_symbol(&t, "x", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 16, 4);
    must(!code_object_open(&co, t.bytes, sizeof t.bytes, "toy", NULL, NULL, NULL));
    return co;
}

static void check_symbols(const struct launch_file_launch *l)
{
    static const uint8_t bytes[16] = {1, 2, 3};
    struct launch_symbol s;
    struct err e = {0};

    for (size_t i = 0; i < l->set_symbol_count; i++) {
        const char *value = launch_symbol_value(l->set_symbols[i]);

        must(value != NULL);
        if (strncmp(value, "in:", 3) == 0) /* any file of this machine */
            continue;
        must(!launch_symbol_parse_set(&s, variables(), l->set_symbols[i], NULL, NULL, &e) || e.text[0]);
        launch_symbol_free(&s);
    }
    for (size_t i = 0; i < l->read_symbol_count; i++) {
        if (!launch_symbol_parse_read(&s, variables(), l->read_symbols[i], "folder", &e)) {
            char *text = launch_symbol_text(&s, bytes);
            must(s.bytes > 0 && s.bytes <= 16 && text != NULL);
            free(text);
        }
        launch_symbol_free(&s);
    }
}

static void check_launch(const struct launch_file_launch *l)
{
    check_symbols(l);
    sink += strlen(l->file) + strlen(l->kernel) + (l->name ? strlen(l->name) : 0);
    for (int i = 0; i < 3; i++)
        must(l->grid[i] > 0 && l->workgroup[i] > 0);
    must(l->acquire >= -1 && l->acquire <= 2 && l->release >= -1 && l->release <= 2);
    for (size_t i = 0; i < l->arg_count; i++)
        check_spec(l->args[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char path[] = "folder/fuzz.json";
    struct launch_file *f = NULL;
    struct err e = {0};

    /* in a block of exactly its size, so that a read past the end is seen */
    char *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (launch_file_parse(&f, text, size, path, &e)) {
        /* memory is not short: that would be a text that the check takes and cJSON does not */
        must(!f && e.code != ERR_NONE && e.code != ERR_NOMEM && strncmp(e.text, path, sizeof path - 1) == 0);
        free(text);
        return 0;
    }
    free(text); /* nothing of the launch may point into it */
    must(strcmp(f->path, path) == 0 && strcmp(f->directory, "folder") == 0);
    must(f->launch_count >= 1 && (f->is_list || f->launch_count == 1));
    for (size_t k = 0; k < f->launch_count; k++)
        check_launch(&f->launch[k]);
    for (size_t i = 0; i < f->buffer_count; i++) {
        must(f->buffer_names[i][0] != 0);
        check_spec(f->buffer_specs[i]);
    }
    must(!f->engine || strcmp(f->engine, "timing") == 0 || strcmp(f->engine, "functional") == 0);
    for (size_t i = 0; i < f->set_count; i++)
        must(strchr(f->sets[i], '=') != NULL);
    sink += f->arch ? strlen(f->arch) : 0;
    launch_file_close(f);
    return 0;
}

/* libFuzzer target for the loader: whatever the bytes, opening gives a code object or an error with a text, and an
 * opened one can be read and imaged.
 *
 * Build with clang -fsanitize=fuzzer,address,undefined and the files of sim/loader and sim/util; give it a corpus
 * of code objects and bundles. */
#include "sim/loader/lines.h"
#include "sim/loader/unlinked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_IMAGE (16u << 20) /* larger images are legal, but make a slow fuzzer */

/* Reads every string and byte that is handed out, for the sanitizers to judge. */
static size_t walk(const struct code_object *co)
{
    size_t sum = strlen(code_object_name(co)) + strlen(code_object_bundle_id(co)) + code_object_version(co) +
                 strlen(code_object_where(co));
    uint32_t address, value;
    char target[CO_TARGET_TEXT];
    uint64_t available = 0;

    co_target_format(code_object_target(co), target);
    for (unsigned i = 0; i < code_object_kernel_count(co); i++) {
        const struct co_kernel *k = code_object_kernel(co, i);
        struct co_rsrc rsrc;
        co_rsrc_decode(&rsrc, code_object_target(co)->family, k->descriptor.enable_wavefront_size32,
                       k->descriptor.compute_pgm_rsrc1, k->descriptor.compute_pgm_rsrc2,
                       k->descriptor.compute_pgm_rsrc3);
        const uint8_t *code = code_object_bytes(co, k->entry_vaddr, &available);
        /* a refused kernel may have no code, and the name of one that the metadata alone describes may be another's */
        if (!k->refused && (!code || code_object_find_kernel(co, k->name, NULL) != k))
            abort();
        sum += code ? code[0] + code[available - 1] : 0;
        sum += rsrc.vgprs + (k->refused ? strlen(k->refused) : 0);
        for (unsigned a = 0; k->metadata && a < k->metadata->arg_count; a++)
            sum += strlen(k->metadata->args[a].name) + strlen(k->metadata->args[a].type_name) +
                   strlen(k->metadata->args[a].kind_text);
    }
    for (unsigned i = 0; i < code_object_symbol_count(co); i++)
        sum +=
            strlen(code_object_symbol(co, i)->name) + code_object_function_bytes(co, code_object_symbol(co, i)->vaddr);
    for (unsigned i = 0; code_object_register(co, i, &address, &value); i++)
        sum += strlen(co_register_name(address)) + value;
    for (unsigned i = 0; i < code_object_text_count(co); i++) {
        const struct co_text *t = code_object_text(co, i);
        const uint8_t *code = code_object_bytes(co, t->vaddr, &available);
        if (!code || available < t->size)
            abort();
        sum += code[t->size - 1];
    }
    const struct co_lines *lines = code_object_lines(co);
    for (size_t i = 0; i < co_lines_count(lines); i++)
        if (co_lines_row(lines, i)->file)
            sum += strlen(co_lines_row(lines, i)->file);
    for (unsigned i = 0; i < code_object_metadata_count(co); i++)
        for (unsigned k = 0; k < code_object_metadata(co, i)->printf_count; k++)
            sum += strlen(code_object_metadata(co, i)->printf_formats[k]);
    return sum;
}

/* A target id out of the last bytes: any processor, with settings or what looks like some. */
static const char *any_target(const uint8_t *data, size_t size, char text[CO_TARGET_TEXT])
{
    static const char *const settings[] = {
        "",  ":xnack+",  ":xnack-", ":sramecc+", ":xnack", ":sramecc-:xnack+", ":xnack+:sramecc-", ":xnack+:xnack+",
        ":", ":xnack+x", "x",       ":sramecc+:"};
    const char *name = size ? co_target_name(data[size - 1]) : NULL;

    snprintf(text, CO_TARGET_TEXT, "%s%s", name ? name : "", size > 1 ? settings[data[size - 2] % 12] : "");
    return text;
}

/* The same bytes as an object that is not linked. */
static size_t look_unlinked(const uint8_t *data, size_t size)
{
    struct unlinked_symbol s;
    struct unlinked o;
    struct err e = {0};
    size_t sum = 0;

    if (unlinked_open(&o, data, size, &e)) {
        if (e.code == ERR_NONE || !e.text[0])
            abort();
        return 0;
    }
    for (uint64_t k = 0; k < o.symbol_count; k++)
        sum += unlinked_symbol(&o, k, &s) ? strlen(s.name) + s.value : 0;
    for (unsigned k = 0; k < o.sections; k++) {
        size_t n = 0;
        const uint8_t *code = unlinked_code(&o, k, &n);
        for (size_t at = 0; code && at < n; at++)
            sum += code[at];
    }
    return sum + (unlinked_kernel(&o) != NULL) + unlinked_find(&o, "x", &s);
}

/* The code objects of the file one by one, and those that a kernel or a number chooses. */
static size_t look_at_all(const uint8_t *data, size_t size)
{
    enum { MOST = 4 };
    struct co_source source = {.bytes = data, .size = size, .name = "fuzz", .kernel = "k"};
    struct code_object *co;
    struct co_file *file;
    struct err e = {0};
    uint64_t bytes;
    const char *id;
    size_t sum = 0;

    if (co_file_open(&file, &source, NULL, &e)) {
        if (e.code == ERR_NONE || !e.text[0] || file)
            abort();
        return 0;
    }
    unsigned count = co_file_count(file);
    for (unsigned k = 0; k < count && k < MOST; k++) {
        co_file_entry(file, k, &id, &bytes);
        sum += strlen(id) + bytes;
        if (co_file_code(&co, file, k, NULL, NULL, &e))
            continue;
        if (code_object_index(co) != k || code_object_of(co) != count)
            abort();
        sum += walk(co);
        code_object_close(co);
    }
    co_file_close(file);
    if (count < 2)
        return sum;
    for (source.index = 0; source.index <= count && source.index <= MOST; source.index++) {
        if (!code_object_open_source(&co, &source, NULL, &e)) {
            if (source.by_index ? code_object_index(co) != source.index : code_object_index(co) >= count)
                abort();
            code_object_close(co);
        }
        source.by_index = true; /* after the kernel alone */
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile size_t sink;
    char any[CO_TARGET_TEXT];
    const char *const wants[] = {NULL, "gfx90a", any_target(data, size, any)};
    struct code_object *co;
    struct co_image_info info;

    sink = sink + look_unlinked(data, size);
    sink = sink + look_at_all(data, size);
    for (size_t w = 0; w < sizeof wants / sizeof wants[0]; w++) {
        struct err e = {0};
        if (code_object_open(&co, data, size, "fuzz", wants[w], NULL, &e)) {
            if (e.code == ERR_NONE || !e.text[0] || co)
                abort();
            continue;
        }
        sink = sink + walk(co);
        code_object_image_info(co, &info);
        if (info.size <= MAX_IMAGE) {
            uint8_t *image = calloc(1, info.size);
            if (image)
                code_object_image(co, image, info.size, info.align * 4, &e);
            free(image);
        }
        char text[CO_TARGET_TEXT];
        struct co_target_id again;
        co_target_format(code_object_target(co), text);
        if (co_target_parse(&again, text, &e) || co_target_match(&again, code_object_target(co)) == 0)
            abort();
        code_object_close(co);
    }
    return 0;
}

/* libFuzzer target: the metadata note of a code object, a MessagePack document or, of code object v2 and when it begins
 * with "-", one in YAML. Whatever the bytes are, they are
 * refused with a message or read into kernels and arguments of which every string is there.
 */
#include "sim/loader/metadata.h"
#include "sim/loader/metadata_v2.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

/* Reads every string that is handed out, for the sanitizers to judge. */
static size_t walk(const struct co_kernel_metadata *k)
{
    if (k->refused) { /* nothing else is sure */
        must(k->refused[0]);
        return strlen(k->name) + strlen(k->symbol) + strlen(k->refused);
    }
    size_t sum = strlen(k->name) + strlen(k->symbol) + strlen(k->language) + strlen(k->vec_type_hint) +
                 strlen(k->device_enqueue_symbol);

    must(k->wavefront_size == 32 || k->wavefront_size == 64);
    must(k->explicit_arg_count <= k->arg_count);
    for (unsigned a = 0; a < k->arg_count; a++) {
        const struct co_arg *arg = &k->args[a];
        must(arg->kind < CO_ARG_KIND_COUNT);
        must(co_arg_is_hidden(arg->kind) == (a >= k->explicit_arg_count));
        sum += strlen(arg->name) + strlen(arg->type_name) + strlen(arg->kind_text) +
               strlen(co_arg_kind_text(arg->kind)) + strlen(co_address_space_text(arg->address_space)) +
               strlen(co_access_text(arg->access)) + strlen(co_access_text(arg->actual_access));
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile size_t sink;
    struct co_metadata *m;
    struct err e = {0};

    /* in a block of exactly its size, so that a read past the end is seen */
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    if (size && bytes[0] == '-' ? co_metadata_v2_read(&m, bytes, size, NULL, &e)
                                : co_metadata_read(&m, bytes, size, NULL, &e)) {
        must(!m && e.code != ERR_NONE && e.text[0]);
        free(bytes);
        return 0;
    }
    free(bytes); /* nothing of the metadata may point into it */
    sink = sink + strlen(m->target);
    for (unsigned i = 0; i < m->printf_count; i++)
        sink = sink + strlen(m->printf_formats[i]);
    for (unsigned i = 0; i < m->kernel_count; i++)
        sink = sink + walk(&m->kernels[i]);
    co_metadata_free(m);
    return 0;
}

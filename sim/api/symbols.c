/* Public API: variables of a loaded code object that are set before launches and shown after them. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/api.h"
#include "sim/launch/symbols.h"
#include "sim/util/output.h"

struct gcnsim_symbols {
    struct gcnsim_module *module;
    struct launch_symbol *at; /* those that are set, then those that are read */
    size_t sets, count;
};

static uint64_t address_of(const struct gcnsim_symbols *s, size_t k)
{
    return s->module->load_base + (s->at[k].vaddr - s->module->base_vaddr);
}

static int parse(struct gcnsim_symbols *s, const struct gcnsim_symbol_texts *t, const char *directory,
                 const struct gcnsim_buffers *buffers, struct err *e)
{
    const struct code_object *co = s->module->code->co;

    if (buffers && buffers->sim != s->module->sim)
        return err_set(e, ERR_USAGE, "buffers of another simulator");
    s->at = calloc(t->set_count + t->read_count + 1, sizeof *s->at);
    if (!s->at)
        return err_set(e, ERR_NOMEM, "out of host memory for symbols");
    for (size_t k = 0; k < t->set_count; k++) {
        struct launch_symbol *one = &s->at[s->count++];

        s->sets = s->count;
        if (launch_symbol_parse_set(one, co, t->sets[k], directory, buffers ? buffers->a : NULL, e))
            return -1;
    }
    for (size_t k = 0; k < t->read_count; k++)
        if (launch_symbol_parse_read(&s->at[s->count++], co, t->reads[k], directory, e))
            return -1;
    return 0;
}

int gcnsim_symbols_parse(struct gcnsim_module *module, const struct gcnsim_symbol_texts *texts, const char *directory,
                         const struct gcnsim_buffers *buffers, struct gcnsim_symbols **out, struct gcnsim_error *error)
{
    struct gcnsim_symbols *s = calloc(1, sizeof *s);
    struct err e = {0};

    if (!s) {
        err_set(&e, ERR_NOMEM, "out of host memory for symbols");
        return api_fail(error, &e);
    }
    s->module = module;
    if (parse(s, texts, directory, buffers, &e)) {
        gcnsim_symbols_free(s);
        return api_fail(error, &e);
    }
    *out = s;
    return GCNSIM_OK;
}

int gcnsim_symbols_set(const struct gcnsim_symbols *s, struct gcnsim_error *error)
{
    for (size_t k = 0; k < s->sets; k++) {
        const struct launch_symbol *one = &s->at[k];
        const uint8_t *now = mem_space_at(&s->module->sim->space, address_of(s, k), one->bytes, MEM_READ);

        if (now && memcmp(now, one->value, one->bytes) == 0)
            continue;
        int rc = gcnsim_write(s->module->sim, address_of(s, k), one->value, one->bytes, error);
        if (rc != GCNSIM_OK)
            return rc;
    }
    return GCNSIM_OK;
}

int gcnsim_symbols_file(const struct gcnsim_symbols *s, uint32_t k, struct gcnsim_file *file)
{
    if (k >= s->count)
        return GCNSIM_ERROR_USAGE;
    *file = (struct gcnsim_file){.path = s->at[k].path, .label = s->at[k].name, .written = k >= s->sets};
    return GCNSIM_OK;
}

int gcnsim_symbols_read(const struct gcnsim_symbols *s, uint32_t k, char **text, struct gcnsim_error *error)
{
    struct err e = {0};

    *text = NULL;
    if (k >= s->count - s->sets) {
        err_set(&e, ERR_USAGE, "symbol %u of %zu", k, s->count - s->sets);
        return api_fail(error, &e);
    }
    const struct launch_symbol *one = &s->at[s->sets + k];
    const uint8_t *bytes = mem_space_at(&s->module->sim->space, address_of(s, s->sets + k), one->bytes, MEM_READ);
    if (!bytes)
        err_set(&e, ERR_FORMAT, "symbol '%.100s' lies outside the code object's memory", one->name);
    else if (one->path)
        output_write(one->path, bytes, one->bytes, &e);
    else if (!(*text = launch_symbol_text(one, bytes)))
        err_set(&e, ERR_NOMEM, "out of host memory for a text");
    return e.code ? api_fail(error, &e) : GCNSIM_OK;
}

void gcnsim_symbols_free(struct gcnsim_symbols *s)
{
    if (!s)
        return;
    for (size_t k = 0; k < s->count; k++)
        launch_symbol_free(&s->at[k]);
    free(s->at);
    free(s);
}

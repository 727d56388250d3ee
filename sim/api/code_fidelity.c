/* Public API: how far the code of a kernel can be believed (sim/report/fidelity.h). */
#include <stdlib.h>

#include "sim/api/api.h"
#include "sim/api/code_calls.h"
#include "sim/report/fidelity.h"
#include "sim/util/plain.h"
#include "sim/util/text_stream.h"

/* Functions that are looked at, each once: the kernel's, then those called by the ones before. */
struct functions {
    const struct gcnsim_code *code;
    struct {
        gaddr_t at;
        uint64_t bytes;
    } * list;
    size_t count, room;
};

/* The function at an address; false: there is none, or out of host memory. */
static bool add_function(struct functions *all, gaddr_t at)
{
    uint64_t bytes = code_object_function_bytes(all->code->co, at);

    for (size_t k = 0; k < all->count; k++)
        if (all->list[k].at == at)
            return true;
    if (!bytes)
        return false;
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 16;
        void *more = realloc(all->list, room * sizeof *all->list);

        if (!more)
            return false;
        all->list = more;
        all->room = room;
    }
    all->list[all->count].at = at;
    all->list[all->count++].bytes = bytes;
    return true;
}

static bool take_function(struct functions *all, gaddr_t pc, const uint8_t *at, uint64_t bytes, struct fidelity *f)
{
    struct code_calls calls = {0};

    while (bytes >= 4) {
        struct isa_inst inst;
        unsigned length = isa_decode_any(f->target, at, bytes, &inst, NULL);
        gaddr_t to = 0;

        length = length ? length : 4;
        if (!fidelity_add(f, &inst, 1))
            return false;
        if (code_calls_next(&calls, f->target, &inst, pc, &to) && !(to && add_function(all, to)))
            f->unresolved++;
        at += length;
        pc += length;
        bytes -= length;
    }
    return true;
}

/* The instructions of the kernel's function, and of those that it calls as far as their addresses are known. */
static int take_code(const struct gcnsim_code *code, const struct co_kernel *k, struct fidelity *f, struct err *e)
{
    struct functions all = {.code = code};
    uint64_t available = 0, bytes = k->code_bytes;
    const uint8_t *at = code_object_bytes(code->co, k->entry_vaddr, &available);
    bool fits;

    if (!bytes)
        return err_set(e, ERR_FORMAT, "kernel %s: its entry is in no section of code", k->name);
    if (!at || available < bytes)
        return err_set(e, ERR_FORMAT, "kernel %s: its code, %llu bytes, is not all in the file", k->name,
                       (unsigned long long)bytes);
    fits = take_function(&all, k->entry_vaddr, at, bytes, f);
    for (size_t n = 0; fits && n < all.count; n++) {
        at = all.list[n].at == k->entry_vaddr ? NULL : code_object_bytes(code->co, all.list[n].at, &available);
        if (!at)
            continue;
        bytes = all.list[n].bytes < available ? all.list[n].bytes : available;
        f->called++;
        fits = take_function(&all, all.list[n].at, at, bytes, f);
    }
    free(all.list);
    if (!fits)
        return err_set(e, ERR_NOMEM, "out of host memory for the instructions of kernel %s", k->name);
    fidelity_sort(f);
    return 0;
}

static int render(const struct fidelity *f, const char *name, enum gcnsim_format format, char **text, struct err *e)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return err_set(e, ERR_NOMEM, "out of memory");
    if (format == GCNSIM_JSON)
        fidelity_json(&(struct json_put){.f = t.f, .depth = 2}, f, name); /* in a list of an object */
    else
        fidelity_text(t.f, f, name);
    if (!(*text = text_stream_close(&t)))
        return err_set(e, ERR_NOMEM, "out of memory");
    if (format == GCNSIM_TEXT)
        plain_text(*text, PLAIN_LINES);
    return 0;
}

int gcnsim_code_fidelity(const struct gcnsim_code *code, uint32_t kernel, const char *profile,
                         enum gcnsim_format format, char **text, struct gcnsim_error *error)
{
    const struct co_target_id *id = code_object_target(code->co);
    struct gcnsim *sim = NULL;
    struct fidelity f = {0};
    struct err e = {0};
    int failed = api_check_kernel(code->co, kernel, &e);

    if (!failed && gcnsim_open(&sim, profile, error) != GCNSIM_OK)
        return error ? (int)error->code : GCNSIM_ERROR_USAGE;
    if (!failed)
        failed = api_choose_profile(sim, id, &e);
    if (!failed) {
        const struct co_kernel *k = code_object_kernel(code->co, kernel);

        f.profile = sim->profile;
        f.profile_name = f.profile ? f.profile->name : NULL;
        f.lanes = k->descriptor.enable_wavefront_size32 ? 32 : 64;
        f.target = api_target(sim, api_processor(id, f.profile), &e);
        failed = !f.target || take_code(code, k, &f, &e) || render(&f, k->name, format, text, &e);
    }
    fidelity_free(&f);
    gcnsim_close(sim);
    return failed ? api_fail(error, &e) : GCNSIM_OK;
}

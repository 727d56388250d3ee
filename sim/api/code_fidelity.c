/* Public API: how far the code of a kernel can be believed (sim/report/fidelity.h). */
#include <stdlib.h>

#include "sim/api/api.h"
#include "sim/report/fidelity.h"
#include "sim/util/text_stream.h"

/* The instructions of the kernel's function; those of functions that it calls are not looked at. */
static int take_code(const struct gcnsim_code *code, const struct co_kernel *k, struct fidelity *f, struct err *e)
{
    uint64_t available = 0, bytes = k->code_bytes;
    const uint8_t *at = code_object_bytes(code->co, k->entry_vaddr, &available);

    if (!bytes)
        return err_set(e, ERR_FORMAT, "kernel %s: no function symbol says where its code ends", k->name);
    if (!at || available < bytes)
        return err_set(e, ERR_FORMAT, "kernel %s: its code, %llu bytes, is not all in the file", k->name,
                       (unsigned long long)bytes);
    while (bytes >= 4) {
        struct isa_inst inst;
        unsigned length = isa_decode_any(f->target, at, bytes, &inst, NULL);

        if (!fidelity_add(f, &inst, 1))
            return err_set(e, ERR_NOMEM, "no memory for the instructions of kernel %s", k->name);
        at += length ? length : 4;
        bytes -= length ? length : 4;
    }
    fidelity_sort(f);
    return 0;
}

static int render(const struct fidelity *f, const char *name, enum gcnsim_format format, char **text, struct err *e)
{
    struct text_stream t;

    if (!text_stream_open(&t))
        return err_set(e, ERR_NOMEM, "out of memory");
    (format == GCNSIM_JSON ? fidelity_json : fidelity_text)(t.f, f, name);
    if (!(*text = text_stream_close(&t)))
        return err_set(e, ERR_NOMEM, "out of memory");
    if (format == GCNSIM_TEXT)
        report_make_plain(*text);
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

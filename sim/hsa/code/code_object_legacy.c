/* Code objects as HSA 1.0 has them: objects of their own, in memory of the runtime, which executables load later.
 *
 * Runtimes that use them ask for little before they load, so the bytes are parsed when something is asked of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hsa/code/executable.h"
#include "sim/hsa/code/load.h"

struct legacy {
    struct object object;
    void *bytes;
    size_t size;
    pthread_mutex_t lock; /* of all that follows, which is made once and stays */
    bool opened;
    hsa_status_t status;
    struct gcnsim_code *code;
    struct symbols symbols;
    struct kernel *kernels;
};

static void legacy_free(struct object *o)
{
    struct legacy *c = (struct legacy *)o;

    symbols_free(&c->symbols);
    free(c->kernels);
    gcnsim_code_close(c->code);
    pthread_mutex_destroy(&c->lock);
    free(c->bytes);
    free(c);
}

static struct legacy *legacy_hold(uint64_t handle)
{
    return handle_part(handle) ? NULL : (struct legacy *)handle_hold(handle, OBJECT_CODE);
}

hsa_status_t hsa_code_object_deserialize(void *serialized_code_object, size_t serialized_code_object_size,
                                         const char *options, hsa_code_object_t *code_object)
{
    struct legacy *c;

    (void)options;
    RT_READY_OR_RETURN();
    if (!serialized_code_object || !serialized_code_object_size || !code_object)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    c = calloc(1, sizeof *c);
    if (!c)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    c->object.kind = OBJECT_CODE;
    c->object.free = legacy_free;
    pthread_mutex_init(&c->lock, NULL);
    c->bytes = malloc(serialized_code_object_size);
    if (!c->bytes || !handle_give(&c->object)) {
        legacy_free(&c->object);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    memcpy(c->bytes, serialized_code_object, serialized_code_object_size);
    c->size = serialized_code_object_size;
    code_object->handle = c->object.handle;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object)
{
    struct object *o;

    RT_READY_OR_RETURN();
    o = handle_take(code_object.handle, OBJECT_CODE);
    object_release(o);
    return o ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

hsa_status_t hsa_code_object_serialize(hsa_code_object_t code_object,
                                       hsa_status_t (*alloc_callback)(size_t size, hsa_callback_data_t data,
                                                                      void **address),
                                       hsa_callback_data_t callback_data, const char *options,
                                       void **serialized_code_object, size_t *serialized_code_object_size)
{
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    struct legacy *c;
    void *to = NULL;

    (void)options;
    RT_READY_OR_RETURN();
    c = legacy_hold(code_object.handle);
    if (!c)
        return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    if (alloc_callback && serialized_code_object && serialized_code_object_size) {
        status = alloc_callback(c->size, callback_data, &to);
        if (status == HSA_STATUS_SUCCESS && !to)
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        if (status == HSA_STATUS_SUCCESS) {
            memcpy(to, c->bytes, c->size);
            *serialized_code_object = to;
            *serialized_code_object_size = c->size;
        }
    }
    object_release(&c->object);
    return status;
}

hsa_status_t hsa_executable_load_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                             hsa_code_object_t code_object, const char *options)
{
    struct executable *x;
    struct legacy *c;
    struct agent *a;
    hsa_status_t status;
    uint32_t part;

    (void)options;
    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    a = agent_of(agent);
    c = legacy_hold(code_object.handle);
    if (!a)
        status = HSA_STATUS_ERROR_INVALID_AGENT;
    else if (!c)
        status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    else
        status = executable_load(x, a, &(struct code_source){.bytes = c->bytes, .size = c->size}, &part);
    if (c)
        object_release(&c->object);
    executable_release(x);
    return status;
}

/* What is in them ------------------------------------------------------------------------------------------------- */

static hsa_status_t parse(struct legacy *c)
{
    uint32_t kernel_count;
    hsa_status_t status = code_open(&(struct code_source){.bytes = c->bytes, .size = c->size}, NULL, &c->code);

    if (status == HSA_STATUS_SUCCESS)
        status = symbols_of_code(c->code, NULL, 0, NULL, &c->symbols, &c->kernels, &kernel_count);
    return status == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS ? HSA_STATUS_ERROR_INVALID_CODE_OBJECT : status;
}

/* Holds the code object with its contents parsed; otherwise *status says why not. */
static struct legacy *parsed(uint64_t handle, hsa_status_t *status)
{
    struct legacy *c = legacy_hold(handle);

    *status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    if (!c)
        return NULL;
    pthread_mutex_lock(&c->lock);
    if (!c->opened)
        c->status = parse(c);
    c->opened = true;
    *status = c->status;
    pthread_mutex_unlock(&c->lock);
    if (*status == HSA_STATUS_SUCCESS)
        return c;
    object_release(&c->object);
    return NULL;
}

/* The ISA of an agent that it may be for. */
static hsa_status_t put_isa(const struct gcnsim_code_info *info, void *value)
{
    const char *const names[] = {info->target, info->processor};
    char name[128];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(name, sizeof name, "amdgcn-amd-amdhsa--%s", names[k]);
        if (hsa_isa_from_name(name, value) == HSA_STATUS_SUCCESS)
            return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

static hsa_status_t legacy_info(const struct legacy *c, int attribute, void *value)
{
    struct gcnsim_code_info info;
    char version[64] = "";

    gcnsim_code_get_info(c->code, &info);
    switch (attribute) {
    case HSA_CODE_OBJECT_INFO_VERSION:
        snprintf(version, sizeof version, "%u.0", info.code_object_version);
        memcpy(value, version, sizeof version);
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_TYPE:
        *(hsa_code_object_type_t *)value = HSA_CODE_OBJECT_TYPE_PROGRAM;
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_ISA:
        return put_isa(&info, value);
    case HSA_CODE_OBJECT_INFO_MACHINE_MODEL:
        *(hsa_machine_model_t *)value = HSA_MACHINE_MODEL_LARGE;
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_PROFILE: /* code objects do not say; agents have the base profile */
        *(hsa_profile_t *)value = HSA_PROFILE_BASE;
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE: /* each kernel has its own */
        *(hsa_default_float_rounding_mode_t *)value = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_code_object_get_info(hsa_code_object_t code_object, hsa_code_object_info_t attribute, void *value)
{
    hsa_status_t status;
    struct legacy *c;

    RT_READY_OR_RETURN();
    c = parsed(code_object.handle, &status);
    if (!c)
        return status;
    status = value ? legacy_info(c, (int)attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    object_release(&c->object);
    return status;
}

hsa_status_t hsa_code_object_get_symbol_from_name(hsa_code_object_t code_object, const char *module_name,
                                                  const char *symbol_name, hsa_code_symbol_t *symbol)
{
    const struct symbol *s;
    hsa_status_t status;
    struct legacy *c;

    RT_READY_OR_RETURN();
    c = parsed(code_object.handle, &status);
    if (!c)
        return status;
    if (!symbol_name || !symbol) {
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    } else {
        s = module_name && *module_name ? NULL : symbols_find(&c->symbols, symbol_name, NULL);
        if (s)
            symbol->handle = c->object.handle | ((uint32_t)(s - c->symbols.at) + 1);
        else
            status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    }
    object_release(&c->object);
    return status;
}

hsa_status_t hsa_code_object_get_symbol(hsa_code_object_t code_object, const char *symbol_name,
                                        hsa_code_symbol_t *symbol)
{
    return hsa_code_object_get_symbol_from_name(code_object, NULL, symbol_name, symbol);
}

hsa_status_t hsa_code_object_iterate_symbols(hsa_code_object_t code_object,
                                             hsa_status_t (*callback)(hsa_code_object_t code_object,
                                                                      hsa_code_symbol_t symbol, void *data),
                                             void *data)
{
    hsa_status_t status;
    struct legacy *c;

    RT_READY_OR_RETURN();
    c = parsed(code_object.handle, &status);
    if (!c)
        return status;
    if (!callback)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; status == HSA_STATUS_SUCCESS && k < c->symbols.count; k++)
        status = callback(code_object, (hsa_code_symbol_t){c->object.handle | (k + 1)}, data);
    object_release(&c->object);
    return status;
}

hsa_status_t hsa_code_symbol_get_info(hsa_code_symbol_t code_symbol, hsa_code_symbol_info_t attribute, void *value)
{
    uint32_t part = handle_part(code_symbol.handle);
    hsa_status_t status;
    struct legacy *c;

    RT_READY_OR_RETURN();
    c = part ? parsed(code_symbol.handle - part, &status) : NULL;
    if (!c)
        return HSA_STATUS_ERROR_INVALID_CODE_SYMBOL;
    if (part > c->symbols.count)
        status = HSA_STATUS_ERROR_INVALID_CODE_SYMBOL;
    else if (!value || !symbol_info(&c->symbols.at[part - 1], (int)attribute, value))
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    object_release(&c->object);
    return status;
}

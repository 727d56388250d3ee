/* Executables: their life, what is loaded into them, and the variables that the program defines for them. */
#include "sim/hsa/code/executable.h"

#include <stdlib.h>
#include <string.h>

static void executable_free(struct object *o)
{
    struct executable *x = (struct executable *)o;

    symbols_free(&x->symbols);
    for (uint32_t k = 0; k < x->loaded_count; k++)
        loaded_release(x->loaded[k]);
    free(x->loaded);
    pthread_mutex_destroy(&x->lock);
    free(x);
}

struct executable *executable_of_part(uint64_t handle)
{
    return (struct executable *)handle_hold(handle, OBJECT_EXECUTABLE);
}

struct executable *executable_hold(hsa_executable_t handle)
{
    return handle_part(handle.handle) ? NULL : executable_of_part(handle.handle);
}

void executable_release(struct executable *x)
{
    object_release(&x->object);
}

static hsa_status_t create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, bool frozen,
                           hsa_executable_t *out)
{
    struct executable *x;

    if ((profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL) || !out ||
        (rounding != HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT && rounding != HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO &&
         rounding != HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    x = calloc(1, sizeof *x);
    if (!x)
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    x->object.kind = OBJECT_EXECUTABLE;
    x->object.free = executable_free;
    x->profile = profile;
    x->rounding = rounding;
    x->frozen = frozen;
    pthread_mutex_init(&x->lock, NULL);
    if (!handle_give(&x->object)) {
        executable_free(&x->object);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *out = executable_handle(x);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t executable_state, const char *options,
                                   hsa_executable_t *executable)
{
    (void)options;
    RT_READY_OR_RETURN();
    if (executable_state != HSA_EXECUTABLE_STATE_UNFROZEN && executable_state != HSA_EXECUTABLE_STATE_FROZEN)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return create(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, executable_state == HSA_EXECUTABLE_STATE_FROZEN,
                  executable);
}

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                       hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                       const char *options, hsa_executable_t *executable)
{
    (void)options;
    RT_READY_OR_RETURN();
    return create(profile, default_float_rounding_mode, false, executable);
}

hsa_status_t hsa_executable_destroy(hsa_executable_t executable)
{
    struct executable *x;

    RT_READY_OR_RETURN();
    x = (struct executable *)handle_take(executable.handle, OBJECT_EXECUTABLE);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    pthread_mutex_lock(&x->lock);
    for (uint32_t k = 0; x->frozen && k < x->loaded_count; k++)
        kernels_withdraw(x->loaded[k]);
    x->frozen = true; /* for a call in another thread that still has a reference */
    pthread_mutex_unlock(&x->lock);
    executable_release(x);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_freeze(hsa_executable_t executable, const char *options)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;

    (void)options;
    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    pthread_mutex_lock(&x->lock);
    if (x->frozen)
        status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    for (uint32_t k = 0; status == HSA_STATUS_SUCCESS && k < x->loaded_count; k++)
        if (!kernels_publish(x->loaded[k])) {
            while (k--)
                kernels_withdraw(x->loaded[k]);
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        }
    if (status == HSA_STATUS_SUCCESS)
        x->frozen = true;
    pthread_mutex_unlock(&x->lock);
    executable_release(x);
    return status;
}

hsa_status_t hsa_executable_get_info(hsa_executable_t executable, hsa_executable_info_t attribute, void *value)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;

    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    pthread_mutex_lock(&x->lock);
    if (value && attribute == HSA_EXECUTABLE_INFO_PROFILE)
        *(hsa_profile_t *)value = x->profile;
    else if (value && attribute == HSA_EXECUTABLE_INFO_STATE)
        *(hsa_executable_state_t *)value = x->frozen ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN;
    else if (value && attribute == HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE)
        *(hsa_default_float_rounding_mode_t *)value = x->rounding;
    else
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    pthread_mutex_unlock(&x->lock);
    executable_release(x);
    return status;
}

/* Code has been checked while it was loaded, so an executable that exists is valid. */
hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char *options, uint32_t *result)
{
    struct executable *x;

    (void)options;
    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    executable_release(x);
    if (!result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t *result)
{
    return hsa_executable_validate_alt(executable, NULL, result);
}

/* Variables of the program ---------------------------------------------------------------------------------------- */

static hsa_status_t define(hsa_executable_t executable, struct agent *a, const char *name, void *address, bool readonly)
{
    struct symbol s = {.agent = a, .address = (uint64_t)(uintptr_t)address, .readonly = readonly, .own_name = true};
    struct executable *x = executable_hold(executable);
    hsa_status_t status = HSA_STATUS_SUCCESS;

    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    pthread_mutex_lock(&x->lock);
    if (!name)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if (x->frozen)
        status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
    else if (!*name)
        status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    else if (symbols_find(&x->symbols, name, a))
        status = HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
    else if (!symbols_reserve(&x->symbols, 1) || !(s.name = strdup(name)))
        status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    else
        symbols_add(&x->symbols, &s);
    pthread_mutex_unlock(&x->lock);
    executable_release(x);
    return status;
}

hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char *variable_name,
                                                   void *address)
{
    RT_READY_OR_RETURN();
    return define(executable, NULL, variable_name, address, false);
}

static hsa_status_t define_of_agent(hsa_executable_t executable, hsa_agent_t agent, const char *name, void *address,
                                    bool readonly)
{
    struct agent *a = agent_of(agent);
    struct executable *x = executable_hold(executable);

    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    executable_release(x);
    return a ? define(executable, a, name, address, readonly) : HSA_STATUS_ERROR_INVALID_AGENT;
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                         const char *variable_name, void *address)
{
    RT_READY_OR_RETURN();
    return define_of_agent(executable, agent, variable_name, address, false);
}

hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                     const char *variable_name, void *address)
{
    RT_READY_OR_RETURN();
    return define_of_agent(executable, agent, variable_name, address, true);
}

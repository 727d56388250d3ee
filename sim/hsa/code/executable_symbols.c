/* What programs ask of an executable's symbols: handles by name, one after the other, attributes. */
#include <stdlib.h>

#include "sim/hsa/code/executable.h"

/* Symbols are only added, so the handle of one is the executable's with its index plus one. */
static hsa_executable_symbol_t symbol_handle(const struct executable *x, uint32_t index)
{
    return (hsa_executable_symbol_t){x->object.handle | (index + 1)};
}

/* Copies the symbol at an index; false: there are no more. */
static bool symbol_at(struct executable *x, uint32_t index, struct symbol *out, bool *frozen)
{
    bool found;

    pthread_mutex_lock(&x->lock);
    found = index < x->symbols.count;
    if (found)
        *out = x->symbols.at[index];
    *frozen = x->frozen;
    pthread_mutex_unlock(&x->lock);
    return found;
}

/* Finds it of the agent, and where `also_program` is set one of the program before. */
static bool find(struct executable *x, const char *name, const struct agent *a, bool also_program,
                 hsa_executable_symbol_t *out)
{
    const struct symbol *s = NULL;

    pthread_mutex_lock(&x->lock);
    if (also_program || !a)
        s = symbols_find(&x->symbols, name, NULL);
    if (!s && a)
        s = symbols_find(&x->symbols, name, a);
    if (s)
        *out = symbol_handle(x, (uint32_t)(s - x->symbols.at));
    pthread_mutex_unlock(&x->lock);
    return s != NULL;
}

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char *symbol_name,
                                               const hsa_agent_t *agent, hsa_executable_symbol_t *symbol)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    const struct agent *a;
    struct executable *x;

    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    a = agent ? agent_of(*agent) : NULL;
    if (!symbol_name || !symbol)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if ((agent && !a) || !find(x, symbol_name, a, false, symbol))
        status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    executable_release(x);
    return status;
}

/* No compiler makes symbols that belong to a module, so with a module's name there are none. */
hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char *module_name, const char *symbol_name,
                                       hsa_agent_t agent, int32_t call_convention, hsa_executable_symbol_t *symbol)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;

    (void)call_convention;
    RT_READY_OR_RETURN();
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!symbol_name || !symbol)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    else if ((module_name && *module_name) || !find(x, symbol_name, agent_of(agent), true, symbol))
        status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
    executable_release(x);
    return status;
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t executable_symbol,
                                            hsa_executable_symbol_info_t attribute, void *value)
{
    uint32_t part = handle_part(executable_symbol.handle);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x;
    struct symbol s;
    bool frozen;

    RT_READY_OR_RETURN();
    x = part ? executable_of_part(executable_symbol.handle) : NULL;
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    if (!symbol_at(x, part - 1, &s, &frozen))
        status = HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    else if (value && attribute == HSA_EXECUTABLE_SYMBOL_INFO_AGENT)
        *(hsa_agent_t *)value = s.agent ? agent_handle(s.agent) : (hsa_agent_t){0};
    else if (value && attribute == HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS)
        *(uint64_t *)value = frozen && !s.kernel ? s.address : 0;
    else if (value && attribute == HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT)
        *(uint64_t *)value = frozen && s.kernel ? s.address : 0;
    else if (value && attribute == HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT)
        *(uint64_t *)value = 0;
    else if (!value || !symbol_info(&s, (int)attribute, value))
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    executable_release(x);
    return status;
}

/* Iteration ------------------------------------------------------------------------------------------------------- */

/* The callback that a program gave, with or without an agent. */
struct visit {
    hsa_status_t (*plain)(hsa_executable_t exec, hsa_executable_symbol_t symbol, void *data);
    hsa_status_t (*of_agent)(hsa_executable_t exec, hsa_agent_t agent, hsa_executable_symbol_t symbol, void *data);
    void *data;
    hsa_agent_t agent;
    bool all;               /* symbols, whatever they belong to */
    const struct agent *of; /* otherwise: the agent; null: the program */
};

/* Calls it for each symbol that is there, without the lock, until it says otherwise. */
static hsa_status_t visit(hsa_executable_t executable, const struct visit *v)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    struct executable *x = executable_hold(executable);
    struct symbol s;
    bool frozen;

    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!v->plain && !v->of_agent)
        status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t k = 0; status == HSA_STATUS_SUCCESS && symbol_at(x, k, &s, &frozen); k++)
        if (v->all || s.agent == v->of)
            status = v->plain ? v->plain(executable, symbol_handle(x, k), v->data)
                              : v->of_agent(executable, v->agent, symbol_handle(x, k), v->data);
    executable_release(x);
    return status;
}

hsa_status_t hsa_executable_iterate_symbols(hsa_executable_t executable,
                                            hsa_status_t (*callback)(hsa_executable_t exec,
                                                                     hsa_executable_symbol_t symbol, void *data),
                                            void *data)
{
    RT_READY_OR_RETURN();
    return visit(executable, &(struct visit){.plain = callback, .data = data, .all = true});
}

hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t executable,
    hsa_status_t (*callback)(hsa_executable_t exec, hsa_executable_symbol_t symbol, void *data), void *data)
{
    RT_READY_OR_RETURN();
    return visit(executable, &(struct visit){.plain = callback, .data = data});
}

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
                                                  hsa_status_t (*callback)(hsa_executable_t exec, hsa_agent_t agent,
                                                                           hsa_executable_symbol_t symbol, void *data),
                                                  void *data)
{
    struct visit v = {.of_agent = callback, .data = data, .agent = agent, .of = agent_of(agent)};
    struct executable *x;

    RT_READY_OR_RETURN();
    if (v.of)
        return visit(executable, &v);
    x = executable_hold(executable);
    if (!x)
        return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    executable_release(x);
    return HSA_STATUS_ERROR_INVALID_AGENT;
}

/* Signals that other processes map. */
#include "sim/hsa/memory/memory.h"
#include "sim/hsa/signals/signal.h"

hsa_status_t hsa_amd_ipc_signal_create(hsa_signal_t signal, hsa_amd_ipc_signal_t *handle)
{
    struct range r;

    RT_OR_RETURN(rt);
    (void)rt;
    if (!handle || !range_find(signal.handle, &r) || r.kind != RANGE_POOL || !r.signal)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return hsa_amd_ipc_memory_create(signal_shown(r.signal), sizeof *r.signal->shown, handle);
}

hsa_status_t hsa_amd_ipc_signal_attach(const hsa_amd_ipc_signal_t *handle, hsa_signal_t *signal)
{
    hsa_status_t status;
    struct signal *s;
    void *at;

    if (!signal)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    status = hsa_amd_ipc_memory_attach(handle, sizeof(struct signal_shown), 0, NULL, &at);
    if (status != HSA_STATUS_SUCCESS)
        return status;
    s = signal_share((uint64_t)(uintptr_t)at);
    if (!s) {
        hsa_amd_ipc_memory_detach(at);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *signal = signal_handle(s);
    return HSA_STATUS_SUCCESS;
}

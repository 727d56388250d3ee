/* The life of the runtime, and what it says of itself as a system. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/hsa/agents/agent.h"
#include "sim/hsa/agents/sysfs.h"
#include "sim/hsa/code/fatbin.h"
#include "sim/hsa/core/clock.h"
#include "sim/hsa/core/runtime.h"
#include "sim/hsa/queues/processors.h"
#include "sim/hsa/sampling/select.h"
#include "sim/hsa/sinks/report.h"
#include "sim/hsa/stop.h"

static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;
static struct runtime *const runtime = &runtime_life.runtime;
static bool called; /* hsa_init was */

static void forked(void)
{
    runtime_life.child = true;
}

/* Options and agents. Under `life`. */
static hsa_status_t make_agents(void)
{
    static bool told, done;
    char why[512] = "";

    if (done)
        return HSA_STATUS_SUCCESS;
    option_free(exec_options_table, &runtime->options); /* HIP tries again where this has failed */
    if (!exec_options_read(&runtime->options, why, sizeof why)) {
        rt_log("%s", why);
        return HSA_STATUS_ERROR;
    }
    rt_log_open(runtime->options.log);
    if (!select_read(runtime->options.kernels, runtime->options.dispatches, why, sizeof why)) {
        rt_log("%s", why);
        return HSA_STATUS_ERROR;
    }
    clock_begin();
    if (!agents_make(runtime, why, sizeof why)) {
        rt_log_once("agents", "%s", why); /* HIP tries again at each call */
        if (!told)
            fatbin_explain_own(runtime);
        told = true;
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    done = true;
    return HSA_STATUS_SUCCESS;
}

struct runtime *rt_agents(void)
{
    pthread_mutex_lock(&life);
    hsa_status_t status = make_agents();
    pthread_mutex_unlock(&life);
    return status == HSA_STATUS_SUCCESS ? runtime : NULL;
}

/* False: out of host memory. Under `life`. */
static bool serve_queues(void)
{
    const struct command_processor *p = exec_is_timing(&runtime->options) ? &timing_processor : &functional_processor;
    bool opened = true;

    for (uint32_t k = 1; opened && k < runtime->agents; k++)
        opened = p->open(runtime->agent[k].device);
    queues_serve(p);
    return opened;
}

static hsa_status_t make(void)
{
    char why[512] = "";
    hsa_status_t status = make_agents();

    if (status != HSA_STATUS_SUCCESS)
        return status;
    clock_begin();
    if (!serve_queues()) {
        rt_log("out of host memory for a device");
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (!report_begin(runtime, why, sizeof why) || !stop_begin(runtime->options.max_wall_seconds, why, sizeof why)) {
        rt_log("%s", why);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    fatbin_explain_own(runtime);
    pthread_atfork(NULL, NULL, forked);
    runtime_life.made = true;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_init(void)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;

    if (runtime_life.child) {
        rt_log_once("fork", "hsa_init in the child of a fork: the simulated device belongs to the parent; start the "
                            "program anew (exec) instead");
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    pthread_mutex_lock(&life);
    called = true;
    if (runtime_life.references == INT32_MAX)
        status = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
    else if (!runtime_life.made)
        status = make();
    if (status == HSA_STATUS_SUCCESS)
        __atomic_add_fetch(&runtime_life.references, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&life);
    return status;
}

hsa_status_t hsa_shut_down(void)
{
    hsa_status_t status = HSA_STATUS_ERROR_NOT_INITIALIZED;

    pthread_mutex_lock(&life);
    if (runtime_life.references && !runtime_life.child) {
        if (__atomic_sub_fetch(&runtime_life.references, 1, __ATOMIC_RELEASE) == 0)
            report_end(NULL);
        status = HSA_STATUS_SUCCESS;
    }
    pthread_mutex_unlock(&life);
    return status;
}

/* The end of a process that gcnsim exec has become (GCNSIM_EXEC is its number) and that had no use for the runtime;
 * what it has started may have had one. */
static void __attribute__((destructor)) tell_uncalled(void)
{
    const char *number = getenv("GCNSIM_EXEC");
    struct exec_options o = {0};
    struct rusage children;
    char why[512];

    if (called || !number || strtol(number, NULL, 10) != getpid() || !exec_options_read(&o, why, sizeof why) ||
        !o.summary || getrusage(RUSAGE_CHILDREN, &children) || children.ru_maxrss)
        return;
    rt_log_open(o.log);
    rt_log("no HSA call was made: %s did not initialise the HSA runtime, and there is nothing to report",
           program_invocation_short_name);
}

/* Status codes ----------------------------------------------------------------------------------------------------- */

static const struct {
    int status;
    const char *text;
} texts[] = {
    {HSA_STATUS_SUCCESS, "HSA_STATUS_SUCCESS: The function has been executed successfully."},
    {HSA_STATUS_INFO_BREAK, "HSA_STATUS_INFO_BREAK: A traversal over a list of elements has been interrupted by the "
                            "application before completing."},
    {HSA_STATUS_ERROR, "HSA_STATUS_ERROR: A generic error has occurred."},
    {HSA_STATUS_ERROR_INVALID_ARGUMENT, "HSA_STATUS_ERROR_INVALID_ARGUMENT: One of the actual arguments does not meet "
                                        "a precondition stated in the documentation of the corresponding formal "
                                        "argument."},
    {HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: The requested queue creation "
                                              "is not valid."},
    {HSA_STATUS_ERROR_INVALID_ALLOCATION, "HSA_STATUS_ERROR_INVALID_ALLOCATION: The requested allocation is not "
                                          "valid."},
    {HSA_STATUS_ERROR_INVALID_AGENT, "HSA_STATUS_ERROR_INVALID_AGENT: The agent is invalid."},
    {HSA_STATUS_ERROR_INVALID_REGION, "HSA_STATUS_ERROR_INVALID_REGION: The memory region is invalid."},
    {HSA_STATUS_ERROR_INVALID_SIGNAL, "HSA_STATUS_ERROR_INVALID_SIGNAL: The signal is invalid."},
    {HSA_STATUS_ERROR_INVALID_QUEUE, "HSA_STATUS_ERROR_INVALID_QUEUE: The queue is invalid."},
    {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the "
                                        "necessary resources."},
    {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: The AQL packet is malformed."},
    {HSA_STATUS_ERROR_RESOURCE_FREE, "HSA_STATUS_ERROR_RESOURCE_FREE: An error has been detected while releasing a "
                                     "resource."},
    {HSA_STATUS_ERROR_NOT_INITIALIZED, "HSA_STATUS_ERROR_NOT_INITIALIZED: An API other than hsa_init has been invoked "
                                       "while the reference count of the HSA runtime is zero."},
    {HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW: The maximum reference count for the "
                                         "object has been reached."},
    {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: The arguments passed to a "
                                              "function are not compatible."},
    {HSA_STATUS_ERROR_INVALID_INDEX, "HSA_STATUS_ERROR_INVALID_INDEX: The index is invalid."},
    {HSA_STATUS_ERROR_INVALID_ISA, "HSA_STATUS_ERROR_INVALID_ISA: The instruction set architecture is invalid."},
    {HSA_STATUS_ERROR_INVALID_ISA_NAME, "HSA_STATUS_ERROR_INVALID_ISA_NAME: The instruction set architecture name is "
                                        "invalid."},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is invalid."},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE, "HSA_STATUS_ERROR_INVALID_EXECUTABLE: The executable is invalid."},
    {HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "HSA_STATUS_ERROR_FROZEN_EXECUTABLE: The executable is frozen."},
    {HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: There is no symbol with the given "
                                           "name."},
    {HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: The variable is already "
                                                "defined."},
    {HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "HSA_STATUS_ERROR_VARIABLE_UNDEFINED: The variable is undefined."},
    {HSA_STATUS_ERROR_EXCEPTION, "HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception."},
    {HSA_STATUS_ERROR_INVALID_CODE_SYMBOL, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL: The code object symbol is invalid."},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: The executable symbol "
                                                 "is invalid."},
    {HSA_STATUS_ERROR_INVALID_FILE, "HSA_STATUS_ERROR_INVALID_FILE: The file descriptor is invalid."},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: The code object "
                                                  "reader is invalid."},
    {HSA_STATUS_ERROR_INVALID_CACHE, "HSA_STATUS_ERROR_INVALID_CACHE: The cache is invalid."},
    {HSA_STATUS_ERROR_INVALID_WAVEFRONT, "HSA_STATUS_ERROR_INVALID_WAVEFRONT: The wavefront is invalid."},
    {HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP: The signal group is invalid."},
    {HSA_STATUS_ERROR_INVALID_RUNTIME_STATE, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE: The HSA runtime is not in the "
                                             "configuration state."},
    {HSA_STATUS_ERROR_FATAL, "HSA_STATUS_ERROR_FATAL: The queue received an error that may require process "
                             "termination."},
    {HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: The agent attempted to "
                                                 "access memory beyond the largest legal address."},
    {HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: The agent attempted to execute an "
                                           "illegal shader instruction."},
    {HSA_STATUS_ERROR_MEMORY_FAULT, "HSA_STATUS_ERROR_MEMORY_FAULT: Agent attempted to access an inaccessible "
                                    "address."},
    {HSA_STATUS_CU_MASK_REDUCED, "HSA_STATUS_CU_MASK_REDUCED: The CU mask was successfully set but the mask attempted "
                                 "to enable a CU which was disabled for the process."},
    {ABI_STATUS_OUT_OF_REGISTERS, "HSA_STATUS_ERROR_OUT_OF_REGISTERS: The kernel needs more registers than the agent "
                                  "has."},
    {ABI_STATUS_RESOURCE_BUSY, "HSA_STATUS_ERROR_RESOURCE_BUSY: The resource is busy."},
    {ABI_STATUS_NOT_SUPPORTED, "HSA_STATUS_ERROR_NOT_SUPPORTED: The request is not supported by this system."},
};

hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string)
{
    RT_READY_OR_RETURN();
    if (!status_string)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].status == (int)status) {
            *status_string = texts[k].text;
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

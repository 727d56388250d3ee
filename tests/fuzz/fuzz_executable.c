/* libFuzzer target for the HSA runtime's loader: whatever the bytes, loading them gives a code object or an error with
 * a sentence, and all of what is loaded can be asked for, found by its address, and destroyed.
 *
 * The runtime has a device of each family; bytes are loaded on the one that they are for, and on another one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/code/loader_ext.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_IMAGE (16u << 20) /* larger images are legal, but make a slow fuzzer */

static hsa_agent_t agents[EXEC_MAX_AGENTS + 1];
static char names[EXEC_MAX_AGENTS + 1][64];
static unsigned agent_count;
static int log_fd;
static hsa_ven_amd_loader_1_03_pfn_t ext;

static hsa_status_t take_agent(hsa_agent_t agent, void *data)
{
    (void)data;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, names[agent_count]);
    agents[agent_count++] = agent;
    return HSA_STATUS_SUCCESS;
}

static void start(void)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/gcnsim-fuzz-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    log_fd = mkstemp(path);
    setenv("GCNSIM_LOG", path, 1);
    setenv("GCNSIM_ARCH", "gfx803,gfx906,gfx90a,gfx942,gfx1030,gfx1100,gfx1201", 1);
    setenv("GCNSIM_SUMMARY", "0", 1);
    if (hsa_init() != HSA_STATUS_SUCCESS || hsa_iterate_agents(take_agent, NULL) != HSA_STATUS_SUCCESS)
        abort();
    unlink(path);
    loader_extension_table(&ext, sizeof ext);
}

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* Every attribute of a symbol, into memory of its size alone. */
static hsa_status_t walk(hsa_executable_t x, hsa_executable_symbol_t s, void *data)
{
    uint32_t kind, length;
    uint64_t object = 0;
    char *name;
    hsa_executable_symbol_t same = {0};
    hsa_agent_t agent;

    (void)data;
    must(!hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
    must(!hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_AGENT, &agent));
    must(!hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length));
    name = calloc(1, (size_t)length + 1);
    must(!hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
    must(length == 0 ||
         (!hsa_executable_get_symbol_by_name(x, name, agent.handle ? &agent : NULL, &same) && same.handle == s.handle));
    free(name);
    for (int a = HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE; a <= ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE; a++)
        hsa_executable_symbol_get_info(s, a, &object);
    object = 0;
    must(!hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
    must((object != 0) == (kind == HSA_SYMBOL_KIND_KERNEL));
    if (object) {
        const struct kernel *k = kernel_find(object);
        const void *at;
        hsa_executable_t found;
        must(k && k->descriptor == object && k->in->agent);
        must(!ext.hsa_ven_amd_loader_query_host_address((const void *)(uintptr_t)object, &at));
        must(!ext.hsa_ven_amd_loader_query_executable(at, &found) && found.handle == x.handle);
        kernel_release(k);
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t walk_code(hsa_code_object_t c, hsa_code_symbol_t s, void *data)
{
    uint64_t value;

    (void)c;
    (void)data;
    for (int a = HSA_CODE_SYMBOL_INFO_LINKAGE; a <= ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE; a++)
        hsa_code_symbol_get_info(s, a, &value);
    return HSA_STATUS_SUCCESS;
}

static void load(const uint8_t *data, size_t size, hsa_agent_t agent)
{
    hsa_code_object_reader_t reader;
    hsa_loaded_code_object_t loaded;
    hsa_executable_t x;
    uint64_t outside;
    hsa_status_t status;

    must(!hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &x));
    must(!hsa_executable_agent_global_variable_define(x, agent, "outside", &outside));
    must(!hsa_executable_global_variable_define(x, "var", &outside));
    must(!hsa_code_object_reader_create_from_memory(data, size, &reader));
    must(!ftruncate(log_fd, 0));
    status = hsa_executable_load_agent_code_object(x, agent, reader, NULL, &loaded);
    must(status == HSA_STATUS_SUCCESS || lseek(log_fd, 0, SEEK_END) > (off_t)sizeof "gcnsim: ");
    must(!hsa_code_object_reader_destroy(reader));
    must(!hsa_executable_freeze(x, NULL));
    must(!hsa_executable_iterate_symbols(x, walk, NULL));
    must(!hsa_executable_destroy(x));
}

static void load_legacy(const uint8_t *data, size_t size)
{
    hsa_code_object_t c;
    char version[64];

    must(!hsa_code_object_deserialize((void *)(uintptr_t)data, size, NULL, &c));
    if (!hsa_code_object_get_info(c, HSA_CODE_OBJECT_INFO_VERSION, version))
        must(!hsa_code_object_iterate_symbols(c, walk_code, NULL));
    must(!hsa_code_object_destroy(c));
}

/* The agent that the bytes are for; the first GPU when that cannot be said. False: their image is too large. */
static bool choose(const uint8_t *data, size_t size, unsigned *out)
{
    struct gcnsim_code_image image;
    struct gcnsim_code_info info;
    struct gcnsim_code *code;

    *out = 1;
    if (gcnsim_code_open_memory(&code, data, size, "fuzz", NULL, NULL))
        return true;
    gcnsim_code_get_info(code, &info);
    gcnsim_code_get_image(code, &image);
    for (unsigned k = 1; k < agent_count; k++)
        if (strcmp(names[k], info.processor) == 0)
            *out = k;
    gcnsim_code_close(code);
    return image.size <= MAX_IMAGE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned agent;

    if (!agent_count)
        start();
    if (!size || !choose(data, size, &agent))
        return 0;
    load(data, size, agents[agent]);
    load(data, size, agents[data[size - 1] % agent_count]);
    load_legacy(data, size);
    return 0;
}

/* A runtime with agents of two targets, and code objects to load, for tests of executables. */
#ifndef TESTS_UNIT_HSA_CODE_FIXTURE_H
#define TESTS_UNIT_HSA_CODE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/hsa/core/abi.h"
#include "tests/support/folder.h"
#include "tests/unit/loader/toy_elf.h"

#define VECADD    "traces/samples/gfx90a/vecadd.co"
#define GFX90A    0x53f /* of any setting */
#define GFX1201   0x4e
#define LOG_BYTES 8192

static hsa_agent_t cpu, gfx90a, gfx1201;
static char log_path[4096];

static hsa_status_t collect(hsa_agent_t agent, void *data)
{
    unsigned *n = data;

    *(*n == 0 ? &cpu : *n == 1 ? &gfx90a : &gfx1201) = agent;
    ++*n;
    return HSA_STATUS_SUCCESS;
}

static inline int start_runtime(void **state)
{
    unsigned n = 0;

    (void)state;
    snprintf(log_path, sizeof log_path, "%s/log", program_folder());
    setenv("GCNSIM_ARCH", "gfx90a,gfx1201", 1);
    setenv("GCNSIM_LOG", log_path, 1);
    setenv("GCNSIM_SUMMARY", "0", 1);
    return hsa_init() != HSA_STATUS_SUCCESS || hsa_iterate_agents(collect, &n) != HSA_STATUS_SUCCESS || n != 3;
}

static inline int stop_runtime(void **state)
{
    (void)state;
    unlink(log_path);
    return hsa_shut_down() != HSA_STATUS_SUCCESS;
}

/* Whether the log has the text, and forgets what it says. */
static inline bool logged(const char *text)
{
    char all[LOG_BYTES + 1];
    FILE *f = fopen(log_path, "r");
    size_t n = f ? fread(all, 1, LOG_BYTES, f) : 0;

    if (f)
        fclose(f);
    all[n] = 0;
    assert_int_equal(truncate(log_path, 0), 0);
    return strstr(all, text) != NULL;
}

static inline void *read_whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    void *bytes;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static inline hsa_executable_t new_executable(void)
{
    hsa_executable_t x = {0};

    assert_int_equal(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &x), 0);
    return x;
}

/* Loads bytes that are gone after the call. */
static inline hsa_status_t load_bytes(hsa_executable_t x, hsa_agent_t agent, const void *bytes, size_t size,
                                      hsa_loaded_code_object_t *loaded)
{
    hsa_code_object_reader_t reader = {0};
    void *copy = malloc(size);
    hsa_status_t status;

    memcpy(copy, bytes, size);
    assert_int_equal(hsa_code_object_reader_create_from_memory(copy, size, &reader), 0);
    status = hsa_executable_load_agent_code_object(x, agent, reader, NULL, loaded);
    assert_int_equal(hsa_code_object_reader_destroy(reader), 0);
    memset(copy, 0xee, size);
    free(copy);
    return status;
}

static inline hsa_status_t load_file(hsa_executable_t x, hsa_agent_t agent, const char *path)
{
    size_t size;
    void *bytes = read_whole(path, &size);
    hsa_status_t status = load_bytes(x, agent, bytes, size, NULL);

    free(bytes);
    return status;
}

static inline hsa_status_t load_toy(hsa_executable_t x, const struct toy *t)
{
    return load_bytes(x, gfx90a, t->bytes, sizeof t->bytes, NULL);
}

/* A code object with variable "var", and a pointer to "outside", which it does not define. */
static inline void make_toy(struct toy *t, bool weak)
{
    unsigned outside;

    toy_init(t, GFX90A, 3);
    toy_symbol(t, "var", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x40, 12);
    toy_symbol(t, "hidden", TOY_LOCAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x50, 4);
    outside = toy_symbol(t, "outside", (weak ? TOY_WEAK : TOY_GLOBAL) | TOY_NOTYPE, 0, 0, 0);
    toy_rela(t, TOY_DATA_VADDR, 3, outside, 8); /* ABS64 */
}

static inline uint64_t symbol_u64(hsa_executable_symbol_t s, int attribute)
{
    uint64_t v = UINT64_MAX;

    assert_int_equal(hsa_executable_symbol_get_info(s, attribute, &v), 0);
    return v;
}

static inline uint32_t symbol_u32(hsa_executable_symbol_t s, int attribute)
{
    uint32_t v = UINT32_MAX;

    assert_int_equal(hsa_executable_symbol_get_info(s, attribute, &v), 0);
    return v;
}

static inline bool symbol_bool(hsa_executable_symbol_t s, int attribute)
{
    uint8_t v = 0xee;

    assert_int_equal(hsa_executable_symbol_get_info(s, attribute, &v), 0);
    assert_true(v <= 1);
    return v;
}

static inline hsa_executable_symbol_t symbol_of(hsa_executable_t x, const char *name, const hsa_agent_t *agent)
{
    hsa_executable_symbol_t s = {0};

    assert_int_equal(hsa_executable_get_symbol_by_name(x, name, agent, &s), 0);
    return s;
}

#endif

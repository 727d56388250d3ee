/* Symbols and their attributes, the loader's extension, and code objects as HSA 1.0 has them. */
#include "tests/unit/hsa/code_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "sim/hsa/code/kernels.h"
#include "sim/hsa/code/loader_ext.h"
#include "tests/support/proc.h"

/* Symbols --------------------------------------------------------------------------------------------------------- */

static void test_kernel_attributes(void **state)
{
    hsa_executable_t x = new_executable();
    hsa_executable_symbol_t s, same;
    hsa_agent_t agent;
    char name[16];

    (void)state;
    assert_int_equal(load_file(x, gfx90a, VECADD), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    s = symbol_of(x, "vecadd.kd", &gfx90a);
    same = symbol_of(x, "vecadd", &gfx90a);
    assert_int_equal(s.handle, same.handle);
    assert_int_equal(hsa_executable_get_symbol(x, NULL, "vecadd", gfx90a, 0, &same), 0);
    assert_int_equal(s.handle, same.handle);
    assert_int_equal(hsa_executable_get_symbol(x, "", "vecadd.kd", gfx90a, 0, &same), 0);
    assert_int_equal(hsa_executable_get_symbol(x, "module", "vecadd", gfx90a, 0, &same),
                     HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE), HSA_SYMBOL_KIND_KERNEL);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH), 9);
    memset(name, '#', sizeof name);
    assert_int_equal(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name), 0);
    assert_memory_equal(name, "vecadd.kd#", 10);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH), 0);
    assert_int_equal(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME, name), 0);
    assert_int_equal(name[0], 'v');
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE), HSA_SYMBOL_LINKAGE_PROGRAM);
    assert_true(symbol_bool(s, HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION));
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT), 16);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE), 0);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE), 0);
    assert_false(symbol_bool(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK));
    assert_int_equal(symbol_u32(s, ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE), 64);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION), 0);
    assert_int_equal(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_AGENT, &agent), 0);
    assert_int_equal(agent.handle, gfx90a.handle);
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS), 0);
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT), 0);
    assert_false(symbol_bool(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    /* the field of the descriptor that says the same */
    uint64_t object = symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE),
                     *(const uint32_t *)(uintptr_t)(object + 8));
    assert_int_equal(hsa_executable_symbol_get_info(s, 99, name), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_symbol_get_info(s, 0, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    s.handle += 1000;
    assert_int_equal(hsa_executable_symbol_get_info(s, 0, name), HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_int_equal(hsa_executable_symbol_get_info(same, 0, name), HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
}

/* A kernel of code object v2 is its symbol, and its header the kernel object, which a packet names. */
static void test_kernels_of_v2(void **state)
{
    /* s_load_dwordx2 s[0:1], s[0:1], 0x0; v_and_b32 v0, 0x3ff, v0; v_lshlrev_b32 v1, 2, v0; s_waitcnt lgkmcnt(0);
     * global_store_dword v1, v0, s[0:1]; s_endpgm: llvm-mc 19, gfx90a */
    static const uint32_t code[] = {0xc0060000, 0x00000000, 0x260000ff, 0x000003ff, 0x24020082,
                                    0xbf8cc07f, 0xdc708000, 0x00000001, 0xbf810000};
    hsa_executable_t x = new_executable();
    hsa_kernel_dispatch_packet_t *p;
    hsa_executable_symbol_t s;
    hsa_queue_t *queue;
    hsa_signal_t done;
    struct toy t;

    (void)state;
    toy_init_v2(&t, 0x3f);
    memcpy(t.bytes + TOY_TEXT + 256, code, sizeof code);
    assert_int_equal(load_toy(x, &t), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    s = symbol_of(x, "k", &gfx90a);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE), HSA_SYMBOL_KIND_KERNEL);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH), 1);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE), 8);
    uint64_t object = symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    assert_memory_equal((const void *)(uintptr_t)object, t.bytes + TOY_TEXT, 256);

    uint32_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    memset(memory, 0xff, 4096);
    memcpy(memory, &(uint64_t){(uintptr_t)(memory + 64)}, 8);
    assert_int_equal(hsa_memory_register(memory, 4096), 0);
    assert_int_equal(hsa_signal_create(1, 0, NULL, &done), 0);
    assert_int_equal(hsa_queue_create(gfx90a, 64, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, 0, 0, &queue), 0);
    p = queue->base_address;
    p->workgroup_size_x = p->grid_size_x = 64;
    p->workgroup_size_y = p->workgroup_size_z = p->grid_size_y = p->grid_size_z = 1;
    p->kernel_object = object;
    p->kernarg_address = memory;
    p->completion_signal = done;
    hsa_queue_add_write_index_relaxed(queue, 1);
    __atomic_store_n((uint32_t *)p,
                     HSA_PACKET_TYPE_KERNEL_DISPATCH | HSA_FENCE_SCOPE_SYSTEM << 9 | HSA_FENCE_SCOPE_SYSTEM << 11 |
                         1u << 16,
                     __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, 0);
    hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(memory[64 + i], i);
    assert_int_equal(memory[128], UINT32_MAX);
    assert_int_equal(hsa_queue_destroy(queue), 0);
    assert_int_equal(hsa_signal_destroy(done), 0);
    assert_int_equal(hsa_memory_deregister(memory, 4096), 0);
    munmap(memory, 4096);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

static void test_variable_attributes(void **state)
{
    hsa_executable_t x = new_executable();
    hsa_executable_symbol_t s;
    struct toy t;

    (void)state;
    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "var", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x48, 12);
    toy_symbol(&t, "fixed", TOY_GLOBAL | TOY_OBJECT, TOY_S_RODATA, TOY_DESCRIPTOR + 16, 4);
    toy_symbol(&t, "hidden", TOY_LOCAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x50, 4);
    toy_symbol(&t, "abs", TOY_GLOBAL | TOY_NOTYPE, 0xfff1, 0x1234567890, 0);
    assert_int_equal(load_toy(x, &t), 0);
    s = symbol_of(x, "var", &gfx90a);
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE), HSA_SYMBOL_KIND_VARIABLE);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE), 12);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT), 8);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION), HSA_VARIABLE_ALLOCATION_AGENT);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT), HSA_VARIABLE_SEGMENT_GLOBAL);
    assert_false(symbol_bool(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    assert_int_equal(symbol_u64(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT), 0);
    assert_int_equal(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE), 0);
    assert_int_equal(symbol_u32(s, ABI_SYMBOL_KERNEL_WAVEFRONT_SIZE), 0);
    assert_true(symbol_bool(symbol_of(x, "fixed", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    /* what other objects may not name, and what is no kernel or variable */
    static const char *const none[] = {"hidden", "abs", "k.kd.kd", "var.kd", "", ".kd", "va", "varr"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(hsa_executable_get_symbol_by_name(x, none[i], &gfx90a, &s),
                         HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, "var", &gfx1201, &s), HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, "var", NULL, &s), HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, NULL, &gfx90a, &s), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_get_symbol_by_name(x, "var", &gfx90a, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_destroy(x), 0);
}

struct seen {
    unsigned count, stop_at;
    hsa_executable_t x;
};

static hsa_status_t see(hsa_executable_t x, hsa_executable_symbol_t s, void *data)
{
    struct seen *seen = data;

    assert_int_equal(x.handle, seen->x.handle);
    assert_true(symbol_u32(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH) > 0);
    return ++seen->count == seen->stop_at ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

static hsa_status_t see_of_agent(hsa_executable_t x, hsa_agent_t agent, hsa_executable_symbol_t s, void *data)
{
    assert_int_equal(agent.handle, gfx90a.handle);
    return see(x, s, data);
}

static void test_iteration(void **state)
{
    struct seen seen = {.x = new_executable()};
    hsa_executable_t x = seen.x;
    struct toy t;

    (void)state;
    toy_init(&t, GFX90A, 3);
    toy_symbol(&t, "var", TOY_GLOBAL | TOY_OBJECT, TOY_S_DATA, TOY_DATA_VADDR + 0x48, 12);
    assert_int_equal(hsa_executable_global_variable_define(x, "a", &t), 0);
    assert_int_equal(hsa_executable_agent_global_variable_define(x, gfx1201, "b", &t), 0);
    assert_int_equal(load_toy(x, &t), 0);
    assert_int_equal(hsa_executable_iterate_symbols(x, see, &seen), 0);
    assert_int_equal(seen.count, 4);
    seen = (struct seen){.stop_at = 2, .x = x};
    assert_int_equal(hsa_executable_iterate_symbols(x, see, &seen), HSA_STATUS_INFO_BREAK);
    assert_int_equal(seen.count, 2);
    seen = (struct seen){.x = x};
    assert_int_equal(hsa_executable_iterate_program_symbols(x, see, &seen), 0);
    assert_int_equal(seen.count, 1);
    seen = (struct seen){.x = x};
    assert_int_equal(hsa_executable_iterate_agent_symbols(x, gfx90a, see_of_agent, &seen), 0);
    assert_int_equal(seen.count, 2);
    assert_int_equal(hsa_executable_iterate_symbols(x, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_iterate_program_symbols(x, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_iterate_agent_symbols(x, gfx90a, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_iterate_agent_symbols(x, (hsa_agent_t){3}, see_of_agent, &seen),
                     HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_int_equal(hsa_executable_iterate_symbols(x, see, &seen), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    assert_int_equal(hsa_executable_iterate_agent_symbols(x, gfx90a, see_of_agent, &seen),
                     HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

/* The loader's extension ------------------------------------------------------------------------------------------ */

static hsa_ven_amd_loader_1_03_pfn_t loader(void)
{
    hsa_ven_amd_loader_1_03_pfn_t table = {0};

    loader_extension_table(&table, sizeof table);
    return table;
}

static void test_table(void **state)
{
    struct {
        hsa_ven_amd_loader_1_00_pfn_t table;
        uint64_t behind[3];
    } small = {.behind = {1, 2, 3}};

    (void)state;
    loader_extension_table(&small.table, sizeof small.table);
    assert_true(small.table.hsa_ven_amd_loader_query_executable != NULL);
    assert_int_equal(small.behind[0], 1);
    assert_true(loader().hsa_ven_amd_loader_iterate_executables != NULL);
}

static void test_addresses(void **state)
{
    hsa_ven_amd_loader_1_03_pfn_t ext = loader();
    hsa_executable_t x = new_executable(), found = {0};
    const void *at = NULL, *object;

    (void)state;
    assert_int_equal(load_file(x, gfx90a, VECADD), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    object =
        (const void *)(uintptr_t)symbol_u64(symbol_of(x, "vecadd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
    assert_int_equal(ext.hsa_ven_amd_loader_query_host_address(object, &at), 0);
    assert_ptr_equal(at, object);
    assert_int_equal(ext.hsa_ven_amd_loader_query_executable(object, &found), 0);
    assert_int_equal(found.handle, x.handle);
    assert_int_equal(ext.hsa_ven_amd_loader_query_host_address(object, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ext.hsa_ven_amd_loader_query_host_address(&at, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ext.hsa_ven_amd_loader_query_host_address(NULL, &at), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_int_equal(ext.hsa_ven_amd_loader_query_executable(object, &found), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static hsa_status_t take_loaded(hsa_executable_t x, hsa_loaded_code_object_t l, void *data)
{
    (void)x;
    *(hsa_loaded_code_object_t *)data = l;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t count_executables(hsa_executable_t x, void *data)
{
    (void)x;
    ++*(unsigned *)data;
    return HSA_STATUS_SUCCESS;
}

static uint64_t loaded_u64(hsa_loaded_code_object_t l, int attribute)
{
    uint64_t v = 0;

    assert_int_equal(loader().hsa_ven_amd_loader_loaded_code_object_get_info(l, attribute, &v), 0);
    return v;
}

static void test_loaded_code_objects(void **state)
{
    hsa_ven_amd_loader_1_03_pfn_t ext = loader();
    hsa_executable_t x = new_executable(), other = new_executable();
    hsa_ven_amd_loader_segment_descriptor_t segments[2];
    hsa_loaded_code_object_t loaded, same;
    unsigned executables = 0;
    char uri[256] = "";
    size_t size, n = 0;
    void *bytes = read_whole(VECADD, &size);

    (void)state;
    assert_int_equal(load_bytes(x, gfx90a, bytes, size, &loaded), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    assert_int_equal(ext.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(x, take_loaded, &same), 0);
    assert_int_equal(loaded.handle, same.handle);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE), x.handle);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT), gfx90a.handle);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND), 2);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE), 2);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE),
                     size);
    uint64_t elf = loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE);
    assert_memory_equal((const void *)(uintptr_t)elf, bytes, size);
    assert_int_equal(loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA),
                     loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE));
    size_t length = loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH);
    assert_true(length < sizeof uri);
    assert_int_equal(
        ext.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri),
        0);
    assert_int_equal(strlen(uri), length);
    assert_memory_equal(uri, "memory://", 9);
    assert_int_equal(ext.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, 99, uri),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    same.handle++;
    assert_int_equal(ext.hsa_ven_amd_loader_loaded_code_object_get_info(same, 1, uri),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);

    assert_int_equal(ext.hsa_ven_amd_loader_query_segment_descriptors(NULL, &n), 0);
    assert_int_equal(n, 1);
    assert_int_equal(ext.hsa_ven_amd_loader_query_segment_descriptors(segments, &n), 0);
    assert_int_equal(segments[0].executable.handle, x.handle);
    assert_int_equal(segments[0].agent.handle, gfx90a.handle);
    assert_int_equal(segments[0].code_object_storage_size, size);
    assert_int_equal((uintptr_t)segments[0].segment_base,
                     loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE));
    assert_int_equal(segments[0].segment_size,
                     loaded_u64(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE));
    n = 2;
    assert_int_equal(ext.hsa_ven_amd_loader_query_segment_descriptors(segments, &n),
                     HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_int_equal(ext.hsa_ven_amd_loader_query_segment_descriptors(NULL, &n), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    n = 0;
    assert_int_equal(ext.hsa_ven_amd_loader_query_segment_descriptors(segments, &n), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ext.hsa_ven_amd_loader_iterate_executables(count_executables, &executables), 0);
    assert_int_equal(executables, 2);
    assert_int_equal(hsa_executable_destroy(other), 0);
    assert_int_equal(hsa_executable_destroy(x), 0);
    assert_int_equal(ext.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, 1, uri),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    free(bytes);
}

/* A code object in the middle of a file whose name has characters that a URI does not. */
static void test_part_of_a_file(void **state)
{
    hsa_ven_amd_loader_1_03_pfn_t ext = loader();
    char path[4096], uri[4096 + 128] = "", want[4096 + 128];
    hsa_executable_t x = new_executable();
    hsa_code_object_reader_t reader;
    hsa_loaded_code_object_t loaded;
    struct toy t;
    int fd;

    (void)state;
    NEED_PROC(); /* the file's path */
    snprintf(path, sizeof path, "%s/a part #", program_folder());
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    toy_init(&t, GFX90A, 3);
    assert_int_equal(pwrite(fd, t.bytes, sizeof t.bytes, 100), sizeof t.bytes);
    assert_int_equal(pwrite(fd, "end", 3, 100 + sizeof t.bytes), 3);
    assert_int_equal(ext.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(fd, 100, 0, &reader),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(ext.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(fd, 99999, 1, &reader),
                     HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(
        ext.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(fd, 100, SIZE_MAX, &reader),
        HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(
        ext.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(fd, 100, sizeof t.bytes, &reader),
        0);
    assert_int_equal(hsa_executable_load_agent_code_object(x, gfx90a, reader, NULL, &loaded), 0);
    assert_int_equal(hsa_code_object_reader_destroy(reader), 0);
    assert_int_equal(
        ext.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri),
        0);
    snprintf(want, sizeof want, "file://%s/a%%20part%%20%%23#offset=100&size=4096", program_folder());
    assert_string_equal(uri, want);
    assert_int_equal(hsa_executable_destroy(x), 0);
    close(fd);
    unlink(path);
}

/* HSA 1.0 --------------------------------------------------------------------------------------------------------- */

static hsa_status_t give(size_t size, hsa_callback_data_t data, void **address)
{
    *address = data.handle ? malloc(size) : NULL;
    return data.handle == 2 ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
}

static hsa_status_t count_code_symbols(hsa_code_object_t c, hsa_code_symbol_t s, void *data)
{
    uint32_t length = 0;

    (void)c;
    assert_int_equal(hsa_code_symbol_get_info(s, HSA_CODE_SYMBOL_INFO_NAME_LENGTH, &length), 0);
    assert_true(length > 0);
    ++*(unsigned *)data;
    return HSA_STATUS_SUCCESS;
}

static void test_legacy(void **state)
{
    hsa_executable_t x = new_executable();
    hsa_code_object_t c;
    hsa_code_symbol_t s;
    char version[64];
    unsigned symbols = 0;
    uint32_t v = 0;
    hsa_isa_t isa = {0};
    size_t size, again;
    void *bytes = read_whole(VECADD, &size), *out;

    (void)state;
    assert_int_equal(hsa_code_object_deserialize(NULL, size, NULL, &c), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_deserialize(bytes, 0, NULL, &c), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_deserialize(bytes, size, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_deserialize(bytes, size, NULL, &c), 0);
    assert_int_equal(hsa_code_object_serialize(c, give, (hsa_callback_data_t){1}, NULL, &out, &again), 0);
    assert_int_equal(again, size);
    assert_memory_equal(out, bytes, size);
    free(out);
    assert_int_equal(hsa_code_object_serialize(c, give, (hsa_callback_data_t){0}, NULL, &out, &again),
                     HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    assert_int_equal(hsa_code_object_serialize(c, NULL, (hsa_callback_data_t){0}, NULL, &out, &again),
                     HSA_STATUS_ERROR_INVALID_ARGUMENT);
    memset(bytes, 0xee, size);
    free(bytes);
    memset(version, '#', sizeof version);
    assert_int_equal(hsa_code_object_get_info(c, HSA_CODE_OBJECT_INFO_VERSION, version), 0);
    assert_true(version[0] >= '3' && version[0] <= '6' && version[1] == '.' && !version[63]);
    assert_int_equal(hsa_code_object_get_info(c, HSA_CODE_OBJECT_INFO_MACHINE_MODEL, &v), 0);
    assert_int_equal(v, HSA_MACHINE_MODEL_LARGE);
    assert_int_equal(hsa_code_object_get_info(c, HSA_CODE_OBJECT_INFO_ISA, &isa), 0);
    assert_int_not_equal(isa.handle, 0);
    assert_int_equal(hsa_code_object_get_info(c, 99, &v), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_get_symbol(c, "vecadd", &s), 0);
    assert_int_equal(hsa_code_symbol_get_info(s, HSA_CODE_SYMBOL_INFO_TYPE, &v), 0);
    assert_int_equal(v, HSA_SYMBOL_KIND_KERNEL);
    assert_int_equal(hsa_code_symbol_get_info(s, (hsa_code_symbol_info_t)22, &v), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_code_object_get_symbol_from_name(c, "m", "vecadd", &s), HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    assert_int_equal(hsa_code_object_iterate_symbols(c, count_code_symbols, &symbols), 0);
    assert_true(symbols >= 1);
    assert_int_equal(hsa_executable_load_code_object(x, (hsa_agent_t){1}, c, NULL), HSA_STATUS_ERROR_INVALID_AGENT);
    assert_int_equal(hsa_executable_load_code_object(x, gfx1201, c, NULL), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    assert_int_equal(hsa_executable_load_code_object(x, gfx90a, c, ""), 0);
    assert_int_equal(hsa_code_object_destroy(c), 0);
    assert_int_equal(hsa_code_object_destroy(c), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(hsa_code_symbol_get_info(s, 0, &v), HSA_STATUS_ERROR_INVALID_CODE_SYMBOL);
    assert_int_equal(hsa_executable_load_code_object(x, gfx90a, c, ""), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    symbol_of(x, "vecadd.kd", &gfx90a);
    assert_int_equal(hsa_executable_destroy(x), 0);

    assert_int_equal(hsa_code_object_deserialize(version, sizeof version, NULL, &c), 0);
    assert_int_equal(hsa_code_object_get_symbol(c, "vecadd", &s), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    assert_true(logged("code object"));
    assert_int_equal(hsa_code_object_destroy(c), 0);
}

/* Threads --------------------------------------------------------------------------------------------------------- */

static uint64_t current; /* a kernel object; atomic */
static uint32_t loads;   /* counts what has been `current`; atomic */
static bool stop;        /* atomic */
static sem_t found;      /* posted when a kernel of the latest load has been found first */

static void *find_often(void *data)
{
    uint32_t seen = 0;

    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
        uint32_t load = __atomic_load_n(&loads, __ATOMIC_ACQUIRE);
        const struct kernel *k = kernel_find(__atomic_load_n(&current, __ATOMIC_ACQUIRE));

        if (k && k->info.kernarg_size && k->in->bytes && load != seen) {
            seen = load;
            sem_post(&found);
        }
        kernel_release(k);
    }
    return data;
}

static hsa_executable_t load_frozen(const void *bytes, size_t size)
{
    hsa_executable_t x = new_executable();

    assert_int_equal(load_bytes(x, gfx90a, bytes, size, NULL), 0);
    assert_int_equal(hsa_executable_freeze(x, NULL), 0);
    __atomic_store_n(&current, symbol_u64(symbol_of(x, "vecadd", &gfx90a), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT),
                     __ATOMIC_RELEASE);
    __atomic_add_fetch(&loads, 1, __ATOMIC_RELEASE);
    return x;
}

/* Kernels are looked for while executables come and go: each is found before it is destroyed. */
static void test_threads(void **state)
{
    size_t size;
    void *bytes = read_whole(VECADD, &size);
    pthread_t thread;

    (void)state;
    assert_int_equal(sem_init(&found, 0, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, find_often, NULL), 0);
    for (unsigned i = 0; i < 200; i++) {
        hsa_executable_t x = load_frozen(bytes, size);

        while (sem_wait(&found))
            ;
        assert_int_equal(hsa_executable_destroy(x), 0);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_attributes),
        cmocka_unit_test(test_kernels_of_v2),
        cmocka_unit_test(test_variable_attributes),
        cmocka_unit_test(test_iteration),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_loaded_code_objects),
        cmocka_unit_test(test_part_of_a_file),
        cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

/* A program that was built with the header of a release: it uses every struct of it and nearly all calls, and ends with
 * status 0 when each did what that release's did. Values of cycles and texts are not looked at, which may change.
 *
 *   client SAMPLES FOLDER      traces/samples, and a folder to write to */
#include "client.h"

struct gcnsim_error error;
const char *samples, *folder;

const char *in(const char *where, const char *name)
{
    static char path[4][4096];
    static unsigned k;

    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", where, name);
    return path[k];
}

double stat_of(const struct gcnsim_result *r, const char *name)
{
    double value = -1;

    OK(gcnsim_result_stat(r, name, &value));
    return value;
}

void load(struct loaded *l, const char *const sets[], size_t count)
{
    static const char *const specs[] = {"in:../data/f32_a.bin", "in:../data/f32_b.bin", "buf:4096", "u32:1000"};

    OK(gcnsim_open(&l->sim, "gfx90a", &error));
    if (count)
        OK(gcnsim_set_all(l->sim, sets, count, &error));
    OK(gcnsim_load_file(l->sim, &l->module, in(samples, "gfx90a/vecadd.co"), NULL, &error));
    OK(gcnsim_args_parse(l->module, 0, specs, 4, in(samples, "gfx90a"), &l->args, &error));
    gcnsim_dispatch_init(&l->d);
    l->d.args = l->args;
    l->d.grid_size[0] = 1024;
    l->d.workgroup_size[0] = 256;
}

void unload(struct loaded *l)
{
    gcnsim_args_free(l->args);
    gcnsim_unload(l->module);
    gcnsim_close(l->sim);
}

/* ---- what needs no simulator ---- */

static int resolve(void *ctx, const char *name, uint64_t *address)
{
    (void)ctx, (void)name, (void)address;
    return 0;
}

static void read_kernel(const struct gcnsim_code *code)
{
    struct gcnsim_code_info info;
    struct gcnsim_kernel_info k;
    struct gcnsim_arg_info a;
    struct gcnsim_symbol_info s;
    struct gcnsim_occupancy o;
    uint32_t index = 9, n = 0;

    gcnsim_code_get_info(code, &info);
    CHECK(strcmp(info.processor, "gfx90a") == 0 && strstr(info.target, "gfx90a") && info.kernel_count == 1);
    CHECK(info.code_object_version == 5 && strstr(info.name, "vecadd"));
    OK(gcnsim_code_find_kernel(code, "vecadd", &index, &error));
    OK(gcnsim_code_kernel(code, index, &k));
    CHECK(strcmp(k.name, "vecadd") == 0 && strcmp(k.symbol, "vecadd.kd") == 0 && k.has_metadata);
    CHECK(k.explicit_arg_count == 4 && k.arg_count >= 4 && k.wavefront_size == 64 && k.vgprs && k.sgprs && k.code_size);
    CHECK(!gcnsim_code_kernel_refused(code, index) && gcnsim_code_kernel(code, 1, &k) != GCNSIM_OK);
    OK(gcnsim_code_kernel_arg(code, index, 3, &a));
    CHECK(strcmp(a.value_kind, "by_value") == 0 && a.offset == 24 && a.size == 4 && !a.hidden && a.access && a.name);
    CHECK(a.type_name && a.address_space);
    for (; gcnsim_code_symbol(code, n, &s) == GCNSIM_OK; n++)
        CHECK(
            s.name && s.value &&
            ((s.type == GCNSIM_SYMBOL_KERNEL) == (strcmp(s.name, "vecadd.kd") == 0) || s.type == GCNSIM_SYMBOL_OBJECT));
    CHECK(n == info.symbol_count && gcnsim_code_symbol_flags(code, 0) < 8 && GCNSIM_SYMBOL_GLOBAL == 1);
    OK(gcnsim_code_occupancy(code, index, "gfx90a-mi210", 256, 0, &o, &error));
    CHECK(o.waves_per_simd == 8 && o.waves_per_workgroup == 4 && strcmp(o.limiter, "wave_slots") == 0 && o.cus == 1);
    CHECK(o.workgroups_per_cu == 8 && o.vgprs_allocated && o.sgprs_allocated);
}

static void read_code(void)
{
    struct gcnsim_code *code, *other;
    struct gcnsim_code_source source;
    struct gcnsim_code_list *list;
    struct gcnsim_code_entry entry;
    struct gcnsim_code_range range;
    struct gcnsim_code_image image;
    uint32_t of = 0;
    size_t size = 0;
    const void *elf;
    char *text;

    OK(gcnsim_code_open_file(&code, in(samples, "gfx90a/vecadd.co"), NULL, &error));
    read_kernel(code);
    CHECK((elf = gcnsim_code_elf(code, &size)) && size > 64 && memcmp(elf, "\177ELF", 4) == 0);
    OK(gcnsim_code_open_memory(&other, elf, size, "vecadd in memory", "gfx90a", &error));
    CHECK(gcnsim_code_index(other, &of) == 0 && of == 1);
    gcnsim_code_close(other);
    gcnsim_code_source_init(&source);
    CHECK(source.max_memory == GCNSIM_DEFAULT_MAX_MEMORY);
    source.path = in(samples, "gfx90a/vecadd.co");
    source.kernel = "vecadd";
    OK(gcnsim_code_open(&other, &source, &error));
    gcnsim_code_close(other);
    OK(gcnsim_code_list_open(&list, &source, &error));
    OK(gcnsim_code_list_entry(list, 0, &entry));
    CHECK(entry.index == 0 && entry.bytes == size && strcmp(entry.id, "") == 0);
    CHECK(gcnsim_code_list_entry(list, 1, &entry) != GCNSIM_OK);
    OK(gcnsim_code_list_code(list, 0, &other, &error));
    gcnsim_code_list_close(list);
    gcnsim_code_close(other);
    OK(gcnsim_code_text(code, 0, &range));
    CHECK(range.address && range.size >= 4 && range.bytes);
    gcnsim_code_get_image(code, &image);
    CHECK(image.size && image.align >= 4096);
    void *place = calloc(1, image.size);
    OK(gcnsim_code_place(code, place, image.size, 0x100000, resolve, NULL, &error));
    CHECK(memcmp((char *)place + (range.address - image.address), range.bytes, range.size) == 0);
    free(place);
    OK(gcnsim_code_fidelity(code, 0, NULL, GCNSIM_TEXT, &text, &error));
    text_with(text, "global_load_dword");
    gcnsim_code_close(code);
}

static void read_instructions(void)
{
    static const uint8_t words[] = {0x80, 0x02, 0x00, 0x7e, 0, 0, 0x81, 0xbf};
    struct gcnsim_isa_entry e;
    const struct gcnsim_isa_operand *operand;
    struct gcnsim_disasm *d;
    struct gcnsim_profile_info p;
    uint32_t n = 0, msb = 0, found = 0;
    char text[100], *shown;
    int known = 0;

    OK(gcnsim_disasm_open(&d, gcnsim_instruction_set("gfx90a"), &error));
    CHECK(gcnsim_disasm_one(d, words, sizeof words, text, sizeof text, &known) == 4 && known);
    CHECK(strcmp(text, "v_mov_b32_e32 v0, 0") == 0);
    gcnsim_disasm_set_flags(d, GCNSIM_DISASM_STRICT | GCNSIM_DISASM_TRUE16);
    CHECK(gcnsim_disasm_next(d, words + 4, 4, &msb, text, sizeof text, NULL) == 4 && strstr(text, "s_endpgm"));
    for (; gcnsim_isa_entry(d, n, &e) == GCNSIM_OK; n++)
        if (strcmp(e.mnemonic, "v_add_f32") == 0) {
            operand = e.operands;
            found++;
            CHECK(strcmp(e.format, "VOP2") == 0 && e.form_count >= 3 && strcmp(e.forms[0], "e32") == 0 &&
                  e.opcode == 1);
            CHECK(e.operand_count == 3 && strcmp(operand->type, "F32") == 0 && operand->write && !operand->read);
            CHECK(strcmp(e.operands[1].field, "src0") == 0 && e.executed && e.tested && !e.beyond && e.ulp == 0);
            CHECK(strncmp(e.unit, "valu", 4) == 0 && e.form_count <= GCNSIM_ISA_MAX_FORMS);
        }
    CHECK(n > 500 && found == 1 && GCNSIM_ISA_MAX_OPERANDS == 16);
    gcnsim_disasm_close(d);
    CHECK(gcnsim_target_name(0) && !gcnsim_target_name(100000));
    OK(gcnsim_isa_show("v_add_f32", "gfx90a", NULL, GCNSIM_JSON, &shown, &error));
    text_with(shown, "v_add_f32");
    OK(gcnsim_profile_list(0, &p));
    OK(gcnsim_profile_find("gfx90a", &p, &error));
    CHECK(strcmp(p.name, "gfx90a-mi210") == 0 && strcmp(p.target, "gfx90a") == 0 && p.is_default &&
          strstr(p.chip, "MI210"));
    OK(gcnsim_profile_show("gfx90a", NULL, 0, GCNSIM_TEXT, &shown, &error));
    text_with(shown, "cu.simds");
    OK(gcnsim_profile_show_matching("gfx90a", NULL, 0, (const char *const[]){"cu.simds"}, 1, GCNSIM_JSON, &shown,
                                    &error));
    text_with(shown, "\"simds\"");
    OK(gcnsim_demangle("_Z4vaddPfi", &shown, &error));
    text_with(shown, "vadd(float*, int)");
    OK(gcnsim_json_string("a\"b", &shown, &error));
    text_with(shown, "\"a\\\"b\"");
    CHECK(gcnsim_nearest_name("gird", (const char *const[]){"block", "grid"}, 2) == 1);
}

/* ---- a simulator ---- */

static void device_memory(void)
{
    struct gcnsim *sim, *second;
    struct gcnsim_memory memory;
    uint64_t address = 0;
    double simds = 0;
    int number = 42;

    OK(gcnsim_open(&sim, NULL, &error));
    CHECK(!gcnsim_profile_name(sim));
    gcnsim_close(sim);
    OK(gcnsim_open(&sim, "gfx90a", &error));
    OK(gcnsim_open(&second, "gfx90a", &error));
    OK(gcnsim_set(sim, "cu.wave_slots_per_simd", "4", &error));
    OK(gcnsim_set_all(sim, (const char *const[]){"cu.wave_slots_per_simd=8"}, 1, &error));
    CHECK(gcnsim_set(sim, "cu.no_such_figure", "4", &error) == GCNSIM_ERROR_USAGE && error.code == GCNSIM_ERROR_USAGE);
    error.text[0] = 0;
    CHECK(strcmp(gcnsim_profile_name(sim), "gfx90a-mi210") == 0);
    OK(gcnsim_profile_number(sim, "cu.simds", &simds));
    CHECK(simds == 4);
    gcnsim_set_max_memory(sim, UINT64_C(1) << 30);
    OK(gcnsim_alloc(sim, 4096, "numbers", &address, &error));
    OK(gcnsim_write(sim, address, &number, sizeof number, &error));
    number = 0;
    OK(gcnsim_read(sim, address, &number, sizeof number, &error));
    CHECK(number == 42);
    gcnsim_get_memory(sim, &memory);
    CHECK(memory.limit_bytes == UINT64_C(1) << 30 && memory.held_bytes >= 4096 &&
          memory.peak_bytes >= memory.held_bytes);
    OK(gcnsim_dealloc(sim, address, &error));
    gcnsim_device_written(sim, 0, UINT64_MAX);
    gcnsim_device_copy_gws(second, sim);
    gcnsim_device_reset(sim);
    CHECK(gcnsim_device_clock(sim) == 0);
    gcnsim_close(second);
    gcnsim_close(sim);
}

/* ---- launch files, buffers with names, files ---- */

static void launch_files(void)
{
    static const char *const names[] = {"shared"}, *const buffers_specs[] = {"buf:64"},
                             *const wrong[] = {"buffer:other"};
    struct gcnsim_symbol_texts texts;
    struct gcnsim_launch_file *file;
    const struct gcnsim_launch_list *list;
    struct gcnsim_buffers *buffers;
    struct gcnsim_symbols *symbols;
    struct gcnsim_args *args;
    struct gcnsim_file written = {0};
    struct loaded l;
    uint64_t address, size;
    uint32_t index;
    size_t bytes;
    void *content;

    OK(gcnsim_launch_file_open(&file, in(samples, "gfx90a/vecadd.json"), &error));
    list = gcnsim_launch_file_list(file);
    const struct gcnsim_listed_launch *first = list->launches;
    CHECK(GCNSIM_HAS(file, perfect_memory) && strcmp(file->kernel, "vecadd") == 0 && file->grid[0] == 1024 &&
          file->arg_count == 4);
    CHECK(GCNSIM_HAS(list, cold) && !list->is_list && list->launch_count == 1 && first->acquire == -1 && first->file);
    CHECK(gcnsim_launch_file_index(file, 0, &index) != GCNSIM_OK);
    gcnsim_launch_file_symbols(file, 0, &texts);
    CHECK(!texts.set_count && !texts.read_count);
    OK(gcnsim_launch_file_confine(file, samples, &error));
    load(&l, NULL, 0);
    OK(gcnsim_buffers_make(l.sim, names, buffers_specs, 1, NULL, &buffers, &error));
    OK(gcnsim_buffers_find(buffers, "shared", &address, &size));
    CHECK(size == 64 && address &&
          gcnsim_args_parse_shared(l.module, 0, wrong, 1, NULL, buffers, &args, &error) != GCNSIM_OK);
    error.text[0] = 0;
    OK(gcnsim_buffers_write_output(buffers, 0, &error));
    gcnsim_buffers_free(buffers);
    OK(gcnsim_symbols_parse(l.module, &texts, NULL, NULL, &symbols, &error));
    OK(gcnsim_symbols_set(symbols, &error));
    char *text = NULL;
    CHECK(gcnsim_symbols_file(symbols, 0, &written) != GCNSIM_OK &&
          gcnsim_symbols_read(symbols, 0, &text, NULL) != GCNSIM_OK);
    gcnsim_symbols_free(symbols);
    CHECK(gcnsim_module_symbol(l.module, "vecadd.kd", &address, &size, &error) == GCNSIM_OK && size == 64);
    CHECK(!gcnsim_args_note(l.args) && gcnsim_module_code(l.module));
    OK(gcnsim_args_write_outputs(l.args, &error));
    OK(gcnsim_args_write_output(l.args, 0, &error));
    written.path = in(folder, "written");
    written.label = "--json";
    written.written = 1;
    OK(gcnsim_check_files(l.module, &l.d, &written, 1, &error));
    OK(gcnsim_write_file(written.path, "twelve bytes", 12, &error));
    OK(gcnsim_read_file(written.path, &content, &bytes, &error));
    CHECK(bytes == 12 && memcmp(content, "twelve bytes", 12) == 0);
    gcnsim_free(content);
    unload(&l);
    gcnsim_launch_file_close(file);
}

static void other_loads(void)
{
    struct gcnsim_code_source source;
    struct gcnsim_module *module;
    struct gcnsim *sim;
    void *bytes;
    size_t size;

    OK(gcnsim_open(&sim, NULL, &error));
    OK(gcnsim_read_file(in(samples, "gfx90a/vecadd.co"), &bytes, &size, &error));
    OK(gcnsim_load_memory(sim, &module, bytes, size, "bytes", NULL, &error));
    gcnsim_code_source_init(&source);
    source.bytes = bytes;
    source.size = size;
    OK(gcnsim_load(sim, &module, &source, &error));
    CHECK(strcmp(gcnsim_profile_name(sim), "gfx90a-mi210") == 0);
    gcnsim_free(bytes);
    gcnsim_close(sim);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: client SAMPLES FOLDER\n");
        return 2;
    }
    samples = argv[1];
    folder = argv[2];
    CHECK(gcnsim_version_number() >= GCNSIM_VERSION_NUMBER && gcnsim_version()[0]);
    read_code();
    read_instructions();
    device_memory();
    launch_with_everything();
    endings();
    sequences();
    sampled();
    launch_files();
    other_loads();
    raw_launches();
    explanations();
    comparisons();
    differences();
    return 0;
}

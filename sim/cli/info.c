/* gcnsim info: what a code object holds, for people and as JSON. */
#include "sim/cli/info.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/options.h"
#include "sim/cli/source.h"
#include "sim/util/json_put.h"

/* Without metadata nothing says how large a workgroup may be; then occupancy is shown for this many work-items. */
enum { DEFAULT_WORKGROUP = 256 };

uint32_t info_occupancy_items(const struct gcnsim_kernel_info *k)
{
    uint64_t required = (uint64_t)k->reqd_workgroup_size[0] * k->reqd_workgroup_size[1] * k->reqd_workgroup_size[2];

    if (required && required <= 1024)
        return (uint32_t)required;
    if (k->max_flat_workgroup_size && k->max_flat_workgroup_size < DEFAULT_WORKGROUP)
        return k->max_flat_workgroup_size;
    return DEFAULT_WORKGROUP;
}

static int find_profiles(struct profiles *p, const char *processor)
{
    struct gcnsim_profile_info info;

    *p = (struct profiles){.processor = processor};
    for (uint32_t i = 0; gcnsim_profile_list(i, &info) == 0; i++) {
        if (strcmp(info.target, processor) != 0)
            continue;
        struct gcnsim_profile_info *more = realloc(p->list, (p->count + 1) * sizeof *more);
        if (!more)
            return cli_error("out of memory");
        p->list = more;
        p->list[p->count++] = info;
    }
    return CLI_OK;
}

bool info_occupancy(struct shown *s, uint32_t kernel, const char *profile, uint32_t items, struct gcnsim_occupancy *occ,
                    struct gcnsim_error *error)
{
    int rc = gcnsim_code_occupancy(s->code, kernel, profile, items, 0, occ, error);

    if (rc == GCNSIM_ERROR_NOMEM || rc == GCNSIM_ERROR_IO)
        s->status = cli_library_error(error);
    return rc == GCNSIM_OK;
}

/* A number that only the metadata states. */
static void json_stated(struct json_put *j, const char *key, uint64_t value, bool stated)
{
    json_put(j, stated ? "%s: %" PRIu64 : "%s: null", key, value);
}

/* Null of an empty one. */
static const char *text_or_null(const char *text)
{
    return *text ? text : NULL;
}

static void json_args(struct json_put *j, const struct shown *s, uint32_t kernel, const struct gcnsim_kernel_info *k)
{
    struct gcnsim_arg_info arg;

    if (!k->has_metadata) {
        json_put(j, "arguments: null");
        return;
    }
    json_put(j, "arguments: [\n");
    for (uint32_t i = 0; gcnsim_code_kernel_arg(s->code, kernel, i, &arg) == 0; i++)
        json_put(j,
                 "{\n name: %s, type: %s, kind: %s, address_space: %s, offset: %" PRIu64 ", size: %" PRIu64
                 ", hidden: %hhd}",
                 text_or_null(arg.name), text_or_null(arg.type_name), arg.value_kind, text_or_null(arg.address_space),
                 (uint64_t)arg.offset, (uint64_t)arg.size, arg.hidden);
    json_put(j, "\n      ]");
}

static void json_occupancy(struct json_put *j, struct shown *s, uint32_t kernel, uint32_t items)
{
    const struct profiles *profiles = &s->profiles;
    struct gcnsim_occupancy occ = {0};

    json_put(j, "occupancy: [\n");
    for (size_t i = 0; i < profiles->count; i++) {
        const char *name = profiles->list[i].name;
        struct gcnsim_error error = {0};
        bool fits = info_occupancy(s, kernel, name, items, &occ, &error);

        json_put(j, "{\n profile: %s, workgroup_items: %u", name, items);
        json_stated(j, "waves_per_simd", occ.waves_per_simd, fits);
        json_stated(j, "workgroups_per_cu", occ.workgroups_per_cu, fits);
        json_stated(j, "cus", occ.cus, fits);
        json_stated(j, "vgprs", occ.vgprs_allocated, fits);
        json_stated(j, "agprs", occ.agprs_allocated, fits);
        json_stated(j, "sgprs", occ.sgprs_allocated, fits);
        json_stated(j, "lds_bytes", occ.lds_bytes_allocated, fits);
        json_put(j, fits ? "limiter: %s}" : "limiter: null, error: %s}", fits ? occ.limiter : error.text);
    }
    json_put(j, "]");
}

static void json_extent(struct json_put *j, const char *key, const uint32_t extent[3])
{
    json_put(j, extent[0] ? "%s: [%u, %u, %u]" : "%s: null", key, extent[0], extent[1], extent[2]);
}

static void json_kernel(struct json_put *j, struct shown *s, uint32_t index)
{
    struct gcnsim_error error = {0};
    struct gcnsim_kernel_info k;
    char *plain = NULL;

    gcnsim_code_kernel(s->code, index, &k);
    if (gcnsim_demangle(k.name, &plain, &error) != GCNSIM_OK)
        s->status = cli_library_error(&error);
    json_put(j, "{\n name: %s, demangled: %s, symbol: %s", k.name, plain, k.symbol);
    gcnsim_free(plain);
    if (gcnsim_code_kernel_refused(s->code, index))
        json_put(j, "refused: %s", gcnsim_code_kernel_refused(s->code, index));
    json_put(j, "code_offset: %" PRIu64, (uint64_t)k.code_offset);
    json_stated(j, "code_size", k.code_size, k.code_size != 0);
    json_put(j, "wavefront_size: %u, vgprs: %u, agprs: %u, sgprs: %u", k.wavefront_size, k.vgprs, k.agprs, k.sgprs);
    json_stated(j, "vgpr_count", k.vgpr_count, k.has_metadata);
    json_stated(j, "agpr_count", k.agpr_count, k.has_metadata);
    json_stated(j, "sgpr_count", k.sgpr_count, k.has_metadata);
    json_stated(j, "vgpr_spill_count", k.vgpr_spill_count, k.has_metadata);
    json_stated(j, "sgpr_spill_count", k.sgpr_spill_count, k.has_metadata);
    json_put(j, "lds_bytes: %u, scratch_bytes_per_item: %u, dynamic_stack: %hhd", k.group_segment_fixed_size,
             k.private_segment_fixed_size, k.uses_dynamic_stack);
    json_stated(j, "max_workgroup_items", k.max_flat_workgroup_size, k.max_flat_workgroup_size != 0);
    json_extent(j, "required_workgroup", k.reqd_workgroup_size);
    json_extent(j, "cluster", k.cluster_dims);
    json_put(j, "kernarg_size: %u", k.kernarg_size);
    json_args(j, s, index, &k);
    json_occupancy(j, s, index, info_occupancy_items(&k));
    json_put(j, "}");
}

static void json_registers(struct json_put *j, const struct shown *s)
{
    uint32_t address, value;
    const char *name;

    json_put(j, "registers: [");
    for (uint32_t i = 0; gcnsim_code_register(s->code, i, &address, &value, &name) == 0; i++)
        json_put(j, "\n    {address: %u, value: %u, name: %s}", address, value, text_or_null(name));
    json_put(j, "]");
}

static void json_all(struct shown *s)
{
    const struct gcnsim_code_info *info = &s->info;
    struct json_put j = {.f = stdout};

    json_put(&j, "{\n file: %s, target: %s, processor: %s, instruction_set: %s, where: %s, os: %s", info->name,
             info->target, info->processor, gcnsim_instruction_set(info->processor), text_or_null(info->where),
             info->os);
    json_stated(&j, "code_object_version", info->code_object_version, info->code_object_version != 0);
    if (!info->code_object_version)
        json_registers(&j, s);
    json_put(&j, "kernels: [\n");
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (s->only == UINT32_MAX || s->only == i)
            json_kernel(&j, s, i);
    json_put(&j, "]}\n");
}

/* ---- files with several code objects ---- */

/* One of them: its number, target, size, and how many kernels it has, or why it cannot be opened. */
static int list_one(struct gcnsim_code_list *list, uint32_t k, const struct gcnsim_code_entry *entry,
                    struct json_put *json)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;
    struct gcnsim_code *code = NULL;
    int rc = gcnsim_code_list_code(list, k, &code, &error);
    const char *dashes = strstr(entry->id, "-gfx");
    const char *target = dashes ? dashes + 1 : entry->id;

    if (code)
        gcnsim_code_get_info(code, &info);
    if (json) {
        json_put(json, "{\n index: %u, id: %s, target: %s", entry->index, entry->id, code ? info.target : NULL);
        if (!code)
            json_put(json, "refused: %s", error.text);
        json_put(json, "bytes: %" PRIu64 ", where: %s", (uint64_t)entry->bytes, code ? text_or_null(info.where) : NULL);
        json_stated(json, "kernels", code ? info.kernel_count : 0, code != NULL);
        json_put(json, "}");
    } else if (code) {
        cli_printf("%6u  %-26s %12llu %8u%s", entry->index, info.target, (unsigned long long)entry->bytes,
                   info.kernel_count, info.where[0] == '(' ? "  " : "");
        cli_put_name(info.where, 0);
        putchar('\n');
    } else {
        cli_printf("%6u  %-26.100s %12llu  refused: ", entry->index, target, (unsigned long long)entry->bytes);
        cli_put_name(error.text, 0);
        putchar('\n');
    }
    gcnsim_code_close(code);
    return rc == GCNSIM_ERROR_NOMEM || rc == GCNSIM_ERROR_LIMIT ? cli_library_error(&error) : CLI_OK;
}

static int list_all(struct gcnsim_code_list *list, const char *path, bool json)
{
    struct json_put j = {.f = stdout};
    struct gcnsim_code_entry entry;
    uint32_t count = 0;
    int status = CLI_OK;

    while (gcnsim_code_list_entry(list, count, &entry) == GCNSIM_OK)
        count++;
    if (json) {
        json_put(&j, "{\n file: %s, code_objects: [\n", path);
    } else {
        cli_printf("%s: %u code objects; --index N or --kernel NAME shows one\n", path, count);
        cli_printf("%6s  %-26s %12s %8s\n", "index", "target", "bytes", "kernels");
    }
    for (uint32_t k = 0; gcnsim_code_list_entry(list, k, &entry) == GCNSIM_OK; k++) {
        int one = list_one(list, k, &entry, json ? &j : NULL);
        status = status ? status : one;
    }
    if (json)
        json_put(&j, "]}\n");
    return status;
}

/* ---- the command ---- */

struct info_options {
    bool json, fidelity;
    const char *target, *kernel, *arch, *clang;
    uint64_t index, max_memory;
};

#define AT(field) offsetof(struct info_options, field)

static const struct option_row rows[] = {
    CLI_OPTION_JSON(AT(json)),
    {"kernel", "NAME", OPTION_TEXT, AT(kernel), .complete = COMPLETE_KERNELS, .help = "this kernel alone"},
    {"target", "NAME", OPTION_TEXT, AT(target), .complete = COMPLETE_TARGETS, .help = "the entry of an offload bundle"},
    CLI_OPTION_INDEX(AT(index)),
    {"fidelity", NULL, OPTION_FLAG, AT(fidelity),
     .help = "instead: of each instruction whether its results are a chip's, and how sure its timing is"},
    {"arch", "PROFILE", OPTION_TEXT, AT(arch), .complete = COMPLETE_PROFILES,
     .help = "with --fidelity: the profile whose figures are looked at; else the target's default"},
    CLI_OPTION_CLANG(AT(clang)),
    CLI_OPTION_MAX_MEMORY(AT(max_memory), "a FILE that takes more"),
    {.kind = OPTION_END},
};

const struct cli_command cli_command_info = {
    .name = "info",
    .summary = "shows the kernels of a code object and their resources",
    .usage = "info FILE [--json] [--kernel NAME] [--target NAME] [--index N]\n    [--fidelity "
             "[--arch PROFILE]] [--max-memory BYTES]",
    .about =
        "The target of a code object and its kernels: arguments, registers, LDS, scratch, and how many waves fit "
        "on each profile of that target. Of a file with several code objects, as a program has of several source "
        "files, a list of them with their numbers.\n"
        "\n"
        "--fidelity says what to believe of a simulation of a kernel, instruction by instruction (docs/FIDELITY.md): "
        "results that are exact, that a chip may give otherwise by so many units in the last place, or that gcnsim "
        "does not compute; timing from figures of the profile that are documented, measured, inferred or guesses.",
    .options = rows,
    .run = cli_info,
    .operands = COMPLETE_FILES,
};

/* A kernel that is refused, among others. */
static int refused_fidelity(const struct shown *s, uint32_t kernel, struct json_put *json)
{
    const char *why = gcnsim_code_kernel_refused(s->code, kernel);
    struct gcnsim_kernel_info k;

    gcnsim_code_kernel(s->code, kernel, &k);
    if (json) {
        json_put(json, "{\n name: %s, refused: %s}", k.name, why);
        return CLI_OK;
    }
    fputs("fidelity of ", stdout);
    cli_put_name(k.name, 0);
    fputs(": refused, ", stdout);
    cli_put_name(why, 0);
    putchar('\n');
    return CLI_OK;
}

static int kernel_fidelity(const struct shown *s, uint32_t kernel, const struct info_options *o, struct json_put *json)
{
    struct gcnsim_error error = {0};
    char *text;

    if (gcnsim_code_fidelity(s->code, kernel, o->arch, o->json ? GCNSIM_JSON : GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (json)
        fputs(text, json_put_raw(json));
    int status = json ? CLI_OK : cli_put(text);
    gcnsim_free(text);
    return status;
}

/* How far the kernels can be believed. Those that cannot be shown are an error, and so is the one asked for when it is
 * refused. */
static int show_fidelity(const struct shown *s, const struct info_options *o)
{
    struct json_put j = {.f = stdout}, *json = o->json ? &j : NULL;
    int status = CLI_OK;

    if (json)
        json_put(json, "{\n file: %s, kernels: [\n", s->info.name);
    for (uint32_t k = 0, shown = 0; k < s->info.kernel_count && status == CLI_OK; k++) {
        bool alone = s->only == k, refused = gcnsim_code_kernel_refused(s->code, k) != NULL;

        if (s->only != UINT32_MAX && !alone)
            continue;
        if (shown++ && !json)
            putchar('\n');
        status = refused && !alone ? refused_fidelity(s, k, json) : kernel_fidelity(s, k, o, json);
    }
    if (json && status == CLI_OK)
        json_put(json, "]}\n");
    return status;
}

/* A code object, or the one kernel of it that is asked for. */
static int show(const struct gcnsim_code *code, const struct info_options *o)
{
    struct shown s = {.code = code, .only = UINT32_MAX};
    struct gcnsim_error error = {0};

    gcnsim_code_get_info(code, &s.info);
    if (o->kernel && gcnsim_code_find_kernel(code, o->kernel, &s.only, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (o->fidelity)
        return show_fidelity(&s, o);
    int status = find_profiles(&s.profiles, gcnsim_instruction_set(s.info.processor));
    if (status == CLI_OK && o->json)
        json_all(&s);
    else if (status == CLI_OK)
        info_text(&s);
    free(s.profiles.list);
    return status ? status : s.status;
}

/* Whatever the file holds. */
static int show_file(const struct gcnsim_code_source *source, const struct info_options *o)
{
    struct gcnsim_code_entry entry;
    struct gcnsim_error error = {0};
    struct gcnsim_code_list *list;
    struct gcnsim_code *code;
    int status;

    if (gcnsim_code_list_open(&list, source, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (gcnsim_code_list_entry(list, 1, &entry) == GCNSIM_OK) {
        status = list_all(list, source->path ? source->path : source->name, o->json);
        gcnsim_code_list_close(list);
        return status;
    }
    int rc = gcnsim_code_list_code(list, 0, &code, &error);
    gcnsim_code_list_close(list);
    if (rc != GCNSIM_OK)
        return cli_library_error(&error);
    status = show(code, o);
    gcnsim_code_close(code);
    return status;
}

/* The code object that is asked for, or all. */
static int show_source(struct gcnsim_code_source *source, const struct info_options *o)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code *code;

    if (!source->kernel && !source->by_index && !o->fidelity)
        return show_file(source, o);
    if (gcnsim_code_open(&code, source, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    int status = show(code, o);
    gcnsim_code_close(code);
    return status;
}

int cli_info(int argc, char **argv)
{
    struct info_options o = {.index = NOT_GIVEN, .max_memory = cli_default_memory()};
    struct gcnsim_code_source source;
    bool done = false;
    uint8_t *own;
    int status = cli_options_read(&cli_command_info, argc, argv, &o, &done);

    if (done)
        return status;
    if (argc - optind != 1)
        return cli_usage("info", "%d files given; expected one", argc - optind);
    if (o.arch && !o.fidelity)
        return cli_usage("info", "--arch belongs to --fidelity");
    gcnsim_code_source_init(&source);
    source.max_memory = o.max_memory;
    source.want_target = o.target;
    source.path = argv[optind];
    source.kernel = o.kernel;
    source.by_index = o.index != NOT_GIVEN;
    source.index = (uint32_t)o.index;
    const struct cli_source compiled = {o.clang, o.target, "--target NAME"};
    status = cli_source_take(&compiled, &source, &own);
    if (status == CLI_OK)
        status = show_source(&source, &o);
    free(own);
    int flushed = cli_flush();
    return status ? status : flushed;
}

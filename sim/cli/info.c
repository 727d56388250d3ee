/* gcnsim info: what a code object holds, for people and as JSON. */
#include "sim/cli/info.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/cli.h"
#include "sim/cli/options.h"
#include "sim/cli/source.h"

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

static void json_string(struct shown *s, const char *value)
{
    if (cli_json_string(stdout, value) != CLI_OK)
        s->status = CLI_BAD_INPUT;
}

/* "key": value, for each of many; the last one is followed by no comma because an array or null comes behind. */
static void json_text(struct shown *s, const char *indent, const char *key, const char *value)
{
    cli_printf("%s\"%s\": ", indent, key);
    json_string(s, value);
    puts(",");
}

static void json_number(const char *indent, const char *key, uint64_t value)
{
    cli_printf("%s\"%s\": %llu,\n", indent, key, (unsigned long long)value);
}

/* A number that only the metadata states. */
static void json_stated(const char *indent, const char *key, uint64_t value, bool stated)
{
    if (stated)
        json_number(indent, key, value);
    else
        cli_printf("%s\"%s\": null,\n", indent, key);
}

static void json_args(struct shown *s, uint32_t kernel, const struct gcnsim_kernel_info *k)
{
    static const char in[] = "          ";
    struct gcnsim_arg_info arg;

    if (!k->has_metadata) {
        puts("      \"arguments\": null,");
        return;
    }
    fputs("      \"arguments\": [", stdout);
    for (uint32_t i = 0; gcnsim_code_kernel_arg(s->code, kernel, i, &arg) == 0; i++) {
        cli_printf("%s\n        {\n", i ? "," : "");
        json_text(s, in, "name", arg.name[0] ? arg.name : NULL);
        json_text(s, in, "type", arg.type_name[0] ? arg.type_name : NULL);
        json_text(s, in, "kind", arg.value_kind);
        json_text(s, in, "address_space", arg.address_space[0] ? arg.address_space : NULL);
        json_number(in, "offset", arg.offset);
        json_number(in, "size", arg.size);
        cli_printf("%s\"hidden\": %s\n        }", in, arg.hidden ? "true" : "false");
    }
    puts("\n      ],");
}

static void json_occupancy(struct shown *s, uint32_t kernel, uint32_t items)
{
    const struct profiles *profiles = &s->profiles;
    static const char in[] = "          ";
    struct gcnsim_occupancy occ = {0};

    fputs("      \"occupancy\": [", stdout);
    for (size_t i = 0; i < profiles->count; i++) {
        const char *name = profiles->list[i].name;
        struct gcnsim_error error = {0};
        bool fits = info_occupancy(s, kernel, name, items, &occ, &error);
        cli_printf("%s\n        {\n", i ? "," : "");
        json_text(s, in, "profile", name);
        json_number(in, "workgroup_items", items);
        json_stated(in, "waves_per_simd", occ.waves_per_simd, fits);
        json_stated(in, "workgroups_per_cu", occ.workgroups_per_cu, fits);
        json_stated(in, "cus", occ.cus, fits);
        json_stated(in, "vgprs", occ.vgprs_allocated, fits);
        json_stated(in, "agprs", occ.agprs_allocated, fits);
        json_stated(in, "sgprs", occ.sgprs_allocated, fits);
        json_stated(in, "lds_bytes", occ.lds_bytes_allocated, fits);
        cli_printf("%s\"limiter\": ", in);
        json_string(s, fits ? occ.limiter : NULL);
        if (!fits) {
            cli_printf(",\n%s\"error\": ", in);
            json_string(s, error.text);
        }
        fputs("\n        }", stdout);
    }
    puts(profiles->count ? "\n      ]" : "]");
}

static void json_kernel(struct shown *s, uint32_t index)
{
    static const char in[] = "      ";
    struct gcnsim_error error = {0};
    struct gcnsim_kernel_info k;
    char *plain = NULL;

    gcnsim_code_kernel(s->code, index, &k);
    puts("    {");
    json_text(s, in, "name", k.name);
    if (gcnsim_demangle(k.name, &plain, &error) != GCNSIM_OK)
        s->status = cli_library_error(&error);
    json_text(s, in, "demangled", plain);
    gcnsim_free(plain);
    json_text(s, in, "symbol", k.symbol);
    if (gcnsim_code_kernel_refused(s->code, index))
        json_text(s, in, "refused", gcnsim_code_kernel_refused(s->code, index));
    json_number(in, "code_offset", k.code_offset);
    json_stated(in, "code_size", k.code_size, k.code_size != 0);
    json_number(in, "wavefront_size", k.wavefront_size);
    json_number(in, "vgprs", k.vgprs);
    json_number(in, "agprs", k.agprs);
    json_number(in, "sgprs", k.sgprs);
    json_stated(in, "vgpr_count", k.vgpr_count, k.has_metadata);
    json_stated(in, "agpr_count", k.agpr_count, k.has_metadata);
    json_stated(in, "sgpr_count", k.sgpr_count, k.has_metadata);
    json_stated(in, "vgpr_spill_count", k.vgpr_spill_count, k.has_metadata);
    json_stated(in, "sgpr_spill_count", k.sgpr_spill_count, k.has_metadata);
    json_number(in, "lds_bytes", k.group_segment_fixed_size);
    json_number(in, "scratch_bytes_per_item", k.private_segment_fixed_size);
    cli_printf("%s\"dynamic_stack\": %s,\n", in, k.uses_dynamic_stack ? "true" : "false");
    json_stated(in, "max_workgroup_items", k.max_flat_workgroup_size, k.max_flat_workgroup_size != 0);
    if (k.reqd_workgroup_size[0])
        cli_printf("%s\"required_workgroup\": [%u, %u, %u],\n", in, k.reqd_workgroup_size[0], k.reqd_workgroup_size[1],
                   k.reqd_workgroup_size[2]);
    else
        cli_printf("%s\"required_workgroup\": null,\n", in);
    if (k.cluster_dims[0])
        cli_printf("%s\"cluster\": [%u, %u, %u],\n", in, k.cluster_dims[0], k.cluster_dims[1], k.cluster_dims[2]);
    else
        cli_printf("%s\"cluster\": null,\n", in);
    json_number(in, "kernarg_size", k.kernarg_size);
    json_args(s, index, &k);
    json_occupancy(s, index, info_occupancy_items(&k));
    fputs("    }", stdout);
}

static void json_registers(struct shown *s)
{
    uint32_t address, value;
    const char *name;

    fputs("  \"registers\": [", stdout);
    for (uint32_t i = 0; gcnsim_code_register(s->code, i, &address, &value, &name) == 0; i++) {
        cli_printf("%s\n    {\"address\": %u, \"value\": %u, \"name\": ", i ? "," : "", address, value);
        json_string(s, name[0] ? name : NULL);
        putchar('}');
    }
    puts("],");
}

static void json_all(struct shown *s)
{
    const struct gcnsim_code_info *info = &s->info;

    puts("{");
    json_text(s, "  ", "file", info->name);
    json_text(s, "  ", "target", info->target);
    json_text(s, "  ", "processor", info->processor);
    json_text(s, "  ", "instruction_set", gcnsim_instruction_set(info->processor));
    json_text(s, "  ", "where", info->where[0] ? info->where : NULL);
    json_text(s, "  ", "os", info->os);
    json_stated("  ", "code_object_version", info->code_object_version, info->code_object_version != 0);
    if (!info->code_object_version)
        json_registers(s);
    fputs("  \"kernels\": [", stdout);
    for (uint32_t i = 0, shown = 0; i < info->kernel_count; i++) {
        if (s->only != UINT32_MAX && s->only != i)
            continue;
        puts(shown++ ? "," : "");
        json_kernel(s, i);
    }
    puts(info->kernel_count ? "\n  ]\n}" : "]\n}");
}

/* ---- files with several code objects ---- */

/* One of them: its number, target, size, and how many kernels it has, or why it cannot be opened. */
static int list_one(struct gcnsim_code_list *list, uint32_t k, const struct gcnsim_code_entry *entry, bool json)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;
    struct gcnsim_code *code = NULL;
    struct shown s = {0};
    int rc = gcnsim_code_list_code(list, k, &code, &error);
    const char *dashes = strstr(entry->id, "-gfx");
    const char *target = dashes ? dashes + 1 : entry->id;

    if (code)
        gcnsim_code_get_info(code, &info);
    if (json) {
        static const char in[] = "      ";

        cli_printf("%s\n    {\n", k ? "," : "");
        json_number(in, "index", entry->index);
        json_text(&s, in, "id", entry->id);
        json_text(&s, in, "target", code ? info.target : NULL);
        if (!code)
            json_text(&s, in, "refused", error.text);
        json_number(in, "bytes", entry->bytes);
        json_text(&s, in, "where", code && info.where[0] ? info.where : NULL);
        cli_printf("%s\"kernels\": ", in);
        cli_printf(code ? "%u\n    }" : "null\n    }", code ? info.kernel_count : 0);
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
    return rc == GCNSIM_ERROR_NOMEM || rc == GCNSIM_ERROR_LIMIT ? cli_library_error(&error) : s.status;
}

static int list_all(struct gcnsim_code_list *list, const char *path, bool json)
{
    struct gcnsim_code_entry entry;
    uint32_t count = 0;
    int status = CLI_OK;

    while (gcnsim_code_list_entry(list, count, &entry) == GCNSIM_OK)
        count++;
    if (json) {
        struct shown s = {0};
        puts("{");
        json_text(&s, "  ", "file", path);
        fputs("  \"code_objects\": [", stdout);
        status = s.status;
    } else {
        cli_printf("%s: %u code objects; --index N or --kernel NAME shows one\n", path, count);
        cli_printf("%6s  %-26s %12s %8s\n", "index", "target", "bytes", "kernels");
    }
    for (uint32_t k = 0; gcnsim_code_list_entry(list, k, &entry) == GCNSIM_OK; k++) {
        int one = list_one(list, k, &entry, json);
        status = status ? status : one;
    }
    if (json)
        puts("\n  ]\n}");
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
static int refused_fidelity(const struct shown *s, uint32_t kernel, bool json)
{
    const char *why = gcnsim_code_kernel_refused(s->code, kernel);
    struct gcnsim_kernel_info k;
    int status;

    gcnsim_code_kernel(s->code, kernel, &k);
    if (json) {
        fputs("{\n      \"name\": ", stdout);
        status = cli_json_string(stdout, k.name);
        fputs(",\n      \"refused\": ", stdout);
        status = status ? status : cli_json_string(stdout, why);
        fputs("\n    }", stdout);
        return status;
    }
    fputs("fidelity of ", stdout);
    cli_put_name(k.name, 0);
    fputs(": refused, ", stdout);
    cli_put_name(why, 0);
    putchar('\n');
    return CLI_OK;
}

static int kernel_fidelity(const struct shown *s, uint32_t kernel, const struct info_options *o)
{
    struct gcnsim_error error = {0};
    char *text;

    if (gcnsim_code_fidelity(s->code, kernel, o->arch, o->json ? GCNSIM_JSON : GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    int status = cli_put(text);
    gcnsim_free(text);
    return status;
}

/* How far the kernels can be believed. Those that cannot be shown are an error, and so is the one asked for when it is
 * refused. */
static int show_fidelity(const struct shown *s, const struct info_options *o)
{
    int status = CLI_OK;

    if (o->json) {
        fputs("{\n  \"file\": ", stdout);
        status = cli_json_string(stdout, s->info.name);
        fputs(",\n  \"kernels\": [", stdout);
    }
    for (uint32_t k = 0, shown = 0; k < s->info.kernel_count && status == CLI_OK; k++) {
        bool alone = s->only == k, refused = gcnsim_code_kernel_refused(s->code, k) != NULL;

        if (s->only != UINT32_MAX && !alone)
            continue;
        cli_printf("%s%s", !shown ? "" : o->json ? "," : "\n", o->json ? "\n    " : "");
        shown++;
        status = refused && !alone ? refused_fidelity(s, k, o->json) : kernel_fidelity(s, k, o);
    }
    if (o->json)
        puts(s->info.kernel_count ? "\n  ]\n}" : "]\n}");
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

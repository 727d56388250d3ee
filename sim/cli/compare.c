/* gcnsim compare: sequences of instructions beside one another. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/compare_pieces.h"
#include "sim/cli/options.h"
#include "sim/util/json_put.h"

struct compare_options {
    struct gcnsim_compare_options lib;
    const char *clang, *kernel;
    uint32_t workgroup[3];
    int wave; /* place of its word; -1: the usual */
    struct option_list args, sets;
    bool json, wrapped;
    bool mca, all_views, instruction_info, resource_pressure, critical_path, timeline;
    uint32_t iterations; /* of the timeline */
    int progress;        /* enum cli_progress_when */
};

static uint32_t wave_size(const struct compare_options *o)
{
    return o->wave < 0 ? 0 : o->wave == 0 ? 32 : 64;
}

/* ---- the comparison ---- */

static int print(const struct gcnsim_comparison *c, bool json)
{
    struct gcnsim_error error = {0};
    char *text = NULL;

    if ((json ? gcnsim_comparison_json : gcnsim_comparison_text)(c, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    int status = cli_put(text);
    gcnsim_free(text);
    return status;
}

/* The views that are asked for; 0: none, the table. */
static unsigned views_of(const struct compare_options *o)
{
    unsigned views = (o->instruction_info ? GCNSIM_ANALYSIS_INSTRUCTIONS : 0) |
                     (o->resource_pressure ? GCNSIM_ANALYSIS_PRESSURE : 0) |
                     (o->critical_path ? GCNSIM_ANALYSIS_CRITICAL_PATH : 0) |
                     (o->timeline ? GCNSIM_ANALYSIS_TIMELINE : 0);

    if (o->mca)
        views |= GCNSIM_ANALYSIS_ALL & ~(unsigned)GCNSIM_ANALYSIS_TIMELINE;
    if (o->all_views)
        views |= GCNSIM_ANALYSIS_ALL;
    return views ? views | GCNSIM_ANALYSIS_SUMMARY : 0;
}

/* One piece of several: an element of *json, or text (null) with an empty line before those after the first. */
static int analyze_one(const struct compare_options *o, const struct gcnsim_compare_item *item, unsigned views,
                       struct json_put *json, bool first)
{
    struct gcnsim_analysis *a = NULL;
    struct gcnsim_error error = {0};
    char *text = NULL;
    int status = CLI_OK;

    if (gcnsim_analyze(item, &o->lib, &a, &error) != GCNSIM_OK ||
        (json ? gcnsim_analysis_json(a, &text, &error)
              : gcnsim_analysis_text(a, views, o->iterations, &text, &error)) != GCNSIM_OK) {
        status = cli_library_error(&error);
    } else if (json) {
        json_put(json, "\n");
        fputs(text, json_put_raw(json));
    } else {
        cli_printf("%s%s", first ? "" : "\n", text);
    }
    gcnsim_free(text);
    gcnsim_analysis_free(a);
    return status;
}

static int analyze(const struct compare_options *o, const struct gcnsim_compare_item *items, size_t count,
                   unsigned views)
{
    struct json_put j = {.f = stdout};
    int status = CLI_OK;

    if (o->json)
        json_put(&j, "{analyses: [");
    for (size_t k = 0; k < count && status == CLI_OK; k++)
        status = analyze_one(o, &items[k], views, o->json ? &j : NULL, k == 0);
    if (o->json && status == CLI_OK)
        json_put(&j, "]}\n");
    return status == CLI_OK ? cli_flush() : status;
}

static int run(struct compare_options *o, const struct pieces *p)
{
    struct gcnsim_compare_item *items = calloc(p->count, sizeof *items);
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error error = {0};
    struct cli_progress progress;

    if (!items)
        return cli_error("out of memory");
    for (size_t k = 0; k < p->count; k++) {
        gcnsim_compare_item_init(&items[k]);
        items[k].label = p->at[k].label;
        items[k].bytes = p->at[k].bytes;
        items[k].size = p->at[k].size;
        items[k].kernel = o->kernel;
        items[k].args = o->args.items;
        items[k].arg_count = o->args.count;
        memcpy(items[k].workgroup_size, o->workgroup, sizeof o->workgroup);
    }
    cli_catch_interrupts();
    cli_progress_start(&progress, (enum cli_progress_when)o->progress);
    progress.parts = true;
    o->lib.progress = cli_progress_update;
    o->lib.progress_ctx = &progress;
    o->lib.sets = o->sets.items;
    o->lib.set_count = o->sets.count;
    o->lib.abort_flag = &cli_interrupted;
    if (views_of(o)) {
        int status = analyze(o, items, p->count, views_of(o));
        cli_progress_end(&progress);
        free(items);
        return status;
    }
    int rc = gcnsim_compare(items, p->count, &o->lib, &c, &error);
    cli_progress_end(&progress);
    free(items);
    if (rc != GCNSIM_OK)
        return cli_library_error(&error);
    int status = print(c, o->json);
    gcnsim_comparison_free(c);
    return status;
}

static int compare(struct compare_options *o, char **paths, size_t count)
{
    struct pieces pieces = {.clang = o->clang, .kernel = o->kernel, .wave = wave_size(o), .wrapped = o->wrapped};
    struct gcnsim_profile_info profile;
    struct gcnsim_error error = {0};
    int status = CLI_OK;

    if (gcnsim_profile_find(o->lib.profile, &profile, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    pieces.target = profile.target;
    for (size_t k = 0; k < count && status == CLI_OK; k++)
        status = pieces_read(&pieces, paths[k]);
    if (status == CLI_OK)
        status = o->wrapped ? cli_flush() : run(o, &pieces);
    pieces_free(&pieces);
    return status;
}

/* ---- options ---- */

#define AT(field) offsetof(struct compare_options, field)

static const struct option_row rows[] = {
    {"arch", "PROFILE", OPTION_TEXT, AT(lib.profile), .complete = COMPLETE_PROFILES,
     .help = "a profile's name, target or FILE.json (gcnsim arch list)"},
    {"wave", "32|64", OPTION_WORD, AT(wave), .words = "32|64",
     .help = "wave size of sequences; by default the target's usual"},
    {"kernel", "NAME", OPTION_TEXT, AT(kernel), .complete = COMPLETE_KERNELS,
     .help = "of code objects with several kernels"},
    {"workgroup", "X[,Y[,Z]]", OPTION_TRIPLE, AT(workgroup), .unit = "work-items",
     .help = "of kernels; by default what they require, else one wave"},
    {"arg", "SPEC", OPTION_LIST, AT(args), .complete = COMPLETE_SPECS,
     .help = "one for each explicit argument of kernels, as for gcnsim run; by default 1 MiB for each pointer and "
             "zeros"},
    {"max-waves", "N", OPTION_COUNT, AT(lib.max_waves), .least = 1, .help = "at most N waves per SIMD"},
    {"max-cycles", "N", OPTION_NUMBER, AT(lib.max_cycles), .least = 1, .help = "give up when a run takes more cycles"},
    {"max-instructions", "N", OPTION_NUMBER, AT(lib.max_instructions), .least = 1,
     .help = "or more wave-instructions (default 100000000)"},
    CLI_OPTION_MAX_MEMORY(AT(lib.max_memory), "what would hold more"),
    OPTION_SET_OF_PROFILE(AT(sets)),
    {"mca", NULL, OPTION_FLAG, AT(mca),
     .help = "in place of the table an analysis of each sequence: latency, throughput, IPC, bottleneck; instructions; "
             "pressure on units; the critical path"},
    {"all-views", NULL, OPTION_FLAG, AT(all_views), .help = "--mca and --timeline"},
    {"instruction-info", NULL, OPTION_FLAG, AT(instruction_info), .help = "of these the instructions"},
    {"resource-pressure", NULL, OPTION_FLAG, AT(resource_pressure), .help = "the pressure on units"},
    {"critical-path", NULL, OPTION_FLAG, AT(critical_path), .help = "the chain of dependences that sets the latency"},
    {"timeline", NULL, OPTION_FLAG, AT(timeline), .help = "the first iterations of one wave, cycle by cycle"},
    {"iterations", "N", OPTION_COUNT, AT(iterations), .least = 1, .most = 100, .help = "so many of them (default 3)"},
    {"waves", "N", OPTION_COUNT, AT(lib.max_waves), .least = 1, .help = "the same as --max-waves"},
    CLI_OPTION_JSON(AT(json)),
    {"wrapped", NULL, OPTION_FLAG, AT(wrapped), .help = "print the loop made of each sequence; run nothing"},
    CLI_OPTION_CLANG(AT(clang)),
    CLI_OPTION_PROGRESS(AT(progress)),
    {.kind = OPTION_END},
};

const struct cli_command cli_command_compare = {
    .name = "compare",
    .summary = "puts the costs of pieces of code side by side",
    .usage = "compare --arch PROFILE FILE...",
    .about =
        "Runs pieces of code on one compute unit and prints their costs side by side. FILE is assembly, which "
        "clang-19 assembles for the profile's target, LLVM IR with kernels, or a code object; - is standard input. "
        "Regions between comments "
        "LLVM-MCA-BEGIN [name] and LLVM-MCA-END [name] are compared with one another; they may be parts of any code, "
        "of a compiler's output for instance. A kernel (.amdhsa_kernel) is run as it is. "
        "Instructions without a kernel are put into a loop: all of them, or those behind a label 'loop', with the "
        "code before it run once as set-up. Registers hold\n"
        "  s[0:1]  address of a buffer of 1 MiB     s2  number of the wave\n"
        "  v0      4 * lane     other VGPRs  0x3c003c00     LDS  1 KiB where used\n"
        "Cycles are differences between loops of two lengths run for two counts, so that neither launch nor loop is "
        "in them.",
    .options = rows,
    .sections = {{"exit status",
                  "0\tcompared\n"
                  "1\tone of them faulted, reached --max-cycles or --max-instructions or was interrupted\n"
                  "2\tbad input or usage, or more memory than there is or --max-memory allows\n"
                  "3\tnot everything could be written"}},
    .run = cli_compare,
    .operands = COMPLETE_FILES,
};

int cli_compare(int argc, char **argv)
{
    struct compare_options o = {.clang = "clang-19", .progress = CLI_PROGRESS_AUTO, .wave = -1};
    bool done = false;

    gcnsim_compare_options_init(&o.lib);
    o.lib.max_memory = cli_default_memory();
    int status = cli_options_read(&cli_command_compare, argc, argv, &o, &done);
    if (!done && !o.lib.profile)
        status = cli_usage("compare", "--arch is missing; expected a profile (gcnsim arch list)");
    else if (!done && argc == optind)
        status = cli_usage("compare", "no files given; expected assembly or code objects");
    else if (!done)
        status = compare(&o, argv + optind, (size_t)(argc - optind));
    cli_options_free(&cli_command_compare, &o);
    return status;
}

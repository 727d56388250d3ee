/* gcnsim compare: sequences of instructions beside one another. */
#include "sim/cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] = "usage: gcnsim compare --arch PROFILE FILE...\n"
                           "\n"
                           "Runs pieces of code on one compute unit and prints their costs side by side.\n"
                           "FILE is assembly, which clang-19 assembles for the profile's target, or a code\n"
                           "object. A kernel (.amdhsa_kernel) is run as it is. Instructions without a kernel\n"
                           "are put into a loop: all of them, or those behind a label 'loop', with the\n"
                           "code before it run once as set-up. Registers hold\n"
                           "  s[0:1]  address of a buffer of 1 MiB     s2  number of the wave\n"
                           "  v0      4 * lane     other VGPRs  0x3c003c00     LDS  1 KiB where used\n"
                           "Cycles are differences between loops of two lengths run for two counts, so that\n"
                           "neither launch nor loop is in them.\n"
                           "\n"
                           "  --arch PROFILE        a profile's name, target or FILE.json (gcnsim arch list)\n"
                           "  --wave 32|64          wave size of sequences; by default the target's usual\n"
                           "  --kernel NAME         of code objects with several kernels\n"
                           "  --workgroup X[,Y[,Z]] of kernels; by default what they require, else one wave\n"
                           "  --arg SPEC            one for each explicit argument of kernels, as for gcnsim\n"
                           "                        run; by default 1 MiB for each pointer and zeros\n"
                           "  --max-waves N         at most N waves per SIMD\n"
                           "  --max-cycles N        give up when a run takes more cycles\n"
                           "  --max-instructions N  or more wave-instructions (default 100000000)\n"
                           "  --max-memory BYTES    refuse what would hold more, K, M, G or T behind it\n"
                           "                        (default: three quarters of the host's memory)\n"
                           "  --set PATH=VALUE      replace one figure of the profile (gcnsim arch show)\n"
                           "  --json                as JSON\n"
                           "  --wrapped             print the loop made of each sequence; run nothing\n"
                           "  --clang PROGRAM       assembler to use instead of clang-19\n"
                           "  --progress auto|always|never\n"
                           "                        a bar on stderr; auto: on a terminal, for long work\n"
                           "\n"
                           "exit status: 0 compared; 1 one of them faulted, reached --max-cycles or\n"
                           "--max-instructions or was interrupted; 2 bad input or usage, or more memory\n"
                           "than there is or --max-memory allows; 3 not everything could be written\n";

struct compare_options {
    struct gcnsim_compare_options lib;
    const char *clang, *kernel;
    uint32_t workgroup[3], wave;
    const char **args, **sets;
    size_t arg_count;
    bool json, wrapped;
    enum cli_progress_when progress;
};

/* ---- files ---- */

struct piece {
    uint8_t *bytes;
    size_t size;
    char *label;
};

/* The file's name without folder and ending. */
static char *label_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    char *label = strdup(name);
    char *dot = label ? strrchr(label, '.') : NULL;

    if (dot && dot != label)
        *dot = 0;
    return label;
}

static bool is_code_object(const uint8_t *bytes, size_t size)
{
    static const char *const starts[] = {"\177ELF", "__CLANG_OFFLOAD_BUNDLE__", "CCOB"};

    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (size >= strlen(starts[k]) && memcmp(bytes, starts[k], strlen(starts[k])) == 0)
            return true;
    return false;
}

/* A sequence becomes a loop: its bytes are replaced. */
static int wrap(const struct compare_options *o, const char *target, const char *path, struct piece *p)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;
    struct gcnsim_code *code = NULL;
    char *text = NULL;
    uint8_t *bytes = NULL;
    int status = CLI_OK;

    if (gcnsim_code_open_memory(&code, p->bytes, p->size, path, target, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_code_get_info(code, &info);
    if (info.kernel_count == 0) {
        if (gcnsim_compare_wrap(code, path, o->wave, &text, &error) != GCNSIM_OK)
            status = cli_library_error(&error);
        else if (o->wrapped)
            fputs(text, stdout);
        else
            status = cli_assemble_text(o->clang, target, o->wave, path, text, &bytes, &p->size);
    }
    if (bytes) {
        free(p->bytes);
        p->bytes = bytes;
    }
    gcnsim_free(text);
    gcnsim_code_close(code);
    return status;
}

static int read_piece(const struct compare_options *o, const char *target, const char *path, struct piece *p)
{
    int status = CLI_OK;

    p->label = label_of(path);
    if (!p->label)
        return cli_error("out of memory");
    p->bytes = cli_read_file(path, &p->size);
    if (!p->bytes)
        return CLI_BAD_INPUT;
    if (!is_code_object(p->bytes, p->size)) {
        struct stat st;
        if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) /* what a pipe held has been read */
            return cli_error("%s: a pipe; expected assembly in a regular file", path);
        free(p->bytes);
        p->bytes = NULL;
        status = cli_assemble_file(o->clang, target, o->wave, path, &p->bytes, &p->size);
    }
    return status == CLI_OK ? wrap(o, target, path, p) : status;
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

static int run(struct compare_options *o, const struct piece *pieces, size_t count)
{
    struct gcnsim_compare_item *items = calloc(count, sizeof *items);
    struct gcnsim_comparison *c = NULL;
    struct gcnsim_error error = {0};
    struct cli_progress progress;

    if (!items)
        return cli_error("out of memory");
    for (size_t k = 0; k < count; k++) {
        items[k] = (struct gcnsim_compare_item){.label = pieces[k].label,
                                                .bytes = pieces[k].bytes,
                                                .size = pieces[k].size,
                                                .kernel = o->kernel,
                                                .args = o->arg_count ? o->args : NULL,
                                                .arg_count = o->arg_count};
        memcpy(items[k].workgroup_size, o->workgroup, sizeof o->workgroup);
    }
    cli_catch_interrupts();
    cli_progress_start(&progress, o->progress);
    o->lib.progress = cli_progress_update;
    o->lib.progress_ctx = &progress;
    o->lib.abort_flag = &cli_interrupted;
    int rc = gcnsim_compare(items, count, &o->lib, &c, &error);
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
    struct piece *pieces = calloc(count, sizeof *pieces);
    struct gcnsim_profile_info profile;
    struct gcnsim_error error = {0};
    int status = CLI_OK;

    if (!pieces)
        return cli_error("out of memory");
    if (gcnsim_profile_find(o->lib.profile, &profile, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    for (size_t k = 0; k < count && status == CLI_OK; k++)
        status = read_piece(o, profile.target, paths[k], &pieces[k]);
    if (status == CLI_OK)
        status = o->wrapped ? cli_flush() : run(o, pieces, count);
    for (size_t k = 0; k < count; k++) {
        free(pieces[k].bytes);
        free(pieces[k].label);
    }
    free(pieces);
    return status;
}

/* ---- options ---- */

enum { OPT_ARCH = 256, OPT_WAVE, OPT_KERNEL, OPT_WORKGROUP, OPT_ARG, OPT_MAX_WAVES, OPT_MAX_CYCLES };
enum { OPT_MAX_INSTRUCTIONS = 300, OPT_MAX_MEMORY, OPT_SET, OPT_JSON, OPT_WRAPPED, OPT_CLANG, OPT_PROGRESS };

static int number(const char *option, const char *text, uint64_t most, uint64_t *value)
{
    if (cli_number(text, most, value) && *value)
        return CLI_OK;
    return cli_usage("compare", "%s: '%s'; expected a whole number from 1 on", option, text);
}

static int take_option(struct compare_options *o, int option, const char *value)
{
    static const char *const whens[] = {"auto", "always", "never"};
    int status = CLI_OK;
    uint64_t n = 0;
    size_t k = 0;

    switch (option) {
    case OPT_ARCH:
        o->lib.profile = value;
        break;
    case OPT_WAVE:
        if (strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
            return cli_usage("compare", "--wave: '%s'; expected 32 or 64", value);
        o->wave = value[0] == '3' ? 32 : 64;
        break;
    case OPT_KERNEL:
        o->kernel = value;
        break;
    case OPT_WORKGROUP:
        if (!cli_triple(value, o->workgroup))
            return cli_usage("compare",
                             "--workgroup: '%s'; expected X[,Y[,Z]], whole numbers of work-items from 1 to 4294967295",
                             value);
        break;
    case OPT_ARG:
        o->args[o->arg_count++] = value;
        break;
    case OPT_MAX_WAVES:
        status = number("--max-waves", value, UINT32_MAX, &n);
        o->lib.max_waves = (uint32_t)n;
        break;
    case OPT_MAX_CYCLES:
        status = number("--max-cycles", value, UINT64_MAX, &o->lib.max_cycles);
        break;
    case OPT_MAX_INSTRUCTIONS:
        status = number("--max-instructions", value, UINT64_MAX, &o->lib.max_instructions);
        break;
    case OPT_MAX_MEMORY:
        if (!cli_bytes(value, &o->lib.max_memory))
            return cli_usage("compare", "--max-memory: '%s'; expected %s", value, CLI_BYTES_EXPECTED);
        break;
    case OPT_SET:
        if (!strchr(value, '=') || value[0] == '=')
            return cli_usage("compare", "--set: '%s'; expected PATH=VALUE", value);
        o->sets[o->lib.set_count++] = value;
        break;
    case OPT_JSON:
        o->json = true;
        break;
    case OPT_WRAPPED:
        o->wrapped = true;
        break;
    case OPT_CLANG:
        o->clang = value;
        break;
    case OPT_PROGRESS:
        while (k < 3 && strcmp(value, whens[k]) != 0)
            k++;
        if (k == 3)
            return cli_usage("compare", "--progress: '%s'; expected auto, always or never", value);
        o->progress = (enum cli_progress_when)k;
        break;
    }
    return status;
}

int cli_compare(int argc, char **argv)
{
    static const struct option options[] = {
        {"arch", required_argument, NULL, OPT_ARCH},
        {"wave", required_argument, NULL, OPT_WAVE},
        {"kernel", required_argument, NULL, OPT_KERNEL},
        {"workgroup", required_argument, NULL, OPT_WORKGROUP},
        {"arg", required_argument, NULL, OPT_ARG},
        {"max-waves", required_argument, NULL, OPT_MAX_WAVES},
        {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
        {"max-instructions", required_argument, NULL, OPT_MAX_INSTRUCTIONS},
        {"max-memory", required_argument, NULL, OPT_MAX_MEMORY},
        {"set", required_argument, NULL, OPT_SET},
        {"json", no_argument, NULL, OPT_JSON},
        {"wrapped", no_argument, NULL, OPT_WRAPPED},
        {"clang", required_argument, NULL, OPT_CLANG},
        {"progress", required_argument, NULL, OPT_PROGRESS},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct compare_options o = {.clang = "clang-19", .progress = CLI_PROGRESS_AUTO};
    int status = CLI_OK, c;

    gcnsim_compare_options_init(&o.lib);
    o.lib.max_memory = cli_default_memory();
    /* no more of either than there are words */
    o.args = calloc((size_t)argc, sizeof *o.args);
    o.sets = calloc((size_t)argc, sizeof *o.sets);
    if (!o.args || !o.sets) {
        status = cli_error("out of memory");
        goto out;
    }
    o.lib.sets = o.sets;
    opterr = 0;
    while (status == CLI_OK && (c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            status = cli_flush();
            goto out;
        }
        status = c == '?' || c == ':' ? cli_bad_option("compare", c, argv) : take_option(&o, c, optarg);
    }
    if (status == CLI_OK && !o.lib.profile)
        status = cli_usage("compare", "--arch is missing; expected a profile (gcnsim arch list)");
    if (status == CLI_OK && argc == optind)
        status = cli_usage("compare", "no files given; expected assembly or code objects");
    if (status == CLI_OK)
        status = compare(&o, argv + optind, (size_t)(argc - optind));
out:
    free(o.args);
    free(o.sets);
    return status;
}

/* gcnsim arch: the profiles. */
#include "sim/cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int list(void)
{
    struct gcnsim_profile_info info;

    for (uint32_t i = 0; gcnsim_profile_list(i, &info) == 0; i++)
        cli_printf("%c %-22s %-10s %s\n", info.is_default ? '*' : ' ', info.name, info.target, info.chip);
    return cli_flush();
}

struct arch_options {
    bool json;
    struct option_list sets;
};

#define AT(field) offsetof(struct arch_options, field)

static const struct option_row rows[] = {
    {"json", NULL, OPTION_FLAG, AT(json), .help = "as JSON, which --arch FILE.json reads again"},
    {"set", "PATH=VALUE", OPTION_LIST, AT(sets), .pair = true, .complete = COMPLETE_FIGURES,
     .help = "with a value replaced, as for gcnsim run"},
    {.kind = OPTION_END},
};

const struct cli_command cli_command_arch = {
    .name = "arch",
    .summary = "lists the profiles of chips, or shows the figures of one",
    .usage = "arch list\n"
             "arch show NAME|TARGET|FILE.json [PATTERN...] [--json]\n"
             "     [--set PATH=VALUE]...",
    .about =
        "list\tthe built-in profiles; * is what the bare target name means\n"
        "show\ta profile with all it extends, each number with its unit, source and confidence; with patterns, only "
        "the figures that one of them matches: a path, a group (cache.l2), or either with * ('cache.*.mshrs')",
    .options = rows,
    .run = cli_arch,
    .verbs = "list|show",
    .operands = COMPLETE_PROFILES,
};

static int show(const struct arch_options *o, const char *name, char **patterns, int count)
{
    struct gcnsim_error error = {0};
    char *text = NULL;

    if (gcnsim_profile_show_matching(name, o->sets.items, o->sets.count, (const char *const *)patterns, (size_t)count,
                                     o->json ? GCNSIM_JSON : GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    int status = cli_put(text);
    gcnsim_free(text);
    return status;
}

static int act(const struct arch_options *o, int argc, char **argv)
{
    const char *verb = argc ? argv[0] : "";

    if (strcmp(verb, "list") == 0) {
        if (argc > 1 || o->sets.count || o->json)
            return cli_usage("arch", "arch list takes no arguments and no options");
        return list();
    }
    if (strcmp(verb, "show") == 0) {
        if (argc < 2)
            return cli_usage("arch", "arch show: no name given; expected a profile");
        return show(o, argv[1], argv + 2, argc - 2);
    }
    return cli_usage("arch", "arch %s: no such action; expected list or show", verb);
}

int cli_arch(int argc, char **argv)
{
    struct arch_options o = {0};
    bool done = false;
    int status = cli_options_read(&cli_command_arch, argc, argv, &o, &done);

    if (!done)
        status = act(&o, argc - optind, argv + optind);
    cli_options_free(&cli_command_arch, &o);
    return status;
}

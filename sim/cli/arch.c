/* gcnsim arch: the profiles. */
#include "sim/cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: gcnsim arch list\n"
                           "       gcnsim arch show NAME|TARGET|FILE.json [PATTERN...] [--json]\n"
                           "                        [--set PATH=VALUE]...\n"
                           "\n"
                           "list  the built-in profiles; * is what the bare target name means\n"
                           "show  a profile with all it extends, each number with its unit, source\n"
                           "      and confidence; with patterns, only the figures that one of them matches:\n"
                           "      a path, a group (cache.l2), or either with * ('cache.*.mshrs')\n"
                           "\n"
                           "  --json            as JSON, which --arch FILE.json reads again\n"
                           "  --set PATH=VALUE  with a value replaced, as for gcnsim run\n";

static int list(void)
{
    struct gcnsim_profile_info info;

    for (uint32_t i = 0; gcnsim_profile_list(i, &info) == 0; i++)
        printf("%c %-22s %-10s %s\n", info.is_default ? '*' : ' ', info.name, info.target, info.chip);
    return cli_flush();
}

int cli_arch(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    enum gcnsim_format format = GCNSIM_TEXT;
    struct gcnsim_error error = {0};
    const char **sets = calloc((size_t)argc, sizeof *sets);
    size_t set_count = 0;
    char *text = NULL;
    int status, c;

    if (!sets)
        return cli_error("out of memory");
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        switch (c) {
        case 'j':
            format = GCNSIM_JSON;
            break;
        case 's':
            sets[set_count++] = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            status = cli_flush();
            goto out;
        default:
            status = cli_bad_option("arch", c, argv);
            goto out;
        }
    }
    const char *verb = optind < argc ? argv[optind] : "";
    int rest = argc - optind - 1;
    if (strcmp(verb, "list") == 0) {
        if (rest > 0 || set_count || format == GCNSIM_JSON)
            status = cli_usage("arch", "arch list takes no arguments and no options");
        else
            status = list();
    } else if (strcmp(verb, "show") == 0) {
        if (rest < 1)
            status = cli_usage("arch", "arch show: no name given; expected a profile");
        else if (gcnsim_profile_show_matching(argv[optind + 1], sets, set_count, (const char *const *)argv + optind + 2,
                                              (size_t)rest - 1, format, &text, &error) != GCNSIM_OK)
            status = cli_library_error(&error);
        else
            status = cli_put(text);
    } else {
        status = cli_usage("arch", "arch %s: no such action; expected list or show", verb);
    }
out:
    gcnsim_free(text);
    free(sets);
    return status;
}

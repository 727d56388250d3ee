/* gcnsim isa: the instructions of a target. */
#include "sim/cli/cli.h"

#include <getopt.h>
#include <string.h>

static const char help[] = "usage: gcnsim isa list --target NAME [--json]\n"
                           "\n"
                           "Lists every instruction gcnsim knows on a target: mnemonic, format, opcode,\n"
                           "pipeline class, forms, operands (read <, written >) and whether it is executed.\n"
                           "The last line counts them.\n";

static void print_text(const struct gcnsim_isa_entry *e)
{
    printf("%-34s %-8s 0x%03x  %-12s %-4s ", e->mnemonic, e->format, e->opcode, e->unit, e->executed ? "yes" : "no");
    for (uint32_t k = 0; k < e->form_count; k++)
        printf("%s%s", k ? "," : "", e->forms[k]);
    for (uint32_t k = 0; k < e->operand_count; k++) {
        const struct gcnsim_isa_operand *o = &e->operands[k];
        printf(" %s%s%s:%s", o->write ? ">" : "", o->read ? "<" : "", o->field, o->type);
    }
    putchar('\n');
}

static void print_json(const struct gcnsim_isa_entry *e, bool first)
{
    printf("%s\n  {\"mnemonic\": \"%s\", \"format\": \"%s\", \"opcode\": %u, \"class\": \"%s\", \"implemented\": %s, "
           "\"forms\": [",
           first ? "" : ",", e->mnemonic, e->format, e->opcode, e->unit, e->executed ? "true" : "false");
    for (uint32_t k = 0; k < e->form_count; k++)
        printf("%s\"%s\"", k ? ", " : "", e->forms[k]);
    printf("], \"operands\": [");
    for (uint32_t k = 0; k < e->operand_count; k++) {
        const struct gcnsim_isa_operand *o = &e->operands[k];
        printf("%s{\"field\": \"%s\", \"type\": \"%s\", \"read\": %s, \"write\": %s}", k ? ", " : "", o->field, o->type,
               o->read ? "true" : "false", o->write ? "true" : "false");
    }
    printf("]}");
}

static int list(const char *target, bool json)
{
    struct gcnsim_disasm *d;
    struct gcnsim_isa_entry e;
    struct gcnsim_error error = {0};
    uint32_t n, executed = 0;

    if (gcnsim_disasm_open(&d, target, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (json)
        putchar('[');
    for (n = 0; gcnsim_isa_entry(d, n, &e) == GCNSIM_OK; n++) {
        executed += e.executed != 0;
        if (json)
            print_json(&e, n == 0);
        else
            print_text(&e);
    }
    if (json)
        printf("\n]\n");
    else
        printf("%s: %u instructions, %u executed\n", target, n, executed);
    gcnsim_disasm_close(d);
    return cli_flush();
}

int cli_isa(int argc, char **argv)
{
    static const struct option options[] = {
        {"target", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *target = NULL;
    bool json = false;
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        switch (c) {
        case 't':
            target = optarg;
            break;
        case 'j':
            json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return cli_flush();
        default:
            return cli_bad_option("isa", c, argv);
        }
    }
    const char *verb = optind < argc ? argv[optind] : "";
    if (strcmp(verb, "list") != 0)
        return cli_usage("isa", "isa %s: no such action; expected list", verb);
    if (argc - optind > 1)
        return cli_usage("isa", "isa list takes no arguments");
    if (!target)
        return cli_usage("isa", "isa list: --target is missing");
    return list(target, json);
}

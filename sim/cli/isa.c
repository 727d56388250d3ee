/* gcnsim isa: lists the instructions of a target, or shows one of them. */
#include "sim/cli/options.h"

#include <getopt.h>
#include <string.h>

#include "sim/util/json_put.h"

/* The column about execution: "tested", "yes", what it needs, or "no". */
static const char *status(const struct gcnsim_isa_entry *e)
{
    if (e->executed)
        return e->tested ? "tested" : "yes";
    return e->beyond ? e->beyond : "no";
}

static void print_text(const struct gcnsim_isa_entry *e)
{
    cli_printf("%-34s %-8s 0x%03x  %-12s %-7s ", e->mnemonic, e->format, e->opcode, e->unit, status(e));
    for (uint32_t k = 0; k < e->form_count; k++)
        cli_printf("%s%s", k ? "," : "", e->forms[k]);
    for (uint32_t k = 0; k < e->operand_count; k++) {
        const struct gcnsim_isa_operand *o = &e->operands[k];
        cli_printf(" %s%s%s:%s", o->write ? ">" : "", o->read ? "<" : "", o->field, o->type);
    }
    putchar('\n');
}

static void print_json(struct json_put *j, const struct gcnsim_isa_entry *e)
{
    json_put(j, "{mnemonic: %s, format: %s, opcode: %u, class: %s, implemented: %hhd, tested: %hhd, out_of_scope: %s",
             e->mnemonic, e->format, e->opcode, e->unit, e->executed, e->tested, e->beyond);
    json_put(j, e->ulp < 0 ? "ulp: null, forms: [" : "ulp: %g, forms: [", e->ulp);
    for (uint32_t k = 0; k < e->form_count; k++)
        json_put(j, "%s", e->forms[k]);
    json_put(j, "], operands: [");
    for (uint32_t k = 0; k < e->operand_count; k++) {
        const struct gcnsim_isa_operand *o = &e->operands[k];
        json_put(j, "{field: %s, type: %s, read: %hhd, write: %hhd}", o->field ? o->field : "", o->type, o->read,
                 o->write);
    }
    json_put(j, "]}");
}

static int list(const char *target, bool json)
{
    struct gcnsim_disasm *d;
    struct gcnsim_isa_entry e;
    struct gcnsim_error error = {0};
    struct json_put j = {.f = stdout};
    uint32_t n, executed = 0, tested = 0, beyond = 0;

    if (gcnsim_disasm_open(&d, target, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    if (json)
        json_put(&j, "[\n");
    for (n = 0; gcnsim_isa_entry(d, n, &e) == GCNSIM_OK; n++) {
        executed += e.executed != 0;
        tested += e.tested != 0;
        beyond += e.beyond != NULL;
        if (json)
            print_json(&j, &e);
        else
            print_text(&e);
    }
    if (json)
        json_put(&j, "]\n");
    else
        cli_printf("%s: %u instructions, %u executed, %u of them tested, %u out of scope, %u missing\n", target, n,
                   executed, tested, beyond, n - executed - beyond);
    gcnsim_disasm_close(d);
    return cli_flush();
}

static int show(const char *name, const char *target, const char *arch, bool json)
{
    struct gcnsim_error error = {0};
    char *text;

    if (gcnsim_isa_show(name, target, arch, json ? GCNSIM_JSON : GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    int shown = cli_put(text);
    gcnsim_free(text);
    return shown;
}

struct isa_options {
    const char *target, *arch;
    bool json;
};

#define AT(field) offsetof(struct isa_options, field)

static const struct option_row rows[] = {
    {"target", "NAME", OPTION_TEXT, AT(target), .complete = COMPLETE_TARGETS, .help = "a processor: gfx90a"},
    {"arch", "PROFILE", OPTION_TEXT, AT(arch), .complete = COMPLETE_PROFILES,
     .help = "show: with the figures of a profile (gcnsim arch list) that decide its timing"},
    CLI_OPTION_JSON(AT(json)),
    {.kind = OPTION_END},
};

const struct cli_command cli_command_isa = {
    .name = "isa",
    .summary = "lists the instructions of a target, or shows one of them",
    .usage = "isa list --target NAME [--json]\n"
             "isa show MNEMONIC [--arch PROFILE | --target NAME] [--json]",
    .about =
        "list prints every instruction that gcnsim knows on a target: mnemonic, format, opcode, pipeline class, "
        "whether it is executed and tested, forms, operands (read <, written >). Tested: gcnsim's own tests run it "
        "in every form against known results. An instruction that is not executed names what it needs: images "
        "(samplers and rays too), export (interpolation too), gds. The last line counts them. ulp in JSON: how far a "
        "chip's result may be off the exact one, in units in the last place, where the manual promises an "
        "approximation "
        "alone (0: exact; null: no bound is known).\n"
        "\n"
        "show prints one instruction: its encodings on each target that has it (or on one), legal forms and "
        "modifiers, operands, implicit registers, wait counters raised; with --arch also the profile's figures that "
        "decide when it issues and when its result is ready, each with confidence and source.",
    .options = rows,
    .run = cli_isa,
    .verbs = "list|show",
    .operands = COMPLETE_INSTRUCTIONS,
};

int cli_isa(int argc, char **argv)
{
    struct isa_options o = {0};
    bool done = false;
    int code = cli_options_read(&cli_command_isa, argc, argv, &o, &done);

    if (done)
        return code;
    const char *verb = optind < argc ? argv[optind] : "";
    int more = argc - optind - 1;
    if (strcmp(verb, "show") == 0) {
        if (more != 1)
            return cli_usage("isa", "isa show: expected one MNEMONIC");
        return show(argv[optind + 1], o.target, o.arch, o.json);
    }
    if (strcmp(verb, "list") != 0)
        return cli_usage("isa", "isa %s: no such action; expected list or show", verb);
    if (more > 0)
        return cli_usage("isa", "isa list takes no arguments");
    if (o.arch)
        return cli_usage("isa", "isa list: --arch belongs to isa show");
    if (!o.target)
        return cli_usage("isa", "isa list: --target is missing");
    return list(o.target, o.json);
}

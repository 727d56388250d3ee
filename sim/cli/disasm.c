/* gcnsim disasm: LLVM's text of code objects and of bare words. */
#include "sim/cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/options.h"
#include "sim/cli/source.h"

enum { COMMENT_COLUMN = 60 };

struct disasm_options {
    const char *kernel, *target, *hex, *raw, *clang;
    bool true16, zeros, strict;
    uint64_t index, max_memory;
};

static uint32_t disasm_flags(const struct disasm_options *o)
{
    return (o->true16 ? GCNSIM_DISASM_TRUE16 : 0) | (o->strict ? GCNSIM_DISASM_STRICT : 0);
}

struct label {
    uint64_t address;
    const char *name;
};

static int by_address(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Bare text, one instruction per line. Bytes that make no word are an error after all the words. */
static int print_bare(const struct disasm_options *o, const char *where, const uint8_t *bytes, size_t size)
{
    struct gcnsim_error error = {0};
    struct gcnsim_disasm *d;
    char text[512];
    size_t at = 0, n;
    uint32_t vgpr_msb = 0;

    if (gcnsim_disasm_open(&d, o->target, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_disasm_set_flags(d, disasm_flags(o));
    while ((n = gcnsim_disasm_next(d, bytes + at, size - at, &vgpr_msb, text, sizeof text, NULL)) != 0) {
        cli_printf("%s\n", text);
        at += n;
    }
    gcnsim_disasm_close(d);
    int status = cli_flush();
    if (status == CLI_OK && at < size)
        status = cli_error("%s: %zu bytes are left at offset %zu; expected whole 32-bit words", where, size - at, at);
    return status;
}

static int disasm_hex(const struct disasm_options *o)
{
    static const char separators[] = " \t\n,";
    const char *hex = o->hex;
    uint8_t *bytes = malloc(strlen(hex) * 4 + 4);
    size_t size = 0;
    int status;

    if (!bytes)
        return cli_error("out of memory");
    for (const char *p = hex + strspn(hex, separators); *p; p += strspn(p, separators)) {
        size_t len = strcspn(p, separators);
        size_t skip = len > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 2 : 0;
        size_t digits = len - skip;
        if (digits == 0 || digits > 8 || strspn(p + skip, "0123456789abcdefABCDEF") < digits) {
            status = cli_error("--hex: '%.*s' is not a word; expected 1 to 8 hexadecimal digits", (int)len, p);
            goto out;
        }
        uint32_t word = (uint32_t)strtoul(p, NULL, 16);
        for (int i = 0; i < 4; i++)
            bytes[size++] = (uint8_t)(word >> 8 * i);
        p += len;
    }
    status = size ? print_bare(o, "--hex", bytes, size) : cli_usage("disasm", "--hex: no words given");
out:
    free(bytes);
    return status;
}

static int disasm_raw(const struct disasm_options *o)
{
    size_t size = 0;
    uint8_t *bytes = cli_read_file(o->raw, &size);
    int status = bytes ? print_bare(o, o->raw, bytes, size) : CLI_BAD_INPUT;

    free(bytes);
    return status;
}

/* Names of code addresses, sorted: functions, and kernels whose entry has no function symbol. */
static struct label *collect_labels(const struct gcnsim_code *code, const struct gcnsim_code_info *info, size_t *count)
{
    struct label *labels = calloc((size_t)info->symbol_count + info->kernel_count + 1, sizeof *labels);
    struct gcnsim_symbol_info symbol;
    struct gcnsim_kernel_info kernel;
    size_t n = 0;

    if (!labels)
        return NULL;
    for (uint32_t i = 0; gcnsim_code_symbol(code, i, &symbol) == 0; i++)
        if (symbol.type == GCNSIM_SYMBOL_FUNCTION && n < info->symbol_count)
            labels[n++] = (struct label){symbol.value, symbol.name};
    size_t functions = n;
    for (uint32_t i = 0; gcnsim_code_kernel(code, i, &kernel) == 0; i++) {
        size_t j = 0;
        while (j < functions && labels[j].address != kernel.code_offset)
            j++;
        if (j == functions && n < (size_t)info->symbol_count + info->kernel_count)
            labels[n++] = (struct label){kernel.code_offset, kernel.name};
    }
    qsort(labels, n, sizeof *labels, by_address);
    *count = n;
    return labels;
}

/* How many of the bytes are padding that is not shown: as llvm-objdump has it, zeros from eight on, in whole words. */
static size_t padding(const uint8_t *bytes, size_t size)
{
    size_t n = 0;

    while (n < size && !bytes[n])
        n++;
    return n < 8 ? 0 : n & ~(size_t)3;
}

/* [from, to) of a range; labels split the code, so an instruction never runs over one. */
static void print_listing(const struct gcnsim_disasm *d, const struct gcnsim_code_range *range, uint64_t from,
                          uint64_t to, const struct label *labels, size_t label_count, bool zeros)
{
    char text[512];
    uint64_t at = from;
    uint32_t vgpr_msb = 0;
    size_t next = 0;

    while (next < label_count && labels[next].address < from)
        next++;
    while (at < to) {
        for (; next < label_count && labels[next].address <= at; next++) {
            fputs(at == from ? "" : "\n", stdout);
            cli_put_name(labels[next].name, 0);
            puts(":");
            vgpr_msb = 0;
        }
        uint64_t limit = next < label_count && labels[next].address < to ? labels[next].address : to;
        const uint8_t *bytes = range->bytes + (at - range->address);
        size_t skipped = zeros ? 0 : padding(bytes, limit - at);
        if (skipped) {
            puts("    ...");
            at += skipped;
            continue;
        }
        size_t n = gcnsim_disasm_next(d, bytes, limit - at, &vgpr_msb, text, sizeof text, NULL);
        if (n == 0) {
            /* 1 to 3 bytes before a label or the end: no instruction, but nothing is left out */
            n = limit - at;
            int used = snprintf(text, sizeof text, ".byte ");
            for (size_t i = 0; i < n; i++)
                used += snprintf(text + used, sizeof text - (size_t)used, "%s0x%02x", i ? ", " : "", bytes[i]);
        }
        cli_printf("    %-*s // %012llX:", COMMENT_COLUMN - 5, text, (unsigned long long)at);
        for (size_t i = 0; i + 4 <= n; i += 4)
            cli_printf(" %02X%02X%02X%02X", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
        putchar('\n');
        at += n;
    }
}

/* Where a kernel ends: at the end of its range at the latest. */
static uint64_t kernel_end(const struct gcnsim_kernel_info *k, const struct gcnsim_code_range *range)
{
    uint64_t left = range->address + range->size - k->code_offset;

    return k->code_offset + (k->code_size && k->code_size < left ? k->code_size : left);
}

static int print_code(const struct gcnsim_code *code, const struct gcnsim_disasm *d, const struct gcnsim_kernel_info *k,
                      bool zeros)
{
    struct gcnsim_code_info info;
    struct gcnsim_code_range range;
    size_t label_count = 0;
    bool found = false;

    gcnsim_code_get_info(code, &info);
    struct label *labels = collect_labels(code, &info, &label_count);
    if (!labels)
        return cli_error("out of memory");
    for (uint32_t i = 0; gcnsim_code_text(code, i, &range) == 0; i++) {
        if (k && (k->code_offset < range.address || k->code_offset - range.address >= range.size))
            continue;
        uint64_t from = k ? k->code_offset : range.address;
        uint64_t to = k ? kernel_end(k, &range) : range.address + range.size;
        if (found)
            putchar('\n');
        print_listing(d, &range, from, to, labels, label_count, zeros);
        found = true;
    }
    free(labels);
    if (!found)
        return cli_error("%s: %s%s lies in no executable range of the file", info.name, k ? "kernel " : "code",
                         k ? k->name : "");
    return cli_flush();
}

static int disasm_code(const struct gcnsim_code_source *source, const struct disasm_options *o)
{
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;
    struct gcnsim_kernel_info kernel;
    struct gcnsim_code *code = NULL;
    struct gcnsim_disasm *d = NULL;
    const char *kernel_name = o->kernel;
    uint32_t index = 0;
    int status;

    if (gcnsim_code_open(&code, source, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_code_get_info(code, &info);
    cli_note_place(&info);
    if ((kernel_name && gcnsim_code_find_kernel(code, kernel_name, &index, &error) != GCNSIM_OK) ||
        gcnsim_disasm_open(&d, info.processor, &error) != GCNSIM_OK) {
        status = cli_library_error(&error);
    } else {
        gcnsim_disasm_set_flags(d, disasm_flags(o));
        if (kernel_name)
            gcnsim_code_kernel(code, index, &kernel);
        status = print_code(code, d, kernel_name ? &kernel : NULL, o->zeros);
    }
    gcnsim_disasm_close(d);
    gcnsim_code_close(code);
    return status;
}

static int disasm_file(struct gcnsim_code_source *source, const struct disasm_options *o)
{
    const struct cli_source compiled = {o->clang, o->target, "--target NAME"};
    uint8_t *own;
    int status = cli_source_take(&compiled, source, &own);

    if (status == CLI_OK)
        status = disasm_code(source, o);
    free(own);
    return status;
}

#define AT(field) offsetof(struct disasm_options, field)

static const struct option_row rows[] = {
    {"kernel", "NAME", OPTION_TEXT, AT(kernel), .complete = COMPLETE_KERNELS, .help = "this kernel alone"},
    {"target", "NAME", OPTION_TEXT, AT(target), .complete = COMPLETE_TARGETS,
     .help = "the entry of a bundle; the processor for --hex and --raw"},
    CLI_OPTION_INDEX(AT(index)),
    {"hex", "WORDS", OPTION_TEXT, AT(hex),
     .help = "32-bit words in hexadecimal as llvm-objdump prints them, separated by blanks or commas"},
    {"raw", "FILE", OPTION_TEXT, AT(raw), .complete = COMPLETE_FILES, .help = "the bytes of a file"},
    {"zeros", NULL, OPTION_FLAG, AT(zeros), .help = "show runs of zeros, which are padding, as instructions too"},
    {"true16", NULL, OPTION_FLAG, AT(true16),
     .help =
         "16-bit operands of gfx11 and gfx12 name their half, v1.l or v1.h, as LLVM 22 has it; those of gfx1250 and "
         "gfx1251 always do"},
    {"strict", NULL, OPTION_FLAG, AT(strict),
     .help = "words with fields set that the hardware ignores are no instructions, as LLVM has it"},
    CLI_OPTION_CLANG(AT(clang)),
    CLI_OPTION_MAX_MEMORY(AT(max_memory), "a FILE that takes more"),
    {.kind = OPTION_END},
};

const struct cli_command cli_command_disasm = {
    .name = "disasm",
    .summary = "disassembles a code object, or bare words",
    .usage = "disasm FILE [--kernel NAME] [--target NAME] [--index N] [--zeros]\n"
             "disasm --target NAME --hex 'WORD...'\n"
             "disasm --target NAME --raw FILE",
    .about =
        "FILE is an amdgcn code object or a file that holds one: a bundle, a program, an archive, assembly or LLVM IR "
        "for clang (docs/FILES.md). Each line holds one instruction in LLVM's syntax, its "
        "address and its 32-bit words in a comment; eight zero bytes or more are padding, shown as '...'. --hex and "
        "--raw print bare text. Words that are no instruction "
        "of the target are printed as .long 0x...",
    .options = rows,
    .run = cli_disasm,
    .operands = COMPLETE_FILES,
};

int cli_disasm(int argc, char **argv)
{
    struct disasm_options o = {.index = NOT_GIVEN, .max_memory = cli_default_memory()};
    struct gcnsim_code_source source;
    bool done = false;
    int status = cli_options_read(&cli_command_disasm, argc, argv, &o, &done);

    if (done)
        return status;
    int files = argc - optind;
    if (files + !!o.hex + !!o.raw != 1)
        return cli_usage("disasm", "expected one of FILE, --hex and --raw");
    gcnsim_code_source_init(&source);
    source.max_memory = o.max_memory;
    source.path = argv[optind];
    source.want_target = o.target;
    source.kernel = o.kernel;
    source.by_index = o.index != NOT_GIVEN;
    source.index = (uint32_t)o.index;
    if (files)
        return disasm_file(&source, &o);
    if (o.kernel || source.by_index)
        return cli_usage("disasm", "--%s goes with a code object; expected FILE", o.kernel ? "kernel" : "index");
    if (!o.target)
        return cli_usage("disasm", "%s needs --target NAME", o.hex ? "--hex" : "--raw");
    return o.hex ? disasm_hex(&o) : disasm_raw(&o);
}

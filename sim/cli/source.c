/* FILEs that are no code objects yet: assembly and LLVM IR, as text or as bitcode, which an installed clang makes code
 * objects of. It is named on stderr, with its version. */
#define _GNU_SOURCE
#include "sim/cli/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096 };

static bool begins(const uint8_t *b, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(b, with, strlen(with)) == 0;
}

static bool holds(const uint8_t *b, size_t size, const char *text)
{
    return memmem(b, size, text, strlen(text)) != NULL;
}

static bool ends(const char *path, const char *with)
{
    size_t n = strlen(path), m = strlen(with);

    return n > m && strcasecmp(path + n - m, with) == 0;
}

enum cli_source_kind cli_source_kind(const char *path, const uint8_t *b, size_t size)
{
    size_t head = size < HEAD_BYTES ? size : HEAD_BYTES;

    if (begins(b, size, "BC\xc0\xde") || begins(b, size, "\xde\xc0\x17\x0b"))
        return ends(path, ".bc") ? CLI_SOURCE_BITCODE : CLI_SOURCE_NONE;
    if (memchr(b, 0, head) || begins(b, size, "\177ELF") || begins(b, size, "CCOB") || begins(b, size, "!<arch>\n") ||
        begins(b, size, "!<thin>\n") || holds(b, head, "__CLANG_OFFLOAD_BUNDLE__"))
        return CLI_SOURCE_NONE;
    if (ends(path, ".ll"))
        return CLI_SOURCE_IR;
    return ends(path, ".s") || ends(path, ".asm") ? CLI_SOURCE_ASSEMBLY : CLI_SOURCE_TEXT;
}

/* ---- what a file says of itself ---- */

/* Copies what stands after `key` up to a quote; false: it is not there, or too long. */
static bool quoted(const char *text, size_t size, const char *key, char *to, size_t room)
{
    const char *at = memmem(text, size, key, strlen(key));

    if (!at)
        return false;
    at += strlen(key);
    size_t n = 0, left = size - (size_t)(at - text);
    while (n < left && at[n] != '"' && isgraph((unsigned char)at[n]))
        n++;
    if (!n || n == left || at[n] != '"' || n >= room)
        return false;
    memcpy(to, at, n);
    to[n] = 0;
    return true;
}

/* The options for clang. */
struct known {
    char triple[64], target[64];
};

/* Fills what the file says; what it does not say is left as it is. */
static void read_text(struct known *k, enum cli_source_kind kind, const char *text, size_t size)
{
    char id[sizeof k->triple + sizeof k->target];

    if (kind == CLI_SOURCE_ASSEMBLY) {
        if (!quoted(text, size, ".amdgcn_target \"", id, sizeof id))
            return;
        char *dashes = strstr(id, "--gfx");
        if (!dashes || (size_t)(dashes - id) >= sizeof k->triple || strlen(dashes + 2) >= sizeof k->target)
            return;
        snprintf(k->triple, sizeof k->triple, "%.*s", (int)(dashes - id), id);
        snprintf(k->target, sizeof k->target, "%s", dashes + 2);
        return;
    }
    quoted(text, size, "target triple = \"", k->triple, sizeof k->triple);
    quoted(text, size, "\"target-cpu\"=\"", k->target, sizeof k->target);
}

/* ---- which clang ---- */

static bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    char name[4096];

    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        if (n && (size_t)snprintf(name, sizeof name, "%.*s/%s", (int)n, path, program) < sizeof name &&
            access(name, X_OK) == 0)
            return true;
    }
    return false;
}

/* The first is what gcnsim is tested with. */
static const char *default_clang(void)
{
    static const char *const names[] = {"clang-19", "clang-22", "clang-21", "clang-20", "clang"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is_installed(names[k]))
            return names[k];
    return names[0];
}

/* ---- compiling ---- */

static int compile(const struct cli_assembler *a, const char *path, uint8_t **bytes, size_t *size)
{
    char version[200];
    int status = cli_assembler_version(a, path, version, sizeof version);

    if (status == CLI_OK)
        status = cli_assemble_file(a, path, bytes, size);
    if (status == CLI_OK)
        cli_error("note: %s: compiled for %s by %s (%s)", path, a->target, a->clang, version);
    return status;
}

int cli_source_compile(const struct cli_source *s, const char *path, enum cli_source_kind kind, const uint8_t *text,
                       size_t text_size, uint8_t **bytes, size_t *size)
{
    struct known k = {"amdgcn-amd-amdhsa", ""};
    struct cli_assembler a = {.clang = s->clang ? s->clang : default_clang(), .link = true, .triple = k.triple};
    uint8_t *ir = NULL;
    size_t ir_size = 0;

    a.language = kind == CLI_SOURCE_ASSEMBLY ? NULL : "ir";
    if (kind == CLI_SOURCE_BITCODE) {
        struct cli_assembler as_text = a;
        as_text.text = true;
        if (cli_assemble_file(&as_text, path, &ir, &ir_size) != CLI_OK)
            return CLI_BAD_INPUT;
        text = ir;
        text_size = ir_size;
    }
    if (s->target)
        snprintf(k.target, sizeof k.target, "%.63s", s->target);
    read_text(&k, kind, (const char *)text, text_size);
    free(ir);
    a.target = k.target;
    if (kind == CLI_SOURCE_ASSEMBLY && holds(text, text_size, ".amdhsa_wavefront_size32 0"))
        a.wave = 64;
    if (strncmp(k.triple, "amdgcn-", 7) != 0)
        return cli_error("%s: it is for %s; expected amdgcn, as of clang --offload-device-only", path, k.triple);
    if (!k.target[0])
        return cli_error("%s: it does not say for which processor it is (%s); expected %s", path,
                         kind == CLI_SOURCE_ASSEMBLY ? ".amdgcn_target" : "\"target-cpu\"", s->expected);
    return compile(&a, path, bytes, size);
}

int cli_source_take(const struct cli_source *s, struct gcnsim_code_source *code, uint8_t **own)
{
    uint8_t head[HEAD_BYTES], *text;
    const char *path = code->path;
    enum cli_source_kind kind;
    size_t n = 0, size = 0;
    struct stat st;

    *own = NULL;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) /* a pipe can be read once */
        return CLI_OK;
    FILE *f = fopen(path, "rb");
    if (f) {
        n = fread(head, 1, sizeof head, f);
        fclose(f);
    }
    kind = n ? cli_source_kind(path, head, n) : CLI_SOURCE_NONE;
    if (kind == CLI_SOURCE_NONE || kind == CLI_SOURCE_TEXT)
        return CLI_OK;
    text = cli_read_file(path, &size);
    if (!text)
        return CLI_BAD_INPUT;
    int status = cli_source_compile(s, path, kind, text, size, own, &code->size);
    code->bytes = *own;
    code->name = path;
    code->path = NULL;
    free(text);
    return status;
}

void cli_note_place(const struct gcnsim_code_info *info)
{
    if (info->where[0] == ' ') /* not a member, which has a name */
        cli_error("note: %s: the code object for %s%s of the file", info->name, info->target, info->where);
}

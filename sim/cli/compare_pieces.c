/* Reads and assembles what gcnsim compare measures. */
#define _GNU_SOURCE
#include "sim/cli/compare_pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/regions.h"
#include "sim/cli/source.h"

#define STDIN_NAME "<stdin>"

/* The file's name without folder and ending. */
static char *label_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    char *label = strdup(strcmp(path, STDIN_NAME) == 0 ? "stdin" : name);
    char *dot = label ? strrchr(label, '.') : NULL;

    if (dot && dot != label)
        *dot = 0;
    return label;
}

/* Takes ownership of bytes and label, also when it fails. */
static int add(struct pieces *p, uint8_t *bytes, size_t size, char *label)
{
    struct piece *at = label ? realloc(p->at, (p->count + 1) * sizeof *at) : NULL;

    if (!at) {
        free(bytes);
        free(label);
        return cli_error("out of memory");
    }
    p->at = at;
    at[p->count++] = (struct piece){bytes, size, label};
    return CLI_OK;
}

/* ---- linked code ---- */

/* Keeps of a file with several code objects the one that was opened. */
static int keep_one(const struct gcnsim_code *code, uint8_t **bytes, size_t *size)
{
    size_t elf_size;
    const void *elf = gcnsim_code_elf(code, &elf_size);
    uint8_t *own = malloc(elf_size);

    if (!own)
        return cli_error("out of memory");
    memcpy(own, elf, elf_size);
    free(*bytes);
    *bytes = own;
    *size = elf_size;
    return CLI_OK;
}

/* A code object; one without kernels is a sequence. Takes ownership of bytes. */
static int add_code_object(struct pieces *p, const char *path, uint8_t *bytes, size_t size)
{
    struct cli_assembler a = {.clang = p->clang, .target = p->target, .wave = p->wave, .link = true};
    struct gcnsim_code_source source;
    struct gcnsim_error error = {0};
    struct gcnsim_code_info info;
    struct gcnsim_code *code = NULL;
    char *text = NULL;
    int status = CLI_OK;
    uint32_t of;

    gcnsim_code_source_init(&source);
    source.bytes = bytes;
    source.size = size;
    source.name = path;
    source.want_target = p->target;
    source.kernel = p->kernel;
    if (gcnsim_code_open(&code, &source, &error) != GCNSIM_OK) {
        free(bytes);
        return cli_library_error(&error);
    }
    gcnsim_code_index(code, &of);
    if (of > 1)
        status = keep_one(code, &bytes, &size);
    gcnsim_code_get_info(code, &info);
    if (status == CLI_OK && info.kernel_count == 0) {
        free(bytes);
        bytes = NULL;
        if (gcnsim_compare_wrap(code, path, p->wave, &text, &error) != GCNSIM_OK)
            status = cli_library_error(&error);
        else if (p->wrapped)
            status = cli_put(text);
        else
            status = cli_assemble_text(&a, path, text, &bytes, &size);
    }
    gcnsim_free(text);
    gcnsim_code_close(code);
    if (status != CLI_OK || !bytes) {
        free(bytes);
        return status;
    }
    return add(p, bytes, size, label_of(path));
}

/* ---- assembled code ---- */

/* A sequence of an object: all of it, or a region. */
static int add_loop(struct pieces *p, const char *path, const uint8_t *object, size_t size, const struct region *r)
{
    struct gcnsim_loop_source source;
    struct gcnsim_error error = {0};
    char *name = NULL, *label, *text = NULL;
    void *bytes = NULL;
    int status = CLI_OK;

    if (r && asprintf(&name, r->name[0] ? "%s:%u: region '%s'" : "%s:%u: region", path, r->line, r->name) < 0)
        return cli_error("out of memory");
    gcnsim_loop_source_init(&source);
    source.object = object;
    source.size = size;
    source.name = r ? name : path;
    source.begin = r ? r->begin : NULL;
    source.end = r && r->end[0] ? r->end : NULL;
    source.wave_size = p->wave;
    if (p->wrapped && gcnsim_compare_loop_text(&source, &text, &error) == GCNSIM_OK)
        status = cli_put(text);
    else if (p->wrapped || gcnsim_compare_loop(&source, &bytes, &size, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    if (bytes) {
        if (!r)
            label = label_of(path);
        else if (r->name[0])
            label = strdup(r->name);
        else if (asprintf(&label, "line %u", r->line) < 0)
            label = NULL;
        uint8_t *own = malloc(size); /* the library's memory is freed by it alone */
        if (own)
            memcpy(own, bytes, size);
        status = add(p, own, size, own ? label : NULL);
        if (!own)
            free(label);
    }
    gcnsim_free(bytes);
    gcnsim_free(text);
    free(name);
    return status;
}

/* file: it may be assembled from its own place, so that what it includes is found. */
static int assemble(const struct pieces *p, const char *path, const struct regions *r, bool file, bool link,
                    uint8_t **object, size_t *size)
{
    struct cli_assembler a = {.clang = p->clang, .target = p->target, .wave = p->wave, .link = link};

    return file && !r->count ? cli_assemble_file(&a, path, object, size)
                             : cli_assemble_text(&a, path, r->text, object, size);
}

static int add_assembly(struct pieces *p, const char *path, const char *text, size_t text_size, bool file)
{
    struct regions regions;
    uint8_t *object = NULL;
    size_t size = 0;
    int status = regions_find(&regions, path, text, text_size);

    if (status == CLI_OK)
        status = assemble(p, path, &regions, file, false, &object, &size);
    for (size_t k = 0; k < regions.count && status == CLI_OK; k++)
        status = add_loop(p, path, object, size, &regions.at[k]);
    if (status == CLI_OK && !regions.count && gcnsim_object_kernel(object, size, NULL, 0)) {
        free(object);
        object = NULL;
        status = assemble(p, path, &regions, file, true, &object, &size);
        if (status == CLI_OK)
            status = add_code_object(p, path, object, size);
        object = NULL;
    } else if (status == CLI_OK && !regions.count) {
        status = add_loop(p, path, object, size, NULL);
    }
    free(object);
    regions_free(&regions);
    return status;
}

static int add_ir(struct pieces *p, const char *path, enum cli_source_kind kind, const uint8_t *text, size_t size)
{
    const struct cli_source s = {p->clang, p->target, "--arch PROFILE"};
    uint8_t *code = NULL;
    int status = cli_source_compile(&s, path, kind, text, size, &code, &size);

    return status == CLI_OK ? add_code_object(p, path, code, size) : status;
}

/* ---- input ---- */

static char *read_stdin(size_t *size)
{
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);

    while (text) {
        ssize_t n = read(STDIN_FILENO, text + used, room - used);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0) {
                *size = used;
                return text;
            }
            cli_error(STDIN_NAME ": %s", strerror(errno));
            free(text);
            return NULL;
        }
        used += (size_t)n;
        if (used == room) {
            char *more = realloc(text, room *= 2);

            if (!more)
                free(text);
            text = more;
        }
    }
    cli_error("out of memory");
    return NULL;
}

int pieces_read(struct pieces *p, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    struct stat st;
    size_t size = 0;
    uint8_t *bytes = is_stdin ? (uint8_t *)read_stdin(&size) : cli_read_file(path, &size);

    if (!bytes)
        return CLI_BAD_INPUT;
    enum cli_source_kind kind = cli_source_kind(path, bytes, size);
    if (kind == CLI_SOURCE_NONE)
        return add_code_object(p, is_stdin ? STDIN_NAME : path, bytes, size);
    /* what a pipe held has been read */
    bool file = !is_stdin && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    int status = CLI_OK;
    if (kind == CLI_SOURCE_ASSEMBLY || kind == CLI_SOURCE_TEXT)
        status = add_assembly(p, is_stdin ? STDIN_NAME : path, (const char *)bytes, size, file);
    else if (!file)
        status = cli_error("%s: LLVM IR; expected a file of it, which clang can read", is_stdin ? STDIN_NAME : path);
    else
        status = add_ir(p, path, kind, bytes, size);
    free(bytes);
    return status;
}

void pieces_free(struct pieces *p)
{
    for (size_t k = 0; k < p->count; k++) {
        free(p->at[k].bytes);
        free(p->at[k].label);
    }
    free(p->at);
    p->at = NULL;
    p->count = 0;
}

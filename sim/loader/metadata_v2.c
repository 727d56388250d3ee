/* Metadata of code object v2: reads the YAML document and writes MessagePack with the keys of v3. */
#include "sim/loader/metadata_v2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/loader/yaml.h"

/* ---- MessagePack ---- */

struct packer {
    uint8_t *bytes;
    size_t size, room;
    struct budget *budget;
    bool failed;
};

static void put(struct packer *p, const void *bytes, size_t n)
{
    if (!p->failed && n > p->room - p->size) {
        size_t room = 2 * p->room + n + 1024;
        bool taken = budget_take(p->budget, room - p->room);
        uint8_t *bigger = taken ? realloc(p->bytes, room) : NULL;

        if (!bigger) {
            budget_give(p->budget, taken ? room - p->room : 0);
            p->failed = true;
            return;
        }
        p->bytes = bigger;
        p->room = room;
    }
    if (p->failed || !n)
        return;
    memcpy(p->bytes + p->size, bytes, n);
    p->size += n;
}

/* A type byte and a number of `n` bytes, which MessagePack has most significant byte first. */
static void put_number(struct packer *p, uint8_t type, uint64_t v, unsigned n)
{
    uint8_t b[9] = {type};

    for (unsigned k = 0; k < n; k++)
        b[1 + k] = (uint8_t)(v >> 8 * (n - 1 - k));
    put(p, b, 1 + n);
}

static void put_text(struct packer *p, const char *text)
{
    put_number(p, 0xdb, strlen(text), 4);
    put(p, text, strlen(text));
}

/* A map (0xdf) or an array (0xdd) whose count put_count() writes when it is known. */
static size_t put_open(struct packer *p, uint8_t type)
{
    put_number(p, type, 0, 4);
    return p->size;
}

static void put_count(struct packer *p, size_t opened, uint32_t count)
{
    for (unsigned k = 0; k < 4 && !p->failed; k++)
        p->bytes[opened - 4 + k] = (uint8_t)(count >> 8 * (3 - k));
}

/* ---- keys ---- */

enum form { FORM_TEXT, FORM_WORD, FORM_NUMBER, FORM_NUMBERS, FORM_BOOL };

struct key {
    const char *v2, *v3;
    enum form form;
};

static const struct key kernel_keys[] = {{"Name", ".name", FORM_TEXT},
                                         {"Language", ".language", FORM_TEXT},
                                         {"LanguageVersion", ".language_version", FORM_NUMBERS}};
static const struct key attribute_keys[] = {{"ReqdWorkGroupSize", ".reqd_workgroup_size", FORM_NUMBERS},
                                            {"WorkGroupSizeHint", ".workgroup_size_hint", FORM_NUMBERS},
                                            {"VecTypeHint", ".vec_type_hint", FORM_TEXT},
                                            {"RuntimeHandle", ".device_enqueue_symbol", FORM_TEXT}};
static const struct key property_keys[] = {{"KernargSegmentAlign", ".kernarg_segment_align", FORM_NUMBER},
                                           {"GroupSegmentFixedSize", ".group_segment_fixed_size", FORM_NUMBER},
                                           {"PrivateSegmentFixedSize", ".private_segment_fixed_size", FORM_NUMBER},
                                           {"WavefrontSize", ".wavefront_size", FORM_NUMBER},
                                           {"NumSGPRs", ".sgpr_count", FORM_NUMBER},
                                           {"NumVGPRs", ".vgpr_count", FORM_NUMBER},
                                           {"MaxFlatWorkGroupSize", ".max_flat_workgroup_size", FORM_NUMBER},
                                           {"NumSpilledSGPRs", ".sgpr_spill_count", FORM_NUMBER},
                                           {"NumSpilledVGPRs", ".vgpr_spill_count", FORM_NUMBER}};
static const struct key argument_keys[] = {{"Name", ".name", FORM_TEXT},
                                           {"TypeName", ".type_name", FORM_TEXT},
                                           {"Size", ".size", FORM_NUMBER},
                                           {"ValueKind", ".value_kind", FORM_WORD},
                                           {"PointeeAlign", ".pointee_align", FORM_NUMBER},
                                           {"AddrSpaceQual", ".address_space", FORM_WORD},
                                           {"AccQual", ".access", FORM_WORD},
                                           {"ActualAccQual", ".actual_access", FORM_WORD},
                                           {"IsConst", ".is_const", FORM_BOOL},
                                           {"IsRestrict", ".is_restrict", FORM_BOOL},
                                           {"IsVolatile", ".is_volatile", FORM_BOOL},
                                           {"IsPipe", ".is_pipe", FORM_BOOL}};

/* Whether a value is a whole number. */
static bool number_of(const struct node *n, uint64_t *v)
{
    char *end;

    if (!n || n->kind != NODE_VALUE || n->text[0] < '0' || n->text[0] > '9')
        return false;
    *v = strtoull(n->text, &end, 0);
    return !*end;
}

/* "GlobalBuffer" as v3 writes it: "global_buffer". */
static void put_word(struct packer *p, const char *word)
{
    char text[80];
    size_t at = 0;

    if (strcmp(word, "HiddenMultiGridSyncArg") == 0) {
        put_text(p, "hidden_multigrid_sync_arg");
        return;
    }
    for (const char *c = word; *c && at + 3 < sizeof text; c++) {
        bool upper = *c >= 'A' && *c <= 'Z';

        if (upper && c != word)
            text[at++] = '_';
        text[at++] = upper ? (char)(*c | 32) : *c;
    }
    text[at] = 0;
    put_text(p, text);
}

/* A value that is not what it should be stays a text, which the reader refuses by its key. */
static void put_node(struct packer *p, const struct node *n, enum form form)
{
    static const uint8_t no = 0xc2, yes = 0xc3;
    uint32_t count = 0;
    uint64_t v;

    if (form == FORM_NUMBERS && n->kind == NODE_LIST) {
        size_t list = put_open(p, 0xdd);

        for (const struct node *one = n->first; one; one = one->next, count++)
            put_node(p, one, FORM_NUMBER);
        put_count(p, list, count);
    } else if (form == FORM_NUMBER && number_of(n, &v)) {
        put_number(p, 0xcf, v, 8);
    } else if (form == FORM_BOOL && strcmp(n->text, "true") == 0) {
        put(p, &yes, 1);
    } else if (form == FORM_BOOL && strcmp(n->text, "false") == 0) {
        put(p, &no, 1);
    } else if (form == FORM_WORD) {
        put_word(p, n->text);
    } else {
        put_text(p, n->text);
    }
}

static uint32_t put_keys(struct packer *p, const struct node *map, const struct key *keys, size_t count)
{
    uint32_t done = 0;

    for (size_t k = 0; k < count; k++) {
        const struct node *n = yaml_find(map, keys[k].v2);

        if (!n || (keys[k].form == FORM_WORD && strcmp(n->text, "Default") == 0))
            continue;
        put_text(p, keys[k].v3);
        put_node(p, n, keys[k].form);
        done++;
    }
    return done;
}

#define PUT_KEYS(P, MAP, KEYS) put_keys(P, MAP, KEYS, sizeof(KEYS) / sizeof *(KEYS))

static uint32_t put_named(struct packer *p, const char *key, uint64_t v)
{
    put_text(p, key);
    put_number(p, 0xcf, v, 8);
    return 1;
}

/* The arguments, one after the other; *end: the bytes that they take. */
static void put_arguments(struct packer *p, const struct node *list, uint64_t *end)
{
    size_t array = put_open(p, 0xdd);
    uint32_t count = 0;

    *end = 0;
    for (const struct node *n = list->kind == NODE_LIST ? list->first : NULL; n; n = n->next, count++) {
        size_t map = put_open(p, 0xdf);
        uint64_t size = 0, align = 1;
        uint32_t keys = PUT_KEYS(p, n, argument_keys);

        number_of(yaml_find(n, "Size"), &size);
        if (!number_of(yaml_find(n, "Align"), &align) || !align || align & (align - 1) || align > 4096)
            align = 1;
        *end = (*end + align - 1) & -align;
        keys += put_named(p, ".offset", *end);
        *end += size > UINT32_MAX ? UINT32_MAX : size;
        put_count(p, map, keys);
    }
    put_count(p, array, count);
}

/* What v3 requires and a compiler of v2 may leave out; the kernel's own header has the rest. */
static uint32_t put_required(struct packer *p, const struct node *properties)
{
    static const struct {
        const char *v2, *v3;
        uint32_t value;
    } required[] = {{"KernargSegmentAlign", ".kernarg_segment_align", 8},
                    {"GroupSegmentFixedSize", ".group_segment_fixed_size", 0},
                    {"PrivateSegmentFixedSize", ".private_segment_fixed_size", 0},
                    {"WavefrontSize", ".wavefront_size", 64},
                    {"NumSGPRs", ".sgpr_count", 0},
                    {"NumVGPRs", ".vgpr_count", 0},
                    {"MaxFlatWorkGroupSize", ".max_flat_workgroup_size", 256}};
    uint32_t keys = 0;

    for (size_t k = 0; k < sizeof required / sizeof *required; k++)
        if (!yaml_find(properties, required[k].v2))
            keys += put_named(p, required[k].v3, required[k].value);
    return keys;
}

static void put_kernel(struct packer *p, const struct node *n)
{
    const struct node *properties = yaml_find(n, "CodeProps"), *symbol = yaml_find(n, "SymbolName"),
                      *args = yaml_find(n, "Args");
    size_t map = put_open(p, 0xdf);
    uint64_t end = 0, stated = 0;
    uint32_t keys = PUT_KEYS(p, n, kernel_keys) + PUT_KEYS(p, yaml_find(n, "Attrs"), attribute_keys) +
                    PUT_KEYS(p, properties, property_keys) + put_required(p, properties);

    if (symbol) {
        size_t length = strlen(symbol->text), cut = length > 3 && !strcmp(symbol->text + length - 3, "@kd") ? 3 : 0;

        put_text(p, ".symbol");
        put_number(p, 0xdb, length - cut, 4);
        put(p, symbol->text, length - cut);
        keys++;
    }
    if (args) {
        put_text(p, ".args");
        put_arguments(p, args, &end);
        keys++;
    }
    number_of(yaml_find(properties, "KernargSegmentSize"), &stated);
    keys += put_named(p, ".kernarg_segment_size", stated > end ? stated : end);
    put_count(p, map, keys);
}

static void put_document(struct packer *p, const struct node *root)
{
    const struct node *version = yaml_find(root, "Version"), *kernels = yaml_find(root, "Kernels"),
                      *formats = yaml_find(root, "Printf");
    size_t map = put_open(p, 0xdf);
    uint32_t keys = 0, count = 0;

    if (version) {
        put_text(p, "amdhsa.version");
        put_node(p, version, FORM_NUMBERS);
        keys++;
    }
    if (formats) {
        put_text(p, "amdhsa.printf");
        size_t array = put_open(p, 0xdd);
        for (const struct node *n = formats->first; n; n = n->next, count++)
            put_text(p, n->text);
        put_count(p, array, count);
        keys++;
    }
    if (kernels) {
        put_text(p, "amdhsa.kernels");
        size_t array = put_open(p, 0xdd);
        count = 0;
        for (const struct node *n = kernels->first; n; n = n->next, count++)
            put_kernel(p, n);
        put_count(p, array, count);
        keys++;
    }
    put_count(p, map, keys);
}

/* ---- all of it ---- */

static int convert(struct co_metadata **out, struct document *d, char *text, size_t size, struct err *e)
{
    struct packer p = {.budget = d->y.budget};
    struct node *root = NULL;
    int r = yaml_read(d, text, size, &root);

    if (!r && root->kind != NODE_MAP)
        r = err_set(e, ERR_FORMAT, "metadata: expected a map");
    if (!r) {
        put_document(&p, root);
        r = p.failed ? err_set(e, ERR_NOMEM, "metadata: out of host memory") : 0;
    }
    if (!r)
        r = co_metadata_read(out, p.bytes, p.size, d->y.budget, e);
    budget_give(p.budget, p.room);
    free(p.bytes);
    return r;
}

int co_metadata_v2_read(struct co_metadata **out, const uint8_t *bytes, size_t size, struct budget *budget,
                        struct err *e)
{
    struct err own = {0};
    struct document d = {.y = {.budget = budget, .e = e ? e : &own}};
    bool taken;
    char *text;

    *out = NULL;
    while (size && !bytes[size - 1]) /* the note may end with zeros */
        size--;
    taken = budget_take(budget, size + 1);
    text = taken ? malloc(size + 1) : NULL;
    if (!text) {
        budget_give(budget, taken ? size + 1 : 0);
        return err_set(e, ERR_NOMEM, "metadata: out of host memory for %zu bytes", size);
    }
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    int r = convert(out, &d, text, size, d.y.e);
    yaml_free(&d);
    budget_give(budget, size + 1);
    free(text);
    return r;
}

/* Metadata of code object v2: reads the YAML document and writes MessagePack with the keys of v3. */
#include "sim/loader/metadata_v2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 16

/* ---- YAML ---- */

enum node_kind { NODE_VALUE, NODE_MAP, NODE_LIST };

struct node {
    enum node_kind kind;
    const char *key;  /* in a map; null in a list */
    const char *text; /* of a value */
    struct node *first, *last, *next;
};

/* A line of the text that is left: blanks before it, and what is in it, both cut as "- " are read. */
struct yaml {
    char *at, *end; /* the current line begins at `at`; lines end with a zero */
    char *content;  /* of it; null: there is none left */
    unsigned indent, line, depth;
    struct budget *budget;
    uint64_t bytes_held;
    struct err *e;
};

/* Nodes are kept in a list of blocks, so that a tree that is half made can be freed. */
struct block {
    struct node node; /* first */
    struct block *next;
};

struct document {
    struct yaml y;
    struct block *blocks;
};

static int wrong(const struct document *d, const char *what)
{
    return err_set(d->y.e, ERR_FORMAT, "metadata: line %u: %s", d->y.line, what);
}

static struct node *new_node(struct document *d, struct node *in, const char *key)
{
    bool taken = budget_take(d->y.budget, sizeof(struct block));
    struct block *b = taken ? calloc(1, sizeof *b) : NULL;

    if (taken)
        d->y.bytes_held += sizeof *b;
    if (!b) {
        err_set(d->y.e, ERR_NOMEM, "metadata: no memory");
        return NULL;
    }
    b->next = d->blocks;
    d->blocks = b;
    b->node.key = key;
    b->node.text = "";
    if (in && in->last)
        in->last->next = &b->node;
    else if (in)
        in->first = &b->node;
    if (in)
        in->last = &b->node;
    return &b->node;
}

/* Goes to the next line that has something in it. */
static void next_line(struct yaml *y)
{
    y->content = NULL;
    while (y->at < y->end) {
        char *line = y->at, *text = line;

        y->line++;
        y->at += strlen(line) + 1;
        while (*text == ' ')
            text++;
        size_t n = strlen(text);
        while (n && (text[n - 1] == ' ' || text[n - 1] == '\r'))
            text[--n] = 0;
        if (!n || *text == '#' || strcmp(text, "---") == 0)
            continue;
        if (strcmp(text, "...") == 0)
            y->at = y->end;
        else
            y->content = text;
        y->indent = (unsigned)(text - line);
        return;
    }
}

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* One character behind a backslash; *p is moved behind it. -1: unknown. */
static int escape(const char **p)
{
    static const char from[] = "ntrabefv0\"\\/ ", to[] = "\n\t\r\a\b\033\f\v\0\"\\/ ";
    char c = *(*p)++;
    const char *known = c ? strchr(from, c) : NULL;

    if (known)
        return (unsigned char)to[known - from];
    if (c != 'x' || hex((*p)[0]) < 0 || hex((*p)[1]) < 0)
        return -1;
    int v = hex((*p)[0]) << 4 | hex((*p)[1]);
    *p += 2;
    return v;
}

/* Takes the quotes off a value in place; *end: what follows it. */
static int unquote(const struct document *d, char *text, char **end)
{
    char quote = *text, *to = text;
    const char *p = text + 1;

    for (;;) {
        int c = (unsigned char)*p;

        if (!c)
            return wrong(d, "a quote that is not closed");
        p++;
        if (c == quote && quote == '\'' && *p == '\'') {
            p++;
        } else if (c == quote) {
            break;
        } else if (c == '\\' && quote == '"') {
            c = escape(&p);
            if (c <= 0) /* strings end with a zero byte, so there is none in one */
                return wrong(d, "an escape sequence that is not known");
        }
        *to++ = (char)c;
    }
    *end = text + (p - text);
    *to = 0;
    return 0;
}

/* A value in a line, or a list of them in brackets. */
static int read_value(struct document *d, char *text, struct node *n)
{
    char *end;

    n->text = text;
    if (*text == '\'' || *text == '"') {
        if (unquote(d, text, &end))
            return -1;
        return *end ? wrong(d, "text behind a quoted value") : 0;
    }
    if (*text == '{' || *text == '&' || *text == '*' || *text == '!' || *text == '|' || *text == '>')
        return wrong(d, "a kind of value that metadata does not have");
    if (*text != '[')
        return 0;
    size_t length = strlen(text);
    if (text[length - 1] != ']')
        return wrong(d, "a bracket that is not closed");
    text[length - 1] = 0;
    n->kind = NODE_LIST;
    n->text = "";
    for (char *p = text + 1; *p;) {
        struct node *one;
        char *comma;

        p += strspn(p, " ");
        if (!*p && !n->first)
            return 0;
        if (!(one = new_node(d, n, NULL)))
            return -1;
        one->text = p;
        if (*p == '\'' || *p == '"') {
            if (unquote(d, p, &end))
                return -1;
            end += strspn(end, " ");
            if (*end && *end != ',')
                return wrong(d, "text behind a quoted value");
            p = end + (*end == ',');
            continue;
        }
        comma = strchr(p, ',');
        end = comma ? comma : p + strlen(p);
        while (end > p && end[-1] == ' ')
            *--end = 0;
        if (comma)
            *comma = 0;
        p = comma ? comma + 1 : end;
    }
    return 0;
}

/* Where the value of "KEY: VALUE" begins, with the key ended; null: the line is no such thing. */
static char *split_key(char *content)
{
    if (*content == '\'' || *content == '"' || *content == '[')
        return NULL;
    char *colon = strstr(content, ": ");
    size_t n = strlen(content);

    if (!colon && content[n - 1] == ':')
        colon = content + n - 1;
    if (!colon)
        return NULL;
    char *value = colon + 1;
    *colon = 0;
    return value + strspn(value, " ");
}

static bool is_item(const struct yaml *y)
{
    return y->content[0] == '-' && (y->content[1] == ' ' || !y->content[1]);
}

static int read_block(struct document *d, struct node *into);

static int read_list(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    unsigned indent = y->indent;

    into->kind = NODE_LIST;
    while (y->content && y->indent == indent && is_item(y)) {
        struct node *n = new_node(d, into, NULL);
        size_t skip = 1 + strspn(y->content + 1, " ");

        if (!n)
            return -1;
        y->content += skip;
        y->indent += (unsigned)skip;
        if (!*y->content) {
            next_line(y);
            if (y->content && y->indent > indent && read_block(d, n))
                return -1;
        } else if (read_block(d, n)) {
            return -1;
        }
    }
    return 0;
}

static int read_map(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    unsigned indent = y->indent;

    into->kind = NODE_MAP;
    while (y->content && y->indent == indent && !is_item(y)) {
        const char *key = y->content;
        char *value = split_key(y->content);
        struct node *n;

        if (!value)
            return wrong(d, "expected KEY: VALUE");
        if (!(n = new_node(d, into, key)))
            return -1;
        if (*value) {
            if (read_value(d, value, n))
                return -1;
            next_line(y);
            continue;
        }
        next_line(y); /* a list may stand as far left as its key */
        if (y->content && (y->indent > indent || (y->indent == indent && is_item(y))) && read_block(d, n))
            return -1;
    }
    return 0;
}

/* What begins in the current line: a map, a list or one value. */
static int read_block(struct document *d, struct node *into)
{
    struct yaml *y = &d->y;
    const char *c = y->content;
    size_t n = strlen(c);
    int r;

    if (y->depth == MAX_DEPTH)
        return wrong(d, "nested too deep");
    y->depth++;
    if (is_item(y)) {
        r = read_list(d, into);
    } else if (*c != '\'' && *c != '"' && *c != '[' && (strstr(c, ": ") || c[n - 1] == ':')) {
        r = read_map(d, into);
    } else {
        r = read_value(d, y->content, into);
        next_line(y);
    }
    y->depth--;
    return r;
}

static const struct node *find(const struct node *map, const char *key)
{
    for (const struct node *n = map && map->kind == NODE_MAP ? map->first : NULL; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

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
        const struct node *n = find(map, keys[k].v2);

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

/* The arguments, one behind the other; *end: the bytes that they take. */
static void put_arguments(struct packer *p, const struct node *list, uint64_t *end)
{
    size_t array = put_open(p, 0xdd);
    uint32_t count = 0;

    *end = 0;
    for (const struct node *n = list->kind == NODE_LIST ? list->first : NULL; n; n = n->next, count++) {
        size_t map = put_open(p, 0xdf);
        uint64_t size = 0, align = 1;
        uint32_t keys = PUT_KEYS(p, n, argument_keys);

        number_of(find(n, "Size"), &size);
        if (!number_of(find(n, "Align"), &align) || !align || align & (align - 1) || align > 4096)
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
        if (!find(properties, required[k].v2))
            keys += put_named(p, required[k].v3, required[k].value);
    return keys;
}

static void put_kernel(struct packer *p, const struct node *n)
{
    const struct node *properties = find(n, "CodeProps"), *symbol = find(n, "SymbolName"), *args = find(n, "Args");
    size_t map = put_open(p, 0xdf);
    uint64_t end = 0, stated = 0;
    uint32_t keys = PUT_KEYS(p, n, kernel_keys) + PUT_KEYS(p, find(n, "Attrs"), attribute_keys) +
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
    number_of(find(properties, "KernargSegmentSize"), &stated);
    keys += put_named(p, ".kernarg_segment_size", stated > end ? stated : end);
    put_count(p, map, keys);
}

static void put_document(struct packer *p, const struct node *root)
{
    const struct node *version = find(root, "Version"), *kernels = find(root, "Kernels"),
                      *formats = find(root, "Printf");
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

/* Reads the document into a tree; the text is changed, and the tree points into it. */
static int read_document(struct document *d, char *text, size_t size, struct node **root)
{
    for (size_t k = 0; k < size; k++) {
        if (!text[k])
            return err_set(d->y.e, ERR_FORMAT, "metadata: offset %zu: a zero byte", k);
        if (text[k] == '\n')
            text[k] = 0;
    }
    d->y.at = text;
    d->y.end = text + size;
    if (!(*root = new_node(d, NULL, NULL)))
        return -1;
    next_line(&d->y);
    if (d->y.content && read_block(d, *root))
        return -1;
    return d->y.content ? wrong(d, "expected a key as far left as those before it") : 0;
}

static int convert(struct co_metadata **out, struct document *d, char *text, size_t size, struct err *e)
{
    struct packer p = {.budget = d->y.budget};
    struct node *root = NULL;
    int r = read_document(d, text, size, &root);

    if (!r && root->kind != NODE_MAP)
        r = err_set(e, ERR_FORMAT, "metadata: expected a map");
    if (!r) {
        put_document(&p, root);
        r = p.failed ? err_set(e, ERR_NOMEM, "metadata: no memory") : 0;
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
        return err_set(e, ERR_NOMEM, "metadata: no memory for %zu bytes", size);
    }
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    int r = convert(out, &d, text, size, d.y.e);
    while (d.blocks) {
        struct block *next = d.blocks->next;
        free(d.blocks);
        d.blocks = next;
    }
    budget_give(budget, d.y.bytes_held + size + 1);
    free(text);
    return r;
}

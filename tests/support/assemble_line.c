/* Lines of assembly as atoms, and how far two lines are from one another. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/text/text.h"
#include "tests/support/assemble_parts.h"

enum {
    FAR = 12, /* how far two names are from one another, in bits */
    NEGATED = 0x1000,
    ABSOLUTE = 0x2000,
    HIGH_HALF = 0x4000,
    AGPR = 0x8000,
    NO_ADDRESS = 0x10000,
    HEX = 1 << 24,
};

uint32_t asm_hash(const char *p, size_t n)
{
    uint32_t h = 2166136261u;

    while (n--)
        h = (h ^ (uint8_t)*p++) * 16777619u;
    return h;
}

/* The code of a register with a name; -1: it is none. */
static int named_register(const struct isa_target *t, const char *p, size_t n)
{
    const struct {
        const char *name;
        int code;
    } names[] = {{"vcc", CODE_VCC_LO},
                 {"vcc_lo", CODE_VCC_LO},
                 {"vcc_hi", CODE_VCC_HI},
                 {"exec", CODE_EXEC_LO},
                 {"exec_lo", CODE_EXEC_LO},
                 {"exec_hi", CODE_EXEC_HI},
                 {"m0", t->code_m0},
                 {"null", t->code_null},
                 {"flat_scratch", t->code_flat_scratch},
                 {"flat_scratch_lo", t->code_flat_scratch},
                 {"flat_scratch_hi", t->code_flat_scratch + 1},
                 {"xnack_mask", t->code_xnack_mask},
                 {"xnack_mask_lo", t->code_xnack_mask},
                 {"xnack_mask_hi", t->code_xnack_mask + 1},
                 {"off", NO_ADDRESS | 127}};

    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strlen(names[k].name) == n && !memcmp(names[k].name, p, n))
            return names[k].code;
    for (int code = CODE_FLAT_SCRATCH_LO; code <= CODE_LDS_DIRECT; code++) {
        const char *name = isa_special_source((unsigned)code);

        if (name && strlen(name) == n && !memcmp(name, p, n))
            return code;
    }
    return -1;
}

/* v7, s[0:1], ttmp9: the code of the first; -1: no register. */
static int numbered_register(const struct isa_target *t, const char *p)
{
    static const char *const file[] = {"v", "s", "a", "ttmp"};
    const int first[] = {CODE_VGPR, 0, AGPR | CODE_VGPR, t->code_ttmp0};

    for (unsigned k = 0; k < 4; k++) {
        size_t n = strlen(file[k]);

        if (strncmp(p, file[k], n))
            continue;
        if (p[n] == '[')
            n++;
        if (isdigit((unsigned char)p[n]))
            return first[k] + atoi(p + n);
    }
    return -1;
}

/* An inline constant, a literal, or a number as it is. */
static bool number(struct asm_line *l, unsigned format, const char *p, uint32_t *value)
{
    static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
    bool hex = !strncmp(p + (*p == '-'), "0x", 2), plain = format == FMT_SOPP || format == FMT_SOPK;

    if (!isdigit((unsigned char)p[*p == '-']))
        return false;
    for (unsigned k = 0; k < 9 && strchr(p, '.'); k++)
        if (!strncmp(p, floats[k], strlen(floats[0]) + (k & 1)))
            *value = CODE_FLOAT_HALF + k;
    if (strchr(p, '.')) {
        if (!strncmp(p, "0.159", 5))
            *value = CODE_INV_2PI;
        return true;
    }
    long long n = strtoll(p, NULL, 0);
    if (n > UINT32_MAX || n < INT32_MIN)
        return false;
    if (plain || (hex && format == FMT_SMEM)) {
        *value = (hex && !plain ? HEX : 0) | ((uint32_t)n & (plain ? UINT32_MAX : 0xffffff));
    } else if (hex || n < -16 || n > 64) {
        *value = CODE_LITERAL;
        l->has_literal = true;
        l->literal = (uint32_t)strtoul(p, NULL, 0);
    } else {
        *value = (uint32_t)(n < 0 ? CODE_INT_64 - n : CODE_INT_0 + n);
    }
    return true;
}

static struct asm_atom *add(struct asm_line *l, const char *key, size_t n, const char *more)
{
    struct asm_atom *a = &l->atom[l->atoms];

    assert_true(l->atoms < ASM_ATOMS);
    l->atoms++;
    *a = (struct asm_atom){.value = 0};
    snprintf(a->key, sizeof a->key, "%.*s%s", (int)n, key, more);
    return a;
}

static void set_value(struct asm_atom *a, const char *p, size_t n)
{
    char *end;

    a->value = (uint32_t)strtol(p, &end, 0);
    if (end != p + n) {
        a->name = true;
        a->value = asm_hash(p, n);
    }
}

/* f(a, b): an atom for each argument. What counts or measures differs from what is not there. */
static void add_call(struct asm_line *l, const char *p, size_t n)
{
    const char *open = memchr(p, '(', n), *end = p + n - 1;
    unsigned k = 0;

    for (const char *q = open + 1; q < end; k++) {
        size_t m = strcspn(q, ",)");
        char more[12] = "";

        if (k)
            snprintf(more, sizeof more, ".%u", k);
        set_value(add(l, p, (size_t)(open - p), more), q, m);
        if (k == 2 && !strncmp(p, "hwreg", 5))
            l->atom[l->atoms - 1].value--; /* its size is encoded so */
        q += m + (q[m] == ',') + (q[m] == ',' && q[m + 1] == ' ');
    }
}

/* name:value, name:[1,0], or a name alone. */
static void add_modifier(struct asm_line *l, const char *p, size_t n)
{
    const char *colon = memchr(p, ':', n);
    struct asm_atom *a = add(l, p, colon ? (size_t)(colon - p) : n, "");

    a->value = 1;
    if (!colon)
        return;
    if (colon[1] != '[' || isalpha((unsigned char)colon[2])) {
        set_value(a, colon + 1, (size_t)(p + n - colon - 1));
        return;
    }
    a->value = 0;
    for (const char *q = colon + 2, *end = p + n; q < end; q++)
        if (isdigit((unsigned char)*q))
            a->value = a->value << 3 | (uint32_t)(*q - '0');
}

static bool strip(const char **p, size_t *n, const char *with, const char *last)
{
    if (strncmp(*p, with, strlen(with)))
        return false;
    *p += strlen(with);
    *n -= strlen(with) + strlen(last);
    return true;
}

static void add_operand(struct asm_line *l, const struct isa_target *t, unsigned format, const char *p, size_t n)
{
    char key[8], text[ASM_LINE];
    uint32_t flags = 0;
    struct asm_atom *a;
    int code;

    if (strip(&p, &n, "neg(", ")") || strip(&p, &n, "sext(", ")"))
        flags |= NEGATED;
    if (*p == '-' && !isdigit((unsigned char)p[1])) {
        p++;
        n--;
        flags |= NEGATED;
    }
    if (strip(&p, &n, "|", "|"))
        flags |= ABSOLUTE;
    if (n > 2 && !memcmp(p + n - 2, ".h", 2))
        flags |= HIGH_HALF;
    bool literal = strip(&p, &n, "lit(", ")");
    if (memchr(p, '(', n)) {
        add_call(l, p, n);
        return;
    }
    snprintf(key, sizeof key, "#%u", l->operands++);
    snprintf(text, sizeof text, "%.*s", (int)n, p);
    a = add(l, key, strlen(key), "");
    if (literal) {
        a->value = CODE_LITERAL | flags;
        l->has_literal = true;
        l->literal = (uint32_t)strtoul(text, NULL, 0);
        return;
    }
    code = named_register(t, p, n);
    if (code < 0)
        code = numbered_register(t, text);
    if (code >= 0)
        a->value = (uint32_t)code;
    else if (!number(l, format, text, &a->value))
        set_value(a, p, n);
    a->value |= a->name ? 0 : flags;
}

/* The length of the part at p: up to a comma or space outside of brackets. */
static size_t part_length(const char *p)
{
    unsigned depth = 0;
    size_t n = 0;

    for (; p[n] && (depth || (p[n] != ',' && p[n] != ' ')); n++)
        depth += (p[n] == '[' || p[n] == '(') - (unsigned)(p[n] == ']' || p[n] == ')');
    return n;
}

/* What the disassembler says of bad operands stands in comments. */
static void drop_comments(char out[ASM_LINE], const char *text)
{
    const char *open, *end;

    assert_true(strlen(text) < ASM_LINE);
    *out = 0;
    for (; (open = strstr(text, "/*")) && (end = strstr(open, "*/")); text = end + 2)
        strncat(out, text, (size_t)(open - text));
    strcat(out, text);
}

void asm_parse(struct asm_line *l, const struct isa_target *t, unsigned format, const char *with_comments)
{
    char text[ASM_LINE];
    bool operand = true;

    drop_comments(text, with_comments);

    const char *p = text + strcspn(text, " ");

    *l = (struct asm_line){.atoms = 0};
    snprintf(l->mnemonic, sizeof l->mnemonic, "%.*s", (int)(p - text), text);
    while (*(p += strspn(p, " "))) {
        size_t n = part_length(p);

        if (n == 2 && !memcmp(p, "::", 2)) { /* the second half of a pair */
            size_t m = strcspn(p + 3, " ");

            set_value(add(l, "::", 2, ""), p + 3, m);
            p += 3 + m;
            operand = true;
            continue;
        }
        if (operand)
            add_operand(l, t, format, p, n);
        else if (memchr(p, '(', n))
            add_call(l, p, n);
        else if (n > 1 || *p != '|')
            add_modifier(l, p, n);
        p += n;
        operand = *p == ',';
        p += operand;
    }
}

/* The value of what a line does not say. */
static uint32_t unsaid(const char *key)
{
    if (strstr(key, "cnt") || !strncmp(key, "depctr_", 7))
        return 63;
    if (!strcmp(key, "op_sel_hi"))
        return 0111;
    return !strcmp(key, "hwreg.2") ? 31 : 0;
}

const struct asm_atom *asm_find(const struct asm_line *l, const char *key)
{
    for (unsigned k = 0; k < l->atoms; k++)
        if (!strcmp(l->atom[k].key, key))
            return &l->atom[k];
    return NULL;
}

unsigned asm_apart(const struct asm_atom *a, const struct asm_atom *b)
{
    uint32_t x = a ? a->value : unsaid(b->key), y = b ? b->value : unsaid(a->key);

    if ((a && a->name) || (b && b->name))
        return a && b && x == y ? 0 : FAR;
    const char *key = (a ? a : b)->key;
    bool control = !strcmp(key, "quad_perm") || (!strncmp(key, "row_", 4) && strcmp(key, "row_mask"));
    bool whole = (!a || !b) && (*key == '#' || control); /* what is not there has no value */
    return (unsigned)__builtin_popcount(x ^ y) + (whole || ((x ^ y) & NO_ADDRESS) ? FAR : 0);
}

unsigned asm_distance(const struct asm_line *a, const struct asm_line *b)
{
    unsigned sum = 0;

    for (unsigned k = 0; k < a->atoms; k++)
        sum += asm_apart(&a->atom[k], asm_find(b, a->atom[k].key));
    for (unsigned k = 0; k < b->atoms; k++)
        if (!asm_find(a, b->atom[k].key))
            sum += asm_apart(NULL, &b->atom[k]);
    return sum;
}

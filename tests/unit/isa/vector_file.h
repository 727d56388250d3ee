/* Reads the vector files of tests/unit/isa/vectors, made by tests/tools/pseudo/generate.py from the manuals'
 * pseudocode:
 *
 *     = v_add_f32 gfx1150,gfx1200 S0:32 S1:32 > D0:32 | op_sel=1
 *     3f800000 40000000 > 40400000
 *     7f800000 ff800000 > 7fc00000/7fc00000
 *
 * A section names the mnemonic, the targets whose manual says so, the inputs and the outputs; its vectors follow, all
 * in hex. VALUE/MASK compares the bits of MASK alone: a NaN nobody promises the payload of, a destination written in
 * part (D0:16 compares the low half). Names: S0 S1 S2 sources, D0 destination (as an input: what it held before), K the
 * literal or SIMM16, VCC a bit of the carry or select mask of the lane, CO the lane's bit of the mask written, SCC,
 * EXEC (scalar instructions: the mask; vector ones: the lane's bit). After `|`: op_sel, op_sel_hi, neg bits; ieee=0
 * clears MODE.IEEE; lane=1: the vector's place is its lane in wave64; ulp=1: a float next to D0 will do too.
 */
#ifndef GCNSIM_TESTS_ISA_VECTOR_FILE_H
#define GCNSIM_TESTS_ISA_VECTOR_FILE_H

#include "tests/unit/isa/harness.h"

#ifndef VECTOR_DWORDS
#define VECTOR_DWORDS 4
#endif
enum { MAX_FIELDS = 8, DWORDS = VECTOR_DWORDS, MAX_SECTIONS = 4096 };
enum field_name { F_S0, F_S1, F_S2, F_D0, F_K, F_VCC, F_CO, F_SCC, F_EXEC, F_M, F_N, F_NAMES };
static const char *const field_names[F_NAMES] = {"S0", "S1", "S2", "D0", "K", "VCC", "CO", "SCC", "EXEC", "M", "N"};

struct field {
    enum field_name name;
    unsigned bits;
};
struct number {
    uint32_t v[DWORDS], mask[DWORDS];
};

struct section {
    char name[768], targets[64];
    struct field in[MAX_FIELDS], out[MAX_FIELDS];
    unsigned nin, nout, count;
    unsigned op_sel, op_sel_hi, neg, ieee, lane, ulp;
    struct number (*vectors)[2 * MAX_FIELDS]; /* inputs, then outputs from MAX_FIELDS on */
};

static inline unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static inline const char *read_hex(const char *p, uint32_t v[DWORDS])
{
    memset(v, 0, DWORDS * sizeof *v);
    for (; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++) {
        for (unsigned k = DWORDS - 1; k; k--)
            v[k] = v[k] << 4 | v[k - 1] >> 28;
        v[0] = v[0] << 4 | hex_digit(*p);
    }
    return p;
}

static inline struct number read_number(const char *word)
{
    struct number n;
    const char *p = read_hex(word, n.v);
    if (*p == '/')
        p = read_hex(p + 1, n.mask);
    else
        memset(n.mask, 0xff, sizeof n.mask);
    if (*p)
        fail_msg("not a number: '%s'", word);
    return n;
}

static inline struct field read_field(const char *word)
{
    size_t len = strcspn(word, ":");
    for (unsigned k = 0; k < F_NAMES; k++)
        if (strlen(field_names[k]) == len && !strncmp(word, field_names[k], len))
            return (struct field){k, word[len] ? (unsigned)atoi(word + len + 1) : 1};
    fail_msg("not an operand: '%s'", word);
    return (struct field){0, 0};
}

static inline void read_flag(struct section *s, const char *word)
{
    const char *eq = strchr(word, '=');
    assert_non_null(eq);
    unsigned value = (unsigned)atoi(eq + 1);
    size_t len = (size_t)(eq - word);
    if (!strncmp(word, "op_sel_hi", len) && len == 9)
        s->op_sel_hi = value;
    else if (!strncmp(word, "op_sel", len) && len == 6)
        s->op_sel = value;
    else if (!strncmp(word, "neg", len) && len == 3)
        s->neg = value;
    else if (!strncmp(word, "ieee", len) && len == 4)
        s->ieee = value;
    else if (!strncmp(word, "ulp", len) && len == 3)
        s->ulp = value;
    else if (!strncmp(word, "lane", len) && len == 4)
        s->lane = value;
    else
        fail_msg("not a flag: '%s'", word);
}

static inline void read_header(struct section *s, char *line)
{
    char *save, *word = strtok_r(line + 1, " \n", &save);

    memset(s, 0, sizeof *s);
    s->op_sel_hi = 7;
    s->ieee = 1;
    snprintf(s->name, sizeof s->name, "%s", word);
    snprintf(s->targets, sizeof s->targets, "%s", strtok_r(NULL, " \n", &save));
    while ((word = strtok_r(NULL, " \n", &save)) && strcmp(word, ">")) {
        assert_true(s->nin < MAX_FIELDS);
        s->in[s->nin++] = read_field(word);
    }
    while ((word = strtok_r(NULL, " \n", &save)) && strcmp(word, "|")) {
        assert_true(s->nout < MAX_FIELDS);
        s->out[s->nout++] = read_field(word);
    }
    while ((word = strtok_r(NULL, " \n", &save)))
        read_flag(s, word);
}

static inline void read_vector(struct section *s, char *line)
{
    char *save, *word = strtok_r(line, " \n", &save);

    if (s->count % 64 == 0)
        s->vectors = realloc(s->vectors, (s->count + 64) * sizeof *s->vectors);
    assert_non_null(s->vectors);
    struct number *n = s->vectors[s->count++];
    for (unsigned k = 0; k < s->nin; k++, word = strtok_r(NULL, " \n", &save)) {
        assert_non_null(word);
        n[k] = read_number(word);
    }
    assert_non_null(word);
    assert_string_equal(word, ">");
    for (unsigned k = 0; k < s->nout; k++) {
        word = strtok_r(NULL, " \n", &save);
        assert_non_null(word);
        n[MAX_FIELDS + k] = read_number(word);
    }
}

static inline int find_in(const struct section *s, enum field_name f)
{
    for (unsigned k = 0; k < s->nin; k++)
        if (s->in[k].name == f)
            return (int)k;
    return -1;
}

static inline int find_out(const struct section *s, enum field_name f)
{
    for (unsigned k = 0; k < s->nout; k++)
        if (s->out[k].name == f)
            return (int)k;
    return -1;
}

/* Whether the mnemonic is among the section's. */
static inline bool is_named(const struct section *s, const char *mnemonic)
{
    size_t n = strlen(mnemonic);

    for (const char *p = s->name; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (!strncmp(p, mnemonic, n) && (p[n] == ',' || !p[n]))
            return true;
    return false;
}

/* Appends the sections of a file to all[0..*n). */
static inline void read_sections(const char *path, struct section *all, unsigned *n)
{
    char line[2048];
    FILE *f = fopen(path, "r");

    if (!f)
        fail_msg("cannot read %s", path);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        if (line[0] == '=') {
            assert_true(*n < MAX_SECTIONS);
            read_header(&all[(*n)++], line);
        } else {
            assert_true(*n > 0);
            read_vector(&all[*n - 1], line);
        }
    }
    fclose(f);
}

#endif

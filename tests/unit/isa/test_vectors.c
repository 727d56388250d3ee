/* Vector files against the instructions themselves.
 *
 * tests/unit/isa/vectors/X.txt, made by tests/tools/pseudo/generate.py from the manuals' pseudocode:
 *
 *     = v_add_f32 gfx1150,gfx1200 S0:32 S1:32 > D0:32 | op_sel=1
 *     3f800000 40000000 > 40400000
 *     7f800000 ff800000 > 7fc00000/7fc00000
 *
 * A section names the mnemonic, the targets, the inputs and the outputs; its vectors follow, all in hex. VALUE/MASK
 * compares the bits of MASK alone: a NaN nobody promises the payload of, a destination written in part (D0:16 compares
 * the low half). Names: S0 S1 S2
 * sources, D0 destination (as an input: what it held before), K the literal or SIMM16, VCC a bit of the carry or
 * select mask of the lane, CO the lane's bit of the mask written, SCC, EXEC (scalar instructions: the mask; vector
 * ones: the lane's bit). After `|`: op_sel, op_sel_hi, neg bits; ieee=0 clears MODE.IEEE; lane=1: the vector's place is
 * its lane in wave64.
 *
 * Each section runs in every encoding the target's tables have for the mnemonic (VOP1/2/C and VOP3), vector
 * instructions with the vectors in the lanes, in wave64 and, where the target has it, wave32. MODE: denormals kept,
 * round to nearest even.
 *
 * Usage: test_vectors [FOLDER]; with a folder every difference is printed, else the first few.
 */
#include <dirent.h>

#include "tests/unit/isa/harness.h"

enum { MAX_FIELDS = 8, MAX_VECTORS = 8192, DWORDS = 4, SHOWN = 20 };
enum field_name { F_S0, F_S1, F_S2, F_D0, F_K, F_VCC, F_CO, F_SCC, F_EXEC, F_NAMES };
static const char *const field_names[F_NAMES] = {"S0", "S1", "S2", "D0", "K", "VCC", "CO", "SCC", "EXEC"};

struct field {
    enum field_name name;
    unsigned bits;
};
struct number {
    uint32_t v[DWORDS], mask[DWORDS];
};
struct section {
    char name[48], targets[64];
    struct field in[MAX_FIELDS], out[MAX_FIELDS];
    unsigned nin, nout, count;
    unsigned op_sel, op_sel_hi, neg, ieee, lane;
    struct number (*vectors)[2 * MAX_FIELDS]; /* inputs, then outputs from MAX_FIELDS on */
};
struct tally {
    unsigned sections, runs, vectors, wrong, absent;
    unsigned shown_limit;
};

/* Registers the operands stand in. */
enum { R_D0 = 4, R_S0 = 8, R_S1 = 12, R_S2 = 16, S_MASK_OUT = 30, S_MASK_IN = 32, S_VCC = 106, JUNK = 0xa5c3e187u };
static const unsigned field_reg[] = {[F_S0] = R_S0, [F_S1] = R_S1, [F_S2] = R_S2, [F_D0] = R_D0};

/* --- reading ---------------------------------------------------------------------------------------------------- */

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static const char *read_hex(const char *p, uint32_t v[DWORDS])
{
    memset(v, 0, DWORDS * sizeof *v);
    for (; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++) {
        for (unsigned k = DWORDS - 1; k; k--)
            v[k] = v[k] << 4 | v[k - 1] >> 28;
        v[0] = v[0] << 4 | hex_digit(*p);
    }
    return p;
}

static struct number read_number(const char *word)
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

static struct field read_field(const char *word)
{
    size_t len = strcspn(word, ":");
    for (unsigned k = 0; k < F_NAMES; k++)
        if (strlen(field_names[k]) == len && !strncmp(word, field_names[k], len))
            return (struct field){k, word[len] ? (unsigned)atoi(word + len + 1) : 1};
    fail_msg("not an operand: '%s'", word);
    return (struct field){0, 0};
}

static void read_flag(struct section *s, const char *word)
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
    else if (!strncmp(word, "lane", len) && len == 4)
        s->lane = value;
    else
        fail_msg("not a flag: '%s'", word);
}

static void read_header(struct section *s, char *line)
{
    char *save, *word = strtok_r(line + 1, " \n", &save);
    void *vectors = s->vectors;

    memset(s, 0, sizeof *s);
    s->vectors = vectors;
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

static void read_vector(struct section *s, char *line)
{
    char *save, *word = strtok_r(line, " \n", &save);

    assert_true(s->count < MAX_VECTORS);
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

static int find_in(const struct section *s, enum field_name f)
{
    for (unsigned k = 0; k < s->nin; k++)
        if (s->in[k].name == f)
            return (int)k;
    return -1;
}

static int find_out(const struct section *s, enum field_name f)
{
    for (unsigned k = 0; k < s->nout; k++)
        if (s->out[k].name == f)
            return (int)k;
    return -1;
}

/* --- encoding: RDNA4, RDNA3.5 and CDNA3 ISA, chapter "Microcode formats" ------------------------------------------ */

static bool row_has(const struct isa_row *row, enum isa_slot slot)
{
    for (unsigned k = 0; k < ISA_MAX_ARGS && row->args[k].slot != SL_NONE; k++)
        if (row->args[k].slot == slot && !(row->args[k].flags & A_HIDDEN))
            return true;
    return false;
}

static unsigned encode_vop3(const struct rig *r, const struct section *s, unsigned opcode, const struct isa_row *row,
                            uint32_t *w)
{
    bool gfx9 = r->t->layout == LAYOUT_GFX9;
    unsigned vdst = R_D0;

    if (row_has(row, SL_CMP_OUT))
        vdst = row->flags & RF_CMPX && isa_has(r->t, FEAT_CMPX_EXEC_ONLY) ? CODE_EXEC_LO : S_MASK_OUT;
    else if (row->flags & RF_CMPX)
        vdst = CODE_EXEC_LO;
    w[0] = (gfx9 ? 0xd0000000 : 0xd4000000) | opcode << 16 | vdst;
    if (row_has(row, SL_CARRY_OUT))
        w[0] |= S_MASK_OUT << 8;
    else
        w[0] |= s->op_sel << 11;
    w[1] = (row_has(row, SL_SRC0) ? CODE_VGPR + R_S0 : 0) | s->neg << 29;
    if (row_has(row, SL_SRC1))
        w[1] |= (CODE_VGPR + R_S1) << 9;
    if (row_has(row, SL_SRC2))
        w[1] |= (uint32_t)(CODE_VGPR + R_S2) << 18;
    else if (row_has(row, SL_CARRY_IN))
        w[1] |= S_MASK_IN << 18;
    return 2;
}

static unsigned encode_vop3p(const struct rig *r, const struct section *s, unsigned opcode, const struct isa_row *row,
                             uint32_t *w)
{
    w[0] = (r->t->layout == LAYOUT_GFX9 ? 0xd3800000 : 0xcc000000) | opcode << 16 | R_D0 | s->op_sel << 11 |
           (s->op_sel_hi >> 2 & 1) << 14;
    w[1] = (CODE_VGPR + R_S0) | (CODE_VGPR + R_S1) << 9 | (s->op_sel_hi & 3) << 27 | s->neg << 29;
    if (row_has(row, SL_SRC2))
        w[1] |= (uint32_t)(CODE_VGPR + R_S2) << 18;
    return 2;
}

/* Words of the instruction; k is the literal or immediate. */
static unsigned encode(const struct rig *r, const struct section *s, enum isa_format f, unsigned opcode,
                       const struct isa_row *row, uint32_t k, uint32_t *w)
{
    unsigned n = 1;

    switch (f) {
    case FMT_VOP1:
        w[0] = 0x7e000000 | R_D0 << 17 | opcode << 9 | (CODE_VGPR + R_S0);
        break;
    case FMT_VOP2:
        w[0] = opcode << 25 | R_D0 << 17 | R_S1 << 9 | (CODE_VGPR + R_S0);
        break;
    case FMT_VOPC:
        w[0] = 0x7c000000 | opcode << 17 | R_S1 << 9 | (CODE_VGPR + R_S0);
        break;
    case FMT_VOP3:
        n = encode_vop3(r, s, opcode, row, w);
        break;
    case FMT_VOP3P:
        n = encode_vop3p(r, s, opcode, row, w);
        break;
    case FMT_SOP1:
        w[0] = 0xbe800000 | R_D0 << 16 | opcode << 8 | R_S0;
        break;
    case FMT_SOP2:
        w[0] = 0x80000000 | opcode << 23 | R_D0 << 16 | R_S1 << 8 | R_S0;
        break;
    case FMT_SOPC:
        w[0] = 0xbf000000 | opcode << 16 | R_S1 << 8 | R_S0;
        break;
    case FMT_SOPK:
        w[0] = 0xb0000000 | opcode << 23 | R_D0 << 16 | (k & 0xffff);
        break;
    default:
        fail_msg("no encoding for %s", isa_format_name[f]);
    }
    if (row_has(row, SL_K))
        w[n++] = k;
    return n;
}

/* --- running ---------------------------------------------------------------------------------------------------- */

struct job {
    struct rig *r;
    const struct section *s;
    enum isa_format f;
    const struct isa_op *op;
    unsigned opcode;
    struct tally *t;
};

static void show(const struct job *j, unsigned at, unsigned out, const uint32_t *got)
{
    char text[512];
    size_t n = 0;
    const struct number *vec = j->s->vectors[at];

    if (j->t->wrong++ >= j->t->shown_limit)
        return;
    for (unsigned k = 0; k < j->s->nin + j->s->nout; k++) {
        bool is_out = k >= j->s->nin;
        const struct field *f = is_out ? &j->s->out[k - j->s->nin] : &j->s->in[k];
        const struct number *v = is_out ? &vec[MAX_FIELDS + k - j->s->nin] : &vec[k];
        n += (size_t)snprintf(text + n, sizeof text - n, " %s%s=", is_out ? "want " : "", field_names[f->name]);
        for (unsigned d = (f->bits + 31) / 32; d--;)
            n += (size_t)snprintf(text + n, sizeof text - n, "%08x", v->v[d]);
        if (n >= sizeof text - 64)
            break;
    }
    n += (size_t)snprintf(text + n, sizeof text - n, " got %s=", field_names[j->s->out[out].name]);
    for (unsigned d = (j->s->out[out].bits + 31) / 32; d--;)
        n += (size_t)snprintf(text + n, sizeof text - n, "%08x", got[d]);
    print_message("DIFF %s %s %s wave%u op_sel=%u neg=%u ieee=%u:%s\n", j->r->t->name, isa_format_name[j->f],
                  j->s->name, j->r->w.lanes, j->s->op_sel, j->s->neg, j->s->ieee, text);
}

static void compare(const struct job *j, unsigned at, unsigned out, const uint32_t *got)
{
    const struct number *want = &j->s->vectors[at][MAX_FIELDS + out];
    unsigned bits = j->s->out[out].bits;
    uint32_t part = bits == 16 ? 0xffff : UINT32_MAX; /* instructions that write half a register */

    for (unsigned d = 0; d < (bits + 31) / 32; d++)
        if ((got[d] ^ want->v[d]) & want->mask[d] & part) {
            show(j, at, out, got);
            return;
        }
}

static void put_mask(struct rig *r, unsigned sgpr, uint64_t mask)
{
    r->w.s[sgpr] = (uint32_t)mask;
    r->w.s[sgpr + 1] = r->w.lanes == 64 ? (uint32_t)(mask >> 32) : 0;
}

static uint64_t get_mask(const struct rig *r, unsigned sgpr)
{
    return r->w.s[sgpr] | (r->w.lanes == 64 ? (uint64_t)r->w.s[sgpr + 1] << 32 : 0);
}

static void fill_lanes(const struct job *j, unsigned at, unsigned here)
{
    struct rig *r = j->r;
    uint64_t vcc = 0;

    for (unsigned d = 0; d < DWORDS; d++) {
        rig_vall(r, R_D0 + d, JUNK);
        rig_vall(r, R_S0 + d, JUNK);
        rig_vall(r, R_S1 + d, JUNK);
        rig_vall(r, R_S2 + d, JUNK);
    }
    for (unsigned l = 0; l < here; l++)
        for (unsigned k = 0; k < j->s->nin; k++) {
            const struct number *n = &j->s->vectors[at + l][k];
            const struct field *f = &j->s->in[k];
            if (f->name == F_VCC)
                vcc |= (uint64_t)(n->v[0] & 1) << l;
            else if (f->name <= F_D0)
                for (unsigned d = 0; d < (f->bits + 31) / 32; d++)
                    rig_v(r, field_reg[f->name] + d, l, n->v[d]);
        }
    put_mask(r, S_VCC, vcc);
    put_mask(r, S_MASK_IN, vcc);
    put_mask(r, S_MASK_OUT, 0);
    isa_set_exec(&r->w, lane_mask(here));
}

static void check_lanes(const struct job *j, unsigned at, unsigned here)
{
    struct rig *r = j->r;
    bool vop3 = j->f == FMT_VOP3 || j->f == FMT_VOP3P;
    uint64_t mask = get_mask(r, vop3 ? S_MASK_OUT : S_VCC);

    for (unsigned l = 0; l < r->w.lanes; l++) {
        if (l >= here) {
            if (rig_getv(r, R_D0, l) != JUNK)
                fail_msg("%s %s wrote lane %u, which is off", r->t->name, j->s->name, l);
            continue;
        }
        for (unsigned k = 0; k < j->s->nout; k++) {
            uint32_t got[DWORDS] = {0};
            if (j->s->out[k].name == F_D0)
                for (unsigned d = 0; d < DWORDS; d++)
                    got[d] = rig_getv(r, R_D0 + d, l);
            else
                got[0] = (uint32_t)((j->s->out[k].name == F_EXEC ? r->w.exec : mask) >> l & 1);
            compare(j, at + l, k, got);
        }
    }
}

static void run_vector_inst(const struct job *j)
{
    uint32_t words[4];
    int k = find_in(j->s, F_K);
    unsigned step = k >= 0 ? 1 : j->r->w.lanes;

    for (unsigned at = 0; at < j->s->count; at += step) {
        unsigned here = j->s->count - at < step ? j->s->count - at : step;
        unsigned n = encode(j->r, j->s, j->f, j->opcode, j->op->row, k >= 0 ? j->s->vectors[at][k].v[0] : 0, words);
        fill_lanes(j, at, here);
        rig_run(j->r, words, n);
        check_lanes(j, at, here);
        j->t->vectors += here;
    }
}

static void run_scalar_inst(const struct job *j)
{
    struct rig *r = j->r;
    uint32_t words[4];

    for (unsigned at = 0; at < j->s->count; at++) {
        uint32_t k = 0;
        for (unsigned i = 0; i < 20; i++)
            r->w.s[i] = JUNK;
        isa_set_exec(&r->w, lane_mask(r->w.lanes));
        r->w.scc = 0;
        for (unsigned i = 0; i < j->s->nin; i++) {
            const struct number *n = &j->s->vectors[at][i];
            const struct field *f = &j->s->in[i];
            if (f->name == F_SCC)
                r->w.scc = n->v[0] & 1;
            else if (f->name == F_EXEC)
                isa_set_exec(&r->w, (n->v[0] | (uint64_t)n->v[1] << 32) & lane_mask(r->w.lanes));
            else if (f->name == F_K)
                k = n->v[0];
            else if (f->name <= F_D0)
                memcpy(&r->w.s[field_reg[f->name]], n->v, (f->bits + 31) / 32 * 4);
        }
        rig_run(r, words, encode(r, j->s, j->f, j->opcode, j->op->row, k, words));
        for (unsigned o = 0; o < j->s->nout; o++) {
            uint32_t got[DWORDS] = {0};
            if (j->s->out[o].name == F_D0)
                memcpy(got, &r->w.s[R_D0], sizeof got);
            else if (j->s->out[o].name == F_SCC)
                got[0] = r->w.scc;
            else
                got[0] = (uint32_t)r->w.exec, got[1] = (uint32_t)(r->w.exec >> 32);
            compare(j, at, o, got);
        }
        j->t->vectors++;
    }
}

static const enum isa_format formats[] = {FMT_SOP1, FMT_SOP2, FMT_SOPC, FMT_SOPK, FMT_VOP1,
                                          FMT_VOP2, FMT_VOPC, FMT_VOP3, FMT_VOP3P};

/* The section on one rig, in every encoding; returns how many there were. */
static unsigned run_section(struct rig *r, const struct section *s, struct tally *t)
{
    unsigned found = 0;

    isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | (s->ieee ? MODE_IEEE : 0));
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        enum isa_format f = formats[i];
        for (unsigned opcode = 0; r->t->ops[f] && opcode < r->t->op_count[f]; opcode++) {
            const struct isa_op *op = &r->t->ops[f][opcode];
            if (!op->row || strcmp(op->mnemonic, s->name))
                continue;
            found++;
            /* op_sel is not to be had in the short encodings */
            if (s->op_sel && f != FMT_VOP3 && f != FMT_VOP3P)
                continue;
            struct job j = {r, s, f, op, opcode, t};
            if (f <= FMT_SOPK)
                run_scalar_inst(&j);
            else
                run_vector_inst(&j);
            t->runs++;
        }
    }
    return found;
}

struct bench {
    struct rig rig[2]; /* wave64; wave32 where there is one */
    bool has32;
};
static const char *const targets[] = {"gfx1150", "gfx1200", "gfx942"};
enum { TARGETS = sizeof targets / sizeof targets[0] };

static bool wants_wave32(const struct section *s)
{
    size_t n = strlen(s->name);
    return s->name[0] == 's' && find_out(s, F_EXEC) >= 0 && n > 4 && !strcmp(s->name + n - 4, "_b32");
}

static void end_section(struct bench *b, const struct section *s, struct tally *t)
{
    if (!s->count)
        return;
    t->sections++;
    for (unsigned k = 0; k < TARGETS; k++) {
        const char *at = strstr(s->targets, targets[k]);
        if (!at)
            continue;
        unsigned found = 0;
        bool scalar = s->name[0] == 's';
        if (!wants_wave32(s))
            found = run_section(&b[k].rig[0], s, t);
        if (b[k].has32 && !s->lane && (!scalar || wants_wave32(s)))
            found += run_section(&b[k].rig[1], s, t);
        if (!found) {
            print_message("ABSENT %s %s\n", targets[k], s->name);
            t->absent++;
        }
    }
}

static void run_file(struct bench *b, const char *path, struct tally *t)
{
    char line[1024];
    struct section s = {0};
    FILE *f = fopen(path, "r");

    if (!f)
        fail_msg("cannot read %s", path);
    s.vectors = malloc(MAX_VECTORS * sizeof *s.vectors);
    assert_non_null(s.vectors);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        if (line[0] == '=') {
            end_section(b, &s, t);
            read_header(&s, line);
        } else {
            read_vector(&s, line);
        }
    }
    end_section(b, &s, t);
    free(s.vectors);
    fclose(f);
}

static const char *folder = "tests/unit/isa/vectors";
static bool show_all;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_vector_files(void **state)
{
    static const char *const variants[] = {NULL, "base"};
    struct tally t = {.shown_limit = show_all ? 1000000 : SHOWN};
    char *names[64], path[512];
    unsigned n = 0;
    DIR *d = opendir(folder);

    (void)state;
    if (!d)
        fail_msg("cannot read %s", folder);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".txt") && strcmp(e->d_name, "LEFT_OUT.txt") && n < 64)
            names[n++] = strdup(e->d_name);
    closedir(d);
    assert_true(n > 0);
    qsort(names, n, sizeof names[0], by_name);
    /* the best lane loops of this CPU and the portable ones */
    for (unsigned v = 0; v < 2; v++) {
        struct bench b[TARGETS];
        for (unsigned k = 0; k < TARGETS; k++) {
            rig_open_variant(&b[k].rig[0], targets[k], 64, variants[v]);
            b[k].has32 = isa_has(b[k].rig[0].t, FEAT_WAVE32);
            if (b[k].has32)
                rig_open_variant(&b[k].rig[1], targets[k], 32, variants[v]);
        }
        for (unsigned k = 0; k < n; k++) {
            snprintf(path, sizeof path, "%s/%s", folder, names[k]);
            run_file(b, path, &t);
        }
        for (unsigned k = 0; k < TARGETS; k++) {
            rig_close(&b[k].rig[0]);
            if (b[k].has32)
                rig_close(&b[k].rig[1]);
        }
        if (show_all)
            break;
    }
    for (unsigned k = 0; k < n; k++)
        free(names[k]);
    print_message("%u sections, %u instruction runs, %u vectors compared, %u differ, %u instructions missing\n",
                  t.sections, t.runs, t.vectors, t.wrong, t.absent);
    assert_true(t.vectors > 0);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.absent, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vector_files)};

    if (argc > 1) {
        folder = argv[1];
        show_all = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

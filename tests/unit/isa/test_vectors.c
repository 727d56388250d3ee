/* Vector files (vector_file.h) against the instructions themselves.
 *
 * Each section runs on every target that takes it (vector_bench.h), in every form that the target has of the row: the
 * short encoding, VOP3 (lanes switched on at random), SDWA (16-bit operands in high halves, the rest of the destination
 * kept), DPP16 and DPP8 (src0 comes from another lane), the same of VOP3, and the halves of VOPD; vector instructions
 * with the vectors in the lanes, in wave64 and, where the target has it, wave32. MODE: denormals kept, round to nearest
 * even.
 *
 * Usage: test_vectors [FOLDER]; with a folder every difference is printed, else the first few.
 */
#include "tests/unit/isa/vector_bench.h"
#include "tests/unit/isa/vector_words.h"

enum { SHOWN = 20 };
struct tally {
    unsigned sections, runs, vectors, wrong, absent, no_form;
    unsigned shown_limit;
};

/* --- one instruction, many vectors ------------------------------------------------------------------------------ */

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
    print_message("DIFF %s %s %s %s wave%u op_sel=%u neg=%u ieee=%u:%s\n", j->r->t->name, isa_format_name[j->format],
                  isa_form_name[j->form], j->s->name, j->r->w.lanes, j->s->op_sel, j->s->neg, j->s->ieee, text);
}

/* A float's place among all floats of its size. */
static int64_t float_order(const uint32_t *v, unsigned bits)
{
    uint64_t x = v[0] | (bits == 64 ? (uint64_t)v[1] << 32 : 0), top = UINT64_C(1) << (bits - 1);

    x &= top | (top - 1);
    return x & top ? -(int64_t)(x & ~top) : (int64_t)x;
}

/* Manuals promise some functions within a unit in the last place; what is no number, and zero, must be exact. */
static bool is_near(const struct job *j, const struct number *want, unsigned bits, const uint32_t *got)
{
    if (!j->s->ulp)
        return false;
    int64_t d = float_order(want->v, bits) - float_order(got, bits), most = (int64_t)j->s->ulp;
    return d >= -most && d <= most && float_order(want->v, bits) != 0;
}

static void compare(const struct job *j, unsigned at, unsigned out, const uint32_t *got)
{
    const struct number *want = &j->s->vectors[at][MAX_FIELDS + out];
    unsigned bits = j->s->out[out].bits;
    uint32_t part = bits == 16 ? 0xffff : UINT32_MAX; /* instructions that write half a register */

    for (unsigned d = 0; d < (bits + 31) / 32; d++)
        if ((got[d] ^ want->v[d]) & want->mask[d] & part) {
            if (is_near(j, want, bits, got))
                return;
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

/* Which vector each lane gets, -1: the lane is off. Returns how many vectors that takes. */
static unsigned place(const struct job *j, unsigned at, int where[64])
{
    unsigned lanes = j->r->w.lanes, left = j->s->count - at, used = 0;
    bool one = find_in(j->s, F_K) >= 0 || is_broadcast(j);

    if (isa_form_is_dpp16(j->form) || isa_form_is_dpp8(j->form)) { /* no lane may be off: another takes its value */
        used = j->s->lane ? lanes : one ? 1 : left < lanes ? left : lanes;
        for (unsigned l = 0; l < lanes; l++)
            where[l] = (int)(at + l % used);
        return used;
    }
    uint64_t on = lane_mask(lanes);
    if (j->form == FORM_E64 && !j->s->lane)
        on &= (at + 1) * UINT64_C(0x9e3779b97f4a7c15) | UINT64_C(1) << at % lanes;
    for (unsigned l = 0; l < lanes; l++)
        where[l] = on >> l & 1 && used < (one ? 1 : left) ? (int)(at + used++) : -1;
    return used;
}

static void fill_operand(const struct job *j, const struct field *f, unsigned lane, const uint32_t *v)
{
    static const unsigned reg[] = {[F_S0] = R_S0, [F_S1] = R_S1, [F_S2] = R_S2, [F_D0] = R_D0};
    static const unsigned slot[] = {[F_S0] = SL_SRC0, [F_S1] = SL_SRC1, [F_S2] = SL_SRC2, [F_D0] = SL_VDST};

    for (unsigned d = 0; d < (f->bits + 31) / 32; d++)
        rig_v(j->r, reg[f->name] + d, lane, in_high_half(j, slot[f->name]) ? v[d] << 16 | (v[d] >> 16 ^ 0x5a5a) : v[d]);
}

static uint64_t fill_lanes(const struct job *j, const int where[64])
{
    struct rig *r = j->r;
    uint64_t vcc = 0, exec = 0;

    for (unsigned d = 0; d < DWORDS; d++) {
        rig_vall(r, R_D0 + d, JUNK);
        rig_vall(r, R_S0 + d, JUNK);
        rig_vall(r, R_S1 + d, JUNK);
        rig_vall(r, R_S2 + d, JUNK);
    }
    for (unsigned l = 0; l < r->w.lanes; l++) {
        rig_v(r, R_OTHER, l, JUNK + l);
        if (where[l] < 0)
            continue;
        exec |= UINT64_C(1) << l;
        for (unsigned k = 0; k < j->s->nin; k++) {
            const struct number *n = &j->s->vectors[where[l]][k];
            const struct field *f = &j->s->in[k];
            if (f->name == F_VCC)
                vcc |= (uint64_t)(n->v[0] & 1) << l;
            else if (f->name <= F_D0)
                fill_operand(j, f, f->name == F_S0 ? dpp_source(j, l) : l, n->v);
        }
    }
    put_mask(r, S_VCC, vcc);
    put_mask(r, S_MASK_IN, vcc);
    put_mask(r, S_MASK_OUT, 0);
    isa_set_exec(&r->w, exec);
    return exec;
}

static void check_lane(const struct job *j, unsigned l, unsigned at, uint64_t mask)
{
    struct rig *r = j->r;

    for (unsigned k = 0; k < j->s->nout; k++) {
        uint32_t got[DWORDS] = {0};
        if (j->s->out[k].name == F_D0)
            for (unsigned d = 0; d < DWORDS; d++)
                got[d] = rig_getv(r, R_D0 + d, l);
        else
            got[0] = (uint32_t)((j->s->out[k].name == F_EXEC ? r->w.exec : mask) >> l & 1);
        if (j->s->out[k].name == F_D0 && in_high_half(j, SL_VDST)) {
            if ((got[0] ^ JUNK) & 0xffff)
                fail_msg("%s %s_sdwa did not keep the low half", r->t->name, j->op->mnemonic);
            got[0] >>= 16;
        }
        compare(j, at, k, got);
    }
    if (j->form == FORM_VOPD && rig_getv(r, R_OTHER_D, l) != JUNK + l)
        fail_msg("%s %s spoils its other half", r->t->name, j->op->mnemonic);
}

static void check_lanes(const struct job *j, const int where[64], uint64_t exec)
{
    struct rig *r = j->r;
    bool vop3 = j->format == FMT_VOP3 || j->format == FMT_VOP3P;
    uint64_t mask = get_mask(r, vop3 ? S_MASK_OUT : S_VCC);

    for (unsigned l = 0; l < r->w.lanes; l++) {
        if (where[l] >= 0)
            check_lane(j, l, (unsigned)where[l], mask);
        else if (rig_getv(r, R_D0, l) != JUNK)
            fail_msg("%s %s wrote lane %u, which is off", r->t->name, j->s->name, l);
    }
    if (j->op->row->kind == ROW_CMP) {
        bool to_exec = j->op->row->flags & RF_CMPX;
        if ((to_exec ? r->w.exec : mask) & ~exec)
            fail_msg("%s %s sets bits of lanes that are off", r->t->name, j->s->name);
    }
}

static void run_vector_inst(const struct job *j)
{
    uint32_t words[4];
    int k = find_in(j->s, F_K), where[64];

    for (unsigned at = 0, used; at < j->s->count; at += used) {
        unsigned n = encode(j, k >= 0 ? j->s->vectors[at][k].v[0] : 0, words);
        used = place(j, at, where);
        uint64_t exec = fill_lanes(j, where);
        rig_run(j->r, words, n);
        check_lanes(j, where, exec);
        j->t->vectors += used;
    }
}

static void run_scalar_inst(const struct job *j)
{
    static const unsigned reg[] = {[F_S0] = R_S0, [F_S1] = R_S1, [F_S2] = R_S2, [F_D0] = R_D0};
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
                memcpy(&r->w.s[reg[f->name]], n->v, (f->bits + 31) / 32 * 4);
        }
        rig_run(r, words, encode(j, k, words));
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

/* --- every form of it ------------------------------------------------------------------------------------------- */

static bool is_long(unsigned format)
{
    return format == FMT_VOP3 || format == FMT_VOP3P;
}

/* Whether the words decode to the row in that form: the list of forms is of the row, and op_sel or a literal may be in
 * the way of some. */
static bool decodes(const struct job *j)
{
    struct isa_inst i;
    uint32_t words[4];
    unsigned n = encode(j, 0, words);

    if (!isa_decode(j->r->t, (const uint8_t *)words, n * 4, &i, NULL) || i.form != j->form || i.bad)
        return false;
    return (j->format == FMT_VOPDY ? i.u.y.row : i.row) == j->op->row;
}

static void run_forms(struct job *j)
{
    static const uint8_t short_forms[] = {FORM_E32, FORM_SDWA, FORM_DPP16, FORM_DPP8},
                         long_forms[] = {FORM_E64, FORM_E64_DPP16, FORM_E64_DPP8}, pairs[] = {FORM_VOPD};
    bool vopd = j->format >= FMT_VOPDX && j->format <= FMT_VOPDY;
    const uint8_t *forms = vopd ? pairs : is_long(j->format) ? long_forms : short_forms;
    unsigned n = vopd ? 1 : is_long(j->format) ? 3 : 4;
    uint32_t has = isa_list_forms(j->r->t, j->format, j->opcode);

    for (unsigned k = 0; k < n; k++) {
        if (!(has >> forms[k] & 1))
            continue;
        j->form = forms[k];
        if (!decodes(j)) {
            if (j->t->shown_limit > SHOWN)
                print_message("NO FORM %s %s %s\n", j->r->t->name, j->op->mnemonic, isa_form_name[forms[k]]);
            j->t->no_form++;
            continue;
        }
        run_vector_inst(j);
        j->t->runs++;
    }
}

/* op_sel and neg are not to be had in the short encodings, and gfx8's VOP3 has no op_sel; VOPD is for wave32. */
static bool can_say(const struct rig *r, const struct section *s, unsigned format)
{
    if (format == FMT_VOPDX || format == FMT_VOPDY)
        return r->w.lanes == 32 && !s->op_sel && !s->neg;
    if (s->op_sel && format == FMT_VOP3 && !isa_has(r->t, FEAT_OP_SEL))
        return false;
    return (!s->op_sel && !s->neg) || is_long(format);
}

/* The row in every encoding the target has for it. */
static void run_row(struct rig *r, const struct section *s, const struct isa_row *row, struct tally *t)
{
    static const uint8_t formats[] = {FMT_SOP1, FMT_SOP2, FMT_SOPC,  FMT_SOPK,  FMT_VOP1, FMT_VOP2,
                                      FMT_VOPC, FMT_VOP3, FMT_VOP3P, FMT_VOPDX, FMT_VOPDY};

    isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | (s->ieee ? MODE_IEEE : 0));
    for (unsigned i = 0; i < sizeof formats; i++) {
        enum isa_format f = formats[i];
        for (unsigned opcode = 0; r->t->ops[f] && opcode < r->t->op_count[f]; opcode++) {
            const struct isa_op *op = &r->t->ops[f][opcode];
            if (op->row != row)
                continue;
            if (f > FMT_SOPK && !can_say(r, s, f))
                continue;
            struct job j = {.r = r, .s = s, .op = op, .format = f, .opcode = opcode, .form = FORM_E32, .t = t};
            if (f > FMT_SOPK) {
                run_forms(&j);
            } else {
                run_scalar_inst(&j);
                t->runs++;
            }
        }
    }
}

/* --- every target ----------------------------------------------------------------------------------------------- */

static bool wants_wave32(const struct section *s)
{
    size_t n = strlen(s->name);
    return s->name[0] == 's' && find_out(s, F_EXEC) >= 0 && n > 4 && !strcmp(s->name + n - 4, "_b32");
}

static void run_target(struct bench *b, unsigned k, const struct section *s, const struct isa_row *row, struct tally *t)
{
    bool scalar = s->name[0] == 's';

    if (!wants_wave32(s))
        run_row(&b->at[k].rig[0], s, row, t);
    if (b->at[k].has32 && !s->lane && (!scalar || wants_wave32(s)))
        run_row(&b->at[k].rig[1], s, row, t);
}

static void run_section(struct bench *b, const struct meaning *all, unsigned at, struct tally *t)
{
    const struct section *s = &b->all[at];

    t->sections++;
    for (unsigned m = 0; m < MANUALS; m++) {
        if (strstr(s->targets, manuals[m]) && !all[at].n[m]) {
            print_message("ABSENT %s %s\n", manuals[m], s->name);
            t->absent++;
        }
        for (unsigned i = 0; i < all[at].n[m]; i++)
            for (unsigned k = 0; k < b->n; k++)
                if (!b->at[k].skip && is_source(b, all, b->at[k].order, m, all[at].rows[m][i]))
                    run_target(b, k, s, all[at].rows[m][i], t);
    }
}

static void run_all(struct bench *b, struct tally *t)
{
    struct meaning *all = meanings(b);

    for (unsigned s = 0; s < b->sections; s++)
        run_section(b, all, s, t);
    free(all);
}

static const char *folder = "tests/unit/isa/vectors";
static bool show_all;

static void test_vector_files(void **state)
{
    static const char *const variants[] = {NULL, "base"};
    struct tally t = {.shown_limit = show_all ? 1000000 : SHOWN};
    struct bench b = {.all = calloc(MAX_SECTIONS, sizeof *b.all)};

    (void)state;
    assert_non_null(b.all);
    read_folder(&b, folder, false);
    /* the best lane loops of this CPU and the portable ones */
    for (unsigned v = 0; v < (show_all ? 1 : 2); v++) {
        open_bench(&b, variants[v], v > 0);
        run_all(&b, &t);
        close_bench(&b);
    }
    for (unsigned s = 0; s < b.sections; s++)
        free(b.all[s].vectors);
    free(b.all);
    print_message(
        "%u sections, %u instruction runs, %u vectors compared, %u differ, %u instructions missing, %u without "
        "a form\n",
        t.sections, t.runs, t.vectors, t.wrong, t.absent, t.no_form);
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

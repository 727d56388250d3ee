/* The vectors of memory instructions (vectors/memory.txt, see vector_file.h) on every target that takes them.
 *
 * Each lane has memory of its own; after the instruction the whole of memory and LDS, the result registers and those
 * around them are compared. Vector instructions run with lanes switched on at random, in wave64 and, where the target
 * has it, wave32; atomics with and without the old value. Addressing is other tests' business: addresses are aligned,
 * offsets 0. MODE: denormals kept.
 *
 * Usage: test_mem_vectors [FOLDER]; with a folder every difference is printed, else the first few.
 */
#define VECTOR_DWORDS 16
#include "tests/unit/isa/mem_words.h"
#include "tests/unit/isa/vector_bench.h"

enum { SHOWN = 20, MEM_BYTES = 65536, LANE_BYTES = 1024, SCRATCH_AT = 0x4000, S_DATA = 20 };

struct tally {
    unsigned sections, runs, vectors, wrong, absent, shown_limit;
};
struct job {
    struct rig *r;
    const struct section *s;
    const struct isa_op *op;
    unsigned format;
    bool glc;
    struct tally *t;
    uint8_t *want; /* what memory should hold: MEM_BYTES of it, then as much LDS; after it what it holds at first */
};

static void start(const struct job *j)
{
    set_up_registers(j->r, j->format);
    memcpy(j->want, j->want + 2 * MEM_BYTES, 2 * MEM_BYTES);
    memcpy(j->r->mem, j->want, MEM_BYTES);
    memcpy(j->r->lds, j->want + MEM_BYTES, MEM_BYTES);
}

static bool returns(const struct job *j)
{
    if (!has_slot(j->op->row, SL_VDST) && !has_slot(j->op->row, SL_SDST))
        return false;
    return find_out(j->s, F_D0) >= 0 && (j->op->row->mem.op != MEM_ATOMIC || j->format == FMT_DS || j->glc);
}

static bool is_buffer(unsigned format)
{
    return format == FMT_MUBUF || format == FMT_VBUFFER;
}

/* ds_*_src2: the second operand stands two dwords after the first, as the offset says. */
static bool is_src2(const struct job *j)
{
    return find_in(j->s, F_N) >= 0 && j->op->row->mem.elems != 2;
}

/* Where byte k of the lane's memory stands in its 64 KiB; second: at the second address. */
static unsigned place_of(const struct job *j, unsigned lane, unsigned k, bool second)
{
    const struct isa_memop *m = &j->op->row->mem;
    unsigned step = !second ? 0 : is_src2(j) ? 8 : j->s->in[0].bits / 8 * (m->stride64 ? 64 : 1);

    if (j->format == FMT_SMEM)
        return (isa_types[j->op->row->args[1].type].dwords == 4 ? 0 : 256) + k;
    if (j->format == FMT_SCRATCH) { /* dwords of the lanes side by side */
        unsigned at = 4 * (lane % 8) + k;
        return SCRATCH_AT + at / 4 * 4 * j->r->w.lanes + 4 * lane + at % 4;
    }
    return lane * LANE_BYTES + step + k;
}

static uint8_t byte_of(const uint32_t *v, unsigned k)
{
    return (uint8_t)(v[k / 4] >> 8 * (k % 4));
}

/* Puts a vector's memory before the instruction into memory, and what the manual wants after it beside. */
static void fill_memory(const struct job *j, unsigned lane, const struct number *vec)
{
    bool lds = j->format == FMT_DS;
    uint8_t *now = lds ? j->r->lds : j->r->mem, *want = j->want + (lds ? MEM_BYTES : 0);

    for (unsigned second = 0; second < 2; second++) {
        int in = find_in(j->s, second ? F_N : F_M);
        for (unsigned k = 0; in >= 0 && k < j->s->in[in].bits / 8; k++) {
            unsigned at = place_of(j, lane, k, second);
            now[at] = want[at] = byte_of(vec[in].v, k);
        }
    }
}

/* What the manual wants of memory; bits it does not promise are taken as they came. */
static void want_memory(const struct job *j, unsigned lane, const struct number *vec)
{
    bool lds = j->format == FMT_DS;
    const uint8_t *now = lds ? j->r->lds : j->r->mem;
    uint8_t *want = j->want + (lds ? MEM_BYTES : 0);

    for (unsigned second = 0; second < 2; second++) {
        int out = find_out(j->s, second ? F_N : F_M);
        for (unsigned k = 0; out >= 0 && k < j->s->out[out].bits / 8; k++) {
            const struct number *n = &vec[MAX_FIELDS + out];
            unsigned at = place_of(j, lane, k, second);
            uint8_t mask = byte_of(n->mask, k);
            want[at] = (uint8_t)((now[at] & ~mask) | (byte_of(n->v, k) & mask));
        }
    }
}

static void show(const struct job *j, const struct number *vec, const char *what, uint64_t got)
{
    char text[512];
    size_t n = 0;

    if (j->t->wrong++ >= j->t->shown_limit)
        return;
    for (unsigned k = 0; k < j->s->nin + j->s->nout; k++) {
        bool is_out = k >= j->s->nin;
        const struct field *f = is_out ? &j->s->out[k - j->s->nin] : &j->s->in[k];
        const struct number *v = is_out ? &vec[MAX_FIELDS + k - j->s->nin] : &vec[k];
        n += (size_t)snprintf(text + n, sizeof text - n, " %s%s=", is_out ? "want " : "", field_names[f->name]);
        for (unsigned d = (f->bits + 31) / 32; d--;)
            n += (size_t)snprintf(text + n, sizeof text - n, "%08x", v->v[d]);
        if (n >= sizeof text - 160)
            break;
    }
    print_message("DIFF %s %s %s wave%u glc=%u:%s %s %llx\n", j->r->t->name, isa_format_name[j->format],
                  j->op->mnemonic, j->r->w.lanes, j->glc, text, what, (unsigned long long)got);
}

static uint64_t memory_of(const struct job *j, unsigned lane)
{
    const uint8_t *now = j->format == FMT_DS ? j->r->lds : j->r->mem;
    uint64_t v = 0;

    for (unsigned k = 0; k < 8 && k < j->s->in[0].bits / 8; k++)
        v |= (uint64_t)now[place_of(j, lane, k, false)] << 8 * k;
    return v;
}

static void check_memory(const struct job *j, unsigned lane, const struct number *vec)
{
    bool lds = j->format == FMT_DS;
    const uint8_t *now = lds ? j->r->lds : j->r->mem, *want = j->want + (lds ? MEM_BYTES : 0);

    want_memory(j, lane, vec);
    for (unsigned second = 0; second < 2; second++) {
        int out = find_out(j->s, second ? F_N : F_M);
        for (unsigned k = 0; out >= 0 && k < j->s->out[out].bits / 8; k++) {
            unsigned at = place_of(j, lane, k, second);
            if (now[at] == want[at])
                continue;
            show(j, vec, second ? "N" : "M", memory_of(j, lane));
            return;
        }
    }
}

/* Everything: what no lane touched is as it was. */
static void check_rest(const struct job *j)
{
    struct rig *r = j->r;

    if (j->t->wrong)
        return;
    if (memcmp(r->mem, j->want, MEM_BYTES) || memcmp(r->lds, j->want + MEM_BYTES, MEM_BYTES))
        fail_msg("%s %s changed memory it has nothing to do with", r->t->name, j->op->mnemonic);
}

static const struct number *input(const struct job *j, const struct number *vec, enum field_name f, unsigned *dwords)
{
    int k = find_in(j->s, f);

    *dwords = k < 0 ? 0 : (j->s->in[k].bits + 31) / 32;
    return k < 0 ? NULL : &vec[k];
}

static void check_result(const struct job *j, const struct number *vec, const uint32_t *got)
{
    int out = find_out(j->s, F_D0);
    const struct number *want = &vec[MAX_FIELDS + out];

    for (unsigned d = 0; d < (j->s->out[out].bits + 31) / 32; d++)
        if ((got[d] ^ want->v[d]) & want->mask[d]) {
            show(j, vec, "got D0", got[d]);
            return;
        }
}

/* --- vector memory ---------------------------------------------------------------------------------------------- */

static uint32_t register_before(const struct job *j, unsigned reg, unsigned lane, const struct number *vec)
{
    unsigned n;
    const struct number *v = input(j, vec, F_S0, &n);

    if (reg >= V_DATA && reg < V_DATA + n)
        return v->v[reg - V_DATA];
    v = input(j, vec, F_S1, &n);
    if (reg >= V_DATA1 && reg < V_DATA1 + n)
        return v->v[reg - V_DATA1];
    return 0x3f000000 + reg * 0x10001 + lane * 0x100;
}

static void check_registers(const struct job *j, unsigned lane, const struct number *vec, bool on)
{
    unsigned dst = is_buffer(j->format) ? V_DATA : V_DST, n = 0;

    if (on && returns(j)) {
        uint32_t got[DWORDS];
        n = (j->s->out[find_out(j->s, F_D0)].bits + 31) / 32;
        for (unsigned d = 0; d < n; d++)
            got[d] = rig_getv(j->r, dst + d, lane);
        check_result(j, vec, got);
    }
    for (unsigned reg = V_DATA; reg < V_DST + 8; reg++)
        if (!(reg >= dst && reg < dst + n) && rig_getv(j->r, reg, lane) != register_before(j, reg, lane, vec))
            fail_msg("%s %s: lane %u, v%u is not as it was", j->r->t->name, j->op->mnemonic, lane, reg);
}

static void run_vector(const struct job *j, const uint32_t *words, unsigned n)
{
    struct rig *r = j->r;

    for (unsigned at = 0; at < j->s->count; at += r->w.lanes / 2) {
        uint64_t on = ((at + 1) * UINT64_C(0x9e3779b97f4a7c15) | UINT64_C(0x8000000180000001)) & lane_mask(r->w.lanes);
        start(j);
        for (unsigned l = 0; l < r->w.lanes; l++) {
            const struct number *vec = j->s->vectors[(at + l) % j->s->count];
            if (j->format != FMT_SCRATCH)
                rig_v(r, V_ADDR, l,
                      (is_buffer(j->format) || j->format == FMT_DS ? 0 : (uint32_t)RIG_MEM) + l * LANE_BYTES);
            for (unsigned reg = V_DATA; reg < V_DST + 8; reg++)
                rig_v(r, reg, l, register_before(j, reg, l, vec));
            fill_memory(j, l, vec);
        }
        isa_set_exec(&r->w, on);
        isa_set_mode(&r->w, 0xf0 | MODE_DX10_CLAMP | MODE_IEEE);
        rig_run(r, words, n);
        for (unsigned l = 0; l < r->w.lanes; l++) {
            const struct number *vec = j->s->vectors[(at + l) % j->s->count];
            if (on >> l & 1)
                check_memory(j, l, vec);
            check_registers(j, l, vec, on >> l & 1);
            j->t->vectors += on >> l & 1;
        }
        check_rest(j);
    }
}

/* --- scalar memory ---------------------------------------------------------------------------------------------- */

static void run_scalar(const struct job *j, const uint32_t *words, unsigned n)
{
    struct rig *r = j->r;

    for (unsigned at = 0; at < j->s->count; at++) {
        const struct number *vec = j->s->vectors[at];
        unsigned dwords;
        start(j);
        fill_memory(j, 0, vec);
        for (unsigned k = 0; k < 24; k++)
            r->w.s[S_DATA + k] = 0x5a000000 + k;
        const struct number *data = input(j, vec, F_S0, &dwords);
        for (unsigned k = 0; k < dwords; k++)
            r->w.s[S_DATA + k] = data->v[k];
        rig_run(r, words, n);
        check_memory(j, 0, vec);
        unsigned written = 0;
        if (returns(j)) {
            written = (j->s->out[find_out(j->s, F_D0)].bits + 31) / 32;
            check_result(j, vec, &r->w.s[S_DATA]);
        }
        for (unsigned k = written; k < 24; k++)
            if (r->w.s[S_DATA + k] != (k < dwords ? data->v[k] : 0x5a000000 + k))
                fail_msg("%s %s: s%u is not as it was", r->t->name, j->op->mnemonic, S_DATA + k);
        check_rest(j);
        j->t->vectors++;
    }
}

/* --- every instruction ------------------------------------------------------------------------------------------ */

/* With or without the old value; false where the target has no such encoding. */
static bool run_job(struct job *j, unsigned opcode)
{
    uint32_t words[4] = {0};
    struct isa_inst i;
    unsigned n = words_of(j->r->t, j->op->row, j->format, opcode, j->glc, words);

    if (is_src2(j))
        words[0] |= 2;
    if (!isa_decode(j->r->t, (const uint8_t *)words, n * 4, &i, NULL) || i.row != j->op->row || i.bad)
        return false;
    if (j->format == FMT_SMEM)
        run_scalar(j, words, n);
    else
        run_vector(j, words, n);
    j->t->runs++;
    return true;
}

static void run_row(struct rig *r, const struct section *s, const struct isa_row *row, struct tally *t, uint8_t *want)
{
    static const uint8_t formats[] = {FMT_SMEM, FMT_DS, FMT_FLAT, FMT_GLOBAL, FMT_SCRATCH, FMT_MUBUF, FMT_VBUFFER};

    for (unsigned i = 0; i < sizeof formats; i++) {
        unsigned f = formats[i];
        for (unsigned opcode = 0; r->t->ops[f] && opcode < r->t->op_count[f]; opcode++) {
            struct job j = {r, s, &r->t->ops[f][opcode], f, false, t, want};
            if (j.op->row != row)
                continue;
            bool plain = run_job(&j, opcode);
            j.glc = row->mem.op == MEM_ATOMIC && f != FMT_DS;
            bool old = j.glc && run_job(&j, opcode);
            if (!plain && !old)
                fail_msg("%s of %s: no such encoding", j.op->mnemonic, r->t->name);
        }
    }
}

static void run_section(struct bench *b, const struct meaning *all, unsigned at, struct tally *t, uint8_t *want)
{
    const struct section *s = &b->all[at];

    t->sections++;
    for (unsigned m = 0; m < MANUALS; m++) {
        if (strstr(s->targets, manuals[m]) && !all[at].n[m]) {
            print_message("ABSENT %s %s\n", manuals[m], s->name);
            t->absent++;
        }
        for (unsigned i = 0; i < all[at].n[m]; i++) {
            const struct isa_row *row = all[at].rows[m][i];
            for (unsigned k = 0; k < b->n; k++) {
                if (b->at[k].skip || !is_source(b, all, b->at[k].order, m, row))
                    continue;
                run_row(&b->at[k].rig[0], s, row, t, want);
                if (b->at[k].has32)
                    run_row(&b->at[k].rig[1], s, row, t, want);
            }
        }
    }
}

static const char *folder = "tests/unit/isa/vectors";
static bool show_all;

static void test_memory_vectors(void **state)
{
    static const char *const variants[] = {NULL, "base"};
    struct tally t = {.shown_limit = show_all ? 1000000 : SHOWN};
    struct bench b = {.all = calloc(MAX_SECTIONS, sizeof *b.all)};
    uint8_t *want = malloc(4 * MEM_BYTES);

    (void)state;
    assert_non_null(b.all);
    assert_non_null(want);
    set_up_memory(want + 2 * MEM_BYTES, want + 3 * MEM_BYTES);
    read_folder(&b, folder, true);
    for (unsigned v = 0; v < (show_all ? 1 : 2); v++) {
        open_bench(&b, variants[v], v > 0);
        struct meaning *all = meanings(&b);
        for (unsigned s = 0; s < b.sections; s++)
            run_section(&b, all, s, &t, want);
        free(all);
        close_bench(&b);
    }
    for (unsigned s = 0; s < b.sections; s++)
        free(b.all[s].vectors);
    free(b.all);
    free(want);
    print_message("%u sections, %u instruction runs, %u vectors compared, %u differ, %u instructions missing\n",
                  t.sections, t.runs, t.vectors, t.wrong, t.absent);
    assert_true(t.vectors > 0);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.absent, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_vectors)};

    if (argc > 1) {
        folder = argv[1];
        show_all = true;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

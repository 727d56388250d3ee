/* Vector files on all targets: which target takes which section. For test_vectors.c and test_mem_vectors.c.
 *
 * A section's targets are the ones whose manual it is from. Every other target runs it where its row is the same as
 * theirs, with the manual that is nearest: manuals_for() says which.
 */
#ifndef GCNSIM_TESTS_ISA_VECTOR_BENCH_H
#define GCNSIM_TESTS_ISA_VECTOR_BENCH_H

#include <dirent.h>

#include "tests/unit/isa/vector_file.h"

enum { MANUALS = 4, MAX_TARGETS = 16 };
static const char *const manuals[MANUALS] = {"gfx942", "gfx1150", "gfx1200", "gfx950"};

struct bench {
    unsigned n;
    struct {
        struct rig rig[2]; /* wave64; wave32 where there is one */
        bool has32;
        bool skip;
        unsigned order[MANUALS]; /* manuals, the nearest first */
    } at[MAX_TARGETS];
    unsigned manual[MANUALS]; /* their places in `at` */
    struct section *all;
    unsigned sections;
};

/* CDNA4's text for all that came before RDNA, with what is gfx950's alone apart; RDNA3.5's for RDNA1 to 3. */
static inline void manuals_for(const struct isa_target *t, unsigned order[MANUALS])
{
    unsigned first = isa_node_under(t->node, N_GFX12)    ? 2
                     : isa_node_under(t->node, N_GFX10)  ? 1
                     : isa_node_under(t->node, N_GFX950) ? 3
                                                         : 0;
    static const uint8_t orders[MANUALS][MANUALS] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 1, 0, 3}, {3, 0, 1, 2}};

    for (unsigned k = 0; k < MANUALS; k++)
        order[k] = orders[first][k];
}

/* The node's own name is enough: names of one node have the same tables. few: the manuals' own targets alone run; that
 * is enough for another set of the same lane loops. */
static inline void open_bench(struct bench *b, const char *variant, bool few)
{
    bool seen[N_COUNT] = {false};

    b->n = 0;
    for (unsigned k = 0; isa_target_name(k); k++) {
        struct rig *r = b->at[b->n].rig;
        rig_open_variant(r, isa_target_name(k), 64, variant);
        if (seen[r->t->node]) {
            rig_close(r);
            continue;
        }
        seen[r->t->node] = true;
        b->at[b->n].has32 = isa_has(r->t, FEAT_WAVE32);
        if (b->at[b->n].has32)
            rig_open_variant(r + 1, isa_target_name(k), 32, variant);
        manuals_for(r->t, b->at[b->n].order);
        b->at[b->n].skip = few;
        for (unsigned m = 0; m < MANUALS; m++)
            if (!strcmp(r->t->name, manuals[m])) {
                b->manual[m] = b->n;
                b->at[b->n].skip = false;
            }
        b->n++;
        assert_true(b->n < MAX_TARGETS);
    }
    assert_int_equal(b->at[0].rig[0].t->node, N_GFX8);
}

static inline void close_bench(struct bench *b)
{
    for (unsigned k = 0; k < b->n; k++) {
        rig_close(&b->at[k].rig[0]);
        if (b->at[k].has32)
            rig_close(&b->at[k].rig[1]);
    }
}

/* Rows that the section is about, among those of one target. */
enum { MAX_ROWS = 64 };
static inline unsigned rows_on(const struct isa_target *t, const struct section *s, const struct isa_row **rows,
                               unsigned n)
{
    for (unsigned f = 0; f < FMT_COUNT; f++)
        for (unsigned opcode = 0; t->ops[f] && opcode < t->op_count[f]; opcode++) {
            const struct isa_op *op = &t->ops[f][opcode];
            bool known = !op->row || !is_named(s, op->mnemonic);
            for (unsigned k = 0; !known && k < n; k++)
                known = rows[k] == op->row;
            if (!known && n < MAX_ROWS)
                rows[n++] = op->row;
        }
    return n;
}

/* gfx8's rows that differ from later ones only in what MODE does to denormals, which these vectors keep. */
static inline bool is_like_later(const struct isa_row *row)
{
    static const char *const names[] = {"v_min_f32_gfx8",  "v_max_f32_gfx8",  "v_min3_f32_gfx8",
                                        "v_max3_f32_gfx8", "v_med3_f32_gfx8", "v_min_f16_gfx8",
                                        "v_max_f16_gfx8",  "v_min_f64_gfx8",  "v_max_f64_gfx8"};

    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
        if (!strcmp(row->name, names[k]))
            return true;
    return false;
}

/* Among those of the manual's own target, or of any where that has none: CDNA4's manual describes scalar atomics that
 * gfx942 lacks. */
static inline unsigned rows_of(const struct bench *b, const struct section *s, unsigned m, const struct isa_row **rows)
{
    unsigned n = 0;

    if (!strstr(s->targets, manuals[m]))
        return 0;
    n = rows_on(b->at[b->manual[m]].rig[0].t, s, rows, 0);
    const struct isa_row *gfx8[MAX_ROWS];
    unsigned more = m ? 0 : rows_on(b->at[0].rig[0].t, s, gfx8, 0);
    for (unsigned k = 0; k < more && n < MAX_ROWS; k++)
        if (is_like_later(gfx8[k]))
            rows[n++] = gfx8[k];
    for (unsigned k = 0; k < b->n && (strchr(s->name, ',') || !n); k++)
        n = rows_on(b->at[k].rig[0].t, s, rows, n);
    return n;
}

/* The rows that a section speaks of in each manual's name. */
struct meaning {
    const struct isa_row *rows[MANUALS][MAX_ROWS];
    unsigned n[MANUALS];
};

static inline bool says(const struct meaning *m, unsigned manual, const struct isa_row *row)
{
    for (unsigned k = 0; k < m->n[manual]; k++)
        if (m->rows[manual][k] == row)
            return true;
    return false;
}

/* Whether a target whose manuals come in that order takes the row's meaning from manual m. */
static inline bool is_source(const struct bench *b, const struct meaning *all, const unsigned order[MANUALS],
                             unsigned m, const struct isa_row *row)
{
    for (unsigned k = 0; order[k] != m; k++)
        for (unsigned s = 0; s < b->sections; s++)
            if (says(&all[s], order[k], row))
                return false;
    return true;
}

static inline struct meaning *meanings(const struct bench *b)
{
    struct meaning *all = calloc(b->sections, sizeof *all);

    assert_non_null(all);
    for (unsigned s = 0; s < b->sections; s++)
        for (unsigned m = 0; m < MANUALS; m++)
            all[s].n[m] = rows_of(b, &b->all[s], m, all[s].rows[m]);
    return all;
}

static inline int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every file of the folder but memory.txt, or that one alone. */
static inline void read_folder(struct bench *b, const char *folder, bool memory)
{
    char *names[64], path[512];
    unsigned n = 0;
    DIR *d = opendir(folder);

    if (!d)
        fail_msg("cannot read %s", folder);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".txt") && strcmp(e->d_name, "LEFT_OUT.txt") && n < 64 &&
            !strcmp(e->d_name, "memory.txt") == memory)
            names[n++] = strdup(e->d_name);
    closedir(d);
    assert_true(n > 0);
    qsort(names, n, sizeof names[0], by_name);
    for (unsigned k = 0; k < n; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        read_sections(path, b->all, &b->sections);
        free(names[k]);
    }
}

#endif

/* The catalog of a target's executed instructions, with a place in the walk over encodings for each; random numbers. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/stream.h"

void stream_seed(struct stream_rng *g, const uint8_t *bytes, size_t size, uint64_t seed)
{
    *g = (struct stream_rng){bytes, size, seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

/* splitmix64 */
static uint32_t next(struct stream_rng *g)
{
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 32);
}

uint32_t stream_draw(struct stream_rng *g)
{
    uint32_t v = 0;

    if (!g->left)
        return next(g);
    for (unsigned k = 0; k < 4 && g->left; k++, g->left--)
        v |= (uint32_t)*g->bytes++ << 8 * k;
    g->state ^= v;
    return v;
}

uint32_t stream_below(struct stream_rng *g, uint32_t n)
{
    uint32_t v;

    if (n < 2)
        return 0;
    if (!g->left)
        return next(g) % n;
    /* a byte or two, so that few bytes say much */
    v = *g->bytes++;
    g->left--;
    if (n > 256 && g->left) {
        v |= (uint32_t)*g->bytes++ << 8;
        g->left--;
    }
    g->state += v;
    return n > 65536 ? (v * UINT32_C(0x9e3779b1)) % n : v % n;
}

bool stream_chance(struct stream_rng *g, uint32_t percent)
{
    return percent && stream_below(g, 100) < percent;
}

static int opcode_of(const struct isa_target *t, enum isa_format format, const char *row)
{
    for (unsigned op = 0; t->ops[format] && op < t->op_count[format]; op++)
        if (t->ops[format][op].row && !strcmp(t->ops[format][op].row->name, row))
            return (int)op;
    return -1;
}

/* Cells by row, so that a walk finds them quickly. */
static int by_row(const void *a, const void *b)
{
    const struct stream_cell *x = a, *y = b;

    return x->row != y->row         ? (x->row < y->row ? -1 : 1)
           : x->format != y->format ? x->format - y->format
                                    : x->form - y->form;
}

/* Forms whose opcode stands in the same place: VOP3's, and the others. */
static bool is_vop3(unsigned form)
{
    return form == FORM_E64 || form == FORM_E64_DPP16 || form == FORM_E64_DPP8;
}

static void meet(struct stream_catalog *c, const struct isa_inst *i, bool half, unsigned format, unsigned opcode)
{
    struct stream_cell key = {.row = half ? i->u.y.row : i->row, .form = i->form};
    struct stream_cell *found, *end = c->cell + c->count;

    key.format = i->form == FORM_VOPD ? (half ? FMT_VOPDY : FMT_VOPDX) : i->base_format;
    found = bsearch(&key, c->cell, c->count, sizeof *c->cell, by_row);
    if (!found)
        return;
    while (found > c->cell && found[-1].row == key.row && found[-1].format == key.format)
        found--;
    for (; found < end && found->row == key.row && found->format == key.format; found++)
        if (!found->known && is_vop3(found->form) == is_vop3(i->form)) {
            found->known = true;
            found->at_format = (uint16_t)format;
            found->at_opcode = (uint16_t)opcode;
        }
}

static void store_words(uint8_t *bytes, const uint32_t w[ENCODING_BYTES / 4])
{
    for (unsigned k = 0; k < ENCODING_BYTES; k++)
        bytes[k] = (uint8_t)(w[k / 4] >> 8 * (k % 4));
}

static void load_words(uint32_t w[ENCODING_BYTES / 4], const uint8_t *bytes)
{
    for (unsigned k = 0; k < ENCODING_BYTES / 4; k++)
        w[k] = load_u32(bytes + 4 * k);
}

/* FLAT takes no scalar address, which its field must say. */
static void no_saddr(const struct isa_target *t, uint32_t w[ENCODING_BYTES / 4])
{
    if (t->layout == LAYOUT_GFX12)
        w[0] = (w[0] & ~UINT32_C(0x7f)) | 0x7c;
    else
        w[1] = (w[1] & ~UINT32_C(0x7f0000)) | (t->layout == LAYOUT_GFX11 ? 0x7cu : 0x7du) << 16;
}

static void force_sdwa(struct stream_rng *g, uint32_t *w)
{
    w[0] = (w[0] & ~UINT32_C(0x1ff)) | CODE_SDWA;
    if (stream_chance(g, 20)) { /* nothing but VGPRs and the parts of them that are read */
        w[1] &= 0x070700ff;
        w[1] |= 0x600;
    }
    w[1] = (w[1] & ~UINT32_C(0x070f0000)) | stream_below(g, 7) << 16 | stream_below(g, 7) << 24;
    if (stream_chance(g, 70)) /* of VOPC these are its scalar destination */
        w[1] = (w[1] & ~UINT32_C(0x1f00)) | stream_below(g, 7) << 8 | stream_below(g, 3) << 11;
}

static void force_dpp16(struct stream_rng *g, uint32_t *src0, uint32_t *dpp)
{
    static const uint16_t ctrl[] = {0x000, 0x01b, 0x0e4, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130, 0x134,
                                    0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15f, 0x160, 0x16f, 0x151};

    *src0 = (*src0 & ~UINT32_C(0x1ff)) | CODE_DPP16;
    *dpp = (*dpp & ~UINT32_C(0x1ff00)) | (uint32_t)ctrl[stream_below(g, sizeof ctrl / sizeof ctrl[0])] << 8;
}

/* Sources of matrix instructions are VGPRs, and most of their modifiers are fixed. */
static void force_matrix(struct stream_rng *g, const struct isa_row *row, uint32_t *w)
{
    w[1] |= 1u << 8 | 1u << 17 | (stream_chance(g, 80) ? 1u << 26 : 0);
    if (row->flags & RF_MAI)
        return;
    w[0] = (w[0] & ~UINT32_C(0x7f00)) | 1u << 14 | (stream_chance(g, 20) ? stream_below(g, 8) << 8 : 0);
    w[1] = (w[1] & ~UINT32_C(0xf8000000)) | 3u << 27 | (stream_chance(g, 20) ? stream_below(g, 8) << 29 : 0);
}

bool stream_sample(struct stream_catalog *c, const struct stream_cell *cell, struct stream_rng *g,
                   uint8_t bytes[ENCODING_BYTES], struct isa_inst *i)
{
    struct encodings *e = &c->encodings;
    uint32_t w[ENCODING_BYTES / 4];
    bool vop3 = is_vop3(cell->form);

    e->at_format = cell->at_format;
    e->at_opcode = cell->at_opcode;
    e->rng = (uint64_t)stream_draw(g) << 32 | stream_draw(g);
    encodings_walk(e, bytes);
    load_words(w, bytes);
    if (cell->form == FORM_SDWA)
        force_sdwa(g, w);
    else if (isa_form_is_dpp16(cell->form))
        force_dpp16(g, &w[vop3], &w[vop3 ? 2 : 1]);
    else if (isa_form_is_dpp8(cell->form))
        w[vop3] = (w[vop3] & ~UINT32_C(0x1ff)) | (CODE_DPP8 + stream_below(g, 2));
    if (vop3 && c->target->llvm22 && (cell->row->flags & RF_CMPX) && isa_has(c->target, FEAT_CMPX_EXEC_ONLY))
        w[0] = (w[0] & ~0xffu) | CODE_EXEC_LO; /* LLVM 22 takes no other */
    if (cell->row->mat && stream_chance(g, 90))
        force_matrix(g, cell->row, w);
    if (cell->format == FMT_FLAT || (cell->format == FMT_GLOBAL && stream_chance(g, 50)))
        no_saddr(c->target, w);
    if (stream_chance(g, 80)) {
        w[0] &= ~(uint32_t)cell->zero;
        w[1] &= ~(uint32_t)(cell->zero >> 32);
    }
    if (cell->format == FMT_ILLEGAL)
        memset(w, 0, sizeof w);
    store_words(bytes, w);
    return isa_decode_any(c->target, bytes, ENCODING_BYTES, i, NULL) && i->form == cell->form &&
           (cell->format == FMT_VOPDY
                ? i->form == FORM_VOPD && i->u.y.row == cell->row
                : i->row == cell->row && (i->form == FORM_VOPD || i->base_format == cell->format));
}

/* The cell's encoding and opcode in isa's tables: a VOP3 twin has its own. */
static const struct isa_op *op_of(const struct isa_target *t, const struct stream_cell *c, unsigned *format,
                                  unsigned *opcode)
{
    unsigned f = is_vop3(c->form) && c->format <= FMT_VOPC ? FMT_VOP3 : c->format;

    for (unsigned op = 0; t->ops[f] && op < t->op_count[f]; op++)
        if (t->ops[f][op].row == c->row && (unsigned)t->ops[f][op].base_format == c->format) {
            *format = f;
            *opcode = op;
            return &t->ops[f][op];
        }
    return NULL;
}

static void walk(struct stream_catalog *c, unsigned rounds)
{
    uint8_t bytes[ENCODING_BYTES];
    uint32_t w[ENCODING_BYTES / 4];
    struct encodings *g = &c->encodings;

    encodings_start(g, c->target->name, 1);
    for (unsigned n = 0; n < rounds;) {
        unsigned format = g->at_format, opcode = g->at_opcode;
        struct isa_inst i;

        encodings_walk(g, bytes);
        if (n % 2) {
            load_words(w, bytes);
            no_saddr(c->target, w);
            store_words(bytes, w);
        }
        if (isa_decode_any(c->target, bytes, sizeof bytes, &i, NULL) && !i.bad) {
            meet(c, &i, false, format, opcode);
            if (i.form == FORM_VOPD)
                meet(c, &i, true, format, opcode);
        }
        n += !g->at_format && !g->at_opcode;
    }
}

static bool is_there(struct stream_catalog *c, const struct stream_cell *cell)
{
    uint8_t bytes[ENCODING_BYTES];
    struct stream_rng g;
    struct isa_inst i;

    stream_seed(&g, NULL, 0, 1);
    for (unsigned n = 0; n < 100; n++)
        if (stream_sample(c, cell, &g, bytes, &i))
            return true;
    return false;
}

/* An encoding whose operands are seldom legal is not met in few rounds: its opcode stands as far from that of isa's
 * tables as the others of its format do. */
static void place_the_rest(struct stream_catalog *c)
{
    struct {
        unsigned votes, at_format, distance;
    } place[FMT_COUNT] = {0};
    unsigned format, opcode;

    /* some rows have two opcodes: what most cells say holds */
    for (unsigned k = 0; k < c->count; k++) {
        const struct stream_cell *cell = &c->cell[k];

        if (!cell->known || !op_of(c->target, cell, &format, &opcode))
            continue;
        if (place[format].at_format == cell->at_format && place[format].distance + opcode == cell->at_opcode) {
            place[format].votes++;
        } else if (!place[format].votes || !--place[format].votes) {
            place[format].votes = 1;
            place[format].at_format = cell->at_format;
            place[format].distance = cell->at_opcode - opcode;
        }
    }
    for (unsigned k = 0; k < c->count; k++) {
        struct stream_cell *cell = &c->cell[k], other = *cell;

        if (!op_of(c->target, cell, &format, &opcode) || !place[format].votes)
            continue;
        other.at_format = (uint16_t)place[format].at_format;
        other.at_opcode = (uint16_t)(opcode + place[format].distance);
        /* the last opcodes of VOP2 are other formats, which may have met a cell by chance */
        if (!cell->known ||
            ((cell->at_format != other.at_format || cell->at_opcode != other.at_opcode) && is_there(c, &other))) {
            *cell = other;
            cell->known = true;
        }
    }
}

/* The global wave sync waits for waves that a random program does not have; its own tests run it. */
static bool waits_for_the_grid(const struct isa_row *row)
{
    return !strncmp(row->name, "ds_gws_", 7);
}

/* A matrix instruction with its scales is two encodings in one, which programs are not made of here; of its own tests
 * (tests/unit/isa/test_matrix_scale.c) it has enough. */
static bool is_scaled(const struct isa_listing *l)
{
    return l->op->base_format == FMT_VOP3PX;
}

/* Pairs of three words (gfx1250) are left out: their halves have other fields than those of two. So is the tensor unit,
 * which the timing engine does not have. */
static bool is_wanted(const struct isa_listing *l)
{
    return l->executed && !l->op->row->mem.tensor && !waits_for_the_grid(l->op->row) && !is_scaled(l) &&
           l->format != FMT_VOPD3X && l->format != FMT_VOPD3Y;
}

static bool fill(struct stream_catalog *c)
{
    unsigned room = 0;
    struct isa_listing l;

    for (unsigned k = 0; isa_list_at(c->target, k, &l); k++)
        room += (unsigned)__builtin_popcount(l.forms);
    c->cell = calloc(room, sizeof *c->cell);
    if (!c->cell)
        return false;
    for (unsigned k = 0; isa_list_at(c->target, k, &l); k++)
        for (uint32_t m = is_wanted(&l) ? l.forms : 0; m; m &= m - 1)
            c->cell[c->count++] =
                (struct stream_cell){.row = l.op->row, .format = (uint8_t)l.format, .form = (uint8_t)__builtin_ctz(m)};
    for (unsigned k = 0; k < c->count; k++) {
        unsigned format, opcode;
        const struct isa_op *op = op_of(c->target, &c->cell[k], &format, &opcode);

        c->cell[k].zero = op ? op->zero : 0;
        c->cell[k].known = c->cell[k].format == FMT_ILLEGAL;
    }
    qsort(c->cell, c->count, sizeof *c->cell, by_row);
    return true;
}

bool stream_catalog_open(struct stream_catalog *c, const char *target, unsigned rounds)
{
    static const struct {
        const char *row;
        enum isa_format format;
    } ops[] = {
#define X(NAME, FORMAT) {#NAME, FMT_##FORMAT},
        STREAM_OPS(X)
#undef X
    };
    struct err e = {0};

    *c = (struct stream_catalog){0};
    if (isa_target_open(&c->target, target, NULL, &e))
        return false;
    if (!fill(c)) {
        stream_catalog_close(c);
        return false;
    }
    for (unsigned k = 0; k < STREAM_OP_COUNT; k++)
        c->opcode[k] = opcode_of(c->target, ops[k].format, ops[k].row);
    walk(c, rounds);
    place_the_rest(c);
    return true;
}

void stream_catalog_close(struct stream_catalog *c)
{
    isa_target_close(c->target);
    free(c->cell);
    *c = (struct stream_catalog){0};
}

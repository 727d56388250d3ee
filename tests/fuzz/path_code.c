/* Changes of instruction streams. An instruction stays an instruction: what is put in is decoded first, what makes room
 * is filled with s_nop, and what stood after moves as a whole. */
#include <string.h>

#include "isa/isa.h"
#include "tests/fuzz/path_mutate.h"

enum { MAX_INSTRUCTIONS = 512, MAX_BYTES = 20, TRIES = 64, S_NOP = 0xbf800000 };

/* Where instructions begin, from the kernel's entry on; the last entry is where they end. */
struct stream {
    size_t at[MAX_INSTRUCTIONS + 1];
    unsigned n;
};

static void find_instructions(struct stream *s, const struct isa_target *t, const uint8_t *b, size_t from, size_t to)
{
    s->n = 0;
    while (from + 4 <= to && s->n < MAX_INSTRUCTIONS) {
        struct isa_inst i;
        unsigned n = isa_decode(t, b + from, to - from, &i, NULL);
        s->at[s->n++] = from;
        from += n ? n : 4;
        /* after the end of the last kernel there is padding */
        if (n && i.row && strcmp(i.mnemonic, "s_endpgm") == 0 && from + 4 <= to && s->n > 1 &&
            isa_decode(t, b + from, to - from, &i, NULL) && strcmp(i.mnemonic, "s_code_end") == 0)
            break;
    }
    s->at[s->n] = from < to ? from : to;
}

static void put_word(uint8_t *b, uint32_t w)
{
    memcpy(b, &w, 4);
}

static void fill_nops(uint8_t *b, size_t n)
{
    for (size_t i = 0; i + 4 <= n; i += 4)
        put_word(b + i, S_NOP);
}

unsigned mutation_instruction(struct mutation *m, const struct isa_target *t, uint8_t out[ENCODING_BYTES])
{
    struct encodings g;

    encodings_start(&g, t->name, mutation_random(m));
    for (unsigned i = 0; i < TRIES; i++) {
        struct isa_inst inst;
        encodings_jump(&g);
        encodings_walk(&g, out);
        unsigned n = isa_decode(t, out, ENCODING_BYTES, &inst, NULL);
        if (n && !inst.bad && (inst.row->kind != ROW_WIDE || inst.row->exec))
            return n;
    }
    return 0;
}

/* Puts `n` bytes of instructions in the place of those from `at` to `end`; the rest moves, and what does not fit is
 * lost at the end. */
static void replace(struct mutation *m, const struct object_view *v, size_t at, size_t end, const uint8_t *by, size_t n)
{
    size_t room = v->code_end - at, tail = v->code_end - end;

    n = n < room ? n & ~(size_t)3 : room & ~(size_t)3;
    if (tail > room - n)
        tail = room - n;
    memmove(m->b + at + n, m->b + end, tail);
    memcpy(m->b + at, by, n);
    fill_nops(m->b + at + n + tail, room - n - tail);
}

/* A branch at the instruction to another one near it. */
static unsigned branch(struct mutation *m, const struct isa_target *t, const struct stream *s, unsigned from,
                       uint8_t out[ENCODING_BYTES])
{
    struct isa_inst i;

    for (unsigned try = 0; try < TRIES; try++) {
        unsigned to = from + mutation_below(m, 9) - (from < 4 ? from : 4);
        int64_t words = to < s->n ? ((int64_t)s->at[to] - (int64_t)s->at[from]) / 4 - 1 : 1;
        put_word(out, S_NOP | mutation_below(m, 128) << 16 | (uint16_t)words);
        unsigned n = isa_decode(t, out, 4, &i, NULL);
        if (n && (strncmp(i.mnemonic, "s_branch", 8) == 0 || strncmp(i.mnemonic, "s_cbranch", 9) == 0))
            return n;
    }
    return 0;
}

/* Bits of one instruction, so that it is one afterwards. */
static void change_bits(struct mutation *m, const struct isa_target *t, const struct stream *s, unsigned which)
{
    size_t at = s->at[which], n = s->at[which + 1] - at;
    uint8_t before[MAX_BYTES];
    struct isa_inst i;

    if (n > sizeof before)
        return;
    memcpy(before, m->b + at, n);
    for (unsigned try = 0; try < TRIES; try++) {
        unsigned flips = 1 + mutation_below(m, 3);
        while (flips--)
            m->b[at + mutation_below(m, (uint32_t)n)] ^= (uint8_t)(1u << mutation_below(m, 8));
        if (isa_decode(t, m->b + at, n, &i, NULL) == n)
            return;
        memcpy(m->b + at, before, n);
    }
}

static void copy_within(struct mutation *m, const struct object_view *v, const struct stream *s, unsigned to)
{
    uint8_t some[8 * MAX_BYTES];
    unsigned from = mutation_below(m, s->n), count = 1 + mutation_below(m, 8);
    unsigned last = from + count < s->n ? from + count : s->n;
    size_t n = s->at[last] - s->at[from];

    memcpy(some, m->b + s->at[from], n);
    replace(m, v, s->at[to], s->at[to + mutation_below(m, 2)], some, n);
}

void mutate_code(struct mutation *m, const struct object_view *v)
{
    struct stream s;
    uint8_t one[ENCODING_BYTES];

    find_instructions(&s, v->isa, m->b, v->code, v->code_end);
    if (!s.n)
        return;
    unsigned which = mutation_below(m, s.n), n;
    switch (mutation_below(m, 10)) {
    case 0:
    case 1:
    case 2: /* another instruction */
        n = mutation_instruction(m, v->isa, one);
        replace(m, v, s.at[which], s.at[which + 1], one, n);
        break;
    case 3:
    case 4: /* one more */
        n = mutation_instruction(m, v->isa, one);
        replace(m, v, s.at[which], s.at[which], one, n);
        break;
    case 5:
    case 6:
        change_bits(m, v->isa, &s, which);
        break;
    case 7: /* one less */
        replace(m, v, s.at[which], s.at[which + 1], one, 0);
        break;
    case 8:
        copy_within(m, v, &s, which);
        break;
    default:
        n = branch(m, v->isa, &s, which, one);
        replace(m, v, s.at[which], s.at[which + mutation_below(m, 2)], one, n);
        break;
    }
}

void mutate_code_from(struct mutation *m, const struct object_view *v, const uint8_t *other,
                      const struct object_view *from)
{
    struct stream here, there;
    uint8_t some[12 * MAX_BYTES];

    find_instructions(&here, v->isa, m->b, v->code, v->code_end);
    find_instructions(&there, from->isa, other, from->code, from->code_end);
    if (!here.n || !there.n)
        return;
    unsigned first = mutation_below(m, there.n), last = first + 1 + mutation_below(m, 12);
    last = last < there.n ? last : there.n;
    size_t n = there.at[last] - there.at[first];
    memcpy(some, other + there.at[first], n);
    unsigned at = mutation_below(m, here.n), gone = at + mutation_below(m, 4);
    replace(m, v, here.at[at], here.at[gone < here.n ? gone : here.n], some, n);
}

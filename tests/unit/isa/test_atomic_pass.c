/* What an atomic does for all lanes in one loop (isa/lanes/atomic_pass.h) against its meaning for one word after
 * another: every row, lanes side by side, meeting and anywhere, some of them off, in each build of the lane loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/lanes/atomic_pass.h"
#include "isa/variant.h"

enum { WORDS = 512, PLACES = 4, ROUNDS = 24 };

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* Words of floats and halves, some of them small, and some NaN. */
static uint32_t word(uint64_t *seed)
{
    static const uint32_t some[] = {0, 1, 0x80000000, 0x3f803c00, 0x7fc07e00, 0x00010001, 0x7f7f7bff, 0xffffffff};
    uint32_t r = next(seed);

    return r & 3 ? next(seed) : some[r >> 2 & 7];
}

static uint64_t offset(unsigned place, unsigned l, unsigned bytes, uint64_t *seed)
{
    uint64_t any = next(seed);

    return bytes * (place == 0 ? l : place == 1 ? 5 : place == 2 ? any % 8 : any % (WORDS / 2));
}

struct state {
    _Alignas(64) uint32_t memory[WORDS], data[2 * 64], cmp[2 * 64], old[2 * 64];
};

static void one_by_one(const struct isa_row *row, const struct isa_atomic_pass *p, struct state *s)
{
    for (unsigned l = 0; l < p->n; l++) {
        if (!(p->active >> l & 1))
            continue;
        uint8_t *at = (uint8_t *)s->memory + p->at->a[l];
        uint64_t data = row_value(s->data, p->bytes, p->n, l), old = word_at(at, p->bytes);
        uint64_t cmp = p->rows.cmp ? row_value(s->cmp, p->bytes, p->n, l) : 0;
        uint64_t fresh = row->atomic->one(flushed_floats(p->flush_in, old), flushed_floats(p->flush_in, data), cmp);

        put_word(at, p->bytes, flushed_floats(p->out, fresh));
        if (p->rows.old)
            put_value(s->old, p->bytes, p->n, l, old);
    }
}

static void compare(const char *variant, const struct isa_row *row, unsigned times, uint64_t *seed)
{
    static struct state want, got;
    const unsigned bytes = row->mem.bytes, n = times & 1 ? 32 : 64, floats = row->mem.denorm;
    struct lane_addr at;

    for (unsigned k = 0; k < sizeof want / 4; k++)
        memcpy((uint8_t *)&want + 4 * k, &(uint32_t){word(seed)}, 4);
    got = want;
    for (unsigned l = 0; l < n; l++)
        at.a[l] = offset(times / 2 % PLACES, l, bytes, seed);
    struct isa_atomic_pass p = {.at = &at, .active = lane_mask(n), .n = n, .bytes = bytes};
    p.delta = (uint64_t)(uintptr_t)got.memory;
    if (times % 3 == 2)
        p.active &= next(seed) | (uint64_t)next(seed) << 32;
    p.shared = next(seed) % 4 == 0;
    p.flush_in = (uint8_t)(!p.shared && next(seed) & 1 ? floats : 0);
    p.out = (uint8_t)(!p.shared && next(seed) & 1 ? floats : 0);
    p.rows = (struct atomic_rows){got.data, row->mem.cmp == CMP_NONE ? NULL : got.cmp, next(seed) & 1 ? got.old : NULL};
    one_by_one(row, &p, &want);
    row->atomic->lanes(&p);
    if (memcmp(&want, &got, sizeof got) != 0)
        fail_msg("%s, %s, %u lanes, places %u: not as one by one", row->name, variant, n, times / 2 % PLACES);
}

static void test_rows(void **state)
{
    static const char *const variants[] = {"base", "avx2", "avx512"};
    uint64_t seed = 1;

    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const struct isa_variant *variant = isa_variant_find(variants[v]);
        size_t count = 0, atomics = 0;
        const struct isa_row *rows = variant ? variant->rows(&count) : NULL;

        for (size_t k = 0; k < count; k++) {
            if (!rows[k].atomic)
                continue;
            atomics++;
            for (unsigned times = 0; times < ROUNDS; times++)
                compare(variants[v], &rows[k], times, &seed);
        }
        assert_true(!variant || atomics > 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

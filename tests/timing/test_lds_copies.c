/* When what a copy from memory brings is in LDS: when memory has answered, in the order of issue, whether the wave
 * waits or not.
 */
#include "tests/timing/rdna_rig.h"

enum { LATENCY = 100, OLD = 256, NEW = 0xabcd, OUT = 2048, MOST_WORDS = 64 };

/* The same program on two generations. v1: 0; v8: OLD, a byte of LDS too, which a copy of lane 0 writes. */
struct isa_words {
    const char *target;
    unsigned lanes;
    const char *start, *fill, *copy, *copy_behind, *read, *read_behind, *wait_lds, *wait_copies, *wait_older, *store,
        *nap;
};
static const struct isa_words of_isa[] = {
    {.target = "gfx942",
     .lanes = 64,
     .start = "s_mov_b64 exec, 1; s_mov_b32 m0, 0x100; v_mov_b32 v1, 0",
     .fill = "ds_write_b32 v8, v8; ds_write_b32 v8, v8 offset:64",
     .copy = "global_load_lds_dword v1, s[0:1]",
     .copy_behind = "global_load_lds_dword v1, s[0:1] offset:64",
     .read = "ds_read_b32 v9, v8",
     .read_behind = "ds_read_b32 v9, v8 offset:64",
     .wait_lds = "s_waitcnt lgkmcnt(0)",
     .wait_copies = "s_waitcnt vmcnt(0)",
     .wait_older = "s_waitcnt vmcnt(1)",
     .store = "global_store_dword v1, v9, s[0:1]",
     .nap = "s_sleep 1"},
    {.target = "gfx1250",
     .lanes = 32,
     .start = "v_mov_b32 v1, 0",
     .fill = "ds_store_b32 v8, v8; ds_store_b32 v8, v8 offset:64",
     .copy = "global_load_async_to_lds_b32 v8, v1, s[0:1]",
     .copy_behind = "global_load_async_to_lds_b32 v8, v1, s[0:1] offset:64",
     .read = "ds_load_b32 v9, v8",
     .read_behind = "ds_load_b32 v9, v8 offset:64",
     .wait_lds = "s_wait_dscnt 0x0",
     .wait_copies = "s_wait_asynccnt 0x0",
     .wait_older = "s_wait_asynccnt 0x1",
     .store = "global_store_b32 v1, v9, s[0:1]",
     .nap = "s_sleep 1"},
};
enum { ISAS = sizeof of_isa / sizeof of_isa[0] };

struct program {
    const struct isa_words *of;
    uint32_t code[MOST_WORDS];
    unsigned words, stores;
};

static void put(struct program *p, const char *text)
{
    struct assembled a = assemble(p->of->target, text);

    assert_true(p->words + a.words <= MOST_WORDS);
    memcpy(p->code + p->words, a.word, a.words * sizeof a.word[0]);
    p->words += (unsigned)a.words;
}

/* Old values are in LDS. */
static struct program begin(const struct isa_words *of)
{
    struct program p = {.of = of};

    put(&p, of->start);
    put(&p, "v_mov_b32 v8, 0x100");
    put(&p, of->fill);
    put(&p, of->wait_lds);
    return p;
}

/* Reads a word of LDS and stores it as the next result. */
static void show(struct program *p, const char *read)
{
    char store[80];

    put(p, read);
    put(p, p->of->wait_lds);
    snprintf(store, sizeof store, "%s offset:%u", p->of->store, OUT + 4 * p->stores++);
    put(p, store);
}

static uint32_t *data(struct rig *r, uint32_t at)
{
    uint32_t *p = (uint32_t *)(void *)mem_space_at(&r->space, r->data + at, 4, MEM_READ | MEM_WRITE);

    assert_non_null(p);
    return p;
}

/* Runs p, and compares its results with what is expected. */
static void expect(struct program *p, uint32_t latency, const uint32_t *results)
{
    put(p, "s_endpgm");
    struct rig *r = p->of->lanes == 32 ? queued(p->of->target, p->code, p->words, 32, 1)
                                       : rig_new(p->of->target, p->code, p->words, 64, 1);

    r->latency[MEM_PORT_VECTOR] = latency;
    *data(r, 0) = NEW;
    *data(r, 64) = NEW + 1;
    rig_run(r);
    if (r->status)
        fail_msg("%s", r->err.text);
    assert_int_equal(r->result.outcome, ENGINE_DONE);
    for (unsigned k = 0; k < p->stores; k++)
        if (*data(r, OUT + 4 * k) != results[k])
            fail_msg("%s: result %u is 0x%x, expected 0x%x", p->of->target, k, *data(r, OUT + 4 * k), results[k]);
    rig_free(r);
}

/* What a wave reads before the wait is what was in LDS. */
static void data_comes_with_the_answer(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ISAS; k++) {
        const struct isa_words *of = &of_isa[k];
        struct program p = begin(of);

        put(&p, of->copy);
        show(&p, of->read);
        put(&p, of->wait_copies);
        show(&p, of->read);
        expect(&p, LATENCY, (const uint32_t[]){OLD, NEW});
    }
}

/* The older of two copies, a while apart, has come, and the other has not. */
static void copies_come_one_by_one(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ISAS; k++) {
        const struct isa_words *of = &of_isa[k];
        struct program p = begin(of);

        put(&p, of->copy);
        put(&p, of->nap);
        put(&p, of->copy_behind);
        put(&p, of->wait_older);
        show(&p, of->read_behind);
        show(&p, of->read);
        put(&p, of->wait_copies);
        show(&p, of->read_behind);
        expect(&p, 2 * LATENCY, (const uint32_t[]){OLD, NEW, NEW + 1});
    }
}

/* Nobody waits: memory's latency alone decides. Four naps are 256 cycles. */
static void time_alone(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ISAS; k++)
        for (unsigned slow = 0; slow < 2; slow++) {
            const struct isa_words *of = &of_isa[k];
            struct program p = begin(of);

            put(&p, of->copy);
            for (unsigned n = 0; n < 4; n++)
                put(&p, of->nap);
            show(&p, of->read);
            expect(&p, slow ? 10 * LATENCY : LATENCY, (const uint32_t[]){slow ? OLD : NEW});
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(data_comes_with_the_answer),
                                       cmocka_unit_test(copies_come_one_by_one), cmocka_unit_test(time_alone)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

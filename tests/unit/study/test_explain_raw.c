/* Trials of raw launches in child processes (sim/study/explain_raw.c): nothing that they store is seen here, whoever
 * shares the memory; each begins with what is there, a warm-up included; and children that do not come to an end. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "tests/support/assemble.h"

enum { ITEMS = 64, SHARED_BYTES = 3 * 4096 };

/* Adds 1 to each of 64 dwords at s[0:1], and then to as many times as the first of them says. */
static const char adds[] =
    "v_lshlrev_b32 v1, 2, v0; global_load_dword v2, v1, s[0:1]; s_waitcnt vmcnt(0); v_add_u32 v2, 1, v2; "
    "global_store_dword v1, v2, s[0:1]; s_load_dword s3, s[0:1], 0x0; s_waitcnt vmcnt(0) lgkmcnt(0); "
    "loop: s_sub_u32 s3, s3, 1; s_cmp_gt_i32 s3, 0; s_cbranch_scc1 loop; s_endpgm";

/* What becomes of children, which are counted. */
struct children {
    unsigned started;
    int fails_from; /* none can be started from this one on; 0: all are */
    int dies;       /* this one ends before it has answered */
};

static int child(void *ctx, void (*work)(void *of, int fd), void (*answer)(void *of, int fd), void *of)
{
    struct children *c = ctx;
    int fd[2];

    c->started++;
    if (c->fails_from && (int)c->started >= c->fails_from)
        return -1;
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        close(fd[0]);
        if ((int)c->started != c->dies)
            work(of, fd[1]);
        _exit(0);
    }
    close(fd[1]);
    answer(of, fd[0]);
    close(fd[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return 0;
}

struct bench {
    struct gcnsim *sim;
    struct gcnsim_raw raw;
    struct gcnsim_explain_options o;
    struct children children;
};

static void begin(struct bench *b, const char *text, uint32_t *data)
{
    static const char *const only[] = {"fetch"};
    struct assembled code = assemble("gfx90a", text);
    struct gcnsim_error e = {0};

    memset(b, 0, sizeof *b);
    assert_int_equal(gcnsim_open(&b->sim, "gfx90a-mi210", &e), GCNSIM_OK);
    gcnsim_raw_init(&b->raw);
    b->raw.target = "gfx90a";
    b->raw.entry = b->raw.code_base = (uintptr_t)code.word;
    b->raw.code_size = code.words * 4;
    b->raw.wave_size = 64;
    b->raw.workgroup_size[0] = ITEMS;
    b->raw.compute_pgm_rsrc1 = 3u << 6 | 0xf0u << 12;
    b->raw.compute_pgm_rsrc2 = 2u << 1 | 1u << 7;
    b->raw.kernarg_address = (uintptr_t)data;
    gcnsim_explain_options_init(&b->o);
    b->o.sim = b->sim;
    b->o.jobs = 1;
    b->o.only = only;
    b->o.only_count = 1;
}

static int explain(struct bench *b, struct gcnsim_explanation **x, struct gcnsim_error *e)
{
    *e = (struct gcnsim_error){0};
    return gcnsim_explain_raw(&b->o, &b->raw, child, &b->children, x, e);
}

/* Memory of this process alone, shared with others, at a second address, or of a file in /dev/shm: the launch finds it
 * as it is, and it stays so. The launch after `warmup` others finds what these have left, and takes longer by it. */
static void memory_stays_as_it_is(void **state)
{
    uint32_t *memory[4];
    int fd = memfd_create("shared", 0), shm;
    char path[] = "/dev/shm/gcnsim-test-XXXXXX";

    (void)state;
    memory[0] = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory[1] = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_int_equal(ftruncate(fd, SHARED_BYTES), 0);
    memory[2] = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    shm = mkstemp(path);
    assert_true(shm >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ftruncate(shm, SHARED_BYTES), 0);
    memory[3] = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, shm, 0);
    for (size_t k = 0; k < 4; k++) {
        struct gcnsim_explanation *x;
        double cycles[3] = {0};
        struct gcnsim_error e;
        struct bench b;

        assert_ptr_not_equal(memory[k], MAP_FAILED);
        uint32_t *data = memory[k] + 1024 + 16; /* the page before was never there, and the one after is not, either */
        for (uint32_t n = 0; n < ITEMS; n++)
            data[n] = 400;
        for (uint32_t warmup = 0; warmup < 3; warmup++) {
            begin(&b, adds, data);
            b.o.warmup = warmup;
            if (explain(&b, &x, &e) != GCNSIM_OK)
                fail_msg("memory %zu, warmup %u: %s", k, warmup, e.text);
            assert_int_equal(x->simulations, 2);
            assert_int_equal(b.children.started, 2);
            assert_int_equal(x->cause_count, 1);
            assert_string_equal(x->causes[0].key, "fetch");
            assert_int_equal(x->causes[0].state, GCNSIM_EXPLAINED_SIMULATED);
            assert_true(x->causes[0].cycles < x->cycles);
            cycles[warmup] = x->cycles;
            gcnsim_explanation_free(x);
            gcnsim_close(b.sim);
            for (uint32_t n = 0; n < ITEMS; n++)
                assert_int_equal(data[n], 400);
        }
        /* a cold device first; then one time around the loop more each, on a device that is as warm */
        assert_true(cycles[0] > cycles[1] && cycles[2] > cycles[1]);
        assert_true(cycles[2] - cycles[1] < 100);
        munmap(memory[k], SHARED_BYTES);
    }
    close(fd);
    close(shm);
}

/* Pages that nobody has touched are zeros in the children, as they are here. */
static void pages_that_are_not_there(void **state)
{
    uint32_t *data = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct gcnsim_explanation *x;
    struct gcnsim_error e;
    struct bench b;

    (void)state;
    assert_ptr_not_equal(data, MAP_FAILED);
    begin(&b, adds, data);
    assert_int_equal(explain(&b, &x, &e), GCNSIM_OK);
    gcnsim_explanation_free(x);
    gcnsim_close(b.sim);
    assert_int_equal(data[0], 0);
    munmap(data, SHARED_BYTES);
}

static void expect_error(struct bench *b, int code, const char *says)
{
    struct gcnsim_explanation *x = (void *)b;
    struct gcnsim_error e;

    assert_int_equal(explain(b, &x, &e), code);
    assert_null(x);
    if (!strstr(e.text, says))
        fail_msg("'%s' lacks '%s'", e.text, says);
    gcnsim_close(b->sim);
}

/* What children cannot do is said of the base run, and noted of another. */
static void children_that_fail(void **state)
{
    static const char *const notes[] = {"its process ended early", "no child process could be started"};
    static uint32_t data[ITEMS];
    struct gcnsim_explanation *x;
    struct gcnsim_error e;
    struct bench b;

    (void)state;
    for (int starts = 0; starts < 2; starts++) {
        begin(&b, adds, data);
        *(starts ? &b.children.fails_from : &b.children.dies) = 1;
        expect_error(&b, GCNSIM_ERROR_LIMIT, notes[starts]);
        begin(&b, adds, data);
        *(starts ? &b.children.fails_from : &b.children.dies) = 2;
        assert_int_equal(explain(&b, &x, &e), GCNSIM_OK);
        assert_int_equal(x->causes[0].state, GCNSIM_EXPLAINED_FAILED);
        assert_non_null(strstr(x->causes[0].note, notes[starts]));
        assert_true(x->causes[0].cycles == x->cycles);
        gcnsim_explanation_free(x);
        gcnsim_close(b.sim);
    }
}

/* Launches that do not end, in the warm-up or afterwards, and callers without what is needed. */
static void launches_that_do_not_end(void **state)
{
    static uint32_t data[ITEMS];
    struct bench b;

    (void)state;
    for (uint32_t warmup = 0; warmup < 2; warmup++) {
        begin(&b, "loop: s_branch loop", data);
        b.o.warmup = warmup;
        b.raw.max_instructions = 1000;
        expect_error(&b, GCNSIM_ERROR_RUN_LIMIT, "expected a launch that runs to its end");
        begin(&b, "v_mov_b32 v2, 0; v_mov_b32 v3, 0; global_load_dword v4, v[2:3], off; s_waitcnt vmcnt(0); s_endpgm",
              data);
        b.o.warmup = warmup;
        b.raw.ranges = &(struct gcnsim_range){(uintptr_t)data, sizeof data, 1, NULL};
        b.raw.range_count = 1;
        expect_error(&b, GCNSIM_ERROR_FAULT, "expected a launch that runs to its end");
        begin(&b, adds, data);
        b.o.warmup = warmup;
        b.raw.target = "gfx0";
        expect_error(&b, GCNSIM_ERROR_USAGE, "gfx0");
    }
    begin(&b, adds, data);
    b.o.sim = NULL;
    expect_error(&b, GCNSIM_ERROR_USAGE, "options without a simulator");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_stays_as_it_is),
        cmocka_unit_test(pages_that_are_not_there),
        cmocka_unit_test(children_that_fail),
        cmocka_unit_test(launches_that_do_not_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

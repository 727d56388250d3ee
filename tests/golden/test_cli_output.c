/* Whole outputs of the tool kept as files under tests/golden/expected; `make golden-update` rewrites them and the diff
 * is reviewed. Only outputs that do not depend on the machine or on timing belong here.
 */
#include "tests/system/cli_run.h"

#define SAMPLES "traces/samples/"

static const struct golden {
    const char *name;
    const char *args[6];
} goldens[] = {
    {"info-gfx1201-matmul", {"info", SAMPLES "gfx1201/matmul.co"}},
    {"info-gfx90a-call-json", {"info", SAMPLES "gfx90a/call.co", "--json"}},
    {"info-gfx803-reduce_lds", {"info", SAMPLES "gfx803/reduce_lds.co"}},
    {"disasm-gfx803-addpk_sdwa", {"disasm", SAMPLES "gfx803/addpk_sdwa.co"}},
    {"disasm-gfx90a-reduce_dpp", {"disasm", SAMPLES "gfx90a/reduce_dpp.co", "--kernel", "reduce_dpp"}},
    {"disasm-gfx1201-saxpy", {"disasm", SAMPLES "gfx1201/saxpy.co", "--kernel", "saxpy"}},
    {"run-help", {"run", "--help"}},
    {"compare-help", {"compare", "--help"}},
    {"exec-help", {"exec", "--help"}},
    {"isa-show-v_fma_f32", {"isa", "show", "v_fma_f32"}},
    {"isa-show-global_atomic_cmpswap-json", {"isa", "show", "global_atomic_cmpswap", "--json"}},
};

static void test_golden(void **state)
{
    const struct golden *g = *state;
    char path[256];
    struct said s = cli_run(g->args);
    expect_status(&s, 0);
    assert_true(s.out_bytes > 0);
    snprintf(path, sizeof path, "tests/golden/expected/%s.txt", g->name);
    if (getenv("GOLDEN_UPDATE")) {
        write_file(path, s.out, s.out_bytes);
        said_free(&s);
        return;
    }
    size_t bytes;
    char *expected = read_whole(path, &bytes);
    if (!expected) {
        print_error("%s is missing; make golden-update writes it\n", path);
        fail();
    }
    size_t line = 1, same = 0;
    while (same < bytes && same < s.out_bytes && expected[same] == s.out[same])
        line += expected[same++] == '\n';
    if (same < bytes || same < s.out_bytes) {
        print_error("%s differs from line %zu on; make golden-update and look at the diff\n", path, line);
        said_show(&s);
        fail();
    }
    free(expected);
    said_free(&s);
}

int main(void)
{
    enum { COUNT = sizeof goldens / sizeof *goldens };
    struct CMUnitTest tests[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){
            .name = goldens[i].name, .test_func = test_golden, .initial_state = (void *)(uintptr_t)&goldens[i]};
    return cmocka_run_group_tests_name("golden outputs", tests, cli_setup, cli_teardown);
}

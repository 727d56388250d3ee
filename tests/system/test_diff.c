/* gcnsim diff as a user meets it: runs of ours and tables as rocprofv3 writes them, code that has moved, limits for CI,
 * and what is wrong with bad input. */
#include <sys/stat.h>

#include "tests/system/cli_run.h"

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

#define HEADER "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\",\"Source\"\n"

/* A kernel of five instructions, four waves. */
static const char first[] = HEADER "3,4096,\"; _Z4saxpv\",0,0,0,0,\"saxp()\"\n"
                                   "3,4096,\"s_load_dwordx2 s[0:1], s[4:5], 0x0\",4,40,8,400,\"a.hip:3\"\n"
                                   "3,4104,\"v_lshlrev_b32_e32 v0, 2, v0\",4,16,0,0,\"a.hip:4 -> b.h:7\"\n"
                                   "3,4108,\"s_waitcnt lgkmcnt(0)\",4,1000,984,0,\"a.hip:4\"\n"
                                   "3,4112,\"global_load_dword v1, v0, s[0:1]\",4,16,0,8,\"a.hip:4\"\n"
                                   "3,4120,\"s_endpgm\",4,16,0,0,\"a.hip:5\"\n";
/* The same, with an instruction more at its front, other registers, and a longer wait. */
static const char moved[] = "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source,wait_lgkmcnt\r\n"
                            "1,8192,; _Z4saxpv,0,0,0,0,saxp(),0\r\n"
                            "1,8192,s_nop 0,4,16,0,0,,0\r\n"
                            "1,8196,\"s_load_dwordx2 s[2:3], s[4:5], 0x0\",4,40,8,400,,0\r\n"
                            "1,8204,\"v_lshlrev_b32_e32 v0, 2, v0\",4,16,0,0,,0\r\n"
                            "1,8208,s_waitcnt lgkmcnt(0),4,1100,1084,0,,1084\r\n"
                            "1,8212,\"global_load_dword v1, v0, s[2:3]\",4,16,0,8,,0\r\n"
                            "1,8220,s_endpgm,4,16,0,0,,0\r\n";

static void code_that_has_moved(void **state)
{
    char a[CLI_PATH + 300], b[CLI_PATH + 300];

    (void)state;
    snprintf(a, sizeof a, "%s", cli_path("a.csv"));
    snprintf(b, sizeof b, "%s", cli_path("b.csv"));
    put(a, first);
    put(b, moved);
    struct said s = RUN("diff", a, b);
    expect_status(&s, 0);
    expect_in(&s, s.out, "Instructions: 0 by address, 5 by text (~), 0 in A alone (-), 1 in B alone (+)");
    expect_in(&s, s.out,
              "   100c~ s_waitcnt lgkmcnt(0)               100      4      4     1000     1100      984     1084");
    expect_in(&s, s.out, "   2000+ s_nop 0                             16      -      4        -       16");
    expect_in(&s, s.out, "latency              1088         1204          116    +10.7 %");
    for (const char *line = s.out; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 120 || strstr(line, cli_dir));
    said_free(&s);

    s = RUN("diff", a, a, "--sort", "address", "--top", "2");
    expect_status(&s, 0);
    expect_in(&s, s.out, "5 by address, 0 by text");
    expect_in(&s, s.out, "\n3 more\n");
    said_free(&s);

    s = RUN("diff", a, b, "--json", "-", "--top", "1");
    expect_status(&s, 0);
    expect_in(&s, s.out,
              "{\"a\": {\"vaddr\": 4108, \"instruction\": \"s_waitcnt lgkmcnt(0)\", \"source\": \"a.hip:4\", "
              "\"hits\": 4, \"latency\": 1000, \"stall\": 984, \"idle\": 0}, \"b\": {\"vaddr\": 8208");
    said_free(&s);

    s = RUN("diff", a, b, "--csv", "-", "--per", "hit");
    expect_status(&s, 0);
    expect_in(&s, s.out, "4108,8208,\"s_waitcnt lgkmcnt(0)\",4,250,246,0,4,275,271,0,\"a.hip:4\"\n");
    said_free(&s);
}

static void limits(void **state)
{
    char a[CLI_PATH + 300], b[CLI_PATH + 300];

    (void)state;
    snprintf(a, sizeof a, "%s", cli_path("a.csv"));
    snprintf(b, sizeof b, "%s", cli_path("b.csv"));
    struct said s = RUN("diff", a, b, "--fail-above", "11%", "--quiet");
    expect_status(&s, 0);
    assert_string_equal(s.out, "");
    said_free(&s);
    s = RUN("diff", a, b, "--fail-above", "3%", "--quiet");
    expect_status(&s, 1);
    expect_in(&s, s.err, "latency went from 1088 to 1204 cycles, 10.66 % more; --fail-above allows 3 %");
    said_free(&s);
    s = RUN("diff", b, a, "--fail-above", "0"); /* faster is fine */
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("diff", a, b, "--fail-above", "0", "--figure", "idle", "--quiet");
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("diff", a, b, "--fail-above", "1", "--figure", "cycles", "--quiet");
    expect_status(&s, 2);
    expect_in(&s, s.err, "A does not say cycles");
    said_free(&s);
    s = RUN("diff", a, b, "--figure", "speed");
    expect_status(&s, 2);
    expect_in(&s, s.err, "--figure 'speed'; expected one of: cycles, waves, hits, latency");
    said_free(&s);
    s = RUN("diff", a, b, "--fail-above", "much");
    expect_status(&s, 2);
    expect_in(&s, s.err, "expected a percentage");
    said_free(&s);
    s = RUN("diff", a);
    expect_status(&s, 2);
    said_free(&s);
}

/* One run in three forms, and a slower chip. */
static void runs_of_ours(void **state)
{
    static const char path[] = "traces/samples/gfx90a/softmax.json";
    char all[CLI_PATH + 300], one[CLI_PATH + 300], slow[CLI_PATH + 300], report[CLI_PATH + 300], csv[CLI_PATH + 400];

    (void)state;
    snprintf(all, sizeof all, "%s", cli_path("all"));
    snprintf(one, sizeof one, "%s", cli_path("one"));
    snprintf(slow, sizeof slow, "%s", cli_path("slow"));
    snprintf(report, sizeof report, "%s", cli_path("report.json"));
    snprintf(csv, sizeof csv, "%s/stats_ui_output_agent_0_dispatch_1.csv", all);
    struct said s =
        RUN("run", path, "--att", all, "--att-cus", "all", "--per-instruction", "--json", report, "--quiet");
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("run", path, "--att", slow, "--att-cus", "all", "--set", "cache.l2.hit_latency_cycles=400", "--quiet");
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("run", "traces/samples/gfx90a/matmul.json", "--att", one, "--quiet");
    expect_status(&s, 0);
    said_free(&s);

    s = RUN("diff", all, csv, "--fail-above", "0", "--figure", "latency");
    expect_status(&s, 0);
    expect_in(&s, s.out, " by address, 0 by text (~), 0 in A alone (-), 0 in B alone (+)");
    said_free(&s);
    /* reports cannot tell a lost arbitration after a stall from one before it */
    s = RUN("diff", all, report, "--fail-above", "1", "--figure", "latency", "--json", "-");
    expect_status(&s, 0);
    expect_in(&s, s.out, "\"only_a\": 0, \"only_b\": 0");
    said_free(&s);
    s = RUN("diff", report, all, "--fail-above", "0", "--quiet"); /* cycles: the very same */
    expect_status(&s, 0);
    said_free(&s);
    s = RUN("diff", all, slow, "--fail-above", "3%");
    expect_status(&s, 1);
    expect_in(&s, s.out, "wave_median");
    expect_in(&s, s.err, "cycles went from ");
    said_free(&s);
    s = RUN("diff", all, one); /* another kernel: nothing crashes */
    expect_status(&s, 0);
    said_free(&s);
}

/* Hardware has traced two waves of one SIMD, we all eight of the launch: compared per wave. */
static void per_wave(void **state)
{
    char folder[CLI_PATH + 100], inner[CLI_PATH + 300], name[CLI_PATH + 400], b[CLI_PATH + 300];

    (void)state;
    snprintf(folder, sizeof folder, "%s", cli_path("hardware"));
    snprintf(inner, sizeof inner, "%s/ui_output_agent_7_dispatch_2", folder);
    assert_int_equal(mkdir(folder, 0777) | mkdir(inner, 0777), 0);
    snprintf(name, sizeof name, "%s/code.json", inner);
    put(name, "{\"code\":[[\"; k\",0,0,\"k\",1,256,0,0,0,0],[\"v_nop\",0,1,\"\",1,256,2,10,0,4],"
              "[\"s_endpgm\",0,2,\"\",1,260,2,2,0,0]],\"header\":\"ISA\",\"version\":\"3.0.0\"}");
    snprintf(name, sizeof name, "%s/filenames.json", inner);
    put(name, "{\"gfxv\":\"navi\",\"gfxip\":11,\"wave_filenames\":{\"0\":{\"0\":{\"3\":{\"0\":[\"a\",100,160],"
              "\"1\":[\"b\",200,280]}}}}}");
    snprintf(name, sizeof name, "%s/occupancy.json", inner);
    put(name,
        "{\"0\":[[100,0,0,3,1,1],[110,1,0,0,1,1],[160,0,0,3,0,1],[170,1,0,0,0,1],[200,0,0,3,1,1],[280,0,0,3,0,1]],"
        "\"dispatches\":{\"1\":\"k\"},\"version\":\"3.0.0\"}");
    snprintf(b, sizeof b, "%s", cli_path("eight.csv"));
    put(b, "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle\n1,256,; k,0,0,0,0\n1,256,v_nop,8,48,0,16\n"
           "1,260,s_endpgm,8,8,0,0\n");
    struct said s = RUN("diff", folder, b);
    expect_status(&s, 0);
    expect_in(&s, s.out, "Instructions, per wave: 2 by address");
    expect_in(&s, s.out,
              "100  v_nop                                1      1      1        5        6        0        0       2   "
              "    2");
    expect_in(&s, s.out, "cycles                180            -");
    expect_in(&s, s.out, "wave_median            70");
    expect_in(&s, s.out, "occupancy            1.11");
    said_free(&s);
}

static void bad_input(void **state)
{
    static const struct {
        const char *text, *said;
    } of[] = {
        {"", "no lines; expected a table"},
        {"a,b\n1,2\n", "a column is missing"},
        {"Vaddr,Instruction,Hitcount,Latency,Stall,Idle\n1,x,2,3,4\n", "'' as Idle; expected a number"},
        {"Vaddr,Instruction,Hitcount,Latency,Stall,Idle\n1,\"x,2,3,4,5\n", "a field without an end"},
        {"Vaddr,Instruction,Hitcount,Latency,Stall,Idle\n1,x,-2,3,4,5\n", "line 2: '-2' as Hitcount"},
        {"{\"outcome\": \"completed\"}", "no \"code\"; expected the report"},
        {"{\"code\": {\"functions\": [], \"loops\": []}}", "no \"code\"; expected the report"},
        {"{\"code\": {\"instructions\": [{}]}}", "no instruction of \"code\""},
        {"{\"code\": {\"instructions\": [{\"instruction\": \"s_endpgm\", \"pc\": \"x\"}]}}",
         "no instruction of \"code\""},
        {"{\"code\": {\"instructions\": [{\"instruction\": \"s_endpgm\", \"pc\": \"0xg\"}]}}",
         "a pc that is no number"},
        {"{\"code\": {\"instructions\": [{\"instruction\": \"s_endpgm\", \"pc\": \"0x4\", \"executed\": -1}]}}",
         "a negative one; expected a whole number"},
        {"{\"launches\": [{\"steady\": true, \"report\": {}}, {\"steady\": true, \"report\": {}}]}",
         "several steady launches"},
        {"{\"launches\": [{\"steady\": false, \"report\": {\"code\": {}}}]}", "no \"code\"; expected the report"},
        {"{", "the end"},
    };
    char b[CLI_PATH + 300];

    (void)state;
    snprintf(b, sizeof b, "%s", cli_path("bad"));
    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        put(b, of[k].text);
        struct said s = RUN("diff", b, b);
        expect_status(&s, 2);
        expect_in(&s, s.err, b);
        expect_in(&s, s.err, of[k].said);
        said_free(&s);
    }
    struct said s = RUN("diff", "no/such", b);
    expect_status(&s, 2);
    expect_in(&s, s.err, "no/such: No such file");
    said_free(&s);
    s = RUN("diff", "docs", b);
    expect_status(&s, 2);
    expect_in(&s, s.err, "docs: no thread trace: neither a code.json nor a folder ui_output_* in it");
    said_free(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_that_has_moved), cmocka_unit_test(limits),
        cmocka_unit_test(runs_of_ours),        cmocka_unit_test(per_wave),
        cmocka_unit_test(bad_input),
    };

    return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}

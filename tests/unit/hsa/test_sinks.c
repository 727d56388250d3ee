/* What sinks make of dispatches, of which some facts are made up: rows of CSV files, what the summary says of fidelity,
 * tables of waits, and the annotated code of several launches. */
#define _GNU_SOURCE
#include "tests/unit/hsa/sink_fixture.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "sim/hsa/queues/queue.h"
#include "sim/hsa/sinks/report_rows.h"
#include "sim/hsa/sinks/report_schema.h"
#include "sim/hsa/sinks/report_sinks.h"
#include "sim/hsa/sinks/views.h"
#include "sim/hsa/waits/waits.h"
#include "tests/support/words.h"

/* ---- CSV ---- */

/* Statistics that there are, and no others, each with its own figures. */
static void rows_of_csv(void **state)
{
    static const struct gcnsim_stat stats[] = {
        {.name = "cycles", .unit = "cycles", .value = 100, .present = 1},
        {.name = "none", .unit = "x", .value = 7},
        {.name = "ipc", .unit = "instructions/cycle", .value = 1 / 3.0, .present = 1},
    };
    const struct exec_options o = {
        .csv = in_folder("csv"), .csv_statistics = in_folder("s.csv"), .csv_counters = in_folder("c.csv")};
    const struct report_kernel k = {
        .id = 9, .shown = (char *)"k<a, b>", .info = {.vgprs = 24, .agprs = 4, .sgprs = 16}};
    struct queue queue = {.number = 3};
    struct gcnsim_result *result = vecadd(2), own = *result;
    struct dispatch_record d = {.number = 7,
                                .agent = agent_of(gfx90a),
                                .queue = &queue,
                                .grid = {128, 3, 2},
                                .workgroup = {64, 3, 1},
                                .lds_bytes = 513,
                                .scratch_bytes = 40,
                                .start_ns = 1000,
                                .end_ns = 2500};
    const long pid = (long)getpid();
    char name[64], row[400], why[200], *text;

    (void)state;
    assert_true(csv_open(&o, why, sizeof why));
    csv_dispatch(&d, &k); /* native: there is no result */
    result->stats = stats;
    result->stat_count = sizeof stats / sizeof *stats;
    d.result = result;
    d.number = 8;
    d.queue = NULL;
    csv_dispatch(&d, &k);
    snprintf(name, sizeof name, "csv/%ld_kernel_trace.csv", pid);
    text = text_of(in_folder(name));
    snprintf(row, sizeof row,
             "\n\"KERNEL_DISPATCH\",\"Agent 1\",3,0,%ld,7,9,\"k<a, b>\",7,1000,2500,1024,40,24,4,16,64,3,1,128,3,2\n"
             "\"KERNEL_DISPATCH\",\"Agent 1\",0,0,%ld,8,9,\"k<a, b>\",8,1000,2500,1024,40,24,4,16,64,3,1,128,3,2\n",
             pid, pid);
    assert_string_equal(strchr(text, '\n'), row);
    free(text);
    text = text_of(in_folder("s.csv"));
    assert_string_equal(text, "dispatch,kernel,name,unit,value\n8,\"k<a, b>\",cycles,cycles,100\n"
                              "8,\"k<a, b>\",ipc,instructions/cycle,0.333333333\n");
    free(text);
    text = text_of(in_folder("c.csv"));
    snprintf(row, sizeof row,
             "\n8,8,\"Agent 1\",0,%ld,%ld,768,9,\"k<a, b>\",192,1024,40,24,4,16,\"SQ_WAVES\",2,1000,2500\n", pid, pid);
    assert_non_null(strstr(text, row));
    assert_null(strstr(text, "\"cycles\""));
    free(text);
    snprintf(name, sizeof name, "csv/%ld_counter_collection.csv", pid);
    text = text_of(in_folder(name));
    assert_non_null(strstr(text, row));
    snprintf(row, sizeof row,
             "\n8,8,\"Agent 1\",0,%ld,%ld,768,9,\"k<a, b>\",192,1024,40,24,4,16,\"cycles\",100,1000,2500\n"
             "8,8,\"Agent 1\",0,%ld,%ld,768,9,\"k<a, b>\",192,1024,40,24,4,16,\"ipc\",0.333333333,1000,2500\n",
             pid, pid, pid, pid);
    assert_string_equal(strstr(text, row), row); /* they are the last ones */
    free(text);
    result->stats = own.stats;
    result->stat_count = own.stat_count;
    gcnsim_result_free(result);
}

/* ---- fidelity ---- */

/* Lines of the log as one, from the one that begins so on; those below it begin with blanks. */
static const char *line_from(const char *log, const char *begins)
{
    static char line[1000];
    const char *at = strstr(log, begins);

    assert_non_null(at);
    snprintf(line, sizeof line, "%s", at);
    for (char *c; (c = strstr(line, "\ngcnsim:   "));)
        memmove(c + 1, c + 11, strlen(c + 11) + 1), *c = ' ';
    line[strcspn(line, "\n")] = 0;
    return line;
}

/* Two launches of one kernel are believed as one of them is. */
static void fidelity_of_launches(void **state)
{
    struct gcnsim_result *result = vecadd(4);
    const struct gcnsim_fidelity *f = gcnsim_result_fidelity(result);
    char timing[600] = "timing: wave-cycles rest on figures that are ", least[600], *log;
    size_t names = 0;

    (void)state;
    fidelity_tell(); /* of nothing */
    fidelity_dispatch(&(struct dispatch_record){.native = true});
    fidelity_tell();
    log = take_log();
    assert_string_equal(log, "");
    free(log);
    for (unsigned k = 0; k < 2; k++)
        fidelity_dispatch(&(struct dispatch_record){.result = result});
    fidelity_tell();
    log = take_log();
    assert_string_equal(line_from(log, "results: "), "results: all instructions exact");
    for (size_t k = 0, shown = 0; k < f->timing_count; k++)
        if (f->timings[k].share > 0)
            sprintf(timing + strlen(timing), "%s%s %.1f %%", shown++ ? ", " : "",
                    strcmp(f->timings[k].timing, "none") == 0 ? "on none" : f->timings[k].timing,
                    100 * f->timings[k].share);
    assert_string_equal(line_from(log, "timing: "), timing);
    snprintf(least, sizeof least, "least sure (%s): ", f->figures[0].timing);
    for (; names < 3 && strcmp(f->figures[names].timing, f->figures[0].timing) == 0; names++)
        sprintf(least + strlen(least), "%s%s %.1f %%", names ? ", " : "", f->figures[names].path,
                100 * f->figures[names].share);
    assert_string_equal(line_from(log, "least sure "), least);
    free(log);
    gcnsim_result_free(result);
}

/* ---- waits ---- */

/* All rows of a query, columns separated by blanks and rows by ends of lines. */
static const char *rows(sqlite3 *db, const char *sql)
{
    static char out[2000];
    sqlite3_stmt *s;
    size_t at = 0;

    *out = 0;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW)
        for (int k = 0; k < sqlite3_column_count(s); k++) {
            const char *text = (const char *)sqlite3_column_text(s, k);

            at += (size_t)snprintf(out + at, sizeof out - at, "%s%s", text ? text : "-",
                                   k + 1 < sqlite3_column_count(s) ? " " : "\n");
        }
    sqlite3_finalize(s);
    return out;
}

/* A thread waits for a signal that nobody has, a barrier for a kernel, which completes what the barrier waits for, and
 * a thread for either signal. */
static struct waits make_waits(void)
{
    static struct wait_node node[] = {
        {.kind = WAIT_THREAD, .number = 42, .name = "main", .edges = 1},
        {.kind = WAIT_SIGNAL, .handle = 0x1230, .value = 6, .made = "lib+0x1"},
        {.kind = WAIT_PACKET,
         .number = 5,
         .queue = 2,
         .type = HSA_PACKET_TYPE_BARRIER_AND,
         .state = WAIT_NEXT,
         .first = 1,
         .edges = 2},
        {.kind = WAIT_SIGNAL, .known = true, .number = 8, .value = -3, .made = "prog+0x2", .first = 3, .edges = 1},
        {.kind = WAIT_PACKET,
         .type = HSA_PACKET_TYPE_KERNEL_DISPATCH,
         .dispatch = 11,
         .name = "k",
         .state = WAIT_RUNS,
         .goes_on = true},
        {.kind = WAIT_THREAD, .number = 43, .any = true, .first = 4, .edges = 2},
    };
    static struct wait_edge edge[] = {
        {.to = 1, .how = WAIT_VALUE, .on = {.condition = HSA_SIGNAL_CONDITION_EQ, .compare = 4, .mask = -1}},
        {.to = 3, .how = WAIT_VALUE, .on = {.condition = HSA_SIGNAL_CONDITION_LT, .compare = -3, .mask = 15}},
        {.to = 4, .how = WAIT_END, .on = {.compare = 9, .mask = 9}, .goes_on = true},
        {.to = 2, .how = WAIT_COMPLETION},
        {.to = 1, .how = WAIT_VALUE, .on = {.condition = HSA_SIGNAL_CONDITION_GTE, .mask = -1}},
        {.to = 3, .how = WAIT_VALUE, .on = {.condition = HSA_SIGNAL_CONDITION_NE, .compare = -3, .mask = -1}},
    };
    static uint32_t cycle[] = {2, 3};

    return (struct waits){.node = node,
                          .nodes = sizeof node / sizeof *node,
                          .edge = edge,
                          .edges = sizeof edge / sizeof *edge,
                          .cycle = {{cycle, 2}},
                          .cycles = 1};
}

static void tables_of_waits(void **state)
{
    const struct waits w = make_waits();
    char *log;
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, report_tables, NULL, NULL, NULL), SQLITE_OK);
    sqlite_put_waits(db, 6, &w);
    assert_string_equal(rows(db, "SELECT * FROM wait_node ORDER BY node"),
                        "6 1 thread host thread 42 42 - - - main - - 0\n"
                        "6 2 signal signal 0x1230 - - - - lib+0x1 - - 0\n"
                        "6 3 packet queue 2 packet 5 - 2 5 - barrier-AND next - 0\n"
                        "6 4 signal signal 8 - - - - prog+0x2 - -3 0\n"
                        "6 5 packet queue 0 packet 0 - 0 0 11 dispatch 11, kernel k runs - 1\n"
                        "6 6 thread host thread 43 43 - - - - - - 0\n");
    assert_string_equal(rows(db, "SELECT * FROM wait_edge ORDER BY node, waits_for"),
                        "6 1 2 value == 4 -1 0\n6 3 4 value < -3 15 0\n6 3 5 end - - - 1\n6 4 3 completion - - - 0\n"
                        "6 6 2 value >= 0 -1 0\n6 6 4 value != -3 -1 0\n");
    assert_string_equal(rows(db, "SELECT * FROM wait_cycle ORDER BY step"), "6 1 1 3\n6 1 2 4\n");
    const struct exec_options o = {.json = in_folder("json")};
    char name[64], why[200];
    assert_true(json_open(&o, why, sizeof why));
    json_waits(&w, "SIGINT");
    snprintf(name, sizeof name, "json/%ld_waits.json", (long)getpid());
    char *text = text_of(in_folder(name));
    expect_words("tests/unit/hsa/words", "waits", text);
    free(text);
    for (unsigned type = HSA_PACKET_TYPE_AGENT_DISPATCH; type < 90; type += 73) {
        const struct wait_node odd = {.kind = WAIT_PACKET, .type = (uint8_t)type};
        char what[64], wanted[64];

        snprintf(wanted, sizeof wanted, "packet of type %u", type);
        assert_string_equal(waits_packet_text(&odd, what, sizeof what), wanted);
    }
    text = waits_text(&w);
    expect_words("tests/unit/hsa/words", "waits_text", text);
    free(text);
    /* edges of nodes that are not there would be about nothing */
    assert_int_equal(sqlite3_exec(db, "DROP TABLE wait_node", NULL, NULL, NULL), SQLITE_OK);
    sqlite_put_waits(db, 7, &w);
    assert_string_equal(rows(db, "SELECT count(*) FROM wait_edge WHERE run = 7"), "0\n");
    log = take_log();
    assert_string_equal(log, "gcnsim: GCNSIM_REPORT: rows are lost: no such table: wait_node\n");
    free(log);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- views ---- */

/* The annotated code of launches of one kernel as it is to be shown; to be freed with gcnsim_free(). */
static char *annotated(const struct gcnsim_result *one, const struct gcnsim_result *other, enum gcnsim_sort sort)
{
    struct gcnsim_annotate a;
    struct gcnsim_sum *sum;
    char *text;

    gcnsim_annotate_init(&a);
    a.sort = sort;
    assert_int_equal(gcnsim_sum_open(&sum, NULL), GCNSIM_OK);
    assert_int_equal(gcnsim_sum_add(sum, one, NULL), GCNSIM_OK);
    assert_int_equal(other ? gcnsim_sum_add(sum, other, NULL) : GCNSIM_OK, GCNSIM_OK);
    assert_int_equal(gcnsim_sum_annotated(sum, &a, &text, NULL), GCNSIM_OK);
    gcnsim_sum_free(sum);
    return text;
}

/* Sums of launches by kernel, that with the most cycles first, each once; all instructions in one table. */
static void annotated_code(void **state)
{
    struct gcnsim_result *few = vecadd(1), *many = vecadd(16);
    struct dispatch_record d = {.viewed = true, .timing = true, .kernel = "small", .result = few};
    char *small = annotated(few, NULL, GCNSIM_SORT_CYCLES), *large = annotated(few, many, GCNSIM_SORT_CYCLES),
         *plain = annotated(few, NULL, GCNSIM_SORT_PC), why[200], *log, *expected, *table;
    struct exec_options *o = &rt_any()->options;
    struct gcnsim_sum *sum;

    (void)state;
    o->common.annotate = true;
    o->common.sort = GCNSIM_SORT_CYCLES;
    o->common.color = OPTION_COLOR_NEVER;
    o->csv_instructions = in_folder("i.csv");
    assert_true(views_begin(rt_any(), why, sizeof why));
    assert_string_not_equal(small, plain);
    views_dispatch(&d);
    d.kernel = "large";
    views_dispatch(&d);
    d.result = many;
    views_dispatch(&d);
    d.viewed = false; /* neither what is not chosen nor what has no cycles */
    views_dispatch(&d);
    d.viewed = true;
    d.timing = false;
    views_dispatch(&d);
    views_end();
    log = take_log();
    assert_true(asprintf(&expected, "\n%s\n%s", large, small) > 0);
    assert_string_equal(log, expected);
    free(expected);
    free(log);
    assert_int_equal(gcnsim_sum_open(&sum, NULL), GCNSIM_OK);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(gcnsim_sum_add(sum, k == 2 ? many : few, NULL), GCNSIM_OK);
    assert_int_equal(gcnsim_sum_instructions_csv(sum, 1, 0, &expected, NULL), GCNSIM_OK);
    table = text_of(in_folder("i.csv"));
    assert_string_equal(table, expected);
    /* the next time what is new alone */
    d.timing = true;
    d.kernel = "small";
    d.result = few;
    views_dispatch(&d);
    views_end();
    log = take_log();
    gcnsim_free(large);
    large = annotated(few, few, GCNSIM_SORT_CYCLES);
    assert_string_equal(log + 1, large);
    free(log);
    free(table);
    gcnsim_free(expected);
    gcnsim_free(small);
    gcnsim_free(large);
    gcnsim_free(plain);
    gcnsim_sum_free(sum);
    gcnsim_result_free(few);
    gcnsim_result_free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_csv),
        cmocka_unit_test(fidelity_of_launches),
        cmocka_unit_test(tables_of_waits),
        cmocka_unit_test(annotated_code),
    };

    return cmocka_run_group_tests(tests, start_runtime, stop_runtime);
}

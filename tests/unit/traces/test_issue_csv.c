/* Trace files as such: opening, the table of formats, what is said when a file cannot be written; and the rows of
 * issue-csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "traces/issue_csv.h"
#include "traces/trace.h"

static void give(const struct event_consumer *c, const struct event *e, size_t count)
{
    c->take(c->ctx, e, count);
}

static void rows_of_issues(void **state)
{
    char path[4096], text[512];
    struct event e[2] = {
        {.at = 12, .pc = 0x10100, .group = 3, .wave = 1, .cu = 2, .simd = 1, .slot = 7, .issue = {.cls = OPC_TRANS}},
        {.at = 13, .pc = 0x10104, .issue = {.cls = OPC_COUNT}}};
    const struct event_consumer other = {0}, *c;
    struct trace_job job = {.load_base = 0x10000, .base_vaddr = 0x1000};
    struct trace *t;
    struct err err = {0};
    FILE *f;
    size_t n;

    (void)state;
    e[0].kind = e[1].kind = EVENT_ISSUE;
    snprintf(path, sizeof path, "%s/trace", program_folder());
    job.path = path;
    assert_int_equal(trace_open(&t, &trace_issue_csv, &job, &err), 0);
    c = trace_attach(t, &other);
    assert_ptr_equal(c->next, &other);
    assert_int_equal(c->kinds, EVENT_BIT(EVENT_ISSUE));
    give(c, e, 1);
    give(c, e + 1, 1);
    assert_int_equal(trace_close(t, true, &err), 0);
    f = fopen(path, "r");
    assert_non_null(f);
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = 0;
    fclose(f);
    assert_string_equal(text, "cycle,cu,simd,slot,workgroup,wave,pc,class\n"
                              "12,2,1,7,3,1,0x1100,trans\n"
                              "13,0,0,0,0,0,0x1104,\n");
}

static void what_cannot_be_written(void **state)
{
    struct trace *t = NULL;
    struct err err = {0};

    (void)state;
    assert_null(trace_find("punched-cards", &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, "'punched-cards'; expected one of: issue-csv"));
    err_clear(&err);
    assert_ptr_equal(trace_find("issue-csv", &err), &trace_issue_csv);
    assert_int_not_equal(trace_open(&t, &trace_issue_csv, &(struct trace_job){.path = "no/such/folder/x"}, &err), 0);
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, "no/such/folder/x: "));
    err_clear(&err);
    assert_int_equal(trace_open(&t, &trace_issue_csv, &(struct trace_job){.path = "/dev/full"}, &err), 0);
    assert_int_not_equal(trace_close(t, true, &err), 0);
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(trace_close(NULL, true, NULL), 0);
}

/* Each format has a name of its own, a line of help and something to listen to. */
static void the_table(void **state)
{
    (void)state;
    assert_non_null(trace_writers[0]);
    for (const struct trace_writer *const *w = trace_writers; *w; w++) {
        assert_true((*w)->format[0] && (*w)->about[0] && (*w)->kinds && (*w)->open && (*w)->take && (*w)->close);
        assert_null(strchr((*w)->format, '='));
        for (const struct trace_writer *const *o = trace_writers; o < w; o++)
            assert_string_not_equal((*w)->format, (*o)->format);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_issues),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

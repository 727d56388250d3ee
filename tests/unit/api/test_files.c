/* Files that the library writes for its caller: whole or not at all, all failures named, the result kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/api/gcnsim.h"
#include "sim/util/output.h"
#include "tests/support/folder.h"

#define SAMPLES "traces/samples/gfx1201/"

/* DIR/NAME, in one of a few buffers. */
static const char *in_dir(const char *format, const char *name)
{
    static char buffers[8][600];
    static unsigned next;
    char *p = buffers[next++ % 8], path[400];

    snprintf(path, sizeof path, "%s/%s", program_folder(), name);
    snprintf(p, sizeof buffers[0], format, path);
    return p;
}

/* Names in the folder that begin with a dot and end in .tmp. */
static unsigned temporaries(void)
{
    char command[400];
    unsigned n = 0;

    snprintf(command, sizeof command, "ls -A %s | grep -c '^[.].*[.]tmp$'", program_folder());
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%u", &n), 1);
    pclose(f);
    return n;
}

static char *contents(const char *path)
{
    static char text[4096];
    FILE *f = fopen(path, "r");

    if (!f)
        return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

static void whole_or_not_at_all(void **state)
{
    const char *path = in_dir("%s", "whole");
    struct gcnsim_error error;
    struct err e = {0};
    struct output o;

    (void)state;
    assert_int_equal(gcnsim_write_file(path, "old", 3, &error), GCNSIM_OK);
    assert_string_equal(contents(path), "old");
    /* until it is closed, the old contents stand, and the new ones beside them */
    assert_int_equal(output_open(&o, path, &e), 0);
    fputs("new", o.f);
    fflush(o.f);
    assert_string_equal(contents(path), "old");
    assert_int_equal(temporaries(), 1);
    assert_int_equal(output_close(&o, false, &e), 0);
    assert_string_equal(contents(path), "old");
    assert_int_equal(temporaries(), 0);
    /* two at a time do not get in each other's way; the later one wins */
    struct output second;
    assert_int_equal(output_open(&o, path, &e), 0);
    assert_int_equal(output_open(&second, path, &e), 0);
    assert_int_equal(temporaries(), 2);
    fputs("first", o.f);
    fputs("second", second.f);
    assert_int_equal(output_close(&second, true, &e), 0);
    assert_int_equal(output_close(&o, true, &e), 0);
    assert_string_equal(contents(path), "first");
    /* a name as long as names may be */
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    assert_int_equal(gcnsim_write_file(in_dir("%s", name), "x", 1, &error), GCNSIM_OK);
    unlink(in_dir("%s", name));
    /* what took the place of the file in the meantime keeps it, and the new contents are not lost */
    assert_int_equal(output_open(&o, in_dir("%s", "replaced"), &e), 0);
    fputs("kept", o.f);
    assert_int_equal(mkdir(in_dir("%s", "replaced"), 0777), 0);
    assert_int_not_equal(output_close(&o, true, &e), 0);
    assert_int_equal(e.code, ERR_IO);
    char *at = strstr(e.text, "its new contents are in ");
    assert_non_null(at);
    assert_string_equal(contents(at + strlen("its new contents are in ")), "kept");
    unlink(at + strlen("its new contents are in "));
    assert_int_equal(temporaries(), 0);
    /* no file */
    assert_int_equal(gcnsim_write_file(program_folder(), "x", 1, &error), GCNSIM_ERROR_IO);
    assert_non_null(strstr(error.text, ": a folder; expected a file"));
    assert_int_equal(gcnsim_write_file("no/such/folder/x", "x", 1, &error), GCNSIM_ERROR_IO);
    assert_string_equal(error.text, "no/such/folder/x: its folder: No such file or directory");
    assert_int_equal(symlink("loop", in_dir("%s", "loop")), 0);
    assert_int_equal(gcnsim_write_file(in_dir("%s", "loop"), "x", 1, &error), GCNSIM_ERROR_IO);
    assert_non_null(strstr(error.text, "Too many levels of symbolic links"));
}

/* A launch of saxpy with one output; a failure of its trace leaves the result. */
static void a_result_is_not_lost_with_a_trace(void **state)
{
    const char *specs[] = {"f32:2", "in:traces/samples/data/f32_a.bin", NULL, "u32:987"};
    const char *const traces[] = {"issue-csv=/dev/full", in_dir("issue-csv=%s", "good"), "issue-csv=/dev/full"};
    struct gcnsim_error error;
    struct gcnsim_module *m;
    struct gcnsim_dispatch d;
    struct gcnsim_result *r;
    struct gcnsim_args *args;
    struct gcnsim *sim;

    (void)state;
    char spec[400];
    snprintf(spec, sizeof spec, "inout:traces/samples/data/f32_b.bin:%s", in_dir("%s", "gone/out"));
    specs[2] = spec;
    assert_int_equal(mkdir(in_dir("%s", "gone"), 0777), 0);
    assert_int_equal(gcnsim_open(&sim, "gfx1201", &error), GCNSIM_OK);
    assert_int_equal(gcnsim_load_file(sim, &m, SAMPLES "saxpy.co", NULL, &error), GCNSIM_OK);
    if (gcnsim_args_parse(m, 0, specs, 4, NULL, &args, &error))
        fail_msg("%s", error.text);
    gcnsim_dispatch_init(&d);
    d.grid_size[0] = d.workgroup_size[0] = 64;
    d.args = args;
    d.traces = traces;
    d.trace_count = 3;
    r = NULL;
    assert_int_equal(gcnsim_launch(m, &d, &r, &error), GCNSIM_ERROR_IO);
    char *first = strstr(error.text, "/dev/full: not everything could be written");
    assert_ptr_equal(first, error.text);
    assert_non_null(strstr(first + 1, "; /dev/full: not everything could be written"));
    assert_non_null(r);
    assert_int_equal(r->outcome, GCNSIM_COMPLETED);
    gcnsim_result_free(r);
    assert_int_equal(access(in_dir("%s", "good"), F_OK), 0);
    /* a launch that cannot begin leaves no result and no trace */
    const char *const bad[] = {in_dir("issue-csv=%s", "begun"), in_dir("punched-cards=%s", "never")};
    d.traces = bad;
    d.trace_count = 2;
    r = (struct gcnsim_result *)&d;
    assert_int_equal(gcnsim_launch(m, &d, &r, &error), GCNSIM_ERROR_USAGE);
    assert_null(r);
    assert_int_not_equal(access(in_dir("%s", "begun"), F_OK), 0);
    /* a trace in the place of an argument's file */
    const char *const clash[] = {in_dir("issue-csv=%s", "gone/../gone/out")};
    d.traces = clash;
    d.trace_count = 1;
    assert_int_equal(gcnsim_launch(m, &d, &r, &error), GCNSIM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "trace issue-csv: "));
    assert_non_null(strstr(error.text, "also written as argument 2"));
    /* the same checks with the caller's own files */
    d.trace_count = 0;
    struct gcnsim_file file = {in_dir("%s", "gone/out"), "--json", 1};
    assert_int_equal(gcnsim_check_files(m, &d, &file, 1, &error), GCNSIM_ERROR_USAGE);
    file.path = SAMPLES "saxpy.co";
    assert_int_equal(gcnsim_check_files(m, &d, &file, 1, &error), GCNSIM_ERROR_USAGE);
    file.written = 0;
    assert_int_equal(gcnsim_check_files(m, &d, &file, 1, &error), GCNSIM_OK);
    /* the folder of an output goes away during the run */
    assert_int_equal(rmdir(in_dir("%s", "gone")), 0);
    assert_int_equal(gcnsim_args_write_output(args, 0, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_write_output(args, 99, &error), GCNSIM_OK);
    assert_int_equal(gcnsim_args_write_output(args, 2, &error), GCNSIM_ERROR_IO);
    assert_non_null(strstr(error.text, "argument 2"));
    assert_int_equal(gcnsim_args_write_outputs(args, &error), GCNSIM_ERROR_IO);
    gcnsim_args_free(args);
    gcnsim_close(sim);
}

static void errors_add_up(void **state)
{
    struct err e = {0}, more = {0};

    (void)state;
    err_add(&e, &more);
    assert_int_equal(e.code, ERR_NONE);
    err_set(&more, ERR_IO, "one");
    err_add(&e, &more);
    err_add(&e, &more);
    assert_int_equal(e.code, ERR_IO);
    assert_string_equal(e.text, "one; one");
    memset(more.text, 'x', sizeof more.text - 1);
    err_add(&e, &more);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    assert_string_equal(e.text + sizeof e.text - 6, "x ...");
}

/* Another user's file in a sticky folder may be written, but not replaced. Only root can act as another user. */
static void another_users_file_in_a_sticky_folder(void **state)
{
    const char *folder = in_dir("%s", "sticky"), *file = in_dir("%s", "sticky/there");
    struct stat before, after;
    int status;

    (void)state;
    if (geteuid() != 0) {
        print_message("skipped: a sticky folder: needs root\n");
        skip();
    }
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(gcnsim_write_file(file, "old contents", 12, NULL), GCNSIM_OK);
    assert_int_equal(chmod(program_folder(), 0755) | chmod(folder, 01777) | chmod(file, 0666), 0);
    assert_int_equal(stat(file, &before), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child)
        _exit(setgid(65534) || setuid(65534) || gcnsim_write_file(file, "new", 3, NULL));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_string_equal(contents(file), "new");
    assert_int_equal(temporaries(), 0);
}

/* A folder that gives its group to new files does not give it to a file that is replaced. */
static void the_group_stays_in_a_setgid_folder(void **state)
{
    const char *folder = in_dir("%s", "setgid"), *file = in_dir("%s", "setgid/there");
    struct stat after;

    (void)state;
    if (geteuid() != 0) {
        print_message("skipped: a setgid folder: needs root\n");
        skip();
    }
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(gcnsim_write_file(file, "old", 3, NULL), GCNSIM_OK);
    assert_int_equal(chown(folder, (uid_t)-1, 65534), 0);
    assert_int_equal(chmod(folder, 02777), 0);
    assert_int_equal(gcnsim_write_file(file, "new", 3, NULL), GCNSIM_OK);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(after.st_gid, getegid());
    assert_string_equal(contents(file), "new");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_or_not_at_all),
        cmocka_unit_test(a_result_is_not_lost_with_a_trace),
        cmocka_unit_test(errors_add_up),
        cmocka_unit_test(another_users_file_in_a_sticky_folder),
        cmocka_unit_test(the_group_stays_in_a_setgid_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

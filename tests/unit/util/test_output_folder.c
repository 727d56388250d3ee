/* Folders written whole or not at all: what may be replaced, and what is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/util/output_folder.h"
#include "tests/support/folder.h"

#define MARK "mark.json"

static const char *in(const char *folder, const char *name)
{
    static char path[64][4096];
    static unsigned next;
    char whole[4096];

    snprintf(whole, sizeof whole, "%s/%s", folder, name); /* folder may be one of these itself */
    return memcpy(path[next++ % 64], whole, sizeof whole);
}

static void put(const char *folder, const char *name)
{
    FILE *f = fopen(in(folder, name), "w");

    assert_non_null(f);
    fclose(f);
}

static void there(const char *folder, const char *name, int is)
{
    assert_int_equal(access(in(folder, name), F_OK) == 0, is);
}

static void written_and_replaced(void **state)
{
    const char *top = in(program_folder(), "a"), *path = in(top, "deep/folder");
    struct output_folder o;
    struct err e = {0};

    (void)state;
    assert_int_equal(output_folder_check(path, MARK, &e), 0);
    assert_int_equal(output_folder_open(&o, path, MARK, &e), 0);
    put(o.temporary, MARK);
    put(o.temporary, "first");
    there(top, "deep/folder", 0);
    assert_int_equal(output_folder_close(&o, true, &e), 0);
    there(path, "first", 1);

    /* thrown away: the old one stays */
    assert_int_equal(output_folder_open(&o, path, MARK, &e), 0);
    put(o.temporary, "second");
    assert_int_equal(output_folder_close(&o, false, &e), 0);
    there(path, "first", 1);

    assert_int_equal(output_folder_open(&o, in(top, "deep/folder/"), MARK, &e), 0);
    put(o.temporary, MARK);
    put(o.temporary, "second");
    assert_int_equal(output_folder_close(&o, true, &e), 0);
    there(path, "second", 1);
    there(path, "first", 0);
    assert_int_equal(unlink(in(path, "second")) | unlink(in(path, MARK)) | rmdir(path), 0);
    assert_int_equal(rmdir(in(top, "deep")), 0); /* nothing else is left */
}

static void refused(void **state)
{
    const char *top = in(program_folder(), "b"), *path = in(top, "folder");
    struct output_folder o;
    struct err e = {0};

    (void)state;
    assert_int_equal(mkdir(top, 0777) | mkdir(path, 0777), 0);
    assert_int_not_equal(output_folder_check(path, MARK, &e), 0);
    assert_non_null(strstr(e.text, "gcnsim has not written"));
    err_clear(&e);
    put(path, MARK);
    assert_int_equal(output_folder_check(path, MARK, &e), 0);
    assert_int_equal(mkdir(in(path, "more"), 0777), 0);
    assert_int_not_equal(output_folder_open(&o, path, MARK, &e), 0);
    assert_non_null(strstr(e.text, "folders have been put into it"));
    err_clear(&e);
    put(top, "file");
    assert_int_not_equal(output_folder_check(in(top, "file"), MARK, &e), 0);
    assert_non_null(strstr(e.text, "is no folder"));
    err_clear(&e);
    assert_int_not_equal(output_folder_open(&o, in(top, "file/x"), MARK, &e), 0);
    assert_int_equal(e.code, ERR_IO);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_replaced),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

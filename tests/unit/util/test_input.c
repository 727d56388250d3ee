/* Pipes as input: a writer that is there, one that comes late, one that never comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/util/input.h"
#include "tests/support/folder.h"

static const char text[] = "what the writer wrote";
static char path[4200];
static unsigned naps, comes_in; /* the nap in which a writer opens the pipe; 0: none does */

/* In place of the C library's, so that no time goes by: things happen in the reader's naps. */
int nanosleep(const struct timespec *t, struct timespec *left)
{
    (void)t;
    (void)left;
    if (++naps == comes_in) {
        int fd = open(path, O_WRONLY);

        assert_int_equal(write(fd, text, sizeof text), sizeof text);
        close(fd);
    }
    return 0;
}

static int read_pipe(struct err *e)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    int rc = input_read(path, 1 << 20, &bytes, &size, e);

    if (!rc) {
        assert_int_equal(size, sizeof text);
        assert_memory_equal(bytes, text, sizeof text);
    }
    free(bytes);
    return rc;
}

static int make_pipe(void **state)
{
    (void)state;
    naps = comes_in = 0;
    snprintf(path, sizeof path, "%s/pipe", program_folder());
    unlink(path);
    return mkfifo(path, 0600);
}

static void a_writer_that_has_written(void **state)
{
    struct err e = {0};
    int own = open(path, O_RDWR), fd;

    (void)state;
    fd = open(path, O_WRONLY);
    assert_int_equal(write(fd, text, sizeof text), sizeof text);
    close(fd);
    /* the end is seen when nobody may write any more, and the pipe must be open until the reader has it open */
    uint8_t *bytes = NULL;
    size_t size = 0;
    FILE *f = input_open(path, &size, &e);
    assert_non_null(f);
    close(own);
    bytes = calloc(1, 100);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, 100, f), sizeof text);
    assert_memory_equal(bytes, text, sizeof text);
    free(bytes);
    fclose(f);
    assert_int_equal(naps, 0);
}

static void a_writer_that_comes_late(void **state)
{
    struct err e = {0};

    (void)state;
    comes_in = INPUT_PATIENCE_MS / 10 - 1; /* the last one after which it is looked for */
    assert_int_equal(read_pipe(&e), 0);
    assert_int_equal(naps, comes_in);
}

static void nobody_who_writes(void **state)
{
    struct err e = {0};

    (void)state;
    assert_int_equal(read_pipe(&e), -1);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "a pipe that nobody writes to"));
    assert_int_equal(naps, INPUT_PATIENCE_MS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_writer_that_has_written, make_pipe),
        cmocka_unit_test_setup(a_writer_that_comes_late, make_pipe),
        cmocka_unit_test_setup(nobody_who_writes, make_pipe),
    };

    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}

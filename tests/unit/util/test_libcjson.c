/* cJSON loaded when JSON is first read, while requests to the host fail: an error, and the next text is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/util/json_text.h"
#include "tests/support/fail_nth.h"

static const char text[] = "{\"a\": [1, \"two\", {\"b\": null}], \"c\": 4}";

enum { READ = 10, NOT_LOADED, NO_MEMORY, WRONG };

/* In a process that has not loaded it yet: request n fails. How it ends; *last: there was no such request. */
static int first_text(long n, bool *last)
{
    struct err e = {0}, second = {0};
    int end;

    fail_arm(n, false);
    const struct json *v = json_text_read(text, sizeof text - 1, "f", 8, &e);
    fail_disarm();
    *last = fail_count() == 0;
    end = v                                                                     ? READ
          : e.code == ERR_NOMEM && strcmp(e.text, "f: out of host memory") == 0 ? NO_MEMORY
          : e.code == ERR_IO && strstr(e.text, "f: JSON is read by libcjson")   ? NOT_LOADED
                                                                                : WRONG;
    json_free(v);
    v = json_text_read(text, sizeof text - 1, "f", 8, &second);
    if (!v || json_number(json_get(v, "c")) != 4)
        end = WRONG;
    json_free(v);
    return end;
}

static void each_request_fails(void **state)
{
    bool last = false;
    unsigned seen[WRONG + 1] = {0};

    (void)state;
#ifdef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
    print_message("skipped: requests do not fail in a sanitized program\n");
    skip();
#endif
    for (long n = 0; !last; n++) {
        pid_t pid = fork();
        int status;

        assert_true(pid >= 0);
        if (pid == 0) {
            int end = first_text(n, &last);
            _exit(end | (last ? 0x40 : 0));
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFEXITED(status) || (WEXITSTATUS(status) & 0x3f) < READ || (WEXITSTATUS(status) & 0x3f) >= WRONG)
            fail_msg("request %ld: status 0x%x", n, status);
        last = WEXITSTATUS(status) & 0x40;
        seen[WEXITSTATUS(status) & 0x3f]++;
    }
    assert_true(seen[READ] >= 1 && seen[NOT_LOADED] >= 1 && seen[NO_MEMORY] >= 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

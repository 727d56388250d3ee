/* Pages for browsers, as tests look at them: their data, their scripts, and what a browser shows. Header-only. */
#ifndef TESTS_SYSTEM_PAGE_RUN_H
#define TESTS_SYSTEM_PAGE_RUN_H

#include "tests/support/json.h"

#include "tests/system/cli_run.h"

static const char data_begins[] = "<script type=\"application/json\" id=\"data\">\n", data_ends[] = "</script>";

/* The data of a page; fails when there is none, or it is no JSON, or names in it could end it. */
static inline const struct json *data_of(const char *page)
{
    const char *at = strstr(page, data_begins);

    assert_non_null(at);
    at += sizeof data_begins - 1;
    const char *end = strstr(at, data_ends);
    assert_non_null(end);
    assert_null(memchr(at, '<', (size_t)(end - at)));
    const struct json *data = json_parse_bytes(at, (size_t)(end - at));
    assert_non_null(data);
    return data;
}

static inline bool missing(const char *program)
{
    const char *const ask[] = {program, "--version", NULL};
    int status = spawn_tool(ask, cli_path("version"));

    if (status == 0)
        return false;
    print_message("skipped: no %s\n", program);
    return true;
}

/* FOLDER/NAME.js each, by node. */
static inline void scripts_are_right(const char *folder, const char *const *scripts, size_t count)
{
    if (missing("node"))
        skip();
    for (size_t k = 0; k < count; k++) {
        char path[CLI_PATH];
        snprintf(path, sizeof path, "%s/%s.js", folder, scripts[k]);
        const char *const check[] = {"node", "--check", path, NULL};
        assert_int_equal(spawn_tool(check, cli_path("node.log")), 0);
    }
}

/* tests/html/SCRIPT, which drives a browser; skipped where there is none. */
static inline void browser_agrees(const char *script)
{
    size_t bytes;

    if (missing("python3") || missing("chromedriver"))
        skip();
    const char *const check[] = {"python3", script, cli_tool(), cli_dir, NULL};
    int status = spawn_tool(check, cli_path("browser.log"));
    char *log = read_whole(cli_path("browser.log"), &bytes);
    print_message("%s", log ? log : "");
    free(log);
    if (status == 77)
        skip();
    assert_int_equal(status, 0);
}

#endif

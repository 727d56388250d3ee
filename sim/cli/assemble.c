/* Assembling and compiling with clang: a program of its own, in a folder of its own. */
#define _GNU_SOURCE
#include "sim/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATH_BYTES = 4096, SHOWN_ERRORS = 5 };

/* A folder with the object, the assembler's messages and a wrapped sequence. */
struct work {
    char dir[PATH_BYTES], object[PATH_BYTES + 16], messages[PATH_BYTES + 16], text[PATH_BYTES + 16];
};

static int work_open(struct work *w)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(w->dir, sizeof w->dir, "%s/gcnsim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (strlen(w->dir) + 1 >= sizeof w->dir || !mkdtemp(w->dir))
        return cli_error("%s: no folder for the assembler: %s", w->dir, strerror(errno));
    snprintf(w->object, sizeof w->object, "%s/object", w->dir);
    snprintf(w->messages, sizeof w->messages, "%s/messages", w->dir);
    snprintf(w->text, sizeof w->text, "%s/wrapped.s", w->dir);
    return CLI_OK;
}

static void work_close(const struct work *w)
{
    unlink(w->object);
    unlink(w->messages);
    unlink(w->text);
    rmdir(w->dir);
}

/* Runs the assembler for a file; its exit status, or -1 with a message when it cannot be run. */
static int run(const char *const argv[], const char *path, const char *messages)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;

    if (posix_spawn_file_actions_init(&actions) != 0) {
        cli_error("out of memory");
        return -1;
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int rc = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (rc != 0) {
        cli_error("%s: %s; it is needed to assemble %s (Debian: apt install clang-19 lld-19)", argv[0], strerror(rc),
                  path);
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) {
            cli_error("%s: %s", argv[0], strerror(errno));
            return -1;
        }
    if (WIFSIGNALED(status)) {
        cli_error("%s: ended by signal %d", argv[0], WTERMSIG(status));
        return -1;
    }
    return WEXITSTATUS(status);
}

/* "file:3:5: error: what" lines, with "gcnsim: " before them; those of the linker name no file. A message of clang
 * itself comes after such a line, or is all there is: it does not know the target. */
static void say_errors(const char *path, char *messages)
{
    unsigned shown = 0, more = 0;
    const char *driver = NULL;
    char *save = NULL;

    for (char *line = strtok_r(messages, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const char *error = strstr(line, "error: ");
        if (error && strncmp(line, "clang", 5) == 0 && !driver)
            driver = line;
        if (!error || strncmp(line, "clang", 5) == 0)
            continue;
        if (++shown > SHOWN_ERRORS)
            more++;
        else if (strncmp(line, "ld.lld", 6) == 0 || error == line)
            cli_error("%s: %s", path, error);
        else
            cli_error("%s", line);
    }
    if (more)
        cli_error("%s: %u more error%s", path, more, more == 1 ? "" : "s");
    if (!shown && driver)
        cli_error("%s: not assembled: %s (--clang names another assembler)", path, driver);
    else if (!shown)
        cli_error("%s: not assembled", path);
}

/* clang's command line; mcpu and from are room for two of its words. */
static void command_line(const struct work *w, const struct cli_assembler *a, const char *path, const char *source,
                         char mcpu[80], char from[PATH_BYTES + 16], const char *argv[24])
{
    const char *ending = strrchr(path, '.');
    int n = 0;

    snprintf(mcpu, 80, "-mcpu=%s", a->target ? a->target : "");
    snprintf(from, PATH_BYTES + 16, "%s%s", source[0] == '-' ? "./" : "", source);
    argv[n++] = a->clang;
    argv[n++] = "-target";
    argv[n++] = a->triple ? a->triple : "amdgcn-amd-amdhsa";
    if (a->target && *a->target)
        argv[n++] = mcpu;
    if (a->wave)
        argv[n++] = a->wave == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64";
    argv[n++] = "-nogpulib";
    if (a->text) {
        argv[n++] = "-S";
        argv[n++] = "-emit-llvm";
    } else if (!a->link) {
        argv[n++] = "-c";
    }
    if (a->language) { /* code is made of what stands there: it has been optimised, or is meant as it is */
        argv[n++] = "-O3";
        argv[n++] = "-Xclang";
        argv[n++] = "-disable-llvm-passes";
        argv[n++] = "-Wno-override-module";
    }
    argv[n++] = "-x";
    argv[n++] = a->language ? a->language : ending && strcmp(ending, ".S") == 0 ? "assembler-with-cpp" : "assembler";
    argv[n++] = from;
    argv[n++] = "-o";
    argv[n++] = w->object;
    argv[n] = NULL;
}

/* The file as a string, to be freed; null: it cannot be read. */
static char *read_messages(const struct work *w)
{
    size_t size = 0;
    uint8_t *messages = cli_read_file(w->messages, &size);
    char *text = messages ? realloc(messages, size + 1) : NULL;

    if (text)
        text[size] = 0;
    else
        free(messages);
    return text;
}

/* source: what the assembler reads; path: what messages are about. */
static int assemble(const struct work *w, const struct cli_assembler *a, const char *path, const char *source,
                    uint8_t **bytes, size_t *size)
{
    char mcpu[80], from[PATH_BYTES + 16];
    const char *argv[24];

    if (strlen(source) > PATH_BYTES)
        return cli_error("%s: %s", path, strerror(ENAMETOOLONG));
    command_line(w, a, path, source, mcpu, from, argv);
    int status = run(argv, path, w->messages);
    if (status < 0)
        return CLI_BAD_INPUT;
    if (status == 0) {
        *bytes = cli_read_file(w->object, size);
        return *bytes ? CLI_OK : CLI_BAD_INPUT;
    }
    char *text = read_messages(w);
    if (text)
        say_errors(path, text);
    free(text);
    return CLI_BAD_INPUT;
}

int cli_assembler_version(const struct cli_assembler *a, const char *path, char *version, size_t room)
{
    const char *const argv[] = {a->clang, "--version", NULL};
    struct work w;

    if (work_open(&w) != CLI_OK)
        return CLI_BAD_INPUT;
    int status = run(argv, path, w.messages);
    char *text = status < 0 ? NULL : read_messages(&w);
    if (text)
        snprintf(version, room, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
    work_close(&w);
    return text ? CLI_OK : CLI_BAD_INPUT;
}

int cli_assemble_file(const struct cli_assembler *a, const char *path, uint8_t **bytes, size_t *size)
{
    struct work w;

    if (work_open(&w) != CLI_OK)
        return CLI_BAD_INPUT;
    int status = assemble(&w, a, path, path, bytes, size);
    work_close(&w);
    return status;
}

int cli_assemble_text(const struct cli_assembler *a, const char *name, const char *text, uint8_t **bytes, size_t *size)
{
    struct work w;
    int status;

    if (work_open(&w) != CLI_OK)
        return CLI_BAD_INPUT;
    FILE *f = fopen(w.text, "w");
    bool good = f && fputs(text, f) >= 0;
    if (f)
        good = fclose(f) == 0 && good;
    if (!good)
        status = cli_error("%s: %s", w.text, strerror(errno));
    else
        status = assemble(&w, a, name, w.text, bytes, size);
    work_close(&w);
    return status;
}

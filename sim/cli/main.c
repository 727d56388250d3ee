/* Which command. */
#include "sim/cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A standard descriptor that is closed would be given to the next file that is opened, and reports would go into that.
 * Its replacement can neither be read nor written; a program that this one becomes (close_on_exec) finds it closed
 * as it was. */
static void fill_standard_descriptors(int close_on_exec)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | close_on_exec) < 0)
            _exit(CLI_NOT_WRITTEN);
}

/* "run, exec, info or arch" of the commands that are for users. */
static void spell_commands(char *text, size_t size)
{
    const struct cli_command *last = NULL;

    *text = 0;
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        last = (*c)->hidden ? last : *c;
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        if (!(*c)->hidden)
            snprintf(text + strlen(text), size - strlen(text), "%s%s",
                     c == cli_commands ? ""
                     : *c == last      ? " or "
                                       : ", ",
                     (*c)->name);
}

static int no_such_command(const char *word)
{
    enum { MAX_COMMANDS = 64 };
    const char *names[MAX_COMMANDS];
    char all[400];
    size_t n = 0;

    for (const struct cli_command *const *c = cli_commands; *c && n < MAX_COMMANDS; c++)
        if (!(*c)->hidden)
            names[n++] = (*c)->name;
    const char *near = cli_nearest(word, names, n);
    if (near)
        return cli_usage(NULL, "'%s' is not a command; did you mean '%s'?", word, near);
    spell_commands(all, sizeof all);
    return cli_usage(NULL, "'%s' is not a command; expected %s", word, all);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    char all[400];

    fill_standard_descriptors(word && strcmp(word, "exec") == 0 ? O_CLOEXEC : 0);
    if (!word) {
        spell_commands(all, sizeof all);
        return cli_usage(NULL, "no command given; expected %s", all);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_print_help(stdout, &cli_program);
        return cli_flush();
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        cli_printf("gcnsim %s\n", gcnsim_version());
        return cli_flush();
    }
    const struct cli_command *c = cli_command_named(word);
    return c ? c->run(argc - 1, argv + 1) : no_such_command(word);
}

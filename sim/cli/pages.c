/* gcnsim pages: writes the man pages and the completion scripts into a folder, for the build. Hidden. */
#include "sim/cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void man_page(FILE *f, const void *command)
{
    cli_print_man(f, command);
}

static void script(FILE *f, const void *shell)
{
    if (strcmp(shell, "bash") == 0)
        cli_print_bash(f);
    else if (strcmp(shell, "zsh") == 0)
        cli_print_zsh(f);
    else
        cli_print_fish(f);
}

/* FOLDER/NAME, which `print` fills. */
static int page(const char *folder, const char *name, void (*print)(FILE *f, const void *of), const void *of)
{
    struct gcnsim_error error = {0};
    char path[4096], *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    int status = CLI_OK;

    if (!f)
        return cli_error("out of memory");
    print(f, of);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (fclose(f) != 0)
        status = cli_error("out of memory");
    else if (gcnsim_write_file(path, text, size, &error) != GCNSIM_OK)
        status = cli_library_error(&error);
    free(text);
    return status;
}

int cli_pages(int argc, char **argv)
{
    static const char *const scripts[][2] = {{"bash", "gcnsim"}, {"zsh", "_gcnsim"}, {"fish", "gcnsim.fish"}};
    int status = argc == 2 ? CLI_OK : cli_usage("pages", "expected a folder");
    char name[80];

    if (status == CLI_OK)
        status = page(argv[1], "gcnsim.1", man_page, &cli_program);
    for (const struct cli_command *const *c = cli_commands; *c && status == CLI_OK; c++)
        if (!(*c)->hidden) {
            snprintf(name, sizeof name, "gcnsim-%s.1", (*c)->name);
            status = page(argv[1], name, man_page, *c);
        }
    for (size_t k = 0; k < sizeof scripts / sizeof *scripts && status == CLI_OK; k++)
        status = page(argv[1], scripts[k][1], script, scripts[k][0]);
    return status;
}

const struct cli_command cli_command_pages = {
    .name = "pages",
    .summary = "writes man pages and completion scripts",
    .usage = "pages FOLDER",
    .about = "For the build: one file for each man page and shell.",
    .options = cli_no_options,
    .run = cli_pages,
    .hidden = true,
};

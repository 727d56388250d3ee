/* Which command, and the two global options. */
#include "sim/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char help[] = "gcnsim: runs amdgcn kernels without a GPU and says where the cycles went\n"
                           "\n"
                           "usage:\n"
                           "  gcnsim run FILE --kernel NAME --grid X[,Y[,Z]] --workgroup X[,Y[,Z]]\n"
                           "             [--arg SPEC]... [--dynamic-lds BYTES] [options]\n"
                           "  gcnsim run LAUNCH.json [options]\n"
                           "  gcnsim disasm FILE [--kernel NAME]\n"
                           "  gcnsim disasm --target NAME --hex 'WORD...' | --raw FILE\n"
                           "  gcnsim info FILE [--json]\n"
                           "  gcnsim arch list | show NAME [PATTERN...] [--json]\n"
                           "  gcnsim isa list --target NAME | show MNEMONIC [--arch PROFILE] [--json]\n"
                           "  gcnsim exec [--arch PROFILE[,...]] [options] [--] PROGRAM [ARG...]\n"
                           "  gcnsim compare --arch PROFILE FILE.s|FILE.co...\n"
                           "  gcnsim COMMAND --help\n"
                           "  gcnsim --version\n"
                           "\n"
                           "exit status: 0 success; 1 the simulated program faulted or did not reach its\n"
                           "end; 2 bad input or usage, or too little memory; 3 something could not be\n"
                           "written\n";

/* A standard descriptor that is closed would be given to the next file that is opened, and reports would go into that.
 * What takes its place can neither be read nor written; a program that this one becomes (close_on_exec) finds it closed
 * as it was. */
static void fill_standard_descriptors(int close_on_exec)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | close_on_exec) < 0)
            _exit(CLI_NOT_WRITTEN);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"run", cli_run}, {"disasm", cli_disasm},   {"info", cli_info}, {"arch", cli_arch},
                    {"isa", cli_isa}, {"compare", cli_compare}, {"exec", cli_exec}};

    fill_standard_descriptors(argc > 1 && strcmp(argv[1], "exec") == 0 ? O_CLOEXEC : 0);
    if (argc < 2)
        return cli_usage(NULL, "no command given; expected run, exec, disasm, info, arch, isa or compare");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        fputs(help, stdout);
        return cli_flush();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("gcnsim %s\n", gcnsim_version());
        return cli_flush();
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return cli_usage(NULL, "'%s' is not a command; expected run, exec, disasm, info, arch, isa or compare", argv[1]);
}

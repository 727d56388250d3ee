/* gcnsim exec: options, and the environment in which the program finds them and the library. */
#define _GNU_SOURCE
#include "sim/cli/exec.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/options.h"
#include "sim/options/exec.h"

/* ---- profiles ---- */

static bool is_path(const char *profile)
{
    size_t n = strlen(profile);

    return strchr(profile, '/') || (n > 5 && !strcmp(profile + n - 5, ".json"));
}

/* One profile with the values that --set gives it; *out is what GCNSIM_ARCH holds of it. */
static int profile(const struct exec_options *o, const char *name, FILE *out)
{
    struct gcnsim_error error = {0};
    char *text = NULL, *real;
    struct stat st;

    if (gcnsim_profile_show(name, o->common.sets.items, o->common.sets.count, GCNSIM_TEXT, &text, &error) != GCNSIM_OK)
        return cli_library_error(&error);
    gcnsim_free(text);
    if (!is_path(name)) {
        fputs(name, out);
        return CLI_OK;
    }
    real = realpath(name, NULL);
    if (!real || stat(real, &st) != 0 || !S_ISREG(st.st_mode)) {
        free(real);
        return cli_error("exec: --arch %s: expected a file that the program can read again", name);
    }
    int status = strchr(real, ',')
                     ? cli_error("exec: --arch %s: a comma ends a profile's path; expected %s without it", name, real)
                     : CLI_OK;
    fputs(real, out);
    free(real);
    return status;
}

static int profiles(const struct exec_options *o)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int status = out ? CLI_OK : exec_no_memory();

    for (size_t k = 0; k < o->profiles.count && !status; k++) {
        if (k)
            fputc(',', out);
        status = profile(o, o->profiles.items[k], out);
    }
    if (out && fclose(out) != 0 && !status)
        status = exec_no_memory();
    if (!status)
        status = exec_put("GCNSIM_ARCH", text);
    free(text);
    return status;
}

/* Options have to fit one another and what the environment holds already. words: of the command line. */
static int check(const struct exec_options *words)
{
    struct exec_options all;
    char why[600];
    int status = exec_put_lines("GCNSIM_SET", &words->common.sets);

    exec_options_init(&all);
    if (!status && (!option_read_environment(exec_options_table, &all, why, sizeof why) ||
                    !exec_options_fit(&all, true, why, sizeof why)))
        status = cli_usage("exec", "%s", why);
    if (!status)
        status = cli_options_beside(&cli_command_exec, words, &all);
    if (!status && !exec_default_profile(&all, why, sizeof why))
        status = exec_no_memory();
    if (!status)
        status = profiles(&all);
    option_free(exec_options_table, &all);
    return status;
}

const struct cli_command cli_command_exec = {
    .name = "exec",
    .summary = "runs a HIP, OpenMP or HSA program on simulated GPUs",
    .usage = "exec [OPTION]... [--] PROGRAM [ARG...]\n"
             "exec --info [--arch PROFILE[,PROFILE...]]",
    .about = "Runs a program of HIP, OpenMP or HSA as it is, with simulated GPUs in the place of real ones. No GPU, "
             "driver or ROCm installation is needed beside the libraries that the program itself asks for. Input, "
             "output, signals and exit status are the program's.",
    .options = exec_options_table,
    .given = exec_hand_on,
    .sections =
        {{"environment",
          "Each option sets a variable of its name, --max-wall 60 GCNSIM_MAX_WALL=60 and --check GCNSIM_CHECK=1 "
          "(--no-summary: GCNSIM_SUMMARY=0), which the library reads also where something else starts the "
          "program: docs/ROCM.md."},
         {"exit status", "the program's; 2, with a message, when it cannot be started, and when it ends with 0 without "
                         "a dispatch that "
                         "--explain or --of names"}},
    .run = cli_exec,
    .operands = COMPLETE_PROGRAMS,
    .stops = true,
};

/* ---- the program ---- */

/* entry before or after what the variable holds. Libraries of sanitizers have to come first, so what is preloaded
 * already stays there. */
static int join(const char *name, const char *entry, bool in_front)
{
    const char *old = getenv(name);
    char *text = NULL;

    if (!old || !*old)
        return exec_put(name, entry);
    if (asprintf(&text, "%s:%s", in_front ? entry : old, in_front ? old : entry) < 0)
        return exec_no_memory();
    int status = exec_put(name, text);
    free(text);
    return status;
}

static int become(const char *folder, const char *path, char **argv)
{
    char libraries[2 * EXEC_PATH + 64], files[EXEC_PATH + 32], number[32];
    int status;

    /* by which the library knows the program among what that starts */
    snprintf(number, sizeof number, "%ld", (long)getpid());
    /* by its path for programs with a runtime of their own in their search path, by its name for dlopen(); and what
     * leads programs to the simulated GPUs' files, where the folder has it */
    snprintf(files, sizeof files, "%s/libgcnsim-sysfs.so", folder);
    bool has_files = access(files, R_OK) == 0;
    snprintf(libraries, sizeof libraries, "%s%s%s/libhsa-runtime64.so.1", has_files ? files : "", has_files ? ":" : "",
             folder);
    status = join("LD_PRELOAD", libraries, false);
    if (!status)
        status = join("LD_LIBRARY_PATH", folder, true);
    if (!status)
        status = exec_put("GCNSIM_EXEC", number);
    if (status)
        return status;
    /* The same addresses from run to run, by which lines and requests find their sets and channels: else each run would
     * take other cycles. Where it is not allowed, it does. */
    int persona = personality(0xffffffff);
    if (persona != -1)
        personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
    execv(path, argv);
    return cli_error("exec: %s: %s", path, strerror(errno));
}

static int run(struct exec_options *o, int argc, char **argv)
{
    char folder[EXEC_PATH], path[EXEC_PATH];
    bool done = false;
    int status = cli_options_read(&cli_command_exec, argc, argv, o, &done);

    if (done)
        return status;
    if (o->info && optind < argc)
        return cli_usage("exec", "--info runs no program; expected nothing behind its options, not %s", argv[optind]);
    if (!o->info && optind == argc)
        return cli_usage("exec", "no program given; expected gcnsim exec [options] PROGRAM [ARG...]");
    status = check(o);
    if (!status && !o->info)
        status = exec_program(argv[optind], path);
    if (!status)
        status = exec_library(folder);
    if (status)
        return status;
    return o->info ? exec_info(folder) : become(folder, path, argv + optind);
}

int cli_exec(int argc, char **argv)
{
    struct exec_options o;

    exec_options_init(&o);
    int status = run(&o, argc, argv);
    cli_options_free(&cli_command_exec, &o);
    return status;
}

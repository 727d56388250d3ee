/* gcnsim words: what completion offers for a value that the table of options knows by its kind alone. Hidden; a line
 * holds a word, and after a tab what it is.
 */
#include "sim/cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void put_word(const char *word, const char *about)
{
    cli_put_name(word, 0);
    if (about && *about) {
        putchar('\t');
        cli_put_name(about, 0);
    }
    putchar('\n');
}

static void profiles(void)
{
    struct gcnsim_profile_info info;

    for (uint32_t k = 0; gcnsim_profile_list(k, &info) == GCNSIM_OK; k++) {
        if (info.is_default)
            put_word(info.target, info.name);
        put_word(info.name, info.chip);
    }
}

static void targets(void)
{
    const char *name;

    for (uint32_t k = 0; (name = gcnsim_target_name(k)); k++)
        put_word(name, NULL);
}

/* For all code objects in the first file among the words of a command line. */
static void kernels(char **words, int count)
{
    struct gcnsim_code_source source;
    struct gcnsim_kernel_info info;
    struct gcnsim_code_list *list;
    struct gcnsim_code_entry entry;
    struct gcnsim_code *code;
    struct stat st;

    gcnsim_code_source_init(&source);
    for (int k = 0; k < count; k++) {
        source.path = words[k];
        if (stat(words[k], &st) != 0 || !S_ISREG(st.st_mode) ||
            gcnsim_code_list_open(&list, &source, NULL) != GCNSIM_OK)
            continue;
        for (uint32_t n = 0; gcnsim_code_list_entry(list, n, &entry) == GCNSIM_OK; n++) {
            if (gcnsim_code_list_code(list, n, &code, NULL) != GCNSIM_OK)
                continue;
            for (uint32_t i = 0; gcnsim_code_kernel(code, i, &info) == GCNSIM_OK; i++)
                put_word(info.name, NULL);
            gcnsim_code_close(code);
        }
        gcnsim_code_list_close(list);
        return;
    }
}

/* "PATH=" of the figures of the first profile among the words, or of any one. */
static void figures(char **words, int count)
{
    struct gcnsim_profile_info info;
    char *text = NULL;
    int k = 0;

    while (k < count && gcnsim_profile_find(words[k], &info, NULL) != GCNSIM_OK)
        k++;
    if (gcnsim_profile_show(k < count ? words[k] : "gfx90a", NULL, 0, GCNSIM_TEXT, &text, NULL) != GCNSIM_OK)
        return;
    /* "cu.simds  2 SIMDs  [documented: ...]  SIMDs of one compute unit" */
    for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        size_t path = strcspn(line, " ");
        const char *meaning = strstr(line, "]  ");

        if (line[0] == '#' || path == strlen(line) || !memchr(line, '.', path))
            continue;
        line[path] = 0;
        cli_printf("%s=%s%s\n", line, meaning ? "\t" : "", meaning ? meaning + 3 : "");
    }
    gcnsim_free(text);
}

static void traces(void)
{
    const char *format, *about;

    for (size_t k = 0; (format = gcnsim_trace_format(k, &about)); k++)
        cli_printf("%s=\t%s\n", format, about);
}

static void sections(void)
{
    const char *name, *about;

    for (size_t k = 0; (name = gcnsim_report_section(k, &about)); k++)
        put_word(name, about);
}

static void instructions_of(const char *target, const char *start)
{
    struct gcnsim_isa_entry e;
    struct gcnsim_disasm *d;

    if (gcnsim_disasm_open(&d, target, NULL) != GCNSIM_OK)
        return;
    for (uint32_t n = 0; gcnsim_isa_entry(d, n, &e) == GCNSIM_OK; n++)
        if (strncmp(e.mnemonic, start, strlen(start)) == 0)
            put_word(e.mnemonic, NULL);
    gcnsim_disasm_close(d);
}

/* Those that begin with the first word, of a GCN, a CDNA and two RDNA targets. */
static void instructions(const char *start)
{
    static const char *const of[] = {"gfx90a", "gfx950", "gfx1030", "gfx1201"};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        instructions_of(of[k], start);
}

int cli_words(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";

    if (strcmp(kind, "profiles") == 0)
        profiles();
    else if (strcmp(kind, "targets") == 0)
        targets();
    else if (strcmp(kind, "kernels") == 0)
        kernels(argv + 2, argc - 2);
    else if (strcmp(kind, "figures") == 0)
        figures(argv + 2, argc - 2);
    else if (strcmp(kind, "traces") == 0)
        traces();
    else if (strcmp(kind, "sections") == 0)
        sections();
    else if (strcmp(kind, "instructions") == 0)
        instructions(argc > 2 ? argv[2] : "");
    else
        return cli_error("words %s: no such kind", kind);
    return cli_flush();
}

const struct cli_command cli_command_words = {
    .name = "words",
    .summary = "prints words for completion",
    .usage = "words KIND [WORD]...",
    .about = "For the scripts of gcnsim completion.",
    .options = cli_no_options,
    .run = cli_words,
    .hidden = true,
};

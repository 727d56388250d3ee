/* Completion scripts out of the table of options: gcnsim completion bash|zsh|fish. The scripts ask gcnsim words for
 * what the table does not list, when the user asks for it.
 */
#include "sim/cli/options.h"

#include <ctype.h>
#include <getopt.h>
#include <string.h>

#define SPECS "buf: in: out: inout: i8: u8: i16: u16: i32: u32: i64: u64: f16: f32: f64: bytes:"

/* ---- what all three need ---- */

/* What an option does, in a few words: its help up to the first comma, semicolon, colon, bracket or line end. */
static size_t about_bytes(const char *help)
{
    return strcspn(help, ";:(\n") - (strcspn(help, ";:(\n") && help[strcspn(help, ";:(\n")] == '(');
}

/* The words of "timing|functional", with something between them. */
static void put_words(FILE *f, const char *words, char between)
{
    for (; *words; words++)
        putc(*words == '|' ? between : *words, f);
}

#define EACH_COMMAND(c)                                                                                                \
    for (const struct cli_command *const *c = cli_commands; *c; c++)                                                   \
        if (!(*c)->hidden)

/* ---- bash ---- */

static const char bash_start[] =
    "# bash completion of gcnsim, made by 'gcnsim completion bash' from its table of options\n"
    "\n"
    "# Words of a list, of which each may have what it is behind a tab.\n"
    "_gcnsim_list() {\n"
    "    local IFS=$'\\n'\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "}\n"
    "_gcnsim_ask() {\n"
    "    _gcnsim_list \"$(\"${COMP_WORDS[0]/#\\~/$HOME}\" words \"$@\" 2>/dev/null | cut -f 1)\"\n"
    "}\n"
    "_gcnsim_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n"
    "}\n"
    "# A value of one of the kinds of the table; $2: what the word holds in front of it.\n"
    "_gcnsim_value() {\n"
    "    case $1 in\n"
    "    files) _gcnsim_files -f ;;\n"
    "    folders) _gcnsim_files -d ;;\n"
    "    profiles)\n"
    "        _gcnsim_files -f\n"
    "        local found=(\"${COMPREPLY[@]}\")\n"
    "        _gcnsim_ask profiles\n"
    "        COMPREPLY+=(\"${found[@]}\") ;;\n"
    "    profile-lists|sections)\n"
    "        local whole=$cur\n"
    "        cur=${cur##*,}\n"
    "        _gcnsim_ask \"${1/profile-lists/profiles}\"\n"
    "        [[ $whole != *,* ]] || COMPREPLY=(\"${COMPREPLY[@]/#/${whole%,*},}\") ;;\n"
    "    kernels) _gcnsim_ask kernels \"${COMP_WORDS[@]:2}\" ;;\n"
    "    figures) compopt -o nospace 2>/dev/null\n"
    "        _gcnsim_ask figures \"${COMP_WORDS[@]:2}\"\n"
    "        _gcnsim_group ;;\n"
    "    traces) compopt -o nospace 2>/dev/null; _gcnsim_ask traces ;;\n"
    "    specs) compopt -o nospace 2>/dev/null; _gcnsim_list $'" /* the SPECs follow */;

static const char bash_values[] =
    "' ;;\n"
    "    instructions) _gcnsim_ask instructions \"$cur\" ;;\n"
    "    topics) _gcnsim_list \"$commands\"$'\\n'\"$all_options\" ;;\n"
    "    *) _gcnsim_ask \"$1\" ;;\n"
    "    esac\n"
    "}\n"
    "# Of more than a screen of paths, the groups (cache.l2.).\n"
    "_gcnsim_group() {\n"
    "    [ ${#COMPREPLY[@]} -gt 60 ] || return 0\n"
    "    local path rest\n"
    "    local -A groups=()\n"
    "    for path in \"${COMPREPLY[@]}\"; do\n"
    "        rest=${path#\"$cur\"}\n"
    "        groups[$cur${rest%%.*}$([[ $rest = *.* ]] && echo .)]=1\n"
    "    done\n"
    "    COMPREPLY=(\"${!groups[@]}\")\n"
    "}\n"
    "\n"
    "_gcnsim() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "    local commands options valued kind words all_options verbs operands stops i first=0\n"
    "    COMPREPLY=()\n";

/* --option=value, FORMAT=FILE and in:PATH are several words to bash. */
static const char bash_end[] =
    "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
    "        _gcnsim_list \"$commands\"$'\\n--help\\n--version'\n"
    "        return\n"
    "    fi\n"
    "    # the first operand, whose place is `first`\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in\n"
    "        --) first=$((i + 1)); break ;;\n"
    "        -*) [[ $'\\n'$valued$'\\n' != *$'\\n'\"${COMP_WORDS[i]}\"$'\\n'* ]] || ((i++))\n"
    "            [[ ${COMP_WORDS[i]} != = ]] || ((i++)) ;;\n"
    "        =) ((i++)) ;;\n"
    "        *) first=$i; break ;;\n"
    "        esac\n"
    "    done\n"
    "    if [ -n \"$stops\" ] && [ \"$first\" -gt 0 ]; then\n"
    "        if declare -F _command_offset >/dev/null; then\n"
    "            _command_offset \"$first\"\n"
    "        else\n"
    "            _gcnsim_files -f\n"
    "        fi\n"
    "        return\n"
    "    fi\n"
    "    # the option whose value this is\n"
    "    local option=$prev\n"
    "    case $cur in =) cur='' option=$prev ;; esac\n"
    "    if [ \"$prev\" = = ]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "        case $option in\n"
    "        -*) ;;\n"
    "        *) # FORMAT=FILE, PATH=VALUE\n"
    "            [ \"${COMP_WORDS[COMP_CWORD - 3]}\" != --set ] || return 0\n"
    "            _gcnsim_files -f\n"
    "            return ;;\n"
    "        esac\n"
    "    fi\n"
    "    if [ \"$prev\" = : ] || [ \"$cur\" = : ]; then\n"
    "        [ \"$cur\" != : ] || cur=''\n"
    "        _gcnsim_files -f\n"
    "        return\n"
    "    fi\n"
    "    _gcnsim_kind \"$command\" \"$option\"\n"
    "    if [ -n \"$words\" ]; then\n"
    "        _gcnsim_list \"$words\"\n"
    "    elif [ -n \"$kind\" ]; then\n"
    "        _gcnsim_value \"$kind\"\n"
    "    elif [[ $'\\n'$valued$'\\n' = *$'\\n'\"$option\"$'\\n'* ]]; then\n"
    "        return 0 # a value nobody knows\n"
    "    elif [[ $cur = -* ]]; then\n"
    "        _gcnsim_list \"$options\"\n"
    "    elif [ -n \"$verbs\" ] && [ \"$first\" -eq 0 ]; then\n"
    "        _gcnsim_list \"$verbs\"\n"
    "    elif [ \"$operands\" = programs ]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -c -f -- \"$cur\" | sort -u)\n"
    "    elif [ -n \"$operands\" ]; then\n"
    "        _gcnsim_value \"$operands\"\n"
    "    fi\n"
    "}\n"
    "complete -F _gcnsim gcnsim\n";

/* Names of enum option_completion in the scripts; null: nothing is known. */
static const char *kind_name(enum option_completion values)
{
    static const char *const names[] = {
        [COMPLETE_NOTHING] = NULL,
        [COMPLETE_FILES] = "files",
        [COMPLETE_FOLDERS] = "folders",
        [COMPLETE_PROFILES] = "profiles",
        [COMPLETE_PROFILE_LISTS] = "profile-lists",
        [COMPLETE_TARGETS] = "targets",
        [COMPLETE_KERNELS] = "kernels",
        [COMPLETE_FIGURES] = "figures",
        [COMPLETE_TRACES] = "traces",
        [COMPLETE_SECTIONS] = "sections",
        [COMPLETE_SPECS] = "specs",
        [COMPLETE_PROGRAMS] = "programs",
        [COMPLETE_INSTRUCTIONS] = "instructions",
        [COMPLETE_TOPICS] = "topics",
    };

    return names[values];
}

static void bash_command(FILE *f, const struct cli_command *c)
{
    fprintf(f, "    %s)\n        options=$'", c->name);
    EACH_OPTION(row, c->options)
    fprintf(f, "--%s\\n", row->name);
    fputs("--help'\n        valued=$'", f);
    EACH_OPTION(row, c->options)
    if (row->value)
        fprintf(f, "--%s\\n", row->name);
    fputs("'\n", f);
    if (c->verbs) {
        fputs("        verbs=$'", f);
        for (const char *v = c->verbs; *v; v++)
            fputs(*v == '|' ? "\\n" : (const char[]){*v, 0}, f);
        fputs("'\n", f);
    }
    if (kind_name(c->operands))
        fprintf(f, "        operands=%s\n", kind_name(c->operands));
    if (c->stops)
        fputs("        stops=1\n", f);
    fputs("        ;;\n", f);
}

/* $words or $kind of an option's value. */
static void bash_kinds(FILE *f)
{
    fputs("\n_gcnsim_kind() {\n    words='' kind=''\n    case \"$1 $2\" in\n", f);
    EACH_COMMAND(c)
    EACH_OPTION(row, (*c)->options)
    {
        if (row->words) {
            fprintf(f, "    '%s --%s') words=$'", (*c)->name, row->name);
            for (const char *w = row->words; *w; w++)
                fputs(*w == '|' ? "\\n" : (const char[]){*w, 0}, f);
            fputs("' ;;\n", f);
        } else if (row->value && kind_name(row->complete)) {
            fprintf(f, "    '%s --%s') kind=%s ;;\n", (*c)->name, row->name, kind_name(row->complete));
        }
    }
    fputs("    esac\n}\n", f);
}

void cli_print_bash(FILE *f)
{
    fputs(bash_start, f);
    for (const char *s = SPECS; *s; s++)
        fputs(*s == ' ' ? "\\n" : (const char[]){*s, 0}, f);
    fputs(bash_values, f);
    fputs("    commands=$'", f);
    EACH_COMMAND(c)
    fprintf(f, "%s%s", c == cli_commands ? "" : "\\n", (*c)->name);
    fputs("'\n    all_options=$'", f);
    EACH_COMMAND(c)
    EACH_OPTION(row, (*c)->options)
    fprintf(f, "%s\\n", row->name);
    fputs("'\n    case $command in\n", f);
    EACH_COMMAND(c)
    bash_command(f, *c);
    fputs("    esac\n", f);
    fputs(bash_end, f);
    bash_kinds(f);
}

/* ---- zsh ---- */

/* Inside single quotes, in a spec of _arguments: brackets and colons have a meaning there. */
static void zsh_text(FILE *f, const char *text, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) {
        if (text[k] == '\'')
            fputs("'\\'", f);
        else if (strchr("[]:\\", text[k]))
            putc('\\', f);
        putc(text[k], f);
    }
}

static void zsh_action(FILE *f, enum option_completion values)
{
    if (values == COMPLETE_FILES)
        fputs("_files", f);
    else if (values == COMPLETE_FOLDERS)
        fputs("_files -/", f);
    else if (values == COMPLETE_SPECS)
        fputs("(" SPECS ")", f);
    else if (values == COMPLETE_PROGRAMS)
        fputs("_gcnsim_program", f);
    else if (kind_name(values))
        fprintf(f, " _gcnsim_ask %s", kind_name(values)); /* the blank: called as it is */
}

static void zsh_option(FILE *f, const struct option_row *row)
{
    fprintf(f, "        '%s--%s%s[", row->kind == OPTION_LIST ? "*" : "", row->name, row->value ? "=" : "");
    zsh_text(f, row->help, about_bytes(row->help));
    putc(']', f);
    if (row->value) {
        putc(':', f);
        zsh_text(f, row->value, strlen(row->value));
        putc(':', f);
        if (row->words) {
            putc('(', f);
            put_words(f, row->words, ' ');
            putc(')', f);
        } else {
            zsh_action(f, row->complete);
        }
    }
    fputs("' \\\n", f);
}

static void zsh_command(FILE *f, const struct cli_command *c)
{
    fprintf(f, "    %s)\n        _arguments -s %s\\\n", c->name, c->stops ? "-S -A '-*' " : "");
    EACH_OPTION(row, c->options)
    zsh_option(f, row);
    fputs("        '(- *)'{-h,--help}'[print help]'", f);
    if (c->verbs) {
        fputs(" \\\n        '1:action:(", f);
        put_words(f, c->verbs, ' ');
        fputs(")'", f);
    }
    if (c->operands) {
        fprintf(f, " \\\n        '%s: :", c->stops ? "*:" : "*");
        zsh_action(f, c->operands);
        putc('\'', f);
    }
    fputs("\n        ;;\n", f);
}

static const char zsh_start[] =
    "#compdef gcnsim\n"
    "# zsh completion of gcnsim, made by 'gcnsim completion zsh' from its table of options\n"
    "\n"
    "_gcnsim_ask() {\n"
    "    local kind=$1 line tab=$'\\t'\n"
    "    local -a found\n"
    "    case $kind in\n"
    "    topics) _describe -t topics topic commands_of_gcnsim -- options_of_gcnsim; return ;;\n"
    "    profile-lists) compset -P '*,'; kind=profiles ;;\n"
    "    sections) compset -P '*,' ;;\n"
    "    esac\n"
    "    for line in ${(f)\"$($gcnsim words $kind $words[2,-1] 2>/dev/null)\"}; do\n"
    "        found+=(\"${${line%%$tab*}//:/\\\\:}:${line#*$tab}\")\n"
    "    done\n"
    "    case $kind in\n"
    "    figures|traces) _describe -t $kind $kind found -S '' ;;\n"
    "    profiles) _describe -t $kind $kind found; _files -g '*.json' ;;\n"
    "    *) _describe -t $kind $kind found ;;\n"
    "    esac\n"
    "}\n"
    "_gcnsim_program() {\n"
    "    _normal\n"
    "}\n"
    "\n"
    "_gcnsim() {\n"
    "    local curcontext=$curcontext state line gcnsim=$words[1]\n"
    "    typeset -A opt_args\n"
    "    local -a commands_of_gcnsim options_of_gcnsim\n"
    "    commands_of_gcnsim=(\n";

static const char zsh_middle[] =
    "    )\n"
    "    _arguments -C '(- *)'{-h,--help}'[print help]' '(- *)'{-V,--version}'[print the version]' \\\n"
    "        '1: :->command' '*:: :->rest'\n"
    "    case $state in\n"
    "    command) _describe -t commands command commands_of_gcnsim; return ;;\n"
    "    rest) curcontext=${curcontext%:*}-$words[1]: ;;\n"
    "    *) return ;;\n"
    "    esac\n"
    "    case $words[1] in\n";

void cli_print_zsh(FILE *f)
{
    fputs(zsh_start, f);
    EACH_COMMAND(c)
    {
        fprintf(f, "        '%s:", (*c)->name);
        zsh_text(f, (*c)->summary, strlen((*c)->summary));
        fputs("'\n", f);
    }
    fputs("    )\n    options_of_gcnsim=(", f);
    EACH_COMMAND(c)
    EACH_OPTION(row, (*c)->options)
    fprintf(f, "%s ", row->name);
    fputs(zsh_middle, f);
    EACH_COMMAND(c)
    zsh_command(f, *c);
    fputs("    esac\n}\n\n# loaded by the completion system, or read by 'source'\n"
          "if [ \"$funcstack[1]\" = _gcnsim ]; then\n    _gcnsim \"$@\"\nelse\n    compdef _gcnsim gcnsim\nfi\n",
          f);
}

/* ---- fish ---- */

/* Inside single quotes. */
static void fish_text(FILE *f, const char *text, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) {
        if (text[k] == '\'' || text[k] == '\\')
            putc('\\', f);
        putc(text[k], f);
    }
}

static void fish_values(FILE *f, enum option_completion values)
{
    switch (values) {
    case COMPLETE_NOTHING:
        fputs(" -x", f);
        break;
    case COMPLETE_FILES:
        fputs(" -r -F", f);
        break;
    case COMPLETE_FOLDERS:
        fputs(" -x -a '(__fish_complete_directories)'", f);
        break;
    case COMPLETE_SPECS:
        fputs(" -x -a '" SPECS "'", f);
        break;
    case COMPLETE_PROFILES:
        fputs(" -r -F -a '(__gcnsim_ask profiles)'", f);
        break;
    case COMPLETE_PROFILE_LISTS:
        fputs(" -x -a '(__fish_append , (__gcnsim_ask profiles))'", f);
        break;
    case COMPLETE_SECTIONS:
        fputs(" -x -a '(__fish_append , (__gcnsim_ask sections))'", f);
        break;
    default:
        fprintf(f, " -x -a '(__gcnsim_ask %s)'", kind_name(values));
    }
}

static void fish_option(FILE *f, const struct cli_command *c, const struct option_row *row)
{
    fprintf(f, "complete -c gcnsim -n '__gcnsim_in %s' -l %s", c->name, row->name);
    if (row->short_name)
        fprintf(f, " -s %c", row->short_name);
    if (row->words) {
        fputs(" -x -a '", f);
        put_words(f, row->words, ' ');
        fputs("'", f);
    } else if (row->value) {
        fish_values(f, row->complete);
    }
    fputs(" -d '", f);
    fish_text(f, row->help, about_bytes(row->help));
    fputs("'\n", f);
}

static void fish_operands(FILE *f, const struct cli_command *c)
{
    if (c->verbs) {
        fprintf(f, "complete -c gcnsim -n '__gcnsim_in %s; and not __fish_seen_subcommand_from ", c->name);
        put_words(f, c->verbs, ' ');
        fputs("' -f -a '", f);
        put_words(f, c->verbs, ' ');
        fputs("'\n", f);
    }
    if (!kind_name(c->operands))
        return;
    fprintf(f, "complete -c gcnsim -n '__gcnsim_in %s", c->name);
    if (c->verbs) {
        fputs("; and __fish_seen_subcommand_from ", f);
        put_words(f, c->verbs, ' ');
    }
    if (c->operands == COMPLETE_FILES)
        fputs("' -F\n", f);
    else if (c->operands == COMPLETE_PROGRAMS)
        fputs("' -x -a '(__gcnsim_program)'\n", f);
    else if (c->operands == COMPLETE_TOPICS)
        fputs("' -f -a '(__gcnsim_topics)'\n", f);
    else
        fprintf(f, "' -f -a '(__gcnsim_ask %s)'\n", kind_name(c->operands));
}

/* The program after the options, and its arguments. */
static void fish_program(FILE *f, const struct cli_command *c)
{
    fputs("function __gcnsim_program\n"
          "    set -l words (commandline -opc)\n"
          "    set -l k 3\n"
          "    while test $k -le (count $words); and string match -q -- '-*' $words[$k]\n"
          "        if test $words[$k] = --\n"
          "            set k (math $k + 1)\n"
          "            break\n"
          "        end\n"
          "        contains -- $words[$k]",
          f);
    EACH_OPTION(row, c->options)
    if (row->value)
        fprintf(f, " --%s", row->name);
    fputs("; and set k (math $k + 1)\n"
          "        set k (math $k + 1)\n"
          "    end\n"
          "    if test $k -le (count $words); or not string match -q -- '-*' (commandline -ct)\n"
          "        complete -C(string join ' ' -- (string escape -- $words[$k..-1]) (commandline -ct))\n"
          "    end\n"
          "end\n",
          f);
}

void cli_print_fish(FILE *f)
{
    fputs("# fish completion of gcnsim, made by 'gcnsim completion fish' from its table of options\n"
          "\n"
          "function __gcnsim_ask\n"
          "    set -l words (commandline -opc)\n"
          "    $words[1] words $argv[1] $words[2..-1] 2>/dev/null\n"
          "end\n"
          "# the command is this one\n"
          "function __gcnsim_in\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
          "end\n"
          "function __gcnsim_topics\n"
          "    printf '%s\\n'",
          f);
    EACH_COMMAND(c)
    {
        fprintf(f, " %s", (*c)->name);
        EACH_OPTION(row, (*c)->options)
        fprintf(f, " %s", row->name);
    }
    fputs(" | sort -u\nend\n", f);
    EACH_COMMAND(c)
    if ((*c)->stops)
        fish_program(f, *c);
    fputs("\n"
          "complete -c gcnsim -f\n"
          "complete -c gcnsim -n __fish_use_subcommand -s h -l help -d 'print help'\n"
          "complete -c gcnsim -n __fish_use_subcommand -s V -l version -d 'print the version'\n",
          f);
    EACH_COMMAND(c)
    {
        fprintf(f, "complete -c gcnsim -n __fish_use_subcommand -a %s -d '", (*c)->name);
        fish_text(f, (*c)->summary, strlen((*c)->summary));
        fputs("'\n", f);
    }
    EACH_COMMAND(c)
    {
        EACH_OPTION(row, (*c)->options)
        fish_option(f, *c, row);
        fprintf(f, "complete -c gcnsim -n '__gcnsim_in %s' -s h -l help -d 'print help'\n", (*c)->name);
        fish_operands(f, *c);
    }
}

/* ---- the command ---- */

int cli_completion(int argc, char **argv)
{
    bool done = false;
    int status = cli_options_read(&cli_command_completion, argc, argv, NULL, &done);
    const char *shell = argc - optind == 1 ? argv[optind] : "";

    if (done)
        return status;
    if (strcmp(shell, "bash") == 0)
        cli_print_bash(stdout);
    else if (strcmp(shell, "zsh") == 0)
        cli_print_zsh(stdout);
    else if (strcmp(shell, "fish") == 0)
        cli_print_fish(stdout);
    else
        return cli_usage("completion", "'%s': no such shell; expected bash, zsh or fish", shell);
    return cli_flush();
}

const struct cli_command cli_command_completion = {
    .name = "completion",
    .summary = "prints completion for bash, zsh or fish",
    .usage = "completion bash|zsh|fish",
    .about =
        "Prints a script by which the shell completes commands, options and their values: profiles, targets, kernels "
        "of the file on the command line, figures of a profile. 'make install' puts it where shells look. Without "
        "an installation:\n"
        "  bash:  source <(gcnsim completion bash)\n"
        "  zsh:   source <(gcnsim completion zsh)\n"
        "  fish:  gcnsim completion fish | source",
    .options = cli_no_options,
    .run = cli_completion,
    .verbs = "bash|zsh|fish",
};

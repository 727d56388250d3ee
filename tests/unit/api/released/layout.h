/* What a program has compiled into it of the public header: sizes, members, enumerators, types of functions. It is read
 * from the debug information of a file that includes the header, and written as lines, one fact each:
 *
 *   struct gcnsim_error 644                              size in bytes
 *   member gcnsim_error.code 0 int                       offset in bytes, type
 *   value gcnsim_status.GCNSIM_OK 0                      of an enumeration
 *   macro GCNSIM_SAMPLE_AUTO 18446744073709551615        with a number
 *   type gcnsim_progress_fn int (void *, uint64_t ...)   of a callback
 *   function gcnsim_open int (struct gcnsim **, ...)     exported
 *   symbol gcnsim_open GCNSIM_0.1                        version of an exported symbol
 *
 * layout_compare() has the rule that docs/API.md ("Versions") states. */
#ifndef TESTS_UNIT_API_RELEASED_LAYOUT_H
#define TESTS_UNIT_API_RELEASED_LAYOUT_H

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/folder.h"

enum { LAYOUT_TEXT = 512 };

/* ---- the names of a header ---- */

/* The name that begins at `from`; its length. */
static size_t layout_name(const char *from)
{
    size_t n = 0;

    while (isalnum((unsigned char)from[n]) || from[n] == '_')
        n++;
    return n;
}

/* Where `GCNSIM_API type name(` or `typedef type name(` has its name; null: the line is none of them. */
static const char *layout_function(const char *line, const char *begin)
{
    const char *paren;

    if (strncmp(line, begin, strlen(begin)) != 0 || !(paren = strchr(line, '(')))
        return NULL;
    while (paren > line && (isalnum((unsigned char)paren[-1]) || paren[-1] == '_'))
        paren--;
    return strncmp(paren, "gcnsim_", 7) == 0 ? paren : NULL;
}

/* One line of a header: what it begins is declared in *code, so that the compiler describes it, and listed in *names as
 * a kind and a name. */
static void layout_line(const char *line, FILE *code, FILE *names, unsigned *k)
{
    static const char *const tags[] = {"struct", "enum"};
    const char *name;
    int n;

    for (unsigned t = 0; t < 2; t++) {
        size_t tag = strlen(tags[t]);
        if (strncmp(line, tags[t], tag) == 0 && strncmp(line + tag, " gcnsim_", 8) == 0) {
            n = (int)layout_name(line + tag + 1);
            if (strncmp(line + tag + 1 + n, " {", 2) == 0) {
                fprintf(code, "%s %.*s *v%u;\n", tags[t], n, line + tag + 1, (*k)++);
                fprintf(names, "%s %.*s\n", tags[t], n, line + tag + 1);
            }
        }
    }
    if ((name = layout_function(line, "typedef "))) {
        n = (int)layout_name(name);
        fprintf(code, "%.*s *v%u;\n", n, name, (*k)++);
        fprintf(names, "type %.*s\n", n, name);
    } else if ((name = layout_function(line, "GCNSIM_API "))) {
        n = (int)layout_name(name);
        fprintf(code, "__typeof__(%.*s) *function_%.*s;\n", n, name, n, name);
        fprintf(names, "function %.*s\n", n, name);
    } else if (strncmp(line, "#define GCNSIM_", 15) == 0) {
        name = line + 8;
        n = (int)layout_name(name);
        /* with a value, and the same in each version */
        if (name[n] == ' ' && strncmp(name, "GCNSIM_VERSION_", 15) != 0 && strncmp(name, "GCNSIM_API", 10) != 0) {
            fprintf(code, "enum macro_%.*s { value_%.*s = (%.*s) } *v%u;\n", n, name, n, name, n, name, (*k)++);
            fprintf(names, "macro %.*s\n", n, name);
        }
    }
}

/* ---- types, as C writes them ---- */

static bool layout_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute a;

    return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, type);
}

static void layout_append(char *to, const char *text)
{
    snprintf(to + strlen(to), LAYOUT_TEXT - strlen(to), "%s", text);
}

/* What die's type is; "void" without one. */
static void layout_type(Dwarf_Die *die, char *to);

static void layout_subroutine(Dwarf_Die *type, const char *middle, char *to)
{
    Dwarf_Die parameter;
    bool first = true;

    layout_type(type, to);
    layout_append(to, middle);
    layout_append(to, "(");
    for (int more = dwarf_child(type, &parameter); more == 0; more = dwarf_siblingof(&parameter, &parameter)) {
        char one[LAYOUT_TEXT];
        layout_type(&parameter, one);
        layout_append(to, first ? "" : ", ");
        layout_append(to, one);
        first = false;
    }
    layout_append(to, ")");
}

static void layout_array(Dwarf_Die *type, char *to)
{
    Dwarf_Attribute a;
    Dwarf_Word n = 0;
    Dwarf_Die range;
    char text[32];

    layout_type(type, to);
    if (dwarf_child(type, &range) == 0) {
        if (dwarf_attr(&range, DW_AT_upper_bound, &a) && dwarf_formudata(&a, &n) == 0)
            n++;
        else if (dwarf_attr(&range, DW_AT_count, &a))
            dwarf_formudata(&a, &n);
    }
    snprintf(text, sizeof text, "[%" PRIu64 "]", (uint64_t)n);
    layout_append(to, text);
}

static void layout_qualified(Dwarf_Die *type, const char *word, char *to)
{
    char inner[LAYOUT_TEXT];
    size_t n;

    layout_type(type, inner);
    n = strlen(inner);
    to[0] = 0;
    if (n && inner[n - 1] == '*') {
        layout_append(to, inner);
        layout_append(to, word);
    } else {
        layout_append(to, word);
        layout_append(to, " ");
        layout_append(to, inner);
    }
}

static void layout_type(Dwarf_Die *die, char *to)
{
    Dwarf_Die type, of;
    const char *name;

    to[0] = 0;
    if (!layout_type_of(die, &type)) {
        layout_append(to, "void");
        return;
    }
    name = dwarf_diename(&type);
    switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type:
        if (layout_type_of(&type, &of) && dwarf_tag(&of) == DW_TAG_subroutine_type) {
            layout_subroutine(&of, " (*)", to);
        } else {
            layout_type(&type, to);
            layout_append(to, to[strlen(to) - 1] == '*' ? "*" : " *");
        }
        break;
    case DW_TAG_const_type:
        layout_qualified(&type, "const", to);
        break;
    case DW_TAG_volatile_type:
        layout_qualified(&type, "volatile", to);
        break;
    case DW_TAG_array_type:
        layout_array(&type, to);
        break;
    case DW_TAG_subroutine_type:
        layout_subroutine(&type, " ", to);
        break;
    case DW_TAG_structure_type:
        layout_append(to, "struct ");
        layout_append(to, name ? name : "?");
        break;
    case DW_TAG_enumeration_type:
        layout_append(to, "enum ");
        layout_append(to, name ? name : "?");
        break;
    default:
        layout_append(to, name ? name : "?");
        break;
    }
}

/* ---- facts ---- */

static void layout_struct(Dwarf_Die *die, const char *name, FILE *out)
{
    Dwarf_Die member;
    Dwarf_Word size = 0;

    dwarf_aggregate_size(die, &size);
    fprintf(out, "struct %s %" PRIu64 "\n", name, (uint64_t)size);
    for (int more = dwarf_child(die, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
        Dwarf_Attribute a;
        Dwarf_Word at = 0;
        char type[LAYOUT_TEXT];

        if (dwarf_attr(&member, DW_AT_data_member_location, &a))
            dwarf_formudata(&a, &at);
        layout_type(&member, type);
        fprintf(out, "member %s.%s %" PRIu64 " %s\n", name, dwarf_diename(&member), (uint64_t)at, type);
    }
}

static void layout_enum(Dwarf_Die *die, const char *name, bool macro, FILE *out)
{
    Dwarf_Die one;

    for (int more = dwarf_child(die, &one); more == 0; more = dwarf_siblingof(&one, &one)) {
        Dwarf_Attribute a;
        Dwarf_Word value = 0;

        if (dwarf_attr(&one, DW_AT_const_value, &a))
            dwarf_formudata(&a, &value);
        if (macro)
            fprintf(out, "macro %s %" PRIu64 "\n", name, (uint64_t)value);
        else
            fprintf(out, "value %s.%s %" PRIu64 "\n", name, dwarf_diename(&one), (uint64_t)value);
    }
}

/* The facts of one name; false: the compiler says nothing of it. */
static bool layout_fact(Dwarf *debug, const char *kind, const char *name, FILE *out)
{
    static const struct {
        const char *kind, *prefix;
        int tag;
    } how[] = {{"struct", "", DW_TAG_structure_type},
               {"enum", "", DW_TAG_enumeration_type},
               {"macro", "macro_", DW_TAG_enumeration_type},
               {"type", "", DW_TAG_typedef},
               {"function", "function_", DW_TAG_variable}};
    char wanted[LAYOUT_TEXT], type[LAYOUT_TEXT];
    Dwarf_Off next, at = 0;
    size_t header;
    unsigned k = 0;

    while (strcmp(how[k].kind, kind) != 0)
        k++;
    snprintf(wanted, sizeof wanted, "%s%s", how[k].prefix, name);
    for (; dwarf_nextcu(debug, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit, die, of;

        if (!dwarf_offdie(debug, at + header, &unit))
            continue;
        for (int more = dwarf_child(&unit, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
            const char *found = dwarf_diename(&die);

            if (dwarf_tag(&die) != how[k].tag || !found || strcmp(found, wanted) != 0 ||
                dwarf_hasattr(&die, DW_AT_declaration))
                continue;
            if (k == 0)
                layout_struct(&die, name, out);
            else if (k <= 2)
                layout_enum(&die, name, k == 2, out);
            else if (k == 4 && layout_type_of(&die, &of))
                layout_type(&of, type);
            else
                layout_type(&die, type);
            if (k >= 3)
                fprintf(out, "%s %s %s\n", kind, name, type);
            return true;
        }
    }
    return false;
}

/* ---- a header's ---- */

/* Names and code of all headers that match a pattern: the file to compile includes `include`. */
static bool layout_scan(const char *headers, const char *include, const char *code_path, const char *names_path)
{
    FILE *code = fopen(code_path, "w"), *names = fopen(names_path, "w");
    char line[LAYOUT_TEXT];
    unsigned k = 0;
    glob_t all;

    if (!code || !names || glob(headers, 0, NULL, &all))
        return false;
    fprintf(code, "#include \"%s\"\n", include);
    for (size_t f = 0; f < all.gl_pathc; f++) {
        FILE *in = fopen(all.gl_pathv[f], "r");
        while (in && fgets(line, sizeof line, in))
            layout_line(line, code, names, &k);
        if (in)
            fclose(in);
    }
    globfree(&all);
    return (fclose(code) | fclose(names)) == 0;
}

/* Writes the facts of the header `include`, whose text is in the files that match `headers`. False, with a message on
 * standard error: the compiler does not take it, or says nothing of a name. */
static bool layout_of_header(const char *headers, const char *include, FILE *out)
{
    char code[4200], names[4200], object[4200], command[16000], kind[16], name[LAYOUT_TEXT];
    bool all = true;

    snprintf(code, sizeof code, "%s/layout.c", program_folder());
    snprintf(names, sizeof names, "%s/layout.names", program_folder());
    snprintf(object, sizeof object, "%s/layout.so", program_folder());
    snprintf(command, sizeof command, "cc -std=gnu11 -I. -g -O0 -fPIC -shared -o '%s' '%s'", object, code);
    if (!layout_scan(headers, include, code, names) || system(command) != 0)
        return false;
    int fd = open(object, O_RDONLY);
    Dwarf *debug = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
    FILE *list = fopen(names, "r");
    if (!debug || !list)
        return false;
    while (fscanf(list, "%15s %511s", kind, name) == 2)
        if (!layout_fact(debug, kind, name, out)) {
            fprintf(stderr, "layout: no debug information of %s %s\n", kind, name);
            all = false;
        }
    fclose(list);
    dwarf_end(debug);
    close(fd);
    return all;
}

/* Exported symbols of a shared library with their versions. */
static inline bool layout_of_library(const char *library, FILE *out)
{
    char command[5000], line[LAYOUT_TEXT], name[256], version[64];
    FILE *nm;

    snprintf(command, sizeof command, "nm -D --defined-only '%s'", library);
    nm = popen(command, "r");
    while (nm && fgets(line, sizeof line, nm))
        if (sscanf(line, "%*s %*s %255[a-z0-9_]@@%63s", name, version) == 2)
            fprintf(out, "symbol %s %s\n", name, version);
    return nm && pclose(nm) == 0;
}

/* ---- comparing ---- */

/* The line of `facts` that begins with `begin`; null: there is none. */
static const char *layout_find(const char *facts, const char *begin, size_t n)
{
    for (const char *at = facts; *at;) {
        if (strncmp(at, begin, n) == 0)
            return at;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

/* Whether members may be added at the end of a struct: it begins with struct_bytes, or a call that fills it is told its
 * size. */
static bool layout_may_grow(const char *facts, const char *name)
{
    char text[LAYOUT_TEXT + 32];
    const char *at;

    snprintf(text, sizeof text, "member %s.struct_bytes 0 ", name);
    if (layout_find(facts, text, strlen(text)))
        return true;
    snprintf(text, sizeof text, "struct %s *, size_t", name);
    for (at = facts; (at = strstr(at, text)); at++) {
        const char *line = at;
        while (line > facts && line[-1] != '\n')
            line--;
        /* not what the call reads: const struct */
        if (strncmp(line, "function ", 9) == 0 && strstr(line, "_sized ") && strstr(line, "_sized ") < at &&
            strncmp(at - 6, "const ", 6) != 0)
            return true;
    }
    return false;
}

/* A member of today's that the release does not have. */
static void layout_new_member(const char *released, const char *line, FILE *said)
{
    char name[LAYOUT_TEXT], text[LAYOUT_TEXT + 32];
    unsigned long at = 0, size = 0;

    if (sscanf(line, "member %511[a-z0-9_].%*s %lu", name, &at) != 2)
        return;
    snprintf(text, sizeof text, "struct %s ", name);
    const char *was = layout_find(released, text, strlen(text));
    if (!was)
        return; /* a new struct */
    sscanf(was, "struct %*s %lu", &size);
    if (!layout_may_grow(released, name) || at < size)
        fprintf(said, "%.*s: new; expected no new member%s: raise SOVER or put it back\n", (int)strcspn(line, "\n"),
                line, at < size ? " before the struct's end in the release" : " in a struct without a size");
}

/* What of a release is not as it was. Lines about exported symbols are looked at when `symbols` is set. */
static inline void layout_compare(const char *released, const char *now, bool symbols, FILE *said)
{
    for (const char *line = released; *line; line += strcspn(line, "\n") + 1) {
        size_t n = strcspn(line, "\n"), key = strcspn(line, " ");
        char name[LAYOUT_TEXT];
        unsigned long was, is;

        key += 1 + strcspn(line + key + 1, " ") + 1; /* kind and name, with the blank behind */
        if (line[0] == '#' || (!symbols && strncmp(line, "symbol ", 7) == 0))
            continue;
        const char *today = layout_find(now, line, key);
        if (today && strncmp(today, line, n + 1) == 0)
            continue;
        if (today && sscanf(line, "struct %511s %lu", name, &was) == 2 && sscanf(today, "struct %*s %lu", &is) == 1 &&
            is > was && layout_may_grow(released, name))
            continue;
        fprintf(said, "%.*s: %s%.*s: raise SOVER or put it back\n", (int)n, line, today ? "now " : "gone",
                today ? (int)(strcspn(today, "\n") - key) : 0, today ? today + key : "");
    }
    for (const char *line = now; *line; line += strcspn(line, "\n") + 1) {
        size_t n = strcspn(line, " ") + 1;
        if (strncmp(line, "member ", 7) == 0 && !layout_find(released, line, n + strcspn(line + n, " ") + 1))
            layout_new_member(released, line, said);
    }
}

#endif

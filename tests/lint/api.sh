#!/bin/sh
# The public headers, sim/api/gcnsim*.h:
#   - each function and callback has a comment directly above it that names each parameter at the beginning of a line, as
#     " *   name: what it is". `error` is described once, among the conventions of gcnsim.h. An inline function shares the
#     comment of the _sized one above it.
#   - each struct can grow: it begins with struct_bytes, or a function whose name ends with _sized fills it; or a release
#     has fixed it (tests/unit/api/released, docs/adr/0027).
files=$("$(dirname "$0")/files.sh" 'sim/api/gcnsim*.h' 'tests/unit/api/released/*.layout')
[ -n "$files" ] || { echo "lint: api: no header found: is this the root of the repository?" >&2; exit 1; }
# shellcheck disable=SC2086  # names without spaces
awk '
function complain(text) { print FILENAME ":" FNR ": " text; errors++ }
# the name of a parameter, which is the last word of its declaration outside brackets
function name_of(parameter)
{
    if (match(parameter, /\(\*[a-z_0-9]+\)/))
        return substr(parameter, RSTART + 2, RLENGTH - 3)
    sub(/\[.*/, "", parameter)
    sub(/^.*[^a-z_0-9]/, "", parameter)
    return parameter
}
function named(name) { return block ~ ("\n \\*   ([a-z_0-9]+, )*" name "(, [a-z_0-9]+)*: [^ *]") }
function declared(text,    name, depth, k, c, from, parameter)
{
    match(text, /gcnsim_[a-z_0-9]+\(/)
    name = substr(text, RSTART, RLENGTH - 1)
    functions++
    if (block == "") {
        complain(name "() has no comment directly above it")
        return
    }
    depth = 0
    from = RSTART + RLENGTH
    for (k = from; k <= length(text); k++) {
        c = substr(text, k, 1)
        if ((c == "," || c == ")") && depth == 0) {
            parameter = substr(text, from, k - from)
            from = k + 1
            if (name ~ /_sized$/ && match(parameter, /struct gcnsim_[a-z_0-9]+ \*/))
                sized[substr(parameter, RSTART + 7, RLENGTH - 9)] = 1
            parameter = name_of(parameter)
            if (parameter != "void" && parameter != "error" && !named(parameter))
                complain(name "(): the comment above lacks a line \" *   " parameter ": ...\"")
            if (c == ")")
                break
        }
        depth += (c == "(") - (c == ")")
    }
}
FNR == 1 { block = declaration = ""; comment = 0 }
FILENAME ~ /layout$/ {
    if ($1 == "struct")
        released[$2] = 1
    next
}
/^struct gcnsim_[a-z_0-9]+ \{/ { struct = $2; where[struct] = FILENAME ":" FNR; first = 1; structs++; block = ""; next }
first && /;/ {
    if (/^ +size_t struct_bytes;/)
        grows[struct] = 1
    first = 0
}
/^\/\*/ { block = ""; comment = 1 }
comment {
    block = block "\n" $0
    comment = !/\*\//
    next
}
declaration == "" && (/^GCNSIM_API / || /^typedef .*[a-z]\(/ || /^static inline /) { declaration = " " }
declaration != "" {
    declaration = declaration $0
    if (!/[;{]/ && !/\)$/)
        next
    declared(declaration)
    # its inline function may come next
    if (declaration !~ /_sized\(/)
        block = ""
    declaration = ""
    next
}
{ block = "" }
END {
    for (struct in where)
        if (!grows[struct] && !sized[struct] && !released[struct]) {
            print where[struct] ": struct " struct " cannot grow: it does not begin with struct_bytes, no _sized function fills it"
            errors++
        }
    if (!functions || !structs) {
        print "lint: api: no function or no struct found"
        errors++
    }
    if (!errors)
        printf "lint: api: %d functions and callbacks name their parameters, %d structs can grow or are released\n", functions, structs
    exit errors ? 1 : 0
}' $files

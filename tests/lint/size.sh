#!/bin/sh
# Sizes of the product's code: files of at most 600 lines, functions of at most 60 with their braces; but for those of
# tests/lint/size.txt, "PATH  reason" or "PATH FUNCTION()  reason" each. An exception that is not needed is an error as well.
here=$(dirname "$0")
list=tests/lint/size.txt
[ -f "$list" ] || list=
files=$("$here/files.sh" '*.c' '*.h' | grep -E '^(isa|mem|config|traces|sim)/' | grep -v '^traces/samples/')
# shellcheck disable=SC2086  # no file here has a space in its name
awk -v list="$list" '
function fail(where, why) {
    if (where in allowed) {
        used[where]
        return
    }
    print where ": " why
    errors++
}
function end_file() {
    if (lines > 600)
        fail(name, lines " lines; expected at most 600: a seam divides it")
}
FILENAME == list {
    if ($0 !~ /^#/ && NF) {
        where = $2 ~ /\(\)$/ ? $1 " " $2 : $1
        if (NF < (where == $1 ? 2 : 3)) {
            printf "%s:%d: no reason\n", FILENAME, FNR
            errors++
        }
        allowed[where] = FNR
    }
    next
}
FNR == 1 {
    end_file()
    name = FILENAME
    files++
    head = ""
}
{ lines = FNR }
/^{$/ {
    begin = FNR
    function_name = head
    sub(/ *\(.*/, "", function_name)
    sub(/.*[^A-Za-z0-9_]/, "", function_name)
    next
}
/^}/ && begin {
    if (FNR - begin + 1 > 60)
        fail(FILENAME " " function_name "()", FNR - begin + 1 " lines; expected at most 60")
    begin = 0
    head = ""
    next
}
!begin { head = /^[A-Za-z_]/ && /\(/ ? $0 : head }
END {
    end_file()
    for (where in allowed)
        if (!(where in used)) {
            printf "%s:%d: %s needs no exception\n", list, allowed[where], where
            errors++
        }
    if (!files) {
        print "no source found at all: is this the root of the repository?"
        errors++
    }
    if (!errors)
        printf "lint: size: %d files, none too long, nor a function of theirs\n", files
    exit errors ? 1 : 0
}' $list $files

#!/bin/sh
# Text hygiene: no trailing white space, no carriage returns, no tabs in C, no conflict marks, a newline at the end, a
# comment at the head of each C file; a note (not an error) for C files much longer than 600 lines that are not tables.
here=$(dirname "$0")
"$here/files.sh" '*.c' '*.h' '*.sh' '*.md' '*.mk' '*.json' '*.map' '*.in' '*.s' '*.cl' Makefile .ci/run .gitignore .editorconfig .clang-format .clang-tidy |
    xargs awk '
function bad(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
    errors++
}
FNR == 1 { files++ }
FNR == 1 && FILENAME ~ /\.[ch]$/ && !/^\/\*/ { bad("a C file starts with a comment that says what it models") }
/[ \t]$/ && FILENAME !~ /\.md$/ { bad("trailing white space") }
/[ \t]$/ && FILENAME ~ /\.md$/ && !/[^ ]  $/ { bad("trailing white space") }
/\r/ { bad("carriage return") }
/\t/ && FILENAME ~ /\.[ch]$/ { bad("tab in a C file") }
/^(<<<<<<<|>>>>>>>) / { bad("conflict mark") }
FILENAME ~ /\.[ch]$/ { length_of[FILENAME] = FNR }
END {
    for (f in length_of)
        if (length_of[f] > 900 && f !~ /^tests\//)
            printf "lint: text: note: %s has %d lines; files are meant to stay near 600\n", f, length_of[f]
    if (!errors)
        printf "lint: text: %d files clean\n", files
    exit errors ? 1 : 0
}' || exit 1
"$here/files.sh" '*.c' '*.h' '*.sh' '*.md' '*.mk' '*.json' | while read -r f; do
    [ ! -s "$f" ] || [ -z "$(tail -c 1 "$f")" ] || { echo "$f: no newline at the end"; exit 1; }
done

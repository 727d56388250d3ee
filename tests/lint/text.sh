#!/bin/sh
# Text hygiene: no trailing white space, no carriage returns, no tabs in C, no conflict marks, a newline at the end, a
# comment at the head of each C file; a note (not an error) for C files much longer than 600 lines that are not tables.
here=$(dirname "$0")
"$here/files.sh" '*.c' '*.h' '*.sh' '*.md' '*.mk' '*.json' '*.map' '*.in' '*.s' '*.cl' Makefile .ci/run .gitignore .editorconfig .clang-format .clang-tidy |
    xargs awk '
BEGIN {
    # C files that still start without a comment; best empty
    n = split("config/profile.c config/rows.c sim/check/stale.c sim/engine/timing/timing.c " \
              "sim/engine/timing/clock/dispatcher.c sim/engine/timing/clock/pool.c sim/engine/timing/clock/script.c " \
              "sim/engine/timing/cu/cu.c sim/engine/timing/cu/inst_info.c sim/engine/timing/cu/stall.c " \
              "sim/engine/timing/cu/units.c sim/engine/timing/memory/operand_path.c " \
              "sim/engine/timing/memory/perfect.c", names, " ")
    for (i = 1; i <= n; i++)
        headless[names[i]] = 1
}
function bad(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
    errors++
}
FNR == 1 { files++ }
FNR == 1 && FILENAME ~ /\.[ch]$/ && !/^\/\*/ {
    if (FILENAME in headless)
        still = still " " FILENAME
    else
        bad("a C file starts with a comment that says what it models")
}
/[ \t]$/ && FILENAME !~ /\.md$/ { bad("trailing white space") }
/[ \t]$/ && FILENAME ~ /\.md$/ && !/[^ ]  $/ { bad("trailing white space") }
/\r/ { bad("carriage return") }
/\t/ && FILENAME ~ /\.[ch]$/ { bad("tab in a C file") }
/^(<<<<<<<|>>>>>>>) / { bad("conflict mark") }
FILENAME ~ /\.[ch]$/ { length_of[FILENAME] = FNR }
END {
    if (still)
        printf "lint: text: note: without a comment at the head:%s\n", still
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

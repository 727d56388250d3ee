#!/bin/sh
# What a terminal shows goes through one function (sim/util/plain.h), because names, messages and source lines come from
# files that may be anybody's.
#   - sim/cli prints by sim/cli/common.c (cli_printf(), cli_eprintf(), cli_put(), cli_put_name(), cli_error()) alone, and
#     sim/hsa by sim/hsa/core/log.c. Texts that stand in the source may be put on stdout and stderr as they are; progress.c
#     draws a line of numbers.
#   - sim/sweep prints nothing
#   - in sim/api and sim/study what is rendered for people is made plain: report_render() is for JSON, CSV and pages
#   - a file of theirs that builds a text in memory calls plain_text(), or stands in tests/lint/terminal.txt,
#     "PATH  reason"; so do the two files that print
#   - nobody else turns control characters into question marks
# Texts that are built in memory (FILE *f, snprintf()) end in one of these.
here=$(dirname "$0")
list=tests/lint/terminal.txt
[ -f "$list" ] || list=
# shellcheck disable=SC2016  # an awk program
"$here/files.sh" '*.c' | grep -e '^sim/' -e '^config/' -e '^traces/' | grep -v '^traces/samples/' | xargs awk -v list="$list" '
BEGIN {
    while (list && (getline row < list) > 0)
        if (row !~ /^#/ && split(row, word, /[ \t]+/) > 1)
            excused[word[1]] = 1
}
function bad(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
    errors++
}
# Whether the texts that a call puts all stand in the source: "a", "a" "b", x ? "a" : "b".
function literal(call) {
    return call ~ /^f?puts\((L( L)*|[^?"]*\? L : L)(, std(out|err))?(\)|$)/ || call ~ /^f?puts\(L( L)*$/
}
FNR == 1 {
    files++
    cli = FILENAME ~ /^sim\/cli\// && FILENAME !~ /^sim\/cli\/(common|progress)\.c$/
    hsa = FILENAME ~ /^sim\/hsa\// && FILENAME != "sim/hsa/core/log.c"
    sweep = FILENAME ~ /^sim\/sweep\//
}
{
    line = $0
    gsub(/\\"/, "", line)
    gsub(/"[^"]*"/, "L", line)
    sub(/\/\*.*$/, "", line)
}
(cli || hsa || sweep) && line !~ /__attribute__/ {
    if (match(line, /(^|[^A-Za-z_])v?printf *\(/) || line ~ /(^|[^A-Za-z_])v?fprintf *\( *std(out|err)/ ||
        line ~ /(^|[^A-Za-z_])(fwrite|fputc|putc) *\(.*std(out|err)/ || line ~ /(^|[^A-Za-z_])(dprintf|perror|psignal) *\(/ ||
        line ~ /(^|[^A-Za-z_])write *\( *(STD|[12],)/ || (line ~ /(^|[^A-Za-z_])putchar *\(/ && line !~ /putchar\(.(.|\\.).\)/))
        bad("prints; expected " (cli ? "a function of sim/cli/common.c" : hsa ? "rt_log()" : "that its caller does"))
    if (match(line, /(^|[^A-Za-z_])(puts *\(|fputs *\(.*, *std(out|err))/)) {
        call = substr(line, RSTART)
        sub(/^[^A-Za-z_]/, "", call)
        if (hsa || sweep || !literal(call))
            bad("prints a text that does not stand here; expected " (cli ? "cli_put() or cli_printf()" : "rt_log()"))
    }
}
FILENAME ~ /^sim\/(api|study)\// && /report_render[^_A-Za-z]/ && !/_(json|csv|html|html_index|counters|string)[^A-Za-z_]/ {
    bad("renders a text for people; expected report_render_plain()")
}
FILENAME != "sim/util/plain.c" && /([^=]=|\?) *\047\?\047/ && /(< *(0x20|\047 \047)|iscntrl|isprint)/ {
    bad("replaces control characters; expected plain_text()")
}
/plain_text\(/ { plain[FILENAME] = 1 }
FILENAME ~ /^sim\/(api|study)\// && /(open_memstream|text_stream_close)\(/ && !(FILENAME in builds) { builds[FILENAME] = FNR }
FILENAME ~ /^sim\/(cli\/common|hsa\/core\/log)\.c$/ && !(FILENAME in builds) { builds[FILENAME] = FNR }
END {
    for (f in builds)
        if (!(f in plain) && !(f in excused)) {
            printf "%s:%d: makes text for people and never calls plain_text()\n", f, builds[f]
            errors++
        }
    for (f in excused)
        if (!(f in builds)) {
            printf "%s: %s builds no text\n", list, f
            errors++
        }
    if (!files) {
        print "no file found at all: is this the root of the repository?"
        errors++
    }
    if (!errors)
        printf "lint: terminal: %d files print through one function\n", files
    exit errors ? 1 : 0
}'

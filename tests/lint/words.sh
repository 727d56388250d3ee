#!/bin/sh
# Words of comments and docs that need a second reading, and have a plain one:
#   - "no memory" where an allocation of the host fails: "out of host memory"; in messages, too
#   - "in front of" where something comes earlier: "before". Caches, queues and the like do stand in front of others.
#   - "behind" where something comes later: "after", or "past" an end. Latency hides behind others, levels lie behind others.
#   - "is told": reported, shown, informed, known. Things may be told apart.
#   - comments that begin with "Of"
# and static functions that are called take, tell or keep, which do not say what. Else texts in quotes are not looked at.
here=$(dirname "$0")
# shellcheck disable=SC2016  # an awk program
"$here/files.sh" '*.c' '*.h' '*.md' '*.py' '*.sh' |
    grep -v -e '^tests/lint/' -e '^CHANGELOG' -e '^docs/RELEASE_' -e '^tests/unit/api/released/' | xargs awk '
function bad(why) {
    printf "%s:%d: %s\n", name, number, why
    errors++
}
# Whether a phrase begins in the line; it may end in the next one.
function says(phrase) {
    return match(both, phrase) && RSTART <= length(words)
}
function plain(text) {
    gsub(/"([^"\\]|\\.)*"/, "\"\"", text)
    gsub(/`[^`]*`/, "``", text)
    gsub(/told apart|levels behind/, "", text)
    gsub(/[Ii]n front of ((the |its |a |some |each )?(L2|GL1|MALL|units?|tag|cache|queue|parser|C library)|it[.,:]|it \*\/)/, "", text)
    return text
}
function look(following) {
    sub(/^[ \t]*[*#\/]*[ \t]*/, "", following)
    words = line
    both = line " " following
    if (says("([Nn]ull|[Ff]alse|NONE|MAX|0)( with \\*e)?( when there is|:|,) no memory|\"(%s: |[A-Za-z ]+: )?no memory(\"| for )"))
        bad("an allocation of the host that fails: say \"out of host memory\"")
    words = plain(line)
    both = words " " plain(following)
    if (says("[Ii]n front of [a-z]"))
        bad("\"in front of\": say \"before\" when it is earlier")
    if (says("([Oo]ne behind (the other|another)|[Rr]ight behind)[^a-z]") ||
        says("[Bb]ehind (the|its|their|an?|each|that|every) (end|last|first|launch|branch|barrier|load|store|option|name|gap|call|leap|report|summary|address|instruction|kernel|dispatch|packet)"))
        bad("\"behind\": say \"after\" when it is later, \"past\" an end")
    if (says("(is|are|be|been|was|were) told[^a-z]"))
        bad("\"told\": say who reports, shows or knows it")
    if (name ~ /\.[ch]$/ && line ~ /\/\* Of /)
        bad("a comment that begins with \"Of\"")
    if (name ~ /\.[ch]$/ && line ~ /^static [^=;(]*[ *](take|tell|keep)\(/)
        bad("a function called take, tell or keep: say what")
}
number { look(FNR > 1 ? $0 : "") }
FNR == 1 { files++ }
{
    line = $0
    name = FILENAME
    number = FNR
}
END {
    if (number)
        look("")
    if (!errors)
        printf "lint: words: %d files clean\n", files
    exit errors ? 1 : 0
}'

#!/bin/sh
# The top of the repository: few names, each with a place in README.md's layout; and the tests that SECURITY.md names are there.
here=$(dirname "$0")
"$here/files.sh" | awk '
BEGIN {
    n = split("Makefile README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff Dockerfile " \
              "sim isa mem config traces tests docs debian", names, " ")
    for (i = 1; i <= n; i++)
        ok[names[i]] = 1
}
{
    split($0, part, "/")
    files++
    if (!(part[1] in ok) && part[1] !~ /^\./ && !seen[part[1]]++) {
        printf "%s: has no place at the top of the repository (tests/lint/tree.sh)\n", part[1]
        errors++
    }
}
END {
    if (!files) {
        print "no file found at all: is this the root of the repository?"
        errors++
    }
    if (!errors)
        printf "lint: tree: %d files below the names of the top folder\n", files
    exit errors ? 1 : 0
}' || exit 1
# shellcheck disable=SC2016  # the backquotes are Markdown's
[ ! -f SECURITY.md ] || grep -o '`[^`]*T=[a-z0-9_/]*' SECURITY.md | sed 's/^`//' | {
    status=0
    while IFS= read -r command; do
        name=${command##*T=}
        case $command in
        "make fuzz"*) file=tests/fuzz/fuzz_$name.c ;;
        *) file=tests/$name.c ;;
        esac
        [ -f "$file" ] || [ -d "tests/$name" ] || { echo "SECURITY.md: '$command': there is no such test"; status=1; }
    done
    exit $status
}

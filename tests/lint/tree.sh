#!/bin/sh
# The top of the repository: few names, each with a place in README.md's layout.
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
}'

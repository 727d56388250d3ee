#!/bin/sh
# The table that docs/ACCURACY.md begins with: the figures of a line, in its columns "error" and "not fitted", stand in one of the
# sections that its last column links to. `make accuracy` writes these anew.
page=docs/ACCURACY.md
[ -f "$page" ] || { echo "lint: accuracy: no $page: is this the root of the repository?" >&2; exit 1; }
awk -v page="$page" '
# the anchor that a heading has
function anchor(heading)
{
    sub(/^#+ /, "", heading)
    heading = tolower(heading)
    gsub(/[^-a-z0-9_ ]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}
# the text of the sections that a cell links to
function linked(cell,    file, name, at, line, inside, text)
{
    text = ""
    while (match(cell, /\]\([A-Z]*(\.md)?#[^)]*\)/)) {
        at = substr(cell, RSTART + 2, RLENGTH - 3)
        cell = substr(cell, RSTART + RLENGTH)
        file = at ~ /^#/ ? page : "docs/" substr(at, 1, index(at, "#") - 1)
        name = substr(at, index(at, "#") + 1)
        inside = found = 0
        while ((getline line < file) > 0) {
            if (line ~ /^#+ /) {
                inside = anchor(line) == name
                found = found || inside
            }
            if (inside)
                text = text " " line
        }
        close(file)
        if (!found)
            complain("no section " at)
    }
    return text
}
function complain(text) { print page ":" FNR ": " text; errors++ }
/^<!-- begin summary -->/ { summary = 1 }
/^<!-- end summary -->/ { summary = 0 }
summary && /^\| / && !/^\| area / {
    n = split($0, cell, /\|/)
    lines++
    text = linked(cell[n - 1])
    figures = " " cell[4] " " cell[5]
    gsub(/[A-Za-z]+[0-9]+[A-Za-z]*/, "", figures) # names of chips
    rest = figures
    while (match(rest, /mean [0-9.]+/)) {
        figure = substr(rest, RSTART + 5, RLENGTH - 5)
        rest = substr(rest, RSTART + RLENGTH)
        if (text !~ ("mean error " figure " ?%|[^0-9.]" figure " % mean|all +\\| +[0-9]+ \\| +" figure "%"))
            complain("no section of its line has the mean error " figure " %")
    }
    while (match(figures, /[0-9][0-9.]*/)) {
        figure = substr(figures, RSTART, RLENGTH)
        figures = substr(figures, RSTART + RLENGTH)
        sub(/\.$/, "", figure)
        pattern = "(^|[^0-9.])" figure "([^0-9.]|\\.?$|\\.[^0-9])"
        if (text !~ pattern)
            complain("\"" figure "\" is in none of the sections of its line")
    }
}
END {
    if (lines < 10) {
        print page ": a table of " lines + 0 " lines between the marks of the summary; expected 10"
        errors++
    }
    if (!errors)
        print "lint: accuracy: the figures of " lines " lines stand in their sections"
    exit errors ? 1 : 0
}' "$page"

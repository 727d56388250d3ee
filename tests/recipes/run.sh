#!/bin/sh
# The recipes of CONTRIBUTING.md as patches: "a stall reason: 2 places" has to stay true.
#
#   tests/recipes/run.sh BUILD-FOLDER
#
# From the repository's root, in `make check`, with MAKE, NPROC and what else make was called with. NAME.patch is the recipe
# "### a NAME: N places" (or "an"); it touches N files. All of them are applied to a copy of the tree in BUILD-FOLDER/recipes,
# which is built once, and what they add has to show up wherever such things are shown.
set -u
build=$1 here=$PWD
tree=$PWD/$build/recipes
case $build in /*) tree=$build/recipes ;; esac
failed=0
fail() { echo "recipes: $*" >&2; failed=1; }
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT TERM
rm -rf "$tree" && mkdir -p "$tree" || exit 1
git ls-files -z | xargs -0 tar -c --ignore-failed-read 2>/dev/null | tar -x -C "$tree" || exit 1

for patch in tests/recipes/*.patch; do
    name=$(basename "$patch" .patch | tr _ ' ')
    places=$(sed -n "s/^### an\{0,1\} $name: \([0-9]*\) places\{0,1\}\$/\1/p" CONTRIBUTING.md)
    files=$(grep -c '^+++ ' "$patch")
    [ "${places:-0}" -eq "$files" ] || fail "$patch touches $files files, CONTRIBUTING.md says ${places:-no} places"
    (cd "$tree" && patch -s -p1 <"$here/$patch") || { fail "$patch does not apply"; exit 1; }
done
if ! (cd "$tree" && "${MAKE:-make}" --no-print-directory -j"${NPROC:-1}" BUILD=build build/gcnsim) >"$tree/log" 2>&1; then
    grep -E 'error|\*\*\*' "$tree/log" | head -10 >&2
    fail "the tree with all recipes cannot be built"
    exit 1
fi

g=$tree/build/gcnsim launch=$here/traces/samples/gfx1201/matmul.json
cd "$tree" || exit 1
"$g" run "$launch" --details --json report.json --html page.html >text 2>error ||
    fail "gcnsim run: $(head -1 error)"
"$g" run "$launch" --show recipe >section 2>error || fail "gcnsim run --show recipe: $(head -1 error)"
"$g" explain "$launch" >explained 2>error || fail "gcnsim explain: $(head -1 error)"

# shown WHERE WHAT PATTERN
shown() { grep -qE "$3" "$1" || fail "$2 is not in $1: $3"; }
shown report.json "the stall reason" '"stall_cycles.recipe"|"recipe": [1-9]'
shown text "the stall reason" 'recipe +[1-9]'
shown page.html "the stall reason" 'waits for a barrier that has been signalled'
shown report.json "the counter" '"?(lds\.)?recipe"?: [1-9]'
shown text "the section" '^Recipe$'
shown section "the section" '^Recipe$'
shown explained "the remedy" 'LDS takes its time'
[ "$failed" -eq 0 ] && echo "recipes: $(find "$here/tests/recipes" -name '*.patch' | wc -l) are as CONTRIBUTING.md says"
exit "$failed"

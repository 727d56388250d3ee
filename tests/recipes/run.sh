#!/bin/sh
# The steps of docs/EXTENDING.md, which are recipes of CONTRIBUTING.md with an example: "a stall reason: 2 places" has to stay true.
#
#   tests/recipes/run.sh BUILD-FOLDER
#   tests/recipes/run.sh --show 'a stall reason'       the diff of that step, for patch -p1
#
# From the repository's root, in `make check`, with MAKE, NPROC and what else make was called with. The diff below the heading
# "## A NAME" is the recipe "### a NAME: N places"; it touches N files. All of them are applied to a copy of the tree in
# BUILD-FOLDER/recipes, which is built once. What they add has to show up wherever such things are shown, the commands of the page
# print what it says, and the tests of the tables that were extended pass.
set -u
page=docs/EXTENDING.md
# The diff below a heading.
diff_of() {
    awk -v name="$1" '/^## / { here = tolower(substr($0, 4)) == name }
        /^```/ { inside = here && $0 == "```diff"; next } inside' "$page"
}
if [ "${1:-}" = --show ]; then
    text=$(diff_of "${2:-}")
    [ -n "$text" ] || { echo "recipes: $page has no step '${2:-}'; expected one of: $(sed -n 's/^## //p' "$page" | tr 'A\n' 'a,')" >&2; exit 2; }
    printf '%s\n' "$text"
    exit 0
fi
build=$1
tree=$PWD/$build/recipes
case $build in /*) tree=$build/recipes ;; esac
failed=0
fail() { echo "recipes: $*" >&2; failed=1; }
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT TERM
rm -rf "$tree" && mkdir -p "$tree" || exit 1
git ls-files -z | xargs -0 tar -c --ignore-failed-read 2>/dev/null | tar -x -C "$tree" || exit 1

sed -n 's/^## //p' "$page" | sed 's/^A/a/' >"$tree/steps"
while IFS= read -r name; do
    diff_of "$name" >"$tree/step.patch"
    places=$(sed -n "s/^### $name: \([0-9]*\) places\{0,1\}\$/\1/p" CONTRIBUTING.md)
    files=$(grep -c '^+++ ' "$tree/step.patch")
    [ "${places:-0}" -eq "$files" ] || fail "$name: $files files here, CONTRIBUTING.md says ${places:-no} places"
    (cd "$tree" && patch -s -p1 <step.patch) || { fail "the diff of '$name' does not apply"; exit 1; }
done <"$tree/steps"
make_() { (cd "$tree" && "${MAKE:-make}" --no-print-directory -j"${NPROC:-1}" BUILD=build "$@") >"$tree/log" 2>&1; }
if ! make_ build/gcnsim; then
    grep -E 'error|\*\*\*' "$tree/log" | head -10 >&2
    fail "the tree with all steps cannot be built"
    exit 1
fi
make_ test-with-deps T='unit/config/test_profile unit/config/test_sources_doc unit/check/test_check_rules unit/check/test_check_rdna unit/traces' ||
    fail "tests: $(grep -E '^FAIL|\[  FAILED|\*\*\*' "$tree/log" | head -10)"

cd "$tree" || exit 1
g=build/gcnsim launch=traces/samples/gfx1201/matmul.json
# The examples of the page: a line "$ COMMAND", and what it prints.
awk '/^## / { step++ } /^```/ { if (file) close(file); file = ""; next }
    /^\$ / { file = "example." step; print substr($0, 3) >file; next } file { print >(file ".says") }' "$page"
for example in example.[0-9]*; do
    case $example in *.says) continue ;; esac
    sh "$example" >"$example.prints" 2>&1
    cmp -s "$example.says" "$example.prints" || fail "'$(cat "$example")' prints: $(head -5 "$example.prints")"
done

"$g" run "$launch" --details --json report.json --html page.html >text 2>error ||
    fail "gcnsim run: $(head -1 error)"
"$g" run "$launch" --show totals >section 2>error || fail "gcnsim run --show totals: $(head -1 error)"
"$g" explain "$launch" >explained 2>error || fail "gcnsim explain: $(head -1 error)"
"$g" run "$launch" --arch gfx1201-rx9070 >chip 2>error || fail "gcnsim run --arch gfx1201-rx9070: $(head -1 error)"

# shown WHERE WHAT PATTERN
shown() { grep -qE "$3" "$1" || fail "$2 is not in $1: $3"; }
shown report.json "the stall reason" '"stall_cycles.barrier_release"|"barrier_release": [1-9]'
shown text "the stall reason" 'barrier_release +[1-9]'
shown page.html "the stall reason" 'waits for a barrier that has been signalled'
shown report.json "the counter" '"?(lds\.)?dwords"?: [1-9]'
shown text "the section" '^Totals$'
shown section "the section" '^Totals$'
shown explained "the remedy" 'L2 answers loads'
shown chip "the chip" 'RX 9070, profile gfx1201-rx9070'

# patched WORD NEW-WORD FILE: a copy of a sample's launch whose code has another word, least significant byte first
patched() {
    co=traces/samples/gfx1201/$3.co
    at=$(LC_ALL=C grep -obUaP "$1" "$co" | head -1 | cut -d: -f1)
    # shellcheck disable=SC2059  # the bytes are the format
    printf "$2" | dd of="$co" bs=1 seek="${at:-0}" conv=notrunc 2>/dev/null
}
# a sum becomes the new instruction: the first element is |a - b|
f32() { od -An -tf4 -N4 "$1" | tr -d ' '; }
patched '\x02\x07\x04\x06' '\002\007\004\036' vecadd
"$g" run traces/samples/gfx1201/vecadd.json >text 2>error || fail "the instruction does not run: $(head -1 error)"
awk -v a="$(f32 traces/samples/data/f32_a.bin)" -v b="$(f32 traces/samples/data/f32_b.bin)" -v c="$(f32 traces/samples/out/vecadd.bin)" \
    'BEGIN { d = a > b ? a - b : b - a; exit !(c - d < 1e-5 && d - c < 1e-5 && c != a + b) }' || fail "the instruction computes something else"
# s_nop 0 becomes s_nop 15
patched '\x00\x00\x80\xbf' '\017\000\200\277' matmul
"$g" run "$launch" --check >text 2>error
shown text "the check" 'long-nop'

[ "$failed" -eq 0 ] && echo "recipes: $(wc -l <steps) steps are as docs/EXTENDING.md and CONTRIBUTING.md say"
exit "$failed"

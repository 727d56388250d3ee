#!/bin/sh
# The bench on another commit's library beside this tree's, in turns in one run.
#
#   tests/bench/compare.sh BUILD-FOLDER COMMIT [PART]...
#
# From the repository's root, after `make bench-compare REF=COMMIT`, which has built this tree. A is the commit, B this
# tree; each part is run A B B A, ROUNDS times. Both use the bench of this tree, so that rows are the same. The commit
# is built in BUILD-FOLDER/compare, with the flags of this make; the folder goes when all is done.
set -u
build=$1 ref=${2:-}
shift 2
if [ -z "$ref" ]; then
    echo "bench-compare: no commit; expected make bench-compare REF=COMMIT [ONLY='loops chip'] [QUICK=1] [ROUNDS=n]" >&2
    exit 2
fi
commit=$(git rev-parse --verify --quiet "$ref^{commit}") || {
    echo "bench-compare: REF=$ref: no such commit here; expected a branch, tag or hash that git knows" >&2
    exit 2
}
here=$PWD tree=$PWD/$build/compare
case $build in /*) tree=$build/compare ;; esac
trap 'rm -rf "$tree"' EXIT
trap 'exit 130' INT TERM
rm -rf "$tree" && mkdir -p "$tree" || exit 1
git archive "$commit" | tar -x -C "$tree" || exit 1
rm -rf "$tree/tests/bench" && cp -r tests/bench "$tree/tests/bench" || exit 1
echo "building $(git log -1 --format='%h %s' "$commit")"
# what make was called with comes along in MAKEFLAGS, but for the folder
if ! (cd "$tree" && "${MAKE:-make}" --no-print-directory -j"${NPROC:-1}" -f Makefile -f tests/bench/bench.mk BUILD=build \
    bench-programs) >"$tree/log" 2>&1; then
    grep -E 'error|\*\*\*' "$tree/log" | head -20 >&2
    echo "bench-compare: $ref cannot be built with this tree's bench" >&2
    exit 1
fi

rows=$tree/rows
mkdir "$rows"
side() {
    case $1 in
    A) cd "$tree" && sh "$here/tests/bench/run.sh" build "$rows/A" "$2" ;;
    B) cd "$here" && sh tests/bench/run.sh "$build" "$rows/B" "$2" ;;
    esac >"$rows/log" 2>&1 || { cat "$rows/log" >&2; exit 1; }
    cd "$here" || exit 1
}
[ $# -gt 0 ] || set -- loops matrices samples scaling memory chip decode start launches
for part in "$@"; do
    for _ in $(seq "${ROUNDS:-1}"); do
        for s in A B B A; do
            (side $s "$part") || exit 1
        done
    done
done
sh tests/bench/rows.sh compare "$rows/A" "$rows/B"

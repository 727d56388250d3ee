#!/bin/sh
# Whether two builds of the tool count the same: every sample of traces/samples on the profile of its target, and some
# larger launches, by both; any difference between the reports (cycles, stalls, caches, everything but the host's
# time) is printed and makes the exit status 1.
#
#   tests/timing/compare.sh OLD NEW [TARGET...]
#
# From the repository's root. For changes that must not change a number; an intended change shows what it moved.
set -u
[ $# -ge 2 ] || { echo "usage: $0 OLD-GCNSIM NEW-GCNSIM [TARGET...]" >&2; exit 2; }
old=$1 new=$2
shift 2
if [ $# -eq 0 ]; then
    for dir in traces/samples/gfx*; do
        set -- "$@" "${dir##*/}"
    done
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
runs=0 bad=0

# one launch; the report's lines about the host are left out
one() {
    tool=$1
    shift
    "$tool" run "$@" --quiet --progress never --json - 2>&1 | grep -v -e '"host' -e 'seconds"' -e 'per_second"'
}

both() {
    name=$1
    shift
    one "$old" "$@" > "$tmp/old"
    one "$new" "$@" > "$tmp/new"
    runs=$((runs + 1))
    grep -q '"cycles"' "$tmp/old" || { echo "$name: no result"; cat "$tmp/old"; bad=$((bad + 1)); }
    cmp -s "$tmp/old" "$tmp/new" && return
    bad=$((bad + 1))
    echo "$name differs:"
    diff "$tmp/old" "$tmp/new" | head -20
}

for target; do
    for json in traces/samples/"$target"/*.json; do
        both "$json" "$json"
    done
    dir=traces/samples/$target
    n=100000 # many workgroups on every CU, the last one partial
    both "$target vecadd, $n" "$dir"/vecadd.co --kernel vecadd --grid $n --workgroup 256 \
        --arg buf:$((n * 4)) --arg buf:$((n * 4)) --arg buf:$((n * 4)) --arg u32:$n
    both "$target matmul, 160" "$dir"/matmul.co --kernel matmul --grid 160,160 --workgroup 16,16 \
        --arg buf:102400 --arg buf:102400 --arg buf:102400 --arg u32:160 --arg u32:160
done
echo "$runs launches, $bad differ"
[ $bad -eq 0 ]

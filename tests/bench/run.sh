#!/bin/sh
# Runs parts of the bench, each of which appends its rows (tests/bench/rows.h) to a file, and prints its tables.
#
#   tests/bench/run.sh BUILD-FOLDER ROWS-FILE [PART]...
#
# From the repository's root. Parts, in the order in which they run: loops survey matrices samples scaling schedule memory
# chip timeline decode start launches hip; all without any named. QUICK=1: without timeline, hip, and the whole chips, and a fifth as
# long.
set -u
if [ $# -lt 2 ]; then
    echo "usage: $0 BUILD-FOLDER ROWS-FILE [PART]..." >&2
    exit 2
fi
build=$1 BENCH_ROWS=$2
export BENCH_ROWS
shift 2
known="loops survey matrices samples scaling schedule memory chip timeline decode start launches hip" parts=$*
seconds=1
: "${parts:=${QUICK:+loops survey matrices samples scaling memory decode start launches}}"
: "${parts:=$known}"
[ -z "${QUICK:-}" ] || seconds=0.2
for part in $parts; do
    case " $known " in
    *" $part "*) ;;
    *)
        echo "bench: ONLY=$part: expected some of $known" >&2
        exit 2
        ;;
    esac
done

words() {
    for f in traces/samples/"$1"/*.co; do
        "$build/gcnsim" disasm "$f"
    done | sed -n 's|.*// [0-9A-F]*: ||p'
}

run() {
    bench=$build/tests/bench
    case $1 in
    loops | matrices | samples | scaling) "$bench/bench" --seconds $seconds --only "$1" ;;
    survey | schedule) "$bench/$1" ;;
    memory | timeline) "$bench/bench_chip" --seconds $seconds --only "$1" ;;
    chip)
        "$bench/bench_chip" --only chip && "$bench/bench_launch" --only chip --seconds $seconds
        ;;
    decode)
        for t in gfx803 gfx90a gfx1201; do
            words $t | "$bench/bench_decode" $t || return 1
        done
        ;;
    start | launches) "$bench/bench_launch" --seconds $seconds --only "$1" ;;
    hip) sh tests/bench/exec.sh "$build" ;;
    esac
}

# What else the machine did before; tests/bench/rows.sh shows it below the tables.
[ ! -r /proc/loadavg ] || echo "# load average $(cut -d ' ' -f 1 /proc/loadavg) on $(nproc) processors" >>"$BENCH_ROWS"
for part in $parts; do
    run "$part" || { echo "bench: $part failed" >&2; exit 1; }
    echo
done

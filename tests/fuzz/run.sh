#!/bin/sh
# run.sh BUILD SECONDS [TARGET...]: each fuzz target of BUILD (or those named: decode, profile ...) for SECONDS, from seeds.
#   make fuzz FUZZ_SECONDS=30 builds the targets and calls this.
# Seeds are the files of tests/fuzz/corpus/TARGET and what is made here out of the repository's own files. They have to
# reach at least twice the edges that the target reaches without any; an input that stops a target stays in BUILD.
# JOBS=N targets at once (default: one for each processor).
set -u

# seeds TARGET FOLDER: puts them there
seeds() {
    [ ! -d "tests/fuzz/corpus/$1" ] || cp "tests/fuzz/corpus/$1"/* "$2"
    case $1 in
    decode) "$BUILD/tests/fuzz/gen_seeds" decode "$2" ;;
    metadata) "$BUILD/tests/fuzz/gen_seeds" metadata "$2" traces/samples/*/*.co ;;
    # the larger ones are what these extend
    profile) find config/profiles -name '*.json' -size -8 -exec cp {} "$2" \; ;;
    launch_file) cp traces/samples/gfx1201/*.json "$2" ;;
    spec)
        n=0
        for text in buf:64 in:a.bin out:b.bin:0x40 inout:a.bin:c.bin i8:-128 u8:255 i16:-1 u16:0xffff i32:-2147483648 \
            u32:1 i64:-1 u64:18446744073709551615 f16:65504 f16:-6e-8 f32:1.5 f32:nan f64:0x1.8p-1022 f64:-inf \
            'bytes:00 ff,01_02' buf: x:1; do
            n=$((n + 1))
            printf %s "$text" >"$2/$n"
        done
        ;;
    esac
}

# dictionary TARGET: the words of the format, as libFuzzer takes them; those of JSON with their quotes
dictionary() {
    case $1 in
    profile) grep -oh '"[a-z0-9_]\{2,\}"' config/profiles/*.json | sed 's/"\(.*\)"/"\\"\1\\""/' ;;
    launch_file) sed -n 's/^| .\([a-z_]*\). |.*/"\\"\1\\""/p' docs/LAUNCH_FILES.md ;;
    metadata) grep -oh '"[.a-z_]\{2,\}"' sim/loader/metadata.[ch] ;;
    spec) sed -n 's/.*[{]"\([a-z0-9]*\)", SPEC_.*/"\1:"/p' sim/launch/spec.c ;;
    esac | sort -u
}

if [ "${1:-}" = --one ]; then
    dir=$2 target=$3
    log=$dir/$target.log
    mkdir "$dir/$target" "$dir/$target/seeds" "$dir/$target/corpus"
    seeds "$target" "$dir/$target/seeds" || { echo "FAIL fuzz_$target: no seeds"; exit 1; }
    words=$dir/$target/words
    dictionary "$target" >"$words"
    [ -s "$words" ] || words=
    edges() { sed -n "s/^#[0-9]*[[:space:]]*$1 *cov: \([0-9]*\) .*/\1/p" "$log" | tail -n 1; }

    "$BUILD/tests/fuzz/fuzz_$target" -runs=0 >"$log" 2>&1
    without=$(edges INITED)
    status=0
    "$BUILD/tests/fuzz/fuzz_$target" -max_total_time="$SECONDS_EACH" -timeout=10 -rss_limit_mb=2048 \
        ${words:+-dict="$words"} -artifact_prefix="$BUILD/" "$dir/$target/corpus" "$dir/$target/seeds" >"$log" 2>&1 ||
        status=$?
    with=$(edges INITED)
    said="${with:-0} edges from $(find "$dir/$target/seeds" -type f | wc -l) seeds, ${without:-0} without"
    if [ $status -ne 0 ]; then
        grep '^INFO: Seed:' "$log"
        tail -n 40 "$log"
        echo "FAIL fuzz_$target: stopped (its input is in $BUILD)"
        exit 1
    elif [ "${with:-0}" -lt $((2 * ${without:-0})) ] || [ "${with:-0}" -eq 0 ]; then
        echo "FAIL fuzz_$target: the seeds do not help: $said"
        exit 1
    fi
    echo "ok   fuzz_$target: $said, $(edges DONE) at the end; $(sed -n 's/^Done \([0-9]*\) runs in .*/\1/p' "$log") runs"
    exit 0
fi

[ $# -ge 2 ] || { echo "usage: run.sh BUILD SECONDS [TARGET...]" >&2; exit 2; }
BUILD=$1 SECONDS_EACH=$2
export BUILD SECONDS_EACH
shift 2
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-fuzz.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
if [ $# -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do
        target=${source#tests/fuzz/fuzz_}
        set -- "$@" "${target%.c}"
    done
fi
for target; do
    [ -x "$BUILD/tests/fuzz/fuzz_$target" ] || { echo "run.sh: no $BUILD/tests/fuzz/fuzz_$target" >&2; exit 1; }
done
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" sh "$0" --one "$dir"

#!/bin/sh
# run.sh BUILD SECONDS [TARGET...]: each fuzz target of BUILD (or those named: decode, profile ...) for SECONDS, from seeds.
#   make fuzz FUZZ_SECONDS=30 builds the targets and calls this; LONG_SECONDS (default: SECONDS) is for those that run
#   kernels. FUZZ_SEED=N repeats a run: the same inputs in the same order, as many as the time allows.
# FUZZ_RUNS=N: N mutated inputs of each target in place of SECONDS; FUZZ_RUNS=smoke: the numbers of smoke() below. What
#   earlier runs found is left aside. With FUZZ_SEED these are the same inputs on every machine, however slow it is.
# run.sh --grow BUILD SECONDS [TARGET...]: the same, and then what is worth keeping goes into tests/fuzz/corpus/TARGET.hex,
#   minimised (make fuzz-grow). Look at the diff before committing it.
#
# Seeds are the files of tests/fuzz/corpus/TARGET, the inputs in tests/fuzz/corpus/TARGET.hex and regressions/TARGET, and
# what is made here out of the repository's own files. They have to reach at least twice the edges that the target reaches
# without any. An input that a run finds besides stays in BUILD/corpus/TARGET, where the next run goes on. An input that
# stops a target stays in BUILD/findings, and the command that repeats it is printed.
# JOBS=N targets at once (default: one for each processor).
set -u
max_corpora=2000000 # bytes of tests/fuzz/corpus
max_kept=6000       # bytes of an input that goes there

# made TARGET FOLDER: puts the seeds there that are made, or belong to others
made() {
    case $1 in
    decode) "$BUILD/tests/fuzz/gen_seeds" decode "$2" ;;
    metadata) "$BUILD/tests/fuzz/gen_seeds" metadata "$2" traces/samples/*/*.co ;;
    path) "$BUILD/tests/fuzz/gen_seeds" path "$2" && copy "$2" traces/samples/*/call.co traces/samples/*/histogram.co ;;
    loader | executable)
        "$BUILD/tests/fuzz/gen_seeds" loader "$2" && copy "$2" traces/samples/*/call.co tests/fuzz/corpus/path.hex
        ;;
    streams) "$BUILD/tests/fuzz/gen_seeds" streams "$2" ;;
    lines) copy "$2" traces/samples/*/*.g.co ;;
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

# copy FOLDER FILE...: files by names of their own, those in hexadecimal line by line
copy() {
    to=$1
    shift
    for path; do
        name=$(echo "$path" | tr / -)
        case $path in
        *.hex)
            mkdir "$to/unpacked" && "$BUILD/tests/fuzz/gen_seeds" unpack "$to/unpacked" "$path" || return 1
            for one in "$to/unpacked"/*; do
                [ ! -f "$one" ] || mv "$one" "$to/$name-${one##*/}" || return 1
            done
            rmdir "$to/unpacked"
            ;;
        *) [ ! -f "$path" ] || cp "$path" "$to/$name" || return 1 ;;
        esac
    done
}

# kept TARGET FOLDER: puts those there that are in tests/fuzz
kept() {
    set -- "$2" "tests/fuzz/corpus/$1"/* "tests/fuzz/corpus/$1.hex" "tests/fuzz/regressions/$1"/*
    to=$1
    shift
    for path; do
        [ ! -f "$path" ] || copy "$to" "$path" || return 1
    done
}

# dictionary TARGET: the words of the format, as libFuzzer takes them; those of JSON with their quotes
dictionary() {
    case $1 in
    profile) grep -oh '"[a-z0-9_]\{2,\}"' config/profiles/*.json | sed 's/"\(.*\)"/"\\"\1\\""/' ;;
    launch_file) sed -n 's/^| .\([a-z_]*\). |.*/"\\"\1\\""/p' docs/LAUNCH_FILES.md ;;
    metadata) grep -oh '"[.a-zA-Z_]\{2,\}"' sim/loader/metadata.[ch] sim/loader/metadata_v2.c ;;
    sweep) grep -oh '^    if (strcmp(key, "[a-z_]*")\|strcmp(key, "[a-z]*")' sim/sweep/spec_read.c sim/sweep/values.c |
        sed 's/.*strcmp(key, "\(.*\)").*/"\\"\1\\""/' ;;
    sweep_expr) for word in AND OR NOT NULL CASE WHEN THEN ELSE END BETWEEN LIKE 'abs(' 'max(' 'printf(' '[a.b]' '||'; do
        printf '"%s"\n' "$word"
    done ;;
    sweep_results) printf '"%s"\n' CREATE TABLE VIEW results SELECT FROM point statistic override 'WITH RECURSIVE' ;;
    spec) sed -n 's/.*[{]"\([a-z0-9]*\)", SPEC_.*/"\1:"/p' sim/launch/spec.c ;;
    loader | executable) printf '"%s"\n' __CLANG_OFFLOAD_BUNDLE__ CCOB -amdgcn-amd-amdhsa-- hipv4 host- AMDGPU .hip_fatbin .kd \
        '!<arch>' '!<thin>' '#1/' .AMDGPU.config .llvm.offloading amdpal.pipelines .registers .hardware_stages .cs ;;
    esac | sort -u
}

# smoke TARGET: inputs that take some 20 s of an idle core, sanitizers included
smoke() {
    case $1 in
    streams) echo 250 ;;
    shown) echo 4000 ;;
    path) echo 300 ;;
    races) echo 1200 ;;
    profile) echo 8000 ;;
    executable) echo 16000 ;;
    loader | lines) echo 35000 ;;
    decode) echo 50000 ;;
    sweep_expr) echo 130000 ;;
    metadata | diff | launch_file | sweep) echo 220000 ;;
    spec) echo 500000 ;;
    *) echo 25000 ;;
    esac
}

max_len() {
    case $1 in
    path | loader | executable | lines) echo 16384 ;;
    profile) echo 8192 ;;
    streams | sweep_expr | shown) echo 512 ;;
    sweep_results) echo 16384 ;;
    *) echo 4096 ;;
    esac
}

if [ "${1:-}" = --one ]; then
    dir=$2 target=$3
    log=$dir/$target.log
    fuzz=$BUILD/tests/fuzz/fuzz_$target
    corpus=$BUILD/corpus/$target
    mkdir -p "$dir/$target/made" "$dir/$target/kept" "$corpus" "$BUILD/findings"
    if ! { made "$target" "$dir/$target/made" && kept "$target" "$dir/$target/kept"; }; then
        echo "FAIL fuzz_$target: no seeds"
        exit 1
    fi
    words=$dir/$target/words
    dictionary "$target" >"$words"
    [ -s "$words" ] || words=
    edges() { sed -n "s/^#[0-9]*[[:space:]]*$1 *cov: \([0-9]*\) .*/\1/p" "$log" | tail -n 1; }
    count() { find "$@" -type f | wc -l; }
    case $target in
    path | streams | shown) seconds=$LONG_SECONDS ;;
    *) seconds=$SECONDS_EACH ;;
    esac
    runs=${FUZZ_RUNS:-} seeds=
    [ "$runs" != smoke ] || runs=$(smoke "$target")
    if [ -n "$runs" ]; then
        corpus=$dir/$target/corpus
        mkdir "$corpus"
        # seeds count as runs, and come by name, not as the folder has them; no look at what others add to the corpus,
        # which comes when the clock says so
        find "$dir/$target/made" "$dir/$target/kept" -type f | LC_ALL=C sort | paste -sd , >"$dir/$target/seeds"
        limit="-runs=$((runs + $(count "$dir/$target/made" "$dir/$target/kept"))) -reload=0 -seed_inputs=@$dir/$target/seeds"
    else
        limit=-max_total_time=$seconds
        seeds="$dir/$target/made $dir/$target/kept"
    fi

    "$fuzz" -runs=0 >"$log" 2>&1
    without=$(edges INITED)
    status=0
    # found before: inputs of earlier runs, which do not count as seeds
    before=$(count "$corpus")
    # an input takes milliseconds, or has no end
    # shellcheck disable=SC2086  # several words
    "$fuzz" ${FUZZ_SEED:+-seed="$FUZZ_SEED"} $limit -timeout=600 -rss_limit_mb=2048 -max_len="$(max_len "$target")" \
        ${words:+-dict="$words"} -artifact_prefix="$BUILD/findings/$target-" "$corpus" $seeds >"$log" 2>&1 ||
        status=$?
    with=$(edges INITED)
    said="${with:-0} edges from $(count "$dir/$target/made" "$dir/$target/kept") seeds"
    [ "$before" -eq 0 ] || said="$said and $before inputs found before"
    said="$said, ${without:-0} without"
    if [ $status -ne 0 ]; then
        grep '^INFO: Seed:' "$log"
        tail -n 40 "$log"
        input=$(sed -n 's/^artifact_prefix=.*Test unit written to //p' "$log" | tail -n 1)
        echo "FAIL fuzz_$target: stopped"
        [ -z "$input" ] || echo "     to repeat it: $fuzz $input"
        exit 1
    elif [ "${with:-0}" -lt $((2 * ${without:-0})) ] || [ "${with:-0}" -eq 0 ]; then
        echo "FAIL fuzz_$target: the seeds do not help: $said"
        exit 1
    fi
    echo "ok   fuzz_$target: $said, $(edges DONE) at the end; $(sed -n 's/^Done \([0-9]* runs in [0-9]* s\)econd.*/\1/p' "$log")"
    [ -n "${GROW:-}" ] || exit 0

    # of all that was found, the fewest inputs that reach each edge which the made seeds do not reach; large ones would
    # fill the repository for an edge or two
    new=$dir/$target/new
    mkdir "$new" "$dir/$target/added" "$dir/$target/small" && cp "$dir/$target/made"/* "$new" 2>/dev/null
    find "$corpus" -type f -size -"$max_kept"c -exec cp {} "$dir/$target/small" \;
    "$fuzz" -set_cover_merge=1 -use_counters=0 -timeout=600 -rss_limit_mb=2048 -max_len="$(max_len "$target")" "$new" \
        "$dir/$target/kept" "$dir/$target/small" >"$log" 2>&1 || { tail -n 20 "$log"; echo "FAIL fuzz_$target: merge"; exit 1; }
    for one in "$new"/*; do
        [ ! -f "$one" ] || [ -f "$dir/$target/made/${one##*/}" ] || mv "$one" "$dir/$target/added"
    done
    {
        echo "# inputs of fuzz_$target found by mutation of its seeds and minimised: make fuzz-grow T=$target"
        "$BUILD/tests/fuzz/gen_seeds" pack "$dir/$target/added"
    } >"$dir/$target/hex" && mv "$dir/$target/hex" "tests/fuzz/corpus/$target.hex"
    echo "     $(count "$dir/$target/added") inputs in tests/fuzz/corpus/$target.hex, $(wc -c <"tests/fuzz/corpus/$target.hex") bytes"
    exit 0
fi

if [ "${1:-}" = --grow ]; then
    GROW=1
    export GROW
    shift
fi
[ $# -ge 2 ] || { echo "usage: run.sh [--grow] BUILD SECONDS [TARGET...]" >&2; exit 2; }
BUILD=$1 SECONDS_EACH=$2
LONG_SECONDS=${LONG_SECONDS:-$SECONDS_EACH}
export BUILD SECONDS_EACH LONG_SECONDS
shift 2
dir=$(mktemp -d "${TMPDIR:-/tmp}/gcnsim-fuzz.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
TMPDIR=$dir
export TMPDIR
if [ $# -eq 0 ]; then
    # the long ones first, so that the others run beside them
    for target in path streams; do
        [ ! -f "tests/fuzz/fuzz_$target.c" ] || set -- "$@" "$target"
    done
    for source in tests/fuzz/fuzz_*.c; do
        target=${source#tests/fuzz/fuzz_}
        case $target in
        path.c | streams.c) ;;
        *) set -- "$@" "${target%.c}" ;;
        esac
    done
fi
for target; do
    [ -x "$BUILD/tests/fuzz/fuzz_$target" ] || { echo "run.sh: no $BUILD/tests/fuzz/fuzz_$target" >&2; exit 1; }
done
status=0
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc 2>/dev/null || echo 1)}" sh "$0" --one "$dir" || status=1
if [ -n "${GROW:-}" ]; then
    size=$(find tests/fuzz/corpus -type f -exec cat {} + | wc -c)
    echo "tests/fuzz/corpus: $size bytes of at most $max_corpora"
    [ "$size" -le "$max_corpora" ] || status=1
fi
exit $status
